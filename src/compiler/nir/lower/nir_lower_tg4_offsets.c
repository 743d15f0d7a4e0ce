/* SPDX-License-Identifier: MIT */
/*
 * Gathers with an offset for each texel (textureGatherOffsets): four gathers
 * with one offset. Of each the texel i0 j0 counts, the last component
 * (GLSL 4.60, 8.9.4 "Texture Gather Functions").
 */
#include "nir.h"
#include "nir_builder.h"

static bool
has_offsets(const nir_instr *instr, const void *data)
{
   return instr->type == nir_instr_type_tex &&
          nir_tex_instr_has_explicit_tg4_offsets(nir_instr_as_tex(instr));
}

static nir_ssa_def *
gather_one(nir_builder *b, const nir_tex_instr *tex, const int8_t offset[2])
{
   nir_tex_instr *one = nir_tex_instr_create(b->shader, tex->num_srcs + 1);
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      one->src[i].src_type = tex->src[i].src_type;
      one->src[i].src = nir_src_for_ssa(tex->src[i].src.ssa);
   }
   one->src[tex->num_srcs].src_type = nir_tex_src_offset;
   one->src[tex->num_srcs].src =
      nir_src_for_ssa(nir_imm_ivec2(b, offset[0], offset[1]));
   one->op = nir_texop_tg4;
   one->sampler_dim = tex->sampler_dim;
   one->is_array = tex->is_array;
   one->coord_components = tex->coord_components;
   one->is_shadow = tex->is_shadow;
   one->is_new_style_shadow = tex->is_new_style_shadow;
   one->component = tex->component;
   one->dest_type = tex->dest_type;
   one->texture_non_uniform = tex->texture_non_uniform;
   one->sampler_non_uniform = tex->sampler_non_uniform;
   one->texture_index = tex->texture_index;
   one->sampler_index = tex->sampler_index;
   one->backend_flags = tex->backend_flags;
   nir_ssa_dest_init(&one->instr, &one->dest, 4, nir_dest_bit_size(tex->dest),
                     NULL);
   nir_builder_instr_insert(b, &one->instr);
   return nir_channel(b, &one->dest.ssa, 3);
}

static nir_ssa_def *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   const nir_tex_instr *tex = nir_instr_as_tex(instr);
   assert(!tex->is_sparse && "no gather of ours says what is resident");
   nir_ssa_def *texel[4];
   for (unsigned i = 0; i < 4; i++)
      texel[i] = gather_one(b, tex, tex->tg4_offsets[i]);
   return nir_vec(b, texel, 4);
}

bool
nir_lower_tg4_offsets(nir_shader *shader)
{
   return nir_shader_lower_instructions(shader, has_offsets, lower_instr,
                                        NULL);
}
