/* SPDX-License-Identifier: MIT */
/*
 * A GPU that is wrong in one place, for tests of what compares chips with the
 * simulator (src/intel/chip): builds with assertions have it, and only who
 * calls saffron_sim_deviate() gets it. All simulators of the process, or of
 * the library that they are in, are then wrong.
 */
#ifndef SIM_DEVIATE_H
#define SIM_DEVIATE_H

#include <string.h>

#include "util/macros.h"

/* What follows the colon is in `name`, and in `to` after a second one. */
enum sim_deviation_kind {
   SIM_DEVIATES_NOT,
   SIM_DEVIATES_ALU,      /* alu:OPCODE:TYPE, of the destination */
   SIM_DEVIATES_CONVERT,  /* convert:TYPE:TYPE */
   SIM_DEVIATES_QUIRK,    /* quirk:TRAIT (gen/traits.h) */
   SIM_DEVIATES_LATENCY,  /* latency:alu, wide, math, pow */
   SIM_DEVIATES_HANG,     /* hang:COMMAND or OPCODE */
   SIM_DEVIATES_REGISTER, /* register:OFFSET drops what is written */
   SIM_DEVIATES_LOST,     /* lost:COMMAND, or the name of a message */
   SIM_DEVIATES_SAMPLER,  /* sampler:position, weights, result, alpha */
   SIM_DEVIATES_RASTER,   /* raster:inclusive, exclusive, shift, down */
   SIM_DEVIATES_PARAM,    /* param:NUMBER:VALUE of I915_GETPARAM */
};

struct sim_deviation {
   enum sim_deviation_kind kind;
   char name[48], to[48];
};

#ifdef NDEBUG
static inline bool
sim_deviates(UNUSED enum sim_deviation_kind kind, UNUSED const char *name)
{
   return false;
}
static inline const char *
sim_deviation_to(void)
{
   return "";
}
#else
extern struct sim_deviation sim_deviation;

/* Whether it is wrong in this; NULL: in any of the kind. */
static inline bool
sim_deviates(enum sim_deviation_kind kind, const char *name)
{
   return __builtin_expect(sim_deviation.kind == kind, 0) &&
          (!name || !strcmp(sim_deviation.name, name));
}
static inline const char *
sim_deviation_to(void)
{
   return sim_deviation.to;
}
#endif

#endif
