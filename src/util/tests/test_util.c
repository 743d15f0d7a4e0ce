/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <pthread.h>

#include "util/unit_test.h"
#include "util/arena.h"
#include "util/bitset.h"
#include "util/dynarray.h"
#include "util/guard.h"
#include "util/half.h"
#include "util/hash_table.h"
#include "util/heap.h"
#include "util/list.h"
#include "util/siphash.h"
#include "util/strbuf.h"
#include "util/thread_memory.h"

/* Clang before 15 has no _Float16 on this host. */
#ifdef __FLT16_MAX__
static void
half_agrees_with_the_host(void **state)
{
   /* The host's _Float16 conversions are the independent reference. */
   for (uint32_t h = 0; h < 0x10000; h++) {
      const uint16_t bits = (uint16_t)h;
      _Float16 host;
      memcpy(&host, &bits, 2);
      const float f = util_half_to_float(bits);
      if ((h & 0x7fff) > 0x7c00) {
         assert_true(isnan(f));
         continue;
      }
      assert_int_equal(util_float_bits(f), util_float_bits((float)host));
      assert_int_equal(util_float_to_half(f), h);
      assert_int_equal(util_float_to_half_rtz(f), h);
   }
   uint64_t x = 88172645463325252ull;
   for (unsigned i = 0; i < 200000; i++) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      /* Exponents around the range of binary16. */
      const uint64_t exp = 1023 - 30 + (x >> 8) % 50;
      const double d =
         util_bits_double((x & 0x800fffffffffffffull) | exp << 52);
      const _Float16 hd = (_Float16)d, hf = (_Float16)(float)d;
      uint16_t bd, bf;
      memcpy(&bd, &hd, 2);
      memcpy(&bf, &hf, 2);
      assert_int_equal(util_double_to_half(d), bd);
      assert_int_equal(util_float_to_half((float)d), bf);
      const float back = util_half_to_float(util_float_to_half_rtz((float)d));
      assert_true(fabsf(back) <= fabsf((float)d));
   }
}

#endif

static void
hash_table_keeps_what_it_was_given(void **state)
{
   struct hash_table t;
   hash_table_init(&t);
   for (uintptr_t i = 0; i < 5000; i++)
      hash_table_insert(&t, i * 64, (void *)(i + 1));
   for (uintptr_t i = 0; i < 5000; i += 2)
      hash_table_remove(&t, i * 64);
   unsigned n = 0;
   hash_table_foreach(&t, e)
      n++;
   assert_int_equal(n, 2500);
   for (uintptr_t i = 0; i < 5000; i++) {
      assert_ptr_equal(hash_table_get(&t, i * 64),
                       i % 2 ? (void *)(i + 1) : NULL);
   }
   hash_table_insert_bytes(&t, "key", 3, &t);
   char copy[] = "key";
   assert_ptr_equal(hash_table_get_bytes(&t, copy, 3), &t);
   assert_null(hash_table_get_bytes(&t, copy, 2));
   hash_table_remove_bytes(&t, copy, 3);
   assert_null(hash_table_get_bytes(&t, copy, 3));
   hash_table_finish(&t);
}

static void
arena_memory_is_zeroed_and_aligned(void **state)
{
   struct arena *a = arena_create(NULL);
   struct arena *child = arena_create(a);
   for (unsigned i = 0; i < 2000; i++) {
      uint8_t *p = arena_alloc(i % 3 ? a : child, i * 13);
      assert_int_equal((uintptr_t)p % 16, 0);
      for (unsigned k = 0; k < i * 13; k++)
         assert_int_equal(p[k], 0);
      memset(p, 0xff, i * 13);
   }
   assert_string_equal(arena_printf(a, "%d-%s", 7, "x"), "7-x");
   assert_true(arena_size_B(a) > arena_size_B(child));
   arena_destroy(a);
}

struct node {
   int v;
   struct list_head link;
};

static void
lists_and_sets(void **state)
{
   struct list_head h, other;
   list_inithead(&h);
   list_inithead(&other);
   struct node n[4] = { { 0 }, { 1 }, { 2 }, { 3 } };
   for (unsigned i = 0; i < 4; i++)
      list_addtail(&n[i].link, i < 2 ? &h : &other);
   list_splicetail(&other, &h);
   int want = 0;
   list_for_each_entry_safe(struct node, p, &h, link) {
      assert_int_equal(p->v, want++);
      if (p->v == 1)
         list_del(&p->link);
   }
   assert_int_equal(list_length(&h), 3);

   BITSET_DECLARE(s, 100);
   BITSET_ZERO(s);
   bitset_set_range(s, 30, 5);
   BITSET_SET(s, 99);
   BITSET_CLEAR(s, 31);
   unsigned sum = 0;
   BITSET_FOREACH_SET(b, s, 100)
      sum += b;
   assert_int_equal(sum, 30 + 32 + 33 + 34 + 99);

   struct util_dynarray d = { 0 };
   for (int i = 0; i < 100; i++)
      util_dynarray_append(&d, int, i);
   assert_int_equal(util_dynarray_num_elements(&d, int), 100);
   assert_int_equal(util_dynarray_pop(&d, int), 99);
   util_dynarray_fini(&d);

   struct strbuf b = { 0 };
   for (int i = 0; i < 300; i++)
      strbuf_printf(&b, "%d,", i % 10);
   assert_int_equal(b.len, 600);
   strbuf_fini(&b);
}

static void
heap_gives_smallest_first(void **state)
{
   struct util_heap_entry entries[100];
   struct util_heap h = { entries, 0 };

   for (uint32_t i = 0; i < 100; i++)
      util_heap_push(&h, i * 37 % 50, i * 61 % 100);
   util_heap_decrease_key(&h, 70);
   util_heap_pop(&h);
   for (uint64_t last = 0, n = 99; n; n--) {
      const struct util_heap_entry e = h.entries[0];
      assert_true((e.key << 32 | e.value) >= last);
      last = e.key << 32 | e.value;
      assert_int_equal(util_heap_pop(&h), e.value);
   }
   assert_int_equal(h.count, 0);
}

/* The example of the paper's appendix A, and bytes counting from 0. */
static void
siphash_is_that_of_the_paper(void **state)
{
   const struct siphash_key key = { { 0x0706050403020100,
                                      0x0f0e0d0c0b0a0908 } };
   uint8_t bytes[16];
   for (uint8_t i = 0; i < 16; i++)
      bytes[i] = i;
   assert_int_equal(siphash(&key, bytes, 15), 0xa129ca6149be45e5);
   assert_int_not_equal(siphash(&key, bytes, 14), siphash(&key, bytes, 15));
}

static _Thread_local void *table;

static void *
look_at_table(void *data)
{
   static const uint8_t zero[1000];
   void *mine = thread_memory(&table, sizeof(zero));
   assert_int_equal((uintptr_t)mine % 64, 0);
   assert_memory_equal(mine, zero, sizeof(zero));
   assert_ptr_equal(thread_memory(&table, sizeof(zero)), mine);
   *(void **)data = mine;
   memset(mine, 0xff, sizeof(zero));
   return NULL;
}

/* Each thread has its own, empty at first. */
static void
thread_memory_is_each_threads_own(void **state)
{
   void *mine, *other[2];
   pthread_t threads[2];
   look_at_table(&mine);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(
         pthread_create(&threads[i], NULL, look_at_table, &other[i]), 0);
      assert_int_equal(pthread_join(threads[i], NULL), 0);
      assert_ptr_not_equal(mine, other[i]);
   }
   assert_int_equal(((uint8_t *)mine)[999], 0xff);
}

static void
go_deep(void *data)
{
   volatile uint8_t place[DEEP_STACK_B / 2];

   place[0] = 1;
   place[sizeof(place) - 1] = 2;
   *(unsigned *)data = place[0] + place[sizeof(place) - 1];
}

struct deep {
   bool ran;
   unsigned sum;
};

static void *
go_deep_from_here(void *data)
{
   struct deep *deep = data;

   deep->ran = deep_stack_run(go_deep, &deep->sum);
   return NULL;
}

/* Whatever the stack of the thread that asks for it. */
static void
deep_stack_is_deep(void **state)
{
   struct deep result = { false, 0 };
   pthread_attr_t attr;
   pthread_t thread;

   assert_int_equal(pthread_attr_init(&attr), 0);
   assert_int_equal(pthread_attr_setstacksize(&attr, 64 << 10), 0);
   assert_int_equal(
      pthread_create(&thread, &attr, go_deep_from_here, &result), 0);
   assert_int_equal(pthread_join(thread, NULL), 0);
   pthread_attr_destroy(&attr);
   assert_true(result.ran);
   assert_int_equal(result.sum, 3);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
#ifdef __FLT16_MAX__
      cmocka_unit_test(half_agrees_with_the_host),
#endif
      cmocka_unit_test(hash_table_keeps_what_it_was_given),
      cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
      cmocka_unit_test(lists_and_sets),
      cmocka_unit_test(heap_gives_smallest_first),
      cmocka_unit_test(siphash_is_that_of_the_paper),
      cmocka_unit_test(thread_memory_is_each_threads_own),
      cmocka_unit_test(deep_stack_is_deep),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
