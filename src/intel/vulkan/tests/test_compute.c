/* SPDX-License-Identifier: MIT */
/* Thread groups: numbers, shared memory with a barrier, constants; buffers
 * that are the same memory. */
#include "vkt.h"

#include <string.h>

#include "compute_groups_comp.h"
#include "compute_overlap_comp.h"
#include "compute_shared_all_comp.h"

#define GROUPS 5
#define LOCAL 42

static uint32_t
local_id(unsigned i)
{
   return i % 7 + 10 * (i / 7 % 3) + 100 * (i / 21);
}

static void
test_groups(void **state)
{
   struct vkt_buffer out = vkt_buffer_create(GROUPS * LOCAL * 16);
   struct vkt_buffer constants = vkt_buffer_create(32);
   const uint32_t values[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
   memcpy(constants.map, values, sizeof(values));
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      VKT_UNIFORM(constants),
   };
   vkt_compute(VKT_SHADER(groups_comp), resources, 2, GROUPS);

   const uint32_t(*got)[4] = out.map;
   for (unsigned g = 0; g < GROUPS; g++) {
      for (unsigned i = 0; i < LOCAL; i++, got++) {
         assert_int_equal((*got)[0], local_id(i));
         assert_int_equal((*got)[1], local_id(LOCAL - 1 - i));
         assert_int_equal((*got)[2], g * 7 + i % 7 + 1000 * GROUPS);
         assert_int_equal((*got)[3], i & 1 ? 7 : 3);
      }
   }
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&constants);
}

#define CHAINS 8
#define LENGTH 8

static void
run_chains(struct vkt_buffer *in, struct vkt_buffer *out)
{
   uint32_t *words = in->map;
   for (unsigned i = 0; i < CHAINS * LENGTH; i++)
      words[i] = 1000 * i;
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = in->buffer },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = out->buffer },
   };
   vkt_compute(VKT_SHADER(overlap_comp), resources, 2, 1);
}

/* Loads that pass stores to another buffer do not if that is the same. */
static void
test_overlap(void **state)
{
   struct vkt_buffer a = vkt_buffer_create(CHAINS * LENGTH * 4);
   struct vkt_buffer b = vkt_buffer_create(CHAINS * LENGTH * 4);
   const uint32_t *apart = b.map, *same = a.map;
   for (unsigned round = 0; round < 2; round++) {
      run_chains(&a, &b);
      for (unsigned i = 0; i < CHAINS * LENGTH; i++) {
         if (i % LENGTH)
            assert_int_equal(apart[i], 1000 * (i - 1) + 1);
      }
      run_chains(&a, &a);
      for (unsigned i = 0; i < CHAINS * LENGTH; i++)
         assert_int_equal(same[i], 1000 * (i - i % LENGTH) + i % LENGTH);
   }
   vkt_buffer_destroy(&a);
   vkt_buffer_destroy(&b);
}

/* ---- shared memory ---- */

#define SHARED_WORDS 16384
#define SHARED_LOCAL 128

/* As much of it as a group may have. */
static void
test_all_shared(void **state)
{
   const unsigned groups = 3, each = SHARED_WORDS / SHARED_LOCAL;
   const VkPhysicalDeviceProperties props = vkt_properties(NULL);
   assert_int_equal(props.limits.maxComputeSharedMemorySize,
                    SHARED_WORDS * 4);
   struct vkt_buffer out = vkt_buffer_create(groups * SHARED_LOCAL * 4);
   const struct vkt_resource resources[] = { VKT_STORAGE(out) };
   vkt_compute(VKT_SHADER(shared_all_comp), resources, 1, groups);
   const uint32_t *got = out.map;
   for (unsigned g = 0; g < groups; g++) {
      for (unsigned i = 0; i < SHARED_LOCAL; i++) {
         uint32_t sum = 0;
         for (unsigned k = 0; k < each; k++)
            sum = sum * 3 + (SHARED_WORDS - 1 - (i * each + k)) * (g + 1);
         assert_int_equal(got[g * SHARED_LOCAL + i], sum);
      }
   }
   vkt_buffer_destroy(&out);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_overlap),
      cmocka_unit_test(test_all_shared),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
