/* SPDX-License-Identifier: MIT */
/*
 * saffron-gp-compile: one vertex shader for Mali-400 through the compiler.
 *
 * Exit codes: 0 compiled, 1 the shader is not good or cannot be compiled, 2
 * wrong use or a file that cannot be read.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "arm/utgard/gp/gp_compiler.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "gp_glsl.h"
#include "util/dynarray.h"
#include "util/tool_io.h"

enum { EXIT_OK, EXIT_BAD_INPUT, EXIT_USAGE };

static const char usage[] =
   "usage: saffron compile --gen=mali400 [options] FILE\n"
   "Compiles a vertex shader for the Mali-400 and shows what became of it.\n"
   "FILE is GLSL, GLSL ES, SPIR-V or NIR text; \"-\" is standard input.\n"
   "\n"
   "  -g, --gen=GEN      mali400\n"
   "  -s, --stage=STAGE  vert (the only one)\n"
   "  -e, --entry=NAME   entry point of a SPIR-V module (main)\n"
   "  -f, --format=FMT   glsl, spirv or nir; by default from the content\n"
   "  -E, --effort=N     0 to 9: how many schedules are tried (1)\n"
   "      --explain      why each block is as long as it is\n"
   "      --no-viewport  leave positions in clip coordinates\n"
   "      --program      the program alone, as gp-run reads it\n"
   "      --stats[=json] statistics alone, as text or JSON\n"
   "  -o, --output=FILE  the machine code: 16 bytes an instruction\n"
   "  -h, --help         this text\n";

enum format { FORMAT_AUTO, FORMAT_GLSL, FORMAT_SPIRV, FORMAT_NIR };
enum stats { STATS_NONE, STATS_TEXT, STATS_JSON };

struct options {
   const char *entry, *input, *output;
   enum format format;
   enum stats stats;
   bool explain, program_only;
   struct gpc_options gpc;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron compile: %s\n%s", what, usage);
   return EXIT_USAGE;
}

static int
refuse_stage(const char *stage)
{
   fprintf(stderr,
           "saffron compile: stage %s: the machine runs vertex shaders "
           "(vert) only\n",
           stage);
   return EXIT_USAGE;
}

/* The stage of GLSL that the name of a file ends with, if it is one that the
 * machine has not; or NULL. */
static const char *
other_stage(const char *path)
{
   static const char *const stages[] = { "tesc", "tese", "geom", "frag",
                                         "comp" };
   const char *dot = strrchr(path, '.');

   for (unsigned i = 0; dot && i < ARRAY_SIZE(stages); i++) {
      if (!strcmp(dot + 1, stages[i]))
         return stages[i];
   }
   return NULL;
}

/* ---- input ---- */

/* The file and a NUL after it. */
static bool
read_file(const char *path, struct util_dynarray *data)
{
   FILE *fp = strcmp(path, "-") ? fopen(path, "rb") : stdin;
   char buffer[4096];
   size_t n;

   while (fp && (n = fread(buffer, 1, sizeof(buffer), fp)))
      memcpy(util_dynarray_grow_bytes(data, n), buffer, n);
   const bool ok = fp && !ferror(fp);
   if (!ok)
      fprintf(stderr, "saffron compile: %s: %s\n", path, strerror(errno));
   if (fp && fp != stdin)
      fclose(fp);
   util_dynarray_append(data, char, '\0');
   data->size_B--;
   return ok;
}

static enum format
guess_format(const struct util_dynarray *data)
{
   static const uint8_t magic[2][4] = { { 3, 2, 0x23, 7 },
                                        { 7, 0x23, 2, 3 } };

   if (data->size_B >= 4 &&
       (!memcmp(data->data, magic[0], 4) || !memcmp(data->data, magic[1], 4)))
      return FORMAT_SPIRV;
   if (data->size_B > 7 && !strncmp(data->data, "shader:", 7))
      return FORMAT_NIR;
   return FORMAT_GLSL;
}

/* GLSL in, SPIR-V out. */
static bool
translate(const struct options *o, struct util_dynarray *data)
{
   if (data->size_B && memchr(data->data, 0, data->size_B)) {
      fprintf(stderr, "%s: a NUL: this is no GLSL\n", o->input);
      return false;
   }
   char in[] = "/tmp/saffron-in-XXXXXX", out[] = "/tmp/saffron-spv-XXXXXX";
   const int fi = mkstemp(in), fo = mkstemp(out);
   struct strbuf text = { 0 };
   bool ok = fi >= 0 && fo >= 0;

   gpc_modernize_glsl(data->data, &text);
   if (ok)
      ok = write(fi, text.s, text.len) == (ssize_t)text.len;
   if (ok) {
      /* clang-format off */
      char *argv[] = { "glslangValidator", "-V", "-R",
                       "--auto-map-locations", "--auto-map-bindings",
                       "--quiet", "-S", "vert", "-o", out, in, NULL };
      /* clang-format on */
      ok = tool_run("saffron compile", argv, in, o->input);
   }
   if (ok) {
      util_dynarray_clear(data);
      ok = read_file(out, data);
   }
   if (fi >= 0) {
      close(fi);
      unlink(in);
   }
   if (fo >= 0) {
      close(fo);
      unlink(out);
   }
   strbuf_fini(&text);
   return ok;
}

static nir_shader *
from_spirv(const struct options *o, struct arena *arena,
           const struct util_dynarray *data)
{
   struct spirv_error err = { 0 };
   char place[96];
   const struct spirv_to_nir_options opts = { .parent = arena,
                                              .nir = &gpc_nir_options };
   gl_shader_stage stage = MESA_SHADER_VERTEX;
   const char *name;
   bool other = false;

   if (data->size_B % 4) {
      fprintf(stderr, "%s: %zu bytes are no whole number of words\n",
              o->input, data->size_B);
      return NULL;
   }
   /* Others of the module may be of any stage. */
   for (unsigned i = 0;
        spirv_get_entry_point(data->data, data->size_B / 4, i, &stage, &name);
        i++) {
      if (strcmp(name, o->entry))
         continue;
      other = stage != MESA_SHADER_VERTEX;
      if (!other)
         break;
   }
   if (other) {
      fprintf(stderr,
              "saffron compile: the stage of \"%s\" is not "
              "supported: the machine runs vertex shaders\n",
              o->entry);
      return NULL;
   }
   nir_shader *nir = spirv_to_nir(data->data, data->size_B / 4, NULL, 0,
                                  MESA_SHADER_VERTEX, o->entry, &opts, &err);
   if (!nir)
      fprintf(stderr, "saffron compile: word %zu%s: %s\n", err.word_offset,
              spirv_error_place(&err, place, sizeof(place)), err.message);
   return nir;
}

static nir_shader *
read_shader(const struct options *o, struct arena *arena,
            struct util_dynarray *data)
{
   const enum format format = o->format ? o->format : guess_format(data);
   char *error = NULL;

   if (format == FORMAT_GLSL && !translate(o, data))
      return NULL;
   if (format != FORMAT_NIR)
      return from_spirv(o, arena, data);
   nir_shader *nir = nir_parse_shader(arena, data->data, data->size_B,
                                      &gpc_nir_options, &error);
   if (!nir)
      fprintf(stderr, "%s:%s\n", o->input, error ? error : "error");
   return nir;
}

/* ---- output ---- */

static bool
write_code(const char *path, const struct gpc_program *p)
{
   FILE *fp = fopen(path, "wb");
   bool ok = fp != NULL;

   for (unsigned i = 0; ok && i < p->count; i++) {
      uint32_t dw[GP_INSTR_DWORDS];
      ok = gp_encode(&p->instrs[i], dw, NULL);
      for (unsigned d = 0; ok && d < GP_INSTR_DWORDS; d++) {
         const uint8_t bytes[4] = { (uint8_t)dw[d], (uint8_t)(dw[d] >> 8),
                                    (uint8_t)(dw[d] >> 16),
                                    (uint8_t)(dw[d] >> 24) };
         ok = fwrite(bytes, 1, 4, fp) == 4;
      }
   }
   if (fp && fclose(fp))
      ok = false;
   if (!ok)
      fprintf(stderr, "saffron compile: %s: %s\n", path, strerror(errno));
   return ok;
}

/* Runs of vec4 that lie next to each other both in the program and as they
 * are declared. */
static void
print_uniforms(const struct gpc_program *p, struct strbuf *out)
{
   const unsigned *source = p->uniform_source;

   if (!p->num_uniforms)
      return;
   strbuf_printf(out, "# uniforms c0 to c%u\n", p->num_uniforms - 1);
   for (unsigned i = 0, n; i < p->num_uniforms; i += n) {
      for (n = 1; i + n < p->num_uniforms && source[i + n] == source[i] + n;)
         n++;
      if (source[i] != i)
         strbuf_printf(out, "#   from c%u on: what is declared from c%u on\n",
                       i, source[i]);
   }
}

/* What the program needs besides the user's uniforms, as gp-run reads it. */
static void
print_memory(const struct gpc_program *p, bool viewport, struct strbuf *out)
{
   print_uniforms(p, out);
   if (viewport)
      strbuf_printf(out, "# scale and offset of the viewport: c%u, c%u\n",
                    p->viewport, p->viewport + 1);
   for (unsigned i = 0; i < p->num_literals; i++)
      strbuf_printf(out, ".const c%u = %.9g, %.9g, %.9g, %.9g\n",
                    p->first_literal + i, p->literals[i][0],
                    p->literals[i][1], p->literals[i][2], p->literals[i][3]);
   if (p->num_temps)
      strbuf_printf(out, ".temps c%u, %u\n", p->first_temp, p->num_temps);
}

static void
print_result(const struct options *o, const struct gpc_program *p)
{
   struct strbuf text = { 0 };

   if (o->stats == STATS_JSON) {
      gpc_print_json(p, &text);
   } else {
      if (o->stats == STATS_NONE || o->program_only) {
         print_memory(p, !o->gpc.no_viewport, &text);
         gp_print_program(p->instrs, p->count, &text);
         strbuf_puts(&text, "\n");
      }
      if (o->program_only) {
         fputs(strbuf_str(&text), stdout);
         strbuf_fini(&text);
         return;
      }
      strbuf_printf(&text,
                    "%u instructions (lower bound %u), %u blocks, "
                    "%u moves, %u register stores, %u loads, %u spills, "
                    "%u temporaries, %u literals, prefetch %d\n",
                    p->count, p->lower_bound, p->blocks, p->moves,
                    p->register_stores, p->register_loads, p->spills,
                    p->num_temps, p->num_literals, p->prefetch);
   }
   fputs(strbuf_str(&text), stdout);
   strbuf_fini(&text);
}

static int
process(struct options *o, struct arena *arena, struct util_dynarray *data)
{
   struct strbuf explained = { 0 };
   nir_shader *nir = read_shader(o, arena, data);

   if (!nir)
      return EXIT_BAD_INPUT;
   if (o->stats == STATS_NONE) {
      printf("NIR after the front end:\n");
      nir_print_shader(nir, stdout);
   }
   if (o->explain)
      o->gpc.explain = &explained;
   const struct gpc_program *p = gpc_compile(arena, nir, &o->gpc);
   if (o->stats == STATS_NONE) {
      printf("NIR before the back end:\n");
      nir_print_shader(p->nir, stdout);
   }
   if (p->error) {
      fflush(stdout);
      fprintf(stderr, "saffron compile: %s\n", p->error);
      strbuf_fini(&explained);
      return EXIT_BAD_INPUT;
   }
   print_result(o, p);
   fputs(strbuf_str(&explained), stdout);
   strbuf_fini(&explained);
   return !o->output || write_code(o->output, p) ? EXIT_OK : EXIT_USAGE;
}

/* ---- options ---- */

static bool
parse_format(const char *s, enum format *f)
{
   static const char *const names[] = { NULL, "glsl", "spirv", "nir" };

   for (unsigned i = 1; i < ARRAY_SIZE(names); i++) {
      if (!strcmp(s, names[i])) {
         *f = (enum format)i;
         return true;
      }
   }
   return false;
}

/* -1: go on; else the exit code. */
static int
parse_option(struct options *o, int c)
{
   switch (c) {
   case 'g':
      return strcmp(optarg, "mali400") ? wrong_use("unknown device") : -1;
   case 's':
      return strcmp(optarg, "vert") && strcmp(optarg, "vs") &&
                   strcmp(optarg, "vertex")
                ? refuse_stage(optarg)
                : -1;
   case 'e': o->entry = optarg; return -1;
   case 'f':
      return parse_format(optarg, &o->format) ? -1
                                              : wrong_use("unknown format");
   case 'E':
      if (optarg[0] < '0' || optarg[0] > '9' || optarg[1])
         return wrong_use("--effort is 0 to 9");
      o->gpc.effort = (unsigned)(optarg[0] - '0');
      return -1;
   case 'X': o->explain = true; return -1;
   case 'P':
      o->program_only = true;
      o->stats = STATS_TEXT;
      return -1;
   case 'V': o->gpc.no_viewport = true; return -1;
   case 'S':
      if (optarg && strcmp(optarg, "json"))
         return wrong_use("--stats is text or json");
      o->stats = optarg ? STATS_JSON : STATS_TEXT;
      return -1;
   case 'o': o->output = optarg; return -1;
   case 'h': fputs(usage, stdout); return EXIT_OK;
   default: fputs(usage, stderr); return EXIT_USAGE;
   }
}

static int
gp_compile_main(int argc, char **argv)
{
   static const struct option longs[] = {
      { "gen", required_argument, NULL, 'g' },
      { "stage", required_argument, NULL, 's' },
      { "entry", required_argument, NULL, 'e' },
      { "format", required_argument, NULL, 'f' },
      { "effort", required_argument, NULL, 'E' },
      { "explain", no_argument, NULL, 'X' },
      { "program", no_argument, NULL, 'P' },
      { "no-viewport", no_argument, NULL, 'V' },
      { "stats", optional_argument, NULL, 'S' },
      { "output", required_argument, NULL, 'o' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct options o = { .entry = "main", .gpc = { .effort = 1 } };
   struct util_dynarray data = { 0 };
   int c, result;

   while ((c = getopt_long(argc, argv, "g:s:e:f:E:o:h", longs, NULL)) != -1) {
      result = parse_option(&o, c);
      if (result >= 0)
         return result;
   }
   if (argc - optind != 1)
      return wrong_use(argc == optind ? "which file?" : "more than one file");
   o.input = argv[optind];
   if (other_stage(o.input))
      return refuse_stage(other_stage(o.input));
   if (!read_file(o.input, &data)) {
      util_dynarray_fini(&data);
      return EXIT_USAGE;
   }
   struct arena *arena = arena_create(NULL);
   result = process(&o, arena, &data);
   arena_destroy(arena);
   util_dynarray_fini(&data);
   return result;
}

int
main(int argc, char **argv)
{
   return tool_run_deep("saffron compile", gp_compile_main, argc, argv);
}
