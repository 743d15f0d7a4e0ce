/* SPDX-License-Identifier: MIT */
/* Local arrays in memory (scratch space or a constant buffer): which ones may
 * be there, and at which offsets. Every component takes four or eight bytes;
 * booleans and smaller numbers are widened. */
#ifndef NIR_LOCAL_ARRAYS_H
#define NIR_LOCAL_ARRAYS_H

#include "nir_builder.h"

/* Bytes of a component of that type in memory: 4 or 8. */
unsigned nir_memory_component_B(const struct glsl_type *t);

/* Bytes of a whole value of that type; 0 if it cannot be in memory. */
uint64_t nir_memory_type_B(const struct glsl_type *t);

/* Whether all uses of a dereference, and of those below it, are loads and
 * stores: any other use needs the variable. */
bool nir_deref_is_only_loaded_and_stored(nir_deref_instr *d);

/* Byte offset of an element from the start of its array, plus `base_B`; code
 * goes to the builder's cursor. An index out of bounds gives the last
 * element. */
nir_value *nir_memory_offset(nir_builder *b, nir_deref_instr *deref,
                             unsigned base_B);

/* A value of `bits` bits from `v` as memory holds it (widened to 32). */
nir_value *nir_narrow_from_memory(nir_builder *b, nir_value *v,
                                  unsigned bits);

#endif
