/* SPDX-License-Identifier: MIT */
/*
 * Selects with an expensive arm become ifs: the arm is left out where no
 * invocation of a thread wants it.
 *
 *    x = sqrt(a); y = x * b; r = c ? y : d; s = c ? x : e
 * becomes
 *    if (c) { x = sqrt(a); y = x * b } else { }
 *    r = phi(y, d); s = phi(x, e)
 *
 * Before: SSA; double-precision operations are what they are, not yet
 * lowered. After: selects of a block with one condition, where what only one
 * of their sides needs costs `limit` cycles or more, are phis of an if, which
 * stands where the first of them stood. Operations of the arms move into it,
 * those that stood behind the first select too, if their operands are there
 * by then; a select of whose operands that is not true stays. Nothing moves
 * that another invocation sees: derivatives and what is no ALU operation.
 *
 * Cost: the instructions of a block times the selects that become ifs in it.
 */
#include "nir.h"
#include "nir_builder.h"

#define MAX_GROUP 32

/* Cycles that an operation keeps a full execution unit busy, for eight
 * invocations. Quotients and roots of doubles are sequences. */
#define DOUBLE_SEQUENCE 100
#define DOUBLE 8
#define EXTENDED_MATH 8
#define PLAIN 2

/* Of an instruction of the block, in pass_flags. */
enum {
   IN_FRONT = 1 << 0, /* of the if, or can be moved there */
   IN_THEN = 1 << 1,  /* what only that side needs */
   IN_ELSE = 1 << 2,
   IN_GROUP = 1 << 3, /* selects that become phis */
   NEEDED = 1 << 4,   /* in front of the if */
};

struct group {
   nir_block *block;
   nir_alu_instr *selects[MAX_GROUP];
   unsigned count;
};

static unsigned
cost(const nir_alu_instr *alu)
{
   const unsigned n = alu->instr.result.num_components;
   const bool wide = alu->instr.result.bit_size == 64;

   if (nir_op_is_vec(alu->op))
      return 0;
   switch (alu->op) {
   case nir_op_mov:
   case nir_op_fneg:
   case nir_op_fabs:
   case nir_op_pack_64_2x32_split:
   case nir_op_unpack_64_2x32_split_x:
   case nir_op_unpack_64_2x32_split_y: return 0;
   case nir_op_fdiv:
   case nir_op_frcp:
   case nir_op_fsqrt:
   case nir_op_frsq:
   case nir_op_fmod: return n * (wide ? DOUBLE_SEQUENCE : EXTENDED_MATH);
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fpow: return n * EXTENDED_MATH;
   default: return n * (wide ? DOUBLE : PLAIN);
   }
}

static bool
may_move(const nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_load_const: return true;
   case nir_kind_alu:
      return !nir_op_is_derivative(nir_instr_as_alu((nir_instr *)instr)->op);
   default: return false;
   }
}

/* The select's condition as a scalar; false: it is none. */
static bool
condition_of(nir_alu_instr *alu, nir_component *condition)
{
   const nir_operand *s = &alu->src[0];

   if (alu->op != nir_op_bcsel || s->use.value->bit_size != 1)
      return false;
   for (unsigned c = 1; c < alu->instr.result.num_components; c++) {
      if (s->swizzle[c] != s->swizzle[0])
         return false;
   }
   *condition = (nir_component) { s->use.value, s->swizzle[0] };
   return true;
}

static bool
is_in_front(nir_use *src, void *block)
{
   const nir_instr *from = src->value->instr;
   return from->block != block || from->pass_flags & IN_FRONT;
}

static nir_alu_instr *
select_on(nir_instr *instr, nir_component condition)
{
   nir_component c;

   nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return NULL;
   return condition_of(alu, &c) && c.def == condition.def &&
                c.comp == condition.comp
             ? alu
             : NULL;
}

/* All selects on what `first` selects on, from it on, whose operands can be
 * there where it stands. */
static void
collect_group(struct group *g, nir_alu_instr *first, nir_component condition)
{
   bool behind = false;

   g->count = 0;
   nir_foreach_instr(instr, g->block) {
      nir_alu_instr *select;

      behind |= instr == &first->instr;
      instr->pass_flags = IN_FRONT;
      if (!behind)
         continue;
      if (!may_move(instr) || !nir_visit_uses(instr, is_in_front, g->block)) {
         instr->pass_flags = 0;
         continue;
      }
      select = select_on(instr, condition);
      if (!select || g->count == MAX_GROUP)
         continue;
      /* A result of the if: it is not in front of it. */
      instr->pass_flags = IN_GROUP;
      g->selects[g->count++] = select;
   }
}

/* The side of the group for which alone a value is: IN_THEN or IN_ELSE. */
static unsigned
side_of_use(const nir_use *use)
{
   const nir_instr *user = use->instr;

   if (!(user->pass_flags & IN_GROUP))
      return user->pass_flags & (IN_THEN | IN_ELSE);
   const nir_alu_instr *select = nir_instr_as_alu((nir_instr *)user);
   return use == &select->src[1].use   ? IN_THEN
          : use == &select->src[2].use ? IN_ELSE
                                       : 0;
}

static unsigned
side_of(nir_alu_instr *alu, const nir_block *block)
{
   nir_value *def = &alu->instr.result;
   unsigned side = IN_THEN | IN_ELSE;

   if (nir_value_is_condition(def) || nir_value_is_unused(def))
      return 0;
   nir_foreach_instr_use(use, def) {
      if (use->instr->block != block || use->instr->kind != nir_kind_alu)
         return 0;
      side &= side_of_use(use);
   }
   return side == (IN_THEN | IN_ELSE) ? 0 : side;
}

/* Finds what only one side needs; the cost of the dearer one. */
static unsigned
find_arms(struct group *g)
{
   unsigned then_cost = 0, else_cost = 0;

   nir_foreach_instr_reverse(instr, g->block) {
      if (instr->kind != nir_kind_alu || !may_move(instr) ||
          !(instr->pass_flags & IN_FRONT))
         continue;
      nir_alu_instr *alu = nir_instr_as_alu(instr);
      const unsigned side = side_of(alu, g->block);
      instr->pass_flags |= (uint8_t)side;
      if (side == IN_THEN)
         then_cost += cost(alu);
      else if (side == IN_ELSE)
         else_cost += cost(alu);
   }
   return MAX2(then_cost, else_cost);
}

static bool
is_needed(const nir_value *def, const nir_block *block)
{
   nir_foreach_instr_use(use, def) {
      if (use->instr->block == block &&
          use->instr->pass_flags & (IN_THEN | IN_ELSE | IN_GROUP | NEEDED))
         return true;
   }
   return false;
}

/* Operands of the selects and of the arms that stand behind the first select
 * and are in no arm: they move in front of it. */
static void
move_in_front(struct group *g)
{
   nir_instr *first = &g->selects[0]->instr;
   bool behind = false;

   nir_foreach_instr_reverse(instr, g->block) {
      if (instr == first)
         break;
      if (instr->pass_flags == IN_FRONT &&
          is_needed(nir_instr_value(instr), g->block))
         instr->pass_flags |= NEEDED;
   }
   nir_foreach_instr_safe(instr, g->block) {
      behind |= instr == first;
      if (behind && instr->pass_flags & NEEDED)
         nir_instr_move(nir_before_instr(first), instr);
   }
}

static void
move_arm(nir_builder *b, nir_block *from, unsigned side)
{
   nir_foreach_instr_safe(instr, from) {
      if (instr->pass_flags & side) {
         instr->pass_flags = 0;
         nir_instr_move(b->cursor, instr);
         b->cursor = nir_after_instr(instr);
      }
   }
}

static void
branch(nir_builder *b, struct group *g, nir_component condition)
{
   nir_value *arms[2][MAX_GROUP];

   move_in_front(g);
   b->cursor = nir_before_instr(&g->selects[0]->instr);
   nir_if *nif =
      nir_push_if(b, nir_channel(b, condition.def, condition.comp));
   nif->control = nir_selection_control_dont_flatten;
   nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&nif->cf_node));
   for (unsigned side = 0; side < 2; side++) {
      if (side)
         nir_push_else(b, nif);
      move_arm(b, before, side ? IN_ELSE : IN_THEN);
      move_arm(b, nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node)),
               side ? IN_ELSE : IN_THEN);
      for (unsigned i = 0; i < g->count; i++)
         arms[side][i] = nir_operand_value(b, g->selects[i], 1 + side);
   }
   nir_pop_if(b, nif);
   for (unsigned i = 0; i < g->count; i++) {
      nir_value *phi = nir_if_phi(b, arms[0][i], arms[1][i]);
      nir_value_replace(&g->selects[i]->instr.result, phi);
      nir_instr_remove(&g->selects[i]->instr);
   }
}

static bool
run_block(nir_builder *b, nir_block *block, unsigned limit)
{
   struct group g = { .block = block };

   nir_foreach_instr(instr, block) {
      nir_component condition;

      if (instr->kind != nir_kind_alu ||
          !condition_of(nir_instr_as_alu(instr), &condition))
         continue;
      collect_group(&g, nir_instr_as_alu(instr), condition);
      if (g.count && find_arms(&g) >= limit) {
         branch(b, &g, condition);
         return true;
      }
   }
   return false;
}

bool
nir_opt_branch_selects(nir_shader *shader, unsigned limit)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      bool changed = false;
      nir_builder b;
      nir_builder_init(&b, impl);
      /* What stands behind a new if is a block that comes later. */
      nir_foreach_block(block, impl)
         changed |= run_block(&b, block, limit);
      nir_changed(impl, changed, nir_metadata_none);
      progress |= changed;
   }
   return progress;
}
