/* SPDX-License-Identifier: MIT */
#include "icd.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "hostile_square_comp.h"
#include "util/macros.h"

static VkResult
create_device(struct icd *icd)
{
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueCount = 1,
      .pQueuePriorities = &priority,
   };
   static const char *const extensions[] = {
      VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME,
      VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
      VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
      VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
      VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
      VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
   };
   const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .enabledExtensionCount = ARRAY_SIZE(extensions),
      .ppEnabledExtensionNames = extensions,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
   };
   const VkResult r = icd->CreateDevice(icd->pdev, &info, NULL, &icd->device);
   if (r == VK_SUCCESS)
      icd->GetDeviceQueue(icd->device, 0, 0, &icd->queue);
   return r;
}

const char *
icd_open(struct icd *icd, const char *library)
{
   memset(icd, 0, sizeof(*icd));
   icd->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
   if (!icd->library)
      return dlerror();
   const PFN_vkGetInstanceProcAddr get = (PFN_vkGetInstanceProcAddr)dlsym(
      icd->library, "vk_icdGetInstanceProcAddr");
   const PFN_vkCreateInstance create =
      get ? (PFN_vkCreateInstance)get(NULL, "vkCreateInstance") : NULL;
   const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
   };
   icd->result = create ? create(&info, NULL, &icd->instance)
                        : VK_ERROR_INCOMPATIBLE_DRIVER;
   if (icd->result != VK_SUCCESS)
      return "no instance";
#define ICD_GET(name)                                                        \
   icd->name = (PFN_vk##name)get(icd->instance, "vk" #name);                 \
   if (!icd->name)                                                           \
      return "no vk" #name;
   ICD_FUNCTIONS(ICD_GET)
   uint32_t one = 1;
   icd->result =
      icd->EnumeratePhysicalDevices(icd->instance, &one, &icd->pdev);
   if (icd->result < 0 || !one)
      return "no physical device";
   icd->result = create_device(icd);
   return icd->result == VK_SUCCESS ? NULL : "no device";
}

void
icd_close(struct icd *icd)
{
   if (icd->device)
      icd->DestroyDevice(icd->device, NULL);
   if (icd->instance && icd->DestroyInstance)
      icd->DestroyInstance(icd->instance, NULL);
}

void
icd_wait(struct icd *icd)
{
   if (icd->QueueWaitIdle(icd->queue) != VK_SUCCESS)
      icd->QueueWaitIdle(icd->queue);
}

#define BUFFER_B 4096

static VkResult
run_fill(struct icd *icd, VkCommandPool pool, VkBuffer buffer)
{
   const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = pool,
      .commandBufferCount = 1,
   };
   const VkCommandBufferBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
   };
   VkCommandBuffer cmd;
   VkResult r = icd->AllocateCommandBuffers(icd->device, &info, &cmd);
   if (r == VK_SUCCESS)
      r = icd->BeginCommandBuffer(cmd, &begin);
   if (r != VK_SUCCESS)
      return r;
   icd->CmdFillBuffer(cmd, buffer, 0, BUFFER_B, 42);
   r = icd->EndCommandBuffer(cmd);
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &cmd,
   };
   if (r == VK_SUCCESS)
      r = icd->QueueSubmit(icd->queue, 1, &submit, VK_NULL_HANDLE);
   return r == VK_SUCCESS ? icd->QueueWaitIdle(icd->queue) : r;
}

const char *
icd_fill(struct icd *icd)
{
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = BUFFER_B,
      .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
   };
   const VkMemoryAllocateInfo memory_info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = BUFFER_B,
   };
   const VkCommandPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
   };
   VkBuffer buffer = VK_NULL_HANDLE;
   VkDeviceMemory memory = VK_NULL_HANDLE;
   VkCommandPool pool = VK_NULL_HANDLE;
   VkResult r = icd->CreateBuffer(icd->device, &info, NULL, &buffer);
   if (r == VK_SUCCESS)
      r = icd->AllocateMemory(icd->device, &memory_info, NULL, &memory);
   if (r == VK_SUCCESS)
      r = icd->BindBufferMemory(icd->device, buffer, memory, 0);
   if (r == VK_SUCCESS)
      r = icd->CreateCommandPool(icd->device, &pool_info, NULL, &pool);
   if (r == VK_SUCCESS)
      r = run_fill(icd, pool, buffer);
   icd_wait(icd);
   icd->DestroyCommandPool(icd->device, pool, NULL);
   icd->DestroyBuffer(icd->device, buffer, NULL);
   icd->FreeMemory(icd->device, memory, NULL);
   icd->result = r;
   return r == VK_SUCCESS ? NULL : "the fill failed";
}

static VkResult
create_layouts(struct icd *icd, struct icd_compute *out)
{
   const VkDescriptorSetLayoutBinding binding = {
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
   };
   const VkDescriptorSetLayoutCreateInfo set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = 1,
      .pBindings = &binding,
   };
   const VkPushConstantRange push = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 4 };
   const VkResult r = icd->CreateDescriptorSetLayout(icd->device, &set, NULL,
                                                     &out->set_layout);
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = 1,
      .pSetLayouts = &out->set_layout,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &push,
   };
   return r ? r
            : icd->CreatePipelineLayout(icd->device, &info, NULL,
                                        &out->layout);
}

VkResult
icd_compute_create(struct icd *icd, VkPipelineCache cache,
                   struct icd_compute *out)
{
   const VkShaderModuleCreateInfo module = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .codeSize = sizeof(hostile_square_comp),
      .pCode = hostile_square_comp,
   };
   memset(out, 0, sizeof(*out));
   VkResult r = create_layouts(icd, out);
   if (r == VK_SUCCESS)
      r = icd->CreateShaderModule(icd->device, &module, NULL, &out->module);
   const VkSpecializationMapEntry words = { 0, 0, sizeof(icd->shared_words) };
   const VkSpecializationInfo constants = {
      1,
      &words,
      sizeof(icd->shared_words),
      &icd->shared_words,
   };
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_COMPUTE_BIT,
         .module = out->module,
         .pName = "main",
         .pSpecializationInfo = icd->shared_words ? &constants : NULL,
      },
      .layout = out->layout,
   };
   return r ? r
            : icd->CreateComputePipelines(icd->device, cache, 1, &info, NULL,
                                          &out->pipeline);
}

void
icd_compute_destroy(struct icd *icd, struct icd_compute *c)
{
   icd->DestroyPipeline(icd->device, c->pipeline, NULL);
   icd->DestroyShaderModule(icd->device, c->module, NULL);
   icd->DestroyPipelineLayout(icd->device, c->layout, NULL);
   icd->DestroyDescriptorSetLayout(icd->device, c->set_layout, NULL);
}
