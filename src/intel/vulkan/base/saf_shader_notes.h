/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_SHADER_NOTES=FILE: what each shader was made from, for who looks
 * at a recording of its threads ('saffron trace').
 *
 * For each width of a shader that is compiled the file gets:
 *
 *    shader HASH STAGE WIDTH PIECES BYTES
 *    OFFSET LINE FILE      (PIECES times: from that byte on; no file: line 0)
 *    the listing           (BYTES bytes, and a line's end)
 *
 * HASH is that of the code, FNV-1a of 64 bits, as files of
 * SAFFRON_SIM_KERNELS are named.
 */
#ifndef SAF_SHADER_NOTES_H
#define SAF_SHADER_NOTES_H

#include <stdbool.h>

struct intel_shader;
struct nir_shader;

bool saf_shader_notes_wanted(void);
/* `listing` is what the compiler has printed. */
void saf_shader_notes_add(const struct nir_shader *nir,
                          const struct intel_shader *bin,
                          const char *listing);

#endif
