/* SPDX-License-Identifier: MIT */
/*
 * Problem: a thread that runs once a sample has several samples of a pixel in
 * its channels, and an interlock of pixels lets one of them in at a time
 * (SPV_EXT_fragment_shader_interlock, PixelInterlock...EXT). SENDC waits for
 * other threads alone.
 *
 * Method: what lies between the beginning and the end becomes the body of a
 * loop over the samples' numbers, which the channels of one sample enter. The
 * samples of a quad's four pixels are of one number, so that derivatives
 * keep their meaning. A beginning and an end in different control flow, which
 * no front end makes, stay as they are.
 *
 * Before: nothing is known of interlocks. After: the beginning is as it was,
 * and a fence follows each sample.
 */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "intel/compiler/intel_compiler_private.h"

static nir_instr *
find(nir_function_impl *impl, nir_intrinsic_op op)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic &&
             nir_instr_as_intrinsic(instr)->intrinsic == op)
            return instr;
      }
   }
   return NULL;
}

bool
intel_nir_pixel_interlock(nir_shader *nir, unsigned samples,
                          bool persample_shading)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_instr *begin = find(impl, nir_intrinsic_begin_invocation_interlock);
   nir_instr *end = find(impl, nir_intrinsic_end_invocation_interlock);
   nir_builder b = nir_builder_create(impl);
   nir_cf_list body;

   if (!persample_shading && !nir->info.fs.uses_sample_qualifier &&
       !find(impl, nir_intrinsic_load_sample_id) &&
       !find(impl, nir_intrinsic_load_sample_pos))
      return false;
   if (!begin || !end ||
       begin->block->cf_node.parent != end->block->cf_node.parent)
      return false;
   nir_cf_extract(&body, nir_after_instr(begin), nir_before_instr(end));
   b.cursor = nir_after_instr(begin);
   nir_variable *turn = nir_new_local(impl, glsl_uint_type(), "turn");
   nir_value *self = nir_load_sample_id(&b);
   nir_store_var(&b, turn, nir_imm_int(&b, 0), 1);
   nir_push_loop(&b);
   {
      nir_value *at = nir_load_var(&b, turn);
      nir_jump_if(&b, nir_jump_break,
                  nir_uge(&b, at, nir_imm_int(&b, (int)samples)));
      nir_push_if(&b, nir_ieq(&b, at, self));
      nir_cf_put_back(&body, b.cursor);
      nir_pop_if(&b, NULL);
      nir_memory_barrier(&b);
      nir_store_var(&b, turn, nir_iadd_imm(&b, at, 1), 1);
   }
   nir_pop_loop(&b, NULL);
   nir_metadata_preserve(impl, nir_metadata_none);
   nir_repair_ssa_impl(impl);
   return true;
}
