/* SPDX-License-Identifier: MIT */
/* Restrictions on Align16, with two sources or three, and on macros. */
#include "isa_rules.h"

static bool
two_srcs(const struct isa_view *v)
{
   return v->alu && v->align16 && !v->macro;
}

/* Also that of null: hardware wants 1 in the field. */
bool
isa_breaks_align16_dst(const struct isa_view *v)
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

bool
isa_breaks_align16_vstride(const struct isa_view *v)
{
   return two_srcs(v) && isa_any_reg(v, no_vector);
}

bool
isa_breaks_align16_one(const struct isa_view *v)
{
   return two_srcs(v) && v->inst->exec_size == 1;
}

bool
isa_breaks_align16_wide(const struct isa_view *v)
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

bool
isa_breaks_align16_swizzle(const struct isa_view *v)
{
   return v->align16 && !v->macro && (v->alu || v->src3) &&
          isa_any_reg(v, tears_double);
}

bool
isa_breaks_align16_df_imm(const struct isa_view *v)
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

bool
isa_breaks_src3_align(const struct isa_view *v)
{
   return v->src3 && !v->macro && any_off(v, ISA_REG_SIZE_B / 2);
}

/* Mesa, brw_fs_lower_regioning.cpp, "Empirical testing"; vISA,
 * HWConformity::isGoodAlign16Src(). */
bool
isa_breaks_src3_half_align(const struct isa_view *v)
{
   for (unsigned n = 0; v->src3 && n < v->num_srcs; n++) {
      const struct isa_operand *src = &v->inst->src[n];
      if (src->type == ISA_TYPE_HF && !src->rep_ctrl && src->subnr_B)
         return true;
   }
   return false;
}

bool
isa_breaks_macro_align(const struct isa_view *v)
{
   return v->macro && any_off(v, ISA_REG_SIZE_B);
}
