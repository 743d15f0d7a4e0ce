/* SPDX-License-Identifier: MIT */
/*
 * What the shader stages of the front end have in common: URB entries, the
 * program, the header of the payload, push constants.
 *
 * r0 of every thread has in dword 3 the sampler state pointer and how much
 * scratch a thread has, in dword 4 the binding table pointer, in dword 5 the
 * scratch space pointer (PRM SKL Vol. 7, the payload tables of each stage).
 * The rest is the stage's.
 */
#include "front_private.h"

#include "intel/sim/trace/trace_format.h"

bool
front_region_init(struct sim_front *f, struct front_region *r,
                  const char *packet, unsigned start_8KB, unsigned size_64B,
                  unsigned num, unsigned least)
{
   const uint64_t start_B = (uint64_t)start_8KB * 8192;
   struct sim_chaos *chaos = f->draw->gpu->chaos;
   r->first = (vue_ref)start_B;
   r->entry_B = size_64B * 64;
   r->entry_dw = size_64B * 16;
   r->num = MIN2(num, SIM_MAX_WINDOW);
   /* Entries that draws before still hold make windows smaller. */
   if (sim_chaos_has(chaos, SIM_CHAOS_ORDER) && r->num > least)
      r->num = least + (unsigned)sim_chaos_below(chaos, r->num - least + 1);
   r->places = sim_chaos_order(chaos, SIM_CHAOS_IDS, r->num);
   if (r->num >= least &&
       start_B + (uint64_t)r->num * r->entry_B <= f->draw->urb_size_B)
      return true;
   sim_draw_fault(f->draw, "%s: %u entries of %u bytes from %u KiB on",
                  packet, num, r->entry_B, start_8KB * 8);
   return false;
}

bool
front_shader_prepare(struct sim_front *f, struct front_shader *s,
                     const struct front_shader_state *state)
{
   struct sim_eu_fault fault;
   s->name = state->name;
   s->draw = f->draw;
   s->program = sim_draw_program(
      f->draw, f->state->base.instruction + state->kernel, &fault);
   if (!s->program) {
      sim_draw_fault(f->draw, "%s: %s", s->name, fault.text);
      return false;
   }
   sim_draw_init_env(f->draw, &s->env);
   s->env.binding_table_offset_B = (uint32_t)state->binding_table;
   s->env.sampler_state_offset_B = (uint32_t)state->sampler_state;
   s->env.scratch_per_thread_B = 1024u << state->scratch_per_thread;
   s->env.cr0 = state->cr0;
   s->env.urb_entry_B = state->entry_B;
   sim_draw_set_stage(f->draw, &s->env, state->trace);
   s->header.ud[3] = s->env.sampler_state_offset_B |
                     state->scratch_per_thread;
   s->header.ud[4] = s->env.binding_table_offset_B;
   s->header.ud[5] = (uint32_t)state->scratch_base;
   return sim_draw_push_constants(f->draw, state->constants, s->push,
                                  &s->push_grfs);
}

/* One of those that may run at once, with its own scratch space. */
static void
number_thread(const struct sim_front *f, struct front_shader *s)
{
   const struct intel_device_info *info = f->draw->gpu->info;
   const unsigned counts[] = { [TRACE_VS] = info->max_vs_threads,
                               [TRACE_HS] = info->max_tcs_threads,
                               [TRACE_DS] = info->max_tes_threads,
                               [TRACE_GS] = info->max_gs_threads };
   const unsigned count = MIN2(counts[s->env.stage], 512);
   const uint32_t n = (uint32_t)sim_chaos_below(s->env.chaos, count);
   uint32_t *dw5 = &s->thread.grf[0].ud[5];
   if (*dw5)
      *dw5 += n * s->env.scratch_per_thread_B;
   *dw5 |= n;
}

struct sim_eu_thread *
front_shader_start(struct sim_front *f, struct front_shader *s,
                   uint32_t dispatch_mask)
{
   struct sim_eu_thread *t = &s->thread;
   sim_eu_thread_init_for(t, &s->env, s->program, dispatch_mask);
   t->mem = s->draw->mem;
   t->grf[0] = s->header;
   if (sim_chaos_has(s->env.chaos, SIM_CHAOS_IDS))
      number_thread(f, s);
   return t;
}

unsigned
front_shader_push(struct front_shader *s, unsigned grf)
{
   memcpy(&s->thread.grf[grf], s->push, s->push_grfs * SIM_GRF_B);
   return grf + s->push_grfs;
}

void
front_shader_trace(struct sim_front *f, struct front_shader *s,
                   unsigned lanes_per_item, const struct trace_item *items,
                   unsigned num_items)
{
   sim_draw_trace_thread(f->draw, &s->thread, s->program, lanes_per_item,
                         items, num_items);
}

bool
front_shader_run(struct sim_front *f, struct front_shader *s)
{
   return sim_draw_run_thread(s->draw, &s->thread, s->program, s->name) &&
          sim_draw_progress(s->draw);
}
