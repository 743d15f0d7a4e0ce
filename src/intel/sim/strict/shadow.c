/* SPDX-License-Identifier: MIT */
/*
 * Life of a thread's shadow: see shadow.h.
 *
 * Who fills in a payload need not know of shadows: the registers are marked
 * before, and a dword that still has its mark afterwards is undefined.
 */
#include "shadow_private.h"

#include "intel/sim/chaos/chaos.h"
#include "intel/sim/eu/alu.h"

#include <stdarg.h>
#include <stdio.h>

bool
shadow_broken(struct sim_eu_thread *t, enum sim_thread_rule rule,
              const char *fmt, ...)
{
   struct sim_thread_rules *r = t->env->rules;
   char text[160];
   va_list ap;
   if (!r->on[rule])
      return true;
   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   if (r->broken(r->data, t, rule, text))
      return true;
   sim_eu_fault(t, SIM_FAULT_ILLEGAL, "a rule of the chip is broken: %s",
                text);
   t->status = SIM_EU_FAULT;
   return false;
}

/* Life ------------------------------------------------------------------ */

#define FIRST_MARK 0x5bd1e995u
#define MARK_STEP 0x9e3779b9u

static uint32_t
mark_of(unsigned i)
{
   return FIRST_MARK + i * MARK_STEP;
}

/* Half of a register. */
typedef uint32_t four __attribute__((vector_size(16)));

/* The marks of the first four dwords, and from there to the next. */
static const four first_marks = { FIRST_MARK, FIRST_MARK + MARK_STEP,
                                  FIRST_MARK + 2 * MARK_STEP,
                                  FIRST_MARK + 3 * MARK_STEP };
static const four next_marks = { 4 * MARK_STEP, 4 * MARK_STEP, 4 * MARK_STEP,
                                 4 * MARK_STEP };

static inline bool
any(four v)
{
   uint64_t q[2];
   memcpy(q, &v, sizeof(q));
   return q[0] | q[1];
}

void
sim_shadow_mark(struct sim_eu_thread *t)
{
   four marks = first_marks;
   for (unsigned i = 0; i < SIM_GRF_COUNT * 8; i += 4, marks += next_marks)
      memcpy(&t->grf[0].ud[i], &marks, sizeof(marks));
}

void
sim_shadow_unfill(struct sim_thread_rules *r, union sim_grf *grf,
                  unsigned reg, unsigned dw)
{
   static_assert(ARRAY_SIZE(r->kept) == SIM_GRF_COUNT * 8, "all registers");
   const unsigned i = reg * 8 + dw;
   r->kept[i] = grf[reg].ud[dw];
   grf[reg].ud[dw] = ~mark_of(i);
}

void
sim_shadow_unfill_from(struct sim_thread_rules *r, union sim_grf *grf,
                       unsigned reg, uint64_t at_B, unsigned n)
{
   for (unsigned i = 0; r && r->urb && i < n; i++) {
      if (sim_shadow_urb_bits(r, at_B + 4 * i))
         sim_shadow_unfill(r, grf, reg + i / 8, i % 8);
   }
}

/* Dwords that nobody filled in become zeros, whatever ran before; with chaos
 * anything. */
static void
find_payload(struct sim_eu_thread *t, struct sim_shadow *sh)
{
   struct sim_chaos *chaos =
      sim_chaos_has(t->env->chaos, SIM_CHAOS_POISON) ? t->env->chaos : NULL;
   four marks = first_marks;
   for (unsigned i = 0; i < SIM_GRF_COUNT * 8; i += 4, marks += next_marks) {
      uint32_t *dw = &t->grf[0].ud[i];
      four now;
      memcpy(&now, dw, sizeof(now));
      const four marked = (four)(now == marks), kept = (four)(now == ~marks);
      const four undefined = marked | kept;
      memcpy(&sh->grf[0].ud[i], &undefined, sizeof(undefined));
      if (!any(undefined))
         continue;
      now &= ~undefined;
      for (unsigned k = 0; k < 4 && (chaos || any(kept)); k++) {
         if (kept[k])
            now[k] = t->env->rules->kept[i + k];
         else if (chaos && marked[k])
            now[k] = (uint32_t)sim_chaos_random(chaos);
      }
      memcpy(dw, &now, sizeof(now));
   }
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++)
      shadow_settle(sh, i);
}

/* The program's own array, made when it first runs with a shadow. */
static bool
has_shadow_ops(const struct sim_eu_program *p)
{
   struct sim_eu_program *own = (struct sim_eu_program *)p;
   if (!own->shadow_ops)
      own->shadow_ops = calloc(p->num_ops, sizeof(struct shadow_op));
   return own->shadow_ops;
}

void
sim_shadow_start(struct sim_eu_thread *t)
{
   struct sim_thread_rules *r = t->env->rules;
   struct sim_shadow *sh = r->unused;
   if (!has_shadow_ops(t->program))
      return;
   if (sh)
      r->unused = sh->next;
   else
      sh = aligned_alloc(32, ALIGN(sizeof(*sh), (size_t)32));
   if (!sh)
      return;
   /* All but the registers, which find_payload() writes. */
   memset(sh->some, 0, sizeof(*sh) - offsetof(struct sim_shadow, some));
   memset(sh->flag, 0xff, sizeof(sh->flag));
   memset(sh->address, 0xff, sizeof(sh->address));
   sh->some_address = 0xffff;
   sh->acc = ~0u;
   find_payload(t, sh);
   t->shadow = sh;
}

void
sim_shadow_end(struct sim_eu_thread *t)
{
   struct sim_shadow *sh = t->shadow;
   if (!sh)
      return;
   free(sh->scratch);
   sh->next = t->env->rules->unused;
   t->env->rules->unused = sh;
   t->shadow = NULL;
}

void
sim_thread_rules_finish(struct sim_thread_rules *r)
{
   while (r->unused) {
      struct sim_shadow *next = r->unused->next;
      free(r->unused);
      r->unused = next;
   }
   free(r->urb);
   r->urb = NULL;
}

/* What matters to an instruction ----------------------------------------- */

static void
add_bytes(uint64_t set[2], unsigned first_B, unsigned end_B)
{
   for (unsigned i = first_B / SIM_GRF_B;
        i < SIM_GRF_COUNT && i * SIM_GRF_B < end_B; i++)
      set[i / 64] |= 1ull << i % 64;
}

static void
add_all(uint64_t set[2])
{
   set[0] = set[1] = ~0ull;
}

static void
add_operand(struct shadow_op *so, uint64_t set[2], const struct eu_op *op,
            const struct eu_operand *o, unsigned past_B)
{
   switch (o->where) {
   case EU_GRF:
      for (unsigned i = 0; i < op->exec_size; i++)
         add_bytes(set, o->lane_off_B[i],
                   o->lane_off_B[i] + o->size_B + past_B);
      break;
   case EU_INDIRECT:
      so->indirect = true;
      add_all(set);
      so->address = 0xffff;
      break;
   case EU_ARF:
      so->acc |= (o->nr & 0xf0) == ISA_ARF_ACC;
      if ((o->nr & 0xf0) == ISA_ARF_ADDRESS)
         so->address = 0xffff;
      if ((o->nr & 0xf0) == ISA_ARF_FLAG)
         so->flag[o->nr & 1] = ~0u;
      break;
   case EU_IMM:
   case EU_NULL: break;
   }
}

static void
add_flags(struct shadow_op *so, const struct eu_op *op)
{
   const bool one_bit = op->pred <= ISA_PRED_NORMAL;
   if (!(op->flags & EU_PRED) && op->cmod == ISA_COND_MOD_NONE)
      return;
   so->flag[op->flag_nr] |=
      one_bit && (!op->has_slow || op->slow->second == op->slow->half)
         ? (uint32_t)((uint64_t)BITFIELD_MASK(op->exec_size)
                      << (op->group + op->flag_shift))
         : ~0u;
   if (op->pred == ISA_PRED_ANYV || op->pred == ISA_PRED_ALLV)
      so->flag[0] = so->flag[1] = ~0u;
}

static void
prepare(const struct eu_op *op, struct shadow_op *so)
{
   const enum isa_opcode opcode = op->inst->opcode;
   so->ready = true;
   add_flags(so, op);
   if (!op->has_slow) {
      so->always = isa_opcode_info(opcode)->is_send ||
                   isa_opcode_info(opcode)->is_flow;
      return;
   }
   const struct eu_slow *s = op->slow;
   const bool plane = opcode == ISA_OPCODE_PLN || opcode == ISA_OPCODE_LINE;
   for (unsigned i = 0; i < s->nsrc; i++)
      add_operand(so, so->read, op, &s->src[i],
                  !plane ? 0
                  : i    ? SIM_GRF_B
                         : 12);
   add_operand(so, so->write, op, &s->dst,
               opcode == ISA_OPCODE_MATH ? 2 * SIM_GRF_B : 0);
   so->acc |= op->inst->acc_wr_en || eu_owns_acc(opcode) ||
              shadow_reads_acc(opcode);
   so->plain = !so->indirect && !so->acc && !so->address &&
               opcode != ISA_OPCODE_MATH &&
               (s->dst.where == EU_GRF || s->dst.where == EU_NULL);
}

/* Whether anything that the instruction touches is undefined. */
static bool
matters(const struct sim_shadow *sh, const struct shadow_op *so)
{
   return so->always ||
          (sh->some[0] & (so->read[0] | so->write[0])) |
             (sh->some[1] & (so->read[1] | so->write[1])) |
             (sh->flag[0] & so->flag[0]) | (sh->flag[1] & so->flag[1]) |
             (sh->some_address & so->address) | (so->acc ? sh->acc : 0);
}

/* Whether all that a plain instruction reads is defined. */
static bool
reads_defined(const struct sim_shadow *sh, const struct eu_op *op,
              const struct shadow_op *so)
{
   if (!so->plain ||
       (sh->some[0] & so->read[0]) | (sh->some[1] & so->read[1]))
      return false;
   return !(op->flags & EU_PRED) ||
          !((sh->flag[0] & so->flag[0]) | (sh->flag[1] & so->flag[1]));
}

/* Of the low five bits of an address and what is added to it. */
static bool
carries(const struct sim_eu_thread *t, const struct eu_op *op,
        const struct eu_operand *o)
{
   const unsigned rows =
      o->addr_rows ? op->exec_size / MAX2((unsigned)o->addr_row, 1u) : 1;
   for (unsigned i = 0; o->where == EU_INDIRECT && i < rows; i++) {
      const unsigned reg = o->addr_subnr + i;
      if (reg < ARRAY_SIZE(t->address) &&
          (t->address[reg] & 31) + (o->addr_imm_B & 31) > 31)
         return true;
   }
   return false;
}

static bool
look_carries(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_slow *s = op->slow;
   bool any = carries(t, op, &s->dst);
   for (unsigned i = 0; i < s->nsrc; i++)
      any |= carries(t, op, &s->src[i]);
   t->ip_B = op->ip_B;
   return !any || shadow_broken(t, SIM_RULE_LOST_CARRY, "%s", "");
}

bool
sim_shadow_step(struct sim_eu_thread *t, const struct eu_op *op)
{
   struct shadow_op *so = &t->program->shadow_ops[op - t->program->ops];
   if (!so->ready) {
      prepare(op, so);
      if (!shadow_instruction(t, op))
         return false;
   }
   if (so->indirect && t->env->rules->on[SIM_RULE_LOST_CARRY] &&
       !look_carries(t, op))
      return false;
   if (t->shadow->fences[0] | t->shadow->fences[1]) {
      for (unsigned i = 0; i < 2; i++)
         t->shadow->fences[i] &= ~(so->read[i] | so->write[i]);
   }
   if (op->is_illegal || !matters(t->shadow, so))
      return true;
   t->ip_B = op->ip_B;
   if (op->has_slow) {
      if (!reads_defined(t->shadow, op, so))
         return shadow_alu(t, op);
      shadow_alu_defined(t, op);
      return true;
   }
   return isa_opcode_info(op->inst->opcode)->is_send ? shadow_send(t, op)
                                                     : shadow_flow(t, op);
}
