/* SPDX-License-Identifier: MIT */
/* Small helpers for the shapes that the Vulkan API repeats everywhere. */
#include "saf_base.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

const void *
saf_find_struct(const void *first, VkStructureType type)
{
   saf_foreach_struct(s, first)
   {
      if (s->sType == type)
         return s;
   }
   return NULL;
}

void *
saf_alloc_space(const VkAllocationCallbacks *alloc, size_t size_B)
{
   return alloc ? alloc->pfnAllocation(alloc->pUserData, size_B, 16,
                                       VK_SYSTEM_ALLOCATION_SCOPE_OBJECT)
                : malloc(size_B);
}

void *
saf_alloc(const VkAllocationCallbacks *alloc, size_t size_B)
{
   if (!alloc)
      return calloc(1, size_B);
   void *p = saf_alloc_space(alloc, size_B);
   if (p)
      memset(p, 0, size_B);
   return p;
}

void
saf_free(const VkAllocationCallbacks *alloc, void *p)
{
   if (!p)
      return;
   saf_private_data_release(p);
   saf_name_release(p);
   if (alloc)
      alloc->pfnFree(alloc->pUserData, p);
   else
      free(p);
}

VkResult
saf_enumerate(uint32_t *count, void *out, const void *items, uint32_t n,
              size_t item_size_B)
{
   if (!out) {
      *count = n;
      return VK_SUCCESS;
   }
   const uint32_t written = MIN2(*count, n);
   if (written)
      memcpy(out, items, written * item_size_B);
   *count = written;
   return written < n ? VK_INCOMPLETE : VK_SUCCESS;
}

uint64_t
saf_now_ns(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

VkResult
saf_error(VkResult result, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   fprintf(stderr, "saffron: ");
   vfprintf(stderr, fmt, ap);
   fprintf(stderr, "\n");
   va_end(ap);
   return result;
}
