/* SPDX-License-Identifier: MIT */
/* The text form: round trips, what Mesa prints, what must be refused. */
#include "util/tests/page_end.h"
#include "util/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nir_builder.h"
#include "nir_interp.h"

static nir_shader *
parse_ok(struct arena *arena, const char *text)
{
   char *error = NULL;
   nir_shader *s = nir_parse_shader(arena, text, strlen(text), NULL, &error);
   if (!s)
      fail_msg("%s\n%s", error, text);
   return s;
}

static void
assert_round_trip(nir_shader *s)
{
   struct arena *arena = arena_create(NULL);
   /* Values read back are numbered in order. */
   nir_number_values(nir_entry_point(s));
   char *first = nir_shader_as_str(s, arena);
   nir_shader *back = parse_ok(arena, first);
   const char *a = first, *b = nir_shader_as_str(back, arena);
   /* Whole texts are too long to read: show the line that differs. */
   for (const char *line = a; strcmp(a, b) != 0; a++, b++) {
      if (*a != *b)
         fail_msg("'%.*s' came back with '%.60s'", (int)(a - line + 40), line,
                  b);
      if (*a == '\n')
         line = a + 1;
   }
   arena_destroy(arena);
}

/* A bit of everything that has a text form. */
static nir_shader *
rich_shader(void)
{
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, NULL, "rich");
   const struct glsl_struct_field fields[] = {
      { GLSL_STRUCT_FIELD_DEFAULT, .type = glsl_dvec_type(3), .name = "d",
        .offset = 0 },
      { GLSL_STRUCT_FIELD_DEFAULT,
        .type = glsl_array_type(glsl_vec_type(4), 4, 16), .name = "a",
        .offset = 32 },
   };
   nir_variable *ubo = nir_new_variable(
      b.shader, nir_var_mem_ubo,
      glsl_interface_type(fields, 2, GLSL_INTERFACE_PACKING_STD430, false,
                          "Block"),
      "block");
   ubo->data.descriptor_set = 1;
   ubo->data.binding = 3;
   nir_variable *in =
      nir_new_variable(b.shader, nir_var_shader_in, glsl_vec_type(2), "uv");
   in->data.location = VARYING_SLOT_VAR0 + 2;
   in->data.location_frac = 1;
   nir_variable *out = nir_new_variable(b.shader, nir_var_shader_out,
                                        glsl_vec_type(4), "color");
   out->data.location = FRAG_RESULT_DATA0;
   out->data.index = 1;
   nir_variable *tex = nir_new_variable(
      b.shader, nir_var_uniform,
      glsl_sampler_type(GLSL_SAMPLER_DIM_2D, false, true, GLSL_TYPE_FLOAT),
      "tex");

   nir_value *uv = nir_load_var(&b, in);
   nir_deref_instr *td = nir_deref_to(&b, tex);
   nir_tex_instr *t = nir_new_tex(b.shader, 0);
   t->op = nir_texop_tex;
   t->dest_type = nir_type_float32;
   t->sampler_dim = GLSL_SAMPLER_DIM_2D;
   t->is_array = true;
   t->coord_components = 3;
   nir_tex_add(t, nir_tex_src_coord,
               nir_use_of(nir_pad_vector_imm_int(&b, uv, 0, 3)));
   nir_tex_add(t, nir_tex_src_texture_deref, nir_use_of(&td->instr.result));
   nir_tex_add(t, nir_tex_src_sampler_deref, nir_use_of(&td->instr.result));
   nir_set_result(&t->instr, 4, 32);
   nir_emit(&b, &t->instr);

   nir_deref_instr *block = nir_deref_to(&b, ubo);
   nir_value *d = nir_load_deref(&b, nir_build_deref_struct(&b, block, 0));
   nir_value *index = nir_f2i32(&b, nir_channel(&b, uv, 0));
   nir_value *a = nir_load_deref(
      &b,
      nir_build_deref_array(&b, nir_build_deref_struct(&b, block, 1), index));
   b.exact = true;
   nir_value *x = nir_fmul(&b, nir_f2f32(&b, nir_channel(&b, d, 2)),
                           nir_channel(&b, a, 3));
   b.exact = false;
   nir_push_if(&b, nir_flt(&b, x, nir_imm_float(&b, 0.5f)));
   nir_discard(&b);
   nir_value *then = nir_fneg(&b, x);
   nir_push_else(&b, NULL);
   nir_loop *loop = nir_push_loop(&b);
   nir_jump_if(&b, nir_jump_break, nir_imm_true(&b));
   nir_pop_loop(&b, loop);
   nir_value *els = nir_fsat(&b, x);
   nir_pop_if(&b, NULL);
   nir_value *phi = nir_if_phi(&b, then, els);
   nir_store_var(&b, out, nir_fadd(&b, &t->instr.result, phi), 0xb);
   nir_validate_shader(b.shader, "built");
   return b.shader;
}

static void
round_trip(void **state)
{
   nir_shader *s = rich_shader();
   assert_round_trip(s);
   nir_lower_alu_to_scalar(s, NULL, NULL);
   assert_round_trip(s);
   nir_isolate_phis(s, true);
   nir_validate_shader(s, "conventional SSA");
   assert_round_trip(s);
   nir_shader_destroy(s);
}

/* As a Mesa driver prints it: divergence, source hash, other keys. */
static const char mesa_text[] =
   "NIR before handing off to driver:\n"
   "shader: MESA_SHADER_VERTEX\n"
   "source_sha1: {0x9e2f1d2a, 0x0, 0x0, 0x0, 0x0}\n"
   "name: GLSL3\n"
   "inputs: 1\noutputs: 2\nuniforms: 0\nubos: 1\nshared: 0\n"
   "ray queries: 0\n"
   "decl_var ubo INTERP_MODE_NONE block b (0, 0, 0)\n"
   "decl_var uniform INTERP_MODE_NONE float[2] c (3, 3, 0) = "
   "{ { 5.500000 }, { -1.000000 } }\n"
   "decl_var shader_in INTERP_MODE_NONE vec4 pos (VERT_ATTRIB_GENERIC0.xyzw,"
   " 0, 0)\n"
   "decl_var shader_out INTERP_MODE_NONE vec4 gl_Position "
   "(VARYING_SLOT_POS.xyzw, 0, 0)\n"
   "decl_function main (0 params)\n"
   "\n"
   "impl main {\n"
   "\tblock block_0:\n"
   "\t/* preds: */\n"
   "\tvec1 32 con ssa_0 = load_const (0x00000000 = 0.000000)\n"
   "\tvec4 32 div ssa_1 = intrinsic load_input (ssa_0) (base=0, "
   "component=0, dest_type=float32 /*160*/, io location=15 slots=1 "
   "/*143*/)\n"
   "\tvec2 32 con ssa_2 = load_const (0x3f800000, 0x40000000) = "
   "(1.000000, 2.000000)\n"
   "\tvec1 32 div ssa_3 = fadd! ssa_1.x, -abs(ssa_2.y)\n"
   "\tvec1  1 div ssa_4 = flt ssa_3, ssa_0\n"
   "\t/* succs: block_1 block_2 */\n"
   "\tif ssa_4 {\n"
   "\t\tblock block_1:\n"
   "\t\t/* preds: block_0 */\n"
   "\t\t/* succs: block_3 */\n"
   "\t} else {\n"
   "\t\tblock block_2:\n"
   "\t\t/* preds: block_0 */\n"
   "\t\tvec1 32 div ssa_5 = fmul.sat ssa_3, ssa_1.w\n"
   "\t\t/* succs: block_3 */\n"
   "\t}\n"
   "\tblock block_3:\n"
   "\t/* preds: block_1 block_2 */\n"
   "\tvec1 32 div ssa_6 = phi block_1: ssa_0, block_2: ssa_5\n"
   "\tvec4 32 div ssa_7 = vec4 ssa_6, ssa_1.y, ssa_2.x, ssa_0\n"
   "\tintrinsic store_output (ssa_7, ssa_0) (base=0, wrmask=xyzw /*15*/, "
   "component=0, src_type=float32 /*160*/, io location=0 slots=1 /*128*/, "
   "xfb() /*0*/, xfb2() /*0*/)\n"
   "\t/* succs: block_4 */\n"
   "\tblock block_4:\n"
   "}\n\n";

static void
reads_mesa(void **state)
{
   struct arena *arena = arena_create(NULL);
   nir_shader *s = parse_ok(arena, mesa_text);
   assert_int_equal(s->info.stage, MESA_SHADER_VERTEX);
   assert_int_equal(s->num_outputs, 2);
   assert_string_equal(s->info.name, "GLSL3");
   unsigned exact = 0, saturations = 0;
   nir_foreach_block(block, nir_entry_point(s)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_alu) {
            exact += nir_instr_as_alu(instr)->exact;
            saturations += nir_instr_as_alu(instr)->op == nir_op_fsat;
         }
      }
   }
   assert_int_equal(exact, 1);
   assert_int_equal(saturations, 1);
   nir_intrinsic_instr *load = nir_instr_as_intrinsic(nir_instr_next(
      nir_block_first_instr(nir_start_block(nir_entry_point(s)))));
   assert_int_equal(nir_intrinsic_io_semantics(load).location, 15);
   assert_int_equal(nir_intrinsic_dest_type(load), nir_type_float32);
   nir_foreach_uniform_variable(var, s) {
      nir_constant **c = var->constant_initializer->elements;
      assert_true(c[0]->values[0].f32 == 5.5f);
      assert_true(c[1]->values[0].f32 == -1.0f);
   }
   assert_round_trip(s);
   arena_destroy(arena);
}

#define HEAD                                                                 \
   "shader: MESA_SHADER_FRAGMENT\ndecl_function main (0 params)\n"           \
   "impl main {\n\tblock block_0:\n"

/* Out of SSA, as Mesa prints what its back ends get: registers, arrays of
 * them, write masks, modifiers. */
static void
reads_registers(void **state)
{
   static const char text[] =
      "shader: MESA_SHADER_FRAGMENT\n"
      "decl_function main (0 params)\n"
      "impl main {\n"
      "\tdecl_reg vec2 32 r0\n"
      "\tdecl_reg vec1 32 r1[4]\n"
      "\tblock block_0:\n"
      "\tvec1 32 ssa_0 = load_const (0x00000000)\n"
      "\tvec1 32 ssa_1 = load_const (0x00000001)\n"
      "\tvec2 32 ssa_2 = load_const (0xc0400000, 0x3f000000)\n"
      "\tr0 = mov ssa_2\n"
      "\tr1[1 + ssa_1] = fadd.sat r0.x, -abs(r0.x)\n"
      "\tr0.x = fneg -r0.y\n"
      "\tvec1 1 ssa_3 = flt r1[2], ssa_1\n"
      "\tif ssa_3 {\n\tblock block_1:\n"
      "\tr1[3] = fadd r0.x, abs(ssa_2.x)\n"
      "\t} else {\n\tblock block_2:\n"
      "\tr1[3] = mov ssa_0\n"
      "\t}\n\tblock block_3:\n"
      "\tvec1 32 ssa_4 = fadd r1[3], r0.y\n"
      "\tintrinsic store_output (ssa_4, ssa_0) (base=0, wrmask=x /*1*/, "
      "component=0, src_type=float32 /*160*/, io location=4 slots=1)\n"
      "\tblock block_4:\n}\n";
   struct arena *arena = arena_create(NULL);
   nir_shader *s = parse_ok(arena, text);
   nir_interp_slot outputs[NIR_INTERP_SLOTS] = { { 0 } };
   struct nir_interp_params params = { .num_lanes = 1, .outputs = outputs };
   assert_null(nir_validate_shader_text(s, arena));
   assert_null(nir_interp_run(s, &params, arena));
   /* 0.5 + |-3| + 0.5 */
   assert_true(util_bits_float(outputs[4][0]) == 4.0f);
   arena_destroy(arena);
}

/* Irreducible: the loop of block_1 and block_2 has two entries. Blocks come
 * back in reverse postorder, and so does a copy. */
static void
unstructured(void **state)
{
   static const char text[] = HEAD
      "vec1 1 ssa_0 = undefined\n"
      "vec1 32 ssa_1 = undefined\n"
      "goto block_2 if ssa_0 else block_1\n"
      "block block_9:\n"
      "return\n"
      "block block_1:\n"
      "vec1 32 ssa_2 = phi block_0: ssa_1, block_2: ssa_3\n"
      "goto block_2\n"
      "block block_2:\n"
      "vec1 32 ssa_3 = phi block_0: ssa_1, block_1: ssa_2\n"
      "goto block_1 if ssa_0 else block_9\n"
      "block block_4:\n"
      "}";
   struct arena *arena = arena_create(NULL);
   nir_shader *s = parse_ok(arena, text);
   nir_shader *copy = nir_shader_clone(arena, s);
   const char *printed = nir_shader_as_str(s, arena);

   assert_false(nir_entry_point(s)->structured);
   assert_non_null(strstr(printed, "goto block_2 if ssa_0 else block_1"));
   assert_round_trip(s);
   assert_null(nir_validate_shader_text(copy, arena));
   assert_string_equal(printed, nir_shader_as_str(copy, arena));
   assert_true(nir_structurize(copy, 0));
   assert_null(nir_validate_shader_text(copy, arena));
   assert_null(strstr(nir_shader_as_str(copy, arena), "goto"));
   arena_destroy(arena);
}

/* A jump that stands after the phis that it leads to. */
static void
phis_of_continue(void **state)
{
   static const char text[] =
      "shader: MESA_SHADER_FRAGMENT\n"
      "decl_function main (0 params)\n"
      "impl main {\n"
      "block block_0:\n"
      "vec1 1 ssa_0 = load_const (true)\n"
      "vec1 32 ssa_1 = load_const (0x00000001)\n"
      "loop {\n"
      "block block_1:\n"
      "vec1 32 ssa_2 = phi block_0: ssa_1, block_2: ssa_3, block_4: ssa_2\n"
      "if ssa_0 {\n"
      "block block_2:\n"
      "vec1 32 ssa_3 = iadd ssa_2, ssa_1\n"
      "continue\n"
      "} else {\n"
      "block block_3:\n"
      "}\n"
      "block block_4:\n"
      "}\n"
      "block block_5:\n"
      "}";
   struct arena *arena = arena_create(NULL);
   nir_shader *s = parse_ok(arena, text);

   assert_null(nir_validate_shader_text(s, arena));
   assert_null(strstr(nir_shader_as_str(s, arena), "undefined"));
   assert_round_trip(s);
   arena_destroy(arena);
}

static const struct {
   const char *text, *error;
} refused[] = {
   { "", "1:1: expected 'shader'" },
   { "shader: MESA_SHADER_FRAG\n", "unknown stage" },
   { "shader: MESA_SHADER_FRAGMENT\n", "no function is implemented" },
   { HEAD, "5:1: expected '}'" },
   { HEAD "vec1 32 ssa_0 = fadd ssa_1, ssa_2\n}",
     "5:22: ssa_1 is used before" },
   { HEAD "vec1 32 ssa_0 = frobnicate ssa_1\n}",
     "5:17: unknown instruction" },
   { HEAD "vec6 32 ssa_0 = undefined\n}", "1 to 5, 8 or 16" },
   { HEAD "vec1 33 ssa_0 = undefined\n}", "a bit size is" },
   { HEAD "vec1 32 ssa_0 = undefined\nvec1 32 ssa_0 = undefined\n}",
     "6:14: ssa_0 is defined twice" },
   { HEAD "break\n}", "no loop" },
   { HEAD "return\nvec1 32 ssa_0 = undefined\n}", "after a jump" },
   { HEAD "vec2 32 ssa_0 = undefined\nvec1 32 ssa_1 = mov ssa_0.z\n}",
     "no such component" },
   { HEAD "vec2 32 ssa_0 = undefined\nvec3 32 ssa_1 = mov ssa_0\n}",
     "2 components where 3" },
   { HEAD "vec1 32 ssa_0 = undefined\nvec1 64 ssa_1 = fneg ssa_0\n}",
     "bit size" },
   { HEAD "vec1 32 ssa_0 = intrinsic load_nothing ()\n}",
     "5:27: unknown intrinsic" },
   { HEAD "vec1 32 ssa_0 = deref_var &x (uniform float)\n}",
     "variable x is not declared" },
   { HEAD "vec1 32 ssa_0 = phi block_7: ssa_0\n}", "block_7" },
   { HEAD "if ssa_3 {\n} else {\n}\n}", "ssa_3 is used before it is" },
   { HEAD "vec2 1 ssa_3 = undefined\nif ssa_3 {\n} else {\n}\n}",
     "a condition is a scalar" },
   { HEAD "r0 = mov r0\n}", "r0 is not declared" },
   { "shader: MESA_SHADER_FRAGMENT\ndecl_function main (0 params)\n"
     "impl main {\ndecl_reg vec1 32 r4000000000\n}",
     "more than 65536 registers" },
   { "shader: MESA_SHADER_FRAGMENT\n"
     "decl_function f (1 params) /* vec1 31 */\n",
     "a bit size is" },
   { "shader: MESA_SHADER_FRAGMENT\n"
     "decl_function main (0 params) /* entrypoint */\n"
     "decl_function f (0 params)\nimpl f {\n}",
     "the entry point is not implemented" },
   { HEAD "goto block_1\n}", "5:6: block_1 is not there" },
   { HEAD "goto 1\n}", "5:6: expected block_N" },
   { HEAD "goto block_0\n}", "no jump leads to the first block" },
   { HEAD "goto block_1\nblock block_1:\nblock block_2:\n}",
     "the block before does not end in a jump" },
   { HEAD "goto block_1\nblock block_1:\n}",
     "6:7: block_1 is the end block" },
   { HEAD "goto block_1\nreturn\nblock block_1:\nreturn\n}",
     "6:7: an instruction after a jump" },
   { HEAD "goto block_1\nblock block_1:\nreturn\nblock block_1:\n"
          "return\n}",
     "8:7: block_1 is there twice" },
   { HEAD "goto block_1\nblock block_3:\nreturn\nblock block_1:\n"
          "return\n}",
     "6:7: block_3 is never reached" },
   { HEAD "goto block_1\nblock block_1:\nloop {\n}\nreturn\n}",
     "7:1: a function with a goto has no ifs and loops" },
   { HEAD "goto block_1\nblock block_1:\n"
          "vec1 32 ssa_0 = undefined\n}",
     "the last block does not end" },
   { HEAD "vec1 1 ssa_0 = undefined\ngoto block_1 if ssa_0 else block_1\n"
          "block block_1:\nreturn\n}",
     "both targets are the same" },
   { HEAD "vec2 1 ssa_0 = undefined\n"
          "goto block_1 if ssa_0 else block_2\n"
          "block block_1:\nreturn\nblock block_2:\nreturn\n}",
     "a condition is a scalar" },
};

static void
refuses(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(refused); i++) {
      struct arena *arena = arena_create(NULL);
      char *error = NULL;
      assert_null(nir_parse_shader(arena, refused[i].text,
                                   strlen(refused[i].text), NULL, &error));
      assert_non_null(error);
      if (!strstr(error, refused[i].error))
         fail_msg("row %u: '%s' does not say '%s'", i, error,
                  refused[i].error);
      arena_destroy(arena);
   }
}

static const char irreducible[] = HEAD
   "vec1 1 ssa_0 = undefined\ngoto block_2 if ssa_0 else block_1\n"
   "block block_1:\nvec1 1 ssa_1 = phi block_0: ssa_0, block_2: ssa_2\n"
   "goto block_2\nblock block_2:\n"
   "vec1 1 ssa_2 = phi block_0: ssa_0, block_1: ssa_1\n"
   "goto block_1 if ssa_0 else block_9\nblock block_9:\nreturn\n}";

/* A text is as long as it is said to be, wherever it is cut off. */
static void
reads_no_further(void **state)
{
   struct arena *arena = arena_create(NULL);
   nir_shader *rich = rich_shader();
   const char *texts[] = { mesa_text, nir_shader_as_str(rich, arena),
                           irreducible };

   for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
      const size_t length = strlen(texts[i]);
      struct page_end end = page_end_create(length);
      unsigned refused_count = 0;
      for (size_t n = 0; n <= length; n++) {
         struct arena *a = arena_create(NULL);
         char *error = NULL;
         refused_count += !nir_parse_shader(
            a, page_end_copy(&end, texts[i], n), n, NULL, &error);
         arena_destroy(a);
      }
      assert_true(refused_count > 0 && refused_count <= length);
      page_end_destroy(&end);
   }
   nir_shader_destroy(rich);
   arena_destroy(arena);
}

static uint32_t rng_state = 1;

static uint32_t
rng(void)
{
   rng_state = rng_state * 1664525u + 1013904223u;
   return rng_state >> 8;
}

static unsigned seconds = 2; /* or as the first argument says */

/* Bytes changed, cut, doubled: any answer but a crash or a hang. */
static void
survives_mutations(void **state)
{
   struct arena *arena = arena_create(NULL);
   nir_shader *rich = rich_shader();
   const char *seeds[] = {
      mesa_text,
      nir_shader_as_str(rich, arena),
      irreducible,
   };
   struct page_end end = page_end_create(2 * strlen(seeds[1]) + 1);
   const clock_t start = clock();
   unsigned accepted = 0, refused = 0;
   while ((clock() - start) / CLOCKS_PER_SEC < (clock_t)seconds) {
      const char *seed = seeds[rng() % ARRAY_SIZE(seeds)];
      size_t n = strlen(seed);
      char *text = malloc(2 * n + 1);
      memcpy(text, seed, n);
      for (unsigned k = rng() % 4; k < 4; k++) {
         const size_t at = rng() % n, other = rng() % n;
         const size_t len = MIN2(rng() % 12 + 1, n - MAX2(at, other));
         switch (rng() % 4) {
         case 0: text[at] = (char)(rng() % 96 + 32); break;
         case 1: memmove(text + at, text + other, len); break;
         case 2:
            memmove(text + at, text + at + 1, n - at - 1);
            n--;
            break;
         case 3: text[at] = "0123456789xyzw(){}"[rng() % 18]; break;
         }
      }
      if (rng() % 16 == 0)
         n = rng() % n;
      struct arena *a = arena_create(NULL);
      char *error = NULL;
      nir_shader *s =
         nir_parse_shader(a, page_end_copy(&end, text, n), n, NULL, &error);
      if (s) {
         accepted++;
         nir_shader_as_str(s, a);
      } else {
         refused++;
         assert_non_null(error);
      }
      arena_destroy(a);
      free(text);
   }
   printf("%u accepted, %u refused\n", accepted, refused);
   assert_true(accepted > 0 && refused > 0);
   page_end_destroy(&end);
   arena_destroy(arena);
   nir_shader_destroy(rich);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trip),
      cmocka_unit_test(reads_mesa),
      cmocka_unit_test(reads_registers),
      cmocka_unit_test(unstructured),
      cmocka_unit_test(phis_of_continue),
      cmocka_unit_test(refuses),
      cmocka_unit_test(reads_no_further),
      cmocka_unit_test(survives_mutations),
   };
   if (argc > 1)
      seconds = (unsigned)atoi(argv[1]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
