/* SPDX-License-Identifier: MIT */
/*
 * Scalar arithmetic of NIR in instructions of SM2 and SM3. Bools are 0 and
 * 1, integers whole floats. What has no counterpart there is refused by name.
 */
#include "d3dbc_emit.h"

#include <math.h>
#include <strings.h>

typedef struct d3dbc_operand operand;

static operand
imm(struct d3dbc_emit *e, float v)
{
   return d3dbc_emit_imm(e, v);
}

static operand
mov_to_scratch(struct d3dbc_emit *e, operand a)
{
   const operand t = d3dbc_emit_scratch(e);

   d3dbc_emit1(e, D3DBC_OP_MOV, t, a);
   return t;
}

/* d = c is 1 (not 0) ? x : y. */
static void
choose(struct d3dbc_emit *e, operand d, operand c, operand x, operand y)
{
   if (e->pi->is_ps) {
      d3dbc_emit3(e, D3DBC_OP_CMP, d, d3dbc_emit_neg(c), y, x);
   } else if (e->pi->version >= 21) {
      operand p = d3dbc_emit_reg(D3DBC_FILE_P, 0, 0);
      if (e->vector_mask) {
         p.mask = e->vector_mask;
         p.swizzle = D3DBC_SWIZZLE_IDENTITY;
      }
      d3dbc_emit2(e, D3DBC_OP_SETP, p, c, imm(e, 0));
      struct d3dbc_inst *last = util_dynarray_element(
         &e->body, struct d3dbc_inst,
         util_dynarray_num_elements(&e->body, struct d3dbc_inst) - 1);
      last->control = D3DBC_CMP_NE;
      d3dbc_emit1(e, D3DBC_OP_MOV, d, y);
      d3dbc_emit1(e, D3DBC_OP_MOV, d, x);
      last = util_dynarray_element(
         &e->body, struct d3dbc_inst,
         util_dynarray_num_elements(&e->body, struct d3dbc_inst) - 1);
      last->predicated = true;
      last->pred = p;
   } else {
      /* x c + y (1 - c): exact for finite values. */
      const operand t = d3dbc_emit_scratch(e), u = d3dbc_emit_scratch(e);
      d3dbc_emit2(e, D3DBC_OP_SUB, t, imm(e, 1), c);
      d3dbc_emit2(e, D3DBC_OP_MUL, t, t, y);
      d3dbc_emit2(e, D3DBC_OP_MUL, u, c, x);
      d3dbc_emit2(e, D3DBC_OP_ADD, d, u, t);
   }
}

/* --- Comparisons: 0 or 1 ------------------------------------------------ */

static void
greater_equal(struct d3dbc_emit *e, operand d, operand a, operand b)
{
   if (!e->pi->is_ps) {
      d3dbc_emit2(e, D3DBC_OP_SGE, d, a, b);
   } else {
      const operand t = d3dbc_emit_scratch(e);
      d3dbc_emit2(e, D3DBC_OP_SUB, t, a, b);
      d3dbc_emit3(e, D3DBC_OP_CMP, d, t, imm(e, 1), imm(e, 0));
   }
}

static void
less(struct d3dbc_emit *e, operand d, operand a, operand b)
{
   if (!e->pi->is_ps) {
      d3dbc_emit2(e, D3DBC_OP_SLT, d, a, b);
   } else {
      const operand t = d3dbc_emit_scratch(e);
      d3dbc_emit2(e, D3DBC_OP_SUB, t, a, b);
      d3dbc_emit3(e, D3DBC_OP_CMP, d, t, imm(e, 0), imm(e, 1));
   }
}

/* -abs(a - b) >= 0 */
static void
equal(struct d3dbc_emit *e, operand d, operand a, operand b, bool not )
{
   const operand t = d3dbc_emit_scratch(e);

   d3dbc_emit2(e, D3DBC_OP_SUB, t, a, b);
   d3dbc_emit1(e, D3DBC_OP_ABS, t, t);
   if (e->pi->is_ps)
      d3dbc_emit3(e, D3DBC_OP_CMP, d, d3dbc_emit_neg(t), imm(e, not ? 0 : 1),
                  imm(e, not ? 1 : 0));
   else if (not )
      d3dbc_emit2(e, D3DBC_OP_SLT, d, d3dbc_emit_neg(t), imm(e, 0));
   else
      d3dbc_emit2(e, D3DBC_OP_SGE, d, d3dbc_emit_neg(t), imm(e, 0));
}

/* --- Rounding ----------------------------------------------------------- */

static void
floor_(struct d3dbc_emit *e, operand d, operand a)
{
   const operand t = d3dbc_emit_scratch(e);

   d3dbc_emit1(e, D3DBC_OP_FRC, t, a);
   d3dbc_emit2(e, D3DBC_OP_SUB, d, a, t);
}

/* To the nearest whole number, and of two to the even one: one more than the
 * floor where the fraction is above a half, or a half over an odd floor. */
static void
round_even(struct d3dbc_emit *e, operand d, operand a)
{
   const operand f = d3dbc_emit_scratch(e), whole = d3dbc_emit_scratch(e);
   const operand odd = d3dbc_emit_scratch(e), up = d3dbc_emit_scratch(e);
   const unsigned scratch = e->num_scratch;

   d3dbc_emit1(e, D3DBC_OP_FRC, f, a);
   d3dbc_emit2(e, D3DBC_OP_SUB, whole, a, f);
   d3dbc_emit2(e, D3DBC_OP_MUL, odd, whole, imm(e, 0.5f));
   d3dbc_emit1(e, D3DBC_OP_FRC, odd, odd);
   d3dbc_emit2(e, D3DBC_OP_ADD, odd, odd, odd);
   less(e, up, imm(e, 0.5f), f);
   e->num_scratch = scratch;
   d3dbc_emit2(e, D3DBC_OP_MAX, up, up, odd);
   greater_equal(e, odd, f, imm(e, 0.5f));
   e->num_scratch = scratch;
   d3dbc_emit3(e, D3DBC_OP_MAD, d, up, odd, whole);
}

/* The sign of `sign` on `magnitude`, which is not negative. */
static void
copy_sign(struct d3dbc_emit *e, operand d, operand sign, operand magnitude)
{
   const operand c = d3dbc_emit_scratch(e);

   less(e, c, sign, imm(e, 0));
   choose(e, d, c, d3dbc_emit_neg(magnitude), magnitude);
}

static void
trunc_(struct d3dbc_emit *e, operand d, operand a)
{
   const operand t = d3dbc_emit_scratch(e), f = d3dbc_emit_scratch(e);

   d3dbc_emit1(e, D3DBC_OP_ABS, t, a);
   d3dbc_emit1(e, D3DBC_OP_FRC, f, t);
   d3dbc_emit2(e, D3DBC_OP_SUB, t, t, f);
   copy_sign(e, d, a, t);
}

/*
 * The quotient of whole numbers towards zero: floor((|a| + 0.5) / |b|). The
 * half keeps the exact quotient 0.5 / |b| away from the next whole number,
 * more than the rounding of rcp and mul can bridge up to 2^20.
 */
static operand
int_quotient(struct d3dbc_emit *e, operand a, operand b)
{
   const operand x = d3dbc_emit_scratch(e), y = d3dbc_emit_scratch(e);
   const operand q = d3dbc_emit_scratch(e);
   unsigned scratch;

   d3dbc_emit1(e, D3DBC_OP_ABS, x, a);
   d3dbc_emit2(e, D3DBC_OP_ADD, x, x, imm(e, 0.5f));
   d3dbc_emit1(e, D3DBC_OP_ABS, y, b);
   d3dbc_emit1(e, D3DBC_OP_RCP, y, y);
   d3dbc_emit2(e, D3DBC_OP_MUL, q, x, y);
   d3dbc_emit1(e, D3DBC_OP_FRC, x, q);
   d3dbc_emit2(e, D3DBC_OP_SUB, x, q, x);
   /* The sign of a b, as x may be 0. */
   d3dbc_emit2(e, D3DBC_OP_MUL, y, a, b);
   scratch = e->num_scratch;
   copy_sign(e, q, y, x);
   e->num_scratch = scratch;
   return q;
}

static void
int_remainder(struct d3dbc_emit *e, operand d, operand a, operand b)
{
   const operand q = int_quotient(e, a, b);

   d3dbc_emit2(e, D3DBC_OP_MUL, q, q, b);
   d3dbc_emit2(e, D3DBC_OP_SUB, d, a, q);
}

/* The remainder with the sign of the divisor. */
static void
int_modulo(struct d3dbc_emit *e, operand d, operand a, operand b)
{
   const operand q = int_quotient(e, a, b), t = d3dbc_emit_scratch(e);
   unsigned scratch;

   d3dbc_emit2(e, D3DBC_OP_MUL, q, q, b);
   d3dbc_emit2(e, D3DBC_OP_SUB, q, a, q);
   d3dbc_emit2(e, D3DBC_OP_MUL, t, q, b);
   scratch = e->num_scratch;
   less(e, t, t, imm(e, 0));
   e->num_scratch = scratch;
   d3dbc_emit3(e, D3DBC_OP_MAD, d, t, b, q);
}

/* --- Shifts and masks by constants -------------------------------------- */

static bool
const_int(struct d3dbc_emit *e, nir_alu_instr *alu, unsigned i, int *v)
{
   if (!nir_use_is_const(alu->src[i].use))
      return d3dbc_emit_fail(e, "%s by a value that is not constant",
                             nir_op_infos[alu->op].name);
   *v = (int)nir_use_comp_as_uint(alu->src[i].use, alu->src[i].swizzle[0]);
   return true;
}

static void
shift(struct d3dbc_emit *e, nir_alu_instr *alu, operand d, operand a)
{
   int n = 0;

   if (!const_int(e, alu, 1, &n))
      return;
   n &= 31;
   if (alu->op == nir_op_ishl) {
      d3dbc_emit2(e, D3DBC_OP_MUL, d, a, imm(e, ldexpf(1, n)));
   } else {
      const operand t = d3dbc_emit_scratch(e);
      d3dbc_emit2(e, D3DBC_OP_MUL, t, a, imm(e, ldexpf(1, -n)));
      floor_(e, d, t);
   }
}

/* a & (2^n - 1) */
static void
int_and(struct d3dbc_emit *e, nir_alu_instr *alu, operand d)
{
   const unsigned k = nir_use_is_const(alu->src[1].use) ? 1 : 0;
   int mask = 0;

   if (!const_int(e, alu, k, &mask))
      return;
   if (mask < 0 || !util_is_power_of_two_or_zero((uint32_t)mask + 1)) {
      d3dbc_emit_fail(e, "iand with %d, which is no 2^n - 1", mask);
      return;
   }
   const operand a = d3dbc_emit_alu_src(e, alu, 1 - k, 0);
   const operand t = d3dbc_emit_scratch(e);
   d3dbc_emit2(e, D3DBC_OP_MUL, t, a, imm(e, 1.0f / ((float)mask + 1)));
   d3dbc_emit1(e, D3DBC_OP_FRC, t, t);
   d3dbc_emit2(e, D3DBC_OP_MUL, d, t, imm(e, (float)mask + 1));
}

/* --- By opcode ---------------------------------------------------------- */

/* Sine and cosine of one value stand next to each other (d3dbc_from_nir.c):
 * one instruction makes both. */
static nir_alu_instr *
partner(nir_instr *other, const nir_alu_instr *alu)
{
   const nir_op wanted = alu->op == nir_op_fsin ? nir_op_fcos : nir_op_fsin;

   if (!other || other->kind != nir_kind_alu ||
       nir_instr_as_alu(other)->op != wanted ||
       !nir_operands_equal(alu, nir_instr_as_alu(other), 0, 0))
      return NULL;
   return nir_instr_as_alu(other);
}

static void
sin_cos(struct d3dbc_emit *e, nir_alu_instr *alu, operand d, operand a)
{
   const bool sine = alu->op == nir_op_fsin;
   nir_alu_instr *next = partner(nir_instr_next(&alu->instr), alu);

   nir_alu_instr *last = partner(nir_instr_prev(&alu->instr), alu);

   if (last && !partner(nir_instr_prev(&last->instr), last))
      return; /* done */
   /* To -pi..pi, where the instruction is defined. */
   const operand t = d3dbc_emit_scratch4(e);
   const operand x = d3dbc_emit_scratch(e);
   operand out = t;
   const float pi = 3.14159265358979f;

   d3dbc_emit3(e, D3DBC_OP_MAD, x, a, mov_to_scratch(e, imm(e, 0.5f / pi)),
               imm(e, 0.5f));
   d3dbc_emit1(e, D3DBC_OP_FRC, x, x);
   d3dbc_emit3(e, D3DBC_OP_MAD, x, x, mov_to_scratch(e, imm(e, 2 * pi)),
               imm(e, -pi));
   out.mask = 3;
   if (e->pi->major >= 3) {
      d3dbc_emit1(e, D3DBC_OP_SINCOS, out, x);
   } else {
      /* The series that the reference gives as D3DSINCOSCONST1 and 2. */
      static const float series[2][4] = {
         { -1.5500992e-006f, -2.1701389e-005f, 0.0026041667f,
           0.00026041668f },
         { -0.020833334f, -0.12500000f, 1.0f, 0.50000000f },
      };
      struct d3dbc_inst *inst;
      operand c[2];
      for (unsigned i = 0; i < 2; i++)
         c[i] = d3dbc_emit_imm4(e, series[i]);
      inst = d3dbc_emit_inst(e, D3DBC_OP_SINCOS2);
      inst->operand[0] = out;
      inst->operand[0].swizzle = 0;
      inst->operand[1] = x;
      inst->operand[1].mask = 0;
      inst->operand[2] = c[0];
      inst->operand[3] = c[1];
   }
   out.swizzle = sine ? 0x55 : 0;
   d3dbc_emit1(e, D3DBC_OP_MOV, d, out);
   out.swizzle = sine ? 0 : 0x55;
   if (next)
      d3dbc_emit1(e, D3DBC_OP_MOV, d3dbc_emit_dest(e, &next->instr.result, 0),
                  out);
}

/* Opcodes that are one instruction. */
static const struct {
   nir_op op;
   enum d3dbc_op d3d;
} simple[] = {
   { nir_op_mov, D3DBC_OP_MOV },    { nir_op_fadd, D3DBC_OP_ADD },
   { nir_op_fsub, D3DBC_OP_SUB },   { nir_op_fmul, D3DBC_OP_MUL },
   { nir_op_fmulz, D3DBC_OP_MUL },  { nir_op_ffma, D3DBC_OP_MAD },
   { nir_op_fmin, D3DBC_OP_MIN },   { nir_op_fmax, D3DBC_OP_MAX },
   { nir_op_frcp, D3DBC_OP_RCP },   { nir_op_frsq, D3DBC_OP_RSQ },
   { nir_op_fexp2, D3DBC_OP_EXP },  { nir_op_flog2, D3DBC_OP_LOG },
   { nir_op_fpow, D3DBC_OP_POW },   { nir_op_fabs, D3DBC_OP_ABS },
   { nir_op_ffract, D3DBC_OP_FRC }, { nir_op_fddx, D3DBC_OP_DSX },
   { nir_op_fddy, D3DBC_OP_DSY },   { nir_op_iadd, D3DBC_OP_ADD },
   { nir_op_isub, D3DBC_OP_SUB },   { nir_op_imul, D3DBC_OP_MUL },
   { nir_op_imin, D3DBC_OP_MIN },   { nir_op_imax, D3DBC_OP_MAX },
   { nir_op_umin, D3DBC_OP_MIN },   { nir_op_umax, D3DBC_OP_MAX },
   { nir_op_iabs, D3DBC_OP_ABS },   { nir_op_i2f32, D3DBC_OP_MOV },
   { nir_op_u2f32, D3DBC_OP_MOV },  { nir_op_b2f32, D3DBC_OP_MOV },
   { nir_op_b2i32, D3DBC_OP_MOV },
};

static bool
select_simple(struct d3dbc_emit *e, nir_op op, operand d, operand *s)
{
   for (unsigned i = 0; i < ARRAY_SIZE(simple); i++) {
      if (simple[i].op != op)
         continue;
      if (!d3dbc_profile_has_op(e->profile, simple[i].d3d))
         return d3dbc_emit_fail(e, "%s in %s", nir_op_infos[op].name,
                                e->pi->name);
      switch (nir_op_infos[op].num_inputs) {
      case 1: d3dbc_emit1(e, simple[i].d3d, d, s[0]); break;
      case 2: d3dbc_emit2(e, simple[i].d3d, d, s[0], s[1]); break;
      default: d3dbc_emit3(e, simple[i].d3d, d, s[0], s[1], s[2]); break;
      }
      return true;
   }
   return false;
}

static bool
select_compare(struct d3dbc_emit *e, nir_op op, operand d, operand *s)
{
   switch (op) {
   case nir_op_flt:
   case nir_op_ilt:
   case nir_op_ult: less(e, d, s[0], s[1]); return true;
   case nir_op_fge:
   case nir_op_ige:
   case nir_op_uge: greater_equal(e, d, s[0], s[1]); return true;
   case nir_op_feq:
   case nir_op_ieq: equal(e, d, s[0], s[1], false); return true;
   case nir_op_fneu:
   case nir_op_ine: equal(e, d, s[0], s[1], true); return true;
   case nir_op_bcsel: choose(e, d, s[0], s[1], s[2]); return true;
   default: return false;
   }
}

/* lrp counts from its third operand to its second. */
static void
linear(struct d3dbc_emit *e, operand d, operand from, operand to, operand by)
{
   d3dbc_emit3(e, D3DBC_OP_LRP, d, by, to, from);
}

static bool
select_float(struct d3dbc_emit *e, nir_op op, operand d, operand *s)
{
   operand t;

   switch (op) {
   case nir_op_fneg:
   case nir_op_ineg:
      d3dbc_emit1(e, D3DBC_OP_MOV, d, d3dbc_emit_neg(s[0]));
      return true;
   case nir_op_fsat:
      t = mov_to_scratch(e, s[0]);
      d3dbc_emit2(e, D3DBC_OP_MAX, t, t, imm(e, 0));
      d3dbc_emit2(e, D3DBC_OP_MIN, d, t, imm(e, 1));
      return true;
   case nir_op_flrp: linear(e, d, s[0], s[1], s[2]); return true;
   case nir_op_fround_even: round_even(e, d, s[0]); return true;
   case nir_op_fdiv:
      t = d3dbc_emit_scratch(e);
      d3dbc_emit1(e, D3DBC_OP_RCP, t, s[1]);
      d3dbc_emit2(e, D3DBC_OP_MUL, d, s[0], t);
      return true;
   case nir_op_fsqrt:
      t = d3dbc_emit_scratch(e);
      d3dbc_emit1(e, D3DBC_OP_RSQ, t, s[0]);
      d3dbc_emit1(e, D3DBC_OP_RCP, d, t);
      return true;
   case nir_op_ffloor: floor_(e, d, s[0]); return true;
   case nir_op_fceil:
      t = d3dbc_emit_scratch(e);
      d3dbc_emit1(e, D3DBC_OP_FRC, t, d3dbc_emit_neg(s[0]));
      d3dbc_emit2(e, D3DBC_OP_ADD, d, s[0], t);
      return true;
   case nir_op_ftrunc:
   case nir_op_f2i32:
   case nir_op_f2u32: trunc_(e, d, s[0]); return true;
   case nir_op_fmod:
      t = d3dbc_emit_scratch(e);
      d3dbc_emit1(e, D3DBC_OP_RCP, t, s[1]);
      d3dbc_emit2(e, D3DBC_OP_MUL, t, s[0], t);
      floor_(e, t, t);
      d3dbc_emit2(e, D3DBC_OP_MUL, t, t, s[1]);
      d3dbc_emit2(e, D3DBC_OP_SUB, d, s[0], t);
      return true;
   case nir_op_fsign:
      t = d3dbc_emit_scratch(e);
      less(e, t, imm(e, 0), s[0]);
      less(e, d, s[0], imm(e, 0));
      d3dbc_emit2(e, D3DBC_OP_SUB, d, t, d);
      return true;
   default: return false;
   }
}

/* iand, ior, ixor and inot of bools. */
static bool
select_bool(struct d3dbc_emit *e, nir_op op, operand d, operand *s)
{
   switch (op) {
   case nir_op_inot:
      d3dbc_emit2(e, D3DBC_OP_SUB, d, imm(e, 1), s[0]);
      return true;
   case nir_op_iand: d3dbc_emit2(e, D3DBC_OP_MUL, d, s[0], s[1]); return true;
   case nir_op_ior: d3dbc_emit2(e, D3DBC_OP_MAX, d, s[0], s[1]); return true;
   case nir_op_ixor: equal(e, d, s[0], s[1], true); return true;
   default: return false;
   }
}

static bool
select_int(struct d3dbc_emit *e, nir_alu_instr *alu, operand d, operand *s)
{
   switch (alu->op) {
   case nir_op_idiv:
   case nir_op_udiv:
      d3dbc_emit1(e, D3DBC_OP_MOV, d, int_quotient(e, s[0], s[1]));
      return true;
   case nir_op_irem:
   case nir_op_umod: int_remainder(e, d, s[0], s[1]); return true;
   case nir_op_imod: int_modulo(e, d, s[0], s[1]); return true;
   case nir_op_ishl:
   case nir_op_ishr:
   case nir_op_ushr: shift(e, alu, d, s[0]); return true;
   case nir_op_iand: int_and(e, alu, d); return true;
   default: return false;
   }
}

/* vec2 and so on; the sources are not where the destination is. */
static void
select_vec(struct d3dbc_emit *e, nir_alu_instr *alu)
{
   for (unsigned i = 0; i < alu->instr.num_operands; i++)
      d3dbc_emit1(e, D3DBC_OP_MOV, d3dbc_emit_dest(e, &alu->instr.result, i),
                  d3dbc_emit_alu_src(e, alu, i, i));
}

/* An unsigned constant from 2^31 on would be a negative float. */
static void
check_unsigned(struct d3dbc_emit *e, nir_alu_instr *alu, unsigned i,
               unsigned c)
{
   const nir_use *src = &alu->src[i].use;

   if (alu->op == nir_op_mov || alu->op == nir_op_bcsel ||
       !nir_use_is_const(*src) || src->value->bit_size != 32 ||
       nir_type_base(nir_op_infos[alu->op].input[i].type) != nir_type_uint)
      return;
   const uint32_t bits =
      (uint32_t)nir_use_comp_as_uint(*src, alu->src[i].swizzle[c]);
   if (bits >> 31)
      d3dbc_emit_fail(e,
                      "integer %u is beyond 2^24, which a float does not "
                      "hold",
                      bits);
}

static void
select_component(struct d3dbc_emit *e, nir_alu_instr *alu, unsigned c)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const operand d = d3dbc_emit_dest(e, &alu->instr.result, c);
   const bool is_bool = alu->instr.result.bit_size == 1;
   operand s[4] = { 0 };
   bool done;

   for (unsigned i = 0; i < info->num_inputs && i < 4; i++) {
      check_unsigned(e, alu, i, c);
      s[i] = d3dbc_emit_alu_src(e, alu, i, c);
   }
   e->num_scratch = 0;
   if (nir_op_is_derivative(alu->op))
      d3dbc_emit_derivative(e, info->name);
   done = alu->op == nir_op_fsin || alu->op == nir_op_fcos;
   if (done)
      sin_cos(e, alu, d, s[0]);
   done = done || select_simple(e, alu->op, d, s) ||
          select_compare(e, alu->op, d, s) || select_float(e, alu->op, d, s);
   if (!done)
      done = is_bool ? select_bool(e, alu->op, d, s)
                     : select_int(e, alu, d, s);
   if (!done)
      d3dbc_emit_fail(e, "%s has no counterpart in %s", info->name,
                      e->pi->name);
}

/* ---- several components at once ---- */

static bool
may_be_vector(const nir_alu_instr *alu)
{
   for (unsigned i = 0; i < ARRAY_SIZE(simple); i++) {
      if (simple[i].op == alu->op)
         return d3dbc_op_info(simple[i].d3d)->sem == D3DBC_SEM_MAP;
   }
   switch (alu->op) {
   case nir_op_flt:
   case nir_op_fge:
   case nir_op_feq:
   case nir_op_fneu:
   case nir_op_bcsel:
   case nir_op_flrp:
   case nir_op_fneg:
   case nir_op_fsat:
   case nir_op_ffloor:
   case nir_op_fceil: return true;
   default: return false;
   }
}

static bool
select_vector(struct d3dbc_emit *e, nir_alu_instr *alu)
{
   const unsigned n = alu->instr.result.num_components;
   const size_t size_B = e->body.size_B;
   operand d = { 0 }, s[4] = { 0 }, one[4];
   uint8_t place[4];
   unsigned mask = 0;

   if (n < 2 || !e->vectors || !may_be_vector(alu))
      return false;
   for (unsigned c = 0; c < n; c++) {
      one[c] = d3dbc_emit_dest(e, &alu->instr.result, c);
      place[c] = (uint8_t)(ffs(one[c].mask) - 1);
      if (one[c].reg.index != one[0].reg.index)
         return false;
      mask |= one[c].mask;
   }
   d = one[0];
   d.mask = (uint8_t)mask;
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      for (unsigned c = 0; c < n; c++) {
         check_unsigned(e, alu, i, c);
         one[c] = d3dbc_emit_alu_src(e, alu, i, c);
      }
      if (!d3dbc_in_one_register(one, place, n, &s[i]))
         return false;
   }
   if (nir_op_is_derivative(alu->op))
      d3dbc_emit_derivative(e, nir_op_infos[alu->op].name);
   e->num_scratch = 0;
   e->vector_mask = d.mask;
   e->short_of_scratch = false;
   const bool done = select_simple(e, alu->op, d, s) ||
                     select_compare(e, alu->op, d, s) ||
                     select_float(e, alu->op, d, s);
   e->vector_mask = 0;
   e->num_scratch = 0;
   if (done && !e->short_of_scratch)
      return true;
   e->body.size_B = size_B;
   return false;
}

void
d3dbc_select_alu(struct d3dbc_emit *e, nir_alu_instr *alu)
{
   if (alu->instr.result.bit_size != 32 && alu->instr.result.bit_size != 1) {
      d3dbc_emit_fail(e, "%s of %u bits: %s has 32",
                      nir_op_infos[alu->op].name, alu->instr.result.bit_size,
                      e->pi->name);
      return;
   }
   if (nir_op_is_vec(alu->op)) {
      select_vec(e, alu);
      return;
   }
   if (alu->op == nir_op_fdot3 || alu->op == nir_op_fdot4) {
      d3dbc_select_dot(e, alu, alu->op == nir_op_fdot3 ? 3 : 4);
      return;
   }
   if (select_vector(e, alu))
      return;
   for (unsigned c = 0; c < alu->instr.result.num_components; c++)
      select_component(e, alu, c);
}
