/* SPDX-License-Identifier: MIT */
/*
 * Relocations: problem: where a process shares its address space with all
 * others and with the kernel (aliasing PPGTT, Gen7), an object cannot have
 * its address for as long as it lives. The kernel moves it when it must, and
 * then has to know each place in memory where its address stands (i915_drm.h,
 * "struct drm_i915_gem_relocation_entry"; chip-rules KR-01, KR-06).
 *
 * Method: the driver goes on as if each object had an address of its own
 * choice (saf_bo.addr), by which alone an object can be told from a number.
 * Where an address has been written into memory, it is looked up, replaced
 * by where the kernel has had the object last (saf_bo.offset), and the place
 * is kept in a list of the object that it lies in. So at any time all
 * places agree with the offsets that we hand to the kernel, as NO_RELOC
 * demands, and the lists are read only if it has moved something.
 *
 * Addresses have 32 bits here. Cost: a binary search for each address in a
 * command, a scan of what is freed.
 */
#include "saf_reloc.h"

#include "intel/genxml/gen7_pack.h"
#include "intel/vulkan/saf_private.h"
#include "util/fallible.h"

#include <i915_drm.h>

typedef struct drm_i915_gem_relocation_entry reloc_entry;

/* ---- objects by their address ---- */

/* How many objects of the sorted list begin at or below an address. */
static unsigned
count_up_to(const struct saf_device *device, uint64_t addr)
{
   struct saf_bo *const *bos = device->bos_by_addr.data;
   unsigned low = 0, high = util_dynarray_num_elements(&device->bos_by_addr,
                                                       struct saf_bo *);
   while (low < high) {
      const unsigned mid = (low + high) / 2;
      if (bos[mid]->addr <= addr)
         low = mid + 1;
      else
         high = mid;
   }
   return low;
}

/* The first byte after an object counts as part of it: it is the end of
 * what somebody reads, and nothing else begins there (saf_bo.c). */
static struct saf_bo *
find_target(struct saf_device *device, uint32_t addr)
{
   struct saf_bo *const last = device->last_target;
   if (last && addr >= last->addr && addr - last->addr < last->size_B)
      return last;
   const unsigned n = count_up_to(device, addr);
   if (n == 0)
      return NULL;
   struct saf_bo *bo =
      ((struct saf_bo *const *)device->bos_by_addr.data)[n - 1];
   if (addr - bo->addr > bo->size_B)
      return NULL;
   return device->last_target = bo;
}

void
saf_reloc_add_bo(struct saf_device *device, struct saf_bo *bo)
{
   const unsigned at = count_up_to(device, bo->addr);
   const unsigned count =
      util_dynarray_num_elements(&device->bos_by_addr, struct saf_bo *);
   /* saf_bo.c has made room for it. */
   util_dynarray_append(&device->bos_by_addr, struct saf_bo *, bo);
   struct saf_bo **bos = device->bos_by_addr.data;
   memmove(bos + at + 1, bos + at, (count - at) * sizeof(*bos));
   bos[at] = bo;
}

/* ---- places ---- */

static void
remove_entry(struct saf_relocs *r, uint32_t index)
{
   reloc_entry *entries = r->entries.data;
   struct saf_bo **targets = r->targets.data;
   const reloc_entry last = util_dynarray_pop(&r->entries, reloc_entry);
   struct saf_bo *target = util_dynarray_pop(&r->targets, struct saf_bo *);
   const size_t count = util_dynarray_num_elements(&r->entries, reloc_entry);
   r->at[last.offset / 4] = index + 1;
   if (index < count) {
      struct saf_bo *const removed = targets[index];
      r->at[entries[index].offset / 4] = 0;
      entries[index] = last;
      targets[index] = target;
      target = removed;
   } else {
      r->at[last.offset / 4] = 0;
   }
   target->pointers--;
}

/* The entry of a dword, made if there is none; false: no memory for it. */
static bool
set_entry(struct saf_relocs *r, uint32_t dword, struct saf_bo *target,
          uint32_t delta)
{
   const reloc_entry e = {
      .target_handle = target->handle,
      .delta = delta,
      .offset = dword * 4ull,
      .presumed_offset = target->offset,
      .read_domains = I915_GEM_DOMAIN_RENDER,
   };
   if (!r->at[dword]) {
      const size_t n = util_dynarray_num_elements(&r->entries, reloc_entry);
      if (!util_dynarray_try_reserve(&r->entries, (n + 1) * sizeof(e)) ||
          !util_dynarray_try_reserve(&r->targets, (n + 1) * sizeof(target)))
         return false;
      target->pointers++;
      util_dynarray_append(&r->entries, reloc_entry, e);
      util_dynarray_append(&r->targets, struct saf_bo *, target);
      r->at[dword] =
         (uint32_t)util_dynarray_num_elements(&r->entries, reloc_entry);
      return true;
   }
   target->pointers++;
   const uint32_t index = r->at[dword] - 1;
   struct saf_bo **old =
      util_dynarray_element(&r->targets, struct saf_bo *, index);
   (*old)->pointers--;
   *old = target;
   *util_dynarray_element(&r->entries, reloc_entry, index) = e;
   return true;
}

static bool
has_places(struct saf_device *device, struct saf_bo *bo)
{
   if (!bo->relocs.at)
      bo->relocs.at = calloc(bo->size_B / 4, sizeof(uint32_t));
   if (!bo->relocs.at)
      device->relocs_failed = true;
   return bo->relocs.at != NULL;
}

static void
note(struct saf_device *device, struct saf_bo *bo, uint32_t *place)
{
   struct saf_bo *target = *place ? find_target(device, *place) : NULL;
   const uint32_t dword = (uint32_t)(place - (uint32_t *)bo->map);
   assert(dword < bo->size_B / 4 && "a place in the object");
   if (!has_places(device, bo))
      return;
   if (target) {
      const uint32_t delta = *place - (uint32_t)target->addr;
      if (!set_entry(&bo->relocs, dword, target, delta))
         device->relocs_failed = true;
      *place = (uint32_t)target->offset + delta;
   } else if (bo->relocs.at[dword]) {
      remove_entry(&bo->relocs, bo->relocs.at[dword] - 1);
   }
}

void
saf_reloc_note_dwords(struct saf_device *device, struct saf_bo *bo,
                      uint32_t *dw, uint64_t mask)
{
   pthread_mutex_lock(&device->bo_mutex);
   while (mask)
      note(device, bo, dw + u_bit_scan64(&mask));
   pthread_mutex_unlock(&device->bo_mutex);
}

void
saf_reloc_note_surface(struct saf_device *device, void *state)
{
   /* One that could not be had lies elsewhere (saf_cmd_surface_state()). */
   const struct saf_bo *bo = device->states;
   const uintptr_t offset_B = (uintptr_t)state -
                              (uintptr_t)(bo ? bo->map : 0);
   if (bo && offset_B < bo->size_B)
      saf_reloc_note_dwords(device, device->states, state,
                            GEN7_RENDER_SURFACE_STATE_address_dwords);
}

static void
forget(struct saf_bo *bo, uint64_t offset_B, uint64_t size_B)
{
   struct saf_relocs *r = &bo->relocs;
   if (!r->at || !r->entries.size_B)
      return;
   if (size_B == bo->size_B) {
      while (r->entries.size_B)
         remove_entry(r, (uint32_t)(util_dynarray_num_elements(&r->entries,
                                                               reloc_entry) -
                                    1));
      return;
   }
   for (uint64_t i = offset_B / 4; i < (offset_B + size_B) / 4; i++) {
      if (r->at[i])
         remove_entry(r, r->at[i] - 1);
   }
}

void
saf_reloc_forget(struct saf_device *device, struct saf_bo *bo,
                 uint64_t offset_B, uint64_t size_B)
{
   pthread_mutex_lock(&device->bo_mutex);
   forget(bo, offset_B, size_B);
   pthread_mutex_unlock(&device->bo_mutex);
}

void
saf_reloc_copy(struct saf_device *device, struct saf_bo *to,
               const struct saf_bo *from)
{
   pthread_mutex_lock(&device->bo_mutex);
   const size_t count =
      util_dynarray_num_elements(&from->relocs.entries, reloc_entry);
   if (has_places(device, to)) {
      for (size_t i = 0; i < count; i++) {
         const reloc_entry *e =
            util_dynarray_element(&from->relocs.entries, reloc_entry, i);
         set_entry(&to->relocs, (uint32_t)(e->offset / 4),
                   *util_dynarray_element(&from->relocs.targets,
                                          struct saf_bo *, i),
                   e->delta);
      }
   }
   pthread_mutex_unlock(&device->bo_mutex);
}

/* Drops all places that hold the object's address. */
static void
forget_pointers(struct saf_device *device, struct saf_bo *target)
{
   util_dynarray_foreach(&device->exec_bos, struct saf_bo *, p) {
      struct saf_relocs *r = &(*p)->relocs;
      size_t i = util_dynarray_num_elements(&r->targets, struct saf_bo *);
      while (target->pointers && i-- > 0) {
         if (*util_dynarray_element(&r->targets, struct saf_bo *, i) ==
             target)
            remove_entry(r, (uint32_t)i);
      }
   }
}

void
saf_reloc_remove_bo(struct saf_device *device, struct saf_bo *bo)
{
   forget(bo, 0, bo->size_B);
   if (bo->pointers)
      forget_pointers(device, bo);
   assert(bo->pointers == 0 && "nothing points to what is gone");
   util_dynarray_fini(&bo->relocs.entries);
   util_dynarray_fini(&bo->relocs.targets);
   free(bo->relocs.at);

   if (device->last_target == bo)
      device->last_target = NULL;
   const unsigned at = count_up_to(device, bo->addr) - 1;
   const size_t count =
      util_dynarray_num_elements(&device->bos_by_addr, struct saf_bo *);
   struct saf_bo **bos = device->bos_by_addr.data;
   assert(bos[at] == bo && "sorted by address");
   memmove(bos + at, bos + at + 1, (count - at - 1) * sizeof(*bos));
   (void)util_dynarray_pop(&device->bos_by_addr, struct saf_bo *);
}
