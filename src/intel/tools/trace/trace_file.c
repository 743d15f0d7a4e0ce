/* SPDX-License-Identifier: MIT */
#include "trace_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* More than a GPU's objects have. */
#define MAX_OBJECT_B (1ull << 40)

/* The rest of a payload, or of the file. */
struct cursor {
   struct trace_file *t;
   struct trace_file_error *error;
   const uint8_t *at, *end;
};

static bool fail(struct cursor *c, const char *fmt, ...) PRINTFLIKE(2, 3);

static bool
fail(struct cursor *c, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(c->error->text, sizeof(c->error->text), fmt, ap);
   va_end(ap);
   c->error->at_B = (size_t)(c->at - (const uint8_t *)c->t->bytes.data);
   return false;
}

static bool
take(struct cursor *c, void *out, size_t size_B, const char *what)
{
   if ((size_t)(c->end - c->at) < size_B) {
      fail(c, "%s ends after %zu of %zu bytes", what,
           (size_t)(c->end - c->at), size_B);
      return false;
   }
   memcpy(out, c->at, size_B);
   c->at += size_B;
   return true;
}

static bool
skip(struct cursor *c, uint64_t size_B, const char *what)
{
   if ((uint64_t)(c->end - c->at) < size_B)
      return fail(c, "%s ends after %zu of %" PRIu64 " bytes", what,
                  (size_t)(c->end - c->at), size_B);
   c->at += size_B;
   return true;
}

static bool
add_event(struct cursor *c, enum trace_type type, size_t least_B,
          uint32_t number, const char *what)
{
   const struct trace_file_event e = {
      .type = type,
      .payload = c->at,
      .size_B = (uint32_t)(c->end - c->at),
      .number = number,
   };
   if (e.size_B < least_B)
      return fail(c, "%s of %u bytes", what, e.size_B);
   util_dynarray_append(&c->t->events, struct trace_file_event, e);
   return true;
}

static bool
parse_command(struct cursor *c)
{
   const size_t size_B = (size_t)(c->end - c->at);
   if (size_B % 4)
      return fail(c, "a command of %zu bytes", size_B);
   c->t->num_commands++;
   return add_event(c, TRACE_COMMAND, sizeof(struct trace_command) + 4, 0,
                    "a command");
}

static bool
parse_draw(struct cursor *c)
{
   struct trace_file *t = c->t;
   const uint32_t number =
      (uint32_t)util_dynarray_num_elements(&t->draws, struct trace_file_draw);
   struct trace_file_draw d = {
      .number = t->head.first_draw + number,
      .batch = t->head.first_batch + t->num_batches - 1,
      .first_thread = (uint32_t)util_dynarray_num_elements(
         &t->threads, struct trace_file_thread),
   };
   if (!t->num_batches)
      return fail(c, "a draw without a batch");
   if (!add_event(c, TRACE_DRAW, sizeof(d.head), number, "a draw") ||
       !take(c, &d.head, sizeof(d.head), "a draw"))
      return false;
   util_dynarray_append(&t->draws, struct trace_file_draw, d);
   return true;
}

static bool
parse_program(struct cursor *c)
{
   struct trace_program p;
   if (!take(c, &p, sizeof(p), "a program"))
      return false;
   struct trace_file_program *program = calloc(1, sizeof(*program));
   if (!program || hash_table_has(&c->t->programs, p.hash)) {
      free(program);
      return fail(c, "program %016" PRIx64 " is there twice", p.hash);
   }
   program->hash = p.hash;
   program->bytes = c->at;
   program->size_B = (uint32_t)(c->end - c->at);
   hash_table_insert(&c->t->programs, p.hash, program);
   return true;
}

static bool
parse_changes(struct cursor *c, uint32_t n)
{
   for (uint32_t i = 0; i < n; i++) {
      struct trace_change change;
      if (!take(c, &change, sizeof(change), "a register's change"))
         return false;
      if (change.reg >= TRACE_NUM_REGISTERS)
         return fail(c, "register number %u", change.reg);
      if (!skip(c, 4 * (unsigned)__builtin_popcount(change.mask),
                "a register's change"))
         return false;
   }
   return true;
}

static bool
parse_steps(struct cursor *c, const struct trace_file_thread *t)
{
   for (uint32_t i = 0; i < t->head.num_steps; i++) {
      struct trace_step step;
      if (!take(c, &step, sizeof(step), "an instruction"))
         return false;
      if (step.ip_B % 8 || step.ip_B >= t->program->size_B)
         return fail(c, "an instruction at 0x%x of a program of %u bytes",
                     step.ip_B, t->program->size_B);
      if (!parse_changes(c, step.num_changes))
         return false;
   }
   return true;
}

static bool
parse_thread(struct cursor *c)
{
   struct trace_file *t = c->t;
   struct trace_file_thread thread;
   const size_t draws =
      util_dynarray_num_elements(&t->draws, struct trace_file_draw);
   if (!take(c, &thread.head, sizeof(thread.head), "a thread"))
      return false;
   const struct trace_thread *h = &thread.head;
   thread.program = hash_table_get(&t->programs, h->program);
   if (!thread.program)
      return fail(c, "a thread of program %016" PRIx64 ", which is not there",
                  h->program);
   if (h->stage >= TRACE_NUM_STAGES)
      return fail(c, "a thread of stage %u", h->stage);
   if (!draws || h->draw != t->head.first_draw + draws - 1)
      return fail(c, "a thread of draw %u among those of draw %zu", h->draw,
                  t->head.first_draw + draws - 1);
   thread.items = c->at;
   if (!skip(c, h->num_items * sizeof(struct trace_item), "a thread"))
      return false;
   thread.initial = c->at;
   if (!parse_changes(c, h->num_initial))
      return false;
   thread.steps = c->at;
   if (!parse_steps(c, &thread))
      return false;
   thread.end = c->at;
   if (c->at != c->end)
      return fail(c, "%zu bytes after a thread", (size_t)(c->end - c->at));
   util_dynarray_append(&t->threads, struct trace_file_thread, thread);
   util_dynarray_element(&t->draws, struct trace_file_draw, draws - 1)
      ->num_threads++;
   return true;
}

static bool
parse_shader(struct cursor *c)
{
   struct trace_shader s;
   if (!take(c, &s, sizeof(s), "a shader's counters"))
      return false;
   if (s.stage >= TRACE_NUM_STAGES)
      return fail(c, "a shader of stage %u", s.stage);
   util_dynarray_append(&c->t->shaders, struct trace_shader, s);
   return true;
}

static bool
parse_draw_end(struct cursor *c)
{
   struct trace_file *t = c->t;
   const size_t draws =
      util_dynarray_num_elements(&t->draws, struct trace_file_draw);
   if (!draws)
      return fail(c, "the end of a draw without the draw");
   struct trace_file_draw *d =
      util_dynarray_element(&t->draws, struct trace_file_draw, draws - 1);
   d->has_end = true;
   return take(c, &d->end, sizeof(d->end), "a draw's end");
}

static bool
parse_pages(struct cursor *c, const struct trace_memory *m)
{
   while (c->at < c->end) {
      struct trace_page p;
      if (!take(c, &p, sizeof(p), "a page"))
         return false;
      const uint64_t at_B = (uint64_t)p.page * TRACE_PAGE_B;
      const unsigned last = p.lines ? 63u - (unsigned)__builtin_clzll(p.lines)
                                    : 0;
      if (at_B >= m->size_B || m->size_B - at_B <= last * TRACE_LINE_B)
         return fail(c, "page %u of an object of %" PRIu64 " bytes", p.page,
                     m->size_B);
      if (!skip(c, (unsigned)__builtin_popcountll(p.lines) * TRACE_LINE_B,
                "a page"))
         return false;
   }
   return true;
}

static bool
parse_memory(struct cursor *c)
{
   struct trace_file *t = c->t;
   struct trace_file_memory m;
   const size_t n = util_dynarray_num_elements(&t->objects, uint64_t);
   if (!take(c, &m.head, sizeof(m.head), "memory"))
      return false;
   const uint64_t size_B = m.head.size_B;
   if (!size_B || size_B > MAX_OBJECT_B || m.head.object > n ||
       (m.head.object < n && *util_dynarray_element(&t->objects, uint64_t,
                                                    m.head.object) != size_B))
      return fail(c, "object %u of %" PRIu64 " bytes", m.head.object, size_B);
   if (m.head.object == n)
      util_dynarray_append(&t->objects, uint64_t, size_B);
   m.pages = c->at;
   m.end = c->end;
   if (!parse_pages(c, &m.head))
      return false;
   util_dynarray_append(&t->memory, struct trace_file_memory, m);
   return true;
}

static bool
parse_job(struct cursor *c)
{
   struct trace_file *t = c->t;
   const size_t n = util_dynarray_num_elements(&t->objects, uint64_t);
   struct trace_file_job job = {
      .end_memory = (uint32_t)util_dynarray_num_elements(
         &t->memory, struct trace_file_memory),
      .first_draw = t->head.first_draw +
                    (uint32_t)util_dynarray_num_elements(
                       &t->draws, struct trace_file_draw),
   };
   if (!take(c, &job.head, sizeof(job.head), "a job"))
      return false;
   job.places = c->at;
   if (util_dynarray_num_elements(&t->jobs, struct trace_file_job) !=
       t->num_batches)
      return fail(c, "a job without a batch");
   if (job.head.context >= n || job.head.curbe >= n)
      return fail(c, "a job of objects that are not there");
   for (uint32_t i = 0; i < job.head.num_places; i++) {
      struct trace_place place;
      if (!take(c, &place, sizeof(place), "a job"))
         return false;
      if (place.object >= n)
         return fail(c, "object %u is not there", place.object);
   }
   util_dynarray_append(&t->jobs, struct trace_file_job, job);
   return true;
}

/* The batch of the job before it. */
static bool
parse_batch(struct cursor *c)
{
   struct trace_file *t = c->t;
   struct trace_batch b;
   const size_t jobs =
      util_dynarray_num_elements(&t->jobs, struct trace_file_job);
   if (!add_event(c, TRACE_BATCH, sizeof(b), t->num_batches, "a batch"))
      return false;
   memcpy(&b, c->at, sizeof(b));
   if (b.engine > 1)
      return fail(c, "a batch of engine %u", b.engine);
   if (jobs && jobs != t->num_batches + 1)
      return fail(c, "a batch without its job");
   if (jobs) {
      struct trace_file_job *job =
         util_dynarray_element(&t->jobs, struct trace_file_job, jobs - 1);
      job->engine = b.engine;
      job->address = b.address;
   }
   t->num_batches++;
   return true;
}

static bool
parse_pixel(struct cursor *c)
{
   struct trace_pixel p;
   if (!take(c, &p, sizeof(p), "an event of a pixel"))
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (p.component[i] != ~0u &&
          p.component[i] >= TRACE_ACC * TRACE_REGISTER_DW)
         return fail(c, "a colour in dword %u", p.component[i]);
   }
   if (p.kind >= TRACE_PIXEL_KINDS || !trace_file_find_draw(c->t, p.draw))
      return fail(c, "event %u of a pixel in draw %u", p.kind, p.draw);
   util_dynarray_append(&c->t->pixels, struct trace_pixel, p);
   return true;
}

static bool
parse_picture(struct cursor *c)
{
   struct trace_file_picture p;
   if (!take(c, &p.head, sizeof(p.head), "a picture"))
      return false;
   p.rgba = c->at;
   if (!p.head.width || !p.head.height ||
       (uint64_t)p.head.width * p.head.height * 4 !=
          (uint64_t)(c->end - c->at))
      return fail(c, "a picture of %u by %u pixels in %zu bytes",
                  p.head.width, p.head.height, (size_t)(c->end - c->at));
   util_dynarray_append(&c->t->pictures, struct trace_file_picture, p);
   return true;
}

static bool
parse_profile(struct cursor *c)
{
   struct trace_file *t = c->t;
   struct trace_file_profile p;
   if (!take(c, &p.head, sizeof(p.head), "a profile"))
      return false;
   p.program = hash_table_get(&t->programs, p.head.program);
   if (!p.program || p.head.stage >= TRACE_NUM_STAGES ||
       !trace_file_find_draw(t, p.head.draw))
      return fail(c, "a profile of program %016" PRIx64 " in draw %u",
                  p.head.program, p.head.draw);
   p.costs = c->at;
   for (uint32_t i = 0; i < p.head.num_costs; i++) {
      struct trace_cost cost;
      if (!take(c, &cost, sizeof(cost), "a profile"))
         return false;
      if (cost.ip_B % 8 || cost.ip_B >= p.program->size_B)
         return fail(c, "a cost at 0x%x of a program of %u bytes", cost.ip_B,
                     p.program->size_B);
   }
   util_dynarray_append(&t->profiles, struct trace_file_profile, p);
   return true;
}

static bool
parse_record(struct cursor *c, uint32_t type)
{
   switch (type) {
   case TRACE_BATCH: return parse_batch(c);
   case TRACE_MEMORY: return parse_memory(c);
   case TRACE_JOB: return parse_job(c);
   case TRACE_DRAW_END: return parse_draw_end(c);
   case TRACE_PIXEL: return parse_pixel(c);
   case TRACE_PICTURE: return parse_picture(c);
   case TRACE_PROFILE: return parse_profile(c);
   case TRACE_COMMAND: return parse_command(c);
   case TRACE_DRAW: return parse_draw(c);
   case TRACE_PROGRAM: return parse_program(c);
   case TRACE_THREAD: return parse_thread(c);
   case TRACE_REPORT: return add_event(c, TRACE_REPORT, 0, 0, "a report");
   case TRACE_MARK:
      return add_event(c, TRACE_MARK, 0, c->t->num_batches, "a mark");
   case TRACE_SHADER: return parse_shader(c);
   default: return fail(c, "unknown record type %u", type);
   }
}

static bool
parse_header(struct cursor *c)
{
   struct trace_file *t = c->t;
   if (!take(c, &t->head, sizeof(t->head), "the header"))
      return false;
   c->at -= sizeof(t->head);
   if (memcmp(t->head.magic, TRACE_MAGIC, sizeof(t->head.magic)))
      return fail(c, "no trace file");
   if (t->head.version != TRACE_VERSION)
      return fail(c, "a trace of version %u; this reads version %u",
                  t->head.version, TRACE_VERSION);
   switch (t->head.verx10) {
   case 70: t->gen = ISA_IVB; break;
   case 75: t->gen = ISA_HSW; break;
   case 80: t->gen = ISA_BDW; break;
   case 90: t->gen = ISA_SKL; break;
   default: return fail(c, "unknown generation %u", t->head.verx10);
   }
   c->at += sizeof(t->head);
   return true;
}

/* Of a program that was killed while it wrote its last record. */
static bool
ends_too_soon(struct cursor *c, const uint8_t *record)
{
   c->at = record;
   c->error->cut = true;
   return fail(c,
               "the file ends in the middle of a record of which it has "
               "%zu bytes",
               (size_t)(c->end - record));
}

bool
trace_file_parse(struct trace_file *t, struct trace_file_error *error)
{
   struct cursor c = { .t = t, .error = error, .at = t->bytes.data };
   *error = (struct trace_file_error) { 0 };
   c.end = c.at + t->bytes.size_B;
   if (!parse_header(&c))
      return false;
   while (c.at < c.end) {
      struct trace_record r;
      const uint8_t *start = c.at;
      if (!take(&c, &r, sizeof(r), "a record's head"))
         return ends_too_soon(&c, start);
      struct cursor payload = c;
      if (!skip(&c, r.size_B, "a record"))
         return ends_too_soon(&c, start);
      payload.end = c.at;
      if (!parse_record(&payload, r.type))
         return false;
   }
   return true;
}

void
trace_file_close(struct trace_file *t)
{
   hash_table_foreach(&t->programs, e)
      free(e->data);
   hash_table_finish(&t->programs);
   util_dynarray_fini(&t->bytes);
   util_dynarray_fini(&t->events);
   util_dynarray_fini(&t->draws);
   util_dynarray_fini(&t->threads);
   util_dynarray_fini(&t->shaders);
   util_dynarray_fini(&t->memory);
   util_dynarray_fini(&t->jobs);
   util_dynarray_fini(&t->objects);
   util_dynarray_fini(&t->pixels);
   util_dynarray_fini(&t->pictures);
   util_dynarray_fini(&t->profiles);
}

struct trace_cost
trace_file_cost(const struct trace_file_profile *p, uint32_t i)
{
   struct trace_cost cost;
   memcpy(&cost, p->costs + i * sizeof(cost), sizeof(cost));
   return cost;
}

const struct trace_file_draw *
trace_file_find_draw(const struct trace_file *t, uint32_t number)
{
   const uint32_t i = number - t->head.first_draw;
   if (number < t->head.first_draw ||
       i >= util_dynarray_num_elements(&t->draws, struct trace_file_draw))
      return NULL;
   return util_dynarray_element(&t->draws, struct trace_file_draw, i);
}

struct trace_item
trace_file_item(const struct trace_file_thread *t, unsigned i)
{
   struct trace_item item;
   memcpy(&item, t->items + i * sizeof(item), sizeof(item));
   return item;
}

const uint8_t *
trace_file_change(const uint8_t *at, struct trace_change *change,
                  uint32_t registers[TRACE_NUM_REGISTERS][TRACE_REGISTER_DW])
{
   memcpy(change, at, sizeof(*change));
   at += sizeof(*change);
   for (unsigned i = 0; i < TRACE_REGISTER_DW; i++) {
      if (!(change->mask >> i & 1))
         continue;
      if (registers)
         memcpy(&registers[change->reg][i], at, 4);
      at += 4;
   }
   return at;
}

const uint8_t *
trace_file_step(const uint8_t *at, struct trace_step *step,
                const uint8_t **changes)
{
   memcpy(step, at, sizeof(*step));
   at += sizeof(*step);
   *changes = at;
   for (uint32_t i = 0; i < step->num_changes; i++) {
      struct trace_change change;
      at = trace_file_change(at, &change, NULL);
   }
   return at;
}
