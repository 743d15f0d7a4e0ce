/* SPDX-License-Identifier: MIT */
/* What is wrong with bytes or text of a Direct3D shader. */
#ifndef D3D_ERROR_H
#define D3D_ERROR_H

#include <stdarg.h>

#include "util/macros.h"

struct d3d_error {
   /* In bytes: from the start of the input, with the dword there. */
   size_t offset_B;
   uint32_t token;
   /* In text: from 1; 0 when the input is bytes. */
   unsigned line, column;
   char text[192]; /* the rule that is broken, as a sentence */
};

/* Sets the error and returns false. `e` may be NULL. */
bool d3d_error_at(struct d3d_error *e, size_t offset_B, uint32_t token,
                  const char *fmt, ...) PRINTFLIKE(4, 5);
bool d3d_error_in_text(struct d3d_error *e, unsigned line, unsigned column,
                       const char *fmt, ...) PRINTFLIKE(4, 5);

/* "offset 0x10, token 0x02000001: sentence" or "3:14: sentence"; the result
 * is in `buf`. */
const char *d3d_error_text(const struct d3d_error *e, char *buf, size_t size);

#endif
