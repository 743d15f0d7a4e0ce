/* SPDX-License-Identifier: MIT */
/*
 * Colour attachments that are cleared as a whole when rendering begins. In a
 * layout that is for attachments alone they may be cleared by a control
 * surface, in GENERAL they are not: what is seen afterwards is the same, bit
 * by bit.
 */
#include "util/macros.h"
#include "vkt.h"

#include "fast_clears_color_frag.h"
#include "fast_clears_color_vert.h"

#define MAX_B (1u << 22)
#define MAX_TARGETS 3

static uint8_t want[MAX_B], got[MAX_B];

struct picture {
   VkFormat format, view_format; /* 0: the same */
   uint32_t w, h, levels, layers;
   uint32_t first_layer, layer_count; /* that are drawn to; 0: all */
   VkClearColorValue clear;
   uint32_t targets; /* that are cleared to the same; 0: one */
   bool bare;        /* nothing is drawn over the clear */
   bool part;        /* of the area is all that is cleared */
   bool resumed;     /* drawn over in a rendering that goes on */
   bool recorded;    /* in a secondary command buffer */
};

static uint32_t
texel_B(VkFormat format)
{
   switch ((int)format) {
   case VK_FORMAT_R16G16B16A16_SFLOAT:
   case VK_FORMAT_R32G32_SINT:
   case VK_FORMAT_R32G32_SFLOAT: return 8;
   case VK_FORMAT_R32G32B32A32_SFLOAT:
   case VK_FORMAT_R32G32B32A32_UINT: return 16;
   case VK_FORMAT_R16_SFLOAT: return 2;
   default: return 4;
   }
}

static size_t
level_B(const struct picture *p, uint32_t level)
{
   return (size_t)MAX2(p->w >> level, 1) * MAX2(p->h >> level, 1) *
          p->layers * texel_B(p->format);
}

static struct vkt_image
create(const struct picture *p)
{
   struct vkt_image i =
      VKT_IMAGE(.format = p->format, .width = p->w, .height = p->h,
                .levels = p->levels, .layers = p->layers,
                .flags = p->view_format ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT
                                        : 0,
                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                         VK_IMAGE_USAGE_SAMPLED_BIT);
   /* What a level holds that nobody draws to. */
   for (uint32_t l = 0; l < p->levels; l++) {
      memset(got, 0x40 + (int)l, level_B(p, l));
      vkt_image_write(&i, l, got, level_B(p, l));
   }
   return i;
}

static VkImageView
create_view(const struct picture *p, const struct vkt_image *i)
{
   return VKT_NEW(ImageView, IMAGE_VIEW, .image = i->image,
                  .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                  .format = p->view_format ? p->view_format : p->format,
                  .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1,
                                        p->first_layer, p->layer_count });
}

static void
change_layout(VkCommandBuffer cmd, const struct vkt_image *i,
              VkImageLayout from, VkImageLayout to)
{
   const VKT_INFO(
      ImageMemoryBarrier, barrier,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .oldLayout = from, .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .image = i->image,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, i->desc.levels, 0,
                            i->desc.layers });
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
}

static uint32_t
area_width(const struct picture *p)
{
   return p->part ? p->w - 1 : p->w;
}

/* Rectangles over the clear: inside of blocks, across them, at the end. */
static void
draw_over(VkCommandBuffer cmd, const struct picture *p)
{
   const uint32_t w = area_width(p);
   const VkClearRect rects[] = {
      { { { 0, 0 }, { 1, 1 } }, 0, 1 },
      { { { (int32_t)w / 3, (int32_t)p->h / 4 },
          { MAX2(w / 2, 1), MAX2(p->h / 2, 1) } },
        p->layer_count - 1,
        1 },
      { { { (int32_t)w - 1, (int32_t)p->h - 1 }, { 1, 1 } }, 0, 1 },
   };
   for (uint32_t i = 0; i < p->targets; i++) {
      VkClearAttachment color = { VK_IMAGE_ASPECT_COLOR_BIT,
                                  i,
                                  { .color = p->clear } };
      color.clearValue.color.uint32[i % 2] ^= 0x3f000001;
      vkCmdClearAttachments(cmd, 1, &color, ARRAY_SIZE(rects), rects);
   }
}

static void
render(VkCommandBuffer cmd, const struct picture *p, const VkImageView *views,
       VkImageLayout layout, VkRenderingFlags flags)
{
   VkRenderingAttachmentInfo colors[MAX_TARGETS];
   for (uint32_t i = 0; i < p->targets; i++)
      colors[i] = VKT_STRUCT(RenderingAttachmentInfo, .imageView = views[i],
                             .imageLayout = layout,
                             .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                             .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                             .clearValue.color = p->clear);
   const VKT_INFO(RenderingInfo, info, .flags = flags,
                  .renderArea.extent = { area_width(p), p->h },
                  .layerCount = p->layer_count,
                  .colorAttachmentCount = p->targets,
                  .pColorAttachments = colors);
   VKT_PROC(vkCmdBeginRenderingKHR)(cmd, &info);
   if (!p->bare && !(flags & VK_RENDERING_SUSPENDING_BIT))
      draw_over(cmd, p);
   VKT_PROC(vkCmdEndRenderingKHR)(cmd);
}

static void
render_all(VkCommandBuffer cmd, const struct picture *p,
           const VkImageView *views, VkImageLayout layout)
{
   VkCommandBuffer in = p->recorded ? vkt_begin_secondary() : cmd;
   if (p->resumed)
      render(in, p, views, layout, VK_RENDERING_SUSPENDING_BIT);
   render(in, p, views, layout, p->resumed ? VK_RENDERING_RESUMING_BIT : 0);
   if (p->recorded)
      vkt_execute(cmd, in);
}

/* All levels of all targets, one after the other. */
static size_t
picture(const struct picture *p, VkImageLayout layout, uint8_t *out)
{
   const uint32_t n = p->targets;
   struct vkt_image images[MAX_TARGETS];
   VkImageView views[MAX_TARGETS];
   for (uint32_t i = 0; i < n; i++) {
      images[i] = create(p);
      views[i] = create_view(p, &images[i]);
   }
   VkCommandBuffer cmd = vkt_begin();
   for (uint32_t i = 0; i < n; i++)
      change_layout(cmd, &images[i], VK_IMAGE_LAYOUT_GENERAL, layout);
   render_all(cmd, p, views, layout);
   for (uint32_t i = 0; i < n; i++)
      change_layout(cmd, &images[i], layout, VK_IMAGE_LAYOUT_GENERAL);
   vkt_submit(cmd);
   size_t at = 0;
   for (uint32_t i = 0; i < n; i++) {
      for (uint32_t l = 0; l < p->levels; l++) {
         assert_true(at + level_B(p, l) <= MAX_B);
         vkt_image_read(&images[i], l, out + at, level_B(p, l));
         at += level_B(p, l);
      }
      vkDestroyImageView(vkt.device, views[i], NULL);
      vkt_image_destroy(&images[i]);
   }
   return at;
}

static void
check(struct picture p)
{
   p.levels = MAX2(p.levels, 1);
   p.layers = MAX2(p.layers, 1);
   p.layer_count = p.layer_count ? p.layer_count : p.layers;
   p.targets = MAX2(p.targets, 1);
   const size_t size_B = picture(&p, VK_IMAGE_LAYOUT_GENERAL, want);
   picture(&p, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, got);
   for (size_t i = 0; i < size_B; i++) {
      if (got[i] != want[i])
         fail_msg("format %d, %ux%u, %u layers: byte %zu is 0x%02x, not "
                  "0x%02x",
                  p.format, p.w, p.h, p.layers, i, got[i], want[i]);
   }
}

static const struct {
   uint32_t w, h;
} sizes[] = { { 1, 1 }, { 7, 3 }, { 64, 32 }, { 129, 65 }, { 300, 200 } };

static const VkClearColorValue zero = { .float32 = { 0, 0, 0, 0 } };
static const VkClearColorValue one = { .float32 = { 1, 0, 1, 1 } };
static const VkClearColorValue other = { .float32 = { 0.3f, 0.7f, 0.1f,
                                                      0.9f } };

static void
test_sizes(void **state)
{
   static const VkFormat formats[] = { VK_FORMAT_R8G8B8A8_UNORM,
                                       VK_FORMAT_R16G16B16A16_SFLOAT,
                                       VK_FORMAT_R32G32B32A32_SFLOAT };
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (unsigned s = 0; s < ARRAY_SIZE(sizes); s++) {
         struct picture p = { .format = formats[f],
                              .w = sizes[s].w,
                              .h = sizes[s].h,
                              .clear = one };
         check(p);
         p.clear = other;
         check(p);
         p.bare = true;
         check(p);
      }
   }
   check((struct picture) { .format = VK_FORMAT_R8G8B8A8_UNORM,
                            .w = 1100,
                            .h = 600,
                            .clear = one });
}

static const VkClearColorValue colors[] = {
   { .float32 = { 0, 0, 0, 0 } },
   { .float32 = { 1, 0, 1, 1 } },
   { .float32 = { 0.3f, 0.7f, 0.1f, 0.9f } },
   { .float32 = { 1.5f, -0.5f, 1, 2 } },
   { .float32 = { -1.0f, 70000.0f, -0.0f, 1e-6f } },
};

static const VkClearColorValue integers[] = {
   { .uint32 = { 0, 1, 1, 0 } },
   { .uint32 = { 200, 3, 100, 2 } },
   { .int32 = { -1, -100, 1, -2 } },
};

/* Those of several widths, of kinds that convert a colour in other ways, and
 * one of 16 bits, which has no control surface. */
static void
test_formats(void **state)
{
   static const VkFormat formats[] = {
      VK_FORMAT_R8G8B8A8_UNORM,
      VK_FORMAT_R8G8B8A8_SNORM,
      VK_FORMAT_B8G8R8A8_SRGB,
      VK_FORMAT_A2B10G10R10_UNORM_PACK32,
      VK_FORMAT_B10G11R11_UFLOAT_PACK32,
      VK_FORMAT_R16G16_SFLOAT,
      VK_FORMAT_R32_SFLOAT,
      VK_FORMAT_R32G32_SFLOAT,
      VK_FORMAT_R16G16B16A16_SFLOAT,
      VK_FORMAT_R16_SFLOAT,
      VK_FORMAT_R32G32B32A32_SFLOAT,
   };
   static const VkFormat integer_formats[] = {
      VK_FORMAT_R8G8B8A8_UINT,
      VK_FORMAT_R16G16_SINT,
      VK_FORMAT_R32G32_SINT,
      VK_FORMAT_R32G32B32A32_UINT,
      VK_FORMAT_A2B10G10R10_UINT_PACK32,
   };
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (unsigned c = 0; c < ARRAY_SIZE(colors); c++)
         check((struct picture) {
            .format = formats[f], .w = 40, .h = 40, .clear = colors[c] });
   }
   for (unsigned f = 0; f < ARRAY_SIZE(integer_formats); f++) {
      for (unsigned c = 0; c < ARRAY_SIZE(integers); c++)
         check((struct picture) { .format = integer_formats[f],
                                  .w = 40,
                                  .h = 40,
                                  .clear = integers[c] });
   }
}

/* Views in other formats, and clears of less than all. */
static void
test_views(void **state)
{
   struct picture p = { .format = VK_FORMAT_R8G8B8A8_UNORM,
                        .view_format = VK_FORMAT_R8G8B8A8_SRGB,
                        .w = 70,
                        .h = 50,
                        .clear = one };
   check(p);
   p.clear = other;
   check(p);
   p.view_format = VK_FORMAT_R32_UINT;
   p.clear = integers[1];
   check(p);
   p.view_format = VK_FORMAT_B8G8R8A8_UNORM;
   p.clear = one;
   p.part = true;
   check(p);
}

static void
test_levels_and_layers(void **state)
{
   struct picture p = { .format = VK_FORMAT_R8G8B8A8_UNORM,
                        .w = 150,
                        .h = 90,
                        .levels = 4,
                        .clear = one };
   check(p);
   p.layers = 5;
   check(p);
   p.levels = 1;
   check(p);
   p.first_layer = 2;
   p.layer_count = 2;
   check(p);
   p.clear = other;
   check(p);
}

static void
test_targets(void **state)
{
   struct picture p = { .format = VK_FORMAT_R8G8B8A8_UNORM,
                        .w = 130,
                        .h = 70,
                        .clear = one,
                        .targets = MAX_TARGETS };
   check(p);
   p.clear = other;
   check(p);
   p.clear = zero;
   check(p);
}

static void
test_ways(void **state)
{
   struct picture p = { .format = VK_FORMAT_R8G8B8A8_UNORM,
                        .w = 130,
                        .h = 70,
                        .clear = one,
                        .resumed = true };
   check(p);
   p.recorded = true;
   check(p);
   p.resumed = false;
   check(p);
}

/* ---- draws of pipelines ---- */

static const float triangle[][2][4] = {
   { { -0.9f, -0.8f, 0, 1 }, { 1, 0, 0, 0.5f } },
   { { 0.9f, -0.7f, 0, 1 }, { 0, 1, 0, 0.25f } },
   { { -0.2f, 0.9f, 0, 1 }, { 0, 0, 1, 0.75f } },
};

static const VkPipelineColorBlendAttachmentState blends[] = {
   { .colorWriteMask = 0xf },
   { .blendEnable = VK_TRUE,
     .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
     .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
     .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
     .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
     .colorWriteMask = 0xf },
   { .colorWriteMask = VK_COLOR_COMPONENT_G_BIT },
};

#define WIDTH 211
#define HEIGHT 133

static void
check_draw(struct vkt_scene s)
{
   s.color_layout = VK_IMAGE_LAYOUT_GENERAL;
   vkt_draw(&s, (uint32_t *)want);
   s.color_layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
   vkt_draw(&s, (uint32_t *)got);
   assert_memory_equal(got, want, WIDTH * HEIGHT * 4);
}

/* Over the clear, blended with it, in one channel; of several samples the
 * picture is what they are on average. */
static void
test_draws(void **state)
{
   VkPhysicalDeviceProperties props;
   vkGetPhysicalDeviceProperties(vkt.pdev, &props);
   struct vkt_scene s =
      VKT_SCENE(.vs = VKT_SHADER(color_vert), .fs = VKT_SHADER(color_frag),
                .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                .vertices = triangle, .attributes = 2,
                .vertex_count = ARRAY_SIZE(triangle), .width = WIDTH,
                .height = HEIGHT);
   for (uint32_t n = 1; n <= 16; n *= 2) {
      if (!(props.limits.framebufferColorSampleCounts & n))
         continue;
      s.samples = n;
      for (unsigned b = 0; b < ARRAY_SIZE(blends); b++) {
         for (unsigned c = 0; c < 3; c++) {
            s.blend = &blends[b];
            s.clear = colors[c];
            check_draw(s);
         }
      }
   }
}

/* ---- images without what lies beside them ---- */

static VkImageCreateInfo
target_info(const VkImageCompressionControlEXT *control, VkFormat format,
            VkSampleCountFlagBits samples)
{
   const bool color = format == VK_FORMAT_R8G8B8A8_UNORM;
   return VKT_STRUCT(
      ImageCreateInfo, .pNext = control, .imageType = VK_IMAGE_TYPE_2D,
      .format = format, .extent = { 64, 64, 1 }, .mipLevels = 1,
      .arrayLayers = 1, .samples = samples,
      .usage = color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                     : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

/* What the image says of itself, and its size. */
static VkImageCompressionFlagsEXT
compression_of(const VkImageCreateInfo *info, VkDeviceSize *size_B)
{
   VkImage image;
   VKT_CHECK(vkCreateImage(vkt.device, info, NULL, &image));
   VKT_INFO(ImageCompressionPropertiesEXT, got, .imageCompressionFlags = 99,
            .imageCompressionFixedRateFlags = 99);
   VKT_INFO(SubresourceLayout2EXT, layout, .pNext = &got);
   const VKT_INFO(ImageSubresource2EXT, sub,
                  .imageSubresource.aspectMask =
                     info->format == VK_FORMAT_R8G8B8A8_UNORM
                        ? VK_IMAGE_ASPECT_COLOR_BIT
                        : VK_IMAGE_ASPECT_DEPTH_BIT);
   VKT_PROC(vkGetImageSubresourceLayout2EXT)
   (vkt.device, image, &sub, &layout);
   VkMemoryRequirements reqs;
   vkGetImageMemoryRequirements(vkt.device, image, &reqs);
   *size_B = reqs.size;
   vkDestroyImage(vkt.device, image, NULL);
   assert_int_equal(got.imageCompressionFixedRateFlags,
                    VK_IMAGE_COMPRESSION_FIXED_RATE_NONE_EXT);
   return got.imageCompressionFlags;
}

static VkImageCompressionFlagsEXT
compression_of_format(const void *control, VkFormat format)
{
   const VKT_INFO(PhysicalDeviceImageFormatInfo2, info, .pNext = control,
                  .format = format, .type = VK_IMAGE_TYPE_2D,
                  .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   VKT_INFO(ImageCompressionPropertiesEXT, got, .imageCompressionFlags = 99);
   VKT_INFO(ImageFormatProperties2, properties, .pNext = &got);
   VKT_CHECK(vkGetPhysicalDeviceImageFormatProperties2(vkt.pdev, &info,
                                                       &properties));
   return got.imageCompressionFlags;
}

/* Colour, samples and depth have something beside them, unless that is not
 * wanted. */
static void
test_compression_control(void **state)
{
   static const struct {
      VkFormat format;
      VkSampleCountFlagBits samples;
   } images[] = {
      { VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT },
      { VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT },
      { VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_1_BIT },
   };
   const VKT_INFO(ImageCompressionControlEXT, off,
                  .flags = VK_IMAGE_COMPRESSION_DISABLED_EXT);
   const VKT_INFO(ImageCompressionControlEXT, any_rate,
                  .flags = VK_IMAGE_COMPRESSION_FIXED_RATE_DEFAULT_EXT);
   for (unsigned i = 0; i < ARRAY_SIZE(images); i++) {
      const VkFormat format = images[i].format;
      const VkImageCreateInfo with =
         target_info(&any_rate, format, images[i].samples);
      const VkImageCreateInfo without =
         target_info(&off, format, images[i].samples);
      VkDeviceSize with_B, without_B;
      assert_int_equal(compression_of(&with, &with_B),
                       VK_IMAGE_COMPRESSION_DEFAULT_EXT);
      assert_int_equal(compression_of(&without, &without_B),
                       VK_IMAGE_COMPRESSION_DISABLED_EXT);
      assert_true(without_B < with_B);
      assert_int_equal(compression_of_format(NULL, format),
                       VK_IMAGE_COMPRESSION_DEFAULT_EXT);
      assert_int_equal(compression_of_format(&off, format),
                       VK_IMAGE_COMPRESSION_DISABLED_EXT);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_views),
      cmocka_unit_test(test_levels_and_layers),
      cmocka_unit_test(test_targets),
      cmocka_unit_test(test_ways),
      cmocka_unit_test(test_draws),
      cmocka_unit_test(test_compression_control),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
