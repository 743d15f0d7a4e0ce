/* SPDX-License-Identifier: MIT */
/* Descriptors and their fields, by the tables made from isa_messages.py. */
#include "isa_message_tables.h"

static uint32_t
field_code(const struct isa_message_field *f, uint32_t desc)
{
   return (desc >> f->low & BITFIELD_MASK(f->width)) |
          (desc >> f->high_low & BITFIELD_MASK(f->high_width)) << f->width;
}

static uint32_t
field_bits(const struct isa_message_field *f, uint32_t code)
{
   return (code & BITFIELD_MASK(f->width)) << f->low |
          (code >> f->width & BITFIELD_MASK(f->high_width)) << f->high_low;
}

static uint32_t
field_mask(const struct isa_message_field *f)
{
   return field_bits(f, BITFIELD_MASK(f->width + f->high_width));
}

static uint16_t
value_of_code(const struct isa_message_field *f, uint32_t code)
{
   if (!f->values)
      return (uint16_t)code;
   const uint16_t value = f->values->value[code];
   return value == ISA_NO_VALUE ? (uint16_t)(ISA_VALUE_RESERVED | code)
                                : value;
}

static uint32_t
code_of_value(const struct isa_message_field *f, unsigned value)
{
   if (!f->values)
      return value;
   for (uint32_t code = 0; code < ISA_MAX_CODES; code++) {
      if (f->values->value[code] == value)
         return code;
   }
   assert(value & ISA_VALUE_RESERVED && "a value without a code");
   return value & ~ISA_VALUE_RESERVED;
}

bool
isa_message_unpack(enum isa_gen gen, enum isa_sfid sfid, uint32_t desc,
                   struct isa_message *m)
{
   const struct isa_selector *s =
      &isa_selectors[gen][(unsigned)sfid % ISA_SFID_LIMIT];
   *m = (struct isa_message) {
      .sfid = sfid,
      .header = isa_desc_header(desc) != 0,
      .mlen = (uint8_t)isa_desc_mlen(desc),
      .rlen = (uint8_t)isa_desc_rlen(desc),
   };
   if (!s->width)
      return false;
   m->number = (uint8_t)(desc >> s->low & BITFIELD_MASK(s->width));
   m->msg = (enum isa_msg)s->messages[m->number];
   const struct isa_message_layout *l = isa_message_layout(gen, m->msg);
   for (unsigned i = 0; i < l->num_fields; i++) {
      const struct isa_message_field *f = &l->fields[i];
      m->member[f->member] = value_of_code(f, field_code(f, desc));
   }
   m->other = desc & l->free_bits;
   return m->msg != ISA_MSG_NONE;
}

/* That nothing is set which the message does not have. */
UNUSED static bool
has_members(const struct isa_message_layout *l, const struct isa_message *m)
{
   uint64_t known = 0;
   static_assert(ISA_MEMBER_COUNT <= 64, "the set of members is 64 bits");
   for (unsigned i = 0; i < l->num_fields; i++)
      known |= 1ull << l->fields[i].member;
   for (unsigned i = 0; i < ISA_MEMBER_COUNT; i++) {
      if (m->member[i] && !(known >> i & 1))
         return false;
   }
   return true;
}

uint32_t
isa_message_pack(enum isa_gen gen, const struct isa_message *m)
{
   const struct isa_message_layout *l = isa_message_layout(gen, m->msg);
   const struct isa_message_home *home = &isa_message_homes[gen][m->msg];
   assert(home->sfid && "the generation has no such message");
   assert(has_members(l, m) && "a field that the message does not have");
   uint32_t desc = isa_desc_lengths(m->mlen, m->rlen, m->header) |
                   (uint32_t)home->number << l->type_low | m->other;
   for (unsigned i = 0; i < l->num_fields; i++) {
      const struct isa_message_field *f = &l->fields[i];
      const uint32_t code = code_of_value(f, m->member[f->member]);
      assert(code <= BITFIELD_MASK(f->width + f->high_width) &&
             "a value that does not fit");
      desc |= field_bits(f, code);
   }
   return desc;
}

enum isa_sfid
isa_message_sfid(enum isa_gen gen, enum isa_msg msg)
{
   return (enum isa_sfid)isa_message_homes[gen][msg].sfid;
}

bool
isa_sfid_exists(enum isa_gen gen, enum isa_sfid sfid)
{
   return isa_selectors[gen][(unsigned)sfid % ISA_SFID_LIMIT].width != 0;
}

uint32_t
isa_message_mask(enum isa_gen gen, enum isa_msg msg,
                 enum isa_message_member member)
{
   const struct isa_message_layout *l = isa_message_layout(gen, msg);
   for (unsigned i = 0; i < l->num_fields; i++) {
      if (l->fields[i].member == member)
         return field_mask(&l->fields[i]);
   }
   return 0;
}

const char *
isa_message_name(enum isa_msg msg)
{
   return isa_message_rows[msg].text;
}

bool
isa_message_has_reserved(const struct isa_message *m)
{
   for (unsigned i = 0; i < ISA_MEMBER_COUNT; i++) {
      if (m->member[i] & ISA_VALUE_RESERVED)
         return true;
   }
   return false;
}

void
isa_message_lengths(const struct isa_message *m,
                    struct isa_message_lengths *l)
{
   *l = (struct isa_message_lengths) {
      .max_payload = UINT8_MAX,
      .max_response = UINT8_MAX,
      .unit = 1,
      .may_have_header = true,
   };
   if (m->msg == ISA_MSG_NONE || isa_message_has_reserved(m))
      return;
   /* Other messages than those of these numbers: of video. */
   if (m->sfid == ISA_SFID_SAMPLER && m->simd == 32)
      return;
   isa_message_row_lengths(m, l);
   if (m->header) {
      l->min_payload = (uint8_t)(l->min_payload + l->header);
      l->max_payload = (uint8_t)(l->max_payload + l->header);
   }
}

static void
print_field(const struct isa_message_field *f, unsigned value,
            struct strbuf *out)
{
   const char *text;
   switch (f->show) {
   case ISA_SHOW_MORE:
      if (value)
         strbuf_printf(out, " %s = %u", f->text, value);
      return;
   case ISA_SHOW_NUM: strbuf_printf(out, " %s = %u", f->text, value); return;
   case ISA_SHOW_HEX:
      strbuf_printf(out, " %s = 0x%x", f->text, value);
      return;
   case ISA_SHOW_FLAG:
      if (value)
         strbuf_printf(out, " %s", f->text);
      return;
   case ISA_SHOW_ENUM:
      text = f->values->text[code_of_value(f, value)];
      if (text)
         strbuf_printf(out, " %s", text);
      else
         strbuf_printf(out, " %s reserved (%u)", f->text,
                       value & ~ISA_VALUE_RESERVED);
      return;
   }
}

void
isa_message_print(enum isa_gen gen, const struct isa_message *m,
                  struct strbuf *out)
{
   const struct isa_message_layout *l = isa_message_layout(gen, m->msg);
   strbuf_puts(out, isa_sfid_name(m->sfid));
   if (m->msg == ISA_MSG_NONE)
      strbuf_printf(out, " message %u", m->number);
   else
      strbuf_printf(out, " %s", isa_message_name(m->msg));
   /* What has a word of its own first, then names with their values. */
   for (unsigned named = 0; named < 2; named++) {
      for (unsigned i = 0; i < l->num_fields; i++) {
         const struct isa_message_field *f = &l->fields[i];
         const bool word = f->show == ISA_SHOW_ENUM ||
                           f->show == ISA_SHOW_FLAG;
         if (word == !named)
            print_field(f, m->member[f->member], out);
      }
   }
   if (m->other)
      strbuf_printf(out, " other bits 0x%x", m->other);
   strbuf_printf(out, "%s mlen %u rlen %u", m->header ? " header" : "",
                 m->mlen, m->rlen);
}
