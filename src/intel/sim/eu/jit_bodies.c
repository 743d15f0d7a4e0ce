/* SPDX-License-Identifier: MIT */
/*
 * What the bodies of fast.c do, in host instructions: from sources in vector
 * registers to a result in one.
 */
#include "intel/sim/eu/jit.h"

#define SPLAT8(v) v, v, v, v, v, v, v, v
#define PAIRS(i)                                                             \
   1u << (i), 1u << (i), 2u << (i), 2u << (i), 4u << (i), 4u << (i),         \
      8u << (i), 8u << (i)
#define EIGHT(i)                                                             \
   1u << (i), 2u << (i), 4u << (i), 8u << (i), 16u << (i), 32u << (i),       \
      64u << (i), 128u << (i)

/* clang-format off */
__attribute__((aligned(32))) const uint32_t jit_pool[] = {
   EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24),
   PAIRS(0), PAIRS(4), PAIRS(8), PAIRS(12),
   PAIRS(16), PAIRS(20), PAIRS(24), PAIRS(28),
   SPLAT8(0x7fffffff),
   SPLAT8(0x80000000),
   0xffffffff, 0x7fffffff, 0xffffffff, 0x7fffffff,
   0xffffffff, 0x7fffffff, 0xffffffff, 0x7fffffff,
   0, 0x80000000, 0, 0x80000000, 0, 0x80000000, 0, 0x80000000,
   SPLAT8(0x3f800000),
   0, 0x3ff00000, 0, 0x3ff00000, 0, 0x3ff00000, 0, 0x3ff00000,
   SPLAT8(31),
   SPLAT8(0xffffffff),
   SPLAT8(0),
   SPLAT8(0x0000ffff),
   SPLAT8(0x4f000000),
};
/* clang-format on */

static void
emit_copy(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
}

/* 0 = 0 OP 1 */
static void
emit_binary(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
   jit_vex(&j->buf, b->form, b->opcode, 0, 0, jit_ymm(1));
}

/* x * 1: see canonical() in fast_lanes.h. */
static void
emit_canonical(struct jit *j, const struct eu_op *op,
               const struct jit_body *b)
{
   if (b->size_B == 4)
      jit_vex(&j->buf, JIT_NP | JIT_0F, 0x59, 0, 0,
              jit_constant(JIT_POOL_ONE_F));
   else
      jit_vex(&j->buf, JIT_66 | JIT_0F, 0x59, 0, 0,
              jit_constant(JIT_POOL_ONE_DF));
}

/* 1 * 2 + 0 */
static void
emit_mad(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
   const unsigned w = b->size_B == 8 ? JIT_W1 : 0;
   jit_vex(&j->buf, JIT_66 | JIT_0F38 | w, 0xb8, 0, 1, jit_ymm(2));
}

/* 0 * 1 + (1 - 0) * 2 */
static void
emit_lrp(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x10, JIT_TMP, 0,
           jit_constant(JIT_POOL_ONE_F));
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x5c, JIT_TMP, JIT_TMP, jit_ymm(0));
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x59, JIT_TMP, JIT_TMP, jit_ymm(2));
   jit_vex(&j->buf, JIT_66 | JIT_0F38, 0xa8, 0, 1, jit_ymm(JIT_TMP));
}

/* b->opcode: the mode of VROUNDPS, without exceptions. */
static void
emit_round(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
   emit_canonical(j, op, b);
   jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A, 0x08, 0, 0, jit_ymm(0),
               b->opcode | 8);
}

static void
emit_not(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
   jit_vex(&j->buf, JIT_66 | JIT_0F, 0xef, 0, 0, jit_constant(JIT_POOL_ONES));
}

static void
emit_shift(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
   jit_vex(&j->buf, JIT_66 | JIT_0F, 0xdb, 1, 1, jit_constant(JIT_POOL_31));
   emit_binary(j, op, b);
}

static void
emit_int_to_float(struct jit *j, const struct eu_op *op,
                  const struct jit_body *b)
{
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x5b, 0, 0, jit_ymm(0));
}

/* A NaN gives 0, what is too large the largest. */
static void
emit_float_to_int(struct jit *j, const struct eu_op *op,
                  const struct jit_body *b)
{
   jit_compare_floats(j, ISA_COND_MOD_GE, 4, JIT_TMP, 0,
                      jit_constant(JIT_POOL_2_31));
   jit_compare_floats(j, ISA_COND_MOD_U, 4, JIT_OLD, 0, jit_ymm(0));
   jit_vex(&j->buf, JIT_F3 | JIT_0F, 0x5b, 0, 0, jit_ymm(0));
   jit_vex(&j->buf, JIT_66 | JIT_0F, 0xef, 0, 0, jit_ymm(JIT_TMP));
   jit_vex(&j->buf, JIT_66 | JIT_0F, 0xdf, 0, JIT_OLD, jit_ymm(0));
}

static void
emit_inverse(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
   emit_canonical(j, op, b);
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x10, JIT_TMP, 0,
           jit_constant(JIT_POOL_ONE_F));
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x5e, 0, JIT_TMP, jit_ymm(0));
   emit_canonical(j, op, b);
}

int
jit_float_condition(enum isa_cond_mod m)
{
   switch (m) {
   case ISA_COND_MOD_Z: return 0x00;
   case ISA_COND_MOD_NZ: return 0x04;
   case ISA_COND_MOD_G: return 0x1e;
   case ISA_COND_MOD_GE: return 0x1d;
   case ISA_COND_MOD_L: return 0x11;
   case ISA_COND_MOD_LE: return 0x12;
   case ISA_COND_MOD_U: return 0x03;
   default: return -1;
   }
}

void
jit_compare_floats(struct jit *j, enum isa_cond_mod m, unsigned size_B,
                   unsigned to, unsigned x, struct jit_rm y)
{
   const unsigned form = size_B == 8 ? JIT_66 | JIT_0F : JIT_NP | JIT_0F;
   jit_vex_imm(&j->buf, form, 0xc2, to, x, y,
               (unsigned)jit_float_condition(m));
}

/* `to` = where 0 m 1, of dwords with sign; 0 and 1 may be changed. */
static void
compare_ints(struct jit *j, enum isa_cond_mod m, unsigned to)
{
   const unsigned form = JIT_66 | JIT_0F;
   const bool less = m == ISA_COND_MOD_L || m == ISA_COND_MOD_GE;
   const bool invert = m == ISA_COND_MOD_NZ || m == ISA_COND_MOD_GE ||
                       m == ISA_COND_MOD_LE;
   const bool equal = m == ISA_COND_MOD_Z || m == ISA_COND_MOD_NZ;
   jit_vex(&j->buf, form, equal ? 0x76 : 0x66, to, less ? 1 : 0,
           jit_ymm(less ? 0 : 1));
   if (invert)
      jit_vex(&j->buf, form, 0xef, to, to, jit_constant(JIT_POOL_ONES));
}

/* The result is the mask; finish() takes its bits for the flags. */
static void
emit_compare_floats(struct jit *j, const struct eu_op *op,
                    const struct jit_body *b)
{
   jit_compare_floats(j, op->cmod, b->size_B, 0, 0, jit_ymm(1));
}

static void
emit_compare_ints(struct jit *j, const struct eu_op *op,
                  const struct jit_body *b)
{
   if (b->opcode)
      for (unsigned i = 0; i < 2; i++)
         jit_vex(&j->buf, JIT_66 | JIT_0F, 0xef, i, i,
                 jit_constant(JIT_POOL_SIGN_F));
   compare_ints(j, op->cmod, 0);
}

/* where the mask in JIT_TMP: 0, else 1 */
static void
choose(struct jit *j)
{
   jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A, 0x4a, 0, 1, jit_ymm(0),
               JIT_TMP << 4);
}

static void
emit_minmax_floats(struct jit *j, const struct eu_op *op,
                   const struct jit_body *b)
{
   jit_compare_floats(j, ISA_COND_MOD_U, b->size_B, JIT_OLD, 1, jit_ymm(1));
   jit_compare_floats(j, op->cmod, b->size_B, JIT_TMP, 0, jit_ymm(1));
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x56, JIT_TMP, JIT_TMP,
           jit_ymm(JIT_OLD));
   choose(j);
   emit_canonical(j, op, b);
}

/* b->opcode: without sign. */
static void
emit_minmax_ints(struct jit *j, const struct eu_op *op,
                 const struct jit_body *b)
{
   for (unsigned i = 0; i < 2 && b->opcode; i++)
      jit_vex(&j->buf, JIT_66 | JIT_0F, 0xef, i, i,
              jit_constant(JIT_POOL_SIGN_F));
   compare_ints(j, op->cmod, JIT_TMP);
   choose(j);
   if (b->opcode)
      jit_vex(&j->buf, JIT_66 | JIT_0F, 0xef, 0, 0,
              jit_constant(JIT_POOL_SIGN_F));
}

static void
emit_select(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
   jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A, 0x4a, 0, 1, jit_ymm(0),
               JIT_SELECT << 4);
   if (b->fp >= 0)
      emit_canonical(j, op, b);
}

/* 0, 1 and 2 are p, q and w of the plane, JIT_TMP and JIT_OLD u and v. */
static void
emit_plane(struct jit *j, const struct eu_op *op, const struct jit_body *b)
{
   jit_vex(&j->buf, JIT_66 | JIT_0F38, 0xb8, 2, 1, jit_ymm(JIT_OLD));
   jit_vex(&j->buf, JIT_66 | JIT_0F38, 0xa8, 0, JIT_TMP, jit_ymm(2));
}

#define RAW JIT_LOAD_RAW
#define FLOAT JIT_LOAD_FLOAT
#define INT JIT_LOAD_INT
#define LOGIC JIT_LOAD_LOGIC
#define F JIT_NP | JIT_0F
#define DF JIT_66 | JIT_0F
#define I JIT_66 | JIT_0F
#define I38 JIT_66 | JIT_0F38

/* clang-format off */
const struct jit_body jit_bodies[EU_BODY_COUNT] = {
   [EU_BODY_MOV_RAW32] = { 1, 4, RAW, -1, emit_copy },
   [EU_BODY_MOV_RAW64] = { 1, 8, RAW, -1, emit_copy },
   [EU_BODY_SEL_RAW32] = { 2, 4, RAW, -1, emit_select },
   [EU_BODY_SEL_RAW64] = { 2, 8, RAW, -1, emit_select },
   [EU_BODY_SEL_F] = { 2, 4, FLOAT, EU_FP_F, emit_select },
   [EU_BODY_SEL_INT] = { 2, 4, INT, -1, emit_select },
   [EU_BODY_MOV_F] = { 1, 4, FLOAT, EU_FP_F, emit_canonical },
   [EU_BODY_ADD_F] = { 2, 4, FLOAT, EU_FP_F, emit_binary, F, 0x58 },
   [EU_BODY_MUL_F] = { 2, 4, FLOAT, EU_FP_F, emit_binary, F, 0x59 },
   [EU_BODY_MAD_F] = { 3, 4, FLOAT, EU_FP_F, emit_mad },
   [EU_BODY_LRP_F] = { 3, 4, FLOAT, EU_FP_F, emit_lrp },
   [EU_BODY_RNDE_F] = { 1, 4, FLOAT, EU_FP_F, emit_round, 0, 0 },
   [EU_BODY_RNDD_F] = { 1, 4, FLOAT, EU_FP_F, emit_round, 0, 1 },
   [EU_BODY_RNDU_F] = { 1, 4, FLOAT, EU_FP_F, emit_round, 0, 2 },
   [EU_BODY_RNDZ_F] = { 1, 4, FLOAT, EU_FP_F, emit_round, 0, 3 },
   [EU_BODY_MOV_DF] = { 1, 8, FLOAT, EU_FP_DF, emit_canonical },
   [EU_BODY_ADD_DF] = { 2, 8, FLOAT, EU_FP_DF, emit_binary, DF, 0x58 },
   [EU_BODY_MUL_DF] = { 2, 8, FLOAT, EU_FP_DF, emit_binary, DF, 0x59 },
   [EU_BODY_MAD_DF] = { 3, 8, FLOAT, EU_FP_DF, emit_mad },
   [EU_BODY_MOV_INT] = { 1, 4, INT, -1, emit_copy },
   [EU_BODY_ADD_INT] = { 2, 4, INT, -1, emit_binary, I, 0xfe },
   [EU_BODY_MUL_INT] = { 2, 4, INT, -1, emit_binary, I38, 0x40 },
   [EU_BODY_NOT_INT] = { 1, 4, LOGIC, -1, emit_not },
   [EU_BODY_AND_INT] = { 2, 4, LOGIC, -1, emit_binary, I, 0xdb },
   [EU_BODY_OR_INT] = { 2, 4, LOGIC, -1, emit_binary, I, 0xeb },
   [EU_BODY_XOR_INT] = { 2, 4, LOGIC, -1, emit_binary, I, 0xef },
   [EU_BODY_SHL_INT] = { 2, 4, INT, -1, emit_shift, I38, 0x47 },
   [EU_BODY_SHR_INT] = { 2, 4, INT, -1, emit_shift, I38, 0x45 },
   [EU_BODY_ASR_INT] = { 2, 4, INT, -1, emit_shift, I38, 0x46 },
   [EU_BODY_MOV_F_FROM_D] = { 1, 4, INT, EU_FP_F, emit_int_to_float },
   [EU_BODY_MOV_D_FROM_F] = { 1, 4, FLOAT, EU_FP_F, emit_float_to_int },
   [EU_BODY_CMP_F] = { 2, 4, FLOAT, EU_FP_F, emit_compare_floats },
   [EU_BODY_CMP_DF] = { 2, 8, FLOAT, EU_FP_DF, emit_compare_floats },
   [EU_BODY_CMP_D] = { 2, 4, INT, -1, emit_compare_ints, 0, 0 },
   [EU_BODY_CMP_UD] = { 2, 4, INT, -1, emit_compare_ints, 0, 1 },
   [EU_BODY_MINMAX_F] = { 2, 4, FLOAT, EU_FP_F, emit_minmax_floats },
   [EU_BODY_MINMAX_DF] = { 2, 8, FLOAT, EU_FP_DF, emit_minmax_floats },
   [EU_BODY_MINMAX_D] = { 2, 4, INT, -1, emit_minmax_ints, 0, 0 },
   [EU_BODY_MINMAX_UD] = { 2, 4, INT, -1, emit_minmax_ints, 0, 1 },
   [EU_BODY_PLN_F] = { 2, 4, FLOAT, EU_FP_F, emit_plane },
   [EU_BODY_MATH_F] = { 1, 4, FLOAT, EU_FP_MATH, emit_inverse },
};
/* clang-format on */

#undef RAW
#undef FLOAT
#undef INT
#undef LOGIC
#undef F
#undef DF
#undef I
#undef I38

bool
jit_is_select(const struct eu_op *op)
{
   return jit_bodies[op->body].emit == emit_select;
}

bool
jit_is_minmax(const struct eu_op *op)
{
   return jit_bodies[op->body].emit == emit_minmax_floats ||
          jit_bodies[op->body].emit == emit_minmax_ints;
}
