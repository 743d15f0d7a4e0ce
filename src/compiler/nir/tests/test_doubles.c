/* SPDX-License-Identifier: MIT */
/*
 * Lowered double and 64-bit integer operations, run by the interpreter,
 * against MPFR and the host: special values in all pairs, then random bits
 * from a fixed seed.
 */
#include "util/unit_test.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>

#include "nir_builder.h"
#include "nir_interp.h"

#define LANES 64
#define RANDOM_ROUNDS 60

static const double specials[] = {
   0.0,
   -0.0,
   1.0,
   -1.0,
   0.5,
   -0.5,
   1.5,
   2.5,
   -2.5,
   3.0,
   0.1,
   7.0,
   INFINITY,
   -INFINITY,
   NAN,
   DBL_MIN,
   -DBL_MIN,
   DBL_MAX,
   -DBL_MAX,
   4.9406564584124654e-324,
   -4.9406564584124654e-324,
   2.2250738585072009e-308,
   0x1.fffffffffffffp-1,
   0x1.0000000000001p0,
   4503599627370495.5,
   4503599627370496.0,
   -4503599627370495.5,
   9007199254740993.0,
   1e300,
   1e-300,
   0x1p-1074,
   0x1p-1060,
   0x1.8p1,
   0x1p1023,
   0x1p-1022,
   2147483648.0,
   1e16,
};

static uint64_t rng_state;

static uint64_t
rng(void)
{
   rng_state ^= rng_state << 13;
   rng_state ^= rng_state >> 7;
   rng_state ^= rng_state << 17;
   return rng_state;
}

/* Any bits, or numbers of moderate size. */
static double
random_double(void)
{
   const uint64_t r = rng();
   if (rng() & 1)
      return util_bits_double(r);
   const uint64_t e = 1023 - 40 + rng() % 80;
   return util_bits_double((r & 0x800fffffffffffffull) | e << 52);
}

/* out[lane] = op(a[lane], b[lane]), lowered. */
struct program {
   nir_shader *shader;
   unsigned num_inputs;
};

static struct program
make(nir_op op, nir_lower_doubles_options options)
{
   static nir_shader_compiler_options compiler;
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, &compiler, "d");
   struct program p = { b.shader, nir_op_infos[op].num_inputs };
   nir_value *src[3] = { NULL };
   for (unsigned i = 0; i < p.num_inputs; i++) {
      nir_variable *in = nir_new_variable(b.shader, nir_var_shader_in,
                                          glsl_double_type(), NULL);
      in->data.location = VARYING_SLOT_VAR(i);
      in->data.interpolation = INTERP_MODE_FLAT;
      src[i] = nir_load_var(&b, in);
   }
   nir_value *res = nir_build_alu(&b, op, src[0], src[1], src[2], NULL);
   nir_variable *out = nir_new_variable(b.shader, nir_var_shader_out,
                                        glsl_double_type(), "out");
   out->data.location = FRAG_RESULT_DATA0;
   nir_store_var(&b, out, res, 1);
   nir_validate_shader(b.shader, "built");
   if (!nir_lower_doubles(b.shader, NULL, options))
      fail_msg("%s is lowered", nir_op_infos[op].name);
   nir_validate_shader(b.shader, "lowered");
   /* The very operation is gone. */
   nir_foreach_block(block, b.impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_alu && nir_instr_as_alu(instr)->op == op)
            assert_int_not_equal(
               nir_instr_as_alu(instr)->src[0].use.value->bit_size, 64);
      }
   }
   return p;
}

static void
run(struct program *p, double in[2][LANES], double out[LANES])
{
   static nir_interp_slot inputs[LANES * NIR_INTERP_SLOTS];
   static nir_interp_slot outputs[LANES * NIR_INTERP_SLOTS];
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned i = 0; i < p->num_inputs; i++)
         memcpy(inputs[lane * NIR_INTERP_SLOTS + VARYING_SLOT_VAR(i)],
                &in[i][lane], sizeof(double));
   }
   struct nir_interp_params params = {
      .num_lanes = LANES,
      .inputs = inputs,
      .outputs = outputs,
   };
   struct arena *arena = arena_create(NULL);
   const char *error = nir_interp_run(p->shader, &params, arena);
   if (error)
      fail_msg("%s", error);
   for (unsigned lane = 0; lane < LANES; lane++)
      memcpy(&out[lane], outputs[lane * NIR_INTERP_SLOTS + FRAG_RESULT_DATA0],
             sizeof(double));
   arena_destroy(arena);
}

typedef double (*reference)(double a, double b);

/* Distance in representable values; -0 and 0 differ. */
static uint64_t
ulps(double a, double b)
{
   if (isnan(a) && isnan(b))
      return 0;
   if (isnan(a) || isnan(b))
      return UINT64_MAX;
   int64_t x = (int64_t)util_double_bits(a);
   int64_t y = (int64_t)util_double_bits(b);
   if ((x < 0) != (y < 0))
      return UINT64_MAX;
   return (uint64_t)(x > y ? x - y : y - x);
}

static void
compare(struct program *p, reference ref, unsigned allowed_ulps,
        const char *name, double in[2][LANES])
{
   double out[LANES];
   run(p, in, out);
   for (unsigned i = 0; i < LANES; i++) {
      const double want = ref(in[0][i], in[1][i]);
      if (ulps(out[i], want) > allowed_ulps)
         fail_msg("%s(%a, %a) = %a, expected %a", name, in[0][i], in[1][i],
                  out[i], want);
   }
}

static void
check(nir_op op, nir_lower_doubles_options options, reference ref,
      unsigned allowed_ulps)
{
   struct program p = make(op, options);
   const char *name = nir_op_infos[op].name;
   double in[2][LANES];
   unsigned n = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(specials); i++) {
      for (unsigned j = 0; j < (p.num_inputs > 1 ? ARRAY_SIZE(specials) : 1);
           j++) {
         in[0][n] = specials[i];
         in[1][n] = specials[j];
         if (++n == LANES) {
            compare(&p, ref, allowed_ulps, name, in);
            n = 0;
         }
      }
   }
   /* What is left over of the specials stands before random values. */
   rng_state = 0x9e3779b97f4a7c15ull;
   for (unsigned round = 0; round < RANDOM_ROUNDS; round++) {
      for (; n < LANES; n++) {
         in[0][n] = random_double();
         in[1][n] = random_double();
      }
      compare(&p, ref, allowed_ulps, name, in);
      n = 0;
   }
   nir_shader_destroy(p.shader);
}

static double
ref_rcp(double a, double b)
{
   return 1.0 / a;
}

static double
ref_div(double a, double b)
{
   return a / b;
}

static double
ref_sqrt(double a, double b)
{
   return sqrt(a);
}

static double
ref_rsq(double a, double b)
{
   if (!(a > 0.0) || isinf(a))
      return 1.0 / sqrt(a);
   mpfr_t x;
   mpfr_init2(x, 53);
   mpfr_set_d(x, a, MPFR_RNDN);
   mpfr_rec_sqrt(x, x, MPFR_RNDN);
   const double r = mpfr_get_d(x, MPFR_RNDN);
   mpfr_clear(x);
   return r;
}

static double
ref_trunc(double a, double b)
{
   return trunc(a);
}

static double
ref_floor(double a, double b)
{
   return floor(a);
}

static double
ref_ceil(double a, double b)
{
   return ceil(a);
}

static double
ref_round(double a, double b)
{
   return rint(a);
}

static void
rcp_is_exact(void **state)
{
   check(nir_op_frcp, nir_lower_drcp, ref_rcp, 0);
}

static void
div_is_exact(void **state)
{
   check(nir_op_fdiv, nir_lower_ddiv, ref_div, 0);
}

static void
sqrt_is_exact(void **state)
{
   check(nir_op_fsqrt, nir_lower_dsqrt, ref_sqrt, 0);
}

static void
rsq_within_one_ulp(void **state)
{
   check(nir_op_frsq, nir_lower_drsq, ref_rsq, 1);
}

static void
rounding_is_exact(void **state)
{
   check(nir_op_ftrunc, nir_lower_dtrunc, ref_trunc, 0);
   check(nir_op_ffloor, nir_lower_dfloor, ref_floor, 0);
   check(nir_op_fceil, nir_lower_dceil, ref_ceil, 0);
   check(nir_op_fround_even, nir_lower_dround_even, ref_round, 0);
}

/* mod(x, y) in [0, y), also for multiples of y. */
static void
mod_is_in_range(void **state)
{
   struct program p = make(nir_op_fmod, nir_lower_dmod);
   double in[2][LANES], out[LANES];
   rng_state = 12345;
   for (unsigned round = 0; round < RANDOM_ROUNDS; round++) {
      for (unsigned i = 0; i < LANES; i++) {
         const double y = (double)(rng() % 1000 + 1) / 8.0;
         const bool multiple = i & 1;
         in[1][i] = i & 2 ? y : y * 0.1;
         in[0][i] = multiple ? in[1][i] * (double)(rng() % 4096)
                             : (double)(int64_t)(rng() % 200000) / 7.0;
      }
      run(&p, in, out);
      for (unsigned i = 0; i < LANES; i++) {
         if (!(out[i] >= 0.0 && out[i] < in[1][i]))
            fail_msg("mod(%a, %a) = %a", in[0][i], in[1][i], out[i]);
      }
   }
   nir_shader_destroy(p.shader);
}

/* --- 64-bit integers ---------------------------------------------------- */

/* Sources and results narrower than 64 bits are the low parts of those of
 * the shader. */
static void
check_int64_of(nir_op op, unsigned src_bits, nir_lower_int64_options option)
{
   nir_shader_compiler_options compiler = { .lower_int64_options = option };
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, &compiler, "i");
   const unsigned n = nir_op_infos[op].num_inputs;
   nir_value *src[2] = { NULL };
   for (unsigned i = 0; i < n; i++) {
      nir_variable *in = nir_new_variable(b.shader, nir_var_shader_in,
                                          glsl_uint64_t_type(), NULL);
      in->data.location = VARYING_SLOT_VAR(i);
      in->data.interpolation = INTERP_MODE_FLAT;
      src[i] = nir_load_var(&b, in);
      if (src_bits == 32 || nir_op_infos[op].input[i].type == nir_type_uint32)
         src[i] = nir_unpack_64_2x32_split_x(&b, src[i]);
   }
   nir_value *res = nir_build_alu(&b, op, src[0], src[1], NULL, NULL);
   const unsigned dst_bits = res->bit_size;
   if (dst_bits == 1)
      res = nir_b2i32(&b, res);
   if (dst_bits != 64)
      res = nir_pack_64_2x32_split(&b, res, nir_imm_int(&b, 0));
   nir_variable *out = nir_new_variable(b.shader, nir_var_shader_out,
                                        glsl_uint64_t_type(), "out");
   out->data.location = FRAG_RESULT_DATA0;
   nir_store_var(&b, out, res, 1);
   if (!nir_lower_int64(b.shader))
      fail_msg("%s is lowered", nir_op_infos[op].name);
   nir_validate_shader(b.shader, "int64");

   struct program p = { b.shader, n };
   double in[2][LANES], got[LANES];
   static const uint64_t edges[] = {
      0,
      1,
      2,
      ~0ull,
      1ull << 63,
      (1ull << 63) - 1,
      0xffffffffull,
      1ull << 32,
      10,
      (uint64_t)-10,
   };
   rng_state = 99;
   for (unsigned round = 0; round < 20; round++) {
      uint64_t v[2][LANES];
      for (unsigned i = 0; i < LANES; i++) {
         v[0][i] = rng() >> (rng() % 64);
         v[1][i] = rng() >> (rng() % 64);
         if (rng() % 4 == 0)
            v[0][i] = edges[rng() % ARRAY_SIZE(edges)];
         if (rng() % 4 == 0)
            v[1][i] = edges[rng() % ARRAY_SIZE(edges)];
         /* Division by zero may give anything. */
         if (v[1][i] == 0)
            v[1][i] = 3;
      }
      memcpy(in, v, sizeof(v));
      run(&p, in, got);
      for (unsigned i = 0; i < LANES; i++) {
         nir_const_value a = { .u64 = v[0][i] }, c = { .u64 = v[1][i] }, r;
         nir_const_value *srcs[] = { &a, &c };
         nir_eval_const_opcode(op, &r, 1, src_bits, srcs, 0);
         r.u64 = dst_bits == 1 ? r.b : r.u64 & BITFIELD64_MASK(dst_bits);
         if (util_double_bits(got[i]) != r.u64)
            fail_msg("%s(0x%llx, 0x%llx) = 0x%llx, expected 0x%llx",
                     nir_op_infos[op].name, (unsigned long long)v[0][i],
                     (unsigned long long)v[1][i],
                     (unsigned long long)util_double_bits(got[i]),
                     (unsigned long long)r.u64);
      }
   }
   nir_shader_destroy(b.shader);
}

static void
check_int64(nir_op op, nir_lower_int64_options option)
{
   check_int64_of(op, 64, option);
}

/* Dividends next to multiples of the divisor, where an estimate that is off
 * by one gives another quotient; divisors next to powers of two; the
 * largest. */
static void
int64_division_edges(void **state)
{
   nir_shader_compiler_options compiler = { .lower_int64_options =
                                               nir_lower_divmod64 };
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, &compiler, "d");
   nir_value *src[2];

   for (unsigned i = 0; i < 2; i++) {
      nir_variable *in = nir_new_variable(b.shader, nir_var_shader_in,
                                          glsl_uint64_t_type(), NULL);
      in->data.location = VARYING_SLOT_VAR(i);
      in->data.interpolation = INTERP_MODE_FLAT;
      src[i] = nir_load_var(&b, in);
   }
   nir_variable *out = nir_new_variable(b.shader, nir_var_shader_out,
                                        glsl_uint64_t_type(), "out");
   out->data.location = FRAG_RESULT_DATA0;
   nir_store_var(&b, out, nir_udiv(&b, src[0], src[1]), 1);
   assert_true(nir_lower_int64(b.shader));

   struct program p = { b.shader, 2 };
   rng_state = 7;
   for (unsigned round = 0; round < 3000; round++) {
      double in[2][LANES], got[LANES];
      uint64_t v[2][LANES];
      for (unsigned i = 0; i < LANES; i++) {
         uint64_t d = rng() >> (rng() % 64);
         if (rng() % 4 == 0)
            d = (1ull << (rng() % 64)) + rng() % 3 - 1;
         if (rng() % 8 == 0)
            d = ~0ull - rng() % 4;
         d = MAX2(d, 1);
         uint64_t q = rng() >> (rng() % 64);
         q = MIN2(q, ~0ull / d);
         const uint64_t rest = ~0ull - q * d;
         const uint64_t add[] = { 0, ~0ull, d - 1, d / 2 };
         v[0][i] = q * d + MIN2(add[rng() % 4], rest);
         if (rng() % 4 == 0 && q)
            v[0][i] = q * d - 1;
         v[1][i] = d;
      }
      memcpy(in, v, sizeof(v));
      run(&p, in, got);
      for (unsigned i = 0; i < LANES; i++) {
         const uint64_t want = v[0][i] / v[1][i];
         if (util_double_bits(got[i]) != want)
            fail_msg("0x%llx / 0x%llx = 0x%llx, expected 0x%llx",
                     (unsigned long long)v[0][i], (unsigned long long)v[1][i],
                     (unsigned long long)util_double_bits(got[i]),
                     (unsigned long long)want);
      }
   }
   nir_shader_destroy(b.shader);
}

static void
int64_division(void **state)
{
   check_int64(nir_op_udiv, nir_lower_divmod64);
   check_int64(nir_op_umod, nir_lower_divmod64);
   check_int64(nir_op_idiv, nir_lower_divmod64);
   check_int64(nir_op_imod, nir_lower_divmod64);
   check_int64(nir_op_irem, nir_lower_divmod64);
}

static void
int64_multiplication(void **state)
{
   check_int64(nir_op_imul, nir_lower_imul64);
   check_int64(nir_op_umul_high, nir_lower_imul_high64);
   check_int64(nir_op_imul_high, nir_lower_imul_high64);
}

/* Hardware without 64-bit integers. Conversions from floats are compared on
 * the EU: tests/differential. */
static void
int64_by_halves(void **state)
{
   static const struct {
      nir_op op;
      nir_lower_int64_options option;
      unsigned src_bits;
   } cases[] = {
      { nir_op_iadd, nir_lower_iadd64, 64 },
      { nir_op_isub, nir_lower_iadd64, 64 },
      { nir_op_iadd_sat, nir_lower_iadd64, 64 },
      { nir_op_ineg, nir_lower_ineg64, 64 },
      { nir_op_iabs, nir_lower_iabs64, 64 },
      { nir_op_iand, nir_lower_logic64, 64 },
      { nir_op_ior, nir_lower_logic64, 64 },
      { nir_op_ixor, nir_lower_logic64, 64 },
      { nir_op_inot, nir_lower_logic64, 64 },
      { nir_op_imin, nir_lower_minmax64, 64 },
      { nir_op_imax, nir_lower_minmax64, 64 },
      { nir_op_umin, nir_lower_minmax64, 64 },
      { nir_op_umax, nir_lower_minmax64, 64 },
      { nir_op_ieq, nir_lower_icmp64, 64 },
      { nir_op_ine, nir_lower_icmp64, 64 },
      { nir_op_ilt, nir_lower_icmp64, 64 },
      { nir_op_ult, nir_lower_icmp64, 64 },
      { nir_op_ige, nir_lower_icmp64, 64 },
      { nir_op_uge, nir_lower_icmp64, 64 },
      { nir_op_ishl, nir_lower_shift64, 64 },
      { nir_op_ishr, nir_lower_shift64, 64 },
      { nir_op_ushr, nir_lower_shift64, 64 },
      { nir_op_imul_2x32_64, nir_lower_imul_2x32_64, 32 },
      { nir_op_umul_2x32_64, nir_lower_imul_2x32_64, 32 },
      { nir_op_i2i64, nir_lower_conv64, 32 },
      { nir_op_u2u64, nir_lower_conv64, 32 },
      { nir_op_i2i32, nir_lower_conv64, 64 },
      { nir_op_i2b1, nir_lower_conv64, 64 },
      { nir_op_i2f32, nir_lower_conv64, 64 },
      { nir_op_u2f32, nir_lower_conv64, 64 },
      { nir_op_i2f64, nir_lower_conv64, 64 },
      { nir_op_u2f64, nir_lower_conv64, 64 },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++)
      check_int64_of(cases[i].op, cases[i].src_bits, cases[i].option);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(rcp_is_exact),
      cmocka_unit_test(div_is_exact),
      cmocka_unit_test(sqrt_is_exact),
      cmocka_unit_test(rsq_within_one_ulp),
      cmocka_unit_test(rounding_is_exact),
      cmocka_unit_test(mod_is_in_range),
      cmocka_unit_test(int64_division),
      cmocka_unit_test(int64_division_edges),
      cmocka_unit_test(int64_multiplication),
      cmocka_unit_test(int64_by_halves),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
