/* SPDX-License-Identifier: MIT */
/*
 * Loops of NIR written as d3dbc: counts that are known become those of i#,
 * with aL where uniforms are indexed by the counter, and what is computed
 * runs under reps of 255. Executed from tokens, with as many iterations as
 * the NIR interpreter makes.
 */
#include "util/unit_test.h"

#include <stdio.h>

#include "compiler/d3d/d3dbc/tests/d3dbc_interp.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"
#include "d3dbc_from_nir.h"

#define ROWS 200

struct uniforms {
   int n[4]; /* c0, as floats */
   float f[ROWS][4];
};

enum form { TOP, BOTTOM, BREAK, CONTINUE, INDEXED, COMPUTED };

struct program {
   enum form form;
   int start, step, bound;
   unsigned inner;  /* iterations of a loop inside; 0: none */
   int rows, first; /* INDEXED: f[k * rows + first] */
};

struct made {
   nir_builder b;
   nir_variable *ubo, *acc, *k;
};

static nir_value *
member(struct made *m, unsigned i)
{
   return nir_load_deref(
      &m->b, nir_build_deref_struct(&m->b, nir_deref_to(&m->b, m->ubo), i));
}

static void
add(struct made *m, nir_value *v)
{
   nir_store_var(&m->b, m->acc,
                 nir_fadd(&m->b, nir_load_var(&m->b, m->acc), v), 1);
}

static void
inner_loop(struct made *m, const struct program *p)
{
   nir_builder *b = &m->b;
   nir_variable *j = nir_new_local(b->impl, glsl_int_type(), NULL);
   nir_loop *l;

   nir_store_var(b, j, nir_imm_int(b, 0), 1);
   l = nir_push_loop(b);
   nir_jump_if(b, nir_jump_break,
               nir_ige(b, nir_load_var(b, j), nir_imm_int(b, (int)p->inner)));
   add(m, nir_imm_float(b, 0.25f));
   nir_store_var(b, j, nir_iadd_imm(b, nir_load_var(b, j), 1), 1);
   nir_pop_loop(b, l);
}

/* What one iteration does. */
static void
body(struct made *m, const struct program *p)
{
   nir_builder *b = &m->b;
   nir_value *k = nir_load_var(b, m->k);
   nir_value *seventh = nir_channel(b, member(m, 0), 1);

   if (p->form == BREAK)
      nir_jump_if(b, nir_jump_break, nir_ieq(b, k, seventh));
   if (p->form == CONTINUE) {
      nir_if *nif = nir_push_if(b, nir_ieq(b, k, seventh));
      nir_store_var(b, m->k, nir_iadd_imm(b, k, p->step), 1);
      nir_jump(b, nir_jump_continue);
      nir_pop_if(b, nif);
   }
   if (p->form == INDEXED) {
      nir_deref_instr *f =
         nir_build_deref_struct(b, nir_deref_to(b, m->ubo), 1);
      nir_value *i = nir_iadd_imm(b, nir_imul_imm(b, k, p->rows), p->first);
      nir_value *v = nir_load_deref(b, nir_build_deref_array(b, f, i));
      add(m, nir_fadd(b, nir_channel(b, v, 0), nir_channel(b, v, 2)));
   } else {
      add(m, nir_i2f32(b, k));
   }
   if (p->inner)
      inner_loop(m, p);
   nir_store_var(b, m->k, nir_iadd_imm(b, k, p->step), 1);
}

static nir_value *
ends(struct made *m, const struct program *p)
{
   nir_builder *b = &m->b;
   nir_value *k = nir_load_var(b, m->k), *n = member(m, 0);
   nir_value *bound = p->form == COMPUTED ? nir_imul(b, nir_channel(b, n, 0),
                                                     nir_channel(b, n, 1))
                                          : nir_imm_int(b, p->bound);

   return p->step > 0 ? nir_ige(b, k, bound) : nir_ige(b, bound, k);
}

static nir_variable *
make_ubo(nir_builder *b)
{
   /* clang-format off */
   const struct glsl_struct_field fields[] = {
      { .type = glsl_ivec_type(4), .name = "n", .location = -1,
        .component = -1, .xfb_buffer = -1, .xfb_offset = -1 },
      { .type = glsl_array_type(glsl_vec4_type(), ROWS, 16), .name = "f",
        .offset = 16, .location = -1, .component = -1, .xfb_buffer = -1,
        .xfb_offset = -1 },
   };
   /* clang-format on */
   nir_variable *var = nir_new_variable(
      b->shader, nir_var_mem_ubo,
      glsl_interface_type(fields, 2, GLSL_INTERFACE_PACKING_STD140, false,
                          "u"),
      "u");

   var->interface_type = var->type;
   return var;
}

/* Sums go to the output, and the counter after the loop. */
static nir_shader *
make(const struct program *p, bool ps)
{
   struct made m = { .b = nir_builder_init_simple_shader(
                        ps ? MESA_SHADER_FRAGMENT : MESA_SHADER_VERTEX, NULL,
                        "l") };
   nir_builder *b = &m.b;
   nir_variable *out =
      nir_new_variable(b->shader, nir_var_shader_out, glsl_vec4_type(), "o");
   nir_loop *l;

   out->data.location = ps ? (int)FRAG_RESULT_DATA0 : (int)VARYING_SLOT_VAR0;
   m.ubo = make_ubo(b);
   m.acc = nir_new_local(b->impl, glsl_float_type(), NULL);
   m.k = nir_new_local(b->impl, glsl_int_type(), NULL);
   nir_store_var(b, m.acc, nir_imm_float(b, 0), 1);
   nir_store_var(b, m.k, nir_imm_int(b, p->start), 1);
   l = nir_push_loop(b);
   if (p->form != BOTTOM)
      nir_jump_if(b, nir_jump_break, ends(&m, p));
   body(&m, p);
   if (p->form == BOTTOM)
      nir_jump_if(b, nir_jump_break, ends(&m, p));
   nir_pop_loop(b, l);
   nir_value *k = nir_i2f32(b, nir_load_var(b, m.k));
   nir_store_var(b, out, nir_vec4(b, nir_load_var(b, m.acc), k, k, k), 0xf);
   nir_lower_vars_to_ssa(b->shader);
   nir_validate_shader(b->shader, "make");
   return b->shader;
}

static void
reference(nir_shader *nir, const struct uniforms *u, float out[4],
          struct arena *arena)
{
   static nir_interp_slot slots[NIR_INTERP_SLOTS];
   struct uniforms copy = *u;
   const struct nir_interp_buffer ubo = { &copy, sizeof(copy) };
   struct nir_interp_params params = {
      .num_lanes = 1, .outputs = slots, .ubos = &ubo, .num_ubos = 1
   };
   const char *error = nir_interp_run(nir, &params, arena);

   assert_string_equal(error ? error : "", "");
   memcpy(
      out,
      slots[nir->info.stage == MESA_SHADER_FRAGMENT ? (int)FRAG_RESULT_DATA0
                                                    : (int)VARYING_SLOT_VAR0],
      16);
}

static void
fill(struct uniforms *u, int x, int y)
{
   memset(u, 0, sizeof(*u));
   u->n[0] = x;
   u->n[1] = y;
   for (unsigned i = 0; i < ROWS; i++) {
      for (unsigned c = 0; c < 4; c++)
         u->f[i][c] = (float)(i * 4 + c) / 8;
   }
}

struct written {
   struct arena *arena;
   nir_shader *nir;
   struct util_dynarray code;
   struct strbuf text;
};

static void
finish(struct written *w)
{
   strbuf_fini(&w->text);
   util_dynarray_fini(&w->code);
   nir_shader_destroy(w->nir);
   arena_destroy(w->arena);
}

/* The error, or NULL. */
static const char *
write(const struct program *p, enum d3dbc_profile profile, struct written *w)
{
   static char buf[256];
   struct d3d_error error = { 0 };

   *w = (struct written) { .arena = arena_create(NULL) };
   w->nir = make(p, d3dbc_profile_info(profile)->is_ps);
   struct d3dbc_shader *shader = d3dbc_from_nir(
      w->arena, nir_shader_clone(w->arena, w->nir), profile, NULL, &error);
   if (!shader)
      return d3d_error_text(&error, buf, sizeof(buf));
   d3dbc_print(shader, &w->text);
   if (!d3dbc_validate(shader, &error))
      fail_msg("%s\n%s", w->text.s, d3d_error_text(&error, buf, sizeof(buf)));
   d3dbc_encode(shader, &w->code);
   return NULL;
}

static void
run(struct written *w, const struct uniforms *u)
{
   static struct d3dbc_interp s;
   float expected[4];

   reference(w->nir, u, expected, w->arena);
   memset(&s, 0, sizeof(s));
   for (unsigned i = 0; i < 4; i++)
      s.c[0][i] = (float)u->n[i];
   memcpy(s.c[1], u->f, sizeof(u->f));
   const char *fault = d3dbc_interp_run(&s, w->code.data, w->code.size_B / 4);
   assert_string_equal(fault ? fault : "", "");
   /* The counter's output is at most one of these. */
   const float *got = w->nir->info.stage == MESA_SHADER_FRAGMENT ? s.oc[0]
                                                                 : s.o[0];
   if (got[0] != expected[0] || got[1] != expected[1])
      fail_msg("%s%g, %g instead of %g, %g", w->text.s, (double)got[0],
               (double)got[1], (double)expected[0], (double)expected[1]);
}

static bool
has(const struct written *w, const char *text)
{
   return strstr(w->text.s, text) != NULL;
}

/* --- Counts that are known ---------------------------------------------- */

static void
test_counted(void **state)
{
   static const enum d3dbc_profile profiles[] = {
      D3DBC_VS_2_0, D3DBC_VS_2_X, D3DBC_VS_3_0, D3DBC_PS_2_X, D3DBC_PS_3_0,
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(profiles); i++) {
      for (int n = 0; n <= 300; n++) {
         const bool two_0 = profiles[i] == D3DBC_VS_2_0;
         const struct program p = {
            n % 3 == 2 ? BOTTOM : TOP, 1 - n % 2, 1, n, 0, 0, 0
         };
         struct uniforms u;
         struct written w;
         const char *error = write(&p, profiles[i], &w);
         fill(&u, 0, 0);
         if (error) {
            /* No factors, and no other way in 2_0. */
            assert_true(n > 255 && two_0);
         } else {
            assert_true(has(&w, "rep i0") || n < 64);
            if (n && n <= 255 && has(&w, "break"))
               fail_msg("%d: %s", n, w.text.s);
            run(&w, &u);
         }
         finish(&w);
      }
   }
}

static void
test_long(void **state)
{
   static const struct {
      struct program p;
      const char *text, *without;
   } rows[] = {
      { { TOP, 0, 1, 255, 0, 0, 0 }, "defi i0, 255, 0, 0, 0", "break" },
      { { TOP, 0, 1, 256, 0, 0, 0 },
        "defi i0, 128, 0, 0, 0\ndefi i1, 2",
        "break" },
      /* A prime: two reps that end by a value. */
      { { TOP, 0, 1, 257, 0, 0, 0 }, "break_ne", NULL },
      { { TOP, 0, 1, 65025, 0, 0, 0 }, "defi i0, 255, 0, 0, 0", "break" },
      { { TOP, 1000, -3, 10, 0, 0, 0 },
        "defi i0, 165, 0, 0, 0\ndefi i1, 2",
        "break" },
      { { TOP, 0, 1, 200, 30, 0, 0 }, "rep i1\n", "break" },
      { { BREAK, 0, 1, 200, 0, 0, 0 }, "break", NULL },
      { { CONTINUE, 0, 1, 200, 0, 0, 0 }, "break", NULL },
      { { CONTINUE, 0, 1, 1000, 3, 0, 0 }, "break", NULL },
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct uniforms u;
      struct written w;
      const char *error = write(&rows[i].p, D3DBC_PS_3_0, &w);
      assert_string_equal(error ? error : "", "");
      if (!has(&w, rows[i].text) ||
          (rows[i].without && has(&w, rows[i].without)))
         fail_msg("%u: %s", i, w.text.s);
      for (int x = 0; x < 300; x += 7) {
         fill(&u, 0, x);
         run(&w, &u);
      }
      finish(&w);
   }
}

/* --- Uniforms by the counter -------------------------------------------- */

static void
test_indexed(void **state)
{
   static const struct {
      struct program p;
      const char *text;
   } rows[] = {
      { { INDEXED, 0, 1, 100, 0, 1, 0 }, "defi i0, 100, 0, 1, 0" },
      { { INDEXED, 3, 2, 100, 0, 1, 5 }, "defi i0, 49, 0, 2, 0" },
      { { INDEXED, 99, -1, 0, 0, 2, 1 }, "defi i0, 99, 196, -2, 0" },
      { { INDEXED, 0, 1, 90, 3, 2, 9 }, "loop aL, i0" },
   };
   static const enum d3dbc_profile profiles[] = { D3DBC_VS_2_X,
                                                  D3DBC_VS_3_0 };

   (void)state;
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
      struct uniforms u;
      struct written w;
      const char *error = write(&rows[i / 2].p, profiles[i % 2], &w);
      assert_string_equal(error ? error : "", "");
      if (!has(&w, rows[i / 2].text) || !has(&w, "[aL") || has(&w, "mova") ||
          has(&w, "break"))
         fail_msg("%s", w.text.s);
      fill(&u, 0, 0);
      run(&w, &u);
      finish(&w);
   }
}

/* Pixel shaders have no register that indexes constants: the loop goes. */
static void
test_indexed_unrolled(void **state)
{
   static const struct program rows[] = {
      { INDEXED, 0, 1, 20, 0, 1, 0 },
      { INDEXED, 3, 2, 20, 0, 1, 5 },
      { INDEXED, 12, -1, 0, 0, 2, 1 },
   };
   static const enum d3dbc_profile profiles[] = { D3DBC_PS_2_X,
                                                  D3DBC_PS_3_0 };

   (void)state;
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
      struct uniforms u;
      struct written w;
      const char *error = write(&rows[i / 2], profiles[i % 2], &w);
      assert_string_equal(error ? error : "", "");
      if (has(&w, "rep") || has(&w, "loop"))
         fail_msg("%s", w.text.s);
      fill(&u, 0, 0);
      run(&w, &u);
      finish(&w);
   }
}

/* --- Counts that are computed ------------------------------------------- */

/* for (k = 0; k < m * m; k++) res += k. A uniform integer stays a float: i#
 * holds 255 at most. */
static void
test_computed(void **state)
{
   const struct program p = { COMPUTED, 0, 1, 0, 0, 0, 0 };
   struct uniforms u;
   struct written w;

   (void)state;
   assert_null(write(&p, D3DBC_PS_3_0, &w));
   assert_true(has(&w, "rep i0\n   rep i0\n"));
   for (int m = 0; m <= 300; m++) {
      fill(&u, m, 1);
      run(&w, &u);
   }
   for (int m = 0; m <= 255; m += 15) {
      fill(&u, m, m);
      run(&w, &u);
   }
   finish(&w);
}

/* --- What the head of a loop computes, and the code after it reads ------ */

static nir_value *
twice(nir_builder *b, nir_value *v, unsigned steps)
{
   for (unsigned i = 0; i < steps; i++)
      v = nir_fadd(b, nir_fmul(b, v, nir_imm_float(b, 0.5f)),
                   nir_imm_float(b, (float)i));
   return v;
}

/* for (;;) { h = long way from k; if (early && h > n.y) break;
 *            acc = long way from acc; x = acc + h; if (x > n.x) break; k++ }
 * Between the two there is an if, so that h is what the head computes. */
static nir_shader *
make_head(unsigned steps, bool early)
{
   struct made m = { .b = nir_builder_init_simple_shader(MESA_SHADER_VERTEX,
                                                         NULL, "h") };
   nir_builder *b = &m.b;
   nir_variable *out =
      nir_new_variable(b->shader, nir_var_shader_out, glsl_vec4_type(), "o");
   nir_value *n, *k, *h, *x = NULL;

   out->data.location = VARYING_SLOT_VAR0;
   m.ubo = make_ubo(b);
   n = nir_i2f32(b, member(&m, 0));
   m.acc = nir_new_local(b->impl, glsl_float_type(), NULL);
   m.k = nir_new_local(b->impl, glsl_float_type(), NULL);
   nir_store_var(b, m.acc, nir_imm_float(b, 0), 1);
   nir_store_var(b, m.k, nir_imm_float(b, 0), 1);
   nir_loop *l = nir_push_loop(b);
   k = nir_load_var(b, m.k);
   h = twice(b, k, steps);
   if (early) {
      nir_jump_if(b, nir_jump_break, nir_flt(b, nir_channel(b, n, 1), h));
   } else {
      nir_if *nif = nir_push_if(b, nir_flt(b, h, nir_channel(b, n, 1)));
      add(&m, twice(b, h, 8));
      nir_pop_if(b, nif);
   }
   nir_store_var(b, m.acc, twice(b, nir_load_var(b, m.acc), 12), 1);
   if (!early) {
      x = nir_fadd(b, nir_load_var(b, m.acc), k);
      nir_jump_if(b, nir_jump_break, nir_flt(b, nir_channel(b, n, 0), x));
   }
   nir_store_var(b, m.k, nir_fadd_imm(b, k, 1), 1);
   nir_pop_loop(b, l);
   x = x ? x : nir_load_var(b, m.acc);
   nir_store_var(b, out, nir_vec4(b, h, x, k, x), 0xf);
   nir_lower_vars_to_ssa(b->shader);
   nir_validate_shader(b->shader, "make_head");
   return b->shader;
}

/* The code after the loop reads what the break has left, however much the
 * head computes. */
static void
test_head(void **state)
{
   (void)state;
   for (unsigned i = 0; i < 80; i++) {
      struct written w = { .arena = arena_create(NULL) };
      struct d3d_error error = { 0 };
      struct uniforms u;
      w.nir = make_head(i / 2, i & 1);
      struct d3dbc_shader *shader =
         d3dbc_from_nir(w.arena, nir_shader_clone(w.arena, w.nir),
                        D3DBC_VS_3_0, NULL, &error);
      assert_string_equal(error.text, "");
      d3dbc_print(shader, &w.text);
      d3dbc_encode(shader, &w.code);
      for (int x = 0; x < 24; x += 5) {
         fill(&u, x, i & 1 ? (int)(i / 2) + x / 6 : 3);
         run(&w, &u);
      }
      finish(&w);
   }
}

static void
test_refused(void **state)
{
   static const struct {
      struct program p;
      enum d3dbc_profile profile;
      const char *text;
   } rows[] = {
      { { TOP, 0, 1, 65027, 0, 0, 0 },
        D3DBC_PS_3_0,
        "iterations: rep in rep makes" },
      { { BREAK, 0, 1, 200, 0, 0, 0 },
        D3DBC_VS_2_0,
        "vs_2_0 has no loop that ends by a value" },
      { { COMPUTED, 0, 1, 0, 0, 0, 0 }, D3DBC_PS_2_0, "ps_2_0 has no loop" },
      { { INDEXED, 0, 1, 300, 0, 1, 0 },
        D3DBC_PS_3_0,
        "ps_3_0 cannot index constants at run time" },
      { { TOP, 0, 1, 200, 210, 0, 0 },
        D3DBC_VS_2_0,
        "vs_2_0 nests 1 rep; these loops need more" },
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct written w;
      const char *error = write(&rows[i].p, rows[i].profile, &w);
      assert_non_null(strstr(error ? error : "", rows[i].text));
      finish(&w);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counted),
      cmocka_unit_test(test_long),
      cmocka_unit_test(test_indexed),
      cmocka_unit_test(test_indexed_unrolled),
      cmocka_unit_test(test_computed),
      cmocka_unit_test(test_head),
      cmocka_unit_test(test_refused),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
