/* SPDX-License-Identifier: MIT */
/* Operands: files, types, regions, immediates, in Align1 and Align16, direct
 * and indirect, and the fixed form of three-source instructions.
 *
 * Source of the forms: PRM SKL vol 7, "EU Instruction Operands", and the
 * instruction structures of vol 2d; IVB vol 4 part 3 for Gen7.
 */
#include "isa_codec.h"

enum isa_file
isa_codec_file(struct isa_codec *c, enum isa_field f, enum isa_file file)
{
   const uint64_t code = isa_codec_field(c, f, file);
   if (code == 2)
      isa_codec_fail(c, "register file 2 (MRF) is not on this generation");
   return (enum isa_file)code;
}

enum isa_type
isa_codec_type(struct isa_codec *c, enum isa_field f, enum isa_type_kind kind,
               enum isa_type type)
{
   if (c->encoding) {
      const unsigned code = isa_type_code[c->gen][kind][type];
      if (code == ISA_NO_CODE) {
         isa_codec_fail(c, "type %s cannot stand here on %s",
                        isa_type_info(type)->name, isa_gen_name(c->gen));
         return type;
      }
      isa_codec_field(c, f, code);
      return type;
   }
   const unsigned code = (unsigned)isa_codec_field(c, f, 0);
   const uint8_t found = isa_type_from_code[c->gen][kind][code];
   if (found == ISA_TYPE_COUNT) {
      isa_codec_fail(c, "type code %u is reserved on %s", code,
                     isa_gen_name(c->gen));
      return type;
   }
   return (enum isa_type)found;
}

uint8_t
isa_codec_nr(struct isa_codec *c, enum isa_field f, enum isa_file file,
             uint8_t nr)
{
   const uint8_t result = (uint8_t)isa_codec_field(c, f, nr);
   if (file == ISA_FILE_GRF && result >= ISA_MAX_GRF)
      isa_codec_fail(c, "there is no register r%u", result);
   else if (file == ISA_FILE_ARF && (result & 0xf0) == 0xe0)
      isa_codec_fail(c, "there is no architecture register 0x%02x", result);
   return result;
}

static uint8_t
mme_field(struct isa_codec *c, enum isa_field f, unsigned mme)
{
   const uint64_t result = isa_codec_field(c, f, mme);
   if (result > ISA_NO_MME)
      isa_codec_fail(c, "there is no math macro register %u",
                     (unsigned)result);
   return (uint8_t)result;
}

/* Elements as a code: 0 is 0, and n is log2(n) + 1. */
static unsigned
stride_field(struct isa_codec *c, enum isa_field f, unsigned stride)
{
   const unsigned max = c->bits[f].width == 2 ? 4 : 32;
   if (c->encoding) {
      if (stride == ISA_VSTRIDE_VXH && max == 32) {
         isa_codec_field(c, f, 15);
      } else if (stride > max || !util_is_power_of_two_or_zero(stride)) {
         isa_codec_fail(c, "no stride of %u", stride);
      } else {
         isa_codec_field(c, f, stride ? util_logbase2(stride) + 1 : 0);
      }
      return stride;
   }
   const unsigned code = (unsigned)isa_codec_field(c, f, 0);
   if (code == 15)
      return ISA_VSTRIDE_VXH;
   if (code > 6)
      isa_codec_fail(c, "vertical stride code %u is reserved", code);
   return code ? 1u << (code - 1) : 0;
}

static unsigned
width_field(struct isa_codec *c, enum isa_field f, unsigned width)
{
   if (c->encoding) {
      if (width > 16 || !util_is_power_of_two_nonzero(width))
         isa_codec_fail(c, "no region width of %u", width);
      else
         isa_codec_field(c, f, util_logbase2(width));
      return width;
   }
   const unsigned code = (unsigned)isa_codec_field(c, f, 0);
   if (code > 4)
      isa_codec_fail(c, "width code %u is reserved", code);
   return code <= 4 ? 1u << code : 1;
}

/* Sub-registers of Align16 count in halves of a register. */
static unsigned
half_field(struct isa_codec *c, enum isa_field f, unsigned subnr_B)
{
   if (subnr_B % 16) {
      isa_codec_fail(c,
                     "sub-register at byte %u: Align16 can only name "
                     "multiples of 16",
                     subnr_B);
      return 0;
   }
   return (unsigned)isa_codec_field(c, f, subnr_B / 16) * 16;
}

/* -512 to 511; Align16 leaves the low four bits out, and Gen8 keeps the top
 * one apart. */
void
isa_codec_address(struct isa_codec *c, struct isa_operand *o, bool align16,
                  const struct isa_address_fields *f)
{
   if (o->file != ISA_FILE_GRF) {
      isa_codec_fail(c, "only general registers can be addressed indirectly");
      return;
   }
   o->addr_subnr = (uint8_t)isa_codec_field(c, f->subnr, o->addr_subnr);
   const unsigned drop = align16 ? 4 : 0;
   const enum isa_field low = align16 ? f->imm16 : f->imm;
   const bool apart = c->bits[f->imm9].width != 0;
   uint64_t value = (uint64_t)(int64_t)o->addr_imm_B & 0x3ff;
   if (c->encoding && (o->addr_imm_B < -512 || o->addr_imm_B > 511 ||
                       (value & BITFIELD64_MASK(drop)))) {
      isa_codec_fail(c, "indirect offset %d cannot be encoded",
                     o->addr_imm_B);
      return;
   }
   if (apart) {
      const uint64_t top = isa_codec_field(c, f->imm9, value >> 9);
      value = isa_codec_field(c, low, (value & 0x1ff) >> drop) << drop;
      value |= top << 9;
   } else {
      value = isa_codec_field(c, low, value >> drop) << drop;
   }
   o->addr_imm_B = (int16_t)util_sign_extend(value, 10);
}

static void
dst_address(struct isa_codec *c, struct isa_operand *dst, bool align16)
{
   dst->indirect =
      isa_codec_field(c, ISA_FIELD_DST_INDIRECT, dst->indirect) != 0;
   if (dst->indirect) {
      static const struct isa_address_fields fields = {
         ISA_FIELD_DST_ADDR_SUBNR, ISA_FIELD_DST_ADDR_IMM,
         ISA_FIELD_DST_A16_ADDR_IMM, ISA_FIELD_DST_ADDR_IMM9
      };
      isa_codec_address(c, dst, align16, &fields);
      return;
   }
   dst->nr = isa_codec_nr(c, ISA_FIELD_DST_NR, dst->file, dst->nr);
   dst->subnr_B =
      (uint8_t)(align16
                   ? half_field(c, ISA_FIELD_DST_A16_SUBNR, dst->subnr_B)
                   : isa_codec_field(c, ISA_FIELD_DST_SUBNR, dst->subnr_B));
}

void
isa_codec_dst(struct isa_codec *c, struct isa_operand *dst)
{
   const bool align16 = c->inst->access_mode == ISA_ALIGN16;
   dst->file = isa_codec_file(c, ISA_FIELD_DST_FILE, dst->file);
   if (dst->file == ISA_FILE_IMM)
      isa_codec_fail(c, "the destination is an immediate");
   dst->type =
      isa_codec_type(c, ISA_FIELD_DST_TYPE, ISA_TYPE_KIND_REG, dst->type);
   dst_address(c, dst, align16);
   if (isa_inst_is_math_macro(c->inst)) {
      dst->mme = mme_field(c, ISA_FIELD_DST_WRITEMASK, dst->mme);
      return;
   }
   dst->hstride =
      (uint8_t)stride_field(c, ISA_FIELD_DST_HSTRIDE, dst->hstride);
   if (align16)
      dst->writemask =
         (uint8_t)isa_codec_field(c, ISA_FIELD_DST_WRITEMASK, dst->writemask);
}

void
isa_codec_direct(struct isa_codec *c, unsigned n, struct isa_operand *src)
{
   src->nr = isa_codec_nr(c, isa_src_field(n, ISA_FIELD_SRC0_NR), src->file,
                          src->nr);
   src->subnr_B = (uint8_t)isa_codec_field(
      c, isa_src_field(n, ISA_FIELD_SRC0_SUBNR), src->subnr_B);
}

static void
src_address(struct isa_codec *c, unsigned n, struct isa_operand *src,
            bool align16)
{
   src->indirect = isa_codec_field(c,
                                   isa_src_field(n, ISA_FIELD_SRC0_INDIRECT),
                                   src->indirect) != 0;
   if (src->indirect) {
      const struct isa_address_fields fields = {
         isa_src_field(n, ISA_FIELD_SRC0_ADDR_SUBNR),
         isa_src_field(n, ISA_FIELD_SRC0_ADDR_IMM),
         isa_src_field(n, ISA_FIELD_SRC0_A16_ADDR_IMM),
         isa_src_field(n, ISA_FIELD_SRC0_ADDR_IMM9)
      };
      isa_codec_address(c, src, align16, &fields);
   } else if (align16) {
      src->nr = isa_codec_nr(c, isa_src_field(n, ISA_FIELD_SRC0_NR),
                             src->file, src->nr);
      src->subnr_B = (uint8_t)half_field(
         c, isa_src_field(n, ISA_FIELD_SRC0_A16_SUBNR), src->subnr_B);
   } else {
      isa_codec_direct(c, n, src);
   }
}

static void
src_region(struct isa_codec *c, unsigned n, struct isa_operand *src,
           bool align16)
{
   if (isa_inst_is_math_macro(c->inst)) {
      isa_codec_constant(c, isa_src_field(n, ISA_FIELD_SRC0_VSTRIDE), 3);
      src->vstride = 4;
      src->mme =
         mme_field(c, isa_src_field(n, ISA_FIELD_SRC0_SWZ_XY), src->mme);
      return;
   }
   src->vstride = (uint8_t)stride_field(
      c, isa_src_field(n, ISA_FIELD_SRC0_VSTRIDE), src->vstride);
   if (!align16) {
      src->width = (uint8_t)width_field(
         c, isa_src_field(n, ISA_FIELD_SRC0_WIDTH), src->width);
      src->hstride = (uint8_t)stride_field(
         c, isa_src_field(n, ISA_FIELD_SRC0_HSTRIDE), src->hstride);
      return;
   }
   const enum isa_field xy = isa_src_field(n, ISA_FIELD_SRC0_SWZ_XY);
   const enum isa_field zw = isa_src_field(n, ISA_FIELD_SRC0_SWZ_ZW);
   const uint64_t low = isa_codec_field(c, xy, src->swizzle & 0xf);
   const uint64_t high = isa_codec_field(c, zw, src->swizzle >> 4);
   src->swizzle = (uint8_t)(low | high << 4);
}

void
isa_codec_immediate(struct isa_codec *c, struct isa_operand *src)
{
   const unsigned size_B = isa_type_size_B(src->type);
   if (size_B == 8) {
      src->imm = isa_codec_field(c, ISA_FIELD_IMM64, src->imm);
   } else if (size_B == 4) {
      src->imm = isa_codec_field(c, ISA_FIELD_IMM32, src->imm);
   } else {
      /* PRM SKL vol 7, "Immediate": a 16-bit value must be replicated. */
      if (c->encoding && src->imm > 0xffff) {
         isa_codec_range(c, ISA_FIELD_IMM32, src->imm);
         return;
      }
      const uint64_t both =
         isa_codec_field(c, ISA_FIELD_IMM32, src->imm * 0x10001);
      src->imm = both & 0xffff;
      if (both != src->imm * 0x10001)
         c->inst->noncanonical = true;
   }
}

void
isa_codec_src(struct isa_codec *c, unsigned n, unsigned num_srcs)
{
   static const enum isa_field files[] = { ISA_FIELD_SRC0_FILE,
                                           ISA_FIELD_SRC1_FILE };
   static const enum isa_field types[] = { ISA_FIELD_SRC0_TYPE,
                                           ISA_FIELD_SRC1_TYPE };
   struct isa_operand *src = &c->inst->src[n];
   const bool align16 = c->inst->access_mode == ISA_ALIGN16;

   src->file = isa_codec_file(c, files[n], src->file);
   const bool imm = src->file == ISA_FILE_IMM;
   if (c->inst->opcode == ISA_OPCODE_DIM) {
      /* The type says F although the 64 bits are a double: PRM HSW vol 2b,
       * "DIM". */
      if (!imm || (c->encoding && src->type != ISA_TYPE_DF))
         isa_codec_fail(c, "dim wants an immediate of type df");
      isa_codec_constant(c, types[n], 7);
      src->type = ISA_TYPE_DF;
   } else {
      src->type = isa_codec_type(
         c, types[n], imm ? ISA_TYPE_KIND_IMM : ISA_TYPE_KIND_REG, src->type);
   }
   if (c->failed)
      return;
   if (!imm) {
      src->negate = isa_codec_field(c,
                                    isa_src_field(n, ISA_FIELD_SRC0_NEGATE),
                                    src->negate) != 0;
      src->abs = isa_codec_field(c, isa_src_field(n, ISA_FIELD_SRC0_ABS),
                                 src->abs) != 0;
      src_address(c, n, src, align16);
      src_region(c, n, src, align16);
   } else if (n + 1 != num_srcs) {
      isa_codec_fail(c, "only the last source may be an immediate");
   } else if (n && isa_type_size_B(src->type) == 8) {
      isa_codec_fail(c, "64-bit immediate in an instruction with two "
                        "sources");
   } else {
      isa_codec_immediate(c, src);
   }
}

/* Three sources. -------------------------------------------------------- */

struct src3_fields {
   enum isa_field negate, abs, rep, swz, subnr, subnr1, nr;
};

#define SRC3_FIELDS(n)                                                       \
   {                                                                         \
      ISA_FIELD_S3_SRC##n##_NEGATE, ISA_FIELD_S3_SRC##n##_ABS,               \
         ISA_FIELD_S3_SRC##n##_REP, ISA_FIELD_S3_SRC##n##_SWZ,               \
         ISA_FIELD_S3_SRC##n##_SUBNR, ISA_FIELD_S3_SRC##n##_SUBNR1,          \
         ISA_FIELD_S3_SRC##n##_NR                                            \
   }

static const struct src3_fields src3_fields[3] = { SRC3_FIELDS(0),
                                                   SRC3_FIELDS(1),
                                                   SRC3_FIELDS(2) };

/* Sub-registers count in dwords; Gen9 has a bit more for words. */
static unsigned
src3_subnr(struct isa_codec *c, const struct src3_fields *f, unsigned subnr_B)
{
   const bool words = f && c->bits[f->subnr1].width;
   const enum isa_field dwords = f ? f->subnr : ISA_FIELD_S3_DST_SUBNR;
   if (subnr_B % (words ? 2 : 4)) {
      isa_codec_fail(c,
                     "sub-register at byte %u cannot stand in an "
                     "instruction with three sources",
                     subnr_B);
      return 0;
   }
   unsigned result = (unsigned)isa_codec_field(c, dwords, subnr_B / 4) * 4;
   if (words)
      result += (unsigned)isa_codec_field(c, f->subnr1, subnr_B / 2 % 2) * 2;
   return result;
}

static void
src3_operand(struct isa_codec *c, unsigned n)
{
   const struct src3_fields *f = &src3_fields[n];
   struct isa_operand *src = &c->inst->src[n];
   if (c->encoding && (src->file != ISA_FILE_GRF || src->indirect)) {
      isa_codec_fail(c, "source %u of three is not a direct GRF", n);
      return;
   }
   src->file = ISA_FILE_GRF;
   src->negate = isa_codec_field(c, f->negate, src->negate) != 0;
   src->abs = isa_codec_field(c, f->abs, src->abs) != 0;
   src->nr = isa_codec_nr(c, f->nr, ISA_FILE_GRF, src->nr);
   src->subnr_B = (uint8_t)src3_subnr(c, f, src->subnr_B);
   if (isa_inst_is_math_macro(c->inst)) {
      /* The low nibble of the swizzle; the rest is zero. */
      src->mme = mme_field(c, f->swz, src->mme);
      return;
   }
   src->rep_ctrl = isa_codec_field(c, f->rep, src->rep_ctrl) != 0;
   src->swizzle = (uint8_t)isa_codec_field(c, f->swz, src->swizzle);
   if (c->encoding && src->vstride != (src->rep_ctrl ? 0 : 4)) {
      isa_codec_fail(c,
                     "source %u of three: vstride is %u where rep_ctrl "
                     "wants %u",
                     n, src->vstride, src->rep_ctrl ? 0 : 4);
   }
   src->vstride = src->rep_ctrl ? 0 : 4;
}

static void
src3_types(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   inst->dst.type = isa_codec_type(c, ISA_FIELD_S3_DST_TYPE,
                                   ISA_TYPE_KIND_SRC3, inst->dst.type);
   const enum isa_type type = isa_codec_type(
      c, ISA_FIELD_S3_SRC_TYPE, ISA_TYPE_KIND_SRC3, inst->src[0].type);
   inst->src[0].type = type;
   for (unsigned n = 1; n < 3; n++) {
      const enum isa_field f = n == 1 ? ISA_FIELD_S3_SRC1_HF
                                      : ISA_FIELD_S3_SRC2_HF;
      if (c->encoding) {
         /* Sources 1 and 2 may mix F with HF (PRM SKL vol 7); a bit says
          * HF, and says nothing with the other types. */
         const bool hf = inst->src[n].type == ISA_TYPE_HF;
         const bool mixed = hf != (type == ISA_TYPE_HF);
         if (inst->src[n].type != type &&
             !(mixed && c->bits[f].width &&
               (type == ISA_TYPE_F || type == ISA_TYPE_HF) &&
               (hf || inst->src[n].type == ISA_TYPE_F))) {
            isa_codec_fail(c,
                           "source %u of three has type %s but source 0 "
                           "has %s",
                           n, isa_type_info(inst->src[n].type)->name,
                           isa_type_info(type)->name);
         } else if (hf && c->bits[f].width) {
            isa_codec_field(c, f, 1);
         }
         continue;
      }
      inst->src[n].type = type;
      if (c->bits[f].width && (type == ISA_TYPE_F || type == ISA_TYPE_HF))
         inst->src[n].type = isa_codec_field(c, f, 0) ? ISA_TYPE_HF
                                                      : ISA_TYPE_F;
   }
}

void
isa_codec_src3(struct isa_codec *c)
{
   struct isa_operand *dst = &c->inst->dst;
   if (c->encoding && (dst->file != ISA_FILE_GRF || dst->indirect)) {
      isa_codec_fail(c, "the destination is not a direct GRF");
      return;
   }
   src3_types(c);
   dst->file = ISA_FILE_GRF;
   dst->nr = isa_codec_nr(c, ISA_FIELD_S3_DST_NR, ISA_FILE_GRF, dst->nr);
   dst->subnr_B = (uint8_t)src3_subnr(c, NULL, dst->subnr_B);
   if (isa_inst_is_math_macro(c->inst)) {
      dst->mme = mme_field(c, ISA_FIELD_S3_WRITEMASK, dst->mme);
   } else {
      dst->writemask =
         (uint8_t)isa_codec_field(c, ISA_FIELD_S3_WRITEMASK, dst->writemask);
      dst->hstride = 1;
   }
   for (unsigned n = 0; n < 3; n++)
      src3_operand(c, n);
}
