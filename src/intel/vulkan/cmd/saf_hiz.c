/* SPDX-License-Identifier: MIT */
/*
 * The hierarchical depth buffer.
 *
 * Problem: what it says about blocks of pixels (clear; nearer than this)
 * holds as long as nothing but rendering with it touches the depth buffer,
 * and copies, samplers and other processes know nothing of it.
 *
 * Method: it lives for a render pass of one subpass that clears the whole
 * depth buffer when it begins: the clear makes it valid, whatever was there,
 * and takes the place of writing depth. When the pass ends the depth buffer
 * is resolved, and outside of such passes nobody ever sees it. No state has
 * to be known from one command buffer to another.
 *
 * The layout of the attachment must be one in which nothing else may read it
 * meanwhile (Vulkan, "Render Pass", layouts of depth attachments).
 */
#include "intel/compiler/intel_debug.h"
#include "intel/vulkan/genx/saf_genx.h"
#include "saf_cmd_buffer.h"

static bool
is_exclusive(VkImageLayout layout)
{
   return layout == VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL ||
          layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL ||
          layout == VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL ||
          layout ==
             VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL;
}

static bool
renders_all(const struct saf_cmd_buffer *cmd, const struct saf_image *image)
{
   const VkRect2D *r = &cmd->render_area;
   return r->offset.x == 0 && r->offset.y == 0 &&
          r->extent.width == image->extent.width &&
          r->extent.height == image->extent.height;
}

bool
saf_cmd_begin_hiz(struct saf_cmd_buffer *cmd, float value)
{
   const struct saf_render_pass *pass = cmd->pass;
   const struct saf_subpass *sub = &pass->subpasses[0];
   struct saf_targets *t = &cmd->targets;
   if (sub->depth_stencil == VK_ATTACHMENT_UNUSED || !t->depth)
      return false;
   const struct saf_image_view *view = cmd->attachments[sub->depth_stencil];
   const struct saf_image *image = view->image;
   if (pass->subpass_count != 1 || sub->view_mask || !image->hiz.size_B ||
       !is_exclusive(sub->depth_stencil_layout) || !renders_all(cmd, image) ||
       view->layers != cmd->fb_layers || INTEL_DEBUG(NOHIZ))
      return false;
   t->hiz = &image->hiz;
   t->hiz_addr = image->bo->addr + image->offset_B + image->hiz_offset_B;
   t->depth_clear = CLAMP(value, 0.0f, 1.0f);
   cmd->device->genx->hiz_op(cmd, SAF_HIZ_CLEAR);
   return true;
}

void
saf_cmd_end_hiz(struct saf_cmd_buffer *cmd)
{
   if (!cmd->targets.hiz)
      return;
   cmd->device->genx->hiz_op(cmd, SAF_HIZ_RESOLVE);
   cmd->targets.hiz = NULL;
   cmd->dirty |= SAF_DIRTY_TARGETS;
}
