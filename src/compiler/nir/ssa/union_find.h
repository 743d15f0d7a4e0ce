/* SPDX-License-Identifier: MIT */
/*
 * Sets that are joined one with another (B. A. Galler, M. J. Fischer, "An
 * improved equivalence algorithm", 1964): each element has another one of its
 * set as parent, the one that stands for the set has itself. The caller owns
 * the array of parents, and joins by making one root the parent of another.
 */
#ifndef NIR_UNION_FIND_H
#define NIR_UNION_FIND_H

#include <stdint.h>

/* The element that stands for the set of `i`; halves the path to it. */
static inline uint32_t
union_find_root(uint32_t *parent, uint32_t i)
{
   while (parent[i] != i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
   }
   return i;
}

#endif
