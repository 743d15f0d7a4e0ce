/* SPDX-License-Identifier: MIT */
/* Storage images of which a shader does not say the format. */
#ifndef SAF_NIR_ANY_FORMAT_H
#define SAF_NIR_ANY_FORMAT_H

#include "saf_nir_format.h"

/* Converts by the word at a place what a load without a format returns, which
 * is gone afterwards; adds control flow. */
void saf_nir_convert_any(nir_builder *b, nir_intrinsic_instr *load,
                         const struct saf_info_place *place);

/* All loads without a format whose images are entries of the table; false: no
 * room for the block. */
bool saf_nir_convert_any_loads(nir_shader *nir, struct saf_bind_map *map);

static inline bool
saf_nir_is_any_load(const nir_intrinsic_instr *intr)
{
   return intr->intrinsic == nir_intrinsic_image_load &&
          nir_intrinsic_format(intr) == PIPE_FORMAT_NONE;
}

#endif
