/* SPDX-License-Identifier: MIT */
#ifndef DXBC_PRIVATE_H
#define DXBC_PRIVATE_H

#include <stdint.h>
#include <string.h>

/* Names are shorter: so that what many records share is not printed for each
 * of them without end. */
#define DXBC_MAX_NAME_B 1024

static inline uint32_t
dxbc_u32(const uint8_t *p)
{
   uint32_t v;
   memcpy(&v, p, 4);
   return v;
}

#endif
