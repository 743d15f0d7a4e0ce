/* SPDX-License-Identifier: MIT */
/* Small helpers that every folder may use. */
#ifndef UTIL_MACROS_H
#define UTIL_MACROS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN2(a, b) ((a) < (b) ? (a) : (b))
#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
#define DIV_ROUND_UP(a, b) (((a) + (b)-1) / (b))
/* `align` is any positive number for ALIGN_NPOT, a power of two for ALIGN. */
#define ALIGN(v, align) (((v) + (align)-1) & ~((__typeof__(v))(align)-1))
#define ALIGN_NPOT(v, align) (DIV_ROUND_UP(v, align) * (align))
/* Bit b; the lowest n bits; n bits from b on. */
#define BITFIELD64_BIT(b) (1ull << (b))
#define BITFIELD64_MASK(n) ((n) >= 64 ? ~0ull : (1ull << (n)) - 1)
#define BITFIELD_BIT(b) (1u << (b))
#define BITFIELD_MASK(n) ((n) >= 32 ? ~0u : (1u << (n)) - 1)
#define BITFIELD_RANGE(b, n) (BITFIELD_MASK((b) + (n)) & ~BITFIELD_MASK(b))

#define CONTAINER_OF(ptr, type, member)                                      \
   ((type *)((char *)(ptr)-offsetof(type, member)))

#define PRINTFLIKE(f, a) __attribute__((format(printf, f, a)))
#define PUBLIC __attribute__((visibility("default")))
#define MUST_CHECK __attribute__((warn_unused_result))
#define UNUSED __attribute__((unused))
#define FALLTHROUGH __attribute__((fallthrough))

/* Where a correct program never comes; `reason`, a literal, says why. */
#ifdef NDEBUG /* an internal error: guard.h */
__attribute__((noreturn, cold)) void guard_reached(const char *where);
#define unreachable(reason) guard_reached(__FILE__ ": " reason)
#else
#define unreachable(reason)                                                  \
   util_reached(__FILE__, __LINE__, __func__, "" reason)
#endif

__attribute__((noreturn, cold)) static inline void
util_reached(const char *file, int line, const char *function,
             const char *reason)
{
   fprintf(stderr, "%s:%d: %s: not to be reached: %s\n", file, line, function,
           reason);
   abort();
}

/* Whether `size` units from `offset` on lie within `length` units from
 * `start` on. No sum is made, so that none can wrap. */
static inline bool
util_within(uint64_t offset, uint64_t size, uint64_t start, uint64_t length)
{
   return offset >= start && offset - start <= length &&
          size <= length - (offset - start);
}

static inline bool
util_is_power_of_two_nonzero(uint64_t v)
{
   return v != 0 && (v & (v - 1)) == 0;
}

static inline bool
util_is_power_of_two_or_zero(uint64_t v)
{
   return (v & (v - 1)) == 0;
}

/* floor(log2(v)); 0 for 0. */
static inline unsigned
util_logbase2(uint64_t v)
{
   return v ? 63 - __builtin_clzll(v) : 0;
}

/* ceil(log2(v)); 0 for 0 and 1. */
static inline unsigned
util_logbase2_ceil(uint64_t v)
{
   return v <= 1 ? 0 : 1 + util_logbase2(v - 1);
}

static inline uint64_t
util_next_power_of_two(uint64_t v)
{
   return 1ull << util_logbase2_ceil(v);
}

/* The index of the lowest set bit of *mask (not zero), which is cleared. */
static inline int
u_bit_scan(uint32_t *mask)
{
   const int i = __builtin_ctz(*mask);
   *mask &= *mask - 1;
   return i;
}

static inline int
u_bit_scan64(uint64_t *mask)
{
   const int i = __builtin_ctzll(*mask);
   *mask &= *mask - 1;
   return i;
}

/* A value's bits as another type of the same size. */
#define BIT_CAST(name, from, to)                                             \
   static inline to name(from value)                                         \
   {                                                                         \
      const union {                                                          \
         from in;                                                            \
         to out;                                                             \
      } bits = { .in = value };                                              \
      return bits.out;                                                       \
   }

BIT_CAST(util_float_bits, float, uint32_t)
BIT_CAST(util_bits_float, uint32_t, float)
BIT_CAST(util_double_bits, double, uint64_t)
BIT_CAST(util_bits_double, uint64_t, double)
#undef BIT_CAST

/* Sign-extends the low `bits` bits (1 to 64) of v. */
static inline int64_t
util_sign_extend(uint64_t v, unsigned bits)
{
   const unsigned shift = 64 - bits;
   return (int64_t)(v << shift) >> shift;
}

/* Integers of 128 bits. Hosts of 32 bits have them as C23's _BitInt alone
 * (since GCC 14, Clang 14). */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 util_i128;
__extension__ typedef unsigned __int128 util_u128;
#else
__extension__ typedef signed _BitInt(128) util_i128;
__extension__ typedef unsigned _BitInt(128) util_u128;
#endif

#endif
