/* SPDX-License-Identifier: MIT */
/*
 * The accuracy of every operation on doubles: a shader with nothing but the
 * operation, compiled for Skylake, runs on the simulated EU in SIMD8 and
 * SIMD16 and is compared with the host's result or MPFR's (fp64_ops.c).
 *
 * Operands: all combinations of special values, then random ones. A NaN
 * stands for any NaN; zeros differ by their sign.
 *
 * Operations with long forms are measured a second time in a shader that has
 * many of them, so that it calls these (nir_double_routines.c).
 *
 * usage: test_fp64 [SAMPLES [OPERATION]]; 10^6 samples give the table of
 * docs/fp64.rst (instructions: of the SIMD8 kernel, all in all). Fails if an
 * operation does not keep its claim.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "fp64.h"
#include "operands.h"
#include "tests/differential/run_shader.h"

#define LANES 16
/* Of one operation in a shader that calls it. */
#define MANY 8
#define SLOT_B 32
#define RESULT_B 24
#define MAX_REPORTS 5

/* ---- the shader ---- */

static nir_op
called_op(const struct fp64_op *op)
{
   static const struct {
      const char *name;
      nir_op op;
   } rows[] = { { "div", nir_op_fdiv },
                { "rcp", nir_op_fdiv },
                { "sqrt", nir_op_fsqrt },
                { "rsq", nir_op_frsq },
                { "mod", nir_op_fmod } };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (!strcmp(rows[i].name, op->name))
         return rows[i].op;
   }
   return nir_num_opcodes;
}

/* `times` operations, one slot after the other. Of several, NULL if they are
 * not called. */
static const struct intel_shader *
compile(struct arena *arena, const struct runner *runner,
        const struct fp64_op *op, unsigned times)
{
   const struct intel_compiler *compiler = runner_compiler(runner);
   const gl_shader_stage stage = runner_stage(runner);
   nir_builder b = nir_builder_init_simple_shader(
      stage, intel_compiler_nir_options(compiler), "%s", op->name);
   nir_value *lane = runner_is_vec4(runner) ? nir_load_vertex_id_zero_base(&b)
                                            : nir_load_sample_mask_in(&b);
   nir_value *first = nir_imul_imm(&b, lane, times * SLOT_B);

   /* As GLSL's `precise`: the operation itself is to be measured. */
   b.exact = true;
   for (unsigned k = 0; k < times; k++) {
      nir_value *slot = nir_iadd_imm(&b, first, k * SLOT_B);
      nir_value *src[3] = { NULL };
      for (unsigned i = 0; i < 3 && op->src[i]; i++)
         src[i] = runner_nir_load(&b, nir_iadd_imm(&b, slot, 8 * i), 1,
                                  fp64_kind_bits(op->src[i]));
      runner_nir_store(&b, nir_iadd_imm(&b, slot, RESULT_B),
                       op->build(&b, src));
   }

   intel_preprocess_nir(compiler, b.shader);
   if (times > 1 && !nir_find_routine(b.shader, called_op(op))) {
      nir_shader_destroy(b.shader);
      return NULL;
   }
   const struct intel_compile_params params = { .arena = arena,
                                                .nir = b.shader };
   const union intel_key fs = { .wm = { .nr_color_regions = 1 } };
   const union intel_key vs = { 0 };
   const union intel_key key = runner_is_vec4(runner) ? vs : fs;
   const struct intel_shader *sh = intel_compile(compiler, &params, &key);
   nir_shader_destroy(b.shader);
   return sh;
}

/* ---- measuring ---- */

struct result {
   uint64_t samples, wrong;
   double max_ulp;
};

static bool
is_nan(enum fp64_kind kind, uint64_t v)
{
   switch (kind) {
   case FP64_DOUBLE: return isnan(util_bits_double(v));
   case FP64_FLOAT: return isnan(util_bits_float((uint32_t)v));
   case FP64_HALF: return (v & 0x7fff) > 0x7c00;
   default: return false;
   }
}

/* How many representable values lie between; zeros count as one value. */
static double
distance(enum fp64_kind kind, uint64_t a, uint64_t b)
{
   const uint64_t sign = 1ull << (fp64_kind_bits(kind) - 1);
   const bool is_float = kind == FP64_DOUBLE || kind == FP64_FLOAT ||
                         kind == FP64_HALF;
   int64_t x = (int64_t)a, y = (int64_t)b;

   if (is_nan(kind, a) || is_nan(kind, b))
      return INFINITY;
   if (is_float) {
      x = a & sign ? -(int64_t)(a & ~sign) : (int64_t)a;
      y = b & sign ? -(int64_t)(b & ~sign) : (int64_t)b;
   }
   return fabs((double)x - (double)y);
}

static void
judge(const struct fp64_op *op, const uint64_t *in, uint64_t got,
      struct result *res)
{
   uint64_t want;
   double ulp = 0;
   bool right;

   if (!op->reference(in, &want))
      return;
   res->samples++;
   right = got == want || (is_nan(op->dst, got) && is_nan(op->dst, want)) ||
           (op->also_right && op->also_right(in, got));
   if (op->error && isnormal(util_bits_double(want)) &&
       isfinite(util_bits_double(got))) {
      ulp = op->error(in, got);
      right = ulp < 1;
   } else if (!right) {
      ulp = distance(op->dst, got, want);
   }
   res->max_ulp = fmax(res->max_ulp, ulp);
   if (right)
      return;
   if (res->wrong++ < MAX_REPORTS)
      printf("%s(0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ") = 0x%" PRIx64
             ", expected 0x%" PRIx64 "\n",
             op->name, in[0], in[1], in[2], got, want);
}

struct batch {
   struct runner *runner;
   const struct fp64_op *op;
   const struct intel_shader *shader;
   struct result result;
   uint64_t in[LANES * MANY][3];
   unsigned n, width, times;
   const char *error;
};

static uint64_t
truncated(uint64_t v, enum fp64_kind kind)
{
   return v & (~0ull >> (64 - fp64_kind_bits(kind)));
}

static void
flush(struct batch *b)
{
   uint8_t *buf = runner_buffer(b->runner);

   if (!b->n || b->error) {
      b->n = 0;
      return;
   }
   for (unsigned l = 0; l < b->n; l++) {
      memcpy(buf + l * SLOT_B, b->in[l], sizeof(b->in[l]));
      memset(buf + l * SLOT_B + RESULT_B, 0xcd, 8);
   }
   b->error =
      runner_exec(b->runner, (1u << DIV_ROUND_UP(b->n, b->times)) - 1);
   if (b->error)
      return;
   for (unsigned l = 0; l < b->n; l++) {
      uint64_t got;
      memcpy(&got, buf + l * SLOT_B + RESULT_B, 8);
      judge(b->op, b->in[l], truncated(got, b->op->dst), &b->result);
   }
   b->n = 0;
}

static void
add(struct batch *b, const uint64_t in[3])
{
   for (unsigned i = 0; i < 3; i++)
      b->in[b->n][i] = truncated(in[i], b->op->src[i]);
   if (++b->n == b->width * b->times)
      flush(b);
}

static void
run_width(struct batch *b, unsigned width, uint64_t samples)
{
   const enum fp64_kind *k = b->op->src;
   uint64_t in[3] = { 0 };

   b->width = width;
   b->n = 0;
   b->error = runner_load(b->runner, b->shader, width);
   for (unsigned i = 0; i < fp64_num_specials(k[0]); i++) {
      in[0] = fp64_special_value(k[0], i);
      for (unsigned j = 0; j < fp64_num_specials(k[1]); j++) {
         in[1] = fp64_special_value(k[1], j);
         /* All triples would be too many for the quick run. */
         const unsigned step = k[2] && samples < 500000 ? 7 : 1;
         for (unsigned l = (i + j) % step; l < fp64_num_specials(k[2]);
              l += step) {
            in[2] = fp64_special_value(k[2], l);
            add(b, in);
         }
      }
   }
   /* Until so many had a defined result. */
   const uint64_t goal = b->result.samples + samples;
   for (uint64_t s = 0; b->result.samples < goal && s < 8 * samples; s++) {
      in[0] = fp64_random_value(k[0], fp64_random());
      in[1] = fp64_random_value(k[1], in[0]);
      in[2] = fp64_random_value(k[2], in[1]);
      /* Half of fma's samples cancel. */
      if (k[2] && s & 1)
         in[2] = util_double_bits(
                    -(util_bits_double(in[0]) * util_bits_double(in[1]))) +
                 fp64_random() % 3 - 1;
      add(b, in);
   }
   flush(b);
}

static bool
measure(struct runner *runner, const struct fp64_op *op, unsigned times,
        uint64_t samples)
{
   static const char *const claims[] = {
      [FP64_EXACT] = "exact",
      [FP64_ROUNDED] = "correctly rounded",
      [FP64_ONE_ULP] = "< 1 ulp",
   };
   struct arena *arena = arena_create(NULL);
   struct batch b = {
      .runner = runner,
      .op = op,
      .shader = compile(arena, runner, op, times),
      .times = times,
   };

   if (!b.shader) {
      printf("%s: %u of them are not called\n", op->name, times);
      arena_destroy(arena);
      return false;
   }
   if (!b.shader->code) {
      printf("%s: %s\n", op->name, b.shader->error);
      arena_destroy(arena);
      return false;
   }
   fp64_set_seed(FP64_SEED);
   run_width(&b, 8, samples / 2);
   if (!runner_is_vec4(runner) && b.shader->prog_data.wm->dispatch_16 &&
       !b.error)
      run_width(&b, 16, samples - samples / 2);
   if (b.error)
      printf("%s: %s\n", op->name, b.error);
   printf("%-14s %-8s %-18s max %-7.5g ulp  %9" PRIu64 " samples  %" PRIu64
          " wrong  %4u instructions\n",
          op->name, times > 1 ? "(called)" : "", claims[op->claim],
          b.result.max_ulp, b.result.samples, b.result.wrong,
          b.shader->stats[0].instructions);
   fflush(stdout);
   const bool ok = !b.error && b.result.samples && !b.result.wrong;
   arena_destroy(arena);
   return ok;
}

int
main(int argc, char **argv)
{
   const uint64_t samples = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
   struct runner *runner = runner_create();
   unsigned bad = 0;

   for (unsigned i = 0; i < fp64_num_ops; i++) {
      const struct fp64_op *op = &fp64_ops[i];
      if (argc > 2 && strcmp(argv[2], op->name))
         continue;
      bad += !measure(runner, op, 1, samples);
      if (called_op(op) != nir_num_opcodes && !runner_is_vec4(runner))
         bad += !measure(runner, op, MANY, samples);
   }
   printf("%u operations do not keep their claims\n", bad);
   runner_destroy(runner);
   return bad != 0;
}
