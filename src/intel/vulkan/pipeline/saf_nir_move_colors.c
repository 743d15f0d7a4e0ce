/* SPDX-License-Identifier: MIT */
/*
 * Problem: which colour attachment a location of a fragment shader's outputs
 * is written to can be chosen (VkRenderingAttachmentLocationInfo), but what
 * the hardware draws to, and blends, is numbered like the attachments.
 *
 * Method: locations become numbers of attachments; what goes to none is not
 * written. vkCmdSetRenderingAttachmentLocations() says what the pipeline
 * says.
 *
 * Before: outputs are intrinsics, none of them is indirect.
 */
#include "compiler/nir/nir_builder.h"
#include "saf_shader.h"

static bool
move_output(nir_builder *b, nir_instr *instr, void *data)
{
   const uint8_t *targets = data;
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr || intr->intrinsic != nir_intrinsic_store_output)
      return false;
   nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   const unsigned location = sem.location +
                             (unsigned)nir_use_as_uint(intr->src[1]);
   const unsigned from = location - FRAG_RESULT_DATA0;
   if (location < FRAG_RESULT_DATA0 || from >= SAF_MAX_RTS)
      return false;
   if (targets[from] == SAF_NO_TARGET) {
      nir_instr_remove(instr);
      return true;
   }
   sem.location = FRAG_RESULT_DATA0 + targets[from];
   nir_intrinsic_set_io_semantics(intr, sem);
   b->cursor = nir_before_instr(instr);
   nir_set_use(instr, &intr->src[1], nir_imm_int(b, 0));
   return true;
}

bool
saf_nir_move_colors(nir_shader *nir, const uint8_t targets[SAF_MAX_RTS])
{
   return nir_visit_instrs(nir, move_output, nir_metadata_control_flow,
                           (void *)(uintptr_t)targets);
}
