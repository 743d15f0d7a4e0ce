/* SPDX-License-Identifier: MIT */
/*
 * A GPU that behaves as badly as the manuals allow, when SAFFRON_SIM_CHAOS
 * asks for it: what is left open is drawn from a seed. A program that relies
 * on nothing that is not promised draws the same pixels with every seed
 * (docs/strict.rst, "Chaos").
 *
 * Work is then done by one host thread, in an order that the seed alone
 * decides. Without chaos a hook costs a test of a pointer.
 */
#ifndef SIM_CHAOS_H
#define SIM_CHAOS_H

#include "intel/sim/mem/watch.h"
#include "util/macros.h"

enum sim_chaos_kind {
   SIM_CHAOS_POISON = 1 << 0, /* what nobody wrote holds anything */
   SIM_CHAOS_MATH = 1 << 1,   /* extended math within its bounds */
   SIM_CHAOS_ORDER = 1 << 2,  /* threads, groups */
   SIM_CHAOS_IDS = 1 << 3,    /* thread numbers, places in the URB */
   SIM_CHAOS_PLACES = 1 << 4, /* where objects are that may move */
   SIM_CHAOS_CACHE = 1 << 5,  /* late writes, stale reads */
   SIM_CHAOS_ALL = (1 << 6) - 1,
};

struct sim_chaos {
   uint64_t seed, state;
   unsigned kinds; /* enum sim_chaos_kind */
};

/* As SAFFRON_SIM_CHAOS says: "SEED" or "SEED:kind,kind"; NULL if it is not
 * set, or leaves no kind. False, with a line on stderr: it is wrong. */
bool sim_chaos_create(struct sim_chaos **chaos);
void sim_chaos_destroy(struct sim_chaos *c);

uint64_t sim_chaos_random(struct sim_chaos *c);

/* Other bits for other ones, each as likely. */
uint64_t sim_chaos_mix(uint64_t x);

/* Less than n. */
static inline uint64_t
sim_chaos_below(struct sim_chaos *c, uint64_t n)
{
   return sim_chaos_random(c) % n;
}

static inline bool
sim_chaos_has(const struct sim_chaos *c, enum sim_chaos_kind kind)
{
   return __builtin_expect(c != NULL, 0) && c->kinds & kind;
}

/* Fills `size_B` bytes with what may be there: without kind POISON nothing
 * happens. */
void sim_chaos_poison(struct sim_chaos *c, void *p, size_t size_B);

/*
 * Caches with data, of one batch (caches.c); NULL without kind CACHE.
 */

struct GEN9_PIPE_CONTROL;
struct sim_vm;

struct chaos_caches *sim_chaos_caches_create(struct sim_chaos *c,
                                             const struct sim_vm *vm);
/* Writes back what is left: the batch has ended. NULL is fine. */
void sim_chaos_caches_destroy(struct chaos_caches *k);

/* Before each access; by sim_mem_note(). */
void sim_chaos_access(struct chaos_caches *k, enum sim_client client,
                      uint64_t address, uint64_t size_B,
                      enum sim_mem_access access);

/* Before each command: whether it starts threads or primitives. */
void sim_chaos_command(struct chaos_caches *k, bool works);

/* Before the post-sync operation. `scoreboard_stall_flushes` is the
 * generation's (gen/traits.h). */
void sim_chaos_pipe_control(struct chaos_caches *k,
                            const struct GEN9_PIPE_CONTROL *c,
                            bool scoreboard_stall_flushes);

/* A thread has waited for those before it on the same pixels. */
void sim_chaos_wait_for_pixels(struct chaos_caches *k);

/* An order of 0 to n - 1: all of them come, once each. The zero value, and
 * one without kind ORDER or IDS, is the usual one. */
struct sim_chaos_order {
   uint64_t step, first, n;
};

struct sim_chaos_order sim_chaos_order(struct sim_chaos *c,
                                       enum sim_chaos_kind kind, uint64_t n);

static inline uint64_t
sim_chaos_nth(const struct sim_chaos_order *o, uint64_t i)
{
   if (__builtin_expect(o->step == 0, 1))
      return i;
   return (uint64_t)(((util_u128)i * o->step + o->first) % o->n);
}

#endif
