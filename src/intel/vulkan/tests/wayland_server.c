/* SPDX-License-Identifier: MIT */
#include "wayland_server.h"

#include <drm_fourcc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wayland-server-protocol.h>

#include "linux-dmabuf-server.h"
#include "vkt.h"

#define MAX_HELD 16

/* cmocka's assertions are for the test's own thread. */
#define require(cond)                                                        \
   do {                                                                      \
      if (!(cond)) {                                                         \
         fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #cond);  \
         abort();                                                            \
      }                                                                      \
   } while (0)

struct wayland_server {
   struct wl_display *display;
   enum wayland_server_dmabufs dmabufs;
   int client_fd;
   pthread_t thread;
   bool stop;
   /* Of all below, and of each round of events. */
   pthread_mutex_t mutex;
   struct wayland_server_report report;
   struct wl_resource *attached; /* since the last commit */
   struct wl_resource *held[MAX_HELD];
   unsigned held_count;
};

/* A buffer, before that what it will be made of. */
struct dmabuf {
   struct wayland_server *server;
   int fd;
   uint32_t stride_B;
   int32_t width, height;
};

/* ---- buffers ---- */

static void
destroy_resource(struct wl_client *client, struct wl_resource *resource)
{
   wl_resource_destroy(resource);
}

static void
free_dmabuf(struct wl_resource *resource)
{
   struct dmabuf *d = wl_resource_get_user_data(resource);
   if (d->fd >= 0)
      close(d->fd);
   free(d);
}

static const struct wl_buffer_interface buffer_requests = {
   .destroy = destroy_resource,
};

static void
params_add(struct wl_client *client, struct wl_resource *params, int32_t fd,
           uint32_t plane, uint32_t offset, uint32_t stride, uint32_t high,
           uint32_t low)
{
   struct dmabuf *d = wl_resource_get_user_data(params);
   require(plane == 0);
   require(offset == 0);
   require(((uint64_t)high << 32 | low) == DRM_FORMAT_MOD_LINEAR);
   d->fd = fd;
   d->stride_B = stride;
}

/* The descriptor is the buffer's from now on. */
static void
params_create(struct wl_client *client, struct wl_resource *params,
              int32_t width, int32_t height, uint32_t format, uint32_t flags)
{
   struct dmabuf *d = wl_resource_get_user_data(params);
   struct wayland_server *s = d->server;
   require(format == DRM_FORMAT_XRGB8888);
   require(d->stride_B >= 4 * (uint32_t)width);
   require(lseek(d->fd, 0, SEEK_END) >=
           (off_t)(d->stride_B * (uint32_t)height));
   if (s->dmabufs == WAYLAND_SERVER_REFUSES_DMABUFS) {
      zwp_linux_buffer_params_v1_send_failed(params);
      return;
   }
   struct dmabuf *made = malloc(sizeof(*made));
   *made = *d;
   made->width = width;
   made->height = height;
   d->fd = -1;
   struct wl_resource *buffer =
      wl_resource_create(client, &wl_buffer_interface, 1, 0);
   wl_resource_set_implementation(buffer, &buffer_requests, made,
                                  free_dmabuf);
   zwp_linux_buffer_params_v1_send_created(params, buffer);
   s->report.dmabufs++;
}

static const struct zwp_linux_buffer_params_v1_interface params_requests = {
   .destroy = destroy_resource,
   .add = params_add,
   .create = params_create,
};

static void
create_params(struct wl_client *client, struct wl_resource *dmabuf,
              uint32_t id)
{
   struct dmabuf *d = malloc(sizeof(*d));
   *d = (struct dmabuf) { wl_resource_get_user_data(dmabuf), .fd = -1 };
   wl_resource_set_implementation(
      wl_resource_create(client, &zwp_linux_buffer_params_v1_interface, 3,
                         id),
      &params_requests, d, free_dmabuf);
}

static const struct zwp_linux_dmabuf_v1_interface dmabuf_requests = {
   .destroy = destroy_resource,
   .create_params = create_params,
};

static void
bind_dmabuf(struct wl_client *client, void *data, uint32_t version,
            uint32_t id)
{
   static const uint32_t formats[] = { DRM_FORMAT_XRGB8888,
                                       DRM_FORMAT_ARGB8888 };
   const struct wayland_server *s = data;
   const uint64_t modifier = s->dmabufs == WAYLAND_SERVER_TILED_DMABUFS
                                ? I915_FORMAT_MOD_Y_TILED
                                : DRM_FORMAT_MOD_LINEAR;
   struct wl_resource *dmabuf = wl_resource_create(
      client, &zwp_linux_dmabuf_v1_interface, (int)version, id);
   wl_resource_set_implementation(dmabuf, &dmabuf_requests, data, NULL);
   for (unsigned i = 0; i < 2; i++) {
      zwp_linux_dmabuf_v1_send_format(dmabuf, formats[i]);
      zwp_linux_dmabuf_v1_send_modifier(
         dmabuf, formats[i], (uint32_t)(modifier >> 32), (uint32_t)modifier);
   }
}

/* ---- surfaces ---- */

static uint32_t
middle_of_dmabuf(const struct dmabuf *d)
{
   const size_t size_B = (size_t)d->stride_B * (size_t)d->height;
   const char *map = mmap(NULL, size_B, PROT_READ, MAP_SHARED, d->fd, 0);
   require(map != MAP_FAILED);
   const uint32_t pixel =
      *(const uint32_t *)(map + (size_t)(d->height / 2) * d->stride_B +
                          (size_t)(d->width / 2) * 4);
   munmap((void *)map, size_B);
   return pixel;
}

static uint32_t
middle_of_shm(struct wl_shm_buffer *b)
{
   wl_shm_buffer_begin_access(b);
   const uint32_t pixel =
      *(const uint32_t *)((const char *)wl_shm_buffer_get_data(b) +
                          wl_shm_buffer_get_height(b) / 2 *
                             wl_shm_buffer_get_stride(b) +
                          wl_shm_buffer_get_width(b) / 2 * 4);
   wl_shm_buffer_end_access(b);
   return pixel;
}

static void
surface_attach(struct wl_client *client, struct wl_resource *surface,
               struct wl_resource *buffer, int32_t x, int32_t y)
{
   struct wayland_server *s = wl_resource_get_user_data(surface);
   s->attached = buffer;
}

static void
surface_damage(struct wl_client *client, struct wl_resource *surface,
               int32_t x, int32_t y, int32_t width, int32_t height)
{
}

/* It is time for the next one at once. */
static void
surface_frame(struct wl_client *client, struct wl_resource *surface,
              uint32_t id)
{
   struct wl_resource *callback =
      wl_resource_create(client, &wl_callback_interface, 1, id);
   wl_callback_send_done(callback, 0);
   wl_resource_destroy(callback);
}

/* Buffers in shared memory are copied, as compositors do. */
static void
surface_commit(struct wl_client *client, struct wl_resource *surface)
{
   struct wayland_server *s = wl_resource_get_user_data(surface);
   struct wl_shm_buffer *shm = wl_shm_buffer_get(s->attached);
   s->report.commits++;
   if (shm) {
      s->report.pixel = middle_of_shm(shm);
      s->report.shm_commits++;
      wl_buffer_send_release(s->attached);
      return;
   }
   s->report.pixel = middle_of_dmabuf(wl_resource_get_user_data(s->attached));
   require(s->held_count < MAX_HELD);
   for (unsigned i = 0; i < s->held_count; i++)
      require(s->held[i] != s->attached);
   s->held[s->held_count++] = s->attached;
}

static const struct wl_surface_interface surface_requests = {
   .destroy = destroy_resource,
   .attach = surface_attach,
   .damage = surface_damage,
   .frame = surface_frame,
   .commit = surface_commit,
};

static void
create_surface(struct wl_client *client, struct wl_resource *compositor,
               uint32_t id)
{
   wl_resource_set_implementation(
      wl_resource_create(client, &wl_surface_interface, 1, id),
      &surface_requests, wl_resource_get_user_data(compositor), NULL);
}

static const struct wl_compositor_interface compositor_requests = {
   .create_surface = create_surface,
};

static void
bind_compositor(struct wl_client *client, void *data, uint32_t version,
                uint32_t id)
{
   wl_resource_set_implementation(
      wl_resource_create(client, &wl_compositor_interface, 1, id),
      &compositor_requests, data, NULL);
}

/* ---- the server ---- */

static void *
serve(void *data)
{
   struct wayland_server *s = data;
   while (!__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) {
      struct wl_event_loop *loop = wl_display_get_event_loop(s->display);
      pthread_mutex_lock(&s->mutex);
      wl_event_loop_dispatch(loop, 0);
      wl_display_flush_clients(s->display);
      pthread_mutex_unlock(&s->mutex);
      usleep(500);
   }
   return NULL;
}

struct wayland_server *
wayland_server_start(enum wayland_server_dmabufs dmabufs,
                     const uint32_t *shm_formats)
{
   struct wayland_server *s = calloc(1, sizeof(*s));
   int fds[2];
   s->display = wl_display_create();
   s->dmabufs = dmabufs;
   pthread_mutex_init(&s->mutex, NULL);
   assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
   assert_int_equal(wl_display_init_shm(s->display), 0);
   for (; *shm_formats; shm_formats++)
      wl_display_add_shm_format(s->display, *shm_formats);
   wl_global_create(s->display, &wl_compositor_interface, 1, s,
                    bind_compositor);
   if (dmabufs != WAYLAND_SERVER_NO_DMABUFS)
      wl_global_create(s->display, &zwp_linux_dmabuf_v1_interface, 3, s,
                       bind_dmabuf);
   assert_non_null(wl_client_create(s->display, fds[0]));
   s->client_fd = fds[1];
   assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
   return s;
}

void
wayland_server_stop(struct wayland_server *s)
{
   __atomic_store_n(&s->stop, true, __ATOMIC_RELAXED);
   pthread_join(s->thread, NULL);
   wl_display_destroy_clients(s->display);
   wl_display_destroy(s->display);
   pthread_mutex_destroy(&s->mutex);
   free(s);
}

struct wl_display *
wayland_server_connect(struct wayland_server *s)
{
   struct wl_display *display = wl_display_connect_to_fd(s->client_fd);
   assert_non_null(display);
   return display;
}

struct wayland_server_report
wayland_server_report(struct wayland_server *s)
{
   pthread_mutex_lock(&s->mutex);
   const struct wayland_server_report report = s->report;
   pthread_mutex_unlock(&s->mutex);
   return report;
}

void
wayland_server_release(struct wayland_server *s)
{
   pthread_mutex_lock(&s->mutex);
   while (s->held_count > 1) {
      wl_buffer_send_release(s->held[0]);
      memmove(s->held, s->held + 1, --s->held_count * sizeof(s->held[0]));
   }
   wl_display_flush_clients(s->display);
   pthread_mutex_unlock(&s->mutex);
}
