/* SPDX-License-Identifier: MIT */
/*
 * Intrinsics that touch no memory: system values, ends of invocations,
 * vertices, interpolation, subgroups.
 */
#include "compiler/spirv/write/write_private.h"

/* --- System values ------------------------------------------------------ */

static bool
system_value(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_value *v = &intr->instr.result;
   enum wr_base base = WR_NONE;
   unsigned n = 0;
   uint32_t pointer = wr_system_value(w, intr->intrinsic, &base, &n), type;

   if (!pointer)
      return false;
   if (v->num_components != n || (base != WR_BOOL && v->bit_size != 32))
      wr_fail(w, "%s of %u components of %u bits",
              nir_intrinsic_infos[intr->intrinsic].name, v->num_components,
              v->bit_size);
   type = wr_vector_type(w, base, 32, n);
   if (intr->intrinsic == nir_intrinsic_load_sample_mask_in)
      pointer = WR_OP(w, SpvOpAccessChain,
                      wr_pointer_type(w, SpvStorageClassInput, type), pointer,
                      wr_uint(w, 0));
   const uint32_t id = WR_OP(w, SpvOpLoad, type, pointer);
   if (base != WR_BOOL || v->bit_size == 1) {
      wr_define(w, v, base, id);
      return true;
   }
   const nir_const_value yes = nir_const_value_for_raw_uint(NIR_TRUE, 32);
   wr_define(w, v, WR_UINT,
             WR_OP(w, SpvOpSelect, wr_value_type(w, v, WR_UINT), id,
                   wr_constant(w, WR_UINT, 32, &yes, 1), wr_uint(w, 0)));
   return true;
}

/* --- Ends --------------------------------------------------------------- */

static uint32_t
constant_true(struct wr *w)
{
   const nir_const_value yes = { .b = true };

   return wr_constant(w, WR_BOOL, 1, &yes, 1);
}

static void
demote(struct wr *w, nir_intrinsic_instr *intr)
{
   wr_capability(w, SpvCapabilityDemoteToHelperInvocationEXT);
   wr_extension(w, "SPV_EXT_demote_to_helper_invocation");
   if (intr->intrinsic == nir_intrinsic_demote)
      wr_words(&w->code, SpvOpDemoteToHelperInvocationEXT, NULL, 0);
   else
      wr_end_if(w, wr_as(w, intr->src[0].value, WR_BOOL),
                SpvOpDemoteToHelperInvocationEXT);
}

static bool
end(struct wr *w, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_discard:
      wr_end_if(w, constant_true(w), SpvOpKill);
      return true;
   case nir_intrinsic_discard_if:
      wr_end_if(w, wr_as(w, intr->src[0].value, WR_BOOL), SpvOpKill);
      return true;
   case nir_intrinsic_terminate:
   case nir_intrinsic_terminate_if:
      wr_extension(w, "SPV_KHR_terminate_invocation");
      wr_end_if(w,
                intr->intrinsic == nir_intrinsic_terminate
                   ? constant_true(w)
                   : wr_as(w, intr->src[0].value, WR_BOOL),
                SpvOpTerminateInvocation);
      return true;
   case nir_intrinsic_demote:
   case nir_intrinsic_demote_if: demote(w, intr); return true;
   case nir_intrinsic_is_helper_invocation:
      wr_capability(w, SpvCapabilityDemoteToHelperInvocationEXT);
      wr_extension(w, "SPV_EXT_demote_to_helper_invocation");
      wr_define(w, &intr->instr.result, WR_BOOL,
                wr_result(w, SpvOpIsHelperInvocationEXT,
                          wr_scalar_type(w, WR_BOOL, 1), NULL, 0));
      return true;
   default: return false;
   }
}

/* --- Vertices, interpolation, order, time ------------------------------- */

static bool
vertex(struct wr *w, nir_intrinsic_instr *intr)
{
   const bool emit = intr->intrinsic == nir_intrinsic_emit_vertex;
   unsigned stream;

   if (!emit && intr->intrinsic != nir_intrinsic_end_primitive)
      return false;
   stream = nir_intrinsic_stream_id(intr);
   if (!stream) {
      wr_words(&w->code, emit ? SpvOpEmitVertex : SpvOpEndPrimitive, NULL, 0);
      return true;
   }
   wr_capability(w, SpvCapabilityGeometryStreams);
   WR(&w->code, emit ? SpvOpEmitStreamVertex : SpvOpEndStreamPrimitive,
      wr_uint(w, stream));
   return true;
}

static bool
interpolated(struct wr *w, nir_intrinsic_instr *intr)
{
   enum GLSLstd450 op;
   uint32_t ids[2];
   unsigned n = 2;

   switch (intr->intrinsic) {
   case nir_intrinsic_interp_deref_at_centroid:
      op = GLSLstd450InterpolateAtCentroid;
      n = 1;
      break;
   case nir_intrinsic_interp_deref_at_sample:
      op = GLSLstd450InterpolateAtSample;
      break;
   case nir_intrinsic_interp_deref_at_offset:
      op = GLSLstd450InterpolateAtOffset;
      break;
   default: return false;
   }
   wr_capability(w, SpvCapabilityInterpolationFunction);
   ids[0] = wr_deref(w, nir_use_as_deref(intr->src[0]), NULL);
   if (n == 2)
      ids[1] =
         wr_as(w, intr->src[1].value,
               op == GLSLstd450InterpolateAtSample ? WR_UINT : WR_FLOAT);
   wr_define(w, &intr->instr.result, WR_FLOAT,
             wr_ext(w, op, wr_value_type(w, &intr->instr.result, WR_FLOAT),
                    ids, n));
   return true;
}

static bool
interlock(struct wr *w, nir_intrinsic_instr *intr)
{
   const bool begin = intr->intrinsic ==
                      nir_intrinsic_begin_invocation_interlock;

   if (!begin && intr->intrinsic != nir_intrinsic_end_invocation_interlock)
      return false;
   w->interlock = true;
   wr_extension(w, "SPV_EXT_fragment_shader_interlock");
   wr_capability(w, w->nir->info.fs.pixel_interlock
                       ? SpvCapabilityFragmentShaderPixelInterlockEXT
                       : SpvCapabilityFragmentShaderSampleInterlockEXT);
   wr_words(&w->code,
            begin ? SpvOpBeginInvocationInterlockEXT
                  : SpvOpEndInvocationInterlockEXT,
            NULL, 0);
   return true;
}

static bool
clock_of(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_value *v = &intr->instr.result;

   if (intr->intrinsic != nir_intrinsic_shader_clock)
      return false;
   wr_extension(w, "SPV_KHR_shader_clock");
   wr_capability(w, SpvCapabilityShaderClockKHR);
   wr_define(
      w, v, WR_UINT,
      WR_OP(w, SpvOpReadClockKHR, wr_value_type(w, v, WR_UINT),
            wr_uint(w, nir_intrinsic_memory_scope(intr) == NIR_SCOPE_DEVICE
                          ? SpvScopeDevice
                          : SpvScopeSubgroup)));
   return true;
}

/* --- Subgroups ---------------------------------------------------------- */

static const struct group_row {
   nir_intrinsic_op intrinsic;
   SpvOp op;
   SpvCapability capability;
   enum wr_base result; /* NONE: that of the value */
   uint8_t operands;
} group_rows[] = {
#define ROW(intr, op, cap, result, n)                                        \
   {                                                                         \
      nir_intrinsic_##intr, SpvOpGroupNonUniform##op,                        \
         SpvCapabilityGroupNonUniform##cap, WR_##result, n                   \
   }
   ROW(elect, Elect, , BOOL, 0),
   ROW(vote_any, Any, Vote, BOOL, 1),
   ROW(vote_all, All, Vote, BOOL, 1),
   ROW(vote_feq, AllEqual, Vote, BOOL, 1),
   ROW(vote_ieq, AllEqual, Vote, BOOL, 1),
   ROW(ballot, Ballot, Ballot, UINT, 1),
   ROW(read_first_invocation, BroadcastFirst, Ballot, NONE, 1),
   /* Which one a broadcast reads is constant before SPIR-V 1.5. */
   ROW(read_invocation, Shuffle, Shuffle, NONE, 2),
   ROW(shuffle, Shuffle, Shuffle, NONE, 2),
   ROW(shuffle_xor, ShuffleXor, Shuffle, NONE, 2),
   ROW(shuffle_up, ShuffleUp, ShuffleRelative, NONE, 2),
   ROW(shuffle_down, ShuffleDown, ShuffleRelative, NONE, 2),
   ROW(quad_broadcast, QuadBroadcast, Quad, NONE, 2),
#undef ROW
};

static enum wr_base
value_base(const struct wr *w, nir_intrinsic_instr *intr)
{
   nir_value *v = intr->src[0].value;

   if (v->bit_size == 1)
      return WR_BOOL;
   return intr->intrinsic == nir_intrinsic_vote_feq ? WR_FLOAT : WR_UINT;
}

static bool
group_row(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_value *v = &intr->instr.result;
   const struct group_row *row = NULL;
   uint32_t words[3] = { wr_uint(w, SpvScopeSubgroup) };
   enum wr_base base = WR_NONE;

   for (unsigned i = 0; i < ARRAY_SIZE(group_rows); i++) {
      if (group_rows[i].intrinsic == intr->intrinsic)
         row = &group_rows[i];
   }
   if (!row)
      return false;
   if (intr->intrinsic == nir_intrinsic_ballot &&
       (v->num_components != 4 || v->bit_size != 32))
      wr_fail(w, "a ballot that is no vector of four dwords");
   wr_capability(w, row->capability);
   if (row->operands) {
      base = value_base(w, intr);
      words[1] = wr_as(w, intr->src[0].value, base);
   }
   if (row->operands == 2)
      words[2] = wr_as(w, intr->src[1].value, WR_UINT);
   if (row->result != WR_NONE)
      base = row->result;
   wr_define(w, v, base,
             wr_result(w, row->op, wr_value_type(w, v, base), words,
                       1u + row->operands));
   return true;
}

static bool
quad_swap(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_value *v = &intr->instr.result;
   const enum wr_base base = v->bit_size == 1 ? WR_BOOL : WR_UINT;
   unsigned direction;

   switch (intr->intrinsic) {
   case nir_intrinsic_quad_swap_horizontal: direction = 0; break;
   case nir_intrinsic_quad_swap_vertical: direction = 1; break;
   case nir_intrinsic_quad_swap_diagonal: direction = 2; break;
   default: return false;
   }
   wr_capability(w, SpvCapabilityGroupNonUniformQuad);
   const uint32_t x = wr_as(w, intr->src[0].value, base);
   wr_define(w, v, base,
             WR_OP(w, SpvOpGroupNonUniformQuadSwap, wr_value_type(w, v, base),
                   wr_uint(w, SpvScopeSubgroup), x, wr_uint(w, direction)));
   return true;
}

static const struct reduction_row {
   nir_op op;
   SpvOp number, boolean; /* 0: none */
   enum wr_base base;
} reductions[] = {
#define ROW(op, number, boolean, base)                                       \
   {                                                                         \
      nir_op_##op, SpvOpGroupNonUniform##number, boolean, WR_##base          \
   }
   ROW(iadd, IAdd, 0, UINT),
   ROW(fadd, FAdd, 0, FLOAT),
   ROW(imul, IMul, 0, UINT),
   ROW(fmul, FMul, 0, FLOAT),
   ROW(imin, SMin, 0, UINT),
   ROW(umin, UMin, 0, UINT),
   ROW(fmin, FMin, 0, FLOAT),
   ROW(imax, SMax, 0, UINT),
   ROW(umax, UMax, 0, UINT),
   ROW(fmax, FMax, 0, FLOAT),
   ROW(iand, BitwiseAnd, SpvOpGroupNonUniformLogicalAnd, UINT),
   ROW(ior, BitwiseOr, SpvOpGroupNonUniformLogicalOr, UINT),
   ROW(ixor, BitwiseXor, SpvOpGroupNonUniformLogicalXor, UINT),
#undef ROW
};

static bool
reduction(struct wr *w, nir_intrinsic_instr *intr)
{
   const bool reduces = intr->intrinsic == nir_intrinsic_reduce;
   const bool inclusive = intr->intrinsic == nir_intrinsic_inclusive_scan;
   nir_value *v = &intr->instr.result;
   const struct reduction_row *row = NULL;
   uint32_t words[4] = { wr_uint(w, SpvScopeSubgroup) };
   unsigned n = 3, cluster = 0;
   enum wr_base base;

   if (!reduces && !inclusive &&
       intr->intrinsic != nir_intrinsic_exclusive_scan)
      return false;
   for (unsigned i = 0; i < ARRAY_SIZE(reductions); i++) {
      if (reductions[i].op == (nir_op)nir_intrinsic_reduction_op(intr))
         row = &reductions[i];
   }
   base = v->bit_size == 1 ? WR_BOOL : row ? row->base : WR_NONE;
   if (!row || (base == WR_BOOL && !row->boolean))
      wr_fail(w, "a reduction that SPIR-V does not know");
   if (reduces)
      cluster = nir_intrinsic_cluster_size(intr);
   wr_capability(w, cluster ? SpvCapabilityGroupNonUniformClustered
                            : SpvCapabilityGroupNonUniformArithmetic);
   words[1] = cluster     ? SpvGroupOperationClusteredReduce
              : reduces   ? SpvGroupOperationReduce
              : inclusive ? SpvGroupOperationInclusiveScan
                          : SpvGroupOperationExclusiveScan;
   words[2] = wr_as(w, intr->src[0].value, base);
   if (cluster)
      words[n++] = wr_uint(w, cluster);
   wr_define(w, v, base,
             wr_result(w, base == WR_BOOL ? row->boolean : row->number,
                       wr_value_type(w, v, base), words, n));
   return true;
}

bool
wr_other(struct wr *w, nir_intrinsic_instr *intr)
{
   if (intr->intrinsic == nir_intrinsic_nop || system_value(w, intr) ||
       end(w, intr) || vertex(w, intr) || interpolated(w, intr) ||
       interlock(w, intr) || clock_of(w, intr))
      return true;
   if (group_row(w, intr) || quad_swap(w, intr) || reduction(w, intr)) {
      wr_capability(w, SpvCapabilityGroupNonUniform);
      return true;
   }
   return false;
}
