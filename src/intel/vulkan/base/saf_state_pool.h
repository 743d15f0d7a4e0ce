/* SPDX-License-Identifier: MIT */
/* Memory for states, which bases point to. */
#ifndef SAF_STATE_POOL_H
#define SAF_STATE_POOL_H

#include <pthread.h>

#include "saf_bo.h"
#include "util/dynarray.h"
#include "util/macros.h"

struct saf_device;

/* A pool's offsets are relative to its start, which is what
 * STATE_BASE_ADDRESS gets: struct intel_address_layout. */

struct saf_state {
   uint32_t offset; /* from the start of the pool */
   uint32_t size_B; /* 0: no state */
   void *map;
};

/* The largest state of a pool: code of millions of instructions. */
#define SAF_POOL_MAX_LOG2 28

struct saf_state_pool {
   struct saf_device *device;
   const char *name;
   uint64_t base, size_B;
   uint64_t next_B; /* unused from here on, to block_end_B */
   uint64_t block_end_B;
   uint8_t *block_map;
   uint64_t block_start_B;
   struct util_dynarray blocks; /* struct saf_bo * */
   struct util_dynarray free_states[SAF_POOL_MAX_LOG2 + 1];
   VkResult error; /* why there was no new block the last time */
   pthread_mutex_t mutex;
};

void saf_state_pool_init(struct saf_state_pool *pool,
                         struct saf_device *device, const char *name,
                         uint64_t base, uint64_t size_B);
void saf_state_pool_finish(struct saf_state_pool *pool);

/* Sizes are rounded up to a power of two of at least 32 bytes, to which the
 * state is aligned. size_B is 0 in the result if there is no memory. */
struct saf_state saf_state_alloc(struct saf_state_pool *pool,
                                 uint32_t size_B);
void saf_state_free(struct saf_state_pool *pool, struct saf_state state);

/* Many small states that all go at once. */
struct saf_state_stream {
   struct saf_state_pool *pool;
   struct util_dynarray blocks; /* struct saf_state */
   struct saf_state block;      /* the last of them; size 0: none */
   uint32_t used_B;             /* of that */
};

void saf_state_stream_init(struct saf_state_stream *stream,
                           struct saf_state_pool *pool);
void saf_state_stream_reset(struct saf_state_stream *stream);
void saf_state_stream_finish(struct saf_state_stream *stream);
struct saf_state saf_state_stream_alloc(struct saf_state_stream *stream,
                                        uint32_t size_B, uint32_t align_B);
/* Another block, with room for so much; false: none. */
bool saf_state_stream_grow(struct saf_state_stream *stream, uint32_t size_B);

/* The same as saf_state_stream_alloc() with whatever is in it. */
static inline struct saf_state
saf_state_stream_take(struct saf_state_stream *stream, uint32_t size_B,
                      uint32_t align_B)
{
   uint32_t start_B = ALIGN(stream->used_B, align_B);
   if (start_B + size_B > stream->block.size_B || !stream->block.size_B) {
      if (!saf_state_stream_grow(stream, size_B))
         return (struct saf_state) { 0 };
      start_B = 0;
   }
   stream->used_B = start_B + size_B;
   return (struct saf_state) {
      .offset = stream->block.offset + start_B,
      .size_B = MAX2(size_B, 1),
      .map = (char *)stream->block.map + start_B,
   };
}
/* Makes the next `size_B` bytes come from one block, without an end of the
 * pool in between. False: streams have had their three quarters of it; what
 * lives longer than a recording finds room in the rest. */
bool saf_state_stream_new_block(struct saf_state_stream *stream,
                                uint32_t size_B);

static inline bool
saf_state_stream_reserve(struct saf_state_stream *stream, uint32_t size_B)
{
   return stream->used_B + size_B <= stream->block.size_B ||
          saf_state_stream_new_block(stream, size_B);
}

#endif
