/* SPDX-License-Identifier: MIT */
/*
 * Samplers, and where their border colours are.
 *
 * A sampler names its colour by an offset in the dynamic state. Of that, Gen8
 * and Gen9 have 24 bits: all colours are in one table at the pool's start.
 * Before, any offset will do; a draw whose dynamic state is elsewhere, one
 * whose format's channels are in an order that the sampler was not made for,
 * and on Haswell one that samples integers, gets a colour of its own
 * (genX_sampler.c).
 */
#include "intel/vulkan/base/saf_genx.h"
#include "saf_format.h"
#include "saf_sampler.h"
#include "util/fallible.h"

#define STANDARD_COLORS (VK_BORDER_COLOR_INT_OPAQUE_WHITE + 1)

bool
saf_exchanges_border(struct isl_swizzle s)
{
   return s.r == ISL_CHANNEL_SELECT_BLUE && s.b == ISL_CHANNEL_SELECT_RED;
}

void
saf_exchange_border(const struct saf_sampler_state *s, uint32_t *dw)
{
   const uint32_t offset_bits = 0xffffc0;
   memcpy(dw, s->state, sizeof(s->state));
   if (s->exchanged_B)
      dw[2] = (dw[2] & ~offset_bits) | s->exchanged_B;
}

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
      [VK_BORDER_COLOR_INT_OPAQUE_WHITE] = { .uint32 = { 1, 1, 1, 1 } },
      [VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE] = { .float32 = { 1, 1, 1, 1 } },
   };
   const uint32_t size_B = device->genx->border_color_B;
   const uint32_t count =
      STANDARD_COLORS + (has_table(device) ? 2 * SAF_MAX_CUSTOM_BORDERS : 0);
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

VkClearColorValue
saf_unswizzled_border(const VkClearColorValue *color, struct isl_swizzle s)
{
   VkClearColorValue out = *color;
   const enum isl_channel_select from[4] = { s.r, s.g, s.b, s.a };
   for (unsigned c = 0; c < 4; c++) {
      if (from[c] >= ISL_CHANNEL_SELECT_RED)
         out.uint32[from[c] - ISL_CHANNEL_SELECT_RED] = color->uint32[c];
   }
   return out;
}

/* Without a format there is no swizzle that is known beforehand
 * (VUID-VkSamplerCustomBorderColorCreateInfoEXT-format-04014 ff.). */
static void
set_border_format(const struct saf_device *device,
                  struct saf_sampler_state *s, VkFormat format)
{
   if (!saf_format_is_known(format))
      return;
   const struct saf_format f =
      saf_get_format(device->info, format, VK_IMAGE_ASPECT_COLOR_BIT);
   s->border_format = f.format;
   s->border_swizzle = f.swizzle;
}

/* A place in the table; its size is 0 if all are taken. */
static struct saf_state
take_slot(struct saf_device *device)
{
   const uint32_t size_B = device->genx->border_color_B;
   const uint32_t end = STANDARD_COLORS + 2 * SAF_MAX_CUSTOM_BORDERS;
   uint32_t slot = end;
   pthread_mutex_lock(&device->bo_mutex);
   const size_t all_B = 2 * SAF_MAX_CUSTOM_BORDERS * sizeof(uint32_t);
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

static void
free_states(struct saf_device *device, struct saf_sampler *sampler)
{
   free_border(device, sampler->border);
   free_border(device, sampler->exchanged);
   saf_state_free(&device->dynamic_pool, sampler->bindless);
   saf_state_free(&device->dynamic_pool, sampler->bindless_exchanged);
}

static VkResult
no_room(struct saf_device *device, struct saf_sampler *sampler)
{
   free_states(device, sampler);
   return saf_error(VK_ERROR_OUT_OF_DEVICE_MEMORY,
                    "no room for one more custom border colour");
}

/* Copies of its states for shaders; false: no memory. */
static bool
add_bindless(struct saf_device *device, struct saf_sampler *sampler)
{
   const uint32_t size_B = sizeof(sampler->s.state);
   sampler->bindless = saf_state_alloc(&device->dynamic_pool, size_B);
   if (!sampler->bindless.size_B)
      return false;
   memcpy(sampler->bindless.map, sampler->s.state, size_B);
   if (!sampler->s.exchanged_B)
      return true;
   sampler->bindless_exchanged =
      saf_state_alloc(&device->dynamic_pool, size_B);
   if (!sampler->bindless_exchanged.size_B)
      return false;
   saf_exchange_border(&sampler->s, sampler->bindless_exchanged.map);
   return true;
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
   sampler->s.border_swizzle = ISL_SWIZZLE_IDENTITY;
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
      return no_room(device, sampler);
   set_border_format(device, &sampler->s, custom->format);
   sampler->s.border_color = custom->customBorderColor;
   const VkClearColorValue told = saf_unswizzled_border(
      &sampler->s.border_color, sampler->s.border_swizzle);
   device->genx->fill_border_color(&told, sampler->border.map);
   *offset_B = sampler->border.offset;
   if (!has_table(device) || saf_format_is_known(custom->format))
      return VK_SUCCESS;
   sampler->exchanged = take_slot(device);
   if (!sampler->exchanged.size_B)
      return no_room(device, sampler);
   const struct isl_swizzle exchange = {
      ISL_CHANNEL_SELECT_BLUE,
      ISL_CHANNEL_SELECT_GREEN,
      ISL_CHANNEL_SELECT_RED,
      ISL_CHANNEL_SELECT_ALPHA,
   };
   const VkClearColorValue exchanged =
      saf_unswizzled_border(&sampler->s.border_color, exchange);
   device->genx->fill_border_color(&exchanged, sampler->exchanged.map);
   sampler->s.exchanged_B = sampler->exchanged.offset;
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
   if (device->info->eu.has_bindless_surfaces &&
       !add_bindless(device, sampler)) {
      free_states(device, sampler);
      saf_free(alloc ? alloc : device->alloc, sampler);
      return device->dynamic_pool.error;
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
   free_states(device, sampler);
   saf_free(alloc ? alloc : device->alloc, sampler);
}
