/* SPDX-License-Identifier: MIT */
/* IEEE 754 binary16 in software, independent of the host's rounding mode. */
#ifndef UTIL_HALF_H
#define UTIL_HALF_H

#include "macros.h"

/* Exact. A NaN keeps its payload's top bits. */
float util_half_to_float(uint16_t h);

/* Rounds to nearest, ties to even; overflow gives infinity. */
uint16_t util_float_to_half(float f);

/* Rounds toward zero; overflow gives the largest finite value. */
uint16_t util_float_to_half_rtz(float f);

/* One rounding, to nearest even, with no detour over binary32. */
uint16_t util_double_to_half(double d);

#endif
