/* SPDX-License-Identifier: MIT */
/*
 * As fast.c, for the sizes that are less common: integers of 64 bits, half
 * floats, words that are chosen, and moves through the address register.
 * Built with it, once per kind of host, and held by the same test.
 */
#include "intel/sim/eu/alu.h"
#include "intel/sim/eu/fast_lanes.h"

#ifndef EU_FAST_SIZES
#error "EU_FAST_SIZES names the entry point of this build"
#endif

#define BODY(name)                                                           \
   static const struct eu_op *name(struct sim_eu_thread *t,                  \
                                   const struct eu_op *op)

/* Integers of 64 bits, four at a time ------------------------------------ */

/* Four integers of any type, extended as theirs are. */
INLINE v4uq
extend_4(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   const bool sign = eu_type_is_signed(s->type);
   v4uq v;

   switch (isa_type_size_B(s->type)) {
   case 8: return load_64(t, s, c);
   case 4: {
      const v4u u = load_4x32(t, s, c);
      return sign ? (v4uq) __builtin_convertvector((v4d)u, v4q)
                  : __builtin_convertvector(u, v4uq);
   }
   default: {
      const v8u u = load_narrow(t, s, c / 2);
      for (unsigned i = 0; i < 4; i++) {
         const uint32_t w = u[c % 2 * 4 + i];
         v[i] = sign ? (uint64_t)(int32_t)w : w;
      }
      return v;
   }
   }
}

INLINE v4uq
load_long(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   v4uq v = extend_4(t, s, c);
   if (s->abs && eu_type_is_signed(s->type)) {
      const v4uq m = (v4uq)((v4q)v < 0);
      v = (v ^ m) - m;
   }
   return s->negate ? -v : v;
}

INLINE v4uq
load_long_logic(const struct sim_eu_thread *t, const struct eu_src *s,
                unsigned c)
{
   const v4uq v = extend_4(t, s, c);
   return s->negate ? ~v : v;
}

INLINE uint32_t
compare_long(enum isa_cond_mod m, bool sign, v4uq a, v4uq b)
{
   /* Without a sign the order is that of signed ones half the range on. */
   const v4uq flip = splat_uq(sign ? 0 : 1ull << 63);
   const v4q x = (v4q)(a ^ flip), y = (v4q)(b ^ flip);

   switch (m) {
   case ISA_COND_MOD_Z: return bits_4(x == y);
   case ISA_COND_MOD_NZ: return bits_4(x != y);
   case ISA_COND_MOD_G: return bits_4(x > y);
   case ISA_COND_MOD_GE: return bits_4(x >= y);
   case ISA_COND_MOD_L: return bits_4(x < y);
   case ISA_COND_MOD_LE: return bits_4(x <= y);
   default: return 0;
   }
}

INLINE void
finish_long(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
            uint32_t mask, v4uq r)
{
   if (op->cmod != ISA_COND_MOD_NONE)
      flags_4(t, op, c, mask,
              compare_long(op->cmod, op->dst_type == ISA_TYPE_Q, r,
                           splat_uq(0)));
   store_64(t, op, c, mask, r);
}

#define LONG_BODY(name, n, load, expr)                                       \
   BODY(name)                                                                \
   {                                                                         \
      const uint32_t mask = eu_exec_mask(t, op);                             \
      for (unsigned i = 0; i < op->chunks; i++) {                            \
         const v4uq a = load(t, &op->src[0], i);                             \
         const v4uq b = (n) > 1 ? load(t, &op->src[1], i) : a;               \
         (void)b;                                                            \
         finish_long(t, op, i, mask, expr);                                  \
      }                                                                      \
      return op + 1;                                                         \
   }

INLINE v4uq
shift_by(const struct eu_op *op, v4uq n)
{
   return n & splat_uq(eu_shift_width(op->slow) - 1);
}

LONG_BODY(mov_long, 1, load_long, a)
LONG_BODY(add_long, 2, load_long, a + b)
LONG_BODY(mul_long, 2, load_long, a *b)
LONG_BODY(not_long, 1, load_long_logic, ~a)
LONG_BODY(and_long, 2, load_long_logic, a &b)
LONG_BODY(or_long, 2, load_long_logic, a | b)
LONG_BODY(xor_long, 2, load_long_logic, a ^ b)
LONG_BODY(shl_long, 2, load_long, a << shift_by(op, b))
LONG_BODY(shr_long, 2, load_long, a >> shift_by(op, b))
LONG_BODY(asr_long, 2, load_long, (v4uq)((v4q)a >> (v4q)shift_by(op, b)))

INLINE bool
order_is_signed(const struct eu_op *op)
{
   return eu_type_is_signed(op->src[0].type);
}

BODY(cmp_long)
{
   const uint32_t mask = eu_exec_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const uint32_t m = compare_long(op->cmod, order_is_signed(op),
                                      extend_4(t, &op->src[0], i),
                                      extend_4(t, &op->src[1], i));
      flags_4(t, op, i, mask, m);
      store_64(t, op, i, mask, lanes_4(m));
   }
   return op + 1;
}

BODY(minmax_long)
{
   const uint32_t mask = eu_active_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v4uq a = extend_4(t, &op->src[0], i);
      const v4uq b = extend_4(t, &op->src[1], i);
      const uint32_t first =
         compare_long(op->cmod, order_is_signed(op), a, b);
      store_64(t, op, i, mask, choose_q(lanes_4(first), a, b));
   }
   return op + 1;
}

/* Half floats, computed as floats, eight at a time ----------------------- */

INLINE v8f
load_half(const struct sim_eu_thread *t, const struct eu_src *s, unsigned c)
{
   const v8u h = load_narrow(t, s, c);
   const v8u m = h & 0x7fff;
   const v8u is_small = (v8u)(m < 0x400), is_special = (v8u)(m >= 0x7c00);
   const v8u scaled = (m << 13) + splat_u(112u << 23);
   v8u small = splat_u(0);

   if (t->cr0[0] & SIM_CR0_DENORM_HF)
      small = (v8u)(__builtin_convertvector((v8d)m, v8f) * splat_f(0x1p-24f));
   v8u u =
      choose(is_small, small, scaled + (is_special & splat_u(112u << 23)));
   u |= (h & 0x8000) << 16;
   return modify_f(s, u);
}

/* To nearest even, in the host's mode that does so. A small half is what is
 * left of a float when 0.5 is added, of which the last bit is 2^-24. */
INLINE v8u
round_to_nearest_half(v8f f, bool keep_denorms)
{
   const v8u u = (v8u)f, m = u & 0x7fffffff;
   const v8u is_small = (v8u)((v8d)m < 113 << 23);
   const v8u is_large = (v8u)((v8d)m >= 143 << 23);
   const v8u is_nan = (v8u)((v8d)m > 255 << 23);
   const v8u small = (v8u)((v8f)m + splat_f(0.5f)) - splat_u(126u << 23);
   const v8u normal = (m - splat_u(112u << 23) + 0xfff + (m >> 13 & 1)) >> 13;
   /* Infinity, or a NaN with the top of its payload. */
   const v8u special = (is_nan & (0x200 | (m >> 13 & 0x3ff))) | 0x7c00;
   v8u h = choose(is_small, small, choose(is_large, special, normal));

   if (!keep_denorms)
      h &= (v8u)(h >= 0x400);
   return h | (u >> 16 & 0x8000);
}

/* In another mode than that, one by one. */
INLINE v8u
round_to_half(const struct sim_eu_thread *t, v8f f)
{
   const bool keep = t->cr0[0] & SIM_CR0_DENORM_HF;
   const unsigned rounding = (t->cr0[0] & SIM_CR0_ROUND_MASK) >>
                             SIM_CR0_ROUND_SHIFT;
   v8u h;

   if (rounding == EU_ROUND_EVEN)
      return round_to_nearest_half(f, keep);
   for (unsigned i = 0; i < 8; i++)
      h[i] = eu_float_to_half(f[i], rounding, keep);
   return h;
}

INLINE void
finish_half(struct sim_eu_thread *t, const struct eu_op *op, unsigned c,
            uint32_t mask, v8f r)
{
   if (op->flags & EU_SAT)
      r = saturate_f(r);
   store_16(t, op, c, mask, round_to_half(t, r));
}

/* b * c + a of halves, exact but for a rounding to odd, so that the rounding
 * to half that follows is the only one that counts; in the host's mode to
 * nearest even. The product is exact, the error of the sum, too (Knuth,
 * TwoSum): where there is one and the last bit is even, the sum's odd
 * neighbour is on the error's side. */
INLINE v8f
fused_half(v8f b, v8f c, v8f a)
{
   const v8f p = b * c, s = p + a, a_of_s = s - p;
   const v8f error = (p - (s - a_of_s)) + (a - a_of_s);
   const v8u u = (v8u)s;
   const v8u is_finite = (v8u)((v8d)(u & 0x7fffffff) < 255 << 23);
   const v8u is_even = (u & 1) - 1;
   const v8u is_cut = ((u ^ (v8u)error) >> 31) - 1;
   const v8u step = choose(is_cut, splat_u(1), splat_u(-1u));

   return (v8f)(u + (step & (v8u)(error != 0) & is_finite & is_even));
}

#define HALF_BODY(name, n, load, finish, expr)                               \
   BODY(name)                                                                \
   {                                                                         \
      const uint32_t mask = eu_exec_mask(t, op);                             \
      eu_use_fp(t, EU_FP_F);                                                 \
      for (unsigned i = 0; i < op->chunks; i++) {                            \
         const v8f a = load(t, &op->src[0], i);                              \
         const v8f b = (n) > 1 ? load(t, &op->src[1], i) : a;                \
         (void)b;                                                            \
         finish(t, op, i, mask, expr);                                       \
      }                                                                      \
      return op + 1;                                                         \
   }

HALF_BODY(mov_half, 1, load_half, finish_half, canonical(a))
HALF_BODY(add_half, 2, load_half, finish_half, a + b)
HALF_BODY(mul_half, 2, load_half, finish_half, a *b)
/* In another mode than to nearest even one by one. */
BODY(mad_half)
{
   const uint32_t mask = eu_exec_mask(t, op);

   if ((t->cr0[0] & SIM_CR0_ROUND_MASK) >> SIM_CR0_ROUND_SHIFT !=
       EU_ROUND_EVEN)
      return eu_generic(t, op);
   eu_use_fp(t, EU_FP_F);
   for (unsigned i = 0; i < op->chunks; i++)
      finish_half(t, op, i, mask,
                  fused_half(load_half(t, &op->src[1], i),
                             load_half(t, &op->src[2], i),
                             load_half(t, &op->src[0], i)));
   return op + 1;
}

HALF_BODY(mov_half_from_f, 1, load_f, finish_half, canonical(a))
HALF_BODY(mov_f_from_half, 1, load_half, finish_f, canonical(a))

BODY(cmp_half)
{
   const uint32_t mask = eu_exec_mask(t, op);
   for (unsigned i = 0; i < op->chunks; i++) {
      const v8d m = compare_f(op->cmod, load_half(t, &op->src[0], i),
                              load_half(t, &op->src[1], i));
      flags_8(t, op, i, mask, bits_8(m));
      store_16(t, op, i, mask, (v8u)m);
   }
   return op + 1;
}

/* Words ------------------------------------------------------------------ */

BODY(sel_raw16)
{
   const uint32_t mask = eu_active_mask(t, op), p = eu_predicate(t, op);
   for (unsigned i = 0; i < op->chunks; i++)
      store_16(t, op, i, mask,
               choose(lanes_8(p >> 8 * i), load_narrow(t, &op->src[0], i),
                      load_narrow(t, &op->src[1], i)));
   return op + 1;
}

/* Moves of dwords from where the address register says ------------------ */

BODY(mov_indirect32)
{
   const struct eu_slow *s = op->slow;
   const uint32_t mask = eu_exec_mask(t, op);
   uint32_t left = mask;
   v8u v = splat_u(0);

   while (left) {
      const int l = u_bit_scan(&left);
      unsigned a;
      /* It says what is wrong, too. */
      if (!eu_lane_address(t, s, &s->src[0], l, &a))
         return eu_generic(t, op);
      v[l] = LOAD(uint32_t, grf_at(t, a));
   }
   store_32(t, op, 0, mask, v);
   return op + 1;
}

/* Choice ----------------------------------------------------------------- */

static bool
all_integers(const struct eu_slow *s)
{
   for (unsigned i = 0; i < s->nsrc; i++) {
      if (eu_type_is_float(s->src[i].type) || s->src[i].type == ISA_TYPE_V ||
          s->src[i].type == ISA_TYPE_UV)
         return false;
   }
   return true;
}

/* Modifiers may make a number of 65 bits, which only counts where more than
 * its low 64 are looked at. */
static bool
any_modifier(const struct eu_op *op)
{
   return op->src[0].mods || op->src[1].mods;
}

static eu_fn
select_long_order(const struct eu_op *op, const struct eu_slow *s)
{
   if (any_modifier(op) || op->cmod == ISA_COND_MOD_O ||
       op->cmod == ISA_COND_MOD_U ||
       eu_type_is_signed(s->src[0].type) != eu_type_is_signed(s->src[1].type))
      return NULL;
   return op->inst->opcode == ISA_OPCODE_CMP ? cmp_long : minmax_long;
}

static eu_fn
select_long(const struct eu_op *op, const struct eu_slow *s)
{
   const enum isa_opcode opcode = op->inst->opcode;

   if ((s->dst.type != ISA_TYPE_Q && s->dst.type != ISA_TYPE_UQ) ||
       op->flags & (EU_SAT | EU_DST_STRIDE2) || !all_integers(s))
      return NULL;
   if (opcode == ISA_OPCODE_CMP ||
       (opcode == ISA_OPCODE_SEL && op->cmod != ISA_COND_MOD_NONE))
      return select_long_order(op, s);
   if (op->cmod == ISA_COND_MOD_O || op->cmod == ISA_COND_MOD_U)
      return NULL;
   switch (opcode) {
   case ISA_OPCODE_MOV: return mov_long;
   case ISA_OPCODE_ADD: return add_long;
   case ISA_OPCODE_MUL: return mul_long;
   case ISA_OPCODE_NOT: return not_long;
   case ISA_OPCODE_AND: return and_long;
   case ISA_OPCODE_OR: return or_long;
   case ISA_OPCODE_XOR: return xor_long;
   case ISA_OPCODE_SHL: return shl_long;
   case ISA_OPCODE_SHR:
      if (any_modifier(op))
         return NULL;
      return eu_type_is_signed(s->src[0].type) ? asr_long : shr_long;
   case ISA_OPCODE_ASR:
      if (any_modifier(op))
         return NULL;
      return eu_type_is_signed(s->src[0].type) ? asr_long : shr_long;
   default: return NULL;
   }
}

static bool
all_of_type(const struct eu_slow *s, enum isa_type type)
{
   for (unsigned i = 0; i < s->nsrc; i++) {
      if (s->src[i].type != type)
         return false;
   }
   return true;
}

static eu_fn
select_half(const struct eu_op *op, const struct eu_slow *s)
{
   const enum isa_opcode opcode = op->inst->opcode;
   const bool to_half = s->dst.type == ISA_TYPE_HF;

   if (opcode == ISA_OPCODE_MOV && s->dst.type == ISA_TYPE_F &&
       op->cmod != ISA_COND_MOD_O && all_of_type(s, ISA_TYPE_HF))
      return mov_f_from_half;
   if (opcode == ISA_OPCODE_CMP && s->dst.size_B == 2 &&
       op->cmod != ISA_COND_MOD_O && all_of_type(s, ISA_TYPE_HF))
      return cmp_half;
   if (!to_half || op->cmod != ISA_COND_MOD_NONE)
      return NULL;
   if (opcode == ISA_OPCODE_MOV && all_of_type(s, ISA_TYPE_F))
      return mov_half_from_f;
   if (!all_of_type(s, ISA_TYPE_HF))
      return NULL;
   switch (opcode) {
   case ISA_OPCODE_MOV: return mov_half;
   case ISA_OPCODE_ADD: return add_half;
   case ISA_OPCODE_MUL: return mul_half;
   case ISA_OPCODE_MAD: return mad_half;
   default: return NULL;
   }
}

eu_fn
EU_FAST_SIZES(const struct eu_op *op, const struct eu_slow *s)
{
   if (eu_moves_indirect(op, s))
      return mov_indirect32;
   if (s->raw)
      return op->inst->opcode == ISA_OPCODE_SEL && s->dst.size_B == 2 &&
                   op->cmod == ISA_COND_MOD_NONE
                ? sel_raw16
                : NULL;
   return s->cls == EU_INT ? select_long(op, s) : select_half(op, s);
}
