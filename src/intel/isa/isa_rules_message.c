/* SPDX-License-Identifier: MIT */
/* Restrictions on messages. Lengths are known where the descriptor is an
 * immediate: mlen 28:25, rlen 24:20; the second payload's is in 9:6 of the
 * extended descriptor (PRM SKL vol 2d, message descriptors). */
#include "isa_rules.h"

static unsigned
payload_grf(const struct isa_view *v)
{
   return v->inst->desc >> 25 & 0xf;
}

static unsigned
response_grf(const struct isa_view *v)
{
   return v->inst->desc >> 20 & 0x1f;
}

static unsigned
second_payload_grf(const struct isa_view *v)
{
   return v->inst->ex_desc >> 6 & 0xf;
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
   if (direct_payload(v) &&
       v->inst->src[0].nr + payload_grf(v) > ISA_MAX_GRF)
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
   { { "send-response-range", ISA_GENS_ALL,
       "a response reaches beyond r127", SEND_PRM },
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
};

const struct isa_rule_table isa_message_rules = { rows, ARRAY_SIZE(rows) };
