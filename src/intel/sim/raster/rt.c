/* SPDX-License-Identifier: MIT */
/*
 * Render target messages (PRM SKL Vol. 7, "Render Target Write", "Render
 * Target Read"): what a pixel shader thread sends to the render cache, SFID
 * 5.
 *
 * For each channel: alpha to coverage and oMask reduce the samples, late
 * depth and stencil tests follow where ps.c decided so, and what is left is
 * blended into the target that the binding table names.
 */
#include "intel/sim/gpu/gpu.h"
#include "intel/sim/gpu/memory_state.h"
#include "intel/sim/mem/watch.h"
#include "intel/sim/msg/surface_cache.h"
#include "rt_private.h"

#include "util/half.h"

#include <xmmintrin.h>

/*
 * Decoding
 */

static void
watch_target(const struct sim_watch *w, const struct sim_surface *s)
{
   sim_watch_surface(w, SIM_CLIENT_TARGET, s->address, s->aux.mode);
   if (s->aux.mode == SIM_AUX_CCS)
      sim_watch_levels(w, SIM_CLIENT_TARGET, s->address, s->target_level, 1);
}

static struct sim_render_target *
get_target(struct sim_eu_thread *t, struct sim_raster *r, unsigned bti)
{
   if (bti >= SIM_MAX_RTS) {
      sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                   "render target write to binding table index %u: only %u "
                   "are implemented",
                   bti, SIM_MAX_RTS);
      return NULL;
   }
   struct sim_render_target *rt = &r->rt[bti];
   if (rt->valid)
      return rt;

   const struct sim_surface *s = sim_surface_get(t, bti);
   if (!s)
      return NULL;
   rt->surface = *s;
   rt->null = s->type == SIM_SURFACE_NULL;
   rt->valid = true;
   if (rt->null)
      return rt;
   if (s->type > SIM_SURFACE_CUBE || !sim_format_can_pack(s->format)) {
      sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                   "render target %u: surface type %u of format %s", bti,
                   s->type, s->format_name);
      return NULL;
   }
   if (s->num_samples != r->target_samples) {
      sim_eu_fault(t, SIM_FAULT_MESSAGE,
                   "render target %u has %u samples, 3DSTATE_MULTISAMPLE %u",
                   bti, s->num_samples, r->target_samples);
      return NULL;
   }
   if (t->mem && t->mem->watch)
      watch_target(t->mem->watch, s);
   rt->integer = sim_format_is_integer(s->format);
   rt->quads = sim_rt_has_quads(s);
   rt->eights = rt->quads && s->element_B == 4 &&
                sim_format_quad_layout(s->format) &&
                __builtin_cpu_supports("avx2") &&
                __builtin_cpu_supports("fma");
   rt->width = MAX2(s->width >> s->target_level, 1u);
   rt->height = MAX2(s->height >> s->target_level, 1u);
   return rt;
}

static bool
begin_blend(struct sim_raster *r)
{
   const struct sim_render_state *s = r->state;
   uint32_t dw[6];
   if (s->blend_state_pointers.BlendStatePointerValid) {
      const uint64_t at = s->blend_state_pointers.BlendStatePointer;
      if (!sim_draw_read_dynamic(r->draw, at, dw, 8, "BLEND_STATE"))
         return false;
      sim_unpack_blend_state(r->draw->gpu->verx10, dw, &r->blend_state);
      r->blend_state_valid = true;
      /* PRM SKL Vol. 7 "Alpha Coverage": off, whatever the state says, for a
       * shader that writes oMask. */
      r->alpha_covers = r->blend_state.AlphaToCoverageEnable &&
                        !s->ps_extra.oMaskPresenttoRenderTarget &&
                        !s->ps_extra.PixelShaderDisablesAlphaToCoverage;
      r->alpha_decides = r->alpha_covers || r->blend_state.AlphaTestEnable;
   }
   if (s->cc_state_pointers.ColorCalcStatePointerValid) {
      struct GEN9_COLOR_CALC_STATE cc;
      const uint64_t at = s->cc_state_pointers.ColorCalcStatePointer;
      if (!sim_draw_read_dynamic(r->draw, at, dw, 6 * 4, "COLOR_CALC_STATE"))
         return false;
      GEN9_COLOR_CALC_STATE_unpack(dw, &cc);
      r->color_calc = cc;
      r->blend_constant[0] = cc.BlendConstantColorRed;
      r->blend_constant[1] = cc.BlendConstantColorGreen;
      r->blend_constant[2] = cc.BlendConstantColorBlue;
      r->blend_constant[3] = cc.BlendConstantColorAlpha;
   }
   return true;
}

bool
sim_rt_begin(struct sim_raster *r)
{
   return begin_blend(r);
}

/*
 * The message
 */

bool
sim_rt_fault(struct sim_eu_thread *t, const char *why)
{
   return sim_eu_fault(t, SIM_FAULT_MESSAGE, "render target write: %s", why);
}

static bool
parse_payload(struct sim_eu_thread *t, const struct sim_message *m,
              const struct sim_raster *r, struct sim_rt_payload *p)
{
   const struct isa_message *f = m->fields;
   const unsigned kind = f->rt_kind;
   memset(p, 0xff, sizeof(*p));
   p->width = kind == ISA_RT_SIMD16 || kind == ISA_RT_SIMD16_REPLICATED ? 16
                                                                        : 8;
   p->first_slot = (kind == ISA_RT_SIMD8_DUAL_HIGH ? 8 : 0) +
                   (f->slots_high ? 16 : 0);
   p->half = f->half;
   p->dual = kind == ISA_RT_SIMD8_DUAL_LOW || kind == ISA_RT_SIMD8_DUAL_HIGH;
   p->replicated = kind == ISA_RT_SIMD16_REPLICATED;
   p->rt_index = 0;
   if (kind > ISA_RT_SIMD8)
      return sim_rt_fault(t, "unknown message type");
   if (p->half && p->replicated)
      return sim_rt_fault(t, "half precision, replicated");

   const int regs = (int)p->width / 8;
   const int color_regs = p->replicated ? 1 : p->half ? 4 : 4 * regs;
   int next = 0;
   bool src0_alpha = false, stencil = false;
   if (m->header) {
      const union sim_grf *h = sim_message_payload(m, 0);
      if (!h)
         return sim_rt_fault(t, "no room for the header");
      src0_alpha =
         ISA_HDR_GET(RT_SRC0_ALPHA, h->ud[ISA_HDR_RT_SRC0_ALPHA_DW]);
      stencil = ISA_HDR_GET(RT_STENCIL, h->ud[ISA_HDR_RT_STENCIL_DW]);
      p->rt_index = ISA_HDR_GET(RT_INDEX, h->ud[ISA_HDR_RT_INDEX_DW]);
      next = 2;
   }
   if (src0_alpha) {
      p->src0_alpha = next;
      next += p->half ? 1 : regs;
   }
   if (r->state->ps_extra.oMaskPresenttoRenderTarget)
      p->omask = next++;
   p->color = next;
   next += color_regs;
   if (p->dual) {
      p->color1 = next;
      next += color_regs;
   }
   if (r->state->ps_extra.PixelShaderComputedDepthMode) {
      p->depth = next;
      next += regs;
   }
   if (r->state->ps_extra.PixelShaderComputesStencil) {
      if (m->header && !stencil)
         return sim_rt_fault(t, "the header does not say that stencil "
                                "follows");
      if (p->width != 8)
         return sim_rt_fault(t, "computed stencil is for SIMD8 only");
      p->stencil = next++; /* a byte for each channel */
   }
   if (next != m->mlen + m->ex_mlen) {
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "render target write: %d registers make the "
                          "payload, the message has %d",
                          next, m->mlen + m->ex_mlen);
   }
   return true;
}

/* Dword of channel `c` in the payload part at register `reg`. */
static uint32_t
channel_ud(const struct sim_message *m, int reg, unsigned c)
{
   const union sim_grf *g = sim_message_payload(m, (unsigned)reg + c / 8);
   return g->ud[c % 8];
}

/* Half precision: a register for each component, whatever the width. */
static float
channel_half(const struct sim_message *m, int reg, unsigned c)
{
   return util_half_to_float(sim_message_payload(m, (unsigned)reg)->uw[c]);
}

static void
channel_color(const struct sim_message *m, const struct sim_rt_payload *p,
              int first, unsigned c, uint32_t rgba[4])
{
   for (unsigned i = 0; i < 4; i++) {
      if (p->half) {
         rgba[i] = util_float_bits(channel_half(m, first + (int)i, c));
         continue;
      }
      rgba[i] = p->replicated
                   ? sim_message_payload(m, (unsigned)first)->ud[i]
                   : channel_ud(m, first + (int)(i * p->width / 8), c);
   }
}

/* Samples that alpha lets through: the first alpha * n of them. The manual
 * leaves the pattern to the hardware. */
static uint32_t
alpha_coverage(const struct sim_raster *r, float alpha)
{
   const float n = (float)r->num_samples;
   const float a = alpha > 0.0f ? MIN2(alpha, 1.0f) : 0.0f;
   return BITFIELD_MASK((unsigned)(a * n + 0.5f));
}

/* Depth for each sample of a pixel when the tests come late. */
static uint32_t
test_late(struct sim_raster *r, const struct sim_message *m,
          const struct sim_rt_payload *p, unsigned c, int x, int y,
          uint32_t mask)
{
   if (!sim_zs_active(r))
      return mask;
   float z[SIM_MAX_SAMPLES];
   if (sim_zs_uses_depth(r) && p->depth < 0)
      sim_ps_depths(r, x, y, z);
   for (unsigned s = 0; s < r->num_samples && p->depth >= 0; s++) {
      const struct sim_raster_viewport *vp =
         &r->viewport[r->setup->viewport_index];
      const float d = util_bits_float(channel_ud(m, p->depth, c));
      z[s] = !(d >= vp->min_depth) ? vp->min_depth : MIN2(d, vp->max_depth);
   }
   const int ref = p->stencil >= 0
                      ? sim_message_payload(m, (unsigned)p->stencil)->ub[c]
                      : SIM_ZS_STATE_REF;
   return sim_zs_test(r, x, y, mask, z, r->setup->front_facing, ref);
}

static bool
compares(unsigned func, bool less, bool equal, bool greater)
{
   switch (func) {
   case COMPAREFUNCTION_NEVER: return false;
   case COMPAREFUNCTION_LESS: return less;
   case COMPAREFUNCTION_EQUAL: return equal;
   case COMPAREFUNCTION_LEQUAL: return less || equal;
   case COMPAREFUNCTION_GREATER: return greater;
   case COMPAREFUNCTION_NOTEQUAL: return !equal;
   case COMPAREFUNCTION_GEQUAL: return greater || equal;
   default: return true; /* COMPAREFUNCTION_ALWAYS */
   }
}

/* PRM SKL Vol. 7 "Alpha Test": alpha against the reference value, both as
 * floats or, rounded, as UNORM8. */
static bool
alpha_test(const struct sim_raster *r, float alpha)
{
   const struct GEN9_COLOR_CALC_STATE *cc = &r->color_calc;
   const unsigned func = r->blend_state.AlphaTestFunction;
   if (cc->AlphaTestFormat == ALPHATEST_FLOAT32) {
      const float ref = util_bits_float(cc->AlphaReferenceValueAsUNORM8);
      return compares(func, alpha<ref, alpha == ref, alpha> ref);
   }
   const float clamped = alpha > 0 ? MIN2(alpha, 1.0f) : 0;
   const unsigned a = (unsigned)lrintf(clamped * 255);
   const unsigned ref = cc->AlphaReferenceValueAsUNORM8 & 0xff;
   return compares(func, a<ref, a == ref, a> ref);
}

/* The alpha of render target 0, which decides for all. */
static float
source_alpha(const struct sim_message *m, const struct sim_rt_payload *p,
             unsigned c)
{
   const int alpha = p->color + (int)(3 * p->width / 8);
   if (p->half)
      return channel_half(
         m, p->src0_alpha >= 0 ? p->src0_alpha : p->color + 3, c);
   if (p->src0_alpha >= 0)
      return util_bits_float(channel_ud(m, p->src0_alpha, c));
   if (p->replicated)
      return util_bits_float(
         sim_message_payload(m, (unsigned)p->color)->ud[3]);
   return util_bits_float(channel_ud(m, alpha, c));
}

uint32_t
sim_rt_channel_samples(struct sim_raster *r, const struct sim_message *m,
                       const struct sim_rt_payload *p,
                       struct sim_ps_thread *u, unsigned c)
{
   const unsigned slot = p->first_slot + c;
   const struct sim_quad *q = &u->quad[slot / 4];
   const int sample = u->sample[slot / 4];
   if (u->tested >> slot & 1)
      return u->passed[slot];

   uint32_t mask = q->lit[slot % 4];
   if (sample >= 0)
      mask &= 1u << sample;
   if (p->omask >= 0) {
      const union sim_grf *g = sim_message_payload(m, (unsigned)p->omask);
      mask &= g->uw[slot & 15];
   }
   if (r->alpha_decides) {
      const float alpha = source_alpha(m, p, c);
      if (r->alpha_covers)
         mask &= alpha_coverage(r, alpha);
      if (r->blend_state.AlphaTestEnable && !alpha_test(r, alpha))
         mask = 0;
   }
   if (mask && !r->early_tests) {
      mask = test_late(r, m, p, c, q->x + (int)(slot & 1),
                       q->y + (int)(slot >> 1 & 1), mask);
      r->depth_count += sim_count_samples(mask);
   }
   u->tested |= 1u << slot;
   u->passed[slot] = (uint16_t)mask;
   return mask;
}

/*
 * A pixel of a surface with MCS: the samples' colours as they are, those in
 * `samples` blended, and all of them written back, equal ones to one plane.
 */
static bool
write_compressed(struct sim_raster *r, struct sim_eu_thread *t,
                 const struct sim_render_target *rt, unsigned rt_index,
                 uint32_t x, uint32_t y, uint32_t samples,
                 const uint32_t src0[4], const uint32_t src1[4])
{
   const struct sim_surface *s = &rt->surface;
   const uint32_t slice = s->first_slice + r->setup->layer;
   const unsigned n = s->num_samples;
   uint8_t texel[SIM_MCS_MAX_SAMPLES][16], plane[SIM_MCS_MAX_SAMPLES];
   uint64_t word;
   if (!sim_mcs_read(s, r->mem, x, y, slice, &word))
      return sim_eu_fault_memory(t, -1, r->mem->fault.address, "MCS");
   const bool clear = sim_mcs_is_clear(n, word);
   for (unsigned i = 0; i < n; i++) {
      const unsigned from = clear ? 0 : sim_mcs_plane(n, word, i);
      const uint64_t at =
         sim_surface_element_address(s, s->target_level, x, y, slice, from);
      const void *p =
         clear ? s->aux.clear_texel
               : sim_mem_ptr(r->mem, at, s->element_B, SIM_MEM_READ);
      if (!p)
         return sim_eu_fault_memory(t, -1, at, "render target");
      if (!clear)
         sim_mem_note(r->mem, SIM_CLIENT_TARGET, at, s->element_B,
                      SIM_MEM_READ);
      memcpy(texel[i], p, s->element_B);
   }
   while (samples) {
      const unsigned i = (unsigned)u_bit_scan(&samples);
      sim_blend_pixel(r, rt, rt_index, texel[i], src0, src1);
   }
   unsigned planes = 0;
   for (unsigned i = 0; i < n; i++) {
      unsigned same = 0;
      while (memcmp(texel[same], texel[i], s->element_B))
         same++;
      plane[i] = same < i ? plane[same] : (uint8_t)planes;
      if (same < i)
         continue;
      const uint64_t at = sim_surface_element_address(s, s->target_level, x,
                                                      y, slice, planes++);
      sim_mem_note(r->mem, SIM_CLIENT_TARGET, at, s->element_B,
                   SIM_MEM_WRITE);
      if (!sim_mem_write(r->mem, at, texel[i], s->element_B))
         return sim_eu_fault_memory(t, -1, at, "render target");
   }
   if (!sim_mcs_write(s, r->mem, x, y, slice, sim_mcs_encode(n, plane)))
      return sim_eu_fault_memory(t, -1, r->mem->fault.address, "MCS");
   return true;
}

static bool
aux_operation(struct sim_raster *r, struct sim_eu_thread *t,
              const struct sim_surface *s, uint32_t x, uint32_t y)
{
   const uint32_t slice = s->first_slice + r->setup->layer;
   const bool clears = r->state->ps.RenderTargetFastClearEnable;
   if (s->aux.mode != SIM_AUX_CCS && !(clears && s->aux.mode == SIM_AUX_MCS))
      return sim_rt_fault(t, "a fast clear or resolve of a surface without "
                             "the auxiliary surface for it");
   const bool ok =
      clears ? sim_aux_fast_clear(s, r->mem, s->target_level, x, y, slice)
             : sim_aux_resolve(s, r->mem, s->target_level, x, y, slice);
   return ok || sim_eu_fault_memory(t, -1, r->mem->fault.address,
                                    "auxiliary surface");
}

static bool
write_pixel(struct sim_raster *r, struct sim_eu_thread *t,
            const struct sim_render_target *rt, unsigned rt_index, int x,
            int y, uint32_t samples, const uint32_t src0[4],
            const uint32_t src1[4])
{
   const struct sim_surface *surface = &rt->surface;
   if (x < 0 || y < 0 || (unsigned)x >= rt->width ||
       (unsigned)y >= rt->height || r->setup->layer >= surface->view_extent)
      return true;
   if (sim_raster_aux_operation(r))
      return aux_operation(r, t, surface, (uint32_t)x, (uint32_t)y);
   if (surface->aux.mode == SIM_AUX_MCS)
      return write_compressed(r, t, rt, rt_index, (uint32_t)x, (uint32_t)y,
                              samples, src0, src1);
   if (surface->aux.mode == SIM_AUX_CCS &&
       !sim_ccs_expand(surface, r->mem, surface->target_level, (uint32_t)x,
                       (uint32_t)y, surface->first_slice + r->setup->layer))
      return sim_eu_fault_memory(t, -1, r->mem->fault.address, "CCS");
   while (samples) {
      const unsigned s = (unsigned)u_bit_scan(&samples);
      const uint64_t at = sim_surface_element_address(
         surface, surface->target_level, (uint32_t)x, (uint32_t)y,
         surface->first_slice + r->setup->layer, s);
      uint8_t *pixel =
         sim_mem_ptr(r->mem, at, surface->element_B, SIM_MEM_WRITE);
      if (!pixel)
         return sim_eu_fault_memory(t, -1, at, "render target");
      sim_mem_note(r->mem, SIM_CLIENT_TARGET, at, surface->element_B,
                   SIM_MEM_WRITE);
      sim_blend_pixel(r, rt, rt_index, pixel, src0, src1);
   }
   return true;
}

/* The entry of a render target, read when it is first written: drivers make
 * the array as long as they have targets. */
static bool
load_blend_entry(struct sim_eu_thread *t, struct sim_raster *r, unsigned i)
{
   if (!r->blend_state_valid || r->blend_entries_loaded >> i & 1)
      return true;
   uint32_t dw[2];
   const unsigned verx10 = r->draw->gpu->verx10;
   const uint64_t at = r->state->blend_state_pointers.BlendStatePointer +
                       sim_blend_entry_offset_B(verx10, i);
   if (!sim_draw_read_dynamic(r->draw, at, dw, sizeof(dw), "BLEND_STATE"))
      return sim_rt_fault(t, "no BLEND_STATE for the render target");
   sim_unpack_blend_entry(verx10, dw, &r->blend[i]);
   r->blend_entries_loaded |= 1u << i;
   return true;
}

/* What the target has at a slot of the thread; zeros outside of it. */
static bool
read_pixel(struct sim_raster *r, struct sim_eu_thread *t,
           const struct sim_render_target *rt, unsigned slot, bool per_sample,
           uint32_t rgba[4])
{
   const struct sim_ps_thread *u = t->user;
   const struct sim_quad *q = &u->quad[slot / 4];
   const struct sim_surface *s = &rt->surface;
   const int x = q->x + (int)(slot & 1), y = q->y + (int)(slot >> 1 & 1);
   const unsigned sample = per_sample ? (unsigned)MAX2(u->sample[slot / 4], 0)
                                      : 0;
   if (x < 0 || y < 0 || (unsigned)x >= rt->width ||
       (unsigned)y >= rt->height || r->setup->layer >= s->view_extent)
      return true;
   if (sim_surface_read_sample(s, r->mem, s->target_level, (uint32_t)x,
                               (uint32_t)y, s->first_slice + r->setup->layer,
                               sample, rgba))
      return true;
   return sim_eu_fault_memory(t, (int)slot, r->mem->fault.address,
                              "render target read");
}

/* The header only says where, which we know. */
static bool
rt_read(struct sim_eu_thread *t, const struct sim_message *m)
{
   const struct sim_ps_thread *u = t->user;
   struct sim_raster *r = u->r;
   const unsigned width = m->fields->simd;
   const unsigned first = m->fields->slots_high ? 16 : 0;
   const bool per_sample = m->fields->per_sample;
   const unsigned regs = width / 8;
   const struct sim_render_target *rt = get_target(t, r, m->fields->bti);
   if (!rt)
      return false;
   if (width != 8 && width != 16)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "render target read: SIMD "
                          "mode %u is reserved",
                          width & 7);
   if (m->rlen != 4 * regs || !m->dst)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "render target read: a "
                          "response of %u registers, not %u",
                          m->rlen, 4 * regs);
   uint32_t channels = m->exec_mask & BITFIELD_MASK(width);
   while (channels) {
      const unsigned c = (unsigned)u_bit_scan(&channels);
      const unsigned slot = first + m->group % 16 + c;
      uint32_t rgba[4] = { 0 };
      if (!rt->null && slot / 4 < u->num_quads &&
          !read_pixel(r, t, rt, slot, per_sample, rgba))
         return false;
      for (unsigned i = 0; i < 4; i++)
         m->dst[i * regs + c / 8].ud[c % 8] = rgba[i];
   }
   return true;
}

/* The pixel that is looked at was to be shaded, and the thread leaves it
 * out. */
static void
check_for_discards(struct sim_raster *r, const struct sim_ps_thread *u,
                   uint32_t left, const struct sim_rt_payload *p)
{
   left &= BITFIELD_MASK(p->width);
   while (left) {
      const unsigned slot = p->first_slot + (unsigned)u_bit_scan(&left);
      const struct sim_quad *q = &u->quad[slot / 4];
      if (slot / 4 < u->num_quads &&
          sim_looks_at(r, q->x + (int)(slot & 1),
                       q->y + (int)(slot >> 1 & 1)))
         sim_look_left(r, TRACE_PIXEL_DISCARDED);
   }
}

/* Where the colour of channel `c` is: dwords of the register file. */
static void
find_components(const struct sim_eu_thread *t, const struct sim_message *m,
                const struct sim_rt_payload *p, unsigned c, uint32_t dword[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const unsigned at = p->replicated ? i
                          : p->half     ? 8 * i + c / 2
                                        : i * p->width + c;
      const union sim_grf *reg =
         sim_message_payload(m, (unsigned)p->color + at / 8);
      dword[i] = (uint32_t)(8 * (reg - t->grf)) + at % 8;
   }
}

static bool
rt_write(struct sim_eu_thread *t, const struct sim_message *m)
{
   struct sim_ps_thread *u = t->user;
   struct sim_raster *r = u->r;
   struct sim_rt_payload p;
   if (!parse_payload(t, m, r, &p))
      return false;
   struct sim_render_target *rt = get_target(t, r, m->fields->bti);
   if (!rt || (!rt->null && !load_blend_entry(t, r, p.rt_index)))
      return false;

   uint32_t lit = t->sample_mask >> p.first_slot;
   if (m->header)
      lit &= ISA_HDR_GET(
                RT_PIXELS,
                sim_message_payload(m, 1)->ud[ISA_HDR_RT_PIXELS_DW - 8]) >>
             (p.first_slot & 8);
   uint32_t channels = m->exec_mask & lit & BITFIELD_MASK(p.width);
   if (__builtin_expect(t->shadow != NULL, 0) && !rt->null && !p.half &&
       !sim_rt_check_colors(r, t, m, (unsigned)p.color, rt, p.rt_index,
                            channels))
      return false;
   if (__builtin_expect(r->looks, 0))
      check_for_discards(r, u, lit & ~channels, &p);
   else if (sim_rt_by_quads(r, rt, &p))
      return sim_rt_write_quads(r, t, m, &p, rt, channels);
   while (channels) {
      const unsigned c = (unsigned)u_bit_scan(&channels);
      const unsigned slot = p.first_slot + c;
      uint32_t samples = sim_rt_channel_samples(r, m, &p, u, c);
      if (samples && r->target_samples < r->num_samples)
         samples = 1;
      if (r->draw->faulted)
         return sim_rt_fault(t, "depth or stencil buffer");
      const struct sim_quad *q = &u->quad[slot / 4];
      const bool looks =
         sim_looks_at(r, q->x + (int)(slot & 1), q->y + (int)(slot >> 1 & 1));
      if (looks && !samples)
         sim_look_left(r, TRACE_PIXEL_MASKED);
      if (!samples || rt->null)
         continue;
      uint32_t src0[4], src1[4] = { 0 };
      channel_color(m, &p, p.color, c, src0);
      if (r->setup->antialias && !rt->integer)
         src0[3] =
            util_float_bits(util_bits_float(src0[3]) * q->alpha[slot % 4]);
      if (p.dual)
         channel_color(m, &p, p.color1, c, src1);
      struct trace_pixel look;
      if (looks) {
         sim_look_before(r, rt, samples, src0, &look);
         find_components(t, m, &p, c, look.component);
      }
      if (!write_pixel(r, t, rt, p.rt_index, q->x + (int)(slot & 1),
                       q->y + (int)(slot >> 1 & 1), samples, src0, src1))
         return false;
      if (looks)
         sim_look_after(r, rt, &look);
   }
   return true;
}

bool
sim_rt_write(struct sim_eu_thread *t, const struct sim_message *m)
{
   if (m->fields->msg == ISA_MSG_RT_READ)
      return rt_read(t, m);
   /* The EU's rounding and denormal modes are not the pixel backend's. */
   const unsigned saved = _mm_getcsr();
   _mm_setcsr(0x1f80);
   const bool ok = rt_write(t, m);
   _mm_setcsr(saved);
   return ok;
}
