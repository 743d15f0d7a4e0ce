/* SPDX-License-Identifier: MIT */
/* One generated function a packet: unpack `in`, pack the result to `out`. */
#ifndef GENXML_ROUNDTRIP_H
#define GENXML_ROUNDTRIP_H

#include <stdint.h>

struct roundtrip {
   const char *name;
   unsigned dwords;
   void (*run)(const uint32_t *in, uint32_t *out);
};

/* By generation (times ten); each ends with a NULL name. */
extern const struct roundtrip roundtrips_70[];
extern const struct roundtrip roundtrips_75[];
extern const struct roundtrip roundtrips_80[];
extern const struct roundtrip roundtrips_90[];

#endif
