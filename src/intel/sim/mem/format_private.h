/* SPDX-License-Identifier: MIT */
/* What the readers of formats share. */
#ifndef SIM_FORMAT_PRIVATE_H
#define SIM_FORMAT_PRIVATE_H

#include "util/macros.h"

/* IEC 61966-2-1: from 0..1, and from a byte. */
double sim_srgb_to_linear(double v);
float sim_srgb8_to_linear(uint8_t v);

#endif
