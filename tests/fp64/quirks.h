/* SPDX-License-Identifier: MIT */
/*
 * What the chips do otherwise than one would think when doubles are there
 * (docs/eu-fp64-facts.rst, section 6), as properties of single instructions
 * that no compiled shader may have. They are worked out here from the
 * decoded instruction, apart from the validator's rules.
 */
#ifndef QUIRKS_H
#define QUIRKS_H

#include "intel/isa/isa.h"

#define QUIRK_TEXTS 3

struct quirk {
   unsigned number; /* in section 6; rows of the same kind follow */
   const char *name;
   uint8_t gens; /* bits 1 << enum isa_gen */
   bool (*has)(enum isa_gen gen, const struct isa_inst *inst);
   /* Instructions that have it on each of these generations, or that cannot
    * be written there at all. */
   const char *text[QUIRK_TEXTS];
};

extern const struct quirk quirks[];
extern const unsigned num_quirks;

/* The first one that the instruction has, or NULL. */
const struct quirk *quirk_of(enum isa_gen gen, const struct isa_inst *inst);

#endif
