/* SPDX-License-Identifier: MIT */
/*
 * The structurizer: the same way through the blocks before and after, told
 * by an interpreter of NIR and by a walk over the graph.
 */
#include "util/unit_test.h"

#include <stdlib.h>
#include <time.h>

#include "graphs.h"
#include "nir_builder.h"
#include "nir_passes.h"

#define TRACE 200

static void
describe(const struct test_graph *g)
{
   for (int b = 0; b < g->num; b++)
      fprintf(stderr, " %d:{%d,%d}", b, g->succ[b][0], g->succ[b][1]);
   fprintf(stderr, "\n");
}

static void
compare_traces(const struct test_graph *g, nir_shader *shader, uint32_t seed,
               struct arena *arena)
{
   uint32_t want[TRACE], got[TRACE];
   const int nw = test_graph_walk(g, seed, want, TRACE, arena);
   const int ng = test_graph_interpret(shader, seed, got, TRACE);

   if (nw == ng && !memcmp(want, got, sizeof(*want) * (size_t)nw))
      return;
   describe(g);
   nir_print_shader(shader, stderr);
   fail_msg("seed %u: %d blocks in the graph, %d after", seed, nw, ng);
}

/* Of irreducible graphs, and of reducible ones. */
static struct nir_structurize_stats total[2];
static int num_graphs[2], num_with_exits[2];

static void
add_up(const struct nir_structurize_stats *s)
{
   struct nir_structurize_stats *t = &total[s->reducible];

   t->blocks_before += s->blocks_before;
   t->blocks_after += s->blocks_after;
   t->copies += s->copies;
   t->state_variables += s->state_variables;
   t->exit_predicates += s->exit_predicates;
   t->one_trip_loops += s->one_trip_loops;
   num_graphs[s->reducible]++;
   num_with_exits[s->reducible] += s->exit_predicates != 0;
}

static void
print_total(const char *what)
{
   for (int r = 1; r >= 0; r--) {
      const struct nir_structurize_stats *t = &total[r];
      print_message("%s: %d %s: blocks %u -> %u, copies %u, state variables "
                    "%u, exit predicates %u in %d graphs, one-trip loops "
                    "%u\n",
                    what, num_graphs[r], r ? "reducible" : "irreducible",
                    t->blocks_before, t->blocks_after, t->copies,
                    t->state_variables, t->exit_predicates, num_with_exits[r],
                    t->one_trip_loops);
   }
   memset(total, 0, sizeof(total));
   memset(num_graphs, 0, sizeof(num_graphs));
   memset(num_with_exits, 0, sizeof(num_with_exits));
}

static void
check_graph(const struct test_graph *g, struct arena *arena, uint32_t seed)
{
   const struct nir_structurize_options options = {
      .max_copies = seed % 2 ? 8 : 0,
   };
   struct nir_structurize_stats stats;
   struct cfg_flat *flat;
   nir_shader *shader = test_graph_shader(g, arena, &flat);

   cfg_structurize(flat, &options, &stats);
   add_up(&stats);
   if (stats.reducible != g->reducible ||
       (g->reducible && (stats.state_variables || stats.copies))) {
      describe(g);
      fail_msg("reducible: %d and %d; %u state variables", g->reducible,
               stats.reducible, stats.state_variables);
   }
   char *faults = nir_validate_shader_text(shader, arena);
   if (faults) {
      describe(g);
      fail_msg("%s%s", faults, nir_shader_as_str(shader, arena));
   }
   for (uint32_t k = 0; k < 3; k++)
      compare_traces(g, shader, seed + 977 * k, arena);
   nir_shader_destroy(shader);
}

static unsigned
count_from_env(const char *name, unsigned otherwise)
{
   const char *s = getenv(name);

   return s ? (unsigned)strtoul(s, NULL, 0) : otherwise;
}

static void
check_small(const struct test_graph *g, unsigned i, struct arena *arena)
{
   check_graph(g, arena, i * 7919 + 1);
}

static void
all_small_graphs(void **state)
{
   const int max = (int)count_from_env("STRUCTURIZE_BLOCKS", 4);

   for (int n = 1; n <= max; n++) {
      test_graph_each(n, check_small);
      char title[32];
      snprintf(title, sizeof(title), "all of %d blocks", n);
      print_total(title);
   }
}

static void
random_graphs(void **state)
{
   const unsigned num = count_from_env("STRUCTURIZE_GRAPHS", 2000);
   uint32_t seed = count_from_env("STRUCTURIZE_SEED", 1);

   for (unsigned i = 0; i < num; i++) {
      struct arena *arena = arena_create(NULL);
      struct test_graph g = { 0 };
      const int size = 2 + (int)(test_random(&seed) % 63);
      const int reach = 1 + (int)(test_random(&seed) % 12);
      test_graph_random(&g, arena, &seed, size, reach,
                        test_random(&seed) % 40);
      check_graph(&g, arena, seed);
      arena_destroy(arena);
   }
   print_total("random");
}

static unsigned
structure_again(nir_shader *shader, bool undo,
                struct nir_structurize_stats *stats)
{
   const struct nir_structurize_options options = { .undo_dispatch = undo };
   nir_function_impl *impl = nir_entry_point(shader);

   nir_structurize_impl(impl, &options, stats);
   nir_validate_shader(shader, "structurize");
   nir_opt_dce(shader);
   return stats->blocks_after;
}

static void
undo_graph(const struct test_graph *g, enum test_dispatch kind,
           enum test_state state, uint32_t seed, struct arena *arena)
{
   const struct nir_structurize_options options = { .max_copies = 0 };
   struct nir_structurize_stats first, undone;
   struct cfg_flat *flat;
   nir_shader *direct = test_graph_shader(g, arena, &flat);
   nir_shader *shader = test_graph_dispatch(g, kind, state);

   cfg_structurize(flat, &options, &first);
   compare_traces(g, shader, seed, arena);
   nir_lower_vars_to_ssa(shader);
   structure_again(shader, true, &undone);
   for (uint32_t k = 0; k < 3; k++)
      compare_traces(g, shader, seed + 977 * k, arena);
   if (first.blocks_after != undone.blocks_after ||
       first.exit_predicates != undone.exit_predicates) {
      describe(g);
      nir_print_shader(direct, stderr);
      nir_print_shader(shader, stderr);
      fail_msg("%d states, forms %d and %d: %u blocks, undone %u", g->num,
               kind, state, first.blocks_after, undone.blocks_after);
   }
   nir_shader_destroy(direct);
   nir_shader_destroy(shader);
}

static void
dispatch_loops(void **state)
{
   const unsigned num = count_from_env("STRUCTURIZE_DISPATCHES", 36);
   uint32_t seed = count_from_env("STRUCTURIZE_SEED", 1) + 5;

   for (unsigned i = 0; i < num; i++) {
      struct arena *arena = arena_create(NULL);
      struct test_graph g = { 0 };
      const int size = i % 4 == 3 ? 256 : 8 << (test_random(&seed) % 5);
      test_graph_structured(&g, arena, &seed, size, size / 8);
      undo_graph(&g, (enum test_dispatch)(i % 3),
                 (enum test_state)(i / 3 % TEST_STATE_COUNT), seed, arena);
      arena_destroy(arena);
   }
}

static nir_loop *
first_loop(nir_shader *shader)
{
   list_for_each_entry(nir_cf_node, node, &nir_entry_point(shader)->body,
                       node) {
      if (node->type == nir_cf_node_loop)
         return nir_cf_node_as_loop(node);
   }
   fail_msg("there is no loop");
   return NULL;
}

/* Lanes that a vote in a dispatch loop would see may be others when it is
 * undone; after the loop all are there again. */
static void
dispatch_and_lanes(void **state)
{
   for (unsigned inside = 0; inside < 2; inside++) {
      struct arena *arena = arena_create(NULL);
      struct test_graph g = { 0 };
      uint32_t seed = 11;
      test_graph_structured(&g, arena, &seed, 12, 1);
      nir_shader *shader =
         test_graph_dispatch(&g, TEST_DISPATCH_IF_CHAIN, TEST_STATE_CONSTANT);
      nir_lower_vars_to_ssa(shader);
      nir_loop *loop = first_loop(shader);
      nir_builder b = nir_builder_at(
         nir_entry_point(shader), inside ? nir_before_cf_list(&loop->body)
                                         : nir_after_cf_node(&loop->cf_node));
      nir_ballot(&b, 1, 32, nir_imm_true(&b));
      nir_shader *undone = nir_undo_dispatch(shader);
      assert_int_equal(undone == NULL, inside);
      if (undone) {
         compare_traces(&g, undone, 3, arena);
         nir_shader_destroy(undone);
      }
      nir_shader_destroy(shader);
      arena_destroy(arena);
   }
}

/* Half of the least normal number is 0 where subnormals are flushed: there
 * the loop ends after one round. */
static void
dispatch_flushing(void **state)
{
   static const char text[] =
      "shader: MESA_SHADER_FRAGMENT\n"
      "decl_function main (0 params)\n"
      "impl main {\n"
      "block block_0:\n"
      "vec1 32 ssa_0 = load_const (0x00000000)\n"
      "vec1 32 ssa_1 = load_const (0x3f000000)\n"
      "vec1 32 ssa_2 = load_const (0x00800000)\n"
      "goto block_1\n"
      "block block_1:\n"
      "vec1 32 ssa_3 = phi block_0: ssa_1, block_2: ssa_2\n"
      "vec1 32 ssa_4 = fmul ssa_3, ssa_1\n"
      "vec1 1 ssa_5 = fneu ssa_4, ssa_0\n"
      "goto block_2 if ssa_5 else block_3\n"
      "block block_2:\n"
      "intrinsic store_output (ssa_1, ssa_0) (base=0, wrmask=1)\n"
      "goto block_1\n"
      "block block_3:\n"
      "return\n"
      "block block_4:\n"
      "}";
   struct arena *arena = arena_create(NULL);
   struct nir_structurize_stats stats;
   char *error = NULL;
   nir_shader *s = nir_parse_shader(arena, text, strlen(text), NULL, &error);

   assert_non_null(s);
   s->info.float_controls_execution_mode =
      FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP32;
   structure_again(s, true, &stats);
   assert_true(stats.undone);
   assert_null(strstr(nir_shader_as_str(s, arena), "loop {"));
   arena_destroy(arena);
}

/* The examples of docs/structurizer.rst. */
static void
documented_graphs(void **state)
{
   static const struct {
      int num, succ[6][2];
      unsigned max_copies;
      unsigned copies, state_variables, exit_predicates, one_trip_loops;
   } rows[] = {
      /* A B X Y Z: a shared else. */
      { 5,
        { { 1, 3 }, { 2, 3 }, { 4, -1 }, { 4, -1 }, { -1, -1 } },
        8,
        0,
        0,
        0,
        1 },
      /* H1 H2 B X: two loops left for one place. */
      { 4, { { 1, 3 }, { 2, 3 }, { 0, 1 }, { -1, -1 } }, 8, 0, 0, 1, 0 },
      /* A B C D: a loop with two entries. */
      { 4, { { 1, 2 }, { 2, -1 }, { 1, 3 }, { -1, -1 } }, 8, 1, 0, 0, 0 },
      { 4, { { 1, 2 }, { 2, -1 }, { 1, 3 }, { -1, -1 } }, 0, 0, 1, 0, 0 },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena *arena = arena_create(NULL);
      const struct nir_structurize_options options = {
         .max_copies = rows[i].max_copies,
      };
      struct test_graph g = { .num = rows[i].num };
      struct nir_structurize_stats stats;
      struct cfg_flat *flat;
      g.succ = arena_memdup(arena, rows[i].succ, sizeof(rows[i].succ));
      test_graph_prepare(&g, arena);
      nir_shader *shader = test_graph_shader(&g, arena, &flat);
      cfg_structurize(flat, &options, &stats);
      compare_traces(&g, shader, i, arena);
      assert_int_equal(stats.copies, rows[i].copies);
      assert_int_equal(stats.state_variables, rows[i].state_variables);
      assert_int_equal(stats.exit_predicates, rows[i].exit_predicates);
      assert_int_equal(stats.one_trip_loops, rows[i].one_trip_loops);
      nir_shader_destroy(shader);
      arena_destroy(arena);
   }
}

/* Loops around an instruction. */
static int
loops_around(const nir_instr *instr)
{
   int n = 0;

   for (const nir_cf_node *c = &instr->block->cf_node; c; c = c->parent)
      n += c->type == nir_cf_node_loop;
   return n;
}

/* `want`: loops around each ballot that there is, in order. */
static void
check_ballots(nir_shader *shader, const int *want, unsigned num)
{
   const struct nir_structurize_options options = { .max_copies = 0 };
   nir_function_impl *impl = nir_entry_point(shader);
   unsigned n = 0;

   nir_structurize_impl(impl, &options, NULL);
   nir_validate_shader(shader, "structurize");
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind != nir_kind_intrinsic ||
             nir_instr_as_intrinsic(instr)->intrinsic != nir_intrinsic_ballot)
            continue;
         assert_true(n < num);
         assert_int_equal(loops_around(instr), want[n++]);
      }
   }
   assert_int_equal(n, num);
}

static void
break_if(nir_builder *b, nir_value *cond)
{
   nir_if *nif = nir_push_if(b, cond);

   nir_jump(b, nir_jump_break);
   nir_pop_if(b, nif);
}

/* Lanes that run something together in the source still do: a ballot before a
 * break is done at each trip, one after an inner loop by all that left it,
 * though both loops begin at one place. */
static void
convergence(void **state)
{
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_COMPUTE, NULL,
                                                  "convergence");
   nir_value *lane = nir_load_local_invocation_index(&b);
   nir_loop *outer = nir_push_loop(&b);
   nir_loop *inner = nir_push_loop(&b);
   nir_value *seen = nir_ballot(&b, 1, 32, nir_ieq_imm(&b, lane, 1));

   break_if(&b, nir_ieq(&b, seen, lane));
   nir_pop_loop(&b, inner);
   nir_if *nif = nir_push_if(&b, nir_ieq_imm(&b, lane, 2));
   nir_ballot(&b, 1, 32, nir_ieq_imm(&b, lane, 3));
   nir_jump(&b, nir_jump_break);
   nir_pop_if(&b, nif);
   break_if(&b, nir_ieq(&b, nir_ballot(&b, 1, 32, nir_imm_true(&b)), lane));
   nir_pop_loop(&b, outer);
   nir_ballot(&b, 1, 32, nir_imm_false(&b));
   check_ballots(b.shader, (const int[]) { 2, 1, 1, 0 }, 4);
   nir_shader_destroy(b.shader);
}

static double
seconds(void)
{
   struct timespec t;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* An if-chain of loops in loops, each left for the next and for the end: the
 * deepest nesting and the most exits over several levels. */
static void
nested_loops(struct test_graph *g, struct arena *arena, int num)
{
   g->num = num;
   g->succ = arena_alloc(arena, sizeof(*g->succ) * (size_t)num);
   const int depth = MIN2(num / 4, 40);
   for (int b = 0; b < num; b++) {
      const int k = b % (2 * depth), base = b - k;
      g->succ[b][0] = b + 1 < num ? b + 1 : -1;
      g->succ[b][1] = -1;
      if (k >= depth)
         g->succ[b][1] = base + 2 * depth - 1 - k;
      else if (k && base + 2 * depth < num)
         g->succ[b][1] = base + 2 * depth;
   }
   test_graph_prepare(g, arena);
}

/* Blocks one after the other, of which every third may go anywhere. */
static void
gotos_anywhere(struct test_graph *g, struct arena *arena, uint32_t *seed,
               int num)
{
   g->num = num;
   g->succ = arena_alloc(arena, sizeof(*g->succ) * (size_t)num);
   for (int b = 0; b < num; b++) {
      g->succ[b][0] = b + 1 < num ? b + 1 : -1;
      g->succ[b][1] = b % 3 ? -1 : (int)(test_random(seed) % (unsigned)num);
   }
   test_graph_prepare(g, arena);
}

static void
time_one(const struct test_graph *g, const char *what, bool reducible,
         struct arena *arena)
{
   const struct nir_structurize_options options = { .max_copies = 0 };
   struct nir_structurize_stats stats;
   struct cfg_flat *flat;
   nir_shader *shader = test_graph_shader(g, arena, &flat);
   const double start = seconds();

   cfg_structurize(flat, &options, &stats);
   print_message("%s: %d blocks, %.3f s; %u blocks after, %u state "
                 "variables, %u exit predicates, %u one-trip loops\n",
                 what, g->num, seconds() - start, stats.blocks_after,
                 stats.state_variables, stats.exit_predicates,
                 stats.one_trip_loops);
   assert_int_equal(stats.reducible, reducible);
   assert_true(stats.state_variables == 0 || !reducible);
   compare_traces(g, shader, 17, arena);
   nir_shader_destroy(shader);
}

static void
large_graphs(void **state)
{
   const int max = (int)count_from_env("STRUCTURIZE_LARGE", 4000);

   for (int num = 1000; num <= max; num *= 2) {
      uint32_t seed = 3;
      struct arena *arena = arena_create(NULL);
      struct test_graph g = { 0 };
      test_graph_structured(&g, arena, &seed, num, 60);
      time_one(&g, "ifs and loops", true, arena);
      nested_loops(&g, arena, num);
      time_one(&g, "loops in loops", true, arena);
      /* All values live through all of it: n^2. */
      gotos_anywhere(&g, arena, &seed, num / 2);
      time_one(&g, "gotos anywhere", false, arena);
      arena_destroy(arena);
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(documented_graphs),
      cmocka_unit_test(all_small_graphs),
      cmocka_unit_test(random_graphs),
      cmocka_unit_test(dispatch_loops),
      cmocka_unit_test(large_graphs),
      cmocka_unit_test(convergence),
      cmocka_unit_test(dispatch_flushing),
      cmocka_unit_test(dispatch_and_lanes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
