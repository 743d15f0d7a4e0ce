/* SPDX-License-Identifier: MIT */
/*
 * What the registers of a program hold that headers of messages to scratch
 * space are made of, as far as its text tells: read from the first
 * instruction to the last, whatever the way of a thread.
 */
#ifndef SIM_HEADERS_H
#define SIM_HEADERS_H

#include "intel/sim/eu/eu.h"

#define SIM_HEADER_UNKNOWN UINT32_MAX

struct sim_headers {
   struct {
      bool scratch;       /* dword 5 is that of r0: where scratch space is */
      uint32_t offset_ow; /* dword 2, if it is an immediate */
   } grf[SIM_GRF_COUNT];
};

/* At the start of a program. */
void sim_headers_init(struct sim_headers *h);

/* Behind an instruction. */
void sim_headers_step(struct sim_headers *h, const struct isa_inst *inst);

#endif
