/* SPDX-License-Identifier: MIT */
/* From modules to kernels; used by pipeline creation. */
#ifndef SAF_SHADER_H
#define SAF_SHADER_H

#include "saf_pipeline.h"

/* What the output variables of the last stage before rasterisation say of
 * transform feedback; they must not have been lowered yet. */
VkResult saf_gather_xfb(nir_shader *nir, struct saf_xfb_info *xfb);

/* The stages of a pipeline, and what they depend on besides. */
struct saf_stages {
   /* By gl_shader_stage, NULL where there is none. */
   const VkPipelineShaderStageCreateInfo *info[SAF_STAGES];
   const struct saf_pipeline_layout *layout;
   struct intel_wm_key wm;
   uint32_t patch_control_points;
   uint32_t rasterization_stream;
   bool multiview;
   bool capture;           /* saf_shader.capture is wanted */
   uint32_t exact_offsets; /* stages, by number: robustBufferAccess2 */
   /* Of a compute shader: what it is told, and that it has as many (0:
    * INTEL_SUBGROUP_SIZE, but perhaps less channels). */
   uint8_t subgroup_size;
   /* Of a compute shader: no two of its storage buffers are the same memory,
    * unless the code does not count on it. */
   bool buffers_are_apart;
   bool
      only_cached; /* VK_PIPELINE_COMPILE_REQUIRED where that is not enough */
   /* By stage, what was done for it; NULL: not wanted. */
   VkPipelineCreationFeedback *feedback;
   /* As saf_nir_lower_vertex_formats() takes them. */
   bool lowers_vertex_formats;
   enum isl_format vertex_formats[SAF_MAX_VERTEX_ATTRIBS];
   /* As saf_nir_move_colors() takes them. */
   bool moves_colors;
   uint8_t color_targets[SAF_MAX_RTS];
};

/* Of a location of a fragment shader, whose outputs go nowhere. */
#define SAF_NO_TARGET 0xff

/* Outputs of a fragment shader at location i are for attachment targets[i];
 * after intel_lower_io_nir(). */
bool saf_nir_move_colors(nir_shader *nir, const uint8_t targets[SAF_MAX_RTS]);

/* What shaders know of views and of devices; without multiview there is one
 * view, number 0. */
bool saf_nir_lower_views(nir_shader *nir, bool multiview);

/* "tessellation control" and so on. */
const char *saf_stage_name(gl_shader_stage stage);

/* More stages before rasterisation than that of vertices. */
static inline bool
saf_stages_are_linked(const struct saf_stages *in)
{
   return in->info[MESA_SHADER_TESS_EVAL] || in->info[MESA_SHADER_GEOMETRY];
}

/* The fragment shader is made with what the stage before it has as constants,
 * which that does not write. */
static inline bool
saf_takes_constants(const struct saf_stages *in)
{
   return in->info[MESA_SHADER_VERTEX] && in->info[MESA_SHADER_FRAGMENT];
}

/* The last stage before rasterisation. */
static inline gl_shader_stage
saf_last_stage(const struct saf_stages *in)
{
   return in->info[MESA_SHADER_GEOMETRY]    ? MESA_SHADER_GEOMETRY
          : in->info[MESA_SHADER_TESS_EVAL] ? MESA_SHADER_TESS_EVAL
                                            : MESA_SHADER_VERTEX;
}

/* Puts constant data behind the code, and into the map where it is. */
void saf_append_constants(const nir_shader *nir, struct arena *arena,
                          struct intel_shader *bin, struct saf_bind_map *map);

/* The surface of what that is in GPU memory, if there is any. */
VkResult saf_shader_add_constants(struct saf_device *device,
                                  struct saf_shader *shader);

/* Each stage from the cache (NULL: the device's own), or by front end,
 * driver lowering, compiler; then upload. What is in `out` afterwards is the
 * caller's, in case of an error, too. */
VkResult saf_compile_stages(struct saf_device *device,
                            struct saf_pipeline_cache *cache,
                            const struct saf_stages *in,
                            struct saf_shader *out[SAF_STAGES]);

#endif
