/* SPDX-License-Identifier: MIT */
/* ALU instructions. */
#ifndef NIR_ALU_H
#define NIR_ALU_H

#include "ir/nir_value.h"

typedef struct nir_alu_src {
   nir_src src;
   uint8_t swizzle[NIR_MAX_VEC_COMPONENTS];
} nir_alu_src;

typedef struct nir_alu_dest {
   nir_dest dest;
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
   return channel < nir_dest_num_components(instr->dest.dest);
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
void nir_alu_src_copy(nir_alu_src *dst, const nir_alu_src *src);
bool nir_alu_srcs_equal(const nir_alu_instr *a, const nir_alu_instr *b,
                        unsigned src_a, unsigned src_b);
/* Whether it copies components: a mov or vec. */
bool nir_alu_instr_is_copy(const nir_alu_instr *alu);

#endif
