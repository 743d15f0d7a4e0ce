/* SPDX-License-Identifier: MIT */
/* saffron-disasm: EU machine code to assembly text.
 *
 * Exit codes: 0 done, 1 something is no instruction, 2 wrong use or a file
 * that cannot be read.
 */
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>

#include "intel/isa/isa.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron-disasm --gen=GEN [options] [FILE]\n"
   "Disassembles EU instructions; reads standard input without FILE.\n"
   "\n"
   "  -g, --gen=GEN      ivb, hsw, bdw or skl (also 7, 7.5, 8, 9)\n"
   "  -o, --output=FILE  where the text goes; standard output otherwise\n"
   "  -x, --hex          the input is text: bytes as hexadecimal digits\n"
   "  -b, --bytes        show the bytes of each instruction\n"
   "  -p, --offsets      show the offset of each instruction\n"
   "  -m, --messages     show the fields of messages by name\n"
   "  -h, --help         this text\n";

struct options {
   enum isa_gen gen;
   const char *input, *output;
   bool hex, bytes, offsets, messages;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron-disasm: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

/* Pairs of digits, with blanks between pairs, in memory order. Shrinks the
 * text to the bytes in place; false with a message on anything else. */
static bool
parse_hex(const char *file, struct util_dynarray *text)
{
   uint8_t *p = text->data;
   size_t size_B = 0;
   unsigned line = 1, column = 0, half = 0, value = 0;
   for (size_t i = 0; i < text->size_B; i++) {
      const int c = p[i];
      column++;
      if (isxdigit(c)) {
         value = value << 4 |
                 (unsigned)(isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
         half ^= 1;
         if (!half)
            p[size_B++] = (uint8_t)value;
      } else if (!isspace(c) || half) {
         fprintf(stderr, "%s:%u:%u: error: expected a hexadecimal digit\n",
                 file, line, column);
         return false;
      }
      if (c == '\n') {
         line++;
         column = 0;
      }
   }
   if (half) {
      fprintf(stderr, "%s:%u:%u: error: half a byte at the end\n", file, line,
              column);
      return false;
   }
   text->size_B = size_B;
   return true;
}

static int
disassemble(void *user, struct util_dynarray *code)
{
   const struct options *o = user;
   const char *file = o->input ? o->input : "<stdin>";
   if (o->hex && !parse_hex(file, code))
      return TOOL_EXIT_BAD_INPUT;
   const struct isa_disassemble_options options = {
      .hex = o->bytes,
      .offsets = o->offsets,
      .messages = o->messages,
   };
   struct strbuf text = { 0 };
   struct isa_error error;
   int result = TOOL_EXIT_OK;
   if (!isa_disassemble(o->gen, code->data, code->size_B, &options, &text,
                        &error)) {
      fprintf(stderr, "%s: at 0x%zx: error: %s\n", file, error.offset_B,
              error.text);
      result = TOOL_EXIT_BAD_INPUT;
   }
   if (!tool_write_text("saffron-disasm", o->output, strbuf_str(&text)))
      result = TOOL_EXIT_USAGE;
   strbuf_fini(&text);
   return result;
}

int
main(int argc, char **argv)
{
   static const char options[] = "g:o:xbpmh";
   static const struct option long_options[] = {
      { "gen", required_argument, NULL, 'g' },
      { "output", required_argument, NULL, 'o' },
      { "hex", no_argument, NULL, 'x' },
      { "bytes", no_argument, NULL, 'b' },
      { "offsets", no_argument, NULL, 'p' },
      { "messages", no_argument, NULL, 'm' },
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
      case 'b': o.bytes = true; break;
      case 'p': o.offsets = true; break;
      case 'm': o.messages = true; break;
      case 'h': fputs(usage, stdout); return TOOL_EXIT_OK;
      default: return wrong_use("unknown option");
      }
   }
   if (o.gen == ISA_GEN_COUNT)
      return wrong_use("--gen is missing");
   if (argc - optind > 1)
      return wrong_use("more than one file");
   o.input = optind < argc ? argv[optind] : NULL;

   return tool_on_file("saffron-disasm", o.input, disassemble, &o);
}
