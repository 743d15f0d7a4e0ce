/* SPDX-License-Identifier: MIT */
/*
 * What compute shaders need of NIR: shared memory as byte offsets, and
 * gl_LocalInvocationID out of the invocation's number, which is all that the
 * hardware knows of it.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

/* x + size.x * (y + size.y * z) backwards. Sizes of 1 cost nothing. */
static bool
lower_local_id(nir_builder *b, nir_instr *instr, void *data)
{
   const uint16_t *size = b->shader->info.workgroup_size;
   nir_ssa_def *rest, *id[3];
   nir_intrinsic_instr *intr;

   if (instr->type != nir_instr_type_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   if (intr->intrinsic != nir_intrinsic_load_local_invocation_id)
      return false;
   b->cursor = nir_before_instr(instr);
   rest = nir_load_local_invocation_index(b);
   for (unsigned i = 0; i < 3; i++) {
      const bool last = i == 2 || (i == 1 && size[2] == 1) ||
                        (i == 0 && size[1] == 1 && size[2] == 1);
      nir_ssa_def *n = nir_imm_int(b, size[i]);
      if (size[i] <= 1) {
         id[i] = nir_imm_int(b, 0);
      } else if (last) {
         id[i] = rest;
         rest = nir_imm_int(b, 0);
      } else {
         id[i] = nir_umod(b, rest, n);
         rest = nir_udiv(b, rest, n);
      }
   }
   nir_ssa_def_rewrite_uses(&intr->dest.ssa, nir_vec(b, id, 3));
   nir_instr_remove(instr);
   return true;
}

bool
intel_nir_lower_cs(nir_shader *nir)
{
   bool progress = false;

   NIR_PASS(progress, nir, nir_lower_vars_to_explicit_types,
            nir_var_mem_shared, glsl_get_natural_size_align_bytes);
   NIR_PASS(progress, nir, nir_lower_explicit_io, nir_var_mem_shared,
            nir_address_format_32bit_offset);
   if (!nir->info.workgroup_size_variable)
      progress |= nir_shader_instructions_pass(
         nir, lower_local_id, nir_metadata_control_flow, NULL);
   return progress;
}
