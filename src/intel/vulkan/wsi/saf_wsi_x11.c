/* SPDX-License-Identifier: MIT */
/*
 * Windows of X11, by xcb or Xlib, whose connection is xcb's.
 *
 * Pixels are copied into a shared memory segment, or through the connection
 * where the server is not on this machine.
 *
 * Requests on the application's connection are checked, each of them: an
 * error that nobody asks for is given to the application's handler, which
 * ends most programs, for no more than a window that is gone.
 */
#include <X11/Xlib-xcb.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>

#include "saf_wsi.h"
#include "intel/vulkan/memory/saf_image.h"

/* Windows whose pixels are those of a format. */
static const struct x11_pixels {
   uint8_t depth, bits_per_pixel;
   uint32_t red, green, blue;
   VkFormat formats[2]; /* or one */
} all_pixels[] = {
   { 24,
     32,
     0xff0000,
     0xff00,
     0xff,
     { VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB } },
   { 32,
     32,
     0xff0000,
     0xff00,
     0xff,
     { VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB } },
   { 30,
     32,
     0x3ff00000,
     0xffc00,
     0x3ff,
     { VK_FORMAT_A2R10G10B10_UNORM_PACK32 } },
   { 16, 16, 0xf800, 0x7e0, 0x1f, { VK_FORMAT_R5G6B5_UNORM_PACK16 } },
};

struct x11_window {
   xcb_connection_t *conn;
   xcb_window_t window;
   xcb_gcontext_t gc;
   uint8_t depth;
   bool opaque; /* pixels are words with an alpha, which is not to count */
   uint32_t row_B, padded_B; /* of a picture's row; as the server wants it */

   /* Shared with the server; NULL if that cannot be had. */
   xcb_shm_seg_t segment;
   void *shared;
};

static VkResult
create_surface(VkInstance _instance, xcb_connection_t *conn,
               xcb_window_t window, const VkAllocationCallbacks *alloc,
               VkSurfaceKHR *out)
{
   struct saf_surface *surface;
   const VkResult result =
      saf_surface_create(saf_instance_from_handle(_instance), alloc,
                         VK_ICD_WSI_PLATFORM_XCB, &saf_wsi_x11, &surface);
   if (result)
      return result;
   surface->icd.xcb.connection = conn;
   surface->icd.xcb.window = window;
   surface->native = (struct saf_native_window) { conn, window };
   *out = saf_surface_to_handle(surface);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateXcbSurfaceKHR(VkInstance instance,
                        const VkXcbSurfaceCreateInfoKHR *info,
                        const VkAllocationCallbacks *alloc, VkSurfaceKHR *out)
{
   return create_surface(instance, info->connection, info->window, alloc,
                         out);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateXlibSurfaceKHR(VkInstance instance,
                         const VkXlibSurfaceCreateInfoKHR *info,
                         const VkAllocationCallbacks *alloc,
                         VkSurfaceKHR *out)
{
   return create_surface(instance, XGetXCBConnection(info->dpy),
                         (xcb_window_t)info->window, alloc, out);
}

/* ---- pixels ---- */

/* NULL: the server has no pixmaps of that depth. */
static const xcb_format_t *
pixmap_format(const xcb_setup_t *setup, uint8_t depth)
{
   xcb_format_iterator_t i = xcb_setup_pixmap_formats_iterator(setup);
   for (; i.rem; xcb_format_next(&i)) {
      if (i.data->depth == depth)
         return i.data;
   }
   return NULL;
}

/* NULL: there is none of that number. */
static const xcb_visualtype_t *
find_visual(const xcb_setup_t *setup, xcb_visualid_t id, uint8_t *depth)
{
   xcb_screen_iterator_t s = xcb_setup_roots_iterator(setup);
   for (; s.rem; xcb_screen_next(&s)) {
      xcb_depth_iterator_t d = xcb_screen_allowed_depths_iterator(s.data);
      for (; d.rem; xcb_depth_next(&d)) {
         xcb_visualtype_iterator_t v = xcb_depth_visuals_iterator(d.data);
         for (; v.rem; xcb_visualtype_next(&v)) {
            if (v.data->visual_id != id)
               continue;
            *depth = d.data->depth;
            return v.data;
         }
      }
   }
   return NULL;
}

/* NULL: no format of ours is like that. */
static const struct x11_pixels *
pixels_of_visual(xcb_connection_t *conn, xcb_visualid_t id)
{
   const xcb_setup_t *setup = xcb_get_setup(conn);
   if (!setup)
      return NULL; /* there is no connection */
   uint8_t depth = 0;
   const xcb_visualtype_t *visual = find_visual(setup, id, &depth);
   const xcb_format_t *format = pixmap_format(setup, depth);
   if (!visual || !format ||
       setup->image_byte_order != XCB_IMAGE_ORDER_LSB_FIRST ||
       (visual->_class != XCB_VISUAL_CLASS_TRUE_COLOR &&
        visual->_class != XCB_VISUAL_CLASS_DIRECT_COLOR))
      return NULL;
   for (unsigned i = 0; i < ARRAY_SIZE(all_pixels); i++) {
      const struct x11_pixels *p = &all_pixels[i];
      if (p->depth == depth && p->bits_per_pixel == format->bits_per_pixel &&
          p->red == visual->red_mask && p->green == visual->green_mask &&
          p->blue == visual->blue_mask)
         return p;
   }
   return NULL;
}

static uint32_t
formats(const struct saf_surface *surface, VkFormat out[SAF_WSI_MAX_FORMATS])
{
   xcb_connection_t *conn = surface->icd.xcb.connection;
   xcb_get_window_attributes_reply_t *window =
      xcb_get_window_attributes_reply(
         conn, xcb_get_window_attributes(conn, surface->icd.xcb.window),
         NULL);
   const struct x11_pixels *p =
      window ? pixels_of_visual(conn, window->visual) : NULL;
   uint32_t count = 0;
   free(window);
   for (unsigned i = 0; p && i < ARRAY_SIZE(p->formats); i++) {
      if (p->formats[i])
         out[count++] = p->formats[i];
   }
   return count;
}

VKAPI_ATTR VkBool32 VKAPI_CALL
saf_GetPhysicalDeviceXcbPresentationSupportKHR(VkPhysicalDevice pdev,
                                               uint32_t family,
                                               xcb_connection_t *connection,
                                               xcb_visualid_t visual)
{
   return pixels_of_visual(connection, visual) != NULL;
}

VKAPI_ATTR VkBool32 VKAPI_CALL
saf_GetPhysicalDeviceXlibPresentationSupportKHR(VkPhysicalDevice pdev,
                                                uint32_t family, Display *dpy,
                                                VisualID visual)
{
   return pixels_of_visual(XGetXCBConnection(dpy), (xcb_visualid_t)visual) !=
          NULL;
}

/* ---- windows ---- */

static bool
window_geometry(xcb_connection_t *conn, xcb_window_t window,
                VkExtent2D *extent, uint8_t *depth)
{
   xcb_get_geometry_reply_t *geometry =
      xcb_get_geometry_reply(conn, xcb_get_geometry(conn, window), NULL);
   if (!geometry)
      return false;
   *extent = (VkExtent2D) { geometry->width, geometry->height };
   *depth = geometry->depth;
   free(geometry);
   return true;
}

static bool
surface_extent(const struct saf_surface *surface, VkExtent2D *out)
{
   uint8_t depth;
   return window_geometry(surface->icd.xcb.connection,
                          surface->icd.xcb.window, out, &depth);
}

static bool
chain_extent(const struct saf_swapchain *chain, VkExtent2D *out)
{
   const struct x11_window *w = chain->window;
   uint8_t depth;
   return window_geometry(w->conn, w->window, out, &depth);
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
attach_shared(struct x11_window *w, size_t size_B)
{
   xcb_shm_query_version_reply_t *version = xcb_shm_query_version_reply(
      w->conn, xcb_shm_query_version(w->conn), NULL);
   if (!version)
      return;
   free(version);
   const int id = shmget(IPC_PRIVATE, MAX2(size_B, 1), IPC_CREAT | 0600);
   if (id < 0)
      return;
   void *map = shmat(id, NULL, 0);
   if (map != (void *)-1) {
      w->segment = xcb_generate_id(w->conn);
      if (succeeded(w->conn, xcb_shm_attach_checked(w->conn, w->segment,
                                                    (uint32_t)id, 0)))
         w->shared = map;
      else
         shmdt(map);
   }
   /* It goes when both sides have let go of it. */
   shmctl(id, IPC_RMID, NULL);
}

static bool
create_gc(struct x11_window *w)
{
   const xcb_gcontext_t gc = xcb_generate_id(w->conn);
   const uint32_t no_exposures = 0;
   if (!succeeded(w->conn, xcb_create_gc_checked(w->conn, gc, w->window,
                                                 XCB_GC_GRAPHICS_EXPOSURES,
                                                 &no_exposures)))
      return false;
   w->gc = gc;
   return true;
}

/* Rows of a picture are as long as the server pads them (scanline_pad). */
static bool
set_row_size(struct x11_window *w, const struct saf_swapchain *chain)
{
   const struct saf_image *image = saf_image_from_handle(chain->images[0]);
   const xcb_format_t *format =
      pixmap_format(xcb_get_setup(w->conn), w->depth);
   if (!format)
      return false;
   w->row_B = chain->extent.width *
              isl_format_block_size_B(image->planes[0].surf.format);
   w->padded_B = ALIGN(w->row_B, format->scanline_pad / 8u);
   return true;
}

static VkResult
attach(struct saf_swapchain *chain, const struct saf_surface *surface)
{
   struct x11_window *w = saf_alloc(chain->alloc, sizeof(*w));
   if (!w)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   chain->window = w;
   w->conn = surface->icd.xcb.connection;
   w->window = surface->icd.xcb.window;
   VkExtent2D now;
   if (!window_geometry(w->conn, w->window, &now, &w->depth) ||
       !set_row_size(w, chain) || !create_gc(w))
      return VK_ERROR_SURFACE_LOST_KHR;
   w->opaque = w->depth == 32 &&
               chain->alpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
   attach_shared(w, (size_t)chain->extent.height * w->padded_B);
   return VK_SUCCESS;
}

static void
detach(struct saf_swapchain *chain)
{
   struct x11_window *w = chain->window;
   if (!w)
      return;
   if (w->shared) {
      succeeded(w->conn, xcb_shm_detach_checked(w->conn, w->segment));
      shmdt(w->shared);
   }
   if (w->gc)
      succeeded(w->conn, xcb_free_gc_checked(w->conn, w->gc));
   saf_free(chain->alloc, w);
}

static void
copy_row(const struct x11_window *w, char *to, const char *from)
{
   memcpy(to, from, w->row_B);
   for (uint32_t i = 3; w->opaque && i < w->row_B; i += 4)
      to[i] = (char)0xff;
}

/* In pieces that fit into a request. False: the window is gone. */
static bool
put_by_socket(const struct x11_window *w, VkExtent2D extent,
              const struct saf_wsi_picture *p)
{
   const uint32_t max_B =
      (uint32_t)MIN2((uint64_t)xcb_get_maximum_request_length(w->conn) * 4,
                     1u << 22) -
      64;
   const uint32_t rows = MAX2(max_B / w->padded_B, 1);
   char *packed = calloc(rows, w->padded_B);
   bool ok = packed != NULL;
   for (uint32_t y = 0; ok && y < extent.height; y += rows) {
      const uint32_t n = MIN2(rows, extent.height - y);
      for (uint32_t i = 0; i < n; i++)
         copy_row(w, packed + (size_t)i * w->padded_B,
                  p->pixels + (size_t)(y + i) * p->pitch_B);
      const xcb_void_cookie_t cookie = xcb_put_image_checked(
         w->conn, XCB_IMAGE_FORMAT_Z_PIXMAP, w->window, w->gc,
         (uint16_t)extent.width, (uint16_t)n, 0, (int16_t)y, 0, w->depth,
         n * w->padded_B, (const uint8_t *)packed);
      ok = succeeded(w->conn, cookie);
   }
   free(packed);
   return ok;
}

/* The answer also says that the server is done with the segment. */
static bool
put_by_shm(const struct x11_window *w, VkExtent2D extent,
           const struct saf_wsi_picture *p)
{
   for (uint32_t y = 0; y < extent.height; y++)
      copy_row(w, (char *)w->shared + (size_t)y * w->padded_B,
               p->pixels + (size_t)y * p->pitch_B);
   const xcb_void_cookie_t cookie = xcb_shm_put_image_checked(
      w->conn, w->window, w->gc, (uint16_t)extent.width,
      (uint16_t)extent.height, 0, 0, (uint16_t)extent.width,
      (uint16_t)extent.height, 0, 0, w->depth, XCB_IMAGE_FORMAT_Z_PIXMAP, 0,
      w->segment, 0);
   return succeeded(w->conn, cookie);
}

/* X11 without further extensions does not say when a frame begins: FIFO is
 * paced by the clock. The server does not keep pictures for later, and one in
 * shared memory is put in one request: a compositor sees the newest one,
 * whole, as MAILBOX has it. */
static bool
present(struct saf_swapchain *chain, const struct saf_wsi_picture *picture)
{
   const struct x11_window *w = chain->window;
   if (chain->mode == VK_PRESENT_MODE_FIFO_KHR)
      saf_wsi_wait_for_frame(chain);
   return w->shared ? put_by_shm(w, chain->extent, picture)
                    : put_by_socket(w, chain->extent, picture);
}

static const VkPresentModeKHR modes[] = {
   VK_PRESENT_MODE_FIFO_KHR,
   VK_PRESENT_MODE_MAILBOX_KHR,
   VK_PRESENT_MODE_IMMEDIATE_KHR,
};

const struct saf_wsi_platform saf_wsi_x11 = {
   .modes = modes,
   .mode_count = ARRAY_SIZE(modes),
   .alphas = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR |
             VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
   .formats = formats,
   .extent = surface_extent,
   .chain_extent = chain_extent,
   .attach = attach,
   .detach = detach,
   .present = present,
};
