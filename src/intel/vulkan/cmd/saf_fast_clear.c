/* SPDX-License-Identifier: MIT */
/*
 * Fast clears: of colour without samples by a control surface (CCS), of that
 * with samples by theirs (MCS).
 *
 * Problem: what it says of a block of pixels (clear) is known to rendering
 * with it alone; copies, samplers of most generations, shaders that store and
 * other processes look at the pixels.
 *
 * Method: that of depth (saf_hiz.c). It lives for a subpass (or what is
 * between vkCmdBeginRendering and its end) that clears a whole attachment
 * when it begins. The clear writes each element of it, whatever was there, in
 * place of all pixels; blocks that are drawn over are never cleared in
 * memory. At the end the others are resolved, and outside of that nobody ever
 * sees it. No state has to be known from one command buffer to another, and
 * views in other formats of as many bits need no rules: clear, draws and
 * resolve are by the same view.
 *
 * An MCS lives on, but no word of it that says clear: what is left of them is
 * drawn over at the end with the colour, whose samples agree.
 *
 * The layout of the attachment must be one in which nothing else may read it
 * meanwhile, its colour one that clearing by drawing would give, too.
 */
#include "intel/compiler/intel_debug.h"
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/memory/saf_image_control.h"
#include "saf_meta.h"

static bool
is_exclusive(VkImageLayout layout)
{
   return layout == VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL ||
          layout == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
}

static union isl_color
clear_color(const struct saf_rendering_attachment *a)
{
   union isl_color color;
   memcpy(color.u32, a->clear.color.uint32, sizeof(color.u32));
   return color;
}

static bool
takes_fast_clear(const struct saf_cmd_buffer *cmd,
                 const struct saf_rendering_attachment *a)
{
   if (!a->view || !a->clear_views || !is_exclusive(a->layout) ||
       INTEL_DEBUG(NOFC))
      return false;
   const struct saf_image *image = a->view->image;
   const union isl_color color = clear_color(a);
   return (image->ccs.size_B || image->mcs.size_B) &&
          saf_rendering_is_all(&cmd->rendering, a->view) &&
          isl_surf_takes_clear(cmd->device->info, &image->planes[0].surf,
                               a->view->format, &color);
}

struct saf_state
saf_cmd_cleared_target(struct saf_cmd_buffer *cmd,
                       const struct saf_rendering_attachment *a,
                       uint32_t first_layer, uint32_t layers)
{
   const struct saf_state state = saf_cmd_surface_state(cmd);
   const struct saf_image *image = a->view->image;
   const struct saf_plane *plane = &image->planes[0];
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT,
      .format = a->view->format,
      .levels = 1,
      .base_array_layer = a->view->base_layer + first_layer,
      .array_len = layers,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   saf_surf_fill_state(cmd->device, state.map, .surf = &plane->surf,
                       .view = &view, .address = saf_plane_addr(image, plane),
                       .mocs = cmd->device->info->mocs_cached,
                       .mcs = saf_image_mcs(image),
                       .mcs_address = saf_image_mcs_addr(image),
                       .ccs = saf_image_ccs(image),
                       .ccs_address = saf_image_ccs_addr(image),
                       .clear_color = clear_color(a));
   return state;
}

/* Of each layer. */
static void
draw_rectangles(struct saf_cmd_buffer *cmd,
                const struct saf_rendering_attachment *a, enum saf_ccs_op op)
{
   const struct saf_device *device = cmd->device;
   const VkExtent2D e =
      device->genx->ccs_rectangle(device->info, a->view->image, op);
   cmd->ccs_rectangle = (uint8_t)op;
   for (uint32_t l = 0; l < a->view->layers; l++) {
      const struct saf_meta_draw draw = {
         .kind = SAF_META_CCS,
         .targets = {
            .color_count = 1,
            .color = { saf_cmd_cleared_target(cmd, a, l, 1) },
            .width = e.width,
            .height = e.height,
            .layers = 1,
            .samples = a->view->image->samples,
         },
         .rect.extent = e,
      };
      saf_meta_draw(cmd, &draw);
   }
   cmd->ccs_rectangle = 0;
}

/* All bits of a control word, in two dwords, say that a pixel is clear; of
 * two samples it has two (see mcs_format() of isl.c). */
static void
draw_clear_words(struct saf_cmd_buffer *cmd,
                 const struct saf_rendering_attachment *a)
{
   const struct saf_image *image = a->view->image;
   for (uint32_t l = 0; l < a->view->layers; l++) {
      struct saf_meta_draw draw = {
         .kind = SAF_META_RESOLVE_CLEAR,
         .targets = {
            .color_count = 1,
            .color = { saf_cmd_cleared_target(cmd, a, l, 1) },
            .width = image->extent.width,
            .height = image->extent.height,
            .layers = 1,
            .samples = image->samples,
         },
         .rect.extent = { image->extent.width, image->extent.height },
         .src = saf_meta_texture(cmd, image, &image->planes[0],
                                 a->view->format, ISL_SWIZZLE_IDENTITY, 0,
                                 0),
         .push.layer = a->view->base_layer + l,
         .push.bit = image->samples == 2 ? 0x3
                     : image->samples == 4 ? 0xff : ~0u,
         .push.control = image->samples == 16 ? ~0u : 0,
      };
      memcpy(draw.push.color, a->clear.color.uint32, sizeof(draw.push.color));
      saf_meta_draw(cmd, &draw);
   }
}

/* "Any transition from any value in {Clear, Render, Resolve} to a different
 * value requires end of pipe synchronization" (SKL PRM vol 7, "Render Target
 * Fast Clear"; chip-rules FF-28). What was before is flushed. */
void
saf_cmd_fast_clear(struct saf_cmd_buffer *cmd)
{
   struct saf_rendering *r = &cmd->rendering;
   bool any = false;
   for (uint32_t i = 0; i < r->color_count; i++) {
      struct saf_rendering_attachment *a = &r->color[i];
      if (!takes_fast_clear(cmd, a))
         continue;
      draw_rectangles(cmd, a, SAF_CCS_CLEAR);
      a->fast_cleared = any = true;
      cmd->targets.color[i] =
         saf_cmd_cleared_target(cmd, a, 0, a->view->layers);
   }
   if (any)
      cmd->device->genx->cmd_flush(cmd);
}

void
saf_cmd_end_fast_clear(struct saf_cmd_buffer *cmd)
{
   struct saf_rendering *r = &cmd->rendering;
   bool any = false;
   for (uint32_t i = 0; i < r->color_count; i++) {
      if (!r->color[i].fast_cleared)
         continue;
      if (r->color[i].view->image->samples > 1)
         draw_clear_words(cmd, &r->color[i]);
      else
         draw_rectangles(cmd, &r->color[i], SAF_CCS_RESOLVE);
      r->color[i].fast_cleared = false;
      any = true;
   }
   if (any)
      cmd->device->genx->cmd_flush(cmd);
}
