/* SPDX-License-Identifier: MIT */
/* Building, printing, validating, cloning. */
#include "util/unit_test.h"

#include <fenv.h>
#include <math.h>

#include "nir_builder.h"

static void
assert_valid(nir_shader *shader)
{
   struct arena *arena = arena_create(NULL);
   char *faults = nir_validate_shader_text(shader, arena);
   if (faults)
      fail_msg("%s%s", faults, nir_shader_as_str(shader, arena));
   arena_destroy(arena);
}

/* sum = 0; for (i = 0; i < 4; i++) if (i != 2) sum += i; output sum */
static nir_shader *
loop_shader(void)
{
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, NULL, "loop");
   nir_variable *out =
      nir_new_variable(b.shader, nir_var_shader_out, glsl_int_type(), "out");
   out->data.location = FRAG_RESULT_DATA0;
   nir_variable *i = nir_new_local(b.impl, glsl_int_type(), "i");
   nir_variable *sum = nir_new_local(b.impl, glsl_int_type(), "sum");
   nir_store_var(&b, i, nir_imm_int(&b, 0), 1);
   nir_store_var(&b, sum, nir_imm_int(&b, 0), 1);
   nir_loop *loop = nir_push_loop(&b);
   nir_value *iv = nir_load_var(&b, i);
   nir_jump_if(&b, nir_jump_break, nir_ige(&b, iv, nir_imm_int(&b, 4)));
   nir_if *nif = nir_push_if(&b, nir_ine_imm(&b, iv, 2));
   nir_store_var(&b, sum, nir_iadd(&b, nir_load_var(&b, sum), iv), 1);
   nir_pop_if(&b, nif);
   nir_store_var(&b, i, nir_iadd_imm(&b, iv, 1), 1);
   nir_pop_loop(&b, loop);
   nir_store_var(&b, out, nir_load_var(&b, sum), 1);
   return b.shader;
}

static void
builds_valid_control_flow(void **state)
{
   nir_shader *s = loop_shader();
   assert_valid(s);
   nir_function_impl *impl = nir_entry_point(s);
   nir_metadata_require(impl, nir_metadata_dominance);
   nir_block *start = nir_start_block(impl);
   nir_foreach_block(block, impl) {
      assert_true(nir_block_dominates(start, block));
      if (block != start)
         assert_false(nir_block_dominates(block, start));
   }
   nir_shader_destroy(s);
}

static void
clone_prints_alike(void **state)
{
   nir_shader *s = loop_shader();
   nir_shader *c = nir_shader_clone(NULL, s);
   assert_valid(c);
   struct arena *arena = arena_create(NULL);
   nir_number_values(nir_entry_point(s));
   assert_string_equal(nir_shader_as_str(s, arena),
                       nir_shader_as_str(c, arena));
   arena_destroy(arena);
   nir_shader_destroy(s);
   nir_shader_destroy(c);
}

/* The same shader, in less memory. */
static void
sweep_keeps_what_lives(void **state)
{
   nir_shader *s = loop_shader();
   struct arena *arena = arena_create(NULL);
   for (unsigned i = 0; i < 2000; i++)
      nir_new_alu(s, nir_op_fadd);
   nir_number_values(nir_entry_point(s));
   char *before = nir_shader_as_str(s, arena);
   const size_t size_B = arena_size_B(s->arena);
   nir_sweep(s);
   assert_valid(s);
   assert_string_equal(before, nir_shader_as_str(s, arena));
   assert_true(arena_size_B(s->arena) < size_B);
   arena_destroy(arena);
   nir_shader_destroy(s);
}

/* Each breaks one rule; the validator must say which. */
static void
validator_reports(void **state)
{
   struct arena *arena = arena_create(NULL);
   nir_shader *s = loop_shader();
   nir_function_impl *impl = nir_entry_point(s);
   nir_alu_instr *add = NULL;
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_alu)
            add = nir_instr_as_alu(instr);
      }
   }
   assert_non_null(add);

   add->instr.result.bit_size = 64;
   assert_non_null(strstr(nir_validate_shader_text(s, arena), "bit size"));
   add->instr.result.bit_size = 32;
   assert_valid(s);

   add->src[0].swizzle[0] = 3;
   assert_non_null(strstr(nir_validate_shader_text(s, arena), "swizzle"));
   add->src[0].swizzle[0] = 0;
   assert_valid(s);

   nir_value *old = add->src[1].use.value;
   add->src[1].use.value = &add->instr.result;
   assert_non_null(nir_validate_shader_text(s, arena));
   add->src[1].use.value = old;
   assert_valid(s);
   arena_destroy(arena);
   nir_shader_destroy(s);
}

static void
use_before_definition(void **state)
{
   struct arena *arena = arena_create(NULL);
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_VERTEX, NULL, "order");
   nir_value *one = nir_imm_float(&b, 1.0f);
   nir_value *two = nir_fadd(&b, one, one);
   nir_instr_move(nir_before_block(nir_start_block(b.impl)), two->instr);
   assert_non_null(
      strstr(nir_validate_shader_text(b.shader, arena), "defined before"));
   arena_destroy(arena);
   nir_shader_destroy(b.shader);
}

static void
extract_and_reinsert(void **state)
{
   nir_shader *s = loop_shader();
   nir_function_impl *impl = nir_entry_point(s);
   struct arena *arena = arena_create(NULL);
   nir_number_values(impl);
   char *before = nir_shader_as_str(s, arena);
   nir_cf_list list;
   nir_cf_extract(&list, nir_before_cf_list(&impl->body),
                  nir_after_cf_list(&impl->body));
   assert_true(nir_cf_list_is_empty_block(&impl->body));
   nir_cf_put_back(&list, nir_before_cf_list(&impl->body));
   assert_valid(s);
   assert_string_equal(before, nir_shader_as_str(s, arena));
   arena_destroy(arena);
   nir_shader_destroy(s);
}

static void
types_are_interned(void **state)
{
   assert_ptr_equal(glsl_vec_type(4), glsl_vector_type(GLSL_TYPE_FLOAT, 4));
   assert_ptr_equal(glsl_array_type(glsl_dvec_type(3), 4, 0),
                    glsl_array_type(glsl_dvec_type(3), 4, 0));
   assert_ptr_not_equal(glsl_array_type(glsl_dvec_type(3), 4, 0),
                        glsl_array_type(glsl_dvec_type(3), 4, 32));
   const struct glsl_type *aoa =
      glsl_array_type(glsl_array_type(glsl_float_type(), 3, 0), 2, 0);
   assert_string_equal(glsl_get_type_name(aoa), "float[2][3]");
   assert_int_equal(glsl_count_attribute_slots(glsl_dvec_type(4), false), 2);
   assert_int_equal(glsl_count_attribute_slots(glsl_dvec_type(4), true), 1);
   assert_string_equal(
      glsl_get_type_name(glsl_matrix_type(GLSL_TYPE_DOUBLE, 3, 2)),
      "dmat2x3");
}

/* ---- divergence ---- */

static bool
is_push_constant(const nir_intrinsic_instr *intr, const void *data)
{
   (void)data;
   return intr->intrinsic == nir_intrinsic_load_push_constant;
}

static nir_value *
uniform_or_not(nir_builder *b, bool uniform)
{
   return uniform ? nir_load_push_constant(b, 1, 32, nir_imm_int(b, 0),
                                           .base = 0, .range = 4)
                  : nir_load_sample_id(b);
}

/* if (x < 3) i = 1; else i = 2; or: while (i < x) i++; what i is then. */
static void
check_divergence(bool loop, bool uniform)
{
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, NULL, "div");
   nir_variable *i = nir_new_local(b.impl, glsl_int_type(), "i");
   nir_value *x = uniform_or_not(&b, uniform);
   nir_loop *nloop = NULL;
   nir_store_var(&b, i, nir_imm_int(&b, 0), 1);
   if (loop) {
      nloop = nir_push_loop(&b);
      nir_value *iv = nir_load_var(&b, i);
      nir_jump_if(&b, nir_jump_break, nir_ige(&b, iv, x));
      nir_store_var(&b, i, nir_iadd_imm(&b, iv, 1), 1);
      nir_pop_loop(&b, nloop);
   } else {
      nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
      nir_store_var(&b, i, nir_imm_int(&b, 1), 1);
      nir_push_else(&b, nif);
      nir_store_var(&b, i, nir_imm_int(&b, 2), 1);
      nir_pop_if(&b, nif);
   }
   nir_value *after = nir_iadd_imm(&b, nir_load_var(&b, i), 7);
   nir_lower_vars_to_ssa(b.shader);
   nir_find_divergence(b.impl, is_push_constant, NULL);
   assert_int_equal(x->divergent, !uniform);
   assert_int_equal(after->divergent, !uniform);
   if (loop)
      assert_int_equal(nloop->divergent, !uniform);
   nir_shader_destroy(b.shader);
}

static void
divergence_of_phis(void **state)
{
   (void)state;
   for (unsigned k = 0; k < 4; k++)
      check_divergence(k & 1, k & 2);
}

/* The host's sums and products in the mode that the opcodes are named
 * after. */
static double
host_toward_zero(bool product, unsigned bits, double x, double y)
{
   const volatile double dx = x, dy = y;
   const volatile float fx = (float)x, fy = (float)y;
   volatile double d;
   volatile float f;

   fesetround(FE_TOWARDZERO);
   if (bits == 64) {
      d = product ? dx * dy : dx + dy;
   } else {
      f = product ? fx * fy : fx + fy;
      d = f;
   }
   fesetround(FE_TONEAREST);
   return d;
}

static void
check_toward_zero(unsigned bits, double x, double y)
{
   static const nir_op ops[2] = { nir_op_fadd_rtz, nir_op_fmul_rtz };

   for (unsigned product = 0; product < 2; product++) {
      nir_const_value a = nir_const_value_for_float(x, bits);
      nir_const_value b = nir_const_value_for_float(y, bits), is = { 0 };
      nir_const_value *src[] = { &a, &b };
      const double want = host_toward_zero(product, bits, x, y);
      const nir_const_value w = nir_const_value_for_float(want, bits);

      nir_eval_const_opcode(ops[product], &is, 1, bits, src, 0);
      if (want == want ? is.u64 != w.u64
                       : nir_const_value_as_float(is, bits) ==
                            nir_const_value_as_float(is, bits))
         fail_msg("%s of %u bits: %a, %a -> %a, want %a",
                  nir_op_infos[ops[product]].name, bits, x, y,
                  nir_const_value_as_float(is, bits), want);
   }
}

/* Exponents near and far apart, and those at which a result overflows or is
 * subnormal. */
static void
sums_and_products_toward_zero(void **state)
{
   static const double ends[] = { 0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0x1.fffffep127,
                                  -0x1.fffffep127,
                                  0x1p-149,
                                  -0x1p-149,
                                  0x1p-126,
                                  0x1.fffffffffffffp1023,
                                  0x1p-1022,
                                  0x1p-1074,
                                  -0x1p-1074 };
   uint64_t seed = 1;

   for (unsigned i = 0; i < 200000; i++) {
      double v[2];
      for (unsigned k = 0; k < 2; k++) {
         seed = seed * 6364136223846793005ull + 1442695040888963407ull;
         const uint64_t r = seed >> 11;
         const int e = (int)(r % (i & 1 ? 2098 : 120));
         v[k] = ldexp((double)(r | 1), e - (i & 1 ? 1126 : 110));
         if (i & 2)
            v[k] = (double)(float)v[k];
         if (r >> 20 & 1)
            v[k] = -v[k];
         if (i % 16 == 0)
            v[k] = ends[(r >> 8) % ARRAY_SIZE(ends)];
      }
      check_toward_zero(64, v[0], v[1]);
      check_toward_zero(32, (float)v[0], (float)v[1]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(builds_valid_control_flow),
      cmocka_unit_test(clone_prints_alike),
      cmocka_unit_test(sweep_keeps_what_lives),
      cmocka_unit_test(validator_reports),
      cmocka_unit_test(use_before_definition),
      cmocka_unit_test(extract_and_reinsert),
      cmocka_unit_test(types_are_interned),
      cmocka_unit_test(divergence_of_phis),
      cmocka_unit_test(sums_and_products_toward_zero),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
