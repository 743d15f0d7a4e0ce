/* SPDX-License-Identifier: MIT */
/*
 * The way from SPIR-V to a kernel in GPU memory.
 *
 * The whole way of a pipeline's stages is saf_compile_stages() from top to
 * bottom: front end and first optimisations of each stage, what they must
 * know of each other, then the rest for each stage alone. All of it runs in
 * one scope (util/guard.h), which ends where there is no memory or an
 * invariant does not hold; what outlives the call (caches, kernels in GPU
 * memory) is made before and after.
 */
#include "saf_shader.h"

#include "intel/vulkan/base/saf_shader_notes.h"
#include "saf_fragment_inputs.h"
#include "saf_nir_format.h"
#include "saf_pipeline_cache.h"

#include <stdio.h>

#include "compiler/spirv/spirv_to_nir.h"
#include "intel/vulkan/base/saf_report.h"
#include "saf_shader_binary.h"
#include "util/hash_table.h"

/* ---- kernels ---- */

/* Numbers that the hardware may give to threads of the stage: sparse ones, so
 * that there are more than threads. */
static unsigned
scratch_ids(const struct intel_device_info *info, gl_shader_stage stage)
{
   const unsigned subslices = intel_device_info_scratch_subslices(info);
   switch (stage) {
   case MESA_SHADER_VERTEX: return info->max_vs_threads;
   case MESA_SHADER_TESS_CTRL: return info->max_tcs_threads;
   case MESA_SHADER_TESS_EVAL: return info->max_tes_threads;
   case MESA_SHADER_GEOMETRY: return info->max_gs_threads;
   case MESA_SHADER_FRAGMENT:
      return MAX2(info->max_wm_threads,
                  info->max_threads_per_psd * subslices);
   case MESA_SHADER_COMPUTE:
      return intel_device_info_scratch_compute_ids(info);
   default: unreachable("stage");
   }
}

/* Room for each hardware thread that may run the shader at once. */
static VkResult
add_scratch(struct saf_device *device, struct saf_shader *shader)
{
   const uint32_t per_thread_B = shader->prog.base.total_scratch_B;
   if (per_thread_B == 0)
      return VK_SUCCESS;
   return saf_bo_create_low(device, "scratch",
                            (uint64_t)per_thread_B *
                               scratch_ids(device->info, shader->stage),
                            &shader->scratch);
}

VkResult
saf_shader_create(struct saf_device *device, const struct intel_shader *bin,
                  const struct saf_bind_map *map,
                  const struct saf_xfb_info *xfb, struct saf_shader **out)
{
   struct saf_shader *shader = saf_alloc(device->alloc, sizeof(*shader));
   if (!shader)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   shader->refs = 1;
   shader->stage = bin->stage;
   shader->map = *map;
   memcpy(&shader->prog, bin->prog_data.base, saf_prog_data_size(bin->stage));

   /* The instruction fetcher reads ahead of what it runs. */
   shader->kernel = saf_state_alloc(&device->instruction_pool,
                                    ALIGN(bin->code_size_B, 64u) + 128);
   if (!shader->kernel.size_B) {
      saf_shader_unref(device, shader);
      return device->instruction_pool.error;
   }
   char *code = shader->kernel.map;
   memset(code, 0, shader->kernel.size_B);
   memcpy(code, bin->code, bin->code_size_B);

   VkResult result = add_scratch(device, shader);
   if (!result)
      result = saf_shader_add_constants(device, shader);
   if (!result && xfb && xfb->output_count) {
      shader->xfb = saf_alloc(device->alloc, sizeof(*xfb));
      if (shader->xfb)
         *shader->xfb = *xfb;
      else
         result = VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   if (result) {
      saf_shader_unref(device, shader);
      return result;
   }
   *out = shader;
   return VK_SUCCESS;
}

void
saf_shader_unref(struct saf_device *device, struct saf_shader *shader)
{
   if (!shader)
      return;
   if (shader->entry) {
      if (!saf_cache_release_shader(device, shader))
         return;
   } else if (__atomic_sub_fetch(&shader->refs, 1, __ATOMIC_ACQ_REL) > 0) {
      return;
   }
   saf_state_free(&device->instruction_pool, shader->kernel);
   saf_state_free(&device->surface_pool, shader->constants);
   saf_bo_destroy(device, shader->scratch);
   saf_free(device->alloc, shader->xfb);
   if (shader->capture)
      free(shader->capture->listing);
   saf_free(device->alloc, shader->capture);
   saf_free(device->alloc, shader);
}

/* ---- compilation ---- */

/* What the compiler made of a stage, before it has a place on the GPU. */
struct compiled {
   struct intel_shader *bin; /* in the arena of the caller */
   struct saf_bind_map map;
   FILE *listing; /* where the compiler prints; or NULL */
};

const char *
saf_stage_name(gl_shader_stage stage)
{
   /* clang-format off */
   static const char *const names[SAF_STAGES] = {
      "vertex", "tessellation control", "tessellation evaluation", "geometry",
      "fragment", "compute",
   };
   /* clang-format on */
   return stage < SAF_STAGES ? names[stage] : "unknown";
}

/* What the hardware of this generation leaves to shaders. */
static VkResult
lower_for_device(struct saf_device *device, nir_shader *nir,
                 const enum isl_format *vertex_formats,
                 const uint8_t *color_targets, struct saf_bind_map *map)
{
   const struct intel_device_info *info = device->info;
   if (color_targets || vertex_formats)
      intel_lower_io_nir(device->compiler, nir);
   if (color_targets)
      saf_nir_move_colors(nir, color_targets);
   if (vertex_formats && !saf_nir_lower_vertex_formats(nir, vertex_formats))
      return VK_ERROR_UNKNOWN;
   bool ok = saf_nir_lower_sample_images(nir, map);
   if (saf_has_address_table(info))
      ok = ok && saf_nir_lower_addresses(nir, map);
   if (info->typed_reads == INTEL_TYPED_READS_MOST)
      ok = ok && saf_nir_convert_any_loads(nir, map);
   else
      ok = ok && saf_nir_lower_storage_loads(nir, info, map);
   if (!info->has_channel_selects)
      ok = ok && saf_nir_lower_view_swizzles(nir, map);
   return ok ? VK_SUCCESS
             : saf_error(VK_ERROR_UNKNOWN,
                         "too many bindings for a shader stage");
}

/* `nir` is after intel_preprocess_nir(). */
static VkResult
compile_nir(struct saf_device *device, nir_shader *nir,
            const struct saf_pipeline_layout *layout, bool exact_offsets,
            const union intel_key *key, const enum isl_format *vertex_formats,
            const uint8_t *color_targets,
            const struct saf_report_shader *report, struct arena *arena,
            struct compiled *out)
{
   const gl_shader_stage stage = nir->info.stage;
   /* Render targets are the first entries of the binding table; there is
    * always one, if only a null surface. The first entry of a compute shader
    * is the number of groups. */
   const uint32_t start = stage == MESA_SHADER_FRAGMENT
                             ? MAX2(key->wm.nr_color_regions, 1)
                          : stage == MESA_SHADER_COMPUTE ? 1
                                                         : 0;
   assert(stage != MESA_SHADER_FRAGMENT || !key->wm.render_target_start);
   if (!saf_nir_apply_pipeline_layout(device->info, nir, layout, start,
                                      exact_offsets, &out->map))
      return VK_ERROR_UNKNOWN;
   bool progress = false;
   NIR_PASS(progress, nir, saf_nir_lower_non_uniform);
   (void)progress;
   const VkResult result =
      lower_for_device(device, nir, vertex_formats, color_targets, &out->map);
   if (result)
      return result;
   intel_optimize_nir(device->compiler, nir);

   char *notes = NULL;
   size_t notes_B;
   FILE *log = out->listing;
   const bool notes_wanted = !log && saf_shader_notes_wanted();
   if (notes_wanted)
      log = open_memstream(&notes, &notes_B);
   const struct intel_compile_params params = {
      .arena = arena,
      .nir = nir,
      .log = log,
      .listing = log != NULL,
      .profile = notes_wanted,
   };
   out->bin = intel_compile(device->compiler, &params, key);
   if (notes_wanted && log) {
      fclose(log);
      if (out->bin->code)
         saf_shader_notes_add(nir, out->bin, notes);
      free(notes);
   }
   if (out->bin->code) {
      saf_append_constants(nir, arena, out->bin, &out->map);
      return VK_SUCCESS;
   }
   return saf_compile_failure(report, "no code for",
                              out->bin->error ? out->bin->error
                                              : "compilation failed");
}

static const struct saf_report_shader meta_report = { .stage = "meta" };

struct meta_job {
   struct saf_device *device;
   nir_shader *nir;
   const union intel_key *key;
   struct arena *arena;
   struct compiled c;
   VkResult result;
};

static void
compile_meta(void *data)
{
   struct meta_job *j = data;
   j->arena = arena_create(NULL);
   intel_preprocess_nir(j->device->compiler, j->nir);
   j->result = compile_nir(j->device, j->nir, NULL, false, j->key, NULL, NULL,
                           &meta_report, j->arena, &j->c);
}

VkResult
saf_compile_meta(struct saf_device *device, nir_shader *nir,
                 const union intel_key *key, struct saf_shader **out)
{
   struct meta_job j = { .device = device, .nir = nir, .key = key };
   struct guard_error error;
   const enum guard_end end = guard_run(compile_meta, &j, &error);
   if (end != GUARD_DONE)
      return saf_compile_result(end, &error, &meta_report);
   VkResult result = j.result;
   if (!result)
      result = saf_shader_create(device, j.c.bin, &j.c.map, NULL, out);
   arena_destroy(j.arena);
   return result;
}

static unsigned
read_specialization(struct arena *arena, const VkSpecializationInfo *info,
                    struct spirv_specialization **out)
{
   if (!info)
      return 0;
   *out = arena_new_array(arena, struct spirv_specialization,
                          info->mapEntryCount);
   unsigned n = 0;
   for (uint32_t i = 0; i < info->mapEntryCount; i++) {
      const VkSpecializationMapEntry *e = &info->pMapEntries[i];
      uint64_t value = 0;
      if (e->offset + e->size > info->dataSize)
         continue;
      memcpy(&value, (const char *)info->pData + e->offset,
             MIN2(e->size, sizeof(value)));
      (*out)[n++] = (struct spirv_specialization) { e->constantID, value };
   }
   return n;
}

static VkResult
run_front_end(struct saf_device *device, struct arena *arena,
              const VkPipelineShaderStageCreateInfo *info,
              gl_shader_stage stage, nir_shader **out)
{
   SAF_FROM_HANDLE(saf_shader_module, module, info->module);
   struct spirv_specialization *spec = NULL;
   const unsigned n_spec =
      read_specialization(arena, info->pSpecializationInfo, &spec);
   const struct spirv_to_nir_options options = {
      .parent = arena,
      .nir = intel_compiler_nir_options(device->compiler),
   };
   struct spirv_error err = { 0 };
   char place[96];
   *out = spirv_to_nir(module->words, module->size_B / 4, spec, n_spec, stage,
                       info->pName, &options, &err);
   return *out ? VK_SUCCESS
               : saf_error(VK_ERROR_INVALID_SHADER_NV,
                           "SPIR-V of a %s shader, word %zu%s: %s",
                           saf_stage_name(stage), err.word_offset,
                           spirv_error_place(&err, place, sizeof(place)),
                           err.message);
}

/* ---- the stages of a pipeline ---- */

/* Where a pipeline's stages are on their way. */
struct progress {
   struct saf_device *device;
   const struct saf_stages *in;
   struct arena *arena;
   bool need[SAF_STAGES];   /* is read */
   bool wanted[SAF_STAGES]; /* is compiled */
   gl_shader_stage at;      /* the one that is worked on */
   struct compiled compiled[SAF_STAGES];
   char *listing[SAF_STAGES]; /* what compiled[].listing wrote; malloc() */
   size_t listing_B[SAF_STAGES];
   VkResult result;
   struct saf_cache_key cache_key[SAF_STAGES];
   nir_shader *nir[MESA_SHADER_STAGES];
   struct saf_xfb_info xfb[SAF_STAGES];
   struct intel_linkage link;
};

static union intel_key
stage_key(const struct saf_stages *in, const struct progress *p,
          gl_shader_stage stage)
{
   union intel_key key;
   memset(&key, 0, sizeof(key));
   if (stage == MESA_SHADER_FRAGMENT) {
      key.wm = in->wm;
      return key;
   }
   if (stage == MESA_SHADER_COMPUTE)
      key.cs.subgroup_size = in->subgroup_size;
   if (stage == MESA_SHADER_COMPUTE || !saf_stages_are_linked(in))
      return key; /* num_workgroups_bti is 0, too */
   const struct intel_linkage *link = &p->link;
   const bool has_tess = in->info[MESA_SHADER_TESS_EVAL] != NULL;
   switch (stage) {
   case MESA_SHADER_VERTEX:
      key.vs.extra_slots_valid = link->extra_slots_valid[stage];
      break;
   case MESA_SHADER_TESS_CTRL:
      key.tcs.input_map = &link->vue_map[MESA_SHADER_VERTEX];
      key.tcs.patch_map = &link->patch_map;
      key.tcs.patch_vertices = (uint8_t)in->patch_control_points;
      break;
   case MESA_SHADER_TESS_EVAL:
      key.tes.patch_map = &link->patch_map;
      key.tes.extra_slots_valid = link->extra_slots_valid[stage];
      break;
   case MESA_SHADER_GEOMETRY:
      key.gs.input_map = &link->vue_map[has_tess ? MESA_SHADER_TESS_EVAL
                                                 : MESA_SHADER_VERTEX];
      key.gs.extra_slots_valid = link->extra_slots_valid[stage];
      key.gs.rasterized_stream = (uint8_t)in->rasterization_stream;
      break;
   default: unreachable("stage");
   }
   return key;
}

static bool
has_code(const VkPipelineShaderStageCreateInfo *info)
{
   return saf_shader_module_from_handle(info->module)->size_B > 0;
}

/* What the cache lacks; all stages that are linked if it lacks one of
 * them. */
static VkResult
look_up(struct saf_device *device, struct saf_pipeline_cache *cache,
        const struct saf_stages *in, struct progress *p,
        struct saf_shader *out[SAF_STAGES], bool need[SAF_STAGES])
{
   bool need_linked = false;
   for (unsigned s = 0; s < SAF_STAGES; s++) {
      need[s] = false;
      if (!in->info[s])
         continue;
      if (in->capture) {
         need[s] = true;
         continue;
      }
      p->cache_key[s] = saf_cache_key_for_stage(device, in, s);
      if (in->feedback && cache &&
          saf_cache_has(device, cache, &p->cache_key[s]))
         in->feedback[s].flags |=
            VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
      const VkResult result =
         saf_cache_lookup(device, cache, &p->cache_key[s], &out[s]);
      if (result)
         return result;
      need[s] = !out[s];
      need_linked |= need[s] && s < MESA_SHADER_FRAGMENT;
   }
   for (unsigned s = 0; need_linked && s < MESA_SHADER_FRAGMENT; s++)
      need[s] = in->info[s] != NULL;
   for (unsigned s = 0; s < SAF_STAGES; s++) {
      if (need[s] && (in->only_cached || !has_code(in->info[s])))
         return VK_PIPELINE_COMPILE_REQUIRED;
   }
   /* To read it, not to compile it again. */
   if (saf_takes_constants(in) && need[MESA_SHADER_FRAGMENT])
      need[saf_last_stage(in)] = true;
   return VK_SUCCESS;
}

/* A shader that no cache gets: caches have neither statistics nor text. */
static VkResult
create_with_capture(struct saf_device *device, const struct compiled *c,
                    const struct saf_xfb_info *xfb, char *listing,
                    struct saf_shader **out)
{
   const VkResult result =
      saf_shader_create(device, c->bin, &c->map, xfb, out);
   if (result)
      return result;
   struct saf_capture *capture = saf_alloc(device->alloc, sizeof(*capture));
   if (!capture)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   memcpy(capture->stats, c->bin->stats, sizeof(capture->stats));
   capture->listing = listing;
   (*out)->capture = capture;
   return VK_SUCCESS;
}

/* Of the stage that is worked on. */
static struct saf_report_shader
report_of(const struct progress *p)
{
   SAF_FROM_HANDLE(saf_shader_module, module, p->in->info[p->at]->module);
   return (struct saf_report_shader) {
      .stage = saf_stage_name(p->at),
      .words = module->words,
      .size_B = module->size_B,
   };
}

static VkResult
compile_stage(struct progress *p, gl_shader_stage s)
{
   const struct saf_stages *in = p->in;
   const struct saf_report_shader report = report_of(p);
   const union intel_key key = stage_key(in, p, s);
   const enum isl_format *formats = s == MESA_SHADER_VERTEX &&
                                          in->lowers_vertex_formats
                                       ? in->vertex_formats
                                       : NULL;
   const uint8_t *targets = s == MESA_SHADER_FRAGMENT && in->moves_colors
                               ? in->color_targets
                               : NULL;
   return compile_nir(p->device, p->nir[s], in->layout,
                      in->exact_offsets >> s & 1, &key, formats, targets,
                      &report, p->arena, &p->compiled[s]);
}

/* To GPU memory, and to the cache. */
static VkResult
store_stage(struct progress *p, struct saf_pipeline_cache *cache,
            gl_shader_stage s, struct saf_shader **out)
{
   const struct compiled *c = &p->compiled[s];
   if (!p->in->capture)
      return saf_cache_add(p->device, cache, &p->cache_key[s], c->bin,
                           &c->map, &p->xfb[s], out);
   const VkResult result =
      create_with_capture(p->device, c, &p->xfb[s], p->listing[s], out);
   if (*out && (*out)->capture)
      p->listing[s] = NULL; /* the shader's own */
   return result;
}

static void
note_time(const struct saf_stages *in, gl_shader_stage s, uint64_t start_ns)
{
   if (in->feedback)
      in->feedback[s].duration += saf_now_ns() - start_ns;
}

/* The fragment shader again, if its inputs are not where those before it
 * leave them. */
static VkResult
fit_fragment_shader(struct saf_device *device,
                    struct saf_pipeline_cache *cache,
                    const struct saf_stages *in,
                    struct saf_shader *out[SAF_STAGES])
{
   const struct saf_shader *last = NULL;
   struct saf_shader *fs = out[MESA_SHADER_FRAGMENT];
   for (unsigned s = 0; s < MESA_SHADER_FRAGMENT; s++)
      last = out[s] ? out[s] : last;
   if (!fs || !last)
      return VK_SUCCESS;
   if (in->wm.numbers_inputs)
      return VK_SUCCESS;
   struct saf_stages numbered = *in;
   const enum saf_inputs_fit fit = saf_fit_inputs(
      &fs->prog.wm, intel_vue_outputs(last->stage, &last->prog.base),
      numbered.wm.input_numbers);
   if (fit == SAF_INPUTS_FIT)
      return VK_SUCCESS;
   if (fit == SAF_INPUTS_TOO_MANY)
      return saf_error(VK_ERROR_UNKNOWN,
                       "fragment shader: more inputs than the setup unit "
                       "finds (32, of which 16 anywhere)");
   struct saf_shader *again[SAF_STAGES] = { 0 };
   const uint64_t start_ns = saf_now_ns();
   numbered.wm.numbers_inputs = true;
   numbered.feedback = NULL;
   const VkResult result =
      saf_compile_stages(device, cache, &numbered, again);
   note_time(in, MESA_SHADER_FRAGMENT, start_ns);
   for (unsigned s = 0; s < MESA_SHADER_FRAGMENT; s++)
      saf_shader_unref(device, again[s]);
   saf_shader_unref(device, fs);
   out[MESA_SHADER_FRAGMENT] = again[MESA_SHADER_FRAGMENT];
   return result;
}

static void
take_constants(const struct saf_stages *in, struct progress *p)
{
   const gl_shader_stage last = saf_last_stage(in);
   if (p->nir[MESA_SHADER_FRAGMENT])
      intel_link_constants(p->nir[last], p->nir[MESA_SHADER_FRAGMENT]);
   if (p->nir[last] && !p->xfb[last].output_count)
      intel_drop_constants(p->nir[last]);
}

/* From SPIR-V to the NIR that stages are fitted to each other in. */
static VkResult
read_stages(struct progress *p)
{
   const struct saf_stages *in = p->in;
   for (unsigned s = 0; s < SAF_STAGES; s++) {
      if (!p->need[s])
         continue;
      p->at = s;
      const uint64_t start_ns = saf_now_ns();
      VkResult result =
         run_front_end(p->device, p->arena, in->info[s], s, &p->nir[s]);
      if (result)
         return result;
      if (s == MESA_SHADER_COMPUTE) {
         p->nir[s]->info.subgroup_size = in->subgroup_size;
         p->nir[s]->info.buffers_are_apart = in->buffers_are_apart;
      }
      if (s < MESA_SHADER_FRAGMENT)
         result = saf_gather_xfb(p->nir[s], &p->xfb[s]);
      if (result)
         return result;
      intel_preprocess_nir(p->device->compiler, p->nir[s]);
      bool progress = false;
      NIR_PASS(progress, p->nir[s], saf_nir_lower_views, in->multiview);
      (void)progress;
      note_time(in, s, start_ns);
   }
   return VK_SUCCESS;
}

static VkResult
link_stages(struct progress *p)
{
   const struct saf_stages *in = p->in;
   if (saf_takes_constants(in))
      take_constants(in, p);
   for (unsigned s = MESA_SHADER_FRAGMENT; s-- > 0;) {
      if (in->info[s]) {
         if (p->need[s])
            intel_drop_point_size(p->nir[s]);
         break;
      }
   }
   if (!saf_stages_are_linked(in) || !p->need[MESA_SHADER_VERTEX])
      return VK_SUCCESS;
   nir_shader *linked[MESA_SHADER_STAGES];
   memcpy(linked, p->nir, sizeof(linked));
   linked[MESA_SHADER_FRAGMENT] = NULL; /* fits itself to what it gets */
   if (!intel_compact_tess_varyings(linked[MESA_SHADER_TESS_CTRL],
                                    linked[MESA_SHADER_TESS_EVAL]))
      return saf_error(VK_ERROR_UNKNOWN, "more than 32 locations between the "
                                         "tessellation stages");
   intel_link_nir(p->device->compiler, linked, &p->link);
   return VK_SUCCESS;
}

static void
compile_stages(void *data)
{
   struct progress *p = data;
   p->arena = arena_create(NULL);
   p->result = read_stages(p);
   if (!p->result)
      p->result = link_stages(p);
   for (unsigned s = 0; s < SAF_STAGES && !p->result; s++) {
      if (!p->wanted[s])
         continue;
      p->at = s;
      const uint64_t start_ns = saf_now_ns();
      p->result = compile_stage(p, s);
      note_time(p->in, s, start_ns);
   }
}

static VkResult
open_listings(struct progress *p)
{
   for (unsigned s = 0; s < SAF_STAGES && p->in->capture; s++) {
      if (!p->wanted[s])
         continue;
      p->compiled[s].listing =
         open_memstream(&p->listing[s], &p->listing_B[s]);
      if (!p->compiled[s].listing)
         return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   return VK_SUCCESS;
}

static void
close_listings(struct progress *p)
{
   for (unsigned s = 0; s < SAF_STAGES; s++) {
      if (p->compiled[s].listing)
         fclose(p->compiled[s].listing);
      p->compiled[s].listing = NULL;
   }
}

struct scope {
   struct progress *p;
   struct guard_error error;
   enum guard_end end;
};

static void
run_scope(void *data)
{
   struct scope *scope = data;

   scope->end = guard_run(compile_stages, scope->p, &scope->error);
}

/* What is nested in a shader, the compiler recurses into. */
static VkResult
compile_in_scope(struct progress *p)
{
   struct scope scope = { .p = p, .end = GUARD_NO_MEMORY };
   const VkResult opened = open_listings(p);
   if (opened)
      return opened;
   const bool ran = deep_stack_run(run_scope, &scope);
   close_listings(p);
   if (ran && scope.end == GUARD_DONE)
      return p->result;
   p->arena = NULL; /* gone with the scope */
   if (!ran || scope.end == GUARD_NO_MEMORY)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const struct saf_report_shader report = report_of(p);
   return saf_compile_result(scope.end, &scope.error, &report);
}

VkResult
saf_compile_stages(struct saf_device *device,
                   struct saf_pipeline_cache *cache,
                   const struct saf_stages *in,
                   struct saf_shader *out[SAF_STAGES])
{
   struct progress p = { .device = device, .in = in };
   bool compiles = false;
   VkResult result = look_up(device, cache, in, &p, out, p.need);
   if (result)
      return result;
   for (unsigned s = 0; s < SAF_STAGES; s++) {
      p.wanted[s] = p.need[s] && !out[s];
      compiles |= p.need[s];
   }
   if (compiles)
      result = compile_in_scope(&p);
   for (unsigned s = 0; s < SAF_STAGES && !result; s++) {
      if (p.wanted[s])
         result = store_stage(&p, cache, s, &out[s]);
   }
   close_listings(&p);
   for (unsigned s = 0; s < SAF_STAGES; s++)
      free(p.listing[s]);
   arena_destroy(p.arena);
   return result ? result : fit_fragment_shader(device, cache, in, out);
}
