/* SPDX-License-Identifier: MIT */
/* Command pools and buffers, and the commands that only set state. */
#include "saf_labels.h"
#include "saf_cmd_buffer.h"
#include "intel/vulkan/base/saf_genx.h"
#include "saf_meta.h"
#include "saf_record.h"
#include "util/fallible.h"

/* ---- pools and buffers ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateCommandPool(VkDevice _device, const VkCommandPoolCreateInfo *info,
                      const VkAllocationCallbacks *alloc, VkCommandPool *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_cmd_pool *pool =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*pool));
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pool->device = device;
   list_inithead(&pool->buffers);
   *out = saf_cmd_pool_to_handle(pool);
   return VK_SUCCESS;
}

static void
reset(struct saf_cmd_buffer *cmd)
{
   struct saf_device *device = cmd->device;
   saf_record_reset(cmd);
   arena_destroy(cmd->push_arena);
   saf_batch_reset(&cmd->batch);
   saf_state_stream_reset(&cmd->dynamic_stream);
   saf_state_stream_reset(&cmd->surface_stream);
   util_dynarray_foreach(&cmd->binding_table_blocks, struct saf_state, b)
      saf_state_free(&device->binding_table_pool, *b);
   util_dynarray_clear(&cmd->binding_table_blocks);
   free(cmd->attachments);
   free(cmd->clear_values);

   /* All that describes a recording starts at zero again. */
   memset((char *)cmd + offsetof(struct saf_cmd_buffer, state), 0,
          sizeof(*cmd) - offsetof(struct saf_cmd_buffer, state));
}

static void
destroy(struct saf_cmd_buffer *cmd)
{
   reset(cmd);
   list_del(&cmd->link);
   saf_batch_finish(&cmd->batch);
   saf_state_stream_finish(&cmd->dynamic_stream);
   saf_state_stream_finish(&cmd->surface_stream);
   util_dynarray_fini(&cmd->binding_table_blocks);
   saf_free(cmd->device->alloc, cmd);
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyCommandPool(VkDevice _device, VkCommandPool _pool,
                       const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_cmd_pool, pool, _pool);
   if (!pool)
      return;
   list_for_each_entry_safe(struct saf_cmd_buffer, cmd, &pool->buffers, link)
      destroy(cmd);
   saf_free(alloc ? alloc : device->alloc, pool);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_ResetCommandPool(VkDevice _device, VkCommandPool _pool,
                     VkCommandPoolResetFlags flags)
{
   SAF_FROM_HANDLE(saf_cmd_pool, pool, _pool);
   list_for_each_entry(struct saf_cmd_buffer, cmd, &pool->buffers, link) {
      reset(cmd);
      if (flags & VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT)
         saf_batch_trim(&cmd->batch);
   }
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_TrimCommandPool(VkDevice device, VkCommandPool _pool,
                    VkCommandPoolTrimFlags flags)
{
   SAF_FROM_HANDLE(saf_cmd_pool, pool, _pool);
   list_for_each_entry(struct saf_cmd_buffer, cmd, &pool->buffers, link)
      saf_batch_trim(&cmd->batch);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_AllocateCommandBuffers(VkDevice _device,
                           const VkCommandBufferAllocateInfo *info,
                           VkCommandBuffer *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_cmd_pool, pool, info->commandPool);
   for (uint32_t i = 0; i < info->commandBufferCount; i++) {
      struct saf_cmd_buffer *cmd = saf_alloc(device->alloc, sizeof(*cmd));
      if (!cmd) {
         saf_FreeCommandBuffers(_device, info->commandPool, i, out);
         memset(out, 0, info->commandBufferCount * sizeof(*out));
         return VK_ERROR_OUT_OF_HOST_MEMORY;
      }
      set_loader_magic_value(cmd);
      cmd->device = device;
      cmd->pool = pool;
      cmd->level = info->level;
      saf_batch_init(&cmd->batch, device);
      saf_state_stream_init(&cmd->dynamic_stream, &device->dynamic_pool);
      saf_state_stream_init(&cmd->surface_stream, &device->surface_pool);
      list_addtail(&cmd->link, &pool->buffers);
      out[i] = saf_cmd_buffer_to_handle(cmd);
   }
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_FreeCommandBuffers(VkDevice device, VkCommandPool pool, uint32_t count,
                       const VkCommandBuffer *buffers)
{
   for (uint32_t i = 0; i < count; i++) {
      if (buffers[i])
         destroy(saf_cmd_buffer_from_handle(buffers[i]));
   }
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_ResetCommandBuffer(VkCommandBuffer cmd, VkCommandBufferResetFlags flags)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, c, cmd);
   reset(c);
   if (flags & VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT)
      saf_batch_trim(&c->batch);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_BeginCommandBuffer(VkCommandBuffer _cmd,
                       const VkCommandBufferBeginInfo *info)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   reset(cmd);
   cmd->state = SAF_CMD_RECORDING;
   if (cmd->level != VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
      cmd->recording = arena_create_fallible();
      return cmd->recording ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   cmd->dirty = SAF_DIRTY_ALL;
   cmd->dynamic_base = cmd->device->info->layout->dynamic;
   cmd->draw.gfx.line_width = 1.0f;
   cmd->draw.gfx.viewport_count = 1;
   cmd->draw.gfx.color_writes = ~0u;
   cmd->draw.gfx.samples = 1;
   cmd->draw.gfx.patch_control_points = 1;
   /* The context may have been left in GPGPU mode: until 3D is selected,
    * PIPE_CONTROLs suit both. */
   cmd->gpgpu = true;
   cmd->device->genx->cmd_begin(cmd);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_EndCommandBuffer(VkCommandBuffer _cmd)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   if (cmd->level != VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
      cmd->state = SAF_CMD_EXECUTABLE;
      return cmd->error;
   }
   cmd->device->genx->cmd_end(cmd);
   saf_batch_end(&cmd->batch);
   if (cmd->batch.failed)
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
   cmd->state = SAF_CMD_EXECUTABLE;
   return cmd->error;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdExecuteCommands(VkCommandBuffer _cmd, uint32_t count,
                       const VkCommandBuffer *buffers)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   for (uint32_t i = 0; i < count; i++)
      saf_record_play(cmd, saf_cmd_buffer_from_handle(buffers[i]));
}

struct saf_bo *
saf_cmd_buffer_first_bo(struct saf_cmd_buffer *cmd)
{
   return *util_dynarray_element(&cmd->batch.bos, struct saf_bo *, 0);
}

void
saf_cmd_error(struct saf_cmd_buffer *cmd, VkResult error)
{
   if (!cmd->error)
      cmd->error = error;
}

/* Where states go that could not be had: written, never read. One packet's
 * state is never larger. */
static uint8_t nowhere[65536];

/* What the dynamic state of a draw or a dispatch takes at most. */
#define DRAW_STATE_B (128u << 10)

static void
take_dynamic_block(struct saf_cmd_buffer *cmd)
{
   struct saf_bo *bo = saf_batch_next_block(&cmd->batch);
   if (!bo) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return;
   }
   cmd->dynamic_base = bo->addr;
   cmd->dynamic_block = bo->map;
   cmd->dynamic_used_B = 64; /* offset 0 means "none" in some packets */
   cmd->device->genx->cmd_base_addresses(cmd);
   cmd->dirty = SAF_DIRTY_ALL;
}

void
saf_cmd_dynamic_room(struct saf_cmd_buffer *cmd, uint32_t size_B)
{
   size_B += DRAW_STATE_B;
   assert(size_B + 64 <= SAF_DYNAMIC_BLOCK_B);
   if (!cmd->device->states)
      return;
   const bool ok =
      cmd->dynamic_block
         ? cmd->dynamic_used_B + size_B <= SAF_DYNAMIC_BLOCK_B
         : saf_state_stream_reserve(&cmd->dynamic_stream, size_B);
   if (!ok)
      take_dynamic_block(cmd);
}

static struct saf_state
alloc_in_block(struct saf_cmd_buffer *cmd, uint32_t size_B, uint32_t align_B)
{
   const uint32_t start_B = ALIGN(cmd->dynamic_used_B, align_B);
   if (start_B + size_B > SAF_DYNAMIC_BLOCK_B)
      return (struct saf_state) { 0 };
   cmd->dynamic_used_B = start_B + size_B;
   return (struct saf_state) {
      .offset = start_B,
      .size_B = MAX2(size_B, 1),
      .map = (char *)cmd->dynamic_block + start_B,
   };
}

struct saf_state
saf_cmd_dynamic_space(struct saf_cmd_buffer *cmd, uint32_t size_B,
                      uint32_t align_B)
{
   const struct saf_state state =
      cmd->dynamic_block
         ? alloc_in_block(cmd, size_B, align_B)
         : saf_state_stream_take(&cmd->dynamic_stream, size_B, align_B);
   if (state.size_B)
      return state;
   saf_cmd_error(cmd, cmd->dynamic_block ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                                         : cmd->device->dynamic_pool.error);
   assert(size_B <= sizeof(nowhere));
   return (struct saf_state) { .size_B = size_B, .map = nowhere };
}

struct saf_state
saf_cmd_dynamic_state(struct saf_cmd_buffer *cmd, uint32_t size_B,
                      uint32_t align_B)
{
   const struct saf_state state = saf_cmd_dynamic_space(cmd, size_B, align_B);
   memset(state.map, 0, size_B);
   return state;
}

struct saf_state
saf_cmd_surface_state(struct saf_cmd_buffer *cmd)
{
   const struct saf_state state =
      saf_state_stream_alloc(&cmd->surface_stream, ISL_SURFACE_STATE_SIZE_B,
                             ISL_SURFACE_STATE_ALIGN_B);
   if (state.size_B)
      return state;
   saf_cmd_error(cmd, cmd->device->surface_pool.error);
   return (struct saf_state) { .size_B = 64, .map = nowhere };
}

/* ---- pipelines and resources ---- */

VKAPI_ATTR void VKAPI_CALL
saf_CmdBindPipeline(VkCommandBuffer _cmd, VkPipelineBindPoint point,
                    VkPipeline pipeline)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   saf_label_pipeline(cmd, saf_pipeline_from_handle(pipeline));
   if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
      cmd->compute.pipeline = saf_pipeline_from_handle(pipeline);
      return;
   }
   saf_cmd_bind_pipeline(cmd, saf_pipeline_from_handle(pipeline));
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBindDescriptorSets(VkCommandBuffer _cmd, VkPipelineBindPoint point,
                          VkPipelineLayout layout, uint32_t first,
                          uint32_t count, const VkDescriptorSet *sets,
                          uint32_t offset_count, const uint32_t *offsets)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   struct saf_draw_state *st =
      point == VK_PIPELINE_BIND_POINT_COMPUTE ? &cmd->compute : &cmd->draw;
   uint32_t used = 0;
   for (uint32_t i = 0; i < count; i++) {
      SAF_FROM_HANDLE(saf_descriptor_set, set, sets[i]);
      st->sets[first + i] = set;
      const uint32_t n = set ? set->layout->dynamic_count : 0;
      for (uint32_t j = 0; j < n && used < offset_count; j++)
         st->dynamic_offsets[first + i][j] = offsets[used++];
   }
   if (point == VK_PIPELINE_BIND_POINT_GRAPHICS)
      cmd->dirty |= SAF_DIRTY_DESCRIPTORS;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdPushConstants(VkCommandBuffer _cmd, VkPipelineLayout layout,
                     VkShaderStageFlags stages, uint32_t offset,
                     uint32_t size, const void *values)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   assert(offset + size <= SAF_MAX_PUSH_CONSTANTS_B);
   if (stages & VK_SHADER_STAGE_COMPUTE_BIT)
      memcpy(cmd->compute.push_constants + offset, values, size);
   if (stages & VK_SHADER_STAGE_ALL_GRAPHICS) {
      memcpy(cmd->draw.push_constants + offset, values, size);
      cmd->draw.constants_size_B = 0;
      cmd->dirty |= SAF_DIRTY_PUSH_CONSTANTS;
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBindVertexBuffers2(VkCommandBuffer _cmd, uint32_t first,
                          uint32_t count, const VkBuffer *buffers,
                          const VkDeviceSize *offsets,
                          const VkDeviceSize *sizes,
                          const VkDeviceSize *strides)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   for (uint32_t i = 0; i < count; i++) {
      SAF_FROM_HANDLE(saf_buffer, buffer, buffers[i]);
      struct saf_vertex_binding *b = &cmd->vertex[first + i];
      b->addr = buffer ? saf_buffer_addr(buffer, offsets[i]) : 0;
      b->size_B = buffer ? saf_buffer_range(buffer, offsets[i],
                                            sizes ? sizes[i] : VK_WHOLE_SIZE)
                         : 0;
      if (strides)
         b->stride_B = (uint32_t)strides[i];
   }
   cmd->dirty |= SAF_DIRTY_VERTEX_BUFFERS;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBindVertexBuffers(VkCommandBuffer cmd, uint32_t first, uint32_t count,
                         const VkBuffer *buffers, const VkDeviceSize *offsets)
{
   saf_CmdBindVertexBuffers2(cmd, first, count, buffers, offsets, NULL, NULL);
}

/* No buffer is one of zeros. */
VKAPI_ATTR void VKAPI_CALL
saf_CmdBindIndexBuffer2(VkCommandBuffer _cmd, VkBuffer _buffer,
                        VkDeviceSize offset, VkDeviceSize size,
                        VkIndexType type)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_buffer, buffer, _buffer);
   cmd->index_addr = buffer ? saf_buffer_addr(buffer, offset)
                            : cmd->device->null_bo->addr;
   cmd->index_size_B = buffer ? saf_buffer_range(buffer, offset, size)
                              : SAF_NULL_BO_SIZE_B;
   cmd->index_type = type;
   cmd->dirty |= SAF_DIRTY_INDEX_BUFFER;
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBindIndexBuffer(VkCommandBuffer cmd, VkBuffer buffer,
                       VkDeviceSize offset, VkIndexType type)
{
   saf_CmdBindIndexBuffer2(cmd, buffer, offset, VK_WHOLE_SIZE, type);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdSetDeviceMask(VkCommandBuffer cmd, uint32_t mask)
{
}
