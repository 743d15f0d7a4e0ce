/* SPDX-License-Identifier: MIT */
/*
 * The alternate floating-point mode. What is expected is what the manuals'
 * chapter on floating-point modes has (PRM IVB vol 4 part 3, SKL vol 7,
 * "Floating Point Modes", and the tables of special values of math): no
 * infinity, no NaN, no denormal comes out, RSQ, SQRT and LOG are of the
 * absolute value; and 0^0 is 1, for which Mesa's drivers choose this mode
 * for assembly programs (GL_ARB_vertex_program: "0^0 = 1.0").
 */
#include "eu_test.h"

#include <math.h>

#define LARGEST 0x1.fffffep+127f

static struct sim_eu_thread t;

/* One instruction from r2 and r4 to r6; `cr0` from the state packet. */
static void
run(const char *text, uint32_t cr0, enum eu_bodies bodies, const float a[8],
    const float b[8])
{
   static struct sim_eu_env env = { .verx10 = 90 };
   struct strbuf s = { 0 };
   strbuf_printf(&s, "%s\n" TEST_EOT, text);
   struct sim_eu_program *p = test_assemble(90, strbuf_str(&s), bodies);
   strbuf_fini(&s);
   memset(t.grf, 0, sizeof(t.grf));
   memcpy(t.grf[2].f, a, 32);
   memcpy(t.grf[4].f, b, 32);
   env.cr0 = cr0;
   sim_eu_thread_init(&t, &env, 0xff);
   assert_int_equal(test_run(&t, p), SIM_EU_EOT);
   sim_eu_program_destroy(p);
}

struct row {
   const char *text;
   float a, b;
   float ieee, alt; /* NAN: any */
};

static const struct row rows[] = {
   { "math.inv (8|M0) r6.0<1>:f r2.0<8;8,1>:f", 0.0f, 0, INFINITY, LARGEST },
   { "math.inv (8|M0) r6.0<1>:f r2.0<8;8,1>:f", -0.0f, 0, -INFINITY,
     -LARGEST },
   { "math.inv (8|M0) r6.0<1>:f r2.0<8;8,1>:f", 4, 0, 0.25f, 0.25f },
   { "math.inv (8|M0) r6.0<1>:f r2.0<8;8,1>:f", INFINITY, 0, 0.0f, 0.0f },
   { "math.rsqt (8|M0) r6.0<1>:f r2.0<8;8,1>:f", -4, 0, NAN, 0.5f },
   { "math.rsqt (8|M0) r6.0<1>:f r2.0<8;8,1>:f", 0.0f, 0, INFINITY, LARGEST },
   { "math.sqt (8|M0) r6.0<1>:f r2.0<8;8,1>:f", -9, 0, NAN, 3 },
   { "math.log (8|M0) r6.0<1>:f r2.0<8;8,1>:f", -8, 0, NAN, 3 },
   { "math.log (8|M0) r6.0<1>:f r2.0<8;8,1>:f", 0, 0, -INFINITY, -LARGEST },
   { "math.exp (8|M0) r6.0<1>:f r2.0<8;8,1>:f", 200, 0, INFINITY, LARGEST },
   { "math.exp (8|M0) r6.0<1>:f r2.0<8;8,1>:f", -200, 0, 0, 0 },
   { "math.pow (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", 0, 0, NAN, 1 },
   { "math.pow (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", 0, 2, 0, 0 },
   { "math.pow (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", 0, -2, INFINITY,
     LARGEST },
   { "math.pow (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", -3, 2, 9, 9 },
   { "math.fdiv (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", -1, 0,
     -INFINITY, -LARGEST },
   { "math.fdiv (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", 0, 0, NAN, 0 },
   { "math.rsqt (8|M0) (sat)r6.0<1>:f r2.0<8;8,1>:f", -16, 0, 0, 0.25f },
   { "add (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", LARGEST, LARGEST,
     INFINITY, LARGEST },
   { "add (8|M0) r6.0<1>:f r2.0<8;8,1>:f -r4.0<8;8,1>:f", INFINITY, INFINITY,
     NAN, 0 },
   { "mul (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", -1e30f, 1e30f,
     -INFINITY, -LARGEST },
   { "mul (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", INFINITY, 0, NAN,
     0 },
   { "mul (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", 3, 4, 12, 12 },
   /* The destination is a source. */
   { "mov (8|M0) r6.0<1>:f r2.0<8;8,1>:f\n"
     "add (8|M0) r6.0<1>:f r6.0<8;8,1>:f r4.0<8;8,1>:f",
     1, INFINITY, INFINITY, LARGEST },
   /* Raw: copies; not raw: does not. */
   { "mov (8|M0) r6.0<1>:f r2.0<8;8,1>:f", INFINITY, 0, INFINITY, INFINITY },
   { "mov (8|M0) r6.0<1>:f -r2.0<8;8,1>:f", INFINITY, 0, -INFINITY,
     -LARGEST },
   { "sel (8|M0) (ge)f0.0 r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", INFINITY, 1,
     INFINITY, LARGEST },
};

static void
test_special_values(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct row *r = &rows[i];
      float a[8], b[8];
      for (unsigned l = 0; l < 8; l++) {
         a[l] = r->a;
         b[l] = r->b;
      }
      /* Part of the lanes have nothing special. */
      a[3] = b[3] = 1;
      for (unsigned alt = 0; alt < 2; alt++) {
         for (unsigned bodies = 0; bodies <= EU_BODIES_BASE; bodies++) {
            const float want = alt ? r->alt : r->ieee;
            run(r->text, alt ? SIM_CR0_FLOAT_ALT : 0, bodies, a, b);
            const float got = t.grf[6].f[0];
            if (want != want ? got == got
                             : util_float_bits(want) != util_float_bits(got))
               fail_msg("%s of %g, %g (mode %u, bodies %u): %g, not %g",
                        r->text, r->a, r->b, alt, bodies, got, want);
         }
      }
   }
}

/* Conditions see the limited value: nothing is unordered, and the largest
 * number equals itself. */
static void
test_conditions(void **state)
{
   const float a[8] = { INFINITY, NAN, 0, -1, INFINITY, NAN, 0, -1 };
   const float b[8] = { LARGEST, LARGEST, 0, 1, LARGEST, LARGEST, 0, 1 };
   for (unsigned bodies = 0; bodies <= EU_BODIES_BASE; bodies++) {
      run("cmp (8|M0) (eq)f0.0 null:f r2.0<8;8,1>:f r4.0<8;8,1>:f",
          SIM_CR0_FLOAT_ALT, bodies, a, b);
      assert_int_equal(t.flag[0] & 0xff, 0x77);
   }
}

/* Denormals are zero whatever the denormal mode says. */
static void
test_denormals(void **state)
{
   const float a[8] = { 0x1p-130f, -0x1p-130f, 1, 1, 1, 1, 1, 1 };
   const float b[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
   for (unsigned bodies = 0; bodies <= EU_BODIES_BASE; bodies++) {
      run("mul (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f",
          SIM_CR0_FLOAT_ALT | SIM_CR0_DENORM_F, bodies, a, b);
      assert_int_equal(t.grf[6].ud[0], 0);
      assert_int_equal(t.grf[6].ud[1], 0x80000000);
   }
}

/* A program may change the mode; what runs next is in it. */
static void
test_switch(void **state)
{
   const float a[8] = { 0 };
   for (unsigned bodies = 0; bodies <= EU_BODIES_BASE; bodies++) {
      run("math.inv (8|M0) r8.0<1>:f r2.0<8;8,1>:f\n"
          "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x1:ud\n"
          "math.inv (8|M0) r10.0<1>:f r2.0<8;8,1>:f\n"
          "(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFFFE:ud\n"
          "math.inv (8|M0) r12.0<1>:f r2.0<8;8,1>:f",
          0, bodies, a, a);
      assert_true(t.grf[8].f[0] == INFINITY);
      assert_true(t.grf[10].f[0] == LARGEST);
      assert_true(t.grf[12].f[0] == INFINITY);
      assert_int_equal(t.stats.instructions, 6);
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_special_values),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_denormals),
      cmocka_unit_test(test_switch),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
