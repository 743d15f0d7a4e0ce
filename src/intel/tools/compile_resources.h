/* SPDX-License-Identifier: MIT */
#ifndef COMPILE_RESOURCES_H
#define COMPILE_RESOURCES_H

#include "compiler/nir/nir.h"

/*
 * Gives each descriptor a binding-table entry and each sampler an entry of
 * the sampler table, in the order in which they are met, after
 * `first_entry` render targets; for compilation with no pipeline layout at
 * hand. False, with *what naming it, for a resource that is not handled.
 */
bool compile_lower_resources(nir_shader *nir, unsigned first_entry,
                             const char **what);

#endif
