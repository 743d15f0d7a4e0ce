/* SPDX-License-Identifier: MIT */
/*
 * Geometry, hull and domain shaders on random data: what two forms of one
 * shader write, vertex by vertex.
 */
#ifndef TPF_STAGE_H
#define TPF_STAGE_H

#include "compiler/d3d/tpf/tests/tpf_run.h"

#define TPF_STAGE_LANES 4
#define TPF_STAGE_VERTICES 6
#define TPF_STAGE_EVENTS 64

struct tpf_stage_event {
   bool end; /* of a primitive, else a vertex */
   unsigned stream;
   nir_interp_slot out[NIR_INTERP_SLOTS];
};

struct tpf_stage_run {
   const struct tpf_interface *interface;
   bool by_order;
   unsigned instance;
   nir_interp_slot in[TPF_STAGE_LANES][TPF_STAGE_VERTICES][NIR_INTERP_SLOTS];
   float coord[TPF_STAGE_LANES][3];
   uint32_t ubo[TPF_RUN_BUFFERS][TPF_RUN_WORDS];

   /* Of lanes; of a hull shader vertices, then the patch. */
   nir_interp_slot out[TPF_STAGE_VERTICES + 1][NIR_INTERP_SLOTS];
   struct tpf_stage_event event[TPF_STAGE_LANES][TPF_STAGE_EVENTS];
   unsigned num_events[TPF_STAGE_LANES];
};

/* NULL, or the fault. */
const char *tpf_stage_run(struct tpf_stage_run *run, nir_shader *nir,
                          struct arena *arena);
/* What differs, or NULL. */
const char *tpf_stage_compare(const struct tpf_stage_run *a,
                              const struct tpf_stage_run *b,
                              struct arena *arena);

#endif
