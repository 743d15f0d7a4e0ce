/* SPDX-License-Identifier: MIT */
/*
 * Hull shading (PRM SKL Vol. 7 "Hull Shader (HS) Stage", Vol. 2a 3DSTATE_HS).
 * Several instances, threads that can meet at barriers, write one patch
 * record together. With one patch a thread (SINGLE_PATCH):
 *
 *   r0            header; in .0 the patch record's handle, in .1 the
 *                 primitive id, in .2 instance (23:17) and barrier (16:13),
 *                 all of these one bit lower on Ivybridge
 *   r1 ..         if asked for: handles of the control points, one dword each
 *   start GRF ..  push constants, then of each control point what is to be
 *                 read of its entry
 *
 * With eight patches (8_PATCH), a channel each:
 *
 *   r1            handles of the patch records
 *   then          if asked for: primitive ids
 *   then          if asked for: a register of handles for each control point
 *   start GRF ..  push constants, then a register for each dword that is to
 *                 be read of each control point
 *
 * In SINGLE_PATCH mode all channels are on, whatever the shader makes of
 * them: eight instances of the API, or two in Align16 code. In 8_PATCH mode
 * those are on that have a patch. Before Gen8 only the former exists.
 *
 * All patches for which there are entries are shaded, then go to the
 * tessellator.
 */
#include "tess.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/eu/shadow.h"

static bool
check_state(struct sim_front *f)
{
   const struct sim_render_state *s = f->state;
   const struct GEN9_3DSTATE_HS *hs = &s->hs;
   if (!hs->Enable || !s->te.TEEnable || !s->ds.Enable) {
      sim_draw_fault(f->draw,
                     "hull shader %s, tessellator %s, domain shader "
                     "%s: they must be on or off together",
                     hs->Enable ? "on" : "off", s->te.TEEnable ? "on" : "off",
                     s->ds.Enable ? "on" : "off");
      return false;
   }
   if (f->draw->topology < _3DPRIM_PATCHLIST_1 ||
       f->draw->topology > _3DPRIM_PATCHLIST_32) {
      sim_draw_fault(f->draw, "3DSTATE_HS: topology %u is no patch list",
                     f->draw->topology);
      return false;
   }
   if (hs->DispatchMode != DISPATCH_MODE_SINGLE_PATCH &&
       hs->DispatchMode != DISPATCH_MODE_8_PATCH) {
      sim_draw_fault(f->draw,
                     "3DSTATE_HS: dispatch mode %u is not "
                     "implemented",
                     hs->DispatchMode);
      return false;
   }
   return true;
}

static bool
prepare_program(struct sim_front *f)
{
   const struct sim_render_state *s = f->state;
   const struct front_shader_state state = {
      .name = "hull shader",
      .trace = "hs",
      .kernel = s->hs.KernelStartPointer,
      .binding_table = s->binding_table_pointers_hs.PointertoHSBindingTable,
      .sampler_state = s->sampler_state_pointers_hs.PointertoHSSamplerState,
      .scratch_base = s->hs.ScratchSpaceBasePointer,
      .scratch_per_thread = s->hs.PerThreadScratchSpace,
      .cr0 =
         sim_draw_cr0(s->hs.FloatingPointMode, 0, s->hs.SingleProgramFlow),
      .entry_B = f->tess->hs_region.entry_B,
      .constants = &s->constant_hs.ConstantBody,
   };
   return front_shader_prepare(f, &f->tess->hs, &state);
}

static unsigned
control_points(const struct sim_front *f)
{
   return f->draw->topology - _3DPRIM_PATCHLIST_1 + 1;
}

static unsigned
start_grf(const struct sim_front *f)
{
   const struct GEN9_3DSTATE_HS *hs = &f->state->hs;
   return hs->DispatchGRFStartRegisterForURBData |
          hs->DispatchGRFStartRegisterForURBData5 << 5;
}

/* Registers before the constants, and in all. */
static bool
check_payload(struct sim_front *f)
{
   const struct GEN9_3DSTATE_HS *hs = &f->state->hs;
   const bool single = f->tess->patches == 1;
   const unsigned points = control_points(f);
   const unsigned handles = hs->IncludeVertexHandles
                               ? (single ? DIV_ROUND_UP(points, 8) : points)
                               : 0;
   const unsigned first = 1 + handles +
                          (single ? 0 : 1 + hs->IncludePrimitiveID);
   const unsigned read_dw = 8 * hs->VertexURBEntryReadLength;
   const unsigned end = start_grf(f) + f->tess->hs.push_grfs +
                        points * (single ? read_dw / 8 : read_dw);
   if (first > start_grf(f) || end > SIM_GRF_COUNT) {
      sim_draw_fault(f->draw,
                     "3DSTATE_HS: a payload of %u registers, then "
                     "constants and vertex data from r%u to r%u",
                     first, start_grf(f), end);
      return false;
   }
   if (8 * hs->VertexURBEntryReadOffset + read_dw > f->vs_region.entry_dw) {
      sim_draw_fault(f->draw,
                     "3DSTATE_HS: reads past the vertex's entry of "
                     "%u dwords",
                     f->vs_region.entry_dw);
      return false;
   }
   return true;
}

/* False: the draw has faulted. */
static bool
make_groups(struct sim_front *f, unsigned n)
{
   struct front_tess *t = f->tess;
   if (n <= t->num_groups)
      return true;
   free(t->groups);
   free(t->threads);
   t->num_groups = 0;
   t->groups = calloc(n, sizeof(*t->groups));
   t->threads = aligned_alloc(
      64, ALIGN(n * t->instances * sizeof(*t->threads), (size_t)64));
   if (!t->groups || !t->threads) {
      sim_draw_fault(f->draw, "the host is out of memory");
      return false;
   }
   t->num_groups = n;
   for (unsigned i = 0; i < n; i++) {
      t->groups[i] = (struct sim_thread_group) {
         .threads = t->threads + i * t->instances,
         .count = t->instances,
         .barrier_enabled = true,
      };
   }
   return true;
}

bool
sim_hs_prepare(struct sim_front *f)
{
   const struct GEN9_3DSTATE_URB_HS *urb = &f->state->urb_hs;
   if (!check_state(f))
      return false;
   struct front_tess *t = f->tess =
      aligned_alloc(64, ALIGN(sizeof(*t), (size_t)64));
   if (!t) {
      sim_draw_fault(f->draw, "the host is out of memory");
      return false;
   }
   memset(t, 0, offsetof(struct front_tess, division));
   t->instances = f->state->hs.InstanceCount + 1;
   t->patches =
      f->state->hs.DispatchMode == DISPATCH_MODE_8_PATCH ? SIM_HS_PATCHES : 1;
   if (!front_region_init(f, &t->hs_region, "3DSTATE_URB_HS",
                          urb->HSURBStartingAddress,
                          urb->HSURBEntryAllocationSize + 1,
                          urb->HSNumberofURBEntries, t->patches) ||
       !prepare_program(f) || !check_payload(f) || !make_groups(f, 1))
      return false;
   t->batch = MIN2(t->hs_region.num, SIM_HS_BATCH);
   t->batch -= t->batch % t->patches;
   t->hs.env.barrier = sim_group_barrier;
   return true;
}

void
sim_hs_finish(struct sim_front *f)
{
   if (f->tess) {
      free(f->tess->groups);
      free(f->tess->threads);
   }
   free(f->tess);
}

/*
 * Payloads, of the patches from `first` on that a thread takes.
 */

/* Of control point `point`, the dwords that the shader wants pushed. */
static const uint32_t *
pushed_vertex(const struct sim_front *f, unsigned patch, unsigned point)
{
   return front_vue(f, f->tess->patch[patch].v[point]) +
          8 * f->state->hs.VertexURBEntryReadOffset;
}

static uint64_t
urb_offset_B(const struct sim_front *f, const uint32_t *dw)
{
   return (uint64_t)((const uint8_t *)dw - (const uint8_t *)f->draw->urb);
}

static void
single_patch(struct sim_front *f, struct front_shader *s, unsigned first)
{
   struct sim_eu_thread *t = &s->thread;
   struct front_tess *tess = f->tess;
   const struct GEN9_3DSTATE_HS *hs = &f->state->hs;
   const struct front_object *p = &tess->patch[first];
   t->grf[0].ud[0] = front_handle(front_entry(&tess->hs_region, first));
   t->grf[0].ud[1] = p->primitive_id;
   for (unsigned i = 0; i < p->num_vertices && hs->IncludeVertexHandles; i++)
      t->grf[1 + i / 8].ud[i % 8] = front_handle(p->v[i]);
   unsigned grf = front_shader_push(s, start_grf(f));
   for (unsigned i = 0; i < p->num_vertices; i++) {
      const uint32_t *from = pushed_vertex(f, first, i);
      memcpy(&t->grf[grf], from, hs->VertexURBEntryReadLength * SIM_GRF_B);
      sim_shadow_unfill_from(t->env->rules, t->grf, grf,
                             urb_offset_B(f, from),
                             8 * hs->VertexURBEntryReadLength);
      grf += hs->VertexURBEntryReadLength;
   }
}

static void
eight_patches(struct sim_front *f, struct front_shader *s, unsigned first,
              unsigned n)
{
   struct sim_eu_thread *t = &s->thread;
   struct front_tess *tess = f->tess;
   const struct GEN9_3DSTATE_HS *hs = &f->state->hs;
   const unsigned points = control_points(f);
   const unsigned read_dw = 8 * hs->VertexURBEntryReadLength;
   const unsigned push_end = front_shader_push(s, start_grf(f));
   for (unsigned lane = 0; lane < SIM_HS_PATCHES; lane++) {
      /* Channels that are off have what the last one has. */
      const unsigned k = first + MIN2(lane, n - 1);
      const struct front_object *p = &tess->patch[k];
      unsigned grf = 1;
      t->grf[grf++].ud[lane] = front_handle(front_entry(&tess->hs_region, k));
      if (hs->IncludePrimitiveID)
         t->grf[grf++].ud[lane] = p->primitive_id;
      for (unsigned i = 0; i < points && hs->IncludeVertexHandles; i++)
         t->grf[grf++].ud[lane] = front_handle(p->v[i]);
      grf = push_end;
      for (unsigned i = 0; i < points; i++) {
         const uint32_t *dw = pushed_vertex(f, k, i);
         for (unsigned d = 0; d < read_dw; d++, grf++) {
            t->grf[grf].ud[lane] = dw[d];
            if (sim_shadow_urb_bits(t->env->rules, urb_offset_B(f, dw + d)))
               sim_shadow_unfill(t->env->rules, t->grf, grf, lane);
         }
      }
   }
}

/*
 * Threads
 */

static void
trace(struct sim_front *f, struct sim_eu_thread *t, unsigned instance,
      unsigned first, unsigned n)
{
   struct front_tess *tess = f->tess;
   struct trace_item item[SIM_HS_PATCHES];
   for (unsigned i = 0; i < n; i++) {
      item[i] = (struct trace_item) {
         { (int32_t)tess->patch[first + i].primitive_id, (int32_t)instance }
      };
   }
   sim_draw_trace_thread(f->draw, t, tess->hs.program,
                         tess->patches == 1 ? 0 : 1, item, n);
}

static void
start_instance(struct sim_front *f, struct front_shader *s,
               struct sim_thread_group *group, unsigned instance,
               unsigned first, unsigned n)
{
   struct front_tess *tess = f->tess;
   const uint32_t mask =
      BITFIELD_MASK(tess->patches == 1 ? SIM_HS_PATCHES : n);
   struct sim_eu_thread *t = front_shader_start(f, s, mask);
   const uint32_t number = instance << 17 | group->barrier_id >> 24 << 13;
   t->grf[0].ud[2] = number >> sim_traits(s->env.verx10)->hs_number_shift;
   if (f->state->hs.ScratchSpaceBasePointer)
      t->grf[0].ud[5] += instance * s->env.scratch_per_thread_B;
   t->grf[0].ud[5] |= instance; /* the fixed function's thread number */
   if (tess->patches == 1)
      single_patch(f, s, first);
   else
      eight_patches(f, s, first, n);
   group->threads[instance] = *t;
   if (sim_draw_is_traced(f->draw))
      trace(f, &group->threads[instance], instance, first, n);
}

/* The instances for `n` patches. */
static bool
run_group(struct sim_front *f, struct front_shader *s,
          struct sim_thread_group *group, unsigned first, unsigned n)
{
   /* Changes, so that a shader must take it from its header. */
   group->barrier_id = ((f->tess->patches_done + first) % 15 + 1) << 24;
   s->env.user = group;
   for (unsigned i = 0; i < group->count; i++)
      start_instance(f, s, group, i, first, n);
   return sim_group_run(s->draw, group, s->program, s->name) &&
          sim_draw_progress(s->draw);
}

static bool
run_patches(struct sim_front *f, struct front_shader *s, unsigned worker,
            unsigned first, unsigned end)
{
   const unsigned patches = f->tess->patches;
   const unsigned groups = DIV_ROUND_UP(end - first, patches);
   const struct sim_chaos_order order =
      sim_chaos_order(s->env.chaos, SIM_CHAOS_ORDER, groups);
   for (unsigned g = 0; g < groups; g++) {
      const unsigned i = first + (unsigned)sim_chaos_nth(&order, g) * patches;
      if (!run_group(f, s, &f->tess->groups[worker], i,
                     MIN2(end - i, patches)))
         return false;
   }
   return true;
}

#define PART_GROUPS 4

static bool
run_shader(struct sim_front *f)
{
   struct front_tess *tess = f->tess;
   const unsigned groups = DIV_ROUND_UP(tess->num_patches, tess->patches);
   const struct front_work work = {
      .fn = run_patches,
      .shader = &tess->hs,
      .num = tess->num_patches,
      .part = PART_GROUPS * tess->patches,
      .threads = groups * tess->instances,
      .reads = &f->vs_region,
      .writes = &tess->hs_region,
   };
   if (f->state->hs.StatisticsEnable)
      f->counters.hs_invocations += tess->num_patches;
   return make_groups(f, front_width(f, &work)) && front_run(f, &work);
}

bool
sim_hs_flush(struct sim_front *f)
{
   struct front_tess *tess = f->tess;
   if (!tess->num_patches)
      return true;
   if (!run_shader(f) || !sim_ds_patches(f))
      return false;
   tess->patches_done += tess->num_patches;
   tess->num_patches = 0;
   return true;
}

bool
sim_hs_patch(struct sim_front *f, const struct front_object *patch)
{
   struct front_tess *tess = f->tess;
   tess->patch[tess->num_patches++] = *patch;
   return tess->num_patches < tess->batch || sim_hs_flush(f);
}
