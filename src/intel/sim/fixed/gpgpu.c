/* SPDX-License-Identifier: MIT */
/*
 * GPGPU_WALKER: thread groups, their threads and what these start with
 * (PRM SKL Vol. 2a "GPGPU_WALKER", "INTERFACE_DESCRIPTOR_DATA"; Vol. 7
 * "GPGPU Thread Groups", "Thread Payload").
 *
 *   r0     header: group id in .1, .6 and .7; barrier id in .2; sampler and
 *          binding table pointers; scratch
 *   r1 ..  constants of the whole group, then those of the thread, both from
 *          the CURBE, where those of the threads lie one after the other
 *
 * Groups run one after the other, x before y before z. The threads of one
 * group take turns (group.c), so that they can meet at barriers. Each has
 * its own place in scratch space, by its number in the group.
 *
 * The hardware leaves in shared local memory what was there before: here it
 * is zero at the start of the command.
 */
#include "gpgpu.h"

#include "intel/sim/cs/gpu.h"
#include "intel/sim/fixed/group.h"

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
   struct sim_thread_group group;
   uint32_t header[8]; /* r0, the same for all threads */
   uint32_t mask[MAX_THREADS];
   uint64_t groups, start_ns;
};

/*
 * Preparation
 */

/* Haswell and later count in powers of two, Ivybridge from 1 KiB up in
 * steps (PRM of each, "MEDIA_VFE_STATE: Per Thread Scratch Space"). */
static uint32_t
scratch_size_B(unsigned verx10, uint32_t code)
{
   if (verx10 == 70)
      return 1024 * (code + 1);
   return (verx10 == 75 ? 2048u : 1024u) << code;
}

/* "Shared Local Memory Size": powers of two from 1 KiB on Gen9; units of
 * 4 KiB before. */
static uint32_t
slm_size_B(unsigned verx10, uint32_t code)
{
   if (verx10 < 90)
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
   if (idd->NumberofThreadsinGPGPUThreadGroup != threads) {
      sim_draw_fault(g->draw, "%u threads by the thread counters, %u by the "
                     "interface descriptor", threads,
                     idd->NumberofThreadsinGPGPUThreadGroup);
      return false;
   }
   if (threads > MIN2(g->draw->gpu->info->max_cs_threads, MAX_THREADS)) {
      sim_draw_fault(g->draw, "a thread group of %u threads: a subslice has "
                     "%u", threads, g->draw->gpu->info->max_cs_threads);
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
   const uint64_t end_B =
      ((uint64_t)idd->ConstantURBEntryReadOffset + cross +
       (uint64_t)each * threads_in_group(&g->d->walker)) * SIM_GRF_B;
   const uint32_t allocated_B =
      g->draw->state->media_vfe_state.CURBEAllocationSize * SIM_GRF_B;
   if (1 + cross + each > SIM_GRF_COUNT) {
      sim_draw_fault(g->draw, "%u + %u registers of constants", cross, each);
      return false;
   }
   if (cross + each && (end_B > g->d->curbe_size_B || end_B > allocated_B)) {
      sim_draw_fault(g->draw, "constants end at byte %u; MEDIA_CURBE_LOAD "
                     "loaded %u, MEDIA_VFE_STATE allocated %u",
                     (unsigned)end_B, g->d->curbe_size_B, allocated_B);
      return false;
   }
   return true;
}

/* Threads at the right edge of the group have one mask, those at the bottom
 * another; the one in the corner has what both leave. */
static void
set_masks(struct dispatch *g)
{
   const struct GEN9_GPGPU_WALKER *w = &g->d->walker;
   const unsigned columns = w->ThreadWidthCounterMaximum + 1;
   const unsigned rows = w->ThreadHeightCounterMaximum + 1;
   for (unsigned i = 0; i < g->group.count; i++) {
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
   const unsigned verx10 = g->draw->gpu->verx10;
   if (vfe->ScratchSpaceBasePointer > UINT32_MAX) {
      sim_draw_fault(g->draw, "a scratch space that is no 32-bit offset");
      return false;
   }
   sim_draw_init_env(g->draw, &g->env);
   g->env.binding_table_offset_B = (uint32_t)idd->BindingTablePointer;
   g->env.sampler_state_offset_B = (uint32_t)idd->SamplerStatePointer;
   g->env.scratch_per_thread_B =
      scratch_size_B(verx10, vfe->PerThreadScratchSpace);
   g->env.cr0 = sim_draw_cr0(idd->FloatingPointMode, idd->RoundingMode,
                             idd->SingleProgramFlow);
   g->env.slm_size_B = slm_size_B(verx10, idd->SharedLocalMemorySize);
   if (g->env.slm_size_B > SLM_MAX_B) {
      sim_draw_fault(g->draw, "Shared Local Memory Size %u is reserved",
                     idd->SharedLocalMemorySize);
      return false;
   }
   g->env.barrier = sim_group_barrier;
   sim_draw_set_stage(g->draw, &g->env, "cs");
   g->env.user = &g->group;

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
                                 g->d->descriptor.KernelStartPointer, &fault);
   if (!g->program)
      sim_draw_fault(g->draw, "compute shader: %s", fault.text);
   return g->program;
}

static bool
allocate(struct dispatch *g)
{
   g->group.threads = aligned_alloc(
      64, ALIGN(g->group.count * sizeof(struct sim_eu_thread), 64));
   g->env.slm = calloc(1, MAX2(g->env.slm_size_B, 1u));
   if (g->group.threads && g->env.slm)
      return true;
   sim_draw_fault(g->draw, "the host is out of memory");
   return false;
}

static bool
prepare(struct dispatch *g)
{
   g->group.barrier_enabled = g->d->descriptor.BarrierEnable;
   if (!check_descriptor(g) || !check_constants(g) || !set_environment(g) ||
       !find_program(g))
      return false;
   g->group.count = threads_in_group(&g->d->walker);
   if (!allocate(g))
      return false;
   set_masks(g);
   return true;
}

/*
 * Groups
 */

static void
start_thread(struct dispatch *g, unsigned i, const uint32_t id[3])
{
   const struct GEN9_INTERFACE_DESCRIPTOR_DATA *idd = &g->d->descriptor;
   const unsigned cross = idd->CrossThreadConstantDataReadLength;
   const unsigned each = idd->ConstantURBEntryReadLength;
   const uint8_t *constants =
      g->d->curbe + (size_t)idd->ConstantURBEntryReadOffset * SIM_GRF_B;
   struct sim_eu_thread *t = &g->group.threads[i];
   uint32_t *r0 = t->grf[0].ud;

   memset(t->grf, 0, sizeof(t->grf));
   sim_eu_thread_init(t, &g->env, g->mask[i]);
   t->sr0[2] = t->sr0[3] = g->mask[i];
   t->mem = g->draw->mem;
   memcpy(r0, g->header, sizeof(g->header));
   r0[1] = id[0];
   r0[6] = id[1];
   r0[7] = id[2];
   r0[2] |= g->group.barrier_id;
   if (g->draw->state->media_vfe_state.ScratchSpaceBasePointer)
      r0[5] += i * g->env.scratch_per_thread_B;
   r0[5] |= i; /* the fixed function's number of the thread */
   if (cross)
      memcpy(&t->grf[1], constants, (size_t)cross * SIM_GRF_B);
   if (each)
      memcpy(&t->grf[1 + cross],
             constants + ((size_t)cross + (size_t)each * i) * SIM_GRF_B,
             (size_t)each * SIM_GRF_B);
   g->draw->counters->cs_invocations +=
      (uint64_t)__builtin_popcount(g->mask[i]);
   if (sim_draw_is_traced(g->draw)) {
      const struct trace_item item = {
         { (int32_t)id[0], (int32_t)id[1], (int32_t)id[2], (int32_t)i } };
      sim_draw_trace_thread(g->draw, t, g->program, 0, &item, 1);
   }
}

/* Numbers that change from group to group, and are never zero: a program
 * must take them from its header. */
static void
number_group(struct dispatch *g)
{
   const uint32_t n = (uint32_t)(g->groups % 15) + 1;
   g->group.barrier_id = g->group.barrier_enabled ? n << 24 : 0;
   g->header[0] = g->env.slm_size_B ? n << 24 : 0;
   g->groups++;
}

static bool
check_time(struct dispatch *g)
{
   struct sim_gpu *gpu = g->draw->gpu;
   sim_gpu_progress(gpu);
   if (!sim_gpu_worked_out(gpu) &&
       sim_gpu_last_progress(gpu) - g->start_ns <=
          DISPATCH_LIMIT * gpu->hang_limit_ns)
      return true;
   g->draw->expired = true;
   sim_draw_fault(g->draw, "the dispatch takes too long: %llu groups so far",
                  (unsigned long long)g->groups);
   return false;
}

static bool
run_group(struct dispatch *g, const uint32_t id[3])
{
   number_group(g);
   for (unsigned i = 0; i < g->group.count; i++)
      start_thread(g, i, id);
   return sim_group_run(g->draw, &g->group, g->program, "compute shader") &&
          check_time(g);
}

void
sim_gpgpu_dispatch(struct sim_draw *draw, const struct sim_dispatch *d)
{
   const struct GEN9_GPGPU_WALKER *w = &d->walker;
   const uint32_t first[3] = { w->ThreadGroupIDStartingX,
                               w->ThreadGroupIDStartingY,
                               w->ThreadGroupIDStartingResumeZ };
   const uint32_t end[3] = { w->ThreadGroupIDXDimension,
                             w->ThreadGroupIDYDimension,
                             w->ThreadGroupIDZDimension };
   struct dispatch g = { .draw = draw, .d = d,
                         .start_ns = sim_gpu_now_ns() };
   uint32_t id[3];
   bool ok = prepare(&g);
   for (id[2] = first[2]; ok && id[2] < end[2]; id[2]++)
      for (id[1] = first[1]; ok && id[1] < end[1]; id[1]++)
         for (id[0] = first[0]; ok && id[0] < end[0]; id[0]++)
            ok = run_group(&g, id);
   sim_draw_add_totals(draw);
   free(g.group.threads);
   free(g.env.slm);
}
