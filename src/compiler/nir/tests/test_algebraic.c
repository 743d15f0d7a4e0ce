/* SPDX-License-Identifier: MIT */
/*
 * Every algebraic rule at every bit size: the expression that it matches is
 * built, run by the interpreter, rewritten by the pass, and run again. Exact
 * rules must keep every bit (a NaN may become another NaN) on special and
 * random values; inexact ones must come close on small numbers.
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
      0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 1.5, -2.5, 3.0, 255.0,
      INFINITY, -INFINITY, NAN, 65504.0, 6e-8, 1e-40, -1e-310, 0.1,
   };
   static const uint64_t ints[] = {
      0, 1, 2, 3, ~0ull, ~1ull, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
      0x7fffffff, 0x80000000, 0xffffffff, 31, 32, 8, 1ull << 63,
      (1ull << 63) - 1,
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

static uint64_t
pick(const struct algebraic_case *c, const struct algebraic_var *v)
{
   if (!is_exact(c))
      return small(v->base, v->bit_size);
   switch (rng() % 3) {
   case 0:
      return rng() & BITFIELD64_MASK(v->bit_size);
   case 1:
      return small(v->base, v->bit_size);
   default:
      return special(v->base, v->bit_size);
   }
}

static const struct glsl_type *
type_of(unsigned components, unsigned bits)
{
   return glsl_replace_vector_type(glsl_uintN_t_type(bits), components);
}

static nir_ssa_def *
constant_var(nir_builder *b, const struct algebraic_case *c,
             const struct algebraic_var *v)
{
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
   nir_ssa_def *v[6];
   for (unsigned i = 0; i < c->num_vars; i++) {
      if (c->vars[i].is_const) {
         v[i] = constant_var(&b, c, &c->vars[i]);
         continue;
      }
      nir_variable *in = nir_variable_create(
         b.shader, nir_var_shader_in,
         type_of(c->vars[i].components, c->vars[i].bit_size), NULL);
      in->data.location = VARYING_SLOT_VAR(4 * i);
      v[i] = nir_load_var(&b, in);
   }
   /* Exact instructions keep inexact rules away. */
   b.exact = c->exact;
   nir_ssa_def *res = c->build(&b, v);
   nir_variable *out = nir_variable_create(
      b.shader, nir_var_shader_out,
      type_of(res->num_components, res->bit_size), "out");
   out->data.location = FRAG_RESULT_DATA0;
   nir_store_var(&b, out, res, BITFIELD_MASK(res->num_components));
   nir_validate_shader(b.shader, c->name);
   return b.shader;
}

static nir_interp_slot inputs[LANES * NIR_INTERP_SLOTS];

static void
fill_inputs(const struct algebraic_case *c)
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned i = 0; i < c->num_vars; i++) {
         const struct algebraic_var *v = &c->vars[i];
         uint32_t *dw =
            inputs[lane * NIR_INTERP_SLOTS + VARYING_SLOT_VAR(4 * i)];
         for (unsigned k = 0; k < v->components; k++) {
            const uint64_t u = pick(c, v);
            if (v->bit_size == 64) {
               dw[2 * k] = (uint32_t)u;
               dw[2 * k + 1] = (uint32_t)(u >> 32);
            } else {
               dw[k] = (uint32_t)u;
            }
         }
      }
   }
}

static void
run(nir_shader *s, nir_interp_slot *outputs)
{
   memset(outputs, 0, LANES * NIR_INTERP_SLOTS * sizeof(*outputs));
   struct nir_interp_params params = {
      .num_lanes = LANES, .inputs = inputs, .outputs = outputs,
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
   if (!isfinite(p) || !isfinite(q))
      return true;
   const double epsilon = bits == 16 ? 0.02 : bits == 32 ? 1e-5 : 1e-13;
   return fabs(p - q) <=
          epsilon * fmax(1.0, fmax(fabs(p), fabs(q)));
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
compare(const struct algebraic_case *c, nir_shader *before,
        nir_shader *after)
{
   static nir_interp_slot out[2][LANES * NIR_INTERP_SLOTS];
   unsigned n = 0;
   const unsigned bits = result_bits(before, &n);
   run(before, out[0]);
   run(after, out[1]);
   for (unsigned lane = 0; lane < LANES; lane++) {
      const uint32_t *x =
         out[0][lane * NIR_INTERP_SLOTS + FRAG_RESULT_DATA0];
      const uint32_t *y =
         out[1][lane * NIR_INTERP_SLOTS + FRAG_RESULT_DATA0];
      for (unsigned k = 0; k < n; k++) {
         uint64_t a, b;
         if (bits == 64) {
            a = x[2 * k] | (uint64_t)x[2 * k + 1] << 32;
            b = y[2 * k] | (uint64_t)y[2 * k + 1] << 32;
         } else {
            a = x[k];
            b = y[k];
         }
         if (close_enough(c, a, b, bits))
            continue;
         const uint32_t *v0 =
            inputs[lane * NIR_INTERP_SLOTS + VARYING_SLOT_VAR(0)];
         const uint32_t *v1 =
            inputs[lane * NIR_INTERP_SLOTS + VARYING_SLOT_VAR(4)];
         print_error("%s: 0x%llx became 0x%llx; sources 0x%08x%08x "
                     "0x%08x%08x\n", c->name, (unsigned long long)a,
                     (unsigned long long)b, v0[1], v0[0], v1[1], v1[0]);
         return false;
      }
   }
   return true;
}

/* 1: rewritten and compared; 0: another rule or option stands before. */
static unsigned
check_case(const struct algebraic_case *c, unsigned *failed)
{
   static nir_shader_compiler_options nothing, everything;
   memset(&everything, 1, offsetof(nir_shader_compiler_options,
                                   max_unroll_iterations));
   const nir_shader_compiler_options *options = &nothing;
   if (!c->when(options))
      options = &everything;
   if (!c->when(options))
      return 0;
   unsigned fired = 0;
   bool ok = true;
   for (unsigned round = 0; round < ROUNDS && ok; round++) {
      nir_shader *before = build_case(c, options);
      nir_shader *after = nir_shader_clone(NULL, before);
      fired |= c->pass(after);
      nir_validate_shader(after, c->name);
      fill_inputs(c);
      ok = compare(c, before, after);
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
   print_message("%u of %u cases rewritten\n", fired, num_algebraic_cases);
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
