/* SPDX-License-Identifier: MIT */
/*
 * Basic blocks of the instruction list.
 *
 * Edges are those that at least one channel may take. IF goes to what
 * follows it and to the ELSE or ENDIF; ELSE closes the first arm; BREAK and
 * CONT go to the loop's exit or its WHILE and, as other channels stay, to
 * what follows; WHILE goes back and out. HALT goes on and to the
 * HALT_TARGET.
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

static void
cut_blocks(struct eu_shader *s)
{
   struct eu_cfg *cfg = &s->cfg;
   uint32_t ip = 0, num_blocks = 0, num_loops = 0;
   bool open = false;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (!open || eu_info(inst)->starts_block)
         num_blocks++;
      num_loops += inst->op == EU_OP_DO;
      open = !ends_block(inst);
   }
   if (num_blocks > cfg->max_blocks) {
      cfg->max_blocks = 2 * num_blocks;
      cfg->blocks = arena_new_array(s->arena, struct eu_block,
                                    cfg->max_blocks);
   }
   if (num_loops > cfg->max_loops) {
      cfg->max_loops = 2 * num_loops;
      cfg->loops = arena_new_array(s->arena, struct eu_loop,
                                   cfg->max_loops);
   }
   cfg->num_blocks = 0;
   cfg->num_loops = 0;

   struct eu_block *b = NULL;
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (!b || eu_info(inst)->starts_block) {
         b = &cfg->blocks[cfg->num_blocks++];
         *b = (struct eu_block) { .first = inst, .start_ip = ip,
                                  .succ = { -1, -1 } };
      }
      inst->ip = ip++;
      inst->block = cfg->num_blocks - 1;
      b->last = inst;
      b->end_ip = inst->ip;
      if (ends_block(inst))
         b = NULL;
   }
   cfg->num_insts = ip;
}

/* What is open at a point of the list. */
struct open_cf {
   bool is_loop;
   uint32_t head;        /* block that ends in IF, or that starts with DO */
   int32_t else_block;   /* block that ends in ELSE, or -1 */
   uint32_t loop;        /* index in cfg->loops */
};

struct pending {
   uint32_t block;
   uint32_t loop;
   bool to_exit;
};

void
eu_calculate_cfg(struct eu_shader *s)
{
   struct eu_cfg *cfg = &s->cfg;
   struct util_dynarray stack = { 0 }, jumps = { 0 }, halts = { 0 };
   uint32_t depth = 0;

   cut_blocks(s);

   for (uint32_t i = 0; i < cfg->num_blocks; i++) {
      struct eu_block *b = &cfg->blocks[i];
      struct eu_inst *last = b->last;
      const unsigned n = (unsigned)util_dynarray_num_elements(
         &stack, struct open_cf);
      struct open_cf *top =
         n ? util_dynarray_element(&stack, struct open_cf, n - 1) : NULL;

      if (b->first->op == EU_OP_DO) {
         struct open_cf cf = { .is_loop = true, .head = i, .else_block = -1,
                               .loop = cfg->num_loops++ };
         cfg->loops[cf.loop].start_ip = b->start_ip;
         util_dynarray_append(&stack, struct open_cf, cf);
         top = util_dynarray_element(&stack, struct open_cf, n);
         depth++;
      } else if (b->first->op == ISA_OPCODE_ENDIF) {
         assert(top && !top->is_loop);
         if (top->else_block >= 0)
            add_succ(cfg, (uint32_t)top->else_block, i);
         else
            add_succ(cfg, top->head, i);
         (void)util_dynarray_pop(&stack, struct open_cf);
         const unsigned m = (unsigned)util_dynarray_num_elements(
            &stack, struct open_cf);
         top = m ? util_dynarray_element(&stack, struct open_cf, m - 1)
                 : NULL;
      } else if (b->first->op == EU_OP_HALT_TARGET) {
         util_dynarray_foreach(&halts, uint32_t, h)
            add_succ(cfg, *h, i);
      }
      b->loop_depth = depth;

      switch (last->op) {
      case ISA_OPCODE_IF: {
         struct open_cf cf = { .head = i, .else_block = -1 };
         util_dynarray_append(&stack, struct open_cf, cf);
         add_succ(cfg, i, i + 1);
         break;
      }
      case ISA_OPCODE_ELSE:
         assert(top && !top->is_loop && top->else_block < 0);
         add_succ(cfg, top->head, i + 1);
         top->else_block = (int32_t)i;
         break;
      case ISA_OPCODE_BREAK:
      case ISA_OPCODE_CONT: {
         uint32_t loop = 0;
         for (unsigned k = (unsigned)util_dynarray_num_elements(
                 &stack, struct open_cf); k-- > 0;) {
            const struct open_cf *cf =
               util_dynarray_element(&stack, struct open_cf, k);
            if (cf->is_loop) {
               loop = cf->loop;
               break;
            }
         }
         struct pending p = { i, loop, last->op == ISA_OPCODE_BREAK };
         util_dynarray_append(&jumps, struct pending, p);
         add_succ(cfg, i, i + 1);
         break;
      }
      case ISA_OPCODE_WHILE: {
         assert(top && top->is_loop);
         struct eu_loop *l = &cfg->loops[top->loop];
         l->end_ip = b->end_ip;
         l->exit_block = i + 1;
         add_succ(cfg, i, top->head);
         if (last->pred != ISA_PRED_NONE)
            add_succ(cfg, i, i + 1);
         util_dynarray_foreach(&jumps, struct pending, p) {
            if (p->loop == top->loop)
               add_succ(cfg, p->block, p->to_exit ? i + 1 : i);
         }
         (void)util_dynarray_pop(&stack, struct open_cf);
         depth--;
         break;
      }
      case ISA_OPCODE_HALT:
         util_dynarray_append(&halts, uint32_t, i);
         add_succ(cfg, i, i + 1);
         break;
      default:
         if (!last->eot)
            add_succ(cfg, i, i + 1);
         break;
      }
   }
   util_dynarray_fini(&stack);
   util_dynarray_fini(&jumps);
   util_dynarray_fini(&halts);
}
