/* SPDX-License-Identifier: MIT */
/*
 * Problem: the address of a buffer stays the same for as long as there is the
 * buffer, but up to Gen7 the kernel moves objects.
 *
 * Method: there an address has the object's handle in its high half, and the
 * offset in that object in its low half: sums of addresses and offsets are
 * what they should be, and no object has more than 4 GiB. A table says where
 * each object is, and is one more place that the kernel keeps right
 * (saf_reloc.c). Shaders read it: saf_nir_lower_addresses.c.
 *
 * Handles are small, since the kernel gives the smallest that is free.
 */
#include "saf_addresses.h"

#include "util/fallible.h"

/* Half of the address space: no object is there, nothing is relocated. */
static void
fill_window(struct saf_device *device, void *map, uint64_t start)
{
   isl_buffer_fill_state(device->info, map, .address = start,
                         .size_B = SAF_WINDOW_SIZE_B,
                         .format = ISL_FORMAT_RAW, .stride_B = 1,
                         .swizzle = ISL_SWIZZLE_IDENTITY,
                         .mocs = device->info->mocs_cached);
}

VkResult
saf_addresses_init(struct saf_device *device)
{
   const uint64_t size_B = SAF_MAX_ADDRESSED * sizeof(uint32_t);
   if (!saf_has_address_table(device->info))
      return VK_SUCCESS;
   const VkResult result =
      saf_bo_create(device, "addresses", size_B, 0, &device->addresses);
   if (result)
      return result;
   if (!saf_bo_map(device, device->addresses))
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   for (unsigned i = 0; i < SAF_MEMORY_SURFACES; i++) {
      struct saf_state *s = &device->memory_surfaces[i];
      *s = saf_state_alloc(&device->surface_pool, ISL_SURFACE_STATE_SIZE_B);
      if (!s->size_B)
         return device->surface_pool.error;
   }
   saf_fill_storage_surface(device,
                            device->memory_surfaces[SAF_MEMORY_TABLE].map,
                            device->addresses->addr, size_B);
   fill_window(device, device->memory_surfaces[SAF_MEMORY_LOW].map, 0);
   fill_window(device, device->memory_surfaces[SAF_MEMORY_HIGH].map,
               SAF_WINDOW_B);
   return VK_SUCCESS;
}

VkResult
saf_addresses_add(struct saf_device *device, struct saf_bo *bo)
{
   if (!saf_has_address_table(device->info))
      return VK_SUCCESS;
   if (bo->handle >= SAF_MAX_ADDRESSED)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   return saf_reloc_note_address(device, bo->handle, bo)
             ? VK_SUCCESS
             : VK_ERROR_OUT_OF_HOST_MEMORY;
}

uint64_t
saf_addresses_of_buffer(const struct saf_device *device,
                        const struct saf_buffer *buffer)
{
   if (!saf_has_address_table(device->info))
      return saf_buffer_addr(buffer, 0);
   return (uint64_t)buffer->bo->handle << 32 | buffer->offset_B;
}
