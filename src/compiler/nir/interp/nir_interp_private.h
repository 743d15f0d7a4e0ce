/* SPDX-License-Identifier: MIT */
/* The state of the interpreter, shared by its files. */
#ifndef NIR_INTERP_PRIVATE_H
#define NIR_INTERP_PRIVATE_H

#include "nir_interp.h"
#include "util/hash_table.h"

#define MAX_LANES NIR_INTERP_MAX_LANES
#define FOREACH_LANE(lane, mask)                                             \
   for (uint64_t mask##_left = (mask); mask##_left;)                         \
      for (unsigned lane = (unsigned)u_bit_scan64(&mask##_left), once_ = 1;  \
           once_; once_ = 0)

struct nir_interp {
   nir_shader *shader;
   nir_function_impl *impl;
   struct nir_interp_params *params;
   struct arena *arena;
   const char *error; /* not NULL: everything unwinds */
   unsigned lanes;
   uint64_t alive;             /* not returned, halted or terminated */
   uint64_t killed;            /* demoted ones go on as helpers */
   uint64_t broken, continued; /* in the innermost loop */
   uint64_t steps;

   /* values[offsets[def->index] + lane * components + component] */
   uint32_t *offsets;
   nir_const_value *values;
   char *scratch;          /* of all lanes; NULL: not used yet */
   struct hash_table vars; /* nir_variable -> nir_const_value[], temps */
   const nir_block *prev[MAX_LANES];
};

/* Components of a value in a lane. */
static inline nir_const_value *
interp_def(struct nir_interp *s, const nir_value *def, unsigned lane)
{
   return s->values + s->offsets[def->index] + lane * def->num_components;
}

void interp_fail(struct nir_interp *s, const char *fmt, ...) PRINTFLIKE(2, 3);
const nir_const_value *interp_src(struct nir_interp *s, const nir_use *src,
                                  unsigned lane);
/* Where a destination of the lane is written. */
nir_const_value *interp_dest(struct nir_interp *s, const nir_value *dest,
                             unsigned lane);
void interp_deref(struct nir_interp *s, nir_deref_instr *d, uint64_t mask);
void interp_intrinsic(struct nir_interp *s, nir_intrinsic_instr *intr,
                      uint64_t mask);
/* Whether it is one of subgroups. */
bool interp_subgroup(struct nir_interp *s, nir_intrinsic_instr *intr,
                     uint64_t mask);
void interp_tex(struct nir_interp *s, nir_tex_instr *tex, uint64_t mask);

/* ---- variables: nir_interp_variables.c, nir_interp_memory.c ---- */

#define INTERP_TEMP_MODES (nir_var_shader_temp | nir_var_function_temp)
#define INTERP_IO_MODES (nir_var_shader_in | nir_var_shader_out)
/* Where the vertex is in the value of a deref. */
#define INTERP_VERTEX_SHIFT 56

/* Components of a type, and those before a member. */
unsigned interp_type_cells(const struct glsl_type *t);
unsigned interp_member_cells(const struct glsl_type *t, unsigned index);
/* The lane's components of a temporary. */
nir_const_value *interp_temp_cells(struct nir_interp *s,
                                   const nir_variable *var, unsigned lane);
/* Slots of a lane and vertex; NULL: there are none. */
uint32_t *interp_input_dwords(struct nir_interp *s, unsigned lane,
                              unsigned vertex);
uint32_t *interp_output_dwords(struct nir_interp *s, unsigned lane,
                               unsigned vertex);
/* The vertex of an output that a deref's value names. */
unsigned interp_output_vertex(const struct nir_interp *s,
                              const nir_variable *var, uint64_t at);
/* From dword `at` of such slots on; fail if they are not there. */
void interp_read_dwords(struct nir_interp *s, const uint32_t *dw, uint64_t at,
                        unsigned n, unsigned bits, nir_const_value *out);
void interp_write_dwords(struct nir_interp *s, uint32_t *dw, uint64_t at,
                         unsigned n, unsigned mask, unsigned bits,
                         const nir_const_value *v);

/* nir_interp_copy.c */
void interp_copy_deref(struct nir_interp *s, nir_intrinsic_instr *intr,
                       unsigned lane);

#endif
