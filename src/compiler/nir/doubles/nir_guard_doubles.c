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
 * To have as few ifs as possible, the instructions of a block are sorted by
 * the number of such ifs that they lie behind; what only computes may move
 * past anything, all else keeps its order. A derivative does, too: it needs
 * what a discard behind it ends.
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

struct def_set {
   def **defs;
   unsigned count;
};

/* What is to be tested, component by component. */
struct guard {
   struct def_set distances;
   struct def_set significands;         /* of divisors, shifted to the top */
   struct def_set far;                  /* of what constants divide */
   struct def_set bad;                  /* other reasons */
   struct def_set numerators, divisors; /* that are in it */
   /* -0, too, where +0 is good, and NaN, of which all makes NaN. */
   bool second_look;
};

static void
add_components(nir_builder *b, struct def_set *set, def *x)
{
   for (unsigned c = 0; c < x->num_components; c++)
      set->defs[set->count++] = nir_channel(b, x, c);
}

/* Of all, in as few steps after one another as can be. */
static def *
reduce(nir_builder *b, struct def_set *set, nir_op op)
{
   while (set->count > 1) {
      const unsigned n = set->count;
      for (unsigned i = 0; i < n / 2; i++)
         set->defs[i] =
            nir_build_alu2(b, op, set->defs[2 * i], set->defs[2 * i + 1]);
      if (n % 2)
         set->defs[n / 2] = set->defs[n - 1];
      set->count = (n + 1) / 2;
   }
   return set->defs[0];
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

/* Components of one vector are divided by one number, often. */
static bool
add(struct def_set *set, def *x)
{
   for (unsigned i = 0; i < set->count; i++) {
      if (set->defs[i] == x)
         return false;
   }
   set->defs[set->count++] = x;
   return true;
}

static void
guard_numerator(nir_builder *b, struct guard *g, def *n)
{
   if (add(&g->numerators, n))
      guard_range(b, g, n, true);
}

static void
guard_divisor(nir_builder *b, struct guard *g, def *d)
{
   if (!add(&g->divisors, d))
      return;
   guard_range(b, g, d, false);
   add_components(b, &g->significands, nir_ishl_imm(b, high(b, d), 12));
}

static void
guard_const_quotient(nir_builder *b, struct guard *g, def *n)
{
   if (!add(&g->numerators, n))
      return;
   def *d = distance(b, magnitude(b, n), 1 - NIR_CONST_QUOTIENT_EXPONENT);
   if (g->second_look)
      d = nir_bcsel(b, is_zero(b, n, true), nir_imm_int(b, 0), d);
   add_components(b, &g->far, d);
}

/* The greatest of a set is `limit` or more. */
static void
add_limit(nir_builder *b, struct guard *g, struct def_set *set,
          uint32_t limit)
{
   if (set->count)
      g->bad.defs[g->bad.count++] =
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
   bool by_constant;
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

/* ---- the order within a block ---- */

#define MAX_LEVEL 250

struct item {
   nir_instr *instr;
   uint8_t level; /* number of ifs in front of it */
   uint8_t first; /* at least so many: for what it depends on */
   bool guarded, moves;
};

struct order {
   struct item *items;
   unsigned count;
   uint32_t *item_of; /* by SSA index, plus 1 */
   unsigned num_defs;
   nir_lower_doubles_options options;
};

static bool
is_guarded(const nir_instr *instr, nir_lower_doubles_options options)
{
   if (instr->kind != nir_kind_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
   if (alu->instr.result.bit_size != 64)
      return false;
   switch (alu->op) {
   case nir_op_frcp: return options & nir_lower_drcp;
   case nir_op_fdiv: return options & nir_lower_ddiv;
   case nir_op_fsqrt: return options & nir_lower_dsqrt;
   case nir_op_frsq: return options & nir_lower_drsq;
   case nir_op_fmod: return options & nir_lower_dmod;
   default: return false;
   }
}

struct source_walk {
   const struct order *o;
   uint8_t value;
};

static struct item *
item_of(const struct order *o, const nir_use *src)
{
   const uint32_t n =
      src->value->index < o->num_defs ? o->item_of[src->value->index] : 0;
   /* What it says of other blocks' values is out of date. */
   return n && n <= o->count && o->items[n - 1].instr == src->value->instr
             ? &o->items[n - 1]
             : NULL;
}

static bool
raise_level(nir_use *src, void *state)
{
   struct source_walk *w = state;
   const struct item *from = item_of(w->o, src);
   if (from)
      w->value = MAX2(w->value, (uint8_t)(from->first + from->guarded));
   return true;
}

static bool
lower_sources(nir_use *src, void *state)
{
   const struct source_walk *w = state;
   struct item *from = item_of(w->o, src);
   if (from)
      from->level = MIN2(from->level, w->value);
   return true;
}

/* No earlier than their sources, all. */
static void
earliest_levels(struct order *o)
{
   uint8_t pinned = 0;
   for (unsigned i = 0; i < o->count; i++) {
      struct item *it = &o->items[i];
      struct source_walk w = { o, it->moves ? 0 : pinned };
      nir_visit_uses(it->instr, raise_level, &w);
      it->first = w.value;
      it->guarded &= it->first < MAX_LEVEL;
      if (!it->moves)
         pinned = w.value;
   }
}

/* Where they stand, if that is in front of their users: what comes after an
 * operation and is not needed for another one beside it stays behind. */
static void
final_levels(struct order *o)
{
   uint8_t here = 0;
   for (unsigned i = 0; i < o->count; i++) {
      struct item *it = &o->items[i];
      it->level = it->moves && !it->guarded ? MAX2(it->first, here)
                                            : it->first;
      if (it->guarded)
         here = MAX2(here, it->first + 1);
   }
   for (unsigned i = o->count; i-- > 0;) {
      struct source_walk w = { o, o->items[i].level };
      nir_visit_uses(o->items[i].instr, lower_sources, &w);
   }
}

static bool
note_def(nir_value *d, void *state)
{
   const struct order *o = state;
   o->item_of[d->index] = o->count;
   return true;
}

/* False if there is nothing to guard. */
static bool
collect(struct order *o, nir_block *block, struct arena *arena)
{
   unsigned n = 0;
   bool any = false;
   nir_foreach_instr(instr, block) {
      any |= is_guarded(instr, o->options);
      n++;
   }
   if (!any)
      return false;
   o->items = arena_new_array(arena, struct item, n);
   o->count = 0;
   nir_foreach_instr(instr, block) {
      if (instr->kind == nir_kind_phi || instr->kind == nir_kind_jump)
         continue;
      struct item *it = &o->items[o->count++];
      it->instr = instr;
      it->guarded = is_guarded(instr, o->options);
      it->moves = (instr->kind == nir_kind_alu &&
                   !nir_op_is_derivative(nir_instr_as_alu(instr)->op)) ||
                  instr->kind == nir_kind_load_const ||
                  instr->kind == nir_kind_undef;
      nir_visit_value(instr, note_def, o);
   }
   return true;
}

/* Puts them in order; the operations of a level are its end. */
static unsigned
sort(struct order *o, nir_block *block)
{
   unsigned levels = 0;
   nir_instr *last = nir_block_last_instr(block);
   const bool jumps = last && last->kind == nir_kind_jump;
   for (unsigned i = 0; i < o->count; i++)
      levels = MAX2(levels, o->items[i].level + 1u);
   for (unsigned level = 0; level < levels; level++) {
      for (unsigned guarded = 0; guarded < 2; guarded++) {
         for (unsigned i = 0; i < o->count; i++) {
            const struct item *it = &o->items[i];
            if (it->level == level && it->guarded == (bool)guarded)
               nir_instr_move(jumps ? nir_before_instr(last)
                                    : nir_after_block(block),
                              it->instr);
         }
      }
   }
   return levels;
}

/* ---- the ifs ---- */

/* Operations after one check. Four hide each other's latencies; with more
 * divisors than that, or numbers to take the root of, there would be too many
 * registers, as the results of all are there when an `if` begins: each has
 * its own then. Scalars take few. */
#define MAX_UNIFORM 32
#define MAX_TOGETHER 16
#define MAX_DIVISORS 4
#define MAX_CONSTANTS 4
#define FEW_TOGETHER 1

static struct def_set
new_set(nir_builder *b, unsigned count)
{
   return (struct def_set) { arena_new_array(b->shader->arena, def *, count),
                             0 };
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
   return op->by_constant ? nir_any_const_quotient(b, op->alu, op->src[0])
                          : nir_build_alu(b, op->alu->op, op->src[0],
                                          op->src[1], NULL, NULL);
}

/* If a second look finds only what the short forms are good for, those, with
 * the signs of zeros. */
static void
build_long_forms(nir_builder *b, const struct guarded *ops, unsigned count,
                 def **out)
{
   def **good = arena_new_array(b->shader->arena, def *, count);
   for (unsigned i = 0; i < count; i++)
      good[i] = good_form(b, &ops[i]);
   nir_if *nif = push_unlikely(b, guard_all(b, ops, count, true));
   for (unsigned i = 0; i < count; i++)
      out[i] = long_form(b, &ops[i]);
   nir_pop_if(b, nif);
   for (unsigned i = 0; i < count; i++) {
      out[i] = nir_if_phi(b, out[i], good[i]);
      out[i]->divergent = ops[i].alu->instr.result.divergent;
   }
   for (unsigned i = 0; i < count; i++)
      out[i] = with_sign(b, &ops[i], out[i]);
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
how_many_together(const struct guarded *ops, unsigned count,
                  struct arena *arena)
{
   if (count && !ops[0].alu->instr.result.divergent)
      return MAX_UNIFORM;
   struct def_set divisors = { arena_new_array(arena, def *, count), 0 };
   unsigned constants = 0;
   for (unsigned i = 0; i < count; i++) {
      const nir_alu_instr *alu = ops[i].alu;
      const unsigned last = nir_op_infos[alu->op].num_inputs - 1;
      if (nir_is_const_quotient(alu))
         constants++;
      else
         add(&divisors, alu->src[last].use.value);
   }
   if (divisors.count > MAX_DIVISORS)
      return FEW_TOGETHER;
   return constants > MAX_CONSTANTS ? MAX_CONSTANTS : MAX_TOGETHER;
}

/* Scalars and others apart: whose condition differs between channels, differ
 * themselves. */
static void
guard_level(nir_builder *b, const struct order *o, unsigned level,
            bool divergent, struct arena *arena)
{
   struct guarded *ops = arena_new_array(arena, struct guarded, o->count);
   unsigned n = 0;
   for (unsigned i = 0; i < o->count; i++) {
      const struct item *it = &o->items[i];
      if (!it->guarded || it->level != level)
         continue;
      nir_alu_instr *alu = nir_instr_as_alu(it->instr);
      if (alu->instr.result.divergent == divergent)
         ops[n++].alu = alu;
   }
   const unsigned step = how_many_together(ops, n, arena);
   for (unsigned i = 0; i < n; i += step)
      guard_some(b, ops + i, MIN2(n - i, step));
}

static bool
run_block(nir_builder *b, struct order *o, nir_block *block,
          struct arena *arena)
{
   if (!collect(o, block, arena))
      return false;
   earliest_levels(o);
   final_levels(o);
   const unsigned levels = sort(o, block);
   for (unsigned level = 0; level < levels; level++) {
      guard_level(b, o, level, false, arena);
      guard_level(b, o, level, true, arena);
   }
   return true;
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
   bool progress = false;
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->kind == nir_kind_alu)
            progress |= nir_exact_quotient(b, nir_instr_as_alu(instr));
      }
   }
   return progress;
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
   struct order o = {
      .num_defs = impl->num_values,
      .item_of = arena_new_array(arena, uint32_t, impl->num_values),
      .options = options,
   };
   /* The blocks that come of one are not looked at: the operations in them
    * are those that are to stay. */
   for (nir_block *block = nir_start_block(impl), *next; block;
        block = next) {
      next = nir_block_cf_tree_next(block);
      progress |= run_block(&b, &o, block, arena);
   }
   arena_destroy(arena);
   nir_changed(impl, progress, nir_metadata_none);
   return progress;
}

bool
nir_guard_doubles(nir_shader *shader, nir_lower_doubles_options options)
{
   bool progress = false;
   nir_foreach_impl(impl, shader)
      progress |= run_impl(impl, options);
   return progress;
}
