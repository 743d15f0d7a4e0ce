/* SPDX-License-Identifier: MIT */
/* saffron-gp-disasm: machine code of Mali-400 vertex programs to text.
 *
 * Exit codes: 0 done, 1 the input is no program or breaks a rule, 2 wrong
 * use or a file that cannot be read or written.
 */
#include <ctype.h>
#include <stdio.h>

#include "gp_text_tool.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron disasm --gen=mali400 [options] [FILE]\n"
   "Disassembles a vertex program; reads standard input without FILE.\n"
   "\n"
   "  -g, --gen=mali400  the only one here\n"
   "  -o, --output=FILE  where the text goes; standard output otherwise\n"
   "  -x, --hex          the input is text: dwords of 8 hexadecimal digits\n"
   "  -v, --validate     also report what the rules of the machine forbid\n"
   "  -h, --help         this text\n";

/* Words of 8 digits between blanks become dwords; false with a message on
 * anything else. */
static bool
parse_hex(const char *file, const struct util_dynarray *text,
          struct util_dynarray *code)
{
   const char *p = text->data;
   unsigned line = 1, column = 0, digits = 0;
   uint32_t value = 0;
   for (size_t i = 0; i <= text->size_B; i++) {
      const int c = i < text->size_B ? (unsigned char)p[i] : '\n';
      column++;
      if (isxdigit(c) && digits < 8) {
         const int digit = isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
         value = value << 4 | (uint32_t)digit;
         digits++;
      } else if (isspace(c) && (digits == 0 || digits == 8)) {
         if (digits)
            util_dynarray_append(code, uint32_t, value);
         digits = 0;
      } else {
         fprintf(stderr,
                 "%s:%u:%u: error: expected dwords of 8 hexadecimal "
                 "digits\n",
                 file, line, column);
         return false;
      }
      if (c == '\n') {
         line++;
         column = 0;
      }
   }
   return true;
}

static int
disassemble(const struct gp_text_options *o, const struct util_dynarray *code)
{
   static struct gp_instr instrs[GP_MAX_INSTRS];
   const size_t word_B = GP_INSTR_DWORDS * sizeof(uint32_t);
   const size_t count = code->size_B / word_B;
   if (code->size_B % word_B || count > GP_MAX_INSTRS) {
      fprintf(stderr,
              "%s: error: %zu bytes are not up to %u instructions of "
              "%zu\n",
              o->file, code->size_B, GP_MAX_INSTRS, word_B);
      return TOOL_EXIT_BAD_INPUT;
   }
   for (size_t i = 0; i < count; i++) {
      uint32_t dw[GP_INSTR_DWORDS];
      memcpy(dw, (const char *)code->data + i * word_B, word_B);
      gp_decode(dw, &instrs[i]);
   }
   struct strbuf text = { 0 };
   gp_print_program(instrs, (unsigned)count, &text);
   int result = TOOL_EXIT_OK;
   if (!tool_write_text("saffron disasm", o->output, strbuf_str(&text)))
      result = TOOL_EXIT_USAGE;
   else if (o->validate &&
            !gp_text_validate(o, instrs, (unsigned)count, NULL))
      result = TOOL_EXIT_BAD_INPUT;
   strbuf_fini(&text);
   return result;
}

static int
run(const struct gp_text_options *o)
{
   struct util_dynarray input = { 0 }, code = { 0 };
   int result = TOOL_EXIT_USAGE;
   if (tool_read_file("saffron disasm", o->input, &input)) {
      result = TOOL_EXIT_BAD_INPUT;
      if (!o->hex)
         result = disassemble(o, &input);
      else if (parse_hex(o->file, &input, &code))
         result = disassemble(o, &code);
   }
   util_dynarray_fini(&input);
   util_dynarray_fini(&code);
   return result;
}

int
main(int argc, char **argv)
{
   static const struct gp_text_tool tool = { "saffron disasm", usage };
   struct gp_text_options o;
   const int result = gp_text_options_parse(&tool, argc, argv, &o);

   return result >= 0 ? result : run(&o);
}
