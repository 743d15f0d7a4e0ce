/* SPDX-License-Identifier: MIT */
/*
 * The common forms of the common instructions, a register of eight 32-bit or
 * four 64-bit channels at a time, on host vectors.
 *
 * This file is built twice: for the baseline of the host and for AVX2 with
 * FMA; decode.c takes the one that the host can run. What holds before:
 * decode.c has checked that operands are in the register file, that masks
 * are plain, and that executing in pieces of a register gives what the
 * instruction's own pieces give. Each body must give the bits that
 * generic.c gives; the test `eu_random` compares them.
 */
#include "intel/sim/eu/fast_lanes.h"

#ifndef EU_FAST_SELECT
#error "EU_FAST_SELECT names the entry point of this build"
#endif

/* Bodies ----------------------------------------------------------------- */

#define BODY(name)                                                           \
   static const struct eu_op *name(struct sim_eu_thread *t,                  \
                                   const struct eu_op *op)

/* Most of these have two bodies: name_any for any operands, not inlined, and
 * name for the many instructions that are plain. */

#define EACH_CHUNK(vec, load, n, write)                                      \
   for (unsigned i = 0; i < op->chunks; i++) {                               \
      const vec a = load(t, &op->src[0], i);                                 \
      const vec b = (n) > 1 ? load(t, &op->src[1], i) : a;                   \
      const vec c = (n) > 2 ? load(t, &op->src[2], i) : a;                   \
      (void)b, (void)c;                                                      \
      write;                                                                 \
   }                                                                         \
   return op + 1;

#define ANY_BODY(name, prepare, vec, load, n, write)                         \
   __attribute__((noinline)) BODY(name##_any)                                \
   {                                                                         \
      const uint32_t mask = eu_exec_mask(t, op);                             \
      prepare;                                                               \
      EACH_CHUNK(vec, load, n, write)                                        \
   }

#define PLAIN_BODY(name, ready, vec, load, n, expr)                          \
   BODY(name)                                                                \
   {                                                                         \
      if (!eu_is_plain(t, op) || !(ready))                                   \
         return name##_any(t, op);                                           \
      EACH_CHUNK(vec, load, n, PLAIN_STORE(t, op, i, expr))                  \
   }

#define FLOAT_BODY(name, n, expr)                                            \
   ANY_BODY(name, eu_use_fp(t, EU_FP_F), v8f, load_f, n,                     \
            finish_f(t, op, i, mask, expr))                                  \
   PLAIN_BODY(name, eu_has_fp(t, EU_FP_F), v8f, plain_f, n, expr)

INLINE v8f
fraction(v8f a)
{
   const v8f f = a - round_down(a);
   return (v8f)choose((v8u)(f >= splat_f(1.0f)), (v8u)splat_f(0x1.fffffep-1f),
                      (v8u)f);
}

FLOAT_BODY(mov_f, 1, canonical(a))
FLOAT_BODY(add_f, 2, a + b)
FLOAT_BODY(mul_f, 2, a *b)
FLOAT_BODY(mad_f, 3, fused(b, c, a))
FLOAT_BODY(lrp_f, 3, fused(a, b, (splat_f(1.0f) - a) * c))
FLOAT_BODY(frc_f, 1, fraction(canonical(a)))
FLOAT_BODY(rndd_f, 1, round_down(canonical(a)))
FLOAT_BODY(rndu_f, 1, round_up(canonical(a)))
FLOAT_BODY(rnde_f, 1, round_even(canonical(a)))
FLOAT_BODY(rndz_f, 1, round_zero(canonical(a)))

#define DOUBLE_BODY(name, n, expr)                                           \
   ANY_BODY(name, eu_use_fp(t, EU_FP_DF), v4df, load_df, n,                  \
            finish_df(t, op, i, mask, expr))                                 \
   PLAIN_BODY(name, eu_has_fp(t, EU_FP_DF), v4df, plain_df, n, expr)

DOUBLE_BODY(mov_df, 1, canonical_df(a))
DOUBLE_BODY(add_df, 2, a + b)
DOUBLE_BODY(mul_df, 2, a *b)
DOUBLE_BODY(mad_df, 3, fused_df(b, c, a))

#define INT_BODY(name, n, load, expr)                                        \
   ANY_BODY(name, (void)0, v8u, load, n, finish_int(t, op, i, mask, expr))   \
   PLAIN_BODY(name, true, v8u, plain_32, n, expr)

INT_BODY(mov_int, 1, load_int, a)
INT_BODY(add_int, 2, load_int, a + b)
INT_BODY(mul_int, 2, load_int, a *b)
INT_BODY(not_int, 1, load_logic, ~a)
INT_BODY(and_int, 2, load_logic, a &b)
INT_BODY(or_int, 2, load_logic, a | b)
INT_BODY(xor_int, 2, load_logic, a ^ b)
INT_BODY(shl_int, 2, load_int, a << (b & 31))
INT_BODY(shr_int, 2, load_int, a >> (b & 31))
INT_BODY(asr_int, 2, load_int, (v8u)((v8d)a >> (v8d)(b & 31)))

/* Copies of bits. */
ANY_BODY(mov_raw32, (void)0, v8u, load_32, 1, store_32(t, op, i, mask, a))
PLAIN_BODY(mov_raw32, true, v8u, plain_32, 1, a)
ANY_BODY(mov_raw64, (void)0, v4uq, load_64, 1, store_64(t, op, i, mask, a))
PLAIN_BODY(mov_raw64, true, v4uq, plain_64, 1, a)

/* Conversions */

BODY(mov_f_from_d)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++)
      finish_f(t, op, i, mask,
               __builtin_convertvector((v8d)load_int(t, &op->src[0], i),
                                       v8f));
   return op + 1;
}

/* Exact halves, so that the sum rounds once. */
BODY(mov_f_from_ud)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8u u = load_32(t, &op->src[0], i);
      const v8f hi = __builtin_convertvector((v8d)(u >> 16), v8f);
      const v8f lo = __builtin_convertvector((v8d)(u & 0xffff), v8f);
      finish_f(t, op, i, mask, fused(hi, splat_f(65536.0f), lo));
   }
   return op + 1;
}

BODY(mov_d_from_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f f = load_f(t, &op->src[0], i);
      const v8u high = (v8u)(f >= splat_f(0x1p31f));
      v8d d;
      for (unsigned l = 0; l < 8; l++)
         d[l] = __builtin_ia32_cvttss2si((v4f) { f[l] });
      finish_int(t, op, i, mask,
                 choose(high, splat_u(INT32_MAX), (v8u)d) & (v8u)(f == f));
   }
   return op + 1;
}

BODY(mov_ud_from_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f f = load_f(t, &op->src[0], i);
      v8u u;
      for (unsigned l = 0; l < 8; l++)
         u[l] = !(f[l] > 0)       ? 0
                : f[l] >= 0x1p32f ? UINT32_MAX
                                  : (uint32_t)(int64_t)f[l];
      finish_int(t, op, i, mask, u);
   }
   return op + 1;
}

BODY(mov_df_from_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const struct eu_src *s = &op->src[0];
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      v4u u = load_4x32(t, s, i);
      u = (u & s->and_hi) ^ s->xor_hi;
      finish_df(t, op, i, mask, __builtin_convertvector((v4f)u, v4df));
   }
   return op + 1;
}

BODY(mov_df_from_d)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const bool sign = op->src[0].type == ISA_TYPE_D;
   eu_use_fp(t, EU_FP_DF);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v4u u = load_4x32(t, &op->src[0], i);
      v4df d;
      for (unsigned l = 0; l < 4; l++)
         d[l] = sign ? (double)(int32_t)u[l] : (double)(int64_t)u[l];
      finish_df(t, op, i, mask, d);
   }
   return op + 1;
}

BODY(mov_f_from_df)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const bool keep = eu_keeps_denorms_f(t);
   eu_use_fp(t, EU_FP_NARROW);
   for (unsigned i = 0; i < op->chunks; i++) {
      v4df d = load_df(t, &op->src[0], i);
      if (op->flags & EU_SAT)
         d = saturate_df(d);
      v4u u = (v4u) __builtin_convertvector(canonical_df(d), v4f);
      if (!keep)
         u &= (v4u)((u & 0x7f800000) != 0) | 0x80000000;
      store_4x32(t, op, i, mask, u);
   }
   return op + 1;
}

BODY(mov_int_from_df)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const bool sign = op->dst_type == ISA_TYPE_D;
   const double lo = sign ? -0x1p31 : 0, hi = sign ? 0x1p31 - 1 : 0x1p32 - 1;
   eu_use_fp(t, EU_FP_DF);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v4df d = load_df(t, &op->src[0], i);
      v4u u;
      for (unsigned l = 0; l < 4; l++)
         u[l] = d[l] != d[l] ? 0
                             : (uint32_t)(int64_t)(d[l] < lo   ? lo
                                                   : d[l] > hi ? hi
                                                               : d[l]);
      store_4x32(t, op, i, mask, u);
   }
   return op + 1;
}

/* Comparisons */

BODY(cmp_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8d m = compare_f(op->cmod, load_f(t, &op->src[0], i),
                              load_f(t, &op->src[1], i));
      flags_8(t, op, i, mask, bits_8(m));
      store_32(t, op, i, mask, (v8u)m);
   }
   return op + 1;
}

BODY(cmp_d)
{
   const uint32_t mask = eu_exec_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8d m = compare_d(op->cmod, (v8d)load_int(t, &op->src[0], i),
                              (v8d)load_int(t, &op->src[1], i));
      flags_8(t, op, i, mask, bits_8(m));
      store_32(t, op, i, mask, (v8u)m);
   }
   return op + 1;
}

BODY(cmp_ud)
{
   const uint32_t mask = eu_exec_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8d m = compare_u(op->cmod, load_int(t, &op->src[0], i),
                              load_int(t, &op->src[1], i));
      flags_8(t, op, i, mask, bits_8(m));
      store_32(t, op, i, mask, (v8u)m);
   }
   return op + 1;
}

BODY(cmp_df)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_DF);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v4q m = compare_df(op->cmod, load_df(t, &op->src[0], i),
                               load_df(t, &op->src[1], i));
      flags_4(t, op, i, mask, bits_4(m));
      store_64(t, op, i, mask, (v4uq)m);
   }
   return op + 1;
}

/* Selections: the predicate does not disable. */

BODY(sel_raw32)
{
   const uint32_t mask = eu_active_mask(t, op), p = eu_predicate(t, op);
   for (unsigned i = 0; i < op->chunks; i++)
      store_32(t, op, i, mask,
               choose(lanes_8(p >> 8 * i), load_32(t, &op->src[0], i),
                      load_32(t, &op->src[1], i)));
   return op + 1;
}

BODY(sel_f)
{
   const uint32_t mask = eu_active_mask(t, op), p = eu_predicate(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      v8f r = canonical((v8f)choose(lanes_8(p >> 8 * i),
                                    (v8u)load_f(t, &op->src[0], i),
                                    (v8u)load_f(t, &op->src[1], i)));
      if (op->flags & EU_SAT)
         r = saturate_f(r);
      store_32(t, op, i, mask, (v8u)r);
   }
   return op + 1;
}

BODY(sel_int)
{
   const uint32_t mask = eu_active_mask(t, op), p = eu_predicate(t, op);
   for (unsigned i = 0; i < op->chunks; i++)
      store_32(t, op, i, mask,
               choose(lanes_8(p >> 8 * i), load_int(t, &op->src[0], i),
                      load_int(t, &op->src[1], i)));
   return op + 1;
}

BODY(sel_raw64)
{
   const uint32_t mask = eu_active_mask(t, op), p = eu_predicate(t, op);
   for (unsigned i = 0; i < op->chunks; i++)
      store_64(t, op, i, mask,
               choose_q(lanes_4(p >> 4 * i), load_64(t, &op->src[0], i),
                        load_64(t, &op->src[1], i)));
   return op + 1;
}

BODY(minmax_f)
{
   const uint32_t mask = eu_active_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f a = load_f(t, &op->src[0], i), b = load_f(t, &op->src[1], i);
      const v8u first = (v8u)((b != b) | compare_f(op->cmod, a, b));
      v8f r = canonical((v8f)choose(first, (v8u)a, (v8u)b));
      if (op->flags & EU_SAT)
         r = saturate_f(r);
      store_32(t, op, i, mask, (v8u)r);
   }
   return op + 1;
}

BODY(minmax_df)
{
   const uint32_t mask = eu_active_mask(t, op);
   eu_use_fp(t, EU_FP_DF);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v4df a = load_df(t, &op->src[0], i);
      const v4df b = load_df(t, &op->src[1], i);
      const v4uq first = (v4uq)((b != b) | compare_df(op->cmod, a, b));
      v4df r = canonical_df((v4df)choose_q(first, (v4uq)a, (v4uq)b));
      if (op->flags & EU_SAT)
         r = saturate_df(r);
      store_64(t, op, i, mask, (v4uq)r);
   }
   return op + 1;
}

BODY(minmax_d)
{
   const uint32_t mask = eu_active_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8u a = load_int(t, &op->src[0], i);
      const v8u b = load_int(t, &op->src[1], i);
      store_32(t, op, i, mask,
               choose((v8u)compare_d(op->cmod, (v8d)a, (v8d)b), a, b));
   }
   return op + 1;
}

BODY(minmax_ud)
{
   const uint32_t mask = eu_active_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8u a = load_int(t, &op->src[0], i);
      const v8u b = load_int(t, &op->src[1], i);
      store_32(t, op, i, mask, choose((v8u)compare_u(op->cmod, a, b), a, b));
   }
   return op + 1;
}

/* Interpolation: see alu_plane() in alu.c. */

INLINE v8f
plane_component(const struct sim_eu_thread *t, const struct eu_src *s,
                unsigned k)
{
   const uint32_t u = LOAD(uint32_t, grf_at(t, s->off_B + 4 * k));
   return (v8f)splat_u((u & s->and_hi) ^ s->xor_hi);
}

BODY(pln_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const struct eu_src *b = &op->src[1];
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      /* Inside the loop: the first half may write the plane. */
      const v8f p = plane_component(t, &op->src[0], 0);
      const v8f q = plane_component(t, &op->src[0], 1);
      const v8f w = plane_component(t, &op->src[0], 3);
      v8u u = LOAD(v8u, grf_at(t, b->off_B + 64 * i));
      v8u v = LOAD(v8u, grf_at(t, b->off_B + 64 * i + 32));
      u = (u & splat_u(b->and_hi)) ^ splat_u(b->xor_hi);
      v = (v & splat_u(b->and_hi)) ^ splat_u(b->xor_hi);
      finish_f(t, op, i, mask, fused(p, (v8f)u, fused(q, (v8f)v, w)));
   }
   return op + 1;
}

BODY(line_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f p = plane_component(t, &op->src[0], 0);
      const v8f w = plane_component(t, &op->src[0], 3);
      finish_f(t, op, i, mask, fused(p, load_f(t, &op->src[1], i), w));
   }
   return op + 1;
}

/* Extended math: only the lanes that count are computed. */
BODY(math_f)
{
   const uint32_t mask = eu_exec_mask(t, op);
   const enum isa_math f = op->inst->math_function;
   eu_use_fp(t, EU_FP_MATH);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8f a = canonical(load_f(t, &op->src[0], i));
      const v8f b = op->src[1].kind != EU_KIND_NONE
                       ? canonical(load_f(t, &op->src[1], i))
                       : a;
      uint32_t m8 = mask >> 8 * i & 0xff;
      v8f r = a;
      if (f == ISA_MATH_INV)
         r = splat_f(1.0f) / a;
      else if (f == ISA_MATH_FDIV)
         r = a / b;
      else
         while (m8) {
            const int l = u_bit_scan(&m8);
            r[l] = eu_math_f(f, a[l], b[l]);
         }
      finish_f(t, op, i, mask, canonical(r));
   }
   return op + 1;
}

/* Choice ----------------------------------------------------------------- */

INLINE bool
is_int32_or_less(enum isa_type t)
{
   return t == ISA_TYPE_D || t == ISA_TYPE_UD || t == ISA_TYPE_W ||
          t == ISA_TYPE_UW || t == ISA_TYPE_B || t == ISA_TYPE_UB ||
          t == ISA_TYPE_V || t == ISA_TYPE_UV;
}

static bool
no_mods(const struct eu_op *op)
{
   return !op->src[0].mods && !op->src[1].mods;
}

/* Values that fit an int32 / a uint32 once extended. */
static bool
all_signed(const struct eu_slow *s)
{
   return s->src[0].type != ISA_TYPE_UD && s->src[1].type != ISA_TYPE_UD;
}

static bool
all_unsigned(const struct eu_slow *s)
{
   return !eu_type_is_signed(s->src[0].type) &&
          !eu_type_is_signed(s->src[1].type);
}

static eu_fn
select_float(const struct eu_op *op, const struct eu_slow *s)
{
   if (s->dst.type != ISA_TYPE_F || op->cmod == ISA_COND_MOD_O)
      return NULL;
   for (unsigned i = 0; i < s->nsrc; i++)
      if (s->src[i].type != ISA_TYPE_F)
         return NULL;
   switch (op->inst->opcode) {
   case ISA_OPCODE_MOV: return s->raw ? NULL : mov_f;
   case ISA_OPCODE_ADD: return add_f;
   case ISA_OPCODE_MUL: return mul_f;
   case ISA_OPCODE_MAD: return mad_f;
   case ISA_OPCODE_LRP: return lrp_f;
   case ISA_OPCODE_FRC: return frc_f;
   case ISA_OPCODE_RNDD: return rndd_f;
   case ISA_OPCODE_RNDU: return rndu_f;
   case ISA_OPCODE_RNDE: return rnde_f;
   case ISA_OPCODE_RNDZ: return rndz_f;
   case ISA_OPCODE_CMP: return cmp_f;
   case ISA_OPCODE_SEL:
      return op->cmod == ISA_COND_MOD_NONE ? sel_f : minmax_f;
   case ISA_OPCODE_LINE: return s->src[0].where == EU_GRF ? line_f : NULL;
   case ISA_OPCODE_PLN:
      return op->exec_size >= 8 && s->src[0].where == EU_GRF &&
                   s->src[1].where == EU_GRF
                ? pln_f
                : NULL;
   case ISA_OPCODE_MATH:
      return op->inst->math_function <= ISA_MATH_POW &&
                   op->inst->math_function >= ISA_MATH_INV
                ? math_f
                : NULL;
   default: return NULL;
   }
}

static eu_fn
select_double(const struct eu_op *op, const struct eu_slow *s)
{
   if (s->dst.type != ISA_TYPE_DF || op->cmod == ISA_COND_MOD_O ||
       op->flags & EU_DST_STRIDE2)
      return NULL;
   for (unsigned i = 0; i < s->nsrc; i++)
      if (s->src[i].type != ISA_TYPE_DF)
         return NULL;
   switch (op->inst->opcode) {
   case ISA_OPCODE_MOV: return s->raw ? NULL : mov_df;
   case ISA_OPCODE_ADD: return add_df;
   case ISA_OPCODE_MUL: return mul_df;
   case ISA_OPCODE_MAD: return mad_df;
   case ISA_OPCODE_CMP: return cmp_df;
   case ISA_OPCODE_SEL:
      return op->cmod == ISA_COND_MOD_NONE ? NULL : minmax_df;
   default: return NULL;
   }
}

static eu_fn
select_int_compare(const struct eu_op *op, const struct eu_slow *s)
{
   const bool cmp = op->inst->opcode == ISA_OPCODE_CMP;
   /* The exact value of a negated operand may need 33 bits. */
   if (!no_mods(op) || op->cmod == ISA_COND_MOD_O ||
       op->cmod == ISA_COND_MOD_U || s->dst.size_B != 4)
      return NULL;
   if (all_signed(s))
      return cmp ? cmp_d : minmax_d;
   if (all_unsigned(s))
      return cmp ? cmp_ud : minmax_ud;
   return NULL;
}

static eu_fn
select_int(const struct eu_op *op, const struct eu_slow *s)
{
   const enum isa_type dst = s->dst.type;
   const bool dst32 = dst == ISA_TYPE_D || dst == ISA_TYPE_UD;
   const bool dst16 = dst == ISA_TYPE_W || dst == ISA_TYPE_UW;

   if ((!dst32 && !dst16) || op->flags & EU_SAT)
      return NULL;
   for (unsigned i = 0; i < s->nsrc; i++)
      if (!is_int32_or_less(s->src[i].type) ||
          (s->src[i].abs && !eu_type_is_signed(s->src[i].type)))
         return NULL;
   if (op->inst->opcode == ISA_OPCODE_CMP)
      return select_int_compare(op, s);
   if (op->inst->opcode == ISA_OPCODE_SEL) {
      if (op->cmod != ISA_COND_MOD_NONE)
         return select_int_compare(op, s);
      return dst32 ? sel_int : NULL;
   }
   if (op->cmod != ISA_COND_MOD_NONE &&
       (dst16 || op->cmod == ISA_COND_MOD_O || op->cmod == ISA_COND_MOD_U))
      return NULL;
   const bool sign = eu_type_is_signed(s->src[0].type);
   switch (op->inst->opcode) {
   case ISA_OPCODE_MOV: return mov_int;
   case ISA_OPCODE_ADD: return add_int;
   case ISA_OPCODE_MUL: return mul_int;
   case ISA_OPCODE_NOT: return not_int;
   case ISA_OPCODE_AND: return and_int;
   case ISA_OPCODE_OR: return or_int;
   case ISA_OPCODE_XOR: return xor_int;
   case ISA_OPCODE_SHL: return shl_int;
   case ISA_OPCODE_SHR:
      if (!sign)
         return isa_type_size_B(s->exec_type) == 4 ? shr_int : NULL;
      FALLTHROUGH;
   case ISA_OPCODE_ASR:
      return no_mods(op) && s->src[0].type != ISA_TYPE_UD ? asr_int : NULL;
   default: return NULL;
   }
}

static eu_fn
select_conversion(const struct eu_op *op, const struct eu_slow *s)
{
   const enum isa_type d = s->dst.type, f = s->src[0].type;
   const bool plain = !(op->flags & EU_SAT) && op->cmod == ISA_COND_MOD_NONE;
   if (op->inst->opcode != ISA_OPCODE_MOV)
      return NULL;
   if (d == ISA_TYPE_F && op->cmod != ISA_COND_MOD_O) {
      if (f == ISA_TYPE_UD)
         return op->src[0].mods ? NULL : mov_f_from_ud;
      /* Narrow ones are exact in an int32 with any modifier. */
      if (is_int32_or_less(f))
         return f == ISA_TYPE_D && op->src[0].mods ? NULL : mov_f_from_d;
      if (f == ISA_TYPE_DF && op->cmod == ISA_COND_MOD_NONE)
         return mov_f_from_df;
   }
   if (f == ISA_TYPE_F && plain && d == ISA_TYPE_D)
      return mov_d_from_f;
   if (f == ISA_TYPE_F && plain && d == ISA_TYPE_UD)
      return mov_ud_from_f;
   if (d == ISA_TYPE_DF && plain && !(op->flags & EU_DST_STRIDE2)) {
      if (f == ISA_TYPE_F)
         return mov_df_from_f;
      if ((f == ISA_TYPE_D || f == ISA_TYPE_UD) && !op->src[0].mods)
         return mov_df_from_d;
   }
   if (f == ISA_TYPE_DF && plain && (d == ISA_TYPE_D || d == ISA_TYPE_UD))
      return mov_int_from_df;
   return NULL;
}

/* See EU_PLAIN. Modifiers of integers are no plain ones; those of floats
 * are two masks. */
static bool
is_plain(const struct eu_op *op, const struct eu_slow *s)
{
   const unsigned size_B = s->dst.size_B;

   if (op->flags & (EU_PRED | EU_SAT | EU_DST_NULL | EU_DST_STRIDE2) ||
       op->cmod != ISA_COND_MOD_NONE || op->lanes & ~s->lane_mask ||
       op->exec_size * size_B != op->chunks * 32u)
      return false;
   for (unsigned i = 0; i < s->nsrc; i++) {
      const struct eu_src *src = &op->src[i];
      if (isa_type_size_B(src->type) != size_B ||
          (src->kind != EU_KIND_VEC && src->kind != EU_KIND_SCALAR &&
           src->kind != EU_KIND_IMM) ||
          (src->mods && s->cls == EU_INT))
         return false;
   }
   return true;
}

static const eu_fn named[EU_BODY_COUNT] = {
#define X(name, function) [EU_BODY_##name] = function,
   EU_FAST_BODIES(X)
#undef X
};

static enum eu_body
name_of(eu_fn fn)
{
   for (unsigned i = 1; i < EU_BODY_COUNT; i++) {
      if (named[i] == fn)
         return (enum eu_body)i;
   }
   return EU_BODY_OTHER;
}

bool
EU_FAST_SELECT(struct eu_op *op, struct arena *a)
{
   const struct eu_slow *s = op->slow;
   const bool sel = op->inst->opcode == ISA_OPCODE_SEL;
   eu_fn fn = EU_FAST_SIZES(op, s);

   if (!fn && s->raw && op->cmod == ISA_COND_MOD_NONE) {
      if (s->dst.size_B == 4)
         fn = sel ? sel_raw32 : mov_raw32;
      else if (s->dst.size_B == 8 && !(op->flags & EU_DST_STRIDE2))
         fn = sel ? sel_raw64 : mov_raw64;
   }
   if (!fn && s->cls == EU_F)
      fn = select_float(op, s);
   if (!fn && s->cls == EU_DF)
      fn = select_double(op, s);
   if (!fn && s->cls == EU_INT)
      fn = select_int(op, s);
   if (!fn && !s->raw)
      fn = select_conversion(op, s);
   if (!fn)
      return false;
   op->fn = fn;
   op->body = name_of(fn);
   if (is_plain(op, s))
      op->flags |= EU_PLAIN;
   return true;
}
