/* SPDX-License-Identifier: MIT */
/*
 * The trace file: see trace_format.h. It is made with the first record, so
 * that a process that only asks what the device is leaves none, and is
 * written out at the end of each batch, for programs that are killed.
 */
#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "intel/sim/eu/eu.h"
#include "util/fallible.h"

/* NAME, NAME.2, ... of one run. */
#define MAX_FILES 1000

struct sim_trace {
   pthread_mutex_t lock;
   char *name;
   FILE *file;
   pid_t process; /* that made the file; its children leave it alone */
   bool finished; /* no more records: closed, or it could not be written */
   struct sim_trace_filter filter;
   uint32_t verx10;
   uint32_t draws, threads_of_draw;
   uint64_t threads, size_B;
   bool full; /* it was said that no more threads are recorded */
   struct hash_table programs; /* that are in the file, by hash */
   struct sim_trace_memory *memory;
   struct sim_profile *profile;
   uint32_t first_batch, first_draw;
};

struct sim_trace *
sim_trace_create(const char *name, const char *filter, unsigned verx10)
{
   struct sim_trace_filter parsed;
   unsigned at;
   const char *what;
   if (!sim_trace_filter_parse(filter, &parsed, &at, &what)) {
      fprintf(stderr,
              "saffron: no simulated GPU: SAFFRON_SIM_TRACE_FILTER: '%s': "
              "character %u: expected %s\n",
              filter, at + 1, what);
      return NULL;
   }
   struct sim_trace *t = calloc(1, sizeof(*t));
   if (!t || !(t->name = strdup(name))) {
      free(t);
      return NULL;
   }
   t->filter = parsed;
   t->verx10 = verx10;
   pthread_mutex_init(&t->lock, NULL);
   hash_table_init(&t->programs);
   return t;
}

static void
say_error(struct sim_trace *t)
{
   fprintf(stderr, "saffron: trace: %s: %s\n", t->name, strerror(errno));
   t->finished = true;
}

static void
write_bytes(struct sim_trace *t, const void *data, size_t size_B)
{
   if (t->finished || !size_B)
      return;
   if (fwrite(data, 1, size_B, t->file) != size_B)
      say_error(t);
   t->size_B += size_B;
}

/* Beside a file that is there; what is none, or leads to one, is written. */
static FILE *
make_file(const char *name)
{
   struct stat s;
   char path[4096];
   if (!lstat(name, &s) && !S_ISREG(s.st_mode))
      return fopen(name, "wbe");
   FILE *f = fopen(name, "wbxe");
   for (unsigned i = 2; !f && errno == EEXIST && i < MAX_FILES; i++) {
      if ((size_t)snprintf(path, sizeof(path), "%s.%u", name, i) >=
          sizeof(path))
         return NULL;
      f = fopen(path, "wbxe");
   }
   return f;
}

static bool
is_open(struct sim_trace *t)
{
   if (t->finished || t->file)
      return !t->finished;
   t->file = make_file(t->name);
   if (!t->file) {
      say_error(t);
      return false;
   }
   struct trace_header h = { .version = TRACE_VERSION,
                             .verx10 = t->verx10,
                             .first_batch = t->first_batch,
                             .first_draw = t->first_draw };
   memcpy(h.magic, TRACE_MAGIC, sizeof(h.magic));
   t->process = getpid();
   write_bytes(t, &h, sizeof(h));
   return !t->finished;
}

/* The head of a payload and the rest. */
void
sim_trace_write(struct sim_trace *t, enum trace_type type, const void *head,
                size_t head_B, const void *rest, size_t rest_B)
{
   if (!is_open(t))
      return;
   const struct trace_record r = {
      .type = type,
      .size_B = (uint32_t)(head_B + rest_B),
   };
   write_bytes(t, &r, sizeof(r));
   write_bytes(t, head, head_B);
   write_bytes(t, rest, rest_B);
}

void
sim_trace_finish(struct sim_trace *t, struct sim_shaders *shaders)
{
   unsigned n = 0;
   struct trace_shader *list = shaders ? sim_shaders_get(shaders, &n) : NULL;
   pthread_mutex_lock(&t->lock);
   if (t->file && t->process == getpid()) {
      for (unsigned i = 0; i < n; i++)
         sim_trace_write(t, TRACE_SHADER, &list[i], sizeof(list[i]), NULL, 0);
      if (fclose(t->file) && !t->finished)
         say_error(t);
      t->file = NULL;
   }
   t->finished = true;
   pthread_mutex_unlock(&t->lock);
   free(list);
}

void
sim_trace_flush(struct sim_trace *t)
{
   pthread_mutex_lock(&t->lock);
   if (t->file && fflush(t->file) && !t->finished)
      say_error(t);
   pthread_mutex_unlock(&t->lock);
}

void
sim_trace_destroy(struct sim_trace *t)
{
   if (!t)
      return;
   sim_trace_finish(t, NULL);
   hash_table_finish(&t->programs);
   sim_trace_memory_destroy(t->memory);
   sim_profile_destroy(t->profile);
   pthread_mutex_destroy(&t->lock);
   free(t->name);
   free(t);
}

void
sim_trace_batch(struct sim_trace *t, uint64_t address, uint32_t engine)
{
   const struct trace_batch b = { .address = address, .engine = engine };
   pthread_mutex_lock(&t->lock);
   sim_trace_write(t, TRACE_BATCH, &b, sizeof(b), NULL, 0);
   pthread_mutex_unlock(&t->lock);
}

void
sim_trace_batch_end(struct sim_trace *t)
{
   pthread_mutex_lock(&t->lock);
   if (t->file && fflush(t->file) && !t->finished)
      say_error(t);
   pthread_mutex_unlock(&t->lock);
}

void
sim_trace_command(struct sim_trace *t, uint64_t address, const uint32_t *dw,
                  unsigned n)
{
   const struct trace_command c = { .address = address };
   if (t->filter.no_commands)
      return;
   pthread_mutex_lock(&t->lock);
   sim_trace_write(t, TRACE_COMMAND, &c, sizeof(c), dw, (size_t)n * 4);
   pthread_mutex_unlock(&t->lock);
}

void
sim_trace_draw(struct sim_trace *t, const struct trace_draw *draw)
{
   pthread_mutex_lock(&t->lock);
   t->draws++;
   t->threads_of_draw = 0;
   sim_trace_write(t, TRACE_DRAW, draw, sizeof(*draw), NULL, 0);
   pthread_mutex_unlock(&t->lock);
}

void
sim_trace_draw_end(struct sim_trace *t, const struct trace_draw_end *e)
{
   pthread_mutex_lock(&t->lock);
   sim_profile_write(t, t->draws - 1);
   sim_trace_write(t, TRACE_DRAW_END, e, sizeof(*e), NULL, 0);
   pthread_mutex_unlock(&t->lock);
}

void
sim_trace_start_at(struct sim_trace *t, uint32_t batch, uint32_t draw)
{
   t->first_batch = batch;
   t->first_draw = draw;
   t->draws = draw;
}

bool
sim_trace_has_threads(const struct sim_trace *t)
{
   return t->filter.max_threads > 0;
}

/* The draw that runs is one of those that are meant. */
static bool
has_draw(const struct sim_trace *t)
{
   const uint32_t draw = t->draws - 1;
   return draw >= t->filter.first_draw && draw <= t->filter.last_draw;
}

bool
sim_trace_looks_at(const struct sim_trace *t, int *x, int *y)
{
   *x = t->filter.x;
   *y = t->filter.y;
   return t->filter.has_pixel && has_draw(t);
}

void
sim_trace_pixel(struct sim_trace *t, struct trace_pixel *p)
{
   pthread_mutex_lock(&t->lock);
   p->draw = t->draws - 1;
   sim_trace_write(t, TRACE_PIXEL, p, sizeof(*p), NULL, 0);
   pthread_mutex_unlock(&t->lock);
}

uint32_t
sim_trace_pictures_px(const struct sim_trace *t)
{
   return has_draw(t) ? t->filter.pictures_px : 0;
}

void
sim_trace_picture(struct sim_trace *t, struct trace_picture *p,
                  const uint8_t *rgba)
{
   pthread_mutex_lock(&t->lock);
   p->draw = t->draws - 1;
   sim_trace_write(t, TRACE_PICTURE, p, sizeof(*p), rgba,
                   (size_t)p->width * p->height * 4);
   pthread_mutex_unlock(&t->lock);
}

bool
sim_trace_has_memory(const struct sim_trace *t)
{
   return t->filter.memory;
}

void
sim_trace_lock(struct sim_trace *t)
{
   pthread_mutex_lock(&t->lock);
}

void
sim_trace_unlock(struct sim_trace *t)
{
   pthread_mutex_unlock(&t->lock);
}

bool
sim_trace_has_profile(const struct sim_trace *t)
{
   return t->filter.profile;
}

struct sim_profile **
sim_trace_profile(struct sim_trace *t)
{
   return &t->profile;
}

struct sim_trace_memory **
sim_trace_memory(struct sim_trace *t)
{
   return &t->memory;
}

void
sim_trace_report(struct sim_trace *t, const char *line)
{
   pthread_mutex_lock(&t->lock);
   sim_trace_write(t, TRACE_REPORT, line, strlen(line), NULL, 0);
   pthread_mutex_unlock(&t->lock);
}

/* One before anything else begins no file. */
void
sim_trace_mark(struct sim_trace *t, const char *line)
{
   pthread_mutex_lock(&t->lock);
   if (t->file)
      sim_trace_write(t, TRACE_MARK, line, strlen(line), NULL, 0);
   pthread_mutex_unlock(&t->lock);
}

static bool
has_pixel(const struct sim_trace_filter *f, const struct trace_item *items,
          unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      if (items[i].v[0] == (f->x & ~1) && items[i].v[1] == (f->y & ~1))
         return true;
   }
   return false;
}

static bool
has_room(struct sim_trace *t)
{
   const struct sim_trace_filter *f = &t->filter;
   if (t->threads < f->max_threads && t->size_B < f->max_size_B)
      return true;
   if (t->size_B >= f->max_size_B && !t->full) {
      fprintf(stderr,
              "saffron: trace: %s: %" PRIu64 " MiB: no more threads "
              "are recorded\n",
              t->name, t->size_B >> 20);
      t->full = true;
   }
   return false;
}

bool
sim_trace_admit(struct sim_trace *t, enum trace_stage stage,
                const struct trace_item *items, unsigned num_items,
                uint32_t *draw, uint32_t *number)
{
   const struct sim_trace_filter *f = &t->filter;
   pthread_mutex_lock(&t->lock);
   *draw = t->draws - 1;
   *number = t->threads_of_draw++;
   const bool ok = !t->finished && (!f->has_number || *number == f->number) &&
                   f->stages >> stage & 1 && has_draw(t) &&
                   (stage != TRACE_FS || !f->has_pixel ||
                    has_pixel(f, items, num_items)) &&
                   has_room(t);
   t->threads += ok;
   pthread_mutex_unlock(&t->lock);
   return ok;
}

void
sim_trace_write_program(struct sim_trace *t,
                        const struct sim_eu_program *program)
{
   const struct trace_program p = { .hash = sim_eu_program_hash(program) };
   if (hash_table_has(&t->programs, p.hash))
      return;
   sim_trace_write(t, TRACE_PROGRAM, &p, sizeof(p),
                   sim_eu_program_bytes(program),
                   sim_eu_program_size_B(program));
   /* Without memory to note it, it is written again. */
   (void)!hash_table_try_insert(&t->programs, p.hash, t);
}

void
sim_trace_write_thread(struct sim_trace *t,
                       const struct sim_eu_program *program,
                       const void *payload, size_t size_B)
{
   pthread_mutex_lock(&t->lock);
   sim_trace_write_program(t, program);
   /* The size of a record has 32 bits: an endless loop may have more. */
   if (size_B <= UINT32_MAX)
      sim_trace_write(t, TRACE_THREAD, payload, size_B, NULL, 0);
   else
      fprintf(stderr,
              "saffron: trace: %s: a thread of %zu bytes is left "
              "out\n",
              t->name, size_B);
   pthread_mutex_unlock(&t->lock);
}
