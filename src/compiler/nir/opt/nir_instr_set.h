/* SPDX-License-Identifier: MIT */
/* Sets of instructions by what they compute. */
#ifndef NIR_INSTR_SET_H
#define NIR_INSTR_SET_H

#include "nir.h"

/* Whether the instruction may be merged with an equal one at all. */
bool nir_instr_can_be_merged(const nir_instr *instr);
uint64_t nir_instr_hash(const nir_instr *instr);
bool nir_instrs_equal(const nir_instr *a, const nir_instr *b);

#endif
