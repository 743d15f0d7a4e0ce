/* SPDX-License-Identifier: MIT */
#include "cfg/structurize.h"
void
cfg_make_reducible(struct cfg *g, unsigned max_copies,
                   struct nir_structurize_stats *stats)
{
   abort();
}
