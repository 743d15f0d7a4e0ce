/* SPDX-License-Identifier: MIT */
/* Formats of vertex elements: see vf_format.c. */
#ifndef SIM_VF_FORMAT_H
#define SIM_VF_FORMAT_H

#include "util/macros.h"

struct vf_channel {
   uint8_t type; /* enum isl_base_type */
   uint8_t start_bit, bits;
};

struct vf_format {
   uint8_t size_B; /* in memory; 0: not a vertex format */
   uint8_t num_channels;
   bool integer;    /* the last missing component is 1, not 1.0 */
   bool passthru;   /* 64-bit components that are copied */
   bool plain_copy; /* 32-bit components that are copied */
   struct vf_channel channel[4];
};

/* NULL when the vertex fetcher does not know the format. */
const struct vf_format *sim_vf_format(uint32_t number);

/* One element at `src` (size_B bytes, any alignment), not a passthru one. */
void sim_vf_convert(const struct vf_format *f, const uint8_t *src,
                    uint32_t out[4]);

#endif
