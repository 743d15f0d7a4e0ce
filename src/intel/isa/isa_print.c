/* SPDX-License-Identifier: MIT */
/* From an instruction to a line of text, in the syntax of Intel's assembler
 * (iga64) wherever that has one:
 *
 *    (W&~f0.1.any4h) add (8|M8) (lt)f0.1 (sat)r12.0<1>:f -r2.0<8;8,1>:f ...
 *
 * Its syntax has nothing for Align16 with channels; there we write
 * r1.0<1>.xy:f and r2.0<4>.xyzw:f and the option {Align16}.
 */
#include "isa_fields.h"
#include "isa_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "util/half.h"

struct printer {
   enum isa_gen gen;
   const struct isa_inst *inst;
   const struct isa_opcode_info *info;
   const struct isa_print_options *opts;
   struct strbuf *out;
};

static const char channel_names[] = "xyzw";

/* As iga64 does: six digits if they read back as the same number, else seven
 * with an exponent if these do. False: the number is better shown as bits. */
static bool
print_float(struct strbuf *out, double v, bool is_double)
{
   if (isinf(v)) {
      strbuf_puts(out, v < 0 ? "-inf" : "inf");
      return true;
   }
   for (unsigned i = 0; i < 2; i++) {
      char text[48];
      snprintf(text, sizeof(text), i ? "%e" : "%g", v);
      const bool same = is_double ? strtod(text, NULL) == v
                                  : strtof(text, NULL) == (float)v;
      if (!same)
         continue;
      strbuf_puts(out, text);
      if (!strpbrk(text, ".e"))
         strbuf_puts(out, ".0");
      return true;
   }
   return false;
}

/* The bits of the mantissa without the one that says quiet. */
static void
print_nan(struct strbuf *out, enum isa_type type, uint64_t imm, bool sign)
{
   const unsigned quiet = type == ISA_TYPE_HF  ? 9
                          : type == ISA_TYPE_F ? 22
                                               : 51;
   strbuf_printf(out, "%s%s(0x%" PRIX64 ")", sign ? "-" : "",
                 imm >> quiet & 1 ? "qnan" : "snan",
                 (uint64_t)(imm & BITFIELD64_MASK(quiet)));
}

static void
print_imm(struct strbuf *out, enum isa_type type, uint64_t imm)
{
   const struct isa_type_info *info = isa_type_info(type);
   const unsigned bits = info->size_B * 8;
   double v = 0;
   switch (type) {
   case ISA_TYPE_HF: v = util_half_to_float((uint16_t)imm); break;
   case ISA_TYPE_F: v = util_bits_float((uint32_t)imm); break;
   case ISA_TYPE_DF: v = util_bits_double(imm); break;
   default: break;
   }
   const bool is_number = info->is_float && !info->is_vector_imm;
   if (isnan(v))
      print_nan(out, type, imm, imm >> (bits - 1) & 1);
   else if (is_number && print_float(out, v, type == ISA_TYPE_DF))
      ;
   else if (info->is_signed && !info->is_float && !info->is_vector_imm)
      strbuf_printf(out, "%" PRId64, util_sign_extend(imm, bits));
   else
      strbuf_printf(out, "0x%" PRIX64, imm);
   strbuf_printf(out, ":%s", info->name);
}

/* The part of a register name before the region. Sub-registers count in
 * elements; one that does not is written in bytes after an '@'. */
static void
print_register(struct strbuf *out, const struct isa_operand *o,
               bool always_subnr)
{
   if (o->indirect) {
      strbuf_printf(out, "r[a0.%u", o->addr_subnr);
      if (o->addr_imm_B)
         strbuf_printf(out, ",%d", o->addr_imm_B);
      strbuf_puts(out, "]");
      return;
   }
   bool subnr = always_subnr;
   if (o->file == ISA_FILE_GRF) {
      strbuf_printf(out, "r%u", o->nr);
   } else {
      const struct isa_arf_text *text = NULL;
      for (unsigned i = 0; i < ISA_ARF_TEXT_COUNT; i++) {
         if (isa_arf_texts[i].code == (o->nr & 0xf0))
            text = &isa_arf_texts[i];
      }
      strbuf_puts(out, text ? text->text : "arf");
      if (!text || text->numbered || (o->nr & 0xf))
         strbuf_printf(out, "%u", text ? o->nr & 0xf : o->nr);
      subnr = subnr && text && text->numbered;
   }
   const unsigned size_B = isa_type_size_B(o->type);
   if (o->subnr_B % size_B)
      strbuf_printf(out, ".@%u", o->subnr_B);
   else if (subnr || o->subnr_B)
      strbuf_printf(out, ".%u", o->subnr_B / size_B);
}

static void
print_writemask(struct strbuf *out, unsigned mask)
{
   strbuf_puts(out, ".");
   for (unsigned i = 0; i < 4; i++) {
      if (mask & 1u << i)
         strbuf_printf(out, "%c", channel_names[i]);
   }
   if (!mask)
      strbuf_puts(out, "0");
}

static void
print_swizzle(struct strbuf *out, unsigned swizzle)
{
   strbuf_puts(out, ".");
   for (unsigned i = 0; i < 4; i++)
      strbuf_printf(out, "%c", channel_names[swizzle >> 2 * i & 3]);
}

static void
print_mme(struct strbuf *out, unsigned mme)
{
   if (mme == ISA_NO_MME)
      strbuf_puts(out, ".nomme");
   else
      strbuf_printf(out, ".mme%u", mme);
}

static void
print_type(struct strbuf *out, enum isa_type type)
{
   strbuf_printf(out, ":%s", isa_type_info(type)->name);
}

static bool
is_scalar_src3(const struct isa_inst *inst)
{
   return isa_inst_is_simd_src3(inst) &&
          isa_inst_scalar_src3_subnr_B(inst) >= 0;
}

static void
print_dst(struct printer *p)
{
   const struct isa_operand *dst = &p->inst->dst;
   struct strbuf *out = p->out;
   strbuf_puts(out, p->inst->saturate ? " (sat)" : " ");
   if (isa_inst_is_math_macro(p->inst)) {
      print_register(out, dst, false);
      print_mme(out, dst->mme);
   } else {
      struct isa_operand where = *dst;
      if (is_scalar_src3(p->inst))
         where.subnr_B = (uint8_t)isa_inst_scalar_src3_subnr_B(p->inst);
      print_register(out, &where, true);
      strbuf_printf(out, "<%u>", dst->hstride);
      if (p->inst->access_mode == ISA_ALIGN16 &&
          !isa_inst_is_simd_src3(p->inst))
         print_writemask(out, dst->writemask);
   }
   print_type(out, dst->type);
}

static void
print_src_mods(struct printer *p, const struct isa_operand *src)
{
   if (src->negate)
      strbuf_puts(p->out, p->info->is_logic ? "~" : "-");
   if (src->abs)
      strbuf_puts(p->out, "(abs)");
}

static void
print_src(struct printer *p, const struct isa_operand *src)
{
   struct strbuf *out = p->out;
   strbuf_puts(out, " ");
   if (src->file == ISA_FILE_IMM) {
      print_imm(out, src->type, src->imm);
      return;
   }
   print_src_mods(p, src);
   if (isa_inst_is_math_macro(p->inst)) {
      print_register(out, src, false);
      print_mme(out, src->mme);
      print_type(out, src->type);
      return;
   }
   print_register(out, src, true);
   const bool vxh = src->vstride == ISA_VSTRIDE_VXH;
   if (p->inst->access_mode == ISA_ALIGN16) {
      if (vxh)
         strbuf_puts(out, "<vxh>");
      else
         strbuf_printf(out, "<%u>", src->vstride);
      print_swizzle(out, src->swizzle);
   } else if (vxh) {
      strbuf_printf(out, "<%u,%u>", src->width, src->hstride);
   } else {
      strbuf_printf(out, "<%u;%u,%u>", src->vstride, src->width,
                    src->hstride);
   }
   print_type(out, src->type);
}

/* Three-source instructions exist only in Align16 but are used like Align1
 * ones: all channels in order, or one channel replicated. Intel's assembler
 * shows these as <2;1> and <0;0>, <1> and <0> for the last source. A 64-bit
 * scalar is half of 16 bytes, chosen by the swizzle. */
static bool
is_simd_src(const struct isa_operand *src)
{
   if (isa_type_size_B(src->type) != 8)
      return src->swizzle == ISA_SWIZZLE_XYZW ||
             (src->rep_ctrl && src->swizzle == ISA_SWIZZLE_XXXX);
   return !src->rep_ctrl &&
          (src->swizzle == ISA_SWIZZLE_XYZW ||
           (src->subnr_B % 16 == 0 && (src->swizzle == ISA_SWIZZLE_XYXY ||
                                       src->swizzle == ISA_SWIZZLE_ZWZW)));
}

bool
isa_inst_is_simd_src3(const struct isa_inst *inst)
{
   if (isa_opcode_info(inst->opcode)->format != ISA_FORMAT_SRC3 ||
       isa_inst_is_math_macro(inst))
      return false;
   for (unsigned n = 0; n < 3; n++) {
      if (!is_simd_src(&inst->src[n]))
         return false;
   }
   return (inst->dst.writemask == ISA_WRITEMASK_XYZW &&
           inst->exec_size != 1) ||
          isa_inst_scalar_src3_subnr_B(inst) >= 0;
}

/* A scalar, written (1|M0), is four channels of which one is enabled; or two
 * 64-bit ones, each with two bits of the mask. */
static unsigned
scalar_group_B(enum isa_type type)
{
   return type == ISA_TYPE_HF ? 8 : 16;
}

void
isa_inst_set_scalar_src3(struct isa_inst *inst, unsigned subnr_B)
{
   struct isa_operand *dst = &inst->dst;
   const unsigned group_B = scalar_group_B(dst->type);
   const unsigned channel = subnr_B % group_B / (group_B / 4);
   const bool wide = isa_type_size_B(dst->type) == 8;
   inst->exec_size = wide ? 2 : 4;
   dst->writemask = (uint8_t)((wide ? 3u : 1u) << channel);
   dst->subnr_B = (uint8_t)(subnr_B - subnr_B % group_B);
}

int
isa_inst_scalar_src3_subnr_B(const struct isa_inst *inst)
{
   const struct isa_operand *dst = &inst->dst;
   const unsigned group_B = scalar_group_B(dst->type);
   const unsigned size_B = isa_type_size_B(dst->type);
   for (unsigned at_B = 0; at_B < group_B; at_B += size_B) {
      struct isa_inst scalar = *inst;
      isa_inst_set_scalar_src3(&scalar, dst->subnr_B + at_B);
      if (scalar.exec_size == inst->exec_size &&
          scalar.dst.writemask == dst->writemask &&
          scalar.dst.subnr_B == dst->subnr_B)
         return (int)(dst->subnr_B + at_B);
   }
   return -1;
}

static void
print_src3(struct printer *p, unsigned n)
{
   const struct isa_operand *src = &p->inst->src[n];
   struct strbuf *out = p->out;
   if (isa_inst_is_math_macro(p->inst)) {
      print_src(p, src);
      return;
   }
   strbuf_puts(out, " ");
   print_src_mods(p, src);
   if (isa_inst_is_simd_src3(p->inst)) {
      const char *full = n == 2 ? "<1>" : "<2;1>";
      const char *scalar = n == 2 ? "<0>" : "<0;0>";
      struct isa_operand where = *src;
      if (src->swizzle == ISA_SWIZZLE_ZWZW)
         where.subnr_B += 8;
      print_register(out, &where, true);
      strbuf_puts(out, src->rep_ctrl || src->swizzle != ISA_SWIZZLE_XYZW
                          ? scalar
                          : full);
   } else {
      print_register(out, src, true);
      strbuf_printf(out, "<%u>", src->vstride);
      print_swizzle(out, src->swizzle);
   }
   print_type(out, src->type);
}

static void
print_flag(struct printer *p)
{
   strbuf_printf(p->out, "f%u.%u", p->inst->flag_nr, p->inst->flag_subnr);
}

static void
print_predicate(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   if (inst->pred == ISA_PRED_NONE && !inst->no_mask)
      return;
   strbuf_puts(p->out, inst->no_mask ? "(W" : "(");
   if (inst->pred != ISA_PRED_NONE) {
      if (inst->no_mask)
         strbuf_puts(p->out, "&");
      if (inst->pred_inv)
         strbuf_puts(p->out, "~");
      print_flag(p);
      if (inst->pred != ISA_PRED_NORMAL)
         strbuf_printf(p->out, ".%s", isa_pred_text[inst->pred]);
   }
   strbuf_puts(p->out, ") ");
}

static void
print_mnemonic(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   strbuf_puts(p->out, p->info->name);
   if (inst->opcode == ISA_OPCODE_MATH)
      strbuf_printf(p->out, ".%s", isa_math_name(inst->math_function));
   if (inst->branch_ctrl)
      strbuf_puts(p->out, ".b");
   const bool implied = p->info->format == ISA_FORMAT_JMPI ||
                        p->info->format == ISA_FORMAT_WAIT;
   const unsigned exec_size = is_scalar_src3(inst) ? 1 : inst->exec_size;
   if (!implied || exec_size != 1 || inst->group)
      strbuf_printf(p->out, " (%u|M%u)", exec_size, inst->group);
}

static void
print_cond_mod(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   const bool macro = inst->opcode == ISA_OPCODE_MATH &&
                      isa_inst_is_math_macro(inst);
   if (inst->cond_mod == ISA_COND_MOD_NONE && !macro)
      return;
   strbuf_printf(p->out, " (%s)",
                 macro ? "eo" : isa_cond_mod_name(inst->cond_mod));
   print_flag(p);
}

static void
print_target(struct printer *p, int32_t offset_B)
{
   const char *label = NULL;
   const bool absolute = p->inst->opcode == ISA_OPCODE_CALLA;
   if (p->opts && p->opts->label)
      label = p->opts->label(p->opts->label_data,
                             (absolute ? 0 : (int64_t)p->opts->offset_B) +
                                offset_B);
   if (label)
      strbuf_printf(p->out, " %s", label);
   else
      strbuf_printf(p->out, " %d", offset_B);
}

static void
print_flow(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   if (p->info->format == ISA_FORMAT_CALL) {
      strbuf_puts(p->out, " ");
      print_register(p->out, &inst->dst, true);
   }
   if (p->info->num_srcs && inst->src[0].file != ISA_FILE_IMM) {
      strbuf_puts(p->out, " ");
      print_register(p->out, &inst->src[0], true);
      return;
   }
   print_target(p, inst->jip);
   /* Gen7's else has one target. */
   if (p->info->has_uip &&
       (p->gen >= ISA_BDW || inst->opcode != ISA_OPCODE_ELSE))
      print_target(p, inst->uip);
}

static void
print_payload(struct printer *p, const struct isa_operand *o, bool type)
{
   /* As iga64, which is explicit about a destination on Gen7 and of split
    * messages. */
   const bool plain =
      o->type == ISA_TYPE_UD && o->file == ISA_FILE_GRF &&
      (o != &p->inst->dst ||
       (p->gen >= ISA_BDW && p->info->format == ISA_FORMAT_SEND));
   strbuf_puts(p->out, " ");
   print_register(p->out, o, false);
   if (type && !plain)
      print_type(p->out, o->type);
}

static void
print_send(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   const bool split = p->info->format == ISA_FORMAT_SENDS;
   const bool plain = inst->dst.hstride == 1 &&
                      inst->access_mode == ISA_ALIGN1;
   if (split || plain)
      print_payload(p, &inst->dst, true);
   else
      print_dst(p);
   print_payload(p, &inst->src[0], !split);
   if (split)
      print_payload(p, &inst->src[1], false);
   const uint32_t sfid = inst->sfid | (inst->eot ? 1u << 5 : 0);
   if (!inst->ex_desc_is_reg)
      strbuf_printf(p->out, " 0x%X", inst->ex_desc | sfid);
   else if (inst->sfid)
      strbuf_printf(p->out, " a0.%u|0x%X", inst->ex_desc_subnr, sfid);
   else
      strbuf_printf(p->out, " a0.%u", inst->ex_desc_subnr);
   if (inst->desc_is_reg)
      strbuf_puts(p->out, " a0.0");
   else
      strbuf_printf(p->out, " 0x%08X", inst->desc);
}

static void
print_options(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   const bool align16 = inst->access_mode == ISA_ALIGN16 &&
                        !isa_inst_is_simd_src3(inst) &&
                        !isa_inst_is_math_macro(inst);
   const struct {
      bool on;
      const char *name;
   } options[] = {
      { align16, "Align16" },
      { inst->acc_wr_en, "AccWrEn" },
      { inst->thread_ctrl == ISA_THREAD_ATOMIC, "Atomic" },
      { inst->debug, "Breakpoint" },
      { inst->compacted, "Compacted" },
      { inst->eot, "EOT" },
      { inst->no_dd_chk, "NoDDChk" },
      { inst->no_dd_clr, "NoDDClr" },
      { inst->thread_ctrl == ISA_THREAD_SWITCH, "Switch" },
   };
   const char *separator = " {";
   for (unsigned i = 0; i < ARRAY_SIZE(options); i++) {
      if (options[i].on) {
         strbuf_printf(p->out, "%s%s", separator, options[i].name);
         separator = ",";
      }
   }
   if (*separator == ',')
      strbuf_puts(p->out, "}");
}

static void
print_operands(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   switch (p->info->format) {
   case ISA_FORMAT_NONE: break;
   case ISA_FORMAT_BASIC1:
   case ISA_FORMAT_BASIC2:
   case ISA_FORMAT_MATH:
      print_dst(p);
      for (unsigned n = 0; n < isa_inst_num_srcs(inst); n++)
         print_src(p, &inst->src[n]);
      break;
   case ISA_FORMAT_SRC3:
      print_dst(p);
      for (unsigned n = 0; n < 3; n++)
         print_src3(p, n);
      break;
   case ISA_FORMAT_BRANCH1:
   case ISA_FORMAT_BRANCH2:
   case ISA_FORMAT_JMPI:
   case ISA_FORMAT_CALL:
   case ISA_FORMAT_RET: print_flow(p); break;
   case ISA_FORMAT_WAIT: print_src(p, &inst->src[0]); break;
   case ISA_FORMAT_SEND:
   case ISA_FORMAT_SENDS: print_send(p); break;
   }
}

void
isa_print(enum isa_gen gen, const struct isa_inst *inst,
          const struct isa_print_options *opts, struct strbuf *out)
{
   struct printer p = {
      .gen = gen,
      .inst = inst,
      .info = isa_opcode_info(inst->opcode),
      .opts = opts,
      .out = out,
   };
   if (p.info->format == ISA_FORMAT_NONE) {
      strbuf_puts(out, p.info->name);
      print_options(&p);
      return;
   }
   print_predicate(&p);
   print_mnemonic(&p);
   print_cond_mod(&p);
   print_operands(&p);
   print_options(&p);
}
