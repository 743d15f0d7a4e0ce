/* SPDX-License-Identifier: MIT */
/* What every other header of the IR needs. */
#ifndef NIR_BASE_H
#define NIR_BASE_H

#include "util/list.h"

#define NIR_MAX_VEC_COMPONENTS 16
#define NIR_MAX_MATRIX_COLUMNS 4
#define NIR_FALSE 0u
#define NIR_TRUE (~0u)
typedef uint16_t nir_component_mask_t;

struct hash_table;

#define NIR_DEFINE_CAST(name, in_type, out_type, field)                      \
   static inline out_type *name(const in_type *parent)                       \
   {                                                                         \
      return CONTAINER_OF((in_type *)parent, out_type, field);               \
   }

struct nir_function;
struct nir_shader;
struct nir_instr;
struct nir_builder;
struct nir_block;
struct nir_if;

#endif
