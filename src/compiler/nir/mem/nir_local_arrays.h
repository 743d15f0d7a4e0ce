/* SPDX-License-Identifier: MIT */
/* Local arrays that become memory: where their elements are, and whether they
 * can. Every component takes four bytes, or eight: booleans and smaller
 * numbers are widened. */
#ifndef NIR_LOCAL_ARRAYS_H
#define NIR_LOCAL_ARRAYS_H

#include "nir_builder.h"

unsigned nir_memory_component_B(const struct glsl_type *t);

/* 0: of no type that memory has. */
uint64_t nir_memory_type_B(const struct glsl_type *t);

/* Anything else than loads and stores of it wants a variable. */
bool nir_deref_is_only_loaded_and_stored(nir_deref_instr *d);

/* Of an element from the start of its array, plus `base_B`. An index out of
 * bounds reaches the last element. */
nir_value *nir_memory_offset(nir_builder *b, nir_deref_instr *deref,
                             unsigned base_B);

/* What memory has of a value with so many bits. */
nir_value *nir_narrow_from_memory(nir_builder *b, nir_value *v,
                                  unsigned bits);

#endif
