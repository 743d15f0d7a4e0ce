/* SPDX-License-Identifier: MIT */
/* A shader in any of the formats that the tools read, as NIR. */
#ifndef INTEL_TOOLS_SHADER_INPUT_H
#define INTEL_TOOLS_SHADER_INPUT_H

#include "compiler/d3d/d3d_semantics.h"
#include "compiler/nir/nir.h"
#include "util/dynarray.h"

/* clang-format off */
enum shader_format {
   FORMAT_AUTO, FORMAT_GLSL, FORMAT_HLSL, FORMAT_SPIRV, FORMAT_SPVASM,
   FORMAT_NIR, FORMAT_D3DBC, FORMAT_DXBC,
   /* HLSL is one of these, by what the system has. */
   FORMAT_HLSL_VKD3D, FORMAT_HLSL_GLSLANG,
};
/* clang-format on */

struct shader_input {
   const char *tool; /* its name, for messages */
   const char *file; /* NULL: standard input */
   const char *entry;
   bool entry_given; /* not: SPIR-V's first one of the stage */
   /* NONE, AUTO: from content and name; both are set then. */
   gl_shader_stage stage;
   enum shader_format format;
   const nir_shader_compiler_options *options; /* may be NULL */
   char temporary[32];  /* the name that a translator knew the text by */
   const char *profile; /* of HLSL for libvkd3d-shader; NULL: by stage */
   bool d3d9;           /* HLSL is that of Direct3D 9, for glslang */
   bool is_compiled;    /* it was HLSL that is bytecode now */
   struct d3d_semantics *semantics; /* to be filled, or NULL */
};

/* FORMAT_AUTO if there is no such format. */
enum shader_format shader_format_from_name(const char *name);
/* A stage's name, or a file's name that ends like one; NULL is fine. */
gl_shader_stage shader_stage_from_name(const char *name);
/* That of a profile of HLSL ("ps_5_0"); NONE: of none, or of NULL. */
gl_shader_stage shader_input_profile_stage(const char *profile);
/* As in "vertex". */
const char *shader_stage_text(gl_shader_stage stage);

/* The first step of what is below: settles format and stage, and if
 * libvkd3d-shader compiles the HLSL, `data` is bytecode of that format then.
 * False after a message on standard error; *exit_code is then the tool's. */
bool shader_input_begin(struct shader_input *in, struct util_dynarray *data,
                        int *exit_code) MUST_CHECK;

/* Translates `data`, which is used up. NULL after a message on standard
 * error; *exit_code is then the tool's. */
nir_shader *shader_input_read(struct shader_input *in, struct arena *arena,
                              struct util_dynarray *data, int *exit_code);

#endif
