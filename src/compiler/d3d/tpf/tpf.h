/* SPDX-License-Identifier: MIT */
/*
 * Tokenized program format of Direct3D 10 to 12 (SM4 to SM5.1): what the
 * SHDR or SHEX chunk of a DXBC container holds. Bytes, instructions, text.
 *
 * A tpf_shader is a list of instructions that says all that the bytes say,
 * so that encoding what was decoded gives the same bytes. Reading checks the
 * form; tpf_validate() checks what stage and version allow.
 *
 * Up to SM5.0 a resource, sampler or constant buffer is a register. In SM5.1
 * it is a range of registers of a space: a declaration says the range's
 * number, its first and last register and the space; a use says the number
 * and which register. Here index[0] is the register or the number of the
 * range, so that it names one declared object in every version; what SM5.1
 * adds stands in `range`.
 */
#ifndef TPF_H
#define TPF_H

#include "compiler/d3d/d3d_error.h"
#include "compiler/nir/nir_types.h"
#include "tpf_enums.h"
#include "util/arena.h"
#include "util/dynarray.h"
#include "util/strbuf.h"

#define TPF_MAX_OPERANDS 8
#define TPF_MAX_NESTING 64
#define TPF_SWIZZLE_IDENTITY 0xe4

enum tpf_components {
   TPF_COMPONENTS_0,
   TPF_COMPONENTS_1,
   TPF_COMPONENTS_4,
};

enum tpf_select {
   TPF_SELECT_MASK,
   TPF_SELECT_SWIZZLE,
   TPF_SELECT_1,
};

enum tpf_index_kind {
   TPF_INDEX_IMM,
   TPF_INDEX_IMM64, /* not read */
   TPF_INDEX_REL,
   TPF_INDEX_IMM_REL,
};

struct tpf_index {
   enum tpf_index_kind kind;
   uint32_t imm;
   struct tpf_operand *rel; /* NULL, or a component of a register */
};

struct tpf_operand {
   enum tpf_file file;
   enum tpf_components components;
   enum tpf_select select;
   uint8_t mask;    /* select: mask */
   uint8_t swizzle; /* two bits each; select_1: the same four times */
   bool select_all; /* select_1: four times in the token, too */
   bool extended, neg, abs;
   bool non_uniform;  /* which of a range: not the same in all lanes */
   uint8_t precision; /* minimum precision */
   unsigned num_indices;
   struct tpf_index index[3];
   /* SM5.1: of a declaration the first and the last register, UINT32_MAX
    * without an end; of a use the register. */
   unsigned num_range;
   struct tpf_index range[2];
   uint32_t imm[4]; /* of immediates */
};

struct tpf_inst {
   enum tpf_op op;
   uint32_t controls; /* bits 11 to 23, where they stand in the token */
   uint8_t num_extended;
   uint32_t extended[3]; /* as tokens, without bit 31 */
   unsigned num_operands;
   struct tpf_operand operand[TPF_MAX_OPERANDS];
   unsigned num_imm;
   uint32_t imm[4]; /* dwords of declarations */
   uint32_t space;  /* SM5.1: of a declared range */
   /* Custom data, interfaces: what follows. Else what the length has beyond
    * the operands, which means nothing. */
   const uint32_t *words;
   size_t num_words;
   uint32_t data_class; /* of custom data */
   size_t offset_dw;    /* in the bytes, or 0 */
};

struct tpf_shader {
   enum tpf_stage stage;
   unsigned version; /* major * 10 + minor */
   struct tpf_inst *inst;
   size_t num_insts;
   size_t offset_B; /* of the program in what it was read from */
};

struct tpf_op_info {
   const char *name;
   const char *operands; /* a letter each: see tpf_tables.py */
   enum tpf_control control;
   uint32_t control_bits;
   enum tpf_sem sem;
   uint8_t since, stages; /* stages: a bit each */
   bool opens, closes, is_else, derivative;
   bool status;       /* the second destination takes one */
   enum tpf_op plain; /* the instruction without a status */
};

struct tpf_file_info {
   const char *text;
   uint8_t least_indices, most_indices;
   bool read, write;
};

struct tpf_dim_info {
   const char *text;
   int sampler_dim; /* enum glsl_sampler_dim; -1: none */
   bool is_array;
   uint8_t coords;
};

enum tpf_data_class {
   TPF_DATA_COMMENT,
   TPF_DATA_DEBUG,
   TPF_DATA_OPAQUE,
   TPF_DATA_ICB, /* immediate constant buffer: four dwords a row */
   TPF_DATA_MESSAGE,
   TPF_DATA_CLIP_PLANES,
   TPF_DATA_COUNT,
};

/* Extended opcode tokens, bits 0 to 5. */
enum {
   TPF_EXTENDED_OFFSETS = 1,
   TPF_EXTENDED_DIM,
   TPF_EXTENDED_RETURN_TYPE,
};

/* NULL for numbers that are none. */
const struct tpf_op_info *tpf_op_info(enum tpf_op op);
const struct tpf_file_info *tpf_file_info(enum tpf_file file);
const struct tpf_dim_info *tpf_dim_info(unsigned dim);
const char *tpf_stage_text(unsigned n);
const char *tpf_name_text(unsigned n);
const char *tpf_return_type_text(unsigned n);
const char *tpf_interpolation_text(unsigned n);
const char *tpf_global_flag_text(unsigned n);
const char *tpf_sampler_mode_text(unsigned n);
const char *tpf_topology_text(unsigned n);
const char *tpf_primitive_text(unsigned n);
const char *tpf_domain_text(unsigned n);
const char *tpf_partition_text(unsigned n);
const char *tpf_output_primitive_text(unsigned n);

static inline bool
tpf_is_dest_letter(char c)
{
   return c != 0 && strchr("FIUBDM", c);
}

static inline bool
tpf_is_operand_letter(char c)
{
   return c != 0 && strchr("FIUBDMfiubdtsol", c);
}

/* A control field, as a number. */
static inline unsigned
tpf_bits(uint32_t token, unsigned low, unsigned count)
{
   return token >> low & BITFIELD_MASK(count);
}

/* Whether the file is one that SM5.1 declares in ranges. */
static inline bool
tpf_has_ranges(enum tpf_file file)
{
   return file == TPF_FILE_S || file == TPF_FILE_T || file == TPF_FILE_U ||
          file == TPF_FILE_CB;
}

/* The i-th index as the tokens have it: those of the range come second. */
static inline struct tpf_index *
tpf_token_index(const struct tpf_operand *o, unsigned i)
{
   const struct tpf_index *index = i == 0 ? &o->index[0]
                                   : i <= o->num_range
                                      ? &o->range[i - 1]
                                      : &o->index[i - o->num_range];

   return (struct tpf_index *)index;
}

/* The offset of a texel along axis 0 to 2, -8 to 7; 0 without one. */
int tpf_inst_offset(const struct tpf_inst *inst, unsigned axis);

/* Reads the content of a SHDR or SHEX chunk; everything lies in `arena`.
 * `offset_B` is added to the offsets of errors. NULL on bad input. */
struct tpf_shader *tpf_decode(struct arena *arena, const void *data,
                              size_t size_B, size_t offset_B,
                              struct d3d_error *error);
/* Appends the bytes. */
void tpf_encode(const struct tpf_shader *shader, struct util_dynarray *out);
/* Appends the text that Microsoft's disassembler gives. */
void tpf_print(const struct tpf_shader *shader, struct strbuf *out);
void tpf_print_inst(const struct tpf_inst *inst, struct strbuf *out);
/* Whether stage and version allow the shader, what it uses is declared, and
 * control flow nests. */
bool tpf_validate(const struct tpf_shader *shader, struct d3d_error *error);
/* False with an error that says where `inst` stands. */
bool tpf_error(struct d3d_error *e, const struct tpf_shader *shader,
               const struct tpf_inst *inst, const char *fmt, ...)
   PRINTFLIKE(4, 5);

#endif
