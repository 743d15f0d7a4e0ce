/* SPDX-License-Identifier: MIT */
/* Render passes and framebuffers. */
#ifndef SAF_PASS_H
#define SAF_PASS_H

#include "intel/vulkan/base/saf_base.h"
#include "saf_image.h"

struct saf_attachment {
   VkFormat format;
   uint32_t samples;
   VkAttachmentLoadOp load_op, stencil_load_op;
   bool undefined; /* what is there when the pass begins */
   /* Of colour: the only ones. */
   VkImageLayout stencil_initial_layout, stencil_final_layout;
};

struct saf_subpass {
   uint32_t view_mask; /* views that are drawn; 0: no multiview */
   uint32_t color_count;
   uint32_t color[SAF_MAX_RTS];
   VkImageLayout color_layout[SAF_MAX_RTS];
   uint32_t resolve[SAF_MAX_RTS];
   uint32_t depth_stencil, depth_resolve;
   VkImageLayout depth_stencil_layout;
   VkResolveModeFlagBits depth_resolve_mode, stencil_resolve_mode;
};

struct saf_render_pass {
   uint32_t attachment_count, subpass_count;
   struct saf_attachment *attachments;
   struct saf_subpass *subpasses;
   /* [subpass][attachment]: views that use it there and in no subpass
    * before, as anything; without multiview there is one view, number 0. */
   uint32_t *first_views;
   /* [subpass][attachment]: as an input or for depth and stencil; UNDEFINED:
    * neither. */
   VkImageLayout *stencil_layouts;
};

struct arena;
struct saf_render_pass *
saf_render_pass_copy(struct arena *arena, const struct saf_render_pass *pass);

struct saf_framebuffer {
   uint32_t width, height, layers;
   uint32_t attachment_count; /* 0 when imageless */
   struct saf_image_view *attachments[];
};

SAF_NONDISPATCHABLE(saf_render_pass, VkRenderPass)
SAF_NONDISPATCHABLE(saf_framebuffer, VkFramebuffer)

#endif
