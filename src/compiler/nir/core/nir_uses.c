/* SPDX-License-Identifier: MIT */
/*
 * Who reads what: operands of instructions, and the lists of uses that values
 * have. What must hold is said in docs/ir.rst.
 */
#include "nir.h"

#include "nir_private.h"

/* --- Walks -------------------------------------------------------------- */

bool
nir_visit_uses(nir_instr *instr, nir_use_cb cb, void *state)
{
   for (unsigned i = 0; i < instr->num_operands; i++) {
      if (!cb(nir_instr_use(instr, i), state))
         return false;
   }
   if (instr->kind != nir_kind_phi)
      return true;
   nir_foreach_phi_source_safe(source, nir_instr_as_phi(instr)) {
      if (!cb(&source->use, state))
         return false;
   }
   return true;
}

bool
nir_visit_value(nir_instr *instr, nir_value_cb cb, void *state)
{
   nir_value *value = nir_instr_value(instr);
   return !value || cb(value, state);
}

nir_block *
nir_use_block(const nir_use *use)
{
   if (use->nif)
      return nir_cf_node_as_block(nir_cf_node_prev(&use->nif->cf_node));
   if (use->instr->kind == nir_kind_phi)
      return CONTAINER_OF(use, nir_phi_source, use)->pred;
   return use->instr->block;
}

/* --- Links -------------------------------------------------------------- */

void
nir_use_link(nir_use *use)
{
   if (use->value)
      list_addtail(&use->link, &use->value->uses);
   else
      use->link = (struct list_head) { NULL, NULL };
}

void
nir_use_unlink(nir_use *use)
{
   if (list_is_linked(&use->link))
      list_del(&use->link);
}

static bool
link_use(nir_use *use, void *instr)
{
   use->instr = instr;
   use->nif = NULL;
   nir_use_link(use);
   return true;
}

static bool
unlink_use(nir_use *use, void *unused)
{
   nir_use_unlink(use);
   return true;
}

void
nir_instr_link_uses(nir_instr *instr)
{
   nir_visit_uses(instr, link_use, instr);
}

void
nir_instr_unlink_uses(nir_instr *instr)
{
   nir_visit_uses(instr, unlink_use, NULL);
}

/* --- Results ------------------------------------------------------------ */

static void
number_value(nir_value *value, nir_function_impl *impl)
{
   value->index = impl->num_values++;
   impl->valid_metadata &= ~nir_metadata_live_values;
}

void
nir_set_result(nir_instr *instr, unsigned num_components, unsigned bit_size)
{
   nir_value *value = &instr->result;
   *value = (nir_value) {
      .instr = instr,
      .index = UINT32_MAX,
      .num_components = (uint8_t)num_components,
      .bit_size = (uint8_t)bit_size,
      .divergent = true,
   };
   list_inithead(&value->uses);
   if (instr->block)
      number_value(value, nir_cf_node_get_function(&instr->block->cf_node));
}

void
nir_instr_number_values(nir_instr *instr, nir_function_impl *impl)
{
   nir_value *value = nir_instr_value(instr);
   if (value && value->index == UINT32_MAX)
      number_value(value, impl);
}

/* --- Changes ------------------------------------------------------------ */

void
nir_set_use(nir_instr *instr, nir_use *use, nir_value *value)
{
   nir_use_unlink(use);
   *use = (nir_use) { .value = value, .instr = instr };
   if (instr->block)
      nir_use_link(use);
}

void
nir_set_condition(nir_if *nif, nir_value *value)
{
   nir_use_unlink(&nif->condition);
   nif->condition = (nir_use) { .value = value, .nif = nif };
   nir_use_link(&nif->condition);
}

void
nir_operand_copy(nir_operand *to, const nir_operand *from)
{
   *to = *from;
   to->use = nir_use_of(from->use.value);
}

void
nir_value_replace(nir_value *old, nir_value *value)
{
   assert(old != value);
   nir_foreach_use(use, old)
      use->value = value;
   list_splicetail(&old->uses, &value->uses);
}

void
nir_instr_replace(nir_instr *instr, nir_value *value)
{
   nir_value_replace(&instr->result, value);
   nir_instr_remove(instr);
}

/* Whether `instr` lies in the block of `last`, not after it. `from` is the
 * first in the block that it can be. */
static bool
is_not_after(const nir_instr *instr, const nir_instr *from,
             const nir_instr *last)
{
   if (instr->block != last->block)
      return false;
   while (from && from != instr && from != last)
      from = nir_instr_next(from);
   return from == instr;
}

void
nir_value_replace_after(nir_value *old, nir_value *value, nir_instr *last)
{
   if (old == value)
      return;
   const nir_instr *from = old->instr->block == last->block
                              ? old->instr
                              : nir_block_first_instr(last->block);
   nir_foreach_use_safe(use, old) {
      if (use->nif)
         nir_set_condition(use->nif, value);
      else if (use->instr->kind == nir_kind_phi ||
               !is_not_after(use->instr, from, last))
         nir_set_use(use->instr, use, value);
   }
}
