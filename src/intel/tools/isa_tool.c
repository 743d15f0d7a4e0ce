/* SPDX-License-Identifier: MIT */
#include "isa_tool.h"

#include <getopt.h>
#include <stdio.h>

#include "intel/dev/intel_device_info.h"

static int
wrong_use(const struct isa_tool *tool, const char *what)
{
   fprintf(stderr, "%s: %s\n%s", tool->name, what, tool->usage);
   return TOOL_EXIT_USAGE;
}

static int
unknown_gen(const struct isa_tool *tool)
{
   char text[80] = "--gen is none of ";
   const size_t end = strlen(text);
   intel_device_info_chips(text + end, sizeof(text) - end);
   return wrong_use(tool, text);
}

const char *
isa_tool_input(const struct isa_tool *tool)
{
   return tool->input ? tool->input : "<stdin>";
}

/* A generation or a chip; false if there is none of this name. */
static bool
set_gen(struct isa_tool *tool, const char *name)
{
   const struct intel_device_info *chip = intel_device_info_by_name(name);
   tool->gen = chip ? isa_gen_from_number(chip->verx10)
                    : isa_gen_from_name(name);
   tool->low_power = chip && chip->eu.qwords_stay;
   return tool->gen != ISA_GEN_COUNT;
}

static bool
set_flag(const struct isa_tool *tool, int letter)
{
   for (unsigned i = 0; i < tool->num_flags; i++) {
      if (tool->flags[i].letter == letter) {
         *tool->flags[i].set = true;
         return true;
      }
   }
   return false;
}

int
isa_tool_main(struct isa_tool *tool, int argc, char **argv,
              int (*work)(void *user, struct util_dynarray *contents),
              void *user)
{
   char letters[5 + ISA_TOOL_MAX_FLAGS + 1] = "g:o:h";
   struct option words[3 + ISA_TOOL_MAX_FLAGS + 1] = {
      { "gen", required_argument, NULL, 'g' },
      { "output", required_argument, NULL, 'o' },
      { "help", no_argument, NULL, 'h' },
   };
   int c;

   assert(tool->num_flags <= ISA_TOOL_MAX_FLAGS);
   for (unsigned i = 0; i < tool->num_flags; i++) {
      const struct isa_tool_flag *f = &tool->flags[i];
      letters[5 + i] = f->letter;
      words[3 + i] =
         (struct option) { f->word, no_argument, NULL, f->letter };
   }
   tool->gen = ISA_GEN_COUNT;
   while ((c = getopt_long(argc, argv, letters, words, NULL)) >= 0) {
      switch (c) {
      case 'g':
         if (!set_gen(tool, optarg))
            return unknown_gen(tool);
         break;
      case 'o': tool->output = optarg; break;
      case 'h': fputs(tool->usage, stdout); return TOOL_EXIT_OK;
      default:
         if (!set_flag(tool, c))
            return wrong_use(tool, "unknown option");
      }
   }
   if (tool->gen == ISA_GEN_COUNT)
      return wrong_use(tool, "--gen is missing");
   if (argc - optind > 1)
      return wrong_use(tool, "more than one file");
   tool->input = optind < argc ? argv[optind] : NULL;
   return tool_on_file(tool->name, tool->input, work, user);
}
