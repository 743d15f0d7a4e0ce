/* SPDX-License-Identifier: MIT */
/* Restrictions on types, modifiers and immediates, and on comparisons. The
 * texts are ours; each row names the manual's place. */
#include "isa_rules.h"

static bool
is_byte(enum isa_type type)
{
   return isa_type_size_B(type) == 1;
}

static bool
is_64bit(enum isa_type type)
{
   return isa_type_size_B(type) == 8;
}

static bool
is_hf(enum isa_type type)
{
   return type == ISA_TYPE_HF;
}

static bool
has_64bit(const struct isa_view *v)
{
   return is_64bit(v->inst->dst.type) || isa_any_src(v, is_64bit);
}

static bool
is_cmp(const struct isa_view *v)
{
   return v->inst->opcode == ISA_OPCODE_CMP ||
          v->inst->opcode == ISA_OPCODE_CMPN;
}

/* Whether the opcode has this destination with all these sources; with `set`
 * 0, with any sources. A comparison to null has any type: stock drivers
 * compare floats to a null of D. */
static bool
has_types(const struct isa_view *v, unsigned set)
{
   const bool any = is_cmp(v) && !v->has_dst_reg;
   for (unsigned i = 0; i < v->info->num_types; i++) {
      const struct isa_types *row = &v->info->types[i];
      if ((row->gens >> v->gen & 1) &&
          (any || row->dst >> v->inst->dst.type & 1) &&
          !(set & ~(unsigned)row->src))
         return true;
   }
   return !v->info->num_types;
}

static bool
dst_type_not_allowed(const struct isa_view *v)
{
   return !has_types(v, 0);
}

static bool
src_type_not_allowed(const struct isa_view *v)
{
   unsigned set = 0;
   for (unsigned n = 0; n < v->num_srcs; n++)
      set |= 1u << isa_plain_type(v->inst->src[n].type);
   return !has_types(v, set) && has_types(v, 0);
}

static bool
mixes_int_and_float(const struct isa_view *v)
{
   return v->num_srcs > 1 && v->exec_is_float && v->alu &&
          isa_any_src(v, isa_type_is_integer) &&
          v->inst->opcode != ISA_OPCODE_SMOV;
}

static bool
cond_mod_missing(const struct isa_view *v)
{
   return v->info->needs_cond_mod && v->inst->cond_mod == ISA_COND_MOD_NONE;
}

static bool
src_mods_not_allowed(const struct isa_view *v)
{
   const unsigned num = isa_inst_num_srcs(v->inst);
   if (v->info->may_src_mods)
      return false;
   for (unsigned n = 0; n < num; n++) {
      if (v->inst->src[n].negate || v->inst->src[n].abs)
         return true;
   }
   return false;
}

static bool
logic_abs(const struct isa_view *v)
{
   if (!v->info->is_logic)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (v->inst->src[n].abs)
         return true;
   }
   return false;
}

static bool
byte_to_64bit(const struct isa_view *v)
{
   const enum isa_type dst = v->inst->dst.type;
   return (is_byte(dst) && isa_any_src(v, is_64bit)) ||
          (is_64bit(dst) && isa_any_src(v, is_byte));
}

static bool
hf_to_64bit(const struct isa_view *v)
{
   const enum isa_type dst = v->inst->dst.type;
   return (is_hf(dst) && isa_any_src(v, is_64bit)) ||
          (is_64bit(dst) && isa_any_src(v, is_hf));
}

/* A destination of one channel has no stride to get wrong. */
static bool
hf_int_unaligned(const struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst;
   const bool converts =
      (is_hf(dst->type) && isa_any_src(v, isa_type_is_integer)) ||
      (isa_type_is_integer(dst->type) && isa_any_src(v, is_hf));
   if (!converts || v->inst->exec_size == 1 || v->align16 || !v->alu)
      return false;
   return dst->hstride * isa_type_size_B(dst->type) != 4 ||
          (!dst->indirect && dst->subnr_B % 4);
}

static bool
packed_byte_dst(const struct isa_view *v)
{
   return v->alu && is_byte(v->inst->dst.type) && v->inst->exec_size > 1 &&
          v->inst->dst.hstride == 1 && !v->align16 && !v->is_raw_mov;
}

/* The ratio rules look at destinations narrower than the computation. To
 * Ivybridge's regions a DF is two elements of four bytes, whatever it goes to
 * (IVB vol 4 part 3, Double Float). */
static unsigned
ratio_exec_B(const struct isa_view *v)
{
   return v->gen == ISA_IVB ? MIN2(v->exec_size_B, 4) : v->exec_size_B;
}

static bool
ratio_applies(const struct isa_view *v)
{
   const bool packed_byte = is_byte(v->inst->dst.type) &&
                            v->inst->dst.hstride == 1;
   return v->alu && v->inst->exec_size > 1 && !v->align16 && !v->macro &&
          !(v->mixed_float && v->gen >= ISA_SKL) && !packed_byte &&
          ratio_exec_B(v) > isa_type_size_B(v->inst->dst.type);
}

/* Wider than that is what IGC and intel-vaapi-driver have. */
static bool
dst_stride_ratio(const struct isa_view *v)
{
   return ratio_applies(v) &&
          !(is_byte(v->inst->dst.type) && v->is_raw_mov) &&
          v->inst->dst.hstride * isa_type_size_B(v->inst->dst.type) <
             ratio_exec_B(v);
}

static bool
dst_subreg_ratio(const struct isa_view *v)
{
   if (!ratio_applies(v) || v->inst->dst.indirect)
      return false;
   const unsigned rest = v->inst->dst.subnr_B % ratio_exec_B(v);
   return rest > (is_byte(v->inst->dst.type) ? 1u : 0u);
}

/* Packed vectors. */

static const struct isa_operand *
vector_imm(const struct isa_view *v)
{
   if (!v->alu || !v->num_srcs)
      return NULL;
   const struct isa_operand *last = &v->inst->src[v->num_srcs - 1];
   return last->file == ISA_FILE_IMM &&
                isa_type_info(last->type)->is_vector_imm
             ? last
             : NULL;
}

static bool
vector_imm_unaligned(const struct isa_view *v)
{
   return vector_imm(v) && !v->inst->dst.indirect &&
          v->inst->dst.subnr_B % 16;
}

static unsigned
dst_step_B(const struct isa_view *v)
{
   return (v->align16 ? 1 : v->inst->dst.hstride) *
          isa_type_size_B(v->inst->dst.type);
}

/* Of words also to each other one: IGC has UV to four dwords. */
static bool
vector_imm_stride(const struct isa_view *v)
{
   const struct isa_operand *imm = vector_imm(v);
   return imm && dst_step_B(v) != 4 &&
          (dst_step_B(v) != 2 || imm->type == ISA_TYPE_VF);
}

static bool
vector_imm_many_dwords(const struct isa_view *v)
{
   const struct isa_operand *imm = vector_imm(v);
   return imm && imm->type != ISA_TYPE_VF && dst_step_B(v) == 4 &&
          v->inst->exec_size * 4 > 16;
}

/* 64 bits. */

static bool
df_dep_ctrl(const struct isa_view *v)
{
   return (v->alu || v->src3) && has_64bit(v) &&
          (v->inst->no_dd_clr || v->inst->no_dd_chk);
}

static bool
df_align16_width(const struct isa_view *v)
{
   if (!v->alu || !v->align16 || !is_64bit(v->inst->dst.type) ||
       v->inst->exec_size <= 2)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (!is_64bit(v->inst->src[n].type))
         return true;
   }
   return false;
}

static bool
df_rep_ctrl(const struct isa_view *v)
{
   if (!v->src3)
      return false;
   for (unsigned n = 0; n < 3; n++) {
      if (v->inst->src[n].rep_ctrl && is_64bit(v->inst->src[n].type))
         return true;
   }
   return false;
}

static bool
df_indirect_rows(const struct isa_view *v)
{
   for (unsigned n = 0; n < v->num_srcs; n++) {
      const struct isa_operand *src = &v->inst->src[n];
      if (v->alu && src->type == ISA_TYPE_DF && src->indirect &&
          src->vstride == ISA_VSTRIDE_VXH)
         return true;
   }
   return false;
}

/* Channels, comparisons and flags. */

static bool
src3_wide(const struct isa_view *v)
{
   return v->src3 && v->inst->exec_size > 8;
}

static bool
cmp_null_switch(const struct isa_view *v)
{
   return is_cmp(v) && !v->has_dst_reg &&
          v->inst->thread_ctrl != ISA_THREAD_SWITCH;
}

static bool
cmp_to_arf(const struct isa_view *v)
{
   return is_cmp(v) && v->has_dst_reg && v->inst->dst.file == ISA_FILE_ARF &&
          !v->inst->dst.indirect;
}

/* IVB counts a DF as two channels. */
static unsigned
channels_of(const struct isa_view *v)
{
   if (v->gen == ISA_IVB && v->num_srcs && has_64bit(v))
      return MAX2(v->inst->exec_size / 2, 1);
   return v->inst->exec_size;
}

static bool
simd32_cond_mod(const struct isa_view *v)
{
   return v->inst->exec_size == 32 && v->inst->cond_mod != ISA_COND_MOD_NONE;
}

/* A selection writes no flag. */
static bool
flag_past_end(const struct isa_view *v)
{
   const struct isa_inst *inst = v->inst;
   bool flags = inst->pred != ISA_PRED_NONE;
   if (inst->opcode != ISA_OPCODE_SEL && inst->opcode != ISA_OPCODE_CSEL)
      flags |= inst->cond_mod != ISA_COND_MOD_NONE;
   return flags && inst->flag_subnr * 16 + inst->group + channels_of(v) > 32;
}

static bool
simd32_src3_cond_mod(const struct isa_view *v)
{
   return v->src3 && simd32_cond_mod(v);
}

static bool
group_unaligned(const struct isa_view *v)
{
   if (v->info->format == ISA_FORMAT_NONE || v->inst->no_mask)
      return false;
   const unsigned channels = channels_of(v);
   return channels >= 8 && v->inst->group % channels;
}

/* Mixed F and HF. */

static bool
packed_hf_dst(const struct isa_view *v)
{
   return v->mixed_float && is_hf(v->inst->dst.type) &&
          (v->align16 || v->inst->dst.hstride == 1);
}

/* Arithmetic only: Mesa converts 16 channels of HF to F in one MOV. */
static bool
mixed_wide_f(const struct isa_view *v)
{
   return v->mixed_float && v->inst->exec_size > 8 &&
          v->inst->opcode != ISA_OPCODE_MOV &&
          v->inst->dst.type == ISA_TYPE_F;
}

static bool
mixed_wide_packed(const struct isa_view *v)
{
   return packed_hf_dst(v) && v->inst->exec_size > 8;
}

static bool
mixed_packed_unaligned(const struct isa_view *v)
{
   return packed_hf_dst(v) && v->alu && !v->align16 &&
          !v->inst->dst.indirect && v->inst->exec_size > 1 &&
          v->inst->dst.subnr_B % 16;
}

static bool
mixed_indirect(const struct isa_view *v)
{
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (v->mixed_float && v->inst->src[n].indirect)
         return true;
   }
   return false;
}

static bool
mixed_math_packed(const struct isa_view *v)
{
   if (v->inst->opcode != ISA_OPCODE_MATH || !v->mixed_float || v->align16)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (is_hf(v->inst->src[n].type) && v->inst->src[n].hstride <= 1 &&
          v->inst->src[n].file != ISA_FILE_IMM)
         return true;
   }
   return false;
}

static bool
mixed_align16_region(const struct isa_view *v)
{
   if (!v->mixed_float || !v->align16 || !v->alu || v->macro)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (v->inst->src[n].file != ISA_FILE_IMM &&
          v->inst->src[n].vstride != 4)
         return true;
   }
   return false;
}

static bool
mixed_acc(const struct isa_view *v)
{
   return v->mixed_float && v->align16 && !v->macro && isa_any_acc(v);
}

static bool
acc_inside(const struct isa_view *v, const struct isa_operand *src)
{
   (void)v;
   return isa_operand_is_acc(src) && src->subnr_B;
}

static bool
mixed_acc_offset(const struct isa_view *v)
{
   return packed_hf_dst(v) && !v->align16 && isa_any_reg(v, acc_inside);
}

#define TYPES_PRM "SKL vol 7, Register Region Restrictions, operand types"
#define MIXED_PRM "SKL vol 7, Requirements for Handling Mixed Mode Float"

static const struct isa_rule_row rows[] = {
   { { "dst-type", ISA_GENS_ALL,
       "the opcode does not write this type of destination",
       "SKL vol 2a, the opcode's page, table of types" },
     dst_type_not_allowed },
   { { "src-type", ISA_GENS_ALL,
       "the opcode does not read sources of these types together, or not "
       "with this type of destination",
       "SKL vol 2a, the opcode's page, table of types" },
     src_type_not_allowed },
   { { "int-and-float", ISA_GENS_ALL,
       "the sources are of integer and of float type",
       "SKL vol 7, Execution Data Types" },
     mixes_int_and_float },
   { { "cond-mod-missing", ISA_GENS_ALL,
       "the opcode wants a conditional modifier", "SKL vol 2a, cmp, csel" },
     cond_mod_missing },
   { { "src-mods", ISA_GENS_ALL, "the opcode has no source modifiers",
       "SKL vol 2a, the opcode's page, Source Modifier" },
     src_mods_not_allowed },
   { { "logic-abs", ISA_GENS_8UP,
       "a logic operation knows NOT but no absolute value",
       "BDW vol 7, Source Modifiers" },
     logic_abs },
   { { "byte-64bit", ISA_GENS_ALL,
       "there is no conversion between bytes and 64-bit types",
       "BDW vol 2a, mov" },
     byte_to_64bit },
   { { "hf-64bit", ISA_GENS_8UP,
       "there is no conversion between HF and 64-bit types",
       "BDW vol 2a, mov" },
     hf_to_64bit },
   { { "hf-int", ISA_GENS_8UP,
       "a conversion between integer and HF writes to whole dwords",
       "BDW vol 2a, mov" },
     hf_int_unaligned },
   { { "packed-byte", ISA_GENS_ALL, "only a raw mov writes packed bytes",
       TYPES_PRM },
     packed_byte_dst },
   { { "dst-stride", ISA_GENS_ALL,
       "the destination's stride is less than that of the execution type",
       TYPES_PRM },
     dst_stride_ratio },
   { { "dst-alignment", ISA_GENS_ALL,
       "the destination is not aligned to the execution type", TYPES_PRM },
     dst_subreg_ratio },
   { { "vector-imm-align", ISA_GENS_ALL,
       "with a packed vector the destination is aligned to 16 bytes",
       "SKL vol 7, Register Region Restrictions, packed vector immediates",
       VAAPI "4 times" },
     vector_imm_unaligned },
   { { "vector-imm-stride", ISA_GENS_ALL,
       "with a packed vector the destination's stride is a word or a dword, "
       "for VF a dword",
       "SKL vol 7, Register Region Restrictions, packed vector immediates" },
     vector_imm_stride },
   { { "vector-imm-dwords", ISA_GENS_ALL,
       "with V or UV more than four dwords have no elements of their own",
       "SKL vol 7, Register Region Restrictions, packed vector immediates",
       "IGC 1.0.12504, of four" },
     vector_imm_many_dwords },
   { { "64bit-dep-ctrl", ISA_GEN_BIT(BDW),
       "no dependency control with 64-bit types",
       "BDW vol 7, Register Region Restrictions, 64-bit types" },
     df_dep_ctrl },
   { { "64bit-align16", ISA_GENS_8UP,
       "in Align16 a 64-bit destination with a narrower source has two "
       "channels at most",
       "BDW vol 7, Register Region Restrictions, 64-bit types" },
     df_align16_width },
   { { "64bit-rep-ctrl", ISA_GENS_ALL, "no RepCtrl with 64-bit sources",
       "BDW vol 7, p 944; IVB vol 4 part 3, 3.3.9" },
     df_rep_ctrl },
   { { "df-indirect-rows", ISA_GEN_BIT(IVB),
       "no rows with addresses of their own for DF",
       "IVB vol 4 part 3, Indirect Addressing" },
     df_indirect_rows },
   { { "src3-simd16", ISA_GEN_BIT(IVB),
       "three sources with eight channels at most",
       "IVB vol 4 part 3, 3.3.9" },
     src3_wide },
   { { "cmp-null-switch", ISA_GENS_7, "a comparison to null wants {Switch}",
       "IVB vol 4 part 3, p 166; HSW vol 2b, p 77", VAAPI "1318 times" },
     cmp_null_switch },
   { { "cmp-arf", ISA_GENS_7,
       "a comparison writes to a general register or to null",
       "IVB vol 4 part 3, p 166; HSW vol 2b, p 77" },
     cmp_to_arf },
   { { "simd32-cond-mod", ISA_GENS_7,
       "no conditional modifier with 32 channels",
       "IVB vol 4 part 3, Flag Register" },
     simd32_cond_mod },
   { { "flag-end", ISA_GENS_ALL,
       "the flag register has no bits for these channels",
       "SKL vol 7, Flag Register; Channel Enables, QtrCtrl" },
     flag_past_end },
   { { "simd32-src3-cond-mod", ISA_GENS_8UP,
       "three sources with 32 channels have no conditional modifier",
       "BDW vol 7, Flag Register" },
     simd32_src3_cond_mod },
   { { "group", ISA_GENS_ALL,
       "the first channel is no multiple of the execution size",
       "SKL vol 7, Channel Enables, QtrCtrl and NibCtrl" },
     group_unaligned },
   { { "mixed-simd16-f", ISA_GEN_BIT(SKL),
       "F and HF mixed: eight channels at most with a destination of type F, "
       "but of MOV",
       MIXED_PRM "; of MOV: Mesa 25 (anv, shader-f16) has 16" },
     mixed_wide_f },
   { { "mixed-simd16-hf", ISA_GEN_BIT(SKL),
       "F and HF mixed: eight channels at most with packed HF", MIXED_PRM },
     mixed_wide_packed },
   { { "mixed-packed-align", ISA_GEN_BIT(SKL),
       "F and HF mixed: packed HF is aligned to 16 bytes", MIXED_PRM },
     mixed_packed_unaligned },
   { { "mixed-indirect", ISA_GEN_BIT(SKL),
       "F and HF mixed: no indirect source", MIXED_PRM },
     mixed_indirect },
   { { "mixed-math", ISA_GEN_BIT(SKL),
       "F and HF mixed in math: HF sources have a stride", MIXED_PRM },
     mixed_math_packed },
   { { "mixed-align16", ISA_GEN_BIT(SKL),
       "F and HF mixed in Align16: the sources are packed", MIXED_PRM },
     mixed_align16_region },
   { { "mixed-acc", ISA_GEN_BIT(SKL),
       "F and HF mixed in Align16: no accumulator as a source", MIXED_PRM },
     mixed_acc },
   { { "mixed-acc-offset", ISA_GEN_BIT(SKL),
       "F and HF mixed to packed HF: an accumulator from its start on",
       MIXED_PRM },
     mixed_acc_offset },
};

const struct isa_rule_table isa_operand_rules = { rows, ARRAY_SIZE(rows) };
