/* SPDX-License-Identifier: MIT */
/*
 * Vertex shading in threads of eight vertices
 * (PRM SKL Vol. 7 "Vertex Shader (VS) Stage", "SIMD8 VS Thread Payload"):
 *
 *   r0            header: binding table, sampler state, scratch
 *   r1            URB return handles, one dword a vertex
 *   start GRF ..  push constants, then vertex data, one GRF a component
 *
 * or, the only way before Gen8, in threads of two (PRM IVB Vol. 2 Part 1, "VS
 * Thread Payload"; HSW Vol. 7, "SIMD4x2 VS Thread Payload"):
 *
 *   r0            header; dwords 0 and 1 are the URB return handles
 *   start GRF ..  push constants, then vertex data, one GRF for four
 *                 components, of the first vertex in its lower half
 *
 * The entry that a vertex is fetched to is the one that its shader writes;
 * we put fetched data straight into the payload. Without a vertex shader,
 * what is fetched is the entry.
 */
#include "front_private.h"

#include "intel/sim/gpu/gpu.h"
#include "intel/sim/eu/shadow.h"
#include "intel/sim/gpu/strict.h"

static bool
prepare_program(struct sim_front *f)
{
   const struct sim_render_state *s = f->state;
   const struct front_shader_state state = {
      .name = "vertex shader",
      .trace = "vs",
      .kernel = s->vs.KernelStartPointer,
      .binding_table = s->binding_table_pointers_vs.PointertoVSBindingTable,
      .sampler_state = s->sampler_state_pointers_vs.PointertoVSSamplerState,
      .scratch_base = s->vs.ScratchSpaceBasePointer,
      .scratch_per_thread = s->vs.PerThreadScratchSpace,
      .cr0 = sim_draw_cr0(s->vs.FloatingPointMode, 0, false),
      .entry_B = f->vs_region.entry_B,
      .constants = &s->constant_vs.ConstantBody,
   };
   return front_shader_prepare(f, &f->vs, &state);
}

/* The payload must fit into the register file. */
static bool
check_payload(struct sim_front *f)
{
   const struct GEN9_3DSTATE_VS *vs = &f->state->vs;
   const unsigned start = vs->DispatchGRFStartRegisterForURBData;
   const bool simd8 = vs->SIMD8DispatchEnable;
   /* Read length and offset are in 256 bits, eight components. */
   const unsigned end = start + f->vs.push_grfs +
                        (simd8 ? 8 : 2) * vs->VertexURBEntryReadLength;
   if (end > SIM_GRF_COUNT || start < (simd8 ? 2 : 1)) {
      sim_draw_fault(f->draw,
                     "3DSTATE_VS: a payload of %u constant "
                     "registers and vertex data in r%u to r%u",
                     f->vs.push_grfs, start, end);
      return false;
   }
   return true;
}

/* An open patch, or strip, holds entries over the end of the window, and a
 * thread fills eight. */
#define MIN_ENTRIES 16

bool
sim_vs_prepare(struct sim_front *f)
{
   const struct GEN9_3DSTATE_URB_VS *urb = &f->state->urb_vs;
   const struct GEN9_3DSTATE_VS *vs = &f->state->vs;
   const bool patches = f->draw->topology >= _3DPRIM_PATCHLIST_1;
   if (!front_region_init(
          f, &f->vs_region, "3DSTATE_URB_VS", urb->VSURBStartingAddress,
          urb->VSURBEntryAllocationSize + 1, urb->VSNumberofURBEntries,
          MIN_ENTRIES + (patches ? SIM_MAX_PATCH : 0)))
      return false;
   f->has_vs = vs->Enable;
   f->vue_dw = f->vs_region.entry_dw;
   if (!f->has_vs)
      return true;
   f->user_clip = vs->UserClipDistanceClipTestEnableBitmask;
   f->user_cull = vs->UserClipDistanceCullTestEnableBitmask;
   return prepare_program(f) && check_payload(f);
}

/* Vertex data of the whole vertex, before offset and length of the read. */
#define MAX_VERTEX_DW (SIM_MAX_VERTEX_ELEMENTS * 8)

/* What no element fills is undefined: zero, unless somebody looks. */
static bool
fills_undefined(const struct front_shader *s)
{
   return !s->env.rules && !s->env.chaos;
}

static bool
fill_vertex_data(const struct sim_front *f, struct front_shader *s,
                 const struct front_vertex *v, unsigned n)
{
   const struct GEN9_3DSTATE_VS *vs = &f->state->vs;
   uint32_t data[MAX_VERTEX_DW][SIM_VS_LANES];
   const unsigned offset = 8 * vs->VertexURBEntryReadOffset;
   const unsigned length = 8 * vs->VertexURBEntryReadLength;
   const unsigned have = MIN2(f->vertex_dw, MAX_VERTEX_DW);
   union sim_grf *to =
      &s->thread.grf[vs->DispatchGRFStartRegisterForURBData + s->push_grfs];
   if (n < SIM_VS_LANES)
      memset(data, 0, have * sizeof(data[0]));
   if (!sim_vf_fetch(f, s->draw, v, n, &data[0][0], SIM_VS_LANES, 1))
      return false;
   const unsigned copied = have > offset ? MIN2(have - offset, length) : 0;
   memcpy(to, data[offset < have ? offset : 0], copied * SIM_GRF_B);
   if (fills_undefined(s))
      memset(to + copied, 0, (length - copied) * SIM_GRF_B);
   return true;
}

static void
trace(struct sim_front *f, unsigned first, unsigned n)
{
   struct trace_item item[SIM_VS_LANES];
   for (unsigned i = 0; i < n; i++) {
      const struct front_vertex *v = &f->vertex[first + i];
      item[i] =
         (struct trace_item) { { (int32_t)v->index, (int32_t)v->instance } };
   }
   front_shader_trace(f, &f->vs, f->state->vs.SIMD8DispatchEnable ? 1 : 4,
                      item, n);
}

static bool
run_simd8(struct sim_front *f, struct front_shader *s, unsigned first,
          unsigned n)
{
   const struct front_region *r = &f->vs_region;
   struct sim_eu_thread *t = front_shader_start(f, s, BITFIELD_MASK(n));
   for (unsigned i = 0; i < SIM_VS_LANES; i++)
      t->grf[1].ud[i] = front_handle(front_entry(r, first + MIN2(i, n - 1)));
   /* SKL PRM vol 2a, 3DSTATE_VS, "Dispatch GRF Start Register For URB
    * Data": of the constants, after which the vertices come. */
   front_shader_push(s, f->state->vs.DispatchGRFStartRegisterForURBData);
   if (!fill_vertex_data(f, s, &f->vertex[first], n))
      return false;
   if (sim_draw_is_traced(f->draw))
      trace(f, first, n);
   return front_shader_run(f, s);
}

/* The data of vertex `i` of a pair, four components a register. */
static bool
fill_half(const struct sim_front *f, const struct front_shader *s, unsigned i,
          const struct front_vertex *v, union sim_grf *to)
{
   const struct GEN9_3DSTATE_VS *vs = &f->state->vs;
   uint32_t data[MAX_VERTEX_DW];
   const unsigned offset = 8 * vs->VertexURBEntryReadOffset;
   const unsigned have = MIN2(f->vertex_dw, MAX_VERTEX_DW);
   if (!sim_vf_fetch(f, s->draw, v, 1, data, 1, 0))
      return false;
   for (unsigned k = 0; k < 8 * vs->VertexURBEntryReadLength; k++) {
      uint32_t *dw = &to[k / 4].ud[4 * i + k % 4];
      if (offset + k < have)
         *dw = data[offset + k];
      else if (fills_undefined(s))
         *dw = 0;
   }
   return true;
}

/* A single vertex leaves the upper four channels off; its handle is there
 * twice, as a message may read both. */
static bool
run_simd4x2(struct sim_front *f, struct front_shader *s, unsigned first,
            unsigned n)
{
   const struct front_region *r = &f->vs_region;
   struct sim_eu_thread *t = front_shader_start(f, s, n > 1 ? 0xff : 0x0f);
   union sim_grf *to = &t->grf[front_shader_push(
      s, f->state->vs.DispatchGRFStartRegisterForURBData)];
   for (unsigned i = 0; i < 2; i++) {
      const unsigned slot = first + MIN2(i, n - 1);
      t->grf[0].ud[i] = front_handle(front_entry(r, slot));
      if (!fill_half(f, s, i, &f->vertex[slot], to))
         return false;
   }
   if (sim_draw_is_traced(f->draw))
      trace(f, first, n);
   return front_shader_run(f, s);
}

static bool
run_threads(struct sim_front *f, struct front_shader *s, unsigned first,
            unsigned n)
{
   if (f->state->vs.SIMD8DispatchEnable)
      return run_simd8(f, s, first, n);
   for (unsigned i = 0; i < n; i += 2)
      if (!run_simd4x2(f, s, first + i, MIN2(n - i, 2)))
         return false;
   return true;
}

/* Without a shader: component after component is the entry. */
static bool
pass_through(struct sim_front *f)
{
   uint32_t data[MAX_VERTEX_DW];
   struct sim_thread_rules *rules =
      sim_strict_thread_rules(f->draw->gpu->strict);
   const unsigned size_dw = MIN2(f->vertex_dw, f->vs_region.entry_dw);
   sim_gpu_spend(f->draw->gpu, (uint64_t)(f->used - f->shaded) * size_dw);
   for (unsigned i = f->shaded; i < f->used; i++) {
      if (!sim_vf_fetch(f, f->draw, &f->vertex[i], 1, data, 1, 0))
         return false;
      const vue_ref to = front_entry(&f->vs_region, i);
      memcpy(front_vue(f, to), data, size_dw * 4);
      sim_shadow_urb_define(rules, to, size_dw * 4);
   }
   return true;
}

#define PART_VERTICES 64 /* a multiple of SIM_VS_LANES */

static bool
run_vertices(struct sim_front *f, struct front_shader *s, unsigned worker,
             unsigned first, unsigned end)
{
   struct sim_chaos *chaos = s->env.chaos;
   unsigned width = SIM_VS_LANES;
   /* Threads may start before they are full. */
   if (sim_chaos_has(chaos, SIM_CHAOS_ORDER))
      width = 1 + (unsigned)sim_chaos_below(chaos, SIM_VS_LANES);
   const unsigned groups = DIV_ROUND_UP(end - first, width);
   const struct sim_chaos_order order =
      sim_chaos_order(chaos, SIM_CHAOS_ORDER, groups);
   for (unsigned g = 0; g < groups; g++) {
      const unsigned i = first + (unsigned)sim_chaos_nth(&order, g) * width;
      if (!run_threads(f, s, f->shaded + i, MIN2(end - i, width)))
         return false;
   }
   return true;
}

bool
sim_vs_shade(struct sim_front *f)
{
   const unsigned n = f->used - f->shaded;
   if (!f->has_vs)
      return pass_through(f);
   if (f->state->vs.StatisticsEnable)
      f->counters.vs_invocations += n;
   const unsigned lanes = f->state->vs.SIMD8DispatchEnable ? SIM_VS_LANES : 2;
   return front_run(f, &(struct front_work) {
                          .fn = run_vertices,
                          .shader = &f->vs,
                          .num = n,
                          .part = PART_VERTICES,
                          .threads = n / lanes,
                       });
}
