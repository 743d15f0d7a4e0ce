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

#endif
