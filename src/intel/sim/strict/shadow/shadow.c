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

/* The marks of a register. */
static inline void
marks_of(unsigned reg, four marks[2])
{
   const uint32_t first = mark_of(reg * 8);
   const four step = { 0, MARK_STEP, 2 * MARK_STEP, 3 * MARK_STEP };
   marks[0] = first + step;
   marks[1] = marks[0] + 4 * MARK_STEP;
}

static inline bool
any(four v)
{
   uint64_t q[2];
   memcpy(q, &v, sizeof(q));
   return q[0] | q[1];
}

/* Threads of a program that have a shadow before a proof is tried. */
#define THREADS_BEFORE_PROOF 8

/* Whether a thread needs no shadow if its payload is filled in as it should
 * be. Nor do those that somebody looks into. */
static bool
is_proved(struct sim_eu_thread *t, struct shadow_program *sp)
{
   const struct sim_eu_env *env = t->env;
   struct shadow_proof *proof = &sp->proof;
   if (proof->state == SHADOW_UNPROVED &&
       proof->threads++ == THREADS_BEFORE_PROOF)
      shadow_prove(t->program, env->rules);
   return proof->state >= SHADOW_PROVED && !env->chaos && !env->trace &&
          !(proof->channels & ~t->dispatch_mask) &&
          !(proof->reads_urb && env->rules->urb);
}

/* Registers that are marked: all if the program is not known, else those that
 * it names, or of which it needs something. */
static void
registers_of(const struct sim_eu_thread *t, uint64_t set[2])
{
   const struct shadow_program *sp =
      t->shadow_marks == SIM_SHADOW_MARKED_ALL ? NULL : t->program->shadow;
   const uint64_t *from = !sp ? NULL
                          : t->shadow_marks == SIM_SHADOW_MARKED_NEEDED
                             ? sp->proof.registers
                             : sp->named;
   set[0] = from ? from[0] : ~0ull;
   set[1] = from ? from[1] : ~0ull;
}

void
sim_shadow_mark(struct sim_eu_thread *t)
{
   struct shadow_program *sp = t->program ? shadow_program_get(t->program)
                                          : NULL;
   uint64_t set[2];
   t->shadow_marks = !sp                ? SIM_SHADOW_MARKED_ALL
                     : is_proved(t, sp) ? SIM_SHADOW_MARKED_NEEDED
                                        : SIM_SHADOW_MARKED_NAMED;
   registers_of(t, set);
   for (unsigned w = 0; w < 2; w++) {
      for (uint64_t left = set[w]; left;) {
         const unsigned reg = 64 * w + (unsigned)u_bit_scan64(&left);
         four marks[2];
         marks_of(reg, marks);
         memcpy(&t->grf[reg], marks, sizeof(marks));
      }
   }
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
 * anything. Of four, of which `undefined` are such, and `kept` of these have
 * a value all the same. */
static void
clear_dwords(struct sim_eu_thread *t, unsigned first, four undefined,
             four kept)
{
   struct sim_chaos *chaos =
      sim_chaos_has(t->env->chaos, SIM_CHAOS_POISON) ? t->env->chaos : NULL;
   uint32_t *dw = &t->grf[0].ud[first];
   for (unsigned k = 0; k < 4; k++) {
      if (kept[k])
         dw[k] = t->env->rules->kept[first + k];
      else if (undefined[k])
         dw[k] = chaos ? (uint32_t)sim_chaos_random(chaos) : 0;
   }
}

/* Finds what a register has been filled with. */
static void
find_register(struct sim_eu_thread *t, struct sim_shadow *sh, unsigned reg)
{
   four marks[2];
   marks_of(reg, marks);
   for (unsigned i = 0; i < 2; i++) {
      four now;
      memcpy(&now, &t->grf[reg].ud[4 * i], sizeof(now));
      const four kept = (four)(now == ~marks[i]);
      const four undefined = (four)(now == marks[i]) | kept;
      memcpy(&sh->grf[reg].ud[4 * i], &undefined, sizeof(undefined));
      if (!any(undefined))
         continue;
      sh->some[reg / 64] |= 1ull << reg % 64;
      clear_dwords(t, reg * 8 + 4 * i, undefined, kept);
   }
}

static void
find_payload(struct sim_eu_thread *t, struct sim_shadow *sh,
             const uint64_t set[2])
{
   for (unsigned w = 0; w < 2; w++) {
      for (uint64_t left = set[w]; left;)
         find_register(t, sh, 64 * w + (unsigned)u_bit_scan64(&left));
   }
}

/* Whether the payload has all that the program's proof needs. */
static bool
has_needs(const struct sim_eu_thread *t)
{
   const struct shadow_proof *proof = &t->program->shadow->proof;
   if (proof->reads_urb && t->env->rules->urb)
      return false;
   for (unsigned w = 0; w < 2; w++) {
      for (uint64_t left = proof->registers[w]; left;) {
         const unsigned reg = 64 * w + (unsigned)u_bit_scan64(&left);
         four marks[2];
         marks_of(reg, marks);
         for (unsigned dw = 0; dw < 8; dw++) {
            const uint32_t now = t->grf[reg].ud[dw];
            const uint32_t mark = marks[dw / 4][dw % 4];
            if (proof->needs[reg] >> dw & 1 && (now == mark || now == ~mark))
               return false;
         }
      }
   }
   return true;
}

/* From those of threads that have ended, or new. Of a new one the registers
 * are zero if it `is_clean`, as they are among those of the same kind. */
static struct sim_shadow *
take(struct sim_shadow **unused, bool is_clean)
{
   struct sim_shadow *sh = *unused;
   if (sh) {
      *unused = sh->next;
   } else {
      sh = aligned_alloc(32, ALIGN(sizeof(*sh), (size_t)32));
      if (sh && is_clean)
         memset(sh->grf, 0, sizeof(sh->grf));
   }
   if (sh)
      memset(sh->some, 0, sizeof(*sh) - offsetof(struct sim_shadow, some));
   return sh;
}

void
sim_shadow_start(struct sim_eu_thread *t)
{
   struct sim_thread_rules *r = t->env->rules;
   uint64_t set[2];
   if (!shadow_program_get(t->program))
      return;
   if (t->shadow_marks == SIM_SHADOW_MARKED_NEEDED && has_needs(t)) {
      t->shadow = take(&r->clean, true);
      return;
   }
   struct sim_shadow *sh = take(&r->unused, false);
   if (!sh)
      return;
   /* What is not marked is written before it is read; but not of each
    * register all, and some[] is for registers as a whole. */
   if (t->shadow_marks == SIM_SHADOW_MARKED_NEEDED)
      memset(sh->grf, 0, sizeof(sh->grf));
   memset(sh->flag, 0xff, sizeof(sh->flag));
   memset(sh->address, 0xff, sizeof(sh->address));
   sh->some_address = 0xffff;
   sh->acc = ~0u;
   registers_of(t, set);
   find_payload(t, sh, set);
   t->shadow = sh;
   t->shadow_steps = true;
}

void
sim_shadow_end(struct sim_eu_thread *t)
{
   struct sim_thread_rules *r = t->env ? t->env->rules : NULL;
   struct sim_shadow *sh = t->shadow;
   if (!sh)
      return;
   struct sim_shadow **unused = t->shadow_steps ? &r->unused : &r->clean;
   free(sh->scratch);
   sh->next = *unused;
   *unused = sh;
   t->shadow = NULL;
   t->shadow_steps = false;
}

static void
free_list(struct sim_shadow **list)
{
   while (*list) {
      struct sim_shadow *next = (*list)->next;
      free(*list);
      *list = next;
   }
}

void
sim_thread_rules_finish(struct sim_thread_rules *r)
{
   free_list(&r->unused);
   free_list(&r->clean);
   free(r->urb);
   r->urb = NULL;
}

/* Steps ------------------------------------------------------------------ */

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
check_carries(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_slow *s = op->slow;
   bool any = carries(t, op, &s->dst);
   for (unsigned i = 0; i < s->nsrc; i++)
      any |= carries(t, op, &s->src[i]);
   t->ip_B = op->ip_B;
   return !any || shadow_broken(t, SIM_RULE_LOST_CARRY, "%s", "");
}

/* Rows with addresses of their own: those of channels that are off count. */
static bool
check_rows(struct sim_eu_thread *t, const struct eu_op *op,
           const struct eu_operand *o)
{
   if (o->where != EU_INDIRECT || !o->addr_rows)
      return true;
   for (unsigned lane = 0; lane < op->exec_size;
        lane += MAX2((unsigned)o->addr_row, 1u)) {
      const unsigned row = lane / MAX2((unsigned)o->addr_row, 1u);
      const unsigned reg = o->addr_subnr + row;
      unsigned a = 0;
      const char *how = NULL;
      if (reg >= ARRAY_SIZE(t->address))
         return true; /* EU-53 */
      const bool inside = eu_lane_address(t, op->slow, o, lane, &a);
      if (t->shadow->address[reg])
         how = "never written";
      else if (!inside)
         how = "beyond the registers";
      else if (a % o->size_B)
         how = "misaligned";
      t->ip_B = op->ip_B;
      if (how)
         return shadow_broken(t, SIM_RULE_ADDRESS_OF_ALL,
                              "a0.%u of channel %u is %s", reg, lane, how);
   }
   return true;
}

static bool
check_addresses(struct sim_eu_thread *t, const struct eu_op *op)
{
   const bool *on = t->env->rules->on;
   const struct eu_slow *s = op->slow;
   if (on[SIM_RULE_LOST_CARRY] && !check_carries(t, op))
      return false;
   for (unsigned i = 0; on[SIM_RULE_ADDRESS_OF_ALL] && i < s->nsrc; i++) {
      if (!check_rows(t, op, &s->src[i]))
         return false;
   }
   return true;
}

bool
sim_shadow_step(struct sim_eu_thread *t, const struct eu_op *op)
{
   struct shadow_op *so = &t->program->shadow->ops[op - t->program->ops];
   if (!so->looked) {
      so->looked = true;
      if (!shadow_instruction(t, op))
         return false;
   }
   if (so->indirect && !check_addresses(t, op))
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
