/* SPDX-License-Identifier: MIT */
/*
 * 64-bit integers for hardware that has none: addition, logic, shifts,
 * comparisons, minima and conversions from 32-bit halves. What stays 64-bit
 * are moves, selects and the packing of halves.
 *
 * Conversions to floats round once: the halves are doubles exactly, and
 * their sum is the only operation that rounds; on the way to a narrower
 * float the double keeps, below its 52 bits, whether anything was lost.
 * Conversions from floats shift the significand, and saturate.
 */
#include "nir_lower_int64_private.h"

typedef nir_value def;

struct halves {
   def *lo, *hi;
};

static struct halves
split(nir_builder *b, def *x)
{
   return (struct halves) { nir_unpack_64_2x32_split_x(b, x),
                            nir_unpack_64_2x32_split_y(b, x) };
}

static def *
join(nir_builder *b, struct halves h)
{
   return nir_pack_64_2x32_split(b, h.lo, h.hi);
}

static struct halves
select_halves(nir_builder *b, def *cond, struct halves x, struct halves y)
{
   return (struct halves) { nir_bcsel(b, cond, x.lo, y.lo),
                            nir_bcsel(b, cond, x.hi, y.hi) };
}

/* ---- addition ---- */

static struct halves
add(nir_builder *b, struct halves x, struct halves y)
{
   def *lo = nir_iadd(b, x.lo, y.lo);
   def *carry = nir_b2i32(b, nir_ult(b, lo, x.lo));

   return (struct halves) { lo, nir_iadd(b, nir_iadd(b, x.hi, y.hi), carry) };
}

static struct halves
sub(nir_builder *b, struct halves x, struct halves y)
{
   def *borrow = nir_b2i32(b, nir_ult(b, x.lo, y.lo));

   return (struct halves) { nir_isub(b, x.lo, y.lo),
                            nir_isub(b, nir_isub(b, x.hi, y.hi), borrow) };
}

static struct halves
neg(nir_builder *b, struct halves x)
{
   def *zero = nir_imm_int(b, 0);

   return sub(b, (struct halves) { zero, zero }, x);
}

static struct halves
absolute(nir_builder *b, struct halves x)
{
   return select_halves(b, nir_ilt(b, x.hi, nir_imm_int(b, 0)), neg(b, x), x);
}

/* Signed sums that leave the range end at its end: overflow is where both
 * have one sign and the sum has the other. */
static struct halves
add_sat(nir_builder *b, struct halves x, struct halves y)
{
   const struct halves sum = add(b, x, y);
   def *over =
      nir_iand(b, nir_ixor(b, sum.hi, x.hi), nir_ixor(b, sum.hi, y.hi));
   def *sign = nir_ishr(b, x.hi, nir_imm_int(b, 31));
   const struct halves end = {
      nir_inot(b, sign), nir_ixor(b, nir_imm_int(b, 0x7fffffff), sign)
   };

   return select_halves(b, nir_ilt(b, over, nir_imm_int(b, 0)), end, sum);
}

/* ---- comparison ---- */

static def *
less(nir_builder *b, struct halves x, struct halves y, bool is_signed)
{
   def *high = is_signed ? nir_ilt(b, x.hi, y.hi) : nir_ult(b, x.hi, y.hi);

   return nir_ior(
      b, high, nir_iand(b, nir_ieq(b, x.hi, y.hi), nir_ult(b, x.lo, y.lo)));
}

static def *
equal(nir_builder *b, struct halves x, struct halves y)
{
   return nir_ieq(
      b, nir_ior(b, nir_ixor(b, x.lo, y.lo), nir_ixor(b, x.hi, y.hi)),
      nir_imm_int(b, 0));
}

static def *
lower_compare(nir_builder *b, nir_op op, struct halves x, struct halves y)
{
   switch (op) {
   case nir_op_ieq: return equal(b, x, y);
   case nir_op_ine: return nir_inot(b, equal(b, x, y));
   case nir_op_ilt: return less(b, x, y, true);
   case nir_op_ult: return less(b, x, y, false);
   case nir_op_ige: return nir_inot(b, less(b, x, y, true));
   case nir_op_uge: return nir_inot(b, less(b, x, y, false));
   default: unreachable("not a comparison");
   }
}

static struct halves
lower_minmax(nir_builder *b, nir_op op, struct halves x, struct halves y)
{
   const bool is_signed = op == nir_op_imin || op == nir_op_imax;
   const bool max = op == nir_op_imax || op == nir_op_umax;
   def *x_first = less(b, x, y, is_signed);

   return max ? select_halves(b, x_first, y, x)
              : select_halves(b, x_first, x, y);
}

/* ---- shifts ---- */

/*
 * A 32-bit shift takes its count modulo 32. With n = count modulo 32, bits
 * cross over by the shift of the other half by 32 - n, done as one by 31 - n
 * and one by 1: right for n = 0, too. From 32 on one half is the other,
 * shifted by n.
 */
static struct halves
shift(nir_builder *b, nir_op op, struct halves x, def *count)
{
   def *rest = nir_ixor(b, count, nir_imm_int(b, 31));
   def *one = nir_imm_int(b, 1);
   def *far =
      nir_ine(b, nir_iand(b, count, nir_imm_int(b, 32)), nir_imm_int(b, 0));
   struct halves within, beyond;

   if (op == nir_op_ishl) {
      def *cross = nir_ushr(b, nir_ushr(b, x.lo, one), rest);
      within.lo = nir_ishl(b, x.lo, count);
      within.hi = nir_ior(b, nir_ishl(b, x.hi, count), cross);
      beyond = (struct halves) { nir_imm_int(b, 0), within.lo };
   } else {
      const bool arithmetic = op == nir_op_ishr;
      def *cross = nir_ishl(b, nir_ishl(b, x.hi, one), rest);
      within.lo = nir_ior(b, nir_ushr(b, x.lo, count), cross);
      within.hi = arithmetic ? nir_ishr(b, x.hi, count)
                             : nir_ushr(b, x.hi, count);
      beyond.lo = within.hi;
      beyond.hi = arithmetic ? nir_ishr(b, x.hi, nir_imm_int(b, 31))
                             : nir_imm_int(b, 0);
   }
   return select_halves(b, far, beyond, within);
}

/* ---- conversions ---- */

static struct halves
widen(nir_builder *b, nir_op op, def *x)
{
   if (op == nir_op_u2u64)
      return (struct halves) { nir_u2u32(b, x), nir_imm_int(b, 0) };
   if (op == nir_op_b2i64)
      return (struct halves) { nir_b2i32(b, x), nir_imm_int(b, 0) };
   def *lo = nir_i2i32(b, x);
   return (struct halves) { lo, nir_ishr(b, lo, nir_imm_int(b, 31)) };
}

static def *
to_double(nir_builder *b, struct halves x, bool is_signed)
{
   def *high = is_signed ? nir_i2f64(b, x.hi) : nir_u2f64(b, x.hi);

   return nir_fadd(b, nir_fmul_imm(b, high, 4294967296.0),
                   nir_u2f64(b, x.lo));
}

/* Of more than 53 bits the last 11 become one: 0 if all of them are. */
static struct halves
with_sticky_bit(nir_builder *b, struct halves x)
{
   def *low = nir_iand(b, x.lo, nir_imm_int(b, 0x7ff));
   def *lost = nir_ine(b, low, nir_imm_int(b, 0));
   def *bit = nir_bcsel(b, lost, nir_imm_int(b, 0x800), nir_imm_int(b, 0));
   def *lo = nir_ior(b, nir_iand(b, x.lo, nir_imm_int(b, ~0x7ff)), bit);

   x.lo = nir_bcsel(b, nir_uge(b, x.hi, nir_imm_int(b, 1 << 21)), lo, x.lo);
   return x;
}

static def *
to_float(nir_builder *b, struct halves x, bool is_signed, unsigned bits)
{
   if (bits == 64)
      return to_double(b, x, is_signed);
   def *negative = nir_ilt(b, x.hi, nir_imm_int(b, 0));
   struct halves size = is_signed ? absolute(b, x) : x;
   def *f = nir_f2fN(b, to_double(b, with_sticky_bit(b, size), false), bits);

   return is_signed ? nir_bcsel(b, negative, nir_fneg(b, f), f) : f;
}

/*
 * The significand of a double, a whole number times 2^(e - 52), shifted to
 * its place. Infinity and what does not fit become the end of the range, and
 * NaN 0, as by the hardware that has these conversions.
 */
static struct halves
from_double(nir_builder *b, def *x, bool is_signed)
{
   const struct halves bits = split(b, x);
   def *zero = nir_imm_int(b, 0), *ones = nir_imm_int(b, -1);
   def *e = nir_isub(b,
                     nir_iand(b, nir_ushr(b, bits.hi, nir_imm_int(b, 20)),
                              nir_imm_int(b, 0x7ff)),
                     nir_imm_int(b, 1023));
   def *negative = nir_ilt(b, bits.hi, zero);
   const struct halves m = {
      bits.lo, nir_ior(b, nir_iand(b, bits.hi, nir_imm_int(b, 0xfffff)),
                       nir_imm_int(b, 1 << 20))
   };
   const struct halves left =
      shift(b, nir_op_ishl, m, nir_iadd(b, e, nir_imm_int(b, -52)));
   const struct halves right =
      shift(b, nir_op_ushr, m, nir_isub(b, nir_imm_int(b, 52), e));
   const struct halves none = { zero, zero };
   struct halves size =
      select_halves(b, nir_ige(b, e, nir_imm_int(b, 52)), left, right);
   struct halves end = { ones, ones };

   size = select_halves(b, nir_ilt(b, e, zero), none, size);
   if (is_signed) {
      end =
         (struct halves) { nir_bcsel(b, negative, zero, ones),
                           nir_bcsel(b, negative, nir_imm_int(b, INT32_MIN),
                                     nir_imm_int(b, INT32_MAX)) };
      size = select_halves(b, negative, neg(b, size), size);
   }
   size = select_halves(b, nir_ige(b, e, nir_imm_int(b, is_signed ? 63 : 64)),
                        end, size);
   if (!is_signed)
      size = select_halves(b, negative, none, size);
   return select_halves(b, nir_fneu(b, x, x), none, size);
}

/* ---- which, and how ---- */

nir_lower_int64_options
nir_int64_halves_option(const nir_alu_instr *alu)
{
   const bool from_64 = alu->src[0].use.value->bit_size == 64;

   switch (alu->op) {
   case nir_op_iadd:
   case nir_op_isub:
   case nir_op_iadd_sat: return from_64 ? nir_lower_iadd64 : 0;
   case nir_op_ineg: return from_64 ? nir_lower_ineg64 : 0;
   case nir_op_iabs: return from_64 ? nir_lower_iabs64 : 0;
   case nir_op_iand:
   case nir_op_ior:
   case nir_op_ixor:
   case nir_op_inot: return from_64 ? nir_lower_logic64 : 0;
   case nir_op_imin:
   case nir_op_imax:
   case nir_op_umin:
   case nir_op_umax: return from_64 ? nir_lower_minmax64 : 0;
   case nir_op_ieq:
   case nir_op_ine:
   case nir_op_ilt:
   case nir_op_ult:
   case nir_op_ige:
   case nir_op_uge: return from_64 ? nir_lower_icmp64 : 0;
   case nir_op_ishl:
   case nir_op_ishr:
   case nir_op_ushr: return from_64 ? nir_lower_shift64 : 0;
   case nir_op_imul_2x32_64:
   case nir_op_umul_2x32_64: return nir_lower_imul_2x32_64;
   case nir_op_i2i8:
   case nir_op_i2i16:
   case nir_op_i2i32:
   case nir_op_u2u8:
   case nir_op_u2u16:
   case nir_op_u2u32:
   case nir_op_i2b1:
   case nir_op_i2f16:
   case nir_op_i2f32:
   case nir_op_i2f64:
   case nir_op_u2f16:
   case nir_op_u2f32:
   case nir_op_u2f64: return from_64 ? nir_lower_conv64 : 0;
   case nir_op_i2i64:
   case nir_op_u2u64: return from_64 ? 0 : nir_lower_conv64;
   case nir_op_b2i64:
   case nir_op_f2i64:
   case nir_op_f2u64: return nir_lower_conv64;
   default: return 0;
   }
}

static def *
lower_conversion(nir_builder *b, const nir_alu_instr *alu, def *x)
{
   const unsigned bits = alu->instr.result.bit_size;

   switch (alu->op) {
   case nir_op_i2i64:
   case nir_op_u2u64:
   case nir_op_b2i64: return join(b, widen(b, alu->op, x));
   case nir_op_f2i64:
   case nir_op_f2u64:
      x = x->bit_size == 64 ? x : nir_f2f64(b, x);
      return join(b, from_double(b, x, alu->op == nir_op_f2i64));
   case nir_op_i2f16:
   case nir_op_i2f32:
   case nir_op_i2f64: return to_float(b, split(b, x), true, bits);
   case nir_op_u2f16:
   case nir_op_u2f32:
   case nir_op_u2f64: return to_float(b, split(b, x), false, bits);
   case nir_op_i2b1: {
      const struct halves h = split(b, x);
      return nir_ine(b, nir_ior(b, h.lo, h.hi), nir_imm_int(b, 0));
   }
   default: return nir_u2uN(b, split(b, x).lo, bits);
   }
}

static def *
logic_half(nir_builder *b, nir_op op, def *x, def *y)
{
   return op == nir_op_inot   ? nir_inot(b, x)
          : op == nir_op_iand ? nir_iand(b, x, y)
          : op == nir_op_ior  ? nir_ior(b, x, y)
                              : nir_ixor(b, x, y);
}

nir_value *
nir_int64_by_halves(nir_builder *b, const nir_alu_instr *alu, nir_value *x,
                    nir_value *y)
{
   const nir_lower_int64_options option = nir_int64_halves_option(alu);
   struct halves xs = { NULL, NULL }, ys = { NULL, NULL };

   if (option == nir_lower_conv64)
      return lower_conversion(b, alu, x);
   if (alu->op == nir_op_imul_2x32_64 || alu->op == nir_op_umul_2x32_64) {
      xs.lo = nir_imul(b, x, y);
      xs.hi = alu->op == nir_op_imul_2x32_64 ? nir_imul_high(b, x, y)
                                             : nir_umul_high(b, x, y);
      return join(b, xs);
   }
   xs = split(b, x);
   if (option == nir_lower_shift64)
      return join(b, shift(b, alu->op, xs, y));
   if (y)
      ys = split(b, y);
   if (option == nir_lower_icmp64)
      return lower_compare(b, alu->op, xs, ys);
   if (option == nir_lower_minmax64)
      return join(b, lower_minmax(b, alu->op, xs, ys));
   switch (alu->op) {
   case nir_op_iadd: return join(b, add(b, xs, ys));
   case nir_op_isub: return join(b, sub(b, xs, ys));
   case nir_op_iadd_sat: return join(b, add_sat(b, xs, ys));
   case nir_op_ineg: return join(b, neg(b, xs));
   case nir_op_iabs: return join(b, absolute(b, xs));
   default:
      return join(b,
                  (struct halves) { logic_half(b, alu->op, xs.lo, ys.lo),
                                    logic_half(b, alu->op, xs.hi, ys.hi) });
   }
}
