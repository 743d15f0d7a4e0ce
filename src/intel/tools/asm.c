/* SPDX-License-Identifier: MIT */
/* saffron-asm: EU assembly text to machine code.
 *
 * Exit codes: 0 done, 1 errors in the text, 2 wrong use or a file that
 * cannot be read or written.
 */
#include <stdio.h>

#include "isa_tool.h"

static const char usage[] =
   "usage: saffron asm --gen=GEN [options] [FILE]\n"
   "Assembles EU instructions; reads standard input without FILE.\n"
   "\n"
   "  -g, --gen=GEN      ivb, hsw, bdw, skl (also 7, 7.5, 8, 9), bxt ...\n"
   "  -o, --output=FILE  where the code goes; standard output otherwise\n"
   "  -x, --hex          write text, four dwords a line, instead of bytes\n"
   "  -c, --compact      use the 8-byte form wherever there is one\n"
   "  -v, --validate     also report instructions that hardware forbids\n"
   "  -h, --help         this text\n";

struct options {
   struct isa_tool tool;
   bool hex, compact, validate;
};

static void
print_errors(const char *file, const struct isa_errors *errors)
{
   const unsigned shown = MIN2(errors->count, ISA_MAX_ERRORS);
   for (unsigned i = 0; i < shown; i++)
      fprintf(stderr, "%s:%u:%u: error: %s\n", file, errors->error[i].line,
              errors->error[i].column, errors->error[i].text);
   if (errors->count > shown)
      fprintf(stderr, "%s: %u more errors\n", file, errors->count - shown);
}

static bool
validate(const struct options *o, const char *file,
         const struct util_dynarray *code)
{
   struct isa_faults faults = { 0 };
   struct isa_error error;
   if (isa_validate_program(o->tool.gen, o->tool.low_power, code->data,
                            code->size_B, &faults, &error))
      return true;
   const unsigned shown = MIN2(faults.count, ISA_MAX_FAULTS);
   bool runs = shown == faults.count;
   for (unsigned i = 0; i < shown; i++) {
      const struct isa_rule *r = faults.rule[i];
      const bool strict = r->severity == ISA_RULE_STRICT;
      fprintf(stderr, "%s: at 0x%zx: %s [%s; %s]%s%s\n", file,
              faults.offset_B[i], r->text, r->id, r->source,
              strict ? "; no fault: " : "", strict ? r->evidence : "");
      runs &= strict;
   }
   return runs && faults.count;
}

static void
write_hex(FILE *out, const struct util_dynarray *code)
{
   const uint8_t *p = code->data;
   size_t at = 0;
   while (at < code->size_B) {
      const unsigned size_B = p[at + 3] & 0x20 ? 8 : 16;
      for (unsigned i = 0; i < size_B; i += 4)
         fprintf(out, "%s%02x%02x%02x%02x", i ? " " : "", p[at + i],
                 p[at + i + 1], p[at + i + 2], p[at + i + 3]);
      fputc('\n', out);
      at += size_B;
   }
}

static int
write_code(const struct options *o, const struct util_dynarray *code)
{
   FILE *out = tool_open_output(o->tool.name, o->tool.output);
   if (!out)
      return TOOL_EXIT_USAGE;
   if (o->hex)
      write_hex(out, code);
   else if (code->size_B)
      fwrite(code->data, 1, code->size_B, out);
   return tool_close_output(o->tool.name, o->tool.output, out)
             ? TOOL_EXIT_OK
             : TOOL_EXIT_USAGE;
}

static int
assemble(void *user, struct util_dynarray *text)
{
   const struct options *o = user;
   const char *file = isa_tool_input(&o->tool);
   struct util_dynarray code = { 0 };
   struct isa_errors errors;
   int result = TOOL_EXIT_BAD_INPUT;
   if (!isa_assemble(o->tool.gen, text->data ? text->data : "", text->size_B,
                     &code, &errors)) {
      print_errors(file, &errors);
   } else if (!o->validate || validate(o, file, &code)) {
      if (o->compact && code.size_B)
         code.size_B =
            isa_compact_program(o->tool.gen, code.data, code.size_B, NULL, 0);
      result = write_code(o, &code);
   }
   util_dynarray_fini(&code);
   return result;
}

int
main(int argc, char **argv)
{
   struct options o = { 0 };
   const struct isa_tool_flag flags[] = {
      { 'x', "hex", &o.hex },
      { 'c', "compact", &o.compact },
      { 'v', "validate", &o.validate },
   };

   o.tool = (struct isa_tool) { .name = "saffron asm",
                                .usage = usage,
                                .flags = flags,
                                .num_flags = ARRAY_SIZE(flags) };
   return isa_tool_main(&o.tool, argc, argv, assemble, &o);
}
