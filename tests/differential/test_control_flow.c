/* SPDX-License-Identifier: MIT */
/*
 * Random structured control flow: the NIR interpreter against the compiled
 * code on the simulated EU, SIMD8 and SIMD16, every channel on a path of
 * its own.
 *
 * A shader has six variables (integers and a double), statements that mix
 * them, ifs, and loops with a counter, breaks and continues at random. What
 * is in the variables at the end is compared.
 *
 * SEED and COUNT in the environment: where to begin, how many.
 */
#include <inttypes.h>
#include <stdio.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"
#include "run_shader.h"
#include "util/unit_test.h"

#define LANES 16
#define INTS 4
#define DOUBLES 2
#define SLOT_B 64
#define MAX_DEPTH 4

static struct runner *runner;
static uint64_t seed;

static uint32_t
below(uint32_t n)
{
   seed ^= seed >> 12;
   seed ^= seed << 25;
   seed ^= seed >> 27;
   return (uint32_t)(((seed * 0x2545f4914f6cdd1dull) >> 32) * n >> 32);
}

struct program {
   nir_builder b;
   nir_variable *ints[INTS], *doubles[DOUBLES];
   unsigned statements_left;
};

static nir_ssa_def *
int_value(struct program *p)
{
   if (below(4) == 0)
      return nir_imm_int(&p->b, (int)below(9) - 4);
   return nir_load_var(&p->b, p->ints[below(INTS)]);
}

static nir_ssa_def *
double_value(struct program *p)
{
   if (below(4) == 0)
      return nir_imm_double(&p->b, (double)below(64) / 8 - 4);
   return nir_load_var(&p->b, p->doubles[below(DOUBLES)]);
}

static nir_ssa_def *
condition(struct program *p)
{
   nir_builder *b = &p->b;

   switch (below(4)) {
   case 0: return nir_ilt(b, int_value(p), int_value(p));
   case 1: return nir_ine(b, nir_iand(b, int_value(p), nir_imm_int(b, 3)),
                          nir_imm_int(b, 0));
   case 2: return nir_flt(b, double_value(p), double_value(p));
   default: return nir_ior(b, nir_ieq(b, int_value(p), int_value(p)),
                           nir_fge(b, double_value(p), double_value(p)));
   }
}

static void
assignment(struct program *p)
{
   nir_builder *b = &p->b;
   nir_ssa_def *v;

   if (below(3) == 0) {
      switch (below(4)) {
      case 0: v = nir_fadd(b, double_value(p), double_value(p)); break;
      case 1: v = nir_fmul(b, double_value(p), nir_imm_double(b, 0.5)); break;
      case 2: v = nir_i2f64(b, int_value(p)); break;
      default: v = nir_bcsel(b, condition(p), double_value(p),
                             double_value(p));
         break;
      }
      nir_store_var(b, p->doubles[below(DOUBLES)], v, 1);
      return;
   }
   switch (below(6)) {
   case 0: v = nir_iadd(b, int_value(p), int_value(p)); break;
   case 1: v = nir_imul(b, int_value(p), int_value(p)); break;
   case 2: v = nir_ixor(b, int_value(p), int_value(p)); break;
   case 3: v = nir_bcsel(b, condition(p), int_value(p), int_value(p)); break;
   case 4: v = nir_ushr(b, int_value(p), nir_imm_int(b, (int)below(8)));
      break;
   default: v = nir_imax(b, int_value(p), int_value(p)); break;
   }
   nir_store_var(b, p->ints[below(INTS)], v, 1);
}

static void statements(struct program *p, unsigned depth, bool in_loop);

static void
branch(struct program *p, unsigned depth, bool in_loop)
{
   nir_if *nif = nir_push_if(&p->b, condition(p));

   statements(p, depth + 1, in_loop);
   if (below(2)) {
      nir_push_else(&p->b, nif);
      statements(p, depth + 1, in_loop);
   }
   nir_pop_if(&p->b, nif);
}

static void
loop(struct program *p, unsigned depth)
{
   nir_builder *b = &p->b;
   nir_variable *count =
      nir_local_variable_create(b->impl, glsl_int_type(), "count");

   nir_store_var(b, count, nir_imm_int(b, 0), 1);
   nir_loop *l = nir_push_loop(b);
   nir_ssa_def *c = nir_load_var(b, count);
   nir_jump_if(b, nir_jump_break,
               nir_ige(b, c, nir_imm_int(b, (int)below(6) + 1)));
   nir_store_var(b, count, nir_iadd(b, c, nir_imm_int(b, 1)), 1);
   statements(p, depth + 1, true);
   nir_pop_loop(b, l);
}

static void
statements(struct program *p, unsigned depth, bool in_loop)
{
   const unsigned n = 1 + below(4);

   for (unsigned i = 0; i < n && p->statements_left; i++) {
      p->statements_left--;
      const unsigned kind = below(10);
      if (kind < 2 && depth < MAX_DEPTH)
         branch(p, depth, in_loop);
      else if (kind == 2 && depth < MAX_DEPTH)
         loop(p, depth);
      else if (kind == 3 && in_loop)
         nir_jump_if(&p->b,
                     below(2) ? nir_jump_break : nir_jump_continue,
                     condition(p));
      else
         assignment(p);
   }
}

static void
store(nir_builder *b, nir_ssa_def *base, unsigned offset_B, nir_ssa_def *v)
{
   nir_intrinsic_instr *intr =
      nir_intrinsic_instr_create(b->shader, nir_intrinsic_store_ssbo);

   intr->num_components = 1;
   intr->src[0] = nir_src_for_ssa(v);
   intr->src[1] = nir_src_for_ssa(nir_imm_int(b, RUN_BUFFER_BTI));
   intr->src[2] = nir_src_for_ssa(nir_iadd_imm(b, base, offset_B));
   nir_intrinsic_set_write_mask(intr, 1);
   nir_intrinsic_set_align(intr, 8, 0);
   nir_builder_instr_insert(b, &intr->instr);
}

static unsigned
stm(void)
{
   const char *s = getenv("STATEMENTS");
   return s ? (unsigned)atoi(s) : 40;
}

static nir_shader *
build(void)
{
   const struct intel_compiler *compiler = runner_compiler(runner);
   struct program p = {
      .b = nir_builder_init_simple_shader(
         MESA_SHADER_FRAGMENT,
         intel_compiler_nir_options(compiler, MESA_SHADER_FRAGMENT),
         "control flow"),
      .statements_left = stm(),
   };
   nir_builder *b = &p.b;
   nir_ssa_def *lane = nir_load_sample_mask_in(b);

   for (unsigned i = 0; i < INTS; i++) {
      p.ints[i] = nir_local_variable_create(b->impl, glsl_int_type(), "i");
      nir_store_var(b, p.ints[i],
                    nir_iadd(b, nir_imul_imm(b, lane, below(7)),
                             nir_imm_int(b, (int)below(5) - 2)), 1);
   }
   for (unsigned i = 0; i < DOUBLES; i++) {
      p.doubles[i] =
         nir_local_variable_create(b->impl, glsl_double_type(), "d");
      nir_store_var(b, p.doubles[i],
                    nir_fadd(b, nir_i2f64(b, lane),
                             nir_imm_double(b, below(8))), 1);
   }
   while (p.statements_left)
      statements(&p, 0, false);

   nir_ssa_def *base = nir_imul_imm(b, lane, SLOT_B);
   for (unsigned i = 0; i < INTS; i++)
      store(b, base, i * 4, nir_load_var(b, p.ints[i]));
   for (unsigned i = 0; i < DOUBLES; i++)
      store(b, base, 16 + i * 8, nir_load_var(b, p.doubles[i]));
   return b->shader;
}

static bool
lane_number(void *data, unsigned lane, const nir_intrinsic_instr *intr,
            const nir_const_value *src0, nir_const_value *out)
{
   if (intr->intrinsic != nir_intrinsic_load_sample_mask_in)
      return false;
   out[0].u32 = lane;
   return true;
}

static const char *
interpret(nir_shader *nir, uint8_t *result, struct arena *arena)
{
   static const struct nir_interp_callbacks cb = { .sysval = lane_number };
   const struct nir_interp_buffer buffers[2] = {
      { NULL, 0 }, { result, LANES * SLOT_B },
   };
   nir_interp_slot *outputs =
      arena_new_array(arena, nir_interp_slot, LANES * NIR_INTERP_SLOTS);
   nir_interp_slot *inputs =
      arena_new_array(arena, nir_interp_slot, LANES * NIR_INTERP_SLOTS);
   struct nir_interp_params params = {
      .num_lanes = LANES, .inputs = inputs, .outputs = outputs,
      .ssbos = buffers, .num_ssbos = 2, .callbacks = &cb,
   };
   return nir_interp_run(nir, &params, arena);
}

static unsigned
run_and_compare(const struct intel_shader *sh, unsigned width,
                const uint8_t *want, uint64_t which)
{
   uint8_t *got = runner_buffer(runner);
   const char *error;

   memset(got, 0, LANES * SLOT_B);
   error = runner_run(runner, sh, width, BITFIELD_MASK(width));
   if (error) {
      printf("seed %" PRIu64 " SIMD%u: %s\n", which, width, error);
      return 1;
   }
   for (unsigned l = 0; l < width; l++) {
      if (!memcmp(got + l * SLOT_B, want + l * SLOT_B, 32))
         continue;
      /* NaNs are all alike. */
      bool same = !memcmp(got + l * SLOT_B, want + l * SLOT_B, 16);
      for (unsigned i = 0; i < DOUBLES; i++) {
         double g, w;
         memcpy(&g, got + l * SLOT_B + 16 + i * 8, 8);
         memcpy(&w, want + l * SLOT_B + 16 + i * 8, 8);
         same = same && (g == w || (g != g && w != w));
      }
      if (same)
         continue;
      printf("seed %" PRIu64 " SIMD%u lane %u differs\n", which, width, l);
      return 1;
   }
   return 0;
}

/* Whether the shader still does the same: tells faults of NIR's passes from
 * those of the back end. */
static unsigned
check_nir(nir_shader *nir, const uint8_t *want, uint64_t which,
          const char *when)
{
   struct arena *arena = arena_create(NULL);
   uint8_t *got = arena_alloc(arena, LANES * SLOT_B);
   const char *error = interpret(nir, got, arena);
   const bool wrong = error || memcmp(got, want, LANES * SLOT_B);

   if (wrong)
      printf("seed %" PRIu64 ": the interpreter sees a change %s: %s\n",
             which, when, error ? error : "other results");
   arena_destroy(arena);
   return wrong;
}

/* 0 when all agree. */
static unsigned
test_seed(uint64_t which)
{
   const struct intel_compiler *compiler = runner_compiler(runner);
   struct arena *arena = arena_create(NULL);
   uint8_t *want = arena_alloc(arena, LANES * SLOT_B);
   unsigned wrong = 0;

   seed = which * 0x9e3779b97f4a7c15ull + 1;
   for (unsigned i = 0; i < 8; i++)
      below(2);
   nir_shader *nir = build();
   const char *error = interpret(nir, want, arena);
   if (error) {
      printf("seed %" PRIu64 ": interpreter: %s\n", which, error);
      wrong++;
   } else {
      intel_preprocess_nir(compiler, nir);
      wrong += check_nir(nir, want, which, "after preprocessing");
      const struct intel_compile_params params = { .arena = arena,
                                                   .nir = nir };
      const struct intel_wm_key key = { .nr_color_regions = 1 };
      struct intel_shader *sh = intel_compile_fs(compiler, &params, &key);
      wrong += check_nir(nir, want, which, "at the back end");
      if (!sh->code) {
         printf("seed %" PRIu64 ": %s\n", which, sh->error);
         wrong++;
      } else {
         wrong += run_and_compare(sh, 8, want, which);
         if (sh->prog_data.wm->dispatch_16)
            wrong += run_and_compare(sh, 16, want, which);
      }
   }
   nir_shader_destroy(nir);
   arena_destroy(arena);
   return wrong;
}

static void
test_random(void **state)
{
   const char *first = getenv("SEED"), *count = getenv("COUNT");
   const uint64_t begin = first ? strtoull(first, NULL, 0) : 1;
   const uint64_t n = count ? strtoull(count, NULL, 0) : first ? 1 : 500;
   unsigned wrong = 0;

   for (uint64_t i = begin; i < begin + n && wrong < 10; i++)
      wrong += test_seed(i);
   assert_int_equal(wrong, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_random) };

   runner = runner_create();
   const int result = cmocka_run_group_tests(tests, NULL, NULL);
   runner_destroy(runner);
   return result;
}
