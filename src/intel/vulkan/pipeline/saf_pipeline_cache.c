/* SPDX-License-Identifier: MIT */
/*
 * VkPipelineCache.
 *
 * Problem: from SPIR-V to machine code is by far the longest part of making
 * a pipeline, and applications make the same shaders again and again, in one
 * run and in the next.
 *
 * Method: a key is a hash of all that the compiler looks at
 * (saf_cache_key.c). A cache maps keys to binaries (saf_shader_binary.c).
 * Besides, the device has a table of the shaders that are alive in GPU
 * memory, which does not hold references, so that equal stages of several
 * pipelines share one kernel; and a cache of its own for pipelines that are
 * made without one, which takes no more binaries when it is full.
 *
 * The data that an application gets is VkPipelineCacheHeaderVersionOne, then
 * for each binary a struct record and the binary, padded to 8 bytes. Data
 * that is not exactly that, from this build and for this device, is taken
 * for no data at all: a bad file on disk must cost no more than time.
 *
 * Code cannot be checked, and what comes with it is programmed into the GPU
 * as it is. So a binary counts only if this driver made it: each record ends
 * with a hash of all of it under a key that other users do not have
 * (util/user_key.h), which is looked at when the binary is first asked for,
 * or written to data again: most of a large file never is. One that is not
 * ours ends the use of all of its data, and shaders are compiled. Who can
 * read the key can run programs as the user anyway.
 *
 * Locks: saf_pipeline_cache.mutex for its table, saf_device_cache.mutex for
 * the live shaders; never both at once.
 */
#include "saf_pipeline_cache.h"

#include <stddef.h>
#include <stdlib.h>

#include "saf_shader.h"
#include "saf_shader_binary.h"
#include "util/fallible.h"
#include "util/hash_table.h"
#include "util/user_key.h"

/* A binary with its key; immutable but for the count. */
struct saf_cache_entry {
   uint32_t refs;
   bool is_ours;                    /* of an import, once known; atomic */
   struct saf_cache_import *import; /* it came with; or NULL */
   uint64_t authenticator;          /* that it came with */
   struct saf_cache_key key;
   size_t size_B;
   uint64_t data[];
};

/* Data of an application, which is kept as entries. */
struct saf_cache_import {
   uint32_t refs;
   bool refused; /* some record is not ours; atomic */
};

struct saf_pipeline_cache {
   pthread_mutex_t mutex;
   struct hash_table entries; /* saf_cache_key -> saf_cache_entry */
   size_t size_B;             /* of all records */
   size_t max_size_B;         /* 0: no limit */
};

struct saf_device_cache {
   pthread_mutex_t mutex;
   struct hash_table live; /* saf_cache_key -> saf_shader, weak */
   struct saf_pipeline_cache own;
};

#define OWN_CACHE_MAX_B (64u << 20)

/* Before each binary in the data of a cache. */
struct record {
   uint32_t version;
   uint32_t size_B; /* of the binary, a multiple of 8 */
   struct saf_cache_key key;
   uint64_t authenticator; /* of the fields above and the binary */
};

#define RECORD_VERSION 2

static_assert(sizeof(struct record) == 32, "no padding in stored data");
static_assert(sizeof(VkPipelineCacheHeaderVersionOne) == 32,
              "the binaries are aligned to 8 bytes in the data");

/* ---- entries ---- */

/* With whatever is in it. */
static struct saf_cache_entry *
entry_alloc(const struct saf_device *device, const struct saf_cache_key *key,
            size_t size_B)
{
   struct saf_cache_entry *entry =
      saf_alloc_space(device->alloc, sizeof(*entry) + size_B);
   if (entry)
      *entry = (struct saf_cache_entry) {
         .refs = 1,
         .key = *key,
         .size_B = size_B,
      };
   return entry;
}

static struct saf_cache_entry *
entry_ref(struct saf_cache_entry *entry)
{
   __atomic_add_fetch(&entry->refs, 1, __ATOMIC_RELAXED);
   return entry;
}

static void
import_unref(const struct saf_device *device, struct saf_cache_import *import)
{
   if (import && __atomic_sub_fetch(&import->refs, 1, __ATOMIC_ACQ_REL) == 0)
      saf_free(device->alloc, import);
}

static void
entry_unref(const struct saf_device *device, struct saf_cache_entry *entry)
{
   if (!entry || __atomic_sub_fetch(&entry->refs, 1, __ATOMIC_ACQ_REL) != 0)
      return;
   import_unref(device, entry->import);
   saf_free(device->alloc, entry);
}

static size_t
record_size(const struct saf_cache_entry *entry)
{
   return sizeof(struct record) + entry->size_B;
}

/* ---- whose it is ---- */

/* What stands before it in data, but for the authenticator. */
static struct record
record_of(const struct saf_cache_entry *entry)
{
   return (struct record) {
      .version = RECORD_VERSION,
      .size_B = (uint32_t)entry->size_B,
      .key = entry->key,
   };
}

/* A hash under the user's key. The binary has a key of its own, made of that
 * and of all that stands before it, the device and the build among them.
 * False: there is no key. */
static bool
authenticate(const struct saf_device *device, const struct record *record,
             const void *binary, uint64_t *out)
{
   const struct siphash_key *key = user_key();
   struct siphash_key own;
   struct {
      uint64_t number;
      struct record record;
      uint8_t uuid[VK_UUID_SIZE];
   } head = { .record = *record };
   if (!key)
      return false;
   head.record.authenticator = 0;
   memcpy(head.uuid, device->pdev->cache_uuid, VK_UUID_SIZE);
   for (; head.number < 2; head.number++)
      own.k[head.number] = siphash(key, &head, sizeof(head));
   *out = siphash(&own, binary, record->size_B);
   return true;
}

/* Looks at an entry once, when it is first wanted. */
static bool
is_ours(const struct saf_device *device, struct saf_cache_entry *entry)
{
   struct saf_cache_import *import = entry->import;
   if (!import)
      return true;
   if (__atomic_load_n(&import->refused, __ATOMIC_ACQUIRE))
      return false;
   if (__atomic_load_n(&entry->is_ours, __ATOMIC_ACQUIRE))
      return true;
   const struct record record = record_of(entry);
   uint64_t ours;
   const bool ok = authenticate(device, &record, entry->data, &ours) &&
                   entry->authenticator == ours;
   __atomic_store_n(ok ? &entry->is_ours : &import->refused, true,
                    __ATOMIC_RELEASE);
   return ok;
}

/* ---- one cache ---- */

static void
cache_init(struct saf_pipeline_cache *cache, size_t max_size_B)
{
   pthread_mutex_init(&cache->mutex, NULL);
   hash_table_init(&cache->entries);
   cache->size_B = 0;
   cache->max_size_B = max_size_B;
}

static void
cache_finish(const struct saf_device *device,
             struct saf_pipeline_cache *cache)
{
   hash_table_foreach(&cache->entries, e)
      entry_unref(device, e->data);
   hash_table_finish(&cache->entries);
   pthread_mutex_destroy(&cache->mutex);
}

/* Takes a reference of its own, unless it has the key or is full. */
static void
cache_insert(struct saf_pipeline_cache *cache, struct saf_cache_entry *entry)
{
   pthread_mutex_lock(&cache->mutex);
   const bool fits = !cache->max_size_B ||
                     record_size(entry) <= cache->max_size_B - cache->size_B;
   if (fits && !hash_table_get_bytes(&cache->entries, &entry->key,
                                     sizeof(entry->key))) {
      /* Without memory it stays out. */
      if (hash_table_try_insert_bytes(&cache->entries, &entry->key,
                                      sizeof(entry->key), entry)) {
         entry_ref(entry);
         cache->size_B += record_size(entry);
      }
   }
   pthread_mutex_unlock(&cache->mutex);
}

/* Takes out what is not ours. Caller holds the cache's mutex. */
static void
drop_foreign(const struct saf_device *device,
             struct saf_pipeline_cache *cache, struct saf_cache_entry *entry)
{
   hash_table_remove_bytes(&cache->entries, &entry->key, sizeof(entry->key));
   cache->size_B -= record_size(entry);
   entry_unref(device, entry);
}

/* With a reference for the caller, or NULL. */
static struct saf_cache_entry *
cache_find(const struct saf_device *device, struct saf_pipeline_cache *cache,
           const struct saf_cache_key *key)
{
   pthread_mutex_lock(&cache->mutex);
   struct saf_cache_entry *entry =
      hash_table_get_bytes(&cache->entries, key, sizeof(*key));
   if (entry && !is_ours(device, entry)) {
      drop_foreign(device, cache, entry);
      entry = NULL;
   }
   if (entry)
      entry_ref(entry);
   pthread_mutex_unlock(&cache->mutex);
   return entry;
}

bool
saf_cache_has(const struct saf_device *device,
              struct saf_pipeline_cache *cache,
              const struct saf_cache_key *key)
{
   struct saf_cache_entry *entry = cache_find(device, cache, key);
   entry_unref(device, entry);
   return entry != NULL;
}

static struct saf_pipeline_cache *
cache_or_own(struct saf_device *device, struct saf_pipeline_cache *cache)
{
   return cache ? cache : &device->cache->own;
}

/* ---- live shaders ---- */

VkResult
saf_device_cache_init(struct saf_device *device)
{
   struct saf_device_cache *dc = saf_alloc(device->alloc, sizeof(*dc));
   if (!dc)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pthread_mutex_init(&dc->mutex, NULL);
   hash_table_init(&dc->live);
   cache_init(&dc->own, OWN_CACHE_MAX_B);
   device->cache = dc;
   return VK_SUCCESS;
}

void
saf_device_cache_finish(struct saf_device *device)
{
   struct saf_device_cache *dc = device->cache;
   if (!dc)
      return;
   cache_finish(device, &dc->own);
   hash_table_finish(&dc->live);
   pthread_mutex_destroy(&dc->mutex);
   saf_free(device->alloc, dc);
   device->cache = NULL;
}

static struct saf_shader *
live_find(struct saf_device_cache *dc, const struct saf_cache_key *key)
{
   pthread_mutex_lock(&dc->mutex);
   struct saf_shader *shader =
      saf_shader_ref(hash_table_get_bytes(&dc->live, key, sizeof(*key)));
   pthread_mutex_unlock(&dc->mutex);
   return shader;
}

/* Gives `shader` the entry and makes it known. If another thread was first
 * with the same key, its shader is returned and ours freed. */
static struct saf_shader *
live_publish(struct saf_device *device, struct saf_shader *shader,
             struct saf_cache_entry *entry)
{
   struct saf_device_cache *dc = device->cache;
   pthread_mutex_lock(&dc->mutex);
   struct saf_shader *first = saf_shader_ref(
      hash_table_get_bytes(&dc->live, &entry->key, sizeof(entry->key)));
   /* Without memory for it nobody finds it: it works. */
   if (!first && hash_table_try_insert_bytes(&dc->live, &entry->key,
                                             sizeof(entry->key), shader))
      shader->entry = entry_ref(entry);
   pthread_mutex_unlock(&dc->mutex);
   if (!first)
      return shader;
   saf_shader_unref(device, shader);
   return first;
}

bool
saf_cache_release_shader(struct saf_device *device, struct saf_shader *shader)
{
   /* Under the lock, so that nobody finds a shader without references. */
   struct saf_device_cache *dc = device->cache;
   struct saf_cache_entry *entry = shader->entry;
   pthread_mutex_lock(&dc->mutex);
   const bool last = __atomic_sub_fetch(&shader->refs, 1, __ATOMIC_ACQ_REL) ==
                     0;
   if (last)
      hash_table_remove_bytes(&dc->live, &entry->key, sizeof(entry->key));
   pthread_mutex_unlock(&dc->mutex);
   if (last)
      entry_unref(device, entry);
   return last;
}

VkResult
saf_cache_lookup(struct saf_device *device, struct saf_pipeline_cache *cache,
                 const struct saf_cache_key *key, struct saf_shader **out)
{
   cache = cache_or_own(device, cache);
   *out = live_find(device->cache, key);
   if (*out) {
      cache_insert(cache, (*out)->entry);
      return VK_SUCCESS;
   }
   struct saf_cache_entry *entry = cache_find(device, cache, key);
   if (!entry)
      return VK_SUCCESS;
   struct intel_shader bin;
   struct saf_bind_map map;
   struct saf_xfb_info xfb;
   VkResult result = VK_SUCCESS;
   if (saf_shader_binary_read(entry->data, entry->size_B, &bin, &map, &xfb))
      result = saf_shader_create(device, &bin, &map, &xfb, out);
   if (*out)
      *out = live_publish(device, *out, entry);
   entry_unref(device, entry);
   return result;
}

VkResult
saf_cache_add(struct saf_device *device, struct saf_pipeline_cache *cache,
              const struct saf_cache_key *key, const struct intel_shader *bin,
              const struct saf_bind_map *map, const struct saf_xfb_info *xfb,
              struct saf_shader **out)
{
   VkResult result = saf_shader_create(device, bin, map, xfb, out);
   if (result)
      return result;
   struct saf_cache_entry *entry =
      entry_alloc(device, key, saf_shader_binary_size(bin, map, xfb));
   if (!entry)
      return VK_SUCCESS; /* without a memory of it, but it works */
   memset(entry->data, 0, entry->size_B);
   saf_shader_binary_write(entry->data, bin, map, xfb);
   cache_insert(cache_or_own(device, cache), entry);
   *out = live_publish(device, *out, entry);
   entry_unref(device, entry);
   return VK_SUCCESS;
}

/* ---- data of the application ---- */

static VkPipelineCacheHeaderVersionOne
make_header(const struct saf_device *device)
{
   VkPipelineCacheHeaderVersionOne header = {
      .headerSize = sizeof(header),
      .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
      .vendorID = 0x8086,
      .deviceID = device->info->pci_id,
   };
   memcpy(header.pipelineCacheUUID, device->pdev->cache_uuid, VK_UUID_SIZE);
   return header;
}

/* The record at the beginning; false: it is none, or its binary is not all
 * there. */
static bool
read_record(const char *data, size_t size_B, struct record *out)
{
   if (size_B < sizeof(*out))
      return false;
   memcpy(out, data, sizeof(*out));
   return out->version == RECORD_VERSION && out->size_B % 8 == 0 &&
          out->size_B <= size_B - sizeof(*out);
}

/* Whether there are records behind the header, and nothing else. */
static bool
is_whole(const struct saf_device *device, const char *data, size_t size_B)
{
   const VkPipelineCacheHeaderVersionOne header = make_header(device);
   size_t at = sizeof(header);
   struct record record;
   if (size_B < at || memcmp(data, &header, sizeof(header)))
      return false;
   while (at < size_B && read_record(data + at, size_B - at, &record))
      at += sizeof(record) + record.size_B;
   return at == size_B;
}

/* What is not whole, and what there is no memory for, is left out. */
static void
import_data(const struct saf_device *device, struct saf_pipeline_cache *cache,
            const char *data, size_t size_B)
{
   struct saf_cache_import *import = NULL;
   if (is_whole(device, data, size_B))
      import = saf_alloc(device->alloc, sizeof(*import));
   if (!import)
      return;
   import->refs = 1;
   struct record record;
   for (size_t at = sizeof(VkPipelineCacheHeaderVersionOne);
        read_record(data + at, size_B - at, &record); at += record.size_B) {
      struct saf_cache_entry *entry =
         entry_alloc(device, &record.key, record.size_B);
      at += sizeof(record);
      if (!entry)
         continue;
      memcpy(entry->data, data + at, record.size_B);
      entry->authenticator = record.authenticator;
      entry->import = import;
      __atomic_add_fetch(&import->refs, 1, __ATOMIC_RELAXED);
      cache_insert(cache, entry);
      entry_unref(device, entry);
   }
   import_unref(device, import);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreatePipelineCache(VkDevice _device,
                        const VkPipelineCacheCreateInfo *info,
                        const VkAllocationCallbacks *alloc,
                        VkPipelineCache *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_pipeline_cache *cache =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*cache));
   if (!cache)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   cache_init(cache, 0);
   if (info->initialDataSize)
      import_data(device, cache, info->pInitialData, info->initialDataSize);
   *out = saf_pipeline_cache_to_handle(cache);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyPipelineCache(VkDevice _device, VkPipelineCache _cache,
                         const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_pipeline_cache, cache, _cache);
   if (!cache)
      return;
   cache_finish(device, cache);
   saf_free(alloc ? alloc : device->alloc, cache);
}

static void
write_record(const struct saf_device *device, char *out,
             const struct saf_cache_entry *entry)
{
   struct record record = record_of(entry);
   /* Without a key 0: it will be refused. */
   authenticate(device, &record, entry->data, &record.authenticator);
   memcpy(out, &record, sizeof(record));
   memcpy(out + sizeof(record), entry->data, entry->size_B);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPipelineCacheData(VkDevice _device, VkPipelineCache _cache,
                         size_t *size, void *data)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_pipeline_cache, cache, _cache);
   const VkPipelineCacheHeaderVersionOne header = make_header(device);
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&cache->mutex);
   /* Twice, as one that is not ours takes those before it with it. */
   for (unsigned i = 0; i < 2; i++) {
      hash_table_foreach(&cache->entries, e) {
         if (!is_ours(device, e->data))
            drop_foreign(device, cache, e->data);
      }
   }
   if (!data) {
      *size = sizeof(header) + cache->size_B;
   } else if (*size < sizeof(header)) {
      *size = 0;
      result = VK_INCOMPLETE;
   } else {
      memcpy(data, &header, sizeof(header));
      size_t at = sizeof(header);
      hash_table_foreach(&cache->entries, e) {
         if (record_size(e->data) > *size - at) {
            result = VK_INCOMPLETE;
            continue;
         }
         write_record(device, (char *)data + at, e->data);
         at += record_size(e->data);
      }
      *size = at;
   }
   pthread_mutex_unlock(&cache->mutex);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_MergePipelineCaches(VkDevice device, VkPipelineCache _dst, uint32_t count,
                        const VkPipelineCache *srcs)
{
   SAF_FROM_HANDLE(saf_pipeline_cache, dst, _dst);
   for (uint32_t i = 0; i < count; i++) {
      SAF_FROM_HANDLE(saf_pipeline_cache, src, srcs[i]);
      /* The list first: only one of the two may be locked at a time. */
      struct util_dynarray list = { 0 };
      pthread_mutex_lock(&src->mutex);
      const bool ok = util_dynarray_try_reserve(
         &list, src->entries.live * sizeof(struct saf_cache_entry *));
      hash_table_foreach(&src->entries, e) {
         if (ok)
            util_dynarray_append(&list, struct saf_cache_entry *,
                                 entry_ref(e->data));
      }
      pthread_mutex_unlock(&src->mutex);
      util_dynarray_foreach(&list, struct saf_cache_entry *, entry) {
         cache_insert(dst, *entry);
         entry_unref(saf_device_from_handle(device), *entry);
      }
      util_dynarray_fini(&list);
      if (!ok)
         return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   return VK_SUCCESS;
}
