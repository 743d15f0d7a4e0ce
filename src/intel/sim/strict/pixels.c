/* SPDX-License-Identifier: MIT */
/*
 * Fixed functions behind the rasteriser: blending, operations on depth and
 * colour, sample positions, the guard band (section 5 of the rules).
 */
#include "shadow/shadow_private.h"
#include "strict_private.h"

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/gpu/memory_state.h"

/* DEPTH_FORMAT, 3DSTATE_DEPTH_BUFFER. */
#define DEPTH_D32_S8X24 0
#define DEPTH_D24_S8 2
#define DEPTH_D32 1
#define DEPTH_D16 5
#define EARLY_BEFORE_PS 2 /* EDSC_PREPS */
#define FORCE_ON 2        /* Force Thread Dispatch Enable */

/* `n` dwords from the dynamic state; false: they are not there. */
static bool
read_dynamic(const struct strict_command *c, uint64_t offset, uint32_t *dw,
             unsigned n)
{
   const uint32_t *at = sim_mem_try_ptr(
      &c->cs->mem, c->cs->hw->state.base.dynamic + offset, 4ull * n);
   if (at)
      memcpy(dw, at, 4 * n);
   return at;
}

/*
 * Blending
 */

static bool
is_second_color(unsigned factor)
{
   return factor == BLENDFACTOR_SRC1_COLOR ||
          factor == BLENDFACTOR_SRC1_ALPHA ||
          factor == BLENDFACTOR_INV_SRC1_COLOR ||
          factor == BLENDFACTOR_INV_SRC1_ALPHA;
}

static bool
uses_second_color(const struct GEN9_BLEND_STATE_ENTRY *e)
{
   return e->ColorBufferBlendEnable &&
          (is_second_color(e->SourceBlendFactor) ||
           is_second_color(e->DestinationBlendFactor) ||
           is_second_color(e->SourceAlphaBlendFactor) ||
           is_second_color(e->DestinationAlphaBlendFactor));
}

static bool
is_blend_and_logic(const struct GEN9_BLEND_STATE_ENTRY *e)
{
   return e->ColorBufferBlendEnable && e->LogicOpEnable;
}

/* Of linear numbers from 0 to 1 alone. */
static bool
takes_logic(const char *format)
{
   return strstr(format, "_UNORM") && !strstr(format, "_SRGB") &&
          !strstr(format, "_FLOAT");
}

bool
sim_shadow_blended(struct sim_eu_thread *t, unsigned target,
                   const char *format, bool one_color,
                   const struct GEN9_BLEND_STATE_ENTRY *e)
{
   if (one_color && uses_second_color(e) &&
       !shadow_broken(t, SIM_RULE_SECOND_COLOR, "target %u", target))
      return false;
   if (e->LogicOpEnable && !takes_logic(format) &&
       !shadow_broken(t, SIM_RULE_LOGIC_FORMAT, "target %u of %s", target,
                      format))
      return false;
   /* That of the first is seen with the draw. */
   return !target || !is_blend_and_logic(e) ||
          shadow_broken(t, SIM_RULE_BLEND_AND_LOGIC, "target %u", target);
}

/* Of the first target, which always has an entry: there need not be any
 * behind it (crocus has as many as there are targets), so that what is there
 * counts when a thread writes to that target. On Gen7 the state says whether
 * there is a second colour. */
static void
draw_blending(struct strict_command *c)
{
   const unsigned verx10 = c->cs->spec->verx10;
   const struct sim_render_state *s = &c->cs->hw->state;
   struct GEN9_BLEND_STATE_ENTRY e;
   uint32_t dw[2];
   if (!s->blend_state_pointers.BlendStatePointerValid ||
       !read_dynamic(c,
                     s->blend_state_pointers.BlendStatePointer +
                        sim_blend_entry_offset_B(verx10, 0),
                     dw, 2))
      return;
   sim_unpack_blend_entry(verx10, dw, &e);
   const bool second = uses_second_color(&e);
   STRICT_CHECK(c, FF_06, is_blend_and_logic(&e), "target %u", 0u);
   const bool dual = strict_state(c, "3DSTATE_PS", "DualSourceBlendEnable");
   STRICT_CHECK(c, FF_04, dual && !second, "%s", "");
   STRICT_CHECK(c, FF_05,
                second && !dual &&
                   sim_traits(c->cs->spec->verx10)->ps_says_dual_source,
                "%s", "");
   STRICT_CHECK(c, FF_82,
                second &&
                   strict_state(c, "3DSTATE_PS", "_16PixelDispatchEnable"),
                "%s", "");
}

static void
draw_dispatch(struct strict_command *c)
{
   const bool wanted =
      strict_state(c, "3DSTATE_WM", "PixelShaderKillsPixel") ||
      strict_state(c, "3DSTATE_WM", "PixelShaderComputedDepthMode") ||
      strict_state(c, "3DSTATE_PS", "oMaskPresenttoRenderTarget");
   STRICT_CHECK(c, FF_79,
                strict_state(c, "3DSTATE_WM", "ForceThreadDispatchEnable") ==
                      FORCE_ON &&
                   !strict_state(c, "3DSTATE_PS_BLEND", "HasWriteableRT"),
                "%s", "");
   STRICT_CHECK(c, FF_03,
                wanted &&
                   !strict_state(c, "3DSTATE_WM", "ThreadDispatchEnable"),
                "%s", "");
}

/* Ivybridge and Haswell: 2 is the centroid, 3 the sample; mode 1 is a thread
 * a pixel. */
static void
draw_samples(struct strict_command *c)
{
   const bool per_pixel =
      strict_state(c, "3DSTATE_WM", "MultisampleDispatchMode");
   if (!strict_state(c, "3DSTATE_WM", "ThreadDispatchEnable"))
      return;
   STRICT_CHECK(c, FF_10,
                per_pixel && strict_state(c, "3DSTATE_PS",
                                          "PositionXYOffsetSelect") == 3,
                "%s", "places of samples");
   STRICT_CHECK(c, FF_10,
                per_pixel && !strict_state(c, "3DSTATE_MULTISAMPLE",
                                           "NumberofMultisamples"),
                "%s", "one sample, a thread a pixel");
}

static void
check_ps_extra(struct strict_command *c)
{
   STRICT_CHECK(c, FF_02, strict_get(c, "PixelShaderHasUAV"), "%s", "");
}

/* Fast clears and resolves of colour, and draws: what is between them. */
static void
draw_operation(struct strict_command *c)
{
   struct strict_context *s = c->c;
   static const char ps[] = "3DSTATE_PS";
   const unsigned operation =
      strict_state(c, ps, "RenderTargetFastClearEnable") ? 1
      : strict_state(c, ps, "RenderTargetResolveEnable") ||
            strict_state(c, ps, "RenderTargetResolveType")
         ? 2
         : 0;
   STRICT_CHECK(c, FF_28, operation != s->color_operation && s->color_open,
                "%s",
                operation            ? "before it"
                : s->color_operation ? "after it"
                                     : "");
   s->color_operation = operation;
   s->color_open = STRICT_COLOR_DRAWN;
}

/*
 * Depth
 */

static void
check_depth_buffer(struct strict_command *c)
{
   const unsigned format = (unsigned)strict_get(c, "SurfaceFormat");
   STRICT_CHECK(c, FF_23,
                strict_get(c, "SurfaceType") != SURFTYPE_NULL &&
                   (format == DEPTH_D32_S8X24 || format == DEPTH_D24_S8),
                "format %u has stencil", format);
}

static bool
has_depth(const struct strict_command *c)
{
   return strict_was_sent(c, "3DSTATE_DEPTH_BUFFER") &&
          strict_state(c, "3DSTATE_DEPTH_BUFFER", "SurfaceType") !=
             SURFTYPE_NULL;
}

static void
draw_depth(struct strict_command *c)
{
   static const char sf[] = "3DSTATE_SF", depth[] = "3DSTATE_DEPTH_BUFFER";
   const bool offset =
      strict_state(c, sf, "GlobalDepthOffsetEnablePoint") ||
      strict_state(c, sf, "GlobalDepthOffsetEnableWireframe") ||
      strict_state(c, sf, "GlobalDepthOffsetEnableSolid");
   const struct GEN9_3DSTATE_WM_DEPTH_STENCIL *test =
      &c->cs->hw->state.wm_depth_stencil;
   if (!has_depth(c))
      return;
   STRICT_CHECK(c, CO_38,
                offset && strict_state(c, sf, "DepthBufferSurfaceFormat") !=
                             strict_state(c, depth, "SurfaceFormat"),
                "%u and %u",
                (unsigned)strict_state(c, sf, "DepthBufferSurfaceFormat"),
                (unsigned)strict_state(c, depth, "SurfaceFormat"));
   STRICT_CHECK(c, FF_69,
                test->DepthTestEnable && test->DepthBufferWriteEnable &&
                   test->DepthTestFunction == COMPAREFUNCTION_EQUAL,
                "%s", "");
   STRICT_CHECK(c, FF_23,
                strict_state(c, depth, "HierarchicalDepthBufferEnable") &&
                   !strict_state(c, "3DSTATE_HIER_DEPTH_BUFFER",
                                 "SurfaceBaseAddress"),
                "%s", "HiZ is on, and nowhere");
}

/* "NP PMA Fix Enable" is for what is tested before a shader that may take
 * pixels away. */
static void
draw_pma_fix(struct strict_command *c)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   const bool on = cs_get_register(c->cs, 0x7004) >> 11 & 1;
   const bool kills =
      s->ps_extra.PixelShaderKillsPixel ||
      s->ps_extra.oMaskPresenttoRenderTarget ||
      strict_state(c, "3DSTATE_PS_BLEND", "AlphaToCoverageEnable") ||
      strict_state(c, "3DSTATE_PS_BLEND", "AlphaTestEnable") ||
      s->wm.ForceKillPixelEnable == 2;
   const bool writes = (s->wm_depth_stencil.DepthBufferWriteEnable &&
                        s->depth_buffer.DepthWriteEnable) ||
                       (s->wm_depth_stencil.StencilBufferWriteEnable &&
                        s->depth_buffer.StencilWriteEnable);
   const bool wanted =
      has_depth(c) && s->depth_buffer.HierarchicalDepthBufferEnable &&
      s->wm_depth_stencil.DepthTestEnable && s->ps_extra.PixelShaderValid &&
      s->wm.EarlyDepthStencilControl != EARLY_BEFORE_PS &&
      c->c->hz == HZ_NONE &&
      ((kills && writes) || s->ps_extra.PixelShaderComputedDepthMode);
   STRICT_CHECK(c, FF_37, on && !wanted, "%s", "");
}

/* The value's bits are a float since Gen8, before as in the buffer. */
static float
clear_value(const struct strict_command *c)
{
   const uint32_t bits =
      (uint32_t)strict_state(c, "3DSTATE_CLEAR_PARAMS", "DepthClearValue");
   const unsigned format =
      (unsigned)strict_state(c, "3DSTATE_DEPTH_BUFFER", "SurfaceFormat");
   float value;
   memcpy(&value, &bits, sizeof(value));
   if (!sim_traits(c->cs->spec->verx10)->depth_clear_has_format ||
       format == DEPTH_D32)
      return value;
   return (float)bits / (float)(format == DEPTH_D16 ? 0xffff : 0xffffff);
}

static void
check_clear_value(struct strict_command *c)
{
   const float value = clear_value(c);
   uint32_t dw[2];
   float least, most;
   if (!c->c->pointer_sent[POINTER_CC_VIEWPORT] ||
       !read_dynamic(
          c, c->cs->hw->state.viewport_state_pointers_cc.CCViewportPointer,
          dw, 2))
      return;
   memcpy(&least, &dw[0], sizeof(least));
   memcpy(&most, &dw[1], sizeof(most));
   STRICT_CHECK(c, FF_22, !(value >= least && value <= most),
                "%g is not in %g to %g", (double)value, (double)least,
                (double)most);
}

static void
check_hz(struct strict_command *c)
{
   const bool clear = strict_get(c, "DepthBufferClearEnable");
   const bool whole = strict_get(c, "FullSurfaceDepthandStencilClear");
   const bool resolve = strict_get(c, "DepthBufferResolveEnable") ||
                        strict_get(c, "HierarchicalDepthBufferResolveEnable");
   const bool d16 =
      strict_state(c, "3DSTATE_DEPTH_BUFFER", "SurfaceFormat") == DEPTH_D16;
   const unsigned x0 = (unsigned)strict_get(c, "ClearRectangleXMin");
   const unsigned y0 = (unsigned)strict_get(c, "ClearRectangleYMin");
   const unsigned x1 = (unsigned)strict_get(c, "ClearRectangleXMax");
   const unsigned y1 = (unsigned)strict_get(c, "ClearRectangleYMax");
   const bool aligned = !((x0 | x1) % 8 || (y0 | y1) % 4);
   STRICT_CHECK(c, FF_19, resolve && !aligned, "%u, %u to %u, %u", x0, y0, x1,
                y1);
   STRICT_CHECK(c, FF_20, clear && d16 && !whole && !aligned,
                "%u, %u to %u, %u of D16", x0, y0, x1, y1);
   STRICT_CHECK(c, FF_20, clear && (x1 > 16383 || y1 > 16383), "to %u, %u",
                x1, y1);
   if (clear)
      check_clear_value(c);
}

/*
 * Samples, the guard band
 */

/* From the centre, in sixteenths, squared. */
static unsigned
distance(uint32_t position)
{
   const int x = (int)(position >> 4 & 0xf) - 8,
             y = (int)(position & 0xf) - 8;
   return (unsigned)(x * x + y * y);
}

/* Where each count's samples begin, in bytes: from dword 1 of Gen9, and
 * Gen8's has no sixteen. */
static void
check_pattern(struct strict_command *c)
{
   static const struct {
      unsigned count, dw, dw_gen8;
   } rows[] = { { 16, 1, 0 }, { 8, 5, 5 }, { 4, 7, 7 }, { 2, 8, 8 } };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const bool sixteen = c->s->gpu->info->sample_counts & 16;
      const unsigned dw = sixteen ? rows[i].dw : rows[i].dw_gen8;
      unsigned last = 0;
      for (unsigned k = 0; dw && k < rows[i].count; k++) {
         /* The second four of eight are in the dword before. */
         const unsigned at = rows[i].count == 8 ? (k < 4 ? dw + 1 : dw)
                                                : dw + k / 4;
         const unsigned d = distance(c->dw[at] >> (8 * (k % 4)));
         STRICT_CHECK(c, FF_62, d < last, "sample %u of %u", k,
                      rows[i].count);
         last = d;
      }
   }
}

static void
draw_guard_band(struct strict_command *c)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   struct GEN9_SF_CLIP_VIEWPORT v;
   uint32_t dw[16];
   if (!s->clip.GuardbandClipTestEnable || !s->sf.ViewportTransformEnable ||
       !read_dynamic(c,
                     s->viewport_state_pointers_sf_clip.SFClipViewportPointer,
                     dw, 16))
      return;
   sim_unpack_sf_clip_viewport(c->cs->spec->verx10, dw, &v);
   const float edges[] = {
      v.ViewportMatrixElementm00 * v.XMinClipGuardband +
         v.ViewportMatrixElementm30,
      v.ViewportMatrixElementm00 * v.XMaxClipGuardband +
         v.ViewportMatrixElementm30,
      v.ViewportMatrixElementm11 * v.YMinClipGuardband +
         v.ViewportMatrixElementm31,
      v.ViewportMatrixElementm11 * v.YMaxClipGuardband +
         v.ViewportMatrixElementm31,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(edges); i++)
      STRICT_CHECK(c, FF_61, edges[i] < -16385.0f || edges[i] > 16385.0f,
                   "%g", (double)edges[i]);
}

void
strict_draw_pixels(struct strict_command *c)
{
   if (strict_state(c, "3DSTATE_WM", "DepthBufferClear"))
      check_clear_value(c);
   draw_blending(c);
   draw_dispatch(c);
   draw_samples(c);
   draw_operation(c);
   draw_depth(c);
   draw_pma_fix(c);
   draw_guard_band(c);
   c->c->draws = STRICT_DRAWS_OPEN;
}

static void
check_scissors(struct strict_command *c)
{
   const uint32_t at = (uint32_t)strict_address(c, "ScissorRectPointer");
   STRICT_CHECK(c, RL_45, at % 64, "0x%x", at);
}

/*
 * How a batch that draws ends
 */

static void
check_cc_state(struct strict_command *c)
{
   if (c->c->draws == STRICT_DRAWS_OPEN)
      c->c->draws = STRICT_DRAWS_CC_STATE;
}

static void
check_flush(struct strict_command *c)
{
   const uint32_t wanted = PC_TARGET_FLUSH | PC_CS_STALL;
   if (c->c->draws == STRICT_DRAWS_CC_STATE && (c->dw[1] & wanted) == wanted)
      c->c->draws = STRICT_DRAWS_ENDED;
}

static void
check_end(struct strict_command *c)
{
   STRICT_CHECK(
      c, CO_58, c->c->draws != STRICT_DRAWS_ENDED, "%s",
      c->c->draws == STRICT_DRAWS_CC_STATE ? "the flush is not there" : "");
}

const struct strict_row strict_pixel_rows[] = {
   { "3DSTATE_SCISSOR_STATE_POINTERS", false, check_scissors },
   { "3DSTATE_CC_STATE_POINTERS", false, check_cc_state },
   { "PIPE_CONTROL", false, check_flush },
   { "MI_BATCH_BUFFER_END", false, check_end },
   { "3DSTATE_PS_EXTRA", false, check_ps_extra },
   { "3DSTATE_DEPTH_BUFFER", false, check_depth_buffer },
   { "3DSTATE_WM_HZ_OP", false, check_hz },
   { "3DSTATE_SAMPLE_PATTERN", false, check_pattern },
   { NULL, false, NULL },
};
