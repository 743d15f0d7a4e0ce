/* SPDX-License-Identifier: MIT */
/* Layouts of descriptor sets and of pipelines. */
#include "saf_descriptor.h"

#include <stdlib.h>

static bool
is_dynamic(VkDescriptorType type)
{
   return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
          type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

const struct saf_binding_layout *
saf_search_binding(const struct saf_set_layout *layout, uint32_t number)
{
   uint32_t lo = 0, hi = layout->binding_count;
   while (lo < hi) {
      const uint32_t mid = lo + (hi - lo) / 2;
      if (layout->bindings[mid].number < number)
         lo = mid + 1;
      else
         hi = mid;
   }
   const bool found = lo < layout->binding_count &&
                      layout->bindings[lo].number == number;
   return found ? &layout->bindings[lo] : NULL;
}

static int
compare_numbers(const void *a, const void *b)
{
   const struct saf_binding_layout *x = a, *y = b;
   return (x->number > y->number) - (x->number < y->number);
}

static void
number_bindings(struct saf_set_layout *layout,
                const VkDescriptorSetLayoutCreateInfo *info)
{
   layout->binding_count = info->bindingCount;
   for (uint32_t i = 0; i < info->bindingCount; i++)
      layout->bindings[i].number = info->pBindings[i].binding;
   qsort(layout->bindings, layout->binding_count, sizeof(*layout->bindings),
         compare_numbers);
}

static bool
fill_binding(struct saf_device *device, struct saf_set_layout *layout,
             const VkDescriptorSetLayoutBinding *b)
{
   struct saf_binding_layout *out =
      (struct saf_binding_layout *)saf_find_binding(layout, b->binding);
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

static void
place_bindings(struct saf_set_layout *layout, bool bindless)
{
   for (uint32_t i = 0; i < layout->binding_count; i++) {
      struct saf_binding_layout *b = &layout->bindings[i];
      /* What an offset moves is known when commands are recorded only. */
      b->bindless = bindless && !is_dynamic(b->type);
      uint32_t *used = b->bindless ? &layout->record_count
                                   : &layout->descriptor_count;
      b->first = *used;
      *used += b->count;
      b->first_surface = layout->buffer_count;
      b->first_dynamic = layout->dynamic_count;
      if (saf_has_own_surface(b->type))
         layout->buffer_count += b->count;
      b->inline_start_B = layout->inline_B;
      layout->inline_B += ALIGN(b->inline_B, 64);
      if (is_dynamic(b->type))
         layout->dynamic_count += b->count;
   }
}

/* Of the last binding; no other may have. */
static bool
has_variable_count(const VkDescriptorSetLayoutCreateInfo *info)
{
   const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
   bool is_variable = false;
   for (uint32_t i = 0; flags && i < flags->bindingCount; i++)
      is_variable |= flags->pBindingFlags[i] &
                     VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
   return is_variable;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateDescriptorSetLayout(VkDevice _device,
                              const VkDescriptorSetLayoutCreateInfo *info,
                              const VkAllocationCallbacks *alloc,
                              VkDescriptorSetLayout *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   /* It may be needed by sets and pipeline layouts after the application
    * destroyed it, hence no use of `alloc`. */
   struct saf_set_layout *layout = saf_alloc(device->alloc, sizeof(*layout));
   if (!layout)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   layout->refs = 1;
   layout->bindings = saf_alloc(device->alloc, MAX2(info->bindingCount, 1) *
                                                  sizeof(*layout->bindings));
   bool ok = layout->bindings != NULL;
   if (ok)
      number_bindings(layout, info);
   for (uint32_t i = 0; i < info->bindingCount && ok; i++)
      ok = fill_binding(device, layout, &info->pBindings[i]);
   if (!ok) {
      saf_set_layout_unref(device, layout);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   layout->variable_count = has_variable_count(info);
   place_bindings(layout, saf_bindless_wanted(device, info->flags));
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

static uint32_t
entries_of(const VkDescriptorSetLayoutBinding *b)
{
   return b->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK
             ? 1
             : b->descriptorCount;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetDescriptorSetLayoutSupport(VkDevice _device,
                                  const VkDescriptorSetLayoutCreateInfo *info,
                                  VkDescriptorSetLayoutSupport *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   VkDescriptorSetVariableDescriptorCountLayoutSupport *variable =
      (void *)saf_find_struct(
         out->pNext,
         VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
   const bool is_variable = has_variable_count(info);
   const uint64_t room = saf_bindless_wanted(device, info->flags)
                            ? SAF_MAX_BINDLESS
                            : SAF_MAX_SET_DESCRIPTORS;
   uint64_t entries = 0;
   const VkDescriptorSetLayoutBinding *last = NULL;
   for (uint32_t i = 0; i < info->bindingCount; i++) {
      const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
      entries += entries_of(b);
      if (!last || b->binding > last->binding)
         last = b;
   }
   const uint64_t fixed = entries - (last ? entries_of(last) : 0);
   out->supported = entries <= room;
   if (!variable)
      return;
   variable->maxVariableDescriptorCount = 0;
   if (is_variable && fixed < room)
      variable->maxVariableDescriptorCount =
         last->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK
            ? SAF_MAX_INLINE_BLOCK_B
            : (uint32_t)(room - fixed);
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
