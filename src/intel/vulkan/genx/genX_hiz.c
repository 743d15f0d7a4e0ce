/* SPDX-License-Identifier: MIT */
/*
 * Operations of the hierarchical depth buffer that draw nothing: PRM BDW and
 * SKL volume 7, "Hierarchical Depth Buffer", "Optimized Depth Buffer Clear
 * and/or Stencil Buffer Clear", "Depth Buffer Resolve". Gen7 draws a
 * rectangle for them, with a bit in 3DSTATE_WM that says which (PRM IVB
 * volume 2 part 1, "Depth Buffer Clear", "Depth Buffer Resolve").
 */
#include "genX_private.h"
#include "intel/vulkan/cmd/saf_meta.h"

/* Whole blocks, whose rest nobody looks at (chip-rules FF-19); on Gen8 and
 * later the last pixels are outside (FF-21). */
#define BLOCKS_W(surf) ALIGN((surf)->logical_level0_px.w, 8u)
#define BLOCKS_H(surf) ALIGN((surf)->logical_level0_px.h, 4u)

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
   saf_emit_state(cmd, 3DSTATE_MULTISAMPLE, ms)
      ms.PixelLocation = PIXEL_LOCATION_CENTER;
   saf_emit_state(cmd, 3DSTATE_RASTER, raster);
#if GEN_VERX10 == 80
   /* A draw may have forced threads on (chip-rules CO-34). */
   saf_emit_state(cmd, 3DSTATE_WM, wm);
#endif
   saf_emit(batch, 3DSTATE_WM_HZ_OP, hz)
   {
      hz.DepthBufferClearEnable = op == SAF_HIZ_CLEAR;
      hz.FullSurfaceDepthandStencilClear = op == SAF_HIZ_CLEAR;
      hz.DepthBufferResolveEnable = op == SAF_HIZ_RESOLVE;
      hz.ClearRectangleXMax = BLOCKS_W(t->depth);
      hz.ClearRectangleYMax = BLOCKS_H(t->depth);
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
   /* What was set for it is the draw's again. */
   cmd->dirty |= genX(reads_of_hiz_op);
}
#else
/* Flush and stall are packets of their own (chip-rules PC-03). */
static void
sync_depth(struct saf_cmd_buffer *cmd)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .DepthCacheFlushEnable = true,
                              .CommandStreamerStallEnable = true,
                           });
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .DepthStallEnable = true,
                           });
}

void
genX(hiz_op)(struct saf_cmd_buffer *cmd, enum saf_hiz_op op)
{
   const struct saf_targets *t = &cmd->targets;
   assert(t->depth && t->hiz && "there is something to operate on");
   struct saf_meta_draw draw = {
      .kind = op == SAF_HIZ_CLEAR ? SAF_META_HIZ_CLEAR : SAF_META_HIZ_RESOLVE,
      .targets = *t,
      .rect.extent = { BLOCKS_W(t->depth), BLOCKS_H(t->depth) },
   };
   draw.targets.color_count = 0;
   draw.targets.stencil = NULL;
   draw.targets.width = draw.rect.extent.width;
   draw.targets.height = draw.rect.extent.height;
   draw.targets.layers = draw.targets.ds_layers = 1;
   genX(select_3d)(cmd);
   sync_depth(cmd);
   cmd->hiz_rectangle = (uint8_t)op;
   for (uint32_t i = 0; i < t->ds_layers; i++) {
      draw.targets.ds_layer = t->ds_layer + i;
      saf_meta_draw(cmd, &draw);
   }
   cmd->hiz_rectangle = 0;
   sync_depth(cmd);
}
#endif
