# SPDX-License-Identifier: MIT
"""What is newer than vk.xml of Debian 12 (1.3.239): extensions, Vulkan 1.4.

usage: newer.py --xml vk.xml --out FILE.h

What a registry has is taken from there. What it lacks of what is below
add_to() adds to it, in the form that registry.py reads, and the header that
this writes declares for C, beside <vulkan/vulkan.h>: so the driver has the same
whatever headers it is built with. Names, numbers and members are
those of the specification of Vulkan 1.4.

Where the structures and values of an extension are those of an older one under
another name, the older name is used and nothing is declared.
"""
import argparse
import re
import xml.etree.ElementTree as ElementTree

FEATURES = 'VkPhysicalDeviceFeatures2,VkDeviceCreateInfo'
PROPERTIES = 'VkPhysicalDeviceProperties2'
BIND = 'VkBindBufferMemoryInfo,VkBindImageMemoryInfo'
PIPELINES = ('VkComputePipelineCreateInfo,VkGraphicsPipelineCreateInfo,'
             'VkRayTracingPipelineCreateInfoKHR')
BUFFERS = ('VkBufferViewCreateInfo,VkBufferCreateInfo,'
           'VkPhysicalDeviceExternalBufferInfo,VkDescriptorBufferBindingInfoEXT')
HOST_REGION = [
    'uint32_t memoryRowLength', 'uint32_t memoryImageHeight',
    'VkImageSubresourceLayers imageSubresource', 'VkOffset3D imageOffset',
    'VkExtent3D imageExtent']


class Extension:
    """`types`: {name: C type}; `values`: {name: (enumeration, number)};
    `structs`: {name: (sType, number, what it extends, members)};
    `plain`: {name: members} of structures that no chain may have;
    `commands`: {name: C type of the result and of the parameters};
    `aliases`: {command: older name}; `shared`: commands that older extensions
    have, too."""

    def __init__(self, revision, types=None, values=None, structs=None,
                 plain=None, commands=None, aliases=None, shared=()):
        self.revision = revision
        self.plain = plain or {}
        self.shared = shared
        self.types = types or {}
        self.values = values or {}
        self.structs = structs or {}
        self.commands = commands or {}
        self.aliases = aliases or {}


class Version(Extension):
    """A core version; its `aliases` are the names that it gives to commands
    of extensions."""

    def __init__(self, number, structs, aliases):
        super().__init__(None, structs=structs, aliases=aliases)
        self.number = number


EXTENSIONS = {
    'VK_EXT_attachment_feedback_loop_dynamic_state': Extension(
        1,
        values={
            'VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT': (
                'VkDynamicState', 1000524000),
        },
        structs={
            'VkPhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT': (
                'PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_'
                'FEATURES_EXT', 1000524000, FEATURES,
                ['VkBool32 attachmentFeedbackLoopDynamicState']),
        },
        commands={
            'vkCmdSetAttachmentFeedbackLoopEnableEXT': (
                'void', ['VkCommandBuffer commandBuffer',
                         'VkImageAspectFlags aspectMask']),
        }),
    'VK_EXT_depth_clamp_control': Extension(
        1,
        types={'VkDepthClampModeEXT': 'VkFlags'},
        values={
            'VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT': (
                'VkDepthClampModeEXT', 0),
            'VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT': (
                'VkDepthClampModeEXT', 1),
            'VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT': (
                'VkDynamicState', 1000582000),
        },
        plain={
            'VkDepthClampRangeEXT': ['float minDepthClamp',
                                     'float maxDepthClamp'],
        },
        structs={
            'VkPhysicalDeviceDepthClampControlFeaturesEXT': (
                'PHYSICAL_DEVICE_DEPTH_CLAMP_CONTROL_FEATURES_EXT',
                1000582000, FEATURES, ['VkBool32 depthClampControl']),
            'VkPipelineViewportDepthClampControlCreateInfoEXT': (
                'PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT',
                1000582001, 'VkPipelineViewportStateCreateInfo',
                ['VkDepthClampModeEXT depthClampMode',
                 'const VkDepthClampRangeEXT *pDepthClampRange']),
        },
        commands={
            'vkCmdSetDepthClampRangeEXT': (
                'void', ['VkCommandBuffer commandBuffer',
                         'VkDepthClampModeEXT depthClampMode',
                         'const VkDepthClampRangeEXT *pDepthClampRange']),
        }),
    'VK_EXT_host_image_copy': Extension(
        1,
        shared=['vkGetImageSubresourceLayout2EXT'],
        types={'VkHostImageCopyFlagsEXT': 'VkFlags'},
        values={
            'VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT': (
                'VkImageUsageFlagBits', 0x400000),
            'VK_HOST_IMAGE_COPY_MEMCPY_EXT': ('VkFlags', 1),
            'VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT_EXT': (
                'VkFormatFeatureFlags2', '0x400000000000'),
        },
        structs={
            'VkPhysicalDeviceHostImageCopyFeaturesEXT': (
                'PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES_EXT', 1000270000,
                FEATURES, ['VkBool32 hostImageCopy']),
            'VkPhysicalDeviceHostImageCopyPropertiesEXT': (
                'PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES_EXT', 1000270001,
                PROPERTIES, [
                    'uint32_t copySrcLayoutCount',
                    'VkImageLayout *pCopySrcLayouts',
                    'uint32_t copyDstLayoutCount',
                    'VkImageLayout *pCopyDstLayouts',
                    'uint8_t optimalTilingLayoutUUID[VK_UUID_SIZE]',
                    'VkBool32 identicalMemoryTypeRequirements']),
            'VkMemoryToImageCopyEXT': (
                'MEMORY_TO_IMAGE_COPY_EXT', 1000270002, '',
                ['const void *pHostPointer', *HOST_REGION]),
            'VkImageToMemoryCopyEXT': (
                'IMAGE_TO_MEMORY_COPY_EXT', 1000270003, '',
                ['void *pHostPointer', *HOST_REGION]),
            'VkCopyImageToMemoryInfoEXT': (
                'COPY_IMAGE_TO_MEMORY_INFO_EXT', 1000270004, '', [
                    'VkHostImageCopyFlagsEXT flags', 'VkImage srcImage',
                    'VkImageLayout srcImageLayout', 'uint32_t regionCount',
                    'const VkImageToMemoryCopyEXT *pRegions']),
            'VkCopyMemoryToImageInfoEXT': (
                'COPY_MEMORY_TO_IMAGE_INFO_EXT', 1000270005, '', [
                    'VkHostImageCopyFlagsEXT flags', 'VkImage dstImage',
                    'VkImageLayout dstImageLayout', 'uint32_t regionCount',
                    'const VkMemoryToImageCopyEXT *pRegions']),
            'VkHostImageLayoutTransitionInfoEXT': (
                'HOST_IMAGE_LAYOUT_TRANSITION_INFO_EXT', 1000270006, '', [
                    'VkImage image', 'VkImageLayout oldLayout',
                    'VkImageLayout newLayout',
                    'VkImageSubresourceRange subresourceRange']),
            'VkCopyImageToImageInfoEXT': (
                'COPY_IMAGE_TO_IMAGE_INFO_EXT', 1000270007, '', [
                    'VkHostImageCopyFlagsEXT flags', 'VkImage srcImage',
                    'VkImageLayout srcImageLayout', 'VkImage dstImage',
                    'VkImageLayout dstImageLayout', 'uint32_t regionCount',
                    'const VkImageCopy2 *pRegions']),
            'VkSubresourceHostMemcpySizeEXT': (
                'SUBRESOURCE_HOST_MEMCPY_SIZE_EXT', 1000270008,
                'VkSubresourceLayout2KHR', ['VkDeviceSize size']),
            'VkHostImageCopyDevicePerformanceQueryEXT': (
                'HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY_EXT', 1000270009,
                'VkImageFormatProperties2', [
                    'VkBool32 optimalDeviceAccess',
                    'VkBool32 identicalMemoryLayout']),
        },
        commands={
            'vkCopyMemoryToImageEXT': (
                'VkResult', ['VkDevice device',
                             'const VkCopyMemoryToImageInfoEXT '
                             '*pCopyMemoryToImageInfo']),
            'vkCopyImageToMemoryEXT': (
                'VkResult', ['VkDevice device',
                             'const VkCopyImageToMemoryInfoEXT '
                             '*pCopyImageToMemoryInfo']),
            'vkCopyImageToImageEXT': (
                'VkResult', ['VkDevice device',
                             'const VkCopyImageToImageInfoEXT '
                             '*pCopyImageToImageInfo']),
            'vkTransitionImageLayoutEXT': (
                'VkResult', ['VkDevice device', 'uint32_t transitionCount',
                             'const VkHostImageLayoutTransitionInfoEXT '
                             '*pTransitions']),
        }),
    'VK_KHR_calibrated_timestamps': Extension(
        1,
        types={
            'VkTimeDomainKHR': 'VkTimeDomainEXT',
            'VkCalibratedTimestampInfoKHR': 'VkCalibratedTimestampInfoEXT',
        },
        aliases={
            'vkGetPhysicalDeviceCalibrateableTimeDomainsKHR':
                'vkGetPhysicalDeviceCalibrateableTimeDomainsEXT',
            'vkGetCalibratedTimestampsKHR': 'vkGetCalibratedTimestampsEXT',
        }),
    'VK_KHR_dynamic_rendering_local_read': Extension(
        1,
        values={
            'VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR': (
                'VkImageLayout', 1000232000),
        },
        structs={
            'VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR': (
                'PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR',
                1000232000, FEATURES,
                ['VkBool32 dynamicRenderingLocalRead']),
            'VkRenderingAttachmentLocationInfoKHR': (
                'RENDERING_ATTACHMENT_LOCATION_INFO_KHR', 1000232001,
                'VkGraphicsPipelineCreateInfo,VkCommandBufferInheritanceInfo',
                ['uint32_t colorAttachmentCount',
                 'const uint32_t *pColorAttachmentLocations']),
            'VkRenderingInputAttachmentIndexInfoKHR': (
                'RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR', 1000232002,
                'VkGraphicsPipelineCreateInfo,VkCommandBufferInheritanceInfo',
                ['uint32_t colorAttachmentCount',
                 'const uint32_t *pColorAttachmentInputIndices',
                 'const uint32_t *pDepthInputAttachmentIndex',
                 'const uint32_t *pStencilInputAttachmentIndex']),
        },
        commands={
            'vkCmdSetRenderingAttachmentLocationsKHR': (
                'void', ['VkCommandBuffer commandBuffer',
                         'const VkRenderingAttachmentLocationInfoKHR '
                         '*pLocationInfo']),
            'vkCmdSetRenderingInputAttachmentIndicesKHR': (
                'void', ['VkCommandBuffer commandBuffer',
                         'const VkRenderingInputAttachmentIndexInfoKHR '
                         '*pInputAttachmentIndexInfo']),
        }),
    'VK_KHR_index_type_uint8': Extension(1),
    'VK_KHR_line_rasterization': Extension(
        1, aliases={'vkCmdSetLineStippleKHR': 'vkCmdSetLineStippleEXT'}),
    'VK_KHR_load_store_op_none': Extension(1),
    'VK_KHR_maintenance5': Extension(
        1,
        types={
            'VkPipelineCreateFlags2KHR': 'VkFlags64',
            'VkBufferUsageFlags2KHR': 'VkFlags64',
            'VkImageSubresource2KHR': 'VkImageSubresource2EXT',
            'VkSubresourceLayout2KHR': 'VkSubresourceLayout2EXT',
        },
        values={
            'VK_FORMAT_A1B5G5R5_UNORM_PACK16_KHR': ('VkFormat', 1000470000),
            'VK_FORMAT_A8_UNORM_KHR': ('VkFormat', 1000470001),
        },
        structs={
            'VkPhysicalDeviceMaintenance5FeaturesKHR': (
                'PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR', 1000470000,
                FEATURES, ['VkBool32 maintenance5']),
            'VkPhysicalDeviceMaintenance5PropertiesKHR': (
                'PHYSICAL_DEVICE_MAINTENANCE_5_PROPERTIES_KHR', 1000470001,
                PROPERTIES, [
                    'VkBool32 '
                    'earlyFragmentMultisampleCoverageAfterSampleCounting',
                    'VkBool32 earlyFragmentSampleMaskTestBeforeSampleCounting',
                    'VkBool32 depthStencilSwizzleOneSupport',
                    'VkBool32 polygonModePointSize',
                    'VkBool32 nonStrictSinglePixelWideLinesUseParallelogram',
                    'VkBool32 nonStrictWideLinesUseParallelogram']),
            'VkRenderingAreaInfoKHR': (
                'RENDERING_AREA_INFO_KHR', 1000470003, '', [
                    'uint32_t viewMask', 'uint32_t colorAttachmentCount',
                    'const VkFormat *pColorAttachmentFormats',
                    'VkFormat depthAttachmentFormat',
                    'VkFormat stencilAttachmentFormat']),
            'VkDeviceImageSubresourceInfoKHR': (
                'DEVICE_IMAGE_SUBRESOURCE_INFO_KHR', 1000470004, '', [
                    'const VkImageCreateInfo *pCreateInfo',
                    'const VkImageSubresource2KHR *pSubresource']),
            'VkPipelineCreateFlags2CreateInfoKHR': (
                'PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR', 1000470005,
                PIPELINES, ['VkPipelineCreateFlags2KHR flags']),
            'VkBufferUsageFlags2CreateInfoKHR': (
                'BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR', 1000470006, BUFFERS,
                ['VkBufferUsageFlags2KHR usage']),
        },
        commands={
            'vkCmdBindIndexBuffer2KHR': (
                'void', ['VkCommandBuffer commandBuffer', 'VkBuffer buffer',
                         'VkDeviceSize offset', 'VkDeviceSize size',
                         'VkIndexType indexType']),
            'vkGetRenderingAreaGranularityKHR': (
                'void', ['VkDevice device',
                         'const VkRenderingAreaInfoKHR *pRenderingAreaInfo',
                         'VkExtent2D *pGranularity']),
            'vkGetDeviceImageSubresourceLayoutKHR': (
                'void', ['VkDevice device',
                         'const VkDeviceImageSubresourceInfoKHR *pInfo',
                         'VkSubresourceLayout2KHR *pLayout']),
        },
        aliases={'vkGetImageSubresourceLayout2KHR':
                 'vkGetImageSubresourceLayout2EXT'}),
    'VK_KHR_maintenance6': Extension(
        1,
        structs={
            'VkPhysicalDeviceMaintenance6FeaturesKHR': (
                'PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES_KHR', 1000545000,
                FEATURES, ['VkBool32 maintenance6']),
            'VkPhysicalDeviceMaintenance6PropertiesKHR': (
                'PHYSICAL_DEVICE_MAINTENANCE_6_PROPERTIES_KHR', 1000545001,
                PROPERTIES, [
                    'VkBool32 blockTexelViewCompatibleMultipleLayers',
                    'uint32_t maxCombinedImageSamplerDescriptorCount',
                    'VkBool32 fragmentShadingRateClampCombinerInputs']),
            'VkBindMemoryStatusKHR': (
                'BIND_MEMORY_STATUS_KHR', 1000545002, BIND,
                ['VkResult *pResult']),
            'VkBindDescriptorSetsInfoKHR': (
                'BIND_DESCRIPTOR_SETS_INFO_KHR', 1000545003, '', [
                    'VkShaderStageFlags stageFlags', 'VkPipelineLayout layout',
                    'uint32_t firstSet', 'uint32_t descriptorSetCount',
                    'const VkDescriptorSet *pDescriptorSets',
                    'uint32_t dynamicOffsetCount',
                    'const uint32_t *pDynamicOffsets']),
            'VkPushConstantsInfoKHR': (
                'PUSH_CONSTANTS_INFO_KHR', 1000545004, '', [
                    'VkPipelineLayout layout', 'VkShaderStageFlags stageFlags',
                    'uint32_t offset', 'uint32_t size',
                    'const void *pValues']),
            'VkPushDescriptorSetInfoKHR': (
                'PUSH_DESCRIPTOR_SET_INFO_KHR', 1000545005, '', [
                    'VkShaderStageFlags stageFlags', 'VkPipelineLayout layout',
                    'uint32_t set', 'uint32_t descriptorWriteCount',
                    'const VkWriteDescriptorSet *pDescriptorWrites']),
            'VkPushDescriptorSetWithTemplateInfoKHR': (
                'PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO_KHR', 1000545006, '', [
                    'VkDescriptorUpdateTemplate descriptorUpdateTemplate',
                    'VkPipelineLayout layout', 'uint32_t set',
                    'const void *pData']),
        },
        commands={
            name: ('void', ['VkCommandBuffer commandBuffer',
                            f'const {info} *pInfo'])
            for name, info in (
                ('vkCmdBindDescriptorSets2KHR', 'VkBindDescriptorSetsInfoKHR'),
                ('vkCmdPushConstants2KHR', 'VkPushConstantsInfoKHR'),
                ('vkCmdPushDescriptorSet2KHR', 'VkPushDescriptorSetInfoKHR'),
                ('vkCmdPushDescriptorSetWithTemplate2KHR',
                 'VkPushDescriptorSetWithTemplateInfoKHR'))
        }),
    'VK_KHR_map_memory2': Extension(
        1,
        types={'VkMemoryUnmapFlagsKHR': 'VkFlags'},
        structs={
            'VkMemoryMapInfoKHR': (
                'MEMORY_MAP_INFO_KHR', 1000271000, '', [
                    'VkMemoryMapFlags flags', 'VkDeviceMemory memory',
                    'VkDeviceSize offset', 'VkDeviceSize size']),
            'VkMemoryUnmapInfoKHR': (
                'MEMORY_UNMAP_INFO_KHR', 1000271001, '', [
                    'VkMemoryUnmapFlagsKHR flags', 'VkDeviceMemory memory']),
        },
        commands={
            'vkMapMemory2KHR': (
                'VkResult', ['VkDevice device',
                             'const VkMemoryMapInfoKHR *pMemoryMapInfo',
                             'void **ppData']),
            'vkUnmapMemory2KHR': (
                'VkResult', ['VkDevice device',
                             'const VkMemoryUnmapInfoKHR *pMemoryUnmapInfo']),
        }),
    'VK_KHR_shader_expect_assume': Extension(
        1,
        structs={
            'VkPhysicalDeviceShaderExpectAssumeFeaturesKHR': (
                'PHYSICAL_DEVICE_SHADER_EXPECT_ASSUME_FEATURES_KHR',
                1000544000, FEATURES, ['VkBool32 shaderExpectAssume']),
        }),
    'VK_KHR_shader_float_controls2': Extension(
        1,
        structs={
            'VkPhysicalDeviceShaderFloatControls2FeaturesKHR': (
                'PHYSICAL_DEVICE_SHADER_FLOAT_CONTROLS_2_FEATURES_KHR',
                1000528000, FEATURES, ['VkBool32 shaderFloatControls2']),
        }),
    'VK_KHR_shader_subgroup_rotate': Extension(
        2,
        values={
            'VK_SUBGROUP_FEATURE_ROTATE_BIT_KHR': (
                'VkSubgroupFeatureFlagBits', 0x200),
            'VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT_KHR': (
                'VkSubgroupFeatureFlagBits', 0x400),
        },
        structs={
            'VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR': (
                'PHYSICAL_DEVICE_SHADER_SUBGROUP_ROTATE_FEATURES_KHR',
                1000416000, FEATURES, [
                    'VkBool32 shaderSubgroupRotate',
                    'VkBool32 shaderSubgroupRotateClustered']),
        }),
    'VK_KHR_vertex_attribute_divisor': Extension(
        1,
        structs={
            'VkPhysicalDeviceVertexAttributeDivisorPropertiesKHR': (
                'PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_KHR',
                1000525000, PROPERTIES, [
                    'uint32_t maxVertexAttribDivisor',
                    'VkBool32 supportsNonZeroFirstInstance']),
        }),
}

VERSIONS = {
    'VK_VERSION_1_4': Version(
        '1.4',
        structs={
            'VkPhysicalDeviceVulkan14Features': (
                'PHYSICAL_DEVICE_VULKAN_1_4_FEATURES', 55, FEATURES, [
                    'VkBool32 globalPriorityQuery',
                    'VkBool32 shaderSubgroupRotate',
                    'VkBool32 shaderSubgroupRotateClustered',
                    'VkBool32 shaderFloatControls2',
                    'VkBool32 shaderExpectAssume',
                    'VkBool32 rectangularLines',
                    'VkBool32 bresenhamLines',
                    'VkBool32 smoothLines',
                    'VkBool32 stippledRectangularLines',
                    'VkBool32 stippledBresenhamLines',
                    'VkBool32 stippledSmoothLines',
                    'VkBool32 vertexAttributeInstanceRateDivisor',
                    'VkBool32 vertexAttributeInstanceRateZeroDivisor',
                    'VkBool32 indexTypeUint8',
                    'VkBool32 dynamicRenderingLocalRead',
                    'VkBool32 maintenance5',
                    'VkBool32 maintenance6',
                    'VkBool32 pipelineProtectedAccess',
                    'VkBool32 pipelineRobustness',
                    'VkBool32 hostImageCopy',
                    'VkBool32 pushDescriptor']),
            'VkPhysicalDeviceVulkan14Properties': (
                'PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES', 56, PROPERTIES, [
                    'uint32_t lineSubPixelPrecisionBits',
                    'uint32_t maxVertexAttribDivisor',
                    'VkBool32 supportsNonZeroFirstInstance',
                    'uint32_t maxPushDescriptors',
                    'VkBool32 dynamicRenderingLocalReadDepthStencilAttachments',
                    'VkBool32 dynamicRenderingLocalReadMultisampledAttachments',
                    'VkBool32 '
                    'earlyFragmentMultisampleCoverageAfterSampleCounting',
                    'VkBool32 earlyFragmentSampleMaskTestBeforeSampleCounting',
                    'VkBool32 depthStencilSwizzleOneSupport',
                    'VkBool32 polygonModePointSize',
                    'VkBool32 nonStrictSinglePixelWideLinesUseParallelogram',
                    'VkBool32 nonStrictWideLinesUseParallelogram',
                    'VkBool32 blockTexelViewCompatibleMultipleLayers',
                    'uint32_t maxCombinedImageSamplerDescriptorCount',
                    'VkBool32 fragmentShadingRateClampCombinerInputs',
                    *(f'VkPipelineRobustness{kind}BehaviorEXT '
                      f'defaultRobustness{what}' for kind, what in (
                          ('Buffer', 'StorageBuffers'),
                          ('Buffer', 'UniformBuffers'),
                          ('Buffer', 'VertexInputs'), ('Image', 'Images'))),
                    'uint32_t copySrcLayoutCount',
                    'VkImageLayout *pCopySrcLayouts',
                    'uint32_t copyDstLayoutCount',
                    'VkImageLayout *pCopyDstLayouts',
                    'uint8_t optimalTilingLayoutUUID[VK_UUID_SIZE]',
                    'VkBool32 identicalMemoryTypeRequirements']),
        },
        aliases={name[:-3]: name for name in (
            'vkMapMemory2KHR', 'vkUnmapMemory2KHR',
            'vkGetDeviceImageSubresourceLayoutKHR',
            'vkGetImageSubresourceLayout2EXT', 'vkCopyMemoryToImageEXT',
            'vkCopyImageToMemoryEXT', 'vkCopyImageToImageEXT',
            'vkTransitionImageLayoutEXT', 'vkCmdPushDescriptorSetKHR',
            'vkCmdPushDescriptorSetWithTemplateKHR',
            'vkCmdBindDescriptorSets2KHR', 'vkCmdPushConstants2KHR',
            'vkCmdPushDescriptorSet2KHR',
            'vkCmdPushDescriptorSetWithTemplate2KHR',
            'vkCmdSetLineStippleEXT', 'vkCmdBindIndexBuffer2KHR',
            'vkGetRenderingAreaGranularityKHR',
            'vkCmdSetRenderingAttachmentLocationsKHR',
            'vkCmdSetRenderingInputAttachmentIndicesKHR')}),
}

# The first patch of the newest of these versions.
PATCH = 303


def lacking(root):
    """Those of the extensions and versions that a registry does not have."""
    known = {e.get('name') for e in (*root.findall('extensions/extension'),
                                     *root.findall('feature'))}
    return {n: e for n, e in {**EXTENSIONS, **VERSIONS}.items()
            if n not in known}


def add_chapter(root, name, what):
    """A chapter without contents: its <require> element."""
    if isinstance(what, Version):
        chapter = ElementTree.SubElement(root, 'feature', api='vulkan',
                                         name=name, number=what.number)
        return ElementTree.SubElement(chapter, 'require')
    chapter = ElementTree.SubElement(root.find('extensions'), 'extension',
                                     name=name, supported='vulkan')
    require = ElementTree.SubElement(chapter, 'require')
    ElementTree.SubElement(require, 'enum', value=str(what.revision),
                           name=f'{name.upper()}_SPEC_VERSION')
    return require


def declaration(tag, text):
    """An element <member> or <param> of a C declaration."""
    before, base, after, name, length = re.fullmatch(
        r'((?:const )?)(\w+) ?(\**) ?(\w+)((?:\[\w+\])?)', text).groups()
    element = ElementTree.Element(tag)
    element.text = before
    kind = ElementTree.SubElement(element, 'type')
    kind.text, kind.tail = base, f' {after}'
    of_name = ElementTree.SubElement(element, 'name')
    of_name.text, of_name.tail = name, length
    return element


def add_plain(types, name, members):
    struct = ElementTree.SubElement(types, 'type', category='struct',
                                    name=name)
    struct.extend(declaration('member', m) for m in members)


def add_struct(types, name, stype, extends, members):
    struct = ElementTree.SubElement(types, 'type', category='struct',
                                    name=name, structextends=extends)
    head = declaration('member', 'VkStructureType sType')
    head.set('values', f'VK_STRUCTURE_TYPE_{stype}')
    struct.extend([head, declaration('member', 'void *pNext'),
                   *(declaration('member', m) for m in members)])


def add_to(root):
    """Adds what a registry lacks; the registry. A chapter may be missing
    whose structures and commands are there."""
    types, commands = root.find('types'), root.find('commands')
    known = {t.get('name') for t in types}
    known |= {c.get('name') or c.findtext('proto/name') for c in commands}
    for name, ext in lacking(root).items():
        require = add_chapter(root, name, ext)
        for struct, members in ext.plain.items():
            ElementTree.SubElement(require, 'type', name=struct)
            if struct not in known:
                add_plain(types, struct, members)
        for struct, (stype, _, extends, members) in ext.structs.items():
            ElementTree.SubElement(require, 'type', name=struct)
            if struct not in known:
                add_struct(types, struct, stype, extends, members)
        for command in (*ext.commands, *ext.aliases, *ext.shared):
            ElementTree.SubElement(require, 'command', name=command)
        for command, (result, params) in ext.commands.items():
            if command in known:
                continue
            new = ElementTree.SubElement(commands, 'command')
            proto = ElementTree.SubElement(new, 'proto')
            ElementTree.SubElement(proto, 'type').text = result
            ElementTree.SubElement(proto, 'name').text = command
            new.extend(declaration('param', p) for p in params)
        for command, older in ext.aliases.items():
            if command not in known:
                ElementTree.SubElement(commands, 'command', name=command,
                                       alias=older)
    return root


def structure(name, members):
    return ['', f'typedef struct {name} {{', *(f'   {m};' for m in members),
            f'}} {name};']


def chained(name, members):
    # Who is asked writes what follows; what is said is only read.
    following = 'void *pNext' if name.startswith('VkPhysicalDevice') \
        else 'const void *pNext'
    return structure(name, ['VkStructureType sType', following, *members])


def header(chapters):
    """C declarations of extensions and versions."""
    out = ['/* Generated by newer.py. Do not edit. */', '#ifndef SAF_NEWER_H',
           '#define SAF_NEWER_H', '', '#include <vulkan/vulkan.h>']
    for name, ext in chapters.items():
        out += ['', f'/* {name} */', '']
        out += [f'typedef {c} {t};' for t, c in ext.types.items()]
        out += [f'#define {v} (({enum}){number})'
                for v, (enum, number) in ext.values.items()]
        for struct, members in ext.plain.items():
            out += structure(struct, members)
        for struct, (stype, number, _, members) in ext.structs.items():
            out.append(f'#define VK_STRUCTURE_TYPE_{stype} '
                       f'((VkStructureType){number})')
            out += chained(struct, members)
        for command, (result, params) in ext.commands.items():
            out.append(f'typedef {result}(VKAPI_PTR *PFN_{command})('
                       f'{", ".join(params)});')
        out += [f'typedef PFN_{older} PFN_{command};'
                for command, older in ext.aliases.items()]
    return '\n'.join(out + ['', '#endif', ''])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--xml', required=True)
    parser.add_argument('--out', required=True)
    args = parser.parse_args()
    root = ElementTree.parse(args.xml).getroot()
    with open(args.out, 'w', encoding='utf-8') as f:
        f.write(header(lacking(root)))


if __name__ == '__main__':
    main()
