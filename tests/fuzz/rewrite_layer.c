/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan layer that gives every shader module another form (rewrites.py).
 *
 * The stream socket that REWRITE_SOCKET names takes the number of a module's
 * bytes (uint32_t) and the bytes, and answers alike. Without it, or without
 * an answer, modules stay as they are.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>

#define MAX_LINKS 64
#define MAX_MODULE_B (1u << 26)

/* What is below an instance or a device. */
struct link {
   void *handle;
   union {
      PFN_vkGetInstanceProcAddr instance;
      PFN_vkGetDeviceProcAddr device;
   } get;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct link links[MAX_LINKS];

/* A free one: `handle` is NULL. */
static struct link
link_of(const void *handle)
{
   struct link found = { 0 };

   pthread_mutex_lock(&mutex);
   for (unsigned i = 0; i < MAX_LINKS && !found.handle; i++) {
      if (links[i].handle == handle)
         found = links[i];
   }
   pthread_mutex_unlock(&mutex);
   return found;
}

/* Puts `now` in place of that of `handle`; NULL: of a free one. */
static bool
set_link(const void *handle, struct link now)
{
   bool done = false;

   pthread_mutex_lock(&mutex);
   for (unsigned i = 0; i < MAX_LINKS && !done; i++) {
      done = links[i].handle == handle;
      if (done)
         links[i] = now;
   }
   pthread_mutex_unlock(&mutex);
   return done;
}

/* ---- modules ---- */

static bool
transfer(int fd, void *data, size_t size_B, bool writes)
{
   for (size_t done_B = 0; done_B < size_B;) {
      char *at = (char *)data + done_B;
      const ssize_t n = writes ? send(fd, at, size_B - done_B, MSG_NOSIGNAL)
                               : recv(fd, at, size_B - done_B, 0);
      if (n <= 0)
         return false;
      done_B += (size_t)n;
   }
   return true;
}

/* The other form of `code`, to be freed; NULL: there is none. */
static uint32_t *
ask(int fd, const uint32_t *code, uint32_t size_B, uint32_t *new_B)
{
   uint32_t *form = NULL;

   if (transfer(fd, &size_B, sizeof(size_B), true) &&
       transfer(fd, (void *)(uintptr_t)code, size_B, true) &&
       transfer(fd, new_B, sizeof(*new_B), false) && *new_B <= MAX_MODULE_B)
      form = malloc(*new_B);
   if (form && !transfer(fd, form, *new_B, false)) {
      free(form);
      form = NULL;
   }
   return form;
}

static uint32_t *
other_form(const VkShaderModuleCreateInfo *info, uint32_t *new_B)
{
   struct sockaddr_un name = { .sun_family = AF_UNIX };
   const char *path = getenv("REWRITE_SOCKET");
   uint32_t *form = NULL;

   if (!path || strlen(path) >= sizeof(name.sun_path) ||
       info->codeSize > MAX_MODULE_B)
      return NULL;
   strcpy(name.sun_path, path);
   const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
   if (fd < 0)
      return NULL;
   if (connect(fd, (const struct sockaddr *)&name, sizeof(name)) == 0)
      form = ask(fd, info->pCode, (uint32_t)info->codeSize, new_B);
   close(fd);
   return form;
}

static VkResult
create_shader_module(VkDevice device, const VkShaderModuleCreateInfo *info,
                     const VkAllocationCallbacks *allocator,
                     VkShaderModule *module)
{
   const PFN_vkCreateShaderModule next =
      (PFN_vkCreateShaderModule)link_of(device).get.device(
         device, "vkCreateShaderModule");
   VkShaderModuleCreateInfo now = *info;
   uint32_t new_B = 0;
   uint32_t *form = other_form(info, &new_B);

   if (form) {
      now.pCode = form;
      now.codeSize = new_B;
   }
   const VkResult result = next(device, &now, allocator, module);
   free(form);
   return result;
}

/* ---- instances and devices ---- */

static VkResult
create_instance(const VkInstanceCreateInfo *info,
                const VkAllocationCallbacks *allocator, VkInstance *instance)
{
   VkLayerInstanceCreateInfo *link =
      (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;
   while (link &&
          (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO))
      link = (VkLayerInstanceCreateInfo *)(uintptr_t)link->pNext;
   if (!link)
      return VK_ERROR_INITIALIZATION_FAILED;
   const PFN_vkGetInstanceProcAddr get =
      link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
   link->u.pLayerInfo = link->u.pLayerInfo->pNext;
   const PFN_vkCreateInstance next =
      (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
   const VkResult result = next(info, allocator, instance);
   if (result == VK_SUCCESS &&
       !set_link(NULL, (struct link) { *instance, { .instance = get } }))
      return VK_ERROR_INITIALIZATION_FAILED;
   return result;
}

static void
destroy_instance(VkInstance instance, const VkAllocationCallbacks *allocator)
{
   if (!instance)
      return;
   const PFN_vkDestroyInstance next =
      (PFN_vkDestroyInstance)link_of(instance).get.instance(
         instance, "vkDestroyInstance");
   set_link(instance, (struct link) { 0 });
   next(instance, allocator);
}

static VkResult
create_device(VkPhysicalDevice gpu, const VkDeviceCreateInfo *info,
              const VkAllocationCallbacks *allocator, VkDevice *device)
{
   VkLayerDeviceCreateInfo *link =
      (VkLayerDeviceCreateInfo *)(uintptr_t)info->pNext;
   while (link &&
          (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO))
      link = (VkLayerDeviceCreateInfo *)(uintptr_t)link->pNext;
   if (!link)
      return VK_ERROR_INITIALIZATION_FAILED;
   const PFN_vkGetInstanceProcAddr get_instance =
      link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
   const PFN_vkGetDeviceProcAddr get =
      link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
   link->u.pLayerInfo = link->u.pLayerInfo->pNext;
   const PFN_vkCreateDevice next =
      (PFN_vkCreateDevice)get_instance(NULL, "vkCreateDevice");
   const VkResult result = next(gpu, info, allocator, device);
   if (result == VK_SUCCESS &&
       !set_link(NULL, (struct link) { *device, { .device = get } }))
      return VK_ERROR_INITIALIZATION_FAILED;
   return result;
}

static void
destroy_device(VkDevice device, const VkAllocationCallbacks *allocator)
{
   if (!device)
      return;
   const PFN_vkDestroyDevice next =
      (PFN_vkDestroyDevice)link_of(device).get.device(device,
                                                      "vkDestroyDevice");
   set_link(device, (struct link) { 0 });
   next(device, allocator);
}

/* ---- names ---- */

static PFN_vkVoidFunction get_instance_function(VkInstance, const char *);
static PFN_vkVoidFunction get_device_function(VkDevice, const char *);

static const struct {
   const char *name;
   PFN_vkVoidFunction function;
   bool is_of_device;
} own[] = {
   { "vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_function,
     false },
   { "vkCreateInstance", (PFN_vkVoidFunction)create_instance, false },
   { "vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance, false },
   { "vkCreateDevice", (PFN_vkVoidFunction)create_device, false },
   { "vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_function, true },
   { "vkDestroyDevice", (PFN_vkVoidFunction)destroy_device, true },
   { "vkCreateShaderModule", (PFN_vkVoidFunction)create_shader_module, true },
};

static PFN_vkVoidFunction
own_function(const char *name, bool is_of_device)
{
   for (unsigned i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
      if (!strcmp(own[i].name, name) &&
          (own[i].is_of_device || !is_of_device))
         return own[i].function;
   }
   return NULL;
}

static PFN_vkVoidFunction
get_instance_function(VkInstance instance, const char *name)
{
   const PFN_vkVoidFunction found = own_function(name, false);

   if (found || !instance)
      return found;
   return link_of(instance).get.instance(instance, name);
}

static PFN_vkVoidFunction
get_device_function(VkDevice device, const char *name)
{
   const PFN_vkVoidFunction found = own_function(name, true);

   return found ? found : link_of(device).get.device(device, name);
}

VK_LAYER_EXPORT VkResult
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version)
{
   if (version->loaderLayerInterfaceVersion < 2)
      return VK_ERROR_INITIALIZATION_FAILED;
   version->loaderLayerInterfaceVersion = 2;
   version->pfnGetInstanceProcAddr = get_instance_function;
   version->pfnGetDeviceProcAddr = get_device_function;
   version->pfnGetPhysicalDeviceProcAddr = NULL;
   return VK_SUCCESS;
}
