/* SPDX-License-Identifier: MIT */
/*
 * Caches with data: a program that flushes and invalidates what it must reads
 * what was written with every seed, one that does not reads something else
 * with some.
 *
 * A program is steps with ';' between: `w CLIENT N` writes N, `r CLIENT N`
 * reads and expects N, `a CLIENT N` does so as atomics do, `PC BITS` is a
 * packet, `draw` is work, `wait` that for earlier pixels, `cpu N` a write of
 * N that nobody is told of. All are at one place; a W or an R is at the next
 * dword, in the same line.
 */
#include "../eu/eu_test.h"
#include "intel/genxml/gen9_pack.h"
#include "intel/sim/chaos/chaos.h"

#include <ctype.h>
#include <stdlib.h>

#define SEEDS 64
#define AT 0x10000ff8ull

struct world {
   struct sim_vm *vm;
   struct sim_bo *bo;
   struct sim_mem mem;
   struct chaos_caches *caches;
   bool wrong;
};

static const char *const clients[SIM_CLIENTS] = {
   "target",  "depth",    "data",   "streamout", "commands", "sync",
   "texture", "constant", "vertex", "state",     "code",
};

static void
pipe_control(struct world *w, char **rest)
{
   struct GEN9_PIPE_CONTROL c = { 0 };
   bool gen9 = false;
   const struct {
      const char *name;
      bool *bit;
   } bits[] = {
      { "gen9", &gen9 },
      { "target", &c.RenderTargetCacheFlushEnable },
      { "depth", &c.DepthCacheFlushEnable },
      { "data", &c.DCFlushEnable },
      { "cs", &c.CommandStreamerStallEnable },
      { "scoreboard", &c.StallAtPixelScoreboard },
      { "enable", &c.PipeControlFlushEnable },
      { "texture", &c.TextureCacheInvalidationEnable },
      { "constant", &c.ConstantCacheInvalidationEnable },
      { "vertex", &c.VFCacheInvalidationEnable },
      { "state", &c.StateCacheInvalidationEnable },
      { "code", &c.InstructionCacheInvalidateEnable },
   };
   for (const char *word; (word = strtok_r(NULL, " ", rest));) {
      unsigned i = 0;
      while (i < ARRAY_SIZE(bits) && strcmp(bits[i].name, word))
         i++;
      assert_true(i < ARRAY_SIZE(bits));
      *bits[i].bit = true;
   }
   sim_chaos_command(w->caches, false);
   sim_chaos_pipe_control(w->caches, &c, gen9);
}

static void
step(struct world *w, char *text)
{
   char *rest, *word = strtok_r(text, " ", &rest);
   if (!strcmp(word, "PC")) {
      pipe_control(w, &rest);
      return;
   }
   sim_chaos_command(w->caches, !strcmp(word, "draw"));
   if (!strcmp(word, "draw"))
      return;
   if (!strcmp(word, "cpu")) {
      *(uint32_t *)sim_mem_try_ptr(&w->mem, AT, 4) =
         (uint32_t)atoi(strtok_r(NULL, " ", &rest));
      return;
   }
   if (!strcmp(word, "wait")) {
      sim_chaos_wait_for_pixels(w->caches);
      return;
   }
   const char *name = strtok_r(NULL, " ", &rest);
   unsigned client = 0;
   while (client < ARRAY_SIZE(clients) && clients[client] &&
          strcmp(clients[client], name))
      client++;
   assert_true(client < ARRAY_SIZE(clients) && clients[client]);
   const uint32_t value = (uint32_t)atoi(strtok_r(NULL, " ", &rest));
   const bool write = tolower(*word) == 'w';
   const uint64_t at = AT + (isupper(*word) ? 4 : 0);
   sim_chaos_access(w->caches, client, at, 4,
                    write ? SIM_MEM_WRITE : SIM_MEM_READ);
   if (*word == 'a')
      sim_chaos_access(w->caches, client, at, 4, SIM_MEM_WRITE);
   uint32_t *p = sim_mem_try_ptr(&w->mem, at, 4);
   if (write)
      *p = value;
   else
      w->wrong |= *p != value;
}

/* With how many seeds something else is read, or is there in the end. */
static unsigned
run(const char *text, uint32_t last)
{
   unsigned wrong = 0;
   for (unsigned seed = 0; seed < SEEDS; seed++) {
      char word[16], *copy = strdup(text), *rest;
      struct world w = { .vm = sim_vm_create(),
                         .bo = sim_bo_create(2 * SIM_PAGE_SIZE) };
      snprintf(word, sizeof(word), "%u:cache", seed);
      setenv("SAFFRON_SIM_CHAOS", word, 1);
      struct sim_chaos *c;
      assert_true(sim_chaos_create(&c));
      assert_true(sim_vm_bind(w.vm, w.bo, AT & ~(SIM_PAGE_SIZE - 1ull)));
      sim_mem_init(&w.mem, w.vm);
      w.caches = sim_chaos_caches_create(c, w.vm);
      assert_non_null(w.caches);
      for (char *s = strtok_r(copy, ";", &rest); s;
           s = strtok_r(NULL, ";", &rest))
         step(&w, s);
      sim_chaos_caches_destroy(w.caches);
      w.wrong |= *(uint32_t *)sim_mem_try_ptr(&w.mem, AT, 4) != last;
      wrong += w.wrong;
      sim_chaos_destroy(c);
      sim_bo_unref(w.bo);
      sim_vm_destroy(w.vm);
      free(copy);
   }
   return wrong;
}

static const struct {
   const char *text;
   uint32_t last;
   bool right;
} rows[] = {
   /* A client sees its own writes; in the end everybody's are there. */
   { "w target 1;r target 1", 1, true },
   { "w depth 2", 2, true },
   { "w streamout 3;draw", 3, true },
   { "w sync 3", 3, true },
   /* Writes come out with their flush and the stall. */
   { "w target 1;draw;PC target cs;r texture 1", 1, true },
   { "w target 1;draw;r texture 1", 1, false },
   { "w target 1;draw;PC target;r texture 1", 1, false },
   { "w target 1;draw;PC depth cs;r texture 1", 1, false },
   { "w target 1;draw;PC target cs scoreboard;r texture 1", 1, false },
   { "w target 1;draw;PC gen9 target cs scoreboard;r texture 1", 1, true },
   { "w depth 1;draw;PC depth cs;r texture 1", 1, true },
   { "w depth 1;draw;PC target cs;r texture 1", 1, false },
   { "w data 1;PC data cs;r vertex 1", 1, true },
   { "w data 1;PC cs;r vertex 1", 1, false },
   { "w data 1;PC data;PC cs;r commands 1", 1, true },
   { "w streamout 1;PC cs;r vertex 1", 1, true },
   { "w streamout 1;draw;r vertex 1", 1, false },
   { "w sync 1;PC enable;r commands 1", 1, true },
   { "w sync 1;r commands 1", 1, false },
   /* Reads stay until the invalidate. */
   { "r texture 0;w commands 1;PC texture;r texture 1", 1, true },
   { "r texture 0;w commands 1;r texture 1", 1, false },
   { "r constant 0;w commands 1;PC constant;r constant 1", 1, true },
   { "r constant 0;w commands 1;PC texture;r constant 1", 1, false },
   { "r vertex 0;w commands 1;PC vertex;r vertex 1", 1, true },
   { "r vertex 0;w commands 1;PC constant;r vertex 1", 1, false },
   /* Render targets and depth are written through what the data port
    * reads; commands are not. */
   { "r data 0;w target 1;draw;PC target cs;r data 1", 1, true },
   { "r data 0;w depth 1;draw;PC depth cs;r data 1", 1, true },
   { "R data 0;W data 2;w target 1;draw;PC target cs;r data 1;R data 2", 1,
     true },
   { "r data 0;w target 1;draw;PC cs;r data 1", 1, false },
   { "r data 0;w commands 1;PC data cs;r data 1", 1, true },
   { "r data 0;w commands 1;PC texture;r data 1", 1, false },
   { "r data 0;w streamout 1;PC cs;r data 1", 1, false },
   /* The flush's own packet is too early to invalidate (CC-01). */
   { "r texture 0;w target 1;draw;PC target cs;PC texture;r texture 1", 1,
     true },
   { "r texture 0;w target 1;draw;PC target cs texture;r texture 1", 1,
     false },
   /* Two writers of one line. */
   { "w target 1;W data 2;R data 2;r target 1;PC target data cs;"
     "r texture 1;R texture 2;r commands 1;R commands 2",
     1, true },
   { "w commands 4;r state 4;r target 4;r commands 4", 4, true },
   /* What the CPU writes beside what a cache has is not lost. */
   { "R state 0;cpu 7", 7, true },
   { "R state 0;cpu 7;PC state texture;r state 7;R state 0", 7, true },
   { "R state 0;cpu 7;R texture 0;R state 0;r commands 7", 7, true },
   { "W target 2;cpu 7;draw;R target 2;PC target cs;r commands 7;"
     "R commands 2",
     7, true },
   /* State wants both bits, in any order; code one of its own. */
   { "r state 0;w commands 1;PC state texture;r state 1", 1, true },
   { "r state 0;w commands 1;PC texture;PC state;r state 1", 1, true },
   { "r state 0;w commands 1;PC texture;r state 1", 1, false },
   { "r state 0;w commands 1;PC state;r state 1", 1, false },
   { "r code 0;w commands 1;PC code;r code 1", 1, true },
   { "r code 0;w commands 1;PC state texture;r code 1", 1, false },
   /* What a draw reads that another one writes, and nothing between. */
   { "draw;w data 1;r data 1;draw", 1, true },
   { "draw;w data 1;draw;r data 1", 1, false },
   { "draw;w data 1;PC texture;draw;r data 1", 1, false },
   { "draw;w data 1;PC cs;draw;r data 1", 1, true },
   { "draw;w data 1;PC scoreboard;draw;r data 1", 1, true },
   { "draw;w data 1;draw;a data 1;r data 1", 1, true },
   { "draw;w data 1;draw;wait;r data 1", 1, true },
   { "draw;W data 2;draw;w data 1;R data 2;PC cs;draw;r data 1", 1, true },
};

static void
test_programs(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const unsigned wrong = run(rows[i].text, rows[i].last);
      if (rows[i].right ? wrong != 0 : wrong < SEEDS / 8)
         fail_msg("'%s': wrong with %u of %u seeds", rows[i].text, wrong,
                  SEEDS);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
