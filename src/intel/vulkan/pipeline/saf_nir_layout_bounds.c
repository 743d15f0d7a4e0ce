/* SPDX-License-Identifier: MIT */
/*
 * Part of saf_nir_apply_pipeline_layout(): indices into blocks whose byte
 * offset would wrap in 32 bits, so that what is far outside of a buffer would
 * be inside (robustBufferAccess2).
 *
 * An index is limited to where what it stands for is outside of any buffer:
 * elements that begin SAF_MAX_BUFFER_RANGE_B behind the start, or more. Seen
 * as unsigned that is one instruction, and an index below 0 is outside as
 * well. Of an index that is a sum with a small constant the other part is
 * limited, on both sides, so that neighbours in memory keep one base:
 *
 *    b[i], b[i + 1]    x = clamp(i, -n, n); b[x], b[x + 1]
 *
 * What is known to be small enough stays as it is.
 */
#include "saf_nir_layout.h"

#define MAX_DEPTH 6
/* What constants beside an index may count, in bytes: with what the index
 * may, it stays below 2^31. */
#define MAX_BESIDE_B (1u << 28)

static uint64_t upper_limit(nir_value *def, unsigned comp, unsigned depth);

static uint64_t
intrinsic_limit(nir_intrinsic_op op)
{
   switch ((int)op) {
   case nir_intrinsic_load_local_invocation_id:
   case nir_intrinsic_load_local_invocation_index: return 1023;
   case nir_intrinsic_load_subgroup_invocation: return 31;
   case nir_intrinsic_load_workgroup_id: return UINT16_MAX;
   default: return UINT64_MAX;
   }
}

static uint64_t
operand_limit(const nir_alu_instr *alu, unsigned i, unsigned comp,
              unsigned depth)
{
   return upper_limit(alu->src[i].use.value, alu->src[i].swizzle[comp],
                      depth);
}

/* Of results that do not wrap: what does is left to the caller. */
static uint64_t
alu_limit(const nir_alu_instr *alu, unsigned comp, unsigned depth)
{
#define LIMIT(i) operand_limit(alu, i, comp, depth)
   const bool by_constant = nir_op_infos[alu->op].num_inputs == 2 &&
                            nir_use_is_const(alu->src[1].use);
   const uint64_t k =
      by_constant
         ? nir_use_comp_as_uint(alu->src[1].use, alu->src[1].swizzle[comp])
         : 0;
   switch ((int)alu->op) {
   case nir_op_mov:
   case nir_op_u2u32: return LIMIT(0);
   case nir_op_b2i32: return 1;
   case nir_op_iand:
   case nir_op_umin: return MIN2(LIMIT(0), LIMIT(1));
   case nir_op_umax: return MAX2(LIMIT(0), LIMIT(1));
   case nir_op_bcsel: return MAX2(LIMIT(1), LIMIT(2));
   case nir_op_iadd: return LIMIT(0) + LIMIT(1);
   case nir_op_imul: return LIMIT(0) * LIMIT(1);
   case nir_op_ushr: return by_constant ? LIMIT(0) >> (k & 31) : UINT64_MAX;
   case nir_op_ishl: return by_constant ? LIMIT(0) << (k & 31) : UINT64_MAX;
   case nir_op_umod: return by_constant && k ? k - 1 : UINT64_MAX;
   default: return UINT64_MAX;
   }
#undef LIMIT
}

/* A number that a value of at most 32 bits, as unsigned, is not above. */
static uint64_t
upper_limit(nir_value *def, unsigned comp, unsigned depth)
{
   const uint64_t all = BITFIELD64_MASK(MIN2(def->bit_size, 32));
   nir_instr *instr = def->instr;
   uint64_t limit = UINT64_MAX;
   if (instr->kind == nir_kind_load_const)
      limit = nir_instr_as_load_const(instr)->value[comp].u64 & all;
   else if (instr->kind == nir_kind_intrinsic)
      limit = intrinsic_limit(nir_instr_as_intrinsic(instr)->intrinsic);
   else if (instr->kind == nir_kind_alu && depth)
      limit = alu_limit(nir_instr_as_alu(instr), comp, depth - 1);
   return limit > all ? all : limit;
}

/* The other summand, if one is a constant of at most `most`; else NULL. */
static nir_value *
beside_constant(nir_builder *b, nir_value *index, uint32_t most, int32_t *k)
{
   if (index->instr->kind != nir_kind_alu)
      return NULL;
   nir_alu_instr *sum = nir_instr_as_alu(index->instr);
   for (unsigned i = 0; sum->op == nir_op_iadd && i < 2; i++) {
      if (!nir_use_is_const(sum->src[i].use))
         continue;
      *k = (int32_t)nir_use_comp_as_uint(sum->src[i].use,
                                         sum->src[i].swizzle[0]);
      return *k <= (int64_t)most && *k >= -(int64_t)most
                ? nir_channel(b, sum->src[1 - i].use.value,
                              sum->src[1 - i].swizzle[0])
                : NULL;
   }
   return NULL;
}

nir_value *
saf_layout_limit_index(nir_builder *b, nir_value *index, uint32_t stride_B)
{
   const uint32_t beyond =
      DIV_ROUND_UP(SAF_MAX_BUFFER_RANGE_B, MAX2(stride_B, 1u));
   const uint32_t most = MAX_BESIDE_B / MAX2(stride_B, 1u);
   if (upper_limit(index, 0, MAX_DEPTH) * stride_B <= UINT32_MAX)
      return index;
   int32_t k;
   nir_value *x = beside_constant(b, index, most, &k);
   if (!x)
      return nir_umin(b, index, nir_imm_int(b, (int32_t)beyond));
   const int32_t far = (int32_t)(beyond + most);
   x = nir_imin(b, x, nir_imm_int(b, far));
   x = nir_imax(b, x, nir_imm_int(b, -far));
   return nir_iadd_imm(b, x, (uint64_t)(int64_t)k);
}
