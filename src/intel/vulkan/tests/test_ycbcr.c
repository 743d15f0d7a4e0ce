/* SPDX-License-Identifier: MIT */
/* Images of several planes, and what samplers make of them. What is expected
 * is calculated here from the text of the standards, in doubles. */
#include "vkt.h"
#include "util/macros.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "ycbcr_ycbcr_comp.h"

#define W 8
#define H 4
#define MAX_PLANES 3

struct scene {
   VkFormat format;
   unsigned planes, shift_x, shift_y, bits, padding;
   unsigned layers; /* of which the last one is looked at; 0: one */
   VkSamplerYcbcrModelConversion model;
   VkSamplerYcbcrRange range;
   VkComponentMapping components;
   VkChromaLocation x_location;
   VkFilter filter;
   bool disjoint, after_bind;
   bool whole;              /* each pixel has all, and alpha */
   bool packed, luma_first; /* two pixels in one texel of four channels */
   bool linear;             /* and filled by the processor */

   /* Numbers of Y, Cb and Cr as they are in memory. */
   uint32_t values[3][H][W];
   VkImage image;
   VkDeviceMemory memory[MAX_PLANES];
   VkSamplerYcbcrConversion conversion;
   VkImageView view;
   VkSampler sampler;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   struct vkt_buffer out;
};

static unsigned
width_of(const struct scene *s, unsigned plane)
{
   return plane ? W >> s->shift_x : W;
}

static unsigned
height_of(const struct scene *s, unsigned plane)
{
   return plane ? H >> s->shift_y : H;
}

/* ---- the image ---- */

/* Of the image, or of one of its planes. */
static VkDeviceMemory
memory_for(const struct scene *s, unsigned plane)
{
   const VKT_INFO(ImagePlaneMemoryRequirementsInfo, which,
                  .planeAspect = VK_IMAGE_ASPECT_PLANE_0_BIT << plane);
   const VKT_INFO(ImageMemoryRequirementsInfo2, info,
                  .pNext = s->disjoint ? &which : NULL, .image = s->image);
   VKT_INFO(MemoryRequirements2, reqs);
   vkGetImageMemoryRequirements2(vkt.device, &info, &reqs);
   const VKT_INFO(MemoryAllocateInfo, alloc,
                  .allocationSize = reqs.memoryRequirements.size);
   VkDeviceMemory memory;
   VKT_CHECK(vkAllocateMemory(vkt.device, &alloc, NULL, &memory));
   return memory;
}

static void
bind_planes(struct scene *s)
{
   VkBindImagePlaneMemoryInfo which[MAX_PLANES];
   VkBindImageMemoryInfo binds[MAX_PLANES];
   const unsigned count = s->disjoint ? s->planes : 1;
   for (unsigned p = 0; p < count; p++) {
      s->memory[p] = memory_for(s, p);
      which[p] = VKT_STRUCT(BindImagePlaneMemoryInfo,
                            .planeAspect = VK_IMAGE_ASPECT_PLANE_0_BIT << p);
      binds[p] = VKT_STRUCT(BindImageMemoryInfo,
                            .pNext = s->disjoint ? &which[p] : NULL,
                            .image = s->image, .memory = s->memory[p]);
   }
   VKT_CHECK(vkBindImageMemory2(vkt.device, count, binds));
}

static void
create_image(struct scene *s)
{
   s->image = VKT_NEW(
      Image, IMAGE, .flags = s->disjoint ? VK_IMAGE_CREATE_DISJOINT_BIT : 0,
      .imageType = VK_IMAGE_TYPE_2D, .format = s->format,
      .extent = { W, H, 1 }, .mipLevels = 1,
      .arrayLayers = MAX2(s->layers, 1), .samples = VK_SAMPLE_COUNT_1_BIT,
      .tiling = s->linear ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
               VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
      .initialLayout = s->linear ? VK_IMAGE_LAYOUT_PREINITIALIZED
                                 : VK_IMAGE_LAYOUT_UNDEFINED);
   bind_planes(s);
}

static VkImageMemoryBarrier
to_general(VkImage image, uint32_t layers)
{
   return VKT_STRUCT(
      ImageMemoryBarrier, .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .image = image,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers });
}

static unsigned
put(const struct scene *s, uint32_t value, uint8_t *out)
{
   const uint32_t v = value << s->padding;
   out[0] = (uint8_t)v;
   if (s->bits == 8)
      return 1;
   out[1] = (uint8_t)(v >> 8);
   return 2;
}

/* Y Cb Y Cr, or Cb Y Cr Y. */
static unsigned
pack_pairs(const struct scene *s, unsigned y, uint8_t *out)
{
   unsigned n = 0;
   for (unsigned x = 0; x < W; x++) {
      const uint32_t luma = s->values[0][y][x];
      const uint32_t chroma = s->values[1 + x % 2][y][x / 2];
      n += put(s, s->luma_first ? luma : chroma, out + n);
      n += put(s, s->luma_first ? chroma : luma, out + n);
   }
   return n;
}

/* Cr, Y, Cb and a third of what there may be of alpha, or Cb first. */
static unsigned
pack_whole(const struct scene *s, unsigned y, uint8_t *out)
{
   unsigned n = 0;
   for (unsigned x = 0; x < W; x++) {
      const uint32_t luma = s->values[0][y][x], cb = s->values[1][y][x],
                     cr = s->values[2][y][x];
      if (s->bits == 10) {
         const uint32_t word = 1u << 30 | cb << 20 | luma << 10 | cr;
         memcpy(out + n, &word, 4);
         n += 4;
         continue;
      }
      const bool blue_first = s->format == VK_FORMAT_B8G8R8A8_UNORM;
      n += put(s, blue_first ? cb : cr, out + n);
      n += put(s, luma, out + n);
      n += put(s, blue_first ? cr : cb, out + n);
      n += put(s, (1u << s->bits) / 3, out + n);
   }
   return n;
}

/* A plane's texels one after the other; of two planes the second has Cb and
 * Cr side by side. */
static unsigned
pack_plane(const struct scene *s, unsigned plane, uint8_t *out)
{
   const unsigned channels = s->planes == 2 && plane ? 2 : 1;
   unsigned n = 0;
   for (unsigned y = 0; y < height_of(s, plane); y++) {
      for (unsigned x = 0; x < width_of(s, plane); x++) {
         for (unsigned c = 0; c < channels; c++) {
            n += put(s, s->values[plane + c][y][x], out + n);
         }
      }
   }
   return n;
}

static void
fill(struct scene *s)
{
   const VkImageSubresource which = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 };
   VkSubresourceLayout at;
   vkGetImageSubresourceLayout(vkt.device, s->image, &which, &at);
   uint8_t *map;
   VKT_CHECK(vkMapMemory(vkt.device, s->memory[0], 0, VK_WHOLE_SIZE, 0,
                         (void **)&map));
   for (unsigned y = 0; y < H; y++)
      pack_pairs(s, y, map + at.offset + y * at.rowPitch);
   vkUnmapMemory(vkt.device, s->memory[0]);
   VkImageMemoryBarrier barrier = to_general(s->image, 1);
   barrier.srcAccessMask = VK_ACCESS_HOST_WRITE_BIT;
   barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
   barrier.oldLayout = VK_IMAGE_LAYOUT_PREINITIALIZED;
   VkCommandBuffer cmd = vkt_begin();
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_HOST_BIT,
                        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
   vkt_submit(cmd);
}

static void
upload(struct scene *s)
{
   struct vkt_buffer b = vkt_buffer_create(MAX_PLANES * W * H * 8);
   VkCommandBuffer cmd = vkt_begin();
   const VkImageMemoryBarrier barrier =
      to_general(s->image, MAX2(s->layers, 1));
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                        VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL,
                        1, &barrier);
   for (unsigned p = 0; p < s->planes; p++) {
      const VkBufferImageCopy copy = {
         .bufferOffset = p * W * H * 4,
         .imageSubresource = { s->packed || s->whole
                                  ? VK_IMAGE_ASPECT_COLOR_BIT
                                  : VK_IMAGE_ASPECT_PLANE_0_BIT << p,
                               0, MAX2(s->layers, 1) - 1, 1 },
         .imageExtent = { width_of(s, p), height_of(s, p), 1 },
      };
      uint8_t *at = (uint8_t *)b.map + copy.bufferOffset;
      for (unsigned y = 0; s->packed && y < H; y++)
         at += pack_pairs(s, y, at);
      for (unsigned y = 0; s->whole && y < H; y++)
         at += pack_whole(s, y, at);
      if (!s->packed && !s->whole)
         pack_plane(s, p, at);
      vkCmdCopyBufferToImage(cmd, b.buffer, s->image, VK_IMAGE_LAYOUT_GENERAL,
                             1, &copy);
   }
   vkt_barrier(cmd);
   vkt_submit(cmd);
   vkt_buffer_destroy(&b);
}

/* ---- what samples it ---- */

static void
create_sampler(struct scene *s)
{
   const VKT_INFO(SamplerYcbcrConversionCreateInfo, conversion,
                  .format = s->format, .ycbcrModel = s->model,
                  .ycbcrRange = s->range, .components = s->components,
                  .xChromaOffset = s->x_location,
                  .yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT,
                  .chromaFilter = s->filter);
   VKT_CHECK(vkCreateSamplerYcbcrConversion(vkt.device, &conversion, NULL,
                                            &s->conversion));
   const VKT_INFO(SamplerYcbcrConversionInfo, converted,
                  .conversion = s->conversion);
   const VKT_INFO(SamplerCreateInfo, sampler, .pNext = &converted,
                  .magFilter = s->filter, .minFilter = s->filter,
                  .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                  .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                  .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   VKT_CHECK(vkCreateSampler(vkt.device, &sampler, NULL, &s->sampler));
   const VKT_INFO(ImageViewCreateInfo, view, .pNext = &converted,
                  .image = s->image, .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                  .format = s->format,
                  .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                        MAX2(s->layers, 1) });
   VKT_CHECK(vkCreateImageView(vkt.device, &view, NULL, &s->view));
}

static void
create_pipeline(struct scene *s)
{
   const VkDescriptorSetLayoutBinding bindings[] = {
      { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
        NULL },
      { 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
        VK_SHADER_STAGE_COMPUTE_BIT, &s->sampler },
   };
   const VKT_INFO(
      DescriptorSetLayoutCreateInfo, set_layout,
      .flags = s->after_bind
                  ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                  : 0,
      .bindingCount = ARRAY_SIZE(bindings), .pBindings = bindings);
   VKT_CHECK(vkCreateDescriptorSetLayout(vkt.device, &set_layout, NULL,
                                         &s->set_layout));
   const VKT_INFO(PipelineLayoutCreateInfo, layout, .setLayoutCount = 1,
                  .pSetLayouts = &s->set_layout);
   VKT_CHECK(vkCreatePipelineLayout(vkt.device, &layout, NULL, &s->layout));
   s->pipeline = vkt_compute_pipeline(VKT_SHADER(ycbcr_comp), s->layout);
}

static void
create_set(struct scene *s)
{
   const VkDescriptorPoolSize sizes[] = {
      { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 },
      { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, MAX_PLANES },
   };
   const VKT_INFO(
      DescriptorPoolCreateInfo, pool,
      .flags = s->after_bind ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
                             : 0,
      .maxSets = 1, .poolSizeCount = ARRAY_SIZE(sizes), .pPoolSizes = sizes);
   VKT_CHECK(vkCreateDescriptorPool(vkt.device, &pool, NULL, &s->pool));
   const VKT_INFO(DescriptorSetAllocateInfo, alloc, .descriptorPool = s->pool,
                  .descriptorSetCount = 1, .pSetLayouts = &s->set_layout);
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, &s->set));
   const VkDescriptorBufferInfo buffer = { s->out.buffer, 0, VK_WHOLE_SIZE };
   const VkDescriptorImageInfo image = { VK_NULL_HANDLE, s->view,
                                         VK_IMAGE_LAYOUT_GENERAL };
   const VkWriteDescriptorSet writes[] = {
      { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = s->set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &buffer },
      { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = s->set,
        .dstBinding = 1,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .pImageInfo = &image },
   };
   vkUpdateDescriptorSets(vkt.device, ARRAY_SIZE(writes), writes, 0, NULL);
}

/* ---- what comes of it ---- */

/* The number of Cb (1) or Cr (2) at a texel of the large plane: the nearest,
 * or what lies between two in a row; columns are alike if filtered. */
static double
small_value(const struct scene *s, unsigned which, unsigned x, unsigned y)
{
   const uint32_t *row = s->values[which][y >> s->shift_y];
   const unsigned last = (W >> s->shift_x) - 1;
   const unsigned i = x >> s->shift_x;
   if (s->filter == VK_FILTER_NEAREST || !s->shift_x)
      return row[i];
   if (s->x_location == VK_CHROMA_LOCATION_COSITED_EVEN)
      return x % 2 ? (row[i] + row[MIN2(i + 1, last)]) / 2.0 : row[i];
   const unsigned other = x % 2 ? MIN2(i + 1, last) : (i ? i - 1 : 0);
   return 0.75 * row[i] + 0.25 * row[other];
}

/* Of BT.709 (8 bits, narrow) and BT.601 (full): red, green and blue. */
static void
expected(const struct scene *s, unsigned x, unsigned y, double rgb[3])
{
   const double cb = small_value(s, 1, x, y), cr = small_value(s, 2, x, y);
   const double v = s->values[0][y][x], max = (1 << s->bits) - 1;
   const double kr = s->model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709
                        ? 0.2126
                        : 0.299;
   const double kb = s->model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709
                        ? 0.0722
                        : 0.114;
   if (s->model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY) {
      rgb[0] = cr / max;
      rgb[1] = v / max;
      rgb[2] = cb / max;
      return;
   }
   const bool narrow = s->range == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW;
   const double step = 1 << (s->bits - 8);
   const double luma = narrow ? (v - 16 * step) / (219 * step) : v / max;
   const double b = (cb - 128 * step) / (narrow ? 224 * step : max);
   const double r = (cr - 128 * step) / (narrow ? 224 * step : max);
   rgb[0] = luma + 2 * (1 - kr) * r;
   rgb[2] = luma + 2 * (1 - kb) * b;
   rgb[1] = (luma - kr * rgb[0] - kb * rgb[2]) / (1 - kr - kb);
}

static void
check(const struct scene *s, double tolerance)
{
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         const float *texel = (const float *)s->out.map + (y * W + x) * 4;
         double rgb[3];
         expected(s, x, y, rgb);
         const bool swaps = s->components.r == VK_COMPONENT_SWIZZLE_B;
         for (unsigned c = 0; c < 3; c++)
            assert_true(fabs(texel[c] - rgb[swaps ? 2 - c : c]) < tolerance);
         const double max = (1 << s->bits) - 1;
         const double alpha = !s->whole       ? 1
                              : s->bits == 10 ? 1 / 3.0
                                              : (1 << s->bits) / 3 / max;
         assert_true(fabs(texel[3] - alpha) < 1e-5);
      }
   }
}

static void
create(struct scene *s)
{
   for (unsigned c = 0; c < 3; c++) {
      for (unsigned y = 0; y < H; y++) {
         for (unsigned x = 0; x < W; x++) {
            const unsigned row = s->filter == VK_FILTER_LINEAR && c ? 0 : y;
            s->values[c][y][x] = (40 + (x * 37 + row * 61 + c * 23) % 170) *
                                 (s->bits == 16 ? 257 : 1);
         }
      }
   }
   create_image(s);
   if (s->linear)
      fill(s);
   else
      upload(s);
   create_sampler(s);
   create_pipeline(s);
   s->out = vkt_buffer_create(W * H * 16);
   create_set(s);
}

static void
run(struct scene *s)
{
   VkCommandBuffer cmd = vkt_begin();
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0,
                           1, &s->set, 0, NULL);
   vkCmdDispatch(cmd, W, H, 1);
   vkt_barrier(cmd);
   vkt_submit(cmd);
}

static void
destroy(struct scene *s)
{
   vkt_buffer_destroy(&s->out);
   vkDestroyDescriptorPool(vkt.device, s->pool, NULL);
   vkDestroyPipeline(vkt.device, s->pipeline, NULL);
   vkDestroyPipelineLayout(vkt.device, s->layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, s->set_layout, NULL);
   vkDestroyImageView(vkt.device, s->view, NULL);
   vkDestroySampler(vkt.device, s->sampler, NULL);
   vkDestroySamplerYcbcrConversion(vkt.device, s->conversion, NULL);
   vkDestroyImage(vkt.device, s->image, NULL);
   for (unsigned p = 0; p < MAX_PLANES; p++)
      vkFreeMemory(vkt.device, s->memory[p], NULL);
}

static void
test(struct scene s, double tolerance)
{
   create(&s);
   run(&s);
   check(&s, tolerance);
   destroy(&s);
}

static const struct scene video = {
   .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
   .planes = 2,
   .shift_x = 1,
   .shift_y = 1,
   .bits = 8,
   .model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
   .range = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW,
   .x_location = VK_CHROMA_LOCATION_MIDPOINT,
   .filter = VK_FILTER_NEAREST,
};

static void
test_two_planes(void **state)
{
   test(video, 1e-5);
}

static void
test_three_planes(void **state)
{
   struct scene s = video;
   s.format = VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM;
   s.planes = 3;
   s.shift_y = 0;
   s.model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601;
   s.range = VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
   test(s, 1e-5);
}

/* Each plane has memory of its own; the small ones are filtered, with the
 * weights of eight bits that the sampler has. */
static void
test_filtered(void **state)
{
   struct scene s = video;
   s.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
   s.planes = 3;
   s.disjoint = true;
   s.filter = VK_FILTER_LINEAR;
   test(s, 0.02);
   s.x_location = VK_CHROMA_LOCATION_COSITED_EVEN;
   test(s, 0.02);
}

static void
test_no_conversion(void **state)
{
   struct scene s = video;
   s.format = VK_FORMAT_G16_B16R16_2PLANE_444_UNORM;
   s.bits = 16;
   s.shift_x = s.shift_y = 0;
   s.model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
   s.components = (VkComponentMapping) { .r = VK_COMPONENT_SWIZZLE_B,
                                         .b = VK_COMPONENT_SWIZZLE_R };
   test(s, 1e-5);
}

/* Ten bits in sixteen, as decoders leave them; the last of three layers. */
static void
test_ten_bits(void **state)
{
   struct scene s = video;
   s.format = VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16;
   s.bits = 10;
   s.padding = 6;
   s.layers = 3;
   test(s, 1e-5);
   s.model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
   test(s, 1e-5);
}

/* By records, where shaders read descriptors. */
static void
test_after_bind(void **state)
{
   if (!vkt_has_extension("VK_EXT_descriptor_indexing"))
      skip();
   struct scene s = video;
   s.after_bind = true;
   test(s, 1e-5);
   s.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
   s.planes = 3;
   test(s, 1e-5);
}

/* A plane is copied to an image of one, which has the format of the plane. */
static void
test_copy_plane(void **state)
{
   struct scene s = video;
   create(&s);
   const struct vkt_image_desc desc = {
      .format = VK_FORMAT_R8G8_UNORM,
      .width = W / 2,
      .height = H / 2,
   };
   struct vkt_image copy = vkt_image_create(&desc);
   const VkImageCopy region = {
      .srcSubresource = { VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1 },
      .dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .extent = { W / 2, H / 2, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyImage(cmd, s.image, VK_IMAGE_LAYOUT_GENERAL, copy.image,
                  VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   uint8_t texels[W * H / 2], packed[W * H];
   vkt_image_read(&copy, 0, texels, sizeof(texels));
   assert_int_equal(pack_plane(&s, 1, packed), sizeof(texels));
   assert_memory_equal(texels, packed, sizeof(texels));
   vkt_image_destroy(&copy);
   destroy(&s);
}

static const struct {
   VkFormat format;
   unsigned bits, padding;
   bool luma_first;
} packed[] = {
   { VK_FORMAT_G8B8G8R8_422_UNORM, 8, 0, true },
   { VK_FORMAT_B8G8R8G8_422_UNORM, 8, 0, false },
   { VK_FORMAT_G10X6B10X6G10X6R10X6_422_UNORM_4PACK16, 10, 6, true },
   { VK_FORMAT_B10X6G10X6R10X6G10X6_422_UNORM_4PACK16, 10, 6, false },
   { VK_FORMAT_G12X4B12X4G12X4R12X4_422_UNORM_4PACK16, 12, 4, true },
   { VK_FORMAT_B12X4G12X4R12X4G12X4_422_UNORM_4PACK16, 12, 4, false },
   { VK_FORMAT_G16B16G16R16_422_UNORM, 16, 0, true },
   { VK_FORMAT_B16G16R16G16_422_UNORM, 16, 0, false },
};

static struct scene
packed_scene(unsigned i)
{
   struct scene s = video;
   s.format = packed[i].format;
   s.planes = 1;
   s.shift_y = 0;
   s.bits = packed[i].bits;
   s.padding = packed[i].padding;
   s.packed = true;
   s.luma_first = packed[i].luma_first;
   return s;
}

static void
test_packed(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(packed); i++) {
      struct scene s = packed_scene(i);
      test(s, 1e-5);
      s.linear = true;
      test(s, 1e-5);
      s.linear = false;
      s.layers = 3;
      s.filter = VK_FILTER_LINEAR;
      test(s, 0.02);
      s.x_location = VK_CHROMA_LOCATION_COSITED_EVEN;
      test(s, 0.02);
   }
}

/* To an image whose texels are as large as a pair of pixels, and back. */
static void
test_copy_packed(void **state)
{
   struct scene s = packed_scene(0);
   create(&s);
   const struct vkt_image_desc desc = {
      .format = VK_FORMAT_R8G8B8A8_UNORM,
      .width = W / 2,
      .height = H,
   };
   struct vkt_image copy = vkt_image_create(&desc);
   const VkImageSubresourceLayers color = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0,
                                            1 };
   const VkImageCopy all = {
      .srcSubresource = color,
      .dstSubresource = color,
      .extent = { W, H, 1 },
   };
   /* The last pair to the first place. */
   const VkImageCopy back = {
      .srcSubresource = color,
      .srcOffset = { W / 2 - 1, 0, 0 },
      .dstSubresource = color,
      .dstOffset = { 2, 0, 0 },
      .extent = { 1, H, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyImage(cmd, s.image, VK_IMAGE_LAYOUT_GENERAL, copy.image,
                  VK_IMAGE_LAYOUT_GENERAL, 1, &all);
   vkt_barrier(cmd);
   vkCmdCopyImage(cmd, copy.image, VK_IMAGE_LAYOUT_GENERAL, s.image,
                  VK_IMAGE_LAYOUT_GENERAL, 1, &back);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   uint8_t texels[W * H * 2], expected_texels[W * H * 2];
   vkt_image_read(&copy, 0, texels, sizeof(texels));
   for (unsigned y = 0; y < H; y++) {
      pack_pairs(&s, y, expected_texels + y * W * 2);
      for (unsigned x = 0; x < 2; x++)
         s.values[0][y][2 + x] = s.values[0][y][W - 2 + x];
      for (unsigned c = 1; c < 3; c++)
         s.values[c][y][1] = s.values[c][y][W / 2 - 1];
   }
   assert_memory_equal(texels, expected_texels, sizeof(texels));
   run(&s);
   check(&s, 1e-5);
   vkt_image_destroy(&copy);
   destroy(&s);
}

static void
test_whole(void **state)
{
   static const struct {
      VkFormat format;
      unsigned bits;
   } cases[] = {
      { VK_FORMAT_R8G8B8A8_UNORM, 8 },
      { VK_FORMAT_B8G8R8A8_UNORM, 8 },
      { VK_FORMAT_A2B10G10R10_UNORM_PACK32, 10 },
      { VK_FORMAT_R16G16B16A16_UNORM, 16 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      struct scene s = video;
      s.format = cases[i].format;
      s.planes = 1;
      s.shift_x = s.shift_y = 0;
      s.bits = cases[i].bits;
      s.whole = true;
      test(s, 1e-5);
      s.model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
      s.range = VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
      s.components = (VkComponentMapping) { .r = VK_COMPONENT_SWIZZLE_B,
                                            .b = VK_COMPONENT_SWIZZLE_R };
      test(s, 1e-5);
   }
}

static void
test_packed_properties(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(packed); i++) {
      VkFormatProperties p;
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, packed[i].format, &p);
      const VkFormatFeatureFlags wanted =
         VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
         VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT |
         VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT |
         VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
         VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
      assert_int_equal(p.optimalTilingFeatures & wanted, wanted);
      assert_int_equal(p.linearTilingFeatures, p.optimalTilingFeatures);
      /* There is one plane, and none that could be bound for itself. */
      assert_false(p.optimalTilingFeatures & VK_FORMAT_FEATURE_DISJOINT_BIT);
      assert_int_equal(p.bufferFeatures, 0);
      VkImageFormatProperties image;
      assert_int_equal(vkGetPhysicalDeviceImageFormatProperties(
                          vkt.pdev, packed[i].format, VK_IMAGE_TYPE_2D,
                          VK_IMAGE_TILING_OPTIMAL,
                          VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 0, &image),
                       VK_ERROR_FORMAT_NOT_SUPPORTED);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_planes),
      cmocka_unit_test(test_three_planes),
      cmocka_unit_test(test_filtered),
      cmocka_unit_test(test_no_conversion),
      cmocka_unit_test(test_ten_bits),
      cmocka_unit_test(test_after_bind),
      cmocka_unit_test(test_copy_plane),
      cmocka_unit_test(test_packed),
      cmocka_unit_test(test_copy_packed),
      cmocka_unit_test(test_whole),
      cmocka_unit_test(test_packed_properties),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
