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
   if (instr->type == nir_instr_type_load_const)
      return nir_instr_as_load_const(instr)->def.num_components > 1;
   if (instr->type == nir_instr_type_ssa_undef)
      return nir_instr_as_ssa_undef(instr)->def.num_components > 1;
   return false;
}

static nir_ssa_def *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_ssa_def *def = nir_instr_ssa_def(instr);
   nir_ssa_def *comp[NIR_MAX_VEC_COMPONENTS];
   for (unsigned c = 0; c < def->num_components; c++) {
      if (instr->type == nir_instr_type_load_const) {
         comp[c] = nir_build_imm(b, 1, def->bit_size,
                                 &nir_instr_as_load_const(instr)->value[c]);
      } else {
         comp[c] = nir_ssa_undef(b, 1, def->bit_size);
      }
   }
   return nir_vec(b, comp, def->num_components);
}

bool
nir_lower_load_const_to_scalar(nir_shader *shader)
{
   return nir_shader_lower_instructions(shader, is_vector_constant,
                                        lower_instr, NULL);
}
