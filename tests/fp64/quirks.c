/* SPDX-License-Identifier: MIT */
#include "quirks.h"

enum {
   IVB = 1 << ISA_IVB,
   HSW = 1 << ISA_HSW,
   BDW = 1 << ISA_BDW,
   SKL = 1 << ISA_SKL,
   GEN7 = IVB | HSW,
   GEN8 = BDW | SKL,
   ALL = GEN7 | GEN8,
};

/* ---- operands ---- */

static bool
computes(const struct isa_inst *inst)
{
   switch (isa_opcode_info(inst->opcode)->format) {
   case ISA_FORMAT_BASIC1:
   case ISA_FORMAT_BASIC2:
   case ISA_FORMAT_MATH:
   case ISA_FORMAT_SRC3: return true;
   default: return false;
   }
}

static bool
has_three_sources(const struct isa_inst *inst)
{
   return isa_opcode_info(inst->opcode)->format == ISA_FORMAT_SRC3;
}

static bool
is_align16(const struct isa_inst *inst)
{
   return inst->access_mode == ISA_ALIGN16 || has_three_sources(inst);
}

static bool
src_is(const struct isa_inst *inst, enum isa_type type)
{
   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++) {
      if (inst->src[i].type == type)
         return true;
   }
   return false;
}

static bool
has_double(const struct isa_inst *inst)
{
   return inst->dst.type == ISA_TYPE_DF || src_is(inst, ISA_TYPE_DF);
}

/* Ivybridge counts a double as two elements. */
static unsigned
element_B(enum isa_gen gen, enum isa_type type)
{
   return gen == ISA_IVB && type == ISA_TYPE_DF ? 4 : isa_type_size_B(type);
}

static unsigned
channels(enum isa_gen gen, const struct isa_inst *inst)
{
   return gen == ISA_IVB && has_double(inst) ? inst->exec_size / 2
                                             : inst->exec_size;
}

static unsigned
exec_B(const struct isa_inst *inst)
{
   unsigned size = 0;

   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++)
      size = MAX2(size, isa_type_size_B(inst->src[i].type));
   return size;
}

static bool
is_grf(const struct isa_operand *o)
{
   return o->file == ISA_FILE_GRF && !o->indirect;
}

static unsigned
dst_B(enum isa_gen gen, const struct isa_inst *inst)
{
   const unsigned stride = is_align16(inst) ? 1 : inst->dst.hstride;

   return inst->exec_size * stride * element_B(gen, inst->dst.type);
}

static bool
writes_two(enum isa_gen gen, const struct isa_inst *inst)
{
   return is_grf(&inst->dst) && dst_B(gen, inst) > ISA_REG_SIZE_B;
}

/* The byte, from the start of the operand's register, that channel `i` (as
 * encoded) reads. */
static unsigned
src_byte(enum isa_gen gen, const struct isa_inst *inst,
         const struct isa_operand *o, unsigned i)
{
   const unsigned size = element_B(gen, o->type);

   if (is_align16(inst)) {
      const unsigned row = 16 / size;
      return o->subnr_B + (o->vstride ? i / row * 16 + i % row * size : 0);
   }
   return o->subnr_B +
          (i / o->width * o->vstride + i % o->width * o->hstride) * size;
}

/* On Ivybridge a scalar double is a row of its two halves. */
static bool
is_scalar(enum isa_gen gen, const struct isa_inst *inst,
          const struct isa_operand *o)
{
   if (o->vstride || is_align16(inst))
      return o->vstride == 0;
   return o->hstride == 0 ||
          (gen == ISA_IVB && o->type == ISA_TYPE_DF && o->width == 2);
}

/* ---- quirks ---- */

/* The second half has the enables of eight channels further on, of four if
 * it computes with doubles; on Ivybridge those of the first. */
static bool
wrong_enables(enum isa_gen gen, const struct isa_inst *inst)
{
   if (inst->no_mask || !writes_two(gen, inst))
      return false;
   const unsigned half = channels(gen, inst) * ISA_REG_SIZE_B /
                         dst_B(gen, inst);
   if (exec_B(inst) == 8)
      return gen == ISA_IVB || half != 4;
   return half != 8;
}

static bool
ivb_scalar(enum isa_gen gen, const struct isa_inst *inst)
{
   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++) {
      const struct isa_operand *o = &inst->src[i];
      if (is_grf(o) && o->type == ISA_TYPE_DF && is_scalar(gen, inst, o) &&
          writes_two(gen, inst))
         return true;
   }
   return false;
}

static bool
predicated_sel(enum isa_gen gen, const struct isa_inst *inst)
{
   return inst->opcode == ISA_OPCODE_SEL && inst->pred &&
          inst->access_mode == ISA_ALIGN16 && has_double(inst) &&
          channels(gen, inst) > 4;
}

static bool
row_of_two_registers(enum isa_gen gen, const struct isa_inst *inst)
{
   for (unsigned i = 0; i < isa_inst_num_srcs(inst) && !is_align16(inst);
        i++) {
      const struct isa_operand *o = &inst->src[i];
      if (!is_grf(o) || o->type != ISA_TYPE_DF)
         continue;
      for (unsigned c = 1; c < inst->exec_size; c++) {
         if (c % o->width &&
             src_byte(gen, inst, o, c) / ISA_REG_SIZE_B !=
                src_byte(gen, inst, o, c - 1) / ISA_REG_SIZE_B)
            return true;
      }
   }
   return false;
}

/* Narrower results than what is computed are as far apart as that. */
static bool
packed_narrow(enum isa_gen gen, const struct isa_inst *inst)
{
   if (!src_is(inst, ISA_TYPE_DF) || inst->dst.file != ISA_FILE_GRF ||
       inst->exec_size == 1 || isa_type_size_B(inst->dst.type) >= 8)
      return false;
   return inst->dst.hstride * isa_type_size_B(inst->dst.type) !=
          (gen == ISA_IVB ? 4 : 8);
}

static bool
skipping_wide(enum isa_gen gen, const struct isa_inst *inst)
{
   if (inst->dst.type != ISA_TYPE_DF || inst->exec_size == 1 ||
       is_align16(inst))
      return false;
   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++) {
      const struct isa_operand *o = &inst->src[i];
      if (is_grf(o) && isa_type_size_B(o->type) < 8 &&
          !is_scalar(gen, inst, o) &&
          src_byte(gen, inst, o, 0) != src_byte(gen, inst, o, 1))
         return true;
   }
   return false;
}

static bool
one_to_two(enum isa_gen gen, const struct isa_inst *inst)
{
   if (inst->dst.type != ISA_TYPE_DF || !writes_two(gen, inst))
      return false;
   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++) {
      const struct isa_operand *o = &inst->src[i];
      if (is_grf(o) && isa_type_size_B(o->type) < 8 &&
          !is_scalar(gen, inst, o))
         return true;
   }
   return false;
}

static bool
dependency_control(enum isa_gen gen, const struct isa_inst *inst)
{
   return has_double(inst) && (inst->no_dd_clr || inst->no_dd_chk);
}

static bool
wide_immediate(enum isa_gen gen, const struct isa_inst *inst)
{
   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++) {
      if (inst->src[i].file == ISA_FILE_IMM &&
          isa_type_size_B(inst->src[i].type) == 8 &&
          (isa_inst_num_srcs(inst) > 1 || gen == ISA_IVB ||
           (gen == ISA_HSW && inst->opcode != ISA_OPCODE_DIM)))
         return true;
   }
   return false;
}

/* What the first half writes is read by the second. */
static bool
halves_overlap(enum isa_gen gen, const struct isa_inst *inst)
{
   if (!writes_two(gen, inst))
      return false;
   const unsigned half = inst->exec_size * ISA_REG_SIZE_B / dst_B(gen, inst);
   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++) {
      const struct isa_operand *o = &inst->src[i];
      if (!is_grf(o) || (!is_align16(inst) && !o->width))
         continue;
      for (unsigned c = half; c < inst->exec_size; c++) {
         if (o->nr + src_byte(gen, inst, o, c) / ISA_REG_SIZE_B ==
             inst->dst.nr)
            return true;
      }
   }
   return false;
}

static bool
too_many_of_three(enum isa_gen gen, const struct isa_inst *inst)
{
   return has_three_sources(inst) && has_double(inst) &&
          channels(gen, inst) > 4;
}

static bool
replicated_double(enum isa_gen gen, const struct isa_inst *inst)
{
   for (unsigned i = 0; i < 3 && has_three_sources(inst); i++) {
      if (inst->src[i].type == ISA_TYPE_DF && inst->src[i].rep_ctrl)
         return true;
   }
   return false;
}

static bool
masked_32(enum isa_gen gen, const struct isa_inst *inst)
{
   return inst->exec_size == 32 && !inst->no_mask;
}

static bool
indirect_double(enum isa_gen gen, const struct isa_inst *inst)
{
   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++) {
      if (inst->src[i].indirect && inst->src[i].vstride == ISA_VSTRIDE_VXH &&
          inst->src[i].type == ISA_TYPE_DF &&
          (gen == ISA_IVB || writes_two(gen, inst)))
         return true;
   }
   return false;
}

static bool
wide_align16(enum isa_gen gen, const struct isa_inst *inst)
{
   if (inst->access_mode != ISA_ALIGN16 ||
       isa_type_size_B(inst->dst.type) != 8 || inst->exec_size <= 2)
      return false;
   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++) {
      if (isa_type_size_B(inst->src[i].type) < 8)
         return true;
   }
   return false;
}

static bool
narrowed_immediate(enum isa_gen gen, const struct isa_inst *inst)
{
   return inst->opcode == ISA_OPCODE_MOV && !inst->no_mask &&
          inst->src[0].file == ISA_FILE_IMM &&
          inst->src[0].type == ISA_TYPE_DF &&
          isa_type_size_B(inst->dst.type) < 8;
}

static bool
no_switch(enum isa_gen gen, const struct isa_inst *inst)
{
   return (inst->opcode == ISA_OPCODE_CMP ||
           inst->opcode == ISA_OPCODE_CMPN) &&
          inst->dst.file == ISA_FILE_ARF && inst->dst.nr == ISA_ARF_NULL &&
          inst->thread_ctrl != ISA_THREAD_SWITCH;
}

/* 1.1, rows 11 to 14. */
static bool
not_for_doubles(enum isa_gen gen, const struct isa_inst *inst)
{
   switch (inst->opcode) {
   case ISA_OPCODE_LRP:
   case ISA_OPCODE_MATH:
   case ISA_OPCODE_FRC:
   case ISA_OPCODE_RNDU:
   case ISA_OPCODE_RNDD:
   case ISA_OPCODE_RNDE:
   case ISA_OPCODE_RNDZ:
   case ISA_OPCODE_DP2:
   case ISA_OPCODE_DP3:
   case ISA_OPCODE_DP4:
   case ISA_OPCODE_DPH:
   case ISA_OPCODE_LINE:
   case ISA_OPCODE_PLN: return has_double(inst);
   default: return false;
   }
}

/* 1.5, rows 3 and 4. */
static bool
half_or_byte(enum isa_gen gen, const struct isa_inst *inst)
{
   static const enum isa_type small[] = { ISA_TYPE_HF, ISA_TYPE_B,
                                          ISA_TYPE_UB };

   for (unsigned i = 0; i < ARRAY_SIZE(small); i++) {
      if (has_double(inst) &&
          (inst->dst.type == small[i] || src_is(inst, small[i])))
         return true;
   }
   return false;
}

/* clang-format off */
const struct quirk quirks[] = {
   { 1, "enables of the second half", GEN7, wrong_enables,
     { "mov (8|M0) r10.0<2>:ud r20.0<8;4,2>:ud",
       "mov (8|M0) r10.0<2>:f r20.0<8;8,1>:f" } },
   { 5, "enables of the second half, of doubles", IVB, wrong_enables,
     { "mov (16|M0) r10.0<1>:df r20.0<8;8,1>:df" } },
   { 21, "scalar double and two registers", IVB, ivb_scalar,
     { "(W) mov (16|M0) r10.0<1>:df r20.0<0;2,1>:df",
       "(W) mov (16|M0) r10.0<1>:df r20.0<0;1,0>:df" } },
   { 22, "predicate of sel in Align16", GEN7, predicated_sel,
     { "(f0.0) sel (16|M0) r4.0<1>.xyzw:df r6.0<4>.xyzw:df "
       "r8.0<4>.xyzw:df {Align16}" } },
   { 23, "a row of doubles in two registers", HSW | GEN8,
     row_of_two_registers, { "mov (8|M0) r4.0<1>:df r2.0<8;8,1>:df" } },
   { 24, "narrow results side by side", HSW | GEN8, packed_narrow,
     { "mov (4|M0) r4.0<1>:f r2.0<4;4,1>:df",
       "mov (4|M0) r4.0<1>:d r2.0<4;4,1>:df" } },
   { 26, "narrow results too far apart", IVB, packed_narrow,
     { "mov (4|M0) r6.0<2>:f r0.0<4;4,1>:df" } },
   { 27, "a source that is read by halves", IVB, skipping_wide,
     { "mov (8|M0) r5.0<1>:df r2.0<8;8,1>:f" } },
   { 28, "two registers of one", GEN7, one_to_two,
     { "(W) mov (16|M0) r4.0<1>:df r2.0<8;8,1>:f" } },
   { 32, "dependency control", GEN7 | BDW, dependency_control,
     { "add (4|M0) r4.0<1>:df r6.0<4;4,1>:df r8.0<4;4,1>:df {NoDDClr}",
       "add (4|M0) r4.0<1>:df r6.0<4;4,1>:df r8.0<4;4,1>:df {NoDDChk}" } },
   { 33, "immediate of 64 bits", GEN7, wide_immediate,
     { "mov (4|M0) r4.0<1>:df 1.5:df" } },
   { 34, "immediate of 64 bits beside another source", ALL, wide_immediate,
     { "add (4|M0) r4.0<1>:df r0.0<4;4,1>:df 1.5:df" } },
   { 40, "cmp to null without switch", GEN7, no_switch,
     { "cmp (8|M0) (ne)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" } },
   { 41, "halves that overlap", ALL, halves_overlap,
     { "(W) mov (16|M0) r11.0<1>:f r10.0<8;8,1>:f",
       "(W) mov (16|M0) r11.0<1>:f r11.0<0;1,0>:f" } },
   { 46, "eight doubles and three sources", IVB, too_many_of_three,
     { "mad (16|M0) r4.0<1>.xyzw:df r6.0<4>.xyzw:df r8.0<4>.xyzw:df "
       "r10.0<4>.xyzw:df {Align16}" } },
   { 47, "a replicated double", ALL, replicated_double,
     { "mad (8|M0) r4.0<1>.xyzw:df r6.0<0>.xxxx:df r8.0<4>.xyzw:df "
       "r10.0<4>.xyzw:df {Align16}" } },
   { 48, "enables of 32 channels", GEN7, masked_32,
     { "mov (32|M0) r10.0<1>:uw 7:uw" } },
   { 49, "indirect doubles", IVB, indirect_double,
     { "mov (8|M0) r4.0<1>:df r[a0.0]<1,0>:df" } },
   { 50, "wider results in Align16", GEN8, wide_align16,
     { "mov (4|M0) r4.0<1>.xyzw:df r2.0<4>.xyzw:d {Align16}" } },
   { 51, "a double's immediate as something narrow", GEN8,
     narrowed_immediate, { "mov (4|M0) r4.0<2>:f 1.5:df" } },
   { 0, "an operation that doubles do not have", ALL, not_for_doubles,
     { "frc (4|M0) r4.0<1>:df r2.0<4;4,1>:df",
       "rndd (4|M0) r4.0<1>:df r2.0<4;4,1>:df" } },
   { 0, "doubles from or to halves and bytes", ALL, half_or_byte,
     { "mov (4|M0) r4.0<4>:hf r2.0<4;4,1>:df",
       "mov (4|M0) r4.0<1>:df r2.0<4;4,1>:b" } },
};
/* clang-format on */
const unsigned num_quirks = ARRAY_SIZE(quirks);

const struct quirk *
quirk_of(enum isa_gen gen, const struct isa_inst *inst)
{
   for (unsigned i = 0; i < num_quirks && computes(inst); i++) {
      if (quirks[i].gens & 1u << gen && quirks[i].has(gen, inst))
         return &quirks[i];
   }
   return NULL;
}
