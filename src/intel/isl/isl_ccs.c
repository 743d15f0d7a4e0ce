/* SPDX-License-Identifier: MIT */
/*
 * Control surfaces of colour without samples, by which whole surfaces are
 * cleared: IVB PRM volume 2 part 1, "MCS Buffer for Render Target(s)" (called
 * MCS there, too), BDW volume 7 and SKL volume 7, the same; SKL volume 12,
 * "Planes".
 *
 * An element of one bit, since Gen9 two, stands for two cache lines of a Y
 * tile side by side, or one above the other: 4 rows of 32 bytes. Those of a
 * cache line of the CCS are 16 across and 256 / 16 (512 / 16) down, and 8x8
 * such lines are a tile of 4 KB.
 */
#include <math.h>
#include <string.h>

#include "isl.h"

#define BLOCK_ROW_B 32u
#define BLOCK_ROWS 4u
#define TILE_WIDTH_EL 128u
#define TILE_ROW_B 128u
#define TILE_B 4096u

#define HALF_MAX 65504.0f
#define LEAST_UFLOAT_MAX 64512.0f /* of ten bits */

/* "MCS buffer for non-MSRT is supported only for RT formats 32bpp, 64bpp and
 * 128bpp", Y or X tiles up to Gen8, Y on Gen9; "non-mip-mapped and non-array
 * surfaces only" before Gen8. */
bool
isl_surf_get_ccs(const struct intel_device_info *dev,
                 const struct isl_surf *surf, struct isl_ccs *out)
{
   const struct isl_extent4d *e = &surf->logical_level0_px;
   const struct isl_format_layout *fmt = isl_format_get_layout(surf->format);
   if (surf->dim != ISL_SURF_DIM_2D || surf->samples != 1 ||
       surf->tiling != ISL_TILING_Y0 || fmt->txc != ISL_TXC_NONE ||
       fmt->bpb < 32 || !util_is_power_of_two_nonzero(fmt->bpb) ||
       (!dev->ccs_layer_rows && (surf->levels > 1 || e->a > 1)))
      return false;
   const struct isl_extent2d block = { BLOCK_ROW_B * 8 / fmt->bpb,
                                       BLOCK_ROWS };
   const uint32_t tile_rows = TILE_B * 8 / dev->ccs_element_bits /
                              TILE_WIDTH_EL * block.h;
   *out = (struct isl_ccs) {
      .row_pitch_B = DIV_ROUND_UP(e->w, TILE_WIDTH_EL * block.w) * TILE_ROW_B,
      .array_pitch_px_rows =
         ALIGN(e->h, MAX2(dev->ccs_layer_rows, BLOCK_ROWS)),
      .block_px = block,
   };
   out->size_B =
      (uint64_t)DIV_ROUND_UP(out->array_pitch_px_rows * e->a, tile_rows) *
      (out->row_pitch_B / TILE_ROW_B) * TILE_B;
   return true;
}

/* What the channel holds as it is; what drawing would clamp is drawn. */
static bool
takes_channel(const struct isl_channel_layout *l, bool srgb, uint32_t bits)
{
   float f;
   memcpy(&f, &bits, sizeof(f));
   switch (l->type) {
   case ISL_UNORM: return f >= 0 && f <= 1 && (!srgb || f == 0 || f == 1);
   case ISL_SNORM: return f >= -1 && f <= 1;
   case ISL_UFLOAT: return f >= 0 && f <= LEAST_UFLOAT_MAX;
   case ISL_SFLOAT: return l->bits == 32 || fabsf(f) <= HALF_MAX;
   case ISL_UINT: return l->bits == 32 || bits < 1u << l->bits;
   case ISL_SINT:
      return l->bits == 32 || (bits + (1u << (l->bits - 1))) >> l->bits == 0;
   case ISL_VOID:
   case ISL_RAW:
   case ISL_USCALED:
   case ISL_SSCALED:
   case ISL_SFIXED: return false;
   }
   unreachable("type of a channel");
}

static bool
is_zero_or_one(const struct isl_channel_layout *l, uint32_t bits)
{
   const bool integer = l->type == ISL_UINT || l->type == ISL_SINT;
   const float one_f = 1;
   uint32_t one = 1;
   if (!integer)
      memcpy(&one, &one_f, sizeof(one));
   return bits == 0 || bits == one;
}

/* With samples no colour but of 0 and 1, on Gen9, too (chip-rules FF-33). */
bool
isl_surf_takes_clear(const struct intel_device_info *dev,
                     const struct isl_surf *surf, enum isl_format format,
                     const union isl_color *color)
{
   const bool any_color = dev->ccs_any_color && surf->samples == 1;
   const struct isl_format_layout *l = isl_format_get_layout(format);
   const struct isl_channel_layout *const channels[] = {
      &l->channels.r, &l->channels.g, &l->channels.b, &l->channels.a
   };
   for (unsigned i = 0; i < ARRAY_SIZE(channels); i++) {
      const struct isl_channel_layout *c = channels[i];
      const uint32_t bits = color->u32[i];
      if (!c->bits)
         continue;
      if (!takes_channel(c, isl_format_is_srgb(format) && i < 3, bits) ||
          (!any_color && !is_zero_or_one(c, bits)))
         return false;
   }
   return true;
}
