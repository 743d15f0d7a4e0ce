/* SPDX-License-Identifier: MIT */
/* What the tests do with a module. */
#ifndef SPIRV_RUN_H
#define SPIRV_RUN_H

#include <stdio.h>
#include "compiler/spirv/spirv_to_nir.h"

/* The fragment shader "main" of the module that is the program's only
 * argument; NULL after a message. */
nir_shader *spirv_run_read(int argc, char **argv);

/* Translates the first entry point, lowers variables and I/O, validates after
 * each pass. Prints NIR to `out` if that is not NULL. */
void spirv_run(const uint32_t *words, size_t n, FILE *out,
               struct spirv_error *err);

/* The lowering alone; whether anything changed. */
bool spirv_run_lowering(nir_shader *nir);

#endif
