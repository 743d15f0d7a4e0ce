/* SPDX-License-Identifier: MIT */
/* Lengths of scalar code: selects between zero and a constant are as short as
 * conversions of their condition (no flag, no constant in a register), and
 * outputs are computed where they are sent from. */
#include "uniform_fixture.h"
#include "util/unit_test.h"

static struct compiler_fixture t;
static nir_builder b;

static int
setup(void **state)
{
   return compiler_fixture_begin(&t, "skl");
}

static int
teardown(void **state)
{
   return compiler_fixture_end(&t);
}

static void
begin(void)
{
   b = nir_builder_init_simple_shader(
      MESA_SHADER_VERTEX, intel_compiler_nir_options(t.compiler), "length");
}

/* The number of instructions. */
static unsigned
finish(void)
{
   const union intel_key key = { .vs = { 0 } };
   const struct intel_compile_params params = { .arena = t.arena,
                                                .nir = b.shader };

   intel_preprocess_nir(t.compiler, b.shader);
   const struct intel_shader *sh = intel_compile(t.compiler, &params, &key);
   if (!sh->code)
      fail_msg("%s", sh->error);
   nir_shader_destroy(b.shader);
   return sh->stats[0].instructions;
}

enum condition { OF_FLOATS, OF_DOUBLES, OF_BOTH, OF_VERTICES, CONDITIONS };

/* A number of uniform block 1 at a byte. */
static nir_value *
load(unsigned bits, unsigned at_B)
{
   return load_uniform(&b, 1, bits, at_B);
}

static nir_value *
make_condition(enum condition which)
{
   switch (which) {
   case OF_FLOATS: return nir_flt(&b, load(32, 0), load(32, 8));
   case OF_DOUBLES: return nir_flt(&b, load(64, 16), load(64, 24));
   case OF_BOTH:
      return nir_iand(&b, make_condition(OF_FLOATS),
                      make_condition(OF_DOUBLES));
   case OF_VERTICES: return nir_ilt_imm(&b, nir_load_vertex_id(&b), 3);
   case CONDITIONS: break;
   }
   fail_msg("no condition");
   return NULL;
}

/* 1.0 or 0 by a condition, or the other way round; converted, or selected. */
static unsigned
length(enum condition which, bool converted, bool inverse)
{
   begin();
   nir_variable *out = nir_new_variable(b.shader, nir_var_shader_out,
                                        glsl_float_type(), "out");
   nir_value *cond = make_condition(which);
   nir_value *one = nir_imm_float(&b, 1), *zero = nir_imm_float(&b, 0);
   nir_value *v = converted ? nir_b2f32(&b, cond)
                  : inverse ? nir_bcsel(&b, cond, zero, one)
                            : nir_bcsel(&b, cond, one, zero);

   out->data.location = VARYING_SLOT_VAR0;
   nir_store_var(&b, out, v, 0x1);
   return finish();
}

static void
selects(void **state)
{
   for (unsigned i = 0; i < CONDITIONS; i++) {
      const unsigned converted = length(i, true, false);

      assert_int_equal(length(i, false, false), converted);
      assert_int_equal(length(i, false, true), converted);
   }
}

/* Instructions of a shader that stores a sum of uniforms as that many
 * outputs. */
static unsigned
stores(unsigned outputs)
{
   begin();
   nir_value *v = nir_fadd(&b, load(32, 0), load(32, 8));

   for (unsigned i = 0; i < outputs; i++) {
      nir_variable *out = nir_new_variable(b.shader, nir_var_shader_out,
                                           glsl_float_type(), "out");
      out->data.location = VARYING_SLOT_VAR0 + (int)i;
      nir_store_var(&b, out, v, 0x1);
   }
   return finish();
}

/* It is computed in all channels, right into a message, and copied once. */
static void
several_outputs(void **state)
{
   assert_int_equal(stores(2), stores(1) + 1);
}

/* Instructions of (v * x + v) * y + v. */
static unsigned
sums(float x, float y)
{
   begin();
   nir_variable *out = nir_new_variable(b.shader, nir_var_shader_out,
                                        glsl_float_type(), "out");
   nir_value *v = nir_i2f32(&b, nir_load_vertex_id(&b));
   nir_value *first = nir_ffma(&b, v, nir_imm_float(&b, x), v);

   out->data.location = VARYING_SLOT_VAR0;
   nir_store_var(&b, out, nir_ffma(&b, first, nir_imm_float(&b, y), v), 0x1);
   return finish();
}

/* A constant and its negation share a register. */
static void
constants_of_either_sign(void **state)
{
   assert_int_equal(sums(3, -3), sums(3, 3));
   assert_int_equal(sums(-3, 3), sums(3, 3));
   assert_int_equal(sums(3, 5), sums(3, 3) + 1);
}

/* Instructions of a product as output, or its negation. */
static unsigned
product(bool negated)
{
   begin();
   nir_variable *out = nir_new_variable(b.shader, nir_var_shader_out,
                                        glsl_float_type(), "out");
   nir_value *v = nir_i2f32(&b, nir_load_vertex_id(&b));
   nir_value *r = nir_fmul(&b, v, load(32, 0));

   out->data.location = VARYING_SLOT_VAR0;
   nir_store_var(&b, out, negated ? nir_fneg(&b, r) : r, 0x1);
   return finish();
}

/* It has its sign before it is computed. */
static void
negated_product(void **state)
{
   assert_int_equal(product(true), product(false));
}

static void
begin_fragments(void)
{
   b = nir_builder_init_simple_shader(
      MESA_SHADER_FRAGMENT, intel_compiler_nir_options(t.compiler), "colour");
}

/* The fragment shader with this colour. */
static const struct intel_shader *
finish_fragments(nir_value *colour)
{
   const union intel_key key = { .wm = { .nr_color_regions = 1,
                                         .color_outputs_valid = 1 } };
   struct intel_compile_params params = { .arena = t.arena };
   nir_variable *out =
      nir_new_variable(b.shader, nir_var_shader_out, glsl_vec4_type(), "out");

   out->data.location = FRAG_RESULT_DATA0;
   nir_store_var(&b, out, colour, 0xf);
   intel_preprocess_nir(t.compiler, b.shader);
   params.nir = b.shader;
   const struct intel_shader *sh = intel_compile(t.compiler, &params, &key);
   if (!sh->code)
      fail_msg("%s", sh->error);
   nir_shader_destroy(b.shader);
   return sh;
}

/* Instructions in SIMD8 of a fragment shader with the colour x, or, where the
 * polygon does not face the front, y. */
static unsigned
colour(bool of_both_faces)
{
   begin_fragments();
   nir_value *at = nir_load_frag_coord(&b);
   nir_value *x = nir_channel(&b, at, 0), *y = nir_channel(&b, at, 1);
   nir_value *v = of_both_faces
                     ? nir_bcsel(&b, nir_load_front_face(&b, 1), x, y)
                     : nir_fadd(&b, x, y);

   return finish_fragments(nir_vec4(&b, x, y, v, v))->stats[0].instructions;
}

/* The face is one comparison, and no number. */
static void
faces(void **state)
{
   assert_int_equal(colour(true), colour(false) + 1);
}

/* What is flat is the same in all channels, doubles too: in SIMD16 it takes
 * no more instructions than in SIMD8. */
static void
flat_doubles(void **state)
{
   begin_fragments();
   nir_variable *in =
      nir_new_variable(b.shader, nir_var_shader_in, glsl_dvec_type(2), "in");
   in->data.location = VARYING_SLOT_VAR0;
   in->data.interpolation = INTERP_MODE_FLAT;
   nir_value *v = nir_load_var(&b, in);
   nir_value *r = nir_f2f32(&b, nir_fmul(&b, nir_channel(&b, v, 0),
                                         nir_channel(&b, v, 1)));
   const struct intel_shader *sh = finish_fragments(nir_vec4(&b, r, r, r, r));

   assert_int_equal(sh->stats[1].instructions, sh->stats[0].instructions);
}

/* A large array is no memory if its indices are constants once they have been
 * computed. */
static void
indices_that_become_constant(void **state)
{
   begin();
   nir_variable *out = nir_new_variable(b.shader, nir_var_shader_out,
                                        glsl_float_type(), "out");
   nir_variable *array = nir_new_local(
      b.impl, glsl_array_type(glsl_float_type(), 256, 0), "array");
   nir_deref_instr *element = nir_build_deref_array(
      &b, nir_deref_to(&b, array),
      nir_iadd(&b, nir_imm_int(&b, 1), nir_imm_int(&b, 2)));

   out->data.location = VARYING_SLOT_VAR0;
   nir_store_deref(&b, element, load(32, 0), 0x1);
   nir_store_var(&b, out, nir_load_deref(&b, element), 0x1);
   intel_preprocess_nir(t.compiler, b.shader);
   assert_int_equal(b.shader->scratch_size, 0);
   nir_shader_destroy(b.shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(selects, setup, teardown),
      cmocka_unit_test_setup_teardown(several_outputs, setup, teardown),
      cmocka_unit_test_setup_teardown(constants_of_either_sign, setup,
                                      teardown),
      cmocka_unit_test_setup_teardown(negated_product, setup, teardown),
      cmocka_unit_test_setup_teardown(faces, setup, teardown),
      cmocka_unit_test_setup_teardown(flat_doubles, setup, teardown),
      cmocka_unit_test_setup_teardown(indices_that_become_constant, setup,
                                      teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
