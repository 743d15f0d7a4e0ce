/* SPDX-License-Identifier: MIT */
#include "fs_ir.h"

void
fs_schedule(struct fs_shader *s, bool after_allocation)
{
}
