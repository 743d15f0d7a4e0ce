/* SPDX-License-Identifier: MIT */
/*
 * Messages: operands of SEND, and descriptors against what a message takes
 * and gives.
 *
 * Where the fields of descriptors lie, and what their codes mean, is the
 * decoder's (isa_messages.h).
 */
#include "intel/sim/legal/legal_private.h"

#include "intel/isa/isa_messages.h"

/* The register from which on the payloads of the last message are. */
#define EOT_FIRST_GRF 112

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

/* The sampler's messages of 32 pixels are those of video (intel-vaapi-driver
 * has number 8 with five registers of response), of other lengths. */
static bool
is_video(const struct isa_message *m)
{
   return m->sfid == ISA_SFID_SAMPLER && m->simd == 32;
}

/* Both parts of the payload; with the second length in a register, none. */
static bool
known_lengths(const struct legal *l, struct isa_message *m,
              struct legal_lengths *n)
{
   if (!unpack(l, m) || isa_message_has_reserved(m) || is_video(m) ||
       (m->msg == ISA_MSG_UNTYPED_ATOMIC && m->aop == ISA_AOP_CMPWR_2W))
      return false;
   *n = legal_message_lengths(m);
   return true;
}

static bool
header_missing(const struct legal *l)
{
   struct isa_message m;
   struct legal_lengths n;
   return known_lengths(l, &m, &n) && n.header > 0 && !m.header;
}

static bool
header_too_many(const struct legal *l)
{
   struct isa_message m;
   struct legal_lengths n;
   return known_lengths(l, &m, &n) && n.header < 0 && m.header;
}

static bool
payload_length(const struct legal *l)
{
   struct isa_message m;
   struct legal_lengths n;
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
   struct legal_lengths n;
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
