/* SPDX-License-Identifier: MIT */
/*
 * Pixels without threads. Where a program does nothing but copy numbers, push
 * constants or planes to a render target (eu/program/constant.c), what its
 * thread writes for one pixel of a primitive it writes for all. One thread
 * runs; from then on pixels get what it has stored, and threads are only
 * counted, with as many quads as they would have had. Other primitives of the
 * draw whose planes are the same need no thread at all.
 *
 * Not if anything but the target is to be seen of a thread: then each of them
 * runs (test_pixels.c compares with that).
 */
#include "rt_private.h"

/* Planes that are compared; of more, a primitive has its own thread. */
#define MAX_ATTRIBUTES 4

#define BLOCK_PX 8

void
sim_fill_begin(struct sim_raster *r)
{
   const bool watched = sim_draw_is_traced(r->draw) || r->env.trace ||
                        r->env.rules || r->env.chaos || r->mem->watch;
   const unsigned same = r->push_grf + 2 * r->num_attributes;
   for (unsigned i = 0; i < ARRAY_SIZE(r->program); i++) {
      struct sim_fill_program *f = &r->fill.program[i];
      f->kind = SIM_EU_VARIES;
      f->known = false;
      if (r->program[i] && !watched && r->early_tests &&
          r->num_samples == 1 && !r->per_sample)
         f->kind =
            sim_eu_program_constant(r->program[i], r->dispatch_grf[i], same);
   }
}

static void
invalidate(struct sim_raster *r)
{
   for (unsigned i = 0; i < ARRAY_SIZE(r->fill.program); i++)
      r->fill.program[i].known = false;
   r->fill.complete = false;
}

void
sim_fill_next(struct sim_raster *r)
{
   const struct sim_setup *was = r->fill.setup, *is = r->setup;
   r->fill.setup = is;
   if (!was || is->antialias || r->num_attributes > MAX_ATTRIBUTES ||
       memcmp(was->attr, is->attr, r->num_attributes * sizeof(is->attr[0])))
      invalidate(r);
}

void
sim_fill_end(struct sim_raster *r)
{
   r->fill.setup = NULL;
   invalidate(r);
}

/* Of a program that is uniform any channel will do, of others all of them
 * have to be there, and to have the same. */
void
sim_fill_note(struct sim_raster *r, const struct sim_message *m,
              const struct sim_rt_payload *p,
              const struct sim_render_target *rt, uint32_t channels,
              bool stored)
{
   struct sim_fill_program *f = &r->fill.program[r->fill.running];
   const unsigned size_B = rt->surface.element_B;
   uint32_t rgba[4];
   if (f->kind == SIM_EU_VARIES || f->known || r->fill.setup != r->setup ||
       (f->kind != SIM_EU_UNIFORM && channels != BITFIELD_MASK(p->width)))
      return;
   if (!stored || size_B > sizeof(f->texels) / BLOCK_PX)
      f->kind = SIM_EU_VARIES;
   const unsigned first = (unsigned)__builtin_ctz(channels);
   for (unsigned k = 0; k < 4; k++)
      rgba[k] = *sim_rt_component(m, p, k, first);
   for (unsigned c = first; c < p->width; c++) {
      for (unsigned k = 0; k < 4 && channels >> c & 1; k++) {
         if (*sim_rt_component(m, p, k, c) != rgba[k])
            f->kind = SIM_EU_VARIES;
      }
   }
   if (f->kind == SIM_EU_VARIES)
      return;
   for (unsigned i = 0; i < BLOCK_PX; i++)
      sim_format_pack(rt->surface.format, rgba, f->texels + i * size_B);
   f->rt = (unsigned)(rt - r->rt);
   f->known = true;
   r->fill.complete = true;
   for (unsigned i = 0; i < ARRAY_SIZE(r->program); i++) {
      const struct sim_fill_program *other = &r->fill.program[i];
      if (r->program[i])
         r->fill.complete &= other->known && other->rt == f->rt &&
                             memcmp(other->texels, f->texels, size_B) == 0;
   }
}

/*
 * Storing
 */

/* Of eight texels one after the other those in `lit`. */
static inline void
store_texels(const struct sim_fill_program *f, uint8_t *to, unsigned lit,
             unsigned count, unsigned size_B)
{
   if (lit == BITFIELD_MASK(count)) {
      memcpy(to, f->texels, count * size_B);
      return;
   }
   while (lit)
      sim_rt_copy_texel(to + u_bit_scan(&lit) * size_B, f->texels, size_B);
}

static inline void
store_rows(const struct sim_fill_program *f, uint8_t *to, uint64_t lit,
           unsigned count, unsigned size_B, unsigned step_B)
{
   for (unsigned y = 0; y < BLOCK_PX; y++) {
      store_texels(f, to + y * step_B,
                   (unsigned)(lit >> BLOCK_PX * y) & BITFIELD_MASK(count),
                   count, size_B);
   }
}

static bool
store_quad(struct sim_raster *r, const struct sim_fill_program *f, int x,
           int y, unsigned lit)
{
   struct sim_render_target *rt = &r->rt[f->rt];
   const struct sim_surface *s = &rt->surface;
   const unsigned size_B = s->element_B, step_B = sim_rt_row_step_B(s);
   const uint32_t slice = s->first_slice + r->setup->layer;
   lit &= sim_rt_inside(r, rt, &(struct sim_quad) { .x = x, .y = y });
   if (!lit)
      return true;
   const int any = __builtin_ctz(lit);
   uint8_t *to = sim_rt_place(r, rt, x, y, 2, 2, slice);
   if (!to || !sim_rt_expand(r, rt, (uint32_t)(x + (any & 1)),
                             (uint32_t)(y + (any >> 1)), slice))
      return false;
   store_texels(f, to, lit & 3, 2, size_B);
   store_texels(f, to + step_B, lit >> 2, 2, size_B);
   return true;
}

/* The pixels that are inside of the target. */
static uint64_t
block_inside(const struct sim_raster *r, const struct sim_render_target *rt,
             int x, int y)
{
   const int w = (int)rt->width - x, h = (int)rt->height - y;
   if (r->setup->layer >= rt->surface.view_extent || w <= 0 || h <= 0)
      return 0;
   const uint64_t columns = w < BLOCK_PX ? BITFIELD_MASK(w) : 0xff;
   const uint64_t rows = h < BLOCK_PX ? BITFIELD64_MASK(BLOCK_PX * h)
                                      : UINT64_MAX;
   return columns * (UINT64_MAX / 0xff) & rows;
}

/* Whether that no pixel of the block is clear was seen at one look. */
static bool
block_is_expanded(const struct sim_render_target *rt, int x, int y,
                  uint32_t slice)
{
   const uint32_t px = (uint32_t)x, py = (uint32_t)y, last = BLOCK_PX - 1;
   return !rt->line.clear && sim_rt_in_line(rt, px, py, slice) &&
          sim_rt_in_line(rt, px + last, py + last, slice);
}

/* Where pixels are written, nothing is clear any more. */
static bool
expand_block(struct sim_raster *r, struct sim_render_target *rt, int x, int y,
             uint64_t lit, uint32_t slice)
{
   const struct sim_aux *a = &rt->surface.aux;
   if (a->mode != SIM_AUX_CCS)
      return true;
   while (lit && !block_is_expanded(rt, x, y, slice)) {
      const unsigned first = (unsigned)__builtin_ctzll(lit);
      const uint32_t px = (uint32_t)x + first % BLOCK_PX;
      const uint32_t py = (uint32_t)y + first / BLOCK_PX;
      if (!sim_rt_expand(r, rt, px, py, slice))
         return false;
      /* Each quad is in one element. */
      lit &= ~(0x303ull << (first & ~9u));
   }
   return true;
}

/* A column of pixels of eight rows. */
static bool
store_column(struct sim_raster *r, const struct sim_fill_program *f, int x,
             int y, unsigned w, uint64_t lit, uint32_t slice)
{
   struct sim_render_target *rt = &r->rt[f->rt];
   const struct sim_surface *s = &rt->surface;
   const unsigned size_B = s->element_B, step_B = sim_rt_row_step_B(s);
   uint8_t *to = sim_rt_place(r, rt, x, y, w, BLOCK_PX, slice);
   /* Where rows of a level are not as those of tiles. */
   for (uint64_t left = lit; !to && left;) {
      const unsigned first = (unsigned)__builtin_ctzll(left) & ~9u;
      const unsigned two_rows = (unsigned)(lit >> first);
      if (!store_quad(r, f, x + (int)(first % BLOCK_PX),
                      y + (int)(first / BLOCK_PX),
                      (two_rows & 3) | (two_rows >> BLOCK_PX & 3) << 2))
         return false;
      left &= ~(0x303ull << first);
   }
   if (!to)
      return true;
   /* Sizes that the compiler knows. */
   if (size_B == 4 && w == 8)
      store_rows(f, to, lit, 8, 4, step_B);
   else if (size_B == 4 && w == 4)
      store_rows(f, to, lit, 4, 4, step_B);
   else
      store_rows(f, to, lit, w, size_B, step_B);
   return true;
}

static bool
store_block(struct sim_raster *r, const struct sim_fill_program *f, int x,
            int y, uint64_t lit)
{
   struct sim_render_target *rt = &r->rt[f->rt];
   const struct sim_surface *s = &rt->surface;
   const uint32_t slice = s->first_slice + r->setup->layer;
   const unsigned in_column = s->tiling == SIM_TILE_Y ? 16 / s->element_B
                                                      : BLOCK_PX;
   const unsigned w = MIN2(in_column, BLOCK_PX);
   lit &= block_inside(r, rt, x, y);
   if (!expand_block(r, rt, x, y, lit, slice))
      return false;
   for (unsigned at = 0; at < BLOCK_PX; at += w) {
      const uint64_t column = BITFIELD64_MASK(w) * (UINT64_MAX / 0xff);
      const uint64_t of_column = lit >> at & column;
      if (of_column &&
          !store_column(r, f, x + (int)at, y, w, of_column, slice))
         return false;
   }
   return true;
}

/*
 * Threads
 */

void
sim_fill_count(struct sim_raster *r, unsigned which, unsigned threads)
{
   if (threads)
      sim_draw_count_threads(r->draw, (enum trace_stage)r->env.stage,
                             r->program[which], &r->fill.program[which].stats,
                             threads);
}

static unsigned
lit_of_quad(const struct sim_quad *q)
{
   return (q->lit[0] ? 1u : 0) | (q->lit[1] ? 2u : 0) | (q->lit[2] ? 4u : 0) |
          (q->lit[3] ? 8u : 0);
}

/* Stores the first `n` pending quads; false: not all of them, which are to be
 * stored again. */
static bool
store_pending(struct sim_raster *r, const struct sim_fill_program *f,
              unsigned n, unsigned *pixels)
{
   *pixels = 0;
   for (unsigned i = 0; i < n; i++) {
      const struct sim_quad *q = &r->pending[i];
      const unsigned lit = lit_of_quad(q);
      if (!store_quad(r, f, q->x, q->y, lit))
         return false;
      *pixels += (unsigned)sim_count_bits(lit);
   }
   return true;
}

bool
sim_fill_thread(struct sim_raster *r, unsigned which, unsigned n)
{
   unsigned pixels;
   if (!store_pending(r, &r->fill.program[which], n, &pixels))
      return false;
   r->ps_invocations += pixels;
   sim_fill_count(r, which, 1);
   return true;
}

unsigned
sim_fill_flush(struct sim_raster *r)
{
   const struct sim_fill_program *f = &r->fill.program[r->widest];
   unsigned quads = r->fill.waiting, pixels;
   if (store_pending(r, f, r->num_pending, &pixels)) {
      r->ps_invocations += pixels;
      quads += r->num_pending;
      r->num_pending = 0;
   }
   sim_fill_count(r, r->widest, quads / r->quads_to_run);
   return quads % r->quads_to_run;
}

/* Those of the last `n` quads, of which the first pixels are told. */
static uint64_t
last_quads(uint64_t first_pixels, unsigned n)
{
   uint64_t last = 0;
   for (; n; n--) {
      const unsigned first = 63 - (unsigned)__builtin_clzll(first_pixels);
      last |= 0x303ull << first;
      first_pixels &= ~(1ull << first);
   }
   return last;
}

/* Which quads share a thread does not matter. The last thread may have to be
 * of a program that is not known yet: for it quads are left over. */
uint64_t
sim_fill_block(struct sim_raster *r, int x, int y, uint64_t lit)
{
   const struct sim_fill_program *f = &r->fill.program[r->widest];
   const uint64_t quads = (lit | lit >> 1 | lit >> 8 | lit >> 9) &
                          0x0055005500550055;
   const unsigned all = r->fill.waiting + r->num_pending +
                        (unsigned)sim_count_bits(quads);
   const unsigned threads = all / r->quads_to_run;
   const unsigned left = all % r->quads_to_run;
   uint64_t last = 0;
   unsigned pixels;
   if (!threads && !r->fill.complete)
      return lit;
   if (!r->fill.complete)
      last = last_quads(quads, left);
   if (!store_pending(r, f, r->num_pending, &pixels) ||
       !store_block(r, f, x, y, lit & ~last))
      return lit;
   r->ps_invocations += pixels + sim_count_bits(lit & ~last);
   sim_fill_count(r, r->widest, threads);
   r->fill.waiting = r->fill.complete ? left : 0;
   r->num_pending = 0;
   return lit & last;
}
