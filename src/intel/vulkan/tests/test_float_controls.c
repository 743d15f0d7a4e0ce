/* SPDX-License-Identifier: MIT */
/* What the execution modes of floats say: of zeros, infinities and NaNs, and
 * of subnormals. */
#include "vkt.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "float_controls_special_floats_comp.h"
#include "float_controls_strict_math_comp.h"
#include "float_controls_subnormals_comp.h"
#include "float_controls_toward_zero_comp.h"

#include "util/macros.h"

static VkPhysicalDeviceVulkan12Properties
properties(void)
{
   VKT_INFO(PhysicalDeviceVulkan12Properties, p12);

   vkt_properties(&p12);
   return p12;
}

/* What a shader without the mode may make simpler: x + 0 is not x, x * 0 is
 * not 0, x - x is not 0; and (x * 2) * 0.5 is not x where x * 2 is none. */
static void
test_special_floats(void **state)
{
   static const float numbers[] = { -0.0f,     -2,         INFINITY,
                                    -INFINITY, 0x1.8p127f, -0x1.8p127f,
                                    NAN };
   const VkPhysicalDeviceVulkan12Properties p12 = properties();

   assert_true(p12.shaderSignedZeroInfNanPreserveFloat32);
   assert_true(p12.shaderSignedZeroInfNanPreserveFloat64);

   struct vkt_buffer b = vkt_buffer_create(5 * 4);
   const struct vkt_resource resource = VKT_STORAGE(b);
   for (unsigned i = 0; i < ARRAY_SIZE(numbers); i++) {
      const volatile float x = numbers[i];
      const float twice = x * 2;
      const float want[4] = { x + 0.0f, x * 0.0f, x - x, twice * 0.5f };
      float *got = b.map;
      got[0] = x;
      vkt_compute(VKT_SHADER(special_floats_comp), &resource, 1, 1);
      for (unsigned k = 0; k < 4; k++) {
         if (isnan(want[k]))
            assert_true(isnan(got[1 + k]));
         else
            assert_memory_equal(&got[1 + k], &want[k], 4);
      }
   }
   vkt_buffer_destroy(&b);
}

/* The same by flags of instructions, whose default allows nothing; products
 * that are rounded before something is taken away from them. */
static void
test_fast_math_flags(void **state)
{
   const volatile float a = 1 + 0x1p-12f, b = 1 + 0x1p-13f, product = a * b;
   const float numbers[] = { INFINITY, -0.0f, a, b, product };
   VKT_INFO(PhysicalDeviceShaderFloatControls2FeaturesKHR, f);
   struct vkt_buffer in = vkt_buffer_create(sizeof(numbers));
   struct vkt_buffer out = vkt_buffer_create(6 * 4);
   const struct vkt_resource resources[] = {
      VKT_STORAGE(in),
      VKT_STORAGE(out),
   };
   vkt_features(&f);
   assert_true(f.shaderFloatControls2);
   memcpy(in.map, numbers, sizeof(numbers));
   vkt_compute(VKT_SHADER(strict_math_comp), resources, 2, 1);
   const float *got = out.map;
   assert_true(isnan(got[0]));
   assert_true(isnan(got[1]));
   assert_true(got[2] == 0 && !signbit(got[2]));
   assert_true(got[3] == 0);
   assert_true(got[4] == 0);
   vkt_buffer_destroy(&in);
   vkt_buffer_destroy(&out);
}

/* ---- subnormals ---- */

enum {
   OP_EXECUTION_MODE = 16,
   MODE_DENORM_PRESERVE = 4459,
   MODE_DENORM_FLUSH_TO_ZERO = 4460,
};

/* The shader keeps them; of the size that is given it flushes them now. */
static struct vkt_shader
flushing(uint32_t bits, uint32_t words[ARRAY_SIZE(subnormals_comp)])
{
   unsigned changed = 0;

   memcpy(words, subnormals_comp, sizeof(subnormals_comp));
   for (unsigned i = 5; i < ARRAY_SIZE(subnormals_comp);
        i += words[i] >> 16) {
      if ((words[i] & 0xffff) != OP_EXECUTION_MODE ||
          words[i + 2] != MODE_DENORM_PRESERVE || words[i + 3] != bits)
         continue;
      words[i + 2] = MODE_DENORM_FLUSH_TO_ZERO;
      changed++;
   }
   assert_int_equal(changed, 1);
   return (struct vkt_shader) { words, sizeof(subnormals_comp) };
}

static void
expect_flushed(const double got[7])
{
   assert_true(got[2] == 0 && got[3] == 0 && isinf(got[4]) && got[5] == 0 &&
               got[6] == 0);
}

/* 1 / x is undefined where a float is so small. */
static void
expect_kept(const double got[7], bool has_inverse)
{
   assert_true(got[2] == got[0] && got[3] == -got[0]);
   assert_true(got[5] == got[1] / 2 && got[6] == 1);
   if (has_inverse)
      assert_true(got[4] == 1 / got[0]);
}

/* Floats flush and doubles do not, and the other way around. */
static void
test_subnormals(void **state)
{
   const VkPhysicalDeviceVulkan12Properties p12 = properties();

   assert_true(p12.shaderDenormPreserveFloat32 &&
               p12.shaderDenormPreserveFloat64);
   assert_true(p12.shaderDenormFlushToZeroFloat32 &&
               p12.shaderDenormFlushToZeroFloat64);
   assert_int_equal(p12.denormBehaviorIndependence,
                    VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL);
   for (unsigned bits = 32; bits <= 64; bits += 32) {
      uint32_t words[ARRAY_SIZE(subnormals_comp)];
      struct vkt_buffer fb = vkt_buffer_create(7 * 4);
      struct vkt_buffer db = vkt_buffer_create(7 * 8);
      const struct vkt_resource resources[] = {
         VKT_STORAGE(fb),
         VKT_STORAGE(db),
      };
      float *f = fb.map;
      double *d = db.map, wide[7];

      f[0] = 0x1p-127f;
      f[1] = 0x1p-126f;
      d[0] = 0x1p-1023;
      d[1] = 0x1p-1022;
      vkt_compute(flushing(bits, words), resources, 2, 1);
      for (unsigned i = 0; i < 7; i++)
         wide[i] = f[i];
      if (bits == 32) {
         expect_flushed(wide);
         expect_kept(d, true);
      } else {
         expect_kept(wide, false);
         expect_flushed(d);
      }
      vkt_buffer_destroy(&fb);
      vkt_buffer_destroy(&db);
   }
}

/* ---- towards zero ---- */

/* What the shader computes, by the host, whose mode is set. Volatile, so that
 * nothing is computed before or after it is. */
static void
compute_toward_zero(float f[11], double d[5])
{
   const volatile float x = f[0], y = f[1], one = 1;
   const volatile double dx = d[0], dy = d[1];
   volatile float product, square, rest;
   uint64_t long_bits;
   int32_t bits;

   memcpy(&bits, &f[1], sizeof(bits));
   memcpy(&long_bits, &d[1], sizeof(long_bits));
   const volatile int32_t negative = (int32_t)(0u - (uint32_t)bits);
   const volatile uint64_t big = long_bits;
   fesetround(FE_TOWARDZERO);
   product = x * y;
   square = y * y;
   rest = one - x;
   f[2] = x + y;
   f[3] = x - y;
   f[4] = product;
   f[5] = product + x;
   f[6] = product + square;
   rest = x * rest;
   f[7] = rest + product;
   f[8] = (float)dx;
   f[9] = (float)negative;
   f[10] = (float)big;
   d[2] = dx + dy;
   d[3] = dx - dy;
   d[4] = dx * dy;
   fesetround(FE_TONEAREST);
}

static void
test_toward_zero(void **state)
{
   static const double pairs[][2] = {
      { 1, 0x1p-30 },
      { -1, 0x1p-60 },
      { 1, -0x1p-80 },
      { 0x1.fffffep127, 0x1.fffffep126 },
      { 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1020 },
      { 0x1.234567p3, 0x1.fedcbap-2 },
      { -0x1.23456789abcdep0, 0x1.fedcba9876543p5 },
      { 0x1.fffffefffffffp0, 0x1.0000010000001p0 },
      { 3, 7 },
      { -0x1.8p1, 0x1.5555555555555p-2 },
   };
   const VkPhysicalDeviceVulkan12Properties p12 = properties();

   assert_true(p12.shaderRoundingModeRTZFloat32 &&
               p12.shaderRoundingModeRTZFloat64);
   assert_int_equal(p12.roundingModeIndependence,
                    VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL);
   struct vkt_buffer fb = vkt_buffer_create(12 * 4);
   struct vkt_buffer db = vkt_buffer_create(5 * 8);
   const struct vkt_resource resources[] = {
      VKT_STORAGE(fb),
      VKT_STORAGE(db),
   };
   for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++) {
      float want[11] = { fminf((float)pairs[i][0], FLT_MAX),
                         fmaxf((float)pairs[i][1], -FLT_MAX) };
      double want_d[5] = { pairs[i][0], pairs[i][1] };
      float *f = fb.map;

      memcpy(fb.map, want, 2 * sizeof(want[0]));
      memcpy(db.map, want_d, 2 * sizeof(want_d[0]));
      vkt_compute(VKT_SHADER(toward_zero_comp), resources, 2, 1);
      compute_toward_zero(want, want_d);
      assert_memory_equal(fb.map, want, sizeof(want));
      assert_memory_equal(db.map, want_d, sizeof(want_d));
      const float quotient = f[0] / f[1];
      assert_true(fabsf(f[11] - quotient) <= 0x1p-22f * fabsf(quotient));
   }
   vkt_buffer_destroy(&fb);
   vkt_buffer_destroy(&db);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_special_floats),
      cmocka_unit_test(test_fast_math_flags),
      cmocka_unit_test(test_subnormals),
      cmocka_unit_test(test_toward_zero),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
