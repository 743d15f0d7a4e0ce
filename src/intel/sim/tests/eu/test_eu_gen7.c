/* SPDX-License-Identifier: MIT */
/*
 * What only the older generations have, or have otherwise: code in SIMD4x2
 * (Align16: two vertices a thread, a channel a component) and its messages,
 * message codes of Ivybridge and Haswell, conversions of half floats.
 *
 * Memory is shared local memory, which needs no surface.
 */
#include "eu_test.h"

#define DESC(mlen, rlen, header, control)                                    \
   ((uint32_t)(mlen) << 25 | (uint32_t)(rlen) << 20 |                        \
    (uint32_t)(header) << 19 | (control))
#define DP(type, ctrl) ((uint32_t)(type) << 14 | (uint32_t)(ctrl) << 8 | 254)
#define URB(op, offset, flags) ((op) | (offset) << 3 | (flags))
#define INTERLEAVE (1u << 14)
#define PER_SLOT (1u << 16)

static uint32_t slm[128];
static uint32_t urb[256];
static struct sim_eu_env env;
static struct sim_eu_thread t;

static void
start(unsigned verx10, uint32_t dispatch)
{
   env = (struct sim_eu_env) {
      .verx10 = verx10,
      .slm = (uint8_t *)slm,
      .slm_size_B = sizeof(slm),
      .urb = (uint8_t *)urb,
      .urb_size_B = sizeof(urb),
   };
   for (unsigned i = 0; i < ARRAY_SIZE(slm); i++)
      slm[i] = 0x5000 + i;
   for (unsigned i = 0; i < ARRAY_SIZE(urb); i++)
      urb[i] = 0x9000 + i;
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++)
      for (unsigned k = 0; k < 8; k++)
         t.grf[i].ud[k] = i << 8 | k;
   sim_eu_thread_init(&t, &env, dispatch);
}

static void
run(const char *text)
{
   struct strbuf s = { 0 };
   strbuf_printf(&s, "%s\n" TEST_EOT, text);
   struct sim_eu_program *p =
      test_assemble(env.verx10, strbuf_str(&s), EU_BODIES_HOST_CODE);
   strbuf_fini(&s);
   if (test_run(&t, p) != SIM_EU_EOT)
      fail_msg("%s", text);
   sim_eu_program_destroy(p);
}

/* Sends r10 to `sfid` in Align16, with the response, if any, to
 * r30.`mask`. */
static void
send(unsigned sfid, uint32_t desc, const char *mask)
{
   char text[128];
   const bool responds = desc >> 20 & 31;
   snprintf(text, sizeof(text),
            "send (8|M0) %s.0<1>.%s:ud r10:ud 0x%X 0x%08X "
            "{Align16}\n",
            responds ? "r30" : "r31", mask, sfid, desc);
   run(text);
}

static void
expect(const uint32_t *got, const uint32_t *want, unsigned n,
       const char *what)
{
   for (unsigned i = 0; i < n; i++)
      if (got[i] != want[i])
         fail_msg("%s: dword %u is 0x%x, not 0x%x", what, i, got[i], want[i]);
}

#define EXPECT(got, what, ...)                                               \
   do {                                                                      \
      const uint32_t w_[] = { __VA_ARGS__ };                                 \
      expect(got, w_, ARRAY_SIZE(w_), what);                                 \
   } while (0)

/* Haswell: dwords 4 on and 16 on; blue is not wanted, w is masked. */
static void
test_untyped_simd4x2(void **state)
{
   start(75, 0xff);
   t.grf[10].ud[0] = 16;
   t.grf[10].ud[4] = 64;
   send(12, DESC(1, 1, 0, DP(1, 0x4)), "xyz");
   EXPECT(t.grf[30].ud, "read", 0x5004, 0x5005, 30 << 8 | 2, 30 << 8 | 3,
          0x5010, 0x5011, 30 << 8 | 6, 30 << 8 | 7);
   /* One vertex only. */
   start(75, 0x0f);
   t.grf[10].ud[0] = 16;
   t.grf[10].ud[4] = 64;
   send(12, DESC(2, 0, 0, DP(9, 0)), "xyzw");
   EXPECT(&slm[4], "write", 0xb00, 0xb01, 0xb02, 0xb03, 0x5008);
   assert_int_equal(slm[16], 0x5010);
}

static void
test_atomic_simd4x2(void **state)
{
   start(75, 0xff);
   t.grf[10].ud[0] = 16;
   t.grf[10].ud[4] = 64;
   t.grf[11].ud[0] = 3;
   t.grf[11].ud[4] = 5;
   send(12, DESC(2, 1, 0, DP(3, 1 << 5 | 7)), "x");
   EXPECT(t.grf[30].ud, "old values", 0x5004, 30 << 8 | 1, 30 << 8 | 2,
          30 << 8 | 3, 0x5010, 30 << 8 | 5);
   assert_int_equal(slm[4], 0x5007);
   assert_int_equal(slm[16], 0x5015);
}

/* Ivybridge has SIMD8 atomics only; the write mask chooses the slots. */
static void
test_masked_atomic(void **state)
{
   start(70, 0xff);
   for (unsigned i = 0; i < 8; i++)
      t.grf[10].ud[i] = 4 * i;
   send(10, DESC(1, 0, 0, DP(6, 1 << 4 | 5)), "x");
   EXPECT(slm, "increment", 0x5001, 0x5001, 0x5002, 0x5003, 0x5005, 0x5005);
   /* It has no data cache 1. */
   struct sim_eu_program *p = test_assemble(
      70, "send (8|M0) null:ud r10:ud 0xC 0x02009500\n" TEST_EOT,
      EU_BODIES_HOST_CODE);
   start(70, 0xff);
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_FAULT);
   sim_eu_program_destroy(p);
}

/* The mask of a scratch write is that of the destination. */
static void
test_dual_block(void **state)
{
   start(75, 0xff);
   t.grf[11].ud[0] = 2;
   t.grf[11].ud[4] = 6;
   send(10, DESC(3, 0, 1, DP(10, 0)), "xw");
   EXPECT(&slm[8], "first", 0xc00, 0x5009, 0x500a, 0xc03, 0x500c);
   EXPECT(&slm[24], "second", 0xc04, 0x5019, 0x501a, 0xc07, 0x501c);
   send(10, DESC(2, 1, 1, DP(2, 0)), "xyzw");
}

/* Handles 1 and 2; an offset of one pair of OWords; M0.5 enables dwords. */
static void
test_urb_interleaved(void **state)
{
   start(70, 0xff);
   t.grf[10].ud[0] = 1;
   t.grf[10].ud[1] = 2;
   t.grf[10].ud[5] = 0xdf00;
   send(6, DESC(3, 0, 1, URB(0, 1, INTERLEAVE)), "xyzw");
   EXPECT(&urb[16 + 8], "first", 0xb00, 0xb01, 0xb02, 0xb03, 0xc00, 0xc01);
   EXPECT(&urb[32 + 8], "second", 0xb04, 0x9029, 0xb06, 0xb07, 0xc04);
   /* A read of one OWord each, at offset 1 + the slot's own. */
   start(75, 0xff);
   t.grf[10].ud[0] = 1;
   t.grf[10].ud[1] = 2;
   t.grf[10].ud[3] = 0;
   t.grf[10].ud[4] = 2;
   send(6, DESC(1, 1, 1, URB(3, 1, INTERLEAVE | PER_SLOT)), "xyz");
   EXPECT(t.grf[30].ud, "read", 0x9000 + 20, 0x9000 + 21, 0x9000 + 22,
          30 << 8 | 3, 0x9000 + 44, 0x9000 + 45, 0x9000 + 46, 30 << 8 | 7);
}

/* A component of each vertex decides for all of its components. */
static void
test_align16_branch(void **state)
{
   static const char *text =
      "cmp (8|M0) (gt)f0.0 r20.0<1>.xyzw:d r2.0<4>.xyzw:d 516:d {Align16}\n"
      "(f0.0.%s) if (8|M0) ELSE ENDIF {Align16}\n"
      "mov (8|M0) r21.0<1>.xyzw:d 1:d {Align16}\n"
      "%s"
      "ELSE:\n"
      "mov (8|M0) r21.0<1>.xyzw:d 2:d {Align16}\n"
      "ENDIF:\n"
      "endif (8|M0) END {Align16}\n"
      "END:\n";
   static const unsigned gens[] = { 70, 75, 80, 90 };
   /* r2: 512 to 519: greater than 516 from 517 = second vertex's y on. */
   static const struct {
      const char *pred;
      unsigned first, second;
   } rows[] = {
      { "x", 2, 2 },     { "y", 2, 1 },     { "w", 2, 1 },
      { "any4h", 2, 1 }, { "all4h", 2, 2 },
   };
   for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
      for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
         char program[512];
         snprintf(program, sizeof(program), text, rows[i].pred,
                  gens[g] < 80 ? "else (8|M0) ENDIF {Align16}\n"
                               : "else (8|M0) ENDIF ENDIF {Align16}\n");
         start(gens[g], 0xff);
         run(program);
         for (unsigned k = 0; k < 8; k++)
            assert_int_equal(t.grf[21].ud[k],
                             k < 4 ? rows[i].first : rows[i].second);
      }
   }
}

/* Three sources: each has a swizzle; a scalar is replicated. */
static void
test_align16_three_sources(void **state)
{
   start(75, 0xff);
   for (unsigned i = 0; i < 8; i++) {
      t.grf[2].f[i] = (float)i;
      t.grf[3].f[i] = (float)(10 + i);
      t.grf[4].f[i] = (float)(100 * i);
   }
   run("mad (8|M0) r10.0<1>.xzw:f r2.0<4>.wzyx:f r3.0<4>.xxyy:f "
       "r4.2<0>.xxxx:f {Align16}\n");
   for (unsigned i = 0; i < 8; i++) {
      const unsigned v = i & 4, c = i & 3;
      const float want = (float)(v + 3 - c) + (float)(10 + v + c / 2) * 200;
      if (c == 1)
         assert_int_equal(t.grf[10].ud[i], 10 << 8 | i);
      else
         assert_true(t.grf[10].f[i] == want);
   }
}

/* Half floats before there was a type for them. */
static void
test_half_floats(void **state)
{
   start(75, 0xff);
   for (unsigned i = 0; i < 8; i++)
      t.grf[2].f[i] = (float)i - 2.5f;
   run("f32to16 (8|M0) r10.0<1>.xyzw:ud r2.0<4>.xyzw:f {Align16}\n"
       "f16to32 (8|M0) r11.0<1>.xyzw:f r10.0<4>.xyzw:ud {Align16}\n"
       "f32to16 (8|M0) r12.0<2>:w r2.0<8;8,1>:f\n");
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(t.grf[10].ud[i] >> 16, 0);
      assert_true(t.grf[11].f[i] == (float)i - 2.5f);
      assert_int_equal(t.grf[12].uw[2 * i], t.grf[10].ud[i]);
      assert_int_equal(t.grf[12].uw[2 * i + 1], 0);
   }
   assert_int_equal(t.grf[10].ud[0], 0xc100);
}

/* Dwords multiply by the low word on Gen7; MACH makes up for the rest. */
static void
test_multiply(void **state)
{
   static const unsigned gens[] = { 70, 75 };
   static const int32_t values[] = { 0,          1,           -1,
                                     0x12345678, -0x12345678, INT32_MIN,
                                     INT32_MAX,  0x10000 };
   for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
      for (unsigned s = 0; s < 8; s++) {
         start(gens[g], 0xff);
         for (unsigned i = 0; i < 8; i++) {
            t.grf[2].d[i] = values[i];
            t.grf[3].d[i] = values[(i + s) % 8];
         }
         run("mul (8|M0) acc0.0<1>.xyzw:d r2.0<4>.xyzw:d r3.0<4>.xyzw:d "
             "{Align16}\n"
             "mach (8|M0) r10.0<1>.xyzw:d r2.0<4>.xyzw:d r3.0<4>.xyzw:d "
             "{AccWrEn,Align16}\n"
             "mov (8|M0) r11.0<1>.xyzw:d acc0.0<4>.xyzw:d {Align16}\n"
             "mul (8|M0) r12.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n");
         for (unsigned i = 0; i < 8; i++) {
            const int64_t all = (int64_t)t.grf[2].d[i] * t.grf[3].d[i];
            assert_int_equal(t.grf[10].d[i], (int32_t)(all >> 32));
            assert_int_equal(t.grf[11].d[i], (int32_t)all);
            assert_int_equal(t.grf[12].ud[i], (uint32_t)t.grf[2].d[i] *
                                                 (t.grf[3].ud[i] & 0xffff));
         }
      }
   }
}

/* Low dwords of doubles, over the second of their registers: one register is
 * written, so all is read before. */
static void
test_source_of_two_registers(void **state)
{
   static const unsigned gens[] = { 75, 80, 90 };
   for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
      start(gens[g], 0xff);
      run("mov (8|M0) r43.0<1>:ud r42.0<8;4,2>:ud\n");
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(t.grf[43].ud[i], (42 + i / 4) << 8 | (2 * i % 8));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_untyped_simd4x2),
      cmocka_unit_test(test_atomic_simd4x2),
      cmocka_unit_test(test_masked_atomic),
      cmocka_unit_test(test_dual_block),
      cmocka_unit_test(test_urb_interleaved),
      cmocka_unit_test(test_align16_branch),
      cmocka_unit_test(test_align16_three_sources),
      cmocka_unit_test(test_half_floats),
      cmocka_unit_test(test_multiply),
      cmocka_unit_test(test_source_of_two_registers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
