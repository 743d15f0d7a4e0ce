/* SPDX-License-Identifier: MIT */
/*
 * Jump targets (PRM SKL vol 2a, "if", "else", "endif", "while", "break",
 * "cont", "halt"; vol 7, "Flow Control"), in bytes from the instruction:
 *    IF     JIP after ELSE (or ENDIF when there is none), UIP ENDIF
 *    ELSE   JIP = UIP = ENDIF
 *    ENDIF  JIP: the next end of a block (ELSE, ENDIF, WHILE, HALT) outside
 *    WHILE  JIP: after DO
 *    BREAK  JIP: the next end of a block, UIP: WHILE
 *    CONT   as BREAK
 *    HALT   JIP: the next end of a block, UIP: behind the halt target
 *    CALL   JIP: the routine
 *
 * The halt target is a HALT that all channels reach. Its UIP is that of all
 * others: at the end of a program each channel must have halted to where some
 * have (Mesa's brw_fs_generator.cpp, patch_halt_jumps(): else chips hang, or
 * draw sparkles).
 */
#include "eu_ir.h"

struct open_block {
   bool is_loop;
   int32_t if_at, else_at; /* instructions; -1: none */
   int32_t do_target;
   unsigned first_jump; /* in `loop_jumps` */
};

static void
set_structured_jumps(const struct eu_shader *s, struct isa_inst *insts)
{
   struct util_dynarray stack = { 0 }, jumps = { 0 };

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      const int32_t at = (int32_t)inst->pass_data;
      const unsigned n =
         (unsigned)util_dynarray_num_elements(&stack, struct open_block);
      struct open_block *top =
         n ? util_dynarray_element(&stack, struct open_block, n - 1) : NULL;

      switch (inst->op) {
      case ISA_OPCODE_IF: {
         struct open_block o = { .if_at = at, .else_at = -1 };
         util_dynarray_append(&stack, struct open_block, o);
         break;
      }
      case ISA_OPCODE_ELSE: top->else_at = at; break;
      case ISA_OPCODE_ENDIF:
         insts[top->if_at].uip = (at - top->if_at) * 16;
         insts[top->if_at].jip = insts[top->if_at].uip;
         if (top->else_at >= 0) {
            insts[top->if_at].jip = (top->else_at + 1 - top->if_at) * 16;
            insts[top->else_at].jip = (at - top->else_at) * 16;
            insts[top->else_at].uip = insts[top->else_at].jip;
         }
         (void)util_dynarray_pop(&stack, struct open_block);
         break;
      case EU_OP_DO: {
         struct open_block o = {
            .is_loop = true,
            .do_target = at,
            .first_jump =
               (unsigned)util_dynarray_num_elements(&jumps, int32_t),
         };
         util_dynarray_append(&stack, struct open_block, o);
         break;
      }
      case ISA_OPCODE_BREAK:
      case ISA_OPCODE_CONT: util_dynarray_append(&jumps, int32_t, at); break;
      case ISA_OPCODE_WHILE: {
         insts[at].jip = (top->do_target - at) * 16;
         while (util_dynarray_num_elements(&jumps, int32_t) >
                top->first_jump) {
            const int32_t j = util_dynarray_pop(&jumps, int32_t);
            insts[j].uip = (at - j) * 16;
         }
         (void)util_dynarray_pop(&stack, struct open_block);
         break;
      }
      default: break;
      }
   }
   util_dynarray_fini(&stack);
   util_dynarray_fini(&jumps);
}

/* ---- ends of blocks ---- */

/* An if or a loop that encloses the instruction, or the whole program. */
struct scope {
   int32_t end;   /* the next end of a block from there on, or -1 */
   int32_t begin; /* of a loop: its first instruction; else -1 */
};

struct scopes {
   struct util_dynarray stack; /* struct scope */
};

static struct scope *
innermost(struct scopes *s)
{
   const size_t n = util_dynarray_num_elements(&s->stack, struct scope);

   return util_dynarray_element(&s->stack, struct scope, n - 1);
}

static void
enter(struct scopes *s, int32_t end, int32_t begin)
{
   const struct scope scope = { end, begin };

   util_dynarray_append(&s->stack, struct scope, scope);
}

/* From an instruction to the one before it. What waits before an if goes on
 * at what comes after it; what waits before a loop joins at a HALT in it. */
static void
step_back(struct scopes *s, const struct isa_inst *insts, int32_t at)
{
   switch (insts[at].opcode) {
   case ISA_OPCODE_ENDIF: enter(s, at, -1); break;
   case ISA_OPCODE_IF:
      (void)util_dynarray_pop(&s->stack, struct scope);
      break;
   case ISA_OPCODE_ELSE:
   case ISA_OPCODE_HALT: innermost(s)->end = at; break;
   /* Its jump back is set already. */
   case ISA_OPCODE_WHILE: enter(s, at, at + insts[at].jip / 16); break;
   default: break;
   }
   while (innermost(s)->begin == at) {
      const struct scope loop = util_dynarray_pop(&s->stack, struct scope);
      if (insts[loop.end].opcode == ISA_OPCODE_HALT)
         innermost(s)->end = loop.end;
   }
}

/* `end`: where channels that wait at instruction `at` may have to join: the
 * next ELSE, ENDIF or WHILE that encloses it, or a HALT on the way. -1:
 * none. */
static void
set_jump(struct isa_inst *o, int32_t at, int32_t end, int32_t halt_target)
{
   switch (o->opcode) {
   case ISA_OPCODE_ENDIF:
   case ISA_OPCODE_BREAK:
   case ISA_OPCODE_CONT: o->jip = end >= 0 ? (end - at) * 16 : 16; break;
   case ISA_OPCODE_HALT:
      o->uip = (halt_target + 1 - at) * 16;
      o->jip = at < halt_target && end >= 0 ? (end - at) * 16 : o->uip;
      break;
   default: break;
   }
}

/* The first argument of a routine, from `at` on, or NULL. */
static const struct list_head *
find_routine(const struct eu_shader *s, const struct list_head *at,
             uint64_t number)
{
   for (; at != &s->insts; at = at->next) {
      const struct eu_inst *inst = list_entry(at, struct eu_inst, link);
      if (inst->op == EU_OP_ARGUMENT && inst->src[0].imm == number)
         return at;
   }
   return NULL;
}

/* Routines stand behind the last message, so behind all calls. */
static void
set_calls(const struct eu_shader *s, struct isa_inst *insts)
{
   const struct list_head *routines = s->insts.prev;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (inst->op == EU_OP_ARGUMENT) {
         routines = &inst->link;
         break;
      }
   }
   list_for_each_entry(struct eu_inst, call, &s->insts, link) {
      if (call->op != EU_OP_CALL_ROUTINE)
         continue;
      const struct list_head *at =
         find_routine(s, routines, call->src[2].imm);
      if (!at)
         continue;
      const struct eu_inst *to = list_entry(at, struct eu_inst, link);
      insts[call->pass_data].jip =
         ((int32_t)to->pass_data - (int32_t)call->pass_data) * 16;
   }
}

void
eu_resolve_jumps(const struct eu_shader *s, struct isa_inst *insts,
                 unsigned num_insts, int32_t halt_target)
{
   struct scopes scopes = { 0 };

   set_structured_jumps(s, insts);
   set_calls(s, insts);
   enter(&scopes, -1, -1);
   for (int32_t at = (int32_t)num_insts; at-- > 0;) {
      set_jump(&insts[at], at, innermost(&scopes)->end, halt_target);
      step_back(&scopes, insts, at);
   }
   util_dynarray_fini(&scopes.stack);
}
