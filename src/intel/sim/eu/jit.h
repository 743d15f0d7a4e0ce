/* SPDX-License-Identifier: MIT */
/*
 * Programs as host code: see jit.c. Only the files named so include this.
 */
#ifndef SIM_EU_JIT_H
#define SIM_EU_JIT_H

#include "intel/sim/eu/eu_private.h"
#include "intel/sim/eu/jit_asm.h"

/* What the code of one program is made with. */
struct jit {
   struct jit_buf buf;
   const struct sim_eu_program *p;
   /* Whether what is being written is for threads of which some channels
    * are off. */
   bool masked;
   /* What is in the host's registers at this place: the control of floats
    * for a class (or -1), and vectors of the active channels. */
   int fp;
   uint32_t have_masks;
};

/* jit_bodies.c ------------------------------------------------------ */

/* Vector registers: 0 to 2 are sources, 0 is the result. */
enum {
   JIT_TMP = 4,
   JIT_OLD = 5,
   JIT_CHUNK_MASK = 6,
   JIT_BITS = 7, /* the mask's bits in each dword */
   JIT_FIRST_CACHED =
      8, /* of active channels: two of dwords, four of qwords */
   JIT_SELECT = 14,
   JIT_SELECT_BITS = 15,
};

/* What JIT_POOL points to. */
extern const uint32_t jit_pool[];

/* Rows of jit_pool. */
enum {
   JIT_POOL_LANES_32 = 0,
   JIT_POOL_LANES_64 = 4,
   JIT_POOL_ABS_F = 12,
   JIT_POOL_SIGN_F,
   JIT_POOL_ABS_DF,
   JIT_POOL_SIGN_DF,
   JIT_POOL_ONE_F,
   JIT_POOL_ONE_DF,
   JIT_POOL_31,
   JIT_POOL_ONES,
   JIT_POOL_ZERO,
   JIT_POOL_LOW_16,
   JIT_POOL_2_31,
};

static inline struct jit_rm
jit_constant(unsigned row)
{
   return jit_at(JIT_POOL, 32 * row);
}

static inline struct jit_rm
jit_grf(unsigned off_B)
{
   return jit_at(JIT_THREAD, offsetof(struct sim_eu_thread, grf) + off_B);
}

enum jit_load {
   JIT_LOAD_RAW,
   JIT_LOAD_FLOAT,
   JIT_LOAD_INT,
   JIT_LOAD_LOGIC,
};

struct jit_body;
typedef void (*jit_emit_fn)(struct jit *j, const struct eu_op *op,
                            const struct jit_body *b);

struct jit_body {
   uint8_t nsrc, size_B;
   enum jit_load load;
   int fp; /* enum eu_fp, or -1 */
   jit_emit_fn emit;
   unsigned form, opcode; /* of the one instruction that it is */
};

/* By enum eu_body; without `emit` where there is none. */
extern const struct jit_body jit_bodies[];

/* Whether the predicate chooses between the sources; whether the condition
 * does, and sets no flag. */
bool jit_is_select(const struct eu_op *op);
bool jit_is_minmax(const struct eu_op *op);

/* The predicate of VCMPPS: an instruction's condition, where a NaN fulfils
 * only .nz and .u. -1: none. */
int jit_float_condition(enum isa_cond_mod m);

/* `to` = where x m y. */
void jit_compare_floats(struct jit *j, enum isa_cond_mod m, unsigned size_B,
                        unsigned to, unsigned x, struct jit_rm y);

/* jit_narrow.c: integers of 8 and 16 bits, and immediates of eight of them.
 * A source is extended to dwords of a vector register, of a chunk of eight;
 * a result is stored as words, where `mask` is not zero in the lanes of that
 * register. */
bool jit_is_narrow(enum isa_type t);
bool jit_narrow_supports(const struct eu_op *op, const struct eu_src *s);
void jit_narrow_load(struct jit *j, const struct eu_op *op,
                     const struct eu_src *s, unsigned to, unsigned chunk);
void jit_narrow_store(struct jit *j, uint32_t lanes, unsigned mask,
                      struct jit_rm to);

/* jit_alu.c: whether it has the op; writes it, without a call. */
bool jit_alu_supports(const struct eu_op *op);
void jit_alu_emit(struct jit *j, const struct eu_op *op);

#endif
