/* SPDX-License-Identifier: MIT */
/* Options, reports and life of the strict mode: see strict.h. */
#include "strict_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/environment.h"

const char strict_stage_names[STRICT_STAGES][3] = { "VS", "HS", "DS", "GS",
                                                    "PS" };

/* A word of the list: an id, the start of some ("PC"), or "all"; false if
 * there is no such rule. */
static bool
set_rules(struct sim_strict *s, const char *word, size_t size, bool to)
{
   bool found = false;
   const bool all = size == 3 && !strncmp(word, "all", 3);
   for (unsigned i = 0; i < STRICT_RULES; i++) {
      const struct strict_rule_info *r = &strict_rules[i];
      if (!all && strncmp(r->id, word, size))
         continue;
      found = true;
      s->enabled[i] = to && r->enforced && (r->gens & s->chip->gen);
   }
   return found && size;
}

/* "PC,CO-20" is these alone, "-PC-08" all but that. */
static bool
parse_rules(struct sim_strict *s, const char *list)
{
   const bool all = !list || !*list || *list == '-';
   set_rules(s, "all", 3, all);
   for (const char *w = list; w && *w;) {
      const bool off = *w == '-';
      const char *end = strchrnul(w, ',');
      if (!set_rules(s, w + off, (size_t)(end - w) - off, !off)) {
         fprintf(stderr,
                 "saffron: no simulated GPU: SAFFRON_SIM_RULES: there is "
                 "no rule '%.*s'\n",
                 (int)(end - w), w);
         return false;
      }
      w = *end ? end + 1 : end;
   }
   return true;
}

/* SAFFRON_SIM_STRICT_LOG=FILE, to which processes append. */
static void
open_log(struct sim_strict *s)
{
   const char *name = environment_get("SAFFRON_SIM_STRICT_LOG");
   s->log_fd =
      name ? open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
   if (name && s->log_fd < 0)
      fprintf(stderr, "saffron: SAFFRON_SIM_STRICT_LOG: %s: %s\n", name,
              strerror(errno));
   if (s->log_fd < 0)
      return;
   const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
   const ssize_t n = fd < 0 ? 0
                            : read(fd, s->program, sizeof(s->program) - 1);
   for (ssize_t i = 0; i < n; i++)
      s->program[i] = s->program[i] < ' ' ? ' ' : s->program[i];
   if (fd >= 0)
      close(fd);
}

/* A line of what the simulator's own reports say, and of which program. */
static void
write_log(const struct sim_strict *s, const char *text)
{
   char line[1400];
   const int n = snprintf(line, sizeof(line), "%s\t%s\n", text, s->program);
   if (n > 0 && write(s->log_fd, line, MIN2((size_t)n, sizeof(line) - 1)) < 0)
      fprintf(stderr, "saffron: SAFFRON_SIM_STRICT_LOG: %s\n",
              strerror(errno));
}

struct sim_strict *
sim_strict_create(struct sim_gpu *gpu)
{
   const char *mode = environment_get("SAFFRON_SIM_STRICT");
   if (!mode || !*mode)
      return NULL;
   const bool fault = !strcmp(mode, "fault");
   if (!fault && strcmp(mode, "report")) {
      fprintf(stderr,
              "saffron: no simulated GPU: SAFFRON_SIM_STRICT is 'report' "
              "or 'fault', not '%s'\n",
              mode);
      return NULL;
   }
   struct sim_strict *s = calloc(1, sizeof(*s));
   if (!s)
      return NULL;
   s->gpu = gpu;
   s->chip = strict_chip_of(gpu->info);
   s->fault = fault;
   s->log_fd = -1;
   pthread_mutex_init(&s->lock, NULL);
   if (!parse_rules(s, environment_get("SAFFRON_SIM_RULES"))) {
      pthread_mutex_destroy(&s->lock);
      free(s);
      return NULL;
   }
   open_log(s);
   strict_threads_init(s);
   return s;
}

void
sim_strict_destroy(struct sim_strict *s)
{
   if (!s)
      return;
   for (unsigned i = 0; i < STRICT_RULES; i++) {
      if (s->untold[i])
         sim_gpu_report(s->gpu, "strict: %s: %u more", strict_rules[i].id,
                        s->untold[i]);
   }
   if (s->log_fd >= 0)
      close(s->log_fd);
   pthread_mutex_destroy(&s->lock);
   sim_thread_rules_finish(&s->threads);
   free(s->places);
   free(s);
}

struct strict_context *
sim_strict_context_create(void)
{
   return calloc(1, sizeof(struct strict_context));
}

void
sim_strict_context_destroy(struct strict_context *c)
{
   free(c);
}

/* Whether `hash` was there; else it is now. Without memory nothing is
 * remembered, and a place may be told twice. */
static bool
seen_before(struct sim_strict *s, uint64_t hash)
{
   hash |= 1;
   if (s->num_places * 2 >= s->room) {
      const unsigned room = s->room ? 2 * s->room : 256;
      uint64_t *places = calloc(room, sizeof(*places));
      if (!places)
         return false;
      for (unsigned i = 0; i < s->room; i++) {
         unsigned at = (unsigned)(s->places[i] >> 8) % room;
         while (s->places[i] && places[at])
            at = (at + 1) % room;
         if (s->places[i])
            places[at] = s->places[i];
      }
      free(s->places);
      s->places = places;
      s->room = room;
   }
   unsigned at = (unsigned)(hash >> 8) % s->room;
   for (; s->places[at]; at = (at + 1) % s->room) {
      if (s->places[at] == hash)
         return true;
   }
   s->places[at] = hash;
   s->num_places++;
   return false;
}

/* True if this place (which is where, and what) of the rule is to be told. */
static bool
tell(struct sim_strict *s, enum strict_rule rule, uint64_t place)
{
   const uint64_t hash = (place * 0x9e3779b97f4a7c15ull ^ rule) *
                         0xbf58476d1ce4e5b9ull;
   pthread_mutex_lock(&s->lock);
   const bool is_new = !seen_before(s, hash);
   const bool told = is_new && s->told[rule] < STRICT_PLACES_TOLD;
   if (told)
      s->told[rule]++;
   else
      s->untold[rule]++;
   pthread_mutex_unlock(&s->lock);
   return told;
}

bool
strict_broken_in(struct sim_strict *s, enum strict_rule rule, uint64_t place,
                 const char *where, const char *text)
{
   const struct strict_rule_info *r = &strict_rules[rule];
   char line[1000];
   if (!tell(s, rule, place))
      return s->fault;
   snprintf(line, sizeof(line),
            "strict: %s (%s): %s: %s%s%s; needed: %s; source: %s", r->id,
            s->gpu->info->name, where, r->title, *text ? ": " : "", text,
            r->missing, r->source);
   sim_gpu_report(s->gpu, "%s", line);
   if (s->log_fd >= 0)
      write_log(s, line);
   return s->fault;
}

void
strict_broken_at(struct strict_command *c, enum strict_rule rule,
                 uint64_t place, const char *fmt, ...)
{
   char text[384], where[96];
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   snprintf(where, sizeof(where), "%s at 0x%012" PRIx64, c->group->name,
            c->cs->ip);
   c->stop |= strict_broken_in(c->s, rule, place, where, text);
}

void
strict_broken(struct strict_command *c, enum strict_rule rule,
              const char *fmt, ...)
{
   char text[384];
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   uint64_t place = c->cs->ip;
   for (const char *t = text; *t; t++)
      place = place * 31 + (uint8_t)*t;
   strict_broken_at(c, rule, place, "%s", text);
}
