/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback from the decorations of outputs (GLSL 4.60, 4.4.2.1;
 * Vulkan 1.3, 15.4): one entry for each vec4 slot that is captured. Vectors of
 * doubles that do not fit go on in the next slot, as the location does.
 */
#include "nir_xfb_info.h"
#include "util/dynarray.h"

struct gather {
   struct util_dynarray outputs;  /* nir_xfb_output_info */
   const nir_variable *var;
   unsigned location;             /* of the next vector */
   unsigned offset_B;
};

static void
add_vector(struct gather *g, const struct glsl_type *type)
{
   const unsigned dw = glsl_type_is_64bit(type) ? 2 : 1;
   unsigned left = glsl_get_vector_elements(type) * dw;
   unsigned component = g->var->data.location_frac;

   /* A double lies on a multiple of eight bytes. */
   g->offset_B = ALIGN(g->offset_B, dw * 4);
   while (left) {
      const unsigned here = MIN2(left, 4 - component);
      const nir_xfb_output_info o = {
         .buffer = (uint8_t)g->var->data.xfb.buffer,
         .offset = (uint16_t)g->offset_B,
         .location = (uint8_t)g->location,
         .component_mask = (uint8_t)BITFIELD_RANGE(component, here),
         .component_offset = (uint8_t)component,
      };
      util_dynarray_append(&g->outputs, nir_xfb_output_info, o);
      g->offset_B += here * 4;
      left -= here;
      component = 0;
      g->location++;
   }
}

/* Floats four to a slot: clip and cull distances. */
static void
add_compact(struct gather *g, unsigned n)
{
   unsigned component = g->var->data.location_frac;

   while (n) {
      const unsigned here = MIN2(n, 4 - component);
      const nir_xfb_output_info o = {
         .buffer = (uint8_t)g->var->data.xfb.buffer,
         .offset = (uint16_t)g->offset_B,
         .location = (uint8_t)g->location++,
         .component_mask = (uint8_t)BITFIELD_RANGE(component, here),
         .component_offset = (uint8_t)component,
      };
      util_dynarray_append(&g->outputs, nir_xfb_output_info, o);
      g->offset_B += here * 4;
      n -= here;
      component = 0;
   }
}

static void
add_type(struct gather *g, const struct glsl_type *type)
{
   if (glsl_type_is_vector_or_scalar(type)) {
      add_vector(g, type);
   } else if (glsl_type_is_struct_or_ifc(type)) {
      for (unsigned i = 0; i < glsl_get_length(type); i++)
         add_type(g, glsl_get_struct_field(type, i));
   } else {
      for (unsigned i = 0; i < glsl_get_length(type); i++)
         add_type(g, glsl_get_array_element(type));
   }
}

static int
by_place(const void *a, const void *b)
{
   const nir_xfb_output_info *x = a, *y = b;

   if (x->buffer != y->buffer)
      return x->buffer < y->buffer ? -1 : 1;
   return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static nir_xfb_info *
finish(struct gather *g, struct arena *arena)
{
   const unsigned n = (unsigned)util_dynarray_num_elements(
      &g->outputs, nir_xfb_output_info);
   nir_xfb_info *info;

   if (!n)
      return NULL;
   info = arena_alloc(arena, sizeof(*info) + n * sizeof(*info->outputs));
   info->output_count = (uint16_t)n;
   memcpy(info->outputs, g->outputs.data, n * sizeof(*info->outputs));
   qsort(info->outputs, n, sizeof(*info->outputs), by_place);
   return info;
}

nir_xfb_info *
nir_gather_xfb_info(nir_shader *shader, struct arena *arena)
{
   struct gather g = {0};
   nir_xfb_info *info;

   nir_foreach_shader_out_variable(var, shader) {
      if (!var->data.explicit_xfb_buffer || !var->data.explicit_offset ||
          var->data.xfb.buffer >= NIR_MAX_XFB_BUFFERS)
         continue;
      g.var = var;
      g.location = (unsigned)var->data.location;
      g.offset_B = var->data.offset;
      if (var->data.compact)
         add_compact(&g, glsl_get_length(var->type));
      else
         add_type(&g, var->type);
   }
   info = finish(&g, arena);
   util_dynarray_fini(&g.outputs);
   nir_foreach_shader_out_variable(var, shader) {
      const unsigned b = var->data.xfb.buffer;
      if (!info || !var->data.explicit_xfb_buffer ||
          b >= NIR_MAX_XFB_BUFFERS)
         continue;
      if (var->data.explicit_offset)
         info->buffers_written |= (uint8_t)(1u << b);
      if (var->data.xfb.stride)
         info->buffers[b].stride = var->data.xfb.stride;
      info->buffer_to_stream[b] = var->data.stream & 3;
      info->streams_written |= (uint8_t)(1u << (var->data.stream & 3));
   }
   return info;
}
