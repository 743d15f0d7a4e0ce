/* SPDX-License-Identifier: MIT */
/*
 * Sets that commands push: each push makes a new set, which begins as a copy
 * of what was pushed there before, and lives as long as the recording. So a
 * draw that is recorded already keeps what it had.
 *
 * Their layouts have no inline uniform blocks (VUID
 * VkDescriptorSetLayoutCreateInfo-flags-02208).
 *
 * A secondary command buffer keeps copies of what it was given, for nothing
 * of that need live when it is executed.
 */
#include "saf_record.h"
#include "saf_cmd_buffer.h"
#include "util/fallible.h"

static struct saf_descriptor_set *
new_set(struct saf_cmd_buffer *cmd, struct saf_set_layout *layout)
{
   if (!cmd->push_arena)
      cmd->push_arena = arena_create_fallible();
   struct saf_descriptor_set *set =
      cmd->push_arena ? arena_new(cmd->push_arena, struct saf_descriptor_set)
                      : NULL;
   if (set)
      set->descriptors = arena_new_array(
         cmd->push_arena, struct saf_descriptor, layout->descriptor_count);
   if (!set || !set->descriptors) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_HOST_MEMORY);
      return NULL;
   }
   set->layout = layout;
   if (layout->buffer_count) {
      set->surfaces = saf_state_stream_alloc(&cmd->surface_stream,
                                             layout->buffer_count * 64, 64);
      if (!set->surfaces.size_B) {
         saf_cmd_error(cmd, cmd->device->surface_pool.error);
         return NULL;
      }
   }
   saf_descriptor_set_init(cmd->device, set);
   return set;
}

/* Layouts that the application made alike are alike. */
static bool
same_bindings(const struct saf_set_layout *a, const struct saf_set_layout *b)
{
   bool same = a->binding_count == b->binding_count;
   for (uint32_t i = 0; same && i < a->binding_count; i++)
      same = a->bindings[i].number == b->bindings[i].number &&
             a->bindings[i].type == b->bindings[i].type &&
             a->bindings[i].count == b->bindings[i].count;
   return same;
}

static void
push(struct saf_cmd_buffer *cmd, VkPipelineBindPoint point, uint32_t index,
     struct saf_set_layout *layout, uint32_t count,
     const VkWriteDescriptorSet *writes)
{
   const bool compute = point == VK_PIPELINE_BIND_POINT_COMPUTE;
   struct saf_draw_state *st = compute ? &cmd->compute : &cmd->draw;
   struct saf_descriptor_set *set = new_set(cmd, layout);
   if (!set)
      return;
   const struct saf_descriptor_set *old = st->sets[index];
   if (old && !old->pool && same_bindings(old->layout, layout))
      saf_descriptor_set_copy(cmd->device, set, old);
   for (uint32_t i = 0; i < count; i++)
      saf_descriptor_set_write(cmd->device, set, &writes[i]);
   st->sets[index] = set;
   if (!compute)
      cmd->dirty |= SAF_DIRTY_DESCRIPTORS;
}

/* ---- secondary command buffers ---- */

struct recorded_push {
   struct saf_recorded head;
   VkPipelineBindPoint point;
   uint32_t set, count;
   struct saf_set_layout *layout;
   VkWriteDescriptorSet *writes;
};

static void
play_push(struct saf_cmd_buffer *cmd, const struct saf_recorded *r)
{
   const struct recorded_push *p = (const struct recorded_push *)r;
   push(cmd, p->point, p->set, p->layout, p->count, p->writes);
}

/* NULL: no memory, which was noted. */
static struct saf_set_layout *
copy_layout(struct saf_cmd_buffer *cmd, const struct saf_set_layout *layout)
{
   struct saf_set_layout *copy =
      saf_record_copy(cmd, layout, sizeof(*layout));
   if (!copy)
      return NULL;
   copy->bindings =
      saf_record_copy(cmd, layout->bindings,
                      layout->binding_count * sizeof(*layout->bindings));
   if (!copy->bindings && layout->binding_count)
      return NULL;
   for (uint32_t i = 0; i < copy->binding_count; i++) {
      struct saf_binding_layout *b = &copy->bindings[i];
      b->immutable =
         saf_record_copy(cmd, b->immutable, b->count * sizeof(*b->immutable));
   }
   return copy;
}

static void
copy_write(struct saf_cmd_buffer *cmd, VkWriteDescriptorSet *w)
{
   size_t stride_B;
   const void *data = saf_descriptor_write_data(w, &stride_B);
   data = saf_record_copy(cmd, data, w->descriptorCount * stride_B);
   w->pNext = NULL;
   w->pBufferInfo = data;
   w->pImageInfo = data;
   w->pTexelBufferView = data;
}

static void
record(struct saf_cmd_buffer *cmd, VkPipelineBindPoint point, uint32_t set,
       const struct saf_set_layout *layout, uint32_t count,
       const VkWriteDescriptorSet *writes)
{
   struct recorded_push *p = saf_record(cmd, sizeof(*p), play_push);
   if (!p)
      return;
   p->point = point;
   p->set = set;
   p->count = count;
   p->layout = copy_layout(cmd, layout);
   p->writes = saf_record_copy(cmd, writes, count * sizeof(*writes));
   for (uint32_t i = 0; p->writes && i < count; i++)
      copy_write(cmd, &p->writes[i]);
}

/* ---- commands ---- */

VKAPI_ATTR void VKAPI_CALL
saf_CmdPushDescriptorSet(VkCommandBuffer _cmd, VkPipelineBindPoint point,
                         VkPipelineLayout _layout, uint32_t set,
                         uint32_t count, const VkWriteDescriptorSet *writes)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_pipeline_layout, layout, _layout);
   if (cmd->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY)
      push(cmd, point, set, layout->sets[set], count, writes);
   else
      record(cmd, point, set, layout->sets[set], count, writes);
}

/* One write an element: a template's may be any distance apart. */
VKAPI_ATTR void VKAPI_CALL
saf_CmdPushDescriptorSetWithTemplate(VkCommandBuffer cmd,
                                     VkDescriptorUpdateTemplate _t,
                                     VkPipelineLayout layout, uint32_t set,
                                     const void *data)
{
   SAF_FROM_HANDLE(saf_update_template, t, _t);
   uint32_t total = 0, n = 0;
   for (uint32_t i = 0; i < t->count; i++)
      total += t->entries[i].descriptorCount;
   VkWriteDescriptorSet *writes = calloc(MAX2(total, 1), sizeof(*writes));
   if (!writes) {
      saf_cmd_error(saf_cmd_buffer_from_handle(cmd),
                    VK_ERROR_OUT_OF_HOST_MEMORY);
      return;
   }
   for (uint32_t i = 0; i < t->count; i++) {
      const VkDescriptorUpdateTemplateEntry *e = &t->entries[i];
      for (uint32_t j = 0; j < e->descriptorCount; j++) {
         const void *item = (const char *)data + e->offset + j * e->stride;
         writes[n++] = (VkWriteDescriptorSet) {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = e->dstBinding,
            .dstArrayElement = e->dstArrayElement + j,
            .descriptorCount = 1,
            .descriptorType = e->descriptorType,
            .pImageInfo = item,
            .pBufferInfo = item,
            .pTexelBufferView = item,
         };
      }
   }
   saf_CmdPushDescriptorSet(cmd, t->bind_point, layout, set, n, writes);
   free(writes);
}
