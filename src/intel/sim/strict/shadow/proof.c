/* SPDX-License-Identifier: MIT */
/*
 * Proves of a program that none of its threads can reach an undefined bit, if
 * certain dwords of the payload are filled in. Such threads need no shadow:
 * they run as host code, and only their messages are looked at.
 *
 * A forward analysis over the ways that a channel may take. Of each byte of
 * the registers there is who has surely written it: all channels (or an
 * instruction without masks), or one of them; or that it may still be what
 * the payload has. An instruction may read what was written for all, and what
 * the same channel wrote; of the payload the dwords that are read are noted.
 * Anything else refutes the proof, even where nothing would come of it. The
 * same goes for what is not followed here: addresses in registers, scratch
 * space, calls, fences.
 *
 * The proof is tried twice: for any channels, and for threads with all of
 * them, in which what is outside of ifs and loops is written for all.
 *
 * Where shadow.c and shadow_*.c say what an instruction needs to be defined,
 * this asks for at least as much.
 *
 * Cost: instructions times the passes that loops want; at places where ways
 * meet, the size of the register file.
 */
#include "proof_private.h"

#define MAX_OPS 8192
#define MAX_PASSES 8

/* Where ways meet -------------------------------------------------------- */

static uint8_t
meet_byte(uint8_t a, uint8_t b)
{
   const uint8_t payload = (a | b) & OF_PAYLOAD;
   const uint8_t x = a & ~OF_PAYLOAD, y = b & ~OF_PAYLOAD;
   if (a == NOBODY || b == NOBODY || (x != y && x != ALL && y != ALL))
      return NOBODY;
   return (x == ALL ? y : x) | payload;
}

/* True if `to` now knows less. */
static bool
meet(struct state *to, const struct state *from)
{
   uint8_t *a = (uint8_t *)to;
   const uint8_t *b = (const uint8_t *)from;
   bool less = false;
   for (size_t i = 0; i < sizeof(*to); i++) {
      if (a[i] == b[i])
         continue;
      const uint8_t m = meet_byte(a[i], b[i]);
      less |= m != a[i];
      a[i] = m;
   }
   return less;
}

/* Flow control ----------------------------------------------------------- */

static void
go_to(struct prover *v, const struct eu_op *from, const struct eu_op *to)
{
   if (!to) {
      v->refuted = true;
      return;
   }
   struct state **at = &v->at[to - v->p->ops];
   bool less = true;
   if (*at)
      less = meet(*at, &v->now);
   else if ((*at = malloc(sizeof(**at))))
      **at = v->now;
   else
      v->refuted = true;
   v->lowered |= less && to <= from;
}

/*
 * Whether channels may also go on after the instruction. The ways are those
 * of channels; where some may have left, also those of the thread, which goes
 * on with none of them: what has no masks is executed all the same.
 */
static bool
step_flow(struct prover *v, const struct eu_op *op)
{
   const bool may_stay = op->flags & EU_PRED;
   if (v->leaves)
      go_to(v, op, op->jip);
   if (op->inst->opcode == ISA_OPCODE_JMPI) {
      if (op->flags & EU_PRED)
         proof_flag(v, op, op->group, ALL);
      v->refuted |= op->inst->src[0].file != ISA_FILE_IMM &&
                    !(op->inst->src[0].file == ISA_FILE_ARF &&
                      op->inst->src[0].nr == ISA_ARF_NULL);
      go_to(v, op, op->jip);
      return may_stay;
   }
   proof_predicate(v, op);
   switch (op->inst->opcode) {
   case ISA_OPCODE_IF: go_to(v, op, op->jip); return true;
   case ISA_OPCODE_ELSE: go_to(v, op, op->uip); return false;
   case ISA_OPCODE_ENDIF: return true;
   case ISA_OPCODE_WHILE: go_to(v, op, op->jip); return true;
   case ISA_OPCODE_BREAK:
   case ISA_OPCODE_CONT:
   case ISA_OPCODE_HALT: go_to(v, op, op->uip); return may_stay;
   default: v->refuted = true; return true;
   }
}

/* Where all channels of a thread are on that has all of them: outside of ifs
 * and loops, and not after a halt. */
static void
find_flat(struct prover *v)
{
   const struct sim_eu_program *p = v->p;
   const struct eu_op *halted = NULL;
   unsigned depth = 0;
   for (uint32_t i = 0; i < p->num_ops; i++) {
      const struct eu_op *op = &p->ops[i];
      const enum isa_opcode opcode = op->inst ? op->inst->opcode
                                              : ISA_OPCODE_NOP;
      if (op == halted)
         halted = NULL;
      depth += opcode == ISA_OPCODE_IF;
      if (!depth && !halted)
         BITSET_SET(v->flat, i);
      depth -= opcode == ISA_OPCODE_ENDIF && depth;
      if (opcode == ISA_OPCODE_HALT)
         halted = MAX2(halted, op->uip);
      v->leaves |= opcode == ISA_OPCODE_HALT || opcode == ISA_OPCODE_BREAK ||
                   opcode == ISA_OPCODE_CONT;
      if (opcode != ISA_OPCODE_WHILE || !op->jip || op->jip > op)
         continue;
      for (const struct eu_op *in = op->jip; in <= op; in++)
         BITSET_CLEAR(v->flat, in - p->ops);
   }
}

/* Passes ----------------------------------------------------------------- */

/* Whether the next instruction follows on this one. */
static bool
step(struct prover *v, const struct eu_op *op)
{
   const struct isa_opcode_info *info =
      op->inst ? isa_opcode_info(op->inst->opcode) : NULL;
   if (op->is_illegal || op->fn == eu_flow_off_end)
      return false;
   if (!info || op->fn == eu_flow_join)
      return true;
   if (op->has_slow)
      proof_alu(v, op);
   else if (info->is_send)
      proof_send(v, op);
   else if (op->fn == eu_wait)
      v->waits = true;
   else if (info->is_flow)
      return step_flow(v, op);
   return !op->inst->eot;
}

static void
pass(struct prover *v)
{
   bool reached = true;
   v->lowered = false;
   memset(&v->now, NOBODY, sizeof(v->now));
   memset(v->now.grf, OF_PAYLOAD | ALL, sizeof(v->now.grf));
   for (uint32_t i = 0; i < v->p->num_ops && !v->refuted; i++) {
      if (v->at[i]) {
         if (reached)
            meet(v->at[i], &v->now);
         v->now = *v->at[i];
         reached = true;
      }
      if (reached)
         reached = step(v, &v->p->ops[i]);
   }
}

static bool
holds(const struct sim_eu_program *p, struct shadow_program *sp, bool all_on)
{
   struct prover *v = calloc(1, sizeof(*v));
   bool ok = false;
   if (!v)
      return false;
   *v = (struct prover) { .p = p, .sp = sp, .all_on = all_on };
   v->at = calloc(p->num_ops, sizeof(*v->at));
   v->flat = calloc(BITSET_WORDS(p->num_ops), sizeof(*v->flat));
   memset(sp->proof.needs, 0, sizeof(sp->proof.needs));
   if (v->at && v->flat) {
      unsigned left = MAX_PASSES;
      find_flat(v);
      do {
         pass(v);
      } while (v->lowered && --left && !v->refuted);
      ok = !v->refuted && !v->lowered && !(v->reads_urb && v->waits);
      sp->proof.reads_urb = v->reads_urb;
   }
   for (uint32_t i = 0; v->at && i < p->num_ops; i++)
      free(v->at[i]);
   free(v->at);
   free(v->flat);
   free(v);
   return ok;
}

/* Channels that must be on for a thread to have all. */
static uint32_t
all_channels(const struct sim_eu_program *p)
{
   uint32_t all = 0;
   for (uint32_t i = 0; i < p->num_ops; i++) {
      const struct eu_op *op = &p->ops[i];
      for (unsigned k = 0;
           op->inst && !(op->flags & EU_NO_MASK) && k < op->exec_size; k++)
         all |= 1u << (channel_of(op, k) & 31);
   }
   return all;
}

void
shadow_prove(const struct sim_eu_program *p,
             const struct sim_thread_rules *rules)
{
   struct shadow_program *sp = shadow_program_get(p);
   struct shadow_proof *proof = &sp->proof;
   proof->state = SHADOW_REFUTED;
   if (p->num_ops > MAX_OPS || !shadow_instructions_keep(p, rules))
      return;
   if (holds(p, sp, false))
      proof->state = SHADOW_PROVED;
   else if (holds(p, sp, true))
      proof->state = SHADOW_PROVED_FOR_ALL;
   proof->channels = proof->state == SHADOW_PROVED ? 0 : all_channels(p);
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++) {
      if (proof->needs[i])
         proof->registers[i / 64] |= 1ull << i % 64;
   }
}
