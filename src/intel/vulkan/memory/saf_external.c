/* SPDX-License-Identifier: MIT */
/*
 * Memory and images that other processes, drivers and APIs share: dma-bufs
 * as file descriptors, and the modifiers that say how an image lies in them.
 *
 * An opaque descriptor is a dma-buf, too. Contents pass between processes in
 * memory: a batch begins with empty caches and ends when all is written, so
 * that barriers to and from other queue families need no more than others.
 */
#include "saf_buffer.h"
#include "saf_format.h"
#include "saf_image.h"
#include "saf_image_control.h"
#include "saf_resource.h"

#include <drm_fourcc.h>
#include <unistd.h>

/* ---- memory ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetMemoryFdKHR(VkDevice _device, const VkMemoryGetFdInfoKHR *info,
                   int *fd)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   return saf_bo_export(device,
                        saf_device_memory_from_handle(info->memory)->bo, fd);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetMemoryFdPropertiesKHR(VkDevice _device,
                             VkExternalMemoryHandleTypeFlagBits type, int fd,
                             VkMemoryFdPropertiesKHR *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   out->memoryTypeBits = 0;
   if (type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT)
      return VK_ERROR_INVALID_EXTERNAL_HANDLE;
   struct saf_bo *bo;
   const VkResult result = saf_bo_import(device, fd, &bo);
   if (result)
      return result;
   saf_bo_destroy(device, bo);
   out->memoryTypeBits = 1;
   return VK_SUCCESS;
}

static VkResult
import_fd(struct saf_device *device, const VkImportMemoryFdInfoKHR *import,
          uint64_t size_B, struct saf_bo **out)
{
   VkResult result = saf_bo_import(device, import->fd, out);
   if (!result && (*out)->size_B < size_B) {
      result = saf_error(VK_ERROR_INVALID_EXTERNAL_HANDLE,
                         "imported memory has %llu bytes, not %llu",
                         (unsigned long long)(*out)->size_B,
                         (unsigned long long)size_B);
      saf_bo_destroy(device, *out);
      *out = NULL;
   }
   if (!result)
      close(import->fd);
   return result;
}

VkResult
saf_import_memory(struct saf_device *device, const void *chain,
                  uint64_t size_B, struct saf_bo **out)
{
   const VkImportMemoryFdInfoKHR *fd =
      saf_find_struct(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
   const VkImportMemoryHostPointerInfoEXT *host = saf_find_struct(
      chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
   *out = NULL;
   if (fd && fd->handleType)
      return import_fd(device, fd, size_B, out);
   if (host && host->handleType)
      return saf_bo_of_host(device, host->pHostPointer, size_B, out);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetMemoryHostPointerPropertiesEXT(VkDevice _device,
                                      VkExternalMemoryHandleTypeFlagBits type,
                                      const void *memory,
                                      VkMemoryHostPointerPropertiesEXT *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   out->memoryTypeBits = 0;
   struct saf_bo *bo;
   if (type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT)
      return VK_ERROR_INVALID_EXTERNAL_HANDLE;
   const VkResult result =
      saf_bo_of_host(device, (void *)memory, SAF_HOST_MEMORY_ALIGN_B, &bo);
   if (result)
      return result;
   saf_bo_destroy(device, bo);
   out->memoryTypeBits = 1;
   return VK_SUCCESS;
}

#define HOST_TYPE VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
#define HANDLE_TYPES                                                         \
   (VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT |                           \
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT)

/* Memory of the host is nobody else's. */
static VkExternalMemoryProperties
memory_properties(bool ok, VkExternalMemoryHandleTypeFlagBits type)
{
   if (!ok)
      return (VkExternalMemoryProperties) { 0 };
   if (type == HOST_TYPE)
      return (VkExternalMemoryProperties) {
         .externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
         .compatibleHandleTypes = HOST_TYPE,
      };
   return (VkExternalMemoryProperties) {
      .externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT |
                                VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
      .exportFromImportedHandleTypes = HANDLE_TYPES,
      .compatibleHandleTypes = HANDLE_TYPES,
   };
}

/* Uniform buffers are read in whole registers, beyond their end; only memory
 * that we allocate has room there. */
VKAPI_ATTR void VKAPI_CALL
saf_GetPhysicalDeviceExternalBufferProperties(
   VkPhysicalDevice pdev, const VkPhysicalDeviceExternalBufferInfo *info,
   VkExternalBufferProperties *out)
{
   const VkExternalMemoryHandleTypeFlags types =
      saf_buffer_usage(info->pNext, info->usage) &
            VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
         ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
         : HANDLE_TYPES | HOST_TYPE;
   out->externalMemoryProperties =
      memory_properties(info->handleType & types, info->handleType);
   out->externalMemoryProperties.compatibleHandleTypes &= types;
   out->externalMemoryProperties.exportFromImportedHandleTypes &= types;
}

VkResult
saf_external_image_properties(const VkPhysicalDeviceImageFormatInfo2 *info,
                              void *chain)
{
   const VkPhysicalDeviceExternalImageFormatInfo *external = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
   if (!external || !external->handleType)
      return VK_SUCCESS;
   /* How an optimal image lies there nobody else could know. */
   const bool dma_buf = external->handleType ==
                        VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
   const bool ok = (external->handleType & (HANDLE_TYPES | HOST_TYPE)) &&
                   !(dma_buf && info->tiling == VK_IMAGE_TILING_OPTIMAL);
   saf_foreach_out_struct(s, chain)
   {
      if (s->sType == VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES)
         ((VkExternalImageFormatProperties *)s)->externalMemoryProperties =
            memory_properties(ok, external->handleType);
   }
   return ok ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED;
}

/* ---- modifiers ---- */

/* The best one first. */
static const struct {
   uint64_t modifier;
   enum isl_tiling tiling;
} modifiers[] = {
   { I915_FORMAT_MOD_Y_TILED, ISL_TILING_Y0 },
   { I915_FORMAT_MOD_X_TILED, ISL_TILING_X },
   { DRM_FORMAT_MOD_LINEAR, ISL_TILING_LINEAR },
};

static VkFormatFeatureFlags
modifier_features(const struct saf_physical_device *pdev, VkFormat format,
                  enum isl_tiling tiling)
{
   const struct saf_planar_format *planar = saf_planar_format(format);
   if (planar && planar->packed)
      return saf_image_format_features(pdev, format, VK_IMAGE_TILING_OPTIMAL);
   if (!saf_format_is_known(format) ||
       saf_format_aspects(format) != VK_IMAGE_ASPECT_COLOR_BIT)
      return 0;
   const enum isl_format f =
      saf_get_format(pdev->info, format, VK_IMAGE_ASPECT_COLOR_BIT).format;
   if (isl_format_is_compressed(f))
      return 0;
   VkFormatFeatureFlags flags =
      saf_image_format_features(pdev, format, VK_IMAGE_TILING_OPTIMAL);
   if (tiling != ISL_TILING_LINEAR &&
       isl_storage_reads_raw(pdev->info, isl_format_get_layout(f)->bpb))
      flags &=
         ~(VkFormatFeatureFlags)(VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT |
                                 VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT);
   return flags;
}

VkFormatFeatureFlags
saf_modifier_features(const struct saf_physical_device *pdev, VkFormat format,
                      uint64_t modifier)
{
   for (unsigned i = 0; i < ARRAY_SIZE(modifiers); i++) {
      if (modifiers[i].modifier == modifier)
         return modifier_features(pdev, format, modifiers[i].tiling);
   }
   return 0;
}

/* One body for both lists, whose members agree in name; `convert` makes its
 * features of `features`. */
#define FILL_MODIFIERS(out, convert)                                         \
   do {                                                                      \
      const uint32_t capacity = (out)->pDrmFormatModifierProperties          \
                                   ? (out)->drmFormatModifierCount           \
                                   : UINT32_MAX;                             \
      uint32_t n = 0;                                                        \
      for (unsigned i = 0; i < ARRAY_SIZE(modifiers) && n < capacity; i++) { \
         const VkFormatFeatureFlags features =                               \
            modifier_features(pdev, format, modifiers[i].tiling);            \
         if (!features)                                                      \
            continue;                                                        \
         if ((out)->pDrmFormatModifierProperties) {                          \
            __auto_type p = &(out)->pDrmFormatModifierProperties[n];         \
            p->drmFormatModifier = modifiers[i].modifier;                    \
            p->drmFormatModifierPlaneCount = 1;                              \
            p->drmFormatModifierTilingFeatures = (convert);                  \
         }                                                                   \
         n++;                                                                \
      }                                                                      \
      (out)->drmFormatModifierCount = n;                                     \
   } while (0)

void
saf_fill_modifiers(const struct saf_physical_device *pdev, VkFormat format,
                   VkDrmFormatModifierPropertiesListEXT *out)
{
   FILL_MODIFIERS(out, features);
}

void
saf_fill_modifiers2(const struct saf_physical_device *pdev, VkFormat format,
                    VkDrmFormatModifierPropertiesList2EXT *out)
{
   FILL_MODIFIERS(out, saf_format_features2(pdev, format, features));
}

bool
saf_image_choose_modifier(const VkImageCreateInfo *info, uint64_t *modifier,
                          struct saf_image_layout *out)
{
   const VkImageDrmFormatModifierExplicitCreateInfoEXT *one = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
   const VkImageDrmFormatModifierListCreateInfoEXT *list = saf_find_struct(
      info->pNext,
      VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT);
   const uint64_t *wanted = one    ? &one->drmFormatModifier
                            : list ? list->pDrmFormatModifiers
                                   : NULL;
   const uint32_t count = one ? 1 : list ? list->drmFormatModifierCount : 0;
   for (unsigned i = 0; i < ARRAY_SIZE(modifiers); i++) {
      for (uint32_t j = 0; j < count; j++) {
         if (wanted[j] != modifiers[i].modifier)
            continue;
         *modifier = wanted[j];
         out->tiling_flags = 1u << modifiers[i].tiling;
         if (!one)
            return true;
         if (one->drmFormatModifierPlaneCount != 1 ||
             one->pPlaneLayouts[0].rowPitch > UINT32_MAX)
            return false;
         out->row_pitch_B = (uint32_t)one->pPlaneLayouts[0].rowPitch;
         out->offset_B = one->pPlaneLayouts[0].offset;
         return true;
      }
   }
   return false;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetImageDrmFormatModifierPropertiesEXT(
   VkDevice device, VkImage image, VkImageDrmFormatModifierPropertiesEXT *out)
{
   out->drmFormatModifier = saf_image_from_handle(image)->modifier;
   return VK_SUCCESS;
}
