/* SPDX-License-Identifier: MIT */
/*
 * Subgroups of compute shaders: each operation against what it means, for
 * all invocations of a subgroup and for some of them. What an operation gives
 * of invocations that take no part is not looked at.
 */
#include <stdbool.h>

#include "util/macros.h"
#include "vkt.h"

#include "subgroup_color_frag.h"
#include "subgroup_extended_comp.h"
#include "subgroup_parts_comp.h"
#include "subgroup_sizes_comp.h"
#include "subgroup_subgroup_comp.h"
#include "subgroup_subgroup_vert.h"

#define INVOCATIONS 70
#define OUT_B (INVOCATIONS * sizeof(struct row))

struct results {
   uint32_t sum, product, smallest, largest, both, either, one;
   uint32_t sum_to, sum_before, largest_to, smallest_before;
   uint32_t sum_of_4, largest_of_8;
   uint32_t elected, all, any, equal;
   uint32_t voters, rank, first, last, self;
   uint32_t from_first, from_1, swapped, above, below, quad_1, diagonal;
   uint32_t lt_mask, ge_mask;
   uint32_t beyond;
   double sum_double;
   uint32_t bools[2];
};

struct row {
   uint32_t subgroup, invocation, subgroups, size;
   uint32_t value, padding;
   struct results r[2];
};

/* The values of one subgroup, and which of them take part. */
struct subgroup {
   uint32_t v[32], on;
};

static bool
is_on(const struct subgroup *g, unsigned i)
{
   return i < 32 && g->on >> i & 1;
}

static void
check_sums(const struct subgroup *g, unsigned self, const struct results *r)
{
   struct results want = { .product = 1,
                           .smallest = UINT32_MAX,
                           .both = UINT32_MAX,
                           .smallest_before = INT32_MAX };
   int32_t largest = INT32_MIN, smallest_before = INT32_MAX;

   for (unsigned i = 0; i < 32; i++) {
      const uint32_t v = g->v[i];

      if (!is_on(g, i))
         continue;
      want.sum += v;
      want.sum_double += v * 0.25;
      want.product *= v;
      want.smallest = MIN2(want.smallest, v);
      largest = MAX2(largest, (int32_t)v);
      want.both &= v;
      want.either |= v;
      want.one ^= v;
      if (i <= self) {
         want.sum_to += v;
         want.largest_to = MAX2(want.largest_to, v);
      }
      if (i < self) {
         want.sum_before += v;
         smallest_before = MIN2(smallest_before, (int32_t)v);
      }
      if (i / 4 == self / 4)
         want.sum_of_4 += v;
      if (i / 8 == self / 8)
         want.largest_of_8 = MAX2(want.largest_of_8, v);
   }
   assert_int_equal(r->sum, want.sum);
   assert_int_equal(r->product, want.product);
   assert_int_equal(r->smallest, want.smallest);
   assert_int_equal((int32_t)r->largest, largest);
   assert_int_equal(r->both, want.both);
   assert_int_equal(r->either, want.either);
   assert_int_equal(r->one, want.one);
   assert_int_equal(r->sum_to, want.sum_to);
   assert_int_equal(r->sum_before, want.sum_before);
   assert_int_equal(r->largest_to, want.largest_to);
   assert_int_equal((int32_t)r->smallest_before, smallest_before);
   assert_int_equal(r->sum_of_4, want.sum_of_4);
   assert_int_equal(r->largest_of_8, want.largest_of_8);
   assert_true(r->sum_double == want.sum_double);
   assert_int_equal(r->bools[1], 0);
}

static void
check_votes(const struct subgroup *g, unsigned self, const struct results *r)
{
   const unsigned first = (unsigned)__builtin_ctz(g->on);
   bool all = true, any = false, equal = true;
   uint32_t voters = 0;

   for (unsigned i = 0; i < 32; i++) {
      if (!is_on(g, i))
         continue;
      all &= g->v[i] & 1;
      any |= g->v[i] > 0xf0000000;
      equal &= (g->v[i] & 1) == (g->v[first] & 1);
      voters |= (g->v[i] >> 1 & 1) << i;
   }
   assert_int_equal(r->elected, self == first);
   assert_int_equal(r->all, all);
   assert_int_equal(r->any, any);
   assert_int_equal(r->equal, equal);
   assert_int_equal(r->voters, voters);
   assert_int_equal(r->rank, __builtin_popcount(voters & ((1u << self) - 1)));
   if (voters) {
      assert_int_equal(r->first, __builtin_ctz(voters));
      assert_int_equal(r->last, 31 - __builtin_clz(voters));
   }
   assert_int_equal(r->self, voters >> self & 1);
   assert_int_equal(r->bools[0] != 0, voters != 0);
   assert_int_equal(r->lt_mask, (1u << self) - 1);
   assert_int_equal(r->ge_mask, ~((1u << self) - 1));
   assert_int_equal(r->beyond, 32 + 256 * 31);
}

static void
check_moves(const struct subgroup *g, unsigned self, const struct results *r)
{
   const struct {
      uint32_t got;
      unsigned from;
   } moves[] = {
      { r->from_first, (unsigned)__builtin_ctz(g->on) },
      { r->from_1, 1 },
      { r->swapped, self ^ 5 },
      { r->above, self - 2 },
      { r->below, self + 3 },
      { r->quad_1, (self & ~3u) + 1 },
      { r->diagonal, self ^ 3 },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(moves); i++) {
      if (is_on(g, moves[i].from))
         assert_int_equal(moves[i].got, g->v[moves[i].from]);
   }
}

static struct subgroup
subgroup_of(const struct row *rows, const struct row *self, bool odd)
{
   struct subgroup g = { .on = 0 };

   for (unsigned i = 0; i < INVOCATIONS; i++) {
      const struct row *row = &rows[i];

      if (row->subgroup != self->subgroup || (odd && !(row->value & 1)))
         continue;
      assert_true(row->invocation < 32 && !is_on(&g, row->invocation));
      g.v[row->invocation] = row->value;
      g.on |= 1u << row->invocation;
   }
   return g;
}

static void
test_operations(void **state)
{
   struct vkt_buffer out = vkt_buffer_create(OUT_B);
   const struct vkt_resource resource = VKT_STORAGE(out);
   const struct row *rows = out.map;

   vkt_compute(VKT_SHADER(subgroup_comp), &resource, 1, 1);
   for (unsigned i = 0; i < INVOCATIONS; i++) {
      const struct row *row = &rows[i];

      assert_true(row->subgroup < row->subgroups);
      for (unsigned odd = 0; odd <= (row->value & 1); odd++) {
         const struct subgroup g = subgroup_of(rows, row, odd);

         check_sums(&g, row->invocation, &row->r[odd]);
         check_votes(&g, row->invocation, &row->r[odd]);
         check_moves(&g, row->invocation, &row->r[odd]);
      }
   }
   vkt_buffer_destroy(&out);
}

/* Vulkan 1.1 asks for BASIC in compute shaders, and says of the built-in
 * what the property says. */
static void
test_properties(void **state)
{
   VKT_INFO(PhysicalDeviceSubgroupProperties, subgroup);
   struct vkt_buffer out = vkt_buffer_create(OUT_B);
   const struct vkt_resource resource = VKT_STORAGE(out);

   vkt_properties(&subgroup);
   assert_true(subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT);
   assert_true(subgroup.supportedOperations & VK_SUBGROUP_FEATURE_BASIC_BIT);
   vkt_compute(VKT_SHADER(subgroup_comp), &resource, 1, 1);
   assert_int_equal(((const struct row *)out.map)->size,
                    subgroup.subgroupSize);
   vkt_buffer_destroy(&out);
}

/* Stages of scalar code have the operations: vertices of one thread are a
 * subgroup. */
static void
test_vertices(void **state)
{
   enum { SIZE = 4 };
   VKT_INFO(PhysicalDeviceSubgroupProperties, subgroup);
   uint32_t rgba[SIZE * SIZE];

   vkt_properties(&subgroup);
   if (!(subgroup.supportedStages & VK_SHADER_STAGE_VERTEX_BIT))
      skip();
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(subgroup_vert),
                       .fs = VKT_SHADER(color_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                       .vertex_count = 4, .width = SIZE, .height = SIZE),
            rgba);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      assert_int_equal(rgba[i], 0xffffffff);
}

struct extended {
   uint64_t sum, smallest, broadcast;
   uint32_t subgroup, invocation;
};

/* shaderSubgroupExtendedTypes and subgroupBroadcastDynamicId of Vulkan 1.2,
 * in SPIR-V 1.5. */
static void
test_extended_types(void **state)
{
   struct vkt_buffer out =
      vkt_buffer_create(INVOCATIONS * sizeof(struct extended));
   const struct vkt_resource resource = VKT_STORAGE(out);
   const struct extended *rows = out.map;

   vkt_compute(VKT_SHADER(extended_comp), &resource, 1, 1);
   for (unsigned i = 0; i < INVOCATIONS; i++) {
      uint64_t sum = 0, smallest = UINT64_MAX, broadcast = 0;

      for (unsigned j = 0; j < INVOCATIONS; j++) {
         const uint64_t value = 0x1ffffffffull * (j + 3);

         if (rows[j].subgroup != rows[i].subgroup)
            continue;
         sum += value;
         smallest = MIN2(smallest, value);
         if (rows[j].invocation == rows[j].subgroup % 3)
            broadcast = value;
      }
      assert_true(rows[i].sum == sum);
      assert_true(rows[i].smallest == smallest);
      assert_true(!broadcast || rows[i].broadcast == broadcast);
   }
   vkt_buffer_destroy(&out);
}

/* All subgroups of a group that is a multiple of them are full. */
static void
check_sizes(uint32_t size, VkPipelineShaderStageCreateFlags flags,
            const void *next)
{
   enum { N = 64 };
   struct vkt_buffer out = vkt_buffer_create(N * 16);
   const struct vkt_resource resource = VKT_STORAGE(out);
   const VkPipelineShaderStageCreateInfo also = {
      .pNext = next,
      .flags = flags,
   };
   const uint32_t(*got)[4] = out.map;

   vkt_compute_stage(VKT_SHADER(sizes_comp), &also, &resource, 1, 1);
   for (unsigned i = 0; i < N; i++) {
      assert_int_equal(got[i][0], size);
      assert_int_equal(got[i][1], N / size);
      assert_int_equal(got[i][2], size);
      assert_int_equal(got[i][3], size);
   }
   vkt_buffer_destroy(&out);
}

static void
test_size_control(void **state)
{
   VKT_INFO(PhysicalDeviceSubgroupSizeControlProperties, sizes);
   uint32_t n = 0;

   const VkPhysicalDeviceProperties props = vkt_properties(&sizes);
   assert_true(sizes.requiredSubgroupSizeStages &
               VK_SHADER_STAGE_COMPUTE_BIT);
   assert_true(sizes.maxComputeWorkgroupSubgroups * sizes.maxSubgroupSize >=
               props.limits.maxComputeWorkGroupInvocations);
   for (uint32_t size = sizes.minSubgroupSize; size <= sizes.maxSubgroupSize;
        size *= 2) {
      const VKT_INFO(PipelineShaderStageRequiredSubgroupSizeCreateInfo,
                     required, .requiredSubgroupSize = size);
      check_sizes(size, 0, &required);
      n++;
   }
   assert_int_equal(n, 3);
   check_sizes(32, VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT,
               NULL);
}

/* ---- parts ---- */

struct part_row {
   uint32_t subgroup, invocation, part, float_part;
   uint32_t sum, sum_to, sum_before;
   int32_t smallest;
   uint32_t pair_part[2];
   uint32_t some_part, some_sum;
};

static unsigned
float_class(unsigned i)
{
   return i % 4 == 1 ? 0 : i % 4;
}

/* Of invocation i, from those of its subgroup. */
static struct part_row
expected_parts(const struct part_row rows[64], unsigned i)
{
   struct part_row r = { .subgroup = rows[i].subgroup,
                         .invocation = rows[i].invocation,
                         .smallest = INT32_MAX };
   for (unsigned k = 0; k < 64; k++) {
      if (rows[k].subgroup != rows[i].subgroup)
         continue;
      const uint32_t bit = 1u << rows[k].invocation;
      const bool same = k * k % 7 == i * i % 7;
      if (float_class(k) == float_class(i))
         r.float_part |= bit;
      if (!same)
         continue;
      r.part |= bit;
      r.sum += k + 1;
      r.sum_to += k <= i ? k + 1 : 0;
      r.sum_before += k < i ? k + 1 : 0;
      r.smallest = MIN2(r.smallest, (int32_t)k - 20);
      if ((k & 1) == (i & 1))
         r.pair_part[0] |= bit;
      if (i % 3 && k % 3) {
         r.some_part |= bit;
         r.some_sum += k + 1;
      }
   }
   return r;
}

static void
test_parts(void **state)
{
   VKT_INFO(PhysicalDeviceSubgroupProperties, subgroup);
   struct vkt_buffer out = vkt_buffer_create(64 * sizeof(struct part_row));
   const struct vkt_resource resource = VKT_STORAGE(out);
   vkt_properties(&subgroup);
   assert_true(subgroup.supportedOperations &
               VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV);
   assert_true(vkt_has_extension("VK_NV_shader_subgroup_partitioned"));
   vkt_compute(VKT_SHADER(parts_comp), &resource, 1, 1);
   const struct part_row *got = out.map;
   for (unsigned i = 0; i < 64; i++) {
      const struct part_row want = expected_parts(got, i);
      assert_memory_equal(&got[i], &want, sizeof(want));
   }
   vkt_buffer_destroy(&out);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_properties),
      cmocka_unit_test(test_extended_types),
      cmocka_unit_test(test_size_control),
      cmocka_unit_test(test_vertices),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
