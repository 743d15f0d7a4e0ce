/* SPDX-License-Identifier: MIT */
/* Making instructions; their uses. */
#ifndef NIR_MAKE_H
#define NIR_MAKE_H

#include "ir/nir_instr.h"
#include "ir/nir_shader.h"

/* --- Making instructions ----------------------------------------------- */

nir_alu_instr *nir_new_alu(nir_shader *shader, nir_op op);
nir_deref_instr *nir_new_deref(nir_shader *shader, nir_deref_type deref_type);
nir_jump_instr *nir_new_jump(nir_shader *shader, nir_jump_type type);
/* Of an unstructured function: a goto_if, or a goto if `cond` is NULL. */
nir_jump_instr *nir_new_goto(nir_shader *shader, nir_value *cond,
                             nir_block *target, nir_block *else_target);
nir_load_const_instr *nir_new_load_const(nir_shader *shader,
                                         unsigned num_components,
                                         unsigned bit_size);
nir_intrinsic_instr *nir_new_intrinsic(nir_shader *shader,
                                       nir_intrinsic_op op);
nir_call_instr *nir_new_call(nir_shader *shader, nir_function *callee);
nir_tex_instr *nir_new_tex(nir_shader *shader, unsigned num_srcs);
nir_phi_instr *nir_new_phi(nir_shader *shader);
nir_instr *nir_new_undef(nir_shader *shader, unsigned num_components,
                         unsigned bit_size);
nir_if *nir_new_if(nir_shader *shader);
nir_loop *nir_new_loop(nir_shader *shader);
nir_block *nir_new_block(nir_shader *shader);

/* Says what the instruction computes: a vector of so many components of so
 * many bits. */
void nir_set_result(nir_instr *instr, unsigned num_components,
                    unsigned bit_size);

/* --- Uses -------------------------------------------------------------- */

/* An operand of `instr`, or the condition of `nif`, reads `value` from now
 * on; NULL: nothing. */
void nir_set_use(nir_instr *instr, nir_use *use, nir_value *value);
void nir_set_condition(nir_if *nif, nir_value *value);
/* What read `old` reads `value`; of the second, what comes after `last`,
 * which is not before the instruction that computes `old`. */
void nir_value_replace(nir_value *old, nir_value *value);
void nir_value_replace_after(nir_value *old, nir_value *value,
                             nir_instr *last);
/* What read the result of `instr` reads `value`, and `instr` is removed. */
void nir_instr_replace(nir_instr *instr, nir_value *value);

/* Calls on each use that the instruction is, or on the value that it computes
 * if it does. A callback that returns false ends the walk; false if one did.
 */
typedef bool (*nir_use_cb)(nir_use *use, void *state);
typedef bool (*nir_value_cb)(nir_value *value, void *state);
bool nir_visit_uses(nir_instr *instr, nir_use_cb cb, void *state);
bool nir_visit_value(nir_instr *instr, nir_value_cb cb, void *state);

#endif
