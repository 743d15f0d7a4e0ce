/* SPDX-License-Identifier: MIT */
/*
 * vec4_lower_double_swizzles() on random instructions: what the logical form
 * says (src/intel/compiler/vec4/vec4_ir.h) against what the simulated EU does
 * with the code that comes out, on every generation. Sources are vectors of
 * both vertices, in slots, too, vectors that they share, in one GRF and in
 * two, and the destination itself; swizzles, write masks, modifiers,
 * predicates, comparisons, and instructions of one vertex.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intel/compiler/intel_compiler_private.h"
#include "intel/compiler/vec4/vec4_ir.h"
#include "intel/compiler/vec4/vec4_compile.h"
#include "intel/sim/eu/eu.h"

enum { DST = 42, FIRST_SRC = 50, SRC_STEP = 4, FREE = 70, TRIALS = 10000 };

static const struct {
   const char *name;
   unsigned verx10;
} gens[] = { { "ivb", 70 }, { "hsw", 75 }, { "bdw", 80 }, { "skl", 90 } };

static struct sim_eu_thread t;
static uint32_t seed;
static unsigned emitted, logical;

static unsigned
pick(unsigned n)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 10) % n;
}

/* ---- what is to be done ---- */

struct trial {
   unsigned op, sources, vertices, first, mask, pred, cond_mod;
   uint32_t flag, enables;
   bool pred_inv, null;
   struct {
      unsigned grf, odd, swz;
      bool shared, slots, negate, abs;
   } src[3];
};

static const unsigned ops[] = {
   ISA_OPCODE_MOV, ISA_OPCODE_ADD, ISA_OPCODE_MUL,
   ISA_OPCODE_MAD, ISA_OPCODE_SEL, ISA_OPCODE_CMP,
};

static const unsigned preds[] = {
   ISA_PRED_NONE, ISA_PRED_NONE,  ISA_PRED_NORMAL, ISA_PRED_X,
   ISA_PRED_Z,    ISA_PRED_ANY4H, ISA_PRED_ALL4H,
};

static struct trial
random_trial(void)
{
   /* clang-format off */
   struct trial r = {
      .op = ops[pick(ARRAY_SIZE(ops))], .mask = 1 + pick(15),
      .vertices = pick(6) ? 2 : 1, .pred = preds[pick(ARRAY_SIZE(preds))],
      .flag = pick(256), .enables = pick(3) ? 0xff : pick(2) ? 0xf : 0xf0,
      .pred_inv = pick(2),
   };
   /* clang-format on */
   r.first = r.vertices == 1 ? pick(2) : 0;
   if (r.op == ISA_OPCODE_CMP || (r.op == ISA_OPCODE_SEL && pick(2))) {
      r.cond_mod = pick(2) ? ISA_COND_MOD_L : ISA_COND_MOD_GE;
      r.pred = ISA_PRED_NONE;
      r.null = r.op == ISA_OPCODE_CMP;
   } else if (r.op == ISA_OPCODE_SEL && r.pred == ISA_PRED_NONE) {
      r.pred = ISA_PRED_NORMAL;
   }
   r.pred_inv &= r.pred != ISA_PRED_NONE;
   r.sources = r.op == ISA_OPCODE_MOV ? 1 : r.op == ISA_OPCODE_MAD ? 3 : 2;
   for (unsigned i = 0; i < r.sources; i++) {
      r.src[i].shared = pick(3) == 0;
      r.src[i].slots = !r.src[i].shared && pick(4) == 0;
      r.src[i].odd = !r.src[i].slots && pick(4) == 0;
      r.src[i].grf = pick(5) ? FIRST_SRC + SRC_STEP * i : DST;
      r.src[i].swz = pick(256);
      r.src[i].negate = pick(4) == 0;
      r.src[i].abs = pick(8) == 0;
   }
   return r;
}

static double
start_value(unsigned grf, unsigned index)
{
   return (index % 3 ? 1.0 : -1.0) * (grf * 16 + index);
}

static double
source_value(const struct trial *r, unsigned i, unsigned v, unsigned c)
{
   const unsigned from = r->src[i].swz >> 2 * c & 3;
   const unsigned at = r->src[i].slots ? from / 2 * 4 + v * 2 + from % 2
                                       : r->src[i].odd * 2 + from +
                                            (r->src[i].shared ? 0 : 4 * v);
   double d = start_value(r->src[i].grf + at / 4, at % 4);
   if (r->src[i].abs)
      d = fabs(d);
   return r->src[i].negate ? -d : d;
}

static bool
predicate(const struct trial *r, unsigned v, unsigned c)
{
   const unsigned four = r->flag >> 4 * v & 0xf;
   bool on = true;
   switch (r->pred) {
   case ISA_PRED_NORMAL: on = four >> c & 1; break;
   case ISA_PRED_X: on = four & 1; break;
   case ISA_PRED_Z: on = four >> 2 & 1; break;
   case ISA_PRED_ANY4H: on = four != 0; break;
   case ISA_PRED_ALL4H: on = four == 0xf; break;
   default: return true;
   }
   return on != r->pred_inv;
}

static bool
compare(const struct trial *r, double a, double b)
{
   return r->cond_mod == ISA_COND_MOD_L ? a < b : a >= b;
}

static double
result(const struct trial *r, unsigned v, unsigned c)
{
   const double a = source_value(r, 0, v, c);
   const double b = r->sources > 1 ? source_value(r, 1, v, c) : 0;
   switch (r->op) {
   case ISA_OPCODE_ADD: return a + b;
   case ISA_OPCODE_MUL: return a * b;
   case ISA_OPCODE_MAD: return a + b * source_value(r, 2, v, c);
   case ISA_OPCODE_SEL:
      return (r->cond_mod ? compare(r, a, b) : predicate(r, v, c)) ? a : b;
   default: return a;
   }
}

/* ---- as an instruction ---- */

static struct eu_inst *
build(struct eu_shader *s, const struct trial *r)
{
   struct eu_builder b = eu_builder_at_end(s);
   eu_reg dst = r->null ? eu_null(ISA_TYPE_DF) : eu_grf(DST, ISA_TYPE_DF);
   eu_reg src[3];
   struct eu_builder scalar = eu_scalar(b);
   eu_MOV(&scalar, eu_flag_reg(0), eu_imm_uw(r->flag));
   b.exec_size = (uint8_t)(4 * r->vertices);
   b.group = (uint8_t)(4 * r->first);
   if (!r->null)
      dst.offset = 32 * r->first;
   for (unsigned i = 0; i < r->sources; i++) {
      src[i] = eu_grf(r->src[i].grf, ISA_TYPE_DF);
      src[i].swz = (uint8_t)r->src[i].swz;
      src[i].offset = 16 * r->src[i].odd;
      if (r->src[i].shared)
         src[i].stride = 0;
      else
         src[i].offset += (r->src[i].slots ? 16 : 32) * r->first;
      if (r->src[i].slots)
         src[i].stride = 2;
      src[i].negate = r->src[i].negate;
      src[i].abs = r->src[i].abs;
   }
   struct eu_inst *inst = eu_emit(&b, r->op, dst, r->sources, src);
   inst->align16 = true;
   inst->dst.swz = (uint8_t)r->mask;
   inst->size_written = eu_default_size(inst);
   inst->pred = (uint8_t)r->pred;
   inst->pred_inv = r->pred_inv;
   inst->cond_mod = (uint8_t)r->cond_mod;
   return inst;
}

static bool
compile(struct arena *a, unsigned gen, const struct trial *r,
        struct eu_binary *binary)
{
   static struct intel_wm_prog_data pd;
   static struct intel_compiler *compilers[ARRAY_SIZE(gens)];
   if (!compilers[gen])
      compilers[gen] =
         intel_compiler_create(intel_device_info_by_name(gens[gen].name));
   assert_non_null(compilers[gen]);
   struct eu_shader *s =
      eu_shader_create(a, compilers[gen], MESA_SHADER_FRAGMENT, 8);
   s->prog_data.wm = &pd;
   s->first_free_grf = FREE;
   build(s, r);
   eu_validate(s, "building");
   assert_true(vec4_lower_double_swizzles(s));
   eu_validate(s, "vec4_lower_double_swizzles");
   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      emitted += inst->op < ISA_OPCODE_COUNT;
   emitted--; /* the flag */
   logical++;
   eu_allocate_registers(s);
   if (!s->failed && eu_generate(s, binary))
      return true;
   fail_msg("%s: %s", gens[gen].name, s->fail_msg);
   return false;
}

static void
execute(unsigned gen, const struct trial *r, const struct eu_binary *binary)
{
   static struct sim_eu_env envs[ARRAY_SIZE(gens)];
   struct isa_inst eot;
   uint8_t code[2048];
   envs[gen].verx10 = gens[gen].verx10;
   assert_true(binary->size_B + 16 <= sizeof(code));
   memcpy(code, binary->code, binary->size_B);
   assert_true(isa_parse(isa_gen_from_number(gens[gen].verx10),
                         "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}",
                         &eot, NULL));
   assert_true(isa_encode(isa_gen_from_number(gens[gen].verx10), &eot,
                          (uint32_t *)(code + binary->size_B), NULL));
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++)
      for (unsigned k = 0; k < 4; k++)
         t.grf[i].df[k] = start_value(i, k);
   sim_eu_thread_init(&t, &envs[gen], r->enables);
   t.flag[0] = r->flag;
   struct sim_eu_program *p = sim_eu_program_create(
      gens[gen].verx10, false, code, binary->size_B + 16);
   if (sim_eu_run(&t, p, 0) != SIM_EU_EOT)
      fail_msg("%s: %s: %s", gens[gen].name, t.fault.inst, t.fault.text);
   sim_eu_program_destroy(p);
}

static void
check(unsigned gen, const struct trial *r)
{
   for (unsigned i = 0; i < 8; i++) {
      const unsigned v = i / 4, c = i % 4;
      const bool on = r->enables >> i & 1 && r->mask >> c & 1 &&
                      v >= r->first && v < r->first + r->vertices;
      const bool flag = r->flag >> i & 1;
      double want = start_value(DST + v, c);
      bool want_flag = flag;
      if (on && r->null)
         want_flag =
            compare(r, source_value(r, 0, v, c), source_value(r, 1, v, c));
      else if (on && (r->op == ISA_OPCODE_SEL || predicate(r, v, c)))
         want = result(r, v, c);
      if (t.grf[DST + v].df[c] != want || (t.flag[0] >> i & 1) != want_flag)
         fail_msg("%s: op %u mask %x: vertex %u component %u: %g, not %g; "
                  "flag %u",
                  gens[gen].name, r->op, r->mask, v, c, t.grf[DST + v].df[c],
                  want, t.flag[0] >> i & 1);
   }
}

static void
test_random(void **state)
{
   for (unsigned gen = 0; gen < ARRAY_SIZE(gens); gen++) {
      emitted = logical = 0;
      seed = 1;
      for (unsigned i = 0; i < TRIALS; i++) {
         const struct trial r = random_trial();
         struct arena *a = arena_create(NULL);
         struct eu_binary binary;
         if (compile(a, gen, &r, &binary)) {
            execute(gen, &r, &binary);
            check(gen, &r);
         }
         arena_destroy(a);
      }
      printf("%s: %u instructions as %u\n", gens[gen].name, logical, emitted);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
