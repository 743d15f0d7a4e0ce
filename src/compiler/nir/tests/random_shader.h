/* SPDX-License-Identifier: MIT */
/*
 * Fragment shaders of scalars, an array, ifs and loops, from a number: four
 * values of an input become outputs 0 and on, RANDOM_VARS_PER_TYPE of each
 * type in the order of the enum; booleans are 0 and 1. All ALU instructions
 * are exact.
 */
#ifndef RANDOM_SHADER_H
#define RANDOM_SHADER_H

#include "nir.h"

#define RANDOM_VARS_PER_TYPE 3

enum value_type { T_INT, T_FLOAT, T_DOUBLE, T_BOOL, T_COUNT };

/* `takes`: which opcodes may occur, of which size; NULL: all that give the
 * same bits in all of their forms. */
nir_shader *random_shader(uint64_t seed,
                          const nir_shader_compiler_options *options,
                          bool (*takes)(nir_op op, unsigned bits));

#endif
