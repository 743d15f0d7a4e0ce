/* SPDX-License-Identifier: MIT */
/*
 * Where instructions come from: a file of the shader's source, a line and a
 * column, both from 1. A shader has a table of such places; an instruction
 * names one by its index (nir_instr.location), and 0 is none.
 *
 * Front ends set the builder's location. What passes insert takes that of
 * the instruction at the cursor: what replaces an instruction stands for the
 * same line. Instructions that are found equal keep the location of the one
 * that stays.
 */
#ifndef NIR_LOCATION_H
#define NIR_LOCATION_H

#include "ir/nir_base.h"

typedef struct nir_source_file {
   const char *name; /* never NULL */
   const char *text; /* NULL: the front end was not given it */
} nir_source_file;

typedef struct nir_location {
   nir_source_file *file;
   uint32_t line, column; /* column 0: the whole line */
} nir_location;

/* A copy of both strings; `text` may be NULL. Lives as long as the shader. */
nir_source_file *nir_shader_add_source(struct nir_shader *shader,
                                       const char *name, const char *text);
/* Files of the name `from` get the name `to`. */
void nir_shader_rename_source(struct nir_shader *shader, const char *from,
                              const char *to);
/* An index for nir_instr.location; one that was added last is used again. */
uint32_t nir_shader_add_location(struct nir_shader *shader,
                                 nir_source_file *file, uint32_t line,
                                 uint32_t column);
/* NULL: not known. Valid until a location is added. */
const nir_location *nir_instr_location(const struct nir_shader *shader,
                                       const struct nir_instr *instr);
/*
 * The text of a line, without its end: `*length` bytes from the pointer that
 * is returned; NULL: there is no such line, or no text. Lines that begin with
 * "#line N" give the one after them the number N.
 */
const char *nir_source_line(const nir_source_file *file, uint32_t line,
                            size_t *length);

#endif
