/* SPDX-License-Identifier: MIT */
/*
 * NIR written as d3dbc: random programs with floats, integers, ifs and loops
 * give the same values in the NIR interpreter, as bytecode in the interpreter
 * of tokens, and translated back. Integers stay in what a float holds.
 */
#include "util/unit_test.h"

#include <math.h>
#include <math.h>
#include <stdio.h>

#include "compiler/d3d/d3dbc/tests/d3dbc_random.h"
#include "compiler/d3d/d3dbc/tests/d3dbc_run.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"
#include "d3dbc_from_nir.h"

static unsigned trials = 500;
static unsigned tables, named_ints;

#define NUM_VARS 4

struct gen {
   struct d3dbc_random r; /* its numbers only */
   nir_builder b;
   nir_variable *f[NUM_VARS], *i[NUM_VARS], *ubo, *in, *out;
   unsigned budget, loops;
   bool may_loop;
};

#define pick(below) d3dbc_random_next(&g->r, below)

/* struct { vec4 f[4]; ivec4 n; } */
static nir_variable *
make_ubo(nir_builder *b)
{
   /* clang-format off */
   const struct glsl_struct_field fields[] = {
      { .type = glsl_array_type(glsl_vec4_type(), 4, 16), .name = "f",
        .location = -1, .component = -1, .xfb_buffer = -1, .xfb_offset = -1 },
      { .type = glsl_ivec_type(4), .name = "n", .offset = 64,
        .location = -1, .component = -1, .xfb_buffer = -1, .xfb_offset = -1 },
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

static nir_value *
uniform(struct gen *g, bool is_int)
{
   nir_builder *b = &g->b;
   nir_deref_instr *d = nir_deref_to(b, g->ubo);
   const unsigned comp = pick(4);

   d = nir_build_deref_struct(b, d, is_int);
   if (!is_int)
      d = nir_build_deref_array_imm(b, d, pick(4));
   return nir_channel(b, nir_load_deref(b, d), comp);
}

static nir_value *int_expr(struct gen *g, unsigned depth);
static nir_value *bool_expr(struct gen *g, unsigned depth);

/* Between -1000 and 1000. */
static nir_value *
bounded(struct gen *g, nir_value *x)
{
   nir_builder *b = &g->b;

   return nir_fmax(b, nir_fmin(b, x, nir_imm_float(b, 1000)),
                   nir_imm_float(b, -1000));
}

static nir_value *
float_leaf(struct gen *g)
{
   switch (pick(4)) {
   case 0: return nir_imm_float(&g->b, (float)pick(33) / 4 - 4);
   case 1: return uniform(g, false);
   case 2: return nir_channel(&g->b, nir_load_var(&g->b, g->in), pick(4));
   default: return nir_load_var(&g->b, g->f[pick(NUM_VARS)]);
   }
}

static nir_value *
float_expr(struct gen *g, unsigned depth)
{
   nir_builder *b = &g->b;
   nir_value *x, *y, *z;

   if (!depth || pick(5) == 0)
      return float_leaf(g);
   x = float_expr(g, depth - 1);
   switch (pick(16)) {
   case 0: return nir_fneg(b, x);
   case 1: return nir_fabs(b, x);
   case 2: return nir_ffloor(b, x);
   case 3: return nir_ffract(b, x);
   case 4: return nir_fsat(b, x);
   case 5: return nir_ftrunc(b, x);
   case 6: return nir_fceil(b, x);
   case 7: return nir_i2f32(b, int_expr(g, depth - 1));
   case 8:
      y = float_expr(g, depth - 1);
      z = bool_expr(g, depth - 1);
      return nir_bcsel(b, z, x, y);
   case 9: return nir_b2f32(b, bool_expr(g, depth - 1));
   case 10: return nir_fmin(b, x, float_expr(g, depth - 1));
   case 11: return nir_fmax(b, x, float_expr(g, depth - 1));
   case 12: return nir_fadd(b, x, float_expr(g, depth - 1));
   case 13: return nir_fround_even(b, x);
   case 14:
      /* Exact either way. */
      x = nir_ffloor(b, bounded(g, x));
      y = nir_ffloor(b, bounded(g, float_expr(g, depth - 1)));
      return nir_flrp(b, x, y, nir_imm_float(b, (float)pick(5) / 4));
   default:
      return nir_fmul(b, bounded(g, x), bounded(g, float_expr(g, depth - 1)));
   }
}

static nir_value *
int_leaf(struct gen *g)
{
   switch (pick(3)) {
   case 0: return nir_imm_int(&g->b, (int)pick(41) - 20);
   case 1: return uniform(g, true);
   default: return nir_load_var(&g->b, g->i[pick(NUM_VARS)]);
   }
}

/* What stays below 1000. */
static nir_value *
small(struct gen *g, nir_value *x)
{
   return nir_irem(&g->b, x, nir_imm_int(&g->b, 1000));
}

static nir_value *
int_expr(struct gen *g, unsigned depth)
{
   nir_builder *b = &g->b;
   nir_value *x, *y, *z;

   if (!depth || pick(4) == 0)
      return int_leaf(g);
   x = int_expr(g, depth - 1);
   switch (pick(14)) {
   case 0: return nir_ineg(b, x);
   case 1: return nir_iabs(b, x);
   case 2: return nir_f2i32(b, bounded(g, float_expr(g, depth - 1)));
   case 3: return nir_iand_imm(b, x, 15);
   case 4: return small(g, nir_ishl_imm(b, x, 1 + pick(4)));
   case 5: return nir_ishr_imm(b, x, 1 + pick(4));
   case 6:
      y = int_expr(g, depth - 1);
      z = bool_expr(g, depth - 1);
      return nir_bcsel(b, z, x, y);
   case 7: return nir_b2i32(b, bool_expr(g, depth - 1));
   case 8: return nir_imin(b, x, int_expr(g, depth - 1));
   case 9: return nir_imax(b, x, int_expr(g, depth - 1));
   case 10: return small(g, nir_iadd(b, x, int_expr(g, depth - 1)));
   case 11: return small(g, nir_isub(b, x, int_expr(g, depth - 1)));
   case 12:
      y = nir_iadd_imm(b, nir_iand_imm(b, int_expr(g, depth - 1), 15), 1);
      y = pick(2) ? y : nir_ineg(b, y);
      return pick(3) == 0 ? nir_idiv(b, x, y)
             : pick(2)    ? nir_irem(b, x, y)
                          : nir_imod(b, x, y);
   default: return small(g, nir_imul(b, x, int_expr(g, depth - 1)));
   }
}

static nir_value *
bool_expr(struct gen *g, unsigned depth)
{
   nir_builder *b = &g->b;
   const unsigned d = depth ? depth - 1 : 0;
   nir_value *x, *y;

   if (depth && pick(3) == 0) {
      x = bool_expr(g, d);
      switch (pick(4)) {
      case 0: return nir_inot(b, x);
      case 1: return nir_iand(b, x, bool_expr(g, d));
      case 2: return nir_ior(b, x, bool_expr(g, d));
      default: return nir_ixor(b, x, bool_expr(g, d));
      }
   }
   if (pick(2)) {
      x = int_expr(g, d);
      y = int_expr(g, d);
      switch (pick(4)) {
      case 0: return nir_ilt(b, x, y);
      case 1: return nir_ige(b, x, y);
      case 2: return nir_ieq(b, x, y);
      default: return nir_ine(b, x, y);
      }
   }
   x = float_expr(g, d);
   y = float_expr(g, d);
   switch (pick(4)) {
   case 0: return nir_flt(b, x, y);
   case 1: return nir_fge(b, x, y);
   case 2: return nir_feq(b, x, y);
   default: return nir_fneu(b, x, y);
   }
}

/* All four components at once, in whatever order. */
static nir_value *
vector_leaf(struct gen *g)
{
   nir_builder *b = &g->b;
   nir_deref_instr *d;

   switch (pick(4)) {
   case 0:
      return nir_imm_vec4(b, (float)pick(33) / 4 - 4, (float)pick(9), -1.5f,
                          0.25f);
   case 1: return nir_load_var(b, g->in);
   case 2:
      return nir_vec4(b, float_leaf(g), float_leaf(g), float_leaf(g),
                      float_leaf(g));
   default:
      d = nir_build_deref_struct(b, nir_deref_to(b, g->ubo), 0);
      return nir_load_deref(b, nir_build_deref_array_imm(b, d, pick(4)));
   }
}

static nir_value *
sum_of_products(nir_builder *b, nir_value *x, nir_value *y, unsigned n)
{
   nir_value *sum = NULL;

   for (unsigned i = 0; i < n; i++) {
      nir_value *p =
         nir_fmul(b, nir_channel(b, x, i), nir_channel(b, y, 3 - i));
      sum = sum ? nir_fadd(b, sum, p) : p;
   }
   return sum;
}

static nir_value *
vector_expr(struct gen *g, unsigned depth)
{
   const unsigned swizzle[4] = { pick(4), pick(4), pick(4), pick(4) };
   nir_builder *b = &g->b;
   nir_value *x, *y, *c;

   if (!depth)
      return vector_leaf(g);
   x = vector_expr(g, depth - 1);
   switch (pick(16)) {
   case 14:
   case 15:
      y = vector_leaf(g);
      return nir_vec4(b, sum_of_products(b, x, y, 4),
                      sum_of_products(b, y, x, 3), nir_channel(b, x, 1),
                      sum_of_products(b, x, y, 2));
   case 0: return nir_fneg(b, x);
   case 1: return nir_fabs(b, x);
   case 2: return nir_ffloor(b, x);
   case 3: return nir_ffract(b, x);
   case 4: return nir_fsat(b, x);
   case 5: return nir_fceil(b, x);
   case 6: return nir_swizzle(b, x, swizzle, 4);
   case 7: return nir_fmin(b, x, vector_expr(g, depth - 1));
   case 8: return nir_fmax(b, x, vector_expr(g, depth - 1));
   case 9: return nir_fsub(b, x, vector_expr(g, depth - 1));
   case 10:
      y = vector_expr(g, depth - 1);
      c = pick(2) ? nir_flt(b, x, y) : nir_feq(b, x, y);
      return nir_bcsel(b, c, vector_expr(g, depth - 1), y);
   case 11: return nir_fmul(b, x, vector_expr(g, depth - 1));
   default:
      return nir_fadd(b, nir_fmul(b, x, vector_expr(g, depth - 1)),
                      vector_expr(g, depth - 1));
   }
}

static void body(struct gen *g, unsigned depth, bool in_loop);

/* for (k = 0; k < bound; k++) with a bound that is computed. */
static void
loop(struct gen *g, unsigned depth)
{
   nir_builder *b = &g->b;
   nir_variable *k = nir_new_local(b->impl, glsl_int_type(), NULL);
   nir_value *bound = nir_iand_imm(b, int_expr(g, 1), 7);
   nir_loop *l;

   g->loops++;
   nir_store_var(b, k, nir_imm_int(b, -1), 1);
   l = nir_push_loop(b);
   nir_store_var(b, k, nir_iadd_imm(b, nir_load_var(b, k), 1), 1);
   nir_jump_if(b, nir_jump_break, nir_ige(b, nir_load_var(b, k), bound));
   nir_store_var(b, g->i[pick(NUM_VARS)], nir_load_var(b, k), 1);
   body(g, depth - 1, true);
   nir_pop_loop(b, l);
   g->loops--;
}

static void
statement(struct gen *g, unsigned depth, bool in_loop)
{
   nir_builder *b = &g->b;
   nir_if *nif;

   switch (depth ? pick(10) : pick(7)) {
   case 0:
   case 1:
   case 2: nir_store_var(b, g->i[pick(NUM_VARS)], int_expr(g, 2), 1); break;
   case 7:
   case 8:
      nif = nir_push_if(b, bool_expr(g, 2));
      body(g, depth - 1, in_loop);
      if (in_loop && g->may_loop && pick(4) == 0) {
         nir_jump(b, pick(2) ? nir_jump_break : nir_jump_continue);
      } else if (pick(2)) {
         nir_push_else(b, nif);
         body(g, depth - 1, in_loop);
      }
      nir_pop_if(b, nif);
      break;
   case 9:
      /* Four reps nest; a loop here may take three. */
      if (g->may_loop && !g->loops) {
         loop(g, depth);
         break;
      }
      FALLTHROUGH;
   default:
      nir_store_var(b, g->f[pick(NUM_VARS)], bounded(g, float_expr(g, 2)), 1);
      break;
   }
}

static void
body(struct gen *g, unsigned depth, bool in_loop)
{
   const unsigned n = 1 + pick(3);

   for (unsigned i = 0; i < n && g->budget; i++) {
      g->budget--;
      statement(g, depth, in_loop);
   }
}

/* A shader with an input and an output, both vec4. */
static void
begin_program(struct gen *g, const struct d3dbc_profile_info *pi)
{
   nir_builder *b = &g->b;

   *b = nir_builder_init_simple_shader(
      pi->is_ps ? MESA_SHADER_FRAGMENT : MESA_SHADER_VERTEX, NULL, "r");
   g->in =
      nir_new_variable(b->shader, nir_var_shader_in, glsl_vec4_type(), "t");
   g->in->data.location = pi->is_ps ? (int)VARYING_SLOT_VAR0
                                    : (int)VERT_ATTRIB_GENERIC0;
   g->out =
      nir_new_variable(b->shader, nir_var_shader_out, glsl_vec4_type(), "o");
   g->out->data.location = pi->is_ps ? (int)FRAG_RESULT_DATA0
                                     : (int)(VARYING_SLOT_VAR0 + 1);
}

static nir_shader *
random_program(struct gen *g, enum d3dbc_profile profile)
{
   const struct d3dbc_profile_info *pi = d3dbc_profile_info(profile);
   nir_builder *b = &g->b;

   begin_program(g, pi);
   g->may_loop = pi->version >= 21;
   g->budget = pi->version < 30 ? 6 : 20;
   g->ubo = make_ubo(b);
   for (unsigned i = 0; i < NUM_VARS; i++) {
      g->f[i] = nir_new_local(b->impl, glsl_float_type(), NULL);
      g->i[i] = nir_new_local(b->impl, glsl_int_type(), NULL);
      nir_store_var(b, g->f[i], nir_imm_float(b, (float)i), 1);
      nir_store_var(b, g->i[i], nir_imm_int(b, (int)i), 1);
   }
   while (g->budget)
      body(g, 3, false);
   if (pick(3) == 0)
      nir_store_var(b, g->out, vector_expr(g, 4), 0xf);
   else
      nir_store_var(b, g->out,
                    nir_vec4(b, nir_load_var(b, g->f[0]),
                             nir_load_var(b, g->f[1]),
                             nir_i2f32(b, nir_load_var(b, g->i[0])),
                             nir_i2f32(b, nir_load_var(b, g->i[1]))),
                    0xf);
   nir_lower_vars_to_ssa(b->shader);
   nir_validate_shader(b->shader, "random_program");
   return b->shader;
}

struct inputs {
   float in[4], f[4][4];
   int n[4];
};

static void
run_reference(nir_shader *nir, const struct inputs *in, float out[4],
              struct arena *arena)
{
   static nir_interp_slot slots_in[NIR_INTERP_SLOTS];
   static nir_interp_slot slots_out[NIR_INTERP_SLOTS];
   struct {
      float f[4][4];
      int n[4];
   } data;
   const struct nir_interp_buffer ubo = { &data, sizeof(data) };
   struct nir_interp_params params = {
      .num_lanes = 1,
      .inputs = slots_in,
      .outputs = slots_out,
      .ubos = &ubo,
      .num_ubos = 1,
   };
   const bool ps = nir->info.stage == MESA_SHADER_FRAGMENT;
   const char *error;

   memcpy(data.f, in->f, sizeof(data.f));
   memcpy(data.n, in->n, sizeof(data.n));
   memcpy(slots_in[ps ? (int)VARYING_SLOT_VAR0 : (int)VERT_ATTRIB_GENERIC0],
          in->in, 16);
   error = nir_interp_run(nir, &params, arena);
   assert_string_equal(error ? error : "", "");
   memcpy(
      out,
      slots_out[ps ? (int)FRAG_RESULT_DATA0 : (int)(VARYING_SLOT_VAR0 + 1)],
      16);
}

static void
set_interp(struct d3dbc_interp *s, const struct inputs *in, bool t)
{
   memset(s, 0, sizeof(*s));
   memcpy(t ? s->t[0] : s->v[0], in->in, 16);
   memcpy(s->c, in->f, sizeof(in->f));
   for (unsigned i = 0; i < 4; i++)
      s->c[4][i] = (float)in->n[i];
   s->texel = d3dbc_run_texel;
}

/* The output, wherever the profile has it. */
static const float *
result(const struct d3dbc_profile_info *pi, const struct d3dbc_interp *s)
{
   /* vs_3_0 declares but one output here, o0. */
   return pi->is_ps ? s->oc[0] : pi->major == 3 ? s->o[0] : s->o[1];
}

static void
report(const struct d3dbc_shader *shader, nir_shader *nir, const char *what,
       const float *a, const float *b)
{
   struct strbuf text = { 0 };

   nir_print_shader(nir, stderr);
   d3dbc_print(shader, &text);
   fputs(strbuf_str(&text), stderr);
   strbuf_fini(&text);
   fail_msg("%s: %g %g %g %g instead of %g %g %g %g", what, (double)b[0],
            (double)b[1], (double)b[2], (double)b[3], (double)a[0],
            (double)a[1], (double)a[2], (double)a[3]);
}

static bool
same(const float *a, const float *b)
{
   for (unsigned i = 0; i < 4; i++) {
      if (!(a[i] == b[i]))
         return false;
   }
   return true;
}

/* Names and types of make_ubo() are in the table, if anything is read. */
static void
check_table(const struct d3dbc_shader *shader)
{
   struct strbuf text = { 0 };

   d3dbc_print_ctab(shader, &text);
   const char *s = strbuf_str(&text);
   if (s && *s) {
      tables++;
      assert_non_null(strstr(s, "by \"Saffron\" for "));
      assert_non_null(strstr(s, d3dbc_profile_info(shader->profile)->name));
      const char *f = strstr(s, "//   f  c0  ");
      assert_non_null(f);
      assert_non_null(strstr(f, "  float4[4]\n"));
      named_ints += strstr(s, "//   n  c4  1  int4\n") != NULL;
   }
   strbuf_fini(&text);
}

/* False: the profile has not enough of something. */
static bool
one_program(enum d3dbc_profile profile, unsigned seed)
{
   const struct d3dbc_profile_info *pi = d3dbc_profile_info(profile);
   struct arena *arena = arena_create(NULL);
   static struct gen gen;
   struct gen *g = &gen;
   struct d3d_error error = { 0 };
   struct util_dynarray code = { 0 };
   static struct d3dbc_interp s;
   char buf[256];

   memset(g, 0, sizeof(*g));
   g->r.state = seed;
   nir_shader *nir = random_program(g, profile);
   nir_shader *copy = nir_shader_clone(arena, nir);
   struct d3dbc_shader *shader =
      d3dbc_from_nir(arena, copy, profile, NULL, &error);
   if (!shader) {
      if (!strstr(error.text, "values live at once") &&
          !strstr(error.text, "constants") &&
          !strstr(error.text, "no temporary register") &&
          !strstr(error.text, "instruction slots")) {
         nir_print_shader(nir, stderr);
         fail_msg("%s", error.text);
      }
      nir_shader_destroy(nir);
      arena_destroy(arena);
      return false;
   }
   if (!d3dbc_validate(shader, &error))
      report(shader, nir, d3d_error_text(&error, buf, sizeof(buf)),
             (float[4]) { 0 }, (float[4]) { 0 });
   d3dbc_encode(shader, &code);
   check_table(shader);
   for (unsigned n = 0; n < 6; n++) {
      struct inputs in;
      float expected[4];
      for (unsigned i = 0; i < 4; i++) {
         in.in[i] = (float)pick(65) / 8 - 4;
         in.n[i] = (int)pick(21) - 10;
         for (unsigned k = 0; k < 4; k++)
            in.f[k][i] = (float)pick(65) / 8 - 4;
      }
      run_reference(nir, &in, expected, arena);
      set_interp(&s, &in, pi->is_ps && pi->major < 3);
      const char *fault = d3dbc_interp_run(&s, code.data, code.size_B / 4);
      assert_string_equal(fault ? fault : "", "");
      if (!same(expected, result(pi, &s)))
         report(shader, nir, "as bytecode", expected, result(pi, &s));
   }
   util_dynarray_fini(&code);
   nir_shader_destroy(nir);
   arena_destroy(arena);
   return true;
}

static void
test_random(void **state)
{
   static const struct {
      enum d3dbc_profile profile;
      unsigned at_least; /* percent that fit into the profile */
   } rows[] = {
      { D3DBC_PS_3_0, 100 }, { D3DBC_VS_3_0, 100 }, { D3DBC_PS_2_X, 90 },
      { D3DBC_VS_2_X, 90 },  { D3DBC_PS_2_0, 20 },  { D3DBC_VS_2_0, 80 },
   };

   (void)state;
   for (unsigned p = 0; p < ARRAY_SIZE(rows); p++) {
      unsigned done = 0;
      for (unsigned i = 0; i < trials; i++)
         done += one_program(rows[p].profile, 100000 * p + i);
      printf("%s: %u of %u\n", d3dbc_profile_info(rows[p].profile)->name,
             done, trials);
      assert_true(done * 100 >= rows[p].at_least * trials);
   }
   printf("constant tables: %u, with integers: %u\n", tables, named_ints);
   assert_true(tables && named_ints);
}

/* Sine and cosine, of one value and of two, and their quotient. */
static void
test_trigonometry(void **state)
{
   static const enum d3dbc_profile profiles[] = { D3DBC_PS_2_0, D3DBC_VS_2_0,
                                                  D3DBC_PS_3_0,
                                                  D3DBC_VS_3_0 };

   (void)state;
   for (unsigned p = 0; p < ARRAY_SIZE(profiles); p++) {
      const struct d3dbc_profile_info *pi = d3dbc_profile_info(profiles[p]);
      struct arena *arena = arena_create(NULL);
      struct util_dynarray code = { 0 };
      struct d3d_error error = { 0 };
      static struct d3dbc_interp s;
      static struct gen g;
      nir_builder *b = &g.b;
      begin_program(&g, pi);
      nir_value *in = nir_load_var(b, g.in);
      nir_value *x = nir_channel(b, in, 0), *y = nir_channel(b, in, 1);
      nir_store_var(b, g.out,
                    nir_vec4(b, nir_fsin(b, x), nir_fcos(b, x),
                             nir_fcos(b, y),
                             nir_fdiv(b, nir_fsin(b, y), nir_fcos(b, y))),
                    0xf);
      nir_lower_vars_to_ssa(b->shader);
      struct d3dbc_shader *shader =
         d3dbc_from_nir(arena, b->shader, profiles[p], NULL, &error);
      if (!shader)
         fail_msg("%s: %s", pi->name, error.text);
      assert_true(d3dbc_validate(shader, &error));
      d3dbc_encode(shader, &code);
      for (int i = -40; i <= 40; i++) {
         const struct inputs values = { .in = { (float)i * 0.31f,
                                                (float)i * 0.017f } };
         const double at[2] = { values.in[0], values.in[1] };
         const double want[4] = { sin(at[0]), cos(at[0]), cos(at[1]),
                                  tan(at[1]) };
         set_interp(&s, &values, pi->is_ps && pi->major < 3);
         assert_null(d3dbc_interp_run(&s, code.data, code.size_B / 4));
         for (unsigned c = 0; c < 4; c++)
            assert_true(fabs(result(pi, &s)[c] - want[c]) < 1e-4);
      }
      util_dynarray_fini(&code);
      nir_shader_destroy(b->shader);
      arena_destroy(arena);
   }
}

/* A lone discard in an if needs no if. */
static void
test_discard(void **state)
{
   static const enum d3dbc_profile profiles[] = { D3DBC_PS_2_0, D3DBC_PS_2_X,
                                                  D3DBC_PS_3_0 };

   (void)state;
   for (unsigned p = 0; p < ARRAY_SIZE(profiles); p++) {
      struct arena *arena = arena_create(NULL);
      struct d3d_error error = { 0 };
      struct strbuf text = { 0 };
      static struct gen g;
      nir_builder *b = &g.b;
      begin_program(&g, d3dbc_profile_info(profiles[p]));
      nir_value *in = nir_load_var(b, g.in);
      nir_if *nif = nir_push_if(b, nir_flt(b, nir_channel(b, in, 3),
                                           nir_imm_float(b, 0.5f)));
      nir_demote(b);
      nir_pop_if(b, nif);
      nir_store_var(b, g.out, in, 0xf);
      nir_lower_vars_to_ssa(b->shader);
      struct d3dbc_shader *shader =
         d3dbc_from_nir(arena, b->shader, profiles[p], NULL, &error);
      if (!shader)
         fail_msg("%s", error.text);
      assert_true(d3dbc_validate(shader, &error));
      d3dbc_print(shader, &text);
      assert_non_null(strstr(strbuf_str(&text), "texkill"));
      assert_null(strstr(strbuf_str(&text), "if"));
      strbuf_fini(&text);
      nir_shader_destroy(b->shader);
      arena_destroy(arena);
   }
}

/* Inputs and outputs are what their semantics say, or refused by name. */
static void
test_semantics(void **state)
{
   static const struct {
      enum d3dbc_profile profile;
      const char *in, *out; /* names with indices */
      const char *text[2];  /* in the program, or the error */
   } rows[] = {
      { D3DBC_VS_3_0,
        "NORMAL1",
        "POSITION0",
        { "dcl_normal1 v0", "dcl_position o0" } },
      { D3DBC_VS_3_0,
        "position0",
        "TexCoord7",
        { "dcl_position v0", "dcl_texcoord7 o0" } },
      { D3DBC_VS_3_0,
        "COLOR3",
        "TANGENT9",
        { "dcl_color3 v0", "dcl_tangent9 o0" } },
      { D3DBC_VS_2_0,
        "BLENDWEIGHT0",
        "POSITION0",
        { "dcl_blendweight v0", "mov oPos" } },
      { D3DBC_VS_2_0,
        "POSITION0",
        "COLOR1",
        { "dcl_position v0", "mov oD1" } },
      { D3DBC_PS_2_0, "COLOR1", "COLOR0", { "dcl v1", "mov oC0" } },
      { D3DBC_VS_2_0,
        "POSITION0",
        "NORMAL0",
        { "vs_2_0 has no output normal0" } },
      { D3DBC_VS_3_0,
        "THING0",
        "POSITION0",
        { "vs_3_0 has no semantic THING0" } },
      { D3DBC_PS_3_0,
        "COLOR0",
        "NORMAL0",
        { "a pixel shader has no result NORMAL0" } },
   };
   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct d3d_semantics semantics = { .num = 2 };
      const struct d3dbc_from_nir_options options = { .semantics =
                                                         &semantics };
      struct arena *arena = arena_create(NULL);
      struct d3d_error error = { 0 };
      struct strbuf text = { 0 };
      static struct gen g;
      const bool is_ps = d3dbc_profile_info(rows[i].profile)->is_ps;
      begin_program(&g, d3dbc_profile_info(rows[i].profile));
      g.out->data.location = is_ps ? (int)FRAG_RESULT_DATA0
                                   : (int)VARYING_SLOT_VAR0;
      for (unsigned k = 0; k < 2; k++) {
         const char *name = k ? rows[i].out : rows[i].in;
         const size_t n = strlen(name) - 1;
         semantics.list[k].is_output = k;
         memcpy(semantics.list[k].name, name, n);
         semantics.list[k].index = (uint32_t)(name[n] - '0');
      }
      nir_store_var(&g.b, g.out, nir_load_var(&g.b, g.in), 0xf);
      nir_lower_vars_to_ssa(g.b.shader);
      struct d3dbc_shader *shader =
         d3dbc_from_nir(arena, g.b.shader, rows[i].profile, &options, &error);
      if (shader)
         d3dbc_print(shader, &text);
      else
         strbuf_puts(&text, error.text);
      assert_true(!shader == !rows[i].text[1]);
      for (unsigned k = 0; k < 2 && rows[i].text[k]; k++) {
         if (!strstr(strbuf_str(&text), rows[i].text[k]))
            fail_msg("no '%s' in\n%s", rows[i].text[k], strbuf_str(&text));
      }
      strbuf_fini(&text);
      nir_shader_destroy(g.b.shader);
      arena_destroy(arena);
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_trigonometry),
      cmocka_unit_test(test_discard),
      cmocka_unit_test(test_semantics),
   };

   if (argc > 1)
      trials = (unsigned)strtoul(argv[1], NULL, 10);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
