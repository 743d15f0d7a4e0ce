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
   uint32_t result[MAX_LANES][4];
};

/* sampler_payload.c */

/* Where a SIMD4x2 message has the parameter `index` of the SIMD8 form. */
unsigned sampler_position_4x2(const struct sampler_call *c, unsigned index);

/* The parameters of the surface's coordinates; how many there are. */
unsigned sampler_coordinates(const struct sampler_call *c, uint8_t index[4]);

#endif
