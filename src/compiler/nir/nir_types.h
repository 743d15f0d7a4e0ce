/* SPDX-License-Identifier: MIT */
/*
 * glsl_type: the types of variables and dereferences.
 *
 * Types are interned: two types are equal when their pointers are, explicit
 * layout (stride, row order, member offsets) included. They live as long as
 * the process; making one is thread-safe.
 */
#ifndef NIR_TYPES_H
#define NIR_TYPES_H

#include "shader_enums.h"

enum glsl_base_type {
   GLSL_TYPE_UINT = 0,
   GLSL_TYPE_INT,
   GLSL_TYPE_FLOAT,
   GLSL_TYPE_FLOAT16,
   GLSL_TYPE_DOUBLE,
   GLSL_TYPE_UINT8,
   GLSL_TYPE_INT8,
   GLSL_TYPE_UINT16,
   GLSL_TYPE_INT16,
   GLSL_TYPE_UINT64,
   GLSL_TYPE_INT64,
   GLSL_TYPE_BOOL,
   GLSL_TYPE_SAMPLER,
   GLSL_TYPE_TEXTURE,
   GLSL_TYPE_IMAGE,
   GLSL_TYPE_ATOMIC_UINT,
   GLSL_TYPE_STRUCT,
   GLSL_TYPE_INTERFACE,
   GLSL_TYPE_ARRAY,
   GLSL_TYPE_VOID,
   GLSL_TYPE_ERROR,
};

enum glsl_sampler_dim {
   GLSL_SAMPLER_DIM_1D = 0,
   GLSL_SAMPLER_DIM_2D,
   GLSL_SAMPLER_DIM_3D,
   GLSL_SAMPLER_DIM_CUBE,
   GLSL_SAMPLER_DIM_RECT,
   GLSL_SAMPLER_DIM_BUF,
   GLSL_SAMPLER_DIM_EXTERNAL,
   GLSL_SAMPLER_DIM_MS,
   GLSL_SAMPLER_DIM_SUBPASS,
   GLSL_SAMPLER_DIM_SUBPASS_MS,
};

enum glsl_matrix_layout {
   GLSL_MATRIX_LAYOUT_INHERITED,
   GLSL_MATRIX_LAYOUT_COLUMN_MAJOR,
   GLSL_MATRIX_LAYOUT_ROW_MAJOR,
};

struct glsl_type;

/* One member of a struct or interface block. */
struct glsl_struct_field {
   const struct glsl_type *type;
   const char *name; /* may be NULL */
   /* In memory: bytes from the start; -1 without explicit layout. */
   int offset;
   enum glsl_matrix_layout matrix_layout;
   /* Between stages; -1 where none is given. */
   int location, component;
   enum glsl_interp_mode interpolation;
   bool centroid, sample, patch;
   /* Transform feedback; -1: none. */
   int xfb_buffer, xfb_offset;
   unsigned xfb_stride;
};

#define GLSL_STRUCT_FIELD_DEFAULT                                            \
   .location = -1, .component = -1, .offset = -1, .xfb_buffer = -1,          \
   .xfb_offset = -1

/* Read through the functions below. */
struct glsl_type {
   enum glsl_base_type base_type;
   enum glsl_base_type sampled_type; /* samplers, textures, images */
   enum glsl_sampler_dim sampler_dim;
   bool sampler_shadow, sampler_array;
   bool interface_row_major, packed;
   enum glsl_interface_packing interface_packing;
   uint8_t vector_elements; /* 0 for what is not a number */
   uint8_t matrix_columns;
   unsigned length; /* array elements or members */
   const char *name;
   unsigned explicit_stride;        /* bytes; 0: none */
   unsigned explicit_alignment;     /* bytes; 0: none */
   const struct glsl_type *element; /* arrays */
   const struct glsl_struct_field *fields;
};

/* Makers. Structs and arrays copy what they are given. */
const struct glsl_type *glsl_void_type(void);
const struct glsl_type *glsl_error_type(void);
const struct glsl_type *glsl_scalar_type(enum glsl_base_type base);
/* 1 to 5, 8 or 16 components. */
const struct glsl_type *glsl_vector_type(enum glsl_base_type base,
                                         unsigned components);
const struct glsl_type *glsl_matrix_type(enum glsl_base_type base,
                                         unsigned rows, unsigned columns);
/* Vector or matrix with explicit layout. A row-major vector with a stride is
 * a row-major matrix's column: its components are `stride` bytes apart. */
const struct glsl_type *glsl_explicit_matrix_type(const struct glsl_type *mat,
                                                  unsigned stride,
                                                  bool row_major);
const struct glsl_type *
glsl_simple_explicit_type(enum glsl_base_type base, unsigned rows,
                          unsigned columns, unsigned stride, bool row_major,
                          unsigned alignment);
const struct glsl_type *glsl_array_type(const struct glsl_type *element,
                                        unsigned length,
                                        unsigned explicit_stride);
const struct glsl_type *glsl_struct_type(const struct glsl_struct_field *f,
                                         unsigned num_fields,
                                         const char *name, bool packed);
const struct glsl_type *
glsl_interface_type(const struct glsl_struct_field *f, unsigned num_fields,
                    enum glsl_interface_packing packing, bool row_major,
                    const char *block_name);
const struct glsl_type *glsl_sampler_type(enum glsl_sampler_dim dim,
                                          bool is_shadow, bool is_array,
                                          enum glsl_base_type result);
const struct glsl_type *glsl_bare_sampler_type(void);
const struct glsl_type *glsl_bare_shadow_sampler_type(void);
const struct glsl_type *glsl_texture_type(enum glsl_sampler_dim dim,
                                          bool is_array,
                                          enum glsl_base_type result);
const struct glsl_type *glsl_image_type(enum glsl_sampler_dim dim,
                                        bool is_array,
                                        enum glsl_base_type result);
const struct glsl_type *glsl_atomic_uint_type(void);

/* glsl_NAME_type(): a scalar of that base type. */
#define GLSL_SCALAR(NAME, BASE)                                              \
   static inline const struct glsl_type *glsl_##NAME##_type(void)            \
   {                                                                         \
      return glsl_scalar_type(GLSL_TYPE_##BASE);                             \
   }
GLSL_SCALAR(float, FLOAT)
GLSL_SCALAR(double, DOUBLE)
GLSL_SCALAR(int, INT)
GLSL_SCALAR(uint, UINT)
GLSL_SCALAR(uint64_t, UINT64)
GLSL_SCALAR(bool, BOOL)
#undef GLSL_SCALAR

/* glsl_NAME_type(): a vector of that base type with `n` components. */
#define GLSL_VECTOR(NAME, BASE)                                              \
   static inline const struct glsl_type *glsl_##NAME##_type(unsigned n)      \
   {                                                                         \
      return glsl_vector_type(GLSL_TYPE_##BASE, n);                          \
   }
GLSL_VECTOR(vec, FLOAT)
GLSL_VECTOR(dvec, DOUBLE)
GLSL_VECTOR(ivec, INT)
GLSL_VECTOR(uvec, UINT)
GLSL_VECTOR(bvec, BOOL)
#undef GLSL_VECTOR

static inline const struct glsl_type *
glsl_vec4_type(void)
{
   return glsl_vec_type(4);
}

/* An unsigned or float vector of a bit size; 1 bit is bool. */
const struct glsl_type *glsl_uintN_t_type(unsigned bit_size);
const struct glsl_type *glsl_intN_t_type(unsigned bit_size);
const struct glsl_type *glsl_floatN_t_type(unsigned bit_size);

/* --- Questions ---------------------------------------------------------- */

/* glsl_NAME(): what the type says of itself. */
#define GLSL_MEMBER(TYPE, NAME, MEMBER)                                      \
   static inline TYPE glsl_##NAME(const struct glsl_type *t)                 \
   {                                                                         \
      return t->MEMBER;                                                      \
   }
GLSL_MEMBER(enum glsl_base_type, get_base_type, base_type)
GLSL_MEMBER(const char *, get_type_name, name)
GLSL_MEMBER(unsigned, get_vector_elements, vector_elements)
GLSL_MEMBER(unsigned, get_matrix_columns, matrix_columns)
GLSL_MEMBER(unsigned, get_explicit_stride, explicit_stride)
GLSL_MEMBER(enum glsl_sampler_dim, get_sampler_dim, sampler_dim)
GLSL_MEMBER(bool, matrix_type_is_row_major, interface_row_major)
GLSL_MEMBER(bool, sampler_type_is_shadow, sampler_shadow)
GLSL_MEMBER(bool, sampler_type_is_array, sampler_array)
#undef GLSL_MEMBER

/* glsl_type_is_NAME(): whether that is its base type. */
#define GLSL_IS(NAME, BASE)                                                  \
   static inline bool glsl_type_is_##NAME(const struct glsl_type *t)         \
   {                                                                         \
      return t->base_type == GLSL_TYPE_##BASE;                               \
   }
GLSL_IS(array, ARRAY)
GLSL_IS(struct, STRUCT)
GLSL_IS(interface, INTERFACE)
GLSL_IS(sampler, SAMPLER)
GLSL_IS(texture, TEXTURE)
GLSL_IS(image, IMAGE)
GLSL_IS(boolean, BOOL)
#undef GLSL_IS

/* Rows times columns; 0 for what is not a number. */
static inline unsigned
glsl_get_components(const struct glsl_type *t)
{
   return (unsigned)t->matrix_columns * t->vector_elements;
}

/* Elements of an array, columns of a matrix, members of a struct. */
static inline unsigned
glsl_get_length(const struct glsl_type *t)
{
   return t->matrix_columns > 1 ? t->matrix_columns : t->length;
}

static inline bool
glsl_type_is_matrix(const struct glsl_type *t)
{
   return t->matrix_columns > 1;
}

static inline bool
glsl_type_is_vector(const struct glsl_type *t)
{
   return t->matrix_columns == 1 && t->vector_elements >= 2;
}

static inline bool
glsl_type_is_vector_or_scalar(const struct glsl_type *t)
{
   return t->matrix_columns == 1 && t->vector_elements >= 1;
}

static inline bool
glsl_type_is_struct_or_ifc(const struct glsl_type *t)
{
   return glsl_type_is_interface(t) || glsl_type_is_struct(t);
}

static inline bool
glsl_type_is_array_or_matrix(const struct glsl_type *t)
{
   return glsl_type_is_matrix(t) || glsl_type_is_array(t);
}

static inline bool
glsl_type_is_unsized_array(const struct glsl_type *t)
{
   return glsl_type_is_array(t) && !t->length;
}

static inline bool
glsl_type_is_integer(const struct glsl_type *t)
{
   return t->base_type <= GLSL_TYPE_INT || (t->base_type >= GLSL_TYPE_UINT8 &&
                                            t->base_type <= GLSL_TYPE_INT64);
}

/* Bits of one component; 1 for bool, 32 for the handle of an opaque type. */
unsigned glsl_base_type_bit_size(enum glsl_base_type base);

static inline bool
glsl_type_is_64bit(const struct glsl_type *t)
{
   return glsl_base_type_bit_size(t->base_type) == 64;
}

/* A vector of 64-bit components that takes two vec4 slots. */
static inline bool
glsl_type_is_dual_slot(const struct glsl_type *t)
{
   return glsl_type_is_64bit(t) && t->vector_elements > 2;
}

/* Whether the type itself, or any part of it, is a sampler, texture, image or
 * atomic counter. */
bool glsl_type_contains_opaque(const struct glsl_type *t);

/* The same of the type, or of an array's innermost element. */
unsigned glsl_get_bit_size(const struct glsl_type *t);

/* --- Parts -------------------------------------------------------------- */

/* Members of structs and interface blocks, by index or name. */
const struct glsl_struct_field *
glsl_get_struct_field_data(const struct glsl_type *t, unsigned index);
const struct glsl_type *glsl_get_struct_field(const struct glsl_type *t,
                                              unsigned index);
const char *glsl_get_struct_elem_name(const struct glsl_type *t,
                                      unsigned index);
int glsl_get_struct_field_offset(const struct glsl_type *t, unsigned index);
/* -1: there is none of that name. */
int glsl_get_field_index(const struct glsl_type *t, const char *name);

/* Element of an array, column of a matrix, component of a vector; the
 * explicit layout of matrices is passed on to the column. */
const struct glsl_type *glsl_get_array_element(const struct glsl_type *t);
const struct glsl_type *glsl_get_column_type(const struct glsl_type *t);
const struct glsl_type *
glsl_without_array_or_matrix(const struct glsl_type *t);
const struct glsl_type *glsl_without_array(const struct glsl_type *t);
/* `t` with its innermost element replaced: the arrays stay. */
const struct glsl_type *
glsl_type_wrap_in_arrays(const struct glsl_type *t,
                         const struct glsl_type *arrays);
/* Product of the lengths of nested arrays; 1 if no array. */
unsigned glsl_get_aoa_size(const struct glsl_type *t);
/* The same type without explicit layout, through all of its parts. */
const struct glsl_type *glsl_get_bare_type(const struct glsl_type *t);

/* --- Sizes -------------------------------------------------------------- */

/* vec4 slots; a double vec3 or vec4 takes two unless it is a GL vertex
 * input (OpenGL 4.6 core, 11.1.1 and 7.3.1.1 on locations). */
unsigned glsl_count_vec4_slots(const struct glsl_type *t,
                               bool is_gl_vertex_input, bool bindless);
unsigned glsl_count_attribute_slots(const struct glsl_type *t,
                                    bool is_gl_vertex_input);
/* Attribute slots of the fields of a structure before that one; no vertex
 * input is one. */
unsigned glsl_count_slots_before_field(const struct glsl_type *t,
                                       unsigned field);
/* Bytes of a type with explicit layout; with align_to_stride, the tail of
 * the last array element too. */
unsigned glsl_get_explicit_size(const struct glsl_type *t,
                                bool align_to_stride);
/* std430-like size and alignment in bytes; bool counts 4. */
void glsl_get_natural_size_align_bytes(const struct glsl_type *t,
                                       unsigned *size, unsigned *align);

typedef void (*glsl_type_size_align_func)(const struct glsl_type *t,
                                          unsigned *size, unsigned *align);
/* The type with explicit offsets and strides as `size_align` lays it out. */
const struct glsl_type *
glsl_get_explicit_type_for_size_align(const struct glsl_type *t,
                                      glsl_type_size_align_func size_align,
                                      unsigned *size, unsigned *align);

#endif
