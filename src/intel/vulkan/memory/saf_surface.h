/* SPDX-License-Identifier: MIT */
/* Surface states, and what they cannot say. */
#ifndef SAF_SURFACE_H
#define SAF_SURFACE_H

#include "intel/isl/isl.h"
#include "intel/vulkan/base/saf_device.h"

/* isl's, into a state of a pool. */
#define saf_surf_fill_state(device, map, ...)                                \
   do {                                                                      \
      isl_surf_fill_state((device)->info, map, __VA_ARGS__);                 \
      saf_reloc_note_surface(device, map);                                   \
   } while (0)
#define saf_buffer_fill_state(device, map, ...)                              \
   do {                                                                      \
      isl_buffer_fill_state((device)->info, map, __VA_ARGS__);               \
      saf_reloc_note_surface(device, map);                                   \
   } while (0)

void saf_fill_texel_buffer_surface(struct saf_device *device, void *map,
                                   enum isl_format format,
                                   struct isl_swizzle swizzle, uint64_t addr,
                                   uint64_t range_B);
/* For load_ssbo and its like: whole dwords. */
void saf_fill_storage_surface(struct saf_device *device, void *map,
                              uint64_t addr, uint64_t range_B);
/* For load_ubo; a range of 0 gives zeroes. */
void saf_fill_uniform_surface(struct saf_device *device, void *map,
                              uint64_t addr, uint64_t range_B);

/*
 * What a surface state cannot say: shaders that need it read it from a block
 * of these, one for each entry of the stage's table (SAF_SET_INFO). A texel
 * of an image that is read as bytes lies at base_B + x * its size +
 * y * pitch_B + slice_B * (z's low slice_shift bits) + slices_B * (the rest
 * of z), where z counts from first_slice. Of an image with several samples
 * 2^slice_shift slices make a layer of its surface, each slice_rows below the
 * one before (isl_surf_of_samples()).
 */
struct saf_surface_info {
   uint32_t swizzle; /* isl_channel_select of red, green, ...: 4 bits each */
   uint32_t slice_shift, first_slice, samples;
   union {
      struct {
         uint32_t base_B, pitch_B;
      };
      uint32_t address[2]; /* of a buffer, from Gen8 on: low and high half */
   };
   union {
      uint32_t slice_B;
      uint32_t slice_rows;
   };
   uint32_t slices_B;
   uint32_t width, height, slices; /* of a buffer: its size in bytes */
   uint32_t load_format;           /* saf_any_format_word() */
};

#define SAF_SWIZZLE_IDENTITY 0x7654u

static inline uint32_t
saf_swizzle_word(struct isl_swizzle s)
{
   return (uint32_t)(s.r | s.g << 4 | s.b << 8 | s.a << 12);
}

static inline struct saf_surface_info
saf_no_surface_info(void)
{
   return (struct saf_surface_info) { .swizzle = SAF_SWIZZLE_IDENTITY };
}

#endif
