/* SPDX-License-Identifier: MIT */
/*
 * What is drawn to: as vkCmdBeginRendering says, or as a subpass does, which
 * is turned into the same (saf_subpass.c).
 */
#include "saf_labels.h"
#include "saf_record.h"
#include "intel/vulkan/base/saf_genx.h"
#include "saf_meta.h"

void
saf_targets_set_depth_stencil(struct saf_targets *t,
                              const struct saf_image *image, uint32_t level,
                              uint32_t layer, uint32_t layers)
{
   const struct saf_plane *depth =
      saf_image_plane(image, VK_IMAGE_ASPECT_DEPTH_BIT);
   const struct saf_plane *stencil =
      saf_image_plane(image, VK_IMAGE_ASPECT_STENCIL_BIT);
   if (depth) {
      t->depth = &depth->surf;
      t->depth_addr = saf_plane_addr(image, depth);
   }
   if (stencil) {
      t->stencil = &stencil->surf;
      t->stencil_addr = saf_plane_addr(image, stencil);
   }
   t->ds_level = level;
   t->ds_layer = layer;
   t->ds_layers = layers;
}

static void
set_targets(struct saf_cmd_buffer *cmd)
{
   const struct saf_rendering *r = &cmd->rendering;
   struct saf_targets *t = &cmd->targets;
   *t = (struct saf_targets) {
      .color_count = r->color_count,
      .width = r->width,
      .height = r->height,
      .layers = r->view_mask ? util_logbase2(r->view_mask) + 1 : r->layers,
      .samples = 1,
   };
   for (uint32_t i = 0; i < r->color_count; i++) {
      const struct saf_image_view *view = r->color[i].view;
      if (!view)
         continue;
      t->color[i] = view->target;
      t->samples = view->image->samples;
   }
   const struct saf_image_view *ds = r->depth.view ? r->depth.view
                                                   : r->stencil.view;
   if (ds) {
      saf_targets_set_depth_stencil(t, ds->image, ds->base_level,
                                    ds->base_layer, ds->layers);
      t->samples = ds->image->samples;
      if (!r->depth.view)
         t->depth = NULL;
      if (!r->stencil.view)
         t->stencil = NULL;
   }
   cmd->dirty |= SAF_DIRTY_TARGETS;
}

static void
clear_whole(struct saf_cmd_buffer *cmd, uint32_t color,
            VkImageAspectFlags aspects, uint32_t views, VkClearValue value)
{
   const VkClearAttachment clear = {
      .aspectMask = aspects,
      .colorAttachment = color,
      .clearValue = value,
   };
   const VkClearRect rect = {
      .rect = cmd->rendering.area,
      .layerCount = cmd->rendering.layers,
   };
   saf_meta_clear_attachments(cmd, 1, &clear, 1, &rect,
                              cmd->rendering.view_mask ? views : 0);
}

bool
saf_rendering_is_all(const struct saf_rendering *r,
                     const struct saf_image_view *view)
{
   const VkExtent3D *e = &view->image->extent;
   return !r->view_mask && view->base_level == 0 &&
          view->layers == r->layers && r->area.offset.x == 0 &&
          r->area.offset.y == 0 && r->area.extent.width == e->width &&
          r->area.extent.height == e->height;
}

static bool
is_cleared_for_itself(const struct saf_rendering_attachment *a)
{
   return a->view && a->clear_views &&
          (a->layout ==
              VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT ||
           a->layout == VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR);
}

/*
 * What is cleared here and may be sampled by what draws to it. Vulkan wants a
 * barrier between the two; zink 22.3 records none after a glClear, whose
 * result OpenGL lets the next draw sample (ARB_texture_barrier asks for one
 * only after what fragment shaders wrote).
 */
static bool
is_any_cleared_for_itself(const struct saf_rendering *r)
{
   for (uint32_t i = 0; i < r->color_count; i++) {
      if (is_cleared_for_itself(&r->color[i]))
         return true;
   }
   return is_cleared_for_itself(&r->depth) ||
          is_cleared_for_itself(&r->stencil);
}

/* What a load-op clears is there for the first input that is read (Vulkan,
 * "Render Pass Load Operations"). */
static void
show_cleared_stencil(struct saf_cmd_buffer *cmd)
{
   const struct saf_rendering_attachment *a = &cmd->rendering.stencil;
   if (!a->view || !a->clear_views ||
       !(a->view->image->usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT ||
         is_cleared_for_itself(a)))
      return;
   cmd->device->genx->cmd_flush(cmd);
   saf_meta_refresh_attachment(cmd, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT);
}

void
saf_cmd_begin_rendering(struct saf_cmd_buffer *cmd,
                        const struct saf_rendering *r)
{
   cmd->device->genx->cmd_flush(cmd);
   cmd->rendering = *r;
   cmd->rendering.active = true;
   set_targets(cmd);
   saf_label_targets(cmd);
   saf_cmd_fast_clear(cmd);
   for (uint32_t i = 0; i < r->color_count; i++) {
      const struct saf_rendering_attachment *a = &cmd->rendering.color[i];
      if (a->view && a->clear_views && !a->fast_cleared)
         clear_whole(cmd, i, VK_IMAGE_ASPECT_COLOR_BIT, a->clear_views,
                     a->clear);
   }
   if (r->depth.view && r->depth.clear_views && !saf_cmd_begin_hiz(cmd))
      clear_whole(cmd, 0, VK_IMAGE_ASPECT_DEPTH_BIT, r->depth.clear_views,
                  r->depth.clear);
   if (r->stencil.view && r->stencil.clear_views)
      clear_whole(cmd, 0, VK_IMAGE_ASPECT_STENCIL_BIT, r->stencil.clear_views,
                  r->stencil.clear);
   if (is_any_cleared_for_itself(r))
      cmd->device->genx->cmd_barrier(cmd, VK_ACCESS_SHADER_READ_BIT);
   show_cleared_stencil(cmd);
}

static void
resolve(struct saf_cmd_buffer *cmd, const struct saf_rendering_attachment *a,
        VkImageAspectFlagBits aspect)
{
   if (a->view && a->resolve)
      saf_meta_resolve_views(cmd, a->view, a->resolve, cmd->rendering.area,
                             aspect, a->mode, cmd->rendering.view_mask);
}

void
saf_cmd_end_rendering(struct saf_cmd_buffer *cmd)
{
   const struct saf_rendering *r = &cmd->rendering;
   saf_cmd_end_hiz(cmd);
   cmd->device->genx->cmd_flush(cmd);
   saf_cmd_end_fast_clear(cmd);
   if (!r->suspends) {
      for (uint32_t i = 0; i < r->color_count; i++)
         resolve(cmd, &r->color[i], VK_IMAGE_ASPECT_COLOR_BIT);
      resolve(cmd, &r->depth, VK_IMAGE_ASPECT_DEPTH_BIT);
      resolve(cmd, &r->stencil, VK_IMAGE_ASPECT_STENCIL_BIT);
   }
   cmd->rendering = (struct saf_rendering) { 0 };
}

/* ---- VK_KHR_dynamic_rendering ---- */

static struct saf_rendering_attachment
take_attachment(const VkRenderingAttachmentInfo *a, bool resumes)
{
   if (!a || !a->imageView)
      return (struct saf_rendering_attachment) { 0 };
   return (struct saf_rendering_attachment) {
      .view = saf_image_view_from_handle(a->imageView),
      .layout = a->imageLayout,
      .resolve = a->resolveMode
                    ? saf_image_view_from_handle(a->resolveImageView)
                    : NULL,
      .resolve_layout = a->resolveImageLayout,
      .mode = a->resolveMode,
      .clear_views =
         a->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR && !resumes ? ~0u : 0,
      .clear = a->clearValue,
   };
}

/* Drawing outside of the area is undefined: no target need be larger. */
static void
begin(struct saf_cmd_buffer *cmd, const VkRenderingInfo *info)
{
   const bool resumes = info->flags & VK_RENDERING_RESUMING_BIT;
   struct saf_rendering r = {
      .suspends = info->flags & VK_RENDERING_SUSPENDING_BIT,
      .area = info->renderArea,
      .width = (uint32_t)info->renderArea.offset.x +
               info->renderArea.extent.width,
      .height = (uint32_t)info->renderArea.offset.y +
                info->renderArea.extent.height,
      .layers = info->layerCount,
      .view_mask = info->viewMask,
      .color_count = MIN2(info->colorAttachmentCount, SAF_MAX_RTS),
      .depth = take_attachment(info->pDepthAttachment, resumes),
      .stencil = take_attachment(info->pStencilAttachment, resumes),
   };
   for (uint32_t i = 0; i < r.color_count; i++)
      r.color[i] = take_attachment(&info->pColorAttachments[i], resumes);
   /* Those that are drawn. */
   if (r.view_mask) {
      for (uint32_t i = 0; i < r.color_count; i++)
         r.color[i].clear_views &= r.view_mask;
      r.depth.clear_views &= r.view_mask;
      r.stencil.clear_views &= r.view_mask;
   }
   saf_cmd_begin_rendering(cmd, &r);
}

/* ---- VK_KHR_dynamic_rendering_local_read ---- */

/* Both say what the pipeline says: its shader is made for that
 * (saf_nir_move_colors()), and input attachments are descriptors. */
VKAPI_ATTR void VKAPI_CALL
saf_CmdSetRenderingAttachmentLocations(
   VkCommandBuffer cmd, const VkRenderingAttachmentLocationInfoKHR *info)
{
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetRenderingInputAttachmentIndices(
   VkCommandBuffer cmd, const VkRenderingInputAttachmentIndexInfoKHR *info)
{
}

/* Layouts say what is read where it is drawn; a draw that may read it and one
 * that does not are the same. */
VKAPI_ATTR void VKAPI_CALL
saf_CmdSetAttachmentFeedbackLoopEnableEXT(VkCommandBuffer cmd,
                                          VkImageAspectFlags aspects)
{
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdEndRendering(VkCommandBuffer _cmd)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   const struct saf_rendering_attachment stencil = cmd->rendering.stencil;
   saf_cmd_end_rendering(cmd);
   /* In a layout that shaders may read no barrier need follow but one of
    * memory. */
   if (stencil.view)
      saf_meta_refresh_shadow_in(cmd, stencil.view, stencil.layout);
   if (stencil.resolve)
      saf_meta_refresh_shadow_in(cmd, stencil.resolve,
                                 stencil.resolve_layout);
}

struct recorded_begin {
   struct saf_recorded head;
   VkRenderingInfo info;
};

static void
play_begin(struct saf_cmd_buffer *cmd, const struct saf_recorded *r)
{
   begin(cmd, &((const struct recorded_begin *)r)->info);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBeginRendering(VkCommandBuffer _cmd, const VkRenderingInfo *info)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   if (cmd->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
      begin(cmd, info);
      return;
   }
   struct recorded_begin *r = saf_record(cmd, sizeof(*r), play_begin);
   if (!r)
      return;
   r->info = *info;
   r->info.pNext = NULL;
   r->info.pColorAttachments = saf_record_copy(
      cmd, info->pColorAttachments,
      info->colorAttachmentCount * sizeof(*info->pColorAttachments));
   r->info.pDepthAttachment = saf_record_copy(
      cmd, info->pDepthAttachment, sizeof(*info->pDepthAttachment));
   r->info.pStencilAttachment = saf_record_copy(
      cmd, info->pStencilAttachment, sizeof(*info->pStencilAttachment));
}
