/* SPDX-License-Identifier: MIT */
/* ALU instructions. */
#ifndef NIR_ALU_H
#define NIR_ALU_H

#include "ir/nir_value.h"

/* What an ALU instruction reads: components of a value, chosen one by one. */
typedef struct nir_operand {
   nir_use use;
   uint8_t swizzle[NIR_MAX_VEC_COMPONENTS];
} nir_operand;

/*
 * What an operation takes the bits of a component for. By itself for any
 * size, or with the number of bits added, as in nir_type_float32. Dumps print
 * the numbers.
 */
typedef enum {
   nir_type_invalid = 0,
   nir_type_int = 0x02,
   nir_type_uint = 0x04,
   nir_type_bool = 0x06,
   nir_type_float = 0x80,
#define SIZED(base, bits) nir_type_##base##bits = nir_type_##base + bits
   SIZED(float, 16),
   SIZED(float, 32),
   SIZED(float, 64),
   SIZED(int, 8),
   SIZED(int, 16),
   SIZED(int, 32),
   SIZED(int, 64),
   SIZED(uint, 8),
   SIZED(uint, 16),
   SIZED(uint, 32),
   SIZED(uint, 64),
   /* A condition; a flag in memory, all ones for true. */
   SIZED(bool, 1),
   SIZED(bool, 8),
   SIZED(bool, 16),
   SIZED(bool, 32),
   /* The conversions of conditions have them. */
   SIZED(int, 1),
   SIZED(uint, 1),
#undef SIZED
} nir_alu_type;

#define NIR_TYPE_BASES                                                       \
   (nir_type_int | nir_type_uint | nir_type_bool | nir_type_float)

static inline nir_alu_type
nir_type_base(nir_alu_type type)
{
   return (nir_alu_type)(type & NIR_TYPE_BASES);
}

/* 0: any. */
static inline unsigned
nir_type_bits(nir_alu_type type)
{
   return type & ~(unsigned)NIR_TYPE_BASES;
}

nir_alu_type nir_type_of_glsl_base(enum glsl_base_type base);

static inline nir_alu_type
nir_type_of_glsl(const struct glsl_type *type)
{
   return nir_type_of_glsl_base(glsl_get_base_type(type));
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

#define NIR_ALU_MAX_INPUTS NIR_MAX_VEC_COMPONENTS

/* A row of nir_opcodes.py. */
typedef struct nir_op_info {
   const char *name;
   struct nir_op_port {
      nir_alu_type type;
      uint8_t size; /* components; 0: as many as the result has */
   } output, input[NIR_ALU_MAX_INPUTS];
   uint8_t num_inputs;
   bool is_conversion;
   bool is_selection;   /* of an operand by the first one */
   bool is_commutative; /* in the first two operands */
} nir_op_info;

extern const nir_op_info nir_op_infos[nir_num_opcodes];

typedef struct nir_alu_instr {
   nir_instr instr;
   nir_op op;
   bool exact; /* no transformation may change a bit of the result */
   bool no_signed_wrap, no_unsigned_wrap;
   nir_operand src[]; /* as many as the opcode has: instr.operands */
} nir_alu_instr;

static inline bool
nir_op_is_selection(nir_op op)
{
   return nir_op_infos[op].is_selection;
}

/* How many components of an operand are read: by opcode, or one for each of
 * the result. Those that are read come first in the swizzle. */
static inline unsigned
nir_operand_components(const nir_alu_instr *alu, unsigned operand)
{
   const unsigned of_opcode = nir_op_infos[alu->op].input[operand].size;

   return of_opcode ? of_opcode : alu->instr.result.num_components;
}

static inline bool
nir_operand_reads(const nir_alu_instr *alu, unsigned operand, unsigned lane)
{
   return lane < nir_operand_components(alu, operand);
}

nir_component_mask_t nir_operand_read_mask(const nir_alu_instr *instr,
                                           unsigned src);
void nir_operand_copy(nir_operand *dst, const nir_operand *src);
bool nir_operands_equal(const nir_alu_instr *a, const nir_alu_instr *b,
                        unsigned src_a, unsigned src_b);
/* Whether it copies components: a mov or vec. */
bool nir_alu_is_copy(const nir_alu_instr *alu);
/* Which of its sources a use is; UINT32_MAX: none. */
unsigned nir_alu_src_index(const nir_alu_instr *alu, const nir_use *use);
/* Whether a use is a source that the operation reads as a float. */
bool nir_alu_reads_float(const nir_alu_instr *alu, const nir_use *use);

#endif
