/* SPDX-License-Identifier: MIT */
/* Dereference chains made shorter: casts that change nothing go, and so do
 * chains that nobody uses. */
#include "nir.h"

static bool
remove_cast(nir_deref_instr *cast)
{
   nir_deref_instr *parent;

   if (cast->deref_type != nir_deref_type_cast || cast->cast.align_mul)
      return false;
   parent = nir_use_as_deref(cast->parent);
   if (!parent || parent->type != cast->type ||
       parent->modes != cast->modes ||
       parent->instr.result.bit_size != cast->instr.result.bit_size)
      return false;
   /* An element by pointer needs the stride that the cast gives. */
   nir_foreach_instr_use(use, &cast->instr.result) {
      if (use->instr->kind == nir_kind_deref &&
          nir_instr_as_deref(use->instr)->deref_type ==
             nir_deref_type_ptr_as_array)
         return false;
   }
   nir_instr_replace(&cast->instr, &parent->instr.result);
   return true;
}

bool
nir_opt_deref(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      bool here = false;
      nir_foreach_block(block, impl) {
         nir_foreach_instr_safe(instr, block) {
            if (instr->kind == nir_kind_deref)
               here |= remove_cast(nir_instr_as_deref(instr));
         }
      }
      nir_changed(impl, here, nir_metadata_control_flow);
      progress |= here;
   }
   progress |= nir_remove_dead_derefs(shader);
   return progress;
}
