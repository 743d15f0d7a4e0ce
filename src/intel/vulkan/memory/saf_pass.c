/* SPDX-License-Identifier: MIT */
/* Render passes and framebuffers: descriptions only, no GPU state. */
#include "saf_image_control.h"
#include "saf_pass.h"
#include "util/arena.h"

static struct saf_render_pass *
pass_alloc(struct saf_device *device, const VkAllocationCallbacks *alloc,
           uint32_t attachments, uint32_t subpasses)
{
   const size_t uses = (size_t)attachments * subpasses;
   const size_t size_B = sizeof(struct saf_render_pass) +
                         attachments * sizeof(struct saf_attachment) +
                         subpasses * sizeof(struct saf_subpass) +
                         uses * (sizeof(uint32_t) + sizeof(VkImageLayout));
   struct saf_render_pass *pass =
      saf_alloc(alloc ? alloc : device->alloc, size_B);
   if (!pass)
      return NULL;
   pass->attachment_count = attachments;
   pass->subpass_count = subpasses;
   pass->attachments = (struct saf_attachment *)(pass + 1);
   pass->subpasses = (struct saf_subpass *)(pass->attachments + attachments);
   pass->first_views = (uint32_t *)(pass->subpasses + subpasses);
   pass->stencil_layouts = (VkImageLayout *)(pass->first_views + uses);
   return pass;
}

struct saf_render_pass *
saf_render_pass_copy(struct arena *arena, const struct saf_render_pass *pass)
{
   struct saf_render_pass *copy = arena_memdup(arena, pass, sizeof(*pass));
   copy->attachments =
      arena_memdup(arena, pass->attachments,
                   pass->attachment_count * sizeof(*pass->attachments));
   copy->subpasses = arena_memdup(
      arena, pass->subpasses, pass->subpass_count * sizeof(*pass->subpasses));
   const size_t uses = (size_t)pass->attachment_count * pass->subpass_count;
   copy->first_views = arena_memdup(arena, pass->first_views,
                                    uses * sizeof(*pass->first_views));
   copy->stencil_layouts = arena_memdup(
      arena, pass->stencil_layouts, uses * sizeof(*pass->stencil_layouts));
   return copy;
}

/* One body for VkSubpassDescription and ..2, whose members agree in name. */
#define FILL_SUBPASS(out, s)                                                 \
   do {                                                                      \
      (out)->color_count = (s)->colorAttachmentCount;                        \
      for (uint32_t c = 0; c < (s)->colorAttachmentCount; c++) {             \
         (out)->color[c] = (s)->pColorAttachments[c].attachment;             \
         (out)->color_layout[c] = (s)->pColorAttachments[c].layout;          \
         (out)->resolve[c] = (s)->pResolveAttachments                        \
                                ? (s)->pResolveAttachments[c].attachment     \
                                : VK_ATTACHMENT_UNUSED;                      \
      }                                                                      \
      (out)->depth_stencil = (s)->pDepthStencilAttachment                    \
                                ? (s)->pDepthStencilAttachment->attachment   \
                                : VK_ATTACHMENT_UNUSED;                      \
      (out)->depth_stencil_layout =                                          \
         (s)->pDepthStencilAttachment ? (s)->pDepthStencilAttachment->layout \
                                      : VK_IMAGE_LAYOUT_UNDEFINED;           \
      (out)->depth_resolve = VK_ATTACHMENT_UNUSED;                           \
   } while (0)

static void
use(struct saf_render_pass *pass, uint32_t subpass, uint32_t attachment)
{
   const uint32_t n = pass->attachment_count;
   uint32_t views = MAX2(pass->subpasses[subpass].view_mask, 1);
   if (attachment >= n)
      return;
   for (uint32_t s = 0; s < subpass; s++)
      views &= ~pass->first_views[s * n + attachment];
   pass->first_views[subpass * n + attachment] = views;
}

/* In a layout, if shaders may read it. */
static void
use_in(struct saf_render_pass *pass, uint32_t subpass, uint32_t attachment,
       VkImageLayout layout)
{
   use(pass, subpass, attachment);
   if (attachment < pass->attachment_count)
      pass->stencil_layouts[subpass * pass->attachment_count + attachment] =
         layout;
}

/* Marks what a subpass refers to, whose views have to be known. */
#define FILL_USES(pass, index, s)                                            \
   do {                                                                      \
      for (uint32_t c = 0; c < (s)->inputAttachmentCount; c++)               \
         use_in(pass, index, (s)->pInputAttachments[c].attachment,           \
                (s)->pInputAttachments[c].layout);                           \
      for (uint32_t c = 0; c < (s)->colorAttachmentCount; c++) {             \
         use(pass, index, (pass)->subpasses[index].color[c]);                \
         use(pass, index, (pass)->subpasses[index].resolve[c]);              \
      }                                                                      \
      use_in(pass, index, (pass)->subpasses[index].depth_stencil,            \
             (pass)->subpasses[index].depth_stencil_layout);                 \
      use(pass, index, (pass)->subpasses[index].depth_resolve);              \
   } while (0)

/* Of all subpasses or of none (Vulkan, VUID-VkRenderPassCreateInfo2
 * -viewMask-03058). */
static void
note_views(struct saf_render_pass *pass, const void *next)
{
   const VkRenderPassMultiviewCreateInfo *views = saf_find_struct(
      next, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
   for (uint32_t i = 0; views && i < views->subpassCount; i++)
      pass->subpasses[i].view_mask = views->pViewMasks[i];
}

#define FILL_ATTACHMENT(out, a)                                              \
   do {                                                                      \
      (out)->format = (a)->format;                                           \
      (out)->samples = (a)->samples;                                         \
      (out)->load_op = (a)->loadOp;                                          \
      (out)->stencil_load_op = (a)->stencilLoadOp;                           \
      (out)->undefined = saf_layout_is_undefined((a)->initialLayout);        \
      (out)->stencil_initial_layout = (a)->initialLayout;                    \
      (out)->stencil_final_layout = (a)->finalLayout;                        \
   } while (0)

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateRenderPass(VkDevice _device, const VkRenderPassCreateInfo *info,
                     const VkAllocationCallbacks *alloc, VkRenderPass *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_render_pass *pass =
      pass_alloc(device, alloc, info->attachmentCount, info->subpassCount);
   if (!pass)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < info->attachmentCount; i++)
      FILL_ATTACHMENT(&pass->attachments[i], &info->pAttachments[i]);
   for (uint32_t i = 0; i < info->subpassCount; i++)
      FILL_SUBPASS(&pass->subpasses[i], &info->pSubpasses[i]);
   note_views(pass, info->pNext);
   for (uint32_t i = 0; i < info->subpassCount; i++)
      FILL_USES(pass, i, &info->pSubpasses[i]);
   *out = saf_render_pass_to_handle(pass);
   return VK_SUCCESS;
}

/* Stencil may have a layout of its own. */
static void
use_stencil(struct saf_render_pass *pass, uint32_t subpass,
            const VkAttachmentReference2 *ref)
{
   if (!ref)
      return;
   const VkAttachmentReferenceStencilLayout *stencil = saf_find_struct(
      ref->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT);
   use_in(pass, subpass, ref->attachment,
          stencil ? stencil->stencilLayout : ref->layout);
}

static void
fill_subpass2(struct saf_render_pass *pass, uint32_t index,
              const VkSubpassDescription2 *info)
{
   struct saf_subpass *sub = &pass->subpasses[index];
   FILL_SUBPASS(sub, info);
   sub->view_mask = info->viewMask;
   const VkSubpassDescriptionDepthStencilResolve *r = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
   if (r && r->pDepthStencilResolveAttachment) {
      sub->depth_resolve = r->pDepthStencilResolveAttachment->attachment;
      sub->depth_resolve_mode = r->depthResolveMode;
      sub->stencil_resolve_mode = r->stencilResolveMode;
      use_stencil(pass, index, r->pDepthStencilResolveAttachment);
   }
   FILL_USES(pass, index, info);
   for (uint32_t i = 0; i < info->inputAttachmentCount; i++)
      use_stencil(pass, index, &info->pInputAttachments[i]);
   use_stencil(pass, index, info->pDepthStencilAttachment);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateRenderPass2(VkDevice _device, const VkRenderPassCreateInfo2 *info,
                      const VkAllocationCallbacks *alloc, VkRenderPass *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_render_pass *pass =
      pass_alloc(device, alloc, info->attachmentCount, info->subpassCount);
   if (!pass)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < info->attachmentCount; i++) {
      struct saf_attachment *att = &pass->attachments[i];
      FILL_ATTACHMENT(att, &info->pAttachments[i]);
      const VkAttachmentDescriptionStencilLayout *stencil = saf_find_struct(
         info->pAttachments[i].pNext,
         VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT);
      if (stencil) {
         att->stencil_initial_layout = stencil->stencilInitialLayout;
         att->stencil_final_layout = stencil->stencilFinalLayout;
      }
   }
   for (uint32_t i = 0; i < info->subpassCount; i++)
      fill_subpass2(pass, i, &info->pSubpasses[i]);
   *out = saf_render_pass_to_handle(pass);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyRenderPass(VkDevice _device, VkRenderPass pass,
                      const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   saf_free(alloc ? alloc : device->alloc, saf_render_pass_from_handle(pass));
}

VKAPI_ATTR void VKAPI_CALL
saf_GetRenderAreaGranularity(VkDevice device, VkRenderPass pass,
                             VkExtent2D *out)
{
   *out = (VkExtent2D) { 1, 1 };
}

VKAPI_ATTR void VKAPI_CALL
saf_GetRenderingAreaGranularity(VkDevice device,
                                const VkRenderingAreaInfoKHR *info,
                                VkExtent2D *out)
{
   *out = (VkExtent2D) { 1, 1 };
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateFramebuffer(VkDevice _device, const VkFramebufferCreateInfo *info,
                      const VkAllocationCallbacks *alloc, VkFramebuffer *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   const bool imageless = info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
   const uint32_t count = imageless ? 0 : info->attachmentCount;
   struct saf_framebuffer *fb =
      saf_alloc(alloc ? alloc : device->alloc,
                sizeof(*fb) + count * sizeof(fb->attachments[0]));
   if (!fb)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   fb->width = info->width;
   fb->height = info->height;
   fb->layers = info->layers;
   fb->attachment_count = count;
   for (uint32_t i = 0; i < count; i++)
      fb->attachments[i] = saf_image_view_from_handle(info->pAttachments[i]);
   *out = saf_framebuffer_to_handle(fb);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyFramebuffer(VkDevice _device, VkFramebuffer fb,
                       const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   saf_free(alloc ? alloc : device->alloc, saf_framebuffer_from_handle(fb));
}
