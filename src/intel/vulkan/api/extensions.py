# SPDX-License-Identifier: MIT
"""The Vulkan extensions that the driver implements, one row each.

Nothing else says which extensions there are: the enumeration, the entry
points and the checks of vkCreateInstance and vkCreateDevice are generated
from these lists. The revision of each comes from vk.xml.
"""

INSTANCE_EXTENSIONS = [
    'VK_EXT_headless_surface',
    'VK_KHR_external_fence_capabilities',
    'VK_KHR_external_memory_capabilities',
    'VK_KHR_external_semaphore_capabilities',
    'VK_KHR_get_physical_device_properties2',
    'VK_KHR_get_surface_capabilities2',
    'VK_KHR_surface',
    'VK_KHR_wayland_surface',
    'VK_KHR_xcb_surface',
    'VK_KHR_xlib_surface',
]

DEVICE_EXTENSIONS = [
    'VK_EXT_attachment_feedback_loop_layout',
    'VK_EXT_calibrated_timestamps',
    'VK_EXT_conditional_rendering',
    'VK_EXT_custom_border_color',
    'VK_EXT_depth_clip_enable',
    'VK_EXT_external_memory_dma_buf',
    'VK_EXT_host_query_reset',
    'VK_EXT_image_drm_format_modifier',
    'VK_EXT_index_type_uint8',
    'VK_EXT_line_rasterization',
    'VK_EXT_memory_budget',
    'VK_EXT_non_seamless_cube_map',
    'VK_EXT_primitives_generated_query',
    'VK_EXT_provoking_vertex',
    'VK_EXT_queue_family_foreign',
    'VK_EXT_robustness2',
    'VK_EXT_scalar_block_layout',
    'VK_EXT_shader_demote_to_helper_invocation',
    'VK_EXT_shader_stencil_export',
    'VK_EXT_shader_subgroup_ballot',
    'VK_EXT_shader_subgroup_vote',
    'VK_EXT_shader_viewport_index_layer',
    'VK_EXT_transform_feedback',
    'VK_EXT_vertex_attribute_divisor',
    'VK_KHR_bind_memory2',
    'VK_KHR_create_renderpass2',
    'VK_KHR_dedicated_allocation',
    'VK_KHR_depth_stencil_resolve',
    'VK_KHR_descriptor_update_template',
    'VK_KHR_draw_indirect_count',
    'VK_KHR_driver_properties',
    'VK_KHR_external_fence',
    'VK_KHR_external_fence_fd',
    'VK_KHR_external_memory',
    'VK_KHR_external_memory_fd',
    'VK_KHR_external_semaphore',
    'VK_KHR_external_semaphore_fd',
    'VK_KHR_get_memory_requirements2',
    'VK_KHR_image_format_list',
    'VK_KHR_imageless_framebuffer',
    'VK_KHR_incremental_present',
    'VK_KHR_maintenance1',
    'VK_KHR_maintenance2',
    'VK_KHR_maintenance3',
    'VK_KHR_multiview',
    'VK_KHR_pipeline_executable_properties',
    'VK_KHR_sampler_mirror_clamp_to_edge',
    'VK_KHR_separate_depth_stencil_layouts',
    'VK_KHR_shader_draw_parameters',
    'VK_KHR_storage_buffer_storage_class',
    'VK_KHR_swapchain',
    'VK_KHR_swapchain_mutable_format',
    'VK_KHR_timeline_semaphore',
    'VK_KHR_uniform_buffer_standard_layout',
]

# Those that only later generations have: the first one, version times ten.
FIRST_VERX10 = {
    'VK_KHR_draw_indirect_count': 75,
    'VK_EXT_shader_stencil_export': 90,
}

# The core version that the driver reports, with its entry points.
API_VERSION = (1, 1)
CORE_FEATURES = ['VK_VERSION_1_0', 'VK_VERSION_1_1']
