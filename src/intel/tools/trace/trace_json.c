/* SPDX-License-Identifier: MIT */
/* The answers to questions as JSON; bin/view/schema.json says
 * what they look like. */
#include <inttypes.h>
#include <stdio.h>

#include "intel/genxml/genxml.h"
#include "trace_query.h"
#include "util/text/json.h"
#include "util/tool_io.h"

static const char *const stage_names[] = { TRACE_STAGE_NAMES };
static const char *const kind_names[] = { TRACE_PIXEL_KIND_NAMES };

/* What is written, and whether a comma is due. */
struct out {
   struct strbuf s;
   const struct trace_file *f;
   const struct trace_notes *notes;
   const char *comma;
};

/* Hands over what there is, so that it does not pile up. */
static void
flush(struct out *o)
{
   fputs(strbuf_str(&o->s), stdout);
   strbuf_fini(&o->s);
   o->s = (struct strbuf) { 0 };
}

static void
next(struct out *o)
{
   strbuf_puts(&o->s, o->comma);
   o->comma = ",\n";
   if (o->s.len > 65536)
      flush(o);
}

/*
 * Lists
 */

static void
draw(struct out *o, const struct trace_file_draw *d)
{
   const struct trace_draw *h = &d->head;
   next(o);
   strbuf_printf(&o->s,
                 "{\"draw\": %u, \"batch\": %u, \"dispatch\": %s, "
                 "\"topology\": %u, \"indexed\": %s, \"vertices\": %u, "
                 "\"instances\": %u, \"recorded\": %u",
                 d->number, d->batch, h->is_dispatch ? "true" : "false",
                 h->topology, h->indexed ? "true" : "false", h->vertex_count,
                 h->instance_count, d->num_threads);
   if (d->has_end)
      strbuf_printf(&o->s,
                    ", \"threads\": %" PRIu64 ", \"instructions\": %" PRIu64
                    ", \"sends\": %" PRIu64 ", \"cycles\": %" PRIu64,
                    d->end.threads, d->end.instructions, d->end.sends,
                    d->end.cycles);
   strbuf_puts(&o->s, "}");
}

static void
batches(struct out *o)
{
   uint32_t batch = o->f->head.first_batch;
   strbuf_puts(&o->s, "],\n\"batches\": [");
   o->comma = "";
   util_dynarray_foreach(&o->f->events, struct trace_file_event, e) {
      struct trace_batch b;
      if (e->type == TRACE_BATCH) {
         memcpy(&b, e->payload, sizeof(b));
         next(o);
         strbuf_printf(&o->s, "{\"batch\": %u, \"engine\": \"%s\"}", batch++,
                       b.engine ? "copy" : "render");
      }
   }
}

/* Lines of one type: each is after so many batches and draws. */
static void
lines(struct out *o, enum trace_type type, const char *name)
{
   uint32_t batches = o->f->head.first_batch, draws = o->f->head.first_draw;
   strbuf_printf(&o->s, "],\n\"%s\": [", name);
   o->comma = "";
   util_dynarray_foreach(&o->f->events, struct trace_file_event, e) {
      batches += e->type == TRACE_BATCH;
      draws += e->type == TRACE_DRAW;
      if (e->type != type)
         continue;
      next(o);
      strbuf_printf(&o->s,
                    "{\"batches\": %u, \"draws\": %u, \"text\": ", batches,
                    draws);
      json_string(&o->s, (const char *)e->payload, e->size_B);
      strbuf_puts(&o->s, "}");
   }
}

static void
list(struct out *o)
{
   strbuf_printf(&o->s,
                 "{\"generation\": \"%s\", \"recording\": %s,\n\"draws\": [",
                 isa_gen_name(o->f->gen),
                 trace_file_is_recording(o->f) ? "true" : "false");
   util_dynarray_foreach(&o->f->draws, struct trace_file_draw, d)
      draw(o, d);
   batches(o);
   lines(o, TRACE_REPORT, "reports");
   lines(o, TRACE_MARK, "marks");
   strbuf_puts(&o->s, "]}\n");
}

/* `before` is the number of the draw that it is for. */
static void
command(struct out *o, const struct trace_file_event *e, uint32_t before,
        bool full)
{
   const struct genxml_spec *spec = genxml_spec_get(o->f->head.verx10);
   struct trace_command c;
   memcpy(&c, e->payload, sizeof(c));
   const uint32_t num_dw = (e->size_B - (uint32_t)sizeof(c)) / 4;
   uint32_t *dw = malloc(4 * (size_t)num_dw);
   if (!dw)
      abort();
   memcpy(dw, e->payload + sizeof(c), 4 * (size_t)num_dw);
   const struct genxml_group *g = spec ? genxml_find_command(spec, *dw)
                                       : NULL;
   struct strbuf fields = { 0 };
   if (full && g)
      genxml_print_fields(&fields, g, dw, num_dw, 0);
   next(o);
   strbuf_printf(&o->s,
                 "{\"before\": %u, \"address\": \"0x%012" PRIx64
                 "\", \"name\": \"%s\", \"fields\": ",
                 before, c.address, g ? g->name : "unknown");
   json_string(&o->s, strbuf_str(&fields), fields.len);
   strbuf_puts(&o->s, "}");
   strbuf_fini(&fields);
   free(dw);
}

static void
commands(struct out *o, bool full)
{
   uint32_t before = o->f->head.first_draw;
   strbuf_puts(&o->s, "{\"commands\": [");
   util_dynarray_foreach(&o->f->events, struct trace_file_event, e) {
      if (e->type == TRACE_COMMAND)
         command(o, e, before, full);
      before += e->type == TRACE_DRAW;
   }
   strbuf_puts(&o->s, "]}\n");
}

static void
pictures(struct out *o)
{
   strbuf_puts(&o->s, "{\"pictures\": [");
   util_dynarray_foreach(&o->f->pictures, struct trace_file_picture, p) {
      const struct trace_picture *h = &p->head;
      next(o);
      strbuf_printf(&o->s,
                    "{\"draw\": %u, \"target\": %u, \"width\": %u, "
                    "\"height\": %u, \"target_width\": %u, "
                    "\"target_height\": %u, \"address\": \"0x%012" PRIx64
                    "\", \"rgba\": ",
                    h->draw, h->target, h->width, h->height, h->target_width,
                    h->target_height, h->address);
      json_base64(&o->s, p->rgba, (size_t)h->width * h->height * 4);
      strbuf_puts(&o->s, "}");
   }
   strbuf_puts(&o->s, "]}\n");
}

/*
 * A pixel
 */

/* Infinities and NaNs have no JSON. */
static void
number(struct out *o, uint32_t bits)
{
   if ((bits >> 23 & 0xff) == 0xff)
      strbuf_printf(&o->s, "\"%g\"", (double)util_bits_float(bits));
   else
      strbuf_printf(&o->s, "%.9g", (double)util_bits_float(bits));
}

static void
color(struct out *o, const char *name, const uint32_t c[4], bool is_integer)
{
   strbuf_printf(&o->s, ", \"%s\": [", name);
   for (unsigned i = 0; i < 4; i++) {
      strbuf_puts(&o->s, i ? ", " : "");
      if (is_integer)
         strbuf_printf(&o->s, "%u", c[i]);
      else
         number(o, c[i]);
   }
   strbuf_puts(&o->s, "]");
}

static void
test(struct out *o, const struct trace_pixel *p)
{
   const char *const result[] = { "fails", "passes" };
   if (p->mask & TRACE_TEST_DEPTH)
      strbuf_printf(&o->s, ", \"depth_test\": \"%s\"",
                    result[(p->mask & TRACE_TEST_DEPTH_PASSED) != 0]);
   if (p->mask & TRACE_TEST_STENCIL)
      strbuf_printf(&o->s, ", \"stencil_test\": \"%s\"",
                    result[(p->mask & TRACE_TEST_STENCIL_PASSED) != 0]);
   strbuf_printf(&o->s, ", \"late\": %s, \"depth\": [",
                 p->mask & TRACE_TEST_LATE ? "true" : "false");
   number(o, p->source[0]);
   strbuf_puts(&o->s, ", ");
   number(o, p->was[0]);
   strbuf_puts(&o->s, ", ");
   number(o, p->is[0]);
   strbuf_printf(&o->s, "], \"stencil\": [%u, %u]", p->was[1], p->is[1]);
}

/* Where the thread had the colour it wrote. */
static void
registers_of(struct out *o, const struct trace_pixel *p)
{
   strbuf_puts(&o->s, ", \"registers\": [");
   for (unsigned i = 0; i < 4 && p->component[i] != ~0u; i++)
      strbuf_printf(&o->s, "%s\"r%u.%u\"", i ? ", " : "",
                    p->component[i] / TRACE_REGISTER_DW,
                    p->component[i] % TRACE_REGISTER_DW);
   strbuf_puts(&o->s, "]");
}

static void
event(struct out *o, const struct trace_pixel *p)
{
   strbuf_printf(&o->s, "{\"kind\": \"%s\", \"primitive\": %u, \"thread\": ",
                 kind_names[p->kind], p->primitive);
   if (p->thread == ~0u)
      strbuf_puts(&o->s, "null");
   else
      strbuf_printf(&o->s, "%u", p->thread);
   strbuf_printf(&o->s, ", \"sample\": %d, \"address\": \"0x%012" PRIx64 "\"",
                 p->sample, p->address);
   if (p->step != ~0u)
      strbuf_printf(&o->s, ", \"step\": %u", p->step);
   switch ((enum trace_pixel_kind)p->kind) {
   case TRACE_PIXEL_COVERED:
      strbuf_printf(&o->s, ", \"samples\": %u", p->mask);
      break;
   case TRACE_PIXEL_TESTED: test(o, p); break;
   case TRACE_PIXEL_DISCARDED:
   case TRACE_PIXEL_MASKED: break;
   default:
      strbuf_printf(&o->s, ", \"target\": %u, \"samples\": %u", p->target,
                    p->mask);
      color(o, "source", p->source, p->is_integer);
      color(o, "was", p->was, p->is_integer);
      color(o, "is", p->is, p->is_integer);
      registers_of(o, p);
   }
   strbuf_puts(&o->s, "}");
}

static void
pixel_draw(void *data, const struct trace_file_draw *d,
           const struct trace_pixel *p, unsigned n)
{
   struct out *o = data;
   next(o);
   strbuf_printf(&o->s, "{\"draw\": %u, \"batch\": %u, \"events\": [",
                 d->number, d->batch);
   for (unsigned i = 0; i < n; i++) {
      strbuf_puts(&o->s, i ? ",\n " : "");
      event(o, &p[i]);
   }
   strbuf_puts(&o->s, "]}");
}

static void
history(struct out *o, const struct trace_options *options)
{
   strbuf_printf(&o->s, "{\"pixel\": [%d, %d], \"draws\": [",
                 options->pixel[0], options->pixel[1]);
   trace_query_pixel_draws(o->f, pixel_draw, o);
   strbuf_puts(&o->s, "]}\n");
}

/*
 * Threads
 */

static void
thread(struct out *o, const struct trace_file_thread *t)
{
   const struct trace_thread *h = &t->head;
   strbuf_printf(&o->s,
                 "{\"draw\": %u, \"thread\": %u, \"stage\": \"%s\", "
                 "\"program\": \"%016" PRIx64 "\", \"kernel\": \"0x%" PRIx64
                 "\", \"simd\": %u, \"channels\": %u, \"steps\": %u, "
                 "\"cycles\": %" PRIu64 ", \"lanes_per_item\": %u, "
                 "\"items\": [",
                 h->draw, h->number, stage_names[h->stage], h->program,
                 h->kernel, h->simd, h->dispatch_mask, h->num_steps,
                 h->cycles, h->lanes_per_item);
   for (unsigned i = 0; i < h->num_items; i++) {
      const struct trace_item item = trace_file_item(t, i);
      strbuf_printf(&o->s, "%s[%d, %d, %d, %d]", i ? ", " : "", item.v[0],
                    item.v[1], item.v[2], item.v[3]);
   }
   strbuf_puts(&o->s, "]}");
}

static void
register_dwords(struct out *o, const struct trace_view *v, unsigned reg)
{
   strbuf_puts(&o->s, "[");
   for (unsigned i = 0; i < TRACE_REGISTER_DW; i++)
      strbuf_printf(&o->s, "%s%u", i ? "," : "", v->registers[reg][i]);
   strbuf_puts(&o->s, "]");
}

/* The line that an instruction is of, if that is known. */
static void
place(struct out *o, uint64_t program, uint32_t ip_B)
{
   const struct trace_piece *p = trace_notes_piece(o->notes, program, ip_B);
   if (!p || !p->line)
      return;
   strbuf_puts(&o->s, ", \"file\": ");
   json_string(&o->s, p->file, p->file_B);
   strbuf_printf(&o->s, ", \"line\": %u", p->line);
}

static void
step(void *data, uint32_t n)
{
   struct out *o = ((void **)data)[0];
   struct trace_view *v = ((void **)data)[1];
   const struct trace_step s = trace_view_step(v, n);
   struct strbuf text = { 0 };
   const char *comma = "";
   next(o);
   trace_view_inst_text(v, n, &text);
   strbuf_printf(&o->s,
                 "{\"n\": %u, \"offset\": %u, \"active\": %u, \"cycle\": %u, "
                 "\"cost\": %u, \"issue\": %u, \"text\": ",
                 n, s.ip_B, s.active, s.cycle, trace_view_cost(v, n),
                 s.issue);
   json_string(&o->s, strbuf_str(&text), text.len);
   strbuf_fini(&text);
   place(o, v->thread->head.program, s.ip_B);
   trace_view_go(v, n + 1);
   strbuf_puts(&o->s, ", \"writes\": {");
   for (unsigned r = 0; r < TRACE_NUM_REGISTERS; r++) {
      if (!trace_view_writes(v, n, r, 0xff))
         continue;
      strbuf_printf(&o->s, "%s\"%u\": ", comma, r);
      register_dwords(o, v, r);
      comma = ", ";
   }
   strbuf_puts(&o->s, "}}");
}

static void
steps(struct out *o, const struct trace_options *options,
      struct trace_view *v)
{
   void *data[] = { o, v };
   const uint32_t num = v->thread->head.num_steps;
   strbuf_puts(&o->s, ", \"steps\": [");
   for (uint32_t i = 0; options->has_steps && i < options->steps[1]; i++) {
      if (options->steps[0] + (uint64_t)i < num)
         step(data, options->steps[0] + i);
   }
   if (options->writer || options->readers)
      trace_query_steps(options, v, step, data);
   strbuf_puts(&o->s, "]");
}

static void
registers(struct out *o, struct trace_view *v, uint32_t after)
{
   trace_view_go(v, after);
   strbuf_printf(&o->s, ", \"after\": %u, \"registers\": [", v->now);
   for (unsigned r = 0; r < TRACE_NUM_REGISTERS; r++) {
      strbuf_puts(&o->s, r ? ",\n" : "");
      register_dwords(o, v, r);
   }
   strbuf_puts(&o->s, "]");
}

static void
first_thread(struct out *o, const struct trace_options *options,
             const struct trace_file_thread *t)
{
   struct trace_view v;
   trace_view_init(&v, o->f, t);
   strbuf_puts(&o->s, "{\"thread\": ");
   thread(o, t);
   if (options->has_registers)
      registers(o, &v, options->after);
   else
      steps(o, options, &v);
   strbuf_puts(&o->s, "}\n");
   trace_view_finish(&v);
}

static int
threads(struct out *o, const struct trace_options *options)
{
   const bool one = trace_wants_one_thread(options);
   if (!one)
      strbuf_puts(&o->s, "{\"threads\": [");
   util_dynarray_foreach(&o->f->threads, struct trace_file_thread, t) {
      if (trace_thread_matches(options, t) < 0)
         continue;
      if (one) {
         first_thread(o, options, t);
         return TOOL_EXIT_OK;
      }
      next(o);
      thread(o, t);
   }
   if (!one) {
      strbuf_puts(&o->s, "]}\n");
      return TOOL_EXIT_OK;
   }
   fprintf(stderr, "saffron trace: %s: no such thread is in the file\n",
           options->file);
   return TOOL_EXIT_BAD_INPUT;
}

/* NIR and EU of a program, with lines, as the compiler printed them; null:
 * nobody has noted it. */
static void
listing(struct out *o, const struct trace_options *options)
{
   const uint64_t hash = strtoull(options->listing, NULL, 16);
   const struct trace_note *n = hash_table_get(&o->notes->notes, hash);
   strbuf_puts(&o->s, "{\"listing\": ");
   if (n)
      json_string(&o->s, n->listing, n->listing_B);
   else
      strbuf_puts(&o->s, "null");
   strbuf_puts(&o->s, "}\n");
}

static void
accesses(struct out *o, const struct trace_options *options)
{
   static const char *const names[] = { TRACE_CLIENT_NAMES };
   strbuf_puts(&o->s, "{\"accesses\": [");
   util_dynarray_foreach(&options->accesses, struct trace_access, a) {
      next(o);
      strbuf_printf(&o->s,
                    "{\"draw\": %d, \"client\": \"%s\", \"write\": %s, "
                    "\"address\": \"0x%012" PRIx64 "\", \"bytes\": %" PRIu64
                    "}",
                    (int)a->draw, names[a->client],
                    a->is_write ? "true" : "false", a->address, a->size_B);
   }
   strbuf_puts(&o->s, "]}\n");
}

int
trace_query_json(const struct trace_options *options,
                 const struct trace_file *f)
{
   struct out o = { .f = f, .notes = &options->notes, .comma = "" };
   int result = TOOL_EXIT_OK;
   if (options->watch.size_B)
      accesses(&o, options);
   else if (options->listing)
      listing(&o, options);
   else if (options->pictures_px)
      pictures(&o);
   else if (options->has_history)
      history(&o, options);
   else if (options->commands)
      commands(&o, options->full);
   else if (trace_wants_threads(options))
      result = threads(&o, options);
   else
      list(&o);
   flush(&o);
   return result;
}
