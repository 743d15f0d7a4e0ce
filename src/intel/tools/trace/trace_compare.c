/* SPDX-License-Identifier: MIT */
/*
 * Draws of two recordings that belong together (trace_align.c), their costs,
 * and the first of them after which a pixel of a target is another one. Both
 * are run again for that, some draws at a time.
 */
#include "trace_compare.h"

#include <inttypes.h>
#include <stdio.h>

#include "trace_align.h"
#include "util/tool_io.h"

/* Draws of which the targets are in memory at once; a batch may have more. */
#define DRAWS_AT_ONCE 32
/* Blending and conversion round: by so much a byte may be off. */
#define ROUNDING 1

struct comparison {
   struct trace_options *o;
   const struct trace_file *files[2];
   struct util_dynarray groups; /* struct trace_group */
};

/* After the draws of a group. */
struct difference {
   uint32_t group;
   uint32_t target, pixels, of;
   uint32_t x, y; /* the first one */
};

static const struct trace_file_draw *
draw_of(const struct comparison *c, unsigned side,
        const struct trace_group *g, uint32_t i)
{
   return util_dynarray_element(&c->files[side]->draws,
                                struct trace_file_draw, g->first[side] + i);
}

static const struct trace_file_draw *
last_draw(const struct comparison *c, unsigned side,
          const struct trace_group *g)
{
   return draw_of(c, side, g, g->count[side] - 1);
}

static struct trace_draw_end
costs_of(const struct comparison *c, unsigned side,
         const struct trace_group *g)
{
   struct trace_draw_end sum = { 0 };
   for (uint32_t i = 0; i < g->count[side]; i++) {
      const struct trace_draw_end *e = &draw_of(c, side, g, i)->end;
      sum.threads += e->threads;
      sum.instructions += e->instructions;
      sum.sends += e->sends;
      sum.cycles += e->cycles;
   }
   return sum;
}

/*
 * Targets
 */

static bool
pixels_differ(const uint8_t *a, const uint8_t *b)
{
   for (unsigned i = 0; i < 4; i++) {
      if (abs(a[i] - b[i]) > ROUNDING)
         return true;
   }
   return false;
}

static bool
pictures_differ(const struct trace_file_picture *a,
                const struct trace_file_picture *b, struct difference *d)
{
   const uint32_t width = a->head.width, height = a->head.height;
   d->target = a->head.target;
   /* Those are two images. */
   if (width != b->head.width || height != b->head.height)
      return false;
   d->pixels = 0;
   d->of = width * height;
   for (uint32_t i = 0; i < d->of; i++) {
      if (!pixels_differ(a->rgba + 4 * (size_t)i, b->rgba + 4 * (size_t)i))
         continue;
      if (!d->pixels++) {
         d->x = i % width;
         d->y = i / width;
      }
   }
   return d->pixels > 0;
}

static const struct trace_file_picture *
find_picture(const struct trace_file *run, uint32_t draw, uint32_t target)
{
   util_dynarray_foreach(&run->pictures, struct trace_file_picture, p) {
      if (p->head.draw == draw && p->head.target == target)
         return p;
   }
   return NULL;
}

static bool
targets_differ(const struct comparison *c, const struct trace_file runs[2],
               const struct trace_group *g, struct difference *d)
{
   const uint32_t draw = last_draw(c, 0, g)->number;
   util_dynarray_foreach(&runs[0].pictures, struct trace_file_picture, p) {
      if (p->head.draw != draw)
         continue;
      const struct trace_file_picture *b =
         find_picture(&runs[1], last_draw(c, 1, g)->number, p->head.target);
      if (b && pictures_differ(p, b, d))
         return true;
   }
   return false;
}

/*
 * The search
 */

static bool
is_pair(const struct trace_group *g)
{
   return g->count[0] && g->count[1];
}

static bool
run_groups(const struct comparison *c, const struct trace_group *first,
           const struct trace_group *last, struct trace_file runs[2])
{
   for (unsigned side = 0; side < 2; side++) {
      const uint32_t batches[] = { last_draw(c, side, first)->batch,
                                   last_draw(c, side, last)->batch };
      if (!trace_run_again(c->o, c->files[side], batches,
                           "size=4096,nocommands,threads=0,pictures=16384",
                           &runs[side]))
         return false;
   }
   return true;
}

/* Whether this group's draws are too many for those that begin with the
 * other. */
static bool
is_too_far(const struct comparison *c, const struct trace_group *first,
           const struct trace_group *g)
{
   for (unsigned side = 0; side < 2; side++) {
      const struct trace_file_draw *a = last_draw(c, side, first);
      const struct trace_file_draw *b = last_draw(c, side, g);
      if (a->batch != b->batch && b->number - a->number > DRAWS_AT_ONCE)
         return true;
   }
   return false;
}

/* Groups `from` to before `to`: 1 one differs, 0 none does, -1 after a
 * message. */
static int
search_groups(const struct comparison *c, uint32_t from, uint32_t to,
              struct difference *d)
{
   const struct trace_group *groups = c->groups.data;
   struct trace_file runs[2] = { 0 };
   const struct trace_group *last = NULL;
   for (uint32_t i = from; i < to; i++) {
      if (is_pair(&groups[i]))
         last = &groups[i];
   }
   const bool ok = run_groups(c, &groups[from], last, runs);
   int found = ok ? 0 : -1;
   for (uint32_t i = from; ok && !found && i < to; i++) {
      d->group = i;
      found = is_pair(&groups[i]) && targets_differ(c, runs, &groups[i], d);
   }
   trace_file_close(&runs[0]);
   trace_file_close(&runs[1]);
   return found;
}

static int
search(const struct comparison *c, struct difference *d)
{
   const struct trace_group *groups = c->groups.data;
   const uint32_t n =
      (uint32_t)util_dynarray_num_elements(&c->groups, struct trace_group);
   int found = 0;
   for (uint32_t i = 0, to; !found && i < n; i = to) {
      to = i + 1;
      if (!is_pair(&groups[i]))
         continue;
      while (to < n && (!is_pair(&groups[to]) ||
                        !is_too_far(c, &groups[i], &groups[to])))
         to++;
      found = search_groups(c, i, to, d);
   }
   return found;
}

/*
 * Text and JSON
 */

static void
print_numbers(const struct comparison *c, unsigned side,
              const struct trace_group *g)
{
   const uint32_t n = g->count[side];
   char text[32] = "-";
   if (n == 1)
      snprintf(text, sizeof(text), "%u", last_draw(c, side, g)->number);
   else if (n)
      snprintf(text, sizeof(text), "%u-%u", draw_of(c, side, g, 0)->number,
               last_draw(c, side, g)->number);
   printf("%13s", text);
}

static void
print_text(const struct comparison *c, const struct difference *d)
{
   printf("        draws        other        instructions"
          "                  cycles\n");
   util_dynarray_foreach(&c->groups, struct trace_group, g) {
      const struct trace_draw_end a = costs_of(c, 0, g),
                                  b = costs_of(c, 1, g);
      print_numbers(c, 0, g);
      print_numbers(c, 1, g);
      printf("  %9" PRIu64 " %9" PRIu64 "  %11" PRIu64 " %11" PRIu64 "\n",
             a.instructions, b.instructions, a.cycles, b.cycles);
   }
   if (!c->o->compare)
      return;
   if (!d) {
      printf("no target differs\n");
      return;
   }
   const struct trace_group *g =
      util_dynarray_element(&c->groups, struct trace_group, d->group);
   printf("first difference: after draw %u, other %u: target %u in %u of %u "
          "pixels, first (%u, %u)\n",
          last_draw(c, 0, g)->number, last_draw(c, 1, g)->number, d->target,
          d->pixels, d->of, d->x, d->y);
}

static void
put_side(struct strbuf *s, const struct comparison *c, unsigned side,
         const struct trace_group *g)
{
   static const char *const names[] = { "draws", "others" };
   if (!g->count[side])
      return;
   const struct trace_draw_end e = costs_of(c, side, g);
   strbuf_printf(s,
                 "%s\"%s\": {\"first\": %u, \"last\": %u, "
                 "\"threads\": %" PRIu64 ", \"instructions\": %" PRIu64
                 ", \"cycles\": %" PRIu64 "}",
                 side && g->count[0] ? ", " : "", names[side],
                 draw_of(c, side, g, 0)->number,
                 last_draw(c, side, g)->number, e.threads, e.instructions,
                 e.cycles);
}

static void
print_json(const struct comparison *c, const struct difference *d)
{
   struct strbuf s = { 0 };
   const char *comma = "";
   strbuf_puts(&s, "{\"groups\": [");
   util_dynarray_foreach(&c->groups, struct trace_group, g) {
      strbuf_printf(&s, "%s{", comma);
      put_side(&s, c, 0, g);
      put_side(&s, c, 1, g);
      strbuf_puts(&s, "}");
      comma = ",\n";
   }
   strbuf_puts(&s, "]");
   if (d)
      strbuf_printf(&s,
                    ", \"difference\": {\"group\": %u, \"target\": %u, "
                    "\"pixels\": %u, \"of\": %u, \"x\": %u, \"y\": %u}",
                    d->group, d->target, d->pixels, d->of, d->x, d->y);
   strbuf_puts(&s, "}\n");
   fputs(strbuf_str(&s), stdout);
   strbuf_fini(&s);
}

static bool
is_recording(const char *name, const struct trace_file *f)
{
   if (!trace_file_is_recording(f))
      fprintf(stderr, "saffron trace: %s: it is no recording\n", name);
   return trace_file_is_recording(f);
}

int
trace_compare(struct trace_options *o, const struct trace_file *f,
              const struct trace_file *other)
{
   struct comparison c = { .o = o, .files = { f, other } };
   struct difference d = { 0 };
   int found = 0;
   if (o->compare &&
       (!is_recording(o->file, f) || !is_recording(o->other, other)))
      return TOOL_EXIT_BAD_INPUT;
   if (!trace_align(c.files, &c.groups)) {
      fputs("saffron trace: no memory for so many draws\n", stderr);
      found = -1;
   }
   if (!found && o->compare)
      found = search(&c, &d);
   if (found >= 0 && o->json)
      print_json(&c, found ? &d : NULL);
   else if (found >= 0)
      print_text(&c, found ? &d : NULL);
   util_dynarray_fini(&c.groups);
   return found < 0 ? TOOL_EXIT_BAD_INPUT : TOOL_EXIT_OK;
}
