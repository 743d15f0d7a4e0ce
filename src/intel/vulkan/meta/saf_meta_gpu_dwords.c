/* SPDX-License-Identifier: MIT */
/* Dwords that are calculated in the middle of a command buffer, where the
 * command streamer cannot: draws of the driver's own, to a target whose
 * pixels they are. */
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/cmd/saf_meta.h"

/* The rows of linear targets are multiples of 64 bytes. */
#define LEAST_ROW 16

struct saf_state
saf_meta_texels(struct saf_cmd_buffer *cmd, enum isl_format format,
                uint64_t addr, uint64_t size_B)
{
   const struct saf_state state = saf_cmd_surface_state(cmd);
   saf_fill_texel_buffer_surface(cmd->device, state.map, format,
                                 ISL_SWIZZLE_IDENTITY, addr, size_B);
   return state;
}

static struct saf_state
words_target(struct saf_cmd_buffer *cmd, const struct saf_meta_gpu_dwords *w)
{
   struct isl_surf surf;
   const struct saf_state state = saf_cmd_surface_state(cmd);
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT,
      .format = ISL_FORMAT_R32_UINT,
      .levels = 1,
      .array_len = 1,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   if (!isl_surf_init(cmd->device->info, &surf, .dim = ISL_SURF_DIM_2D,
                      .format = view.format, .width = w->row,
                      .height = w->rows, .depth = 1, .levels = 1,
                      .array_len = 1, .samples = 1, .row_pitch_B = w->row * 4,
                      .usage = view.usage,
                      .tiling_flags = ISL_TILING_LINEAR_BIT)) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return state;
   }
   saf_surf_fill_state(cmd->device, state.map, .surf = &surf, .view = &view,
                       .address = w->target,
                       .mocs = cmd->device->info->mocs_cached);
   return state;
}

void
saf_meta_write_words(struct saf_cmd_buffer *cmd,
                     const struct saf_meta_gpu_dwords *w)
{
   struct saf_meta_draw draw = {
      .kind = w->kind,
      .targets = {
         .color_count = 1,
         .color = { words_target(cmd, w) },
         .width = w->row,
         .height = w->rows,
         .layers = 1,
         .samples = 1,
      },
      .rect.extent = { w->row, w->rows },
   };
   memcpy(draw.push.color, w->push, sizeof(draw.push.color));
   draw.src = w->src[0];
   memcpy(draw.more_src, w->src + 1, sizeof(draw.more_src));
   saf_meta_draw(cmd, &draw);
   /* Whatever reads them next. */
   cmd->device->genx->cmd_flush(cmd);
}

uint64_t
saf_meta_quotient(struct saf_cmd_buffer *cmd, uint64_t addr, uint32_t less,
                  uint32_t divisor)
{
   struct saf_bo *bo = saf_batch_temporary(&cmd->batch, LEAST_ROW * 4);
   if (!bo) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return 0;
   }
   /* What has written the dividend may be in a cache. */
   cmd->device->genx->cmd_flush(cmd);
   const struct saf_meta_gpu_dwords words = {
      .kind = SAF_META_QUOTIENT,
      .target = bo->addr,
      .row = LEAST_ROW,
      .rows = 1,
      .src = { saf_meta_texels(cmd, ISL_FORMAT_R32_UINT, addr, 4) },
      .push = { less, divisor },
   };
   saf_meta_write_words(cmd, &words);
   return cmd->error ? 0 : bo->addr;
}
