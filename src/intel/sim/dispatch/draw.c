/* SPDX-License-Identifier: MIT */
#include "draw.h"

#include "intel/sim/gpu/gpu.h"
#include "intel/sim/msg/sampler.h"
#include "intel/sim/eu/shadow.h"
#include "intel/sim/gpu/strict.h"
#include "intel/sim/mem/watch.h"
#include "intel/sim/trace/trace.h"

/* Instructions between two looks at the batch's time limit. */
#define THREAD_SLICE (1ull << 22)

void
sim_draw_init_env(struct sim_draw *draw, struct sim_eu_env *env)
{
   static uint64_t last_id;
   const struct sim_state_bases *b = &draw->state->base;
   *env = (struct sim_eu_env) {
      .draw_id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED),
      .verx10 = draw->gpu->verx10,
      .general_state_base = b->general,
      .surface_state_base = b->surface,
      .dynamic_state_base = b->dynamic,
      .indirect_object_base = b->indirect,
      .instruction_base = b->instruction,
      .bindless_surface_state_base = b->bindless_surface,
      .general_state_size_B = b->general_size_B,
      .dynamic_state_size_B = b->dynamic_size_B,
      .instruction_size_B = b->instruction_size_B,
      .urb = draw->urb,
      .urb_size_B = draw->urb_size_B,
      .sampler = sim_msg_sampler,
      .rules = sim_strict_thread_rules(draw->gpu->strict),
      .chaos = draw->gpu->chaos,
   };
}

const struct sim_eu_program *
sim_draw_program(struct sim_draw *draw, uint64_t address,
                 struct sim_eu_fault *fault)
{
   return sim_eu_cache_get(draw->programs, draw->mem, address, fault);
}

bool
sim_draw_push_constants(struct sim_draw *draw,
                        const struct GEN9_3DSTATE_CONSTANT_BODY *body,
                        uint8_t *out, unsigned *num_grf)
{
   unsigned n = 0;
   for (unsigned i = 0; i < 4; i++) {
      const unsigned grfs = body->ReadLength[i];
      if (!grfs)
         continue;
      if (n + grfs > SIM_GRF_COUNT) {
         sim_draw_fault(draw, "3DSTATE_CONSTANT: more than %u registers",
                        SIM_GRF_COUNT);
         return false;
      }
      sim_mem_note(draw->mem, SIM_CLIENT_CONSTANT, body->Buffer[i],
                   (uint64_t)grfs * SIM_GRF_B, SIM_MEM_READ);
      if (!sim_mem_read(draw->mem, out + (size_t)n * SIM_GRF_B,
                        body->Buffer[i], (uint64_t)grfs * SIM_GRF_B)) {
         sim_draw_mem_fault(draw, draw->mem, "push constants");
         return false;
      }
      n += grfs;
   }
   *num_grf = n;
   return true;
}

bool
sim_draw_read_dynamic(struct sim_draw *draw, uint64_t offset, void *dw,
                      unsigned size_B, const char *what)
{
   sim_mem_note(draw->mem, SIM_CLIENT_STATE,
                draw->state->base.dynamic + offset, size_B, SIM_MEM_READ);
   if (sim_mem_read(draw->mem, dw, draw->state->base.dynamic + offset,
                    size_B))
      return true;
   sim_draw_mem_fault(draw, draw->mem, what);
   return false;
}

void
sim_draw_set_stage(struct sim_draw *draw, struct sim_eu_env *env,
                   const char *stage)
{
   env->stage = (uint8_t)sim_trace_stage(stage, strlen(stage));
   env->trace = sim_draw_is_traced(draw) ? sim_trace_step
                                         : sim_eu_trace_for(stage);
}

bool
sim_draw_records_threads(const struct sim_draw *draw)
{
   return sim_trace_has_threads(draw->gpu->trace);
}

void
sim_draw_trace_thread(struct sim_draw *draw, struct sim_eu_thread *t,
                      const struct sim_eu_program *program,
                      unsigned lanes_per_item, const struct trace_item *items,
                      unsigned num_items)
{
   sim_trace_thread(draw->gpu->trace, t, program,
                    (enum trace_stage)t->env->stage, lanes_per_item, items,
                    num_items);
}

void
sim_draw_end_thread(struct sim_draw *draw, struct sim_eu_thread *t,
                    const struct sim_eu_program *program)
{
   sim_shadow_end(t);
   if (sim_draw_is_traced(draw))
      sim_trace_end_thread(draw->gpu->trace, t);
   sim_draw_count_threads(draw, (enum trace_stage)t->env->stage, program,
                          &t->stats, 1);
}

void
sim_draw_count_threads(struct sim_draw *draw, enum trace_stage stage,
                       const struct sim_eu_program *program,
                       const struct sim_eu_stats *stats, unsigned threads)
{
   if (draw->gpu->shaders)
      sim_shaders_add(draw->gpu->shaders, program, stage, stats, threads);
   sim_gpu_spend(draw->gpu, stats->instructions * threads);
   draw->totals.threads += threads;
   draw->totals.instructions += stats->instructions * threads;
   draw->totals.simd8 += stats->simd8 * threads;
   draw->totals.sends += stats->sends * threads;
   draw->totals.cycles += stats->cycles * threads;
}

void
sim_draw_part_begin(struct sim_draw_part *p, const struct sim_draw *draw)
{
   p->draw = *draw;
   p->draw.held = &p->fault;
   p->draw.mem = &p->mem;
   p->draw.counters = &p->counters;
   p->draw.totals = (struct sim_eu_totals) { 0 };
   p->counters = (struct sim_counters) { 0 };
   p->first_fault_at = UINT64_MAX;
   sim_mem_init(&p->mem, draw->vm);
   p->mem.watch = draw->mem->watch;
}

void
sim_draw_part_note(struct sim_draw_part *p, uint64_t place)
{
   if (place < p->first_fault_at) {
      p->first_fault_at = place;
      p->first_fault = p->fault;
   }
}

uint64_t
sim_draw_parts_end(struct sim_draw *draw, const struct sim_draw_part *parts,
                   unsigned n, size_t stride_B)
{
   const struct sim_draw_part *first = parts;
   struct sim_eu_totals *to = &draw->totals;
   for (unsigned i = 0; i < n; i++) {
      const struct sim_draw_part *p =
         (const void *)((const uint8_t *)parts + i * stride_B);
      to->threads += p->draw.totals.threads;
      to->instructions += p->draw.totals.instructions;
      to->simd8 += p->draw.totals.simd8;
      to->sends += p->draw.totals.sends;
      to->cycles += p->draw.totals.cycles;
      draw->expired |= p->draw.expired;
      if (p->first_fault_at < first->first_fault_at)
         first = p;
   }
   if (first->first_fault_at != UINT64_MAX)
      sim_draw_fault(draw, "%s", first->first_fault.text);
   return first->first_fault_at;
}

void
sim_draw_add_totals(struct sim_draw *draw)
{
   const struct sim_eu_totals *t = &draw->totals;
   const struct trace_draw_end end = {
      .threads = t->threads,
      .instructions = t->instructions,
      .sends = t->sends,
      .cycles = t->cycles,
   };
   if (draw->gpu->trace)
      sim_trace_draw_end(draw->gpu->trace, &end);
   sim_gpu_count(&draw->gpu->stats.eu_threads, t->threads);
   sim_gpu_count(&draw->gpu->stats.eu_instructions, t->instructions);
   sim_gpu_count(&draw->gpu->stats.eu_simd8, t->simd8);
   sim_gpu_count(&draw->gpu->stats.eu_sends, t->sends);
   sim_gpu_count(&draw->gpu->stats.eu_cycles, t->cycles);
   draw->totals = (struct sim_eu_totals) { 0 };
}

/* A draw may make progress for as long as some draws of real programs take
 * here, but not for ever: 6 minutes, with the usual limit. */
#define DRAW_LIMIT 64

bool
sim_draw_progress(struct sim_draw *draw)
{
   struct sim_gpu *gpu = draw->gpu;
   sim_gpu_progress(gpu);
   if (draw->faulted)
      return false;
   if (!sim_gpu_worked_out(gpu) &&
       sim_gpu_last_progress(gpu) - draw->start_ns <=
          DRAW_LIMIT * gpu->hang_limit_ns)
      return true;
   draw->expired = true;
   sim_draw_fault(draw,
                  "the draw takes too long: %u vertices, "
                  "%u instances",
                  draw->vertex_count, draw->instance_count);
   return false;
}

bool
sim_draw_run_thread(struct sim_draw *draw, struct sim_eu_thread *t,
                    const struct sim_eu_program *program, const char *stage)
{
   const uint64_t slice = sim_gpu_slice(draw->gpu, THREAD_SLICE);
   enum sim_eu_status status;
   do {
      t->max_instructions = t->stats.instructions + slice;
      status = sim_eu_run(t, program, 0);
      if (status == SIM_EU_LIMIT)
         sim_gpu_spend(draw->gpu, slice);
   } while (status == SIM_EU_LIMIT && !sim_draw_expired(draw));

   sim_draw_end_thread(draw, t, program);
   switch (status) {
   case SIM_EU_EOT: return !draw->faulted;
   case SIM_EU_FAULT:
      if (!draw->faulted)
         sim_draw_fault(draw, "%s at 0x%x: %s [%s]", stage, t->fault.ip_B,
                        t->fault.text, t->fault.inst);
      return false;
   case SIM_EU_LIMIT:
      draw->expired = true;
      sim_draw_fault(draw, "%s at 0x%x: endless", stage, t->ip_B);
      return false;
   case SIM_EU_READY:
   case SIM_EU_WAIT:
      sim_draw_fault(draw, "%s at 0x%x: waits for nobody", stage, t->ip_B);
      return false;
   }
   unreachable("thread status");
}
