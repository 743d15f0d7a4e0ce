/* SPDX-License-Identifier: MIT */
/* What decoder, encoder, printer and parser share. */
#ifndef D3DBC_TEXT_H
#define D3DBC_TEXT_H

#include "d3dbc.h"

struct d3dbc_suffix {
   const char *text;
   uint8_t code;
};

/* Ended by a NULL text. */
extern const struct d3dbc_suffix d3dbc_shifts[], d3dbc_dst_mods[];

/* c0, c2048, c4096 and c6144 begin register types of their own. */
unsigned d3dbc_const_bank_code(unsigned bank);
unsigned d3dbc_const_bank(unsigned code);

/* A shader that is being read. */
struct d3dbc_builder {
   struct arena *arena;
   struct util_dynarray insts; /* struct d3dbc_inst */
   enum d3dbc_profile profile;
};

struct d3dbc_shader *d3dbc_builder_finish(struct d3dbc_builder *b);

#endif
