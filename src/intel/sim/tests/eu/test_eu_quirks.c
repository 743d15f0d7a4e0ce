/* SPDX-License-Identifier: MIT */
/*
 * What the chips do with doubles, also where it is odd: the tests of
 * eu-fp64-facts, section 6, by their numbers, on each generation that they
 * speak of. Expected results are those of the sources named there (for the
 * most part the i965 fp64 thread, T), not of this simulator.
 *
 * Unless a test says otherwise: r0 holds the doubles 10 11 12 13, r1 20 21 22
 * 23, r4 to r7 are 0, and channels 0 to 7 are on.
 */
#include "eu_test.h"

static const struct sim_eu_env envs[] = {
   { .verx10 = 70 },
   { .verx10 = 75 },
   { .verx10 = 80 },
   { .verx10 = 90 },
};

enum { IVB, HSW, BDW, SKL, GENS };

static struct sim_eu_thread t;

static void
start(unsigned gen, uint32_t dispatch)
{
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++)
      for (unsigned k = 0; k < 8; k++)
         t.grf[i].ud[k] = i * 100 + k;
   for (unsigned i = 0; i < 4; i++) {
      t.grf[0].df[i] = 10 + i;
      t.grf[1].df[i] = 20 + i;
   }
   memset(&t.grf[4], 0, 4 * SIM_GRF_B);
   sim_eu_thread_init(&t, &envs[gen], dispatch);
}

static void
run(const char *text)
{
   struct strbuf s = { 0 };
   strbuf_printf(&s, "%s\n" TEST_EOT, text);
   struct sim_eu_program *p =
      test_assemble(t.env->verx10, strbuf_str(&s), EU_BODIES_HOST_CODE);
   strbuf_fini(&s);
   if (test_run(&t, p) != SIM_EU_EOT)
      fail_msg("%u: %s", t.env->verx10, text);
   sim_eu_program_destroy(p);
}

/* The instruction must be reported as illegal, for a reason with `why`. */
static void
illegal(unsigned gen, const char *text, const char *why)
{
   struct sim_eu_program *p =
      test_assemble(envs[gen].verx10, text, EU_BODIES_HOST_CODE);
   start(gen, 0xff);
   t.active = 0x37;
   if (sim_eu_run(&t, p, 0) != SIM_EU_FAULT ||
       t.fault.reason != SIM_FAULT_ILLEGAL || !strstr(t.fault.text, why))
      fail_msg("%u: %s: status %d, %s", envs[gen].verx10, text, t.status,
               t.fault.text);
   sim_eu_program_destroy(p);
}

/* There is no such instruction. */
static void
unwritable(unsigned gen, const char *text)
{
   struct isa_inst inst;
   struct isa_error err;
   uint32_t dw[4];
   if (isa_parse(isa_gen_from_number(envs[gen].verx10), text, &inst, &err) &&
       isa_encode(isa_gen_from_number(envs[gen].verx10), &inst, dw, &err))
      fail_msg("%u: %s", envs[gen].verx10, text);
}

static bool
is_df(unsigned reg, double a, double b, double c, double d)
{
   const double *v = t.grf[reg].df;
   if (v[0] == a && v[1] == b && v[2] == c && v[3] == d)
      return true;
   printf("%u: r%u: %g %g %g %g\n", t.env->verx10, reg, v[0], v[1], v[2],
          v[3]);
   return false;
}

#define IS_DF(reg, a, b, c, d) assert_true(is_df(reg, a, b, c, d))

/* 1, 2, 3: T#64 to T#67. */
static void
test_1_strided_dwords(void **state)
{
   static const struct {
      uint32_t mask;
      bool first7, second7, first8, second8;
   } rows[] = {
      { 0x00ff, true, false, true, true },
      { 0x0f0f, true, true, true, false },
      { 0x00f0, false, false, false, true },
   };
   for (unsigned gen = 0; gen < GENS; gen++) {
      for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
         start(gen, rows[i].mask);
         run("mov (8|M0) r10.0<2>:ud r20.0<8;4,2>:ud\n");
         assert_int_equal(t.grf[10].ud[0] == 2000,
                          gen < BDW ? rows[i].first7 : rows[i].first8);
         assert_int_equal(t.grf[11].ud[6] == 2106,
                          gen < BDW ? rows[i].second7 : rows[i].second8);
      }
      start(gen, 0x00ff);
      run("(W) mov (8|M0) r10.0<2>:ud r20.0<8;4,2>:ud\n");
      assert_true(t.grf[10].ud[0] == 2000 && t.grf[11].ud[6] == 2106);
   }
}

/* 4, 5, 6: T#67, T#73; Mesa commit a5399e8 for Ivybridge, whose halves both
 * have the enables of the first. */
static void
test_4_masks_of_doubles(void **state)
{
   for (unsigned gen = 0; gen < GENS; gen++) {
      for (unsigned half = 0; half < 2; half++) {
         start(gen, half ? 0xf0 : 0x0f);
         run(gen == IVB
                ? "add (16|M0) r4.0<1>:df r0.0<8;8,1>:df r0.0<8;8,1>:df\n"
                : "add (8|M0) r4.0<1>:df r0.0<4;4,1>:df r0.0<4;4,1>:df\n");
         assert_int_equal(t.grf[4].df[0] == 20, !half);
         assert_int_equal(t.grf[5].df[0] == 40, gen == IVB ? !half : half);
      }
      start(gen, 0xf0);
      run(gen == IVB ? "mov (8|M4) r4.0<1>:df r0.0<8;8,1>:df\n"
                     : "mov (4|M4) r4.0<1>:df r0.0<4;4,1>:df\n");
      IS_DF(4, 10, 11, 12, 13);
   }
}

/* 7: T#66. */
static void
test_7_execution_size(void **state)
{
   for (unsigned gen = 0; gen < GENS; gen++) {
      start(gen, 0xff);
      run(gen == IVB ? "mov (8|M0) r4.0<1>:df r0.0<8;8,1>:df\n"
                     : "mov (8|M0) r4.0<1>:df r0.0<4;4,1>:df\n");
      IS_DF(4, 10, 11, 12, 13);
      if (gen == IVB)
         IS_DF(5, 0, 0, 0, 0);
      else
         IS_DF(5, 20, 21, 22, 23);
   }
}

/* 8: two dvec2 in one register are four channels, those of vertex 0. T#66. */
static void
test_8_packed_vertices(void **state)
{
   for (unsigned gen = 0; gen < GENS; gen++) {
      for (unsigned vertex = 0; vertex < 2; vertex++) {
         start(gen, vertex ? 0xf0 : 0x0f);
         run(gen == IVB
                ? "mov (8|M0) r4.0<1>.xyzw:df r0.0<4>.xyzw:df {Align16}\n"
                : "mov (4|M0) r4.0<1>.xyzw:df r0.0<2>.xyzw:df {Align16}\n");
         if (vertex)
            IS_DF(4, 0, 0, 0, 0);
         else
            IS_DF(4, 10, 11, 12, 13);
      }
   }
}

/*
 * 9: the quad of T#70. Each of four vertices, two a thread, turns its doubles
 * to 1 under an if that holds for all but one of them. Laid out as whole
 * dvec4s that is three red vertices; with dvec2s packed into one register,
 * the first vertex of a thread decides for both.
 */
static unsigned
red_vertices(unsigned gen, const char *body, bool packed)
{
   unsigned red = 0;
   for (unsigned thread = 0; thread < 2; thread++) {
      struct strbuf s = { 0 };
      strbuf_printf(&s,
                    "cmp (8|M0) (ne)f0.0 r9.0<1>.xyzw:d r8.0<4>.xyzw:d 0:d "
                    "{Align16}\n"
                    "(f0.0.x) if (8|M0) END END {Align16}\n"
                    "%s"
                    "END:\n"
                    "endif (8|M0) NEXT {Align16}\n"
                    "NEXT:\n",
                    body);
      start(gen, 0xff);
      for (unsigned i = 0; i < 4; i++)
         t.grf[0].df[i] = t.grf[1].df[i] = 1;
      for (unsigned i = 0; i < 8; i++)
         t.grf[8].ud[i] = thread * 2 + i / 4 != 2;
      run(strbuf_str(&s));
      strbuf_fini(&s);
      for (unsigned vertex = 0; vertex < 2; vertex++)
         red += packed ? t.grf[4].df[2 * vertex] == 1
                       : t.grf[4 + vertex].df[0] == 1;
   }
   return red;
}

static void
test_9_divergent_quad(void **state)
{
   static const char *whole[GENS] = {
      ("mov (8|M0) r4.0<1>.xyzw:df r0.0<4>.xyzw:df {Align16}\n"
       "mov (8|M4) r5.0<1>.xyzw:df r1.0<4>.xyzw:df {Align16}\n"),
      "mov (8|M0) r4.0<1>.xyzw:df r0.0<2>.xyzw:df {Align16}\n",
      "mov (8|M0) r4.0<1>.xyzw:df r0.0<2>.xyzw:df {Align16}\n",
      "mov (8|M0) r4.0<1>.xyzw:df r0.0<2>.xyzw:df {Align16}\n",
   };
   for (unsigned gen = 0; gen < GENS; gen++) {
      const char *packed =
         gen == IVB
            ? "mov (8|M0) r4.0<1>.xyzw:df r0.0<4>.xyzw:df {Align16}\n"
            : "mov (4|M0) r4.0<1>.xyzw:df r0.0<2>.xyzw:df {Align16}\n";
      assert_int_equal(red_vertices(gen, packed, true), 2);
      assert_int_equal(red_vertices(gen, whole[gen], false), 3);
   }
}

/* 10, 11, 12: T#66, T#82. Measured on Gen7, taken for all. */
static void
test_10_write_masks(void **state)
{
   static const struct {
      const char *mask;
      double want[4];
   } rows[] = {
      { "xy", { 10, 0, 12, 0 } },   { "zw", { 0, 11, 0, 13 } },
      { "xw", { 10, 0, 0, 13 } },   { "yz", { 0, 11, 12, 0 } },
      { "x", { 10, 0, 0, 0 } },     { "w", { 0, 0, 0, 13 } },
      { "xyz", { 10, 11, 12, 0 } }, { "xz", { 10, 0, 12, 0 } },
      { "yw", { 0, 11, 0, 13 } },   { "xyzw", { 10, 11, 12, 13 } },
   };
   for (unsigned gen = 0; gen < GENS; gen++) {
      for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
         char text[128];
         snprintf(text, sizeof(text),
                  "mov (8|M0) r4.0<1>.%s:df "
                  "r0.0<%u>.xyzw:df {Align16}\n",
                  rows[i].mask, gen == IVB ? 4 : 2);
         start(gen, 0xff);
         run(text);
         const double *w = rows[i].want;
         IS_DF(4, w[0], w[1], w[2], w[3]);
         if (gen == IVB)
            IS_DF(5, 0, 0, 0, 0);
         else
            IS_DF(5, w[0] ? w[0] + 10 : 0, w[1] ? w[1] + 10 : 0,
                  w[2] ? w[2] + 10 : 0, w[3] ? w[3] + 10 : 0);
      }
   }
}

/* 13, 14, 15: T#82 to T#87. The second half of a compressed instruction of
 * Gen7 steps a register, with a vertical stride of zero, too. */
static void
test_13_stride_zero(void **state)
{
   static const struct {
      const char *source;
      double x, y;
   } rows[] = {
      { "r0.0<0>.xyzw", 10, 11 },
      { "r0.2<0>.xyzw", 12, 13 },
      { "r0.0<0>.zwxy", 11, 10 },
      { "r0.2<0>.zwzw", 13, 13 },
   };
   for (unsigned gen = 0; gen < GENS; gen++) {
      for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
         char text[128];
         snprintf(text, sizeof(text),
                  "mov (8|M0) r4.0<1>.xyzw:df %s:df "
                  "{Align16}\n",
                  rows[i].source);
         start(gen, 0xff);
         run(text);
         const double x = rows[i].x, y = rows[i].y;
         const double step = gen == HSW ? 10 : 0;
         IS_DF(4, x, y, x, y);
         if (gen == IVB)
            IS_DF(5, 0, 0, 0, 0);
         else
            IS_DF(5, x + step, y + step, x + step, y + step);
      }
   }
}

/* 16, 17, 18: T#84. */
static void
test_16_pairs(void **state)
{
   static const struct {
      const char *xw, *yz;
      double want[4];
   } rows[] = {
      { "r0.0<0>.xyzw", "r0.0<0>.zwxy", { 10, 10, 11, 11 } },
      { "r0.0<2>.xyzw", "r0.0<2>.xyzw", { 10, 11, 12, 13 } },
      { "r0.0<2>.xyzw", "r0.0<2>.zwxy", { 10, 10, 13, 13 } },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      char text[256];
      snprintf(text, sizeof(text),
               "mov (8|M0) r4.0<1>.xw:df %s:df {Align16}\n"
               "mov (8|M0) r4.0<1>.yz:df %s:df {Align16}\n",
               rows[i].xw, rows[i].yz);
      start(HSW, 0xff);
      run(text);
      const double *w = rows[i].want;
      IS_DF(4, w[0], w[1], w[2], w[3]);
      IS_DF(5, w[0] + 10, w[1] + 10, w[2] + 10, w[3] + 10);
   }
}

/*
 * 19: how many instructions each of the 256 swizzles of a dvec4 takes on
 * Haswell. An instruction gives one of the results that the simulator shows
 * for it, in a set of components that a write mask can name: not {x,y} and
 * not {z,w}. The counts are those of the classes of T#82.
 */
static void
results_of_one_instruction(uint8_t result[12][4], unsigned *count)
{
   static const char *const regions[] = { "r0.0<2>", "r0.0<0>", "r0.2<0>" };
   static const char *const swizzles[] = { "xyxy", "xyzw", "zwxy", "zwzw" };
   *count = 0;
   for (unsigned r = 0; r < 3; r++) {
      for (unsigned s = 0; s < 4; s++) {
         char text[128];
         snprintf(text, sizeof(text),
                  "mov (8|M0) r4.0<1>.xyzw:df %s.%s:df "
                  "{Align16}\n",
                  regions[r], swizzles[s]);
         start(HSW, 0xff);
         run(text);
         for (unsigned c = 0; c < 4; c++) {
            result[*count][c] = (uint8_t)(t.grf[4].df[c] - 10);
            assert_true(t.grf[5].df[c] == t.grf[4].df[c] + 10);
         }
         (*count)++;
      }
   }
}

static unsigned
least_instructions(const uint8_t result[12][4], unsigned count,
                   const uint8_t want[4])
{
   /* least[m]: for the components of the set m. */
   unsigned least[16] = { 0 };
   for (unsigned m = 1; m < 16; m++) {
      least[m] = 4;
      for (unsigned part = 1; part <= m; part++) {
         bool possible = false;
         if ((part & m) != part || part == 0x3 || part == 0xc)
            continue;
         for (unsigned k = 0; k < count && !possible; k++) {
            possible = true;
            for (unsigned c = 0; c < 4; c++)
               possible &= !(part >> c & 1) || result[k][c] == want[c];
         }
         if (possible)
            least[m] = MIN2(least[m], 1 + least[m & ~part]);
      }
   }
   return least[15];
}

static void
test_19_all_swizzles(void **state)
{
   uint8_t result[12][4];
   unsigned count, of[5] = { 0 };
   results_of_one_instruction(result, &count);
   for (unsigned s = 0; s < 256; s++) {
      const uint8_t want[4] = { s & 3, s >> 2 & 3, s >> 4 & 3, s >> 6 };
      of[least_instructions(result, count, want)]++;
   }
   assert_int_equal(of[1], 12);
   assert_int_equal(of[2], 172);
   assert_int_equal(of[3], 56);
   assert_int_equal(of[4], 16);
}

/* 20: T#87. A uniform dvec4 in r0; two instructions of four channels do
 * it. */
static void
test_20_uniform(void **state)
{
   for (unsigned gen = HSW; gen < GENS; gen++) {
      start(gen, 0xff);
      run("mov (8|M0) r4.0<1>.xyzw:df r0.0<0>.xyzw:df {Align16}\n"
          "mov (4|M0) r6.0<1>.xyzw:df r0.0<0>.xyzw:df {Align16}\n"
          "mov (4|M4) r7.0<1>.xyzw:df r0.0<0>.xyzw:df {Align16}\n");
      assert_true(t.grf[5].df[0] == (gen == HSW ? 20 : 10));
      IS_DF(6, 10, 11, 10, 11);
      IS_DF(7, 10, 11, 10, 11);
   }
}

/* 21: Mesa commit 82d1761. */
static void
test_21_scalars(void **state)
{
   start(IVB, 0xff);
   run("(W) mov (16|M0) r4.0<1>:df r0.0<0;2,1>:df\n");
   IS_DF(4, 10, 10, 10, 10);
   IS_DF(5, 20, 20, 20, 20);
   for (unsigned gen = HSW; gen < GENS; gen++) {
      start(gen, 0xff);
      run("(W) mov (8|M0) r4.0<1>:df r0.0<0;1,0>:df\n");
      IS_DF(4, 10, 10, 10, 10);
      IS_DF(5, 10, 10, 10, 10);
   }
}

/* 22: Mesa commit f4b8649. */
static void
test_22_predicated_sel(void **state)
{
   illegal(HSW,
           "(f0.0) sel (8|M0) r4.0<1>.xyzw:df r6.0<2>.xyzw:df "
           "r8.0<2>.xyzw:df {Align16}\n",
           "predicate");
   for (unsigned gen = HSW; gen < GENS; gen++) {
      start(gen, 0xff);
      t.flag[0] = 0x35;
      run("(f0.0) sel (4|M0) r4.0<1>.xyzw:df r0.0<2>.xyzw:df "
          "r1.0<2>.xyzw:df {Align16}\n"
          "(f0.0) sel (8|M0) r6.0<1>:df r0.0<4;4,1>:df r0.0<4;4,1>:df\n"
          "(f0.0) sel (4|M4) r5.0<1>:df r0.0<4;4,1>:df r1.0<4;4,1>:df\n");
      IS_DF(4, 10, 21, 12, 23);
      IS_DF(5, 10, 11, 22, 23);
      IS_DF(6, 10, 11, 12, 13);
   }
}

/* 23, 24: T#15, T#19, T#48. */
static void
test_23_wrong_regions(void **state)
{
   for (unsigned gen = HSW; gen < GENS; gen++) {
      illegal(gen, "mov (8|M0) r4.0<1>:df r2.0<8;8,1>:df\n", "row");
      illegal(gen, "mov (4|M0) r4.0<1>:f r2.0<4;4,1>:df\n", "stride");
   }
}

/* 25, 26, 27: Mesa commits 571cbd0 and 630b84c. What the odd dwords hold is
 * not known. */
static void
test_25_conversions(void **state)
{
   for (unsigned gen = 0; gen < GENS; gen++) {
      start(gen, 0xff);
      run(gen == IVB ? "mov (8|M0) r6.0<1>:f r0.0<8;8,1>:df\n"
                     : "mov (4|M0) r6.0<2>:f r0.0<4;4,1>:df\n");
      for (unsigned i = 0; i < 4; i++)
         assert_true(t.grf[6].f[2 * i] == (float)(10 + i));
   }
   start(IVB, 0xff);
   run("mov (4|M0) r6.0<2>:f r0.0<4;4,1>:df\n");
   assert_true(t.grf[6].f[0] == 10 && t.grf[6].f[4] == 11);
   start(IVB, 0xff);
   for (unsigned i = 0; i < 8; i++)
      t.grf[2].f[i] = (float)i;
   run("mov (8|M0) r5.0<1>:df r2.0<8;8,1>:f\n"
       "mov (8|M0) r6.0<1>:df r2.0<1;2,0>:f\n");
   IS_DF(5, 0, 2, 4, 6);
   IS_DF(6, 0, 1, 2, 3);
}

/* 28 */
static void
test_28_widening(void **state)
{
   illegal(HSW, "mov (8|M0) r4.0<1>:df r2.0<8;8,1>:f\n", "span");
   for (unsigned gen = HSW; gen < GENS; gen++) {
      start(gen, 0xff);
      for (unsigned i = 0; i < 8; i++)
         t.grf[2].f[i] = (float)i;
      run(gen == HSW ? "mov (4|M0) r4.0<1>:df r2.0<4;4,1>:f\n"
                       "mov (4|M4) r5.0<1>:df r2.4<4;4,1>:f\n"
                     : "mov (8|M0) r4.0<1>:df r2.0<8;8,1>:f\n");
      IS_DF(4, 0, 1, 2, 3);
      IS_DF(5, 4, 5, 6, 7);
   }
}

/* 32: Mesa commit 2a85710; the manual forbids it on Broadwell, too. */
static void
test_32_dependency_control(void **state)
{
   illegal(IVB,
           "add (8|M0) r4.0<1>:df r6.0<8;8,1>:df r8.0<8;8,1>:df "
           "{NoDDClr}\n",
           "ependency");
   illegal(HSW,
           "add (4|M0) r4.0<1>:df r6.0<4;4,1>:df r8.0<4;4,1>:df "
           "{NoDDChk}\n",
           "ependency");
   illegal(BDW,
           "add (4|M0) r4.0<1>:df r6.0<4;4,1>:df r8.0<4;4,1>:df "
           "{NoDDChk}\n",
           "ependency");
}

/* 33, 34: T#64, Mesa commit 0534863. */
static void
test_33_immediates(void **state)
{
   unwritable(IVB, "mov (4|M0) r4.0<1>:df 1.5:df");
   unwritable(HSW, "mov (4|M0) r4.0<1>:df 1.5:df");
   unwritable(IVB, "dim (1|M0) r4.0<1>:df 1.5:df");
   unwritable(BDW, "dim (1|M0) r4.0<1>:df 1.5:df");
   unwritable(SKL, "dim (1|M0) r4.0<1>:df 1.5:df");
   for (unsigned gen = 0; gen < GENS; gen++)
      unwritable(gen, "add (4|M0) r4.0<1>:df r0.0<4;4,1>:df 1.5:df");
   start(HSW, 0xff);
   run("dim (1|M0) r4.0<1>:df 1.1:df\n");
   IS_DF(4, 1.1, 0, 0, 0);
   for (unsigned gen = BDW; gen < GENS; gen++) {
      start(gen, 0xff);
      run("mov (4|M0) r4.0<1>:df 1.1:df\n");
      IS_DF(4, 1.1, 1.1, 1.1, 1.1);
   }
}

/* 35 */
static void
test_35_scalar_and_vector(void **state)
{
   for (unsigned gen = HSW; gen < GENS; gen++) {
      start(gen, 0xff);
      run("add (8|M0) r4.0<1>:df r0.0<4;4,1>:df r1.2<0;1,0>:df\n");
      IS_DF(4, 32, 33, 34, 35);
      IS_DF(5, 42, 43, 44, 45);
   }
}

/* 36, 37: T#20, T#21, T#26. Sub-registers of doubles count doubles here. */
static void
test_36_halves_of_doubles(void **state)
{
   for (unsigned gen = 0; gen < GENS; gen++) {
      start(gen, 0xff);
      for (unsigned i = 0; i < 8; i++)
         t.grf[18 + i / 4].df[i % 4] = 1.5 * i;
      t.grf[30].uq[1] = util_double_bits(7.25);
      t.grf[30].ud[2] = 77; /* a 32-bit uniform in its place */
      t.grf[30].uq[2] = util_double_bits(8.5);
      run(gen == IVB ? "mov (8|M0) r8.0<1>:ud r18.1<8;4,2>:ud\n"
                       "mov (8|M0) r4.0<1>:df r30.1<0;2,1>:df\n"
                       "mov (8|M0) r5.0<1>:df r30.2<0;2,1>:df\n"
                     : "mov (8|M0) r8.0<1>:ud r18.1<8;4,2>:ud\n"
                       "mov (4|M0) r4.0<1>:df r30.1<0;1,0>:df\n"
                       "mov (4|M0) r5.0<1>:df r30.2<0;1,0>:df\n");
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(t.grf[8].ud[i], util_double_bits(1.5 * i) >> 32);
      assert_int_equal(t.grf[4].uq[3],
                       util_double_bits(7.25) >> 32 << 32 | 77);
      IS_DF(5, 8.5, 8.5, 8.5, 8.5);
   }
}

/* 38: T#88. Both dwords that make a double are needed. */
static void
test_38_assembled_double(void **state)
{
   for (unsigned gen = HSW; gen < GENS; gen++) {
      const uint64_t bits = util_double_bits(2.75);
      char text[256];
      snprintf(text, sizeof(text),
               "mov (8|M0) r2.0<1>.x:ud 0x%x:ud {Align16}\n"
               "mov (8|M0) r2.0<1>.y:ud 0x%x:ud {Align16}\n"
               "mov (4|M0) r4.0<1>.xyzw:df r2.0<0>.xyxy:df {Align16}\n",
               (uint32_t)bits, (uint32_t)(bits >> 32));
      start(gen, 0xff);
      run(text);
      IS_DF(4, 2.75, 2.75, 2.75, 2.75);
   }
}

/* 39, 40 */
static void
test_39_comparisons(void **state)
{
   for (unsigned gen = 0; gen < GENS; gen++) {
      start(gen, 0xff);
      run(gen == IVB ? "cmp (8|M0) (gt)f0.0 r4.0<1>:df r0.0<8;8,1>:df "
                       "r0.1<0;2,1>:df\n"
                     : "cmp (4|M0) (gt)f0.0 r4.0<1>:df r0.0<4;4,1>:df "
                       "r0.1<0;1,0>:df\n");
      for (unsigned i = 0; i < 4; i++)
         assert_true(t.grf[4].uq[i] == (i > 1 ? ~0ull : 0));
      assert_int_equal(t.flag[0], 0xc);
   }
   /* Without {Switch}: a rule of strict mode's (EU-05), as such programs
    * ship. */
   for (unsigned gen = 0; gen < GENS; gen++) {
      start(gen, 0xff);
      run("cmp (8|M0) (gt)f0.0 null<1>:f r2.0<8;8,1>:f 0.0:f\n");
   }
}

/* 41: Mesa commit 7361038. */
static void
test_41_halves_overlap(void **state)
{
   for (unsigned gen = 0; gen < GENS; gen++) {
      start(gen, 0xff);
      run(gen == IVB ? "(W) mov (16|M0) r1.0<1>:df r0.0<8;8,1>:df\n"
                     : "mov (8|M0) r1.0<1>:df r0.0<4;4,1>:df\n");
      IS_DF(1, 10, 11, 12, 13);
      IS_DF(2, 10, 11, 12, 13);
   }
}

/* 42, 43: T#59 to T#63. */
static void
test_42_denormals(void **state)
{
   for (unsigned gen = HSW; gen < GENS; gen++) {
      start(gen, 0xff);
      t.grf[2].uq[0] = 5;
      t.grf[3].uq[0] = 0;
      run("mov (1|M0) r4.0<1>:df r2.0<0;1,0>:df\n"
          "mov (1|M0) r5.0<1>:df (abs)r2.0<0;1,0>:df\n"
          "add (1|M0) r6.0<1>:df r2.0<0;1,0>:df r3.0<0;1,0>:df\n"
          "cmp (1|M0) (ne)f0.0 r7.0<1>:df r2.0<0;1,0>:df r3.0<0;1,0>:df\n"
          "or (1|M0) (ne)f1.0 r8.0<1>:ud r2.0<0;1,0>:ud r2.1<0;1,0>:ud\n");
      assert_int_equal(t.grf[4].uq[0], 5);
      assert_int_equal(t.grf[5].uq[0], 0);
      assert_int_equal(t.grf[6].uq[0], 0);
      assert_int_equal(t.grf[7].uq[0], 0);
      assert_int_equal(t.flag[1] & 1, 1);
      /* Kept when cr0.0 bit 6 says so. */
      start(gen, 0xff);
      t.cr0[0] = SIM_CR0_DENORM_DF;
      t.grf[2].uq[0] = 5;
      t.grf[3].uq[0] = 0;
      run("add (1|M0) r6.0<1>:df r2.0<0;1,0>:df r3.0<0;1,0>:df\n");
      assert_int_equal(t.grf[6].uq[0], 5);
   }
}

/* 46, 47: PRM IVB vol 4 part 3, 3.3.9; PRM BDW vol 7, p 944. */
static void
test_46_three_sources(void **state)
{
   illegal(IVB,
           "mad (16|M0) r4.0<1>:df r6.0<2;1>:df r8.0<2;1>:df "
           "r10.0<2;1>:df\n",
           "three sources");
   for (unsigned gen = 0; gen < GENS; gen++)
      illegal(gen,
              "mad (8|M0) r4.0<1>.xyzw:df r6.0<0>.xxxx:df "
              "r8.0<4>.xyzw:df r10.0<4>.xyzw:df {Align16}\n",
              "RepCtrl");
}

/* 48: PRM IVB vol 4 part 3. */
static void
test_48_simd32(void **state)
{
   for (unsigned gen = 0; gen < GENS; gen++) {
      start(gen, 0x0000ffff);
      run("mov (32|M0) r10.0<1>:uw 7:uw\n");
      assert_int_equal(t.grf[10].uw[15], 7);
      assert_int_equal(t.grf[11].uw[0] == 7, gen < BDW);
      start(gen, 0xffff0000);
      run("mov (32|M0) r10.0<1>:uw 7:uw\n");
      assert_int_equal(t.grf[10].uw[0] == 7, false);
      assert_int_equal(t.grf[11].uw[15] == 7, gen >= BDW);
   }
}

/* 49: Mesa commit ebfb703; which sub-registers belong together is not
 * known. */
static void
test_49_indirect_doubles(void **state)
{
   illegal(IVB, "mov (8|M0) r4.0<1>:df r[a0.0]<1,0>:df\n", "ndirect");
}

/* 50, 51: Mesa commit 4b22576; PRM BDW. */
static void
test_50_widening_in_align16(void **state)
{
   for (unsigned gen = BDW; gen < GENS; gen++) {
      illegal(gen, "mov (4|M0) r4.0<1>.xyzw:df r2.0<4>.xyzw:d {Align16}\n",
              "two");
      illegal(gen, "mov (4|M0) r4.0<2>:f 1.5:df\n", "narrower");
   }
}

/* 52: doubles of two vertices to the layout of messages, x0 y0 x1 y1 and z0
 * w0 z1 w1, with one vertex off. Mesa commit d8e123c. */
static void
test_52_shuffle(void **state)
{
   for (unsigned gen = HSW; gen < GENS; gen++) {
      for (unsigned vertex = 0; vertex < 2; vertex++) {
         start(gen, vertex ? 0xf0 : 0x0f);
         run("mov (4|M0) r4.0<1>:ud r0.0<4;4,1>:ud\n"
             "mov (4|M0) r5.0<1>:ud r0.4<4;4,1>:ud\n"
             "mov (4|M4) r4.4<1>:ud r1.0<4;4,1>:ud\n"
             "mov (4|M4) r5.4<1>:ud r1.4<4;4,1>:ud\n"
             "mov (4|M0) r6.0<1>:ud r4.0<4;4,1>:ud\n"
             "mov (4|M0) r6.4<1>:ud r5.0<4;4,1>:ud\n"
             "mov (4|M4) r7.0<1>:ud r4.4<4;4,1>:ud\n"
             "mov (4|M4) r7.4<1>:ud r5.4<4;4,1>:ud\n");
         if (vertex) {
            IS_DF(4, 0, 0, 20, 21);
            IS_DF(5, 0, 0, 22, 23);
            IS_DF(6, 0, 0, 0, 0);
            IS_DF(7, 20, 21, 22, 23);
         } else {
            IS_DF(4, 10, 11, 0, 0);
            IS_DF(5, 12, 13, 0, 0);
            IS_DF(6, 10, 11, 12, 13);
            IS_DF(7, 0, 0, 0, 0);
         }
      }
   }
}

/* 53: a strided move and its parts, which keep the stride. */
static void
test_53_split(void **state)
{
   for (unsigned gen = HSW; gen < GENS; gen++) {
      start(gen, 0xff);
      run("(W) mov (8|M0) r4.1<2>:ud r0.1<8;4,2>:ud\n"
          "(W) mov (4|M0) r6.1<2>:ud r0.1<8;4,2>:ud\n"
          "(W) mov (4|M4) r7.1<2>:ud r1.1<8;4,2>:ud\n");
      assert_memory_equal(&t.grf[4], &t.grf[6], 2 * SIM_GRF_B);
      assert_int_equal(t.grf[4].ud[1], util_double_bits(10) >> 32);
   }
}

/* Half floats in Align16: Broadwell's swizzles, write masks and repeated
 * sources are of dwords, so of two of them. Skylake's are of one. */
static void
test_pairs_of_halves(void **state)
{
   static const struct {
      const char *text;
      uint16_t bdw[8], skl[8]; /* 1 to 8: from r2; 0: not written */
   } rows[] = {
      { "mov (8|M0) r4.0<1>.xyzw:hf r2.0<4>.xyzw:hf {Align16}",
        { 1, 2, 3, 4, 5, 6, 7, 8 },
        { 1, 2, 3, 4, 5, 6, 7, 8 } },
      { "mov (8|M0) r4.0<1>.xyzw:hf r2.0<4>.wzyx:hf {Align16}",
        { 7, 8, 5, 6, 3, 4, 1, 2 },
        { 4, 3, 2, 1, 8, 7, 6, 5 } },
      { "mov (8|M0) r4.0<1>.y:hf r2.0<4>.xyzw:hf {Align16}",
        { 0, 0, 3, 4, 0, 0, 0, 0 },
        { 0, 2, 0, 0, 0, 6, 0, 0 } },
      /* Times one, plus zero. */
      { "mad (8|M0) r4.0<1>:hf r3.0<8;1>:hf r2.0<0;0>:hf r5.0<8;1>:hf",
        { 1, 2, 1, 2, 1, 2, 1, 2 },
        { 1, 1, 1, 1, 1, 1, 1, 1 } },
   };
   static const uint16_t small[9] = { 0,      0x3c00, 0x4000, 0x4200, 0x4400,
                                      0x4500, 0x4600, 0x4700, 0x4800 };
   for (unsigned gen = BDW; gen < GENS; gen++) {
      for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
         start(gen, 0xff);
         for (unsigned k = 0; k < 8; k++) {
            t.grf[2].uw[k] = small[k + 1];
            t.grf[3].uw[k] = small[0];
            t.grf[5].uw[k] = small[1];
         }
         run(rows[i].text);
         const uint16_t *want = gen == BDW ? rows[i].bdw : rows[i].skl;
         for (unsigned k = 0; k < 8; k++) {
            if (t.grf[4].uw[k] != small[want[k]])
               fail_msg("%u: %s: channel %u: 0x%04x", envs[gen].verx10,
                        rows[i].text, k, t.grf[4].uw[k]);
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_1_strided_dwords),
      cmocka_unit_test(test_4_masks_of_doubles),
      cmocka_unit_test(test_7_execution_size),
      cmocka_unit_test(test_8_packed_vertices),
      cmocka_unit_test(test_9_divergent_quad),
      cmocka_unit_test(test_10_write_masks),
      cmocka_unit_test(test_13_stride_zero),
      cmocka_unit_test(test_16_pairs),
      cmocka_unit_test(test_19_all_swizzles),
      cmocka_unit_test(test_20_uniform),
      cmocka_unit_test(test_21_scalars),
      cmocka_unit_test(test_22_predicated_sel),
      cmocka_unit_test(test_23_wrong_regions),
      cmocka_unit_test(test_25_conversions),
      cmocka_unit_test(test_28_widening),
      cmocka_unit_test(test_32_dependency_control),
      cmocka_unit_test(test_33_immediates),
      cmocka_unit_test(test_35_scalar_and_vector),
      cmocka_unit_test(test_36_halves_of_doubles),
      cmocka_unit_test(test_38_assembled_double),
      cmocka_unit_test(test_39_comparisons),
      cmocka_unit_test(test_41_halves_overlap),
      cmocka_unit_test(test_42_denormals),
      cmocka_unit_test(test_46_three_sources),
      cmocka_unit_test(test_48_simd32),
      cmocka_unit_test(test_49_indirect_doubles),
      cmocka_unit_test(test_50_widening_in_align16),
      cmocka_unit_test(test_pairs_of_halves),
      cmocka_unit_test(test_52_shuffle),
      cmocka_unit_test(test_53_split),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
