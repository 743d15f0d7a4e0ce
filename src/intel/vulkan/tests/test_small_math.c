/* SPDX-License-Identifier: MIT */
/* Arithmetic of 8 and 16 bits against that of the host. */
#include "vkt.h"

#include <math.h>

#include "small_math_small_ints_comp.h"
#include "small_math_small_ints_vert.h"
#include "small_math_small_math_comp.h"
#include "small_math_white_frag.h"
#include "util/macros.h"

#define INVOCATIONS 16
#define COLUMNS 80

struct row {
   double v[COLUMNS];
   unsigned n;
};

/* Half floats, which Gen7 has not; integers have all. */
static bool
has_halves(void)
{
   VKT_INFO(PhysicalDeviceShaderFloat16Int8Features, small);
   const VkPhysicalDeviceFeatures features = vkt_features(&small);
   assert_true(small.shaderInt8 && features.shaderInt16);
   return small.shaderFloat16;
}

static void
put(struct row *r, double v)
{
   assert_true(r->n < COLUMNS);
   r->v[r->n++] = v;
}

/* With the sign of the divisor, as OpSMod has it. */
static int
modulo(int x, int y)
{
   return (x % y + y) % y;
}

/* clang-format off */
static void
floats(struct row *r, double a, double b)
{
   const double v[3] = { a, b, a + b }, w[3] = { b, a, 0.5 };
   int e;
   const double part = frexp(a, &e);
   const double m[3] = { v[1], w[1], v[1] };
   put(r, sin(a)); put(r, cos(a)); put(r, tan(a)); put(r, asin(a / b));
   put(r, atan2(a, b)); put(r, sinh(a)); put(r, tanh(a)); put(r, pow(b, a));
   put(r, exp(a)); put(r, log(b)); put(r, exp2(a)); put(r, log2(b));
   put(r, sqrt(b)); put(r, 1 / sqrt(b)); put(r, floor(a)); put(r, ceil(a));
   put(r, a - floor(a)); put(r, trunc(a)); put(r, nearbyint(a));
   put(r, a - b * floor(a / b)); put(r, fmin(a, b)); put(r, fmax(a, b));
   put(r, 0.75 * a + 0.25 * b); put(r, b < a ? 0 : 1);
   put(r, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
   put(r, v[0] * w[0] + v[1] * w[1] + v[2] * w[2]);
   put(r, v[2] * w[0] - v[0] * w[2]); put(r, (a > 0) - (a < 0));
   put(r, fabs(a)); put(r, a * b + a); put(r, part); put(r, e);
   put(r, a * 8); put(r, a - trunc(a)); put(r, trunc(a)); put(r, a / b);
   put(r, a < b); put(r, -a);
   put(r, m[0] * w[0] + m[1] * w[1] + m[2] * w[2]);
   put(r, a * 3); put(r, (int)(a * 10));
}

static void
integers(struct row *r, int8_t c, int16_t s)
{
   const uint8_t u = (uint8_t)c;
   const uint16_t q = (uint16_t)s;
   put(r, c / 3); put(r, modulo(c, 3)); put(r, (int8_t)(c * 3));
   put(r, (int8_t)(c * 4)); put(r, c >> 1); put(r, u >> 1); put(r, u / 5);
   put(r, MIN2(c, 3)); put(r, c < 0 ? -c : c); put(r, ~c); put(r, c & 3);
   put(r, c < 3); put(r, (uint8_t)(u + 200)); put(r, s / 7);
   put(r, modulo(s, 7));
   put(r, (int16_t)(s * 7)); put(r, (int16_t)(s * 8)); put(r, s >> 2);
   put(r, q >> 1); put(r, q / 9); put(r, MAX2(s, 7)); put(r, q % 10);
   put(r, s);
}
/* clang-format on */

static int8_t
byte_of(const float *x, unsigned i)
{
   return (int8_t)(int)(x[i] * 60);
}

static int16_t
word_of(const float *x, unsigned i)
{
   return (int16_t)(int)(x[i] * 16000);
}

/* What the invocations of a subgroup, which are all of them, have together,
 * and what those before `self` have. */
static void
together(struct row *r, const float *x, unsigned self)
{
   int16_t most = INT16_MIN, most_before = INT16_MIN;
   int8_t least_before = INT8_MAX;
   uint8_t least = UINT8_MAX;
   uint16_t sum = 0;
   for (unsigned i = 0; i < INVOCATIONS; i++) {
      most = MAX2(most, word_of(x, i));
      least = MIN2(least, (uint8_t)byte_of(x, i));
      sum = (uint16_t)(sum + (uint16_t)word_of(x, i));
      if (i < self) {
         most_before = MAX2(most_before, word_of(x, i));
         least_before = MIN2(least_before, byte_of(x, i));
      }
   }
   put(r, byte_of(x, self ^ 1));
   put(r, most);
   put(r, least);
   put(r, sum);
   put(r, least_before);
   put(r, most_before);
}

static struct row
expected(const float *x, unsigned i)
{
   struct row r = { .n = 0 };
   double sum = 0, most = 0;
   for (unsigned k = 0; k < INVOCATIONS; k++) {
      sum += x[k];
      most = fmax(most, x[INVOCATIONS + k]);
   }
   put(&r, x[15 - i]);
   put(&r, (int8_t)((i + 1) % 16 + 100));
   put(&r, (int8_t)(i + 200));
   put(&r, 15 * 3000);
   put(&r, x[i] * (i % 7));
   floats(&r, x[i], x[INVOCATIONS + i]);
   integers(&r, byte_of(x, i), word_of(x, i));
   together(&r, x, i);
   put(&r, sum);
   put(&r, most);
   put(&r, x[i] / 64 * 300 * 300);
   put(&r, 64 / x[i]);
   return r;
}

static struct row
expected_integers(const float *x, unsigned i)
{
   struct row r = { .n = 0 };
   put(&r, (int8_t)((i + 1) % 16 + 100));
   put(&r, (int8_t)(i + 200));
   put(&r, 15 * 3000);
   integers(&r, byte_of(x, i), word_of(x, i));
   together(&r, x, i);
   return r;
}

/* The row of a vertex. */
static struct row
expected_vertex(const float *x, unsigned i)
{
   struct row r = { .n = 0 };
   int8_t v[3] = { (int8_t)i, (int8_t)(i + 100), (int8_t)(i + 200) };
   uint16_t word = 0;
   for (unsigned k = 0; k < i; k++) {
      const int8_t first = v[0];
      word = (uint16_t)(word + 30011);
      v[0] = (int8_t)(v[1] + 1);
      v[1] = (int8_t)(v[2] + 2);
      v[2] = (int8_t)(first + 3);
   }
   put(&r, v[0]);
   put(&r, v[2]);
   put(&r, word);
   integers(&r, byte_of(x, i), word_of(x, i));
   return r;
}

static void
with_numbers(void (*run)(const struct vkt_resource resources[2]),
             struct row (*expect)(const float *x, unsigned i))
{
   struct vkt_buffer out = vkt_buffer_create(INVOCATIONS * COLUMNS * 4);
   struct vkt_buffer in = vkt_buffer_create(2 * INVOCATIONS * 4);
   float *x = in.map;
   for (unsigned i = 0; i < INVOCATIONS; i++) {
      x[i] = ((float)i - 7.5f) / 8;
      x[INVOCATIONS + i] = 1 + (float)(i * 5 % 16) / 16;
   }
   run((const struct vkt_resource[]) { VKT_STORAGE(out), VKT_STORAGE(in) });
   for (unsigned i = 0; i < INVOCATIONS; i++) {
      const float *got = (const float *)out.map + i * COLUMNS;
      const struct row want = expect(x, i);
      for (unsigned k = 0; k < want.n; k++) {
         /* 11 bits, a few times rounded; integers are exact. */
         const double tolerance = want.v[k] == rint(want.v[k]) &&
                                        fabs(want.v[k]) > 8
                                     ? 0
                                     : fmax(fabs(want.v[k]), 1) / 256;
         if (!(fabs(got[k] - want.v[k]) <= tolerance))
            fail_msg("invocation %u, column %u: %g, not %g", i, k, got[k],
                     want.v[k]);
      }
   }
   vkt_buffer_destroy(&in);
   vkt_buffer_destroy(&out);
}

static void
compute(const struct vkt_resource resources[2], struct vkt_shader shader)
{
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required = {
      .sType =
         VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = INVOCATIONS,
   };
   vkt_compute_stage(
      shader, &(VkPipelineShaderStageCreateInfo) { .pNext = &required },
      resources, 2, 1);
}

static void
compute_all(const struct vkt_resource resources[2])
{
   compute(resources, VKT_SHADER(small_math_comp));
}

static void
compute_integers(const struct vkt_resource resources[2])
{
   compute(resources, VKT_SHADER(small_ints_comp));
}

static void
draw(const struct vkt_resource resources[2])
{
   uint32_t px;
   vkt_draw(
      &(struct vkt_scene) {
         .vs = VKT_SHADER(small_ints_vert),
         .fs = VKT_SHADER(white_frag),
         .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
         .vertex_count = INVOCATIONS,
         .width = 1,
         .height = 1,
         .resources = resources,
         .resource_count = 2,
      },
      &px);
}

static void
test_small_math(void **state)
{
   if (!has_halves())
      skip();
   with_numbers(compute_all, expected);
}

static void
test_small_integers(void **state)
{
   with_numbers(compute_integers, expected_integers);
}

/* Before Gen8 there are other instructions for these. */
static void
test_small_integers_of_vertices(void **state)
{
   with_numbers(draw, expected_vertex);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_math),
      cmocka_unit_test(test_small_integers),
      cmocka_unit_test(test_small_integers_of_vertices),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
