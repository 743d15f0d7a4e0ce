/* SPDX-License-Identifier: MIT */
/*
 * Objects that go from process to process through the shim, as they go
 * between a compositor and its clients. The other process is this program
 * once more, started anew.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim_node.h"
#include "util/macros.h"

#define SIZE_B (3 * 4096)

static uint32_t
create(int fd, uint64_t size_B)
{
   struct drm_i915_gem_create a = { .size = size_B };
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_I915_GEM_CREATE, &a), 0);
   return a.handle;
}

static uint32_t *
map(int fd, uint32_t handle, size_t size_B)
{
   struct drm_i915_gem_mmap_offset a = {
      .handle = handle,
      .flags = I915_MMAP_OFFSET_WB,
   };
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a), 0);
   void *p = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                  (off_t)a.offset);
   assert_true(p != MAP_FAILED);
   return p;
}

static void
set_tiling(int fd, uint32_t handle, uint32_t tiling, uint32_t stride)
{
   struct drm_i915_gem_set_tiling a = {
      .handle = handle,
      .tiling_mode = tiling,
      .stride = stride,
   };
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_I915_GEM_SET_TILING, &a), 0);
}

static uint32_t
get_tiling(int fd, uint32_t handle)
{
   struct drm_i915_gem_get_tiling a = { .handle = handle };
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_I915_GEM_GET_TILING, &a), 0);
   return a.tiling_mode;
}

/*
 * A descriptor of a buffer: what it is here, and in a process that imports
 * it. Kernel documentation, "PRIME Buffer Sharing" and "DMA Buffer Handles".
 */
static void
check_dmabuf(int fd, uint64_t size_B)
{
   struct stat st;
   assert_int_equal(fstat(fd, &st), 0);
   assert_int_equal(st.st_size, size_B);
   assert_int_equal(lseek(fd, 0, SEEK_END), size_B);
   assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
   struct dma_buf_sync sync = {
      .flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW,
   };
   assert_int_equal(ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync), 0);
   sync.flags = DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW;
   assert_int_equal(ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync), 0);
   sync.flags = 64;
   assert_int_equal(ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync), -1);
   assert_int_equal(errno, EINVAL);
}

static int
other_import(int socket)
{
   char path[64];
   int dmabuf, again;
   const int fd = open_node(path);
   assert_int_equal(receive_fd(socket, &dmabuf), 1);
   check_dmabuf(dmabuf, SIZE_B);
   uint32_t handle, second;
   assert_int_equal(drmPrimeFDToHandle(fd, dmabuf, &handle), 0);
   assert_int_equal(get_tiling(fd, handle), I915_TILING_X);
   uint32_t *p = map(fd, handle, SIZE_B);
   assert_int_equal(p[0], 11);
   assert_int_equal(p[2500], 22);
   p[1] = 33;
   uint32_t *direct =
      mmap(NULL, SIZE_B, PROT_READ | PROT_WRITE, MAP_SHARED, dmabuf, 0);
   assert_true(direct != MAP_FAILED);
   assert_int_equal(direct[2500], 22);
   direct[2] = 44;
   /* The same object comes once more: one handle. */
   assert_int_equal(receive_fd(socket, &again), 2);
   assert_int_equal(drmPrimeFDToHandle(fd, again, &second), 0);
   assert_int_equal(handle, second);
   close(again);
   close(dmabuf);
   /* A new one of ours, for the other side to import. */
   const uint32_t own = create(fd, 4096);
   map(fd, own, 4096)[0] = 55;
   assert_int_equal(drmPrimeHandleToFD(fd, own, DRM_CLOEXEC, &dmabuf), 0);
   send_fd(socket, 3, dmabuf);
   /* Back it goes. */
   assert_int_equal(drmPrimeHandleToFD(fd, handle, DRM_CLOEXEC, &again), 0);
   send_fd(socket, 4, again);
   assert_int_equal(receive_fd(socket, &again), 5);
   assert_int_equal(p[3], 66);
   assert_int_equal(get_tiling(fd, handle), I915_TILING_Y);
   return 0;
}

static void
test_prime(void **state)
{
   char path[64];
   pid_t child;
   const int socket = start_other("import", &child);
   const int fd = open_node(path);
   const uint32_t handle = create(fd, SIZE_B);
   /* Mapped before it is shared. */
   uint32_t *p = map(fd, handle, SIZE_B);
   p[0] = 11;
   p[2500] = 22;
   set_tiling(fd, handle, I915_TILING_X, 512);
   int a, b, c;
   assert_int_equal(
      drmPrimeHandleToFD(fd, handle, DRM_CLOEXEC | DRM_RDWR, &a), 0);
   check_dmabuf(a, SIZE_B);
   assert_int_equal(drmPrimeHandleToFD(fd, handle, DRM_CLOEXEC, &b), 0);
   send_fd(socket, 1, a);
   send_fd(socket, 2, b);
   close(a);
   /* Without DRM_RDWR it cannot be mapped for writing. */
   assert_ptr_equal(
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, b, 0), MAP_FAILED);
   assert_int_equal(errno, EACCES);
   close(b);

   uint32_t theirs, back;
   assert_int_equal(receive_fd(socket, &c), 3);
   assert_int_equal(drmPrimeFDToHandle(fd, c, &theirs), 0);
   assert_int_equal(map(fd, theirs, 4096)[0], 55);
   assert_int_not_equal(theirs, handle);
   close(c);
   assert_int_equal(receive_fd(socket, &c), 4);
   assert_int_equal(drmPrimeFDToHandle(fd, c, &back), 0);
   assert_int_equal(back, handle);
   close(c);
   assert_int_equal(p[1], 33);
   assert_int_equal(p[2], 44);
   p[3] = 66;
   set_tiling(fd, handle, I915_TILING_Y, 128);
   send_fd(socket, 5, -1);
   finish_other(socket, child);
   /* The object of a process that has ended. */
   assert_int_equal(map(fd, theirs, 4096)[0], 55);
   close(fd);
}

/* What is no buffer cannot be imported. */
static void
test_foreign_files(void **state)
{
   char path[64];
   const int fd = open_node(path);
   uint32_t handle;
   struct stat st;
   assert_int_equal(drmPrimeFDToHandle(fd, 0x7fff, &handle), -1);
   assert_int_equal(errno, EBADF);
   const int null = open("/dev/null", O_RDWR);
   assert_int_equal(drmPrimeFDToHandle(fd, null, &handle), -1);
   assert_int_equal(errno, EINVAL);
   /* A file in memory that is not ours, whatever it contains. */
   const int mem = memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   assert_int_equal(ftruncate(mem, 8192), 0);
   assert_int_equal(pwrite(mem, "saffron share 1\0\1\0\0\0", 20, 4096), 20);
   assert_int_equal(drmPrimeFDToHandle(fd, mem, &handle), -1);
   assert_int_equal(errno, EINVAL);
   assert_int_equal(fstat(mem, &st), 0);
   assert_int_equal(st.st_size, 8192);
   assert_int_equal(lseek(mem, 0, SEEK_END), 8192);
   struct dma_buf_sync sync = { .flags = DMA_BUF_SYNC_RW };
   assert_int_equal(ioctl(mem, DMA_BUF_IOCTL_SYNC, &sync), -1);
   assert_int_equal(errno, ENOTTY);
   close(mem);
   close(null);
   close(fd);
}

/* A render node that another process opened, as DRI3Open sends it. */
static int
other_node(int socket)
{
   int fd;
   assert_int_equal(receive_fd(socket, &fd), 1);
   const int copy = dup(fd);
   struct stat st;
   assert_int_equal(fstat(copy, &st), 0);
   assert_true(S_ISCHR(st.st_mode));
   char *name = drmGetDeviceNameFromFd2(copy);
   assert_non_null(name);
   assert_int_equal(drmGetNodeTypeFromFd(fd), DRM_NODE_RENDER);
   const uint32_t handle = create(fd, 4096);
   close(fd);
   assert_int_equal(chipset(copy), SKL_GT2);
   /* Both descriptors were one file. */
   map(copy, handle, 4096)[0] = 1;
   struct stat by_name;
   assert_int_equal(stat(name, &by_name), 0);
   assert_int_equal(by_name.st_rdev, st.st_rdev);
   send_fd(socket, 2, copy);
   assert_int_equal(receive_fd(socket, &fd), 3);
   return 0;
}

static void
test_node(void **state)
{
   char path[64];
   pid_t child;
   int back, self;
   const int socket = start_other("node", &child);
   const int fd = open_node(path);
   send_fd(socket, 1, fd);
   const uint32_t handle = create(fd, 4096);
   assert_int_equal(receive_fd(socket, &back), 2);
   /* What comes back is the file that was sent. */
   map(back, handle, 4096)[0] = 1;
   close(fd);
   map(back, handle, 4096)[1] = 1;
   send_fd(socket, 3, -1);
   finish_other(socket, child);
   /* The descriptor's number belongs to something else then. */
   const int null = open("/dev/null", O_RDONLY);
   assert_int_equal(dup2(null, back), back);
   assert_int_equal(chipset(back), -ENOTTY);
   close(null);
   close(back);
   self = chipset(back);
   assert_int_equal(self, -EBADF);
}

static int
other_exec(int socket)
{
   int fd, value = receive_fd(socket, &fd);
   assert_int_equal(fd, -1);
   /* The number came in the message, the descriptor by inheritance. */
   assert_int_equal(chipset(value), SKL_GT2);
   const int dmabuf = receive_fd(socket, &fd);
   const int own = dup(value);
   uint32_t handle;
   assert_int_equal(drmPrimeFDToHandle(own, dmabuf, &handle), 0);
   assert_int_equal(map(value, handle, 4096)[0], 77);
   return 0;
}

static void
test_exec(void **state)
{
   char path[64];
   pid_t child;
   const int opened = open_node(path);
   const int fd = dup(opened); /* without CLOEXEC */
   const uint32_t handle = create(fd, 4096);
   map(fd, handle, 4096)[0] = 77;
   int dmabuf;
   assert_int_equal(drmPrimeHandleToFD(fd, handle, 0, &dmabuf), 0);
   const int socket = start_other("exec", &child);
   send_fd(socket, fd, -1);
   send_fd(socket, dmabuf, -1);
   finish_other(socket, child);
   close(opened);
   close(dmabuf);
   close(fd);
}

static const struct {
   const char *name;
   int (*run)(int socket);
} roles[] = {
   { "import", other_import },
   { "node", other_node },
   { "exec", other_exec },
};

int
main(int argc, char **argv)
{
   for (unsigned i = 0; argc == 3 && i < ARRAY_SIZE(roles); i++) {
      if (!strcmp(argv[1], roles[i].name))
         return roles[i].run(atoi(argv[2]));
   }
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_prime),
      cmocka_unit_test(test_foreign_files),
      cmocka_unit_test(test_node),
      cmocka_unit_test(test_exec),
   };
   return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
