/* SPDX-License-Identifier: MIT */
#include "compiler/nir/ir/nir_deref_lists.h"

static uint32_t
count(const struct nir_deref_lists *l)
{
   return (uint32_t)util_dynarray_num_elements(&l->lists,
                                               struct nir_deref_list);
}

uint32_t
nir_deref_list_of(struct nir_deref_lists *l, const nir_deref_instr *deref)
{
   const struct nir_deref_list empty = { .round = l->round };
   const nir_variable *var = nir_deref_root(deref);

   if (!count(l))
      util_dynarray_append(&l->lists, struct nir_deref_list, empty);
   if (!var)
      return 0;
   const uintptr_t known =
      (uintptr_t)hash_table_get(&l->numbers, hash_key_ptr(var));
   if (known)
      return (uint32_t)known;
   const uint32_t i = count(l);
   util_dynarray_append(&l->lists, struct nir_deref_list, empty);
   hash_table_insert(&l->numbers, hash_key_ptr(var), (void *)(uintptr_t)i);
   return i;
}

struct util_dynarray *
nir_deref_list(struct nir_deref_lists *l, uint32_t i)
{
   struct nir_deref_list *list =
      util_dynarray_element(&l->lists, struct nir_deref_list, i);

   if (list->round != l->round) {
      util_dynarray_clear(&list->items);
      list->round = l->round;
   }
   return &list->items;
}

static void
drop_from(struct util_dynarray *list, nir_deref_instr *deref, size_t item_B)
{
   char *items = list->data;

   for (size_t at_B = 0; at_B < list->size_B;) {
      nir_deref_instr *const *of = (void *)(items + at_B);
      if (nir_relate_derefs(*of, deref) == nir_derefs_disjoint) {
         at_B += item_B;
         continue;
      }
      list->size_B -= item_B;
      memmove(items + at_B, items + list->size_B, item_B);
   }
}

void
nir_deref_lists_drop(struct nir_deref_lists *l, nir_deref_instr *deref,
                     size_t item_B)
{
   const uint32_t own = nir_deref_list_of(l, deref);

   drop_from(nir_deref_list(l, own), deref, item_B);
   if (own)
      drop_from(nir_deref_list(l, 0), deref, item_B);
   for (uint32_t i = 1; !own && i < count(l); i++)
      drop_from(nir_deref_list(l, i), deref, item_B);
}

void
nir_deref_lists_clear(struct nir_deref_lists *l)
{
   l->round++;
}

void
nir_deref_lists_fini(struct nir_deref_lists *l)
{
   util_dynarray_foreach(&l->lists, struct nir_deref_list, list)
      util_dynarray_fini(&list->items);
   util_dynarray_fini(&l->lists);
   hash_table_finish(&l->numbers);
}
