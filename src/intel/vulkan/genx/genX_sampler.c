/* SPDX-License-Identifier: MIT */
/* SAMPLER_STATE and border colours. */
#include "genX_private.h"
#include "intel/vulkan/memory/saf_sampler.h"

/* Gen7's are floats; Haswell has them a second time as integers, for
 * textures of such a format. */
void
genX(fill_border_color)(const VkClearColorValue *color, void *map)
{
   saf_fill(map, SAMPLER_BORDER_COLOR_STATE, bc)
   {
#if GEN_VERX10 >= 75
      bc.BorderColor32bitRed = color->uint32[0];
      bc.BorderColor32bitGreen = color->uint32[1];
      bc.BorderColor32bitBlue = color->uint32[2];
      bc.BorderColor32bitAlpha = color->uint32[3];
#endif
#if GEN_VERX10 < 80
      bc.BorderColorFloatRed = color->float32[0];
      bc.BorderColorFloatGreen = color->float32[1];
      bc.BorderColorFloatBlue = color->float32[2];
      bc.BorderColorFloatAlpha = color->float32[3];
#endif
   }
}

#if GEN_VERX10 == 75
/*
 * Haswell takes the integers as the format has them: bytes in the first
 * dword, words (and the ten bits of R10G10B10A2) two by two in the first and
 * the third, in which green of two channels of 32 bits is, too. Channels that
 * the format lacks are 0, such an alpha 1 (HSW PRM vol 2d,
 * "SAMPLER_BORDER_COLOR_STATE"; chip-rules FF-47).
 */
static VkClearColorValue
pack_integers(const VkClearColorValue *color, enum isl_format format)
{
   const struct isl_format_layout *f = isl_format_get_layout(format);
   const unsigned bits = f->channels.r.bits;
   const uint32_t mask = bits == 8 ? 0xff : 0xffff;
   const uint32_t r = color->uint32[0];
   const uint32_t g = f->channels.g.bits ? color->uint32[1] : 0;
   const uint32_t b = f->channels.b.bits ? color->uint32[2] : 0;
   const uint32_t a = f->channels.a.bits ? color->uint32[3] : 1;
   if (bits == 32 && f->bpb == 64)
      return (VkClearColorValue) { .uint32 = { r, 0, g, a } };
   if (bits == 32)
      return (VkClearColorValue) { .uint32 = { r, g, b, a } };
   if (bits == 8)
      return (VkClearColorValue) { .uint32 = { (r & mask) | (g & mask) << 8 |
                                               (b & mask) << 16 | a << 24 } };
   return (VkClearColorValue) {
      .uint32 = { [0] = (r & mask) | g << 16, [2] = (b & mask) | a << 16 }
   };
}
#endif

/* What the sampled texture holds: of a sampler alone we know only what it was
 * made for. */
static struct saf_format
sampled_format(const struct saf_descriptor *d)
{
   const bool known = d->surface.size_B &&
                      d->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   return known ? (struct saf_format) { d->format, d->format_swizzle }
                : (struct saf_format) { d->sampler.border_format,
                                        d->sampler.border_swizzle };
}

/* A border colour is in the pool, but for dynamic state in a block of the
 * recording's own, for integers on Haswell, and for a format that is not the
 * sampler's. The sampler swizzles it: opaque black of B4G4R4A4 has its 1 in
 * blue, which is where that format's alpha is (saf_format.c). */
void
genX(fill_bound_sampler)(struct saf_cmd_buffer *cmd,
                         const struct saf_descriptor *d, uint32_t *dw)
{
   const struct saf_format f = sampled_format(d);
   memcpy(dw, d->sampler.state, sizeof(d->sampler.state));
#if GEN_VERX10 >= 80
   if (saf_exchanges_border(f.swizzle) &&
       !saf_exchanges_border(d->sampler.border_swizzle))
      saf_exchange_border(&d->sampler, dw);
#else
   const uint32_t offset_bits = ~31u; /* of dword 2 */
   const bool integers = GEN_VERX10 == 75 && isl_format_is_valid(f.format) &&
                         isl_format_has_int_channel(f.format);
   const bool as_made = saf_swizzle_word(f.swizzle) ==
                        saf_swizzle_word(d->sampler.border_swizzle);
   if (cmd->dynamic_block)
      dw[2] &= ~offset_bits;
   if (!d->sampler.has_border ||
       (!integers && as_made && !cmd->dynamic_block))
      return;
   const struct saf_state border =
      saf_cmd_dynamic_state(cmd, BORDER_COLOR_B, BORDER_COLOR_B);
   VkClearColorValue color =
      saf_unswizzled_border(&d->sampler.border_color, f.swizzle);
#if GEN_VERX10 == 75
   if (integers)
      color = pack_integers(&color, f.format);
#endif
   genX(fill_border_color)(&color, border.map);
   dw[2] = (dw[2] & ~offset_bits) | border.offset;
#endif
}

static uint32_t
address_mode(VkSamplerAddressMode mode)
{
   switch (mode) {
   case VK_SAMPLER_ADDRESS_MODE_REPEAT: return TCM_WRAP;
   case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT: return TCM_MIRROR;
   case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE: return TCM_CLAMP;
   case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER: return TCM_CLAMP_BORDER;
   case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE: return TCM_MIRROR_ONCE;
   case VK_SAMPLER_ADDRESS_MODE_MAX_ENUM: break;
   }
   unreachable("address mode");
}

/* The hardware asks "reference OP texel" the other way round: the PRM's
 * function passes where Vulkan's fails at equality and order swapped. */
static uint32_t
shadow_function(VkCompareOp op)
{
   switch (op) {
   case VK_COMPARE_OP_NEVER: return PREFILTEROP_ALWAYS;
   case VK_COMPARE_OP_LESS: return PREFILTEROP_LEQUAL;
   case VK_COMPARE_OP_EQUAL: return PREFILTEROP_NOTEQUAL;
   case VK_COMPARE_OP_LESS_OR_EQUAL: return PREFILTEROP_LESS;
   case VK_COMPARE_OP_GREATER: return PREFILTEROP_GEQUAL;
   case VK_COMPARE_OP_NOT_EQUAL: return PREFILTEROP_EQUAL;
   case VK_COMPARE_OP_GREATER_OR_EQUAL: return PREFILTEROP_GREATER;
   case VK_COMPARE_OP_ALWAYS: return PREFILTEROP_NEVER;
   case VK_COMPARE_OP_MAX_ENUM: break;
   }
   unreachable("compare op");
}

static uint32_t
map_filter(VkFilter filter)
{
   return filter == VK_FILTER_LINEAR ? MAPFILTER_LINEAR : MAPFILTER_NEAREST;
}

#if GEN_VERX10 >= 90
static uint32_t
reduction_type(const VkSamplerCreateInfo *info)
{
   const VkSamplerReductionModeCreateInfo *r = saf_find_struct(
      info->pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
   if (r && r->reductionMode == VK_SAMPLER_REDUCTION_MODE_MIN)
      return REDUCTION_MINIMUM;
   if (r && r->reductionMode == VK_SAMPLER_REDUCTION_MODE_MAX)
      return REDUCTION_MAXIMUM;
   return REDUCTION_STD_FILTER;
}
#endif

void
genX(fill_sampler)(const VkSamplerCreateInfo *info, uint32_t border_offset_B,
                   uint32_t dw[4])
{
   const bool mag_linear = info->magFilter == VK_FILTER_LINEAR;
   const bool min_linear = info->minFilter == VK_FILTER_LINEAR;
#if GEN_VERX10 >= 90
   const uint32_t reduction = reduction_type(info);
#endif
   saf_fill(dw, SAMPLER_STATE, s)
   {
      s.TextureBorderColorMode = BORDER_COLOR_DX10_OGL;
#if GEN_VERX10 >= 80
      s.LODPreClampMode = CLAMP_MODE_OGL;
#else
      s.LODPreClampEnable = true;
#endif
      s.MipModeFilter = info->mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR
                           ? MIPFILTER_LINEAR
                           : MIPFILTER_NEAREST;
      s.MagModeFilter = map_filter(info->magFilter);
      s.MinModeFilter = map_filter(info->minFilter);
      if (info->anisotropyEnable) {
         /* In place of the linear filters; ratios of 2, 4, ... 16. */
         if (min_linear)
            s.MinModeFilter = MAPFILTER_ANISOTROPIC;
         if (mag_linear)
            s.MagModeFilter = MAPFILTER_ANISOTROPIC;
         s.MaximumAnisotropy =
            ((uint32_t)CLAMP(info->maxAnisotropy, 2.0f, 16.0f) - 2) / 2;
      }
      s.TextureLODBias = CLAMP(info->mipLodBias, -16.0f, 15.996f);
      s.MinLOD = CLAMP(info->minLod, 0.0f, 14.0f);
      s.MaxLOD = CLAMP(info->maxLod, 0.0f, 14.0f);
#if GEN_VERX10 >= 90
      s.ReductionTypeEnable = reduction != REDUCTION_STD_FILTER;
      s.ReductionType = reduction;
#endif
      s.ShadowFunction = shadow_function(
         info->compareEnable ? info->compareOp : VK_COMPARE_OP_NEVER);
      s.CubeSurfaceControlMode =
         info->flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT
            ? CUBECTRLMODE_PROGRAMMED
            : CUBECTRLMODE_OVERRIDE;
      s.BorderColorPointer = border_offset_B;
      s.NonnormalizedCoordinateEnable = info->unnormalizedCoordinates;
      s.TCXAddressControlMode = address_mode(info->addressModeU);
      s.TCYAddressControlMode = address_mode(info->addressModeV);
      s.TCZAddressControlMode = address_mode(info->addressModeW);
      /* Rounding of the coordinate only helps filtering. */
      s.UAddressMagFilterRoundingEnable = mag_linear;
      s.VAddressMagFilterRoundingEnable = mag_linear;
      s.RAddressMagFilterRoundingEnable = mag_linear;
      s.UAddressMinFilterRoundingEnable = min_linear;
      s.VAddressMinFilterRoundingEnable = min_linear;
      s.RAddressMinFilterRoundingEnable = min_linear;
   }
}
