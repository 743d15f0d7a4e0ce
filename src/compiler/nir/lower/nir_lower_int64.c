/* SPDX-License-Identifier: MIT */
/*
 * 64-bit integer operations that the hardware lacks, from 32-bit halves and
 * the 64-bit additions, shifts and compares that it has.
 *
 * Hardware without those either: nir_lower_int64_halves.c.
 *
 * Before: SSA. After: no opcode that options->lower_int64_options names is
 * left on 64-bit integers. Division estimates its quotient in doubles, of
 * which it takes conversions, products and fused products and sums.
 * Vectors are scalarised first by whoever calls this.
 */
#include "nir.h"
#include "nir_builder.h"
#include "nir_lower_int64_private.h"

typedef nir_value def;

static def *
lo32(nir_builder *b, def *x)
{
   return nir_unpack_64_2x32_split_x(b, x);
}

static def *
hi32(nir_builder *b, def *x)
{
   return nir_unpack_64_2x32_split_y(b, x);
}

static def *
join(nir_builder *b, def *lo, def *hi)
{
   return nir_pack_64_2x32_split(b, lo, hi);
}

static def *
lower_imul(nir_builder *b, def *x, def *y)
{
   def *xl = lo32(b, x), *xh = hi32(b, x), *yl = lo32(b, y), *yh = hi32(b, y);
   def *low = nir_umul_2x32_64(b, xl, yl);
   def *cross = nir_iadd(b, nir_imul(b, xl, yh), nir_imul(b, xh, yl));
   return join(b, lo32(b, low), nir_iadd(b, hi32(b, low), cross));
}

/* Upper half of the 128-bit product; four products of 32 bits. */
static def *
lower_umul_high(nir_builder *b, def *x, def *y)
{
   def *xl = lo32(b, x), *xh = hi32(b, x), *yl = lo32(b, y), *yh = hi32(b, y);
   def *zero = nir_imm_int(b, 0);
   def *ll = nir_umul_2x32_64(b, xl, yl), *lh = nir_umul_2x32_64(b, xl, yh);
   def *hl = nir_umul_2x32_64(b, xh, yl), *hh = nir_umul_2x32_64(b, xh, yh);
   /* No carry is lost: each sum is below 2^64. */
   def *mid = nir_iadd(b, lh, join(b, hi32(b, ll), zero));
   def *mid2 = nir_iadd(b, hl, join(b, lo32(b, mid), zero));
   return nir_iadd(b, nir_iadd(b, hh, join(b, hi32(b, mid), zero)),
                   join(b, hi32(b, mid2), zero));
}

static def *
is_negative(nir_builder *b, def *x)
{
   return nir_ilt_imm(b, hi32(b, x), 0);
}

static def *
lower_imul_high(nir_builder *b, def *x, def *y)
{
   def *zero = nir_imm_int64(b, 0);
   def *high = lower_umul_high(b, x, y);
   high = nir_isub(b, high, nir_bcsel(b, is_negative(b, x), y, zero));
   return nir_isub(b, high, nir_bcsel(b, is_negative(b, y), x, zero));
}

struct quotient {
   def *q, *r;
};

/*
 * The quotient in two pieces, by a reciprocal that is too small for sure, and
 * one correction.
 *
 * Let y0 = (1 + e) / d with |e| <= 2^-21, as any reciprocal of floats has it,
 * however it and the two conversions to float are rounded. One step of
 * Newton towards 1 - 2^-42 gives y d = 1 - 2^-42 (1 + e) - e^2 before
 * rounding, so with all later roundings, each at most 2^-52 whatever the
 * mode (conversions of n and d, three operations), y d is between
 * 1 - 2^-40 and 1 - 2^-43. Hence n y, truncated, is at most the quotient q
 * and misses it by no more than q 2^-40 + 1 <= 2^24 + 1; the remainder that
 * this leaves is not negative and fits, as n does. Its own quotient is below
 * 2^25, so that the second piece misses it by less than 2^-15 before it is
 * truncated: by one at most. The last comparison finds that one.
 *
 * Division by zero gives anything.
 */
static struct quotient
udivmod(nir_builder *b, def *n, def *d)
{
   const bool exact = b->exact;
   b->exact = true;
   def *df = nir_u2f64(b, d);
   def *y0 = nir_f2f64(b, nir_frcp(b, nir_f2f32(b, df)));
   def *below_one = nir_imm_double(b, 1.0 - 0x1p-42);
   def *e = nir_ffma(b, nir_fneg(b, df), y0, below_one);
   def *y = nir_ffma(b, y0, e, y0);
   def *q = nir_f2u64(b, nir_fmul(b, nir_u2f64(b, n), y));
   def *r = nir_isub(b, n, nir_imul(b, q, d));
   def *piece = join(b, nir_f2u32(b, nir_fmul(b, nir_u2f64(b, r), y)),
                     nir_imm_int(b, 0));
   q = nir_iadd(b, q, piece);
   r = nir_isub(b, r, nir_imul(b, piece, d));
   b->exact = exact;

   def *fits = nir_uge(b, r, d);
   return (struct quotient) {
      nir_bcsel(b, fits, nir_iadd_imm(b, q, 1), q),
      nir_bcsel(b, fits, nir_isub(b, r, d), r),
   };
}

static def *
magnitude(nir_builder *b, def *x)
{
   return nir_bcsel(b, is_negative(b, x), nir_ineg(b, x), x);
}

static def *
lower_division(nir_builder *b, nir_op op, def *n, def *d)
{
   if (op == nir_op_udiv)
      return udivmod(b, n, d).q;
   if (op == nir_op_umod)
      return udivmod(b, n, d).r;

   const struct quotient u = udivmod(b, magnitude(b, n), magnitude(b, d));
   def *n_neg = is_negative(b, n), *d_neg = is_negative(b, d);
   def *differ = nir_ixor(b, n_neg, d_neg);
   if (op == nir_op_idiv)
      return nir_bcsel(b, differ, nir_ineg(b, u.q), u.q);
   def *rem = nir_bcsel(b, n_neg, nir_ineg(b, u.r), u.r);
   if (op == nir_op_irem)
      return rem;
   /* imod has the sign of the divisor. */
   def *zero = nir_ieq_imm(b, rem, 0);
   def *adjust = nir_iand(b, differ, nir_inot(b, zero));
   return nir_bcsel(b, adjust, nir_iadd(b, rem, d), rem);
}

static def *
lower_sign(nir_builder *b, def *x)
{
   def *high = nir_ishr_imm(b, hi32(b, x), 31);
   def *positive = join(b, nir_imm_int(b, 1), nir_imm_int(b, 0));
   def *r = nir_bcsel(b, is_negative(b, x), join(b, high, high), positive);
   return nir_bcsel(b, nir_ieq_imm(b, x, 0), nir_imm_int64(b, 0), r);
}

static def *
lower_find_msb(nir_builder *b, def *x, bool is_signed)
{
   if (is_signed)
      x = nir_bcsel(b, is_negative(b, x), nir_inot(b, x), x);
   def *low = nir_ufind_msb(b, lo32(b, x));
   def *high = nir_ufind_msb(b, hi32(b, x));
   return nir_bcsel(b, nir_ilt_imm(b, high, 0), low,
                    nir_iadd_imm(b, high, 32));
}

static def *
lower_find_lsb(nir_builder *b, def *x)
{
   def *low = nir_find_lsb(b, lo32(b, x));
   def *high = nir_find_lsb(b, hi32(b, x));
   def *above =
      nir_bcsel(b, nir_ilt_imm(b, high, 0), high, nir_iadd_imm(b, high, 32));
   return nir_bcsel(b, nir_ilt_imm(b, low, 0), above, low);
}

static def *
lower_extract(nir_builder *b, nir_op op, def *x, def *index)
{
   const bool word = op == nir_op_extract_u16 || op == nir_op_extract_i16;
   const bool sign = op == nir_op_extract_i8 || op == nir_op_extract_i16;
   const unsigned bits = word ? 16 : 8;
   def *at = nir_imul_imm(b, nir_u2u32(b, index), bits);
   def *up = nir_isub(b, nir_imm_int(b, (int)(64 - bits)), at);
   def *top = nir_ishl(b, x, up);
   return sign ? nir_ishr_imm(b, top, 64 - bits)
               : nir_ushr_imm(b, top, 64 - bits);
}

static nir_lower_int64_options
option_of(nir_op op)
{
   switch (op) {
   case nir_op_imul:
   case nir_op_amul: return nir_lower_imul64;
   case nir_op_imul_high:
   case nir_op_umul_high: return nir_lower_imul_high64;
   case nir_op_udiv:
   case nir_op_umod:
   case nir_op_idiv:
   case nir_op_irem:
   case nir_op_imod: return nir_lower_divmod64;
   case nir_op_isign: return nir_lower_isign64;
   case nir_op_ufind_msb:
   case nir_op_ifind_msb: return nir_lower_ufind_msb64;
   case nir_op_find_lsb: return nir_lower_find_lsb64;
   case nir_op_bit_count: return nir_lower_bit_count64;
   case nir_op_extract_u8:
   case nir_op_extract_i8:
   case nir_op_extract_u16:
   case nir_op_extract_i16: return nir_lower_extract64;
   default: return 0;
   }
}

static bool
wants_lowering(const nir_instr *instr, const void *data)
{
   const nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   const nir_lower_int64_options *options = data;
   return (nir_int64_halves_option(alu) & *options) ||
          ((option_of(alu->op) & *options) &&
           alu->src[0].use.value->bit_size == 64);
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   def *x = nir_operand_value(b, alu, 0), *y = NULL;
   assert(x->num_components == 1 && "64-bit integers are scalar by now");
   if (nir_op_infos[alu->op].num_inputs > 1)
      y = nir_operand_value(b, alu, 1);
   switch (alu->op) {
   case nir_op_imul:
   case nir_op_amul: return lower_imul(b, x, y);
   case nir_op_imul_high: return lower_imul_high(b, x, y);
   case nir_op_umul_high: return lower_umul_high(b, x, y);
   case nir_op_udiv:
   case nir_op_umod:
   case nir_op_idiv:
   case nir_op_irem:
   case nir_op_imod: return lower_division(b, alu->op, x, y);
   case nir_op_isign: return lower_sign(b, x);
   case nir_op_ufind_msb: return lower_find_msb(b, x, false);
   case nir_op_ifind_msb: return lower_find_msb(b, x, true);
   case nir_op_find_lsb: return lower_find_lsb(b, x);
   case nir_op_bit_count:
      return nir_iadd(b, nir_bit_count(b, lo32(b, x)),
                      nir_bit_count(b, hi32(b, x)));
   case nir_op_extract_u8:
   case nir_op_extract_i8:
   case nir_op_extract_u16:
   case nir_op_extract_i16: return lower_extract(b, alu->op, x, y);
   default: return nir_int64_by_halves(b, alu, x, y);
   }
}

bool
nir_lower_int64(nir_shader *shader)
{
   nir_lower_int64_options options = shader->options->lower_int64_options;
   if (!options)
      return false;
   nir_lower_alu_to_scalar(shader, wants_lowering, &options);
   bool progress = false;
   /* Some become others of these. */
   while (nir_replace_instrs(shader, wants_lowering, lower_instr, &options))
      progress = true;
   return progress;
}
