/* SPDX-License-Identifier: MIT */
/*
 * SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
 * 2012): 64 bits that only who has the key can tell of given bytes. Hashes
 * of hash_table.h are faster, and anybody can make them.
 */
#ifndef UTIL_SIPHASH_H
#define UTIL_SIPHASH_H

#include "macros.h"

struct siphash_key {
   uint64_t k[2];
};

uint64_t siphash(const struct siphash_key *key, const void *data,
                 size_t size_B);

#endif
