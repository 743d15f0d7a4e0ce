/* SPDX-License-Identifier: MIT */
/* Restrictions of single opcodes and of flow control. */
#include "isa_codec.h"
#include "isa_rules.h"

/* Bits of a field that the opcode has not: decoding keeps them apart. */
static bool
has_bits(const struct isa_view *v, enum isa_field f)
{
   const struct isa_field_bits b = isa_field_table[v->gen][f];
   return (v->alu || v->src3) &&
          (v->inst->ignored[b.half] >> b.shift & BITFIELD64_MASK(b.width));
}

static bool
no_predicate(const struct isa_view *v)
{
   return !v->info->may_predicate && has_bits(v, ISA_FIELD_PRED_CTRL);
}

static bool
no_condition(const struct isa_view *v)
{
   return !v->info->may_cond_mod && has_bits(v, ISA_FIELD_COND_MOD);
}

static bool
no_saturation(const struct isa_view *v)
{
   return !v->info->may_saturate && has_bits(v, ISA_FIELD_SATURATE);
}

static bool
is(const struct isa_view *v, enum isa_opcode opcode)
{
   return v->inst->opcode == opcode;
}

/* By a predicate, or by a comparison of the sources. */
static bool
sel_by_one(const struct isa_view *v)
{
   const bool predicate = v->inst->pred != ISA_PRED_NONE;
   const bool condition = v->inst->cond_mod != ISA_COND_MOD_NONE;
   return is(v, ISA_OPCODE_SEL) && predicate == condition;
}

static bool
movi_direct(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_MOVI) && !v->inst->src[0].indirect;
}

static bool
movi_wide(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_MOVI) && v->inst->exec_size > 8;
}

static bool
dot_narrow(const struct isa_view *v)
{
   const bool dot = is(v, ISA_OPCODE_DP2) || is(v, ISA_OPCODE_DP3) ||
                    is(v, ISA_OPCODE_DP4) || is(v, ISA_OPCODE_DPH);
   return dot && v->inst->exec_size < 4;
}

static bool
pln_channels(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_PLN) && v->inst->exec_size != 8 &&
          v->inst->exec_size != 16;
}

static bool
pln_align16(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_PLN) && v->align16;
}

/* The coefficients of a plane: one oword for all channels. */
static bool
plane_unaligned(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[0];
   if ((!is(v, ISA_OPCODE_PLN) && !is(v, ISA_OPCODE_LINE)) || v->align16)
      return false;
   return !isa_region_is_scalar(src) || (!src->indirect && src->subnr_B % 16);
}

static bool
pln_registers(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[1];
   return is(v, ISA_OPCODE_PLN) &&
          (src->file != ISA_FILE_GRF || src->indirect || src->subnr_B);
}

static bool
wait_several(const struct isa_view *v)
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

static bool
int_div_modified(const struct isa_view *v)
{
   return is_division(v) && isa_any_reg(v, is_modified);
}

static bool
int_div_wide(const struct isa_view *v)
{
   return is_division(v) && v->inst->exec_size > 8;
}

static bool
int_div_type(const struct isa_view *v)
{
   return is_division(v) &&
          (v->exec_is_float || !isa_type_is_integer(v->inst->dst.type));
}

static bool
float_math_type(const struct isa_view *v)
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
static bool
math_of_doubles(const struct isa_view *v)
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

static bool
math_regions(const struct isa_view *v)
{
   return is(v, ISA_OPCODE_MATH) && !v->align16 &&
          isa_any_reg(v, lies_otherwise);
}

/* Flow. */

static bool
jump_inside(const struct isa_view *v)
{
   if (!v->info->is_flow || v->inst->src[0].file != ISA_FILE_IMM)
      return false;
   return (v->info->has_jip && v->inst->jip % ISA_COMPACT_SIZE_B) ||
          (v->info->has_uip && v->inst->uip % ISA_COMPACT_SIZE_B);
}

/* Of the opcodes that may take it from one. */
static bool
target_register(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[0];
   return v->info->is_flow && v->info->num_srcs &&
          src->file == ISA_FILE_ARF &&
          (src->indirect || (src->nr & 0xf0) != ISA_ARF_IP);
}

/* BRC and RET read two targets. */
static bool
target_unaligned(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[0];
   const bool two = is(v, ISA_OPCODE_BRC) || is(v, ISA_OPCODE_RET);
   return v->info->is_flow && src->file == ISA_FILE_GRF &&
          src->subnr_B % (two ? 8 : 4);
}

static bool
call_register(const struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst;
   return v->info->format == ISA_FORMAT_CALL &&
          (dst->file != ISA_FILE_GRF || dst->subnr_B % 8);
}

#define PAGE_PRM "SKL vol 2a, the opcode's page"
#define FLOW_PRM "SKL vol 2a, jmpi, brd, brc, call, ret"

static const struct isa_rule_row rows[] = {
   { { "no-predicate", ISA_GENS_75UP, "the opcode has no predicate",
       PAGE_PRM },
     no_predicate },
   { { "no-cond-mod", ISA_GENS_ALL, "the opcode has no conditional modifier",
       PAGE_PRM },
     no_condition },
   { { "no-saturate", ISA_GENS_ALL, "the opcode does not saturate",
       PAGE_PRM },
     no_saturation },
   { { "sel-either", ISA_GENS_ALL,
       "SEL has a predicate or a conditional modifier, not both",
       "SKL vol 2a, sel" },
     sel_by_one },
   { { "movi-direct", ISA_GENS_ALL, "MOVI reads where an address points",
       "SKL vol 2a, movi" },
     movi_direct },
   { { "movi-wide", ISA_GENS_ALL, "MOVI has eight channels at most",
       "SKL vol 2a, movi" },
     movi_wide },
   { { "dot-narrow", ISA_GENS_ALL, "a dot product has groups of four",
       "SKL vol 2a, dp4" },
     dot_narrow },
   { { "pln-channels", ISA_GENS_ALL, "PLN has 8 or 16 channels",
       "SKL vol 2a, pln" },
     pln_channels },
   { { "pln-align16", ISA_GENS_ALL, "PLN is in Align1 only",
       "SKL vol 2a, pln" },
     pln_align16 },
   { { "pln-plane", ISA_GENS_ALL,
       "coefficients of LINE and PLN are a scalar that begins at 16 bytes",
       "SKL vol 2a, line, pln" },
     plane_unaligned },
   { { "pln-registers", ISA_GENS_ALL,
       "the second source of PLN are whole registers", "SKL vol 2a, pln" },
     pln_registers },
   { { "wait-one", ISA_GENS_ALL, "WAIT has one channel", "SKL vol 2a, wait" },
     wait_several },
   { { "int-div-mods", ISA_GENS_ALL,
       "integer division has no source modifiers", "SKL vol 2a, math" },
     int_div_modified },
   { { "int-div-simd16", ISA_GENS_ALL,
       "integer division has eight channels at most",
       "SKL vol 2a, math, INT DIV" },
     int_div_wide },
   { { "int-div-type", ISA_GENS_ALL, "integer division of floats",
       "SKL vol 2a, math" },
     int_div_type },
   { { "math-type", ISA_GENS_ALL, "this math function computes with floats",
       "SKL vol 2a, math" },
     float_math_type },
   { { "math-double", ISA_GENS_8UP, "only INVM and RSQRTM take doubles",
       "SKL vol 2a, math; IGC 1.0.12504 divides doubles so" },
     math_of_doubles },
   { { "math-regions", ISA_GENS_ALL,
       "sources of math that are no scalars lie as the destination does",
       "SKL vol 2a, math" },
     math_regions },
   { { "jump-unit", ISA_GENS_75UP, "a jump into the middle of an instruction",
       "SKL vol 7, Instruction Pointer" },
     jump_inside },
   { { "jump-register", ISA_GENS_ALL,
       "the target of a jump is in a general register or ip", FLOW_PRM },
     target_register },
   { { "jump-align", ISA_GENS_ALL,
       "the target of a jump is aligned to a dword, or to the two of BRC and "
       "RET",
       FLOW_PRM },
     target_unaligned },
   { { "call-register", ISA_GENS_ALL,
       "CALL leaves two dwords in a general register", "SKL vol 2a, call" },
     call_register },
};

const struct isa_rule_table isa_opcode_rules = { rows, ARRAY_SIZE(rows) };
