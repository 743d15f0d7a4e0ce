/* SPDX-License-Identifier: MIT */
/* Packets that mix a pipeline's state with what commands set at will. */
#include <math.h>

#include "genX_private.h"
#include "intel/dev/intel_workaround.h"

/* Clipping only has to keep coordinates in what the rasteriser can count:
 * 16k pixels either way (SKL PRM vol 7, "Guard Band"). */
#define GUARDBAND_PX 16384.0f

/* Where the guard band begins and ends, in the viewport's coordinates, of
 * which a mirrored one (scale < 0) ends at the first pixel. */
static void
guardband(float scale, float offset, float *min, float *max)
{
   const float size = MAX2(fabsf(scale), 1e-6f);
   const float middle = scale < 0 ? -offset : offset;
   *min = MIN2((-GUARDBAND_PX - middle) / size, -1.0f);
   *max = MAX2((GUARDBAND_PX - middle) / size, 1.0f);
}

static void
fill_sf_clip_viewport(const struct saf_gfx_state *gfx, const VkViewport *vp,
                      void *map)
{
   /* From -w to w instead of 0 to w, clip space is twice as deep. */
   const float depth = vp->maxDepth - vp->minDepth;
   const bool both = gfx->negative_one_to_one;
   const float sx = vp->width / 2, sy = vp->height / 2;
   const float tx = vp->x + sx, ty = vp->y + sy;
   saf_fill(map, SF_CLIP_VIEWPORT, v)
   {
      v.ViewportMatrixElementm00 = sx;
      v.ViewportMatrixElementm11 = sy;
      v.ViewportMatrixElementm22 = both ? depth / 2 : depth;
      v.ViewportMatrixElementm30 = tx;
      v.ViewportMatrixElementm31 = ty;
      v.ViewportMatrixElementm32 = both ? (vp->minDepth + vp->maxDepth) / 2
                                        : vp->minDepth;
      guardband(sx, tx, &v.XMinClipGuardband, &v.XMaxClipGuardband);
      guardband(sy, ty, &v.YMinClipGuardband, &v.YMaxClipGuardband);
#if GEN_VERX10 >= 80
      v.XMinViewPort = vp->x;
      v.XMaxViewPort = vp->x + vp->width - 1;
      v.YMinViewPort = MIN2(vp->y, vp->y + vp->height);
      v.YMaxViewPort = MAX2(vp->y, vp->y + vp->height) - 1;
#endif
   }
}

/* Depth is clamped to a range of its own or the viewport's if asked for, and
 * always to what the depth buffer holds, which is what depthClampZeroOne asks
 * for. */
static void
fill_cc_viewport(const struct saf_gfx_state *gfx, const VkViewport *vp,
                 void *map)
{
   const VkDepthClampRangeEXT all = { 0.0f, 1.0f };
   const VkDepthClampRangeEXT viewport = { MIN2(vp->minDepth, vp->maxDepth),
                                           MAX2(vp->minDepth, vp->maxDepth) };
   const VkDepthClampRangeEXT *range = !gfx->depth_clamp ? &all
                                       : gfx->own_clamp_range
                                          ? &gfx->clamp_range
                                          : &viewport;
   saf_fill(map, CC_VIEWPORT, v)
   {
      v.MinimumDepth = CLAMP(range->minDepthClamp, 0.0f, 1.0f);
      v.MaximumDepth = CLAMP(range->maxDepthClamp, 0.0f, 1.0f);
   }
}

void
genX(emit_viewports)(struct saf_cmd_buffer *cmd)
{
   const struct saf_gfx_state *gfx = &cmd->draw.gfx;
   uint32_t sf[SAF_MAX_VIEWPORTS][GENX(SF_CLIP_VIEWPORT_length)];
   uint32_t cc[SAF_MAX_VIEWPORTS][GENX(CC_VIEWPORT_length)];
   const unsigned n = gfx->viewport_count;
   for (unsigned i = 0; i < n; i++) {
      const VkViewport *vp = &gfx->viewports[i];
      fill_sf_clip_viewport(gfx, vp, sf[i]);
      fill_cc_viewport(gfx, vp, cc[i]);
   }
   saf_emit_state(cmd, 3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP, p)
      p.SFClipViewportPointer = genX(
      keep_state)(cmd, SAF_KEPT_SF_CLIP_VIEWPORT, sf, n * sizeof(sf[0]), 64);
   saf_emit_state(cmd, 3DSTATE_VIEWPORT_STATE_POINTERS_CC, p)
      p.CCViewportPointer =
      genX(keep_state)(cmd, SAF_KEPT_CC_VIEWPORT, cc, n * sizeof(cc[0]), 32);
}

/* The pixels from *begin to before *end that a viewport has on one axis.
 * Gen7 has no fields for them in SF_CLIP_VIEWPORT, as Broadwell has,
 * and draws what of a primitive is between viewport and guard band. */
static void
shrink_to_viewport(float start, float size, int64_t *begin, int64_t *end)
{
#if GEN_VERX10 < 80
   *begin = MAX2(*begin, (int64_t)floorf(MIN2(start, start + size)));
   *end = MIN2(*end, (int64_t)ceilf(MAX2(start, start + size)));
#endif
}

/* The rectangle's corners are inclusive; an empty one has its ends swapped,
 * so that no pixel is between them. */
static void
fill_scissor(const struct saf_targets *t, const VkViewport *vp,
             const VkRect2D *s, void *map)
{
   int64_t x0 = MAX2(s->offset.x, 0), y0 = MAX2(s->offset.y, 0);
   int64_t x1 =
      MIN2((int64_t)s->offset.x + s->extent.width, (int64_t)t->width);
   int64_t y1 =
      MIN2((int64_t)s->offset.y + s->extent.height, (int64_t)t->height);
   shrink_to_viewport(vp->x, vp->width, &x0, &x1);
   shrink_to_viewport(vp->y, vp->height, &y0, &y1);
   saf_fill(map, SCISSOR_RECT, r)
   {
      if (x0 < x1 && y0 < y1) {
         r.ScissorRectangleXMin = (uint32_t)x0;
         r.ScissorRectangleYMin = (uint32_t)y0;
         r.ScissorRectangleXMax = (uint32_t)x1 - 1;
         r.ScissorRectangleYMax = (uint32_t)y1 - 1;
      } else {
         r.ScissorRectangleXMin = 1;
         r.ScissorRectangleYMin = 1;
         r.ScissorRectangleXMax = 0;
         r.ScissorRectangleYMax = 0;
      }
   }
}

void
genX(emit_scissors)(struct saf_cmd_buffer *cmd)
{
   uint32_t rects[SAF_MAX_VIEWPORTS][GENX(SCISSOR_RECT_length)];
   const unsigned n = cmd->draw.gfx.viewport_count;
   for (unsigned i = 0; i < n; i++)
      fill_scissor(&cmd->targets, &cmd->draw.gfx.viewports[i],
                   &cmd->draw.gfx.scissors[i], rects[i]);
   /* The pointer has bits from 32 bytes on, the chip wants 64 (chip-rules
    * RL-45). */
   saf_emit_state(cmd, 3DSTATE_SCISSOR_STATE_POINTERS, p)
      p.ScissorRectPointer = genX(keep_state)(cmd, SAF_KEPT_SCISSOR, rects,
                                              n * sizeof(rects[0]), 64);
}

/* As what primitives reach the rasteriser. */
static VkPolygonMode
rasterized_as(const struct saf_draw_state *draw)
{
   const struct saf_shader *last = draw->pipeline->last;
   bool points, lines;
   if (last->stage == MESA_SHADER_GEOMETRY) {
      points = last->prog.gs.topology == INTEL_GS_POINTLIST;
      lines = last->prog.gs.topology == INTEL_GS_LINESTRIP;
   } else if (last->stage == MESA_SHADER_TESS_EVAL) {
      points = last->prog.tes.topology == INTEL_TESS_OUTPUT_POINT;
      lines = last->prog.tes.topology == INTEL_TESS_OUTPUT_LINE;
   } else {
      const VkPrimitiveTopology t = draw->gfx.topology;
      points = t == VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
      lines = t == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
              t == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ||
              t == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
              t == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
   }
   return points  ? VK_POLYGON_MODE_POINT
          : lines ? VK_POLYGON_MODE_LINE
                  : draw->gfx.polygon_mode;
}

/* A width of 0 is that of thin lines by the diamond-exit rule; one of 1 would
 * be a parallelogram (SKL PRM vol 2a, 3DSTATE_SF "Line Width"). */
static float
line_width(const struct saf_gfx_state *gfx)
{
   const float width = gfx->line_width;
   if (saf_gfx_line_mode(gfx) == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT &&
       width <= 1.0f)
      return 0.0f;
   return CLAMP(width, 1.0f / 128, 1023.0f / 128);
}

static uint32_t
fill_mode(VkPolygonMode mode)
{
   switch ((int)mode) {
   case VK_POLYGON_MODE_FILL: return FILL_MODE_SOLID;
   case VK_POLYGON_MODE_LINE: return FILL_MODE_WIREFRAME;
   case VK_POLYGON_MODE_POINT: return FILL_MODE_POINT;
   }
   unreachable("polygon mode that is not advertised");
}

static uint32_t
cull_mode(VkCullModeFlags mode)
{
   switch (mode) {
   case VK_CULL_MODE_NONE: return CULLMODE_NONE;
   case VK_CULL_MODE_FRONT_BIT: return CULLMODE_FRONT;
   case VK_CULL_MODE_BACK_BIT: return CULLMODE_BACK;
   default: return CULLMODE_BOTH;
   }
}

static uint32_t
front_winding(const struct saf_gfx_state *d)
{
   return d->front_face == VK_FRONT_FACE_CLOCKWISE ? FRONT_WINDING_CW
                                                   : FRONT_WINDING_CCW;
}

void
genX(emit_clip)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   const struct saf_gfx_state *dyn = &cmd->draw.gfx;
   const bool last = cmd->draw.gfx.provoking_last;
   saf_emit_state(cmd, 3DSTATE_CLIP, clip)
   {
      clip.ClipEnable = true;
      clip.StatisticsEnable = !pipeline->internal;
      clip.APIMode = dyn->negative_one_to_one ? APIMODE_OGL : APIMODE_D3D;
      /* What is wide is seen though its vertices are not: the guard band
       * alone counts (SNB PRM vol 2 part 1, 5.2.5.4 "Wide Points"). */
      clip.ViewportXYClipTestEnable = rasterized_as(&cmd->draw) ==
                                      VK_POLYGON_MODE_FILL;
      clip.GuardbandClipTestEnable = true;
      clip.ClipMode = dyn->rasterizer_discard ? CLIPMODE_REJECT_ALL
                                              : CLIPMODE_NORMAL;
      clip.NonPerspectiveBarycentricEnable =
         saf_pipeline_fs(pipeline) &&
         saf_pipeline_fs(pipeline)->uses_nonperspective;
      clip.TriangleStripListProvokingVertexSelect = last ? 2 : 0;
      clip.LineStripListProvokingVertexSelect = last ? 1 : 0;
      clip.TriangleFanProvokingVertexSelect = last ? 2 : 1;
      clip.MinimumPointWidth = 0.125f;
      clip.MaximumPointWidth = 255.875f;
      /* The header may not be written at all. */
      clip.MaximumVPIndex =
         pipeline->out.writes_viewport ? dyn->viewport_count - 1 : 0;
      /* Also what OpenGL asks of a framebuffer that is not layered. */
      clip.ForceZeroRTAIndexEnable = !pipeline->out.writes_layer ||
                                     cmd->targets.layers <= 1;
#if GEN_VERX10 < 80
      clip.FrontWinding = front_winding(dyn);
      clip.CullMode = cull_mode(dyn->cull_mode);
      clip.ViewportZClipTestEnable = saf_gfx_clips_depth(dyn);
      clip.UserClipDistanceClipTestEnableBitmask =
         pipeline->out.clip_distance_mask;
      clip.UserClipDistanceCullTestEnableBitmask =
         pipeline->out.cull_distance_mask;
#endif
   }
}

/* Lines are rectangles in a multisampling rasteriser, with one sample, too
 * (BDW: 3DSTATE_RASTER, "DX Multisample Rasterization Enable"), and then not
 * smooth: smooth ones are those of the other rasteriser, which has all
 * samples of a pixel covered and the area in alpha. What is not a line does
 * not care with one sample. */
static bool
has_smooth_lines(const struct saf_draw_state *draw)
{
   return rasterized_as(draw) == VK_POLYGON_MODE_LINE &&
          saf_gfx_line_mode(&draw->gfx) ==
             VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT;
}

uint32_t
genX(rasterization_mode)(const struct saf_draw_state *draw)
{
   const struct saf_gfx_state *gfx = &draw->gfx;
   const bool multisample =
      rasterized_as(draw) == VK_POLYGON_MODE_LINE
         ? !has_smooth_lines(draw) &&
              saf_gfx_line_mode(gfx) !=
                 VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT
         : gfx->samples > 1;
   return !multisample       ? MSRASTMODE_OFF_PIXEL
          : gfx->samples > 1 ? MSRASTMODE_ON_PATTERN
                             : MSRASTMODE_ON_PIXEL;
}

#if GEN_VERX10 < 80
/* What 3DSTATE_RASTER says from Gen8 on. */
static void
set_raster(struct GENX(3DSTATE_SF) * sf, const struct saf_cmd_buffer *cmd)
{
   const struct saf_gfx_state *dyn = &cmd->draw.gfx;
   sf->FrontWinding = front_winding(dyn);
   sf->CullMode = cull_mode(dyn->cull_mode);
   sf->FrontFaceFillMode = fill_mode(dyn->polygon_mode);
   sf->BackFaceFillMode = fill_mode(dyn->polygon_mode);
   sf->ScissorRectangleEnable = true;
   sf->AntialiasingEnable = has_smooth_lines(&cmd->draw);
   sf->MultisampleRasterizationMode = genX(rasterization_mode)(&cmd->draw);
   /* Offsets are counted in what the buffer can tell apart. */
   sf->DepthBufferSurfaceFormat =
      cmd->targets.depth ? genX(depth_format)(cmd->targets.depth) : D32_FLOAT;
   sf->GlobalDepthOffsetEnableSolid = dyn->depth_bias;
   sf->GlobalDepthOffsetEnableWireframe = dyn->depth_bias;
   sf->GlobalDepthOffsetEnablePoint = dyn->depth_bias;
   sf->GlobalDepthOffsetConstant = dyn->depth_bias_constant;
   sf->GlobalDepthOffsetScale = dyn->depth_bias_slope;
   sf->GlobalDepthOffsetClamp = dyn->depth_bias_clamp;
#if GEN_VERX10 == 75
   sf->LineStippleEnable = dyn->line_stipple;
#endif
}
#endif

void
genX(emit_sf)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   const bool last = cmd->draw.gfx.provoking_last;
   saf_emit_state(cmd, 3DSTATE_SF, sf)
   {
#if GEN_VERX10 < 80
      set_raster(&sf, cmd);
#endif
      sf.ViewportTransformEnable = true;
      sf.StatisticsEnable = true;
      sf.LineWidth = line_width(&cmd->draw.gfx);
      sf.LineEndCapAntialiasingRegionWidth = _10pixels;
      sf.AALineDistanceMode = AALINEDISTANCE_TRUE;
      sf.VertexSubPixelPrecisionSelect = VERTEX_SUBPIXEL_8BIT;
      sf.PointWidth = 1.0f;
      sf.PointWidthSource = pipeline->out.writes_point_size
                               ? POINT_WIDTH_VERTEX
                               : POINT_WIDTH_STATE;
      sf.TriangleStripListProvokingVertexSelect = last ? 2 : 0;
      sf.LineStripListProvokingVertexSelect = last ? 1 : 0;
      sf.TriangleFanProvokingVertexSelect = last ? 2 : 1;
   }
}

#if GEN_VERX10 >= 80
void
genX(emit_raster)(struct saf_cmd_buffer *cmd)
{
   const struct saf_gfx_state *dyn = &cmd->draw.gfx;
   const uint32_t mode = genX(rasterization_mode)(&cmd->draw);
   saf_emit_state(cmd, 3DSTATE_RASTER, r)
   {
      r.APIMode = DX100;
      r.AntialiasingEnable = has_smooth_lines(&cmd->draw);
      r.DXMultisampleRasterizationEnable = mode != MSRASTMODE_OFF_PIXEL;
      r.DXMultisampleRasterizationMode = mode;
      r.ForcedSampleCount = FSC_NUMRASTSAMPLES_0;
      r.FrontWinding = front_winding(dyn);
      r.CullMode = cull_mode(dyn->cull_mode);
      r.FrontFaceFillMode = fill_mode(dyn->polygon_mode);
      r.BackFaceFillMode = fill_mode(dyn->polygon_mode);
      r.ScissorRectangleEnable = true;
#if GEN_VERX10 >= 90
      r.ConservativeRasterizationEnable = dyn->conservative;
      r.ViewportZNearClipTestEnable = saf_gfx_clips_depth(dyn);
      r.ViewportZFarClipTestEnable = saf_gfx_clips_depth(dyn);
#else
      r.ViewportZClipTestEnable = saf_gfx_clips_depth(dyn);
#endif
      r.GlobalDepthOffsetEnableSolid = dyn->depth_bias;
      r.GlobalDepthOffsetEnableWireframe = dyn->depth_bias;
      r.GlobalDepthOffsetEnablePoint = dyn->depth_bias;
      r.GlobalDepthOffsetConstant = dyn->depth_bias_constant;
      r.GlobalDepthOffsetScale = dyn->depth_bias_slope;
      r.GlobalDepthOffsetClamp = dyn->depth_bias_clamp;
   }
}
#endif

/* ---- depth, stencil, colour calculator ---- */

static uint32_t
compare_function(VkCompareOp op)
{
   switch (op) {
   case VK_COMPARE_OP_NEVER: return COMPAREFUNCTION_NEVER;
   case VK_COMPARE_OP_LESS: return COMPAREFUNCTION_LESS;
   case VK_COMPARE_OP_EQUAL: return COMPAREFUNCTION_EQUAL;
   case VK_COMPARE_OP_LESS_OR_EQUAL: return COMPAREFUNCTION_LEQUAL;
   case VK_COMPARE_OP_GREATER: return COMPAREFUNCTION_GREATER;
   case VK_COMPARE_OP_NOT_EQUAL: return COMPAREFUNCTION_NOTEQUAL;
   case VK_COMPARE_OP_GREATER_OR_EQUAL: return COMPAREFUNCTION_GEQUAL;
   case VK_COMPARE_OP_ALWAYS: return COMPAREFUNCTION_ALWAYS;
   case VK_COMPARE_OP_MAX_ENUM: break;
   }
   unreachable("compare op");
}

static uint32_t
stencil_op(VkStencilOp op)
{
   switch (op) {
   case VK_STENCIL_OP_KEEP: return STENCILOP_KEEP;
   case VK_STENCIL_OP_ZERO: return STENCILOP_ZERO;
   case VK_STENCIL_OP_REPLACE: return STENCILOP_REPLACE;
   case VK_STENCIL_OP_INCREMENT_AND_CLAMP: return STENCILOP_INCRSAT;
   case VK_STENCIL_OP_DECREMENT_AND_CLAMP: return STENCILOP_DECRSAT;
   case VK_STENCIL_OP_INVERT: return STENCILOP_INVERT;
   case VK_STENCIL_OP_INCREMENT_AND_WRAP: return STENCILOP_INCR;
   case VK_STENCIL_OP_DECREMENT_AND_WRAP: return STENCILOP_DECR;
   case VK_STENCIL_OP_MAX_ENUM: break;
   }
   unreachable("stencil op");
}

/* Before Gen8 the same fields are in memory. */
#if GEN_VERX10 >= 80
#define DEPTH_STENCIL 3DSTATE_WM_DEPTH_STENCIL
#else
#define DEPTH_STENCIL DEPTH_STENCIL_STATE
#endif

static void
fill_depth_stencil(const struct saf_cmd_buffer *cmd,
                   struct GENX(DEPTH_STENCIL) * ds)
{
   const struct saf_gfx_state *dyn = &cmd->draw.gfx;
   const bool depth = dyn->depth_test && cmd->targets.depth;
   const bool stencil = dyn->stencil_test && cmd->targets.stencil;
   ds->DepthTestEnable = depth;
   /* Without a test in such a rectangle alone. */
   ds->DepthBufferWriteEnable = (depth || cmd->hiz_rectangle) &&
                                dyn->depth_write;
   ds->DepthTestFunction = depth ? compare_function(dyn->depth_compare)
                                 : COMPAREFUNCTION_ALWAYS;
   /* What passes would write what is there. */
   if (depth && dyn->depth_compare == VK_COMPARE_OP_EQUAL &&
       intel_needs_workaround(cmd->device->info,
                              INTEL_WA_EQUAL_DEPTH_IS_NOT_WRITTEN))
      ds->DepthBufferWriteEnable = false;
   ds->StencilTestEnable = stencil;
   ds->DoubleSidedStencilEnable = stencil;
   if (!stencil)
      return;
   ds->StencilBufferWriteEnable = dyn->front.write_mask ||
                                  dyn->back.write_mask;
   ds->StencilTestFunction = compare_function(dyn->front.compare);
   ds->StencilFailOp = stencil_op(dyn->front.fail);
   ds->StencilPassDepthFailOp = stencil_op(dyn->front.depth_fail);
   ds->StencilPassDepthPassOp = stencil_op(dyn->front.pass);
   ds->BackfaceStencilTestFunction = compare_function(dyn->back.compare);
   ds->BackfaceStencilFailOp = stencil_op(dyn->back.fail);
   ds->BackfaceStencilPassDepthFailOp = stencil_op(dyn->back.depth_fail);
   ds->BackfaceStencilPassDepthPassOp = stencil_op(dyn->back.pass);
   ds->StencilTestMask = dyn->front.compare_mask;
   ds->StencilWriteMask = dyn->front.write_mask;
   ds->BackfaceStencilTestMask = dyn->back.compare_mask;
   ds->BackfaceStencilWriteMask = dyn->back.write_mask;
#if GEN_VERX10 >= 90
   ds->StencilReferenceValue = dyn->front.reference;
   ds->BackfaceStencilReferenceValue = dyn->back.reference;
#endif
}

void
genX(emit_depth_stencil)(struct saf_cmd_buffer *cmd)
{
#if GEN_VERX10 >= 80
   saf_emit_state(cmd, 3DSTATE_WM_DEPTH_STENCIL, ds)
      fill_depth_stencil(cmd, &ds);
#else
   uint32_t state[GENX(DEPTH_STENCIL_STATE_length)];
   saf_fill(state, DEPTH_STENCIL_STATE, ds) fill_depth_stencil(cmd, &ds);
   saf_emit_state(cmd, 3DSTATE_DEPTH_STENCIL_STATE_POINTERS, p)
   {
      p.DepthStencilStatePointer = genX(
         keep_state)(cmd, SAF_KEPT_DEPTH_STENCIL, state, sizeof(state), 64);
      p.DepthStencilStatePointerValid = true;
   }
#endif
}

void
genX(emit_color_calc)(struct saf_cmd_buffer *cmd)
{
   const struct saf_gfx_state *dyn = &cmd->draw.gfx;
   const float *c = dyn->blend_constants;
   uint32_t state[GENX(COLOR_CALC_STATE_length)];
   saf_fill(state, COLOR_CALC_STATE, cc)
   {
      cc.BlendConstantColorRed = c[0];
      cc.BlendConstantColorGreen = c[1];
      cc.BlendConstantColorBlue = c[2];
      cc.BlendConstantColorAlpha = c[3];
#if GEN_VERX10 < 90
      cc.StencilReferenceValue = dyn->front.reference;
      cc.BackfaceStencilReferenceValue = dyn->back.reference;
#endif
   }
   saf_emit_state(cmd, 3DSTATE_CC_STATE_POINTERS, p)
   {
      p.ColorCalcStatePointer =
         genX(keep_state)(cmd, SAF_KEPT_COLOR_CALC, state, sizeof(state), 64);
      p.ColorCalcStatePointerValid = true;
   }
}

void
genX(emit_line_stipple)(struct saf_cmd_buffer *cmd)
{
   const struct saf_gfx_state *dyn = &cmd->draw.gfx;
   if (!dyn->line_stipple)
      return;
   const uint32_t factor = CLAMP(dyn->line_stipple_factor, 1, 256);
   saf_emit_state(cmd, 3DSTATE_LINE_STIPPLE, ls)
   {
      ls.LineStipplePattern = dyn->line_stipple_pattern;
      ls.LineStippleRepeatCount = factor;
      ls.LineStippleInverseRepeatCount = 1.0f / (float)factor;
   }
}

/* Primitive restart depends on the width of an index. */
#if GEN_VERX10 >= 75
void
genX(emit_vf)(struct saf_cmd_buffer *cmd)
{
   static const uint32_t cut[] = { 0xff, 0xffff, 0xffffffff };
   const unsigned size = cmd->index_type == VK_INDEX_TYPE_UINT32   ? 2
                         : cmd->index_type == VK_INDEX_TYPE_UINT16 ? 1
                                                                   : 0;
   saf_emit_state(cmd, 3DSTATE_VF, vf)
   {
      vf.IndexedDrawCutIndexEnable = cmd->draw.gfx.primitive_restart;
      vf.CutIndex = cut[size];
   }
}
#endif
