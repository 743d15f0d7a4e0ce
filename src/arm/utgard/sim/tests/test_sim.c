/* SPDX-License-Identifier: MIT */
/* The simulator: programs as text, with the varyings that they must give or
 * the trap that must stop them. An argument gives the number of random
 * programs, of 20 words on average. */
#include "util/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arm/utgard/isa/tests/gp_rule_rows.h"
#include "arm/utgard/sim/gp_sim.h"

/* Attribute n is (n + 1, n + 0.25, -n, 2^n); uniforms are 10 i + component
 * in c0 to c9, then: */
static const float special[][4] = {
   { INFINITY, -INFINITY, NAN, -0.0f },         /* c10 */
   { 0x1p-140f, -0x1p-140f, 0x1p-126f, 3e38f }, /* c11 */
   { 0.0f, 1.0f, -1.0f, 0.5f },                 /* c12 */
   { 20.0f, 21.0f, 22.0f, -2.5f },              /* c13 */
};
#define FIRST_TEMP 20
#define NUM_TEMPS 4

static void
fill(struct gp_sim *sim)
{
   float uniforms[10][4];
   for (unsigned i = 0; i < 40; i++)
      uniforms[i / 4][i % 4] = (float)(10 * (i / 4) + i % 4);
   gp_sim_set_uniforms(sim, 0, (const float(*)[4])uniforms, 10);
   gp_sim_set_uniforms(sim, 10, special, ARRAY_SIZE(special));
   gp_sim_set_temporaries(sim, FIRST_TEMP, NUM_TEMPS);
   for (unsigned n = 0; n < 8; n++) {
      const float f = (float)n;
      const float v[4] = { f + 1, f + 0.25f, -f, ldexpf(1, (int)n) };
      gp_sim_set_attribute(sim, n, v);
   }
}

static struct gp_sim *
prepare(const char *text, const struct gp_sim_config *config)
{
   struct gp_instr instrs[GP_MAX_INSTRS];
   struct gp_text_error error = { 0 };
   unsigned count;
   if (!gp_parse_program(text, strlen(text), instrs, &count, NULL, &error))
      fail_msg("%s\n%u:%u: %s", text, error.line, error.column, error.text);
   struct gp_sim *sim = gp_sim_create(config);
   fill(sim);
   assert_true(gp_sim_load(sim, instrs, count));
   return sim;
}

struct result_row {
   const char *text;
   float v0[4]; /* components that are written */
   unsigned written;
};

static void
count_executions(void **state)
{
   struct gp_sim *sim = prepare("u=c12; pass=move(u.y); branch=2\nnop\nnop",
                                &(struct gp_sim_config) { 0 });
   assert_true(gp_sim_run(sim));
   assert_int_equal(gp_sim_steps(sim), 2);
   assert_int_equal(gp_sim_executions(sim, 0), 1);
   assert_int_equal(gp_sim_executions(sim, 1), 0);
   assert_int_equal(gp_sim_executions(sim, 2), 1);
   gp_sim_destroy(sim);
}

static void
check_result(const struct result_row *row, const struct gp_sim_config *config)
{
   struct gp_sim *sim = prepare(row->text, config);
   if (!gp_sim_run(sim)) {
      struct strbuf why = { 0 };
      gp_sim_print_trap(gp_sim_trap(sim), &why);
      fail_msg("%s\n%s", row->text, why.s);
   }
   float got[4];
   const unsigned written = gp_sim_varying(sim, 0, got);
   if (written != row->written)
      fail_msg("%s\nwrites components 0x%x", row->text, written);
   for (unsigned c = 0; c < 4; c++) {
      if ((written & BITFIELD_BIT(c)) &&
          util_float_bits(got[c]) != util_float_bits(row->v0[c]))
         fail_msg("%s\ncomponent %u: %a instead of %a", row->text, c,
                  (double)got[c], (double)row->v0[c]);
   }
   gp_sim_destroy(sim);
}

#define OUT_ADD "; st0=v0(add0, add1)"
#define QUIET __builtin_nanf("")

/* clang-format off */
static const struct result_row results[] = {
   { "u=c2; add0=add(u.y, u.z); add1=add(u.y, -u.z)" OUT_ADD,
     { 43, -1 }, 3 },
   { "u=c2; mul0=mul(u.y, u.z); mul1=-mul(u.y, ident); st1=v0(mul0, mul1)",
     { 0, 0, 462, -21 }, 12 },
   { "p0=a3; u=c2; pass=move(p0.y); complex=move(u.w); "
     "st0=v0(pass, complex)",
     { 3.25f, 23 }, 3 },
   /* Identities, and zeros with a sign. */
   { "u=c10; add0=add(u.w, ident); add1=add(u.w, -ident)" OUT_ADD,
     { 0.0f, -0.0f }, 3 },
   { "u=c10; mul0=mul(u.w, ident); pass=move(u.w); st0=v0(mul0, pass)",
     { -0.0f, -0.0f }, 3 },
   /* Comparisons, minima, and what they make of NaN and of zeros. */
   { "u=c2; add0=ge(u.x, u.y); add1=ge(u.y, u.y)" OUT_ADD, { 0, 1 }, 3 },
   { "u=c2; add0=lt(u.x, u.y); add1=lt(u.y, u.y)" OUT_ADD, { 1, 0 }, 3 },
   { "u=c10; add0=ge(u.z, u.x); add1=ge(u.x, u.z)" OUT_ADD, { 0, 0 }, 3 },
   { "u=c2; add0=min(u.x, u.y); add1=min(-u.x, -u.y)" OUT_ADD,
     { 20, -21 }, 3 },
   { "u=c10; add0=max(u.z, u.y); add1=max(u.x, u.z)" OUT_ADD,
     { -INFINITY, INFINITY }, 3 },
   { "u=c10; add0=min(u.w, ident); add1=min(u.z, u.z)" OUT_ADD,
     { -0.0f, QUIET }, 3 },
   { "u=c10; add0=max(u.w, ident); add1=max(u.w, u.w)" OUT_ADD,
     { 0.0f, -0.0f }, 3 },
   { "u=c13; add0=floor(u.w); add1=floor(-u.w)" OUT_ADD, { -3, 2 }, 3 },
   { "u=c13; add0=sign(u.w); add1=sign(-u.w)" OUT_ADD, { -1, 1 }, 3 },
   { "u=c10; add0=sign(u.w); add1=sign(u.z)" OUT_ADD, { -0.0f, 0 }, 3 },
   { "u=c13; add0=floor(u.w, mul0@1); add1=floor(u.x, p0.x)" OUT_ADD,
     { -3, 20 }, 3 },
   /* Select: mul1's operand for a condition other than zero. */
   { "u=c12; mul0=select(u.y, u.x); mul1=select(u.z); st0=v0(mul0, -)",
     { 1 }, 1 },
   { "u=c12; mul0=select(u.y, u.w); mul1=select(u.z); st0=v0(mul0, -)",
     { -1 }, 1 },
   { "u=c10; mul0=select(u.y, u.w); mul1=select(u.x); st0=v0(mul0, -)",
     { -INFINITY }, 1 },
   { "u=c10; mul0=select(u.y, u.z); mul1=select(u.x); st0=v0(mul0, -)",
     { INFINITY }, 1 },
   /* Denormals are flushed on the way in and out, NaNs get one form. */
   { "u=c11; add0=add(u.x, ident); add1=add(u.y, -ident)" OUT_ADD,
     { 0.0f, -0.0f }, 3 },
   { "u=c11; mul0=mul(u.z, u.z); pass=move(u.x); st0=v0(mul0, pass)",
     { 0.0f, 0.0f }, 3 },
   { "u=c11; mul0=mul(u.z, u.w); mul1=mul(u.w, u.w); st0=v0(mul0, mul1)",
     { 0x1p-126f * 3e38f, INFINITY }, 3 },
   { "u=c10; add0=add(u.x, u.y); add1=add(-u.z, ident)" OUT_ADD,
     { QUIET, QUIET }, 3 },
   /* Clamp between y and x of the same load. */
   { "u=c13\nu=c12; p0=a3; pass=clamp(p0.y); st0=v0(pass, -)", { 0 }, 1 },
   { "u=c9; p0=a3; pass=clamp(p0.y); st0=v0(pass, -)", { 90 }, 1 },
   /* Ages. */
   { "u=c1; add0=add(u.x, ident)\nu=c1; add0=add(u.y, ident)\n"
     "add0=add(add0@1, -add0@2); add1=add(add0@2, ident)" OUT_ADD,
     { 1, 10 }, 3 },
   { "p0=a1\np0=a2; add0=add(p0.x, ident); add1=add(p0.x@1, ident)" OUT_ADD,
     { 3, 2 }, 3 },
   /* Table functions. */
   { "p0=a3; mul0=complex2(p0.x, p0.x); mul1=mul(p0.w, p0.x); "
     "complex=rcp(p0.x); st0=v0(-, mul1)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.x@1)\n"
     "nop\nadd0=add(mul0@2, ident); st0=v0(add0, -)",
     { 0.25f, 32 }, 3 },
   { "p0=a3; mul0=complex2(p0.x, p0.x); complex=rsqrt(p0.x)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.x@1)\n"
     "nop\nadd0=add(mul0@2, ident); st0=v0(add0, -)",
     { 0.5f }, 1 },
   { "p0=a3; pass=preexp2(p0.z)\n"
     "mul0=complex2(pass@1, pass@1); complex=exp2(pass@1)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, pass@2)\n"
     "nop\nadd0=add(mul0@2, ident); st0=v0(add0, -)",
     { 0.125f }, 1 },
   { "p0=a3; mul0=complex2(p0.w, p0.w); complex=log2(p0.w)\n"
     "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.w@1)\n"
     "nop\npass=postlog2(mul0@2); st0=v0(pass, -)\n"
     "add0=add(pass@1, ident); st0=v0(-, add0)",
     { 3, 3 }, 3 },
   /* Registers: three later, and the old one by the same instruction. */
   { "u=c1; add0=add(u.x, ident); st0=r5(-, add0)\nnop\nnop\n"
     "u=c1; p1=r5; add0=add(u.y, ident); st0=r5(-, add0); "
     "add1=add(p1.y, ident); st1=v0(add1, -)\nnop\nnop\n"
     "p0=r5; add1=add(p0.y, ident); st0=v0(add1, -)",
     { 11, 0, 10 }, 5 },
   /* Temporaries and addresses. */
   { "u=c13; complex=set_store_addr(u.y); add0=add(u.x, ident); "
     "st1=t0(-, add0)\nu=c12; complex=set_addr3(u.y)\nnop\nnop\n"
     "u=c21; add0=add(u.w, ident); st0=v0(add0, -)\n"
     "u=c20+addr3; add0=add(u.w, ident); st0=v0(-, add0)\n"
     "u=c1+addr3; add0=add(u.w, ident); st1=v0(add0, -)",
     { 20, 20, 23 }, 7 },
   /* Branches: a loop of 5, and one that is not taken. */
   { "u=c12; add0=add(u.x, ident); st0=r1(add0, -)\nnop\nnop\n"
     "p0=r1; u=c12; add0=add(p0.x, u.y); st0=r1(add0, -)\n"
     "u=c13; mul0=mul(u.w, ident); mul1=mul(add0@1, ident)\n"
     "add0=add(mul1@1, mul0@1)\n"
     "u=c13; add0=lt(add0@1, -u.w)\n"
     "pass=move(add0@1); branch=3\n"
     "p0=r1; pass=move(p0.x); st0=v0(pass, -)",
     { 5 }, 1 },
   { "u=c12; pass=move(u.x); branch=2\n"
     "u=c12; add0=add(u.w, ident); st0=v0(add0, -)\n"
     "u=c12; pass=move(u.y); branch=4\n"
     "u=c12; add0=add(u.x, ident); st0=v0(add0, -)",
     { 0.5f }, 1 },
};
/* clang-format on */

static void
results_are_as_expected(void **state)
{
   static const struct gp_sim_config strict = { 0 };
   static const struct gp_sim_config hardware = { .hardware_like = true };
   for (unsigned r = 0; r < ARRAY_SIZE(results); r++) {
      check_result(&results[r], &strict);
      check_result(&results[r], &hardware);
   }
}

/* What legal programs never see: old values and flushed patterns. */
/* clang-format off */
static const struct result_row illegal[] = {
   /* A unit that did nothing, an unknown operand: zero. */
   { "add0=add(mul0@1, ident); add1=add(src8, ident)" OUT_ADD, { 0, 0 }, 3 },
   /* Too early: what was there. */
   { "u=c1; add0=add(u.x, ident); st0=r5(-, add0)\nnop\nnop\n"
     "u=c1; add0=add(u.y, ident); st0=r5(-, add0)\nnop\n"
     "p0=r5; add1=add(p0.y, ident); st0=v0(add1, -)\n"
     "p0=r5; add1=add(p0.y, ident); st0=v0(-, add1)",
     { 10, 11 }, 3 },
   { "u=c12; complex=set_addr1(u.y)\nnop\nnop\nnop\n"
     "u=c12; complex=set_addr1(u.x)\nnop\nnop\n"
     "u=c1+addr1; add0=add(u.x, ident); st0=v0(add0, -)\n"
     "u=c1+addr1; add0=add(u.x, ident); st0=v0(-, add0)",
     { 20, 10 }, 3 },
   { "p0=a3; u=c1; add0=add(u.w, ident); mul0=mul(u.w, u.w)\n"
     "mul0=complex2(p0.x@1, p0.x@1); u=c13; complex=rcp(u.x)\n"
     "u=c13; mul0=complex1(complex@1, mul0@1); "
     "mul1=complex1(complex@1, u.x)\n"
     "nop\nmul0=mul(mul0@2, ident); st0=v0(mul0, -)",
     { QUIET }, 1 },
   { "u=c13; mul0=complex2(u.x, u.x); complex=rcp(u.x)\n"
     "u=c13; mul0=complex1(complex@1, mul0@1); "
     "mul1=complex1(complex@1, u.x)\n"
     "mul0=mul(mul0@1, ident); st0=v0(mul0, -)",
     { 400 }, 1 },
   /* A table or a small fixed-point number looks like a denormal. */
   { "u=c13; complex=rcp(u.x)\nmul0=mul(complex@1, ident); "
     "st0=v0(mul0, -)",
     { 0 }, 1 },
   { "u=c12; pass=preexp2(u.w)\nmul0=mul(pass@1, ident); st0=v0(mul0, -)",
     { 0 }, 1 },
   /* Values do survive a branch. */
   { "u=c1; add0=add(u.x, ident)\nu=c12; pass=move(u.x); branch=0\n"
     "add0=add(add0@2, ident); st0=v0(add0, -)",
     { 10 }, 1 },
};
/* clang-format on */

static void
hardware_goes_on(void **state)
{
   static const struct gp_sim_config hardware = { .hardware_like = true };
   for (unsigned r = 0; r < ARRAY_SIZE(illegal); r++) {
      check_result(&illegal[r], &hardware);
      struct gp_sim *sim =
         prepare(illegal[r].text, &(struct gp_sim_config) { 0 });
      if (gp_sim_run(sim))
         fail_msg("%s\nruns in strict mode", illegal[r].text);
      gp_sim_destroy(sim);
   }
}

/* What strict mode must say: "instruction unit rule". */
#define RCP_OF(x, table)                                                     \
   "p0=a3; mul0=complex2(p0.x, p0.x); complex=" table "(p0." x ")\n"
#define COMPLEX1(x)                                                          \
   "mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0." x "@1)"

static const struct {
   const char *text, *expected;
} traps[] = {
   { "mul0=mul(src9, u.x)", "0 mul0 unknown-source" },
   { "mul0=op2(u.x, u.x)", "0 mul0 unknown-opcode" },
   { "add1=op3(u.x)", "0 add1 unknown-opcode" },
   { "complex=set_addr01(u.x)", "0 complex unknown-opcode" },
   { "complex=op1(u.x)", "0 complex unknown-opcode" },
   { "pass=op7(u.x)", "0 pass unknown-opcode" },
   { "u=c1+addr4; add0=floor(u.x)", "0 add0 unknown-offset" },
   { "mode=12", "0 branch unknown-mode" },
   { "u=c13; complex=set_store_addr(u.x); add0=floor(u.x); "
     "st0=t0(add0, -); mode=0",
     "0 store0 unknown-mode" },
   { "mul0=-complex2(u.x, u.x)", "0 mul0 unknown-negate" },
   { "mul0=select(u.x, u.x); mul1=-select(u.x)", "0 mul1 unknown-negate" },
   { "mul1=mul(u.x)", "0 mul1 operand-missing" },
   { "add0=lt(u.x)", "0 add0 operand-missing" },
   { "complex=move(-)", "0 complex operand-missing" },
   { "complex=none(u.x)", "0 complex operand-extra" },
   { "mul0=select(u.x, u.x); mul1=select(u.x, u.x)", "0 mul1 operand-extra" },
   { "nop\nadd0=floor(pass@1)", "1 add0 idle-unit" },
   { "add0=floor(u.x); st0=v0(-, add1)", "0 store0 idle-unit" },
   { "mul0=select(u.x, u.x); mul1=select(u.x)\nadd0=floor(mul1@1)",
     "1 add0 no-result" },
   { "u=c1; complex=set_addr1(u.x)\nadd0=floor(complex@1)",
     "1 add0 no-result" },
   { "pass=move(mul0@1)", "0 pass before-start" },
   { "nop\nadd0=floor(add0@2)", "1 add0 before-start" },
   { "add0=floor(p0.x@1)", "0 add0 before-start" },
   { "u=c12; add0=floor(u.x)\nu=c12; pass=move(u.x); branch=0\n"
     "add0=floor(add0@2)",
     "2 add0 cross-block" },
   { "u=c12; p0=a3; pass=move(u.y); branch=1\nadd0=floor(p0.x@1)",
     "1 add0 cross-block" },
   { RCP_OF("x", "rcp") COMPLEX1("x") "\nadd0=floor(mul0@1)",
     "2 add0 complex1-age" },
   { RCP_OF("x", "rcp") COMPLEX1("x") "; st0=v0(mul0, -)",
     "1 store0 complex1-stored" },
   { RCP_OF("x", "rcp") COMPLEX1("y"), "1 mul0 complex1-parts" },
   { RCP_OF("y", "rcp") COMPLEX1("x"), "1 mul0 complex1-parts" },
   { RCP_OF("x", "move") COMPLEX1("x"), "1 mul0 complex1-form" },
   { "p0=a3; mul0=complex2(p0.x, p0.y)", "0 mul0 complex1-parts" },
   { RCP_OF("x", "rcp") "complex=move(complex@1)", "1 complex opaque-moved" },
   { RCP_OF("x", "rcp") "mul1=mul(mul0@1, ident)", "1 mul1 opaque-moved" },
   { RCP_OF("x", "rcp") "nop\nmul1=mul(mul0@2, ident)",
     "2 mul1 opaque-moved" },
   { RCP_OF("x", "rcp") "st0=v0(complex, -)", "1 store0 idle-unit" },
   { "p0=a3; complex=rcp(p0.x); st0=v0(complex, -)",
     "0 store0 opaque-stored" },
   { "p0=a3; pass=preexp2(p0.x); st0=v0(pass, -)", "0 store0 opaque-stored" },
   { "p0=a3; pass=preexp2(p0.x)\npass=move(pass@1)", "1 pass opaque-moved" },
   { "p0=a3; pass=preexp2(p0.x)\ncomplex=rcp(pass@1)",
     "1 complex preexp2-form" },
   { "p0=a3; complex=exp2(p0.x)", "0 complex preexp2-form" },
   { "p0=a3; pass=preexp2(p0.x)\nnop\ncomplex=exp2(pass@2)",
     "2 complex opaque-age" },
   { RCP_OF("x", "log2") COMPLEX1("x") "\nnop\nmul0=mul(mul0@2, ident)",
     "3 mul0 opaque-moved" },
   { RCP_OF("x", "log2") COMPLEX1("x") "\npass=postlog2(mul0@1)",
     "2 pass complex1-age" },
   { RCP_OF("x", "rcp") COMPLEX1("x") "\nnop\npass=postlog2(mul0@2)",
     "3 pass postlog2-form" },
   { "u=c1; add0=floor(u.x); st0=r1(add0, -)\nnop\np0=r1; add0=floor(p0.x)",
     "2 add0 register-delay" },
   { "u=c1; add0=floor(u.x); st1=r1(-, add0)\n"
     "u=c12; pass=move(u.y); branch=2\np1=r1; add0=floor(p1.w)",
     "2 add0 register-delay" },
   { "p1=r1; add0=floor(p1.w)", "0 add0 uninitialised" },
   { "p0=a9; add0=floor(p0.w)", "0 add0 uninitialised" },
   { "u=c21; add0=floor(u.w)", "0 add0 uninitialised" },
   { "u=c400; add0=floor(u.w)", "0 add0 address-range" },
   { "u=c13; complex=set_store_addr(u.x); add0=floor(u.x); "
     "st0=t0(add0, -)\nnop\nnop\nu=c20; add0=floor(u.x)",
     "3 add0 temp-delay" },
   { "u=c1; complex=set_store_addr(u.x); add0=floor(u.x); st0=t0(add0, -)",
     "0 store0 address-range" },
   { "add0=floor(u.x); st0=t0(add0, -)", "0 store0 address-unset" },
   { "u=c13; complex=set_addr1(u.w)", "0 complex address-range" },
   { "u=c10; complex=set_addr1(u.z)", "0 complex address-range" },
   { "u=c12; complex=set_addr1(u.z)\nnop\nnop\nnop\n"
     "u=c0+addr1; add0=floor(u.x)",
     "4 add0 address-range" },
   { "u=c12; complex=set_addr1(u.y)\nnop\nnop\n"
     "u=c0+addr1; add0=floor(u.x)",
     "3 add0 address-delay" },
   { "u=c0+addr2; add0=floor(u.x)", "0 add0 address-unset" },
   { "u=c12; complex=set_addr1(u.y)\nnop\nnop\nnop\n"
     "u=c12; pass=move(u.x); branch=0\nu=c0+addr1; add0=floor(u.x)",
     "5 add0 address-unset" },
   { "st1=tv0(-, -)", "0 store1 store-kind" },
   { "st1=r0(-, st5)", "0 store1 store-source" },
   { "branch=0", "0 branch branch-form" },
   { "u=c1; pass=preexp2(u.x); branch=0", "0 branch branch-form" },
   { "u=c1; pass=move(u.x); branch=3", "0 branch branch-target" },
   { "u=c1; pass=move(u.y); branch=0", "0 branch endless" },
};

static void
strict_mode_traps(void **state)
{
   static const struct gp_sim_config config = { .max_steps = 1000 };
   for (unsigned r = 0; r < ARRAY_SIZE(traps); r++) {
      /* The mode of a temporary store is what the row is not about. */
      struct gp_sim *sim = prepare(traps[r].text, &config);
      if (gp_sim_run(sim))
         fail_msg("%s\nruns", traps[r].text);
      const struct gp_trap *trap = gp_sim_trap(sim);
      char got[80];
      snprintf(got, sizeof(got), "%u %s %s", trap->instr,
               gp_unit_name(trap->unit), gp_rule_name(trap->rule));
      if (strcmp(got, traps[r].expected))
         fail_msg("%s\ntraps: %s\ninstead of: %s", traps[r].text, got,
                  traps[r].expected);
      gp_sim_destroy(sim);
   }
}

static void
every_rule_has_a_row(void **state)
{
   gp_every_rule_has_a_row(&traps[0].expected, sizeof(traps[0]),
                           ARRAY_SIZE(traps), GP_RULE_COUNT);
}

static void
length_of_a_program(void **state)
{
   static struct gp_instr instrs[GP_MAX_INSTRS + 1];
   for (unsigned i = 0; i <= GP_MAX_INSTRS; i++)
      gp_instr_init(&instrs[i]);
   struct gp_sim *sim = gp_sim_create(&(struct gp_sim_config) { 0 });
   assert_false(gp_sim_load(sim, instrs, 0));
   assert_int_equal(gp_sim_trap(sim)->rule, GP_RULE_EMPTY);
   assert_false(gp_sim_load(sim, instrs, GP_MAX_INSTRS + 1));
   assert_int_equal(gp_sim_trap(sim)->rule, GP_RULE_TOO_LONG);
   assert_true(gp_sim_load(sim, instrs, GP_MAX_INSTRS));
   assert_true(gp_sim_run(sim));
   assert_int_equal(gp_sim_steps(sim), GP_MAX_INSTRS);
   gp_sim_destroy(sim);
}

/* A run leaves nothing for the next. */
static void
runs_are_independent(void **state)
{
   struct gp_sim *sim =
      prepare("u=c1; add0=floor(u.x); st0=r1(add0, -); st1=v0(add0, -)\n"
              "nop\nnop\np0=r1; add0=floor(p0.y)",
              &(struct gp_sim_config) { 0 });
   for (unsigned run = 0; run < 2; run++) {
      assert_false(gp_sim_run(sim));
      assert_int_equal(gp_sim_trap(sim)->rule, GP_RULE_UNINITIALISED);
      assert_int_equal(gp_sim_trap(sim)->instr, 3);
   }
   gp_sim_destroy(sim);
}

static void
trace_shows_units_and_queues(void **state)
{
   char *text = NULL;
   size_t size = 0;
   FILE *out = open_memstream(&text, &size);
   struct gp_sim *sim =
      prepare(RCP_OF("x", "rcp")
                 COMPLEX1("x") "\n"
                               "u=c1; add0=floor(u.x); st0=r1(add0, -)",
              &(struct gp_sim_config) { .trace = out });
   assert_true(gp_sim_run(sim));
   fclose(out);
   static const char *const parts[] = {
      ("step 0, instruction 0: p0=a3; mul0=complex2(p0.x, p0.x); "
       "complex=rcp(p0.x)\n"),
      "      port0    x=4 y=",
      "      mul0     <complex2 of 4>\n",
      "      complex  <table rcp of 4>\n",
      "      mul0     <complex1 rcp: 0.25, two later>\n",
      "      uniform  x=10\n",
      "      store0   r1.x = 10\n",
      "      queue    r1.x = 10 from step 5\n",
   };
   for (unsigned i = 0; i < ARRAY_SIZE(parts); i++) {
      if (!strstr(text, parts[i]))
         fail_msg("%s\nis not in\n%s", parts[i], text);
   }
   gp_sim_destroy(sim);
   free(text);
}

static unsigned long random_trials = 400;

/* Any words: no crash, no run beyond its limit, in either mode. */
static void
random_programs(void **state)
{
   static struct gp_instr instrs[GP_MAX_INSTRS];
   uint64_t x = 88172645463325252ull;
   for (unsigned long t = 0; t < random_trials; t++) {
      const unsigned count = 1 + (unsigned)(t % 40);
      for (unsigned i = 0; i < count; i++) {
         uint32_t dw[4];
         for (unsigned d = 0; d < 4; d++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            dw[d] = (uint32_t)(x >> 16);
         }
         gp_decode(dw, &instrs[i]);
         instrs[i].branch &= t & 1;
         instrs[i].branch_target %= (uint16_t)(count + 1);
         /* Most opcodes are known. */
         instrs[i].mul_op = (uint8_t[]) { 0, 1, 3, 4 }[x & 3];
         instrs[i].add_op =
            (uint8_t[]) { 0, 1, 2, 4, 5, 6, 7, 0 }[x >> 2 & 7];
         instrs[i].pass_op = (uint8_t[]) { 2, 4, 5, 6 }[x >> 5 & 3];
         if (instrs[i].complex_op < 2 || instrs[i].complex_op == 10)
            instrs[i].complex_op = GP_COMPLEX_OP_MOVE;
      }
      struct gp_sim *sim = gp_sim_create(
         &(struct gp_sim_config) { .hardware_like = t % 8 != 0,
                                   .max_steps = 500,
                                   .tables = (enum gp_sim_tables)(t % 3) });
      fill(sim);
      assert_true(gp_sim_load(sim, instrs, count));
      if (gp_sim_run(sim))
         assert_null(gp_sim_trap(sim));
      else
         assert_non_null(gp_sim_trap(sim));
      gp_sim_destroy(sim);
   }
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      random_trials = strtoul(argv[1], NULL, 0);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_are_as_expected),
      cmocka_unit_test(hardware_goes_on),
      cmocka_unit_test(strict_mode_traps),
      cmocka_unit_test(every_rule_has_a_row),
      cmocka_unit_test(length_of_a_program),
      cmocka_unit_test(count_executions),
      cmocka_unit_test(runs_are_independent),
      cmocka_unit_test(trace_shows_units_and_queues),
      cmocka_unit_test(random_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
