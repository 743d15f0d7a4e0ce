/* SPDX-License-Identifier: MIT */
/*
 * Control flow without merge instructions: a block of NIR for each block of
 * the module, gotos between them. A switch is a row of comparisons. Functions
 * are put in where they are called. nir_structurize does the rest.
 */
#include "compiler/spirv/kernel/spirv_kernel.h"

static struct spv_block *
label(struct spv *s, uint32_t id)
{
   return spv_value(s, id, SPV_VALUE_LABEL)->label;
}

static void
go_to(struct spv *s, nir_value *cond, nir_block *target, nir_block *other)
{
   if (target == other)
      cond = NULL;
   nir_emit(&s->nb, &nir_new_goto(s->shader, cond, target, other)->instr);
}

static nir_block *
new_block(struct spv *s)
{
   return nir_unstructured_block_create(s->nb.impl);
}

static void
emit_switch(struct spv *s, const uint32_t *w)
{
   const unsigned lit = spv_switch_literal_words(s, w);
   nir_block *otherwise = label(s, w[2])->flat;
   nir_value *sel = spv_get_def(s, w[1]);

   for (unsigned i = 3; i < spv_count(w); i += lit + 1) {
      nir_block *target = label(s, w[i + lit])->flat, *next;
      uint64_t value = w[i];
      if (lit == 2)
         value |= (uint64_t)w[i + 1] << 32;
      if (target == otherwise && i + lit + 1 >= spv_count(w))
         break;
      next = i + lit + 1 < spv_count(w) ? new_block(s) : otherwise;
      go_to(s, nir_ieq_imm(&s->nb, sel, value), target, next);
      if (next == otherwise)
         return;
      s->nb.cursor = nir_after_block(next);
   }
   go_to(s, NULL, otherwise, NULL);
}

static void
return_value(struct spv *s, const uint32_t *w, const struct spv_function *f,
             nir_variable *result)
{
   struct spv_ssa *v = spv_get_ssa(s, w[1]);

   spv_check(s, result && spv_same_type(v->type, f->type->elem),
             "OpReturnValue: not the result type of the function "
             "(3.49.17)");
   spv_store(s, spv_pointer_to_var(s, result, f->type->elem), v);
}

static void
emit_terminator(struct spv *s, const struct spv_block *b, nir_block *after,
                nir_variable *result)
{
   const uint32_t *w = b->terminator;

   switch (spv_opcode(w)) {
   case SpvOpBranch: go_to(s, NULL, label(s, w[1])->flat, NULL); break;
   case SpvOpBranchConditional:
      spv_check(s, spv_value_type(s, w[1])->base == SPV_BOOL,
                "OpBranchConditional: the condition is not bool (3.49.17)");
      go_to(s, spv_get_def(s, w[1]), label(s, w[2])->flat,
            label(s, w[3])->flat);
      break;
   case SpvOpSwitch: emit_switch(s, w); break;
   case SpvOpReturn:
      spv_check(s, b->function->type->elem->base == SPV_VOID,
                "OpReturn in a function with a result (3.49.17)");
      go_to(s, NULL, after, NULL);
      break;
   case SpvOpReturnValue:
      return_value(s, w, b->function, result);
      go_to(s, NULL, after, NULL);
      break;
   case SpvOpUnreachable:
      /* Anything may follow. */
      go_to(s, NULL, after, NULL);
      break;
   default:
      spv_unsupported(s, "%s in a kernel", spirv_opcode_name(spv_opcode(w)));
   }
}

void
spv_emit_unstructured(struct spv *s, struct spv_function *f,
                      nir_variable *result)
{
   struct spv_block **order =
      arena_new_array(s->arena, struct spv_block *, f->num_blocks);
   nir_block *after;
   unsigned n = 0;

   if (f->active)
      spv_fail(s, "function %u calls itself (2.16.1)", f->id);
   if (++s->nesting > SPV_MAX_NESTING)
      spv_unsupported(s, "calls nested more than %u deep", SPV_MAX_NESTING);
   f->active = true;
   f->instance++;
   spv_create_phi_variables(s, f);
   for (unsigned i = 0; i < f->num_blocks; i++) {
      struct spv_block *b = f->blocks[i];
      if (!b->order)
         continue;
      order[b->order - 1] = b;
      b->flat = new_block(s);
      n++;
   }
   after = new_block(s);
   go_to(s, NULL, order[0]->flat, NULL);
   for (unsigned i = 0; i < n; i++) {
      s->nb.cursor = nir_after_block(order[i]->flat);
      spv_emit_block(s, order[i]);
      emit_terminator(s, order[i], after, result);
   }
   s->nb.cursor = nir_after_block(after);
   s->nesting--;
   f->active = false;
}

/* After a loop without an end, say. There are no phis yet. */
static void
remove_unreached(nir_function_impl *impl)
{
   nir_foreach_block_safe(block, impl) {
      if (block->index)
         continue;
      nir_foreach_instr_reverse_safe(instr, block)
         nir_instr_remove(instr);
      list_del(&block->cf_node.node);
   }
}

void
spv_finish_unstructured(struct spv *s)
{
   nir_function_impl *impl = s->nb.impl;

   nir_jump(&s->nb, nir_jump_return);
   if (!nir_sort_unstructured_blocks(impl)) {
      remove_unreached(impl);
      nir_sort_unstructured_blocks(impl);
   }
}
