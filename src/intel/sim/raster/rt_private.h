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

/* Two quads of pixels, all components of which are arrays of eight. */
struct sim_rt_eight {
   const uint32_t *component[4];
   bool stored; /* without blending */
   unsigned rt_index;
   uint8_t *to[2];  /* the first texels of the quads */
   unsigned step_B; /* from a row of a quad to the next one */
   unsigned lit;    /* a bit for each pixel */
};

/* rt_eights.c: stores them in a target that has `eights`, without a logic
 * operation. */
void sim_rt_store_eight(const struct sim_raster *r,
                        const struct sim_render_target *rt,
                        const struct sim_rt_eight *e);

#endif
