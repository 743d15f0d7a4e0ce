/* SPDX-License-Identifier: MIT */
/*
 * The i915 device of the shim: a PCI device as sysfs shows it, and the nodes,
 * a primary and a render node, that the simulated GPU answers.
 *
 * SAFFRON_DEVICE=sim:GEN names the generation. In a process that has the
 * shim, SAFFRON_DEVICE is the node's path from then on, so that the driver of
 * this tree finds it, too, and SAFFRON_SHIM_DEVICE keeps the generation for
 * other processes. The GPU is created when the node is first opened, and
 * lives as long as one of its files: a process that only has the library
 * loaded has names and no GPU.
 *
 * What libdrm and Mesa read: /dev/dri (drmGetDevices2), the links and files
 * of /sys/dev/char/226:N/device, and the configuration space for devices
 * whose separate files are too old. Names:
 * Documentation/ABI/testing/sysfs-bus-pci.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "drm-shim/drm_shim.h"
#include "intel/dev/intel_device_info.h"
#include "saffron/sim.h"
#include "util/environment.h"
#include "util/macros.h"

#define FIRST_RENDER_MINOR 128
#define NUM_MINORS 64 /* of each type of node */
#define PATH_B 256
#define SUBSYSTEM_VENDOR 0x8086
#define SUBSYSTEM_DEVICE 0x2212

/* Stands for the device of the primary node. */
static char primary;

static struct {
   pthread_mutex_t lock;
   char gen[16];
   struct saffron_sim *sim;
   unsigned files;
   bool fork_handlers;
} gpu = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
before_fork(void)
{
   pthread_mutex_lock(&gpu.lock);
}

static void
after_fork(void)
{
   pthread_mutex_unlock(&gpu.lock);
}

static void *
i915_open(void *device)
{
   pthread_mutex_lock(&gpu.lock);
   if (!gpu.sim)
      gpu.sim = saffron_sim_create(gpu.gen);
   if (!gpu.fork_handlers)
      /* After the simulator's: its locks are inside ours. */
      gpu.fork_handlers =
         !pthread_atfork(before_fork, after_fork, after_fork);
   struct saffron_sim_file *file = NULL;
   if (gpu.sim)
      file = device == &primary ? saffron_sim_open_primary(gpu.sim)
                                : saffron_sim_open(gpu.sim);
   gpu.files += file != NULL;
   pthread_mutex_unlock(&gpu.lock);
   return file;
}

static void
i915_close(void *file)
{
   pthread_mutex_lock(&gpu.lock);
   saffron_sim_close(file);
   if (--gpu.files == 0) {
      saffron_sim_destroy(gpu.sim);
      gpu.sim = NULL;
   }
   pthread_mutex_unlock(&gpu.lock);
}

static int
i915_ioctl(void *file, unsigned long request, void *arg)
{
   return saffron_sim_ioctl(file, request, arg);
}

static void *
i915_mmap(void *file, void *addr, size_t length, int prot, int flags,
          uint64_t offset, int *error)
{
   return saffron_sim_mmap(file, addr, length, prot, flags, offset, error);
}

static const struct drm_shim_ops i915_ops = {
   .open = i915_open,
   .close = i915_close,
   .ioctl = i915_ioctl,
   .mmap = i915_mmap,
};

static const struct drm_shim_fd_ops fd_ops = {
   .ioctl = saffron_sim_fd_ioctl,
   .size = saffron_sim_fd_size,
   .poll = saffron_sim_fd_poll,
};

static void
put_le16(uint8_t *p, unsigned v)
{
   p[0] = (uint8_t)v;
   p[1] = (uint8_t)(v >> 8);
}

__attribute__((format(printf, 2, 3))) static const char *
print(char out[PATH_B], const char *format, ...)
{
   va_list args;
   va_start(args, format);
   const int n = vsnprintf(out, PATH_B, format, args);
   va_end(args);
   if (n < 0 || n >= PATH_B)
      abort();
   return out;
}

/* The PCI configuration header, type 0 (PCI 3.0, section 6.1). */
static void
add_config(const char *path, const struct intel_device_info *info)
{
   uint8_t config[64] = { 0 };
   put_le16(config + 0x00, 0x8086);
   put_le16(config + 0x02, info->pci_id);
   config[0x08] = (uint8_t)info->revision;
   put_le16(config + 0x0a, 0x0300); /* display, VGA */
   put_le16(config + 0x2c, SUBSYSTEM_VENDOR);
   put_le16(config + 0x2e, SUBSYSTEM_DEVICE);
   drm_shim_add_file(path, config, sizeof(config));
}

static void
add_pci_device(const char *device, const char *slot,
               const struct intel_device_info *info)
{
   char path[PATH_B];
#define PATH(name) print(path, "%s/%s", device, name)
   drm_shim_add_text(PATH("vendor"), "0x8086\n");
   drm_shim_add_text(PATH("device"), "0x%04x\n", info->pci_id);
   drm_shim_add_text(PATH("subsystem_vendor"), "0x%04x\n", SUBSYSTEM_VENDOR);
   drm_shim_add_text(PATH("subsystem_device"), "0x%04x\n", SUBSYSTEM_DEVICE);
   drm_shim_add_text(PATH("revision"), "0x%02x\n", info->revision);
   drm_shim_add_text(PATH("class"), "0x030000\n");
   drm_shim_add_text(PATH("uevent"),
                     "DRIVER=i915\nPCI_CLASS=30000\nPCI_ID=8086:%04X\n"
                     "PCI_SUBSYS_ID=%04X:%04X\nPCI_SLOT_NAME=%s\n",
                     info->pci_id, SUBSYSTEM_VENDOR, SUBSYSTEM_DEVICE, slot);
   add_config(PATH("config"), info);
   drm_shim_add_link(PATH("subsystem"), "../../../bus/pci");
   drm_shim_add_link(PATH("driver"), "../../../bus/pci/drivers/i915");
#undef PATH
   drm_shim_add_dir("/sys/bus/pci/drivers/i915");
   print(path, "/sys/bus/pci/devices/%s", slot);
   char target[PATH_B];
   print(target, "../../../devices/pci0000:00/%s", slot);
   drm_shim_add_link(path, target);
}

/* The first minor of a type of node that the host does not use. */
static unsigned
free_minor(const char *type, unsigned first)
{
   char path[PATH_B];
   for (unsigned minor = first; minor < first + NUM_MINORS; minor++) {
      print(path, "/dev/dri/%s%u", type, minor);
      if (!drm_shim_host_has(path))
         return minor;
   }
   return first; /* then ours stands in front of it */
}

static void
add_node(const char *device, const char *type, unsigned minor, void *which)
{
   char path[PATH_B], target[PATH_B];
   print(path, "/dev/dri/%s%u", type, minor);
   drm_shim_add_node(path, minor, &i915_ops, which);

   char node[PATH_B];
   print(node, "%s/drm/%s%u", device, type, minor);
   print(path, "%s/dev", node);
   drm_shim_add_text(path, "%u:%u\n", DRM_SHIM_MAJOR, minor);
   print(path, "%s/uevent", node);
   drm_shim_add_text(path,
                     "MAJOR=%u\nMINOR=%u\nDEVNAME=dri/%s%u\n"
                     "DEVTYPE=drm_minor\n",
                     DRM_SHIM_MAJOR, minor, type, minor);
   print(path, "%s/device", node);
   drm_shim_add_link(path, "../..");
   print(path, "%s/subsystem", node);
   drm_shim_add_link(path, "/sys/class/drm");

   print(path, "/sys/dev/char/%u:%u", DRM_SHIM_MAJOR, minor);
   print(target, "../..%s", node + strlen("/sys"));
   drm_shim_add_link(path, target);
   print(path, "/sys/class/drm/%s%u", type, minor);
   drm_shim_add_link(path, target);
}

/* What i915 shows there once work has hung: the simulator's file. */
static void
add_error_state(const char *device, unsigned minor)
{
   const char *file = environment_get("SAFFRON_SIM_ERROR_STATE");
   char path[PATH_B];
   print(path, "%s/drm/card%u/error", device, minor);
   static const char none[] = "No error state collected\n";
   if (file && file[0] == '/')
      drm_shim_add_host_file(path, file, none);
   else
      drm_shim_add_text(path, "%s", none);
}

/* The host's devices keep their names: the first minor and the first PCI
 * slot that it does not use are ours. */
void
drm_shim_backend_init(void)
{
   const char *inherited = environment_get("SAFFRON_SHIM_DEVICE");
   const char *device_name = inherited ? inherited
                                       : environment_get("SAFFRON_DEVICE");
   const char *chip = device_name && !strncmp(device_name, "sim:", 4)
                         ? device_name + 4
                         : "skl";
   const struct intel_device_info *info = intel_device_info_by_name(chip);
   if (!info || strlen(chip) >= sizeof(gpu.gen))
      return; /* no such device: nothing appears */
   strcpy(gpu.gen, chip);

#ifndef NDEBUG
   const char *deviation = environment_get("SAFFRON_SHIM_DEVIATE");
   if (deviation && *deviation && !saffron_sim_deviate(deviation)) {
      fprintf(stderr,
              "saffron: SAFFRON_SHIM_DEVIATE=%s: there is no such "
              "place\n",
              deviation);
      return;
   }
#endif

   char path[PATH_B], slot[PATH_B];
   unsigned number = 2;
   do {
      print(slot, "0000:00:%02x.0", number++);
      print(path, "/sys/devices/pci0000:00/%s", slot);
   } while (drm_shim_host_has(path));
   const char *device = path;
   add_pci_device(device, slot, info);
   const unsigned card = free_minor("card", 0);
   add_node(device, "card", card, &primary);
   add_error_state(device, card);
   const unsigned minor = free_minor("renderD", FIRST_RENDER_MINOR);
   add_node(device, "renderD", minor, NULL);
   drm_shim_set_fd_ops(&fd_ops);
   if (inherited)
      return;
   char value[PATH_B];
   print(value, "sim:%s", gpu.gen);
   setenv("SAFFRON_SHIM_DEVICE", value, 1);
   print(value, "/dev/dri/renderD%u", minor);
   setenv("SAFFRON_DEVICE", value, 1);
}

/* Before a program, or a driver in it, looks at the environment. */
static void __attribute__((constructor)) announce(void)
{
   drm_shim_init();
}
