/* SPDX-License-Identifier: MIT */
/* textureGatherOffsets: each texel with an offset of its own. */
#include "vkt.h"

#include "gather_gather_comp.h"

#define SIZE 64

static VkSampler
nearest_sampler(void)
{
   return VKT_NEW(Sampler, SAMPLER,
                  .addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                  .addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT);
}

static unsigned
wrap(int at)
{
   return (unsigned)(at + 4 * SIZE) % SIZE;
}

/* Red is the column and green the row; the footprint of the coordinate
 * begins at texel (31, 31), which is what no offset would give last. */
static void
test_gather_offsets(void **state)
{
   static float texels[SIZE][SIZE][2];
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         texels[y][x][0] = (float)x;
         texels[y][x][1] = (float)y;
      }
   }
   struct vkt_image image = VKT_IMAGE(.format = VK_FORMAT_R32G32_SFLOAT,
                                      .width = SIZE, .height = SIZE,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   vkt_image_write(&image, 0, texels, sizeof(texels));
   struct vkt_buffer out = vkt_buffer_create(4 * 16);
   VkSampler sampler = nearest_sampler();
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(gather_comp), resources, 2, 1);

   static const int offsets[2][4][2] = {
      { { -8, -3 }, { 5, 7 }, { 0, 2 }, { 7, -8 } },
      { { -31, 0 }, { 31, 1 }, { 20, -20 }, { -9, 8 } },
   };
   const float(*got)[4] = out.map;
   for (unsigned set = 0; set < 2; set++) {
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned c = 0; c < 2; c++)
            assert_int_equal((unsigned)got[2 * set + c][i],
                             wrap(31 + offsets[set][i][c]));
      }
   }
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
   vkt_image_destroy(&image);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gather_offsets),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
