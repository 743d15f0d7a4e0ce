/* SPDX-License-Identifier: MIT */
/*
 * Subgroups (3.49.21, 3.49.22): elections, votes, ballots, shuffles, quads,
 * reductions and scans, in the form of SPIR-V 1.3 and in those of
 * SPV_KHR_subgroup_vote and SPV_KHR_shader_ballot, which name no scope; parts
 * of a subgroup (SPV_NV_shader_subgroup_partitioned), one after the other.
 */
#include "compiler/spirv/spirv_private.h"

static nir_value *
operand(struct spv *s, const uint32_t *w, unsigned i)
{
   return spv_get_ssa(s, w[i])->def;
}

/* The operand with which the result has its type in common. */
static nir_value *
value_operand(struct spv *s, const uint32_t *w, unsigned i)
{
   nir_value *def = operand(s, w, i);

   spv_check(s, def != NULL, "%s of what is no scalar or vector",
             spirv_opcode_name(spv_opcode(w)));
   spv_check(s,
             spv_same_type(spv_get_type(s, w[1]), spv_get_ssa(s, w[i])->type),
             "%s: the result is not of the value's type",
             spirv_opcode_name(spv_opcode(w)));
   return def;
}

static bool
is_integer_32(struct spv *s, uint32_t id)
{
   const struct spv_type *t = spv_scalar(spv_get_ssa(s, id)->type);

   return t->base == SPV_INT && t->bits == 32;
}

static nir_value *
uint_operand(struct spv *s, const uint32_t *w, unsigned i)
{
   nir_value *def = operand(s, w, i);

   spv_check(s, def && is_integer_32(s, w[i]) && def->num_components == 1,
             "%s: operand %u is no 32-bit integer",
             spirv_opcode_name(spv_opcode(w)), i);
   return def;
}

static nir_value *
bool_operand(struct spv *s, const uint32_t *w, unsigned i)
{
   nir_value *def = operand(s, w, i);

   spv_check(s, def && def->bit_size == 1 && def->num_components == 1,
             "%s of what is not bool", spirv_opcode_name(spv_opcode(w)));
   return def;
}

/* ---- votes ---- */

static nir_value *
all_equal(struct spv *s, nir_value *v, const struct spv_type *t)
{
   switch (glsl_get_base_type(t->glsl)) {
   case GLSL_TYPE_FLOAT:
   case GLSL_TYPE_FLOAT16:
   case GLSL_TYPE_DOUBLE: return nir_vote_feq(&s->nb, 1, v);
   default: return nir_vote_ieq(&s->nb, 1, v);
   }
}

static nir_value *
vote(struct spv *s, const uint32_t *w, unsigned v)
{
   nir_builder *b = &s->nb;
   nir_value *def;

   switch (spv_opcode(w)) {
   case SpvOpGroupNonUniformElect: return nir_elect(b, 1);
   case SpvOpGroupNonUniformAll:
   case SpvOpSubgroupAllKHR: return nir_vote_all(b, 1, bool_operand(s, w, v));
   case SpvOpGroupNonUniformAny:
   case SpvOpSubgroupAnyKHR: return nir_vote_any(b, 1, bool_operand(s, w, v));
   case SpvOpSubgroupAllEqualKHR:
      return nir_vote_ieq(b, 1, bool_operand(s, w, v));
   case SpvOpGroupNonUniformAllEqual:
      def = operand(s, w, v);
      spv_check(s, def != NULL, "%s of what is no scalar or vector",
                spirv_opcode_name(spv_opcode(w)));
      return all_equal(s, def, spv_get_ssa(s, w[v])->type);
   default: return NULL;
   }
}

/* ---- ballots: four words of 32 invocations ---- */

static nir_value *
ballot_operand(struct spv *s, const uint32_t *w, unsigned i)
{
   nir_value *def = operand(s, w, i);

   spv_check(s, def && is_integer_32(s, w[i]) && def->num_components == 4,
             "%s of what is no vector of four 32-bit integers",
             spirv_opcode_name(spv_opcode(w)));
   return def;
}

static nir_value *
ballot_bit(nir_builder *b, nir_value *ballot, nir_value *i)
{
   nir_value *word = nir_vector_extract(
      b, ballot, nir_iand_imm(b, nir_ushr_imm(b, i, 5), 3));
   nir_value *bit = nir_ushr(b, word, nir_iand_imm(b, i, 31));

   return nir_ine(b, nir_iand_imm(b, bit, 1), nir_imm_int(b, 0));
}

/* Bits beyond the subgroup do not count (SPIR-V 3.52.24: "considering only
 * the bits in Value required"); what OpGroupNonUniformBallot gives has none.
 */
static nir_value *
members(nir_builder *b, nir_value *ballot)
{
   nir_value *zero = nir_imm_int(b, 0), *all = nir_imm_int(b, -1);
   nir_value *size, *words[4];

   if (ballot->instr->kind == nir_kind_intrinsic &&
       nir_instr_as_intrinsic(ballot->instr)->intrinsic ==
          nir_intrinsic_ballot)
      return ballot;
   size = nir_load_subgroup_size(b);
   for (unsigned i = 0; i < 4; i++) {
      nir_value *left = nir_iadd_imm(b, size, -32 * (int)i);
      nir_value *some = nir_inot(b, nir_ishl(b, all, left));
      nir_value *mask =
         nir_bcsel(b, nir_ige(b, left, nir_imm_int(b, 32)), all,
                   nir_bcsel(b, nir_ilt(b, zero, left), some, zero));

      words[i] = nir_iand(b, nir_channel(b, ballot, i), mask);
   }
   return nir_vec(b, words, 4);
}

static nir_value *
count_bits(nir_builder *b, nir_value *ballot)
{
   nir_value *sum = NULL;

   for (unsigned i = 0; i < 4; i++) {
      nir_value *n = nir_bit_count(b, nir_channel(b, ballot, i));
      sum = sum ? nir_iadd(b, sum, n) : n;
   }
   return sum;
}

static nir_value *
bit_count(struct spv *s, const uint32_t *w)
{
   nir_builder *b = &s->nb;
   nir_value *ballot = ballot_operand(s, w, 5);

   switch (w[4]) {
   case SpvGroupOperationReduce: ballot = members(b, ballot); break;
   case SpvGroupOperationInclusiveScan:
      ballot = nir_iand(b, ballot, nir_load_subgroup_le_mask(b, 4, 32));
      break;
   case SpvGroupOperationExclusiveScan:
      ballot = nir_iand(b, ballot, nir_load_subgroup_lt_mask(b, 4, 32));
      break;
   default:
      spv_fail(s, "%s: group operation %u", spirv_opcode_name(spv_opcode(w)),
               w[4]);
   }
   return count_bits(b, ballot);
}

/* The lowest word that is not zero says; of none what it says is free. */
static nir_value *
find_bit(nir_builder *b, nir_value *ballot, bool last)
{
   nir_value *at = nir_imm_int(b, -1);

   for (unsigned k = 0; k < 4; k++) {
      const unsigned i = last ? k : 3 - k;
      nir_value *word = nir_channel(b, ballot, i);
      nir_value *bit = last ? nir_ufind_msb(b, word) : nir_find_lsb(b, word);

      at = nir_bcsel(b, nir_ine(b, word, nir_imm_int(b, 0)),
                     nir_iadd_imm(b, bit, 32 * i), at);
   }
   return at;
}

static nir_value *
ballot(struct spv *s, const uint32_t *w)
{
   nir_builder *b = &s->nb;

   switch (spv_opcode(w)) {
   case SpvOpSubgroupBallotKHR:
      return nir_ballot(b, 4, 32, bool_operand(s, w, 3));
   case SpvOpGroupNonUniformBallot:
      return nir_ballot(b, 4, 32, bool_operand(s, w, 4));
   case SpvOpGroupNonUniformInverseBallot:
      return ballot_bit(b, ballot_operand(s, w, 4),
                        nir_load_subgroup_invocation(b));
   case SpvOpGroupNonUniformBallotBitExtract:
      return ballot_bit(b, ballot_operand(s, w, 4), uint_operand(s, w, 5));
   case SpvOpGroupNonUniformBallotBitCount: return bit_count(s, w);
   case SpvOpGroupNonUniformBallotFindLSB:
      return find_bit(b, members(b, ballot_operand(s, w, 4)), false);
   case SpvOpGroupNonUniformBallotFindMSB:
      return find_bit(b, members(b, ballot_operand(s, w, 4)), true);
   default: return NULL;
   }
}

/* ---- values of other invocations ---- */

static nir_value *
quad_swap(struct spv *s, const uint32_t *w)
{
   nir_value *v = value_operand(s, w, 4);

   switch (spv_const_uint(s, w[5])) {
   case 0: return nir_quad_swap_horizontal(&s->nb, v->num_components, v);
   case 1: return nir_quad_swap_vertical(&s->nb, v->num_components, v);
   case 2: return nir_quad_swap_diagonal(&s->nb, v->num_components, v);
   default:
      spv_fail(s, "%s: the direction is not 0, 1 or 2",
               spirv_opcode_name(spv_opcode(w)));
   }
}

static nir_value *
move_by(struct spv *s, nir_intrinsic_op op, nir_value *v, nir_value *index)
{
   nir_intrinsic_instr *intr = nir_new_intrinsic(s->nb.shader, op);

   intr->num_components = v->num_components;
   intr->src[0] = nir_use_of(v);
   intr->src[1] = nir_use_of(index);
   nir_set_result(&intr->instr, v->num_components, v->bit_size);
   return nir_emit(&s->nb, &intr->instr);
}

/* Another invocation's value: which one operand `value` + 1 says. */
static nir_value *
indexed_move(struct spv *s, const uint32_t *w, nir_intrinsic_op op,
             unsigned value)
{
   return move_by(s, op, value_operand(s, w, value),
                  uint_operand(s, w, value + 1));
}

static unsigned
cluster_size(struct spv *s, const uint32_t *w, uint32_t id)
{
   const uint64_t size = spv_const_uint(s, id);

   spv_check(s, size && !(size & (size - 1)) && size <= 128,
             "%s: clusters of %u invocations",
             spirv_opcode_name(spv_opcode(w)), (unsigned)size);
   return (unsigned)size;
}

/* From so many invocations further on, around the subgroup or cluster, whose
 * size is a power of two. */
static nir_value *
rotate(struct spv *s, const uint32_t *w)
{
   nir_builder *b = &s->nb;
   nir_value *self = nir_load_subgroup_invocation(b);
   nir_value *size = spv_count(w) > 6
                        ? nir_imm_int(b, (int)cluster_size(s, w, w[6]))
                        : nir_load_subgroup_size(b);
   nir_value *mask = nir_iadd_imm(b, size, -1);
   nir_value *to = nir_iadd(b, self, uint_operand(s, w, 5));

   to =
      nir_ior(b, nir_iand(b, to, mask), nir_iand(b, self, nir_inot(b, mask)));
   return move_by(s, nir_intrinsic_shuffle, value_operand(s, w, 4), to);
}

static nir_value *
move(struct spv *s, const uint32_t *w)
{
   nir_builder *b = &s->nb;
   nir_value *v;

   switch (spv_opcode(w)) {
   case SpvOpSubgroupReadInvocationKHR:
      return indexed_move(s, w, nir_intrinsic_read_invocation, 3);
   case SpvOpGroupNonUniformBroadcast:
      return indexed_move(s, w, nir_intrinsic_read_invocation, 4);
   case SpvOpGroupNonUniformShuffle:
      return indexed_move(s, w, nir_intrinsic_shuffle, 4);
   case SpvOpGroupNonUniformShuffleXor:
      return indexed_move(s, w, nir_intrinsic_shuffle_xor, 4);
   case SpvOpGroupNonUniformShuffleUp:
      return indexed_move(s, w, nir_intrinsic_shuffle_up, 4);
   case SpvOpGroupNonUniformShuffleDown:
      return indexed_move(s, w, nir_intrinsic_shuffle_down, 4);
   case SpvOpGroupNonUniformRotateKHR: return rotate(s, w);
   case SpvOpGroupNonUniformQuadBroadcast:
      return indexed_move(s, w, nir_intrinsic_quad_broadcast, 4);
   case SpvOpSubgroupFirstInvocationKHR:
      v = value_operand(s, w, 3);
      return nir_read_first_invocation(b, v->num_components, v);
   case SpvOpGroupNonUniformBroadcastFirst:
      v = value_operand(s, w, 4);
      return nir_read_first_invocation(b, v->num_components, v);
   case SpvOpGroupNonUniformQuadSwap: return quad_swap(s, w);
   default: return NULL;
   }
}

/* ---- reductions and scans ---- */

static const struct {
   SpvOp op;
   nir_op alu;
   char kind; /* of operands: float, integer, bool */
} reductions[] = {
   { SpvOpGroupNonUniformIAdd, nir_op_iadd, 'i' },
   { SpvOpGroupNonUniformFAdd, nir_op_fadd, 'f' },
   { SpvOpGroupNonUniformIMul, nir_op_imul, 'i' },
   { SpvOpGroupNonUniformFMul, nir_op_fmul, 'f' },
   { SpvOpGroupNonUniformSMin, nir_op_imin, 'i' },
   { SpvOpGroupNonUniformUMin, nir_op_umin, 'i' },
   { SpvOpGroupNonUniformFMin, nir_op_fmin, 'f' },
   { SpvOpGroupNonUniformSMax, nir_op_imax, 'i' },
   { SpvOpGroupNonUniformUMax, nir_op_umax, 'i' },
   { SpvOpGroupNonUniformFMax, nir_op_fmax, 'f' },
   { SpvOpGroupNonUniformBitwiseAnd, nir_op_iand, 'i' },
   { SpvOpGroupNonUniformBitwiseOr, nir_op_ior, 'i' },
   { SpvOpGroupNonUniformBitwiseXor, nir_op_ixor, 'i' },
   { SpvOpGroupNonUniformLogicalAnd, nir_op_iand, 'b' },
   { SpvOpGroupNonUniformLogicalOr, nir_op_ior, 'b' },
   { SpvOpGroupNonUniformLogicalXor, nir_op_ixor, 'b' },
};

static char
kind_of(const struct spv_type *t)
{
   switch (spv_scalar(t)->base) {
   case SPV_BOOL: return 'b';
   case SPV_FLOAT: return 'f';
   case SPV_INT: return 'i';
   default: return 0;
   }
}

/* The invocations of the loop's next part: those whose `v` is that of the
 * first that is left. Zeros of both signs are the same, and NaNs of the same
 * bits, so that the first is always one of them. */
static nir_value *
is_in_next_part(nir_builder *b, nir_value *v, bool is_float)
{
   nir_value *first = nir_read_first_invocation(b, v->num_components, v);
   nir_value *all = NULL;

   for (unsigned i = 0; i < v->num_components; i++) {
      nir_value *x = nir_channel(b, v, i), *y = nir_channel(b, first, i);
      nir_value *same = nir_ieq(b, x, y);
      if (is_float)
         same = nir_ior(b, same, nir_feq(b, x, y));
      all = all ? nir_iand(b, all, same) : same;
   }
   return all;
}

/* The ballot of those that have the same value as the invocation itself. */
static nir_value *
partition(struct spv *s, const uint32_t *w)
{
   nir_builder *b = &s->nb;
   nir_value *v = operand(s, w, 3);
   nir_variable *part =
      nir_new_local(b->impl, glsl_vector_type(GLSL_TYPE_UINT, 4), "part");

   spv_check(s, v != NULL, "%s of what is no scalar or vector",
             spirv_opcode_name(spv_opcode(w)));
   const bool is_float = kind_of(spv_get_ssa(s, w[3])->type) == 'f';
   nir_loop *loop = nir_push_loop(b);
   nir_value *mine = is_in_next_part(b, v, is_float);
   nir_store_var(b, part, nir_ballot(b, 4, 32, mine), 0xf);
   nir_if *nif = nir_push_if(b, mine);
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, nif);
   nir_pop_loop(b, loop);
   return nir_load_var(b, part);
}

/* Of parts that do not overlap, each ballot being that of its invocations. */
static nir_value *
reduce_parts(struct spv *s, const uint32_t *w, nir_value *v, nir_op alu)
{
   const unsigned n = v->num_components;
   nir_builder *b = &s->nb;
   nir_variable *result =
      nir_new_local(b->impl, spv_get_type(s, w[1])->glsl, "sum");
   nir_value *part, *def;

   spv_check(s, spv_count(w) > 6,
             "%s: a partitioned operation without a ballot",
             spirv_opcode_name(spv_opcode(w)));
   part = ballot_operand(s, w, 6);
   nir_loop *loop = nir_push_loop(b);
   nir_if *nif = nir_push_if(b, is_in_next_part(b, part, false));
   if (w[4] == SpvGroupOperationPartitionedReduceNV)
      def = nir_reduce(b, n, v, .reduction_op = alu);
   else if (w[4] == SpvGroupOperationPartitionedInclusiveScanNV)
      def = nir_inclusive_scan(b, n, v, .reduction_op = alu);
   else
      def = nir_exclusive_scan(b, n, v, .reduction_op = alu);
   nir_store_var(b, result, def, BITFIELD_MASK(n));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, nif);
   nir_pop_loop(b, loop);
   return nir_load_var(b, result);
}

static nir_value *
reduce(struct spv *s, const uint32_t *w, nir_op alu)
{
   nir_builder *b = &s->nb;
   nir_value *v = value_operand(s, w, 5);
   unsigned cluster = 0; /* the whole subgroup */

   switch (w[4]) {
   case SpvGroupOperationPartitionedReduceNV:
   case SpvGroupOperationPartitionedInclusiveScanNV:
   case SpvGroupOperationPartitionedExclusiveScanNV:
      return reduce_parts(s, w, v, alu);
   case SpvGroupOperationInclusiveScan:
      return nir_inclusive_scan(b, v->num_components, v, .reduction_op = alu);
   case SpvGroupOperationExclusiveScan:
      return nir_exclusive_scan(b, v->num_components, v, .reduction_op = alu);
   case SpvGroupOperationClusteredReduce:
      spv_check(s, spv_count(w) > 6,
                "%s: a clustered operation without the cluster's size",
                spirv_opcode_name(spv_opcode(w)));
      cluster = cluster_size(s, w, w[6]);
      FALLTHROUGH;
   case SpvGroupOperationReduce:
      return nir_reduce(b, v->num_components, v, .reduction_op = alu,
                        .cluster_size = cluster);
   default:
      spv_fail(s, "%s: group operation %u", spirv_opcode_name(spv_opcode(w)),
               w[4]);
   }
}

static nir_value *
reduction(struct spv *s, const uint32_t *w)
{
   for (unsigned i = 0; i < ARRAY_SIZE(reductions); i++) {
      if (reductions[i].op != spv_opcode(w))
         continue;
      spv_check(s, kind_of(spv_get_type(s, w[1])) == reductions[i].kind,
                "%s: the result has another kind of type",
                spirv_opcode_name(spv_opcode(w)));
      return reduce(s, w, reductions[i].alu);
   }
   return NULL;
}

/* ---- all of them ---- */

/* The forms of the extensions have no scope. */
static bool
has_scope(unsigned op)
{
   return (op >= SpvOpGroupNonUniformElect &&
           op <= SpvOpGroupNonUniformQuadSwap) ||
          op == SpvOpGroupNonUniformRotateKHR;
}

bool
spv_handle_subgroup(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   nir_value *def;

   switch (op) {
   case SpvOpSubgroupAllKHR:
   case SpvOpSubgroupAnyKHR:
   case SpvOpSubgroupAllEqualKHR:
   case SpvOpSubgroupBallotKHR:
   case SpvOpSubgroupFirstInvocationKHR:
   case SpvOpSubgroupReadInvocationKHR:
   case SpvOpGroupNonUniformPartitionNV: break;
   default:
      if (!has_scope(op))
         return false;
      spv_check(s, spv_const_uint(s, w[3]) == SpvScopeSubgroup,
                "%s in a scope that is not Subgroup (Vulkan, "
                "VUID-StandaloneSpirv-None-04642)",
                spirv_opcode_name(op));
   }
   def = op == SpvOpGroupNonUniformPartitionNV
            ? partition(s, w)
            : vote(s, w, has_scope(op) ? 4 : 3);
   if (!def)
      def = ballot(s, w);
   if (!def)
      def = move(s, w);
   if (!def)
      def = reduction(s, w);
   if (!def)
      return false;
   spv_check(s,
             spv_scalar(spv_get_type(s, w[1]))->bits == def->bit_size &&
                spv_components(spv_get_type(s, w[1])) == def->num_components,
             "%s: the result has the wrong type", spirv_opcode_name(op));
   spv_set_def(s, spv_get_type(s, w[1]), w[2], def);
   return true;
}
