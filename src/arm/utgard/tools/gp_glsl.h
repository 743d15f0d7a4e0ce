/* SPDX-License-Identifier: MIT */
/*
 * Old GLSL and GLSL ES for a front end that makes SPIR-V from new GLSL only:
 * what was renamed or dropped since is declared in front of the shader. Words
 * that old versions leave to the shader, such as inverse, transpose, round or
 * sample, have another name behind its back.
 */
#ifndef GP_GLSL_H
#define GP_GLSL_H

#include "util/strbuf.h"

/* Appends the shader as GLSL 4.50; lines keep their numbers. */
void gpc_modernize_glsl(const char *text, struct strbuf *out);

#endif
