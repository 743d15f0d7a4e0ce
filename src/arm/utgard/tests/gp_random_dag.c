/* SPDX-License-Identifier: MIT */
/*
 * Straight-line shaders: graphs of 1 to 300 operations, rich in exp2, log2,
 * rcp and rsqrt. Values are computed along, for all vertices, and what gives
 * anything tiny, huge or not finite is not taken: every bit has a meaning,
 * whatever is flushed.
 */
#include <math.h>

#include "gp_case.h"

#define MAX_NODES 512

struct node {
   nir_value *def;
   float value[GP_CASE_VERTICES];
   unsigned uses;
};

struct dag {
   struct gp_case *c;
   struct node nodes[MAX_NODES];
   unsigned count;
   /* Of this graph: per cent of table functions, how far back operands are
    * taken (0: anywhere), per cent of operands that are the last one. */
   unsigned tables, window, nesting;
};

static bool
is_tame(const float value[GP_CASE_VERTICES])
{
   for (unsigned v = 0; v < GP_CASE_VERTICES; v++) {
      const float a = fabsf(value[v]);
      if (!(a < 1e12f) || (a != 0 && a < 1e-12f) ||
          (value[v] == 0 && signbit(value[v])))
         return false;
   }
   return true;
}

static float
evaluate(nir_op op, float a, float b, float x)
{
   switch (op) {
   case nir_op_fadd: return a + b;
   case nir_op_fmul: return a * b;
   case nir_op_fmin: return fminf(a, b);
   case nir_op_fmax: return fmaxf(a, b);
   case nir_op_slt: return a < b;
   case nir_op_sge: return a >= b;
   case nir_op_ffloor: return floorf(a);
   case nir_op_fsign: return (float)((a > 0) - (a < 0));
   case nir_op_fneg: return -a;
   case nir_op_fabs: return fabsf(a);
   case nir_op_bcsel: return a < b ? x : a;
   case nir_op_fexp2: return exp2f(a);
   case nir_op_flog2: return log2f(a);
   case nir_op_frcp: return 1 / a;
   case nir_op_frsq: return 1 / sqrtf(a);
   default: unreachable("no operation of this generator");
   }
}

static unsigned
pick(struct dag *d)
{
   struct gp_case *c = d->c;
   if (gp_case_random(c, 100) < d->nesting)
      return d->count - 1;
   if (d->window && gp_case_random(c, 10))
      return d->count - 1 - gp_case_random(c, MIN2(d->window, d->count));
   return gp_case_random(c, d->count);
}

static nir_op
pick_op(struct dag *d)
{
   static const nir_op tables[] = { nir_op_fexp2, nir_op_flog2, nir_op_frcp,
                                    nir_op_frsq };
   static const nir_op others[] = {
      nir_op_fadd,  nir_op_fadd, nir_op_fmul, nir_op_fmul,  nir_op_fmul,
      nir_op_fmin,  nir_op_fmax, nir_op_slt,  nir_op_sge,   nir_op_ffloor,
      nir_op_fsign, nir_op_fneg, nir_op_fabs, nir_op_bcsel,
   };
   if (gp_case_random(d->c, 100) < d->tables)
      return tables[gp_case_random(d->c, ARRAY_SIZE(tables))];
   return others[gp_case_random(d->c, ARRAY_SIZE(others))];
}

static nir_value *
build(nir_builder *b, nir_op op, nir_value *x, nir_value *y, nir_value *z)
{
   if (op == nir_op_bcsel)
      return nir_bcsel(b, nir_flt(b, x, y), z, x);
   return nir_op_infos[op].num_inputs == 1 ? nir_build_alu1(b, op, x)
                                           : nir_build_alu2(b, op, x, y);
}

/* Adds a node unless its values are wild. */
static bool
try_node(struct dag *d, nir_op op, unsigned x, unsigned y, unsigned z)
{
   struct node *n = &d->nodes[d->count];
   for (unsigned v = 0; v < GP_CASE_VERTICES; v++)
      n->value[v] = evaluate(op, d->nodes[x].value[v], d->nodes[y].value[v],
                             d->nodes[z].value[v]);
   if (!is_tame(n->value))
      return false;
   n->uses = 0;
   n->def =
      build(&d->c->b, op, d->nodes[x].def, d->nodes[y].def, d->nodes[z].def);
   d->nodes[x].uses++;
   if (nir_op_infos[op].num_inputs > 1)
      d->nodes[y].uses++;
   if (op == nir_op_bcsel)
      d->nodes[z].uses++;
   d->count++;
   return true;
}

static void
add_node(struct dag *d)
{
   for (unsigned tries = 0; tries < 20; tries++) {
      const nir_op op = pick_op(d);
      if (try_node(d, op, pick(d), pick(d), pick(d)))
         return;
   }
   /* Between 0 and 1, whatever comes in. */
   try_node(d, nir_op_sge, pick(d), pick(d), 0);
}

static void
add_inputs(struct dag *d)
{
   struct gp_case *c = d->c;
   const unsigned num = 1 + gp_case_random(c, 12);
   for (unsigned i = 0; i < num; i++) {
      struct node *n = &d->nodes[d->count++];
      const unsigned kind = gp_case_random(c, 3);
      const unsigned a = gp_case_random(c, GP_CASE_ATTRIBUTES * 4);
      const unsigned u = gp_case_random(c, GP_CASE_UNIFORMS * 4);
      const float k = (float)gp_case_random(c, 64) / 8;
      n->def = kind == 0   ? gp_case_attribute(c, a)
               : kind == 1 ? gp_case_uniform(c, u)
                           : nir_imm_float(&c->b, k);
      n->uses = 1;
      for (unsigned v = 0; v < GP_CASE_VERTICES; v++)
         n->value[v] = kind == 0   ? c->attributes[v][a / 4][a % 4]
                       : kind == 1 ? c->uniform_values[u / 4][u % 4]
                                   : k;
   }
}

/* What nothing uses is an output, and some of the rest; when outputs run
 * out, sinks are compared with each other until they are few enough. */
static void
add_outputs(struct dag *d)
{
   unsigned num = 0;
   const unsigned most = GP_CASE_OUTPUTS * 4;
   for (unsigned i = 0; i < d->count; i++) {
      if (d->nodes[i].uses && gp_case_random(d->c, 12))
         continue;
      if (num < most) {
         d->c->outputs[num++] = d->nodes[i].def;
      } else {
         nir_value **o = &d->c->outputs[i % most];
         *o = nir_fmax(&d->c->b, *o, d->nodes[i].def);
      }
   }
   if (!num)
      d->c->outputs[0] = d->nodes[d->count - 1].def;
}

/* All values live at once, consumed in the other direction. */
static void
add_reversal(struct dag *d)
{
   const unsigned first = d->count - gp_case_random(d->c, d->count);
   for (unsigned i = d->count; i-- > first && d->count < MAX_NODES - 1;) {
      if (!try_node(d, nir_op_fmul, d->count - 1, i, i))
         try_node(d, nir_op_fmin, d->count - 1, i, i);
   }
}

void
gp_random_dag(struct gp_case *c, uint64_t seed, unsigned max_nodes)
{
   static const unsigned percents[] = { 0, 15, 35, 60, 90 };
   gp_case_begin(c, seed);
   struct dag d = {
      .c = c,
      .tables = percents[gp_case_random(c, ARRAY_SIZE(percents))],
      .window = (unsigned[]) { 0, 3, 11, 30 }[gp_case_random(c, 4)],
      .nesting = (unsigned[]) { 0, 20, 70 }[gp_case_random(c, 3)],
   };
   add_inputs(&d);
   /* Small graphs are as frequent as large ones. */
   unsigned nodes = 1 + gp_case_random(c, max_nodes);
   if (gp_case_random(c, 2))
      nodes = 1 + gp_case_random(c, MIN2(nodes, 30));
   const unsigned end = d.count + nodes;
   const bool reversal = gp_case_random(c, 4) == 0;
   const unsigned before = reversal ? d.count + nodes / 2 : end;
   while (d.count < before)
      add_node(&d);
   if (reversal)
      add_reversal(&d);
   while (d.count < end)
      add_node(&d);
   add_outputs(&d);
   gp_case_end(c);
}
