/* SPDX-License-Identifier: MIT */
#ifndef COMPILE_RESOURCES_H
#define COMPILE_RESOURCES_H

#include "compiler/nir/nir.h"

/* What was given out to a set and binding: `first`, and as many as it has
 * elements. */
struct compile_resource {
   unsigned set, binding, first;
   bool sampler;
};

struct compile_resources {
   struct compile_resource list[128];
   unsigned count;
};

/*
 * Gives each descriptor a binding-table entry and each sampler an entry of
 * the sampler table, in the order in which they are met, after
 * `first_entry` render targets; for compilation with no pipeline layout at
 * hand; *given, unless it is NULL, lists them. False, with *what naming it,
 * for a resource that is not handled.
 */
bool compile_lower_resources(nir_shader *nir, unsigned first_entry,
                             struct compile_resources *given,
                             const char **what);

#endif
