/* SPDX-License-Identifier: MIT */
/*
 * The shim seen by a program that knows nothing of it: libdrm, and libc's
 * functions on the paths that loaders read. Runs with the library preloaded.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim_node.h"

static void
test_libdrm(void **state)
{
   char path[64];
   const int fd = open_node(path);
   drmVersionPtr version = drmGetVersion(fd);
   assert_non_null(version);
   assert_string_equal(version->name, "i915");
   drmFreeVersion(version);

   drmDevicePtr device;
   assert_int_equal(drmGetDevice2(fd, DRM_DEVICE_GET_PCI_REVISION, &device),
                    0);
   assert_int_equal(device->deviceinfo.pci->device_id, SKL_GT2);
   drmFreeDevice(&device);

   char *name = drmGetDeviceNameFromFd2(fd);
   assert_string_equal(name, path);
   free(name);
   assert_int_equal(drmGetNodeTypeFromFd(fd), DRM_NODE_RENDER);
   assert_int_equal(close(fd), 0);
}

/* Copies of a descriptor are one file, which lives as long as one of them. */
static void
test_dup(void **state)
{
   char path[64];
   const int a = open_node(path);
   const int b = dup(a);
   const int c = fcntl(a, F_DUPFD_CLOEXEC, 100);
   const int d = dup2(a, 200);
   assert_true(c >= 100);
   struct drm_i915_gem_create create = { .size = 4096 };
   assert_int_equal(drmIoctl(a, DRM_IOCTL_I915_GEM_CREATE, &create), 0);
   close(a);
   close(b);
   assert_int_equal(chipset(c), SKL_GT2);
   struct drm_i915_gem_mmap_offset map = {
      .handle = create.handle,
      .flags = I915_MMAP_OFFSET_WB,
   };
   assert_int_equal(drmIoctl(d, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map), 0);
   uint32_t *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, c,
                      (off_t)map.offset);
   assert_true(p != MAP_FAILED);
   p[7] = 42;
   uint32_t back = 0;
   struct drm_i915_gem_pread pread = {
      .handle = create.handle,
      .offset = 28,
      .size = 4,
      .data_ptr = (uintptr_t)&back,
   };
   assert_int_equal(drmIoctl(c, DRM_IOCTL_I915_GEM_PREAD, &pread), 0);
   assert_int_equal(back, 42);
   munmap(p, 4096);
   close(c);
   close(d);
   assert_int_equal(chipset(d), -EBADF);
   /* The number, used again for something else, is not ours any more. */
   const int other = open("/dev/null", O_RDONLY);
   assert_int_equal(dup2(other, d), d);
   assert_int_equal(chipset(d), -ENOTTY);
   close(d);
   close(other);
}

static void
test_stat(void **state)
{
   char path[64];
   const int fd = open_node(path);
   struct stat by_path, by_fd;
   struct stat64 st64;
   struct statx stx;
   assert_int_equal(stat(path, &by_path), 0);
   assert_int_equal(fstat(fd, &by_fd), 0);
   assert_true(S_ISCHR(by_path.st_mode) && S_ISCHR(by_fd.st_mode));
   assert_int_equal(major(by_fd.st_rdev), 226);
   assert_int_equal(by_fd.st_rdev, by_path.st_rdev);
   assert_int_equal(fstat64(fd, &st64), 0);
   assert_int_equal(st64.st_rdev, by_fd.st_rdev);
   assert_int_equal(statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &stx), 0);
   assert_int_equal(stx.stx_rdev_minor, minor(by_fd.st_rdev));
   assert_int_equal(access(path, R_OK | W_OK), 0);
   /* Nothing to read: a poll must not return at once. */
   struct pollfd pfd = { .fd = fd, .events = POLLIN | POLLOUT };
   assert_int_equal(poll(&pfd, 1, 0), 0);
   close(fd);
   assert_int_equal(stat("/dev/dri/renderD999", &by_path), -1);
   assert_int_equal(errno, ENOENT);
}

static bool
dir_has(const char *path, const char *name)
{
   DIR *dir = opendir(path);
   assert_non_null(dir);
   unsigned found = 0;
   for (struct dirent *e; (e = readdir(dir));)
      found += !strcmp(e->d_name, name);
   closedir(dir);
   assert_true(found <= 1);
   return found;
}

static void
test_sysfs(void **state)
{
   char path[64], at[256], text[256];
   const int fd = open_node(path);
   struct stat st;
   fstat(fd, &st);
   close(fd);
   const char *name = path + strlen("/dev/dri/");
   assert_true(dir_has("/dev/dri", name));
   assert_true(dir_has("/sys/class/drm", name));
   snprintf(at, sizeof(at), "/sys/dev/char/226:%u/device/drm",
            minor(st.st_rdev));
   assert_true(dir_has(at, name));

   snprintf(at, sizeof(at), "/sys/dev/char/226:%u/device/subsystem",
            minor(st.st_rdev));
   const ssize_t n = readlink(at, text, sizeof(text) - 1);
   assert_true(n > 0);
   text[n] = '\0';
   assert_string_equal(strrchr(text, '/'), "/pci");

   snprintf(at, sizeof(at), "/sys/dev/char/226:%u/device/./drm/../device",
            minor(st.st_rdev));
   FILE *file = fopen(at, "re");
   assert_non_null(file);
   assert_non_null(fgets(text, sizeof(text), file));
   assert_string_equal(text, "0x1912\n");
   fclose(file);
   assert_int_equal(open(at, O_RDWR), -1);
   assert_int_equal(errno, EACCES);
}

/* What the host has stays as it is. */
static void
test_host(void **state)
{
   assert_true(dir_has("/dev", "null"));
   assert_true(dir_has("/dev", "dri"));
   struct stat st;
   assert_int_equal(stat("/dev/null", &st), 0);
   assert_int_equal(major(st.st_rdev), 1);
   assert_false(dir_has("/proc/self", "dri"));
   char name[] = "/tmp/drm-shim-XXXXXX";
   const int fd = mkstemp(name);
   assert_true(fd >= 0);
   assert_int_equal(write(fd, "abc", 3), 3);
   void *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
   assert_memory_equal(map, "abc", 3);
   munmap(map, 4096);
   close(fd);
   unlink(name);
}

/* The device of the parent is lost to the child, which may open its own. */
static void
test_fork(void **state)
{
   char path[64];
   const int fd = open_node(path);
   const pid_t child = fork();
   if (child == 0) {
      const bool lost = chipset(fd) == -ENODEV;
      const int own = open(path, O_RDWR);
      _exit(lost && own >= 0 && chipset(own) == SKL_GT2 ? 0 : 1);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_int_equal(chipset(fd), SKL_GT2);
   close(fd);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_libdrm), cmocka_unit_test(test_dup),
      cmocka_unit_test(test_stat),   cmocka_unit_test(test_sysfs),
      cmocka_unit_test(test_host),   cmocka_unit_test(test_fork),
   };
   return cmocka_run_group_tests_name("drm_shim", tests, NULL, NULL);
}
