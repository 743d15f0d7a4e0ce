/* SPDX-License-Identifier: MIT */
/*
 * Descriptors and constants as VK_KHR_maintenance6 words them: for several
 * bind points at once, by a structure. Each command becomes the older one,
 * for each bind point, which also records it in a secondary command buffer.
 */
#include "saf_cmd_buffer.h"

#define EACH_POINT(stages, call)                                             \
   do {                                                                      \
      if ((stages)&VK_SHADER_STAGE_ALL_GRAPHICS) {                           \
         const VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_GRAPHICS;  \
         call;                                                               \
      }                                                                      \
      if ((stages)&VK_SHADER_STAGE_COMPUTE_BIT) {                            \
         const VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_COMPUTE;   \
         call;                                                               \
      }                                                                      \
   } while (0)

VKAPI_ATTR void VKAPI_CALL
saf_CmdBindDescriptorSets2(VkCommandBuffer cmd,
                           const VkBindDescriptorSetsInfoKHR *info)
{
   EACH_POINT(info->stageFlags,
              saf_rec_CmdBindDescriptorSets(
                 cmd, point, info->layout, info->firstSet,
                 info->descriptorSetCount, info->pDescriptorSets,
                 info->dynamicOffsetCount, info->pDynamicOffsets));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdPushConstants2(VkCommandBuffer cmd, const VkPushConstantsInfoKHR *info)
{
   saf_rec_CmdPushConstants(cmd, info->layout, info->stageFlags, info->offset,
                            info->size, info->pValues);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdPushDescriptorSet2(VkCommandBuffer cmd,
                          const VkPushDescriptorSetInfoKHR *info)
{
   EACH_POINT(info->stageFlags,
              saf_CmdPushDescriptorSet(cmd, point, info->layout, info->set,
                                       info->descriptorWriteCount,
                                       info->pDescriptorWrites));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdPushDescriptorSetWithTemplate2(
   VkCommandBuffer cmd, const VkPushDescriptorSetWithTemplateInfoKHR *info)
{
   saf_CmdPushDescriptorSetWithTemplate(cmd, info->descriptorUpdateTemplate,
                                        info->layout, info->set, info->pData);
}
