/* SPDX-License-Identifier: MIT */
/* Restrictions on Align16, with two sources or three, and on macros. */
#include "isa_rules.h"

static bool
two_srcs(const struct isa_view *v)
{
   return v->alu && v->align16 && !v->macro;
}

/* Also that of null: hardware wants 1 in the field. */
static bool
dst_stride(const struct isa_view *v)
{
   return two_srcs(v) && v->inst->dst.hstride != 1;
}

static bool
no_vector(const struct isa_view *v, const struct isa_operand *src)
{
   const bool pair = src->vstride == 2 && v->gen != ISA_IVB &&
                     isa_type_size_B(src->type) == 8;
   return src->vstride != 0 && src->vstride != 4 && !pair;
}

static bool
src_vstride(const struct isa_view *v)
{
   return two_srcs(v) && isa_any_reg(v, no_vector);
}

static bool
single(const struct isa_view *v)
{
   return two_srcs(v) && v->inst->exec_size == 1;
}

static bool
wide(const struct isa_view *v)
{
   return two_srcs(v) && v->inst->exec_size > 8;
}

/* Selectors of two dwords that are no double of the source. */
static bool
tears_double(const struct isa_view *v, const struct isa_operand *src)
{
   if (isa_type_size_B(src->type) != 8 || (v->src3 && src->rep_ctrl))
      return false;
   const unsigned xy = src->swizzle & 0xf, zw = src->swizzle >> 4;
   const unsigned low = 0 | 1 << 2, high = 2 | 3 << 2;
   return (xy != low && xy != high) || (zw != low && zw != high);
}

static bool
swizzle_64(const struct isa_view *v)
{
   return v->align16 && !v->macro && (v->alu || v->src3) &&
          isa_any_reg(v, tears_double);
}

static bool
df_imm_to_f(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[0];
   return two_srcs(v) && v->inst->opcode == ISA_OPCODE_MOV &&
          src->file == ISA_FILE_IMM && src->type == ISA_TYPE_DF &&
          v->inst->dst.type == ISA_TYPE_F;
}

/* Three sources, macros. */

/* Scalars that are repeated begin anywhere. */
static bool
any_off(const struct isa_view *v, unsigned unit_B)
{
   bool off = v->inst->dst.subnr_B % unit_B != 0;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      const struct isa_operand *src = &v->inst->src[n];
      off |= !src->rep_ctrl && src->subnr_B % unit_B != 0;
   }
   return off;
}

static bool
src3_unaligned(const struct isa_view *v)
{
   return v->src3 && !v->macro && any_off(v, ISA_REG_SIZE_B / 2);
}

/* Mesa, brw_fs_lower_regioning.cpp, "Empirical testing"; vISA,
 * HWConformity::isGoodAlign16Src(). */
static bool
half_unaligned(const struct isa_view *v)
{
   for (unsigned n = 0; v->src3 && n < v->num_srcs; n++) {
      const struct isa_operand *src = &v->inst->src[n];
      if (src->type == ISA_TYPE_HF && !src->rep_ctrl && src->subnr_B)
         return true;
   }
   return false;
}

static bool
macro_unaligned(const struct isa_view *v)
{
   return v->macro && any_off(v, ISA_REG_SIZE_B);
}

#define ALIGN16_PRM "IVB vol 4 part 3, 3.3.9"

static const struct isa_rule_row rows[] = {
   { { "align16-dst", ISA_GENS_ALL, "in Align16 the destination has stride 1",
       "IVB vol 4 part 3, Dst.HorzStride" },
     dst_stride },
   { { "align16-vstride", ISA_GENS_ALL,
       "in Align16 the vertical stride is 0 or 4, or of 64 bits 2 from HSW "
       "on",
       "HSW vol 7, VertStride" },
     src_vstride },
   { { "align16-one", ISA_GENS_ALL,
       "in Align16 there are two channels at "
       "least",
       "SKL vol 7, ExecSize" },
     single },
   { { "align16-wide", ISA_GEN_BIT(IVB),
       "in Align16 there are eight channels at most", ALIGN16_PRM },
     wide },
   { { "align16-swizzle", ISA_GENS_ALL, "a swizzle takes a double apart",
       "HSW vol 7, Align16 and 64 bits; eu-fp64-facts, 1.4" },
     swizzle_64 },
   { { "align16-df-imm", ISA_GENS_8UP,
       "in Align16 an immediate double is not moved to F",
       "BDW vol 15, work-arounds" },
     df_imm_to_f },
   { { "src3-align", ISA_GENS_ALL,
       "operands of three sources that are not repeated begin at 16 bytes",
       ALIGN16_PRM "; vISA, FixAlign16Inst" },
     src3_unaligned },
   { { "src3-half-align", ISA_GEN_BIT(BDW),
       "HF sources of three that are not repeated begin at a register",
       "found on chips: Mesa, vISA" },
     half_unaligned },
   { { "macro-align", ISA_GENS_8UP, "operands of macros begin at a register",
       "SKL vol 2a, madm" },
     macro_unaligned },
};

const struct isa_rule_table isa_align16_rules = { rows, ARRAY_SIZE(rows) };
