/* SPDX-License-Identifier: MIT */
/*
 * NIR -> SIMD4x2 code: what the files vec4_nir_*.c share.
 *
 * A thread works on two vertices. A NIR vector is one register (two for 64
 * bits), kept as a source: its swizzle says where the components are. One
 * of a single component has it in all four channels of its vertex, so that it
 * can be read by any of them.
 *
 * Eight channels of a scalar instruction lie as two vectors do. So what
 * becomes no Align16 instruction is given to the scalar back end (fs_host):
 * ALU opcodes of any size work on both vectors at once, if their sources'
 * swizzles have been resolved before; memory, images and textures get a
 * component as a register in which all channels of a vertex agree.
 */
#ifndef VEC4_NIR_H
#define VEC4_NIR_H

#include "intel/compiler/fs/from_nir/fs_nir.h"
#include "vec4_compile.h"
#include "vec4_ir.h"

/* 16 bytes of dwords or 32 of doubles in the constants' registers. */
struct vec4_pooled_const {
   uint64_t bits[4];
   uint8_t size_B;
   uint8_t used;
   uint32_t vgrf;
   uint16_t offset_B;
};

struct nir_to_vec4 {
   struct nir_to_fs n; /* first */
   eu_reg *ssa; /* by nir_value.index, as sources; a web has one, whole */
   struct util_dynarray consts; /* vec4_pooled_const */
   eu_reg payload[5];           /* messages of output vertices */
};

static inline struct nir_to_vec4 *
vec4_of(struct nir_to_fs *n)
{
   return (struct nir_to_vec4 *)n;
}

/* Emits the whole shader into s; s->failed on anything unsupported. */
void vec4_emit_nir(struct eu_shader *s);
void vec4_emit_alu(struct nir_to_vec4 *v, nir_alu_instr *alu);
/* False: it is no vec4_is_reduction(). */
bool vec4_emit_reduction(struct nir_to_vec4 *v, nir_alu_instr *alu);
/* Packing of a double from dwords, or the other way round. False: it is
 * neither, or its operands do not lie together. */
bool vec4_emit_pair(struct nir_to_vec4 *v, nir_alu_instr *alu);
/* Makes of sources of the channels in `mask`, of which each has its component
 * in its own selector, those of one register where they are rows of doubles
 * that lie one after the other. */
void vec4_join_rows(eu_reg from[4], unsigned mask);
/* Moves rows of doubles that are whole, of slots that do not lie together, to
 * dst. The channels that are left. */
unsigned vec4_move_rows(struct nir_to_vec4 *v, eu_reg dst, unsigned mask,
                        const eu_reg from[4]);
/* Flags for a boolean that is one, and the predicate by which to read them;
 * ISA_PRED_NONE: it is none. */
unsigned vec4_emit_condition(struct nir_to_vec4 *v, const nir_use *cond);

/* ---- values: vec4_nir.c ---- */

/* Values that Align16 cannot have are as in the scalar back end: a register
 * a component, which all channels of a vertex have. */
static inline bool
vec4_is_small(unsigned bit_size)
{
   return bit_size == 8 || bit_size == 16;
}

/* Type for raw moves of a NIR bit size: those that Align16 has. */
unsigned vec4_raw_type(unsigned bit_size);
/* A new register, whole, and none of it defined. */
eu_reg vec4_new(struct nir_to_vec4 *v, unsigned type);
/* An Align16 MOV. */
struct eu_inst *vec4_mov(struct nir_to_vec4 *v, eu_reg dst, unsigned mask,
                         eu_reg src);
/* What channel c of `mask` reads is component comp[c] of the source. */
eu_reg vec4_operand(struct nir_to_vec4 *v, const nir_use *src,
                    const uint8_t *comp, unsigned mask);
/* Whether a component has no value, so that nobody need move it. */
bool vec4_undefined(const struct nir_to_vec4 *v, const nir_use *src,
                    unsigned comp);
/* The same for an Align1 instruction on all eight channels. */
eu_reg vec4_align1_operand(struct nir_to_vec4 *v, const nir_use *src,
                           const uint8_t *comp, unsigned mask);
/* Makes `r` (a source) the value of a destination; a copy if that is of a
 * phi web. */
void vec4_set_dest(struct nir_to_vec4 *v, nir_value *dest, eu_reg r);

/* Makes what the scalar back end has computed (nir_to_fs::result) the value
 * of a destination. */
void vec4_take_result(struct nir_to_vec4 *v, nir_value *dest);

/* ---- URB ---- */

/* Dwords [first, first + count) of a slot, component by component. The
 * handle: a scalar, or one for each vertex. */
eu_reg vec4_urb_read(struct nir_to_fs *n, const struct fs_urb_place *at,
                     unsigned first, unsigned count);
/* Up to eight dwords, of which the channel mask (bits 23:16) says which are
 * written in each slot; four, if it is one for each vertex. The last
 * message. */
struct eu_inst *vec4_urb_write(struct nir_to_fs *n,
                               const struct fs_urb_place *at, unsigned dwords,
                               const eu_reg *data, eu_reg mask);

/* ---- arrays with dynamic indices: vec4_nir_scratch.c ---- */

/* False if it is none of theirs. */
bool vec4_emit_scratch_intrinsic(struct nir_to_vec4 *v,
                                 nir_intrinsic_instr *intr);

/* ---- stages ---- */

extern const struct fs_stage vec4_stages[MESA_SHADER_STAGES];

void vec4_setup_vs(struct eu_shader *s);
bool vec4_emit_tcs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
void vec4_setup_tes(struct eu_shader *s);
void vec4_setup_gs(struct eu_shader *s);
bool vec4_emit_gs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
void vec4_emit_gs_end(struct nir_to_fs *n);
bool vec4_emit_vs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
bool vec4_emit_tes_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);

/* store_output into a vertex that is `map`. False: it is none. */
void vec4_store_vue_output(struct nir_to_vec4 *v, nir_intrinsic_instr *intr,
                           const struct intel_vue_map *map);
/* The messages that write it; per_slot is in pairs of slots. The last one. */
struct eu_inst *vec4_write_vue(struct nir_to_fs *n,
                               const struct intel_vue_map *map,
                               const struct fs_urb_place *at);
/* To the handles in g0, with the end of the thread. */
void vec4_emit_urb_writes(struct nir_to_fs *n);

#endif
