/* SPDX-License-Identifier: MIT */
/*
 * Opcodes of NIR as operations of the machine. Integers are floats with
 * integral values, exact up to 2^24; booleans are 0.0 and 1.0, and minimum
 * and maximum their "and" and "or".
 */
#include <math.h>

#include "gp_build.h"

typedef struct gpc_ref ref;
typedef ref (*build_fn)(struct gpc_build *b, const ref *s, unsigned arg);

static ref
mul(struct gpc_build *b, ref x, ref y)
{
   return gpc_emit2(b, GPC_OP_MUL, x, y);
}

static ref
add(struct gpc_build *b, ref x, ref y)
{
   return gpc_emit2(b, GPC_OP_ADD, x, y);
}

static ref
floor_of(struct gpc_build *b, ref x)
{
   return gpc_emit1(b, GPC_OP_FLOOR, x);
}

static ref
abs_of(struct gpc_build *b, ref x)
{
   return gpc_emit2(b, GPC_OP_MAX, x, gpc_negate(x));
}

static ref
not_of(struct gpc_build *b, ref x)
{
   return add(b, gpc_float(b, 1.0f), gpc_negate(x));
}

static ref
trunc_of(struct gpc_build *b, ref x)
{
   return mul(b, gpc_emit1(b, GPC_OP_SIGN, x), floor_of(b, abs_of(b, x)));
}

/* ---- rows ---- */

static ref
build_same(struct gpc_build *b, const ref *s, unsigned arg)
{
   return s[0];
}

static ref
build_neg(struct gpc_build *b, const ref *s, unsigned arg)
{
   return gpc_negate(s[0]);
}

static ref
build_abs(struct gpc_build *b, const ref *s, unsigned arg)
{
   return abs_of(b, s[0]);
}

static ref
build1(struct gpc_build *b, const ref *s, unsigned op)
{
   return gpc_emit1(b, op, s[0]);
}

static ref
build2(struct gpc_build *b, const ref *s, unsigned op)
{
   return gpc_emit2(b, op, s[0], s[1]);
}

static ref
build_sub(struct gpc_build *b, const ref *s, unsigned arg)
{
   return add(b, s[0], gpc_negate(s[1]));
}

static ref
build_not(struct gpc_build *b, const ref *s, unsigned arg)
{
   return not_of(b, s[0]);
}

static ref
build_eq(struct gpc_build *b, const ref *s, unsigned arg)
{
   return gpc_emit2(b, GPC_OP_MIN, gpc_emit2(b, GPC_OP_GE, s[0], s[1]),
                    gpc_emit2(b, GPC_OP_GE, s[1], s[0]));
}

/* Not "less or greater", which is false for NaN, but not equal. */
static ref
build_ne_float(struct gpc_build *b, const ref *s, unsigned arg)
{
   return not_of(b, build_eq(b, s, 0));
}

static ref
build_ne(struct gpc_build *b, const ref *s, unsigned arg)
{
   return gpc_emit2(b, GPC_OP_MAX, gpc_emit2(b, GPC_OP_LT, s[0], s[1]),
                    gpc_emit2(b, GPC_OP_LT, s[1], s[0]));
}

static ref
build_nonzero(struct gpc_build *b, const ref *s, unsigned arg)
{
   const ref pair[2] = { s[0], gpc_float(b, 0.0f) };

   return build_ne(b, pair, 0);
}

static ref
build_fnonzero(struct gpc_build *b, const ref *s, unsigned arg)
{
   const ref pair[2] = { s[0], gpc_float(b, 0.0f) };

   return build_ne_float(b, pair, 0);
}

static ref
build_trunc(struct gpc_build *b, const ref *s, unsigned arg)
{
   return trunc_of(b, s[0]);
}

static ref
build_ceil(struct gpc_build *b, const ref *s, unsigned arg)
{
   return gpc_negate(floor_of(b, gpc_negate(s[0])));
}

static ref
build_fract(struct gpc_build *b, const ref *s, unsigned arg)
{
   return add(b, s[0], gpc_negate(floor_of(b, s[0])));
}

/* floor(x), and one more if x is beyond the middle, or there and that is
 * even. The difference is exact, and 0 where x is whole. */
static ref
build_round_even(struct gpc_build *b, const ref *s, unsigned arg)
{
   const ref half = gpc_float(b, 0.5f), down = floor_of(b, s[0]);
   const ref rest = add(b, s[0], gpc_negate(down)), h = mul(b, down, half);
   const ref odd = gpc_emit2(b, GPC_OP_LT, floor_of(b, h), h);
   const ref more =
      gpc_emit2(b, GPC_OP_MAX, gpc_emit2(b, GPC_OP_LT, half, rest), odd);
   return add(b, down,
              gpc_emit2(b, GPC_OP_MIN, gpc_emit2(b, GPC_OP_GE, rest, half),
                        more));
}

static ref
build_sat(struct gpc_build *b, const ref *s, unsigned arg)
{
   return gpc_clamp(b, s[0], 0.0f, 1.0f);
}

/* 0 * infinity would be no number. */
static ref
build_sqrt(struct gpc_build *b, const ref *s, unsigned arg)
{
   return gpc_emit1(b, GPC_OP_RCP, gpc_emit1(b, GPC_OP_RSQRT, s[0]));
}

static ref
build_select(struct gpc_build *b, const ref *s, unsigned arg)
{
   return gpc_emit(b, GPC_OP_SELECT, s[0], s[1], s[2]);
}

static ref
build_fcsel(struct gpc_build *b, const ref *s, unsigned arg)
{
   return gpc_emit(b, GPC_OP_SELECT, build_fnonzero(b, s, 0), s[1], s[2]);
}

static ref
build_xor(struct gpc_build *b, const ref *s, unsigned arg)
{
   return build_ne(b, s, 0);
}

/*
 * sin(2 pi r) for r in [-1/4, 1/4], after folding there: an odd polynomial,
 * least squares at Chebyshev nodes, which is exact to 1e-8, so that rounding
 * decides. The argument's reduction costs what a product with 1/(2 pi)
 * loses: about |x| * 6e-8.
 */
static ref
build_sine(struct gpc_build *b, const ref *s, unsigned is_cos)
{
   static const float c[] = { 6.28318516f, -41.3416549f, 81.6009982f,
                              -76.5496568f, 39.5358137f };
   const ref quarter = gpc_float(b, 0.25f), half = gpc_float(b, 0.5f);
   ref turns = mul(b, s[0], gpc_float(b, 0.159154943f));

   /* sin x = cos(x - pi/2): a triangle wave of the phase has the same sign
    * and size of its sine. */
   if (!is_cos)
      turns = add(b, turns, gpc_negate(quarter));
   const ref phase =
      add(b, turns, gpc_negate(floor_of(b, add(b, turns, half))));
   const ref r = add(b, quarter, gpc_negate(abs_of(b, phase)));
   const ref r2 = mul(b, r, r);
   ref p = add(b, mul(b, r2, gpc_float(b, c[4])), gpc_float(b, c[3]));
   for (unsigned i = 3; i-- > 0;)
      p = add(b, mul(b, p, r2), gpc_float(b, c[i]));
   return mul(b, r, p);
}

/* ---- integers ---- */

enum { DIV_QUOTIENT, DIV_REMAINDER, DIV_MODULO };

/*
 * |a| / |b| with one correction each way: the table's reciprocal may be a
 * few units off, which moves the quotient by one at most below 2^24, where
 * products and differences are exact.
 */
static ref
build_divide(struct gpc_build *b, const ref *s, unsigned what)
{
   const ref one = gpc_float(b, 1.0f), zero = gpc_float(b, 0.0f);
   const ref x = abs_of(b, s[0]), y = abs_of(b, s[1]);
   ref q = floor_of(b, mul(b, x, gpc_emit1(b, GPC_OP_RCP, y)));
   ref r = add(b, x, gpc_negate(mul(b, q, y)));
   const ref over = gpc_emit2(b, GPC_OP_GE, r, y);
   const ref under = gpc_emit2(b, GPC_OP_LT, r, zero);
   const ref fix = add(b, over, gpc_negate(under));

   if (what == DIV_QUOTIENT) {
      q = add(b, q, fix);
      const ref sign = mul(b, gpc_emit1(b, GPC_OP_SIGN, s[0]),
                           gpc_emit1(b, GPC_OP_SIGN, s[1]));
      return mul(b, q, sign);
   }
   r = add(b, r, gpc_negate(mul(b, fix, y)));
   const ref negative = gpc_emit2(b, GPC_OP_LT, s[0], zero);
   const ref flip = add(b, one, gpc_negate(add(b, negative, negative)));
   const ref rem = mul(b, r, flip);
   if (what == DIV_REMAINDER)
      return rem;
   /* The divisor's sign: one more divisor where the signs differ. */
   const ref signs = mul(b, rem, s[1]);
   return add(b, rem, mul(b, gpc_emit2(b, GPC_OP_LT, signs, zero), s[1]));
}

static ref
build_fmod(struct gpc_build *b, const ref *s, unsigned arg)
{
   const ref q = mul(b, s[0], gpc_emit1(b, GPC_OP_RCP, s[1]));

   return add(b, s[0], gpc_negate(mul(b, s[1], floor_of(b, q))));
}

static ref
build_frem(struct gpc_build *b, const ref *s, unsigned arg)
{
   const ref q = mul(b, s[0], gpc_emit1(b, GPC_OP_RCP, s[1]));

   return add(b, s[0], gpc_negate(mul(b, s[1], trunc_of(b, q))));
}

static const struct {
   build_fn fn;
   unsigned arg;
   bool bool_only; /* of 1 bit; the machine has no bits */
} rows[nir_num_opcodes] = {
   [nir_op_fneg] = { build_neg },
   [nir_op_ineg] = { build_neg },
   [nir_op_fabs] = { build_abs },
   [nir_op_iabs] = { build_abs },
   [nir_op_fadd] = { build2, GPC_OP_ADD },
   [nir_op_iadd] = { build2, GPC_OP_ADD },
   [nir_op_fsub] = { build_sub },
   [nir_op_isub] = { build_sub },
   [nir_op_fmul] = { build2, GPC_OP_MUL },
   [nir_op_imul] = { build2, GPC_OP_MUL },
   [nir_op_amul] = { build2, GPC_OP_MUL },
   [nir_op_fmin] = { build2, GPC_OP_MIN },
   [nir_op_fmax] = { build2, GPC_OP_MAX },
   [nir_op_imin] = { build2, GPC_OP_MIN },
   [nir_op_imax] = { build2, GPC_OP_MAX },
   [nir_op_umin] = { build2, GPC_OP_MIN },
   [nir_op_umax] = { build2, GPC_OP_MAX },
   [nir_op_ffloor] = { build1, GPC_OP_FLOOR },
   [nir_op_fsign] = { build1, GPC_OP_SIGN },
   [nir_op_isign] = { build1, GPC_OP_SIGN },
   [nir_op_frcp] = { build1, GPC_OP_RCP },
   [nir_op_frsq] = { build1, GPC_OP_RSQRT },
   [nir_op_fexp2] = { build1, GPC_OP_EXP2 },
   [nir_op_flog2] = { build1, GPC_OP_LOG2 },
   [nir_op_fsqrt] = { build_sqrt },
   [nir_op_fsat] = { build_sat },
   [nir_op_ftrunc] = { build_trunc },
   [nir_op_fceil] = { build_ceil },
   [nir_op_ffract] = { build_fract },
   [nir_op_fround_even] = { build_round_even },
   [nir_op_fsin] = { build_sine, false },
   [nir_op_fcos] = { build_sine, true },
   [nir_op_fmod] = { build_fmod },
   [nir_op_frem] = { build_frem },
   [nir_op_slt] = { build2, GPC_OP_LT },
   [nir_op_sge] = { build2, GPC_OP_GE },
   [nir_op_seq] = { build_eq },
   [nir_op_sne] = { build_ne_float },
   [nir_op_flt] = { build2, GPC_OP_LT },
   [nir_op_fge] = { build2, GPC_OP_GE },
   [nir_op_feq] = { build_eq },
   [nir_op_fneu] = { build_ne_float },
   [nir_op_ilt] = { build2, GPC_OP_LT },
   [nir_op_ige] = { build2, GPC_OP_GE },
   [nir_op_ult] = { build2, GPC_OP_LT },
   [nir_op_uge] = { build2, GPC_OP_GE },
   [nir_op_ieq] = { build_eq },
   [nir_op_ine] = { build_ne },
   [nir_op_inot] = { build_not, 0, true },
   [nir_op_iand] = { build2, GPC_OP_MIN, true },
   [nir_op_ior] = { build2, GPC_OP_MAX, true },
   [nir_op_ixor] = { build_xor, 0, true },
   [nir_op_idiv] = { build_divide, DIV_QUOTIENT },
   [nir_op_udiv] = { build_divide, DIV_QUOTIENT },
   [nir_op_irem] = { build_divide, DIV_REMAINDER },
   [nir_op_umod] = { build_divide, DIV_REMAINDER },
   [nir_op_imod] = { build_divide, DIV_MODULO },
   [nir_op_bcsel] = { build_select },
   [nir_op_fcsel] = { build_fcsel },
   [nir_op_b2f32] = { build_same },
   [nir_op_b2i32] = { build_same },
   [nir_op_i2f32] = { build_same },
   [nir_op_u2f32] = { build_same },
   [nir_op_i2i32] = { build_same },
   [nir_op_u2u32] = { build_same },
   [nir_op_f2f32] = { build_same },
   [nir_op_f2i32] = { build_trunc },
   [nir_op_f2u32] = { build_trunc },
   [nir_op_i2b1] = { build_nonzero },
   [nir_op_f2b1] = { build_fnonzero },
};

/* ---- shifts by constants ---- */

static bool
build_shift(struct gpc_build *b, nir_alu_instr *alu, ref *result)
{
   if (alu->op != nir_op_ishl && alu->op != nir_op_ishr &&
       alu->op != nir_op_ushr)
      return false;
   const nir_component count = nir_component_through_movs(
      nir_component_of(alu->src[1].use.value, alu->src[1].swizzle[0]));

   if (!nir_component_is_const(count))
      return false;
   const int n = (int)(nir_component_as_uint(count) & 31);
   const ref x = gpc_ref_for(
      b, gpc_origin(&alu->src[0].use, alu->src[0].swizzle[0]), GPC_TYPE_INT);
   if (alu->op == nir_op_ishl) {
      *result = mul(b, x, gpc_float(b, ldexpf(1.0f, n)));
      return true;
   }
   *result = floor_of(b, mul(b, x, gpc_float(b, ldexpf(1.0f, -n))));
   return true;
}

static enum gpc_type
src_type(struct gpc_build *b, const nir_alu_instr *alu, unsigned i)
{
   if (alu->op == nir_op_bcsel && i)
      return gpc_type_of(b, &alu->instr.result);
   switch (nir_type_base(nir_op_infos[alu->op].input[i].type)) {
   case nir_type_float: return GPC_TYPE_FLOAT;
   case nir_type_bool: return GPC_TYPE_BOOL;
   default: return GPC_TYPE_INT;
   }
}

static bool
has_other_size(const nir_alu_instr *alu)
{
   const unsigned size = alu->instr.result.bit_size;

   if (size != 1 && size != 32)
      return true;
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      const unsigned s = alu->src[i].use.value->bit_size;
      if (s != 1 && s != 32)
         return true;
   }
   return false;
}

/* An unsigned constant from 2^31 on, which is a negative literal. */
static void
check_unsigned(struct gpc_build *b, nir_alu_instr *alu, unsigned i)
{
   const nir_component s =
      gpc_origin(&alu->src[i].use, alu->src[i].swizzle[0]);

   if (alu->op == nir_op_bcsel || !nir_component_is_const(s) ||
       s.def->bit_size != 32 ||
       nir_type_base(nir_op_infos[alu->op].input[i].type) != nir_type_uint)
      return;
   const uint32_t bits = (uint32_t)nir_component_as_uint(s);
   if (bits >> 31)
      gpc_error(b, &alu->instr,
                "integer constant %u beyond 2^24: "
                "the machine's integers are floats",
                bits);
}

void
gpc_build_alu(struct gpc_build *b, nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   nir_value *dest = &alu->instr.result;
   ref src[3], result;

   if (alu->op == nir_op_mov || nir_op_is_vec(alu->op))
      return;
   if (has_other_size(alu)) {
      gpc_error(b, &alu->instr,
                "%s of other than 32 bits: the machine has "
                "no doubles and no halves",
                info->name);
      return;
   }
   if (build_shift(b, alu, &result)) {
      gpc_set_ref(b, dest, 0, result);
      return;
   }
   if (!rows[alu->op].fn || dest->num_components != 1 ||
       (rows[alu->op].bool_only && dest->bit_size != 1)) {
      gpc_error(b, &alu->instr, "%s%s", info->name,
                nir_type_base(info->output.type) == nir_type_float
                   ? " is not implemented"
                   : ": the machine has no operations on bits of integers");
      return;
   }
   for (unsigned i = 0; i < info->num_inputs; i++)
      check_unsigned(b, alu, i);
   for (unsigned i = 0; i < info->num_inputs; i++)
      src[i] =
         gpc_ref_for(b, gpc_origin(&alu->src[i].use, alu->src[i].swizzle[0]),
                     src_type(b, alu, i));
   gpc_set_ref(b, dest, 0, rows[alu->op].fn(b, src, rows[alu->op].arg));
}
