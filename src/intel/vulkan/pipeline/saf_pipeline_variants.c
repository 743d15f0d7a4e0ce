/* SPDX-License-Identifier: MIT */
/*
 * State that is dynamic though shaders are compiled for it.
 *
 * Problem: how many control points a patch has, how many samples there are
 * and whether alpha is coverage, the stream that is drawn, and, where not all
 * formats are fetched, those of vertices: the compiler makes constants of
 * them, or other code.
 *
 * Method: a pipeline where any of it is dynamic is compiled for what its
 * create info says, which may be right, and keeps a copy of that. When a draw
 * has something else, it is compiled for that, too, and keeps the result. The
 * cache of the device knows the stages that do not depend on it.
 */
#include "saf_pipeline.h"
#include "saf_pipeline_library.h"

#include <pthread.h>

struct variant {
   struct variant *next;
   struct saf_pipeline p; /* shaders, and what they were compiled for */
};

struct saf_variants {
   pthread_mutex_t mutex;
   struct saf_pipeline_library *source;
   struct variant *first;
};

bool
saf_pipeline_may_vary(const struct intel_device_info *info,
                      const VkPipelineDynamicStateCreateInfo *dynamic)
{
   const uint64_t key = saf_gfx_bits(dynamic) & SAF_GFX_KEY;
   return key & SAF_GFX_VERTEX_INPUT && saf_fetches_all_formats(info)
             ? key & ~SAF_GFX_VERTEX_INPUT
             : key;
}

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
find(struct saf_device *device, struct saf_variants *v,
     const struct saf_pipeline_key *key, struct variant **out)
{
   for (*out = v->first; *out; *out = (*out)->next) {
      if (keys_equal(&(*out)->p.key, key))
         return VK_SUCCESS;
   }
   struct variant *i = saf_alloc(device->alloc, sizeof(*i));
   if (!i)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkResult result =
      saf_pipeline_compile_for(device, &i->p, &v->source->info, key);
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
   const struct saf_pipeline_key key = saf_gfx_key(gfx);
   *out = bound;
   if (!v || keys_equal(&key, &bound->key))
      return VK_SUCCESS;
   struct variant *found;
   pthread_mutex_lock(&v->mutex);
   const VkResult result = find(device, v, &key, &found);
   pthread_mutex_unlock(&v->mutex);
   if (!result)
      *out = &found->p;
   return result;
}
