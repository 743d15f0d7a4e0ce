/* SPDX-License-Identifier: MIT */
/*
 * HLSL to Direct3D bytecode, by libvkd3d-shader where the system has one that
 * compiles HLSL well. It is looked for when it is first needed, and kept.
 */
#ifndef HLSL_H
#define HLSL_H

#include "saffron/d3d_shader.h"
#include "util/dynarray.h"
#include "util/macros.h"

struct hlsl_library {
   char version[64]; /* as the library says it */
   int (*compile)(const struct vkd3d_shader_compile_info *info,
                  struct vkd3d_shader_code *out, char **messages);
   int (*preprocess)(const struct vkd3d_shader_compile_info *info,
                     struct vkd3d_shader_code *out, char **messages);
   void (*free_code)(struct vkd3d_shader_code *code);
   void (*free_messages)(char *messages);
};

/* NULL: there is none; *why (may be NULL) is a sentence then. Any thread may
 * ask. */
const struct hlsl_library *hlsl_library_get(const char **why);

/* What bytecode a profile ("ps_3_0") has. */
enum vkd3d_shader_target_type hlsl_profile_target(const char *profile);

struct hlsl_source {
   const char *text;
   size_t size_B;
   const char *name; /* of the file, for messages */
   const char *entry, *profile;
};

/* Appends a container (SM4 and SM5) or bare bytecode (Direct3D 9). False:
 * *messages is text of lines "NAME:LINE:COLUMN: ...", the caller's to
 * free(); NULL if there is no memory. A library has to be there. */
bool hlsl_compile(const struct hlsl_source *source,
                  struct util_dynarray *code, char **messages) MUST_CHECK;

#endif
