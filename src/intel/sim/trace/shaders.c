/* SPDX-License-Identifier: MIT */
/* Counters by shader: a program's content, and the stage that it runs in. */
#include "trace.h"

#include <pthread.h>

#include "intel/sim/eu/eu.h"
#include "util/dynarray.h"
#include "util/fallible.h"
#include "util/hash_table.h"

struct sim_shaders {
   pthread_mutex_t lock;
   struct util_dynarray list; /* struct trace_shader */
   struct hash_table index;   /* of hash and stage: place in list, plus 1 */
};

struct sim_shaders *
sim_shaders_create(void)
{
   struct sim_shaders *s = calloc(1, sizeof(*s));
   if (!s)
      return NULL;
   pthread_mutex_init(&s->lock, NULL);
   hash_table_init(&s->index);
   return s;
}

void
sim_shaders_destroy(struct sim_shaders *s)
{
   if (!s)
      return;
   util_dynarray_fini(&s->list);
   hash_table_finish(&s->index);
   pthread_mutex_destroy(&s->lock);
   free(s);
}

/* NULL: no memory to count it. */
static struct trace_shader *
find(struct sim_shaders *s, const struct sim_eu_program *program,
     enum trace_stage stage)
{
   const uint64_t hash = sim_eu_program_hash(program);
   const uint64_t key = hash + stage;
   uintptr_t i = (uintptr_t)hash_table_get(&s->index, key);
   if (!i) {
      const struct trace_shader shader = {
         .hash = hash,
         .stage = stage,
         .size_B = sim_eu_program_size_B(program),
         .count = sim_eu_program_count(program),
      };
      i = util_dynarray_num_elements(&s->list, struct trace_shader) + 1;
      if (!util_dynarray_try_reserve(&s->list, i * sizeof(shader)) ||
          !hash_table_try_insert(&s->index, key, (void *)i))
         return NULL;
      util_dynarray_append(&s->list, struct trace_shader, shader);
   }
   return util_dynarray_element(&s->list, struct trace_shader, i - 1);
}

void
sim_shaders_add(struct sim_shaders *s, const struct sim_eu_program *program,
                enum trace_stage stage, const struct sim_eu_stats *stats,
                unsigned threads)
{
   pthread_mutex_lock(&s->lock);
   struct trace_shader *shader = find(s, program, stage);
   if (shader) {
      shader->threads += threads;
      shader->instructions += stats->instructions * threads;
      shader->simd8 += stats->simd8 * threads;
      shader->sends += stats->sends * threads;
      shader->cycles += stats->cycles * threads;
      shader->issue += stats->issue * threads;
   }
   pthread_mutex_unlock(&s->lock);
}

struct trace_shader *
sim_shaders_get(struct sim_shaders *s, unsigned *n)
{
   struct trace_shader *out = NULL;
   pthread_mutex_lock(&s->lock);
   *n = (unsigned)util_dynarray_num_elements(&s->list, struct trace_shader);
   if (*n && (out = malloc(s->list.size_B)))
      memcpy(out, s->list.data, s->list.size_B);
   if (!out)
      *n = 0;
   pthread_mutex_unlock(&s->lock);
   return out;
}
