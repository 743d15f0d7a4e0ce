/* SPDX-License-Identifier: MIT */
/* What isl_genX_*.c hands to the common files. */
#ifndef ISL_PRIVATE_H
#define ISL_PRIVATE_H

#include "intel/genxml/genx_gens.h"
#include "isl.h"

/* The functions of isl.h that make surface states, for one generation. */
struct isl_genx {
   void (*surf_fill_state)(void *state,
                           const struct isl_surf_fill_state_info *info);
   void (*buffer_fill_state)(void *state,
                             const struct isl_buffer_fill_state_info *info);
   void (*null_fill_state)(void *state, struct isl_extent3d size);
};

#define ROW(gen, verx10) extern const struct isl_genx gen##_isl;
GENX_GENS(ROW)
#undef ROW

#endif
