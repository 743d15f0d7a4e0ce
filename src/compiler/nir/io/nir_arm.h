/* SPDX-License-Identifier: MIT */
/* Arms of if-chains of comparisons of an index: nir_opt_reroll_io. */
#ifndef NIR_ARM_H
#define NIR_ARM_H

#include "nir_builder.h"

enum nir_arm_dim { NIR_ARM_VERTEX, NIR_ARM_SLOT, NIR_ARM_DIMS };

/* Places (vertices, locations) in a row, `step` apart, `place` for index
 * `first`; `index` NULL: one place, whatever the index. */
struct nir_arm_dim_range {
   nir_value *index;
   unsigned index_comp;
   int64_t first, last, place, step;
};

/* Component `comp` of a load, or a store; with `wide` it and the next one are
 * the halves of a value of 64 bits. */
struct nir_arm {
   struct nir_arm_dim_range dim[NIR_ARM_DIMS];
   nir_intrinsic_instr *io; /* at the first place */
   unsigned comp;
   bool wide;
};

bool nir_arm_is_store(const nir_intrinsic_instr *io);
bool nir_arm_loads_output(const nir_intrinsic_instr *io);

/* False: not of memory that has an index. */
bool nir_arm_find(const nir_shader *shader, nir_intrinsic_instr *io,
                  unsigned comp, struct nir_arm *out);

/* But for the places. */
bool nir_arm_same_access(const struct nir_arm *a, const struct nir_arm *b);
bool nir_arm_same_dims(const struct nir_arm *a, const struct nir_arm *b);

/* `low` for an index below a constant, `high` for all others. */
bool nir_arm_join(nir_value *cond, unsigned cond_comp, struct nir_arm *low,
                  struct nir_arm *high, struct nir_arm *out);

int64_t nir_arm_count(const struct nir_arm *r);

/* Only slots that something accesses have a place in memory, and others
 * follow them closely: those between arms must be such, too. */
bool nir_arm_has_no_gaps(nir_builder *b, const struct nir_arm *r);

/* One whole access at the cursor. */
nir_intrinsic_instr *nir_arm_access(nir_builder *b, const struct nir_arm *r);

#endif
