/* SPDX-License-Identifier: MIT */
/*
 * Control surfaces (MCS) of multisampled colour images.
 *
 * Problem: they say where each sample's colour is, so that what memory
 * happened to hold there must not be drawn over, nor fetched by.
 *
 * Method: an image whose contents are undefined has all samples of each pixel
 * in the first slice: a word of zero. From then on whoever draws to the image
 * keeps it (the render target's surface state), and whoever fetches samples
 * goes by it (intel_nir_lower_mcs()). Nobody sees samples by another way:
 * images that shaders store to, and those of several processes, have none
 * (saf_image_control.c). Words that say clear are there only while a
 * rendering lasts, which knows the colour (saf_fast_clear.c).
 */
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/memory/saf_image_control.h"
#include "intel/vulkan/cmd/saf_meta.h"

/* The words are the texels of an image without samples. */
static void
reset(struct saf_cmd_buffer *cmd, const struct saf_image *image,
      uint32_t layer)
{
   const struct saf_state state = saf_cmd_surface_state(cmd);
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT,
      .format = image->mcs.format,
      .levels = 1,
      .base_array_layer = layer,
      .array_len = 1,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   saf_surf_fill_state(cmd->device, state.map, .surf = &image->mcs,
                       .view = &view, .address = saf_image_mcs_addr(image),
                       .mocs = cmd->device->info->mocs_cached);
   const struct saf_meta_draw draw = {
      .kind = SAF_META_CLEAR_COLOR,
      .targets = {
         .color_count = 1,
         .color = { state },
         .width = image->extent.width,
         .height = image->extent.height,
         .layers = 1,
         .samples = 1,
      },
      .rect.extent = { image->extent.width, image->extent.height },
   };
   saf_meta_draw(cmd, &draw);
}

bool
saf_meta_release(struct saf_cmd_buffer *cmd, const struct saf_image *image,
                 uint32_t base_layer, uint32_t layers)
{
   if (!image->mcs.size_B)
      return false;
   for (uint32_t l = 0; l < layers; l++)
      reset(cmd, image, base_layer + l);
   return true;
}

void
saf_meta_release_images(struct saf_cmd_buffer *cmd, uint32_t count,
                        const VkImageMemoryBarrier *barriers)
{
   bool any = false;
   for (uint32_t i = 0; i < count; i++) {
      SAF_FROM_HANDLE(saf_image, image, barriers[i].image);
      const VkImageSubresourceRange r =
         saf_image_range(image, &barriers[i].subresourceRange);
      if (saf_layout_is_undefined(barriers[i].oldLayout))
         any |= saf_meta_release(cmd, image, r.baseArrayLayer, r.layerCount);
   }
   if (any)
      cmd->device->genx->cmd_flush(cmd);
}
