/* SPDX-License-Identifier: MIT */
/*
 * Graphics pipelines: compiled shaders, and the fixed-function state as it
 * was given. Packets are made from both when a command buffer needs them.
 */
#ifndef SAF_PIPELINE_H
#define SAF_PIPELINE_H

#include "intel/vulkan/saf_private.h"

/* ---- dynamic state ---- */

struct saf_stencil_side {
   uint8_t compare_mask, write_mask, reference;
   VkStencilOp fail, pass, depth_fail;
   VkCompareOp compare;
};

struct saf_dynamic_state {
   VkViewport viewports[SAF_MAX_VIEWPORTS];
   VkRect2D scissors[SAF_MAX_VIEWPORTS];
   uint32_t viewport_count; /* and as many scissors */
   VkPrimitiveTopology topology;
   bool primitive_restart;
   bool rasterizer_discard;
   VkCullModeFlags cull_mode;
   VkFrontFace front_face;
   bool depth_bias;
   bool depth_test, depth_write, stencil_test;
   VkCompareOp depth_compare;
   float line_width;
   uint32_t line_stipple_factor;
   uint16_t line_stipple_pattern;
   float depth_bias_constant, depth_bias_clamp, depth_bias_slope;
   float blend_constants[4];
   struct saf_stencil_side front, back;
};

enum saf_dynamic_bit {
   SAF_DYNAMIC_VIEWPORT = 1u << 0,
   SAF_DYNAMIC_SCISSOR = 1u << 1,
   SAF_DYNAMIC_LINE_WIDTH = 1u << 2,
   SAF_DYNAMIC_DEPTH_BIAS = 1u << 3,
   SAF_DYNAMIC_BLEND_CONSTANTS = 1u << 4,
   SAF_DYNAMIC_STENCIL_COMPARE_MASK = 1u << 5,
   SAF_DYNAMIC_STENCIL_WRITE_MASK = 1u << 6,
   SAF_DYNAMIC_STENCIL_REFERENCE = 1u << 7,
   SAF_DYNAMIC_LINE_STIPPLE = 1u << 8,
   SAF_DYNAMIC_VIEWPORT_COUNT = 1u << 9,
   SAF_DYNAMIC_TOPOLOGY = 1u << 10,
   SAF_DYNAMIC_PRIMITIVE_RESTART = 1u << 11,
   SAF_DYNAMIC_RASTERIZER_DISCARD = 1u << 12,
   SAF_DYNAMIC_CULL_MODE = 1u << 13,
   SAF_DYNAMIC_FRONT_FACE = 1u << 14,
   SAF_DYNAMIC_DEPTH_BIAS_ENABLE = 1u << 15,
   SAF_DYNAMIC_DEPTH_TEST = 1u << 16,
   SAF_DYNAMIC_DEPTH_WRITE = 1u << 17,
   SAF_DYNAMIC_DEPTH_COMPARE = 1u << 18,
   SAF_DYNAMIC_STENCIL_TEST = 1u << 19,
   SAF_DYNAMIC_STENCIL_OP = 1u << 20,
   SAF_DYNAMIC_VERTEX_STRIDE = 1u << 21,
};

/* Dynamic as well, but handed to what writes packets in a copy of the
 * pipeline: saf_late_state.c. */
enum saf_late_bit {
   SAF_LATE_VERTEX_INPUT = 1u << 0,
   SAF_LATE_COLOR_WRITES = 1u << 1,
   SAF_LATE_DOMAIN_ORIGIN = 1u << 2,
   SAF_LATE_DEPTH_CLAMP = 1u << 3,
   SAF_LATE_POLYGON_MODE = 1u << 4,
   SAF_LATE_SAMPLE_MASK = 1u << 5,
   SAF_LATE_ALPHA_TO_ONE = 1u << 6,
   SAF_LATE_LOGIC_OP_ENABLE = 1u << 7,
   SAF_LATE_LOGIC_OP = 1u << 8,
   SAF_LATE_BLEND_ENABLE = 1u << 9,
   SAF_LATE_BLEND_EQUATION = 1u << 10,
   SAF_LATE_WRITE_MASK = 1u << 11,
   SAF_LATE_DEPTH_CLIP = 1u << 12,
   SAF_LATE_PROVOKING_VERTEX = 1u << 13,
   SAF_LATE_LINE_MODE = 1u << 14,
   SAF_LATE_LINE_STIPPLE = 1u << 15,
   SAF_LATE_NEGATIVE_ONE_TO_ONE = 1u << 16,
   SAF_LATE_CONSERVATIVE = 1u << 17,
   SAF_LATE_OWN_POSITIONS = 1u << 18,
   SAF_LATE_POSITIONS = 1u << 19,
   /* Shaders are compiled for these: saf_pipeline_variants.c. */
   SAF_LATE_PATCH = 1u << 20,
   SAF_LATE_SAMPLES = 1u << 21,
   SAF_LATE_ALPHA_TO_COVERAGE = 1u << 22,
   SAF_LATE_STREAM = 1u << 23,
};

/* ---- shaders ---- */

/* A set number that stands for the surfaces of a meta operation. */
#define SAF_SET_META 0xff

/* And one for the stage's block of struct saf_surface_info. */
#define SAF_SET_INFO 0xfe

/* And one for the records of a descriptor set, whose number is the
 * binding's. */
#define SAF_SET_RECORDS 0xfd

struct saf_binding {
   uint8_t set;
   /* 0, or 1 + which of struct saf_descriptor::others: enum
    * saf_storage_part, or a plane. */
   uint8_t part;
   uint32_t binding, element;
};

/* Entries of a binding table (after the render targets) and samplers. */
struct saf_bind_map {
   uint32_t surface_start; /* entries that render targets take */
   uint32_t surface_count, sampler_count;
   struct saf_binding surfaces[SAF_MAX_BINDING_TABLE];
   struct saf_binding samplers[SAF_MAX_SAMPLERS];
};

struct saf_xfb_output {
   uint8_t buffer;
   uint8_t location;       /* VARYING_SLOT_* */
   uint8_t component_mask; /* of the slot, contiguous */
   uint8_t stream;         /* of a geometry shader */
   uint16_t offset_B;      /* in the vertex' record */
};

struct saf_xfb_info {
   uint32_t output_count;
   struct saf_xfb_output outputs[128];
   uint8_t buffers_written;
   uint8_t buffers_of_stream[SAF_MAX_XFB_STREAMS];
   uint16_t stride_B[SAF_MAX_XFB_BUFFERS];
};

/* What a pipeline was asked to keep for who looks into it. */
struct saf_capture {
   struct intel_compile_stats stats[3];
   char *listing; /* as INTEL_DEBUG prints; from malloc() */
};

struct saf_shader {
   uint32_t refs;
   gl_shader_stage stage;
   struct saf_state kernel; /* in the instruction pool */
   union {
      struct intel_stage_prog_data base;
      struct intel_vs_prog_data vs;
      struct intel_tcs_prog_data tcs;
      struct intel_tes_prog_data tes;
      struct intel_gs_prog_data gs;
      struct intel_wm_prog_data wm;
      struct intel_cs_prog_data cs;
   } prog;
   struct saf_bind_map map;
   struct saf_xfb_info *xfb;      /* NULL: none */
   struct saf_bo *scratch;        /* NULL: none */
   struct saf_cache_entry *entry; /* NULL: not in the cache */
   struct saf_capture *capture;   /* NULL: nothing; then it is in no cache */
};

/* ---- pipelines ---- */

#define SAF_GRAPHICS_STAGES (MESA_SHADER_FRAGMENT + 1)
#define SAF_STAGES (MESA_SHADER_COMPUTE + 1)

#define SAF_MAX_PATCH_POINTS 32

struct saf_vertex_attribute {
   bool valid;
   uint32_t binding;
   enum isl_format format;
   uint32_t offset_B;
};

struct saf_vertex_input_binding {
   bool valid;
   uint32_t stride_B;
   bool per_instance;
   uint32_t divisor; /* 0: the same for all instances */
};

struct saf_blend_target {
   bool enable;
   VkBlendFactor src_color, dst_color, src_alpha, dst_alpha;
   VkBlendOp color_op, alpha_op;
   VkColorComponentFlags write_mask;
};

/* State that may be dynamic though shaders are compiled for it, all of it
 * (saf_pipeline_variants.c). No padding: memcmp() compares it. */
struct saf_pipeline_key {
   uint32_t patch_control_points;
   uint32_t samples;
   uint32_t rasterization_stream;
   bool alpha_to_coverage;
   uint8_t zero[3];
   /* Of attributes that come in another format:
    * saf_lower_vertex_formats(). */
   enum isl_format lowered_formats[SAF_MAX_VERTEX_ATTRIBS];
};
static_assert(sizeof(struct saf_pipeline_key) ==
                 4 * sizeof(uint32_t) +
                    SAF_MAX_VERTEX_ATTRIBS * sizeof(enum isl_format),
              "padding");

struct saf_pipeline {
   VkAllocationCallbacks alloc_copy;
   struct saf_pipeline_library *library; /* then nothing else; or NULL */
   /* By gl_shader_stage, NULL where there is none: of a compute pipeline
    * only the last, of others never that and always the first. */
   struct saf_shader *shaders[SAF_STAGES];
   struct saf_variants *variants; /* NULL: nothing of them is dynamic */
   const struct saf_shader *last; /* before rasterisation */
   struct intel_vue_outputs out;  /* of the last */
   struct saf_pipeline_key key;
   uint32_t dynamic; /* saf_dynamic_bit: not from the pipeline */
   uint32_t late;    /* saf_late_bit: nor this */
   /* Of what is dynamic, the topology is one of the same class. */
   struct saf_dynamic_state state;

   struct saf_vertex_attribute attributes[SAF_MAX_VERTEX_ATTRIBS];
   struct saf_vertex_input_binding bindings[SAF_MAX_VERTEX_BINDINGS];

   /* Stages, by number, for which what is after the end of a uniform buffer
    * is zero in registers, too: robustBufferAccess2. */
   uint32_t exact_uniforms;

   /* Of the driver's own draws (clears, copies): queries do not count
    * them. */
   bool internal;

   bool domain_origin_lower_left;
   uint32_t view_mask; /* each draw is made once for each; or 0 */

   bool depth_clamp, depth_clip;
   bool clips_if_not_clamped; /* nothing else was said of clipping */
   bool conservative;         /* all pixels that triangles touch */
   bool negative_one_to_one;  /* depth in clip space */
   VkPolygonMode polygon_mode;
   bool provoking_last;
   VkLineRasterizationModeEXT line_mode; /* settled: not DEFAULT */
   bool line_stipple;

   uint32_t sample_mask;
   bool alpha_to_one;
   bool own_positions; /* of samples, in sixteenths of a pixel */
   uint8_t positions[SAF_MAX_SAMPLES][2];

   bool logic_op_enable;
   VkLogicOp logic_op;
   uint32_t logic_op_targets; /* attachments of formats that take them */
   uint32_t color_writes;     /* attachments that are written at all */
   uint32_t color_count;      /* attachments of the subpass */
   struct saf_blend_target blend[SAF_MAX_RTS];
};

SAF_NONDISPATCHABLE(saf_pipeline, VkPipeline)

static inline const struct intel_vs_prog_data *
saf_pipeline_vs(const struct saf_pipeline *p)
{
   return &p->shaders[MESA_SHADER_VERTEX]->prog.vs;
}

/* NULL: no fragment is shaded. */
static inline const struct intel_wm_prog_data *
saf_pipeline_fs(const struct saf_pipeline *p)
{
   return p->shaders[MESA_SHADER_FRAGMENT]
             ? &p->shaders[MESA_SHADER_FRAGMENT]->prog.wm
             : NULL;
}

#define SAF_MODULE_ID_B 16

/* The shader modules that the API gave; of one known by its identifier alone
 * there is no code, and caches may know what was made of it. */
struct saf_shader_module {
   uint8_t id[SAF_MODULE_ID_B];
   size_t size_B;
   uint32_t words[];
};

SAF_NONDISPATCHABLE(saf_shader_module, VkShaderModule)

/* `module` has room for the code behind it. */
void saf_shader_module_fill(struct saf_shader_module *module,
                            const VkShaderModuleCreateInfo *info);

struct saf_pipeline_cache;
SAF_NONDISPATCHABLE(saf_pipeline_cache, VkPipelineCache)

/* Makes a hardware kernel of a compiled shader. */
VkResult saf_shader_create(struct saf_device *device,
                           const struct intel_shader *bin,
                           const struct saf_bind_map *map,
                           const struct saf_xfb_info *xfb,
                           struct saf_shader **out);
void saf_shader_unref(struct saf_device *device, struct saf_shader *shader);

static inline struct saf_shader *
saf_shader_ref(struct saf_shader *shader)
{
   if (shader)
      __atomic_add_fetch(&shader->refs, 1, __ATOMIC_RELAXED);
   return shader;
}

/* Runs driver lowering and the compiler over NIR of a meta shader, whose
 * resources have set SAF_SET_META. Takes the shader over. */
VkResult saf_compile_meta(struct saf_device *device, nir_shader *nir,
                          const union intel_key *key,
                          struct saf_shader **out);

/* Replaces derefs of resources by binding-table indices, and fills *map. */
bool saf_nir_apply_pipeline_layout(const struct intel_device_info *info,
                                   nir_shader *nir,
                                   const struct saf_pipeline_layout *layout,
                                   uint32_t surface_start,
                                   struct saf_bind_map *map);

/* After that: one entry for all channels at a time. */
bool saf_nir_lower_non_uniform(nir_shader *nir);

/* After that: loads of storage images by what this device can read. */
bool saf_nir_lower_storage_loads(nir_shader *nir,
                                 const struct intel_device_info *info,
                                 struct saf_bind_map *map);

/* And images of several samples, of which messages know none: slices. */
bool saf_nir_lower_sample_images(nir_shader *nir, struct saf_bind_map *map);

/* And the swizzles of views, where surface states have none. */
bool saf_nir_lower_view_swizzles(nir_shader *nir, struct saf_bind_map *map);

/* Vertex attributes in formats that the device does not fetch, by location
 * (ISL_FORMAT_UNSUPPORTED for all others): each is fetched in the format that
 * saf_vertex_fetch_format() says. */
bool saf_nir_lower_vertex_formats(nir_shader *nir,
                                  const enum isl_format *formats);

struct saf_vertex_attribute
saf_vertex_attribute(const struct intel_device_info *info, uint32_t binding,
                     VkFormat format, uint32_t offset_B);

/* What the device does not fetch comes as a dword, or as floats, of which the
 * vertex shader makes it: ISL_FORMAT_UNSUPPORTED in lowered_formats is what
 * it fetches. */
void saf_lower_vertex_formats(const struct intel_device_info *info,
                              struct saf_pipeline *p);

/* saf_late_bit of what is dynamic; NULL: nothing. */
uint32_t saf_late_bits(const VkPipelineDynamicStateCreateInfo *info);

/* ---- variants ---- */

/* Whether what shaders are compiled for is dynamic. */
bool saf_pipeline_may_vary(const struct intel_device_info *info,
                           const VkPipelineDynamicStateCreateInfo *dynamic);

struct saf_pipeline_library;

/* Of what variants will be made; takes it over, in case of an error, too. */
VkResult saf_pipeline_keep_source(struct saf_device *device,
                                  struct saf_pipeline *p,
                                  struct saf_pipeline_library *source);
void saf_pipeline_drop_variants(struct saf_device *device,
                                struct saf_pipeline *p);

/* `p` is `bound` with other state: has its shaders be for that. */
VkResult saf_pipeline_take_variant(struct saf_device *device,
                                   struct saf_pipeline *p,
                                   const struct saf_pipeline *bound);

/* Compiles what `info` says, but for the state of `key`. The shaders of `p`
 * are the caller's, in case of an error, too. */
VkResult saf_pipeline_compile_for(struct saf_device *device,
                                  struct saf_pipeline *p,
                                  const VkGraphicsPipelineCreateInfo *info,
                                  const struct saf_pipeline_key *key);
void saf_pipeline_unref_shaders(struct saf_device *device,
                                struct saf_pipeline *p);

/* All that is not shaders or targets. */
void saf_pipeline_fill_state(const struct saf_device *device,
                             struct saf_pipeline *p,
                             const VkGraphicsPipelineCreateInfo *info);

/* No fragment is ever shaded. */
bool saf_pipeline_discards_all(const struct saf_pipeline *p);

/* Makes one thing of what several fields say together; at the end of a
 * pipeline's creation, or where what is late is known. */
void saf_pipeline_settle(struct saf_pipeline *p);

void saf_fill_positions(uint8_t out[SAF_MAX_SAMPLES][2],
                        const VkSampleLocationsInfoEXT *info);

void saf_pipeline_destroy(struct saf_device *device,
                          struct saf_pipeline *pipeline,
                          const VkAllocationCallbacks *alloc);

#endif
