/* SPDX-License-Identifier: MIT */
/* A Wayland compositor for tests, which shows nothing and keeps what it is
 * given; in a thread of its own, for one client. */
#ifndef WAYLAND_SERVER_H
#define WAYLAND_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <wayland-client.h>
#include <wayland-server-core.h>

/* What is said of dma-bufs. */
enum wayland_server_dmabufs {
   WAYLAND_SERVER_NO_DMABUFS, /* nothing */
   WAYLAND_SERVER_TAKES_DMABUFS,
   WAYLAND_SERVER_REFUSES_DMABUFS, /* those that come, after all */
   WAYLAND_SERVER_TILED_DMABUFS,   /* linear ones are none */
};

struct wayland_server;

/* Has wl_shm with the formats that all have, and those that end with 0. */
struct wayland_server *
wayland_server_start(enum wayland_server_dmabufs dmabufs,
                     const uint32_t *shm_formats);
void wayland_server_stop(struct wayland_server *server);

/* The client's connection, which the caller disconnects before the end. */
struct wl_display *wayland_server_connect(struct wayland_server *server);

/* What has been committed: how often, the last buffer's pixel in the middle,
 * how many dma-bufs the client has made, and how often a buffer in shared
 * memory was committed. */
struct wayland_server_report {
   unsigned commits, dmabufs, shm_commits;
   uint32_t pixel;
};
struct wayland_server_report
wayland_server_report(struct wayland_server *server);

/* Lets go of all buffers but the last. */
void wayland_server_release(struct wayland_server *server);

#endif
