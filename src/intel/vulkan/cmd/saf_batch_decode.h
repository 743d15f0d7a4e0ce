/* SPDX-License-Identifier: MIT */
/* INTEL_DEBUG=bat: what a batch says, in words. */
#ifndef SAF_BATCH_DECODE_H
#define SAF_BATCH_DECODE_H

#include <stdio.h>
#include "intel/vulkan/base/saf_device.h"

/* Prints the batch at a GPU address, through its jumps to its end. */
void saf_batch_decode(struct saf_device *device, uint64_t addr, FILE *fp);

#endif
