/* SPDX-License-Identifier: MIT */
/*
 * The blitter of the copy engine: fills and copies of rectangles
 * (PRM SKL Vol. 2a "XY_COLOR_BLT" ff., Vol. 10 "Copy Engine").
 *
 * Coordinates are signed and count pixels from a base address; right and
 * lower edges are outside. A tiled surface is X tiled unless BCS_SWCTRL says
 * that it is Y tiled (Vol. 2c); its pitch counts dwords, else bytes. Each
 * row is read as a whole, combined, and written; copies inside one surface
 * go up or down so that a row is read before it is overwritten.
 *
 * A raster operation has a bit for each combination of pattern (4), source
 * (2) and destination (1). What has no source or no pattern must not
 * depend on it: "The ROP field must specify pattern or fill with 0's or 1's."
 */
#include "cs_private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "intel/isl/isl.h"
#include "intel/sim/gen/traits.h"

#define ROP_COPY 0xcc

/* How often a long blit looks at the clock, in rows. */
#define ROWS_A_LOOK 64

struct surface {
   const char *name;
   uint64_t base;
   int32_t pitch_B;
   int32_t x, y; /* of the rectangle's corner, pixels */
   enum isl_tiling tiling;
};

struct blit {
   struct surface dst, src; /* src.base only if `has_src` */
   bool has_src;
   uint32_t width, height;
   uint32_t pixel_B;
   uint8_t pixel[4];       /* the pattern: a solid colour */
   uint8_t write_mask[16]; /* 0xff: byte of a pixel is written */
   uint8_t rop;
};

/* `dw` with a zero after each dword of the mask `after`: addresses had 32
 * bits before Gen8. */
static const uint32_t *
widen(const struct sim_cs *cs, const uint32_t *dw, unsigned n, uint32_t after,
      uint32_t wide[12])
{
   if (sim_traits(cs->gpu->verx10)->address_B == 8)
      return dw;
   unsigned to = 0;
   for (unsigned i = 0; i < n; i++) {
      assert(to + 1 < 12);
      wide[to++] = dw[i];
      if (after & BITFIELD_BIT(i))
         wide[to++] = 0;
   }
   return wide;
}

/*
 * Surfaces
 */

/* "When tiling is enabled, this address must be 4KB-aligned. When tiling is
 * not enabled, this address should be CL (64byte) aligned" (Gen8 and
 * later). */
static bool
check_surface(struct sim_cs *cs, const struct surface *s, uint32_t pixel_B)
{
   const unsigned linear_B = sim_traits(cs->gpu->verx10)->blt_linear_align_B;
   uint32_t tile_B = 4, base_B = linear_B ? linear_B : pixel_B;
   if (s->tiling != ISL_TILING_LINEAR) {
      tile_B = s->tiling == ISL_TILING_X ? 512 : 128;
      base_B = SIM_PAGE_SIZE;
   }
   if (s->base % base_B) {
      cs_fault(cs, "%s address 0x%" PRIx64 " is not aligned to %u bytes",
               s->name, s->base, base_B);
      return false;
   }
   if (s->pitch_B % (int32_t)tile_B) {
      cs_fault(cs, "%s pitch of %d bytes is no multiple of %u", s->name,
               s->pitch_B, tile_B);
      return false;
   }
   if (s->tiling != ISL_TILING_LINEAR &&
       (s->pitch_B <= 0 || s->x < 0 || s->y < 0)) {
      cs_fault(cs, "%s: pitch %d, x %d, y %d in a tiled surface", s->name,
               s->pitch_B, s->x, s->y);
      return false;
   }
   return true;
}

/* One row of the rectangle, to or from `data`. */
static bool
access_row(struct sim_cs *cs, const struct surface *s, const struct blit *b,
           uint32_t row, uint8_t *data, enum sim_mem_access access)
{
   const int64_t y = (int64_t)s->y + row;
   const int64_t x_B = (int64_t)s->x * b->pixel_B;
   const uint32_t size_B = b->width * b->pixel_B;
   const uint32_t run_B = s->tiling == ISL_TILING_LINEAR ? UINT32_MAX
                          : s->tiling == ISL_TILING_X    ? 512
                                                         : 16;
   for (uint32_t at = 0, n; at < size_B; at += n) {
      uint64_t offset;
      n = size_B - at;
      if (s->tiling == ISL_TILING_LINEAR) {
         offset = (uint64_t)(y * s->pitch_B + x_B);
      } else {
         const uint32_t x = (uint32_t)x_B + at;
         n = MIN2(n, run_B - x % run_B);
         offset = isl_tiling_address_B(s->tiling, (uint32_t)s->pitch_B, x,
                                       (uint32_t)y);
      }
      const bool ok =
         access == SIM_MEM_READ
            ? sim_mem_read(&cs->mem, data + at, s->base + offset, n)
            : sim_mem_write(&cs->mem, s->base + offset, data + at, n);
      if (!ok) {
         cs_mem_fault(cs);
         return false;
      }
   }
   return true;
}

/*
 * Rows
 */

static uint8_t
raster(uint8_t rop, uint8_t p, uint8_t s, uint8_t d)
{
   unsigned out = 0;
   for (unsigned i = 0; i < 8; i++) {
      if (rop & BITFIELD_BIT(i))
         out |= (i & 4 ? p : ~p) & (i & 2 ? s : ~s) & (i & 1 ? d : ~d);
   }
   return (uint8_t)out;
}

/* The rows of destination and source into the former. */
static void
combine(const struct blit *b, uint8_t *d, const uint8_t *s)
{
   for (uint32_t x = 0; x < b->width; x++) {
      for (uint32_t i = 0; i < b->pixel_B; i++, d++, s++) {
         const uint8_t v = raster(b->rop, b->pixel[i % 4], *s, *d);
         *d = (uint8_t)((*d & ~b->write_mask[i]) | (v & b->write_mask[i]));
      }
   }
}

static bool
is_plain_copy(const struct blit *b)
{
   if (!b->has_src || b->rop != ROP_COPY)
      return false;
   for (uint32_t i = 0; i < b->pixel_B; i++) {
      if (b->write_mask[i] != 0xff)
         return false;
   }
   return true;
}

static bool
blit_row(struct sim_cs *cs, const struct blit *b, bool plain, uint32_t row,
         uint8_t *dst, uint8_t *src)
{
   if (b->has_src && !access_row(cs, &b->src, b, row, src, SIM_MEM_READ))
      return false;
   if (plain)
      return access_row(cs, &b->dst, b, row, src, SIM_MEM_WRITE);
   if (!access_row(cs, &b->dst, b, row, dst, SIM_MEM_READ))
      return false;
   combine(b, dst, src);
   return access_row(cs, &b->dst, b, row, dst, SIM_MEM_WRITE);
}

static bool
blit_rows(struct sim_cs *cs, const struct blit *b, uint8_t *dst, uint8_t *src)
{
   const bool plain = is_plain_copy(b);
   const bool upwards = b->has_src && b->src.base == b->dst.base &&
                        b->src.y < b->dst.y;
   const uint64_t start = sim_gpu_now_ns();
   for (uint32_t i = 0; i < b->height; i++) {
      const uint32_t row = upwards ? b->height - 1 - i : i;
      if (!blit_row(cs, b, plain, row, dst, src))
         return false;
      sim_gpu_spend(cs->gpu, b->width);
      if (sim_gpu_worked_out(cs->gpu) ||
          (i % ROWS_A_LOOK == 0 &&
           sim_gpu_now_ns() - start > cs->gpu->hang_limit_ns)) {
         cs_fault(cs, "%u of %u rows took too long", i, b->height);
         return false;
      }
   }
   return true;
}

/* An empty rectangle does nothing. */
static enum cs_status
execute(struct sim_cs *cs, const struct blit *b)
{
   if (!b->width || !b->height)
      return CS_CONTINUE;
   if (!check_surface(cs, &b->dst, b->pixel_B) ||
       (b->has_src && !check_surface(cs, &b->src, b->pixel_B)))
      return CS_FAULT;
   const size_t row_B = (size_t)b->width * b->pixel_B;
   uint8_t *rows = calloc(2, row_B);
   if (!rows)
      return cs_fault(cs, "the host has no memory");
   const bool ok = blit_rows(cs, b, rows, rows + row_B);
   free(rows);
   return ok ? CS_CONTINUE : CS_FAULT;
}

/*
 * What the commands have in common
 */

static enum isl_tiling
tiling(const struct sim_cs *cs, bool tiled, bool is_src)
{
   struct GEN9_BCS_SWCTRL ctrl;
   const uint32_t dw = cs_get_register(cs, GEN9_BCS_SWCTRL_num);
   GEN9_BCS_SWCTRL_unpack(&dw, &ctrl);
   if (!tiled)
      return ISL_TILING_LINEAR;
   return (is_src ? ctrl.TileYSource : ctrl.TileYDestination) ? ISL_TILING_Y0
                                                              : ISL_TILING_X;
}

/* "pitch in DWords when tiled" */
static struct surface
make_surface(const struct sim_cs *cs, bool is_src, bool tiled, uint64_t base,
             int32_t pitch)
{
   return (struct surface) {
      .name = is_src ? "source" : "destination",
      .base = base & SIM_ADDRESS_MASK,
      .pitch_B = tiled ? pitch * 4 : pitch,
      .tiling = tiling(cs, tiled, is_src),
   };
}

/* Byte mask: bit 0 for the low three bytes of 32-bit pixels, bit 1 for the
 * high one. */
static void
set_pixels(struct blit *b, uint32_t depth, uint32_t byte_mask, uint32_t color)
{
   b->pixel_B = depth == BLT_8bitcolor ? 1 : depth == BLT_32bitcolor ? 4 : 2;
   memcpy(b->pixel, &color, sizeof(color));
   if (b->pixel_B == 2)
      memcpy(b->pixel + 2, &color, 2);
   if (b->pixel_B == 1)
      memset(b->pixel, (uint8_t)color, 4);
   for (unsigned i = 0; i < 4; i++) {
      const bool written = byte_mask & (i == 3 ? 2 : 1);
      b->write_mask[i] = b->pixel_B < 4 || written ? 0xff : 0;
   }
}

/* Places the rectangle, cut by `clip` if that is not NULL. The source's x and
 * y are set, and move along. */
static void
place(struct blit *b, int32_t x1, int32_t y1, int32_t x2, int32_t y2,
      const struct cs_blt_clip *clip)
{
   int32_t left = x1, top = y1;
   if (clip) {
      left = MAX2(x1, clip->x1);
      top = MAX2(y1, clip->y1);
      x2 = MIN2(x2, clip->x2);
      y2 = MIN2(y2, clip->y2);
   }
   b->dst.x = left;
   b->dst.y = top;
   b->src.x += left - x1;
   b->src.y += top - y1;
   b->width = x2 > left ? (uint32_t)(x2 - left) : 0;
   b->height = y2 > top ? (uint32_t)(y2 - top) : 0;
}

static bool
uses_source(uint8_t rop)
{
   return ((rop >> 2) & 0x33) != (rop & 0x33);
}

static bool
uses_pattern(uint8_t rop)
{
   return rop >> 4 != (rop & 0xf);
}

/*
 * Commands
 */

static enum cs_status
color_blt(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_XY_COLOR_BLT c;
   uint32_t wide[12];
   GEN9_XY_COLOR_BLT_unpack(widen(cs, dw, n, BITFIELD_BIT(4), wide), &c);
   if (uses_source(c.RasterOperation))
      return cs_fault(cs, "raster operation 0x%02x needs a source",
                      c.RasterOperation);
   struct blit b = {
      .dst = make_surface(cs, false, c.TilingEnable, c.DestinationBaseAddress,
                          c.DestinationPitch),
      .rop = c.RasterOperation,
   };
   set_pixels(&b, c.ColorDepth, c._32bppByteMask, c.SolidPatternColor);
   place(&b, c.DestinationX1, c.DestinationY1, c.DestinationX2,
         c.DestinationY2, c.ClippingEnabled ? &cs->hw->blt.clip : NULL);
   return execute(cs, &b);
}

static enum cs_status
src_copy_blt(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_XY_SRC_COPY_BLT c;
   uint32_t wide[12];
   GEN9_XY_SRC_COPY_BLT_unpack(
      widen(cs, dw, n, BITFIELD_BIT(4) | BITFIELD_BIT(7), wide), &c);
   if (uses_pattern(c.RasterOperation))
      return cs_fault(cs, "raster operation 0x%02x needs a pattern",
                      c.RasterOperation);
   struct blit b = {
      .dst = make_surface(cs, false, c.DestinationTilingEnable,
                          c.DestinationBaseAddress, c.DestinationPitch),
      .src = make_surface(cs, true, c.SourceTilingEnable, c.SourceBaseAddress,
                          c.SourcePitch),
      .has_src = true,
      .rop = c.RasterOperation,
   };
   b.src.x = c.SourceX1;
   b.src.y = c.SourceY1;
   set_pixels(&b, c.ColorDepth, c._32bppByteMask, 0);
   place(&b, c.DestinationX1, c.DestinationY1, c.DestinationX2,
         c.DestinationY2, c.ClippingEnabled ? &cs->hw->blt.clip : NULL);
   return execute(cs, &b);
}

static enum cs_status
setup_blt(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct cs_blt_state *blt = &cs->hw->blt;
   uint32_t wide[12];
   GEN9_XY_SETUP_BLT_unpack(
      widen(cs, dw, n, BITFIELD_BIT(4) | BITFIELD_BIT(7), wide), &blt->setup);
   blt->has_setup = true;
   blt->clip =
      (struct cs_blt_clip) { blt->setup.ClipRectX1, blt->setup.ClipRectY1,
                             blt->setup.ClipRectX2, blt->setup.ClipRectY2 };
   return CS_CONTINUE;
}

static enum cs_status
setup_clip_blt(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_XY_SETUP_CLIP_BLT c;
   GEN9_XY_SETUP_CLIP_BLT_unpack(dw, &c);
   cs->hw->blt.clip = (struct cs_blt_clip) { c.ClipRectX1, c.ClipRectY1,
                                             c.ClipRectX2, c.ClipRectY2 };
   return CS_CONTINUE;
}

/* "compared with the ClipRect registers", whether or not clipping is on. */
static enum cs_status
pixel_blt(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   const struct GEN9_XY_SETUP_BLT *s = &cs->hw->blt.setup;
   struct GEN9_XY_PIXEL_BLT c;
   GEN9_XY_PIXEL_BLT_unpack(dw, &c);
   if (!cs->hw->blt.has_setup)
      return cs_fault(cs, "there was no XY_SETUP_BLT");
   if (uses_source(s->RasterOperation))
      return cs_fault(cs, "raster operation 0x%02x needs a source",
                      s->RasterOperation);
   struct blit b = {
      .dst = make_surface(cs, false, c.TilingEnable,
                          s->DestinationBaseAddress, s->DestinationPitch),
      .rop = s->RasterOperation,
   };
   set_pixels(&b, s->ColorDepth, s->_32bppByteMask, s->ForegroundColor);
   place(&b, c.DestinationX1, c.DestinationY1, c.DestinationX1 + 1,
         c.DestinationY1 + 1, &cs->hw->blt.clip);
   return execute(cs, &b);
}

/* Fast copies have their tilings in the command, and no raster operation,
 * mask or clip. */
static bool
fast_surface(struct sim_cs *cs, struct surface *s, uint32_t method,
             bool is_tile_yf)
{
   static const enum isl_tiling tilings[] = {
      [FAST_COPY_Linear] = ISL_TILING_LINEAR,
      [FAST_COPY_TileX] = ISL_TILING_X,
      [FAST_COPY_TileY] = ISL_TILING_Y0,
   };
   if (method == FAST_COPY_Tile64KB ||
       (method == FAST_COPY_TileY && is_tile_yf)) {
      cs_fault(cs, "%s: tilings Yf and Ys are not implemented", s->name);
      return false;
   }
   s->tiling = tilings[method];
   return true;
}

static uint32_t
fast_pixel_B(uint32_t depth)
{
   switch (depth) {
   case FAST_COPY_8bit: return 1;
   case FAST_COPY_16bit: return 2;
   case FAST_COPY_32bit: return 4;
   case FAST_COPY_64bit: return 8;
   case FAST_COPY_128bit: return 16;
   default: return 0;
   }
}

/* Rectangles begin at 16 bytes (Mesa 945592f92ca), in tiles and without. */
static bool
begins_within_oword(const struct blit *b, int x, int src_x)
{
   return (unsigned)x * b->pixel_B % 16 || (unsigned)src_x * b->pixel_B % 16;
}

static enum cs_status
fast_copy_blt(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_XY_FAST_COPY_BLT c;
   GEN9_XY_FAST_COPY_BLT_unpack(dw, &c);
   struct blit b = {
      .dst = make_surface(cs, false, c.DestinationTilingMethod,
                          c.DestinationBaseAddress,
                          (int32_t)c.DestinationPitch),
      .src = make_surface(cs, true, c.SourceTilingMethod, c.SourceBaseAddress,
                          (int32_t)c.SourcePitch),
      .has_src = true,
      .rop = ROP_COPY,
      .pixel_B = fast_pixel_B(c.ColorDepth),
   };
   if (!b.pixel_B)
      return cs_fault(cs, "color depth %u is reserved", c.ColorDepth);
   if (begins_within_oword(&b, c.DestinationX1, c.SourceX1))
      return cs_fault(cs,
                      "x %d, or %d of the source, of %u bytes each are "
                      "no multiple of 16 bytes",
                      c.DestinationX1, c.SourceX1, b.pixel_B);
   if (!fast_surface(cs, &b.dst, c.DestinationTilingMethod,
                     c.TileYTypeforDestination) ||
       !fast_surface(cs, &b.src, c.SourceTilingMethod, c.TileYTypeforSource))
      return CS_FAULT;
   b.src.x = c.SourceX1;
   b.src.y = c.SourceY1;
   memset(b.write_mask, 0xff, sizeof(b.write_mask));
   place(&b, c.DestinationX1, c.DestinationY1, c.DestinationX2,
         c.DestinationY2, NULL);
   return execute(cs, &b);
}

const struct cs_entry cs_blt_commands[] = {
   { GEN9_XY_COLOR_BLT_opcode, color_blt },
   { GEN9_XY_FAST_COPY_BLT_opcode, fast_copy_blt },
   { GEN9_XY_PIXEL_BLT_opcode, pixel_blt },
   { GEN9_XY_SETUP_BLT_opcode, setup_blt },
   { GEN9_XY_SETUP_CLIP_BLT_opcode, setup_clip_blt },
   { GEN9_XY_SRC_COPY_BLT_opcode, src_copy_blt },
   { 0, NULL },
};
