/* SPDX-License-Identifier: MIT */
/*
 * What each instruction costs: the cycles of a thread from the start of one
 * to that of the next belong to the former, so that the sum over all
 * instructions is what the threads took.
 */
#include "trace.h"

#include "intel/sim/eu/eu.h"
#include "util/hash_table.h"

/* Instructions begin at multiples of this. */
#define SLOT_B 8

struct sim_thread_costs {
   const struct sim_eu_program *program;
   enum trace_stage stage;
   struct trace_cost *last; /* the instruction that runs */
   uint64_t last_cycle;
   struct trace_cost cost[]; /* by slot */
};

/* The sums over all threads, of a program in a stage. */
struct sums {
   const struct sim_eu_program *program;
   enum trace_stage stage;
   uint32_t threads, num_slots;
   struct trace_cost cost[];
};

struct sim_profile {
   struct hash_table programs; /* struct sums, by hash and stage */
};

static uint32_t
num_slots(const struct sim_eu_program *p)
{
   return sim_eu_program_size_B(p) / SLOT_B + 1;
}

struct sim_thread_costs *
sim_thread_costs_create(const struct sim_eu_program *program,
                        enum trace_stage stage)
{
   struct sim_thread_costs *c =
      calloc(1, sizeof(*c) + num_slots(program) * sizeof(c->cost[0]));
   if (!c)
      abort();
   c->program = program;
   c->stage = stage;
   return c;
}

void
sim_thread_costs_step(struct sim_thread_costs *c,
                      const struct sim_eu_thread *t)
{
   uint32_t cycle, issue;
   sim_eu_thread_time(t, &cycle, &issue);
   if (c->last)
      c->last->cycles += cycle - c->last_cycle;
   c->last = &c->cost[t->ip_B / SLOT_B];
   c->last_cycle = cycle;
   c->last->count++;
   c->last->issue += issue;
}

static struct sums *
get_sums(struct sim_trace *t, const struct sim_thread_costs *c)
{
   struct sim_profile **p = sim_trace_profile(t);
   const uint64_t key = sim_eu_program_hash(c->program) ^ c->stage;
   if (!*p) {
      *p = calloc(1, sizeof(**p));
      if (!*p)
         abort();
      hash_table_init(&(*p)->programs);
   }
   struct sums *s = hash_table_get(&(*p)->programs, key);
   if (s)
      return s;
   const uint32_t n = num_slots(c->program);
   s = calloc(1, sizeof(*s) + n * sizeof(s->cost[0]));
   if (!s)
      abort();
   s->program = c->program;
   s->stage = c->stage;
   s->num_slots = n;
   hash_table_insert(&(*p)->programs, key, s);
   return s;
}

void
sim_thread_costs_end(struct sim_thread_costs *c, struct sim_trace *t,
                     uint64_t cycles)
{
   if (c->last)
      c->last->cycles += cycles - c->last_cycle;
   sim_trace_lock(t);
   struct sums *s = get_sums(t, c);
   s->threads++;
   for (uint32_t i = 0; i < s->num_slots; i++) {
      s->cost[i].count += c->cost[i].count;
      s->cost[i].cycles += c->cost[i].cycles;
      s->cost[i].issue += c->cost[i].issue;
   }
   sim_trace_unlock(t);
   free(c);
}

static void
write_sums(struct sim_trace *t, struct sums *s, uint32_t draw)
{
   uint32_t n = 0;
   for (uint32_t i = 0; i < s->num_slots; i++) {
      if (!s->cost[i].count)
         continue;
      s->cost[n] = s->cost[i];
      s->cost[n++].ip_B = i * SLOT_B;
   }
   const struct trace_profile head = {
      .program = sim_eu_program_hash(s->program),
      .draw = draw,
      .stage = s->stage,
      .threads = s->threads,
      .num_costs = n,
   };
   sim_trace_write_program(t, s->program);
   sim_trace_write(t, TRACE_PROFILE, &head, sizeof(head), s->cost,
                   n * sizeof(s->cost[0]));
}

void
sim_profile_write(struct sim_trace *t, uint32_t draw)
{
   struct sim_profile **p = sim_trace_profile(t);
   if (!*p)
      return;
   hash_table_foreach(&(*p)->programs, e)
      write_sums(t, e->data, draw);
   sim_profile_destroy(*p);
   *p = NULL;
}

void
sim_profile_destroy(struct sim_profile *p)
{
   if (!p)
      return;
   hash_table_foreach(&p->programs, e)
      free(e->data);
   hash_table_finish(&p->programs);
   free(p);
}
