/* SPDX-License-Identifier: MIT */
/*
 * Problem: a compiled shader is spread over structures with pointers; the
 * pipeline cache needs it in one piece that an application may store.
 *
 * Method: a header with all counts, then the parts one after the other, each
 * aligned to 8 bytes:
 *
 *    header | prog data | surfaces | samplers | xfb | code
 *
 * The parts are the C structures as they are: the block is read only by the
 * build of the driver that wrote it, which pipelineCacheUUID sees to. None
 * of them has a pointer in it.
 *
 * Reading trusts nothing: counts are held against the maxima, the sizes must
 * add up to that of the block, and what would be used as an offset later
 * must lie inside of its part.
 */
#include "saf_shader_binary.h"

#include "intel/vulkan/base/saf_genx.h"
#include "saf_shader.h"

struct header {
   uint32_t stage; /* gl_shader_stage */
   uint32_t code_size_B;
   uint32_t surface_start, surface_count, sampler_count;
   uint32_t has_xfb;
};

size_t
saf_prog_data_size(gl_shader_stage stage)
{
   switch (stage) {
   case MESA_SHADER_VERTEX: return sizeof(struct intel_vs_prog_data);
   case MESA_SHADER_TESS_CTRL: return sizeof(struct intel_tcs_prog_data);
   case MESA_SHADER_TESS_EVAL: return sizeof(struct intel_tes_prog_data);
   case MESA_SHADER_GEOMETRY: return sizeof(struct intel_gs_prog_data);
   case MESA_SHADER_FRAGMENT: return sizeof(struct intel_wm_prog_data);
   case MESA_SHADER_COMPUTE: return sizeof(struct intel_cs_prog_data);
   default: unreachable("stage without a place in a pipeline");
   }
}

/* Offsets of the parts; size_B is the whole block. */
struct parts {
   size_t prog, surfaces, samplers, xfb, code, size_B;
   size_t prog_size_B;
};

static struct parts
lay_out(const struct header *h)
{
   struct parts p;
   p.prog_size_B = saf_prog_data_size((gl_shader_stage)h->stage);
   size_t at = ALIGN(sizeof(*h), 8);
#define PART(field, bytes)                                                   \
   p.field = at;                                                             \
   at = ALIGN(at + (size_t)(bytes), 8)
   PART(prog, p.prog_size_B);
   PART(surfaces, h->surface_count * sizeof(struct saf_binding));
   PART(samplers, h->sampler_count * sizeof(struct saf_binding));
   PART(xfb, h->has_xfb ? sizeof(struct saf_xfb_info) : 0);
   PART(code, h->code_size_B);
#undef PART
   p.size_B = at;
   return p;
}

static struct header
make_header(const struct intel_shader *bin, const struct saf_bind_map *map,
            const struct saf_xfb_info *xfb)
{
   return (struct header) {
      .stage = (uint32_t)bin->stage,
      .code_size_B = bin->code_size_B,
      .surface_start = map->surface_start,
      .surface_count = map->surface_count,
      .sampler_count = map->sampler_count,
      .has_xfb = xfb && xfb->output_count,
   };
}

size_t
saf_shader_binary_size(const struct intel_shader *bin,
                       const struct saf_bind_map *map,
                       const struct saf_xfb_info *xfb)
{
   const struct header h = make_header(bin, map, xfb);
   return lay_out(&h).size_B;
}

/* A part may be empty, and its source NULL then. */
static void
put(void *out, size_t offset_B, const void *data, size_t size_B)
{
   if (size_B)
      memcpy((char *)out + offset_B, data, size_B);
}

void
saf_shader_binary_write(void *out, const struct intel_shader *bin,
                        const struct saf_bind_map *map,
                        const struct saf_xfb_info *xfb)
{
   const struct header h = make_header(bin, map, xfb);
   const struct parts p = lay_out(&h);
   put(out, 0, &h, sizeof(h));
   put(out, p.prog, bin->prog_data.base, p.prog_size_B);
   put(out, p.surfaces, map->surfaces,
       h.surface_count * sizeof(map->surfaces[0]));
   put(out, p.samplers, map->samplers,
       h.sampler_count * sizeof(map->samplers[0]));
   put(out, p.xfb, xfb, h.has_xfb ? sizeof(*xfb) : 0);
   put(out, p.code, bin->code, h.code_size_B);
}

static bool
check_header(const struct header *h, size_t size_B)
{
   /* With each count below the size of the block nothing overflows. */
   return h->stage < SAF_STAGES && h->code_size_B > 0 &&
          h->code_size_B <= size_B &&
          h->surface_start <= SAF_MAX_BINDING_TABLE &&
          h->surface_count <= SAF_MAX_BINDING_TABLE - h->surface_start &&
          h->sampler_count <= SAF_MAX_SAMPLERS && h->has_xfb <= 1 &&
          lay_out(h).size_B == size_B;
}

static bool
check_contents(const struct intel_shader *bin, const struct saf_bind_map *map,
               const struct saf_xfb_info *xfb)
{
   for (uint32_t i = 0; i < map->surface_count; i++) {
      const struct saf_binding *b = &map->surfaces[i];
      if (b->set == SAF_SET_MEMORY && b->binding >= SAF_MEMORY_SURFACES)
         return false;
      if (b->set == SAF_SET_CONSTANTS &&
          (b->binding > bin->code_size_B || !b->element ||
           b->element > bin->code_size_B - b->binding))
         return false;
   }
   if (bin->stage == MESA_SHADER_FRAGMENT) {
      const struct intel_wm_prog_data *wm = bin->prog_data.wm;
      if (wm->prog_offset_8_B >= bin->code_size_B ||
          wm->prog_offset_16_B >= bin->code_size_B)
         return false;
   }
   return xfb->output_count <= ARRAY_SIZE(xfb->outputs);
}

bool
saf_shader_binary_read(const void *data, size_t size_B,
                       struct intel_shader *bin, struct saf_bind_map *map,
                       struct saf_xfb_info *xfb)
{
   const char *bytes = data;
   struct header h;
   if (size_B < sizeof(h))
      return false;
   memcpy(&h, bytes, sizeof(h));
   if (!check_header(&h, size_B))
      return false;
   const struct parts p = lay_out(&h);
   *bin = (struct intel_shader) {
      .stage = (gl_shader_stage)h.stage,
      .code = bytes + p.code,
      .code_size_B = h.code_size_B,
      .prog_data.base =
         (const struct intel_stage_prog_data *)(bytes + p.prog),
   };
   memset(map, 0, sizeof(*map));
   map->surface_start = h.surface_start;
   map->surface_count = h.surface_count;
   map->sampler_count = h.sampler_count;
   memcpy(map->surfaces, bytes + p.surfaces,
          h.surface_count * sizeof(map->surfaces[0]));
   memcpy(map->samplers, bytes + p.samplers,
          h.sampler_count * sizeof(map->samplers[0]));
   memset(xfb, 0, sizeof(*xfb));
   if (h.has_xfb)
      memcpy(xfb, bytes + p.xfb, sizeof(*xfb));
   return check_contents(bin, map, xfb);
}

/*
 * Constant data (nir_shader::constant_data) lies behind the code: caches keep
 * it with that, and it is in GPU memory as long. Shaders read it as a uniform
 * block, by entry SAF_SET_CONSTANTS of their binding table.
 */
void
saf_append_constants(const nir_shader *nir, struct arena *arena,
                     struct intel_shader *bin, struct saf_bind_map *map)
{
   const uint32_t size_B = nir->constant_data_size;
   const uint32_t start_B = ALIGN(bin->code_size_B, 64u);
   for (uint32_t i = 0; i < map->surface_count; i++) {
      struct saf_binding *b = &map->surfaces[i];
      if (b->set != SAF_SET_CONSTANTS)
         continue;
      b->binding = start_B;
      b->element = size_B;
      char *code = arena_alloc(arena, start_B + size_B);
      memset(code, 0, start_B);
      memcpy(code, bin->code, bin->code_size_B);
      memcpy(code + start_B, nir->constant_data, size_B);
      bin->code = code;
      bin->code_size_B = start_B + size_B;
   }
}

VkResult
saf_shader_add_constants(struct saf_device *device, struct saf_shader *shader)
{
   for (uint32_t i = 0; i < shader->map.surface_count; i++) {
      const struct saf_binding *b = &shader->map.surfaces[i];
      if (b->set != SAF_SET_CONSTANTS)
         continue;
      shader->constants = saf_state_alloc(&device->surface_pool, 64);
      if (!shader->constants.size_B)
         return device->surface_pool.error;
      saf_fill_uniform_surface(device, shader->constants.map,
                               saf_shader_constants_addr(device, shader, b),
                               b->element);
   }
   return VK_SUCCESS;
}
