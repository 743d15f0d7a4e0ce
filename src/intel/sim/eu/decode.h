/* SPDX-License-Identifier: MIT */
/* Between program.c, which lays out a program, and decode.c. */
#ifndef SIM_EU_DECODE_H
#define SIM_EU_DECODE_H

#include "intel/sim/eu/eu_private.h"
#include "util/arena.h"

/* Fills in an op (zeroed, but for its position) that executes `inst`, which
 * must live as long as the op does. Memory comes from `a`. */
void eu_decode_inst(const struct isa_inst *inst, unsigned verx10,
                    enum eu_bodies bodies, struct arena *a, struct eu_op *op);

/* Makes the op one that faults. */
void eu_decode_illegal(struct eu_op *op, const char *why);

#endif
