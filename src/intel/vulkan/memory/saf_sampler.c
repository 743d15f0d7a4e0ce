/* SPDX-License-Identifier: MIT */
/*
 * Samplers, and where their border colours are.
 *
 * A sampler names its colour by an offset in the dynamic state. Of that, Gen8
 * and Gen9 have 24 bits: all colours are in one table at the pool's start.
 * Before, any offset will do; a draw whose dynamic state is elsewhere, and on
 * Haswell one that samples integers, gets a colour of its own
 * (genX_sampler.c).
 */
#include "intel/vulkan/genx/saf_genx.h"
#include "intel/vulkan/saf_private.h"
#include "util/fallible.h"

#define STANDARD_COLORS (VK_BORDER_COLOR_INT_OPAQUE_WHITE + 1)

static bool
has_table(const struct saf_device *device)
{
   return device->genx->has_border_table;
}

bool
saf_border_colors_init(struct saf_device *device)
{
   static const VkClearColorValue colors[STANDARD_COLORS] = {
      [VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK] = { .float32 = { 0, 0, 0, 1 } },
      [VK_BORDER_COLOR_INT_OPAQUE_BLACK] = { .uint32 = { 0, 0, 0, 1 } },
      [VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE] = { .float32 = { 1, 1, 1, 1 } },
      [VK_BORDER_COLOR_INT_OPAQUE_WHITE] = { .uint32 = { 1, 1, 1, 1 } },
   };
   const uint32_t size_B = device->genx->border_color_B;
   const uint32_t count = STANDARD_COLORS +
                          (has_table(device) ? SAF_MAX_CUSTOM_BORDERS : 0);
   device->border_colors =
      saf_state_alloc(&device->dynamic_pool, count * size_B);
   if (!device->border_colors.size_B)
      return false;
   assert(!has_table(device) ||
          device->border_colors.offset + count * size_B <= 1u << 24);
   for (unsigned i = 0; i < STANDARD_COLORS; i++) {
      memcpy(device->standard_borders[i], &colors[i], sizeof(colors[i]));
      device->genx->fill_border_color(
         &colors[i], (char *)device->border_colors.map + i * size_B);
   }
   device->border_slots_used = STANDARD_COLORS;
   return true;
}

void
saf_border_colors_finish(struct saf_device *device)
{
   util_dynarray_fini(&device->free_border_slots);
}

/* The colour before the swizzle that every view of the format has; the
 * sampler applies that to the border, too. Without a format there is none
 * (VUID-VkSamplerCustomBorderColorCreateInfoEXT-format-04014 ff.). */
static VkClearColorValue
unswizzled(const struct saf_device *device,
           const VkSamplerCustomBorderColorCreateInfoEXT *custom)
{
   VkClearColorValue out = custom->customBorderColor;
   if (!saf_format_is_known(custom->format))
      return out;
   const struct isl_swizzle s =
      saf_get_format(device->info, custom->format, VK_IMAGE_ASPECT_COLOR_BIT)
         .swizzle;
   const enum isl_channel_select from[4] = { s.r, s.g, s.b, s.a };
   for (unsigned c = 0; c < 4; c++) {
      if (from[c] >= ISL_CHANNEL_SELECT_RED)
         out.uint32[from[c] - ISL_CHANNEL_SELECT_RED] =
            custom->customBorderColor.uint32[c];
   }
   return out;
}

/* A place in the table; its size is 0 if all are taken. */
static struct saf_state
take_slot(struct saf_device *device)
{
   const uint32_t size_B = device->genx->border_color_B;
   const uint32_t end = STANDARD_COLORS + SAF_MAX_CUSTOM_BORDERS;
   uint32_t slot = end;
   pthread_mutex_lock(&device->bo_mutex);
   const size_t all_B = SAF_MAX_CUSTOM_BORDERS * sizeof(uint32_t);
   if (!util_dynarray_try_reserve(&device->free_border_slots, all_B))
      slot = end; /* it could not be given back */
   else if (device->free_border_slots.size_B)
      slot = util_dynarray_pop(&device->free_border_slots, uint32_t);
   else if (device->border_slots_used < end)
      slot = device->border_slots_used++;
   pthread_mutex_unlock(&device->bo_mutex);
   if (slot == end)
      return (struct saf_state) { 0 };
   return (struct saf_state) {
      .offset = device->border_colors.offset + slot * size_B,
      .size_B = size_B,
      .map = (char *)device->border_colors.map + slot * size_B,
   };
}

static void
free_border(struct saf_device *device, struct saf_state border)
{
   if (!has_table(device)) {
      saf_state_free(&device->dynamic_pool, border);
      return;
   }
   if (!border.size_B)
      return;
   const uint32_t slot = (border.offset - device->border_colors.offset) /
                         device->genx->border_color_B;
   pthread_mutex_lock(&device->bo_mutex);
   util_dynarray_append(&device->free_border_slots, uint32_t, slot);
   pthread_mutex_unlock(&device->bo_mutex);
}

static VkResult
init_border(struct saf_device *device, struct saf_sampler *sampler,
            const VkSamplerCreateInfo *info, uint32_t *offset_B)
{
   const uint32_t size_B = device->genx->border_color_B;
   const VkSamplerCustomBorderColorCreateInfoEXT *custom = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
   const bool is_custom = info->borderColor ==
                             VK_BORDER_COLOR_FLOAT_CUSTOM_EXT ||
                          info->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
   sampler->s.border_format = ISL_FORMAT_UNSUPPORTED;
   if (!is_custom || !custom) {
      const unsigned index = is_custom ? 0 : info->borderColor;
      memcpy(&sampler->s.border_color, device->standard_borders[index],
             sizeof(sampler->s.border_color));
      *offset_B = device->border_colors.offset + index * size_B;
      return VK_SUCCESS;
   }
   sampler->border = has_table(device)
                        ? take_slot(device)
                        : saf_state_alloc(&device->dynamic_pool, size_B);
   if (!sampler->border.size_B)
      return saf_error(VK_ERROR_OUT_OF_DEVICE_MEMORY,
                       "no room for one more custom border colour");
   if (saf_format_is_known(custom->format))
      sampler->s.border_format = saf_get_format(device->info, custom->format,
                                                VK_IMAGE_ASPECT_COLOR_BIT)
                                    .format;
   sampler->s.border_color = unswizzled(device, custom);
   device->genx->fill_border_color(&sampler->s.border_color,
                                   sampler->border.map);
   *offset_B = sampler->border.offset;
   return VK_SUCCESS;
}

static bool
reaches_border(const VkSamplerCreateInfo *info)
{
   return info->addressModeU == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
          info->addressModeV == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
          info->addressModeW == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateSampler(VkDevice _device, const VkSamplerCreateInfo *info,
                  const VkAllocationCallbacks *alloc, VkSampler *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_sampler *sampler =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*sampler));
   if (!sampler)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   uint32_t border_offset_B = 0;
   const VkResult result =
      init_border(device, sampler, info, &border_offset_B);
   if (result) {
      saf_free(alloc ? alloc : device->alloc, sampler);
      return result;
   }
   sampler->s.has_border = reaches_border(info);
   sampler->ycbcr = saf_ycbcr_of_chain(info->pNext);
   device->genx->fill_sampler(info, border_offset_B, sampler->s.state);
   if (device->info->eu.has_bindless_surfaces) {
      sampler->bindless =
         saf_state_alloc(&device->dynamic_pool, sizeof(sampler->s.state));
      if (!sampler->bindless.size_B) {
         free_border(device, sampler->border);
         saf_free(alloc ? alloc : device->alloc, sampler);
         return device->dynamic_pool.error;
      }
      memcpy(sampler->bindless.map, sampler->s.state,
             sizeof(sampler->s.state));
   }
   *out = saf_sampler_to_handle(sampler);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroySampler(VkDevice _device, VkSampler _sampler,
                   const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_sampler, sampler, _sampler);
   if (!sampler)
      return;
   free_border(device, sampler->border);
   saf_state_free(&device->dynamic_pool, sampler->bindless);
   saf_free(alloc ? alloc : device->alloc, sampler);
}
