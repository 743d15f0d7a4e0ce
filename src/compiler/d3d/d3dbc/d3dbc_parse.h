/* SPDX-License-Identifier: MIT */
/* The text of a shader, while it is being read. */
#ifndef D3DBC_PARSE_H
#define D3DBC_PARSE_H

#include "d3dbc_text.h"

struct d3dbc_parser {
   struct d3dbc_builder b;
   const char *at, *end, *line_start;
   unsigned line;
   struct d3d_error *error;
};

/* An error at the place that was reached; false. */
#define D3DBC_PARSE_FAIL(p, ...)                                             \
   d3d_error_in_text((p)->error, (p)->line,                                  \
                     (unsigned)((p)->at - (p)->line_start) + 1, __VA_ARGS__)

/* Blanks, but no ends of lines, and a comment at the end of a line. */
void d3dbc_parse_blanks(struct d3dbc_parser *p);
/* Blanks, comments and ends of lines. */
void d3dbc_parse_lines(struct d3dbc_parser *p);
/* Takes `c` if it is next, after blanks. */
bool d3dbc_parse_char(struct d3dbc_parser *p, char c);
/* Takes `word` if it is next, whatever its case. */
bool d3dbc_parse_word(struct d3dbc_parser *p, const char *word);
bool d3dbc_parse_uint(struct d3dbc_parser *p, unsigned max, unsigned *v);
bool d3dbc_parse_dst(struct d3dbc_parser *p, struct d3dbc_operand *o);
bool d3dbc_parse_src(struct d3dbc_parser *p, struct d3dbc_operand *o);
/* A dword: of a float, int or bool; hexadecimal always means the bits. */
bool d3dbc_parse_imm(struct d3dbc_parser *p, enum d3dbc_op op, uint32_t *v);

#endif
