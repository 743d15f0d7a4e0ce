/* SPDX-License-Identifier: MIT */
/*
 * What the registers of a program hold that headers of messages to scratch
 * space are made of, as far as its text tells. It is never said of a register
 * that on some way through the program holds something else.
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

/* After an instruction, from what holds before it. */
void sim_headers_step(struct sim_headers *h, const struct isa_inst *inst);

/* Leaves what holds whether or not the instruction was executed. */
void sim_headers_meet(struct sim_headers *h, const struct isa_inst *inst);

#endif
