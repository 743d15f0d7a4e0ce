/* SPDX-License-Identifier: MIT */
/*
 * How long results take, in cycles, for the compiler's scheduler and for the
 * simulator's count alike.
 *
 * Source: latencies as measured on Haswell for the public drivers'
 * schedulers, rounded, caches warm. To compare programs by, no clock.
 */
#ifndef ISA_TIMING_H
#define ISA_TIMING_H

#include "isa.h"

#define ISA_LATENCY_ALU 14
#define ISA_LATENCY_WIDE 22 /* doubles and 64-bit integers */
#define ISA_LATENCY_FLAG 18 /* a condition */

/* From issue until the result can be read. */
unsigned isa_math_latency(enum isa_math function);

/* From issue to the response. */
unsigned isa_message_latency(enum isa_sfid sfid);

#endif
