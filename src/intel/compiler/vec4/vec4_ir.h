/* SPDX-License-Identifier: MIT */
/*
 * Operands of SIMD4x2 code: instructions of the EU's IR with align16.
 *
 * Channel 4 * v + c is component c of vertex v; exec_size is 8 (4: one
 * vertex, group 0 or 4). A vector of 32-bit components is one GRF (vertex 0
 * in its low half), one of doubles is two (vertex 0 in the first). That is
 * also how eight channels of an Align1 instruction lie: instructions of both
 * kinds may be mixed at will.
 *
 * Logical form, of all passes but the last ones. A component is as wide as
 * the operand's type, in swizzles and write masks, too.
 *
 *    source     swz says which component of its own vertex a channel reads.
 *               stride 1: a vector a vertex, one after the other.
 *               stride 0: the one vector at `offset`, for both vertices.
 *               stride 2, of doubles: slots of 16 bytes as vertex fetch and
 *               messages have them. X and Y of vertex 0 are at `offset`,
 *               those of vertex 1 16 bytes and Z and W 32 bytes further on.
 *               offset is a multiple of 16 bytes, for doubles, too (see
 *               below). Immediates are the same in all channels (VF: one a
 *               component).
 *    dst        swz is the write mask, bit 0 is x; stride is 1 and offset a
 *               multiple of 16 (vertex 1 alone: 16, of doubles 32, with
 *               group 4). null has a mask, too: CMP writes flags through it.
 *    types      all of an instruction's have one size, unless it is Align1:
 *               conversions between sizes are (vec4_align1).
 *    flags      predicates of an align16 instruction are by channel
 *               (NORMAL), REPLICATE_X and so on, ANY4H, ALL4H.
 *
 * Sources of doubles may start at 16 bytes (a dvec4 whose halves lie in two
 * different GRFs: interleaved attributes, pushed vectors): component 2 of it
 * is 16 bytes further on whatever that crosses.
 *
 * Physical form: a source with `region` set says what is encoded. vs is the
 * vertical stride in elements of its type (DF: 0 or 2; the encoder doubles
 * for ivb), swz is the hardware's, whose units are 32 bits: for DF the pairs
 * XY and ZW; hs is 1, and w, too, but for vs 0 of one vector for both
 * vertices, where it is 2: gen 7 would move on by a GRF between them. A
 * destination with `region` set (<1,1,1>) has the hardware's write mask: that
 * of doubles means {x, z} by XY and {y, w} by ZW. eu_generate.c takes
 * doubles only in that form; 32-bit operands need none.
 * (facts: docs/eu-fp64-facts.rst, sections 1.4 and 2)
 *
 * What reads and writes which dword: eu_dwords_read, eu_dwords_written.
 */
#ifndef VEC4_IR_H
#define VEC4_IR_H

#include "intel/compiler/eu/eu_builder.h"

#define VEC4_X 1u
#define VEC4_Y 2u
#define VEC4_Z 4u
#define VEC4_W 8u

/* What reads through `outer` from a value that is `inner` of another one:
 * (inner . outer)[c] = inner[outer[c]]. */
static inline uint8_t
vec4_swizzle_compose(unsigned inner, unsigned outer)
{
   unsigned swz = 0;

   for (unsigned c = 0; c < 4; c++)
      swz |= eu_swizzle_get(inner, eu_swizzle_get(outer, c)) << (2 * c);
   return (uint8_t)swz;
}

/* Component c in all channels. */
static inline uint8_t
vec4_swizzle_scalar(unsigned c)
{
   return (uint8_t)(c * 0x55u);
}

/* The first `n` components, the last one repeated. */
static inline uint8_t
vec4_swizzle_for_size(unsigned n)
{
   static const uint8_t swizzles[4] = {
      ISA_SWIZZLE_XXXX,
      ISA_SWIZZLE(0, 1, 1, 1),
      ISA_SWIZZLE(0, 1, 2, 2),
      ISA_SWIZZLE_XYZW,
   };

   assert(n >= 1 && n <= 4);
   return swizzles[n - 1];
}

/* A source: `swz` of what it reads now. */
static inline eu_reg
vec4_swizzle(eu_reg r, unsigned swz)
{
   if (r.file != EU_IMM)
      r.swz = vec4_swizzle_compose(r.swz, swz);
   return r;
}

/* As a source: all components, in order. */
static inline eu_reg
vec4_src(eu_reg r)
{
   r.swz = ISA_SWIZZLE_XYZW;
   return r;
}

/* As a destination. */
static inline eu_reg
vec4_dst(eu_reg r, unsigned mask)
{
   r.swz = (uint8_t)mask;
   r.negate = r.abs = false;
   r.stride = 1;
   return r;
}

#endif
