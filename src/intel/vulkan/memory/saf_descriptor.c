/* SPDX-License-Identifier: MIT */
/*
 * Descriptor pools, sets and updates.
 *
 * A set is an array on the host: the binding tables that the hardware reads
 * are made from it when a draw needs them. Only buffers need a surface state
 * of the set's own, since an image's or a texel buffer's belongs to its
 * view. What may change after the set is bound is in records instead, which
 * shaders read (saf_bindless.c).
 */
#include "saf_descriptor.h"
#include "intel/vulkan/base/saf_genx.h"

bool
saf_is_buffer_type(VkDescriptorType type)
{
   return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
          type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
          type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
          type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

bool
saf_has_own_surface(VkDescriptorType type)
{
   return saf_is_buffer_type(type) ||
          type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ||
          type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT; /* it may be a buffer */
}

bool
saf_is_texel_buffer_type(VkDescriptorType type)
{
   return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
          type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
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
set_free(struct saf_device *device, struct saf_descriptor_set *set)
{
   saf_state_free(&device->surface_pool, set->surfaces);
   saf_state_free(&device->surface_pool, set->records_surface);
   saf_state_free(&device->dynamic_pool, set->inlines);
   saf_state_free(&device->dynamic_pool, set->records);
   saf_set_layout_unref(device, set->layout);
   saf_free(device->alloc, set->descriptors);
   saf_free(device->alloc, set);
}

static void
set_destroy(struct saf_device *device, struct saf_descriptor_set *set)
{
   list_del(&set->link);
   set->pool->set_count--;
   set_free(device, set);
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

static void
set_sampler(struct saf_descriptor *d, const struct saf_sampler *sampler)
{
   d->has_sampler = sampler != NULL;
   if (sampler)
      d->sampler = sampler->s;
}

void
saf_descriptor_set_init(struct saf_device *device,
                        struct saf_descriptor_set *set)
{
   for (uint32_t i = 0; i < set->layout->binding_count; i++) {
      const struct saf_binding_layout *b = &set->layout->bindings[i];
      for (uint32_t j = 0; j < b->count && !b->bindless; j++) {
         struct saf_descriptor *d = &set->descriptors[b->first + j];
         const uint32_t at_B = (b->first_surface + j) * 64;
         d->type = b->type;
         if (b->immutable)
            set_sampler(d, b->immutable[j]);
         if (!saf_has_own_surface(b->type))
            continue;
         d->surface = (struct saf_state) {
            .offset = set->surfaces.offset + at_B,
            .size_B = 64,
            .map = (char *)set->surfaces.map + at_B,
         };
         if (!b->inline_B)
            continue;
         d->addr = device->info->layout->dynamic + set->inlines.offset +
                   b->inline_start_B;
         d->range_B = b->inline_B;
         fill_buffer_surface(device, d);
      }
   }
}

/* How many of the last binding a set does without. */
static uint32_t
left_out(const struct saf_set_layout *layout, uint32_t variable_count)
{
   if (!layout->variable_count)
      return 0;
   const struct saf_binding_layout *last =
      &layout->bindings[layout->binding_count - 1];
   return last->inline_B || variable_count > last->count
             ? 0
             : last->count - variable_count;
}

static VkResult
set_create(struct saf_device *device, struct saf_descriptor_pool *pool,
           struct saf_set_layout *layout, uint32_t variable_count,
           struct saf_descriptor_set **out)
{
   if (pool->set_count >= pool->max_sets)
      return VK_ERROR_OUT_OF_POOL_MEMORY;
   struct saf_descriptor_set *set = saf_alloc(device->alloc, sizeof(*set));
   if (!set)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   set->layout = saf_set_layout_ref(layout);
   VkResult result = VK_SUCCESS;
   set->descriptors =
      saf_alloc(device->alloc, MAX2(layout->descriptor_count, 1) *
                                  sizeof(*set->descriptors));
   if (!set->descriptors)
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!result && layout->buffer_count) {
      set->surfaces =
         saf_state_alloc(&device->surface_pool, layout->buffer_count * 64);
      if (!set->surfaces.size_B)
         result = device->surface_pool.error;
   }
   if (!result && layout->inline_B) {
      set->inlines = saf_state_alloc(&device->dynamic_pool, layout->inline_B);
      if (!set->inlines.size_B)
         result = device->dynamic_pool.error;
   }
   if (!result && layout->record_count)
      result = saf_bindless_init(device, set,
                                 layout->record_count -
                                    left_out(layout, variable_count));
   if (result) {
      set_free(device, set);
      return result;
   }
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
   const VkDescriptorSetVariableDescriptorCountAllocateInfo *counts =
      saf_find_struct(
         info->pNext,
         VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
   for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
      struct saf_descriptor_set *set = NULL;
      const uint32_t count = counts && i < counts->descriptorSetCount
                                ? counts->pDescriptorCounts[i]
                                : 0;
      const VkResult result = set_create(
         device, pool, saf_set_layout_from_handle(info->pSetLayouts[i]),
         count, &set);
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

struct saf_view_surfaces
saf_surfaces_of_view(const struct saf_image_view *view, VkDescriptorType type)
{
   struct saf_view_surfaces out = { .info = saf_no_surface_info() };
   if (!view || type == VK_DESCRIPTOR_TYPE_SAMPLER)
      return out;
   out.info = saf_image_view_info(view);
   if (type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE) {
      out.surface = view->storage;
      out.others[SAF_STORAGE_TYPED - 1] = view->storage_load;
      out.others[SAF_STORAGE_RAW - 1] = view->storage_raw;
   } else {
      out.surface = view->sampled;
      memcpy(out.others, view->planes, sizeof(out.others));
      if (view->compares)
         out.others[SAF_SAMPLED_COMPARED - 1] = view->sampled;
   }
   return out;
}

struct saf_view_surfaces
saf_surfaces_of_texels(const struct saf_buffer_view *view,
                       VkDescriptorType type)
{
   struct saf_view_surfaces out = { .info = saf_no_surface_info() };
   if (!view)
      return out;
   out.info = saf_buffer_view_info(view);
   if (type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER) {
      out.surface = view->storage;
      out.others[SAF_STORAGE_TYPED - 1] = view->storage_load;
      out.others[SAF_STORAGE_RAW - 1] = view->storage_raw;
   } else {
      out.surface = view->sampled;
   }
   return out;
}

static void
write_view(struct saf_descriptor *d, const struct saf_view_surfaces *v)
{
   d->surface = v->surface;
   memcpy(d->others, v->others, sizeof(d->others));
   d->info = v->info;
}

static void
write_image(struct saf_descriptor *d, const struct saf_binding_layout *b,
            const VkDescriptorImageInfo *info)
{
   SAF_FROM_HANDLE(saf_image_view, view, info->imageView);
   if (d->type != VK_DESCRIPTOR_TYPE_SAMPLER) {
      const struct saf_view_surfaces v = saf_surfaces_of_view(view, d->type);
      write_view(d, &v);
      d->format = view ? view->format : ISL_FORMAT_UNSUPPORTED;
      d->format_swizzle = view ? view->format_swizzle : ISL_SWIZZLE_IDENTITY;
   }
   if ((d->type == VK_DESCRIPTOR_TYPE_SAMPLER ||
        d->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) &&
       !b->immutable)
      set_sampler(d, saf_sampler_from_handle(info->sampler));
}

static void
write_texel_buffer(struct saf_descriptor *d, VkBufferView view)
{
   const struct saf_view_surfaces v =
      saf_surfaces_of_texels(saf_buffer_view_from_handle(view), d->type);
   write_view(d, &v);
}

/* Bytes of an inline block: all that an update names is in it. */
static void
write_inline(const struct saf_descriptor_set *set,
             const struct saf_binding_layout *b, uint32_t start_B,
             uint32_t size_B, const void *data)
{
   if (start_B >= b->inline_B)
      return;
   memcpy((char *)set->inlines.map + b->inline_start_B + start_B, data,
          MIN2(size_B, b->inline_B - start_B));
}

/* Elements run on into the bindings that follow. */
static const struct saf_binding_layout *
find_element(const struct saf_binding_layout *b, uint32_t *element)
{
   while (*element >= b->count)
      *element -= b++->count;
   return b;
}

/* Writes `count` descriptors from `data`, `stride_B` apart, running on into
 * the bindings that follow when this one is full. */
static void
write_descriptors(struct saf_device *device, struct saf_descriptor_set *set,
                  VkDescriptorType type, uint32_t binding, uint32_t element,
                  uint32_t count, const void *data, size_t stride_B)
{
   const struct saf_binding_layout *b =
      saf_find_binding(set->layout, binding);
   if (b->inline_B) {
      write_inline(set, b, element, count, data);
      return;
   }
   for (uint32_t i = 0; i < count; i++) {
      b = find_element(b, &element);
      struct saf_descriptor *d = &set->descriptors[b->first + element];
      const void *item = (const char *)data + i * stride_B;
      if (b->bindless)
         saf_bindless_write(device, set, type, b, element, item);
      else if (saf_is_buffer_type(b->type))
         write_buffer(device, d, item);
      else if (saf_is_texel_buffer_type(b->type))
         write_texel_buffer(d, *(const VkBufferView *)item);
      else
         write_image(d, b, item);
      element++;
   }
}

/* Both sets have records or none (VUID-VkCopyDescriptorSet-srcSet-01918 and
 * -01919). */
static void
copy_descriptor(struct saf_device *device, struct saf_descriptor_set *dst,
                const struct saf_binding_layout *db, uint32_t element,
                const struct saf_descriptor_set *src,
                const struct saf_binding_layout *sb, uint32_t src_element)
{
   sb = find_element(sb, &src_element);
   db = find_element(db, &element);
   if (db->bindless) {
      saf_bindless_copy(dst, db, element, src, sb, src_element);
      return;
   }
   const struct saf_descriptor *s =
      &src->descriptors[sb->first + src_element];
   struct saf_descriptor *d = &dst->descriptors[db->first + element];
   const struct saf_descriptor old = *d;
   *d = *s;
   if (db->immutable) {
      d->sampler = old.sampler;
      d->has_sampler = old.has_sampler;
   }
   if (saf_is_buffer_type(d->type)) {
      d->surface = old.surface;
      fill_buffer_surface(device, d);
   }
}

static void
copy_descriptors(struct saf_device *device, const VkCopyDescriptorSet *copy)
{
   SAF_FROM_HANDLE(saf_descriptor_set, src, copy->srcSet);
   SAF_FROM_HANDLE(saf_descriptor_set, dst, copy->dstSet);
   const struct saf_binding_layout *sb =
      saf_find_binding(src->layout, copy->srcBinding);
   const struct saf_binding_layout *db =
      saf_find_binding(dst->layout, copy->dstBinding);
   if (sb->inline_B) {
      if (copy->srcArrayElement + copy->descriptorCount <= sb->inline_B)
         write_inline(dst, db, copy->dstArrayElement, copy->descriptorCount,
                      (const char *)src->inlines.map + sb->inline_start_B +
                         copy->srcArrayElement);
      return;
   }
   for (uint32_t i = 0; i < copy->descriptorCount; i++)
      copy_descriptor(device, dst, db, copy->dstArrayElement + i, src, sb,
                      copy->srcArrayElement + i);
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
   if (saf_is_buffer_type(w->descriptorType)) {
      *stride_B = sizeof(VkDescriptorBufferInfo);
      return w->pBufferInfo;
   }
   if (saf_is_texel_buffer_type(w->descriptorType)) {
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
      write_descriptors(device, set, w->descriptorType, w->dstBinding,
                        w->dstArrayElement, w->descriptorCount, data,
                        stride_B);
}

void
saf_descriptor_set_copy(struct saf_device *device,
                        struct saf_descriptor_set *to,
                        const struct saf_descriptor_set *from)
{
   for (uint32_t i = 0; i < to->layout->binding_count; i++) {
      const struct saf_binding_layout *b = &to->layout->bindings[i];
      for (uint32_t j = 0; j < b->count; j++)
         copy_descriptor(device, to, b, j, from, &from->layout->bindings[i],
                         j);
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
                        e->descriptorType, e->dstBinding, e->dstArrayElement,
                        e->descriptorCount, (const char *)data + e->offset,
                        e->stride);
   }
}
