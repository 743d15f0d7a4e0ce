/* SPDX-License-Identifier: MIT */
/*
 * NIR: the intermediate representation between SPIR-V and the code
 * generators. SSA with structured control flow.
 *
 * A nir_shader owns variables and functions. A function has an
 * implementation: a list of control-flow nodes in which blocks and
 * if/loop nodes alternate, a block first and last. A block is a list of
 * instructions; a jump can only be the last one. Values are nir_ssa_defs,
 * each defined once by the instruction that it lies in, with lists of its
 * uses; after leaving SSA, values also live in nir_registers.
 *
 * Everything lives in the shader's arena and goes with it.
 */
#ifndef NIR_H
#define NIR_H

#include <stdio.h>

#include "nir_types.h"
#include "shader_enums.h"
#include "shader_info.h"
#include "util/arena.h"
#include "util/bitset.h"
#include "util/list.h"

#define NIR_MAX_VEC_COMPONENTS 16
#define NIR_MAX_MATRIX_COLUMNS 4
#define NIR_FALSE 0u
#define NIR_TRUE (~0u)
typedef uint16_t nir_component_mask_t;

struct hash_table;

/* The element type of any intrusive list here, by its old name. */
#define foreach_list_typed(type, pos, field, list)                           \
   list_for_each_entry(type, pos, list, field)
#define foreach_list_typed_safe(type, pos, field, list)                      \
   list_for_each_entry_safe(type, pos, list, field)

#define NIR_DEFINE_CAST(name, in_type, out_type, field)                      \
   static inline out_type *name(const in_type *parent)                       \
   {                                                                         \
      return CONTAINER_OF((in_type *)parent, out_type, field);               \
   }

struct nir_function;
struct nir_shader;
struct nir_instr;
struct nir_builder;
struct nir_block;
struct nir_if;

/* --- Variables and constants ------------------------------------------- */

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

typedef union {
   bool b;
   float f32;
   double f64;
   int8_t i8;
   uint8_t u8;
   int16_t i16;
   uint16_t u16;
   int32_t i32;
   uint32_t u32;
   int64_t i64;
   uint64_t u64;
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
   unsigned read_only : 1;
   unsigned centroid : 1;
   unsigned sample : 1;
   unsigned patch : 1;
   unsigned invariant : 1;
   unsigned precision : 2;
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

/* The variable in `list` that comes after `last` (NULL: the first one) and has
 * one of `modes`; NULL at the end. */
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
#define nir_foreach_variable_in_shader_safe(var, shader)                     \
   nir_walk_variables_safe(var, &(shader)->variables, NIR_ANY_MODE)
#define nir_foreach_variable_with_modes(var, shader, modes)                  \
   nir_walk_variables(var, &(shader)->variables, modes)
#define nir_foreach_variable_with_modes_safe(var, shader, modes)             \
   nir_walk_variables_safe(var, &(shader)->variables, modes)
#define nir_foreach_shader_in_variable(var, shader)                          \
   nir_foreach_variable_with_modes(var, shader, nir_var_shader_in)
#define nir_foreach_shader_out_variable(var, shader)                         \
   nir_foreach_variable_with_modes(var, shader, nir_var_shader_out)
#define nir_foreach_uniform_variable(var, shader)                            \
   nir_foreach_variable_with_modes(var, shader, nir_var_uniform)
#define nir_foreach_function_temp_variable(var, impl)                        \
   nir_walk_variables(var, &(impl)->locals, NIR_ANY_MODE)

/* --- Registers, values, sources, destinations -------------------------- */

typedef struct nir_register {
   struct list_head node;
   unsigned num_components;
   unsigned num_array_elems; /* 0: not an array */
   uint8_t bit_size;
   bool divergent;
   unsigned index;
   const char *name;
   struct list_head uses, defs, if_uses;
} nir_register;

#define nir_foreach_register(reg, reg_list)                                  \
   list_for_each_entry(nir_register, reg, reg_list, node)

typedef enum {
   nir_instr_type_alu,
   nir_instr_type_deref,
   nir_instr_type_call,
   nir_instr_type_tex,
   nir_instr_type_intrinsic,
   nir_instr_type_load_const,
   nir_instr_type_jump,
   nir_instr_type_ssa_undef,
   nir_instr_type_phi,
   nir_instr_type_parallel_copy,
} nir_instr_type;

typedef struct nir_instr {
   struct list_head node; /* links NULL when in no block */
   struct nir_block *block;
   nir_instr_type type;
   uint8_t pass_flags; /* free for passes */
   unsigned index;     /* nir_index_instrs */
} nir_instr;

typedef struct nir_ssa_def {
   nir_instr *parent_instr;
   struct list_head uses, if_uses; /* nir_src.use_link */
   unsigned index;                 /* dense in the function */
   uint8_t num_components, bit_size;
   bool divergent;
} nir_ssa_def;

struct nir_src;

typedef struct nir_reg_src {
   nir_register *reg;
   struct nir_src *indirect; /* NULL: no indirect offset */
   unsigned base_offset;
} nir_reg_src;

typedef struct nir_reg_dest {
   nir_instr *parent_instr;
   struct list_head def_link;
   nir_register *reg;
   struct nir_src *indirect;
   unsigned base_offset;
} nir_reg_dest;

typedef struct nir_src {
   union {
      nir_instr *parent_instr;
      struct nir_if *parent_if;
   };
   struct list_head use_link;
   union {
      nir_reg_src reg;
      nir_ssa_def *ssa;
   };
   bool is_ssa;
} nir_src;

typedef struct nir_dest {
   union {
      nir_reg_dest reg;
      nir_ssa_def ssa;
   };
   bool is_ssa;
} nir_dest;

#define NIR_SRC_INIT (nir_src) { { NULL } }
#define NIR_DEST_INIT (nir_dest) { { { NULL } } }

#define nir_foreach_use(src, def)                                            \
   list_for_each_entry(nir_src, src, &(def)->uses, use_link)
#define nir_foreach_use_safe(src, def)                                       \
   list_for_each_entry_safe(nir_src, src, &(def)->uses, use_link)
#define nir_foreach_if_use(src, def)                                         \
   list_for_each_entry(nir_src, src, &(def)->if_uses, use_link)
#define nir_foreach_if_use_safe(src, def)                                    \
   list_for_each_entry_safe(nir_src, src, &(def)->if_uses, use_link)

static inline nir_src
nir_src_for_ssa(nir_ssa_def *def)
{
   nir_src src = NIR_SRC_INIT;
   src.is_ssa = true;
   src.ssa = def;
   return src;
}

static inline nir_src
nir_src_for_reg(nir_register *reg)
{
   nir_src src = NIR_SRC_INIT;
   src.is_ssa = false;
   src.reg.reg = reg;
   return src;
}

static inline nir_dest
nir_dest_for_reg(nir_register *reg)
{
   nir_dest dest = NIR_DEST_INIT;
   dest.reg.reg = reg;
   return dest;
}

static inline unsigned
nir_src_bit_size(nir_src src)
{
   return src.is_ssa ? src.ssa->bit_size : src.reg.reg->bit_size;
}

static inline unsigned
nir_src_num_components(nir_src src)
{
   return src.is_ssa ? src.ssa->num_components : src.reg.reg->num_components;
}

static inline unsigned
nir_dest_bit_size(nir_dest dest)
{
   return dest.is_ssa ? dest.ssa.bit_size : dest.reg.reg->bit_size;
}

static inline unsigned
nir_dest_num_components(nir_dest dest)
{
   return dest.is_ssa ? dest.ssa.num_components
                      : dest.reg.reg->num_components;
}

static inline bool
nir_src_is_const(nir_src src)
{
   return src.is_ssa &&
          src.ssa->parent_instr->type == nir_instr_type_load_const;
}

static inline bool
nir_src_is_undef(nir_src src)
{
   return src.is_ssa &&
          src.ssa->parent_instr->type == nir_instr_type_ssa_undef;
}

/* Values of constant sources; the source must be a load_const. */
nir_const_value nir_src_comp_as_const_value(nir_src src, unsigned comp);
uint64_t nir_src_comp_as_uint(nir_src src, unsigned comp);
int64_t nir_src_comp_as_int(nir_src src, unsigned comp);
double nir_src_comp_as_float(nir_src src, unsigned comp);
bool nir_src_comp_as_bool(nir_src src, unsigned comp);

static inline uint64_t
nir_src_as_uint(nir_src src)
{
   return nir_src_comp_as_uint(src, 0);
}

static inline int64_t
nir_src_as_int(nir_src src)
{
   return nir_src_comp_as_int(src, 0);
}

static inline double
nir_src_as_float(nir_src src)
{
   return nir_src_comp_as_float(src, 0);
}

static inline bool
nir_src_as_bool(nir_src src)
{
   return nir_src_comp_as_bool(src, 0);
}

/* NULL if the source is not constant. */
const nir_const_value *nir_src_as_const_value(nir_src src);
/* Whether dynamically uniform for sure: a constant, or a value of UBOs and
 * push constants at constant offsets. */
bool nir_src_is_dynamically_uniform(nir_src src);
bool nir_srcs_equal(nir_src a, nir_src b);

/* Copies register indirects into the arena of `shader`. */
void nir_src_copy(nir_src *dst, const nir_src *src,
                  struct nir_shader *shader);
void nir_dest_copy(nir_dest *dst, const nir_dest *src,
                   struct nir_shader *shader);

/* --- ALU instructions ---------------------------------------------------- */

typedef struct nir_alu_src {
   nir_src src;
   bool negate, abs; /* abs first */
   uint8_t swizzle[NIR_MAX_VEC_COMPONENTS];
} nir_alu_src;

typedef struct nir_alu_dest {
   nir_dest dest;
   bool saturate;
   unsigned write_mask : NIR_MAX_VEC_COMPONENTS; /* full for SSA */
} nir_alu_dest;

/* A base type, or one with a bit size added; no size means any. */
typedef enum {
   nir_type_invalid = 0,
   nir_type_int = 2,
   nir_type_uint = 4,
   nir_type_bool = 6,
   nir_type_float = 128,
   nir_type_bool1 = 1 | nir_type_bool,
   nir_type_bool8 = 8 | nir_type_bool,
   nir_type_bool16 = 16 | nir_type_bool,
   nir_type_bool32 = 32 | nir_type_bool,
   nir_type_int1 = 1 | nir_type_int,
   nir_type_int8 = 8 | nir_type_int,
   nir_type_int16 = 16 | nir_type_int,
   nir_type_int32 = 32 | nir_type_int,
   nir_type_int64 = 64 | nir_type_int,
   nir_type_uint1 = 1 | nir_type_uint,
   nir_type_uint8 = 8 | nir_type_uint,
   nir_type_uint16 = 16 | nir_type_uint,
   nir_type_uint32 = 32 | nir_type_uint,
   nir_type_uint64 = 64 | nir_type_uint,
   nir_type_float16 = 16 | nir_type_float,
   nir_type_float32 = 32 | nir_type_float,
   nir_type_float64 = 64 | nir_type_float,
} nir_alu_type;

#define NIR_ALU_TYPE_SIZE_MASK 0x79
#define NIR_ALU_TYPE_BASE_TYPE_MASK 0x86

static inline unsigned
nir_alu_type_get_type_size(nir_alu_type type)
{
   return type & NIR_ALU_TYPE_SIZE_MASK;
}

static inline nir_alu_type
nir_alu_type_get_base_type(nir_alu_type type)
{
   return (nir_alu_type)(type & NIR_ALU_TYPE_BASE_TYPE_MASK);
}

nir_alu_type nir_get_nir_type_for_glsl_base_type(enum glsl_base_type base);

static inline nir_alu_type
nir_get_nir_type_for_glsl_type(const struct glsl_type *type)
{
   return nir_get_nir_type_for_glsl_base_type(glsl_get_base_type(type));
}

#include "nir_opcodes.h"

/* The conversion between two sized types. */
nir_op nir_type_conversion_op(nir_alu_type src, nir_alu_type dst,
                              nir_rounding_mode rnd);
/* vec2, vec3, ...; mov for one component. */
nir_op nir_op_vec(unsigned components);
bool nir_op_is_vec(nir_op op);
/* Opcodes whose result may be float without IEEE guarantees. */
bool nir_op_is_derivative(nir_op op);

typedef enum {
   NIR_OP_IS_2SRC_COMMUTATIVE = 1 << 0,
   NIR_OP_IS_ASSOCIATIVE = 1 << 1,
   NIR_OP_IS_SELECTION = 1 << 2,
} nir_op_algebraic_property;

#define NIR_ALU_MAX_INPUTS NIR_MAX_VEC_COMPONENTS

typedef struct nir_op_info {
   const char *name;
   uint8_t num_inputs;
   uint8_t output_size; /* components; 0: per component */
   nir_alu_type output_type;
   uint8_t input_sizes[NIR_ALU_MAX_INPUTS]; /* 0: per component */
   nir_alu_type input_types[NIR_ALU_MAX_INPUTS];
   nir_op_algebraic_property algebraic_properties;
   bool is_conversion;
} nir_op_info;

extern const nir_op_info nir_op_infos[nir_num_opcodes];

typedef struct nir_alu_instr {
   nir_instr instr;
   nir_op op;
   bool exact : 1; /* no transformation that changes the bits */
   bool no_signed_wrap : 1;
   bool no_unsigned_wrap : 1;
   nir_alu_dest dest;
   nir_alu_src src[];
} nir_alu_instr;

static inline bool
nir_op_is_selection(nir_op op)
{
   return (nir_op_infos[op].algebraic_properties & NIR_OP_IS_SELECTION) != 0;
}

/* Whether a source component is read. */
static inline bool
nir_alu_instr_channel_used(const nir_alu_instr *instr, unsigned src,
                           unsigned channel)
{
   if (nir_op_infos[instr->op].input_sizes[src] > 0)
      return channel < nir_op_infos[instr->op].input_sizes[src];
   return (instr->dest.write_mask >> channel) & 1;
}

static inline unsigned
nir_ssa_alu_instr_src_components(const nir_alu_instr *instr, unsigned src)
{
   if (nir_op_infos[instr->op].input_sizes[src] > 0)
      return nir_op_infos[instr->op].input_sizes[src];
   return nir_dest_num_components(instr->dest.dest);
}

nir_component_mask_t nir_alu_instr_src_read_mask(const nir_alu_instr *instr,
                                                 unsigned src);
void nir_alu_src_copy(nir_alu_src *dst, const nir_alu_src *src,
                      struct nir_shader *shader);
bool nir_alu_srcs_equal(const nir_alu_instr *a, const nir_alu_instr *b,
                        unsigned src_a, unsigned src_b);
/* Whether a mov or vec copies components with no modifier. */
bool nir_alu_instr_is_copy(const nir_alu_instr *alu);

/* --- Derefs --------------------------------------------------------------- */

typedef enum {
   nir_deref_type_var,
   nir_deref_type_array,
   nir_deref_type_array_wildcard,
   nir_deref_type_ptr_as_array,
   nir_deref_type_struct,
   nir_deref_type_cast,
} nir_deref_type;

typedef struct nir_deref_instr {
   nir_instr instr;
   nir_deref_type deref_type;
   nir_variable_mode modes;
   const struct glsl_type *type;
   union {
      nir_variable *var; /* nir_deref_type_var */
      nir_src parent;    /* all others */
   };
   union {
      struct {
         nir_src index;
         bool in_bounds;
      } arr;
      struct {
         unsigned index;
      } strct;
      struct {
         unsigned ptr_stride, align_mul, align_offset;
      } cast;
   };
   nir_dest dest;
} nir_deref_instr;

static inline bool
nir_deref_mode_is(const nir_deref_instr *deref, nir_variable_mode mode)
{
   return deref->modes == mode;
}

static inline bool
nir_deref_mode_is_one_of(const nir_deref_instr *deref, unsigned modes)
{
   return (deref->modes & ~modes) == 0;
}

static inline bool
nir_deref_mode_may_be(const nir_deref_instr *deref, unsigned modes)
{
   return (deref->modes & modes) != 0;
}

/* NULL at the variable. */
nir_deref_instr *nir_deref_instr_parent(const nir_deref_instr *instr);
/* NULL if the chain does not begin at a variable. */
nir_variable *nir_deref_instr_get_variable(const nir_deref_instr *instr);
nir_deref_instr *nir_src_as_deref(nir_src src);
/* Removes the deref and then its parents as far as they have no use. */
bool nir_deref_instr_remove_if_unused(nir_deref_instr *instr);
bool nir_deref_instr_has_complex_use(const nir_deref_instr *instr);
unsigned nir_deref_instr_array_stride(const nir_deref_instr *instr);

typedef struct nir_deref_path {
   nir_deref_instr *_short_path[7];
   /* From the variable to the deref, ended by NULL. */
   nir_deref_instr **path;
} nir_deref_path;

void nir_deref_path_init(nir_deref_path *path, nir_deref_instr *deref,
                         void *unused_mem_ctx);
void nir_deref_path_finish(nir_deref_path *path);

typedef enum {
   nir_derefs_do_not_alias = 0,
   nir_derefs_equal_bit = (1 << 0),
   nir_derefs_may_alias_bit = (1 << 1),
   nir_derefs_a_contains_b_bit = (1 << 2),
   nir_derefs_b_contains_a_bit = (1 << 3),
} nir_deref_compare_result;

nir_deref_compare_result nir_compare_derefs(nir_deref_instr *a,
                                            nir_deref_instr *b);

/* --- Calls ------------------------------------------------------------------ */

typedef struct nir_call_instr {
   nir_instr instr;
   struct nir_function *callee;
   unsigned num_params;
   nir_src params[];
} nir_call_instr;

/* --- Intrinsics ------------------------------------------------------------- */

#define NIR_INTRINSIC_MAX_CONST_INDEX 8
#define NIR_INTRINSIC_MAX_INPUTS 11

typedef struct nir_io_semantics {
   unsigned location : 7; /* VERT_ATTRIB, VARYING_SLOT or FRAG_RESULT */
   unsigned num_slots : 6;
   unsigned dual_source_blend_index : 1;
   unsigned fb_fetch_output : 1;
   unsigned gs_streams : 8; /* 2 bits for each component */
   unsigned medium_precision : 1;
   unsigned per_view : 1;
   unsigned high_16bits : 1;
   unsigned invariant : 1;
   unsigned no_varying : 1;
   unsigned no_sysval_output : 1;
   unsigned _pad : 3;
} nir_io_semantics;

typedef enum {
   NIR_MEMORY_ACQUIRE = 1 << 0,
   NIR_MEMORY_RELEASE = 1 << 1,
   NIR_MEMORY_ACQ_REL = NIR_MEMORY_ACQUIRE | NIR_MEMORY_RELEASE,
   NIR_MEMORY_MAKE_AVAILABLE = 1 << 2,
   NIR_MEMORY_MAKE_VISIBLE = 1 << 3,
} nir_memory_semantics;

typedef enum {
   NIR_SCOPE_NONE,
   NIR_SCOPE_INVOCATION,
   NIR_SCOPE_SUBGROUP,
   NIR_SCOPE_SHADER_CALL,
   NIR_SCOPE_WORKGROUP,
   NIR_SCOPE_QUEUE_FAMILY,
   NIR_SCOPE_DEVICE,
} nir_scope;

typedef enum {
   NIR_INTRINSIC_CAN_ELIMINATE = 1 << 0,
   NIR_INTRINSIC_CAN_REORDER = 1 << 1,
   NIR_INTRINSIC_CONVERGENT = 1 << 2, /* sees which lanes run it */
} nir_intrinsic_semantic_flag;

#include "nir_intrinsics.h"

typedef struct nir_intrinsic_info {
   const char *name;
   uint8_t num_srcs;
   /* 0: as many as num_components of the instruction; -1: any. */
   int8_t src_components[NIR_INTRINSIC_MAX_INPUTS];
   bool has_dest;
   uint8_t dest_components; /* 0: as many as num_components */
   uint8_t dest_bit_sizes;  /* bits that may be set; 0: any */
   int8_t bit_size_src;     /* source of the destination's size; -1: none */
   uint8_t num_indices;
   uint8_t indices[NIR_INTRINSIC_MAX_CONST_INDEX];
   uint8_t index_map[NIR_INTRINSIC_NUM_INDEX_FLAGS]; /* 0: has it not */
   nir_intrinsic_semantic_flag flags;
} nir_intrinsic_info;

extern const nir_intrinsic_info nir_intrinsic_infos[nir_num_intrinsics];
extern const char *const nir_intrinsic_index_names
   [NIR_INTRINSIC_NUM_INDEX_FLAGS];

typedef struct nir_intrinsic_instr {
   nir_instr instr;
   nir_intrinsic_op intrinsic;
   nir_dest dest;
   uint8_t num_components; /* of the sources and destination of size 0 */
   int const_index[NIR_INTRINSIC_MAX_CONST_INDEX];
   const char *name;
   nir_src src[];
} nir_intrinsic_instr;

#include "nir_intrinsics_indices.h"

nir_io_semantics
nir_intrinsic_io_semantics(const nir_intrinsic_instr *instr);
void nir_intrinsic_set_io_semantics(nir_intrinsic_instr *instr,
                                    nir_io_semantics sem);
static inline bool
nir_intrinsic_has_io_semantics(const nir_intrinsic_instr *instr)
{
   return nir_intrinsic_infos[instr->intrinsic]
             .index_map[NIR_INTRINSIC_IO_SEMANTICS] != 0;
}

unsigned nir_intrinsic_dest_components(const nir_intrinsic_instr *intr);
void nir_intrinsic_copy_const_indices(nir_intrinsic_instr *dst,
                                      nir_intrinsic_instr *src);
bool nir_intrinsic_can_reorder(const nir_intrinsic_instr *instr);
bool nir_intrinsic_writes_external_memory(const nir_intrinsic_instr *instr);
static inline void
nir_intrinsic_set_align(nir_intrinsic_instr *intrin, unsigned align_mul,
                        unsigned align_offset)
{
   assert(util_is_power_of_two_nonzero(align_mul));
   assert(align_offset < align_mul);
   nir_intrinsic_set_align_mul(intrin, (int)align_mul);
   nir_intrinsic_set_align_offset(intrin, (int)align_offset);
}

/* The largest power of two that surely divides the address. */
static inline unsigned
nir_combined_align(unsigned align_mul, unsigned align_offset)
{
   return align_offset ? 1u << (__builtin_ctz(align_offset)) : align_mul;
}

/* The source that holds the offset or vertex of an I/O intrinsic; NULL. */
/* Whether it is an image_deref_* operation; and its change into the form that
 * names the image by `src`, an index or (bindless) a handle. Format and
 * access of the variable are kept. */
bool nir_intrinsic_is_image_deref(const nir_intrinsic_instr *instr);
void nir_rewrite_image_intrinsic(nir_intrinsic_instr *instr, nir_ssa_def *src,
                                 bool bindless);
nir_src *nir_get_io_offset_src(nir_intrinsic_instr *instr);
nir_src *nir_get_io_arrayed_index_src(nir_intrinsic_instr *instr);
/* The opcode that a memory operation becomes, by variable mode. */
bool nir_is_arrayed_io(const nir_variable *var, gl_shader_stage stage);

/* --- Textures ---------------------------------------------------------------- */

typedef enum {
   nir_tex_src_coord,
   nir_tex_src_projector,
   nir_tex_src_comparator,
   nir_tex_src_offset,
   nir_tex_src_bias,
   nir_tex_src_lod,
   nir_tex_src_min_lod,
   nir_tex_src_ms_index,
   nir_tex_src_ms_mcs_intel,
   nir_tex_src_ddx,
   nir_tex_src_ddy,
   nir_tex_src_texture_deref,
   nir_tex_src_sampler_deref,
   nir_tex_src_texture_offset, /* dynamic, added to texture_index */
   nir_tex_src_sampler_offset,
   nir_tex_src_texture_handle,
   nir_tex_src_sampler_handle,
   nir_tex_src_plane,
   nir_num_tex_src_types,
} nir_tex_src_type;

typedef struct nir_tex_src {
   nir_src src;
   nir_tex_src_type src_type;
} nir_tex_src;

typedef enum {
   nir_texop_tex,
   nir_texop_txb,
   nir_texop_txl,
   nir_texop_txd,
   nir_texop_txf,
   nir_texop_txf_ms,
   nir_texop_txf_ms_fb,
   nir_texop_txf_ms_mcs_intel,
   nir_texop_txs,
   nir_texop_lod,
   nir_texop_tg4,
   nir_texop_query_levels,
   nir_texop_texture_samples,
   nir_texop_samples_identical,
   nir_num_texops,
} nir_texop;

typedef struct nir_tex_instr {
   nir_instr instr;
   enum glsl_sampler_dim sampler_dim;
   nir_alu_type dest_type; /* sized */
   nir_texop op;
   nir_dest dest;
   nir_tex_src *src;
   unsigned num_srcs;
   unsigned coord_components; /* array index too */
   bool is_array;
   bool is_shadow;
   /* The result of a shadow lookup is one component, not a vec4. */
   bool is_new_style_shadow;
   bool is_sparse;
   unsigned component; /* tg4 */
   int8_t tg4_offsets[4][2];
   bool array_is_lowered_cube;
   bool texture_non_uniform, sampler_non_uniform;
   unsigned texture_index, sampler_index, backend_flags;
   struct arena *arena; /* where nir_tex_instr_add_src allocates */
} nir_tex_instr;

unsigned nir_tex_instr_dest_size(const nir_tex_instr *instr);
unsigned nir_tex_instr_result_size(const nir_tex_instr *instr);
/* txs, lod, query_levels, ... : no texel is fetched. */
bool nir_tex_instr_has_implicit_derivative(const nir_tex_instr *instr);
nir_alu_type nir_tex_instr_src_type(const nir_tex_instr *instr, unsigned src);
unsigned nir_tex_instr_src_size(const nir_tex_instr *instr, unsigned src);
int nir_tex_instr_src_index(const nir_tex_instr *instr,
                            nir_tex_src_type type);
void nir_tex_instr_add_src(nir_tex_instr *tex, nir_tex_src_type type,
                           nir_src src);
void nir_tex_instr_remove_src(nir_tex_instr *tex, unsigned src_idx);
bool nir_tex_instr_has_explicit_tg4_offsets(const nir_tex_instr *tex);
bool nir_tex_instr_need_sampler(const nir_tex_instr *instr);

/* --- Other instructions ------------------------------------------------------ */

typedef struct nir_load_const_instr {
   nir_instr instr;
   nir_ssa_def def;
   nir_const_value value[];
} nir_load_const_instr;

typedef enum {
   nir_jump_return,
   nir_jump_halt,
   nir_jump_break,
   nir_jump_continue,
} nir_jump_type;

typedef struct nir_jump_instr {
   nir_instr instr;
   nir_jump_type type;
} nir_jump_instr;

typedef struct nir_ssa_undef_instr {
   nir_instr instr;
   nir_ssa_def def;
} nir_ssa_undef_instr;

typedef struct nir_phi_src {
   struct list_head node;
   struct nir_block *pred;
   nir_src src;
} nir_phi_src;

typedef struct nir_phi_instr {
   nir_instr instr;
   struct list_head srcs; /* nir_phi_src, one for each predecessor */
   nir_dest dest;
   struct arena *arena; /* where nir_phi_instr_add_src allocates */
} nir_phi_instr;

#define nir_foreach_phi_src(phi_src, phi)                                    \
   list_for_each_entry(nir_phi_src, phi_src, &(phi)->srcs, node)
#define nir_foreach_phi_src_safe(phi_src, phi)                               \
   list_for_each_entry_safe(nir_phi_src, phi_src, &(phi)->srcs, node)

/* The source that comes from `block`; there must be one. */
nir_phi_src *nir_phi_get_src_from_block(nir_phi_instr *phi,
                                        struct nir_block *block);
nir_phi_src *nir_phi_instr_add_src(nir_phi_instr *phi,
                                   struct nir_block *pred, nir_src src);

typedef struct nir_parallel_copy_entry {
   struct list_head node;
   nir_src src;
   nir_dest dest;
} nir_parallel_copy_entry;

typedef struct nir_parallel_copy_instr {
   nir_instr instr;
   struct list_head entries;
} nir_parallel_copy_instr;

#define nir_foreach_parallel_copy_entry(entry, pcopy)                        \
   list_for_each_entry(nir_parallel_copy_entry, entry, &(pcopy)->entries, node)

NIR_DEFINE_CAST(nir_instr_as_alu, nir_instr, nir_alu_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_deref, nir_instr, nir_deref_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_call, nir_instr, nir_call_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_tex, nir_instr, nir_tex_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_intrinsic, nir_instr, nir_intrinsic_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_load_const, nir_instr, nir_load_const_instr,
                instr)
NIR_DEFINE_CAST(nir_instr_as_jump, nir_instr, nir_jump_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_ssa_undef, nir_instr, nir_ssa_undef_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_phi, nir_instr, nir_phi_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_parallel_copy, nir_instr,
                nir_parallel_copy_instr, instr)

/* The instruction that made an SSA source, if of that kind; else NULL. */
nir_alu_instr *nir_src_as_alu_instr(nir_src src);
nir_intrinsic_instr *nir_src_as_intrinsic(nir_src src);

/* A scalar component of a value. */
typedef struct nir_ssa_scalar {
   nir_ssa_def *def;
   unsigned comp;
} nir_ssa_scalar;

static inline nir_ssa_scalar
nir_get_ssa_scalar(nir_ssa_def *def, unsigned comp)
{
   return (nir_ssa_scalar) { def, comp };
}

bool nir_ssa_scalar_is_const(nir_ssa_scalar s);
nir_const_value nir_ssa_scalar_as_const_value(nir_ssa_scalar s);
uint64_t nir_ssa_scalar_as_uint(nir_ssa_scalar s);
bool nir_ssa_scalar_as_bool(nir_ssa_scalar s);
bool nir_ssa_scalar_is_alu(nir_ssa_scalar s);
/* The scalar that an ALU source reads for this component. */
nir_ssa_scalar nir_ssa_scalar_chase_alu_src(nir_ssa_scalar s, unsigned src);
/* Through movs and vecs to where the component is made. */
nir_ssa_scalar nir_ssa_scalar_chase_movs(nir_ssa_scalar s);
/* Whether any instruction or if uses the value. */
static inline bool
nir_ssa_def_is_unused(const nir_ssa_def *def)
{
   return list_is_empty(&def->uses) && list_is_empty(&def->if_uses);
}

nir_component_mask_t nir_ssa_def_components_read(const nir_ssa_def *def);
nir_component_mask_t nir_src_components_read(const nir_src *src);

/* --- Control flow -------------------------------------------------------------- */

typedef enum {
   nir_cf_node_block,
   nir_cf_node_if,
   nir_cf_node_loop,
   nir_cf_node_function,
} nir_cf_node_type;

typedef struct nir_cf_node {
   struct list_head node;
   nir_cf_node_type type;
   struct nir_cf_node *parent;
} nir_cf_node;

typedef struct nir_block {
   nir_cf_node cf_node;
   struct list_head instr_list; /* nir_instr.node */
   unsigned index;              /* program order; nir_metadata_block_index */
   bool divergent;
   /* [0] of a block before an if is the then side; NULL: none. */
   struct nir_block *successors[2];
   /* No order is promised. */
   struct nir_block **predecessors;
   unsigned num_predecessors, predecessors_capacity;

   /* nir_metadata_dominance */
   struct nir_block *imm_dom; /* NULL for the start and the unreachable */
   struct nir_block **dom_children;
   unsigned num_dom_children;
   struct nir_block **dom_frontier;
   unsigned num_dom_frontier;
   uint32_t dom_pre_index, dom_post_index;

   /* First and last instruction index: nir_metadata_instr_index. */
   uint32_t start_ip, end_ip;

   /* nir_metadata_live_ssa_defs: bits by nir_ssa_def.index. */
   BITSET_WORD *live_in, *live_out;
} nir_block;

#define nir_foreach_predecessor(block_, pred)                                \
   for (nir_block **pred##_p = (block_)->predecessors,                       \
                  *pred = (block_)->num_predecessors ? *pred##_p : NULL;     \
        pred##_p < (block_)->predecessors + (block_)->num_predecessors;      \
        pred##_p++,                                                          \
                  pred = pred##_p < (block_)->predecessors +                 \
                                       (block_)->num_predecessors            \
                            ? *pred##_p                                      \
                            : NULL)

typedef enum {
   nir_selection_control_none = 0,
   nir_selection_control_flatten,
   nir_selection_control_dont_flatten,
} nir_selection_control;

typedef struct nir_if {
   nir_cf_node cf_node;
   nir_src condition;
   nir_selection_control control;
   struct list_head then_list, else_list; /* nir_cf_node */
} nir_if;

typedef struct nir_loop_terminator {
   struct list_head link;
   nir_if *nif;
   nir_instr *conditional_instr;
   nir_block *break_block, *continue_from_block;
   bool continue_from_then;
   bool induction_rhs; /* the induction variable stands right */
   bool exact_trip_count_unknown;
} nir_loop_terminator;

typedef struct nir_loop_info {
   unsigned instr_cost;
   bool has_soft_fp64;
   unsigned max_trip_count;
   bool exact_trip_count_known;
   bool guessed_trip_count;
   bool force_unroll;
   bool complex_loop; /* more than one terminator's worth of breaks */
   nir_loop_terminator *limiting_terminator;
   struct list_head loop_terminator_list;
} nir_loop_info;

typedef enum {
   nir_loop_control_none = 0,
   nir_loop_control_unroll,
   nir_loop_control_dont_unroll,
} nir_loop_control;

typedef struct nir_loop {
   nir_cf_node cf_node;
   struct list_head body; /* nir_cf_node */
   nir_loop_info *info;   /* nir_metadata_loop_analysis */
   nir_loop_control control;
   bool partially_unrolled;
   bool divergent;
} nir_loop;

/* What is known of a function and still true; see nir_metadata_require. */
typedef enum {
   nir_metadata_none = 0,
   nir_metadata_block_index = 1 << 0,
   nir_metadata_dominance = 1 << 1,
   nir_metadata_live_ssa_defs = 1 << 2,
   nir_metadata_not_properly_reset = 1 << 3,
   nir_metadata_loop_analysis = 1 << 4,
   nir_metadata_instr_index = 1 << 5,
   nir_metadata_control_flow =
      nir_metadata_block_index | nir_metadata_dominance,
   nir_metadata_all = ~nir_metadata_not_properly_reset,
} nir_metadata;

typedef struct nir_function_impl {
   nir_cf_node cf_node;
   struct nir_function *function;
   struct list_head body;    /* nir_cf_node */
   nir_block *end_block;     /* not in the body; where returns go */
   struct list_head locals;  /* nir_variable */
   struct list_head registers;
   unsigned reg_alloc, ssa_alloc, num_blocks;
   bool structured;
   nir_metadata valid_metadata;
} nir_function_impl;

typedef struct nir_parameter {
   uint8_t num_components, bit_size;
} nir_parameter;

typedef struct nir_function {
   struct list_head node;
   const char *name;
   struct nir_shader *shader;
   unsigned num_params;
   nir_parameter *params;
   nir_function_impl *impl; /* NULL: declared only */
   bool is_entrypoint, is_preamble;
} nir_function;

NIR_DEFINE_CAST(nir_cf_node_as_block, nir_cf_node, nir_block, cf_node)
NIR_DEFINE_CAST(nir_cf_node_as_if, nir_cf_node, nir_if, cf_node)
NIR_DEFINE_CAST(nir_cf_node_as_loop, nir_cf_node, nir_loop, cf_node)
NIR_DEFINE_CAST(nir_cf_node_as_function, nir_cf_node, nir_function_impl,
                cf_node)

/* --- Shaders ------------------------------------------------------------------- */

typedef enum {
   nir_lower_imul64 = 1 << 0,
   nir_lower_isign64 = 1 << 1,
   nir_lower_divmod64 = 1 << 2, /* udiv, idiv, umod, imod, irem */
   nir_lower_imul_high64 = 1 << 3,
   nir_lower_mov64 = 1 << 4,
   nir_lower_icmp64 = 1 << 5,
   nir_lower_iadd64 = 1 << 6,
   nir_lower_iabs64 = 1 << 7,
   nir_lower_ineg64 = 1 << 8,
   nir_lower_logic64 = 1 << 9,
   nir_lower_minmax64 = 1 << 10,
   nir_lower_shift64 = 1 << 11,
   nir_lower_imul_2x32_64 = 1 << 12,
   nir_lower_extract64 = 1 << 13,
   nir_lower_ufind_msb64 = 1 << 14,
   nir_lower_bit_count64 = 1 << 15,
   nir_lower_conv64 = 1 << 16, /* between 64-bit integers and floats */
   nir_lower_find_lsb64 = 1 << 17,
} nir_lower_int64_options;

typedef enum {
   nir_lower_drcp = 1 << 0,
   nir_lower_dsqrt = 1 << 1,
   nir_lower_drsq = 1 << 2,
   nir_lower_dtrunc = 1 << 3,
   nir_lower_dfloor = 1 << 4,
   nir_lower_dceil = 1 << 5,
   nir_lower_dfract = 1 << 6,
   nir_lower_dround_even = 1 << 7,
   nir_lower_dmod = 1 << 8,
   nir_lower_dsub = 1 << 9,
   nir_lower_ddiv = 1 << 10,
   nir_lower_dsign = 1 << 11,
   nir_lower_dminmax = 1 << 12, /* with compares and selects */
   nir_lower_dsat = 1 << 13,
   nir_lower_dfrexp = 1 << 14,
   nir_lower_dldexp = 1 << 15,
   nir_lower_dflrp = 1 << 16,
   nir_lower_dfma = 1 << 17, /* fused multiply-add from mul and add */
   nir_lower_d2half = 1 << 18, /* conversion to half, by way of float */
   nir_lower_fp64_full_software = 1 << 20,
} nir_lower_doubles_options;

typedef struct nir_shader_compiler_options {
   bool lower_fdiv;
   bool lower_ffma16, lower_ffma32, lower_ffma64;
   bool fuse_ffma16, fuse_ffma32, fuse_ffma64;
   bool lower_flrp16, lower_flrp32, lower_flrp64;
   bool lower_fpow, lower_fmod, lower_fsat, lower_fsign;
   bool lower_ldexp;
   bool lower_ffract, lower_fceil, lower_fdph;
   bool lower_isign;
   bool lower_scmp; /* slt, sge, seq, sne */
   bool lower_bitfield_extract;
   bool lower_bitfield_insert, lower_bitfield_insert_to_shifts;
   bool lower_ifind_msb, lower_ufind_msb, lower_find_lsb;
   bool lower_uadd_carry, lower_usub_borrow;
   bool lower_uadd_sat, lower_usub_sat;
   bool lower_pack_half_2x16, lower_unpack_half_2x16;
   bool lower_pack_unorm_2x16, lower_pack_snorm_2x16;
   bool lower_pack_unorm_4x8, lower_pack_snorm_4x8;
   bool lower_unpack_unorm_2x16, lower_unpack_snorm_2x16;
   bool lower_unpack_unorm_4x8, lower_unpack_snorm_4x8;
   bool lower_insert_byte, lower_insert_word;
   bool lower_rotate, lower_hadd;
   bool vertex_id_zero_based;
   bool has_fsub, has_isub;
   /* Derivatives and comparisons of 64 bits give what Gen9 gives. */
   unsigned max_unroll_iterations;
   nir_lower_int64_options lower_int64_options;
   nir_lower_doubles_options lower_doubles_options;
   unsigned force_indirect_unrolling; /* nir_variable_mode */
} nir_shader_compiler_options;

typedef struct nir_shader {
   struct arena *arena; /* all but this struct, which lies in its parent */
   struct arena *owner;
   struct list_head variables; /* nir_variable, all but function_temp */
   const nir_shader_compiler_options *options; /* never NULL */
   struct shader_info info;
   struct list_head functions;
   unsigned num_inputs, num_uniforms, num_outputs;
   unsigned scratch_size; /* bytes */
   void *constant_data;
   unsigned constant_data_size;
} nir_shader;

#define nir_foreach_function(func, shader)                                   \
   list_for_each_entry(nir_function, func, &(shader)->functions, node)

/* A shader in an arena of its own inside `parent` (may be NULL). `options`
 * may be NULL: nothing is lowered; else it must outlive the shader. */
nir_shader *nir_shader_create(struct arena *parent, gl_shader_stage stage,
                              const nir_shader_compiler_options *options);
void nir_shader_destroy(nir_shader *shader);
nir_function *nir_function_create(nir_shader *shader, const char *name);
nir_function_impl *nir_function_impl_create(nir_function *func);
/* An implementation that belongs to no function yet. */
nir_function_impl *nir_function_impl_create_bare(nir_shader *shader);
void nir_function_set_impl(nir_function *func, nir_function_impl *impl);
/* The one entry point; asserts that there is exactly one. */
nir_function_impl *nir_shader_get_entrypoint(const nir_shader *shader);
void nir_remove_non_entrypoints(nir_shader *shader);

nir_variable *nir_variable_create(nir_shader *shader, nir_variable_mode mode,
                                  const struct glsl_type *type,
                                  const char *name);
nir_variable *nir_local_variable_create(nir_function_impl *impl,
                                        const struct glsl_type *type,
                                        const char *name);
void nir_shader_add_variable(nir_shader *shader, nir_variable *var);
static inline void
nir_function_impl_add_variable(nir_function_impl *impl, nir_variable *var)
{
   list_addtail(&var->node, &impl->locals);
}
nir_variable *nir_variable_clone(const nir_variable *var, nir_shader *shader);
nir_constant *nir_constant_clone(const nir_constant *c, nir_shader *shader);
nir_variable *nir_find_variable_with_location(nir_shader *shader,
                                              nir_variable_mode mode,
                                              unsigned location);

nir_register *nir_local_reg_create(nir_function_impl *impl);

/* --- Making instructions --------------------------------------------------------- */

nir_alu_instr *nir_alu_instr_create(nir_shader *shader, nir_op op);
nir_deref_instr *nir_deref_instr_create(nir_shader *shader,
                                        nir_deref_type deref_type);
nir_jump_instr *nir_jump_instr_create(nir_shader *shader, nir_jump_type type);
nir_load_const_instr *nir_load_const_instr_create(nir_shader *shader,
                                                  unsigned num_components,
                                                  unsigned bit_size);
nir_intrinsic_instr *nir_intrinsic_instr_create(nir_shader *shader,
                                                nir_intrinsic_op op);
nir_call_instr *nir_call_instr_create(nir_shader *shader,
                                      nir_function *callee);
nir_tex_instr *nir_tex_instr_create(nir_shader *shader, unsigned num_srcs);
nir_phi_instr *nir_phi_instr_create(nir_shader *shader);
nir_parallel_copy_instr *nir_parallel_copy_instr_create(nir_shader *shader);
nir_ssa_undef_instr *nir_ssa_undef_instr_create(nir_shader *shader,
                                                unsigned num_components,
                                                unsigned bit_size);
nir_if *nir_if_create(nir_shader *shader);
nir_loop *nir_loop_create(nir_shader *shader);
nir_block *nir_block_create(nir_shader *shader);

void nir_ssa_def_init(nir_instr *instr, nir_ssa_def *def,
                      unsigned num_components, unsigned bit_size);
/* `name` is dropped: dumps do not print it. */
void nir_ssa_dest_init(nir_instr *instr, nir_dest *dest,
                       unsigned num_components, unsigned bit_size,
                       const char *name);

/* --- Uses -------------------------------------------------------------------------- */

void nir_ssa_def_rewrite_uses(nir_ssa_def *def, nir_ssa_def *new_ssa);
void nir_ssa_def_rewrite_uses_src(nir_ssa_def *def, nir_src new_src);
/* All uses but `after_me` and those before it in its block. */
void nir_ssa_def_rewrite_uses_after(nir_ssa_def *def, nir_ssa_def *new_ssa,
                                    nir_instr *after_me);
void nir_instr_rewrite_src(nir_instr *instr, nir_src *src, nir_src new_src);
static inline void
nir_instr_rewrite_src_ssa(nir_instr *instr, nir_src *src,
                          nir_ssa_def *new_ssa)
{
   nir_instr_rewrite_src(instr, src, nir_src_for_ssa(new_ssa));
}
void nir_instr_move_src(nir_instr *dest_instr, nir_src *dest, nir_src *src);
void nir_if_rewrite_condition(nir_if *nif, nir_src new_src);
void nir_instr_rewrite_dest(nir_instr *instr, nir_dest *dest,
                            nir_dest new_dest);

typedef bool (*nir_foreach_ssa_def_cb)(nir_ssa_def *def, void *state);
typedef bool (*nir_foreach_dest_cb)(nir_dest *dest, void *state);
typedef bool (*nir_foreach_src_cb)(nir_src *src, void *state);
/* A callback that returns false ends the walk; so does the function. */
bool nir_foreach_ssa_def(nir_instr *instr, nir_foreach_ssa_def_cb cb,
                         void *state);
bool nir_foreach_dest(nir_instr *instr, nir_foreach_dest_cb cb, void *state);
bool nir_foreach_src(nir_instr *instr, nir_foreach_src_cb cb, void *state);
/* The SSA value that the instruction defines; NULL if none or a register. */
nir_ssa_def *nir_instr_ssa_def(nir_instr *instr);

/* --- Instructions and blocks ---------------------------------------------------- */

typedef enum {
   nir_cursor_before_block,
   nir_cursor_after_block,
   nir_cursor_before_instr,
   nir_cursor_after_instr,
} nir_cursor_option;

typedef struct nir_cursor {
   nir_cursor_option option;
   union {
      nir_block *block;
      nir_instr *instr;
   };
} nir_cursor;

void nir_instr_insert(nir_cursor cursor, nir_instr *instr);
bool nir_instr_move(nir_cursor cursor, nir_instr *instr);
/* Takes it out of its block and its sources out of the use lists. */
void nir_instr_remove_v(nir_instr *instr);
/* Removes instructions that feed only this one as well; where to go on. */
nir_cursor nir_instr_free_and_dce(nir_instr *instr);

static inline void
nir_instr_insert_before(nir_instr *instr, nir_instr *before)
{
   nir_instr_insert((nir_cursor) { nir_cursor_before_instr,
                                   { .instr = instr } },
                    before);
}

nir_cursor nir_instr_remove(nir_instr *instr);

/* Next or previous node of the same list; NULL at the end. */
nir_cf_node *nir_cf_node_next(nir_cf_node *node);
nir_cf_node *nir_cf_node_prev(nir_cf_node *node);
nir_block *nir_cf_node_cf_tree_first(nir_cf_node *node);
nir_block *nir_cf_node_cf_tree_last(nir_cf_node *node);
/* Blocks in program order, through the nesting; NULL at the end. */
nir_block *nir_block_cf_tree_next(nir_block *block);
nir_block *nir_block_cf_tree_prev(nir_block *block);
nir_block *nir_cf_node_cf_tree_next(nir_cf_node *node);
nir_if *nir_block_get_following_if(nir_block *block);
nir_loop *nir_block_get_following_loop(nir_block *block);
nir_function_impl *nir_cf_node_get_function(const nir_cf_node *node);
/* All blocks in order; allocated in `arena`. */
nir_block **nir_block_get_predecessors_sorted(const nir_block *block,
                                              struct arena *arena);

static inline nir_cf_node *
nir_cf_list_first(const struct list_head *list)
{
   return list_entry(list->next, nir_cf_node, node);
}

static inline nir_cf_node *
nir_cf_list_last(const struct list_head *list)
{
   return list_entry(list->prev, nir_cf_node, node);
}

static inline nir_block *
nir_start_block(const nir_function_impl *impl)
{
   return nir_cf_node_as_block(nir_cf_list_first(&impl->body));
}

static inline nir_block *
nir_impl_last_block(const nir_function_impl *impl)
{
   return nir_cf_node_as_block(nir_cf_list_last(&impl->body));
}

static inline nir_block *
nir_if_first_then_block(const nir_if *nif)
{
   return nir_cf_node_as_block(nir_cf_list_first(&nif->then_list));
}

static inline nir_block *
nir_if_last_then_block(const nir_if *nif)
{
   return nir_cf_node_as_block(nir_cf_list_last(&nif->then_list));
}

static inline nir_block *
nir_if_first_else_block(const nir_if *nif)
{
   return nir_cf_node_as_block(nir_cf_list_first(&nif->else_list));
}

static inline nir_block *
nir_if_last_else_block(const nir_if *nif)
{
   return nir_cf_node_as_block(nir_cf_list_last(&nif->else_list));
}

static inline nir_block *
nir_loop_first_block(const nir_loop *loop)
{
   return nir_cf_node_as_block(nir_cf_list_first(&loop->body));
}

static inline nir_block *
nir_loop_last_block(const nir_loop *loop)
{
   return nir_cf_node_as_block(nir_cf_list_last(&loop->body));
}

static inline bool
nir_cf_list_is_empty_block(const struct list_head *cf_list)
{
   return list_is_singular(cf_list) &&
          list_is_empty(
             &nir_cf_node_as_block(nir_cf_list_first(cf_list))->instr_list);
}

static inline nir_instr *
nir_block_first_instr(const nir_block *block)
{
   return list_is_empty(&block->instr_list)
             ? NULL
             : list_first_entry(&block->instr_list, nir_instr, node);
}

static inline nir_instr *
nir_block_last_instr(const nir_block *block)
{
   return list_is_empty(&block->instr_list)
             ? NULL
             : list_last_entry(&block->instr_list, nir_instr, node);
}

static inline bool
nir_block_ends_in_jump(const nir_block *block)
{
   const nir_instr *last = nir_block_last_instr(block);
   return last && last->type == nir_instr_type_jump;
}

static inline bool
nir_block_ends_in_break(const nir_block *block)
{
   const nir_instr *last = nir_block_last_instr(block);
   return last && last->type == nir_instr_type_jump &&
          nir_instr_as_jump(last)->type == nir_jump_break;
}

static inline nir_instr *
nir_instr_next(const nir_instr *instr)
{
   return instr->node.next == &instr->block->instr_list
             ? NULL
             : list_entry(instr->node.next, nir_instr, node);
}

static inline nir_instr *
nir_instr_prev(const nir_instr *instr)
{
   return instr->node.prev == &instr->block->instr_list
             ? NULL
             : list_entry(instr->node.prev, nir_instr, node);
}

#define nir_foreach_instr(instr, block_)                                     \
   list_for_each_entry(nir_instr, instr, &(block_)->instr_list, node)
#define nir_foreach_instr_reverse(instr, block_)                             \
   list_for_each_entry_rev(nir_instr, instr, &(block_)->instr_list, node)
#define nir_foreach_instr_safe(instr, block_)                                \
   list_for_each_entry_safe(nir_instr, instr, &(block_)->instr_list, node)
#define nir_foreach_instr_reverse_safe(instr, block_)                        \
   list_for_each_entry_rev_safe(nir_instr, instr, &(block_)->instr_list, node)
/* Phis stand first in a block. */
#define nir_foreach_phi(phi, block_)                                         \
   nir_foreach_instr(phi##_instr, block_)                                    \
      if (phi##_instr->type != nir_instr_type_phi)                           \
         break;                                                              \
      else                                                                   \
         for (nir_phi_instr *phi = nir_instr_as_phi(phi##_instr); phi;       \
              phi = NULL)
#define nir_foreach_phi_safe(phi, block_)                                    \
   nir_foreach_instr_safe(phi##_instr, block_)                               \
      if (phi##_instr->type != nir_instr_type_phi)                           \
         break;                                                              \
      else                                                                   \
         for (nir_phi_instr *phi = nir_instr_as_phi(phi##_instr); phi;       \
              phi = NULL)
#define nir_foreach_block(block, impl)                                       \
   for (nir_block *block = nir_start_block(impl); block != NULL;             \
        block = nir_block_cf_tree_next(block))
#define nir_foreach_block_safe(block, impl)                                  \
   for (nir_block *block = nir_start_block(impl),                            \
                  *block##_nxt = nir_block_cf_tree_next(block);              \
        block != NULL;                                                       \
        block = block##_nxt,                                                 \
                  block##_nxt = block ? nir_block_cf_tree_next(block) : NULL)
#define nir_foreach_block_reverse(block, impl)                               \
   for (nir_block *block = nir_impl_last_block(impl); block != NULL;         \
        block = nir_block_cf_tree_prev(block))
#define nir_foreach_block_in_cf_node(block, node_)                           \
   for (nir_block *block = nir_cf_node_cf_tree_first(node_),                 \
                  *block##_end = nir_cf_node_cf_tree_next(node_);            \
        block != block##_end; block = nir_block_cf_tree_next(block))

static inline nir_cursor
nir_before_block(nir_block *block)
{
   return (nir_cursor) { nir_cursor_before_block, { .block = block } };
}

static inline nir_cursor
nir_after_block(nir_block *block)
{
   return (nir_cursor) { nir_cursor_after_block, { .block = block } };
}

static inline nir_cursor
nir_before_instr(nir_instr *instr)
{
   return (nir_cursor) { nir_cursor_before_instr, { .instr = instr } };
}

static inline nir_cursor
nir_after_instr(nir_instr *instr)
{
   return (nir_cursor) { nir_cursor_after_instr, { .instr = instr } };
}

nir_cursor nir_after_block_before_jump(nir_block *block);
nir_cursor nir_after_instr_and_phis(nir_instr *instr);
nir_cursor nir_after_phis(nir_block *block);
nir_cursor nir_before_cf_node(nir_cf_node *node);
nir_cursor nir_after_cf_node(nir_cf_node *node);
nir_cursor nir_after_cf_node_and_phis(nir_cf_node *node);

static inline nir_cursor
nir_before_cf_list(struct list_head *cf_list)
{
   return nir_before_cf_node(nir_cf_list_first(cf_list));
}

static inline nir_cursor
nir_after_cf_list(struct list_head *cf_list)
{
   return nir_after_cf_node(nir_cf_list_last(cf_list));
}

static inline nir_cursor
nir_before_impl(nir_function_impl *impl)
{
   return nir_before_cf_list(&impl->body);
}

static inline nir_cursor
nir_after_impl(nir_function_impl *impl)
{
   return nir_after_cf_list(&impl->body);
}

nir_block *nir_cursor_current_block(nir_cursor cursor);
bool nir_cursors_equal(nir_cursor a, nir_cursor b);

/* --- Changing control flow ------------------------------------------------------- */

/* A piece of control flow taken out: begins and ends with a block. */
typedef struct nir_cf_list {
   struct list_head list;
   nir_function_impl *impl;
} nir_cf_list;

void nir_cf_node_insert(nir_cursor cursor, nir_cf_node *node);
/* Removes the node with all inside; phis and jumps are kept right. */
void nir_cf_node_remove(nir_cf_node *node);
/* Takes out all from `begin` to `end`, which lie in one list. Phis may not
 * be cut off from their block. */
void nir_cf_extract(nir_cf_list *extracted, nir_cursor begin, nir_cursor end);
void nir_cf_reinsert(nir_cf_list *cf_list, nir_cursor cursor);
void nir_cf_delete(nir_cf_list *cf_list);
static inline void
nir_cf_list_extract(nir_cf_list *extracted, struct list_head *cf_list)
{
   nir_cf_extract(extracted, nir_before_cf_list(cf_list),
                  nir_after_cf_list(cf_list));
}
/* Copies of SSA values, registers and blocks outside stay as they are;
 * `remap` (may be NULL) takes old pointers to new ones. */
void nir_cf_list_clone(nir_cf_list *dst, nir_cf_list *src,
                       nir_cf_node *parent, struct hash_table *remap);
/* The new block behind the cursor; phis of successors are kept right. */
nir_block *nir_split_block_at_cursor(nir_cursor cursor);
/* Recomputes edges from the structure and the jumps. */
void nir_rebuild_cf_edges(nir_function_impl *impl);
/* For after an insertion of a jump by hand. */
void nir_handle_add_jump(nir_block *block);
void nir_handle_remove_jump(nir_block *block, nir_jump_type type);
/* One edge is no more: the phi sources of `pred` go. */
void nir_remove_phi_srcs_from(nir_block *block, nir_block *pred);

/* --- Metadata ---------------------------------------------------------------------- */

/* Computes what is asked and not valid. */
void nir_metadata_require(nir_function_impl *impl, nir_metadata required, ...);
/* Drops all that is not named. */
void nir_metadata_preserve(nir_function_impl *impl, nir_metadata preserved);
void nir_shader_preserve_all_metadata(nir_shader *shader);

void nir_index_blocks(nir_function_impl *impl);
unsigned nir_index_instrs(nir_function_impl *impl);
void nir_index_ssa_defs(nir_function_impl *impl);
void nir_index_local_regs(nir_function_impl *impl);
void nir_calc_dominance_impl(nir_function_impl *impl);
void nir_live_ssa_defs_impl(nir_function_impl *impl);
void nir_loop_analyze_impl(nir_function_impl *impl, unsigned indirect_mask);

nir_block *nir_dominance_lca(nir_block *b1, nir_block *b2);
/* A block dominates itself; an unreachable block is dominated by all. */
bool nir_block_dominates(const nir_block *parent, const nir_block *child);
bool nir_block_is_unreachable(const nir_block *block);

/* --- Whole shaders ----------------------------------------------------------------- */

nir_shader *nir_shader_clone(struct arena *parent, const nir_shader *shader);
nir_function_impl *nir_function_impl_clone(nir_shader *shader,
                                           const nir_function_impl *impl);
nir_instr *nir_instr_clone(nir_shader *shader, const nir_instr *instr);
nir_instr *nir_instr_clone_deep(nir_shader *shader, const nir_instr *instr,
                                struct hash_table *remap);
/* Gives back the memory of what was removed. Pointers into the shader other
 * than the shader itself and its variables may move: keep none. */
void nir_sweep(nir_shader *shader);
void nir_shader_gather_info(nir_shader *shader, nir_function_impl *entry);

/* Reports every fault of the shader on stderr, with the shader, and aborts
 * if there is one. No-op in release builds unless NIR_DEBUG=validate. */
void nir_validate_shader(nir_shader *shader, const char *when);
/* The same check as a question: the faults as text in `arena`, or NULL. */
char *nir_validate_shader_text(nir_shader *shader, struct arena *arena);

void nir_print_shader(nir_shader *shader, FILE *fp);
/* Notes by instruction, variable or block pointer, printed below it. */
void nir_print_shader_annotated(nir_shader *shader, FILE *fp,
                                struct hash_table *annotations);
void nir_print_instr(const nir_instr *instr, FILE *fp);
char *nir_shader_as_str(nir_shader *shader, struct arena *arena);
char *nir_shader_as_str_annotated(nir_shader *shader,
                                  struct hash_table *annotations,
                                  struct arena *arena);
char *nir_instr_as_str(const nir_instr *instr, struct arena *arena);

/* Reads the text form. NULL on bad input: *error then is "line:column:
 * sentence" in `parent` (the arena that must not be NULL then). */
nir_shader *nir_parse_shader(struct arena *parent, const char *text,
                             size_t size_B,
                             const nir_shader_compiler_options *options,
                             char **error);

/* dest[c] of `num_components`, src[i][c] already swizzled. `bit_size` is that
 * of the size-less types of the opcode. `execution_mode`: float_controls. */
void nir_eval_const_opcode(nir_op op, nir_const_value *dest,
                           unsigned num_components, unsigned bit_size,
                           nir_const_value **src, unsigned execution_mode);

/* Names by which NIR_DEBUG asks for printing and so on: bits of nir_debug. */
enum {
   NIR_DEBUG_PRINT = 1 << 0,
   NIR_DEBUG_VALIDATE = 1 << 1,
   NIR_DEBUG_NOVALIDATE = 1 << 2,
   NIR_DEBUG_CLONE = 1 << 3, /* copy after each pass, go on with that */
   NIR_DEBUG_TIME = 1 << 4,
};
unsigned nir_debug_flags(void);
void nir_pass_before(nir_shader *shader, const char *pass);
void nir_pass_after(nir_shader *shader, const char *pass, bool progress);
bool nir_pass_enabled(const char *pass);

/* Runs a pass that returns whether it changed the shader; validates, and
 * prints when NIR_DEBUG says so. NIR_DEBUG=skip:nir_opt_cse leaves it out. */
#define NIR_PASS(progress, nir, pass, ...)                                   \
   do {                                                                      \
      if (nir_pass_enabled(#pass)) {                                         \
         nir_pass_before(nir, #pass);                                        \
         const bool pass_progress_ = pass(nir, ##__VA_ARGS__);               \
         nir_pass_after(nir, #pass, pass_progress_);                         \
         if (pass_progress_)                                                 \
            progress = true;                                                 \
      }                                                                      \
   } while (0)

/* For tests: called behind every pass that changed something. */
extern void (*nir_pass_observer)(nir_shader *shader, const char *pass);

#define NIR_PASS_V(nir, pass, ...)                                           \
   do {                                                                      \
      nir_pass_before(nir, #pass);                                           \
      pass(nir, ##__VA_ARGS__);                                              \
      nir_pass_after(nir, #pass, true);                                      \
   } while (0)

/* --- Walking passes ---------------------------------------------------------------- */

typedef bool (*nir_instr_pass_cb)(struct nir_builder *b, nir_instr *instr,
                                  void *data);
typedef bool (*nir_instr_filter_cb)(const nir_instr *instr, const void *data);
typedef nir_ssa_def *(*nir_lower_instr_cb)(struct nir_builder *b,
                                           nir_instr *instr, void *data);

/* Calls `pass` on every instruction that is there at the time its block is
 * reached; whether any call said that it changed something. */
bool nir_shader_instructions_pass(nir_shader *shader, nir_instr_pass_cb pass,
                                  nir_metadata preserved, void *data);
/* A callback may return this to say that it did the work itself, or this
 * that the instruction is to go. NULL means unchanged. */
#define NIR_LOWER_INSTR_PROGRESS ((nir_ssa_def *)(uintptr_t)1)
#define NIR_LOWER_INSTR_PROGRESS_REPLACE ((nir_ssa_def *)(uintptr_t)2)
bool nir_shader_lower_instructions(nir_shader *shader,
                                   nir_instr_filter_cb filter,
                                   nir_lower_instr_cb lower, void *data);
bool nir_function_impl_lower_instructions(nir_function_impl *impl,
                                          nir_instr_filter_cb filter,
                                          nir_lower_instr_cb lower,
                                          void *data);

#include "nir_passes.h"

#endif
