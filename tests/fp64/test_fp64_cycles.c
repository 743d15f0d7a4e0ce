/* SPDX-License-Identifier: MIT */
/*
 * What quotients, roots, remainders and floors of doubles cost where their
 * operands are those of most numbers: cycles of a thread that is alone in
 * SIMD8, by the simulator's timing model.
 *
 * A shader has a group of operations that do not depend on one another, and a
 * second group whose operands are the results of the first. What it takes
 * longer than the shader with one group is the cost of a group: from operands
 * in registers to results in registers, checks included, loads and stores
 * not. Every channel has its own operands.
 *
 * usage: test_fp64_cycles; fails where a cost exceeds its limit (Skylake).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fp64.h"
#include "tests/differential/run_shader.h"
#include "util/half.h"

#define LANES 8
#define LANE_B 512
#define RESULT_B 256
#define MAX_GROUP 16

typedef nir_value def;

struct cost {
   const char *name, *op;
   unsigned group; /* operations of it */
   bool one_divisor;
   unsigned limit; /* cycles an operation; of the group if one_divisor */
   bool once;      /* twice is the same as once: the first group adds */
};

static const struct cost costs[] = {
   { "div", "div", 1, false, 414 },
   { "div, one of four", "div", 4, false, 167 },
   { "sqrt", "sqrt", 1, false, 396 },
   { "sqrt, one of four", "sqrt", 4, false, 157 },
   { "rsq", "rsq", 1, false, 420 },
   { "rsq, one of four", "rsq", 4, false, 175 },
   { "mod", "mod", 1, false, 448 },
   { "mod, one of four", "mod", 4, false, 182 },
   { "floor", "floor", 1, false, 234, true },
   { "floor, one of four", "floor", 4, false, 120, true },
   { "dmat4 by a scalar", "div", 16, true, 700 },
};

static const struct fp64_op *
find_op(const char *name)
{
   for (unsigned i = 0; i < fp64_num_ops; i++) {
      if (!strcmp(fp64_ops[i].name, name))
         return &fp64_ops[i];
   }
   return NULL;
}

/* ---- the shader ---- */

/* The group's results are the last operands of the next one. */
static void
one_group(nir_builder *b, const struct cost *c, const struct fp64_op *op,
          def **x, def **y)
{
   def *divisor = y[0];

   for (unsigned i = 0; i < c->group; i++) {
      def *s[] = { x[i], c->one_divisor ? divisor : y[i] };
      def *result = op->build(b, s);
      if (!op->src[1] || c->one_divisor) {
         x[i] = result;
      } else {
         x[i] = y[i];
         y[i] = result;
      }
   }
   if (c->one_divisor)
      y[0] = x[0];
}

static const struct intel_shader *
compile(struct arena *arena, const struct runner *runner,
        const struct cost *c, unsigned groups)
{
   const struct intel_compiler *compiler = runner_compiler(runner);
   const struct fp64_op *op = find_op(c->op);
   nir_builder b = nir_builder_init_simple_shader(
      MESA_SHADER_FRAGMENT, intel_compiler_nir_options(compiler), "%s",
      c->name);
   def *lane = nir_imul_imm(&b, nir_load_sample_mask_in(&b), LANE_B);
   def *x[MAX_GROUP] = { NULL }, *y[MAX_GROUP] = { NULL };
   const unsigned divisors = c->one_divisor ? 1 : c->group;

   /* As GLSL's `precise`. */
   b.exact = true;
   for (unsigned i = 0; i < c->group; i++)
      x[i] = runner_nir_load(&b, nir_iadd_imm(&b, lane, 8 * i), 1, 64);
   for (unsigned i = 0; i < divisors && op->src[1]; i++)
      y[i] = runner_nir_load(&b, nir_iadd_imm(&b, lane, 8 * (MAX_GROUP + i)),
                             1, 64);
   for (unsigned i = 0; i < c->group && c->once; i++)
      x[i] = nir_fadd(&b, x[i], x[i]);
   for (unsigned g = c->once; g < groups; g++)
      one_group(&b, c, op, x, y);
   for (unsigned i = 0; i < c->group; i++)
      runner_nir_store(&b, nir_iadd_imm(&b, lane, RESULT_B + 8 * i),
                       op->src[1] && !c->one_divisor ? y[i] : x[i]);

   intel_preprocess_nir(compiler, b.shader);
   const struct intel_compile_params params = { .arena = arena,
                                                .nir = b.shader };
   const union intel_key key = { .wm = { .nr_color_regions = 1 } };
   const struct intel_shader *sh = intel_compile(compiler, &params, &key);
   nir_shader_destroy(b.shader);
   return sh;
}

/* ---- measuring ---- */

/* With fractions; first operands are above second ones, remainders are
 * neither zero nor close to a power of two. */
static void
fill_operands(struct runner *r)
{
   double *buf = (double *)runner_buffer(r);

   for (unsigned l = 0; l < LANES; l++) {
      for (unsigned i = 0; i < MAX_GROUP; i++) {
         double *at = buf + l * LANE_B / 8 + i;
         at[0] = 7.3137 + 0.37017 * i + 1.19071 * l;
         at[MAX_GROUP] = 1.1057 + 0.1303 * i + 0.0713 * l;
      }
   }
}

struct figures {
   unsigned instructions;
   uint64_t cycles, issue;
};

static bool
run(struct runner *r, const struct cost *c, unsigned groups,
    struct figures *f)
{
   struct arena *arena = arena_create(NULL);
   const struct intel_shader *sh = compile(arena, r, c, groups);
   const char *error = sh->code ? NULL : sh->error;

   fill_operands(r);
   if (!error)
      error = runner_run(r, sh, LANES, (1u << LANES) - 1);
   if (error)
      printf("%s: %s\n", c->name, error);
   *f = (struct figures) { (unsigned)runner_executed(r), runner_cycles(r),
                           runner_issue(r) };
   arena_destroy(arena);
   return !error;
}

static bool
measure(struct runner *r, const struct cost *c)
{
   struct figures one, two;

   if (!run(r, c, 1, &one) || !run(r, c, 2, &two))
      return false;
   const unsigned n = c->one_divisor ? 1 : c->group;
   const double cycles = (double)(two.cycles - one.cycles) / n;
   const bool ok = cycles > 0 && cycles <= c->limit;
   printf("%-20s %6.1f instructions %6.1f cycles %6.1f issue, limit %u%s\n",
          c->name, (double)(two.instructions - one.instructions) / n, cycles,
          (double)(two.issue - one.issue) / n, c->limit,
          ok ? "" : ": exceeded");
   return ok;
}

int
main(void)
{
   struct runner *r = runner_create();
   unsigned bad = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(costs); i++)
      bad += !measure(r, &costs[i]);
   runner_destroy(r);
   return bad != 0;
}
