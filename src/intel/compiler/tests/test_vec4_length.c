/* SPDX-License-Identifier: MIT */
/* SIMD4x2 code of vectors is hardly longer than that of one component, and it
 * does not matter how a vector was loaded. */
#include "uniform_fixture.h"
#include "util/unit_test.h"

static struct compiler_fixture t;
static nir_builder b;

static int
setup(void **state)
{
   return compiler_fixture_begin(&t, "hsw");
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

/* `comps` doubles of uniform block 1 at a byte. */
static nir_value *
load(unsigned comps, unsigned at_B)
{
   return load_uniform(&b, comps, 64, at_B);
}

/* Makes `v` an output. */
static void
put_out(nir_value *v, const struct glsl_type *type, unsigned location)
{
   nir_variable *out =
      nir_new_variable(b.shader, nir_var_shader_out, type, "out");

   out->data.location = (int)location;
   nir_store_var(&b, out, v, BITFIELD_MASK(v->num_components));
}

/* The number of instructions. */
static unsigned
count(void)
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

/* The same, when all components of `v` are an output. */
static unsigned
finish(nir_value *v)
{
   const unsigned comps = v->num_components;
   nir_value *c[4];

   for (unsigned i = 0; i < 4; i++)
      c[i] = nir_channel(&b, v, MIN2(i, comps - 1));
   put_out(nir_vec(&b, c, 4), glsl_vec4_type(), VARYING_SLOT_VAR0);
   return count();
}

/* A sum of two dvec4 that are read at once, or double by double. */
static unsigned
sum(bool by_component)
{
   nir_value *v[2], *c[4];

   begin();
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned k = 0; k < 4; k++)
         c[k] = by_component ? load(1, 32 * i + 8 * k) : NULL;
      v[i] = by_component ? nir_vec(&b, c, 4) : load(4, 32 * i);
   }
   return finish(nir_f2f32(&b, nir_fadd(&b, v[0], v[1])));
}

static void
loads(void **state)
{
   assert_int_equal(sum(true), sum(false));
}

/* Exponents made one larger. */
static unsigned
exponents(unsigned comps)
{
   nir_value *v, *high;

   begin();
   v = load(comps, 0);
   high = nir_unpack_64_2x32_split_y(&b, v);
   high = nir_iadd(&b, high, nir_imm_int(&b, 0x100000));
   v = nir_pack_64_2x32_split(&b, nir_unpack_64_2x32_split_x(&b, v), high);
   return finish(nir_f2f32(&b, v));
}

/* The halves of one double for both vertices are dwords that are there: only
 * vectors are taken apart, by one move for each half and vertex. */
static void
halves(void **state)
{
   assert_in_range(exponents(4), 1, exponents(1) + 7);
   assert_in_range(exponents(2), 1, exponents(1) + 7);
}

/* Whether two dvec4 are the same: asked of vectors, or of each component. */
static unsigned
equal(bool by_component, bool different)
{
   nir_value *x, *y, *all = NULL;

   begin();
   x = nir_fadd(&b, load(4, 0), load(4, 32));
   y = load(4, 64);
   for (unsigned i = 0; i < 4 && by_component; i++) {
      nir_value *cx = nir_channel(&b, x, i), *cy = nir_channel(&b, y, i);
      /* Equality has no direction. */
      nir_value *one = different
                          ? nir_fneu(&b, i & 1 ? cy : cx, i & 1 ? cx : cy)
                          : nir_feq(&b, i & 1 ? cy : cx, i & 1 ? cx : cy);
      all = !all        ? one
            : different ? nir_ior(&b, all, one)
                        : nir_iand(&b, all, one);
   }
   if (!by_component)
      all = different ? nir_bany_fnequal4(&b, x, y)
                      : nir_ball_fequal4(&b, x, y);
   return finish(
      nir_bcsel(&b, all, nir_imm_float(&b, 2), nir_imm_float(&b, 3)));
}

static void
comparisons(void **state)
{
   assert_int_equal(equal(true, false), equal(false, false));
   assert_int_equal(equal(true, true), equal(false, true));
}

/* A dot product of floats. */
static unsigned
dot(unsigned comps, bool exact)
{
   nir_value *x, *y;

   begin();
   x = nir_f2f32(&b, load(comps, 0));
   y = nir_f2f32(&b, load(comps, 64));
   b.exact = exact;
   return finish(nir_fdot(&b, x, y));
}

/* One instruction, unless each product is to be rounded. */
static void
products(void **state)
{
   assert_int_equal(dot(3, false), dot(4, false));
   assert_int_equal(dot(4, true), dot(4, false) + 6);
}

/* A sum of doubles that is an output, or the same as floats. */
static unsigned
output(unsigned comps, bool doubles)
{
   nir_value *sum;

   begin();
   sum = nir_fadd(&b, load(comps, 0), load(comps, 32));
   if (!doubles)
      return finish(nir_f2f32(&b, sum));
   put_out(sum, glsl_dvec_type(comps), VARYING_SLOT_VAR0);
   return count();
}

/* A move for each slot, of both vertices. */
static void
outputs(void **state)
{
   for (unsigned comps = 2; comps <= 4; comps++)
      assert_in_range(output(comps, true), 1, output(comps, false));
}

/* A product of two inputs of a domain shader, a patch each, as an output. */
static unsigned
input(const struct glsl_type *type)
{
   nir_value *v[2];

   b = nir_builder_init_simple_shader(MESA_SHADER_TESS_EVAL,
                                      intel_compiler_nir_options(t.compiler),
                                      "length");
   b.shader->info.tess._primitive_mode = TESS_PRIMITIVE_TRIANGLES;
   for (unsigned i = 0; i < 2; i++) {
      nir_variable *in =
         nir_new_variable(b.shader, nir_var_shader_in, type, "in");
      in->data.location = (int)(VARYING_SLOT_PATCH0 + 2 * i);
      in->data.patch = true;
      v[i] = nir_load_var(&b, in);
   }
   put_out(nir_fmul(&b, v[0], v[1]), type, VARYING_SLOT_VAR0);
   return count();
}

/* One slot more is one move more of the output; of doubles that both points
 * share the product is made for either of them, and one factor is copied. */
static void
inputs(void **state)
{
   const unsigned floats = input(glsl_vec4_type());

   assert_in_range(input(glsl_dvec_type(2)), floats, floats + 4);
   assert_in_range(input(glsl_dvec_type(4)), floats, floats + 6);
}

/* A component that is not defined is not moved. */
static void
undefined(void **state)
{
   nir_value *c[4];
   unsigned count[2];

   for (unsigned i = 0; i < 2; i++) {
      begin();
      c[0] = c[1] = c[2] = c[3] = nir_imm_float(&b, 2);
      if (i)
         c[3] = nir_undef(&b, 1, 32);
      count[i] = finish(nir_vec(&b, c, 4));
   }
   assert_int_equal(count[0], count[1]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(loads, setup, teardown),
      cmocka_unit_test_setup_teardown(halves, setup, teardown),
      cmocka_unit_test_setup_teardown(comparisons, setup, teardown),
      cmocka_unit_test_setup_teardown(products, setup, teardown),
      cmocka_unit_test_setup_teardown(outputs, setup, teardown),
      cmocka_unit_test_setup_teardown(inputs, setup, teardown),
      cmocka_unit_test_setup_teardown(undefined, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
