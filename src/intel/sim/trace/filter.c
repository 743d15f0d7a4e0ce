/* SPDX-License-Identifier: MIT */
/* SAFFRON_SIM_TRACE_FILTER: see trace.h. */
#include "trace.h"

static const char *const stage_names[] = { TRACE_STAGE_NAMES };
static_assert(ARRAY_SIZE(stage_names) == TRACE_NUM_STAGES, "a name each");

enum trace_stage
sim_trace_stage(const char *name, size_t length)
{
   for (unsigned i = 0; i < TRACE_NUM_STAGES; i++) {
      if (strlen(stage_names[i]) == length &&
          !strncmp(name, stage_names[i], length))
         return (enum trace_stage)i;
   }
   return TRACE_NUM_STAGES;
}

#define MAX_PICTURE_PX 16384

struct parser {
   const char *text, *p;
   const char *what; /* that was expected at p; NULL: all is well */
};

static uint64_t
number(struct parser *s, uint64_t max)
{
   const char *start = s->p;
   uint64_t v = 0;
   for (; *s->p >= '0' && *s->p <= '9' && v <= max; s->p++)
      v = 10 * v + (uint64_t)(*s->p - '0');
   if (!s->what && (s->p == start || v > max)) {
      s->what = s->p == start ? "a number" : "a smaller number";
      s->p = start;
   }
   return v;
}

static bool
take(struct parser *s, const char *word)
{
   const size_t n = strlen(word);
   if (s->what || strncmp(s->p, word, n))
      return false;
   s->p += n;
   return true;
}

static void
parse_word(struct parser *s, struct sim_trace_filter *f)
{
   const size_t length = strcspn(s->p, ",");
   const enum trace_stage stage = sim_trace_stage(s->p, length);
   if (stage != TRACE_NUM_STAGES) {
      f->stages |= 1u << stage;
      s->p += length;
   } else if (take(s, "draw=")) {
      f->first_draw = f->last_draw = (uint32_t)number(s, UINT32_MAX);
      if (take(s, "-"))
         f->last_draw = (uint32_t)number(s, UINT32_MAX);
   } else if (take(s, "pixel=")) {
      f->has_pixel = true;
      f->x = (int)number(s, INT16_MAX);
      if (!s->what && !take(s, ":"))
         s->what = "':' and the pixel's row";
      f->y = (int)number(s, INT16_MAX);
   } else if (take(s, "thread=")) {
      f->has_number = true;
      f->number = (uint32_t)number(s, UINT32_MAX);
   } else if (take(s, "threads=")) {
      f->max_threads = number(s, UINT32_MAX);
   } else if (take(s, "size=")) {
      f->max_size_B = number(s, UINT32_MAX) << 20;
   } else if (take(s, "pictures=")) {
      f->pictures_px = (uint32_t)number(s, MAX_PICTURE_PX);
   } else if (take(s, "profile")) {
      f->profile = true;
   } else if (take(s, "memory")) {
      f->memory = true;
   } else if (take(s, "nocommands")) {
      f->no_commands = true;
   } else {
      s->what = "vs, hs, ds, gs, fs, cs, draw=, pixel=, thread=, threads=, "
                "size=, pictures=, memory, profile or nocommands";
   }
}

bool
sim_trace_filter_parse(const char *text, struct sim_trace_filter *f,
                       unsigned *at, const char **what)
{
   struct parser s = { .text = text, .p = text };
   *f = (struct sim_trace_filter) {
      .last_draw = UINT32_MAX,
      .max_threads = UINT64_MAX,
      .max_size_B = 1ull << 30,
   };
   while (text && *s.p && !s.what) {
      parse_word(&s, f);
      if (s.what || !*s.p)
         break;
      if (!take(&s, ","))
         s.what = "a comma";
   }
   if (!f->stages)
      f->stages = f->has_pixel ? 1u << TRACE_FS
                               : BITFIELD_MASK(TRACE_NUM_STAGES);
   *at = (unsigned)(s.p - text);
   *what = s.what;
   return !s.what;
}
