/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic. What one formula says stands in the rows of tpf_tables.py
 * (tpf_nir_row_result); here is how operands get there.
 *
 * Doubles take two components each: the first in xy, the second in zw. From
 * and to 32 bits the n-th double goes with the n-th component that is chosen.
 */
#include "tpf_nir.h"

nir_value *
tpf_bool(struct tpf_nir *t, nir_value *cond)
{
   return nir_ineg(&t->b, nir_b2i32(&t->b, cond));
}

nir_value *
tpf_dot(struct tpf_nir *t, nir_value *x, nir_value *y, unsigned n)
{
   nir_builder *b = &t->b;
   nir_value *sum = NULL;

   for (unsigned i = 0; i < n; i++) {
      nir_value *p = nir_fmul(b, nir_channel(b, x, i), nir_channel(b, y, i));
      sum = sum ? nir_fadd(b, sum, p) : p;
   }
   return sum;
}

static nir_value *
unless_zero(struct tpf_nir *t, nir_value *result, nir_value *y)
{
   nir_builder *b = &t->b;

   return nir_bcsel(b, nir_ieq(b, y, nir_imm_int(b, 0)), nir_imm_int(b, -1),
                    result);
}

nir_value *
tpf_udiv(struct tpf_nir *t, nir_value *x, nir_value *y)
{
   return unless_zero(t, nir_udiv(&t->b, x, y), y);
}

nir_value *
tpf_umod(struct tpf_nir *t, nir_value *x, nir_value *y)
{
   return unless_zero(t, nir_umod(&t->b, x, y), y);
}

nir_value *
tpf_msad(struct tpf_nir *t, nir_value *x, nir_value *y, nir_value *z)
{
   nir_builder *b = &t->b;

   for (unsigned i = 0; i < 4; i++) {
      nir_value *ref = nir_iand_imm(b, nir_ushr_imm(b, x, 8 * i), 0xff);
      nir_value *v = nir_iand_imm(b, nir_ushr_imm(b, y, 8 * i), 0xff);
      nir_value *zero = nir_imm_zero(b, x->num_components, 32);
      nir_value *far = nir_iabs(b, nir_isub(b, ref, v));
      z = nir_iadd(b, z, nir_bcsel(b, nir_ine(b, ref, zero), far, zero));
   }
   return z;
}

/* Component c of the result; a result may have one for all. */
static nir_value *
pick(struct tpf_nir *t, nir_value *v, unsigned c)
{
   return nir_channel(&t->b, v, v->num_components == 1 ? 0 : c);
}

static nir_value *
saturate(struct tpf_nir *t, nir_value *v)
{
   if (tpf_op_info(t->inst->op)->control == TPF_CONTROL_SAT &&
       t->inst->controls & TPF_SATURATE)
      return nir_fsat(&t->b, v);
   return v;
}

/* Packs the components that the mask chose to where they go. */
static nir_value *
spread(struct tpf_nir *t, nir_value *v, unsigned mask)
{
   nir_value *c[4];
   unsigned n = 0;

   for (unsigned i = 0; i < 4; i++) {
      c[i] = pick(t, v, MIN2(n, v->num_components - 1u));
      n += mask >> i & 1;
   }
   return nir_vec(&t->b, c, 4);
}

static unsigned
mask_of(const struct tpf_operand *o)
{
   return o->file == TPF_FILE_NULL            ? 0
          : o->components == TPF_COMPONENTS_4 ? o->mask
                                              : 1;
}

/* The sources' letters, after those of the destinations. */
static const char *
source_letters(const struct tpf_inst *inst, unsigned *first)
{
   const char *letters = tpf_op_info(inst->op)->operands;

   *first = 0;
   while (tpf_is_dest_letter(*letters)) {
      letters++;
      (*first)++;
   }
   return letters;
}

/* Sources with just the components that the destination takes. */
static void
load_sources(struct tpf_nir *t, unsigned mask, nir_value **s)
{
   unsigned first;
   const char *letters = source_letters(t->inst, &first);

   for (unsigned i = 0; letters[i]; i++) {
      nir_value *v = tpf_nir_src(t, &t->inst->operand[first + i], letters[i]);
      s[i] = mask ? nir_channels(&t->b, v, (nir_component_mask_t)mask) : v;
   }
}

/* --- Doubles ------------------------------------------------------------ */

static nir_value *
to_doubles(struct tpf_nir *t, const struct tpf_operand *o)
{
   nir_builder *b = &t->b;
   struct tpf_operand plain = *o;
   nir_value *v, *d[2];

   plain.neg = plain.abs = false;
   v = tpf_nir_src(t, &plain, 'd');
   for (unsigned i = 0; i < 2; i++)
      d[i] = nir_pack_64_2x32_split(b, nir_channel(b, v, 2 * i),
                                    nir_channel(b, v, 2 * i + 1));
   v = nir_vec(b, d, 2);
   if (o->abs)
      v = nir_fabs(b, v);
   return o->neg ? nir_fneg(b, v) : v;
}

/* Which of the two doubles go to the destination: a bit each. */
static unsigned
doubles_written(const struct tpf_operand *o, char letter)
{
   const unsigned mask = mask_of(o);

   if (letter == 'D')
      return (mask & 3 ? 1u : 0) | (mask & 12 ? 2u : 0);
   return BITFIELD_MASK(MIN2((unsigned)__builtin_popcount(mask), 2));
}

static void
doubles(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const struct tpf_operand *dest = &t->inst->operand[0];
   const char *letters = tpf_op_info(t->inst->op)->operands;
   nir_value *s[4], *result, *c[4];

   if (!doubles_written(dest, letters[0]))
      return;
   for (unsigned i = 1; letters[i]; i++) {
      const struct tpf_operand *o = &t->inst->operand[i];
      s[i - 1] = letters[i] == 'd'
                    ? to_doubles(t, o)
                    : nir_channels(b, tpf_nir_src(t, o, letters[i]), 3);
   }
   result = saturate(t, tpf_nir_row_result(t, 0, s));
   if (letters[0] != 'D') {
      tpf_nir_write(t, dest, spread(t, result, mask_of(dest)));
      return;
   }
   for (unsigned i = 0; i < 2; i++) {
      nir_value *d = nir_channel(b, result, i);
      c[2 * i] = nir_unpack_64_2x32_split_x(b, d);
      c[2 * i + 1] = nir_unpack_64_2x32_split_y(b, d);
   }
   tpf_nir_write(t, dest, nir_vec(b, c, 4));
}

/* --- The rest ----------------------------------------------------------- */

/* Two results; sources are read before either is written. */
static void
dual(struct tpf_nir *t)
{
   nir_value *s[4], *result[2];

   load_sources(t, 0, s);
   for (unsigned i = 0; i < 2; i++)
      result[i] = saturate(t, tpf_nir_row_result(t, i, s));
   for (unsigned i = 0; i < 2; i++)
      tpf_nir_write(t, &t->inst->operand[i], result[i]);
}

void
tpf_nir_alu(struct tpf_nir *t)
{
   const enum tpf_sem sem = tpf_op_info(t->inst->op)->sem;
   const struct tpf_operand *dest = &t->inst->operand[0];
   const unsigned mask = mask_of(dest);
   nir_value *s[4], *result;

   if (sem == TPF_SEM_DUAL) {
      dual(t);
   } else if (sem == TPF_SEM_DOUBLE) {
      doubles(t);
   } else if (sem == TPF_SEM_DOT) {
      load_sources(t, 0, s);
      result = saturate(t, tpf_nir_row_result(t, 0, s));
      tpf_nir_write(t, dest, spread(t, result, 0xf));
   } else if (sem != TPF_SEM_MAP) {
      tpf_nir_fail(t, "%s is not translated", tpf_op_info(t->inst->op)->name);
   } else if (mask) {
      load_sources(t, mask, s);
      result = saturate(t, tpf_nir_row_result(t, 0, s));
      tpf_nir_write(t, dest, spread(t, result, mask));
   }
}
