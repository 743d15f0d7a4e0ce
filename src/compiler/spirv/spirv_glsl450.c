/* SPDX-License-Identifier: MIT */
/*
 * The extended instruction set GLSL.std.450. Most instructions map operands
 * of one type to a result of the same type: those are cases of one function.
 */
#include <math.h>
#include "compiler/spirv/spirv_private.h"
#include "compiler/spirv/spirv_trig.h"

static const char *
name(const struct spv *s)
{
   return spirv_glsl450_info(s->cur[4])->name;
}

static void
check(struct spv *s, bool cond)
{
   spv_check(s, cond,
             "GLSL.std.450 %s: an operand or the result has the "
             "wrong type",
             name(s));
}

static nir_value *
constant(struct spv *s, const nir_value *like, double v)
{
   nir_const_value values[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < like->num_components; i++)
      values[i] = nir_const_value_for_float(v, like->bit_size);
   return nir_build_imm(&s->nb, like->num_components, like->bit_size, values);
}

static nir_value *
splat(struct spv *s, nir_value *x, unsigned n)
{
   static const unsigned zero[NIR_MAX_VEC_COMPONENTS];
   return nir_swizzle(&s->nb, x, zero, n);
}

static nir_value *
length(struct spv *s, nir_value *v)
{
   if (v->num_components == 1)
      return nir_fabs(&s->nb, v);
   return nir_fsqrt(&s->nb, nir_fdot(&s->nb, v, v));
}

static nir_value *
dot(struct spv *s, nir_value *a, nir_value *b)
{
   return a->num_components == 1 ? nir_fmul(&s->nb, a, b)
                                 : nir_fdot(&s->nb, a, b);
}

static nir_value *
normalize(struct spv *s, nir_value *v)
{
   nir_value *r;

   if (v->num_components == 1)
      return nir_fsign(&s->nb, v);
   r = nir_frsq(&s->nb, nir_fdot(&s->nb, v, v));
   return nir_fmul(&s->nb, v, splat(s, r, v->num_components));
}

static nir_value *
cross(struct spv *s, nir_value *a, nir_value *b)
{
   static const unsigned yzx[] = { 1, 2, 0 }, zxy[] = { 2, 0, 1 };
   nir_builder *nb = &s->nb;

   return nir_fsub(
      nb,
      nir_fmul(nb, nir_swizzle(nb, a, yzx, 3), nir_swizzle(nb, b, zxy, 3)),
      nir_fmul(nb, nir_swizzle(nb, a, zxy, 3), nir_swizzle(nb, b, yzx, 3)));
}

static nir_value *
reflect(struct spv *s, nir_value *i, nir_value *n)
{
   nir_value *d = dot(s, n, i);

   d = splat(s, nir_fadd(&s->nb, d, d), i->num_components);
   return nir_fsub(&s->nb, i, nir_fmul(&s->nb, d, n));
}

/* k = 1 - eta^2 (1 - (N.I)^2); 0 if k < 0, else
 * eta I - (eta N.I + sqrt k) N */
static nir_value *
refract(struct spv *s, nir_value *i, nir_value *n, nir_value *eta)
{
   nir_builder *b = &s->nb;
   const unsigned comps = i->num_components;
   nir_value *d = dot(s, n, i), *one, *k, *t, *r;

   if (eta->bit_size != i->bit_size)
      eta = nir_f2fN(b, eta, i->bit_size);
   one = constant(s, d, 1.0);
   k = nir_fsub(b, one, nir_fmul(b, d, d));
   k = nir_fsub(b, one, nir_fmul(b, nir_fmul(b, eta, eta), k));
   t = nir_fadd(b, nir_fmul(b, eta, d), nir_fsqrt(b, k));
   r = nir_fsub(b, nir_fmul(b, splat(s, eta, comps), i),
                nir_fmul(b, splat(s, t, comps), n));
   return nir_bcsel(b, splat(s, nir_flt(b, k, constant(s, k, 0.0)), comps),
                    constant(s, i, 0.0), r);
}

static nir_value *
smooth_step(struct spv *s, nir_value *lo, nir_value *hi, nir_value *x)
{
   nir_builder *b = &s->nb;
   nir_value *t = nir_fdiv(b, nir_fsub(b, x, lo), nir_fsub(b, hi, lo));

   t = nir_fclamp(b, t, constant(s, t, 0.0), constant(s, t, 1.0));
   return nir_fmul(b, nir_fmul(b, t, t),
                   nir_fsub(b, constant(s, t, 3.0),
                            nir_fmul(b, constant(s, t, 2.0), t)));
}

static nir_value *
step(struct spv *s, nir_value *edge, nir_value *x)
{
   return nir_bcsel(&s->nb, nir_flt(&s->nb, x, edge), constant(s, x, 0.0),
                    constant(s, x, 1.0));
}

static nir_value *
face_forward(struct spv *s, nir_value *n, nir_value *i, nir_value *ref)
{
   nir_value *d = dot(s, ref, i);
   nir_value *front = nir_flt(&s->nb, d, constant(s, d, 0.0));

   return nir_bcsel(&s->nb, splat(s, front, n->num_components), n,
                    nir_fneg(&s->nb, n));
}

/* Float operands and result of one type; a case each. */
static nir_value *
float_op(struct spv *s, unsigned op, nir_value **x)
{
   nir_builder *b = &s->nb;

   switch (op) {
   case GLSLstd450Round: /* halfway may go either way */
   case GLSLstd450RoundEven: return nir_fround_even(b, x[0]);
   case GLSLstd450Trunc: return nir_ftrunc(b, x[0]);
   case GLSLstd450FAbs: return nir_fabs(b, x[0]);
   case GLSLstd450FSign: return nir_fsign(b, x[0]);
   case GLSLstd450Floor: return nir_ffloor(b, x[0]);
   case GLSLstd450Ceil: return nir_fceil(b, x[0]);
   case GLSLstd450Fract: return nir_ffract(b, x[0]);
   case GLSLstd450Radians:
      return nir_fmul(b, x[0], constant(s, x[0], M_PI / 180));
   case GLSLstd450Degrees:
      return nir_fmul(b, x[0], constant(s, x[0], 180 / M_PI));
   case GLSLstd450Sin: return nir_fsin(b, x[0]);
   case GLSLstd450Cos: return nir_fcos(b, x[0]);
   case GLSLstd450Tan:
      return nir_fdiv(b, nir_fsin(b, x[0]), nir_fcos(b, x[0]));
   case GLSLstd450Asin: return spv_build_asin(b, x[0]);
   case GLSLstd450Acos: return spv_build_acos(b, x[0]);
   case GLSLstd450Atan: return spv_build_atan(b, x[0]);
   case GLSLstd450Sinh: return spv_build_sinh(b, x[0]);
   case GLSLstd450Cosh: return spv_build_cosh(b, x[0]);
   case GLSLstd450Tanh: return spv_build_tanh(b, x[0]);
   case GLSLstd450Asinh: return spv_build_asinh(b, x[0]);
   case GLSLstd450Acosh: return spv_build_acosh(b, x[0]);
   case GLSLstd450Atanh: return spv_build_atanh(b, x[0]);
   case GLSLstd450Atan2: return spv_build_atan2(b, x[0], x[1]);
   case GLSLstd450Pow: return nir_fpow(b, x[0], x[1]);
   case GLSLstd450Exp: return spv_build_exp(b, x[0]);
   case GLSLstd450Log: return spv_build_log(b, x[0]);
   case GLSLstd450Exp2: return nir_fexp2(b, x[0]);
   case GLSLstd450Log2: return nir_flog2(b, x[0]);
   case GLSLstd450Sqrt: return nir_fsqrt(b, x[0]);
   case GLSLstd450InverseSqrt: return nir_frsq(b, x[0]);
   case GLSLstd450FMin:
   case GLSLstd450NMin: return nir_fmin(b, x[0], x[1]);
   case GLSLstd450FMax:
   case GLSLstd450NMax: return nir_fmax(b, x[0], x[1]);
   case GLSLstd450FClamp:
   case GLSLstd450NClamp: return nir_fclamp(b, x[0], x[1], x[2]);
   case GLSLstd450FMix: return nir_flrp(b, x[0], x[1], x[2]);
   case GLSLstd450Step: return step(s, x[0], x[1]);
   case GLSLstd450SmoothStep: return smooth_step(s, x[0], x[1], x[2]);
   case GLSLstd450Fma: return nir_ffma(b, x[0], x[1], x[2]);
   case GLSLstd450Normalize: return normalize(s, x[0]);
   case GLSLstd450FaceForward: return face_forward(s, x[0], x[1], x[2]);
   case GLSLstd450Reflect: return reflect(s, x[0], x[1]);
   case GLSLstd450Cross:
      check(s, x[0]->num_components == 3);
      return cross(s, x[0], x[1]);
   default: return NULL;
   }
}

static nir_value *
int_op(struct spv *s, unsigned op, nir_value **x)
{
   nir_builder *b = &s->nb;

   switch (op) {
   case GLSLstd450SAbs: return nir_iabs(b, x[0]);
   case GLSLstd450SSign: return nir_isign(b, x[0]);
   case GLSLstd450UMin: return nir_umin(b, x[0], x[1]);
   case GLSLstd450SMin: return nir_imin(b, x[0], x[1]);
   case GLSLstd450UMax: return nir_umax(b, x[0], x[1]);
   case GLSLstd450SMax: return nir_imax(b, x[0], x[1]);
   case GLSLstd450UClamp: return nir_uclamp(b, x[0], x[1], x[2]);
   case GLSLstd450SClamp: return nir_iclamp(b, x[0], x[1], x[2]);
   case GLSLstd450FindILsb: return nir_find_lsb(b, x[0]);
   case GLSLstd450FindSMsb: return nir_ifind_msb(b, x[0]);
   case GLSLstd450FindUMsb: return nir_ufind_msb(b, x[0]);
   default: return NULL;
   }
}

/* Operands all of the type of the result. False: not such an instruction. */
static bool
uniform_op(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const unsigned n = spv_count(w) - 5, op = w[4];
   const enum spv_base base = spv_scalar(t)->base;
   const bool is_int =
      (op >= GLSLstd450FindILsb && op <= GLSLstd450FindUMsb) ||
      op == GLSLstd450SAbs || op == GLSLstd450SSign || op == GLSLstd450UMin ||
      op == GLSLstd450SMin || op == GLSLstd450UMax || op == GLSLstd450SMax ||
      op == GLSLstd450UClamp || op == GLSLstd450SClamp;
   const bool find = op >= GLSLstd450FindILsb && op <= GLSLstd450FindUMsb;
   nir_value *x[3] = { NULL, NULL, NULL }, *r;

   if (n > 3)
      return false;
   check(s, base == (is_int ? SPV_INT : SPV_FLOAT));
   if (op >= GLSLstd450Radians && op <= GLSLstd450Log2 && t->bits == 64)
      spv_unsupported(s, "GLSL.std.450 %s of 64 bits", name(s));
   for (unsigned i = 0; i < n; i++) {
      const struct spv_type *xt = spv_value_type(s, w[5 + i]);
      x[i] = spv_get_def(s, w[5 + i]);
      check(s, spv_scalar(xt)->base == base &&
                  spv_components(xt) == spv_components(t) &&
                  (find || xt->bits == t->bits));
   }
   r = is_int ? int_op(s, op, x) : float_op(s, op, x);
   if (!r)
      return false;
   if (find)
      r = nir_i2iN(&s->nb, r, t->bits);
   spv_set_def(s, t, w[2], r);
   return true;
}

/* --- Two results, through a struct or a pointer ------------------------- */

static struct spv_ssa *
wrap(struct spv *s, struct spv_type *t, nir_value *def)
{
   struct spv_ssa *v = spv_ssa_create(s, t);

   check(s, (t->base != SPV_STRUCT && !v->elems) &&
               spv_components(t) == def->num_components &&
               t->bits == def->bit_size);
   v->def = def;
   return v;
}

static void
set_pair(struct spv *s, const uint32_t *w, struct spv_type *t,
         nir_value *first, nir_value *second)
{
   struct spv_ssa *r = spv_ssa_create(s, t);

   r->elems[0] = wrap(s, t->members[0], first);
   r->elems[1] = wrap(s, t->members[1], second);
   spv_set_ssa(s, w[2], r);
}

static void
modf_op(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *xt = spv_value_type(s, w[5]);
   nir_value *x = spv_get_def(s, w[5]), *whole, *fract, *inf;

   check(s, spv_scalar(xt)->base == SPV_FLOAT);
   whole = nir_ftrunc(&s->nb, x);
   fract = nir_fsub(&s->nb, x, whole);
   /* Infinity minus infinity is not a number; the fraction of it is 0. */
   inf = nir_feq(&s->nb, nir_fabs(&s->nb, x), constant(s, x, INFINITY));
   fract = nir_bcsel(&s->nb, inf, constant(s, x, 0.0), fract);
   if (w[4] == GLSLstd450ModfStruct) {
      check(s, t->base == SPV_STRUCT && t->length == 2);
      set_pair(s, w, t, fract, whole);
   } else {
      struct spv_pointer *p = spv_get_pointer(s, w[6]);
      check(s, spv_same_type(t, xt) && spv_same_type(p->type, xt));
      spv_store(s, p, wrap(s, p->type, whole));
      spv_set_def(s, t, w[2], fract);
   }
}

static void
frexp_op(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *xt = spv_value_type(s, w[5]);
   nir_value *x = spv_get_def(s, w[5]), *sig, *exp;

   check(s, spv_scalar(xt)->base == SPV_FLOAT);
   sig = nir_frexp_sig(&s->nb, x);
   exp = nir_frexp_exp(&s->nb, x);
   if (w[4] == GLSLstd450FrexpStruct) {
      check(s, t->base == SPV_STRUCT && t->length == 2);
      exp = nir_i2iN(&s->nb, exp, t->members[1]->bits == 16 ? 16 : 32);
      set_pair(s, w, t, sig, exp);
   } else {
      struct spv_pointer *p = spv_get_pointer(s, w[6]);
      check(s, spv_same_type(t, xt));
      exp = nir_i2iN(&s->nb, exp, p->type->bits == 16 ? 16 : 32);
      spv_store(s, p, wrap(s, p->type, exp));
      spv_set_def(s, t, w[2], sig);
   }
}

static void
ldexp_op(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *et = spv_value_type(s, w[6]);
   nir_value *x = spv_get_def(s, w[5]), *e = spv_get_def(s, w[6]);

   check(s, spv_scalar(t)->base == SPV_FLOAT &&
               spv_same_type(spv_value_type(s, w[5]), t) &&
               spv_scalar(et)->base == SPV_INT &&
               spv_components(et) == spv_components(t));
   spv_set_def(s, t, w[2], nir_ldexp(&s->nb, x, nir_i2iN(&s->nb, e, 32)));
}

/* --- Vectors to scalars ------------------------------------------------- */

static void
geometric(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *xt = spv_value_type(s, w[5]);
   nir_value *x = spv_get_def(s, w[5]);

   check(s, t->base == SPV_FLOAT && spv_scalar(xt)->base == SPV_FLOAT &&
               xt->bits == t->bits);
   if (w[4] == GLSLstd450Distance) {
      check(s, spv_same_type(spv_value_type(s, w[6]), xt));
      x = nir_fsub(&s->nb, x, spv_get_def(s, w[6]));
   }
   spv_set_def(s, t, w[2], length(s, x));
}

static void
refract_op(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *et = spv_value_type(s, w[7]);

   check(s, spv_scalar(t)->base == SPV_FLOAT &&
               spv_same_type(spv_value_type(s, w[5]), t) &&
               spv_same_type(spv_value_type(s, w[6]), t) &&
               et->base == SPV_FLOAT);
   spv_set_def(s, t, w[2],
               refract(s, spv_get_def(s, w[5]), spv_get_def(s, w[6]),
                       spv_get_def(s, w[7])));
}

static void
pack_op(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   static const struct {
      uint16_t ext;
      uint8_t from_base, from_comps, from_bits;
      uint8_t to_base, to_comps, to_bits;
      nir_op op;
   } ops[] = {
      { GLSLstd450PackSnorm4x8, SPV_FLOAT, 4, 32, SPV_INT, 1, 32,
        nir_op_pack_snorm_4x8 },
      { GLSLstd450PackUnorm4x8, SPV_FLOAT, 4, 32, SPV_INT, 1, 32,
        nir_op_pack_unorm_4x8 },
      { GLSLstd450PackSnorm2x16, SPV_FLOAT, 2, 32, SPV_INT, 1, 32,
        nir_op_pack_snorm_2x16 },
      { GLSLstd450PackUnorm2x16, SPV_FLOAT, 2, 32, SPV_INT, 1, 32,
        nir_op_pack_unorm_2x16 },
      { GLSLstd450PackHalf2x16, SPV_FLOAT, 2, 32, SPV_INT, 1, 32,
        nir_op_pack_half_2x16 },
      { GLSLstd450PackDouble2x32, SPV_INT, 2, 32, SPV_FLOAT, 1, 64,
        nir_op_pack_64_2x32 },
      { GLSLstd450UnpackSnorm4x8, SPV_INT, 1, 32, SPV_FLOAT, 4, 32,
        nir_op_unpack_snorm_4x8 },
      { GLSLstd450UnpackUnorm4x8, SPV_INT, 1, 32, SPV_FLOAT, 4, 32,
        nir_op_unpack_unorm_4x8 },
      { GLSLstd450UnpackSnorm2x16, SPV_INT, 1, 32, SPV_FLOAT, 2, 32,
        nir_op_unpack_snorm_2x16 },
      { GLSLstd450UnpackUnorm2x16, SPV_INT, 1, 32, SPV_FLOAT, 2, 32,
        nir_op_unpack_unorm_2x16 },
      { GLSLstd450UnpackHalf2x16, SPV_INT, 1, 32, SPV_FLOAT, 2, 32,
        nir_op_unpack_half_2x16 },
      { GLSLstd450UnpackDouble2x32, SPV_FLOAT, 1, 64, SPV_INT, 2, 32,
        nir_op_unpack_64_2x32 },
   };
   const struct spv_type *xt = spv_value_type(s, w[5]);

   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
      if (ops[i].ext != w[4])
         continue;
      check(s, spv_scalar(xt)->base == ops[i].from_base &&
                  spv_components(xt) == ops[i].from_comps &&
                  xt->bits == ops[i].from_bits &&
                  spv_scalar(t)->base == ops[i].to_base &&
                  spv_components(t) == ops[i].to_comps &&
                  t->bits == ops[i].to_bits);
      spv_set_def(s, t, w[2],
                  nir_build_alu1(&s->nb, ops[i].op, spv_get_def(s, w[5])));
      return;
   }
   spv_unsupported(s, "GLSL.std.450 %s", name(s));
}

/* --- Matrices ----------------------------------------------------------- */

/* m without a row and a column, as elements [column][row]. */
static nir_value *minor(struct spv *s, nir_value *e[4][4], unsigned n,
                        unsigned col, unsigned row);

static nir_value *
determinant(struct spv *s, nir_value *e[4][4], unsigned n)
{
   nir_value *sum = NULL;

   if (n == 1)
      return e[0][0];
   for (unsigned c = 0; c < n; c++) {
      nir_value *p = nir_fmul(&s->nb, e[c][0], minor(s, e, n, c, 0));
      if (!sum)
         sum = p;
      else
         sum = c & 1 ? nir_fsub(&s->nb, sum, p) : nir_fadd(&s->nb, sum, p);
   }
   return sum;
}

static nir_value *
minor(struct spv *s, nir_value *e[4][4], unsigned n, unsigned col,
      unsigned row)
{
   nir_value *m[4][4];

   for (unsigned c = 0; c < n - 1; c++) {
      for (unsigned r = 0; r < n - 1; r++)
         m[c][r] = e[c + (c >= col)][r + (r >= row)];
   }
   return determinant(s, m, n - 1);
}

/* A result of matrix_op() in the matrix's own type. */
static nir_value *
narrow(struct spv *s, const struct spv_type *t, nir_value *v)
{
   return t->bits == 16 ? nir_f2f16(&s->nb, v) : v;
}

/* Of halves in floats: a product of four would leave a half's range, and the
 * differences of products its precision. */
static void
matrix_op(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *m = spv_get_ssa(s, w[5]), *r;
   const unsigned n = m->type->length;
   nir_value *e[4][4], *det, *rcp;

   check(s, m->type->base == SPV_MATRIX && m->type->elem->length == n);
   for (unsigned c = 0; c < n; c++) {
      for (unsigned i = 0; i < n; i++) {
         e[c][i] = nir_channel(&s->nb, m->elems[c]->def, i);
         if (m->type->elem->bits == 16)
            e[c][i] = nir_f2f32(&s->nb, e[c][i]);
      }
   }
   det = determinant(s, e, n);
   if (w[4] == GLSLstd450Determinant) {
      check(s, spv_same_type(t, m->type->elem->elem));
      spv_set_def(s, t, w[2], narrow(s, t, det));
      return;
   }
   check(s, spv_same_type(t, m->type));
   /* The transposed cofactors over the determinant. */
   rcp = nir_frcp(&s->nb, det);
   r = spv_ssa_create(s, t);
   for (unsigned c = 0; c < n; c++) {
      nir_value *comps[4];
      for (unsigned i = 0; i < n; i++) {
         nir_value *v = nir_fmul(&s->nb, minor(s, e, n, i, c), rcp);
         v = (c + i) & 1 ? nir_fneg(&s->nb, v) : v;
         comps[i] = narrow(s, t->elem, v);
      }
      r->elems[c] = wrap(s, t->elem, nir_vec(&s->nb, comps, n));
   }
   spv_set_ssa(s, w[2], r);
}

/* --- Interpolation ------------------------------------------------------ */

static void
interpolate(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_pointer *p = spv_get_pointer(s, w[5]);
   nir_value *arg = NULL, *def;
   nir_deref_instr *d;
   const struct spv_link *last = NULL;

   check(s, spv_scalar(t)->base == SPV_FLOAT && t->bits == 32 &&
               spv_same_type(p->type, t) &&
               p->var->storage == SpvStorageClassInput &&
               s->stage == MESA_SHADER_FRAGMENT);
   d = spv_deref(s, p);
   /* NIR interpolates whole vectors. */
   if (d->deref_type == nir_deref_type_array &&
       glsl_type_is_vector(nir_deref_parent(d)->type)) {
      last = &p->chain[p->length - 1];
      d = nir_deref_parent(d);
   }
   if (w[4] == GLSLstd450InterpolateAtSample) {
      arg = spv_get_def(s, w[6]);
      check(s,
            spv_value_type(s, w[6])->base == SPV_INT && arg->bit_size == 32);
      def = nir_interp_deref_at_sample(&s->nb,
                                       glsl_get_vector_elements(d->type), 32,
                                       &d->instr.result, arg);
   } else if (w[4] == GLSLstd450InterpolateAtOffset) {
      arg = spv_get_def(s, w[6]);
      check(s, arg->num_components == 2 && arg->bit_size == 32);
      def = nir_interp_deref_at_offset(&s->nb,
                                       glsl_get_vector_elements(d->type), 32,
                                       &d->instr.result, arg);
   } else {
      def = nir_interp_deref_at_centroid(
         &s->nb, glsl_get_vector_elements(d->type), 32, &d->instr.result);
   }
   if (last)
      def = last->index
               ? nir_vector_extract(&s->nb, def, last->index)
               : nir_channel(&s->nb, def,
                             MIN2(last->literal, def->num_components - 1u));
   spv_set_def(s, t, w[2], def);
}

void
spv_handle_glsl450(struct spv *s, const uint32_t *w)
{
   const struct spirv_ext_opcode *info = spirv_glsl450_info(w[4]);
   struct spv_type *t = spv_get_type(s, w[1]);

   spv_check(s, info, "GLSL.std.450 has no instruction %u", w[4]);
   spv_check(s, spv_count(w) - 5 == info->num_operands,
             "GLSL.std.450 %s: %u operands, not %u", info->name,
             spv_count(w) - 5, info->num_operands);
   switch (w[4]) {
   case GLSLstd450Modf:
   case GLSLstd450ModfStruct: modf_op(s, w, t); break;
   case GLSLstd450Frexp:
   case GLSLstd450FrexpStruct: frexp_op(s, w, t); break;
   case GLSLstd450Ldexp: ldexp_op(s, w, t); break;
   case GLSLstd450Length:
   case GLSLstd450Distance: geometric(s, w, t); break;
   case GLSLstd450Refract: refract_op(s, w, t); break;
   case GLSLstd450Determinant:
   case GLSLstd450MatrixInverse: matrix_op(s, w, t); break;
   case GLSLstd450InterpolateAtCentroid:
   case GLSLstd450InterpolateAtSample:
   case GLSLstd450InterpolateAtOffset: interpolate(s, w, t); break;
   default:
      if (w[4] >= GLSLstd450PackSnorm4x8 &&
          w[4] <= GLSLstd450UnpackDouble2x32)
         pack_op(s, w, t);
      else if (!uniform_op(s, w, t))
         spv_unsupported(s, "GLSL.std.450 %s", info->name);
      break;
   }
}
