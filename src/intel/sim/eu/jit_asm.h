/* SPDX-License-Identifier: MIT */
/*
 * Host instructions (x86-64, AVX2, FMA), as jit.c and jit_alu.c need them.
 * Encodings: Intel SDM volume 2, "Instruction Format" (VEX prefix: 2.3).
 */
#ifndef SIM_EU_JIT_ASM_H
#define SIM_EU_JIT_ASM_H

#include "util/macros.h"

/* General registers; those that hold something through a program are ones
 * that calls preserve. */
enum jit_gpr {
   JIT_EAX = 0,
   JIT_ECX = 1,
   JIT_EDX = 2,
   JIT_RSI = 6,
   JIT_RDI = 7,
   JIT_THREAD = 3, /* rbx: struct sim_eu_thread */
   JIT_OPS = 12,   /* r12: the program's first op */
   JIT_POOL = 13,  /* r13: constants */
};

/* A vector register, or memory at a general register. */
struct jit_rm {
   bool memory;
   uint8_t reg;
   int32_t disp;
};

struct jit_buf {
   uint8_t *base, *at;
};

static inline void
jit_8(struct jit_buf *b, unsigned v)
{
   *b->at++ = (uint8_t)v;
}

static inline void
jit_32(struct jit_buf *b, uint32_t v)
{
   memcpy(b->at, &v, 4);
   b->at += 4;
}

static inline void
jit_64(struct jit_buf *b, uint64_t v)
{
   memcpy(b->at, &v, 8);
   b->at += 8;
}

static inline struct jit_rm
jit_ymm(unsigned reg)
{
   return (struct jit_rm) { .reg = (uint8_t)reg };
}

static inline struct jit_rm
jit_at(enum jit_gpr base, size_t disp)
{
   return (struct jit_rm) { true, (uint8_t)base, (int32_t)disp };
}

static inline void
jit_modrm(struct jit_buf *b, unsigned reg, struct jit_rm rm)
{
   jit_8(b, (rm.memory ? 0x80 : 0xc0) | (reg & 7) << 3 | (rm.reg & 7));
   if (!rm.memory)
      return;
   if ((rm.reg & 7) == 4)
      jit_8(b, 0x24); /* SIB: no index */
   jit_32(b, (uint32_t)rm.disp);
}

/* The mandatory prefix and the map of an opcode; its W and L. */
enum {
   JIT_NP = 0,
   JIT_66 = 1,
   JIT_F3 = 2,
   JIT_F2 = 3,
   JIT_0F = 1 << 2,
   JIT_0F38 = 2 << 2,
   JIT_0F3A = 3 << 2,
   JIT_W1 = 1 << 4,
   JIT_128 = 1 << 5,
};

/* reg = reg2 OP rm; reg2 is 0 where the instruction has none. */
static inline void
jit_vex(struct jit_buf *b, unsigned form, unsigned opcode, unsigned reg,
        unsigned reg2, struct jit_rm rm)
{
   jit_8(b, 0xc4);
   jit_8(b, (reg & 8 ? 0 : 0x80) | 0x40 | (rm.reg & 8 ? 0 : 0x20) |
               (form >> 2 & 3));
   jit_8(b, (form & JIT_W1 ? 0x80 : 0) | (~reg2 & 15) << 3 |
               (form & JIT_128 ? 0 : 4) | (form & 3));
   jit_8(b, opcode);
   jit_modrm(b, reg, rm);
}

static inline void
jit_vex_imm(struct jit_buf *b, unsigned form, unsigned opcode, unsigned reg,
            unsigned reg2, struct jit_rm rm, unsigned imm)
{
   jit_vex(b, form, opcode, reg, reg2, rm);
   jit_8(b, imm);
}

/* General instructions of 32 bits: `reg` is one of the first eight. */
static inline void
jit_gpr(struct jit_buf *b, unsigned opcode, unsigned reg, struct jit_rm rm)
{
   if (rm.reg & 8)
      jit_8(b, 0x41);
   jit_8(b, opcode);
   jit_modrm(b, reg, rm);
}

static inline void
jit_mov_load(struct jit_buf *b, enum jit_gpr r, struct jit_rm rm)
{
   jit_gpr(b, 0x8b, r, rm);
}

static inline void
jit_mov_store(struct jit_buf *b, struct jit_rm rm, enum jit_gpr r)
{
   jit_gpr(b, 0x89, r, rm);
}

/* The second byte of the 81 group. */
enum jit_alu {
   JIT_OR = 1,
   JIT_AND = 4,
   JIT_CMP = 7,
};

static inline void
jit_alu_imm(struct jit_buf *b, enum jit_alu op, enum jit_gpr r, uint32_t imm)
{
   jit_gpr(b, 0x81, op, (struct jit_rm) { .reg = (uint8_t)r });
   jit_32(b, imm);
}

static inline void
jit_alu(struct jit_buf *b, enum jit_alu op, enum jit_gpr r, enum jit_gpr from)
{
   jit_gpr(b, op << 3 | 1, from, (struct jit_rm) { .reg = (uint8_t)r });
}

static inline void
jit_mov(struct jit_buf *b, enum jit_gpr r, enum jit_gpr from)
{
   jit_gpr(b, 0x89, from, (struct jit_rm) { .reg = (uint8_t)r });
}

static inline void
jit_not(struct jit_buf *b, enum jit_gpr r)
{
   jit_gpr(b, 0xf7, 2, (struct jit_rm) { .reg = (uint8_t)r });
}

static inline void
jit_test(struct jit_buf *b, enum jit_gpr r, enum jit_gpr s)
{
   jit_gpr(b, 0x85, s, (struct jit_rm) { .reg = (uint8_t)r });
}

static inline void
jit_test_imm(struct jit_buf *b, enum jit_gpr r, uint32_t imm)
{
   jit_gpr(b, 0xf7, 0, (struct jit_rm) { .reg = (uint8_t)r });
   jit_32(b, imm);
}

/* By a constant; by 0 nothing is written. */
static inline void
jit_shl(struct jit_buf *b, enum jit_gpr r, unsigned n)
{
   if (n) {
      jit_gpr(b, 0xc1, 4, (struct jit_rm) { .reg = (uint8_t)r });
      jit_8(b, n);
   }
}

static inline void
jit_shr(struct jit_buf *b, enum jit_gpr r, unsigned n)
{
   if (n) {
      jit_gpr(b, 0xc1, 5, (struct jit_rm) { .reg = (uint8_t)r });
      jit_8(b, n);
   }
}

/* Jumps whose distance is written later, by jit_patch(). */
enum jit_cond {
   JIT_IF_ZERO = 4,
   JIT_IF_NOT_ZERO = 5,
};

static inline uint8_t *
jit_jump_if(struct jit_buf *b, enum jit_cond c)
{
   jit_8(b, 0x0f);
   jit_8(b, 0x80 | c);
   jit_32(b, 0);
   return b->at;
}

static inline uint8_t *
jit_jump(struct jit_buf *b)
{
   jit_8(b, 0xe9);
   jit_32(b, 0);
   return b->at;
}

/* `from` is what the jump returned. */
static inline void
jit_patch(uint8_t *from, const uint8_t *to)
{
   const int32_t distance = (int32_t)(to - from);
   memcpy(from - 4, &distance, 4);
}

#endif
