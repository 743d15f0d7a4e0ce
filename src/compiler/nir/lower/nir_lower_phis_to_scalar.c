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
is_made_of_scalars(const nir_value *def)
{
   const nir_instr *instr = def->instr;
   switch (instr->kind) {
   case nir_kind_alu:
   case nir_kind_load_const:
   case nir_kind_undef:
   case nir_kind_phi: return true;
   default: return false;
   }
}

static bool
should_split(const nir_phi_instr *phi, bool lower_all)
{
   if (phi->instr.result.num_components == 1)
      return false;
   if (lower_all)
      return true;
   nir_foreach_phi_source(src, phi) {
      if (is_made_of_scalars(src->use.value))
         return true;
   }
   return false;
}

static void
split(nir_builder *b, nir_phi_instr *phi)
{
   nir_block *block = phi->instr.block;
   const unsigned n = phi->instr.result.num_components;
   nir_value *comp[NIR_MAX_VEC_COMPONENTS];
   for (unsigned c = 0; c < n; c++) {
      nir_phi_instr *s = nir_new_phi(b->shader);
      nir_set_result(&s->instr, 1, phi->instr.result.bit_size);
      nir_foreach_phi_source(src, phi) {
         b->cursor = nir_after_block_before_jump(src->pred);
         nir_phi_add_source(s, src->pred,
                            nir_use_of(nir_channel(b, src->use.value, c)));
      }
      nir_instr_insert_before(&phi->instr, &s->instr);
      comp[c] = &s->instr.result;
   }
   b->cursor = nir_after_phis(block);
   nir_instr_replace(&phi->instr, nir_vec(b, comp, n));
}

static bool
split_phi(nir_builder *b, nir_instr *instr, void *data)
{
   const bool lower_all = *(const bool *)data;
   if (instr->kind != nir_kind_phi ||
       !should_split(nir_instr_as_phi(instr), lower_all))
      return false;
   split(b, nir_instr_as_phi(instr));
   return true;
}

bool
nir_lower_phis_to_scalar(nir_shader *shader, bool lower_all)
{
   return nir_visit_instrs(shader, split_phi, nir_metadata_control_flow,
                           &lower_all);
}
