/* SPDX-License-Identifier: MIT */
/* Latencies: see isa_timing.h. */
#include "isa_timing.h"

unsigned
isa_math_latency(enum isa_math function)
{
   switch (function) {
   case ISA_MATH_POW:
   case ISA_MATH_FDIV: return 36;
   case ISA_MATH_SIN:
   case ISA_MATH_COS: return 30;
   case ISA_MATH_INT_DIV_QUOTIENT:
   case ISA_MATH_INT_DIV_REMAINDER:
   case ISA_MATH_INT_DIV_BOTH: return 90;
   default: return 22;
   }
}

unsigned
isa_message_latency(enum isa_sfid sfid)
{
   switch (sfid) {
   case ISA_SFID_SAMPLER: return 200;
   case ISA_SFID_CONST_CACHE:
   case ISA_SFID_SAMPLER_CACHE: return 100;
   case ISA_SFID_DATA_CACHE0:
   case ISA_SFID_DATA_CACHE1: return 150;
   case ISA_SFID_URB: return 60;
   case ISA_SFID_PIXEL_INTERP: return 50;
   default: return 30;
   }
}
