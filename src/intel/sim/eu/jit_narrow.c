/* SPDX-License-Identifier: MIT */
/*
 * Integers of 8 and 16 bits as host code: they are extended to dwords, with
 * which jit_alu.c goes on, and words are what is left of a result. The bits
 * are those of load_narrow() and store_16() in fast_lanes.h.
 */
#include "intel/sim/eu/jit.h"
#include "util/arena.h"

#define GRF_FILE_B (SIM_GRF_COUNT * SIM_GRF_B)

bool
jit_is_narrow(enum isa_type t)
{
   return t == ISA_TYPE_W || t == ISA_TYPE_UW || t == ISA_TYPE_B ||
          t == ISA_TYPE_UB || t == ISA_TYPE_V || t == ISA_TYPE_UV;
}

static bool
is_constant(const struct eu_src *s)
{
   return s->kind == EU_KIND_IMM || s->kind == EU_KIND_VALUES;
}

static unsigned
element_B(const struct eu_src *s)
{
   return s->type == ISA_TYPE_B || s->type == ISA_TYPE_UB ? 1 : 2;
}

static unsigned
element_at(const struct eu_op *op, const struct eu_src *s, unsigned lane)
{
   if (lane >= op->exec_size)
      lane = 0;
   switch (s->kind) {
   case EU_KIND_REGION: return s->lane_off_B[lane];
   case EU_KIND_VEC: return s->off_B + lane * element_B(s);
   case EU_KIND_VEC2: return s->off_B + 2 * lane * element_B(s);
   default: return s->off_B;
   }
}

/* Where 16 bytes begin that four elements are in, from `lane` on. */
static bool
find_window(const struct eu_op *op, const struct eu_src *s, unsigned lane,
            unsigned *begin_B)
{
   unsigned lo = GRF_FILE_B, hi = 0;
   for (unsigned i = 0; i < 4; i++) {
      const unsigned at = element_at(op, s, lane + i);
      lo = MIN2(lo, at);
      hi = MAX2(hi, at + element_B(s));
   }
   *begin_B = MIN2(lo, GRF_FILE_B - 16u);
   return hi - *begin_B <= 16;
}

bool
jit_narrow_supports(const struct eu_op *op, const struct eu_src *s)
{
   unsigned begin_B;
   if (is_constant(s))
      return true;
   if (s->kind == EU_KIND_NONE)
      return false;
   for (unsigned lane = 0; lane < 8u * op->chunks; lane += 4)
      if (!find_window(op, s, lane, &begin_B))
         return false;
   return true;
}

/* 32 bytes of data, which live as long as the program; changes eax. */
static struct jit_rm
literal(struct jit *j, const void *data)
{
   const void *at = arena_memdup(j->p->arena, data, 32);
   jit_8(&j->buf, 0x48); /* mov rax, at */
   jit_8(&j->buf, 0xb8);
   jit_64(&j->buf, (uint64_t)(uintptr_t)at);
   return jit_at(JIT_EAX, 0);
}

static void
load_constant(struct jit *j, const struct eu_src *s, unsigned to)
{
   uint32_t v[8];
   for (unsigned i = 0; i < 8; i++) {
      const uint64_t u = s->kind == EU_KIND_IMM ? s->imm : s->values[i];
      v[i] = eu_type_is_signed(s->type) ? (uint32_t)(int16_t)u : (uint16_t)u;
   }
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x10, to, 0, literal(j, v));
}

/* Two windows, whose bytes are moved to where each dword has them. */
static void
load_windows(struct jit *j, const struct eu_op *op, const struct eu_src *s,
             unsigned to, unsigned chunk)
{
   const unsigned size_B = element_B(s);
   const bool sign = eu_type_is_signed(s->type);
   /* With a sign they come to the upper end, from where they are shifted. */
   const unsigned first = sign ? 4 - size_B : 0;
   unsigned begin_B[2] = { 0 };
   uint8_t places[32];
   memset(places, 0x80, sizeof(places)); /* zero */
   for (unsigned lane = 0; lane < 8; lane++) {
      unsigned *begin = &begin_B[lane / 4];
      if (lane % 4 == 0)
         find_window(op, s, 8 * chunk + lane, begin);
      const unsigned at = element_at(op, s, 8 * chunk + lane) - *begin;
      for (unsigned k = 0; k < size_B; k++)
         places[4 * lane + first + k] = (uint8_t)(at + k);
   }
   jit_vex(&j->buf, JIT_NP | JIT_0F | JIT_128, 0x10, to, 0,
           jit_grf(begin_B[0]));
   jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A, 0x38, to, to, /* VINSERTI128 */
               jit_grf(begin_B[1]), 1);
   jit_vex(&j->buf, JIT_66 | JIT_0F38, 0x00, to, to, /* VPSHUFB */
           literal(j, places));
   if (sign) /* VPSRAD */
      jit_vex_imm(&j->buf, JIT_66 | JIT_0F, 0x72, 4, to, jit_ymm(to),
                  8 * first);
}

void
jit_narrow_load(struct jit *j, const struct eu_op *op, const struct eu_src *s,
                unsigned to, unsigned chunk)
{
   if (is_constant(s))
      load_constant(j, s, to);
   else if (s->kind == EU_KIND_VEC && element_B(s) == 2 && op->exec_size >= 8)
      jit_vex(&j->buf, JIT_66 | JIT_0F38, /* VPMOVSXWD, VPMOVZXWD */
              eu_type_is_signed(s->type) ? 0x23 : 0x33, to, 0,
              jit_grf(s->off_B + 16 * chunk));
   else
      load_windows(j, op, s, to, chunk);
}

/* Words of the lanes of a chunk that the instruction has. */
static void
store_lanes(struct jit *j, uint32_t lanes, struct jit_rm to)
{
   switch (lanes) {
   case 0x1: /* VPEXTRW */
      jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A | JIT_128, 0x15, 0, 0, to, 0);
      break;
   case 0x3:
      jit_vex(&j->buf, JIT_F3 | JIT_0F | JIT_128, 0x11, 0, 0, to);
      break;
   case 0xf:
      jit_vex(&j->buf, JIT_NP | JIT_0F | JIT_128, 0x13, 0, 0, to);
      break;
   default:
      jit_vex(&j->buf, JIT_NP | JIT_0F | JIT_128, 0x11, 0, 0, to);
      break;
   }
}

void
jit_narrow_store(struct jit *j, uint32_t lanes, unsigned mask,
                 struct jit_rm to)
{
   struct jit_buf *b = &j->buf;
   jit_vex(b, JIT_66 | JIT_0F, 0xdb, 0, 0, jit_constant(JIT_POOL_LOW_16));
   jit_vex_imm(b, JIT_66 | JIT_0F3A, 0x39, 0, 0, jit_ymm(JIT_TMP), 1);
   jit_vex(b, JIT_66 | JIT_0F38 | JIT_128, 0x2b, 0, 0, /* VPACKUSDW */
           jit_ymm(JIT_TMP));
   if (!mask) {
      store_lanes(j, lanes, to);
      return;
   }
   jit_vex_imm(b, JIT_66 | JIT_0F3A, 0x39, mask, 0, jit_ymm(JIT_TMP), 1);
   jit_vex(b, JIT_66 | JIT_0F | JIT_128, 0x6b, JIT_TMP, mask, /* VPACKSSDW */
           jit_ymm(JIT_TMP));
   jit_vex(b, JIT_NP | JIT_0F | JIT_128, 0x10, JIT_OLD, 0, to);
   jit_vex_imm(b, JIT_66 | JIT_0F3A | JIT_128, 0x4c, JIT_OLD, JIT_OLD,
               jit_ymm(0), JIT_TMP << 4); /* VPBLENDVB */
   jit_vex(b, JIT_NP | JIT_0F | JIT_128, 0x11, JIT_OLD, 0, to);
}
