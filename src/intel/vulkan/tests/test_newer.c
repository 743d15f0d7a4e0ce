/* SPDX-License-Identifier: MIT */
/* Extensions that are newer than the headers of Debian 12 (api/newer.py). */
#include "util/macros.h"
#include "vkt.h"

#include <string.h>

#include "newer_color_frag.h"
#include "newer_draws_vert.h"
#include "newer_instances_vert.h"
#include "newer_newer_comp.h"
#include "newer_no_point_size_vert.h"
#include "newer_rotate_comp.h"
#include "newer_store_texel_comp.h"
#include "newer_texel_comp.h"
#include "newer_white_frag.h"

#define WIDTH 16

static void
test_announced(void **state)
{
   static const char *const names[] = {
      "VK_EXT_attachment_feedback_loop_dynamic_state",
      "VK_KHR_calibrated_timestamps",
      "VK_KHR_index_type_uint8",
      "VK_KHR_line_rasterization",
      "VK_KHR_load_store_op_none",
      "VK_KHR_maintenance5",
      "VK_KHR_maintenance6",
      "VK_KHR_map_memory2",
      "VK_KHR_shader_expect_assume",
      "VK_KHR_shader_subgroup_rotate",
      "VK_KHR_vertex_attribute_divisor",
   };
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
      assert_true(vkt_has_extension(names[i]));
   VKT_INFO(PhysicalDeviceMaintenance5FeaturesKHR, five);
   VKT_INFO(PhysicalDeviceMaintenance6FeaturesKHR, six, .pNext = &five);
   vkt_features(&six);
   assert_true(five.maintenance5);
   assert_true(six.maintenance6);
   assert_ptr_equal(VKT_PROC(vkCmdSetLineStippleKHR),
                    VKT_PROC(vkCmdSetLineStippleEXT));
   assert_ptr_equal(VKT_PROC(vkGetCalibratedTimestampsKHR),
                    VKT_PROC(vkGetCalibratedTimestampsEXT));
}

/* A function of a version that the application does not speak is none. */
static void
test_functions_by_version(void **state)
{
   static const struct {
      uint32_t version;
      bool has_1_1, has_1_2, has_1_4;
   } rows[] = {
      { 0, false, false, false },
      { VK_API_VERSION_1_0, false, false, false },
      { VK_API_VERSION_1_1, true, false, false },
      { VK_API_VERSION_1_2, true, true, false },
      { VK_API_VERSION_1_3, true, true, false },
      { VK_MAKE_API_VERSION(0, 1, 4, 0), true, true, true },
   };
   const bool is_1_4 = vkt_properties(NULL).apiVersion >=
                       VK_MAKE_API_VERSION(0, 1, 4, 0);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const VKT_INFO(ApplicationInfo, app, .apiVersion = rows[i].version);
      const VKT_INFO(InstanceCreateInfo, info, .pApplicationInfo = &app);
      struct vkt_device saved = vkt;
      VkDevice device;
      uint32_t count = 1;
      VKT_CHECK(vkCreateInstance(&info, NULL, &vkt.instance));
      VKT_CHECK(vkEnumeratePhysicalDevices(vkt.instance, &count, &vkt.pdev));
      VKT_CHECK(
         vkt_create_device(&(VkDeviceCreateInfo) { 0 }, NULL, &device));
      assert_non_null(vkGetDeviceProcAddr(device, "vkMapMemory"));
      assert_int_equal(vkGetDeviceProcAddr(device, "vkBindBufferMemory2") !=
                          NULL,
                       rows[i].has_1_1);
      assert_int_equal(vkGetDeviceProcAddr(device, "vkResetQueryPool") !=
                          NULL,
                       rows[i].has_1_2);
      assert_int_equal(vkGetDeviceProcAddr(device, "vkMapMemory2") != NULL,
                       rows[i].has_1_4 && is_1_4);
      vkDestroyDevice(device, NULL);
      vkDestroyInstance(vkt.instance, NULL);
      vkt = saved;
   }
}

/* ---- memory ---- */

static void
test_map(void **state)
{
   struct vkt_buffer b = vkt_buffer_create(64);
   const VKT_INFO(MemoryMapInfoKHR, map, .memory = b.memory, .offset = 8,
                  .size = VK_WHOLE_SIZE);
   const VKT_INFO(MemoryUnmapInfoKHR, unmap, .memory = b.memory);
   void *at;
   vkUnmapMemory(vkt.device, b.memory);
   VKT_CHECK(VKT_PROC(vkMapMemory2KHR)(vkt.device, &map, &at));
   assert_ptr_equal(at, (char *)b.map + 8);
   VKT_CHECK(VKT_PROC(vkUnmapMemory2KHR)(vkt.device, &unmap));
   vkt_buffer_destroy(&b);
}

/* Each binding of a call says for itself that it has succeeded. */
static void
test_bind_status(void **state)
{
   struct vkt_buffer memory = vkt_buffer_create(8192);
   VkResult results[2] = { VK_ERROR_UNKNOWN, VK_ERROR_UNKNOWN };
   VkBindMemoryStatusKHR status[2];
   VkBindBufferMemoryInfo bind[2];
   VkBuffer buffers[2];
   for (unsigned i = 0; i < 2; i++) {
      buffers[i] = VKT_NEW(Buffer, BUFFER, .size = 16,
                           .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT);
      status[i] = VKT_STRUCT(BindMemoryStatusKHR, .pResult = &results[i]);
      bind[i] =
         (VkBindBufferMemoryInfo) { VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                    &status[i], buffers[i], memory.memory,
                                    i * 4096 };
   }
   VKT_CHECK(vkBindBufferMemory2(vkt.device, 2, bind));
   for (unsigned i = 0; i < 2; i++) {
      VKT_CHECK(results[i]);
      vkDestroyBuffer(vkt.device, buffers[i], NULL);
   }
   vkt_buffer_destroy(&memory);
}

/* Uses of a buffer are those of the chain: no others may be said. */
static void
test_buffer_usage(void **state)
{
   const VKT_INFO(BufferUsageFlags2CreateInfoKHR, usage,
                  .usage = VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
   struct vkt_buffer memory = vkt_buffer_create(64);
   VkBufferView view;
   VkBuffer buffer = VKT_NEW(Buffer, BUFFER, .pNext = &usage, .size = 64);
   VKT_CHECK(vkBindBufferMemory(vkt.device, buffer, memory.memory, 0));
   view = VKT_NEW(BufferView, BUFFER_VIEW, .buffer = buffer,
                  .format = VK_FORMAT_R32_UINT, .range = VK_WHOLE_SIZE);
   vkt_compute(VKT_SHADER(store_texel_comp),
               &(struct vkt_resource) {
                  .type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
                  .texels = view,
               },
               1, 1);
   assert_int_equal(((uint32_t *)memory.map)[3], 77);
   vkDestroyBufferView(vkt.device, view, NULL);
   vkDestroyBuffer(vkt.device, buffer, NULL);
   vkt_buffer_destroy(&memory);
}

/* ---- draws ---- */

static void
draw_points(void (*draw)(VkCommandBuffer, const void *), const void *data,
            uint32_t px[WIDTH])
{
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(draws_vert),
                       .fs = VKT_SHADER(color_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                       .width = WIDTH, .height = 1, .set_state = draw,
                       .data = data, .draws_itself = true),
            px);
}

static void
draw_some_indices(VkCommandBuffer cmd, const void *data)
{
   const struct vkt_buffer *b = data;
   VKT_PROC(vkCmdBindIndexBuffer2KHR)
   (cmd, b->buffer, 1, 2, VK_INDEX_TYPE_UINT8_EXT);
   vkCmdDrawIndexed(cmd, 4, 1, 0, 0, 0);
}

/* What is behind the two that were bound is zero. */
static void
test_some_indices(void **state)
{
   static const uint8_t indices[] = { 99, 9, 2, 15, 3, 11 };
   struct vkt_buffer b = vkt_buffer_create(sizeof(indices));
   uint32_t px[WIDTH];
   memcpy(b.map, indices, sizeof(indices));
   draw_points(draw_some_indices, &b, px);
   for (unsigned x = 0; x < WIDTH; x++)
      assert_int_equal(px[x] != 0, x == 9 || x == 2 || x == 0);
   vkt_buffer_destroy(&b);
}

static void
draw_no_indices(VkCommandBuffer cmd, const void *data)
{
   const VkIndexType *type = data;
   vkCmdBindIndexBuffer(cmd, VK_NULL_HANDLE, 0, *type);
   vkCmdDrawIndexed(cmd, 3, 1, 5, 4, 0);
}

/* Of no buffer all are zero. */
static void
test_no_indices(void **state)
{
   static const VkIndexType types[] = { VK_INDEX_TYPE_UINT16,
                                        VK_INDEX_TYPE_UINT32 };
   for (unsigned i = 0; i < ARRAY_SIZE(types); i++) {
      uint32_t px[WIDTH];
      draw_points(draw_no_indices, &types[i], px);
      for (unsigned x = 0; x < WIDTH; x++)
         assert_int_equal(px[x] != 0, x == 0);
   }
}

static void
draw_later_instances(VkCommandBuffer cmd, const void *data)
{
   vkCmdDraw(cmd, 1, 9, 0, 5);
}

/* Elements are counted from the first instance on. */
static void
check_divisor(uint32_t divisor)
{
   float colors[WIDTH][4];
   for (unsigned i = 0; i < WIDTH; i++) {
      for (unsigned c = 0; c < 4; c++)
         colors[i][c] = (float)(i + 1) / 255;
   }
   const VkVertexInputBindingDivisorDescriptionEXT binding = { 0, divisor };
   const VKT_INFO(PipelineVertexInputDivisorStateCreateInfoEXT, divisors,
                  .vertexBindingDivisorCount = 1,
                  .pVertexBindingDivisors = &binding);
   uint32_t px[WIDTH];
   vkt_draw(
      &VKT_SCENE(.vs = VKT_SHADER(instances_vert),
                 .fs = VKT_SHADER(color_frag),
                 .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                 .vertices = colors, .attributes = 1, .vertex_count = WIDTH,
                 .divisors = &divisors, .width = WIDTH, .height = 1,
                 .set_state = draw_later_instances, .draws_itself = true),
      px);
   for (uint32_t i = 0; i < WIDTH; i++) {
      const uint32_t element = 5 + (divisor ? (i - 5) / divisor : 0);
      assert_int_equal(px[i],
                       i >= 5 && i < 14 ? (element + 1) * 0x01010101 : 0);
   }
}

static void
test_divisors(void **state)
{
   VKT_INFO(PhysicalDeviceVertexAttributeDivisorPropertiesKHR, props);
   vkt_properties(&props);
   assert_true(props.supportsNonZeroFirstInstance);
   assert_true(props.maxVertexAttribDivisor >= 65535);
   check_divisor(1);
   check_divisor(3);
   check_divisor(0);
}

/* A point whose size no shader says has one pixel. */
static void
test_point_size(void **state)
{
   uint32_t px[WIDTH * 3];
   vkt_draw(&VKT_SCENE(.vs = VKT_SHADER(no_point_size_vert),
                       .fs = VKT_SHADER(white_frag),
                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                       .vertex_count = 5, .width = WIDTH, .height = 3),
            px);
   for (unsigned i = 0; i < ARRAY_SIZE(px); i++)
      assert_int_equal(px[i] != 0, i / WIDTH == 1 && i % WIDTH < 5);
}

/* ---- descriptors and constants ---- */

static const VkDescriptorSetLayoutBinding bindings[] = {
   { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
   { 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL },
};

struct sums {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   struct vkt_buffer in, out;
};

static struct sums
sums_create(VkDescriptorSetLayoutCreateFlags flags)
{
   struct sums s = { .in = vkt_buffer_create(4),
                     .out = vkt_buffer_create(64) };
   const VKT_INFO(DescriptorSetLayoutCreateInfo, set_layout, .flags = flags,
                  .bindingCount = ARRAY_SIZE(bindings),
                  .pBindings = bindings);
   VKT_CHECK(vkCreateDescriptorSetLayout(vkt.device, &set_layout, NULL,
                                         &s.set_layout));
   const VkPushConstantRange range = { VK_SHADER_STAGE_ALL, 0, 8 };
   const VKT_INFO(PipelineLayoutCreateInfo, layout, .setLayoutCount = 1,
                  .pSetLayouts = &s.set_layout, .pushConstantRangeCount = 1,
                  .pPushConstantRanges = &range);
   VKT_CHECK(vkCreatePipelineLayout(vkt.device, &layout, NULL, &s.layout));
   s.pipeline = vkt_compute_pipeline(VKT_SHADER(newer_comp), s.layout);
   *(uint32_t *)s.in.map = 100;
   return s;
}

static void
sums_destroy(struct sums *s)
{
   vkDestroyPipeline(vkt.device, s->pipeline, NULL);
   vkDestroyPipelineLayout(vkt.device, s->layout, NULL);
   vkDestroyDescriptorSetLayout(vkt.device, s->set_layout, NULL);
   vkt_buffer_destroy(&s->in);
   vkt_buffer_destroy(&s->out);
}

static void
dispatch(VkCommandBuffer cmd, const struct sums *s, uint32_t at,
         uint32_t more)
{
   const uint32_t values[] = { at, more };
   const VKT_INFO(PushConstantsInfoKHR, push, .layout = s->layout,
                  .stageFlags = VK_SHADER_STAGE_ALL, .size = sizeof(values),
                  .pValues = values);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
   VKT_PROC(vkCmdPushConstants2KHR)(cmd, &push);
   vkCmdDispatch(cmd, 1, 1, 1);
}

static void
buffer_infos(const struct sums *s, VkDescriptorBufferInfo infos[2])
{
   infos[0] = (VkDescriptorBufferInfo) { s->in.buffer, 0, VK_WHOLE_SIZE };
   infos[1] = (VkDescriptorBufferInfo) { s->out.buffer, 0, VK_WHOLE_SIZE };
}

static void
write_both(VkWriteDescriptorSet writes[2], VkDescriptorSet set,
           const VkDescriptorBufferInfo infos[2])
{
   for (uint32_t i = 0; i < 2; i++)
      writes[i] =
         VKT_STRUCT(WriteDescriptorSet, .dstSet = set, .dstBinding = i,
                    .descriptorCount = 1,
                    .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                    .pBufferInfo = &infos[i]);
}

static void
test_bound_sets(void **state)
{
   struct sums s = sums_create(0);
   const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 };
   VkDescriptorSet set;
   VkDescriptorBufferInfo infos[2];
   VkWriteDescriptorSet writes[2];
   VkDescriptorPool pool = VKT_NEW(DescriptorPool, DESCRIPTOR_POOL,
                                   .maxSets = 1, .poolSizeCount = 1,
                                   .pPoolSizes = &size);
   const VkDescriptorSetAllocateInfo alloc = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, pool, 1,
      &s.set_layout
   };
   VKT_CHECK(vkAllocateDescriptorSets(vkt.device, &alloc, &set));
   buffer_infos(&s, infos);
   write_both(writes, set, infos);
   vkUpdateDescriptorSets(vkt.device, 2, writes, 0, NULL);
   const VKT_INFO(BindDescriptorSetsInfoKHR, bind,
                  .stageFlags = VK_SHADER_STAGE_ALL, .layout = s.layout,
                  .descriptorSetCount = 1, .pDescriptorSets = &set);
   VkCommandBuffer cmd = vkt_begin();
   VKT_PROC(vkCmdBindDescriptorSets2KHR)(cmd, &bind);
   dispatch(cmd, &s, 2, 7);
   VkCommandBuffer secondary = vkt_begin_secondary();
   VKT_PROC(vkCmdBindDescriptorSets2KHR)(secondary, &bind);
   dispatch(secondary, &s, 3, 8);
   vkt_execute(cmd, secondary);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   assert_int_equal(((uint32_t *)s.out.map)[2], 107);
   assert_int_equal(((uint32_t *)s.out.map)[3], 108);
   vkDestroyDescriptorPool(vkt.device, pool, NULL);
   sums_destroy(&s);
}

static void
test_pushed_sets(void **state)
{
   struct sums s =
      sums_create(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
   VkDescriptorBufferInfo infos[2];
   VkWriteDescriptorSet writes[2];
   buffer_infos(&s, infos);
   write_both(writes, VK_NULL_HANDLE, infos);
   const VkDescriptorUpdateTemplateEntry entries[] = {
      { 0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0 },
      { 1, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sizeof(infos[0]), 0 },
   };
   VkDescriptorUpdateTemplate template = VKT_NEW(
      DescriptorUpdateTemplate, DESCRIPTOR_UPDATE_TEMPLATE,
      .descriptorUpdateEntryCount = 2, .pDescriptorUpdateEntries = entries,
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
      .pipelineLayout = s.layout);
   const VKT_INFO(PushDescriptorSetInfoKHR, push,
                  .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                  .layout = s.layout, .descriptorWriteCount = 2,
                  .pDescriptorWrites = writes);
   const VKT_INFO(PushDescriptorSetWithTemplateInfoKHR, with_template,
                  .descriptorUpdateTemplate = template, .layout = s.layout,
                  .pData = infos);
   VkCommandBuffer cmd = vkt_begin();
   VKT_PROC(vkCmdPushDescriptorSet2KHR)(cmd, &push);
   dispatch(cmd, &s, 0, 1);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   cmd = vkt_begin();
   VKT_PROC(vkCmdPushDescriptorSetWithTemplate2KHR)(cmd, &with_template);
   dispatch(cmd, &s, 1, 2);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   assert_int_equal(((uint32_t *)s.out.map)[0], 101);
   assert_int_equal(((uint32_t *)s.out.map)[1], 102);
   vkDestroyDescriptorUpdateTemplate(vkt.device, template, NULL);
   sums_destroy(&s);
}

/* ---- pipelines ---- */

/* Flags are those of the chain: this one must not be compiled. Its shader
 * comes without a module, too. */
static void
test_pipeline_flags(void **state)
{
   struct sums s = sums_create(0);
   const VKT_INFO(ShaderModuleCreateInfo, module,
                  .codeSize = sizeof(newer_comp), .pCode = newer_comp);
   /* No other pipeline has such a constant. */
   const uint32_t least = 1234;
   const VkSpecializationMapEntry entry = { 0, 0, sizeof(least) };
   const VkSpecializationInfo constant = { 1, &entry, sizeof(least), &least };
   VKT_INFO(PipelineCreateFlags2CreateInfoKHR, flags,
            .flags =
               VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
   const VKT_INFO(
      ComputePipelineCreateInfo, info, .pNext = &flags,
      .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                 .pNext = &module,
                 .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                 .pName = "main",
                 .pSpecializationInfo = &constant },
      .layout = s.layout);
   VkPipeline p;
   VkPipelineCache cache = VKT_NEW(PipelineCache, PIPELINE_CACHE);
   assert_int_equal(vkCreateComputePipelines(vkt.device, cache, 1, &info,
                                             NULL, &p),
                    VK_PIPELINE_COMPILE_REQUIRED);
   flags.flags = 1ull << 62;
   VKT_CHECK(vkCreateComputePipelines(vkt.device, cache, 1, &info, NULL, &p));
   vkDestroyPipeline(vkt.device, p, NULL);
   vkDestroyPipelineCache(vkt.device, cache, NULL);
   sums_destroy(&s);
}

/* ---- images ---- */

static void
test_layout_without_image(void **state)
{
   const VKT_INFO(ImageCreateInfo, info, .imageType = VK_IMAGE_TYPE_2D,
                  .format = VK_FORMAT_R8G8B8A8_UNORM, .extent = { 33, 17, 1 },
                  .mipLevels = 1, .arrayLayers = 1,
                  .samples = VK_SAMPLE_COUNT_1_BIT,
                  .tiling = VK_IMAGE_TILING_LINEAR,
                  .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   const VKT_INFO(ImageSubresource2EXT, which,
                  .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 });
   const VKT_INFO(DeviceImageSubresourceInfoKHR, ask, .pCreateInfo = &info,
                  .pSubresource = &which);
   VkSubresourceLayout2EXT got[2];
   VkImage image;
   for (unsigned i = 0; i < 2; i++)
      got[i] = VKT_STRUCT(SubresourceLayout2EXT);
   VKT_CHECK(vkCreateImage(vkt.device, &info, NULL, &image));
   VKT_PROC(vkGetDeviceImageSubresourceLayoutKHR)(vkt.device, &ask, &got[0]);
   VKT_PROC(vkGetImageSubresourceLayout2KHR)
   (vkt.device, image, &which, &got[1]);
   assert_memory_equal(&got[0].subresourceLayout, &got[1].subresourceLayout,
                       sizeof(got[0].subresourceLayout));
   assert_true(got[0].subresourceLayout.rowPitch >= 33 * 4);
   vkDestroyImage(vkt.device, image, NULL);
}

static void
test_area_granularity(void **state)
{
   static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   const VKT_INFO(RenderingAreaInfoKHR, info, .colorAttachmentCount = 1,
                  .pColorAttachmentFormats = &format);
   VkExtent2D area = { 0, 0 };
   VKT_PROC(vkGetRenderingAreaGranularityKHR)(vkt.device, &info, &area);
   assert_int_equal(area.width, 1);
   assert_int_equal(area.height, 1);
}

/* A copy to all layers from the second on. */
static void
test_remaining_layers(void **state)
{
   struct vkt_image image = VKT_IMAGE(.width = 1, .height = 1, .layers = 4);
   struct vkt_buffer b = vkt_buffer_create(16);
   static const uint32_t zeros[4], texels[] = { 1, 2, 3, 4 };
   uint32_t got[4];
   memcpy(b.map, texels, sizeof(texels));
   vkt_image_write(&image, 0, zeros, sizeof(zeros));
   const VkBufferImageCopy copy = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1,
                            VK_REMAINING_ARRAY_LAYERS },
      .imageExtent = { 1, 1, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdCopyBufferToImage(cmd, b.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL,
                          1, &copy);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   vkt_image_read(&image, 0, got, sizeof(got));
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(got[i], i);
   vkt_buffer_destroy(&b);
   vkt_image_destroy(&image);
}

/* The first texel of an image with one of so many bytes. */
static void
read_texel(VkFormat format, uint16_t bits, size_t size_B, float rgba[4])
{
   struct vkt_image image = VKT_IMAGE(.format = format, .width = 1,
                                      .height = 1,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
   struct vkt_buffer out = vkt_buffer_create(16);
   VkSampler sampler = VKT_NEW(Sampler, SAMPLER);
   vkt_image_write(&image, 0, &bits, size_B);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = sampler },
      VKT_STORAGE(out),
   };
   vkt_compute(VKT_SHADER(texel_comp), resources, 2, 1);
   memcpy(rgba, out.map, 16);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_buffer_destroy(&out);
   vkt_image_destroy(&image);
}

static void
test_formats(void **state)
{
   float rgba[4];
   read_texel(VK_FORMAT_A8_UNORM_KHR, 0x33, 1, rgba);
   assert_true(rgba[0] == 0 && rgba[1] == 0 && rgba[2] == 0);
   assert_true(rgba[3] == (float)0x33 / 255);
   /* Red is lowest. */
   read_texel(VK_FORMAT_A1B5G5R5_UNORM_PACK16_KHR,
              1 << 15 | 7 << 10 | 31 << 5 | 3, 2, rgba);
   assert_true(rgba[0] == 3.0f / 31 && rgba[1] == 1);
   assert_true(rgba[2] == 7.0f / 31 && rgba[3] == 1);
}

/* Alpha is all that there is to clear, and to draw. */
static void
test_alpha_target(void **state)
{
   VkFormatProperties can;
   vkGetPhysicalDeviceFormatProperties(vkt.pdev, VK_FORMAT_A8_UNORM_KHR,
                                       &can);
   assert_true(can.optimalTilingFeatures &
               VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
   struct vkt_image image =
      VKT_IMAGE(.format = VK_FORMAT_A8_UNORM_KHR, .width = 4, .height = 1,
                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   const VkClearColorValue color = { .float32 = { 1, 1, 1, 0.2f } };
   const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                         1 };
   uint8_t got[4];
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1,
                        &all);
   vkt_barrier(cmd);
   vkt_submit(cmd);
   vkt_image_read(&image, 0, got, sizeof(got));
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(got[i], 51);
   vkt_image_destroy(&image);
}

/* Of what a number names that is no format, there is nothing. */
static void
test_unknown_formats(void **state)
{
   static const uint32_t numbers[] = { 185, 12345, 1000470002, 0x7ffffffe };
   for (unsigned i = 0; i < ARRAY_SIZE(numbers); i++) {
      VkFormatProperties can;
      memset(&can, 0xff, sizeof(can));
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, (VkFormat)numbers[i],
                                          &can);
      assert_int_equal(can.linearTilingFeatures, 0);
      assert_int_equal(can.optimalTilingFeatures, 0);
      assert_int_equal(can.bufferFeatures, 0);
   }
}

/* ---- shaders ---- */

static void
test_rotate(void **state)
{
   enum { SELF, SIZE, BY_3, BY_5_OF_8, BACK, COLUMNS };
   struct vkt_buffer out = vkt_buffer_create(32 * COLUMNS * 4);
   /* Else a thread may have fewer invocations than a subgroup. */
   const VkPipelineShaderStageCreateInfo full = {
      .flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT,
   };
   vkt_compute_stage(VKT_SHADER(rotate_comp), &full,
                     &(struct vkt_resource)VKT_STORAGE(out), 1, 1);
   const uint32_t(*rows)[COLUMNS] = out.map;
   for (unsigned i = 0; i < 32; i++) {
      const uint32_t self = rows[i][SELF], size = rows[i][SIZE];
      assert_true(size >= 8 && size <= 32 && self < size);
      assert_int_equal(rows[i][BY_3], (self + 3) % size);
      assert_int_equal(rows[i][BY_5_OF_8], self / 8 * 8 + (self + 5) % 8);
      assert_int_equal(rows[i][BACK], (self + size - 1) % size);
   }
   vkt_buffer_destroy(&out);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_announced),
      cmocka_unit_test(test_functions_by_version),
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_bind_status),
      cmocka_unit_test(test_buffer_usage),
      cmocka_unit_test(test_some_indices),
      cmocka_unit_test(test_no_indices),
      cmocka_unit_test(test_divisors),
      cmocka_unit_test(test_point_size),
      cmocka_unit_test(test_bound_sets),
      cmocka_unit_test(test_pushed_sets),
      cmocka_unit_test(test_pipeline_flags),
      cmocka_unit_test(test_layout_without_image),
      cmocka_unit_test(test_area_granularity),
      cmocka_unit_test(test_remaining_layers),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_alpha_target),
      cmocka_unit_test(test_unknown_formats),
      cmocka_unit_test(test_rotate),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
