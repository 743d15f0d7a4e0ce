/* SPDX-License-Identifier: MIT */
/*
 * Chains of N values that are computed one after the other and read in the
 * reverse order, so that all of them wait at once: pressure at its worst.
 * The limits are what docs/utgard.rst promises, and below what the public
 * driver's compiler is known to need. Where no program can exist the lower
 * bound has to say so.
 */
#include "util/unit_test.h"

#include "gp_case.h"

enum chain { CHAIN_MUL_ADD, CHAIN_EXP2, CHAIN_LOG2 };

static nir_value *
link_of(struct gp_case *c, enum chain kind, nir_value *x)
{
   nir_builder *b = &c->b;

   switch (kind) {
   case CHAIN_MUL_ADD:
      return nir_fadd(b, nir_fmul(b, x, gp_case_uniform(c, 0)),
                      gp_case_uniform(c, 1));
   case CHAIN_EXP2: return nir_fexp2(b, x);
   case CHAIN_LOG2: return nir_flog2(b, x);
   }
   unreachable("no such chain");
}

struct length {
   unsigned count; /* 0: an error, which is printed */
   unsigned bound;
};

/* `sums`: values are read by a sum, not by a product and a sum. */
static struct length
compile_chain(enum chain kind, unsigned n, bool sums)
{
   struct gp_case c;
   nir_value *v[128], *sum;
   struct arena *arena = arena_create(NULL);

   gp_case_begin(&c, 1);
   nir_builder *b = &c.b;
   c.uniform_values[0][0] = 0.5f;
   c.uniform_values[0][1] = 0.25f;
   v[0] = gp_case_attribute(&c, 0);
   for (unsigned i = 1; i < n; i++)
      v[i] = link_of(&c, kind, v[i - 1]);
   sum = v[n - 1];
   for (unsigned i = n - 1; i-- > 0;)
      sum = nir_fadd(b, sums ? sum : nir_fmul(b, sum, gp_case_uniform(&c, 0)),
                     v[i]);
   for (unsigned k = 0; k < 4; k++)
      c.outputs[k] = sum;
   gp_case_end(&c);
   const struct gpc_program *p = gp_case_compile(&c, arena, 1);
   const char *error = p->error ? p->error : gp_case_check(&c, p, arena);
   const struct length l = { error ? 0 : p->count, p->lower_bound };
   print_message("%u values: %s%s%u instructions, bound %u, %u spills\n", n,
                 error ? error : "", error ? "; " : "", p->count,
                 p->lower_bound, p->spills);
   gp_case_destroy(&c);
   arena_destroy(arena);
   return l;
}

static void
test_mul_add(void **state)
{
   static const unsigned lengths[] = { 20, 40, 60, 74, 100, 120 };

   for (unsigned i = 0; i < ARRAY_SIZE(lengths); i++) {
      const struct length l = compile_chain(CHAIN_MUL_ADD, lengths[i], false);
      assert_in_range(l.count, 1, lengths[i] * 9 / 2);
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
      const struct length l =
         compile_chain(table_chains[i].kind, table_chains[i].n, false);
      assert_in_range(l.count, 1, table_chains[i].less_than - 1);
   }
}

/* N - 1 table functions one after the other, four words each, and N - 1 times
 * a product and a sum: no program below 6 N - 5 words. */
static void
test_impossible(void **state)
{
   static const unsigned lengths[] = { 100, 120 };

   for (unsigned i = 0; i < ARRAY_SIZE(lengths); i++) {
      const unsigned n = lengths[i];
      for (unsigned kind = CHAIN_EXP2; kind <= CHAIN_LOG2; kind++) {
         const struct length l = compile_chain((enum chain)kind, n, false);
         assert_int_equal(l.count, 0);
         assert_in_range(l.bound, 6 * n - 5, 6 * n);
      }
   }
}

/* Read by sums alone, 120 values have a way of 4 * 119 + 119 words. */
static void
test_sums(void **state)
{
   for (unsigned kind = CHAIN_EXP2; kind <= CHAIN_LOG2; kind++) {
      struct length l = compile_chain((enum chain)kind, 74, true);
      assert_in_range(l.count, l.bound, 5 * 74 + 8);
      l = compile_chain((enum chain)kind, 100, true);
      assert_in_range(l.count, l.bound, 512);
      l = compile_chain((enum chain)kind, 120, true);
      assert_int_equal(l.count, 0);
      assert_in_range(l.bound, 595, 600);
   }
}

/* Whether it is right; its numbers are printed. */
static const struct gpc_program *
finish(struct gp_case *c, struct arena *arena)
{
   gp_case_end(c);
   const struct gpc_program *p = gp_case_compile(c, arena, 1);
   const char *error = p->error ? p->error : gp_case_check(c, p, arena);
   print_message("%u scalars: %s%u instructions, %u temporaries\n",
                 p->cross_block, error ? error : "", p->count, p->num_temps);
   assert_null(error);
   return p;
}

/* More values cross a loop than there are registers. */
static void
test_cross_block(void **state)
{
   struct arena *arena = arena_create(NULL);
   struct gp_case c;
   nir_value *v[100];

   gp_case_begin(&c, 1);
   nir_builder *b = &c.b;
   for (unsigned i = 0; i < ARRAY_SIZE(v); i++)
      v[i] = nir_fmul(b, gp_case_attribute(&c, i % 16),
                      gp_case_uniform(&c, i / 16 + 1));
   nir_variable *x =
      nir_new_local(b->impl, glsl_scalar_type(GLSL_TYPE_FLOAT), NULL);
   nir_store_var(b, x, gp_case_attribute(&c, 0), 1);
   nir_loop *loop = nir_push_loop(b);
   nir_push_if(b, nir_flt(b, nir_imm_float(b, 100), nir_load_var(b, x)));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, NULL);
   nir_store_var(b, x,
                 nir_fadd(b,
                          nir_fmul(b, nir_load_var(b, x), nir_load_var(b, x)),
                          nir_imm_float(b, 1)),
                 1);
   nir_pop_loop(b, loop);
   nir_value *sum = nir_load_var(b, x);
   for (unsigned i = 0; i < ARRAY_SIZE(v); i++)
      sum = nir_fadd(b, nir_fmul(b, sum, gp_case_uniform(&c, 0)), v[i]);
   for (unsigned k = 0; k < 4; k++)
      c.outputs[k] = sum;
   const struct gpc_program *p = finish(&c, arena);
   assert_true(p->cross_block > 64);
   gp_case_destroy(&c);
   arena_destroy(arena);
}

/* i below `length`, from an attribute. */
static nir_value *
index_from(struct gp_case *c, unsigned scalar, int length)
{
   nir_builder *b = &c->b;
   nir_value *i = nir_f2i32(b, nir_fabs(b, gp_case_attribute(c, scalar)));

   return nir_imin(b, i, nir_imm_int(b, length - 1));
}

/* An array of vectors with variable indices: far fewer words than as many
 * selects, and other elements, which a store leaves alone, keep theirs. */
static void
test_array(void **state)
{
   struct arena *arena = arena_create(NULL);
   struct gp_case c;

   gp_case_begin(&c, 3);
   nir_builder *b = &c.b;
   nir_variable *a =
      nir_new_local(b->impl, glsl_array_type(glsl_vec4_type(), 20, 0), "a");
   nir_deref_instr *d = nir_deref_to(b, a);
   for (int i = 0; i < 20; i++) {
      nir_value *v[4];
      for (unsigned k = 0; k < 4; k++)
         v[k] = nir_fmul(b, gp_case_attribute(&c, k),
                         nir_imm_float(b, (float)i + 1));
      nir_store_deref(b, nir_build_deref_array_imm(b, d, i), nir_vec(b, v, 4),
                      0xf);
   }
   nir_value *i = index_from(&c, 0, 20), *j = index_from(&c, 1, 20);
   nir_value *x = nir_load_array_var(b, a, i);
   nir_store_array_var(b, a, j, nir_fadd(b, x, x), 0x5);
   nir_value *y = nir_load_array_var(b, a, i);
   nir_value *z = nir_load_deref(b, nir_build_deref_array_imm(b, d, 3));
   for (unsigned k = 0; k < 4; k++) {
      c.outputs[k] = nir_channel(b, x, k);
      c.outputs[4 + k] = nir_channel(b, y, k);
      c.outputs[8 + k] = nir_channel(b, z, k);
   }
   const struct gpc_program *p = finish(&c, arena);
   assert_int_equal(p->num_temps, 20);
   assert_in_range(p->count, 1, 80);
   gp_case_destroy(&c);
   arena_destroy(arena);
}

/* Of an array that nothing has filled, nothing that is unwritten is read,
 * and integers and booleans in memory are what they were. */
static void
test_array_of_integers(void **state)
{
   struct arena *arena = arena_create(NULL);
   struct gp_case c;

   gp_case_begin(&c, 5);
   nir_builder *b = &c.b;
   nir_variable *a =
      nir_new_local(b->impl, glsl_array_type(glsl_int_type(), 24, 0), "a");
   nir_variable *yes =
      nir_new_local(b->impl, glsl_array_type(glsl_bool_type(), 24, 0), "yes");
   for (unsigned k = 0; k < 6; k++) {
      nir_value *i = index_from(&c, k, 24);
      nir_store_array_var(b, a, i, nir_imm_int(b, (int)k + 7), 1);
      nir_store_array_var(b, yes, i, nir_ilt(b, i, nir_imm_int(b, 4)), 1);
   }
   for (unsigned k = 0; k < 6; k++) {
      nir_value *i = index_from(&c, k, 24);
      c.outputs[k] = nir_i2f32(b, nir_load_array_var(b, a, i));
      c.outputs[8 + k] = nir_bcsel(b, nir_load_array_var(b, yes, i),
                                   nir_imm_float(b, 1), nir_imm_float(b, 2));
   }
   const struct gpc_program *p = finish(&c, arena);
   assert_int_equal(p->num_temps, 48);
   gp_case_destroy(&c);
   arena_destroy(arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mul_add),           cmocka_unit_test(test_tables),
      cmocka_unit_test(test_impossible),        cmocka_unit_test(test_sums),
      cmocka_unit_test(test_cross_block),       cmocka_unit_test(test_array),
      cmocka_unit_test(test_array_of_integers),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
