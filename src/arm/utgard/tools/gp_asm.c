/* SPDX-License-Identifier: MIT */
/* saffron-gp-asm: text of Mali-400 vertex programs to machine code.
 *
 * Exit codes: 0 done, 1 errors in the text, 2 wrong use or a file that
 * cannot be read or written.
 */
#include <stdio.h>

#include "gp_text_tool.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron asm --gen=mali400 [options] [FILE]\n"
   "Assembles a vertex program; reads standard input without FILE. The text\n"
   "is explained in docs/utgard.rst; '.const' and '.temps' are for gp-run\n"
   "and are not part of machine code.\n"
   "\n"
   "  -g, --gen=mali400  the only one here\n"
   "  -o, --output=FILE  where the code goes; standard output otherwise\n"
   "  -x, --hex          write text, four dwords a line, instead of bytes\n"
   "  -v, --validate     also report what the rules of the machine forbid\n"
   "  -h, --help         this text\n";

static int
write_code(const struct gp_text_options *o, const struct gp_instr *instrs,
           unsigned count)
{
   FILE *out = tool_open_output("saffron asm", o->output);
   if (!out)
      return TOOL_EXIT_USAGE;
   for (unsigned i = 0; i < count; i++) {
      uint32_t dw[GP_INSTR_DWORDS];
      UNUSED const bool fits = gp_encode(&instrs[i], dw, NULL);
      assert(fits && "the parser lets no larger value pass");
      if (o->hex)
         fprintf(out, "%08x %08x %08x %08x\n", dw[0], dw[1], dw[2], dw[3]);
      else
         fwrite(dw, sizeof(dw), 1, out);
   }
   return tool_close_output("saffron asm", o->output, out) ? TOOL_EXIT_OK
                                                           : TOOL_EXIT_USAGE;
}

static int
assemble(const struct gp_text_options *o, const struct util_dynarray *text)
{
   static struct gp_instr instrs[GP_MAX_INSTRS];
   static struct gp_text_data data;
   struct gp_text_error error;
   unsigned count;
   if (!gp_parse_program(text->data ? text->data : "", text->size_B, instrs,
                         &count, &data, &error)) {
      fprintf(stderr, "%s:%u:%u: error: %s\n", o->file, error.line,
              error.column, error.text);
      return TOOL_EXIT_BAD_INPUT;
   }
   if (o->validate && !gp_text_validate(o, instrs, count, &data))
      return TOOL_EXIT_BAD_INPUT;
   return write_code(o, instrs, count);
}

int
main(int argc, char **argv)
{
   static const struct gp_text_tool tool = { "saffron asm", usage };
   struct gp_text_options o;
   struct util_dynarray text = { 0 };
   int result = gp_text_options_parse(&tool, argc, argv, &o);

   if (result >= 0)
      return result;
   result = TOOL_EXIT_USAGE;
   if (tool_read_file(tool.name, o.input, &text))
      result = assemble(&o, &text);
   util_dynarray_fini(&text);
   return result;
}
