/* SPDX-License-Identifier: MIT */
#include "fallible.h"

#include <xxhash.h>

#include "guard.h"

#define HASH_FREE 0
#define HASH_REMOVED 1

static uint64_t
hash_number(uint64_t key)
{
   /* Finaliser of a multiplicative hash; 0 and 1 mark empty places. */
   key ^= key >> 33;
   key *= 0xff51afd7ed558ccdull;
   key ^= key >> 29;
   return key < 2 ? key + 2 : key;
}

uint64_t
util_hash_bytes(const void *data, size_t size_B)
{
   return XXH64(data, size_B, 0);
}

static uint64_t
hash_string(const void *data, uint32_t size_B)
{
   const uint64_t h = util_hash_bytes(data, size_B);
   return h < 2 ? h + 2 : h;
}

void
hash_table_init(struct hash_table *t)
{
   memset(t, 0, sizeof(*t));
}

void
hash_table_finish(struct hash_table *t)
{
   guard_free(t->entries);
   memset(t, 0, sizeof(*t));
}

void
hash_table_clear(struct hash_table *t)
{
   if (t->entries)
      memset(t->entries, 0, t->size * sizeof(*t->entries));
   t->used = t->live = 0;
}

static bool
same_key(const struct hash_entry *e, uint64_t hash, uint64_t key,
         uint32_t key_size_B)
{
   if (e->hash != hash || e->key_size_B != key_size_B)
      return false;
   if (key_size_B == 0)
      return e->key == key;
   return memcmp((const void *)(uintptr_t)e->key,
                 (const void *)(uintptr_t)key, key_size_B) == 0;
}

static struct hash_entry *
find(const struct hash_table *t, uint64_t hash, uint64_t key,
     uint32_t key_size_B)
{
   if (!t->size)
      return NULL;
   for (uint32_t i = (uint32_t)hash & (t->size - 1);;
        i = (i + 1) & (t->size - 1)) {
      struct hash_entry *e = &t->entries[i];
      if (e->hash == HASH_FREE)
         return NULL;
      if (same_key(e, hash, key, key_size_B))
         return e;
   }
}

static void
put(struct hash_table *t, const struct hash_entry *n)
{
   uint32_t i = (uint32_t)n->hash & (t->size - 1);
   while (t->entries[i].hash > HASH_REMOVED)
      i = (i + 1) & (t->size - 1);
   if (t->entries[i].hash == HASH_FREE)
      t->used++;
   t->entries[i] = *n;
   t->live++;
}

/* At most two thirds full, removed places counted. */
static bool
is_full(const struct hash_table *t)
{
   return t->used * 3 >= t->size * 2;
}

/* May fail: false if there is no memory, and all is as it was. */
static bool
grow(struct hash_table *t, bool may_fail)
{
   struct hash_table old = *t;
   const uint32_t size =
      MAX2(16, (uint32_t)util_next_power_of_two(old.live * 4ull + 1));
   const size_t size_B = size * sizeof(*t->entries);
   struct hash_entry *entries = may_fail ? guard_try_resize(NULL, size_B)
                                         : guard_resize(NULL, size_B);
   if (!entries)
      return false;
   memset(entries, 0, size_B);
   t->entries = entries;
   t->size = size;
   t->used = t->live = 0;
   for (uint32_t i = 0; i < old.size; i++) {
      if (old.entries[i].hash > HASH_REMOVED)
         put(t, &old.entries[i]);
   }
   guard_free(old.entries);
   return true;
}

static bool
insert(struct hash_table *t, const struct hash_entry *n, bool may_fail)
{
   struct hash_entry *e = find(t, n->hash, n->key, n->key_size_B);
   if (e) {
      e->data = n->data;
      return true;
   }
   if (is_full(t) && !grow(t, may_fail))
      return false;
   put(t, n);
   return true;
}

static struct hash_entry
number_entry(uint64_t key, void *data)
{
   return (struct hash_entry) { hash_number(key), key, 0, data };
}

static struct hash_entry
bytes_entry(const void *key, uint32_t size_B, void *data)
{
   assert(size_B > 0);
   return (struct hash_entry) { hash_string(key, size_B), hash_key_ptr(key),
                                size_B, data };
}

static void
remove_entry(struct hash_table *t, struct hash_entry *e)
{
   if (!e)
      return;
   e->hash = HASH_REMOVED;
   e->key_size_B = 0;
   e->data = NULL;
   t->live--;
}

void
hash_table_insert(struct hash_table *t, uint64_t key, void *data)
{
   const struct hash_entry e = number_entry(key, data);
   insert(t, &e, false);
}

bool
hash_table_try_insert(struct hash_table *t, uint64_t key, void *data)
{
   const struct hash_entry e = number_entry(key, data);
   return insert(t, &e, true);
}

void *
hash_table_get(const struct hash_table *t, uint64_t key)
{
   struct hash_entry *e = find(t, hash_number(key), key, 0);
   return e ? e->data : NULL;
}

bool
hash_table_has(const struct hash_table *t, uint64_t key)
{
   return find(t, hash_number(key), key, 0) != NULL;
}

void
hash_table_remove(struct hash_table *t, uint64_t key)
{
   remove_entry(t, find(t, hash_number(key), key, 0));
}

void
hash_table_insert_bytes(struct hash_table *t, const void *key,
                        uint32_t size_B, void *data)
{
   const struct hash_entry e = bytes_entry(key, size_B, data);
   insert(t, &e, false);
}

bool
hash_table_try_insert_bytes(struct hash_table *t, const void *key,
                            uint32_t size_B, void *data)
{
   const struct hash_entry e = bytes_entry(key, size_B, data);
   return insert(t, &e, true);
}

void *
hash_table_get_bytes(const struct hash_table *t, const void *key,
                     uint32_t size_B)
{
   struct hash_entry *e =
      find(t, hash_string(key, size_B), hash_key_ptr(key), size_B);
   return e ? e->data : NULL;
}

void
hash_table_remove_bytes(struct hash_table *t, const void *key,
                        uint32_t size_B)
{
   remove_entry(t,
                find(t, hash_string(key, size_B), hash_key_ptr(key), size_B));
}

struct hash_entry *
hash_table_next(const struct hash_table *t, struct hash_entry *e)
{
   for (e = e ? e + 1 : t->entries; e && e < t->entries + t->size; e++) {
      if (e->hash > HASH_REMOVED)
         return e;
   }
   return NULL;
}
