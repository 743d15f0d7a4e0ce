/* SPDX-License-Identifier: MIT */
#ifndef FS_COMPILE_H
#define FS_COMPILE_H

#include "intel/compiler/eu/eu_pass.h"

/* The passes of this back end, in the order in which they first run. */
enum fs_pass {
   FS_PASS_OPT_ALGEBRAIC,
   FS_PASS_OPT_COPY_PROPAGATION,
   FS_PASS_OPT_CSE,
   FS_PASS_OPT_CMOD_PROPAGATION,
   FS_PASS_OPT_SATURATE_PROPAGATION,
   FS_PASS_OPT_DEAD_CODE,
   FS_PASS_OPT_HALT,
   FS_PASS_OPT_SHARE_PAYLOADS,
   FS_PASS_OPT_REGISTER_COALESCE,
   FS_PASS_OPT_FLOAT_CONTROLS,
   FS_PASS_ASSIGN_PAYLOAD_REGISTERS,
   FS_PASS_LOWER_MISC,
   FS_PASS_LOWER_MUL,
   FS_PASS_LOWER_64BIT,
   FS_PASS_SPLIT_64BIT_MOVES,
   FS_PASS_LOWER_REGIONING,
   FS_PASS_LOWER_QWORDS,
   FS_PASS_LOWER_SIMD_WIDTH,
   FS_PASS_SPREAD_FLAGS,
   FS_PASS_SPLIT_REGISTERS,
   FS_PASS_SCHEDULE,
   FS_PASS_ALLOCATE_REGISTERS,
   FS_PASS_SCHEDULE_ALLOCATED,
   FS_PASS_LOWER_ROUNDING,
   /* Those of the vector back end, which shares the others from payload
    * registers on. */
   FS_PASS_VEC4_OPT_COPY_PROPAGATION,
   FS_PASS_VEC4_OPT_DEAD_CODE,
   FS_PASS_VEC4_OPT_COALESCE,
   FS_PASS_VEC4_OPT_FLAGS,
   FS_PASS_VEC4_OPT_REPEATED,
   FS_PASS_VEC4_LOWER_OPERANDS,
   FS_PASS_VEC4_LOWER_DOUBLES,
   FS_PASS_VEC4_OPT_IMMEDIATES,
   FS_PASS_COUNT,
};

extern const struct eu_pass fs_passes[FS_PASS_COUNT];

/* A pass of these on the whole shader: whether it changed something. */
bool fs_run(struct eu_shader *s, enum fs_pass pass);
/* These in turn until none changes anything. */
void fs_run_rounds(struct eu_shader *s, const enum fs_pass *passes,
                   unsigned count);
/* Regions and widths that the hardware has. */
void fs_lower_operands(struct eu_shader *s);
/* Scheduling, registers, machine code: what comes after all lowering. */
bool fs_finish(struct eu_shader *s, struct eu_binary *out);

/* Everything from NIR to encoded instructions for one dispatch width. False
 * and s->fail_msg when it cannot be done. */
bool fs_compile(struct eu_shader *s, struct eu_binary *out);

#endif
