/* SPDX-License-Identifier: MIT */
/*
 * GPGPU_WALKER: thread groups, their threads and what these start with
 * (PRM SKL Vol. 2a "GPGPU_WALKER", "INTERFACE_DESCRIPTOR_DATA"; Vol. 7
 * "GPGPU Thread Groups", "Thread Payload").
 *
 *   r0     header: group id in .1, .6 and .7; barrier id in .2; sampler and
 *          binding table pointers; scratch
 *   r1 ..  constants of the whole group, then those of the thread, both from
 *          the CURBE, where those of the threads lie one after the other; of
 *          an indirect payload, which lies in memory in the same way, those
 *          of the thread first
 *
 * Groups run one after the other, x before y before z, or as if they did
 * (below). The threads of one group take turns (group.c), so that they can
 * meet at barriers. Each has its own place in scratch space, by its number in
 * the group.
 *
 * The hardware leaves in shared local memory what was there before: here it
 * is zero at the start of a group.
 */
#include "gpgpu.h"

#include "intel/sim/chaos/chaos.h"
#include "intel/sim/gpu/gpu.h"
#include "intel/sim/gpu/pool.h"
#include "group.h"
#include "intel/sim/dispatch/hazard.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/eu/program/effects.h"

/* NumberofThreadsinGPGPUThreadGroup has 10 bits, but a group has to fit into
 * one subslice, and no subslice has more. */
#define MAX_THREADS 112

#define SLM_MAX_B (64 * 1024)

/* A dispatch may make progress for so many times the limit of a hang. */
#define DISPATCH_LIMIT 64

struct dispatch {
   struct sim_draw *draw;
   const struct sim_dispatch *d;
   struct sim_eu_env env;
   const struct sim_eu_program *program;
   unsigned threads;   /* of a group */
   uint32_t header[8]; /* r0, the same for all threads */
   uint32_t mask[MAX_THREADS];
   uint32_t first[3], size[3]; /* groups in x, y, z */
   uint64_t start_ns;
};

/* What a group runs in. */
struct runner {
   struct sim_draw *draw; /* that of the part, if there are several */
   struct sim_eu_env env;
   struct sim_thread_group group;
   struct sim_chaos_order slots; /* numbers of threads */
   struct sim_draw_part part;
};

/*
 * Preparation
 */

uint32_t
sim_gpgpu_scratch_B(const struct sim_traits *traits, uint32_t code)
{
   return traits->scratch_in_steps ? traits->scratch_unit_B * (code + 1)
                                   : (uint32_t)traits->scratch_unit_B << code;
}

/* "Shared Local Memory Size": powers of two start with 1 KiB. */
static uint32_t
slm_size_B(const struct sim_traits *traits, uint32_t code)
{
   if (traits->slm_in_steps)
      return code * 4096;
   return code ? 512u << code : 0;
}

static unsigned
threads_in_group(const struct GEN9_GPGPU_WALKER *w)
{
   return (w->ThreadWidthCounterMaximum + 1) *
          (w->ThreadHeightCounterMaximum + 1) *
          (w->ThreadDepthCounterMaximum + 1);
}

static bool
check_descriptor(struct dispatch *g)
{
   const struct GEN9_INTERFACE_DESCRIPTOR_DATA *idd = &g->d->descriptor;
   const unsigned threads = threads_in_group(&g->d->walker);
   const unsigned number = idd->NumberofThreadsinGPGPUThreadGroup;
   const bool unnumbered =
      !number && !idd->BarrierEnable && !idd->SharedLocalMemorySize &&
      sim_traits(g->draw->gpu->verx10)->group_without_number;
   if (number != threads && !unnumbered) {
      sim_draw_fault(g->draw,
                     "%u threads by the thread counters, %u by the "
                     "interface descriptor",
                     threads, number);
      return false;
   }
   if (threads > MIN2(g->draw->gpu->info->max_cs_threads, MAX_THREADS)) {
      sim_draw_fault(g->draw,
                     "a thread group of %u threads: a subslice has "
                     "%u",
                     threads, g->draw->gpu->info->max_cs_threads);
      return false;
   }
   if (idd->GlobalBarrierEnable) {
      sim_draw_fault(g->draw, "Global Barrier Enable is not implemented");
      return false;
   }
   if (g->d->walker.SIMDSize > SIMD_SIZE_32) {
      sim_draw_fault(g->draw, "SIMD size %u is reserved",
                     g->d->walker.SIMDSize);
      return false;
   }
   return true;
}

static bool
check_constants(struct dispatch *g)
{
   const struct GEN9_INTERFACE_DESCRIPTOR_DATA *idd = &g->d->descriptor;
   const unsigned cross = idd->CrossThreadConstantDataReadLength;
   const unsigned each = idd->ConstantURBEntryReadLength;
   const unsigned first = g->d->indirect ? 0
                                         : idd->ConstantURBEntryReadOffset;
   const uint64_t end_B = ((uint64_t)first + cross +
                           (uint64_t)each * threads_in_group(&g->d->walker)) *
                          SIM_GRF_B;
   const uint32_t allocated_B =
      g->draw->state->media_vfe_state.CURBEAllocationSize * SIM_GRF_B;
   if (1 + cross + each > SIM_GRF_COUNT) {
      sim_draw_fault(g->draw, "%u + %u registers of constants", cross, each);
      return false;
   }
   if (g->d->indirect) {
      if (end_B <= g->d->indirect_size_B)
         return true;
      sim_draw_fault(g->draw,
                     "constants end at byte %u of an indirect payload of %u",
                     (unsigned)end_B, g->d->indirect_size_B);
      return false;
   }
   if (cross + each && (end_B > g->d->curbe_size_B || end_B > allocated_B)) {
      sim_draw_fault(g->draw,
                     "constants end at byte %u; MEDIA_CURBE_LOAD "
                     "loaded %u, MEDIA_VFE_STATE allocated %u",
                     (unsigned)end_B, g->d->curbe_size_B, allocated_B);
      return false;
   }
   return true;
}

/* What is before the first constant of the group, wherever they are. */
static const uint8_t *
constants_of(const struct dispatch *g)
{
   return g->d->indirect
             ? g->d->indirect
             : g->d->curbe +
                  (size_t)g->d->descriptor.ConstantURBEntryReadOffset *
                     SIM_GRF_B;
}

/* Threads at the right edge of the group have one mask, those at the bottom
 * another; the one in the corner has what both leave. */
static void
set_masks(struct dispatch *g)
{
   const struct GEN9_GPGPU_WALKER *w = &g->d->walker;
   const unsigned columns = w->ThreadWidthCounterMaximum + 1;
   const unsigned rows = w->ThreadHeightCounterMaximum + 1;
   for (unsigned i = 0; i < g->threads; i++) {
      uint32_t mask = BITFIELD_MASK(8u << w->SIMDSize);
      if (i % columns == columns - 1)
         mask &= w->RightExecutionMask;
      if (i / columns % rows == rows - 1)
         mask &= w->BottomExecutionMask;
      g->mask[i] = mask;
   }
}

static bool
set_environment(struct dispatch *g)
{
   const struct GEN9_MEDIA_VFE_STATE *vfe = &g->draw->state->media_vfe_state;
   const struct GEN9_INTERFACE_DESCRIPTOR_DATA *idd = &g->d->descriptor;
   const struct sim_traits *traits = sim_traits(g->draw->gpu->verx10);
   if (vfe->ScratchSpaceBasePointer > UINT32_MAX) {
      sim_draw_fault(g->draw, "a scratch space that is no 32-bit offset");
      return false;
   }
   sim_draw_init_env(g->draw, &g->env);
   g->env.binding_table_offset_B = (uint32_t)idd->BindingTablePointer;
   g->env.sampler_state_offset_B = (uint32_t)idd->SamplerStatePointer;
   g->env.scratch_per_thread_B =
      sim_gpgpu_scratch_B(traits, vfe->PerThreadScratchSpace);
   g->env.cr0 = sim_draw_cr0(idd->FloatingPointMode, idd->RoundingMode,
                             idd->SingleProgramFlow);
   g->env.slm_size_B = slm_size_B(traits, idd->SharedLocalMemorySize);
   if (g->env.slm_size_B > SLM_MAX_B) {
      sim_draw_fault(g->draw, "Shared Local Memory Size %u is reserved",
                     idd->SharedLocalMemorySize);
      return false;
   }
   g->env.barrier = sim_group_barrier;
   sim_draw_set_stage(g->draw, &g->env, "cs");

   g->header[3] = g->env.sampler_state_offset_B | vfe->PerThreadScratchSpace;
   g->header[4] = g->env.binding_table_offset_B;
   g->header[5] = (uint32_t)vfe->ScratchSpaceBasePointer;
   return true;
}

static bool
find_program(struct dispatch *g)
{
   struct sim_eu_fault fault;
   g->program = sim_draw_program(g->draw,
                                 g->draw->state->base.instruction +
                                    g->d->descriptor.KernelStartPointer,
                                 &fault);
   if (!g->program)
      sim_draw_fault(g->draw, "compute shader: %s", fault.text);
   return g->program;
}

static bool
prepare(struct dispatch *g)
{
   const struct GEN9_GPGPU_WALKER *w = &g->d->walker;
   const uint32_t first[3] = { w->ThreadGroupIDStartingX,
                               w->ThreadGroupIDStartingY,
                               w->ThreadGroupIDStartingResumeZ };
   const uint32_t end[3] = { w->ThreadGroupIDXDimension,
                             w->ThreadGroupIDYDimension,
                             w->ThreadGroupIDZDimension };
   if (!check_descriptor(g) || !check_constants(g) || !set_environment(g) ||
       !find_program(g))
      return false;
   for (unsigned i = 0; i < 3; i++) {
      g->first[i] = first[i];
      g->size[i] = end[i] > first[i] ? end[i] - first[i] : 0;
   }
   g->threads = threads_in_group(w);
   set_masks(g);
   return true;
}

static bool
runner_init(struct runner *r, const struct dispatch *g, struct sim_draw *draw)
{
   r->draw = draw;
   r->env = g->env;
   r->env.user = &r->group;
   r->group = (struct sim_thread_group) {
      .count = g->threads,
      .barrier_enabled = g->d->descriptor.BarrierEnable,
      .threads = aligned_alloc(
         64, ALIGN(g->threads * sizeof(struct sim_eu_thread), (size_t)64)),
   };
   r->env.slm = malloc(MAX2(g->env.slm_size_B, 1u));
   if (r->group.threads && r->env.slm)
      return true;
   sim_draw_fault(g->draw, "the host is out of memory");
   return false;
}

static void
runner_finish(struct runner *r)
{
   free(r->group.threads);
   free(r->env.slm);
}

/*
 * Groups
 */

static void
start_thread(const struct dispatch *g, struct runner *r, unsigned i,
             const uint32_t id[3], uint32_t number)
{
   const struct GEN9_INTERFACE_DESCRIPTOR_DATA *idd = &g->d->descriptor;
   const unsigned cross = idd->CrossThreadConstantDataReadLength;
   const unsigned each = idd->ConstantURBEntryReadLength;
   const uint8_t *constants = constants_of(g);
   /* NEO 22.43 and IGC 1.0.12504: a kernel finds its local ids from r1 on,
    * and what all threads share behind them. */
   const unsigned cross_at = g->d->indirect ? 1 + each : 1;
   const unsigned each_at = g->d->indirect ? 1 : 1 + cross;
   struct sim_eu_thread *t = &r->group.threads[i];
   uint32_t *r0 = t->grf[0].ud;

   memset(t->grf, 0, sizeof(t->grf));
   sim_eu_thread_init_for(t, &r->env, g->program, g->mask[i]);
   t->sr0[2] = t->sr0[3] = g->mask[i];
   t->mem = r->draw->mem;
   memcpy(r0, g->header, sizeof(g->header));
   if (g->env.slm_size_B)
      r0[0] = number << 24;
   r0[1] = id[0];
   r0[6] = id[1];
   r0[7] = id[2];
   r0[2] |= r->group.barrier_id;
   const uint32_t slot = (uint32_t)sim_chaos_nth(&r->slots, i);
   if (g->draw->state->media_vfe_state.ScratchSpaceBasePointer)
      r0[5] += slot * g->env.scratch_per_thread_B;
   r0[5] |= slot; /* the fixed function's number of the thread */
   if (cross)
      memcpy(&t->grf[cross_at], constants, (size_t)cross * SIM_GRF_B);
   if (each)
      memcpy(&t->grf[each_at],
             constants + ((size_t)cross + (size_t)each * i) * SIM_GRF_B,
             (size_t)each * SIM_GRF_B);
   r->draw->counters->cs_invocations +=
      (uint64_t)__builtin_popcount(g->mask[i]);
   if (sim_draw_is_traced(g->draw)) {
      const struct trace_item item = { { (int32_t)id[0], (int32_t)id[1],
                                         (int32_t)id[2], (int32_t)i } };
      sim_draw_trace_thread(g->draw, t, g->program, 0, &item, 1);
   }
}

static bool
check_time(const struct dispatch *g, struct runner *r, uint64_t index)
{
   struct sim_gpu *gpu = g->draw->gpu;
   sim_gpu_progress(gpu);
   if (!sim_gpu_worked_out(gpu) && sim_gpu_last_progress(gpu) - g->start_ns <=
                                      DISPATCH_LIMIT * gpu->hang_limit_ns)
      return true;
   r->draw->expired = true;
   sim_draw_fault(r->draw, "the dispatch takes too long: %llu groups so far",
                  (unsigned long long)index + 1);
   return false;
}

/* The group of an index, counted in the order that they run in. Its number
 * changes from one to the next, and is never zero: a program must take it
 * from its header. */
/* Of a group: one after the other of the numbers that the mask's bits have
 * room for, but for 0. */
static uint32_t
barrier_id(uint32_t mask, uint64_t index)
{
   const uint32_t most = (1u << __builtin_popcount(mask)) - 1;
   uint32_t number = (uint32_t)(index % most) + 1, id = 0;
   for (; mask; mask &= mask - 1, number >>= 1)
      id |= number & 1 ? mask & -mask : 0;
   return id;
}

static bool
run_group(const struct dispatch *g, struct runner *r, uint64_t index)
{
   const uint32_t number = (uint32_t)(index % 15) + 1;
   const uint64_t row = index / g->size[0];
   const uint32_t id[3] = {
      g->first[0] + (uint32_t)(index % g->size[0]),
      g->first[1] + (uint32_t)(row % g->size[1]),
      g->first[2] + (uint32_t)(row / g->size[1]),
   };
   r->group.barrier_id =
      r->group.barrier_enabled
         ? barrier_id(sim_traits(g->env.verx10)->barrier_id_mask, index)
         : 0;
   r->slots = sim_chaos_order(
      g->env.chaos, SIM_CHAOS_IDS,
      intel_device_info_scratch_compute_ids(g->draw->gpu->info));
   memset(r->env.slm, 0, g->env.slm_size_B);
   sim_chaos_poison(g->env.chaos, r->env.slm, g->env.slm_size_B);
   for (unsigned i = 0; i < g->threads; i++)
      start_thread(g, r, i, id, number);
   return sim_group_run(r->draw, &r->group, g->program, "compute shader") &&
          check_time(g, r, index);
}

/*
 * On several host threads
 *
 * If no group reads what a group writes, by the program's text and the
 * surfaces' extents, they may run at the same time. Two may write to the same
 * place. So writes go to logs, which are done in the order of the groups,
 * wave after wave; with the first group that faults, all ends as it would
 * have if they had run one after the other.
 */

#define CHUNK_GROUPS 4
#define WAVE_CHUNKS 64

/* Instructions, roughly, below which it is not worth its while. */
#define SPLIT_INSTRUCTIONS 30000

struct split {
   const struct dispatch *g;
   struct runner *runners;
   unsigned num_runners;
   uint64_t groups, first_chunk;
   struct sim_mem_log log[WAVE_CHUNKS];
   bool stop; /* atomic: a thread is hung */
};

static bool
may_split(const struct dispatch *g, uint64_t groups)
{
   const struct sim_effects *e = sim_eu_program_effects(g->program);
   if (groups <= CHUNK_GROUPS || groups >> 40 || g->env.trace ||
       e->reads_any || e->writes_any || e->scratch || e->atomics ||
       groups * g->threads * sim_eu_program_count(g->program) <
          SPLIT_INSTRUCTIONS)
      return false;
   struct sim_eu_thread *t = aligned_alloc(64, ALIGN(sizeof(*t), (size_t)64));
   struct sim_mem mem;
   if (!t)
      return false;
   sim_mem_init(&mem, g->draw->vm);
   sim_eu_thread_init(t, &g->env, 0);
   t->mem = &mem;
   const bool apart = sim_effects_are_apart(t, e);
   free(t);
   return apart;
}

static void
run_chunk(void *data, unsigned worker, unsigned item)
{
   struct split *s = data;
   struct runner *r = &s->runners[worker];
   const uint64_t chunk = s->first_chunk + item;
   const uint64_t end = MIN2((chunk + 1) * CHUNK_GROUPS, s->groups);
   if (__atomic_load_n(&s->stop, __ATOMIC_RELAXED))
      return;
   sim_draw_part_item(&r->part);
   r->part.mem.log = &s->log[item];
   for (uint64_t i = chunk * CHUNK_GROUPS; i < end; i++) {
      if (run_group(s->g, r, i))
         continue;
      sim_draw_part_note(&r->part, chunk);
      if (r->part.draw.expired)
         __atomic_store_n(&s->stop, true, __ATOMIC_RELAXED);
      return;
   }
}

/* Does the writes of the wave, up to the fault if there is one: false. */
static bool
end_wave(struct split *s, unsigned chunks)
{
   uint64_t fault_at = UINT64_MAX;
   bool lost = false;
   for (unsigned i = 0; i < s->num_runners; i++)
      fault_at = MIN2(fault_at, s->runners[i].part.first_fault_at);
   for (unsigned i = 0; i < chunks; i++) {
      lost |= s->log[i].lost;
      if (s->first_chunk + i <= fault_at)
         sim_mem_log_apply(&s->log[i], s->g->draw->mem);
   }
   if (lost)
      sim_draw_fault(s->g->draw, "the host is out of memory");
   return !lost && fault_at == UINT64_MAX;
}

static void
run_waves(struct split *s, struct sim_pool *pool)
{
   const uint64_t chunks = DIV_ROUND_UP(s->groups, CHUNK_GROUPS);
   for (; s->first_chunk < chunks; s->first_chunk += WAVE_CHUNKS) {
      const unsigned n = (unsigned)MIN2(chunks - s->first_chunk, WAVE_CHUNKS);
      sim_pool_run(pool, n, run_chunk, s);
      if (!end_wave(s, n))
         return;
   }
}

static void
run_split(const struct dispatch *g, uint64_t groups)
{
   struct sim_gpu *gpu = g->draw->gpu;
   struct sim_pool *pool = sim_gpu_pool(gpu);
   struct split s = { .g = g,
                      .groups = groups,
                      .num_runners = sim_pool_width(pool) };
   bool ok = true;
   s.runners = calloc(s.num_runners, sizeof(*s.runners));
   if (!s.runners) {
      sim_draw_fault(g->draw, "the host is out of memory");
      return;
   }
   for (unsigned i = 0; i < s.num_runners; i++) {
      struct runner *r = &s.runners[i];
      sim_draw_part_begin(&r->part, g->draw);
      ok = ok && runner_init(r, g, &r->part.draw);
   }
   if (ok) {
      sim_gpu_count(&gpu->stats.splits, 1);
      run_waves(&s, pool);
      for (unsigned i = 0; i < s.num_runners; i++)
         g->draw->counters->cs_invocations +=
            s.runners[i].part.counters.cs_invocations;
      sim_draw_parts_end(g->draw, &s.runners[0].part, s.num_runners,
                         sizeof(*s.runners));
   }
   for (unsigned i = 0; i < s.num_runners; i++)
      runner_finish(&s.runners[i]);
   for (unsigned i = 0; i < WAVE_CHUNKS; i++)
      free(s.log[i].data);
   free(s.runners);
}

static void
run_in_order(const struct dispatch *g, uint64_t groups)
{
   struct runner *r = calloc(1, sizeof(*r));
   if (!r) {
      sim_draw_fault(g->draw, "the host is out of memory");
      return;
   }
   bool ok = runner_init(r, g, g->draw);
   const struct sim_chaos_order order =
      sim_chaos_order(g->env.chaos, SIM_CHAOS_ORDER, groups);
   for (uint64_t i = 0; ok && i < groups; i++)
      ok = run_group(g, r, sim_chaos_nth(&order, i));
   runner_finish(r);
   free(r);
}

/* More than 2^64 - 1 groups never come to an end in any case. */
static uint64_t
count_groups(const struct dispatch *g)
{
   uint64_t n = (uint64_t)g->size[0] * g->size[1];
   return __builtin_mul_overflow(n, (uint64_t)g->size[2], &n) ? UINT64_MAX
                                                              : n;
}

void
sim_gpgpu_dispatch(struct sim_draw *draw, const struct sim_dispatch *d)
{
   struct dispatch g = { .draw = draw,
                         .d = d,
                         .start_ns = sim_gpu_about_now_ns() };
   if (!prepare(&g))
      return;
   const uint64_t groups = count_groups(&g);
   if (may_split(&g, groups))
      run_split(&g, groups);
   else
      run_in_order(&g, groups);
   sim_draw_add_totals(draw);
}
