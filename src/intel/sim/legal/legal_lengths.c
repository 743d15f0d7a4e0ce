/* SPDX-License-Identifier: MIT */
/* How many registers each message takes and gives, by its descriptor. */
#include "intel/sim/legal/legal_private.h"

/* Parameters and header of the sampler (PRM IVB vol 4 part 1, "Message
 * Length"). */
#define SAMPLER_MAX_GRF 11

static struct legal_lengths
exactly(unsigned payload, unsigned back)
{
   return (struct legal_lengths) {
      .min = (uint8_t)payload,
      .max = (uint8_t)payload,
      .min_back = (uint8_t)back,
      .max_back = (uint8_t)back,
      .header_grf = 1,
      .unit = 1,
   };
}

static struct legal_lengths
with_header(struct legal_lengths n, unsigned grf)
{
   n.header = 1;
   n.header_grf = (uint8_t)grf;
   return n;
}

static struct legal_lengths
between(struct legal_lengths n, unsigned more)
{
   n.max = (uint8_t)(n.max + more);
   return n;
}

/* Registers of a dword for each slot: 16 slots take two. SIMD4x2 has one of
 * each. */
static unsigned
slots_grf(const struct isa_message *m)
{
   return m->simd == 16 ? 2 : 1;
}

static unsigned
enabled(const struct isa_message *m)
{
   return 4 - (unsigned)__builtin_popcount(m->channels_off & 0xf);
}

static unsigned
oword_grf(const struct isa_message *m)
{
   switch (m->block) {
   case ISA_BLOCK_4: return 2;
   case ISA_BLOCK_8: return 4;
   default: return 1;
   }
}

/* Operands of integer atomics (PRM IVB vol 4 part 1, "Atomic Operations");
 * a compare of 64 bits takes and gives two registers where others have
 * one. */
static unsigned
operands(const struct isa_message *m)
{
   switch (m->aop) {
   case ISA_AOP_INC:
   case ISA_AOP_DEC:
   case ISA_AOP_PREDEC: return 0;
   case ISA_AOP_CMPWR: return 2;
   default: return 1;
   }
}

static struct legal_lengths
sampler_lengths(const struct isa_message *m)
{
   const unsigned unit = slots_grf(m);
   struct legal_lengths n = exactly(unit, 0);
   n.unit = (uint8_t)(m->half ? 1 : unit);
   n.max = SAMPLER_MAX_GRF;
   n.min_back = n.unit;
   n.max_back = (uint8_t)(m->simd == 2 ? 1 : 4 * unit);
   if (m->msg == ISA_MSG_SAMPLEINFO)
      n.min = 0;
   return n;
}

static struct legal_lengths
untyped_lengths(const struct isa_message *m, unsigned data, unsigned back)
{
   const unsigned w = slots_grf(m);
   const bool pairs = m->simd == 2; /* two owords, each to its own */
   return between(exactly(w + (pairs ? data != 0 : data * w),
                          pairs ? back != 0 : back * w),
                  pairs ? 0 : w);
}

static struct legal_lengths
a64_lengths(const struct isa_message *m, unsigned data, unsigned back)
{
   const unsigned w = slots_grf(m);
   if (m->simd == 2)
      return exactly(2 + (data != 0), back != 0);
   return exactly(2 * w + data * w, back * w);
}

/* Registers of the elements of an A64 scattered message. */
static unsigned
a64_data(const struct isa_message *m)
{
   if (m->element_B == 1)
      return m->elements == 8 ? 2 : 1;
   return m->elements * m->element_B / 4u;
}

static struct legal_lengths
typed_lengths(const struct isa_message *m, unsigned data, unsigned back)
{
   const bool pairs = m->slots == ISA_SLOTS_4X2;
   return between(exactly(1 + (pairs ? data != 0 : data),
                          pairs ? back != 0 : back),
                  pairs ? 0 : 3);
}

static struct legal_lengths
target_lengths(const struct isa_message *m)
{
   static const uint8_t colours[] = {
      [ISA_RT_SIMD16] = 8,         [ISA_RT_SIMD16_REPLICATED] = 1,
      [ISA_RT_SIMD8_DUAL_LOW] = 8, [ISA_RT_SIMD8_DUAL_HIGH] = 8,
      [ISA_RT_SIMD8] = 4,
   };
   const unsigned n = m->rt_kind < ARRAY_SIZE(colours) ? colours[m->rt_kind]
                                                       : 1;
   /* Eight halves take a register, too: what is above them is reserved
    * (intel-graphics-compiler, TranslateSend3D.cpp, on RT writes). */
   const bool half = m->half && m->rt_kind == ISA_RT_SIMD16;
   struct legal_lengths r = exactly(half ? n / 2 : n, 0);
   r.max = 15;
   r.header_grf = 2;
   return r;
}

static struct legal_lengths
urb_lengths(const struct isa_message *m, bool read)
{
   const bool by_slots = m->msg == ISA_MSG_URB_SIMD8_WRITE ||
                         m->msg == ISA_MSG_URB_SIMD8_READ;
   const unsigned extra = by_slots ? m->per_slot_offset + m->channel_mask : 0;
   struct legal_lengths n = with_header(exactly(extra, 0), 1);
   if (read) {
      /* A read that only lets go of the entry answers nothing. */
      n.min_back = m->complete ? 0 : 1;
      n.max_back = by_slots ? 8 : 16;
      return n;
   }
   return between(n, by_slots ? 8 : 14);
}

static struct legal_lengths
atomic_lengths(const struct isa_message *m)
{
   const unsigned n = operands(m), back = m->returns;
   switch (m->msg) {
   case ISA_MSG_UNTYPED_ATOMIC: return untyped_lengths(m, n, back);
   case ISA_MSG_UNTYPED_ATOMIC_4X2:
   case ISA_MSG_TYPED_ATOMIC_4X2:
   case ISA_MSG_A64_ATOMIC_4X2: return exactly(1 + (n != 0), back);
   case ISA_MSG_TYPED_ATOMIC: return between(exactly(1 + n, back), 3);
   case ISA_MSG_A64_ATOMIC:
      return exactly(2 + n * (1u + m->wide), back * (1u + m->wide));
   case ISA_MSG_A64_FLOAT_ATOMIC:
      return exactly(m->aop == ISA_AOP_FCMPWR ? 4 : 3, back);
   default: return untyped_lengths(m, m->aop == ISA_AOP_FCMPWR ? 2 : 1, back);
   }
}

static struct legal_lengths
block_lengths(const struct isa_message *m)
{
   const unsigned dual = m->block == ISA_BLOCK_2 ? 4 : 1;
   const unsigned w = slots_grf(m);
   switch (m->msg) {
   case ISA_MSG_OWORD_BLOCK_READ:
   case ISA_MSG_OWORD_BLOCK_READ_UNALIGNED:
   case ISA_MSG_A64_BLOCK_READ:
      return with_header(exactly(0, oword_grf(m)), 1);
   case ISA_MSG_OWORD_BLOCK_WRITE:
   case ISA_MSG_A64_BLOCK_WRITE:
      return with_header(exactly(oword_grf(m), 0), 1);
   case ISA_MSG_OWORD_DUAL_BLOCK_READ:
      return with_header(exactly(1, dual), 1);
   case ISA_MSG_OWORD_DUAL_BLOCK_WRITE:
      return with_header(exactly(1 + dual, 0), 1);
   case ISA_MSG_DWORD_SCATTERED_READ:
   case ISA_MSG_BYTE_SCATTERED_READ: return exactly(w, w);
   case ISA_MSG_DWORD_SCATTERED_WRITE:
   case ISA_MSG_BYTE_SCATTERED_WRITE: return exactly(2 * w, 0);
   case ISA_MSG_SCRATCH_READ:
      return with_header(exactly(0, m->scratch_grf), 1);
   default: return with_header(exactly(m->scratch_grf, 0), 1);
   }
}

static struct legal_lengths
surface_lengths(const struct isa_message *m)
{
   const unsigned n = enabled(m), data = a64_data(m);
   switch (m->msg) {
   case ISA_MSG_UNTYPED_READ: return untyped_lengths(m, 0, n);
   case ISA_MSG_UNTYPED_WRITE: return untyped_lengths(m, n, 0);
   case ISA_MSG_TYPED_READ: return typed_lengths(m, 0, n);
   case ISA_MSG_TYPED_WRITE: return typed_lengths(m, n, 0);
   case ISA_MSG_A64_UNTYPED_READ: return a64_lengths(m, 0, n);
   case ISA_MSG_A64_UNTYPED_WRITE: return a64_lengths(m, n, 0);
   case ISA_MSG_A64_SCATTERED_READ: return a64_lengths(m, 0, data);
   default: return a64_lengths(m, data, 0);
   }
}

static struct legal_lengths
other_lengths(const struct isa_message *m)
{
   struct legal_lengths n = exactly(0, 0);
   switch (m->msg) {
   case ISA_MSG_FENCE:
   case ISA_MSG_RENDER_FENCE: return with_header(exactly(0, m->commit), 1);
   case ISA_MSG_MEDIA_BLOCK_READ:
      n.min_back = 1;
      n.max_back = 8;
      return with_header(n, 1);
   case ISA_MSG_MEDIA_BLOCK_WRITE:
      return with_header(between(exactly(1, 0), 7), 1);
   case ISA_MSG_RT_WRITE: return target_lengths(m);
   case ISA_MSG_RT_READ: return with_header(exactly(0, 4 * slots_grf(m)), 2);
   case ISA_MSG_URB_READ_HWORD:
   case ISA_MSG_URB_READ_OWORD:
   case ISA_MSG_URB_SIMD8_READ: return urb_lengths(m, true);
   case ISA_MSG_URB_WRITE_HWORD:
   case ISA_MSG_URB_WRITE_OWORD:
   case ISA_MSG_URB_SIMD8_WRITE: return urb_lengths(m, false);
   case ISA_MSG_INTERP_SLOT_OFFSET:
      n = exactly(2 * slots_grf(m), 2 * slots_grf(m));
      n.header = -1;
      return n;
   case ISA_MSG_INTERP_SHARED_OFFSET:
   case ISA_MSG_INTERP_SAMPLE:
   case ISA_MSG_INTERP_CENTROID:
      n = between(exactly(1, 2 * slots_grf(m)), 14);
      n.header = -1;
      return n;
   default: /* barrier, the end of a thread: one register, no header */
      n = exactly(1, 0);
      n.header_grf = 0;
      return n;
   }
}

struct legal_lengths
legal_message_lengths(const struct isa_message *m)
{
   if (m->sfid == ISA_SFID_SAMPLER)
      return sampler_lengths(m);
   switch (m->msg) {
   case ISA_MSG_OWORD_BLOCK_READ:
   case ISA_MSG_OWORD_BLOCK_READ_UNALIGNED:
   case ISA_MSG_OWORD_BLOCK_WRITE:
   case ISA_MSG_OWORD_DUAL_BLOCK_READ:
   case ISA_MSG_OWORD_DUAL_BLOCK_WRITE:
   case ISA_MSG_DWORD_SCATTERED_READ:
   case ISA_MSG_DWORD_SCATTERED_WRITE:
   case ISA_MSG_BYTE_SCATTERED_READ:
   case ISA_MSG_BYTE_SCATTERED_WRITE:
   case ISA_MSG_SCRATCH_READ:
   case ISA_MSG_SCRATCH_WRITE:
   case ISA_MSG_A64_BLOCK_READ:
   case ISA_MSG_A64_BLOCK_WRITE: return block_lengths(m);
   case ISA_MSG_UNTYPED_READ:
   case ISA_MSG_UNTYPED_WRITE:
   case ISA_MSG_TYPED_READ:
   case ISA_MSG_TYPED_WRITE:
   case ISA_MSG_A64_UNTYPED_READ:
   case ISA_MSG_A64_UNTYPED_WRITE:
   case ISA_MSG_A64_SCATTERED_READ:
   case ISA_MSG_A64_SCATTERED_WRITE: return surface_lengths(m);
   case ISA_MSG_UNTYPED_ATOMIC:
   case ISA_MSG_UNTYPED_ATOMIC_4X2:
   case ISA_MSG_UNTYPED_FLOAT_ATOMIC:
   case ISA_MSG_TYPED_ATOMIC:
   case ISA_MSG_TYPED_ATOMIC_4X2:
   case ISA_MSG_A64_ATOMIC:
   case ISA_MSG_A64_ATOMIC_4X2:
   case ISA_MSG_A64_FLOAT_ATOMIC: return atomic_lengths(m);
   default: return other_lengths(m);
   }
}
