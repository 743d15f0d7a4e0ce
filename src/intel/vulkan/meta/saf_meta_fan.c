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
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/cmd/saf_meta.h"

/* Positions in a row of what is drawn to. */
#define ROW SAF_META_FAN_ROW

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
   const struct saf_meta_gpu_dwords first = {
      .kind = SAF_META_FAN_STARTS,
      .target = arrays[0],
      .row = ROW,
      .rows = rows,
      .src = { indices },
      .push = { cut },
   };
   saf_meta_write_words(cmd, &first);
   for (uint32_t d = 1; d < count; d *= 2) {
      const struct saf_meta_gpu_dwords spread = {
         .kind = SAF_META_FAN_SPREAD,
         .target = arrays[!now],
         .row = ROW,
         .rows = rows,
         .src = { saf_meta_texels(cmd, ISL_FORMAT_R32_UINT, arrays[now],
                                  rows * (ROW * 4ull)) },
         .push = { d },
      };
      saf_meta_write_words(cmd, &spread);
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
   const bool last = cmd->draw.gfx.provoking_last;
   /* What wrote the indices has been waited for; what reads render targets
    * as textures needs those written. */
   cmd->device->genx->cmd_flush(cmd);
   const struct saf_state indices =
      saf_meta_texels(cmd, index_format(cmd->index_type), cmd->index_addr,
                      (uint64_t)count * size_B);
   const uint64_t starts = find_starts(cmd, indices, arrays, count, cut);
   const struct saf_meta_gpu_dwords list = {
      .kind = SAF_META_FAN_INDICES,
      .target = bo->addr + 2 * array_B,
      .row = 3 * ROW,
      .rows = rows,
      .src = { indices,
               saf_meta_texels(cmd, ISL_FORMAT_R32_UINT, starts, array_B),
               saf_meta_texels(cmd, ISL_FORMAT_R32_UINT, parameters, 12) },
      .push = { cut, count, last },
   };
   saf_meta_write_words(cmd, &list);
   cmd->device->genx->cmd_barrier(cmd, VK_ACCESS_INDEX_READ_BIT);
   *out = (struct saf_meta_fans) {
      .addr = list.target,
      .count = 3 * count,
   };
   return !cmd->error;
}
