/* SPDX-License-Identifier: MIT */
/* Depth and stencil targets; those of colour are in tables. */
#include <math.h>

#include "genX_private.h"
#include "intel/dev/intel_workaround.h"

uint32_t
genX(depth_format)(const struct isl_surf *surf)
{
   switch ((int)surf->format) {
   case ISL_FORMAT_R32_FLOAT: return D32_FLOAT;
   case ISL_FORMAT_R24_UNORM_X8_TYPELESS: return D24_UNORM_X8_UINT;
   case ISL_FORMAT_R16_UNORM: return D16_UNORM;
   }
   unreachable("depth format");
}

static void
stall_depth(struct saf_cmd_buffer *cmd)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .DepthStallEnable = true,
                           });
}

#if GEN_VERX10 >= 80
static float
clear_value(const struct saf_targets *t)
{
   return t->depth_clear;
}
#else
/* In the buffer's format (IVB PRM vol 2 part 1, 3DSTATE_CLEAR_PARAMS). */
static uint32_t
clear_value(const struct saf_targets *t)
{
   if (!t->depth)
      return 0;
   switch ((int)t->depth->format) {
   case ISL_FORMAT_R32_FLOAT: return util_float_bits(t->depth_clear);
   case ISL_FORMAT_R24_UNORM_X8_TYPELESS:
      return (uint32_t)lrint((double)t->depth_clear * 0xffffff);
   case ISL_FORMAT_R16_UNORM:
      return (uint32_t)lrint((double)t->depth_clear * 0xffff);
   }
   unreachable("depth format");
}
#endif

/* Without a depth buffer the packet still gives the stencil buffer its type
 * and extent; depth is then neither tested nor written. */
/* Skylake has no depth buffers of one dimension: 3DSTATE_DEPTH_BUFFER, PRM
 * SKL vol 16, "Workarounds", no. 289. */
static uint32_t
depth_surface_type(const struct isl_surf *surf)
{
   return GEN_VERX10 < 90 && surf->dim == ISL_SURF_DIM_1D ? SURFTYPE_1D
                                                          : SURFTYPE_2D;
}

static void
emit_depth_buffer(struct saf_cmd_buffer *cmd)
{
   if (intel_needs_workaround(cmd->device->info,
                              INTEL_WA_DEPTH_STALLS_BEFORE_BUFFERS)) {
      stall_depth(cmd);
      genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                                 GENX(PIPE_CONTROL_header),
                                 .DepthCacheFlushEnable = true,
                              });
      stall_depth(cmd);
   }
   const struct saf_targets *t = &cmd->targets;
   const struct isl_surf *surf = t->depth ? t->depth : t->stencil;
   saf_emit(&cmd->batch, 3DSTATE_DEPTH_BUFFER, db)
   {
      db.SurfaceType = SURFTYPE_NULL;
      db.SurfaceFormat = D32_FLOAT;
      db.MOCS = cmd->device->info->mocs_cached;
      if (surf) {
         db.SurfaceType = depth_surface_type(surf);
         db.Width = surf->logical_level0_px.w - 1;
         db.Height = surf->logical_level0_px.h - 1;
         db.LOD = t->ds_level;
         db.MinimumArrayElement = t->ds_layer;
         db.Depth = t->ds_layers - 1;
         db.RenderTargetViewExtent = t->ds_layers - 1;
         db.StencilWriteEnable = t->stencil != NULL;
      }
      if (t->depth) {
         db.SurfaceFormat = genX(depth_format)(t->depth);
         db.SurfacePitch = t->depth->row_pitch_B - 1;
#if GEN_VERX10 >= 80
         db.SurfaceQPitch = t->depth->array_pitch_el_rows >> 2;
#endif
         db.SurfaceBaseAddress = t->depth_addr;
         db.DepthWriteEnable = true;
         db.HierarchicalDepthBufferEnable = t->hiz != NULL;
      }
   }
   saf_emit(&cmd->batch, 3DSTATE_STENCIL_BUFFER, sb)
   {
      sb.MOCS = cmd->device->info->mocs_cached;
      if (t->stencil) {
#if GEN_VERX10 >= 75
         sb.StencilBufferEnable = true;
#endif
         /* isl counts the pitch of W tiles as Y tiles have it. */
         sb.SurfacePitch = t->stencil->row_pitch_B - 1;
#if GEN_VERX10 >= 80
         sb.SurfaceQPitch = t->stencil->array_pitch_el_rows >> 2;
#endif
         sb.SurfaceBaseAddress = t->stencil_addr;
      }
   }
   saf_emit(&cmd->batch, 3DSTATE_HIER_DEPTH_BUFFER, hz)
   {
      hz.MOCS = cmd->device->info->mocs_cached;
      if (t->hiz) {
         hz.SurfacePitch = t->hiz->row_pitch_B - 1;
#if GEN_VERX10 >= 80
         hz.SurfaceQPitch = t->hiz->array_pitch_px_rows >> 2;
#endif
         hz.SurfaceBaseAddress = t->hiz_addr;
      }
   }
   saf_emit(&cmd->batch, 3DSTATE_CLEAR_PARAMS, cp)
   {
      cp.DepthClearValueValid = true;
      cp.DepthClearValue = clear_value(t);
   }
}

void
genX(emit_targets)(struct saf_cmd_buffer *cmd)
{
   emit_depth_buffer(cmd);
}
