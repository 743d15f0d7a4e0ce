/* SPDX-License-Identifier: MIT */
/*
 * Offsets of loads and stores become a base and a constant, with the same
 * base wherever that is so.
 *
 *    a = load ((i << 3) >> 3) << 3        base = i << 3
 *    b = load (i + 1) << 3                a = load base
 *                                         b = load base + 8
 *
 * Method: an offset is a sum modulo 2^32, c + k0 x0 + k1 x1 + ..., of
 * constants and values. Additions, negations, shifts and products by
 * constants are what they are; (x >> n) << n is x where its low bits are
 * known to be zero, and a mask that takes off bits that are shifted out is
 * nothing. Offsets of a block with the same k and x are counted on from one
 * base: where some of them have bases of their own, or are shorter so.
 *
 * Before: SSA, offsets in bytes, 32 bits. Cost: n log n in the accesses of a
 * block, at most MAX_STEPS instructions are looked at for each.
 */
#include <stdlib.h>

#include "nir_access.h"

#include "util/dynarray.h"

#define MAX_TERMS 4
#define MAX_STEPS 48

struct term {
   nir_value *def;
   unsigned comp;
   uint32_t factor;
};

struct sum {
   uint32_t constant;
   unsigned num, steps;
   bool is_shorter; /* than what it was made from */
   struct term terms[MAX_TERMS];
};

struct offset {
   struct nir_access a;
   struct sum sum;
};

/* ---- offsets as sums ---- */

static bool add_value(struct sum *s, nir_value *def, unsigned comp,
                      uint32_t factor);

static bool
add_source(struct sum *s, const nir_alu_instr *alu, unsigned i, unsigned comp,
           uint32_t factor)
{
   return add_value(s, alu->src[i].use.value, alu->src[i].swizzle[comp],
                    factor);
}

/* The constant among the two sources, if there is one. */
static bool
constant_source(const nir_alu_instr *alu, unsigned comp, unsigned *which,
                uint32_t *value)
{
   for (unsigned i = 0; i < 2; i++) {
      if (nir_use_is_const(alu->src[i].use)) {
         *which = i;
         *value = (uint32_t)nir_use_comp_as_uint(alu->src[i].use,
                                                 alu->src[i].swizzle[comp]);
         return true;
      }
   }
   return false;
}

/* factor * (x & mask) is factor * x where the bits that the mask takes off
 * are zero, or shifted out. */
static bool
mask_is_nothing(const nir_alu_instr *alu, unsigned comp, unsigned which,
                uint32_t mask, uint32_t factor)
{
   const nir_operand *x = &alu->src[1 - which];
   const unsigned low = nir_zero_low_bits(x->use.value, x->swizzle[comp]);
   const uint32_t kept = UINT32_MAX >> __builtin_ctz(factor);

   return (mask | ~kept | (uint32_t)BITFIELD64_MASK(low)) == UINT32_MAX;
}

static bool
add_term(struct sum *s, nir_value *def, unsigned comp, uint32_t factor)
{
   for (unsigned i = 0; i < s->num; i++) {
      struct term *t = &s->terms[i];
      if (t->def != def || t->comp != comp)
         continue;
      t->factor += factor;
      if (!t->factor)
         *t = s->terms[--s->num];
      return true;
   }
   if (s->num == MAX_TERMS)
      return false;
   s->terms[s->num++] = (struct term) { def, comp, factor };
   return true;
}

/* Goes back to what there was, but for the steps. */
static void
invalidate(struct sum *s, const struct sum *before)
{
   const unsigned steps = s->steps;

   *s = *before;
   s->steps = steps;
}

static bool
add_alu(struct sum *s, const nir_alu_instr *alu, unsigned comp,
        uint32_t factor)
{
   const struct sum before = *s;
   uint32_t k;
   unsigned which;

   switch (alu->op) {
   case nir_op_mov: return add_source(s, alu, 0, comp, factor);
   case nir_op_ineg: return add_source(s, alu, 0, comp, -factor);
   case nir_op_iadd:
   case nir_op_isub:
      if (add_source(s, alu, 0, comp, factor) &&
          add_source(s, alu, 1, comp,
                     alu->op == nir_op_iadd ? factor : -factor))
         return true;
      invalidate(s, &before);
      return false;
   case nir_op_imul:
      return constant_source(alu, comp, &which, &k) &&
             add_source(s, alu, 1 - which, comp, factor * k);
   case nir_op_ishl:
      return constant_source(alu, comp, &which, &k) && which == 1 &&
             add_source(s, alu, 0, comp, factor << (k & 31));
   case nir_op_iand:
      if (!constant_source(alu, comp, &which, &k) ||
          !mask_is_nothing(alu, comp, which, k, factor))
         return false;
      s->is_shorter = true;
      return add_source(s, alu, 1 - which, comp, factor);
   case nir_op_ushr:
      if (!constant_source(alu, comp, &which, &k) || which != 1 ||
          (unsigned)__builtin_ctz(factor) < (k & 31) ||
          nir_zero_low_bits(alu->src[0].use.value,
                            alu->src[0].swizzle[comp]) < (k & 31))
         return false;
      s->is_shorter = true;
      return add_source(s, alu, 0, comp, factor >> (k & 31));
   default: return false;
   }
}

/* False: there are too many terms. */
static bool
add_value(struct sum *s, nir_value *def, unsigned comp, uint32_t factor)
{
   const nir_instr *from = def->instr;

   if (!factor)
      return true;
   if (from->kind == nir_kind_load_const) {
      s->constant +=
         factor * nir_instr_as_load_const((nir_instr *)from)->value[comp].u32;
      return true;
   }
   if (from->kind == nir_kind_alu && s->steps++ < MAX_STEPS &&
       nir_instr_as_alu((nir_instr *)from)->instr.result.num_components >
          comp &&
       add_alu(s, nir_instr_as_alu((nir_instr *)from), comp, factor))
      return true;
   return add_term(s, def, comp, factor);
}

static int
by_value(const void *p, const void *q)
{
   const struct term *x = p, *y = q;

   if (x->def->index != y->def->index)
      return x->def->index < y->def->index ? -1 : 1;
   return x->comp < y->comp ? -1 : x->comp > y->comp;
}

static struct sum
sum_of(nir_value *def)
{
   struct sum s = { 0 };

   add_value(&s, def, 0, 1);
   qsort(s.terms, s.num, sizeof(*s.terms), by_value);
   return s;
}

static nir_value *
times(nir_builder *b, nir_value *x, uint32_t factor)
{
   if (factor == UINT32_MAX)
      return nir_ineg(b, x);
   if (factor & (factor - 1))
      return nir_imul_imm(b, x, factor);
   return nir_ishl_imm(b, x, (uint32_t)__builtin_ctz(factor));
}

/* The terms without the constant. Where several have the smallest factor,
 * one shift is for all. */
static nir_value *
build_base(nir_builder *b, const struct sum *s)
{
   unsigned shift = 31, smallest = 0;
   nir_value *sum = NULL;

   for (unsigned i = 0; i < s->num; i++)
      shift = MIN2(shift, (unsigned)__builtin_ctz(s->terms[i].factor));
   for (unsigned i = 0; i < s->num; i++)
      smallest += s->terms[i].factor == 1u << shift;
   if (smallest < 2)
      shift = 0;
   for (unsigned i = 0; i < s->num; i++) {
      const struct term *t = &s->terms[i];
      nir_value *x =
         times(b, nir_channel(b, t->def, t->comp), t->factor >> shift);
      sum = sum ? nir_iadd(b, sum, x) : x;
   }
   return nir_ishl_imm(b, sum, shift);
}

/* ---- the offsets of a block ---- */

static int
by_terms(const struct offset *x, const struct offset *y)
{
   if (x->sum.num != y->sum.num)
      return x->sum.num < y->sum.num ? -1 : 1;
   for (unsigned i = 0; i < x->sum.num; i++) {
      const struct term *p = &x->sum.terms[i], *q = &y->sum.terms[i];
      const int order = by_value(p, q);

      if (order)
         return order;
      if (p->factor != q->factor)
         return p->factor < q->factor ? -1 : 1;
   }
   return 0;
}

static int
by_terms_and_place(const void *p, const void *q)
{
   const struct offset *x = p, *y = q;
   const int order = by_terms(x, y);

   if (order)
      return order;
   return x->a.place < y->a.place ? -1 : x->a.place > y->a.place;
}

/* All have the same terms; the first stands before the others. */
static bool
share_base(nir_builder *b, const struct offset *some, size_t count)
{
   bool differ = false;

   for (size_t i = 0; i < count; i++)
      differ |= some[i].sum.is_shorter || some[i].a.base != some[0].a.base;
   if (!differ || !some[0].sum.num)
      return false;
   b->cursor = nir_before_instr(&some[0].a.intr->instr);
   nir_value *base = build_base(b, &some[0].sum);
   for (size_t i = 0; i < count; i++) {
      nir_instr *instr = &some[i].a.intr->instr;
      const uint32_t constant = some[i].sum.constant;

      b->cursor = nir_before_instr(instr);
      nir_set_use(instr, some[i].a.offset_src,
                  constant ? nir_iadd_imm(b, base, constant) : base);
   }
   return true;
}

static bool
run_block(nir_builder *b, nir_block *block, void *data)
{
   struct util_dynarray *all = data;
   uint32_t place = 0;
   bool progress = false;

   util_dynarray_clear(all);
   nir_foreach_instr(instr, block) {
      struct offset o;

      place++;
      if (instr->kind != nir_kind_intrinsic ||
          !nir_access_describe(nir_instr_as_intrinsic(instr), &o.a))
         continue;
      o.a.place = place;
      o.sum = sum_of(o.a.offset_src->value);
      util_dynarray_append(all, struct offset, o);
   }
   const size_t count = util_dynarray_num_elements(all, struct offset);
   struct offset *some = all->data;

   if (count)
      qsort(some, count, sizeof(*some), by_terms_and_place);
   for (size_t i = 0, n; i < count; i += n) {
      for (n = 1; i + n < count && !by_terms(&some[i], &some[i + n]);)
         n++;
      progress |= share_base(b, &some[i], n);
   }
   return progress;
}

bool
nir_opt_linear_offsets(nir_shader *shader)
{
   struct util_dynarray all = { 0 };
   const bool progress = nir_access_run_blocks(shader, run_block, &all);

   util_dynarray_fini(&all);
   return progress;
}
