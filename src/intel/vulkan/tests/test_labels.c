/* SPDX-License-Identifier: MIT */
/*
 * VK_EXT_debug_utils in a recording: labels where they stand among draws,
 * those of secondary command buffers, too, and names of what is bound.
 */
#include "vkt_triangle.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/vkt-labels-XXXXXX";

static PFN_vkVoidFunction
proc(const char *name)
{
   PFN_vkVoidFunction f = vkGetInstanceProcAddr(vkt.instance, name);
   assert_non_null(f);
   return f;
}

#define PROC(name) ((PFN_##name)proc(#name))

static void
set_name(VkObjectType type, uint64_t handle, const char *name)
{
   const VkDebugUtilsObjectNameInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = type,
      .objectHandle = handle,
      .pObjectName = name,
   };
   VKT_CHECK(PROC(vkSetDebugUtilsObjectNameEXT)(vkt.device, &info));
}

static VkDebugUtilsLabelEXT
label(const char *text)
{
   return (VkDebugUtilsLabelEXT) {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
      .pLabelName = text,
   };
}

static void
begin(VkCommandBuffer cmd, const char *text)
{
   const VkDebugUtilsLabelEXT l = label(text);
   PROC(vkCmdBeginDebugUtilsLabelEXT)(cmd, &l);
}

static void
end(VkCommandBuffer cmd)
{
   PROC(vkCmdEndDebugUtilsLabelEXT)(cmd);
}

/* A draw in a secondary command buffer, whose label's text is gone when it is
 * executed. */
static VkCommandBuffer
record_secondary(const struct vkt_triangle *t)
{
   const VkCommandBufferAllocateInfo alloc = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = vkt.pool,
      .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
      .commandBufferCount = 1,
   };
   const VkCommandBufferInheritanceInfo inherited = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
      .renderPass = t->pass,
   };
   const VkCommandBufferBeginInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
      .pInheritanceInfo = &inherited,
   };
   char text[] = "the sky";
   VkCommandBuffer cmd;
   VKT_CHECK(vkAllocateCommandBuffers(vkt.device, &alloc, &cmd));
   VKT_CHECK(vkBeginCommandBuffer(cmd, &info));
   begin(cmd, text);
   memset(text, 'x', sizeof(text) - 1);
   vkt_triangle_record(cmd, t);
   end(cmd);
   VKT_CHECK(vkEndCommandBuffer(cmd));
   return cmd;
}

/* The place of a text in the recording from `from` on. */
static size_t
find(const char *bytes, size_t size_B, size_t from, const char *text)
{
   const char *at = memmem(bytes + from, size_B - from, text, strlen(text));
   if (!at)
      fail_msg("'%s' is not in the recording after byte %zu", text, from);
   return (size_t)(at - bytes) + strlen(text);
}

static void
test_labels(void **state)
{
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   vkt_triangle_pipeline(&t, VK_NULL_HANDLE, NULL);
   set_name(VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)t.pipeline,
            "no name");
   set_name(VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)t.pipeline,
            "sky blue");
   set_name(VK_OBJECT_TYPE_IMAGE, (uint64_t)(uintptr_t)t.image.image,
            "canvas");
   VkCommandBuffer secondary = record_secondary(&t);
   VkCommandBuffer cmd = vkt_begin();
   begin(cmd, "frame");
   vkt_triangle_begin(cmd, &t, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   vkCmdEndRenderPass(cmd);
   const VkDebugUtilsLabelEXT read = label("read it");
   PROC(vkCmdInsertDebugUtilsLabelEXT)(cmd, &read);
   vkt_triangle_read(cmd, &t);
   end(cmd);
   vkt_submit(cmd);
   vkt_triangle_check(&t);
   vkt_triangle_destroy(&t);

   FILE *f = fopen(path, "rb");
   assert_non_null(f);
   static char bytes[1 << 22];
   const size_t n = fread(bytes, 1, sizeof(bytes), f);
   fclose(f);
   static const char *const order[] = {
      "begin frame",   "label target 0 canvas",
      "begin the sky", "label pipeline sky blue",
      "end",           "label read it",
      "end",
   };
   size_t at = 0;
   for (unsigned i = 0; i < sizeof(order) / sizeof(*order); i++)
      at = find(bytes, n, at, order[i]);
   assert_null(memmem(bytes, n, "no name", 7));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_labels),
   };
   const int fd = mkstemp(path);
   if (fd < 0)
      return 1;
   close(fd);
   unlink(path);
   setenv("SAFFRON_SIM_TRACE_FILE", path, 1);
   setenv("SAFFRON_SIM_TRACE_FILTER", "threads=0,nocommands", 1);
   const int result = cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
   unlink(path);
   return result;
}
