/* SPDX-License-Identifier: MIT */
/* Thread groups: numbers, shared memory with a barrier, constants. */
#include "vkt.h"

#include <string.h>

#include "compute_groups_comp.h"

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
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = out.buffer },
      { .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .buffer = constants.buffer },
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_groups),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
