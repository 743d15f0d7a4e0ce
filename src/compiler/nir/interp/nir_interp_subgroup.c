/* SPDX-License-Identifier: MIT */
/*
 * Subgroups: all lanes are one, and those of `mask` take part. What SPIR-V
 * leaves undefined (values of lanes that do not) is zero here.
 */
#include "nir_interp_private.h"

static unsigned
last_lane(uint64_t mask)
{
   return 63 - (unsigned)__builtin_clzll(mask);
}

/* ---- votes ---- */

static bool
same_values(const nir_const_value *a, const nir_const_value *b, unsigned n,
            unsigned bits, bool floats)
{
   for (unsigned c = 0; c < n; c++) {
      if (floats ? nir_const_value_as_float(a[c], bits) !=
                      nir_const_value_as_float(b[c], bits)
                 : nir_const_value_as_uint(a[c], bits) !=
                      nir_const_value_as_uint(b[c], bits))
         return false;
   }
   return true;
}

static bool
vote(struct nir_interp *s, nir_intrinsic_instr *intr, uint64_t mask)
{
   const unsigned first = (unsigned)__builtin_ctzll(mask);
   const unsigned bits = intr->src[0].value->bit_size;
   const unsigned n = intr->src[0].value->num_components;
   bool all = true, any = false, equal = true;

   FOREACH_LANE(lane, mask) {
      const nir_const_value *v = interp_src(s, &intr->src[0], lane);
      const bool yes = nir_const_value_as_uint(v[0], bits) != 0;

      all &= yes;
      any |= yes;
      equal &= same_values(v, interp_src(s, &intr->src[0], first), n, bits,
                           intr->intrinsic == nir_intrinsic_vote_feq);
   }
   switch (intr->intrinsic) {
   case nir_intrinsic_vote_all: return all;
   case nir_intrinsic_vote_any: return any;
   default: return equal;
   }
}

static void
set_all(struct nir_interp *s, nir_intrinsic_instr *intr, uint64_t mask,
        bool value)
{
   FOREACH_LANE(lane, mask)
      interp_dest(s, &intr->instr.result, lane)[0] =
         nir_const_value_for_bool(value, intr->instr.result.bit_size);
}

/* ---- sets of lanes ---- */

/* As many components of as many bits as the destination has. */
static void
set_lanes(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane,
          uint64_t lanes)
{
   const unsigned bits = intr->instr.result.bit_size;
   nir_const_value *out = interp_dest(s, &intr->instr.result, lane);

   for (unsigned c = 0; c < intr->instr.result.num_components; c++) {
      const unsigned shift = c * bits;
      const uint64_t word = shift < 64 ? lanes >> shift : 0;

      out[c] =
         nir_const_value_for_raw_uint(word & BITFIELD64_MASK(bits), bits);
   }
}

static uint64_t
ballot(struct nir_interp *s, nir_intrinsic_instr *intr, uint64_t mask)
{
   const unsigned bits = intr->src[0].value->bit_size;
   uint64_t set = 0;

   FOREACH_LANE(lane, mask) {
      if (nir_const_value_as_uint(*interp_src(s, &intr->src[0], lane), bits))
         set |= BITFIELD64_BIT(lane);
   }
   return set;
}

static uint64_t
compared_mask(nir_intrinsic_op op, unsigned lane, unsigned lanes)
{
   const uint64_t all = BITFIELD64_MASK(lanes);
   const uint64_t le = BITFIELD64_MASK(lane + 1);

   switch (op) {
   case nir_intrinsic_load_subgroup_eq_mask: return BITFIELD64_BIT(lane);
   case nir_intrinsic_load_subgroup_ge_mask:
      return all & ~BITFIELD64_MASK(lane);
   case nir_intrinsic_load_subgroup_gt_mask: return all & ~le;
   case nir_intrinsic_load_subgroup_le_mask: return le;
   default: return BITFIELD64_MASK(lane);
   }
}

/* ---- values of other lanes ---- */

static uint64_t
source_lane(nir_intrinsic_op op, unsigned lane, uint64_t i)
{
   switch (op) {
   case nir_intrinsic_shuffle_xor: return lane ^ i;
   case nir_intrinsic_shuffle_up: return lane - i;
   case nir_intrinsic_shuffle_down: return lane + i;
   case nir_intrinsic_quad_broadcast: return (lane & ~3u) | (i & 3);
   case nir_intrinsic_quad_swap_horizontal: return lane ^ 1u;
   case nir_intrinsic_quad_swap_vertical: return lane ^ 2u;
   case nir_intrinsic_quad_swap_diagonal: return lane ^ 3u;
   default: return i;
   }
}

static void
move_values(struct nir_interp *s, nir_intrinsic_instr *intr, uint64_t mask)
{
   const unsigned n = intr->instr.result.num_components;
   const unsigned first = (unsigned)__builtin_ctzll(mask);
   const bool indexed = nir_intrinsic_infos[intr->intrinsic].num_srcs > 1;
   nir_const_value values[MAX_LANES][NIR_MAX_VEC_COMPONENTS] = { 0 };

   FOREACH_LANE(lane, mask) {
      uint64_t from = first;

      if (intr->intrinsic != nir_intrinsic_read_first_invocation)
         from = source_lane(intr->intrinsic, lane,
                            indexed ? interp_src(s, &intr->src[1], lane)->u32
                                    : 0);
      if (from < 64 && mask >> from & 1)
         memcpy(values[lane], interp_src(s, &intr->src[0], (unsigned)from),
                n * sizeof(nir_const_value));
   }
   FOREACH_LANE(lane, mask)
      memcpy(interp_dest(s, &intr->instr.result, lane), values[lane],
             n * sizeof(nir_const_value));
}

/* ---- reductions and scans ---- */

static nir_const_value
combine(struct nir_interp *s, nir_op op, unsigned bits, nir_const_value a,
        nir_const_value b)
{
   nir_const_value *srcs[] = { &a, &b };
   nir_const_value r = { 0 };

   nir_eval_const_opcode(op, &r, 1, bits, srcs,
                         s->shader->info.float_controls_execution_mode);
   return r;
}

/* Of component `c`, from the first lane of `part` on, in their order. */
static void
scan(struct nir_interp *s, nir_intrinsic_instr *intr, uint64_t part,
     unsigned c)
{
   const nir_op op = (nir_op)nir_intrinsic_reduction_op(intr);
   const unsigned bits = intr->instr.result.bit_size;
   nir_const_value sum = nir_reduction_identity(op, bits), before;

   FOREACH_LANE(lane, part) {
      before = sum;
      sum = combine(s, op, bits, sum, interp_src(s, &intr->src[0], lane)[c]);
      interp_dest(s, &intr->instr.result, lane)[c] =
         intr->intrinsic == nir_intrinsic_exclusive_scan ? before : sum;
   }
   if (intr->intrinsic == nir_intrinsic_reduce) {
      FOREACH_LANE(lane, part)
         interp_dest(s, &intr->instr.result, lane)[c] = sum;
   }
}

static void
scan_clusters(struct nir_interp *s, nir_intrinsic_instr *intr, uint64_t mask)
{
   unsigned size = 0;

   if (intr->intrinsic == nir_intrinsic_reduce)
      size = (unsigned)nir_intrinsic_cluster_size(intr);
   if (!size || size > 64)
      size = 64;
   for (unsigned first = 0; first <= last_lane(mask); first += size) {
      const uint64_t part = mask & BITFIELD64_MASK(size) << first;

      for (unsigned c = 0; c < intr->instr.result.num_components; c++)
         scan(s, intr, part, c);
   }
}

/* ---- all of them ---- */

bool
interp_subgroup(struct nir_interp *s, nir_intrinsic_instr *intr,
                uint64_t mask)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_vote_all:
   case nir_intrinsic_vote_any:
   case nir_intrinsic_vote_ieq:
   case nir_intrinsic_vote_feq:
      set_all(s, intr, mask, vote(s, intr, mask));
      return true;
   case nir_intrinsic_elect:
      set_all(s, intr, mask, false);
      set_all(s, intr, mask & -mask, true);
      return true;
   case nir_intrinsic_ballot: {
      const uint64_t set = ballot(s, intr, mask);
      FOREACH_LANE(lane, mask)
         set_lanes(s, intr, lane, set);
      return true;
   }
   case nir_intrinsic_load_subgroup_eq_mask:
   case nir_intrinsic_load_subgroup_ge_mask:
   case nir_intrinsic_load_subgroup_gt_mask:
   case nir_intrinsic_load_subgroup_le_mask:
   case nir_intrinsic_load_subgroup_lt_mask:
      FOREACH_LANE(lane, mask)
         set_lanes(s, intr, lane,
                   compared_mask(intr->intrinsic, lane, s->lanes));
      return true;
   case nir_intrinsic_load_subgroup_invocation:
      FOREACH_LANE(lane, mask)
         interp_dest(s, &intr->instr.result, lane)[0] =
            nir_const_value_for_raw_uint(lane, 32);
      return true;
   case nir_intrinsic_quad_broadcast:
   case nir_intrinsic_quad_swap_diagonal:
   case nir_intrinsic_quad_swap_horizontal:
   case nir_intrinsic_quad_swap_vertical:
   case nir_intrinsic_read_first_invocation:
   case nir_intrinsic_read_invocation:
   case nir_intrinsic_shuffle:
   case nir_intrinsic_shuffle_down:
   case nir_intrinsic_shuffle_up:
   case nir_intrinsic_shuffle_xor: move_values(s, intr, mask); return true;
   case nir_intrinsic_reduce:
   case nir_intrinsic_inclusive_scan:
   case nir_intrinsic_exclusive_scan:
      scan_clusters(s, intr, mask);
      return true;
   default: return false;
   }
}
