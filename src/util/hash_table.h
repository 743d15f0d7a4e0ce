/* SPDX-License-Identifier: MIT */
/*
 * Open-addressing hash map. A key is a 64-bit number or a pointer, compared
 * as such, or a byte string compared by content.
 */
#ifndef UTIL_HASH_TABLE_H
#define UTIL_HASH_TABLE_H

#include "macros.h"

struct hash_entry {
   uint64_t hash;       /* 0: never used; 1: removed */
   uint64_t key;        /* the number, or a pointer to the bytes */
   uint32_t key_size_B; /* 0 for a number */
   void *data;
};

struct hash_table {
   struct hash_entry *entries;
   uint32_t size, used, live;
};

void hash_table_init(struct hash_table *t);
void hash_table_finish(struct hash_table *t);
void hash_table_clear(struct hash_table *t);

/* Replaces the data of a key that is there already. */
void hash_table_insert(struct hash_table *t, uint64_t key, void *data);
/* NULL if the key is not there. */
void *hash_table_get(const struct hash_table *t, uint64_t key);
bool hash_table_has(const struct hash_table *t, uint64_t key);
void hash_table_remove(struct hash_table *t, uint64_t key);

/* The bytes are not copied: they must outlive the entry. */
void hash_table_insert_bytes(struct hash_table *t, const void *key,
                             uint32_t size_B, void *data);
void *hash_table_get_bytes(const struct hash_table *t, const void *key,
                           uint32_t size_B);
void hash_table_remove_bytes(struct hash_table *t, const void *key,
                             uint32_t size_B);

/* The next live entry after `e` (NULL: the first), NULL at the end. */
struct hash_entry *hash_table_next(const struct hash_table *t,
                                   struct hash_entry *e);

#define hash_table_foreach(t, e)                                             \
   for (struct hash_entry *e = hash_table_next(t, NULL); e;                  \
        e = hash_table_next(t, e))

static inline uint64_t
hash_key_ptr(const void *p)
{
   return (uint64_t)(uintptr_t)p;
}

uint64_t util_hash_bytes(const void *data, size_t size_B);

#endif
