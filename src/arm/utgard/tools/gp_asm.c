/* SPDX-License-Identifier: MIT */
/* saffron-gp-asm: text of Mali-400 vertex programs to machine code.
 *
 * Exit codes: 0 done, 1 errors in the text, 2 wrong use or a file that
 * cannot be read or written.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "arm/utgard/isa/gp_check.h"
#include "intel/tools/io.h"

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

struct options {
   const char *input, *output;
   bool hex, validate;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron-gp-asm: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

static bool
validate(const char *file, const struct gp_instr *instrs, unsigned count,
         const struct gp_text_data *data)
{
   struct gp_violation v[64];
   const struct gp_check_options options = {
      .first_temp = data->temp_count ? data->temp_first : GP_NUM_UNIFORMS,
      .known = data->constants, .known_count = GP_NUM_UNIFORMS,
   };
   const unsigned num =
      gp_check_program(instrs, count, &options, v, ARRAY_SIZE(v));
   for (unsigned i = 0; i < MIN2(num, ARRAY_SIZE(v)); i++) {
      struct strbuf text = { 0 };
      gp_print_violation(&v[i], &text);
      fprintf(stderr, "%s: %s\n", file, text.s);
      strbuf_fini(&text);
   }
   if (num > ARRAY_SIZE(v))
      fprintf(stderr, "%s: %u more\n", file, num - (unsigned)ARRAY_SIZE(v));
   return num == 0;
}

static int
write_code(const struct options *o, const struct gp_instr *instrs,
           unsigned count)
{
   FILE *out = o->output ? fopen(o->output, "wb") : stdout;
   if (!out) {
      fprintf(stderr, "saffron-gp-asm: %s: %s\n", o->output,
              strerror(errno));
      return TOOL_EXIT_USAGE;
   }
   for (unsigned i = 0; i < count; i++) {
      uint32_t dw[GP_INSTR_DWORDS];
      UNUSED const bool fits = gp_encode(&instrs[i], dw, NULL);
      assert(fits && "the parser lets no larger value pass");
      if (o->hex)
         fprintf(out, "%08x %08x %08x %08x\n", dw[0], dw[1], dw[2], dw[3]);
      else
         fwrite(dw, sizeof(dw), 1, out);
   }
   const bool bad = ferror(out) | (o->output ? fclose(out) : fflush(out));
   if (bad) {
      fprintf(stderr, "saffron-gp-asm: %s: cannot write\n",
              o->output ? o->output : "standard output");
      return TOOL_EXIT_USAGE;
   }
   return TOOL_EXIT_OK;
}

static int
assemble(const struct options *o, const struct util_dynarray *text)
{
   static struct gp_instr instrs[GP_MAX_INSTRS];
   static struct gp_text_data data;
   const char *file = o->input ? o->input : "<stdin>";
   struct gp_text_error error;
   unsigned count;
   if (!gp_parse_program(text->data ? text->data : "", text->size_B, instrs,
                         &count, &data, &error)) {
      fprintf(stderr, "%s:%u:%u: error: %s\n", file, error.line,
              error.column, error.text);
      return TOOL_EXIT_BAD_INPUT;
   }
   if (o->validate && !validate(file, instrs, count, &data))
      return TOOL_EXIT_BAD_INPUT;
   return write_code(o, instrs, count);
}

int
main(int argc, char **argv)
{
   static const struct option long_options[] = {
      { "gen", required_argument, NULL, 'g' },
      { "output", required_argument, NULL, 'o' },
      { "hex", no_argument, NULL, 'x' },
      { "validate", no_argument, NULL, 'v' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct options o = { 0 };
   int c;
   while ((c = getopt_long(argc, argv, "g:o:xvh", long_options, NULL)) >= 0) {
      switch (c) {
      case 'g':
         if (strcmp(optarg, "mali400"))
            return wrong_use("--gen is not mali400");
         break;
      case 'o':
         o.output = optarg;
         break;
      case 'x':
         o.hex = true;
         break;
      case 'v':
         o.validate = true;
         break;
      case 'h':
         fputs(usage, stdout);
         return TOOL_EXIT_OK;
      default:
         return wrong_use("unknown option");
      }
   }
   if (argc - optind > 1)
      return wrong_use("more than one file");
   o.input = optind < argc ? argv[optind] : NULL;

   struct util_dynarray text = { 0 };
   int result = TOOL_EXIT_USAGE;
   if (tool_read_file("saffron-gp-asm", o.input, &text))
      result = assemble(&o, &text);
   util_dynarray_fini(&text);
   return result;
}
