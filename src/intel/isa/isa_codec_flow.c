/* SPDX-License-Identifier: MIT */
/* Flow control. Jump offsets are in bytes in struct isa_inst; Gen7 encodes
 * them in units of 8 bytes and Gen8 in bytes. HSW already counts jmpi and
 * calls in bytes.
 *
 * Hardware reads few of the operand fields here; what is written into the
 * others is what Intel's assembler writes.
 *
 * Source: PRM IVB vol 4 part 3, HSW vol 7, SKL vol 2a, the instructions' own
 * pages ("JIP", "UIP").
 */
#include "isa_codec.h"

/* Hardware's code of type D, and of W as an immediate on Gen7. */
enum { TYPE_D = 1, TYPE_W = 3 };

static int32_t
offset_field(struct isa_codec *c, enum isa_field f, int32_t value_B,
             unsigned unit_B)
{
   if (c->encoding && value_B % (int32_t)unit_B) {
      isa_codec_fail(c, "jump of %d bytes is no multiple of %u", value_B,
                     unit_B);
      return 0;
   }
   const int64_t v = isa_codec_signed(c, f, value_B / (int32_t)unit_B);
   const int64_t bytes = v * unit_B;
   if (bytes != (int32_t)bytes) {
      isa_codec_fail(c, "jump offset out of range");
      return 0;
   }
   return (int32_t)bytes;
}

/* JIP and UIP of the structured instructions. */
static void
branch_offsets(struct isa_codec *c, bool uip)
{
   struct isa_inst *inst = c->inst;
   if (isa_codec_is_gen8(c)) {
      inst->jip = offset_field(c, ISA_FIELD_JIP32, inst->jip, 1);
      if (uip)
         inst->uip = offset_field(c, ISA_FIELD_UIP32, inst->uip, 1);
      return;
   }
   inst->jip = offset_field(c, ISA_FIELD_JIP16, inst->jip, 8);
   if (uip)
      inst->uip = offset_field(c, ISA_FIELD_UIP16, inst->uip, 8);
}

static void
constant_ip(struct isa_codec *c)
{
   isa_codec_constant(c, ISA_FIELD_DST_NR, ISA_ARF_IP);
   isa_codec_constant(c, ISA_FIELD_DST_HSTRIDE, 1);
}

/* if, else, break, cont, halt, goto: offsets in place of sources. Gen7's
 * else has no UIP. */
static void
structured2(struct isa_codec *c)
{
   const bool gen8 = isa_codec_is_gen8(c);
   isa_codec_constant(c, ISA_FIELD_DST_HSTRIDE, 1);
   isa_codec_constant(c, ISA_FIELD_SRC0_FILE, ISA_FILE_IMM);
   isa_codec_constant(c, ISA_FIELD_SRC0_TYPE, gen8 ? TYPE_D : TYPE_W);
   branch_offsets(c, gen8 || c->inst->opcode != ISA_OPCODE_ELSE);
   c->inst->src[0].file = ISA_FILE_IMM;
}

/* endif, while, join. */
static void
structured1(struct isa_codec *c)
{
   isa_codec_constant(c, ISA_FIELD_DST_HSTRIDE, 1);
   isa_codec_constant(c, ISA_FIELD_SRC1_FILE, ISA_FILE_IMM);
   isa_codec_constant(c, ISA_FIELD_SRC1_TYPE, TYPE_D);
   branch_offsets(c, false);
   c->inst->src[0].file = ISA_FILE_IMM;
}

/* A register that holds the offset(s): a D, or a pair of them. */
static void
target_register(struct isa_codec *c, unsigned n, bool pair)
{
   struct isa_operand *src = &c->inst->src[0];
   isa_codec_direct(c, n, src);
   src->type = ISA_TYPE_D;
   if (pair) {
      isa_codec_constant(c, isa_src_field(n, ISA_FIELD_SRC0_HSTRIDE), 1);
      isa_codec_constant(c, isa_src_field(n, ISA_FIELD_SRC0_WIDTH), 1);
      isa_codec_constant(c, isa_src_field(n, ISA_FIELD_SRC0_VSTRIDE), 2);
   }
}

/* brd, brc: immediate or register in src0, the destination is ip. */
static void
diverge(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   const bool pair = inst->opcode == ISA_OPCODE_BRC;
   const bool gen8 = isa_codec_is_gen8(c);
   constant_ip(c);
   isa_codec_constant(c, ISA_FIELD_DST_TYPE, TYPE_D);
   inst->src[0].file =
      isa_codec_file(c, ISA_FIELD_SRC0_FILE, inst->src[0].file);
   isa_codec_constant(c, ISA_FIELD_SRC0_TYPE, gen8 ? TYPE_D : TYPE_W);
   if (inst->src[0].file != ISA_FILE_IMM)
      target_register(c, 0, pair);
   else if (gen8 || pair)
      branch_offsets(c, pair);
   else /* without UIP, the offset may fill the dword */
      inst->jip = offset_field(c, ISA_FIELD_JIP32, inst->jip, 8);
}

/* jmpi counts from the instruction after it. */
static void
jmpi(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   const int size_B = inst->compacted ? ISA_COMPACT_SIZE_B : ISA_INST_SIZE_B;
   constant_ip(c);
   isa_codec_constant(c, ISA_FIELD_SRC0_NR, ISA_ARF_IP);
   inst->src[0].file =
      isa_codec_file(c, ISA_FIELD_SRC1_FILE, inst->src[0].file);
   isa_codec_constant(c, ISA_FIELD_SRC1_TYPE, TYPE_D);
   if (inst->src[0].file != ISA_FILE_IMM) {
      target_register(c, 1, false);
      return;
   }
   const int32_t offset = offset_field(
      c, ISA_FIELD_JIP32, (int32_t)((uint32_t)inst->jip - (uint32_t)size_B),
      c->gen == ISA_IVB ? 8 : 1);
   inst->jip = (int32_t)((uint32_t)offset + (uint32_t)size_B);
}

/* call, calla: the return address goes to dst, the target is in src1. */
static void
call(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   inst->dst.file = isa_codec_file(c, ISA_FIELD_DST_FILE, inst->dst.file);
   if (inst->dst.file == ISA_FILE_IMM)
      isa_codec_fail(c, "the destination is an immediate");
   inst->dst.type = ISA_TYPE_UD;
   inst->dst.hstride = 1;
   inst->dst.nr =
      isa_codec_nr(c, ISA_FIELD_DST_NR, inst->dst.file, inst->dst.nr);
   inst->dst.subnr_B =
      (uint8_t)isa_codec_field(c, ISA_FIELD_DST_SUBNR, inst->dst.subnr_B);
   isa_codec_constant(c, ISA_FIELD_DST_HSTRIDE, 1);
   isa_codec_constant(c, ISA_FIELD_DST_TYPE, TYPE_D);
   /* Intel's assembler leaves the region out in this one case. */
   if (c->gen != ISA_BDW || inst->opcode == ISA_OPCODE_CALLA) {
      isa_codec_constant(c, ISA_FIELD_SRC0_HSTRIDE, 1);
      isa_codec_constant(c, ISA_FIELD_SRC0_WIDTH, 1);
      isa_codec_constant(c, ISA_FIELD_SRC0_VSTRIDE, 2);
   }
   inst->src[0].file =
      isa_codec_file(c, ISA_FIELD_SRC1_FILE, inst->src[0].file);
   isa_codec_constant(c, ISA_FIELD_SRC1_TYPE, TYPE_D);
   if (inst->src[0].file == ISA_FILE_IMM)
      inst->jip = offset_field(c, ISA_FIELD_JIP32, inst->jip,
                               c->gen == ISA_IVB ? 8 : 1);
   else
      target_register(c, 1, false);
}

static void
ret(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   isa_codec_constant(c, ISA_FIELD_DST_HSTRIDE, 1);
   inst->src[0].file =
      isa_codec_file(c, ISA_FIELD_SRC0_FILE, inst->src[0].file);
   if (inst->src[0].file == ISA_FILE_IMM)
      isa_codec_fail(c, "ret wants a register");
   isa_codec_constant(c, ISA_FIELD_SRC0_TYPE, TYPE_D);
   target_register(c, 0, true);
}

void
isa_codec_flow(struct isa_codec *c)
{
   switch (c->inst->opcode) {
   case ISA_OPCODE_JMPI: jmpi(c); break;
   case ISA_OPCODE_BRD:
   case ISA_OPCODE_BRC: diverge(c); break;
   case ISA_OPCODE_CALL:
   case ISA_OPCODE_CALLA: call(c); break;
   case ISA_OPCODE_RET: ret(c); break;
   case ISA_OPCODE_ENDIF:
   case ISA_OPCODE_WHILE:
   case ISA_OPCODE_JOIN: structured1(c); break;
   default:
      assert(isa_opcode_info(c->inst->opcode)->has_uip);
      structured2(c);
      break;
   }
}
