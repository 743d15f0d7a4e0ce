/* SPDX-License-Identifier: MIT */
/*
 * Quotients, roots and remainders of doubles by short sequences where the
 * exponents of the operands are those of most numbers, and by what
 * nir_lower_doubles() makes of them only where they are not.
 *
 * Before: SSA. After: after the operations of a block that do not depend on
 * one another there is one `if`, whose condition is that an operand of one of
 * them is out of range; the operations are in it. The short sequences stand
 * in front of it, so that they are scheduled together, and share the
 * reciprocals of divisors that they have in common.
 *
 * The sequences give the same results as the long ones, bit by bit for div,
 * rcp and sqrt: docs/fp64.rst has the argument, tests/fp64 its critical
 * cases. Quotients by constants, nir_const_quotients.c, have no long form in
 * the `if`, but one for numerators that are far from 1.
 */
#include "nir_doubles_private.h"

typedef nir_value def;

/* Of operands, so that neither the seed nor any intermediate result is
 * subnormal: a float's exponents, but for a few. Their middle is that of all
 * high halves, see magnitude(). */
#define MIN_EXPONENT (-123)
#define NUM_EXPONENTS 248
/* Of a remainder's quotient: a product with a reciprocal of 41 bits is off by
 * less than one, and the remainder is less than the divisor when rounded. */
#define MIN_QUOTIENT_EXPONENT (-50)
#define NUM_QUOTIENT_EXPONENTS 89

/* Divisors that are this close to the next power of two are left out, as
 * their reciprocals are so close to a tie: all ones in the high half. */
#define ALMOST_TWO 0xfffff000u

#define BIAS 1023
/* Without sign; only NaN are beyond. */
#define DOUBLED_INFINITY 0xffe00000u

/* ---- sequences ---- */

/* Less than NUM_EXPONENTS << 20 if x is in range, `hi` being the magnitude of
 * its high half. */
static def *
distance(nir_builder *b, def *hi, int min_exponent)
{
   return nir_iadd_imm(b, hi, -((min_exponent + BIAS) << 20));
}

static def *
high(nir_builder *b, def *x)
{
   return nir_unpack_64_2x32_split_y(b, x);
}

/* +0, or a zero of either sign. */
static def *
is_zero(nir_builder *b, def *x, bool either_sign)
{
   def *hi = high(b, x);
   if (either_sign)
      hi = nir_ishl_imm(b, hi, 1);
   def *bits = nir_ior(b, nir_unpack_64_2x32_split_x(b, x), hi);
   return nir_ieq_imm(b, bits, 0);
}

/* Of a negative number, whose high half is h, this is 2^32 - h, which is
 * 2^31 less the magnitude: that is within a range around 2^30 where the
 * magnitude is, but for the ends of the range, which change places. Unlike a
 * mask it costs nothing: it is how an addition can read its operand. */
static def *
magnitude(nir_builder *b, def *x)
{
   return nir_iabs(b, high(b, x));
}

/* What is to be tested, component by component. */
struct guard {
   struct nir_value_set distances;
   struct nir_value_set significands; /* of divisors, shifted to the top */
   struct nir_value_set far;          /* of what constants divide */
   struct nir_value_set bad;          /* other reasons */
   struct nir_value_set numerators, divisors; /* that are in it */
   /* -0, too, where +0 is good, and NaN, of which all makes NaN. */
   bool second_look;
};

static void
add_components(nir_builder *b, struct nir_value_set *set, def *x)
{
   for (unsigned c = 0; c < x->num_components; c++)
      set->values[set->count++] = nir_channel(b, x, c);
}

/* Of all, in as few steps after one another as can be. */
static def *
reduce(nir_builder *b, struct nir_value_set *set, nir_op op)
{
   while (set->count > 1) {
      const unsigned n = set->count;
      for (unsigned i = 0; i < n / 2; i++)
         set->values[i] =
            nir_build_alu2(b, op, set->values[2 * i], set->values[2 * i + 1]);
      if (n % 2)
         set->values[n / 2] = set->values[n - 1];
      set->count = (n + 1) / 2;
   }
   return set->values[0];
}

/* x may be zero, too, if `or_zero` says so. The second look computes all
 * anew: what it shared with the first would be live for nothing mostly. */
static void
guard_range(nir_builder *b, struct guard *g, def *x, bool or_zero)
{
   def *zero = nir_imm_int(b, 0), *d;
   if (g->second_look) {
      def *doubled = nir_ishl_imm(b, high(b, x), 1);
      d = nir_iadd_imm(b, doubled, -((MIN_EXPONENT + BIAS) << 21));
      d = nir_bcsel(
         b, nir_ult(b, nir_imm_int(b, (int)DOUBLED_INFINITY), doubled), zero,
         d);
   } else {
      d = distance(b, magnitude(b, x), MIN_EXPONENT);
   }
   if (or_zero)
      d = nir_bcsel(b, is_zero(b, x, g->second_look), zero, d);
   add_components(b, &g->distances, d);
}

static void
guard_numerator(nir_builder *b, struct guard *g, def *n)
{
   if (nir_value_set_add(&g->numerators, n))
      guard_range(b, g, n, true);
}

static void
guard_divisor(nir_builder *b, struct guard *g, def *d)
{
   if (!nir_value_set_add(&g->divisors, d))
      return;
   guard_range(b, g, d, false);
   add_components(b, &g->significands, nir_ishl_imm(b, high(b, d), 12));
}

static void
guard_const_quotient(nir_builder *b, struct guard *g, def *n)
{
   if (!nir_value_set_add(&g->numerators, n))
      return;
   def *d = distance(b, magnitude(b, n), 1 - NIR_CONST_QUOTIENT_EXPONENT);
   if (g->second_look)
      d = nir_bcsel(b, is_zero(b, n, true), nir_imm_int(b, 0), d);
   add_components(b, &g->far, d);
}

/* The greatest of a set is `limit` or more. */
static void
add_limit(nir_builder *b, struct guard *g, struct nir_value_set *set,
          uint32_t limit)
{
   if (set->count)
      g->bad.values[g->bad.count++] =
         nir_uge(b, reduce(b, set, nir_op_umax), nir_imm_int(b, (int)limit));
}

static def *
guard_condition(nir_builder *b, struct guard *g)
{
   add_limit(b, g, &g->distances, NUM_EXPONENTS << (20 + g->second_look));
   add_limit(b, g, &g->significands, ALMOST_TWO);
   add_limit(b, g, &g->far, (2 * NIR_CONST_QUOTIENT_EXPONENT) << 20);
   return reduce(b, &g->bad, nir_op_ior);
}

static void
guard_mod(nir_builder *b, struct guard *g, def *x, def *q)
{
   def *far = nir_uge(b,
                      distance(b, nir_iand_imm(b, high(b, q), 0x7fffffff),
                               MIN_QUOTIENT_EXPONENT),
                      nir_imm_int(b, NUM_QUOTIENT_EXPONENTS << 20));
   far = nir_iand(b, far, nir_inot(b, is_zero(b, x, g->second_look)));
   add_components(b, &g->bad, far);
}

/* An operation, its operands, what the short form makes of them; of a
 * remainder, the quotient. */
struct guarded {
   nir_alu_instr *alu;
   def *src[2], *result, *quotient;
   bool by_constant, by_call;
};

static def *
short_form(nir_builder *b, struct guarded *op)
{
   def *const *s = op->src;
   if (op->by_constant)
      return nir_const_quotient(b, op->alu, s[0]);
   switch (op->alu->op) {
   case nir_op_frcp: return nir_short_div(b, nir_imm_double(b, 1.0), s[0]);
   case nir_op_fdiv: return nir_short_div(b, s[0], s[1]);
   case nir_op_fsqrt: return nir_short_sqrt(b, s[0]);
   case nir_op_frsq: return nir_short_rsq(b, s[0]);
   case nir_op_fmod: return nir_short_mod(b, s[0], s[1], &op->quotient);
   default: unreachable("not guarded");
   }
}

/* The operands with which it gives the right result. */
static void
guard_operands(nir_builder *b, struct guard *g, const struct guarded *op)
{
   if (op->by_constant) {
      guard_const_quotient(b, g, op->src[0]);
      return;
   }
   switch (op->alu->op) {
   case nir_op_frcp: guard_divisor(b, g, op->src[0]); break;
   case nir_op_fdiv:
      guard_numerator(b, g, op->src[0]);
      guard_divisor(b, g, op->src[1]);
      break;
   case nir_op_fsqrt: guard_range(b, g, op->src[0], true); break;
   case nir_op_frsq: guard_range(b, g, op->src[0], false); break;
   case nir_op_fmod:
      guard_divisor(b, g, op->src[1]);
      guard_mod(b, g, op->src[0], op->quotient);
      break;
   default: unreachable("not guarded");
   }
}

/* The short form of -0, too: of a numerator that is zero the rest is +0, and
 * the sum of that and a quotient of -0 is +0. All others have the sign. */
static def *
with_sign(nir_builder *b, const struct guarded *op, def *r)
{
   if (op->alu->op != nir_op_fdiv || op->by_constant)
      return r;
   def *sign = nir_ixor(b, high(b, op->src[0]), high(b, op->src[1]));
   def *hi = nir_ior(b, high(b, r), nir_iand_imm(b, sign, 0x80000000));
   return nir_pack_64_2x32_split(b, nir_unpack_64_2x32_split_x(b, r), hi);
}

/* ---- the ifs ---- */

/* Operations after one check; of scalars, which take few registers, more. */
#define MAX_UNIFORM 32
#define MAX_TOGETHER 16
#define MAX_CONSTANTS 4

static struct nir_value_set
new_set(nir_builder *b, unsigned count)
{
   return (struct nir_value_set) {
      arena_new_array(b->shader->arena, def *, count), 0
   };
}

/* Whether the operands of one are beyond its short form. */
static def *
guard_all(nir_builder *b, const struct guarded *ops, unsigned count,
          bool second_look)
{
   unsigned components = 0;
   for (unsigned i = 0; i < count; i++)
      components += ops[i].alu->instr.result.num_components;
   struct guard g = {
      .distances = new_set(b, 2 * components),
      .significands = new_set(b, components),
      .far = new_set(b, components),
      .bad = new_set(b, components + 3),
      .numerators = new_set(b, count),
      .divisors = new_set(b, count),
      .second_look = second_look,
   };
   for (unsigned i = 0; i < count; i++)
      guard_operands(b, &g, &ops[i]);
   return guard_condition(b, &g);
}

static nir_if *
push_unlikely(nir_builder *b, def *condition)
{
   nir_if *nif = nir_push_if(b, condition);
   nif->control = nir_selection_control_unlikely;
   return nif;
}

/* The short form of a zero, too, or of NaN: of a numerator that is -0, what
 * is added last may be +0. Quotients get their sign, a product is that
 * zero. */
static def *
good_form(nir_builder *b, const struct guarded *op)
{
   return op->by_constant ? nir_const_product(b, op->alu, op->src[0])
                          : op->result;
}

static def *
long_form(nir_builder *b, const struct guarded *op)
{
   if (op->by_call)
      return nir_call_double(b, op->alu->op, op->src[0], op->src[1]);
   return op->by_constant ? nir_any_const_quotient(b, op->alu, op->src[0])
                          : nir_build_alu(b, op->alu->op, op->src[0],
                                          op->src[1], NULL, NULL);
}

/* Whether the long forms are so much more than a second look that zeros are
 * kept from them: where many numbers are divided by one, or by constants,
 * which have little but those. */
static bool
wants_second_look(const struct guarded *ops, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (ops[i].by_constant)
         return true;
      for (unsigned j = 0; j < i; j++) {
         if (ops[i].src[1] && ops[i].src[1] == ops[j].src[1])
            return true;
      }
   }
   return false;
}

static void
build_long_forms(nir_builder *b, const struct guarded *ops, unsigned count,
                 def **out)
{
   for (unsigned i = 0; i < count; i++)
      out[i] = long_form(b, &ops[i]);
}

/* If a second look finds only what the short forms are good for, those, with
 * the signs of zeros. */
static void
build_second_look(nir_builder *b, const struct guarded *ops, unsigned count,
                  def **out)
{
   def **good = arena_new_array(b->shader->arena, def *, count);
   nir_if *nif = push_unlikely(b, guard_all(b, ops, count, true));
   build_long_forms(b, ops, count, out);
   nir_push_else(b, nif);
   for (unsigned i = 0; i < count; i++)
      good[i] = with_sign(b, &ops[i], good_form(b, &ops[i]));
   nir_pop_if(b, nif);
   for (unsigned i = 0; i < count; i++) {
      out[i] = nir_if_phi(b, out[i], good[i]);
      out[i]->divergent = ops[i].alu->instr.result.divergent;
   }
}

/* Operations of one level: the short forms, the check, what they were. */
static void
guard_some(nir_builder *b, struct guarded *ops, unsigned count)
{
   b->cursor = nir_after_instr(&ops[count - 1].alu->instr);
   b->exact = true;
   for (unsigned i = 0; i < count; i++) {
      struct guarded *op = &ops[i];
      op->by_constant = nir_is_const_quotient(op->alu);
      for (unsigned s = 0; s < nir_op_infos[op->alu->op].num_inputs; s++)
         op->src[s] = nir_mov_alu(b, op->alu->src[s],
                                  op->alu->instr.result.num_components);
      op->result = short_form(b, op);
   }
   nir_if *nif = push_unlikely(b, guard_all(b, ops, count, false));
   def **slow = arena_new_array(b->shader->arena, def *, count);
   if (wants_second_look(ops, count))
      build_second_look(b, ops, count, slow);
   else
      build_long_forms(b, ops, count, slow);
   nir_pop_if(b, nif);
   for (unsigned i = 0; i < count; i++) {
      def *phi = nir_if_phi(b, slow[i], ops[i].result);
      phi->divergent = ops[i].alu->instr.result.divergent;
      nir_value_replace(&ops[i].alu->instr.result, phi);
      nir_instr_remove(&ops[i].alu->instr);
   }
}

static unsigned
how_many_together(const struct guarded *ops, unsigned count)
{
   unsigned constants = 0;
   if (count && !ops[0].alu->instr.result.divergent)
      return MAX_UNIFORM;
   for (unsigned i = 0; i < count; i++)
      constants += nir_is_const_quotient(ops[i].alu);
   return constants > MAX_CONSTANTS ? MAX_CONSTANTS : MAX_TOGETHER;
}

static void
count_long_forms(struct nir_double_order *o, nir_function_impl *impl)
{
   nir_foreach_instr_of(instr, impl) {
      if (o->options & nir_lower_dcalls && instr->result.divergent &&
          nir_is_guarded(instr, o->options))
         nir_count_long_form(&o->calls, nir_instr_as_alu(instr));
   }
}

/* Scalars and others apart: whose condition differs between channels, differ
 * themselves. */
static void
guard_level(nir_builder *b, const struct nir_double_order *o, unsigned level,
            bool divergent, struct arena *arena)
{
   struct guarded *ops = arena_new_array(arena, struct guarded, o->count);
   unsigned n = 0;
   for (unsigned i = 0; i < o->count; i++) {
      const struct nir_double_item *it = &o->items[i];
      if (!it->guarded || it->level != level)
         continue;
      nir_alu_instr *alu = nir_instr_as_alu(it->instr);
      if (alu->instr.result.divergent == divergent)
         ops[n++].alu = alu;
   }
   const unsigned step = how_many_together(ops, n);
   for (unsigned i = 0; i < n; i++)
      ops[i].by_call = divergent && nir_is_called(&o->calls, ops[i].alu->op);
   for (unsigned i = 0; i < n; i += step)
      guard_some(b, ops + i, MIN2(n - i, step));
}

static bool
run_block(nir_builder *b, struct nir_double_order *o, nir_block *block,
          struct arena *arena)
{
   bool progress = false;
   for (nir_instr *i = nir_start_double_order(o, block, arena);
        i && nir_order_doubles(o, i); i = o->end) {
      for (unsigned level = 0; level < o->num_levels; level++) {
         guard_level(b, o, level, false, arena);
         guard_level(b, o, level, true, arena);
      }
      progress = true;
   }
   return progress;
}

/* Whether it is, as far as this matters here. */
static bool
is_uniform(const nir_intrinsic_instr *intr, const void *data)
{
   (void)data;
   switch (intr->intrinsic) {
   case nir_intrinsic_load_ubo:
   case nir_intrinsic_load_push_constant:
   case nir_intrinsic_load_uniform:
   case nir_intrinsic_vulkan_resource_index:
   case nir_intrinsic_vulkan_resource_reindex:
   case nir_intrinsic_load_vulkan_descriptor: return true;
   case nir_intrinsic_load_deref:
      return nir_deref_mode_is_one_of(
         nir_use_as_deref(intr->src[0]),
         nir_var_mem_ubo | nir_var_mem_push_const | nir_var_uniform);
   default: return false;
   }
}

static bool
use_exact_reciprocals(nir_builder *b, nir_function_impl *impl)
{
   bool found = false;
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->kind != nir_kind_alu)
            continue;
         found |= nir_exact_quotient(b, nir_instr_as_alu(instr));
      }
   }
   return found;
}

static bool
run_impl(nir_function_impl *impl, nir_lower_doubles_options options)
{
   nir_builder b;
   nir_builder_init(&b, impl);
   bool progress = options & nir_lower_ddiv &&
                   use_exact_reciprocals(&b, impl);
   struct arena *arena = arena_create(NULL);
   nir_number_values(impl);
   nir_find_divergence(impl, is_uniform, NULL);
   struct nir_double_order o = {
      .num_defs = impl->num_values,
      .item_of = arena_new_array(arena, uint32_t, impl->num_values),
      .options = options,
   };
   count_long_forms(&o, impl);
   /* The blocks that come of one are not looked at: the operations in them
    * are those that are to stay. */
   for (nir_block *block = nir_start_block(impl), *next; block;
        block = next) {
      next = nir_block_cf_tree_next(block);
      progress |= run_block(&b, &o, block, arena);
   }
   arena_destroy(arena);
   nir_changed(impl, progress, nir_metadata_none);
   if (progress)
      nir_make_double_routines(&o.calls, impl->function->shader);
   return progress;
}

bool
nir_guard_doubles(nir_shader *shader, nir_lower_doubles_options options)
{
   return run_impl(nir_entry_point(shader), options);
}
