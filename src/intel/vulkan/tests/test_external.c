/* SPDX-License-Identifier: MIT */
/* Memory, images, semaphores and fences that go from device to device as file
 * descriptors, and what is no such thing. */
#include "vkt.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define OPAQUE VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
#define DMA_BUF VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT

/* The device of all tests, and one more, of another instance. */
static struct vkt_device here, there;

static int
setup(void **state)
{
   vkt_setup(state);
   here = vkt;
   vkt_setup(state);
   there = vkt;
   vkt = here;
   return 0;
}

static int
teardown(void **state)
{
   vkt = there;
   vkt_teardown(state);
   vkt = here;
   return vkt_teardown(state);
}

static int
export_memory(VkDeviceMemory memory, VkExternalMemoryHandleTypeFlagBits type)
{
   const VKT_INFO(MemoryGetFdInfoKHR, info, .memory = memory,
                  .handleType = type);
   int fd = -1;
   VKT_CHECK(VKT_PROC(vkGetMemoryFdKHR)(vkt.device, &info, &fd));
   assert_true(fd >= 0);
   assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
   return fd;
}

static VkResult
import_memory(int fd, VkExternalMemoryHandleTypeFlagBits type,
              VkDeviceSize size_B, VkDeviceMemory *out)
{
   const VKT_INFO(ImportMemoryFdInfoKHR, import, .handleType = type,
                  .fd = fd);
   const VKT_INFO(MemoryAllocateInfo, info, .pNext = &import,
                  .allocationSize = size_B);
   return vkAllocateMemory(vkt.device, &info, NULL, out);
}

static void *
map(VkDeviceMemory memory)
{
   void *p;
   VKT_CHECK(vkMapMemory(vkt.device, memory, 0, VK_WHOLE_SIZE, 0, &p));
   return p;
}

/* ---- memory ---- */

static void
test_memory(void **state)
{
   const VkExternalMemoryHandleTypeFlagBits types[] = { OPAQUE, DMA_BUF };
   for (unsigned t = 0; t < 2; t++) {
      struct vkt_buffer ours = vkt_buffer_create(5000);
      VkDeviceMemory theirs[2], again;
      const int fds[] = { export_memory(ours.memory, types[t]),
                          export_memory(ours.memory, types[t]),
                          export_memory(ours.memory, types[t]) };
      /* One's own memory is the same object, not another one. */
      VKT_CHECK(import_memory(fds[2], types[t], 5000, &again));
      assert_ptr_equal(map(again), ours.map);
      vkFreeMemory(vkt.device, again, NULL);

      vkt = there;
      VKT_CHECK(import_memory(fds[0], types[t], 5000, &theirs[0]));
      VKT_CHECK(import_memory(fds[1], types[t], 5000, &theirs[1]));
      assert_true(fcntl(fds[0], F_GETFD) < 0); /* it is the driver's now */
      vkt = here;
      VkCommandBuffer cmd = vkt_begin();
      vkCmdFillBuffer(cmd, ours.buffer, 100, 400, 0x12345678);
      vkt_submit(cmd);
      vkt = there;
      uint32_t *words = map(theirs[0]);
      assert_int_equal(words[24], 0xcdcdcdcd);
      for (unsigned i = 25; i < 125; i++)
         assert_int_equal(words[i], 0x12345678);
      vkFreeMemory(vkt.device, theirs[0], NULL);
      words = map(theirs[1]);
      words[30] = 1;
      vkt = here;
      assert_int_equal(((uint32_t *)ours.map)[30], 1);
      vkt_buffer_destroy(&ours);
      assert_int_equal(words[30], 1); /* outlives who made it */
      vkt = there;
      vkFreeMemory(vkt.device, theirs[1], NULL);
      vkt = here;
   }
}

static void
test_no_memory(void **state)
{
   VKT_INFO(MemoryFdPropertiesKHR, props);
   VkDeviceMemory memory;
   int ends[2];
   assert_int_equal(pipe(ends), 0);
   assert_int_equal(import_memory(ends[0], DMA_BUF, 4096, &memory),
                    VK_ERROR_INVALID_EXTERNAL_HANDLE);
   assert_int_equal(VKT_PROC(vkGetMemoryFdPropertiesKHR)(vkt.device, DMA_BUF,
                                                         ends[0], &props),
                    VK_ERROR_INVALID_EXTERNAL_HANDLE);
   assert_int_equal(props.memoryTypeBits, 0);
   assert_true(fcntl(ends[0], F_GETFD) >= 0); /* it stays the caller's */
   close(ends[0]);
   close(ends[1]);

   /* Too little. */
   struct vkt_buffer b = vkt_buffer_create(4096);
   const int fd = export_memory(b.memory, DMA_BUF);
   assert_int_equal(import_memory(fd, DMA_BUF, 1 << 20, &memory),
                    VK_ERROR_INVALID_EXTERNAL_HANDLE);
   VKT_CHECK(
      VKT_PROC(vkGetMemoryFdPropertiesKHR)(vkt.device, DMA_BUF, fd, &props));
   assert_int_equal(props.memoryTypeBits, 1);
   memset(b.map, 7, 4096); /* that took nothing from its owner */
   close(fd);
   vkt_buffer_destroy(&b);
}

/* ---- images ---- */

#define WIDTH 150
#define HEIGHT 70

static uint32_t
texel(unsigned x, unsigned y)
{
   return (x * 0x01030507u) ^ (y * 0x00f1e2d3u);
}

static uint32_t
find_modifiers(VkFormat format, VkDrmFormatModifierPropertiesEXT *out)
{
   VKT_INFO(DrmFormatModifierPropertiesListEXT, list);
   VKT_INFO(FormatProperties2, props, .pNext = &list);
   vkGetPhysicalDeviceFormatProperties2(vkt.pdev, format, &props);
   assert_true(list.drmFormatModifierCount <= 8);
   VkDrmFormatModifierProperties2EXT out2[8];
   VKT_INFO(DrmFormatModifierPropertiesList2EXT, list2,
            .drmFormatModifierCount = 8,
            .pDrmFormatModifierProperties = out2);
   list.pNext = &list2;
   list.pDrmFormatModifierProperties = out;
   vkGetPhysicalDeviceFormatProperties2(vkt.pdev, format, &props);
   assert_int_equal(list2.drmFormatModifierCount,
                    list.drmFormatModifierCount);
   for (uint32_t i = 0; i < list.drmFormatModifierCount; i++) {
      assert_true(out2[i].drmFormatModifier == out[i].drmFormatModifier);
      /* What the old words have no bit for is from 31 on. */
      assert_int_equal(out2[i].drmFormatModifierTilingFeatures & INT32_MAX,
                       out[i].drmFormatModifierTilingFeatures);
   }
   return list.drmFormatModifierCount;
}

/* `chain`: what says where and how it lies. */
static VkResult
create_image(VkImageTiling tiling, VkExternalMemoryHandleTypeFlagBits type,
             const void *chain, VkImage *out)
{
   const VKT_INFO(ExternalMemoryImageCreateInfo, external, .pNext = chain,
                  .handleTypes = type);
   const VKT_INFO(ImageCreateInfo, info, .pNext = &external,
                  .imageType = VK_IMAGE_TYPE_2D,
                  .format = VK_FORMAT_R8G8B8A8_UNORM,
                  .extent = { WIDTH, HEIGHT, 1 }, .mipLevels = 1,
                  .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT,
                  .tiling = tiling,
                  .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                           VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                           VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   return vkCreateImage(vkt.device, &info, NULL, out);
}

static VkDeviceMemory
allocate(VkImage image, VkDeviceSize *size_B)
{
   VkMemoryRequirements reqs;
   vkGetImageMemoryRequirements(vkt.device, image, &reqs);
   const VKT_INFO(ExportMemoryAllocateInfo, export,
                  .handleTypes = DMA_BUF | OPAQUE);
   const VKT_INFO(MemoryAllocateInfo, info, .pNext = &export,
                  .allocationSize = reqs.size);
   VkDeviceMemory memory;
   VKT_CHECK(vkAllocateMemory(vkt.device, &info, NULL, &memory));
   *size_B = reqs.size;
   return memory;
}

static void
copy(VkImage image, VkBuffer buffer, bool to_image)
{
   const VkBufferImageCopy region = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .imageExtent = { WIDTH, HEIGHT, 1 },
   };
   const VKT_INFO(
      ImageMemoryBarrier, barrier,
      .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT |
                       VK_ACCESS_TRANSFER_READ_BIT,
      .oldLayout = to_image ? VK_IMAGE_LAYOUT_UNDEFINED
                            : VK_IMAGE_LAYOUT_GENERAL,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .srcQueueFamilyIndex = to_image ? VK_QUEUE_FAMILY_IGNORED
                                      : VK_QUEUE_FAMILY_FOREIGN_EXT,
      .dstQueueFamilyIndex = to_image ? VK_QUEUE_FAMILY_IGNORED : 0,
      .image = image,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 });
   VkCommandBuffer cmd = vkt_begin();
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL,
                        1, &barrier);
   if (to_image)
      vkCmdCopyBufferToImage(cmd, buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1,
                             &region);
   else
      vkCmdCopyImageToBuffer(cmd, image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1,
                             &region);
   vkt_submit(cmd);
}

/* Fills an image here, and reads it there: as `tiling`, which `chain`
 * explains. */
static void
pass_on(VkImage image, VkExternalMemoryHandleTypeFlagBits type,
        VkImageTiling tiling, const void *chain)
{
   VkDeviceSize size_B;
   VkDeviceMemory memory = allocate(image, &size_B);
   VKT_CHECK(vkBindImageMemory(vkt.device, image, memory, 0));
   struct vkt_buffer b = vkt_buffer_create(4 * WIDTH * HEIGHT);
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      ((uint32_t *)b.map)[i] = texel(i % WIDTH, i / WIDTH);
   copy(image, b.buffer, true);
   const int fd = export_memory(memory, type);
   vkt_buffer_destroy(&b);
   vkDestroyImage(vkt.device, image, NULL);
   vkFreeMemory(vkt.device, memory, NULL);

   vkt = there;
   VKT_CHECK(create_image(tiling, type, chain, &image));
   VKT_CHECK(import_memory(fd, type, size_B, &memory));
   VKT_CHECK(vkBindImageMemory(vkt.device, image, memory, 0));
   b = vkt_buffer_create(4 * WIDTH * HEIGHT);
   copy(image, b.buffer, false);
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      assert_int_equal(((uint32_t *)b.map)[i], texel(i % WIDTH, i / WIDTH));
   vkt_buffer_destroy(&b);
   vkDestroyImage(vkt.device, image, NULL);
   vkFreeMemory(vkt.device, memory, NULL);
   vkt = here;
}

static void
test_opaque_image(void **state)
{
   VkImage image;
   VKT_CHECK(create_image(VK_IMAGE_TILING_OPTIMAL, OPAQUE, NULL, &image));
   pass_on(image, OPAQUE, VK_IMAGE_TILING_OPTIMAL, NULL);
}

static VkDeviceSize
size_of_shared(VkFormat format, VkImageUsageFlags usage)
{
   const VKT_INFO(ExternalMemoryImageCreateInfo, external,
                  .handleTypes = OPAQUE);
   VkMemoryRequirements reqs;
   VkImage image = VKT_NEW(Image, IMAGE, .pNext = &external,
                           .imageType = VK_IMAGE_TYPE_2D, .format = format,
                           .extent = { 5, 5, 1 }, .mipLevels = 1,
                           .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT,
                           .tiling = VK_IMAGE_TILING_OPTIMAL, .usage = usage);
   vkGetImageMemoryRequirements(vkt.device, image, &reqs);
   vkDestroyImage(vkt.device, image, NULL);
   return reqs.size;
}

/* Who imports an image may want it for something else: it lies the same way.
 * Sizes tell a tile from five rows. */
static void
test_other_usage(void **state)
{
   static const VkFormat formats[] = {
      VK_FORMAT_R32G32B32A32_SFLOAT,
      VK_FORMAT_R8G8B8A8_UNORM,
      VK_FORMAT_R32_UINT,
   };
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
      assert_int_equal(size_of_shared(formats[i], VK_IMAGE_USAGE_SAMPLED_BIT),
                       size_of_shared(formats[i],
                                      VK_IMAGE_USAGE_SAMPLED_BIT |
                                         VK_IMAGE_USAGE_STORAGE_BIT));
}

/* One that nobody here knows makes no image, and in a list is passed over. */
static void
test_unknown_modifier(void **state)
{
   const uint64_t list[2] = { 1ull << 56 | 0xabcde, 0 /* linear */ };
   VKT_INFO(ImageDrmFormatModifierListCreateInfoEXT, info,
            .drmFormatModifierCount = 1, .pDrmFormatModifiers = list);
   if (vkt_is_validated())
      skip();
   const VkImageTiling tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
   VkImage image;
   assert_int_not_equal(create_image(tiling, DMA_BUF, &info, &image),
                        VK_SUCCESS);
   info.drmFormatModifierCount = 2;
   VKT_CHECK(create_image(tiling, DMA_BUF, &info, &image));
   VKT_INFO(ImageDrmFormatModifierPropertiesEXT, props);
   VKT_CHECK(VKT_PROC(
      vkGetImageDrmFormatModifierPropertiesEXT)(vkt.device, image, &props));
   assert_int_equal(props.drmFormatModifier, list[1]);
   vkDestroyImage(vkt.device, image, NULL);
}

static void
test_modifiers(void **state)
{
   VkDrmFormatModifierPropertiesEXT modifiers[8];
   const uint32_t n = find_modifiers(VK_FORMAT_R8G8B8A8_UNORM, modifiers);
   assert_int_equal(n, 3);
   assert_int_equal(find_modifiers(VK_FORMAT_D32_SFLOAT, modifiers + 4), 0);
   assert_int_equal(find_modifiers(VK_FORMAT_R64G64B64_UINT, modifiers + 4),
                    0);
   for (uint32_t i = 0; i < n; i++) {
      const VKT_INFO(ImageDrmFormatModifierListCreateInfoEXT, list,
                     .drmFormatModifierCount = 1,
                     .pDrmFormatModifiers = &modifiers[i].drmFormatModifier);
      const VkImageTiling tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
      VkImage image;
      VKT_CHECK(create_image(tiling, DMA_BUF, &list, &image));
      VKT_INFO(ImageDrmFormatModifierPropertiesEXT, props);
      VKT_CHECK(VKT_PROC(vkGetImageDrmFormatModifierPropertiesEXT)(
         vkt.device, image, &props));
      assert_int_equal(props.drmFormatModifier,
                       modifiers[i].drmFormatModifier);
      const VkImageSubresource plane = {
         .aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT,
      };
      VkSubresourceLayout layout;
      vkGetImageSubresourceLayout(vkt.device, image, &plane, &layout);
      assert_true(layout.rowPitch >= 4 * WIDTH);
      layout.size = 0;
      const VKT_INFO(ImageDrmFormatModifierExplicitCreateInfoEXT, one,
                     .drmFormatModifier = props.drmFormatModifier,
                     .drmFormatModifierPlaneCount = 1,
                     .pPlaneLayouts = &layout);
      pass_on(image, DMA_BUF, tiling, &one);

      /* Rows that overlap. */
      layout.rowPitch = 4 * WIDTH / 2;
      assert_int_equal(create_image(tiling, DMA_BUF, &one, &image),
                       VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT);
   }
}

/* Which images can be shared at all. */
static void
test_image_properties(void **state)
{
   const struct {
      VkImageTiling tiling;
      uint64_t modifier;
      VkExternalMemoryHandleTypeFlagBits type;
      VkResult want;
   } cases[] = {
      { VK_IMAGE_TILING_OPTIMAL, 0, OPAQUE, VK_SUCCESS },
      { VK_IMAGE_TILING_OPTIMAL, 0, DMA_BUF, VK_ERROR_FORMAT_NOT_SUPPORTED },
      { VK_IMAGE_TILING_LINEAR, 0, DMA_BUF, VK_SUCCESS },
      { VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, 0, DMA_BUF, VK_SUCCESS },
      { VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, 12345, DMA_BUF,
        VK_ERROR_FORMAT_NOT_SUPPORTED },
      { VK_IMAGE_TILING_OPTIMAL, 0,
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT,
        VK_ERROR_FORMAT_NOT_SUPPORTED },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      VKT_INFO(PhysicalDeviceImageDrmFormatModifierInfoEXT, modifier,
               .drmFormatModifier = cases[i].modifier);
      const VKT_INFO(PhysicalDeviceExternalImageFormatInfo, external,
                     .pNext = cases[i].tiling ==
                                    VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
                                 ? &modifier
                                 : NULL,
                     .handleType = cases[i].type);
      const VKT_INFO(PhysicalDeviceImageFormatInfo2, info, .pNext = &external,
                     .format = VK_FORMAT_B8G8R8A8_UNORM,
                     .type = VK_IMAGE_TYPE_2D, .tiling = cases[i].tiling,
                     .usage = VK_IMAGE_USAGE_SAMPLED_BIT);
      VKT_INFO(ExternalImageFormatProperties, shared);
      VKT_INFO(ImageFormatProperties2, props, .pNext = &shared);
      assert_int_equal(
         vkGetPhysicalDeviceImageFormatProperties2(vkt.pdev, &info, &props),
         cases[i].want);
      const VkExternalMemoryFeatureFlags both =
         VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT |
         VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
      assert_int_equal(shared.externalMemoryProperties.externalMemoryFeatures,
                       cases[i].want ? 0 : both);
   }
}

/* ---- semaphores and fences ---- */

static VkSemaphore
create_semaphore(void)
{
   const VKT_INFO(ExportSemaphoreCreateInfo, export,
                  .handleTypes =
                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT |
                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
   return VKT_NEW(Semaphore, SEMAPHORE, .pNext = &export);
}

static VkFence
create_fence(void)
{
   const VKT_INFO(ExportFenceCreateInfo, export,
                  .handleTypes = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT |
                                 VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
   return VKT_NEW(Fence, FENCE, .pNext = &export);
}

static void
submit(VkSemaphore wait, VkSemaphore signal, VkFence fence)
{
   const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VKT_INFO(SubmitInfo, info,
                  .waitSemaphoreCount = wait != VK_NULL_HANDLE,
                  .pWaitSemaphores = &wait, .pWaitDstStageMask = &all,
                  .signalSemaphoreCount = signal != VK_NULL_HANDLE,
                  .pSignalSemaphores = &signal);
   VKT_CHECK(vkQueueSubmit(vkt.queue, 1, &info, fence));
}

static int
export_semaphore(VkSemaphore semaphore,
                 VkExternalSemaphoreHandleTypeFlagBits type)
{
   const VKT_INFO(SemaphoreGetFdInfoKHR, info, .semaphore = semaphore,
                  .handleType = type);
   int fd = -1;
   VKT_CHECK(VKT_PROC(vkGetSemaphoreFdKHR)(vkt.device, &info, &fd));
   return fd;
}

static VkResult
import_semaphore(VkSemaphore semaphore,
                 VkExternalSemaphoreHandleTypeFlagBits type,
                 VkSemaphoreImportFlags flags, int fd)
{
   const VKT_INFO(ImportSemaphoreFdInfoKHR, info, .semaphore = semaphore,
                  .flags = flags, .handleType = type, .fd = fd);
   return VKT_PROC(vkImportSemaphoreFdKHR)(vkt.device, &info);
}

static void
test_semaphores(void **state)
{
   const VkExternalSemaphoreHandleTypeFlagBits opaque =
      VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
   const VkExternalSemaphoreHandleTypeFlagBits sync_file =
      VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
   VkSemaphore ours = create_semaphore();
   vkt = there;
   VkSemaphore theirs = create_semaphore();
   VkFence done = create_fence();

   /* One syncobj for both, for a time. */
   vkt = here;
   const int fd = export_semaphore(ours, opaque);
   vkt = there;
   VKT_CHECK(import_semaphore(theirs, opaque,
                              VK_SEMAPHORE_IMPORT_TEMPORARY_BIT, fd));
   vkt = here;
   submit(VK_NULL_HANDLE, ours, VK_NULL_HANDLE);
   vkt = there;
   submit(theirs, VK_NULL_HANDLE, done);
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &done, VK_TRUE, UINT64_MAX));
   VKT_CHECK(vkResetFences(vkt.device, 1, &done));
   /* Its own again. */
   submit(VK_NULL_HANDLE, theirs, VK_NULL_HANDLE);
   submit(theirs, VK_NULL_HANDLE, done);
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &done, VK_TRUE, UINT64_MAX));
   VKT_CHECK(vkResetFences(vkt.device, 1, &done));

   /* The fence that it has at the time; it has none afterwards. */
   vkt = here;
   submit(VK_NULL_HANDLE, ours, VK_NULL_HANDLE);
   const int file = export_semaphore(ours, sync_file);
   assert_true(file >= 0);
   submit(VK_NULL_HANDLE, ours, VK_NULL_HANDLE);
   vkt = there;
   const VkSemaphoreImportFlags for_now = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT;
   VKT_CHECK(import_semaphore(theirs, sync_file, for_now, file));
   submit(theirs, VK_NULL_HANDLE, done);
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &done, VK_TRUE, UINT64_MAX));

   /* -1 has passed. */
   VKT_CHECK(import_semaphore(theirs, sync_file, for_now, -1));
   submit(theirs, VK_NULL_HANDLE, VK_NULL_HANDLE);
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));

   int ends[2];
   assert_int_equal(pipe(ends), 0);
   assert_int_equal(import_semaphore(theirs, opaque, 0, ends[0]),
                    VK_ERROR_INVALID_EXTERNAL_HANDLE);
   assert_int_equal(import_semaphore(theirs, sync_file, for_now, ends[0]),
                    VK_ERROR_INVALID_EXTERNAL_HANDLE);
   close(ends[0]);
   close(ends[1]);
   vkDestroyFence(vkt.device, done, NULL);
   vkDestroySemaphore(vkt.device, theirs, NULL);
   vkt = here;
   VKT_CHECK(vkQueueWaitIdle(vkt.queue));
   vkDestroySemaphore(vkt.device, ours, NULL);
}

static void
test_fences(void **state)
{
   VkFence ours = create_fence();
   VKT_INFO(FenceGetFdInfoKHR, get, .fence = ours,
            .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT);
   VKT_INFO(ImportFenceFdInfoKHR, put, .flags = VK_FENCE_IMPORT_TEMPORARY_BIT,
            .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT);
   VKT_CHECK(VKT_PROC(vkGetFenceFdKHR)(vkt.device, &get, &put.fd));
   vkt = there;
   VkFence theirs = create_fence();
   put.fence = theirs;
   VKT_CHECK(VKT_PROC(vkImportFenceFdKHR)(vkt.device, &put));
   assert_int_equal(vkGetFenceStatus(vkt.device, theirs), VK_NOT_READY);
   vkt = here;
   submit(VK_NULL_HANDLE, VK_NULL_HANDLE, ours);
   vkt = there;
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &theirs, VK_TRUE, UINT64_MAX));
   /* Its own again; the other one is still signalled. */
   VKT_CHECK(vkResetFences(vkt.device, 1, &theirs));
   assert_int_equal(vkGetFenceStatus(vkt.device, theirs), VK_NOT_READY);
   vkt = here;
   VKT_CHECK(vkGetFenceStatus(vkt.device, ours));

   VkFence other = create_fence();
   submit(VK_NULL_HANDLE, VK_NULL_HANDLE, other);
   get.fence = other;
   get.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
   put.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
   VKT_CHECK(VKT_PROC(vkGetFenceFdKHR)(vkt.device, &get, &put.fd));
   assert_int_equal(vkGetFenceStatus(vkt.device, other), VK_NOT_READY);
   vkt = there;
   VKT_CHECK(VKT_PROC(vkImportFenceFdKHR)(vkt.device, &put));
   VKT_CHECK(vkWaitForFences(vkt.device, 1, &theirs, VK_TRUE, UINT64_MAX));
   vkDestroyFence(vkt.device, theirs, NULL);
   vkt = here;
   vkDestroyFence(vkt.device, other, NULL);
   vkDestroyFence(vkt.device, ours, NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_opaque_image),
      cmocka_unit_test(test_other_usage),
      cmocka_unit_test(test_modifiers),
      cmocka_unit_test(test_unknown_modifier),
      cmocka_unit_test(test_image_properties),
      cmocka_unit_test(test_semaphores),
      cmocka_unit_test(test_fences),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
