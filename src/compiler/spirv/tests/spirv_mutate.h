/* SPDX-License-Identifier: MIT */
/*
 * Damages a good module a little: a bit, a word taken from elsewhere, an id,
 * a small number; or cuts it, or takes out, doubles or swaps instructions.
 */
#ifndef SPIRV_MUTATE_H
#define SPIRV_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "util/arena.h"

#define SPIRV_MUTATE_MAX_WORDS (1 << 16)

struct spirv_module_words {
   uint32_t *words;
   size_t n;
};

bool spirv_read_module(struct arena *arena, const char *path,
                       struct spirv_module_words *m);

/* `words` has room for SPIRV_MUTATE_MAX_WORDS. The new length; the same for
 * the same seed, which is not 0. */
size_t spirv_mutate(uint32_t *words, size_t n, uint64_t seed);

#endif
