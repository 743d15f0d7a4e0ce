/* SPDX-License-Identifier: MIT */
/*
 * Batches that grow by chaining buffer objects; on Gen7 by moving to a larger
 * one, since the kernel does not let a batch through that jumps (chip-rules
 * KR-12).
 */
#include "saf_cmd_buffer.h"
#include "intel/vulkan/base/saf_genx.h"
#include "util/fallible.h"

/* Kept free at the end of each object for the jump, or for the end of the
 * batch; the command streamer also reads ahead of where it is. */
#define RESERVED_DW 128

void
saf_batch_init(struct saf_batch *batch, struct saf_device *device)
{
   memset(batch, 0, sizeof(*batch));
   batch->device = device;
   batch->relocates = device->pdev->relocates;
}

static void
give_back(struct saf_device *device, struct saf_bo *bo)
{
   if (bo->size_B == SAF_BATCH_SIZE_B)
      saf_batch_bo_put(device, bo);
   else
      saf_bo_destroy(device, bo);
}

void
saf_batch_trim(struct saf_batch *batch)
{
   if (batch->spare)
      saf_bo_destroy(batch->device, batch->spare);
   batch->spare = NULL;
   while (batch->blocks.size_B > batch->blocks_used * sizeof(struct saf_bo *))
      saf_bo_destroy(batch->device,
                     util_dynarray_pop(&batch->blocks, struct saf_bo *));
}

/* What it took to record once, it may take again: new memory costs the kernel
 * as much time as filling it does us. */
static void
keep(struct saf_batch *batch, struct saf_bo *bo)
{
   if (bo->size_B == SAF_BATCH_SIZE_B ||
       (batch->spare && batch->spare->size_B >= bo->size_B)) {
      give_back(batch->device, bo);
      return;
   }
   saf_batch_trim(batch);
   if (batch->device->pdev->relocates)
      saf_reloc_unregister(batch->device, bo);
   batch->spare = bo;
}

void
saf_batch_reset(struct saf_batch *batch)
{
   util_dynarray_foreach(&batch->bos, struct saf_bo *, bo)
      keep(batch, *bo);
   util_dynarray_clear(&batch->bos);
   util_dynarray_foreach(&batch->temporaries, struct saf_bo *, t)
      saf_bo_destroy(batch->device, *t);
   util_dynarray_clear(&batch->temporaries);
   util_dynarray_clear(&batch->places);
   batch->blocks_used = 0;
   batch->start = batch->next = batch->end = NULL;
   batch->failed = false;
}

void
saf_batch_finish(struct saf_batch *batch)
{
   saf_batch_reset(batch);
   saf_batch_trim(batch);
   util_dynarray_fini(&batch->bos);
   util_dynarray_fini(&batch->temporaries);
   util_dynarray_fini(&batch->places);
   util_dynarray_fini(&batch->blocks);
}

static void
fail(struct saf_batch *batch)
{
   /* What goes nowhere: written by whoever has no memory, read by none. */
   static uint32_t nowhere[SAF_MAX_PACKET_DW];
   batch->failed = true;
   batch->dump = nowhere;
   batch->next = batch->dump;
   batch->end = batch->dump + SAF_MAX_PACKET_DW;
}

/* Twice as large, with what there is already. */
static void
move(struct saf_batch *batch)
{
   struct saf_bo **slot =
      util_dynarray_element(&batch->bos, struct saf_bo *, 0);
   struct saf_bo *old = *slot, *bo;
   const size_t used_B = (size_t)((char *)batch->next - (char *)old->map);
   const uint64_t size_B = old->size_B * 2;
   if (saf_bo_create(batch->device, "batch", size_B, 0, &bo)) {
      fail(batch);
      return;
   }
   saf_bo_capture(batch->device, bo);
   if (!saf_bo_map(batch->device, bo)) {
      saf_bo_destroy(batch->device, bo);
      fail(batch);
      return;
   }
   memcpy(bo->map, old->map, used_B);
   *slot = bo;
   give_back(batch->device, old);
   batch->start = bo->map;
   batch->next = batch->start + used_B / 4;
   batch->end = (uint32_t *)bo->map + size_B / 4 - RESERVED_DW;
}

void
saf_batch_grow(struct saf_batch *batch)
{
   if (!batch->failed && batch->next &&
       !batch->device->info->has_batch_chaining) {
      move(batch);
      return;
   }
   struct saf_bo *bo = batch->spare;
   if (batch->failed)
      bo = NULL;
   else if (bo)
      batch->spare = NULL;
   else
      bo = saf_batch_bo_get(batch->device);
   if (!bo) {
      fail(batch);
      return;
   }
   if (!util_dynarray_try_append(&batch->bos, struct saf_bo *, bo)) {
      give_back(batch->device, bo);
      fail(batch);
      return;
   }
   if (batch->next)
      batch->device->genx->emit_chain(batch->next, bo->addr);
   batch->next = batch->start = bo->map;
   batch->end = batch->next + bo->size_B / 4 - RESERVED_DW;
}

struct saf_bo *
saf_batch_temporary(struct saf_batch *batch, uint64_t size_B)
{
   struct saf_bo *bo;
   if (saf_bo_create(batch->device, "temporary", size_B, 0, &bo))
      return NULL;
   if (util_dynarray_try_append(&batch->temporaries, struct saf_bo *, bo))
      return bo;
   saf_bo_destroy(batch->device, bo);
   return NULL;
}

struct saf_bo *
saf_batch_next_block(struct saf_batch *batch)
{
   struct saf_bo *bo;
   if (batch->blocks_used <
       util_dynarray_num_elements(&batch->blocks, struct saf_bo *))
      return *util_dynarray_element(&batch->blocks, struct saf_bo *,
                                    batch->blocks_used++);
   if (saf_bo_create(batch->device, "dynamic state", SAF_DYNAMIC_BLOCK_B, 0,
                     &bo))
      return NULL;
   saf_bo_capture(batch->device, bo);
   if (saf_bo_map(batch->device, bo) &&
       util_dynarray_try_append(&batch->blocks, struct saf_bo *, bo)) {
      batch->blocks_used++;
      return bo;
   }
   saf_bo_destroy(batch->device, bo);
   return NULL;
}

/* The object that is written to. */
static struct saf_bo *
last_bo(const struct saf_batch *batch)
{
   const size_t n = util_dynarray_num_elements(&batch->bos, struct saf_bo *);
   return *util_dynarray_element(&batch->bos, struct saf_bo *, n - 1);
}

bool
saf_batch_room_for_notes(struct saf_batch *batch)
{
   struct util_dynarray *const places = &batch->places;
   const bool ok = util_dynarray_try_reserve(
      places, places->size_B + SAF_MAX_NOTES * sizeof(uint32_t));
   if (!ok)
      fail(batch);
   return ok;
}

void
saf_batch_end(struct saf_batch *batch)
{
   if (batch->failed || !batch->places.size_B)
      return;
   assert(util_dynarray_num_elements(&batch->bos, struct saf_bo *) == 1 &&
          "places count from the one object there is");
   if (!saf_reloc_note_batch(batch->device, last_bo(batch), &batch->places))
      fail(batch);
}
