/* SPDX-License-Identifier: MIT */
/* SAMPLER_STATE and border colours. */
#include "genX_private.h"

/* Gen7's are floats; Haswell has them a second time as integers, in the
 * texture's format (chip-rules FF-47), for textures of such a format. */
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

void
genX(init_border_colors)(void *map)
{
   static const VkClearColorValue colors[] = {
      [VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK] = { .float32 = { 0 } },
      [VK_BORDER_COLOR_INT_TRANSPARENT_BLACK] = { .uint32 = { 0 } },
      [VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK] = { .float32 = { 0, 0, 0, 1 } },
      [VK_BORDER_COLOR_INT_OPAQUE_BLACK] = { .uint32 = { 0, 0, 0, 1 } },
      [VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE] = { .float32 = { 1, 1, 1, 1 } },
      [VK_BORDER_COLOR_INT_OPAQUE_WHITE] = { .uint32 = { 1, 1, 1, 1 } },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(colors); i++)
      genX(fill_border_color)(&colors[i], (char *)map + i * BORDER_COLOR_B);
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

void
genX(fill_sampler)(const VkSamplerCreateInfo *info, uint32_t border_offset_B,
                   uint32_t dw[4])
{
   const bool mag_linear = info->magFilter == VK_FILTER_LINEAR;
   const bool min_linear = info->minFilter == VK_FILTER_LINEAR;
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
