/* SPDX-License-Identifier: MIT */
/* Loads and stores of blocks and shared memory, as the passes about memory
 * see them: a value that is not known, plus a constant number of bytes. */
#ifndef NIR_ACCESS_H
#define NIR_ACCESS_H

#include "nir.h"
#include "nir_builder.h"

/* Bytes that one message moves for each invocation. */
#define NIR_ACCESS_MAX_B 16

struct nir_access {
   nir_intrinsic_instr *intr;
   nir_use *offset_src;
   bool is_store, is_shared;
   uint8_t value_B; /* of a component */
   /* Accesses that may become one have the same in these. */
   uint64_t kind, resource, base;
   nir_value *base_def; /* NULL: none */
   unsigned base_comp;
   int64_t offset_B; /* from the base, as 32 bits with a sign */
   uint32_t place;   /* of the instruction; set by the caller */
};

/* The memory that an access is into. */
enum nir_access_memory {
   NIR_ACCESS_BUFFERS = 1 << 0,
   NIR_ACCESS_SHARED = 1 << 1,
};

/* False if `intr` is no such access. nir_number_values() has been run. */
bool nir_access_describe(nir_intrinsic_instr *intr, struct nir_access *a);

/* Whether it may become part of another one: values of 32 or 64 bits, and
 * neither volatile nor coherent. */
bool nir_access_may_merge(const struct nir_access *a);

/* Whether it is into a uniform block that is known, at a constant offset:
 * back ends have better ways with it than messages. */
bool nir_access_is_fixed_uniform(const struct nir_access *a);

/* Whether one of 8 or 16 bits may become one of dwords. */
bool nir_access_may_widen(const struct nir_access *a);

/* Where an access begins in its dword, in bytes; false: that is not known. */
bool nir_access_phase(const struct nir_access *a, unsigned *phase_B);

/* Bytes that it takes, those of components that are not written too. */
unsigned nir_access_size_B(const struct nir_access *a);

/* An order in which those that may become one stand together. */
int nir_access_compare(const struct nir_access *x,
                       const struct nir_access *y);

/* Which memory what `intr` does may change, or wait for: a mask. */
unsigned nir_access_orders(const nir_intrinsic_instr *intr);

/* Whether one is into a storage buffer and the other into another one, which
 * info.buffers_are_apart says are not the same memory: their order does not
 * matter then. What counts on it sets info.wants_buffers_apart. */
bool nir_access_are_apart(const nir_shader *shader,
                          const struct nir_access *x,
                          const struct nir_access *y);

/* Whether bytes `from_B` to `end_B` from the base of `a` may lie on both
 * sides of 2^32, as offsets go: the first of them are beyond the memory then
 * and the last ones in it, and a message sees neither right. */
bool nir_access_may_wrap(const nir_shader *shader, const struct nir_access *a,
                         int64_t from_B, int64_t end_B);

/* The offset of byte `at_B` from the base. */
nir_value *nir_access_offset(nir_builder *b, const struct nir_access *a,
                             int64_t at_B);

/* A load like `a`, of `comps` values of `bits` bits at byte `at_B` from its
 * base; the caller sets the alignment if it is another. */
nir_intrinsic_instr *nir_access_build_load(nir_builder *b,
                                           const struct nir_access *a,
                                           int64_t at_B, unsigned comps,
                                           unsigned bits);

/* Runs `run` on each block, in which it may change instructions but not
 * control flow, and gives whether any was changed. Values are numbered. */
bool nir_access_run_blocks(nir_shader *shader,
                           bool (*run)(nir_builder *b, nir_block *block,
                                       void *data),
                           void *data);

/* Low bits of a component that are zero. */
unsigned nir_zero_low_bits(nir_value *def, unsigned comp);

/* The instruction of a value, if it is such an operation. */
nir_alu_instr *nir_alu_of(const nir_value *def, nir_op op);

#endif
