/* SPDX-License-Identifier: MIT */
/*
 * Presentation to X11 windows.
 *
 * Images of a swapchain are linear, so that what was rendered can be sent to
 * the server as it is. Presenting waits for the rendering, then copies the
 * pixels into a shared memory segment, or through the connection where the
 * server is not on this machine. As all is done when vkQueuePresentKHR
 * returns, an image that is not acquired is always free.
 *
 * Requests on the application's connection are checked, each of them: an
 * error that nobody asks for is given to the application's handler, which
 * ends most programs, for no more than a window that is gone.
 */
#include <errno.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <time.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>

#include "intel/vulkan/genx/saf_genx.h"
#include "intel/vulkan/saf_private.h"

#define MAX_IMAGES 8
#define MIN_IMAGES 2

struct saf_surface {
   VkIcdSurfaceXcb icd;
};

struct saf_swapchain {
   struct saf_device *device;
   xcb_connection_t *conn;
   xcb_window_t window;
   xcb_gcontext_t gc;
   uint8_t depth;
   VkExtent2D extent;
   VkPresentModeKHR mode;
   uint32_t image_count;
   VkImage images[MAX_IMAGES];
   struct saf_bo *bos[MAX_IMAGES];
   bool acquired[MAX_IMAGES];
   uint32_t next;
   uint64_t next_frame_ns;      /* FIFO: not before */

   /* Shared with the server; NULL if that cannot be had. */
   xcb_shm_seg_t segment;
   void *shared;
};

static const VkSurfaceFormatKHR surface_formats[] = {
   { VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR },
   { VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR },
};

static const VkPresentModeKHR present_modes[] = {
   VK_PRESENT_MODE_FIFO_KHR,
   VK_PRESENT_MODE_IMMEDIATE_KHR,
};

/* ---- surfaces ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateXcbSurfaceKHR(VkInstance _instance,
                        const VkXcbSurfaceCreateInfoKHR *info,
                        const VkAllocationCallbacks *alloc, VkSurfaceKHR *out)
{
   SAF_FROM_HANDLE(saf_instance, instance, _instance);
   struct saf_surface *surface =
      saf_alloc(alloc ? alloc : instance->alloc, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->icd.base.platform = VK_ICD_WSI_PLATFORM_XCB;
   surface->icd.connection = info->connection;
   surface->icd.window = info->window;
   *out = saf_surface_to_handle(surface);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroySurfaceKHR(VkInstance _instance, VkSurfaceKHR surface,
                      const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_instance, instance, _instance);
   saf_free(alloc ? alloc : instance->alloc, saf_surface_from_handle(surface));
}

VKAPI_ATTR VkBool32 VKAPI_CALL
saf_GetPhysicalDeviceXcbPresentationSupportKHR(VkPhysicalDevice pdev,
                                               uint32_t family,
                                               xcb_connection_t *connection,
                                               xcb_visualid_t visual)
{
   return VK_TRUE;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice pdev, uint32_t family,
                                       VkSurfaceKHR surface, VkBool32 *out)
{
   *out = saf_surface_from_handle(surface)->icd.base.platform ==
          VK_ICD_WSI_PLATFORM_XCB;
   return VK_SUCCESS;
}

static bool
window_geometry(xcb_connection_t *conn, xcb_window_t window,
                VkExtent2D *extent, uint8_t *depth)
{
   xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(
      conn, xcb_get_geometry(conn, window), NULL);
   if (!geometry)
      return false;
   *extent = (VkExtent2D){ geometry->width, geometry->height };
   *depth = geometry->depth;
   free(geometry);
   return true;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfaceCapabilitiesKHR(VkPhysicalDevice pdev,
                                            VkSurfaceKHR _surface,
                                            VkSurfaceCapabilitiesKHR *out)
{
   SAF_FROM_HANDLE(saf_surface, surface, _surface);
   VkExtent2D extent;
   uint8_t depth;
   if (!window_geometry(surface->icd.connection, surface->icd.window, &extent,
                        &depth))
      return VK_ERROR_SURFACE_LOST_KHR;
   *out = (VkSurfaceCapabilitiesKHR){
      .minImageCount = MIN_IMAGES,
      .maxImageCount = MAX_IMAGES,
      .currentExtent = extent,
      .minImageExtent = extent,
      .maxImageExtent = extent,
      .maxImageArrayLayers = 1,
      .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .supportedCompositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR |
                                 VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
      .supportedUsageFlags = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                             VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                             VK_IMAGE_USAGE_SAMPLED_BIT |
                             VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
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

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice pdev,
                                       VkSurfaceKHR surface, uint32_t *count,
                                       VkSurfaceFormatKHR *out)
{
   return saf_enumerate(count, out, surface_formats,
                        ARRAY_SIZE(surface_formats), sizeof(*out));
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfaceFormats2KHR(
   VkPhysicalDevice pdev, const VkPhysicalDeviceSurfaceInfo2KHR *info,
   uint32_t *count, VkSurfaceFormat2KHR *out)
{
   const uint32_t n = ARRAY_SIZE(surface_formats);
   if (!out) {
      *count = n;
      return VK_SUCCESS;
   }
   const uint32_t written = MIN2(*count, n);
   for (uint32_t i = 0; i < written; i++)
      out[i].surfaceFormat = surface_formats[i];
   *count = written;
   return written < n ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice pdev,
                                            VkSurfaceKHR surface,
                                            uint32_t *count,
                                            VkPresentModeKHR *out)
{
   return saf_enumerate(count, out, present_modes, ARRAY_SIZE(present_modes),
                        sizeof(*out));
}

/* ---- swapchains ---- */

static size_t
image_bytes(const struct saf_swapchain *chain)
{
   return (size_t)chain->extent.width * chain->extent.height * 4;
}

/* Whether the server did it. */
static bool
succeeded(xcb_connection_t *conn, xcb_void_cookie_t cookie)
{
   xcb_generic_error_t *error = xcb_request_check(conn, cookie);
   const bool ok = !error && !xcb_connection_has_error(conn);
   free(error);
   return ok;
}

static void
attach_shared(struct saf_swapchain *chain)
{
   xcb_shm_query_version_reply_t *version = xcb_shm_query_version_reply(
      chain->conn, xcb_shm_query_version(chain->conn), NULL);
   if (!version)
      return;
   free(version);
   const int id =
      shmget(IPC_PRIVATE, MAX2(image_bytes(chain), 1), IPC_CREAT | 0600);
   if (id < 0)
      return;
   void *map = shmat(id, NULL, 0);
   if (map != (void *)-1) {
      chain->segment = xcb_generate_id(chain->conn);
      if (succeeded(chain->conn,
                    xcb_shm_attach_checked(chain->conn, chain->segment,
                                           (uint32_t)id, 0)))
         chain->shared = map;
      else
         shmdt(map);
   }
   /* It goes when both sides have let go of it. */
   shmctl(id, IPC_RMID, NULL);
}

static bool
create_gc(struct saf_swapchain *chain)
{
   const xcb_gcontext_t gc = xcb_generate_id(chain->conn);
   const uint32_t no_exposures = 0;
   if (!succeeded(chain->conn,
                  xcb_create_gc_checked(chain->conn, gc, chain->window,
                                        XCB_GC_GRAPHICS_EXPOSURES,
                                        &no_exposures)))
      return false;
   chain->gc = gc;
   return true;
}

static VkResult
add_image(struct saf_swapchain *chain, const VkSwapchainCreateInfoKHR *info)
{
   const VkImageCreateInfo image_info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = info->flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR
                  ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                       VK_IMAGE_CREATE_EXTENDED_USAGE_BIT : 0,
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

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateSwapchainKHR(VkDevice _device, const VkSwapchainCreateInfoKHR *info,
                       const VkAllocationCallbacks *alloc,
                       VkSwapchainKHR *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_surface, surface, info->surface);
   struct saf_swapchain *chain =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*chain));
   if (!chain)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   chain->device = device;
   chain->conn = surface->icd.connection;
   chain->window = surface->icd.window;
   chain->extent = info->imageExtent;
   chain->mode = info->presentMode;
   *out = saf_swapchain_to_handle(chain);
   VkExtent2D now;
   VkResult result = VK_SUCCESS;
   if (!window_geometry(chain->conn, chain->window, &now, &chain->depth))
      result = VK_ERROR_SURFACE_LOST_KHR;
   const uint32_t count = CLAMP(info->minImageCount, MIN_IMAGES, MAX_IMAGES);
   for (uint32_t i = 0; i < count && !result; i++)
      result = add_image(chain, info);
   if (!result && !create_gc(chain))
      result = VK_ERROR_SURFACE_LOST_KHR;
   if (result) {
      saf_DestroySwapchainKHR(_device, *out, alloc);
      *out = VK_NULL_HANDLE;
      return result;
   }
   attach_shared(chain);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroySwapchainKHR(VkDevice _device, VkSwapchainKHR _chain,
                        const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_swapchain, chain, _chain);
   if (!chain)
      return;
   for (uint32_t i = 0; i < chain->image_count; i++) {
      saf_DestroyImage(_device, chain->images[i], NULL);
      saf_bo_destroy(device, chain->bos[i]);
   }
   if (chain->shared) {
      succeeded(chain->conn,
                xcb_shm_detach_checked(chain->conn, chain->segment));
      shmdt(chain->shared);
   }
   if (chain->gc)
      succeeded(chain->conn, xcb_free_gc_checked(chain->conn, chain->gc));
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
   uint8_t depth;
   if (!window_geometry(chain->conn, chain->window, &now, &depth))
      return VK_ERROR_SURFACE_LOST_KHR;
   if (now.width != chain->extent.width || now.height != chain->extent.height)
      return VK_ERROR_OUT_OF_DATE_KHR;
   for (uint32_t i = 0; i < chain->image_count; i++) {
      const uint32_t n = (chain->next + i) % chain->image_count;
      if (chain->acquired[n])
         continue;
      chain->acquired[n] = true;
      chain->next = (n + 1) % chain->image_count;
      *index = n;
      if (semaphore)
         saf_syncobj_signal(device, semaphore->syncobj);
      if (fence)
         saf_syncobj_signal(device, fence->syncobj);
      return VK_SUCCESS;
   }
   return timeout ? VK_TIMEOUT : VK_NOT_READY;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_AcquireNextImage2KHR(VkDevice device,
                         const VkAcquireNextImageInfoKHR *info,
                         uint32_t *index)
{
   return saf_AcquireNextImageKHR(device, info->swapchain, info->timeout,
                                  info->semaphore, info->fence, index);
}

/* In pieces that fit into a request. False: the window is gone. */
static bool
put_by_socket(struct saf_swapchain *chain, const char *pixels,
              uint32_t pitch_B)
{
   const uint32_t row_B = chain->extent.width * 4;
   const uint32_t max_B =
      (uint32_t)MIN2((uint64_t)xcb_get_maximum_request_length(chain->conn) *
                        4, 1u << 22) - 64;
   const uint32_t rows = MAX2(max_B / row_B, 1);
   char *packed = malloc((size_t)rows * row_B);
   bool ok = packed != NULL;
   for (uint32_t y = 0; ok && y < chain->extent.height; y += rows) {
      const uint32_t n = MIN2(rows, chain->extent.height - y);
      for (uint32_t i = 0; i < n; i++)
         memcpy(packed + (size_t)i * row_B,
                pixels + (size_t)(y + i) * pitch_B, row_B);
      const xcb_void_cookie_t cookie = xcb_put_image_checked(
         chain->conn, XCB_IMAGE_FORMAT_Z_PIXMAP, chain->window, chain->gc,
         (uint16_t)chain->extent.width, (uint16_t)n, 0, (int16_t)y, 0,
         chain->depth, n * row_B, (const uint8_t *)packed);
      ok = succeeded(chain->conn, cookie);
   }
   free(packed);
   return ok;
}

/* The answer also says that the server is done with the segment. */
static bool
put_by_shm(struct saf_swapchain *chain, const char *pixels, uint32_t pitch_B)
{
   const uint32_t row_B = chain->extent.width * 4;
   for (uint32_t y = 0; y < chain->extent.height; y++)
      memcpy((char *)chain->shared + (size_t)y * row_B,
             pixels + (size_t)y * pitch_B, row_B);
   const xcb_void_cookie_t cookie = xcb_shm_put_image_checked(
      chain->conn, chain->window, chain->gc, (uint16_t)chain->extent.width,
      (uint16_t)chain->extent.height, 0, 0, (uint16_t)chain->extent.width,
      (uint16_t)chain->extent.height, 0, 0, chain->depth,
      XCB_IMAGE_FORMAT_Z_PIXMAP, 0, chain->segment, 0);
   return succeeded(chain->conn, cookie);
}

/* X11 without further extensions does not say when a frame begins: FIFO is
 * paced as if there were 60 of them a second. */
#define FRAME_NS 16666667ull

static void
wait_for_frame(struct saf_swapchain *chain)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   const uint64_t now_ns =
      (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
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
   const char *pixels = chain->bos[index]->map;
   const uint32_t pitch_B = image->planes[0].surf.row_pitch_B;
   chain->acquired[index] = false;
   if (chain->mode == VK_PRESENT_MODE_FIFO_KHR)
      wait_for_frame(chain);
   const bool ok = chain->shared ? put_by_shm(chain, pixels, pitch_B)
                                 : put_by_socket(chain, pixels, pitch_B);
   return ok ? VK_SUCCESS : VK_ERROR_SURFACE_LOST_KHR;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_QueuePresentKHR(VkQueue _queue, const VkPresentInfoKHR *info)
{
   SAF_FROM_HANDLE(saf_queue, queue, _queue);
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .waitSemaphoreCount = info->waitSemaphoreCount,
      .pWaitSemaphores = info->pWaitSemaphores,
   };
   VkResult result = VK_SUCCESS;
   if (info->waitSemaphoreCount)
      result = saf_QueueSubmit(_queue, 1, &submit, VK_NULL_HANDLE);
   if (!result)
      result = saf_queue_wait_idle(queue);
   for (uint32_t i = 0; i < info->swapchainCount; i++) {
      VkResult one = result;
      if (!one)
         one = present_one(saf_swapchain_from_handle(info->pSwapchains[i]),
                           info->pImageIndices[i]);
      if (info->pResults)
         info->pResults[i] = one;
      if (one)
         result = one;
   }
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
   uint8_t depth;
   if (!window_geometry(surface->icd.connection, surface->icd.window,
                        &rect.extent, &depth))
      return VK_ERROR_SURFACE_LOST_KHR;
   return saf_enumerate(count, out, &rect, 1, sizeof(rect));
}
