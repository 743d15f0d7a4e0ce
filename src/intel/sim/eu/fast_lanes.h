/* SPDX-License-Identifier: MIT */
/*
 * Host vectors for fast.c and fast_sizes.c: types, loads of sources, stores
 * of results under a mask, flags. Included by these alone, which are built
 * once per kind of host; everything here is static.
 *
 * Loads may read up to 64 bytes after the last register: see struct
 * sim_eu_thread.
 */
#ifndef SIM_EU_FAST_LANES_H
#define SIM_EU_FAST_LANES_H

#include "intel/sim/eu/eu_private.h"

#include <math.h>

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

/* Host vectors ----------------------------------------------------------- */

INLINE v8u
splat_u(uint32_t u)
{
   return (v8u) { u, u, u, u, u, u, u, u };
}

INLINE v8f
splat_f(float f)
{
   return (v8f) { f, f, f, f, f, f, f, f };
}

INLINE v4uq
splat_uq(uint64_t u)
{
   return (v4uq) { u, u, u, u };
}

INLINE v4df
splat_df(double d)
{
   return (v4df) { d, d, d, d };
}

/* All ones in lane i where bit i is set. */
INLINE v8u
lanes_8(uint32_t bits)
{
   const v8u one = { 1, 2, 4, 8, 16, 32, 64, 128 };
   return (v8u)((splat_u(bits) & one) == one);
}

INLINE v4uq
lanes_4(uint32_t bits)
{
   const v4uq one = { 1, 2, 4, 8 };
   return (v4uq)((splat_uq(bits) & one) == one);
}

INLINE uint32_t
bits_8(v8d m)
{
#ifdef __AVX2__
   return __builtin_ia32_movmskps256((v8f)m);
#else
   const union {
      v8d v;
      v4f half[2];
   } u = { m };
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

/* Sources ---------------------------------------------------------------- */

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
      v[i] = s->kind == EU_KIND_VALUES
                ? (uint32_t)s->values[i]
                : LOAD(uint32_t, grf_at(t, s->lane_off_B[8 * c + i]));
   return v;
}

/* Eight 32-bit elements of a plain instruction (EU_PLAIN). These, plain_64()
 * and what is made of them call nothing: a body of them needs no frame. */
INLINE v8u
plain_32(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   if (s->kind == EU_KIND_VEC)
      return LOAD(v8u, grf_at(t, s->off_B + 32 * c));
   return splat_u(s->kind == EU_KIND_IMM
                     ? (uint32_t)s->imm
                     : LOAD(uint32_t, grf_at(t, s->off_B)));
}

/* Eight 32-bit elements. */
INLINE v8u
load_32(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   switch (s->kind) {
   case EU_KIND_VEC:
   case EU_KIND_SCALAR:
   case EU_KIND_IMM: return plain_32(t, s, c);
   case EU_KIND_VEC2: {
      const v8u lo = LOAD(v8u, grf_at(t, s->off_B + 64 * c));
      const v8u hi = LOAD(v8u, grf_at(t, s->off_B + 64 * c + 32));
      return __builtin_shufflevector(lo, hi, 0, 2, 4, 6, 8, 10, 12, 14);
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
      return sign ? (v8u) __builtin_convertvector(LOAD(v8w, p), v8d)
                  : __builtin_convertvector(LOAD(v8uw, p), v8u);
   }
   if (!byte && s->kind == EU_KIND_VEC2) {
      v = LOAD(v8u, grf_at(t, s->off_B + 32 * c));
      return sign ? (v8u)((v8d)(v << 16) >> 16) : v & 0xffff;
   }
   for (unsigned i = 0; i < 8; i++) {
      const unsigned size_B = byte ? 1 : 2;
      const unsigned lane = 8 * c + i;
      const unsigned off_B = s->kind == EU_KIND_REGION ? s->lane_off_B[lane]
                             : s->kind == EU_KIND_VEC
                                ? s->off_B + lane * size_B
                             : s->kind == EU_KIND_VEC2
                                ? s->off_B + 2 * lane * size_B
                                : s->off_B;
      uint32_t u;
      if (s->kind == EU_KIND_IMM)
         u = (uint32_t)s->imm;
      else if (s->kind == EU_KIND_VALUES)
         u = (uint32_t)s->values[i];
      else if (byte)
         u = *grf_at(t, off_B);
      else
         u = LOAD(uint16_t, grf_at(t, off_B));
      v[i] = byte ? (sign ? (uint32_t)(int8_t)u : (uint8_t)u)
                  : (sign ? (uint32_t)(int16_t)u : (uint16_t)u);
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
   const v8u v = s->type == ISA_TYPE_D || s->type == ISA_TYPE_UD
                    ? load_32(t, s, c)
                    : load_narrow(t, s, c);
   return s->negate ? ~v : v;
}

/* With the source modifiers of a float. */
INLINE v8f
modify_f(const struct eu_src *s, v8u v)
{
   if (s->mods)
      v = (v & splat_u(s->and_hi)) ^ splat_u(s->xor_hi);
   return (v8f)v;
}

INLINE v8f
load_f(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   return modify_f(s, load_32(t, s, c));
}

INLINE v8f
plain_f(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   return modify_f(s, plain_32(t, s, c));
}

/* Four 64-bit elements of a plain instruction. */
INLINE v4uq
plain_64(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   if (s->kind == EU_KIND_VEC)
      return LOAD(v4uq, grf_at(t, s->off_B + 32 * c));
   return splat_uq(
      s->kind == EU_KIND_IMM ? s->imm : LOAD(uint64_t, grf_at(t, s->off_B)));
}

/* Four 64-bit elements. */
INLINE v4uq
load_64(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   switch (s->kind) {
   case EU_KIND_VEC:
   case EU_KIND_SCALAR:
   case EU_KIND_IMM: return plain_64(t, s, c);
   default: {
      v4uq v;
      for (unsigned i = 0; i < 4; i++) {
         const unsigned lane = 4 * c + i;
         v[i] = LOAD(uint64_t, grf_at(t, s->kind == EU_KIND_VEC2
                                            ? s->off_B + lane * 16u
                                            : s->lane_off_B[lane]));
      }
      return v;
   }
   }
}

INLINE v4df
modify_df(const struct eu_src *s, v4uq v)
{
   if (s->mods)
      v = (v & splat_uq((uint64_t)s->and_hi << 32 | 0xffffffff)) ^
          splat_uq((uint64_t)s->xor_hi << 32);
   return (v4df)v;
}

INLINE v4df
load_df(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   return modify_df(s, load_64(t, s, c));
}

INLINE v4df
plain_df(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   return modify_df(s, plain_64(t, s, c));
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
      return (v4u) { u, u, u, u };
   }
   case EU_KIND_IMM: {
      const uint32_t u = (uint32_t)s->imm;
      return (v4u) { u, u, u, u };
   }
   default:
      for (unsigned i = 0; i < 4; i++) {
         const unsigned lane = 4 * c + i;
         v[i] = LOAD(uint32_t, grf_at(t, s->kind == EU_KIND_VEC2
                                            ? s->off_B + lane * 8u
                                            : s->lane_off_B[lane]));
      }
      return v;
   }
}

/* Destinations ----------------------------------------------------------- */

/* A register of a plain instruction's result. */
#define PLAIN_STORE(t, op, c, v)                                             \
   ({                                                                        \
      const __typeof__(v) v_ = (v);                                          \
      memcpy((uint8_t *)(t)->grf + (op)->dst_off_B + 32 * (c), &v_,          \
             sizeof(v_));                                                    \
   })

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
   const v8u zero = { 0 }, m = lanes_8(m8);
   blend_32(p, __builtin_shufflevector(v, zero, 0, 8, 1, 8, 2, 8, 3, 8),
            __builtin_shufflevector(m, zero, 0, 8, 1, 8, 2, 8, 3, 8));
   if (m8 & 0xf0)
      blend_32(p + 32,
               __builtin_shufflevector(v, zero, 4, 8, 5, 8, 6, 8, 7, 8),
               __builtin_shufflevector(m, zero, 4, 8, 5, 8, 6, 8, 7, 8));
}

/* Eight words under the mask, side by side or every second one. */
NOINLINE void
store_16(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
         uint32_t mask, v8u v)
{
   const uint32_t m8 = mask >> 8 * c & 0xff;
   uint8_t *p = (uint8_t *)t->grf + op->dst_off_B;
   if (op->flags & EU_DST_NULL || !m8)
      return;
   if (op->flags & EU_DST_STRIDE2) {
      blend_32(p + 32 * c, v, lanes_8(m8) & 0xffff);
      return;
   }
   const v8uw m = __builtin_convertvector(lanes_8(m8), v8uw);
   const v8uw w = __builtin_convertvector(v, v8uw);
   v8uw old = LOAD(v8uw, p + 16 * c);
   old = (w & m) | (old & ~m);
   memcpy(p + 16 * c, &old, sizeof(old));
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
      default: return (mask) { 0 };                                          \
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
              bits_8(op->dst_type == ISA_TYPE_UD
                        ? compare_u(op->cmod, r, splat_u(0))
                        : compare_d(op->cmod, (v8d)r, (v8d)splat_u(0))));
   if (op->dst_type == ISA_TYPE_UW || op->dst_type == ISA_TYPE_W)
      store_16(t, op, c, mask, r);
   else
      store_32(t, op, c, mask, r);
}

#endif
