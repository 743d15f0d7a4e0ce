/* SPDX-License-Identifier: MIT */
/*
 * Removes instructions without effect whose values nobody uses, loops of
 * phis that use only each other included: liveness starts at effects and
 * goes backwards; what it does not reach is dead. Linear.
 */
#include "nir.h"

#include "nir_private.h"
#include "util/dynarray.h"

static bool
has_effect(nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_call:
   case nir_instr_type_jump:
      return true;
   case nir_instr_type_intrinsic: {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
      if (!(info->flags & NIR_INTRINSIC_CAN_ELIMINATE))
         return true;
      if (nir_intrinsic_has_access(intr) &&
          (nir_intrinsic_access(intr) & ACCESS_VOLATILE))
         return true;
      return info->has_dest && !intr->dest.is_ssa;
   }
   case nir_instr_type_parallel_copy:
      return true;
   case nir_instr_type_alu:
      return !nir_instr_as_alu(instr)->dest.dest.is_ssa;
   case nir_instr_type_tex:
      return !nir_instr_as_tex(instr)->dest.is_ssa;
   case nir_instr_type_phi:
      return !nir_instr_as_phi(instr)->dest.is_ssa;
   case nir_instr_type_deref:
      return !nir_instr_as_deref(instr)->dest.is_ssa;
   case nir_instr_type_load_const:
   case nir_instr_type_ssa_undef:
      return false;
   }
   unreachable("instruction type");
}

static void
mark(nir_instr *instr, struct util_dynarray *work)
{
   if (!instr->pass_flags) {
      instr->pass_flags = 1;
      util_dynarray_append(work, nir_instr *, instr);
   }
}

static bool
mark_src(nir_src *src, void *work)
{
   if (src->is_ssa)
      mark(src->ssa->parent_instr, work);
   return true;
}

static bool
dce_impl(nir_function_impl *impl)
{
   struct util_dynarray work = { 0 };
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block)
         instr->pass_flags = 0;
   }
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (has_effect(instr))
            mark(instr, &work);
      }
      nir_if *nif = nir_block_get_following_if(block);
      if (nif)
         mark_src(&nif->condition, &work);
   }
   while (util_dynarray_num_elements(&work, nir_instr *))
      nir_foreach_src(util_dynarray_pop(&work, nir_instr *), mark_src, &work);
   util_dynarray_fini(&work);

   bool progress = false;
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         if (!instr->pass_flags) {
            nir_instr_remove(instr);
            progress = true;
         }
      }
   }
   nir_metadata_preserve(impl, progress ? nir_metadata_control_flow
                                        : nir_metadata_all);
   return progress;
}

bool
nir_opt_dce(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_function(func, shader) {
      if (func->impl)
         progress |= dce_impl(func->impl);
   }
   return progress;
}
