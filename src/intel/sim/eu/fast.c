/* SPDX-License-Identifier: MIT */
/*
 * The common forms of the common instructions, a register of eight 32-bit or
 * four 64-bit channels at a time, on host vectors.
 *
 * This file is built twice: for the baseline of the host and for AVX2, FMA
 * and F16C; decode.c takes the one that the host can run. What holds before:
 * decode.c has checked that operands are in the register file, that masks
 * are plain, and that executing in pieces of a register gives what the
 * instruction's own pieces give. Each body must give the bits that
 * generic.c gives; the test `eu_random` compares them.
 *
 * Loads may read up to 64 bytes behind the last register: see struct
 * sim_eu_thread.
 */
#include "intel/sim/eu/eu_private.h"

#include <math.h>

#ifndef EU_FAST_SELECT
#error "EU_FAST_SELECT names the entry point of this build"
#endif

typedef float v8f __attribute__((vector_size(32)));
typedef int32_t v8d __attribute__((vector_size(32)));
typedef uint32_t v8u __attribute__((vector_size(32)));
typedef int16_t v8w __attribute__((vector_size(16)));
typedef uint16_t v8uw __attribute__((vector_size(16)));
typedef uint16_t v16uw __attribute__((vector_size(32)));
typedef double v4df __attribute__((vector_size(32)));
typedef int64_t v4q __attribute__((vector_size(32)));
typedef uint64_t v4uq __attribute__((vector_size(32)));
typedef float v4f __attribute__((vector_size(16)));
typedef int32_t v4d __attribute__((vector_size(16)));
typedef uint32_t v4u __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))

/* Host vectors ------------------------------------------------------------ */

INLINE v8u
splat_u(uint32_t u)
{
   return (v8u){u, u, u, u, u, u, u, u};
}

INLINE v8f
splat_f(float f)
{
   return (v8f){f, f, f, f, f, f, f, f};
}

INLINE v4uq
splat_uq(uint64_t u)
{
   return (v4uq){u, u, u, u};
}

INLINE v4df
splat_df(double d)
{
   return (v4df){d, d, d, d};
}

/* All ones in lane i where bit i is set. */
INLINE v8u
lanes_8(uint32_t bits)
{
   const v8u one = {1, 2, 4, 8, 16, 32, 64, 128};
   return (v8u)((splat_u(bits) & one) == one);
}

INLINE v4uq
lanes_4(uint32_t bits)
{
   const v4uq one = {1, 2, 4, 8};
   return (v4uq)((splat_uq(bits) & one) == one);
}

INLINE uint32_t
bits_8(v8d m)
{
#ifdef __AVX2__
   return __builtin_ia32_movmskps256((v8f)m);
#else
   const union { v8d v; v4f half[2]; } u = {m};
   return __builtin_ia32_movmskps(u.half[0]) |
          __builtin_ia32_movmskps(u.half[1]) << 4;
#endif
}

INLINE uint32_t
bits_4(v4q m)
{
#ifdef __AVX2__
   return __builtin_ia32_movmskpd256((v4df)m);
#else
   uint32_t bits = 0;
   for (unsigned i = 0; i < 4; i++)
      bits |= (uint32_t)(m[i] < 0) << i;
   return bits;
#endif
}

INLINE v8u
choose(v8u m, v8u a, v8u b)
{
   return (a & m) | (b & ~m);
}

INLINE v4uq
choose_q(v4uq m, v4uq a, v4uq b)
{
   return (a & m) | (b & ~m);
}

/* One rounding, as MAD has. */
INLINE v8f
fused(v8f a, v8f b, v8f c)
{
#ifdef __FMA__
   return __builtin_ia32_vfmaddps256(a, b, c);
#else
   v8f r;
   for (unsigned i = 0; i < 8; i++)
      r[i] = fmaf(a[i], b[i], c[i]);
   return r;
#endif
}

INLINE v4df
fused_df(v4df a, v4df b, v4df c)
{
#ifdef __FMA__
   return __builtin_ia32_vfmaddpd256(a, b, c);
#else
   v4df r;
   for (unsigned i = 0; i < 4; i++)
      r[i] = fma(a[i], b[i], c[i]);
   return r;
#endif
}

#ifdef __AVX2__
#define ROUND_BODY(name, imm, mode)                                          \
   INLINE v8f name(v8f a)                                                    \
   {                                                                         \
      return __builtin_ia32_roundps256(a, (imm) | 8);                        \
   }
#else
#define ROUND_BODY(name, imm, mode)                                          \
   INLINE v8f name(v8f a)                                                    \
   {                                                                         \
      for (unsigned i = 0; i < 8; i++)                                       \
         a[i] = eu_round_f(a[i], mode);                                      \
      return a;                                                              \
   }
#endif
ROUND_BODY(round_even, 0, EU_ROUND_EVEN)
ROUND_BODY(round_down, 1, EU_ROUND_DOWN)
ROUND_BODY(round_up, 2, EU_ROUND_UP)
ROUND_BODY(round_zero, 3, EU_ROUND_ZERO)

/* x * 1, which the compiler must not remove: flushes denormals in the mode
 * for it, makes NaNs quiet. */
INLINE v8f
canonical(v8f x)
{
   float one = 1.0f;
   __asm__("" : "+x"(one));
   return x * splat_f(one);
}

INLINE v4df
canonical_df(v4df x)
{
   double one = 1.0;
   __asm__("" : "+x"(one));
   return x * splat_df(one);
}

/* Sources ----------------------------------------------------------------- */

INLINE const uint8_t *
grf_at(const struct sim_eu_thread *t, unsigned off_B)
{
   return (const uint8_t *)t->grf + off_B;
}

#define LOAD(type, p)                                                        \
   ({                                                                        \
      type v_;                                                               \
      memcpy(&v_, p, sizeof(v_));                                            \
      v_;                                                                    \
   })

NOINLINE v8u
gather_32(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   v8u v;
   for (unsigned i = 0; i < 8; i++)
      v[i] = s->kind == EU_KIND_VALUES ? (uint32_t)s->values[i] :
             LOAD(uint32_t, grf_at(t, s->lane_off_B[8 * c + i]));
   return v;
}

/* Eight 32-bit elements. */
INLINE v8u
load_32(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   switch (s->kind) {
   case EU_KIND_VEC: return LOAD(v8u, grf_at(t, s->off_B + 32 * c));
   case EU_KIND_SCALAR:
      return splat_u(LOAD(uint32_t, grf_at(t, s->off_B)));
   case EU_KIND_IMM: return splat_u((uint32_t)s->imm);
   case EU_KIND_VEC2: {
      const v8u lo = LOAD(v8u, grf_at(t, s->off_B + 64 * c));
      const v8u hi = LOAD(v8u, grf_at(t, s->off_B + 64 * c + 32));
      return __builtin_shuffle(lo, hi, (v8u){0, 2, 4, 6, 8, 10, 12, 14});
   }
   default: return gather_32(t, s, c);
   }
}

/* Eight elements of 8 or 16 bits, extended by their sign. */
NOINLINE v8u
load_narrow(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   const bool sign = eu_type_is_signed(s->type);
   const bool byte = s->type == ISA_TYPE_B || s->type == ISA_TYPE_UB;
   v8u v;

   if (!byte && s->kind == EU_KIND_VEC) {
      const uint8_t *p = grf_at(t, s->off_B + 16 * c);
      return sign ? (v8u)__builtin_convertvector(LOAD(v8w, p), v8d) :
                    __builtin_convertvector(LOAD(v8uw, p), v8u);
   }
   if (!byte && s->kind == EU_KIND_VEC2) {
      v = LOAD(v8u, grf_at(t, s->off_B + 32 * c));
      return sign ? (v8u)((v8d)(v << 16) >> 16) : v & 0xffff;
   }
   for (unsigned i = 0; i < 8; i++) {
      const unsigned size_B = byte ? 1 : 2;
      const unsigned lane = 8 * c + i;
      const unsigned off_B =
         s->kind == EU_KIND_REGION ? s->lane_off_B[lane] :
         s->kind == EU_KIND_VEC    ? s->off_B + lane * size_B :
         s->kind == EU_KIND_VEC2   ? s->off_B + 2 * lane * size_B : s->off_B;
      uint32_t u;
      if (s->kind == EU_KIND_IMM)
         u = (uint32_t)s->imm;
      else if (s->kind == EU_KIND_VALUES)
         u = (uint32_t)s->values[i];
      else if (byte)
         u = *grf_at(t, off_B);
      else
         u = LOAD(uint16_t, grf_at(t, off_B));
      v[i] = byte ? (sign ? (uint32_t)(int8_t)u : (uint8_t)u) :
                    (sign ? (uint32_t)(int16_t)u : (uint16_t)u);
   }
   return v;
}

INLINE v8u
load_int(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   v8u v;
   if (s->type == ISA_TYPE_D || s->type == ISA_TYPE_UD)
      v = load_32(t, s, c);
   else
      v = load_narrow(t, s, c);
   if (s->mods) {
      const v8u m = s->abs ? (v8u)((v8d)v >> 31) : splat_u(0);
      v = (v ^ m) - m;
      if (s->negate)
         v = -v;
   }
   return v;
}

/* Logic operations: negate is NOT. */
INLINE v8u
load_logic(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   const v8u v = s->type == ISA_TYPE_D || s->type == ISA_TYPE_UD ?
                 load_32(t, s, c) : load_narrow(t, s, c);
   return s->negate ? ~v : v;
}

INLINE v8f
load_f(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   v8u v = load_32(t, s, c);
   if (s->mods)
      v = (v & splat_u(s->and_hi)) ^ splat_u(s->xor_hi);
   return (v8f)v;
}

/* Four 64-bit elements. */
INLINE v4uq
load_64(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   switch (s->kind) {
   case EU_KIND_VEC: return LOAD(v4uq, grf_at(t, s->off_B + 32 * c));
   case EU_KIND_SCALAR:
      return splat_uq(LOAD(uint64_t, grf_at(t, s->off_B)));
   case EU_KIND_IMM: return splat_uq(s->imm);
   default: {
      v4uq v;
      for (unsigned i = 0; i < 4; i++) {
         const unsigned lane = 4 * c + i;
         v[i] = LOAD(uint64_t, grf_at(t, s->kind == EU_KIND_VEC2 ?
                                      s->off_B + lane * 16u :
                                      s->lane_off_B[lane]));
      }
      return v;
   }
   }
}

INLINE v4df
load_df(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   v4uq v = load_64(t, s, c);
   if (s->mods)
      v = (v & splat_uq((uint64_t)s->and_hi << 32 | 0xffffffff)) ^
          splat_uq((uint64_t)s->xor_hi << 32);
   return (v4df)v;
}

/* Four 32-bit elements. */
INLINE v4u
load_4x32(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   v4u v;
   switch (s->kind) {
   case EU_KIND_VEC: return LOAD(v4u, grf_at(t, s->off_B + 16 * c));
   case EU_KIND_SCALAR: {
      const uint32_t u = LOAD(uint32_t, grf_at(t, s->off_B));
      return (v4u){u, u, u, u};
   }
   case EU_KIND_IMM: {
      const uint32_t u = (uint32_t)s->imm;
      return (v4u){u, u, u, u};
   }
   default:
      for (unsigned i = 0; i < 4; i++) {
         const unsigned lane = 4 * c + i;
         v[i] = LOAD(uint32_t, grf_at(t, s->kind == EU_KIND_VEC2 ?
                                      s->off_B + lane * 8u :
                                      s->lane_off_B[lane]));
      }
      return v;
   }
}

/* Destinations ------------------------------------------------------------ */

INLINE void
blend_32(uint8_t *p, v8u v, v8u m)
{
   v = choose(m, v, LOAD(v8u, p));
   memcpy(p, &v, sizeof(v));
}

/* Eight dwords under the mask, side by side or every second one. */
INLINE void
store_32(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
         uint32_t mask, v8u v)
{
   const uint32_t m8 = mask >> 8 * c & 0xff;
   uint8_t *p = (uint8_t *)t->grf + op->dst_off_B;
   if (op->flags & EU_DST_NULL || !m8)
      return;
   if (!(op->flags & EU_DST_STRIDE2)) {
      p += 32 * c;
      if (m8 == 0xff)
         memcpy(p, &v, sizeof(v));
      else
         blend_32(p, v, lanes_8(m8));
      return;
   }
   p += 64 * c;
   const v8u zero = {0}, m = lanes_8(m8);
   const v8u lo = {0, 8, 1, 8, 2, 8, 3, 8}, hi = {4, 8, 5, 8, 6, 8, 7, 8};
   blend_32(p, __builtin_shuffle(v, zero, lo), __builtin_shuffle(m, zero, lo));
   if (m8 & 0xf0)
      blend_32(p + 32, __builtin_shuffle(v, zero, hi),
               __builtin_shuffle(m, zero, hi));
}

NOINLINE void
store_16(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
         uint32_t mask, v8u v)
{
   const unsigned stride_B = op->flags & EU_DST_STRIDE2 ? 4 : 2;
   uint8_t *p = (uint8_t *)t->grf + op->dst_off_B + 8 * stride_B * c;
   if (op->flags & EU_DST_NULL)
      return;
   for (unsigned i = 0; i < 8; i++) {
      const uint16_t u = (uint16_t)v[i];
      if (mask >> (8 * c + i) & 1)
         memcpy(p + i * stride_B, &u, 2);
   }
}

INLINE void
store_64(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
         uint32_t mask, v4uq v)
{
   const uint32_t m4 = mask >> 4 * c & 0xf;
   uint8_t *p = (uint8_t *)t->grf + op->dst_off_B + 32 * c;
   if (op->flags & EU_DST_NULL || !m4)
      return;
   if (m4 != 0xf)
      v = choose_q(lanes_4(m4), v, LOAD(v4uq, p));
   memcpy(p, &v, sizeof(v));
}

/* Four dwords, one to each qword of the destination: results of doubles
 * that become narrower keep the stride of doubles. */
INLINE void
store_4x32(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
           uint32_t mask, v4u v)
{
   const unsigned stride_B = op->flags & EU_DST_STRIDE2 ? 8 : 4;
   uint8_t *p = (uint8_t *)t->grf + op->dst_off_B + 4 * stride_B * c;
   if (op->flags & EU_DST_NULL)
      return;
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t u = v[i];
      if (mask >> (4 * c + i) & 1)
         memcpy(p + i * stride_B, &u, 4);
   }
}

INLINE void
flags_8(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
        uint32_t mask, uint32_t bits)
{
   eu_set_flags(t, op, mask & 0xffu << 8 * c, bits << 8 * c);
}

INLINE void
flags_4(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
        uint32_t mask, uint32_t bits)
{
   eu_set_flags(t, op, mask & 0xfu << 4 * c, bits << 4 * c);
}

/* Lanes in which `a m b` holds; with a NaN only .nz and .u do. */
#define COMPARE(name, vec, mask)                                             \
   INLINE mask name(enum isa_cond_mod m, vec a, vec b)                       \
   {                                                                         \
      switch (m) {                                                           \
      case ISA_COND_MOD_Z: return a == b;                                    \
      case ISA_COND_MOD_NZ: return ~(a == b);                                \
      case ISA_COND_MOD_G: return a > b;                                     \
      case ISA_COND_MOD_GE: return a >= b;                                   \
      case ISA_COND_MOD_L: return a < b;                                     \
      case ISA_COND_MOD_LE: return a <= b;                                   \
      case ISA_COND_MOD_U: return (a != a) | (b != b);                       \
      default: return (mask){0};                                             \
      }                                                                      \
   }
COMPARE(compare_f, v8f, v8d)
COMPARE(compare_d, v8d, v8d)
COMPARE(compare_u, v8u, v8d)
COMPARE(compare_df, v4df, v4q)

/* Results of float arithmetic: saturate, condition, write. */

INLINE v8f
saturate_f(v8f v)
{
   const v8f one = splat_f(1.0f);
   v = (v8f)((v8u)(v > 0) & (v8u)v);
   return (v8f)choose((v8u)(v < one), (v8u)v, (v8u)one);
}

INLINE v4df
saturate_df(v4df v)
{
   const v4df one = splat_df(1.0);
   v = (v4df)((v4uq)(v > 0) & (v4uq)v);
   return (v4df)choose_q((v4uq)(v < one), (v4uq)v, (v4uq)one);
}

INLINE void
finish_f(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
         uint32_t mask, v8f r)
{
   if (op->flags & EU_SAT)
      r = saturate_f(r);
   if (op->cmod != ISA_COND_MOD_NONE)
      flags_8(t, op, c, mask, bits_8(compare_f(op->cmod, r, splat_f(0))));
   store_32(t, op, c, mask, (v8u)r);
}

INLINE void
finish_df(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
          uint32_t mask, v4df r)
{
   if (op->flags & EU_SAT)
      r = saturate_df(r);
   if (op->cmod != ISA_COND_MOD_NONE)
      flags_4(t, op, c, mask, bits_4(compare_df(op->cmod, r, splat_df(0))));
   store_64(t, op, c, mask, (v4uq)r);
}

INLINE void
finish_int(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
           uint32_t mask, v8u r)
{
   if (op->cmod != ISA_COND_MOD_NONE)
      flags_8(t, op, c, mask,
              bits_8(op->dst_type == ISA_TYPE_UD ?
                     compare_u(op->cmod, r, splat_u(0)) :
                     compare_d(op->cmod, (v8d)r, (v8d)splat_u(0))));
   if (op->dst_type == ISA_TYPE_UW || op->dst_type == ISA_TYPE_W)
      store_16(t, op, c, mask, r);
   else
      store_32(t, op, c, mask, r);
}

/* Bodies ------------------------------------------------------------------ */

#define BODY(name)                                                           \
   static const struct eu_op *name(struct sim_eu_thread *t,                  \
                                   const struct eu_op *op)

#define FLOAT_BODY(name, n, expr)                                            \
   BODY(name)                                                                \
   {                                                                         \
      const uint32_t mask = eu_exec_mask(t, op);                             \
      eu_use_fp(t, EU_FP_F);                                                 \
      for (unsigned i = 0; i < op->chunks; i++) {                            \
         const v8f a = load_f(t, &op->src[0], i);                            \
         const v8f b = (n) > 1 ? load_f(t, &op->src[1], i) : a;              \
         const v8f c = (n) > 2 ? load_f(t, &op->src[2], i) : a;              \
         (void)b, (void)c;                                                   \
         finish_f(t, op, i, mask, expr);                                     \
      }                                                                      \
      return op + 1;                                                         \
   }

INLINE v8f
fraction(v8f a)
{
   const v8f f = a - round_down(a);
   return (v8f)choose((v8u)(f >= splat_f(1.0f)),
                      (v8u)splat_f(0x1.fffffep-1f), (v8u)f);
}

FLOAT_BODY(mov_f, 1, canonical(a))
FLOAT_BODY(add_f, 2, a + b)
FLOAT_BODY(mul_f, 2, a * b)
FLOAT_BODY(mad_f, 3, fused(b, c, a))
FLOAT_BODY(lrp_f, 3, fused(a, b, (splat_f(1.0f) - a) * c))
FLOAT_BODY(frc_f, 1, fraction(canonical(a)))
FLOAT_BODY(rndd_f, 1, round_down(canonical(a)))
FLOAT_BODY(rndu_f, 1, round_up(canonical(a)))
FLOAT_BODY(rnde_f, 1, round_even(canonical(a)))
FLOAT_BODY(rndz_f, 1, round_zero(canonical(a)))

#define DOUBLE_BODY(name, n, expr)                                           \
   BODY(name)                                                                \
   {                                                                         \
      const uint32_t mask = eu_exec_mask(t, op);                             \
      eu_use_fp(t, EU_FP_DF);                                                \
      for (unsigned i = 0; i < op->chunks; i++) {                            \
         const v4df a = load_df(t, &op->src[0], i);                          \
         const v4df b = (n) > 1 ? load_df(t, &op->src[1], i) : a;            \
         const v4df c = (n) > 2 ? load_df(t, &op->src[2], i) : a;            \
         (void)b, (void)c;                                                   \
         finish_df(t, op, i, mask, expr);                                    \
      }                                                                      \
      return op + 1;                                                         \
   }

DOUBLE_BODY(mov_df, 1, canonical_df(a))
DOUBLE_BODY(add_df, 2, a + b)
DOUBLE_BODY(mul_df, 2, a * b)
DOUBLE_BODY(mad_df, 3, fused_df(b, c, a))

#define INT_BODY(name, n, load, expr)                                        \
   BODY(name)                                                                \
   {                                                                         \
      const uint32_t mask = eu_exec_mask(t, op);                             \
      for (unsigned i = 0; i < op->chunks; i++) {                            \
         const v8u a = load(t, &op->src[0], i);                              \
         const v8u b = (n) > 1 ? load(t, &op->src[1], i) : a;                \
         (void)b;                                                            \
         finish_int(t, op, i, mask, expr);                                   \
      }                                                                      \
      return op + 1;                                                         \
   }

INT_BODY(mov_int, 1, load_int, a)
INT_BODY(add_int, 2, load_int, a + b)
INT_BODY(mul_int, 2, load_int, a *b)
INT_BODY(not_int, 1, load_logic, ~a)
INT_BODY(and_int, 2, load_logic, a &b)
INT_BODY(or_int, 2, load_logic, a | b)
INT_BODY(xor_int, 2, load_logic, a ^ b)
INT_BODY(shl_int, 2, load_int, a << (b & 31))
INT_BODY(shr_int, 2, load_int, a >> (b & 31))
INT_BODY(asr_int, 2, load_int, (v8u)((v8d)a >> (v8d)(b & 31)))

/* Copies of bits. */
BODY(mov_raw32)
{
   const uint32_t mask = eu_exec_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++)
      store_32(t, op, i, mask, load_32(t, &op->src[0], i));
   return op + 1;
}

BODY(mov_raw64)
{
   const uint32_t mask = eu_exec_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++)
      store_64(t, op, i, mask, load_64(t, &op->src[0], i));
   return op + 1;
}

/* Conversions */

BODY(mov_f_from_d)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++)
      finish_f(t, op, i, mask,
               __builtin_convertvector((v8d)load_int(t, &op->src[0], i),
                                       v8f));
   return op + 1;
}

/* Exact halves, so that the sum rounds once. */
BODY(mov_f_from_ud)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8u u = load_32(t, &op->src[0], i);
      const v8f hi = __builtin_convertvector((v8d)(u >> 16), v8f);
      const v8f lo = __builtin_convertvector((v8d)(u & 0xffff), v8f);
      finish_f(t, op, i, mask, fused(hi, splat_f(65536.0f), lo));
   }
   return op + 1;
}

BODY(mov_d_from_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f f = load_f(t, &op->src[0], i);
      const v8u high = (v8u)(f >= splat_f(0x1p31f));
      v8d d;
      for (unsigned l = 0; l < 8; l++)
         d[l] = __builtin_ia32_cvttss2si((v4f){f[l]});
      finish_int(t, op, i, mask,
                 choose(high, splat_u(INT32_MAX), (v8u)d) & (v8u)(f == f));
   }
   return op + 1;
}

BODY(mov_ud_from_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f f = load_f(t, &op->src[0], i);
      v8u u;
      for (unsigned l = 0; l < 8; l++)
         u[l] = !(f[l] > 0) ? 0 : f[l] >= 0x1p32f ? UINT32_MAX :
                (uint32_t)(int64_t)f[l];
      finish_int(t, op, i, mask, u);
   }
   return op + 1;
}

BODY(mov_df_from_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const struct eu_src *s = &op->src[0];
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      v4u u = load_4x32(t, s, i);
      u = (u & s->and_hi) ^ s->xor_hi;
      finish_df(t, op, i, mask, __builtin_convertvector((v4f)u, v4df));
   }
   return op + 1;
}

BODY(mov_df_from_d)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const bool sign = op->src[0].type == ISA_TYPE_D;
   eu_use_fp(t, EU_FP_DF);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v4u u = load_4x32(t, &op->src[0], i);
      v4df d;
      for (unsigned l = 0; l < 4; l++)
         d[l] = sign ? (double)(int32_t)u[l] : (double)(int64_t)u[l];
      finish_df(t, op, i, mask, d);
   }
   return op + 1;
}

BODY(mov_f_from_df)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const bool keep = t->cr0[0] & SIM_CR0_DENORM_F;
   eu_use_fp(t, EU_FP_DF);
   for (unsigned i = 0; i < op->chunks; i++) {
      v4df d = load_df(t, &op->src[0], i);
      if (op->flags & EU_SAT)
         d = saturate_df(d);
      v4u u = (v4u)__builtin_convertvector(canonical_df(d), v4f);
      if (!keep)
         u &= (v4u)((u & 0x7f800000) != 0) | 0x80000000;
      store_4x32(t, op, i, mask, u);
   }
   return op + 1;
}

BODY(mov_int_from_df)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const bool sign = op->dst_type == ISA_TYPE_D;
   const double lo = sign ? -0x1p31 : 0, hi = sign ? 0x1p31 - 1 : 0x1p32 - 1;
   eu_use_fp(t, EU_FP_DF);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v4df d = load_df(t, &op->src[0], i);
      v4u u;
      for (unsigned l = 0; l < 4; l++)
         u[l] = d[l] != d[l] ? 0 :
                (uint32_t)(int64_t)(d[l] < lo ? lo : d[l] > hi ? hi : d[l]);
      store_4x32(t, op, i, mask, u);
   }
   return op + 1;
}

/* Comparisons */

BODY(cmp_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8d m = compare_f(op->cmod, load_f(t, &op->src[0], i),
                              load_f(t, &op->src[1], i));
      flags_8(t, op, i, mask, bits_8(m));
      store_32(t, op, i, mask, (v8u)m);
   }
   return op + 1;
}

BODY(cmp_d)
{
   const uint32_t mask = eu_exec_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8d m = compare_d(op->cmod, (v8d)load_int(t, &op->src[0], i),
                              (v8d)load_int(t, &op->src[1], i));
      flags_8(t, op, i, mask, bits_8(m));
      store_32(t, op, i, mask, (v8u)m);
   }
   return op + 1;
}

BODY(cmp_ud)
{
   const uint32_t mask = eu_exec_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8d m = compare_u(op->cmod, load_int(t, &op->src[0], i),
                              load_int(t, &op->src[1], i));
      flags_8(t, op, i, mask, bits_8(m));
      store_32(t, op, i, mask, (v8u)m);
   }
   return op + 1;
}

BODY(cmp_df)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_DF);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v4q m = compare_df(op->cmod, load_df(t, &op->src[0], i),
                               load_df(t, &op->src[1], i));
      flags_4(t, op, i, mask, bits_4(m));
      store_64(t, op, i, mask, (v4uq)m);
   }
   return op + 1;
}

/* Selections: the predicate does not disable. */

INLINE uint32_t
sel_mask(const struct sim_eu_thread *t, const struct eu_op *op)
{
   return op->flags & EU_NO_MASK ? op->lanes :
          op->lanes & (t->active >> op->group);
}

BODY(sel_raw32)
{
   const uint32_t mask = sel_mask(t, op), p = eu_predicate(t, op);
   for (unsigned i = 0; i < op->chunks; i++)
      store_32(t, op, i, mask,
               choose(lanes_8(p >> 8 * i), load_32(t, &op->src[0], i),
                      load_32(t, &op->src[1], i)));
   return op + 1;
}

BODY(sel_f)
{
   const uint32_t mask = sel_mask(t, op), p = eu_predicate(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      v8f r = canonical((v8f)choose(lanes_8(p >> 8 * i),
                                    (v8u)load_f(t, &op->src[0], i),
                                    (v8u)load_f(t, &op->src[1], i)));
      if (op->flags & EU_SAT)
         r = saturate_f(r);
      store_32(t, op, i, mask, (v8u)r);
   }
   return op + 1;
}

BODY(sel_int)
{
   const uint32_t mask = sel_mask(t, op), p = eu_predicate(t, op);
   for (unsigned i = 0; i < op->chunks; i++)
      store_32(t, op, i, mask,
               choose(lanes_8(p >> 8 * i), load_int(t, &op->src[0], i),
                      load_int(t, &op->src[1], i)));
   return op + 1;
}

BODY(sel_raw64)
{
   const uint32_t mask = sel_mask(t, op), p = eu_predicate(t, op);
   for (unsigned i = 0; i < op->chunks; i++)
      store_64(t, op, i, mask,
               choose_q(lanes_4(p >> 4 * i), load_64(t, &op->src[0], i),
                        load_64(t, &op->src[1], i)));
   return op + 1;
}

BODY(minmax_f)
{
   const uint32_t mask = sel_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f a = load_f(t, &op->src[0], i), b = load_f(t, &op->src[1], i);
      const v8u first = (v8u)((b != b) | compare_f(op->cmod, a, b));
      v8f r = canonical((v8f)choose(first, (v8u)a, (v8u)b));
      if (op->flags & EU_SAT)
         r = saturate_f(r);
      store_32(t, op, i, mask, (v8u)r);
   }
   return op + 1;
}

BODY(minmax_df)
{
   const uint32_t mask = sel_mask(t, op);
   eu_use_fp(t, EU_FP_DF);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v4df a = load_df(t, &op->src[0], i);
      const v4df b = load_df(t, &op->src[1], i);
      const v4uq first = (v4uq)((b != b) | compare_df(op->cmod, a, b));
      v4df r = canonical_df((v4df)choose_q(first, (v4uq)a, (v4uq)b));
      if (op->flags & EU_SAT)
         r = saturate_df(r);
      store_64(t, op, i, mask, (v4uq)r);
   }
   return op + 1;
}

BODY(minmax_d)
{
   const uint32_t mask = sel_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8u a = load_int(t, &op->src[0], i);
      const v8u b = load_int(t, &op->src[1], i);
      store_32(t, op, i, mask,
               choose((v8u)compare_d(op->cmod, (v8d)a, (v8d)b), a, b));
   }
   return op + 1;
}

BODY(minmax_ud)
{
   const uint32_t mask = sel_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8u a = load_int(t, &op->src[0], i);
      const v8u b = load_int(t, &op->src[1], i);
      store_32(t, op, i, mask, choose((v8u)compare_u(op->cmod, a, b), a, b));
   }
   return op + 1;
}

/* Interpolation: see alu_plane() in alu.c. */

INLINE v8f
plane_component(const struct sim_eu_thread *t, const struct eu_src *s,
                unsigned k)
{
   const uint32_t u = LOAD(uint32_t, grf_at(t, s->off_B + 4 * k));
   return (v8f)splat_u((u & s->and_hi) ^ s->xor_hi);
}

BODY(pln_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const struct eu_src *b = &op->src[1];
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      /* Inside the loop: the first half may write the plane. */
      const v8f p = plane_component(t, &op->src[0], 0);
      const v8f q = plane_component(t, &op->src[0], 1);
      const v8f w = plane_component(t, &op->src[0], 3);
      v8u u = LOAD(v8u, grf_at(t, b->off_B + 64 * i));
      v8u v = LOAD(v8u, grf_at(t, b->off_B + 64 * i + 32));
      u = (u & splat_u(b->and_hi)) ^ splat_u(b->xor_hi);
      v = (v & splat_u(b->and_hi)) ^ splat_u(b->xor_hi);
      finish_f(t, op, i, mask, fused(p, (v8f)u, fused(q, (v8f)v, w)));
   }
   return op + 1;
}

BODY(line_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f p = plane_component(t, &op->src[0], 0);
      const v8f w = plane_component(t, &op->src[0], 3);
      finish_f(t, op, i, mask, fused(p, load_f(t, &op->src[1], i), w));
   }
   return op + 1;
}

/* Extended math: only the lanes that count are computed. */
BODY(math_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const enum isa_math f = op->inst->math_function;
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f a = canonical(load_f(t, &op->src[0], i));
      const v8f b = op->src[1].kind != EU_KIND_NONE ?
                    canonical(load_f(t, &op->src[1], i)) : a;
      uint32_t m8 = mask >> 8 * i & 0xff;
      v8f r = a;
      if (f == ISA_MATH_INV)
         r = splat_f(1.0f) / a;
      else if (f == ISA_MATH_FDIV)
         r = a / b;
      else
         while (m8) {
            const int l = u_bit_scan(&m8);
            r[l] = eu_math_f(f, a[l], b[l]);
         }
      finish_f(t, op, i, mask, canonical(r));
   }
   return op + 1;
}

/* Choice -------------------------------------------------------------------- */

INLINE bool
is_int32_or_less(enum isa_type t)
{
   return t == ISA_TYPE_D || t == ISA_TYPE_UD || t == ISA_TYPE_W ||
          t == ISA_TYPE_UW || t == ISA_TYPE_B || t == ISA_TYPE_UB;
}

static bool
no_mods(const struct eu_op *op)
{
   return !op->src[0].mods && !op->src[1].mods;
}

/* Values that fit an int32 / a uint32 once extended. */
static bool
all_signed(const struct eu_slow *s)
{
   return s->src[0].type != ISA_TYPE_UD && s->src[1].type != ISA_TYPE_UD;
}

static bool
all_unsigned(const struct eu_slow *s)
{
   return !eu_type_is_signed(s->src[0].type) &&
          !eu_type_is_signed(s->src[1].type);
}

static eu_fn
select_float(const struct eu_op *op, const struct eu_slow *s)
{
   if (s->dst.type != ISA_TYPE_F || op->cmod == ISA_COND_MOD_O)
      return NULL;
   for (unsigned i = 0; i < s->nsrc; i++)
      if (s->src[i].type != ISA_TYPE_F)
         return NULL;
   switch (op->inst->opcode) {
   case ISA_OPCODE_MOV: return s->raw ? NULL : mov_f;
   case ISA_OPCODE_ADD: return add_f;
   case ISA_OPCODE_MUL: return mul_f;
   case ISA_OPCODE_MAD: return mad_f;
   case ISA_OPCODE_LRP: return lrp_f;
   case ISA_OPCODE_FRC: return frc_f;
   case ISA_OPCODE_RNDD: return rndd_f;
   case ISA_OPCODE_RNDU: return rndu_f;
   case ISA_OPCODE_RNDE: return rnde_f;
   case ISA_OPCODE_RNDZ: return rndz_f;
   case ISA_OPCODE_CMP: return cmp_f;
   case ISA_OPCODE_SEL:
      return op->cmod == ISA_COND_MOD_NONE ? sel_f : minmax_f;
   case ISA_OPCODE_LINE: return s->src[0].where == EU_GRF ? line_f : NULL;
   case ISA_OPCODE_PLN:
      return op->exec_size >= 8 && s->src[0].where == EU_GRF &&
             s->src[1].where == EU_GRF ? pln_f : NULL;
   case ISA_OPCODE_MATH:
      return op->inst->math_function <= ISA_MATH_POW &&
             op->inst->math_function >= ISA_MATH_INV ? math_f : NULL;
   default: return NULL;
   }
}

static eu_fn
select_double(const struct eu_op *op, const struct eu_slow *s)
{
   if (s->dst.type != ISA_TYPE_DF || op->cmod == ISA_COND_MOD_O ||
       op->flags & EU_DST_STRIDE2)
      return NULL;
   for (unsigned i = 0; i < s->nsrc; i++)
      if (s->src[i].type != ISA_TYPE_DF)
         return NULL;
   switch (op->inst->opcode) {
   case ISA_OPCODE_MOV: return s->raw ? NULL : mov_df;
   case ISA_OPCODE_ADD: return add_df;
   case ISA_OPCODE_MUL: return mul_df;
   case ISA_OPCODE_MAD: return mad_df;
   case ISA_OPCODE_CMP: return cmp_df;
   case ISA_OPCODE_SEL:
      return op->cmod == ISA_COND_MOD_NONE ? NULL : minmax_df;
   default: return NULL;
   }
}

static eu_fn
select_int_compare(const struct eu_op *op, const struct eu_slow *s)
{
   const bool cmp = op->inst->opcode == ISA_OPCODE_CMP;
   /* The exact value of a negated operand may need 33 bits. */
   if (!no_mods(op) || op->cmod == ISA_COND_MOD_O ||
       op->cmod == ISA_COND_MOD_U || s->dst.size_B != 4)
      return NULL;
   if (all_signed(s))
      return cmp ? cmp_d : minmax_d;
   if (all_unsigned(s))
      return cmp ? cmp_ud : minmax_ud;
   return NULL;
}

static eu_fn
select_int(const struct eu_op *op, const struct eu_slow *s)
{
   const enum isa_type dst = s->dst.type;
   const bool dst32 = dst == ISA_TYPE_D || dst == ISA_TYPE_UD;
   const bool dst16 = dst == ISA_TYPE_W || dst == ISA_TYPE_UW;

   if ((!dst32 && !dst16) || op->flags & EU_SAT)
      return NULL;
   for (unsigned i = 0; i < s->nsrc; i++)
      if (!is_int32_or_less(s->src[i].type) ||
          (s->src[i].abs && !eu_type_is_signed(s->src[i].type)))
         return NULL;
   if (op->inst->opcode == ISA_OPCODE_CMP)
      return select_int_compare(op, s);
   if (op->inst->opcode == ISA_OPCODE_SEL) {
      if (op->cmod != ISA_COND_MOD_NONE)
         return select_int_compare(op, s);
      return dst32 ? sel_int : NULL;
   }
   if (op->cmod != ISA_COND_MOD_NONE &&
       (dst16 || op->cmod == ISA_COND_MOD_O || op->cmod == ISA_COND_MOD_U))
      return NULL;
   switch (op->inst->opcode) {
   case ISA_OPCODE_MOV: return mov_int;
   case ISA_OPCODE_ADD: return add_int;
   case ISA_OPCODE_MUL: return mul_int;
   case ISA_OPCODE_NOT: return not_int;
   case ISA_OPCODE_AND: return and_int;
   case ISA_OPCODE_OR: return or_int;
   case ISA_OPCODE_XOR: return xor_int;
   case ISA_OPCODE_SHL: return shl_int;
   case ISA_OPCODE_SHR:
      return isa_type_size_B(s->exec_type) == 4 ? shr_int : NULL;
   case ISA_OPCODE_ASR:
      return no_mods(op) && s->src[0].type != ISA_TYPE_UD ? asr_int : NULL;
   default: return NULL;
   }
}

static eu_fn
select_conversion(const struct eu_op *op, const struct eu_slow *s)
{
   const enum isa_type d = s->dst.type, f = s->src[0].type;
   const bool plain = !(op->flags & EU_SAT) &&
                      op->cmod == ISA_COND_MOD_NONE;
   if (op->inst->opcode != ISA_OPCODE_MOV)
      return NULL;
   if (d == ISA_TYPE_F && op->cmod != ISA_COND_MOD_O) {
      if (f == ISA_TYPE_UD)
         return op->src[0].mods ? NULL : mov_f_from_ud;
      /* Narrow ones are exact in an int32 with any modifier. */
      if (is_int32_or_less(f))
         return f == ISA_TYPE_D && op->src[0].mods ? NULL : mov_f_from_d;
      if (f == ISA_TYPE_DF && op->cmod == ISA_COND_MOD_NONE)
         return mov_f_from_df;
   }
   if (f == ISA_TYPE_F && plain && d == ISA_TYPE_D)
      return mov_d_from_f;
   if (f == ISA_TYPE_F && plain && d == ISA_TYPE_UD)
      return mov_ud_from_f;
   if (d == ISA_TYPE_DF && plain && !(op->flags & EU_DST_STRIDE2)) {
      if (f == ISA_TYPE_F)
         return mov_df_from_f;
      if ((f == ISA_TYPE_D || f == ISA_TYPE_UD) && !op->src[0].mods)
         return mov_df_from_d;
   }
   if (f == ISA_TYPE_DF && plain && (d == ISA_TYPE_D || d == ISA_TYPE_UD))
      return mov_int_from_df;
   return NULL;
}

bool
EU_FAST_SELECT(struct eu_op *op, struct arena *a)
{
   const struct eu_slow *s = op->slow;
   const bool sel = op->inst->opcode == ISA_OPCODE_SEL;
   eu_fn fn = NULL;

   if (s->raw && op->cmod == ISA_COND_MOD_NONE) {
      if (s->dst.size_B == 4)
         fn = sel ? sel_raw32 : mov_raw32;
      else if (s->dst.size_B == 8 && !(op->flags & EU_DST_STRIDE2))
         fn = sel ? sel_raw64 : mov_raw64;
   }
   if (!fn && s->cls == EU_F)
      fn = select_float(op, s);
   if (!fn && s->cls == EU_DF)
      fn = select_double(op, s);
   if (!fn && s->cls == EU_INT)
      fn = select_int(op, s);
   if (!fn && !s->raw)
      fn = select_conversion(op, s);
   if (!fn)
      return false;
   op->fn = fn;
   return true;
}
