/* SPDX-License-Identifier: MIT */
/*
 * What the files of the shadow share.
 *
 *   shadow.c       a thread's life, which instructions matter, reports
 *   shadow_program.c what is known of a program before it runs
 *   proof*.c       whether anything undefined can be reached in it
 *   shadow_alu.c   arithmetic, logic, moves; predicates
 *   shadow_send.c  messages
 *   shadow_flow.c  flow control
 * and beside this folder:
 *
 *   messages.c     what a message breaks by itself
 *   surfaces.c     what a surface state breaks
 *   instructions.c what an instruction breaks by itself
 *   threads.c      rules about threads, and their words
 */
#ifndef SHADOW_PRIVATE_H
#define SHADOW_PRIVATE_H

#include "intel/sim/eu/eu_private.h"
#include "intel/sim/eu/shadow.h"

/* A bit that is set here is undefined there. */
struct sim_shadow {
   union sim_grf grf[SIM_GRF_COUNT];
   uint64_t some[2]; /* registers with such a bit */
   uint32_t flag[2];
   uint16_t address[16];
   uint32_t some_address; /* words with such a bit */
   uint32_t acc;          /* channels of sim_eu_thread::acc, whole */
   /* The thread's scratch space, as far as it was written. */
   uint8_t *scratch;
   uint32_t scratch_size_B;
   bool scratch_unknown; /* written by messages that are not followed */
   bool saw_target;      /* a message to a render target was sent */
   uint8_t last_slot[8]; /* of each target, the first of the last write */
   uint8_t last_target;  /* that was said to be it, + 1 */
   uint8_t after_slot;   /* the first of that write, + 1 */
   uint64_t fences[2];   /* registers with what a fence gave, not looked at */
   struct sim_shadow *next;
};

/* What an instruction may read or write that can be undefined: if nothing of
 * it is, the instruction changes nothing here. */
struct shadow_op {
   bool looked; /* at what the instruction breaks by itself */
   bool always;
   bool indirect;
   bool plain; /* one place a lane, in registers or nowhere */
   bool acc;
   uint16_t address;
   uint32_t flag[2];
   uint64_t read[2], write[2];
};

/* Whether threads of a program need a shadow. */
enum shadow_proof_state {
   SHADOW_UNPROVED,
   SHADOW_REFUTED,
   SHADOW_PROVED,
   SHADOW_PROVED_FOR_ALL, /* if the thread has all channels */
};

struct shadow_proof {
   enum shadow_proof_state state;
   unsigned threads;             /* that ran before it was tried */
   uint32_t channels;            /* that must be on */
   bool reads_urb;               /* in which nothing may be undefined */
   uint64_t registers[2];        /* with dwords of... */
   uint8_t needs[SIM_GRF_COUNT]; /* dwords that the payload must fill in */
};

struct shadow_program {
   uint64_t named[2]; /* registers that any instruction names */
   struct shadow_proof proof;
   struct shadow_op ops[];
};

/* The program's own, made when it is first asked for; or NULL. */
struct shadow_program *shadow_program_get(const struct sim_eu_program *p);

/* Formats, reports at t->ip_B; false: the thread has a fault. */
bool shadow_broken(struct sim_eu_thread *t, enum sim_thread_rule rule,
                   const char *fmt, ...) PRINTFLIKE(3, 4);

/* Renews `some` for a register. */
static inline void
shadow_finalise(struct sim_shadow *sh, unsigned grf)
{
   const uint64_t *q = sh->grf[grf].uq;
   const uint64_t bit = 1ull << grf % 64;
   if (q[0] | q[1] | q[2] | q[3])
      sh->some[grf / 64] |= bit;
   else
      sh->some[grf / 64] &= ~bit;
}

/* Opcodes that add to the accumulator. */
static inline bool
shadow_reads_acc(enum isa_opcode op)
{
   return op == ISA_OPCODE_MAC || op == ISA_OPCODE_MACH ||
          op == ISA_OPCODE_SADA2;
}

/*
 * Channels whose ways count: not the pixels that only help their neighbours,
 * for which loads and atomic operations may have been switched off. Where a
 * program goes for those alone, nobody sees.
 */
static inline uint32_t
shadow_lit(const struct sim_eu_thread *t)
{
   return t->sample_mask;
}

/* Predicate bits that are undefined, bit 0 for the instruction's first. */
uint32_t shadow_predicate(const struct sim_eu_thread *t,
                          const struct eu_op *op);

/* Rules of the instruction alone. False: the thread has a fault. */
bool shadow_instruction(struct sim_eu_thread *t, const struct eu_op *op);

/* Whether no instruction of the program breaks such a rule. */
bool shadow_instructions_keep(const struct sim_eu_program *p,
                              const struct sim_thread_rules *rules);

/* Fills in the program's proof. */
void shadow_prove(const struct sim_eu_program *p,
                  const struct sim_thread_rules *rules);

/* Rules of the message alone. The same. */
bool shadow_message(struct sim_eu_thread *t, const struct sim_message *m);

bool shadow_alu(struct sim_eu_thread *t, const struct eu_op *op);
/* The same for a plain instruction that reads nothing undefined. */
void shadow_alu_defined(struct sim_eu_thread *t, const struct eu_op *op);
bool shadow_flow(struct sim_eu_thread *t, const struct eu_op *op);
bool shadow_send(struct sim_eu_thread *t, const struct eu_op *op);

#endif
