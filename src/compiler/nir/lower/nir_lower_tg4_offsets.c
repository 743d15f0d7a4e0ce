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
   return instr->kind == nir_kind_tex &&
          nir_tex_has_tg4_offsets(nir_instr_as_tex(instr));
}

static nir_value *
gather_one(nir_builder *b, const nir_tex_instr *tex, const int8_t offset[2])
{
   nir_tex_instr *one = nir_new_tex(b->shader, tex->instr.num_operands + 1);
   for (unsigned i = 0; i < tex->instr.num_operands; i++) {
      one->src[i].src_type = tex->src[i].src_type;
      one->src[i].use = nir_use_of(tex->src[i].use.value);
   }
   one->src[tex->instr.num_operands].src_type = nir_tex_src_offset;
   one->src[tex->instr.num_operands].use =
      nir_use_of(nir_imm_ivec2(b, offset[0], offset[1]));
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
   nir_set_result(&one->instr, 4, tex->instr.result.bit_size);
   nir_emit(b, &one->instr);
   return nir_channel(b, &one->instr.result, 3);
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   const nir_tex_instr *tex = nir_instr_as_tex(instr);
   assert(!tex->is_sparse && "no gather of ours says what is resident");
   nir_value *texel[4];
   for (unsigned i = 0; i < 4; i++)
      texel[i] = gather_one(b, tex, tex->tg4_offsets[i]);
   return nir_vec(b, texel, 4);
}

bool
nir_lower_tg4_offsets(nir_shader *shader)
{
   return nir_replace_instrs(shader, has_offsets, lower_instr, NULL);
}
