/* SPDX-License-Identifier: MIT */
/*
 * What a pixel shader's thread finds in its registers (PRM SKL Vol. 7, "Pixel
 * Shader Thread Payload"), and where pixels are sampled.
 *
 * This file is built twice, for the baseline of the host and for AVX2, which
 * SIM_PS_PAYLOAD names; the former has all that is not for every thread.
 */
#include "places.h"

#ifndef SIM_PS_PAYLOAD
#define SIM_PS_PAYLOAD sim_ps_fill_payload
#define SIM_PS_BASELINE
#endif

#include "intel/sim/gen/traits.h"
#include "intel/sim/eu/shadow.h"

/* 3DSTATE_WM::BarycentricInterpolationMode, in payload order. */
#define BARYCENTRIC_MODES 6
#define MODE_IS_NONPERSPECTIVE(m) ((m) >= 3)
#define MODE_LOCATION(m) ((m) % 3)
enum location {
   LOCATION_PIXEL = 0,
   LOCATION_CENTROID = 1,
   LOCATION_SAMPLE = 2,
};

/* b1 and b2 as a kind of interpolation has them. */
SIM_PLACES_INLINE void
barycentric(const struct sim_setup *s, const struct sim_places *at,
            bool perspective, sim_v4df b[2])
{
   sim_places_weights(s, at, b);
   if (perspective && !s->affine) {
      const sim_v4df n1 = b[0] * s->inv_w[1], n2 = b[1] * s->inv_w[2];
      const sim_v4df d = (1.0 - b[0] - b[1]) * s->inv_w[0] + n1 + n2;
      b[0] = n1 / d;
      b[1] = n2 / d;
   }
   if (s->clipped) {
      const float(*o)[2] = s->original_b[!perspective];
      const sim_v4df b1 = b[0], b2 = b[1];
      for (unsigned i = 0; i < 2; i++)
         b[i] = (1.0 - b1 - b2) * (double)o[0][i] + b1 * (double)o[1][i] +
                b2 * (double)o[2][i];
   }
}

#ifdef SIM_PS_BASELINE
void
sim_ps_depths(const struct sim_raster *r, int x, int y,
              float z[SIM_MAX_SAMPLES])
{
   for (unsigned s = 0; s < r->num_samples; s += 4) {
      const int32_t *sx = &r->raster_x[s], *sy = &r->raster_y[s];
      struct sim_places at;
      for (unsigned i = 0; i < 4; i++) {
         at.x[i] = sim_to_px(x, sx[i]);
         at.y[i] = sim_to_px(y, sy[i]);
      }
      _mm_storeu_ps(&z[s], sim_to_floats(sim_places_depth(r, &at)));
   }
}
#endif

/* Where the quad's pixels are sampled; `sample` is -1 unless dispatch is per
 * sample. */
SIM_PLACES_INLINE struct sim_places
quad_places(const struct sim_raster *r, const struct sim_quad *q, int sample,
            enum location where)
{
   const unsigned all = BITFIELD_MASK(r->num_samples);
   if (where == LOCATION_SAMPLE)
      return sim_places_of_quad(q, r->sample_x[MAX2(sample, 0)],
                                r->sample_y[MAX2(sample, 0)]);
   struct sim_places at = sim_places_of_quad(q, r->centre, r->centre);
   for (unsigned i = 0; i < 4 && where == LOCATION_CENTROID; i++) {
      if (!q->coverage[i] || q->coverage[i] == all)
         continue;
      const int first = __builtin_ctz(q->coverage[i]);
      at.x[i] = sim_to_px(q->x + (int)(i & 1), r->sample_x[first]);
      at.y[i] = sim_to_px(q->y + (int)(i >> 1), r->sample_y[first]);
   }
   return at;
}

/*
 * Payload
 */

/* Channels in groups of up to 16, of which SIMD32 has two. */
struct payload {
   const struct sim_raster *r;
   union sim_grf *grf;
   const struct sim_quad *quad; /* of the group */
   const int *sample;
   unsigned num_quads, width; /* likewise */
   unsigned next;             /* register to fill */
};

/* PRM SKL Vol. 2a 3DSTATE_PS, "Scratch Space Base Pointer": threads that run
 * at once have a portion each, of the size that Per-Thread Scratch Space
 * says, and get in their header where it is. */
static uint32_t
scratch_pointer(const struct sim_raster *r)
{
   const uint32_t base = (uint32_t)r->state->ps.ScratchSpaceBasePointer;
   return base ? base + r->thread_number * r->env.scratch_per_thread_B : 0;
}

static void
fill_header(struct payload *p)
{
   const struct sim_raster *r = p->r;
   const struct sim_setup *s = r->setup;
   union sim_grf *r0 = &p->grf[0];
   memset(r0, 0, sizeof(*r0));
   r0->ud[0] = (s->viewport_index & 0xf) << 27 | (s->layer & 0x7ff) << 16 |
               (s->front_facing ? 0 : 1u << 15) | s->topology;
   r0->ud[1] = (uint32_t)r->state->cc_state_pointers.ColorCalcStatePointer;
   r0->ud[3] = (uint32_t)r->env.sampler_state_offset_B |
               r->state->ps.PerThreadScratchSpace;
   r0->ud[4] = r->env.binding_table_offset_B;
   r0->ud[5] = scratch_pointer(r) | r->thread_number;
   /* "Starting Sample Pair Index": see queue_pairs(). */
   if (sim_traits(r->env.verx10)->ps_sample_pairs && r->per_sample)
      r0->ud[0] |= (uint32_t)r->pending_sample[0] / 2 << 6;
   p->next = 1;
}

/* Where the quads of a group are, and its channels that count. */
static void
fill_positions(struct payload *p, uint32_t lit)
{
   union sim_grf *r1 = &p->grf[p->next++];
   memset(r1, 0, sizeof(*r1));
   for (unsigned i = 0; i < p->num_quads; i++) {
      const int id = MAX2(p->sample[i], 0);
      r1->ud[0] |= (uint32_t)id << (4 * i);
      r1->ud[2 + i] = (uint32_t)p->quad[i].y << 16 |
                      ((uint32_t)p->quad[i].x & 0xffff);
   }
   r1->ud[7] = lit | lit << 16;
}

/* Writes a float for each channel of a quad, in registers of eight. */
static void
put_quad(struct payload *p, unsigned reg, unsigned regs_between,
         unsigned quad, __m128 v)
{
   _mm_storeu_ps(&p->grf[reg + quad / 2 * regs_between].f[quad % 2 * 4], v);
}

static void
fill_barycentrics(struct payload *p)
{
   const struct sim_raster *r = p->r;
   const unsigned modes = r->state->wm.BarycentricInterpolationMode;
   for (unsigned m = 0; m < BARYCENTRIC_MODES; m++) {
      if (!(modes >> m & 1))
         continue;
      for (unsigned i = 0; i < p->num_quads; i++) {
         const struct sim_places at = quad_places(
            r, &p->quad[i], p->sample[i], (enum location)MODE_LOCATION(m));
         sim_v4df b[2];
         barycentric(r->setup, &at, !MODE_IS_NONPERSPECTIVE(m), b);
         put_quad(p, p->next, 2, i, sim_to_floats(b[0]));
         put_quad(p, p->next + 1, 2, i, sim_to_floats(b[1]));
      }
      p->next += p->width / 8 * 2;
   }
}

/* 3DSTATE_WM::PositionZWInterpolationMode */
static enum location
zw_location(const struct sim_raster *r)
{
   switch (r->state->wm.PositionZWInterpolationMode) {
   case 2: return LOCATION_CENTROID;
   case 3: return LOCATION_SAMPLE;
   default: return LOCATION_PIXEL;
   }
}

static void
fill_depth_and_w(struct payload *p)
{
   const struct sim_raster *r = p->r;
   const bool depth = r->state->ps_extra.PixelShaderUsesSourceDepth;
   const bool w = r->state->ps_extra.PixelShaderUsesSourceW;
   const unsigned regs = p->width / 8;
   for (unsigned i = 0; i < p->num_quads && (depth || w); i++) {
      const struct sim_places at =
         quad_places(r, &p->quad[i], p->sample[i], zw_location(r));
      if (depth) {
         const sim_v4df z = sim_places_value(r->setup, r->setup->z, &at);
         put_quad(p, p->next, 1, i, sim_to_floats(z));
      }
      if (w) {
         const sim_v4df inv =
            sim_places_value(r->setup, r->setup->inv_w, &at);
         put_quad(p, p->next + (depth ? regs : 0), 1, i,
                  sim_to_floats(1.0 / inv));
      }
   }
   p->next += regs * (unsigned)(depth + w);
}

/* 3DSTATE_PS::PositionXYOffsetSelect: offsets in 1/16 pixel, bytes x then y
 * for each quad's samples; one register. */
static void
fill_position_offsets(struct payload *p)
{
   const struct sim_raster *r = p->r;
   if (!r->state->ps.PositionXYOffsetSelect)
      return;
   union sim_grf *g = &p->grf[p->next++];
   memset(g, 0, sizeof(*g));
   for (unsigned c = 0; c < p->num_quads * 4; c++) {
      const enum location where = r->state->ps.PositionXYOffsetSelect == 2
                                     ? LOCATION_CENTROID
                                     : LOCATION_SAMPLE;
      const struct sim_quad *q = &p->quad[c / 4];
      const struct sim_places at = quad_places(r, q, p->sample[c / 4], where);
      const double x = at.x[c % 4] - q->x - (int)(c & 1);
      const double y = at.y[c % 4] - q->y - (int)(c >> 1 & 1);
      g->ub[2 * c] = (uint8_t)(x * 16.0);
      g->ub[2 * c + 1] = (uint8_t)(y * 16.0);
   }
}

/* PRM SKL vol 2d, "Input Coverage Mask State": with DEPTH_COVERAGE those that
 * the tests of depth and stencil left, which are then early; with
 * INNER_CONSERVATIVE all or none, as the pixel is covered as a whole. */
static uint32_t
input_coverage(const struct sim_raster *r, const struct sim_quad *q,
               unsigned pixel, uint32_t kind)
{
   if (kind == ICMS_DEPTH_COVERAGE)
      return q->lit[pixel];
   if (kind == ICMS_INNER_CONSERVATIVE &&
       !sim_scan_covers_pixel(r->setup, q->x + (int)(pixel & 1),
                              q->y + (int)(pixel >> 1)))
      return 0;
   return q->coverage[pixel];
}

static void
fill_input_coverage(struct payload *p)
{
   const uint32_t kind = p->r->state->ps_extra.InputCoverageMaskState;
   if (!kind)
      return;
   for (unsigned c = 0; c < p->num_quads * 4; c++) {
      const struct sim_quad *q = &p->quad[c / 4];
      const uint32_t mask = input_coverage(p->r, q, c % 4, kind) &
                            p->r->sample_mask;
      p->grf[p->next + c / 8].ud[c % 8] =
         sim_ps_slot_samples(mask, p->sample[c / 4]);
   }
   p->next += p->width / 8;
}

/* Takes what vertices left undefined out of the planes from `grf` on. */
static void
unfill_planes(struct payload *p, unsigned grf)
{
   const struct sim_raster *r = p->r;
   for (unsigned c = 0; c < 4 * r->num_attributes; c++) {
      if (!(r->setup->attr_undefined[c / 8] >> c % 8 & 1))
         continue;
      for (unsigned i = 0; i < 4; i++) {
         if (i != 2)
            sim_shadow_unfill(r->env.rules, p->grf, grf + c / 2,
                              c % 2 * 4 + i);
      }
   }
}

/* Push constants, then the planes of the attributes: two registers each. */
static bool
fill_constants_and_planes(struct payload *p, unsigned grf)
{
   const struct sim_raster *r = p->r;
   if (grf < p->next ||
       grf + r->push_grf + 2 * r->num_attributes > SIM_GRF_COUNT) {
      sim_draw_fault(r->draw,
                     "3DSTATE_PS: dispatch GRF start register %u: the "
                     "payload before it ends at %u, %u registers follow",
                     grf, p->next, r->push_grf + 2 * r->num_attributes);
      return false;
   }
   if (r->push_grf)
      memcpy(&p->grf[grf], r->push, (size_t)r->push_grf * SIM_GRF_B);
   grf += r->push_grf;
   static_assert(sizeof(r->setup->attr[0]) == 2 * SIM_GRF_B,
                 "as in the payload");
   memcpy(&p->grf[grf], r->setup->attr,
          r->num_attributes * sizeof(r->setup->attr[0]));
   if (__builtin_expect(r->env.rules != NULL, 0))
      unfill_planes(p, grf);
   return true;
}

/* Group after group of what differs by channel; then what does not. */
bool
SIM_PS_PAYLOAD(const struct sim_raster *r, union sim_grf *grf, unsigned width,
               unsigned num_quads, uint32_t lit, unsigned start_grf)
{
   const unsigned groups = width == 32 ? 2 : 1;
   struct payload p = { .r = r, .grf = grf, .width = MIN2(width, 16u) };
   fill_header(&p);
   for (unsigned pass = 0; pass < 2; pass++) {
      for (unsigned i = 0; i < groups; i++) {
         p.quad = r->pending + 4 * i;
         p.sample = r->pending_sample + 4 * i;
         p.num_quads = num_quads > 4 * i ? MIN2(num_quads - 4 * i, 4u) : 0;
         if (pass == 0) {
            fill_positions(&p, lit >> 16 * i & 0xffff);
            continue;
         }
         fill_barycentrics(&p);
         fill_depth_and_w(&p);
         fill_position_offsets(&p);
         fill_input_coverage(&p);
      }
   }
   return fill_constants_and_planes(&p, start_grf);
}

#ifdef SIM_PS_BASELINE
/*
 * The pixel interpolator
 */

static void
interp_barycentric(struct sim_eu_thread *t, unsigned lane, int sample,
                   float dx, float dy, bool perspective, float out[2])
{
   const struct sim_ps_thread *u = t->user;
   const struct sim_raster *r = u->r;
   out[0] = out[1] = 0.0f;
   if (lane / 4 >= u->num_quads)
      return;
   const struct sim_quad *q = &u->quad[lane / 4];
   const int n = (int)r->num_samples;
   const enum location where = sample >= 0    ? LOCATION_SAMPLE
                               : sample == -2 ? LOCATION_CENTROID
                                              : LOCATION_PIXEL;
   struct sim_places at =
      quad_places(r, q, sample >= 0 ? sample % n : -1, where);
   if (where == LOCATION_PIXEL) {
      at.x += dx;
      at.y += dy;
   }
   sim_v4df b[2];
   barycentric(r->setup, &at, perspective, b);
   for (unsigned i = 0; i < 2; i++)
      out[i] = (float)b[i][lane % 4];
}

const struct sim_eu_interp sim_ps_interp = { interp_barycentric };
#endif
