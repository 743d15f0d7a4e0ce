/* SPDX-License-Identifier: MIT */
/*
 * saffron-structurize: the structurizer alone, on every function of a shader
 * in SPIR-V or NIR text.
 *
 * Exit codes: 0 done, 1 the shader is not good or cannot be taken apart, 2
 * wrong use or a file that cannot be read or written.
 */
#include <getopt.h>
#include <stdio.h>

#include "cfg/structurize.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron structurize [options] FILE\n"
   "Takes the control flow of a shader apart and structures it anew; says\n"
   "how many blocks, copies, state variables and exit predicates that took.\n"
   "\n"
   "  -u, --undo-dispatch  loops that only choose by a state what to do\n"
   "                       next become what they run\n"
   "  -c, --max-copies=N   blocks to copy at most where loops have many\n"
   "                       entries, before a variable chooses one (8)\n"
   "  -d, --dot=FILE       the graphs before and after, for Graphviz\n"
   "  -o, --output=FILE    the result as NIR text; - is the standard output\n"
   "  -e, --entry=NAME     entry point of a SPIR-V module (the first)\n"
   "  -h, --help           this text\n"
   "\n"
   "FILE is SPIR-V or NIR text, told apart by the first word; - is the\n"
   "standard input. See docs/structurizer.rst.\n";

struct options {
   struct nir_structurize_options pass;
   const char *input, *output, *dot, *entry;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron structurize: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

static nir_shader *
from_spirv(const struct options *o, struct arena *arena,
           const struct util_dynarray *data)
{
   const uint32_t *words = data->data;
   const size_t n = data->size_B / 4;
   struct spirv_to_nir_options opts = { .parent = arena,
                                        .unstructured = true };
   struct spirv_error err = { 0 };
   char place[96];
   gl_shader_stage stage = MESA_SHADER_NONE;
   const char *name = "main";
   nir_shader *nir;

   if (data->size_B % 4) {
      fprintf(stderr, "%s: %zu bytes are no whole number of words\n",
              o->input, data->size_B);
      return NULL;
   }
   if (!spirv_get_entry_point(words, n, 0, &stage, &name))
      stage = MESA_SHADER_COMPUTE;
   nir = spirv_to_nir(words, n, NULL, 0, stage, o->entry ? o->entry : name,
                      &opts, &err);
   if (!nir)
      fprintf(stderr, "%s: word %zu%s: %s\n", o->input, err.word_offset,
              spirv_error_place(&err, place, sizeof(place)), err.message);
   return nir;
}

static nir_shader *
read_shader(const struct options *o, struct arena *arena,
            const struct util_dynarray *data)
{
   static const uint32_t magic = 0x07230203;
   char *error = NULL;

   if (data->size_B >= 4 && !memcmp(data->data, &magic, 4))
      return from_spirv(o, arena, data);
   nir_shader *nir =
      nir_parse_shader(arena, data->data, data->size_B, NULL, &error);
   if (!nir)
      fprintf(stderr, "%s:%s\n", o->input, error ? error : "error");
   return nir;
}

static const char *
plural(unsigned n)
{
   return n == 1 ? "" : "s";
}

static void
print_stats(FILE *f, const char *name, const struct nir_structurize_stats *s)
{
   fprintf(f, "%s: %u block%s, %s\n", name, s->blocks_before,
           plural(s->blocks_before),
           s->reducible ? "reducible" : "irreducible");
   if (s->undone)
      fprintf(f, "%s: dispatch undone, %u edge%s go straight\n", name,
              s->states_undone, plural(s->states_undone));
   fprintf(f,
           "%s: after: %u block%s of NIR, %u cop%s, %u state variable%s, "
           "%u exit predicate%s, %u one-trip loop%s\n",
           name, s->blocks_after, plural(s->blocks_after), s->copies,
           s->copies == 1 ? "y" : "ies", s->state_variables,
           plural(s->state_variables), s->exit_predicates,
           plural(s->exit_predicates), s->one_trip_loops,
           plural(s->one_trip_loops));
}

static void
draw(const struct cfg *g, const char *title, void *file)
{
   cfg_print_dot(g, title, file);
}

static bool
is_stdout(const char *name)
{
   return name && !strcmp(name, "-");
}

static void
structurize(struct options *o, nir_shader *nir)
{
   /* Standard output is for one thing alone. */
   FILE *f = is_stdout(o->output) || is_stdout(o->dot) ? stderr : stdout;

   nir_lower_vars_to_ssa(nir);
   nir_foreach_function(func, nir) {
      struct nir_structurize_stats stats;
      if (!func->impl)
         continue;
      nir_structurize_impl(func->impl, &o->pass, &stats);
      print_stats(f, func->name, &stats);
   }
   nir_validate_shader(nir, "structurize");
   nir_opt_dce(nir);
}

/* NULL: standard output. */
static const char *
path_of(const char *name)
{
   return is_stdout(name) ? NULL : name;
}

/* The pass draws as it goes. */
static int
structurize_and_draw(struct options *o, nir_shader *nir)
{
   if (!o->dot) {
      structurize(o, nir);
      return TOOL_EXIT_OK;
   }
   const char *path = path_of(o->dot);
   FILE *dot = tool_open_output("saffron structurize", path);

   if (!dot)
      return TOOL_EXIT_USAGE;
   o->pass.show = draw;
   o->pass.data = dot;
   structurize(o, nir);
   return tool_close_output("saffron structurize", path, dot)
             ? TOOL_EXIT_OK
             : TOOL_EXIT_USAGE;
}

static int
write_nir(const struct options *o, nir_shader *nir)
{
   const char *path = path_of(o->output);
   FILE *out = tool_open_output("saffron structurize", path);

   if (!out)
      return TOOL_EXIT_USAGE;
   nir_print_shader(nir, out);
   return tool_close_output("saffron structurize", path, out)
             ? TOOL_EXIT_OK
             : TOOL_EXIT_USAGE;
}

/* Files are touched when the shader is known to be good. */
static int
run(struct options *o, struct arena *arena)
{
   struct util_dynarray data = { 0 };
   int result = TOOL_EXIT_BAD_INPUT;

   if (!tool_read_file("saffron structurize", o->input, &data)) {
      util_dynarray_fini(&data);
      return TOOL_EXIT_USAGE;
   }
   nir_shader *nir = read_shader(o, arena, &data);
   if (nir) {
      result = structurize_and_draw(o, nir);
      if (result == TOOL_EXIT_OK && o->output)
         result = write_nir(o, nir);
   }
   util_dynarray_fini(&data);
   return result;
}

static bool
read_count(const char *text, unsigned *n)
{
   char *end;
   const unsigned long v = strtoul(text, &end, 10);

   *n = (unsigned)v;
   return *text >= '0' && *text <= '9' && !*end && v <= 1000000;
}

static int
structurize_main(int argc, char **argv)
{
   static const struct option longs[] = {
      { "undo-dispatch", no_argument, NULL, 'u' },
      { "max-copies", required_argument, NULL, 'c' },
      { "dot", required_argument, NULL, 'd' },
      { "output", required_argument, NULL, 'o' },
      { "entry", required_argument, NULL, 'e' },
      { "help", no_argument, NULL, 'h' },
      { NULL, 0, NULL, 0 },
   };
   struct options o = { .pass = { .max_copies = 8 } };
   int c;

   while ((c = getopt_long(argc, argv, "uc:d:o:e:h", longs, NULL)) != -1) {
      switch (c) {
      case 'u': o.pass.undo_dispatch = true; break;
      case 'c':
         if (!read_count(optarg, &o.pass.max_copies))
            return wrong_use("--max-copies: a number up to 1000000");
         break;
      case 'd': o.dot = optarg; break;
      case 'o': o.output = optarg; break;
      case 'e': o.entry = optarg; break;
      case 'h': fputs(usage, stdout); return 0;
      default: return wrong_use("unknown option, or one without its value");
      }
   }
   if (optind + 1 != argc)
      return wrong_use("one FILE");
   o.input = argv[optind];
   struct arena *arena = arena_create(NULL);
   const int result = run(&o, arena);
   arena_destroy(arena);
   return result;
}

int
main(int argc, char **argv)
{
   return tool_run_deep("saffron structurize", structurize_main, argc, argv);
}
