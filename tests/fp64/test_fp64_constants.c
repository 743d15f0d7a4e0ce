/* SPDX-License-Identifier: MIT */
/*
 * Quotients of doubles by constants: a shader for each divisor, compiled, on
 * the simulated EU, compared with the host's quotients bit by bit.
 *
 * usage: test_fp64_constants [DIVISORS [SAMPLES]]
 *
 * Divisors: special ones (the ends of what has a sequence of its own, powers
 * of two, significands of nearly all ones, ...), then random ones. Numerators
 * of each: special values and random ones; those whose quotients are as close
 * to the middle of two doubles as any, which are worked out here by way of
 * the divisor's inverse modulo 2^54; products with the middle of two
 * subnormal numbers; what is next to the ends of the quotient's range.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fp64.h"
#include "operands.h"
#include "tests/differential/run_shader.h"

#define LANES 16
#define SLOT_B 16
#define RESULT_B 8
#define MAX_REPORTS 10
/* Distances from a middle, in units of 2^-54 divisors' last places. */
#define MAX_DELTA 4

static const double divisors[] = {
   3.0,
   -3.0,
   5.0,
   6.0,
   -6.0,
   7.0,
   9.0,
   10.0,
   12.0,
   60.0,
   1000.0,
   1e10,
   0.1,
   0.3,
   -0.7,
   1.1,
   M_PI,
   M_E,
   1e-10,
   0x1p0,
   -0x1p0,
   2.0,
   0x1p-5,
   -0x1p60,
   0x1p1022,
   0x1p1023,
   0x1p-1022,
   0x1p-1023,
   0x1p-1024,
   0x1p-1074,
   0.0,
   -0.0,
   INFINITY,
   -INFINITY,
   NAN,
   0x1.fffffffffffffp0,
   0x1.0000000000001p0,
   0x1.ffffffffffffep1,
   0x1.0000000000001p1,
   0x1.fffff00000001p0,
   0x1.8p500,
   0x1p500,
   0x1.0000000000001p500,
   0x1.8p-500,
   0x1.fffffffffffffp-501,
   1e300,
   1e-300,
   1e308,
   3e-308,
   0x1.8p-1040,
   -1e-320,
   DBL_MAX,
};

struct batch {
   struct runner *runner;
   double divisor;
   double in[LANES];
   unsigned n, width;
   uint64_t samples, wrong;
   const char *error;
};

static const struct intel_shader *
compile(struct arena *arena, const struct runner *runner, double divisor)
{
   const struct intel_compiler *compiler = runner_compiler(runner);
   nir_builder b = nir_builder_init_simple_shader(
      runner_stage(runner), intel_compiler_nir_options(compiler), "by %a",
      divisor);
   nir_value *lane = runner_is_vec4(runner) ? nir_load_vertex_id_zero_base(&b)
                                            : nir_load_sample_mask_in(&b);
   nir_value *slot = nir_imul_imm(&b, lane, SLOT_B);
   nir_value *n = runner_nir_load(&b, slot, 1, 64);
   runner_nir_store(&b, nir_iadd_imm(&b, slot, RESULT_B),
                    nir_fdiv(&b, n, nir_imm_double(&b, divisor)));

   intel_preprocess_nir(compiler, b.shader);
   const struct intel_compile_params params = { .arena = arena,
                                                .nir = b.shader };
   const union intel_key fs = { .wm = { .nr_color_regions = 1 } };
   const union intel_key vs = { 0 };
   const union intel_key key = runner_is_vec4(runner) ? vs : fs;
   const struct intel_shader *sh = intel_compile(compiler, &params, &key);
   nir_shader_destroy(b.shader);
   return sh;
}

static void
judge(struct batch *b, double n, double got)
{
   const double want = n / b->divisor;
   b->samples++;
   if (util_double_bits(got) == util_double_bits(want) ||
       (isnan(got) && isnan(want)))
      return;
   if (b->wrong++ < MAX_REPORTS)
      printf("%a / %a = %a, not %a\n", n, b->divisor, got, want);
}

static void
flush(struct batch *b)
{
   uint8_t *buf = runner_buffer(b->runner);
   if (!b->n || b->error)
      return;
   for (unsigned l = 0; l < b->n; l++)
      memcpy(buf + l * SLOT_B, &b->in[l], sizeof(double));
   b->error = runner_exec(b->runner, (1u << b->n) - 1);
   for (unsigned l = 0; l < b->n && !b->error; l++) {
      double got;
      memcpy(&got, buf + l * SLOT_B + RESULT_B, sizeof(got));
      judge(b, b->in[l], got);
   }
   b->n = 0;
}

/* And what is next to it. */
static void
add(struct batch *b, double n)
{
   if (fp64_random() & 1)
      n = -n;
   const double all[] = { n, nextafter(n, INFINITY),
                          nextafter(n, -INFINITY) };
   for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
      b->in[b->n] = all[i];
      if (++b->n == b->width)
         flush(b);
   }
}

/* X 2^n = C m + delta with an odd m of n bits, which is a middle. */
static void
add_beside_middles(struct batch *b)
{
   int e;
   const double f = frexp(fabs(b->divisor), &e);
   const uint64_t c = isfinite(f) ? (uint64_t)ldexp(f, 53) : 0;
   if (!(c & 1))
      return;
   uint64_t inverse = c;
   for (unsigned i = 0; i < 5; i++)
      inverse *= 2 - c * inverse;
   for (unsigned n = 53; n <= 54; n++) {
      for (int delta = -MAX_DELTA; delta <= MAX_DELTA; delta++) {
         const uint64_t m = -(uint64_t)delta * inverse &
                            ((UINT64_C(1) << n) - 1);
         const __int128 x = ((__int128)c * m + delta) >> n;
         add(b, ldexp((double)(int64_t)x, (int)(fp64_random() % 800) - 452));
      }
   }
}

static void
add_samples(struct batch *b, unsigned samples)
{
   const uint64_t divisor = util_double_bits(b->divisor);
   for (unsigned i = 0; i < fp64_num_specials(FP64_DOUBLE); i++)
      add(b, util_bits_double(fp64_special_value(FP64_DOUBLE, i)));
   add_beside_middles(b);
   for (unsigned i = 0; i < samples; i++) {
      const uint64_t r = fp64_random();
      add(b, util_bits_double(fp64_random_value(FP64_DOUBLE, divisor)));
      /* A tie of subnormal results, mostly of a number of few bits. */
      const double m = (double)((r >> 12 >> (r % 52)) | 1);
      add(b, ldexp(b->divisor * m, -1075));
      add(b, b->divisor * ldexp((double)(r >> 11), -1074));
      add(b, ldexp(b->divisor, -(int)(r % 8)) * DBL_MAX);
      add(b, b->divisor * DBL_MIN);
   }
   flush(b);
}

static bool
measure(struct runner *runner, double divisor, unsigned samples)
{
   struct arena *arena = arena_create(NULL);
   const struct intel_shader *sh = compile(arena, runner, divisor);
   struct batch b = { .runner = runner, .divisor = divisor };
   b.error = sh->code ? NULL : sh->error;
   for (b.width = 8; b.width <= LANES && !b.error; b.width *= 2) {
      if (b.width == 16 &&
          (runner_is_vec4(runner) || !sh->prog_data.wm->dispatch_16))
         break;
      b.error = runner_load(runner, sh, b.width);
      add_samples(&b, samples);
   }
   if (b.error || b.wrong)
      printf("by %a: %s, %" PRIu64 " of %" PRIu64 " wrong\n", divisor,
             b.error ? b.error : "ran", b.wrong, b.samples);
   arena_destroy(arena);
   return !b.error && !b.wrong && b.samples;
}

/* With an exponent of those that constants have. */
static double
random_divisor(unsigned i)
{
   const uint64_t r = fp64_random_value(FP64_DOUBLE, fp64_random());
   if (i % 4 == 0)
      return util_bits_double(r);
   const double c =
      util_bits_double((r & 0x800fffffffffffff) | 0x3ff0000000000000);
   return ldexp(c, (int)(fp64_random() % 16) - 8);
}

int
main(int argc, char **argv)
{
   const unsigned random = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
   const unsigned samples = argc > 2 ? (unsigned)atoi(argv[2]) : 20;
   struct runner *runner = runner_create();
   unsigned bad = 0, count = ARRAY_SIZE(divisors) + random;

   fp64_set_seed(FP64_SEED);
   for (unsigned i = 0; i < ARRAY_SIZE(divisors); i++)
      bad += !measure(runner, divisors[i], samples);
   for (unsigned i = 0; i < random; i++)
      bad += !measure(runner, random_divisor(i), samples);
   printf("%u of %u divisors are wrong\n", bad, count);
   runner_destroy(runner);
   return bad != 0;
}
