/* SPDX-License-Identifier: MIT */
/*
 * d3dbc executed from its tokens, and translated to NIR in the NIR
 * interpreter: the same bits, for random programs of each profile and for
 * loops whose result is known.
 */
#include "util/unit_test.h"

#include <stdio.h>

#include "compiler/d3d/d3dbc/tests/d3dbc_random.h"
#include "compiler/d3d/d3dbc/tests/d3dbc_run.h"
#include "compiler/nir/nir_builder.h"

static unsigned trials = 100;

static void
print_both(const struct d3dbc_shader *shader, nir_shader *nir)
{
   struct strbuf text = { 0 };

   d3dbc_print(shader, &text);
   fputs(strbuf_str(&text), stderr);
   strbuf_fini(&text);
   if (nir)
      nir_print_shader(nir, stderr);
}

static nir_shader *
translate(struct arena *arena, const struct d3dbc_shader *shader,
          const struct d3dbc_to_nir_options *options)
{
   struct d3d_error error;
   char buf[256];
   nir_shader *nir;

   (void)arena;
   if (!d3dbc_validate(shader, &error)) {
      print_both(shader, NULL);
      fail_msg("%s", d3d_error_text(&error, buf, sizeof(buf)));
   }
   nir = d3dbc_to_nir(shader, options, &error);
   if (!nir) {
      print_both(shader, NULL);
      fail_msg("%s", d3d_error_text(&error, buf, sizeof(buf)));
   }
   return nir;
}

/* ps_1_x leaves its colour in r0. */
static bool
is_ps_1(const struct d3dbc_shader *shader)
{
   const struct d3dbc_profile_info *pi = d3dbc_profile_info(shader->profile);

   return pi->is_ps && pi->major < 2;
}

/* Both ways, with random inputs. */
static void
compare(struct d3dbc_random *r, const struct d3dbc_shader *shader,
        const struct d3dbc_to_nir_options *options)
{
   struct util_dynarray code = { 0 };
   static struct d3dbc_interp a, b;
   nir_shader *nir = translate(r->arena, shader, options);
   const char *error;

   d3dbc_encode(shader, &code);
   for (unsigned i = 0; i < 4; i++) {
      d3dbc_random_inputs(r, &a);
      a.mul_zero = options->mul_zero;
      a.texel = d3dbc_run_texel;
      for (unsigned s = 0; s < 16; s++)
         a.coords[s] = r->sampler_type[s] == D3DBC_SAMPLER_2D ? 2 : 3;
      b = a;
      error = d3dbc_interp_run(&a, code.data, code.size_B / 4);
      assert_string_equal(error ? error : "", "");
      error = d3dbc_run_nir(nir, shader, &b, r->arena);
      assert_string_equal(error ? error : "", "");
      if (is_ps_1(shader)) {
         memcpy(a.oc[0], a.r[0], 16);
         memcpy(b.oc[0], b.r[0], 16);
      }
      error = d3dbc_run_compare(&a, &b, r->arena);
      if (error) {
         print_both(shader, nir);
         fail_msg("%s", error);
      }
   }
   util_dynarray_fini(&code);
}

static void
one_random(enum d3dbc_profile profile, unsigned seed)
{
   struct arena *arena = arena_create(NULL);
   struct d3dbc_random r = { .state = seed,
                             .arena = arena,
                             .profile = profile };
   struct d3dbc_to_nir_options options = { .parent = arena,
                                           .mul_zero = seed & 1 };

   memset(options.stage_type, D3DBC_SAMPLER_CUBE, 8);
   compare(&r, d3dbc_random_shader(&r, 12), &options);
   arena_destroy(arena);
}

static void
test_random(void **state)
{
   static const enum d3dbc_profile profiles[] = {
      D3DBC_VS_1_1, D3DBC_VS_2_0, D3DBC_VS_2_X, D3DBC_VS_3_0,
      D3DBC_PS_1_1, D3DBC_PS_1_2, D3DBC_PS_1_3, D3DBC_PS_1_4,
      D3DBC_PS_2_0, D3DBC_PS_2_X, D3DBC_PS_3_0,
   };

   (void)state;
   for (unsigned p = 0; p < ARRAY_SIZE(profiles); p++) {
      for (unsigned i = 0; i < trials; i++)
         one_random(profiles[p], 1000 * p + i);
   }
}

/* What random programs do not hit on: sequences, subroutines. */
static void
test_listings(void **state)
{
   static const char *const listings[] = {
      "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2\n",
      "ps_1_1\ntex t0\ntexm3x2pad t1, t0_bx2\ntexm3x2tex t2, t0_bx2\n"
      "mov r0, t2\n",
      "ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, t0\n",
      "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\n"
      "texm3x3tex t3, t0\nmov r0, t3\n",
      "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\n"
      "texm3x3spec t3, t0, c0\nmov r0, t3\n",
      "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\n"
      "texm3x3vspec t3, t0\nmov r0, t3\n",
      "ps_1_2\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\n"
      "texm3x3 t3, t0\nmov r0, t3\n",
      "ps_1_4\ntexld r0, t0\ntexcrd r1.rgb, t1\nphase\ntexld r2, r1_dz\n"
      "mad_sat r0, r0, r2_bx2, c0\n+ mul r1.a, r0, v0\n",
      "ps_1_1\nmov r0, v0\nmov r1, v1\nmul_sat r0.rgb, r0, r1\n"
      "+ add r0.a, r0.b, r1.a\nadd r1.rgb, r0, r1\n"
      "+ mul r0.a, r0.a, r1.b\nadd r0, r0, r1\n",
      "ps_1_4\ntexcrd r5.rgb, t1\nphase\ntexdepth r5\nmov r0, c0\n",
      "vs_2_0\ncall l1\nmov oPos, r0\nret\nlabel l1\nadd r0, v0, c0\n"
      "callnz l2, b0\nret\nlabel l2\nmul r0, r0, c1\nret\n",
      "vs_2_x\nsetp_gt p0, v0, c0\ncallnz l1, p0.x\ncallnz l1, !p0.y\n"
      "mov oPos, r0\nret\nlabel l1\nadd r0, r0, c0\nret\n",
      "vs_3_0\ndcl_position o0\nloop aL, i0\ncall l1\nrep i1\n"
      "add r0, r0, c[aL]\nendrep\nendloop\nmov o0, r0\nret\nlabel l1\n"
      "add r0, r0, c[aL + 2]\nret\n",
      "vs_3_0\ndcl_position o0\ndcl_texcoord1 o1\ndcl_texcoord2 o2\n"
      "dcl_texcoord3 o3\ndcl_texcoord4 o4\ndcl_texcoord5 o5\n"
      "dcl_texcoord6 o6\ndcl_texcoord7 o7\ndcl_texcoord8 o8\n"
      "dcl_texcoord9 o9\ndcl_texcoord10 o10\ndcl_texcoord11 o11\n"
      "loop aL, i0\n"
      "loop aL, i1\nmov o[aL + 1], v[aL + 2]\nendloop\nmov o[aL + 1], c[aL]\n"
      "endloop\n",
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(listings); i++) {
      struct arena *arena = arena_create(NULL);
      struct d3dbc_random r = { .state = i, .arena = arena };
      struct d3dbc_to_nir_options options = { .parent = arena };
      struct d3d_error error;
      struct d3dbc_shader *shader =
         d3dbc_parse(arena, listings[i], strlen(listings[i]), &error);
      assert_non_null(shader);
      memset(options.stage_type, D3DBC_SAMPLER_CUBE, 8);
      for (unsigned n = 0; n < 10; n++)
         compare(&r, shader, &options);
      arena_destroy(arena);
   }
}

/* --- Semantics ---------------------------------------------------------- */

static struct d3dbc_shader *
parse(struct arena *arena, const char *text)
{
   struct d3d_error error;
   struct d3dbc_shader *shader =
      d3dbc_parse(arena, text, strlen(text), &error);

   assert_non_null(shader);
   return shader;
}

/* Components of one register with semantics of their own; they keep their
 * places. */
static void
test_packed(void **state)
{
   struct arena *arena = arena_create(NULL);
   const struct d3dbc_to_nir_options options = { .parent = arena };
   static struct d3dbc_interp s = {
      .c = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } },
      .v = { [3] = { 1, 2, 3, 4 }, [5] = { 5, 6, 7, 8 } },
   };
   static const float texcoord[4] = { 5, 0, 0, 8 }, color[4] = { 0, 6, 7, 0 },
                      both[4] = { 1, 2, 7, 8 };
   struct d3dbc_shader *shader =
      parse(arena, "vs_3_0\ndcl_position o0\ndcl_texcoord3 o1.xw\n"
                   "dcl_color1 o1.yz\nmov o0, c0\nmov o1, c1\n");

   (void)state;
   assert_null(
      d3dbc_run_nir(translate(arena, shader, &options), shader, &s, arena));
   assert_memory_equal(s.o[3], texcoord, 16);
   assert_memory_equal(s.od[1], color, 16);
   shader = parse(arena, "ps_3_0\ndcl_texcoord3 v1.xy\n"
                         "dcl_texcoord5_centroid v1.zw\nmov oC0, v1\n");
   nir_shader *nir = translate(arena, shader, &options);
   assert_null(d3dbc_run_nir(nir, shader, &s, arena));
   assert_memory_equal(s.oc[0], both, 16);
   for (int i = 3; i <= 5; i += 2) {
      const nir_variable *var = nir_variable_at(
         nir, nir_var_shader_in, (unsigned)(VARYING_SLOT_VAR0 + i));
      assert_int_equal(var->data.centroid, i == 5);
   }
   arena_destroy(arena);
}

/* Semantics beyond those with a varying of their own meet all the same. */
static void
test_many_semantics(void **state)
{
   static const char *const names[] = { "position1", "position7",
                                        "tangent1",  "binormal15",
                                        "color12",   "positiont0",
                                        "fog3" };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      struct arena *arena = arena_create(NULL);
      const struct d3dbc_to_nir_options options = { .parent = arena };
      char text[128];
      snprintf(text, sizeof(text),
               "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_%s o1\n"
               "mov o0, v0\nmov o1, v0\n",
               names[i]);
      nir_shader *vs = translate(arena, parse(arena, text), &options);
      snprintf(text, sizeof(text), "ps_3_0\ndcl_%s v4\nmov oC0, v4\n",
               names[i]);
      nir_shader *ps = translate(arena, parse(arena, text), &options);
      unsigned found = 0;
      nir_foreach_variable_with_modes(in, ps, nir_var_shader_in) {
         assert_non_null(nir_variable_at(vs, nir_var_shader_out,
                                         (unsigned)in->data.location));
         found++;
      }
      assert_int_equal(found, 1);
      arena_destroy(arena);
   }
}

/* Buffers by their number. */
static bool
place_buffer(nir_builder *b, nir_instr *instr, void *data)
{
   (void)data;
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return false;
   if (intr->intrinsic != nir_intrinsic_vulkan_resource_index)
      return false;
   b->cursor = nir_before_instr(instr);
   nir_instr_replace(&intr->instr,
                     nir_imm_int(b, (int)nir_intrinsic_binding(intr)));
   return true;
}

/* A constant out of range reads 0, however far, once offsets are bytes. */
static void
test_far_address(void **state)
{
   static const float far[] = { 300, -1, 0x1p28f, -0x1p28f, 0x1p29f, 1e30f };
   static const float zero[4];

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(far); i++) {
      struct arena *arena = arena_create(NULL);
      const struct d3dbc_to_nir_options options = { .parent = arena };
      struct d3dbc_interp s = { .c = { { 1, 2, 3, 4 } },
                                .v = { { far[i] } } };
      struct d3dbc_shader *shader =
         parse(arena, "vs_2_0\ndcl_position v0\nmova a0.x, v0.x\n"
                      "mov oPos, c[a0.x]\n");
      nir_shader *nir = translate(arena, shader, &options);
      nir_lower_explicit_io(nir, nir_var_mem_ubo,
                            nir_address_format_32bit_index_offset);
      nir_visit_instrs(nir, place_buffer, nir_metadata_none, NULL);
      const char *error = d3dbc_run_nir(nir, shader, &s, arena);
      assert_string_equal(error ? error : "", "");
      assert_memory_equal(s.raster[0], zero, 16);
      arena_destroy(arena);
   }
}

/* A predicate has no modifier but "not", and no address. */
static void
test_bad_predicate(void **state)
{
   static const uint32_t rows[][8] = {
      { 0xfffe0201, 0x13000001, 0x800f0000, 0xb0e41000, 0xa0e40000, 0xffff },
      { 0xfffe0201, 0x13000001, 0x800f0000, 0xbde41000, 0xa0e40000, 0xffff },
      { 0xfffe0201, 0x13000001, 0x800f0000, 0xb1e41000, 0xa0e40000, 0xffff },
      { 0xfffe0201, 0x14000001, 0x800f0000, 0xb0e43000, 0xb0000000,
        0xa0e40000, 0xffff },
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena *arena = arena_create(NULL);
      struct d3d_error error = { 0 };
      const struct d3dbc_shader *shader =
         d3dbc_decode(arena, rows[i], i < 3 ? 24 : 28, &error);
      assert_non_null(shader);
      assert_int_equal(d3dbc_validate(shader, &error), i < 2);
      if (i >= 2)
         assert_string_equal(error.text, "a predicate is p0 or !p0");
      arena_destroy(arena);
   }
}

/* What cannot be translated says so. */
static void
test_refused(void **state)
{
   static const char *const rows[][2] = {
      { "vs_2_0\nmov r0, c[aL]\n", "aL is read outside of a loop" },
      { "vs_2_0\ncall l1\nret\n", "no label l1" },
      { "vs_2_0\ncall l1\nret\nlabel l1\ncall l1\nret\n", "nested calls" },
      { "ps_2_0\ntexld r0, t0, s3\n", "s3 is not declared" },
      { "ps_3_0\nmov r0, v3\n", "v3 is not declared" },
      { "ps_1_1\ntexm3x2tex t2, t0\n", "without the rows before it" },
      { "vs_3_0\ndcl_texcoord1 o0\nm4x4 r0, v0, c254\n",
        "beyond the last register" },
      { "vs_3_0\ndcl_tangent7 o0\ndcl_texcoord9 o1\nmov o0, c0\n"
        "mov o1, c0\n",
        "tangent7 shares its varying" },
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena *arena = arena_create(NULL);
      const struct d3dbc_to_nir_options options = { .parent = arena };
      struct d3d_error error = { 0 };
      struct d3dbc_shader *shader =
         d3dbc_parse(arena, rows[i][0], strlen(rows[i][0]), &error);
      assert_non_null(shader);
      assert_true(d3dbc_validate(shader, &error));
      assert_null(d3dbc_to_nir(shader, &options, &error));
      if (!strstr(error.text, rows[i][1]))
         fail_msg("'%s' instead of '%s'", error.text, rows[i][1]);
      arena_destroy(arena);
   }
}

/* --- The loops of integers in SM3 --------------------------------------- */

static void
run_listing(const char *text, struct d3dbc_interp *in, unsigned what,
            float expected)
{
   struct arena *arena = arena_create(NULL);
   const struct d3dbc_to_nir_options options = { .parent = arena };
   struct util_dynarray code = { 0 };
   struct d3d_error error;
   static struct d3dbc_interp a, b;
   struct d3dbc_shader *shader =
      d3dbc_parse(arena, text, strlen(text), &error);
   nir_shader *nir;

   assert_non_null(shader);
   nir = translate(arena, shader, &options);
   d3dbc_encode(shader, &code);
   a = b = *in;
   assert_null(d3dbc_interp_run(&a, code.data, code.size_B / 4));
   assert_null(d3dbc_run_nir(nir, shader, &b, arena));
   if (a.oc[0][0] != expected || b.oc[0][0] != expected)
      fail_msg("%u times: %g and %g instead of %g", what, (double)a.oc[0][0],
               (double)b.oc[0][0], (double)expected);
   util_dynarray_fini(&code);
   arena_destroy(arena);
}

/* for (k = 0; k < m; k++) res += k, with m in i0. */
static void
test_rep_of_constant(void **state)
{
   static const char text[] =
      "ps_3_0\ndef c0, 0, 1, 0, 0\nmov r0, c0.x\nmov r1.x, c0.x\nrep i0\n"
      "add r0, r0, r1.x\nadd r1.x, r1.x, c0.y\nendrep\nmov oC0, r0\n";

   (void)state;
   for (unsigned m = 0; m <= 300; m++) {
      struct d3dbc_interp in = { .i = { { (int)m, 0, 0, 0 } } };
      run_listing(text, &in, m, (float)(m * (m - 1.0) / 2));
   }
}

/* The same up to a computed bound, under one rep of 255 and under two. A
 * single one is right for 255 iterations at most: so the bytecode says. */
static void
test_break_at_bound(void **state)
{
   static const char one[] =
      "ps_3_0\ndef c1, 0, 0, 1, 0\ndefi i0, 255, 0, 0, 0\n"
      "mul r0.x, c0.x, c0.y\nmov r1, c1.y\nmov r0.y, c1.y\nrep i0\n"
      "mov r0.z, r0.x\nbreak_ge r0.y, r0.z\nadd r1, r0.y, r1\n"
      "add r0.y, r0.y, c1.z\nendrep\nmov oC0, r1\n";
   static const char two[] =
      "ps_3_0\ndef c1, 0, 0, 1, 0\ndefi i0, 255, 0, 0, 0\n"
      "mul r0.x, c0.x, c0.y\nmov r1, c1.y\nmov r0.y, c1.y\nrep i0\nrep i0\n"
      "break_ge r0.y, r0.x\nadd r1, r0.y, r1\nadd r0.y, r0.y, c1.z\nendrep\n"
      "break_ge r0.y, r0.x\nendrep\nmov oC0, r1\n";

   (void)state;
   for (unsigned m = 0; m <= 300; m++) {
      const unsigned n = MIN2(m, 255);
      struct d3dbc_interp in = { .c = { { (float)m, 1, 0, 0 } } };
      run_listing(one, &in, m, (float)(n * (n - 1.0) / 2));
      run_listing(two, &in, m, (float)(m * (m - 1.0) / 2));
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rep_of_constant),
      cmocka_unit_test(test_break_at_bound),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_listings),
      cmocka_unit_test(test_packed),
      cmocka_unit_test(test_many_semantics),
      cmocka_unit_test(test_far_address),
      cmocka_unit_test(test_bad_predicate),
      cmocka_unit_test(test_refused),
   };

   if (argc > 1)
      trials = (unsigned)strtoul(argv[1], NULL, 10);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
