/* SPDX-License-Identifier: MIT */
/* Restrictions of single opcodes and of flow control. */
#include "isa_codec.h"
#include "isa_rules.h"

/* Bits of a field that the opcode has not, or other ones than it wants:
 * decoding keeps them apart. */
static bool
differs(const struct isa_view *v, enum isa_field f)
{
   const struct isa_field_bits b = isa_field_table[v->gen][f];
   return v->inst->ignored[b.half] >> b.shift & BITFIELD64_MASK(b.width);
}

static bool
has_bits(const struct isa_view *v, enum isa_field f)
{
   return (v->alu || v->src3) && differs(v, f);
}

bool
isa_breaks_no_predicate(const struct isa_view *v)
{
   return !v->info->may_predicate && has_bits(v, ISA_FIELD_PRED_CTRL);
}

bool
isa_breaks_no_cond_mod(const struct isa_view *v)
{
   return !v->info->may_cond_mod && has_bits(v, ISA_FIELD_COND_MOD);
}

bool
isa_breaks_no_saturate(const struct isa_view *v)
{
   return !v->info->may_saturate && has_bits(v, ISA_FIELD_SATURATE);
}

static bool
is(const struct isa_view *v, enum isa_opcode opcode)
{
   return v->inst->opcode == opcode;
}

/* By a predicate, or by a comparison of the sources. */
bool
isa_breaks_sel_either(const struct isa_view *v)
{
   const bool predicate = v->inst->pred != ISA_PRED_NONE;
   const bool condition = v->inst->cond_mod != ISA_COND_MOD_NONE;
   return is(v, ISA_OPCODE_SEL) && predicate == condition;
}

bool
isa_breaks_movi_direct(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_MOVI) && !v->inst->src[0].indirect;
}

bool
isa_breaks_movi_wide(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_MOVI) && v->inst->exec_size > 8;
}

bool
isa_breaks_dot_narrow(const struct isa_view *v)
{
   const bool dot = is(v, ISA_OPCODE_DP2) || is(v, ISA_OPCODE_DP3) ||
                    is(v, ISA_OPCODE_DP4) || is(v, ISA_OPCODE_DPH);
   return dot && v->inst->exec_size < 4;
}

bool
isa_breaks_pln_channels(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_PLN) && v->inst->exec_size != 8 &&
          v->inst->exec_size != 16;
}

bool
isa_breaks_pln_align16(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_PLN) && v->align16;
}

/* The coefficients of a plane: one oword for all channels. */
bool
isa_breaks_pln_plane(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[0];
   if ((!is(v, ISA_OPCODE_PLN) && !is(v, ISA_OPCODE_LINE)) || v->align16)
      return false;
   return !isa_region_is_scalar(src) || (!src->indirect && src->subnr_B % 16);
}

bool
isa_breaks_pln_registers(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[1];
   return is(v, ISA_OPCODE_PLN) &&
          (src->file != ISA_FILE_GRF || src->indirect || src->subnr_B);
}

bool
isa_breaks_wait_one(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_WAIT) && v->inst->exec_size != 1;
}

/* MATH. */

static bool
is_division(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_MATH) &&
          v->inst->math_function >= ISA_MATH_INT_DIV_BOTH &&
          v->inst->math_function <= ISA_MATH_INT_DIV_REMAINDER;
}

static bool
is_modified(const struct isa_view *v, const struct isa_operand *src)
{
   (void)v;
   return src->negate || src->abs;
}

bool
isa_breaks_int_div_mods(const struct isa_view *v)
{
   return is_division(v) && isa_any_reg(v, is_modified);
}

bool
isa_breaks_int_div_simd16(const struct isa_view *v)
{
   return is_division(v) && v->inst->exec_size > 8;
}

bool
isa_breaks_int_div_type(const struct isa_view *v)
{
   return is_division(v) &&
          (v->exec_is_float || !isa_type_is_integer(v->inst->dst.type));
}

bool
isa_breaks_math_type(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_MATH) && !is_division(v) &&
          (isa_any_src(v, isa_type_is_integer) ||
           isa_type_is_integer(v->inst->dst.type));
}

static bool
is_double(enum isa_type type)
{
   return type == ISA_TYPE_DF;
}

/* Also of division, which the types refuse. */
bool
isa_breaks_math_double(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_MATH) && !v->macro && isa_any_src(v, is_double);
}

/* Not a scalar, and elsewhere than the destination's channels, or with other
 * distances: the unit moves no channel. */
static bool
lies_otherwise(const struct isa_view *v, const struct isa_operand *src)
{
   const struct isa_operand *dst = &v->inst->dst;
   if (src->file != ISA_FILE_GRF || isa_region_is_scalar(src))
      return false;
   const bool moves = !src->indirect && !dst->indirect &&
                      src->subnr_B != dst->subnr_B;
   return moves || src->vstride != src->width * src->hstride ||
          src->hstride * isa_type_size_B(src->type) !=
             dst->hstride * isa_type_size_B(dst->type);
}

bool
isa_breaks_math_regions(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_MATH) && !v->align16 &&
          isa_any_reg(v, lies_otherwise);
}

/* Flow. */

bool
isa_breaks_jump_unit(const struct isa_view *v)
{
   if (!v->info->is_flow || v->inst->src[0].file != ISA_FILE_IMM)
      return false;
   return (v->info->has_jip && v->inst->jip % ISA_COMPACT_SIZE_B) ||
          (v->info->has_uip && v->inst->uip % ISA_COMPACT_SIZE_B);
}

bool
isa_breaks_flow_source(const struct isa_view *v)
{
   return v->info->format == ISA_FORMAT_BRANCH2 &&
          v->inst->src[0].file == ISA_FILE_IMM &&
          differs(v, ISA_FIELD_SRC0_FILE);
}

/* Of the opcodes that may take it from one. */
bool
isa_breaks_jump_register(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[0];
   return v->info->is_flow && v->info->num_srcs &&
          src->file == ISA_FILE_ARF &&
          (src->indirect || (src->nr & 0xf0) != ISA_ARF_IP);
}

/* BRC and RET read two targets. */
bool
isa_breaks_jump_align(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[0];
   const bool two = is(v, ISA_OPCODE_BRC) || is(v, ISA_OPCODE_RET);
   return v->info->is_flow && src->file == ISA_FILE_GRF &&
          src->subnr_B % (two ? 8 : 4);
}

bool
isa_breaks_call_register(const struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst;
   return v->info->format == ISA_FORMAT_CALL &&
          (dst->file != ISA_FILE_GRF || dst->subnr_B % 8);
}
