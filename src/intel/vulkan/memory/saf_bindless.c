/* SPDX-License-Identifier: MIT */
/*
 * Problem: descriptors may change between vkCmdBindDescriptorSets and the
 * submission, and there may be half a million of them, but a binding table
 * is made when commands are recorded and has 240 entries.
 *
 * Method: sets of layouts for update after bind have a record of each
 * descriptor in memory that shaders read: where the surface state is, and the
 * sampler, as messages of Gen9 take them (bindless surfaces; the header of a
 * sampler's message), and what surface states do not say. A set's records are
 * a uniform buffer, entry SAF_SET_RECORDS of a stage's binding table.
 *
 * A record that nobody wrote names the null surface. What a mutable
 * descriptor is, who reads it knows; records of all types are alike.
 */
#include "intel/compiler/intel_compiler.h"
#include "intel/vulkan/base/saf_genx.h"
#include "saf_descriptor.h"
#include "saf_sampler.h"

bool
saf_bindless_wanted(const struct saf_device *device,
                    VkDescriptorSetLayoutCreateFlags flags)
{
   /* Between sets with mutable descriptors and others copies go, too. */
   return (device->mutable_descriptors &&
           !(flags &
             VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR)) ||
          (device->info->eu.has_bindless_surfaces &&
           flags &
              VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT);
}

static struct saf_bindless_record *
record_of(const struct saf_descriptor_set *set,
          const struct saf_binding_layout *b, uint32_t element)
{
   struct saf_bindless_record *records = set->records.map;
   return &records[b->first + element];
}

/* Where a set has the surface state of one of its buffers. */
static struct saf_state
own_surface(const struct saf_descriptor_set *set,
            const struct saf_binding_layout *b, uint32_t element)
{
   const uint32_t at_B = (b->first_surface + element) * 64;
   return (struct saf_state) {
      .offset = set->surfaces.offset + at_B,
      .size_B = 64,
      .map = (char *)set->surfaces.map + at_B,
   };
}

static uint32_t
handle(const struct saf_device *device, struct saf_state surface)
{
   return intel_surface_handle(surface.size_B ? surface.offset
                                              : device->null_surface.offset);
}

static void
write_buffer(struct saf_device *device, const struct saf_descriptor_set *set,
             VkDescriptorType type, const struct saf_binding_layout *b,
             uint32_t element, uint64_t addr, uint64_t range_B)
{
   struct saf_bindless_record *r = record_of(set, b, element);
   const struct saf_state surface = own_surface(set, b, element);
   if (range_B && type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
      saf_fill_storage_surface(device, surface.map, addr, range_B);
   else if (range_B)
      saf_fill_uniform_surface(device, surface.map, addr, range_B);
   r->surface = handle(device, range_B ? surface : (struct saf_state) { 0 });
   r->info = (struct saf_surface_info) {
      .address = { (uint32_t)addr, (uint32_t)(addr >> 32) },
      .width = (uint32_t)range_B,
   };
}

static void
write_view(const struct saf_device *device, struct saf_bindless_record *r,
           const struct saf_view_surfaces *v)
{
   r->surface = handle(device, v->surface);
   for (unsigned i = 0; i < ARRAY_SIZE(r->others); i++)
      r->others[i] = handle(device, v->others[i]);
   r->info = v->info;
}

/* Where the state is that a sampler has with this view. */
static uint32_t
sampler_offset(const struct saf_sampler *sampler, VkDescriptorType type,
               const struct saf_image_view *view)
{
   if (!sampler)
      return 0;
   const bool exchanged = type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER &&
                          view && sampler->bindless_exchanged.size_B &&
                          saf_exchanges_border(view->format_swizzle);
   return exchanged ? sampler->bindless_exchanged.offset
                    : sampler->bindless.offset;
}

static void
write_image(const struct saf_device *device, struct saf_bindless_record *r,
            const struct saf_sampler *immutable, VkDescriptorType type,
            const VkDescriptorImageInfo *info)
{
   SAF_FROM_HANDLE(saf_image_view, view, info->imageView);
   const struct saf_view_surfaces v = saf_surfaces_of_view(view, type);
   write_view(device, r, &v);
   if (type == VK_DESCRIPTOR_TYPE_SAMPLER ||
       type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
      r->sampler = sampler_offset(
         immutable ? immutable : saf_sampler_from_handle(info->sampler), type,
         view);
}

void
saf_bindless_write(struct saf_device *device,
                   const struct saf_descriptor_set *set,
                   VkDescriptorType type, const struct saf_binding_layout *b,
                   uint32_t element, const void *item)
{
   struct saf_bindless_record *r = record_of(set, b, element);
   if (saf_is_buffer_type(type)) {
      const VkDescriptorBufferInfo *info = item;
      SAF_FROM_HANDLE(saf_buffer, buffer, info->buffer);
      write_buffer(
         device, set, type, b, element,
         buffer ? saf_buffer_addr(buffer, info->offset) : 0,
         buffer ? saf_buffer_range(buffer, info->offset, info->range) : 0);
   } else if (saf_is_texel_buffer_type(type)) {
      const struct saf_view_surfaces v = saf_surfaces_of_texels(
         saf_buffer_view_from_handle(*(const VkBufferView *)item), type);
      write_view(device, r, &v);
   } else {
      write_image(device, r, b->immutable ? b->immutable[element] : NULL,
                  type, item);
   }
}

void
saf_bindless_copy(const struct saf_descriptor_set *to,
                  const struct saf_binding_layout *b, uint32_t element,
                  const struct saf_descriptor_set *from,
                  const struct saf_binding_layout *from_b,
                  uint32_t from_element)
{
   struct saf_bindless_record *r = record_of(to, b, element);
   const struct saf_bindless_record *s =
      record_of(from, from_b, from_element);
   const uint32_t sampler = r->sampler;
   *r = *s;
   if (b->immutable)
      r->sampler = sampler;
   /* One of the two may be mutable, the other of what it is now. */
   if (!saf_has_own_surface(b->type) || !saf_has_own_surface(from_b->type))
      return;
   const struct saf_state surface = own_surface(to, b, element);
   const struct saf_state theirs = own_surface(from, from_b, from_element);
   memcpy(surface.map, theirs.map, surface.size_B);
   if (s->surface == intel_surface_handle(theirs.offset))
      r->surface = intel_surface_handle(surface.offset);
}

VkResult
saf_bindless_init(struct saf_device *device, struct saf_descriptor_set *set,
                  uint32_t count)
{
   const uint32_t size_B = MAX2(count, 1) *
                           sizeof(struct saf_bindless_record);
   set->records = saf_state_alloc(&device->dynamic_pool, size_B);
   if (!set->records.size_B)
      return device->dynamic_pool.error;
   set->records_surface = saf_state_alloc(&device->surface_pool, 64);
   if (!set->records_surface.size_B)
      return device->surface_pool.error;
   saf_fill_uniform_surface(
      device, set->records_surface.map,
      device->info->layout->dynamic + set->records.offset, size_B);
   struct saf_bindless_record *records = set->records.map;
   const struct saf_view_surfaces none = { .info = saf_no_surface_info() };
   memset(records, 0, size_B);
   for (uint32_t i = 0; i < count; i++)
      write_view(device, &records[i], &none);
   for (uint32_t i = 0; i < set->layout->binding_count; i++) {
      const struct saf_binding_layout *b = &set->layout->bindings[i];
      for (uint32_t j = 0; b->bindless && b->immutable && j < b->count &&
                           b->first + j < count;
           j++)
         record_of(set, b, j)->sampler = b->immutable[j]->bindless.offset;
      if (b->bindless && b->inline_B)
         write_buffer(device, set, b->type, b, 0,
                      device->info->layout->dynamic + set->inlines.offset +
                         b->inline_start_B,
                      b->inline_B);
   }
   return VK_SUCCESS;
}
