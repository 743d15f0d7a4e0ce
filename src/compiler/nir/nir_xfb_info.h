/* SPDX-License-Identifier: MIT */
/* What transform feedback captures, in a form for state packets. */
#ifndef NIR_XFB_INFO_H
#define NIR_XFB_INFO_H

#include "nir.h"

#define NIR_MAX_XFB_BUFFERS 4
#define NIR_MAX_XFB_STREAMS 4

typedef struct nir_xfb_output_info {
   uint8_t buffer;
   uint16_t offset;           /* bytes, in the record of a vertex */
   uint8_t location;          /* VARYING_SLOT_* */
   uint8_t component_mask;    /* of 32-bit components of the slot */
   uint8_t component_offset;  /* the lowest of them */
} nir_xfb_output_info;

typedef struct nir_xfb_info {
   uint8_t buffers_written, streams_written;
   struct {
      uint16_t stride;        /* bytes */
   } buffers[NIR_MAX_XFB_BUFFERS];
   uint8_t buffer_to_stream[NIR_MAX_XFB_STREAMS];
   uint16_t output_count;
   nir_xfb_output_info outputs[];
} nir_xfb_info;

/* From the outputs that have an explicit buffer and offset, by buffer and
 * offset; NULL if there is none. Lives in `arena`. Before nir_lower_io drops
 * the variables. */
nir_xfb_info *nir_gather_xfb_info(nir_shader *shader, struct arena *arena);

#endif
