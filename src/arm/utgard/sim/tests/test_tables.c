/* SPDX-License-Identifier: MIT */
/* The table functions against MPFR: the exact model rounds to nearest, the
 * others stay within what docs/utgard.rst says of them. */
#include "util/unit_test.h"

#include <math.h>
#include <mpfr.h>
#include <stdio.h>

#include "arm/utgard/sim/gp_sim_private.h"

static float
reference(enum gp_table table, float x)
{
   mpfr_t v;
   mpfr_init2(v, 24);
   mpfr_set_flt(v, x, MPFR_RNDN);
   switch (table) {
   case GP_TABLE_EXP2: mpfr_exp2(v, v, MPFR_RNDN); break;
   case GP_TABLE_LOG2: mpfr_log2(v, v, MPFR_RNDN); break;
   case GP_TABLE_RSQRT: mpfr_rec_sqrt(v, v, MPFR_RNDN); break;
   case GP_TABLE_RCP: mpfr_ui_div(v, 1, v, MPFR_RNDN); break;
   }
   const float f = mpfr_get_flt(v, MPFR_RNDN);
   mpfr_clear(v);
   return f;
}

/* Numbers with neither denormals nor overflow in the result. */
static float
random_argument(enum gp_table table, uint64_t *x)
{
   *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
   const float m = 1 + (float)(*x >> 40 & 0x7fffff) * 0x1p-23f;
   const int e = (int)(*x >> 8 & 0xff) % 240 - 120;
   const float f = ldexpf(m, table == GP_TABLE_EXP2 ? e % 6 : e);
   const bool may_be_negative = table == GP_TABLE_EXP2 ||
                                table == GP_TABLE_RCP;
   return may_be_negative && (*x & 1) ? -f : f;
}

static void
models_keep_their_bounds(void **state)
{
   uint64_t seed = 88172645463325252ull;
   for (unsigned t = 0; t < 20000; t++) {
      const enum gp_table table = (enum gp_table)(t % 4);
      const float x = random_argument(table, &seed);
      const float want = reference(table, x);
      const float exact = gp_sim_table(GP_SIM_TABLES_EXACT, table, x);
      if (exact != want)
         fail_msg("table %u of %a: %a instead of %a", table, (double)x,
                  (double)exact, (double)want);
      const float ulp = gp_sim_table(GP_SIM_TABLES_ONE_ULP, table, x);
      assert_true(ulp == want || ulp == nextafterf(want, INFINITY) ||
                  ulp == nextafterf(want, -INFINITY));
      const float rough = gp_sim_table(GP_SIM_TABLES_QUADRATIC, table, x);
      /* A logarithm's error is absolute, and its result's rounding. */
      const double scale = table == GP_TABLE_LOG2
                              ? 1 + fabs((double)want) * 0.5
                              : fabs((double)want);
      if (!(fabs((double)rough - (double)want) <= scale * 0x1p-21))
         fail_msg("table %u of %a: %a is not near %a", table, (double)x,
                  (double)rough, (double)want);
   }
}

static void
ends_of_the_range(void **state)
{
   static const struct {
      enum gp_table table;
      float x, f;
   } rows[] = {
      { GP_TABLE_RCP, 0.0f, INFINITY },
      { GP_TABLE_RCP, -0.0f, -INFINITY },
      { GP_TABLE_RCP, INFINITY, 0.0f },
      { GP_TABLE_RCP, -INFINITY, -0.0f },
      { GP_TABLE_RSQRT, 0.0f, INFINITY },
      { GP_TABLE_RSQRT, -0.0f, -INFINITY },
      { GP_TABLE_RSQRT, INFINITY, 0.0f },
      { GP_TABLE_RSQRT, 4.0f, 0.5f },
      { GP_TABLE_LOG2, 0.0f, -INFINITY },
      { GP_TABLE_LOG2, -0.0f, -INFINITY },
      { GP_TABLE_LOG2, INFINITY, INFINITY },
      { GP_TABLE_LOG2, 1.0f, 0.0f },
      { GP_TABLE_LOG2, 0.125f, -3.0f },
      { GP_TABLE_EXP2, 0.0f, 1.0f },
      { GP_TABLE_EXP2, INFINITY, INFINITY },
      { GP_TABLE_EXP2, -INFINITY, 0.0f },
      { GP_TABLE_EXP2, 1000.0f, INFINITY },
      { GP_TABLE_EXP2, -1000.0f, 0.0f },
      { GP_TABLE_EXP2, 127.0f, 0x1p127f },
   };
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      for (unsigned m = 0; m <= GP_SIM_TABLES_QUADRATIC; m += 2) {
         const float f =
            gp_sim_table((enum gp_sim_tables)m, rows[r].table, rows[r].x);
         if (util_float_bits(f) != util_float_bits(rows[r].f))
            fail_msg("row %u, model %u: %a", r, m, (double)f);
      }
   }
   static const enum gp_table of_negative[] = { GP_TABLE_LOG2,
                                                GP_TABLE_RSQRT };
   for (unsigned m = 0; m <= GP_SIM_TABLES_QUADRATIC; m++) {
      for (unsigned t = 0; t < 4; t++)
         assert_true(isnan(
            gp_sim_table((enum gp_sim_tables)m, (enum gp_table)t, NAN)));
      for (unsigned t = 0; t < 2; t++)
         assert_true(isnan(
            gp_sim_table((enum gp_sim_tables)m, of_negative[t], -1.0f)));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_keep_their_bounds),
      cmocka_unit_test(ends_of_the_range),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
