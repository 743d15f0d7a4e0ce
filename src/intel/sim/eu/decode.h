/* SPDX-License-Identifier: MIT */
/* Between program.c, which lays out a program, decode.c and region.c. */
#ifndef SIM_EU_DECODE_H
#define SIM_EU_DECODE_H

#include "intel/sim/eu/eu_private.h"
#include "util/arena.h"

/* Fills in an op (zeroed, but for its position) that executes `inst`, which
 * must live as long as the op does. Memory comes from `a`. */
void eu_decode_inst(const struct isa_inst *inst, unsigned verx10,
                    enum eu_bodies bodies, struct arena *a, struct eu_op *op);

/* region.c: byte offsets of the elements of `lanes`, from `base_B`. */
/* One after the other, as macros have them, which have no regions. */
void eu_region_packed(struct eu_operand *o, unsigned base, unsigned lanes);
void eu_region_align1(struct eu_operand *o, const struct isa_operand *src,
                      unsigned base_B, unsigned lanes);
void eu_region_align16(struct eu_operand *o, unsigned vstride,
                       uint8_t swizzle, unsigned base_B, unsigned lanes,
                       const struct sim_traits *traits);
void eu_region_pairs(struct eu_operand *o, unsigned vstride, uint8_t swizzle,
                     unsigned base_B, unsigned lanes);
void eu_region_pln(struct eu_operand *o, unsigned base_B, unsigned lanes);

/* Whether a swizzle of the source, and the write mask, choose two halves at
 * a time. */
bool eu_selects_pairs(const struct isa_inst *inst, unsigned src,
                      const struct sim_traits *traits);

/* The write mask of Align16 as lanes. */
uint32_t eu_write_mask_lanes(uint8_t mask, unsigned size_B, bool pairs,
                             unsigned lanes);

/* Makes the op one that faults. */
void eu_decode_illegal(struct eu_op *op, const char *why);

/* deviant.c: the op of a GPU that is wrong in it, if it is. */
#ifdef NDEBUG
static inline void
eu_decode_deviant(UNUSED const struct isa_inst *inst, UNUSED struct eu_op *op)
{
}
#else
void eu_decode_deviant(const struct isa_inst *inst, struct eu_op *op);
#endif

#endif
