# SPDX-License-Identifier: MIT
"""The Vulkan extensions that the driver implements, one row each.

Nothing else says which extensions there are: the enumeration, the entry
points, the checks of vkCreateInstance and vkCreateDevice and the list in
docs/vulkan.rst are generated from these tables. The revision of each comes
from vk.xml.
"""

# Each with the test of the driver's own that uses it; None: there is none.
INSTANCE_EXTENSIONS = {
    'VK_EXT_headless_surface': 'vulkan_wsi',
    'VK_KHR_device_group_creation': None,
    'VK_KHR_external_fence_capabilities': None,
    'VK_KHR_external_memory_capabilities': 'vulkan_external',
    'VK_KHR_external_semaphore_capabilities': None,
    'VK_KHR_get_physical_device_properties2': 'vulkan_device',
    'VK_KHR_get_surface_capabilities2': None,
    'VK_KHR_surface': 'vulkan_wsi',
    'VK_KHR_wayland_surface': 'vulkan_wsi_wayland',
    'VK_KHR_xcb_surface': 'vulkan_wsi',
    'VK_KHR_xlib_surface': 'vulkan_wsi',
}

DEVICE_EXTENSIONS = {
    'VK_EXT_attachment_feedback_loop_layout': None,
    'VK_EXT_calibrated_timestamps': None,
    'VK_EXT_conditional_rendering': None,
    'VK_EXT_custom_border_color': 'vulkan_sampler',
    'VK_EXT_depth_clip_control': 'vulkan_raster',
    'VK_EXT_depth_clip_enable': None,
    'VK_EXT_extended_dynamic_state': 'vulkan_dynamic',
    'VK_EXT_extended_dynamic_state2': 'vulkan_dynamic',
    'VK_EXT_external_memory_dma_buf': 'vulkan_external',
    'VK_EXT_host_query_reset': 'vulkan_query',
    'VK_EXT_image_drm_format_modifier': 'vulkan_external',
    'VK_EXT_index_type_uint8': None,
    'VK_EXT_inline_uniform_block': 'vulkan_descriptors',
    'VK_EXT_line_rasterization': 'vulkan_raster',
    'VK_EXT_memory_budget': 'vulkan_device',
    'VK_EXT_non_seamless_cube_map': None,
    'VK_EXT_primitives_generated_query': None,
    'VK_EXT_provoking_vertex': None,
    'VK_EXT_queue_family_foreign': 'vulkan_external',
    'VK_EXT_robustness2': 'vulkan_storage',
    'VK_EXT_scalar_block_layout': None,
    'VK_EXT_separate_stencil_usage': 'vulkan_device',
    'VK_EXT_shader_demote_to_helper_invocation': None,
    'VK_EXT_shader_stencil_export': None,
    'VK_EXT_shader_subgroup_ballot': 'vulkan_subgroup',
    'VK_EXT_shader_subgroup_vote': 'vulkan_subgroup',
    'VK_EXT_shader_viewport_index_layer': None,
    'VK_EXT_transform_feedback': 'vulkan_xfb',
    'VK_EXT_vertex_attribute_divisor': None,
    'VK_KHR_16bit_storage': 'vulkan_storage',
    'VK_KHR_8bit_storage': 'vulkan_storage',
    'VK_KHR_bind_memory2': None,
    'VK_KHR_create_renderpass2': None,
    'VK_KHR_dedicated_allocation': None,
    'VK_KHR_depth_stencil_resolve': None,
    'VK_KHR_descriptor_update_template': None,
    'VK_KHR_device_group': None,
    'VK_KHR_draw_indirect_count': None,
    'VK_KHR_driver_properties': None,
    'VK_KHR_external_fence': 'vulkan_external',
    'VK_KHR_external_fence_fd': 'vulkan_external',
    'VK_KHR_external_memory': 'vulkan_external',
    'VK_KHR_external_memory_fd': 'vulkan_external',
    'VK_KHR_external_semaphore': 'vulkan_external',
    'VK_KHR_external_semaphore_fd': 'vulkan_external',
    'VK_KHR_get_memory_requirements2': None,
    'VK_KHR_image_format_list': None,
    'VK_KHR_imageless_framebuffer': None,
    'VK_KHR_incremental_present': None,
    'VK_KHR_maintenance1': None,
    'VK_KHR_maintenance2': None,
    'VK_KHR_maintenance3': None,
    'VK_KHR_multiview': 'vulkan_multiview',
    'VK_KHR_pipeline_executable_properties': 'vulkan_executable',
    'VK_KHR_push_descriptor': 'vulkan_descriptors',
    'VK_KHR_relaxed_block_layout': None,
    'VK_KHR_sampler_mirror_clamp_to_edge': None,
    'VK_KHR_separate_depth_stencil_layouts': None,
    'VK_KHR_shader_draw_parameters': None,
    'VK_KHR_shader_float_controls': 'vulkan_device',
    'VK_KHR_shader_non_semantic_info': None,
    'VK_KHR_shader_subgroup_extended_types': 'vulkan_subgroup',
    'VK_KHR_spirv_1_4': 'vulkan_subgroup',
    'VK_KHR_storage_buffer_storage_class': None,
    'VK_KHR_swapchain': 'vulkan_wsi',
    'VK_KHR_swapchain_mutable_format': None,
    'VK_KHR_timeline_semaphore': 'vulkan_sync',
    'VK_KHR_uniform_buffer_standard_layout': None,
}

# Those that only later generations have: the first one, version times ten.
FIRST_VERX10 = {
    'VK_KHR_16bit_storage': 80,
    'VK_KHR_8bit_storage': 80,
    'VK_KHR_draw_indirect_count': 75,
    'VK_EXT_shader_stencil_export': 90,
}

# The core version that the driver reports, with its entry points.
API_VERSION = (1, 2)
CORE_FEATURES = ['VK_VERSION_1_0', 'VK_VERSION_1_1', 'VK_VERSION_1_2']

# Of the KHR and EXT extensions of vk.xml, those that the driver does not have,
# by reason. What is not named here is not written yet.
ABSENT = {
    'Gen9 and its predecessors have no such hardware': [
        'VK_EXT_fragment_density_map',
        'VK_EXT_fragment_density_map2',
        'VK_EXT_mesh_shader',
        'VK_EXT_opacity_micromap',
        'VK_EXT_texture_compression_astc_hdr',
        'VK_KHR_acceleration_structure',
        'VK_KHR_deferred_host_operations',
        'VK_KHR_fragment_shader_barycentric',
        'VK_KHR_fragment_shading_rate',
        'VK_KHR_ray_query',
        'VK_KHR_ray_tracing_maintenance1',
        'VK_KHR_ray_tracing_pipeline',
    ],
    'video is decoded by engines that the simulated GPU lacks': [
        'VK_KHR_video_decode_h264',
        'VK_KHR_video_decode_h265',
        'VK_KHR_video_decode_queue',
        'VK_KHR_video_queue',
    ],
    'of another platform': [
        'VK_EXT_directfb_surface',
        'VK_EXT_full_screen_exclusive',
        'VK_EXT_metal_objects',
        'VK_EXT_metal_surface',
        'VK_KHR_android_surface',
        'VK_KHR_external_fence_win32',
        'VK_KHR_external_memory_win32',
        'VK_KHR_external_semaphore_win32',
        'VK_KHR_win32_keyed_mutex',
        'VK_KHR_win32_surface',
    ],
    'provisional': [
        'VK_EXT_video_encode_h264',
        'VK_EXT_video_encode_h265',
        'VK_KHR_portability_subset',
        'VK_KHR_video_encode_queue',
    ],
    "the loader's or a layer's": [
        'VK_EXT_debug_marker',
        'VK_EXT_debug_report',
        'VK_EXT_debug_utils',
        'VK_EXT_tooling_info',
        'VK_EXT_validation_cache',
        'VK_EXT_validation_features',
        'VK_EXT_validation_flags',
        'VK_KHR_portability_enumeration',
    ],
    'wants a display engine, which the simulated GPU lacks': [
        'VK_EXT_acquire_drm_display',
        'VK_EXT_acquire_xlib_display',
        'VK_EXT_direct_mode_display',
        'VK_EXT_display_control',
        'VK_EXT_display_surface_counter',
        'VK_KHR_display',
        'VK_KHR_display_swapchain',
        'VK_KHR_get_display_properties2',
    ],
}
