/* SPDX-License-Identifier: MIT */
#include "intel_address_layouts.h"

/* 31 bits: all that exists has to be there at once. The pools are one object
 * where the kernel moves objects; none begins at an address that could as
 * well be an offset in a pool. */
const struct intel_address_layout intel_small_layout = {
   .low = 0x2000000,
   .low_end = 0x8000000,
   .dynamic = 0x8000000,
   .binding_table = 0x9000000,
   .surface = 0xa000000,
   .instruction = 0xb000000,
   .pool_size_B = 0x1000000,
   .general = 0xc000000,
   .replayed = 0x80000000,
   .end = 0x80000000,
};

/* 32 bits, of a process alone (i915: Cherryview's PPGTT has no more). */
const struct intel_address_layout intel_middle_layout = {
   .low = 0x10000,
   .low_end = 0x10000000,
   .dynamic = 0x10000000,
   .binding_table = 0x14000000,
   .surface = 0x18000000,
   .instruction = 0x1c000000,
   .pool_size_B = 0x4000000,
   .general = 0x20000000,
   .replayed = 0xe0000000,
   .end = 0xfff00000,
};

/* 48 bits, of which the upper half of the addresses is not used. */
const struct intel_address_layout intel_large_layout = {
   .low = 0x10000,
   .low_end = 0x100000000,
   .dynamic = 0x100000000,
   .binding_table = 0x180000000,
   .surface = 0x1c0000000,
   .instruction = 0x200000000,
   .pool_size_B = 0x40000000,
   .general = 0x300000000,
   .replayed = 0x600000000000,
   .end = 0x7fff00000000,
};
