/* SPDX-License-Identifier: MIT */
/*
 * Every algebraic rule at every bit size: the expression that it matches is
 * built, run by the interpreter, rewritten by the pass, and run again. Exact
 * rules must keep every bit (a NaN may become another NaN): on all halves if
 * they have one variable of 16 bits, on all combinations of special values,
 * and on random ones. Inexact rules must come close on small numbers; those
 * that give back an operation must keep the value of normal numbers. Rules
 * of integers alone are proven by prove_rules.py.
 */
#include "test_algebraic.h"

#include <math.h>

#include "nir_interp.h"
#include "util/half.h"
#include "util/unit_test.h"

#define LANES 64
#define ROUNDS 4

static uint64_t rng_state = 0x2545f4914f6cdd1dull;

static uint64_t
rng(void)
{
   rng_state ^= rng_state << 13;
   rng_state ^= rng_state >> 7;
   rng_state ^= rng_state << 17;
   return rng_state;
}

static uint64_t
float_bits(double d, unsigned bits)
{
   return nir_const_value_as_uint(nir_const_value_for_float(d, bits), bits);
}

static uint64_t
special(nir_alu_type base, unsigned bits)
{
   static const double floats[] = {
      0.0,     -0.0, 1.0,   -1.0,    0.5,      -0.5,      2.0,
      1.5,     -2.5, 3.0,   255.0,   INFINITY, -INFINITY, NAN,
      65504.0, 6e-8, 1e-40, -1e-310, 0.1,
   };
   static const uint64_t ints[] = {
      0,      1,      2,          3,          ~0ull,
      ~1ull,  0x7f,   0x80,       0xff,       0x7fff,
      0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
      31,     32,     8,          1ull << 63, (1ull << 63) - 1,
   };
   if (base == nir_type_float && bits >= 16)
      return float_bits(floats[rng() % ARRAY_SIZE(floats)], bits);
   return ints[rng() % ARRAY_SIZE(ints)] & BITFIELD64_MASK(bits);
}

/* Small numbers whose sums and products are exact. */
static uint64_t
small(nir_alu_type base, unsigned bits)
{
   if (base == nir_type_float && bits >= 16)
      return float_bits(((int)(rng() % 33) - 16) / 4.0, bits);
   return (rng() % 12) & BITFIELD64_MASK(bits);
}

static bool
is_exact(const struct algebraic_case *c)
{
   return c->exact && !c->close_only;
}

/* So large that no integer near it and no scaling is subnormal, so small that
 * none is infinite. */
static uint64_t
normal_number(const struct algebraic_var *v)
{
   if (v->base != nir_type_float)
      return small(v->base, v->bit_size);
   const double d =
      rng() % 2 ? (double)(1 + rng() % 64) / 4 /* ties, too */
                : ldexp(1.0 + (double)rng() * 0x1p-64, (int)(rng() % 40));
   return float_bits(rng() % 2 ? d : -d, v->bit_size);
}

static uint64_t
pick(const struct algebraic_case *c, const struct algebraic_var *v)
{
   if (c->restores)
      return normal_number(v);
   if (!is_exact(c))
      return small(v->base, v->bit_size);
   switch (rng() % 3) {
   case 0: return rng() & BITFIELD64_MASK(v->bit_size);
   case 1: return small(v->base, v->bit_size);
   default: return special(v->base, v->bit_size);
   }
}

static const struct glsl_type *
type_of(unsigned components, unsigned bits)
{
   return glsl_vector_type(glsl_get_base_type(glsl_uintN_t_type(bits)),
                           components);
}

static nir_value *
constant_var(nir_builder *b, const struct algebraic_case *c,
             const struct algebraic_var *v)
{
   /* Of biased exponents, not to meet what is subnormal. */
   if (c->restores)
      return nir_imm_intN_t(b, 1000 + rng() % 100, v->bit_size);
   uint64_t u = v->is_pow2 ? 1ull << rng() % (v->bit_size - (v->bit_size > 1))
                           : small(v->base, v->bit_size);
   return nir_imm_intN_t(b, u, v->bit_size);
}

static nir_shader *
build_case(const struct algebraic_case *c,
           const nir_shader_compiler_options *options)
{
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT,
                                                  options, "%s", c->name);
   nir_value *v[6];
   for (unsigned i = 0; i < c->num_vars; i++) {
      if (c->vars[i].is_const) {
         v[i] = constant_var(&b, c, &c->vars[i]);
         continue;
      }
      nir_variable *in = nir_new_variable(
         b.shader, nir_var_shader_in,
         type_of(c->vars[i].components, c->vars[i].bit_size), NULL);
      in->data.location = VARYING_SLOT_VAR(4 * i);
      v[i] = nir_load_var(&b, in);
   }
   /* Exact instructions keep inexact rules away. */
   b.exact = c->exact;
   nir_value *res = c->build(&b, v);
   nir_variable *out =
      nir_new_variable(b.shader, nir_var_shader_out,
                       type_of(res->num_components, res->bit_size), "out");
   out->data.location = FRAG_RESULT_DATA0;
   nir_store_var(&b, out, res, BITFIELD_MASK(res->num_components));
   nir_validate_shader(b.shader, c->name);
   return b.shader;
}

static nir_interp_slot inputs[LANES * NIR_INTERP_SLOTS];

/* Of each class of floats: zeros, subnormals, normal numbers at the ends and
 * around integers and ties, infinities, NaNs; with either sign. */
static const uint16_t halves[] = {
   0x0000, 0x0001, 0x0002, 0x01ff, 0x03fe, 0x03ff, 0x0400, 0x0401, 0x0bff,
   0x1400, 0x2e66, 0x37ff, 0x3800, 0x3801, 0x3bff, 0x3c00, 0x3c01, 0x3dff,
   0x3e00, 0x4000, 0x4100, 0x4248, 0x5bff, 0x63ff, 0x6400, 0x67ff, 0x6800,
   0x7800, 0x7bfe, 0x7bff, 0x7c00, 0x7c01, 0x7e00,
};
static const uint32_t floats[] = {
   0x00000000, 0x00000001, 0x003fffff, 0x007fffff, 0x00800000, 0x00800001,
   0x33800000, 0x38800000, 0x3dcccccd, 0x3effffff, 0x3f000000, 0x3f7fffff,
   0x3f800000, 0x3f800001, 0x3fc00000, 0x40200000, 0x4affffff, 0x4b7fffff,
   0x4b800000, 0x4f000000, 0x4f800000, 0x5f000000, 0x7f7fffff, 0x7f800000,
   0x7f800001, 0x7fc00000,
};
static const uint64_t doubles[] = {
   0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff,
   0x0010000000000000, 0x36a0000000000000, 0x3810000000000000,
   0x3fb999999999999a, 0x3fdfffffffffffff, 0x3fe0000000000000,
   0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001,
   0x3ff8000000000000, 0x4004000000000000, 0x41dfffffffc00000,
   0x41e0000000000000, 0x41f0000000000000, 0x432fffffffffffff,
   0x433fffffffffffff, 0x4340000000000000, 0x43e0000000000000,
   0x47efffffe0000000, 0x47f0000000000000, 0x7fefffffffffffff,
   0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
};
static const uint64_t integers[] = {
   0,
   1,
   2,
   7,
   8,
   0x7f,
   0x80,
   0xff,
   0x7fff,
   0x8000,
   0xffff,
   0x10000,
   0x7fffffff,
   0x80000000,
   0xffffffff,
   0x7fffffffffffffff,
   0x8000000000000000,
   0xffffffffffffffff,
};

static bool
is_float(const struct algebraic_var *v)
{
   return v->base == nir_type_float && v->bit_size >= 16;
}

/* How many values a sweep takes of a variable, alone or beside others. */
static unsigned
sweep_size(const struct algebraic_case *c, const struct algebraic_var *v)
{
   if (v->bit_size == 1)
      return 2;
   if (v->bit_size <= 16 && c->num_vars == 1)
      return 1u << v->bit_size;
   if (!is_float(v))
      return ARRAY_SIZE(integers);
   return 2 * (v->bit_size == 16   ? ARRAY_SIZE(halves)
               : v->bit_size == 32 ? ARRAY_SIZE(floats)
                                   : ARRAY_SIZE(doubles));
}

static uint64_t
sweep_value(const struct algebraic_case *c, const struct algebraic_var *v,
            unsigned i)
{
   const uint64_t sign = i & 1 ? 1ull << (v->bit_size - 1) : 0;
   if (v->bit_size == 1 || (v->bit_size <= 16 && c->num_vars == 1))
      return i;
   if (!is_float(v))
      return integers[i] & BITFIELD64_MASK(v->bit_size);
   return sign | (v->bit_size == 16   ? halves[i / 2]
                  : v->bit_size == 32 ? floats[i / 2]
                                      : doubles[i / 2]);
}

static uint64_t
sweep_length(const struct algebraic_case *c)
{
   uint64_t n = 1;
   for (unsigned i = 0; i < c->num_vars; i++)
      n *= c->vars[i].is_const ? 1 : sweep_size(c, &c->vars[i]);
   return n;
}

static void
set_input(unsigned lane, unsigned var, unsigned component, unsigned bits,
          uint64_t u)
{
   uint32_t *dw = inputs[lane * NIR_INTERP_SLOTS + VARYING_SLOT_VAR(4 * var)];
   if (bits == 64) {
      dw[2 * component] = (uint32_t)u;
      dw[2 * component + 1] = (uint32_t)(u >> 32);
   } else {
      dw[component] = (uint32_t)u;
   }
}

static void
fill_random(const struct algebraic_case *c)
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned i = 0; i < c->num_vars; i++) {
         const struct algebraic_var *v = &c->vars[i];
         for (unsigned k = 0; k < v->components; k++)
            set_input(lane, i, k, v->bit_size, pick(c, v));
      }
   }
}

/* The combinations from number `first` on, one for each lane. Components of
 * a vector have different values. */
static void
fill_sweep(const struct algebraic_case *c, uint64_t first)
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      uint64_t number = first + lane;
      for (unsigned i = 0; i < c->num_vars; i++) {
         const struct algebraic_var *v = &c->vars[i];
         if (v->is_const)
            continue;
         const unsigned n = sweep_size(c, v);
         for (unsigned k = 0; k < v->components; k++)
            set_input(lane, i, k, v->bit_size,
                      sweep_value(c, v, (number + 5 * k) % n));
         number /= n;
      }
   }
}

static void
run(nir_shader *s, nir_interp_slot *outputs)
{
   memset(outputs, 0, LANES * NIR_INTERP_SLOTS * sizeof(*outputs));
   struct nir_interp_params params = {
      .num_lanes = LANES,
      .inputs = inputs,
      .outputs = outputs,
   };
   struct arena *arena = arena_create(NULL);
   const char *error = nir_interp_run(s, &params, arena);
   if (error)
      fail_msg("%s: %s", s->info.name, error);
   arena_destroy(arena);
}

static bool
close_enough(const struct algebraic_case *c, uint64_t x, uint64_t y,
             unsigned bits)
{
   if (x == y)
      return true;
   if (c->result_base != nir_type_float || bits < 16) {
      /* A select or move of what an inexact rule made. */
      if (is_exact(c) || bits < 16)
         return false;
   }
   const nir_const_value a = nir_const_value_for_raw_uint(x, bits);
   const nir_const_value b = nir_const_value_for_raw_uint(y, bits);
   const double p = nir_const_value_as_float(a, bits);
   const double q = nir_const_value_as_float(b, bits);
   if (isnan(p) && isnan(q))
      return true;
   if (is_exact(c))
      return false;
   if (c->restores)
      return p == q;
   if (!isfinite(p) || !isfinite(q))
      return true;
   const double epsilon = bits == 16 ? 0.02 : bits == 32 ? 1e-5 : 1e-13;
   return fabs(p - q) <= epsilon * fmax(1.0, fmax(fabs(p), fabs(q)));
}

static unsigned
result_bits(nir_shader *s, unsigned *components)
{
   nir_foreach_shader_out_variable(var, s) {
      *components = glsl_get_vector_elements(var->type);
      return glsl_get_bit_size(var->type);
   }
   return 0;
}

/* Says what differs; the caller counts. */
static bool
compare(const struct algebraic_case *c, nir_shader *before, nir_shader *after)
{
   static nir_interp_slot out[2][LANES * NIR_INTERP_SLOTS];
   unsigned n = 0;
   const unsigned bits = result_bits(before, &n);
   run(before, out[0]);
   run(after, out[1]);
   for (unsigned lane = 0; lane < LANES; lane++) {
      const uint32_t *x = out[0][lane * NIR_INTERP_SLOTS + FRAG_RESULT_DATA0];
      const uint32_t *y = out[1][lane * NIR_INTERP_SLOTS + FRAG_RESULT_DATA0];
      for (unsigned k = 0; k < n; k++) {
         uint64_t a, b;
         if (bits == 64) {
            a = x[2 * k] | (uint64_t)x[2 * k + 1] << 32;
            b = y[2 * k] | (uint64_t)y[2 * k + 1] << 32;
         } else {
            a = x[k];
            b = y[k];
         }
         const uint32_t *v0 =
            inputs[lane * NIR_INTERP_SLOTS + VARYING_SLOT_VAR(0)];
         const uint32_t *v1 =
            inputs[lane * NIR_INTERP_SLOTS + VARYING_SLOT_VAR(4)];
         if (close_enough(c, a, b, bits))
            continue;
         print_error("%s: 0x%llx became 0x%llx; sources 0x%08x%08x "
                     "0x%08x%08x\n",
                     c->name, (unsigned long long)a, (unsigned long long)b,
                     v0[1], v0[0], v1[1], v1[0]);
         return false;
      }
   }
   return true;
}

/* Whether floats are in it, and every bit counts. */
static bool
needs_sweep(const struct algebraic_case *c)
{
   bool floats_in_it = c->result_base == nir_type_float;
   for (unsigned i = 0; i < c->num_vars; i++)
      floats_in_it |= is_float(&c->vars[i]);
   return floats_in_it && is_exact(c);
}

static uint64_t swept, swept_cases;

static bool
sweep(const struct algebraic_case *c, nir_shader *before, nir_shader *after)
{
   const uint64_t n = sweep_length(c);
   for (uint64_t first = 0; first < n; first += LANES) {
      fill_sweep(c, first);
      if (!compare(c, before, after))
         return false;
   }
   swept += n;
   swept_cases++;
   return true;
}

/* Options with which the rule applies, as few as can be: those of other rules
 * would rewrite its result. */
static bool
choose_options(const struct algebraic_case *c,
               nir_shader_compiler_options *options)
{
   const size_t n =
      offsetof(nir_shader_compiler_options, lower_int64_options);
   memset(options, 0, sizeof(*options));
   if (c->when(options))
      return true;
   for (size_t i = 0; i < n; i++) {
      memset(options, 0, n);
      ((char *)options)[i] = 1;
      if (c->when(options))
         return true;
   }
   memset(options, 1, n);
   return c->when(options);
}

/* 1: rewritten and compared; 0: another rule or option stands before. */
static unsigned
check_case(const struct algebraic_case *c, unsigned *failed)
{
   static nir_shader_compiler_options options;
   if (!choose_options(c, &options))
      return 0;
   /* The same values whatever rules stand before this one. */
   rng_state = 0x2545f4914f6cdd1dull;
   for (const char *at = c->name; *at; at++)
      rng_state = (rng_state ^ (uint8_t)*at) * 0x100000001b3ull | 1;
   unsigned fired = 0;
   bool ok = true;
   for (unsigned round = 0; round < ROUNDS && ok; round++) {
      nir_shader *before = build_case(c, &options);
      nir_shader *after = nir_shader_clone(NULL, before);
      const bool changed = c->pass(after);
      nir_validate_shader(after, c->name);
      fill_random(c);
      ok = compare(c, before, after);
      if (round == 0 && changed && ok && needs_sweep(c))
         ok = sweep(c, before, after);
      fired |= changed;
      nir_shader_destroy(before);
      nir_shader_destroy(after);
   }
   *failed += !ok;
   return fired;
}

static void
rules_keep_values(void **state)
{
   unsigned fired = 0, failed = 0;
   for (unsigned i = 0; i < num_algebraic_cases; i++)
      fired += check_case(&algebraic_cases[i], &failed);
   print_message("%u of %u cases rewritten; %llu of them exact with floats, "
                 "on %llu combinations of values\n",
                 fired, num_algebraic_cases, (unsigned long long)swept_cases,
                 (unsigned long long)swept);
   assert_int_equal(failed, 0);
   /* The rest stands behind conditions that one shader cannot show. */
   assert_true(fired * 10 > num_algebraic_cases * 9);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_keep_values),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
