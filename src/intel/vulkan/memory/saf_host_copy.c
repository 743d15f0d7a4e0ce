/* SPDX-License-Identifier: MIT */
/*
 * Problem: the host copies texels to and from images
 * (VK_EXT_host_image_copy), which are tiled.
 *
 * Method: all images are in memory that the host can map, and beside them is
 * nothing that says more when no rendering is going on (saf_hiz.c,
 * saf_fast_clear.c): a slice of a level is copied row by row, in the runs
 * that a tile leaves together (isl_tiling_address_B()). What a copy without a
 * change of layout (VK_HOST_IMAGE_COPY_MEMCPY_EXT) writes and reads is the
 * same, without gaps.
 *
 * Before Gen8 the memory controller may swap parts of tiles, as the board's
 * memory wants (isl_swizzle_address()), which the kernel knows; and stencil
 * has a shadow there, which shaders read (saf_meta_stencil.c): what goes to
 * one goes to the other.
 *
 * A transition of the layout does nothing, as images of one sample have
 * nothing that it would have to set.
 */
#include "saf_format.h"
#include "saf_image.h"
#include "saf_resource.h"

/* A slice in memory of the host. */
struct slice {
   enum isl_tiling tiling;
   bool swizzled;
   uint32_t element_B;
   uint64_t row_pitch_B;
   char *base;          /* of tiles: a page's beginning */
   uint32_t x_el, y_el; /* where it begins, seen from `base` */
};

/* How many bytes from byte x_B of a row on are beside each other: of the
 * rows of an X tile, the columns of a Y tile. */
static uint32_t
run_B(const struct slice *s, uint32_t x_B)
{
   switch (s->tiling) {
   case ISL_TILING_LINEAR: return UINT32_MAX;
   case ISL_TILING_X: return s->swizzled ? 64 - x_B % 64 : 512 - x_B % 512;
   case ISL_TILING_Y0: return 16 - x_B % 16;
   case ISL_TILING_W: return 1;
   }
   unreachable("tiling");
}

static char *
byte_of(const struct slice *s, uint32_t x_B, uint32_t y)
{
   if (s->tiling == ISL_TILING_LINEAR)
      return s->base + y * s->row_pitch_B + x_B;
   const uint64_t at =
      isl_tiling_address_B(s->tiling, (uint32_t)s->row_pitch_B, x_B, y);
   return s->base + (s->swizzled ? isl_swizzle_address(s->tiling, at) : at);
}

/* `size_B` bytes from element (x, y) on, in one row. */
static void
copy_row(const struct slice *s, uint32_t x, uint32_t y, char *memory,
         uint64_t size_B, bool to_image)
{
   uint32_t x_B = (s->x_el + x) * s->element_B;
   while (size_B > 0) {
      const uint64_t n_B = MIN2(size_B, run_B(s, x_B));
      char *const at = byte_of(s, x_B, s->y_el + y);
      if (to_image)
         memcpy(at, memory, n_B);
      else
         memcpy(memory, at, n_B);
      memory += n_B;
      x_B += (uint32_t)n_B;
      size_B -= n_B;
   }
}

/* A level of a plane, mapped. */
struct level {
   const struct saf_image *image;
   const struct saf_plane *plane;
   uint32_t level, first; /* layer, or slice of three dimensions */
   uint32_t block_w, block_h;
   bool swizzled;
   char *map; /* where the plane begins */
};

#define MAX_PLACES 2

/* Where the texels of an aspect are: the first is read. */
static unsigned
places_of(const struct saf_image *image, VkImageAspectFlags aspect,
          const struct saf_plane *out[MAX_PLACES])
{
   out[0] = saf_image_plane(image, aspect);
   if (!image->has_shadow || out[0]->aspect != VK_IMAGE_ASPECT_STENCIL_BIT)
      return 1;
   out[1] = &image->shadow;
   return 2;
}

static VkResult
open_level(struct saf_device *device, const struct saf_image *image,
           const struct saf_plane *plane, const VkImageSubresourceLayers *sub,
           int32_t z, struct level *out)
{
   struct saf_bo *bo = plane->bo ? plane->bo : image->bo;
   char *map = saf_bo_map(device, bo);
   if (!map)
      return VK_ERROR_MEMORY_MAP_FAILED;
   *out = (struct level) {
      .image = image,
      .plane = plane,
      .level = sub->mipLevel,
      .first = sub->baseArrayLayer + (uint32_t)z,
      .block_w = plane->texel_px,
      .block_h = isl_format_get_layout(plane->surf.format)->bh,
      .swizzled = device->pdev->swizzles_tiles,
      .map = map + (saf_plane_addr(image, plane) - bo->addr),
   };
   return VK_SUCCESS;
}

static struct slice
slice_of(const struct level *l, uint32_t i)
{
   const struct isl_surf *surf = &l->plane->surf;
   const bool is_3d = surf->dim == ISL_SURF_DIM_3D;
   const uint32_t n = l->first + i;
   uint64_t offset_B;
   struct slice s = {
      .tiling = surf->tiling,
      .swizzled = l->swizzled,
      .element_B = isl_format_get_layout(surf->format)->bpb / 8u,
      .row_pitch_B = surf->row_pitch_B,
   };
   isl_surf_get_image_offset_B_tile_el(surf, l->level, is_3d ? 0 : n,
                                       is_3d ? n : 0, &offset_B, &s.x_el,
                                       &s.y_el);
   s.base = l->map + offset_B;
   return s;
}

/* ---- memory ---- */

/* What both kinds of regions say; lengths of 0 are those of the extent. */
struct region {
   char *memory;
   uint32_t row_length, image_height;
   VkImageSubresourceLayers sub;
   VkOffset3D offset;
   VkExtent3D extent;
};

static VkResult
copy_plane(struct saf_device *device, const struct saf_image *image,
           const struct saf_plane *plane, const struct region *r,
           bool to_image)
{
   struct level l;
   const VkResult result =
      open_level(device, image, plane, &r->sub, r->offset.z, &l);
   if (result)
      return result;
   const uint32_t row_el = DIV_ROUND_UP(
      r->row_length ? r->row_length : r->extent.width, l.block_w);
   const uint32_t rows_el = DIV_ROUND_UP(
      r->image_height ? r->image_height : r->extent.height, l.block_h);
   const uint32_t w_el = DIV_ROUND_UP(r->extent.width, l.block_w);
   const uint32_t h_el = DIV_ROUND_UP(r->extent.height, l.block_h);
   const uint32_t slices =
      MAX2(r->extent.depth, saf_layer_count(image, &r->sub));
   char *memory = r->memory;
   for (uint32_t i = 0; i < slices; i++) {
      const struct slice s = slice_of(&l, i);
      const uint64_t pitch_B = (uint64_t)row_el * s.element_B;
      for (uint32_t y = 0; y < h_el; y++)
         copy_row(&s, (uint32_t)r->offset.x / l.block_w,
                  (uint32_t)r->offset.y / l.block_h + y, memory + y * pitch_B,
                  (uint64_t)w_el * s.element_B, to_image);
      memory += rows_el * pitch_B;
   }
   return VK_SUCCESS;
}

static VkResult
copy_region(struct saf_device *device, const struct saf_image *image,
            const struct region *r, bool to_image)
{
   const struct saf_plane *planes[MAX_PLACES];
   const unsigned n = places_of(image, r->sub.aspectMask, planes);
   VkResult result = VK_SUCCESS;
   for (unsigned i = 0; i < (to_image ? n : 1) && !result; i++)
      result = copy_plane(device, image, planes[i], r, to_image);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CopyMemoryToImage(VkDevice _device,
                      const VkCopyMemoryToImageInfoEXT *info)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_image, image, info->dstImage);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < info->regionCount && !result; i++) {
      const VkMemoryToImageCopyEXT *c = &info->pRegions[i];
      const struct region r = { (char *)(uintptr_t)c->pHostPointer,
                                c->memoryRowLength,
                                c->memoryImageHeight,
                                c->imageSubresource,
                                c->imageOffset,
                                c->imageExtent };
      result = copy_region(device, image, &r, true);
   }
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CopyImageToMemory(VkDevice _device,
                      const VkCopyImageToMemoryInfoEXT *info)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_image, image, info->srcImage);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < info->regionCount && !result; i++) {
      const VkImageToMemoryCopyEXT *c = &info->pRegions[i];
      const struct region r = { c->pHostPointer,      c->memoryRowLength,
                                c->memoryImageHeight, c->imageSubresource,
                                c->imageOffset,       c->imageExtent };
      result = copy_region(device, image, &r, false);
   }
   return result;
}

uint64_t
saf_host_copy_size_B(const struct saf_image *image,
                     const VkImageSubresource *sub)
{
   const struct saf_plane *p = saf_image_plane(image, sub->aspectMask);
   const struct isl_format_layout *f = isl_format_get_layout(p->surf.format);
   const struct isl_extent3d e =
      isl_surf_level_extent_px(&p->surf, sub->mipLevel);
   return (uint64_t)DIV_ROUND_UP(e.w, f->bw) * DIV_ROUND_UP(e.h, f->bh) *
          (p->surf.dim == ISL_SURF_DIM_3D ? e.d : 1) * (f->bpb / 8u);
}

/* ---- from image to image ---- */

#define PIECE_B 4096u

static VkResult
copy_image_plane(struct saf_device *device, const struct saf_image *src,
                 const struct saf_plane *src_plane,
                 const struct saf_image *dst,
                 const struct saf_plane *dst_plane, const VkImageCopy2 *r)
{
   struct level from, to;
   char piece[PIECE_B];
   VkResult result = open_level(device, src, src_plane, &r->srcSubresource,
                                r->srcOffset.z, &from);
   if (!result)
      result = open_level(device, dst, dst_plane, &r->dstSubresource,
                          r->dstOffset.z, &to);
   if (result)
      return result;
   const uint32_t slices =
      MAX2(r->extent.depth, saf_layer_count(src, &r->srcSubresource));
   const uint32_t w_el = DIV_ROUND_UP(r->extent.width, from.block_w);
   const uint32_t h_el = DIV_ROUND_UP(r->extent.height, from.block_h);
   for (uint32_t i = 0; i < slices; i++) {
      const struct slice s = slice_of(&from, i), d = slice_of(&to, i);
      const uint32_t most_el = PIECE_B / s.element_B;
      for (uint32_t y = 0; y < h_el; y++) {
         for (uint32_t x = 0; x < w_el; x += most_el) {
            const uint64_t n_B = (uint64_t)MIN2(most_el, w_el - x) *
                                 s.element_B;
            copy_row(&s, (uint32_t)r->srcOffset.x / from.block_w + x,
                     (uint32_t)r->srcOffset.y / from.block_h + y, piece, n_B,
                     false);
            copy_row(&d, (uint32_t)r->dstOffset.x / to.block_w + x,
                     (uint32_t)r->dstOffset.y / to.block_h + y, piece, n_B,
                     true);
         }
      }
   }
   return VK_SUCCESS;
}

static VkResult
copy_image_region(struct saf_device *device, const struct saf_image *src,
                  const struct saf_image *dst, const VkImageCopy2 *r)
{
   const struct saf_plane *from[MAX_PLACES], *to[MAX_PLACES];
   places_of(src, r->srcSubresource.aspectMask, from);
   const unsigned n = places_of(dst, r->dstSubresource.aspectMask, to);
   VkResult result = VK_SUCCESS;
   for (unsigned i = 0; i < n && !result; i++)
      result = copy_image_plane(device, src, from[0], dst, to[i], r);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CopyImageToImage(VkDevice _device, const VkCopyImageToImageInfoEXT *info)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_image, src, info->srcImage);
   SAF_FROM_HANDLE(saf_image, dst, info->dstImage);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < info->regionCount && !result; i++)
      result = copy_image_region(device, src, dst, &info->pRegions[i]);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_TransitionImageLayout(
   VkDevice device, uint32_t count,
   const VkHostImageLayoutTransitionInfoEXT *transitions)
{
   return VK_SUCCESS;
}
