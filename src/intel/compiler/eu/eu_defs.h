/* SPDX-License-Identifier: MIT */
/*
 * Who writes and who reads each dword of the virtual registers: what the
 * optimisation passes know about values without data flow.
 *
 * A dword that exactly one instruction writes never changes its meaning
 * after that, whatever the control flow: a value that came from SSA is
 * written before all its reads, and a channel that leaves a loop keeps what
 * it had.
 */
#ifndef FS_DEFS_H
#define FS_DEFS_H

#include "eu_ir.h"

struct fs_dword_info {
   struct fs_inst *def;    /* the last one found */
   uint16_t defs, uses;    /* saturating; UNDEF is no definition */
};

struct fs_defs {
   uint32_t *first;             /* first dword of each VGRF */
   struct fs_dword_info *dw;
};

void fs_defs_init(struct fs_defs *d, struct fs_shader *s,
                  struct arena *arena);

/* Whether what the operand reads cannot change: single definitions, or
 * registers that the thread got and nobody writes. */
bool fs_defs_stable(const struct fs_defs *d, const struct fs_inst *inst,
                    unsigned src);
/* The same for a destination: this instruction alone writes its dwords. */
bool fs_defs_stable_dst(const struct fs_defs *d, const struct fs_inst *inst);
/* The only writer of all dwords that the source reads, or NULL. */
struct fs_inst *fs_defs_only_def(const struct fs_defs *d,
                                 const struct fs_inst *inst, unsigned src);
/* Most reads of any dword that `inst` writes. */
unsigned fs_defs_uses(const struct fs_defs *d, const struct fs_inst *inst);

#endif
