/* SPDX-License-Identifier: MIT */
/*
 * Who writes and who reads each dword of the virtual registers: what the
 * optimisation passes know about values without data flow.
 *
 * A dword that exactly one instruction writes, in front of all its reads,
 * never changes its meaning after that, whatever the control flow: a value
 * that came from SSA is such a one, and a channel that leaves a loop keeps
 * what it had. One that is read in front of its only writer is a loop's, of
 * which the first round's value is undefined: it counts as written twice.
 */
#ifndef EU_DEFS_H
#define EU_DEFS_H

#include "eu_ir.h"

struct eu_dword_info {
   struct eu_inst *def; /* the last one found */
   uint16_t defs, uses; /* saturating; UNDEF is no definition */
   bool early;          /* read in front of its first writer */
};

struct eu_defs {
   const struct eu_shader *shader;
   uint32_t *first; /* first dword of each VGRF */
   struct eu_dword_info *dw;
};

void eu_defs_init(struct eu_defs *d, struct eu_shader *s,
                  struct arena *arena);

/* Whether what the operand reads cannot change: single definitions, or
 * registers that the thread got and nobody writes. */
bool eu_defs_stable(const struct eu_defs *d, const struct eu_inst *inst,
                    unsigned src);
/* The same for a destination: this instruction alone writes its dwords. */
bool eu_defs_stable_dst(const struct eu_defs *d, const struct eu_inst *inst);
/* The only writer of all dwords that the source reads, or NULL. */
struct eu_inst *eu_defs_only_def(const struct eu_defs *d,
                                 const struct eu_inst *inst, unsigned src);
/* Whether a source, though stable, may have changed at `reader`, which is
 * behind `inst`, for channels that left a loop: the next round writes it
 * without a mask, or the channel that all of them read. Wants the shader's
 * control flow graph. */
bool eu_defs_outlives_loop(const struct eu_defs *d,
                           const struct eu_inst *inst, unsigned src,
                           const struct eu_inst *reader);
/* Most reads of any dword that `inst` writes. */
unsigned eu_defs_uses(const struct eu_defs *d, const struct eu_inst *inst);

/* Calls `visit` for each instruction that `wanted` takes and whose source 0
 * has one writer; whether any call changed something. The list may lose the
 * instruction. */
bool eu_visit_defined(struct eu_shader *s,
                      bool (*wanted)(const struct eu_inst *inst),
                      bool (*visit)(struct eu_defs *d, struct eu_inst *inst,
                                    struct eu_inst *def));

#endif
