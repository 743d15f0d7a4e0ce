/* SPDX-License-Identifier: MIT */
/*
 * Subgroups, as few and as plain as the back end wants them: votes of
 * booleans, elections, ballots of one word, the first invocation's value,
 * one invocation's, shuffles (each of 32-bit scalars), and reductions and
 * scans of 32-bit scalars and of doubles.
 *
 * API's subgroups have INTEL_SUBGROUP_SIZE invocations, or as many as
 * nir->info.subgroup_size asks for. A program of fewer
 * channels leaves the rest of them out: they take part in nothing.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

/* ---- moves, in pieces of 32 bits: an address register moves no more ---- */

static nir_value *
number_of(nir_builder *b, const nir_intrinsic_instr *intr)
{
   nir_value *self = nir_load_subgroup_invocation(b);
   nir_value *i = nir_intrinsic_infos[intr->intrinsic].num_srcs > 1
                     ? nir_use_value(b, intr->src[1], 1)
                     : NULL;

   switch (intr->intrinsic) {
   case nir_intrinsic_shuffle_xor: return nir_ixor(b, self, i);
   case nir_intrinsic_shuffle_up: return nir_isub(b, self, i);
   case nir_intrinsic_shuffle_down: return nir_iadd(b, self, i);
   case nir_intrinsic_quad_broadcast:
      return nir_ior(b, nir_iand_imm(b, self, ~3u), nir_iand_imm(b, i, 3));
   case nir_intrinsic_quad_swap_horizontal:
      return nir_ixor(b, self, nir_imm_int(b, 1));
   case nir_intrinsic_quad_swap_vertical:
      return nir_ixor(b, self, nir_imm_int(b, 2));
   case nir_intrinsic_quad_swap_diagonal:
      return nir_ixor(b, self, nir_imm_int(b, 3));
   default: return i;
   }
}

/* A 32-bit scalar of invocation `i`; of the first one, if that is NULL. */
static nir_value *
move_32(nir_builder *b, nir_value *v, nir_value *i, bool uniform)
{
   if (!i)
      return nir_read_first_invocation(b, 1, v);
   return uniform ? nir_read_invocation(b, 1, v, i) : nir_shuffle(b, 1, v, i);
}

static nir_value *
move_scalar(nir_builder *b, nir_value *v, nir_value *i, bool uniform)
{
   switch (v->bit_size) {
   case 1:
      v = move_32(b, nir_b2i32(b, v), i, uniform);
      return nir_ine(b, v, nir_imm_int(b, 0));
   case 8: return nir_u2u8(b, move_32(b, nir_u2u32(b, v), i, uniform));
   case 16: return nir_u2u16(b, move_32(b, nir_u2u32(b, v), i, uniform));
   case 64:
      return nir_pack_64_2x32_split(
         b, move_32(b, nir_unpack_64_2x32_split_x(b, v), i, uniform),
         move_32(b, nir_unpack_64_2x32_split_y(b, v), i, uniform));
   default: return move_32(b, v, i, uniform);
   }
}

static nir_value *
lower_move(nir_builder *b, nir_intrinsic_instr *intr)
{
   const bool first = intr->intrinsic == nir_intrinsic_read_first_invocation;
   const bool uniform = intr->intrinsic == nir_intrinsic_read_invocation;
   nir_value *v = nir_use_value(b, intr->src[0], intr->num_components);
   nir_value *parts[NIR_MAX_VEC_COMPONENTS], *i;

   if (v->num_components == 1 && v->bit_size == 32 &&
       (first || uniform || intr->intrinsic == nir_intrinsic_shuffle))
      return NULL;
   i = first ? NULL : number_of(b, intr);
   for (unsigned c = 0; c < v->num_components; c++)
      parts[c] = move_scalar(b, nir_channel(b, v, c), i, uniform);
   return nir_vec(b, parts, v->num_components);
}

/* ---- votes ---- */

/* Each value against the first invocation's, then a vote of all. */
static nir_value *
lower_vote(nir_builder *b, nir_intrinsic_instr *intr)
{
   nir_value *v = nir_use_value(b, intr->src[0], intr->num_components);
   nir_value *same = NULL;

   for (unsigned c = 0; c < v->num_components; c++) {
      nir_value *x = nir_channel(b, v, c);
      nir_value *first = move_scalar(b, x, NULL, true);
      nir_value *eq = intr->intrinsic == nir_intrinsic_vote_feq
                         ? nir_feq(b, x, first)
                         : nir_ieq(b, x, first);
      same = same ? nir_iand(b, same, eq) : eq;
   }
   return nir_vote_all(b, 1, same);
}

/* ---- sets of invocations ---- */

/* One word of a set as what was asked for; the rest is empty. */
static nir_value *
widen_set(nir_builder *b, const nir_intrinsic_instr *intr, nir_value *word)
{
   nir_value *parts[NIR_MAX_VEC_COMPONENTS];

   parts[0] = intr->instr.result.bit_size == 64 ? nir_u2u64(b, word) : word;
   for (unsigned c = 1; c < intr->instr.result.num_components; c++)
      parts[c] = nir_imm_intN_t(b, 0, intr->instr.result.bit_size);
   return nir_vec(b, parts, intr->instr.result.num_components);
}

static nir_value *
lower_ballot(nir_builder *b, nir_intrinsic_instr *intr)
{
   if (intr->instr.result.num_components == 1 &&
       intr->instr.result.bit_size == 32)
      return NULL;
   return widen_set(b, intr,
                    nir_ballot(b, 1, 32, nir_use_value(b, intr->src[0], 1)));
}

static nir_value *
lower_mask(nir_builder *b, nir_intrinsic_instr *intr)
{
   nir_value *self = nir_load_subgroup_invocation(b), *m;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_subgroup_eq_mask:
      m = nir_ishl(b, nir_imm_int(b, 1), self);
      break;
   case nir_intrinsic_load_subgroup_ge_mask:
      m = nir_ishl(b, nir_imm_int(b, -1), self);
      break;
   case nir_intrinsic_load_subgroup_gt_mask:
      m = nir_ishl(b, nir_imm_int(b, -2), self);
      break;
   case nir_intrinsic_load_subgroup_le_mask:
      m = nir_inot(b, nir_ishl(b, nir_imm_int(b, -2), self));
      break;
   default: m = nir_inot(b, nir_ishl(b, nir_imm_int(b, -1), self)); break;
   }
   return widen_set(b, intr, m);
}

/* ---- reductions and scans ---- */

static nir_value *
scan_like(nir_builder *b, const nir_intrinsic_instr *intr, nir_value *v)
{
   const unsigned op = nir_intrinsic_reduction_op(intr);

   switch (intr->intrinsic) {
   case nir_intrinsic_inclusive_scan:
      return nir_inclusive_scan(b, 1, v, .reduction_op = op);
   case nir_intrinsic_exclusive_scan:
      return nir_exclusive_scan(b, 1, v, .reduction_op = op);
   default:
      return nir_reduce(b, 1, v, .reduction_op = op,
                        .cluster_size = nir_intrinsic_cluster_size(intr));
   }
}

/* Whether invocation `i` is among those whose values invocation `self`
 * gets. */
static nir_value *
counts(nir_builder *b, const nir_intrinsic_instr *intr, nir_value *i,
       nir_value *self)
{
   unsigned size;

   switch (intr->intrinsic) {
   case nir_intrinsic_inclusive_scan: return nir_uge(b, self, i);
   case nir_intrinsic_exclusive_scan: return nir_ult(b, i, self);
   default: break;
   }
   size = nir_intrinsic_cluster_size(intr);
   if (!size || size >= INTEL_SUBGROUP_SIZE)
      return nir_imm_true(b);
   return nir_ult(b, nir_ixor(b, i, self), nir_imm_int(b, (int)size));
}

/*
 * Sums of 64-bit integers, invocation by invocation: nothing of the EU
 * multiplies or compares them, and lowering would have to reach into what
 * the back end makes of a scan.
 */
static nir_value *
scan_in_turn(nir_builder *b, const nir_intrinsic_instr *intr, nir_value *v)
{
   const nir_op op = (nir_op)nir_intrinsic_reduction_op(intr);
   nir_variable *left = nir_new_local(b->impl, glsl_uint_type(), "left");
   nir_variable *sum = nir_new_local(b->impl, glsl_uint64_t_type(), "sum");
   nir_value *self = nir_load_subgroup_invocation(b);

   nir_store_var(b, left, nir_ballot(b, 1, 32, nir_imm_true(b)), 1);
   nir_store_var(
      b, sum, nir_imm_intN_t(b, nir_reduction_identity(op, 64).u64, 64), 1);
   nir_push_loop(b);
   {
      nir_value *mask = nir_load_var(b, left);
      nir_value *i, *x, *old;

      nir_push_if(b, nir_ieq(b, mask, nir_imm_int(b, 0)));
      nir_jump(b, nir_jump_break);
      nir_pop_if(b, NULL);
      i = nir_find_lsb(b, mask);
      nir_store_var(b, left, nir_iand(b, mask, nir_iadd_imm(b, mask, -1)), 1);
      x = move_scalar(b, v, i, true);
      old = nir_load_var(b, sum);
      nir_store_var(b, sum,
                    nir_bcsel(b, counts(b, intr, i, self),
                              nir_build_alu(b, op, old, x, NULL, NULL), old),
                    1);
   }
   nir_pop_loop(b, NULL);
   return nir_load_var(b, sum);
}

static bool
is_float_op(nir_op op)
{
   return op == nir_op_fadd || op == nir_op_fmul || op == nir_op_fmin ||
          op == nir_op_fmax;
}

/* 8 and 16 bits as 32, less what only 32 can hold: what nothing was added
 * to. */
static nir_value *
scan_narrow(nir_builder *b, const nir_intrinsic_instr *intr, nir_value *v)
{
   const nir_op op = (nir_op)nir_intrinsic_reduction_op(intr);
   const unsigned bits = v->bit_size;
   const int most = (1 << (bits - 1)) - 1;

   switch (op) {
   case nir_op_fadd:
   case nir_op_fmul:
   case nir_op_fmin:
   case nir_op_fmax:
      return nir_f2fN(b, scan_like(b, intr, nir_f2f32(b, v)), bits);
   case nir_op_imin:
      v = scan_like(b, intr, nir_i2i32(b, v));
      return nir_u2uN(b, nir_imin(b, v, nir_imm_int(b, most)), bits);
   case nir_op_imax:
      v = scan_like(b, intr, nir_i2i32(b, v));
      return nir_u2uN(b, nir_imax(b, v, nir_imm_int(b, -most - 1)), bits);
   case nir_op_umin:
      v = scan_like(b, intr, nir_u2u32(b, v));
      return nir_u2uN(b, nir_umin(b, v, nir_imm_int(b, 2 * most + 1)), bits);
   default: return nir_u2uN(b, scan_like(b, intr, nir_u2u32(b, v)), bits);
   }
}

static nir_value *
lower_scan(nir_builder *b, nir_intrinsic_instr *intr)
{
   const nir_op op = (nir_op)nir_intrinsic_reduction_op(intr);
   nir_value *v = nir_use_value(b, intr->src[0], intr->num_components);
   nir_value *parts[NIR_MAX_VEC_COMPONENTS];
   const bool in_turn = v->bit_size == 64 && !is_float_op(op);

   if (v->num_components == 1 && v->bit_size >= 32 && !in_turn)
      return NULL;
   for (unsigned c = 0; c < v->num_components; c++) {
      nir_value *x = nir_channel(b, v, c);

      if (in_turn)
         parts[c] = scan_in_turn(b, intr, x);
      else if (x->bit_size == 1)
         parts[c] = nir_ine(b, scan_like(b, intr, nir_b2i32(b, x)),
                            nir_imm_int(b, 0));
      else if (x->bit_size < 32)
         parts[c] = scan_narrow(b, intr, x);
      else
         parts[c] = scan_like(b, intr, x);
   }
   return nir_vec(b, parts, v->num_components);
}

/* ---- all of them ---- */

/* NULL: it stays as it is. */
static nir_value *
lowered(nir_builder *b, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_vote_ieq:
   case nir_intrinsic_vote_feq: return lower_vote(b, intr);
   case nir_intrinsic_ballot: return lower_ballot(b, intr);
   case nir_intrinsic_load_subgroup_eq_mask:
   case nir_intrinsic_load_subgroup_ge_mask:
   case nir_intrinsic_load_subgroup_gt_mask:
   case nir_intrinsic_load_subgroup_le_mask:
   case nir_intrinsic_load_subgroup_lt_mask: return lower_mask(b, intr);
   case nir_intrinsic_load_subgroup_size:
      return nir_imm_int(b, b->shader->info.subgroup_size
                               ? b->shader->info.subgroup_size
                               : INTEL_SUBGROUP_SIZE);
   case nir_intrinsic_quad_broadcast:
   case nir_intrinsic_quad_swap_diagonal:
   case nir_intrinsic_quad_swap_horizontal:
   case nir_intrinsic_quad_swap_vertical:
   case nir_intrinsic_read_first_invocation:
   case nir_intrinsic_read_invocation:
   case nir_intrinsic_shuffle:
   case nir_intrinsic_shuffle_down:
   case nir_intrinsic_shuffle_up:
   case nir_intrinsic_shuffle_xor: return lower_move(b, intr);
   case nir_intrinsic_reduce:
   case nir_intrinsic_inclusive_scan:
   case nir_intrinsic_exclusive_scan: return lower_scan(b, intr);
   default: return NULL;
   }
}

bool
intel_nir_lower_subgroups(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   struct util_dynarray list = { 0 };
   bool progress = false;
   nir_builder b;

   /* What is made of a scan has blocks of its own: first the list. */
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            util_dynarray_append(&list, nir_intrinsic_instr *,
                                 nir_instr_as_intrinsic(instr));
      }
   }
   nir_builder_init(&b, impl);
   util_dynarray_foreach(&list, nir_intrinsic_instr *, p) {
      nir_intrinsic_instr *intr = *p;
      nir_value *def;

      b.cursor = nir_before_instr(&intr->instr);
      def = lowered(&b, intr);
      if (!def)
         continue;
      nir_instr_replace(&intr->instr, def);
      progress = true;
   }
   util_dynarray_fini(&list);
   nir_changed(impl, progress, nir_metadata_none);
   return progress;
}
