/* SPDX-License-Identifier: MIT */
/*
 * Sources, destinations and the lists of uses. A source is in the list of
 * its value or register exactly while its instruction is in a block (or its
 * if in a function).
 */
#include "nir.h"

#include "nir_private.h"

/* --- Walks -------------------------------------------------------------- */

static bool
visit_src(nir_src *src, nir_foreach_src_cb cb, void *state)
{
   if (!cb(src, state))
      return false;
   if (!src->is_ssa && src->reg.indirect)
      return cb(src->reg.indirect, state);
   return true;
}

static bool
visit_dest_indirect(nir_dest *dest, nir_foreach_src_cb cb, void *state)
{
   if (!dest->is_ssa && dest->reg.indirect)
      return cb(dest->reg.indirect, state);
   return true;
}

static bool
visit_deref_srcs(nir_deref_instr *deref, nir_foreach_src_cb cb, void *state)
{
   if (deref->deref_type != nir_deref_type_var &&
       !visit_src(&deref->parent, cb, state))
      return false;
   if ((deref->deref_type == nir_deref_type_array ||
        deref->deref_type == nir_deref_type_ptr_as_array) &&
       !visit_src(&deref->arr.index, cb, state))
      return false;
   return visit_dest_indirect(&deref->dest, cb, state);
}

static bool
visit_intrinsic_srcs(nir_intrinsic_instr *intr, nir_foreach_src_cb cb,
                     void *state)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (!visit_src(&intr->src[i], cb, state))
         return false;
   }
   return !info->has_dest || visit_dest_indirect(&intr->dest, cb, state);
}

bool
nir_foreach_src(nir_instr *instr, nir_foreach_src_cb cb, void *state)
{
   switch (instr->type) {
   case nir_instr_type_alu: {
      nir_alu_instr *alu = nir_instr_as_alu(instr);
      for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
         if (!visit_src(&alu->src[i].src, cb, state))
            return false;
      }
      return visit_dest_indirect(&alu->dest.dest, cb, state);
   }
   case nir_instr_type_deref:
      return visit_deref_srcs(nir_instr_as_deref(instr), cb, state);
   case nir_instr_type_call: {
      nir_call_instr *call = nir_instr_as_call(instr);
      for (unsigned i = 0; i < call->num_params; i++) {
         if (!visit_src(&call->params[i], cb, state))
            return false;
      }
      return true;
   }
   case nir_instr_type_tex: {
      nir_tex_instr *tex = nir_instr_as_tex(instr);
      for (unsigned i = 0; i < tex->num_srcs; i++) {
         if (!visit_src(&tex->src[i].src, cb, state))
            return false;
      }
      return visit_dest_indirect(&tex->dest, cb, state);
   }
   case nir_instr_type_intrinsic:
      return visit_intrinsic_srcs(nir_instr_as_intrinsic(instr), cb, state);
   case nir_instr_type_phi: {
      nir_phi_instr *phi = nir_instr_as_phi(instr);
      nir_foreach_phi_src_safe(src, phi) {
         if (!visit_src(&src->src, cb, state))
            return false;
      }
      return true;
   }
   case nir_instr_type_parallel_copy:
      nir_foreach_parallel_copy_entry(entry,
                                      nir_instr_as_parallel_copy(instr)) {
         if (!visit_src(&entry->src, cb, state) ||
             !visit_dest_indirect(&entry->dest, cb, state))
            return false;
      }
      return true;
   case nir_instr_type_jump: {
      nir_jump_instr *jump = nir_instr_as_jump(instr);
      return jump->type != nir_jump_goto_if ||
             visit_src(&jump->condition, cb, state);
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
   case nir_instr_type_parallel_copy:
      nir_foreach_parallel_copy_entry(entry,
                                      nir_instr_as_parallel_copy(instr)) {
         if (!cb(&entry->dest, state))
            return false;
      }
      return true;
   case nir_instr_type_load_const:
   case nir_instr_type_ssa_undef:
   case nir_instr_type_call:
   case nir_instr_type_jump: return true;
   }
   unreachable("instruction type");
}

static nir_ssa_def *
dest_ssa(nir_dest *dest)
{
   return dest->is_ssa ? &dest->ssa : NULL;
}

nir_ssa_def *
nir_instr_ssa_def(nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_alu:
      return dest_ssa(&nir_instr_as_alu(instr)->dest.dest);
   case nir_instr_type_deref:
      return dest_ssa(&nir_instr_as_deref(instr)->dest);
   case nir_instr_type_tex: return dest_ssa(&nir_instr_as_tex(instr)->dest);
   case nir_instr_type_intrinsic: {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      return nir_intrinsic_infos[intr->intrinsic].has_dest
                ? dest_ssa(&intr->dest)
                : NULL;
   }
   case nir_instr_type_phi: return dest_ssa(&nir_instr_as_phi(instr)->dest);
   case nir_instr_type_load_const:
      return &nir_instr_as_load_const(instr)->def;
   case nir_instr_type_ssa_undef: return &nir_instr_as_ssa_undef(instr)->def;
   case nir_instr_type_parallel_copy:
   case nir_instr_type_call:
   case nir_instr_type_jump: return NULL;
   }
   unreachable("instruction type");
}

bool
nir_foreach_ssa_def(nir_instr *instr, nir_foreach_ssa_def_cb cb, void *state)
{
   if (instr->type == nir_instr_type_parallel_copy) {
      nir_foreach_parallel_copy_entry(entry,
                                      nir_instr_as_parallel_copy(instr)) {
         if (entry->dest.is_ssa && !cb(&entry->dest.ssa, state))
            return false;
      }
      return true;
   }
   nir_ssa_def *def = nir_instr_ssa_def(instr);
   return !def || cb(def, state);
}

/* --- Links -------------------------------------------------------------- */

void
nir_src_link(nir_src *src)
{
   if (src->is_ssa) {
      if (src->ssa)
         list_addtail(&src->use_link, &src->ssa->uses);
   } else if (src->reg.reg) {
      list_addtail(&src->use_link, &src->reg.reg->uses);
   }
}

void
nir_src_link_if(nir_src *src)
{
   if (src->is_ssa)
      list_addtail(&src->use_link, &src->ssa->if_uses);
   else
      list_addtail(&src->use_link, &src->reg.reg->if_uses);
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
link_def(nir_dest *dest, void *instr)
{
   if (!dest->is_ssa) {
      dest->reg.parent_instr = instr;
      list_addtail(&dest->reg.def_link, &dest->reg.reg->defs);
   }
   return true;
}

static bool
unlink_use(nir_src *src, void *unused)
{
   nir_src_unlink(src);
   return true;
}

static bool
unlink_def(nir_dest *dest, void *unused)
{
   if (!dest->is_ssa && list_is_linked(&dest->reg.def_link))
      list_del(&dest->reg.def_link);
   return true;
}

void
nir_instr_link_uses(nir_instr *instr)
{
   nir_foreach_src(instr, link_use, instr);
   nir_foreach_dest(instr, link_def, instr);
}

void
nir_instr_unlink_uses(nir_instr *instr)
{
   nir_foreach_src(instr, unlink_use, NULL);
   nir_foreach_dest(instr, unlink_def, NULL);
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

static nir_src *
copy_indirect(const nir_src *indirect, nir_shader *shader)
{
   if (!indirect)
      return NULL;
   nir_src *copy = arena_new(shader->arena, nir_src);
   nir_src_copy(copy, indirect, shader);
   return copy;
}

void
nir_src_copy(nir_src *dst, const nir_src *src, nir_shader *shader)
{
   *dst = NIR_SRC_INIT;
   dst->is_ssa = src->is_ssa;
   if (src->is_ssa) {
      dst->ssa = src->ssa;
      return;
   }
   dst->reg.reg = src->reg.reg;
   dst->reg.base_offset = src->reg.base_offset;
   dst->reg.indirect = copy_indirect(src->reg.indirect, shader);
}

void
nir_alu_src_copy(nir_alu_src *dst, const nir_alu_src *src, nir_shader *shader)
{
   nir_src_copy(&dst->src, &src->src, shader);
   dst->abs = src->abs;
   dst->negate = src->negate;
   memcpy(dst->swizzle, src->swizzle, sizeof(dst->swizzle));
}

/* --- Rewriting ---------------------------------------------------------- */

void
nir_instr_rewrite_src(nir_instr *instr, nir_src *src, nir_src new_src)
{
   const bool linked = instr->block != NULL;
   nir_src_unlink(src);
   if (!src->is_ssa && src->reg.indirect)
      nir_src_unlink(src->reg.indirect);
   *src = new_src;
   src->use_link = (struct list_head) { NULL, NULL };
   src->parent_instr = instr;
   if (linked) {
      nir_src_link(src);
      if (!src->is_ssa && src->reg.indirect) {
         src->reg.indirect->parent_instr = instr;
         src->reg.indirect->use_link = (struct list_head) { NULL, NULL };
         nir_src_link(src->reg.indirect);
      }
   }
}

void
nir_instr_move_src(nir_instr *dest_instr, nir_src *dest, nir_src *src)
{
   nir_src value = *src;
   nir_src_unlink(src);
   if (!src->is_ssa && src->reg.indirect)
      nir_src_unlink(src->reg.indirect);
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
nir_instr_rewrite_dest(nir_instr *instr, nir_dest *dest, nir_dest new_dest)
{
   if (dest->is_ssa)
      assert(nir_ssa_def_is_unused(&dest->ssa));
   else if (instr->block)
      unlink_def(dest, NULL);
   *dest = new_dest;
   if (dest->is_ssa) {
      list_inithead(&dest->ssa.uses);
      list_inithead(&dest->ssa.if_uses);
   } else {
      dest->reg.def_link = (struct list_head) { NULL, NULL };
      dest->reg.parent_instr = instr;
      if (instr->block) {
         link_def(dest, instr);
         if (dest->reg.indirect)
            link_use(dest->reg.indirect, instr);
      }
   }
}

void
nir_ssa_def_rewrite_uses_src(nir_ssa_def *def, nir_src new_src)
{
   if (new_src.is_ssa) {
      nir_ssa_def_rewrite_uses(def, new_src.ssa);
      return;
   }
   nir_foreach_use_safe(src, def)
      nir_instr_rewrite_src(src->parent_instr, src, new_src);
   nir_foreach_if_use_safe(src, def)
      nir_if_rewrite_condition(src->parent_if, new_src);
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
