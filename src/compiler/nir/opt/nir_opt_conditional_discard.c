/* SPDX-License-Identifier: MIT */
/*
 * An if with nothing in it but a discard is a conditional one:
 *
 *    if (c) { discard }               discard_if(c)
 *    if (c) {} else { discard_if(d) } discard_if(!c && d)
 *
 * So for demote and terminate. Left is an if that nir_opt_dead_cf() removes.
 *
 * Before: SSA, structured. Cost: linear.
 */
#include "nir.h"
#include "nir_builder.h"

/* The only instruction of an arm, where that ends pixels. */
static nir_intrinsic_instr *
lone_discard(struct list_head *arm)
{
   nir_block *block = nir_cf_node_as_block(nir_cf_list_first(arm));

   if (!list_is_singular(arm) || !list_is_singular(&block->instr_list))
      return NULL;
   nir_instr *instr = nir_block_first_instr(block);
   return nir_instr_ends_channels(instr) ? nir_instr_as_intrinsic(instr)
                                         : NULL;
}

static void
emit_conditional(nir_builder *b, nir_intrinsic_op op, nir_value *cond)
{
   switch (op) {
   case nir_intrinsic_discard:
   case nir_intrinsic_discard_if: nir_discard_if(b, cond); break;
   case nir_intrinsic_demote:
   case nir_intrinsic_demote_if: nir_demote_if(b, cond); break;
   default: nir_terminate_if(b, cond); break;
   }
}

static bool
run_if(nir_builder *b, nir_if *nif)
{
   const bool in_then = nir_cf_list_is_empty_block(&nif->else_list);
   nir_intrinsic_instr *discard =
      in_then ? lone_discard(&nif->then_list)
      : nir_cf_list_is_empty_block(&nif->then_list)
         ? lone_discard(&nif->else_list)
         : NULL;

   if (!discard)
      return false;
   const bool has_condition =
      nir_intrinsic_infos[discard->intrinsic].num_srcs > 0;
   b->cursor = nir_before_cf_node(&nif->cf_node);
   nir_value *cond = nif->condition.value;
   if (!in_then)
      cond = nir_inot(b, cond);
   if (has_condition)
      cond = nir_iand(b, cond, discard->src[0].value);
   emit_conditional(b, discard->intrinsic, cond);
   nir_instr_remove(&discard->instr);
   return true;
}

bool
nir_opt_conditional_discard(nir_shader *shader)
{
   bool progress = false;

   if (shader->info.stage != MESA_SHADER_FRAGMENT)
      return false;
   nir_foreach_impl(impl, shader) {
      nir_builder b;
      nir_builder_init(&b, impl);
      bool changed = false;
      nir_foreach_block(block, impl) {
         nir_if *nif = nir_block_get_following_if(block);
         if (nif)
            changed |= run_if(&b, nif);
      }
      nir_changed(impl, changed, nir_metadata_control_flow);
      progress |= changed;
   }
   return progress;
}
