/* SPDX-License-Identifier: MIT */
/* What the assembler and the disassembler have in common: their options. */
#ifndef ISA_TOOL_H
#define ISA_TOOL_H

#include "intel/isa/isa.h"
#include "util/tool_io.h"

#define ISA_TOOL_MAX_FLAGS 4

/* An option without a value. */
struct isa_tool_flag {
   char letter;
   const char *word;
   bool *set;
};

struct isa_tool {
   const char *name, *usage;
   const struct isa_tool_flag *flags;
   unsigned num_flags; /* at most ISA_TOOL_MAX_FLAGS */

   /* What was asked for: files may be NULL, standard input and output. */
   enum isa_gen gen;
   bool low_power;
   const char *input, *output;
};

/* The name of the input for messages. */
const char *isa_tool_input(const struct isa_tool *tool);

/* Reads the options, then the input, for `work` as tool_on_file() has it.
 * Returns an exit code. */
int isa_tool_main(struct isa_tool *tool, int argc, char **argv,
                  int (*work)(void *user, struct util_dynarray *contents),
                  void *user);

#endif
