/* SPDX-License-Identifier: MIT */
/* Vectors of eight lanes for files that are built for AVX2. */
#ifndef SIM_LANES_H
#define SIM_LANES_H

#include <immintrin.h>
#include <stdint.h>

typedef float v8f __attribute__((vector_size(32)));
typedef int32_t v8d __attribute__((vector_size(32)));
typedef uint32_t v8u __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

INLINE v8f
splat_f(float f)
{
   return (v8f)_mm256_set1_ps(f);
}

INLINE v8d
splat_d(int32_t i)
{
   return (v8d)_mm256_set1_epi32(i);
}

/* All ones in lane i where bit i is set. */
INLINE v8d
lanes_of(uint32_t bits)
{
   const v8d one = { 1, 2, 4, 8, 16, 32, 64, 128 };
   return (splat_d((int32_t)bits) & one) == one;
}

INLINE uint32_t
bits_of(v8d m)
{
   return (uint32_t)_mm256_movemask_ps((__m256)m);
}

INLINE v8f
choose_f(v8d m, v8f a, v8f b)
{
   return (v8f)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}

INLINE v8d
choose_d(v8d m, v8d a, v8d b)
{
   return (v8d)choose_f(m, (v8f)a, (v8f)b);
}

INLINE v8f
absolute(v8f x)
{
   return (v8f)((v8d)x & 0x7fffffff);
}

/* Of numbers. */
INLINE v8f
clamp_f(v8f x, float low, float high)
{
   return (v8f)_mm256_min_ps(_mm256_max_ps((__m256)x, _mm256_set1_ps(low)),
                             _mm256_set1_ps(high));
}

INLINE v8f
to_float(v8d i)
{
   return (v8f)_mm256_cvtepi32_ps((__m256i)i);
}

/* Wraps around where the conversion gives the least number, for what is too
 * large. */
INLINE v8d
floor_int(v8f x)
{
   const v8d i = (v8d)_mm256_cvttps_epi32((__m256)x);
   return (v8d)((v8u)i + (v8u)(to_float(i) > x));
}

INLINE uint32_t
least(v8u v)
{
   __m128i m = _mm_min_epu32(_mm256_castsi256_si128((__m256i)v),
                             _mm256_extracti128_si256((__m256i)v, 1));
   m = _mm_min_epu32(m, _mm_shuffle_epi32(m, 0x4e));
   m = _mm_min_epu32(m, _mm_shuffle_epi32(m, 0xb1));
   return (uint32_t)_mm_cvtsi128_si32(m);
}

/* v / 255, rounded once: 1 / 255 in two parts, of which the first has so few
 * bits that its product is exact. */
INLINE v8f
unorm8(v8u v)
{
   const float high = 0x1.01p-8f, low = (float)(1 / 255.0 - 0x1.01p-8);
   const v8f x = to_float((v8d)v);
   return x * high + x * low;
}

#endif
