/* SPDX-License-Identifier: MIT */
/*
 * Problem: Ivybridge restarts lists and strips at a cut index, but no fans
 * (IVB PRM volume 2 part 1, 3DSTATE_INDEX_BUFFER, "Cut Index Enable";
 * chip-rules FF-45). Indices lie in memory that the GPU may write, so that
 * recording cannot look at them.
 *
 * Method: before such a draw, draws of the driver's own make a list of the
 * fans' triangles, three indices for each position in the index buffer, where
 * those that start no triangle are cuts, at which a list may restart:
 *
 *    starts    S[i] = i + 1 where index i is a cut, else 0
 *    spread    S'[i] = max(S[i], S[i - d]), d = 1, 2, 4, ...: after them S[i]
 *              is where the fan of position i begins
 *    indices   of the triangle i: those at i + 1, i + 2 and S[i], in the
 *              order that gives it the provoking vertex of the fan's
 *
 * Where a draw's positions begin and end is in memory, too, as for indirect
 * draws: a count, that of instances, and the first position.
 */
#include "intel/vulkan/genx/saf_genx.h"
#include "saf_meta.h"

/* Positions in a row of what is drawn to. */
#define ROW SAF_META_FAN_ROW

struct pass {
   enum saf_meta_kind kind;
   uint64_t target; /* dwords */
   uint32_t row;    /* of these */
   struct saf_state src[SAF_META_SURFACES];
   uint32_t push[4];
};

static struct saf_state
texels(struct saf_cmd_buffer *cmd, enum isl_format format, uint64_t addr,
       uint64_t size_B)
{
   const struct saf_state state = saf_cmd_surface_state(cmd);
   saf_fill_texel_buffer_surface(cmd->device, state.map, format,
                                 ISL_SWIZZLE_IDENTITY, addr, size_B);
   return state;
}

static struct saf_state
rows_target(struct saf_cmd_buffer *cmd, uint64_t addr, uint32_t width,
            uint32_t rows)
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
                      .format = view.format, .width = width, .height = rows,
                      .depth = 1, .levels = 1, .array_len = 1, .samples = 1,
                      .row_pitch_B = width * 4, .usage = view.usage,
                      .tiling_flags = ISL_TILING_LINEAR_BIT)) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return state;
   }
   saf_surf_fill_state(cmd->device, state.map, .surf = &surf, .view = &view,
                       .address = addr,
                       .mocs = cmd->device->info->mocs_cached);
   return state;
}

static void
run(struct saf_cmd_buffer *cmd, const struct pass *p, uint32_t rows)
{
   struct saf_meta_draw draw = {
      .kind = p->kind,
      .targets = {
         .color_count = 1,
         .color = { rows_target(cmd, p->target, p->row, rows) },
         .width = p->row,
         .height = rows,
         .layers = 1,
         .samples = 1,
      },
      .rect.extent = { p->row, rows },
   };
   memcpy(draw.push.color, p->push, sizeof(draw.push.color));
   draw.src = p->src[0];
   memcpy(draw.more_src, p->src + 1, sizeof(draw.more_src));
   saf_meta_draw(cmd, &draw);
   /* Each reads what the one before has drawn. */
   cmd->device->genx->cmd_flush(cmd);
}

static uint32_t
index_size_B(VkIndexType type)
{
   return type == VK_INDEX_TYPE_UINT32   ? 4
          : type == VK_INDEX_TYPE_UINT16 ? 2
                                         : 1;
}

static enum isl_format
index_format(VkIndexType type)
{
   return type == VK_INDEX_TYPE_UINT32   ? ISL_FORMAT_R32_UINT
          : type == VK_INDEX_TYPE_UINT16 ? ISL_FORMAT_R16_UINT
                                         : ISL_FORMAT_R8_UINT;
}

/* S, in one of two arrays in turn. */
static uint64_t
find_starts(struct saf_cmd_buffer *cmd, struct saf_state indices,
            const uint64_t arrays[2], uint32_t count, uint32_t cut)
{
   const uint32_t rows = DIV_ROUND_UP(count, ROW);
   unsigned now = 0;
   const struct pass first = {
      .kind = SAF_META_FAN_STARTS,
      .target = arrays[0],
      .row = ROW,
      .src = { indices },
      .push = { cut },
   };
   run(cmd, &first, rows);
   for (uint32_t d = 1; d < count; d *= 2) {
      const struct pass spread = {
         .kind = SAF_META_FAN_SPREAD,
         .target = arrays[!now],
         .row = ROW,
         .src = { texels(cmd, ISL_FORMAT_R32_UINT, arrays[now],
                         rows * (ROW * 4ull)) },
         .push = { d },
      };
      run(cmd, &spread, rows);
      now = !now;
   }
   return arrays[now];
}

bool
saf_meta_expand_fans(struct saf_cmd_buffer *cmd, uint64_t parameters,
                     struct saf_meta_fans *out)
{
   const uint32_t size_B = index_size_B(cmd->index_type);
   const uint32_t count =
      (uint32_t)MIN2(cmd->index_size_B / size_B, SAF_META_FAN_MAX);
   const uint32_t cut = (uint32_t)BITFIELD64_MASK(8 * size_B);
   const uint32_t rows = DIV_ROUND_UP(count, ROW);
   const uint64_t array_B = rows * (ROW * 4ull);
   if (count < 3)
      return false;
   struct saf_bo *bo = saf_batch_temporary(&cmd->batch, 5 * array_B);
   if (!bo) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return false;
   }
   const uint64_t arrays[2] = { bo->addr, bo->addr + array_B };
   const bool last = cmd->draw.pipeline->provoking_last;
   /* What wrote the indices has been waited for; what reads render targets
    * as textures needs those written. */
   cmd->device->genx->cmd_flush(cmd);
   const struct saf_state indices = texels(cmd, index_format(cmd->index_type),
                                           cmd->index_addr,
                                           (uint64_t)count * size_B);
   const uint64_t starts = find_starts(cmd, indices, arrays, count, cut);
   const struct pass list = {
      .kind = SAF_META_FAN_INDICES,
      .target = bo->addr + 2 * array_B,
      .row = 3 * ROW,
      .src = { indices, texels(cmd, ISL_FORMAT_R32_UINT, starts, array_B),
               texels(cmd, ISL_FORMAT_R32_UINT, parameters, 12) },
      .push = { cut, count, last },
   };
   run(cmd, &list, rows);
   cmd->device->genx->cmd_barrier(cmd, VK_ACCESS_INDEX_READ_BIT);
   *out = (struct saf_meta_fans) {
      .addr = list.target,
      .count = 3 * count,
   };
   return !cmd->error;
}
