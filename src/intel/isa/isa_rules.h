/* SPDX-License-Identifier: MIT */
/* Rules of isa_rules.py: what a condition sees, and what a row is. */
#ifndef ISA_RULES_H
#define ISA_RULES_H

#include "isa_rules_table.h"
#include "isa_text.h"

/* Where the channels of an operand lie. */
struct isa_span {
   bool known;        /* a direct register of an instruction with channels */
   bool scalar;       /* one element for all channels */
   unsigned num_regs; /* touched, 0 if not known */
   uint16_t end_B;    /* last byte + 1, from the start of register nr */
   uint16_t at_B[32]; /* of each channel's first byte */
   uint8_t element_B;
};

/* An instruction with what most rules want to know of it. */
struct isa_view {
   enum isa_gen gen;
   const struct isa_inst *inst;
   const struct isa_opcode_info *info;
   unsigned num_srcs;
   bool alu; /* one or two sources, with regions (also math) */
   bool src3;
   bool macro; /* math macro: no channels */
   bool align16;
   bool has_dst_reg; /* a destination that is not null */
   /* The type in which the instruction computes, as a size and a class: PRM
    * SKL vol 7, "Execution Data Types". On IVB a DF counts as two elements
    * of 4 bytes in regions, but as 8 here. */
   unsigned exec_size_B;
   bool exec_is_float;
   bool is_raw_mov;
   bool mixed_float; /* F and HF together (Gen8+) */
   struct isa_span dst, src[3];
};

struct isa_rule_row {
   struct isa_rule rule;
   /* isa_breaks_X(), of one of the files isa_rules_*.c; NULL: of programs. */
   bool (*broken)(const struct isa_view *v);
};

extern const struct isa_rule_row isa_rule_rows[ISA_NUM_RULES];

/* Bytes between elements of this type as the generation counts. */
static inline unsigned
isa_element_B(enum isa_gen gen, enum isa_type type)
{
   const unsigned size_B = isa_type_size_B(type);
   return gen == ISA_IVB && type == ISA_TYPE_DF ? 4 : size_B;
}

static inline bool
isa_operand_is_null(const struct isa_operand *o)
{
   return o->file == ISA_FILE_ARF && !o->indirect &&
          (o->nr & 0xf0) == ISA_ARF_NULL;
}

static inline bool
isa_operand_is_acc(const struct isa_operand *o)
{
   return o->file == ISA_FILE_ARF && !o->indirect &&
          (o->nr & 0xf0) == ISA_ARF_ACC;
}

/* One element for all channels, as a region of Align1. */
static inline bool
isa_region_is_scalar(const struct isa_operand *o)
{
   return o->vstride == 0 && o->hstride == 0;
}

static inline bool
isa_type_is_integer(enum isa_type type)
{
   return !isa_type_info(type)->is_float;
}

/* Packed vectors stand for what they widen to. */
static inline enum isa_type
isa_plain_type(enum isa_type type)
{
   return type == ISA_TYPE_V    ? ISA_TYPE_W
          : type == ISA_TYPE_UV ? ISA_TYPE_UW
          : type == ISA_TYPE_VF ? ISA_TYPE_F
                                : type;
}

/* True if `test` is true of some source in a register. */
static inline bool
isa_any_reg(const struct isa_view *v,
            bool (*test)(const struct isa_view *v,
                         const struct isa_operand *src))
{
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (v->inst->src[n].file != ISA_FILE_IMM && test(v, &v->inst->src[n]))
         return true;
   }
   return false;
}

/* True if some source is an accumulator. */
static inline bool
isa_any_acc(const struct isa_view *v)
{
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (isa_operand_is_acc(&v->inst->src[n]))
         return true;
   }
   return false;
}

/* True if some source's type makes `test` true. */
static inline bool
isa_any_src(const struct isa_view *v, bool (*test)(enum isa_type type))
{
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (test(v->inst->src[n].type))
         return true;
   }
   return false;
}

#endif
