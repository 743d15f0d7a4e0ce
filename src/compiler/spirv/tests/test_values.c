/* SPDX-License-Identifier: MIT */
/*
 * modules/values.frag, as translated and lowered: GLSL.std.450 against the
 * libm of the host, and the dwords
 * that loads with a layout reach. Each dword of the uniform block holds its
 * own offset in bytes, so what is read says where it was read from.
 */
#include <math.h>
#include <stdio.h>
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"
#include "compiler/spirv/tests/spirv_run.h"

static unsigned failures;

static void
near(const char *what, float got, double want, double tolerance)
{
   const double scale = fmax(fabs(want), 1e-3);

   if (fabs(got - want) <= tolerance * scale || (isnan(got) && isnan(want)))
      return;
   printf("%s is %.9g, not %.9g\n", what, got, want);
   failures++;
}

static void
check_math(const float *f, double x, double y)
{
   const double det = x * y - 6, dotn = x * 0.6 + y * 0.8;
   const double len = sqrt(x * x + y * y),
                k = 1 - 0.25 * (1 - (y / len) * (y / len));
   const double t = fmin(fmax((x + 0.5) / 1.5, 0), 1);
   /* clang-format off */
   const double want[] = {
      asin(x), acos(x), atan(y), atan2(y, x), sinh(y), cosh(y), tanh(y),
      asinh(y), acosh(1 + fabs(y)), atanh(x), exp(y), log(fabs(y)), tan(x),
      x * 180 / M_PI, x * M_PI / 180, t * t * (3 - 2 * t),
      y - 0.75 * floor(y / 0.75), y - trunc(y), trunc(y), 0, 0, x * 8,
      sqrt(x * x + y * y + 4),
      x * (y * 8 - 35) - 3 * (8 - 14) + 6 * (5 - 2 * y),
      y / det, -2 / det, -3 / det,
      0.5 * y / len - (0.5 * y / len + sqrt(k)), x - 2 * dotn * 0.6,
      2 - x * x, y, pow(fabs(y), x),
   };
   /* clang-format on */
   char name[64];
   int e;

   for (unsigned i = 0; i < ARRAY_SIZE(want); i++) {
      double w = want[i];
      if (i == 19)
         w = frexp(y, &e);
      if (i == 20)
         w = (frexp(y, &e), e);
      snprintf(name, sizeof(name), "f[%u](%g, %g)", i, x, y);
      near(name, f[i], w, i == 30 ? 2e-3 : 2e-5);
   }
}

static void
check_layout(const int *got)
{
   static const int want[] = {
      0,   12,  24,  48,  64,  132,  140,  164, 200, 208, 260,
      240, 260, 304, 308, 312, 1000, 1024, 20,  113, 96,  64,
   };

   for (unsigned i = 0; i < ARRAY_SIZE(want); i++) {
      if (got[i] == want[i])
         continue;
      printf("i[%u] is %d, not %d\n", i, got[i], want[i]);
      failures++;
   }
}

/* The driver's part: the binding is the index of the buffer. */
static bool
use_bindings(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *intr;

   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   if (intr->intrinsic != nir_intrinsic_vulkan_resource_index)
      return false;
   b->cursor = nir_before_instr(instr);
   nir_instr_replace(&intr->instr,
                     nir_imm_int(b, (int)nir_intrinsic_binding(intr)));
   return true;
}

/* x, y for one run. */
static void
run(nir_shader *nir, double x, double y)
{
   static nir_interp_slot in[NIR_INTERP_SLOTS], out[NIR_INTERP_SLOTS];
   struct arena *arena = arena_create(NULL);
   float r[64] = { 0 };
   int l[64] = { 0 }, u[80], p[16];
   const struct nir_interp_buffer ubos[] = { { NULL, 0 },
                                             { NULL, 0 },
                                             { u, sizeof(u) } };
   const struct nir_interp_buffer ssbos[] = { { r, sizeof(r) },
                                              { l, sizeof(l) } };
   /* clang-format off */
   struct nir_interp_params params = {
      .num_lanes = 1, .inputs = in, .outputs = out, .ubos = ubos,
      .num_ubos = 3, .ssbos = ssbos, .num_ssbos = 2,
      .push_constants = {p, sizeof(p)},
   };
   /* clang-format on */
   const char *fault;

   for (unsigned i = 0; i < ARRAY_SIZE(u); i++)
      u[i] = (int)i * 4;
   u[79] = 1;
   for (unsigned i = 0; i < ARRAY_SIZE(p); i++)
      p[i] = 1000 + (int)i * 4;
   in[VARYING_SLOT_VAR0][0] = util_float_bits((float)x);
   in[VARYING_SLOT_VAR0][1] = util_float_bits((float)y);
   fault = nir_interp_run(nir, &params, arena);
   if (fault) {
      printf("%s\n", fault);
      failures++;
   } else {
      check_math(r, (float)x, (float)y);
      check_layout(l);
   }
   arena_destroy(arena);
}

int
main(int argc, char **argv)
{
   static const double points[][2] = {
      { 0.5, 1.5 },  { -0.75, 2.25 }, { 0.01, -0.2 },
      { 0.9, -3.5 }, { -0.2, 0.125 }, { 0.3, 12.5 },
   };
   nir_shader *nir = spirv_run_read(argc, argv);

   if (!nir)
      return 1;
   for (unsigned i = 0; i < ARRAY_SIZE(points); i++)
      run(nir, points[i][0], points[i][1]);
   spirv_run_lowering(nir);
   nir_visit_instrs(nir, use_bindings, nir_metadata_none, NULL);
   for (unsigned i = 0; i < ARRAY_SIZE(points); i++)
      run(nir, points[i][0], points[i][1]);
   nir_shader_destroy(nir);
   printf("%u failures\n", failures);
   return failures != 0;
}
