/* SPDX-License-Identifier: MIT */
/* What extensions add to shaders, a test each. */
#include "vkt.h"

#include <string.h>

#include "shader_extensions_addresses_comp.h"
#include "shader_extensions_clock_comp.h"
#include "shader_extensions_dot_comp.h"
#include "shader_extensions_exchange_comp.h"
#include "shader_extensions_extremes_comp.h"
#include "shader_extensions_fetched_vert.h"
#include "shader_extensions_memory_model_comp.h"
#include "shader_extensions_outside_comp.h"
#include "shader_extensions_pages_comp.h"
#include "shader_extensions_position_vert.h"
#include "shader_extensions_shared_block_comp.h"
#include "shader_extensions_size_id_comp.h"
#include "shader_extensions_terminate_ballot_frag.h"
#include "shader_extensions_terminate_frag.h"
#include "shader_extensions_texel_guards_comp.h"
#include "shader_extensions_texels_comp.h"
#include "shader_extensions_uniform_flow_comp.h"
#include "shader_extensions_white_frag.h"
#include "shader_extensions_wide_atomics_comp.h"
#include "shader_extensions_zero_comp.h"

#include "util/macros.h"

static const float triangle[3][4] = { { -1, -1, 0, 1 },
                                      { 3, -1, 0, 1 },
                                      { -1, 3, 0, 1 } };

static bool
has_extension(const char *name)
{
   VkExtensionProperties props[256];
   uint32_t n = ARRAY_SIZE(props);
   VKT_CHECK(vkEnumerateDeviceExtensionProperties(vkt.pdev, NULL, &n, props));
   for (uint32_t i = 0; i < n; i++) {
      if (!strcmp(props[i].extensionName, name))
         return true;
   }
   return false;
}

/* Runs `groups` groups with a storage buffer of zeroes at binding 0. */
static struct vkt_buffer
compute(struct vkt_shader shader, VkDeviceSize size_B, uint32_t groups)
{
   struct vkt_buffer out = vkt_buffer_create(size_B);
   const struct vkt_resource resource = VKT_STORAGE(out);
   memset(out.map, 0, size_B);
   vkt_compute(shader, &resource, 1, groups);
   return out;
}

/* Two pixels, of which the first is gone, with a storage buffer of two words
 * that are `first` and `second` then. */
static void
check_terminated(struct vkt_shader fs, uint32_t first, uint32_t second)
{
   struct vkt_buffer out = vkt_buffer_create(8);
   const struct vkt_resource resource = VKT_STORAGE(out);
   uint32_t px[2];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(position_vert), .fs = fs,
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertices = triangle, .attributes = 1,
                       .vertex_count = 3, .width = 2, .height = 1,
                       .resources = &resource, .resource_count = 1),
            px);
   const uint32_t *got = out.map;
   assert_int_equal(px[0], 0);
   assert_int_equal(px[1], 0xff0000ff);
   assert_int_equal(got[0], first);
   assert_int_equal(got[1], second);
   vkt_buffer_destroy(&out);
}

static void
test_terminate(void **state)
{
   assert_true(has_extension("VK_KHR_shader_terminate_invocation"));
   check_terminated(VKT_SHADER(terminate_frag), 2, 5);
}

/* The ballot of the other pixel is without the one that is gone. */
static void
test_terminate_ballot(void **state)
{
   check_terminated(VKT_SHADER(terminate_ballot_frag), 0, 1);
}

static void
test_memory_model(void **state)
{
   enum { GROUPS = 7, N = GROUPS * 48 };
   assert_true(has_extension("VK_KHR_vulkan_memory_model"));
   struct vkt_buffer out =
      compute(VKT_SHADER(memory_model_comp), (2 + N) * 4, GROUPS);
   const uint32_t *got = out.map;
   assert_int_equal(got[0], N * (N + 1) / 2);
   assert_int_equal(got[1], GROUPS);
   vkt_buffer_destroy(&out);
}

static void
test_zeroed_memory(void **state)
{
   enum { GROUPS = 9 };
   assert_true(has_extension("VK_KHR_zero_initialize_workgroup_memory"));
   struct vkt_buffer out = compute(VKT_SHADER(zero_comp), GROUPS * 4, GROUPS);
   for (unsigned i = 0; i < GROUPS; i++)
      assert_int_equal(((const uint32_t *)out.map)[i], 0);
   vkt_buffer_destroy(&out);
}

static void
test_shared_blocks(void **state)
{
   const float after = 8;
   uint32_t want;
   assert_true(has_extension("VK_KHR_workgroup_memory_explicit_layout"));
   struct vkt_buffer out = compute(VKT_SHADER(shared_block_comp), 32, 1);
   memcpy(&want, &after, 4);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(((const uint32_t *)out.map)[i], want);
   vkt_buffer_destroy(&out);
}

static void
test_uniform_flow(void **state)
{
   assert_true(has_extension("VK_KHR_shader_subgroup_uniform_control_flow"));
   struct vkt_buffer out = compute(VKT_SHADER(uniform_flow_comp), 32 * 4, 1);
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal(((const uint32_t *)out.map)[i], 100 + i / 2 + 1);
   vkt_buffer_destroy(&out);
}

static void
test_clock(void **state)
{
   if (!has_extension("VK_KHR_shader_clock"))
      skip();
   struct vkt_buffer out = compute(VKT_SHADER(clock_comp), 16 * 4, 1);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(((const uint32_t *)out.map)[i], 2);
   vkt_buffer_destroy(&out);
}

/* ---- addresses ---- */

/* As addresses.comp has it. */
struct node {
   uint64_t next;
   uint32_t visits;
   float weights[3];
   float rows[2][3];
   float columns[2][3];
   double wide[3];
   int64_t sum;
   uint32_t written[40];
   float pairs[40][2];
};

static VkDeviceAddress
address_of(const struct vkt_buffer *b)
{
   const VKT_INFO(BufferDeviceAddressInfo, info, .buffer = b->buffer);
   return VKT_PROC(vkGetBufferDeviceAddressKHR)(vkt.device, &info);
}

/* A cycle of five nodes, each in a buffer of its own. */
static void
make_nodes(struct vkt_buffer nodes[5])
{
   for (unsigned i = 0; i < 5; i++)
      nodes[i] = vkt_buffer_create(sizeof(struct node));
   for (unsigned i = 0; i < 5; i++) {
      struct node *node = nodes[i].map;
      memset(node, 0, sizeof(*node));
      node->next = address_of(&nodes[(i + 1) % 5]);
      for (unsigned k = 0; k < 3; k++) {
         node->weights[k] = (float)(100 * (i + 1) + k);
         node->rows[0][k] = (float)(k + 2);
         node->rows[1][k] = (float)(i + k);
         node->columns[0][k] = (float)(k + 1);
         node->columns[1][k] = (float)(k + 4);
         node->wide[k] = k + i;
      }
   }
}

static void
check_nodes(const struct vkt_buffer nodes[5])
{
   for (unsigned i = 0; i < 40; i++) {
      const unsigned at = (i % 5 + (i & 1)) % 5;
      for (unsigned k = 0; k < 5; k++) {
         const struct node *node = nodes[k].map;
         const bool here = k == at;
         assert_int_equal(node->visits, 8);
         assert_int_equal(node->written[i],
                          here ? i + 100 * (k + 1) + i % 3 : 0);
         assert_true(node->pairs[i][0] == (here ? (float)i : 0));
         assert_true(node->pairs[i][1] ==
                     (here ? (float)(i % 5 + i % 3) : 0));
      }
   }
}

static void
test_addresses(void **state)
{
   assert_true(has_extension("VK_KHR_buffer_device_address"));
   struct vkt_buffer nodes[5];
   struct vkt_buffer words = vkt_buffer_create(40 * 12);
   struct vkt_buffer constants = vkt_buffer_create(16);
   make_nodes(nodes);
   uint64_t *c = constants.map;
   c[0] = address_of(&nodes[0]);
   c[1] = address_of(&words);
   assert_true(c[0] != 0 && c[0] != c[1]);
   const struct vkt_resource resource = VKT_UNIFORM(constants);
   vkt_compute(VKT_SHADER(addresses_comp), &resource, 1, 1);
   check_nodes(nodes);
   const uint32_t(*w)[3] = words.map;
   for (unsigned i = 0; i < 40; i++) {
      assert_int_equal(w[i][0], 3 + 60 + 100 * (3 * (i & 1) + i % 3 + 1));
      assert_int_equal(w[i][1], 2 + i % 5 + 10 * (i % 5));
      assert_int_equal(w[i][2], i % 5 == 0);
   }
   for (unsigned i = 0; i < 5; i++)
      vkt_buffer_destroy(&nodes[i]);
   vkt_buffer_destroy(&constants);
   vkt_buffer_destroy(&words);
}

#define PAGES 49152u
#define PAGE_DW 1024u

static void
check_page(const uint32_t *v, uint32_t p)
{
   for (unsigned k = 251; k < 256; k++) {
      const uint32_t want[4] = { p, k, p ^ k, k < 255 ? p * k : 7 };
      assert_memory_equal(v + 4 * k, want, sizeof(want));
   }
   assert_memory_equal(v + 4 * 250, v + 4 * 251 + 2, 16);
   assert_int_equal(v[4 * 249], p + 1);
   assert_int_equal(v[4 * 249 + 1], p * 255);
}

/* Before Gen8 memory is reached by a surface for each GiB: what lies at both
 * sides of where they meet, and of each page there may be, is right. Most of
 * the memory is but taken up. */
static void
test_far_addresses(void **state)
{
   struct vkt_buffer before = vkt_buffer_create_large(832u << 20);
   struct vkt_buffer pages = vkt_buffer_create_large(PAGES * PAGE_DW * 4);
   struct vkt_buffer constants = vkt_buffer_create(16);
   *(uint64_t *)constants.map = address_of(&pages);
   const struct vkt_resource resource = VKT_UNIFORM(constants);
   vkt_compute(VKT_SHADER(pages_comp), &resource, 1, PAGES / 64);
   for (uint32_t p = 0; p < PAGES; p++)
      check_page((const uint32_t *)pages.map + p * PAGE_DW, p);
   vkt_buffer_destroy(&constants);
   vkt_buffer_destroy(&pages);
   vkt_buffer_destroy(&before);
}

static void
test_addresses_of_vertices(void **state)
{
   struct vkt_buffer vertices = vkt_buffer_create(4096);
   struct vkt_buffer constants = vkt_buffer_create(16);
   uint32_t px[4], *after = (uint32_t *)vertices.map + 12;
   memcpy(vertices.map, triangle, sizeof(triangle));
   memset(after, 0, 64);
   *(uint64_t *)constants.map = address_of(&vertices);
   const struct vkt_resource resource = VKT_UNIFORM(constants);
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(fetched_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                       .vertex_count = 3, .width = 2, .height = 2,
                       .resources = &resource, .resource_count = 1),
            px);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(px[i], 0xffffffff);
   assert_int_equal(after[0], 1 + 2 + 3);
   for (uint32_t i = 0; i < 3; i++) {
      const uint32_t want[2] = { i, 5 + i };
      assert_memory_equal(after + 2 + 2 * i, want, sizeof(want));
   }
   vkt_buffer_destroy(&constants);
   vkt_buffer_destroy(&vertices);
}

/* ---- atomics of 64 bits ---- */

#define WIDE_N 37

static uint64_t
wide_operand(unsigned i)
{
   return 0x100000001ull * (i + 1);
}

/* What wide_atomics.comp makes of `u`. */
static void
expect_wide(uint64_t u[14])
{
   for (unsigned i = 0; i < WIDE_N; i++) {
      const uint64_t x = wide_operand(i);
      u[0] += x;
      u[1] = MIN2(u[1], x);
      u[2] = MAX2(u[2], x);
      u[3] &= ~(1ull << (i + 10));
      u[4] |= 1ull << (i + 10);
      u[5] ^= x;
      u[7] = u[7] * 3 + 1;
   }
   u[6] = wide_operand(5);
   u[12] = MIN2((int64_t)u[12], -0x123456789all) == (int64_t)u[12]
              ? u[12]
              : (uint64_t)-0x123456789all;
   u[13] = MAX2((int64_t)u[13], -0x123456789all) == (int64_t)u[13]
              ? u[13]
              : (uint64_t)-0x123456789all;
}

/* What was there before each addition: sums of some operands, none twice. */
static void
check_old(const uint64_t *old, uint64_t first, uint64_t last)
{
   for (unsigned i = 0; i < WIDE_N; i++) {
      const uint64_t next = old[i] + wide_operand(i);
      unsigned successors = next == last;
      for (unsigned k = 0; k < WIDE_N; k++)
         successors += old[k] == next;
      assert_int_equal(successors, 1);
      assert_true(old[i] >= first);
   }
}

static void
test_wide_atomics(void **state)
{
   if (!has_extension("VK_KHR_shader_atomic_int64"))
      skip();
   static const uint64_t start[14] = {
      0xfffffff0, 0x500000000,
      7,          UINT64_MAX,
      0,          0xffff0000ffff0000,
      11,         5,
      8,          9,
      10,         12,
      13,         UINT64_MAX - (1ull << 60),
   };
   uint64_t want[14];
   struct vkt_buffer u = vkt_buffer_create(256);
   struct vkt_buffer old = vkt_buffer_create(39 * 8);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .buffer = u.buffer,
        .range_B = sizeof(start) },
      VKT_STORAGE(old),
   };
   memcpy(u.map, start, sizeof(start));
   memcpy(want, start, sizeof(start));
   expect_wide(want);
   vkt_compute(VKT_SHADER(wide_atomics_comp), resources, 2, 1);
   assert_memory_equal(u.map, want, sizeof(want));
   const uint64_t *was = old.map, *after = u.map;
   check_old(was, start[0], want[0]);
   assert_true(was[38] == start[6]);
   /* After the end there is nothing. */
   assert_true(was[37] == 0);
   for (unsigned i = 14; i < 32; i++)
      assert_true(after[i] == 0xcdcdcdcdcdcdcdcd);
   vkt_buffer_destroy(&u);
   vkt_buffer_destroy(&old);
}

/* ---- atomics of floats ---- */

/* In `got` and `last` is each of 0.5, 1.5, ... once. */
static void
check_hands(const float *got, float last)
{
   uint64_t seen = 1ull << (unsigned)last;
   for (unsigned i = 0; i < 48; i++) {
      assert_true(got[3 * i] >= 0 && got[3 * i] < 49);
      seen |= 1ull << (unsigned)got[3 * i];
   }
   assert_true(seen == (1ull << 49) - 1);
}

static void
test_float_exchange(void **state)
{
   assert_true(has_extension("VK_EXT_shader_atomic_float"));
   struct vkt_buffer out = vkt_buffer_create(4 + 48 * 12);
   struct vkt_image image = VKT_IMAGE(.format = VK_FORMAT_R32_SFLOAT,
                                      .width = 1, .height = 1,
                                      .usage = VK_IMAGE_USAGE_STORAGE_BIT);
   const float first = 0.5f;
   float *f = out.map, last;
   f[0] = first;
   vkt_image_write(&image, 0, &first, 4);
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = image.view },
   };
   vkt_compute(VKT_SHADER(exchange_comp), resources, 2, 1);
   vkt_image_read(&image, 0, &last, 4);
   /* The first two are left as a sum. */
   const float all = 49 * 49 / 2.0f;
   float left[2] = { all, all };
   for (unsigned i = 0; i < 48; i++) {
      left[0] -= f[1 + 3 * i];
      left[1] -= f[2 + 3 * i];
   }
   assert_true(f[0] == left[0] + left[1]);
   check_hands(f + 1, left[0]);
   check_hands(f + 2, left[1]);
   check_hands(f + 3, last);
   vkt_image_destroy(&image);
   vkt_buffer_destroy(&out);
}

static void
test_float_extremes(void **state)
{
   if (!has_extension("VK_EXT_shader_atomic_float2"))
      skip();
   struct vkt_buffer out = vkt_buffer_create(24);
   struct vkt_buffer far = vkt_buffer_create(8);
   const VkDeviceAddress address = address_of(&far);
   float *f = out.map, *g = far.map;
   f[0] = f[1] = g[0] = g[1] = 1;
   memcpy(&f[4], &address, 8);
   const struct vkt_resource resource = VKT_STORAGE(out);
   vkt_compute(VKT_SHADER(extremes_comp), &resource, 1, 1);
   assert_true(f[0] == -5 && f[2] == -5 && g[0] == -5);
   assert_true(f[1] == 6.75f && f[3] == 6.75f && g[1] == 6.75f);
   vkt_buffer_destroy(&far);
   vkt_buffer_destroy(&out);
}

/* ---- dot products ---- */

static int64_t
packed_dot(uint32_t a, uint32_t b, bool a_signed, bool b_signed)
{
   int64_t sum = 0;
   for (unsigned i = 0; i < 32; i += 8) {
      const uint8_t x = (uint8_t)(a >> i), y = (uint8_t)(b >> i);
      sum += (a_signed ? (int8_t)x : x) * (b_signed ? (int8_t)y : y);
   }
   return sum;
}

static uint32_t
clamped(int64_t v, int64_t low, int64_t high)
{
   return (uint32_t)(v < low ? low : v > high ? high : v);
}

static void
check_dots(uint32_t a, uint32_t b, uint32_t c, const uint32_t *got)
{
   const int64_t ss = packed_dot(a, b, true, true);
   const int64_t uu = packed_dot(a, b, false, false);
   const int64_t su = packed_dot(a, b, true, false);
   const int32_t sc = (int32_t)c;
   const uint32_t want[10] = {
      (uint32_t)ss,
      (uint32_t)uu,
      (uint32_t)su,
      clamped(sc + ss, INT32_MIN, INT32_MAX),
      clamped(c + uu, 0, UINT32_MAX),
      clamped(sc + su, INT32_MIN, INT32_MAX),
      a * b + b * c,
      a * b + b * c,
      a * b + b * c,
      clamped((int64_t)c + 1, 0, UINT32_MAX),
   };
   assert_memory_equal(got, want, sizeof(want));
}

static void
test_dot_products(void **state)
{
   enum { N = 32 };
   assert_true(has_extension("VK_KHR_shader_integer_dot_product"));
   struct vkt_buffer out = vkt_buffer_create(N * 40);
   struct vkt_buffer in = vkt_buffer_create(3 * N * 4);
   static const uint32_t ends[] = { 0x80808080, 0x7f7f7f7f, 0xffffffff,
                                    0x7fffffff, 0x80000000, 0xfffffff0 };
   uint32_t *x = in.map, random = 1;
   for (unsigned i = 0; i < 3 * N; i++) {
      random = random * 1664525 + 1013904223;
      x[i] = random >> 28 < 8 ? ends[(random >> 16) % ARRAY_SIZE(ends)]
                              : random;
   }
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      VKT_STORAGE(in),
   };
   vkt_compute(VKT_SHADER(dot_comp), resources, 2, 1);
   for (unsigned i = 0; i < N; i++)
      check_dots(x[i], x[N + i], x[2 * N + i],
                 (const uint32_t *)out.map + 10 * i);
   vkt_buffer_destroy(&in);
   vkt_buffer_destroy(&out);
}

/* ---- maintenance4 ---- */

/* LocalSizeId: no invocation more than 3 * 2 * 4. */
static void
test_size_by_constants(void **state)
{
   struct vkt_buffer out = vkt_buffer_create(32 * 4);
   const struct vkt_resource resource = VKT_STORAGE(out);
   vkt_compute(VKT_SHADER(size_id_comp), &resource, 1, 1);
   const uint32_t *got = out.map;
   for (uint32_t i = 0; i < 32; i++)
      assert_int_equal(got[i], i < 24 ? i + 1 : 0xcdcdcdcd);
   vkt_buffer_destroy(&out);
}

/* ---- images ---- */

static VkBufferView
view_of(const struct vkt_buffer *b, VkFormat format, VkDeviceSize offset_B)
{
   return VKT_NEW(BufferView, BUFFER_VIEW, .buffer = b->buffer,
                  .format = format, .offset = offset_B,
                  .range = VK_WHOLE_SIZE);
}

/* Views begin at any texel. */
static void
test_texel_alignment(void **state)
{
   assert_true(has_extension("VK_EXT_texel_buffer_alignment"));
   struct vkt_buffer out = vkt_buffer_create(16);
   struct vkt_buffer texels = vkt_buffer_create(256);
   uint8_t *bytes = texels.map;
   for (unsigned i = 0; i < 8; i++)
      bytes[i] = (uint8_t)(20 + i);
   float *pairs = (float *)(bytes + 24);
   for (unsigned i = 0; i < 12; i++)
      pairs[i] = (float)i;
   uint32_t *words = (uint32_t *)(bytes + 132);
   for (unsigned i = 0; i < 4; i++)
      words[i] = i + 1;
   const VkBufferView views[] = {
      view_of(&texels, VK_FORMAT_R8_UINT, 3),
      view_of(&texels, VK_FORMAT_R32G32_SFLOAT, 24),
      view_of(&texels, VK_FORMAT_R32_UINT, 132),
   };
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      { .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .texels = views[0] },
      { .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .texels = views[1] },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, .texels = views[2] },
   };
   vkt_compute(VKT_SHADER(texels_comp), resources, 4, 1);
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(((const uint32_t *)out.map)[i],
                       23 + i + 1000 * (2 * i + 1) + 1000000 * (i + 1));
      assert_int_equal(words[i], 77 + i);
   }
   assert_int_equal(words[-1], 0xcdcdcdcd);
   assert_int_equal(words[4], 0xcdcdcdcd);
   for (unsigned i = 0; i < ARRAY_SIZE(views); i++)
      vkDestroyBufferView(vkt.device, views[i], NULL);
   vkt_buffer_destroy(&texels);
   vkt_buffer_destroy(&out);
}

/* Of 4 x 4 texels with three layers or slices, all of them 5. */
static struct vkt_image
filled_image(uint32_t layers, uint32_t depth)
{
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_R32_UINT, .width = 4, .height = 4,
                .depth = depth, .layers = layers,
                .usage = VK_IMAGE_USAGE_STORAGE_BIT |
                         VK_IMAGE_USAGE_SAMPLED_BIT,
                .view_type = layers > 1  ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                             : depth > 1 ? VK_IMAGE_VIEW_TYPE_3D
                                         : VK_IMAGE_VIEW_TYPE_2D);
   uint32_t texels[48];
   for (unsigned i = 0; i < 48; i++)
      texels[i] = 5;
   vkt_image_write(&image, 0, texels, 64 * (size_t)layers * depth);
   return image;
}

static void
test_image_robustness(void **state)
{
   VKT_INFO(PhysicalDeviceRobustness2FeaturesEXT, robust);
   vkt_features(&robust);
   assert_true(robust.robustImageAccess2);
   assert_true(has_extension("VK_EXT_image_robustness"));
   struct vkt_buffer out = vkt_buffer_create(20 * 16);
   static const uint32_t ones[4 * 4 * 4] = { [0 ... 63] = 1 };
   struct vkt_image vectors = VKT_IMAGE(.format = VK_FORMAT_R32G32B32A32_UINT,
                                        .width = 4, .height = 4,
                                        .usage = VK_IMAGE_USAGE_STORAGE_BIT);
   vkt_image_write(&vectors, 0, ones, sizeof(ones));
   struct vkt_image images[] = { filled_image(1, 1), filled_image(3, 1),
                                 filled_image(1, 3) };
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = images[0].view },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = images[1].view },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = images[2].view },
      { .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .view = images[1].view },
      { .type = VK_DESCRIPTOR_TYPE_SAMPLER, .sampler = sampler },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = vectors.view },
   };
   vkt_compute(VKT_SHADER(outside_comp), resources, 7, 1);
   /* robustImageAccess2 says all four channels. */
   for (unsigned i = 0; i < 20; i++) {
      const uint32_t want[4] = { [3] = i < 16 };
      assert_memory_equal((const char *)out.map + 16 * i, want, 16);
   }
   vkt_image_destroy(&vectors);
   for (unsigned i = 0; i < ARRAY_SIZE(images); i++) {
      uint32_t texels[48];
      const unsigned n = i ? 48 : 16;
      vkt_image_read(&images[i], 0, texels, n * 4);
      for (unsigned k = 0; k < n; k++)
         assert_int_equal(texels[k], 5);
      vkt_image_destroy(&images[i]);
   }
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
}

/* OpAtomicStore and OpAtomicLoad of texels. */
static void
test_texel_guards(void **state)
{
   assert_true(has_extension("VK_KHR_vulkan_memory_model"));
   struct vkt_buffer out = vkt_buffer_create(64);
   struct vkt_image images[] = { filled_image(1, 1), filled_image(3, 1) };
   const struct vkt_resource resources[] = {
      VKT_STORAGE(out),
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = images[0].view },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = images[1].view },
   };
   vkt_compute(VKT_SHADER(texel_guards_comp), resources, 3, 1);
   for (uint32_t i = 0; i < 16; i++) {
      const uint32_t other = (i + 7) % 16;
      assert_int_equal(((const uint32_t *)out.map)[i],
                       other * 3 + 1 + (other << 16));
   }
   for (unsigned i = 0; i < ARRAY_SIZE(images); i++)
      vkt_image_destroy(&images[i]);
   vkt_buffer_destroy(&out);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_terminate),
      cmocka_unit_test(test_terminate_ballot),
      cmocka_unit_test(test_memory_model),
      cmocka_unit_test(test_zeroed_memory),
      cmocka_unit_test(test_shared_blocks),
      cmocka_unit_test(test_uniform_flow),
      cmocka_unit_test(test_clock),
      cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_far_addresses),
      cmocka_unit_test(test_addresses_of_vertices),
      cmocka_unit_test(test_wide_atomics),
      cmocka_unit_test(test_float_exchange),
      cmocka_unit_test(test_float_extremes),
      cmocka_unit_test(test_dot_products),
      cmocka_unit_test(test_size_by_constants),
      cmocka_unit_test(test_texel_alignment),
      cmocka_unit_test(test_image_robustness),
      cmocka_unit_test(test_texel_guards),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
