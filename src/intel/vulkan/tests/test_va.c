/* SPDX-License-Identifier: MIT */
/* The address heap against a map with a byte for each page. */
#include "util/unit_test.h"

#include "intel/vulkan/base/saf_va.h"

#define PAGE_B 4096ull
#define PAGES 512
#define START (16 * PAGE_B)

struct range {
   uint64_t addr;
   unsigned pages;
};

static uint32_t
next_random(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

/* Marks a range as used; fails if any of it was. */
static void
take(uint8_t *map, struct range r)
{
   assert_true(r.addr >= START);
   const uint64_t first = (r.addr - START) / PAGE_B;
   assert_true(first + r.pages <= PAGES);
   for (unsigned i = 0; i < r.pages; i++)
      assert_int_equal(map[first + i]++, 0);
}

static void
give(uint8_t *map, struct range r)
{
   for (unsigned i = 0; i < r.pages; i++)
      map[(r.addr - START) / PAGE_B + i]--;
}

/* Whether `pages` aligned pages in a row are free. */
static bool
fits(const uint8_t *map, unsigned pages, unsigned align_pages)
{
   for (unsigned p = 0; p + pages <= PAGES; p++) {
      if ((START / PAGE_B + p) % align_pages)
         continue;
      unsigned n = 0;
      while (n < pages && !map[p + n])
         n++;
      if (n == pages)
         return true;
   }
   return false;
}

static void
test_random(void **state)
{
   struct saf_va_heap heap;
   saf_va_heap_init(&heap, START, START + PAGES * PAGE_B);
   uint8_t map[PAGES] = { 0 };
   struct range live[PAGES];
   unsigned count = 0, refused = 0;
   uint32_t seed = 1;
   for (unsigned step = 0; step < 20000; step++) {
      if (next_random(&seed) % 100 < 55 && count < PAGES) {
         const unsigned pages = 1 + next_random(&seed) % 24;
         const unsigned align = 1u << next_random(&seed) % 5;
         const uint64_t addr =
            saf_va_alloc(&heap, pages * PAGE_B, align * PAGE_B);
         assert_int_equal(addr != 0, fits(map, pages, align));
         if (!addr) {
            refused++;
            continue;
         }
         assert_int_equal(addr % (align * PAGE_B), 0);
         live[count] = (struct range) { addr, pages };
         take(map, live[count++]);
      } else if (count) {
         const unsigned i = next_random(&seed) % count;
         give(map, live[i]);
         saf_va_free(&heap, live[i].addr, live[i].pages * PAGE_B);
         live[i] = live[--count];
      }
   }
   assert_true(refused > 100);
   while (count) {
      count--;
      saf_va_free(&heap, live[count].addr, live[count].pages * PAGE_B);
   }
   /* All holes have joined: the whole can be had again. */
   assert_int_equal(saf_va_alloc(&heap, PAGES * PAGE_B, PAGE_B), START);
   assert_int_equal(saf_va_alloc(&heap, PAGE_B, PAGE_B), 0);
   saf_va_heap_finish(&heap);
}

/* Parts that are named: whatever nobody has. */
static void
test_take(void **state)
{
   struct saf_va_heap heap;
   saf_va_heap_init(&heap, START, START + 8 * PAGE_B);
   assert_true(saf_va_take(&heap, START + 2 * PAGE_B, 2 * PAGE_B));
   assert_false(saf_va_take(&heap, START + PAGE_B, 2 * PAGE_B));
   assert_false(saf_va_take(&heap, START + 3 * PAGE_B, PAGE_B));
   assert_false(saf_va_take(&heap, START - PAGE_B, 2 * PAGE_B));
   assert_false(saf_va_take(&heap, START + 7 * PAGE_B, 2 * PAGE_B));
   assert_true(saf_va_take(&heap, START, 2 * PAGE_B));
   assert_int_equal(saf_va_alloc(&heap, PAGE_B, PAGE_B), START + 4 * PAGE_B);
   assert_true(saf_va_take(&heap, START + 5 * PAGE_B, 3 * PAGE_B));
   assert_int_equal(saf_va_alloc(&heap, PAGE_B, PAGE_B), 0);
   saf_va_free(&heap, START, 8 * PAGE_B);
   assert_int_equal(saf_va_alloc(&heap, 8 * PAGE_B, PAGE_B), START);
   saf_va_heap_finish(&heap);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_take),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
