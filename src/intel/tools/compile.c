/* SPDX-License-Identifier: MIT */
/*
 * saffron-compile: one shader through the compiler, offline.
 *
 * Input is GLSL (by way of glslangValidator), HLSL (of libvkd3d-shader, or of
 * glslangValidator), SPIR-V, SPIR-V assembly (by way of spirv-as), Direct3D
 * bytecode or NIR text; output is NIR after
 * the front end, NIR before the back end, annotated assembly and statistics.
 *
 * Exit codes: 0 compiled, 1 the shader is not good or cannot be compiled, 2
 * wrong use or a file that cannot be read, 3 --bisect-pass found a pass.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "bisect/bisect.h"
#include "compile_profile.h"
#include "compile_resources.h"
#include "intel/compiler/intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "shader_input.h"
#include "util/strbuf.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron compile [options] FILE\n"
   "Compiles a graphics or compute shader and shows what became of it.\n"
   "\n"
   "  -g, --gen=GEN      device, as 'saffron help' lists them (skl)\n"
   "  -s, --stage=STAGE  vert, tesc, tese, geom, frag or comp (or vs, tcs,\n"
   "                     tes, gs, fs, cs); by default from the file\n"
   "  -e, --entry=NAME   entry point of a SPIR-V module (the first of the\n"
   "                     stage), of HLSL (main)\n"
   "  -f, --format=FMT   glsl, hlsl, spirv, spvasm, nir, d3dbc or dxbc; by\n"
   "                     default from the content and the name; hlsl is\n"
   "                     hlsl-vkd3d where libvkd3d-shader 2.0 or newer is,\n"
   "                     hlsl-glslang elsewhere\n"
   "      --hlsl=PROFILE of HLSL, for libvkd3d-shader (ps_5_0, vs_5_0, ...\n"
   "                     by stage)\n"
   "      --stats[=json] statistics alone, as text or JSON\n"
   "      --profile[=json]\n"
   "                     estimated cycles by line of the source and by\n"
   "                     instruction, as text or JSON\n"
   "      --passes[=PASS]\n"
   "                     what each pass changed, or one of them (put\n"
   "                     together by the command, not by this tool)\n"
   "      --bisect-pass  the pass after which the shader is wrong: NIR on\n"
   "                     its interpreter, machine code on the simulated EU,\n"
   "                     on drawn inputs\n"
   "  -p, --patch=N      vertices of an input patch, for tesc (3)\n"
   "  -t, --targets=N    colour attachments of a fragment shader (1)\n"
   "  -d, --debug=LIST   flags as in INTEL_DEBUG\n"
   "  -o, --output=FILE  the machine code, as bytes\n"
   "  -h, --help         this text\n";

/* What is printed of the result. */
enum stats {
   STATS_NONE, /* NIR, assembly and a line of statistics */
   STATS_TEXT,
   STATS_JSON,
   PROFILE_TEXT,
   PROFILE_JSON,
   BISECT, /* which pass is wrong */
};

struct options {
   const struct intel_device_info *dev;
   struct shader_input in;
   const char *output;
   enum stats stats;
   unsigned targets, patch;
   uint64_t debug;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron compile: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

static int
unknown_device(const char *name)
{
   char chips[128];
   intel_device_info_chips(chips, sizeof(chips));
   fprintf(stderr,
           "saffron compile: unknown device '%s': %s, or a size of "
           "one (skl-gt1)\n",
           name, chips);
   return TOOL_EXIT_USAGE;
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
print_reasons_text(const struct intel_shader *sh)
{
   for (uint32_t i = 0; i < sh->num_reasons; i++)
      printf("%s: %s\n", intel_reason_name(sh->reasons[i].kind),
             sh->reasons[i].text);
}

static void
print_stats_json(const struct intel_shader *sh)
{
   const char *separator = "";

   printf("{\"stage\": \"%s\", \"variants\": [",
          shader_stage_text(sh->stage));
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
   printf("\n], \"reasons\": [");
   for (uint32_t i = 0; i < sh->num_reasons; i++)
      printf("%s\n  {\"kind\": \"%s\", \"text\": \"%s\"}", i ? "," : "",
             intel_reason_name(sh->reasons[i].kind), sh->reasons[i].text);
   printf("\n]}\n");
}

static void
print_profile(enum stats what, const struct intel_device_info *dev,
              const struct intel_shader *sh, const nir_shader *nir)
{
   const enum isa_gen gen = isa_gen_from_number(dev->verx10);
   struct strbuf text = { 0 };

   if (what == PROFILE_JSON)
      compile_print_profile_json(gen, sh, nir, &text);
   else
      compile_print_profile(gen, sh, nir, &text);
   fputs(strbuf_str(&text), stdout);
   strbuf_fini(&text);
}

static void
print_result(const struct options *o, const struct intel_shader *sh,
             const nir_shader *nir)
{
   switch (o->stats) {
   case STATS_JSON: print_stats_json(sh); break;
   case STATS_TEXT:
      print_stats_text(sh);
      print_reasons_text(sh);
      break;
   case PROFILE_TEXT:
   case PROFILE_JSON: print_profile(o->stats, o->dev, sh, nir); break;
   default: print_stats_text(sh); break;
   }
}

static bool
write_code(const char *path, const struct intel_shader *sh)
{
   FILE *fp = fopen(path, "wb");
   bool ok = fp &&
             fwrite(sh->code, 1, sh->code_size_B, fp) == sh->code_size_B;

   if (fp && fclose(fp))
      ok = false;
   if (!ok)
      fprintf(stderr, "saffron compile: %s: %s\n", path, strerror(errno));
   return ok;
}

static struct intel_shader *
compile(const struct options *o, const struct intel_compiler *compiler,
        struct arena *arena, const struct intel_pass_watch *watch,
        nir_shader *nir)
{
   const struct intel_compile_params params = {
      .watch = watch,
      .arena = arena,
      .nir = nir,
      .log = stdout,
      .debug = o->debug,
      .listing = o->stats == STATS_NONE,
      .profile = o->stats == PROFILE_TEXT || o->stats == PROFILE_JSON,
   };

   union intel_key key;

   memset(&key, 0, sizeof(key));
   if (o->in.stage == MESA_SHADER_TESS_CTRL) {
      /* The domain is the evaluation shader's to say; triangles will do. */
      key.tcs.patch_vertices = (uint8_t)o->patch;
      if (nir->info.tess._primitive_mode == TESS_PRIMITIVE_UNSPECIFIED)
         key.tcs.primitive_mode = TESS_PRIMITIVE_TRIANGLES;
   } else if (o->in.stage == MESA_SHADER_COMPUTE) {
      /* After what compile_lower_resources() gives out. */
      key.cs.num_workgroups_bti = 239;
   } else if (o->in.stage == MESA_SHADER_FRAGMENT) {
      key.wm.nr_color_regions = (uint8_t)o->targets;
      key.wm.color_outputs_valid = (uint8_t)BITFIELD_MASK(o->targets);
   }
   return intel_compile(compiler, &params, &key);
}

/* From what the front end gives to machine code; NULL after a message. */
static const struct intel_shader *
compile_from_front_end(const struct options *o,
                       const struct intel_compiler *compiler,
                       struct arena *arena, nir_shader *nir,
                       const struct intel_pass_watch *watch,
                       struct compile_resources *given)
{
   const char *what;

   intel_preprocess_nir(compiler, nir);
   if (!compile_lower_resources(nir, MAX2(1, o->targets), given, &what)) {
      fprintf(stderr, "saffron compile: %s\n", what);
      return NULL;
   }
   return compile(o, compiler, arena, watch, nir);
}

struct attempts {
   const struct options *o;
   const struct intel_compiler *compiler;
   nir_shader *nir;
};

static const struct intel_shader *
compile_attempt(void *data, struct arena *arena,
                const struct intel_pass_watch *watch,
                struct compile_resources *given)
{
   const struct attempts *a = data;
   return compile_from_front_end(a->o, a->compiler, arena, a->nir, watch,
                                 given);
}

static int
bisect(const struct options *o, const struct intel_compiler *compiler,
       nir_shader *nir)
{
   struct attempts a = { o, compiler, nir };
   const struct bisect_params params = {
      .dev = o->dev,
      .compiler = compiler,
      .nir = nir,
      .targets = o->targets,
      .compile = compile_attempt,
      .data = &a,
   };
   return bisect_passes(&params);
}

/* As the back end prints its own passes (eu_after()). */
static void
print_after_pass(nir_shader *nir, const char *pass)
{
   printf("-- after %s (NIR)\n", pass);
   nir_print_shader(nir, stdout);
}

static int
process(struct options *o, struct arena *arena,
        const struct intel_compiler *compiler, struct util_dynarray *data)
{
   int exit_code;
   nir_shader *nir;

   if (o->debug & INTEL_DEBUG_OPTIMIZER)
      nir_pass_observer = print_after_pass;
   o->in.options = intel_compiler_nir_options(compiler);
   nir = shader_input_read(&o->in, arena, data, &exit_code);
   if (!nir)
      return exit_code;

   if (o->stats == BISECT)
      return bisect(o, compiler, nir);
   if (o->stats == STATS_NONE) {
      printf("NIR after the front end:\n");
      nir_print_shader(nir, stdout);
   }
   const struct intel_shader *sh =
      compile_from_front_end(o, compiler, arena, nir, NULL, NULL);
   if (!sh)
      return TOOL_EXIT_BAD_INPUT;
   if (!sh->code) {
      fflush(stdout);
      fprintf(stderr, "saffron compile: %s\n", sh->error);
      return TOOL_EXIT_BAD_INPUT;
   }
   print_result(o, sh, nir);
   if (o->output && !write_code(o->output, sh))
      return TOOL_EXIT_USAGE;
   return TOOL_EXIT_OK;
}

/* ---- options ---- */

static bool
parse_number(const char *text, unsigned least, unsigned most, unsigned *n)
{
   char *end;
   const unsigned long v = strtoul(text, &end, 10);

   *n = (unsigned)v;
   return *text >= '0' && *text <= '9' && !*end && v >= least && v <= most;
}

/* -1: go on; else the exit code. */
static int
parse_option(struct options *o, int c)
{
   char *unknown;

   switch (c) {
   case 'g':
      o->dev = intel_device_info_by_name(optarg);
      return o->dev ? -1 : unknown_device(optarg);
   case 's':
      o->in.stage = shader_stage_from_name(optarg);
      return o->in.stage == MESA_SHADER_NONE ? wrong_use("unknown stage")
                                             : -1;
   case 'e':
      o->in.entry = optarg;
      o->in.entry_given = true;
      return -1;
   case 'f':
      o->in.format = shader_format_from_name(optarg);
      return o->in.format ? -1 : wrong_use("unknown format");
   case 'S':
      if (optarg && strcmp(optarg, "json"))
         return wrong_use("--stats is text or json");
      o->stats = optarg ? STATS_JSON : STATS_TEXT;
      return -1;
   case 'P':
      if (optarg && strcmp(optarg, "json"))
         return wrong_use("--profile is text or json");
      o->stats = optarg ? PROFILE_JSON : PROFILE_TEXT;
      return -1;
   case 'B': o->stats = BISECT; return -1;
   case 'H': o->in.profile = optarg; return -1;
   case 't':
      return parse_number(optarg, 0, 8, &o->targets)
                ? -1
                : wrong_use("--targets is 0 to 8");
   case 'p':
      return parse_number(optarg, 1, 32, &o->patch)
                ? -1
                : wrong_use("--patch is 1 to 32");
   case 'd':
      o->debug = intel_debug_parse(optarg, &unknown);
      if (unknown) {
         fprintf(stderr, "saffron compile: unknown flag %s\n", unknown);
         intel_debug_print_help(stderr);
         free(unknown);
         return TOOL_EXIT_USAGE;
      }
      return -1;
   case 'o': o->output = optarg; return -1;
   case 'h': fputs(usage, stdout); return TOOL_EXIT_OK;
   default: fputs(usage, stderr); return TOOL_EXIT_USAGE;
   }
}

static int
compile_main(int argc, char **argv)
{
   static const struct option longs[] = {
      { "gen", required_argument, NULL, 'g' },
      { "stage", required_argument, NULL, 's' },
      { "entry", required_argument, NULL, 'e' },
      { "format", required_argument, NULL, 'f' },
      { "hlsl", required_argument, NULL, 'H' },
      { "stats", optional_argument, NULL, 'S' },
      { "profile", optional_argument, NULL, 'P' },
      { "bisect-pass", no_argument, NULL, 'B' },
      { "patch", required_argument, NULL, 'p' },
      { "targets", required_argument, NULL, 't' },
      { "debug", required_argument, NULL, 'd' },
      { "output", required_argument, NULL, 'o' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct options o = {
      .in = { .tool = "saffron compile",
              .stage = MESA_SHADER_NONE,
              .entry = "main" },
      .targets = 1,
      .patch = 3,
   };
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
   o.in.file = optind < argc ? argv[optind] : NULL;
   if (!tool_read_file("saffron compile", o.in.file, &data))
      return TOOL_EXIT_USAGE;

   struct intel_compiler *compiler = intel_compiler_create(o.dev);
   struct arena *arena = arena_create(NULL);
   result = process(&o, arena, compiler, &data);
   arena_destroy(arena);
   intel_compiler_destroy(compiler);
   util_dynarray_fini(&data);
   return result;
}

int
main(int argc, char **argv)
{
   return tool_run_deep("saffron compile", compile_main, argc, argv);
}
