/* SPDX-License-Identifier: MIT */
/* Vertex buffers that no pipeline can name, and who emits the elements. */
#ifndef GENX_VERTEX_INPUT_H
#define GENX_VERTEX_INPUT_H

#include "genX_private.h"

#define SAF_VB_DRAW_PARAMETERS SAF_MAX_VERTEX_BINDINGS
#define SAF_VB_DRAW_ID (SAF_MAX_VERTEX_BINDINGS + 1)

void
genX(emit_vertex_input)(struct saf_cmd_buffer *cmd);

#endif
