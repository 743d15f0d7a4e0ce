/* SPDX-License-Identifier: MIT */
#ifndef DXBC_PRIVATE_H
#define DXBC_PRIVATE_H

#include <stdint.h>
#include <string.h>

static inline uint32_t
dxbc_u32(const uint8_t *p)
{
   uint32_t v;
   memcpy(&v, p, 4);
   return v;
}

#endif
