/* SPDX-License-Identifier: MIT */
/*
 * Buffers of the distribution's libgbm, with its own driver for the device
 * behind it: made and filled in one process, imported and read in another, as
 * a client and a compositor do it. Runs with the shim preloaded; exits with
 * 77 (skipped) where there is no libgbm or no driver.
 *
 * The library is loaded by hand, as its headers are in a package that nothing
 * else needs; what is declared here is its stable interface (gbm.h).
 */
#include <dlfcn.h>
#include <drm_fourcc.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim_node.h"
#include "util/macros.h"

#define WIDTH 200
#define HEIGHT 70

struct gbm_device;
struct gbm_bo;

struct import_data {
   uint32_t width, height, format, num_fds;
   int fds[4], strides[4], offsets[4];
   uint64_t modifier;
};

enum { IMPORT_FD_MODIFIER = 0x5504 };
enum { USE_RENDERING = 1 << 2, USE_LINEAR = 1 << 4 };
enum { TRANSFER_READ = 1, TRANSFER_WRITE = 2 };

static struct {
   struct gbm_device *(*create_device)(int fd);
   void (*device_destroy)(struct gbm_device *device);
   struct gbm_bo *(*bo_create)(struct gbm_device *device, uint32_t width,
                               uint32_t height, uint32_t format,
                               uint32_t flags);
   struct gbm_bo *(*bo_import)(struct gbm_device *device, uint32_t type,
                               void *data, uint32_t usage);
   void (*bo_destroy)(struct gbm_bo *bo);
   int (*bo_get_fd)(struct gbm_bo *bo);
   uint32_t (*bo_get_stride)(struct gbm_bo *bo);
   uint64_t (*bo_get_modifier)(struct gbm_bo *bo);
   void *(*bo_map)(struct gbm_bo *bo, uint32_t x, uint32_t y, uint32_t width,
                   uint32_t height, uint32_t flags, uint32_t *stride_B,
                   void **map_data);
   void (*bo_unmap)(struct gbm_bo *bo, void *map_data);
} gbm;

static bool
load(void)
{
   void *library = dlopen("libgbm.so.1", RTLD_NOW);
   if (!library)
      return false;
#define GET(name)                                                            \
   gbm.name = (__typeof__(gbm.name))dlsym(library, "gbm_" #name);            \
   if (!gbm.name)                                                            \
      return false;
   GET(create_device)
   GET(device_destroy)
   GET(bo_create)
   GET(bo_import)
   GET(bo_destroy)
   GET(bo_get_fd)
   GET(bo_get_stride)
   GET(bo_get_modifier)
   GET(bo_map)
   GET(bo_unmap)
#undef GET
   return true;
}

static uint32_t
pixel(unsigned x, unsigned y, unsigned round)
{
   return x * 2654435761u ^ y * 40503u << 8 ^ round * 0x01010101u;
}

static void
fill(struct gbm_bo *bo, unsigned round)
{
   void *data = NULL;
   uint32_t stride_B;
   uint8_t *p =
      gbm.bo_map(bo, 0, 0, WIDTH, HEIGHT, TRANSFER_WRITE, &stride_B, &data);
   assert_non_null(p);
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++)
         ((uint32_t *)(p + y * stride_B))[x] = pixel(x, y, round);
   }
   gbm.bo_unmap(bo, data);
}

static void
check(struct gbm_bo *bo, unsigned round)
{
   void *data = NULL;
   uint32_t stride_B;
   const uint8_t *p =
      gbm.bo_map(bo, 0, 0, WIDTH, HEIGHT, TRANSFER_READ, &stride_B, &data);
   assert_non_null(p);
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++)
         assert_int_equal(((const uint32_t *)(p + y * stride_B))[x],
                          pixel(x, y, round));
   }
   gbm.bo_unmap(bo, data);
}

static int
open_device(struct gbm_device **device)
{
   const char *path = getenv("SAFFRON_TEST_NODE");
   const int fd = open(path, O_RDWR | O_CLOEXEC);
   *device = fd >= 0 ? gbm.create_device(fd) : NULL;
   return fd;
}

/* The compositor: reads, and writes back. */
static int
other(int socket)
{
   struct gbm_device *device;
   const int fd = open_device(&device);
   struct import_data data = {
      .width = WIDTH,
      .height = HEIGHT,
      .format = DRM_FORMAT_XRGB8888,
      .num_fds = 1,
   };
   assert_non_null(device);
   for (int round; (round = receive_fd(socket, &data.fds[0])) >= 0;) {
      int none;
      data.strides[0] = receive_fd(socket, &none);
      data.modifier = (uint64_t)(uint32_t)receive_fd(socket, &none) << 32;
      data.modifier |= (uint32_t)receive_fd(socket, &none);
      struct gbm_bo *bo =
         gbm.bo_import(device, IMPORT_FD_MODIFIER, &data, USE_RENDERING);
      assert_non_null(bo);
      check(bo, (unsigned)round);
      fill(bo, (unsigned)round + 100);
      send_fd(socket, round, -1);
      gbm.bo_destroy(bo);
      close(data.fds[0]);
   }
   gbm.device_destroy(device);
   close(fd);
   return 0;
}

static void
exchange(struct gbm_device *device, int socket, uint32_t usage, int round)
{
   int none;
   struct gbm_bo *bo =
      gbm.bo_create(device, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, usage);
   assert_non_null(bo);
   const uint32_t stride_B = gbm.bo_get_stride(bo);
   const uint64_t modifier = gbm.bo_get_modifier(bo);
   assert_true(stride_B >= WIDTH * 4);
   if (usage & USE_LINEAR)
      assert_int_equal(modifier, DRM_FORMAT_MOD_LINEAR);
   fill(bo, (unsigned)round);
   check(bo, (unsigned)round);
   const int fd = gbm.bo_get_fd(bo);
   assert_true(fd >= 0);
   if (usage & USE_LINEAR) {
      /* What is in memory is what was written. */
      const uint8_t *p =
         mmap(NULL, stride_B * HEIGHT, PROT_READ, MAP_SHARED, fd, 0);
      assert_true(p != MAP_FAILED);
      assert_int_equal(((const uint32_t *)(p + 3 * stride_B))[5],
                       pixel(5, 3, (unsigned)round));
   }
   send_fd(socket, round, fd);
   send_fd(socket, (int)stride_B, -1);
   send_fd(socket, (int)(modifier >> 32), -1);
   send_fd(socket, (int)(uint32_t)modifier, -1);
   assert_int_equal(receive_fd(socket, &none), round);
   check(bo, (unsigned)round + 100);
   close(fd);
   gbm.bo_destroy(bo);
}

static void
test_exchange(void **state)
{
   struct gbm_device *device;
   pid_t child;
   const int fd = open_device(&device);
   const int socket = start_other("other", &child);
   exchange(device, socket, USE_RENDERING | USE_LINEAR, 1);
   exchange(device, socket, USE_RENDERING, 2);
   exchange(device, socket, USE_RENDERING, 3);
   send_fd(socket, -1, -1);
   finish_other(socket, child);
   gbm.device_destroy(device);
   close(fd);
}

/* The node of the shim: the last one, as the host's come first. */
static bool
find_node(void)
{
   drmDevicePtr devices[16];
   const int n = drmGetDevices2(0, devices, 16);
   bool found = false;
   for (int i = 0; i < n; i++) {
      if (devices[i]->available_nodes & 1 << DRM_NODE_RENDER) {
         setenv("SAFFRON_TEST_NODE", devices[i]->nodes[DRM_NODE_RENDER], 1);
         found = true;
      }
   }
   if (n > 0)
      drmFreeDevices(devices, n);
   return found;
}

int
main(int argc, char **argv)
{
   struct gbm_device *device;
   if (!load())
      return 77;
   if (argc == 3)
      return other(atoi(argv[2]));
   if (!find_node())
      return 1;
   const int fd = open_device(&device);
   if (!device)
      return 77;
   gbm.device_destroy(device);
   close(fd);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exchange),
   };
   return cmocka_run_group_tests_name("gbm", tests, NULL, NULL);
}
