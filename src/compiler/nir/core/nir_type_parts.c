/* SPDX-License-Identifier: MIT */
/* Questions about types: what they are made of, and their sizes. */
#include "nir_types.h"

#include "util/arena.h"

/* --- Parts ------------------------------------------------------------- */

const struct glsl_type *
glsl_without_array(const struct glsl_type *t)
{
   while (glsl_type_is_array(t))
      t = t->element;
   return t;
}

const struct glsl_type *
glsl_get_column_type(const struct glsl_type *t)
{
   if (!glsl_type_is_matrix(t))
      return glsl_error_type();
   if (t->interface_row_major && t->explicit_stride)
      return glsl_simple_explicit_type(t->base_type, t->vector_elements, 1,
                                       t->explicit_stride, true, 0);
   return glsl_vector_type(t->base_type, t->vector_elements);
}

const struct glsl_type *
glsl_get_array_element(const struct glsl_type *t)
{
   if (glsl_type_is_matrix(t))
      return glsl_get_column_type(t);
   if (glsl_type_is_vector(t))
      return glsl_scalar_type(t->base_type);
   if (!glsl_type_is_array(t))
      return glsl_error_type();
   return t->element;
}

const struct glsl_type *
glsl_without_array_or_matrix(const struct glsl_type *t)
{
   t = glsl_without_array(t);
   return glsl_type_is_matrix(t) ? glsl_get_column_type(t) : t;
}

const struct glsl_struct_field *
glsl_get_struct_field_data(const struct glsl_type *t, unsigned index)
{
   assert(glsl_type_is_struct_or_ifc(t) && index < t->length);
   return &t->fields[index];
}

const struct glsl_type *
glsl_get_struct_field(const struct glsl_type *t, unsigned index)
{
   return glsl_get_struct_field_data(t, index)->type;
}

int
glsl_get_struct_field_offset(const struct glsl_type *t, unsigned index)
{
   return glsl_get_struct_field_data(t, index)->offset;
}

const char *
glsl_get_struct_elem_name(const struct glsl_type *t, unsigned index)
{
   const char *name = glsl_get_struct_field_data(t, index)->name;
   return name ? name : "";
}

int
glsl_get_field_index(const struct glsl_type *t, const char *name)
{
   if (!glsl_type_is_struct_or_ifc(t))
      return -1;
   for (unsigned i = 0; i < t->length; i++) {
      if (t->fields[i].name && strcmp(t->fields[i].name, name) == 0)
         return (int)i;
   }
   return -1;
}

unsigned
glsl_get_aoa_size(const struct glsl_type *t)
{
   unsigned size = 1;
   for (; glsl_type_is_array(t); t = t->element)
      size *= t->length;
   return size;
}

const struct glsl_type *
glsl_get_bare_type(const struct glsl_type *t)
{
   if (glsl_type_is_array(t))
      return glsl_array_type(glsl_get_bare_type(t->element), t->length, 0);
   if (glsl_type_is_struct_or_ifc(t)) {
      struct arena *tmp = arena_create(NULL);
      struct glsl_struct_field *f =
         arena_new_array(tmp, struct glsl_struct_field, t->length);
      for (unsigned i = 0; i < t->length; i++) {
         f[i] = (struct glsl_struct_field) {
            GLSL_STRUCT_FIELD_DEFAULT,
            .type = glsl_get_bare_type(t->fields[i].type),
            .name = t->fields[i].name,
         };
      }
      const struct glsl_type *bare =
         glsl_struct_type(f, t->length, t->name, false);
      arena_destroy(tmp);
      return bare;
   }
   if (t->vector_elements)
      return glsl_simple_explicit_type(t->base_type, t->vector_elements,
                                       t->matrix_columns, 0, false, 0);
   return t;
}

const struct glsl_type *
glsl_type_wrap_in_arrays(const struct glsl_type *t,
                         const struct glsl_type *arrays)
{
   if (!glsl_type_is_array(arrays))
      return t;
   return glsl_array_type(glsl_type_wrap_in_arrays(t, arrays->element),
                          arrays->length, arrays->explicit_stride);
}

/* Whether `test` holds for the type or any part of it. */
static bool
contains(const struct glsl_type *t, bool (*test)(const struct glsl_type *))
{
   t = glsl_without_array(t);
   if (glsl_type_is_struct_or_ifc(t)) {
      for (unsigned i = 0; i < t->length; i++) {
         if (contains(t->fields[i].type, test))
            return true;
      }
      return false;
   }
   return test(t);
}

static bool
is_opaque(const struct glsl_type *t)
{
   return t->base_type >= GLSL_TYPE_SAMPLER &&
          t->base_type <= GLSL_TYPE_ATOMIC_UINT;
}

bool
glsl_type_contains_opaque(const struct glsl_type *t)
{
   return contains(t, is_opaque);
}

/* --- Sizes ------------------------------------------------------------- */

unsigned
glsl_get_bit_size(const struct glsl_type *t)
{
   return glsl_base_type_bit_size(glsl_without_array(t)->base_type);
}

unsigned
glsl_count_vec4_slots(const struct glsl_type *t, bool is_gl_vertex_input,
                      bool bindless)
{
   if (glsl_type_is_array(t))
      return t->length *
             glsl_count_vec4_slots(t->element, is_gl_vertex_input, bindless);
   if (glsl_type_is_struct_or_ifc(t)) {
      unsigned n = 0;
      for (unsigned i = 0; i < t->length; i++)
         n += glsl_count_vec4_slots(t->fields[i].type, is_gl_vertex_input,
                                    bindless);
      return n;
   }
   if (t->vector_elements == 0)
      return is_opaque(t) && bindless ? 1 : 0;
   const unsigned per_column =
      glsl_type_is_dual_slot(t) && !is_gl_vertex_input ? 2 : 1;
   return t->matrix_columns * per_column;
}

unsigned
glsl_count_attribute_slots(const struct glsl_type *t, bool vertex_input)
{
   return glsl_count_vec4_slots(t, vertex_input, true);
}

unsigned
glsl_count_slots_before_field(const struct glsl_type *t, unsigned field)
{
   unsigned slots = 0;

   while (field--)
      slots +=
         glsl_count_attribute_slots(glsl_get_struct_field(t, field), false);
   return slots;
}

unsigned
glsl_get_explicit_size(const struct glsl_type *t, bool align_to_stride)
{
   if (glsl_type_is_struct_or_ifc(t)) {
      const struct glsl_struct_field *f = t->fields, *stop = f + t->length;
      unsigned size = 0;
      for (; f < stop; f++) {
         if (f->offset < 0)
            continue;
         const unsigned end =
            (unsigned)f->offset +
            glsl_get_explicit_size(f->type, align_to_stride);
         size = MAX2(size, end);
      }
      return size;
   }
   if (glsl_type_is_array(t)) {
      /* The length of an unsized array is not known here. */
      if (t->length == 0)
         return t->explicit_stride;
      const unsigned last = align_to_stride
                               ? t->explicit_stride
                               : glsl_get_explicit_size(t->element, false);
      return (t->length - 1) * t->explicit_stride + last;
   }
   const unsigned bytes = glsl_type_is_boolean(t) ? 4
                                                  : glsl_get_bit_size(t) / 8;
   if (glsl_type_is_matrix(t)) {
      const bool rows = t->interface_row_major;
      const unsigned n = rows ? t->vector_elements : t->matrix_columns;
      const unsigned vec_B = bytes *
                             (rows ? t->matrix_columns : t->vector_elements);
      const unsigned stride = t->explicit_stride ? t->explicit_stride : vec_B;
      return (n - 1) * stride + (align_to_stride ? stride : vec_B);
   }
   if (t->explicit_stride && t->vector_elements)
      return (t->vector_elements - 1u) * t->explicit_stride + bytes;
   return t->vector_elements * bytes;
}

void
glsl_get_natural_size_align_bytes(const struct glsl_type *t, unsigned *size,
                                  unsigned *align)
{
   *size = 0;
   *align = 1;
   if (glsl_type_is_array(t)) {
      unsigned s, a;
      glsl_get_natural_size_align_bytes(t->element, &s, &a);
      *align = a;
      *size = t->length * ALIGN_NPOT(s, a);
   } else if (glsl_type_is_struct_or_ifc(t)) {
      for (unsigned i = 0; i < t->length; i++) {
         unsigned s, a;
         glsl_get_natural_size_align_bytes(t->fields[i].type, &s, &a);
         *align = MAX2(*align, a);
         *size = ALIGN_NPOT(*size, a) + s;
      }
      *size = ALIGN_NPOT(*size, *align);
   } else if (t->vector_elements) {
      const unsigned bytes =
         glsl_type_is_boolean(t) ? 4 : glsl_get_bit_size(t) / 8;
      *align = bytes;
      *size = bytes * glsl_get_components(t);
   } else {
      *size = *align = 8;
   }
}

const struct glsl_type *
glsl_get_explicit_type_for_size_align(const struct glsl_type *t,
                                      glsl_type_size_align_func size_align,
                                      unsigned *size, unsigned *align)
{
   if (glsl_type_is_array(t)) {
      unsigned s, a;
      const struct glsl_type *element = glsl_get_explicit_type_for_size_align(
         t->element, size_align, &s, &a);
      const unsigned stride = ALIGN_NPOT(s, a);
      *align = a;
      *size = t->length ? stride * (t->length - 1) + s : 0;
      return glsl_array_type(element, t->length, stride);
   }
   if (glsl_type_is_struct_or_ifc(t)) {
      struct arena *tmp = arena_create(NULL);
      struct glsl_struct_field *f =
         arena_new_array(tmp, struct glsl_struct_field, t->length);
      *size = 0;
      *align = 1;
      for (unsigned i = 0; i < t->length; i++) {
         unsigned s, a;
         f[i] = t->fields[i];
         f[i].type = glsl_get_explicit_type_for_size_align(
            t->fields[i].type, size_align, &s, &a);
         if (t->packed)
            a = 1;
         f[i].offset = (int)ALIGN_NPOT(*size, a);
         *size = (unsigned)f[i].offset + s;
         *align = MAX2(*align, a);
      }
      *size = ALIGN_NPOT(*size, *align);
      const struct glsl_type *res =
         glsl_type_is_struct(t)
            ? glsl_struct_type(f, t->length, t->name, t->packed)
            : glsl_interface_type(f, t->length, t->interface_packing,
                                  t->interface_row_major, t->name);
      arena_destroy(tmp);
      return res;
   }
   if (glsl_type_is_matrix(t)) {
      unsigned s, a;
      size_align(glsl_vector_type(t->base_type, t->vector_elements), &s, &a);
      const unsigned stride = ALIGN_NPOT(s, a);
      *size = stride * t->matrix_columns;
      *align = a;
      return glsl_simple_explicit_type(t->base_type, t->vector_elements,
                                       t->matrix_columns, stride, false, 0);
   }
   size_align(t, size, align);
   return t;
}
