/* SPDX-License-Identifier: MIT */
/* Restrictions on messages. Lengths are known where the descriptor is an
 * immediate. What is asked of a certain message is in isa_messages.py. */
#include "isa_messages.h"
#include "isa_rules.h"

/* Of lengths in a register, one at least. */
static unsigned
payload_grf(const struct isa_view *v)
{
   return v->inst->desc_is_reg ? 1 : isa_desc_mlen(v->inst->desc);
}

static unsigned
response_grf(const struct isa_view *v)
{
   return isa_desc_rlen(v->inst->desc);
}

static unsigned
second_payload_grf(const struct isa_view *v)
{
   return v->inst->ex_desc_is_reg ? 1 : isa_ex_desc_ex_mlen(v->inst->ex_desc);
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
has_second(const struct isa_view *v)
{
   return is_split(v) && v->inst->src[1].file == ISA_FILE_GRF;
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
payload_indirect(const struct isa_view *v)
{
   return v->info->is_send && v->inst->src[0].indirect;
}

static bool
payload_in_register(const struct isa_view *v)
{
   const struct isa_operand *src = v->inst->src;
   return v->info->is_send &&
          ((!src[0].indirect && src[0].subnr_B) || src[1].subnr_B);
}

static bool
response_not_grf(const struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst;
   return v->info->is_send && dst->file != ISA_FILE_GRF &&
          !isa_operand_is_null(dst);
}

/* No response, so that it does not matter where it would go. */
static bool
says_nothing(const struct isa_view *v)
{
   return lengths_known(v) && response_grf(v) == 0;
}

static bool
some_response_not_grf(const struct isa_view *v)
{
   return response_not_grf(v) && !says_nothing(v);
}

static bool
no_response_not_grf(const struct isa_view *v)
{
   return response_not_grf(v) && says_nothing(v);
}

static bool
response_in_register(const struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst;
   return v->info->is_send && dst->file == ISA_FILE_GRF && !dst->indirect &&
          dst->subnr_B;
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
          (has_second(v) && src[1].nr < 112);
}

static bool
eot_with_response(const struct isa_view *v)
{
   return v->info->is_send && v->inst->eot &&
          ((!isa_operand_is_null(&v->inst->dst) && !no_response_not_grf(v)) ||
           (lengths_known(v) && response_grf(v) != 0));
}

static bool
eot_to_reader(const struct isa_view *v)
{
   return v->info->is_send && v->inst->eot &&
          (v->inst->sfid == ISA_SFID_NULL ||
           v->inst->sfid == ISA_SFID_SAMPLER);
}

/* What a function does with the message is another question. */
static bool
no_function(const struct isa_view *v)
{
   const unsigned sfid = v->inst->sfid;
   const bool later = v->gen == ISA_IVB && sfid >= ISA_SFID_DATA_CACHE1;
   return v->info->is_send && (sfid == 1 || sfid > ISA_SFID_CRE || later);
}

static bool
second_and_length_differ(const struct isa_view *v)
{
   return is_split(v) && !v->inst->ex_desc_is_reg &&
          has_second(v) != (second_payload_grf(v) != 0);
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
   return has_second(v) &&
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
ranges_overlap(unsigned a, unsigned a_grf, unsigned b, unsigned b_grf)
{
   return a_grf && b_grf && a < b + b_grf && b < a + a_grf;
}

static bool
payloads_overlap(const struct isa_view *v)
{
   const struct isa_operand *src = v->inst->src;
   return has_second(v) && !src[0].indirect && src[0].file == ISA_FILE_GRF &&
          ranges_overlap(src[0].nr, payload_grf(v), src[1].nr,
                         second_payload_grf(v));
}

/* False where the descriptor is not known, or tells no message that this
 * generation has. */
static bool
find_message(const struct isa_view *v, struct isa_message *m)
{
   return lengths_known(v) &&
          isa_message_unpack(v->gen, v->inst->sfid, v->inst->desc, m);
}

#define BTI_MASK 0xffu

static bool
is_fence(const struct isa_message *m)
{
   return m->msg == ISA_MSG_FENCE || m->msg == ISA_MSG_RENDER_FENCE;
}

/* The commit of a fence may go nowhere: it is that of the fence, not of a
 * value (chip rule EU-16, "write commit"). */
static bool
response_lost(const struct isa_view *v)
{
   struct isa_message m;
   if (!lengths_known(v) || !isa_operand_is_null(&v->inst->dst) ||
       !response_grf(v))
      return false;
   return !find_message(v, &m) || !is_fence(&m);
}

/* r127 as a return with an overlap of source and destination. */
static bool
return_in_r127(const struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst, *src = v->inst->src;
   const unsigned grfs = response_grf(v);
   if (!direct_response(v) || dst->nr + grfs <= 127)
      return false;
   return (direct_payload(v) &&
           ranges_overlap(src[0].nr, payload_grf(v), dst->nr, grfs)) ||
          (has_second(v) &&
           ranges_overlap(src[1].nr, second_payload_grf(v), dst->nr, grfs));
}

/* What the pixel interpolator's types do not use is ignored. */
static bool
reserved_bits(const struct isa_view *v)
{
   struct isa_message m;
   if (!find_message(v, &m) || v->inst->sfid == ISA_SFID_PIXEL_INTERP)
      return false;
   return (m.other & ~(is_fence(&m) ? BTI_MASK : 0u)) != 0;
}

/* What others have as the index of a surface. */
static bool
fence_bti(const struct isa_view *v)
{
   struct isa_message m;
   return find_message(v, &m) && is_fence(&m) && (m.other & BTI_MASK);
}

static bool
reserved_value(const struct isa_view *v)
{
   struct isa_message m;
   return find_message(v, &m) && isa_message_has_reserved(&m);
}

/* The message and the lengths that it may have. */
static bool
known_message(const struct isa_view *v, struct isa_message *m,
              struct isa_message_lengths *l)
{
   if (!find_message(v, m))
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
   if (!known_message(v, &m, &l) ||
       (has_second(v) && v->inst->ex_desc_is_reg))
      return false;
   const unsigned grfs = payload_grf(v) +
                         (has_second(v) ? second_payload_grf(v) : 0);
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
   { { "send-indirect", ISA_GENS_UP_TO_8, "a payload is addressed directly",
       "IVB vol 4 part 3, send" },
     payload_indirect },
   { { "send-align", ISA_GENS_ALL, "a payload begins at a register",
       SEND_PRM },
     payload_in_register },
   { { "send-response-grf", ISA_GENS_ALL,
       "a response goes to general registers or null", SEND_PRM },
     some_response_not_grf },
   { { "send-no-response", ISA_GENS_ALL,
       "what has no response names a register of the architecture for it",
       SEND_PRM, "igt's fill kernels; " VAAPI "29 times" },
     no_response_not_grf },
   { { "send-response-align", ISA_GENS_ALL, "a response begins at a register",
       SEND_PRM },
     response_in_register },
   { { "send-function", ISA_GENS_ALL,
       "the generation has no shared function of this number",
       "SKL vol 7, Shared Function ID" },
     no_function },
   { { "send-eot-function", ISA_GENS_ALL,
       "the last message goes to null or to the sampler",
       "IVB vol 4 part 3, send" },
     eot_to_reader },
   { { "sends-src1-length", ISA_GEN_BIT(SKL),
       "a second payload and its length go together", "SKL vol 2a, sends" },
     second_and_length_differ },
   { { "message-bits", ISA_GENS_ALL,
       "bits of the descriptor are set that no field has",
       "SKL vol 2d, message descriptor" },
     reserved_bits },
   { { "fence-bti", ISA_GENS_ALL, "a fence has the index of a surface",
       "SKL vol 2d, memory fence", VAAPI "17 times" },
     fence_bti },
   { { "message-value", ISA_GENS_ALL,
       "a field of the descriptor has a reserved value",
       "SKL vol 2d, message descriptor" },
     reserved_value },
   { { "sends-src1", ISA_GEN_BIT(SKL),
       "the second payload is a general register or null",
       "SKL vol 2a, sends" },
     second_payload_arf },
   { { "send-eot", ISA_GENS_8UP,
       "a message that ends the thread comes from r112 to r127", SEND_PRM },
     eot_below_r112 },
   { { "send-eot-7", ISA_GENS_7,
       "a message that ends the thread comes from r112 to r127",
       "IVB vol 4 part 3, send", VAAPI "from r64" },
     eot_below_r112 },
   { { "send-eot-response", ISA_GENS_ALL,
       "a message that ends the thread has no response, its destination is "
       "null",
       SEND_PRM },
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
