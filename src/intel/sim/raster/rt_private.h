/* SPDX-License-Identifier: MIT */
/* What rt.c and rt_quads.c share about render target writes. */
#ifndef SIM_RASTER_RT_PRIVATE_H
#define SIM_RASTER_RT_PRIVATE_H

#include "raster_private.h"

struct sim_rt_payload {
   unsigned width, first_slot;
   bool dual, replicated, half;
   unsigned rt_index;
   /* First GRF of each part, or -1. */
   int src0_alpha, omask, color, color1, depth, stencil;
};

/* rt.c: a fault of the message; always false. */
bool sim_rt_fault(struct sim_eu_thread *t, const char *why);

/* The samples of channel `c` that this write reaches. The tests run at the
 * first write of a channel; later targets get the same samples. */
uint32_t sim_rt_channel_samples(struct sim_raster *r,
                                const struct sim_message *m,
                                const struct sim_rt_payload *p,
                                struct sim_ps_thread *u, unsigned c);

/* rt_quads.c: whether a write is done by quads, and such a write of
 * `channels`. */
bool sim_rt_by_quads(const struct sim_raster *r,
                     const struct sim_render_target *rt,
                     const struct sim_rt_payload *p);
bool sim_rt_write_quads(struct sim_raster *r, struct sim_eu_thread *t,
                        const struct sim_message *m,
                        const struct sim_rt_payload *p,
                        struct sim_render_target *rt, uint32_t channels);
/* Whether the four pixels of a quad are in one tile, at known distances. */
bool sim_rt_has_quads(const struct sim_surface *s);

/* Component `i` of channel `c`, and those after it in the register. */
static inline const uint32_t *
sim_rt_component(const struct sim_message *m, const struct sim_rt_payload *p,
                 unsigned i, unsigned c)
{
   const unsigned first = (unsigned)p->color;
   if (p->replicated)
      return &sim_message_payload(m, first)->ud[i];
   return &sim_message_payload(m, first + (i * p->width + c) / 8)->ud[c % 8];
}

/* Which pixels of the quad are inside of the target. */
static inline unsigned
sim_rt_inside(const struct sim_raster *r, const struct sim_render_target *rt,
              const struct sim_quad *q)
{
   if (r->setup->layer >= rt->surface.view_extent)
      return 0;
   const int w = (int)rt->width, h = (int)rt->height;
   const unsigned columns = (q->x >= 0 && q->x < w ? 5u : 0) |
                            (q->x >= -1 && q->x + 1 < w ? 10u : 0);
   const unsigned rows = (q->y >= 0 && q->y < h ? 3u : 0) |
                         (q->y >= -1 && q->y + 1 < h ? 12u : 0);
   return columns & rows;
}

/* From a row of a quad that has its place in a tile to the next one. */
static inline unsigned
sim_rt_row_step_B(const struct sim_surface *s)
{
   switch (s->tiling) {
   case SIM_TILE_X: return 512;
   case SIM_TILE_Y: return 16;
   default: return s->pitch_B;
   }
}

/*
 * The first of 2x2 pixels, or more as far as the tiling goes, of which all
 * are where it puts them from there. NULL: one after the other is to be
 * found, or somebody wants to know about each.
 */
uint8_t *sim_rt_place(struct sim_raster *r, struct sim_render_target *rt,
                      int x, int y, unsigned w, unsigned h, uint32_t slice);

/* Whether this pixel is one of those of which rt->line tells. */
static inline bool
sim_rt_in_line(const struct sim_render_target *rt, uint32_t x, uint32_t y,
               uint32_t slice)
{
   return x >= rt->line.begin[0] && x < rt->line.end[0] &&
          y >= rt->line.begin[1] && y < rt->line.end[1] &&
          rt->line.layer == slice;
}

/* As sim_ccs_expand(), of elements that are mostly that of the quad before,
 * in which its pixel (x, y) is. */
bool sim_rt_expand(struct sim_raster *r, struct sim_render_target *rt,
                   uint32_t x, uint32_t y, uint32_t slice);

/* For sizes that the compiler knows there are no calls. */
static inline void
sim_rt_copy_texel(void *to, const void *from, unsigned size_B)
{
   if (size_B == 4)
      memcpy(to, from, 4);
   else if (size_B == 2)
      memcpy(to, from, 2);
   else
      memcpy(to, from, size_B);
}

/* fill.c: what a thread, whose samples are known, has just written without
 * blending, or with it. */
void sim_fill_note(struct sim_raster *r, const struct sim_message *m,
                   const struct sim_rt_payload *p,
                   const struct sim_render_target *rt, uint32_t channels,
                   bool stored);

/* Two quads of pixels, all components of which are arrays of eight. */
struct sim_rt_eight {
   const uint32_t *component[4];
   bool stored; /* without blending */
   unsigned rt_index;
   uint8_t *to[2];  /* the first texels of the quads */
   unsigned step_B; /* from a row of a quad to the next one */
   unsigned lit;    /* a bit for each pixel */
};

/* rt_simd8.c: stores them in a target that has `eights`, without a logic
 * operation. */
void sim_rt_store_eight(const struct sim_raster *r,
                        const struct sim_render_target *rt,
                        const struct sim_rt_eight *e);

#endif
