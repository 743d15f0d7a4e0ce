/* SPDX-License-Identifier: MIT */
/*
 * What Cherryview, Broxton and Gemini Lake want besides: in instructions with
 * 64-bit operands, and in products of dwords, a channel stays in its
 * quadword (BXT PRM vol 7, "Register Region Restrictions", "CHV, BXT").
 *
 * That Gemini Lake is like Broxton, that null is no register here, and that
 * products with a narrower factor are free, is what Mesa has run with
 * (docs/eu-fp64-facts.rst, 1.6). The rules are of Align1, as they say: with
 * three sources, in Align16, Mesa has shipped doubles on these chips.
 */
#include "isa_rules.h"

static bool
is_dword(enum isa_type type)
{
   return type == ISA_TYPE_D || type == ISA_TYPE_UD;
}

static bool
is_concerned(const struct isa_view *v)
{
   bool wide = isa_type_size_B(v->inst->dst.type) == 8;
   for (unsigned n = 0; n < v->num_srcs; n++)
      wide |= isa_type_size_B(v->inst->src[n].type) == 8;
   const bool product = v->inst->opcode == ISA_OPCODE_MUL &&
                        is_dword(v->inst->src[0].type) &&
                        is_dword(v->inst->src[1].type);
   return v->alu && !v->macro && (wide || product);
}

/* Of a source that is a row of registers: Align1, more than one element. */
static bool
has_region(const struct isa_view *v, const struct isa_operand *src)
{
   return !v->align16 && src->file != ISA_FILE_IMM && !src->indirect &&
          !isa_region_is_scalar(src);
}

static bool
steps_differently(const struct isa_view *v, const struct isa_operand *src)
{
   const unsigned step_B = src->hstride * isa_type_size_B(src->type);
   const unsigned dst_B = v->inst->dst.hstride *
                          isa_type_size_B(v->inst->dst.type);
   /* Rows of one element step by the vertical stride. */
   const unsigned row_B = src->vstride * isa_type_size_B(src->type);
   const unsigned at_B = src->width == 1 ? row_B : step_B;
   return has_region(v, src) && v->inst->exec_size > 1 &&
          (at_B % 8 || at_B != dst_B);
}

bool
isa_breaks_qword_stride(const struct isa_view *v)
{
   return is_concerned(v) && isa_any_reg(v, steps_differently);
}

static bool
has_gaps(const struct isa_view *v, const struct isa_operand *src)
{
   return has_region(v, src) && src->width > 1 &&
          src->vstride != src->width * src->hstride;
}

bool
isa_breaks_qword_rows(const struct isa_view *v)
{
   return is_concerned(v) && isa_any_reg(v, has_gaps);
}

static bool
begins_elsewhere(const struct isa_view *v, const struct isa_operand *src)
{
   return has_region(v, src) && src->subnr_B != v->inst->dst.subnr_B;
}

bool
isa_breaks_qword_offset(const struct isa_view *v)
{
   return is_concerned(v) && !v->inst->dst.indirect &&
          isa_any_reg(v, begins_elsewhere);
}

bool
isa_breaks_qword_indirect(const struct isa_view *v)
{
   bool found = v->inst->dst.indirect;
   for (unsigned n = 0; n < v->num_srcs; n++)
      found |= v->inst->src[n].indirect;
   return found && is_concerned(v);
}

static bool
is_arf(const struct isa_view *v, const struct isa_operand *o)
{
   return o->file == ISA_FILE_ARF && !isa_operand_is_null(o);
}

bool
isa_breaks_qword_arf(const struct isa_view *v)
{
   return is_concerned(v) &&
          (is_arf(v, &v->inst->dst) || isa_any_reg(v, is_arf) ||
           v->inst->acc_wr_en || v->inst->opcode == ISA_OPCODE_MAC);
}

bool
isa_breaks_qword_dep_ctrl(const struct isa_view *v)
{
   return is_concerned(v) && (v->inst->no_dd_clr || v->inst->no_dd_chk);
}
