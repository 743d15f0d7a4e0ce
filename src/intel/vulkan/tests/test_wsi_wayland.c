/* SPDX-License-Identifier: MIT */
/* Presentation to a Wayland compositor, which meson starts for us. */
#define VK_USE_PLATFORM_WAYLAND_KHR
#include "vkt.h"
#include "wayland_server.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define SIZE 64
#define MAX_FORMATS 16

static struct {
   struct wl_display *display;
   struct wl_compositor *compositor;
   struct wl_surface *wl_surface;
   VkSurfaceKHR surface;
} window;

static void
added(void *data, struct wl_registry *registry, uint32_t name,
      const char *interface, uint32_t version)
{
   if (!strcmp(interface, wl_compositor_interface.name))
      window.compositor =
         wl_registry_bind(registry, name, &wl_compositor_interface, 1);
}

static void
removed(void *data, struct wl_registry *registry, uint32_t name)
{
}

static const struct wl_registry_listener listener = { added, removed };

/* It has no role, so that nobody sees it; buffers are taken and released all
 * the same. The connection is the window's. */
static void
open_window_on(struct wl_display *display)
{
   assert_non_null(display);
   window.display = display;
   struct wl_registry *registry = wl_display_get_registry(window.display);
   wl_registry_add_listener(registry, &listener, NULL);
   wl_display_roundtrip(window.display);
   wl_registry_destroy(registry);
   window.wl_surface = wl_compositor_create_surface(window.compositor);
   const VKT_INFO(WaylandSurfaceCreateInfoKHR, info,
                  .display = window.display, .surface = window.wl_surface);
   VKT_CHECK(
      vkCreateWaylandSurfaceKHR(vkt.instance, &info, NULL, &window.surface));
}

static void
open_window(void)
{
   open_window_on(wl_display_connect(NULL));
}

static void
close_window(void)
{
   vkDestroySurfaceKHR(vkt.instance, window.surface, NULL);
   wl_surface_destroy(window.wl_surface);
   wl_compositor_destroy(window.compositor);
   assert_int_equal(wl_display_get_error(window.display), 0);
   wl_display_disconnect(window.display);
}

static VkFence
create_fence(void)
{
   return VKT_NEW(Fence, FENCE);
}

static uint32_t
acquire(VkSwapchainKHR chain)
{
   uint32_t index;
   VkFence fence = create_fence();
   VKT_CHECK(vkAcquireNextImageKHR(vkt.device, chain, UINT64_MAX,
                                   VK_NULL_HANDLE, fence, &index));
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &fence, VK_TRUE, UINT64_MAX));
   vkDestroyFence(vkt.device, fence, NULL);
   return index;
}

static VkResult
present(VkSwapchainKHR chain, uint32_t index)
{
   const VKT_INFO(PresentInfoKHR, info, .swapchainCount = 1,
                  .pSwapchains = &chain, .pImageIndices = &index);
   return vkQueuePresentKHR(vkt.queue, &info);
}

static VkResult
show(VkSwapchainKHR chain)
{
   return present(chain, acquire(chain));
}

/* More frames than there are buffers, in sizes that change, by each mode. */
static void
test_frames(void **state)
{
   open_window();
   for (uint32_t size = 1; size <= SIZE; size *= 8) {
      VkSwapchainKHR chain = vkt_swapchain_create(
         window.surface, VK_PRESENT_MODE_MAILBOX_KHR, size);
      for (unsigned i = 0; i < 10; i++)
         VKT_CHECK(show(chain));
      vkDestroySwapchainKHR(vkt.device, chain, NULL);
   }
   VkSwapchainKHR chain =
      vkt_swapchain_create(window.surface, VK_PRESENT_MODE_FIFO_KHR, SIZE);
   for (unsigned i = 0; i < 3; i++)
      VKT_CHECK(show(chain));
   vkDestroySwapchainKHR(vkt.device, chain, NULL);
   close_window();
}

/* Events on the application's queue are the application's. */
static void
test_events_are_left_alone(void **state)
{
   open_window();
   struct wl_callback *callback = wl_display_sync(window.display);
   VkSwapchainKHR chain =
      vkt_swapchain_create(window.surface, VK_PRESENT_MODE_MAILBOX_KHR, SIZE);
   for (unsigned i = 0; i < 4; i++)
      VKT_CHECK(show(chain));
   /* The answer is still there to be dispatched. */
   while (wl_display_prepare_read(window.display) == 0)
      wl_display_read_events(window.display);
   assert_int_equal(wl_display_dispatch_pending(window.display) > 0, 1);
   wl_callback_destroy(callback);
   vkDestroySwapchainKHR(vkt.device, chain, NULL);
   close_window();
}

/* What the compositor says it has can be shown, and nothing else; ten bits
 * were once sent as eight. */
static void
test_formats(void **state)
{
   open_window();
   VkSurfaceFormatKHR formats[MAX_FORMATS];
   uint32_t count = MAX_FORMATS;
   VKT_CHECK(vkGetPhysicalDeviceSurfaceFormatsKHR(vkt.pdev, window.surface,
                                                  &count, formats));
   bool ten_bits = false;
   VkSwapchainKHR chain;
   for (uint32_t i = 0; i < count; i++) {
      ten_bits |= formats[i].format == VK_FORMAT_A2R10G10B10_UNORM_PACK32;
      VKT_CHECK(vkt_swapchain_try(window.surface, VK_PRESENT_MODE_MAILBOX_KHR,
                                  SIZE, formats[i].format, &chain));
      VKT_CHECK(show(chain));
      vkDestroySwapchainKHR(vkt.device, chain, NULL);
   }
   assert_true(ten_bits);
   assert_int_equal(vkt_swapchain_try(window.surface,
                                      VK_PRESENT_MODE_MAILBOX_KHR, SIZE,
                                      VK_FORMAT_R32_SFLOAT, &chain),
                    VK_ERROR_INITIALIZATION_FAILED);
   assert_true(chain == VK_NULL_HANDLE);
   close_window();
}

/* ---- a compositor of our own ---- */

/* A format must do for opaque chains and for others: a compositor ends the
 * connection of who uses what it has not announced. */
static void
test_formats_without_alpha(void **state)
{
   static const uint32_t shm_formats[] = {
      WL_SHM_FORMAT_XRGB2101010,
      WL_SHM_FORMAT_XBGR2101010,
      WL_SHM_FORMAT_ABGR2101010,
      0,
   };
   struct wayland_server *server =
      wayland_server_start(WAYLAND_SERVER_NO_DMABUFS, shm_formats);
   VkSurfaceFormatKHR formats[MAX_FORMATS];
   uint32_t count = MAX_FORMATS;
   bool has[2] = { false, false };
   open_window_on(wayland_server_connect(server));
   VKT_CHECK(vkGetPhysicalDeviceSurfaceFormatsKHR(vkt.pdev, window.surface,
                                                  &count, formats));
   for (uint32_t i = 0; i < count; i++) {
      has[0] |= formats[i].format == VK_FORMAT_A2R10G10B10_UNORM_PACK32;
      has[1] |= formats[i].format == VK_FORMAT_A2B10G10R10_UNORM_PACK32;
   }
   assert_false(has[0]);
   assert_true(has[1]);
   close_window();
   wayland_server_stop(server);
}

static const uint32_t no_more_formats[] = { 0 };

/* Presents an image in a colour that is the frame's own; what the server has
 * in the end. */
static struct wayland_server_report
show_frame(struct wayland_server *server, VkSwapchainKHR chain, uint8_t frame)
{
   const VkClearColorValue color = { .float32 = { frame / 255.0f, 0.2f, 1,
                                                  1 } };
   const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                         1 };
   VkImage images[8];
   uint32_t count = 8;
   VKT_CHECK(vkGetSwapchainImagesKHR(vkt.device, chain, &count, images));
   const uint32_t index = acquire(chain);
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearColorImage(cmd, images[index], VK_IMAGE_LAYOUT_GENERAL, &color,
                        1, &all);
   vkt_submit(cmd);
   VKT_CHECK(present(chain, index));
   wl_display_roundtrip(window.display);
   return wayland_server_report(server);
}

/* A compositor has each frame's pixels: of the images themselves where it
 * reads linear dma-bufs and takes ours, of copies elsewhere. */
static void
test_dmabufs(void **state)
{
   for (enum wayland_server_dmabufs kind = WAYLAND_SERVER_NO_DMABUFS;
        kind <= WAYLAND_SERVER_TILED_DMABUFS; kind++) {
      const bool shares = kind == WAYLAND_SERVER_TAKES_DMABUFS;
      struct wayland_server *server =
         wayland_server_start(kind, no_more_formats);
      open_window_on(wayland_server_connect(server));
      VkSwapchainKHR chain =
         vkt_swapchain_create(window.surface, VK_PRESENT_MODE_FIFO_KHR, SIZE);
      uint32_t images;
      VKT_CHECK(vkGetSwapchainImagesKHR(vkt.device, chain, &images, NULL));
      for (uint8_t i = 0; i < 10; i++) {
         const struct wayland_server_report report =
            show_frame(server, chain, i);
         assert_int_equal(report.commits, i + 1u);
         assert_int_equal(report.pixel & 0xffffff, i << 16 | 0x33ff);
         assert_int_equal(report.dmabufs, shares ? images : 0);
         assert_int_equal(report.shm_commits, shares ? 0 : i + 1u);
         wayland_server_release(server);
      }
      vkDestroySwapchainKHR(vkt.device, chain, NULL);
      close_window();
      wayland_server_stop(server);
   }
}

static VkResult
try_acquire(VkSwapchainKHR chain, uint64_t timeout_ns, uint32_t *index)
{
   VkFence fence = create_fence();
   const VkResult result = vkAcquireNextImageKHR(
      vkt.device, chain, timeout_ns, VK_NULL_HANDLE, fence, index);
   vkDestroyFence(vkt.device, fence, NULL);
   return result;
}

static void *
release_later(void *server)
{
   usleep(100000);
   wayland_server_release(server);
   return NULL;
}

/* An image that the compositor keeps is not to be had before it lets go of
 * it. (The server does not take one that it has.) */
static void
test_kept_images(void **state)
{
   struct wayland_server *server =
      wayland_server_start(WAYLAND_SERVER_TAKES_DMABUFS, no_more_formats);
   open_window_on(wayland_server_connect(server));
   VkSwapchainKHR chain =
      vkt_swapchain_create(window.surface, VK_PRESENT_MODE_MAILBOX_KHR, SIZE);
   uint32_t images, index;
   VKT_CHECK(vkGetSwapchainImagesKHR(vkt.device, chain, &images, NULL));
   for (uint32_t i = 0; i < images; i++)
      show_frame(server, chain, (uint8_t)i);
   assert_int_equal(try_acquire(chain, 0, &index), VK_NOT_READY);
   assert_int_equal(try_acquire(chain, 1000000, &index), VK_TIMEOUT);
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, release_later, server), 0);
   VKT_CHECK(try_acquire(chain, UINT64_MAX, &index));
   pthread_join(thread, NULL);
   assert_int_equal(index, 0);
   VKT_CHECK(present(chain, index));
   vkDestroySwapchainKHR(vkt.device, chain, NULL);
   close_window();
   wayland_server_stop(server);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frames),
      cmocka_unit_test(test_events_are_left_alone),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_formats_without_alpha),
      cmocka_unit_test(test_dmabufs),
      cmocka_unit_test(test_kept_images),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
