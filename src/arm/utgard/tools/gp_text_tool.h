/* SPDX-License-Identifier: MIT */
/* What the assembler and the disassembler have in common: their options, and
 * how they say which rules a program breaks. */
#ifndef GP_TEXT_TOOL_H
#define GP_TEXT_TOOL_H

#include "arm/utgard/isa/gp_check.h"

struct gp_text_tool {
   const char *name;  /* of the program, in messages */
   const char *usage; /* the whole help text */
};

struct gp_text_options {
   const char *input, *output; /* NULL: standard input or output */
   const char *file;           /* the input's name, in messages */
   bool hex, validate;
};

/*
 * Reads the command line. -1 if there is work to do; else what the program is
 * to return, after what there was to say.
 */
int gp_text_options_parse(const struct gp_text_tool *tool, int argc,
                          char **argv, struct gp_text_options *o);

/* Whether the program keeps the machine's rules; prints those it breaks on
 * standard error. `data`: what the text says beside instructions, or NULL. */
bool gp_text_validate(const struct gp_text_options *o,
                      const struct gp_instr *instrs, unsigned count,
                      const struct gp_text_data *data);

#endif
