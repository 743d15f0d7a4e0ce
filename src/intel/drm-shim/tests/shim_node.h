/* SPDX-License-Identifier: MIT */
/* For tests that run with the shim preloaded: the device, and descriptors
 * that go from process to process. */
#ifndef SHIM_NODE_H
#define SHIM_NODE_H

#include <drm.h>
#include <i915_drm.h>
#include <sys/types.h>
#include <xf86drm.h>

#include "util/unit_test.h"

#define SKL_GT2 0x1912

/* The render node that libdrm finds, opened; a device of the host may be
 * another. */
int open_node(char path[64]);

/* I915_PARAM_CHIPSET_ID, or -errno. */
int chipset(int fd);

/* Sends a value and, unless it is -1, a descriptor. */
void send_fd(int socket, int value, int fd);
/* The value; *fd is -1 if none came with it. */
int receive_fd(int socket, int *fd);

/*
 * Starts this program once more, with `role` and the number of a socket as
 * its arguments, and returns the other end of the socket.
 */
int start_other(const char *role, pid_t *child);
/* Waits for its end, which must be exit(0). */
void finish_other(int socket, pid_t child);

#endif
