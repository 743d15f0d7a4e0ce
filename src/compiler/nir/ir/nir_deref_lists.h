/* SPDX-License-Identifier: MIT */
/*
 * Lists by the variable that a dereference leads to.
 *
 * Two variables that are no memory do not overlap, so what is known of a
 * dereference is looked for in the list of its variable and in the one of
 * dereferences without a variable, which may be of any.
 */
#ifndef NIR_DEREF_LISTS_H
#define NIR_DEREF_LISTS_H

#include "compiler/nir/nir.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* Of items that begin with their dereference. All-zero is empty. */
struct nir_deref_lists {
   struct hash_table numbers;  /* of variables, from 1 on */
   struct util_dynarray lists; /* struct nir_deref_list; 0: no variable */
   uint32_t round;             /* what older rounds have left is not there */
};

struct nir_deref_list {
   struct util_dynarray items;
   uint32_t round;
};

/* The number of the list that `deref` belongs to. */
uint32_t nir_deref_list_of(struct nir_deref_lists *l,
                           const nir_deref_instr *deref);
/* List `i`; good until the next nir_deref_list_of(). */
struct util_dynarray *nir_deref_list(struct nir_deref_lists *l, uint32_t i);
/* Removes each item of `item_B` bytes that may overlap with `deref`. */
void nir_deref_lists_drop(struct nir_deref_lists *l, nir_deref_instr *deref,
                          size_t item_B);
void nir_deref_lists_clear(struct nir_deref_lists *l);
void nir_deref_lists_fini(struct nir_deref_lists *l);

#endif
