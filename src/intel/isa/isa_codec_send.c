/* SPDX-License-Identifier: MIT */
/* Messages. The descriptor is an immediate in bits 126:96 (124:96 before
 * Gen9) or a0.0; EOT is bit 127 either way. Gen9 has an extended descriptor:
 * scattered over the unused region of src0 in send, in its own place in the
 * split sends, where it may also come from a0.
 *
 * Source: PRM IVB vol 4 part 3 "send"; SKL vol 2a "send", "sends", vol 2d
 * EU_INSTRUCTION_SEND, EU_INSTRUCTION_SENDS.
 */
#include "isa_codec.h"

enum { TYPE_UD = 0 };

static void
sfid_field(struct isa_codec *c)
{
   c->inst->sfid =
      (enum isa_sfid)isa_codec_field(c, ISA_FIELD_SFID, c->inst->sfid);
}

static void
eot_field(struct isa_codec *c)
{
   c->inst->eot = isa_codec_field(c, ISA_FIELD_EOT, c->inst->eot) != 0;
}

/* The descriptor as src1 of send: an immediate, or a0.0. */
static void
desc_as_src1(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   const enum isa_file file =
      isa_codec_file(c, ISA_FIELD_SRC1_FILE,
                     inst->desc_is_reg ? ISA_FILE_ARF : ISA_FILE_IMM);
   eot_field(c);
   if (file == ISA_FILE_IMM) {
      /* D on Gen7 and UD from Gen8, as Intel's assembler does. */
      isa_codec_constant(c, ISA_FIELD_SRC1_TYPE, TYPE_UD);
      inst->desc = (uint32_t)isa_codec_field(c, ISA_FIELD_DESC, inst->desc);
      return;
   }
   inst->desc_is_reg = true;
   struct isa_operand a0 = { .nr = ISA_ARF_ADDRESS };
   isa_codec_direct(c, 1, &a0);
   isa_codec_constant(c, ISA_FIELD_SRC1_TYPE, TYPE_UD);
   if (file != ISA_FILE_ARF || a0.nr != ISA_ARF_ADDRESS || a0.subnr_B)
      isa_codec_fail(c, "a message descriptor register must be a0.0");
}

static void
scattered_ex_desc(struct isa_codec *c)
{
   static const struct {
      enum isa_field field;
      uint8_t shift;
   } parts[] = {
      { ISA_FIELD_EX_31_28, 28 },
      { ISA_FIELD_EX_27_24, 24 },
      { ISA_FIELD_EX_23_20, 20 },
      { ISA_FIELD_EX_19_16, 16 },
   };
   const uint32_t value = c->inst->ex_desc;
   if (value & 0xffff) {
      isa_codec_fail(c, "send has only bits 31:16 of an extended descriptor");
      return;
   }
   uint32_t result = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(parts); i++)
      result |= (uint32_t)isa_codec_field(c, parts[i].field,
                                          value >> parts[i].shift & 0xf)
                << parts[i].shift;
   c->inst->ex_desc = result;
}

/* The payload; its region means nothing. */
static void
payload(struct isa_codec *c)
{
   struct isa_operand *src = &c->inst->src[0];
   src->file = isa_codec_file(c, ISA_FIELD_SRC0_FILE, src->file);
   if (src->file == ISA_FILE_IMM) {
      isa_codec_fail(c, "the payload of a message is an immediate");
      return;
   }
   src->type =
      isa_codec_type(c, ISA_FIELD_SRC0_TYPE, ISA_TYPE_KIND_REG, src->type);
   src->indirect =
      isa_codec_field(c, ISA_FIELD_SRC0_INDIRECT, src->indirect) != 0;
   if (src->indirect) {
      /* On Gen9 the extended descriptor takes the low bits of the offset. */
      const bool coarse = c->gen >= ISA_SKL ||
                          c->inst->access_mode == ISA_ALIGN16;
      static const struct isa_address_fields fields = {
         ISA_FIELD_SRC0_ADDR_SUBNR, ISA_FIELD_SRC0_ADDR_IMM,
         ISA_FIELD_SRC0_A16_ADDR_IMM, ISA_FIELD_SRC0_ADDR_IMM9
      };
      isa_codec_address(c, src, coarse, &fields);
      return;
   }
   src->nr = isa_codec_nr(c, ISA_FIELD_SRC0_NR, src->file, src->nr);
   if (c->gen < ISA_SKL && c->inst->access_mode == ISA_ALIGN1)
      src->subnr_B =
         (uint8_t)isa_codec_field(c, ISA_FIELD_SRC0_SUBNR, src->subnr_B);
   else if (c->encoding && src->subnr_B)
      isa_codec_fail(c, "a message payload starts at a register");
}

void
isa_codec_send(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   sfid_field(c);
   isa_codec_dst(c, &inst->dst);
   payload(c);
   desc_as_src1(c);
   if (c->gen >= ISA_SKL)
      scattered_ex_desc(c);
   else if (c->encoding && inst->ex_desc)
      isa_codec_fail(c, "extended descriptor before Gen9");
}

/* Files of split messages have one bit: 0 ARF, 1 GRF. */
static void
split_file(struct isa_codec *c, enum isa_field f, struct isa_operand *o)
{
   if (c->encoding && o->file == ISA_FILE_IMM) {
      isa_codec_fail(c, "a split message has an immediate operand");
      return;
   }
   o->file = isa_codec_field(c, f, o->file) ? ISA_FILE_GRF : ISA_FILE_ARF;
}

static unsigned
split_subnr(struct isa_codec *c, enum isa_field f, unsigned subnr_B)
{
   if (subnr_B % 16) {
      isa_codec_fail(c, "sub-register at byte %u of a split message",
                     subnr_B);
      return 0;
   }
   return (unsigned)isa_codec_field(c, f, subnr_B / 16) * 16;
}

static void
split_dst(struct isa_codec *c)
{
   static const struct isa_address_fields fields = {
      ISA_FIELD_DST_ADDR_SUBNR, ISA_FIELD_DST_ADDR_IMM,
      ISA_FIELD_DST_A16_ADDR_IMM, ISA_FIELD_SS_DST_IMM9
   };
   struct isa_operand *dst = &c->inst->dst;
   split_file(c, ISA_FIELD_SS_DST_FILE, dst);
   dst->type =
      isa_codec_type(c, ISA_FIELD_DST_TYPE, ISA_TYPE_KIND_REG, dst->type);
   dst->hstride = 1;
   dst->indirect =
      isa_codec_field(c, ISA_FIELD_DST_INDIRECT, dst->indirect) != 0;
   if (dst->indirect) {
      isa_codec_address(c, dst, true, &fields);
      return;
   }
   dst->nr = isa_codec_nr(c, ISA_FIELD_DST_NR, dst->file, dst->nr);
   dst->subnr_B =
      (uint8_t)split_subnr(c, ISA_FIELD_SS_DST_SUBNR, dst->subnr_B);
}

static void
split_src0(struct isa_codec *c)
{
   static const struct isa_address_fields fields = {
      ISA_FIELD_SRC0_ADDR_SUBNR, ISA_FIELD_SRC0_ADDR_IMM,
      ISA_FIELD_SRC0_A16_ADDR_IMM, ISA_FIELD_SS_SRC0_IMM9
   };
   struct isa_operand *src = &c->inst->src[0];
   if (c->encoding && src->file != ISA_FILE_GRF)
      isa_codec_fail(c, "the payload of a split message is no GRF");
   src->file = ISA_FILE_GRF;
   src->indirect =
      isa_codec_field(c, ISA_FIELD_SRC0_INDIRECT, src->indirect) != 0;
   if (src->indirect) {
      isa_codec_address(c, src, true, &fields);
      return;
   }
   src->nr = isa_codec_nr(c, ISA_FIELD_SRC0_NR, src->file, src->nr);
   src->subnr_B =
      (uint8_t)split_subnr(c, ISA_FIELD_SS_SRC0_SUBNR, src->subnr_B);
}

static void
split_src1(struct isa_codec *c)
{
   struct isa_operand *src = &c->inst->src[1];
   split_file(c, ISA_FIELD_SS_SRC1_FILE, src);
   src->nr = isa_codec_nr(c, ISA_FIELD_SS_SRC1_NR, src->file, src->nr);
   if (c->encoding && src->subnr_B)
      isa_codec_fail(c, "the second payload starts at a register");
   if (c->encoding && src->indirect)
      isa_codec_fail(c, "the second payload cannot be indirect");
}

static void
split_ex_desc(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   inst->ex_desc_is_reg =
      isa_codec_field(c, ISA_FIELD_SS_EX_REG, inst->ex_desc_is_reg) != 0;
   if (inst->ex_desc_is_reg) {
      inst->ex_desc_subnr = (uint8_t)isa_codec_field(c, ISA_FIELD_SS_EX_SUBNR,
                                                     inst->ex_desc_subnr);
      return;
   }
   if (c->encoding && (inst->ex_desc & 0xfc3f)) {
      isa_codec_fail(c,
                     "extended descriptor 0x%x has more than bits 31:16 "
                     "and 9:6",
                     inst->ex_desc);
      return;
   }
   const uint64_t high =
      isa_codec_field(c, ISA_FIELD_SS_EX_31_16, inst->ex_desc >> 16);
   const uint64_t low =
      isa_codec_field(c, ISA_FIELD_SS_EX_9_6, inst->ex_desc >> 6 & 0xf);
   inst->ex_desc = (uint32_t)(high << 16 | low << 6);
}

void
isa_codec_sends(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   sfid_field(c);
   split_dst(c);
   split_src0(c);
   split_src1(c);
   split_ex_desc(c);
   eot_field(c);
   inst->desc_is_reg =
      isa_codec_field(c, ISA_FIELD_SS_DESC_REG, inst->desc_is_reg) != 0;
   if (!inst->desc_is_reg)
      inst->desc = (uint32_t)isa_codec_field(c, ISA_FIELD_DESC, inst->desc);
}
