/* SPDX-License-Identifier: MIT */
/*
 * State pools: many small pieces of GPU memory inside the 4 GiB that one
 * base address of STATE_BASE_ADDRESS reaches.
 *
 * A pool takes memory in blocks of a megabyte or more, each right after the
 * one before. A state is a power of two and aligned to its size; a freed one
 * waits in a list of its size. Blocks are only freed with the pool. Where the
 * kernel may move objects, they are parts of a single one of all pools.
 */
#include "saf_device.h"
#include "util/fallible.h"

#define BLOCK_SIZE_B (1u << 20)
#define STREAM_BLOCK_SIZE_B (32u << 10)

void
saf_state_pool_init(struct saf_state_pool *pool, struct saf_device *device,
                    const char *name, uint64_t base, uint64_t size_B)
{
   memset(pool, 0, sizeof(*pool));
   pool->size_B = size_B;
   pool->device = device;
   pool->name = name;
   pool->base = base;
   pthread_mutex_init(&pool->mutex, NULL);
}

void
saf_state_pool_finish(struct saf_state_pool *pool)
{
   if (!pool->device)
      return;
   util_dynarray_foreach(&pool->blocks, struct saf_bo *, bo)
      saf_bo_destroy(pool->device, *bo);
   util_dynarray_fini(&pool->blocks);
   for (unsigned i = 0; i < ARRAY_SIZE(pool->free_states); i++)
      util_dynarray_fini(&pool->free_states[i]);
   pthread_mutex_destroy(&pool->mutex);
}

/* Of a block; all that relocates together is one object from the start. */
static uint8_t *
get_memory(struct saf_state_pool *pool, uint64_t start_B, uint32_t block_B)
{
   struct saf_device *device = pool->device;
   if (device->states && pool == &device->surface_pool &&
       !saf_reloc_reserve_surfaces(device, start_B + block_B)) {
      pool->error = VK_ERROR_OUT_OF_HOST_MEMORY;
      return NULL;
   }
   if (device->states)
      return (uint8_t *)device->states->map +
             (pool->base - device->states->addr) + start_B;
   struct saf_bo *bo;
   const VkResult result =
      saf_bo_create(device, pool->name, block_B, pool->base + start_B, &bo);
   if (result) {
      pool->error = result;
      return NULL;
   }
   saf_bo_capture(device, bo);
   if (!saf_bo_map(device, bo)) {
      saf_bo_destroy(device, bo);
      return NULL;
   }
   if (!util_dynarray_try_append(&pool->blocks, struct saf_bo *, bo)) {
      saf_bo_destroy(device, bo);
      return NULL;
   }
   return bo->map;
}

/* None that would end after `end_B`. */
static bool
add_block(struct saf_state_pool *pool, uint32_t size_B, uint64_t end_B)
{
   const uint64_t start_B = ALIGN(pool->block_end_B, (uint64_t)size_B);
   const uint32_t block_B = MAX2(size_B, BLOCK_SIZE_B);
   pool->error = VK_ERROR_OUT_OF_DEVICE_MEMORY;
   if (start_B + block_B > end_B)
      return false;
   uint8_t *map = get_memory(pool, start_B, block_B);
   if (!map)
      return false;
   pool->block_map = map;
   pool->block_start_B = pool->next_B = start_B;
   pool->block_end_B = start_B + block_B;
   /* Offset 0 means "none" in some packets; it is never handed out. */
   if (pool->next_B == 0)
      pool->next_B = 64;
   return true;
}

/* `end_B`: up to where the pool may grow for it. */
static struct saf_state
alloc_below(struct saf_state_pool *pool, uint32_t size_B, uint64_t end_B)
{
   struct saf_state state = { 0 };
   const unsigned log2 = MAX2(util_logbase2_ceil(size_B), 5);
   if (log2 > SAF_POOL_MAX_LOG2) {
      pool->error = VK_ERROR_OUT_OF_DEVICE_MEMORY;
      return state;
   }
   const uint32_t rounded_B = 1u << log2;

   pthread_mutex_lock(&pool->mutex);
   struct util_dynarray *list = &pool->free_states[log2];
   if (list->size_B) {
      state = util_dynarray_pop(list, struct saf_state);
   } else {
      uint64_t start_B = ALIGN(pool->next_B, (uint64_t)rounded_B);
      bool ok = pool->block_map && start_B + rounded_B <= pool->block_end_B;
      if (!ok) {
         ok = add_block(pool, rounded_B, end_B);
         start_B = ALIGN(pool->next_B, (uint64_t)rounded_B);
         if (ok && start_B + rounded_B > pool->block_end_B) {
            ok = add_block(pool, rounded_B, end_B);
            start_B = pool->next_B;
         }
      }
      if (ok) {
         pool->next_B = start_B + rounded_B;
         state.offset = (uint32_t)start_B;
         state.size_B = rounded_B;
         state.map = pool->block_map + (start_B - pool->block_start_B);
      }
   }
   pthread_mutex_unlock(&pool->mutex);
   return state;
}

struct saf_state
saf_state_alloc(struct saf_state_pool *pool, uint32_t size_B)
{
   return alloc_below(pool, size_B, pool->size_B);
}

void
saf_state_free(struct saf_state_pool *pool, struct saf_state state)
{
   struct saf_bo *states = pool->device->states;
   if (!state.size_B)
      return;
   if (states && pool == &pool->device->surface_pool)
      saf_reloc_unregister_states(pool->device,
                                  pool->base - states->addr + state.offset,
                                  state.size_B);
   pthread_mutex_lock(&pool->mutex);
   /* Without memory to note it, it is free again when the pool goes. */
   (void)!util_dynarray_try_append(
      &pool->free_states[util_logbase2(state.size_B)], struct saf_state,
      state);
   pthread_mutex_unlock(&pool->mutex);
}

void
saf_state_stream_init(struct saf_state_stream *stream,
                      struct saf_state_pool *pool)
{
   memset(stream, 0, sizeof(*stream));
   stream->pool = pool;
}

void
saf_state_stream_reset(struct saf_state_stream *stream)
{
   util_dynarray_foreach(&stream->blocks, struct saf_state, block)
      saf_state_free(stream->pool, *block);
   util_dynarray_clear(&stream->blocks);
   stream->block.size_B = stream->used_B = 0;
}

void
saf_state_stream_finish(struct saf_state_stream *stream)
{
   saf_state_stream_reset(stream);
   util_dynarray_fini(&stream->blocks);
}

/* The stream has it, or it is free again; false: no memory. */
static bool
begin_block(struct saf_state_stream *stream, struct saf_state fresh)
{
   if (!fresh.size_B)
      return false;
   if (!util_dynarray_try_append(&stream->blocks, struct saf_state, fresh)) {
      saf_state_free(stream->pool, fresh);
      return false;
   }
   stream->block = fresh;
   stream->used_B = 0;
   return true;
}

bool
saf_state_stream_grow(struct saf_state_stream *stream, uint32_t size_B)
{
   return begin_block(stream,
                      saf_state_alloc(stream->pool,
                                      MAX2(size_B, STREAM_BLOCK_SIZE_B)));
}

struct saf_state
saf_state_stream_alloc(struct saf_state_stream *stream, uint32_t size_B,
                       uint32_t align_B)
{
   const struct saf_state state =
      saf_state_stream_take(stream, size_B, align_B);
   if (state.size_B)
      memset(state.map, 0, size_B);
   return state;
}

bool
saf_state_stream_new_block(struct saf_state_stream *stream, uint32_t size_B)
{
   return begin_block(stream, alloc_below(stream->pool, 2 * size_B,
                                          stream->pool->size_B / 4 * 3));
}
