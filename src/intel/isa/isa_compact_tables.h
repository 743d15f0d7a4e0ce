/* SPDX-License-Identifier: MIT */
/* The compact forms as data; generated from isa_compact.py. */
#ifndef ISA_COMPACT_TABLES_H
#define ISA_COMPACT_TABLES_H

#include "isa.h"

/* Bits that both words have: `width` of them at `small` in the compact one
 * and at `shift` of half `half` in the full one. */
struct isa_compact_move {
   uint8_t small, width, half, shift;
};

/* Bits of the compact word that stand for a combination of bits of the full
 * one: values[i] under `mask`. */
struct isa_compact_index {
   uint8_t small, width;
   uint64_t mask[2];
   const uint64_t (*values)[2];
};

struct isa_compact_form {
   uint64_t reached[2]; /* bits of the full word that the form has */
   const struct isa_compact_move *moves;
   const struct isa_compact_index *indices;
   uint8_t num_moves, num_indices;
};

enum isa_compact_kind {
   ISA_COMPACT_BASIC,
   ISA_COMPACT_IMM, /* the last source is an immediate */
   ISA_COMPACT_SRC3,
   ISA_COMPACT_KIND_COUNT,
};

/* NULL: none on that generation. */
extern const struct isa_compact_form
   *const isa_compact_forms[ISA_GEN_COUNT][ISA_COMPACT_KIND_COUNT];

#endif
