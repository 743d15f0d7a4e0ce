/* SPDX-License-Identifier: MIT */
/* A message to the sampler: kinds, and what is known of one. */
#ifndef SIM_SAMPLER_CALL_H
#define SIM_SAMPLER_CALL_H

#include "sampler_private.h"

#define MAX_LANES 16

enum sampler_group {
   GROUP_NONE,
   GROUP_SAMPLE,
   GROUP_LOD,
   GROUP_GATHER,
   GROUP_LOAD,
   GROUP_MCS,
   GROUP_RESINFO,
   GROUP_SAMPLEINFO,
};

enum {
   HAS_REF = 1 << 0,
   HAS_BIAS = 1 << 1,
   HAS_LOD = 1 << 2, /* sample_l: in front of u; ld: see there */
   HAS_GRADIENT = 1 << 3,
   IS_LOD_ZERO = 1 << 4,
   HAS_SAMPLE = 1 << 5,  /* sample index in front */
   HAS_MCS = 1 << 6,     /* then one word of MCS data, */
   HAS_MCS2 = 1 << 7,    /* or two */
   HAS_OFFSETS = 1 << 8, /* gather4_po: after u, v */
};

struct sampler_message {
   enum sampler_group group;
   unsigned flags;
};

struct sampler_call {
   struct sim_eu_thread *t;
   const struct sim_message *m;
   const struct sampler_message *type;
   struct sim_lookup lookup;
   unsigned width; /* lanes */
   bool simd4x2;
   unsigned first;    /* register of parameter 0 */
   unsigned channels; /* bit c: wanted in the response */
   unsigned gather_channel;
   /* The level of detail of a quad, which its lanes share; -1: of none. */
   int lod_quad;
   struct sim_lod lod;
   uint32_t rgba[4];              /* of the lane at work */
   uint32_t result[4][MAX_LANES]; /* of all lanes, by channels */
};

/* sampler_payload.c */

/* Where a SIMD4x2 message has the parameter `index` of the SIMD8 form. */
unsigned sampler_position_4x2(const struct sampler_call *c, unsigned index);

/* The parameters of the surface's coordinates; how many there are. */
unsigned sampler_coordinates(const struct sampler_call *c, uint8_t index[4]);

/* A parameter of a lane; 0 if the message is too short for it. */
static inline uint32_t
sampler_param(const struct sampler_call *c, unsigned index, unsigned lane)
{
   if (c->simd4x2) {
      const unsigned at = sampler_position_4x2(c, index);
      const union sim_grf *g = sim_message_payload(c->m, c->first + at / 4);
      return g && lane < 2 ? g->ud[4 * lane + at % 4] : 0;
   }
   const unsigned at = index * c->width + lane;
   const union sim_grf *g = sim_message_payload(c->m, c->first + at / 8);
   return g ? g->ud[at % 8] : 0;
}

static inline float
sampler_param_f(const struct sampler_call *c, unsigned index, unsigned lane)
{
   return util_bits_float(sampler_param(c, index, lane));
}

/* The array slice of a coordinate: rounded to nearest even, clamped to those
 * that there are. */
uint32_t sampler_array_slice(const struct sim_surface *s, float index);

/* The coordinates of a lane: parameters u, v, r, ai at `stride` apart. A
 * gradient (may be NULL) becomes that on the face of a cube. */
struct sim_place sampler_place(const struct sampler_call *c, unsigned u,
                               unsigned stride, unsigned lane,
                               struct sim_gradient *gradient);

/* The level of detail of a lane, whose coordinates begin at parameter `u`,
 * with bias or level at `before`; and its place. */
struct sim_lod sampler_lod(struct sampler_call *c, unsigned before,
                           unsigned u, unsigned lane, struct sim_place *p);

/* Eight lanes from `first` on: a parameter, the places, the levels of detail,
 * for which the places must be there. */
void sampler_param_eight(const struct sampler_call *c, unsigned index,
                         unsigned first, void *out);
void sampler_eight_places(const struct sampler_call *c, unsigned u,
                          unsigned first, struct sim_lanes *e);
void sampler_eight_lods(struct sampler_call *c, unsigned before, unsigned u,
                        unsigned first, struct sim_lanes *e);

#endif
