/* SPDX-License-Identifier: MIT */
/*
 * Surfaces, swapchains and presentation, whatever the window system.
 *
 * Images of a swapchain are linear, so that what was rendered can be shown as
 * it is. Presenting waits for the rendering, then the window system gets the
 * pixels: when vkQueuePresentKHR returns, the image is free. A window system
 * that takes the images themselves (shares_images) waits by itself, and says
 * when it lets go of them.
 */
#include <errno.h>
#include <time.h>

#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/base/saf_sync.h"
#include "intel/vulkan/memory/saf_image.h"
#include "saf_wsi.h"

#define MAX_EXTENT 16384 /* of a 2D image */

struct surface_formats {
   uint32_t count;
   VkSurfaceFormatKHR formats[SAF_WSI_MAX_FORMATS];
};

uint32_t
saf_wsi_common_formats(VkFormat out[SAF_WSI_MAX_FORMATS])
{
   out[0] = VK_FORMAT_B8G8R8A8_UNORM;
   out[1] = VK_FORMAT_B8G8R8A8_SRGB;
   return 2;
}

static struct surface_formats
get_formats(const struct saf_surface *surface)
{
   VkFormat formats[SAF_WSI_MAX_FORMATS];
   struct surface_formats out = {
      surface->platform->formats
         ? surface->platform->formats(surface, formats)
         : saf_wsi_common_formats(formats),
   };
   for (uint32_t i = 0; i < out.count; i++)
      out.formats[i] = (VkSurfaceFormatKHR) {
         formats[i],
         VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
      };
   return out;
}

/* ---- surfaces ---- */

VkResult
saf_surface_create(struct saf_instance *instance,
                   const VkAllocationCallbacks *alloc, VkIcdWsiPlatform kind,
                   const struct saf_wsi_platform *platform,
                   struct saf_surface **out)
{
   struct saf_surface *surface =
      saf_alloc(alloc ? alloc : instance->alloc, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->icd.base.platform = kind;
   surface->platform = platform;
   surface->native.id = (uintptr_t)surface;
   *out = surface;
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroySurfaceKHR(VkInstance _instance, VkSurfaceKHR surface,
                      const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_instance, instance, _instance);
   saf_free(alloc ? alloc : instance->alloc,
            saf_surface_from_handle(surface));
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice pdev, uint32_t family,
                                       VkSurfaceKHR _surface, VkBool32 *out)
{
   SAF_FROM_HANDLE(saf_surface, surface, _surface);
   VkExtent2D extent;
   if (!surface->platform->extent(surface, &extent))
      return VK_ERROR_SURFACE_LOST_KHR;
   *out = get_formats(surface).count > 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfaceCapabilitiesKHR(VkPhysicalDevice pdev,
                                            VkSurfaceKHR _surface,
                                            VkSurfaceCapabilitiesKHR *out)
{
   SAF_FROM_HANDLE(saf_surface, surface, _surface);
   VkExtent2D extent;
   if (!surface->platform->extent(surface, &extent))
      return VK_ERROR_SURFACE_LOST_KHR;
   const bool any = extent.width == UINT32_MAX;
   *out = (VkSurfaceCapabilitiesKHR) {
      .minImageCount = SAF_WSI_MIN_IMAGES,
      .maxImageCount = SAF_WSI_MAX_IMAGES,
      .currentExtent = extent,
      .minImageExtent = any ? (VkExtent2D) { 1, 1 } : extent,
      .maxImageExtent = any ? (VkExtent2D) { MAX_EXTENT, MAX_EXTENT }
                            : extent,
      .maxImageArrayLayers = 1,
      .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .supportedCompositeAlpha = surface->platform->alphas,
      .supportedUsageFlags =
         VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
         VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
         VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
   };
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfaceCapabilities2KHR(
   VkPhysicalDevice pdev, const VkPhysicalDeviceSurfaceInfo2KHR *info,
   VkSurfaceCapabilities2KHR *out)
{
   return saf_GetPhysicalDeviceSurfaceCapabilitiesKHR(
      pdev, info->surface, &out->surfaceCapabilities);
}

/* No formats are for a window of a strange depth, or for none. */
static bool
is_gone(const struct saf_surface *surface, const struct surface_formats *have)
{
   VkExtent2D extent;
   return !have->count && !surface->platform->extent(surface, &extent);
}

static bool
shows_format(const struct saf_surface *surface, VkFormat format)
{
   const struct surface_formats have = get_formats(surface);
   for (uint32_t i = 0; i < have.count; i++) {
      if (have.formats[i].format == format)
         return true;
   }
   return false;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice pdev,
                                       VkSurfaceKHR _surface, uint32_t *count,
                                       VkSurfaceFormatKHR *out)
{
   SAF_FROM_HANDLE(saf_surface, surface, _surface);
   const struct surface_formats have = get_formats(surface);
   if (is_gone(surface, &have))
      return VK_ERROR_SURFACE_LOST_KHR;
   return saf_enumerate(count, out, have.formats, have.count, sizeof(*out));
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfaceFormats2KHR(
   VkPhysicalDevice pdev, const VkPhysicalDeviceSurfaceInfo2KHR *info,
   uint32_t *count, VkSurfaceFormat2KHR *out)
{
   SAF_FROM_HANDLE(saf_surface, surface, info->surface);
   const struct surface_formats have = get_formats(surface);
   if (is_gone(surface, &have))
      return VK_ERROR_SURFACE_LOST_KHR;
   if (!out) {
      *count = have.count;
      return VK_SUCCESS;
   }
   const uint32_t written = MIN2(*count, have.count);
   for (uint32_t i = 0; i < written; i++)
      out[i].surfaceFormat = have.formats[i];
   *count = written;
   return written < have.count ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice pdev,
                                            VkSurfaceKHR _surface,
                                            uint32_t *count,
                                            VkPresentModeKHR *out)
{
   SAF_FROM_HANDLE(saf_surface, surface, _surface);
   return saf_enumerate(count, out, surface->platform->modes,
                        surface->platform->mode_count, sizeof(*out));
}

static const VkExtent2D any_extent = { UINT32_MAX, UINT32_MAX };

bool
saf_wsi_any_extent(const struct saf_surface *surface, VkExtent2D *out)
{
   *out = any_extent;
   return true;
}

bool
saf_wsi_any_chain_extent(const struct saf_swapchain *chain, VkExtent2D *out)
{
   *out = any_extent;
   return true;
}

/* ---- swapchains ---- */

static VkResult
add_image(struct saf_swapchain *chain, const VkSwapchainCreateInfoKHR *info)
{
   const VkImageCreateInfo image_info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = info->flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR
                  ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                       VK_IMAGE_CREATE_EXTENDED_USAGE_BIT
                  : 0,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = info->imageFormat,
      .extent = { info->imageExtent.width, info->imageExtent.height, 1 },
      .mipLevels = 1,
      .arrayLayers = 1,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .tiling = VK_IMAGE_TILING_LINEAR,
      .usage = info->imageUsage,
   };
   VkImage handle;
   VkResult result = saf_CreateImage(saf_device_to_handle(chain->device),
                                     &image_info, NULL, &handle);
   if (result)
      return result;
   const uint32_t i = chain->image_count++;
   struct saf_image *image = saf_image_from_handle(handle);
   chain->images[i] = handle;
   result = saf_bo_create(chain->device, "swapchain image", image->size_B, 0,
                          &chain->bos[i]);
   if (result)
      return result;
   if (!saf_bo_map(chain->device, chain->bos[i]))
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   image->bo = chain->bos[i];
   return VK_SUCCESS;
}

/* The window may have another swapchain. NULL: nothing is to retire. */
static void
retire(struct saf_instance *instance, struct saf_swapchain *chain)
{
   if (!chain)
      return;
   pthread_mutex_lock(&instance->mutex);
   chain->retired = true;
   pthread_mutex_unlock(&instance->mutex);
}

/* Makes it the window's swapchain; false: the window has one. */
static bool
claim_window(struct saf_instance *instance, struct saf_swapchain *chain)
{
   bool is_free = true;
   pthread_mutex_lock(&instance->mutex);
   list_for_each_entry(struct saf_swapchain, other, &instance->swapchains,
                       link)
      is_free &= other->retired ||
                 other->native.connection != chain->native.connection ||
                 other->native.id != chain->native.id;
   if (is_free)
      list_addtail(&chain->link, &instance->swapchains);
   pthread_mutex_unlock(&instance->mutex);
   return is_free;
}

/* For a thread that presents; NULL: it has been destroyed. */
static struct saf_swapchain *
hold(struct saf_instance *instance, VkSwapchainKHR handle)
{
   const struct saf_swapchain *wanted = saf_swapchain_from_handle(handle);
   struct saf_swapchain *found = NULL;
   pthread_mutex_lock(&instance->mutex);
   list_for_each_entry(struct saf_swapchain, chain, &instance->swapchains,
                       link)
      if (chain == wanted)
         found = chain;
   if (found)
      found->holders++;
   pthread_mutex_unlock(&instance->mutex);
   return found;
}

static void
release_chain(struct saf_instance *instance, struct saf_swapchain *chain)
{
   pthread_mutex_lock(&instance->mutex);
   chain->holders--;
   pthread_cond_broadcast(&instance->release_chain);
   pthread_mutex_unlock(&instance->mutex);
}

/* Nobody finds it any more, or holds it. That no other thread uses it is the
 * application's affair, but zink 22.3 destroys the swapchains of a window
 * that is closed while its own thread presents. */
static void
wait_for_holders(struct saf_instance *instance, struct saf_swapchain *chain)
{
   pthread_mutex_lock(&instance->mutex);
   if (list_is_linked(&chain->link))
      list_del(&chain->link);
   while (chain->holders)
      pthread_cond_wait(&instance->release_chain, &instance->mutex);
   pthread_mutex_unlock(&instance->mutex);
}

/* Images, and what the window system wants for a window. */
static VkResult
fill_swapchain(struct saf_swapchain *chain, const struct saf_surface *surface,
               const VkSwapchainCreateInfoKHR *info)
{
   const uint32_t least =
      MAX2(chain->platform->image_count, SAF_WSI_MIN_IMAGES);
   const uint32_t count =
      CLAMP(info->minImageCount, least, SAF_WSI_MAX_IMAGES);
   if (!claim_window(chain->device->pdev->instance, chain)) {
      return saf_error(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR,
                       "swapchain: the window has one that is not its "
                       "oldSwapchain");
   }
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < count && !result; i++)
      result = add_image(chain, info);
   return result ? result : chain->platform->attach(chain, surface);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateSwapchainKHR(VkDevice _device, const VkSwapchainCreateInfoKHR *info,
                       const VkAllocationCallbacks *alloc,
                       VkSwapchainKHR *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_surface, surface, info->surface);
   *out = VK_NULL_HANDLE;
   /* Whether there will be a new one or not. */
   retire(device->pdev->instance,
          saf_swapchain_from_handle(info->oldSwapchain));
   VkExtent2D now;
   if (!surface->platform->extent(surface, &now))
      return VK_ERROR_SURFACE_LOST_KHR;
   if (!shows_format(surface, info->imageFormat)) {
      return saf_error(VK_ERROR_INITIALIZATION_FAILED,
                       "swapchain: the surface does not show format %d",
                       info->imageFormat);
   }
   struct saf_swapchain *chain =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*chain));
   if (!chain)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   chain->device = device;
   pthread_mutex_init(&chain->mutex, NULL);
   pthread_condattr_t monotonic;
   pthread_condattr_init(&monotonic);
   pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
   pthread_cond_init(&chain->presented, &monotonic);
   pthread_condattr_destroy(&monotonic);
   chain->alloc = device->alloc;
   chain->platform = surface->platform;
   chain->native = surface->native;
   chain->extent = info->imageExtent;
   chain->format = info->imageFormat;
   chain->mode = info->presentMode;
   chain->alpha = info->compositeAlpha;
   const VkResult result = fill_swapchain(chain, surface, info);
   *out = saf_swapchain_to_handle(chain);
   if (result) {
      saf_DestroySwapchainKHR(_device, *out, alloc);
      *out = VK_NULL_HANDLE;
   }
   return result;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroySwapchainKHR(VkDevice _device, VkSwapchainKHR _chain,
                        const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_swapchain, chain, _chain);
   if (!chain)
      return;
   wait_for_holders(device->pdev->instance, chain);
   chain->platform->detach(chain);
   for (uint32_t i = 0; i < chain->image_count; i++) {
      saf_DestroyImage(_device, chain->images[i], NULL);
      saf_bo_destroy(device, chain->bos[i]);
   }
   pthread_cond_destroy(&chain->presented);
   pthread_mutex_destroy(&chain->mutex);
   saf_free(alloc ? alloc : device->alloc, chain);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetSwapchainImagesKHR(VkDevice device, VkSwapchainKHR _chain,
                          uint32_t *count, VkImage *out)
{
   SAF_FROM_HANDLE(saf_swapchain, chain, _chain);
   return saf_enumerate(count, out, chain->images, chain->image_count,
                        sizeof(*out));
}

void
saf_wsi_bind_image(struct saf_image *image, const void *next)
{
   const VkBindImageMemorySwapchainInfoKHR *info = saf_find_struct(
      next, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
   if (!info)
      return;
   SAF_FROM_HANDLE(saf_swapchain, chain, info->swapchain);
   image->bo = chain->bos[info->imageIndex];
   image->offset_B = 0;
}

static uint64_t
deadline_ns(uint64_t timeout_ns)
{
   const uint64_t now_ns = saf_now_ns();
   return timeout_ns > INT64_MAX - now_ns ? INT64_MAX : now_ns + timeout_ns;
}

/* An image that is neither the application's nor shown, the oldest one;
 * image_count: there is none. */
static uint32_t
free_image(const struct saf_swapchain *chain)
{
   for (uint32_t i = 0; i < chain->image_count; i++) {
      const uint32_t n = (chain->next + i) % chain->image_count;
      if (!chain->acquired[n] && !chain->shown[n])
         return n;
   }
   return chain->image_count;
}

static bool
shows_any(const struct saf_swapchain *chain)
{
   for (uint32_t i = 0; i < chain->image_count; i++) {
      if (chain->shown[i])
         return true;
   }
   return false;
}

static VkResult
wait_for_image(struct saf_swapchain *chain, uint64_t timeout_ns,
               uint32_t *index)
{
   const uint64_t until_ns = deadline_ns(timeout_ns);
   const VkResult late = timeout_ns ? VK_TIMEOUT : VK_NOT_READY;
   uint64_t wait_ns = 0; /* first only what has come already */
   while (shows_any(chain)) {
      if (!chain->platform->wait(chain, wait_ns))
         return VK_ERROR_SURFACE_LOST_KHR;
      if (free_image(chain) < chain->image_count)
         break;
      if (wait_ns && saf_now_ns() >= until_ns)
         return late;
      wait_ns = until_ns;
   }
   *index = free_image(chain);
   return *index < chain->image_count ? VK_SUCCESS : late;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_AcquireNextImageKHR(VkDevice _device, VkSwapchainKHR _chain,
                        uint64_t timeout, VkSemaphore _semaphore,
                        VkFence _fence, uint32_t *index)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_swapchain, chain, _chain);
   SAF_FROM_HANDLE(saf_semaphore, semaphore, _semaphore);
   SAF_FROM_HANDLE(saf_fence, fence, _fence);
   VkExtent2D now;
   if (!chain->platform->chain_extent(chain, &now))
      return VK_ERROR_SURFACE_LOST_KHR;
   const VkExtent2D *have = &chain->extent;
   if (now.width != UINT32_MAX &&
       (now.width != have->width || now.height != have->height))
      return VK_ERROR_OUT_OF_DATE_KHR;
   const VkResult result = wait_for_image(chain, timeout, index);
   if (result)
      return result;
   chain->acquired[*index] = true;
   chain->next = (*index + 1) % chain->image_count;
   if (semaphore)
      saf_syncobj_signal(device, saf_payload_syncobj(&semaphore->payload));
   if (fence)
      saf_syncobj_signal(device, saf_payload_syncobj(&fence->payload));
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_AcquireNextImage2KHR(VkDevice device,
                         const VkAcquireNextImageInfoKHR *info,
                         uint32_t *index)
{
   return saf_AcquireNextImageKHR(device, info->swapchain, info->timeout,
                                  info->semaphore, info->fence, index);
}

/* ---- presenting ---- */

#define FRAME_NS 16666667ull

void
saf_wsi_wait_for_frame(struct saf_swapchain *chain)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   const uint64_t now_ns = (uint64_t)t.tv_sec * 1000000000ull +
                           (uint64_t)t.tv_nsec;
   const uint64_t at_ns = MAX2(now_ns, chain->next_frame_ns);
   chain->next_frame_ns = at_ns + FRAME_NS;
   t.tv_sec = (time_t)(at_ns / 1000000000ull);
   t.tv_nsec = (long)(at_ns % 1000000000ull);
   while (at_ns > now_ns &&
          clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
      ;
}

static VkResult
present_one(struct saf_swapchain *chain, uint32_t index)
{
   const struct saf_image *image =
      saf_image_from_handle(chain->images[index]);
   const struct saf_wsi_picture picture = {
      .pixels = chain->bos[index]->map,
      .pitch_B = image->planes[0].surf.row_pitch_B,
      .index = index,
   };
   chain->acquired[index] = false;
   return chain->platform->present(chain, &picture)
             ? VK_SUCCESS
             : VK_ERROR_SURFACE_LOST_KHR;
}

/* `id` 0: it has none. */
static void
note_presented(struct saf_swapchain *chain, uint64_t id, bool lost)
{
   pthread_mutex_lock(&chain->mutex);
   chain->present_id = MAX2(chain->present_id, id);
   chain->lost |= lost;
   pthread_cond_broadcast(&chain->presented);
   pthread_mutex_unlock(&chain->mutex);
}

/* How long a wait lasts before it looks whether the device is lost, with
 * which nothing is presented any more. */
#define LOOK_NS 100000000ull

/* VK_NOT_READY: neither presented nor out of the question. */
static VkResult
present_state(const struct saf_swapchain *chain, uint64_t id)
{
   if (chain->present_id >= id)
      return VK_SUCCESS;
   if (saf_device_check_lost(chain->device))
      return VK_ERROR_DEVICE_LOST;
   return chain->lost ? VK_ERROR_SURFACE_LOST_KHR : VK_NOT_READY;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_WaitForPresentKHR(VkDevice device, VkSwapchainKHR _chain, uint64_t id,
                      uint64_t timeout_ns)
{
   SAF_FROM_HANDLE(saf_swapchain, chain, _chain);
   const uint64_t until_ns = deadline_ns(timeout_ns);
   VkResult result;
   pthread_mutex_lock(&chain->mutex);
   while ((result = present_state(chain, id)) == VK_NOT_READY) {
      const uint64_t now_ns = saf_now_ns();
      if (now_ns >= until_ns) {
         result = VK_TIMEOUT;
         break;
      }
      const uint64_t look_ns = MIN2(until_ns, now_ns + LOOK_NS);
      const struct timespec look = { (time_t)(look_ns / 1000000000ull),
                                     (long)(look_ns % 1000000000ull) };
      pthread_cond_timedwait(&chain->presented, &chain->mutex, &look);
   }
   pthread_mutex_unlock(&chain->mutex);
   return result;
}

/* Until the images are rendered, or who takes them will wait for that; in
 * which case nobody would know when what has an id can be seen. */
static VkResult
wait_for_rendering(struct saf_queue *queue, const VkPresentInfoKHR *info,
                   struct saf_swapchain **chains, bool ids)
{
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .waitSemaphoreCount = info->waitSemaphoreCount,
      .pWaitSemaphores = info->pWaitSemaphores,
   };
   VkResult result = VK_SUCCESS;
   if (info->waitSemaphoreCount)
      result = saf_QueueSubmit(saf_queue_to_handle(queue), 1, &submit,
                               VK_NULL_HANDLE);
   if (result)
      return result;
   bool all_share = !ids;
   for (uint32_t i = 0; i < info->swapchainCount; i++)
      all_share &= chains[i] && chains[i]->shares_images;
   return all_share ? saf_queue_wait_handed_over(queue)
                    : saf_queue_wait_idle(queue);
}

/* One window that is gone is nothing to the others. */
static VkResult
present_all(struct saf_queue *queue, const VkPresentInfoKHR *info,
            struct saf_swapchain **chains)
{
   const VkPresentIdKHR *ids =
      saf_find_struct(info->pNext, VK_STRUCTURE_TYPE_PRESENT_ID_KHR);
   const VkResult waited =
      wait_for_rendering(queue, info, chains, ids != NULL);
   VkResult result = waited;
   for (uint32_t i = 0; i < info->swapchainCount; i++) {
      VkResult one = waited;
      if (!one)
         one = chains[i] ? present_one(chains[i], info->pImageIndices[i])
                         : VK_ERROR_OUT_OF_DATE_KHR;
      if (chains[i])
         note_presented(chains[i],
                        !one && ids && ids->pPresentIds ? ids->pPresentIds[i]
                                                        : 0,
                        one != VK_SUCCESS);
      if (info->pResults)
         info->pResults[i] = one;
      if (one)
         result = one;
   }
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_QueuePresentKHR(VkQueue _queue, const VkPresentInfoKHR *info)
{
   SAF_FROM_HANDLE(saf_queue, queue, _queue);
   struct saf_instance *instance = queue->device->pdev->instance;
   struct saf_swapchain **chains =
      saf_alloc(queue->device->alloc, info->swapchainCount * sizeof(*chains));
   if (!chains)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < info->swapchainCount; i++)
      chains[i] = hold(instance, info->pSwapchains[i]);
   const VkResult result = present_all(queue, info, chains);
   kmd_mark(queue->device->kmd, "present");
   for (uint32_t i = 0; i < info->swapchainCount; i++)
      if (chains[i])
         release_chain(instance, chains[i]);
   saf_free(queue->device->alloc, chains);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetDeviceGroupPresentCapabilitiesKHR(
   VkDevice device, VkDeviceGroupPresentCapabilitiesKHR *out)
{
   memset(out->presentMask, 0, sizeof(out->presentMask));
   out->presentMask[0] = 1;
   out->modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetDeviceGroupSurfacePresentModesKHR(
   VkDevice device, VkSurfaceKHR surface,
   VkDeviceGroupPresentModeFlagsKHR *out)
{
   *out = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice pdev,
                                          VkSurfaceKHR _surface,
                                          uint32_t *count, VkRect2D *out)
{
   SAF_FROM_HANDLE(saf_surface, surface, _surface);
   VkRect2D rect = { { 0, 0 }, { 0, 0 } };
   if (!surface->platform->extent(surface, &rect.extent))
      return VK_ERROR_SURFACE_LOST_KHR;
   return saf_enumerate(count, out, &rect, 1, sizeof(rect));
}
