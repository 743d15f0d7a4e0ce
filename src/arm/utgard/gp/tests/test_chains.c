/* SPDX-License-Identifier: MIT */
/*
 * Chains of N values that are computed one after the other and read in the
 * reverse order, so that all of them wait at once: pressure at its worst.
 * The limits are what docs/utgard.rst promises, and below what the public
 * driver's compiler is known to need.
 */
#include "util/unit_test.h"

#include "gp_trial.h"

enum chain { CHAIN_MUL_ADD, CHAIN_EXP2, CHAIN_LOG2 };

static nir_ssa_def *
link_of(struct gp_trial *t, enum chain kind, nir_ssa_def *x)
{
   nir_builder *b = &t->b;

   switch (kind) {
   case CHAIN_MUL_ADD:
      return nir_fadd(b, nir_fmul(b, x, gp_trial_uniform(t, 0)),
                      gp_trial_uniform(t, 1));
   case CHAIN_EXP2:
      return nir_fexp2(b, x);
   case CHAIN_LOG2:
      return nir_flog2(b, x);
   }
   unreachable("no such chain");
}

/* The number of instructions; 0: an error, which is printed. */
static unsigned
compile_chain(enum chain kind, unsigned n)
{
   struct gp_trial t;
   nir_ssa_def *v[128], *sum, *out[4];

   gp_trial_init(&t, 1);
   nir_builder *b = &t.b;
   t.uniforms[0][0] = 0.5f;
   t.uniforms[0][1] = 0.25f;
   v[0] = gp_trial_attribute(&t, 0);
   for (unsigned i = 1; i < n; i++)
      v[i] = link_of(&t, kind, v[i - 1]);
   sum = v[n - 1];
   for (unsigned i = n - 1; i-- > 0;)
      sum = nir_fadd(b, nir_fmul(b, sum, gp_trial_uniform(&t, 0)), v[i]);
   for (unsigned c = 0; c < 4; c++)
      out[c] = sum;
   gp_trial_output(&t, out);
   const char *error = gp_trial_run(&t);
   const unsigned count = error ? 0 : t.program->count;
   print_message("%u values: %s%u instructions, %u spills\n", n,
                 error ? error : "", t.program->count, t.program->spills);
   gp_trial_fini(&t);
   return count;
}

static void
test_mul_add(void **state)
{
   static const unsigned lengths[] = { 20, 40, 60, 74, 100, 120 };

   for (unsigned i = 0; i < ARRAY_SIZE(lengths); i++) {
      const unsigned count = compile_chain(CHAIN_MUL_ADD, lengths[i]);
      assert_in_range(count, 1, lengths[i] * 9 / 2);
   }
}

static const struct {
   enum chain kind;
   unsigned n, less_than; /* what the public driver's compiler needs */
} table_chains[] = {
   { CHAIN_EXP2, 20, 140 }, { CHAIN_EXP2, 40, 300 }, { CHAIN_EXP2, 60, 460 },
   { CHAIN_EXP2, 74, 513 }, /* which fails from 70 on */
   { CHAIN_LOG2, 20, 131 }, { CHAIN_LOG2, 40, 271 }, { CHAIN_LOG2, 60, 411 },
   { CHAIN_LOG2, 70, 482 }, { CHAIN_LOG2, 74, 509 },
};

static void
test_tables(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(table_chains); i++) {
      const unsigned count =
         compile_chain(table_chains[i].kind, table_chains[i].n);
      assert_in_range(count, 1, table_chains[i].less_than - 1);
   }
}

/* More values cross a loop than there are registers. */
static void
test_cross_block(void **state)
{
   struct gp_trial t;
   nir_ssa_def *v[100], *out[4];

   gp_trial_init(&t, 1);
   nir_builder *b = &t.b;
   for (unsigned i = 0; i < ARRAY_SIZE(v); i++)
      v[i] = nir_fmul(b, gp_trial_attribute(&t, i % 64),
                      gp_trial_uniform(&t, i / 64 * 4 + 1));
   nir_variable *x = nir_local_variable_create(
      b->impl, glsl_scalar_type(GLSL_TYPE_FLOAT), NULL);
   nir_store_var(b, x, gp_trial_attribute(&t, 0), 1);
   nir_loop *loop = nir_push_loop(b);
   nir_push_if(b, nir_flt(b, nir_imm_float(b, 100), nir_load_var(b, x)));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, NULL);
   nir_store_var(b, x, nir_fadd(b, nir_fmul(b, nir_load_var(b, x),
                                            nir_load_var(b, x)),
                                nir_imm_float(b, 1)), 1);
   nir_pop_loop(b, loop);
   nir_ssa_def *sum = nir_load_var(b, x);
   for (unsigned i = 0; i < ARRAY_SIZE(v); i++)
      sum = nir_fadd(b, nir_fmul(b, sum, gp_trial_uniform(&t, 0)), v[i]);
   for (unsigned c = 0; c < 4; c++)
      out[c] = sum;
   gp_trial_output(&t, out);
   const char *error = gp_trial_run(&t);
   print_message("%u scalars: %s%u instructions, %u temporaries\n",
                 t.program->cross_block, error ? error : "",
                 t.program->count, t.program->num_temps);
   assert_null(error);
   assert_true(t.program->cross_block > 64);
   gp_trial_fini(&t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mul_add),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_cross_block),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
