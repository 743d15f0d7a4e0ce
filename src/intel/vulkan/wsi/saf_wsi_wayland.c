/* SPDX-License-Identifier: MIT */
/*
 * Surfaces of Wayland.
 *
 * Where the compositor reads linear dma-bufs (zwp_linux_dmabuf_v1) it gets
 * the images themselves, each the compositor's until it releases it. That it
 * says so does not mean that it can read those of our device: it is asked for
 * each image. Else pixels are copied into shared memory (wl_shm), which every
 * compositor has, into a buffer that it has released.
 *
 * Events for us come by a queue of our own, so that the application's are
 * left alone.
 */
#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <drm_fourcc.h>
#include <wayland-client.h>

#include "linux-dmabuf-client.h"
#include "intel/vulkan/memory/saf_image.h"
#include "saf_wsi.h"

/* One more than compositors usually hold on to. */
#define BUFFERS 3
/* A window that is hidden gets no frames: it goes on all the same. */
#define HIDDEN_FRAME_MS 1000
/* Compositors let go of buffers at once or at their next frame. */
#define RELEASE_MS 5000
/* They look at a dma-buf when they are asked to. */
#define IMPORT_MS 5000
/* The first version that names modifiers. */
#define DMABUF_VERSION 3

struct shm_buffer {
   struct wl_buffer *buffer;
   char *map;
   bool busy;
};

struct wayland_window {
   struct wl_display *display;
   struct wl_event_queue *queue;
   struct wl_surface *surface; /* a wrapper, whose events are ours */
   struct wl_shm *shm;
   bool shares; /* if it can be; else nothing is asked of dma-bufs */
   struct zwp_linux_dmabuf_v1 *dmabuf; /* NULL: it reads none */
   /* A bit for each row of shm_formats. */
   struct format_set {
      uint32_t opaque, alpha;
   } in_shm, in_dmabuf;
   struct wl_callback *frame; /* NULL: none is waited for */
   struct wl_buffer *images[SAF_WSI_MAX_IMAGES]; /* NULL: pixels are copied */
   uint32_t pitch_B;
   size_t size_B;
   struct shm_buffer buffers[BUFFERS];
};

/* Words of wl_shm's formats are little-endian, as Vulkan's packed ones are
 * (Wayland's protocol, enum wl_shm.format). Every compositor has the first
 * two. */
static const struct shm_format {
   VkFormat vk;
   enum wl_shm_format opaque, alpha;
   unsigned bytes; /* a pixel */
   bool optional;
} shm_formats[] = {
   { VK_FORMAT_B8G8R8A8_UNORM, WL_SHM_FORMAT_XRGB8888, WL_SHM_FORMAT_ARGB8888,
     4 },
   { VK_FORMAT_B8G8R8A8_SRGB, WL_SHM_FORMAT_XRGB8888, WL_SHM_FORMAT_ARGB8888,
     4 },
   { VK_FORMAT_R8G8B8A8_UNORM, WL_SHM_FORMAT_XBGR8888, WL_SHM_FORMAT_ABGR8888,
     4, true },
   { VK_FORMAT_R8G8B8A8_SRGB, WL_SHM_FORMAT_XBGR8888, WL_SHM_FORMAT_ABGR8888,
     4, true },
   { VK_FORMAT_A2R10G10B10_UNORM_PACK32, WL_SHM_FORMAT_XRGB2101010,
     WL_SHM_FORMAT_ARGB2101010, 4, true },
   { VK_FORMAT_A2B10G10R10_UNORM_PACK32, WL_SHM_FORMAT_XBGR2101010,
     WL_SHM_FORMAT_ABGR2101010, 4, true },
   { VK_FORMAT_R5G6B5_UNORM_PACK16, WL_SHM_FORMAT_RGB565,
     WL_SHM_FORMAT_RGB565, 2, true },
};

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateWaylandSurfaceKHR(VkInstance _instance,
                            const VkWaylandSurfaceCreateInfoKHR *info,
                            const VkAllocationCallbacks *alloc,
                            VkSurfaceKHR *out)
{
   struct saf_surface *surface;
   const VkResult result = saf_surface_create(
      saf_instance_from_handle(_instance), alloc, VK_ICD_WSI_PLATFORM_WAYLAND,
      &saf_wsi_wayland, &surface);
   if (result)
      return result;
   surface->icd.wayland.display = info->display;
   surface->icd.wayland.surface = info->surface;
   surface->native =
      (struct saf_native_window) { info->display, (uintptr_t)info->surface };
   *out = saf_surface_to_handle(surface);
   return VK_SUCCESS;
}

VKAPI_ATTR VkBool32 VKAPI_CALL
saf_GetPhysicalDeviceWaylandPresentationSupportKHR(VkPhysicalDevice pdev,
                                                   uint32_t family,
                                                   struct wl_display *display)
{
   return VK_TRUE;
}

/* ---- events ---- */

static int64_t
now_ms(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Waits for events until the time and gives them to their listeners; false:
 * the connection has broken. */
static bool
dispatch(const struct wayland_window *w, int64_t until_ms)
{
   while (wl_display_prepare_read_queue(w->display, w->queue)) {
      if (wl_display_dispatch_queue_pending(w->display, w->queue) > 0)
         return true;
      if (wl_display_get_error(w->display))
         return false;
   }
   wl_display_flush(w->display);
   struct pollfd fd = { wl_display_get_fd(w->display), POLLIN, 0 };
   const int64_t left_ms = CLAMP(until_ms - now_ms(), 0, INT32_MAX);
   if (poll(&fd, 1, (int)left_ms) > 0) {
      if (wl_display_read_events(w->display))
         return false;
   } else {
      wl_display_cancel_read(w->display);
   }
   return wl_display_dispatch_queue_pending(w->display, w->queue) >= 0;
}

static void
buffer_released(void *data, struct wl_buffer *buffer)
{
   bool *busy = data;
   *busy = false;
}

static const struct wl_buffer_listener buffer_listener = { buffer_released };

static void
frame_done(void *data, struct wl_callback *callback, uint32_t time_ms)
{
   struct wayland_window *w = data;
   wl_callback_destroy(callback);
   w->frame = NULL;
}

static const struct wl_callback_listener frame_listener = { frame_done };

static void
global_added(void *data, struct wl_registry *registry, uint32_t name,
             const char *interface, uint32_t version)
{
   struct wayland_window *w = data;
   if (!w->shm && !strcmp(interface, wl_shm_interface.name))
      w->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
   if (w->shares && !w->dmabuf && version >= DMABUF_VERSION &&
       !strcmp(interface, zwp_linux_dmabuf_v1_interface.name))
      w->dmabuf = wl_registry_bind(
         registry, name, &zwp_linux_dmabuf_v1_interface, DMABUF_VERSION);
}

/* The same word in the kernel's terms: all but two are (enum wl_shm.format).
 */
static uint32_t
fourcc(enum wl_shm_format format)
{
   switch (format) {
   case WL_SHM_FORMAT_ARGB8888: return DRM_FORMAT_ARGB8888;
   case WL_SHM_FORMAT_XRGB8888: return DRM_FORMAT_XRGB8888;
   default: return format;
   }
}

static void
add_format(struct format_set *set, uint32_t format_fourcc)
{
   for (unsigned i = 0; i < ARRAY_SIZE(shm_formats); i++) {
      if (fourcc(shm_formats[i].opaque) == format_fourcc)
         set->opaque |= 1u << i;
      if (fourcc(shm_formats[i].alpha) == format_fourcc)
         set->alpha |= 1u << i;
   }
}

static void
shm_format_added(void *data, struct wl_shm *shm, uint32_t format)
{
   struct wayland_window *w = data;
   add_format(&w->in_shm, fourcc(format));
}

static const struct wl_shm_listener shm_listener = { shm_format_added };

/* Without a modifier: what it means nobody says. */
static void
dmabuf_format_added(void *data, struct zwp_linux_dmabuf_v1 *dmabuf,
                    uint32_t format)
{
}

static void
dmabuf_modifier_added(void *data, struct zwp_linux_dmabuf_v1 *dmabuf,
                      uint32_t format, uint32_t high, uint32_t low)
{
   struct wayland_window *w = data;
   if (((uint64_t)high << 32 | low) == DRM_FORMAT_MOD_LINEAR)
      add_format(&w->in_dmabuf, format);
}

static const struct zwp_linux_dmabuf_v1_listener dmabuf_listener = {
   dmabuf_format_added, dmabuf_modifier_added
};

static void
global_removed(void *data, struct wl_registry *registry, uint32_t name)
{
}

static const struct wl_registry_listener registry_listener = {
   global_added, global_removed
};

/* ---- connections and formats ---- */

/* Binds what takes buffers and learns its formats, in w->queue. False: there
 * is no wl_shm. */
static bool
find_globals(struct wayland_window *w)
{
   struct wl_display *display = wl_proxy_create_wrapper(w->display);
   if (!display)
      return false;
   wl_proxy_set_queue((struct wl_proxy *)display, w->queue);
   struct wl_registry *registry = wl_display_get_registry(display);
   wl_proxy_wrapper_destroy(display);
   if (!registry)
      return false;
   wl_registry_add_listener(registry, &registry_listener, w);
   wl_display_roundtrip_queue(w->display, w->queue);
   wl_registry_destroy(registry);
   if (!w->shm)
      return false;
   wl_shm_add_listener(w->shm, &shm_listener, w);
   if (w->dmabuf)
      zwp_linux_dmabuf_v1_add_listener(w->dmabuf, &dmabuf_listener, w);
   return wl_display_roundtrip_queue(w->display, w->queue) >= 0;
}

static void
destroy_globals(struct wayland_window *w)
{
   if (w->shm)
      wl_shm_destroy(w->shm);
   if (w->dmabuf)
      zwp_linux_dmabuf_v1_destroy(w->dmabuf);
}

static uint32_t
formats(const struct saf_surface *surface, VkFormat out[SAF_WSI_MAX_FORMATS])
{
   struct wayland_window w = { .display = surface->icd.wayland.display };
   uint32_t count = saf_wsi_common_formats(out);
   w.queue = wl_display_create_queue(w.display);
   if (!w.queue)
      return count;
   if (find_globals(&w)) {
      for (unsigned i = 0; i < ARRAY_SIZE(shm_formats); i++) {
         /* A chain of either kind may be made: with a format that the
          * compositor lacks, it would end the whole connection. */
         if (shm_formats[i].optional &&
             (w.in_shm.opaque & w.in_shm.alpha) >> i & 1)
            out[count++] = shm_formats[i].vk;
      }
   }
   destroy_globals(&w);
   wl_event_queue_destroy(w.queue);
   return count;
}

/* ---- images that the compositor reads ---- */

struct import {
   bool done;
   struct wl_buffer *buffer; /* NULL: it cannot read it */
};

static void
import_created(void *data, struct zwp_linux_buffer_params_v1 *params,
               struct wl_buffer *buffer)
{
   struct import *import = data;
   *import = (struct import) { true, buffer };
}

static void
import_failed(void *data, struct zwp_linux_buffer_params_v1 *params)
{
   struct import *import = data;
   import->done = true;
}

static const struct zwp_linux_buffer_params_v1_listener import_listener = {
   import_created, import_failed
};

static bool
share_image(struct wayland_window *w, struct saf_swapchain *chain, uint32_t i,
            uint32_t format_fourcc)
{
   const struct saf_image *image = saf_image_from_handle(chain->images[i]);
   struct import import = { 0 };
   int fd;
   if (saf_bo_export(chain->device, chain->bos[i], &fd))
      return false;
   struct zwp_linux_buffer_params_v1 *params =
      zwp_linux_dmabuf_v1_create_params(w->dmabuf);
   zwp_linux_buffer_params_v1_add_listener(params, &import_listener, &import);
   zwp_linux_buffer_params_v1_add(params, fd, 0, 0,
                                  image->planes[0].surf.row_pitch_B,
                                  DRM_FORMAT_MOD_LINEAR >> 32,
                                  DRM_FORMAT_MOD_LINEAR & UINT32_MAX);
   zwp_linux_buffer_params_v1_create(params, (int32_t)chain->extent.width,
                                     (int32_t)chain->extent.height,
                                     format_fourcc, 0);
   close(fd);
   const int64_t until_ms = now_ms() + IMPORT_MS;
   while (!import.done && now_ms() < until_ms) {
      if (!dispatch(w, until_ms))
         break;
   }
   zwp_linux_buffer_params_v1_destroy(params);
   if (!import.buffer)
      return false;
   wl_buffer_add_listener(import.buffer, &buffer_listener, &chain->shown[i]);
   w->images[i] = import.buffer;
   return true;
}

static void
unshare_images(struct wayland_window *w)
{
   for (unsigned i = 0; i < SAF_WSI_MAX_IMAGES; i++) {
      if (w->images[i])
         wl_buffer_destroy(w->images[i]);
      w->images[i] = NULL;
   }
}

/* All, or none. */
static bool
share_images(struct wayland_window *w, struct saf_swapchain *chain,
             uint32_t format_fourcc)
{
   bool ok = true;
   for (uint32_t i = 0; ok && i < chain->image_count; i++)
      ok = share_image(w, chain, i, format_fourcc);
   if (!ok)
      unshare_images(w);
   return ok;
}

/* ---- swapchains ---- */

static unsigned
shm_format(VkFormat format)
{
   for (unsigned i = 0; i < ARRAY_SIZE(shm_formats); i++) {
      if (shm_formats[i].vk == format)
         return i;
   }
   unreachable("a format that the surface does not have");
}

static bool
create_buffer(struct wayland_window *w, struct shm_buffer *b,
              VkExtent2D extent, uint32_t format)
{
   const int fd = memfd_create("saffron-wayland", MFD_CLOEXEC);
   if (fd < 0)
      return false;
   void *map = MAP_FAILED;
   if (!ftruncate(fd, (off_t)w->size_B))
      map = mmap(NULL, w->size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (map != MAP_FAILED) {
      b->map = map;
      struct wl_shm_pool *pool =
         wl_shm_create_pool(w->shm, fd, (int32_t)w->size_B);
      b->buffer = wl_shm_pool_create_buffer(pool, 0, (int32_t)extent.width,
                                            (int32_t)extent.height,
                                            (int32_t)w->pitch_B, format);
      wl_shm_pool_destroy(pool);
      wl_buffer_add_listener(b->buffer, &buffer_listener, &b->busy);
   }
   close(fd);
   return b->buffer != NULL;
}

static bool
create_buffers(struct wayland_window *w, VkExtent2D extent, unsigned bytes,
               enum wl_shm_format format)
{
   bool ok = true;
   w->pitch_B = extent.width * bytes;
   w->size_B = (size_t)w->pitch_B * extent.height;
   for (unsigned i = 0; ok && i < BUFFERS; i++)
      ok = create_buffer(w, &w->buffers[i], extent, format);
   return ok;
}

static VkResult
attach(struct saf_swapchain *chain, const struct saf_surface *surface)
{
   struct wayland_window *w = saf_alloc(chain->alloc, sizeof(*w));
   if (!w)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   chain->window = w;
   w->display = surface->icd.wayland.display;
   w->shares = true;
   w->queue = wl_display_create_queue(w->display);
   w->surface = wl_proxy_create_wrapper(surface->icd.wayland.surface);
   if (!w->queue || !w->surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   wl_proxy_set_queue((struct wl_proxy *)w->surface, w->queue);
   if (!find_globals(w))
      return VK_ERROR_SURFACE_LOST_KHR;
   const unsigned row = shm_format(chain->format);
   const bool alpha = chain->alpha ==
                      VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR;
   const enum wl_shm_format format = alpha ? shm_formats[row].alpha
                                           : shm_formats[row].opaque;
   const uint32_t readable = alpha ? w->in_dmabuf.alpha : w->in_dmabuf.opaque;
   chain->shares_images = readable >> row & 1 &&
                          share_images(w, chain, fourcc(format));
   if (!chain->shares_images &&
       !create_buffers(w, chain->extent, shm_formats[row].bytes, format))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   return VK_SUCCESS;
}

static void
detach(struct saf_swapchain *chain)
{
   struct wayland_window *w = chain->window;
   if (!w)
      return;
   unshare_images(w);
   for (unsigned i = 0; i < BUFFERS; i++) {
      if (w->buffers[i].buffer)
         wl_buffer_destroy(w->buffers[i].buffer);
      if (w->buffers[i].map)
         munmap(w->buffers[i].map, w->size_B);
   }
   if (w->frame)
      wl_callback_destroy(w->frame);
   destroy_globals(w);
   if (w->surface)
      wl_proxy_wrapper_destroy(w->surface);
   if (w->queue)
      wl_event_queue_destroy(w->queue);
   wl_display_flush(w->display);
   saf_free(chain->alloc, w);
}

/* ---- presenting ---- */

static struct shm_buffer *
free_buffer(struct wayland_window *w)
{
   const int64_t until_ms = now_ms() + RELEASE_MS;
   do {
      for (unsigned i = 0; i < BUFFERS; i++) {
         if (!w->buffers[i].busy)
            return &w->buffers[i];
      }
      if (!dispatch(w, until_ms))
         return NULL;
   } while (now_ms() < until_ms);
   return NULL;
}

/* FIFO: the compositor says when it wants the next frame. */
static bool
wait_for_frame(struct wayland_window *w)
{
   const int64_t until_ms = now_ms() + HIDDEN_FRAME_MS;
   while (w->frame && now_ms() < until_ms) {
      if (!dispatch(w, until_ms))
         return false;
   }
   if (w->frame)
      wl_callback_destroy(w->frame);
   w->frame = wl_surface_frame(w->surface);
   if (w->frame)
      wl_callback_add_listener(w->frame, &frame_listener, w);
   return w->frame != NULL;
}

/* NULL: the compositor lets go of no buffer. */
static struct wl_buffer *
copy_picture(const struct saf_swapchain *chain,
             const struct saf_wsi_picture *picture)
{
   struct wayland_window *w = chain->window;
   struct shm_buffer *b = free_buffer(w);
   if (!b)
      return NULL;
   for (uint32_t y = 0; y < chain->extent.height; y++)
      memcpy(b->map + (size_t)y * w->pitch_B,
             picture->pixels + (size_t)y * picture->pitch_B, w->pitch_B);
   b->busy = true;
   return b->buffer;
}

static bool
present(struct saf_swapchain *chain, const struct saf_wsi_picture *picture)
{
   struct wayland_window *w = chain->window;
   if (chain->mode == VK_PRESENT_MODE_FIFO_KHR && !wait_for_frame(w))
      return false;
   struct wl_buffer *buffer = w->images[picture->index];
   if (buffer)
      chain->shown[picture->index] = true;
   else
      buffer = copy_picture(chain, picture);
   if (!buffer)
      return false;
   wl_surface_attach(w->surface, buffer, 0, 0);
   wl_surface_damage(w->surface, 0, 0, INT32_MAX, INT32_MAX);
   wl_surface_commit(w->surface);
   return wl_display_flush(w->display) >= 0 || errno == EAGAIN;
}

static bool
wait_for_events(struct saf_swapchain *chain, uint64_t until_ns)
{
   return dispatch(chain->window, (int64_t)(until_ns / 1000000));
}

static const VkPresentModeKHR modes[] = {
   VK_PRESENT_MODE_FIFO_KHR,
   VK_PRESENT_MODE_MAILBOX_KHR,
};

const struct saf_wsi_platform saf_wsi_wayland = {
   .modes = modes,
   .mode_count = ARRAY_SIZE(modes),
   .image_count = BUFFERS,
   .formats = formats,
   .alphas = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR |
             VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
   .extent = saf_wsi_any_extent,
   .chain_extent = saf_wsi_any_chain_extent,
   .attach = attach,
   .detach = detach,
   .present = present,
   .wait = wait_for_events,
};
