/* SPDX-License-Identifier: MIT */
/*
 * Operations of the hierarchical depth buffer that draw nothing: PRM BDW and
 * SKL volume 7, "Hierarchical Depth Buffer", "Optimized Depth Buffer Clear
 * and/or Stencil Buffer Clear", "Depth Buffer Resolve". Gen7 would do them by
 * drawing a rectangle, which is not written.
 */
#include "genX_private.h"

#if GEN_VERX10 >= 80
static void
sync_depth(struct saf_cmd_buffer *cmd)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .DepthCacheFlushEnable = true,
                              .DepthStallEnable = true,
                              .CommandStreamerStallEnable = true,
                           });
}

void
genX(hiz_op)(struct saf_cmd_buffer *cmd, enum saf_hiz_op op)
{
   struct saf_batch *batch = &cmd->batch;
   const struct saf_targets *t = &cmd->targets;
   assert(t->depth && t->hiz && "there is something to operate on");
   genX(select_3d)(cmd);
   genX(emit_targets)(cmd);
   sync_depth(cmd);
   saf_emit(batch, 3DSTATE_MULTISAMPLE, ms)
      ms.PixelLocation = PIXEL_LOCATION_CENTER;
   saf_emit(batch, 3DSTATE_RASTER, raster);
#if GEN_VERX10 == 80
   /* A draw may have forced threads on (chip-rules CO-34). */
   saf_emit(batch, 3DSTATE_WM, wm);
#endif
   saf_emit(batch, 3DSTATE_WM_HZ_OP, hz)
   {
      hz.DepthBufferClearEnable = op == SAF_HIZ_CLEAR;
      hz.FullSurfaceDepthandStencilClear = op == SAF_HIZ_CLEAR;
      hz.DepthBufferResolveEnable = op == SAF_HIZ_RESOLVE;
      /* Whole blocks, whose rest nobody looks at (chip-rules FF-19); the last
       * pixels are outside (FF-21). */
      hz.ClearRectangleXMax = ALIGN(t->depth->logical_level0_px.w, 8u);
      hz.ClearRectangleYMax = ALIGN(t->depth->logical_level0_px.h, 4u);
      hz.SampleMask = 0xffff;
   }
   /* It happens after a packet with nothing but this, and before the state
    * goes (chip-rules CO-34). */
   genX(pipe_control)(
      cmd, (struct GENX(PIPE_CONTROL)) {
              GENX(PIPE_CONTROL_header),
              .PostSyncOperation = WriteImmediateData,
              .Address = cmd->device->null_bo->addr + SAF_WORKAROUND_OFFSET_B,
           });
   saf_emit(batch, 3DSTATE_WM_HZ_OP, hz);
   sync_depth(cmd);
   /* What was set for it is the pipeline's again. */
   cmd->dirty |= SAF_DIRTY_PIPELINE;
}
#endif
