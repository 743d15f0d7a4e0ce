/* SPDX-License-Identifier: MIT */
/*
 * Threads of a geometry stage on several host threads: the work of a stage is
 * divided into parts, which any host thread takes; each has a copy of the
 * stage's shader, whose faults and counters are its own. Whether work is
 * divided, and into which parts, must not depend on the number of host
 * threads; then nothing does (docs/simulator.rst, "Host threads").
 */
#include "intel/sim/geometry/front_private.h"

#include "intel/sim/gpu/pool.h"
#include "intel/sim/eu/program/effects.h"

/* Instructions, roughly, below which it is not worth its while. */
#define SPLIT_INSTRUCTIONS 20000

struct split_worker {
   struct sim_draw_part part;
   struct front_shader shader;
};

struct split {
   struct sim_front *f;
   const struct front_work *work;
   struct split_worker *workers;
   bool stop; /* atomic: a thread is hung */
};

/* Threads do nothing but read, and write to the URB. */
static bool
writes_only_urb(const struct sim_effects *e)
{
   for (unsigned i = 0; i < ARRAY_SIZE(e->writes); i++) {
      if (e->writes[i])
         return false;
   }
   return !e->writes_any && !e->scratch && !e->atomics;
}

static bool
regions_meet(const struct front_region *a, const struct front_region *b)
{
   return a->first < b->first + b->num * b->entry_B &&
          b->first < a->first + a->num * a->entry_B;
}

/* The same whatever the number of host threads. */
static bool
is_divided(const struct front_work *w)
{
   const struct front_shader *s = w->shader;
   return w->num > w->part && !s->env.trace &&
          w->threads * sim_eu_program_count(s->program) >=
             SPLIT_INSTRUCTIONS &&
          writes_only_urb(sim_eu_program_effects(s->program)) &&
          !(w->reads && regions_meet(w->reads, w->writes));
}

static void
run_part(void *data, unsigned worker, unsigned part)
{
   struct split *s = data;
   struct split_worker *w = &s->workers[worker];
   const unsigned first = part * s->work->part;
   const unsigned end = MIN2(first + s->work->part, s->work->num);
   if (__atomic_load_n(&s->stop, __ATOMIC_RELAXED))
      return;
   sim_draw_part_item(&w->part);
   /* A shader that reads what nobody wrote must not see who came before. */
   memset(w->shader.thread.grf, 0, sizeof(w->shader.thread.grf));
   if (s->work->fn(s->f, &w->shader, worker, first, end))
      return;
   sim_draw_part_note(&w->part, part);
   if (w->part.draw.expired)
      __atomic_store_n(&s->stop, true, __ATOMIC_RELAXED);
}

static bool
run_split(struct sim_front *f, const struct front_work *work)
{
   struct sim_pool *pool = sim_gpu_pool(f->draw->gpu);
   const unsigned n = sim_pool_width(pool);
   struct split s = {
      f, work, aligned_alloc(64, ALIGN(n * sizeof(*s.workers), (size_t)64))
   };
   if (!s.workers) {
      sim_draw_fault(f->draw, "the host is out of memory");
      return false;
   }
   for (unsigned i = 0; i < n; i++) {
      struct split_worker *w = &s.workers[i];
      sim_draw_part_begin(&w->part, f->draw);
      memcpy(&w->shader, work->shader, offsetof(struct front_shader, thread));
      w->shader.draw = &w->part.draw;
   }
   sim_gpu_count(&f->draw->gpu->stats.splits, 1);
   sim_pool_run(pool, DIV_ROUND_UP(work->num, work->part), run_part, &s);
   sim_draw_parts_end(f->draw, &s.workers[0].part, n, sizeof(*s.workers));
   free(s.workers);
   return !f->draw->faulted;
}

unsigned
front_width(const struct sim_front *f, const struct front_work *w)
{
   return is_divided(w) ? sim_pool_width(sim_gpu_pool(f->draw->gpu)) : 1;
}

bool
front_run(struct sim_front *f, const struct front_work *w)
{
   return is_divided(w) ? run_split(f, w) : w->fn(f, w->shader, 0, 0, w->num);
}
