/* SPDX-License-Identifier: MIT */
/*
 * A constant or undefined vector becomes one value for each component,
 * gathered by a vecN, so that equal components are shared.
 *
 * Before: SSA. After: every load_const and ssa_undef has one component.
 */
#include "nir.h"
#include "nir_builder.h"

static bool
is_vector_constant(const nir_instr *instr, const void *data)
{
   if (instr->kind == nir_kind_load_const)
      return instr->result.num_components > 1;
   if (instr->kind == nir_kind_undef)
      return instr->result.num_components > 1;
   return false;
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_value *def = nir_instr_value(instr);
   nir_value *comp[NIR_MAX_VEC_COMPONENTS];
   for (unsigned c = 0; c < def->num_components; c++) {
      if (instr->kind == nir_kind_load_const) {
         comp[c] = nir_build_imm(b, 1, def->bit_size,
                                 &nir_instr_as_load_const(instr)->value[c]);
      } else {
         comp[c] = nir_undef(b, 1, def->bit_size);
      }
   }
   return nir_vec(b, comp, def->num_components);
}

bool
nir_lower_load_const_to_scalar(nir_shader *shader)
{
   return nir_replace_instrs(shader, is_vector_constant, lower_instr, NULL);
}
