/* SPDX-License-Identifier: MIT */
/*
 * Old GLSL and GLSL ES for a front end that makes SPIR-V from new GLSL only:
 * what was renamed or dropped since is declared in front of the shader.
 */
#ifndef GP_GLSL_H
#define GP_GLSL_H

#include "util/strbuf.h"

/* Appends the shader as GLSL 4.50; lines keep their numbers. */
void gpc_modernize_glsl(const char *text, struct strbuf *out);

#endif
