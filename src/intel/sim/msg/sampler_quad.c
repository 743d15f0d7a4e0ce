/* SPDX-License-Identifier: MIT */
/*
 * The four texels of a bilinear filter at once. In all tilings the offset of
 * a texel is one of its column plus one of its row, so that two of each give
 * four texels.
 */
#include "sampler_private.h"

#include "intel/isl/isl.h"
#include "intel/sim/mem/watch.h"

/* Whether a texel is where its tiling says, with nothing beside it. */
static bool
is_simple(const struct sim_surface *s)
{
   return s->block_w == 1 && s->block_h == 1 && s->num_samples == 1 &&
          s->aux.mode == SIM_AUX_NONE && !s->is_linear_1d &&
          !s->slices_in_rows &&
          (s->type == SIM_SURFACE_2D || s->type == SIM_SURFACE_CUBE ||
           s->type == SIM_SURFACE_3D);
}

bool
sim_fetch_four(const struct sim_lookup *l, unsigned level, const int32_t x[2],
               const int32_t y[2], int32_t slice, uint32_t rgba[4][4])
{
   const struct sim_surface *s = l->s;
   struct sim_mem *mem = l->t->mem;
   if (!is_simple(s) || l->compare || mem->watch || x[0] < 0 || x[1] < 0 ||
       y[0] < 0 || y[1] < 0 || slice < 0)
      return false;
   uint64_t column[2], row[2];
   const uint32_t y0 = s->y0_el[level] + (uint32_t)slice * s->qpitch_rows;
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t x_B = (s->x0_el[level] + (uint32_t)x[i]) * s->element_B;
      column[i] = sim_tile_offset(s->tiling, s->pitch_B, x_B, 0);
      row[i] = sim_tile_offset(s->tiling, s->pitch_B, 0, y0 + (uint32_t)y[i]);
   }
   const uint64_t first = MIN2(column[0], column[1]) + MIN2(row[0], row[1]);
   const uint64_t last = MAX2(column[0], column[1]) + MAX2(row[0], row[1]);
   const uint8_t *p =
      sim_mem_try_ptr(mem, s->address + first, last - first + s->element_B);
   if (!p)
      return false;
   for (unsigned k = 0; k < 4; k++)
      sim_format_unpack(s->format, p + (column[k & 1] + row[k >> 1] - first),
                        rgba[k]);
   return true;
}
