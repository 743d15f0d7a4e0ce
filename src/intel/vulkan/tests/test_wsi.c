/* SPDX-License-Identifier: MIT */
/* Presentation to an X server, which meson starts for us, and to nobody. */
#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_XLIB_KHR
#include "util/macros.h"
#include "vkt.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xcb/xcb.h>

#define SIZE 64

struct window {
   xcb_connection_t *conn;
   xcb_window_t id;
   VkSurfaceKHR surface;
   VkSwapchainKHR chain;
};

static VkSurfaceKHR
surface_of(const struct window *w)
{
   const VKT_INFO(XcbSurfaceCreateInfoKHR, info, .connection = w->conn,
                  .window = w->id);
   VkSurfaceKHR surface;
   VKT_CHECK(vkCreateXcbSurfaceKHR(vkt.instance, &info, NULL, &surface));
   return surface;
}

/* Without a swapchain. */
static struct window
create_window(uint16_t size)
{
   struct window w = { .conn = xcb_connect(NULL, NULL) };
   assert_false(xcb_connection_has_error(w.conn));
   const xcb_screen_t *screen =
      xcb_setup_roots_iterator(xcb_get_setup(w.conn)).data;
   w.id = xcb_generate_id(w.conn);
   xcb_create_window(w.conn, XCB_COPY_FROM_PARENT, w.id, screen->root, 0, 0,
                     size, size, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                     screen->root_visual, 0, NULL);
   xcb_map_window(w.conn, w.id);
   xcb_flush(w.conn);
   w.surface = surface_of(&w);
   return w;
}

static struct window
open_window(void)
{
   struct window w = create_window(SIZE);
   w.chain = vkt_swapchain_create(w.surface, VK_PRESENT_MODE_FIFO_KHR, SIZE);
   return w;
}

static void
close_window(struct window *w)
{
   vkDestroySwapchainKHR(vkt.device, w->chain, NULL);
   vkDestroySurfaceKHR(vkt.instance, w->surface, NULL);
   /* What an application's error handler would have seen. */
   free(
      xcb_get_input_focus_reply(w->conn, xcb_get_input_focus(w->conn), NULL));
   xcb_generic_event_t *event;
   while ((event = xcb_poll_for_event(w->conn))) {
      assert_int_not_equal(event->response_type, 0);
      free(event);
   }
   xcb_disconnect(w->conn);
}

static uint32_t
acquire(const struct window *w)
{
   uint32_t index;
   VkFence fence = VKT_NEW(Fence, FENCE);
   VKT_CHECK(vkAcquireNextImageKHR(vkt.device, w->chain, UINT64_MAX,
                                   VK_NULL_HANDLE, fence, &index));
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &fence, VK_TRUE, UINT64_MAX));
   vkDestroyFence(vkt.device, fence, NULL);
   return index;
}

static VkResult
present(const struct window *w, uint32_t index)
{
   const VKT_INFO(PresentInfoKHR, info, .swapchainCount = 1,
                  .pSwapchains = &w->chain, .pImageIndices = &index);
   return vkQueuePresentKHR(vkt.queue, &info);
}

/* A window that is gone is VK_ERROR_SURFACE_LOST_KHR, and no X error on the
 * application's connection, which would end most programs. */
static void
test_window_gone(void **state)
{
   struct window w = open_window();
   VKT_CHECK(present(&w, acquire(&w)));
   const uint32_t index = acquire(&w);
   xcb_destroy_window(w.conn, w.id);
   xcb_flush(w.conn);
   assert_int_equal(present(&w, index), VK_ERROR_SURFACE_LOST_KHR);
   uint32_t count = 0;
   assert_int_equal(vkGetPhysicalDeviceSurfaceFormatsKHR(vkt.pdev, w.surface,
                                                         &count, NULL),
                    VK_ERROR_SURFACE_LOST_KHR);
   VkBool32 says;
   VkSwapchainKHR other;
   assert_int_equal(vkGetPhysicalDeviceSurfaceSupportKHR(vkt.pdev, 0,
                                                         w.surface, &says),
                    VK_ERROR_SURFACE_LOST_KHR);
   assert_int_equal(vkt_swapchain_try(w.surface, VK_PRESENT_MODE_FIFO_KHR,
                                      SIZE, VK_FORMAT_B8G8R8A8_UNORM, &other),
                    VK_ERROR_SURFACE_LOST_KHR);
   close_window(&w);
}

/* A window has one swapchain, through whichever surface: another one takes
 * its place, which may fail, or comes when it is gone. */
static void
test_window_in_use(void **state)
{
   struct window w = open_window();
   const VkSurfaceKHR twin = surface_of(&w);
   VkSwapchainCreateInfoKHR info =
      vkt_swapchain_info(w.surface, VK_PRESENT_MODE_FIFO_KHR, SIZE);
   VkSwapchainKHR next;
   assert_int_equal(vkCreateSwapchainKHR(vkt.device, &info, NULL, &next),
                    VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
   info.surface = twin;
   assert_int_equal(vkCreateSwapchainKHR(vkt.device, &info, NULL, &next),
                    VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
   const uint32_t index = acquire(&w);
   info.oldSwapchain = w.chain;
   VKT_CHECK(vkCreateSwapchainKHR(vkt.device, &info, NULL, &next));
   VKT_CHECK(present(&w, index)); /* as one that is retired still may */
   vkDestroySwapchainKHR(vkt.device, w.chain, NULL);

   w.chain = next;
   info.oldSwapchain = VK_NULL_HANDLE;
   assert_int_equal(vkCreateSwapchainKHR(vkt.device, &info, NULL, &next),
                    VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
   info.oldSwapchain = w.chain;
   info.imageFormat = VK_FORMAT_R32G32B32A32_SFLOAT;
   assert_int_equal(vkCreateSwapchainKHR(vkt.device, &info, NULL, &next),
                    VK_ERROR_INITIALIZATION_FAILED);
   info.oldSwapchain = VK_NULL_HANDLE;
   info.imageFormat = VK_FORMAT_B8G8R8A8_UNORM;
   VKT_CHECK(vkCreateSwapchainKHR(vkt.device, &info, NULL, &next));
   vkDestroySwapchainKHR(vkt.device, next, NULL);
   vkDestroySwapchainKHR(vkt.device, w.chain, NULL);
   info.surface = w.surface;
   VKT_CHECK(vkCreateSwapchainKHR(vkt.device, &info, NULL, &w.chain));
   vkDestroySurfaceKHR(vkt.instance, twin, NULL);
   close_window(&w);
}

struct late_present {
   const struct window *window;
   uint32_t index;
   VkResult result;
};

static void *
present_late(void *data)
{
   struct late_present *p = data;
   p->result = present(p->window, p->index);
   return NULL;
}

/* As zink does when a window is closed: the swapchain that its own thread
 * presents, which waits for its frame, is destroyed, or has been. */
static void
test_destroyed_while_presented(void **state)
{
   struct window w = open_window();
   VKT_CHECK(present(&w, acquire(&w)));
   struct late_present p = { &w, acquire(&w), VK_NOT_READY };
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, present_late, &p), 0);
   nanosleep(&(struct timespec) { .tv_nsec = 4000000 }, NULL);
   vkDestroySwapchainKHR(vkt.device, w.chain, NULL);
   pthread_join(thread, NULL);
   assert_true(p.result == VK_SUCCESS ||
               p.result == VK_ERROR_OUT_OF_DATE_KHR);
   assert_int_equal(present(&w, p.index), VK_ERROR_OUT_OF_DATE_KHR);
   w.chain = VK_NULL_HANDLE;
   close_window(&w);
}

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The others of a present were not shown, and their images not given back,
 * when a window before them was gone. */
static void
test_one_of_two_gone(void **state)
{
   struct window w[2] = { open_window(), open_window() };
   const VkSwapchainKHR chains[] = { w[0].chain, w[1].chain };
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t indices[] = { acquire(&w[0]), acquire(&w[1]) };
      VkResult results[2];
      const VKT_INFO(PresentInfoKHR, info, .swapchainCount = 2,
                     .pSwapchains = chains, .pImageIndices = indices,
                     .pResults = results);
      const VkResult gone = i ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
      if (gone) {
         xcb_destroy_window(w[0].conn, w[0].id);
         xcb_flush(w[0].conn);
      }
      assert_int_equal(vkQueuePresentKHR(vkt.queue, &info), gone);
      assert_int_equal(results[0], gone);
      assert_int_equal(results[1], VK_SUCCESS);
   }
   for (unsigned i = 0; i < 2; i++)
      close_window(&w[i]);
}

/* FIFO shows a frame at a time: 20 of them at 60 a second. */
static void
test_fifo_is_paced(void **state)
{
   struct window w = open_window();
   VKT_CHECK(present(&w, acquire(&w)));
   const double start = seconds();
   for (unsigned i = 0; i < 20; i++)
      VKT_CHECK(present(&w, acquire(&w)));
   assert_true(seconds() - start > 19.0 / 60);
   close_window(&w);
}

/* Fills an image of the chain with a colour and presents it. */
static void
show(const struct window *w, VkClearColorValue color)
{
   VkImage images[8];
   uint32_t count = 8;
   VKT_CHECK(vkGetSwapchainImagesKHR(vkt.device, w->chain, &count, images));
   const uint32_t index = acquire(w);
   const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                         1 };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearColorImage(cmd, images[index], VK_IMAGE_LAYOUT_GENERAL, &color,
                        1, &all);
   vkt_submit(cmd);
   VKT_CHECK(present(w, index));
}

static const VkClearColorValue orange = { .float32 = { 1, 0.6f, 0.2f, 1 } };

/* What the server has of the window: each pixel, or the same for all. */
static void
expect_window(const struct window *w, const uint32_t *want, uint32_t of_all)
{
   xcb_get_image_reply_t *reply =
      xcb_get_image_reply(w->conn,
                          xcb_get_image(w->conn, XCB_IMAGE_FORMAT_Z_PIXMAP,
                                        w->id, 0, 0, SIZE, SIZE, ~0u),
                          NULL);
   assert_non_null(reply);
   const uint32_t *px = (const uint32_t *)xcb_get_image_data(reply);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      assert_int_equal(px[i] & 0xffffff, want ? want[i] : of_all);
   free(reply);
}

/* What was rendered is what the server has. */
static void
test_pixels(void **state)
{
   struct window w = open_window();
   show(&w, orange);
   expect_window(&w, NULL, 0xff9933);
   close_window(&w);
}

/* A window that Xlib has made, by its own kind of surface, shows the picture
 * in each mode of presentation. */
static void
test_xlib(void **state)
{
   static const VkPresentModeKHR modes[] = {
      VK_PRESENT_MODE_FIFO_KHR,
      VK_PRESENT_MODE_MAILBOX_KHR,
      VK_PRESENT_MODE_IMMEDIATE_KHR,
   };
   Display *dpy = XOpenDisplay(NULL);
   assert_non_null(dpy);
   struct window w = { .conn = NULL };
   const Window id = XCreateSimpleWindow(dpy, DefaultRootWindow(dpy), 0, 0,
                                         SIZE, SIZE, 0, 0, 0);
   XMapWindow(dpy, id);
   XSync(dpy, 0);
   const VKT_INFO(XlibSurfaceCreateInfoKHR, info, .dpy = dpy, .window = id);
   VKT_CHECK(vkCreateXlibSurfaceKHR(vkt.instance, &info, NULL, &w.surface));
   for (unsigned i = 0; i < ARRAY_SIZE(modes); i++) {
      XClearWindow(dpy, id);
      XSync(dpy, 0);
      w.chain = vkt_swapchain_create(w.surface, modes[i], SIZE);
      show(&w, orange);
      XImage *image =
         XGetImage(dpy, id, 0, 0, SIZE, SIZE, AllPlanes, ZPixmap);
      assert_int_equal(XGetPixel(image, SIZE / 2, SIZE / 2) & 0xffffff,
                       0xff9933);
      XDestroyImage(image);
      vkDestroySwapchainKHR(vkt.device, w.chain, NULL);
   }
   vkDestroySurfaceKHR(vkt.instance, w.surface, NULL);
   XCloseDisplay(dpy);
}

/* Another image in the memory of one of a chain. */
static VkImage
alias(const struct window *w, uint32_t index)
{
   const VKT_INFO(ImageSwapchainCreateInfoKHR, of, .swapchain = w->chain);
   VkImage image = VKT_NEW(Image, IMAGE, .pNext = &of,
                           .imageType = VK_IMAGE_TYPE_2D,
                           .format = VK_FORMAT_B8G8R8A8_UNORM,
                           .extent = { SIZE, SIZE, 1 }, .mipLevels = 1,
                           .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT,
                           .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   const VKT_INFO(BindImageMemorySwapchainInfoKHR, place,
                  .swapchain = w->chain, .imageIndex = index);
   const VKT_INFO(BindImageMemoryInfo, bind, .pNext = &place, .image = image);
   VKT_CHECK(vkBindImageMemory2(vkt.device, 1, &bind));
   return image;
}

/* It lies as that one does: it was tiled where the other is linear. */
static void
test_alias(void **state)
{
   struct window w = open_window();
   const uint32_t index = acquire(&w);
   VkImage image = alias(&w, index);
   struct vkt_buffer b = vkt_buffer_create(SIZE * SIZE * 4);
   uint32_t *px = b.map;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      px[i] = (i * 0x2345) & 0xffffff;
   const VkBufferImageCopy all = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .imageExtent = { SIZE, SIZE, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyBufferToImage(cmd, b.buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1,
                          &all);
   vkt_submit(cmd);
   VKT_CHECK(present(&w, index));
   expect_window(&w, px, 0);
   vkDestroyImage(vkt.device, image, NULL);
   vkt_buffer_destroy(&b);
   close_window(&w);
}

static VkSurfaceKHR
headless_surface(void)
{
   const VKT_INFO(HeadlessSurfaceCreateInfoEXT, info);
   PFN_vkCreateHeadlessSurfaceEXT create = (PFN_vkCreateHeadlessSurfaceEXT)
      vkGetInstanceProcAddr(vkt.instance, "vkCreateHeadlessSurfaceEXT");
   VkSurfaceKHR surface;
   VKT_CHECK(create(vkt.instance, &info, NULL, &surface));
   return surface;
}

/* A surface without a window takes every size and every mode. */
static void
test_headless(void **state)
{
   static const VkPresentModeKHR modes[] = {
      VK_PRESENT_MODE_FIFO_KHR,
      VK_PRESENT_MODE_MAILBOX_KHR,
      VK_PRESENT_MODE_IMMEDIATE_KHR,
   };
   struct window w = { .surface = headless_surface() };
   VkSurfaceCapabilitiesKHR caps;
   VKT_CHECK(
      vkGetPhysicalDeviceSurfaceCapabilitiesKHR(vkt.pdev, w.surface, &caps));
   assert_int_equal(caps.currentExtent.width, UINT32_MAX);
   for (unsigned i = 0; i < 3; i++) {
      w.chain = vkt_swapchain_create(w.surface, modes[i], SIZE);
      for (unsigned frame = 0; frame < 4; frame++)
         show(&w, orange);
      vkDestroySwapchainKHR(vkt.device, w.chain, NULL);
   }
   vkDestroySurfaceKHR(vkt.instance, w.surface, NULL);
}

#define CALL(name, ...)                                                      \
   ((PFN_##name)vkGetInstanceProcAddr(vkt.instance, #name))(__VA_ARGS__)

/* What is asked for in the new way is what the old way tells. */
static void
test_capabilities2(void **state)
{
   VkSurfaceKHR surface = headless_surface();
   const VKT_INFO(PhysicalDeviceSurfaceInfo2KHR, info, .surface = surface);
   VkSurfaceCapabilitiesKHR old;
   VKT_INFO(SurfaceCapabilities2KHR, caps);
   VKT_CHECK(
      vkGetPhysicalDeviceSurfaceCapabilitiesKHR(vkt.pdev, surface, &old));
   VKT_CHECK(CALL(vkGetPhysicalDeviceSurfaceCapabilities2KHR, vkt.pdev, &info,
                  &caps));
   assert_memory_equal(&old, &caps.surfaceCapabilities, sizeof(old));

   VkSurfaceFormatKHR formats[8];
   VkSurfaceFormat2KHR formats2[8];
   uint32_t count = 8, count2 = 8;
   for (unsigned i = 0; i < 8; i++)
      formats2[i] = VKT_STRUCT(SurfaceFormat2KHR);
   VKT_CHECK(vkGetPhysicalDeviceSurfaceFormatsKHR(vkt.pdev, surface, &count,
                                                  formats));
   VKT_CHECK(CALL(vkGetPhysicalDeviceSurfaceFormats2KHR, vkt.pdev, &info,
                  &count2, formats2));
   assert_int_equal(count, count2);
   assert_true(count >= 2);
   for (unsigned i = 0; i < count; i++)
      assert_memory_equal(&formats[i], &formats2[i].surfaceFormat,
                          sizeof(formats[i]));
   vkDestroySurfaceKHR(vkt.instance, surface, NULL);
}

/* Images that are seen in two formats, and presented by rectangles. */
static void
test_mutable_chain(void **state)
{
   const VkFormat formats[] = { VK_FORMAT_B8G8R8A8_UNORM,
                                VK_FORMAT_B8G8R8A8_SRGB };
   const VKT_INFO(ImageFormatListCreateInfo, list, .viewFormatCount = 2,
                  .pViewFormats = formats);
   struct window w = { .surface = headless_surface() };
   VkSwapchainCreateInfoKHR info =
      vkt_swapchain_info(w.surface, VK_PRESENT_MODE_IMMEDIATE_KHR, SIZE);
   info.pNext = &list;
   info.flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR;
   info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   VKT_CHECK(vkCreateSwapchainKHR(vkt.device, &info, NULL, &w.chain));
   VkImage images[8];
   uint32_t count = 8;
   VKT_CHECK(vkGetSwapchainImagesKHR(vkt.device, w.chain, &count, images));
   for (unsigned i = 0; i < 2; i++) {
      VkImageView view = VKT_NEW(
         ImageView, IMAGE_VIEW, .image = images[0],
         .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = formats[i],
         .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 });
      vkDestroyImageView(vkt.device, view, NULL);
   }
   const uint32_t index = acquire(&w);
   const VkRectLayerKHR rect = { { 4, 4 }, { 8, 8 }, 0 };
   const VkPresentRegionKHR region = { 1, &rect };
   const VKT_INFO(PresentRegionsKHR, regions, .swapchainCount = 1,
                  .pRegions = &region);
   const VKT_INFO(PresentInfoKHR, present_info, .pNext = &regions,
                  .swapchainCount = 1, .pSwapchains = &w.chain,
                  .pImageIndices = &index);
   VKT_CHECK(vkQueuePresentKHR(vkt.queue, &present_info));
   vkDestroySwapchainKHR(vkt.device, w.chain, NULL);
   vkDestroySurfaceKHR(vkt.instance, w.surface, NULL);
}

/* ---- waiting for what is shown ---- */

static VkResult
wait_for_present(const struct window *w, uint64_t id, uint64_t timeout_ns)
{
   return VKT_PROC(vkWaitForPresentKHR)(vkt.device, w->chain, id, timeout_ns);
}

static void
present_with(const struct window *w, uint64_t id)
{
   const uint32_t index = acquire(w);
   const VKT_INFO(PresentIdKHR, ids, .swapchainCount = 1, .pPresentIds = &id);
   const VKT_INFO(PresentInfoKHR, info, .pNext = &ids, .swapchainCount = 1,
                  .pSwapchains = &w->chain, .pImageIndices = &index);
   VKT_CHECK(vkQueuePresentKHR(vkt.queue, &info));
}

static void *
present_later(void *window)
{
   const struct timespec some = { .tv_nsec = 20000000 };
   nanosleep(&some, NULL);
   present_with(window, 7);
   return NULL;
}

/* Ids that were presented are over, as are those before; others time out, or
 * come from another thread. */
static void
test_present_wait(void **state)
{
   struct window w = { .surface = headless_surface() };
   w.chain =
      vkt_swapchain_create(w.surface, VK_PRESENT_MODE_IMMEDIATE_KHR, SIZE);
   assert_int_equal(wait_for_present(&w, 1, 1000), VK_TIMEOUT);
   present_with(&w, 5);
   present_with(&w, 0); /* has none */
   VKT_CHECK(wait_for_present(&w, 3, 0));
   VKT_CHECK(wait_for_present(&w, 5, UINT64_MAX));
   assert_int_equal(wait_for_present(&w, 6, 1000000), VK_TIMEOUT);
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, present_later, &w), 0);
   VKT_CHECK(wait_for_present(&w, 6, UINT64_MAX));
   pthread_join(thread, NULL);
   vkDestroySwapchainKHR(vkt.device, w.chain, NULL);
   vkDestroySurfaceKHR(vkt.instance, w.surface, NULL);
}

/* Colour spaces may be named; all surfaces have the usual one. */
static void
test_colorspace(void **state)
{
   const char *const names[] = {
      VK_KHR_SURFACE_EXTENSION_NAME,
      VK_EXT_SWAPCHAIN_COLOR_SPACE_EXTENSION_NAME
   };
   const VKT_INFO(InstanceCreateInfo, info, .enabledExtensionCount = 2,
                  .ppEnabledExtensionNames = names);
   VkInstance instance;
   VKT_CHECK(vkCreateInstance(&info, NULL, &instance));
   vkDestroyInstance(instance, NULL);
   VkSurfaceKHR surface = headless_surface();
   VkSurfaceFormatKHR formats[8];
   uint32_t count = 8;
   VKT_CHECK(vkGetPhysicalDeviceSurfaceFormatsKHR(vkt.pdev, surface, &count,
                                                  formats));
   for (uint32_t i = 0; i < count; i++)
      assert_int_equal(formats[i].colorSpace,
                       VK_COLOR_SPACE_SRGB_NONLINEAR_KHR);
   vkDestroySurfaceKHR(vkt.instance, surface, NULL);
}

/* ---- other depths ---- */

/* What a screen of such a depth has for orange. */
static const struct depth {
   uint8_t depth, pixel_B;
   VkFormat format; /* undefined: none of ours is like it */
   uint32_t orange, mask;
} depths[] = {
   { 24, 4, VK_FORMAT_B8G8R8A8_UNORM, 0xff9933, 0xffffff },
   { 30, 4, VK_FORMAT_A2R10G10B10_UNORM_PACK32, 0x3ff998cd, 0x3fffffff },
   { 16, 2, VK_FORMAT_R5G6B5_UNORM_PACK16, 0xfcc6, 0xffff },
   { 8, 1, VK_FORMAT_UNDEFINED, 0, 0 },
};

static const xcb_screen_t *
screen_of(xcb_connection_t *conn)
{
   return xcb_setup_roots_iterator(xcb_get_setup(conn)).data;
}

static const struct depth *
depth_of(xcb_connection_t *conn)
{
   for (unsigned i = 0; i < ARRAY_SIZE(depths); i++) {
      if (depths[i].depth == screen_of(conn)->root_depth)
         return &depths[i];
   }
   fail_msg("a screen of depth %u", screen_of(conn)->root_depth);
   return NULL;
}

static void
expect_orange(const struct window *w, const struct depth *d, uint16_t width)
{
   xcb_get_image_reply_t *reply =
      xcb_get_image_reply(w->conn,
                          xcb_get_image(w->conn, XCB_IMAGE_FORMAT_Z_PIXMAP,
                                        w->id, 0, 0, width, width, ~0u),
                          NULL);
   assert_non_null(reply);
   const uint32_t row_B = ALIGN(width * d->pixel_B, 4u);
   for (uint32_t i = 0; i < width * width; i++) {
      uint32_t px = 0;
      memcpy(&px,
             xcb_get_image_data(reply) + i / width * row_B +
                i % width * d->pixel_B,
             d->pixel_B);
      assert_int_equal(px & d->mask, d->orange);
   }
   free(reply);
}

/* The formats of a window are those whose bits its visual has: it was shown
 * BGRA8 with any. Rows of an odd width are padded. */
static void
test_depth(void **state)
{
   enum { WIDTH = 37 };
   struct window w = create_window(WIDTH);
   const struct depth *d = depth_of(w.conn);
   const bool supported = d->format != VK_FORMAT_UNDEFINED;
   VkBool32 says;
   VKT_CHECK(
      vkGetPhysicalDeviceSurfaceSupportKHR(vkt.pdev, 0, w.surface, &says));
   assert_int_equal(says, supported);
   assert_int_equal(vkGetPhysicalDeviceXcbPresentationSupportKHR(
                       vkt.pdev, 0, w.conn, screen_of(w.conn)->root_visual),
                    supported);
   Display *dpy = XOpenDisplay(NULL);
   assert_non_null(dpy);
   assert_int_equal(
      vkGetPhysicalDeviceXlibPresentationSupportKHR(
         vkt.pdev, 0, dpy,
         XVisualIDFromVisual(DefaultVisual(dpy, DefaultScreen(dpy)))),
      supported);
   XCloseDisplay(dpy);
   for (unsigned i = 0; i < ARRAY_SIZE(depths) - 1; i++) {
      const bool same = depths[i].format == d->format;
      const VkResult result =
         vkt_swapchain_try(w.surface, VK_PRESENT_MODE_IMMEDIATE_KHR, WIDTH,
                           depths[i].format, &w.chain);
      assert_int_equal(result,
                       same ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED);
      if (result)
         continue;
      show(&w, orange);
      expect_orange(&w, d, WIDTH);
      vkDestroySwapchainKHR(vkt.device, w.chain, NULL);
   }
   w.chain = VK_NULL_HANDLE;
   close_window(&w);
}

/* ---- windows with alpha ---- */

static struct window
create_alpha_window(void)
{
   struct window w = { .conn = xcb_connect(NULL, NULL) };
   const xcb_screen_t *screen = screen_of(w.conn);
   xcb_depth_iterator_t d = xcb_screen_allowed_depths_iterator(screen);
   while (d.rem && (d.data->depth != 32 || !d.data->visuals_len))
      xcb_depth_next(&d);
   if (!d.rem) {
      xcb_disconnect(w.conn);
      skip();
   }
   const xcb_visualid_t visual = xcb_depth_visuals(d.data)[0].visual_id;
   const xcb_colormap_t map = xcb_generate_id(w.conn);
   const uint32_t values[] = { 0, 0, map };
   xcb_create_colormap(w.conn, XCB_COLORMAP_ALLOC_NONE, map, screen->root,
                       visual);
   w.id = xcb_generate_id(w.conn);
   xcb_create_window(
      w.conn, 32, w.id, screen->root, 0, 0, SIZE, SIZE, 0,
      XCB_WINDOW_CLASS_INPUT_OUTPUT, visual,
      XCB_CW_BACK_PIXEL | XCB_CW_BORDER_PIXEL | XCB_CW_COLORMAP, values);
   xcb_map_window(w.conn, w.id);
   const VKT_INFO(XcbSurfaceCreateInfoKHR, surface, .connection = w.conn,
                  .window = w.id);
   VKT_CHECK(vkCreateXcbSurfaceKHR(vkt.instance, &surface, NULL, &w.surface));
   return w;
}

/* A compositing manager would have let what is below an opaque picture be
 * seen: alpha is the image's only where the chain inherits it. */
static void
test_alpha(void **state)
{
   const VkClearColorValue clear = { .float32 = { 1, 0.6f, 0.2f, 0 } };
   struct window w = create_alpha_window();
   for (unsigned opaque = 0; opaque < 2; opaque++) {
      VkSwapchainCreateInfoKHR info =
         vkt_swapchain_info(w.surface, VK_PRESENT_MODE_IMMEDIATE_KHR, SIZE);
      info.compositeAlpha = opaque ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                                   : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
      VKT_CHECK(vkCreateSwapchainKHR(vkt.device, &info, NULL, &w.chain));
      show(&w, clear);
      const struct depth d = {
         32, 4, info.imageFormat, opaque ? 0xffff9933 : 0xff9933, UINT32_MAX,
      };
      expect_orange(&w, &d, SIZE);
      vkDestroySwapchainKHR(vkt.device, w.chain, NULL);
   }
   w.chain = VK_NULL_HANDLE;
   close_window(&w);
}

/* With the depth of the screen: only what is for any. */
int
main(int argc, char **argv)
{
   const struct CMUnitTest any[] = {
      cmocka_unit_test(test_depth),
   };
   if (argc > 1 && !strcmp(argv[1], "depth"))
      return cmocka_run_group_tests(any, vkt_setup, vkt_teardown);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_window_gone),
      cmocka_unit_test(test_one_of_two_gone),
      cmocka_unit_test(test_window_in_use),
      cmocka_unit_test(test_destroyed_while_presented),
      cmocka_unit_test(test_fifo_is_paced),
      cmocka_unit_test(test_pixels),
      cmocka_unit_test(test_alias),
      cmocka_unit_test(test_xlib),
      cmocka_unit_test(test_headless),
      cmocka_unit_test(test_capabilities2),
      cmocka_unit_test(test_mutable_chain),
      cmocka_unit_test(test_present_wait),
      cmocka_unit_test(test_colorspace),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_alpha),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
