/* SPDX-License-Identifier: MIT */
#include "shim_node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int
open_node(char path[64])
{
   drmDevicePtr devices[16];
   const int n = drmGetDevices2(0, devices, 16);
   int fd = -1;
   for (int i = 0; i < n; i++) {
      if (fd >= 0 || devices[i]->bustype != DRM_BUS_PCI ||
          devices[i]->deviceinfo.pci->device_id != SKL_GT2 ||
          !(devices[i]->available_nodes & 1 << DRM_NODE_RENDER))
         continue;
      assert_int_equal(devices[i]->deviceinfo.pci->vendor_id, 0x8086);
      snprintf(path, 64, "%s", devices[i]->nodes[DRM_NODE_RENDER]);
      fd = open(path, O_RDWR | O_CLOEXEC);
   }
   if (n > 0)
      drmFreeDevices(devices, n);
   assert_true(fd >= 0);
   return fd;
}

int
chipset(int fd)
{
   int value = 0;
   struct drm_i915_getparam gp = {
      .param = I915_PARAM_CHIPSET_ID,
      .value = &value,
   };
   return drmIoctl(fd, DRM_IOCTL_I915_GETPARAM, &gp) ? -errno : value;
}

void
send_fd(int socket, int value, int fd)
{
   union {
      struct cmsghdr header;
      char room[CMSG_SPACE(sizeof(int))];
   } control = { 0 };
   struct iovec iov = { &value, sizeof(value) };
   struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
   if (fd >= 0) {
      msg.msg_control = &control;
      msg.msg_controllen = sizeof(control);
      struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(sizeof(int));
      memcpy(CMSG_DATA(c), &fd, sizeof(fd));
   }
   assert_int_equal(sendmsg(socket, &msg, 0), sizeof(value));
}

int
receive_fd(int socket, int *fd)
{
   int value;
   union {
      struct cmsghdr header;
      char room[CMSG_SPACE(sizeof(int))];
   } control;
   struct iovec iov = { &value, sizeof(value) };
   struct msghdr msg = {
      .msg_iov = &iov,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof(control),
   };
   assert_int_equal(recvmsg(socket, &msg, MSG_CMSG_CLOEXEC), sizeof(value));
   const struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
   *fd = -1;
   if (c && c->cmsg_type == SCM_RIGHTS)
      memcpy(fd, CMSG_DATA(c), sizeof(*fd));
   return value;
}

int
start_other(const char *role, pid_t *child)
{
   int ends[2];
   assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
   *child = fork();
   assert_true(*child >= 0);
   if (*child == 0) {
      char number[16];
      close(ends[0]);
      snprintf(number, sizeof(number), "%d", ends[1]);
      execl("/proc/self/exe", "test", role, number, NULL);
      _exit(127);
   }
   close(ends[1]);
   return ends[0];
}

void
finish_other(int socket, pid_t child)
{
   int status;
   close(socket);
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
}
