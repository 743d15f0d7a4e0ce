/* SPDX-License-Identifier: MIT */
/*
 * What the messages of a program do to memory, as far as its text tells:
 * from this a dispatcher sees whether its threads can be told apart, and may
 * run at the same time.
 */
#ifndef SIM_EFFECTS_H
#define SIM_EFFECTS_H

#include "util/bitset.h"
#include "util/macros.h"

struct isa_inst;
struct sim_headers;

#define SIM_EFFECT_BTIS 256

/* Indices that are no binding table entries; PRM SKL vol 2d, MDC_BTS and
 * MDC_STATELESS. */
#define BTI_BINDLESS 252
#define BTI_STATELESS_NON_COHERENT 253
#define BTI_SLM 254
#define BTI_STATELESS_COHERENT 255

struct sim_effects {
   /* Reads, or writes, what no entry of the binding table names: any
    * address, bindless surfaces, entries by a register. */
   bool reads_any, writes_any;
   /* Reads or writes the thread's own scratch space, up to that byte. */
   bool scratch;
   uint32_t scratch_end_B;
   /* Reads and writes in one; the surface is not among the others. */
   bool atomics;
   bool barriers;
   /* Entries of the binding table: of the data port and the sampler, */
   BITSET_DECLARE(reads, SIM_EFFECT_BTIS);
   BITSET_DECLARE(writes, SIM_EFFECT_BTIS);
   /* and render targets, that are written or read. */
   BITSET_DECLARE(targets, SIM_EFFECT_BTIS);
};

/* OWords that a block message moves, by the size in its descriptor; 0:
 * reserved. */
unsigned sim_block_owords(unsigned block);

/* Adds what an instruction does, be it a message or not; `headers` is what
 * those before it have left. */
void sim_effects_add(struct sim_effects *e, unsigned verx10,
                     const struct isa_inst *inst,
                     const struct sim_headers *headers);

#endif
