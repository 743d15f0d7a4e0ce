/* SPDX-License-Identifier: MIT */
/*
 * libsaffron-d3d: Direct3D shader bytecode to SPIR-V and text, what a shader
 * reads and writes, root signatures.
 *
 * Functions, structures and numbers are those of vkd3d-shader 1.2 (its ABI,
 * as Debian 12 has it), so that a program that is built for one runs with
 * the other. Beside that there are Direct3D 9's bytecode as a source and
 * assembly text as a target, with the numbers that later versions of
 * vkd3d-shader have for them, and HLSL where the system has such a version:
 * it makes the bytecode. docs/d3d.rst lists what differs.
 *
 * Functions return VKD3D_OK or a negative number. `messages`, where it is
 * given, is NULL or text that vkd3d_shader_free_messages() releases: a line
 * "NAME:OFFSET: error: SENTENCE", of HLSL lines "NAME:LINE:COLUMN: CODE:
 * SENTENCE". What a function gives is released by the
 * function that is named after it. No function ends the process; all may be
 * called by any thread.
 */
#ifndef SAFFRON_D3D_SHADER_H
#define SAFFRON_D3D_SHADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum vkd3d_result {
   VKD3D_OK = 0,
   VKD3D_ERROR = -1,
   VKD3D_ERROR_OUT_OF_MEMORY = -2,
   VKD3D_ERROR_INVALID_ARGUMENT = -3,
   VKD3D_ERROR_INVALID_SHADER = -4,
   VKD3D_ERROR_NOT_IMPLEMENTED = -5,
   VKD3D_RESULT_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_structure_type {
   VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
   VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO,
   VKD3D_SHADER_STRUCTURE_TYPE_SCAN_DESCRIPTOR_INFO,
   VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_DOMAIN_SHADER_TARGET_INFO,
   VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO,
   VKD3D_SHADER_STRUCTURE_TYPE_TRANSFORM_FEEDBACK_INFO,
   VKD3D_SHADER_STRUCTURE_TYPE_HLSL_SOURCE_INFO,
   VKD3D_SHADER_STRUCTURE_TYPE_PREPROCESS_INFO,
   VKD3D_SHADER_STRUCTURE_TYPE_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_compile_option_name {
   VKD3D_SHADER_COMPILE_OPTION_STRIP_DEBUG = 1,
   VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV = 2,
   VKD3D_SHADER_COMPILE_OPTION_FORMATTING = 3,
   VKD3D_SHADER_COMPILE_OPTION_PACK_MATRIX_ORDER = 7,
   VKD3D_SHADER_COMPILE_OPTION_BACKWARD_COMPATIBILITY = 8,
   VKD3D_SHADER_COMPILE_OPTION_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_compile_option {
   enum vkd3d_shader_compile_option_name name;
   unsigned int value;
};

enum vkd3d_shader_compile_option_pack_matrix_order {
   VKD3D_SHADER_COMPILE_OPTION_PACK_MATRIX_ROW_MAJOR = 1,
   VKD3D_SHADER_COMPILE_OPTION_PACK_MATRIX_COLUMN_MAJOR = 2,
};

enum vkd3d_shader_compile_option_backward_compatibility {
   VKD3D_SHADER_COMPILE_OPTION_BACKCOMPAT_MAP_SEMANTIC_NAMES = 1,
   VKD3D_SHADER_COMPILE_OPTION_DOUBLE_AS_FLOAT_ALIAS = 2,
};

enum vkd3d_shader_visibility {
   VKD3D_SHADER_VISIBILITY_ALL,
   VKD3D_SHADER_VISIBILITY_VERTEX,
   VKD3D_SHADER_VISIBILITY_HULL,
   VKD3D_SHADER_VISIBILITY_DOMAIN,
   VKD3D_SHADER_VISIBILITY_GEOMETRY,
   VKD3D_SHADER_VISIBILITY_PIXEL,
   VKD3D_SHADER_VISIBILITY_COMPUTE = 1000000000,
   VKD3D_SHADER_VISIBILITY_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_code {
   const void *code;
   size_t size; /* bytes */
};

enum vkd3d_shader_descriptor_type {
   VKD3D_SHADER_DESCRIPTOR_TYPE_SRV,
   VKD3D_SHADER_DESCRIPTOR_TYPE_UAV,
   VKD3D_SHADER_DESCRIPTOR_TYPE_CBV,
   VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER,
   VKD3D_SHADER_DESCRIPTOR_TYPE_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_descriptor_binding {
   unsigned int set, binding, count;
};

enum vkd3d_shader_binding_flag {
   VKD3D_SHADER_BINDING_FLAG_BUFFER = 1,
   VKD3D_SHADER_BINDING_FLAG_IMAGE = 2,
   VKD3D_SHADER_BINDING_FLAG_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_parameter_type {
   VKD3D_SHADER_PARAMETER_TYPE_UNKNOWN,
   VKD3D_SHADER_PARAMETER_TYPE_IMMEDIATE_CONSTANT,
   VKD3D_SHADER_PARAMETER_TYPE_SPECIALIZATION_CONSTANT,
   VKD3D_SHADER_PARAMETER_TYPE_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_parameter_data_type {
   VKD3D_SHADER_PARAMETER_DATA_TYPE_UNKNOWN,
   VKD3D_SHADER_PARAMETER_DATA_TYPE_UINT32,
   VKD3D_SHADER_PARAMETER_DATA_TYPE_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_parameter_name {
   VKD3D_SHADER_PARAMETER_NAME_UNKNOWN,
   VKD3D_SHADER_PARAMETER_NAME_RASTERIZER_SAMPLE_COUNT,
   VKD3D_SHADER_PARAMETER_NAME_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_parameter_immediate_constant {
   union {
      uint32_t u32;
   } u;
};

struct vkd3d_shader_parameter_specialization_constant {
   uint32_t id;
};

struct vkd3d_shader_parameter {
   enum vkd3d_shader_parameter_name name;
   enum vkd3d_shader_parameter_type type;
   enum vkd3d_shader_parameter_data_type data_type;
   union {
      struct vkd3d_shader_parameter_immediate_constant immediate_constant;
      struct vkd3d_shader_parameter_specialization_constant
         specialization_constant;
   } u;
};

/* Where a register of the shader is for Vulkan. */
struct vkd3d_shader_resource_binding {
   enum vkd3d_shader_descriptor_type type;
   unsigned int register_space, register_index;
   enum vkd3d_shader_visibility shader_visibility;
   unsigned int flags; /* enum vkd3d_shader_binding_flag */
   struct vkd3d_shader_descriptor_binding binding;
};

#define VKD3D_SHADER_DUMMY_SAMPLER_INDEX ~0u

struct vkd3d_shader_combined_resource_sampler {
   unsigned int resource_space, resource_index;
   unsigned int sampler_space, sampler_index;
   enum vkd3d_shader_visibility shader_visibility;
   unsigned int flags;
   struct vkd3d_shader_descriptor_binding binding;
};

struct vkd3d_shader_uav_counter_binding {
   unsigned int register_space, register_index;
   enum vkd3d_shader_visibility shader_visibility;
   struct vkd3d_shader_descriptor_binding binding;
   unsigned int offset;
};

struct vkd3d_shader_push_constant_buffer {
   unsigned int register_space, register_index;
   enum vkd3d_shader_visibility shader_visibility;
   unsigned int offset, size; /* bytes */
};

struct vkd3d_shader_interface_info {
   enum vkd3d_shader_structure_type type;
   const void *next;
   const struct vkd3d_shader_resource_binding *bindings;
   unsigned int binding_count;
   const struct vkd3d_shader_push_constant_buffer *push_constant_buffers;
   unsigned int push_constant_buffer_count;
   const struct vkd3d_shader_combined_resource_sampler *combined_samplers;
   unsigned int combined_sampler_count;
   const struct vkd3d_shader_uav_counter_binding *uav_counters;
   unsigned int uav_counter_count;
};

struct vkd3d_shader_transform_feedback_element {
   unsigned int stream_index;
   const char *semantic_name;
   unsigned int semantic_index;
   uint8_t component_index, component_count, output_slot;
};

struct vkd3d_shader_transform_feedback_info {
   enum vkd3d_shader_structure_type type;
   const void *next;
   const struct vkd3d_shader_transform_feedback_element *elements;
   unsigned int element_count;
   const unsigned int *buffer_strides;
   unsigned int buffer_stride_count;
};

enum vkd3d_shader_source_type {
   VKD3D_SHADER_SOURCE_NONE,
   VKD3D_SHADER_SOURCE_DXBC_TPF,
   VKD3D_SHADER_SOURCE_HLSL,
   VKD3D_SHADER_SOURCE_D3D_BYTECODE,
   VKD3D_SHADER_SOURCE_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_target_type {
   VKD3D_SHADER_TARGET_NONE,
   VKD3D_SHADER_TARGET_SPIRV_BINARY,
   VKD3D_SHADER_TARGET_SPIRV_TEXT,
   VKD3D_SHADER_TARGET_D3D_ASM,
   VKD3D_SHADER_TARGET_D3D_BYTECODE, /* of HLSL */
   VKD3D_SHADER_TARGET_DXBC_TPF,     /* of HLSL */
   VKD3D_SHADER_TARGET_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_log_level {
   VKD3D_SHADER_LOG_NONE,
   VKD3D_SHADER_LOG_ERROR,
   VKD3D_SHADER_LOG_WARNING,
   VKD3D_SHADER_LOG_INFO,
   VKD3D_SHADER_LOG_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_compile_info {
   enum vkd3d_shader_structure_type type;
   const void *next; /* interface, target, domain shader, descriptors */
   struct vkd3d_shader_code source;
   enum vkd3d_shader_source_type source_type;
   enum vkd3d_shader_target_type target_type;
   const struct vkd3d_shader_compile_option *options;
   unsigned int option_count;
   enum vkd3d_shader_log_level log_level;
   const char *source_name; /* for messages; may be NULL */
};

/* What HLSL is compiled by. */
struct vkd3d_shader_hlsl_source_info {
   enum vkd3d_shader_structure_type type;
   const void *next;
   const char *entry_point; /* NULL: "main" */
   struct vkd3d_shader_code secondary_code;
   const char *profile; /* as in "ps_5_0" */
};

struct vkd3d_shader_macro {
   const char *name, *value;
};

typedef int (*PFN_vkd3d_shader_open_include)(const char *filename, bool local,
                                             const char *parent_data,
                                             void *context,
                                             struct vkd3d_shader_code *out);
typedef void (*PFN_vkd3d_shader_close_include)(
   const struct vkd3d_shader_code *code, void *context);

struct vkd3d_shader_preprocess_info {
   enum vkd3d_shader_structure_type type;
   const void *next;
   const struct vkd3d_shader_macro *macros;
   unsigned int macro_count;
   PFN_vkd3d_shader_open_include pfn_open_include;
   PFN_vkd3d_shader_close_include pfn_close_include;
   void *include_context;
};

enum vkd3d_shader_spirv_environment {
   VKD3D_SHADER_SPIRV_ENVIRONMENT_NONE,
   VKD3D_SHADER_SPIRV_ENVIRONMENT_OPENGL_4_5,
   VKD3D_SHADER_SPIRV_ENVIRONMENT_VULKAN_1_0,
   VKD3D_SHADER_SPIRV_ENVIRONMENT_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_spirv_extension {
   VKD3D_SHADER_SPIRV_EXTENSION_NONE,
   VKD3D_SHADER_SPIRV_EXTENSION_EXT_DEMOTE_TO_HELPER_INVOCATION,
   VKD3D_SHADER_SPIRV_EXTENSION_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_spirv_target_info {
   enum vkd3d_shader_structure_type type;
   const void *next;
   const char *entry_point; /* NULL: "main" */
   enum vkd3d_shader_spirv_environment environment;
   const enum vkd3d_shader_spirv_extension *extensions;
   unsigned int extension_count;
   const struct vkd3d_shader_parameter *parameters;
   unsigned int parameter_count;
   bool dual_source_blending;
   const unsigned int *output_swizzles;
   unsigned int output_swizzle_count;
};

enum vkd3d_shader_tessellator_output_primitive {
   VKD3D_SHADER_TESSELLATOR_OUTPUT_POINT = 1,
   VKD3D_SHADER_TESSELLATOR_OUTPUT_LINE,
   VKD3D_SHADER_TESSELLATOR_OUTPUT_TRIANGLE_CW,
   VKD3D_SHADER_TESSELLATOR_OUTPUT_TRIANGLE_CCW,
   VKD3D_SHADER_TESSELLATOR_OUTPUT_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_tessellator_partitioning {
   VKD3D_SHADER_TESSELLATOR_PARTITIONING_INTEGER = 1,
   VKD3D_SHADER_TESSELLATOR_PARTITIONING_POW2,
   VKD3D_SHADER_TESSELLATOR_PARTITIONING_FRACTIONAL_ODD,
   VKD3D_SHADER_TESSELLATOR_PARTITIONING_FRACTIONAL_EVEN,
   VKD3D_SHADER_TESSELLATOR_PARTITIONING_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_spirv_domain_shader_target_info {
   enum vkd3d_shader_structure_type type;
   const void *next;
   enum vkd3d_shader_tessellator_output_primitive output_primitive;
   enum vkd3d_shader_tessellator_partitioning partitioning;
};

/* --- Root signatures ---------------------------------------------------- */

struct vkd3d_shader_static_sampler_desc {
   uint32_t filter; /* as D3D12_FILTER */
   uint32_t address_u, address_v, address_w;
   float mip_lod_bias;
   unsigned int max_anisotropy;
   uint32_t comparison_func, border_colour;
   float min_lod, max_lod;
   unsigned int shader_register, register_space;
   enum vkd3d_shader_visibility shader_visibility;
};

enum vkd3d_shader_root_parameter_type {
   VKD3D_SHADER_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE,
   VKD3D_SHADER_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
   VKD3D_SHADER_ROOT_PARAMETER_TYPE_CBV,
   VKD3D_SHADER_ROOT_PARAMETER_TYPE_SRV,
   VKD3D_SHADER_ROOT_PARAMETER_TYPE_UAV,
   VKD3D_SHADER_ROOT_PARAMETER_TYPE_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_descriptor_range {
   enum vkd3d_shader_descriptor_type range_type;
   unsigned int descriptor_count, base_shader_register, register_space;
   unsigned int descriptor_table_offset;
};

struct vkd3d_shader_descriptor_range1 {
   enum vkd3d_shader_descriptor_type range_type;
   unsigned int descriptor_count, base_shader_register, register_space;
   uint32_t flags;
   unsigned int descriptor_table_offset;
};

struct vkd3d_shader_root_descriptor_table {
   unsigned int descriptor_range_count;
   const struct vkd3d_shader_descriptor_range *descriptor_ranges;
};

struct vkd3d_shader_root_descriptor {
   unsigned int shader_register, register_space;
};

struct vkd3d_shader_root_constants {
   unsigned int shader_register, register_space, value_count;
};

struct vkd3d_shader_root_parameter {
   enum vkd3d_shader_root_parameter_type parameter_type;
   union {
      struct vkd3d_shader_root_descriptor_table descriptor_table;
      struct vkd3d_shader_root_constants constants;
      struct vkd3d_shader_root_descriptor descriptor;
   } u;
   enum vkd3d_shader_visibility shader_visibility;
};

struct vkd3d_shader_root_signature_desc {
   unsigned int parameter_count;
   const struct vkd3d_shader_root_parameter *parameters;
   unsigned int static_sampler_count;
   const struct vkd3d_shader_static_sampler_desc *static_samplers;
   uint32_t flags;
};

struct vkd3d_shader_root_descriptor_table1 {
   unsigned int descriptor_range_count;
   const struct vkd3d_shader_descriptor_range1 *descriptor_ranges;
};

struct vkd3d_shader_root_descriptor1 {
   unsigned int shader_register, register_space;
   uint32_t flags;
};

struct vkd3d_shader_root_parameter1 {
   enum vkd3d_shader_root_parameter_type parameter_type;
   union {
      struct vkd3d_shader_root_descriptor_table1 descriptor_table;
      struct vkd3d_shader_root_constants constants;
      struct vkd3d_shader_root_descriptor1 descriptor;
   } u;
   enum vkd3d_shader_visibility shader_visibility;
};

struct vkd3d_shader_root_signature_desc1 {
   unsigned int parameter_count;
   const struct vkd3d_shader_root_parameter1 *parameters;
   unsigned int static_sampler_count;
   const struct vkd3d_shader_static_sampler_desc *static_samplers;
   uint32_t flags;
};

enum vkd3d_shader_root_signature_version {
   VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0 = 1,
   VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1 = 2,
   VKD3D_SHADER_ROOT_SIGNATURE_VERSION_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_versioned_root_signature_desc {
   enum vkd3d_shader_root_signature_version version;
   union {
      struct vkd3d_shader_root_signature_desc v_1_0;
      struct vkd3d_shader_root_signature_desc1 v_1_1;
   } u;
};

/* --- What a shader reads ------------------------------------------------ */

enum vkd3d_shader_resource_type {
   VKD3D_SHADER_RESOURCE_NONE,
   VKD3D_SHADER_RESOURCE_BUFFER,
   VKD3D_SHADER_RESOURCE_TEXTURE_1D,
   VKD3D_SHADER_RESOURCE_TEXTURE_2D,
   VKD3D_SHADER_RESOURCE_TEXTURE_2DMS,
   VKD3D_SHADER_RESOURCE_TEXTURE_3D,
   VKD3D_SHADER_RESOURCE_TEXTURE_CUBE,
   VKD3D_SHADER_RESOURCE_TEXTURE_1DARRAY,
   VKD3D_SHADER_RESOURCE_TEXTURE_2DARRAY,
   VKD3D_SHADER_RESOURCE_TEXTURE_2DMSARRAY,
   VKD3D_SHADER_RESOURCE_TEXTURE_CUBEARRAY,
   VKD3D_SHADER_RESOURCE_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_resource_data_type {
   VKD3D_SHADER_RESOURCE_DATA_UNORM = 1,
   VKD3D_SHADER_RESOURCE_DATA_SNORM,
   VKD3D_SHADER_RESOURCE_DATA_INT,
   VKD3D_SHADER_RESOURCE_DATA_UINT,
   VKD3D_SHADER_RESOURCE_DATA_FLOAT,
   VKD3D_SHADER_RESOURCE_DATA_FORCE_32BIT = 0x7fffffff,
};

enum vkd3d_shader_descriptor_info_flag {
   VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_UAV_COUNTER = 1,
   VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_UAV_READ = 2,
   VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_SAMPLER_COMPARISON_MODE = 4,
   VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_FORCE_32BIT = 0x7fffffff,
};

struct vkd3d_shader_descriptor_info {
   enum vkd3d_shader_descriptor_type type;
   unsigned int register_space, register_index;
   enum vkd3d_shader_resource_type resource_type;
   enum vkd3d_shader_resource_data_type resource_data_type;
   unsigned int flags; /* enum vkd3d_shader_descriptor_info_flag */
   unsigned int count; /* UINT_MAX: without an end */
};

struct vkd3d_shader_scan_descriptor_info {
   enum vkd3d_shader_structure_type type;
   const void *next;
   struct vkd3d_shader_descriptor_info *descriptors;
   unsigned int descriptor_count;
};

struct vkd3d_shader_signature_element {
   const char *semantic_name;
   unsigned int semantic_index, stream_index;
   uint32_t sysval_semantic; /* as D3D_NAME */
   uint32_t component_type;  /* as D3D_REGISTER_COMPONENT_TYPE */
   unsigned int register_index, mask, used_mask;
   uint32_t min_precision;
};

struct vkd3d_shader_signature {
   struct vkd3d_shader_signature_element *elements;
   unsigned int element_count;
};

/* --- Functions ---------------------------------------------------------- */

#pragma GCC visibility push(default)

const char *vkd3d_shader_get_version(unsigned int *major,
                                     unsigned int *minor);
const enum vkd3d_shader_source_type *
vkd3d_shader_get_supported_source_types(unsigned int *count);
const enum vkd3d_shader_target_type *vkd3d_shader_get_supported_target_types(
   enum vkd3d_shader_source_type source_type, unsigned int *count);

int vkd3d_shader_compile(const struct vkd3d_shader_compile_info *info,
                         struct vkd3d_shader_code *out, char **messages);
/* HLSL without its directives; VKD3D_ERROR_NOT_IMPLEMENTED where HLSL cannot
 * be compiled. */
int vkd3d_shader_preprocess(const struct vkd3d_shader_compile_info *info,
                            struct vkd3d_shader_code *out, char **messages);
/* Fills the vkd3d_shader_scan_descriptor_info that info->next leads to. */
int vkd3d_shader_scan(const struct vkd3d_shader_compile_info *info,
                      char **messages);
void vkd3d_shader_free_messages(char *messages);
void vkd3d_shader_free_shader_code(struct vkd3d_shader_code *code);
void vkd3d_shader_free_scan_descriptor_info(
   struct vkd3d_shader_scan_descriptor_info *info);

int
vkd3d_shader_parse_input_signature(const struct vkd3d_shader_code *dxbc,
                                   struct vkd3d_shader_signature *signature,
                                   char **messages);
/* NULL: there is none. Case of the name does not count. */
struct vkd3d_shader_signature_element *vkd3d_shader_find_signature_element(
   const struct vkd3d_shader_signature *signature, const char *semantic_name,
   unsigned int semantic_index, unsigned int stream_index);
void
vkd3d_shader_free_shader_signature(struct vkd3d_shader_signature *signature);

int vkd3d_shader_parse_root_signature(
   const struct vkd3d_shader_code *dxbc,
   struct vkd3d_shader_versioned_root_signature_desc *root_signature,
   char **messages);
int vkd3d_shader_serialize_root_signature(
   const struct vkd3d_shader_versioned_root_signature_desc *root_signature,
   struct vkd3d_shader_code *dxbc, char **messages);
int vkd3d_shader_convert_root_signature(
   struct vkd3d_shader_versioned_root_signature_desc *dst,
   enum vkd3d_shader_root_signature_version version,
   const struct vkd3d_shader_versioned_root_signature_desc *src);
void vkd3d_shader_free_root_signature(
   struct vkd3d_shader_versioned_root_signature_desc *root_signature);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
