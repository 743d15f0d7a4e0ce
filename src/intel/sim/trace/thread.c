/* SPDX-License-Identifier: MIT */
/*
 * One thread's record. All registers from before an instruction are kept, so
 * that what it has changed is found by comparing; the record grows in memory
 * and is written when the thread has ended, as threads of a group take turns.
 */
#include "trace.h"

#include <stdio.h>

#include "intel/sim/eu/eu.h"
#include "util/dynarray.h"

/* The host's memory for a thread that never ends. */
#define MAX_THREAD_B (256u << 20)

struct recording {
   struct trace_thread head;
   const struct sim_eu_program *program;
   struct util_dynarray bytes;     /* what follows the head */
   size_t step_at_B;               /* of the last trace_step */
   struct sim_thread_costs *costs; /* in place of all of this */
   bool full;                      /* the rest of the thread is left out */
   uint32_t registers[TRACE_NUM_REGISTERS][TRACE_REGISTER_DW];
};

static void
append(struct util_dynarray *d, const void *data, size_t size_B)
{
   memcpy(util_dynarray_grow_bytes(d, size_B), data, size_B);
}

/* Appends the change of a register from what it was; whether it is one. */
static bool
append_change(struct recording *r, unsigned reg, const void *contents)
{
   uint32_t *was = r->registers[reg], now[TRACE_REGISTER_DW];
   if (!memcmp(was, contents, sizeof(now)))
      return false;
   memcpy(now, contents, sizeof(now));
   struct trace_change c = { .reg = (uint8_t)reg };
   for (unsigned i = 0; i < TRACE_REGISTER_DW; i++)
      c.mask |= (uint8_t)((was[i] != now[i]) << i);
   append(&r->bytes, &c, sizeof(c));
   for (unsigned i = 0; i < TRACE_REGISTER_DW; i++) {
      if (c.mask >> i & 1)
         append(&r->bytes, &now[i], 4);
   }
   memcpy(was, now, sizeof(now));
   return true;
}

static uint32_t
append_changes(struct recording *r, const struct sim_eu_thread *t)
{
   const uint32_t flags[TRACE_REGISTER_DW] = {
      t->flag[0],
      t->flag[1],
      t->cr0[0],
      t->sr0[2],
   };
   uint32_t n = 0;
   static_assert(sizeof(t->acc) == 32 * (TRACE_ADDRESS - TRACE_ACC), "");
   static_assert(sizeof(t->address) == 32, "one register");
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++)
      n += append_change(r, i, &t->grf[i]);
   for (unsigned i = 0; i < TRACE_ADDRESS - TRACE_ACC; i++)
      n += append_change(r, TRACE_ACC + i, &t->acc[4 * i]);
   n += append_change(r, TRACE_ADDRESS, t->address);
   n += append_change(r, TRACE_FLAGS, flags);
   return n;
}

void
sim_trace_step(struct sim_eu_thread *t, const struct isa_inst *inst,
               bool after)
{
   struct recording *r = t->trace_data;
   if (!r || (after && (r->full || r->costs)))
      return;
   if (r->costs) {
      sim_thread_costs_step(r->costs, t);
      return;
   }
   if (after) {
      const uint32_t n = append_changes(r, t);
      memcpy((char *)r->bytes.data + r->step_at_B +
                offsetof(struct trace_step, num_changes),
             &n, sizeof(n));
      return;
   }
   r->full = r->bytes.size_B > MAX_THREAD_B;
   if (r->full)
      return;
   struct trace_step step = { .ip_B = t->ip_B, .active = t->active };
   sim_eu_thread_time(t, &step.cycle, &step.issue);
   r->step_at_B = r->bytes.size_B;
   r->head.num_steps++;
   append(&r->bytes, &step, sizeof(step));
}

static unsigned
simd_width(uint32_t dispatch_mask)
{
   return dispatch_mask >> 16 ? 32 : dispatch_mask >> 8 ? 16 : 8;
}

void
sim_trace_thread(struct sim_trace *trace, struct sim_eu_thread *t,
                 const struct sim_eu_program *program, enum trace_stage stage,
                 unsigned lanes_per_item, const struct trace_item *items,
                 unsigned num_items)
{
   uint32_t draw, number;
   struct recording *r = NULL;
   assert(num_items <= UINT8_MAX);
   if (sim_trace_admit(trace, stage, items, num_items, &draw, &number))
      r = calloc(1, sizeof(*r));
   t->trace_data = r;
   t->untraced = !r;
   if (!r)
      return;
   r->program = program;
   r->head = (struct trace_thread) {
      .draw = draw,
      .number = number,
      .program = sim_eu_program_hash(program),
      .kernel = sim_eu_program_address(program),
      .dispatch_mask = t->dispatch_mask,
      .stage = (uint8_t)stage,
      .simd = (uint8_t)simd_width(t->dispatch_mask),
      .lanes_per_item = (uint8_t)lanes_per_item,
      .num_items = (uint8_t)num_items,
   };
   if (sim_trace_has_profile(trace)) {
      r->costs = sim_thread_costs_create(program, stage);
      return;
   }
   append(&r->bytes, items, num_items * sizeof(*items));
   r->head.num_initial = append_changes(r, t);
}

uint32_t
sim_trace_thread_number(const struct sim_eu_thread *t)
{
   const struct recording *r = t->trace_data;
   return r ? r->head.number : ~0u;
}

uint32_t
sim_trace_thread_step(const struct sim_eu_thread *t)
{
   const struct recording *r = t->trace_data;
   return r && r->head.num_steps ? r->head.num_steps - 1 : ~0u;
}

void
sim_trace_end_thread(struct sim_trace *trace, struct sim_eu_thread *t)
{
   struct recording *r = t->trace_data;
   if (!r)
      return;
   if (r->costs) {
      sim_thread_costs_end(r->costs, trace, t->stats.cycles);
      free(r);
      t->trace_data = NULL;
      return;
   }
   struct util_dynarray payload = { 0 };
   if (r->full)
      fprintf(stderr,
              "saffron: trace: thread %u of draw %u: only the first "
              "%u instructions are recorded\n",
              r->head.number, r->head.draw, r->head.num_steps);
   r->head.cycles = t->stats.cycles;
   append(&payload, &r->head, sizeof(r->head));
   append(&payload, r->bytes.data, r->bytes.size_B);
   sim_trace_write_thread(trace, r->program, payload.data, payload.size_B);
   util_dynarray_fini(&payload);
   util_dynarray_fini(&r->bytes);
   free(r);
   t->trace_data = NULL;
}
