/* SPDX-License-Identifier: MIT */
/*
 * Structured shaders: nested ifs, loops with breaks and continues, arrays of
 * floats and integers with an index that is not constant, uniforms likewise.
 * Variables hold multiples of 1/16 between -128 and 128, so that nothing is
 * flushed or rounded in one order only, whatever way the program takes. Each
 * loop has a counter.
 */
#include "gp_case.h"

#define NUM_FLOATS 6
#define NUM_INTS 2
#define MAX_ARRAY 10
#define INT_ARRAY 4
#define MAX_DEPTH 4

struct gen {
   struct gp_case *c;
   nir_builder *b;
   unsigned budget, depth, loops;
   nir_variable *floats[NUM_FLOATS], *ints[NUM_INTS], *array, *int_array;
   int array_length;
};

static unsigned
rnd(struct gen *g, unsigned below)
{
   return gp_case_random(g->c, below);
}

/* To what a variable may hold. */
static nir_value *
tame(struct gen *g, nir_value *f)
{
   nir_builder *b = g->b;
   nir_value *most = nir_imm_float(b, 128);
   nir_value *in = nir_fmin(b, nir_fmax(b, f, nir_fneg(b, most)), most);
   nir_value *steps = nir_ffloor(b, nir_fmul(b, in, nir_imm_float(b, 16)));
   /* No zero with a sign. */
   return nir_fadd(b, nir_fmul(b, steps, nir_imm_float(b, 0.0625f)),
                   nir_imm_float(b, 0));
}

static nir_value *
get_float(struct gen *g)
{
   switch (rnd(g, 8)) {
   case 0: return nir_imm_float(g->b, ((float)rnd(g, 64) - 32) / 4);
   case 1:
      return tame(g, gp_case_uniform(g->c, rnd(g, GP_CASE_UNIFORMS * 4)));
   default: return nir_load_var(g->b, g->floats[rnd(g, NUM_FLOATS)]);
   }
}

static nir_value *
get_int(struct gen *g)
{
   return rnd(g, 4) ? nir_load_var(g->b, g->ints[rnd(g, NUM_INTS)])
                    : nir_imm_int(g->b, (int)rnd(g, 7) - 3);
}

/* An index below `length`. */
static nir_value *
get_index(struct gen *g, int length)
{
   nir_builder *b = g->b;
   return nir_imin(b, nir_imax(b, get_int(g), nir_imm_int(b, 0)),
                   nir_imm_int(b, length - 1));
}

static nir_value *
condition(struct gen *g)
{
   nir_builder *b = g->b;
   switch (rnd(g, 7)) {
   case 0: return nir_flt(b, get_float(g), get_float(g));
   case 1: return nir_fge(b, get_float(g), get_float(g));
   case 2:
      return nir_feq(b, nir_ffloor(b, get_float(g)),
                     nir_ffloor(b, get_float(g)));
   case 3: return nir_fneu(b, get_float(g), get_float(g));
   case 4: return nir_ilt(b, get_int(g), get_int(g));
   case 5:
      return nir_iand(b, nir_flt(b, get_float(g), get_float(g)),
                      nir_ige(b, get_int(g), get_int(g)));
   default:
      return nir_ior(b, nir_inot(b, nir_flt(b, get_float(g), get_float(g))),
                     nir_ieq(b, get_int(g), get_int(g)));
   }
}

/* No larger than 400 either way. */
static nir_value *
int_expression(struct gen *g)
{
   nir_builder *b = g->b;
   nir_value *x = get_int(g), *y = get_int(g);
   switch (rnd(g, 9)) {
   case 0: return nir_imin(b, x, y);
   case 1: return nir_imax(b, x, nir_ineg(b, y));
   case 2: return nir_isub(b, x, y);
   case 3: return nir_irem(b, x, nir_imm_int(b, 7));
   case 4: return nir_idiv(b, x, nir_imm_int(b, 3));
   case 5: return nir_imul(b, x, y);
   case 6: return nir_f2i32(b, get_float(g));
   case 7:
      return nir_load_array_var(b, g->int_array, get_index(g, INT_ARRAY));
   default: return nir_iadd(b, x, y);
   }
}

/* A table function of something in its range. */
static nir_value *
table(struct gen *g)
{
   nir_builder *b = g->b;
   nir_value *x = get_float(g);
   nir_value *positive =
      nir_fadd(b, nir_fabs(b, x), nir_imm_float(b, 0.0625f));
   switch (rnd(g, 4)) {
   case 0:
      return nir_fexp2(b, nir_fmin(b, nir_fmax(b, x, nir_imm_float(b, -9)),
                                   nir_imm_float(b, 9)));
   case 1: return nir_flog2(b, positive);
   case 2: return nir_frcp(b, positive);
   default: return nir_frsq(b, positive);
   }
}

static nir_value *
expression(struct gen *g)
{
   static const nir_op ops[] = { nir_op_fadd, nir_op_fmul, nir_op_fmin,
                                 nir_op_fmax };
   nir_builder *b = g->b;
   switch (rnd(g, 13)) {
   case 0: return nir_bcsel(b, condition(g), get_float(g), get_float(g));
   case 1: return nir_fneg(b, nir_ffloor(b, get_float(g)));
   case 2:
   case 3: return table(g);
   case 4: return nir_i2f32(b, get_int(g));
   case 5:
      return gp_case_indexed_uniform(g->c, get_index(g, GP_CASE_UNIFORMS),
                                     rnd(g, 4));
   case 6:
      return nir_load_array_var(b, g->array, get_index(g, g->array_length));
   case 7: return nir_ffract(b, get_float(g));
   default:
      return nir_build_alu2(b, ops[rnd(g, ARRAY_SIZE(ops))], get_float(g),
                            get_float(g));
   }
}

static void
assign(struct gen *g)
{
   nir_builder *b = g->b;
   switch (rnd(g, 6)) {
   case 0: {
      nir_value *i = int_expression(g);
      nir_value *in =
         nir_imin(b, nir_imax(b, i, nir_imm_int(b, -20)), nir_imm_int(b, 20));
      if (rnd(g, 4))
         nir_store_var(b, g->ints[rnd(g, NUM_INTS)], in, 1);
      else
         nir_store_array_var(b, g->int_array, get_index(g, INT_ARRAY), in, 1);
      break;
   }
   case 1: {
      nir_value *i = get_index(g, g->array_length);
      nir_store_deref(b,
                      nir_build_deref_array(b, nir_deref_to(b, g->array), i),
                      tame(g, expression(g)), 1);
      break;
   }
   default:
      nir_store_var(b, g->floats[rnd(g, NUM_FLOATS)], tame(g, expression(g)),
                    1);
   }
}

static void statements(struct gen *g, unsigned most);

static void
branch(struct gen *g)
{
   nir_if *nif = nir_push_if(g->b, condition(g));
   statements(g, 4);
   if (rnd(g, 2)) {
      nir_push_else(g->b, nif);
      statements(g, 4);
   }
   nir_pop_if(g->b, nif);
}

static void
jump_if(struct gen *g, nir_jump_type type)
{
   nir_if *nif = nir_push_if(g->b, condition(g));
   if (rnd(g, 2))
      assign(g);
   nir_jump(g->b, type);
   nir_pop_if(g->b, nif);
}

static void
loop(struct gen *g)
{
   nir_builder *b = g->b;
   nir_variable *count = nir_new_local(b->impl, glsl_int_type(), "count");
   nir_value *most = rnd(g, 2)
                        ? get_index(g, 5)
                        : nir_imm_int(b, 1 + (int)rnd(g, g->loops ? 4 : 40));
   nir_store_var(b, count, nir_imm_int(b, 0), 1);
   nir_loop *l = nir_push_loop(b);
   nir_if *end = nir_push_if(b, nir_ige(b, nir_load_var(b, count), most));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, end);
   nir_store_var(b, count, nir_iadd_imm(b, nir_load_var(b, count), 1), 1);
   g->loops++;
   statements(g, 3);
   if (rnd(g, 2))
      jump_if(g, rnd(g, 2) ? nir_jump_continue : nir_jump_break);
   statements(g, 2);
   g->loops--;
   nir_pop_loop(b, l);
}

static void
statement(struct gen *g)
{
   const unsigned kind = rnd(g, 16);
   if (kind < 3 && g->depth < MAX_DEPTH)
      branch(g);
   else if (kind < 5 && g->depth < MAX_DEPTH)
      loop(g);
   else if (kind < 6 && g->loops)
      jump_if(g, rnd(g, 2) ? nir_jump_continue : nir_jump_break);
   else
      assign(g);
}

static void
statements(struct gen *g, unsigned most)
{
   unsigned n = 1 + rnd(g, most);
   g->depth++;
   for (; n && g->budget; n--) {
      g->budget--;
      statement(g);
   }
   g->depth--;
}

static void
declare(struct gen *g)
{
   nir_builder *b = g->b;
   for (unsigned i = 0; i < NUM_FLOATS; i++) {
      g->floats[i] = nir_new_local(b->impl, glsl_float_type(), "f");
      nir_store_var(
         b, g->floats[i],
         tame(g, gp_case_attribute(g->c, rnd(g, GP_CASE_ATTRIBUTES * 4))), 1);
   }
   for (unsigned i = 0; i < NUM_INTS; i++) {
      g->ints[i] = nir_new_local(b->impl, glsl_int_type(), "i");
      nir_store_var(b, g->ints[i],
                    nir_f2i32(b, nir_load_var(b, g->floats[i])), 1);
   }
   g->array_length = 2 + (int)rnd(g, MAX_ARRAY - 1);
   g->array = nir_new_local(
      b->impl,
      glsl_array_type(glsl_float_type(), (unsigned)g->array_length, 0), "a");
   for (int i = 0; i < g->array_length; i++)
      nir_store_deref(
         b, nir_build_deref_array_imm(b, nir_deref_to(b, g->array), i),
         nir_load_var(b, g->floats[i % NUM_FLOATS]), 1);
   g->int_array = nir_new_local(
      b->impl, glsl_array_type(glsl_int_type(), INT_ARRAY, 0), "n");
   for (int i = 0; i < INT_ARRAY; i++)
      nir_store_deref(
         b, nir_build_deref_array_imm(b, nir_deref_to(b, g->int_array), i),
         nir_load_var(b, g->ints[i % NUM_INTS]), 1);
}

void
gp_random_program(struct gp_case *c, uint64_t seed)
{
   struct gen g = { .c = c, .b = &c->b };
   gp_case_begin(c, seed);
   g.budget = 2 + rnd(&g, 16);
   declare(&g);
   while (g.budget)
      statements(&g, 5);
   for (unsigned i = 0; i < NUM_FLOATS; i++)
      c->outputs[i * 3] = nir_load_var(&c->b, g.floats[i]);
   for (int i = 0; i < g.array_length; i++)
      c->outputs[20 + i] = nir_load_deref(
         &c->b,
         nir_build_deref_array_imm(&c->b, nir_deref_to(&c->b, g.array), i));
   /* Integers are floats there, and zero may have a sign. */
   for (unsigned i = 0; i < NUM_INTS; i++)
      c->outputs[36 + i] =
         nir_fadd(&c->b, nir_i2f32(&c->b, nir_load_var(&c->b, g.ints[i])),
                  nir_imm_float(&c->b, 0));
   gp_case_end(c);
}
