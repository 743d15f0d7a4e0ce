/* SPDX-License-Identifier: MIT */
/* What a draw begins and ends with: samples, targets, counts. */
#include "intel/sim/gpu/gpu.h"
#include "intel/sim/gen/traits.h"
#include "raster_private.h"

static void
set_sample_positions(struct sim_raster *r)
{
   const struct sim_render_state *s = r->state;
   r->centre = s->multisample.PixelLocation ? 0 : SIM_SUBPIXEL_ONE / 2;
   r->num_samples = 1u << s->multisample.NumberofMultisamples;
   r->target_samples = r->num_samples;
   if (s->raster.ForcedSampleCount > FSC_NUMRASTSAMPLES_1) {
      r->num_samples = 1u << (s->raster.ForcedSampleCount - 1);
      if (r->target_samples > 1)
         sim_draw_fault(r->draw, "3DSTATE_RASTER: a forced sample count with "
                                 "multisampled targets (PRM SKL vol 2a)");
   }
   r->sample_mask = s->sample_mask.SampleMask & BITFIELD_MASK(r->num_samples);

   const struct GEN9_3DSTATE_SAMPLE_PATTERN *p = &s->sample_pattern;
   const float x2[2] = { p->_2xSample0XOffset, p->_2xSample1XOffset };
   const float y2[2] = { p->_2xSample0YOffset, p->_2xSample1YOffset };
   const float x4[4] = { p->_4xSample0XOffset, p->_4xSample1XOffset,
                         p->_4xSample2XOffset, p->_4xSample3XOffset };
   const float y4[4] = { p->_4xSample0YOffset, p->_4xSample1YOffset,
                         p->_4xSample2YOffset, p->_4xSample3YOffset };
   const float x8[8] = { p->_8xSample0XOffset, p->_8xSample1XOffset,
                         p->_8xSample2XOffset, p->_8xSample3XOffset,
                         p->_8xSample4XOffset, p->_8xSample5XOffset,
                         p->_8xSample6XOffset, p->_8xSample7XOffset };
   const float y8[8] = { p->_8xSample0YOffset, p->_8xSample1YOffset,
                         p->_8xSample2YOffset, p->_8xSample3YOffset,
                         p->_8xSample4YOffset, p->_8xSample5YOffset,
                         p->_8xSample6YOffset, p->_8xSample7YOffset };
#define X16(i) p->_16xSample##i##XOffset
#define Y16(i) p->_16xSample##i##YOffset
   const float x16[16] = { X16(0),  X16(1),  X16(2),  X16(3),
                           X16(4),  X16(5),  X16(6),  X16(7),
                           X16(8),  X16(9),  X16(10), X16(11),
                           X16(12), X16(13), X16(14), X16(15) };
   const float y16[16] = { Y16(0),  Y16(1),  Y16(2),  Y16(3),
                           Y16(4),  Y16(5),  Y16(6),  Y16(7),
                           Y16(8),  Y16(9),  Y16(10), Y16(11),
                           Y16(12), Y16(13), Y16(14), Y16(15) };
#undef X16
#undef Y16
   const float *x = NULL, *y = NULL;
   switch (r->num_samples) {
   case 1: break;
   case 2: x = x2, y = y2; break;
   case 4: x = x4, y = y4; break;
   case 8: x = x8, y = y8; break;
   case 16: x = x16, y = y16; break;
   default:
      sim_draw_fault(r->draw, "3DSTATE_MULTISAMPLE: the number of samples "
                              "is reserved");
      r->num_samples = 1;
      break;
   }
   r->sample_x[0] = r->sample_y[0] = r->centre;
   for (unsigned i = 0; x && i < r->num_samples; i++) {
      r->sample_x[i] = (int32_t)(x[i] * SIM_SUBPIXEL_ONE);
      r->sample_y[i] = (int32_t)(y[i] * SIM_SUBPIXEL_ONE);
   }
   /* PRM SKL Vol. 7 "Multisample Modes/State": OFF_PATTERN covers all
    * samples of a pixel or none. */
   const bool on_pattern = s->raster.ForceMultisampling
                              ? s->raster.DXMultisampleRasterizationMode ==
                                   MSRASTMODE_ON_PATTERN
                              : s->raster.DXMultisampleRasterizationEnable;
   r->multisamples = r->num_samples > r->target_samples ||
                     (r->num_samples > 1 && on_pattern);
   /* MSRASTMODE_ON_PIXEL and ON_PATTERN: with one sample, too (PRM SNB vol 2
    * part 1, 7.4.1 "Multisample Modes/State"). */
   r->rectangular_lines =
      r->multisamples ||
      (s->raster.ForceMultisampling
          ? s->raster.DXMultisampleRasterizationMode >= MSRASTMODE_ON_PIXEL
          : s->raster.DXMultisampleRasterizationEnable);
   for (unsigned i = 0; i < r->num_samples; i++) {
      r->raster_x[i] = r->multisamples ? r->sample_x[i] : r->centre;
      r->raster_y[i] = r->multisamples ? r->sample_y[i] : r->centre;
   }
}

/* What a driver may turn on and this model does not have. */
static void
refuse_unknown_state(struct sim_raster *r)
{
   const struct sim_render_state *s = r->state;
   if (s->wm_chromakey.ChromaKeyKillEnable)
      sim_draw_fault(r->draw, "3DSTATE_WM_CHROMAKEY is not implemented");
   if (s->sbe.AttributeSwizzleEnable &&
       s->sbe_swiz.Attribute[0].SwizzleControlMode)
      sim_draw_fault(r->draw,
                     "swizzling attributes 16 to 31 is not implemented");
}

void
sim_raster_begin(struct sim_draw *draw)
{
   draw->raster = NULL;
   if (draw->faulted)
      return;
   struct sim_raster *r = aligned_alloc(64, ALIGN(sizeof(*r), 64));
   if (!r) {
      sim_draw_fault(draw, "the host is out of memory");
      return;
   }
   memset(r, 0, sizeof(*r));
   r->draw = draw;
   r->state = draw->state;
   r->mem = draw->mem;
   r->setup = &r->building;
   r->scan_polygon = __builtin_cpu_supports("avx2") ? sim_scan_polygon_avx2
                                                    : sim_scan_polygon;
   r->building.attr = (const void *)r->building_attr;
   draw->raster = r;

   set_sample_positions(r);
   if (draw->gpu->trace)
      sim_look_begin(r);
   refuse_unknown_state(r);
   if (draw->faulted || !sim_tiles_begin(r) || !sim_zs_begin(r) ||
       !sim_rt_begin(r))
      return;
   if (r->num_samples > r->target_samples && sim_zs_active(r))
      sim_draw_fault(r->draw, "3DSTATE_RASTER: a forced sample count with "
                              "depth or stencil tests (PRM SKL vol 2a)");
   else
      sim_ps_begin(r);
}

void
sim_raster_end(struct sim_draw *draw)
{
   struct sim_raster *r = draw->raster;
   if (!r)
      return;
   sim_tiles_flush(r);
   if (r->pictures_px)
      sim_look_end(r);
   if (r->state->wm.StatisticsEnable) {
      draw->counters->ps_invocations +=
         r->ps_invocations * sim_traits(draw->gpu->verx10)->ps_invocations;
      draw->counters->ps_depth += r->depth_count;
   }
   free(r->push);
   free(r);
   draw->raster = NULL;
}
