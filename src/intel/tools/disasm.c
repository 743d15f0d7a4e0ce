/* SPDX-License-Identifier: MIT */
/* saffron-disasm: EU machine code to assembly text.
 *
 * Exit codes: 0 done, 1 something is no instruction, 2 wrong use or a file
 * that cannot be read.
 */
#include <ctype.h>
#include <stdio.h>

#include "isa_tool.h"

static const char usage[] =
   "usage: saffron disasm --gen=GEN [options] [FILE]\n"
   "Disassembles EU instructions; reads standard input without FILE.\n"
   "\n"
   "  -g, --gen=GEN      ivb, hsw, bdw, skl (also 7, 7.5, 8, 9), bxt ...\n"
   "  -o, --output=FILE  where the text goes; standard output otherwise\n"
   "  -x, --hex          the input is text: bytes as hexadecimal digits\n"
   "  -b, --bytes        show the bytes of each instruction\n"
   "  -p, --offsets      show the offset of each instruction\n"
   "  -m, --messages     show the fields of messages by name\n"
   "  -h, --help         this text\n";

struct options {
   struct isa_tool tool;
   bool hex, bytes, offsets, messages;
};

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
   const char *file = isa_tool_input(&o->tool);
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
   if (!isa_disassemble(o->tool.gen, code->data, code->size_B, &options,
                        &text, &error)) {
      fprintf(stderr, "%s: at 0x%zx: error: %s\n", file, error.offset_B,
              error.text);
      result = TOOL_EXIT_BAD_INPUT;
   }
   if (!tool_write_text(o->tool.name, o->tool.output, strbuf_str(&text)))
      result = TOOL_EXIT_USAGE;
   strbuf_fini(&text);
   return result;
}

int
main(int argc, char **argv)
{
   struct options o = { 0 };
   const struct isa_tool_flag flags[] = {
      { 'x', "hex", &o.hex },
      { 'b', "bytes", &o.bytes },
      { 'p', "offsets", &o.offsets },
      { 'm', "messages", &o.messages },
   };

   o.tool = (struct isa_tool) { .name = "saffron disasm",
                                .usage = usage,
                                .flags = flags,
                                .num_flags = ARRAY_SIZE(flags) };
   return isa_tool_main(&o.tool, argc, argv, disassemble, &o);
}
