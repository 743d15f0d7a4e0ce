/* SPDX-License-Identifier: MIT */
/*
 * The table of GLSL's functions. What NIR has as one operation is judged by
 * the reference of fp64_ops.c; the formula of GLSL 4.60, chapter 8, is the
 * reference of the others: bit by bit where it fixes each rounding, else in
 * the wider format of the host, within a few units of the last place of the
 * largest term.
 */
#include "gl_builtins.h"

#include <math.h>
#include <string.h>

#include "util/half.h"

typedef const uint64_t (*operands)[GL_OPERANDS];

enum { X, Y, Z, E };

static double
number(operands in, unsigned c, unsigned which)
{
   return util_bits_double(in[c][which]);
}

static const struct fp64_op *
operation(const char *name)
{
   for (unsigned i = 0; i < fp64_num_ops; i++) {
      if (!strcmp(fp64_ops[i].name, name))
         return &fp64_ops[i];
   }
   unreachable("no such operation");
}

/* ---- references ---- */

#define ARGS                                                                 \
   operands in, unsigned width, unsigned c, bool precise, uint64_t *out,     \
      double *scale

/* That of the operation `like` in NIR, on operands a, b and z. */
#define LIKE(name, like, a, b)                                               \
   static bool name(ARGS)                                                    \
   {                                                                         \
      const uint64_t s[3] = { a, b, in[c][Z] };                              \
      return operation(#like)->reference(s, out);                            \
   }

/* Bits, by an expression over doubles x, y, z and an integer e. */
#define BITS(name, expr)                                                     \
   static bool name(ARGS)                                                    \
   {                                                                         \
      const double x = number(in, c, X), y = number(in, c, Y),               \
                   z = number(in, c, Z);                                     \
      const int e = (int)in[c][E];                                           \
      (void)x, (void)y, (void)z, (void)e;                                    \
      *out = expr;                                                           \
      return true;                                                           \
   }
#define VALUE(name, expr) BITS(name, util_double_bits(expr))

/* A wide result, and the largest term, by two expressions over vectors. */
#define WIDE(name, result, term)                                             \
   static bool name(ARGS)                                                    \
   {                                                                         \
      const long double r = result;                                          \
      *scale = (double)(term);                                               \
      *out = util_double_bits((double)r);                                    \
      return true;                                                           \
   }

#define SIGN (1ull << 63)
#define MAGNITUDE (SIGN - 1)
#define EXPONENT ((uint64_t)(uint32_t)in[c][E])

LIKE(ref_sqrt, sqrt, in[c][X], 0)
LIKE(ref_abs, abs, in[c][X], 0)
LIKE(ref_sign, sign, in[c][X], 0)
LIKE(ref_floor, floor, in[c][X], 0)
LIKE(ref_trunc, trunc, in[c][X], 0)
LIKE(ref_round, round_even, in[c][X], 0)
LIKE(ref_round_negated, round_even, in[c][X] ^ SIGN, 0)
LIKE(ref_ceil, ceil, in[c][X], 0)
LIKE(ref_fract, fract, in[c][X], 0)
LIKE(ref_mod, mod, in[c][X], in[c][Y])
LIKE(ref_min, min, in[c][X], in[c][Y])
LIKE(ref_max, max, in[c][X], in[c][Y])
LIKE(ref_add, add, in[c][X], in[c][Y])
LIKE(ref_sub, sub, in[c][X], in[c][Y])
LIKE(ref_mul, mul, in[c][X], in[c][Y])
LIKE(ref_div, div, in[c][X], in[c][Y])
LIKE(ref_frexp_sig, frexp_sig, in[c][X], 0)
LIKE(ref_frexp_exp, frexp_exp, in[c][X], 0)
LIKE(ref_frexp_square, frexp_sig,
     util_double_bits(number(in, c, X) * number(in, c, X)), 0)
LIKE(ref_ldexp, ldexp, in[c][X], EXPONENT)
LIKE(ref_ldexp_negated, ldexp, in[c][X] ^ SIGN, EXPONENT)
LIKE(ref_ldexp_abs, ldexp, in[c][X] & MAGNITUDE, EXPONENT)
LIKE(ref_ldexp_small, ldexp, in[c][X], (uint32_t)-1030)
LIKE(ref_ldexp_up, ldexp, in[c][X], 3)
LIKE(ref_ldexp_three, ldexp, util_double_bits(3.0), EXPONENT)
LIKE(ref_ldexp_zero, ldexp, 0, EXPONENT)
LIKE(ref_ldexp_square, ldexp,
     util_double_bits(number(in, c, X) * number(in, c, X)), EXPONENT)
LIKE(ref_ldexp_more, ldexp, util_double_bits(fabs(number(in, c, X)) + 1.0),
     EXPONENT)
LIKE(ref_less, less, in[c][X], in[c][Y])
LIKE(ref_less_equal, greater_equal, in[c][Y], in[c][X])
LIKE(ref_equal, equal, in[c][X], in[c][Y])
LIKE(ref_not_equal, not_equal, in[c][X], in[c][Y])
LIKE(ref_to_int, to_int, in[c][X], 0)
LIKE(ref_to_uint, to_uint, in[c][X], 0)
LIKE(ref_to_float, to_float, in[c][X], 0)
LIKE(ref_from_int, from_int, EXPONENT, 0)
LIKE(ref_from_uint, from_uint, EXPONENT, 0)
LIKE(ref_from_float, from_float, EXPONENT, 0)

BITS(ref_bits, in[c][X])
BITS(ref_isnan, isnan(x))
BITS(ref_isinf, isinf(x) != 0)
/* A product that nothing else in the program has. */
VALUE(ref_fma, precise ? x *z + y : fma(x, z, y))
VALUE(ref_modf_whole, trunc(x))
VALUE(ref_modf, x - trunc(x))
VALUE(ref_mix_bool, x < z ? y : x)

static bool
ref_step(ARGS)
{
   const double x = number(in, c, X), y = number(in, c, Y);
   *out = util_double_bits(y < x ? 0.0 : 1.0);
   return !isnan(x) && !isnan(y);
}

static bool
ref_to_bool(ARGS)
{
   *out = number(in, c, X) != 0.0;
   return !isnan(number(in, c, X));
}

/* GLSL leaves it open where the bounds are in the wrong order; NaN too. */
static bool
ref_clamp(ARGS)
{
   const double x = number(in, c, X), y = number(in, c, Y),
                z = number(in, c, Z);
   *out = util_double_bits(x < y ? y : x > z ? z : x);
   return y <= z && !isnan(x);
}

static bool
ref_rsq(ARGS)
{
   const long double root = sqrtl((long double)number(in, c, X));
   *out = util_double_bits((double)(1.0L / root));
   *scale = fabs(util_bits_double(*out));
   return number(in, c, X) > 0.0;
}

WIDE(ref_mix,
     (long double)number(in, c, X) * (1.0L - number(in, c, Z)) +
        (long double)number(in, c, Y) * number(in, c, Z),
     fabs(number(in, c, X)) * (1.0 + fabs(number(in, c, Z))) +
        fabs(number(in, c, Y) * number(in, c, Z)))

static bool
ref_smoothstep(ARGS)
{
   const long double x = number(in, c, X), y = number(in, c, Y),
                     z = number(in, c, Z);
   long double t = (z - x) / (y - x);
   /* What is lost in either difference. */
   *scale = (double)(1.0L + (fabsl(z) + fabsl(x) + fabsl(y)) / fabsl(y - x));
   t = t < 0.0L ? 0.0L : t > 1.0L ? 1.0L : t;
   *out = util_double_bits((double)(t * t * (3.0L - 2.0L * t)));
   return x < y;
}

/* Of vectors a and b of the operands. */
static long double
product_sum(operands in, unsigned width, unsigned a, unsigned b,
            double *terms)
{
   long double sum = 0.0L;
   double size = 0.0;
   for (unsigned i = 0; i < width; i++) {
      const long double p = (long double)number(in, i, a) * number(in, i, b);
      sum += p;
      size += (double)fabsl(p);
   }
   if (terms)
      *terms = size;
   return sum;
}

#define LENGTH(v) sqrtl(product_sum(in, width, v, v, NULL))

WIDE(ref_dot, product_sum(in, width, X, Y, scale), *scale)
WIDE(ref_length, LENGTH(X), LENGTH(X))
WIDE(ref_normalize, number(in, c, X) / LENGTH(X),
     fabs(number(in, c, X)) / LENGTH(X))
WIDE(ref_reflect,
     number(in, c, X) -
        2.0L * product_sum(in, width, Y, X, scale) * number(in, c, Y),
     fabs(number(in, c, X)) + 2.0 * *scale * fabs(number(in, c, Y)))

static bool
ref_distance(ARGS)
{
   long double sum = 0.0L;
   for (unsigned i = 0; i < width; i++) {
      const long double d = (long double)number(in, i, X) - number(in, i, Y);
      sum += d * d;
   }
   *scale = (double)sqrtl(sum);
   *out = util_double_bits(*scale);
   return true;
}

static bool
ref_faceforward(ARGS)
{
   double size;
   const long double dot = product_sum(in, width, Z, Y, &size);
   const double x = number(in, c, X);
   *out = util_double_bits(dot < 0.0L ? x : -x);
   /* Where roundings may turn its sign. */
   return fabsl(dot) > (long double)size * 0x1p-49L;
}

/* eta is 0.5; for unit vectors it is no total reflection. */
static bool
ref_refract(ARGS)
{
   const long double eta = 0.5L;
   double size;
   const long double dot = product_sum(in, width, Y, X, &size);
   const long double k = 1.0L - eta * eta * (1.0L - dot * dot);
   const long double f = eta * dot + sqrtl(k);
   const long double r = eta * number(in, c, X) -
                         f * (long double)number(in, c, Y);
   *out = util_double_bits((double)r);
   *scale = fabs(number(in, c, X)) +
            (1.0 + size) * (1.0 + size) * fabs(number(in, c, Y));
   return k > 0.01L;
}

static bool
ref_cross(ARGS)
{
   const unsigned i = (c + 1) % 3, j = (c + 2) % 3;
   const long double a = (long double)number(in, i, X) * number(in, j, Y);
   const long double b = (long double)number(in, j, X) * number(in, i, Y);
   *out = util_double_bits((double)(a - b));
   *scale = (double)(fabsl(a) + fabsl(b));
   return true;
}

/* Matrices of two columns, in the four operands: column by column. */
#define AT(which, column, row) number(in, 2 * (column) + (row), which)

BITS(ref_transpose, in[2 * (c % 2) + c / 2][X])
VALUE(ref_outer, number(in, c % 2, X) * number(in, c / 2, Y))
WIDE(ref_determinant,
     (long double)AT(X, 0, 0) * AT(X, 1, 1) -
        (long double)AT(X, 1, 0) * AT(X, 0, 1),
     fabs(AT(X, 0, 0) * AT(X, 1, 1)) + fabs(AT(X, 1, 0) * AT(X, 0, 1)))
WIDE(ref_matrix_product,
     (long double)AT(X, 0, c % 2) * AT(Y, c / 2, 0) +
        (long double)AT(X, 1, c % 2) * AT(Y, c / 2, 1),
     fabs(AT(X, 0, c % 2) * AT(Y, c / 2, 0)) +
        fabs(AT(X, 1, c % 2) * AT(Y, c / 2, 1)))

static bool
ref_inverse(ARGS)
{
   static const unsigned from[4] = { 3, 1, 2, 0 };
   double size = 0.0;
   uint64_t bits;
   if (!ref_determinant(in, width, c, precise, &bits, &size))
      return false;
   const long double det = (long double)AT(X, 0, 0) * AT(X, 1, 1) -
                           (long double)AT(X, 1, 0) * AT(X, 0, 1);
   const double e = number(in, from[c], X);
   const long double r = (c == 0 || c == 3 ? 1.0L : -1.0L) * e / det;
   *out = util_double_bits((double)r);
   *scale = (double)(fabsl(r) * (1.0L + size / fabsl(det)));
   return true;
}

/* ---- what is as right ---- */

static bool
like_mod(const uint64_t *in, uint64_t got)
{
   return operation("mod")->also_right(in, got);
}

static bool
like_min(const uint64_t *in, uint64_t got)
{
   return operation("min")->also_right(in, got);
}

/* Zeros of either sign, where it is a choice of zeros. */
static bool
clamps_zero(const uint64_t *in, uint64_t got)
{
   const double y = util_bits_double(in[Y]), z = util_bits_double(in[Z]);
   return (y == 0.0 || z == 0.0) && util_bits_double(got) == 0.0;
}

/* A zero of either sign, and any result of a NaN, which GLSL leaves open. */
static bool
any_zero(const uint64_t *in, uint64_t got)
{
   const double x = util_bits_double(in[X]);
   return isnan(x) || (x == 0.0 && util_bits_double(got) == 0.0);
}

/* ---- the table ---- */

#define ROW(name, code, type, reference, ...)                                \
   {                                                                         \
      name, code, type, 0, GL_ALL, GL_BITS, reference, __VA_ARGS__           \
   }
#define NEAR(name, code, width, reference)                                   \
   {                                                                         \
      name, code, 'T', width, GL_TAME, GL_NEAR, reference                    \
   }

const struct gl_builtin gl_builtins[] = {
   ROW("+", "r = x + y;", 'T', ref_add),
   ROW("-", "r = x - y;", 'T', ref_sub),
   ROW("*", "r = x * y;", 'T', ref_mul),
   ROW("/", "r = x / y;", 'T', ref_div),
   ROW("sqrt", "r = sqrt(x);", 'T', ref_sqrt),
   NEAR("inversesqrt", "r = inversesqrt(x);", 0, ref_rsq),
   ROW("abs", "r = abs(x);", 'T', ref_abs),
   ROW("sign", "r = sign(x);", 'T', ref_sign, any_zero),
   ROW("floor", "r = floor(x);", 'T', ref_floor),
   ROW("trunc", "r = trunc(x);", 'T', ref_trunc),
   ROW("round", "r = round(x);", 'T', ref_round),
   ROW("roundEven", "r = roundEven(x);", 'T', ref_round),
   ROW("roundEven", "r = roundEven(-x);", 'T', ref_round_negated),
   ROW("ceil", "r = ceil(x);", 'T', ref_ceil),
   ROW("fract", "r = fract(x);", 'T', ref_fract),
   ROW("mod", "r = mod(x, y);", 'T', ref_mod, like_mod),
   ROW("modf, fraction", "T w; r = modf(x, w);", 'T', ref_modf),
   ROW("modf, integer", "modf(x, r);", 'T', ref_modf_whole),
   ROW("min", "r = min(x, y);", 'T', ref_min, like_min),
   ROW("max", "r = max(x, y);", 'T', ref_max, like_min),
   ROW("clamp", "r = clamp(x, y, z);", 'T', ref_clamp, clamps_zero),
   NEAR("mix", "r = mix(x, y, z);", 0, ref_mix),
   ROW("mix of bool", "r = mix(x, y, LESS(x, z));", 'T', ref_mix_bool),
   ROW("step", "r = step(x, y);", 'T', ref_step),
   NEAR("smoothstep", "r = smoothstep(x, y, z);", 0, ref_smoothstep),
   ROW("isnan", "r = isnan(x);", 'B', ref_isnan),
   ROW("isinf", "r = isinf(x);", 'B', ref_isinf),
   ROW("fma", "r = fma(x, z, y);", 'T', ref_fma),
   ROW("frexp, significand", "I k; r = frexp(x, k);", 'T', ref_frexp_sig),
   ROW("frexp, significand", "I k; r = frexp(x * x, k);", 'T',
       ref_frexp_square),
   ROW("frexp, exponent", "frexp(x, r);", 'I', ref_frexp_exp),
   ROW("ldexp", "r = ldexp(x, e);", 'T', ref_ldexp),
   ROW("ldexp", "r = ldexp(-x, e);", 'T', ref_ldexp_negated),
   ROW("ldexp", "r = ldexp(abs(x), e);", 'T', ref_ldexp_abs),
   ROW("ldexp", "r = ldexp(x, I(3));", 'T', ref_ldexp_up),
   ROW("ldexp", "r = ldexp(x, I(-1030));", 'T', ref_ldexp_small),
   ROW("ldexp", "r = ldexp(T(3.0lf), e);", 'T', ref_ldexp_three),
   ROW("ldexp", "r = ldexp(T(0.0lf), e);", 'T', ref_ldexp_zero),
   ROW("ldexp", "r = ldexp(x * x, e);", 'T', ref_ldexp_square),
   ROW("ldexp", "r = ldexp(abs(x) + 1.0lf, e);", 'T', ref_ldexp_more),
   ROW("lessThan", "r = LESS(x, y);", 'B', ref_less),
   ROW("lessThanEqual", "r = LESS_EQUAL(x, y);", 'B', ref_less_equal),
   ROW("equal", "r = EQUAL(x, y);", 'B', ref_equal),
   ROW("notEqual", "r = NOT_EQUAL(x, y);", 'B', ref_not_equal),
   ROW("int of double", "r = I(x);", 'I', ref_to_int),
   ROW("uint of double", "r = U(x);", 'U', ref_to_uint),
   ROW("float of double", "r = F(x);", 'F', ref_to_float),
   ROW("bool of double", "r = B(x);", 'B', ref_to_bool),
   ROW("double of int", "r = T(e);", 'T', ref_from_int),
   ROW("double of uint", "r = T(U(e));", 'T', ref_from_uint),
   ROW("double of float", "r = T(FLOAT_BITS(e));", 'T', ref_from_float),
   { "packDouble2x32, unpackDouble2x32",
     "r = packDouble2x32(unpackDouble2x32(x));", 'T', 1, GL_ALL, GL_BITS,
     ref_bits },
   NEAR("length", "r = T(length(x));", 0, ref_length),
   NEAR("distance", "r = T(distance(x, y));", 0, ref_distance),
   NEAR("dot", "r = T(dot(x, y));", 0, ref_dot),
   NEAR("cross", "r = cross(x, y);", 3, ref_cross),
   NEAR("normalize", "r = normalize(x);", 0, ref_normalize),
   { "faceforward", "r = faceforward(x, y, z);", 'T', 0, GL_TAME, GL_BITS,
     ref_faceforward },
   NEAR("reflect", "r = reflect(x, y);", 0, ref_reflect),
   NEAR("refract", "r = refract(x, y, 0.5lf);", 0, ref_refract),
   { "matrixCompMult",
     "dmat2 m = matrixCompMult(dmat2(x), dmat2(y)); r = T(m[0], m[1]);", 'T',
     4, GL_ALL, GL_BITS, ref_mul },
   { "outerProduct", "dmat2 m = outerProduct(x.xy, y.xy); r = T(m[0], m[1]);",
     'T', 4, GL_ALL, GL_BITS, ref_outer },
   { "transpose", "dmat2 m = transpose(dmat2(x)); r = T(m[0], m[1]);", 'T', 4,
     GL_ALL, GL_BITS, ref_transpose },
   NEAR("determinant", "r = T(determinant(dmat2(x)));", 4, ref_determinant),
   NEAR("inverse", "dmat2 m = inverse(dmat2(x)); r = T(m[0], m[1]);", 4,
        ref_inverse),
   NEAR("product of matrices",
        "dmat2 m = dmat2(x) * dmat2(y); r = T(m[0], m[1]);", 4,
        ref_matrix_product),
};

const unsigned gl_num_builtins = ARRAY_SIZE(gl_builtins);
