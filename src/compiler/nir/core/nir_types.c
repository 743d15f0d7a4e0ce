/* SPDX-License-Identifier: MIT */
/*
 * The table of types. A type's key is the bytes of all that tells it from
 * others; the first type made with a key is the one that everybody gets.
 */
#include "nir_types.h"

#include <pthread.h>
#include <stdio.h>

#include "util/arena.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

static pthread_mutex_t types_lock = PTHREAD_MUTEX_INITIALIZER;
static struct arena *types_arena;
static struct hash_table types_table;

/* A driver may be unloaded, and loaded again. */
__attribute__((destructor)) static void
forget_types(void)
{
   if (!types_arena)
      return;
   hash_table_finish(&types_table);
   arena_destroy(types_arena);
}

/* Plain scalars and vectors are asked for all the time: no lock for those
 * that were made already. */
#define MAX_CACHED_ELEMENTS 16
static const struct glsl_type
   *simple_cache[GLSL_TYPE_BOOL + 1][MAX_CACHED_ELEMENTS + 1];

static void
key_add(struct util_dynarray *key, const void *data, size_t size_B)
{
   memcpy(util_dynarray_grow_bytes(key, size_B), data, size_B);
}

static void
key_add_int(struct util_dynarray *key, int64_t v)
{
   key_add(key, &v, sizeof(v));
}

static void
key_add_str(struct util_dynarray *key, const char *s)
{
   key_add_int(key, s ? (int64_t)strlen(s) : -1);
   if (s)
      key_add(key, s, strlen(s));
}

static void
key_add_field(struct util_dynarray *key, const struct glsl_struct_field *f)
{
   key_add(key, &f->type, sizeof(f->type));
   key_add_str(key, f->name);
   key_add_int(key, f->location);
   key_add_int(key, f->component);
   key_add_int(key, f->offset);
   key_add_int(key, f->xfb_buffer);
   key_add_int(key, f->xfb_offset);
   key_add_int(key, f->xfb_stride);
   key_add_int(key, f->matrix_layout);
   key_add_int(key, f->interpolation);
   key_add_int(key, f->centroid | f->sample << 1 | f->patch << 2);
}

static void
type_key(struct util_dynarray *key, const struct glsl_type *t)
{
   key_add_int(key, t->base_type);
   key_add_int(key, t->sampled_type);
   key_add_int(key, t->sampler_dim);
   key_add_int(key, t->sampler_shadow | t->sampler_array << 1 |
                       t->interface_row_major << 2 | t->packed << 3);
   key_add_int(key, t->interface_packing);
   key_add_int(key, t->vector_elements | t->matrix_columns << 8);
   key_add_int(key, t->length);
   key_add_int(key, t->explicit_stride);
   key_add_int(key, t->explicit_alignment);
   key_add(key, &t->element, sizeof(t->element));
   if (glsl_type_is_struct_or_ifc(t)) {
      key_add_str(key, t->name);
      for (unsigned i = 0; i < t->length; i++)
         key_add_field(key, &t->fields[i]);
   }
}

static const struct glsl_struct_field *
copy_fields(const struct glsl_struct_field *f, unsigned n)
{
   struct glsl_struct_field *copy =
      arena_new_array(types_arena, struct glsl_struct_field, n);
   for (unsigned i = 0; i < n; i++) {
      copy[i] = f[i];
      if (f[i].name)
         copy[i].name = arena_strdup(types_arena, f[i].name);
   }
   return copy;
}

/* The one type like `proto`, whose name and fields are copied. */
static const struct glsl_type *
intern(const struct glsl_type *proto)
{
   struct util_dynarray key = { 0 };
   type_key(&key, proto);

   pthread_mutex_lock(&types_lock);
   if (!types_arena) {
      types_arena = arena_create(NULL);
      hash_table_init(&types_table);
   }
   struct glsl_type *t = hash_table_get_bytes(&types_table, key.data,
                                              (uint32_t)key.size_B);
   if (!t) {
      t = arena_new(types_arena, struct glsl_type);
      *t = *proto;
      t->name = arena_strdup(types_arena, proto->name ? proto->name : "");
      if (glsl_type_is_struct_or_ifc(t))
         t->fields = copy_fields(proto->fields, proto->length);
      hash_table_insert_bytes(
         &types_table, arena_memdup(types_arena, key.data, key.size_B),
         (uint32_t)key.size_B, t);
   }
   pthread_mutex_unlock(&types_lock);
   util_dynarray_fini(&key);
   return t;
}

/* --- Numbers ------------------------------------------------------------ */

static const struct {
   const char *scalar, *vector, *matrix;
   unsigned bits;
} base_names[] = {
   [GLSL_TYPE_UINT] = { "uint", "uvec", NULL, 32 },
   [GLSL_TYPE_INT] = { "int", "ivec", NULL, 32 },
   [GLSL_TYPE_FLOAT] = { "float", "vec", "mat", 32 },
   [GLSL_TYPE_FLOAT16] = { "float16_t", "f16vec", "f16mat", 16 },
   [GLSL_TYPE_DOUBLE] = { "double", "dvec", "dmat", 64 },
   [GLSL_TYPE_UINT8] = { "uint8_t", "u8vec", NULL, 8 },
   [GLSL_TYPE_INT8] = { "int8_t", "i8vec", NULL, 8 },
   [GLSL_TYPE_UINT16] = { "uint16_t", "u16vec", NULL, 16 },
   [GLSL_TYPE_INT16] = { "int16_t", "i16vec", NULL, 16 },
   [GLSL_TYPE_UINT64] = { "uint64_t", "u64vec", NULL, 64 },
   [GLSL_TYPE_INT64] = { "int64_t", "i64vec", NULL, 64 },
   [GLSL_TYPE_BOOL] = { "bool", "bvec", NULL, 1 },
};

static void
numeric_name(char *buf, size_t size_B, enum glsl_base_type base,
             unsigned rows, unsigned columns)
{
   if (columns > 1 && rows == columns)
      snprintf(buf, size_B, "%s%u", base_names[base].matrix, rows);
   else if (columns > 1)
      snprintf(buf, size_B, "%s%ux%u", base_names[base].matrix, columns,
               rows);
   else if (rows > 1)
      snprintf(buf, size_B, "%s%u", base_names[base].vector, rows);
   else
      snprintf(buf, size_B, "%s", base_names[base].scalar);
}

const struct glsl_type *
glsl_simple_explicit_type(enum glsl_base_type base, unsigned rows,
                          unsigned columns, unsigned stride, bool row_major,
                          unsigned alignment)
{
   if (base > GLSL_TYPE_BOOL || rows < 1 || rows > 16 || columns < 1 ||
       (columns > 1 && (columns > 4 || rows < 2 || rows > 4 ||
                        !base_names[base].matrix)))
      return glsl_error_type();

   char name[32];
   numeric_name(name, sizeof(name), base, rows, columns);
   return intern(&(struct glsl_type) {
      .base_type = base,
      .vector_elements = (uint8_t)rows,
      .matrix_columns = (uint8_t)columns,
      .explicit_stride = stride,
      .interface_row_major = row_major,
      .explicit_alignment = alignment,
      .name = name,
   });
}

const struct glsl_type *
glsl_vector_type(enum glsl_base_type base, unsigned components)
{
   if (base > GLSL_TYPE_BOOL || components > MAX_CACHED_ELEMENTS)
      return glsl_error_type();
   const struct glsl_type **slot = &simple_cache[base][components];
   const struct glsl_type *t = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
   if (!t) {
      t = glsl_simple_explicit_type(base, components, 1, 0, false, 0);
      __atomic_store_n(slot, t, __ATOMIC_RELEASE);
   }
   return t;
}

const struct glsl_type *
glsl_scalar_type(enum glsl_base_type base)
{
   if (base == GLSL_TYPE_VOID)
      return glsl_void_type();
   if (base == GLSL_TYPE_ATOMIC_UINT)
      return glsl_atomic_uint_type();
   return glsl_vector_type(base, 1);
}

const struct glsl_type *
glsl_matrix_type(enum glsl_base_type base, unsigned rows, unsigned columns)
{
   return glsl_simple_explicit_type(base, rows, columns, 0, false, 0);
}

const struct glsl_type *
glsl_explicit_matrix_type(const struct glsl_type *mat, unsigned stride,
                          bool row_major)
{
   return glsl_simple_explicit_type(mat->base_type, mat->vector_elements,
                                    mat->matrix_columns, stride, row_major,
                                    mat->explicit_alignment);
}

const struct glsl_type *
glsl_uintN_t_type(unsigned bit_size)
{
   switch (bit_size) {
   case 1: return glsl_bool_type();
   case 8: return glsl_scalar_type(GLSL_TYPE_UINT8);
   case 16: return glsl_scalar_type(GLSL_TYPE_UINT16);
   case 32: return glsl_scalar_type(GLSL_TYPE_UINT);
   case 64: return glsl_scalar_type(GLSL_TYPE_UINT64);
   default: return glsl_error_type();
   }
}

const struct glsl_type *
glsl_intN_t_type(unsigned bit_size)
{
   switch (bit_size) {
   case 1: return glsl_bool_type();
   case 8: return glsl_scalar_type(GLSL_TYPE_INT8);
   case 16: return glsl_scalar_type(GLSL_TYPE_INT16);
   case 32: return glsl_scalar_type(GLSL_TYPE_INT);
   case 64: return glsl_scalar_type(GLSL_TYPE_INT64);
   default: return glsl_error_type();
   }
}

const struct glsl_type *
glsl_floatN_t_type(unsigned bit_size)
{
   switch (bit_size) {
   case 16: return glsl_scalar_type(GLSL_TYPE_FLOAT16);
   case 32: return glsl_scalar_type(GLSL_TYPE_FLOAT);
   case 64: return glsl_scalar_type(GLSL_TYPE_DOUBLE);
   default: return glsl_error_type();
   }
}

/* --- What is no number ---------------------------------------------------- */

const struct glsl_type *
glsl_void_type(void)
{
   return intern(
      &(struct glsl_type) { .base_type = GLSL_TYPE_VOID, .name = "void" });
}

const struct glsl_type *
glsl_error_type(void)
{
   return intern(
      &(struct glsl_type) { .base_type = GLSL_TYPE_ERROR, .name = "error" });
}

const struct glsl_type *
glsl_atomic_uint_type(void)
{
   return intern(&(struct glsl_type) { .base_type = GLSL_TYPE_ATOMIC_UINT,
                                       .name = "atomic_uint" });
}

static const char *const dim_names[] = {
   [GLSL_SAMPLER_DIM_1D] = "1D",       [GLSL_SAMPLER_DIM_2D] = "2D",
   [GLSL_SAMPLER_DIM_3D] = "3D",       [GLSL_SAMPLER_DIM_CUBE] = "Cube",
   [GLSL_SAMPLER_DIM_RECT] = "2DRect", [GLSL_SAMPLER_DIM_BUF] = "Buffer",
   [GLSL_SAMPLER_DIM_EXTERNAL] = "ExternalOES",
   [GLSL_SAMPLER_DIM_MS] = "2DMS",     [GLSL_SAMPLER_DIM_SUBPASS] = "",
   [GLSL_SAMPLER_DIM_SUBPASS_MS] = "MS",
};

static const char *
result_prefix(enum glsl_base_type result)
{
   switch (result) {
   case GLSL_TYPE_INT: return "i";
   case GLSL_TYPE_UINT: return "u";
   case GLSL_TYPE_INT64: return "i64";
   case GLSL_TYPE_UINT64: return "u64";
   case GLSL_TYPE_VOID: return "v";
   default: return "";
   }
}

static const struct glsl_type *
opaque_type(enum glsl_base_type base, const char *word,
            enum glsl_sampler_dim dim, bool shadow, bool array,
            enum glsl_base_type result)
{
   const bool subpass = dim == GLSL_SAMPLER_DIM_SUBPASS ||
                        dim == GLSL_SAMPLER_DIM_SUBPASS_MS;
   char name[48];
   snprintf(name, sizeof(name), "%s%s%s%s%s", result_prefix(result),
            subpass ? "subpassInput" : word, dim_names[dim],
            array ? "Array" : "", shadow ? "Shadow" : "");
   return intern(&(struct glsl_type) {
      .base_type = base,
      .sampled_type = result,
      .sampler_dim = dim,
      .sampler_shadow = shadow,
      .sampler_array = array,
      .name = name,
   });
}

const struct glsl_type *
glsl_sampler_type(enum glsl_sampler_dim dim, bool is_shadow, bool is_array,
                  enum glsl_base_type result)
{
   return opaque_type(GLSL_TYPE_SAMPLER, "sampler", dim, is_shadow, is_array,
                      result);
}

const struct glsl_type *
glsl_texture_type(enum glsl_sampler_dim dim, bool is_array,
                  enum glsl_base_type result)
{
   return opaque_type(GLSL_TYPE_TEXTURE, "texture", dim, false, is_array,
                      result);
}

const struct glsl_type *
glsl_image_type(enum glsl_sampler_dim dim, bool is_array,
                enum glsl_base_type result)
{
   return opaque_type(GLSL_TYPE_IMAGE, "image", dim, false, is_array, result);
}

const struct glsl_type *
glsl_bare_sampler_type(void)
{
   return intern(&(struct glsl_type) { .base_type = GLSL_TYPE_SAMPLER,
                                       .sampled_type = GLSL_TYPE_VOID,
                                       .name = "sampler" });
}

const struct glsl_type *
glsl_bare_shadow_sampler_type(void)
{
   return intern(&(struct glsl_type) { .base_type = GLSL_TYPE_SAMPLER,
                                       .sampled_type = GLSL_TYPE_VOID,
                                       .sampler_shadow = true,
                                       .name = "samplerShadow" });
}

/* --- Arrays, structs, interfaces -------------------------------------------- */

const struct glsl_type *
glsl_array_type(const struct glsl_type *element, unsigned length,
                unsigned explicit_stride)
{
   /* The outer dimension stands first: float[2][3] has two elements. */
   const char *brackets = glsl_type_is_array(element)
                             ? strchr(element->name, '[')
                             : element->name + strlen(element->name);
   const int head = (int)(brackets - element->name);
   char dim[16] = "[]";
   if (length)
      snprintf(dim, sizeof(dim), "[%u]", length);

   const size_t size_B = strlen(element->name) + sizeof(dim);
   char *name = malloc(size_B);
   if (!name)
      abort();
   snprintf(name, size_B, "%.*s%s%s", head, element->name, dim, brackets);
   const struct glsl_type *t = intern(&(struct glsl_type) {
      .base_type = GLSL_TYPE_ARRAY,
      .length = length,
      .element = element,
      .explicit_stride = explicit_stride,
      .explicit_alignment = element->explicit_alignment,
      .name = name,
   });
   free(name);
   return t;
}

const struct glsl_type *
glsl_struct_type(const struct glsl_struct_field *f, unsigned num_fields,
                 const char *name, bool packed)
{
   return intern(&(struct glsl_type) {
      .base_type = GLSL_TYPE_STRUCT,
      .length = num_fields,
      .fields = f,
      .packed = packed,
      .name = name,
   });
}

const struct glsl_type *
glsl_interface_type(const struct glsl_struct_field *f, unsigned num_fields,
                    enum glsl_interface_packing packing, bool row_major,
                    const char *block_name)
{
   return intern(&(struct glsl_type) {
      .base_type = GLSL_TYPE_INTERFACE,
      .length = num_fields,
      .fields = f,
      .interface_packing = packing,
      .interface_row_major = row_major,
      .name = block_name,
   });
}

/* --- Parts ------------------------------------------------------------------ */

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
glsl_replace_vector_type(const struct glsl_type *t, unsigned components)
{
   if (glsl_type_is_array(t))
      return glsl_array_type(
         glsl_replace_vector_type(t->element, components), t->length,
         t->explicit_stride);
   return glsl_vector_type(t->base_type, components);
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

/* --- Sizes -------------------------------------------------------------------- */

unsigned
glsl_base_type_bit_size(enum glsl_base_type base)
{
   if (base <= GLSL_TYPE_BOOL)
      return base_names[base].bits;
   /* Handles of opaque types. */
   return 32;
}

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
glsl_count_attribute_slots(const struct glsl_type *t, bool is_gl_vertex_input)
{
   return glsl_count_vec4_slots(t, is_gl_vertex_input, true);
}

unsigned
glsl_count_dword_slots(const struct glsl_type *t, bool bindless)
{
   if (glsl_type_is_array(t))
      return t->length * glsl_count_dword_slots(t->element, bindless);
   if (glsl_type_is_struct_or_ifc(t)) {
      unsigned n = 0;
      for (unsigned i = 0; i < t->length; i++)
         n += glsl_count_dword_slots(t->fields[i].type, bindless);
      return n;
   }
   if (t->vector_elements == 0)
      return is_opaque(t) && bindless ? 2 : 0;
   const unsigned bits = MAX2(glsl_get_bit_size(t), 8);
   if (glsl_type_is_boolean(t))
      return glsl_get_components(t);
   return DIV_ROUND_UP(glsl_get_components(t) * bits, 32);
}

unsigned
glsl_get_explicit_size(const struct glsl_type *t, bool align_to_stride)
{
   if (glsl_type_is_struct_or_ifc(t)) {
      unsigned size = 0;
      for (unsigned i = 0; i < t->length; i++) {
         const struct glsl_struct_field *f = &t->fields[i];
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
      const unsigned last =
         align_to_stride ? t->explicit_stride
                         : glsl_get_explicit_size(t->element, false);
      return (t->length - 1) * t->explicit_stride + last;
   }
   const unsigned bytes =
      glsl_type_is_boolean(t) ? 4 : glsl_get_bit_size(t) / 8;
   if (glsl_type_is_matrix(t)) {
      const bool rows = t->interface_row_major;
      const unsigned n = rows ? t->vector_elements : t->matrix_columns;
      const unsigned vec_B =
         bytes * (rows ? t->matrix_columns : t->vector_elements);
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
