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
#include "util/fallible.h"
#include "util/guard.h"
#include "util/hash_table.h"

static pthread_mutex_t types_lock = PTHREAD_MUTEX_INITIALIZER;
static struct arena *types_arena;
static struct hash_table types_table;

/* A driver may be unloaded, and loaded again. */
__attribute__((destructor)) static void
invalidate_types(void)
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

/* A type that is not in the table yet. Types are kept for as long as the
 * process; `made` is not set if there is no memory for it. */
struct new_type {
   const struct glsl_type *proto;
   const struct util_dynarray *key;
   struct glsl_type *made;
};

static void
make_type(void *data)
{
   struct new_type *n = data;
   const uint32_t key_B = (uint32_t)n->key->size_B;
   if (!types_arena)
      types_arena = arena_create_kept();
   struct glsl_type *t = arena_new(types_arena, struct glsl_type);
   *t = *n->proto;
   t->name = arena_strdup(types_arena, t->name ? t->name : "");
   if (glsl_type_is_struct_or_ifc(t))
      t->fields = copy_fields(t->fields, t->length);
   const void *key = arena_memdup(types_arena, n->key->data, key_B);
   if (hash_table_try_insert_bytes(&types_table, key, key_B, t))
      n->made = t;
}

/* The one type like `proto`, whose name and fields are copied. */
static const struct glsl_type *
intern(const struct glsl_type *proto)
{
   struct util_dynarray key = { 0 };
   type_key(&key, proto);

   pthread_mutex_lock(&types_lock);
   struct glsl_type *t =
      hash_table_get_bytes(&types_table, key.data, (uint32_t)key.size_B);
   if (!t) {
      /* In a scope of its own: the lock must not be left behind. */
      struct new_type n = { .proto = proto, .key = &key };
      struct guard_error error;
      t = guard_run(make_type, &n, &error) == GUARD_DONE ? n.made : NULL;
   }
   pthread_mutex_unlock(&types_lock);
   if (!t)
      guard_no_memory(sizeof(*t));
   util_dynarray_fini(&key);
   return t;
}

/* --- Numbers ----------------------------------------------------------- */

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

unsigned
glsl_base_type_bit_size(enum glsl_base_type base)
{
   if (base <= GLSL_TYPE_BOOL)
      return base_names[base].bits;
   /* Handles of opaque types. */
   return 32;
}

const struct glsl_type *
glsl_simple_explicit_type(enum glsl_base_type base, unsigned rows,
                          unsigned columns, unsigned stride, bool row_major,
                          unsigned alignment)
{
   if (base > GLSL_TYPE_BOOL || rows < 1 || rows > 16 || columns < 1 ||
       (columns > 1 &&
        (columns > 4 || rows < 2 || rows > 4 || !base_names[base].matrix)))
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

/* --- What is no number ------------------------------------------------- */

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
   [GLSL_SAMPLER_DIM_1D] = "1D",
   [GLSL_SAMPLER_DIM_2D] = "2D",
   [GLSL_SAMPLER_DIM_3D] = "3D",
   [GLSL_SAMPLER_DIM_CUBE] = "Cube",
   [GLSL_SAMPLER_DIM_RECT] = "2DRect",
   [GLSL_SAMPLER_DIM_BUF] = "Buffer",
   [GLSL_SAMPLER_DIM_EXTERNAL] = "ExternalOES",
   [GLSL_SAMPLER_DIM_MS] = "2DMS",
   [GLSL_SAMPLER_DIM_SUBPASS] = "",
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

/* --- Arrays, structs, interfaces --------------------------------------- */

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
   char *name = guard_alloc(1, size_B);
   snprintf(name, size_B, "%.*s%s%s", head, element->name, dim, brackets);
   const struct glsl_type *t = intern(&(struct glsl_type) {
      .base_type = GLSL_TYPE_ARRAY,
      .length = length,
      .element = element,
      .explicit_stride = explicit_stride,
      .explicit_alignment = element->explicit_alignment,
      .name = name,
   });
   guard_free(name);
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
