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

bool
isa_breaks_send_grf(const struct isa_view *v)
{
   return v->info->is_send && v->inst->src[0].file != ISA_FILE_GRF;
}

bool
isa_breaks_send_indirect(const struct isa_view *v)
{
   return v->info->is_send && v->inst->src[0].indirect;
}

bool
isa_breaks_send_align(const struct isa_view *v)
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

bool
isa_breaks_send_response_grf(const struct isa_view *v)
{
   return response_not_grf(v) && !says_nothing(v);
}

bool
isa_breaks_send_no_response(const struct isa_view *v)
{
   return response_not_grf(v) && says_nothing(v);
}

bool
isa_breaks_send_response_align(const struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst;
   return v->info->is_send && dst->file == ISA_FILE_GRF && !dst->indirect &&
          dst->subnr_B;
}

bool
isa_breaks_sends_src1(const struct isa_view *v)
{
   return is_split(v) && v->inst->src[1].file == ISA_FILE_ARF &&
          !isa_operand_is_null(&v->inst->src[1]);
}

bool
isa_breaks_send_eot(const struct isa_view *v)
{
   if (!v->info->is_send || !v->inst->eot)
      return false;
   const struct isa_operand *src = v->inst->src;
   return (!src[0].indirect && src[0].nr < 112) ||
          (has_second(v) && src[1].nr < 112);
}

bool
isa_breaks_send_eot_response(const struct isa_view *v)
{
   return v->info->is_send && v->inst->eot &&
          ((!isa_operand_is_null(&v->inst->dst) &&
            !isa_breaks_send_no_response(v)) ||
           (lengths_known(v) && response_grf(v) != 0));
}

bool
isa_breaks_send_eot_function(const struct isa_view *v)
{
   return v->info->is_send && v->inst->eot &&
          (v->inst->sfid == ISA_SFID_NULL ||
           v->inst->sfid == ISA_SFID_SAMPLER);
}

/* What a function does with the message is another question. */
bool
isa_breaks_send_function(const struct isa_view *v)
{
   const unsigned sfid = v->inst->sfid;
   const bool later = v->gen == ISA_IVB && sfid >= ISA_SFID_DATA_CACHE1;
   return v->info->is_send && (sfid == 1 || sfid > ISA_SFID_CRE || later);
}

bool
isa_breaks_sends_src1_length(const struct isa_view *v)
{
   return is_split(v) && !v->inst->ex_desc_is_reg &&
          has_second(v) != (second_payload_grf(v) != 0);
}

bool
isa_breaks_send_mlen(const struct isa_view *v)
{
   return lengths_known(v) && payload_grf(v) == 0;
}

bool
isa_breaks_send_range(const struct isa_view *v)
{
   if (direct_payload(v) && v->inst->src[0].nr + payload_grf(v) > ISA_MAX_GRF)
      return true;
   return has_second(v) &&
          v->inst->src[1].nr + second_payload_grf(v) > ISA_MAX_GRF;
}

bool
isa_breaks_send_response_range(const struct isa_view *v)
{
   return direct_response(v) &&
          v->inst->dst.nr + response_grf(v) > ISA_MAX_GRF;
}

bool
isa_breaks_send_rlen(const struct isa_view *v)
{
   return lengths_known(v) && response_grf(v) > 16;
}

static bool
ranges_overlap(unsigned a, unsigned a_grf, unsigned b, unsigned b_grf)
{
   return a_grf && b_grf && a < b + b_grf && b < a + a_grf;
}

bool
isa_breaks_sends_overlap(const struct isa_view *v)
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
bool
isa_breaks_send_response_null(const struct isa_view *v)
{
   struct isa_message m;
   if (!lengths_known(v) || !isa_operand_is_null(&v->inst->dst) ||
       !response_grf(v))
      return false;
   return !find_message(v, &m) || !is_fence(&m);
}

/* r127 as a return with an overlap of source and destination. */
bool
isa_breaks_send_r127(const struct isa_view *v)
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
bool
isa_breaks_message_bits(const struct isa_view *v)
{
   struct isa_message m;
   if (!find_message(v, &m) || v->inst->sfid == ISA_SFID_PIXEL_INTERP)
      return false;
   return (m.other & ~(is_fence(&m) ? BTI_MASK : 0u)) != 0;
}

/* What others have as the index of a surface. */
bool
isa_breaks_fence_bti(const struct isa_view *v)
{
   struct isa_message m;
   return find_message(v, &m) && is_fence(&m) && (m.other & BTI_MASK);
}

bool
isa_breaks_message_value(const struct isa_view *v)
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

bool
isa_breaks_message_header(const struct isa_view *v)
{
   struct isa_message m;
   struct isa_message_lengths l;
   return known_message(v, &m, &l) && l.needs_header && !m.header;
}

bool
isa_breaks_message_no_header(const struct isa_view *v)
{
   struct isa_message m;
   struct isa_message_lengths l;
   return known_message(v, &m, &l) && !l.may_have_header && m.header;
}

bool
isa_breaks_message_payload(const struct isa_view *v)
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

bool
isa_breaks_message_response(const struct isa_view *v)
{
   struct isa_message m;
   struct isa_message_lengths l;
   return known_message(v, &m, &l) &&
          (m.rlen < l.min_response || m.rlen > l.max_response ||
           m.rlen % l.unit);
}
