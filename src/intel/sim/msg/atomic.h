/* SPDX-License-Identifier: MIT */
/* Atomic operations by their hardware codes, for untyped and typed data. */
#ifndef SIM_ATOMIC_H
#define SIM_ATOMIC_H

#include "util/macros.h"

bool dp_atomic_exists(unsigned op, bool is_float);

/* Operands in the payload, 0 to 2. */
unsigned dp_atomic_operands(unsigned op, bool is_float);

/* Performs it on the 4 or 8 bytes at p, aligned; gives what the message
 * returns. */
uint64_t dp_atomic(unsigned op, bool is_float, unsigned size_B, void *p,
                   uint64_t a, uint64_t b);

#endif
