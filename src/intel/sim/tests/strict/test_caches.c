/* SPDX-License-Identifier: MIT */
/*
 * Which bytes are in which cache: sequences of accesses and PIPE_CONTROLs
 * that break a rule, or keep it. "w target" writes by the render cache,
 * "r texture" reads by the sampler; "other" after it is another line, "half"
 * the other half of the line. Each step is a command of its own; "s" writes
 * and reads in one. "k" uses a surface of some kind, "WALKER" is what the
 * steps after it belong to. "q" divides a quad by whole factors: of its edges
 * u = 0, v = 0, u = 1, v = 1, inside along u, along v.
 */
#include "intel/sim/strict/strict_private.h"
#include "intel/sim/mem/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strict_text.h"
#include "util/unit_test.h"

#define FLUSH "PC target depth data cs write;"
#define INVALIDATE "PC texture constant vf;"
#define ALL "ivb hsw bdw skl"

struct row {
   const char *rule, *gens, *broken, *kept;
};

static const struct row rows[] = {
   { "CC-04", ALL, "w target; r texture",
     "w target;" FLUSH INVALIDATE "LRM; r texture" },
   { "CC-04", ALL, "w target; PC target; r texture", "w target; r target" },
   { "CC-04", ALL, "w target; PC depth data cs write; LRM; r texture",
     "w target; PC target cs write; LRM; r texture" },
   /* The flush is lost beside a scoreboard stall. */
   { "CC-04", "ivb hsw bdw",
     "w target; PC target scoreboard cs write; LRM; r vertex",
     "w target; PC target; PC cs write; LRM; r vertex" },
   { "CC-04", "skl", "w target; PC scoreboard cs write; LRM; r vertex",
     "w target; PC target scoreboard cs write; LRM; r vertex" },
   /* A cache that had it keeps it. */
   { "CC-04", ALL, "r texture; w target;" FLUSH "LRM; r texture",
     "r texture; w target;" FLUSH INVALIDATE "LRM; r texture" },
   { "CC-04", ALL,
     "r constant; w target;" FLUSH "PC texture; LRM; r constant",
     "r constant other; w target;" FLUSH "LRM; r constant" },
   { "CC-04", ALL, "w target;" FLUSH "w target; r texture",
     "w target;" FLUSH "w target half; LRM; r texture" },
   { "CC-04", ALL, "w target; r commands",
     "w target; PC target cs;"
     "r commands" },
   /* Helper pixels may read anything, but fill the cache as others do. */
   { "CC-04", ALL, "r helper; w target;" FLUSH "LRM; r texture",
     "r texture; w target; r helper;" FLUSH INVALIDATE "LRM; r texture" },
   { "CC-05", ALL, "w depth; PC target cs write; LRM; r texture",
     "w depth; PC depth cs write; LRM; r texture" },
   { "CC-06", ALL, "w data; r vertex", "w data;" FLUSH "LRM; r vertex" },
   { "CC-06", ALL, "r vertex; w data; PC data cs write; LRM; r vertex",
     "r vertex; w data; PC data cs write; PC vf write; LRM; r vertex" },
   { "CC-06", ALL, "w data; PC data; r commands",
     "w data; PC data cs; r commands" },
   { "CC-06", ALL, "w data; r state", "w data; r data" },
   { "CC-07", ALL, "w streamout; r vertex", "w streamout; PC cs; r vertex" },
   { "CC-08", ALL, "w sync; r commands", "w sync; PC cs; r commands" },
   { "CC-08", ALL, "w sync; PC depth; w sync half; r commands",
     "w sync; PC depth; w sync half; PC cs; r commands" },
   { "CC-08", ALL, "w sync; PC target; r commands",
     "w commands;"
     "r commands" },
   { "CM-14", ALL, "r constant; w commands; r constant",
     "r constant; w commands; PC constant; r constant" },
   /* The data port has lines in L3, which commands pass by and the render
    * target cache does not. */
   { "CM-14", ALL, "r data; w commands; PC texture; r data",
     "r data; w commands; PC data cs; r data" },
   { "CM-14", ALL, "w data; w commands; r data",
     "r data; w commands; w data; r data" },
   { "CC-07", ALL, "r data; w streamout; PC cs; r data",
     "r data; w streamout; PC data cs; r data" },
   { "CC-04", ALL, "r data; w target; PC cs write; LRM; r data",
     "r data; w target; PC target cs write; LRM; r data" },
   { "CC-01", ALL,
     "r texture; w target; PC target cs write texture; LRM;"
     "r texture",
     "w target; PC target cs write texture; LRM; r texture" },
   { "CC-02", ALL, "w target; PC target cs; LRM; r texture",
     "w target; PC target cs; PC cs write; LRM; r texture" },
   { "CC-03", "hsw", "w target; PC target cs write; r texture",
     "w target; PC target cs write; LRM; r texture" },
   { "CC-16", ALL, "r state; w commands; PC texture; r state",
     "r state; w commands; PC texture; PC cs state scoreboard; r state" },
   { "CC-16", ALL, "r state; w commands; PC cs state scoreboard; r state",
     "r state other; w commands; r state" },
   { "CC-29", ALL, "r code; w commands; r code",
     "r code; w commands; PC cs code; r code" },
   { "CC-29", ALL, "r code; PC cs; w data;" FLUSH INVALIDATE "LRM; r code",
     "w data;" FLUSH "LRM; PC cs code; r code" },
   /* Between two walkers; two draws say nothing of order. */
   { "CC-22", ALL, "WALKER; w data; WALKER; r data",
     "WALKER; w data; PC data cs; WALKER; r data" },
   { "CC-22", ALL, NULL, "w data; r data" },
   { "CC-30", ALL, "r vertex; w data", "r vertex; PC cs; w data" },
   { "CC-30", ALL, "r texture; PC target; w target",
     "r texture; PC scoreboard; w target" },
   /* Kinds of surfaces at one address. */
   { "CC-13", ALL, "k target 0; k target 1",
     "k target 0; PC target cs; k target 1" },
   { "CC-13", ALL, NULL, "k target 1; k target 1" },
   { "CC-15", ALL, "k texture 3; k texture 2",
     "k texture 3; PC texture; k texture 2" },
   { "CC-31", "skl", "a 5x5; a packed", "a 5x5; PC texture cs; a packed" },
   { "CC-31", "skl", "a packed; PC constant cs; a 5x5",
     "a packed; a packed; PC texture cs; a 5x5; a 5x5" },
   { "FF-84", "skl", "l texture 0 4 target 2 1", "l texture 0 2 target 2 1" },
   { "FF-84", "skl", "l target 1 1 texture 1 1",
     "l texture 1 1 texture 1 1; l target 1 1 target 1 1" },
   { "FF-66", "bdw skl", "s depth texture",
     "w depth;" FLUSH INVALIDATE "LRM; r texture" },
   { "FF-43", "ivb hsw bdw", "q 1 3.1 1 3.4 3.7 1", "q 1 3.1 1 3.4 3.7 2" },
   { "FF-43", "ivb hsw bdw", "q 4 1 4 1 1 4", "q 4 1 5 1 1 4" },
   /* Below 1 is 1; a factor of an edge that is not positive culls. */
   { "FF-43", "ivb hsw bdw", "q 0.5 3.1 1 3.4 3.7 -1",
     "q -1 3.1 1 3.4 3.7 1" },
   { "FF-43", "ivb hsw bdw", NULL, "q 1 1 1 1 1 1; q 1 3 1 3 3 1.5" },
   { "CC-03", "ivb bdw skl", NULL,
     "w target; PC target cs write; r texture" },
};

static const char *const clients[SIM_CLIENTS] = {
   "target",  "depth",    "data",   "streamout", "commands", "sync",
   "texture", "constant", "vertex", "state",     "code",     "helper",
};

static enum sim_client
client_of(const char *name)
{
   for (unsigned i = 0; i < SIM_CLIENTS; i++) {
      if (!strcmp(clients[i], name))
         return (enum sim_client)i;
   }
   fail_msg("no client %s", name);
   return 0;
}

static struct genxml_group command;

static void
step(struct strict_watch *w, char *text)
{
   char *rest, *word = strtok_r(text, " ", &rest);
   if (!word)
      return;
   /* What comes after a walker is done by it. */
   if (!strcmp(word, "WALKER"))
      command.name = "GPGPU_WALKER";
   strict_watch_command(w);
   if (!strcmp(word, "WALKER"))
      return;
   if (!strcmp(word, "LRM")) {
      strict_watch_load(w);
      return;
   }
   if (!strcmp(word, "PC")) {
      uint32_t pc = 0;
      while ((word = strtok_r(NULL, " ", &rest)))
         pc |= strict_pc_bits(word);
      strict_watch_pipe_control(w, pc, true);
      return;
   }
   if (*word == 'q') {
      float f[6];
      for (unsigned i = 0; i < ARRAY_SIZE(f); i++)
         f[i] = strtof(strtok_r(NULL, " ", &rest), NULL);
      sim_strict_quad(w, f, f + 4);
      return;
   }
   if (*word == 'a') {
      sim_strict_texture(w, strcmp(strtok_r(NULL, " ", &rest), "5x5")
                               ? SIM_TEXTURE_COMPRESSED
                               : SIM_TEXTURE_ASTC_5X5);
      return;
   }
   if (*word == 'l') {
      while ((word = strtok_r(NULL, " ", &rest))) {
         const int first = atoi(strtok_r(NULL, " ", &rest));
         const int count = atoi(strtok_r(NULL, " ", &rest));
         sim_strict_levels(w, client_of(word), 0x10000, (unsigned)first,
                           (unsigned)count);
      }
      return;
   }
   const bool write = *word == 'w';
   const enum sim_client client = client_of(strtok_r(NULL, " ", &rest));
   const char *where = strtok_r(NULL, " ", &rest);
   if (*word == 'k') {
      sim_strict_kind(w, client, 0x10000, (uint32_t)atoi(where));
      return;
   }
   if (*word == 's') {
      sim_strict_access(w, client, 0x10000, 32, SIM_MEM_WRITE);
      sim_strict_access(w, client_of(where), 0x10000, 32, SIM_MEM_READ);
      return;
   }
   /* Over the end of a page, so that there are two. */
   const uint64_t address = !where                   ? 0x7ffff0
                            : !strcmp(where, "half") ? 0x7fffd0
                                                     : 0x123456780;
   sim_strict_access(w, client, address, 32,
                     write ? SIM_MEM_WRITE : SIM_MEM_READ);
}

struct heard {
   unsigned count;
   char first[1024];
};

static void
hear(void *data, const char *line)
{
   struct heard *h = data;
   if (!h->count++)
      strncpy(h->first, line, sizeof(h->first) - 1);
}

static struct heard
run(const char *gen, const char *text)
{
   struct heard h = { 0 };
   struct sim_gpu gpu = { .info = intel_device_info_by_name(gen),
                          .report = hear,
                          .report_data = &h };
   struct sim_hw_context *hw = calloc(1, sizeof(*hw));
   struct sim_cs cs = { .gpu = &gpu, .hw = hw, .command = &command };
   char *copy = strdup(text), *rest;
   command = (struct genxml_group) { .name = "COMMAND" };
   cs.spec = genxml_spec_get(gpu.info->verx10);
   gpu.verx10 = gpu.info->verx10;
   gpu.strict = sim_strict_create(&gpu);
   hw->strict = sim_strict_context_create();
   struct strict_watch *w = strict_watch_create(&cs);
   for (char *s = strtok_r(copy, ";", &rest); s;
        s = strtok_r(NULL, ";", &rest)) {
      cs.ip += 4;
      step(w, s);
   }
   strict_watch_destroy(w);
   sim_strict_context_destroy(hw->strict);
   sim_strict_destroy(gpu.strict);
   free(copy);
   free(hw);
   return h;
}

static void
test_rows(void **state)
{
   setenv("SAFFRON_SIM_STRICT", "report", 1);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct row *r = &rows[i];
      char gens[32], start[32], *rest;
      strcpy(gens, r->gens);
      /* Most rows overwrite what was read without a word. */
      setenv("SAFFRON_SIM_RULES", strcmp(r->rule, "CC-30") ? "-CC-30" : "",
             1);
      snprintf(start, sizeof(start), "strict: %s ", r->rule);
      for (char *gen = strtok_r(gens, " ", &rest); gen;
           gen = strtok_r(NULL, " ", &rest)) {
         struct heard h = r->broken ? run(gen, r->broken)
                                    : (struct heard) { 0 };
         if (r->broken && strncmp(h.first, start, strlen(start)))
            fail_msg("%s on %s: '%s': '%s'", r->rule, gen, r->broken,
                     h.first);
         h = run(gen, r->kept);
         if (h.count)
            fail_msg("%s on %s: '%s': %s", r->rule, gen, r->kept, h.first);
      }
   }
}

/* Many pages, so that the table grows; what was written is found again. */
static void
test_many_pages(void **state)
{
   struct heard h = { 0 };
   struct sim_gpu gpu = { .info = intel_device_info_by_name("skl"),
                          .verx10 = 90,
                          .report = hear,
                          .report_data = &h };
   static struct genxml_group command = { .name = "COMMAND" };
   struct sim_hw_context *hw = calloc(1, sizeof(*hw));
   struct sim_cs cs = { .gpu = &gpu, .hw = hw, .command = &command };
   gpu.strict = sim_strict_create(&gpu);
   hw->strict = sim_strict_context_create();
   struct strict_watch *w = strict_watch_create(&cs);
   for (uint64_t i = 0; i < 3000; i++) {
      cs.ip = 4 * i;
      strict_watch_command(w);
      sim_strict_access(w, SIM_CLIENT_DATA, i * 0x5000, 4, SIM_MEM_WRITE);
   }
   for (unsigned i = 0; i < 10; i++) {
      cs.ip += 4;
      strict_watch_command(w);
      sim_strict_access(w, SIM_CLIENT_TEXTURE, i * 0x5000 * 299, 4,
                        SIM_MEM_READ);
      assert_int_equal(h.count, i + 1);
   }
   strict_watch_destroy(w);
   sim_strict_context_destroy(hw->strict);
   sim_strict_destroy(gpu.strict);
   free(hw);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_many_pages),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
