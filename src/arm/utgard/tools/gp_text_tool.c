/* SPDX-License-Identifier: MIT */
#include "gp_text_tool.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>

#include "util/tool_io.h"

static int
wrong_use(const struct gp_text_tool *tool, const char *what)
{
   fprintf(stderr, "%s: %s\n%s", tool->name, what, tool->usage);
   return TOOL_EXIT_USAGE;
}

int
gp_text_options_parse(const struct gp_text_tool *tool, int argc, char **argv,
                      struct gp_text_options *o)
{
   static const struct option long_options[] = {
      { "gen", required_argument, NULL, 'g' },
      { "output", required_argument, NULL, 'o' },
      { "hex", no_argument, NULL, 'x' },
      { "validate", no_argument, NULL, 'v' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   int c;

   memset(o, 0, sizeof(*o));
   while ((c = getopt_long(argc, argv, "g:o:xvh", long_options, NULL)) >= 0) {
      switch (c) {
      case 'g':
         if (strcmp(optarg, "mali400"))
            return wrong_use(tool, "--gen is not mali400");
         break;
      case 'o': o->output = optarg; break;
      case 'x': o->hex = true; break;
      case 'v': o->validate = true; break;
      case 'h': fputs(tool->usage, stdout); return TOOL_EXIT_OK;
      default: return wrong_use(tool, "unknown option");
      }
   }
   if (argc - optind > 1)
      return wrong_use(tool, "more than one file");
   o->input = optind < argc ? argv[optind] : NULL;
   o->file = o->input ? o->input : "<stdin>";
   return -1;
}

bool
gp_text_validate(const struct gp_text_options *o,
                 const struct gp_instr *instrs, unsigned count,
                 const struct gp_text_data *data)
{
   static float known[GP_NUM_UNIFORMS][4];
   struct gp_violation v[64];
   struct gp_check_options options = { .first_temp = GP_NUM_UNIFORMS };

   if (data) {
      /* What is no constant is no number, and so no known address. */
      for (unsigned i = 0; i < GP_NUM_UNIFORMS * 4; i++)
         known[i / 4][i % 4] =
            data->is_constant[i / 4] ? data->constants[i / 4][i % 4] : NAN;
      options.known = (const float(*)[4])known;
      options.known_count = GP_NUM_UNIFORMS;
      if (data->temp_count)
         options.first_temp = data->temp_first;
   }
   const unsigned num = gp_check_program(
      instrs, count, data ? &options : NULL, v, ARRAY_SIZE(v));
   for (unsigned i = 0; i < MIN2(num, ARRAY_SIZE(v)); i++) {
      struct strbuf text = { 0 };
      gp_print_violation(&v[i], &text);
      fprintf(stderr, "%s: %s\n", o->file, text.s);
      strbuf_fini(&text);
   }
   if (num > ARRAY_SIZE(v))
      fprintf(stderr, "%s: %u more\n", o->file,
              num - (unsigned)ARRAY_SIZE(v));
   return num == 0;
}
