/* SPDX-License-Identifier: MIT */
#include "isa.h"

bool
isa_compact(enum isa_gen gen, const uint32_t full[4], uint32_t compact[2])
{
   return false;
}

bool
isa_uncompact(enum isa_gen gen, const uint32_t compact[2], uint32_t full[4])
{
   return false;
}
