/* SPDX-License-Identifier: MIT */
/* saffron-chip: a real chip beside the simulated one. See docs/chip.rst.
 *
 * Exit codes: 0 nothing differs, 1 something does, 2 wrong use, or a device
 * or file that cannot be opened.
 */
#include <getopt.h>
#include <stdio.h>

#include "intel/chip/chip.h"
#include "util/tool_io.h"

#define DEFAULT_LIMIT_S 10
#define NS_PER_S 1000000000ull

static const char usage[] =
   "usage: saffron chip [OPTIONS]\n"
   "Runs the same small programs on a real chip and on the simulated one, "
   "from\n"
   "harmless ones to whole scenes, and says what differs. Each has a time "
   "limit and\n"
   "a context of its own. Needs no rights but those for the render node.\n"
   "\n"
   "  -n, --node=PATH     render node (/dev/dri/renderD128)\n"
   "  -o, --output=FILE   the report, as JSON (chip-report.json)\n"
   "  -s, --only=STAGE[/CASE]\n"
   "                      only this stage, or one case of it\n"
   "  -t, --limit=SECONDS for each case (10)\n"
   "  -d, --data=FOLDER   recorded programs and scenes\n"
   "  -l, --list          the stages, in their order\n"
   "  -q, --quiet         no progress\n"
   "  -g, --gen=GEN       with --check: ivb, hsw, bdw or skl\n"
   "  -c, --check=FILE    judge the simulator by what chips have told\n"
   "                      (written by --import)\n"
   "  -i, --import=FILE   turn a report into tests of the simulator, and\n"
   "                      its timing into a table\n"
   "      --into=FOLDER   where --import writes (the sources' tests)\n"
   "  -h, --help          this text\n"
   "\n"
   "Exit codes: 0 nothing differs, 1 something does, 2 wrong use or a device "
   "or file\n"
   "that cannot be opened.\n";

struct options {
   const char *node, *output, *data, *check, *gen;
   char stage[64];
   const char *only_case;
   uint64_t limit_s;
   bool quiet, list;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron-chip: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

static bool
is_stage(const char *name)
{
   for (const struct chip_stage *s = chip_stages; s->name; s++) {
      if (!strcmp(s->name, name))
         return true;
   }
   return false;
}

static const char *
set_only(struct options *o, const char *text)
{
   const char *slash = strchr(text, '/');
   const size_t n = slash ? (size_t)(slash - text) : strlen(text);
   snprintf(o->stage, sizeof(o->stage), "%.*s",
            (int)MIN2(n, sizeof(o->stage) - 1), text);
   o->only_case = slash ? slash + 1 : NULL;
   return is_stage(o->stage) ? NULL : "--only names no stage: see --list";
}

static const char *
set_limit(struct options *o, const char *text)
{
   char *end;
   o->limit_s = strtoull(text, &end, 10);
   return *end || !o->limit_s || o->limit_s > 3600
             ? "--limit is not 1 to 3600 seconds"
             : NULL;
}

/* Stages that are asked for, until the device is lost. */
static void
run_stages(struct chip *c, const struct options *o)
{
   for (const struct chip_stage *s = chip_stages; s->name; s++) {
      if (c->failed || (o->stage[0] && strcmp(o->stage, s->name)))
         continue;
      c->stage = s->name;
      c->hangs = 0;
      if (!c->quiet)
         fprintf(stderr, "%s: %s\n", s->name, s->summary);
      if (c->report)
         chip_report_stage(c->report, s->name);
      s->run(c);
      if (c->report)
         chip_report_stage_end(c->report, c->failed ? "lost"
                                          : c->hangs >= CHIP_MAX_HANGS
                                             ? "given up"
                                             : "done");
   }
}

static int
run_chip(const struct options *o)
{
   struct chip_device chip = { .limit_ns = o->limit_s * NS_PER_S };
   struct chip_device sim = { .limit_ns = 600 * NS_PER_S };
   if (!chip_open_node(&chip, o->node))
      return TOOL_EXIT_USAGE;
   if (!chip_open_sim(&sim, chip.info->name)) {
      chip_close(&chip);
      return TOOL_EXIT_USAGE;
   }
   struct chip c = { .chip = &chip,
                     .sim = &sim,
                     .data_folder = o->data,
                     .only_case = o->only_case,
                     .quiet = o->quiet };
   unsigned deviations = 0;
   bool written = false;
   c.report = chip_report_create(o->output, &chip);
   if (c.report) {
      run_stages(&c, o);
      written = chip_report_finish(c.report, &deviations);
   }
   if (!c.failed)
      chip_close(&chip);
   chip_close(&sim);
   if (!written)
      return TOOL_EXIT_USAGE;
   printf("%s: %u deviation%s, in %s\n", chip.info->full_name, deviations,
          deviations == 1 ? "" : "s", o->output);
   return deviations ? TOOL_EXIT_BAD_INPUT : TOOL_EXIT_OK;
}

static int
run_check(const struct options *o)
{
   struct chip_device sim = { .limit_ns = 600 * NS_PER_S };
   struct chip_expected *e = chip_expected_load(o->check, o->gen);
   if (!e)
      return TOOL_EXIT_USAGE;
   if (!chip_open_sim(&sim, o->gen)) {
      chip_expected_finish(e, NULL);
      return TOOL_EXIT_USAGE;
   }
   struct chip c = {
      .sim = &sim, .data_folder = o->data, .expected = e, .quiet = true
   };
   unsigned wrong;
   run_stages(&c, o);
   chip_close(&sim);
   const unsigned missing = chip_expected_finish(e, &wrong);
   return wrong || missing ? TOOL_EXIT_BAD_INPUT : TOOL_EXIT_OK;
}

static int
list_stages(void)
{
   for (const struct chip_stage *s = chip_stages; s->name; s++)
      printf("%-14s%s\n", s->name, s->summary);
   return TOOL_EXIT_OK;
}

static const struct option long_options[] = {
   { "node", required_argument, NULL, 'n' },
   { "output", required_argument, NULL, 'o' },
   { "only", required_argument, NULL, 's' },
   { "limit", required_argument, NULL, 't' },
   { "data", required_argument, NULL, 'd' },
   { "list", no_argument, NULL, 'l' },
   { "quiet", no_argument, NULL, 'q' },
   { "gen", required_argument, NULL, 'g' },
   { "check", required_argument, NULL, 'c' },
   { "import", required_argument, NULL, 'i' },
   { "help", no_argument, NULL, 'h' },
   { 0 },
};

static int
chip_main(int argc, char **argv)
{
   struct options o = { .node = "/dev/dri/renderD128",
                        .output = "chip-report.json",
                        .limit_s = DEFAULT_LIMIT_S };
   const char *wrong = NULL;
   int opt;
   while (!wrong && (opt = getopt_long(argc, argv, "n:o:s:t:d:lqg:c:i:h",
                                       long_options, NULL)) >= 0) {
      switch (opt) {
      case 'n': o.node = optarg; break;
      case 'o': o.output = optarg; break;
      case 's': wrong = set_only(&o, optarg); break;
      case 't': wrong = set_limit(&o, optarg); break;
      case 'd': o.data = optarg; break;
      case 'l': o.list = true; break;
      case 'q': o.quiet = true; break;
      case 'g': o.gen = optarg; break;
      case 'c': o.check = optarg; break;
      case 'i': wrong = "--import is for 'saffron chip'"; break;
      case 'h': fputs(usage, stdout); return TOOL_EXIT_OK;
      default: wrong = "unknown option"; break;
      }
   }
   if (!wrong && optind < argc)
      wrong = "there is nothing but options";
   if (!wrong && o.check &&
       (!o.gen || isa_gen_from_name(o.gen) == ISA_GEN_COUNT))
      wrong = "--check wants --gen: ivb, hsw, bdw or skl";
   if (wrong)
      return wrong_use(wrong);
   if (o.list)
      return list_stages();
   return o.check ? run_check(&o) : run_chip(&o);
}

int
main(int argc, char **argv)
{
   return tool_exit("saffron-chip", chip_main(argc, argv));
}
