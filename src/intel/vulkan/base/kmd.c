/* SPDX-License-Identifier: MIT */
/*
 * Problem: the same driver must run on a render node of a real kernel and on
 * the simulated GPU, and must not be able to tell them apart.
 *
 * Method: one table of the things that a node can do (ioctl, mmap, munmap,
 * close, tell a dma-buf's size), filled with libdrm's or with the
 * simulator's.
 *
 * The simulated GPUs of a process are kept by name while any file of theirs
 * is open: two VkInstances see one GPU, as they would with a kernel.
 */
#include "kmd.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <i915_drm.h>
#include <xf86drm.h>

#include "intel/dev/intel_device_info.h"
#include "saffron/sim.h"
#include "util/environment.h"

struct kmd_ops {
   int (*ioctl)(struct kmd *kmd, unsigned long request, void *arg);
   void *(*mmap)(struct kmd *kmd, size_t size_B, uint64_t offset);
   void (*munmap)(struct kmd *kmd, void *map, size_t size_B);
   void (*close)(struct kmd *kmd);
   int64_t (*dma_buf_size_B)(int fd);
   void (*mark)(struct kmd *kmd, const char *text); /* NULL: nowhere */
};

#define MAX_REPORTS 32

struct kmd_sim_gpu {
   struct kmd_sim_gpu *next;
   struct saffron_sim *sim;
   unsigned files;
   pthread_mutex_t mutex;
   char *reports[MAX_REPORTS]; /* the last ones: number modulo MAX_REPORTS */
   unsigned report_count;      /* of all */
};

struct kmd {
   const struct kmd_ops *ops;
   char *name;
   int fd;
   struct saffron_sim_file *file;
   struct kmd_sim_gpu *gpu;
   unsigned first_report; /* since this was opened */
};

static pthread_mutex_t gpus_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct kmd_sim_gpu *gpus;

/* Also where they go without us. */
static void
keep_report(void *data, const char *line)
{
   struct kmd_sim_gpu *gpu = data;
   fprintf(stderr, "saffron-sim: %s\n", line);
   pthread_mutex_lock(&gpu->mutex);
   char **slot = &gpu->reports[gpu->report_count++ % MAX_REPORTS];
   free(*slot);
   *slot = strdup(line);
   pthread_mutex_unlock(&gpu->mutex);
}

static struct kmd_sim_gpu *
sim_gpu_create(const char *gen)
{
   struct kmd_sim_gpu *gpu = calloc(1, sizeof(*gpu));
   if (!gpu)
      return NULL;
   gpu->sim = saffron_sim_create(gen);
   if (!gpu->sim) {
      free(gpu);
      return NULL;
   }
   pthread_mutex_init(&gpu->mutex, NULL);
   saffron_sim_set_report(gpu->sim, keep_report, gpu);
   return gpu;
}

static struct kmd_sim_gpu *
sim_gpu_get(const char *gen)
{
   /* A device may have two names. */
   const struct intel_device_info *info = intel_device_info_by_name(gen);
   if (!info)
      return NULL;
   gen = info->name;
   pthread_mutex_lock(&gpus_mutex);
   struct kmd_sim_gpu *gpu = gpus;
   while (gpu && strcmp(saffron_sim_gen(gpu->sim), gen))
      gpu = gpu->next;
   if (!gpu) {
      gpu = sim_gpu_create(gen);
      if (gpu) {
         gpu->next = gpus;
         gpus = gpu;
      }
   }
   if (gpu)
      gpu->files++;
   pthread_mutex_unlock(&gpus_mutex);
   return gpu;
}

static void
sim_gpu_put(struct kmd_sim_gpu *gpu)
{
   pthread_mutex_lock(&gpus_mutex);
   if (--gpu->files == 0) {
      struct kmd_sim_gpu **link = &gpus;
      while (*link != gpu)
         link = &(*link)->next;
      *link = gpu->next;
      saffron_sim_destroy(gpu->sim);
      for (unsigned i = 0; i < MAX_REPORTS; i++)
         free(gpu->reports[i]);
      pthread_mutex_destroy(&gpu->mutex);
      free(gpu);
   }
   pthread_mutex_unlock(&gpus_mutex);
}

static int
sim_ioctl(struct kmd *kmd, unsigned long request, void *arg)
{
   const int ret = saffron_sim_ioctl(kmd->file, request, arg);
   return ret < 0 ? ret : 0;
}

static void *
sim_mmap(struct kmd *kmd, size_t size_B, uint64_t offset)
{
   int error;
   void *map = saffron_sim_mmap(kmd->file, NULL, size_B,
                                PROT_READ | PROT_WRITE, MAP_SHARED, offset,
                                &error);
   return map == MAP_FAILED ? NULL : map;
}

static void
sim_munmap(struct kmd *kmd, void *map, size_t size_B)
{
   saffron_sim_munmap(kmd->file, map, size_B);
}

static void
sim_close(struct kmd *kmd)
{
   saffron_sim_close(kmd->file);
   sim_gpu_put(kmd->gpu);
}

static void
sim_mark(struct kmd *kmd, const char *text)
{
   saffron_sim_mark(kmd->gpu->sim, text);
}

static const struct kmd_ops sim_ops = {
   .ioctl = sim_ioctl,
   .mmap = sim_mmap,
   .munmap = sim_munmap,
   .close = sim_close,
   .dma_buf_size_B = saffron_sim_fd_size,
   .mark = sim_mark,
};

static int
node_ioctl(struct kmd *kmd, unsigned long request, void *arg)
{
   return drmIoctl(kmd->fd, request, arg) ? -errno : 0;
}

static void *
node_mmap(struct kmd *kmd, size_t size_B, uint64_t offset)
{
   void *map = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, kmd->fd,
                    (off_t)offset);
   return map == MAP_FAILED ? NULL : map;
}

static void
node_munmap(struct kmd *kmd, void *map, size_t size_B)
{
   munmap(map, size_B);
}

static void
node_close(struct kmd *kmd)
{
   close(kmd->fd);
}

static int64_t
node_dma_buf_size_B(int fd)
{
   return lseek(fd, 0, SEEK_END);
}

static const struct kmd_ops node_ops = {
   .ioctl = node_ioctl,
   .mmap = node_mmap,
   .munmap = node_munmap,
   .close = node_close,
   .dma_buf_size_B = node_dma_buf_size_B,
};

static bool
kmd_open_sim(struct kmd *kmd, const char *gen)
{
   kmd->gpu = sim_gpu_get(gen);
   if (!kmd->gpu) {
      fprintf(stderr, "saffron: SAFFRON_DEVICE: the simulator has no '%s'\n",
              gen);
      return false;
   }
   kmd->file = saffron_sim_open(kmd->gpu->sim);
   if (!kmd->file) {
      sim_gpu_put(kmd->gpu);
      return false;
   }
   pthread_mutex_lock(&kmd->gpu->mutex);
   kmd->first_report = kmd->gpu->report_count;
   pthread_mutex_unlock(&kmd->gpu->mutex);
   kmd->ops = &sim_ops;
   return true;
}

/* NULL, or why it is none that we take. */
static const char *
try_node(struct kmd *kmd, const char *path)
{
   kmd->fd = open(path, O_RDWR | O_CLOEXEC);
   if (kmd->fd < 0)
      return strerror(errno);
   drmVersionPtr version = drmGetVersion(kmd->fd);
   const bool is_i915 = version && !strcmp(version->name, "i915");
   drmFreeVersion(version);
   if (!is_i915) {
      close(kmd->fd);
      return "not a device of the i915 driver";
   }
   kmd->ops = &node_ops;
   return NULL;
}

static bool
kmd_open_node(struct kmd *kmd, const char *path)
{
   const char *why = try_node(kmd, path);
   if (why)
      fprintf(stderr, "saffron: %s: %s\n", path, why);
   return !why;
}

/* Render nodes have these minors (the kernel's drm_minor_alloc()). */
#define FIRST_RENDER_MINOR 128
#define LAST_RENDER_MINOR 191

/* The first of the host that is ours; none is no error. */
static bool
kmd_find_node(struct kmd *kmd)
{
   for (unsigned i = FIRST_RENDER_MINOR; i <= LAST_RENDER_MINOR; i++) {
      char path[32];
      snprintf(path, sizeof(path), "/dev/dri/renderD%u", i);
      if (try_node(kmd, path))
         continue;
      kmd->name = strdup(path);
      if (kmd->name)
         return true;
      close(kmd->fd);
   }
   return false;
}

static bool
kmd_open_name(struct kmd *kmd, const char *name)
{
   kmd->name = strdup(name);
   if (!kmd->name) {
      errno = ENOMEM;
      return false;
   }
   return !strncmp(name, "sim:", 4) ? kmd_open_sim(kmd, name + 4)
                                    : kmd_open_node(kmd, name);
}

struct kmd *
kmd_open(void)
{
   const char *name = environment_get("SAFFRON_DEVICE");
   struct kmd *kmd = calloc(1, sizeof(*kmd));
   if (!kmd)
      return NULL;
   kmd->fd = -1;
   if (!(name && *name ? kmd_open_name(kmd, name) : kmd_find_node(kmd))) {
      free(kmd->name);
      free(kmd);
      return NULL;
   }
   return kmd;
}

void
kmd_close(struct kmd *kmd)
{
   if (!kmd)
      return;
   kmd->ops->close(kmd);
   free(kmd->name);
   free(kmd);
}

bool
kmd_report(struct kmd *kmd, unsigned i, char *out, size_t size_B)
{
   struct kmd_sim_gpu *gpu = kmd->gpu;
   if (!gpu)
      return false;
   pthread_mutex_lock(&gpu->mutex);
   unsigned first = kmd->first_report;
   if (gpu->report_count - first > MAX_REPORTS)
      first = gpu->report_count - MAX_REPORTS;
   const bool there = i < gpu->report_count - first;
   const char *line = there ? gpu->reports[(first + i) % MAX_REPORTS] : NULL;
   if (there)
      snprintf(out, size_B, "%s", line ? line : "");
   pthread_mutex_unlock(&gpu->mutex);
   return there;
}

int
kmd_ioctl(struct kmd *kmd, unsigned long request, void *arg)
{
   return kmd->ops->ioctl(kmd, request, arg);
}

void *
kmd_mmap(struct kmd *kmd, size_t size_B, uint64_t offset)
{
   return kmd->ops->mmap(kmd, size_B, offset);
}

void
kmd_munmap(struct kmd *kmd, void *map, size_t size_B)
{
   kmd->ops->munmap(kmd, map, size_B);
}

int64_t
kmd_dma_buf_size_B(struct kmd *kmd, int fd)
{
   return kmd->ops->dma_buf_size_B(fd);
}

void
kmd_mark(struct kmd *kmd, const char *text)
{
   if (kmd->ops->mark)
      kmd->ops->mark(kmd, text);
}

int
kmd_getparam(struct kmd *kmd, int param, int fallback)
{
   int value = fallback;
   struct drm_i915_getparam gp = { .param = param, .value = &value };
   return kmd_ioctl(kmd, DRM_IOCTL_I915_GETPARAM, &gp) ? fallback : value;
}

static bool
node_numbers(const char *path, uint32_t *major_out, uint32_t *minor_out)
{
   struct stat st;
   if (stat(path, &st) || !S_ISCHR(st.st_mode))
      return false;
   *major_out = major(st.st_rdev);
   *minor_out = minor(st.st_rdev);
   return true;
}

/* Graphics of these processors are function 0 of device 2 on bus 0 (SKL PRM
 * Vol. 2c, "PCI Configuration"), those of the simulated GPU as well. */
struct kmd_place
kmd_place(const struct kmd *kmd)
{
   struct kmd_place place = { .device = 2 };
   drmDevicePtr drm;
   if (kmd->file || drmGetDevice2(kmd->fd, 0, &drm))
      return place;
   if (drm->available_nodes & 1 << DRM_NODE_PRIMARY)
      place.has_primary = node_numbers(drm->nodes[DRM_NODE_PRIMARY],
                                       &place.primary_major,
                                       &place.primary_minor);
   if (drm->available_nodes & 1 << DRM_NODE_RENDER)
      place.has_render = node_numbers(drm->nodes[DRM_NODE_RENDER],
                                      &place.render_major,
                                      &place.render_minor);
   if (drm->bustype == DRM_BUS_PCI) {
      place.domain = drm->businfo.pci->domain;
      place.bus = drm->businfo.pci->bus;
      place.device = drm->businfo.pci->dev;
      place.function = drm->businfo.pci->func;
   }
   drmFreeDevice(&drm);
   return place;
}

const char *
kmd_name(const struct kmd *kmd)
{
   return kmd->name;
}
