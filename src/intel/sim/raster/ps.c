/* SPDX-License-Identifier: MIT */
/*
 * Pixel shader dispatch: early tests, thread payload, running the thread
 * (PRM SKL Vol. 7, "Pixel Shader Thread Payload").
 *
 * Quads of one primitive are gathered until a thread of the widest program is
 * full (SIMD32: eight quads, SIMD16: four, SIMD8: two), and run at the latest
 * at the primitive's end. With per-sample dispatch a quad takes one place for
 * each sample.
 */
#include "raster_private.h"
#include "intel/sim/chaos/chaos.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/strict/shadow.h"

/* 3DSTATE_WM::BarycentricInterpolationMode, in payload order. */
#define BARYCENTRIC_MODES 6
#define MODE_IS_NONPERSPECTIVE(m) ((m) >= 3)
#define MODE_LOCATION(m) ((m) % 3)
enum location {
   LOCATION_PIXEL = 0,
   LOCATION_CENTROID = 1,
   LOCATION_SAMPLE = 2,
};

void
sim_ps_barycentric(const struct sim_setup *s, double x_px, double y_px,
                   bool perspective, float out[2])
{
   double b[2];
   for (unsigned i = 0; i < 2; i++)
      b[i] = s->b_c[i] + x_px * s->b_x[i] + y_px * s->b_y[i];
   if (perspective && !s->affine) {
      const double n1 = b[0] * s->inv_w[1], n2 = b[1] * s->inv_w[2];
      const double d = (1.0 - b[0] - b[1]) * s->inv_w[0] + n1 + n2;
      b[0] = n1 / d;
      b[1] = n2 / d;
   }
   if (s->clipped) {
      const float(*o)[2] = s->original_b[!perspective];
      const double b1 = b[0], b2 = b[1];
      for (unsigned i = 0; i < 2; i++)
         b[i] = (1.0 - b1 - b2) * (double)o[0][i] + b1 * (double)o[1][i] +
                b2 * (double)o[2][i];
   }
   out[0] = (float)b[0];
   out[1] = (float)b[1];
}

static double
plane_at(const struct sim_setup *s, const double v[3], double x, double y)
{
   const double b1 = s->b_c[0] + x * s->b_x[0] + y * s->b_y[0];
   const double b2 = s->b_c[1] + x * s->b_x[1] + y * s->b_y[1];
   return v[0] + b1 * (v[1] - v[0]) + b2 * (v[2] - v[0]);
}

/* Depth of the primitive, clamped as the colour calculator does. */
double
sim_ps_depth(const struct sim_raster *r, double x_px, double y_px)
{
   const struct sim_raster_viewport *vp =
      &r->viewport[r->setup->viewport_index];
   const double z = plane_at(r->setup, r->setup->z, x_px, y_px);
   if (!(z >= (double)vp->min_depth))
      return vp->min_depth;
   return MIN2(z, (double)vp->max_depth);
}

static double
to_px(int pixel, int32_t fixed)
{
   return pixel + fixed * (1.0 / SIM_SUBPIXEL_ONE);
}

/* Where a pixel is sampled for a barycentric mode; `sample` is -1 unless
 * dispatch is per sample. */
static void
sample_location(const struct sim_raster *r, const struct sim_quad *q,
                unsigned pixel, int sample, enum location where, double *x,
                double *y)
{
   int32_t sx = r->centre, sy = r->centre;
   const unsigned all = BITFIELD_MASK(r->num_samples);
   if (where == LOCATION_SAMPLE) {
      sx = r->sample_x[MAX2(sample, 0)];
      sy = r->sample_y[MAX2(sample, 0)];
   } else if (where == LOCATION_CENTROID && q->coverage[pixel] &&
              q->coverage[pixel] != all) {
      const int first = __builtin_ctz(q->coverage[pixel]);
      sx = r->sample_x[first];
      sy = r->sample_y[first];
   }
   *x = to_px(q->x + (int)(pixel & 1), sx);
   *y = to_px(q->y + (int)(pixel >> 1), sy);
}

/*
 * Payload
 */

/* Channels in groups of up to 16, of which SIMD32 has two. */
struct payload {
   struct sim_raster *r;
   union sim_grf *grf;
   const struct sim_quad *quad; /* of the group */
   const int *sample;
   unsigned num_quads, width; /* likewise */
   unsigned next;             /* register to fill */
};

/* Samples of a pixel that this slot of the thread stands for. */
static uint32_t
slot_samples(uint32_t mask, int sample)
{
   return sample < 0 ? mask : mask & (1u << sample);
}

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

/* Writes one float for each channel, in registers of eight. */
static void
put_channel(struct payload *p, unsigned reg, unsigned regs_between,
            unsigned channel, float v)
{
   p->grf[reg + channel / 8 * regs_between].f[channel % 8] = v;
}

static void
fill_barycentrics(struct payload *p)
{
   const struct sim_raster *r = p->r;
   const unsigned modes = r->state->wm.BarycentricInterpolationMode;
   for (unsigned m = 0; m < BARYCENTRIC_MODES; m++) {
      if (!(modes >> m & 1))
         continue;
      for (unsigned c = 0; c < p->num_quads * 4; c++) {
         double x, y;
         float b[2];
         sample_location(r, &p->quad[c / 4], c % 4, p->sample[c / 4],
                         (enum location)MODE_LOCATION(m), &x, &y);
         sim_ps_barycentric(r->setup, x, y, !MODE_IS_NONPERSPECTIVE(m), b);
         put_channel(p, p->next, 2, c, b[0]);
         put_channel(p, p->next + 1, 2, c, b[1]);
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
   for (unsigned c = 0; c < p->num_quads * 4 && (depth || w); c++) {
      double x, y;
      sample_location(r, &p->quad[c / 4], c % 4, p->sample[c / 4],
                      zw_location(r), &x, &y);
      if (depth)
         put_channel(p, p->next, 1, c, (float)sim_ps_depth(r, x, y));
      if (w) {
         const double inv = plane_at(r->setup, r->setup->inv_w, x, y);
         put_channel(p, p->next + (depth ? regs : 0), 1, c,
                     (float)(1.0 / inv));
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
      double x, y;
      const enum location where = r->state->ps.PositionXYOffsetSelect == 2
                                     ? LOCATION_CENTROID
                                     : LOCATION_SAMPLE;
      const struct sim_quad *q = &p->quad[c / 4];
      sample_location(r, q, c % 4, p->sample[c / 4], where, &x, &y);
      g->ub[2 * c] = (uint8_t)((x - q->x - (int)(c & 1)) * 16.0);
      g->ub[2 * c + 1] = (uint8_t)((y - q->y - (int)(c >> 1 & 1)) * 16.0);
   }
}

/* PRM SKL vol 2d, "Input Coverage Mask State": with DEPTH_COVERAGE those that
 * the tests of depth and stencil left, which are then early. */
static void
fill_input_coverage(struct payload *p)
{
   const uint32_t kind = p->r->state->ps_extra.InputCoverageMaskState;
   if (!kind)
      return;
   for (unsigned c = 0; c < p->num_quads * 4; c++) {
      const struct sim_quad *q = &p->quad[c / 4];
      const uint32_t mask = slot_samples(
         (kind == ICMS_DEPTH_COVERAGE ? q->lit : q->coverage)[c % 4] &
            p->r->sample_mask,
         p->sample[c / 4]);
      put_channel(p, p->next, 1, c, util_bits_float(mask));
   }
   p->next += p->width / 8;
}

static void
unfill_plane(struct payload *p, unsigned reg, unsigned dw)
{
   for (unsigned i = 0; i < 4; i++) {
      if (i != 2)
         sim_shadow_unfill(p->grf, reg, dw + i);
   }
}

/* Push constants, then the planes of the attributes: two registers each,
 * {a1 - a0, a2 - a0, -, a0} for each component. */
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
   for (unsigned a = 0; a < r->num_attributes; a++) {
      for (unsigned c = 0; c < 4; c++) {
         const struct sim_plane *plane = &r->setup->attr[a][c];
         float *f = &p->grf[grf + 2 * a + c / 2].f[c % 2 * 4];
         f[0] = plane->d1;
         f[1] = plane->d2;
         f[2] = 0.0f;
         memcpy(&f[3], &plane->a0, sizeof(float));
         if (__builtin_expect(r->setup->attr_undefined[a / 2] != 0, 0) &&
             r->setup->attr_undefined[a / 2] >> (a % 2 * 4 + c) & 1)
            unfill_plane(p, grf + 2 * a + c / 2, c % 2 * 4);
      }
   }
   return true;
}

/*
 * Threads
 */

/* Index in r->program for so many quads: the narrowest that takes them all,
 * else the widest. A thread may have quads without a pixel. */
static unsigned
choose_width(const struct sim_raster *r, unsigned num_quads)
{
   unsigned widest = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(r->program); i++) {
      if (!r->program[i])
         continue;
      widest = i;
      if (num_quads <= 2u << i)
         break;
   }
   return widest;
}

/* Group after group of what differs by channel; then what does not. */
static bool
fill_payload(struct payload *p, unsigned width, unsigned num_quads,
             uint32_t lit, unsigned grf)
{
   const struct sim_quad *quads = p->quad;
   const int *samples = p->sample;
   const unsigned groups = width == 32 ? 2 : 1;
   p->width = MIN2(width, 16u);
   fill_header(p);
   for (unsigned pass = 0; pass < 2; pass++) {
      for (unsigned i = 0; i < groups; i++) {
         p->quad = quads + 4 * i;
         p->sample = samples + 4 * i;
         p->num_quads = num_quads > 4 * i ? MIN2(num_quads - 4 * i, 4u) : 0;
         if (pass == 0) {
            fill_positions(p, lit >> 16 * i & 0xffff);
            continue;
         }
         fill_barycentrics(p);
         fill_depth_and_w(p);
         fill_position_offsets(p);
         fill_input_coverage(p);
      }
   }
   return fill_constants_and_planes(p, grf);
}

static void
trace(struct sim_raster *r, struct sim_eu_thread *t,
      const struct sim_eu_program *program, unsigned num_quads)
{
   struct trace_item item[SIM_MAX_QUADS];
   for (unsigned i = 0; i < num_quads; i++) {
      item[i] = (struct trace_item) { { r->pending[i].x, r->pending[i].y,
                                        r->pending_sample[i],
                                        (int32_t)r->setup->primitive_id } };
   }
   sim_draw_trace_thread(r->draw, t, program, 4, item, num_quads);
}

/* Numbers of threads, sparse as those of compute shaders. */
static unsigned
pixel_ids(const struct intel_device_info *info)
{
   return info->max_threads_per_psd
             ? info->max_threads_per_psd *
                  intel_device_info_scratch_subslices(info)
             : info->max_wm_threads;
}

static void
dispatch(struct sim_raster *r, unsigned num_quads)
{
   const unsigned which = choose_width(r, num_quads);
   num_quads = MIN2(num_quads, 2u << which);

   struct sim_ps_thread user = { .r = r,
                                 .num_quads = num_quads,
                                 .quad = r->pending,
                                 .sample = r->pending_sample };
   uint32_t lit = 0, whole = 0;
   for (unsigned i = 0; i < num_quads; i++) {
      const uint16_t *of_pixel = r->pending[i].lit;
      const int sample = r->pending_sample[i];
      unsigned of_quad = 0;
      for (unsigned k = 0; k < 4; k++)
         of_quad |= (slot_samples(of_pixel[k], sample) ? 1u : 0) << k;
      lit |= of_quad << (4 * i);
      whole |= (of_quad ? 0xfu : 0) << (4 * i);
   }

   struct sim_eu_thread *t = &r->thread;
   if (sim_chaos_has(r->env.chaos, SIM_CHAOS_IDS))
      r->thread_number = (unsigned)sim_chaos_below(
         r->env.chaos, pixel_ids(r->draw->gpu->info));
   /* Gen7 takes whole subspans in any case: stock drivers leave the bit off
    * there, and their derivatives are right. */
   const bool vmask = r->state->ps.VectorMaskEnable ||
                      sim_traits(r->env.verx10)->ps_whole_subspans;
   sim_eu_thread_init(t, &r->env, vmask ? whole : lit);
   t->sr0[2] = lit;
   t->sr0[3] = whole;
   t->mem = r->mem;
   t->user = &user;
   t->sample_mask = lit;

   struct payload p = {
      .r = r, .grf = t->grf, .quad = r->pending, .sample = r->pending_sample
   };
   if (fill_payload(&p, 8u << which, num_quads, lit,
                    r->dispatch_grf[which])) {
      r->ps_invocations += (uint64_t)__builtin_popcount(lit);
      if (sim_draw_is_traced(r->draw))
         trace(r, t, r->program[which], num_quads);
      sim_draw_run_thread(r->draw, t, r->program[which], "pixel shader");
   }

   r->num_pending -= num_quads;
   if (!r->num_pending)
      return;
   memmove(r->pending, r->pending + num_quads,
           r->num_pending * sizeof(r->pending[0]));
   memmove(r->pending_sample, r->pending_sample + num_quads,
           r->num_pending * sizeof(r->pending_sample[0]));
}

void
sim_ps_flush(struct sim_raster *r)
{
   while (r->num_pending && !r->draw->faulted)
      dispatch(r, r->num_pending);
   r->num_pending = 0;
}

static void
queue(struct sim_raster *r, const struct sim_quad *q, int sample)
{
   struct sim_chaos *chaos = r->draw->gpu->chaos;
   r->pending[r->num_pending] = *q;
   r->pending_sample[r->num_pending++] = sample;
   if (r->num_pending == r->quads_to_run ||
       (sim_chaos_has(chaos, SIM_CHAOS_ORDER) && !sim_chaos_below(chaos, 4)))
      dispatch(r, r->num_pending);
}

/* The samples of a pixel that pass depth and stencil before the shader. */
static uint32_t
test_pixel(struct sim_raster *r, int x, int y, uint32_t mask)
{
   if (!sim_zs_active(r))
      return mask;
   float z[SIM_MAX_SAMPLES];
   for (unsigned s = 0; s < r->num_samples && sim_zs_uses_depth(r); s++) {
      z[s] = (float)sim_ps_depth(r, to_px(x, r->raster_x[s]),
                                 to_px(y, r->raster_y[s]));
   }
   return sim_zs_test(r, x, y, mask, z, r->setup->front_facing,
                      SIM_ZS_STATE_REF);
}

/* The same for a quad at once; false: it is to be done pixel by pixel. */
static bool
test_quad(struct sim_raster *r, struct sim_quad *q, bool *any)
{
   unsigned mask = 0, passed;
   for (unsigned i = 0; i < 4; i++)
      mask |= (unsigned)((q->coverage[i] & r->sample_mask) != 0) << i;
   if (!mask || !sim_zs_test_quad(r, q, mask, &passed))
      return false;
   r->depth_count += sim_count_samples(passed);
   for (unsigned i = 0; i < 4; i++)
      q->lit[i] = passed >> i & 1;
   *any = passed != 0;
   return true;
}

/* Depth and stencil before the shader, or none: fills in q->lit. */
static bool
early_tests(struct sim_raster *r, struct sim_quad *q)
{
   bool any = false;
   if (r->zs.by_quads && r->early_tests && test_quad(r, q, &any))
      return any;
   for (unsigned i = 0; i < 4; i++) {
      uint32_t mask = q->coverage[i] & r->sample_mask;
      if (mask && r->early_tests) {
         mask =
            test_pixel(r, q->x + (int)(i & 1), q->y + (int)(i >> 1), mask);
         r->depth_count += sim_count_samples(mask);
      }
      q->lit[i] = (uint16_t)mask;
      any |= mask != 0;
   }
   return any;
}

/*
 * Before Gen8 a thread does not get sample numbers but that of its first pair
 * of samples; its subspans are two or four samples in a row of one quad (IVB
 * PRM volume 2 part 1, "Pixel Shader Thread Payload": R0.0 bits 7:6).
 */
static void
queue_pairs(struct sim_raster *r, const struct sim_quad *q)
{
   const unsigned any = q->lit[0] | q->lit[1] | q->lit[2] | q->lit[3];
   const unsigned n = r->program[1] && r->num_samples >= 4 ? 4 : 2;
   for (unsigned s = 0; s < r->num_samples && !r->draw->faulted; s += n) {
      if (!(any >> s & BITFIELD_MASK(n)))
         continue;
      for (unsigned i = 0; i < n; i++) {
         r->pending[i] = *q;
         r->pending_sample[i] = (int)(s + i);
      }
      r->num_pending = n;
      dispatch(r, n);
   }
}

void
sim_ps_quad(struct sim_raster *r, struct sim_quad *q)
{
   if (r->draw->faulted || !early_tests(r, q) || !r->has_ps)
      return;
   if (!r->per_sample) {
      queue(r, q, -1);
      return;
   }
   if (sim_traits(r->env.verx10)->ps_sample_pairs) {
      queue_pairs(r, q);
      return;
   }
   for (unsigned s = 0; s < r->num_samples; s++) {
      if ((q->lit[0] | q->lit[1] | q->lit[2] | q->lit[3]) >> s & 1)
         queue(r, q, (int)s);
      if (r->draw->faulted)
         return;
   }
}

/*
 * Begin
 */

/* PRM SKL Vol. 2a 3DSTATE_PS: which kernel start pointer is which width. */
static bool
find_programs(struct sim_raster *r)
{
   const struct GEN9_3DSTATE_PS *ps = &r->state->ps;
   const bool simd8 = ps->_8PixelDispatchEnable;
   const bool simd16 = ps->_16PixelDispatchEnable;
   const bool simd32 = ps->_32PixelDispatchEnable;
   if (!simd8 && !simd16 && !simd32) {
      sim_draw_fault(r->draw, "3DSTATE_PS: no dispatch width is enabled");
      return false;
   }
   const uint64_t start[3] = { ps->KernelStartPointer0,
                               ps->KernelStartPointer1,
                               ps->KernelStartPointer2 };
   const unsigned grf[3] = {
      ps->DispatchGRFStartRegisterForConstantSetupData0,
      ps->DispatchGRFStartRegisterForConstantSetupData1,
      ps->DispatchGRFStartRegisterForConstantSetupData2
   };
   /* A single width is always in slot 0; beside another one SIMD16 is in 2,
    * SIMD32 in 1. */
   const bool enabled[3] = { simd8, simd16, simd32 };
   const unsigned slot[3] = { 0, simd8 || simd32 ? 2 : 0,
                              simd8 || simd16 ? 1 : 0 };
   for (unsigned i = 0; i < 3; i++) {
      if (!enabled[i])
         continue;
      struct sim_eu_fault fault;
      r->program[i] = sim_draw_program(
         r->draw, r->state->base.instruction + start[slot[i]], &fault);
      if (!r->program[i]) {
         sim_draw_fault(r->draw, "pixel shader: %s", fault.text);
         return false;
      }
      r->dispatch_grf[i] = grf[slot[i]];
   }
   r->quads_to_run = 2u << choose_width(r, SIM_MAX_QUADS);
   return true;
}

static void
interp_barycentric(struct sim_eu_thread *t, unsigned lane, int sample,
                   float dx, float dy, bool perspective, float out[2])
{
   const struct sim_ps_thread *u = t->user;
   const struct sim_raster *r = u->r;
   out[0] = out[1] = 0.0f;
   if (lane / 4 >= u->num_quads)
      return;
   double x, y;
   const struct sim_quad *q = &u->quad[lane / 4];
   if (sample >= 0) {
      sample_location(r, q, lane % 4, sample % (int)r->num_samples,
                      LOCATION_SAMPLE, &x, &y);
   } else if (sample == -2) {
      sample_location(r, q, lane % 4, -1, LOCATION_CENTROID, &x, &y);
   } else {
      x = to_px(q->x + (int)(lane & 1), r->centre) + dx;
      y = to_px(q->y + (int)(lane >> 1 & 1), r->centre) + dy;
   }
   sim_ps_barycentric(r->setup, x, y, perspective, out);
}

static const struct sim_eu_interp interp = { interp_barycentric };

static bool
begin_environment(struct sim_raster *r)
{
   const struct sim_render_state *s = r->state;
   sim_draw_init_env(r->draw, &r->env);
   r->env.binding_table_offset_B =
      (uint32_t)s->binding_table_pointers_ps.PointertoPSBindingTable;
   r->env.sampler_state_offset_B =
      (uint32_t)s->sampler_state_pointers_ps.PointertoPSSamplerState;
   r->env.scratch_per_thread_B = 1024u << s->ps.PerThreadScratchSpace;
   r->env.cr0 = sim_draw_cr0(s->ps.FloatingPointMode, s->ps.RoundingMode,
                             s->ps.SingleProgramFlow);
   r->env.render_target = sim_rt_write;
   sim_draw_set_stage(r->draw, &r->env, "fs");
   r->env.interp = &interp;

   r->num_attributes =
      s->ps_extra.AttributeEnable ? s->sbe.NumberofSFOutputAttributes : 0;
   if (r->num_attributes > SIM_MAX_ATTRIBUTES) {
      sim_draw_fault(r->draw, "3DSTATE_SBE: %u attributes",
                     r->num_attributes);
      return false;
   }
   if (!s->ps.PushConstantEnable)
      return true;
   r->push = malloc(SIM_GRF_COUNT * SIM_GRF_B);
   if (!r->push) {
      sim_draw_fault(r->draw, "the host is out of memory");
      return false;
   }
   return sim_draw_push_constants(r->draw, &s->constant_ps.ConstantBody,
                                  r->push, &r->push_grf);
}

bool
sim_ps_begin(struct sim_raster *r)
{
   const struct sim_render_state *s = r->state;
   r->has_ps = s->ps_extra.PixelShaderValid;
   r->kills = s->ps_extra.PixelShaderKillsPixel;
   r->per_sample = s->ps_extra.PixelShaderIsPerSample &&
                   r->target_samples > 1;

   /* PRM SKL Vol. 7 "Early Depth Test": the tests move after the shader
    * when it decides what they see, unless the API forces them first; and
    * when what it does is to be seen even of pixels that fail. */
   const unsigned control = s->wm.EarlyDepthStencilControl;
   const bool forced = control == EDSC_PREPS;
   const bool shader_decides =
      r->has_ps &&
      (control == EDSC_PSEXEC || r->kills ||
       s->ps_extra.PixelShaderComputedDepthMode ||
       s->ps_extra.PixelShaderComputesStencil ||
       s->ps_extra.oMaskPresenttoRenderTarget ||
       (r->blend_state_valid && (r->blend_state.AlphaToCoverageEnable ||
                                 r->blend_state.AlphaTestEnable)));
   r->early_tests = forced || !shader_decides;

   return !r->has_ps || (begin_environment(r) && find_programs(r));
}
