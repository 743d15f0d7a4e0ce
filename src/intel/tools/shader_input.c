/* SPDX-License-Identifier: MIT */
#include "shader_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/d3d/d3dbc/d3dbc_to_nir.h"
#include "compiler/d3d/hlsl/hlsl.h"
#include "compiler/d3d/tpf/tpf_to_nir.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "util/strbuf.h"
#include "util/tool_io.h"

/* Where a loop has several entries; beyond, a variable chooses one. */
#define MAX_BLOCK_COPIES 8

static bool
ends_in(const char *s, const char *suffix)
{
   const size_t n = strlen(s), k = strlen(suffix);
   return n >= k && !strcmp(s + n - k, suffix);
}

static enum shader_format
guess_format(const struct shader_input *in, const struct util_dynarray *data)
{
   static const uint32_t magic = 0x07230203;
   const char *text = data->data;

   if (data->size_B >= 4 && !memcmp(data->data, &magic, 4))
      return FORMAT_SPIRV;
   if (d3dbc_is_d3dbc(data->data, data->size_B))
      return FORMAT_D3DBC;
   if (dxbc_is_dxbc(data->data, data->size_B))
      return FORMAT_DXBC;
   if (in->file && ends_in(in->file, ".hlsl"))
      return FORMAT_HLSL;
   if (in->file &&
       (ends_in(in->file, ".spvasm") || ends_in(in->file, ".spvas")))
      return FORMAT_SPVASM;
   if (in->file && ends_in(in->file, ".nir"))
      return FORMAT_NIR;
   if (data->size_B > 7 && !strncmp(text, "shader:", 7))
      return FORMAT_NIR;
   return FORMAT_GLSL;
}

static const struct {
   gl_shader_stage stage;
   const char *glsl; /* as glslangValidator calls it */
   const char *abbrev, *name;
   const char *profile; /* of HLSL, if none is asked for */
} stages[] = {
   { MESA_SHADER_VERTEX, "vert", "vs", "vertex", "vs_5_0" },
   { MESA_SHADER_TESS_CTRL, "tesc", "tcs", "tess_ctrl", "hs_5_0" },
   { MESA_SHADER_TESS_EVAL, "tese", "tes", "tess_eval", "ds_5_0" },
   { MESA_SHADER_GEOMETRY, "geom", "gs", "geometry", "gs_5_0" },
   { MESA_SHADER_FRAGMENT, "frag", "fs", "fragment", "ps_5_0" },
   { MESA_SHADER_COMPUTE, "comp", "cs", "compute", "cs_5_0" },
};

gl_shader_stage
shader_stage_from_name(const char *name)
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

enum shader_format
shader_format_from_name(const char *name)
{
   static const char *const names[] = {
      NULL,  "glsl",  "hlsl", "spirv",      "spvasm",
      "nir", "d3dbc", "dxbc", "hlsl-vkd3d", "hlsl-glslang",
   };

   for (unsigned i = 1; i < ARRAY_SIZE(names); i++) {
      if (!strcmp(name, names[i]))
         return (enum shader_format)i;
   }
   return FORMAT_AUTO;
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

const char *
shader_stage_text(gl_shader_stage stage)
{
   const unsigned i = stage_index(stage);

   return i < ARRAY_SIZE(stages) ? stages[i].name : "unknown";
}

static const char *
file_name(const struct shader_input *in)
{
   return in->file ? in->file : "<stdin>";
}

/* Text in, SPIR-V out, by way of another program. */
static bool
translate(struct shader_input *in, enum shader_format format,
          struct util_dynarray *data)
{
   char *text = in->temporary, out[] = "/tmp/saffron-spv-XXXXXX";
   strcpy(text, "/tmp/saffron-in-XXXXXX");
   const int fi = mkstemp(text), fo = mkstemp(out);
   bool ok = fi >= 0 && fo >= 0;

   if (ok)
      ok = write(fi, data->data, data->size_B) == (ssize_t)data->size_B;
   if (ok && format == FORMAT_HLSL_GLSLANG) {
      char stage[8], *entry = (char *)in->entry;
      /* clang-format off */
      char *argv[] = { "glslangValidator", "-D", "-V", "-g", "-e", entry,
                       "--auto-map-locations", "--auto-map-bindings",
                       "--quiet", "-S", stage, "-o", out,
                       "-fhlsl_functionality1", text,
                       in->d3d9 ? "--hlsl-dx9-compatible" : NULL, NULL };
      /* clang-format on */
      snprintf(stage, sizeof(stage), "%s",
               stages[stage_index(in->stage)].glsl);
      ok = tool_run(in->tool, argv, text, file_name(in));
   } else if (ok && format == FORMAT_GLSL) {
      char stage[8];
      /* clang-format off */
      char *argv[] = { "glslangValidator", "-V", "-g", "-R",
                       "--auto-map-locations", "--auto-map-bindings",
                       "--quiet", "-S", stage, "-o", out, text, NULL };
      /* clang-format on */
      snprintf(stage, sizeof(stage), "%s",
               stages[stage_index(in->stage)].glsl);
      ok = tool_run(in->tool, argv, text, file_name(in));
   } else if (ok) {
      char *argv[] = { "spirv-as", "--target-env", "vulkan1.1", "-o",
                       out,        text,           NULL };
      ok = tool_run(in->tool, argv, text, file_name(in));
   }
   if (ok) {
      util_dynarray_clear(data);
      ok = tool_read_file(in->tool, out, data);
   }
   if (fi >= 0) {
      close(fi);
      unlink(text);
   }
   if (fo >= 0) {
      close(fo);
      unlink(out);
   }
   return ok;
}

static nir_shader *
from_spirv(struct shader_input *in, struct arena *arena,
           const struct util_dynarray *data)
{
   struct spirv_error err = { 0 };
   char place[96];
   const uint32_t *words = data->data;
   const size_t n = data->size_B / 4;
   struct spirv_to_nir_options opts = { .parent = arena };
   const char *name = "main";
   gl_shader_stage stage;
   nir_shader *nir;

   if (data->size_B % 4) {
      fprintf(stderr, "%s: %zu bytes are no whole number of words\n",
              file_name(in), data->size_B);
      return NULL;
   }
   if (in->stage == MESA_SHADER_NONE &&
       !spirv_get_entry_point(words, n, 0, &in->stage, &name))
      in->stage = MESA_SHADER_FRAGMENT;
   /* Kernels have names of their own. */
   for (unsigned i = 0; !in->entry_given &&
                        spirv_get_entry_point(words, n, i, &stage, &name) &&
                        stage != in->stage;
        i++)
      ;
   opts.nir = in->options;
   if (in->semantics)
      d3d_semantics_read(in->semantics, words, n);
   nir = spirv_to_nir(words, n, NULL, 0, in->stage,
                      in->entry_given ? in->entry : name, &opts, &err);
   if (nir)
      nir_shader_rename_source(nir, in->temporary, file_name(in));
   else
      fprintf(stderr, "%s: word %zu%s%s: %s\n", file_name(in),
              err.word_offset,
              in->format == FORMAT_SPIRV ? "" : " of its SPIR-V",
              spirv_error_place(&err, place, sizeof(place)), err.message);
   return nir;
}

/* Blocks with gotos become ifs and loops. */
static bool
structurize(nir_shader *nir, const char *file)
{
   nir_structurize(nir, MAX_BLOCK_COPIES);
   return true;
}

static nir_shader *
from_nir(struct shader_input *in, struct arena *arena,
         const struct util_dynarray *data)
{
   char *error = NULL;
   nir_shader *nir =
      nir_parse_shader(arena, data->data, data->size_B, in->options, &error);

   if (!nir) {
      fprintf(stderr, "%s:%s\n", file_name(in), error ? error : "error");
      return NULL;
   }
   in->stage = nir->info.stage;
   return structurize(nir, file_name(in)) ? nir : NULL;
}

static nir_shader *
from_d3dbc(struct shader_input *in, struct arena *arena,
           const struct util_dynarray *data)
{
   struct d3dbc_to_nir_options opts = { .parent = arena };
   struct d3d_error error;
   char buf[256];
   nir_shader *nir = NULL;
   struct d3dbc_shader *shader =
      d3dbc_decode(arena, data->data, data->size_B, &error);

   if (shader && d3dbc_validate(shader, &error)) {
      in->stage = d3dbc_profile_info(shader->profile)->is_ps
                     ? MESA_SHADER_FRAGMENT
                     : MESA_SHADER_VERTEX;
      opts.nir = in->options;
      nir = d3dbc_to_nir(shader, &opts, &error);
   }
   if (!nir)
      fprintf(stderr, "%s: %s\n", file_name(in),
              d3d_error_text(&error, buf, sizeof(buf)));
   return nir;
}

/* A container with a program of SM4 or SM5. */
static nir_shader *
from_dxbc(struct shader_input *in, struct arena *arena,
          const struct util_dynarray *data)
{
   static const gl_shader_stage stage[] = {
      MESA_SHADER_FRAGMENT,  MESA_SHADER_VERTEX,    MESA_SHADER_GEOMETRY,
      MESA_SHADER_TESS_CTRL, MESA_SHADER_TESS_EVAL, MESA_SHADER_COMPUTE,
   };
   struct tpf_to_nir_options opts = { .parent = arena };
   const struct dxbc_chunk *code = NULL;
   struct tpf_shader *shader = NULL;
   nir_shader *nir = NULL;
   struct d3d_error error;
   struct dxbc c;
   char buf[256];

   if (dxbc_read(data->data, data->size_B, &c, &error))
      code = dxbc_find_program(&c, &error);
   if (code)
      shader =
         tpf_decode(arena, code->data, code->size_B, code->offset_B, &error);
   if (shader && tpf_validate(shader, &error)) {
      in->stage = stage[shader->stage];
      opts.nir = in->options;
      nir = tpf_to_nir(shader, &c, &opts, &error);
   }
   if (!nir)
      fprintf(stderr, "%s: %s\n", file_name(in),
              d3d_error_text(&error, buf, sizeof(buf)));
   return nir;
}

static nir_shader *
front_end(struct shader_input *in, enum shader_format format,
          struct arena *arena, const struct util_dynarray *data)
{
   if (format == FORMAT_NIR)
      return from_nir(in, arena, data);
   if (format == FORMAT_D3DBC)
      return from_d3dbc(in, arena, data);
   if (format == FORMAT_DXBC)
      return from_dxbc(in, arena, data);
   return from_spirv(in, arena, data);
}

static bool
is_hlsl(enum shader_format format)
{
   return format == FORMAT_HLSL || format == FORMAT_HLSL_VKD3D ||
          format == FORMAT_HLSL_GLSLANG;
}

gl_shader_stage
shader_input_profile_stage(const char *profile)
{
   for (unsigned i = 0; profile && i < ARRAY_SIZE(stages); i++) {
      if (!strncmp(profile, stages[i].profile, 3))
         return stages[i].stage;
   }
   return MESA_SHADER_NONE;
}

/* In place. What the bytecode is of is the format then. */
static bool
compile_hlsl(struct shader_input *in, struct util_dynarray *data)
{
   const struct hlsl_source source = {
      .text = data->data ? data->data : "",
      .size_B = data->size_B,
      .name = file_name(in),
      .entry = in->entry,
      .profile = in->profile ? in->profile
                             : stages[stage_index(in->stage)].profile,
   };
   struct util_dynarray code = { 0 };
   char *messages;
   const bool ok = hlsl_compile(&source, &code, &messages);

   if (messages)
      fputs(messages, stderr);
   free(messages);
   util_dynarray_fini(data);
   *data = code;
   if (ok)
      in->format = guess_format(in, data);
   in->is_compiled = ok;
   return ok;
}

bool
shader_input_begin(struct shader_input *in, struct util_dynarray *data,
                   int *exit_code)
{
   const char *why;

   if (!in->format)
      in->format = guess_format(in, data);
   if (in->stage == MESA_SHADER_NONE && is_hlsl(in->format))
      in->stage = shader_input_profile_stage(in->profile);
   if (in->stage == MESA_SHADER_NONE)
      in->stage = shader_stage_from_name(in->file);
   *exit_code = TOOL_EXIT_USAGE;
   if ((in->format == FORMAT_GLSL || is_hlsl(in->format)) &&
       in->stage == MESA_SHADER_NONE) {
      fprintf(stderr,
              "%s: GLSL and HLSL need --stage, or a name in .vert, "
              ".frag, ...\n",
              in->tool);
      return false;
   }
   if (!is_hlsl(in->format) || in->format == FORMAT_HLSL_GLSLANG)
      return true;
   if (hlsl_library_get(&why)) {
      *exit_code = TOOL_EXIT_BAD_INPUT;
      return compile_hlsl(in, data);
   }
   if (in->format == FORMAT_HLSL_VKD3D) {
      fprintf(stderr, "%s: %s\n", in->tool, why);
      return false;
   }
   in->format = FORMAT_HLSL_GLSLANG;
   return true;
}

nir_shader *
shader_input_read(struct shader_input *in, struct arena *arena,
                  struct util_dynarray *data, int *exit_code)
{
   const bool chosen = in->format == FORMAT_HLSL_GLSLANG;
   const char *why;
   nir_shader *nir;

   if (!shader_input_begin(in, data, exit_code))
      return NULL;
   *exit_code = TOOL_EXIT_BAD_INPUT;
   if ((in->format == FORMAT_GLSL || in->format == FORMAT_SPVASM ||
        in->format == FORMAT_HLSL_GLSLANG) &&
       !translate(in, in->format, data)) {
      if (in->format == FORMAT_HLSL_GLSLANG && !chosen &&
          !hlsl_library_get(&why))
         fprintf(stderr, "%s: this was glslangValidator: %s\n", in->tool,
                 why);
      return NULL;
   }
   nir = front_end(in, in->format, arena, data);
   if (nir && stage_index(in->stage) == ARRAY_SIZE(stages)) {
      fprintf(stderr, "%s: no graphics or compute shader\n", file_name(in));
      return NULL;
   }
   return nir;
}
