/* SPDX-License-Identifier: MIT */
/*
 * Dot products of integers (SPV_KHR_integer_dot_product): components are
 * widened to the result's width, multiplied and added there; an accumulator
 * is added with saturation. The EU has no such instruction before Gen12, so
 * that is what it does, too.
 */
#include "compiler/spirv/spirv_private.h"

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

/* What the opcode says of the operands. */
struct dot {
   bool is_signed[2];
   bool accumulates;
};

static bool
find_dot(unsigned op, struct dot *d)
{
   switch (op) {
   case SpvOpSDotAccSat:
   case SpvOpSDot: d->is_signed[0] = d->is_signed[1] = true; break;
   case SpvOpUDotAccSat:
   case SpvOpUDot: d->is_signed[0] = d->is_signed[1] = false; break;
   case SpvOpSUDotAccSat:
   case SpvOpSUDot:
      d->is_signed[0] = true;
      d->is_signed[1] = false;
      break;
   default: return false;
   }
   d->accumulates = op == SpvOpSDotAccSat || op == SpvOpUDotAccSat ||
                    op == SpvOpSUDotAccSat;
   return true;
}

/* Component i, as wide as the result. */
static nir_value *
component(struct spv *s, nir_value *v, unsigned i, bool packed,
          bool is_signed, unsigned bits)
{
   nir_value *c;

   if (!packed) {
      c = nir_channel(&s->nb, v, i);
   } else if (is_signed) {
      c = nir_ishr_imm(&s->nb, nir_ishl_imm(&s->nb, v, 24 - 8 * i), 24);
   } else {
      c = nir_iand_imm(&s->nb, nir_ushr_imm(&s->nb, v, 8 * i), 0xff);
   }
   return is_signed ? nir_i2iN(&s->nb, c, bits) : nir_u2uN(&s->nb, c, bits);
}

static nir_value *
add_saturating(nir_builder *b, nir_value *x, nir_value *y, bool is_signed)
{
   const unsigned bits = x->bit_size;
   nir_value *sum = nir_iadd(b, x, y), *over, *bound;

   if (!is_signed)
      return nir_bcsel(b, nir_ult(b, sum, x),
                       nir_imm_intN_t(b, UINT64_MAX, bits), sum);
   /* Both have the sign that the sum has not. */
   over = nir_iand(b, nir_ixor(b, x, sum), nir_ixor(b, y, sum));
   bound = nir_ixor(b, nir_ishr_imm(b, x, bits - 1),
                    nir_imm_intN_t(b, UINT64_MAX >> (65 - bits), bits));
   return nir_bcsel(b, nir_ilt(b, over, nir_imm_intN_t(b, 0, bits)), bound,
                    sum);
}

bool
spv_handle_dot(struct spv *s, const uint32_t *w)
{
   const struct spv_type *a, *b;
   nir_value *v[2], *sum = NULL;
   struct spv_type *t;
   unsigned format, n;
   bool packed;
   struct dot d;

   if (!find_dot(spv_opcode(w), &d))
      return false;
   t = spv_get_type(s, w[1]);
   a = spv_value_type(s, w[3]);
   b = spv_value_type(s, w[4]);
   format = d.accumulates ? 6 : 5;
   packed = a->base == SPV_INT;
   spv_check(s,
             t->base == SPV_INT && spv_scalar(a)->base == SPV_INT &&
                spv_scalar(b)->base == SPV_INT && a->bits == b->bits &&
                spv_components(a) == spv_components(b),
             "%s: an operand has the wrong type", here(s));
   spv_check(
      s,
      packed == (spv_count(w) > format) &&
         (!packed ||
          (a->bits == 32 &&
           w[format] == SpvPackedVectorFormatPackedVectorFormat4x8Bit)),
      "%s: vectors have no packed format, 32-bit scalars have one", here(s));
   spv_check(s, t->bits >= (packed ? 8 : a->bits),
             "%s: the result is narrower than a component", here(s));
   n = packed ? 4 : spv_components(a);
   for (unsigned i = 0; i < 2; i++)
      v[i] = spv_get_def(s, w[3 + i]);
   for (unsigned i = 0; i < n; i++) {
      nir_value *product = nir_imul(
         &s->nb, component(s, v[0], i, packed, d.is_signed[0], t->bits),
         component(s, v[1], i, packed, d.is_signed[1], t->bits));
      sum = sum ? nir_iadd(&s->nb, sum, product) : product;
   }
   if (d.accumulates) {
      spv_check(s, spv_same_type(spv_value_type(s, w[5]), t),
                "%s: the accumulator is not of the result's type", here(s));
      sum = add_saturating(&s->nb, spv_get_def(s, w[5]), sum, d.is_signed[0]);
   }
   spv_set_def(s, t, w[2], sum);
   return true;
}
