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
 * is kept in a list of the object that it lies in. So all places agree with
 * the offsets that we hand to the kernel, as NO_RELOC demands, and the lists
 * are read only if it has moved something.
 *
 * A batch is looked through once, when its recording ends: until then it has
 * a list of dwords (saf_batch.places). Surface states are written one by one
 * and anew, so for each dword of the object that holds them there is the
 * number of its entry, and room for the entries of all states that fit into
 * the pool: writing one cannot fail.
 *
 * Addresses have 32 bits here. Cost: a look into a small table, or a binary
 * search, for each address; a scan of what is freed.
 */
#include "intel/isl/isl.h"
#include "saf_reloc.h"

#include "intel/genxml/gen7_pack.h"
#include "saf_device.h"
#include "util/fallible.h"

#include <i915_drm.h>

typedef struct drm_i915_gem_relocation_entry reloc_entry;

/* ---- objects by their address ---- */

/* What of an address tells slots of recent_targets apart. */
#define RECENT_B 65536

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
search_target(struct saf_device *device, uint32_t addr)
{
   const unsigned n = count_up_to(device, addr);
   if (n == 0)
      return NULL;
   struct saf_bo *bo =
      ((struct saf_bo *const *)device->bos_by_addr.data)[n - 1];
   if (addr - bo->addr > bo->size_B)
      return NULL;
   return bo;
}

static inline struct saf_bo *
find_target(struct saf_device *device, uint32_t addr)
{
   struct saf_bo **recent =
      &device->recent_targets[addr / RECENT_B % SAF_RECENT_TARGETS];
   struct saf_bo *bo = *recent;
   if (bo && addr - bo->addr < bo->size_B)
      return bo;
   bo = search_target(device, addr);
   if (bo)
      *recent = bo;
   return bo;
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

/* Who has no `at` is never asked where an entry is. */
static void
set_at(struct saf_relocs *r, const reloc_entry *e, uint32_t value)
{
   if (r->at)
      r->at[e->offset / 4] = value;
}

static void
remove_entry(struct saf_relocs *r, uint32_t index)
{
   reloc_entry *entries = r->entries.data;
   struct saf_bo **targets = r->targets.data;
   const reloc_entry last = util_dynarray_pop(&r->entries, reloc_entry);
   struct saf_bo *target = util_dynarray_pop(&r->targets, struct saf_bo *);
   const size_t count = util_dynarray_num_elements(&r->entries, reloc_entry);
   set_at(r, &last, index + 1);
   if (index < count) {
      struct saf_bo *const removed = targets[index];
      set_at(r, &entries[index], 0);
      entries[index] = last;
      targets[index] = target;
      target = removed;
   } else {
      set_at(r, &last, 0);
   }
   target->pointers--;
}

static bool
has_room(struct saf_relocs *r, size_t count)
{
   return util_dynarray_try_reserve(&r->entries,
                                    count * sizeof(reloc_entry)) &&
          util_dynarray_try_reserve(&r->targets,
                                    count * sizeof(struct saf_bo *));
}

static void *
end_of(const struct util_dynarray *list)
{
   return (char *)list->data + list->size_B;
}

/* An address of ours, in the dword at `place`, which becomes the kernel's. */
static void
fill_entry(reloc_entry *e, uint32_t dword, struct saf_bo *target,
           uint32_t *place)
{
   e->target_handle = target->handle;
   e->delta = *place - (uint32_t)target->addr;
   e->offset = dword * 4ull;
   e->presumed_offset = target->offset;
   e->read_domains = I915_GEM_DOMAIN_RENDER;
   e->write_domain = 0;
   target->pointers++;
   *place = (uint32_t)target->offset + e->delta;
}

/* There is room for it. */
static void
add_entry(struct saf_relocs *r, uint32_t dword, struct saf_bo *target,
          uint32_t *place)
{
   fill_entry(end_of(&r->entries), dword, target, place);
   *(struct saf_bo **)end_of(&r->targets) = target;
   r->entries.size_B += sizeof(reloc_entry);
   r->targets.size_B += sizeof(target);
}

bool
saf_reloc_note_batch(struct saf_device *device, struct saf_bo *bo,
                     const struct util_dynarray *places)
{
   uint32_t *const map = bo->map;
   struct saf_relocs *const r = &bo->relocs;
   pthread_mutex_lock(&device->bo_mutex);
   const bool ok = has_room(r, util_dynarray_num_elements(places, uint32_t));
   if (ok) {
      reloc_entry *e = end_of(&r->entries);
      struct saf_bo **t = end_of(&r->targets);
      util_dynarray_foreach(places, const uint32_t, dword) {
         struct saf_bo *target =
            map[*dword] ? find_target(device, map[*dword]) : NULL;
         if (!target)
            continue;
         fill_entry(e++, *dword, target, &map[*dword]);
         *t++ = target;
      }
      r->entries.size_B = (size_t)((char *)e - (char *)r->entries.data);
      r->targets.size_B = (size_t)((char *)t - (char *)r->targets.data);
   }
   pthread_mutex_unlock(&device->bo_mutex);
   return ok;
}

bool
saf_reloc_note_address(struct saf_device *device, uint32_t index,
                       struct saf_bo *target)
{
   struct saf_bo *const table = device->addresses;
   uint32_t *const place = (uint32_t *)table->map + index;
   pthread_mutex_lock(&device->bo_mutex);
   const size_t count =
      util_dynarray_num_elements(&table->relocs.entries, reloc_entry);
   const bool ok = target->has_addresses || !device->pdev->relocates ||
                   has_room(&table->relocs, count + 1);
   if (ok && !target->has_addresses) {
      *place = (uint32_t)target->addr;
      if (device->pdev->relocates)
         add_entry(&table->relocs, index, target, place);
      target->has_addresses = true;
   }
   pthread_mutex_unlock(&device->bo_mutex);
   return ok;
}

/* ---- surface states ---- */

#define SURFACE_PLACES GEN7_RENDER_SURFACE_STATE_address_dwords

bool
saf_reloc_init_states(struct saf_device *device)
{
   struct saf_bo *bo = device->states;
   bo->relocs.at = calloc(bo->size_B / 4, sizeof(uint32_t));
   return bo->relocs.at != NULL;
}

bool
saf_reloc_reserve_surfaces(struct saf_device *device, uint64_t states_B)
{
   pthread_mutex_lock(&device->bo_mutex);
   const bool ok =
      has_room(&device->states->relocs,
               states_B / ISL_SURFACE_STATE_SIZE_B *
                  (unsigned)__builtin_popcountll(SURFACE_PLACES));
   pthread_mutex_unlock(&device->bo_mutex);
   return ok;
}

static void
note(struct saf_device *device, struct saf_relocs *r, uint32_t dword,
     uint32_t *place)
{
   struct saf_bo *target = *place ? find_target(device, *place) : NULL;
   const uint32_t number = r->at[dword];
   if (number && target) {
      struct saf_bo **const old =
         util_dynarray_element(&r->targets, struct saf_bo *, number - 1);
      (*old)->pointers--;
      *old = target;
      fill_entry(util_dynarray_element(&r->entries, reloc_entry, number - 1),
                 dword, target, place);
   } else if (target) {
      add_entry(r, dword, target, place);
      r->at[dword] =
         (uint32_t)util_dynarray_num_elements(&r->entries, reloc_entry);
   } else if (number) {
      remove_entry(r, number - 1);
   }
}

void
saf_reloc_note_surface(struct saf_device *device, void *state)
{
   /* One that could not be had lies elsewhere (saf_cmd_surface_state()). */
   struct saf_bo *bo = device->states;
   const uintptr_t offset_B = (uintptr_t)state -
                              (uintptr_t)(bo ? bo->map : 0);
   if (!bo || offset_B >= bo->size_B)
      return;
   pthread_mutex_lock(&device->bo_mutex);
   uint64_t mask = SURFACE_PLACES;
   while (mask) {
      const unsigned i = (unsigned)u_bit_scan64(&mask);
      note(device, &bo->relocs, (uint32_t)(offset_B / 4) + i,
           (uint32_t *)state + i);
   }
   pthread_mutex_unlock(&device->bo_mutex);
}

/* ---- what goes ---- */

static void
invalidate_all(struct saf_relocs *r)
{
   util_dynarray_foreach(&r->targets, struct saf_bo *, target)
      (*target)->pointers--;
   if (r->at) {
      util_dynarray_foreach(&r->entries, reloc_entry, e)
         set_at(r, e, 0);
   }
   util_dynarray_clear(&r->targets);
   util_dynarray_clear(&r->entries);
}

void
saf_reloc_unregister(struct saf_device *device, struct saf_bo *bo)
{
   pthread_mutex_lock(&device->bo_mutex);
   invalidate_all(&bo->relocs);
   pthread_mutex_unlock(&device->bo_mutex);
}

void
saf_reloc_unregister_states(struct saf_device *device, uint64_t offset_B,
                            uint64_t size_B)
{
   struct saf_relocs *r = &device->states->relocs;
   pthread_mutex_lock(&device->bo_mutex);
   for (uint64_t at_B = offset_B; at_B < offset_B + size_B;
        at_B += ISL_SURFACE_STATE_SIZE_B) {
      uint64_t mask = SURFACE_PLACES;
      while (mask) {
         const uint64_t i = at_B / 4 + (unsigned)u_bit_scan64(&mask);
         if (r->at[i])
            remove_entry(r, r->at[i] - 1);
      }
   }
   pthread_mutex_unlock(&device->bo_mutex);
}

/* Drops all places that hold the object's address. */
static void
invalidate_pointers(struct saf_device *device, struct saf_bo *target)
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
   invalidate_all(&bo->relocs);
   if (bo->pointers)
      invalidate_pointers(device, bo);
   assert(bo->pointers == 0 && "nothing points to what is gone");
   util_dynarray_fini(&bo->relocs.entries);
   util_dynarray_fini(&bo->relocs.targets);
   free(bo->relocs.at);

   for (unsigned i = 0; i < SAF_RECENT_TARGETS; i++) {
      if (device->recent_targets[i] == bo)
         device->recent_targets[i] = NULL;
   }
   const unsigned at = count_up_to(device, bo->addr) - 1;
   const size_t count =
      util_dynarray_num_elements(&device->bos_by_addr, struct saf_bo *);
   struct saf_bo **bos = device->bos_by_addr.data;
   assert(bos[at] == bo && "sorted by address");
   memmove(bos + at, bos + at + 1, (count - at - 1) * sizeof(*bos));
   (void)util_dynarray_pop(&device->bos_by_addr, struct saf_bo *);
}
