/* SPDX-License-Identifier: MIT */
/*
 * NIR ALU opcodes: what fs_nir_alu.c (the table and the way through it),
 * fs_nir_alu_ops.c (opcodes of more than one instruction) and
 * fs_nir_convert.c (conversions and packing) share.
 */
#ifndef FS_NIR_ALU_H
#define FS_NIR_ALU_H

#include "fs_nir.h"

struct fs_alu_row;

/* One component being emitted: destination and up to four sources, typed as
 * NIR's table of opcodes says. */
struct fs_alu {
   const nir_alu_instr *alu;
   const struct fs_alu_row *row;
   eu_reg dst;
   eu_reg src[4];
};

/* How a NIR opcode becomes instructions. */
struct fs_alu_row {
   void (*emit)(struct nir_to_fs *n, const struct fs_alu *c);
   uint8_t op;       /* enum isa_opcode; isa_math for fs_alu_math() */
   uint8_t cond;     /* enum isa_cond_mod */
   uint8_t type;     /* enum isa_type in which sources are read */
   uint8_t order[3]; /* NIR's sources in the places of the EU's */
   bool negate, abs; /* source 0 */
   bool saturate;
   bool f32_only;    /* the EU has it for F alone */
   bool in_parts;    /* the destination is written in parts */
   bool toward_zero; /* is rounded so */
};

const struct fs_alu_row *fs_alu_row_of(nir_op op);
/* Type of source i, as wide as the source is. */
unsigned fs_alu_src_type(const nir_alu_instr *alu, unsigned i);
void fs_alu_component(struct nir_to_fs *n, const struct fs_alu *c);
/* Where `condition` is a comparison of 32 bits of which the opposite is one,
 * a CMP of that without a destination; else NULL. */
struct eu_inst *fs_emit_opposite(struct nir_to_fs *n,
                                 const nir_use *condition);

/* ---- one channel for all: fs_nir_uniform.c ---- */

/* Whether the instruction is to be emitted by a builder of one channel. */
bool fs_alu_is_uniform(struct nir_to_fs *n, const nir_alu_instr *alu);
/* Three sources, by such a builder. */
void fs_alu_uniform_three(struct nir_to_fs *n, const struct fs_alu *c);

/* A SEL, ADD, ... of two sources, of which the first may be an immediate. */
struct eu_inst *fs_alu_emit2(struct nir_to_fs *n, unsigned op, eu_reg dst,
                             eu_reg x, eu_reg y);
struct eu_inst *fs_alu_cmp(struct nir_to_fs *n, eu_reg dst, eu_reg x,
                           eu_reg y, unsigned cond);
/* A boolean of a comparison: 0 or ~0 in a dword. */
void fs_alu_compare_bool(struct nir_to_fs *n, eu_reg dst, eu_reg x, eu_reg y,
                         unsigned cond);

/* Whether a bcsel is of zero and a constant that it needs no flag for. */
bool fs_alu_selects_constant(const struct nir_to_fs *n,
                             const nir_alu_instr *alu);

/* ---- the functions of rows: fs_nir_alu_ops.c ---- */

#define FS_ALU_EMIT(name)                                                    \
   void fs_alu_##name(struct nir_to_fs *n, const struct fs_alu *c)
FS_ALU_EMIT(one);     /* op, modifiers of source 0, saturate */
FS_ALU_EMIT(two);     /* op, cond, saturate */
FS_ALU_EMIT(three);   /* op, order */
FS_ALU_EMIT(math);    /* op is the function */
FS_ALU_EMIT(compare); /* cond */
FS_ALU_EMIT(mul);
FS_ALU_EMIT(mul_high); /* type */
FS_ALU_EMIT(imod);
FS_ALU_EMIT(fsign);
FS_ALU_EMIT(bcsel);
FS_ALU_EMIT(find_msb);     /* type */
FS_ALU_EMIT(find_msb_rev); /* type */
FS_ALU_EMIT(find_lsb);
FS_ALU_EMIT(extract); /* type */
FS_ALU_EMIT(derivative);

/* ---- fs_nir_convert.c ---- */

FS_ALU_EMIT(convert);
FS_ALU_EMIT(from_bool);
FS_ALU_EMIT(bool_to_bool);
FS_ALU_EMIT(to_bool);
FS_ALU_EMIT(quantize);
FS_ALU_EMIT(pack);     /* type of the parts */
FS_ALU_EMIT(unpack_x); /* type of the part */
FS_ALU_EMIT(unpack_y);
FS_ALU_EMIT(pack_half);
#undef FS_ALU_EMIT

#endif
