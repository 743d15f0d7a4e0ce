/* SPDX-License-Identifier: MIT */
/*
 * Laying out surfaces on Gen7 to Gen9.
 *
 * Levels of one slice: level 1 lies below level 0, level 2 right of level 1,
 * each further level below the one before (SKL PRM volume 5, "Memory Views",
 * "2D Surfaces"; the same for 3D on Gen9, whose slices are laid out as an
 * array's). Slices are QPitch rows apart. One-dimensional Gen9 surfaces put
 * their levels side by side ("1D Surfaces"). On Gen8 the slices of a 3D
 * surface's level l lie in rows of 2^l, and the next level lies below them
 * (BDW PRM volume 5, "3D Surfaces"); the same on Gen7.
 *
 *      +-----------+
 *      |  level 0  |
 *      |           |
 *      +-----+--+--+
 *      |  1  | 2|
 *      |     +--+
 *      +-----+3|
 *            +-+
 */
#include "isl.h"

#define MAX_EXTENT_PX 16384
#define MAX_LAYERS 2048
#define MAX_DEPTH_PX 2048
#define MAX_LEVELS 15
#define MAX_ROW_PITCH_B (1u << 18)

void
isl_tiling_get_info(enum isl_tiling tiling, uint32_t bpb,
                    struct isl_tile_info *info)
{
   const uint32_t block_B = bpb / 8;
   switch (tiling) {
   case ISL_TILING_LINEAR:
      info->logical_extent_el = (struct isl_extent2d) { 1, 1 };
      info->phys_extent_B = (struct isl_extent2d) { block_B, 1 };
      return;
   case ISL_TILING_W:
      /* SKL PRM volume 2d, RENDER_SURFACE_STATE Surface Pitch: the pitch of
       * a stencil buffer is twice what its width needs, as two rows are
       * interleaved: in memory a tile is as wide as one of Y.
       */
      info->logical_extent_el = (struct isl_extent2d) { 64, 64 };
      info->phys_extent_B = (struct isl_extent2d) { 128, 32 };
      return;
   case ISL_TILING_X:
      info->logical_extent_el = (struct isl_extent2d) { 512 / block_B, 8 };
      info->phys_extent_B = (struct isl_extent2d) { 512, 8 };
      return;
   case ISL_TILING_Y0:
      info->logical_extent_el = (struct isl_extent2d) { 128 / block_B, 32 };
      info->phys_extent_B = (struct isl_extent2d) { 128, 32 };
      return;
   }
   unreachable("tiling");
}

/* SKL PRM volume 5, "Tiling Algorithm": address bits within a 4 KB tile. */
static uint32_t
intratile_offset_B(enum isl_tiling tiling, uint32_t x, uint32_t y)
{
   switch (tiling) {
   case ISL_TILING_X: return (y & 7) << 9 | (x & 511);
   case ISL_TILING_Y0: return (x & 0x70) << 5 | (y & 31) << 4 | (x & 15);
   case ISL_TILING_W:
      /* Bits of x and y alternate: x5 x4 x3 y5 y4 y3 y2 x2 y1 x1 y0 x0. */
      return (x & 0x38) << 6 | (y & 0x3c) << 3 | (x & 4) << 2 | (y & 2) << 2 |
             (x & 2) << 1 | (y & 1) << 1 | (x & 1);
   case ISL_TILING_LINEAR: break;
   }
   unreachable("linear surfaces have no tiles");
}

uint64_t
isl_tiling_address_B(enum isl_tiling tiling, uint32_t row_pitch_B,
                     uint32_t x_B, uint32_t y)
{
   if (tiling == ISL_TILING_LINEAR)
      return (uint64_t)y * row_pitch_B + x_B;
   struct isl_tile_info tile;
   isl_tiling_get_info(tiling, 8, &tile);
   const uint32_t tiles_per_row = row_pitch_B / tile.phys_extent_B.w;
   const uint64_t index = (uint64_t)(y / tile.logical_extent_el.h) *
                             tiles_per_row +
                          x_B / tile.logical_extent_el.w;
   return index * 4096 + intratile_offset_B(tiling, x_B, y);
}

static bool
extents_are_supported(const struct intel_device_info *dev,
                      const struct isl_surf_init_info *info)
{
   if (info->width == 0 || info->height == 0 || info->depth == 0 ||
       info->array_len == 0 || info->levels == 0)
      return false;
   if (info->width > MAX_EXTENT_PX || info->height > MAX_EXTENT_PX ||
       info->array_len > MAX_LAYERS || info->levels > MAX_LEVELS)
      return false;
   const uint32_t largest =
      MAX2(MAX2(info->width, info->height), info->depth);
   if (info->levels > util_logbase2(largest) + 1)
      return false;
   if (info->samples != 1 &&
       (info->levels != 1 || info->dim != ISL_SURF_DIM_2D))
      return false;
   /* SURFACE_STATE, Number of Multisamples. */
   if (!util_is_power_of_two_nonzero(info->samples) ||
       !(dev->sample_counts & info->samples))
      return false;
   switch (info->dim) {
   case ISL_SURF_DIM_1D: return info->height == 1 && info->depth == 1;
   case ISL_SURF_DIM_2D:
      return info->depth == 1 &&
             (!(info->usage & ISL_SURF_USAGE_CUBE_BIT) ||
              (info->array_len % 6 == 0 && info->width == info->height));
   case ISL_SURF_DIM_3D:
      return info->array_len == 1 && info->depth <= MAX_DEPTH_PX &&
             info->width <= MAX_DEPTH_PX && info->height <= MAX_DEPTH_PX;
   }
   unreachable("dimension");
}

/* False if none of those that the caller allows is possible. */
static bool
choose_tiling(const struct intel_device_info *dev,
              const struct isl_surf_init_info *info, enum isl_tiling *tiling)
{
   const struct isl_format_layout *fmt = isl_format_get_layout(info->format);
   uint32_t flags = info->tiling_flags ? info->tiling_flags
                                       : ISL_TILING_ANY_MASK;
   if (info->usage & ISL_SURF_USAGE_STENCIL_BIT)
      flags &= ISL_TILING_W_BIT;
   else
      flags &= ~ISL_TILING_W_BIT;
   if (info->usage & ISL_SURF_USAGE_DEPTH_BIT)
      flags &= ISL_TILING_Y0_BIT;
   /* SKL PRM volume 5, "1D Surfaces": linear; but the depth and stencil
    * buffers are always tiled. Elements that are no power of two do not fill
    * a tile.
    */
   const bool depth_stencil =
      info->usage & (ISL_SURF_USAGE_DEPTH_BIT | ISL_SURF_USAGE_STENCIL_BIT);
   if ((info->dim == ISL_SURF_DIM_1D && !depth_stencil) ||
       !util_is_power_of_two_nonzero(fmt->bpb))
      flags &= ISL_TILING_LINEAR_BIT;
   /* RENDER_SURFACE_STATE Tile Mode: multisampled ones are Y (or W). */
   if (info->samples > 1)
      flags &= ISL_TILING_Y0_BIT | ISL_TILING_W_BIT;
   if ((info->usage & ISL_SURF_USAGE_RENDER_TARGET_BIT) &&
       info->samples == 1 && dev->max_tiled_target_el &&
       info->width > dev->max_tiled_target_el * fmt->bw)
      flags &= ISL_TILING_LINEAR_BIT;
   if (info->usage & ISL_SURF_USAGE_DISPLAY_BIT)
      flags &= ISL_TILING_X_BIT | ISL_TILING_LINEAR_BIT;

   static const enum isl_tiling best_first[] = {
      ISL_TILING_Y0,
      ISL_TILING_W,
      ISL_TILING_X,
      ISL_TILING_LINEAR,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(best_first); i++) {
      if (flags & 1u << best_first[i]) {
         *tiling = best_first[i];
         return true;
      }
   }
   return false;
}

/*
 * BDW PRM volume 5, "Alignment of Surface": D16 depth 8x4, other depth 4x4,
 * stencil 8x8, the rest what RENDER_SURFACE_STATE says, in elements (blocks)
 * since Gen9, in pixels before, where a block of 4x4 is aligned by itself;
 * the least is 4x4. 1D: 64 elements (SKL, "1D Surfaces"). The same on Gen7
 * (IVB volume 1 part 1, 6.18.4.4 "Alignment unit size"), where "VALIGN_4 is
 * not supported for surface format R32G32B32_FLOAT" (volume 4 part 1, Surface
 * Vertical Alignment; not HSW).
 */
static struct isl_extent3d
choose_image_align_el(const struct intel_device_info *dev,
                      const struct isl_surf_init_info *info,
                      enum isl_dim_layout layout)
{
   if (layout == ISL_DIM_LAYOUT_GFX9_1D)
      return (struct isl_extent3d) { 64, 1, 1 };
   if (!dev->aligned_in_elements && isl_format_is_compressed(info->format))
      return (struct isl_extent3d) { 1, 1, 1 };
   if (info->usage & ISL_SURF_USAGE_STENCIL_BIT)
      return (struct isl_extent3d) { 8, 8, 1 };
   if ((info->usage & ISL_SURF_USAGE_DEPTH_BIT) &&
       info->format == ISL_FORMAT_R16_UNORM)
      return (struct isl_extent3d) { 8, 4, 1 };
   if (dev->rgb32f_wants_valign_2 &&
       info->format == ISL_FORMAT_R32G32B32_FLOAT)
      return (struct isl_extent3d) { 4, 2, 1 };
   return (struct isl_extent3d) { 4, 4, 1 };
}

/* SKL PRM volume 5, "Multisampled Surfaces", interleaved: the factors. */
static void
spread_samples(uint32_t samples, struct isl_extent4d *sa)
{
   sa->w = ALIGN(sa->w, 2) * (samples >= 8 ? 4 : 2);
   sa->h = samples == 2 ? sa->h : ALIGN(sa->h, 2) * (samples == 16 ? 4 : 2);
}

static void
set_physical_extent(struct isl_surf *surf)
{
   surf->phys_level0_sa = surf->logical_level0_px;
   switch (surf->msaa_layout) {
   case ISL_MSAA_LAYOUT_NONE: break;
   case ISL_MSAA_LAYOUT_INTERLEAVED:
      spread_samples(surf->samples, &surf->phys_level0_sa);
      break;
   case ISL_MSAA_LAYOUT_ARRAY: surf->phys_level0_sa.a *= surf->samples; break;
   }
}

/* Extent of one level of one slice in elements, aligned. */
static struct isl_extent2d
level_extent_el(const struct isl_surf *surf, uint32_t level)
{
   const struct isl_format_layout *fmt = isl_format_get_layout(surf->format);
   const uint32_t w = isl_minify(surf->phys_level0_sa.w, level);
   const uint32_t h = isl_minify(surf->phys_level0_sa.h, level);
   return (struct isl_extent2d) {
      ALIGN(DIV_ROUND_UP(w, fmt->bw), surf->image_align_el.w),
      ALIGN(DIV_ROUND_UP(h, fmt->bh), surf->image_align_el.h),
   };
}

/* Of ISL_DIM_LAYOUT_GFX4_3D: slices of a level that lie side by side, and
 * rows of them. */
static uint32_t
slices_across(const struct isl_surf *surf, uint32_t level)
{
   return MIN2(1u << level, isl_minify(surf->phys_level0_sa.d, level));
}

static uint32_t
slice_rows(const struct isl_surf *surf, uint32_t level)
{
   return DIV_ROUND_UP(isl_minify(surf->phys_level0_sa.d, level),
                       1u << level);
}

static void
level_offset_el(const struct isl_surf *surf, uint32_t level, uint32_t *x_el,
                uint32_t *y_el)
{
   uint32_t x = 0, y = 0;
   for (uint32_t l = 0; l < level; l++) {
      const struct isl_extent2d e = level_extent_el(surf, l);
      if (surf->dim_layout == ISL_DIM_LAYOUT_GFX4_3D)
         y += e.h * slice_rows(surf, l);
      else if (surf->dim_layout == ISL_DIM_LAYOUT_GFX9_1D || l == 1)
         x += e.w;
      else
         y += e.h;
   }
   *x_el = x;
   *y_el = y;
}

/* What one slice with all its levels covers; all slices of GFX4_3D. */
static struct isl_extent2d
slice_extent_el(const struct isl_surf *surf)
{
   struct isl_extent2d total = { 0, 0 };
   for (uint32_t l = 0; l < surf->levels; l++) {
      struct isl_extent2d e = level_extent_el(surf, l);
      uint32_t x, y;
      if (surf->dim_layout == ISL_DIM_LAYOUT_GFX4_3D) {
         e.w *= slices_across(surf, l);
         e.h *= slice_rows(surf, l);
      }
      level_offset_el(surf, l, &x, &y);
      total.w = MAX2(total.w, x + e.w);
      total.h = MAX2(total.h, y + e.h);
   }
   return total;
}

/*
 * Gen7 works out the distance between slices by itself: "QPitch = h0 + h1 +
 * 12j" with the two first levels' aligned heights and the alignment j, or h0
 * alone where the surface state says so; depth and stencil buffers have no
 * place to say it (IVB PRM volume 1 part 1, 6.18.4.7 "Surface Arrays").
 */
static bool
gen7_has_full_spacing(const struct isl_surf *surf)
{
   const bool depth_stencil =
      surf->usage & (ISL_SURF_USAGE_DEPTH_BIT | ISL_SURF_USAGE_STENCIL_BIT);
   return surf->levels > 1 || (depth_stencil && surf->phys_level0_sa.a > 1);
}

static uint32_t
gen7_slice_rows_el(const struct isl_surf *surf)
{
   /* Also of a level that is not there. */
   const uint32_t h0 = level_extent_el(surf, 0).h;
   const uint32_t h1 = level_extent_el(surf, 1).h;
   return h0 + h1 + 12 * surf->image_align_el.h;
}

static uint32_t
gcd(uint32_t a, uint32_t b)
{
   return b ? gcd(b, a % b) : a;
}

/* Sets the row pitch; false if the one asked for cannot be. */
static bool
set_row_pitch(struct isl_surf *surf, const struct isl_surf_init_info *info,
              const struct isl_tile_info *tile, uint32_t width_el)
{
   const uint32_t block_B = isl_format_block_size_B(surf->format);
   uint32_t align_B, min_B;
   if (surf->tiling == ISL_TILING_LINEAR) {
      /* A cache line and whole elements: both divide the pitch. */
      align_B = info->row_pitch_B ? block_B : 64 / gcd(64, block_B) * block_B;
      min_B = ALIGN_NPOT(width_el * block_B, align_B);
   } else {
      align_B = tile->phys_extent_B.w;
      min_B = DIV_ROUND_UP(width_el, tile->logical_extent_el.w) * align_B;
   }
   surf->row_pitch_B = info->row_pitch_B ? info->row_pitch_B : min_B;
   /* The pitch of a 1D surface is not looked at. */
   return surf->row_pitch_B >= min_B && surf->row_pitch_B % align_B == 0 &&
          (surf->row_pitch_B <= MAX_ROW_PITCH_B ||
           surf->dim_layout == ISL_DIM_LAYOUT_GFX9_1D);
}

/* Pitches between slices and rows, and the size that follows. */
static bool
set_pitches_and_size(struct isl_surf *surf,
                     const struct isl_surf_init_info *info)
{
   struct isl_tile_info tile;
   isl_tiling_get_info(surf->tiling, isl_format_get_layout(surf->format)->bpb,
                       &tile);
   const struct isl_extent2d slice = slice_extent_el(surf);
   const uint32_t slices = surf->phys_level0_sa.a * surf->phys_level0_sa.d;
   struct isl_extent2d total = slice;
   if (surf->dim_layout == ISL_DIM_LAYOUT_GFX9_1D) {
      surf->array_pitch_el = slice.w;
      surf->array_pitch_el_rows = 1;
      total.w = slice.w * slices;
   } else if (surf->dim_layout == ISL_DIM_LAYOUT_GFX4_2D) {
      surf->array_pitch_el_rows =
         surf->array_spacing_full ? gen7_slice_rows_el(surf) : slice.h;
      total.h = surf->array_pitch_el_rows * (slices - 1) + slice.h;
   }
   /* The alignment of levels only matters for what lies right of them. */
   uint32_t width_el = total.w;
   if (surf->dim_layout == ISL_DIM_LAYOUT_GFX4_2D && surf->levels == 1) {
      const unsigned bw = isl_format_get_layout(surf->format)->bw;
      width_el = DIV_ROUND_UP(surf->phys_level0_sa.w, bw);
   }
   if (!set_row_pitch(surf, info, &tile, width_el))
      return false;

   uint64_t rows = total.h;
   if (surf->tiling != ISL_TILING_LINEAR) {
      rows = ALIGN_NPOT(rows, tile.logical_extent_el.h) /
             tile.logical_extent_el.h * tile.phys_extent_B.h;
   }
   surf->size_B = rows * surf->row_pitch_B;
   const uint32_t needed_B = surf->tiling == ISL_TILING_LINEAR ? 64 : 4096;
   surf->alignment_B = MAX2(info->min_alignment_B, needed_B);
   surf->size_B = ALIGN_NPOT(surf->size_B, needed_B);
   return true;
}

static enum isl_dim_layout
choose_dim_layout(const struct intel_device_info *dev, enum isl_surf_dim dim,
                  enum isl_tiling tiling)
{
   if (dim == ISL_SURF_DIM_1D && tiling == ISL_TILING_LINEAR &&
       dev->levels_1d_in_a_row)
      return ISL_DIM_LAYOUT_GFX9_1D;
   if (dim == ISL_SURF_DIM_3D && dev->levels_3d_below)
      return ISL_DIM_LAYOUT_GFX4_3D;
   return ISL_DIM_LAYOUT_GFX4_2D;
}

bool
isl_surf_init_s(const struct intel_device_info *dev, struct isl_surf *out,
                const struct isl_surf_init_info *info)
{
   if (!isl_format_is_valid(info->format) ||
       !extents_are_supported(dev, info))
      return false;
   struct isl_surf surf = {
      .dim = info->dim,
      .format = info->format,
      .logical_level0_px = { info->width, info->height, info->depth,
                             info->array_len },
      .levels = info->levels,
      .samples = info->samples,
      .usage = info->usage,
   };
   if (!choose_tiling(dev, info, &surf.tiling))
      return false;
   surf.dim_layout = choose_dim_layout(dev, surf.dim, surf.tiling);
   surf.image_align_el = choose_image_align_el(dev, info, surf.dim_layout);
   if (surf.tiling == ISL_TILING_W &&
       isl_format_block_size_B(surf.format) != 1)
      return false;
   if (info->samples > 1) {
      const bool interleaved = info->usage & (ISL_SURF_USAGE_DEPTH_BIT |
                                              ISL_SURF_USAGE_STENCIL_BIT);
      surf.msaa_layout = interleaved ? ISL_MSAA_LAYOUT_INTERLEAVED
                                     : ISL_MSAA_LAYOUT_ARRAY;
   }
   set_physical_extent(&surf);
   surf.array_spacing_full = !dev->has_qpitch &&
                             surf.dim_layout == ISL_DIM_LAYOUT_GFX4_2D &&
                             gen7_has_full_spacing(&surf);
   if (!set_pitches_and_size(&surf, info))
      return false;
   *out = surf;
   return true;
}

void
isl_surf_get_image_offset_el(const struct isl_surf *surf, uint32_t level,
                             uint32_t physical_layer, uint32_t z,
                             uint32_t *x_el, uint32_t *y_el)
{
   assert(level < surf->levels && "level outside of the surface");
   assert(physical_layer < surf->phys_level0_sa.a &&
          "layer outside of the surface");
   assert(z < isl_minify(surf->phys_level0_sa.d, level) &&
          "slice outside of the level");
   level_offset_el(surf, level, x_el, y_el);
   const uint32_t slice = physical_layer + z;
   switch (surf->dim_layout) {
   case ISL_DIM_LAYOUT_GFX4_2D:
      *y_el += slice * surf->array_pitch_el_rows;
      break;
   case ISL_DIM_LAYOUT_GFX9_1D: *x_el += slice * surf->array_pitch_el; break;
   case ISL_DIM_LAYOUT_GFX4_3D: {
      const struct isl_extent2d e = level_extent_el(surf, level);
      *x_el += (z & BITFIELD_MASK(level)) * e.w;
      *y_el += (z >> level) * e.h;
      break;
   }
   }
}

void
isl_surf_get_image_offset_B_tile_el(const struct isl_surf *surf,
                                    uint32_t level, uint32_t physical_layer,
                                    uint32_t z, uint64_t *offset_B,
                                    uint32_t *x_el, uint32_t *y_el)
{
   uint32_t x, y;
   isl_surf_get_image_offset_el(surf, level, physical_layer, z, &x, &y);
   const uint32_t block_B = isl_format_block_size_B(surf->format);
   if (surf->tiling == ISL_TILING_LINEAR) {
      *offset_B = (uint64_t)y * surf->row_pitch_B + (uint64_t)x * block_B;
      *x_el = *y_el = 0;
      return;
   }
   struct isl_tile_info tile;
   isl_tiling_get_info(surf->tiling, block_B * 8, &tile);
   *x_el = x % tile.logical_extent_el.w;
   *y_el = y % tile.logical_extent_el.h;
   *offset_B = isl_tiling_address_B(surf->tiling, surf->row_pitch_B,
                                    (x - *x_el) * block_B, y - *y_el);
}

struct isl_surf
isl_surf_of_samples(const struct isl_surf *surf, unsigned *shift)
{
   struct isl_surf out = *surf;
   const uint32_t slices = surf->logical_level0_px.a * surf->samples;
   *shift = 0;
   if (surf->samples == 1)
      return out;
   assert(surf->msaa_layout == ISL_MSAA_LAYOUT_ARRAY && surf->levels == 1);
   out.msaa_layout = ISL_MSAA_LAYOUT_NONE;
   out.samples = 1;
   while (slices >> *shift > MAX_LAYERS)
      (*shift)++;
   out.logical_level0_px.a = slices >> *shift;
   out.logical_level0_px.h += ((1u << *shift) - 1) *
                              surf->array_pitch_el_rows;
   out.array_pitch_el_rows <<= *shift;
   return out;
}

bool
isl_surf_of_slices(const struct isl_surf *surf, struct isl_surf *out)
{
   if (surf->dim != ISL_SURF_DIM_3D ||
       surf->dim_layout != ISL_DIM_LAYOUT_GFX4_2D)
      return false;
   *out = *surf;
   out->dim = ISL_SURF_DIM_2D;
   out->logical_level0_px.a = surf->logical_level0_px.d;
   out->logical_level0_px.d = 1;
   out->phys_level0_sa.a = surf->phys_level0_sa.d;
   out->phys_level0_sa.d = 1;
   return true;
}

bool
isl_surf_of_blocks(const struct isl_surf *surf, enum isl_format format,
                   uint32_t level, uint32_t layer, struct isl_surf *out,
                   uint64_t *offset_B)
{
   const struct isl_format_layout *fmt = isl_format_get_layout(surf->format);
   const struct isl_extent3d px = isl_surf_level_extent_px(surf, level);
   uint32_t x, y;

   assert(fmt->bpb == isl_format_get_layout(format)->bpb);
   if (surf->tiling != ISL_TILING_LINEAR ||
       (px.d > 1 && surf->dim_layout != ISL_DIM_LAYOUT_GFX4_2D))
      return false;
   *out = *surf;
   out->format = format;
   out->levels = 1;
   out->logical_level0_px = out->phys_level0_sa =
      (struct isl_extent4d) { DIV_ROUND_UP(px.w, (uint32_t)fmt->bw),
                              DIV_ROUND_UP(px.h, (uint32_t)fmt->bh), px.d,
                              1 };
   out->dim_layout = ISL_DIM_LAYOUT_GFX4_2D;
   /* What any generation can say; it is of no use for one level, and slices
    * have a pitch on Gen9 alone, which counts elements. */
   out->image_align_el = (struct isl_extent3d) { 4, 4, 1 };
   isl_surf_get_image_offset_B_tile_el(surf, level, layer, 0, offset_B, &x,
                                       &y);
   out->size_B -= *offset_B;
   return true;
}

struct isl_surf
isl_surf_of_texels(const struct isl_surf *surf, enum isl_format format)
{
   const struct isl_format_layout *from = isl_format_get_layout(surf->format);
   const struct isl_format_layout *to = isl_format_get_layout(format);
   struct isl_surf out = *surf;
   assert(surf->levels == 1 && surf->samples == 1 &&
          surf->tiling != ISL_TILING_W &&
          "elsewhere more than the width depends on the texel");
   out.format = format;
   out.logical_level0_px.w = surf->logical_level0_px.w * from->bpb / to->bpb;
   out.phys_level0_sa.w = out.logical_level0_px.w;
   return out;
}

/* IVB PRM vol 1 part 1 and SKL vol 5, "Multisampled Surface Storage Format":
 * two, eight (2x, 4x), 32 and 64 bits. */
static enum isl_format
mcs_format(uint32_t samples)
{
   return samples <= 4   ? ISL_FORMAT_R8_UINT
          : samples == 8 ? ISL_FORMAT_R32_UINT
                         : ISL_FORMAT_R32G32_UINT;
}

/* What RENDER_SURFACE_STATE can say, Auxiliary Surface Pitch. */
#define MAX_MCS_PITCH_B (512 * 128)

static bool
has_signed_channel(enum isl_format format)
{
   const struct isl_format_layout *l = isl_format_get_layout(format);
   return l->channels.r.type == ISL_SINT;
}

bool
isl_surf_get_mcs(const struct intel_device_info *dev,
                 const struct isl_surf *surf, struct isl_surf *out)
{
   const struct isl_extent4d *e = &surf->logical_level0_px;
   if (surf->msaa_layout != ISL_MSAA_LAYOUT_ARRAY ||
       surf->tiling != ISL_TILING_Y0 || surf->levels != 1)
      return false;
   /* "This field must be set to 0 for all SINT MSRTs when all RT channels are
    * not written" (IVB PRM vol 4 part 1, SURFACE_STATE, MCS Enable). */
   if (!dev->has_signed_mcs && has_signed_channel(surf->format))
      return false;
   return isl_surf_init(dev, out, .dim = ISL_SURF_DIM_2D,
                        .format = mcs_format(surf->samples), .width = e->w,
                        .height = e->h, .depth = 1, .levels = 1,
                        .array_len = e->a, .samples = 1,
                        .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT,
                        .tiling_flags = ISL_TILING_Y0_BIT) &&
          out->row_pitch_B <= MAX_MCS_PITCH_B;
}

/*
 * An element of 16 bytes stands for 8x4 pixels, and a tile of 4 KB, 128 bytes
 * by 32 rows, for 16x16 of them (SKL PRM volume 7, "Hierarchical Depth
 * Buffer"; Mesa's isl, ISL_TILING_HIZ). Layers begin with a tile. The width:
 * rectangles of 3DSTATE_WM_HZ_OP end below 16384 (chip-rules FF-20).
 */
bool
isl_surf_get_hiz(const struct isl_surf *depth, struct isl_hiz *out)
{
   const struct isl_extent4d *e = &depth->logical_level0_px;
   if (!(depth->usage & ISL_SURF_USAGE_DEPTH_BIT) ||
       depth->dim != ISL_SURF_DIM_2D || depth->tiling != ISL_TILING_Y0 ||
       depth->levels != 1 || depth->samples != 1 ||
       MAX2(e->w, e->h) >= MAX_EXTENT_PX)
      return false;
   *out = (struct isl_hiz) {
      .row_pitch_B = DIV_ROUND_UP(e->w, 128u) * 128,
      .array_pitch_px_rows = ALIGN(e->h, 64u),
   };
   /* "QPitch = h0 + h1 + 12 j" with j = 8, whatever the number of levels (IVB
    * PRM vol 1 part 1, "Array Spacing"). */
   if (depth->array_spacing_full)
      out->array_pitch_px_rows = ALIGN(e->h, 8u) +
                                 ALIGN(MAX2(e->h / 2, 1u), 8u) + 12 * 8;
   out->size_B = ALIGN((uint64_t)out->array_pitch_px_rows / 2, 32) * e->a *
                 out->row_pitch_B;
   return true;
}
