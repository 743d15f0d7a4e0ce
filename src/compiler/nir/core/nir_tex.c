/* SPDX-License-Identifier: MIT */
/* Questions about texture instructions. */
#include "nir.h"

#include "nir_private.h"

unsigned
nir_tex_instr_result_size(const nir_tex_instr *instr)
{
   switch (instr->op) {
   case nir_texop_txs: {
      /* Sizes: as many as the image has dimensions; a layer count. */
      unsigned n;
      switch (instr->sampler_dim) {
      case GLSL_SAMPLER_DIM_1D:
      case GLSL_SAMPLER_DIM_BUF: n = 1; break;
      case GLSL_SAMPLER_DIM_3D: n = 3; break;
      default: n = 2; break;
      }
      return n + instr->is_array;
   }
   case nir_texop_lod: return 2;
   case nir_texop_query_levels:
   case nir_texop_texture_samples:
   case nir_texop_samples_identical: return 1;
   case nir_texop_txf_ms_mcs_intel: return 4;
   default:
      /* A gather gives four texels even where it compares. */
      return instr->is_shadow && instr->is_new_style_shadow &&
                   instr->op != nir_texop_tg4
                ? 1
                : 4;
   }
}

unsigned
nir_tex_instr_dest_size(const nir_tex_instr *instr)
{
   return nir_tex_instr_result_size(instr) + instr->is_sparse;
}

bool
nir_tex_instr_has_implicit_derivative(const nir_tex_instr *instr)
{
   return instr->op == nir_texop_tex || instr->op == nir_texop_txb ||
          instr->op == nir_texop_lod;
}

bool
nir_tex_instr_need_sampler(const nir_tex_instr *instr)
{
   switch (instr->op) {
   case nir_texop_tex:
   case nir_texop_txb:
   case nir_texop_txl:
   case nir_texop_txd:
   case nir_texop_lod:
   case nir_texop_tg4: return true;
   default: return false;
   }
}

nir_alu_type
nir_tex_instr_src_type(const nir_tex_instr *instr, unsigned src)
{
   const bool fetch = instr->op == nir_texop_txf ||
                      instr->op == nir_texop_txf_ms ||
                      instr->op == nir_texop_txf_ms_fb ||
                      instr->op == nir_texop_txf_ms_mcs_intel ||
                      instr->op == nir_texop_samples_identical;
   switch (instr->src[src].src_type) {
   case nir_tex_src_coord: return fetch ? nir_type_int : nir_type_float;
   case nir_tex_src_lod:
      return fetch || instr->op == nir_texop_txs ? nir_type_int
                                                 : nir_type_float;
   case nir_tex_src_projector:
   case nir_tex_src_comparator:
   case nir_tex_src_bias:
   case nir_tex_src_min_lod:
   case nir_tex_src_ddx:
   case nir_tex_src_ddy: return nir_type_float;
   case nir_tex_src_offset:
   case nir_tex_src_ms_index:
   case nir_tex_src_plane: return nir_type_int;
   case nir_tex_src_ms_mcs_intel:
   case nir_tex_src_texture_deref:
   case nir_tex_src_sampler_deref:
   case nir_tex_src_texture_offset:
   case nir_tex_src_sampler_offset:
   case nir_tex_src_texture_handle:
   case nir_tex_src_sampler_handle: return nir_type_uint;
   case nir_num_tex_src_types: break;
   }
   unreachable("texture source type");
}

unsigned
nir_tex_instr_src_size(const nir_tex_instr *instr, unsigned src)
{
   switch (instr->src[src].src_type) {
   case nir_tex_src_coord: return instr->coord_components;
   case nir_tex_src_ms_mcs_intel: return 4;
   case nir_tex_src_ddx:
   case nir_tex_src_ddy: return instr->coord_components - instr->is_array;
   case nir_tex_src_offset: return instr->coord_components - instr->is_array;
   default: return 1;
   }
}

int
nir_tex_instr_src_index(const nir_tex_instr *instr, nir_tex_src_type type)
{
   for (unsigned i = 0; i < instr->num_srcs; i++) {
      if (instr->src[i].src_type == type)
         return (int)i;
   }
   return -1;
}

void
nir_tex_instr_add_src(nir_tex_instr *tex, nir_tex_src_type type, nir_src src)
{
   nir_tex_src *srcs =
      arena_new_array(tex->arena, nir_tex_src, tex->num_srcs + 1);
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      srcs[i].src_type = tex->src[i].src_type;
      nir_instr_move_src(&tex->instr, &srcs[i].src, &tex->src[i].src);
   }
   tex->src = srcs;
   nir_tex_src *added = &srcs[tex->num_srcs++];
   added->src_type = type;
   added->src.use_link = (struct list_head) { NULL, NULL };
   nir_instr_rewrite_src(&tex->instr, &added->src, src);
}

void
nir_tex_instr_remove_src(nir_tex_instr *tex, unsigned src_idx)
{
   assert(src_idx < tex->num_srcs);
   nir_instr_rewrite_src(&tex->instr, &tex->src[src_idx].src, NIR_SRC_INIT);
   for (unsigned i = src_idx + 1; i < tex->num_srcs; i++) {
      tex->src[i - 1].src_type = tex->src[i].src_type;
      nir_instr_move_src(&tex->instr, &tex->src[i - 1].src, &tex->src[i].src);
   }
   tex->num_srcs--;
}

bool
nir_tex_instr_has_explicit_tg4_offsets(const nir_tex_instr *tex)
{
   static const int8_t default_offsets[4][2] = {
      { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 }
   };
   return tex->op == nir_texop_tg4 &&
          memcmp(tex->tg4_offsets, default_offsets,
                 sizeof(default_offsets)) != 0;
}
