/* SPDX-License-Identifier: MIT */
/* Which threads of a trace, or batches of a recording, options mean. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace_options.h"
#include "util/strbuf.h"
#include "util/tool_io.h"

static const char *const stage_names[] = { TRACE_STAGE_NAMES };

static bool
item_matches(const struct trace_options *o, unsigned stage,
             const struct trace_item *item)
{
   const int32_t *v = item->v;
   if (o->has_pixel && (stage != TRACE_FS || v[0] != (o->pixel[0] & ~1) ||
                        v[1] != (o->pixel[1] & ~1)))
      return false;
   if (o->has_vertex && (stage != TRACE_VS || v[0] != o->vertex))
      return false;
   if (o->has_primitive && (stage == TRACE_VS || stage == TRACE_CS ||
                            v[stage == TRACE_FS ? 3 : 0] != o->primitive))
      return false;
   return !o->has_group || (stage == TRACE_CS && v[0] == o->group[0] &&
                            v[1] == o->group[1] && v[2] == o->group[2]);
}

static bool
needs_item(const struct trace_options *o)
{
   return o->has_pixel || o->has_vertex || o->has_primitive || o->has_group;
}

int
trace_thread_matches(const struct trace_options *o,
                     const struct trace_file_thread *t)
{
   const struct trace_thread *h = &t->head;
   if ((o->has_draw && h->draw != o->draw) ||
       (o->has_thread && h->number != o->thread) ||
       (o->has_stage && h->stage != o->stage))
      return -1;
   if (!needs_item(o))
      return 0;
   for (unsigned i = 0; i < h->num_items; i++) {
      const struct trace_item item = trace_file_item(t, i);
      if (item_matches(o, h->stage, &item))
         return (int)i;
   }
   return -1;
}

/*
 * Batches to run again
 */

bool
trace_wants_one_thread(const struct trace_options *o)
{
   return o->has_steps || o->has_registers || o->writer || o->readers;
}

bool
trace_wants_threads(const struct trace_options *o)
{
   return o->has_draw || o->has_pixel || o->has_vertex || o->has_primitive ||
          o->has_group || o->has_thread || o->has_stage || o->step ||
          o->profile || trace_wants_one_thread(o);
}

static bool
wants_replay(const struct trace_options *o)
{
   return trace_wants_threads(o) || o->threads || o->commands ||
          o->has_history || o->pictures_px || o->watch.size_B;
}

/* As in SAFFRON_SIM_TRACE_FILTER. */
static void
make_filter(const struct trace_options *o, struct strbuf *s)
{
   strbuf_puts(s, o->commands ? "size=4096" : "size=4096,nocommands");
   if (o->has_draw)
      strbuf_printf(s, ",draw=%u", o->draw);
   if (o->has_thread)
      strbuf_printf(s, ",thread=%u", o->thread);
   if (o->has_pixel || o->has_history)
      strbuf_printf(s, ",pixel=%d:%d", o->pixel[0], o->pixel[1]);
   if (o->pictures_px)
      strbuf_printf(s, ",pictures=%u", o->pictures_px);
   if (!trace_wants_threads(o) && !o->threads && !o->has_history)
      strbuf_puts(s, ",threads=0");
   if (o->profile)
      strbuf_puts(s, ",profile");
   if (o->has_stage)
      strbuf_printf(s, ",%s", stage_names[o->stage]);
   else if (o->has_group)
      strbuf_puts(s, ",cs");
   else if (o->has_vertex)
      strbuf_puts(s, ",vs");
}

static bool
choose_batches(const struct trace_options *o, const struct trace_file *f,
               uint32_t *first, uint32_t *last)
{
   const struct trace_file_draw *d = NULL;
   *first = f->head.first_batch;
   *last = *first + f->num_batches - 1;
   if (o->has_draw) {
      d = trace_file_find_draw(f, o->draw);
      if (d)
         *first = *last = d->batch;
      else
         fprintf(stderr, "saffron trace: %s: there is no draw %u\n", o->file,
                 o->draw);
      return d != NULL;
   }
   if (!o->has_batches)
      return f->num_batches > 0;
   if (o->batches[0] < *first || o->batches[1] > *last ||
       o->batches[0] > o->batches[1]) {
      fprintf(stderr, "saffron trace: %s: it has batches %u to %u\n", o->file,
              *first, *last);
      return false;
   }
   *first = o->batches[0];
   *last = o->batches[1];
   return true;
}

static bool
read_back(int file, struct util_dynarray *bytes)
{
   char path[64];
   snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
   return tool_read_file("saffron trace", path, bytes);
}

bool
trace_run_again(struct trace_options *o, const struct trace_file *f,
                const uint32_t batches[2], const char *filter,
                struct trace_file *run)
{
   struct trace_file_error error;
   const int file = memfd_create("trace", MFD_CLOEXEC);
   bool ok = file >= 0 &&
             trace_replay(f, batches[0], batches[1], filter, &o->watch,
                          &o->accesses, file) &&
             read_back(file, &run->bytes);
   if (ok && !trace_file_parse(run, &error)) {
      fprintf(stderr, "saffron trace: replay: byte %zu: %s\n", error.at_B,
              error.text);
      ok = false;
   }
   if (file >= 0)
      close(file);
   return ok;
}

bool
trace_replace_by_replay(struct trace_options *o, struct trace_file *f)
{
   struct strbuf filter = { 0 };
   struct trace_file run = { 0 };
   uint32_t batches[2];
   if (!trace_file_is_recording(f) || !wants_replay(o))
      return true;
   if (!choose_batches(o, f, &batches[0], &batches[1]))
      return false;
   make_filter(o, &filter);
   const bool ok = trace_run_again(o, f, batches, strbuf_str(&filter), &run);
   strbuf_fini(&filter);
   trace_file_close(f);
   *f = run;
   return ok;
}
