/* SPDX-License-Identifier: MIT */
/* The checker: programs as text, and what it must say about each. No rule
 * goes without a row. An argument gives the number of random programs, of 512
 * words. */
#include "util/unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "arm/utgard/isa/gp_check.h"
#include "arm/utgard/isa/tests/gp_rule_rows.h"

/* Temporaries of the rows begin here; known constants are 0, 1, 2, 3 in c9
 * and 100, 101, 102, 103 in c10. */
#define FIRST_TEMP 100

struct row {
   const char *text;
   const char *expected; /* "instr unit rule" by lines; "" for none */
};

/* The four table functions as the fact sheet gives their timings. */
#define RCP                                                                  \
   "p0=a0; mul0=complex2(p0.x, p0.x); complex=rcp(p0.x)\n"                   \
   "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.x@1)\n"
#define EXP2                                                                 \
   "p0=a0; pass=preexp2(p0.x)\n"                                             \
   "mul0=complex2(pass@1, pass@1); complex=exp2(pass@1)\n"                   \
   "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, pass@2)\n"
#define LOG2                                                                 \
   "p0=a0; mul0=complex2(p0.x, p0.x); complex=log2(p0.x)\n"                  \
   "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.x@1)\n"

static const struct row rows[] = {
   { "nop", "" },
   { "u=c0; add0=add(u.x, u.y); st0=v0(add0, -)", "" },
   /* Words. */
   { "mul0=mul(src8, u.x)", "0 mul0 unknown-source" },
   { "pass=move(src11)", "0 pass unknown-source" },
   { "mul0=op2(u.x, u.x); mul1=op2(u.x, u.x)",
     "0 mul0 unknown-opcode\n0 mul1 unknown-opcode" },
   { "add1=op3(u.x)", "0 add1 unknown-opcode" },
   { "complex=op7(u.x)", "0 complex unknown-opcode" },
   { "complex=set_addr01(u.x)", "0 complex unknown-opcode" },
   { "pass=op0(u.x)", "0 pass unknown-opcode" },
   { "pass=op0(-)", "" },
   { "mul0=mul(u.x)", "0 mul0 operand-missing" },
   { "add0=max(-, u.x)", "0 add0 operand-missing" },
   { "complex=move(-)", "0 complex operand-missing" },
   { "add0=floor(u.x, mul0@1)", "" },
   { "complex=none(u.x)", "0 complex operand-extra" },
   { "mul0=select(u.x, u.y); mul1=select(u.z, u.w)", "0 mul1 operand-extra" },
   { "mul0=select(u.x, u.y); mul1=select(u.z)", "" },
   { "mul0=select(u.x, u.y)", "0 mul1 operand-missing" },
   { "mul0=-select(u.x, u.y); mul1=select(u.z)", "0 mul0 unknown-negate" },
   { "mul0=-complex2(u.x, u.x); mul1=-mul(u.x, u.y)",
     "0 mul0 unknown-negate" },
   { "u=c0+addr5; add0=floor(u.x)", "0 uniform unknown-offset" },
   { "u=c0+addr5; add0=floor(p0.x)", "" },
   { "u=c0+addr5; add0=floor(p0.x, u.x)", "" },
   { "mode=13", "0 branch unknown-mode" },
   { "pass=move(u.x); branch=1; mode=0", "0 branch unknown-mode" },
   { "add0=floor(u.x); complex=set_store_addr(u.y); st0=t0(add0, -); mode=0",
     "0 store0 unknown-mode" },
   { "pass=move(u.x); complex=set_store_addr(u.y); st0=t0(pass, -); branch=1",
     "0 store0 unknown-mode" },
   { "branch=1", "0 branch branch-form" },
   { "pass=clamp(u.x); branch=1", "0 branch branch-form" },
   { "pass=move(u.x); branch=2", "0 branch branch-target" },
   { "pass=move(u.x); branch=1", "" },
   { "add0=floor(u.x); complex=set_store_addr(u.y); st1=tv0(-, add0)",
     "0 store1 store-kind" },
   { "st0=r0(st5, -)", "0 store0 store-source" },
   /* Where results stand. */
   { "mul0=mul(u.x, ident)\nadd0=add(mul0@1, ident)\n"
     "add1=add(mul0@2, add0@1)",
     "" },
   { "mul0=mul(u.x, ident)\nadd0=add(mul1@1, ident)", "1 add0 idle-unit" },
   { "mul0=mul(u.x, ident)\nadd0=add(mul0@1, mul0@2)",
     "1 add0 before-start" },
   { "add0=add(p0.x@1, ident)", "0 add0 before-start" },
   { "add0=floor(u.x); st0=v0(add1, -)", "0 store0 idle-unit" },
   { "mul0=select(u.x, u.y); mul1=select(u.z)\nadd0=add(mul1@1, mul0@1)",
     "1 add0 no-result" },
   { "mul0=select(u.x, u.y); mul1=select(u.z); st0=r0(mul1, mul0)",
     "0 store0 no-result" },
   { "complex=set_addr1(u.x)\nadd0=floor(complex@1)", "1 add0 no-result" },
   { "complex=move(u.x); st0=r0(complex, -)\nadd0=floor(complex@1)", "" },
   /* Blocks. */
   { "add0=floor(u.x)\npass=move(add0@1); branch=0\nadd0=floor(add0@2)",
     "2 add0 cross-block" },
   { "add0=floor(u.x)\nadd0=floor(add0@1)\npass=move(u.x); branch=1",
     "1 add0 cross-block" },
   { "add0=floor(u.x)\nadd0=floor(u.x)\nadd0=floor(add0@2)\n"
     "pass=move(u.x); branch=1",
     "2 add0 cross-block" },
   { "add0=floor(u.x)\nadd0=floor(u.x)\nadd0=floor(add0@1)\n"
     "pass=move(u.x); branch=1",
     "" },
   { "p0=a0; pass=move(p0.x); branch=0\nadd0=floor(p0.y@1)",
     "1 add0 cross-block" },
   /* Complex1 and its parts. */
   { RCP "nop\nadd0=floor(mul0@2)", "" },
   { RCP "add0=floor(mul0@1)", "2 add0 complex1-age" },
   { "p0=a0; mul0=complex2(p0.x, p0.x); complex=rsqrt(p0.x)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.x@1); "
     "st0=v0(mul0, -)",
     "1 store0 complex1-stored" },
   { "p0=a0; mul0=complex2(p0.x, p0.x); complex=rcp(p0.x)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, ident)",
     "1 mul0 complex1-form" },
   { "p0=a0; mul0=mul(p0.x, p0.x); complex=rcp(p0.x)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.x@1)",
     "1 mul0 complex1-form" },
   { "p0=a0; mul0=complex2(p0.x, p0.x); complex=move(p0.x)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.x@1)",
     "1 mul0 complex1-form" },
   { "p0=a0; mul0=complex2(p0.y, p0.y); complex=rcp(p0.x)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.x@1)",
     "1 mul0 complex1-parts" },
   { "p0=a0; mul0=complex2(p0.x, p0.x); complex=rcp(p0.x)\n"
     "p0=a0; mul0=complex1(complex@1, mul0@1); "
     "mul1=complex1(complex@1, p0.y)",
     "1 mul0 complex1-parts" },
   { "p0=a0; pass=preexp2(p0.x)\n"
     "mul0=complex2(pass@1, pass@1); complex=exp2(pass@1)\n"
     "u=c101; mul0=complex1(complex@1, mul0@1); "
     "mul1=complex1(complex@1, u.x)",
     "2 mul0 complex1-parts" },
   { "p0=a0; pass=preexp2(p0.x)\n"
     "u=c101; mul0=complex2(u.x, u.x); complex=rcp(u.x)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, pass@2)",
     "2 mul0 complex1-parts" },
   /* The argument may come another way: a move, a second load, a register
    * that it was stored to. */
   { "p0=a0; mul0=complex2(p0.x, p0.x); complex=rcp(p0.x)\n"
     "p0=a0; mul0=complex1(complex@1, mul0@1); "
     "mul1=complex1(complex@1, p0.x)",
     "" },
   { "add0=floor(u.x)\nmul0=mul(add0@1, ident); add1=floor(add0@1)\n"
     "mul0=complex2(add0@2, mul0@1); complex=rcp(mul0@1)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, mul0@2)",
     "" },
   { "add0=floor(u.x); st0=r3(-, add0)\nnop\nadd0=add(add0@2, ident)\n"
     "mul0=complex2(add0@1, add0@1); complex=rcp(add0@1)\n"
     "p1=r3; mul0=complex1(complex@1, mul0@1); "
     "mul1=complex1(complex@1, p1.y)",
     "" },
   { "add0=floor(u.x); add1=floor(u.y); st0=r3(add1, add0)\nnop\n"
     "add0=add(add0@2, ident)\n"
     "mul0=complex2(add0@1, add0@1); complex=rcp(add0@1)\n"
     "p1=r3; mul0=complex1(complex@1, mul0@1); "
     "mul1=complex1(complex@1, p1.x)",
     "4 mul0 complex1-parts" },
   /* Opaque values. */
   { EXP2 "nop\nadd0=floor(mul0@2); st0=v0(add0, -)", "" },
   { LOG2 "nop\npass=postlog2(mul0@2)\nadd0=floor(pass@1)", "" },
   { LOG2 "nop\nadd0=floor(mul0@2)", "3 add0 opaque-moved" },
   { LOG2 "pass=postlog2(mul0@1)", "2 pass complex1-age" },
   { LOG2 "nop\nmul1=mul(mul0@2, ident)\npass=postlog2(mul1@1)",
     "3 mul1 opaque-moved\n4 pass postlog2-form" },
   { RCP "nop\npass=postlog2(mul0@2)", "3 pass postlog2-form" },
   { "p0=a0; pass=preexp2(p0.x)\nadd0=floor(pass@1)", "1 add0 opaque-moved" },
   { "p0=a0; pass=preexp2(p0.x)\nmul0=complex2(pass@1, pass@1); "
     "complex=rcp(pass@1)",
     "1 complex preexp2-form" },
   { "p0=a0; complex=exp2(p0.x)", "0 complex preexp2-form" },
   { "p0=a0; pass=preexp2(p0.x)\nnop\n"
     "mul0=complex2(pass@2, pass@2); complex=exp2(pass@2)",
     "2 mul0 opaque-age\n2 mul0 opaque-age\n2 complex opaque-age" },
   { "p0=a0; complex=rcp(p0.x)\nadd0=add(complex@1, ident)",
     "1 add0 opaque-moved" },
   { "p0=a0; complex=rcp(p0.x); st0=v0(complex, -)",
     "0 store0 opaque-stored" },
   { "p0=a0; mul0=complex2(p0.x, p0.x)\nadd0=floor(mul0@1)",
     "1 add0 opaque-moved" },
   { "p0=a0; pass=preexp2(p0.x); branch=1",
     "0 branch branch-form\n0 branch opaque-moved" },
   /* Delays. */
   { "add0=floor(u.x); st0=r2(add0, -)\nnop\nnop\np0=r2; add0=floor(p0.x)",
     "" },
   { "add0=floor(u.x); st0=r2(add0, -)\nnop\np0=r2; add0=floor(p0.x)",
     "2 port0 register-delay" },
   { "add0=floor(u.x); st0=r2(add0, -)\nnop\np0=r2; add0=floor(p0.y)", "" },
   { "add0=floor(u.x); st0=r2(add0, -)\np0=r2\nadd0=floor(p0.x@1)",
     "1 port0 register-delay" },
   { "add0=floor(u.x); add1=floor(u.y); st0=r2(add0, -); st1=r2(-, add1)\n"
     "p0=r2; p1=r2; add0=sign(u.x, p0.x); add1=sign(u.x, p1.w)",
     "" },
   { "add0=floor(u.x); st1=r2(-, add0)\np1=r2; add0=floor(p1.w)",
     "1 port1 register-delay" },
   { "add0=floor(u.x); st0=r2(add0, -)\np0=a2; add0=floor(p0.x)", "" },
   { "add0=floor(u.x); p0=r2; add1=floor(p0.x); st0=r2(add0, -)", "" },
   { "p1=r2; add0=floor(p1.x)\nadd0=floor(u.x); st0=r2(add0, -)\n"
     "pass=move(u.x); branch=0",
     "0 port1 register-delay" },
   { "complex=set_addr2(u.x)\nnop\nnop\nnop\nu=c5+addr2; add0=floor(u.x)",
     "" },
   { "complex=set_addr2(u.x)\nnop\nnop\nu=c5+addr2; add0=floor(u.x)",
     "3 uniform address-delay" },
   { "complex=set_addr2(u.x)\nnop\nnop\nnop\nu=c5+addr1; add0=floor(u.x)",
     "4 uniform address-unset" },
   { "u=c5+addr1; add0=floor(u.x); complex=set_addr1(u.y)",
     "0 uniform address-unset" },
   { "add0=floor(u.x); st1=t0(add0, -)", "0 store0 address-unset" },
   { "u=c9; add0=floor(u.x); complex=set_store_addr(u.x); st0=t0(add0, -)",
     "" },
#define STORE_T101                                                           \
   "u=c10; add0=floor(u.x); complex=set_store_addr(u.y); st0=t0(add0, -)\n"
   { STORE_T101 "nop\nnop\nu=c101; add0=floor(u.x)", "3 uniform temp-delay" },
   { STORE_T101 "nop\nnop\nnop\nu=c101; add0=floor(u.x)", "" },
   { STORE_T101 "u=c102; add0=floor(u.x)", "" },
   { STORE_T101 "u=c101; add0=floor(u.y)", "" },
   { STORE_T101 "u=c99; add0=floor(u.x)", "" },
   { "u=c50; add0=floor(u.x); complex=set_store_addr(u.y); st0=t0(add0, -)\n"
     "u=c102; add0=floor(u.x)",
     "1 uniform temp-delay" },
   { "u=c10; complex=move(u.z); add0=floor(u.x)\n"
     "add0=floor(u.x); complex=set_store_addr(complex@1); st0=t0(add0, -)\n"
     "u=c102; add0=floor(u.x)\nu=c101; add0=floor(u.x)",
     "2 uniform temp-delay" },
   { STORE_T101 "u=c101; pass=clamp(p0.x)", "1 uniform temp-delay" },
};

static const float known[2][4] = { { 0, 1, 2, 3 }, { 100, 101, 102, 103 } };

static const struct gp_check_options options = {
   .first_temp = FIRST_TEMP,
   .known = known,
   .known_first = 9,
   .known_count = 2,
};

static void
check_row(const struct row *row)
{
   struct gp_instr instrs[GP_MAX_INSTRS];
   struct gp_text_error error = { 0 };
   unsigned count;
   if (!gp_parse_program(row->text, strlen(row->text), instrs, &count, NULL,
                         &error))
      fail_msg("%s\n%u:%u: %s", row->text, error.line, error.column,
               error.text);
   struct gp_violation v[32];
   const unsigned num =
      gp_check_program(instrs, count, &options, v, ARRAY_SIZE(v));
   assert_true(num <= ARRAY_SIZE(v));
   struct strbuf got = { 0 };
   for (unsigned i = 0; i < num; i++)
      strbuf_printf(&got, "%s%u %s %s", i ? "\n" : "", v[i].instr,
                    gp_unit_name(v[i].unit), gp_rule_name(v[i].rule));
   if (strcmp(strbuf_str(&got), row->expected))
      fail_msg("%s\nsays:\n%s\ninstead of:\n%s", row->text, strbuf_str(&got),
               row->expected);
   strbuf_fini(&got);
}

static void
says_what_is_expected(void **state)
{
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++)
      check_row(&rows[r]);
}

/* Rules of the checker, each named by some row; the last three are the
 * simulator's alone. */
static void
every_rule_has_a_row(void **state)
{
   gp_every_rule_has_a_row(&rows[0].expected, sizeof(rows[0]),
                           ARRAY_SIZE(rows), GP_RULE_UNINITIALISED);
}

static void
length_of_a_program(void **state)
{
   static struct gp_instr instrs[GP_MAX_INSTRS + 1];
   for (unsigned i = 0; i <= GP_MAX_INSTRS; i++)
      gp_instr_init(&instrs[i]);
   struct gp_violation v;
   assert_int_equal(gp_check_program(instrs, 0, NULL, &v, 1), 1);
   assert_int_equal(v.rule, GP_RULE_EMPTY);
   assert_int_equal(gp_check_program(instrs, GP_MAX_INSTRS, NULL, &v, 1), 0);
   assert_int_equal(gp_check_program(instrs, GP_MAX_INSTRS + 1, NULL, &v, 1),
                    1);
   assert_int_equal(v.rule, GP_RULE_TOO_LONG);
   struct strbuf text = { 0 };
   gp_print_violation(&v, &text);
   assert_string_equal(text.s, "instruction 0, branch: a program has at most "
                               "512 instructions [too-long]");
   strbuf_fini(&text);
}

static unsigned long random_trials = 20;

/* Any words at all: no crash, no endless search. */
static void
random_programs(void **state)
{
   static struct gp_instr instrs[GP_MAX_INSTRS];
   uint64_t x = 88172645463325252ull;
   unsigned long total = 0;
   for (unsigned long t = 0; t < random_trials; t++) {
      for (unsigned i = 0; i < GP_MAX_INSTRS; i++) {
         uint32_t dw[4];
         for (unsigned d = 0; d < 4; d++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            dw[d] = (uint32_t)(x >> 16);
         }
         gp_decode(dw, &instrs[i]);
         instrs[i].branch &= t & 1;
      }
      total += gp_check_program(instrs, GP_MAX_INSTRS, &options, NULL, 0);
   }
   assert_true(total > random_trials * GP_MAX_INSTRS);
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      random_trials = strtoul(argv[1], NULL, 0);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(says_what_is_expected),
      cmocka_unit_test(every_rule_has_a_row),
      cmocka_unit_test(length_of_a_program),
      cmocka_unit_test(random_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
