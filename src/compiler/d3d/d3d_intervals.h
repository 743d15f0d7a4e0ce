/* SPDX-License-Identifier: MIT */
/*
 * Live intervals of values in scalar, conventional SSA (nir_isolate_phis),
 * for the writers of bytecode: positions are instructions counted in the
 * order of the blocks. A value lives from its definition to its last use, or
 * to the end of the outermost loop around that use and not around the
 * definition. Phi webs live through the outermost loop that touches them.
 */
#ifndef D3D_INTERVALS_H
#define D3D_INTERVALS_H

#include "compiler/nir/nir.h"

/* Ifs and loops around a block, at the most, of what is walked. */
#define D3D_MAX_NESTING 48

struct d3d_interval {
   int start, end; /* positions; start -1: nothing touched it */
};

/* Where a walk is. The callbacks get the structure itself. */
struct d3d_walk {
   void *data;
   bool (*src)(nir_use *src, void *walk);
   bool (*dest)(nir_value *dest, void *walk);

   /* First and last position of the loops around, outermost first. */
   struct {
      int first, last;
   } loop[D3D_MAX_NESTING];
   unsigned num_loops;
   int position;
};

/* Calls back for each source and destination but those of phis, conditions of
 * ifs included.
 * Control flow nests no deeper than D3D_MAX_NESTING. */
void d3d_walk(struct d3d_walk *w, nir_function_impl *impl);

/* The value is read or written where the walk is. */
void d3d_interval_touch(const struct d3d_walk *w, struct d3d_interval *i,
                        bool is_web);

/* A component of a temporary, or two for 64 bits. */
struct d3d_place {
   struct d3d_interval live;
   uint32_t value; /* places of one that start together share a register */
   uint8_t size;   /* components: 1, or 2 at xy or zw */
   uint8_t comp;
   uint16_t reg;
};

/* Gives each of `n` places of one array what is free for its interval, by a
 * linear scan; the pointers are sorted. Returns how many of `limit`
 * registers that takes; more than `limit`: they do not do. */
unsigned d3d_allocate(struct d3d_place **places, unsigned n, unsigned limit);

/* Whether no block has more than `most` ifs and loops around it. */
bool d3d_nests_within(nir_function_impl *impl, unsigned most);

#endif
