/* SPDX-License-Identifier: MIT */
/*
 * The passes. Each returns whether it changed the shader
 * and says in the head of its file what must hold before and after.
 */
#ifndef NIR_PASSES_H
#define NIR_PASSES_H

#include "ir/nir_pass.h"

/* --- Optimisation ------------------------------------------------------- */

bool nir_opt_constant_folding(nir_shader *shader);
bool nir_opt_remove_phis(nir_shader *shader);
bool nir_opt_dead_cf(nir_shader *shader);
bool nir_copy_prop(nir_shader *shader);
bool nir_opt_dce(nir_shader *shader);
bool nir_opt_cse(nir_shader *shader);
bool nir_opt_if(nir_shader *shader, bool aggressive_last_continue);
bool nir_opt_trivial_continues(nir_shader *shader);
/* Ifs around a discard, demote or terminate become its condition. */
bool nir_opt_conditional_discard(nir_shader *shader);
/* Turns ifs whose sides cost at most `limit` ALU instructions into bcsel;
 * 0 takes only sides without any. `indirect_load_ok`: loads that may be
 * executed unconditionally count as well. */
bool nir_opt_peephole_select(nir_shader *shader, unsigned limit,
                             bool indirect_load_ok, bool expensive_alu_ok);
/* Selects with an arm that costs `limit` cycles of a full execution unit or
 * more, for eight invocations, become ifs. */
bool nir_opt_branch_selects(nir_shader *shader, unsigned limit);
bool nir_opt_loop_unroll(nir_shader *shader);
/* What a loop has next is computed after the last use of what it has now. */
bool nir_opt_update_last(nir_shader *shader);
/* 32-bit divisions by constants become products and shifts. */
bool nir_opt_idiv_const(nir_shader *shader);
/* Global code motion: out of loops, towards the uses, no duplication. */
bool nir_opt_gcm(nir_shader *shader, bool value_number);
bool nir_opt_undef(nir_shader *shader);
/* Offsets into memory: a base that accesses share, and a constant. */
bool nir_opt_linear_offsets(nir_shader *shader);
/* Loads and stores of neighbouring values of buffers and shared memory become
 * those of vectors. */
bool nir_opt_merge_loads(nir_shader *shader);
bool nir_opt_merge_memory_stores(nir_shader *shader);
/* Loads of 8 and 16 bits become those of the dwords that they lie in. */
bool nir_opt_widen_loads(nir_shader *shader);
/* Stores of components of an output slot become one, where others see them:
 * in tessellation control shaders. */
bool nir_opt_merge_stores(nir_shader *shader);
/* Indexed inputs and outputs of vertices out of if-chains of ifs. */
bool nir_opt_reroll_io(nir_shader *shader);
/* Exact is what invariant outputs are made of. */
bool nir_propagate_invariant(nir_shader *shader);

struct nir_optimize_options {
   unsigned select_limit;     /* of nir_opt_peephole_select */
   unsigned lower_flrp_bits;  /* 16 | 32 | 64 */
   bool all_phis_to_scalar;   /* also where a source is no scalar operation */
   bool keep_vector_phis;     /* none of them */
   bool undo_dispatch;        /* if nothing is longer then */
   nir_wants_instr scalarize; /* operations that are; NULL: all */
};
/* All of these that need no late form, until they come to rest. */
void nir_optimize(nir_shader *nir,
                  const struct nir_optimize_options *options);
bool nir_opt_algebraic(nir_shader *shader);
/* After nir_opt_algebraic has come to rest: fuses and lowers. */
bool nir_opt_algebraic_late(nir_shader *shader);
bool nir_opt_restore_builtins(nir_shader *shader);
/* x * 2.0 + 1.0, where enough want the same constants. */
bool nir_opt_fuse_constants(nir_shader *shader);
bool nir_opt_merge_factors(nir_shader *shader);
typedef enum {
   nir_move_const_undef = 1 << 0,
   nir_move_comparisons = 1 << 1,
} nir_move_options;
bool nir_opt_move(nir_shader *shader, nir_move_options options);
/* Blocks have magnitudes and negated numbers of their own. */
bool nir_opt_repeat_signs(nir_shader *shader);
/* Blocks whose own values take more than `limit` dwords at once. */
bool nir_opt_demand_order(nir_shader *shader, unsigned limit);
bool nir_opt_sink_inputs(nir_shader *shader, unsigned limit_dw);
/* Up to `group` chains of instructions take turns, in blocks that are hardly
 * ever executed and have no divergent values, or everywhere. */
bool nir_opt_interleave(nir_shader *shader, unsigned group, bool everywhere);

/* --- Control flow ------------------------------------------------------- */

/* Functions with gotos get ifs and loops. Before: SSA form, no registers.
 * Where a loop has several entries, up to `max_copies` blocks are copied,
 * beyond that a variable says where to enter: docs/structurizer.rst. */
bool nir_structurize(nir_shader *shader, unsigned max_copies);

/* The shader with what loops that only choose by a state what to do next run
 * in place of them, to be destroyed before the shader; NULL: there are none.
 * docs/structurizer.rst. */
nir_shader *nir_undo_dispatch(const nir_shader *shader);

/* --- Lowering: ALU ------------------------------------------------------ */

/* `filter` NULL: all. */
bool nir_lower_alu_to_scalar(nir_shader *shader, nir_wants_instr filter,
                             const void *data);
bool nir_lower_phis_to_scalar(nir_shader *shader, bool lower_all);
bool nir_lower_load_const_to_scalar(nir_shader *shader);
/* Undefined values that are used become zero. */
bool nir_lower_undef_to_zero(nir_shader *shader);
/* 1-bit booleans become 32-bit, NIR_TRUE or 0. */
bool nir_lower_bool_to_int32(nir_shader *shader);
bool nir_lower_flrp(nir_shader *shader, unsigned lowering_mask_bits,
                    bool always_precise);
/* By options->lower_int64_options. */
bool nir_lower_int64(nir_shader *shader);
/* `softfp64` must be NULL; see design notes in nir_lower_doubles.c. */
bool nir_lower_doubles(nir_shader *shader, const nir_shader *softfp64,
                       nir_lower_doubles_options options);
/* Short forms of those of drcp, ddiv, dsqrt, drsq, dmod that the options
 * name, where the operands allow. A part of nir_lower_doubles() with dguard.
 */
bool nir_guard_doubles(nir_shader *shader, nir_lower_doubles_options options);
/* What nir_intrinsic_call_routine calls for `op`; NULL: nothing does. */
nir_function *nir_find_routine(const nir_shader *shader, nir_op op);
bool nir_lower_pack(nir_shader *shader);
bool nir_lower_frexp(nir_shader *shader);
/* One gather for each texel where each has an offset of its own. */
bool nir_lower_tg4_offsets(nir_shader *shader);
bool nir_lower_rare_alu(nir_shader *shader);
/* By the float controls of the shader; before nir_flush_subnormals(). */
bool nir_round_toward_zero(nir_shader *shader);
/* By the float controls of the shader, of floats of `sizes` (16 | 32 | 64):
 * for those that the hardware is not told to flush. */
bool nir_flush_subnormals(nir_shader *shader, unsigned sizes);
typedef unsigned (*nir_lower_bit_size_callback)(const nir_instr *instr,
                                                void *data);
/* ALU instructions for which the callback gives a size other than 0 are
 * done in that size. */
bool nir_lower_bit_size(nir_shader *shader,
                        nir_lower_bit_size_callback callback, void *data);

/* --- Analysis ----------------------------------------------------------- */

/* Whether what an intrinsic gives is the same in all channels if its sources
 * are. */
typedef bool (*nir_uniform_intrinsic_cb)(const nir_intrinsic_instr *intr,
                                         const void *data);
/* Sets `divergent` of values and loops. It is not kept up to date: values
 * that are made later are divergent. */
void nir_find_divergence(nir_function_impl *impl,
                         nir_uniform_intrinsic_cb uniform, const void *data);

/* --- Leaving SSA -------------------------------------------------------- */

/* Conventional SSA: the values of a phi web are never live at once
 * (ssa/nir_phi_webs.h). With `coalesce` values that need no copy to share the
 * web's register do; without it each phi and its sources are copies. */
bool nir_isolate_phis(nir_shader *shader, bool coalesce);
bool nir_repair_ssa(nir_shader *shader);
bool nir_repair_ssa_impl(nir_function_impl *impl);

/* --- Variables and I/O -------------------------------------------------- */

/* Local arrays of any shape become arrays of vectors, each access one at a
 * 32-bit index within them. */
bool nir_flatten_local_arrays(nir_shader *shader);

/* Local arrays of more than `threshold_B` bytes with a dynamic index become
 * load_scratch and store_scratch at byte offsets below
 * nir_shader::scratch_size. Arrays of constants stay, within limits. */
bool nir_lower_vars_to_scratch(nir_shader *shader, unsigned threshold_B);
/* Those of constants that have `min_B` bytes or more become load_constant at
 * byte offsets into nir_shader::constant_data. */
bool nir_opt_constant_arrays(nir_shader *shader, unsigned min_B);

bool nir_inline_functions(nir_shader *shader);
bool nir_lower_returns(nir_shader *shader);
bool nir_lower_returns_impl(nir_function_impl *impl);
bool nir_lower_variable_initializers(nir_shader *shader,
                                     nir_variable_mode modes);
bool nir_lower_vars_to_ssa(nir_shader *shader);
bool nir_split_var_copies(nir_shader *shader);
bool nir_lower_var_copies(nir_shader *shader);
bool nir_split_struct_vars(nir_shader *shader, nir_variable_mode modes);
/* Constant indices that their arrays do not have. */
bool nir_lower_outside_accesses(nir_shader *shader, nir_variable_mode modes);
/* Arrays longer than `max_lower_array_len` keep their indirect access. */
bool nir_lower_indirect_derefs(nir_shader *shader, nir_variable_mode modes,
                               uint32_t max_lower_array_len);
/* Constant stores and loads of whole variables and elements. */
bool nir_opt_copy_prop_vars(nir_shader *shader);
bool nir_opt_dead_write_vars(nir_shader *shader);
bool nir_opt_deref(nir_shader *shader);
bool nir_lower_global_vars_to_local(nir_shader *shader);
typedef struct nir_remove_dead_variables_options {
   void *can_remove_var_data; /* for the function */
   bool (*can_remove_var)(nir_variable *var, void *data);
} nir_remove_dead_variables_options;
bool
nir_remove_dead_variables(nir_shader *shader, nir_variable_mode modes,
                          const nir_remove_dead_variables_options *options);
bool nir_remove_dead_derefs(nir_shader *shader);

typedef enum {
   /* 64-bit components become pairs of 32-bit ones. */
   nir_lower_io_lower_64bit_to_32 = 1 << 0,
   /* Flat inputs and all else alike through load_interpolated_input. */
   nir_lower_io_force_sample_interpolation = 1 << 1,
   nir_lower_io_lower_64bit_float_to_32 = 1 << 2,
} nir_lower_io_options;
bool nir_lower_io(nir_shader *shader, nir_variable_mode modes,
                  int (*type_size)(const struct glsl_type *type,
                                   bool bindless),
                  nir_lower_io_options options);
/* The variable form of `address`: an index and a byte offset. */
typedef enum {
   nir_address_format_32bit_index_offset,
   nir_address_format_32bit_offset,
   nir_address_format_64bit_global,
   nir_address_format_32bit_global,
   nir_address_format_logical,
} nir_address_format;
bool nir_lower_explicit_io(nir_shader *shader, nir_variable_mode modes,
                           nir_address_format format);
bool nir_lower_vars_to_explicit_types(nir_shader *shader,
                                      nir_variable_mode modes,
                                      glsl_type_size_align_func type_info);
/* Only dynamic indices into compact arrays, and those that choose the
 * component of a vector to write. */
bool nir_lower_indirect_components(nir_shader *shader,
                                   nir_variable_mode modes);
bool nir_lower_io_to_temporaries(nir_shader *shader,
                                 nir_function_impl *entrypoint, bool outputs,
                                 bool inputs);
bool nir_lower_system_values(nir_shader *shader);
bool nir_lower_clip_cull_distance_arrays(nir_shader *shader);
bool nir_lower_array_deref_of_vec(nir_shader *shader,
                                  nir_variable_mode modes);
bool nir_io_add_const_offset_to_base(nir_shader *shader,
                                     nir_variable_mode modes);

#endif
