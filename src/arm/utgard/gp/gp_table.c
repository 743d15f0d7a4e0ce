/* SPDX-License-Identifier: MIT */
/*
 * exp2, log2, rsqrt and rcp: sequences whose inner values are opaque. Nothing
 * can move, copy, store or delay them, and so each sequence is a rigid
 * pattern of units over words, claimed whole or not at all. T is the read of
 * the table in the complex unit, S the square, complex2:
 *
 *    word     rcp, rsqrt          log2                exp2
 *    t        T(x), mul0 S(x,x)   T(x), mul0 S(x,x)   pass p = preexp2(x)
 *    t + 1    mul0,1 complex1     mul0,1 complex1     T(p), mul0 S(p,p)
 *    t + 2                                            mul0,1 complex1
 *    t + 3    result, once        pass postlog2
 *    t + 4                        result              result, once
 *
 * complex1 takes (T, S, T, x or p). Its result can be read two words later
 * and never again ("once"): then a move saves it, unless all readers are
 * placed in that word; see gp_sched.c. The other multiplier still multiplies
 * next to complex2, but not next to complex1.
 */
#include "gp_sched.h"

static void
set_table(struct gpc_sched *s, int t, uint32_t node, uint8_t code)
{
   struct gpc_word *w = gpc_word(s, t);

   gpc_take_unit(s, t, GP_UNIT_COMPLEX,
                 gpc_info(&s->block->nodes[node])->opcode, node);
   w->w.complex_src = code;
   gpc_take_unit(s, t, GP_UNIT_MUL0, GP_MUL_OP_COMPLEX2, node);
   w->w.mul_src[0][0] = w->w.mul_src[0][1] = code;
}

static void
set_complex1(struct gpc_sched *s, int t, uint32_t node, uint8_t code)
{
   struct gpc_word *w = gpc_word(s, t);

   gpc_take_unit(s, t, GP_UNIT_MUL0, GP_MUL_OP_COMPLEX1, node);
   gpc_take_unit(s, t, GP_UNIT_MUL1, GP_MUL_OP_COMPLEX1, node);
   w->w.mul_src[0][0] = w->w.mul_src[1][0] = GP_SRC_COMPLEX_1;
   w->w.mul_src[0][1] = GP_SRC_MUL0_1;
   w->w.mul_src[1][1] = code;
}

static bool
mul0_is_busy(const struct gpc_sched *s, int t)
{
   return s->words[t].busy & 1u << GP_UNIT_MUL0;
}

static bool
tables_are_free(const struct gpc_sched *s, int t)
{
   return !(s->words[t].busy & 1u << GP_UNIT_COMPLEX) &&
          gpc_unit_is_free(s, t, GP_UNIT_MUL0, GP_MUL_OP_COMPLEX2) &&
          !(s->words[t + 1].busy & (1u << GP_UNIT_MUL0 | 1u << GP_UNIT_MUL1));
}

/* Whether words before or after a sequence, whose complex2 is in word t,
 * would be too few for another one. */
static bool
leaves_hole(const struct gpc_sched *s, int t)
{
   if (t - 1 >= s->now && t >= 2 && !mul0_is_busy(s, t - 1) &&
       mul0_is_busy(s, t - 2))
      return true;
   return !mul0_is_busy(s, t + 2) && mul0_is_busy(s, t + 3);
}

/* Whether a sequence of higher priority is ready soon and wants the words. */
static bool
is_wanted(const struct gpc_sched *s, uint32_t node, int t)
{
   const float p = s->priority[node] + s->margin;
   return s->wanted[t % 8] > p || s->wanted[(t + 1) % 8] > p;
}

static void
set_arrival(struct gpc_sched *s, uint32_t node, int complex1)
{
   gpc_add_copy(&s->values[node], complex1, GP_UNIT_MUL0, true);
   s->arrival[(complex1 + 2) % (int)ARRAY_SIZE(s->arrival)] = node + 1;
   s->promised++;
}

/* Whether the move that an arriving value may need is sure to find a unit, a
 * port and a register: it comes first in its word. */
static bool
may_arrive(struct gpc_sched *s, int at)
{
   if (gpc_late_values(s, at) >= GPC_MAX_LATE)
      return false;
   const bool ok = gpc_free_count(s) > s->promised;

   s->pressure |= !ok;
   return ok;
}

static bool
place_exp2(struct gpc_sched *s, uint32_t node, int t)
{
   const struct gpc_ref *x = &s->block->nodes[node].src[0];
   struct gpc_word *w = gpc_word(s, t);
   uint8_t code;

   if (!may_arrive(s, t + 4) || !gpc_unit_is_free(s, t, GP_UNIT_PASS, 0) ||
       !tables_are_free(s, t + 1) || (s->no_holes && leaves_hole(s, t + 1)) ||
       is_wanted(s, node, t + 1) || !gpc_fetch(s, t, x, &code))
      return false;
   gpc_take_unit(s, t, GP_UNIT_PASS, GP_PASS_OP_PREEXP2, node);
   w->w.pass_src = code;
   set_table(s, t + 1, node, GP_SRC_PASS_1);
   set_complex1(s, t + 2, node, GP_SRC_PASS_2);
   set_arrival(s, node, t + 2);
   gpc_consume(s, t, x);
   return true;
}

bool
gpc_place_table(struct gpc_sched *s, uint32_t node, int t)
{
   const struct gpc_node *n = &s->block->nodes[node];
   const bool is_log2 = n->op == GPC_OP_LOG2;
   const struct gpc_ref *x = &n->src[0];
   uint8_t code[2];

   if (n->op == GPC_OP_EXP2)
      return place_exp2(s, node, t);
   if (!tables_are_free(s, t) || (s->no_holes && leaves_hole(s, t)) ||
       is_wanted(s, node, t) ||
       (is_log2 ? !gpc_unit_is_free(s, t + 3, GP_UNIT_PASS, 0) ||
                     gpc_late_values(s, t + 3) >= GPC_MAX_LATE
                : !may_arrive(s, t + 3)))
      return false;
   /* The later read first: port 0 of word t serves both. */
   if (!gpc_fetch(s, t + 1, x, &code[1]) || !gpc_fetch(s, t, x, &code[0]) ||
       code[0] == GP_SRC_COMPLEX_1 || code[1] == GP_SRC_COMPLEX_1)
      return false;
   if (is_log2 && !gpc_finish_result(s, node, t + 3, GP_UNIT_PASS))
      return false;
   set_table(s, t, node, code[0]);
   set_complex1(s, t + 1, node, code[1]);
   if (is_log2) {
      gpc_take_unit(s, t + 3, GP_UNIT_PASS, GP_PASS_OP_POSTLOG2, node);
      gpc_word(s, t + 3)->w.pass_src = GP_SRC_MUL0_2;
   } else {
      set_arrival(s, node, t + 1);
   }
   gpc_consume(s, t + 1, x);
   return true;
}
