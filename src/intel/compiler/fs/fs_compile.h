/* SPDX-License-Identifier: MIT */
#ifndef FS_COMPILE_H
#define FS_COMPILE_H

#include "intel/compiler/eu/eu_ir.h"

/* Everything from NIR to encoded instructions for one dispatch width. False
 * and s->fail_msg when it cannot be done. */
bool fs_compile(struct eu_shader *s, struct eu_binary *out);

#endif
