/* SPDX-License-Identifier: MIT */
/*
 * Random shaders through random orders of passes: after each pass the
 * interpreter must find the outputs of the shader as it was built. All ALU
 * instructions are exact, so every bit counts (a NaN may become another).
 *
 * NIR_RANDOM_SEED=N runs that shader alone, NIR_RANDOM_COUNT=N that many.
 */
#include "util/unit_test.h"

#include <math.h>

#include "nir_interp.h"
#include "random_shader.h"
#include "ssa/nir_phi_webs.h"

#define DEFAULT_COUNT 60
#define LANES 8
#define VARS_PER_TYPE RANDOM_VARS_PER_TYPE

/* --- Passes ------------------------------------------------------------- */

#define PASS(name, ...)                                                      \
   static bool run_##name(nir_shader *s)                                     \
   {                                                                         \
      bool progress = false;                                                 \
      NIR_PASS(progress, s, name, ##__VA_ARGS__);                            \
      return progress;                                                       \
   }
PASS(nir_copy_prop)
PASS(nir_opt_dce)
PASS(nir_opt_cse)
PASS(nir_opt_constant_folding)
PASS(nir_opt_algebraic)
PASS(nir_opt_peephole_select, 8, true, true)
PASS(nir_opt_dead_cf)
PASS(nir_opt_if, false)
PASS(nir_opt_trivial_continues)
PASS(nir_opt_conditional_discard)
PASS(nir_opt_loop_unroll)
PASS(nir_opt_remove_phis)
PASS(nir_opt_undef)
PASS(nir_lower_undef_to_zero)
PASS(nir_opt_gcm, true)
PASS(nir_lower_vars_to_ssa)
PASS(nir_opt_copy_prop_vars)
PASS(nir_opt_dead_write_vars)
PASS(nir_opt_deref)
PASS(nir_opt_move, nir_move_const_undef | nir_move_comparisons)
PASS(nir_opt_repeat_signs)
PASS(nir_opt_demand_order, 4)
PASS(nir_opt_interleave, 3, true)
PASS(nir_lower_phis_to_scalar, true)
PASS(nir_lower_alu_to_scalar, NULL, NULL)
PASS(nir_lower_doubles, NULL,
     nir_lower_drcp | nir_lower_ddiv | nir_lower_dsqrt | nir_lower_dtrunc |
        nir_lower_dfloor | nir_lower_dceil | nir_lower_dfract |
        nir_lower_dround_even)
PASS(nir_lower_bool_to_int32)
PASS(nir_lower_indirect_derefs, nir_var_function_temp, UINT32_MAX)
PASS(nir_flatten_local_arrays)
PASS(nir_opt_algebraic_late)
PASS(nir_isolate_phis, true)
#undef PASS

struct pass {
   const char *name;
   bool (*run)(nir_shader *s);
};

#define ROW(n)                                                               \
   {                                                                         \
#n, run_##n                                                            \
   }
static const struct pass optimisations[] = {
   ROW(nir_copy_prop),
   ROW(nir_opt_dce),
   ROW(nir_opt_cse),
   ROW(nir_opt_constant_folding),
   ROW(nir_opt_algebraic),
   ROW(nir_opt_peephole_select),
   ROW(nir_opt_dead_cf),
   ROW(nir_opt_if),
   ROW(nir_opt_trivial_continues),
   ROW(nir_opt_conditional_discard),
   ROW(nir_opt_loop_unroll),
   ROW(nir_opt_remove_phis),
   ROW(nir_opt_undef),
   ROW(nir_lower_undef_to_zero),
   ROW(nir_opt_gcm),
   ROW(nir_lower_vars_to_ssa),
   ROW(nir_opt_copy_prop_vars),
   ROW(nir_opt_dead_write_vars),
   ROW(nir_opt_deref),
   ROW(nir_opt_move),
   ROW(nir_opt_repeat_signs),
   ROW(nir_opt_demand_order),
   ROW(nir_opt_interleave),
   ROW(nir_lower_phis_to_scalar),
   ROW(nir_lower_alu_to_scalar),
};
static const struct pass lowerings[] = {
   ROW(nir_lower_vars_to_ssa),
   ROW(nir_lower_doubles),
   ROW(nir_opt_algebraic),
   ROW(nir_opt_cse),
   ROW(nir_opt_dce),
   ROW(nir_opt_algebraic_late),
   ROW(nir_lower_bool_to_int32),
   ROW(nir_copy_prop),
   ROW(nir_opt_dce),
   ROW(nir_flatten_local_arrays),
   ROW(nir_opt_dce),
   ROW(nir_isolate_phis),
};
#undef ROW

/* --- Comparison --------------------------------------------------------- */

static nir_interp_slot inputs[LANES * NIR_INTERP_SLOTS];

static void
run(nir_shader *s, nir_interp_slot *outputs, const char *when)
{
   memset(outputs, 0, LANES * NIR_INTERP_SLOTS * sizeof(*outputs));
   struct nir_interp_params params = {
      .num_lanes = LANES,
      .inputs = inputs,
      .outputs = outputs,
   };
   struct arena *arena = arena_create(NULL);
   nir_function_impl *impl = nir_entry_point(s);
   struct nir_phi_webs webs;
   const nir_value *a, *b;
   if (strcmp(when, "nir_isolate_phis") == 0) {
      nir_find_phi_webs(&webs, impl, arena);
      if (nir_phi_webs_overlap(&webs, impl, &a, &b))
         fail_msg("%s: ssa_%u and ssa_%u of one web are live at once",
                  s->info.name, a->index, b->index);
      params.webs = &webs;
   }
   const char *error = nir_interp_run(s, &params, arena);
   if (error)
      fail_msg("%s after %s: %s", s->info.name, when, error);
   arena_destroy(arena);
}

static bool
same(const uint32_t *x, const uint32_t *y, enum value_type t)
{
   if (x[0] == y[0] && x[1] == y[1])
      return true;
   if (t == T_FLOAT)
      return isnan(util_bits_float(x[0])) && isnan(util_bits_float(y[0]));
   if (t == T_DOUBLE)
      return isnan(util_bits_double(x[0] | (uint64_t)x[1] << 32)) &&
             isnan(util_bits_double(y[0] | (uint64_t)y[1] << 32));
   return false;
}

static nir_interp_slot expected[LANES * NIR_INTERP_SLOTS];
static nir_interp_slot found[LANES * NIR_INTERP_SLOTS];

static void
apply(nir_shader **s, const struct pass *pass)
{
   nir_shader *before = nir_shader_clone(NULL, *s);
   if (!pass->run(*s)) {
      nir_shader_destroy(before);
      return;
   }
   run(*s, found, pass->name);
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned o = 0; o < T_COUNT * VARS_PER_TYPE; o++) {
         const uint32_t *x = expected[lane * NIR_INTERP_SLOTS + o];
         const uint32_t *y = found[lane * NIR_INTERP_SLOTS + o];
         if (same(x, y, (enum value_type)(o / VARS_PER_TYPE)))
            continue;
         if (getenv("NIR_RANDOM_SEED")) {
            nir_print_shader(before, stderr);
            nir_print_shader(*s, stderr);
         }
         fail_msg("%s: output %u lane %u 0x%08x%08x became 0x%08x%08x by "
                  "%s",
                  (*s)->info.name, o, lane, x[1], x[0], y[1], y[0],
                  pass->name);
      }
   }
   nir_shader_destroy(before);
}

static uint32_t
draw(uint64_t *rng, uint32_t n)
{
   *rng ^= *rng << 13;
   *rng ^= *rng >> 7;
   *rng ^= *rng << 17;
   return (uint32_t)(*rng >> 20) % n;
}

static void
check_seed(uint64_t seed)
{
   static const nir_shader_compiler_options options;
   static const float values[] = { 0.0f,   1.0f,     -1.0f,    3.7f, -100.25f,
                                   1e-20f, 65536.0f, INFINITY, 2.0f };
   uint64_t rng = seed * 77 + 5;
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned c = 0; c < 4; c++) {
         const float f = values[draw(&rng, ARRAY_SIZE(values))];
         inputs[lane * NIR_INTERP_SLOTS + VARYING_SLOT_VAR0][c] =
            util_float_bits(f);
      }
   }
   nir_shader *s = random_shader(seed, &options, NULL);
   run(s, expected, "building");
   for (unsigned i = 0; i < 40; i++)
      apply(&s, &optimisations[draw(&rng, ARRAY_SIZE(optimisations))]);
   if (draw(&rng, 2))
      apply(&s, &(struct pass) { "nir_lower_indirect_derefs",
                                 run_nir_lower_indirect_derefs });
   for (unsigned i = 0; i < ARRAY_SIZE(lowerings); i++)
      apply(&s, &lowerings[i]);
   nir_shader_destroy(s);
}

static void
passes_keep_outputs(void **state)
{
   const char *seed = getenv("NIR_RANDOM_SEED");
   const char *count = getenv("NIR_RANDOM_COUNT");
   if (seed) {
      check_seed(strtoull(seed, NULL, 10));
      return;
   }
   const unsigned n = count ? (unsigned)atoi(count) : DEFAULT_COUNT;
   for (unsigned i = 0; i < n; i++)
      check_seed(i);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_keep_outputs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
