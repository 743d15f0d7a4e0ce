/* SPDX-License-Identifier: MIT */
/*
 * saffron-d3d: Direct3D shader bytecode as text and back, and made from
 * shaders in other languages.
 *
 * Exit codes: 0 done, 1 the input is not good, 2 wrong use or a file that
 * cannot be read or written.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "compiler/d3d/d3dbc/d3dbc_from_nir.h"
#include "compiler/d3d/dxbc/dxbc.h"
#include "compiler/d3d/hlsl/hlsl.h"
#include "compiler/d3d/tpf/tpf_from_nir.h"
#include "compiler/spirv/write/spirv_write.h"
#include "shader_input.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron d3d dis|asm|info|emit|spirv [options] [FILE]\n"
   "Reads standard input without FILE.\n"
   "\n"
   "  dis    shader bytecode (vs and ps 1.0 to 3.0, containers of SM4 and\n"
   "         SM5) as assembly text\n"
   "  asm    assembly text to bytecode\n"
   "  info   profile, instructions, registers, constant table; of a DXBC\n"
   "         container (Direct3D 10 and 11) chunks and signatures\n"
   "  emit   GLSL, HLSL, SPIR-V, NIR text or bytecode to bytecode\n"
   "  spirv  the same to SPIR-V for Vulkan 1.1; what is a register there is\n"
   "         which binding, docs/d3d.rst says\n"
   "\n"
   "  -o, --output=FILE  where the result goes; standard output otherwise\n"
   "  -x, --hex          asm, emit, spirv: eight dwords a line, as text\n"
   "  -t, --text         emit: assembly text instead of bytecode\n"
   "  -p, --profile=P    emit: vs_2_0, vs_2_x, vs_3_0, ps_2_0, ps_2_x,\n"
   "                     ps_3_0, vs_5_0, ps_5_0, gs_5_0 or cs_5_0; spirv:\n"
   "                     of HLSL, any that libvkd3d-shader compiles\n"
   "      --stage=STAGE, --entry=NAME, --format=FMT   emit, spirv: as for\n"
   "                     compile\n"
   "  -f, --force        do not check what the profile allows\n"
   "  -h, --help         this text\n";

struct options {
   struct shader_input in;
   const char *output;
   enum d3dbc_profile profile; /* COUNT: none given, or one of SM5 */
   enum tpf_stage sm5;         /* COUNT: none given */
   bool hex, force, text;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron d3d: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

static const char *
file_name(const struct options *o)
{
   return o->in.file ? o->in.file : "<stdin>";
}

static int
bad_input(const struct options *o, const struct d3d_error *error)
{
   char buf[256];

   fprintf(stderr, "%s%s%s\n", file_name(o), error->line ? ":" : ": ",
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
      fprintf(stderr, "saffron d3d: %s: %s\n", o->output, strerror(errno));
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
      fprintf(stderr, "saffron d3d: %s: cannot write\n",
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
   struct d3dbc_shader *shader =
      d3dbc_parse(arena, in->data ? in->data : "", in->size_B, &error);

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

/* The program of a container, as text. */
static bool
disassemble(const struct options *o, struct arena *arena,
            const struct dxbc *c, struct strbuf *text,
            struct d3d_error *error)
{
   const struct dxbc_chunk *code = dxbc_find_program(c, error);
   struct tpf_shader *shader;

   if (!code)
      return false;
   shader =
      tpf_decode(arena, code->data, code->size_B, code->offset_B, error);
   if (!shader || (!o->force && !tpf_validate(shader, error)) ||
       !dxbc_print_signatures(c, text, error))
      return false;
   tpf_print(shader, text);
   return true;
}

static int
show_container(const struct options *o, struct arena *arena,
               const struct util_dynarray *in, bool info)
{
   struct strbuf text = { 0 };
   struct d3d_error error;
   struct dxbc c;
   int result = TOOL_EXIT_BAD_INPUT;

   if (!dxbc_read(in->data, in->size_B, &c, &error) ||
       !(info ? dxbc_print(&c, &text, &error)
              : disassemble(o, arena, &c, &text, &error)))
      bad_input(o, &error);
   else
      result = tool_write_text("saffron d3d", o->output, strbuf_str(&text))
                  ? TOOL_EXIT_OK
                  : TOOL_EXIT_USAGE;
   strbuf_fini(&text);
   return result;
}

static bool
print_shader(const struct options *o, struct arena *arena, const void *data,
             size_t size_B, bool info, struct strbuf *text,
             struct d3d_error *error)
{
   const struct d3dbc_shader *shader =
      d3dbc_decode(arena, data, size_B, error);

   if (!shader || (!o->force && !d3dbc_validate(shader, error)))
      return false;
   if (info) {
      print_info(shader, text);
   } else {
      d3dbc_print_ctab(shader, text);
      d3dbc_print(shader, text);
   }
   return true;
}

/* The shaders of an effect; one that cannot be read says why in its place. */
static void
print_effect(const struct options *o, struct arena *arena,
             const struct util_dynarray *in, bool info, struct strbuf *text)
{
   const uint8_t *data = in->data;
   size_t at_B = 0, size_B;

   while (d3dbc_effect_next(data, in->size_B, &at_B, &size_B)) {
      struct d3d_error error;
      char buf[256];
      strbuf_printf(text, "// shader at 0x%zx, %zu bytes\n", at_B, size_B);
      if (!print_shader(o, arena, data + at_B, size_B, info, text, &error))
         strbuf_printf(text, "// %s\n",
                       d3d_error_text(&error, buf, sizeof(buf)));
      at_B += size_B;
   }
}

static int
show(const struct options *o, struct arena *arena,
     const struct util_dynarray *in, bool info)
{
   struct d3d_error error;
   struct strbuf text = { 0 };
   int result;

   if (dxbc_is_dxbc(in->data, in->size_B))
      return show_container(o, arena, in, info);
   if (d3dbc_is_effect(in->data, in->size_B)) {
      print_effect(o, arena, in, info, &text);
   } else if (!print_shader(o, arena, in->data ? in->data : "", in->size_B,
                            info, &text, &error)) {
      strbuf_fini(&text);
      return bad_input(o, &error);
   }
   result = tool_write_text("saffron d3d", o->output, strbuf_str(&text))
               ? TOOL_EXIT_OK
               : TOOL_EXIT_USAGE;
   strbuf_fini(&text);
   return result;
}

/* A container of SM5. */
static int
emit_container(const struct options *o, struct arena *arena, nir_shader *nir)
{
   struct d3d_error error = { 0 };
   struct util_dynarray code = { 0 };
   struct strbuf text = { 0 };
   const struct tpf_from_nir_options options = {
      .hlsl = o->in.format == FORMAT_HLSL_GLSLANG,
      .semantics = o->in.semantics,
   };
   struct dxbc c;
   bool written = false;

   if (!tpf_from_nir(arena, nir, o->sm5, &options, &code, &error)) {
      fprintf(stderr, "%s: %s\n", file_name(o), error.text);
      return TOOL_EXIT_BAD_INPUT;
   }
   if (!o->text)
      written = write_bytes(o, &code);
   else if (dxbc_read(code.data, code.size_B, &c, &error) &&
            disassemble(o, arena, &c, &text, &error))
      written = tool_write_text("saffron d3d", o->output, strbuf_str(&text));
   strbuf_fini(&text);
   util_dynarray_fini(&code);
   return written ? TOOL_EXIT_OK : TOOL_EXIT_USAGE;
}

/* HLSL that looks up textures as Direct3D 9 does, where a sampler is texture
 * and state in one, whatever profile it is written for. */
static bool
has_combined_samplers(const struct util_dynarray *text)
{
   static const char *const names[] = { "tex1D", "tex2D", "tex3D",
                                        "texCUBE" };

   for (unsigned i = 0; text->size_B && i < ARRAY_SIZE(names); i++) {
      if (memmem(text->data, text->size_B, names[i], strlen(names[i])))
         return true;
   }
   return false;
}

static bool
is_written(const struct options *o)
{
   return o->profile != D3DBC_PROFILE_COUNT || o->sm5 != TPF_STAGE_COUNT;
}

static int
no_profile(const struct options *o)
{
   fprintf(stderr, "saffron d3d: %s is no profile that is written\n",
           o->in.profile);
   return TOOL_EXIT_USAGE;
}

static int
emit(struct options *o, struct arena *arena, struct util_dynarray *in)
{
   struct d3d_error error = { 0 };
   struct util_dynarray code = { 0 };
   struct strbuf text = { 0 };
   struct d3d_semantics semantics = { 0 };
   int exit_code;
   bool written;
   struct d3dbc_shader *shader;
   nir_shader *nir;

   o->in.semantics = &semantics;
   o->in.d3d9 = o->sm5 == TPF_STAGE_COUNT || has_combined_samplers(in);
   if (!shader_input_begin(&o->in, in, &exit_code))
      return exit_code;
   if (o->in.is_compiled && o->text)
      return show(o, arena, in, false);
   if (o->in.is_compiled)
      return write_bytes(o, in) ? TOOL_EXIT_OK : TOOL_EXIT_USAGE;
   if (!is_written(o))
      return no_profile(o);
   nir = shader_input_read(&o->in, arena, in, &exit_code);
   if (!nir)
      return exit_code;
   const struct d3dbc_from_nir_options d3dbc_options = {
      .hlsl = o->in.format == FORMAT_HLSL_GLSLANG,
      .semantics = &semantics,
   };
   if (o->sm5 != TPF_STAGE_COUNT)
      return emit_container(o, arena, nir);
   shader = d3dbc_from_nir(arena, nir, o->profile, &d3dbc_options, &error);
   if (!shader || !d3dbc_validate(shader, &error)) {
      fprintf(stderr, "%s: %s\n", file_name(o), error.text);
      return TOOL_EXIT_BAD_INPUT;
   }
   if (o->text) {
      d3dbc_print(shader, &text);
      written = tool_write_text("saffron d3d", o->output, strbuf_str(&text));
   } else {
      d3dbc_encode(shader, &code);
      written = write_bytes(o, &code);
   }
   strbuf_fini(&text);
   util_dynarray_fini(&code);
   return written ? TOOL_EXIT_OK : TOOL_EXIT_USAGE;
}

static int
to_spirv(struct options *o, struct arena *arena, struct util_dynarray *in)
{
   const struct spirv_write_options options = { .saturate = true };
   struct util_dynarray code = { 0 };
   char error[256];
   int result = TOOL_EXIT_BAD_INPUT;
   nir_shader *nir = shader_input_read(&o->in, arena, in, &result);

   if (!nir)
      return result;
   if (!nir_to_spirv(nir, &options, &code, error, sizeof(error)))
      fprintf(stderr, "%s: %s\n", file_name(o), error);
   else
      result = write_bytes(o, &code) ? TOOL_EXIT_OK : TOOL_EXIT_USAGE;
   util_dynarray_fini(&code);
   return result;
}

static int
run(const char *command, struct options *o)
{
   struct util_dynarray in = { 0 };
   struct arena *arena = arena_create(NULL);
   int result = TOOL_EXIT_USAGE;

   if (!tool_read_file("saffron d3d", o->in.file, &in))
      result = TOOL_EXIT_USAGE;
   else if (!strcmp(command, "asm"))
      result = assemble(o, arena, &in);
   else if (!strcmp(command, "emit"))
      result = emit(o, arena, &in);
   else if (!strcmp(command, "spirv"))
      result = to_spirv(o, arena, &in);
   else
      result = show(o, arena, &in, !strcmp(command, "info"));
   util_dynarray_fini(&in);
   arena_destroy(arena);
   return result;
}

/* -1: the profile is one that is written, or HLSL's own compiler may know it.
 */
static int
choose_profile(struct options *o)
{
   static const char *const sm5[TPF_STAGE_COUNT] = {
      [TPF_STAGE_PS] = "ps_5_0",
      [TPF_STAGE_VS] = "vs_5_0",
      [TPF_STAGE_GS] = "gs_5_0",
      [TPF_STAGE_CS] = "cs_5_0",
   };
   const char *name = o->in.profile;

   if (!name)
      return wrong_use("emit needs --profile");
   o->profile = d3dbc_profile_from_name(name);
   for (unsigned i = 0; i < TPF_STAGE_COUNT; i++) {
      if (sm5[i] && !strcmp(name, sm5[i]))
         o->sm5 = (enum tpf_stage)i;
   }
   if (is_written(o) || hlsl_library_get(NULL))
      return -1;
   return no_profile(o);
}

static gl_shader_stage
profile_stage(const struct options *o)
{
   if (!is_written(o))
      return shader_input_profile_stage(o->in.profile);
   if (o->sm5 == TPF_STAGE_CS)
      return MESA_SHADER_COMPUTE;
   if (o->sm5 == TPF_STAGE_GS)
      return MESA_SHADER_GEOMETRY;
   return o->sm5 == TPF_STAGE_PS || (o->sm5 == TPF_STAGE_COUNT &&
                                     d3dbc_profile_info(o->profile)->is_ps)
             ? MESA_SHADER_FRAGMENT
             : MESA_SHADER_VERTEX;
}

/* -1: the stage that options or the file's name say is that of the profile,
 * or they say nothing. */
static int
choose_stage(struct options *o)
{
   const gl_shader_stage wanted = profile_stage(o);

   if (o->in.stage == MESA_SHADER_NONE)
      o->in.stage = shader_stage_from_name(o->in.file);
   if (o->in.stage == MESA_SHADER_NONE)
      o->in.stage = wanted;
   if (o->in.stage == wanted)
      return -1;
   fprintf(stderr, "%s: a %s shader, and a profile of %s shaders\n",
           file_name(o), shader_stage_text(o->in.stage),
           shader_stage_text(wanted));
   return TOOL_EXIT_USAGE;
}

/* -1: go on; else the exit code. */
static int
parse_option(struct options *o, int c)
{
   switch (c) {
   case 'o': o->output = optarg; return -1;
   case 'x': o->hex = true; return -1;
   case 'f': o->force = true; return -1;
   case 't': o->text = true; return -1;
   case 'p': o->in.profile = optarg; return -1;
   case 's':
      o->in.stage = shader_stage_from_name(optarg);
      return o->in.stage == MESA_SHADER_NONE ? wrong_use("unknown stage")
                                             : -1;
   case 'e': o->in.entry = optarg; return -1;
   case 'F':
      o->in.format = shader_format_from_name(optarg);
      return o->in.format ? -1 : wrong_use("unknown format");
   case 'h': fputs(usage, stdout); return TOOL_EXIT_OK;
   default: return wrong_use("unknown option");
   }
}

static bool
is_command(const char *s)
{
   static const char *const names[] = { "dis", "asm", "info", "emit",
                                        "spirv" };

   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (!strcmp(s, names[i]))
         return true;
   }
   return false;
}

int
main(int argc, char **argv)
{
   static const struct option long_options[] = {
      { "output", required_argument, NULL, 'o' },
      { "hex", no_argument, NULL, 'x' },
      { "force", no_argument, NULL, 'f' },
      { "text", no_argument, NULL, 't' },
      { "profile", required_argument, NULL, 'p' },
      { "stage", required_argument, NULL, 's' },
      { "entry", required_argument, NULL, 'e' },
      { "format", required_argument, NULL, 'F' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct options o = {
      .in = { .tool = "saffron d3d",
              .stage = MESA_SHADER_NONE,
              .entry = "main" },
      .profile = D3DBC_PROFILE_COUNT,
      .sm5 = TPF_STAGE_COUNT,
   };
   const char *command;
   int c;

   while ((c = getopt_long(argc, argv, "o:xftp:h", long_options, NULL)) >=
          0) {
      const int result = parse_option(&o, c);
      if (result >= 0)
         return result;
   }
   if (optind >= argc || !is_command(argv[optind]))
      return wrong_use("dis, asm, info, emit or spirv?");
   command = argv[optind++];
   if (argc - optind > 1)
      return wrong_use("more than one file");
   o.in.file = optind < argc ? argv[optind] : NULL;
   c = strcmp(command, "emit") ? -1 : choose_profile(&o);
   if (c < 0 && !strcmp(command, "emit"))
      c = choose_stage(&o);
   return c >= 0 ? c : run(command, &o);
}
