/* SPDX-License-Identifier: MIT */
/* Rungs of ladders of comparisons of an index: nir_opt_reroll_io. */
#ifndef NIR_RUNG_H
#define NIR_RUNG_H

#include "nir_builder.h"

enum nir_rung_dim { NIR_RUNG_VERTEX, NIR_RUNG_SLOT, NIR_RUNG_DIMS };

/* Places (vertices, locations) in a row, `step` apart, `place` for index
 * `first`; `index` NULL: one place, whatever the index. */
struct nir_rung_dim_range {
   nir_value *index;
   unsigned index_comp;
   int64_t first, last, place, step;
};

/* Component `comp` of a load, or a store; with `wide` it and the next one are
 * the halves of a value of 64 bits. */
struct nir_rung {
   struct nir_rung_dim_range dim[NIR_RUNG_DIMS];
   nir_intrinsic_instr *io; /* at the first place */
   unsigned comp;
   bool wide;
};

bool nir_rung_is_store(const nir_intrinsic_instr *io);
bool nir_rung_loads_output(const nir_intrinsic_instr *io);

/* False: not of memory that has an index. */
bool nir_rung_find(const nir_shader *shader, nir_intrinsic_instr *io,
                   unsigned comp, struct nir_rung *out);

/* But for the places. */
bool nir_rung_same_access(const struct nir_rung *a, const struct nir_rung *b);
bool nir_rung_same_dims(const struct nir_rung *a, const struct nir_rung *b);

/* `low` for an index below a constant, `high` for all others. */
bool nir_rung_join(nir_value *cond, unsigned cond_comp, struct nir_rung *low,
                   struct nir_rung *high, struct nir_rung *out);

int64_t nir_rung_count(const struct nir_rung *r);

/* Only slots that something accesses have a place in memory, and others
 * follow them closely: those between rungs must be such, too. */
bool nir_rung_has_no_gaps(nir_builder *b, const struct nir_rung *r);

/* One whole access at the cursor. */
nir_intrinsic_instr *nir_rung_access(nir_builder *b,
                                     const struct nir_rung *r);

#endif
