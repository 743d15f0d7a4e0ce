/* SPDX-License-Identifier: MIT */
/*
 * The driver without the loader, as a program gets it that opens the library
 * itself: what is tested here is the driver's alone.
 */
#ifndef HOSTILE_ICD_H
#define HOSTILE_ICD_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

/* Functions of instances and devices alike: name without `vk`. */
#define ICD_FUNCTIONS(F)                                                     \
   F(EnumeratePhysicalDevices)                                               \
   F(CreateDevice)                                                           \
   F(DestroyDevice)                                                          \
   F(DestroyInstance)                                                        \
   F(GetDeviceQueue)                                                         \
   F(CreateBuffer)                                                           \
   F(DestroyBuffer)                                                          \
   F(GetBufferMemoryRequirements)                                            \
   F(AllocateMemory)                                                         \
   F(FreeMemory)                                                             \
   F(BindBufferMemory)                                                       \
   F(CreateCommandPool)                                                      \
   F(DestroyCommandPool)                                                     \
   F(AllocateCommandBuffers)                                                 \
   F(BeginCommandBuffer)                                                     \
   F(EndCommandBuffer)                                                       \
   F(CmdFillBuffer)                                                          \
   F(QueueSubmit)                                                            \
   F(QueueWaitIdle)                                                          \
   F(CreatePipelineCache)                                                    \
   F(DestroyPipelineCache)                                                   \
   F(GetPipelineCacheData)                                                   \
   F(CreateShaderModule)                                                     \
   F(DestroyShaderModule)                                                    \
   F(CreateDescriptorSetLayout)                                              \
   F(DestroyDescriptorSetLayout)                                             \
   F(CreatePipelineLayout)                                                   \
   F(DestroyPipelineLayout)                                                  \
   F(MapMemory)                                                              \
   F(UnmapMemory)                                                            \
   F(CreateImage)                                                            \
   F(DestroyImage)                                                           \
   F(GetImageMemoryRequirements)                                             \
   F(BindImageMemory)                                                        \
   F(CreateImageView)                                                        \
   F(DestroyImageView)                                                       \
   F(CreateBufferView)                                                       \
   F(DestroyBufferView)                                                      \
   F(CreateSampler)                                                          \
   F(DestroySampler)                                                         \
   F(CreateSamplerYcbcrConversion)                                           \
   F(DestroySamplerYcbcrConversion)                                          \
   F(CreatePrivateDataSlot)                                                  \
   F(DestroyPrivateDataSlot)                                                 \
   F(SetPrivateData)                                                         \
   F(CreateQueryPool)                                                        \
   F(DestroyQueryPool)                                                       \
   F(GetQueryPoolResults)                                                    \
   F(CreateEvent)                                                            \
   F(DestroyEvent)                                                           \
   F(SetEvent)                                                               \
   F(ResetEvent)                                                             \
   F(CreateFence)                                                            \
   F(DestroyFence)                                                           \
   F(WaitForFences)                                                          \
   F(ResetFences)                                                            \
   F(CreateSemaphore)                                                        \
   F(DestroySemaphore)                                                       \
   F(GetSemaphoreFdKHR)                                                      \
   F(ImportSemaphoreFdKHR)                                                   \
   F(GetMemoryFdKHR)                                                         \
   F(CreateDescriptorPool)                                                   \
   F(DestroyDescriptorPool)                                                  \
   F(AllocateDescriptorSets)                                                 \
   F(UpdateDescriptorSets)                                                   \
   F(CreateDescriptorUpdateTemplate)                                         \
   F(DestroyDescriptorUpdateTemplate)                                        \
   F(UpdateDescriptorSetWithTemplate)                                        \
   F(CreateRenderPass)                                                       \
   F(DestroyRenderPass)                                                      \
   F(CreateFramebuffer)                                                      \
   F(DestroyFramebuffer)                                                     \
   F(CreateGraphicsPipelines)                                                \
   F(MergePipelineCaches)                                                    \
   F(CmdBindPipeline)                                                        \
   F(CmdBindDescriptorSets)                                                  \
   F(CmdPushConstants)                                                       \
   F(CmdBindVertexBuffers)                                                   \
   F(CmdDraw)                                                                \
   F(CmdClearColorImage)                                                     \
   F(CmdResetQueryPool)                                                      \
   F(CmdBeginQuery)                                                          \
   F(CmdEndQuery)                                                            \
   F(CmdBeginRenderPass)                                                     \
   F(CmdEndRenderPass)                                                       \
   F(CmdExecuteCommands)                                                     \
   F(CmdCopyImageToBuffer)                                                   \
   F(CreateComputePipelines)                                                 \
   F(DestroyPipeline)

/* Of compute pipelines: one storage buffer, a dword of push constants. */
struct icd_compute {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkShaderModule module;
   VkPipeline pipeline;
};

#define ICD_MEMBER(name) PFN_vk##name name;

struct icd {
   void *library;
   ICD_FUNCTIONS(ICD_MEMBER)
   VkInstance instance;
   VkPhysicalDevice pdev;
   VkDevice device;
   VkQueue queue;
   VkResult result;       /* of what did not work, if a call said so */
   uint32_t shared_words; /* of square.comp; 0: as many as it says */
};

/* NULL, or what did not work: a device with one queue, and the extensions
 * that the scenes use. */
const char *icd_open(struct icd *icd, const char *library);
void icd_close(struct icd *icd);

/* A pipeline of the shader square.comp, from the cache if that has it. What
 * was made is destroyed by the second function, whatever the first says. */
VkResult icd_compute_create(struct icd *icd, VkPipelineCache cache,
                            struct icd_compute *out);
void icd_compute_destroy(struct icd *icd, struct icd_compute *c);

/* Until the GPU is idle, though one wait may fail: what it uses must not be
 * destroyed. */
void icd_wait(struct icd *icd);

/* Fills a buffer on the GPU; NULL, or what did not work. */
const char *icd_fill(struct icd *icd);

#endif
