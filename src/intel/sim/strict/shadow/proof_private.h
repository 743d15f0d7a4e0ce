/* SPDX-License-Identifier: MIT */
/* What the files of the proof share: see proof.c. */
#ifndef SHADOW_PROOF_PRIVATE_H
#define SHADOW_PROOF_PRIVATE_H

#include "shadow_private.h"
#include "util/bitset.h"

/* Who has written: one channel, or... */
#define ALL 32
#define OF_PAYLOAD 64 /* or else the payload has: with one of the former */
#define NOBODY 255

#define GRF_B (SIM_GRF_COUNT * SIM_GRF_B)

struct state {
   uint8_t grf[GRF_B];
   uint8_t flag[64], acc[32], address[16];
};

struct prover {
   const struct sim_eu_program *p;
   struct shadow_program *sp;
   bool all_on; /* threads have all channels */
   bool leaves; /* channels may leave others behind: break, cont, halt */
   bool refuted, lowered, reads_urb, waits;
   struct state now;
   struct state **at; /* of ops where ways meet, else NULL */
   BITSET_WORD *flat; /* ops for which all channels of the thread are on */
};

/* Bytes ------------------------------------------------------------------ */

/* `lane`: a channel of the thread, or ALL: by whichever are on. */
static inline bool
is_written(uint8_t by, unsigned lane)
{
   const uint8_t who = by & ~OF_PAYLOAD;
   return by != NOBODY && (who == ALL || who == lane);
}

static inline void
need(struct prover *v, unsigned at_B, unsigned lane)
{
   if (at_B >= GRF_B || !is_written(v->now.grf[at_B], lane))
      v->refuted = true;
   else if (v->now.grf[at_B] & OF_PAYLOAD)
      v->sp->proof.needs[at_B / SIM_GRF_B] |= 1u << at_B % SIM_GRF_B / 4;
}

static inline void
need_bytes(struct prover *v, unsigned at_B, unsigned n, unsigned lane)
{
   for (unsigned i = 0; i < n; i++)
      need(v, at_B + i, lane);
}

/* What was written for all stays so: what is written now is defined, too. */
static inline void
written(uint8_t *by, unsigned lane)
{
   if (lane == ALL || *by != ALL)
      *by = (uint8_t)lane;
}

static inline void
write_bytes(struct prover *v, unsigned at_B, unsigned n, unsigned lane)
{
   for (unsigned i = 0; i < n && at_B + i < GRF_B; i++)
      written(&v->now.grf[at_B + i], lane);
}

/* Channels --------------------------------------------------------------- */

/* The thread's channel that switches lane `i` of an instruction on. */
static inline unsigned
channel_of(const struct eu_op *op, unsigned i)
{
   const struct eu_slow *s = op->has_slow ? op->slow : NULL;
   return op->group + (s && i >= s->half ? s->second + i - s->half : i);
}

/* Who reads, and who writes, when a lane does. */
static inline unsigned
reader(const struct eu_op *op, unsigned i)
{
   return op->flags & EU_NO_MASK ? ALL : channel_of(op, i);
}

static inline unsigned
writer(const struct prover *v, const struct eu_op *op, unsigned i)
{
   const bool flat = v->all_on && BITSET_TEST(v->flat, op - v->p->ops);
   return op->flags & EU_NO_MASK || flat ? ALL : channel_of(op, i);
}

/* proof_alu.c: that the flags of a predicate are written; an instruction. */
void proof_flag(struct prover *v, const struct eu_op *op, unsigned bit,
                unsigned lane);
void proof_predicate(struct prover *v, const struct eu_op *op);
void proof_alu(struct prover *v, const struct eu_op *op);

/* proof_send.c */
void proof_send(struct prover *v, const struct eu_op *op);

#endif
