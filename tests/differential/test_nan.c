/* SPDX-License-Identifier: MIT */
/*
 * A comparison of floats has one answer, however a shader asks: as a branch
 * with both sides, with one, inverted, as a value, a select, the end of a
 * loop, a discard. Each comparison at each size, NaNs among the operands,
 * and nothing marked exact: the NIR interpreter before any pass has seen the
 * shader against the compiled code on the simulated EU.
 */
#include <stdio.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"
#include "run_shader.h"
#include "util/unit_test.h"

#define LANES 16
#define ROUNDS 8
#define SLOT_B 64
#define RESULTS_B 16 /* after the two operands, 8 bytes each */

enum {
   BOTH_SIDES,
   ONE_SIDE,
   OTHER_SIDE,
   SELECTED,
   AS_NUMBER,
   JOINED,
   LOOP_COUNT,
   LEFT_ALIVE,
};

static struct runner *runner;

struct shader {
   nir_builder b;
   nir_op op;
   unsigned bits;
   bool inverted;
   nir_value *slot, *x, *y;
};

/* The comparison anew, so that each use may fold its own. */
static nir_value *
ask(struct shader *s)
{
   nir_value *c = nir_build_alu2(&s->b, s->op, s->x, s->y);

   return s->inverted ? nir_inot(&s->b, c) : c;
}

static void
answer(struct shader *s, unsigned i, nir_value *value)
{
   runner_nir_store(&s->b, nir_iadd_imm(&s->b, s->slot, RESULTS_B + 4 * i),
                    value);
}

static void
answer_imm(struct shader *s, unsigned i, int value)
{
   answer(s, i, nir_imm_int(&s->b, value));
}

static void
ask_by_branches(struct shader *s)
{
   nir_builder *b = &s->b;

   nir_if *nif = nir_push_if(b, ask(s));
   answer_imm(s, BOTH_SIDES, 5);
   nir_push_else(b, nif);
   answer_imm(s, BOTH_SIDES, 6);
   nir_pop_if(b, nif);
   nif = nir_push_if(b, ask(s));
   answer_imm(s, ONE_SIDE, 7);
   nir_pop_if(b, nif);
   nif = nir_push_if(b, ask(s));
   nir_push_else(b, nif);
   answer_imm(s, OTHER_SIDE, 8);
   nir_pop_if(b, nif);
}

static void
ask_in_loop(struct shader *s)
{
   nir_builder *b = &s->b;
   nir_variable *i = nir_new_local(b->impl, glsl_uint_type(), "i");

   nir_store_var(b, i, nir_imm_int(b, 0), 1);
   nir_loop *loop = nir_push_loop(b);
   nir_store_var(b, i, nir_iadd_imm(b, nir_load_var(b, i), 1), 1);
   nir_if *nif = nir_push_if(b, ask(s));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, nif);
   nif = nir_push_if(b, nir_uge(b, nir_load_var(b, i), nir_imm_int(b, 3)));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, nif);
   nir_pop_loop(b, loop);
   answer(s, LOOP_COUNT, nir_load_var(b, i));
}

static nir_shader *
build(nir_op op, unsigned bits, bool inverted)
{
   struct shader s = { .op = op, .bits = bits, .inverted = inverted };
   nir_builder *b = &s.b;

   *b = nir_builder_init_simple_shader(
      runner_stage(runner),
      intel_compiler_nir_options(runner_compiler(runner)), "%s %u",
      nir_op_infos[op].name, bits);
   s.slot = nir_imul_imm(b,
                         runner_is_vec4(runner)
                            ? nir_load_vertex_id_zero_base(b)
                            : nir_load_sample_mask_in(b),
                         SLOT_B);
   s.x = runner_nir_load(b, s.slot, 1, bits);
   s.y = runner_nir_load(b, nir_iadd_imm(b, s.slot, 8), 1, bits);
   ask_by_branches(&s);
   answer(&s, SELECTED,
          nir_bcsel(b, ask(&s), nir_imm_int(b, 3), nir_imm_int(b, 4)));
   answer(&s, AS_NUMBER, nir_b2i32(b, ask(&s)));
   nir_value *swapped = nir_inot(b, nir_build_alu2(b, op, s.y, s.x));
   answer(&s, JOINED, nir_b2i32(b, nir_iand(b, ask(&s), swapped)));
   ask_in_loop(&s);
   if (runner_stage(runner) == MESA_SHADER_FRAGMENT)
      nir_discard_if(b, ask(&s));
   answer_imm(&s, LEFT_ALIVE, 9);
   nir_validate_shader(b->shader, "built");
   return b->shader;
}

/* ---- running ---- */

static uint8_t before[LANES * SLOT_B], want[LANES * SLOT_B];

static void
fill(unsigned bits, unsigned round)
{
   static const uint64_t values[][8] = {
      { 0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe00 },
      { 0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
        0x7fc00000, 0xffc00000 },
      { 0, 1ull << 63, 0x3ff0000000000000, 0xbff0000000000000,
        0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
        0xfff8000000000000 },
   };
   const uint64_t *v = values[bits / 32];

   memset(before, 0, sizeof(before));
   /* All pairs in four rounds of sixteen. */
   for (unsigned l = 0; l < LANES; l++) {
      const unsigned pair = (round % 4 * LANES + l) * 5 % 64;
      memcpy(before + l * SLOT_B, &v[pair % 8], 8);
      memcpy(before + l * SLOT_B + 8, &v[pair / 8], 8);
   }
}

static bool
lane_number(void *data, unsigned lane, const nir_intrinsic_instr *intr,
            const nir_const_value *src0, nir_const_value *out)
{
   if (intr->intrinsic != nir_intrinsic_load_sample_mask_in &&
       intr->intrinsic != nir_intrinsic_load_vertex_id_zero_base)
      return false;
   out[0].u32 = lane;
   return true;
}

static void
interpret(nir_shader *nir, struct arena *arena)
{
   static const struct nir_interp_callbacks callbacks = {
      .sysval = lane_number,
   };
   static nir_interp_slot outputs[LANES * NIR_INTERP_SLOTS];
   struct nir_interp_buffer ssbos[RUN_BUFFER_BTI + 1] = { 0 };
   struct nir_interp_params params = {
      .num_lanes = LANES,
      .outputs = outputs,
      .ssbos = ssbos,
      .num_ssbos = ARRAY_SIZE(ssbos),
      .callbacks = &callbacks,
   };

   memcpy(want, before, sizeof(want));
   ssbos[RUN_BUFFER_BTI].data = want;
   ssbos[RUN_BUFFER_BTI].size_B = sizeof(want);
   assert_null(nir_interp_run(nir, &params, arena));
}

static unsigned
check(const char *name, unsigned width)
{
   const uint8_t *got = runner_buffer(runner);
   unsigned wrong = 0;

   for (unsigned i = 0; i < width * SLOT_B; i += 4) {
      if (!memcmp(got + i, want + i, 4))
         continue;
      const uint64_t *operands =
         (const uint64_t *)(const void *)(before + i / SLOT_B * SLOT_B);
      printf("%s SIMD%u: 0x%llx, 0x%llx: answer %d is %u, not %u\n", name,
             width, (unsigned long long)operands[0],
             (unsigned long long)operands[1],
             ((int)(i % SLOT_B) - RESULTS_B) / 4,
             *(const uint32_t *)(const void *)(got + i),
             *(const uint32_t *)(const void *)(want + i));
      wrong++;
   }
   return wrong;
}

static unsigned
test_one(nir_op op, unsigned bits, bool inverted)
{
   struct arena *arena = arena_create(NULL);
   nir_shader *nir = build(op, bits, inverted);
   nir_shader *copy = nir_shader_clone(NULL, nir);
   const struct intel_compile_params params = { .arena = arena, .nir = copy };
   union intel_key key = { 0 };
   char name[64];
   unsigned wrong = 0;

   snprintf(name, sizeof(name), "%s%s %u", inverted ? "not " : "",
            nir_op_infos[op].name, bits);
   if (!runner_is_vec4(runner))
      key.wm.nr_color_regions = 1;
   intel_preprocess_nir(runner_compiler(runner), copy);
   const struct intel_shader *sh =
      intel_compile(runner_compiler(runner), &params, &key);
   if (!sh->code)
      fail_msg("%s: %s", name, sh->error);
   for (unsigned round = 0; round < ROUNDS; round++) {
      const unsigned width = round < ROUNDS / 2 ? 8 : 16;
      if (width == 16 && (sh->stage != MESA_SHADER_FRAGMENT ||
                          !sh->prog_data.wm->dispatch_16))
         continue;
      fill(bits, round);
      interpret(nir, arena);
      memcpy(runner_buffer(runner), before, sizeof(before));
      const char *error = runner_run(runner, sh, width, BITFIELD_MASK(width));
      if (error)
         fail_msg("%s: %s", name, error);
      wrong += check(name, width);
   }
   nir_shader_destroy(nir);
   nir_shader_destroy(copy);
   arena_destroy(arena);
   return wrong;
}

static void
test_results(void **state)
{
   static const nir_op ops[] = { nir_op_flt, nir_op_fge, nir_op_feq,
                                 nir_op_fneu };
   unsigned wrong = 0;

   for (unsigned bits = 16; bits <= 64; bits *= 2) {
      for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
         wrong += test_one(ops[i], bits, false);
         wrong += test_one(ops[i], bits, true);
      }
   }
   assert_int_equal(wrong, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_results) };

   runner = runner_create();
   const int result = cmocka_run_group_tests(tests, NULL, NULL);
   runner_destroy(runner);
   return result;
}
