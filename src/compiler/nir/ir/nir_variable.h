/* SPDX-License-Identifier: MIT */
/* Variables, constants and walks over lists of variables. */
#ifndef NIR_VARIABLE_H
#define NIR_VARIABLE_H

#include "ir/nir_base.h"
#include "nir_types.h"
#include "shader_enums.h"

typedef enum {
   nir_var_shader_in = 1 << 0,
   nir_var_shader_out = 1 << 1,
   nir_var_shader_temp = 1 << 2,
   nir_var_function_temp = 1 << 3,
   nir_var_uniform = 1 << 4,
   nir_var_mem_ubo = 1 << 5,
   nir_var_system_value = 1 << 6,
   nir_var_mem_ssbo = 1 << 7,
   nir_var_mem_shared = 1 << 8,
   nir_var_mem_global = 1 << 9,
   nir_var_mem_push_const = 1 << 10,
   nir_var_mem_constant = 1 << 11,
   nir_var_image = 1 << 12,
   nir_num_variable_modes = 13,
   nir_var_all = (1 << nir_num_variable_modes) - 1,
} nir_variable_mode;

typedef enum {
   nir_rounding_mode_undef = 0,
   nir_rounding_mode_rtne,
   nir_rounding_mode_ru,
   nir_rounding_mode_rd,
   nir_rounding_mode_rtz,
} nir_rounding_mode;

/* One component of a constant, as whatever an operation takes it for. */
typedef union {
   uint64_t u64;
   int64_t i64;
   double f64;
   uint32_t u32;
   int32_t i32;
   float f32;
   uint16_t u16;
   int16_t i16;
   uint8_t u8;
   int8_t i8;
   bool b; /* of one bit */
} nir_const_value;

/* The value zero-extended to 64 bits. */
uint64_t nir_const_value_as_uint(nir_const_value v, unsigned bit_size);
int64_t nir_const_value_as_int(nir_const_value v, unsigned bit_size);
double nir_const_value_as_float(nir_const_value v, unsigned bit_size);
bool nir_const_value_as_bool(nir_const_value v, unsigned bit_size);
/* Bits above bit_size are zero, so that values compare with memcmp. */
nir_const_value nir_const_value_for_raw_uint(uint64_t x, unsigned bit_size);
nir_const_value nir_const_value_for_uint(uint64_t i, unsigned bit_size);
nir_const_value nir_const_value_for_bool(bool b, unsigned bit_size);
nir_const_value nir_const_value_for_float(double f, unsigned bit_size);

typedef struct nir_constant {
   nir_const_value values[NIR_MAX_VEC_COMPONENTS];
   bool is_null_constant;
   unsigned num_elements;
   struct nir_constant **elements; /* columns, elements or members */
} nir_constant;

typedef enum {
   nir_depth_layout_none,
   nir_depth_layout_any,
   nir_depth_layout_greater,
   nir_depth_layout_less,
   nir_depth_layout_unchanged,
} nir_depth_layout;

typedef enum {
   nir_var_declared_normally = 0,
   nir_var_declared_implicitly,
   nir_var_hidden,
} nir_var_declaration_type;

typedef struct nir_variable_data {
   unsigned mode : 16;
   unsigned precision : 2;
   unsigned read_only : 1;
   unsigned invariant : 1;
   /* Of an input or output: where it is interpolated; of a whole patch. */
   unsigned sample : 1;
   unsigned centroid : 1;
   unsigned patch : 1;
   unsigned explicit_location : 1;
   unsigned explicit_binding : 1;
   unsigned explicit_offset : 1;
   unsigned always_active_io : 1;
   /* Clip and cull distances: an array of floats, four to a slot. */
   unsigned compact : 1;
   unsigned fb_fetch_output : 1;
   unsigned bindless : 1;
   unsigned per_view : 1;
   unsigned per_vertex : 1;
   unsigned interpolation : 3;
   unsigned location_frac : 2;
   unsigned depth_layout : 3;
   /* Blend source index of a fragment output. */
   unsigned index : 1;
   unsigned how_declared : 2;
   unsigned explicit_xfb_buffer : 1;
   unsigned explicit_xfb_stride : 1;
   unsigned access : 9;
   unsigned stream : 9;
   /* VERT_ATTRIB_*, VARYING_SLOT_*, FRAG_RESULT_*, SYSTEM_VALUE_*. */
   int location;
   unsigned driver_location;
   unsigned descriptor_set;
   unsigned binding;
   unsigned offset; /* bytes: xfb offset of an output, atomic counter */
   unsigned used;   /* free for passes */
   struct {
      enum pipe_format format;
   } image;
   struct {
      unsigned is_inline_sampler : 1;
   } sampler;
   struct {
      uint16_t buffer, stride;
   } xfb;
   /* Of a member of a block of the interface: in how many blocks it is, an
    * array each of which is captured by a buffer of its own. 0: no member. */
   uint16_t block_count;
} nir_variable_data;

typedef struct nir_variable {
   struct list_head node;
   const struct glsl_type *type;
   char *name; /* may be NULL */
   nir_variable_data data;
   unsigned index; /* free for passes */
   unsigned num_members;
   nir_variable_data *members;
   nir_constant *constant_initializer;
   struct nir_variable *pointer_initializer;
   const struct glsl_type *interface_type;
} nir_variable;

/* Beside all modes of a variable: one that has none is dead, but there. */
#define NIR_ANY_MODE (1u << 31)

/* The variable in `list` that comes after `last` (NULL: the first one) and
 * has one of `modes`; NULL at the end. */
static inline nir_variable *
nir_variable_after(const struct list_head *list, const nir_variable *last,
                   unsigned modes)
{
   const struct list_head *at = last ? last->node.next : list->next;
   while (at != list) {
      nir_variable *var = list_entry(at, nir_variable, node);
      if ((var->data.mode | NIR_ANY_MODE) & modes)
         return var;
      at = at->next;
   }
   return NULL;
}

/* Walks over variables. The body of a `_safe` one may take `var` out of its
 * list. */
#define nir_walk_variables(var, list, modes)                                 \
   for (nir_variable *var = nir_variable_after(list, NULL, modes); var;      \
        var = nir_variable_after(list, var, modes))
#define nir_walk_variables_safe(var, list, modes)                            \
   for (nir_variable *var##_rest = nir_variable_after(list, NULL, modes),    \
                     *var = NULL;                                            \
        (var = var##_rest) &&                                                \
        (var##_rest = nir_variable_after(list, var, modes), true);)

#define nir_foreach_variable_in_list(var, list)                              \
   nir_walk_variables(var, list, NIR_ANY_MODE)
#define nir_foreach_variable_in_list_safe(var, list)                         \
   nir_walk_variables_safe(var, list, NIR_ANY_MODE)
#define nir_foreach_variable_in_shader(var, shader)                          \
   nir_walk_variables(var, &(shader)->variables, NIR_ANY_MODE)
#define nir_foreach_variable_with_modes(var, shader, modes)                  \
   nir_walk_variables(var, &(shader)->variables, modes)
#define nir_foreach_variable_with_modes_safe(var, shader, modes)             \
   nir_walk_variables_safe(var, &(shader)->variables, modes)
#define nir_foreach_uniform_variable(var, shader)                            \
   nir_walk_variables(var, &(shader)->variables, nir_var_uniform)
#define nir_foreach_shader_out_variable(var, shader)                         \
   nir_walk_variables(var, &(shader)->variables, nir_var_shader_out)
#define nir_foreach_shader_in_variable(var, shader)                          \
   nir_walk_variables(var, &(shader)->variables, nir_var_shader_in)
#define nir_foreach_function_temp_variable(var, impl)                        \
   nir_walk_variables(var, &(impl)->locals, NIR_ANY_MODE)

#endif
