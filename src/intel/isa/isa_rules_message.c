/* SPDX-License-Identifier: MIT */
/* Restrictions on messages. Lengths are known where the descriptor is an
 * immediate. What is asked of a certain message is in isa_messages.py. */
#include "isa_messages.h"
#include "isa_rules.h"

static unsigned
payload_grf(const struct isa_view *v)
{
   return isa_desc_mlen(v->inst->desc);
}

static unsigned
response_grf(const struct isa_view *v)
{
   return isa_desc_rlen(v->inst->desc);
}

static unsigned
second_payload_grf(const struct isa_view *v)
{
   return isa_ex_desc_ex_mlen(v->inst->ex_desc);
}

static bool
is_split(const struct isa_view *v)
{
   return v->info->format == ISA_FORMAT_SENDS;
}

static bool
lengths_known(const struct isa_view *v)
{
   return v->info->is_send && !v->inst->desc_is_reg;
}

static bool
second_known(const struct isa_view *v)
{
   return is_split(v) && !v->inst->ex_desc_is_reg &&
          v->inst->src[1].file == ISA_FILE_GRF;
}

/* Where the payload lies is known. */
static bool
direct_payload(const struct isa_view *v)
{
   return lengths_known(v) && !v->inst->src[0].indirect;
}

static bool
direct_response(const struct isa_view *v)
{
   return lengths_known(v) && v->inst->dst.file == ISA_FILE_GRF &&
          !v->inst->dst.indirect;
}

static bool
payload_not_grf(const struct isa_view *v)
{
   return v->info->is_send && v->inst->src[0].file != ISA_FILE_GRF;
}

static bool
second_payload_arf(const struct isa_view *v)
{
   return is_split(v) && v->inst->src[1].file == ISA_FILE_ARF &&
          !isa_operand_is_null(&v->inst->src[1]);
}

static bool
eot_below_r112(const struct isa_view *v)
{
   if (!v->info->is_send || !v->inst->eot)
      return false;
   const struct isa_operand *src = v->inst->src;
   return (!src[0].indirect && src[0].nr < 112) ||
          (second_known(v) && src[1].nr < 112);
}

static bool
eot_with_response(const struct isa_view *v)
{
   return lengths_known(v) && v->inst->eot && response_grf(v) != 0;
}

static bool
no_payload(const struct isa_view *v)
{
   return lengths_known(v) && payload_grf(v) == 0;
}

static bool
payload_beyond(const struct isa_view *v)
{
   if (direct_payload(v) && v->inst->src[0].nr + payload_grf(v) > ISA_MAX_GRF)
      return true;
   return second_known(v) &&
          v->inst->src[1].nr + second_payload_grf(v) > ISA_MAX_GRF;
}

static bool
response_beyond(const struct isa_view *v)
{
   return direct_response(v) &&
          v->inst->dst.nr + response_grf(v) > ISA_MAX_GRF;
}

static bool
response_too_long(const struct isa_view *v)
{
   return lengths_known(v) && response_grf(v) > 16;
}

static bool
payloads_overlap(const struct isa_view *v)
{
   if (!second_known(v) || !direct_payload(v))
      return false;
   const unsigned a = v->inst->src[0].nr, b = v->inst->src[1].nr;
   return second_payload_grf(v) && payload_grf(v) &&
          a < b + second_payload_grf(v) && b < a + payload_grf(v);
}

static bool
response_lost(const struct isa_view *v)
{
   return lengths_known(v) && isa_operand_is_null(&v->inst->dst) &&
          response_grf(v) != 0;
}

/* r127 as a return with an overlap of source and destination. */
static bool
return_in_r127(const struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst, *src = &v->inst->src[0];
   return direct_payload(v) && direct_response(v) && !is_split(v) &&
          dst->nr + response_grf(v) > 127 &&
          src->nr + payload_grf(v) > dst->nr;
}

/* The message and the lengths that it may have; false where its descriptor is
 * not known, or tells no message that this generation has. */
static bool
known_message(const struct isa_view *v, struct isa_message *m,
              struct isa_message_lengths *l)
{
   if (!lengths_known(v) ||
       !isa_message_unpack(v->gen, v->inst->sfid, v->inst->desc, m))
      return false;
   isa_message_lengths(m, l);
   return true;
}

static bool
header_missing(const struct isa_view *v)
{
   struct isa_message m;
   struct isa_message_lengths l;
   return known_message(v, &m, &l) && l.needs_header && !m.header;
}

static bool
header_too_much(const struct isa_view *v)
{
   struct isa_message m;
   struct isa_message_lengths l;
   return known_message(v, &m, &l) && !l.may_have_header && m.header;
}

static bool
payload_of_wrong_length(const struct isa_view *v)
{
   struct isa_message m;
   struct isa_message_lengths l;
   if (!known_message(v, &m, &l) || (is_split(v) && v->inst->ex_desc_is_reg))
      return false;
   const unsigned grfs = payload_grf(v) +
                         (is_split(v) ? second_payload_grf(v) : 0);
   const unsigned header = m.header ? l.header : 0;
   return grfs < l.min_payload || grfs > l.max_payload ||
          (grfs - header) % l.unit;
}

static bool
response_of_wrong_length(const struct isa_view *v)
{
   struct isa_message m;
   struct isa_message_lengths l;
   return known_message(v, &m, &l) &&
          (m.rlen < l.min_response || m.rlen > l.max_response ||
           m.rlen % l.unit);
}

#define SEND_PRM "SKL vol 2a, send"

static const struct isa_rule_row rows[] = {
   { { "send-grf", ISA_GENS_ALL, "a message comes from general registers",
       "IVB vol 4 part 3, send" },
     payload_not_grf },
   { { "sends-src1", ISA_GEN_BIT(SKL),
       "the second payload is a general register or null",
       "SKL vol 2a, sends" },
     second_payload_arf },
   { { "send-eot", ISA_GENS_ALL,
       "a message that ends the thread comes from r112 to r127", SEND_PRM },
     eot_below_r112 },
   { { "send-eot-response", ISA_GENS_ALL,
       "a message that ends the thread has no response", SEND_PRM },
     eot_with_response },
   { { "send-mlen", ISA_GENS_ALL, "a message has no payload",
       "SKL vol 2d, message descriptor" },
     no_payload },
   { { "send-rlen", ISA_GENS_ALL, "a response has more than 16 registers",
       "SKL vol 2d, message descriptor" },
     response_too_long },
   { { "send-range", ISA_GENS_ALL, "a payload reaches beyond r127",
       SEND_PRM },
     payload_beyond },
   { { "send-response-range", ISA_GENS_ALL, "a response reaches beyond r127",
       SEND_PRM },
     response_beyond },
   { { "send-response-null", ISA_GENS_ALL,
       "a response is written to the null register", SEND_PRM },
     response_lost },
   { { "sends-overlap", ISA_GEN_BIT(SKL),
       "the payloads of a split message overlap", "SKL vol 2a, sends" },
     payloads_overlap },
   { { "send-r127", ISA_GENS_8UP,
       "r127 is written by a response that overlaps its payload",
       "BDW vol 2a, send" },
     return_in_r127 },
   { { "message-header", ISA_GENS_ALL, "the message needs a header",
       "SKL vol 7, Shared Functions" },
     header_missing },
   { { "message-no-header", ISA_GENS_ALL, "the message has no header",
       "SKL vol 7, Shared Functions" },
     header_too_much },
   { { "message-payload", ISA_GENS_ALL,
       "the payload has not the length that the message asks for",
       "SKL vol 7, Shared Functions" },
     payload_of_wrong_length },
   { { "message-response", ISA_GENS_ALL,
       "the response has not the length that the message makes",
       "SKL vol 7, Shared Functions" },
     response_of_wrong_length },
};

const struct isa_rule_table isa_message_rules = { rows, ARRAY_SIZE(rows) };
