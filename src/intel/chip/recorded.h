/* SPDX-License-Identifier: MIT */
/*
 * Programs that suites of the simulator record, in the host's byte order:
 *
 *    struct recorded_program
 *    code_B bytes of code, without the end of thread
 *    32 bytes for each register whose bit is set
 */
#ifndef RECORDED_H
#define RECORDED_H

#include <stdint.h>

#define RECORDED_MAGIC "SaffEU2"

struct recorded_program {
   char magic[8];
   char name[64]; /* SUITE-NUMBER */
   char gen[8];
   uint32_t mask, code_B;
   uint32_t regs[4];
};

#endif
