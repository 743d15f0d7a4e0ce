/* SPDX-License-Identifier: MIT */
/*
 * What transform feedback captures: which components of which outputs go to
 * which bytes of which buffer. Outputs say where they begin; what is inside
 * of them is laid out here.
 */
#include "saf_shader.h"

/* An output on its way into the buffer. */
struct captured {
   const nir_variable *var;
   unsigned buffer;
   unsigned location, offset_B; /* of what comes next */
};

static void
add_xfb_slot(struct saf_xfb_info *xfb, const struct captured *c,
             unsigned location, unsigned first_component, unsigned components,
             unsigned offset_B)
{
   const unsigned buffer = c->buffer;
   const unsigned stream = c->var->data.stream;
   if (xfb->output_count >= ARRAY_SIZE(xfb->outputs) ||
       buffer >= SAF_MAX_XFB_BUFFERS || stream >= SAF_MAX_XFB_STREAMS)
      return;
   /* These share the header's slot. */
   if (location == VARYING_SLOT_PSIZ)
      first_component = 3;
   else if (location == VARYING_SLOT_VIEWPORT)
      first_component = 2;
   else if (location == VARYING_SLOT_LAYER)
      first_component = 1;
   xfb->outputs[xfb->output_count++] = (struct saf_xfb_output) {
      .buffer = (uint8_t)buffer,
      .location = (uint8_t)location,
      .component_mask = (uint8_t)BITFIELD_RANGE(first_component, components),
      .stream = (uint8_t)stream,
      .offset_B = (uint16_t)offset_B,
   };
   xfb->buffers_written |= 1u << buffer;
   xfb->buffers_of_stream[stream] |= 1u << buffer;
}

/* Bytes of which what is captured of a type begins at a multiple: eight if
 * there is a number of 64 bits in it, wherever (GLSL 4.60, 4.4.2.1). */
static unsigned
xfb_align_B(const struct glsl_type *type)
{
   type = glsl_without_array(type);
   if (!glsl_type_is_struct_or_ifc(type))
      return glsl_type_is_64bit(type) ? 8 : 4;
   unsigned align_B = 4;
   for (unsigned i = 0; i < glsl_get_length(type); i++)
      align_B = MAX2(align_B, xfb_align_B(glsl_get_struct_field(type, i)));
   return align_B;
}

/* Appends a scalar or vector. */
static void
add_xfb_vector(struct saf_xfb_info *xfb, struct captured *c,
               const struct glsl_type *type)
{
   unsigned left = glsl_get_components(type) *
                   (glsl_type_is_64bit(type) ? 2 : 1);
   unsigned component = c->var->data.location_frac;
   while (left) {
      const unsigned n = MIN2(left, 4 - component);
      add_xfb_slot(xfb, c, c->location, component, n, c->offset_B);
      c->offset_B += n * 4;
      left -= n;
      component = 0;
      c->location++;
   }
}

/* Appends all of one type; location and offset move on after it. A structure
 * fills up to its alignment, too: offsets that front ends give to what
 * follows one count on it. */
static void
add_xfb_type(struct saf_xfb_info *xfb, struct captured *c,
             const struct glsl_type *type)
{
   const unsigned align_B = xfb_align_B(type);
   c->offset_B = ALIGN(c->offset_B, align_B);
   if (glsl_type_is_array_or_matrix(type)) {
      const bool is_array = glsl_type_is_array(type);
      const unsigned n = is_array ? glsl_get_length(type)
                                  : glsl_get_matrix_columns(type);
      const struct glsl_type *element =
         is_array ? glsl_get_array_element(type) : glsl_get_column_type(type);
      for (unsigned i = 0; i < n; i++)
         add_xfb_type(xfb, c, element);
   } else if (glsl_type_is_struct_or_ifc(type)) {
      const unsigned members = glsl_get_length(type);
      for (unsigned i = 0; i < members; i++)
         add_xfb_type(xfb, c, glsl_get_struct_field(type, i));
      c->offset_B = ALIGN(c->offset_B, align_B);
   } else {
      add_xfb_vector(xfb, c, type);
   }
}

static unsigned
clip_distances(nir_shader *nir)
{
   nir_foreach_shader_out_variable(var, nir) {
      if (var->data.location == VARYING_SLOT_CLIP_DIST0)
         return glsl_get_length(var->type);
   }
   return 0;
}

/* Arrays of distances lie four to a slot, those to cull by after those to
 * clip by (nir_lower_clip_cull_distance_arrays). */
static void
add_xfb_compact(struct saf_xfb_info *xfb, const struct captured *c,
                nir_shader *nir)
{
   const unsigned n = glsl_get_length(c->var->type);
   const unsigned first = c->location == VARYING_SLOT_CULL_DIST0
                             ? clip_distances(nir)
                             : c->var->data.location_frac;
   for (unsigned i = 0; i < n; i++) {
      const unsigned at = first + i;
      add_xfb_slot(xfb, c, VARYING_SLOT_CLIP_DIST0 + at / 4, at % 4, 1,
                   c->offset_B + i * 4);
   }
}

/* Each block of an array goes to a buffer of its own (GLSL 4.60, 4.4.2.1
 * "Transform Feedback Layout Qualifiers"). */
static void
add_xfb_blocks(struct saf_xfb_info *xfb, const nir_variable *var)
{
   const unsigned blocks = MAX2(var->data.block_count, 1);
   const struct glsl_type *type = var->type;
   for (unsigned n = 1; n < blocks; type = glsl_get_array_element(type))
      n *= glsl_get_length(type);
   struct captured c = { .var = var,
                         .location = (unsigned)var->data.location };
   for (unsigned i = 0; i < blocks; i++) {
      c.buffer = var->data.xfb.buffer + i;
      c.offset_B = var->data.offset;
      if (c.buffer < SAF_MAX_XFB_BUFFERS && var->data.xfb.stride)
         xfb->stride_B[c.buffer] = var->data.xfb.stride;
      add_xfb_type(xfb, &c, type);
   }
}

/* Stream output writes dwords. */
static bool
has_small(const struct glsl_type *type)
{
   if (glsl_type_is_array(type))
      return has_small(glsl_get_array_element(type));
   if (!glsl_type_is_struct_or_ifc(type))
      return glsl_get_bit_size(type) < 32;
   for (unsigned i = 0; i < glsl_get_length(type); i++) {
      if (has_small(glsl_get_struct_field(type, i)))
         return true;
   }
   return false;
}

VkResult
saf_gather_xfb(nir_shader *nir, struct saf_xfb_info *xfb)
{
   memset(xfb, 0, sizeof(*xfb));
   nir_foreach_shader_out_variable(var, nir) {
      if (!var->data.explicit_xfb_buffer || !var->data.explicit_offset)
         continue;
      if (has_small(var->type))
         return saf_error(VK_ERROR_UNKNOWN,
                          "transform feedback of fewer than 32 bits");
      if (!var->data.compact) {
         add_xfb_blocks(xfb, var);
         continue;
      }
      const struct captured c = {
         .var = var,
         .buffer = var->data.xfb.buffer,
         .location = (unsigned)var->data.location,
         .offset_B = var->data.offset,
      };
      if (c.buffer < SAF_MAX_XFB_BUFFERS && var->data.xfb.stride)
         xfb->stride_B[c.buffer] = var->data.xfb.stride;
      add_xfb_compact(xfb, &c, nir);
   }
   return VK_SUCCESS;
}
