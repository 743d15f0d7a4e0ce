/* SPDX-License-Identifier: MIT */
/*
 * saffron-d3d: Direct3D shader bytecode as text and back.
 *
 * Exit codes: 0 done, 1 the input is not good, 2 wrong use or a file that
 * cannot be read or written.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "compiler/d3d/d3dbc/d3dbc.h"
#include "io.h"

static const char usage[] =
   "usage: saffron-d3d dis|asm|info [options] [FILE]\n"
   "Reads standard input without FILE.\n"
   "\n"
   "  dis    shader bytecode (vs and ps 1.0 to 3.0) as assembly text\n"
   "  asm    assembly text to bytecode\n"
   "  info   profile, instructions, registers, constant table\n"
   "\n"
   "  -o, --output=FILE  where the result goes; standard output otherwise\n"
   "  -x, --hex          asm: eight dwords a line, as text\n"
   "  -f, --force        do not check what the profile allows\n"
   "  -h, --help         this text\n";

struct options {
   const char *input, *output;
   bool hex, force;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron-d3d: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

static int
bad_input(const struct options *o, const struct d3d_error *error)
{
   char buf[256];

   fprintf(stderr, "%s%s%s\n", o->input ? o->input : "<stdin>",
           error->line ? ":" : ": ",
           d3d_error_text(error, buf, sizeof(buf)));
   return TOOL_EXIT_BAD_INPUT;
}

static bool
write_bytes(const struct options *o, const struct util_dynarray *code)
{
   FILE *out = o->output ? fopen(o->output, "wb") : stdout;
   const uint32_t *dw = code->data;
   const size_t n = code->size_B / 4;

   if (!out) {
      fprintf(stderr, "saffron-d3d: %s: %s\n", o->output, strerror(errno));
      return false;
   }
   if (o->hex) {
      for (size_t i = 0; i < n; i++)
         fprintf(out, "%08x%c", dw[i], i % 8 == 7 || i + 1 == n ? '\n' : ' ');
   } else {
      fwrite(code->data, 1, code->size_B, out);
   }
   const bool bad = ferror(out) | (o->output ? fclose(out) : fflush(out));
   if (bad)
      fprintf(stderr, "saffron-d3d: %s: cannot write\n",
              o->output ? o->output : "standard output");
   return !bad;
}

static int
assemble(const struct options *o, struct arena *arena,
         const struct util_dynarray *in)
{
   struct util_dynarray code = { 0 };
   struct d3d_error error;
   int result = TOOL_EXIT_USAGE;
   struct d3dbc_shader *shader = d3dbc_parse(
      arena, in->data ? in->data : "", in->size_B, &error);

   if (!shader || (!o->force && !d3dbc_validate(shader, &error)))
      return bad_input(o, &error);
   d3dbc_encode(shader, &code);
   if (write_bytes(o, &code))
      result = TOOL_EXIT_OK;
   util_dynarray_fini(&code);
   return result;
}

static void
print_info(const struct d3dbc_shader *shader, struct strbuf *out)
{
   unsigned used[D3DBC_FILE_COUNT] = { 0 };
   unsigned count = 0, comments = 0;

   for (size_t i = 0; i < shader->num_insts; i++) {
      const struct d3dbc_inst *inst = &shader->inst[i];
      if (inst->op == D3DBC_OP_COUNT) {
         comments++;
         continue;
      }
      if (d3dbc_op_info(inst->op)->sem != D3DBC_SEM_DECL)
         count++;
      for (unsigned n = 0; n < inst->num_operands; n++) {
         const struct d3dbc_reg reg = inst->operand[n].reg;
         used[reg.file] = MAX2(used[reg.file], reg.index + 1u);
      }
   }
   strbuf_printf(out, "profile       %s\n",
                 d3dbc_profile_info(shader->profile)->name);
   strbuf_printf(out, "instructions  %u\n", count);
   strbuf_printf(out, "comments      %u\n", comments);
   for (unsigned f = 0; f < D3DBC_FILE_COUNT; f++) {
      const struct d3dbc_file_info *info =
         d3dbc_file_info((enum d3dbc_file)f);
      if (used[f])
         strbuf_printf(out, "registers     %s below %u of %u\n",
                       info->names ? info->names[0] : info->text, used[f],
                       info->limit[shader->profile]);
   }
   d3dbc_print_ctab(shader, out);
}

static int
show(const struct options *o, struct arena *arena,
     const struct util_dynarray *in, bool info)
{
   struct d3d_error error;
   struct strbuf text = { 0 };
   int result;
   struct d3dbc_shader *shader =
      d3dbc_decode(arena, in->data ? in->data : "", in->size_B, &error);

   if (!shader || (!o->force && !d3dbc_validate(shader, &error)))
      return bad_input(o, &error);
   if (info) {
      print_info(shader, &text);
   } else {
      d3dbc_print_ctab(shader, &text);
      d3dbc_print(shader, &text);
   }
   result = tool_write_text("saffron-d3d", o->output, strbuf_str(&text))
               ? TOOL_EXIT_OK
               : TOOL_EXIT_USAGE;
   strbuf_fini(&text);
   return result;
}

static int
run(const char *command, const struct options *o)
{
   struct util_dynarray in = { 0 };
   struct arena *arena = arena_create(NULL);
   int result = TOOL_EXIT_USAGE;

   if (!tool_read_file("saffron-d3d", o->input, &in))
      result = TOOL_EXIT_USAGE;
   else if (!strcmp(command, "asm"))
      result = assemble(o, arena, &in);
   else
      result = show(o, arena, &in, !strcmp(command, "info"));
   util_dynarray_fini(&in);
   arena_destroy(arena);
   return result;
}

int
main(int argc, char **argv)
{
   static const struct option long_options[] = {
      { "output", required_argument, NULL, 'o' },
      { "hex", no_argument, NULL, 'x' },
      { "force", no_argument, NULL, 'f' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct options o = { 0 };
   const char *command;
   int c;

   while ((c = getopt_long(argc, argv, "o:xfh", long_options, NULL)) >= 0) {
      switch (c) {
      case 'o':
         o.output = optarg;
         break;
      case 'x':
         o.hex = true;
         break;
      case 'f':
         o.force = true;
         break;
      case 'h':
         fputs(usage, stdout);
         return TOOL_EXIT_OK;
      default:
         return wrong_use("unknown option");
      }
   }
   if (optind >= argc)
      return wrong_use("dis, asm or info?");
   command = argv[optind++];
   if (strcmp(command, "dis") && strcmp(command, "asm") &&
       strcmp(command, "info"))
      return wrong_use("unknown command");
   if (argc - optind > 1)
      return wrong_use("more than one file");
   o.input = optind < argc ? argv[optind] : NULL;
   return run(command, &o);
}
