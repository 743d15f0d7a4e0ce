/* SPDX-License-Identifier: MIT */
/*
 * The tessellator's state and the domain shader, which makes a vertex of
 * each domain point (PRM SKL Vol. 7 "Tessellation Engine (TE) Stage", "Domain
 * Shader (DS) Stage", Vol. 2a 3DSTATE_TE, 3DSTATE_DS). Threads have eight
 * points of one patch:
 *
 *   r0            header; in .0 the patch record's handle, in .1 the
 *                 primitive id
 *   r1, r2, r3    u, v, w; w is 0 unless it is asked for
 *   r4            URB return handles
 *   start GRF ..  push constants, then of the patch record what is to be read
 *
 * or, the only way before Gen8, two (PRM IVB Vol. 2 Part 1, "DS Thread
 * Payload"):
 *
 *   r0            header; dwords 0 and 1 are the URB return handles
 *   r1            u, v, w of either point in .0 and .4; the patch record's
 *                 handle in .3, the primitive id in .7
 *   start GRF ..  as above
 *
 * Points of several patches get entries before they are shaded. When these
 * are used up, the rest of the pipe takes what is there, and the patch goes
 * on with all entries free. Points that primitives of both parts have are
 * shaded in each, as the hardware shades again what has left its cache.
 *
 * The dual patch mode puts two patches in one thread, where they have few
 * points. The hardware is free not to do so, and this one never does.
 */
#include "tess.h"
#include "intel/sim/eu/shadow.h"
#include "intel/sim/mem/watch.h"

/* What the hardware asks for at the least: 10 on Gen7, 34 from Gen8 on (PRM,
 * 3DSTATE_URB_DS, "DS Number of URB Entries"). One primitive needs three. */
#define MIN_ENTRIES 10

static bool
prepare_tessellator(struct sim_front *f)
{
   const struct GEN9_3DSTATE_TE *te = &f->state->te;
   const bool lines = te->TEDomain == TE_DOMAIN_ISOLINE;
   const bool fits = te->OutputTopology == OUTPUT_POINT ||
                     lines == (te->OutputTopology == OUTPUT_LINE);
   if (te->TEMode != TE_MODE_HW_TESS) {
      sim_draw_fault(f->draw, "3DSTATE_TE: mode %u is not implemented",
                     te->TEMode);
      return false;
   }
   if (te->TEDomain > TE_DOMAIN_ISOLINE ||
       te->Partitioning > TE_PARTITIONING_EVEN_FRACTIONAL || !fits) {
      sim_draw_fault(f->draw,
                     "3DSTATE_TE: domain %u, partitioning %u, "
                     "output topology %u",
                     te->TEDomain, te->Partitioning, te->OutputTopology);
      return false;
   }
   f->tess->state = (struct sim_tess_state) {
      .domain = te->TEDomain,
      .partitioning = te->Partitioning,
      .topology = te->OutputTopology,
      .max_odd = te->MaximumTessellationFactorOdd,
      .max_not_odd = te->MaximumTessellationFactorNotOdd,
   };
   return true;
}

static bool
prepare_program(struct sim_front *f)
{
   const struct sim_render_state *s = f->state;
   const struct front_shader_state state = {
      .name = "domain shader",
      .trace = "ds",
      .kernel = s->ds.KernelStartPointer,
      .binding_table = s->binding_table_pointers_ds.PointertoDSBindingTable,
      .sampler_state = s->sampler_state_pointers_ds.PointertoDSSamplerState,
      .scratch_base = s->ds.ScratchSpaceBasePointer,
      .scratch_per_thread = s->ds.PerThreadScratchSpace,
      .cr0 = sim_draw_cr0(s->ds.FloatingPointMode, 0, false),
      .entry_B = f->tess->ds_region.entry_B,
      .constants = &s->constant_ds.ConstantBody,
   };
   if (s->ds.DispatchMode > DISPATCH_MODE_SIMD8_SINGLE_OR_DUAL_PATCH) {
      sim_draw_fault(f->draw, "3DSTATE_DS: dispatch mode %u is reserved",
                     s->ds.DispatchMode);
      return false;
   }
   return front_shader_prepare(f, &f->tess->ds, &state);
}

static bool
check_payload(struct sim_front *f)
{
   const struct GEN9_3DSTATE_DS *ds = &f->state->ds;
   const struct front_region *records = &f->tess->hs_region;
   const unsigned start = ds->DispatchGRFStartRegisterForURBData;
   const unsigned first = ds->DispatchMode == DISPATCH_MODE_SIMD4X2 ? 2 : 5;
   const unsigned end = start + f->tess->ds.push_grfs +
                        ds->PatchURBEntryReadLength;
   if (start < first || end > SIM_GRF_COUNT) {
      sim_draw_fault(f->draw,
                     "3DSTATE_DS: a payload with constants and "
                     "patch data from r%u to r%u",
                     start, end);
      return false;
   }
   if (8 * (ds->PatchURBEntryReadOffset + ds->PatchURBEntryReadLength) >
       records->entry_dw) {
      sim_draw_fault(f->draw,
                     "3DSTATE_DS: reads past the patch record of "
                     "%u dwords",
                     records->entry_dw);
      return false;
   }
   return true;
}

bool
sim_ds_prepare(struct sim_front *f)
{
   const struct GEN9_3DSTATE_URB_DS *urb = &f->state->urb_ds;
   const struct GEN9_3DSTATE_DS *ds = &f->state->ds;
   struct front_tess *t = f->tess;
   if (!prepare_tessellator(f) ||
       !front_region_init(f, &t->ds_region, "3DSTATE_URB_DS",
                          urb->DSURBStartingAddress,
                          urb->DSURBEntryAllocationSize + 1,
                          urb->DSNumberofURBEntries, MIN_ENTRIES) ||
       !prepare_program(f) || !check_payload(f))
      return false;
   f->vue_dw = t->ds_region.entry_dw;
   f->user_clip = ds->UserClipDistanceClipTestEnableBitmask;
   f->user_cull = ds->UserClipDistanceCullTestEnableBitmask;
   return true;
}

/*
 * The patch's header: factors from the last dword down.
 *
 *   quad      7..4 edges u = 0, v = 0, u = 1, v = 1; 3, 2 inside u, v
 *   triangle  7..5 edges u = 0, v = 0, w = 0; 4 inside
 *   isolines  7 segments of a line; 6 number of lines
 */
static struct sim_tess_factors
read_factors(const struct sim_front *f, vue_ref record)
{
   const uint32_t *dw = front_vue(f, record);
   float header[SIM_PATCH_HEADER_DW];
   struct sim_tess_factors to = { { 0 }, { 0 } };
   memcpy(header, dw, sizeof(header));
   switch (f->tess->state.domain) {
   case TE_DOMAIN_QUAD:
      for (unsigned i = 0; i < 4; i++)
         to.outer[i] = header[7 - i];
      to.inner[0] = header[3];
      to.inner[1] = header[2];
      break;
   case TE_DOMAIN_TRI:
      for (unsigned i = 0; i < 3; i++)
         to.outer[i] = header[7 - i];
      to.inner[0] = header[4];
      break;
   case TE_DOMAIN_ISOLINE:
      to.outer[0] = header[6];
      to.outer[1] = header[7];
      break;
   }
   return to;
}

/*
 * Shading
 */

static uint32_t
float_bits(uint32_t fixed)
{
   return util_float_bits((float)fixed / SIM_TESS_ONE);
}

/* u, v and w, `stride` dwords apart. */
static void
put_point(const struct sim_front *f, unsigned entry, uint32_t *dw,
          unsigned stride)
{
   const struct sim_tess_point p = f->tess->point[entry];
   dw[0] = float_bits(p.u);
   dw[stride] = float_bits(p.v);
   dw[2 * stride] = f->state->ds.ComputeWCoordinateEnable
                       ? float_bits(SIM_TESS_ONE - p.u - p.v)
                       : 0;
}

static uint32_t
primitive_id(const struct sim_front *f, unsigned patch)
{
   return f->tess->patch[patch].primitive_id;
}

/* What all points have in common. */
static void
push_patch(struct sim_front *f, struct front_shader *s, vue_ref record)
{
   const struct GEN9_3DSTATE_DS *ds = &f->state->ds;
   const unsigned grf =
      front_shader_push(s, ds->DispatchGRFStartRegisterForURBData);
   const unsigned offset_dw = 8 * ds->PatchURBEntryReadOffset;
   memcpy(&s->thread.grf[grf], front_vue(f, record) + offset_dw,
          ds->PatchURBEntryReadLength * SIM_GRF_B);
   sim_shadow_unfill_from(s->thread.env->rules, s->thread.grf, grf,
                          record + 4ull * offset_dw,
                          8 * ds->PatchURBEntryReadLength);
}

static void
trace(struct sim_front *f, const struct ds_thread *d, unsigned lanes_per_item)
{
   struct trace_item item[8];
   for (unsigned i = 0; i < d->count; i++) {
      uint32_t at[3];
      put_point(f, d->first + i, at, 1);
      item[i] = (struct trace_item) { { (int32_t)primitive_id(f, d->patch),
                                        (int32_t)at[0], (int32_t)at[1] } };
   }
   front_shader_trace(f, &f->tess->ds, lanes_per_item, item, d->count);
}

/* Channels that are off have what the last one has. */

static bool
run_simd8(struct sim_front *f, struct front_shader *s,
          const struct ds_thread *d)
{
   struct front_tess *tess = f->tess;
   const vue_ref record = front_entry(&tess->hs_region, d->patch);
   struct sim_eu_thread *t =
      front_shader_start(f, s, BITFIELD_MASK(d->count));
   t->grf[0].ud[0] = front_handle(record);
   t->grf[0].ud[1] = primitive_id(f, d->patch);
   for (unsigned i = 0; i < 8; i++) {
      const unsigned entry = d->first + MIN2(i, d->count - 1u);
      put_point(f, entry, &t->grf[1].ud[i], 8);
      t->grf[4].ud[i] = front_handle(front_entry(&tess->ds_region, entry));
   }
   push_patch(f, s, record);
   if (sim_draw_is_traced(f->draw))
      trace(f, d, 1);
   return front_shader_run(f, s);
}

static bool
run_simd4x2(struct sim_front *f, struct front_shader *s,
            const struct ds_thread *d)
{
   struct front_tess *tess = f->tess;
   const vue_ref record = front_entry(&tess->hs_region, d->patch);
   struct sim_eu_thread *t =
      front_shader_start(f, s, d->count > 1 ? 0xff : 0x0f);
   for (unsigned i = 0; i < 2; i++) {
      const unsigned entry = d->first + MIN2(i, d->count - 1u);
      put_point(f, entry, &t->grf[1].ud[4 * i], 1);
      t->grf[0].ud[i] = front_handle(front_entry(&tess->ds_region, entry));
   }
   t->grf[1].ud[3] = front_handle(record);
   t->grf[1].ud[7] = primitive_id(f, d->patch);
   push_patch(f, s, record);
   if (sim_draw_is_traced(f->draw))
      trace(f, d, 4);
   return front_shader_run(f, s);
}

static bool
is_simd4x2(const struct sim_front *f)
{
   return f->state->ds.DispatchMode == DISPATCH_MODE_SIMD4X2;
}

static bool
run_threads(struct sim_front *f, struct front_shader *s, unsigned worker,
            unsigned first, unsigned end)
{
   const bool simd4x2 = is_simd4x2(f);
   const struct sim_chaos_order order =
      sim_chaos_order(s->env.chaos, SIM_CHAOS_ORDER, end - first);
   for (unsigned i = 0; i < end - first; i++) {
      const struct ds_thread *d =
         &f->tess->thread[first + sim_chaos_nth(&order, i)];
      if (simd4x2 ? !run_simd4x2(f, s, d) : !run_simd8(f, s, d))
         return false;
   }
   return true;
}

#define PART_THREADS 8

static bool
shade(struct sim_front *f)
{
   struct front_tess *tess = f->tess;
   return front_run(f, &(struct front_work) {
                          .fn = run_threads,
                          .shader = &tess->ds,
                          .num = tess->num_threads,
                          .part = PART_THREADS,
                          .threads = tess->num_threads,
                          .reads = &tess->hs_region,
                          .writes = &tess->ds_region,
                       });
}

/*
 * Primitives
 */

/* Gives entries to the points of a primitive that have none. False: there are
 * not enough. */
static bool
take_entries(struct front_tess *tess, const uint16_t *index, unsigned n)
{
   if (tess->used + n > tess->ds_region.num)
      return false;
   for (unsigned i = 0; i < n; i++) {
      const unsigned p = index[i];
      if (tess->vertex[p].window == tess->window)
         continue;
      tess->vertex[p].window = tess->window;
      tess->vertex[p].entry = (uint16_t)tess->used;
      tess->point[tess->used++] = tess->division.point[p];
   }
   return true;
}

static void
add_primitive(struct front_tess *tess, const uint16_t *index, unsigned patch)
{
   struct ds_prim *p = &tess->prim[tess->num_prims++];
   p->vertices = (uint16_t)tess->division.vertices;
   p->patch = (uint16_t)patch;
   for (unsigned i = 0; i < p->vertices; i++)
      p->entry[i] = tess->vertex[index[i]].entry;
}

/* For the entries from `first` on, which are points of one patch. */
static void
add_threads(struct sim_front *f, unsigned first, unsigned patch)
{
   struct front_tess *tess = f->tess;
   const unsigned lanes = is_simd4x2(f) ? 2 : 8;
   if (f->state->ds.StatisticsEnable)
      f->counters.ds_invocations += tess->used - first;
   for (unsigned i = first; i < tess->used; i += lanes) {
      tess->thread[tess->num_threads++] = (struct ds_thread) {
         (uint16_t)i, (uint16_t)MIN2(tess->used - i, lanes), (uint16_t)patch
      };
   }
}

/* Does what waits. */
static bool
shade_and_send(struct sim_front *f)
{
   struct front_tess *tess = f->tess;
   if (!shade(f))
      return false;
   for (unsigned i = 0; i < tess->num_prims; i++) {
      const struct ds_prim *p = &tess->prim[i];
      vue_ref v[3] = { 0 };
      for (unsigned k = 0; k < p->vertices; k++)
         v[k] = front_entry(&tess->ds_region, p->entry[k]);
      if (!front_stage_primitive(f, (enum sim_prim_kind)(p->vertices - 1), v,
                                 primitive_id(f, p->patch)))
         return false;
   }
   tess->num_threads = tess->num_prims = 0;
   return true;
}

/* What no more points, or primitives, fit into goes down the pipe. */
static bool
end_window(struct sim_front *f)
{
   if (!shade_and_send(f) || !front_stage_drain(f))
      return false;
   f->tess->used = 0;
   f->tess->window++;
   return true;
}

static void
watch_factors(const struct sim_front *f, vue_ref record,
              const struct sim_tess_factors *factors)
{
   const struct sim_watch *watch = f->draw->mem->watch;
   const struct sim_tess_state *s = &f->tess->state;
   const unsigned first = s->domain == TE_DOMAIN_QUAD  ? 2
                          : s->domain == TE_DOMAIN_TRI ? 4
                                                       : 6;
   sim_watch_urb(watch, record + 4 * first, SIM_PATCH_HEADER_DW - first,
                 "factors of a patch");
   if (s->domain == TE_DOMAIN_QUAD &&
       s->partitioning == TE_PARTITIONING_INTEGER)
      sim_watch_quad(watch, factors->outer, factors->inner);
}

static bool
divide(struct sim_front *f, unsigned patch)
{
   struct front_tess *tess = f->tess;
   const struct sim_tess *d = &tess->division;
   const struct sim_tess_factors factors =
      read_factors(f, front_entry(&tess->hs_region, patch));
   unsigned first = tess->used;
   if (__builtin_expect(f->draw->mem->watch != NULL, 0))
      watch_factors(f, front_entry(&tess->hs_region, patch), &factors);
   sim_tessellate(&tess->state, &factors, &tess->division);
   tess->window++;
   for (unsigned i = 0; i < d->num_indices; i += d->vertices) {
      if (tess->num_prims == SIM_DS_PRIMS ||
          !take_entries(tess, &d->index[i], d->vertices)) {
         add_threads(f, first, patch);
         if (!end_window(f))
            return false;
         first = 0;
         take_entries(tess, &d->index[i], d->vertices);
      }
      add_primitive(tess, &d->index[i], patch);
   }
   add_threads(f, first, patch);
   return true;
}

bool
sim_ds_patches(struct sim_front *f)
{
   for (unsigned i = 0; i < f->tess->num_patches; i++) {
      if (!divide(f, i))
         return false;
   }
   return shade_and_send(f);
}
