/* SPDX-License-Identifier: MIT */
/*
 * Threads of a geometry stage on several host threads: the work of a stage is
 * divided into items, which any host thread takes; each has a copy of the
 * stage's shader, whose faults and counters are its own. Whether work is
 * divided, and into which items, must not depend on the number of host
 * threads; then nothing does (docs/simulator.rst, "Host threads").
 */
#include "front_private.h"

#include "intel/sim/cs/pool.h"
#include "intel/sim/msg/effects.h"

/* Instructions, roughly, below which it is not worth its while. */
#define SPLIT_INSTRUCTIONS 20000

struct split_worker {
   struct sim_draw_part part;
   struct front_shader shader;
};

struct split {
   struct sim_front *f;
   front_part_fn fn;
   struct split_worker *workers;
   bool stop; /* atomic: a thread is hung */
};

bool
front_may_split(const struct front_shader *s, unsigned threads)
{
   const struct sim_effects *e = sim_eu_program_effects(s->program);
   if (s->env.trace ||
       threads * sim_eu_program_count(s->program) < SPLIT_INSTRUCTIONS)
      return false;
   for (unsigned i = 0; i < ARRAY_SIZE(e->writes); i++) {
      if (e->writes[i])
         return false;
   }
   return !e->writes_any && !e->scratch && !e->atomics;
}

bool
front_regions_meet(const struct front_region *a, const struct front_region *b)
{
   return a->first < b->first + b->num * b->entry_B &&
          b->first < a->first + a->num * a->entry_B;
}

static void
run_item(void *data, unsigned worker, unsigned item)
{
   struct split *s = data;
   struct split_worker *w = &s->workers[worker];
   if (__atomic_load_n(&s->stop, __ATOMIC_RELAXED))
      return;
   sim_draw_part_item(&w->part);
   /* A shader that reads what nobody wrote must not see who came before. */
   memset(w->shader.thread.grf, 0, sizeof(w->shader.thread.grf));
   if (s->fn(s->f, &w->shader, worker, item))
      return;
   sim_draw_part_note(&w->part, item);
   if (w->part.draw.expired)
      __atomic_store_n(&s->stop, true, __ATOMIC_RELAXED);
}

/* Where a bound in work is met, depends on who has done how much. */
static struct sim_pool *
choose_pool(const struct sim_gpu *gpu)
{
   return gpu->work_limit ? NULL : gpu->pool;
}

unsigned
front_split_width(const struct sim_front *f)
{
   return sim_pool_width(choose_pool(f->draw->gpu));
}

bool
front_split(struct sim_front *f, const struct front_shader *shader,
            unsigned num_items, front_part_fn fn)
{
   const unsigned n = front_split_width(f);
   struct split s = { f, fn, aligned_alloc(
      64, ALIGN(n * sizeof(*s.workers), (size_t)64)) };
   if (!s.workers) {
      sim_draw_fault(f->draw, "the host is out of memory");
      return false;
   }
   for (unsigned i = 0; i < n; i++) {
      struct split_worker *w = &s.workers[i];
      sim_draw_part_begin(&w->part, f->draw);
      memcpy(&w->shader, shader, offsetof(struct front_shader, thread));
      w->shader.draw = &w->part.draw;
   }
   sim_gpu_count(&f->draw->gpu->stats.splits, 1);
   sim_pool_run(choose_pool(f->draw->gpu), num_items, run_item, &s);
   sim_draw_parts_end(f->draw, &s.workers[0].part, n, sizeof(*s.workers));
   free(s.workers);
   return !f->draw->faulted;
}
