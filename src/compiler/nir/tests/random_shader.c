/* SPDX-License-Identifier: MIT */
#include "compiler/nir/tests/random_shader.h"

#include "nir_builder.h"

#define VARS_PER_TYPE RANDOM_VARS_PER_TYPE
#define ARRAY_LENGTH 5

struct gen {
   nir_builder b;
   uint64_t rng;
   nir_variable *vars[T_COUNT][VARS_PER_TYPE];
   nir_variable *array;
   nir_value *inputs; /* vec4 */
   unsigned depth, loops, statements;
   bool (*takes)(nir_op op, unsigned bits); /* NULL: all */
};

static uint32_t
rnd(struct gen *g, uint32_t n)
{
   g->rng ^= g->rng << 13;
   g->rng ^= g->rng >> 7;
   g->rng ^= g->rng << 17;
   return (uint32_t)(g->rng >> 20) % n;
}

static const struct glsl_type *
type_of(enum value_type t)
{
   static const enum glsl_base_type bases[] = {
      GLSL_TYPE_INT, GLSL_TYPE_FLOAT, GLSL_TYPE_DOUBLE, GLSL_TYPE_BOOL
   };
   return glsl_scalar_type(bases[t]);
}

/* --- Expressions -------------------------------------------------------- */

/* The type of a row's operand among ours, or T_COUNT. `size` is that of
 * what has no size in the row. */
static enum value_type
operand_type(nir_alu_type t, unsigned size)
{
   const unsigned bits = nir_type_bits(t) ? nir_type_bits(t) : size;
   switch (nir_type_base(t)) {
   case nir_type_int:
   case nir_type_uint: return bits == 32 ? T_INT : T_COUNT;
   case nir_type_float:
      return bits == 32 ? T_FLOAT : bits == 64 ? T_DOUBLE : T_COUNT;
   case nir_type_bool: return bits == 1 ? T_BOOL : T_COUNT;
   default: return T_COUNT;
   }
}

static bool
op_is_usable(nir_op op, enum value_type want, unsigned size)
{
   const nir_op_info *info = &nir_op_infos[op];
   if (info->output.size != 0 || info->num_inputs > 4 ||
       nir_op_is_derivative(op))
      return false;
   switch (op) {
   /* Not bit-exact when lowered. */
   case nir_op_frsq:
   case nir_op_fmod:
   case nir_op_frem:
   case nir_op_fpow:
   case nir_op_flrp:
   /* They show which NaN it is. */
   case nir_op_pack_half_2x16_split:
   case nir_op_pack_half_2x16_rtz_split: return false;
   default: break;
   }
   if (operand_type(info->output.type, size) != want)
      return false;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      if (operand_type(info->input[i].type, size) == T_COUNT)
         return false;
   }
   return true;
}

static nir_value *expr(struct gen *g, enum value_type t, unsigned depth);

static nir_value *
leaf(struct gen *g, enum value_type t)
{
   static const float floats[] = { 0.0f, 1.0f, -2.5f, 0.1f, 1e30f, -0.0f };
   static const int ints[] = { 0, 1, -1, 7, 31, 0x12345678, INT32_MIN };
   if (rnd(g, 3) != 0)
      return nir_load_var(&g->b, g->vars[t][rnd(g, VARS_PER_TYPE)]);
   switch (t) {
   case T_INT: return nir_imm_int(&g->b, ints[rnd(g, ARRAY_SIZE(ints))]);
   case T_FLOAT:
      if (rnd(g, 2))
         return nir_channel(&g->b, g->inputs, rnd(g, 4));
      return nir_imm_float(&g->b, floats[rnd(g, ARRAY_SIZE(floats))]);
   case T_DOUBLE:
      return nir_imm_double(&g->b, floats[rnd(g, ARRAY_SIZE(floats))]);
   default: return nir_imm_bool(&g->b, rnd(g, 2));
   }
}

static nir_value *
array_index(struct gen *g)
{
   if (rnd(g, 3) == 0)
      return nir_imm_int(&g->b, (int)rnd(g, ARRAY_LENGTH));
   return nir_umin(&g->b, leaf(g, T_INT),
                   nir_imm_int(&g->b, ARRAY_LENGTH - 1));
}

static nir_value *
expr(struct gen *g, enum value_type t, unsigned depth)
{
   if (depth == 0)
      return leaf(g, t);
   if (t == T_INT && rnd(g, 8) == 0)
      return nir_load_array_var(&g->b, g->array, array_index(g));
   for (unsigned tries = 0; tries < 400; tries++) {
      const nir_op op = (nir_op)rnd(g, nir_num_opcodes);
      static const unsigned sizes[] = { 32, 64, 1 };
      const unsigned size = sizes[rnd(g, 3)];
      if (!op_is_usable(op, t, size) || (g->takes && !g->takes(op, size)))
         continue;
      const nir_op_info *info = &nir_op_infos[op];
      nir_value *src[4] = { NULL };
      for (unsigned i = 0; i < info->num_inputs; i++)
         src[i] =
            expr(g, operand_type(info->input[i].type, size), rnd(g, depth));
      return nir_build_alu(&g->b, op, src[0], src[1], src[2], src[3]);
   }
   return leaf(g, t);
}

/* --- Statements --------------------------------------------------------- */

static void block(struct gen *g, unsigned n);

static void
assignment(struct gen *g)
{
   if (rnd(g, 6) == 0) {
      nir_value *v = expr(g, T_INT, 2);
      nir_store_array_var(&g->b, g->array, array_index(g), v, 1);
      return;
   }
   const enum value_type t = (enum value_type)rnd(g, T_COUNT);
   nir_value *v = expr(g, t, 3);
   nir_store_var(&g->b, g->vars[t][rnd(g, VARS_PER_TYPE)], v, 1);
}

static void
loop(struct gen *g)
{
   nir_variable *counter =
      nir_new_local(g->b.impl, glsl_int_type(), "counter");
   nir_store_var(&g->b, counter, nir_imm_int(&g->b, 0), 1);
   nir_loop *l = nir_push_loop(&g->b);
   nir_value *c = nir_load_var(&g->b, counter);
   nir_jump_if(&g->b, nir_jump_break,
               nir_ige(&g->b, c, nir_imm_int(&g->b, 1 + (int)rnd(g, 5))));
   nir_store_var(&g->b, counter, nir_iadd_imm(&g->b, c, 1), 1);
   g->loops++;
   block(g, 1 + rnd(g, 4));
   g->loops--;
   nir_pop_loop(&g->b, l);
}

static void
branch(struct gen *g)
{
   nir_if *nif = nir_push_if(&g->b, expr(g, T_BOOL, 2));
   block(g, rnd(g, 4));
   if (rnd(g, 2)) {
      nir_push_else(&g->b, nif);
      block(g, 1 + rnd(g, 3));
   }
   nir_pop_if(&g->b, nif);
}

static void
block(struct gen *g, unsigned n)
{
   g->depth++;
   for (unsigned i = 0; i < n; i++) {
      g->statements++;
      const unsigned kind = rnd(g, 10);
      if (g->depth < 5 && g->statements < 60 && kind == 0) {
         loop(g);
      } else if (g->depth < 5 && g->statements < 60 && kind < 4) {
         branch(g);
      } else if (g->loops && kind == 4) {
         nir_jump_if(&g->b, rnd(g, 2) ? nir_jump_break : nir_jump_continue,
                     expr(g, T_BOOL, 2));
      } else {
         assignment(g);
      }
   }
   /* A jump as the last thing, unconditional. */
   if (g->loops && g->depth > 2 && rnd(g, 8) == 0)
      nir_jump(&g->b, rnd(g, 2) ? nir_jump_break : nir_jump_continue);
   g->depth--;
}

nir_shader *
random_shader(uint64_t seed, const nir_shader_compiler_options *options,
              bool (*takes)(nir_op op, unsigned bits))
{
   struct gen g = { .rng = seed * 0x9e3779b97f4a7c15ull + 1, .takes = takes };
   g.b = nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, options,
                                        "random %u", (unsigned)seed);
   g.b.exact = true;
   nir_variable *in =
      nir_new_variable(g.b.shader, nir_var_shader_in, glsl_vec4_type(), "in");
   in->data.location = VARYING_SLOT_VAR0;
   g.inputs = nir_load_var(&g.b, in);
   for (unsigned t = 0; t < T_COUNT; t++) {
      for (unsigned i = 0; i < VARS_PER_TYPE; i++) {
         nir_variable *v =
            nir_new_local(g.b.impl, type_of((enum value_type)t), "v");
         nir_value *x = nir_channel(&g.b, g.inputs, (t + i) % 4);
         nir_value *init = t == T_INT      ? nir_f2i32(&g.b, x)
                           : t == T_DOUBLE ? nir_f2f64(&g.b, x)
                           : t == T_BOOL
                              ? nir_flt(&g.b, nir_imm_float(&g.b, 0), x)
                              : x;
         g.vars[t][i] = v;
         nir_store_var(&g.b, v, init, 1);
      }
   }
   g.array = nir_new_local(
      g.b.impl, glsl_array_type(glsl_int_type(), ARRAY_LENGTH, 0), "array");
   for (int i = 0; i < ARRAY_LENGTH; i++)
      nir_store_array_var(&g.b, g.array, nir_imm_int(&g.b, i),
                          nir_imm_int(&g.b, i * 3), 1);
   block(&g, 6 + rnd(&g, 6));

   unsigned slot = 0;
   for (unsigned t = 0; t < T_COUNT; t++) {
      for (unsigned i = 0; i < VARS_PER_TYPE; i++) {
         nir_variable *out = nir_new_variable(
            g.b.shader, nir_var_shader_out,
            t == T_BOOL ? glsl_int_type() : type_of((enum value_type)t),
            "out");
         out->data.location = (int)slot++;
         nir_value *v = nir_load_var(&g.b, g.vars[t][i]);
         if (t == T_BOOL)
            v = nir_b2i32(&g.b, v);
         nir_store_var(&g.b, out, v, 1);
      }
   }
   nir_validate_shader(g.b.shader, "generated");
   return g.b.shader;
}
