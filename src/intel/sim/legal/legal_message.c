/* SPDX-License-Identifier: MIT */
/*
 * Messages: operands of SEND, and descriptors against what a message takes
 * and gives.
 *
 * Where the fields of descriptors lie, and what their codes mean, is the
 * decoder's (isa_messages.h). How long messages are is here a second time.
 */
#include "intel/sim/legal/legal_private.h"

#include "intel/isa/isa_messages.h"

/* The register from which on the payloads of the last message are. */
#define EOT_FIRST_GRF 112

/* Parameters and header of the sampler (PRM IVB vol 4 part 1, "Message
 * Length"). */
#define SAMPLER_MAX_GRF 11

static bool
has_payload_1(const struct legal *l)
{
   return l->info->format == ISA_FORMAT_SENDS &&
          l->inst->src[1].file == ISA_FILE_GRF;
}

/* Lengths in registers; of a descriptor in a register, none is known. */
static unsigned
payload_grf(const struct legal *l, unsigned n)
{
   const struct isa_inst *i = l->inst;
   if (n)
      return i->ex_desc_is_reg ? 1 : isa_ex_desc_ex_mlen(i->ex_desc);
   return i->desc_is_reg ? 1 : isa_desc_mlen(i->desc);
}

static unsigned
response_grf(const struct legal *l)
{
   return l->inst->desc_is_reg ? 0 : isa_desc_rlen(l->inst->desc);
}

/* Operands. -------------------------------------------------------------- */

static bool
payload_is_elsewhere(const struct legal *l)
{
   const struct isa_operand *s = l->inst->src;
   if (!legal_is_send(l))
      return false;
   return s[0].file != ISA_FILE_GRF ||
          (l->info->format == ISA_FORMAT_SENDS && s[1].file != ISA_FILE_GRF &&
           !legal_is_null(&s[1]));
}

static bool
payload_has_address(const struct legal *l)
{
   return legal_is_send(l) && l->inst->src[0].indirect;
}

static bool
payload_within_register(const struct legal *l)
{
   return legal_is_send(l) &&
          ((!l->inst->src[0].indirect && l->inst->src[0].subnr_B) ||
           l->inst->src[1].subnr_B);
}

static bool
has_place_elsewhere(const struct legal *l)
{
   const struct isa_operand *d = &l->inst->dst;
   return legal_is_send(l) && d->file != ISA_FILE_GRF && !legal_is_null(d);
}

/* Nothing comes back, by a descriptor that is known. */
static bool
has_no_response(const struct legal *l)
{
   return !l->inst->desc_is_reg && !response_grf(l);
}

static bool
response_is_elsewhere(const struct legal *l)
{
   return has_place_elsewhere(l) && !has_no_response(l);
}

static bool
no_response_elsewhere(const struct legal *l)
{
   return has_place_elsewhere(l) && has_no_response(l);
}

static bool
response_within_register(const struct legal *l)
{
   const struct isa_operand *d = &l->inst->dst;
   return legal_is_send(l) && d->file == ISA_FILE_GRF && !d->indirect &&
          d->subnr_B;
}

static bool
sends_nothing(const struct legal *l)
{
   return legal_is_send(l) && !payload_grf(l, 0);
}

static bool
response_too_long(const struct legal *l)
{
   return legal_is_send(l) && response_grf(l) > 16;
}

static bool
second_payload_and_length_differ(const struct legal *l)
{
   if (l->info->format != ISA_FORMAT_SENDS || l->inst->ex_desc_is_reg)
      return false;
   return has_payload_1(l) != (payload_grf(l, 1) != 0);
}

static bool
response_unclaimed(const struct legal *l)
{
   struct isa_message m;
   if (!legal_is_send(l) || !legal_is_null(&l->inst->dst) || !response_grf(l))
      return false;
   /* The commit of a fence may go nowhere. */
   return !isa_message_unpack(l->gen, l->inst->sfid, l->inst->desc, &m) ||
          (m.msg != ISA_MSG_FENCE && m.msg != ISA_MSG_RENDER_FENCE);
}

static bool
is_out(const struct isa_operand *o, unsigned grfs)
{
   return o->file == ISA_FILE_GRF && !o->indirect &&
          o->nr + grfs > ISA_MAX_GRF;
}

static bool
leaves_registers(const struct legal *l)
{
   return legal_is_send(l) &&
          (is_out(&l->inst->src[0], payload_grf(l, 0)) ||
           (has_payload_1(l) &&
            is_out(&l->inst->src[1], payload_grf(l, 1))) ||
           is_out(&l->inst->dst, response_grf(l)));
}

static bool
overlap(const struct isa_operand *a, unsigned a_grf,
        const struct isa_operand *b, unsigned b_grf)
{
   return a->file == ISA_FILE_GRF && b->file == ISA_FILE_GRF && a_grf &&
          b_grf && !a->indirect && !b->indirect && a->nr < b->nr + b_grf &&
          b->nr < a->nr + a_grf;
}

static bool
payloads_overlap(const struct legal *l)
{
   return has_payload_1(l) && !l->inst->src[0].indirect &&
          overlap(&l->inst->src[0], payload_grf(l, 0), &l->inst->src[1],
                  payload_grf(l, 1));
}

static bool
last_register_overlaps(const struct legal *l)
{
   const struct isa_inst *i = l->inst;
   const unsigned back = response_grf(l);
   if (!legal_is_send(l) || i->dst.file != ISA_FILE_GRF || !back ||
       i->dst.indirect || i->dst.nr + back != ISA_MAX_GRF)
      return false;
   return overlap(&i->src[0], payload_grf(l, 0), &i->dst, back) ||
          (has_payload_1(l) &&
           overlap(&i->src[1], payload_grf(l, 1), &i->dst, back));
}

/* The last message. ------------------------------------------------------ */

static bool
last_from_low_registers(const struct legal *l)
{
   const struct isa_operand *s = l->inst->src;
   return legal_is_send(l) && l->inst->eot &&
          ((s[0].file == ISA_FILE_GRF && !s[0].indirect &&
            s[0].nr < EOT_FIRST_GRF) ||
           (has_payload_1(l) && s[1].nr < EOT_FIRST_GRF));
}

static bool
last_has_response(const struct legal *l)
{
   return legal_is_send(l) && l->inst->eot &&
          ((!legal_is_null(&l->inst->dst) && !no_response_elsewhere(l)) ||
           response_grf(l));
}

static bool
last_to_reader(const struct legal *l)
{
   return legal_is_send(l) && l->inst->eot &&
          (l->inst->sfid == ISA_SFID_NULL ||
           l->inst->sfid == ISA_SFID_SAMPLER);
}

/* Descriptors. ----------------------------------------------------------- */

static bool
unpack(const struct legal *l, struct isa_message *m)
{
   return legal_is_send(l) && !l->inst->desc_is_reg &&
          isa_message_unpack(l->gen, l->inst->sfid, l->inst->desc, m);
}

/* By number; the second data cache, and what is after it, came with
 * Haswell. What a function does not know is found out when it is asked. */
static bool
reserved_function(const struct legal *l)
{
   const unsigned sfid = l->inst->sfid;
   return legal_is_send(l) && (sfid == 1 || sfid > 13);
}

static bool
later_function(const struct legal *l)
{
   return legal_is_send(l) && (l->inst->sfid == ISA_SFID_DATA_CACHE1 ||
                               l->inst->sfid == ISA_SFID_CRE);
}

/* Where others have the index of their surface, which a fence has none of. */
static uint32_t
bits_of_surface(const struct isa_message *m)
{
   return m->msg == ISA_MSG_FENCE || m->msg == ISA_MSG_RENDER_FENCE ? 0xff
                                                                    : 0;
}

/* What the pixel interpolator's types do not use is ignored. */
static bool
reserved_bits(const struct legal *l)
{
   struct isa_message m;
   return unpack(l, &m) && (m.other & ~bits_of_surface(&m)) &&
          m.sfid != ISA_SFID_PIXEL_INTERP;
}

static bool
fence_has_surface(const struct legal *l)
{
   struct isa_message m;
   return unpack(l, &m) && (m.other & bits_of_surface(&m));
}

static bool
reserved_value(const struct legal *l)
{
   struct isa_message m;
   return unpack(l, &m) && isa_message_has_reserved(&m);
}

/* Registers, of the payload behind the header and of the response. */
struct lengths {
   uint8_t min, max, min_back, max_back;
   int8_t header; /* 1 needed, 0 may be, -1 may not be there */
   uint8_t header_grf;
   uint8_t unit; /* of both */
};

static struct lengths
exactly(unsigned payload, unsigned back)
{
   return (struct lengths) {
      .min = (uint8_t)payload,
      .max = (uint8_t)payload,
      .min_back = (uint8_t)back,
      .max_back = (uint8_t)back,
      .header_grf = 1,
      .unit = 1,
   };
}

static struct lengths
with_header(struct lengths n, unsigned grf)
{
   n.header = 1;
   n.header_grf = (uint8_t)grf;
   return n;
}

static struct lengths
between(struct lengths n, unsigned more)
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

static struct lengths
sampler_lengths(const struct isa_message *m)
{
   const unsigned unit = slots_grf(m);
   struct lengths n = exactly(unit, 0);
   n.unit = (uint8_t)(m->half ? 1 : unit);
   n.max = SAMPLER_MAX_GRF;
   n.min_back = n.unit;
   n.max_back = (uint8_t)(m->simd == 2 ? 1 : 4 * unit);
   if (m->msg == ISA_MSG_SAMPLEINFO)
      n.min = 0;
   return n;
}

static struct lengths
untyped_lengths(const struct isa_message *m, unsigned data, unsigned back)
{
   const unsigned w = slots_grf(m);
   const bool pairs = m->simd == 2; /* two owords, each to its own */
   return between(exactly(w + (pairs ? data != 0 : data * w),
                          pairs ? back != 0 : back * w),
                  pairs ? 0 : w);
}

static struct lengths
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
   return m->element_B == 1 ? 1 : m->elements * m->element_B / 4u;
}

static struct lengths
typed_lengths(const struct isa_message *m, unsigned data, unsigned back)
{
   const bool pairs = m->slots == ISA_SLOTS_4X2;
   return between(exactly(1 + (pairs ? data != 0 : data),
                          pairs ? back != 0 : back),
                  pairs ? 0 : 3);
}

static struct lengths
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
   struct lengths r = exactly(half ? n / 2 : n, 0);
   r.max = 15;
   r.header_grf = 2;
   return r;
}

static struct lengths
urb_lengths(const struct isa_message *m, bool read)
{
   const bool by_slots = m->msg == ISA_MSG_URB_SIMD8_WRITE ||
                         m->msg == ISA_MSG_URB_SIMD8_READ;
   const unsigned extra = by_slots ? m->per_slot_offset + m->channel_mask : 0;
   struct lengths n = with_header(exactly(extra, 0), 1);
   if (read) {
      /* A read that only lets go of the entry answers nothing. */
      n.min_back = m->complete ? 0 : 1;
      n.max_back = by_slots ? 8 : 16;
      return n;
   }
   return between(n, by_slots ? 8 : 14);
}

static struct lengths
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

static struct lengths
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

static struct lengths
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

static struct lengths
other_lengths(const struct isa_message *m)
{
   struct lengths n = exactly(0, 0);
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

static struct lengths
message_lengths(const struct isa_message *m)
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

/* The sampler's messages of 32 pixels are those of video (intel-vaapi-driver
 * has number 8 with five registers of response), of other lengths. */
static bool
is_video(const struct isa_message *m)
{
   return m->sfid == ISA_SFID_SAMPLER && m->simd == 32;
}

/* Both parts of the payload; with the second length in a register, none. */
static bool
known_lengths(const struct legal *l, struct isa_message *m, struct lengths *n)
{
   if (!unpack(l, m) || isa_message_has_reserved(m) || is_video(m) ||
       (m->msg == ISA_MSG_UNTYPED_ATOMIC && m->aop == ISA_AOP_CMPWR_2W))
      return false;
   *n = message_lengths(m);
   return true;
}

static bool
header_missing(const struct legal *l)
{
   struct isa_message m;
   struct lengths n;
   return known_lengths(l, &m, &n) && n.header > 0 && !m.header;
}

static bool
header_too_many(const struct legal *l)
{
   struct isa_message m;
   struct lengths n;
   return known_lengths(l, &m, &n) && n.header < 0 && m.header;
}

static bool
payload_length(const struct legal *l)
{
   struct isa_message m;
   struct lengths n;
   if (!known_lengths(l, &m, &n) ||
       (has_payload_1(l) && l->inst->ex_desc_is_reg))
      return false;
   const unsigned header = m.header ? n.header_grf : 0;
   const unsigned all = m.mlen + (has_payload_1(l) ? payload_grf(l, 1) : 0);
   const unsigned most = m.sfid == ISA_SFID_SAMPLER ? n.max : n.max + header;
   return all < n.min + header || all > most || (all - header) % n.unit;
}

static bool
response_length(const struct legal *l)
{
   struct isa_message m;
   struct lengths n;
   return known_lengths(l, &m, &n) &&
          (m.rlen < n.min_back || m.rlen > n.max_back || m.rlen % n.unit);
}

#define SEND "PRM SKL vol 2a, send"
#define SENDS "PRM SKL vol 2a, sends"
#define FUNCTIONS "PRM SKL vol 7, \"Shared Functions\""

const struct legal_check legal_message_rules[] = {
   { { "payload-file", "EU-16", LEGAL_ALL,
       "The payload of a message is in general registers.", SEND },
     payload_is_elsewhere },
   { { "payload-address", "EU-16", LEGAL_TO_8,
       "The payload of a message has no address.",
       "PRM IVB vol 4 part 3, send" },
     payload_has_address },
   { { "payload-register", "EU-16", LEGAL_ALL,
       "The payload of a message begins at a register.", SEND },
     payload_within_register },
   { { "response-file", "EU-16", LEGAL_ALL,
       "A response goes to general registers, or to null.", SEND },
     response_is_elsewhere },
   { { "no-response-file", NULL, LEGAL_ALL,
       "What gives no response names an architecture register for it.", SEND,
       "igt's fill kernels; " VAAPI "29 times" },
     no_response_elsewhere },
   { { "response-register", "EU-16", LEGAL_ALL,
       "A response begins at a register.", SEND },
     response_within_register },
   { { "payload-empty", "EU-16", LEGAL_ALL,
       "A message has a payload of 1 to 15 registers.", SEND },
     sends_nothing },
   { { "response-long", "EU-16", LEGAL_ALL,
       "A response has at most 16 registers.",
       "PRM SKL vol 2d, message descriptors" },
     response_too_long },
   { { "second-payload", "EU-18", LEGAL_SKL,
       "The second payload is null if it has no length, and only then.",
       SENDS },
     second_payload_and_length_differ },
   { { "response-null", "EU-16", LEGAL_ALL, "A response to null.", SEND },
     response_unclaimed },
   { { "message-end", "EU-16", LEGAL_ALL,
       "Payload or response go beyond the last register.", SEND },
     leaves_registers },
   { { "payloads-overlap", "EU-18", LEGAL_SKL,
       "The two payloads of a split message overlap.", SENDS },
     payloads_overlap },
   { { "last-register", "EU-17", LEGAL_8UP,
       "A response to r127 that overlaps the payload.",
       "PRM BDW vol 2a, send" },
     last_register_overlaps },
   { { "eot-registers", "EU-14", LEGAL_8UP,
       "The payload of a thread's last message is in r112 to r127.",
       "PRM BDW vol 7, send" },
     last_from_low_registers },
   { { "eot-low-registers", NULL, LEGAL_7,
       "The payload of a thread's last message is in r112 to r127.",
       "PRM IVB vol 4 part 3, send",
       VAAPI "whose kernels of ivb and hsw end from r64" },
     last_from_low_registers },
   { { "eot-response", "EU-14", LEGAL_ALL,
       "A thread's last message has no response.",
       "PRM IVB vol 4 part 3, send" },
     last_has_response },
   { { "eot-function", "EU-14", LEGAL_ALL,
       "A thread's last message goes neither to the sampler nor to null.",
       "PRM IVB vol 4 part 3, send" },
     last_to_reader },
   { { "function", NULL, LEGAL_ALL, "The number is no shared function's.",
       "PRM SKL vol 7, \"Shared Function ID\"" },
     reserved_function },
   { { "function-later", NULL, LEGAL_IVB,
       "The shared function came with a later generation.",
       "PRM IVB vol 4 part 3, \"Shared Function ID\"" },
     later_function },
   { { "descriptor-bits", NULL, LEGAL_ALL,
       "Bits of the descriptor that must be zero.",
       "PRM SKL vol 2d, message descriptors" },
     reserved_bits },
   { { "fence-surface", NULL, LEGAL_ALL, "A fence names a surface.",
       "PRM SKL vol 2d, memory fence", VAAPI "17 times" },
     fence_has_surface },
   { { "descriptor-value", NULL, LEGAL_ALL,
       "A field of the descriptor has a reserved value.",
       "PRM SKL vol 2d, message descriptors" },
     reserved_value },
   { { "header-needed", "EU-75", LEGAL_ALL, "The message needs its header.",
       FUNCTIONS },
     header_missing },
   { { "header-forbidden", "EU-75", LEGAL_ALL, "The message has no header.",
       FUNCTIONS },
     header_too_many },
   { { "payload-length", "EU-16", LEGAL_ALL,
       "The payload has another length than the message.", FUNCTIONS },
     payload_length },
   { { "response-length", "EU-16", LEGAL_ALL,
       "The response has another length than the message.", FUNCTIONS },
     response_length },
   { { 0 }, NULL },
};
