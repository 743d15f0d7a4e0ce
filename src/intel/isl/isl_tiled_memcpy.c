/* SPDX-License-Identifier: MIT */
/*
 * Copies between linear and tiled memory by the runs of bytes that are
 * contiguous in both: a row of an X tile, 16 bytes of a Y tile, two of a W.
 */
#include "isl.h"

static uint32_t
run_B(enum isl_tiling tiling, uint32_t x_B, uint32_t end_B)
{
   switch (tiling) {
   case ISL_TILING_LINEAR: return end_B - x_B;
   case ISL_TILING_X: return MIN2(end_B - x_B, 512 - x_B % 512);
   case ISL_TILING_Y0: return MIN2(end_B - x_B, 16 - x_B % 16);
   case ISL_TILING_W: return MIN2(end_B - x_B, 2 - x_B % 2);
   }
   unreachable("tiling");
}

void
isl_memcpy_linear_to_tiled(uint32_t x0_B, uint32_t x1_B, uint32_t y0,
                           uint32_t y1, void *tiled, const void *linear,
                           uint32_t tiled_pitch_B, int32_t linear_pitch_B,
                           enum isl_tiling tiling)
{
   const char *row = linear;
   for (uint32_t y = y0; y < y1; y++, row += linear_pitch_B) {
      for (uint32_t x = x0_B, n; x < x1_B; x += n) {
         n = run_B(tiling, x, x1_B);
         memcpy((char *)tiled +
                   isl_tiling_address_B(tiling, tiled_pitch_B, x, y),
                row + (x - x0_B), n);
      }
   }
}

void
isl_memcpy_tiled_to_linear(uint32_t x0_B, uint32_t x1_B, uint32_t y0,
                           uint32_t y1, void *linear, const void *tiled,
                           int32_t linear_pitch_B, uint32_t tiled_pitch_B,
                           enum isl_tiling tiling)
{
   char *row = linear;
   for (uint32_t y = y0; y < y1; y++, row += linear_pitch_B) {
      for (uint32_t x = x0_B, n; x < x1_B; x += n) {
         n = run_B(tiling, x, x1_B);
         memcpy(row + (x - x0_B),
                (const char *)tiled +
                   isl_tiling_address_B(tiling, tiled_pitch_B, x, y),
                n);
      }
   }
}
