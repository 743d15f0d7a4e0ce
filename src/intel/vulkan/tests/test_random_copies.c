/* SPDX-License-Identifier: MIT */
/*
 * Random transfers between images and buffers, beside a model of the bytes:
 * copies of all kinds between images of any shape, levels, layers and slices,
 * blocks and texels, also by the host; nearest blits; clears, also in passes;
 * fills. What a trial does follows from its number.
 *
 * usage: test_vulkan_random_copies [TRIALS [FIRST]]
 */
#include "util/macros.h"
#include "vkt.h"

#include <stdlib.h>
#include <string.h>

#define IMAGES 3
#define COMMANDS 10
#define MAX_LEVEL_B (128u << 10)
#define SOURCE_B (256u << 10)
#define RESULT_B (512u << 10)

static unsigned trials = 60, first_trial = 1;

static uint64_t random_state;

static uint32_t
below(uint32_t n)
{
   random_state = random_state * 6364136223846793005ull +
                  1442695040888963407u;
   return (uint32_t)((random_state >> 33) % n);
}

static uint32_t
between(uint32_t least, uint32_t most)
{
   return least + below(most - least + 1);
}

/* ---- formats ---- */

struct kind {
   VkFormat format;
   uint8_t block_B, block_w, block_h;
   uint8_t channels; /* unsigned or signed integers of one size; 0: not */
   bool blits;       /* what is read as a number is written as it was */
   VkImageAspectFlags aspect; /* what is copied */
   VkImageAspectFlags other;  /* what stands beside it */
};

static const struct kind kinds[] = {
#define COLOR(name, B, channels, blits)                                      \
   {                                                                         \
      VK_FORMAT_##name, B, 1, 1, channels, blits, VK_IMAGE_ASPECT_COLOR_BIT  \
   }
#define BLOCKS(name, B)                                                      \
   {                                                                         \
      VK_FORMAT_##name, B, 4, 4, 0, false, VK_IMAGE_ASPECT_COLOR_BIT         \
   }
   COLOR(R8_UNORM, 1, 0, true),
   COLOR(R8_UINT, 1, 1, true),
   COLOR(R8G8_SNORM, 2, 0, false),
   COLOR(R8G8_SINT, 2, 2, true),
   COLOR(R5G6B5_UNORM_PACK16, 2, 0, true),
   COLOR(A1R5G5B5_UNORM_PACK16, 2, 0, true),
   COLOR(B4G4R4A4_UNORM_PACK16, 2, 0, true),
   COLOR(R16_SFLOAT, 2, 0, false),
   COLOR(R8G8B8A8_UNORM, 4, 0, true),
   COLOR(B8G8R8A8_SRGB, 4, 0, false),
   COLOR(R8G8B8A8_UINT, 4, 4, true),
   COLOR(A2B10G10R10_UNORM_PACK32, 4, 0, true),
   COLOR(R16G16_SINT, 4, 2, true),
   COLOR(R32_SFLOAT, 4, 0, false),
   COLOR(R32_UINT, 4, 1, true),
   COLOR(E5B9G9R9_UFLOAT_PACK32, 4, 0, false),
   COLOR(B10G11R11_UFLOAT_PACK32, 4, 0, false),
   COLOR(R16G16B16A16_UINT, 8, 4, true),
   COLOR(R32G32_SINT, 8, 2, true),
   COLOR(R16G16B16A16_SFLOAT, 8, 0, false),
   COLOR(R32G32B32_UINT, 12, 3, false),
   COLOR(R32G32B32A32_UINT, 16, 4, true),
   COLOR(R32G32B32A32_SFLOAT, 16, 0, false),
   BLOCKS(BC1_RGB_UNORM_BLOCK, 8),
   BLOCKS(BC3_UNORM_BLOCK, 16),
   BLOCKS(BC7_SRGB_BLOCK, 16),
   BLOCKS(ETC2_R8G8B8_UNORM_BLOCK, 8),
#define DEPTH(name, B, ...)                                                  \
   {                                                                         \
      VK_FORMAT_##name, B, 1, 1, 0, false, VK_IMAGE_ASPECT_DEPTH_BIT,        \
         __VA_ARGS__                                                         \
   }
#define STENCIL(name, ...)                                                   \
   {                                                                         \
      VK_FORMAT_##name, 1, 1, 1, 0, false, VK_IMAGE_ASPECT_STENCIL_BIT,      \
         __VA_ARGS__                                                         \
   }
   DEPTH(D16_UNORM, 2),
   DEPTH(D32_SFLOAT, 4),
   DEPTH(D32_SFLOAT_S8_UINT, 4, VK_IMAGE_ASPECT_STENCIL_BIT),
   STENCIL(S8_UINT),
   STENCIL(D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT),
   STENCIL(D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT),
#undef COLOR
#undef DEPTH
#undef STENCIL

#undef BLOCKS
};

/* ---- images ---- */

struct image {
   const struct kind *kind;
   VkImageType type;
   VkImageTiling tiling;
   VkImageUsageFlags usage;
   VkExtent3D size;
   uint32_t levels, layers;
   VkImage image;
   VkDeviceMemory memory;
   VkImageLayout layout;
   uint8_t *levels_of[8]; /* slice after slice, without gaps */
};

static VkExtent3D
texels(const struct image *i, uint32_t level)
{
   return (VkExtent3D) { MAX2(i->size.width >> level, 1),
                         MAX2(i->size.height >> level, 1),
                         MAX2(i->size.depth >> level, 1) };
}

/* In blocks; the depth is how many slices or layers there are. */
static VkExtent3D
blocks(const struct image *i, uint32_t level)
{
   const VkExtent3D t = texels(i, level);
   return (VkExtent3D) { DIV_ROUND_UP(t.width, i->kind->block_w),
                         DIV_ROUND_UP(t.height, i->kind->block_h),
                         i->type == VK_IMAGE_TYPE_3D ? t.depth : i->layers };
}

static uint32_t
level_B(const struct image *i, uint32_t level)
{
   const VkExtent3D b = blocks(i, level);
   return b.width * b.height * b.depth * i->kind->block_B;
}

/* A part of a level, in blocks and slices. */
struct box {
   uint32_t level, x, y, s, w, h, n;
};

static uint8_t *
block_at(const struct image *i, const struct box *b, uint32_t x, uint32_t y,
         uint32_t s)
{
   const VkExtent3D e = blocks(i, b->level);
   return i->levels_of[b->level] +
          (((size_t)(b->s + s) * e.height + b->y + y) * e.width + b->x + x) *
             i->kind->block_B;
}

static struct box
any_box(const struct image *i)
{
   struct box b = { .level = below(i->levels) };
   const VkExtent3D e = blocks(i, b.level);
   b.w = below(2) ? between(1, e.width) : e.width;
   b.h = below(2) ? between(1, e.height) : e.height;
   b.n = below(2) ? between(1, e.depth) : 1;
   b.x = below(e.width - b.w + 1);
   b.y = below(e.height - b.h + 1);
   b.s = below(e.depth - b.n + 1);
   return b;
}

static VkImageSubresourceLayers
layers_of(const struct image *i, const struct box *b)
{
   const bool is_3d = i->type == VK_IMAGE_TYPE_3D;
   return (VkImageSubresourceLayers) { i->kind->aspect, b->level,
                                       is_3d ? 0 : b->s, is_3d ? 1 : b->n };
}

static VkOffset3D
offset_of(const struct image *i, const struct box *b)
{
   return (VkOffset3D) { (int32_t)(b->x * i->kind->block_w),
                         (int32_t)(b->y * i->kind->block_h),
                         i->type == VK_IMAGE_TYPE_3D ? (int32_t)b->s : 0 };
}

static VkExtent3D
extent_of(const struct image *i, const struct box *b)
{
   const VkExtent3D t = texels(i, b->level);
   const VkOffset3D o = offset_of(i, b);
   return (VkExtent3D) {
      MIN2(b->w * i->kind->block_w, t.width - (uint32_t)o.x),
      MIN2(b->h * i->kind->block_h, t.height - (uint32_t)o.y),
      i->type == VK_IMAGE_TYPE_3D ? b->n : 1,
   };
}

static bool
is_possible(const struct image *i)
{
   VkImageFormatProperties p;
   return vkGetPhysicalDeviceImageFormatProperties(vkt.pdev, i->kind->format,
                                                   i->type, i->tiling,
                                                   i->usage, 0,
                                                   &p) == VK_SUCCESS &&
          p.maxMipLevels >= i->levels && p.maxArrayLayers >= i->layers;
}

static VkImageUsageFlags
more_usage(const struct kind *k)
{
   VkImageUsageFlags usage = 0;
   if (below(2))
      usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
   if (below(2))
      usage |= k->aspect == VK_IMAGE_ASPECT_COLOR_BIT
                  ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                  : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
   if (below(4) == 0)
      usage |= VK_IMAGE_USAGE_STORAGE_BIT;
   /* The layers do not know it. */
   if (below(2) && !vkt_is_validated())
      usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT;

   return usage;
}

static void
choose_shape(struct image *i)
{
   const uint32_t shape = below(8);
   *i = (struct image) { .kind = i->kind,
                         .type = VK_IMAGE_TYPE_2D,
                         .size = { between(1, 70), between(1, 40), 1 },
                         .levels = 1,
                         .layers = 1 };
   if (shape == 0) {
      i->type = VK_IMAGE_TYPE_1D;
      i->size.height = 1;
      i->layers = between(1, 5);
   } else if (shape <= 2) {
      i->type = VK_IMAGE_TYPE_3D;
      i->size.depth = between(1, 12);
   } else if (shape <= 5) {
      i->layers = between(1, 6);
   } else if (shape == 6) {
      i->tiling = VK_IMAGE_TILING_LINEAR;
   }
   if (i->tiling == VK_IMAGE_TILING_OPTIMAL && below(3)) {
      const uint32_t longest =
         MAX2(i->size.width, MAX2(i->size.height, i->size.depth));
      i->levels = between(1, 32 - (uint32_t)__builtin_clz(longest));
   }
   i->usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
              VK_IMAGE_USAGE_TRANSFER_DST_BIT;
   const VkImageUsageFlags more = more_usage(i->kind);
   i->usage |= more;
   if (!is_possible(i))
      i->usage &= ~more;
}

/* Of blocks of this size (0: any), or of this kind (NULL: any). */
static struct image
create_image(uint8_t block_B, const struct kind *kind)
{
   struct image i;
   do {
      i.kind = kind ? kind : &kinds[below(ARRAY_SIZE(kinds))];
      choose_shape(&i);
   } while ((!kind && block_B && i.kind->block_B != block_B) ||
            !is_possible(&i) || level_B(&i, 0) > MAX_LEVEL_B);
   VkMemoryRequirements need;
   i.image = VKT_NEW(Image, IMAGE, .imageType = i.type,
                     .format = i.kind->format, .extent = i.size,
                     .mipLevels = i.levels, .arrayLayers = i.layers,
                     .samples = VK_SAMPLE_COUNT_1_BIT, .tiling = i.tiling,
                     .usage = i.usage);
   vkGetImageMemoryRequirements(vkt.device, i.image, &need);
   const VKT_INFO(MemoryAllocateInfo, memory, .allocationSize = need.size,
                  .memoryTypeIndex =
                     (uint32_t)__builtin_ctz(need.memoryTypeBits));
   VKT_CHECK(vkAllocateMemory(vkt.device, &memory, NULL, &i.memory));
   VKT_CHECK(vkBindImageMemory(vkt.device, i.image, i.memory, 0));
   for (uint32_t l = 0; l < i.levels; l++)
      i.levels_of[l] = calloc(1, level_B(&i, l));
   return i;
}

static void
destroy_image(struct image *i)
{
   vkDestroyImage(vkt.device, i->image, NULL);
   vkFreeMemory(vkt.device, i->memory, NULL);
   for (uint32_t l = 0; l < i->levels; l++)
      free(i->levels_of[l]);
}

/* ---- a trial ---- */

struct trial {
   unsigned number;
   struct vkt_buffer source; /* random; of depth: from 0 to 1 */
   struct vkt_buffer depths, result;
   uint8_t *result_bytes; /* what must be in `result` */
   struct image images[IMAGES];
   VkCommandBuffer cmd;
   char log[16384];
   size_t log_length;
   unsigned counts[16]; /* of commands */
   VkImageView views[COMMANDS];
   unsigned view_count;
};

static void PRINTFLIKE(2, 3) note(struct trial *t, const char *format, ...)
{
   va_list ap;
   va_start(ap, format);
   t->log_length += (size_t)vsnprintf(
      t->log + t->log_length, sizeof(t->log) - t->log_length, format, ap);
   va_end(ap);
   assert_true(t->log_length < sizeof(t->log));
}

static void
note_box(struct trial *t, const char *what, const struct image *i,
         const struct box *b)
{
   note(t, " %s image %d level %u at %u,%u,%u of %ux%ux%u", what,
        (int)(i - t->images), b->level, b->x, b->y, b->s, b->w, b->h, b->n);
}

/* Into the layout that a transfer wants, or GENERAL, which a copy of an image
 * to itself needs. */
static void
transition(struct trial *t, struct image *i, VkImageLayout wanted)
{
   const VkImageLayout to = below(2) ? wanted : VK_IMAGE_LAYOUT_GENERAL;
   if (i->layout == to)
      return;
   const VKT_INFO(ImageMemoryBarrier, barrier,
                  .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                  .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
                                   VK_ACCESS_MEMORY_WRITE_BIT,
                  .oldLayout = i->layout, .newLayout = to, .image = i->image,
                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                  .subresourceRange = { i->kind->aspect | i->kind->other, 0,
                                        i->levels, 0, i->layers });
   vkCmdPipelineBarrier(t->cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
   i->layout = to;
}

/* Where blocks of a box are in a buffer. */
struct rows {
   VkDeviceSize offset_B;
   uint32_t row_length, image_height; /* blocks */
   uint32_t total_B;
};

static struct rows
any_rows(const struct image *i, const struct box *b, uint32_t buffer_B)
{
   const uint32_t block_B = i->kind->block_B;
   struct rows r = { .row_length = b->w + (below(2) ? below(5) : 0),
                     .image_height = b->h + (below(2) ? below(3) : 0) };
   r.total_B = r.row_length * r.image_height * b->n * block_B;
   assert_true(r.total_B <= buffer_B);
   /* Depth and stencil: of 4 bytes, too. */
   const uint32_t unit_B =
      i->kind->aspect == VK_IMAGE_ASPECT_COLOR_BIT ? block_B : 4;
   r.offset_B = (VkDeviceSize)unit_B *
                below((buffer_B - r.total_B) / unit_B + 1);
   return r;
}

static uint8_t *
row_block(const struct rows *r, uint8_t *base, const struct image *i,
          uint32_t x, uint32_t y, uint32_t s)
{
   return base + r->offset_B +
          (((size_t)s * r->image_height + y) * r->row_length + x) *
             i->kind->block_B;
}

static VkBufferImageCopy
buffer_region(const struct image *i, const struct box *b,
              const struct rows *r)
{
   return (VkBufferImageCopy) {
      r->offset_B,
      r->row_length * i->kind->block_w,
      r->image_height * i->kind->block_h,
      layers_of(i, b),
      offset_of(i, b),
      extent_of(i, b),
   };
}

static bool
is_float_depth(const struct image *i)
{
   return i->kind->aspect == VK_IMAGE_ASPECT_DEPTH_BIT &&
          i->kind->block_B == 4;
}

static const struct vkt_buffer *
source_of(const struct trial *t, const struct image *i)
{
   return is_float_depth(i) ? &t->depths : &t->source;
}

static void
from_buffer(struct trial *t, struct image *i, struct box b)
{
   const struct vkt_buffer *from = source_of(t, i);
   const struct rows r = any_rows(i, &b, SOURCE_B);
   const VkBufferImageCopy region = buffer_region(i, &b, &r);
   note(t, "\nfrom buffer at %u, %u, %u to", (unsigned)r.offset_B,
        r.row_length, r.image_height);
   note_box(t, "", i, &b);
   transition(t, i, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   vkCmdCopyBufferToImage(t->cmd, from->buffer, i->image, i->layout, 1,
                          &region);
   for (uint32_t s = 0; s < b.n; s++)
      for (uint32_t y = 0; y < b.h; y++)
         memcpy(block_at(i, &b, 0, y, s),
                row_block(&r, from->map, i, 0, y, s),
                (size_t)b.w * i->kind->block_B);
}

static bool
to_buffer(struct trial *t, struct image *i, struct image *to)
{
   const struct box b = any_box(i);
   const struct rows r = any_rows(i, &b, RESULT_B);
   const VkBufferImageCopy region = buffer_region(i, &b, &r);
   note(t, "\nto buffer at %u, %u, %u from", (unsigned)r.offset_B,
        r.row_length, r.image_height);
   note_box(t, "", i, &b);
   transition(t, i, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
   vkCmdCopyImageToBuffer(t->cmd, i->image, i->layout, t->result.buffer, 1,
                          &region);
   for (uint32_t s = 0; s < b.n; s++)
      for (uint32_t y = 0; y < b.h; y++)
         memcpy(row_block(&r, t->result_bytes, i, 0, y, s),
                block_at(i, &b, 0, y, s), (size_t)b.w * i->kind->block_B);
   return true;
}

/* Compressed ones are copied up to the edge of both, or by whole blocks. */
static bool
may_copy(const struct image *from, const struct box *a,
         const struct image *to, const struct box *b)
{
   const VkExtent3D ea = extent_of(from, a), eb = extent_of(to, b);
   const struct kind *ka = from->kind, *kb = to->kind;
   if (ka->aspect != kb->aspect ||
       (ka->aspect != VK_IMAGE_ASPECT_COLOR_BIT && ka != kb) ||
       ka->block_B != kb->block_B ||
       (from->type == VK_IMAGE_TYPE_1D) != (to->type == VK_IMAGE_TYPE_1D))
      return false;
   if (from == to && a->level == b->level && a->s < b->s + b->n &&
       b->s < a->s + a->n)
      return false;
   if (ka->block_w == kb->block_w)
      return ea.width == eb.width && ea.height == eb.height;
   return ea.width == a->w * ka->block_w && ea.height == a->h * ka->block_h &&
          eb.width == b->w * kb->block_w && eb.height == b->h * kb->block_h;
}

static void
move_blocks(const struct image *from, const struct box *a,
            const struct image *to, const struct box *b)
{
   for (uint32_t s = 0; s < b->n; s++)
      for (uint32_t y = 0; y < b->h; y++)
         memcpy(block_at(to, b, 0, y, s), block_at(from, a, 0, y, s),
                (size_t)b->w * to->kind->block_B);
}

/* One image cannot have two layouts. */
static void
transition_both(struct trial *t, struct image *from, struct image *to)
{
   transition(t, from,
              from == to ? VK_IMAGE_LAYOUT_GENERAL
                         : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
   if (from != to)
      transition(t, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
}

/* All that was recorded is done, and the image is where the host may be. */
static void
finish(struct trial *t, struct image *i)
{
   transition(t, i, VK_IMAGE_LAYOUT_GENERAL);
   vkt_barrier(t->cmd);
   vkt_submit(t->cmd);
   t->cmd = vkt_begin();
}

static void
host_copy(struct trial *t, struct image *from, struct image *to,
          const VkImageCopy *like)
{
   const VKT_INFO(ImageCopy2, region, .srcSubresource = like->srcSubresource,
                  .srcOffset = like->srcOffset,
                  .dstSubresource = like->dstSubresource,
                  .dstOffset = like->dstOffset, .extent = like->extent);
   const VKT_INFO(CopyImageToImageInfoEXT, info, .srcImage = from->image,
                  .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .dstImage = to->image,
                  .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = &region);
   finish(t, from);
   finish(t, to);
   VKT_CHECK(VKT_PROC(vkCopyImageToImageEXT)(vkt.device, &info));
}

static bool
copy_by(struct trial *t, struct image *from, struct image *to, bool by_host)
{
   struct box a = any_box(from), b = any_box(to);
   a.w = b.w = MIN2(a.w, b.w);
   a.h = b.h = MIN2(a.h, b.h);
   a.n = b.n = MIN2(a.n, b.n);
   if (!may_copy(from, &a, to, &b))
      return false;
   const VkExtent3D ea = extent_of(from, &a), eb = extent_of(to, &b);
   const VkImageCopy region = {
      layers_of(from, &a),
      offset_of(from, &a),
      layers_of(to, &b),
      offset_of(to, &b),
      { ea.width, ea.height, MAX2(ea.depth, eb.depth) },
   };
   note(t, by_host ? "\ncopy by the host" : "\ncopy");
   note_box(t, "from", from, &a);
   note_box(t, "to", to, &b);
   if (by_host) {
      host_copy(t, from, to, &region);
   } else {
      transition_both(t, from, to);
      vkCmdCopyImage(t->cmd, from->image, from->layout, to->image, to->layout,
                     1, &region);
   }

   move_blocks(from, &a, to, &b);
   return true;
}

/* Pixels of the source that a pixel of the target stands for, or the other
 * way round; 3 of 3 is the one in the middle. */
struct scale {
   uint32_t from, to;
   bool mirrored;
};

static struct scale
any_scale(void)
{
   static const struct scale scales[] = {
      { 1, 1 }, { 3, 1 }, { 1, 2 }, { 1, 3 }
   };
   struct scale s = scales[below(2) ? 0 : below(ARRAY_SIZE(scales))];
   s.mirrored = below(3) == 0;
   return s;
}

static uint32_t
scaled(const struct scale *s, uint32_t x, uint32_t size)
{
   const uint32_t from = (2 * x + 1) * s->from / (2 * s->to);
   return s->mirrored ? size - 1 - from : from;
}

static bool
can_blit(const struct image *from, const struct image *to)
{
   VkFormatProperties p;
   vkGetPhysicalDeviceFormatProperties(vkt.pdev, from->kind->format, &p);
   const VkFormatFeatureFlags a = from->tiling ? p.linearTilingFeatures
                                               : p.optimalTilingFeatures,
                              b = to->tiling ? p.linearTilingFeatures
                                             : p.optimalTilingFeatures;
   return from->kind == to->kind && from->kind->blits &&
          (from->type == VK_IMAGE_TYPE_1D) ==
             (to->type == VK_IMAGE_TYPE_1D) &&
          (from->type == VK_IMAGE_TYPE_3D) ==
             (to->type == VK_IMAGE_TYPE_3D) &&
          (a & VK_FORMAT_FEATURE_BLIT_SRC_BIT) &&
          (b & VK_FORMAT_FEATURE_BLIT_DST_BIT);
}

static void
corners(const struct image *i, const struct box *b, VkOffset3D out[2])
{
   const VkExtent3D e = extent_of(i, b);
   out[0] = offset_of(i, b);
   out[1] = (VkOffset3D) { out[0].x + (int32_t)e.width,
                           out[0].y + (int32_t)e.height,
                           out[0].z + (int32_t)e.depth };
}

static void
swap_ends(int32_t *a, int32_t *b)
{
   const int32_t was = *a;
   *a = *b;
   *b = was;
}

static bool
blit(struct trial *t, struct image *from, struct image *to)
{
   struct box a = any_box(from), b = any_box(to);
   const bool is_3d = to->type == VK_IMAGE_TYPE_3D;
   const struct scale one = { 1, 1 }, x = any_scale(),
                      y = to->type == VK_IMAGE_TYPE_1D ? one : any_scale(),
                      z = is_3d ? any_scale() : one;
   const uint32_t w = MIN2(a.w / x.from, b.w / x.to),
                  h = MIN2(a.h / y.from, b.h / y.to),
                  n = MIN2(a.n / z.from, b.n / z.to);
   if (!can_blit(from, to) || !w || !h || !n ||
       (from == to && a.level == b.level))
      return false;
   a.w = w * x.from, b.w = w * x.to;
   a.h = h * y.from, b.h = h * y.to;
   a.n = n * z.from, b.n = n * z.to;
   VkImageBlit region = { .srcSubresource = layers_of(from, &a),
                          .dstSubresource = layers_of(to, &b) };
   corners(from, &a, region.srcOffsets);
   corners(to, &b, region.dstOffsets);
   VkOffset3D *mirrored = below(2) ? region.srcOffsets : region.dstOffsets;
   if (x.mirrored)
      swap_ends(&mirrored[0].x, &mirrored[1].x);
   if (y.mirrored)
      swap_ends(&mirrored[0].y, &mirrored[1].y);
   if (z.mirrored)
      swap_ends(&mirrored[0].z, &mirrored[1].z);
   note(t, "\nblit %c%c%c", x.mirrored ? 'x' : ' ', y.mirrored ? 'y' : ' ',
        z.mirrored ? 'z' : ' ');
   note_box(t, "from", from, &a);
   note_box(t, "to", to, &b);
   transition_both(t, from, to);
   vkCmdBlitImage(t->cmd, from->image, from->layout, to->image, to->layout, 1,
                  &region, VK_FILTER_NEAREST);
   for (uint32_t s = 0; s < b.n; s++)
      for (uint32_t v = 0; v < b.h; v++)
         for (uint32_t u = 0; u < b.w; u++)
            memcpy(block_at(to, &b, u, v, s),
                   block_at(from, &a, scaled(&x, u, a.w), scaled(&y, v, a.h),
                            scaled(&z, s, a.n)),
                   to->kind->block_B);
   return true;
}

/* A value that is known as bytes, too: `block`. False: the kind has none. */
static bool
any_value(const struct image *i, VkClearValue *value, uint8_t block[16])
{
   memset(value, 0, sizeof(*value));
   if (i->kind->channels) {
      const uint32_t channel_B = i->kind->block_B / i->kind->channels;
      const bool is_small = below(2); /* as fast clears want it */
      for (uint32_t c = 0; c < i->kind->channels; c++) {
         const int32_t number = (int32_t)(is_small ? below(2)
                                          : channel_B == 4
                                             ? below(1u << 31) * 2
                                             : below(128));
         value->color.int32[c] = number;
         memcpy(block + c * channel_B, &number, channel_B);
      }
   } else if (i->kind->blits) { /* numbers from 0 to 1 */
      const bool is_one = below(2);
      for (uint32_t c = 0; c < 4; c++)
         value->color.float32[c] = is_one;
      memset(block, is_one ? 0xff : 0, i->kind->block_B);
   } else if (i->kind->aspect == VK_IMAGE_ASPECT_STENCIL_BIT) {
      value->depthStencil.stencil = below(256);
      block[0] = (uint8_t)value->depthStencil.stencil;
   } else if (is_float_depth(i)) {
      value->depthStencil.depth = (float)below(5) / 4;
      memcpy(block, &value->depthStencil.depth, 4);
   } else if (i->kind->aspect == VK_IMAGE_ASPECT_DEPTH_BIT) {
      value->depthStencil.depth = (float)below(2);
      memset(block, value->depthStencil.depth > 0 ? 0xff : 0, 2);
   } else {
      return false;
   }
   return true;
}

static void
fill_box(const struct image *i, const struct box *b, const uint8_t *block)
{
   for (uint32_t s = 0; s < b->n; s++)
      for (uint32_t y = 0; y < b->h; y++)
         for (uint32_t x = 0; x < b->w; x++)
            memcpy(block_at(i, b, x, y, s), block, i->kind->block_B);
}

static bool
clear(struct trial *t, struct image *from, struct image *i)
{
   struct box b = any_box(i);
   const VkExtent3D e = blocks(i, b.level);
   VkClearValue value;
   uint8_t block[16];
   if (!any_value(i, &value, block))
      return false;
   b.x = b.y = 0;
   b.w = e.width;
   b.h = e.height;
   if (i->type == VK_IMAGE_TYPE_3D) {
      b.s = 0;
      b.n = e.depth;
   }
   const VkImageSubresourceLayers l = layers_of(i, &b);
   const VkImageSubresourceRange range = { l.aspectMask, l.mipLevel, 1,
                                           l.baseArrayLayer, l.layerCount };
   note(t, "\nclear");
   note_box(t, "", i, &b);
   transition(t, i, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   if (i->kind->aspect == VK_IMAGE_ASPECT_COLOR_BIT)
      vkCmdClearColorImage(t->cmd, i->image, i->layout, &value.color, 1,
                           &range);
   else
      vkCmdClearDepthStencilImage(t->cmd, i->image, i->layout,
                                  &value.depthStencil, 1, &range);
   fill_box(i, &b, block);
   return true;
}

/* ---- passes ---- */

static VkImageView
target_view(struct trial *t, const struct image *i, const struct box *b)
{
   assert_true(t->view_count < ARRAY_SIZE(t->views));
   VkImageView *view = &t->views[t->view_count++];
   *view = VKT_NEW(ImageView, IMAGE_VIEW, .image = i->image,
                   .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                   .format = i->kind->format,
                   .subresourceRange = { i->kind->aspect | i->kind->other,
                                         b->level, 1, b->s, b->n });
   return *view;
}

/* A part of a target, by the pass that begins or inside of it. */
static bool
clear_in_pass(struct trial *t, struct image *from, struct image *i)
{
   const struct box b = any_box(i);
   const bool is_color = i->kind->aspect == VK_IMAGE_ASPECT_COLOR_BIT;
   const bool is_depth = i->kind->aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
   const bool at_begin = below(2);
   VkClearValue value;
   uint8_t block[16];
   if (!(i->usage & (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)) ||
       i->type != VK_IMAGE_TYPE_2D || !any_value(i, &value, block))
      return false;
   const VkRect2D area = { { (int32_t)b.x, (int32_t)b.y }, { b.w, b.h } };
   note(t, at_begin ? "\nbegin with a clear" : "\nclear inside");
   note_box(t, "", i, &b);
   transition(t, i,
              is_color ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                       : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
   const VKT_INFO(RenderingAttachmentInfo, target,
                  .imageView = target_view(t, i, &b),
                  .imageLayout = i->layout,
                  .loadOp = at_begin ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                     : VK_ATTACHMENT_LOAD_OP_LOAD,
                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                  .clearValue = value);
   const VKT_INFO(
      RenderingInfo, pass, .renderArea = area, .layerCount = b.n,
      .colorAttachmentCount = is_color, .pColorAttachments = &target,
      .pDepthAttachment = is_depth ? &target : NULL,
      .pStencilAttachment = is_color || is_depth ? NULL : &target);
   VKT_PROC(vkCmdBeginRenderingKHR)(t->cmd, &pass);
   if (!at_begin) {
      const VkClearAttachment what = { i->kind->aspect, 0, value };
      const VkClearRect where = { area, 0, b.n };
      vkCmdClearAttachments(t->cmd, 1, &what, 1, &where);
   }
   VKT_PROC(vkCmdEndRenderingKHR)(t->cmd);
   fill_box(i, &b, block);
   return true;
}

static bool
write_buffer(struct trial *t, struct image *from, struct image *to)
{
   const uint32_t at = 4 * below(SOURCE_B / 8), dst = 4 * below(RESULT_B / 8),
                  size_B = 4 * between(1, 4000);
   const uint8_t *source = t->source.map;
   switch (below(3)) {
   case 0:
      note(t, "\ncopy %u bytes from %u to %u", size_B, at + 1, dst + 3);
      vkCmdCopyBuffer(t->cmd, t->source.buffer, t->result.buffer, 1,
                      &(VkBufferCopy) { at + 1, dst + 3, size_B - 1 });
      memcpy(t->result_bytes + dst + 3, source + at + 1, size_B - 1);
      break;
   case 1:
      note(t, "\nfill %u bytes at %u", size_B, dst);
      vkCmdFillBuffer(t->cmd, t->result.buffer, dst, size_B, at * 77);
      for (uint32_t k = 0; k < size_B; k += 4)
         memcpy(t->result_bytes + dst + k, &(uint32_t) { at * 77 }, 4);
      break;
   default:
      note(t, "\nupdate %u bytes at %u", size_B, dst);
      vkCmdUpdateBuffer(t->cmd, t->result.buffer, dst, size_B, source + at);
      memcpy(t->result_bytes + dst, source + at, size_B);
   }
   return true;
}

/* ---- copies by the host ---- */

static bool
is_of_host(const struct image *i)
{
   return i->usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT;
}

static bool
host_to_host(struct trial *t, struct image *from, struct image *to)
{
   return is_of_host(from) && is_of_host(to) && copy_by(t, from, to, true);
}

static bool
from_host(struct trial *t, struct image *from, struct image *i)
{
   if (!is_of_host(i))
      return false;

   const struct box b = any_box(i);
   const struct rows r = any_rows(i, &b, SOURCE_B);
   const VkBufferImageCopy like = buffer_region(i, &b, &r);
   uint8_t *source = source_of(t, i)->map;
   const VKT_INFO(MemoryToImageCopyEXT, region,
                  .pHostPointer = source + r.offset_B,
                  .memoryRowLength = like.bufferRowLength,
                  .memoryImageHeight = like.bufferImageHeight,
                  .imageSubresource = like.imageSubresource,
                  .imageOffset = like.imageOffset,
                  .imageExtent = like.imageExtent);
   const VKT_INFO(CopyMemoryToImageInfoEXT, info, .dstImage = i->image,
                  .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = &region);
   note(t, "\nfrom the host to");
   note_box(t, "", i, &b);
   finish(t, i);
   VKT_CHECK(VKT_PROC(vkCopyMemoryToImageEXT)(vkt.device, &info));
   for (uint32_t s = 0; s < b.n; s++)
      for (uint32_t y = 0; y < b.h; y++)
         memcpy(block_at(i, &b, 0, y, s), row_block(&r, source, i, 0, y, s),
                (size_t)b.w * i->kind->block_B);
   return true;
}

static bool
to_host(struct trial *t, struct image *i, struct image *to)
{
   if (!is_of_host(i))
      return false;

   const struct box b = any_box(i);
   const struct rows r = any_rows(i, &b, RESULT_B);
   const VkBufferImageCopy like = buffer_region(i, &b, &r);
   const VKT_INFO(ImageToMemoryCopyEXT, region,
                  .pHostPointer = (char *)t->result.map + r.offset_B,
                  .memoryRowLength = like.bufferRowLength,
                  .memoryImageHeight = like.bufferImageHeight,
                  .imageSubresource = like.imageSubresource,
                  .imageOffset = like.imageOffset,
                  .imageExtent = like.imageExtent);
   const VKT_INFO(CopyImageToMemoryInfoEXT, info, .srcImage = i->image,
                  .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL, .regionCount = 1,
                  .pRegions = &region);
   note(t, "\nto the host at %u, %u, %u from", (unsigned)r.offset_B,
        r.row_length, r.image_height);
   note_box(t, "", i, &b);
   finish(t, i);
   VKT_CHECK(VKT_PROC(vkCopyImageToMemoryEXT)(vkt.device, &info));
   for (uint32_t s = 0; s < b.n; s++)
      for (uint32_t y = 0; y < b.h; y++)
         memcpy(row_block(&r, t->result_bytes, i, 0, y, s),
                block_at(i, &b, 0, y, s), (size_t)b.w * i->kind->block_B);
   return true;
}

static bool
part_from_buffer(struct trial *t, struct image *from, struct image *to)
{
   from_buffer(t, to, any_box(to));
   return true;
}

static bool
copy(struct trial *t, struct image *from, struct image *to)
{
   return copy_by(t, from, to, false);
}

/* They return false if what they thought of cannot be. */
static const struct {
   const char *name;
   bool (*record)(struct trial *t, struct image *from, struct image *to);
} commands[] = {
   { "copies", copy },
   { "blits", blit },
   { "copies from buffers", part_from_buffer },
   { "copies to buffers", to_buffer },
   { "writes of buffers", write_buffer },
   { "clears", clear },
   { "clears in passes", clear_in_pass },
   { "copies from the host", from_host },
   { "copies to the host", to_host },
   { "copies of images by the host", host_to_host },
};

static bool
record_one(struct trial *t)
{
   const unsigned which = below(ARRAY_SIZE(commands));
   if (!commands[which].record(t, &t->images[below(IMAGES)],
                               &t->images[below(IMAGES)]))
      return false;
   t->counts[which]++;
   return true;
}

static void
fail_trial(struct trial *t, const char *what, uint32_t where)
{
   for (unsigned k = 0; k < IMAGES; k++) {
      const struct image *i = &t->images[k];
      print_message("image %u: format %d, %uD%s, %ux%ux%u, %u levels, "
                    "%u layers, usage 0x%x\n",
                    k, i->kind->format, i->type + 1,
                    i->tiling ? ", linear" : "", i->size.width,
                    i->size.height, i->size.depth, i->levels, i->layers,
                    i->usage);
   }
   print_message("%s\n", t->log);
   fail_msg("trial %u: %s differs at byte %u", t->number, what, where);
}

static void
compare(struct trial *t, const char *what, const uint8_t *is,
        const uint8_t *want, uint32_t size_B)
{
   for (uint32_t k = 0; k < size_B; k++) {
      if (is[k] != want[k])
         fail_trial(t, what, k);
   }
}

/* All levels of an image. */
static void
compare_image(struct trial *t, unsigned number)
{
   struct image *i = &t->images[number];
   struct vkt_buffer all = vkt_buffer_create(MAX_LEVEL_B);
   for (uint32_t l = 0; l < i->levels; l++) {
      const VkExtent3D e = blocks(i, l);
      const struct box b = { l, 0, 0, 0, e.width, e.height, e.depth };
      const struct rows r = { 0, e.width, e.height, 0 };
      const VkBufferImageCopy region = buffer_region(i, &b, &r);
      char what[64];
      t->cmd = vkt_begin();
      vkt_barrier(t->cmd);
      transition(t, i, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
      vkCmdCopyImageToBuffer(t->cmd, i->image, i->layout, all.buffer, 1,
                             &region);
      vkt_barrier(t->cmd);
      vkt_submit(t->cmd);
      snprintf(what, sizeof(what), "image %u, level %u (%ux%ux%u)", number, l,
               e.width, e.height, e.depth);
      compare(t, what, all.map, i->levels_of[l], level_B(i, l));
   }
   vkt_buffer_destroy(&all);
}

static void
run_trial(struct trial *t)
{
   random_state = t->number * 0x9e3779b97f4a7c15ull;
   t->log_length = 0;
   t->images[0] = create_image(0, NULL);
   for (unsigned k = 1; k < IMAGES; k++)
      t->images[k] = create_image(below(4) ? t->images[0].kind->block_B : 0,
                                  below(2) ? t->images[0].kind : NULL);
   t->cmd = vkt_begin();
   for (unsigned k = 0; k < IMAGES; k++) {
      struct image *i = &t->images[k];
      for (uint32_t l = 0; l < i->levels; l++) {
         const VkExtent3D e = blocks(i, l);
         from_buffer(t, i,
                     (struct box) { l, 0, 0, 0, e.width, e.height, e.depth });
      }
   }
   for (unsigned done = 0, tried = 0; done < COMMANDS && tried < 200;
        tried++) {
      vkt_barrier(t->cmd);
      if (!record_one(t))
         continue;
      done++;
      if (below(4) == 0) {
         vkt_barrier(t->cmd);
         vkt_submit(t->cmd);
         t->cmd = vkt_begin();
      }
   }
   vkt_barrier(t->cmd);
   vkt_submit(t->cmd);
   for (unsigned k = 0; k < IMAGES; k++)
      compare_image(t, k);
   compare(t, "the buffer", t->result.map, t->result_bytes, RESULT_B);
   while (t->view_count)
      vkDestroyImageView(vkt.device, t->views[--t->view_count], NULL);
   for (unsigned k = 0; k < IMAGES; k++)
      destroy_image(&t->images[k]);
}

static void
test_trials(void **state)
{
   struct trial *t = calloc(1, sizeof(*t));
   t->source = vkt_buffer_create(SOURCE_B);
   t->depths = vkt_buffer_create(SOURCE_B);
   t->result = vkt_buffer_create(RESULT_B);
   t->result_bytes = malloc(RESULT_B);
   memcpy(t->result_bytes, t->result.map, RESULT_B);
   random_state = 1;
   for (uint32_t k = 0; k < SOURCE_B / 4; k++) {
      ((uint32_t *)t->source.map)[k] = below(UINT32_MAX) * 5;
      ((float *)t->depths.map)[k] = (float)below(10001) / 10000;
   }
   for (t->number = first_trial; t->number < first_trial + trials;
        t->number++)
      run_trial(t);
   for (unsigned k = 0; k < ARRAY_SIZE(commands); k++) {
      print_message("%u %s\n", t->counts[k], commands[k].name);
      assert_true(t->counts[k] || trials < 60 || vkt_is_validated());
   }
   free(t->result_bytes);
   vkt_buffer_destroy(&t->source);
   vkt_buffer_destroy(&t->depths);
   vkt_buffer_destroy(&t->result);
   free(t);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trials),
   };
   if (argc > 1)
      trials = (unsigned)atoi(argv[1]);
   if (argc > 2)
      first_trial = (unsigned)atoi(argv[2]);
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
