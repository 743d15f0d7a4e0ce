/* SPDX-License-Identifier: MIT */
/*
 * Cycles of what was run again, by draw, shader and line. They are those of
 * the threads, each alone on its EU: a sum over lines, or instructions, is
 * what the draws' threads took.
 */
#include "trace_profile.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/text/json.h"
#include "util/tool_io.h"

static const char *const stage_names[] = { TRACE_STAGE_NAMES };

/* Sums of instructions that are of one line, of one program. */
struct line {
   const struct trace_file_profile *profile;
   const struct trace_piece *place; /* NULL, or line 0: not known */
   uint64_t count, cycles, issue;
};

struct lines {
   struct line *line;
   size_t n;
   uint64_t cycles;
};

struct form {
   const char *name;
   int (*print)(const struct trace_options *o, const struct trace_file *f,
                const struct lines *l);
};

static int
compare_names(const struct trace_piece *a, const struct trace_piece *b)
{
   const uint32_t la = a ? a->line : 0, lb = b ? b->line : 0;
   if (!la || !lb || la != lb)
      return la < lb ? -1 : la > lb;
   const int c = memcmp(a->file, b->file, MIN2(a->file_B, b->file_B));
   return c ? c : a->file_B < b->file_B ? -1 : a->file_B > b->file_B;
}

static int
compare_places(const void *a, const void *b)
{
   const struct line *x = a, *y = b;
   if (x->profile != y->profile)
      return x->profile < y->profile ? -1 : 1;
   return compare_names(x->place, y->place);
}

/* Draws stay in their order, and in each the dearest comes first. */
static int
compare_cycles(const void *a, const void *b)
{
   const struct line *x = a, *y = b;
   const uint32_t dx = x->profile->head.draw, dy = y->profile->head.draw;
   if (dx != dy)
      return dx < dy ? -1 : 1;
   if (x->profile != y->profile)
      return x->profile < y->profile ? -1 : 1;
   return x->cycles > y->cycles ? -1 : x->cycles < y->cycles;
}

static struct lines
sum_lines(const struct trace_options *o, const struct trace_file *f)
{
   struct lines l = { 0 };
   size_t n = 1;
   util_dynarray_foreach(&f->profiles, struct trace_file_profile, p)
      n += p->head.num_costs;
   l.line = calloc(n, sizeof(*l.line));
   if (!l.line)
      abort();
   n = 0;
   util_dynarray_foreach(&f->profiles, struct trace_file_profile, p) {
      for (uint32_t i = 0; i < p->head.num_costs; i++) {
         const struct trace_cost c = trace_file_cost(p, i);
         l.line[n++] = (struct line) {
            .profile = p,
            .place = trace_notes_piece(&o->notes, p->head.program, c.ip_B),
            .count = c.count,
            .cycles = c.cycles,
            .issue = c.issue,
         };
         l.cycles += c.cycles;
      }
   }
   qsort(l.line, n, sizeof(*l.line), compare_places);
   for (size_t i = 0; i < n; i++) {
      struct line *to = l.n ? &l.line[l.n - 1] : NULL;
      if (to && !compare_places(to, &l.line[i])) {
         to->count += l.line[i].count;
         to->cycles += l.line[i].cycles;
         to->issue += l.line[i].issue;
      } else {
         l.line[l.n++] = l.line[i];
      }
   }
   qsort(l.line, l.n, sizeof(*l.line), compare_cycles);
   return l;
}

static double
percent(uint64_t part, uint64_t all)
{
   return all ? 100.0 * (double)part / (double)all : 0;
}

/* The lines of a profile, from `i` on: the first that is of another one. */
static size_t
end_of_profile(const struct lines *l, size_t i)
{
   const struct trace_file_profile *p = l->line[i].profile;
   while (i < l->n && l->line[i].profile == p)
      i++;
   return i;
}

static uint64_t
sum_cycles(const struct lines *l, size_t from, size_t to)
{
   uint64_t cycles = 0;
   for (size_t i = from; i < to; i++)
      cycles += l->line[i].cycles;
   return cycles;
}

/* "file:12", or "(no line)". */
static void
place_text(const struct trace_piece *p, struct strbuf *s)
{
   if (p && p->line)
      strbuf_printf(s, "%.*s:%u", (int)p->file_B, p->file, p->line);
   else
      strbuf_puts(s, "(no line)");
}

/*
 * Text
 */

static void
print_draws(const struct trace_file *f, uint64_t all)
{
   printf("      cycles      %%  threads\n");
   util_dynarray_foreach(&f->draws, struct trace_file_draw, d) {
      if (d->has_end && d->end.threads)
         printf("%12" PRIu64 "  %5.1f  %7" PRIu64 "  %s %u in batch %u\n",
                d->end.cycles, percent(d->end.cycles, all), d->end.threads,
                d->head.is_dispatch ? "dispatch" : "draw", d->number,
                d->batch);
   }
}

static int
print_text(const struct trace_options *o, const struct trace_file *f,
           const struct lines *l)
{
   printf("%" PRIu64 " cycles of threads\n", l->cycles);
   print_draws(f, l->cycles);
   for (size_t i = 0, end; i < l->n; i = end) {
      const struct trace_profile *p = &l->line[i].profile->head;
      end = end_of_profile(l, i);
      printf(
         "\ndraw %u, %s %016" PRIx64 ": %u threads, %" PRIu64 " cycles\n"
         "      cycles      %%       issue        wait    executed  line\n",
         p->draw, stage_names[p->stage], p->program, p->threads,
         sum_cycles(l, i, end));
      for (size_t k = i; k < end; k++) {
         const struct line *x = &l->line[k];
         struct strbuf s = { 0 };
         place_text(x->place, &s);
         printf("%12" PRIu64 "  %5.1f  %10" PRIu64 "  %10" PRId64
                "  %10" PRIu64 "  %s\n",
                x->cycles, percent(x->cycles, l->cycles), x->issue,
                (int64_t)(x->cycles - x->issue), x->count, strbuf_str(&s));
         strbuf_fini(&s);
      }
   }
   return TOOL_EXIT_OK;
}

/*
 * JSON
 */

static void
json_place(struct strbuf *s, const struct trace_piece *p)
{
   strbuf_puts(s, "\"file\": ");
   if (p && p->line)
      json_string(s, p->file, p->file_B);
   else
      strbuf_puts(s, "null");
   strbuf_printf(s, ", \"line\": %u", p ? p->line : 0);
}

static void
json_instructions(struct strbuf *s, const struct trace_file_profile *p)
{
   strbuf_puts(s, "], \"instructions\": [");
   for (uint32_t i = 0; i < p->head.num_costs; i++) {
      const struct trace_cost c = trace_file_cost(p, i);
      strbuf_printf(s,
                    "%s{\"offset\": %u, \"count\": %" PRIu64
                    ", \"cycles\": %" PRIu64 ", \"issue\": %" PRIu64 "}",
                    i ? ", " : "", c.ip_B, c.count, c.cycles, c.issue);
   }
}

static void
put(struct strbuf *s)
{
   fputs(strbuf_str(s), stdout);
   strbuf_fini(s);
   *s = (struct strbuf) { 0 };
}

static int
print_json(const struct trace_options *o, const struct trace_file *f,
           const struct lines *l)
{
   struct strbuf s = { 0 };
   strbuf_printf(&s, "{\"cycles\": %" PRIu64 ", \"shaders\": [", l->cycles);
   for (size_t i = 0, end; i < l->n; i = end) {
      const struct trace_profile *p = &l->line[i].profile->head;
      end = end_of_profile(l, i);
      strbuf_printf(&s,
                    "%s{\"draw\": %u, \"stage\": \"%s\", \"program\": "
                    "\"%016" PRIx64
                    "\", \"threads\": %u, \"cycles\": %" PRIu64
                    ", \"lines\": [",
                    i ? ",\n" : "", p->draw, stage_names[p->stage],
                    p->program, p->threads, sum_cycles(l, i, end));
      for (size_t k = i; k < end; k++) {
         const struct line *x = &l->line[k];
         strbuf_puts(&s, k > i ? ", {" : "{");
         json_place(&s, x->place);
         strbuf_printf(&s,
                       ", \"count\": %" PRIu64 ", \"cycles\": %" PRIu64
                       ", \"issue\": %" PRIu64 "}",
                       x->count, x->cycles, x->issue);
      }
      json_instructions(&s, l->line[i].profile);
      strbuf_puts(&s, "]}");
      put(&s);
   }
   strbuf_puts(&s, "]}\n");
   put(&s);
   return TOOL_EXIT_OK;
}

/*
 * Files of other tools
 */

static void
json_text_of(struct strbuf *s, const struct strbuf *text)
{
   json_string(s, strbuf_str(text), text->len);
}

static void
stack_name(const struct line *x, unsigned level, struct strbuf *name)
{
   const struct trace_profile *p = &x->profile->head;
   if (level == 0)
      strbuf_printf(name, "draw %u", p->draw);
   else if (level == 1)
      strbuf_printf(name, "%s %016" PRIx64, stage_names[p->stage],
                    p->program);
   else
      place_text(x->place, name);
}

/* https://www.speedscope.app/file-format-schema.json, "sampled": a stack of
 * draw, shader and line for each line, which weighs its cycles. */
static int
print_speedscope(const struct trace_options *o, const struct trace_file *f,
                 const struct lines *l)
{
   struct strbuf frames = { 0 }, samples = { 0 }, weights = { 0 };
   for (size_t i = 0; i < l->n; i++) {
      for (unsigned level = 0; level < 3; level++) {
         struct strbuf name = { 0 };
         stack_name(&l->line[i], level, &name);
         strbuf_puts(&frames, i || level ? ",\n{\"name\": " : "{\"name\": ");
         json_text_of(&frames, &name);
         strbuf_puts(&frames, "}");
         strbuf_fini(&name);
      }
      strbuf_printf(&samples, "%s[%zu, %zu, %zu]", i ? ", " : "", 3 * i,
                    3 * i + 1, 3 * i + 2);
      strbuf_printf(&weights, "%s%" PRIu64, i ? ", " : "", l->line[i].cycles);
   }
   printf("{\"$schema\": "
          "\"https://www.speedscope.app/file-format-schema.json\",\n"
          "\"exporter\": \"saffron\", \"shared\": {\"frames\": [%s]},\n"
          "\"profiles\": [{\"type\": \"sampled\", \"name\": \"cycles\", "
          "\"unit\": \"none\", \"startValue\": 0, \"endValue\": %" PRIu64
          ",\n\"samples\": [%s],\n\"weights\": [%s]}]}\n",
          strbuf_str(&frames), l->cycles, strbuf_str(&samples),
          strbuf_str(&weights));
   strbuf_fini(&frames);
   strbuf_fini(&samples);
   strbuf_fini(&weights);
   return TOOL_EXIT_OK;
}

static void
chrome_event(struct strbuf *s, const struct strbuf *name, uint64_t at,
             uint64_t cycles)
{
   strbuf_puts(s, s->len ? ",\n{\"name\": " : "{\"name\": ");
   json_text_of(s, name);
   strbuf_printf(s,
                 ", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": %" PRIu64
                 ", \"dur\": %" PRIu64 "}",
                 at, cycles);
}

/* The Trace Event Format, which Perfetto reads: draws one after the other, a
 * microsecond for a cycle. */
static int
print_chrome(const struct trace_options *o, const struct trace_file *f,
             const struct lines *l)
{
   struct strbuf s = { 0 };
   uint64_t at = 0;
   for (size_t i = 0, end; i < l->n; i = end) {
      size_t last = i;
      while (last < l->n && l->line[last].profile->head.draw ==
                               l->line[i].profile->head.draw)
         last++;
      struct strbuf name = { 0 };
      if (!i || l->line[i - 1].profile->head.draw !=
                   l->line[i].profile->head.draw) {
         stack_name(&l->line[i], 0, &name);
         chrome_event(&s, &name, at, sum_cycles(l, i, last));
         strbuf_fini(&name);
         name = (struct strbuf) { 0 };
      }
      end = end_of_profile(l, i);
      stack_name(&l->line[i], 1, &name);
      chrome_event(&s, &name, at, sum_cycles(l, i, end));
      strbuf_fini(&name);
      for (size_t k = i; k < end; k++) {
         struct strbuf line = { 0 };
         stack_name(&l->line[k], 2, &line);
         chrome_event(&s, &line, at, l->line[k].cycles);
         at += l->line[k].cycles;
         strbuf_fini(&line);
      }
   }
   printf("{\"traceEvents\": [%s]}\n", strbuf_str(&s));
   strbuf_fini(&s);
   return TOOL_EXIT_OK;
}

static const struct form forms[] = {
   { "text", print_text },
   { "json", print_json },
   { "speedscope", print_speedscope },
   { "chrome", print_chrome },
};

bool
trace_profile_form(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(forms); i++) {
      if (!strcmp(name, forms[i].name))
         return true;
   }
   return false;
}

int
trace_profile_print(const struct trace_options *o, const struct trace_file *f)
{
   int result = TOOL_EXIT_BAD_INPUT;
   if (!f->profiles.size_B) {
      fprintf(stderr,
              "saffron trace: %s: it has no profile: --profile wants a "
              "recording\n",
              o->file);
      return result;
   }
   struct lines l = sum_lines(o, f);
   for (unsigned i = 0; i < ARRAY_SIZE(forms); i++) {
      if (!strcmp(o->profile, forms[i].name))
         result = forms[i].print(o, f, &l);
   }
   free(l.line);
   return result;
}
