/* SPDX-License-Identifier: MIT */
/* Texture instructions. */
#ifndef NIR_TEX_H
#define NIR_TEX_H

#include "ir/nir_alu.h"

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
   nir_num_tex_operand_kinds,
} nir_tex_operand_kind;

typedef struct nir_tex_operand {
   nir_use use;
   nir_tex_operand_kind src_type;
} nir_tex_operand;

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
   nir_tex_operand *src;      /* instr.operands */
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
   struct arena *arena; /* where nir_tex_add allocates */
} nir_tex_instr;

/* Components of a texel, or of what else the operation tells; with the
 * residency code of a sparse one. */
unsigned nir_tex_texel_size(const nir_tex_instr *tex);
unsigned nir_tex_size(const nir_tex_instr *tex);
/* Whether it takes the level from the difference of neighbours. */
bool nir_tex_needs_derivatives(const nir_tex_instr *tex);
bool nir_tex_uses_sampler(const nir_tex_instr *tex);
/* Whether tg4_offsets are others than nir_tg4_square, where a gather reads if
 * nothing is said. */
bool nir_tex_has_tg4_offsets(const nir_tex_instr *tex);
extern const int8_t nir_tg4_square[4][2];

/* Of operand `i`: its type, without bit size, and its components. */
nir_alu_type nir_tex_operand_type(const nir_tex_instr *tex, unsigned i);
unsigned nir_tex_operand_size(const nir_tex_instr *tex, unsigned i);
/* The operand of that kind; -1 if it has none. */
int nir_tex_find(const nir_tex_instr *tex, nir_tex_operand_kind kind);
/* Another operand, or one less: pointers to operands do not stay valid. */
void nir_tex_add(nir_tex_instr *tex, nir_tex_operand_kind kind, nir_use use);
void nir_tex_remove(nir_tex_instr *tex, unsigned i);

#endif
