/* SPDX-License-Identifier: MIT */
/* See compress.h. */
#include "compress.h"

#include "intel/sim/mem/watch.h"
#include "surface.h"

/* ---- multisample control surfaces ---- */

static unsigned
mcs_word_B(unsigned num_samples)
{
   return num_samples <= 4 ? 1 : num_samples == 8 ? 4 : 8;
}

static unsigned
mcs_plane_bits(unsigned num_samples)
{
   return util_logbase2(num_samples);
}

/* Y-tiled, one word a pixel. */
static void *
mcs_word(const struct sim_surface *s, struct sim_mem *mem, uint32_t x,
         uint32_t y, uint32_t slice, enum sim_mem_access access)
{
   const unsigned size_B = mcs_word_B(s->num_samples);
   const uint64_t offset = sim_tile_offset(
      SIM_TILE_Y, s->aux.pitch_B, x * size_B, y + slice * s->aux.qpitch_rows);
   return sim_mem_ptr(mem, s->aux.address + offset, size_B, access);
}

bool
sim_mcs_read(const struct sim_surface *s, struct sim_mem *mem, uint32_t x,
             uint32_t y, uint32_t slice, uint64_t *word)
{
   const void *p = mcs_word(s, mem, x, y, slice, SIM_MEM_READ);
   *word = 0;
   if (p)
      memcpy(word, p, mcs_word_B(s->num_samples));
   return p != NULL;
}

bool
sim_mcs_write(const struct sim_surface *s, struct sim_mem *mem, uint32_t x,
              uint32_t y, uint32_t slice, uint64_t word)
{
   void *p = mcs_word(s, mem, x, y, slice, SIM_MEM_WRITE);
   if (p)
      memcpy(p, &word, mcs_word_B(s->num_samples));
   return p != NULL;
}

/* 2x has two bits that count, 8x all 32 though 24 tell the planes. */
bool
sim_mcs_is_clear(unsigned num_samples, uint64_t word)
{
   const unsigned bits = num_samples == 2 ? 2 : 8 * mcs_word_B(num_samples);
   return (word & BITFIELD64_MASK(bits)) == BITFIELD64_MASK(bits);
}

unsigned
sim_mcs_plane(unsigned num_samples, uint64_t word, unsigned sample)
{
   const unsigned bits = mcs_plane_bits(num_samples);
   return (unsigned)(word >> (bits * sample)) & (num_samples - 1);
}

uint64_t
sim_mcs_encode(unsigned num_samples, const uint8_t *plane)
{
   const unsigned bits = mcs_plane_bits(num_samples);
   uint64_t word = 0;
   for (unsigned i = 0; i < num_samples; i++)
      word |= (uint64_t)plane[i] << (bits * i);
   return word;
}

/* ---- colour control surfaces ---- */

#define CCS_ALIGN_W 128
#define CCS_ALIGN_H 64

/*
 * A cache line of the CCS is 16x16 elements, and a Y tile 8x8 lines; older
 * CCS have elements of one bit and lines of 16x32. Within a line the order
 * is ours: only whole lines are ever written by anybody else.
 */
static uint8_t *
ccs_byte(const struct sim_surface *s, struct sim_mem *mem, unsigned level,
         uint32_t x, uint32_t y, uint32_t slice, unsigned *shift)
{
   const struct sim_aux *a = &s->aux;
   uint32_t x0, y0;
   sim_level_origin(s->width, s->height, level, CCS_ALIGN_W, CCS_ALIGN_H,
                    false, 1, &x0, &y0);
   /* All of these are powers of two; this is asked for each texel. */
   const unsigned bits_log2 = a->element_bits - 1,
                  in_byte_log2 = 3 - bits_log2;
   const unsigned line_h_log2 = 5 - bits_log2;
   const uint32_t ex = (x0 + x) >> a->block_w_log2;
   const uint32_t ey = (y0 + y + slice * a->qpitch_rows) >> a->block_h_log2;
   const uint32_t lx = ex >> 4, ly = ey >> line_h_log2;
   const uint64_t line =
      sim_tile_offset(SIM_TILE_Y, a->pitch_B, lx * 16, ly * 4);
   const uint32_t row = ey & BITFIELD_MASK(line_h_log2);
   const uint32_t column = ex & 15;
   *shift = (ex & BITFIELD_MASK(in_byte_log2)) << bits_log2;
   return sim_mem_ptr(mem,
                      a->address + line + (row << (1 + bits_log2)) +
                         (column >> in_byte_log2),
                      1, SIM_MEM_WRITE);
}

static uint8_t
ccs_clear_value(const struct sim_aux *a)
{
   return (uint8_t)BITFIELD_MASK(a->element_bits);
}

/* Whether any element of the cache line of the CCS that has the pixel is
 * clear; unknown: true. */
static bool
line_has_clear(const struct sim_surface *s, struct sim_mem *mem,
               unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
   const uint64_t first_bits = UINT64_MAX / 3;
   const struct sim_mem_fault before = mem->fault;
   unsigned shift;
   const uint8_t *p = ccs_byte(s, mem, level, x, y, slice, &shift);
   uint64_t word[8], clear = 0;
   if (!p) {
      mem->fault = before;
      return true;
   }
   memcpy(word, (const void *)((uintptr_t)p & ~(uintptr_t)63), sizeof(word));
   for (unsigned i = 0; i < 8; i++)
      clear |= s->aux.element_bits == 1 ? word[i]
                                        : word[i] & word[i] >> 1 & first_bits;
   return clear != 0;
}

/* The first coordinate after those in the line of `at`. */
static uint32_t
next_line(uint32_t origin, uint32_t at, unsigned size_log2)
{
   return (((origin + at) >> size_log2) + 1) * (1u << size_log2) - origin;
}

/* Log2 of the pixels that a line has. */
static void
line_size(const struct sim_aux *a, unsigned *w_log2, unsigned *h_log2)
{
   *w_log2 = 4 + a->block_w_log2;
   *h_log2 = (a->element_bits == 1 ? 5 : 4) + a->block_h_log2;
}

bool
sim_ccs_line_has_clear(const struct sim_surface *s, struct sim_mem *mem,
                       unsigned level, uint32_t x, uint32_t y, uint32_t slice,
                       uint32_t begin[2], uint32_t end[2])
{
   const uint32_t at[2] = { x, y };
   unsigned size_log2[2];
   uint32_t origin[2];
   line_size(&s->aux, &size_log2[0], &size_log2[1]);
   sim_level_origin(s->width, s->height, level, CCS_ALIGN_W, CCS_ALIGN_H,
                    false, 1, &origin[0], &origin[1]);
   origin[1] += slice * s->aux.qpitch_rows;
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t size = 1u << size_log2[i];
      const uint32_t before = (origin[i] + at[i]) % size;
      begin[i] = at[i] - MIN2(at[i], before);
      end[i] = at[i] + size - before;
   }
   return line_has_clear(s, mem, level, x, y, slice);
}

/* So many lines are looked at, not more. */
#define MAX_LINES 64

bool
sim_ccs_level_has_clear(const struct sim_surface *s, struct sim_mem *mem,
                        uint64_t draw_id, unsigned level, uint32_t slice)
{
   static _Thread_local struct known {
      uint64_t draw_id, address;
      uint32_t slice;
      unsigned level;
      bool clear;
   } cache[8];
   struct known *k =
      &cache[(s->aux.address / SIM_PAGE_SIZE + level) % ARRAY_SIZE(cache)];
   if (!draw_id)
      return true;
   if (k->draw_id == draw_id && k->address == s->aux.address &&
       k->level == level && k->slice == slice)
      return k->clear;
   *k = (struct known) { draw_id, s->aux.address, slice, level, true };
   unsigned w_log2, h_log2;
   line_size(&s->aux, &w_log2, &h_log2);
   const uint32_t x[2] = { 0, MAX2(s->width >> level, 1u) - 1 };
   const uint32_t y[2] = { 0, MAX2(s->height >> level, 1u) - 1 };
   if (((x[1] >> w_log2) + 1) * ((y[1] >> h_log2) + 1) <= MAX_LINES)
      k->clear = sim_ccs_has_clear(s, mem, level, x, y, slice);
   return k->clear;
}

bool
sim_ccs_has_clear(const struct sim_surface *s, struct sim_mem *mem,
                  unsigned level, const uint32_t x[2], const uint32_t y[2],
                  uint32_t slice)
{
   unsigned w_log2, h_log2;
   uint32_t x0, y0;
   line_size(&s->aux, &w_log2, &h_log2);
   sim_level_origin(s->width, s->height, level, CCS_ALIGN_W, CCS_ALIGN_H,
                    false, 1, &x0, &y0);
   y0 += slice * s->aux.qpitch_rows;
   for (uint32_t v = y[0]; v <= y[1]; v = next_line(y0, v, h_log2)) {
      for (uint32_t u = x[0]; u <= x[1]; u = next_line(x0, u, w_log2)) {
         if (line_has_clear(s, mem, level, u, v, slice))
            return true;
      }
   }
   return false;
}

bool
sim_ccs_is_clear(const struct sim_surface *s, struct sim_mem *mem,
                 unsigned level, uint32_t x, uint32_t y, uint32_t slice,
                 bool *clear)
{
   const uint8_t ones = ccs_clear_value(&s->aux);
   unsigned shift;
   const uint8_t *p = ccs_byte(s, mem, level, x, y, slice, &shift);
   *clear = p && (*p >> shift & ones) == ones;
   return p != NULL;
}

/* So many pixels of a row, that begin at a multiple of it, are one after the
 * other. */
static uint32_t
pixels_in_column(const struct sim_surface *s)
{
   if (s->slices_in_rows || s->address % 512 ||
       !util_is_power_of_two_or_zero(s->element_B))
      return 1;
   return s->tiling == SIM_TILE_Y   ? MAX2(16 / s->element_B, 1u)
          : s->tiling == SIM_TILE_X ? 512 / s->element_B
                                    : 1;
}

static bool
fill_clear(const struct sim_surface *s, struct sim_mem *mem, unsigned level,
           uint32_t x0, uint32_t y0, uint32_t slice)
{
   const uint32_t in_column = mem->watch ? 1 : pixels_in_column(s);
   const unsigned size_B = s->element_B;
   uint8_t texels[16 * 16];
   for (unsigned i = 0; i < MIN2(s->aux.block_w, 16u); i++)
      memcpy(&texels[i * size_B], s->aux.clear_texel, size_B);
   const uint32_t x1 = MIN2(x0 + s->aux.block_w, MAX2(s->width >> level, 1u));
   const uint32_t y1 =
      MIN2(y0 + s->aux.block_h, MAX2(s->height >> level, 1u));
   for (uint32_t y = y0; y < y1; y++) {
      for (uint32_t x = x0, n; x < x1; x += n) {
         n = MIN2(in_column - (s->x0_el[level] + x) % in_column, x1 - x);
         n = MIN2(n, 16u);
         const uint64_t at =
            sim_surface_element_address(s, level, x, y, slice, 0);
         void *p = sim_mem_ptr(mem, at, n * size_B, SIM_MEM_WRITE);
         if (!p)
            return false;
         sim_mem_note(mem, SIM_CLIENT_TARGET, at, n * size_B, SIM_MEM_WRITE);
         memcpy(p, texels, n * size_B);
      }
   }
   return true;
}

bool
sim_ccs_expand(const struct sim_surface *s, struct sim_mem *mem,
               unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
   const uint8_t ones = ccs_clear_value(&s->aux);
   unsigned shift;
   uint8_t *p = ccs_byte(s, mem, level, x, y, slice, &shift);
   if (!p)
      return false;
   /* Other elements of the byte may be another host thread's. */
   const uint8_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
   if ((old >> shift & ones) != ones)
      return true;
   __atomic_and_fetch(p, (uint8_t) ~(ones << shift), __ATOMIC_RELAXED);
   return fill_clear(s, mem, level, x - x % s->aux.block_w,
                     y - y % s->aux.block_h, slice);
}

/* ---- clears and resolves ---- */

typedef bool (*visit)(const struct sim_surface *s, struct sim_mem *mem,
                      unsigned level, uint32_t x, uint32_t y, uint32_t slice);

/* Calls `f` for a pixel of each element of the area at (x, y), of w times h
 * pixels for each one of the rectangle. */
static bool
each_element(const struct sim_surface *s, struct sim_mem *mem, unsigned level,
             uint32_t x, uint32_t y, uint32_t slice, unsigned w, unsigned h,
             visit f)
{
   const uint32_t x1 = MIN2((x + 1) * w, MAX2(s->width >> level, 1u));
   const uint32_t y1 = MIN2((y + 1) * h, MAX2(s->height >> level, 1u));
   const unsigned dx = s->aux.mode == SIM_AUX_MCS ? 1 : s->aux.block_w;
   const unsigned dy = s->aux.mode == SIM_AUX_MCS ? 1 : s->aux.block_h;
   for (uint32_t v = y * h; v < y1; v += dy) {
      for (uint32_t u = x * w; u < x1; u += dx) {
         if (!f(s, mem, level, u, v, slice))
            return false;
      }
   }
   return true;
}

static bool
mark_clear(const struct sim_surface *s, struct sim_mem *mem, unsigned level,
           uint32_t x, uint32_t y, uint32_t slice)
{
   if (s->aux.mode == SIM_AUX_MCS)
      return sim_mcs_write(s, mem, x, y, slice, ~0ull);
   unsigned shift;
   uint8_t *p = ccs_byte(s, mem, level, x, y, slice, &shift);
   if (p)
      *p |= (uint8_t)(ccs_clear_value(&s->aux) << shift);
   return p != NULL;
}

bool
sim_aux_fast_clear(const struct sim_surface *s, struct sim_mem *mem,
                   unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
   return each_element(s, mem, level, x, y, slice, s->aux.clear_w,
                       s->aux.clear_h, mark_clear);
}

bool
sim_aux_resolve(const struct sim_surface *s, struct sim_mem *mem,
                unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
   return each_element(s, mem, level, x, y, slice, s->aux.resolve_w,
                       s->aux.resolve_h, sim_ccs_expand);
}

/* ---- hierarchical depth ---- */

void
sim_hiz_init(struct sim_hiz *h, uint64_t address, uint32_t pitch_B,
             uint32_t qpitch_rows, uint32_t width, uint32_t height,
             unsigned lod)
{
   *h = (struct sim_hiz) {
      .address = address,
      .pitch_B = pitch_B,
      .qpitch_rows = qpitch_rows,
   };
   sim_level_origin(width, height, lod, SIM_HIZ_W, SIM_HIZ_H, false, 1,
                    &h->x0, &h->y0);
}

/* Tiles are of 16x16 blocks, as large and as far apart as Y tiles. */
struct sim_hiz_block *
sim_hiz_block(const struct sim_hiz *h, struct sim_mem *mem, uint32_t x,
              uint32_t y, uint32_t slice)
{
   const uint32_t bx = (h->x0 + x) / SIM_HIZ_W;
   const uint32_t by = (h->y0 + y + slice * h->qpitch_rows) / SIM_HIZ_H;
   const uint64_t tile = (uint64_t)(by / 16) * 32 * h->pitch_B +
                         (uint64_t)(bx / 16) * 4096;
   static_assert(sizeof(struct sim_hiz_block) == 16, "as far apart");
   return sim_mem_ptr(mem, h->address + tile + (by % 16 * 16 + bx % 16) * 16,
                      sizeof(struct sim_hiz_block), SIM_MEM_WRITE);
}
