/* SPDX-License-Identifier: MIT */
/*
 * Problem: a geometry shader need not write a position, but its vertices have
 * one, and the clipper reads it: whatever the registers held.
 *
 * Method: where no position is written at all, each vertex gets zeros. What
 * is drawn is up to nobody as before, but no longer up to leftovers.
 *
 * Before: SSA, outputs lowered (intel_lower_io_nir).
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

static nir_intrinsic_instr *
as_intrinsic(nir_instr *instr, nir_intrinsic_op op)
{
   return instr->kind == nir_kind_intrinsic &&
                nir_instr_as_intrinsic(instr)->intrinsic == op
             ? nir_instr_as_intrinsic(instr)
             : NULL;
}

static bool
writes_position(nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         const nir_intrinsic_instr *store =
            as_intrinsic(instr, nir_intrinsic_store_output);
         if (store &&
             nir_intrinsic_io_semantics(store).location == VARYING_SLOT_POS)
            return true;
      }
   }
   return false;
}

bool
intel_nir_zero_position(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   bool progress = false;

   if (writes_position(impl))
      return false;
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         const nir_intrinsic_instr *emit =
            as_intrinsic(instr, nir_intrinsic_emit_vertex);
         if (!emit || nir_intrinsic_stream_id(emit))
            continue;
         b.cursor = nir_before_instr(instr);
         nir_value *zero = nir_imm_float(&b, 0);
         nir_store_output(&b, nir_vec4(&b, zero, zero, zero, zero),
                          nir_imm_int(&b, 0), .src_type = nir_type_float32,
                          .io_semantics = { .location = VARYING_SLOT_POS,
                                            .num_slots = 1 });
         progress = true;
      }
   }
   nir_changed(impl, progress, nir_metadata_control_flow);
   return progress;
}
