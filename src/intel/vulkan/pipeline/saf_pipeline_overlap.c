/* SPDX-License-Identifier: MIT */
/*
 * Compute shaders whose storage buffers overlap.
 *
 * Problem: two storage buffers may be the same memory, so that a load of one
 * must wait for a store to the other, and neighbours that stand on both sides
 * of it are two messages. Hardly ever are they.
 *
 * Method: a compute shader is compiled as if no two buffers overlapped. If
 * that made a difference, the pipeline keeps what the shader was made of, each
 * dispatch compares the buffers that are bound (genX_resources.c), and where
 * some overlap takes a shader that is compiled then, once. Buffers that may
 * change after that, by descriptors that are updated after they are bound,
 * are none whose order the compiler changes: it does not know their names.
 */
#include "saf_pipeline.h"
#include "saf_pipeline_library.h"
#include "saf_shader.h"

#include <pthread.h>

#include "util/guard.h"

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
   copy->o->stage = saf_copy_stage(copy->o->arena, copy->from);
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
