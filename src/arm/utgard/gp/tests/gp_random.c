/* SPDX-License-Identifier: MIT */
/*
 * Values are computed along while a graph is made, so that each operation
 * has an argument that makes sense: no result is too large, too small, or
 * denormal, where the machine may differ from the interpreter.
 */
#include <math.h>

#include "gp_random.h"

#define MAX_VALUES 400

struct value {
   nir_ssa_def *def;
   float f;
};

struct graph {
   struct gp_trial *t;
   struct value values[MAX_VALUES];
   unsigned count;
   unsigned reach; /* operands are among the last so many */
};

static bool
is_good(float f)
{
   return f == 0 || (fabsf(f) > 1e-6f && fabsf(f) < 1e6f);
}

static struct value
leaf(struct graph *g)
{
   struct gp_trial *t = g->t;
   const unsigned i = gp_trial_random(t, 32);

   switch (gp_trial_random(t, 3)) {
   case 0:
      return (struct value) { gp_trial_attribute(t, i),
                              t->attributes[i / 4][i % 4] };
   case 1:
      return (struct value) { gp_trial_uniform(t, i),
                              t->uniforms[i / 4][i % 4] };
   default:
      return (struct value) { nir_imm_float(&t->b, (float)i / 8),
                              (float)i / 8 };
   }
}

static struct value
operand(struct graph *g)
{
   if (!g->count || gp_trial_random(g->t, 8) == 0)
      return leaf(g);
   const unsigned n = MIN2(g->count, g->reach);
   return g->values[g->count - 1 - gp_trial_random(g->t, n)];
}

static nir_ssa_def *
choose(nir_builder *b, nir_ssa_def *x, nir_ssa_def *y, nir_ssa_def *z)
{
   return nir_bcsel(b, nir_flt(b, x, y), y, z);
}

/* One operation, or none if its result is no good. */
static void
try_operation(struct graph *g)
{
   nir_builder *b = &g->t->b;
   const struct value x = operand(g), y = operand(g), z = operand(g);
   nir_ssa_def *d;
   float f;

   switch (gp_trial_random(g->t, 20)) {
   case 0: case 1: case 2: case 3:
      f = x.f * y.f; d = nir_fmul(b, x.def, y.def); break;
   case 4: case 5: case 6: case 7:
      f = x.f + y.f; d = nir_fadd(b, x.def, y.def); break;
   case 8: f = fminf(x.f, y.f); d = nir_fmin(b, x.def, y.def); break;
   case 9: f = fmaxf(x.f, y.f); d = nir_fmax(b, x.def, y.def); break;
   case 10: f = floorf(x.f); d = nir_ffloor(b, x.def); break;
   case 11: f = -x.f; d = nir_fneg(b, x.def); break;
   case 12: f = fabsf(x.f); d = nir_fabs(b, x.def); break;
   case 13:
      f = x.f < y.f ? y.f : z.f; d = choose(b, x.def, y.def, z.def); break;
   case 14: case 15:
      f = exp2f(x.f); d = nir_fexp2(b, x.def); break;
   case 16: case 17:
      f = x.f > 0 ? log2f(x.f) : NAN; d = nir_flog2(b, x.def); break;
   case 18: f = 1 / x.f; d = nir_frcp(b, x.def); break;
   default:
      f = x.f > 0 ? 1 / sqrtf(x.f) : NAN; d = nir_frsq(b, x.def);
   }
   /* A sign of zero may differ. */
   if (is_good(f) && f != 0)
      g->values[g->count++] = (struct value) { d, f };
}

void
gp_random_dag(struct gp_trial *t)
{
   struct graph g = { .t = t };
   const unsigned most = gp_trial_random(t, 4) ? 60 : 300;
   const unsigned n = 1 + gp_trial_random(t, most);
   const unsigned outputs = 1 + gp_trial_random(t, 6);

   g.reach = 1 + gp_trial_random(t, 1 + gp_trial_random(t, n));
   while (g.count < n)
      try_operation(&g);
   for (unsigned o = 0; o < outputs; o++) {
      nir_ssa_def *comp[4];
      for (unsigned c = 0; c < 4; c++)
         comp[c] = g.values[gp_trial_random(t, 3) || g.count < 8
                               ? gp_trial_random(t, g.count)
                               : g.count - 1 - gp_trial_random(t, 8)].def;
      gp_trial_output(t, comp);
   }
}

/* ---- structure ---- */

#define NUM_FLOATS 6
#define NUM_INTS 3

struct program {
   struct gp_trial *t;
   nir_variable *f[NUM_FLOATS], *i[NUM_INTS];
   unsigned depth, loops, statements;
};

static nir_ssa_def *
float_value(struct program *p, unsigned depth);

static nir_ssa_def *
any_float(struct program *p)
{
   struct gp_trial *t = p->t;

   switch (gp_trial_random(t, 5)) {
   case 0: return gp_trial_attribute(t, gp_trial_random(t, 16));
   case 1: return gp_trial_uniform(t, gp_trial_random(t, 16));
   default:
      return nir_load_var(&t->b, p->f[gp_trial_random(t, NUM_FLOATS)]);
   }
}

static nir_ssa_def *
int_value(struct program *p)
{
   struct gp_trial *t = p->t;
   nir_builder *b = &t->b;
   nir_ssa_def *x = nir_load_var(b, p->i[gp_trial_random(t, NUM_INTS)]);
   nir_ssa_def *y = nir_load_var(b, p->i[gp_trial_random(t, NUM_INTS)]);
   nir_ssa_def *k = nir_imm_int(b, (int)gp_trial_random(t, 9) - 4);

   switch (gp_trial_random(t, 7)) {
   case 0: return nir_imin(b, x, nir_iadd(b, y, k));
   case 1: return nir_imax(b, x, nir_ineg(b, y));
   case 2: return nir_isub(b, k, x);
   case 3: return nir_irem(b, x, nir_imm_int(b, 7));
   case 4: return nir_imul(b, nir_irem(b, x, nir_imm_int(b, 50)), k);
   case 5: return nir_f2i32(b, float_value(p, 1));
   default: return nir_idiv(b, x, nir_imm_int(b, 3));
   }
}

static nir_ssa_def *
condition(struct program *p)
{
   struct gp_trial *t = p->t;
   nir_builder *b = &t->b;
   nir_ssa_def *x = any_float(p), *y = any_float(p);

   switch (gp_trial_random(t, 5)) {
   case 0: return nir_fge(b, x, y);
   case 1: return nir_ilt(b, int_value(p), int_value(p));
   case 2: return nir_ieq(b, int_value(p), nir_imm_int(b, 1));
   case 3: return nir_ior(b, nir_flt(b, x, y), nir_fge(b, any_float(p), y));
   default: return nir_flt(b, x, y);
   }
}

/* Bounded by 8, whatever the operands are. */
static nir_ssa_def *
float_value(struct program *p, unsigned depth)
{
   struct gp_trial *t = p->t;
   nir_builder *b = &t->b;

   if (!depth)
      return any_float(p);
   nir_ssa_def *x = float_value(p, depth - 1), *y = float_value(p, depth - 1);
   switch (gp_trial_random(t, 8)) {
   case 0: return nir_fmul_imm(b, nir_fadd(b, x, y), 0.5);
   case 1: return nir_fmin(b, x, y);
   case 2: return nir_ffract(b, x);
   case 3: return nir_fexp2(b, nir_fmin(b, x, nir_imm_float(b, 3)));
   case 4: return nir_flog2(b, nir_fadd_imm(b, nir_fabs(b, x), 1));
   case 5: return nir_frcp(b, nir_fadd_imm(b, nir_fabs(b, x), 0.5));
   case 6: return nir_bcsel(b, nir_flt(b, x, y), y, x);
   default:
      return nir_fmax(b, nir_fmin(b, nir_fmul(b, x, y), nir_imm_float(b, 8)),
                      nir_imm_float(b, -8));
   }
}

static void statements(struct program *p);

static void
build_loop(struct program *p)
{
   nir_builder *b = &p->t->b;
   nir_variable *count =
      nir_local_variable_create(b->impl, glsl_scalar_type(GLSL_TYPE_INT),
                                NULL);

   nir_store_var(b, count, nir_imm_int(b, 0), 1);
   nir_loop *loop = nir_push_loop(b);
   nir_ssa_def *i = nir_load_var(b, count);
   /* A limit that is no constant keeps the loop a loop. */
   nir_ssa_def *limit =
      nir_iadd_imm(b, nir_imin(b, nir_f2i32(b, nir_fabs(
         b, gp_trial_uniform(p->t, 0))), nir_imm_int(b, 3)), 1);
   nir_push_if(b, nir_ige(b, i, limit));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, NULL);
   nir_store_var(b, count, nir_iadd_imm(b, i, 1), 1);
   p->loops++;
   statements(p);
   p->loops--;
   nir_pop_loop(b, loop);
}

static void
statement(struct program *p)
{
   struct gp_trial *t = p->t;
   nir_builder *b = &t->b;

   switch (gp_trial_random(t, p->depth ? 10 : 6)) {
   case 0:
      nir_store_var(b, p->i[gp_trial_random(t, NUM_INTS)], int_value(p), 1);
      break;
   case 1: {
      nir_ssa_def *i = nir_load_var(b, p->i[0]);
      i = nir_imin(b, nir_imax(b, i, nir_imm_int(b, 0)), nir_imm_int(b, 20));
      nir_store_var(b, p->f[gp_trial_random(t, NUM_FLOATS)],
                    gp_trial_indexed(t, i, gp_trial_random(t, 4)), 1);
      break;
   }
   default:
      nir_store_var(b, p->f[gp_trial_random(t, NUM_FLOATS)],
                    float_value(p, 1 + gp_trial_random(t, 2)), 1);
      break;
   case 6: case 7:
      nir_push_if(b, condition(p));
      statements(p);
      if (gp_trial_random(t, 2)) {
         nir_push_else(b, NULL);
         statements(p);
      }
      nir_pop_if(b, NULL);
      break;
   case 8:
      if (p->loops < 2)
         build_loop(p);
      break;
   case 9:
      if (!p->loops)
         break;
      nir_push_if(b, condition(p));
      if (gp_trial_random(t, 2))
         nir_store_var(b, p->f[0], float_value(p, 1), 1);
      nir_jump(b, gp_trial_random(t, 2) ? nir_jump_break
                                        : nir_jump_continue);
      nir_pop_if(b, NULL);
      break;
   }
}

static void
statements(struct program *p)
{
   const unsigned n = 1 + gp_trial_random(p->t, 4);

   p->depth--;
   for (unsigned i = 0; i < n && p->statements; i++) {
      p->statements--;
      statement(p);
   }
   p->depth++;
}

void
gp_random_structure(struct gp_trial *t)
{
   nir_builder *b = &t->b;
   struct program p = { .t = t, .depth = 4, .statements = 30 };

   for (unsigned i = 0; i < NUM_FLOATS; i++) {
      p.f[i] = nir_local_variable_create(
         b->impl, glsl_scalar_type(GLSL_TYPE_FLOAT), NULL);
      nir_store_var(b, p.f[i], gp_trial_attribute(t, i), 1);
   }
   for (unsigned i = 0; i < NUM_INTS; i++) {
      p.i[i] = nir_local_variable_create(
         b->impl, glsl_scalar_type(GLSL_TYPE_INT), NULL);
      nir_store_var(b, p.i[i], nir_imm_int(b, (int)i), 1);
   }
   for (unsigned i = 0; i < 3; i++)
      statements(&p);
   for (unsigned o = 0; o < 2; o++) {
      nir_ssa_def *comp[4];
      for (unsigned c = 0; c < 4; c++)
         comp[c] = o && c ? nir_i2f32(b, nir_load_var(b, p.i[c - 1]))
                          : nir_load_var(b, p.f[o * 4 + c]);
      gp_trial_output(t, comp);
   }
}
