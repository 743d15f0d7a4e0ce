/* SPDX-License-Identifier: MIT */
/*
 * For tests of readers: bytes behind which no byte can be read, in any build.
 */
#ifndef UTIL_TESTS_PAGE_END_H
#define UTIL_TESTS_PAGE_END_H

#include <sys/mman.h>
#include <unistd.h>

#include "util/macros.h"

/* `size_B` bytes that can be read, and a page that cannot. */
struct page_end {
   uint8_t *map;
   size_t size_B;
};

/* For copies of up to `most_B` bytes; ends the process if there is no
 * memory. */
static inline struct page_end
page_end_create(size_t most_B)
{
   const size_t page_B = (size_t)sysconf(_SC_PAGESIZE);
   const size_t size_B = ALIGN(MAX2(most_B, 1), page_B);
   uint8_t *map = (uint8_t *)mmap(NULL, size_B + page_B,
                                  PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

   if (map == MAP_FAILED || mprotect(map + size_B, page_B, PROT_NONE) != 0) {
      perror("page_end");
      exit(1);
   }
   return (struct page_end) { map, size_B };
}

static inline void
page_end_destroy(struct page_end *p)
{
   munmap(p->map, p->size_B + (size_t)sysconf(_SC_PAGESIZE));
}

/* Until the next one: a copy whose last byte is the last before the page. */
static inline char *
page_end_copy(const struct page_end *p, const void *data, size_t size_B)
{
   assert(size_B <= p->size_B);
   return (char *)memcpy(p->map + p->size_B - size_B, data, size_B);
}

#endif
