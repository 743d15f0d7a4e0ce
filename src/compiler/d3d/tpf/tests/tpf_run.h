/* SPDX-License-Identifier: MIT */
/*
 * Runs NIR on data that both forms of a program share: what the writer was
 * given, and what comes back from its bytes (whose bindings are registers).
 */
#ifndef TPF_RUN_H
#define TPF_RUN_H

#include "compiler/d3d/tpf/tpf_from_nir.h"
#include "compiler/nir/nir_interp.h"

#define TPF_RUN_BUFFERS 4
#define TPF_RUN_LANES 4
#define TPF_RUN_WORDS 256

struct tpf_run {
   /* NULL: bindings are indices of buffers. */
   const struct tpf_interface *interface;
   bool by_order;      /* a variable's binding is its index there */
   uint64_t max_steps; /* blocks; 0: 100000 */
   nir_interp_slot in[TPF_RUN_LANES][NIR_INTERP_SLOTS];
   nir_interp_slot out[TPF_RUN_LANES][NIR_INTERP_SLOTS];
   uint32_t ubo[TPF_RUN_BUFFERS][TPF_RUN_WORDS];
   uint32_t ssbo[TPF_RUN_BUFFERS][TPF_RUN_WORDS];
   uint32_t shared[TPF_RUN_WORDS];
   uint64_t killed;
};

/* NULL, or the fault. */
const char *tpf_run(struct tpf_run *run, nir_shader *nir,
                    struct arena *arena);
/* Writes, reads and translates back; NULL after a failed assertion's text
 * in *error. */
nir_shader *tpf_run_round(struct arena *arena, nir_shader *nir,
                          enum tpf_stage stage,
                          struct tpf_interface *interface,
                          struct util_dynarray *code,
                          struct d3d_error *error);
/* What differs between two runs, or NULL. */
const char *tpf_run_compare(const struct tpf_run *a, const struct tpf_run *b,
                            struct arena *arena);

#endif
