/* SPDX-License-Identifier: MIT */
/*
 * The short forms of roots, remainders and quotients of doubles, as
 * nir_guard_doubles.c makes them, on the host.
 *
 * usage: test_fp64_critical [SAMPLES]
 *
 * First all numbers whose roots are so close to the middle of two doubles
 * that the sequence's error could decide (docs/fp64.rst says how close that
 * is). With K odd, K / 2 the middle and X = m 2^52 or m 2^53 the number,
 * scaled so that its root has 53 bits before the point, 4 X = K^2 - delta:
 * K^2 = delta modulo 2^54 or 2^55, which has four solutions for each delta =
 * 1 modulo 8 and none for others. They are found bit by bit. Then SAMPLES
 * random operands (10^6) for each operation, with significands of few bits
 * and of nearly all bits among them.
 *
 * And the long form of a quotient, of nir_lower_doubles.c: operands of all
 * exponents, and quotients that are next to the middle of two doubles, normal
 * or subnormal, or are one. N 2^p = D M + delta, M being an odd number of p
 * bits: for each odd D and delta there is one M, which is found by D's
 * inverse.
 *
 * Both with every seed that is up to MAX_SEED_ULPS units of a float's last
 * place off, which is what the manuals allow extended math (PRM SKL vol 7,
 * "Extended Math").
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SEED_ULPS 4
#define CRITICAL_DIVISORS 5000
/* Far above what the argument needs, 2^8. */
#define MAX_DELTA (INT64_C(1) << 18)

static double
double_of(uint64_t bits)
{
   double d;
   memcpy(&d, &bits, sizeof(d));
   return d;
}

static uint64_t
bits_of(double d)
{
   uint64_t bits;
   memcpy(&bits, &d, sizeof(bits));
   return bits;
}

static float
moved(float seed, int ulps)
{
   uint32_t bits;
   memcpy(&bits, &seed, sizeof(bits));
   bits += (uint32_t)ulps;
   memcpy(&seed, &bits, sizeof(seed));
   return seed;
}

/* ---- the sequences ---- */

static double
newton(double d, double y)
{
   return fma(y, fma(-d, y, 1.0), y);
}

static double
reciprocal_seed(double d, int ulps)
{
   return moved((float)(1.0 / (double)(float)d), ulps);
}

static double
root_seed(double x, int ulps)
{
   return moved((float)(1.0 / sqrt((double)(float)x)), ulps);
}

static double
short_div(double n, double d, int ulps)
{
   const double y = newton(d, newton(d, reciprocal_seed(d, ulps)));
   const double q = n * y;
   return fma(fma(-d, q, n), y, q);
}

static double
short_sqrt(double x, int ulps)
{
   const double y = root_seed(x, ulps);
   double g = x * y, h = y * 0.5;
   double e = fma(-h, g, 0.5);
   g = fma(g, e, g);
   h = fma(h, e, h);
   e = fma(-h, g, 0.5);
   g = fma(g, e, g);
   h = fma(h, e, h);
   return fma(fma(-g, g, x), h, g);
}

static double
short_rsq(double x, int ulps)
{
   double y = root_seed(x, ulps), t = x * y;
   y = fma(y * 0.5, fma(-t, y, 1.0), y);
   t = x * y;
   const double lost = fma(x, y, -t);
   const double e = fma(-lost, y, fma(-t, y, 1.0));
   return fma(y * 0.5, e, y);
}

static double
short_mod(double x, double y, int ulps)
{
   const double magic = 0x1.8p52;
   volatile double sum = x * newton(y, reciprocal_seed(y, ulps)) + magic;
   double k = sum - magic;
   if (fma(-k, y, x) * y < 0)
      k -= 1;
   return fma(-k, y, x);
}

static double
power_of_two(uint32_t high)
{
   return double_of((uint64_t)high << 32);
}

static uint32_t
coarse_exponent(double x)
{
   return (uint32_t)(bits_of(x) >> 32) & 0x7c000000;
}

static bool
is_ordinary(double x)
{
   return x != 0 && isfinite(x);
}

static double
long_div(double n, double d, int ulps)
{
   const uint32_t coarse_n = coarse_exponent(n),
                  coarse_d = coarse_exponent(d);
   const int32_t half = (int32_t)(coarse_n - coarse_d) / 2;
   const double back = power_of_two((uint32_t)(0x3ff00000 + half));
   const double forth = power_of_two((uint32_t)(0x3ff00000 - half));
   n *= power_of_two(0x7fe00000 - coarse_n);
   d *= power_of_two(0x7fe00000 - coarse_d);
   const double seed = reciprocal_seed(d, is_ordinary(d) ? ulps : 0);
   double y = newton(d, newton(d, seed));
   y = fma(y * 0x1.0000000000001p0, fma(-d, y, 1.0), y);
   double q = n * y;
   q = fma(fma(-d, q, n), y, q);
   const double r = q * back * back;
   q = r * forth * forth;
   const double rest = fma(-d, q, n), c = rest * y;
   const double lack = fmin(fma(fma(-d, c, rest), y, c) * back, 0x1p1000);
   return is_ordinary(n * seed) ? fma(lack, back, r) : n * seed;
}

/* ---- what is right ---- */

static double
right_mod(double x, double y)
{
   /* Exact; then at most one rounding. */
   const double r = fmod(x, y);
   return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

/* Units of the last place that y is off 1 / sqrt(x), about: from x y^2 - 1,
 * of which fma() loses little. */
static double
rsq_error(double x, double y)
{
   const long double t = (long double)x * y;
   const long double e = fmal(t, y, -1.0L);
   int exponent;
   frexp(y, &exponent);
   return fabs((double)e) / 2 * y / ldexp(1.0, exponent - 53);
}

static uint64_t wrong;

static void
report(const char *op, double a, double b, int ulps, double got, double want)
{
   if (wrong++ < 20)
      printf("%s %a %a, seed off by %d: %a, not %a\n", op, a, b, ulps, got,
             want);
}

static void
check_sqrt(double x)
{
   const double want = sqrt(x);
   for (int ulps = -MAX_SEED_ULPS; ulps <= MAX_SEED_ULPS; ulps++) {
      const double got = short_sqrt(x, ulps);
      if (got != want)
         report("sqrt", x, 0, ulps, got, want);
   }
}

/* ---- all critical roots ---- */

/* One of the four roots of delta modulo 2^n. */
static uint64_t
root_modulo(uint64_t delta, unsigned n)
{
   uint64_t r = 1;
   for (unsigned i = 3; i < n; i++) {
      if ((r * r - delta) >> i & 1)
         r += UINT64_C(1) << (i - 1);
   }
   return r;
}

/* K^2 = delta + 4 X, X = m 2^(n - 2). Counts those with m in range. */
static unsigned
check_middle(uint64_t k, int64_t delta, unsigned n)
{
   const unsigned __int128 square = (unsigned __int128)k * k;
   const unsigned __int128 four_x = delta < 0 ? square + (uint64_t)-delta
                                              : square - (uint64_t)delta;
   const uint64_t m = (uint64_t)(four_x >> n);

   if (k < UINT64_C(1) << 53 || k >= UINT64_C(1) << 54 ||
       m < UINT64_C(1) << 52 || m >= UINT64_C(1) << 53)
      return 0;
   /* m 2^54 has a root of even exponent, m 2^55 one of odd. */
   check_sqrt(ldexp((double)m, n == 54 ? -52 : -51));
   return 1;
}

static unsigned
check_critical_roots(void)
{
   unsigned count = 0;
   for (unsigned n = 54; n <= 55; n++) {
      const uint64_t mask = (UINT64_C(1) << n) - 1;
      const uint64_t half = UINT64_C(1) << (n - 1);
      for (int64_t delta = 1 - MAX_DELTA; delta <= MAX_DELTA; delta += 8) {
         const uint64_t r = root_modulo((uint64_t)delta, n) & mask;
         const uint64_t roots[] = { r, mask + 1 - r, r ^ half,
                                    (mask + 1 - r) ^ half };
         for (unsigned i = 0; i < 4; i++)
            count += check_middle(roots[i] & mask, delta, n);
      }
   }
   return count;
}

/* ---- critical quotients ---- */

static void
check_long_div(double n, double d)
{
   const double want = n / d;
   for (int ulps = -MAX_SEED_ULPS; ulps <= MAX_SEED_ULPS; ulps++) {
      const double got = long_div(n, d, ulps);
      if (bits_of(got) != bits_of(want) && !(isnan(got) && isnan(want)))
         report("long div", n, d, ulps, got, want);
   }
}

/* n / d is about m / 2^p: next to a middle of normal numbers if m has 54
 * bits, of subnormal ones if it is scaled so that the middle is m 2^-1075. */
static unsigned
check_near_middle(uint64_t d, unsigned p, int delta)
{
   const uint64_t mask = (UINT64_C(1) << p) - 1;
   uint64_t inverse = d; /* of 3 bits, 6, ... */
   for (unsigned i = 0; i < 5; i++)
      inverse *= 2 - d * inverse;
   const uint64_t m = -(uint64_t)delta * inverse & mask;
   const __int128 product = (__int128)d * m + delta;
   const uint64_t n = (uint64_t)(product >> p);
   if (n == 0 || n >= UINT64_C(1) << 53)
      return 0;
   check_long_div((double)n, (double)d);
   const double scaled_n = ldexp((double)n, (int)p - 1075 + 900);
   check_long_div(scaled_n, ldexp((double)d, 900));
   check_long_div(-scaled_n, ldexp((double)d, 900));
   return 1;
}

/* The middle itself, of subnormal numbers: d m 2^-1075 divided by d. */
static void
check_middle_quotient(uint64_t d, uint64_t m)
{
   check_long_div(ldexp((double)(d * m), -175), ldexp((double)d, 900));
}

static uint64_t next_random(void);

/* Divisors that are next to a power of two, each; and others. */
static unsigned
check_critical_quotients(unsigned divisors)
{
   const uint64_t ends = UINT64_C(1) << 53;
   unsigned count = 0;
   for (unsigned i = 0; i < divisors; i++) {
      const uint64_t other = (next_random() >> 12) | ends >> 1 | 1;
      const uint64_t d = i % 2 ? ends - i : other;
      for (unsigned p = 2; p <= 54; p++) {
         for (int delta = -3; delta <= 3; delta += 2)
            count += check_near_middle(d, p, delta);
      }
      check_middle_quotient((other >> (10 + i % 40)) | 1,
                            (next_random() >> (54 + i % 9)) | 1);
   }
   return count;
}

static void
check_special_quotients(void)
{
   static const double values[] = {
      0.0,
      INFINITY,
      NAN,
      1.0,
      0x1p-1074,
      0x1p-1073,
      0x3p-1074,
      0x1p-1022,
      0x1p1023,
      3.0,
      0.1,
      0x1.fffffffffffffp-1,
      0x1.fffffffffffffp1023,
      0x1.ffffffffffffep1023,
      0x0.fffffffffffffp-1022,
      0x1.0000000000001p0,
      0x1p-512,
      0x1.fffffffffffffp512,
   };
   const unsigned n = sizeof(values) / sizeof(values[0]);
   for (unsigned i = 0; i < 4 * n * n; i++)
      check_long_div(values[i / 4 % n] * (i & 1 ? -1 : 1),
                     values[i / 4 / n] * (i & 2 ? -1 : 1));
}

/* ---- samples ---- */

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t
next_random(void)
{
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Exponents in [-range, range]. */
static double
random_double(int range)
{
   uint64_t s = next_random() & ((UINT64_C(1) << 52) - 1);
   const uint64_t kind = next_random();
   if (kind % 4 == 0)
      s &= s << (kind >> 2) % 52;
   else if (kind % 4 == 1)
      s |= ((UINT64_C(1) << 52) - 1) << (kind >> 2) % 52 &
           ((UINT64_C(1) << 52) - 1);
   const uint64_t e = next_random() % (2 * (unsigned)range + 1);
   return double_of((e + 1023 - (unsigned)range) << 52 | s);
}

/* Divisors that begin with 20 ones take the long way. */
static double
random_divisor(void)
{
   double d;
   do
      d = random_double(125);
   while ((bits_of(d) >> 32 & 0xfffff) == 0xfffff);
   return next_random() & 1 ? d : -d;
}

static void
check_div(double n, double d, int ulps)
{
   const double got = short_div(n, d, ulps);
   if (got != n / d)
      report("div", n, d, ulps, got, n / d);
}

static void
check_mod(double x, double y, int ulps)
{
   const double q = x / y;
   /* Others take the long way. */
   if (fabs(q) < 0x1p-49 || fabs(q) >= 0x1p38)
      return;
   const double got = short_mod(x, y, ulps), want = right_mod(x, y);
   if (got != want)
      report("mod", x, y, ulps, got, want);
}

static double
check_samples(uint64_t samples)
{
   double worst = 0;
   for (uint64_t i = 0; i < samples; i++) {
      const int ulps = (int)(next_random() % (2 * MAX_SEED_ULPS + 1)) -
                       MAX_SEED_ULPS;
      const double x = random_double(125), d = random_divisor();
      const double signed_x = next_random() & 1 ? x : -x;
      check_div(signed_x, d, ulps);
      check_long_div(double_of(next_random()), double_of(next_random()));
      check_long_div(random_double(1022), random_double(1022));
      /* Quotients near what mod takes. */
      const double y = copysign(
         ldexp(frexp(d, &(int) { 0 }), ilogb(x) - 39 + (int)(i % 90)), d);
      if (fabs(y) >= 0x1p-125 && fabs(y) < 0x1p126) {
         check_mod(signed_x, y, ulps);
         /* A multiple of y, or next to one. */
         check_mod(y * (double)(next_random() >> 32) * (i & 1 ? 1 : -1), y,
                   ulps);
      }
      const double root = short_sqrt(x, ulps);
      if (root != sqrt(x))
         report("sqrt", x, 0, ulps, root, sqrt(x));
      const double error = rsq_error(x, short_rsq(x, ulps));
      worst = fmax(worst, error);
   }
   return worst;
}

int
main(int argc, char **argv)
{
   const uint64_t samples = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
   const unsigned critical = check_critical_roots();

   printf("%u roots within %lld / 2^55 of a middle, each with %d seeds: %llu "
          "wrong\n",
          critical, (long long)MAX_DELTA, 2 * MAX_SEED_ULPS + 1,
          (unsigned long long)wrong);
   check_special_quotients();
   const unsigned quotients = check_critical_quotients(CRITICAL_DIVISORS);
   printf("%u quotients next to a middle, and others: %llu wrong\n",
          quotients, (unsigned long long)wrong);
   const double worst = check_samples(samples);
   printf("%llu samples of div, mod, sqrt and rsq: %llu wrong in all, rsq at "
          "most %.4f ulp off\n",
          (unsigned long long)samples, (unsigned long long)wrong, worst);
   return wrong || worst >= 1;
}
