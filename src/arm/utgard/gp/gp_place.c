/* SPDX-License-Identifier: MIT */
/*
 * Placing one operation in one word: a unit, its operands, and what its
 * result needs. Each function leaves everything as it was when it fails.
 */
#include "gp_sched.h"

bool
gpc_unit_is_free(const struct gpc_sched *s, int t, unsigned unit,
                 unsigned opcode)
{
   const struct gpc_word *w = &s->words[t];

   if (w->busy >> unit & 1)
      return false;
   switch (unit) {
   case GP_UNIT_ADD0:
   case GP_UNIT_ADD1:
      return !(w->busy & (1u << GP_UNIT_ADD0 | 1u << GP_UNIT_ADD1)) ||
             w->w.add_op == opcode;
   case GP_UNIT_MUL0:
      /* complex2 lets multiplier 1 multiply. */
      return !(w->busy & 1u << GP_UNIT_MUL1) ||
             (w->w.mul_op == GP_MUL_OP_MUL &&
              (opcode == GP_MUL_OP_MUL || opcode == GP_MUL_OP_COMPLEX2));
   case GP_UNIT_MUL1:
      return opcode == GP_MUL_OP_MUL && (!(w->busy & 1u << GP_UNIT_MUL0) ||
                                         w->w.mul_op == GP_MUL_OP_MUL ||
                                         w->w.mul_op == GP_MUL_OP_COMPLEX2);
   default: return true;
   }
}

void
gpc_take_unit(struct gpc_sched *s, int t, unsigned unit, unsigned opcode,
              uint32_t owner)
{
   struct gpc_word *w = gpc_word(s, t);

   w->busy |= (uint8_t)(1u << unit);
   w->owner[unit] = owner + 1;
   switch (unit) {
   case GP_UNIT_MUL0:
   case GP_UNIT_MUL1:
      if (unit == GP_UNIT_MUL0 || !(w->busy & 1u << GP_UNIT_MUL0))
         w->w.mul_op = (uint8_t)opcode;
      break;
   case GP_UNIT_ADD0:
   case GP_UNIT_ADD1: w->w.add_op = (uint8_t)opcode; break;
   case GP_UNIT_COMPLEX: w->w.complex_op = (uint8_t)opcode; break;
   case GP_UNIT_PASS: w->w.pass_op = (uint8_t)opcode; break;
   default: unreachable("no unit that computes");
   }
}

/* Moves: times one; minus zero added, which keeps the sign of a zero. */
void
gpc_set_move(struct gpc_word *w, unsigned unit, uint8_t code, bool negate)
{
   switch (unit) {
   case GP_UNIT_MUL0:
   case GP_UNIT_MUL1: {
      const unsigned i = unit - GP_UNIT_MUL0;
      w->w.mul_src[i][0] = code;
      w->w.mul_src[i][1] = GP_SRC_IDENTITY;
      w->w.mul_negate[i] = negate;
      break;
   }
   case GP_UNIT_ADD0:
   case GP_UNIT_ADD1: {
      const unsigned i = unit - GP_UNIT_ADD0;
      w->w.add_src[i][0] = code;
      w->w.add_src[i][1] = GP_SRC_IDENTITY;
      w->w.add_negate[i][0] = negate;
      w->w.add_negate[i][1] = 1;
      break;
   }
   case GP_UNIT_COMPLEX:
      w->w.complex_op = GP_COMPLEX_OP_MOVE;
      w->w.complex_src = code;
      break;
   default: w->w.pass_op = GP_PASS_OP_MOVE; w->w.pass_src = code;
   }
}

static unsigned
move_opcode(unsigned unit)
{
   static const uint8_t opcodes[GP_NUM_ALU_UNITS] = {
      [GP_UNIT_MUL0] = GP_MUL_OP_MUL,
      [GP_UNIT_MUL1] = GP_MUL_OP_MUL,
      [GP_UNIT_ADD0] = GP_ADD_OP_ADD,
      [GP_UNIT_ADD1] = GP_ADD_OP_ADD,
      [GP_UNIT_COMPLEX] = GP_COMPLEX_OP_MOVE,
      [GP_UNIT_PASS] = GP_PASS_OP_MOVE,
   };
   return opcodes[unit];
}

static void
undo_claimed_store(struct gpc_word *w, unsigned index)
{
   const unsigned port = index % 4 / 2;

   w->w.store_src[port][index % 2] = GP_STORE_NONE;
   if (w->w.store_src[port][!(index % 2)] == GP_STORE_NONE)
      w->store_kind[port] = GPC_STORE_NONE;
}

bool
gpc_finish_result(struct gpc_sched *s, uint32_t node, int t, unsigned unit)
{
   const struct gpc_node *n = &s->block->nodes[node];
   struct gpc_value *v = &s->values[node];

   if (n->store_kind &&
       !gpc_claim_store(s, t, n->store_kind, n->store_index, unit))
      return false;
   if (n->store_kind == GPC_STORE_REGISTER) {
      v->reg = n->store_index;
      v->reg_at = t + 3;
      v->reg_is_fixed = true;
      s->last_store = MAX2(s->last_store, t);
   } else if (v->uses && !gpc_reserve(s, t, node, unit) &&
              !gpc_make_loose(s, t, node, unit)) {
      if (n->store_kind)
         undo_claimed_store(gpc_word(s, t), n->store_index);
      return false;
   }
   gpc_add_copy(v, t, unit, false);
   return true;
}

static void
consume_all(struct gpc_sched *s, int t, const struct gpc_node *n)
{
   for (unsigned i = 0; i < gpc_info(n)->num_srcs; i++)
      gpc_consume(s, t, &n->src[i]);
}

/* Two operands of an adder or multiplier; B cannot read the complex unit. */
static bool
fetch_pair(struct gpc_sched *s, int t, const struct gpc_node *n,
           uint8_t code[2], bool *swapped)
{
   code[1] = GP_SRC_UNUSED;
   for (unsigned i = 0; i < gpc_info(n)->num_srcs; i++) {
      if (!gpc_fetch(s, t, &n->src[i], &code[i]))
         return false;
   }
   *swapped = code[1] == GP_SRC_COMPLEX_1;
   if (!*swapped)
      return true;
   if (gpc_info(n)->swap == GPC_SWAP_NO || code[0] == GP_SRC_COMPLEX_1)
      return false;
   code[1] = code[0];
   code[0] = GP_SRC_COMPLEX_1;
   return true;
}

static bool
place_mul(struct gpc_sched *s, uint32_t node, int t)
{
   const struct gpc_node *n = &s->block->nodes[node];
   /* Multiplier 0 is wanted by the tables. */
   const unsigned unit = gpc_unit_is_free(s, t, GP_UNIT_MUL1, GP_MUL_OP_MUL)
                            ? GP_UNIT_MUL1
                            : GP_UNIT_MUL0;
   struct gpc_word *w = gpc_word(s, t);
   uint8_t code[2];
   bool swapped;

   if (!gpc_unit_is_free(s, t, unit, GP_MUL_OP_MUL) ||
       !fetch_pair(s, t, n, code, &swapped) ||
       !gpc_finish_result(s, node, t, unit))
      return false;
   gpc_take_unit(s, t, unit, GP_MUL_OP_MUL, node);
   memcpy(w->w.mul_src[unit - GP_UNIT_MUL0], code, 2);
   w->w.mul_negate[unit - GP_UNIT_MUL0] = n->src[0].negate ^ n->src[1].negate;
   consume_all(s, t, n);
   return true;
}

static bool
place_select(struct gpc_sched *s, uint32_t node, int t)
{
   const struct gpc_node *n = &s->block->nodes[node];
   struct gpc_word *w = gpc_word(s, t);
   uint8_t code[3];

   if (w->busy & (1u << GP_UNIT_MUL0 | 1u << GP_UNIT_MUL1))
      return false;
   for (unsigned i = 0; i < 3; i++) {
      if (!gpc_fetch(s, t, &n->src[i], &code[i]))
         return false;
   }
   if (code[0] == GP_SRC_COMPLEX_1 ||
       !gpc_finish_result(s, node, t, GP_UNIT_MUL0))
      return false;
   gpc_take_unit(s, t, GP_UNIT_MUL0, GP_MUL_OP_SELECT, node);
   gpc_take_unit(s, t, GP_UNIT_MUL1, GP_MUL_OP_SELECT, node);
   w->w.mul_src[0][1] = code[0];
   w->w.mul_src[GP_SELECT_TRUE_MUL][0] = code[1];
   w->w.mul_src[GP_SELECT_FALSE_MUL][0] = code[2];
   consume_all(s, t, n);
   return true;
}

static bool
place_add(struct gpc_sched *s, uint32_t node, int t)
{
   const struct gpc_node *n = &s->block->nodes[node];
   const struct gpc_op_info *info = gpc_info(n);
   const unsigned unit = gpc_unit_is_free(s, t, GP_UNIT_ADD0, info->opcode)
                            ? GP_UNIT_ADD0
                            : GP_UNIT_ADD1;
   const unsigned i = unit - GP_UNIT_ADD0;
   struct gpc_word *w = gpc_word(s, t);
   uint8_t code[2];
   bool swapped;

   if (!gpc_unit_is_free(s, t, unit, info->opcode) ||
       !fetch_pair(s, t, n, code, &swapped) ||
       !gpc_finish_result(s, node, t, unit))
      return false;
   gpc_take_unit(s, t, unit, info->opcode, node);
   memcpy(w->w.add_src[i], code, 2);
   for (unsigned k = 0; k < info->num_srcs; k++) {
      w->w.add_negate[i][k ^ (unsigned)swapped] =
         n->src[k].negate ^ (swapped && info->swap == GPC_SWAP_NEGATED);
   }
   consume_all(s, t, n);
   return true;
}

/* In order of how little else needs the unit. The complex unit comes last:
 * its result is gone after one word. */
static const uint8_t move_units[2][GP_NUM_ALU_UNITS] = {
   { GP_UNIT_PASS, GP_UNIT_ADD0, GP_UNIT_ADD1, GP_UNIT_MUL1, GP_UNIT_MUL0,
     GP_UNIT_COMPLEX },
   { GP_UNIT_ADD0, GP_UNIT_ADD1, GP_UNIT_MUL1, GP_UNIT_MUL0, GP_UNIT_PASS,
     GP_UNIT_COMPLEX },
};

/* A reader may want the pass unit in the very word of the move. */
static const uint8_t *
units_for_copy(const struct gpc_sched *s, uint32_t value)
{
   for (uint32_t e = s->first_edge[value]; e < s->first_edge[value + 1];
        e++) {
      if (s->edges[e].is_value && !s->placed[s->edges[e].to] &&
          s->block->nodes[s->edges[e].to].op == GPC_OP_EXP2)
         return move_units[1];
   }
   return move_units[0];
}

static bool
is_move_unit(const struct gpc_sched *s, int t, unsigned unit, bool negate)
{
   if (negate && (unit == GP_UNIT_PASS || unit == GP_UNIT_COMPLEX))
      return false;
   return gpc_unit_is_free(s, t, unit, move_opcode(unit));
}

static bool
place_mov(struct gpc_sched *s, uint32_t node, int t)
{
   const struct gpc_node *n = &s->block->nodes[node];
   const bool negate = n->src[0].negate;
   uint8_t code;

   for (unsigned i = 0; i < 2 * GP_NUM_ALU_UNITS; i++) {
      const unsigned unit = move_units[s->add_moves][i % GP_NUM_ALU_UNITS];
      if (!is_move_unit(s, t, unit, negate) ||
          (i < GP_NUM_ALU_UNITS && s->wanted_units >> unit & 1))
         continue;
      if (!gpc_fetch(s, t, &n->src[0], &code) ||
          !gpc_finish_result(s, node, t, unit))
         return false;
      gpc_take_unit(s, t, unit, move_opcode(unit), node);
      gpc_set_move(gpc_word(s, t), unit, code, negate);
      consume_all(s, t, n);
      return true;
   }
   return false;
}

bool
gpc_try_copy(struct gpc_sched *s, uint32_t value, int t, unsigned *unit)
{
   const struct gpc_ref ref = { .kind = GPC_REF_NODE, .index = value };
   struct gpc_value *v = &s->values[value];
   struct gpc_ports ports;
   uint8_t code;

   const uint8_t *units = s->add_moves || s->chooser || s->is_planned
                             ? move_units[s->add_moves]
                             : units_for_copy(s, value);

   gpc_word(s, t + GPC_LOOKAHEAD);
   for (unsigned i = 0; i < 2 * GP_NUM_ALU_UNITS; i++) {
      *unit = units[i % GP_NUM_ALU_UNITS];
      if (!is_move_unit(s, t, *unit, false) ||
          (i < GP_NUM_ALU_UNITS && s->wanted_units >> *unit & 1))
         continue;
      gpc_save_ports(s, t, &ports);
      if (!gpc_fetch(s, t, &ref, &code) ||
          (v->reg < 0 && v->temp < 0 && !gpc_reserve(s, t, value, *unit))) {
         gpc_restore_ports(s, t, &ports);
         return false;
      }
      gpc_take_unit(s, t, *unit, move_opcode(*unit), value | GPC_IS_COPY);
      gpc_set_move(gpc_word(s, t), *unit, code, false);
      gpc_add_copy(v, t, *unit, false);
      s->stats.moves++;
      return true;
   }
   return false;
}

void
gpc_undo_copy(struct gpc_sched *s, uint32_t value, int t, unsigned unit)
{
   struct gpc_word *w = gpc_word(s, t);
   struct gp_instr idle;

   gp_instr_init(&idle);
   w->busy &= (uint8_t) ~(1u << unit);
   w->owner[unit] = 0;
   s->stats.moves--;
   switch (unit) {
   case GP_UNIT_MUL0:
   case GP_UNIT_MUL1:
      memcpy(w->w.mul_src[unit - GP_UNIT_MUL0], idle.mul_src[0], 2);
      break;
   case GP_UNIT_ADD0:
   case GP_UNIT_ADD1:
      memcpy(w->w.add_src[unit - GP_UNIT_ADD0], idle.add_src[0], 2);
      memset(w->w.add_negate[unit - GP_UNIT_ADD0], 0, 2);
      if (!(w->busy & (1u << GP_UNIT_ADD0 | 1u << GP_UNIT_ADD1)))
         w->w.add_op = idle.add_op;
      break;
   case GP_UNIT_COMPLEX:
      w->w.complex_op = idle.complex_op;
      w->w.complex_src = idle.complex_src;
      break;
   default: w->w.pass_op = idle.pass_op; w->w.pass_src = idle.pass_src;
   }
}

static bool
place_pass(struct gpc_sched *s, uint32_t node, int t)
{
   const struct gpc_node *n = &s->block->nodes[node];
   struct gpc_word *w = gpc_word(s, t);
   uint8_t code[2];

   if (!gpc_unit_is_free(s, t, GP_UNIT_PASS, 0) ||
       !gpc_fetch(s, t, &n->src[0], &code[0]) ||
       !gpc_fetch(s, t, &n->src[1], &code[1]) ||
       !gpc_finish_result(s, node, t, GP_UNIT_PASS))
      return false;
   gpc_take_unit(s, t, GP_UNIT_PASS, gpc_info(n)->opcode, node);
   w->w.pass_src = code[0];
   consume_all(s, t, n);
   return true;
}

static bool
place_address(struct gpc_sched *s, uint32_t node, int t)
{
   static const uint8_t opcodes[GPC_ADDRESS_REGISTERS + 1] = {
      0, GP_COMPLEX_OP_SET_ADDR1, GP_COMPLEX_OP_SET_ADDR2,
      GP_COMPLEX_OP_SET_ADDR3
   };
   const struct gpc_node *n = &s->block->nodes[node];
   struct gpc_word *w = gpc_word(s, t);
   uint8_t code;
   unsigned reg = 1;

   while (reg <= GPC_ADDRESS_REGISTERS && s->address_users[reg])
      reg++;
   if (reg > GPC_ADDRESS_REGISTERS ||
       !gpc_unit_is_free(s, t, GP_UNIT_COMPLEX, 0) ||
       !gpc_fetch(s, t, &n->src[0], &code))
      return false;
   gpc_take_unit(s, t, GP_UNIT_COMPLEX, opcodes[reg], node);
   w->w.complex_src = code;
   s->address_users[reg] = 1 + node;
   s->values[node].address_reg = (uint8_t)reg;
   consume_all(s, t, n);
   return true;
}

/* Whether later words, of which tables claim some, load a temporary that the
 * store may write. */
static bool
is_loaded_soon(const struct gpc_sched *s, int t)
{
   for (int i = t + 1; i < t + GPC_TEMP_DELAY; i++) {
      if (s->words[i].uniform && s->words[i].w.uniform_index >= GPC_TEMP_BASE)
         return true;
   }
   return false;
}

/* Whether stores of this word go to the same vec4. */
static bool
shares_address(const struct gpc_word *w, const struct gpc_node *n)
{
   return w->temp_address.kind != GPC_REF_NONE &&
          w->temp_address.kind == n->src[1].kind &&
          w->temp_address.index == n->src[1].index;
}

static bool
place_temp_store(struct gpc_sched *s, uint32_t node, int t)
{
   static const uint8_t units[] = { GP_UNIT_ADD0, GP_UNIT_ADD1, GP_UNIT_PASS,
                                    GP_UNIT_MUL1, GP_UNIT_MUL0 };
   const struct gpc_node *n = &s->block->nodes[node];
   struct gpc_word *w = gpc_word(s, t);
   const bool shared = shares_address(w, n);
   unsigned i = 0;
   uint8_t code[2];

   if ((!shared &&
        (w->w.mode || !gpc_unit_is_free(s, t, GP_UNIT_COMPLEX, 0) ||
         !gpc_fetch(s, t, &n->src[1], &code[1]))) ||
       !gpc_fetch(s, t, &n->src[0], &code[0]) ||
       (n->is_indexed && is_loaded_soon(s, t)))
      return false;
   while (i < ARRAY_SIZE(units) &&
          !gpc_unit_is_free(s, t, units[i], move_opcode(units[i])))
      i++;
   if (i == ARRAY_SIZE(units) ||
       !gpc_claim_store(s, t, GPC_STORE_TEMP, n->store_index, units[i]))
      return false;
   gpc_take_unit(s, t, units[i], move_opcode(units[i]), node);
   gpc_set_move(w, units[i], code[0], false);
   if (!shared) {
      gpc_take_unit(s, t, GP_UNIT_COMPLEX, GP_COMPLEX_OP_SET_STORE_ADDR,
                    node);
      w->w.complex_src = code[1];
      w->w.mode = GP_MODE_TEMP_STORE;
      w->temp_address = n->src[1];
   }
   s->last_temp_store = MAX2(s->last_temp_store, t);
   if (n->is_indexed)
      s->last_indexed_store = MAX2(s->last_indexed_store, t);
   consume_all(s, t, n);
   return true;
}

/* The last word: all else is placed, and its stores are old enough. */
static bool
place_branch(struct gpc_sched *s, uint32_t node, int t)
{
   const struct gpc_node *n = &s->block->nodes[node];
   struct gpc_word *w = gpc_word(s, t);
   uint8_t code;

   if (s->left > 1 || t < s->last_store + 2 || t < s->last_temp_store + 3 ||
       w->w.mode || !gpc_unit_is_free(s, t, GP_UNIT_PASS, 0) ||
       !gpc_fetch(s, t, &n->src[0], &code))
      return false;
   for (unsigned i = 1; i < GPC_LOOKAHEAD; i++) {
      if (gpc_word(s, t + (int)i)->busy)
         return false;
   }
   gpc_take_unit(s, t, GP_UNIT_PASS, GP_PASS_OP_MOVE, node);
   w->w.pass_src = code;
   w->w.mode = GP_MODE_BRANCH;
   w->w.branch = 1;
   consume_all(s, t, n);
   return true;
}

/* Whether there is a unit at all, before ports are looked at. */
static bool
has_unit(const struct gpc_sched *s, const struct gpc_node *n, int t)
{
   const unsigned opcode = gpc_info(n)->opcode;

   switch (gpc_info(n)->cls) {
   case GPC_CLASS_MUL:
      return gpc_unit_is_free(s, t, GP_UNIT_MUL1, GP_MUL_OP_MUL) ||
             gpc_unit_is_free(s, t, GP_UNIT_MUL0, GP_MUL_OP_MUL);
   case GPC_CLASS_ADD:
      return gpc_unit_is_free(s, t, GP_UNIT_ADD0, opcode) ||
             gpc_unit_is_free(s, t, GP_UNIT_ADD1, opcode);
   case GPC_CLASS_PASS: return gpc_unit_is_free(s, t, GP_UNIT_PASS, 0);
   default: return true;
   }
}

bool
gpc_try_place(struct gpc_sched *s, uint32_t node, int t)
{
   struct gpc_ports ports;
   bool ok = false;

   /* No function below sees the words move. */
   gpc_word(s, t + GPC_LOOKAHEAD);
   if (!has_unit(s, &s->block->nodes[node], t))
      return false;
   gpc_save_ports(s, t, &ports);
   switch (gpc_info(&s->block->nodes[node])->cls) {
   case GPC_CLASS_MOV: ok = place_mov(s, node, t); break;
   case GPC_CLASS_MUL: ok = place_mul(s, node, t); break;
   case GPC_CLASS_SELECT: ok = place_select(s, node, t); break;
   case GPC_CLASS_ADD: ok = place_add(s, node, t); break;
   case GPC_CLASS_PASS: ok = place_pass(s, node, t); break;
   case GPC_CLASS_TABLE: ok = gpc_place_table(s, node, t); break;
   case GPC_CLASS_ADDRESS: ok = place_address(s, node, t); break;
   case GPC_CLASS_TEMP_STORE: ok = place_temp_store(s, node, t); break;
   case GPC_CLASS_BRANCH: ok = place_branch(s, node, t); break;
   }
   if (!ok)
      gpc_restore_ports(s, t, &ports);
   return ok;
}
