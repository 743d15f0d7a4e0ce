/* SPDX-License-Identifier: MIT */
/*
 * Sources, destinations and the lists of uses. A source is in the list of
 * its value exactly while its instruction is in a block (or its if in a
 * function).
 */
#include "nir.h"

#include "nir_private.h"

/* --- Walks -------------------------------------------------------------- */

static bool
visit_deref_srcs(nir_deref_instr *deref, nir_foreach_src_cb cb, void *state)
{
   if (deref->deref_type != nir_deref_type_var && !cb(&deref->parent, state))
      return false;
   if ((deref->deref_type == nir_deref_type_array ||
        deref->deref_type == nir_deref_type_ptr_as_array) &&
       !cb(&deref->arr.index, state))
      return false;
   return true;
}

static bool
visit_intrinsic_srcs(nir_intrinsic_instr *intr, nir_foreach_src_cb cb,
                     void *state)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (!cb(&intr->src[i], state))
         return false;
   }
   return true;
}

bool
nir_foreach_src(nir_instr *instr, nir_foreach_src_cb cb, void *state)
{
   switch (instr->type) {
   case nir_instr_type_alu: {
      nir_alu_instr *alu = nir_instr_as_alu(instr);
      for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
         if (!cb(&alu->src[i].src, state))
            return false;
      }
      return true;
   }
   case nir_instr_type_deref:
      return visit_deref_srcs(nir_instr_as_deref(instr), cb, state);
   case nir_instr_type_call: {
      nir_call_instr *call = nir_instr_as_call(instr);
      for (unsigned i = 0; i < call->num_params; i++) {
         if (!cb(&call->params[i], state))
            return false;
      }
      return true;
   }
   case nir_instr_type_tex: {
      nir_tex_instr *tex = nir_instr_as_tex(instr);
      for (unsigned i = 0; i < tex->num_srcs; i++) {
         if (!cb(&tex->src[i].src, state))
            return false;
      }
      return true;
   }
   case nir_instr_type_intrinsic:
      return visit_intrinsic_srcs(nir_instr_as_intrinsic(instr), cb, state);
   case nir_instr_type_phi: {
      nir_phi_instr *phi = nir_instr_as_phi(instr);
      nir_foreach_phi_src_safe(src, phi) {
         if (!cb(&src->src, state))
            return false;
      }
      return true;
   }
   case nir_instr_type_jump: {
      nir_jump_instr *jump = nir_instr_as_jump(instr);
      return jump->type != nir_jump_goto_if || cb(&jump->condition, state);
   }
   case nir_instr_type_load_const:
   case nir_instr_type_ssa_undef: return true;
   }
   unreachable("instruction type");
}

bool
nir_foreach_dest(nir_instr *instr, nir_foreach_dest_cb cb, void *state)
{
   switch (instr->type) {
   case nir_instr_type_alu:
      return cb(&nir_instr_as_alu(instr)->dest.dest, state);
   case nir_instr_type_deref:
      return cb(&nir_instr_as_deref(instr)->dest, state);
   case nir_instr_type_tex: return cb(&nir_instr_as_tex(instr)->dest, state);
   case nir_instr_type_intrinsic: {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      return !nir_intrinsic_infos[intr->intrinsic].has_dest ||
             cb(&intr->dest, state);
   }
   case nir_instr_type_phi: return cb(&nir_instr_as_phi(instr)->dest, state);
   case nir_instr_type_load_const:
   case nir_instr_type_ssa_undef:
   case nir_instr_type_call:
   case nir_instr_type_jump: return true;
   }
   unreachable("instruction type");
}

nir_ssa_def *
nir_instr_ssa_def(nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_alu: return &nir_instr_as_alu(instr)->dest.dest.ssa;
   case nir_instr_type_deref: return &nir_instr_as_deref(instr)->dest.ssa;
   case nir_instr_type_tex: return &nir_instr_as_tex(instr)->dest.ssa;
   case nir_instr_type_intrinsic: {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      return nir_intrinsic_infos[intr->intrinsic].has_dest ? &intr->dest.ssa
                                                           : NULL;
   }
   case nir_instr_type_phi: return &nir_instr_as_phi(instr)->dest.ssa;
   case nir_instr_type_load_const:
      return &nir_instr_as_load_const(instr)->def;
   case nir_instr_type_ssa_undef: return &nir_instr_as_ssa_undef(instr)->def;
   case nir_instr_type_call:
   case nir_instr_type_jump: return NULL;
   }
   unreachable("instruction type");
}

bool
nir_foreach_ssa_def(nir_instr *instr, nir_foreach_ssa_def_cb cb, void *state)
{
   nir_ssa_def *def = nir_instr_ssa_def(instr);
   return !def || cb(def, state);
}

/* --- Links -------------------------------------------------------------- */

void
nir_src_link(nir_src *src)
{
   if (src->ssa)
      list_addtail(&src->use_link, &src->ssa->uses);
}

void
nir_src_link_if(nir_src *src)
{
   list_addtail(&src->use_link, &src->ssa->if_uses);
}

void
nir_src_unlink(nir_src *src)
{
   if (list_is_linked(&src->use_link))
      list_del(&src->use_link);
}

static bool
link_use(nir_src *src, void *instr)
{
   src->parent_instr = instr;
   nir_src_link(src);
   return true;
}

static bool
unlink_use(nir_src *src, void *unused)
{
   nir_src_unlink(src);
   return true;
}

void
nir_instr_link_uses(nir_instr *instr)
{
   nir_foreach_src(instr, link_use, instr);
}

void
nir_instr_unlink_uses(nir_instr *instr)
{
   nir_foreach_src(instr, unlink_use, NULL);
}

static bool
number_def(nir_ssa_def *def, void *impl_)
{
   nir_function_impl *impl = impl_;
   if (def->index == UINT32_MAX) {
      def->index = impl->ssa_alloc++;
      impl->valid_metadata &= ~nir_metadata_live_ssa_defs;
   }
   return true;
}

void
nir_instr_number_defs(nir_instr *instr, nir_function_impl *impl)
{
   nir_foreach_ssa_def(instr, number_def, impl);
}

/* --- Copies ------------------------------------------------------------- */

void
nir_alu_src_copy(nir_alu_src *dst, const nir_alu_src *src)
{
   *dst = (nir_alu_src) { .src = nir_src_for_ssa(src->src.ssa) };
   memcpy(dst->swizzle, src->swizzle, sizeof(dst->swizzle));
}

/* --- Rewriting ---------------------------------------------------------- */

void
nir_instr_rewrite_src(nir_instr *instr, nir_src *src, nir_src new_src)
{
   const bool linked = instr->block != NULL;
   nir_src_unlink(src);
   *src = new_src;
   src->use_link = (struct list_head) { NULL, NULL };
   src->parent_instr = instr;
   if (linked)
      nir_src_link(src);
}

void
nir_instr_move_src(nir_instr *dest_instr, nir_src *dest, nir_src *src)
{
   nir_src value = *src;
   nir_src_unlink(src);
   nir_instr_rewrite_src(dest_instr, dest, value);
   *src = NIR_SRC_INIT;
}

void
nir_if_rewrite_condition(nir_if *nif, nir_src new_src)
{
   nir_src *src = &nif->condition;
   nir_src_unlink(src);
   *src = new_src;
   src->use_link = (struct list_head) { NULL, NULL };
   src->parent_if = nif;
   nir_src_link_if(src);
}

void
nir_ssa_def_rewrite_uses(nir_ssa_def *def, nir_ssa_def *new_ssa)
{
   assert(def != new_ssa);
   list_for_each_entry(nir_src, src, &def->uses, use_link)
      src->ssa = new_ssa;
   list_for_each_entry(nir_src, src, &def->if_uses, use_link)
      src->ssa = new_ssa;
   list_splicetail(&def->uses, &new_ssa->uses);
   list_splicetail(&def->if_uses, &new_ssa->if_uses);
}

/* Whether `instr` stands in the block of `last`, at or before it. */
static bool
stands_not_after(const nir_instr *instr, const nir_instr *first,
                 const nir_instr *last)
{
   if (instr->block != last->block)
      return false;
   for (const nir_instr *i = first; i; i = nir_instr_next(i)) {
      if (i == instr)
         return true;
      if (i == last)
         break;
   }
   return false;
}

void
nir_ssa_def_rewrite_uses_after(nir_ssa_def *def, nir_ssa_def *new_ssa,
                               nir_instr *after_me)
{
   if (def == new_ssa)
      return;
   nir_foreach_use_safe(src, def) {
      /* Uses before `after_me` can only be between it and the definition. */
      const nir_instr *use = src->parent_instr;
      const nir_instr *first = def->parent_instr->block == after_me->block
                                  ? def->parent_instr
                                  : nir_block_first_instr(after_me->block);
      if (use->type != nir_instr_type_phi &&
          stands_not_after(use, first, after_me))
         continue;
      nir_instr_rewrite_src(src->parent_instr, src, nir_src_for_ssa(new_ssa));
   }
   nir_foreach_if_use_safe(src, def)
      nir_if_rewrite_condition(src->parent_if, nir_src_for_ssa(new_ssa));
}
