/* SPDX-License-Identifier: MIT */
/* Making instructions; their uses. */
#ifndef NIR_MAKE_H
#define NIR_MAKE_H

#include "ir/nir_instr.h"
#include "ir/nir_shader.h"

/* --- Making instructions ----------------------------------------------- */

nir_alu_instr *nir_alu_instr_create(nir_shader *shader, nir_op op);
nir_deref_instr *nir_deref_instr_create(nir_shader *shader,
                                        nir_deref_type deref_type);
nir_jump_instr *nir_jump_instr_create(nir_shader *shader, nir_jump_type type);
/* Of an unstructured function: a goto_if, or a goto if `cond` is NULL. */
nir_jump_instr *nir_goto_instr_create(nir_shader *shader, nir_ssa_def *cond,
                                      nir_block *target,
                                      nir_block *else_target);
nir_load_const_instr *nir_load_const_instr_create(nir_shader *shader,
                                                  unsigned num_components,
                                                  unsigned bit_size);
nir_intrinsic_instr *nir_intrinsic_instr_create(nir_shader *shader,
                                                nir_intrinsic_op op);
nir_call_instr *nir_call_instr_create(nir_shader *shader,
                                      nir_function *callee);
nir_tex_instr *nir_tex_instr_create(nir_shader *shader, unsigned num_srcs);
nir_phi_instr *nir_phi_instr_create(nir_shader *shader);
nir_ssa_undef_instr *nir_ssa_undef_instr_create(nir_shader *shader,
                                                unsigned num_components,
                                                unsigned bit_size);
nir_if *nir_if_create(nir_shader *shader);
nir_loop *nir_loop_create(nir_shader *shader);
nir_block *nir_block_create(nir_shader *shader);

void nir_ssa_def_init(nir_instr *instr, nir_ssa_def *def,
                      unsigned num_components, unsigned bit_size);
/* `name` is dropped: dumps do not print it. */
void nir_ssa_dest_init(nir_instr *instr, nir_dest *dest,
                       unsigned num_components, unsigned bit_size,
                       const char *name);

/* --- Uses -------------------------------------------------------------- */

void nir_ssa_def_rewrite_uses(nir_ssa_def *def, nir_ssa_def *new_ssa);
/* All uses but `after_me` and those before it in its block. */
void nir_ssa_def_rewrite_uses_after(nir_ssa_def *def, nir_ssa_def *new_ssa,
                                    nir_instr *after_me);
void nir_instr_rewrite_src(nir_instr *instr, nir_src *src, nir_src new_src);
static inline void
nir_instr_rewrite_src_ssa(nir_instr *instr, nir_src *src,
                          nir_ssa_def *new_ssa)
{
   nir_instr_rewrite_src(instr, src, nir_src_for_ssa(new_ssa));
}
void nir_instr_move_src(nir_instr *dest_instr, nir_src *dest, nir_src *src);
void nir_if_rewrite_condition(nir_if *nif, nir_src new_src);

typedef bool (*nir_foreach_ssa_def_cb)(nir_ssa_def *def, void *state);
typedef bool (*nir_foreach_dest_cb)(nir_dest *dest, void *state);
typedef bool (*nir_foreach_src_cb)(nir_src *src, void *state);
/* A callback that returns false ends the walk; so does the function. */
bool nir_foreach_ssa_def(nir_instr *instr, nir_foreach_ssa_def_cb cb,
                         void *state);
bool nir_foreach_dest(nir_instr *instr, nir_foreach_dest_cb cb, void *state);
bool nir_foreach_src(nir_instr *instr, nir_foreach_src_cb cb, void *state);
/* The value that the instruction defines; NULL if it defines none. */
nir_ssa_def *nir_instr_ssa_def(nir_instr *instr);

#endif
