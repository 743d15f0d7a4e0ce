/* SPDX-License-Identifier: MIT */
/* Who emits the vertex elements, and what keeps the vertex cache right. */
#ifndef GENX_VERTEX_INPUT_H
#define GENX_VERTEX_INPUT_H

#include "genX_private.h"

void genX(emit_vertex_input)(struct saf_cmd_buffer *cmd);

#endif
