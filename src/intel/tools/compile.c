/* SPDX-License-Identifier: MIT */
/*
 * saffron-compile: one shader through the compiler, offline.
 *
 * Input is GLSL or HLSL (by way of glslangValidator), SPIR-V, SPIR-V assembly
 * (by way of spirv-as), Direct3D 9 bytecode or NIR text; output is NIR after the front end, NIR
 * before the back end, annotated assembly and statistics.
 *
 * Exit codes: 0 compiled, 1 the shader is not good or cannot be compiled, 2
 * wrong use or a file that cannot be read.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile_resources.h"
#include "compiler/d3d/d3dbc/d3dbc_to_nir.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "intel/compiler/intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "io.h"
#include "util/strbuf.h"

static const char usage[] =
   "usage: saffron-compile [options] FILE\n"
   "Compiles a graphics or compute shader and shows what became of it.\n"
   "\n"
   "  -g, --gen=GEN      device: bdw or skl (the default)\n"
   "  -s, --stage=STAGE  vert, tesc, tese, geom, frag or comp (or vs, tcs, tes,\n"
   "                     gs, fs, cs); by default from the file\n"
   "  -e, --entry=NAME   entry point of a SPIR-V module (main)\n"
   "  -f, --format=FMT   glsl, hlsl, spirv, spvasm, nir or d3dbc; by default\n"
   "                     from the content and the name\n"
   "      --stats[=json] statistics alone, as text or JSON\n"
   "  -p, --patch=N      vertices of an input patch, for tesc (3)\n"
   "  -t, --targets=N    colour attachments of a fragment shader (1)\n"
   "  -d, --debug=LIST   flags as in INTEL_DEBUG\n"
   "  -o, --output=FILE  the machine code, as bytes\n"
   "  -h, --help         this text\n";

enum format {
   FORMAT_AUTO, FORMAT_GLSL, FORMAT_HLSL, FORMAT_SPIRV, FORMAT_SPVASM,
   FORMAT_NIR, FORMAT_D3DBC,
};

enum stats { STATS_NONE, STATS_TEXT, STATS_JSON };

struct options {
   const struct intel_device_info *dev;
   gl_shader_stage stage;
   const char *entry, *input, *output;
   enum format format;
   enum stats stats;
   unsigned targets, patch;
   uint32_t debug;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron-compile: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

/* ---- formats ---- */

static bool
ends_in(const char *s, const char *suffix)
{
   const size_t n = strlen(s), k = strlen(suffix);
   return n >= k && !strcmp(s + n - k, suffix);
}

static enum format
guess_format(const struct options *o, const struct util_dynarray *in)
{
   static const uint32_t magic = 0x07230203;
   const char *text = in->data;

   if (in->size_B >= 4 && !memcmp(in->data, &magic, 4))
      return FORMAT_SPIRV;
   if (d3dbc_is_d3dbc(in->data, in->size_B))
      return FORMAT_D3DBC;
   if (o->input && ends_in(o->input, ".hlsl"))
      return FORMAT_HLSL;
   if (o->input && (ends_in(o->input, ".spvasm") || ends_in(o->input, ".spvas")))
      return FORMAT_SPVASM;
   if (o->input && ends_in(o->input, ".nir"))
      return FORMAT_NIR;
   if (in->size_B > 7 && !strncmp(text, "shader:", 7))
      return FORMAT_NIR;
   return FORMAT_GLSL;
}

static const struct {
   gl_shader_stage stage;
   const char *glsl;   /* as glslangValidator calls it */
   const char *abbrev, *name;
} stages[] = {
   { MESA_SHADER_VERTEX, "vert", "vs", "vertex" },
   { MESA_SHADER_TESS_CTRL, "tesc", "tcs", "tess_ctrl" },
   { MESA_SHADER_TESS_EVAL, "tese", "tes", "tess_eval" },
   { MESA_SHADER_GEOMETRY, "geom", "gs", "geometry" },
   { MESA_SHADER_FRAGMENT, "frag", "fs", "fragment" },
   { MESA_SHADER_COMPUTE, "comp", "cs", "compute" },
};

static gl_shader_stage
stage_from_name(const char *name)
{
   for (unsigned i = 0; name && i < ARRAY_SIZE(stages); i++) {
      char dotted[16], dotted_glsl[24], dotted_hlsl[24];
      snprintf(dotted, sizeof(dotted), ".%s", stages[i].glsl);
      snprintf(dotted_glsl, sizeof(dotted_glsl), ".%s.glsl", stages[i].glsl);
      snprintf(dotted_hlsl, sizeof(dotted_hlsl), ".%s.hlsl", stages[i].glsl);
      if (!strcmp(name, stages[i].glsl) || !strcmp(name, stages[i].abbrev) ||
          !strcmp(name, stages[i].name) || ends_in(name, dotted) ||
          ends_in(name, dotted_glsl) || ends_in(name, dotted_hlsl))
         return stages[i].stage;
   }
   return MESA_SHADER_NONE;
}

static unsigned
stage_index(gl_shader_stage stage)
{
   for (unsigned i = 0; i < ARRAY_SIZE(stages); i++) {
      if (stages[i].stage == stage)
         return i;
   }
   return ARRAY_SIZE(stages);
}

/* Runs a program with `argv`, its messages on standard error. */
static bool
run(char *const argv[])
{
   const pid_t pid = fork();
   int status;

   if (pid == 0) {
      dup2(STDERR_FILENO, STDOUT_FILENO);
      execvp(argv[0], argv);
      fprintf(stderr, "saffron-compile: %s: %s\n", argv[0],
              strerror(errno));
      _exit(127);
   }
   if (pid < 0 || waitpid(pid, &status, 0) < 0)
      return false;
   return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Text in, SPIR-V out, by way of another program. */
static bool
translate(const struct options *o, enum format format,
          struct util_dynarray *data)
{
   char in[] = "/tmp/saffron-in-XXXXXX", out[] = "/tmp/saffron-spv-XXXXXX";
   const int fi = mkstemp(in), fo = mkstemp(out);
   bool ok = fi >= 0 && fo >= 0;

   if (ok)
      ok = write(fi, data->data, data->size_B) == (ssize_t)data->size_B;
   if (ok && format == FORMAT_HLSL) {
      char stage[8], *entry = (char *)o->entry;
      char *argv[] = { "glslangValidator", "-D", "-V", "-e", entry,
                       "--auto-map-locations", "--auto-map-bindings",
                       "--quiet", "-S", stage, "-o", out, in, NULL };
      snprintf(stage, sizeof(stage), "%s",
               stages[stage_index(o->stage)].glsl);
      ok = run(argv);
   } else if (ok && format == FORMAT_GLSL) {
      char stage[8];
      char *argv[] = { "glslangValidator", "-V", "-R",
                       "--auto-map-locations", "--auto-map-bindings",
                       "--quiet", "-S", stage, "-o", out, in, NULL };
      snprintf(stage, sizeof(stage), "%s",
               stages[stage_index(o->stage)].glsl);
      ok = run(argv);
   } else if (ok) {
      char *argv[] = { "spirv-as", "--target-env", "vulkan1.1", "-o", out,
                       in, NULL };
      ok = run(argv);
   }
   if (ok) {
      util_dynarray_clear(data);
      ok = tool_read_file("saffron-compile", out, data);
   }
   if (fi >= 0) {
      close(fi);
      unlink(in);
   }
   if (fo >= 0) {
      close(fo);
      unlink(out);
   }
   return ok;
}

static nir_shader *
from_spirv(struct options *o, const struct intel_compiler *compiler,
           struct arena *arena, const struct util_dynarray *data)
{
   struct spirv_error err = { 0 };
   const uint32_t *words = data->data;
   const size_t n = data->size_B / 4;
   struct spirv_to_nir_options opts = { .parent = arena };
   const char *name;
   nir_shader *nir;

   if (o->stage == MESA_SHADER_NONE &&
       !spirv_get_entry_point(words, n, 0, &o->stage, &name))
      o->stage = MESA_SHADER_FRAGMENT;
   opts.nir = intel_compiler_nir_options(compiler, o->stage);
   nir = spirv_to_nir(words, n, NULL, 0, o->stage, o->entry, &opts, &err);
   if (!nir)
      fprintf(stderr, "saffron-compile: word %zu: %s\n", err.word_offset,
              err.message);
   return nir;
}

static nir_shader *
from_nir(struct options *o, const struct intel_compiler *compiler,
         struct arena *arena, const struct util_dynarray *data)
{
   char *error = NULL;
   nir_shader *nir = nir_parse_shader(
      arena, data->data, data->size_B,
      intel_compiler_nir_options(compiler, MESA_SHADER_FRAGMENT), &error);

   if (!nir) {
      fprintf(stderr, "%s:%s\n", o->input ? o->input : "<stdin>",
              error ? error : "error");
      return NULL;
   }
   o->stage = nir->info.stage;
   return nir;
}

static nir_shader *
from_d3dbc(struct options *o, const struct intel_compiler *compiler,
           struct arena *arena, const struct util_dynarray *data)
{
   struct d3dbc_to_nir_options opts = { .parent = arena };
   struct d3d_error error;
   char buf[256];
   nir_shader *nir = NULL;
   struct d3dbc_shader *shader =
      d3dbc_decode(arena, data->data, data->size_B, &error);

   if (shader && d3dbc_validate(shader, &error)) {
      o->stage = d3dbc_profile_info(shader->profile)->is_ps
                    ? MESA_SHADER_FRAGMENT : MESA_SHADER_VERTEX;
      opts.nir = intel_compiler_nir_options(compiler, o->stage);
      nir = d3dbc_to_nir(shader, &opts, &error);
   }
   if (!nir)
      fprintf(stderr, "%s: %s\n", o->input ? o->input : "<stdin>",
              d3d_error_text(&error, buf, sizeof(buf)));
   return nir;
}

static nir_shader *
front_end(struct options *o, enum format format,
          const struct intel_compiler *compiler, struct arena *arena,
          const struct util_dynarray *data)
{
   if (format == FORMAT_NIR)
      return from_nir(o, compiler, arena, data);
   if (format == FORMAT_D3DBC)
      return from_d3dbc(o, compiler, arena, data);
   return from_spirv(o, compiler, arena, data);
}

/* ---- output ---- */

static void
print_stats_text(const struct intel_shader *sh)
{
   for (unsigned i = 0; i < ARRAY_SIZE(sh->stats); i++) {
      const struct intel_compile_stats *st = &sh->stats[i];
      if (!st->dispatch_width)
         continue;
      printf("SIMD%u: %u instructions, %u sends, %u loops, %u cycles, "
             "%u spills, %u fills, %u registers, %u bytes, %u compacted\n",
             st->dispatch_width, st->instructions, st->sends, st->loops,
             st->cycles, st->spills, st->fills, st->max_live_grf,
             st->code_size_B, st->compacted);
   }
}

static void
print_stats_json(const struct intel_shader *sh)
{
   const char *separator = "";

   printf("{\"stage\": \"%s\", \"variants\": [",
          stages[stage_index(sh->stage)].name);
   for (unsigned i = 0; i < ARRAY_SIZE(sh->stats); i++) {
      const struct intel_compile_stats *st = &sh->stats[i];
      if (!st->dispatch_width)
         continue;
      printf("%s\n  {\"dispatch_width\": %u, \"instructions\": %u, "
             "\"sends\": %u, \"loops\": %u, \"cycles\": %u, \"spills\": %u, "
             "\"fills\": %u, \"max_live_registers\": %u, "
             "\"code_size_bytes\": %u, \"compacted\": %u}",
             separator, st->dispatch_width, st->instructions, st->sends,
             st->loops, st->cycles, st->spills, st->fills, st->max_live_grf,
             st->code_size_B, st->compacted);
      separator = ",";
   }
   printf("\n]}\n");
}

static bool
write_code(const char *path, const struct intel_shader *sh)
{
   FILE *fp = fopen(path, "wb");
   bool ok = fp && fwrite(sh->code, 1, sh->code_size_B, fp) ==
                   sh->code_size_B;

   if (fp && fclose(fp))
      ok = false;
   if (!ok)
      fprintf(stderr, "saffron-compile: %s: %s\n", path, strerror(errno));
   return ok;
}

static struct intel_shader *
compile(const struct options *o, const struct intel_compiler *compiler,
        struct arena *arena, nir_shader *nir)
{
   const struct intel_compile_params params = {
      .arena = arena, .nir = nir, .log = stdout, .debug = o->debug,
      .listing = o->stats == STATS_NONE,
   };

   switch (o->stage) {
   case MESA_SHADER_VERTEX:
      return intel_compile_vs(compiler, &params,
                              &(struct intel_vs_key) { 0 });
   case MESA_SHADER_TESS_CTRL: {
      /* The domain is the evaluation shader's to say; triangles will do. */
      struct intel_tcs_key key = { .patch_vertices = (uint8_t)o->patch };
      if (nir->info.tess._primitive_mode == TESS_PRIMITIVE_UNSPECIFIED)
         key.primitive_mode = TESS_PRIMITIVE_TRIANGLES;
      return intel_compile_tcs(compiler, &params, &key);
   }
   case MESA_SHADER_TESS_EVAL:
      return intel_compile_tes(compiler, &params,
                               &(struct intel_tes_key) { 0 });
   case MESA_SHADER_GEOMETRY:
      return intel_compile_gs(compiler, &params,
                              &(struct intel_gs_key) { 0 });
   case MESA_SHADER_COMPUTE: {
      /* Behind what compile_lower_resources() gives out. */
      const struct intel_cs_key key = { .num_workgroups_bti = 239 };
      return intel_compile_cs(compiler, &params, &key);
   }
   default: {
      const struct intel_wm_key key = {
         .nr_color_regions = (uint8_t)o->targets,
         .color_outputs_valid = (uint8_t)BITFIELD_MASK(o->targets),
      };
      return intel_compile_fs(compiler, &params, &key);
   }
   }
}

static int
process(struct options *o, struct arena *arena,
        const struct intel_compiler *compiler, struct util_dynarray *data)
{
   enum format format = o->format ? o->format : guess_format(o, data);
   const char *what;
   nir_shader *nir;

   if (o->stage == MESA_SHADER_NONE)
      o->stage = stage_from_name(o->input);
   if ((format == FORMAT_GLSL || format == FORMAT_HLSL) &&
       o->stage == MESA_SHADER_NONE)
      return wrong_use("GLSL and HLSL need --stage, or a name in .vert, "
                       ".frag, ...");
   if ((format == FORMAT_GLSL || format == FORMAT_HLSL ||
        format == FORMAT_SPVASM) &&
       !translate(o, format, data))
      return TOOL_EXIT_BAD_INPUT;
   nir = front_end(o, format, compiler, arena, data);
   if (!nir)
      return TOOL_EXIT_BAD_INPUT;
   if (stage_index(o->stage) == ARRAY_SIZE(stages)) {
      fprintf(stderr, "saffron-compile: no graphics or compute shader\n");
      return TOOL_EXIT_BAD_INPUT;
   }

   if (o->stats == STATS_NONE) {
      printf("NIR after the front end:\n");
      nir_print_shader(nir, stdout);
   }
   intel_preprocess_nir(compiler, nir);
   if (!compile_lower_resources(nir, MAX2(1, o->targets), &what)) {
      fprintf(stderr, "saffron-compile: %s\n", what);
      return TOOL_EXIT_BAD_INPUT;
   }
   const struct intel_shader *sh = compile(o, compiler, arena, nir);
   if (!sh->code) {
      fflush(stdout);
      fprintf(stderr, "saffron-compile: %s\n", sh->error);
      return TOOL_EXIT_BAD_INPUT;
   }
   if (o->stats == STATS_JSON)
      print_stats_json(sh);
   else
      print_stats_text(sh);
   if (o->output && !write_code(o->output, sh))
      return TOOL_EXIT_USAGE;
   return TOOL_EXIT_OK;
}

/* ---- options ---- */

static bool
parse_format(const char *s, enum format *f)
{
   static const char *const names[] = { NULL, "glsl", "hlsl", "spirv",
                                        "spvasm", "nir", "d3dbc" };
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
   char *unknown;

   switch (c) {
   case 'g':
      o->dev = intel_device_info_by_name(optarg);
      return o->dev ? -1 : wrong_use("unknown device");
   case 's':
      o->stage = stage_from_name(optarg);
      return o->stage == MESA_SHADER_NONE ? wrong_use("unknown stage") : -1;
   case 'e':
      o->entry = optarg;
      return -1;
   case 'f':
      return parse_format(optarg, &o->format) ? -1
                                              : wrong_use("unknown format");
   case 'S':
      if (optarg && strcmp(optarg, "json"))
         return wrong_use("--stats is text or json");
      o->stats = optarg ? STATS_JSON : STATS_TEXT;
      return -1;
   case 't': {
      char *end;
      const unsigned long n = strtoul(optarg, &end, 10);
      if (*end || n > 8)
         return wrong_use("--targets is 0 to 8");
      o->targets = (unsigned)n;
      return -1;
   }
   case 'p':
      o->patch = (unsigned)strtoul(optarg, NULL, 10);
      return o->patch >= 1 && o->patch <= 32
                ? -1 : wrong_use("--patch is 1 to 32");
   case 'd':
      o->debug = intel_debug_parse(optarg, &unknown);
      if (unknown) {
         fprintf(stderr, "saffron-compile: unknown flag %s\n", unknown);
         intel_debug_print_help(stderr);
         free(unknown);
         return TOOL_EXIT_USAGE;
      }
      return -1;
   case 'o':
      o->output = optarg;
      return -1;
   case 'h':
      fputs(usage, stdout);
      return TOOL_EXIT_OK;
   default:
      fputs(usage, stderr);
      return TOOL_EXIT_USAGE;
   }
}

int
main(int argc, char **argv)
{
   static const struct option longs[] = {
      { "gen", required_argument, NULL, 'g' },
      { "stage", required_argument, NULL, 's' },
      { "entry", required_argument, NULL, 'e' },
      { "format", required_argument, NULL, 'f' },
      { "stats", optional_argument, NULL, 'S' },
      { "patch", required_argument, NULL, 'p' },
      { "targets", required_argument, NULL, 't' },
      { "debug", required_argument, NULL, 'd' },
      { "output", required_argument, NULL, 'o' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct options o = { .stage = MESA_SHADER_NONE, .entry = "main",
                        .targets = 1, .patch = 3 };
   struct util_dynarray data = { 0 };
   int c, result;

   o.dev = intel_device_info_by_name("skl");
   while ((c = getopt_long(argc, argv, "g:s:e:f:t:p:d:o:h", longs, NULL)) !=
          -1) {
      result = parse_option(&o, c);
      if (result >= 0)
         return result;
   }
   if (argc - optind > 1)
      return wrong_use("more than one file");
   o.input = optind < argc ? argv[optind] : NULL;
   if (o.dev->ver < 8)
      return wrong_use("the compiler makes code for bdw and skl only");
   if (!tool_read_file("saffron-compile", o.input, &data))
      return TOOL_EXIT_USAGE;

   struct intel_compiler *compiler = intel_compiler_create(o.dev);
   struct arena *arena = arena_create(NULL);
   result = process(&o, arena, compiler, &data);
   arena_destroy(arena);
   intel_compiler_destroy(compiler);
   util_dynarray_fini(&data);
   return result;
}
