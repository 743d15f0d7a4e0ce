/* SPDX-License-Identifier: MIT */
/*
 * Graphics pipelines: compiled shaders, and the fixed-function state as it
 * was given. Packets are made from both when a command buffer needs them.
 */
#ifndef SAF_PIPELINE_H
#define SAF_PIPELINE_H

#include "intel/vulkan/memory/saf_format.h"
#include "intel/vulkan/memory/saf_descriptor.h"
#include "compiler/nir/nir.h"
#include "intel/compiler/intel_compiler.h"
#include "saf_gfx_state.h"

/* ---- shaders ---- */

/* A set number that stands for the surfaces of a meta operation. */
#define SAF_SET_META 0xff

/* And one for the stage's block of struct saf_surface_info. */
#define SAF_SET_INFO 0xfe

/* And one for the records of a descriptor set, whose number is the
 * binding's. */
#define SAF_SET_RECORDS 0xfd

/* And one for the stage's constant data, which follows its code: `binding` is
 * where, `element` how many bytes. */
#define SAF_SET_CONSTANTS 0xfc

/* And one for what addresses of buffers are reached by, where there is a
 * table of them: `binding` is of enum saf_memory_surface. */
#define SAF_SET_MEMORY 0xfb

struct saf_binding {
   uint8_t set;
   /* 0, or 1 + which of struct saf_descriptor::others: enum
    * saf_storage_part, enum saf_sampled_part, or a plane. */
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
   struct saf_state constants;    /* surface of SAF_SET_CONSTANTS, or none */
   struct saf_bo *scratch;        /* NULL: none */
   struct saf_cache_entry *entry; /* NULL: not in the cache */
   struct saf_capture *capture;   /* NULL: nothing; then it is in no cache */
};

/* Of its binding table, as far as tables are apart. */
static inline uint32_t
saf_shader_entries(const struct saf_shader *shader)
{
   return ALIGN(shader->map.surface_start + shader->map.surface_count, 8);
}

/* ---- pipelines ---- */

#define SAF_GRAPHICS_STAGES (MESA_SHADER_FRAGMENT + 1)
#define SAF_STAGES (MESA_SHADER_COMPUTE + 1)

#define SAF_MAX_PATCH_POINTS 32

/* What of the state shaders are compiled for. No padding: memcmp() compares
 * it. */
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

/* At most so many groups of packets; see genX_groups.c. */
#define SAF_MAX_GROUPS 24

/* Packets that depend on the pipeline alone: genX_packed.c. */
struct saf_packed {
   uint64_t groups;                 /* that are here, a bit each */
   uint32_t ends_B[SAF_MAX_GROUPS]; /* of theirs in items */
   uint64_t items[];
};

struct saf_pipeline {
   VkAllocationCallbacks alloc_copy;
   struct saf_pipeline_library *library; /* NULL: it is none */
   /* By gl_shader_stage, NULL where there is none: of a compute pipeline
    * only the last, of others never that and always the first. */
   struct saf_shader *shaders[SAF_STAGES];
   struct saf_variants *variants; /* NULL: nothing of them is dynamic */
   /* Of a compute shader that counts on storage buffers that do not overlap,
    * what there is where some do; or NULL. */
   struct saf_overlap *overlap;
   struct saf_packed *packed;     /* NULL: none */
   const struct saf_shader *last; /* before rasterisation */
   struct intel_vue_outputs out;  /* of the last */
   struct saf_pipeline_key key;
   /* SAF_GFX_...: not from the pipeline; of gfx what it or the parts that it
    * is have said. */
   uint64_t dynamic, said;
   /* Of those that are dynamic, what its shaders are compiled for. */
   uint64_t varies_by;
   VkShaderStageFlags stages; /* that it was created with */
   struct saf_gfx_state gfx;

   /* Stages, by number, for which what is after the end of a uniform buffer
    * is zero in registers, too: robustBufferAccess2. */
   uint32_t exact_uniforms;

   /* Of the driver's own draws (clears, copies): queries do not count
    * them. */
   bool internal;

   uint32_t view_mask; /* each draw is made once for each; or 0 */

   /* Of the push constants that are in registers; of which stages, by
    * number. */
   uint32_t push_end_B, push_stages;
   uint32_t active_stages; /* of draws, by number */
   uint32_t entries;       /* of all binding tables */

   uint32_t logic_op_targets; /* attachments of formats that take them */
   uint32_t color_count;      /* attachments of the subpass */
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

/* `b`: of SAF_SET_CONSTANTS. */
static inline uint64_t
saf_shader_constants_addr(const struct saf_device *device,
                          const struct saf_shader *shader,
                          const struct saf_binding *b)
{
   return device->info->layout->instruction + shader->kernel.offset +
          b->binding;
}

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

/* Replaces derefs of resources by binding-table indices, and fills *map.
 * With exact_offsets no offset into a block wraps. */
bool saf_nir_apply_pipeline_layout(const struct intel_device_info *info,
                                   nir_shader *nir,
                                   const struct saf_pipeline_layout *layout,
                                   uint32_t surface_start, bool exact_offsets,
                                   struct saf_bind_map *map);

/* After that: one entry for all channels at a time. */
bool saf_nir_lower_non_uniform(nir_shader *nir);

/* After that: loads of storage images by what this device can read. */
bool saf_nir_lower_storage_loads(nir_shader *nir,
                                 const struct intel_device_info *info,
                                 struct saf_bind_map *map);

/* And accesses by addresses of buffers, where messages have none of 64 bits.
 * Needs no analysis before; false: too many entries. */
bool saf_nir_lower_addresses(nir_shader *nir, struct saf_bind_map *map);

/* And images of several samples, of which messages know none: slices. */
bool saf_nir_lower_sample_images(nir_shader *nir, struct saf_bind_map *map);

/* And the swizzles of views, where surface states have none. */
bool saf_nir_lower_view_swizzles(nir_shader *nir, struct saf_bind_map *map);

/* Vertex attributes in formats that the device does not fetch, by location
 * (ISL_FORMAT_UNSUPPORTED for all others): each is fetched in the format that
 * saf_vertex_fetch_format() says. */
bool saf_nir_lower_vertex_formats(nir_shader *nir,
                                  const enum isl_format *formats);

/* What the device does not fetch comes as a dword, or as floats, of which the
 * vertex shader makes it. */
struct saf_vertex_attribute
saf_vertex_attribute(const struct intel_device_info *info, uint32_t binding,
                     VkFormat format, uint32_t offset_B);

/* ---- variants ---- */

struct saf_pipeline_library;

/* Of what variants will be made; takes it over, in case of an error, too. */
VkResult saf_pipeline_keep_source(struct saf_device *device,
                                  struct saf_pipeline *p,
                                  struct saf_pipeline_library *source);
void saf_pipeline_drop_variants(struct saf_device *device,
                                struct saf_pipeline *p);

/* What to draw with in place of `bound` for this state: itself, or with other
 * shaders. */
VkResult saf_pipeline_variant(struct saf_device *device,
                              const struct saf_pipeline *bound,
                              const struct saf_gfx_state *gfx,
                              const struct saf_pipeline **out);

/* Of what a compute shader is made for buffers that overlap. */
struct saf_stages;
VkResult saf_pipeline_keep_stages(struct saf_device *device,
                                  struct saf_pipeline *p,
                                  const struct saf_stages *in);
void saf_pipeline_drop_overlap(struct saf_device *device,
                               struct saf_pipeline *p);
/* The compute shader for them, which is compiled when it is first wanted. */
VkResult saf_pipeline_overlapping(struct saf_device *device,
                                  const struct saf_pipeline *p,
                                  const struct saf_shader **out);

/* Compiles the stages of `info` with the state that `p` has. The shaders of
 * `p` are the caller's, in case of an error, too. */
VkResult saf_pipeline_compile_again(struct saf_device *device,
                                    struct saf_pipeline *p,
                                    const VkGraphicsPipelineCreateInfo *info);
/* Lets go of what that has made, and of nothing else. */
void saf_pipeline_drop_compiled(struct saf_device *device,
                                struct saf_pipeline *p);

/* What follows from the shaders, which are all there. */
void saf_pipeline_note_shaders(struct saf_pipeline *p);

/* All that is not shaders or targets, from a sanitised create info and the
 * libraries that it names. */
void saf_pipeline_fill_state(const struct saf_device *device,
                             struct saf_pipeline *p,
                             const VkGraphicsPipelineCreateInfo *info);

/* No fragment is ever shaded. */
bool saf_pipeline_discards_all(const struct saf_pipeline *p);

/* What it has of these states, as far as shaders are compiled for them. */
void saf_gfx_fill_key(struct saf_pipeline_key *key,
                      const struct saf_gfx_state *gfx, uint64_t states);

/* What several fields say together. */
VkLogicOp saf_gfx_logic_op(const struct saf_gfx_state *gfx);
VkLineRasterizationModeEXT saf_gfx_line_mode(const struct saf_gfx_state *gfx);
VkColorComponentFlags saf_gfx_write_mask(const struct saf_gfx_state *gfx,
                                         unsigned target);
bool saf_gfx_clips_depth(const struct saf_gfx_state *gfx);

void saf_fill_positions(uint8_t out[SAF_MAX_SAMPLES][2],
                        const VkSampleLocationsInfoEXT *info);

void saf_pipeline_destroy(struct saf_device *device,
                          struct saf_pipeline *pipeline,
                          const VkAllocationCallbacks *alloc);

#endif
