/* SPDX-License-Identifier: MIT */
/* Subpasses of render passes, each of which is a saf_rendering. */
#include "intel/vulkan/base/saf_genx.h"
#include "saf_meta.h"

static struct saf_image_view *
attachment(const struct saf_cmd_buffer *cmd, uint32_t index)
{
   return index == VK_ATTACHMENT_UNUSED ? NULL : cmd->attachments[index];
}

static VkAttachmentLoadOp
load_op(const struct saf_cmd_buffer *cmd, uint32_t index, bool stencil)
{
   const struct saf_attachment *a = &cmd->pass->attachments[index];
   return stencil ? a->stencil_load_op : a->load_op;
}

/* With the load-op clear if this subpass is the first to use it. */
static struct saf_rendering_attachment
take_attachment(const struct saf_cmd_buffer *cmd, uint32_t index,
                bool stencil)
{
   struct saf_rendering_attachment out = { .view = attachment(cmd, index) };
   if (!out.view)
      return out;
   const struct saf_render_pass *pass = cmd->pass;
   out.clear = cmd->clear_values[index];
   if (load_op(cmd, index, stencil) == VK_ATTACHMENT_LOAD_OP_CLEAR)
      out.clear_views =
         pass->first_views[cmd->subpass * pass->attachment_count + index];
   return out;
}

/* Whether a subpass draws to an attachment, or overwrites it with colors
 * that it resolves. */
static bool
is_written(const struct saf_subpass *sub, uint32_t index)
{
   for (uint32_t i = 0; i < sub->color_count; i++) {
      if (sub->color[i] == index || sub->resolve[i] == index)
         return true;
   }
   return sub->depth_stencil == index;
}

/*
 * The load-op clear of an attachment whose first use is as an input, or for a
 * resolve of depth and stencil, which with a mode NONE leaves one of the two
 * as it is. It is a rendering of its own.
 */
static bool
clear_unwritten(struct saf_cmd_buffer *cmd, uint32_t index)
{
   const struct saf_subpass *sub = &cmd->pass->subpasses[cmd->subpass];
   const struct saf_image_view *view = attachment(cmd, index);
   struct saf_rendering r = {
      .area = cmd->render_area,
      .width = cmd->fb_width,
      .height = cmd->fb_height,
      .layers = cmd->fb_layers,
      .view_mask = sub->view_mask,
   };
   if (!view || is_written(sub, index))
      return false;
   if (view->aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
      r.depth = take_attachment(cmd, index, false);
   if (view->aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
      r.stencil = take_attachment(cmd, index, true);
   if (!(view->aspects &
         (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT))) {
      r.color_count = 1;
      r.color[0] = take_attachment(cmd, index, false);
   }
   if (!r.depth.clear_views && !r.stencil.clear_views &&
       !r.color[0].clear_views)
      return false;
   saf_cmd_begin_rendering(cmd, &r);
   saf_cmd_end_rendering(cmd);
   return true;
}

/* What an attachment was in, before it is in that subpass; UNDEFINED: it is
 * not, as nothing that shaders read. */
static VkImageLayout
layout_in(const struct saf_render_pass *pass, uint32_t subpass,
          uint32_t index)
{
   return pass->stencil_layouts[subpass * pass->attachment_count + index];
}

static VkImageLayout
layout_before(const struct saf_render_pass *pass, uint32_t subpass,
              uint32_t index)
{
   while (subpass-- > 0) {
      if (layout_in(pass, subpass, index))
         return layout_in(pass, subpass, index);
   }
   return pass->attachments[index].stencil_initial_layout;
}

/* The stencil that shaders read in this subpass. */
static void
show_stencil(struct saf_cmd_buffer *cmd, uint32_t index, bool cleared)
{
   const struct saf_image_view *view = attachment(cmd, index);
   const VkImageLayout layout = layout_in(cmd->pass, cmd->subpass, index);
   if (view && layout)
      saf_meta_show_shadow(cmd, view,
                           cleared
                              ? VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL
                              : layout_before(cmd->pass, cmd->subpass, index),
                           layout);
}

static void
begin_subpass(struct saf_cmd_buffer *cmd)
{
   const struct saf_subpass *sub = &cmd->pass->subpasses[cmd->subpass];
   struct saf_rendering r = {
      .area = cmd->render_area,
      .width = cmd->fb_width,
      .height = cmd->fb_height,
      .layers = cmd->fb_layers,
      .view_mask = sub->view_mask,
      .color_count = sub->color_count,
   };
   for (uint32_t i = 0; i < cmd->pass->attachment_count; i++)
      show_stencil(cmd, i, clear_unwritten(cmd, i));
   for (uint32_t i = 0; i < sub->color_count; i++) {
      r.color[i] = take_attachment(cmd, sub->color[i], false);
      r.color[i].layout = sub->color_layout[i];
   }
   r.depth = take_attachment(cmd, sub->depth_stencil, false);
   r.stencil = take_attachment(cmd, sub->depth_stencil, true);
   r.depth.layout = sub->depth_stencil_layout;
   if (r.stencil.view)
      r.stencil.layout =
         layout_in(cmd->pass, cmd->subpass, sub->depth_stencil);
   for (uint32_t i = 0; i < sub->color_count; i++)
      r.color[i].resolve = attachment(cmd, sub->resolve[i]);
   r.depth.mode = sub->depth_resolve_mode;
   r.stencil.mode = sub->stencil_resolve_mode;
   if (sub->depth_resolve_mode)
      r.depth.resolve = attachment(cmd, sub->depth_resolve);
   if (sub->stencil_resolve_mode)
      r.stencil.resolve = attachment(cmd, sub->depth_resolve);
   saf_cmd_begin_rendering(cmd, &r);
}

static bool
take_attachments(struct saf_cmd_buffer *cmd,
                 const VkRenderPassBeginInfo *info)
{
   SAF_FROM_HANDLE(saf_framebuffer, fb, info->framebuffer);
   const uint32_t n = cmd->pass->attachment_count;
   const VkRenderPassAttachmentBeginInfo *late = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
   free(cmd->attachments);
   free(cmd->clear_values);
   cmd->attachments = calloc(MAX2(n, 1), sizeof(*cmd->attachments));
   cmd->clear_values = calloc(MAX2(n, 1), sizeof(*cmd->clear_values));
   if (!cmd->attachments || !cmd->clear_values) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_HOST_MEMORY);
      return false;
   }
   for (uint32_t i = 0; i < n; i++) {
      if (i < fb->attachment_count)
         cmd->attachments[i] = fb->attachments[i];
      else if (late && i < late->attachmentCount)
         cmd->attachments[i] =
            saf_image_view_from_handle(late->pAttachments[i]);
      if (i < info->clearValueCount)
         cmd->clear_values[i] = info->pClearValues[i];
   }
   cmd->fb_width = fb->width;
   cmd->fb_height = fb->height;
   cmd->fb_layers = fb->layers;
   return true;
}

/* What a pass says of dependencies is not looked at: they may be for any
 * reader. */
static void
depend(struct saf_cmd_buffer *cmd)
{
   cmd->device->genx->cmd_barrier(cmd, VK_ACCESS_MEMORY_READ_BIT);
}

/* The layouts of a pass change without a barrier before it, too. */
static void
begin_layouts(struct saf_cmd_buffer *cmd)
{
   bool any = false;
   for (uint32_t i = 0; i < cmd->pass->attachment_count; i++) {
      const struct saf_image_view *view = attachment(cmd, i);
      if (view && cmd->pass->attachments[i].undefined)
         any |= saf_meta_release(cmd, view->image, view->base_layer,
                                 view->layers);
   }
   if (any)
      cmd->device->genx->cmd_flush(cmd);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBeginRenderPass2(VkCommandBuffer _cmd,
                        const VkRenderPassBeginInfo *info,
                        const VkSubpassBeginInfo *subpass)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   cmd->pass = saf_render_pass_from_handle(info->renderPass);
   cmd->subpass = 0;
   cmd->render_area = info->renderArea;
   depend(cmd);
   if (!take_attachments(cmd, info))
      return;
   begin_layouts(cmd);
   begin_subpass(cmd);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBeginRenderPass(VkCommandBuffer cmd, const VkRenderPassBeginInfo *info,
                       VkSubpassContents contents)
{
   const VkSubpassBeginInfo subpass = {
      .sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
      .contents = contents,
   };
   saf_CmdBeginRenderPass2(cmd, info, &subpass);
}

static void
end_subpass(struct saf_cmd_buffer *cmd)
{
   const struct saf_render_pass *pass = cmd->pass;
   const struct saf_subpass *sub = &pass->subpasses[cmd->subpass];
   saf_cmd_end_rendering(cmd);
   depend(cmd);
   for (uint32_t i = 0; i < pass->attachment_count; i++) {
      const struct saf_image_view *view = attachment(cmd, i);
      if (view && (i == sub->depth_stencil || i == sub->depth_resolve))
         saf_meta_refresh_shadow_in(cmd, view,
                                    layout_in(pass, cmd->subpass, i));
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdNextSubpass(VkCommandBuffer _cmd, VkSubpassContents contents)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   end_subpass(cmd);
   cmd->subpass++;
   begin_subpass(cmd);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdNextSubpass2(VkCommandBuffer cmd, const VkSubpassBeginInfo *begin,
                    const VkSubpassEndInfo *end)
{
   saf_CmdNextSubpass(cmd, begin->contents);
}

/* The layouts of a pass change without a barrier at its end. */
static void
end_layouts(struct saf_cmd_buffer *cmd, const struct saf_render_pass *pass)
{
   for (uint32_t i = 0; i < pass->attachment_count; i++) {
      const struct saf_image_view *view = attachment(cmd, i);
      if (view)
         saf_meta_show_shadow(cmd, view,
                              layout_before(pass, pass->subpass_count, i),
                              pass->attachments[i].stencil_final_layout);
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdEndRenderPass(VkCommandBuffer _cmd)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   const struct saf_render_pass *pass = cmd->pass;
   end_subpass(cmd);
   cmd->pass = NULL;
   end_layouts(cmd, pass);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdEndRenderPass2(VkCommandBuffer cmd, const VkSubpassEndInfo *end)
{
   saf_CmdEndRenderPass(cmd);
}
