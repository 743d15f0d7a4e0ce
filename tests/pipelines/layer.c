/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan layer that says how much CPU time a driver takes to make
 * pipelines: SPIR-V to machine code, with nothing of the front end of OpenGL
 * and of drawing in it.
 *
 * Each call is timed by the CPU time of the process, as a driver may compile
 * in a thread of its own; what other threads do meanwhile counts, too, of
 * any driver. Pipeline caches are hidden: each pipeline is made anew. When
 * the process ends, a line goes to stderr:
 *
 *    pipelines: S stages, T ns, M KiB
 *
 * (stages of all pipelines that were made; the largest resident size of the
 * process).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_DEVICES 64

/* The next layer's functions of one device. Handles that may be dispatched
 * begin with a pointer that all of a device share (the loader's interface,
 * LoaderLayerInterface.md, "Dispatch Tables"). */
struct device {
   void *key;
   PFN_vkGetDeviceProcAddr get_proc;
   PFN_vkDestroyDevice destroy;
   PFN_vkCreateShaderModule create_module;
   PFN_vkCreateGraphicsPipelines create_graphics;
   PFN_vkCreateComputePipelines create_compute;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device devices[MAX_DEVICES];
/* Of the last instance: programs here have one at a time. */
static PFN_vkGetInstanceProcAddr next_instance_proc;
static atomic_ullong stages, total_ns;

static void *
key_of(const void *handle)
{
   void *key;

   memcpy(&key, handle, sizeof(key));
   return key;
}

static struct device
find_device(const void *handle)
{
   struct device found = { 0 };

   pthread_mutex_lock(&lock);
   for (unsigned i = 0; i < MAX_DEVICES; i++) {
      if (devices[i].key == key_of(handle))
         found = devices[i];
   }
   pthread_mutex_unlock(&lock);
   return found;
}

static unsigned long long
now_ns(void)
{
   struct timespec t;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (unsigned long long)t.tv_sec * 1000000000ull +
          (unsigned long long)t.tv_nsec;
}

/* getrusage() would count what the process was before it was this program. */
static long
most_resident_KiB(void)
{
   FILE *fp = fopen("/proc/self/status", "r");
   char line[128];
   long kib = 0;

   while (fp && fgets(line, sizeof(line), fp)) {
      if (sscanf(line, "VmHWM: %ld", &kib) == 1)
         break;
   }
   if (fp)
      fclose(fp);
   return kib;
}

__attribute__((destructor)) static void
print(void)
{
   fprintf(stderr, "pipelines: %llu stages, %llu ns, %ld KiB\n",
           (unsigned long long)stages, (unsigned long long)total_ns,
           most_resident_KiB());
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_module(VkDevice dev, const VkShaderModuleCreateInfo *info,
              const VkAllocationCallbacks *alloc, VkShaderModule *module)
{
   const struct device d = find_device(dev);
   const unsigned long long begin = now_ns();
   const VkResult r = d.create_module(dev, info, alloc, module);

   total_ns += now_ns() - begin;
   return r;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_graphics(VkDevice dev, VkPipelineCache cache, uint32_t count,
                const VkGraphicsPipelineCreateInfo *infos,
                const VkAllocationCallbacks *alloc, VkPipeline *pipelines)
{
   const struct device d = find_device(dev);
   const unsigned long long begin = now_ns();
   const VkResult r =
      d.create_graphics(dev, VK_NULL_HANDLE, count, infos, alloc, pipelines);

   (void)cache;
   total_ns += now_ns() - begin;
   for (uint32_t i = 0; i < count; i++) {
      if (pipelines[i])
         stages += infos[i].stageCount;
   }
   return r;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_compute(VkDevice dev, VkPipelineCache cache, uint32_t count,
               const VkComputePipelineCreateInfo *infos,
               const VkAllocationCallbacks *alloc, VkPipeline *pipelines)
{
   const struct device d = find_device(dev);
   const unsigned long long begin = now_ns();
   const VkResult r =
      d.create_compute(dev, VK_NULL_HANDLE, count, infos, alloc, pipelines);

   (void)cache;
   total_ns += now_ns() - begin;
   for (uint32_t i = 0; i < count; i++)
      stages += pipelines[i] != VK_NULL_HANDLE;
   return r;
}

/* The link of a chain that says what comes next; the chain then begins after
 * it. NULL: there is none. */
static VkLayerInstanceCreateInfo *
link_of(const void *chain, VkStructureType type)
{
   VkLayerInstanceCreateInfo *i = (VkLayerInstanceCreateInfo *)chain;

   while (i && (i->sType != type || i->function != VK_LAYER_LINK_INFO))
      i = (VkLayerInstanceCreateInfo *)i->pNext;
   return i;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_instance(const VkInstanceCreateInfo *info,
                const VkAllocationCallbacks *alloc, VkInstance *instance)
{
   VkLayerInstanceCreateInfo *link =
      link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);

   if (!link)
      return VK_ERROR_INITIALIZATION_FAILED;
   next_instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
   link->u.pLayerInfo = link->u.pLayerInfo->pNext;
   PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)next_instance_proc(NULL, "vkCreateInstance");
   return create(info, alloc, instance);
}

static VkResult
remember(VkDevice dev, PFN_vkGetDeviceProcAddr get)
{
   const struct device d = {
      .key = key_of(dev),
      .get_proc = get,
      .destroy = (PFN_vkDestroyDevice)get(dev, "vkDestroyDevice"),
      .create_module =
         (PFN_vkCreateShaderModule)get(dev, "vkCreateShaderModule"),
      .create_graphics =
         (PFN_vkCreateGraphicsPipelines)get(dev, "vkCreateGraphicsPipelines"),
      .create_compute =
         (PFN_vkCreateComputePipelines)get(dev, "vkCreateComputePipelines"),
   };
   VkResult r = VK_ERROR_TOO_MANY_OBJECTS;

   pthread_mutex_lock(&lock);
   for (unsigned i = 0; i < MAX_DEVICES && r != VK_SUCCESS; i++) {
      if (!devices[i].key) {
         devices[i] = d;
         r = VK_SUCCESS;
      }
   }
   pthread_mutex_unlock(&lock);
   if (r != VK_SUCCESS)
      d.destroy(dev, NULL);
   return r;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
              const VkAllocationCallbacks *alloc, VkDevice *dev)
{
   VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)link_of(
      info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);

   if (!link)
      return VK_ERROR_INITIALIZATION_FAILED;
   PFN_vkGetInstanceProcAddr get_instance =
      link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
   PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
   link->u.pLayerInfo = link->u.pLayerInfo->pNext;
   PFN_vkCreateDevice create =
      (PFN_vkCreateDevice)get_instance(NULL, "vkCreateDevice");
   const VkResult r = create(physical, info, alloc, dev);
   return r == VK_SUCCESS ? remember(*dev, get) : r;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_device(VkDevice dev, const VkAllocationCallbacks *alloc)
{
   if (!dev)
      return;
   const struct device d = find_device(dev);

   pthread_mutex_lock(&lock);
   for (unsigned i = 0; i < MAX_DEVICES; i++) {
      if (devices[i].key == d.key)
         devices[i].key = NULL;
   }
   pthread_mutex_unlock(&lock);
   d.destroy(dev, alloc);
}

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vkGetDeviceProcAddr(VkDevice dev, const char *name)
{
   if (!strcmp(name, "vkGetDeviceProcAddr"))
      return (PFN_vkVoidFunction)vkGetDeviceProcAddr;
   if (!strcmp(name, "vkDestroyDevice"))
      return (PFN_vkVoidFunction)destroy_device;
   if (!strcmp(name, "vkCreateShaderModule"))
      return (PFN_vkVoidFunction)create_module;
   if (!strcmp(name, "vkCreateGraphicsPipelines"))
      return (PFN_vkVoidFunction)create_graphics;
   if (!strcmp(name, "vkCreateComputePipelines"))
      return (PFN_vkVoidFunction)create_compute;
   return find_device(dev).get_proc(dev, name);
}

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
   if (!strcmp(name, "vkGetInstanceProcAddr"))
      return (PFN_vkVoidFunction)vkGetInstanceProcAddr;
   if (!strcmp(name, "vkCreateInstance"))
      return (PFN_vkVoidFunction)create_instance;
   if (!strcmp(name, "vkCreateDevice"))
      return (PFN_vkVoidFunction)create_device;
   if (!strcmp(name, "vkGetDeviceProcAddr"))
      return (PFN_vkVoidFunction)vkGetDeviceProcAddr;
   return next_instance_proc ? next_instance_proc(instance, name) : NULL;
}
