/* SPDX-License-Identifier: MIT */
/*
 * What batches are run on. Each object's contents are kept as they were
 * written last, so that only lines that the program or the GPU has changed
 * since go to the file; it can be read up to any batch without running those
 * before it.
 */
#include "trace.h"

#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "util/dynarray.h"
#include "util/hash_table.h"
#include "util/fallible.h"

struct object {
   uint32_t number;
   uint64_t size_B;
   uint8_t *was;
   uint8_t *pages; /* of each: 1 if the file has lines of it */
};

struct sim_trace_memory {
   struct hash_table objects; /* struct object, by their keys */
   uint32_t count;
   struct util_dynarray bytes; /* of a record, after its head */
   struct util_dynarray there; /* uint8_t, of the pages of an object */
};

static void
destroy_object(struct object *o)
{
   if (o) {
      free(o->was);
      free(o->pages);
   }
   free(o);
}

void
sim_trace_memory_destroy(struct sim_trace_memory *m)
{
   if (!m)
      return;
   hash_table_foreach(&m->objects, e)
      destroy_object(e->data);
   hash_table_finish(&m->objects);
   util_dynarray_fini(&m->bytes);
   util_dynarray_fini(&m->there);
   free(m);
}

static struct sim_trace_memory *
get_memory(struct sim_trace *t)
{
   struct sim_trace_memory **m = sim_trace_memory(t);
   if (!*m && (*m = calloc(1, sizeof(**m))))
      hash_table_init(&(*m)->objects);
   return *m;
}

/*
 * The object of a key. One whose key is another one's by now is the same if
 * it has the same size: what it was is known, whoever wrote it. NULL: no
 * memory.
 */
static struct object *
get_object(struct sim_trace_memory *m, const void *key, uint64_t size_B)
{
   struct object *o = hash_table_get(&m->objects, (uintptr_t)key);
   if (o && o->size_B == size_B)
      return o;
   struct object *n = calloc(1, sizeof(*n));
   if (n) {
      n->was = calloc(1, size_B);
      n->pages = calloc(DIV_ROUND_UP(size_B, TRACE_PAGE_B), 1);
   }
   if (!n || !n->was || !n->pages) {
      destroy_object(n);
      return NULL;
   }
   n->size_B = size_B;
   if (o)
      hash_table_remove(&m->objects, (uintptr_t)key);
   destroy_object(o);
   if (!hash_table_try_insert(&m->objects, (uintptr_t)key, n)) {
      destroy_object(n);
      return NULL;
   }
   n->number = m->count++;
   return n;
}

/* The program may go on writing: each line is taken once. Whether any was. */
static bool
append_page(struct util_dynarray *out, uint32_t number, uint8_t *was,
            const uint8_t *is, size_t size_B)
{
   struct trace_page page = { .page = number };
   if (!memcmp(was, is, size_B))
      return false;
   const size_t at = out->size_B;
   util_dynarray_grow_bytes(out, sizeof(page));
   for (unsigned i = 0; i * TRACE_LINE_B < size_B; i++) {
      const size_t line_at = i * TRACE_LINE_B;
      const size_t line_B = MIN2(size_B - line_at, TRACE_LINE_B);
      if (!memcmp(was + line_at, is + line_at, line_B))
         continue;
      uint8_t *line = util_dynarray_grow_bytes(out, TRACE_LINE_B);
      memset(line, 0, TRACE_LINE_B);
      memcpy(line, is + line_at, line_B);
      memcpy(was + line_at, line, line_B);
      page.lines |= 1ull << i;
   }
   memcpy((uint8_t *)out->data + at, &page, sizeof(page));
   return true;
}

/* Whether the kernel has given a page to anything that was touched: it says
 * no of those that are in swap space, too. */
static bool
knows_pages(void)
{
   struct sysinfo info;
   return sysconf(_SC_PAGESIZE) == TRACE_PAGE_B && !sysinfo(&info) &&
          info.totalswap == info.freeswap;
}

/* Which pages are there, a byte each, bit 0; NULL: not known. */
static const uint8_t *
pages_there(struct sim_trace_memory *m, const struct sim_trace_object *o)
{
   util_dynarray_clear(&m->there);
   if (!o->is_sparse || o->size_B % TRACE_PAGE_B)
      return NULL;
   uint8_t *there =
      util_dynarray_grow_bytes(&m->there, o->size_B / TRACE_PAGE_B);
   return mincore((void *)o->bytes, o->size_B, there) ? NULL : there;
}

/* A record has up to 4 GiB; what is more, is in another one. */
#define MAX_RECORD_B (1u << 30)

static void
write_object(struct sim_trace *t, struct sim_trace_memory *m,
             struct object *o, const struct sim_trace_object *now, bool knows,
             bool always)
{
   const uint8_t *there = knows ? pages_there(m, now) : NULL;
   const struct trace_memory head = { .object = o->number,
                                      .size_B = o->size_B };
   m->bytes.size_B = 0;
   for (uint64_t at = 0; at < o->size_B; at += TRACE_PAGE_B) {
      const uint32_t page = (uint32_t)(at / TRACE_PAGE_B);
      if (there && !(there[page] & 1) && !o->pages[page])
         continue;
      o->pages[page] |= append_page(&m->bytes, page, o->was + at,
                                    now->bytes + at,
                                    MIN2(o->size_B - at, TRACE_PAGE_B));
      if (m->bytes.size_B < MAX_RECORD_B)
         continue;
      sim_trace_write(t, TRACE_MEMORY, &head, sizeof(head), m->bytes.data,
                      m->bytes.size_B);
      m->bytes.size_B = 0;
      always = false;
   }
   if (always || m->bytes.size_B)
      sim_trace_write(t, TRACE_MEMORY, &head, sizeof(head), m->bytes.data,
                      m->bytes.size_B);
}

void
sim_trace_job(struct sim_trace *t, const struct sim_trace_object *objects,
              unsigned n, bool reset_so)
{
   struct util_dynarray places = { 0 };
   struct trace_job job = { .reset_so = reset_so };
   sim_trace_lock(t);
   struct sim_trace_memory *m = get_memory(t);
   const bool knows = knows_pages();
   for (unsigned i = 0; m && i < n; i++) {
      const uint32_t count = m->count;
      struct object *o = get_object(m, objects[i].key, objects[i].size_B);
      if (!o)
         continue; /* it will not be there; the host is out of memory */
      write_object(t, m, o, &objects[i], knows, m->count != count);
      const struct trace_place place = { .object = o->number,
                                         .address = objects[i].address };
      if (i == 0)
         job.context = o->number;
      else if (i == 1)
         job.curbe = o->number;
      else
         util_dynarray_append(&places, struct trace_place, place);
   }
   job.num_places =
      (uint32_t)util_dynarray_num_elements(&places, struct trace_place);
   sim_trace_write(t, TRACE_JOB, &job, sizeof(job), places.data,
                   places.size_B);
   sim_trace_unlock(t);
   util_dynarray_fini(&places);
}
