/* SPDX-License-Identifier: MIT */
/*
 * Where in a function values are wanted, as spans of its text.
 *
 * A position is that of an instruction, of a block's begin, of the copies at
 * its end, or of its end, where the `if` after it reads its condition. Each
 * has two points, 2 * position where it reads and the one after that where it
 * writes: what is read last where another value is written overlaps it not.
 */
#ifndef NIR_LIVE_RANGE_H
#define NIR_LIVE_RANGE_H

#include "nir.h"
#include "util/dynarray.h"

/* Points from `start` to before `end`. */
struct nir_live_span {
   uint32_t start, end;
};

/* Spans in order, which neither overlap nor touch. Empty when zeroed. */
struct nir_live_range {
   struct util_dynarray spans;
};

struct nir_positions {
   uint32_t *begin, *copies, *end; /* by block index */
   /* Points at which channels part, or meet again, in order. */
   struct util_dynarray partings;
   uint32_t *walked, walk; /* by block index: the last walk that met it */
   struct util_dynarray stack;
};

/* Numbers the instructions, too; arrays are of `arena`. */
void nir_find_positions(struct nir_positions *p, nir_function_impl *impl,
                        struct arena *arena);
void nir_positions_finish(struct nir_positions *p);

/* From a value's definition (phis': the begin of their block) to its uses; a
 * phi uses what it reads at the copies of the block that this comes from. */
void nir_live_range_of_value(struct nir_positions *p, const nir_value *def,
                             struct nir_live_range *range);
/* From those copies over the edge to the begin of the phi's block. */
void nir_live_range_of_phi(struct nir_positions *p, nir_phi_instr *phi,
                           struct nir_live_range *range);

bool nir_live_ranges_overlap(const struct nir_live_range *a,
                             const struct nir_live_range *b);
/* Adds the spans of `from`, which do not overlap, and empties it. */
void nir_live_range_join(struct nir_live_range *to,
                         struct nir_live_range *from);

#endif
