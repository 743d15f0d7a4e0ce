/* SPDX-License-Identifier: MIT */
/*
 * Division and square root by MATH.INVM, MATH.RSQRTM and MADM: the steps give
 * what IEEE has, where channels do not end early; those that do have it
 * already. Doubles and floats, all over the range, on both generations.
 */
#include "eu_test.h"

#include <inttypes.h>
#include <math.h>

/* a in r2, b in r4, 0 in r6, 1 in r8, 1/2 in r10; the result in r20. */
#define DIVIDE(n, t)                                                         \
   "math.invm (" n ") (eo)f1.0 r20.mme0:" t " r2.nomme:" t " r4.nomme:" t    \
   "\n"                                                                      \
   "(~f1.0) if (" n ") out out\n"                                            \
   "madm (" n ") r22.mme1:" t " r6.nomme:" t " r2.nomme:" t " r20.mme0:" t   \
   "\n"                                                                      \
   "madm (" n ") r24.mme2:" t " r8.nomme:" t " -r4.nomme:" t " r20.mme0:" t  \
   "\n"                                                                      \
   "madm (" n ") r26.mme3:" t " r20.mme0:" t " r24.mme2:" t " r20.mme0:" t   \
   "\n"                                                                      \
   "madm (" n ") r24.mme2:" t " r8.nomme:" t " -r4.nomme:" t " r26.mme3:" t  \
   "\n"                                                                      \
   "madm (" n ") r26.mme3:" t " r26.mme3:" t " r24.mme2:" t " r26.mme3:" t   \
   "\n"                                                                      \
   "madm (" n ") r28.mme4:" t " r2.nomme:" t " -r4.nomme:" t " r22.mme1:" t  \
   "\n"                                                                      \
   "madm (" n ") r22.mme5:" t " r22.mme1:" t " r28.mme4:" t " r26.mme3:" t   \
   "\n"                                                                      \
   "madm (" n ") r28.mme6:" t " r2.nomme:" t " -r4.nomme:" t " r22.mme5:" t  \
   "\n"                                                                      \
   "madm (" n ") r20.nomme:" t " r22.mme5:" t " r28.mme6:" t " r26.mme3:" t  \
   "\n"                                                                      \
   "out:\nendif (" n ") end\nend:\n"

/* h = y/2, g = a y; twice: r = 1/2 - h g, h += h r, g += g r; at last the
 * remainder a - g g. */
#define STEP(n, t)                                                           \
   "madm (" n ") r26.mme3:" t " r10.nomme:" t " -r22.mme1:" t " r24.mme2:" t \
   "\n"                                                                      \
   "madm (" n ") r22.mme1:" t " r22.mme1:" t " r22.mme1:" t " r26.mme3:" t   \
   "\n"                                                                      \
   "madm (" n ") r24.mme2:" t " r24.mme2:" t " r24.mme2:" t " r26.mme3:" t   \
   "\n"
#define ROOT(n, t)                                                           \
   "math.rsqtm (" n ") (eo)f1.0 r20.mme0:" t " r2.nomme:" t "\n"             \
   "(~f1.0) if (" n ") out out\n"                                            \
   "madm (" n ") r22.mme1:" t " r6.nomme:" t " r10.nomme:" t " r20.mme0:" t  \
   "\n"                                                                      \
   "madm (" n ") r24.mme2:" t " r6.nomme:" t " r2.nomme:" t " r20.mme0:" t   \
   "\n" STEP(n, t) STEP(n, t) "madm (" n ") r26.mme3:" t " r2.nomme:" t      \
                              " -r24.mme2:" t " r24.mme2:" t "\n"            \
                              "madm (" n ") r20.nomme:" t " r24.mme2:" t     \
                              " r22.mme1:" t " r26.mme3:" t "\n"             \
                              "out:\nendif (" n ") end\nend:\n"

static const struct {
   const char *text;
   bool df, root;
} rows[] = {
   { DIVIDE("4|M0", "df") TEST_EOT, true, false },
   { DIVIDE("8|M0", "f") TEST_EOT, false, false },
   { ROOT("4|M0", "df") TEST_EOT, true, true },
   { ROOT("8|M0", "f") TEST_EOT, false, true },
};

static void
put(union sim_grf *r, bool df, unsigned lane, uint64_t bits)
{
   if (df)
      r->uq[lane] = bits;
   else
      r->ud[lane] = (uint32_t)bits;
}

static uint64_t
expected(bool df, bool root, uint64_t a, uint64_t b)
{
   if (df) {
      const double x = util_bits_double(a), y = util_bits_double(b);
      return util_double_bits(root ? sqrt(x) : x / y);
   }
   const float x = util_bits_float((uint32_t)a);
   const float y = util_bits_float((uint32_t)b);
   return util_float_bits(root ? sqrtf(x) : x / y);
}

static bool
is_nan(bool df, uint64_t bits)
{
   return df ? isnan(util_bits_double(bits))
             : isnan(util_bits_float((uint32_t)bits));
}

/* Values near each other, whose quotients are hard to round, are half. */
static uint64_t
value(uint64_t *seed, bool df)
{
   const uint64_t bits = isa_sample_value_bits(seed, df ? 8 : 4);
   if (isa_sample_below(seed, 2))
      return bits;
   return df ? (bits & BITFIELD64_MASK(52)) | 0x3ffull << 52
             : (bits & BITFIELD_MASK(23)) | 0x7fu << 23;
}

static void
check(unsigned verx10, unsigned row, uint64_t *seed, unsigned *early)
{
   static struct sim_eu_thread t;
   const struct sim_eu_env env = { .verx10 = verx10 };
   const bool df = rows[row].df, root = rows[row].root;
   struct sim_eu_program *p =
      test_assemble(verx10, rows[row].text, EU_BODIES_BEST);
   const unsigned lanes = df ? 4 : 8;
   const uint64_t one = df ? util_double_bits(1) : util_float_bits(1);
   const uint64_t half = df ? util_double_bits(0.5) : util_float_bits(0.5f);
   for (unsigned n = 0; n < 4000; n++) {
      uint64_t a[8], b[8];
      memset(t.grf, 0, sizeof(t.grf));
      for (unsigned i = 0; i < lanes; i++) {
         put(&t.grf[2], df, i, a[i] = value(seed, df));
         put(&t.grf[4], df, i, b[i] = value(seed, df));
         put(&t.grf[8], df, i, one);
         put(&t.grf[10], df, i, half);
      }
      sim_eu_thread_init(&t, &env, BITFIELD_MASK(lanes));
      t.cr0[0] |= SIM_CR0_DENORM_F | SIM_CR0_DENORM_DF;
      assert_int_equal(test_run(&t, p), SIM_EU_EOT);
      for (unsigned i = 0; i < lanes; i++) {
         const uint64_t want = expected(df, root, a[i], b[i]);
         const uint64_t got = df ? t.grf[20].uq[i] : t.grf[20].ud[i];
         *early += t.flag[1] >> i & 1;
         if (got != want && !(is_nan(df, got) && is_nan(df, want)))
            fail_msg("%u: %s of %016" PRIx64 ", %016" PRIx64 ": %016" PRIx64
                     ", not %016" PRIx64,
                     verx10, root ? "root" : "quotient", a[i], b[i], got,
                     want);
      }
   }
   sim_eu_program_destroy(p);
}

static void
test_steps(void **state)
{
   static const unsigned gens[] = { 80, 90 };
   uint64_t seed = 1;
   for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
      for (unsigned row = 0; row < ARRAY_SIZE(rows); row++) {
         unsigned early = 0;
         check(gens[g], row, &seed, &early);
         /* Both ways were taken. */
         assert_true(early > 100 && early < 4000 * (rows[row].df ? 3 : 6));
      }
   }
}

/* An intermediate far outside of the format comes back by its accumulator,
 * and is lost without. */
static void
test_range(void **state)
{
   static struct sim_eu_thread t;
   static const struct sim_eu_env env = { .verx10 = 90 };
   static const char text[] =
      "madm (4|M0) r20.mme7:df r6.nomme:df r2.nomme:df r2.nomme:df\n"
      "madm (4|M0) r22.nomme:df r6.nomme:df r20.mme7:df r4.nomme:df\n"
      "madm (4|M0) r24.nomme:df r6.nomme:df r20.nomme:df r4.nomme:df\n";
   char whole[sizeof(text) + sizeof(TEST_EOT)];
   snprintf(whole, sizeof(whole), "%s%s", text, TEST_EOT);
   struct sim_eu_program *p = test_assemble(90, whole, EU_BODIES_BEST);
   memset(t.grf, 0, sizeof(t.grf));
   for (unsigned i = 0; i < 4; i++) {
      t.grf[2].uq[i] = util_double_bits(0x1.8p900);
      t.grf[4].uq[i] = util_double_bits(0x1p-900);
   }
   sim_eu_thread_init(&t, &env, 0xf);
   assert_int_equal(test_run(&t, p), SIM_EU_EOT);
   for (unsigned i = 0; i < 4; i++) {
      assert_true(util_bits_double(t.grf[22].uq[i]) == 0x1.2p901);
      assert_true(util_bits_double(t.grf[24].uq[i]) < 1);
   }
   sim_eu_program_destroy(p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_range),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
