/* SPDX-License-Identifier: MIT */
/*
 * Descriptor set layouts, pipeline layouts, pools, sets and updates.
 *
 * A set is an array on the host: the binding tables that the hardware reads
 * are made from it when a draw needs them. Only buffers need a surface state
 * of the set's own, since an image's or a texel buffer's belongs to its
 * view.
 */
#include "intel/vulkan/saf_private.h"
#include "intel/vulkan/genx/saf_genx.h"

static bool
is_buffer(VkDescriptorType type)
{
   return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
          type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
          type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
          type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

static bool
has_surface(VkDescriptorType type)
{
   return is_buffer(type) || type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
}

static bool
is_texel_buffer(VkDescriptorType type)
{
   return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
          type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

static bool
is_dynamic(VkDescriptorType type)
{
   return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
          type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* ---- layouts ---- */

static bool
fill_binding(struct saf_device *device, struct saf_set_layout *layout,
             const VkDescriptorSetLayoutBinding *b)
{
   struct saf_binding_layout *out = &layout->bindings[b->binding];
   out->type = b->descriptorType;
   out->count = b->descriptorCount;
   out->stages = b->stageFlags;
   if (b->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      out->inline_B = b->descriptorCount;
      out->count = b->descriptorCount ? 1 : 0;
   }
   const bool has_sampler = b->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                            b->descriptorType ==
                               VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   if (!has_sampler || !b->pImmutableSamplers || !b->descriptorCount)
      return true;
   out->immutable =
      saf_alloc(device->alloc, b->descriptorCount * sizeof(void *));
   if (!out->immutable)
      return false;
   for (uint32_t i = 0; i < b->descriptorCount; i++)
      out->immutable[i] = saf_sampler_from_handle(b->pImmutableSamplers[i]);
   return true;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateDescriptorSetLayout(VkDevice _device,
                              const VkDescriptorSetLayoutCreateInfo *info,
                              const VkAllocationCallbacks *alloc,
                              VkDescriptorSetLayout *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   uint32_t binding_count = 0;
   for (uint32_t i = 0; i < info->bindingCount; i++)
      binding_count = MAX2(binding_count, info->pBindings[i].binding + 1);

   /* It may be needed by sets and pipeline layouts after the application
    * destroyed it, hence no use of `alloc`. */
   struct saf_set_layout *layout = saf_alloc(device->alloc, sizeof(*layout));
   if (!layout)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   layout->refs = 1;
   layout->bindings = saf_alloc(device->alloc, MAX2(binding_count, 1) *
                                                  sizeof(*layout->bindings));
   bool ok = layout->bindings != NULL;
   if (ok)
      layout->binding_count = binding_count;
   for (uint32_t i = 0; i < info->bindingCount && ok; i++)
      ok = fill_binding(device, layout, &info->pBindings[i]);
   if (!ok) {
      saf_set_layout_unref(device, layout);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   for (uint32_t i = 0; i < binding_count; i++) {
      struct saf_binding_layout *b = &layout->bindings[i];
      b->first = layout->descriptor_count;
      b->first_dynamic = layout->dynamic_count;
      layout->descriptor_count += b->count;
      if (has_surface(b->type))
         layout->buffer_count += b->count;
      b->inline_start_B = layout->inline_B;
      layout->inline_B += ALIGN(b->inline_B, 64);
      if (is_dynamic(b->type))
         layout->dynamic_count += b->count;
   }
   *out = saf_set_layout_to_handle(layout);
   return VK_SUCCESS;
}

void
saf_set_layout_unref(struct saf_device *device, struct saf_set_layout *layout)
{
   if (!layout || __atomic_sub_fetch(&layout->refs, 1, __ATOMIC_ACQ_REL) > 0)
      return;
   for (uint32_t i = 0; i < layout->binding_count; i++)
      saf_free(device->alloc, layout->bindings[i].immutable);
   saf_free(device->alloc, layout->bindings);
   saf_free(device->alloc, layout);
}

struct saf_set_layout *
saf_set_layout_ref(struct saf_set_layout *layout)
{
   __atomic_add_fetch(&layout->refs, 1, __ATOMIC_RELAXED);
   return layout;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyDescriptorSetLayout(VkDevice _device, VkDescriptorSetLayout layout,
                               const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   saf_set_layout_unref(device, saf_set_layout_from_handle(layout));
}

VKAPI_ATTR void VKAPI_CALL
saf_GetDescriptorSetLayoutSupport(VkDevice device,
                                  const VkDescriptorSetLayoutCreateInfo *info,
                                  VkDescriptorSetLayoutSupport *out)
{
   const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
   VkDescriptorSetVariableDescriptorCountLayoutSupport *variable =
      (void *)saf_find_struct(
         out->pNext,
         VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
   const uint64_t room = SAF_MAX_BINDING_TABLE - SAF_MAX_RTS;
   uint64_t entries = 0, fixed = 0;
   bool is_variable = false;
   for (uint32_t i = 0; i < info->bindingCount; i++) {
      const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
      const uint32_t count = b->descriptorType ==
                                   VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK
                                ? 1
                                : b->descriptorCount;
      entries += count;
      if (flags && i < flags->bindingCount &&
          (flags->pBindingFlags[i] &
           VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT))
         is_variable = true;
      else
         fixed += count;
   }
   out->supported = entries <= room;
   if (variable)
      variable->maxVariableDescriptorCount =
         is_variable && fixed < room ? (uint32_t)(room - fixed) : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreatePipelineLayout(VkDevice _device,
                         const VkPipelineLayoutCreateInfo *info,
                         const VkAllocationCallbacks *alloc,
                         VkPipelineLayout *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_pipeline_layout *layout =
      saf_alloc(device->alloc, sizeof(*layout));
   if (!layout)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   layout->refs = 1;
   layout->set_count = info->setLayoutCount;
   uint32_t dynamic = 0;
   for (uint32_t i = 0; i < info->setLayoutCount; i++) {
      SAF_FROM_HANDLE(saf_set_layout, set, info->pSetLayouts[i]);
      layout->dynamic_start[i] = dynamic;
      if (!set)
         continue; /* known to another part of the pipeline */
      layout->sets[i] = saf_set_layout_ref(set);
      dynamic += layout->sets[i]->dynamic_count;
   }
   *out = saf_pipeline_layout_to_handle(layout);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyPipelineLayout(VkDevice _device, VkPipelineLayout _layout,
                          const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_pipeline_layout, layout, _layout);
   if (!layout)
      return;
   for (uint32_t i = 0; i < layout->set_count; i++)
      saf_set_layout_unref(device, layout->sets[i]);
   saf_free(device->alloc, layout);
}

/* ---- pools and sets ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateDescriptorPool(VkDevice _device,
                         const VkDescriptorPoolCreateInfo *info,
                         const VkAllocationCallbacks *alloc,
                         VkDescriptorPool *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_descriptor_pool *pool =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*pool));
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pool->device = device;
   pool->max_sets = info->maxSets;
   list_inithead(&pool->sets);
   *out = saf_descriptor_pool_to_handle(pool);
   return VK_SUCCESS;
}

static void
set_destroy(struct saf_device *device, struct saf_descriptor_set *set)
{
   list_del(&set->link);
   set->pool->set_count--;
   saf_state_free(&device->surface_pool, set->surfaces);
   saf_state_free(&device->dynamic_pool, set->inlines);
   saf_set_layout_unref(device, set->layout);
   saf_free(device->alloc, set->descriptors);
   saf_free(device->alloc, set);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_ResetDescriptorPool(VkDevice _device, VkDescriptorPool _pool,
                        VkDescriptorPoolResetFlags flags)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_descriptor_pool, pool, _pool);
   list_for_each_entry_safe(struct saf_descriptor_set, set, &pool->sets, link)
      set_destroy(device, set);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyDescriptorPool(VkDevice _device, VkDescriptorPool _pool,
                          const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_descriptor_pool, pool, _pool);
   if (!pool)
      return;
   saf_ResetDescriptorPool(_device, _pool, 0);
   saf_free(alloc ? alloc : device->alloc, pool);
}

static void
fill_buffer_surface(struct saf_device *device, const struct saf_descriptor *d)
{
   if (d->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
       d->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
      saf_fill_storage_surface(device, d->surface.map, d->addr, d->range_B);
   else
      saf_fill_uniform_surface(device, d->surface.map, d->addr, d->range_B);
}

void
saf_descriptor_set_init(struct saf_device *device,
                        struct saf_descriptor_set *set)
{
   uint32_t used_B = 0;
   for (uint32_t i = 0; i < set->layout->binding_count; i++) {
      const struct saf_binding_layout *b = &set->layout->bindings[i];
      for (uint32_t j = 0; j < b->count; j++) {
         struct saf_descriptor *d = &set->descriptors[b->first + j];
         d->type = b->type;
         if (b->immutable)
            d->sampler = b->immutable[j];
         if (!has_surface(b->type))
            continue;
         d->surface = (struct saf_state) {
            .offset = set->surfaces.offset + used_B,
            .size_B = 64,
            .map = (char *)set->surfaces.map + used_B,
         };
         used_B += 64;
         if (!b->inline_B)
            continue;
         d->addr = device->info->layout->dynamic + set->inlines.offset +
                   b->inline_start_B;
         d->range_B = b->inline_B;
         fill_buffer_surface(device, d);
      }
   }
}

static VkResult
set_create(struct saf_device *device, struct saf_descriptor_pool *pool,
           struct saf_set_layout *layout, struct saf_descriptor_set **out)
{
   if (pool->set_count >= pool->max_sets)
      return VK_ERROR_OUT_OF_POOL_MEMORY;
   struct saf_descriptor_set *set = saf_alloc(device->alloc, sizeof(*set));
   if (!set)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   set->descriptors =
      saf_alloc(device->alloc, MAX2(layout->descriptor_count, 1) *
                                  sizeof(*set->descriptors));
   if (layout->buffer_count)
      set->surfaces =
         saf_state_alloc(&device->surface_pool, layout->buffer_count * 64);
   const bool has_surfaces = !layout->buffer_count || set->surfaces.size_B;
   if (layout->inline_B)
      set->inlines = saf_state_alloc(&device->dynamic_pool, layout->inline_B);
   const bool has_inlines = !layout->inline_B || set->inlines.size_B;
   if (!set->descriptors || !has_surfaces || !has_inlines) {
      const VkResult result = !set->descriptors ? VK_ERROR_OUT_OF_HOST_MEMORY
                              : !has_surfaces   ? device->surface_pool.error
                                                : device->dynamic_pool.error;
      saf_state_free(&device->surface_pool, set->surfaces);
      saf_state_free(&device->dynamic_pool, set->inlines);
      saf_free(device->alloc, set->descriptors);
      saf_free(device->alloc, set);
      return result;
   }
   set->layout = saf_set_layout_ref(layout);
   set->pool = pool;
   list_addtail(&set->link, &pool->sets);
   pool->set_count++;
   saf_descriptor_set_init(device, set);
   *out = set;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_AllocateDescriptorSets(VkDevice _device,
                           const VkDescriptorSetAllocateInfo *info,
                           VkDescriptorSet *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_descriptor_pool, pool, info->descriptorPool);
   for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
      struct saf_descriptor_set *set = NULL;
      const VkResult result =
         set_create(device, pool,
                    saf_set_layout_from_handle(info->pSetLayouts[i]), &set);
      if (result) {
         while (i-- > 0)
            set_destroy(device, saf_descriptor_set_from_handle(out[i]));
         for (uint32_t j = 0; j < info->descriptorSetCount; j++)
            out[j] = VK_NULL_HANDLE;
         return result;
      }
      out[i] = saf_descriptor_set_to_handle(set);
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_FreeDescriptorSets(VkDevice _device, VkDescriptorPool pool,
                       uint32_t count, const VkDescriptorSet *sets)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   for (uint32_t i = 0; i < count; i++) {
      if (sets[i])
         set_destroy(device, saf_descriptor_set_from_handle(sets[i]));
   }
   return VK_SUCCESS;
}

/* ---- updates ---- */

static void
write_buffer(struct saf_device *device, struct saf_descriptor *d,
             const VkDescriptorBufferInfo *info)
{
   SAF_FROM_HANDLE(saf_buffer, buffer, info->buffer);
   d->addr = 0;
   d->range_B = 0;
   if (buffer) {
      d->addr = saf_buffer_addr(buffer, info->offset);
      d->range_B = saf_buffer_range(buffer, info->offset, info->range);
   }
   fill_buffer_surface(device, d);
}

static void
write_image(struct saf_descriptor *d, const struct saf_binding_layout *b,
            const VkDescriptorImageInfo *info)
{
   if (d->type != VK_DESCRIPTOR_TYPE_SAMPLER)
      d->view = saf_image_view_from_handle(info->imageView);
   if ((d->type == VK_DESCRIPTOR_TYPE_SAMPLER ||
        d->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) &&
       !b->immutable)
      d->sampler = saf_sampler_from_handle(info->sampler);
}

/* Bytes of an inline block: all that an update names is in it. */
static void
write_inline(const struct saf_descriptor_set *set, uint32_t binding,
             uint32_t start_B, uint32_t size_B, const void *data)
{
   const struct saf_binding_layout *b = &set->layout->bindings[binding];
   if (start_B >= b->inline_B)
      return;
   memcpy((char *)set->inlines.map + b->inline_start_B + start_B, data,
          MIN2(size_B, b->inline_B - start_B));
}

/* Writes `count` descriptors from `data`, `stride_B` apart, running on into
 * the bindings that follow when this one is full. */
static void
write_descriptors(struct saf_device *device, struct saf_descriptor_set *set,
                  uint32_t binding, uint32_t element, uint32_t count,
                  const void *data, size_t stride_B)
{
   if (set->layout->bindings[binding].inline_B) {
      write_inline(set, binding, element, count, data);
      return;
   }
   for (uint32_t i = 0; i < count; i++) {
      while (element >= set->layout->bindings[binding].count) {
         element -= set->layout->bindings[binding].count;
         binding++;
      }
      const struct saf_binding_layout *b = &set->layout->bindings[binding];
      struct saf_descriptor *d = &set->descriptors[b->first + element];
      const void *item = (const char *)data + i * stride_B;
      if (is_buffer(b->type))
         write_buffer(device, d, item);
      else if (is_texel_buffer(b->type))
         d->buffer_view =
            saf_buffer_view_from_handle(*(const VkBufferView *)item);
      else
         write_image(d, b, item);
      element++;
   }
}

static void
copy_descriptors(struct saf_device *device, const VkCopyDescriptorSet *copy)
{
   SAF_FROM_HANDLE(saf_descriptor_set, src, copy->srcSet);
   SAF_FROM_HANDLE(saf_descriptor_set, dst, copy->dstSet);
   const struct saf_binding_layout *sb =
      &src->layout->bindings[copy->srcBinding];
   const struct saf_binding_layout *db =
      &dst->layout->bindings[copy->dstBinding];
   if (sb->inline_B) {
      if (copy->srcArrayElement + copy->descriptorCount <= sb->inline_B)
         write_inline(dst, copy->dstBinding, copy->dstArrayElement,
                      copy->descriptorCount,
                      (const char *)src->inlines.map + sb->inline_start_B +
                         copy->srcArrayElement);
      return;
   }
   for (uint32_t i = 0; i < copy->descriptorCount; i++) {
      const struct saf_descriptor *s =
         &src->descriptors[sb->first + copy->srcArrayElement + i];
      struct saf_descriptor *d =
         &dst->descriptors[db->first + copy->dstArrayElement + i];
      const struct saf_state surface = d->surface;
      struct saf_sampler *immutable = db->immutable ? d->sampler : NULL;
      *d = *s;
      d->surface = surface;
      if (immutable)
         d->sampler = immutable;
      if (surface.size_B)
         fill_buffer_surface(device, d);
   }
}

const void *
saf_descriptor_write_data(const VkWriteDescriptorSet *w, size_t *stride_B)
{
   if (w->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      const VkWriteDescriptorSetInlineUniformBlock *block = saf_find_struct(
         w->pNext,
         VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
      *stride_B = 1;
      return block ? block->pData : NULL;
   }
   if (is_buffer(w->descriptorType)) {
      *stride_B = sizeof(VkDescriptorBufferInfo);
      return w->pBufferInfo;
   }
   if (is_texel_buffer(w->descriptorType)) {
      *stride_B = sizeof(VkBufferView);
      return w->pTexelBufferView;
   }
   *stride_B = sizeof(VkDescriptorImageInfo);
   return w->pImageInfo;
}

void
saf_descriptor_set_write(struct saf_device *device,
                         struct saf_descriptor_set *set,
                         const VkWriteDescriptorSet *w)
{
   size_t stride_B;
   const void *data = saf_descriptor_write_data(w, &stride_B);
   if (data)
      write_descriptors(device, set, w->dstBinding, w->dstArrayElement,
                        w->descriptorCount, data, stride_B);
}

void
saf_descriptor_set_copy(struct saf_device *device,
                        struct saf_descriptor_set *to,
                        const struct saf_descriptor_set *from)
{
   for (uint32_t i = 0; i < to->layout->binding_count; i++) {
      const VkCopyDescriptorSet copy = {
         .srcSet =
            saf_descriptor_set_to_handle((struct saf_descriptor_set *)from),
         .dstSet = saf_descriptor_set_to_handle(to),
         .srcBinding = i,
         .dstBinding = i,
         .descriptorCount = to->layout->bindings[i].count,
      };
      copy_descriptors(device, &copy);
   }
}

VKAPI_ATTR void VKAPI_CALL
saf_UpdateDescriptorSets(VkDevice _device, uint32_t write_count,
                         const VkWriteDescriptorSet *writes,
                         uint32_t copy_count,
                         const VkCopyDescriptorSet *copies)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   for (uint32_t i = 0; i < write_count; i++)
      saf_descriptor_set_write(
         device, saf_descriptor_set_from_handle(writes[i].dstSet),
         &writes[i]);
   for (uint32_t i = 0; i < copy_count; i++)
      copy_descriptors(device, &copies[i]);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateDescriptorUpdateTemplate(
   VkDevice _device, const VkDescriptorUpdateTemplateCreateInfo *info,
   const VkAllocationCallbacks *alloc, VkDescriptorUpdateTemplate *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   const uint32_t count = info->descriptorUpdateEntryCount;
   struct saf_update_template *t =
      saf_alloc(alloc ? alloc : device->alloc,
                sizeof(*t) + count * sizeof(t->entries[0]));
   if (!t)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   t->count = count;
   t->bind_point = info->pipelineBindPoint;
   memcpy(t->entries, info->pDescriptorUpdateEntries,
          count * sizeof(t->entries[0]));
   *out = saf_update_template_to_handle(t);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyDescriptorUpdateTemplate(VkDevice _device,
                                    VkDescriptorUpdateTemplate t,
                                    const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   saf_free(alloc ? alloc : device->alloc,
            saf_update_template_from_handle(t));
}

VKAPI_ATTR void VKAPI_CALL
saf_UpdateDescriptorSetWithTemplate(VkDevice _device, VkDescriptorSet _set,
                                    VkDescriptorUpdateTemplate _t,
                                    const void *data)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_update_template, t, _t);
   for (uint32_t i = 0; i < t->count; i++) {
      const VkDescriptorUpdateTemplateEntry *e = &t->entries[i];
      write_descriptors(device, saf_descriptor_set_from_handle(_set),
                        e->dstBinding, e->dstArrayElement, e->descriptorCount,
                        (const char *)data + e->offset, e->stride);
   }
}
