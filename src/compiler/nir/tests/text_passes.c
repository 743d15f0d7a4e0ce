/* SPDX-License-Identifier: MIT */
/* The passes that a case may name, each with its arguments. */
#include "text_passes.h"

#include "nir_private.h"

#define NO_ARGS(pass)                                                        \
   {                                                                         \
#pass, pass                                                            \
   }
#define MODES(pass, modes)                                                   \
   static bool run_##pass(nir_shader *s)                                     \
   {                                                                         \
      return pass(s, modes);                                                 \
   }

#define TEMPS (nir_var_function_temp | nir_var_shader_temp)
#define IN_OUT (nir_var_shader_in | nir_var_shader_out)

MODES(nir_lower_variable_initializers, nir_var_all)
MODES(nir_split_struct_vars, TEMPS)
MODES(nir_lower_indirect_components, nir_var_shader_out)
MODES(nir_lower_array_deref_of_vec, IN_OUT)
MODES(nir_lower_outside_accesses, IN_OUT)
MODES(nir_io_add_const_offset_to_base, IN_OUT)

/* What it mends is not valid, so that no text has it: each phi is replaced
 * by its first source before. */
static bool
run_nir_repair_ssa(nir_shader *s)
{
   nir_foreach_block(block, nir_entry_point(s)) {
      nir_foreach_phi_safe(phi, block) {
         nir_foreach_phi_source(src, phi) {
            nir_value_replace(&phi->instr.result, src->use.value);
            break;
         }
         nir_instr_remove(&phi->instr);
      }
   }
   return nir_repair_ssa(s);
}

static bool
run_nir_opt_if(nir_shader *s)
{
   return nir_opt_if(s, true);
}

static bool
run_nir_opt_peephole_select(nir_shader *s)
{
   return nir_opt_peephole_select(s, 2, true, false);
}

static bool
run_nir_structurize(nir_shader *s)
{
   return nir_structurize(s, 8);
}

static bool
run_nir_opt_gcm(nir_shader *s)
{
   return nir_opt_gcm(s, true);
}

static bool
run_nir_opt_demand_order(nir_shader *s)
{
   return nir_opt_demand_order(s, 3);
}

static bool
run_nir_opt_sink_inputs(nir_shader *s)
{
   return nir_opt_sink_inputs(s, 2);
}

static bool
run_nir_opt_interleave(nir_shader *s)
{
   return nir_opt_interleave(s, 2, true);
}

static bool
run_nir_opt_move(nir_shader *s)
{
   return nir_opt_move(s, nir_move_const_undef | nir_move_comparisons);
}

static bool
run_nir_opt_merge_loads_apart(nir_shader *s)
{
   s->info.buffers_are_apart = true;
   return nir_opt_merge_loads(s);
}

static bool
run_nir_opt_merge_memory_stores_apart(nir_shader *s)
{
   s->info.buffers_are_apart = true;
   return nir_opt_merge_memory_stores(s);
}

static bool
run_nir_flush_subnormals(nir_shader *s)
{
   s->info.float_controls_execution_mode =
      FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP16 |
      FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP32 |
      FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP64;
   return nir_flush_subnormals(s, 16 | 64);
}

/* Floats and halves; doubles are rounded to nearest. */
static bool
run_nir_round_toward_zero(nir_shader *s)
{
   s->info.float_controls_execution_mode =
      FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP16 |
      FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP32;
   return nir_round_toward_zero(s);
}

/* Of a shader that flushes. */
static bool
run_nir_opt_algebraic_flushing(nir_shader *s)
{
   s->info.float_controls_execution_mode =
      FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP32;
   return nir_opt_algebraic(s);
}

/* The same. */
static bool
run_nir_opt_loop_unroll_flushing(nir_shader *s)
{
   s->info.float_controls_execution_mode =
      FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP32;
   return nir_opt_loop_unroll(s);
}

static bool
run_nir_lower_alu_to_scalar(nir_shader *s)
{
   return nir_lower_alu_to_scalar(s, NULL, NULL);
}

static bool
run_nir_lower_phis_to_scalar(nir_shader *s)
{
   return nir_lower_phis_to_scalar(s, false);
}

static bool
run_nir_lower_flrp(nir_shader *s)
{
   return nir_lower_flrp(s, 32, false);
}

static bool
run_nir_guard_doubles(nir_shader *s)
{
   return nir_guard_doubles(s, s->options->lower_doubles_options);
}

static bool
run_nir_lower_doubles(nir_shader *s)
{
   return nir_lower_doubles(s, NULL, s->options->lower_doubles_options);
}

/* As wide as what it compares, if it compares. */
static unsigned
in_32_bits(const nir_instr *instr, void *data)
{
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   const unsigned bits =
      MAX2(alu->instr.result.bit_size, alu->src[0].use.value->bit_size);
   return bits == 8 || bits == 16 ? 32 : 0;
}

static bool
run_nir_lower_bit_size(nir_shader *s)
{
   return nir_lower_bit_size(s, in_32_bits, NULL);
}

static bool
run_nir_isolate_phis(nir_shader *s)
{
   return nir_isolate_phis(s, true);
}

/* Of intrinsics none gives the same value to all channels. */
static bool
none_is_uniform(const nir_intrinsic_instr *intr, const void *data)
{
   (void)intr;
   (void)data;
   return false;
}

/* Where it is known which values are the same in all channels. */
static bool
run_nir_isolate_phis_divergence(nir_shader *s)
{
   nir_find_divergence(nir_entry_point(s), none_is_uniform, NULL);
   return nir_isolate_phis(s, true);
}

static bool
run_nir_opt_constant_arrays(nir_shader *s)
{
   return nir_opt_constant_arrays(s, 16);
}

static bool
run_nir_lower_vars_to_scratch(nir_shader *s)
{
   return nir_lower_vars_to_scratch(s, 16);
}

static bool
run_nir_lower_indirect_derefs(nir_shader *s)
{
   return nir_lower_indirect_derefs(s, nir_var_function_temp, 4);
}

static bool
run_nir_remove_dead_variables(nir_shader *s)
{
   return nir_remove_dead_variables(s, nir_var_all, NULL);
}

static int
slots(const struct glsl_type *type, bool bindless)
{
   return (int)glsl_count_attribute_slots(type, false);
}

static bool
run_nir_lower_io(nir_shader *s)
{
   return nir_lower_io(s, IN_OUT, slots, 0);
}

static bool
run_nir_opt_branch_selects(nir_shader *s)
{
   return nir_opt_branch_selects(s, 60);
}

static bool
run_nir_lower_explicit_io(nir_shader *s)
{
   return nir_lower_explicit_io(s, nir_var_mem_ubo | nir_var_mem_ssbo,
                                nir_address_format_32bit_index_offset);
}

static bool
run_nir_lower_vars_to_explicit_types(nir_shader *s)
{
   return nir_lower_vars_to_explicit_types(s, nir_var_mem_shared,
                                           glsl_get_natural_size_align_bytes);
}

static bool
run_nir_lower_io_to_temporaries(nir_shader *s)
{
   return nir_lower_io_to_temporaries(s, nir_entry_point(s), true, false);
}

#define ARGS(pass)                                                           \
   {                                                                         \
#pass, run_##pass                                                      \
   }
const struct text_pass text_passes[] = {
   NO_ARGS(nir_opt_constant_folding),
   NO_ARGS(nir_copy_prop),
   NO_ARGS(nir_opt_cse),
   NO_ARGS(nir_opt_dce),
   NO_ARGS(nir_opt_fuse_constants),
   NO_ARGS(nir_opt_merge_factors),
   NO_ARGS(nir_opt_dead_cf),
   NO_ARGS(nir_opt_remove_phis),
   ARGS(nir_opt_if),
   NO_ARGS(nir_opt_trivial_continues),
   NO_ARGS(nir_opt_conditional_discard),
   ARGS(nir_opt_peephole_select),
   ARGS(nir_opt_branch_selects),
   ARGS(nir_structurize),
   NO_ARGS(nir_opt_loop_unroll),
   NO_ARGS(nir_opt_update_last),
   { "nir_opt_loop_unroll_flushing", run_nir_opt_loop_unroll_flushing },
   NO_ARGS(nir_opt_idiv_const),
   ARGS(nir_opt_gcm),
   NO_ARGS(nir_opt_undef),
   NO_ARGS(nir_opt_linear_offsets),
   NO_ARGS(nir_opt_merge_loads),
   NO_ARGS(nir_opt_merge_memory_stores),
   { "nir_opt_merge_loads_apart", run_nir_opt_merge_loads_apart },
   { "nir_opt_merge_memory_stores_apart",
     run_nir_opt_merge_memory_stores_apart },
   NO_ARGS(nir_opt_widen_loads),
   NO_ARGS(nir_opt_merge_stores),
   NO_ARGS(nir_opt_reroll_io),
   NO_ARGS(nir_propagate_invariant),
   NO_ARGS(nir_opt_algebraic),
   NO_ARGS(nir_opt_algebraic_late),
   NO_ARGS(nir_opt_restore_builtins),
   { "nir_opt_algebraic_flushing", run_nir_opt_algebraic_flushing },
   ARGS(nir_opt_move),
   NO_ARGS(nir_opt_repeat_signs),
   ARGS(nir_opt_interleave),
   ARGS(nir_opt_demand_order),
   ARGS(nir_opt_sink_inputs),
   ARGS(nir_lower_alu_to_scalar),
   ARGS(nir_lower_phis_to_scalar),
   NO_ARGS(nir_lower_load_const_to_scalar),
   NO_ARGS(nir_lower_undef_to_zero),
   NO_ARGS(nir_lower_bool_to_int32),
   ARGS(nir_lower_flrp),
   NO_ARGS(nir_lower_int64),
   ARGS(nir_guard_doubles),
   ARGS(nir_lower_doubles),
   NO_ARGS(nir_lower_pack),
   NO_ARGS(nir_lower_frexp),
   NO_ARGS(nir_lower_tg4_offsets),
   NO_ARGS(nir_lower_rare_alu),
   ARGS(nir_flush_subnormals),
   ARGS(nir_round_toward_zero),
   ARGS(nir_lower_bit_size),
   ARGS(nir_isolate_phis),
   { "nir_isolate_phis_divergence", run_nir_isolate_phis_divergence },
   NO_ARGS(nir_flatten_local_arrays),
   ARGS(nir_repair_ssa),
   NO_ARGS(nir_inline_functions),
   NO_ARGS(nir_lower_returns),
   ARGS(nir_lower_variable_initializers),
   NO_ARGS(nir_lower_vars_to_ssa),
   NO_ARGS(nir_split_var_copies),
   NO_ARGS(nir_lower_var_copies),
   ARGS(nir_split_struct_vars),
   ARGS(nir_lower_indirect_derefs),
   ARGS(nir_lower_vars_to_scratch),
   ARGS(nir_opt_constant_arrays),
   NO_ARGS(nir_opt_copy_prop_vars),
   NO_ARGS(nir_opt_dead_write_vars),
   NO_ARGS(nir_opt_deref),
   NO_ARGS(nir_lower_global_vars_to_local),
   ARGS(nir_remove_dead_variables),
   NO_ARGS(nir_remove_dead_derefs),
   ARGS(nir_lower_io),
   ARGS(nir_lower_explicit_io),
   ARGS(nir_lower_vars_to_explicit_types),
   ARGS(nir_lower_indirect_components),
   ARGS(nir_lower_io_to_temporaries),
   NO_ARGS(nir_lower_system_values),
   NO_ARGS(nir_lower_clip_cull_distance_arrays),
   ARGS(nir_lower_array_deref_of_vec),
   ARGS(nir_lower_outside_accesses),
   ARGS(nir_io_add_const_offset_to_base),
   { NULL, NULL },
};
