/* SPDX-License-Identifier: MIT */
/* Between generic.c, which moves operands, and alu.c, which computes. */
#ifndef SIM_EU_ALU_H
#define SIM_EU_ALU_H

#include "intel/sim/eu/eu_private.h"

/* What conditional modifiers look at. */
struct eu_condition {
   bool zero, negative, nan, overflow;
};

/*
 * Computes one lane. `v` are the sources in the instruction's class,
 * `selected` the lane's predicate (for SEL). Compares set *truth, all others
 * *r. False: a fault has been recorded.
 */
bool eu_alu(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
            bool selected, const union eu_value v[3], union eu_value *r,
            bool *truth);

static inline bool
eu_is_compare(enum isa_opcode op)
{
   return op == ISA_OPCODE_CMP || op == ISA_OPCODE_CMPN;
}

/* Opcodes that write the accumulator by themselves. */
static inline bool
eu_owns_acc(enum isa_opcode op)
{
   return op == ISA_OPCODE_MACH || op == ISA_OPCODE_ADDC ||
          op == ISA_OPCODE_SUBB;
}

static inline bool
eu_writes_acc(const struct isa_inst *inst)
{
   return inst->acc_wr_en || eu_owns_acc(inst->opcode);
}

/* Reads source `src` of `lane`; a lane that is not enabled gets zero where
 * its address is wrong, others fault (false). */
bool eu_fetch(struct sim_eu_thread *t, const struct eu_slow *s, unsigned src,
              unsigned lane, bool enabled, union eu_value *v);

uint64_t eu_finish(struct sim_eu_thread *t, const struct eu_op *op,
                   union eu_value v, struct eu_condition *c);
bool eu_condition_holds(const struct eu_condition *c, enum isa_cond_mod m);
bool eu_write(struct sim_eu_thread *t, const struct eu_slow *s, unsigned lane,
              uint64_t bits, const union eu_value *exact);

/*
 * Accumulator channel that goes with a lane when it is not an operand.
 *
 * acc1, which an instruction of the second quarter names, exists for floats
 * only. From Haswell on integers of any quarter use acc0 (as the piglit test
 * local-id shows with iris' SIMD32 code: MUL into acc0, MACH, both 4Q);
 * Ivybridge takes a register that is not there.
 */
static inline unsigned
eu_implicit_acc_index(const struct eu_op *op, unsigned lane)
{
   const bool acc0_only = op->slow->cls == EU_INT &&
                          op->slow->traits->integers_have_acc0_only;
   return (acc0_only ? lane : op->group + lane) & 15;
}

static inline union sim_acc *
eu_implicit_acc(struct sim_eu_thread *t, const struct eu_op *op,
                unsigned lane)
{
   return &t->acc[eu_implicit_acc_index(op, lane)];
}

/* Of a predicate over groups: how many channels' flags are taken together,
 * and whether one of them is enough. */
struct eu_pred_group {
   uint8_t size;
   bool any;
};

struct eu_pred_group eu_pred_group(enum isa_pred pred);

/* Byte address in the GRF file of one lane; false if it is outside. */
bool eu_lane_address(const struct sim_eu_thread *t, const struct eu_slow *s,
                     const struct eu_operand *o, unsigned lane,
                     unsigned *address);

/* Lanes that mask or predicate bits, counted from the instruction's first
 * channel, switch on: see eu_slow::second. */
uint32_t eu_lanes_of_mask(const struct eu_op *op, uint32_t channels);

/* An element of the type, extended by its sign. */
eu_i128 eu_int_value(uint64_t bits, enum isa_type type);

/* Zero with f's sign if f is a denormal and cr0 flushes them. */
float eu_flush_f(const struct sim_eu_thread *t, float f);

#endif
