/* SPDX-License-Identifier: MIT */
/* Input signatures of containers. */
#include "d3dlib.h"

#include <stdlib.h>
#include <strings.h>

static enum vkd3d_result
parse(struct d3dlib_call *call, struct arena *arena)
{
   const struct vkd3d_shader_code *code = call->info;
   struct d3d_error error = { 0 };
   const struct dxbc_chunk *chunk;
   struct dxbc container;
   unsigned n;

   if (!dxbc_read(code->code, code->size, &container, &error))
      return d3dlib_bad_input(call, &error);
   chunk = dxbc_find_signature(&container, DXBC_INPUT);
   if (!chunk)
      return d3dlib_fail(call, VKD3D_ERROR_INVALID_ARGUMENT,
                         " error: there is no input signature");
   if (!dxbc_signature_count(chunk, &n, &error))
      return d3dlib_bad_input(call, &error);
   for (unsigned i = 0; i < n; i++) {
      struct dxbc_signature_element e;
      if (!dxbc_signature_get(chunk, i, &e, &error))
         return d3dlib_bad_input(call, &error);
      const struct vkd3d_shader_signature_element to = {
         .semantic_name = e.semantic,
         .semantic_index = e.semantic_index,
         .stream_index = e.stream,
         .sysval_semantic = e.system_value,
         .component_type = e.component_type,
         .register_index = e.reg,
         .mask = e.mask,
         .used_mask = e.used_mask,
      };
      util_dynarray_append(&call->out, struct vkd3d_shader_signature_element,
                           to);
   }
   return VKD3D_OK;
}

/* Names point into the program's container: each gets a copy. */
static bool
own_names(struct vkd3d_shader_signature *s)
{
   bool ok = true;

   for (unsigned i = 0; i < s->element_count; i++) {
      s->elements[i].semantic_name = strdup(s->elements[i].semantic_name);
      ok &= s->elements[i].semantic_name != NULL;
   }
   return ok;
}

int
vkd3d_shader_parse_input_signature(const struct vkd3d_shader_code *dxbc,
                                   struct vkd3d_shader_signature *signature,
                                   char **messages)
{
   struct d3dlib_call call = { .run = parse, .info = dxbc };
   size_t size_B;

   memset(signature, 0, sizeof(*signature));
   if (d3dlib_run(&call, messages) != VKD3D_OK) {
      util_dynarray_fini(&call.out);
      return call.result;
   }
   signature->elements = d3dlib_take(&call, &size_B);
   signature->element_count =
      (unsigned)(size_B / sizeof(*signature->elements));
   if (signature->elements && own_names(signature))
      return VKD3D_OK;
   vkd3d_shader_free_shader_signature(signature);
   return VKD3D_ERROR_OUT_OF_MEMORY;
}

struct vkd3d_shader_signature_element *
vkd3d_shader_find_signature_element(
   const struct vkd3d_shader_signature *signature, const char *semantic_name,
   unsigned int semantic_index, unsigned int stream_index)
{
   for (unsigned i = 0; i < signature->element_count; i++) {
      struct vkd3d_shader_signature_element *e = &signature->elements[i];
      if (e->semantic_index == semantic_index &&
          e->stream_index == stream_index &&
          !strcasecmp(e->semantic_name, semantic_name))
         return e;
   }
   return NULL;
}

void
vkd3d_shader_free_shader_signature(struct vkd3d_shader_signature *signature)
{
   for (unsigned i = 0; i < signature->element_count; i++)
      free((void *)signature->elements[i].semantic_name);
   free(signature->elements);
   signature->elements = NULL;
   signature->element_count = 0;
}
