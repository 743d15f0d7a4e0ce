/* SPDX-License-Identifier: MIT */
/*
 * The hierarchical depth buffer.
 *
 * Problem: what it says about blocks of pixels (clear; nearer than this)
 * holds as long as nothing but rendering with it touches the depth buffer,
 * and copies, samplers and other processes know nothing of it.
 *
 * Method: it lives for a subpass (or what is between vkCmdBeginRendering and
 * its end) that clears the whole depth buffer when it begins: the clear makes
 * it valid, whatever was there, and takes the place of writing depth. At the
 * end the depth buffer is resolved, and outside of that nobody ever sees it.
 * No state has to be known from one command buffer to another.
 *
 * The layout of the attachment must be one in which nothing else may read it
 * meanwhile (Vulkan, "Render Pass", layouts of depth attachments).
 */
#include "intel/compiler/intel_debug.h"
#include "intel/vulkan/base/saf_genx.h"
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

bool
saf_cmd_begin_hiz(struct saf_cmd_buffer *cmd)
{
   const struct saf_rendering *r = &cmd->rendering;
   struct saf_targets *t = &cmd->targets;
   if (!t->depth)
      return false;
   const struct saf_image_view *view = r->depth.view;
   const struct saf_image *image = view->image;
   if (!image->hiz.size_B || !is_exclusive(r->depth.layout) ||
       !saf_rendering_is_all(r, view) || INTEL_DEBUG(NOHIZ))
      return false;
   t->hiz = &image->hiz;
   t->hiz_addr = image->bo->addr + image->offset_B + image->hiz_offset_B;
   t->depth_clear = CLAMP(r->depth.clear.depthStencil.depth, 0.0f, 1.0f);
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
