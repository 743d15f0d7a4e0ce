/* SPDX-License-Identifier: MIT */
/*
 * Bounded integer sequence encoding of ASTC, and unquantisation (Khronos Data
 * Format Specification 1.3, sections "Integer Sequence Encoding", "Endpoint
 * Unquantization", "Weight Unquantization").
 *
 * Five digits of base 3 share eight bits, three of base 5 seven; those bits
 * are interleaved with the integers' own low bits. Of a group that is cut
 * short the bits that are not there are zero.
 */
#include "astc_private.h"

unsigned
sim_astc_field(const struct sim_astc_bits *b, unsigned at, unsigned n)
{
   unsigned v = 0;
   for (unsigned i = 0; i < n && at + i < 128; i++) {
      const unsigned bit = b->reversed ? 127 - at - i : at + i;
      v |= (b->block[bit / 8] >> bit % 8 & 1u) << i;
   }
   return v;
}

unsigned
sim_astc_size_bits(struct sim_astc_range range, unsigned count)
{
   const unsigned digits = range.base == 3   ? DIV_ROUND_UP(8 * count, 5)
                           : range.base == 5 ? DIV_ROUND_UP(7 * count, 3)
                                             : 0;
   return digits + count * range.bits;
}

/* "Trit block": t[4] first in the upper bits. */
static void
split_trits(unsigned p, uint8_t t[5])
{
   unsigned c;
   if ((p >> 2 & 7) == 7) {
      c = (p >> 5 & 7) << 2 | (p & 3);
      t[4] = t[3] = 2;
   } else {
      c = p & 31;
      const bool top = (p >> 5 & 3) == 3;
      t[4] = top ? 2 : p >> 7 & 1;
      t[3] = top ? p >> 7 & 1 : p >> 5 & 3;
   }
   if ((c & 3) == 3) {
      t[2] = 2;
      t[1] = c >> 4 & 1;
      t[0] = (uint8_t)((c >> 3 & 1) << 1 | (c >> 2 & ~(c >> 3) & 1));
   } else if ((c >> 2 & 3) == 3) {
      t[2] = t[1] = 2;
      t[0] = c & 3;
   } else {
      t[2] = c >> 4 & 1;
      t[1] = c >> 2 & 3;
      t[0] = (uint8_t)((c >> 1 & 1) << 1 | (c & ~(c >> 1) & 1));
   }
}

static void
split_quints(unsigned p, uint8_t q[3])
{
   unsigned c;
   if ((p >> 1 & 3) == 3 && (p >> 5 & 3) == 0) {
      const unsigned low = p & 1;
      q[2] =
         (uint8_t)(low << 2 | (p >> 4 & ~low & 1) << 1 | (p >> 3 & ~low & 1));
      q[1] = q[0] = 4;
      return;
   }
   if ((p >> 1 & 3) == 3) {
      q[2] = 4;
      c = (p >> 3 & 3) << 3 | (~p >> 5 & 3) << 1 | (p & 1);
   } else {
      q[2] = p >> 5 & 3;
      c = p & 31;
   }
   const bool top = (c & 7) == 5;
   q[1] = top ? 4 : c >> 3 & 3;
   q[0] = top ? c >> 3 & 3 : c & 7;
}

/* How many of the shared bits stand after the low bits of each integer. */
static const uint8_t trit_bits[5] = { 2, 2, 1, 2, 1 };
static const uint8_t quint_bits[3] = { 3, 2, 2 };

void
sim_astc_read(const struct sim_astc_bits *b, unsigned at,
              struct sim_astc_range range, unsigned count, uint8_t *out)
{
   const unsigned group = range.base == 3 ? 5 : range.base == 5 ? 3 : 1;
   const uint8_t *shared = range.base == 3 ? trit_bits : quint_bits;
   const unsigned end = at + sim_astc_size_bits(range, count);
   for (unsigned first = 0; first < count; first += group) {
      unsigned packed = 0, have = 0;
      uint8_t low[5], digit[5] = { 0 };
      for (unsigned i = 0; i < group; i++) {
         low[i] = (uint8_t)sim_astc_field(b, at, range.bits);
         at += range.bits;
         if (group == 1)
            break;
         const unsigned n = at < end ? MIN2(shared[i], end - at) : 0;
         packed |= sim_astc_field(b, at, n) << have;
         have += shared[i];
         at += shared[i];
      }
      if (range.base == 3)
         split_trits(packed, digit);
      else if (range.base == 5)
         split_quints(packed, digit);
      for (unsigned i = 0; i < group && first + i < count; i++)
         out[first + i] = (uint8_t)(digit[i] << range.bits | low[i]);
   }
}

/* `bits` bits repeated to fill `to` bits. */
static unsigned
replicate(unsigned v, unsigned bits, unsigned to)
{
   unsigned out = 0;
   for (int shift = (int)(to - bits); shift > -(int)bits; shift -= (int)bits)
      out |= shift >= 0 ? v << shift : v >> -shift;
   return out;
}

/*
 * T = D C + B, xored with the lowest bit A repeated; `b` is the pattern that
 * the tables of the specification give, made of the bits above the lowest.
 */
static unsigned
unquantize(unsigned digit, unsigned low_bit, unsigned c, unsigned b,
           unsigned width)
{
   const unsigned a = low_bit ? BITFIELD_MASK(width) : 0;
   const unsigned t = (digit * c + b) ^ a;
   return (a & 1u << (width - 2)) | t >> 2;
}

unsigned
sim_astc_color(struct sim_astc_range range, unsigned v)
{
   static const uint8_t c3[7] = { 0, 204, 93, 44, 22, 11, 5 };
   static const uint8_t c5[6] = { 0, 113, 54, 26, 13, 6 };
   if (range.base == 1)
      return replicate(v, range.bits, 8);
   const unsigned digit = v >> range.bits;
   const unsigned x = (v & BITFIELD_MASK(range.bits)) >> 1;
   unsigned b = 0;
   if (range.base == 3) {
      switch (range.bits) {
      case 2: b = x << 8 | x << 4 | x << 2 | x << 1; break;
      case 3: b = x << 7 | x << 2 | x; break;
      case 4: b = x << 6 | x; break;
      case 5: b = x << 5 | x >> 2; break;
      case 6: b = x << 4 | x >> 4; break;
      }
      return unquantize(digit, v & 1, c3[range.bits], b, 9);
   }
   switch (range.bits) {
   case 2: b = x << 8 | x << 3 | x << 2; break;
   case 3: b = x << 7 | x << 1 | x >> 1; break;
   case 4: b = x << 6 | x >> 1; break;
   case 5: b = x << 5 | x >> 3; break;
   }
   return unquantize(digit, v & 1, c5[range.bits], b, 9);
}

unsigned
sim_astc_weight(struct sim_astc_range range, unsigned v)
{
   static const uint8_t three[3] = { 0, 32, 63 };
   static const uint8_t five[5] = { 0, 16, 32, 47, 63 };
   static const uint8_t c3[4] = { 0, 50, 23, 11 };
   static const uint8_t c5[3] = { 0, 28, 13 };
   const unsigned digit = v >> range.bits;
   const unsigned x = (v & BITFIELD_MASK(range.bits)) >> 1;
   unsigned w;
   if (range.base == 1)
      w = replicate(v, range.bits, 6);
   else if (range.bits == 0)
      w = range.base == 3 ? three[digit] : five[digit];
   else if (range.base == 3)
      w = unquantize(digit, v & 1, c3[range.bits],
                     range.bits == 2   ? x << 6 | x << 2 | x
                     : range.bits == 3 ? x << 5 | x
                                       : 0,
                     7);
   else
      w = unquantize(digit, v & 1, c5[range.bits],
                     range.bits == 2 ? x << 6 | x << 1 : 0, 7);
   return w > 32 ? w + 1 : w;
}
