/* SPDX-License-Identifier: MIT */
/*
 * What a trace has of pixels: all that happens to the one that it looks at,
 * and pictures of the targets, smaller than they are, when a draw has ended.
 */
#include <math.h>

#include "intel/sim/gpu/gpu.h"
#include "intel/sim/trace/trace.h"
#include "raster_private.h"

void
sim_look_begin(struct sim_raster *r)
{
   const struct sim_trace *t = r->draw->gpu->trace;
   r->looks = sim_trace_looks_at(t, &r->check_x, &r->check_y);
   r->pictures_px = sim_trace_pictures_px(t);
}

static struct trace_pixel
event(const struct sim_raster *r, enum trace_pixel_kind kind)
{
   return (struct trace_pixel) {
      .kind = kind,
      .primitive = r->setup->primitive_id,
      .sample = -1,
      .thread = ~0u,
      .step = ~0u,
      .component = { ~0u, ~0u, ~0u, ~0u },
   };
}

static void
write_event(const struct sim_raster *r, struct trace_pixel *p)
{
   sim_trace_pixel(r->draw->gpu->trace, p);
}

void
sim_look_covered(struct sim_raster *r, uint32_t samples)
{
   struct trace_pixel p = event(r, TRACE_PIXEL_COVERED);
   p.mask = samples;
   if (samples)
      write_event(r, &p);
}

/* A stored depth as the bits of a float. */
static uint32_t
depth_bits(const struct sim_raster *r, uint32_t z)
{
   switch (r->zs.depth_format) {
   case D16_UNORM: return util_float_bits((float)(z / 65535.0));
   case D24_UNORM_X8_UINT: return util_float_bits((float)(z / 16777215.0));
   default: return z;
   }
}

void
sim_look_tested(struct sim_raster *r, const struct sim_look_test *t)
{
   struct trace_pixel p = event(r, TRACE_PIXEL_TESTED);
   p.mask = t->tests | (r->early_tests ? 0u : TRACE_TEST_LATE);
   p.sample = (int32_t)t->sample;
   p.source[0] = depth_bits(r, t->z);
   p.was[0] = depth_bits(r, t->z_was);
   p.is[0] = depth_bits(r, t->z_is);
   p.was[1] = t->stencil_was;
   p.is[1] = t->stencil_is;
   p.address = r->zs.has_depth ? r->zs.depth.address : r->zs.stencil.address;
   write_event(r, &p);
}

void
sim_look_left(struct sim_raster *r, enum trace_pixel_kind kind)
{
   struct trace_pixel p = event(r, kind);
   p.thread = sim_trace_thread_number(&r->thread);
   p.step = sim_trace_thread_step(&r->thread);
   write_event(r, &p);
}

/* The colour of the lowest of the samples that are written. */
static void
read_target(struct sim_raster *r, const struct sim_render_target *rt,
            const struct trace_pixel *p, uint32_t rgba[4])
{
   const struct sim_surface *s = &rt->surface;
   const bool inside = r->check_x >= 0 && r->check_y >= 0 &&
                       (unsigned)r->check_x < rt->width &&
                       (unsigned)r->check_y < rt->height &&
                       r->setup->layer < s->view_extent;
   if (!inside || !sim_surface_read_sample(
                     s, r->mem, s->target_level, (uint32_t)r->check_x,
                     (uint32_t)r->check_y, s->first_slice + r->setup->layer,
                     p->mask ? (unsigned)__builtin_ctz(p->mask) : 0, rgba))
      memset(rgba, 0, 4 * sizeof(*rgba));
}

void
sim_look_before(struct sim_raster *r, const struct sim_render_target *rt,
                uint32_t samples, const uint32_t source[4],
                struct trace_pixel *p)
{
   const struct GEN9_3DSTATE_PS *ps = &r->state->ps;
   *p = event(r, !sim_raster_aux_operation(r)      ? TRACE_PIXEL_WRITTEN
                 : ps->RenderTargetFastClearEnable ? TRACE_PIXEL_CLEARED
                                                   : TRACE_PIXEL_RESOLVED);
   p->mask = samples;
   p->target = (uint32_t)(rt - r->rt);
   p->is_integer = rt->integer;
   p->address = rt->surface.address;
   p->thread = sim_trace_thread_number(&r->thread);
   p->step = sim_trace_thread_step(&r->thread);
   memcpy(p->source, source, sizeof(p->source));
   read_target(r, rt, p, p->was);
}

void
sim_look_after(struct sim_raster *r, const struct sim_render_target *rt,
               struct trace_pixel *p)
{
   read_target(r, rt, p, p->is);
   write_event(r, p);
}

/*
 * Pictures
 */

/* As it is seen: a linear colour of an sRGB format is encoded again. */
static uint8_t
as_byte(uint32_t v, bool is_integer, bool is_srgb)
{
   if (is_integer)
      return (uint8_t)MIN2(v, 255u);
   const float f = util_bits_float(v);
   double x = f > 0 ? (double)MIN2(f, 1.0f) : 0;
   if (is_srgb)
      x = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
   return (uint8_t)lrint(255 * x);
}

static void
fill_picture(struct sim_raster *r, const struct sim_render_target *rt,
             const struct trace_picture *p, uint8_t *rgba)
{
   const struct sim_surface *s = &rt->surface;
   const bool is_srgb = strstr(s->format_name, "SRGB") != NULL;
   /* Pixels of four bytes are copied so. */
   const bool is_dword = !strcmp(s->format_name, "R32_UINT");
   for (uint32_t y = 0; y < p->height; y++) {
      for (uint32_t x = 0; x < p->width; x++, rgba += 4) {
         const uint32_t tx = (2 * x + 1) * p->target_width / (2 * p->width);
         const uint32_t ty = (2 * y + 1) * p->target_height / (2 * p->height);
         uint32_t c[4] = { 0 };
         if (!sim_surface_read_sample(s, r->mem, s->target_level, tx, ty,
                                      s->first_slice, 0, c))
            memset(c, 0, sizeof(c));
         if (is_dword)
            memcpy(rgba, c, 4);
         for (unsigned i = 0; i < 4 && !is_dword; i++)
            rgba[i] = as_byte(c[i], rt->integer, is_srgb && i < 3);
      }
   }
}

static void
write_picture(struct sim_raster *r, unsigned target)
{
   const struct sim_render_target *rt = &r->rt[target];
   const uint32_t side = MAX2(rt->width, rt->height);
   const uint32_t shown = MIN2(side, r->pictures_px);
   struct trace_picture p = {
      .target = target,
      .width = MAX2((uint32_t)((uint64_t)rt->width * shown / side), 1u),
      .height = MAX2((uint32_t)((uint64_t)rt->height * shown / side), 1u),
      .target_width = rt->width,
      .target_height = rt->height,
      .address = rt->surface.address,
   };
   uint8_t *rgba = malloc((size_t)p.width * p.height * 4);
   if (!rgba)
      return;
   fill_picture(r, rt, &p, rgba);
   sim_trace_picture(r->draw->gpu->trace, &p, rgba);
   free(rgba);
}

void
sim_look_end(struct sim_raster *r)
{
   for (unsigned i = 0; i < SIM_MAX_RTS && !r->draw->faulted; i++) {
      if (r->rt[i].valid && !r->rt[i].null && r->rt[i].width)
         write_picture(r, i);
   }
}
