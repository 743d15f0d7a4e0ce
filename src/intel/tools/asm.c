/* SPDX-License-Identifier: MIT */
/* saffron-asm: EU assembly text to machine code.
 *
 * Exit codes: 0 done, 1 errors in the text, 2 wrong use or a file that
 * cannot be read or written.
 */
#include <getopt.h>
#include <stdio.h>

#include "intel/isa/isa.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron-asm --gen=GEN [options] [FILE]\n"
   "Assembles EU instructions; reads standard input without FILE.\n"
   "\n"
   "  -g, --gen=GEN      ivb, hsw, bdw or skl (also 7, 7.5, 8, 9)\n"
   "  -o, --output=FILE  where the code goes; standard output otherwise\n"
   "  -x, --hex          write text, four dwords a line, instead of bytes\n"
   "  -c, --compact      use the 8-byte form wherever there is one\n"
   "  -v, --validate     also report instructions that hardware forbids\n"
   "  -h, --help         this text\n";

struct options {
   enum isa_gen gen;
   const char *input, *output;
   bool hex, compact, validate;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron-asm: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

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
   if (isa_validate_program(o->gen, code->data, code->size_B, &faults,
                            &error))
      return true;
   const unsigned shown = MIN2(faults.count, ISA_MAX_FAULTS);
   for (unsigned i = 0; i < shown; i++)
      fprintf(stderr, "%s: at 0x%zx: %s [%s; %s]\n", file, faults.offset_B[i],
              faults.rule[i]->text, faults.rule[i]->id,
              faults.rule[i]->source);
   return false;
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
   FILE *out = tool_open_output("saffron-asm", o->output);
   if (!out)
      return TOOL_EXIT_USAGE;
   if (o->hex)
      write_hex(out, code);
   else if (code->size_B)
      fwrite(code->data, 1, code->size_B, out);
   return tool_close_output("saffron-asm", o->output, out) ? TOOL_EXIT_OK
                                                           : TOOL_EXIT_USAGE;
}

static int
assemble(void *user, struct util_dynarray *text)
{
   const struct options *o = user;
   const char *file = o->input ? o->input : "<stdin>";
   struct util_dynarray code = { 0 };
   struct isa_errors errors;
   int result = TOOL_EXIT_BAD_INPUT;
   if (!isa_assemble(o->gen, text->data ? text->data : "", text->size_B,
                     &code, &errors)) {
      print_errors(file, &errors);
   } else if (!o->validate || validate(o, file, &code)) {
      if (o->compact && code.size_B)
         code.size_B =
            isa_compact_program(o->gen, code.data, code.size_B, NULL, 0);
      result = write_code(o, &code);
   }
   util_dynarray_fini(&code);
   return result;
}

int
main(int argc, char **argv)
{
   static const char options[] = "g:o:xcvh";
   static const struct option long_options[] = {
      { "gen", required_argument, NULL, 'g' },
      { "output", required_argument, NULL, 'o' },
      { "hex", no_argument, NULL, 'x' },
      { "compact", no_argument, NULL, 'c' },
      { "validate", no_argument, NULL, 'v' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct options o = { .gen = ISA_GEN_COUNT };
   int c;
   while ((c = getopt_long(argc, argv, options, long_options, NULL)) >= 0) {
      switch (c) {
      case 'g':
         o.gen = isa_gen_from_name(optarg);
         if (o.gen == ISA_GEN_COUNT)
            return wrong_use("--gen is none of ivb, hsw, bdw, skl");
         break;
      case 'o': o.output = optarg; break;
      case 'x': o.hex = true; break;
      case 'c': o.compact = true; break;
      case 'v': o.validate = true; break;
      case 'h': fputs(usage, stdout); return TOOL_EXIT_OK;
      default: return wrong_use("unknown option");
      }
   }
   if (o.gen == ISA_GEN_COUNT)
      return wrong_use("--gen is missing");
   if (argc - optind > 1)
      return wrong_use("more than one file");
   o.input = optind < argc ? argv[optind] : NULL;

   return tool_on_file("saffron-asm", o.input, assemble, &o);
}
