/* SPDX-License-Identifier: MIT */
/*
 * Where operands lie and which channels count: regions, indirect addressing,
 * Align16, execution masks, groups, predicates; Ivybridge's way to count
 * doubles. For the other quirks of doubles see test_eu_quirks.c.
 */
#include "eu_test.h"

static const struct sim_eu_env env9 = { .verx10 = 90 };
static const struct sim_eu_env env75 = { .verx10 = 75 };
static const struct sim_eu_env env70 = { .verx10 = 70 };

static struct sim_eu_thread t;

static void
start(const struct sim_eu_env *env, uint32_t dispatch)
{
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++)
      for (unsigned k = 0; k < 8; k++)
         t.grf[i].ud[k] = i * 100 + k;
   sim_eu_thread_init(&t, env, dispatch);
}

static void
run(const char *text)
{
   struct strbuf s = { 0 };
   const unsigned verx10 = t.env->verx10;
   strbuf_printf(&s, "%s\n" TEST_EOT, text);
   struct sim_eu_program *p =
      test_assemble(verx10, strbuf_str(&s), EU_BODIES_HOST_CODE);
   strbuf_fini(&s);
   if (test_run(&t, p) != SIM_EU_EOT)
      fail_msg("%s", text);
   sim_eu_program_destroy(p);
}

static void
expect_ud(unsigned reg, const uint32_t want[8], const char *what)
{
   for (unsigned k = 0; k < 8; k++)
      if (t.grf[reg].ud[k] != want[k])
         fail_msg("%s: r%u.%u is %u, not %u", what, reg, k, t.grf[reg].ud[k],
                  want[k]);
}

#define EXPECT_UD(reg, what, ...)                                            \
   expect_ud(reg, (const uint32_t[8]) { __VA_ARGS__ }, what)

static void
test_regions(void **state)
{
   start(&env9, 0xff);
   run("mov (8|M0) r10.0<1>:ud r2.0<8;4,2>:ud\n"
       "mov (8|M0) r12.0<1>:ud r2.3<0;1,0>:ud\n"
       "mov (8|M0) r14.0<1>:ud r2.0<1;2,0>:ud\n"
       "mov (8|M0) r16.0<1>:ud r2.0<4;2,1>:ud\n"
       "mov (4|M0) r18.0<2>:ud r2.4<4;4,1>:ud\n"
       "mov (8|M0) r20.0<1>:ud r2.4<4;4,1>:ud\n"
       "mov (8|M0) r22.0<1>:uw r2.0<16;8,2>:uw\n");
   EXPECT_UD(10, "every second", 200, 202, 204, 206, 300, 302, 304, 306);
   EXPECT_UD(12, "scalar", 203, 203, 203, 203, 203, 203, 203, 203);
   EXPECT_UD(14, "each twice", 200, 200, 201, 201, 202, 202, 203, 203);
   EXPECT_UD(16, "rows apart", 200, 201, 204, 205, 300, 301, 304, 305);
   EXPECT_UD(18, "strided write", 204, 1801, 205, 1803, 206, 1805, 207, 1807);
   EXPECT_UD(20, "across registers", 204, 205, 206, 207, 300, 301, 302, 303);
   EXPECT_UD(22, "words", 200 | 201 << 16, 202 | 203 << 16, 204 | 205 << 16,
             206 | 207 << 16, 2204, 2205, 2206, 2207);
}

static void
test_indirect(void **state)
{
   start(&env9, 0xff);
   run("(W) mov (1|M0) a0.0<1>:uw 0x48:uw\n"  /* r2.2 */
       "(W) mov (1|M0) a0.1<1>:uw 0x64:uw\n"  /* r3.1 */
       "(W) mov (1|M0) a0.2<1>:uw 0x140:uw\n" /* r10 */
       "mov (1|M0) r10.0<1>:ud r[a0.0]<0;1,0>:ud\n"
       "mov (4|M0) r11.0<1>:ud r[a0.0,8]<4;4,1>:ud\n"
       "mov (4|M0) r12.0<1>:ud r[a0.0]<2,1>:ud\n"
       "mov (4|M0) r[a0.2,96]<1>:ud r2.0<4;4,1>:ud\n");
   assert_int_equal(t.grf[10].ud[0], 202);
   EXPECT_UD(11, "indirect with an offset", 204, 205, 206, 207, 1104, 1105,
             1106, 1107);
   EXPECT_UD(12, "VxH", 202, 203, 301, 302, 1204, 1205, 1206, 1207);
   EXPECT_UD(13, "indirect destination", 200, 201, 202, 203, 1304, 1305, 1306,
             1307);

   /* Outside of the register file: a fault, and no access. */
   start(&env9, 0xff);
   struct sim_eu_program *p =
      test_assemble(90,
                    "(W) mov (1|M0) a0.0<1>:uw 0xFFF8:uw\n"
                    "mov (8|M0) r10.0<1>:ud r[a0.0]<8;8,1>:ud\n" TEST_EOT,
                    EU_BODIES_HOST_CODE);
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_FAULT);
   assert_int_equal(t.fault.reason, SIM_FAULT_RANGE);
   assert_int_equal(t.fault.ip_B, 16);
   sim_eu_program_destroy(p);
}

static void
test_masks(void **state)
{
   start(&env9, 0xa5);
   run("mov (8|M0) r10.0<1>:ud 1:ud\n"
       "(W) mov (8|M0) r11.0<1>:ud 1:ud\n"
       "mov (4|M4) r12.0<1>:ud 1:ud\n");
   EXPECT_UD(10, "mask", 1, 1001, 1, 1003, 1004, 1, 1006, 1);
   EXPECT_UD(11, "no mask", 1, 1, 1, 1, 1, 1, 1, 1);
   EXPECT_UD(12, "group", 1200, 1, 1202, 1, 1204, 1205, 1206, 1207);
   start(&env9, 0x5a00);
   run("mov (16|M0) r10.0<1>:ud 1:ud\n"
       "mov (8|M8) r12.0<1>:ud 1:ud\n");
   EXPECT_UD(10, "lower half", 1000, 1001, 1002, 1003, 1004, 1005, 1006,
             1007);
   EXPECT_UD(11, "upper half", 1100, 1, 1102, 1, 1, 1105, 1, 1107);
   EXPECT_UD(12, "second group", 1200, 1, 1202, 1, 1, 1205, 1, 1207);
}

static uint32_t
predicate(const char *ctrl, uint32_t f0)
{
   char text[128];
   start(&env9, 0xffffffff);
   t.flag[0] = f0;
   memset(&t.grf[10], 0, 4 * SIM_GRF_B);
   snprintf(text, sizeof(text),
            "(%s) mov (16|M0) r10.0<1>:ud 1:ud\n"
            "(%s) mov (16|M16) r12.0<1>:ud 1:ud\n",
            ctrl, ctrl);
   run(text);
   uint32_t m = 0;
   for (unsigned i = 0; i < 32; i++)
      m |= t.grf[10 + i / 8].ud[i % 8] << i;
   return m;
}

static void
test_predicates(void **state)
{
   uint64_t seed = 11;
   for (unsigned trial = 0; trial < 60; trial++) {
      uint32_t f =
         (uint32_t)(isa_sample_random(&seed) | isa_sample_random(&seed));
      if (trial % 3 == 0)
         f = ~f;
      assert_int_equal(predicate("f0.0", f), f);
      assert_int_equal(predicate("~f0.0", f), ~f);
      for (unsigned n = 2; n <= 32; n *= 2) {
         char any[16], all[16];
         uint32_t want_any = 0, want_all = 0;
         for (unsigned i = 0; i < 32; i += n) {
            unsigned set = 0;
            for (unsigned k = 0; k < n; k++)
               set += f >> (i + k) & 1;
            for (unsigned k = 0; k < n; k++) {
               want_any |= (uint32_t)(set > 0) << (i + k);
               want_all |= (uint32_t)(set == n) << (i + k);
            }
         }
         snprintf(any, sizeof(any), "f0.0.any%uh", n);
         snprintf(all, sizeof(all), "f0.0.all%uh", n);
         assert_int_equal(predicate(any, f), want_any);
         assert_int_equal(predicate(all, f), want_all);
      }
   }
}

static void
test_flags(void **state)
{
   start(&env9, 0x00f0);
   t.flag[0] = 0xdead0f0f;
   run("cmp (8|M0) (gt)f0.0 null<1>:ud r2.0<8;8,1>:ud 205:ud\n");
   assert_int_equal(t.flag[0], 0xdead0fcf);
   start(&env9, 0xffff);
   t.flag[1] = 0;
   run("cmp (8|M8) (ge)f1.1 null<1>:ud r2.0<8;8,1>:ud 204:ud\n");
   assert_int_equal(t.flag[1], 0xf0000000);
   /* A flag as an operand. */
   start(&env9, 0xffff);
   run("(W) mov (1|M0) f1.0<1>:uw 0x1234:uw\n"
       "(W) mov (1|M0) r10.0<1>:ud f1.0<0;1,0>:uw\n");
   assert_int_equal(t.grf[10].ud[0], 0x1234);
}

static void
test_align16(void **state)
{
   start(&env9, 0xff);
   run("mov (8|M0) r10.0<1>.xyzw:ud r2.0<4>.wzyx:ud {Align16}\n"
       "mov (8|M0) r11.0<1>.xz:ud r2.0<0>.yyyy:ud {Align16}\n");
   EXPECT_UD(10, "swizzle", 203, 202, 201, 200, 207, 206, 205, 204);
   EXPECT_UD(11, "write mask", 201, 1101, 201, 1103, 201, 1105, 201, 1107);
   start(&env9, 0xff);
   for (unsigned i = 0; i < 8; i++) {
      t.grf[2].f[i] = (float)i;
      t.grf[3].f[i] = 10;
      t.grf[4].f[i] = (float)(100 * i);
   }
   run("mad (8|M0) r10.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r4.3<0>:f\n");
   for (unsigned i = 0; i < 8; i++)
      assert_true(t.grf[10].f[i] == (float)i + 3000);
}

/* Restricted vector immediates. */
static void
test_vector_immediates(void **state)
{
   start(&env9, 0xff);
   run("mov (8|M0) r8.0<1>:w 0xFEDC3210:v\n"
       "mov (8|M0) r9.0<1>:uw 0xFEDC3210:uv\n"
       "mov (8|M0) r10.0<1>:d r8.0<8;8,1>:w\n"
       "mov (8|M0) r11.0<1>:d r9.0<8;8,1>:uw\n"
       "mov (4|M0) r12.0<1>:f 0x48403000:vf\n");
   EXPECT_UD(10, "v", 0, 1, 2, 3, (uint32_t)-4, (uint32_t)-3, (uint32_t)-2,
             (uint32_t)-1);
   EXPECT_UD(11, "uv", 0, 1, 2, 3, 12, 13, 14, 15);
   assert_true(t.grf[12].f[0] == 0 && t.grf[12].f[1] == 1 &&
               t.grf[12].f[2] == 2 && t.grf[12].f[3] == 3);
   /* Each channel takes what lies in its place of an oword (IGC). */
   start(&env9, 0xff);
   run("mov (8|M0) r9.0<1>:ud 0:ud\n"
       "mov (8|M0) r13.0<1>:ud 7:ud\n"
       "add (4|M0) r13.0<1>:ud r9.0<0;1,0>:uw 0xC080400:uv\n"
       "mov (8|M0) r14.0<1>:ud 7:ud\n"
       "mov (2|M0) r14.2<1>:uw 0x10101010:v\n");
   EXPECT_UD(13, "uv to dwords", 0, 4, 8, 12, 7, 7, 7, 7);
   EXPECT_UD(14, "v to two words", 7, 1u << 16, 7, 7, 7, 7, 7, 7);
}

/* What manuals forbid and programs that run on chips have: it is executed. */
static void
test_shipped(void **state)
{
   start(&env9, 0xff);
   run("(W) mov (1|M0) tm0.4<1>:ud 0x3E0:uw {Switch}\n"
       "mov (8|M0) r8.0<1>:ud 0:ud\n"
       "mov (8|M0) r8.1<4>:ub 1:w\n"
       "mov (8|M0) r9.0<1>:ud 0:ud\n"
       "mul (1|M0) r9.0<2>:uw r2.1<0;1,0>:d -2:w\n"
       "mov (8|M0) r10.0<1>:ud 0:ud\n"
       "shr (8|M0) r10.0<4>:b r2.0<16;8,2>:uw 1:w\n");
   EXPECT_UD(8, "bytes", 256, 256, 256, 256, 256, 256, 256, 256);
   EXPECT_UD(9, "low word", -2 * t.grf[2].d[1] & 0xffff, 0, 0, 0, 0, 0, 0, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(t.grf[10].ud[i],
                       (t.grf[2].ud[i] & 0xffff) >> 1 & 0xff);
   start(&env75, 0xff);
   run("mov (8|M0) acc0.0<1>:f 2.5:f\n"
       "mov (1|M0) r8.2<1>:f acc0.0<1;1,1>:f\n"
       "mov (8|M0) r9.0<1>:ud r2.0<8;8,1>:ud\n"
       "add (1|M0) r9.0<1>:w r9.0<1;1,0>:w 1:w\n"
       "cmp (8|M0) (eq)f0.0 null<1>:d r2.3<0;1,0>:ub r2.3<0;1,0>:ub\n"
       "(f0.0) mov (8|M0) r10.0<1>:ud 3:ud\n");
   assert_true(t.grf[8].f[2] == 2.5f);
   assert_int_equal(t.grf[9].w[0], t.grf[2].w[0] + 1);
   EXPECT_UD(10, "compared", 3, 3, 3, 3, 3, 3, 3, 3);
}

/* Doubles -------------------------------------------------------------- */

static void
start_doubles(const struct sim_eu_env *env, uint32_t dispatch)
{
   start(env, dispatch);
   for (unsigned i = 0; i < 4; i++) {
      t.grf[0].df[i] = 10 + i;
      t.grf[1].df[i] = 20 + i;
   }
   memset(&t.grf[4], 0, 4 * SIM_GRF_B);
}

static bool
is_df(unsigned reg, double a, double b, double c, double d)
{
   const double *v = t.grf[reg].df;
   if (v[0] == a && v[1] == b && v[2] == c && v[3] == d)
      return true;
   printf("r%u: %g %g %g %g\n", reg, v[0], v[1], v[2], v[3]);
   return false;
}

/* Two registers are read before the one is written that is the second of
 * them; a destination of two registers is written in two steps. */
static void
test_destination_in_source(void **state)
{
   start_doubles(&env9, 0xffff);
   for (unsigned i = 0; i < 16; i++)
      t.grf[18 + i / 8].ud[i % 8] = i;
   run("mov (8|M0) r19.0<1>:ud r18.1<8;4,2>:ud\n");
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(t.grf[19].ud[i], 2 * i + 1);
   start_doubles(&env9, 0xffff);
   for (unsigned i = 0; i < 16; i++)
      t.grf[18 + i / 8].ud[i % 8] = i;
   run("mov (16|M0) r19.0<1>:ud r18.0<8;8,1>:ud\n");
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(t.grf[19 + i / 8].ud[i % 8], i % 8);
}

/* 5, 6, 7, 21, 25 to 27: Ivybridge counts doubles in dwords. */
static void
test_ivybridge_doubles(void **state)
{
   start_doubles(&env70, 0xff);
   run("mov (8|M0) r4.0<1>:df r0.0<8;8,1>:df\n");
   assert_true(is_df(4, 10, 11, 12, 13) && is_df(5, 0, 0, 0, 0));
   /* Both halves have the enables of the first. */
   for (unsigned half = 0; half < 2; half++) {
      start_doubles(&env70, half ? 0xf0 : 0x0f);
      run("mov (16|M0) r4.0<1>:df r0.0<8;8,1>:df\n");
      assert_int_equal(t.grf[4].df[0] == 10, !half);
      assert_int_equal(t.grf[5].df[0] == 20, !half);
   }
   start_doubles(&env70, 0xf0);
   run("mov (8|M4) r4.0<1>:df r0.0<8;8,1>:df\n");
   assert_true(is_df(4, 10, 11, 12, 13));
   /* The last nibble of 32 channels. */
   start_doubles(&env70, 0xf0000000);
   run("mov (8|M28) r4.0<1>:df r0.0<8;8,1>:df\n");
   assert_true(is_df(4, 10, 11, 12, 13));
   /* A scalar steps with the second half. */
   start_doubles(&env70, 0xff);
   run("(W) mov (16|M0) r4.0<1>:df r0.0<0;2,1>:df\n");
   assert_true(is_df(4, 10, 10, 10, 10) && is_df(5, 20, 20, 20, 20));
   /* To floats: a dword of each pair. From floats: every second one. */
   start_doubles(&env70, 0xff);
   for (unsigned i = 0; i < 8; i++)
      t.grf[2].f[i] = (float)i;
   run("mov (8|M0) r4.0<1>:f r0.0<8;8,1>:df\n"
       "mov (8|M0) r5.0<1>:df r2.0<8;8,1>:f\n"
       "mov (8|M0) r6.0<1>:df r2.0<1;2,0>:f\n");
   for (unsigned i = 0; i < 4; i++)
      assert_true(t.grf[4].f[2 * i] == (float)(10 + i));
   assert_true(is_df(5, 0, 2, 4, 6) && is_df(6, 0, 1, 2, 3));
}

/* 22 to 24, 28, 32, 40, 46: what is illegal is a fault that says why. */
static void
test_illegal(void **state)
{
   static const struct {
      const struct sim_eu_env *env;
      const char *text, *why;
   } rows[] = {
      { &env75, "mov (8|M0) r4.0<1>:df r2.0<8;8,1>:df\n", "row" },
      { &env9, "mov (8|M0) r4.0<1>:df r2.0<8;8,1>:df\n", "row" },
      { &env9, "mov (4|M0) r4.0<1>:f r2.0<4;4,1>:df\n", "stride" },
      { &env75, "mov (8|M0) r4.0<1>:df r2.0<8;8,1>:f\n", "span" },
      { &env75,
        "add (8|M0) r4.0<1>:df r6.0<4;4,1>:df r8.0<4;4,1>:df {NoDDClr}\n",
        "dependency control" },
      { &env75,
        "(f0.0) sel (8|M0) r4.0<1>.xyzw:df r6.0<2>.xyzw:df "
        "r8.0<2>.xyzw:df {Align16}\n",
        "predicate" },
      { &env70,
        "mad (16|M0) r4.0<1>:df r6.0<2;1>:df r8.0<2;1>:df "
        "r10.0<2;1>:df\n",
        "three sources" },
      { &env9, "mov (16|M0) r4.0<1>:df r6.0<4;4,1>:df\n", "two registers" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct sim_eu_program *p = test_assemble(
         rows[i].env->verx10, rows[i].text, EU_BODIES_HOST_CODE);
      start(rows[i].env, 0xffff);
      if (sim_eu_run(&t, p, 0) != SIM_EU_FAULT ||
          t.fault.reason != SIM_FAULT_ILLEGAL ||
          !strstr(t.fault.text, rows[i].why) || !t.fault.inst[0])
         fail_msg("%s: status %d, %s", rows[i].text, t.status, t.fault.text);
      sim_eu_program_destroy(p);
   }
}

static unsigned traced[2];

static void
count_trace(struct sim_eu_thread *thread, const struct isa_inst *inst,
            bool after)
{
   assert_ptr_equal(thread, &t);
   assert_true(inst->opcode == ISA_OPCODE_MOV ||
               inst->opcode == ISA_OPCODE_SEND);
   /* What the instruction writes is there after it, not before. */
   if (inst->opcode == ISA_OPCODE_MOV)
      assert_int_equal(t.grf[10].ud[0], after ? 77 : 1000);
   traced[after]++;
}

static void
test_trace(void **state)
{
   const struct sim_eu_env env = { .verx10 = 90, .trace = count_trace };
   start(&env, 0xff);
   run("mov (8|M0) r10.0<1>:ud 77:ud\n");
   assert_int_equal(traced[0], 2);
   assert_int_equal(traced[1], 2);
   setenv("SAFFRON_SIM_TRACE", "gs,fs", 1);
   assert_true(sim_eu_trace_for("fs") == sim_eu_trace_print);
   assert_null(sim_eu_trace_for("vs"));
   assert_null(sim_eu_trace_for("f"));
   unsetenv("SAFFRON_SIM_TRACE");
}

/* Single program flow (cr0.0 bit 2) with channels that part is refused
 * whether a program asks for it or the dispatcher. */
static void
test_control_register(void **state)
{
   struct sim_eu_program *p = test_assemble(
      90,
      "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 4:ud {Switch}\n"
      "(f0.0) if (8|M0) END END\n"
      "END:\n"
      "endif (8|M0) DONE\n"
      "DONE:\n" TEST_EOT,
      EU_BODIES_HOST_CODE);
   start(&env9, 0xff);
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_FAULT);
   assert_int_equal(t.fault.reason, SIM_FAULT_UNIMPLEMENTED);
   start(&env9, 0xff);
   t.cr0[0] = 1u << 2;
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_FAULT);
   assert_int_equal(t.fault.reason, SIM_FAULT_UNIMPLEMENTED);
   sim_eu_program_destroy(p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_regions),
      cmocka_unit_test(test_indirect),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_predicates),
      cmocka_unit_test(test_flags),
      cmocka_unit_test(test_align16),
      cmocka_unit_test(test_vector_immediates),
      cmocka_unit_test(test_shipped),
      cmocka_unit_test(test_destination_in_source),
      cmocka_unit_test(test_ivybridge_doubles),
      cmocka_unit_test(test_illegal),
      cmocka_unit_test(test_trace),
      cmocka_unit_test(test_control_register),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
