/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <dlfcn.h>
#include <string.h>

#include "util/macros.h"

#define MAX_CODE_B (4u << 20)
#define MAX_EXTENSIONS 512

bool
device_has_extension(struct device *d, const char *name)
{
   static VkExtensionProperties list[MAX_EXTENSIONS];
   uint32_t count = MAX_EXTENSIONS;
   if (d->EnumerateDeviceExtensionProperties(d->pdev, NULL, &count, list) < 0)
      return false;
   for (uint32_t i = 0; i < count; i++) {
      if (!strcmp(list[i].extensionName, name))
         return true;
   }
   return false;
}

static bool
make_device(struct device *d)
{
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueCount = 1,
      .pQueuePriorities = &priority,
   };
   static const char *const wanted[] = {
      "VK_EXT_robustness2",
      "VK_KHR_shader_terminate_invocation",
   };
   const char *extensions[ARRAY_SIZE(wanted)];
   uint32_t count = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(wanted); i++) {
      if (device_has_extension(d, wanted[i]))
         extensions[count++] = wanted[i];
   }
   VkPhysicalDeviceShaderTerminateInvocationFeatures terminate = {
      .sType =
         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES,
   };
   VkPhysicalDeviceRobustness2FeaturesEXT robust = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
      .pNext = &terminate,
   };
   VkPhysicalDeviceVulkan12Features v12 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      .pNext = &robust,
   };
   VkPhysicalDeviceVulkan11Features v11 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
      .pNext = &v12,
   };
   VkPhysicalDeviceFeatures2 features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
      .pNext = &v11,
   };
   d->GetPhysicalDeviceFeatures2(d->pdev, &features);
   const VkDeviceCreateInfo device = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = &features,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = count,
      .ppEnabledExtensionNames = extensions,
   };
   TRY(d->CreateDevice(d->pdev, &device, NULL, &d->device));
   d->GetDeviceQueue(d->device, 0, 0, &d->queue);
   return true;
}

bool
device_open(struct device *d, const char *path)
{
   void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
   if (!library) {
      printf("error %s\n", dlerror());
      return false;
   }
   const PFN_vkGetInstanceProcAddr get =
      (PFN_vkGetInstanceProcAddr)dlsym(library, "vk_icdGetInstanceProcAddr");
   const VkApplicationInfo app = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
      .apiVersion = VK_API_VERSION_1_2,
   };
   const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pApplicationInfo = &app,
   };
   TRY(((PFN_vkCreateInstance)get(NULL, "vkCreateInstance"))(&info, NULL,
                                                             &d->instance));
#define GET(name) d->name = (PFN_vk##name)get(d->instance, "vk" #name);
   DEVICE_FUNCTIONS(GET)
   uint32_t one = 1;
   const VkResult found =
      d->EnumeratePhysicalDevices(d->instance, &one, &d->pdev);
   if (found < 0 || !one) {
      printf("error no physical device: %d\n", found);
      return false;
   }
   return make_device(d);
}

bool
device_allocate(struct device *d, const VkMemoryRequirements *need,
                VkDeviceMemory *memory)
{
   const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                        VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   VkPhysicalDeviceMemoryProperties types;
   d->GetPhysicalDeviceMemoryProperties(d->pdev, &types);
   uint32_t type = 0;
   while (type < types.memoryTypeCount &&
          (!(need->memoryTypeBits >> type & 1) ||
           (types.memoryTypes[type].propertyFlags & wanted) != wanted))
      type++;
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = need->size,
      .memoryTypeIndex = type,
   };
   TRY(d->AllocateMemory(d->device, &info, NULL, memory));
   return true;
}

bool
device_read_module(struct device *d, const char *path, VkShaderModule *module)
{
   static uint32_t code[MAX_CODE_B / 4];
   FILE *in = fopen(path, "rb");
   const size_t size_B = in ? fread(code, 1, sizeof(code), in) : 0;
   if (in)
      fclose(in);
   const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .codeSize = size_B,
      .pCode = code,
   };
   TRY(d->CreateShaderModule(d->device, &info, NULL, module));
   return true;
}
