/* SPDX-License-Identifier: MIT */
/*
 * The files of SAFFRON_SIM_RECORD (docs/envvars.rst), in the host's byte
 * order: a batch as the GPU was given it.
 *
 *    struct record_head
 *    num_bos times:
 *       struct record_bo
 *       num_pages times: uint64_t page, and its 4096 bytes
 *
 * Pages of zeros are left out. What the batch finds in the registers and the
 * state of its context is what earlier batches of the same `state` left.
 */
#ifndef SAFFRON_SIM_RECORD_H
#define SAFFRON_SIM_RECORD_H

#include <stdint.h>

#define RECORD_MAGIC "SaffJob1"

struct record_head {
   char magic[8];
   uint32_t verx10;
   uint32_t engine;   /* 0 render, 1 copy */
   uint64_t sequence; /* of the process, from 1 */
   uint64_t state;    /* equal: the same hardware context */
   uint64_t batch_address;
   uint32_t reset_so; /* stream output offsets are zeroed first */
   uint32_t num_bos;
};

struct record_bo {
   uint64_t address, size_B, num_pages;
};

#endif
