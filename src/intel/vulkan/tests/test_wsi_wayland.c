/* SPDX-License-Identifier: MIT */
/* Presentation to a Wayland compositor, which meson starts for us. */
#define VK_USE_PLATFORM_WAYLAND_KHR
#include "vkt.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <wayland-client.h>
#include <wayland-server-core.h>

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
 * the same. */
static void
open_window(void)
{
   window.display = wl_display_connect(NULL);
   assert_non_null(window.display);
   struct wl_registry *registry = wl_display_get_registry(window.display);
   wl_registry_add_listener(registry, &listener, NULL);
   wl_display_roundtrip(window.display);
   wl_registry_destroy(registry);
   window.wl_surface = wl_compositor_create_surface(window.compositor);
   const VkWaylandSurfaceCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR,
      .display = window.display,
      .surface = window.wl_surface,
   };
   VKT_CHECK(
      vkCreateWaylandSurfaceKHR(vkt.instance, &info, NULL, &window.surface));
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

static VkResult
show(VkSwapchainKHR chain)
{
   const VkFenceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
   };
   VkFence fence;
   uint32_t index;
   VKT_CHECK(vkCreateFence(vkt.device, &info, NULL, &fence));
   VKT_CHECK(vkAcquireNextImageKHR(vkt.device, chain, UINT64_MAX,
                                   VK_NULL_HANDLE, fence, &index));
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &fence, VK_TRUE, UINT64_MAX));
   vkDestroyFence(vkt.device, fence, NULL);
   const VkPresentInfoKHR present = {
      .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
      .swapchainCount = 1,
      .pSwapchains = &chain,
      .pImageIndices = &index,
   };
   return vkQueuePresentKHR(vkt.queue, &present);
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

struct server {
   struct wl_display *display;
   bool stop;
};

static void *
serve(void *data)
{
   struct server *s = data;
   while (!__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) {
      wl_event_loop_dispatch(wl_display_get_event_loop(s->display), 10);
      wl_display_flush_clients(s->display);
   }
   return NULL;
}

/* A format must do for opaque chains and for others: a compositor ends the
 * connection of who uses what it has not announced. */
static void
test_formats_without_alpha(void **state)
{
   struct server s = { .display = wl_display_create() };
   int fds[2];
   pthread_t thread;
   assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
   assert_int_equal(wl_display_init_shm(s.display), 0);
   wl_display_add_shm_format(s.display, WL_SHM_FORMAT_XRGB2101010);
   wl_display_add_shm_format(s.display, WL_SHM_FORMAT_XBGR2101010);
   wl_display_add_shm_format(s.display, WL_SHM_FORMAT_ABGR2101010);
   assert_non_null(wl_client_create(s.display, fds[0]));
   assert_int_equal(pthread_create(&thread, NULL, serve, &s), 0);

   struct wl_display *display = wl_display_connect_to_fd(fds[1]);
   const VkWaylandSurfaceCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR,
      .display = display,
      /* Nothing is shown. */
      .surface = wl_proxy_create_wrapper(display),
   };
   VkSurfaceKHR surface;
   VkSurfaceFormatKHR formats[MAX_FORMATS];
   uint32_t count = MAX_FORMATS;
   bool has[2] = { false, false };
   VKT_CHECK(vkCreateWaylandSurfaceKHR(vkt.instance, &info, NULL, &surface));
   VKT_CHECK(vkGetPhysicalDeviceSurfaceFormatsKHR(vkt.pdev, surface, &count,
                                                  formats));
   for (uint32_t i = 0; i < count; i++) {
      has[0] |= formats[i].format == VK_FORMAT_A2R10G10B10_UNORM_PACK32;
      has[1] |= formats[i].format == VK_FORMAT_A2B10G10R10_UNORM_PACK32;
   }
   assert_false(has[0]);
   assert_true(has[1]);
   vkDestroySurfaceKHR(vkt.instance, surface, NULL);
   wl_proxy_wrapper_destroy(info.surface);
   wl_display_disconnect(display);
   __atomic_store_n(&s.stop, true, __ATOMIC_RELAXED);
   pthread_join(thread, NULL);
   wl_display_destroy_clients(s.display);
   wl_display_destroy(s.display);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frames),
      cmocka_unit_test(test_events_are_left_alone),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_formats_without_alpha),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
