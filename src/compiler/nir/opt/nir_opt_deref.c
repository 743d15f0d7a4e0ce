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
   parent = nir_src_as_deref(cast->parent);
   if (!parent || parent->type != cast->type ||
       parent->modes != cast->modes ||
       parent->dest.ssa.bit_size != cast->dest.ssa.bit_size)
      return false;
   /* An element by pointer needs the stride that the cast gives. */
   nir_foreach_use(use, &cast->dest.ssa) {
      if (use->parent_instr->type == nir_instr_type_deref &&
          nir_instr_as_deref(use->parent_instr)->deref_type ==
             nir_deref_type_ptr_as_array)
         return false;
   }
   nir_ssa_def_rewrite_uses(&cast->dest.ssa, &parent->dest.ssa);
   nir_instr_remove(&cast->instr);
   return true;
}

bool
nir_opt_deref(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_function(function, shader) {
      bool here = false;
      if (!function->impl)
         continue;
      nir_foreach_block(block, function->impl) {
         nir_foreach_instr_safe(instr, block) {
            if (instr->type == nir_instr_type_deref)
               here |= remove_cast(nir_instr_as_deref(instr));
         }
      }
      nir_metadata_preserve(function->impl, here ? nir_metadata_control_flow
                                                 : nir_metadata_all);
      progress |= here;
   }
   progress |= nir_remove_dead_derefs(shader);
   return progress;
}
