/* SPDX-License-Identifier: MIT */
/*
 * NIR to SPIR-V: the public face of this folder.
 *
 * What is taken
 *  - One entry point. Functions that are called are inlined first.
 *  - Structured control flow, variables and dereference chains, phis: what
 *    spirv_to_nir() and the readers of Direct3D's bytecode make, before or
 *    after variables became SSA. What passes for back ends have made of it
 *    (load_ubo, load_input, addresses) is refused by name.
 *
 * What comes out
 *  - A module of SPIR-V 1.3 for Vulkan 1.1, with OpLine where the place in
 *    the source is known. Newer capabilities come with their extension.
 *  - Locations, sets and bindings are those of the variables.
 *  - Integers are unsigned wherever the interface does not say otherwise.
 *  - What may not round twice is decorated NoContraction.
 */
#ifndef SPIRV_WRITE_H
#define SPIRV_WRITE_H

#include "compiler/nir/nir.h"
#include "util/dynarray.h"

struct spirv_write_options {
   const char *entry; /* name of the entry point; NULL: "main" */
   /* Floats that are no integer of the wanted size become the nearest one,
    * NaNs zero, as NIR and Direct3D have it; SPIR-V promises nothing. */
   bool saturate;
};

/*
 * Appends the words of a module to `words`. The shader is not changed. False,
 * and nothing appended, if something cannot be written: `error` says what.
 */
bool nir_to_spirv(const nir_shader *nir,
                  const struct spirv_write_options *options,
                  struct util_dynarray *words, char *error, size_t error_B);

#endif
