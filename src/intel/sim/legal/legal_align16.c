/* SPDX-License-Identifier: MIT */
/* Align16, operands with three sources in it, and mixed floats. */
#include "intel/sim/legal/legal_private.h"

/* Computes in Align16, two sources or three. */
static bool
in_align16(const struct legal *l)
{
   return l->alu && !l->macro && l->inst->access_mode == ISA_ALIGN16;
}

static bool
destination_stride(const struct legal *l)
{
   return in_align16(l) && !l->ternary && l->info->has_dst &&
          l->inst->dst.hstride != 1;
}

static bool
is_neither_0_nor_4(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->vstride != 0 && o->vstride != 4;
}

static bool
source_stride_of_dwords(const struct legal *l)
{
   return in_align16(l) && !l->ternary &&
          legal_any_source(l, is_neither_0_nor_4);
}

static bool
is_no_vector(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->vstride != 0 && o->vstride != 4 &&
          (o->vstride != 2 || isa_type_size_B(o->type) != 8);
}

static bool
source_stride(const struct legal *l)
{
   return in_align16(l) && !l->ternary && legal_any_source(l, is_no_vector);
}

static bool
is_single(const struct legal *l)
{
   return in_align16(l) && !l->ternary && l->inst->exec_size == 1;
}

/* Doubles count twice on Ivybridge: eight channels are four. */
static bool
wide(const struct legal *l)
{
   return in_align16(l) && !l->ternary && l->inst->exec_size > 8;
}

/* A swizzle has selectors for dwords, of which doubles take two. */
static bool
splits_double(const struct legal *l, const struct isa_operand *o)
{
   if (isa_type_size_B(o->type) != 8 || (l->ternary && o->rep_ctrl))
      return false;
   for (unsigned c = 0; c < 4; c += 2) {
      const unsigned low = o->swizzle >> 2 * c & 3;
      const unsigned high = o->swizzle >> (2 * c + 2) & 3;
      if (low % 2 || high != low + 1)
         return true;
   }
   return false;
}

static bool
swizzle_splits_doubles(const struct legal *l)
{
   return in_align16(l) && legal_any_source(l, splits_double);
}

static bool
mixed_qwords(const struct legal *l)
{
   if (!in_align16(l) || l->ternary ||
       isa_type_size_B(l->inst->dst.type) != 8 || l->inst->exec_size <= 2)
      return false;
   for (unsigned i = 0; i < l->num_srcs; i++) {
      if (isa_type_size_B(l->type[i]) != 8)
         return true;
   }
   return false;
}

static bool
double_immediate_to_float(const struct legal *l)
{
   const struct isa_operand *s = &l->inst->src[0];
   return in_align16(l) && l->inst->opcode == ISA_OPCODE_MOV &&
          s->file == ISA_FILE_IMM && s->type == ISA_TYPE_DF &&
          l->inst->dst.type == ISA_TYPE_F;
}

/* Three sources. --------------------------------------------------------- */

static bool
repeats_qword(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->rep_ctrl && isa_type_size_B(o->type) == 8;
}

static bool
ternary_repeats_doubles(const struct legal *l)
{
   return l->ternary && !l->macro && legal_any_source(l, repeats_qword);
}

static bool
is_off_oword(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return !o->rep_ctrl && o->subnr_B % 16;
}

static bool
ternary_off_oword(const struct legal *l)
{
   return l->ternary && !l->macro &&
          (l->inst->dst.subnr_B % 16 || legal_any_source(l, is_off_oword));
}

static bool
is_half_within_register(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->type == ISA_TYPE_HF && !o->rep_ctrl && o->subnr_B;
}

static bool
ternary_half_within_register(const struct legal *l)
{
   return l->ternary && legal_any_source(l, is_half_within_register);
}

static bool
is_within_register(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return !o->indirect && o->subnr_B;
}

static bool
macro_within_register(const struct legal *l)
{
   return l->macro && (is_within_register(l, &l->inst->dst) ||
                       legal_any_source(l, is_within_register));
}

/* F with HF: PRM SKL vol 7, "Mixed Mode Float Operations". --------------- */

/* A move is no arithmetic: stock drivers widen 16 channels of HF by one. */
static bool
mixed_to_f_wide(const struct legal *l)
{
   return legal_mixes_floats(l) && l->inst->opcode != ISA_OPCODE_MOV &&
          l->inst->dst.type == ISA_TYPE_F && l->inst->exec_size > 8;
}

static bool
packs_halves(const struct legal *l)
{
   return legal_mixes_floats(l) && l->inst->dst.type == ISA_TYPE_HF &&
          (l->inst->access_mode == ISA_ALIGN16 || l->inst->dst.hstride == 1);
}

static bool
mixed_to_packed_wide(const struct legal *l)
{
   return packs_halves(l) && l->inst->exec_size > 8;
}

static bool
mixed_to_packed_off_oword(const struct legal *l)
{
   return packs_halves(l) && !l->ternary && !l->inst->dst.indirect &&
          l->inst->exec_size > 1 && l->inst->dst.subnr_B % 16;
}

static bool
is_indirect(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->indirect;
}

static bool
mixed_indirect(const struct legal *l)
{
   return legal_mixes_floats(l) && legal_any_source(l, is_indirect);
}

static bool
is_accumulator(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return legal_is_arf(o, ISA_ARF_ACC);
}

static bool
mixed_accumulator(const struct legal *l)
{
   return legal_mixes_floats(l) && in_align16(l) &&
          legal_any_source(l, is_accumulator);
}

static bool
is_offset_accumulator(const struct legal *l, const struct isa_operand *o)
{
   return is_accumulator(l, o) && o->subnr_B;
}

static bool
mixed_accumulator_offset(const struct legal *l)
{
   return packs_halves(l) && l->inst->access_mode == ISA_ALIGN1 &&
          legal_any_source(l, is_offset_accumulator);
}

static bool
is_not_packed(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->vstride != 4;
}

static bool
mixed_repeated(const struct legal *l)
{
   return legal_mixes_floats(l) && in_align16(l) && !l->ternary &&
          legal_any_source(l, is_not_packed);
}

/* Scalars are not excepted. */
static bool
is_packed_half_source(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->type == ISA_TYPE_HF && o->hstride <= 1;
}

static bool
mixed_math_packed(const struct legal *l)
{
   return legal_mixes_floats(l) && l->inst->opcode == ISA_OPCODE_MATH &&
          l->inst->access_mode == ISA_ALIGN1 &&
          legal_any_source(l, is_packed_half_source);
}

#define MIXED "PRM SKL vol 7, \"Mixed Mode Float Operations\""

const struct legal_check legal_align16_rules[] = {
   { { "a16-destination-stride", "EU-51", LEGAL_ALL,
       "A destination in Align16 has stride 1.",
       "PRM IVB vol 4 part 3, \"Dst.HorzStride\"" },
     destination_stride },
   { { "a16-stride-of-dwords", "EU-51", LEGAL_IVB,
       "A source in Align16 has a vertical stride of 0 or 4.",
       "PRM IVB vol 4 part 3, \"VertStride\"" },
     source_stride_of_dwords },
   { { "a16-stride", "EU-51", LEGAL_HSW | LEGAL_8UP,
       "A source in Align16 has a vertical stride of 0 or 4, or of 2 "
       "elements of 64 bits.",
       "PRM HSW vol 7, \"VertStride\"" },
     source_stride },
   { { "a16-one", "EU-51", LEGAL_ALL, "One channel in Align16.",
       "PRM SKL vol 7, \"Execution Environment\"" },
     is_single },
   { { "a16-wide", "EU-51", LEGAL_IVB,
       "Align16 has at most eight channels of 32 bits, or four of 64.",
       "PRM IVB vol 4 part 3, 3.3.9" },
     wide },
   { { "a16-swizzle-doubles", NULL, LEGAL_ALL,
       "A swizzle takes a double apart.",
       "PRM HSW vol 7, \"Align16 and 64-bit data\"" },
     swizzle_splits_doubles },
   { { "a16-mixed-qwords", "EU-52", LEGAL_8UP,
       "More than two channels of 64 bits from narrower ones in Align16.",
       "PRM BDW vol 7, \"Execution Environment\"" },
     mixed_qwords },
   { { "a16-double-immediate", "EU-52", LEGAL_8UP,
       "A double as an immediate to a float in Align16.",
       "PRM BDW vol 15, work-arounds" },
     double_immediate_to_float },
   { { "ternary-repeated-double", NULL, LEGAL_ALL,
       "A source of three with RepCtrl and 64 bits.",
       "PRM BDW vol 7, \"RepCtrl\"" },
     ternary_repeats_doubles },
   { { "ternary-oword", NULL, LEGAL_ALL,
       "Operands of three sources that are not repeated begin at an oword.",
       "PRM SKL vol 7, \"Three-Source Instructions\"" },
     ternary_off_oword },
   { { "ternary-half", "EU-52", LEGAL_BDW,
       "HF as one of three sources that is not repeated and does not begin "
       "at a register.",
       "found on chips: brw_fs_lower_regioning.cpp (Mesa), "
       "HWConformity::isGoodAlign16Src() (vISA)" },
     ternary_half_within_register },
   { { "macro-register", NULL, LEGAL_8UP,
       "Operands of macros begin at a register.", "PRM SKL vol 2a, madm" },
     macro_within_register },
   { { "mixed-f-wide", "EU-59", LEGAL_SKL,
       "More than eight channels of F from HF, but by MOV.",
       MIXED "; MOV: Mesa 25 (anv) emits it for each float16_t" },
     mixed_to_f_wide },
   { { "mixed-packed-wide", "EU-59", LEGAL_SKL,
       "More than eight channels of HF side by side from F.", MIXED },
     mixed_to_packed_wide },
   { { "mixed-packed-oword", "EU-59", LEGAL_SKL,
       "HF side by side from F begin at an oword.", MIXED },
     mixed_to_packed_off_oword },
   { { "mixed-indirect", "EU-59", LEGAL_SKL,
       "An indirect source where F and HF are mixed.", MIXED },
     mixed_indirect },
   { { "mixed-repeated", "EU-59", LEGAL_SKL,
       "A source that stays where F and HF are mixed in Align16.", MIXED },
     mixed_repeated },
   { { "mixed-accumulator", "EU-59", LEGAL_SKL,
       "An accumulator where F and HF are mixed in Align16.", MIXED },
     mixed_accumulator },
   { { "mixed-accumulator-offset", "EU-59", LEGAL_SKL,
       "An accumulator from its middle on, to HF side by side.", MIXED },
     mixed_accumulator_offset },
   { { "mixed-math", "EU-59", LEGAL_SKL,
       "MATH of HF without a stride of words where F takes part.", MIXED },
     mixed_math_packed },
   { { 0 }, NULL },
};
