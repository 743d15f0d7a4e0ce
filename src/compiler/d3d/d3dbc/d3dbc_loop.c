/* SPDX-License-Identifier: MIT */
/*
 * Loops and jumps of d3dbc_from_nir.
 *
 * A loop whose count is known (d3dbc_trips.c) is a rep of that count, two of
 * them if the count is beyond 255, or `loop aL` where constants are indexed
 * by it. Any other loop of NIR ends by a value: it becomes two reps of 255,
 * one in the other, and breaks set a flag that the outer one looks at; one
 * is enough where it is known to end by then. `continue` leaves an innermost
 * rep of one trip around the body. What breaks through more than one rep sets
 * the flag, too.
 *
 *   mov f, 0
 *   rep i0            ; 255
 *      rep i0
 *         ...
 *         if_ne done, 0
 *            mov f, 1
 *            break
 *         endif
 *         ...
 *      endrep
 *      break_ne f, 0
 *   endrep
 */
#include "d3dbc_emit.h"

#define MAX_REPS 4     /* nested, in profiles that have breaks */
#define MAX_REPS_2_0 1 /* and in the others */

static bool
has_continue(nir_loop *loop)
{
   nir_block *first = nir_loop_first_block(loop);

   nir_foreach_predecessor(first, pred) {
      const nir_instr *last = nir_block_last_instr(pred);
      if (last && last->kind == nir_kind_jump &&
          nir_instr_as_jump(last)->type == nir_jump_continue)
         return true;
   }
   return false;
}

/* Whether a break is left once the count is that of rep. */
static bool
has_break(const struct d3dbc_emit_loop *l)
{
   const nir_block *after =
      nir_cf_node_as_block(nir_cf_node_next(&l->loop->cf_node));

   return after->num_predecessors > (l->end ? 1u : 0u);
}

static bool
fits(struct d3dbc_emit *e, const struct d3dbc_emit_level *level, bool jumps)
{
   if (!d3dbc_profile_has_op(e->profile, D3DBC_OP_REP) ||
       (e->pi->version < 21 && jumps))
      return d3dbc_emit_fail(e, "%s has no loop that ends by a value",
                             e->pi->name);
   const unsigned most = e->pi->version < 21 ? MAX_REPS_2_0 : MAX_REPS;
   if (e->reps + level->depth > most || e->num_levels == ARRAY_SIZE(e->level))
      return d3dbc_emit_fail(e, "%s nests %u rep%s; these loops need more",
                             e->pi->name, most, most == 1 ? "" : "s");
   if (level->flagged && e->num_temps + 1 + D3DBC_EMIT_SCRATCH >
                            d3dbc_file_info(D3DBC_FILE_R)->limit[e->profile])
      return d3dbc_emit_fail(e, "no temporary register is left for loops");
   return true;
}

/* rep i#, or loop aL, i#. */
static void
begin_rep(struct d3dbc_emit *e, const struct d3dbc_emit_loop *l,
          unsigned count)
{
   struct d3dbc_inst *inst;

   if (l->step) {
      const struct d3dbc_operand n =
         d3dbc_emit_count(e, count, l->start, l->step);
      inst = d3dbc_emit_inst(e, D3DBC_OP_LOOP);
      inst->operand[0] = d3dbc_emit_reg(D3DBC_FILE_AL, 0, 0);
      inst->operand[0].mask = 0;
      inst->operand[0].swizzle = D3DBC_SWIZZLE_IDENTITY;
      inst->operand[1] = n;
   } else {
      const struct d3dbc_operand n = d3dbc_emit_count(e, count, 0, 0);
      d3dbc_emit_inst(e, D3DBC_OP_REP)->operand[0] = n;
   }
}

static void
end_reps(struct d3dbc_emit *e, const struct d3dbc_emit_loop *l,
         const struct d3dbc_emit_level *level)
{
   for (unsigned i = 0; i < level->depth; i++) {
      const bool outermost = i + 1 == level->depth;
      d3dbc_emit_inst(e, outermost && l->step ? D3DBC_OP_ENDLOOP
                                              : D3DBC_OP_ENDREP);
      e->num_scratch = 0;
      if (!outermost && level->flagged)
         d3dbc_emit_compare(e, D3DBC_OP_BREAKC, D3DBC_CMP_NE, level->flag,
                            d3dbc_emit_imm(e, 0));
   }
}

/* Copies of phis at the loop's start that the code after it reads, once more:
 * a count that runs out has not been there again. After a break they give
 * what they gave: the phis are as they were. Nothing else is done
 * again, as its operands may be gone by then, and what the body has left for
 * the code after the loop may be where its result was. */
static void
run_header(struct d3dbc_emit *e, nir_loop *loop)
{
   nir_foreach_instr(instr, nir_loop_first_block(loop)) {
      nir_alu_instr *alu = nir_maybe_alu(instr);
      if (!alu)
         continue;
      e->num_scratch = 0;
      if (alu->op == nir_op_mov &&
          !nir_is_in_web(&e->webs, &alu->instr.result) &&
          nir_is_in_web(&e->webs, alu->src[0].use.value) &&
          d3dbc_used_outside(&alu->instr.result, loop))
         d3dbc_select_alu(e, alu);
   }
}

void
d3dbc_emit_loop(struct d3dbc_emit *e, nir_loop *loop)
{
   static const struct d3dbc_emit_loop one_rep = { 0 };
   const struct d3dbc_emit_loop *l = d3dbc_loop_of(e, loop);
   const bool wrapped = has_continue(loop), breaks = has_break(l);
   const unsigned counted = l->end ? l->count[1] ? 2 : 1
                            : l->trips && l->trips <= 255 ? 1
                                                          : 2;
   struct d3dbc_emit_level level = { .depth = counted + wrapped,
                                     .wrapped = wrapped };

   level.flagged = breaks && level.depth > 1;
   if (!fits(e, &level, breaks || wrapped))
      return;
   /* The flags of all nestings share a register after the others. */
   static_assert(MAX_REPS <= 4, "a flag is one component");
   level.flag = d3dbc_emit_reg(D3DBC_FILE_R, e->num_temps, e->num_levels);
   if (level.flagged)
      d3dbc_emit1(e, D3DBC_OP_MOV, level.flag, d3dbc_emit_imm(e, 0));
   e->level[e->num_levels++] = level;
   begin_rep(e, l, l->end ? l->count[0] : 255);
   for (unsigned i = 1; i < level.depth; i++)
      begin_rep(e, &one_rep,
                wrapped && i + 1 == level.depth ? 1
                : l->end                        ? l->count[1]
                                                : 255);
   e->reps += level.depth;
   /* What runs as often for all pixels keeps their derivatives. */
   e->nesting += breaks || wrapped;
   d3dbc_emit_list(e, &loop->body);
   e->nesting -= breaks || wrapped;
   e->reps -= level.depth;
   end_reps(e, l, &level);
   if (l->end ? l->at_start : counted == 2)
      run_header(e, loop);
   e->num_levels--;
}

void
d3dbc_emit_jump(struct d3dbc_emit *e, nir_jump_instr *jump)
{
   const struct d3dbc_emit_level *l =
      e->num_levels ? &e->level[e->num_levels - 1] : NULL;

   if (!l ||
       (jump->type != nir_jump_break && jump->type != nir_jump_continue)) {
      d3dbc_emit_fail(e, "a jump that %s does not know", e->pi->name);
      return;
   }
   if (jump->type == nir_jump_break && l->flagged)
      d3dbc_emit1(e, D3DBC_OP_MOV, l->flag, d3dbc_emit_imm(e, 1));
   d3dbc_emit_inst(e, D3DBC_OP_BREAK);
}
