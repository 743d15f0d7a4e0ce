/* SPDX-License-Identifier: MIT */
#include "sim_same.h"

#include <stdio.h>
#include <string.h>

#include "sim_fixture.h"
#include "util/macros.h"

/* What is left of a run. */
struct result {
   struct saffron_sim_stats stats;
   char report[1024];
   unsigned num_bos;
   uint8_t *memory[32];
   uint64_t size_B[32];
};

static struct result
run_with(unsigned threads, scene_fn scene)
{
   char number[16];
   void *state;
   struct result r = { 0 };
   snprintf(number, sizeof(number), "%u", threads);
   assert_int_equal(setenv("SAFFRON_SIM_THREADS", number, 1), 0);
   assert_int_equal(f_setup(&state), 0);
   struct fixture *f = state;
   scene(&state);
   saffron_sim_get_stats(f->sim, &r.stats);
   memcpy(r.report, f->report, sizeof(r.report));
   for (; r.num_bos < f->num_bos; r.num_bos++) {
      const struct test_bo *bo = &f->bos[r.num_bos];
      uint8_t *copy = malloc(bo->size_B);
      assert_non_null(copy);
      memcpy(copy, bo->map, bo->size_B);
      r.memory[r.num_bos] = copy;
      r.size_B[r.num_bos] = bo->size_B;
   }
   assert_int_equal(f_teardown(&state), 0);
   return r;
}

static void
free_result(struct result *r)
{
   for (unsigned i = 0; i < r->num_bos; i++)
      free(r->memory[i]);
}

static void
expect_equal(const struct result *a, const struct result *b)
{
   assert_string_equal(a->report, b->report);
   assert_memory_equal(&a->stats, &b->stats, sizeof(a->stats));
   assert_int_equal(a->num_bos, b->num_bos);
   for (unsigned i = 0; i < a->num_bos; i++)
      assert_memory_equal(a->memory[i], b->memory[i], a->size_B[i]);
}

void
expect_same(scene_fn scene, bool splits)
{
   static const unsigned threads[] = { 2, 3, 8 };
   struct result one = run_with(1, scene);
   assert_int_equal(one.stats.splits > 0, splits);
   for (unsigned i = 0; i < ARRAY_SIZE(threads); i++) {
      struct result many = run_with(threads[i], scene);
      expect_equal(&one, &many);
      free_result(&many);
   }
   free_result(&one);
}
