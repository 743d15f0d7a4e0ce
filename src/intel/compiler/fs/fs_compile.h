/* SPDX-License-Identifier: MIT */
#ifndef FS_COMPILE_H
#define FS_COMPILE_H

#include "intel/compiler/eu/eu_pass.h"

/* The passes of this back end, in the order in which they first run. */
#define FS_PASSES(OPTIONAL, REQUIRED)                                        \
   OPTIONAL(fs_opt_algebraic)                                                \
   OPTIONAL(fs_opt_copy_propagation)                                         \
   OPTIONAL(fs_opt_cse)                                                      \
   OPTIONAL(fs_opt_cmod_propagation)                                         \
   OPTIONAL(fs_opt_saturate_propagation)                                     \
   OPTIONAL(fs_opt_dead_code)                                                \
   OPTIONAL(fs_opt_halt)                                                     \
   OPTIONAL(fs_opt_share_payloads)                                           \
   OPTIONAL(fs_opt_share_expansions)                                         \
   OPTIONAL(fs_opt_register_coalesce)                                        \
   OPTIONAL(fs_opt_float_controls)                                           \
   REQUIRED(fs_lower_misc)                                                   \
   REQUIRED(fs_lower_mul)                                                    \
   REQUIRED(fs_lower_64bit)                                                  \
   OPTIONAL(fs_split_64bit_moves)                                            \
   OPTIONAL(fs_split_64bit_immediates)                                       \
   REQUIRED(fs_lower_regioning)                                              \
   REQUIRED(fs_lower_qwords)                                                 \
   REQUIRED(fs_lower_simd_width)                                             \
   REQUIRED(fs_lower_rounding)

FS_PASSES(EU_DECLARE_PASS, EU_DECLARE_PASS)

/* Regions and widths that the hardware has. */
void fs_lower_operands(struct eu_shader *s);
/* Scheduling, registers, machine code: what comes after all lowering. */
bool fs_finish(struct eu_shader *s, struct eu_binary *out);

/* Everything from NIR to encoded instructions for one dispatch width. False
 * and s->fail_msg when it cannot be done. */
bool fs_compile(struct eu_shader *s, struct eu_binary *out);

#endif
