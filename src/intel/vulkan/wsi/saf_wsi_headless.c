/* SPDX-License-Identifier: MIT */
/* Surfaces that nobody sees (VK_EXT_headless_surface): presenting takes its
 * time, and nothing else. */
#include "saf_wsi.h"

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateHeadlessSurfaceEXT(VkInstance _instance,
                             const VkHeadlessSurfaceCreateInfoEXT *info,
                             const VkAllocationCallbacks *alloc,
                             VkSurfaceKHR *out)
{
   struct saf_surface *surface;
   const VkResult result = saf_surface_create(
      saf_instance_from_handle(_instance), alloc,
      VK_ICD_WSI_PLATFORM_HEADLESS, &saf_wsi_headless, &surface);
   if (!result)
      *out = saf_surface_to_handle(surface);
   return result;
}

static VkResult
attach(struct saf_swapchain *chain, const struct saf_surface *surface)
{
   return VK_SUCCESS;
}

static void
detach(struct saf_swapchain *chain)
{
}

static bool
present(struct saf_swapchain *chain, const struct saf_wsi_picture *picture)
{
   if (chain->mode == VK_PRESENT_MODE_FIFO_KHR)
      saf_wsi_wait_for_frame(chain);
   return true;
}

static const VkPresentModeKHR modes[] = {
   VK_PRESENT_MODE_FIFO_KHR,
   VK_PRESENT_MODE_MAILBOX_KHR,
   VK_PRESENT_MODE_IMMEDIATE_KHR,
};

const struct saf_wsi_platform saf_wsi_headless = {
   .modes = modes,
   .mode_count = ARRAY_SIZE(modes),
   .alphas = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR |
             VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
   .extent = saf_wsi_any_extent,
   .chain_extent = saf_wsi_any_chain_extent,
   .attach = attach,
   .detach = detach,
   .present = present,
};
