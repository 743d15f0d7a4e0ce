/* SPDX-License-Identifier: MIT */
/*
 * Fetches of samples by control words.
 *
 * A multisampled colour surface may have a control surface (MCS): one word
 * for each pixel, which says in what plane each sample's colour is. The
 * sampler does not look there by itself: ld2dms gets the word that ld_mcs has
 * read. Without a control surface ld_mcs gives zero, and ld2dms ignores its
 * word (PRM SKL vol 7, "Sampling Engine", "Message Descriptions"), so that
 * shaders need not know which surfaces have one.
 *
 * After it each txf_ms has a source ms_mcs_intel. Samples of one pixel share
 * the word where common subexpressions are found.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

static bool
fetches_sample(const nir_instr *instr, const void *data)
{
   if (instr->kind != nir_kind_tex)
      return false;
   const nir_tex_instr *tex = nir_instr_as_tex((nir_instr *)instr);
   return tex->op == nir_texop_txf_ms &&
          nir_tex_find(tex, nir_tex_src_ms_mcs_intel) < 0;
}

static nir_value *
load_word(nir_builder *b, const nir_tex_instr *tex)
{
   static const nir_tex_operand_kind same[] = { nir_tex_src_coord,
                                                nir_tex_src_texture_offset,
                                                nir_tex_src_texture_handle };
   int found[ARRAY_SIZE(same)];
   unsigned n = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(same); i++) {
      found[i] = nir_tex_find(tex, same[i]);
      n += found[i] >= 0;
   }
   nir_tex_instr *load = nir_new_tex(b->shader, n);
   load->op = nir_texop_txf_ms_mcs_intel;
   load->sampler_dim = tex->sampler_dim;
   load->is_array = tex->is_array;
   load->coord_components = tex->coord_components;
   load->dest_type = nir_type_uint32;
   load->texture_index = tex->texture_index;
   load->texture_non_uniform = tex->texture_non_uniform;
   n = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(same); i++) {
      if (found[i] < 0)
         continue;
      load->src[n].src_type = same[i];
      load->src[n++].use = nir_use_of(tex->src[found[i]].use.value);
   }
   nir_set_result(&load->instr, nir_tex_size(load), 32);
   return nir_emit(b, &load->instr);
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_tex_instr *tex = nir_instr_as_tex(instr);

   b->cursor = nir_before_instr(instr);
   nir_tex_add(tex, nir_tex_src_ms_mcs_intel, nir_use_of(load_word(b, tex)));
   return NIR_CHANGED_IN_PLACE;
}

bool
intel_nir_lower_mcs(nir_shader *nir)
{
   return nir_replace_instrs(nir, fetches_sample, lower_instr, NULL);
}
