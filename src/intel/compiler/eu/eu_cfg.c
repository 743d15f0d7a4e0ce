/* SPDX-License-Identifier: MIT */
/*
 * Basic blocks of the instruction list.
 *
 * Edges are those that at least one channel may take. IF goes to what
 * follows it and to the ELSE or ENDIF; ELSE closes the first arm; BREAK and
 * CONT go to the loop's exit or its WHILE and, as other channels stay, to
 * what follows; WHILE goes back and out. HALT goes on and to the
 * HALT_TARGET. What follows a loop that nothing leaves is never run, but it
 * is there, at least the last message: it counts as reached from the loop, so
 * that what it reads stays defined. A call goes on behind it; what is called
 * stands behind the last message, and has no edges to or from the rest.
 *
 * One pass forward cuts blocks, a second one, with a stack of what is open,
 * sets edges. Linear.
 */
#include "eu_ir.h"

static bool
ends_block(const struct eu_inst *inst)
{
   return eu_info(inst)->ends_block || inst->eot;
}

static void
add_succ(struct eu_cfg *cfg, uint32_t from, uint32_t to)
{
   struct eu_block *b = &cfg->blocks[from];

   if (to >= cfg->num_blocks)
      return;
   if (b->succ[0] == (int32_t)to || b->succ[1] == (int32_t)to)
      return;
   const unsigned slot = b->succ[0] < 0 ? 0 : 1;
   assert(b->succ[slot] < 0);
   b->succ[slot] = (int32_t)to;
   cfg->blocks[to].num_preds++;
}

/* Room for twice as many. */
static void
grow_blocks(struct eu_shader *s)
{
   struct eu_cfg *cfg = &s->cfg;
   const uint32_t max = MAX2(16, 2 * cfg->max_blocks);

   cfg->blocks = arena_grow(s->arena, cfg->blocks,
                            cfg->max_blocks * sizeof(*cfg->blocks),
                            max * sizeof(*cfg->blocks));
   cfg->max_blocks = max;
}

static void
cut_blocks(struct eu_shader *s)
{
   struct eu_cfg *cfg = &s->cfg;
   struct eu_block *b = NULL;
   uint32_t ip = 0, num_loops = 0;

   cfg->num_blocks = 0;
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (!b || eu_info(inst)->starts_block) {
         if (cfg->num_blocks == cfg->max_blocks)
            grow_blocks(s);
         b = &cfg->blocks[cfg->num_blocks++];
         *b = (struct eu_block) { .first = inst,
                                  .start_ip = ip,
                                  .succ = { -1, -1 } };
      }
      inst->ip = ip++;
      inst->block = cfg->num_blocks - 1;
      b->last = inst;
      b->end_ip = inst->ip;
      num_loops += inst->op == EU_OP_DO;
      if (ends_block(inst))
         b = NULL;
   }
   cfg->num_insts = ip;
   if (num_loops > cfg->max_loops) {
      cfg->max_loops = 2 * num_loops;
      cfg->loops = arena_new_array(s->arena, struct eu_loop, cfg->max_loops);
   }
   cfg->num_loops = 0;
}

/* What is open at a point of the list. */
struct open_cf {
   bool is_loop;
   uint32_t head;      /* block that ends in IF, or that starts with DO */
   int32_t else_block; /* block that ends in ELSE, or -1 */
   uint32_t loop;      /* index in cfg->loops */
};

struct pending {
   uint32_t block;
   uint32_t loop;
   bool to_exit;
};

struct edges {
   struct eu_cfg *cfg;
   struct util_dynarray stack; /* struct open_cf */
   struct util_dynarray jumps; /* struct pending */
   struct util_dynarray halts; /* uint32_t */
   int32_t loop;               /* the innermost that is open, or -1 */
};

/* The innermost, or NULL. */
static struct open_cf *
top_of(struct edges *e)
{
   const size_t n = util_dynarray_num_elements(&e->stack, struct open_cf);
   return n ? util_dynarray_element(&e->stack, struct open_cf, n - 1) : NULL;
}

static void
set_edges_at_begin(struct edges *e, uint32_t i)
{
   const struct eu_block *b = &e->cfg->blocks[i];
   if (b->first->op == EU_OP_DO) {
      const struct open_cf cf = { .is_loop = true,
                                  .head = i,
                                  .else_block = -1,
                                  .loop = e->cfg->num_loops++ };
      e->cfg->loops[cf.loop].start_ip = b->start_ip;
      e->cfg->loops[cf.loop].parent = e->loop;
      e->loop = (int32_t)cf.loop;
      util_dynarray_append(&e->stack, struct open_cf, cf);
   } else if (b->first->op == ISA_OPCODE_ENDIF) {
      const struct open_cf *top = top_of(e);
      assert(top && !top->is_loop);
      add_succ(e->cfg,
               top->else_block >= 0 ? (uint32_t)top->else_block : top->head,
               i);
      (void)util_dynarray_pop(&e->stack, struct open_cf);
   } else if (b->first->op == EU_OP_HALT_TARGET) {
      util_dynarray_foreach(&e->halts, uint32_t, h)
         add_succ(e->cfg, *h, i);
   }
}

static void
end_loop(struct edges *e, uint32_t i)
{
   const struct eu_block *b = &e->cfg->blocks[i];
   const struct open_cf *top = top_of(e);
   assert(top && top->is_loop);
   struct eu_loop *l = &e->cfg->loops[top->loop];
   l->end_ip = b->end_ip;
   l->exit_block = i + 1;
   add_succ(e->cfg, i, top->head);
   if (b->last->pred != ISA_PRED_NONE)
      add_succ(e->cfg, i, i + 1);
   /* Those of loops within are gone, so its own are the last ones. */
   while (util_dynarray_num_elements(&e->jumps, struct pending)) {
      const struct pending p = util_dynarray_pop(&e->jumps, struct pending);
      if (p.loop != top->loop) {
         util_dynarray_append(&e->jumps, struct pending, p);
         break;
      }
      add_succ(e->cfg, p.block, p.to_exit ? i + 1 : i);
   }
   if (i + 1 < e->cfg->num_blocks && !e->cfg->blocks[i + 1].num_preds)
      add_succ(e->cfg, i, i + 1);
   (void)util_dynarray_pop(&e->stack, struct open_cf);
   e->loop = l->parent;
}

static void
set_edges_at_end(struct edges *e, uint32_t i)
{
   const struct eu_inst *last = e->cfg->blocks[i].last;
   struct open_cf *top = top_of(e);
   switch (last->op) {
   case ISA_OPCODE_IF: {
      const struct open_cf cf = { .head = i, .else_block = -1 };
      util_dynarray_append(&e->stack, struct open_cf, cf);
      add_succ(e->cfg, i, i + 1);
      break;
   }
   case ISA_OPCODE_ELSE:
      assert(top && !top->is_loop && top->else_block < 0);
      add_succ(e->cfg, top->head, i + 1);
      top->else_block = (int32_t)i;
      break;
   case ISA_OPCODE_BREAK:
   case ISA_OPCODE_CONT: {
      const struct pending p = { i, (uint32_t)e->loop,
                                 last->op == ISA_OPCODE_BREAK };
      util_dynarray_append(&e->jumps, struct pending, p);
      add_succ(e->cfg, i, i + 1);
      break;
   }
   case ISA_OPCODE_WHILE: end_loop(e, i); break;
   case ISA_OPCODE_HALT:
      util_dynarray_append(&e->halts, uint32_t, i);
      add_succ(e->cfg, i, i + 1);
      break;
   default:
      if (!last->eot && last->op != EU_OP_RETURN)
         add_succ(e->cfg, i, i + 1);
      break;
   }
}

void
eu_calculate_cfg(struct eu_shader *s)
{
   struct edges e = { .cfg = &s->cfg, .loop = -1 };
   cut_blocks(s);
   for (uint32_t i = 0; i < s->cfg.num_blocks; i++) {
      set_edges_at_begin(&e, i);
      s->cfg.blocks[i].loop = e.loop;
      set_edges_at_end(&e, i);
   }
   util_dynarray_fini(&e.stack);
   util_dynarray_fini(&e.jumps);
   util_dynarray_fini(&e.halts);
}
