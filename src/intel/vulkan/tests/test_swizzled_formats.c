/* SPDX-License-Identifier: MIT */
/*
 * Formats whose channels the hardware has in another order, and some whose
 * order it has: texels, texel buffers, borders and gathered components, by
 * each kind of border colour and through swizzled views. What is expected
 * follows from the bits that Vulkan gives each channel.
 */
#include "util/macros.h"
#include "vkt.h"

#include <math.h>
#include <string.h>

#include "swizzled_formats_swizzled_float_comp.h"
#include "swizzled_formats_swizzled_int_comp.h"
#include "swizzled_formats_swizzled_uint_comp.h"

enum type { UNORM, SNORM, SINT, UINT };

struct format {
   VkFormat format;
   enum type type;
   struct {
      uint8_t shift, bits; /* bits 0: there is no such channel */
   } channels[4];
   /* A custom border colour must be made for it (Vulkan, VUID-...-04014). */
   bool border_needs_format;
};

#define RGBA8                                                                \
   {                                                                         \
      { 0, 8 }, { 8, 8 }, { 16, 8 },                                         \
      {                                                                      \
         24, 8                                                               \
      }                                                                      \
   }
#define BGRA8                                                                \
   {                                                                         \
      { 16, 8 }, { 8, 8 }, { 0, 8 },                                         \
      {                                                                      \
         24, 8                                                               \
      }                                                                      \
   }

static const struct format formats[] = {
   { VK_FORMAT_B4G4R4A4_UNORM_PACK16,
     UNORM,
     { { 4, 4 }, { 8, 4 }, { 12, 4 }, { 0, 4 } },
     true },
   { VK_FORMAT_R4G4B4A4_UNORM_PACK16,
     UNORM,
     { { 12, 4 }, { 8, 4 }, { 4, 4 }, { 0, 4 } },
     false },
   { VK_FORMAT_A4R4G4B4_UNORM_PACK16,
     UNORM,
     { { 8, 4 }, { 4, 4 }, { 0, 4 }, { 12, 4 } },
     false },
   { VK_FORMAT_B5G6R5_UNORM_PACK16,
     UNORM,
     { { 0, 5 }, { 5, 6 }, { 11, 5 } },
     true },
   { VK_FORMAT_R5G6B5_UNORM_PACK16,
     UNORM,
     { { 11, 5 }, { 5, 6 }, { 0, 5 } },
     false },
   { VK_FORMAT_A1R5G5B5_UNORM_PACK16,
     UNORM,
     { { 10, 5 }, { 5, 5 }, { 0, 5 }, { 15, 1 } },
     false },
   { VK_FORMAT_A1B5G5R5_UNORM_PACK16_KHR,
     UNORM,
     { { 0, 5 }, { 5, 5 }, { 10, 5 }, { 15, 1 } },
     true },
   { VK_FORMAT_B8G8R8A8_UNORM, UNORM, BGRA8, false },
   { VK_FORMAT_B8G8R8A8_SNORM, SNORM, BGRA8, false },
   { VK_FORMAT_B8G8R8A8_SINT, SINT, BGRA8, false },
   { VK_FORMAT_B8G8R8A8_UINT, UINT, BGRA8, false },
   { VK_FORMAT_R8G8B8A8_UNORM, UNORM, RGBA8, false },
   { VK_FORMAT_R8G8B8A8_SINT, SINT, RGBA8, false },
   { VK_FORMAT_R8G8_UNORM, UNORM, { { 0, 8 }, { 8, 8 } }, false },
   { VK_FORMAT_R8_UINT, UINT, { { 0, 8 } }, false },
   { VK_FORMAT_A2R10G10B10_UNORM_PACK32,
     UNORM,
     { { 20, 10 }, { 10, 10 }, { 0, 10 }, { 30, 2 } },
     false },
};

/* Largest, half and a quarter of it, none. */
static uint32_t
raw_channel(const struct format *f, unsigned c)
{
   const uint32_t max =
      (1u << (f->channels[c].bits - (f->type == SNORM || f->type == SINT))) -
      1;
   return c == 3 ? 0 : max >> c;
}

union value {
   float f;
   int32_t i;
};

struct color {
   union value c[4];
};

static bool
is_integer(const struct format *f)
{
   return f->type == SINT || f->type == UINT;
}

static union value
number(const struct format *f, float value)
{
   if (is_integer(f))
      return (union value) { .i = (int32_t)value };
   return (union value) { .f = value };
}

static struct color
texel_color(const struct format *f)
{
   struct color out;
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t bits = f->channels[c].bits;
      const uint32_t max = (1u << (bits - (f->type == SNORM))) - 1;
      const float raw = bits ? (float)raw_channel(f, c) : 0;
      if (!bits)
         out.c[c] = number(f, c == 3);
      else
         out.c[c] = number(f, is_integer(f) ? raw : raw / (float)max);
   }
   return out;
}

static uint32_t
texel_bits(const struct format *f)
{
   uint32_t out = 0;
   for (unsigned c = 0; c < 4; c++) {
      if (f->channels[c].bits)
         out |= raw_channel(f, c) << f->channels[c].shift;
   }
   return out;
}

/* ---- borders ---- */

enum border { TRANSPARENT, BLACK, WHITE, CUSTOM, CUSTOM_OF_NONE, BORDERS };

static const float custom[4] = { 1, 0.5f, 0.25f, 0 };
static const float custom_integers[4] = { 7, 5, 3, 2 };

static VkSampler
create_sampler(const struct format *f, enum border border)
{
   static const VkBorderColor colors[BORDERS][2] = {
      { VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
        VK_BORDER_COLOR_INT_TRANSPARENT_BLACK },
      { VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK,
        VK_BORDER_COLOR_INT_OPAQUE_BLACK },
      { VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE,
        VK_BORDER_COLOR_INT_OPAQUE_WHITE },
      { VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, VK_BORDER_COLOR_INT_CUSTOM_EXT },
      { VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, VK_BORDER_COLOR_INT_CUSTOM_EXT },
   };
   VKT_INFO(SamplerCustomBorderColorCreateInfoEXT, color,
            .format = border == CUSTOM ? f->format : VK_FORMAT_UNDEFINED);
   for (unsigned c = 0; c < 4; c++) {
      const union value v =
         number(f, is_integer(f) ? custom_integers[c] : custom[c]);
      memcpy(&color.customBorderColor.uint32[c], &v, 4);
   }
   return VKT_NEW(Sampler, SAMPLER, .pNext = border >= CUSTOM ? &color : NULL,
                  .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                  .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                  .borderColor = colors[border][is_integer(f)]);
}

/* Channels that the format lacks are 0, alpha 1. */
static struct color
border_color(const struct format *f, enum border border)
{
   struct color out;
   for (unsigned c = 0; c < 4; c++) {
      float v = border == TRANSPARENT ? 0 : 1;
      if (border == BLACK)
         v = c == 3;
      if (border >= CUSTOM)
         v = is_integer(f) ? custom_integers[c] : custom[c];
      out.c[c] = number(f, f->channels[c].bits ? v : c == 3);
   }
   return out;
}

/* ---- views ---- */

#define SWIZZLE(r, g, b, a)                                                  \
   {                                                                         \
      VK_COMPONENT_SWIZZLE_##r, VK_COMPONENT_SWIZZLE_##g,                    \
         VK_COMPONENT_SWIZZLE_##b, VK_COMPONENT_SWIZZLE_##a                  \
   }

/* The first are no swizzle. */
#define IDENTITIES 2
static const VkComponentMapping swizzles[] = {
   SWIZZLE(IDENTITY, IDENTITY, IDENTITY, IDENTITY),
   SWIZZLE(IDENTITY, G, B, A),
   SWIZZLE(B, G, R, A),
   SWIZZLE(A, ONE, G, ZERO),
};

static struct color
swizzled(const struct format *f, struct color in, VkComponentMapping m)
{
   const VkComponentSwizzle s[4] = { m.r, m.g, m.b, m.a };
   struct color out;
   for (unsigned c = 0; c < 4; c++) {
      if (s[c] == VK_COMPONENT_SWIZZLE_IDENTITY)
         out.c[c] = in.c[c];
      else if (s[c] <= VK_COMPONENT_SWIZZLE_ONE)
         out.c[c] = number(f, s[c] == VK_COMPONENT_SWIZZLE_ONE);
      else
         out.c[c] = in.c[s[c] - VK_COMPONENT_SWIZZLE_R];
   }
   return out;
}

/* ---- what shaders see ---- */

enum { BORDER, GATHERED, TEXEL = GATHERED + 4, IN_BUFFER, RESULTS };

static void
expect(const struct format *f, const char *what, const union value *got,
       const union value *want, unsigned a, unsigned b)
{
   for (unsigned c = 0; c < 4; c++) {
      if (is_integer(f) ? got[c].i != want[c].i
                        : !(fabsf(got[c].f - want[c].f) < 1.0f / 64))
         fail_msg("format %d: %s, border %u, swizzle %u: component %u is "
                  "%g (0x%x), not %g (0x%x)",
                  (int)f->format, what, a, b, c, (double)got[c].f,
                  (unsigned)got[c].i, (double)want[c].f, (unsigned)want[c].i);
   }
}

/* Of the format; if there are no texel buffers of it, of a number. */
static VkBufferView
texel_view(const struct format *f, const struct vkt_buffer *buffer, bool *has)
{
   VkFormatProperties p;
   vkGetPhysicalDeviceFormatProperties(vkt.pdev, f->format, &p);
   *has = p.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
   return VKT_NEW(BufferView, BUFFER_VIEW, .buffer = buffer->buffer,
                  .format = *has              ? f->format
                            : f->type == SINT ? VK_FORMAT_R32_SINT
                            : f->type == UINT ? VK_FORMAT_R32_UINT
                                              : VK_FORMAT_R32_SFLOAT,
                  .range = VK_WHOLE_SIZE);
}

static void
look(const struct format *f, const struct vkt_image *image, VkSampler sampler,
     VkBufferView texels, const struct vkt_buffer *out)
{
   const struct vkt_shader shaders[] = {
      [UNORM] = VKT_SHADER(swizzled_float_comp),
      [SNORM] = VKT_SHADER(swizzled_float_comp),
      [SINT] = VKT_SHADER(swizzled_int_comp),
      [UINT] = VKT_SHADER(swizzled_uint_comp),
   };
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image->view,
        .sampler = sampler },
      { .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .texels = texels },
      { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = out->buffer },
   };
   vkt_compute(shaders[f->type], resources, ARRAY_SIZE(resources), 1);
}

static void
check(const struct format *f, enum border border, unsigned s)
{
   const uint32_t bits = texel_bits(f);
   struct vkt_image image = VKT_IMAGE(.format = f->format, .width = 1,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                                      .swizzle = swizzles[s]);
   uint32_t size_B = 1;
   for (unsigned c = 0; c < 4; c++)
      size_B =
         MAX2(size_B, (f->channels[c].shift + f->channels[c].bits) / 8u);
   vkt_image_write(&image, 0, &bits, size_B);
   struct vkt_buffer buffer =
      vkt_buffer_create_without(16, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
   struct vkt_buffer out = vkt_buffer_create(RESULTS * sizeof(struct color));
   memcpy(buffer.map, &bits, 4);
   bool has_texels;
   VkBufferView texels = texel_view(f, &buffer, &has_texels);
   VkSampler sampler = create_sampler(f, border);
   look(f, &image, sampler, texels, &out);

   const union value(*got)[4] = out.map;
   const struct color plain = texel_color(f);
   const struct color texel = swizzled(f, plain, swizzles[s]);
   expect(f, "texel", got[TEXEL], texel.c, border, s);
   if (has_texels)
      expect(f, "texel of a buffer", got[IN_BUFFER], plain.c, border, s);
   /* Only then is the border of a swizzled view defined. */
   if (s < IDENTITIES || vkt_has_extension("VK_EXT_border_color_swizzle")) {
      const struct color edge =
         swizzled(f, border_color(f, border), swizzles[s]);
      expect(f, "border", got[BORDER], edge.c, border, s);
      for (unsigned c = 0; c < 4; c++) {
         const union value same[4] = { edge.c[c], edge.c[c], edge.c[c],
                                       edge.c[c] };
         expect(f, "gathered border", got[GATHERED + c], same, border, s);
      }
   }
   vkDestroySampler(vkt.device, sampler, NULL);
   vkDestroyBufferView(vkt.device, texels, NULL);
   vkt_buffer_destroy(&out);
   vkt_buffer_destroy(&buffer);
   vkt_image_destroy(&image);
}

static void
test_formats(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      const struct format *f = &formats[i];
      VkFormatProperties p;
      if (f->format == VK_FORMAT_A1B5G5R5_UNORM_PACK16_KHR &&
          vkt_is_validated())
         continue; /* the layers do not know it */
      vkGetPhysicalDeviceFormatProperties(vkt.pdev, f->format, &p);
      if (!(p.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
         continue;
      for (unsigned j = 0; j < BORDERS * ARRAY_SIZE(swizzles); j++) {
         const enum border border = j % BORDERS;
         if (border != CUSTOM_OF_NONE || !f->border_needs_format)
            check(f, border, j / BORDERS);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formats),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
