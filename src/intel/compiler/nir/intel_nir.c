/* SPDX-License-Identifier: MIT */
/*
 * NIR's way to the back end, in one place: what is lowered for the EU, and
 * the order of the passes.
 *
 *    intel_preprocess_nir   after the front end: variables become values
 *    (the driver lowers resources)
 *    intel_lower_io_nir     inputs and outputs
 *    intel_postprocess_nir  what only the back end wants; leaves SSA
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/fs/from_nir/fs_nir.h"
#include "intel/compiler/intel_compiler_private.h"
#include "intel/compiler/vec4/vec4_compile.h"
#include "intel/isa/isa_messages.h"

/* Local arrays of more bytes live in memory if they have a dynamic index, of
 * up to twice as many if that is cheaper; others in registers, half of them
 * at most, behind a search of ifs. */
#define MAX_INDIRECT_B 128

/* Arrays of constants of so many bytes are read from memory, by one message:
 * smaller ones are searched by few selects or ifs. */
#define MIN_CONSTANT_DATA_B 64

/* Loops are unrolled for the sake of arrays of up to so many bytes, which are
 * in registers; of larger ones where no dynamic index is left then. */
#define MAX_UNROLLED_B MAX_INDIRECT_B

/* Values of a block beyond which registers may not suffice in SIMD8; with
 * its constants and what else it has for longer. */
#define MAX_BLOCK_DWORDS 64
/* Conditions that the EU has a flag for: f0.0, f0.1, f1.0, f1.1. */
#define FLAGS 4

/* In each direction, as the walker counts them and the driver says. */
#define MAX_WORKGROUPS 65535

/* An arm of a select that keeps the EU busy for so long is left out where
 * nobody wants it: an if and its end cost about a third of that. */
#define BRANCH_CYCLES 60

#define OPT(pass, ...) NIR_PASS(progress, nir, pass, ##__VA_ARGS__)
/* Where it does not matter whether there was anything to do. */
#define RUN(pass, ...)                                                       \
   do {                                                                      \
      bool ignored_ = false;                                                 \
      NIR_PASS(ignored_, nir, pass, ##__VA_ARGS__);                          \
      (void)ignored_;                                                        \
   } while (0)

/* The EU has no 64-bit multiplication, division, bit counting, ...; see
 * fs_nir_alu.c for what is done natively. */
static const nir_lower_int64_options int64_options =
   nir_lower_imul64 | nir_lower_isign64 | nir_lower_divmod64 |
   nir_lower_imul_high64 | nir_lower_extract64 | nir_lower_ufind_msb64 |
   nir_lower_bit_count64 | nir_lower_find_lsb64;

/* Without 64-bit integers in the EU (before Gen8). */
static const nir_lower_int64_options all_int64_options =
   nir_lower_imul64 | nir_lower_isign64 | nir_lower_divmod64 |
   nir_lower_imul_high64 | nir_lower_extract64 | nir_lower_ufind_msb64 |
   nir_lower_bit_count64 | nir_lower_find_lsb64 | nir_lower_icmp64 |
   nir_lower_iadd64 | nir_lower_iabs64 | nir_lower_ineg64 |
   nir_lower_logic64 | nir_lower_minmax64 | nir_lower_shift64 |
   nir_lower_imul_2x32_64 | nir_lower_conv64;

/* DF has MOV, ADD, MUL, MAD, CMP and SEL (eu-fp64: capability matrix). */
static const nir_lower_doubles_options double_options =
   nir_lower_drcp | nir_lower_dsqrt | nir_lower_drsq | nir_lower_dtrunc |
   nir_lower_dfloor | nir_lower_dceil | nir_lower_dfract |
   nir_lower_dround_even | nir_lower_dmod | nir_lower_dsub | nir_lower_ddiv |
   nir_lower_dfrexp | nir_lower_dldexp | nir_lower_dflrp | nir_lower_d2half |
   nir_lower_dguard;

void
intel_init_nir_options(struct intel_compiler *compiler)
{
   compiler->nir_options = (nir_shader_compiler_options) {
      .lower_fdiv = true,
      .lower_flrp16 = true,
      .lower_flrp64 = true,
      .fuse_ffma32 = true,
      .fuse_ffma64 = true,
      .lower_fmod = true,
      .lower_isign = true,
      .lower_scmp = true,
      .lower_bitfield_extract = true,
      .lower_bitfield_insert_to_shifts = true,
      .lower_uadd_carry = true,
      .lower_usub_borrow = true,
      .lower_uadd_sat = true,
      .lower_usub_sat = true,
      .lower_ldexp = true,
      .lower_fdph = true,
      .lower_rotate = true,
      .lower_hadd = true,
      .lower_pack_half_2x16 = true,
      .lower_unpack_half_2x16 = true,
      .lower_pack_unorm_2x16 = true,
      .lower_pack_snorm_2x16 = true,
      .lower_pack_unorm_4x8 = true,
      .lower_pack_snorm_4x8 = true,
      .lower_unpack_unorm_2x16 = true,
      .lower_unpack_snorm_2x16 = true,
      .lower_unpack_unorm_4x8 = true,
      .lower_unpack_snorm_4x8 = true,
      .lower_insert_byte = true,
      .lower_insert_word = true,
      .vertex_id_zero_based = true,
      .force_indirect_unrolling = nir_var_function_temp,
      .force_indirect_unrolling_max_B = MAX_UNROLLED_B,
      .max_workgroups = MAX_WORKGROUPS,
      .lower_int64_options =
         compiler->devinfo->has_64bit_int ? int64_options : all_int64_options,
      .lower_doubles_options = double_options,
   };
}

const struct nir_shader_compiler_options *
intel_compiler_nir_options(const struct intel_compiler *compiler)
{
   return &compiler->nir_options;
}

/* Moves, whatever the opcode says its operands are. */
static bool
only_moves(nir_op op)
{
   return op == nir_op_mov || op == nir_op_bcsel ||
          op == nir_op_pack_64_2x32_split ||
          op == nir_op_unpack_64_2x32_split_x ||
          op == nir_op_unpack_64_2x32_split_y;
}

/* Opcodes that the vector back end has no vectors of: 64-bit integers, what
 * is narrower than 32 bits. */
static bool
wants_scalars(const nir_instr *instr, const void *data)
{
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
   const nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned bits = alu->instr.result.bit_size;

   if (vec4_is_reduction(alu))
      return false;
   if (bits == 8 || bits == 16 || info->output.size ||
       alu->instr.result.num_components > 4)
      return true;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const unsigned size = alu->src[i].use.value->bit_size;
      const bool integer = nir_type_base(info->input[i].type) !=
                           nir_type_float;
      if (size == 8 || size == 16 ||
          alu->src[i].use.value->num_components > 4 ||
          (size == 64 && integer && !only_moves(alu->op)))
         return true;
   }
   return bits == 64 && nir_type_base(info->output.type) != nir_type_float &&
          !only_moves(alu->op);
}

static nir_wants_instr
scalar_filter(const struct intel_compiler *compiler, const nir_shader *nir)
{
   return intel_uses_vec4(compiler, nir->info.stage) ? wants_scalars : NULL;
}

static struct nir_optimize_options
optimize_options(const struct intel_compiler *compiler, const nir_shader *nir)
{
   /* Selects cost two instructions; doubles take twice as many. */
   return (struct nir_optimize_options) {
      .select_limit = 8,
      .lower_flrp_bits = 16 | 64,
      .keep_vector_phis = intel_uses_vec4(compiler, nir->info.stage),
      .scalarize = scalar_filter(compiler, nir),
   };
}

void
intel_optimize_nir(const struct intel_compiler *compiler, nir_shader *nir)
{
   const struct nir_optimize_options options =
      optimize_options(compiler, nir);

   nir_optimize(nir, &options);
}

/* Inputs and outputs that cannot be indexed at run time: those that are in
 * registers. Outputs of all but TCS are copies of temporaries. */
static nir_variable_mode
direct_modes(const nir_shader *nir)
{
   switch (nir->info.stage) {
   case MESA_SHADER_TESS_CTRL: return nir_var_function_temp;
   case MESA_SHADER_TESS_EVAL:
   case MESA_SHADER_GEOMETRY:
      return nir_var_shader_out | nir_var_function_temp;
   default:
      return nir_var_shader_in | nir_var_shader_out | nir_var_function_temp;
   }
}

/* The vector back end has no calls. */
static void
lower_doubles(const struct intel_compiler *compiler, nir_shader *nir)
{
   const nir_lower_doubles_options calls =
      intel_uses_vec4(compiler, nir->info.stage) ? 0 : nir_lower_dcalls;

   RUN(nir_lower_doubles, NULL, nir->options->lower_doubles_options | calls);
}

/* Conversions of integers come by way of doubles, and may have to be lowered
 * themselves. */
static void
lower_int64(const struct intel_compiler *compiler, nir_shader *nir)
{
   RUN(nir_lower_int64);
   lower_doubles(compiler, nir);
}

unsigned
intel_least_cs_width(const struct intel_device_info *devinfo,
                     const nir_shader *nir)
{
   const uint16_t *size = nir->info.workgroup_size;
   const unsigned invocations = MAX2(1, size[0]) * MAX2(1, size[1]) *
                                MAX2(1, size[2]);
   unsigned width = 8;

   while (width < 32 &&
          DIV_ROUND_UP(invocations, width) > devinfo->max_cs_threads)
      width *= 2;
   return width;
}

/* Larger arrays with dynamic indices are memory: a value has a register for
 * eight channels. */
static unsigned
max_indirect_B(const struct intel_compiler *compiler, const nir_shader *nir)
{
   if (nir->info.stage != MESA_SHADER_COMPUTE)
      return MAX_INDIRECT_B;
   return MAX_INDIRECT_B * 8 / intel_least_cs_width(compiler->devinfo, nir);
}

void
intel_preprocess_nir(const struct intel_compiler *compiler, nir_shader *nir)
{
   struct nir_optimize_options options = optimize_options(compiler, nir);
   bool progress = false;

   RUN(nir_lower_variable_initializers, nir_var_function_temp);
   RUN(nir_lower_returns);
   RUN(nir_inline_functions);
   nir_remove_non_entrypoints(nir);
   RUN(nir_lower_variable_initializers, nir_var_all);
   RUN(nir_propagate_invariant);
   RUN(nir_round_toward_zero);
   /* cr0 does it with floats of 32 bits. Doubles are lowered by means of
    * subnormals, and MATH keeps those of half floats (KBL PRM vol 2a, "math")
    * whatever it is told. */
   RUN(nir_flush_subnormals, 16 | 64);
   RUN(nir_lower_io_to_temporaries, nir_entry_point(nir), true, false);
   RUN(nir_lower_global_vars_to_local);
   RUN(nir_split_var_copies);
   RUN(nir_lower_var_copies);
   RUN(nir_split_struct_vars, nir_var_function_temp);
   /* Other invocations may write the rest of a vector of theirs. */
   if (nir->info.stage == MESA_SHADER_TESS_CTRL)
      RUN(nir_lower_indirect_components, nir_var_shader_out);
   RUN(nir_lower_array_deref_of_vec,
       nir_var_shader_in | nir_var_shader_out | nir_var_function_temp);
   RUN(nir_lower_clip_cull_distance_arrays);
   RUN(nir_lower_system_values);
   if (!intel_uses_vec4(compiler, nir->info.stage))
      RUN(nir_lower_load_const_to_scalar);
   RUN(nir_lower_rare_alu);
   RUN(nir_lower_tg4_offsets);
   if (nir->options->restore_builtins)
      RUN(intel_nir_restore_builtins, scalar_filter(compiler, nir));
   options.undo_dispatch = true;
   nir_optimize(nir, &options);
   if (nir->options->has_constant_data)
      RUN(nir_opt_constant_arrays, MIN_CONSTANT_DATA_B);
   RUN(nir_lower_vars_to_scratch, max_indirect_B(compiler, nir));

   RUN(nir_lower_outside_accesses, nir_var_shader_in | nir_var_shader_out);
   RUN(nir_lower_indirect_derefs, direct_modes(nir), UINT32_MAX);
   RUN(nir_lower_indirect_components, nir_var_shader_in | nir_var_shader_out);
   if (nir->info.stage == MESA_SHADER_COMPUTE) {
      RUN(nir_remove_dead_variables, nir_var_mem_shared, NULL);
      RUN(intel_nir_lower_cs);
   }
   RUN(intel_nir_lower_subgroups);
   RUN(nir_lower_frexp);
   RUN(nir_opt_branch_selects, BRANCH_CYCLES);
   lower_doubles(compiler, nir);
   lower_int64(compiler, nir);
   intel_optimize_nir(compiler, nir);
   /* Here also of outputs: later it is linking that leaves some undefined,
    * those that nothing reads. */
   NIR_PASS(progress, nir, nir_lower_undef_to_zero);
   if (progress)
      intel_optimize_nir(compiler, nir);
   RUN(nir_remove_dead_variables, nir_var_function_temp | nir_var_shader_temp,
       NULL);
}

/* ---- inputs and outputs ---- */

static int
vec4_slots(const struct glsl_type *type, bool bindless)
{
   return (int)glsl_count_vec4_slots(type, false, bindless);
}

static void
set_locations(nir_shader *nir)
{
   nir_foreach_variable_with_modes(var, nir,
                                   nir_var_shader_in | nir_var_shader_out) {
      var->data.driver_location = (unsigned)var->data.location;
      if (nir->info.stage == MESA_SHADER_VERTEX &&
          var->data.mode == nir_var_shader_in)
         var->data.driver_location =
            (unsigned)(var->data.location - VERT_ATTRIB_GENERIC0);
   }
}

/* URB messages move dwords. Vertex fetch and setup have their own ways with
 * doubles. */
static nir_lower_io_options
io_options(const nir_shader *nir)
{
   return nir->info.stage == MESA_SHADER_VERTEX ||
                nir->info.stage == MESA_SHADER_FRAGMENT
             ? 0
             : nir_lower_io_lower_64bit_to_32;
}

void
intel_lower_io_nir(const struct intel_compiler *compiler, nir_shader *nir)
{
   /* A stage that was not linked; the front end let no more through than
    * fit. */
   if (nir->info.stage == MESA_SHADER_TESS_CTRL)
      intel_compact_tess_varyings(nir, NULL);
   else if (nir->info.stage == MESA_SHADER_TESS_EVAL)
      intel_compact_tess_varyings(NULL, nir);
   RUN(nir_lower_outside_accesses, nir_var_shader_in | nir_var_shader_out);
   set_locations(nir);
   /* URB messages of SIMD4x2 code have dwords, too. */
   if (intel_uses_vec4(compiler, nir->info.stage))
      RUN(nir_lower_io, nir_var_shader_out, vec4_slots,
          nir_lower_io_lower_64bit_to_32);
   RUN(nir_lower_io, nir_var_shader_in | nir_var_shader_out, vec4_slots,
       io_options(nir));
   RUN(intel_nir_widen_io);
   RUN(nir_opt_constant_folding);
   RUN(nir_io_add_const_offset_to_base,
       nir_var_shader_in | nir_var_shader_out);
   RUN(nir_opt_dce);
   RUN(nir_opt_reroll_io);
   if (nir->info.stage == MESA_SHADER_TESS_CTRL)
      RUN(nir_opt_merge_stores);
}

static bool
set_patch_vertices(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *intr;

   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   if (intr->intrinsic != nir_intrinsic_load_patch_vertices_in)
      return false;
   b->cursor = nir_before_instr(instr);
   nir_instr_replace(&intr->instr, nir_imm_int(b, *(const int *)data));
   return true;
}

void
intel_set_patch_vertices(nir_shader *nir, unsigned count)
{
   int n = (int)count;

   nir_visit_instrs(nir, set_patch_vertices, nir_metadata_control_flow, &n);
}

/* ---- sizes that the back end does not do ---- */

static bool
uses_half_floats(const nir_alu_instr *alu, unsigned bits)
{
   const nir_op_info *info = &nir_op_infos[alu->op];

   return bits == 16 &&
          (nir_type_base(info->input[0].type) == nir_type_float ||
           nir_type_base(info->output.type) == nir_type_float);
}

/* 8-bit arithmetic is done in 16 bits; some 16-bit operations in 32, and all
 * of half floats where the EU has no such type. */
static unsigned
wider(const nir_instr *instr, void *data)
{
   const struct intel_compiler *compiler = data;

   const nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return 0;
   const nir_op_info *info = &nir_op_infos[alu->op];
   unsigned bits = alu->instr.result.bit_size;

   if (nir_op_is_vec(alu->op) || info->is_conversion ||
       alu->op == nir_op_mov || alu->op == nir_op_bcsel)
      return alu->op == nir_op_bcsel && bits == 8 ? 16 : 0;
   /* Comparisons are as wide as what they compare. */
   if (bits == 1)
      bits = alu->src[0].use.value->bit_size;
   if (bits >= 32 || bits == 1)
      return 0;
   if (!compiler->devinfo->eu.has_half_float && uses_half_floats(alu, bits))
      return 32;
   switch (alu->op) {
   case nir_op_idiv:
   case nir_op_udiv:
   case nir_op_imod:
   case nir_op_umod:
   case nir_op_irem:
   case nir_op_imul_high:
   case nir_op_umul_high:
   case nir_op_bitfield_reverse:
   case nir_op_ishl:
   case nir_op_ishr:
   case nir_op_ushr: return 32;
   case nir_op_iadd_sat:
   case nir_op_uadd_sat:
   case nir_op_pack_32_2x16_split:
   case nir_op_pack_32_4x8_split:
   case nir_op_unpack_32_2x16_split_x:
   case nir_op_unpack_32_2x16_split_y:
   case nir_op_extract_u8:
   case nir_op_extract_i8:
   case nir_op_extract_u16:
   case nir_op_extract_i16: return 0;
   default: return bits == 8 && info->output.size == 0 ? 16 : 0;
   }
}

/* Fewer messages for values that lie beside each other. */
static bool
join_accesses(const struct intel_compiler *compiler, nir_shader *nir)
{
   bool progress = false;

   /* A vector of SIMD32 is 16 registers, spilled and filled as one. */
   if (intel_uses_vec4(compiler, nir->info.stage) ||
       (nir->info.stage == MESA_SHADER_COMPUTE &&
        intel_least_cs_width(compiler->devinfo, nir) == 32))
      return false;
   OPT(nir_opt_widen_loads);
   OPT(nir_opt_merge_loads);
   OPT(nir_opt_merge_memory_stores);
   return progress;
}

void
intel_postprocess_nir(const struct intel_compiler *compiler, nir_shader *nir)
{
   bool progress = false;

   RUN(intel_nir_lower_storage_image);
   RUN(intel_nir_lower_mcs);
   if (!isa_message_exists(compiler->gen, ISA_MSG_SAMPLE_D_C))
      RUN(intel_nir_lower_txd);
   RUN(intel_nir_lower_long_txd);
   intel_optimize_nir(compiler, nir);
   OPT(intel_nir_bound_offsets);
   OPT(nir_lower_undef_to_zero);
   if (progress)
      intel_optimize_nir(compiler, nir);
   progress = false;
   OPT(nir_opt_linear_offsets);
   if (progress)
      intel_optimize_nir(compiler, nir);
   progress = false;
   if (join_accesses(compiler, nir))
      intel_optimize_nir(compiler, nir);
   /* Out of loops what does not change in them: docs/performance.rst. */
   OPT(nir_opt_gcm, true);
   if (progress)
      intel_optimize_nir(compiler, nir);
   if (nir->info.stage == MESA_SHADER_FRAGMENT && nir->info.fs.uses_discard)
      RUN(intel_nir_exit_helper_loops);
   OPT(nir_opt_idiv_const);
   OPT(nir_opt_merge_factors);
   /* Rules of the late kind may need each other. */
   for (bool more = true; more;) {
      progress = false;
      OPT(nir_opt_algebraic_late);
      more = progress;
      if (more) {
         OPT(nir_opt_constant_folding);
         OPT(nir_copy_prop);
         OPT(nir_opt_dce);
         OPT(nir_opt_cse);
      }
   }
   if (!intel_uses_vec4(compiler, nir->info.stage))
      OPT(nir_opt_fuse_constants);
   if (!compiler->devinfo->has_64bit_int)
      lower_int64(compiler, nir);
   OPT(nir_lower_bit_size, wider, (void *)compiler);
   OPT(nir_lower_pack);
   OPT(nir_lower_alu_to_scalar, scalar_filter(compiler, nir), NULL);
   if (intel_uses_vec4(compiler, nir->info.stage))
      OPT(intel_nir_join_compares);
   OPT(nir_opt_constant_folding);
   OPT(nir_copy_prop);
   OPT(intel_nir_bound_offsets);
   OPT(nir_opt_dce);
   OPT(nir_opt_cse);
   OPT(nir_opt_dce);
   OPT(nir_remove_dead_derefs);
   if (!intel_uses_vec4(compiler, nir->info.stage)) {
      OPT(nir_opt_repeat_signs);
      OPT(nir_opt_dce);
      OPT(nir_opt_sink_inputs, MAX_BLOCK_DWORDS);
   }
   OPT(nir_opt_demand_order, MAX_BLOCK_DWORDS);
   OPT(nir_opt_move, nir_move_comparisons);
   if (!intel_uses_vec4(compiler, nir->info.stage)) {
      nir_foreach_impl(impl, nir)
         nir_find_divergence(impl, fs_is_uniform_intrinsic, nir);
      OPT(nir_opt_interleave, FLAGS, false);
   }
   OPT(nir_opt_update_last);
   OPT(nir_isolate_phis, true);
}
