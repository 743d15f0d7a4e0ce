/* SPDX-License-Identifier: MIT */
/*
 * Vulkan formats in terms of the hardware's.
 *
 * One row a format: which hardware format holds its colour aspect (or depth)
 * and which of its channels are Vulkan's red, green, blue and alpha. What
 * can be done with a format follows from isl's table.
 */
#include "saf_format.h"
#include "saf_image_control.h"

#define RED ISL_CHANNEL_SELECT_RED
#define GREEN ISL_CHANNEL_SELECT_GREEN
#define BLUE ISL_CHANNEL_SELECT_BLUE
#define ALPHA ISL_CHANNEL_SELECT_ALPHA
#define ZERO ISL_CHANNEL_SELECT_ZERO
#define ONE ISL_CHANNEL_SELECT_ONE

struct row {
   enum isl_format format;
   bool valid;
   struct isl_swizzle swizzle;
   bool only_target; /* not offered where nothing can be rendered to it */
};

#define F(vk, isl)                                                           \
   [VK_FORMAT_##vk] = { ISL_FORMAT_##isl, true, { RED, GREEN, BLUE, ALPHA } }
/* OpenGL ES makes textures of such a type of the first format that it finds,
 * and framebuffers of them. R5G5B5A1, which Gen9 samples and does not render,
 * is not here for that reason; it takes A1R5G5B5 instead. */
#define TARGET(vk, isl)                                                      \
   [VK_FORMAT_##                                                             \
      vk] = { ISL_FORMAT_##isl, true, { RED, GREEN, BLUE, ALPHA }, true }
#define SAME(name) F(name, name)
#define SWIZ(vk, isl, r, g, b, a)                                            \
   [VK_FORMAT_##vk] = { ISL_FORMAT_##isl, true, { r, g, b, a } }

/* clang-format off */
static const struct row rows[] = {
   TARGET(R4G4B4A4_UNORM_PACK16, A4B4G4R4_UNORM),
   SWIZ(B4G4R4A4_UNORM_PACK16, A4B4G4R4_UNORM, BLUE, GREEN, RED, ALPHA),
   F(R5G6B5_UNORM_PACK16, B5G6R5_UNORM),
   SWIZ(B5G6R5_UNORM_PACK16, B5G6R5_UNORM, BLUE, GREEN, RED, ALPHA),
   F(A1R5G5B5_UNORM_PACK16, B5G5R5A1_UNORM),

   SAME(R8_UNORM), SAME(R8_SNORM), SAME(R8_USCALED), SAME(R8_SSCALED),
   SAME(R8_UINT), SAME(R8_SINT),
   SWIZ(R8_SRGB, L8_UNORM_SRGB, RED, ZERO, ZERO, ONE),
   SAME(R8G8_UNORM), SAME(R8G8_SNORM), SAME(R8G8_USCALED),
   SAME(R8G8_SSCALED), SAME(R8G8_UINT), SAME(R8G8_SINT),
   SAME(R8G8B8_UNORM), SAME(R8G8B8_SNORM), SAME(R8G8B8_USCALED),
   SAME(R8G8B8_SSCALED), SAME(R8G8B8_UINT), SAME(R8G8B8_SINT),
   F(R8G8B8_SRGB, R8G8B8_UNORM_SRGB),
   SAME(R8G8B8A8_UNORM), SAME(R8G8B8A8_SNORM), SAME(R8G8B8A8_USCALED),
   SAME(R8G8B8A8_SSCALED), SAME(R8G8B8A8_UINT), SAME(R8G8B8A8_SINT),
   F(R8G8B8A8_SRGB, R8G8B8A8_UNORM_SRGB),
   SAME(B8G8R8A8_UNORM), F(B8G8R8A8_SRGB, B8G8R8A8_UNORM_SRGB),
   /* Sampled alone. */
   SWIZ(B8G8R8A8_SNORM, R8G8B8A8_SNORM, BLUE, GREEN, RED, ALPHA),
   SWIZ(B8G8R8A8_UINT, R8G8B8A8_UINT, BLUE, GREEN, RED, ALPHA),
   SWIZ(B8G8R8A8_SINT, R8G8B8A8_SINT, BLUE, GREEN, RED, ALPHA),
   F(A8B8G8R8_UNORM_PACK32, R8G8B8A8_UNORM),
   F(A8B8G8R8_SNORM_PACK32, R8G8B8A8_SNORM),
   F(A8B8G8R8_USCALED_PACK32, R8G8B8A8_USCALED),
   F(A8B8G8R8_SSCALED_PACK32, R8G8B8A8_SSCALED),
   F(A8B8G8R8_UINT_PACK32, R8G8B8A8_UINT),
   F(A8B8G8R8_SINT_PACK32, R8G8B8A8_SINT),
   F(A8B8G8R8_SRGB_PACK32, R8G8B8A8_UNORM_SRGB),

   F(A2R10G10B10_UNORM_PACK32, B10G10R10A2_UNORM),
   F(A2R10G10B10_SNORM_PACK32, B10G10R10A2_SNORM),
   F(A2R10G10B10_USCALED_PACK32, B10G10R10A2_USCALED),
   F(A2R10G10B10_SSCALED_PACK32, B10G10R10A2_SSCALED),
   F(A2R10G10B10_UINT_PACK32, B10G10R10A2_UINT),
   F(A2R10G10B10_SINT_PACK32, B10G10R10A2_SINT),
   F(A2B10G10R10_UNORM_PACK32, R10G10B10A2_UNORM),
   F(A2B10G10R10_SNORM_PACK32, R10G10B10A2_SNORM),
   F(A2B10G10R10_USCALED_PACK32, R10G10B10A2_USCALED),
   F(A2B10G10R10_SSCALED_PACK32, R10G10B10A2_SSCALED),
   F(A2B10G10R10_UINT_PACK32, R10G10B10A2_UINT),
   F(A2B10G10R10_SINT_PACK32, R10G10B10A2_SINT),

   SAME(R16_UNORM), SAME(R16_SNORM), SAME(R16_USCALED), SAME(R16_SSCALED),
   SAME(R16_UINT), SAME(R16_SINT), F(R16_SFLOAT, R16_FLOAT),
   SAME(R16G16_UNORM), SAME(R16G16_SNORM), SAME(R16G16_USCALED),
   SAME(R16G16_SSCALED), SAME(R16G16_UINT), SAME(R16G16_SINT),
   F(R16G16_SFLOAT, R16G16_FLOAT),
   SAME(R16G16B16_UNORM), SAME(R16G16B16_SNORM), SAME(R16G16B16_USCALED),
   SAME(R16G16B16_SSCALED), SAME(R16G16B16_UINT), SAME(R16G16B16_SINT),
   F(R16G16B16_SFLOAT, R16G16B16_FLOAT),
   SAME(R16G16B16A16_UNORM), SAME(R16G16B16A16_SNORM),
   SAME(R16G16B16A16_USCALED), SAME(R16G16B16A16_SSCALED),
   SAME(R16G16B16A16_UINT), SAME(R16G16B16A16_SINT),
   F(R16G16B16A16_SFLOAT, R16G16B16A16_FLOAT),
   SAME(R32_UINT), SAME(R32_SINT), F(R32_SFLOAT, R32_FLOAT),
   SAME(R32G32_UINT), SAME(R32G32_SINT), F(R32G32_SFLOAT, R32G32_FLOAT),
   SAME(R32G32B32_UINT), SAME(R32G32B32_SINT),
   F(R32G32B32_SFLOAT, R32G32B32_FLOAT),
   SAME(R32G32B32A32_UINT), SAME(R32G32B32A32_SINT),
   F(R32G32B32A32_SFLOAT, R32G32B32A32_FLOAT),
   /* Vertices alone. */
   F(R64_SFLOAT, R64_PASSTHRU), F(R64G64_SFLOAT, R64G64_PASSTHRU),
   F(R64G64B64_SFLOAT, R64G64B64_PASSTHRU),
   F(R64G64B64A64_SFLOAT, R64G64B64A64_PASSTHRU),
   F(R64_UINT, R64_PASSTHRU), F(R64G64_UINT, R64G64_PASSTHRU),
   F(R64G64B64_UINT, R64G64B64_PASSTHRU),
   F(R64G64B64A64_UINT, R64G64B64A64_PASSTHRU),
   F(R64_SINT, R64_PASSTHRU), F(R64G64_SINT, R64G64_PASSTHRU),
   F(R64G64B64_SINT, R64G64B64_PASSTHRU),
   F(R64G64B64A64_SINT, R64G64B64A64_PASSTHRU),
   F(B10G11R11_UFLOAT_PACK32, R11G11B10_FLOAT),
   F(E5B9G9R9_UFLOAT_PACK32, R9G9B9E5_SHAREDEXP),

   F(D16_UNORM, R16_UNORM),
   F(D16_UNORM_S8_UINT, R16_UNORM),
   F(X8_D24_UNORM_PACK32, R24_UNORM_X8_TYPELESS),
   F(D24_UNORM_S8_UINT, R24_UNORM_X8_TYPELESS),
   F(D32_SFLOAT, R32_FLOAT),
   F(D32_SFLOAT_S8_UINT, R32_FLOAT),
   F(S8_UINT, R8_UINT),

   SWIZ(BC1_RGB_UNORM_BLOCK, BC1_UNORM, RED, GREEN, BLUE, ONE),
   SWIZ(BC1_RGB_SRGB_BLOCK, BC1_UNORM_SRGB, RED, GREEN, BLUE, ONE),
   F(BC1_RGBA_UNORM_BLOCK, BC1_UNORM), F(BC1_RGBA_SRGB_BLOCK, BC1_UNORM_SRGB),
   F(BC2_UNORM_BLOCK, BC2_UNORM), F(BC2_SRGB_BLOCK, BC2_UNORM_SRGB),
   F(BC3_UNORM_BLOCK, BC3_UNORM), F(BC3_SRGB_BLOCK, BC3_UNORM_SRGB),
   F(BC4_UNORM_BLOCK, BC4_UNORM), F(BC4_SNORM_BLOCK, BC4_SNORM),
   F(BC5_UNORM_BLOCK, BC5_UNORM), F(BC5_SNORM_BLOCK, BC5_SNORM),
   F(BC6H_UFLOAT_BLOCK, BC6H_UF16), F(BC6H_SFLOAT_BLOCK, BC6H_SF16),
   F(BC7_UNORM_BLOCK, BC7_UNORM), F(BC7_SRGB_BLOCK, BC7_UNORM_SRGB),

   F(ETC2_R8G8B8_UNORM_BLOCK, ETC2_RGB8),
   F(ETC2_R8G8B8_SRGB_BLOCK, ETC2_SRGB8),
   F(ETC2_R8G8B8A1_UNORM_BLOCK, ETC2_RGB8_PTA),
   F(ETC2_R8G8B8A1_SRGB_BLOCK, ETC2_SRGB8_PTA),
   F(ETC2_R8G8B8A8_UNORM_BLOCK, ETC2_EAC_RGBA8),
   F(ETC2_R8G8B8A8_SRGB_BLOCK, ETC2_EAC_SRGB8_A8),
   F(EAC_R11_UNORM_BLOCK, EAC_R11), F(EAC_R11_SNORM_BLOCK, EAC_SIGNED_R11),
   F(EAC_R11G11_UNORM_BLOCK, EAC_RG11),
   F(EAC_R11G11_SNORM_BLOCK, EAC_SIGNED_RG11),

   /* 5x5 must not be in the sampler's cache beside what has a CCS or HiZ
    * (chip-rules CC-31). Nothing that is sampled has: they live for a pass
    * whose layout lets nobody else read (saf_fast_clear.c, saf_hiz.c), and
    * surface states of textures name an MCS alone (saf_image_view.c). */
#define ASTC(vk, isl)                                                        \
   F(ASTC_##vk##_UNORM_BLOCK, ASTC_LDR_2D_##isl##_FLT16),                    \
   F(ASTC_##vk##_SRGB_BLOCK, ASTC_LDR_2D_##isl##_U8SRGB)
   ASTC(4x4, 4X4), ASTC(5x4, 5X4), ASTC(5x5, 5X5), ASTC(6x5, 6X5),
   ASTC(6x6, 6X6), ASTC(8x5, 8X5), ASTC(8x6, 8X6), ASTC(8x8, 8X8),
   ASTC(10x5, 10X5), ASTC(10x6, 10X6), ASTC(10x8, 10X8),
   ASTC(10x10, 10X10), ASTC(12x10, 12X10), ASTC(12x12, 12X12),
#undef ASTC
};
/* clang-format on */

/* Of an extension: its number is far from those above. A4B4G4R4 is the same
 * with red and blue exchanged, but so would be custom borders of samplers
 * that do not know the format, which Vulkan allows for other formats alone
 * (VUID-VkSamplerCustomBorderColorCreateInfoEXT-format-04014). */
static const struct row a4r4g4b4 = { ISL_FORMAT_B4G4R4A4_UNORM,
                                     true,
                                     { RED, GREEN, BLUE, ALPHA } };

/* Without A4B4G4R4 (up to Haswell). The sampler swizzles borders, too: its
 * colour is made for the image that it is combined with (genX_sampler.c). A
 * sampler of a binding of its own may be used with several images; its opaque
 * black has another alpha here than Vulkan wants. */
static const struct row b4g4r4a4_gen7 = { ISL_FORMAT_B4G4R4A4_UNORM,
                                          true,
                                          { GREEN, RED, ALPHA, BLUE } };

static const struct row a1b5g5r5 = { ISL_FORMAT_B5G5R5A1_UNORM,
                                     true,
                                     { BLUE, GREEN, RED, ALPHA } };
static const struct row a8 = { ISL_FORMAT_A8_UNORM,
                               true,
                               { RED, GREEN, BLUE, ALPHA } };

static const struct row *
first_row(VkFormat format)
{
   if (format == VK_FORMAT_A1B5G5R5_UNORM_PACK16_KHR)
      return &a1b5g5r5;
   if (format == VK_FORMAT_A8_UNORM_KHR)
      return &a8;
   if (format == VK_FORMAT_A4R4G4B4_UNORM_PACK16)
      return &a4r4g4b4;
   if ((unsigned)format >= ARRAY_SIZE(rows) || !rows[format].valid)
      return NULL;
   return &rows[format];
}

static const struct row *
find_row(const struct intel_device_info *info, VkFormat format)
{
   if (format == VK_FORMAT_B4G4R4A4_UNORM_PACK16 &&
       !isl_format_supports(info, ISL_FORMAT_A4B4G4R4_UNORM,
                            ISL_FORMAT_USE_SAMPLED))
      return &b4g4r4a4_gen7;
   return first_row(format);
}

bool
saf_format_is_known(VkFormat format)
{
   return first_row(format) != NULL;
}

VkImageAspectFlags
saf_format_aspects(VkFormat format)
{
   const struct saf_planar_format *planar = saf_planar_format(format);
   if (planar && planar->packed)
      return VK_IMAGE_ASPECT_COLOR_BIT;
   if (planar)
      return BITFIELD_MASK(planar->plane_count) * VK_IMAGE_ASPECT_PLANE_0_BIT;
   switch (format) {
   case VK_FORMAT_D16_UNORM:
   case VK_FORMAT_X8_D24_UNORM_PACK32:
   case VK_FORMAT_D32_SFLOAT: return VK_IMAGE_ASPECT_DEPTH_BIT;
   case VK_FORMAT_S8_UINT: return VK_IMAGE_ASPECT_STENCIL_BIT;
   case VK_FORMAT_D24_UNORM_S8_UINT:
   case VK_FORMAT_D32_SFLOAT_S8_UINT:
   case VK_FORMAT_D16_UNORM_S8_UINT:
      return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
   default: return VK_IMAGE_ASPECT_COLOR_BIT;
   }
}

struct saf_format
saf_get_format(const struct intel_device_info *info, VkFormat format,
               VkImageAspectFlagBits aspect)
{
   const struct saf_planar_format *planar = saf_planar_format(format);
   if (planar)
      return (struct saf_format) {
         saf_planar_surface_format(planar, saf_plane_number(aspect)),
         ISL_SWIZZLE_IDENTITY,
      };
   const struct row *row = find_row(info, format);
   assert(row && "format was advertised");
   if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
      return (struct saf_format) { ISL_FORMAT_R8_UINT, ISL_SWIZZLE_IDENTITY };
   return (struct saf_format) { row->format, row->swizzle };
}

static bool
is_identity(struct isl_swizzle s)
{
   return s.r == RED && s.g == GREEN && s.b == BLUE && s.a == ALPHA;
}

/* Of what is filtered and stored by texels: each channel for itself. */
static VkFormatFeatureFlags
minmax_feature(const struct intel_device_info *info, enum isl_format f)
{
   return saf_has_device_extension(info,
                                   SAF_DEVICE_VK_EXT_sampler_filter_minmax) &&
                !isl_format_is_compressed(f)
             ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT
             : 0;
}

static VkFormatFeatureFlags
depth_stencil_features(const struct intel_device_info *info, VkFormat format)
{
   VkFormatFeatureFlags flags =
      VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
      VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT |
      VK_FORMAT_FEATURE_BLIT_DST_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
      VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
   const struct saf_format f =
      saf_get_format(info, format, VK_IMAGE_ASPECT_DEPTH_BIT);
   if (format != VK_FORMAT_S8_UINT &&
       isl_format_supports(info, f.format, ISL_FORMAT_USE_FILTERED))
      flags |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
               minmax_feature(info, f.format);
   return flags;
}

/* Stored to, and read back in some format. */
static bool
has_storage(const struct intel_device_info *info, const struct row *row)
{
   return is_identity(row->swizzle) &&
          isl_format_supports(info, row->format,
                              ISL_FORMAT_USE_TYPED_WRITE) &&
          isl_storage_read_format(info, row->format) !=
             ISL_FORMAT_UNSUPPORTED;
}

struct saf_storage_read
saf_storage_read(const struct intel_device_info *info, enum isl_format format)
{
   const enum isl_format read = isl_storage_read_format(info, format);
   return (struct saf_storage_read) {
      .format = read == ISL_FORMAT_UNSUPPORTED ? format : read,
      .raw = read == ISL_FORMAT_RAW,
   };
}

static bool
has_atomics(enum isl_format format)
{
   return format == ISL_FORMAT_R32_UINT || format == ISL_FORMAT_R32_SINT ||
          format == ISL_FORMAT_R32_FLOAT;
}

/* What is reconstructed is filtered by the sampler's own filters. */
#define CONVERTED_FEATURES                                                   \
   (VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT |     \
    VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT |                          \
    VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT)
#define PLANAR_FEATURES                                                      \
   (CONVERTED_FEATURES | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |               \
    VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT |                      \
    VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT)

VkFormatFeatureFlags
saf_image_format_features(const struct saf_physical_device *pdev,
                          VkFormat format, VkImageTiling tiling)
{
   const struct intel_device_info *info = pdev->info;
   const struct row *row = find_row(info, format);
   const struct saf_planar_format *planar = saf_planar_format(format);
   if (planar)
      return PLANAR_FEATURES |
             (planar->packed ? 0 : VK_FORMAT_FEATURE_DISJOINT_BIT);
   if (!row)
      return 0;
   if (saf_format_aspects(format) != VK_IMAGE_ASPECT_COLOR_BIT)
      return tiling == VK_IMAGE_TILING_OPTIMAL
                ? depth_stencil_features(info, format)
                : 0;

   VkFormatFeatureFlags flags = 0;
   const enum isl_format f = row->format;
   const uint32_t bpb = isl_format_get_layout(f)->bpb;
   if (isl_format_supports(info, f, ISL_FORMAT_USE_SAMPLED)) {
      flags |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
               VK_FORMAT_FEATURE_BLIT_SRC_BIT;
      if (isl_format_supports(info, f, ISL_FORMAT_USE_FILTERED))
         flags |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
                  minmax_feature(info, f);
   }
   if (saf_format_is_444(format))
      flags |= CONVERTED_FEATURES;
   /* The swizzle of a view does not apply to what is rendered. */
   if (is_identity(row->swizzle) &&
       isl_format_supports(info, f, ISL_FORMAT_USE_RENDER)) {
      flags |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT |
               VK_FORMAT_FEATURE_BLIT_DST_BIT;
      if (isl_format_supports(info, f, ISL_FORMAT_USE_BLENDED))
         flags |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
   }
   if (has_storage(info, row))
      flags |= VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
   if (has_storage(info, row) && has_atomics(f))
      flags |= VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT;
   /* Copies go by the format of unsigned integers of the same size. */
   if (flags && util_is_power_of_two_nonzero(bpb))
      flags |= VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
               VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
   /* No images that cannot be filled. */
   if (!(flags & VK_FORMAT_FEATURE_TRANSFER_DST_BIT) ||
       (row->only_target &&
        !(flags & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)))
      return 0;
   return flags;
}

enum isl_format
saf_vertex_fetch_format(const struct intel_device_info *info,
                        enum isl_format format)
{
   const struct isl_format_layout *l = isl_format_get_layout(format);
   if (isl_format_supports(info, format, ISL_FORMAT_USE_VERTEX_FETCH))
      return format;
   /* Integers that floats hold. */
   switch ((int)format) {
   case ISL_FORMAT_R8G8B8_UINT: return ISL_FORMAT_R8G8B8_USCALED;
   case ISL_FORMAT_R8G8B8_SINT: return ISL_FORMAT_R8G8B8_SSCALED;
   case ISL_FORMAT_R16G16B16_UINT: return ISL_FORMAT_R16G16B16_USCALED;
   case ISL_FORMAT_R16G16B16_SINT: return ISL_FORMAT_R16G16B16_SSCALED;
   }
   return l->channels.g.bits == 10 && l->channels.a.bits == 2
             ? ISL_FORMAT_R32_UINT
             : ISL_FORMAT_UNSUPPORTED;
}

bool
saf_fetches_all_formats(const struct intel_device_info *info)
{
   for (unsigned f = 0; f < ARRAY_SIZE(rows); f++) {
      if (rows[f].valid &&
          saf_vertex_fetch_format(info, rows[f].format) != rows[f].format &&
          saf_vertex_fetch_format(info, rows[f].format) !=
             ISL_FORMAT_UNSUPPORTED)
         return false;
   }
   return true;
}

static VkFormatFeatureFlags
buffer_format_features(const struct saf_physical_device *pdev,
                       VkFormat format)
{
   const struct row *row = find_row(pdev->info, format);
   if (!row || saf_format_aspects(format) != VK_IMAGE_ASPECT_COLOR_BIT ||
       isl_format_is_compressed(row->format))
      return 0;
   VkFormatFeatureFlags flags = 0;
   if (isl_format_supports(pdev->info, row->format, ISL_FORMAT_USE_SAMPLED) &&
       !isl_format_is_srgb(row->format))
      flags |= VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
   if (is_identity(row->swizzle) &&
       saf_vertex_fetch_format(pdev->info, row->format) !=
          ISL_FORMAT_UNSUPPORTED)
      flags |= VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
   if (has_storage(pdev->info, row))
      flags |= VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
   if (has_storage(pdev->info, row) && has_atomics(row->format))
      flags |= VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
   return flags;
}

VkFormatFeatureFlags2
saf_format_features2(const struct saf_physical_device *pdev, VkFormat format,
                     VkFormatFeatureFlags features)
{
   VkFormatFeatureFlags2 out = features;
   if (features & (VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT |
                   VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT)) {
      out |= VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
      if (saf_reads_any_format(pdev->info))
         out |= VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT;
   }
   if ((features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) &&
       (saf_format_aspects(format) & VK_IMAGE_ASPECT_DEPTH_BIT))
      out |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
   if (features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)
      out |= VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT_EXT;
   return out;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceFormatProperties(VkPhysicalDevice _pdev, VkFormat format,
                                      VkFormatProperties *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   *out = (VkFormatProperties) {
      .linearTilingFeatures =
         saf_image_format_features(pdev, format, VK_IMAGE_TILING_LINEAR),
      .optimalTilingFeatures =
         saf_image_format_features(pdev, format, VK_IMAGE_TILING_OPTIMAL),
      .bufferFeatures = buffer_format_features(pdev, format),
   };
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice _pdev,
                                       VkFormat format,
                                       VkFormatProperties2 *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   saf_GetPhysicalDeviceFormatProperties(_pdev, format,
                                         &out->formatProperties);
   const VkFormatProperties *p = &out->formatProperties;
   saf_foreach_out_struct(s, out->pNext)
   {
      VkFormatProperties3 *p3 = (void *)s;
      switch ((int)s->sType) {
      case VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT:
         saf_fill_modifiers(pdev, format, (void *)s);
         break;
      case VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT:
         saf_fill_modifiers2(pdev, format, (void *)s);
         break;
      case VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3:
         p3->linearTilingFeatures =
            saf_format_features2(pdev, format, p->linearTilingFeatures);
         p3->optimalTilingFeatures =
            saf_format_features2(pdev, format, p->optimalTilingFeatures);
         p3->bufferFeatures =
            saf_format_features2(pdev, format, p->bufferFeatures);
         break;
      default: break;
      }
   }
}

/* ---- images of a format ---- */

static bool
usage_is_possible(VkFormatFeatureFlags features, VkImageUsageFlags usage)
{
   static const struct {
      VkImageUsageFlags usage;
      VkFormatFeatureFlags feature; /* one of these */
   } needs[] = {
      { VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT },
      { VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT },
      { VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT },
      { VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
        VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT },
      { VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
        VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT |
           VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(needs); i++) {
      if ((usage & needs[i].usage) && !(features & needs[i].feature))
         return false;
   }
   return true;
}

/* `features`: of the format with this tiling. */
static VkResult
image_format_properties(VkPhysicalDevice _pdev, VkFormat format,
                        VkFormatFeatureFlags features, VkImageType type,
                        VkImageTiling tiling, VkImageUsageFlags usage,
                        VkImageCreateFlags flags,
                        VkImageFormatProperties *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   VkPhysicalDeviceProperties props;
   saf_GetPhysicalDeviceProperties(_pdev, &props);
   const VkPhysicalDeviceLimits *l = &props.limits;

   const bool planar = saf_planar_format(format) != NULL;
   const bool depth = !planar &&
                      saf_format_aspects(format) != VK_IMAGE_ASPECT_COLOR_BIT;
   const bool sparse = flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
   /* With EXTENDED_USAGE a view's format decides. */
   const bool any_usage = flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
   if (!features || sparse ||
       ((usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT) &&
        !(features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) ||
       (!any_usage && !usage_is_possible(features, usage)) ||
       (depth && type == VK_IMAGE_TYPE_3D) ||
       (planar && (type != VK_IMAGE_TYPE_2D ||
                   (flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT))))
      return VK_ERROR_FORMAT_NOT_SUPPORTED;
   const bool compressed =
      !depth && !planar &&
      isl_format_is_compressed(find_row(pdev->info, format)->format);
   if (compressed && type == VK_IMAGE_TYPE_1D)
      return VK_ERROR_FORMAT_NOT_SUPPORTED;
   /* Slices of blocks are no surface there: isl_surf_of_blocks(). */
   if (compressed && type == VK_IMAGE_TYPE_3D &&
       pdev->info->levels_3d_below &&
       (flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT))
      return VK_ERROR_FORMAT_NOT_SUPPORTED;

   uint32_t largest = 0;
   switch ((int)type) {
   case VK_IMAGE_TYPE_1D:
      largest = l->maxImageDimension1D;
      out->maxExtent = (VkExtent3D) { largest, 1, 1 };
      break;
   case VK_IMAGE_TYPE_2D:
      largest = flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT
                   ? l->maxImageDimensionCube
                   : l->maxImageDimension2D;
      out->maxExtent = (VkExtent3D) { largest, largest, 1 };
      break;
   case VK_IMAGE_TYPE_3D:
      largest = l->maxImageDimension3D;
      out->maxExtent = (VkExtent3D) { largest, largest, largest };
      break;
   default: return VK_ERROR_FORMAT_NOT_SUPPORTED;
   }
   out->maxMipLevels = util_logbase2(largest) + 1;
   out->maxArrayLayers = type == VK_IMAGE_TYPE_3D ? 1
                                                  : l->maxImageArrayLayers;
   out->sampleCounts = VK_SAMPLE_COUNT_1_BIT;
   const VkFormatFeatureFlags targets =
      VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT |
      VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
   if (tiling == VK_IMAGE_TILING_OPTIMAL && type == VK_IMAGE_TYPE_2D &&
       (features & targets) && !(flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT))
      out->sampleCounts = usage & VK_IMAGE_USAGE_STORAGE_BIT
                             ? l->storageImageSampleCounts
                             : l->framebufferColorSampleCounts;
   /* The host copies no images of several samples. */
   if (usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT)
      out->sampleCounts = VK_SAMPLE_COUNT_1_BIT;
   if (tiling != VK_IMAGE_TILING_OPTIMAL) {
      if (type != VK_IMAGE_TYPE_2D)
         return VK_ERROR_FORMAT_NOT_SUPPORTED;
      out->maxMipLevels = 1;
      out->maxArrayLayers = 1;
   }
   if (planar)
      out->maxMipLevels = 1;
   out->maxResourceSize = 1ull << 31;
   return VK_SUCCESS;
}

VkImageUsageFlags
saf_image_usage(VkImageUsageFlags usage, const void *chain)
{
   const VkImageStencilUsageCreateInfo *stencil = saf_find_struct(
      chain, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
   return stencil ? usage | stencil->stencilUsage : usage;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceImageFormatProperties2(
   VkPhysicalDevice _pdev, const VkPhysicalDeviceImageFormatInfo2 *info,
   VkImageFormatProperties2 *out)
{
   SAF_FROM_HANDLE(saf_physical_device, pdev, _pdev);
   const VkPhysicalDeviceImageDrmFormatModifierInfoEXT *m = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT);
   VkFormatFeatureFlags features = 0;
   if (info->tiling == VK_IMAGE_TILING_OPTIMAL ||
       info->tiling == VK_IMAGE_TILING_LINEAR)
      features = saf_image_format_features(pdev, info->format, info->tiling);
   else if (m)
      features =
         saf_modifier_features(pdev, info->format, m->drmFormatModifier);

   VkImageFormatProperties *p = &out->imageFormatProperties;
   memset(p, 0, sizeof(*p));
   VkResult result = image_format_properties(
      _pdev, info->format, features, info->type, info->tiling,
      saf_image_usage(info->usage, info->pNext), info->flags, p);
   if (!result)
      result = saf_external_image_properties(info, out->pNext);
   VkSamplerYcbcrConversionImageFormatProperties *ycbcr =
      (void *)saf_find_struct(
         out->pNext,
         VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES);
   VkHostImageCopyDevicePerformanceQueryEXT *host = (void *)saf_find_struct(
      out->pNext,
      VK_STRUCTURE_TYPE_HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY_EXT);
   /* Nothing lies elsewhere for it. */
   if (host)
      host->optimalDeviceAccess = host->identicalMemoryLayout = true;
   saf_fill_compression(!saf_wants_no_control(info->pNext), out->pNext);
   /* One of a set's, whatever it takes of a table. */
   if (ycbcr)
      ycbcr->combinedImageSamplerDescriptorCount = 1;
   /* Nothing of what was found out before it failed. */
   if (result)
      memset(p, 0, sizeof(*p));
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice pdev,
                                           VkFormat format, VkImageType type,
                                           VkImageTiling tiling,
                                           VkImageUsageFlags usage,
                                           VkImageCreateFlags flags,
                                           VkImageFormatProperties *out)
{
   const VkPhysicalDeviceImageFormatInfo2 info = {
      .format = format,
      .type = type,
      .tiling = tiling,
      .usage = usage,
      .flags = flags,
   };
   VkImageFormatProperties2 all = { .pNext = NULL };
   const VkResult result =
      saf_GetPhysicalDeviceImageFormatProperties2(pdev, &info, &all);
   *out = all.imageFormatProperties;
   return result;
}
