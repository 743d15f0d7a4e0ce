/* SPDX-License-Identifier: MIT */
/*
 * What chaos draws: words that are refused, orders in which everything comes
 * once, registers that nobody wrote, and extended math within its bounds.
 */
#include "../eu/eu_test.h"
#include "intel/sim/chaos/chaos.h"

#include <math.h>
#include <stdlib.h>

static struct sim_chaos *
create(const char *text)
{
   struct sim_chaos *c;
   assert_int_equal(setenv("SAFFRON_SIM_CHAOS", text, 1), 0);
   return sim_chaos_create(&c) ? c : NULL;
}

static void
test_words(void **state)
{
   static const char *const wrong[] = { "x",       "1:",         "1:all",
                                        "1:-",     "1:poison,x", "1 2",
                                        "7:--ids", "7:ids,,math" };
   static const struct {
      const char *text;
      uint64_t seed;
      unsigned kinds;
   } right[] = {
      { "0", 0, SIM_CHAOS_ALL },
      { "0x10", 16, SIM_CHAOS_ALL },
      { "3:math", 3, SIM_CHAOS_MATH },
      { "9:cache", 9, SIM_CHAOS_CACHE },
      { "4:ids,order", 4, SIM_CHAOS_IDS | SIM_CHAOS_ORDER },
      { "4:-math", 4, SIM_CHAOS_ALL & ~SIM_CHAOS_MATH },
      { "5:-math,-ids", 5,
        SIM_CHAOS_ALL & ~(SIM_CHAOS_MATH | SIM_CHAOS_IDS) },
      { "6:ids,math,-math", 6, SIM_CHAOS_IDS },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(wrong); i++) {
      if (create(wrong[i]))
         fail_msg("'%s' is taken", wrong[i]);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(right); i++) {
      struct sim_chaos *c = create(right[i].text);
      assert_non_null(c);
      assert_int_equal(c->seed, right[i].seed);
      assert_int_equal(c->kinds, right[i].kinds);
      sim_chaos_destroy(c);
   }
   assert_null(create(""));
   assert_null(create("3:math,-math"));
}

static void
test_orders(void **state)
{
   struct sim_chaos *c = create("1");
   unsigned usual = 0, all = 0;
   for (unsigned n = 0; n < 200; n++) {
      for (unsigned k = 0; k < 4; k++) {
         uint8_t came[200] = { 0 };
         const struct sim_chaos_order o =
            sim_chaos_order(c, SIM_CHAOS_ORDER, n);
         bool in_order = true;
         for (unsigned i = 0; i < n; i++) {
            const uint64_t at = sim_chaos_nth(&o, i);
            assert_true(at < n && !came[at]);
            came[at] = 1;
            in_order &= at == i;
         }
         usual += in_order && n > 8;
         all += n > 8;
      }
   }
   assert_true(usual * 4 < all);
   sim_chaos_destroy(c);
   c = create("1:math");
   const struct sim_chaos_order o = sim_chaos_order(c, SIM_CHAOS_ORDER, 9);
   assert_int_equal(sim_chaos_nth(&o, 5), 5);
   assert_int_equal(sim_chaos_nth(&(struct sim_chaos_order) { 0 }, 7), 7);
   sim_chaos_destroy(c);
}

/* r10 of a thread of which r2 counts channels. */
static union sim_grf
run(const char *seed, const char *text)
{
   static struct sim_eu_thread t;
   struct sim_chaos *c = create(seed);
   const struct sim_eu_env env = { .verx10 = 90, .chaos = c };
   struct sim_eu_program *p = test_assemble(90, text, EU_BODIES_BEST);
   memset(&t, 0, sizeof(t));
   sim_eu_thread_init(&t, &env, 0xff);
   for (unsigned i = 0; i < 8; i++)
      t.grf[2].ud[i] = i;
   assert_int_equal(test_run(&t, p), SIM_EU_EOT);
   sim_eu_program_destroy(p);
   sim_chaos_destroy(c);
   return t.grf[10];
}

static void
test_poison(void **state)
{
   static const char *const leak[] = {
      "mov (8|M0) r10.0<1>:ud r11.0<8;8,1>:ud\n" TEST_EOT,
      "mov (8|M0) r10.0<1>:ud 0:ud\n"
      "(f0.0) mov (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud\n" TEST_EOT,
      "(W) mov (8|M0) r10.0<1>:ud 0:ud\n"
      "(W) mov (2|M0) r10.0<1>:uw a0.0<2;2,1>:uw\n" TEST_EOT,
   };
   static const char sound[] =
      "mov (8|M0) r11.0<1>:ud r2.0<8;8,1>:ud\n"
      "add (8|M0) r10.0<1>:ud r11.0<8;8,1>:ud 7:ud\n" TEST_EOT;
   const union sim_grf want = run("0", sound);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(want.ud[i], i + 7);
   for (unsigned k = 0; k < ARRAY_SIZE(leak); k++) {
      const union sim_grf first = run("0", leak[k]);
      unsigned others = 0;
      for (unsigned seed = 1; seed < 20; seed++) {
         char text[8];
         snprintf(text, sizeof(text), "%u", seed);
         const union sim_grf r = run(text, leak[k]), s = run(text, sound);
         others += memcmp(&r, &first, sizeof(r)) != 0;
         assert_memory_equal(&s, &want, sizeof(s));
      }
      assert_true(others > 10);
   }
   /* The same seed draws the same. */
   const union sim_grf a = run("5", leak[0]), b = run("5", leak[0]);
   assert_memory_equal(&a, &b, sizeof(a));
}

/* Bounds of PRM IVB Vol. 4 Part 3, "math", for a result of r. */
static double
bound(const char *name, double r)
{
   const double ulp = r == 0 ? 0 : ldexp(1, ilogb(r) - 23);
   if (!strcmp(name, "log"))
      return ulp + (fabs(r) <= 1 ? 0x1p-21 : fabs(r) * 0x1p-21);
   if (!strcmp(name, "sin") || !strcmp(name, "cos"))
      return 0.0008;
   return ulp * (!strcmp(name, "inv") || !strcmp(name, "sqt") ? 1.6 : 3.6);
}

static double
reference(const char *name, double x)
{
   return !strcmp(name, "inv")    ? 1 / x
          : !strcmp(name, "sqt")  ? sqrt(x)
          : !strcmp(name, "rsqt") ? 1 / sqrt(x)
          : !strcmp(name, "exp")  ? exp2(x)
          : !strcmp(name, "log")  ? log2(x)
          : !strcmp(name, "sin")  ? sin(x)
                                  : cos(x);
}

static void
test_math(void **state)
{
   static const char *const names[] = { "inv", "sqt", "rsqt", "exp",
                                        "log", "sin", "cos" };
   for (unsigned k = 0; k < ARRAY_SIZE(names); k++) {
      unsigned moved = 0, all = 0;
      for (unsigned step = 0; step < 200; step++) {
         const float first = 0.01f + 0.37f * (float)step;
         char text[512], seed[8];
         snprintf(seed, sizeof(seed), "%u:math", step % 5);
         snprintf(text, sizeof(text),
                  "mov (8|M0) r3.0<1>:f r2.0<8;8,1>:ud\n"
                  "mul (8|M0) r3.0<1>:f r3.0<8;8,1>:f 0.0625:f\n"
                  "add (8|M0) r3.0<1>:f r3.0<8;8,1>:f 0x%08x:f\n"
                  "math.%s (8|M0) r10.0<1>:f r3.0<8;8,1>:f\n" TEST_EOT,
                  util_float_bits(first), names[k]);
         const union sim_grf r = run(seed, text), again = run(seed, text);
         assert_memory_equal(&r, &again, sizeof(r));
         for (unsigned i = 0; i < 8; i++) {
            const float x = (float)i * 0.0625f + first;
            const double want = reference(names[k], (double)x);
            if (fabs((double)r.f[i] - want) > bound(names[k], want))
               fail_msg("%s(%.9g) = %.9g, not %.12g", names[k], (double)x,
                        (double)r.f[i], want);
            moved += r.f[i] != (float)want;
            all++;
         }
      }
      assert_true(moved * 10 > all);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_poison),
      cmocka_unit_test(test_math),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
