/* SPDX-License-Identifier: MIT */
#include "fs_builder.h"

bool
fs_opt_copy_propagation(struct fs_shader *s)
{
   return false;
}
