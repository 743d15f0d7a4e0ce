/* SPDX-License-Identifier: MIT */
/*
 * A phi of vectors becomes one phi for each component and a vecN after the
 * phis of the block.
 *
 * Before: SSA. After: with `lower_all` every phi has one component; else only
 * those are split of which a source is made by an instruction that scalar
 * code has in pieces anyway. Cost: linear.
 */
#include "nir.h"
#include "nir_builder.h"

/* Whether the components of a value exist one by one. */
static bool
is_made_of_scalars(const nir_ssa_def *def)
{
   const nir_instr *instr = def->parent_instr;
   switch (instr->type) {
   case nir_instr_type_alu:
   case nir_instr_type_load_const:
   case nir_instr_type_ssa_undef:
   case nir_instr_type_phi: return true;
   default: return false;
   }
}

static bool
should_split(const nir_phi_instr *phi, bool lower_all)
{
   if (phi->dest.ssa.num_components == 1)
      return false;
   if (lower_all)
      return true;
   nir_foreach_phi_src(src, phi) {
      if (is_made_of_scalars(src->src.ssa))
         return true;
   }
   return false;
}

static void
split(nir_builder *b, nir_phi_instr *phi)
{
   nir_block *block = phi->instr.block;
   const unsigned n = phi->dest.ssa.num_components;
   nir_ssa_def *comp[NIR_MAX_VEC_COMPONENTS];
   for (unsigned c = 0; c < n; c++) {
      nir_phi_instr *s = nir_phi_instr_create(b->shader);
      nir_ssa_dest_init(&s->instr, &s->dest, 1, phi->dest.ssa.bit_size, NULL);
      nir_foreach_phi_src(src, phi) {
         b->cursor = nir_after_block_before_jump(src->pred);
         nir_phi_instr_add_src(
            s, src->pred, nir_src_for_ssa(nir_channel(b, src->src.ssa, c)));
      }
      nir_instr_insert_before(&phi->instr, &s->instr);
      comp[c] = &s->dest.ssa;
   }
   b->cursor = nir_after_phis(block);
   nir_ssa_def_rewrite_uses(&phi->dest.ssa, nir_vec(b, comp, n));
   nir_instr_remove(&phi->instr);
}

static bool
split_phi(nir_builder *b, nir_instr *instr, void *data)
{
   const bool lower_all = *(const bool *)data;
   if (instr->type != nir_instr_type_phi ||
       !should_split(nir_instr_as_phi(instr), lower_all))
      return false;
   split(b, nir_instr_as_phi(instr));
   return true;
}

bool
nir_lower_phis_to_scalar(nir_shader *shader, bool lower_all)
{
   return nir_shader_instructions_pass(shader, split_phi,
                                       nir_metadata_control_flow, &lower_all);
}
