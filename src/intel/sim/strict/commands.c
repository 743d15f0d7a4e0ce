/* SPDX-License-Identifier: MIT */
/* Which checks look at which command. */
#include "strict_private.h"

#include <stdio.h>

#include "intel/genxml/genxml_bits.h"
#include "intel/sim/gen/traits.h"
#include "util/hash_table.h"
#include "util/thread_memory.h"

#define MAX_LOOKS 6

/* Of a generation, in the order of spec->commands. */
struct looks {
   void (*of[STRICT_MAX_COMMANDS][MAX_LOOKS])(struct strict_command *c);
};

static struct looks looks[ISA_GEN_COUNT];
static pthread_once_t looks_once = PTHREAD_ONCE_INIT;

static void
check_pipe_control(struct strict_command *c)
{
   strict_pipe_control(c);
}

static const struct strict_row own_rows[] = {
   { "PIPE_CONTROL", false, check_pipe_control },
   { NULL, false, NULL },
};

static void
add_rows(struct looks *l, const struct genxml_spec *spec,
         const struct strict_row *rows)
{
   for (const struct strict_row *r = rows; r->name; r++) {
      const size_t size = strlen(r->name) + !r->prefix;
      for (unsigned i = 0; i < spec->num_commands; i++) {
         if (strncmp(spec->commands[i].name, r->name, size))
            continue;
         unsigned at = 0;
         while (l->of[i][at])
            at++;
         assert(at < MAX_LOOKS);
         l->of[i][at] = r->look;
      }
   }
}

static void
init_looks(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(looks); i++) {
      const struct genxml_spec *spec =
         genxml_spec_get(isa_gen_number((enum isa_gen)i));
      assert(spec->num_commands <= STRICT_MAX_COMMANDS);
      add_rows(&looks[i], spec, own_rows);
      add_rows(&looks[i], spec, strict_select_rows);
      add_rows(&looks[i], spec, strict_draw_rows);
      add_rows(&looks[i], spec, strict_compute_rows);
      add_rows(&looks[i], spec, strict_resource_rows);
      add_rows(&looks[i], spec, strict_fixed_rows);
      add_rows(&looks[i], spec, strict_pixel_rows);
      add_rows(&looks[i], spec, strict_limit_rows);
      add_rows(&looks[i], spec, strict_register_rows);
      add_rows(&looks[i], spec, strict_uninitialised_rows);
   }
}

/*
 * Groups and fields by name. Each draw asks for two hundred of them, always
 * the same: so what was found, or not, is remembered, by a hash.
 */

struct named {
   const struct genxml_group *g;
   const struct genxml_field *f;
};

struct found {
   const struct genxml_spec *spec; /* NULL: free */
   uint64_t hash;
   struct named is;
   char name[64]; /* group, and after a point the field */
};

static bool
is_named(const struct found *e, const char *group, const char *field)
{
   const size_t n = strlen(group);
   return !strncmp(e->name, group, n) && e->name[n] == '.' &&
          !strcmp(e->name + n + 1, field);
}

/* Places of a thread's table. */
#define FOUND 512

/* `field`: "" for the group alone. */
static struct named
find(const struct genxml_spec *spec, const char *group, const char *field)
{
   static _Thread_local void *slot;
   struct found *table = thread_memory(&slot, FOUND * sizeof(*table));
   struct found other = { 0 };
   const uint64_t h = util_hash_bytes(group, strlen(group)) +
                      3 * util_hash_bytes(field, strlen(field));
   struct found *e = table ? NULL : &other;
   for (unsigned i = 0; table && i < 8 && (!e || e->spec); i++) {
      e = &table[(h + i) % FOUND];
      if (e->spec == spec && e->hash == h && is_named(e, group, field))
         return e->is;
   }
   e->spec = spec;
   e->hash = h;
   e->is.g = genxml_find(spec, group);
   e->is.f = e->is.g && *field ? genxml_find_field(e->is.g, field) : NULL;
   snprintf(e->name, sizeof(e->name), "%s.%s", group, field);
   return e->is;
}

static uint64_t
get(const struct strict_command *c, const char *field, bool in_place)
{
   const struct genxml_field *f = find(c->cs->spec, c->group->name, field).f;
   if (!f || f->lo + f->bits > 32 * c->n)
      return 0;
   const unsigned hi = f->lo + f->bits - 1;
   return in_place ? genxml_get_offset(c->dw, f->lo, hi)
                   : genxml_get_uint(c->dw, f->lo, hi);
}

uint64_t
strict_get(const struct strict_command *c, const char *field)
{
   return get(c, field, false);
}

uint64_t
strict_address(const struct strict_command *c, const char *field)
{
   return get(c, field, true);
}

uint64_t
strict_state(const struct strict_command *c, const char *command,
             const char *field)
{
   const struct named e = find(c->cs->spec, command, field);
   const struct genxml_field *f = e.f;
   if (!f || f->lo + f->bits > 32 * STRICT_MAX_DWORDS)
      return 0;
   return genxml_get_uint(c->c->last[e.g - c->cs->spec->commands], f->lo,
                          f->lo + f->bits - 1u);
}

const uint32_t *
strict_last(const struct strict_command *c, const char *command)
{
   const struct genxml_group *g = find(c->cs->spec, command, "").g;
   return c->c->last[g - c->cs->spec->commands];
}

bool
strict_was_sent(const struct strict_command *c, const char *command)
{
   const struct genxml_group *g = find(c->cs->spec, command, "").g;
   return !g || c->c->seen[g - c->cs->spec->commands];
}

enum strict_stage
strict_stage_of(const struct strict_command *c)
{
   const char *end = c->group->name + strlen(c->group->name) - 2;
   unsigned i = 0;
   while (i < STRICT_STAGES && strcmp(end, strict_stage_names[i]))
      i++;
   return (enum strict_stage)i;
}

void
strict_work(struct strict_context *c)
{
   c->in_flight = c->worked = true;
   c->pc.stalled = false;
   c->stalled_since_draw = false;
   c->vs_ready = false;
   c->depth_ready = c->l3_ready = 0;
   c->flushed = c->invalid = 0;
   c->depth_stalled = false;
}

void
sim_strict_batch_end(struct sim_cs *cs)
{
   strict_watch_destroy(cs->watch.strict);
   cs->watch.strict = NULL;
}

void
sim_strict_batch_begin(struct sim_cs *cs)
{
   struct strict_context *c = cs->hw->strict;
   if (cs->engine == SIM_ENGINE_RENDER)
      cs->watch.strict = strict_watch_create(cs);
   memset(&c->pc, 0, sizeof(c->pc));
   c->in_flight = c->streamout_in_flight = c->worked = false;
   c->stalled_since_draw = true;
   c->vs_ready = false;
   c->depth_ready = c->l3_ready = 0;
   c->urb_sent = c->depth_sent = 0;
   c->depth_disorder = c->ps_allocated = false;
   c->flushed = c->invalid = c->base_wants = 0;
   c->num_stored = c->num_scratch = 0;
   c->restored = false;
   c->draws = STRICT_DRAWS_ENDED;
   c->color_open = STRICT_COLOR_DONE;
   c->walker_open = c->depth_stalled = c->hz_open = false;
   memset(c->vertex_range, 0, sizeof(c->vertex_range));
}

bool
sim_strict_command(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct strict_command c = {
      .s = cs->gpu->strict,
      .cs = cs,
      .c = cs->hw->strict,
      .group = cs->command,
      .dw = dw,
      .n = n,
   };
   if (cs->engine != SIM_ENGINE_RENDER)
      return true;
   pthread_once(&looks_once, init_looks);
   const struct looks *l = &looks[isa_gen_from_number(cs->spec->verx10)];
   const unsigned at = (unsigned)(cs->command - cs->spec->commands);
   if (cs->watch.strict && !strict_watch_command(cs->watch.strict))
      return false;
   if (!c.c->restored)
      strict_restore(&c);
   c.c->restored = true;
   strict_reserved(&c);
   strict_fields(&c);
   for (unsigned i = 0; i < MAX_LOOKS && l->of[at][i]; i++)
      l->of[at][i](&c);
   c.c->seen[at] = true;
   memcpy(c.c->last[at], dw, MIN2(n, STRICT_MAX_DWORDS) * sizeof(*dw));
   c.c->pc.last_directly = l->of[at][0] == check_pipe_control;
   return !c.stop;
}
