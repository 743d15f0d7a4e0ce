/* SPDX-License-Identifier: MIT */
/*
 * Integer instructions: rows of one-lane cases by hand, and 64-bit products
 * through the accumulator against the host.
 */
#include "eu_test.h"

static const struct sim_eu_env env = { .verx10 = 90 };

struct row {
   const char *text; /* r8 = f(r2, r4, r6), lanes of 8 bytes stride */
   uint64_t a, b, c, want;
};

#define OP1(op, d, s) op " (4|M0) r8.0<1>:" d " r2.0<4;4,1>:" s
#define OP2(op, d, s) OP1(op, d, s) " r4.0<4;4,1>:" s
#define OP3(op, d)                                                           \
   op " (4|M0) r8.0<1>:" d " r2.0<2;1>:" d " r4.0<2;1>:" d " r6.0<2;1>:" d

static void
run_row(const struct row *row, enum eu_bodies bodies, unsigned size_B,
        unsigned out_B)
{
   static struct sim_eu_thread t;
   struct strbuf s = { 0 };
   const uint64_t in[3] = { row->a, row->b, row->c };
   strbuf_printf(&s, "%s\n" TEST_EOT, row->text);
   struct sim_eu_program *p = test_assemble(90, strbuf_str(&s), bodies);
   strbuf_fini(&s);
   memset(t.grf, 0, sizeof(t.grf));
   for (unsigned k = 0; k < 3; k++)
      for (unsigned i = 0; i < 4; i++)
         memcpy(t.grf[2 + 2 * k].ub + i * size_B, &in[k], size_B);
   sim_eu_thread_init(&t, &env, 0xff);
   assert_int_equal(test_run(&t, p), SIM_EU_EOT);
   for (unsigned i = 0; i < 4; i++) {
      uint64_t got = 0;
      memcpy(&got, t.grf[8].ub + i * out_B, out_B);
      if (got != row->want)
         fail_msg("%s: %llx %llx %llx -> %llx, want %llx", row->text,
                  (unsigned long long)row->a, (unsigned long long)row->b,
                  (unsigned long long)row->c, (unsigned long long)got,
                  (unsigned long long)row->want);
   }
   sim_eu_program_destroy(p);
}

static void
check_rows(const struct row *rows, unsigned n, unsigned size_B,
           unsigned out_B)
{
   for (unsigned i = 0; i < n; i++)
      for (unsigned b = EU_BODIES_BEST; b <= EU_BODIES_BASE; b++)
         run_row(&rows[i], b, size_B, out_B);
}

static void
test_dwords(void **state)
{
   const struct row rows[] = {
      { OP2("add", "d", "d"), 0x7fffffff, 1, 0, 0x80000000 },
      { OP2("mul", "d", "d"), (uint32_t)-3, 7, 0, (uint32_t)-21 },
      { OP2("mul", "ud", "ud"), 0x10001, 0x10001, 0, 0x20001 },
      { OP2("avg", "d", "d"), 3, 4, 0, 4 },
      { OP2("and", "ud", "ud"), 0xf0f0, 0xff00, 0, 0xf000 },
      { OP2("xor", "ud", "ud"), 0xf0f0, 0xff00, 0, 0x0ff0 },
      { "and (4|M0) r8.0<1>:ud ~r2.0<4;4,1>:ud r4.0<4;4,1>:ud", 0xf0, 0xff, 0,
        0x0f },
      { OP1("not", "ud", "ud"), 0xf0f0f0f0, 0, 0, 0x0f0f0f0f },
      { OP2("shl", "ud", "ud"), 1, 33, 0, 2 }, /* five bits of the count */
      { OP2("shr", "ud", "ud"), 0x80000000, 31, 0, 1 },
      { OP2("shr", "d", "d"), 0x80000000, 4, 0, 0xf8000000 },
      { OP2("asr", "d", "d"), 0x80000000, 4, 0, 0xf8000000 },
      { OP1("mov", "d", "d"), 5, 0, 0, 5 },
      { "mov (4|M0) r8.0<1>:d -(abs)r2.0<4;4,1>:d", 5, 0, 0, (uint32_t)-5 },
      { "mov (4|M0) r8.0<1>:d (abs)r2.0<4;4,1>:d", (uint32_t)-5, 0, 0, 5 },
      { "mov (4|M0) (sat)r8.0<1>:d r2.0<4;4,1>:ud", 0xffffffff, 0, 0,
        0x7fffffff },
      { "mov (4|M0) (sat)r8.0<1>:ud r2.0<4;4,1>:d", (uint32_t)-1, 0, 0, 0 },
      { "add (4|M0) (sat)r8.0<1>:d r2.0<4;4,1>:d r4.0<4;4,1>:d", 0x7fffffff,
        1, 0, 0x7fffffff },
      { "add (4|M0) (sat)r8.0<1>:ud r2.0<4;4,1>:ud -r4.0<4;4,1>:ud", 1, 2, 0,
        0 },
      { "sel (4|M0) (lt)f0.0 r8.0<1>:d r2.0<4;4,1>:d r4.0<4;4,1>:d",
        (uint32_t)-1, 1, 0, (uint32_t)-1 },
      { "sel (4|M0) (lt)f0.0 r8.0<1>:ud r2.0<4;4,1>:ud r4.0<4;4,1>:ud",
        (uint32_t)-1, 1, 0, 1 },
      { "sel (4|M0) (ge)f0.0 r8.0<1>:d r2.0<4;4,1>:d r4.0<4;4,1>:d",
        (uint32_t)-1, 1, 0, 1 },
      { "cmp (4|M0) (lt)f0.0 r8.0<1>:d r2.0<4;4,1>:d r4.0<4;4,1>:d",
        (uint32_t)-1, 1, 0, 0xffffffff },
      { "cmp (4|M0) (lt)f0.0 r8.0<1>:ud r2.0<4;4,1>:ud r4.0<4;4,1>:ud",
        (uint32_t)-1, 1, 0, 0 },
      { OP1("lzd", "ud", "ud"), 0x00010000, 0, 0, 15 },
      { OP1("lzd", "ud", "ud"), 0, 0, 0, 32 },
      { OP1("fbh", "ud", "ud"), 0x00010000, 0, 0, 15 },
      { OP1("fbh", "ud", "d"), 0xffff0000, 0, 0, 16 },
      { OP1("fbh", "ud", "d"), 0xffffffff, 0, 0, 0xffffffff },
      { OP1("fbl", "ud", "ud"), 0x00010000, 0, 0, 16 },
      { OP1("fbl", "ud", "ud"), 0, 0, 0, 0xffffffff },
      { OP1("cbit", "ud", "ud"), 0xf00f, 0, 0, 8 },
      { OP1("bfrev", "ud", "ud"), 0x00000003, 0, 0, 0xc0000000 },
      { OP2("bfi1", "ud", "ud"), 4, 8, 0, 0xf00 },
      { OP3("bfi2", "ud"), 0x0ff0, 0xaaaa, 0x5555, 0x5aa5 },
      /* The exponent of a double, as stock drivers set it. */
      { OP3("bfi2", "ud"), 0x7ff00000, 0x3ff, 0xc033323a, 0xbff3323a },
      { OP3("bfi2", "ud"), 0xf0f0, 0xff0, 0x5a5a, 0xfa0a },
      { OP3("bfi2", "ud"), 0, 0xffff, 0x1234, 0x1234 },
      { OP3("bfe", "ud"), 8, 4, 0xabcd, 0xbc },
      { OP3("bfe", "d"), 8, 4, 0xfbcd, 0xffffffbc },
      { OP3("bfe", "d"), 0, 4, 0xfbcd, 0 },
      { OP3("bfe", "ud"), 31, 4, 0xf0000000, 0x0f000000 },
      { "math.iqot (4|M0) r8.0<1>:d r2.0<4;4,1>:d r4.0<4;4,1>:d",
        (uint32_t)-7, 2, 0, (uint32_t)-3 },
      { "math.irem (4|M0) r8.0<1>:d r2.0<4;4,1>:d r4.0<4;4,1>:d",
        (uint32_t)-7, 2, 0, (uint32_t)-1 },
      { "math.iqot (4|M0) r8.0<1>:ud r2.0<4;4,1>:ud r4.0<4;4,1>:ud",
        0xfffffff9, 2, 0, 0x7ffffffc },
      { "addc (4|M0) r8.0<1>:ud r2.0<4;4,1>:ud r4.0<4;4,1>:ud {AccWrEn}\n"
        "mov (4|M0) r8.0<1>:ud acc0.0<4;4,1>:ud",
        0xffffffff, 1, 0, 1 },
      { "subb (4|M0) r8.0<1>:ud r2.0<4;4,1>:ud r4.0<4;4,1>:ud {AccWrEn}\n"
        "mov (4|M0) r8.0<1>:ud acc0.0<4;4,1>:ud",
        0, 1, 0, 1 },
   };
   check_rows(rows, ARRAY_SIZE(rows), 4, 4);
}

static void
test_other_sizes(void **state)
{
   const struct row words[] = {
      { "mov (4|M0) r8.0<1>:d r2.0<4;4,1>:w", 0xfffe, 0, 0, 0xfffffffe },
      { "mov (4|M0) r8.0<1>:ud r2.0<4;4,1>:uw", 0xfffe, 0, 0, 0xfffe },
      { "add (4|M0) r8.0<1>:d r2.0<4;4,1>:w r4.0<4;4,1>:w", 0x8000, 0x8000, 0,
        0xffff0000 },
      { "mul (4|M0) r8.0<1>:d r2.0<4;4,1>:w r4.0<4;4,1>:w", 0x8000, 0x8000, 0,
        0x40000000 },
   };
   check_rows(words, ARRAY_SIZE(words), 2, 4);
   const struct row bytes[] = {
      { "mov (4|M0) r8.0<1>:d r2.0<4;4,1>:b", 0x80, 0, 0, 0xffffff80 },
      { "mov (4|M0) r8.0<1>:d r2.0<4;4,1>:ub", 0x80, 0, 0, 0x80 },
   };
   check_rows(bytes, ARRAY_SIZE(bytes), 1, 4);
   const struct row sums[] = {
      { "sad2 (4|M0) r8.0<1>:w r2.0<4;4,1>:b r4.0<4;4,1>:b", 0x80, 0x7f, 0,
        510 },
      { "sad2 (4|M0) r8.0<1>:uw r2.0<4;4,1>:ub r4.0<4;4,1>:ub", 3, 10, 0,
        14 },
   };
   check_rows(sums, ARRAY_SIZE(sums), 1, 2);
   const struct row narrow[] = {
      { "mov (4|M0) r8.0<2>:w r2.0<4;4,1>:d", 0x12345678, 0, 0, 0x5678 },
      { "mov (4|M0) (sat)r8.0<2>:w r2.0<4;4,1>:d", 0x12345678, 0, 0, 0x7fff },
   };
   check_rows(narrow, ARRAY_SIZE(narrow), 4, 4);
   const struct row quads[] = {
      { "add (4|M0) r8.0<1>:q r2.0<4;4,1>:q r4.0<4;4,1>:q", 0xffffffff, 1, 0,
        0x100000000 },
      /* 64 bits to shift in, and six of the count, also where only the
       * destination has them (IGC: upsample, sign_extend). */
      { "shl (4|M0) r8.0<1>:q r2.0<8;4,2>:d r4.0<8;4,2>:d", 3, 32, 0,
        3ull << 32 },
      { "shl (4|M0) r8.0<1>:q r2.0<8;4,2>:d r4.0<8;4,2>:d", 0xffffffff, 65, 0,
        (uint64_t)-2 },
      { "shl (4|M0) r8.0<1>:q r2.0<4;4,1>:q r4.0<4;4,1>:q", 1, 40, 0,
        1ull << 40 },
      { "asr (4|M0) r8.0<1>:q r2.0<4;4,1>:q r4.0<4;4,1>:q", 1ull << 63, 62, 0,
        ~1ull },
      { "and (4|M0) r8.0<1>:uq r2.0<4;4,1>:uq r4.0<4;4,1>:uq",
        0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0, 0x0f000f000f000f00 },
      { "mov (4|M0) (sat)r8.0<1>:q r2.0<4;4,1>:uq", ~0ull, 0, 0, INT64_MAX },
   };
   check_rows(quads, ARRAY_SIZE(quads), 8, 8);
}

/* The high dword of a product: MUL by the low words into the accumulator,
 * then MACH; PRM SKL vol 2a, mach. */
static void
test_multiply_high(void **state)
{
   static struct sim_eu_thread t;
   static const char *const types[] = { "d", "ud" };
   uint64_t seed = 3;
   /* In the first and in the last quarter, which share acc0. */
   for (unsigned k = 0; k < 4; k++) {
      const unsigned sign = k % 2, group = k / 2 * 24;
      struct strbuf s = { 0 };
      strbuf_printf(
         &s,
         "mul (8|M%u) acc0.0<1>:%s r2.0<8;8,1>:%s r4.0<16;8,2>:uw\n"
         "mach (8|M%u) r8.0<1>:%s r2.0<8;8,1>:%s r4.0<8;8,1>:%s {AccWrEn}\n"
         "mov (8|M%u) r9.0<1>:%s acc0.0<8;8,1>:%s\n" TEST_EOT,
         group, types[sign], types[sign], group, types[sign], types[sign],
         types[sign], group, types[sign], types[sign]);
      struct sim_eu_program *p =
         test_assemble(90, strbuf_str(&s), EU_BODIES_BEST);
      strbuf_fini(&s);
      for (unsigned trial = 0; trial < 500; trial++) {
         for (unsigned i = 0; i < 8; i++) {
            t.grf[2].ud[i] = (uint32_t)isa_sample_value_bits(&seed, 4);
            t.grf[4].ud[i] = (uint32_t)isa_sample_value_bits(&seed, 4);
         }
         sim_eu_thread_init(&t, &env, 0xffu << group);
         assert_int_equal(test_run(&t, p), SIM_EU_EOT);
         for (unsigned i = 0; i < 8; i++) {
            const uint64_t want =
               sign ? (uint64_t)t.grf[2].ud[i] * t.grf[4].ud[i]
                    : (uint64_t)((int64_t)t.grf[2].d[i] * t.grf[4].d[i]);
            assert_int_equal(t.grf[8].ud[i], (uint32_t)(want >> 32));
            assert_int_equal(t.grf[9].ud[i], (uint32_t)want);
         }
      }
      sim_eu_program_destroy(p);
   }
}

/* Subtraction with saturation, as Mesa does it: the accumulator has a bit
 * more than a dword to negate, and its channels are read whatever the
 * region. */
static void
test_negated_accumulator(void **state)
{
   static const struct {
      const char *type;
      uint32_t a[8], b[8], want[8];
   } cases[] = {
      { "d",
        { 0, 5, 0x80000000, 0x7fffffff, 1, 0xffffffff, 7, 0 },
        { 0x80000000, 7, 1, 0xffffffff, 1, 0x7fffffff, 3, 1 },
        { 0x7fffffff, 0xfffffffe, 0x80000000, 0x7fffffff, 0, 0x80000000, 4,
          0xffffffff } },
      { "ud",
        { 0, 5, 0x80000000, 0xffffffff, 1, 0xffffffff, 7, 3 },
        { 0x80000000, 7, 1, 0xffffffff, 0, 1, 0x80000000, 3 },
        { 0, 0, 0x7fffffff, 0, 1, 0xfffffffe, 0, 0 } },
   };
   static struct sim_eu_thread t;
   for (unsigned k = 0; k < ARRAY_SIZE(cases); k++) {
      const char *type = cases[k].type;
      struct strbuf s = { 0 };
      strbuf_printf(&s,
                    "mov (8|M0) acc0.0<1>:%s r4.0<8;8,1>:%s\n"
                    "add (8|M0) (sat)r8.0<1>:%s -acc0.0<0;1,0>:%s "
                    "r2.0<8;8,1>:%s\n" TEST_EOT,
                    type, type, type, type, type);
      struct sim_eu_program *p =
         test_assemble(90, strbuf_str(&s), EU_BODIES_BEST);
      strbuf_fini(&s);
      memcpy(t.grf[2].ud, cases[k].a, sizeof(cases[k].a));
      memcpy(t.grf[4].ud, cases[k].b, sizeof(cases[k].b));
      sim_eu_thread_init(&t, &env, 0xff);
      assert_int_equal(test_run(&t, p), SIM_EU_EOT);
      assert_memory_equal(t.grf[8].ud, cases[k].want, sizeof(cases[k].want));
      sim_eu_program_destroy(p);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dwords),
      cmocka_unit_test(test_other_sizes),
      cmocka_unit_test(test_multiply_high),
      cmocka_unit_test(test_negated_accumulator),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
