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
 * Both with every seed that is up to MAX_SEED_ULPS units of a float's last
 * place off, which is what the manuals allow extended math (PRM SKL vol 7,
 * "Extended Math").
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SEED_ULPS 4
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
   const double worst = check_samples(samples);
   printf("%llu samples of div, mod, sqrt and rsq: %llu wrong in all, rsq at "
          "most %.4f ulp off\n",
          (unsigned long long)samples, (unsigned long long)wrong, worst);
   return wrong || worst >= 1;
}
