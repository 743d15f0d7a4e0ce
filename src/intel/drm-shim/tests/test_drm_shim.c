/* SPDX-License-Identifier: MIT */
/*
 * The shim seen by a program that knows nothing of it: libdrm, and libc's
 * functions on the paths that loaders read. Runs with the library preloaded.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
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

/* A program that is executed has what was not opened with O_CLOEXEC: the node
 * itself, a file of its directory, a descriptor made of another. */
static void
test_close_on_exec(void **state)
{
   char path[64], at[256];
   close(open_node(path));
   snprintf(at, sizeof(at), "/sys/class/drm/%s/device/vendor",
            path + strlen("/dev/dri/"));
   const char *const files[] = { path, at };
   for (unsigned i = 0; i < 4; i++) {
      const int flags = i % 2 ? O_CLOEXEC : 0;
      const int fd = open(files[i / 2], O_RDONLY | flags);
      assert_true(fd >= 0);
      assert_int_equal(fcntl(fd, F_GETFD), flags ? FD_CLOEXEC : 0);
      const int same = dup(fd);
      assert_int_equal(fcntl(same, F_GETFD), 0);
      close(same);
      close(fd);
   }
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

static int
is_node(const struct dirent *e)
{
   return !strncmp(e->d_name, "renderD", 7) || !strncmp(e->d_name, "card", 4);
}

static bool
scan_has(int dirfd, const char *path, const char *name)
{
   struct dirent **list;
   bool found = false;
   const int n = scandirat(dirfd, path, &list, is_node, alphasort);
   assert_true(n >= 0);
   for (int i = 0; i < n; i++) {
      found |= !strcmp(list[i]->d_name, name);
      free(list[i]);
   }
   free(list);
   return found;
}

/* Directories by descriptors, as udev's library walks them. */
static void
test_directories(void **state)
{
   char path[64], at[256], target[256];
   const int node = open_node(path);
   const char *name = path + strlen("/dev/dri/");
   assert_true(scan_has(AT_FDCWD, "/sys/class/drm", name));
   const int dev = open("/dev", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   assert_true(dev >= 0);
   assert_true(scan_has(dev, "dri", name));
   const int dri = openat(dev, "dri", O_PATH | O_DIRECTORY | O_CLOEXEC);
   assert_true(dri >= 0);
   struct stat st, same;
   assert_int_equal(fstat(dri, &st), 0);
   assert_true(S_ISDIR(st.st_mode));
   assert_int_equal(fstatat(dri, name, &st, 0), 0);
   assert_true(S_ISCHR(st.st_mode));
   assert_int_equal(faccessat(dri, name, R_OK, 0), 0);
   const int again = openat(dri, name, O_RDWR | O_CLOEXEC);
   assert_int_equal(chipset(again), SKL_GT2);
   close(again);
   close(dri);

   /* A relative path, from a directory of the host. The way back is a
    * descriptor: not every user may go all the way from the root. */
   const int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
   assert_true(here >= 0);
   assert_int_equal(chdir("/dev"), 0);
   snprintf(at, sizeof(at), "dri/../dri/%s", name);
   assert_int_equal(stat(at, &same), 0);
   assert_int_equal(same.st_ino, st.st_ino);
   char *real = realpath(at, NULL);
   assert_string_equal(real, path);
   free(real);
   assert_int_equal(fchdir(here), 0);
   close(here);

   /* A link itself. */
   snprintf(at, sizeof(at), "/sys/class/drm/%s", name);
   const int link = open(at, O_PATH | O_NOFOLLOW | O_CLOEXEC);
   assert_true(link >= 0);
   assert_int_equal(fstat(link, &st), 0);
   assert_true(S_ISLNK(st.st_mode));
   const ssize_t n = readlinkat(link, "", target, sizeof(target));
   char by_path[256];
   assert_true(n > 0 && readlink(at, by_path, sizeof(by_path)) == n);
   assert_memory_equal(target, by_path, n);
   close(link);

   /* Streams of descriptors, and places in them. */
   DIR *dir = fdopendir(dev);
   assert_non_null(dir);
   bool has_null = false, has_dri = false;
   long place = -1;
   for (struct dirent *e; (e = readdir(dir));) {
      has_null |= !strcmp(e->d_name, "null");
      has_dri |= !strcmp(e->d_name, "dri");
      if (!has_dri)
         place = telldir(dir);
   }
   assert_true(has_null && has_dri);
   seekdir(dir, place);
   assert_string_equal(readdir(dir)->d_name, "dri");
   rewinddir(dir);
   struct dirent room, *next;
   has_dri = false;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
   while (!readdir_r(dir, &room, &next) && next)
      has_dri |= !strcmp(next->d_name, "dri");
#pragma GCC diagnostic pop
   assert_true(has_dri);
   assert_int_equal(closedir(dir), 0);

   struct statfs fs;
   snprintf(at, sizeof(at), "/sys/class/drm/%s", name);
   assert_int_equal(statfs(at, &fs), 0);
   assert_int_equal(fs.f_type, SYSFS_MAGIC);
   close(node);
}

/* A descriptor by its name in /proc. */
static void
test_proc(void **state)
{
   char path[64], at[64], target[64] = "";
   const int fd = open_node(path);
   snprintf(at, sizeof(at), "/proc/self/fd/%d", fd);
   assert_int_equal(readlink(at, target, sizeof(target) - 1), strlen(path));
   assert_string_equal(target, path);
   const int again = open(at, O_RDWR | O_CLOEXEC);
   assert_int_equal(chipset(again), SKL_GT2);
   close(again);
   close(fd);
}

static void
test_close_range(void **state)
{
   char path[64];
   const int fd = open_node(path);
   const int high = fcntl(fd, F_DUPFD_CLOEXEC, 500);
   assert_int_equal(chipset(high), SKL_GT2);
   assert_int_equal(close_range(500, 600, 0), 0);
   assert_int_equal(chipset(high), -EBADF);
   assert_int_equal(chipset(fd), SKL_GT2);
   const int other = fcntl(fd, F_DUPFD_CLOEXEC, 500);
   closefrom(500);
   assert_int_equal(chipset(other), -EBADF);
   /* Closed without our knowledge, and the number used again. */
   const int third = fcntl(fd, F_DUPFD_CLOEXEC, 500);
   assert_int_equal(syscall(SYS_close, third), 0);
   const int null = open("/dev/null", O_RDONLY);
   assert_int_equal(syscall(SYS_dup2, null, third), third);
   assert_int_equal(chipset(third), -ENOTTY);
   close(third);
   close(null);
   assert_int_equal(chipset(fd), SKL_GT2);
   close(fd);
}

static void
test_streams(void **state)
{
   char path[64], at[256], text[64];
   struct stat st;
   const int fd = open_node(path);
   fstat(fd, &st);
   close(fd);
   snprintf(at, sizeof(at), "/sys/dev/char/226:%u/device/vendor",
            minor(st.st_rdev));
   FILE *file = fopen("/dev/null", "re");
   file = freopen(at, "r", file);
   assert_non_null(file);
   assert_non_null(fgets(text, sizeof(text), file));
   assert_string_equal(text, "0x8086\n");
   fclose(file);
   file = fopen("/dev/null", "re");
   assert_null(freopen(at, "w", file));
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

static uint32_t
create(int fd)
{
   struct drm_i915_gem_create a = { .size = 4096 };
   return drmIoctl(fd, DRM_IOCTL_I915_GEM_CREATE, &a) ? 0 : a.handle;
}

static uint32_t *
map_object(int fd, uint32_t handle)
{
   struct drm_i915_gem_mmap_offset a = {
      .handle = handle,
      .flags = I915_MMAP_OFFSET_WB,
   };
   if (drmIoctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a))
      return NULL;
   void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                  (off_t)a.offset);
   return p == MAP_FAILED ? NULL : p;
}

/* Runs a batch that writes `value` to the first word of `target`. */
static bool
run_store(int fd, uint32_t target, uint32_t batch, uint32_t value)
{
   uint32_t *dw = map_object(fd, batch);
   if (!dw)
      return false;
   /* MI_STORE_DATA_IMM of one dword (PRM SKL Vol. 2a), MI_BATCH_BUFFER_END */
   const uint32_t program[] = { 0x20u << 23 | 2, 0x100000,    0,
                                value,           0x0au << 23, 0 };
   memcpy(dw, program, sizeof(program));
   munmap(dw, 4096);
   struct drm_i915_gem_exec_object2 objects[] = {
      { .handle = target,
        .offset = 0x100000,
        .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE },
      { .handle = batch, .offset = 0x200000, .flags = EXEC_OBJECT_PINNED },
   };
   struct drm_i915_gem_execbuffer2 e = {
      .buffers_ptr = (uintptr_t)objects,
      .buffer_count = 2,
      .flags = I915_EXEC_RENDER | I915_EXEC_NO_RELOC,
   };
   return drmIoctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e) == 0;
}

static bool
idle(int fd, uint32_t handle)
{
   struct drm_i915_gem_wait w = { .bo_handle = handle, .timeout_ns = -1 };
   return drmIoctl(fd, DRM_IOCTL_I915_GEM_WAIT, &w) == 0;
}

/* Parent and child go on with what was there at fork(): memory is shared,
 * work that was submitted is done once, new work is done by both. */
static void
test_fork(void **state)
{
   char path[64];
   const int fd = open_node(path);
   const uint32_t target = create(fd), batch = create(fd);
   uint32_t *p = map_object(fd, target);
   for (unsigned i = 0; i < 20; i++)
      assert_true(run_store(fd, target, batch, i));
   const pid_t child = fork();
   if (child == 0) {
      bool ok = chipset(fd) == SKL_GT2 && idle(fd, target) && p[0] == 19;
      ok = ok && run_store(fd, target, batch, 100) && idle(fd, target);
      ok = ok && p[0] == 100;
      const int own = open(path, O_RDWR);
      ok = ok && own >= 0 && chipset(own) == SKL_GT2 && create(own);
      close(fd);
      close(own);
      _exit(ok ? 0 : 1);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_int_equal(p[0], 100);
   assert_true(run_store(fd, target, batch, 5) && idle(fd, target));
   assert_int_equal(p[0], 5);
   munmap(p, 4096);
   close(fd);
}

struct fork_thread {
   int fd;
   bool stop, ok;
};

/* Opens, works and closes all the time. */
static void *
work(void *data)
{
   struct fork_thread *t = data;
   const uint32_t target = create(t->fd), batch = create(t->fd);
   t->ok = target && batch;
   while (t->ok && !__atomic_load_n(&t->stop, __ATOMIC_ACQUIRE)) {
      char path[64];
      const int other = open_node(path);
      t->ok = run_store(t->fd, target, batch, 1) && create(other);
      close(other);
   }
   return NULL;
}

/* fork() while other threads are inside of everything. */
static void
test_fork_threads(void **state)
{
#ifdef __SANITIZE_ADDRESS__
   /* Its allocator forks with another thread's locks held (GCC 12): a thread
    * of the child then waits for ever in calloc(). */
   skip();
#endif
   char path[64];
   struct fork_thread t = { .fd = open_node(path) };
   pthread_t threads[2];
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(pthread_create(&threads[i], NULL, work, &t), 0);
   for (unsigned i = 0; i < 20; i++) {
      const pid_t child = fork();
      if (child == 0) {
         alarm(20);
         const uint32_t target = create(t.fd), batch = create(t.fd);
         uint32_t *p = map_object(t.fd, target);
         const bool ok = p && run_store(t.fd, target, batch, 7) &&
                         idle(t.fd, target) && p[0] == 7;
         close(t.fd);
         _exit(ok ? 0 : 1);
      }
      int status;
      assert_int_equal(waitpid(child, &status, 0), child);
      assert_int_equal(status, 0);
   }
   __atomic_store_n(&t.stop, true, __ATOMIC_RELEASE);
   for (unsigned i = 0; i < 2; i++)
      pthread_join(threads[i], NULL);
   assert_true(t.ok);
   close(t.fd);
}

/* What a child of vfork() does before exec(), on its parent's memory. */
static void
test_vfork(void **state)
{
   char path[64];
   const int fd = open_node(path);
   const uint32_t handle = create(fd);
   const pid_t child = vfork();
   if (child == 0) {
      close(fd);
      execl("/bin/true", "true", NULL);
      _exit(1);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_int_equal(chipset(fd), SKL_GT2);
   assert_true(idle(fd, handle));
   close(fd);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_libdrm),
      cmocka_unit_test(test_dup),
      cmocka_unit_test(test_close_on_exec),
      cmocka_unit_test(test_stat),
      cmocka_unit_test(test_sysfs),
      cmocka_unit_test(test_directories),
      cmocka_unit_test(test_proc),
      cmocka_unit_test(test_close_range),
      cmocka_unit_test(test_streams),
      cmocka_unit_test(test_host),
      cmocka_unit_test(test_fork),
      cmocka_unit_test(test_fork_threads),
      cmocka_unit_test(test_vfork),
   };
   return cmocka_run_group_tests_name("drm_shim", tests, NULL, NULL);
}
