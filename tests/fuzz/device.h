/* SPDX-License-Identifier: MIT */
/* A driver's library, opened without a loader, and its first device with all
 * features of Vulkan 1.2 and robustBufferAccess2, as far as it has them. */
#ifndef FUZZ_DEVICE_H
#define FUZZ_DEVICE_H

#include <stdbool.h>
#include <stdio.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

/* Names without `vk`. */
#define DEVICE_FUNCTIONS(F)                                                  \
   F(EnumeratePhysicalDevices)                                               \
   F(EnumerateDeviceExtensionProperties)                                     \
   F(GetPhysicalDeviceFeatures2)                                             \
   F(GetPhysicalDeviceFormatProperties)                                      \
   F(GetPhysicalDeviceMemoryProperties)                                      \
   F(CreateDevice)                                                           \
   F(GetDeviceQueue)                                                         \
   F(CreateBuffer)                                                           \
   F(GetBufferMemoryRequirements)                                            \
   F(AllocateMemory)                                                         \
   F(BindBufferMemory)                                                       \
   F(MapMemory)                                                              \
   F(CreateDescriptorSetLayout)                                              \
   F(CreatePipelineLayout)                                                   \
   F(CreateDescriptorPool)                                                   \
   F(AllocateDescriptorSets)                                                 \
   F(UpdateDescriptorSets)                                                   \
   F(CreateSampler)                                                          \
   F(CreateShaderModule)                                                     \
   F(DestroyShaderModule)                                                    \
   F(CreateRenderPass)                                                       \
   F(CreateFramebuffer)                                                      \
   F(CreateGraphicsPipelines)                                                \
   F(CmdBeginRenderPass)                                                     \
   F(CmdDraw)                                                                \
   F(CmdEndRenderPass)                                                       \
   F(CreateComputePipelines)                                                 \
   F(DestroyPipeline)                                                        \
   F(CreateCommandPool)                                                      \
   F(AllocateCommandBuffers)                                                 \
   F(BeginCommandBuffer)                                                     \
   F(CmdBindPipeline)                                                        \
   F(CmdBindDescriptorSets)                                                  \
   F(CmdPushConstants)                                                       \
   F(CmdDispatch)                                                            \
   F(CmdPipelineBarrier)                                                     \
   F(EndCommandBuffer)                                                       \
   F(QueueSubmit)                                                            \
   F(QueueWaitIdle)                                                          \
   F(DestroyBuffer)                                                          \
   F(FreeMemory)                                                             \
   F(CreateImage)                                                            \
   F(DestroyImage)                                                           \
   F(GetImageMemoryRequirements)                                             \
   F(BindImageMemory)                                                        \
   F(CreateImageView)                                                        \
   F(DestroyImageView)                                                       \
   F(DestroyDescriptorSetLayout)                                             \
   F(DestroyPipelineLayout)                                                  \
   F(DestroyDescriptorPool)                                                  \
   F(DestroyRenderPass)                                                      \
   F(DestroyFramebuffer)                                                     \
   F(CmdBindVertexBuffers)                                                   \
   F(CmdClearColorImage)                                                     \
   F(CmdCopyImageToBuffer)                                                   \
   F(CmdCopyBufferToImage)                                                   \
   F(DestroyDevice)                                                          \
   F(DestroyInstance)

#define DEVICE_MEMBER(name) PFN_vk##name name;

struct device {
   DEVICE_FUNCTIONS(DEVICE_MEMBER)
   VkInstance instance;
   VkPhysicalDevice pdev;
   VkDevice device;
   VkQueue queue;
};

/* Says on standard output what did not work, and leaves the function. */
#define TRY(call)                                                            \
   do {                                                                      \
      const VkResult r_ = (call);                                            \
      if (r_ != VK_SUCCESS) {                                                \
         printf("error %s: %d\n", #call, r_);                                \
         return false;                                                       \
      }                                                                      \
   } while (0)

/* False: something did not work, which is said. */
bool device_open(struct device *d, const char *path);

/* Does the first device offer it? */
bool device_has_extension(struct device *d, const char *name);

/* Memory for what is needed, of a type that the host sees. */
bool device_allocate(struct device *d, const VkMemoryRequirements *need,
                     VkDeviceMemory *memory);

/* SPIR-V of a file. */
bool device_read_module(struct device *d, const char *path,
                        VkShaderModule *module);

#endif
