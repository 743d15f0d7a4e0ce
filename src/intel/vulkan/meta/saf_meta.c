/* SPDX-License-Identifier: MIT */
/*
 * Pipelines of meta operations, made when first used, and the draw that all
 * of them end in.
 */
#include "intel/vulkan/memory/saf_image_control.h"
#include "intel/vulkan/cmd/saf_meta.h"
#include "intel/vulkan/base/saf_report.h"
#include "intel/vulkan/base/saf_genx.h"
#include "saf_meta_shaders.h"

#define SAF_META_SAMPLES 5 /* 1, 2, 4, 8, 16 */

struct saf_meta {
   pthread_mutex_t mutex;
   struct saf_shader *vs;
   struct saf_shader *rectangle_vs; /* three corners for the hardware */
   /* By kind, and by the logarithm of the target's samples. */
   struct saf_pipeline *pipelines[SAF_META_KINDS][SAF_META_SAMPLES];
};

VkResult
saf_meta_init(struct saf_device *device)
{
   device->meta = saf_alloc(device->alloc, sizeof(*device->meta));
   if (!device->meta)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pthread_mutex_init(&device->meta->mutex, NULL);
   return VK_SUCCESS;
}

void
saf_meta_finish(struct saf_device *device)
{
   struct saf_meta *meta = device->meta;
   if (!meta)
      return;
   for (unsigned k = 0; k < SAF_META_KINDS; k++) {
      for (unsigned s = 0; s < SAF_META_SAMPLES; s++) {
         if (meta->pipelines[k][s])
            saf_pipeline_destroy(device, meta->pipelines[k][s],
                                 device->alloc);
      }
   }
   saf_shader_unref(device, meta->vs);
   saf_shader_unref(device, meta->rectangle_vs);
   pthread_mutex_destroy(&meta->mutex);
   saf_free(device->alloc, meta);
   device->meta = NULL;
}

static bool
writes_color(enum saf_meta_kind kind)
{
   switch (kind) {
   case SAF_META_CLEAR_COLOR:
   case SAF_META_CCS:
   case SAF_META_RESOLVE_CLEAR:
   case SAF_META_COPY:
   case SAF_META_BLIT_1D:
   case SAF_META_BLIT_2D:
   case SAF_META_BLIT_3D:
   case SAF_META_RESOLVE_2:
   case SAF_META_RESOLVE_4:
   case SAF_META_RESOLVE_8:
   case SAF_META_RESOLVE_16:
   case SAF_META_RESOLVE_FIRST:
   case SAF_META_UNTILE:
   case SAF_META_UNTILE_4X:
   case SAF_META_UNTILE_8X:
   case SAF_META_COPY_SAMPLES:
   case SAF_META_FAN_STARTS:
   case SAF_META_FAN_SPREAD:
   case SAF_META_FAN_INDICES:
   case SAF_META_QUOTIENT: return true;
   default: return false;
   }
}

static bool
writes_depth(enum saf_meta_kind kind)
{
   return kind == SAF_META_CLEAR_DEPTH || kind == SAF_META_COPY_DEPTH ||
          kind == SAF_META_BLIT_DEPTH || kind == SAF_META_RESOLVE_DEPTH ||
          kind == SAF_META_RESOLVE_DEPTH_AVERAGE ||
          kind == SAF_META_RESOLVE_DEPTH_MIN ||
          kind == SAF_META_RESOLVE_DEPTH_MAX;
}

static bool
is_hiz(enum saf_meta_kind kind)
{
   return kind == SAF_META_HIZ_CLEAR || kind == SAF_META_HIZ_RESOLVE;
}

static bool
is_rectangle(enum saf_meta_kind kind)
{
   return is_hiz(kind) || kind == SAF_META_CCS;
}

static bool
each_sample(enum saf_meta_kind kind)
{
   return kind == SAF_META_COPY_SAMPLES ||
          kind == SAF_META_STENCIL_BIT_SAMPLES;
}

static void
fill_pipeline(struct saf_pipeline *p, enum saf_meta_kind kind,
              uint32_t samples)
{
   p->dynamic = ~0ull;
   p->internal = true;
   p->gfx.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
   p->gfx.viewport_count = 1;
   p->gfx.line_width = 1.0f;
   p->gfx.line_mode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT;
   p->gfx.polygon_mode = VK_POLYGON_MODE_FILL;
   p->gfx.samples = samples;
   p->gfx.sample_mask = ~0u;
   p->gfx.logic_op = VK_LOGIC_OP_COPY;
   p->gfx.color_writes = ~0u;
   if (writes_color(kind)) {
      p->color_count = 1;
      p->gfx.blend[0].write_mask = 0xf;
   } else if (is_hiz(kind)) {
      p->gfx.depth_test = kind == SAF_META_HIZ_RESOLVE;
      p->gfx.depth_write = true;
      p->gfx.depth_compare = VK_COMPARE_OP_NEVER;
   } else if (writes_depth(kind)) {
      p->gfx.depth_test = true;
      p->gfx.depth_write = true;
      p->gfx.depth_compare = VK_COMPARE_OP_ALWAYS;
   } else {
      p->gfx.stencil_test = true;
      p->gfx.front = (struct saf_stencil_side) {
         .compare_mask = 0xff,
         .fail = VK_STENCIL_OP_REPLACE,
         .pass = VK_STENCIL_OP_REPLACE,
         .depth_fail = VK_STENCIL_OP_REPLACE,
         .compare = VK_COMPARE_OP_ALWAYS,
      };
   }
}

struct building {
   const struct intel_compiler *compiler;
   bool rectangle;
   int kind; /* of the fragment shader; negative: a vertex shader */
   nir_shader *nir;
};

static void
build(void *data)
{
   struct building *b = data;
   b->nir = b->kind < 0
               ? saf_meta_build_vs(b->compiler, b->rectangle)
               : saf_meta_build_fs(b->compiler, (enum saf_meta_kind)b->kind);
}

/* NULL: the kind has no such shader, or *result says what went wrong. */
static nir_shader *
build_nir(struct saf_device *device, bool rectangle, int kind,
          VkResult *result)
{
   struct building b = { device->compiler, rectangle, kind };
   const struct saf_report_shader report = { .stage = "meta" };
   struct guard_error error;
   *result =
      saf_compile_result(guard_run(build, &b, &error), &error, &report);
   return *result ? NULL : b.nir;
}

static VkResult
compile(struct saf_device *device, struct saf_meta *meta,
        struct saf_pipeline *p, enum saf_meta_kind kind, uint32_t samples)
{
   VkResult result = VK_SUCCESS;
   const bool rectangle = is_rectangle(kind);
   struct saf_shader **vs = rectangle ? &meta->rectangle_vs : &meta->vs;
   if (!*vs) {
      nir_shader *nir = build_nir(device, rectangle, -1, &result);
      if (!nir)
         return result;
      const union intel_key key = { .vs = { 0 } };
      result = saf_compile_meta(device, nir, &key, vs);
      nir_shader_destroy(nir);
      if (result)
         return result;
   }
   p->shaders[MESA_SHADER_VERTEX] = saf_shader_ref(*vs);
   nir_shader *nir = build_nir(device, false, (int)kind, &result);
   if (!nir)
      return result;
   const union intel_key key = { .wm = {
                                    .nr_color_regions =
                                       (uint8_t)p->color_count,
                                    .color_outputs_valid = p->color_count ? 1
                                                                          : 0,
                                    .multisample_fbo = samples > 1,
                                    .samples = (uint8_t)samples,
                                    .persample_shading = each_sample(kind),
                                    .fast_clear = kind == SAF_META_CCS,
                                 } };
   result =
      saf_compile_meta(device, nir, &key, &p->shaders[MESA_SHADER_FRAGMENT]);
   nir_shader_destroy(nir);
   return result;
}

static struct saf_pipeline *
get_pipeline(struct saf_cmd_buffer *cmd, enum saf_meta_kind kind,
             uint32_t samples)
{
   struct saf_device *device = cmd->device;
   struct saf_meta *meta = device->meta;
   struct saf_pipeline **slot =
      &meta->pipelines[kind][util_logbase2(samples)];
   pthread_mutex_lock(&meta->mutex);
   if (!*slot) {
      struct saf_pipeline *p = saf_alloc(device->alloc, sizeof(*p));
      VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
      if (p) {
         fill_pipeline(p, kind, samples);
         result = compile(device, meta, p, kind, samples);
      }
      if (result) {
         if (p)
            saf_pipeline_destroy(device, p, device->alloc);
         saf_error(result, "meta shader %d could not be compiled", kind);
         saf_cmd_error(cmd, result);
      } else {
         saf_pipeline_note_shaders(p);
         *slot = p;
      }
   }
   struct saf_pipeline *p = *slot;
   pthread_mutex_unlock(&meta->mutex);
   return p;
}

void
saf_meta_draw(struct saf_cmd_buffer *cmd, const struct saf_meta_draw *draw)
{
   if (draw->rect.extent.width == 0 || draw->rect.extent.height == 0)
      return;
   struct saf_pipeline *pipeline =
      get_pipeline(cmd, draw->kind, draw->targets.samples);
   if (!pipeline)
      return;
   const struct saf_draw_state saved = cmd->draw;
   const struct saf_targets saved_targets = cmd->targets;
   const bool saved_xfb = cmd->xfb_active;

   cmd->in_meta = true;
   cmd->xfb_active = false;
   cmd->targets = draw->targets;
   cmd->draw.bound = cmd->draw.pipeline = pipeline;
   cmd->draw.meta_surfaces[0] = draw->src;
   memcpy(cmd->draw.meta_surfaces + 1, draw->more_src,
          sizeof(draw->more_src));
   cmd->draw.meta_swizzle = draw->has_swizzle ? draw->src_swizzle
                                              : ISL_SWIZZLE_IDENTITY;
   cmd->draw.meta_sampler = draw->sampler;
   memcpy(cmd->draw.push_constants, &draw->push, sizeof(draw->push));
   cmd->draw.constants_size_B = 0;
   struct saf_gfx_state *dyn = &cmd->draw.gfx;
   *dyn = pipeline->gfx;
   dyn->viewports[0] = (VkViewport) {
      .x = (float)draw->rect.offset.x,
      .y = (float)draw->rect.offset.y,
      .width = (float)draw->rect.extent.width,
      .height = (float)draw->rect.extent.height,
      .minDepth = 0.0f,
      .maxDepth = 1.0f,
   };
   dyn->scissors[0] = draw->rect;
   dyn->front.write_mask = draw->stencil_write_mask;
   dyn->front.reference = draw->stencil_reference;
   dyn->back = dyn->front;
   cmd->dirty = SAF_DIRTY_ALL;
   cmd->device->genx->cmd_draw(cmd, is_rectangle(draw->kind) ? 3 : 4);

   cmd->draw = saved;
   cmd->targets = saved_targets;
   cmd->xfb_active = saved_xfb;
   cmd->in_meta = false;
   cmd->dirty = SAF_DIRTY_ALL;
}

void
saf_meta_draw_stencil(struct saf_cmd_buffer *cmd, struct saf_meta_draw *draw)
{
   struct saf_meta_draw clear = {
      .kind = SAF_META_CLEAR_STENCIL,
      .targets = draw->targets,
      .rect = draw->rect,
      .stencil_write_mask = 0xff,
   };
   saf_meta_draw(cmd, &clear);
   for (unsigned bit = 0; bit < 8; bit++) {
      draw->push.bit = 1u << bit;
      draw->stencil_reference = 0xff;
      draw->stencil_write_mask = (uint8_t)(1u << bit);
      saf_meta_draw(cmd, draw);
   }
}

/* ---- surfaces ---- */

uint32_t
saf_meta_first_slice(const struct saf_image *image, uint32_t layer, int32_t z)
{
   return image->type == VK_IMAGE_TYPE_3D ? (uint32_t)z : layer;
}

struct saf_state
saf_meta_target(struct saf_cmd_buffer *cmd, const struct saf_image *image,
                const struct saf_plane *plane, enum isl_format format,
                uint32_t level, uint32_t layer)
{
   const struct saf_state state = saf_cmd_surface_state(cmd);
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT,
      .format = format,
      .base_level = level,
      .levels = 1,
      .base_array_layer = layer,
      .array_len = 1,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   saf_surf_fill_state(cmd->device, state.map, .surf = &plane->surf,
                       .view = &view, .address = saf_plane_addr(image, plane),
                       .mocs = cmd->device->info->mocs_cached,
                       .mcs = saf_image_mcs(image),
                       .mcs_address = saf_image_mcs_addr(image));
   return state;
}

struct saf_state
saf_meta_texture(struct saf_cmd_buffer *cmd, const struct saf_image *image,
                 const struct saf_plane *plane, enum isl_format format,
                 struct isl_swizzle swizzle, uint32_t level, uint32_t layer)
{
   const struct saf_state state = saf_cmd_surface_state(cmd);
   const bool multisampled = image->samples > 1;
   const bool from_first = multisampled || image->type == VK_IMAGE_TYPE_3D;
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .format = format,
      .base_level = level,
      .levels = 1,
      .base_array_layer = from_first ? 0 : layer,
      .array_len = multisampled ? image->layers : 1,
      .swizzle = swizzle,
   };
   saf_surf_fill_state(cmd->device, state.map, .surf = &plane->surf,
                       .view = &view, .address = saf_plane_addr(image, plane),
                       .mocs = cmd->device->info->mocs_cached,
                       .mcs = saf_image_mcs(image),
                       .mcs_address = saf_image_mcs_addr(image));
   return state;
}
