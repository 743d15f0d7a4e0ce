/* SPDX-License-Identifier: MIT */
/*
 * ALU instructions. What is one instruction of SPIR-V on operands of the
 * types that NIR's row has is a row here; the rest is a function each, or was
 * taken apart by write_lower.c.
 */
#include "compiler/spirv/write/write_private.h"

static _Noreturn void
fail_op(struct wr *w, const nir_alu_instr *alu)
{
   wr_fail(w, "%s of %u bits has no counterpart in SPIR-V",
           nir_op_infos[alu->op].name, alu->src[0].use.value->bit_size);
}

static enum wr_base
operand_base(const nir_alu_instr *alu, unsigned i)
{
   return alu->src[i].use.value->bit_size == 1 ? WR_BOOL
          : nir_type_base(nir_op_infos[alu->op].input[i].type) ==
                nir_type_float
             ? WR_FLOAT
             : WR_UINT;
}

/* Bases that GLSL.std.450 has at 64 bits, and what the core has at 32 alone
 * (Vulkan, VUID-StandaloneSpirv-Base-04781). */
static bool
has_size(const nir_alu_instr *alu)
{
   const unsigned bits = alu->src[0].use.value->bit_size;

   switch (alu->op) {
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fpow: return bits <= 32;
   case nir_op_ufind_msb:
   case nir_op_ifind_msb:
   case nir_op_find_lsb:
   case nir_op_bit_count:
   case nir_op_fddx:
   case nir_op_fddy:
   case nir_op_fddx_fine:
   case nir_op_fddy_fine:
   case nir_op_fddx_coarse:
   case nir_op_fddy_coarse: return bits == 32;
   default: return true;
   }
}

static void
emit(struct wr *w, nir_alu_instr *alu, bool ext, unsigned op)
{
   const unsigned n = nir_op_infos[alu->op].num_inputs;
   nir_value *v = &alu->instr.result;
   const enum wr_base base = w->values[v->index].base;
   const uint32_t type = wr_own_type(w, v);
   uint32_t ids[NIR_ALU_MAX_INPUTS], id;

   if (!has_size(alu))
      fail_op(w, alu);
   for (unsigned i = 0; i < n; i++)
      ids[i] = wr_operand(w, alu, i, operand_base(alu, i));
   id = ext ? wr_ext(w, (enum GLSLstd450)op, type, ids, n)
            : wr_result(w, (SpvOp)op, type, ids, n);
   if (alu->exact && !ext && base == WR_FLOAT)
      WR(&w->decorations, SpvOpDecorate, id, SpvDecorationNoContraction);
   wr_define(w, v, base, id);
}

static void
core(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   emit(w, alu, false, op);
}

static void
glsl450(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   emit(w, alu, true, op);
}

static void
derivative(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   wr_capability(w, SpvCapabilityDerivativeControl);
   emit(w, alu, false, op);
}

/* Between numbers of one size it is no conversion. */
static void
convert(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   const enum wr_base base = operand_base(alu, 0);

   if (alu->src[0].use.value->bit_size != alu->instr.result.bit_size)
      emit(w, alu, false, op);
   else
      wr_define(w, &alu->instr.result, base, wr_operand(w, alu, 0, base));
}

/* --- Copies and selections ---------------------------------------------- */

static void
copy(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   nir_value *v = &alu->instr.result;
   const enum wr_base base = w->values[v->index].base;
   const unsigned n = nir_op_infos[alu->op].num_inputs;
   uint32_t ids[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < n; i++)
      ids[i] = wr_operand(w, alu, i, base);
   wr_define(w, v, base,
             n == 1 ? ids[0]
                    : wr_result(w, SpvOpCompositeConstruct, wr_own_type(w, v),
                                ids, n));
}

static void
select_of(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   nir_value *v = &alu->instr.result;
   const enum wr_base base = w->values[v->index].base;
   const uint32_t type = wr_own_type(w, v);
   const uint32_t cond = wr_operand(w, alu, 0, WR_BOOL);
   const uint32_t yes = wr_operand(w, alu, 1, base);
   const uint32_t no = wr_operand(w, alu, 2, base);

   wr_define(w, v, base, WR_OP(w, SpvOpSelect, type, cond, yes, no));
}

static uint32_t
splat(struct wr *w, const nir_value *v, enum wr_base base, double x)
{
   nir_const_value c[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < v->num_components; i++)
      c[i] = base == WR_FLOAT
                ? nir_const_value_for_float(x, v->bit_size)
                : nir_const_value_for_raw_uint((uint64_t)x, v->bit_size);
   return wr_constant(w, base, v->bit_size, c, v->num_components);
}

/* A boolean as a number, 1 or 0. */
static void
from_bool(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   nir_value *v = &alu->instr.result;
   const enum wr_base base = w->values[v->index].base;
   const uint32_t type = wr_own_type(w, v);
   const uint32_t one = splat(w, v, base, 1.0), zero = splat(w, v, base, 0.0);
   const uint32_t cond = wr_operand(w, alu, 0, WR_BOOL);

   wr_define(w, v, base, WR_OP(w, SpvOpSelect, type, cond, one, zero));
}

/* A number as a boolean: whether it is not 0. */
static void
to_bool(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   const enum wr_base base = operand_base(alu, 0);
   const uint32_t x = wr_operand(w, alu, 0, base);
   nir_value like = *alu->src[0].use.value;

   like.num_components = alu->instr.result.num_components;
   wr_define(w, &alu->instr.result, WR_BOOL,
             WR_OP(w, base == WR_FLOAT ? SpvOpFUnordNotEqual : SpvOpINotEqual,
                   wr_own_type(w, &alu->instr.result), x,
                   splat(w, &like, base, 0.0)));
}

/* --- What has a struct as its result ------------------------------------ */

static void
extended(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   nir_value *v = &alu->instr.result;
   const uint32_t type = wr_own_type(w, v);
   const uint32_t pair = WR_TYPE(w, SpvOpTypeStruct, type, type);
   const uint32_t a = wr_operand(w, alu, 0, WR_UINT);
   const uint32_t b = wr_operand(w, alu, 1, WR_UINT);
   const uint32_t both = WR_OP(w, (SpvOp)op, pair, a, b);

   wr_define(w, v, WR_UINT, WR_OP(w, SpvOpCompositeExtract, type, both, 1));
}

static void
frexp_part(struct wr *w, nir_alu_instr *alu, unsigned part)
{
   const nir_value *x = alu->src[0].use.value;
   nir_value *v = &alu->instr.result;
   const uint32_t sig =
      wr_vector_type(w, WR_FLOAT, x->bit_size, v->num_components);
   const uint32_t exp = wr_vector_type(w, WR_UINT, 32, v->num_components);
   const uint32_t pair = WR_TYPE(w, SpvOpTypeStruct, sig, exp);
   const uint32_t id = wr_operand(w, alu, 0, WR_FLOAT);
   const uint32_t both = wr_ext(w, GLSLstd450FrexpStruct, pair, &id, 1);

   wr_define(w, v, part ? WR_UINT : WR_FLOAT,
             WR_OP(w, SpvOpCompositeExtract, part ? exp : sig, both, part));
}

/* --- Shifts ------------------------------------------------------------- */

static bool
is_below(const nir_alu_instr *alu, unsigned operand, unsigned limit)
{
   const nir_operand *o = &alu->src[operand];

   if (!nir_use_is_const(o->use))
      return false;
   for (unsigned i = 0; i < nir_operand_components(alu, operand); i++) {
      if (nir_use_comp_as_uint(o->use, o->swizzle[i]) >= limit)
         return false;
   }
   return true;
}

/* SPIR-V says nothing of counts that are too large. */
static void
shift(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   nir_value *v = &alu->instr.result;
   const uint32_t type = wr_own_type(w, v);
   const uint32_t a = wr_operand(w, alu, 0, WR_UINT);
   uint32_t n = wr_operand(w, alu, 1, WR_UINT);

   if (!is_below(alu, 1, v->bit_size)) {
      nir_value count = *alu->src[1].use.value;
      count.num_components = v->num_components;
      n = WR_OP(w, SpvOpBitwiseAnd,
                wr_vector_type(w, WR_UINT, 32, v->num_components), n,
                splat(w, &count, WR_UINT, v->bit_size - 1));
   }
   wr_define(w, v, WR_UINT, WR_OP(w, (SpvOp)op, type, a, n));
}

/* --- Two dwords and a number of 64 bits --------------------------------- */

static void
pack_64(struct wr *w, nir_alu_instr *alu, unsigned op)
{
   nir_value *v = &alu->instr.result;
   const enum wr_base base = w->values[v->index].base;
   const uint32_t pair = wr_vector_type(w, WR_UINT, 32, 2);
   const uint32_t a = wr_operand(w, alu, 0, WR_UINT);
   const uint32_t b = wr_operand(w, alu, 1, WR_UINT);
   const uint32_t both = WR_OP(w, SpvOpCompositeConstruct, pair, a, b);

   wr_define(w, v, base, WR_OP(w, SpvOpBitcast, wr_own_type(w, v), both));
}

static void
unpack_64(struct wr *w, nir_alu_instr *alu, unsigned half)
{
   nir_value *x = alu->src[0].use.value;
   const enum wr_base base = w->values[x->index].base == WR_FLOAT ? WR_FLOAT
                                                                  : WR_UINT;
   const uint32_t id = wr_operand(w, alu, 0, base);
   const uint32_t pair =
      WR_OP(w, SpvOpBitcast, wr_vector_type(w, WR_UINT, 32, 2), id);

   wr_define(w, &alu->instr.result, WR_UINT,
             WR_OP(w, SpvOpCompositeExtract, wr_scalar_type(w, WR_UINT, 32),
                   pair, half));
}

/* --- Rows --------------------------------------------------------------- */

struct alu_row {
   void (*emit)(struct wr *w, nir_alu_instr *alu, unsigned op);
   uint16_t op; /* what the function makes of it */
};

#define CORE(op)                                                             \
   {                                                                         \
      core, SpvOp##op                                                        \
   }
#define GLSL(op)                                                             \
   {                                                                         \
      glsl450, GLSLstd450##op                                                \
   }

static const struct alu_row rows[nir_num_opcodes] = {
   [nir_op_mov] = { copy, 0 },
   [nir_op_b2b1] = { copy, 0 },
   [nir_op_vec2] = { copy, 0 },
   [nir_op_vec3] = { copy, 0 },
   [nir_op_vec4] = { copy, 0 },
   [nir_op_bcsel] = { select_of, 0 },
   [nir_op_b2f16] = { from_bool, 0 },
   [nir_op_b2f32] = { from_bool, 0 },
   [nir_op_b2f64] = { from_bool, 0 },
   [nir_op_b2i8] = { from_bool, 0 },
   [nir_op_b2i16] = { from_bool, 0 },
   [nir_op_b2i32] = { from_bool, 0 },
   [nir_op_b2i64] = { from_bool, 0 },
   [nir_op_i2b1] = { to_bool, 0 },
   [nir_op_f2b1] = { to_bool, 0 },
   [nir_op_uadd_carry] = { extended, SpvOpIAddCarry },
   [nir_op_usub_borrow] = { extended, SpvOpISubBorrow },
   [nir_op_umul_high] = { extended, SpvOpUMulExtended },
   [nir_op_imul_high] = { extended, SpvOpSMulExtended },
   [nir_op_frexp_sig] = { frexp_part, 0 },
   [nir_op_frexp_exp] = { frexp_part, 1 },
   [nir_op_ishl] = { shift, SpvOpShiftLeftLogical },
   [nir_op_ishr] = { shift, SpvOpShiftRightArithmetic },
   [nir_op_ushr] = { shift, SpvOpShiftRightLogical },
   [nir_op_pack_64_2x32_split] = { pack_64, 0 },
   [nir_op_unpack_64_2x32_split_x] = { unpack_64, 0 },
   [nir_op_unpack_64_2x32_split_y] = { unpack_64, 1 },

   [nir_op_fneg] = CORE(FNegate),
   [nir_op_ineg] = CORE(SNegate),
   [nir_op_inot] = CORE(Not),
   [nir_op_fadd] = CORE(FAdd),
   [nir_op_fsub] = CORE(FSub),
   [nir_op_fmul] = CORE(FMul),
   [nir_op_fdiv] = CORE(FDiv),
   [nir_op_fmod] = CORE(FMod),
   [nir_op_frem] = CORE(FRem),
   [nir_op_iadd] = CORE(IAdd),
   [nir_op_isub] = CORE(ISub),
   [nir_op_imul] = CORE(IMul),
   [nir_op_idiv] = CORE(SDiv),
   [nir_op_udiv] = CORE(UDiv),
   [nir_op_umod] = CORE(UMod),
   [nir_op_imod] = CORE(SMod),
   [nir_op_irem] = CORE(SRem),
   [nir_op_iand] = CORE(BitwiseAnd),
   [nir_op_ior] = CORE(BitwiseOr),
   [nir_op_ixor] = CORE(BitwiseXor),
   [nir_op_flt] = CORE(FOrdLessThan),
   [nir_op_fge] = CORE(FOrdGreaterThanEqual),
   [nir_op_feq] = CORE(FOrdEqual),
   [nir_op_fneu] = CORE(FUnordNotEqual),
   [nir_op_ilt] = CORE(SLessThan),
   [nir_op_ige] = CORE(SGreaterThanEqual),
   [nir_op_ieq] = CORE(IEqual),
   [nir_op_ine] = CORE(INotEqual),
   [nir_op_ult] = CORE(ULessThan),
   [nir_op_uge] = CORE(UGreaterThanEqual),
   [nir_op_fdot2] = CORE(Dot),
   [nir_op_fdot3] = CORE(Dot),
   [nir_op_fdot4] = CORE(Dot),
   [nir_op_bitfield_reverse] = CORE(BitReverse),
   [nir_op_bit_count] = CORE(BitCount),
   [nir_op_bitfield_insert] = CORE(BitFieldInsert),
   [nir_op_ubitfield_extract] = CORE(BitFieldUExtract),
   [nir_op_ibitfield_extract] = CORE(BitFieldSExtract),
   [nir_op_fquantize2f16] = CORE(QuantizeToF16),
   [nir_op_fddx] = CORE(DPdx),
   [nir_op_fddy] = CORE(DPdy),
   [nir_op_fddx_fine] = { derivative, SpvOpDPdxFine },
   [nir_op_fddy_fine] = { derivative, SpvOpDPdyFine },
   [nir_op_fddx_coarse] = { derivative, SpvOpDPdxCoarse },
   [nir_op_fddy_coarse] = { derivative, SpvOpDPdyCoarse },
#define INTEGERS(bits)                                                       \
   [nir_op_f2i##bits] = CORE(ConvertFToS),                                   \
   [nir_op_f2u##bits] = CORE(ConvertFToU),                                   \
   [nir_op_i2i##bits] = { convert, SpvOpSConvert },                          \
   [nir_op_u2u##bits] = { convert, SpvOpUConvert }
   INTEGERS(8),
   INTEGERS(16),
   INTEGERS(32),
   INTEGERS(64),
#undef INTEGERS
#define FLOATS(bits)                                                         \
   [nir_op_i2f##bits] = CORE(ConvertSToF),                                   \
   [nir_op_u2f##bits] = CORE(ConvertUToF),                                   \
   [nir_op_f2f##bits] = { convert, SpvOpFConvert }
   FLOATS(16),
   FLOATS(32),
   FLOATS(64),
#undef FLOATS

   [nir_op_fsign] = GLSL(FSign),
   [nir_op_isign] = GLSL(SSign),
   [nir_op_fabs] = GLSL(FAbs),
   [nir_op_iabs] = GLSL(SAbs),
   [nir_op_frsq] = GLSL(InverseSqrt),
   [nir_op_fsqrt] = GLSL(Sqrt),
   [nir_op_fexp2] = GLSL(Exp2),
   [nir_op_flog2] = GLSL(Log2),
   [nir_op_fsin] = GLSL(Sin),
   [nir_op_fcos] = GLSL(Cos),
   [nir_op_fpow] = GLSL(Pow),
   [nir_op_ftrunc] = GLSL(Trunc),
   [nir_op_fceil] = GLSL(Ceil),
   [nir_op_ffloor] = GLSL(Floor),
   [nir_op_ffract] = GLSL(Fract),
   [nir_op_fround_even] = GLSL(RoundEven),
   [nir_op_ldexp] = GLSL(Ldexp),
   [nir_op_ffma] = GLSL(Fma),
   [nir_op_flrp] = GLSL(FMix),
   [nir_op_fmin] = GLSL(NMin),
   [nir_op_fmax] = GLSL(NMax),
   [nir_op_imin] = GLSL(SMin),
   [nir_op_imax] = GLSL(SMax),
   [nir_op_umin] = GLSL(UMin),
   [nir_op_umax] = GLSL(UMax),
   [nir_op_ufind_msb] = GLSL(FindUMsb),
   [nir_op_ifind_msb] = GLSL(FindSMsb),
   [nir_op_find_lsb] = GLSL(FindILsb),
   [nir_op_pack_snorm_2x16] = GLSL(PackSnorm2x16),
   [nir_op_pack_unorm_2x16] = GLSL(PackUnorm2x16),
   [nir_op_pack_snorm_4x8] = GLSL(PackSnorm4x8),
   [nir_op_pack_unorm_4x8] = GLSL(PackUnorm4x8),
   [nir_op_pack_half_2x16] = GLSL(PackHalf2x16),
   [nir_op_unpack_snorm_2x16] = GLSL(UnpackSnorm2x16),
   [nir_op_unpack_unorm_2x16] = GLSL(UnpackUnorm2x16),
   [nir_op_unpack_snorm_4x8] = GLSL(UnpackSnorm4x8),
   [nir_op_unpack_unorm_4x8] = GLSL(UnpackUnorm4x8),
   [nir_op_unpack_half_2x16] = GLSL(UnpackHalf2x16),
};

/* Of 1-bit integers. */
static const struct alu_row bool_rows[nir_num_opcodes] = {
   [nir_op_inot] = CORE(LogicalNot),  [nir_op_iand] = CORE(LogicalAnd),
   [nir_op_ior] = CORE(LogicalOr),    [nir_op_ixor] = CORE(LogicalNotEqual),
   [nir_op_ieq] = CORE(LogicalEqual), [nir_op_ine] = CORE(LogicalNotEqual),
};

#undef CORE
#undef GLSL

bool
wr_alu_is_known(nir_op op)
{
   return rows[op].emit || bool_rows[op].emit;
}

void
wr_alu(struct wr *w, nir_alu_instr *alu)
{
   const bool on_bools = alu->src[0].use.value->bit_size == 1;
   const struct alu_row *row = on_bools && bool_rows[alu->op].emit
                                  ? &bool_rows[alu->op]
                                  : &rows[alu->op];

   if (!row->emit)
      fail_op(w, alu);
   row->emit(w, alu, row->op);
}
