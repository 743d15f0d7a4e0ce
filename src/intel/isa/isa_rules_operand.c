/* SPDX-License-Identifier: MIT */
/* Restrictions on types, modifiers and immediates, and on comparisons. */
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

bool
isa_breaks_dst_type(const struct isa_view *v)
{
   return !has_types(v, 0);
}

bool
isa_breaks_src_type(const struct isa_view *v)
{
   unsigned set = 0;
   for (unsigned n = 0; n < v->num_srcs; n++)
      set |= 1u << isa_plain_type(v->inst->src[n].type);
   return !has_types(v, set) && has_types(v, 0);
}

bool
isa_breaks_int_and_float(const struct isa_view *v)
{
   return v->num_srcs > 1 && v->exec_is_float && v->alu &&
          isa_any_src(v, isa_type_is_integer) &&
          v->inst->opcode != ISA_OPCODE_SMOV;
}

bool
isa_breaks_cond_mod_missing(const struct isa_view *v)
{
   return v->info->needs_cond_mod && v->inst->cond_mod == ISA_COND_MOD_NONE;
}

bool
isa_breaks_src_mods(const struct isa_view *v)
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

bool
isa_breaks_logic_abs(const struct isa_view *v)
{
   if (!v->info->is_logic)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (v->inst->src[n].abs)
         return true;
   }
   return false;
}

bool
isa_breaks_byte_64bit(const struct isa_view *v)
{
   const enum isa_type dst = v->inst->dst.type;
   return (is_byte(dst) && isa_any_src(v, is_64bit)) ||
          (is_64bit(dst) && isa_any_src(v, is_byte));
}

bool
isa_breaks_hf_64bit(const struct isa_view *v)
{
   const enum isa_type dst = v->inst->dst.type;
   return (is_hf(dst) && isa_any_src(v, is_64bit)) ||
          (is_64bit(dst) && isa_any_src(v, is_hf));
}

/* A destination of one channel has no stride to get wrong. */
bool
isa_breaks_hf_int(const struct isa_view *v)
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

bool
isa_breaks_packed_byte(const struct isa_view *v)
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
bool
isa_breaks_dst_stride(const struct isa_view *v)
{
   return ratio_applies(v) &&
          !(is_byte(v->inst->dst.type) && v->is_raw_mov) &&
          v->inst->dst.hstride * isa_type_size_B(v->inst->dst.type) <
             ratio_exec_B(v);
}

bool
isa_breaks_dst_alignment(const struct isa_view *v)
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

bool
isa_breaks_vector_imm_align(const struct isa_view *v)
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
bool
isa_breaks_vector_imm_stride(const struct isa_view *v)
{
   const struct isa_operand *imm = vector_imm(v);
   return imm && dst_step_B(v) != 4 &&
          (dst_step_B(v) != 2 || imm->type == ISA_TYPE_VF);
}

bool
isa_breaks_vector_imm_dwords(const struct isa_view *v)
{
   const struct isa_operand *imm = vector_imm(v);
   return imm && imm->type != ISA_TYPE_VF && dst_step_B(v) == 4 &&
          v->inst->exec_size * 4 > 16;
}

/* IVB counts a DF as two channels. */
static unsigned
channels_of(const struct isa_view *v)
{
   if (v->gen == ISA_IVB && v->num_srcs && has_64bit(v))
      return MAX2(v->inst->exec_size / 2, 1);
   return v->inst->exec_size;
}

/* 64 bits. */

bool
isa_breaks_64bit_dep_ctrl(const struct isa_view *v)
{
   return (v->alu || v->src3) && has_64bit(v) &&
          (v->inst->no_dd_clr || v->inst->no_dd_chk);
}

bool
isa_breaks_64bit_imm_narrow(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[0];
   return v->inst->opcode == ISA_OPCODE_MOV && src->file == ISA_FILE_IMM &&
          src->type == ISA_TYPE_DF && !is_64bit(v->inst->dst.type) &&
          !v->inst->no_mask;
}

bool
isa_breaks_64bit_sel(const struct isa_view *v)
{
   return v->inst->opcode == ISA_OPCODE_SEL &&
          v->inst->pred != ISA_PRED_NONE && v->align16 && has_64bit(v) &&
          channels_of(v) > 4;
}

bool
isa_breaks_64bit_align16(const struct isa_view *v)
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

bool
isa_breaks_64bit_rep_ctrl(const struct isa_view *v)
{
   if (!v->src3)
      return false;
   for (unsigned n = 0; n < 3; n++) {
      if (v->inst->src[n].rep_ctrl && is_64bit(v->inst->src[n].type))
         return true;
   }
   return false;
}

bool
isa_breaks_df_indirect_rows(const struct isa_view *v)
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

bool
isa_breaks_src3_simd16(const struct isa_view *v)
{
   return v->src3 && v->inst->exec_size > 8;
}

bool
isa_breaks_cmp_null_switch(const struct isa_view *v)
{
   return is_cmp(v) && !v->has_dst_reg &&
          v->inst->thread_ctrl != ISA_THREAD_SWITCH;
}

bool
isa_breaks_cmp_arf(const struct isa_view *v)
{
   return is_cmp(v) && v->has_dst_reg && v->inst->dst.file == ISA_FILE_ARF &&
          !v->inst->dst.indirect;
}

bool
isa_breaks_simd32_cond_mod(const struct isa_view *v)
{
   return v->inst->exec_size == 32 && v->inst->cond_mod != ISA_COND_MOD_NONE;
}

/* A selection writes no flag. */
bool
isa_breaks_flag_end(const struct isa_view *v)
{
   const struct isa_inst *inst = v->inst;
   bool flags = inst->pred != ISA_PRED_NONE;
   if (inst->opcode != ISA_OPCODE_SEL && inst->opcode != ISA_OPCODE_CSEL)
      flags |= inst->cond_mod != ISA_COND_MOD_NONE;
   return flags && inst->flag_subnr * 16 + inst->group + channels_of(v) > 32;
}

bool
isa_breaks_simd32_src3_cond_mod(const struct isa_view *v)
{
   return v->src3 && isa_breaks_simd32_cond_mod(v);
}

bool
isa_breaks_channels_32(const struct isa_view *v)
{
   return v->info->format != ISA_FORMAT_NONE &&
          v->inst->group + channels_of(v) > 32;
}

bool
isa_breaks_group(const struct isa_view *v)
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
bool
isa_breaks_mixed_simd16_f(const struct isa_view *v)
{
   return v->mixed_float && v->inst->exec_size > 8 &&
          v->inst->opcode != ISA_OPCODE_MOV &&
          v->inst->dst.type == ISA_TYPE_F;
}

bool
isa_breaks_mixed_simd16_hf(const struct isa_view *v)
{
   return packed_hf_dst(v) && v->inst->exec_size > 8;
}

bool
isa_breaks_mixed_packed_align(const struct isa_view *v)
{
   return packed_hf_dst(v) && v->alu && !v->align16 &&
          !v->inst->dst.indirect && v->inst->exec_size > 1 &&
          v->inst->dst.subnr_B % 16;
}

bool
isa_breaks_mixed_indirect(const struct isa_view *v)
{
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (v->mixed_float && v->inst->src[n].indirect)
         return true;
   }
   return false;
}

bool
isa_breaks_mixed_math(const struct isa_view *v)
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

bool
isa_breaks_mixed_align16(const struct isa_view *v)
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

bool
isa_breaks_mixed_acc(const struct isa_view *v)
{
   return v->mixed_float && v->align16 && !v->macro && isa_any_acc(v);
}

static bool
acc_inside(const struct isa_view *v, const struct isa_operand *src)
{
   (void)v;
   return isa_operand_is_acc(src) && src->subnr_B;
}

bool
isa_breaks_mixed_acc_offset(const struct isa_view *v)
{
   return packed_hf_dst(v) && !v->align16 && isa_any_reg(v, acc_inside);
}
