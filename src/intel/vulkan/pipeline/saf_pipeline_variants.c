/* SPDX-License-Identifier: MIT */
/*
 * Shaders that are compiled when a draw or a dispatch is there.
 *
 * State that is dynamic though shaders are compiled for it. Problem: how many
 * control points a patch has, how many samples there are and whether alpha is
 * coverage, the stream that is drawn, and, where not all formats are fetched,
 * those of vertices: the compiler makes constants of them, or other code.
 *
 * Method: a pipeline where any of it is dynamic is compiled for what its
 * create info says, which may be right, and keeps a copy of that. When a draw
 * has something else, it is compiled for that, too, and keeps the result. The
 * cache of the device knows the stages that do not depend on it.
 *
 * Compute shaders whose storage buffers overlap. Problem: two buffers may be
 * the same memory, so that a load of one must wait for a store to the other,
 * and neighbours that stand on both sides of it are two messages. Hardly ever
 * are they. Method: a compute shader is compiled as if no two overlapped. If
 * that made a difference, the pipeline keeps what it was made of, each
 * dispatch compares the buffers that are bound (genX_resources.c), and where
 * some overlap takes a shader that is compiled then, once. What descriptors
 * name that are updated after they are bound is no buffer whose order the
 * compiler changes: it does not know which one it is.
 */
#include "saf_pipeline.h"
#include "saf_pipeline_library.h"
#include "saf_shader.h"

#include <pthread.h>

#include "util/guard.h"

struct variant {
   struct variant *next;
   struct saf_pipeline p; /* shaders, and what they were compiled for */
};

struct saf_variants {
   pthread_mutex_t mutex;
   struct saf_pipeline_library *source;
   struct variant *first;
};

VkResult
saf_pipeline_keep_source(struct saf_device *device, struct saf_pipeline *p,
                         struct saf_pipeline_library *source)
{
   struct saf_variants *v = saf_alloc(device->alloc, sizeof(*v));
   if (!v) {
      saf_pipeline_library_destroy(device, source);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   pthread_mutex_init(&v->mutex, NULL);
   v->source = source;
   p->variants = v;
   return VK_SUCCESS;
}

void
saf_pipeline_drop_variants(struct saf_device *device, struct saf_pipeline *p)
{
   struct saf_variants *v = p->variants;
   if (!v)
      return;
   struct variant *next;
   for (struct variant *i = v->first; i; i = next) {
      next = i->next;
      saf_pipeline_drop_compiled(device, &i->p);
      saf_free(device->alloc, i);
   }
   saf_pipeline_library_destroy(device, v->source);
   pthread_mutex_destroy(&v->mutex);
   saf_free(device->alloc, v);
}

static bool
keys_equal(const struct saf_pipeline_key *a, const struct saf_pipeline_key *b)
{
   return !memcmp(a, b, sizeof(*a));
}

/* With the list's lock. */
static VkResult
find(struct saf_device *device, const struct saf_pipeline *bound,
     const struct saf_pipeline_key *key, struct variant **out)
{
   struct saf_variants *v = bound->variants;
   for (*out = v->first; *out; *out = (*out)->next) {
      if (keys_equal(&(*out)->p.key, key))
         return VK_SUCCESS;
   }
   struct variant *i = saf_alloc(device->alloc, sizeof(*i));
   if (!i)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   i->p.gfx = bound->gfx;
   i->p.dynamic = bound->dynamic;
   i->p.key = *key;
   const VkResult result =
      saf_pipeline_compile_again(device, &i->p, &v->source->info);
   if (result) {
      saf_pipeline_drop_compiled(device, &i->p);
      saf_free(device->alloc, i);
      return result;
   }
   i->next = v->first;
   v->first = i;
   *out = i;
   return VK_SUCCESS;
}

VkResult
saf_pipeline_variant(struct saf_device *device,
                     const struct saf_pipeline *bound,
                     const struct saf_gfx_state *gfx,
                     const struct saf_pipeline **out)
{
   struct saf_variants *v = bound->variants;
   struct saf_pipeline_key key = bound->key;
   saf_gfx_fill_key(&key, gfx, bound->varies_by);
   *out = bound;
   if (!v || keys_equal(&key, &bound->key))
      return VK_SUCCESS;
   struct variant *found;
   pthread_mutex_lock(&v->mutex);
   const VkResult result = find(device, bound, &key, &found);
   pthread_mutex_unlock(&v->mutex);
   if (!result)
      *out = &found->p;
   return result;
}

/* ---- buffers that overlap ---- */

struct saf_overlap {
   pthread_mutex_t mutex;
   struct arena *arena; /* of the stage */
   VkPipelineShaderStageCreateInfo stage;
   struct saf_pipeline_layout layout;
   struct saf_stages in;
   struct saf_shader *shader; /* NULL: not compiled yet */
};

struct copy {
   struct saf_overlap *o;
   const VkPipelineShaderStageCreateInfo *from;
};

static void
copy_stage(void *data)
{
   struct copy *copy = data;
   copy->o->arena = arena_create(NULL);
   copy->o->stage = saf_copy_stage(copy->o->arena, copy->from, NULL);
}

VkResult
saf_pipeline_keep_stages(struct saf_device *device, struct saf_pipeline *p,
                         const struct saf_stages *in)
{
   struct saf_overlap *o = saf_alloc(device->alloc, sizeof(*o));
   struct copy copy = { o, in->info[MESA_SHADER_COMPUTE] };
   struct guard_error error;
   if (!o || guard_run(copy_stage, &copy, &error)) {
      saf_free(device->alloc, o);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   pthread_mutex_init(&o->mutex, NULL);
   o->in = *in;
   o->in.info[MESA_SHADER_COMPUTE] = &o->stage;
   o->in.layout = NULL;
   o->in.buffers_are_apart = o->in.only_cached = false;
   o->in.feedback = NULL;
   if (in->layout) {
      o->layout = *in->layout;
      o->in.layout = &o->layout;
   }
   for (uint32_t i = 0; i < o->layout.set_count; i++) {
      if (o->layout.sets[i])
         saf_set_layout_ref(o->layout.sets[i]);
   }
   p->overlap = o;
   return VK_SUCCESS;
}

void
saf_pipeline_drop_overlap(struct saf_device *device, struct saf_pipeline *p)
{
   struct saf_overlap *o = p->overlap;
   if (!o)
      return;
   saf_shader_unref(device, o->shader);
   for (uint32_t i = 0; i < o->layout.set_count; i++)
      saf_set_layout_unref(device, o->layout.sets[i]);
   arena_destroy(o->arena);
   pthread_mutex_destroy(&o->mutex);
   saf_free(device->alloc, o);
}

VkResult
saf_pipeline_overlapping(struct saf_device *device,
                         const struct saf_pipeline *p,
                         const struct saf_shader **out)
{
   struct saf_overlap *o = p->overlap;
   struct saf_shader *made[SAF_STAGES] = { 0 };
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&o->mutex);
   if (!o->shader) {
      result = saf_compile_stages(device, NULL, &o->in, made);
      if (!result)
         o->shader = made[MESA_SHADER_COMPUTE];
      else
         saf_shader_unref(device, made[MESA_SHADER_COMPUTE]);
   }
   *out = o->shader;
   pthread_mutex_unlock(&o->mutex);
   return result;
}
