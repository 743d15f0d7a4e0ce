/* SPDX-License-Identifier: MIT */
/*
 * Which faults matter: whether a chip may do something else because of one.
 * None of this asks strict mode.
 *
 *   Caches    by the accesses of the batch as it is: a write and a later read
 *             by another client, between which all that was needed stood, and
 *             no longer does.
 *   Sequences by a short list of what must stand around some commands.
 *   Registers by experiment: with chaos, what nobody wrote is drawn from a
 *             seed; a program whose results then differ from seed to seed
 *             uses it.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "fuzz.h"
#include "intel/sim/mem/watch.h"

/* A command as sequences see it. */
enum step_kind {
   STEP_OTHER,
   STEP_CONTROL, /* PIPE_CONTROL */
   STEP_WORK,    /* draws, walkers */
   STEP_SELECT,  /* PIPELINE_SELECT */
   STEP_BASE,    /* STATE_BASE_ADDRESS */
};

struct step {
   enum step_kind kind;
   uint32_t bits; /* of a PIPE_CONTROL */
};

struct judge {
   struct corpus *c;
   struct util_dynarray steps; /* struct step, as it is */
   struct util_dynarray needs; /* struct need: write, then read */
   struct util_dynarray lines; /* struct line */
   uint32_t *table;            /* places in `lines` plus one, by address */
   unsigned room;
   bool gathers; /* needs; else only what is written */
};

void judge_init(struct judge *j, struct corpus *c);
void judge_fini(struct judge *j);

/* Before a run of the entry whose accesses are wanted. */
void judge_listen(struct judge *j, bool gathers);
void judge_deaf(struct judge *j);

/* Whether the command of a stream is work; a draw of no vertices is none. */
bool judge_works(const struct command *p, const uint32_t *dw);

/* The commands of an entry. */
void judge_steps(struct judge *j, const struct entry *e, const uint32_t *dw);

/* The PIPE_CONTROL that is command `at` has these bits from now on. */
void judge_step(struct judge *j, unsigned at, uint32_t bits);

/* Whether it matters that the PIPE_CONTROL that is command `at` has these
 * bits, or (`gone`) is not there. */
bool judge_control(const struct judge *j, unsigned at, uint32_t bits,
                   bool gone);

/* Whether anything reads what command `at` writes. */
bool judge_is_read(const struct judge *j, unsigned at);

/* A hash of what the run that was listened to has written. */
uint64_t judge_hash(const struct judge *j, const struct entry *e);

/* Whether the order of two neighbours is documented to matter. */
bool judge_order(const char *first, const char *second, unsigned verx10);

#endif
