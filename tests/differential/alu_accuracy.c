/* SPDX-License-Identifier: MIT */
/*
 * Results are exact but for the table below. Its bounds are those that the
 * hardware's manual gives for MATH (PRM SKL vol 2a, math, "Precision") or
 * that an API asks for where it is stricter (Vulkan 1.3, "Precision of Core
 * SPIR-V Instructions" and "... of GLSL.std.450 Instructions"); of opcodes
 * that are lowered, what follows from the operations they are lowered to.
 *
 * MATH flushes subnormals of single precision, operands and results. Half
 * precision goes through it in floats and has no more than one unit in the
 * last place of error, sine and cosine apart.
 */
#include "alu_accuracy.h"

#include <math.h>

#include "util/half.h"

static double
as_double(uint64_t v, unsigned bits)
{
   return bits == 64   ? util_bits_double(v)
          : bits == 32 ? (double)util_bits_float((uint32_t)v)
                       : (double)util_half_to_float((uint16_t)v);
}

static double
operand(const struct alu_result *r, unsigned i)
{
   return as_double(r->src[i][r->comp], r->src_bits[i]);
}

/* The distance between neighbours at w. */
static double
ulp_of(double w, unsigned bits)
{
   const int digits = bits == 64 ? 53 : bits == 32 ? 24 : 11;
   const int lowest = bits == 64 ? -1021 : bits == 32 ? -125 : -13;
   int e;

   if (w == 0 || !isfinite(w))
      return ldexp(1, lowest - digits);
   frexp(w, &e);
   return ldexp(1, MAX2(e, lowest) - digits);
}

static double
smallest_normal(unsigned bits)
{
   return bits == 64 ? 0x1p-1022 : bits == 32 ? 0x1p-126 : 0x1p-14;
}

static double
largest(unsigned bits)
{
   return bits == 64   ? 0x1.fffffffffffffp1023
          : bits == 32 ? 0x1.fffffep127
                       : 65504.0;
}

/* ---- the table ---- */

struct accuracy {
   nir_op op;
   unsigned sizes; /* of the result */
   double ulp;     /* of the result */
   double absolute;
   bool flushes; /* subnormals, in single precision */
};

static const struct accuracy table[] = {
   /* MATH */
   { nir_op_frcp, 16 | 32, 1, 0, true },
   { nir_op_fsqrt, 16 | 32, 1, 0, true },
   { nir_op_frsq, 16 | 32, 1, 0, true },
   { nir_op_fexp2, 16 | 32, 2, 0, true },
   { nir_op_flog2, 16 | 32, 2, 0x1p-21, true },
   { nir_op_fsin, 16 | 32, 1, 0x1p-11, true },
   { nir_op_fcos, 16 | 32, 1, 0x1p-11, true },
   /* exp2(y log2 x): see extra_bound() */
   { nir_op_fpow, 16 | 32, 2, 0, true },
   /* x rcp(y) */
   { nir_op_fdiv, 16 | 32, 2.5, 0, true },
   { nir_op_unpack_snorm_2x16, 32, 2.5, 0, false },
   { nir_op_unpack_snorm_4x8, 32, 2.5, 0, false },
   { nir_op_unpack_unorm_2x16, 32, 2.5, 0, false },
   { nir_op_unpack_unorm_4x8, 32, 2.5, 0, false },
   /* x - y floor(x / y): see extra_bound() */
   { nir_op_fmod, 16 | 32, 1, 0, true },
   { nir_op_frem, 16 | 32, 1, 0, true },
   /* LRP: see extra_bound() */
   { nir_op_flrp, 32, 1, 0, true },
   /* Three multiplications: two roundings, if the result is subnormal. */
   { nir_op_ldexp, 32, 1, 0, false },
   /* nir_lower_doubles.c: less than one. */
   { nir_op_frsq, 64, 1, 0, false },
};

static const struct accuracy *
find_accuracy(nir_op op, unsigned bits)
{
   for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
      if (table[i].op == op && (table[i].sizes & bits))
         return &table[i];
   }
   return NULL;
}

/* What depends on the operands. */
static double
extra_bound(const struct alu_result *r, double w)
{
   const double x = operand(r, 0);

   switch (r->op) {
   case nir_op_fpow: {
      /* The error of the exponent, two units of a float and the product's
       * half of one, is a relative one of the result. */
      const double e = operand(r, 1) * log2(fabs(x));
      return fabs(e) * 0x1p-23 * 2.5 * M_LN2 * fabs(w);
   }
   case nir_op_fmod:
   case nir_op_frem: return fabs(x) * 0x1p-22;
   case nir_op_flrp: {
      const double y = operand(r, 1), t = operand(r, 2);
      return 0x1p-22 * (fabs(x * (1 - t)) + fabs(x * t) + fabs(y * t));
   }
   default: return 0;
   }
}

static bool
is_within(const struct alu_result *r, const struct accuracy *a, double g,
          double w)
{
   const unsigned bits = r->dst_bits;

   if (g == w || (isnan(g) && isnan(w)))
      return true;
   if (isnan(g) || isnan(w))
      return false;
   const double bound = a->ulp * ulp_of(w, bits) +
                        MAX2(a->absolute, extra_bound(r, w));
   /* An infinity is what comes after the largest number. */
   const double beyond = largest(bits) + ulp_of(largest(bits), bits);
   if (isinf(g))
      g = copysign(beyond, g);
   if (isinf(w))
      w = copysign(beyond, w);
   if (fabs(g - w) <= bound)
      return true;
   /* Each product of a sum may be flushed. */
   if (r->may_flush && bits == 32 &&
       fabs(g - w) <= r->src_comps[0] * smallest_normal(bits) + bound)
      return true;
   if (r->op == nir_op_fmod || r->op == nir_op_frem)
      /* The quotient was next to an integer. */
      return fabs(fabs(g - w) - fabs(operand(r, 1))) <= bound;
   return a->flushes && bits == 32 && g == 0 &&
          fabs(w) < smallest_normal(bits) + bound;
}

/* The expression, with subnormal operands as zeros. */
static bool
eval_flushed(const struct alu_result *r, uint64_t *w)
{
   const nir_op_info *info = &nir_op_infos[r->op];
   nir_const_value src[ALU_MAX_SOURCES][NIR_MAX_VEC_COMPONENTS];
   nir_const_value dst[NIR_MAX_VEC_COMPONENTS], *ptr[ALU_MAX_SOURCES];
   unsigned unsized = r->dst_bits;
   bool any = false;

   for (unsigned i = 0; i < info->num_inputs; i++) {
      const unsigned bits = r->src_bits[i];
      if (!nir_type_bits(info->input[i].type))
         unsized = bits;
      const bool is_float = nir_type_base(info->input[i].type) ==
                            nir_type_float;
      for (unsigned k = 0; k < r->src_comps[i]; k++) {
         uint64_t v = r->src[i][k];
         const double x = is_float ? as_double(v, bits) : 0;
         if (x != 0 && fabs(x) < smallest_normal(bits)) {
            v &= 1ull << (bits - 1);
            any = true;
         }
         src[i][k] = nir_const_value_for_raw_uint(v, bits);
      }
      ptr[i] = src[i] + (info->input[i].size ? 0 : r->comp);
   }
   if (!any)
      return false;
   nir_eval_const_opcode(r->op, dst, MAX2(info->output.size, 1), unsized, ptr,
                         0);
   *w = nir_const_value_as_uint(dst[r->part], r->dst_bits);
   return true;
}

/* Whether floats of 32 bits may be flushed, operands and results: by MATH,
 * and in a shader that has not asked for subnormals. */
static bool
flushes(const struct alu_result *r, const struct accuracy *a)
{
   return (a->flushes && r->dst_bits == 32) || r->may_flush;
}

bool
alu_is_near(const struct alu_result *r)
{
   static const struct accuracy exact = { 0 };
   const struct accuracy *a = find_accuracy(r->op, r->dst_bits);
   uint64_t flushed;

   if (r->got == r->want)
      return true;
   if (!a)
      a = &exact;
   const bool has_flushed = flushes(r, a) && eval_flushed(r, &flushed);
   if (nir_type_base(nir_op_infos[r->op].output.type) != nir_type_float)
      return has_flushed && r->got == flushed;
   const double g = as_double(r->got, r->dst_bits);
   const double w = as_double(r->want, r->dst_bits);
   /* Which NaN is open. */
   if (isnan(g) && isnan(w))
      return true;
   if ((r->op == nir_op_fmod || r->op == nir_op_frem) && g == 0 && w == 0)
      return true;
   if (a == &exact && !r->may_flush)
      return false;
   return is_within(r, a, g, w) ||
          (has_flushed &&
           is_within(r, a, g, as_double(flushed, r->dst_bits)));
}

/* ---- operands that leave the result open ---- */

/* Division by zero and the one quotient that overflows. */
static bool
is_defined_division(const struct alu_result *r, bool is_signed)
{
   const uint64_t x = r->src[0][r->comp], y = r->src[1][r->comp];
   const unsigned bits = r->src_bits[0];

   return y != 0 && !(is_signed && y == BITFIELD64_MASK(bits) &&
                      x == 1ull << (bits - 1));
}

static bool
is_defined_quotient(const struct alu_result *r)
{
   /* Vulkan: the divisor lies within 2^-126 and 2^126. */
   const double y = fabs(operand(r, 1));
   return r->dst_bits != 32 || y == 0 || !isfinite(y) ||
          (y >= 0x1p-126 && y <= 0x1p126);
}

static bool
is_defined_remainder(const struct alu_result *r)
{
   /* Quotients that a significand holds; what lies within one ulp of 0 or y
    * may become either. */
   const double q = operand(r, 0) / operand(r, 1);
   const double limit = r->dst_bits == 64 ? 0x1p50 : 0x1p20;
   /* Without subnormals the reciprocal of a large divisor is zero. */
   return (!r->may_flush || is_defined_quotient(r)) && fabs(q) < limit &&
          fabs(q) > 1 / limit;
}

static bool
no_source_is_nan(const struct alu_result *r)
{
   for (unsigned k = 0; k < r->src_comps[0]; k++) {
      if (isnan(as_double(r->src[0][k], r->src_bits[0])))
         return false;
   }
   return true;
}

static bool
is_defined_field(const struct alu_result *r, unsigned offset, unsigned width)
{
   return r->src[offset][r->comp] + r->src[width][r->comp] <= 32 &&
          r->src[offset][r->comp] < 32;
}

bool
alu_is_defined(const struct alu_result *r)
{
   double d;

   switch (r->op) {
   case nir_op_idiv:
   case nir_op_imod:
   case nir_op_irem: return is_defined_division(r, r->src_bits[0] > 1);
   case nir_op_udiv:
   case nir_op_umod: return is_defined_division(r, false);
   case nir_op_f2i1: return fabs(operand(r, 0)) < 1.5;
   case nir_op_f2i8:
   case nir_op_f2i16:
   case nir_op_f2i32:
   case nir_op_f2i64:
   case nir_op_f2imp:
      d = operand(r, 0);
      return fabs(d) < ldexp(1, (int)r->dst_bits - 1) - 1;
   case nir_op_f2u1:
   case nir_op_f2u8:
   case nir_op_f2u16:
   case nir_op_f2u32:
   case nir_op_f2u64:
   case nir_op_f2ump:
      d = operand(r, 0);
      return d >= 0 && d < ldexp(1, (int)r->dst_bits) - 1;
   case nir_op_fdiv: return is_defined_quotient(r);
   case nir_op_fpow:
      /* GLSL: x > 0. Where log2 is a NaN or infinite there is no bound. */
      return operand(r, 0) > 0 && isfinite(operand(r, 0));
   case nir_op_fsin:
   case nir_op_fcos:
      /* PRM SKL vol 2a, math: up to 32767 pi. */
      return fabs(operand(r, 0)) < 32767 * M_PI;
   case nir_op_frexp_sig:
   case nir_op_frexp_exp: return isfinite(operand(r, 0));
   case nir_op_fmin:
   case nir_op_fmax:
      /* Which zero, and which of two NaNs' bits, is open. */
      return operand(r, 0) != operand(r, 1);
   case nir_op_fmod:
   case nir_op_frem: return is_defined_remainder(r);
   case nir_op_flrp:
      for (unsigned i = 0; i < 3; i++) {
         if (r->dst_bits == 32 && !(fabs(operand(r, i)) < 1e10))
            return false;
      }
      return true;
   case nir_op_fsign: return !isnan(operand(r, 0));
   case nir_op_pack_snorm_2x16:
   case nir_op_pack_snorm_4x8:
   case nir_op_pack_unorm_2x16:
   case nir_op_pack_unorm_4x8: return no_source_is_nan(r);
   case nir_op_ubitfield_extract:
   case nir_op_ibitfield_extract: return is_defined_field(r, 1, 2);
   case nir_op_bitfield_insert: return is_defined_field(r, 2, 3);
   default: return true;
   }
}
