/* SPDX-License-Identifier: MIT */
/*
 * Order of operations: a list scheduler that goes forward, word by word.
 *
 * Forward, because of one coincidence in the machine: a store takes no unit
 * and reads the result of its own word, and the register can be loaded three
 * words later, in the very word in which the bypass network has forgotten
 * the value. A value that is stored where it is computed can therefore be
 * read in every later word (but for one or two when the complex unit moved
 * it), and the scheduler never has to fear that it places a reader too late.
 * All it has to watch is that there is a register; see gp_regs.c.
 *
 * The sequences of opaque values (gp_table.c) are claimed whole, over up to
 * five words, before any of these words is filled with other operations.
 * What a rcp, rsqrt or exp2 delivers must be read in one certain word: when
 * this word begins, its readers go first, and if one of them does not fit, a
 * move saves the value. Nothing else has been placed in the word then but
 * parts of such sequences, which never use adders: there is a unit; and a
 * register was promised when the sequence began.
 *
 * The bound. Every word is begun once and in order, so that the question is
 * how long nothing may be placed. Let no operation be placed for five words:
 * then no sequence is under way (none reaches further than four words) or
 * ready soon, so that no words are kept for it; all that is in a register or
 * a temporary can be loaded, all order distances are over. Take the first of
 * the ready operations; if it fails, then because
 *
 *    - its result lacks a register: gpc_spill() takes the whole idle word and
 *      frees at least one, whose values were stored long enough ago; or
 *    - two of its operands want one port with different addresses. An
 *      operation has at most three; those in registers have three ports
 *      (port 0, port 1, and port 0 one word earlier, which was idle), those
 *      in attributes two, and gp_node.c leaves no operation with more or
 *      with two uniforms. What is left are spilled values: each is moved, one
 *      for each word and two at most, and read from the bypass network.
 *
 * So out of 5 + 1 + 4 (from a spill to the load of what it moved) + 2 words
 * one places an operation, and of n operations and n results that are moved
 * none needs more than GPC_WORDS_PER_NODE words. This is asserted. A block
 * that had every register taken by others would break it: gp_alloc.c leaves
 * four to each block. Address registers end waits, too: see gp_memory.c, and
 * offer_addresses(), without which those that wait might keep a word's
 * failures from the loads. A branch is ready when it alone is left.
 *
 * A priority function (gp_priority.c) may name the one table that goes in a
 * word, or none, to wait for one. All tables before that one are placed. So
 * in idle words either it is ready, and what is said above is said of it, or
 * it waits for an operation that is no table and is ready, which no priority
 * function holds back.
 *
 * Operations may have words before which they do not go, as in a plan. What
 * is said above holds from the last of these on, and they are added to the
 * bound.
 *
 * gp_search.c tries several priorities.
 */
#include <math.h>

#include "gp_tasks.h"

/* Failures after which a word is left: keeps the time for wide graphs down
 * to n log n. */
#define MAX_FAILURES 40
/* Registers that are still free when values are spilled early. */
#define EARLY 8

/* ---- the graph ---- */

static void
count_edge(struct gpc_graph *g, uint32_t from, uint32_t to)
{
   assert(from < to && "operands and orders point forward");
   g->first_edge[from]++;
   g->waits_for[to]++;
}

static void
add_edge(struct gpc_graph *g, uint32_t from, uint32_t to, unsigned distance,
         bool is_value)
{
   g->edges[--g->first_edge[from]] =
      (struct gpc_edge) { to, distance, is_value };
}

static void
count_edges(struct gpc_graph *g, const struct gpc_block *b)
{
   for (uint32_t i = 0; i < b->count; i++) {
      const struct gpc_node *n = &b->nodes[i];
      for (unsigned k = 0; k < gpc_info(n)->num_srcs; k++) {
         if (n->src[k].kind == GPC_REF_NODE) {
            count_edge(g, n->src[k].index, i);
            g->uses[n->src[k].index]++;
         }
         if (n->src[k].address) {
            count_edge(g, n->src[k].address - 1, i);
            g->uses[n->src[k].address - 1]++;
         }
      }
   }
   for (unsigned i = 0; i < b->num_orders; i++)
      count_edge(g, b->orders[i].from, b->orders[i].to);
}

static void
add_edges(struct gpc_graph *g, const struct gpc_block *b)
{
   for (uint32_t i = 0; i < b->count; i++) {
      const struct gpc_node *n = &b->nodes[i];
      for (unsigned k = 0; k < gpc_info(n)->num_srcs; k++) {
         const struct gpc_ref *r = &n->src[k];
         if (r->kind == GPC_REF_NODE)
            add_edge(g, r->index, i, gpc_info(&b->nodes[r->index])->latency,
                     true);
         if (r->address)
            add_edge(g, r->address - 1, i,
                     gpc_op_infos[GPC_OP_ADDRESS].latency, false);
      }
   }
   for (unsigned i = 0; i < b->num_orders; i++)
      add_edge(g, b->orders[i].from, b->orders[i].to, b->orders[i].distance,
               false);
}

/* Words from an operation to the end of the block, itself included. */
static void
compute_heights(struct gpc_graph *g, const struct gpc_block *b)
{
   for (uint32_t i = b->count; i-- > 0;) {
      const struct gpc_node *n = &b->nodes[i];
      uint32_t h = gpc_info(n)->cls == GPC_CLASS_TABLE ? gpc_info(n)->latency
                                                       : 1;
      if (n->store_kind == GPC_STORE_REGISTER && b->has_successor)
         h += 2;
      if (n->op == GPC_OP_TEMP_STORE && b->has_successor)
         h += 3;
      for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++)
         h = MAX2(h, g->edges[e].distance + g->height[g->edges[e].to]);
      g->height[i] = h;
      g->longest = MAX2(g->longest, h);
   }
}

struct gpc_graph
gpc_make_graph(struct arena *a, const struct gpc_block *b)
{
   struct gpc_graph g = {
      .uses = arena_new_array(a, uint32_t, b->count),
      .waits_for = arena_new_array(a, uint32_t, b->count),
      .height = arena_new_array(a, uint32_t, b->count),
      .first_edge = arena_new_array(a, uint32_t, b->count + 1),
   };
   uint32_t sum = 0;

   count_edges(&g, b);
   for (uint32_t i = 0; i <= b->count; i++) {
      sum += g.first_edge[i];
      g.first_edge[i] = sum;
   }
   g.edges = arena_new_array(a, struct gpc_edge, sum);
   add_edges(&g, b);
   compute_heights(&g, b);
   return g;
}

/* ---- the list of what is ready ---- */

static bool
goes_before(const struct gpc_sched *s, uint32_t a, uint32_t b)
{
   if (s->priority[a] != s->priority[b])
      return s->priority[a] > s->priority[b];
   return a < b;
}

static void
heap_push(const struct gpc_sched *s, struct util_dynarray *heap,
          uint32_t node)
{
   util_dynarray_append(heap, uint32_t, node);
   uint32_t *h = heap->data;
   size_t i = util_dynarray_num_elements(heap, uint32_t) - 1;

   while (i && goes_before(s, node, h[(i - 1) / 2])) {
      h[i] = h[(i - 1) / 2];
      i = (i - 1) / 2;
   }
   h[i] = node;
}

static uint32_t
heap_pop(const struct gpc_sched *s, struct util_dynarray *heap)
{
   uint32_t *h = heap->data;
   const uint32_t top = h[0], last = util_dynarray_pop(heap, uint32_t);
   const size_t n = util_dynarray_num_elements(heap, uint32_t);
   size_t i = 0;

   for (size_t c; (c = 2 * i + 1) < n; i = c) {
      if (c + 1 < n && goes_before(s, h[c + 1], h[c]))
         c++;
      if (!goes_before(s, h[c], last))
         break;
      h[i] = h[c];
   }
   if (n)
      h[i] = last;
   return top;
}

static void
add_ready(struct gpc_sched *s, uint32_t node)
{
   const bool is_address = s->block->nodes[node].op == GPC_OP_ADDRESS;

   heap_push(s, is_address ? &s->addresses : &s->heap, node);
}

/* As many addresses take part as there are registers for them: others would
 * only be in the way of the loads that end the wait. */
static void
offer_addresses(struct gpc_sched *s)
{
   unsigned free = 0, waiting = 0;

   for (unsigned i = 0; i < GPC_ADDRESS_REGISTERS; i++) {
      if (s->offered[i] && s->placed[s->offered[i] - 1])
         s->offered[i] = 0;
      free += !s->address_users[i + 1];
      waiting += s->offered[i] != 0;
   }
   for (unsigned i = 0; i < GPC_ADDRESS_REGISTERS; i++) {
      if (waiting >= free || !s->addresses.size_B || s->offered[i])
         continue;
      const uint32_t node = heap_pop(s, &s->addresses);
      heap_push(s, &s->heap, node);
      s->offered[i] = node + 1;
      waiting++;
   }
}

static bool
has_priority(const struct gpc_sched *s, uint32_t node)
{
   return s->chooser &&
          gpc_info(&s->block->nodes[node])->cls == GPC_CLASS_TABLE;
}

/* The branch, which comes last. Until all else is placed it is not ready: it
 * would be in the way if its priority is higher. */
static bool
is_branch(const struct gpc_sched *s, uint32_t node)
{
   return s->block->nodes[node].op == GPC_OP_BRANCH;
}

static void
make_ready(struct gpc_sched *s, uint32_t node)
{
   if (has_priority(s, node))
      return;
   if (s->ready_at[node] <= s->now) {
      add_ready(s, node);
      return;
   }
   util_dynarray_append(&s->soon[s->ready_at[node] % 8], uint32_t, node);
   const struct gpc_node *n = &s->block->nodes[node];
   if (gpc_info(n)->cls != GPC_CLASS_TABLE)
      return;
   const int t = s->ready_at[node] + (n->op == GPC_OP_EXP2);
   for (int i = t; i <= t + 1; i++)
      s->wanted[i % 8] = MAX2(s->wanted[i % 8], s->priority[node]);
}

static void
note_placed(struct gpc_sched *s, uint32_t node)
{
   const uint32_t last = s->block->count - 1;

   s->placed[node] = true;
   s->left--;
   if (has_priority(s, node))
      gpc_note_table(s->chooser, node);
   for (uint32_t e = s->first_edge[node]; e < s->first_edge[node + 1]; e++) {
      const struct gpc_edge *edge = &s->edges[e];
      const int at = s->now + (int)edge->distance;
      s->ready_at[edge->to] = MAX2(s->ready_at[edge->to], at);
      if (--s->waits_for[edge->to] == 0 && !is_branch(s, edge->to))
         make_ready(s, edge->to);
   }
   if (s->left == 1 && is_branch(s, last))
      make_ready(s, last);
}

static bool
try_node(struct gpc_sched *s, uint32_t node)
{
   if (!gpc_try_place(s, node, s->now))
      return false;
   note_placed(s, node);
   return true;
}

/* ---- one word ---- */

/* Whether the operation goes into the words in which some value is read for
 * the last time: no address, lest it takes the register of one that was
 * offered. */
static bool
may_follow(const struct gpc_sched *s, uint32_t node)
{
   return !has_priority(s, node) &&
          s->block->nodes[node].op != GPC_OP_ADDRESS &&
          (!s->is_planned || s->now >= s->not_before[node]);
}

/* Readers of an arriving value, which are placed if they can be. */
static unsigned
place_readers(struct gpc_sched *s, uint32_t value)
{
   unsigned n = 0;

   for (uint32_t e = s->first_edge[value]; e < s->first_edge[value + 1];
        e++) {
      const uint32_t to = s->edges[e].to;
      if (s->edges[e].is_value && !s->placed[to] && !s->waits_for[to] &&
          s->ready_at[to] <= s->now && may_follow(s, to))
         n += try_node(s, to);
   }
   return n;
}

/* A value that can be read in this word for the last time is moved, unless
 * all readers are placed here. */
static unsigned
handle_late_values(struct gpc_sched *s)
{
   uint32_t *loose = s->loose[(s->now + 6) % 8];
   uint32_t *slot[GPC_MAX_LATE + 1] = { &s->arrival[s->now % 8], &loose[0],
                                        &loose[1] };
   uint32_t late[GPC_MAX_LATE + 1];
   unsigned unit[GPC_MAX_LATE + 1], num = 0, n = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(slot); i++) {
      if (*slot[i])
         late[num++] = *slot[i] - 1;
   }
   if (num == 1 && s->values[late[0]].uses == 1)
      n += place_readers(s, late[0]);
   for (unsigned i = 0; i < num; i++) {
      unit[i] = GP_UNIT_COUNT;
      if (!s->values[late[i]].uses)
         continue;
      for (unsigned k = 0; k < ARRAY_SIZE(slot); k++) {
         if (*slot[k] == late[i] + 1) {
            *slot[k] = 0;
            s->promised--;
         }
      }
      const bool ok = gpc_try_copy(s, late[i], s->now, &unit[i]);
      assert(ok && "no room for the move of a value that would be lost");
      (void)ok;
      n++;
   }
   for (unsigned i = 0; i < num; i++) {
      if (unit[i] == GP_UNIT_COUNT)
         continue;
      n += place_readers(s, late[i]);
      /* A table that reads its argument twice reads the move. */
      if (!s->values[late[i]].uses && !s->values[late[i]].copy[0].is_read)
         gpc_undo_copy(s, late[i], s->now, unit[i]);
   }
   if (s->arrival[s->now % 8]) {
      s->arrival[s->now % 8] = 0;
      s->promised--;
   }
   loose[0] = loose[1] = 0;
   return n;
}

/* Moves a spilled operand of `node` next to it, as its port has something
 * else to load. */
static bool
stage_operand(struct gpc_sched *s, uint32_t node)
{
   const struct gpc_node *n = &s->block->nodes[node];
   unsigned unit;

   for (unsigned i = 0; i < gpc_info(n)->num_srcs; i++) {
      const struct gpc_ref *r = &n->src[i];
      if (r->kind != GPC_REF_NODE ||
          gpc_is_near(s, &s->values[r->index], s->now + 1) ||
          s->values[r->index].temp < 0)
         continue;
      if (gpc_try_copy(s, r->index, s->now, &unit)) {
         s->staged = node + 1;
         return true;
      }
   }
   return false;
}

static bool
word_is_full(struct gpc_sched *s)
{
   return gpc_word(s, s->now)->busy == BITFIELD_MASK(GP_NUM_ALU_UNITS);
}

/* The best of what is ready, from the heap or from `failed`, of which the
 * first *next ones were tried; false: nothing is left. */
static bool
next_ready(struct gpc_sched *s, size_t *next, uint32_t *node)
{
   if (s->addresses.size_B)
      offer_addresses(s);
   const uint32_t *failed = s->failed.data, *heap = s->heap.data;
   const size_t n = util_dynarray_num_elements(&s->failed, uint32_t);

   if (*next < n &&
       (!s->heap.size_B || goes_before(s, failed[*next], heap[0]))) {
      *node = failed[(*next)++];
      return true;
   }
   if (!s->heap.size_B)
      return false;
   *node = heap_pop(s, &s->heap);
   return true;
}

/* Goes through what is ready, best first. */
static unsigned
fill_word(struct gpc_sched *s)
{
   unsigned n = 0, failures = 0;
   size_t next = 0;
   uint32_t node;

   util_dynarray_clear(&s->still_failed);
   while (failures < MAX_FAILURES && !word_is_full(s) &&
          next_ready(s, &next, &node)) {
      if (s->placed[node])
         continue;
      if (s->now >= s->not_before[node] && try_node(s, node)) {
         n++;
      } else {
         util_dynarray_append(&s->still_failed, uint32_t, node);
         failures++;
      }
   }
   if (!s->staged && failures && !s->pressure)
      n += stage_operand(s, *util_dynarray_element(&s->still_failed, uint32_t,
                                                   0));
   const size_t all = util_dynarray_num_elements(&s->failed, uint32_t);
   for (; next < all; next++)
      util_dynarray_append(&s->still_failed, uint32_t,
                           *util_dynarray_element(&s->failed, uint32_t,
                                                  next));
   const struct util_dynarray old = s->failed;
   s->failed = s->still_failed;
   s->still_failed = old;
   return n;
}

static void
schedule_word(struct gpc_sched *s)
{
   struct util_dynarray *soon = &s->soon[s->now % 8];
   unsigned n;

   util_dynarray_foreach(soon, uint32_t, node)
      add_ready(s, *node);
   util_dynarray_clear(soon);
   gpc_word(s, s->now + GPC_LOOKAHEAD);
   gpc_free_registers(s);
   s->pressure = false;

   s->chosen = s->chooser ? gpc_choose_table(s) : 0;
   s->wanted_units = s->chooser || s->is_planned ? gpc_wanted_units(s) : 0;
   n = handle_late_values(s);
   if (s->chosen && !s->placed[s->chosen - 1])
      n += try_node(s, s->chosen - 1);
   if (s->staged && !s->placed[s->staged - 1])
      n += try_node(s, s->staged - 1);
   s->staged = 0;
   n += fill_word(s);
   const bool spill =
      s->pressure ||
      (s->spill_early && gpc_free_count(s) <= s->promised + 4 + EARLY);
   if (spill && !n)
      gpc_spill(s, s->now);
   gpc_finalise(s, s->now - 2);
   s->wanted[s->now % 8] = -INFINITY;
   s->now++;
}

/* ---- one block ---- */

static void
reset(struct gpc_sched *s, const struct gpc_graph *g)
{
   const unsigned n = s->block->count;

   s->num_words = 0;
   s->now = 0;
   s->left = n;
   s->staged = 0;
   s->promised = 0;
   memset(s->loose, 0, sizeof(s->loose));
   s->last_store = s->last_temp_store = s->last_indexed_store = -4;
   s->freed_next = 0;
   memset(&s->stats, 0, sizeof(s->stats));
   memset(s->arrival, 0, sizeof(s->arrival));
   for (unsigned i = 0; i < 8; i++)
      s->wanted[i] = -INFINITY;
   memset(s->address_users, 0, sizeof(s->address_users));
   memset(s->offered, 0, sizeof(s->offered));
   memset(s->placed, 0, n * sizeof(*s->placed));
   memset(s->ready_at, 0, n * sizeof(*s->ready_at));
   memcpy(s->waits_for, g->waits_for, n * sizeof(*s->waits_for));
   util_dynarray_clear(&s->heap);
   util_dynarray_clear(&s->addresses);
   util_dynarray_clear(&s->failed);
   util_dynarray_clear(&s->free_temps);
   util_dynarray_clear(&s->temp_live);
   for (unsigned i = 0; i < 8; i++)
      util_dynarray_clear(&s->soon[i]);
   for (unsigned r = 0; r < 64; r++)
      s->reg_value[r] = -1;
   memset(s->reg_holes, 0, sizeof(s->reg_holes));
   for (unsigned c = 0; c < 4; c++) {
      s->reg_free[c] = 0;
      for (unsigned r = 0; r < GP_NUM_REGISTERS; r++) {
         if (!(s->block->reserved >> (r * 4 + c) & 1)) {
            s->reg_free[c] |= (uint16_t)(1u << r);
            s->reg_holes[r]++;
         }
      }
   }
   for (uint32_t i = 0; i < n; i++) {
      s->values[i] = (struct gpc_value) {
         .copy = { { .at = -1 }, { .at = -1 } },
         .uses = g->uses[i],
         .reg = -1,
         .temp = -1,
      };
      if (!s->waits_for[i] && !has_priority(s, i) &&
          (n == 1 || !is_branch(s, i)))
         add_ready(s, i);
   }
}

static bool
word_is_idle(const struct gpc_word *w)
{
   return !w->busy && !w->port0 && !w->port1 && !w->uniform &&
          !w->store_kind[0] && !w->store_kind[1];
}

/* Words until the next block may load what this one stored. */
static unsigned
block_length(const struct gpc_sched *s)
{
   unsigned n = s->num_words;

   while (n && word_is_idle(&s->words[n - 1]))
      n--;
   if (s->block->has_successor) {
      if (s->last_store >= 0)
         n = MAX2(n, (unsigned)s->last_store + 3);
      if (s->last_temp_store >= 0)
         n = MAX2(n, (unsigned)s->last_temp_store + 4);
   }
   return n;
}

void
gpc_run(struct gpc_sched *s, const struct gpc_graph *g, const float *priority,
        const int32_t *not_before)
{
   int bound = 0;

   for (uint32_t i = 0; i < s->block->count; i++)
      bound = MAX2(bound, not_before[i]);
   bound += GPC_WORDS_PER_NODE * (int)(s->block->count + 1);
   s->priority = priority;
   s->not_before = not_before;
   reset(s, g);
   while (s->left || s->promised) {
      schedule_word(s);
      assert(s->now <= bound && "the scheduler does not end");
      if (s->now > bound)
         abort();
   }
   for (int t = s->now - 2; t < (int)s->num_words; t++)
      gpc_finalise(s, t);
   s->stats.words = block_length(s);
}

void
gpc_sched_init(struct gpc_sched *s, const struct gpc_graph *g)
{
   const unsigned n = s->block->count;

   gp_instr_init(&s->idle);
   s->values = arena_new_array(s->arena, struct gpc_value, n);
   s->placed = arena_new_array(s->arena, bool, n);
   s->waits_for = arena_new_array(s->arena, uint32_t, n);
   s->ready_at = arena_new_array(s->arena, int32_t, n);
   s->height = g->height;
   s->first_edge = g->first_edge;
   s->edges = g->edges;
}

void
gpc_sched_fini(struct gpc_sched *s)
{
   util_dynarray_fini(&s->heap);
   util_dynarray_fini(&s->addresses);
   util_dynarray_fini(&s->failed);
   util_dynarray_fini(&s->still_failed);
   util_dynarray_fini(&s->free_temps);
   util_dynarray_fini(&s->temp_live);
   for (unsigned i = 0; i < 8; i++)
      util_dynarray_fini(&s->soon[i]);
}
