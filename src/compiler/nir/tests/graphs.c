/* SPDX-License-Identifier: MIT */
#include "graphs.h"

#include "nir_builder.h"
#include "nir_interp.h"

uint32_t
test_random(uint32_t *seed)
{
   *seed ^= *seed << 13;
   *seed ^= *seed >> 17;
   *seed ^= *seed << 5;
   return *seed;
}

/* --- Graphs ----------------------------------------------------------- */

static void
mark_reachable(const struct test_graph *g, bool *seen, int avoid, int *stack)
{
   int top = 0;

   if (avoid != 0) {
      stack[top++] = 0;
      seen[0] = true;
   }
   while (top) {
      const int b = stack[--top];
      for (int s = 0; s < 2; s++) {
         const int to = g->succ[b][s];
         if (to < 0 || to == avoid || seen[to])
            continue;
         seen[to] = true;
         stack[top++] = to;
      }
   }
}

static void
drop_unreachable(struct test_graph *g, struct arena *arena)
{
   bool *seen = arena_new_array(arena, bool, g->num);
   int *map = arena_new_array(arena, int, g->num), n = 0;

   mark_reachable(g, seen, -1, arena_new_array(arena, int, g->num));
   for (int b = 0; b < g->num; b++)
      map[b] = seen[b] ? n++ : -1;
   for (int b = 0; b < g->num; b++) {
      if (!seen[b])
         continue;
      for (int s = 0; s < 2; s++) {
         const int to = g->succ[b][s];
         g->succ[map[b]][s] = to < 0 ? -1 : map[to];
      }
   }
   g->num = n;
}

/* Any block but itself that dominates; by removing it. Entry: itself. */
static void
find_dominators(struct test_graph *g, struct arena *arena)
{
   bool *seen = arena_new_array(arena, bool, g->num);
   int *stack = arena_new_array(arena, int, g->num);

   g->dominator = arena_new_array(arena, int, g->num);
   if (g->num > 64)
      return;
   for (int d = 1; d < g->num; d++) {
      memset(seen, 0, (size_t)g->num);
      mark_reachable(g, seen, d, stack);
      for (int b = 0; b < g->num; b++) {
         if (!seen[b] && b != d && (b + d) % 3)
            g->dominator[b] = d;
      }
   }
}

/* Hecht and Ullman's T1 and T2 until nothing is left but the entry. */
static bool
is_reducible(const struct test_graph *g, struct arena *arena)
{
   const int n = g->num;
   bool *edge = arena_new_array(arena, bool, (n * n));
   bool *gone = arena_new_array(arena, bool, n);
   int left = n;

   for (int b = 0; b < n; b++) {
      for (int s = 0; s < 2; s++) {
         if (g->succ[b][s] >= 0 && g->succ[b][s] != b)
            edge[b * n + g->succ[b][s]] = true;
      }
   }
   for (bool progress = true; progress;) {
      progress = false;
      for (int b = 1; b < n; b++) {
         int preds = 0, pred = 0;
         for (int p = 0; p < n && !gone[b]; p++) {
            if (edge[p * n + b]) {
               preds++;
               pred = p;
            }
         }
         if (preds != 1)
            continue;
         for (int t = 0; t < n; t++) {
            if (edge[b * n + t] && t != pred)
               edge[pred * n + t] = true;
            edge[b * n + t] = false;
         }
         edge[pred * n + b] = false;
         gone[b] = true;
         left--;
         progress = true;
      }
   }
   return left == 1;
}

void
test_graph_prepare(struct test_graph *g, struct arena *arena)
{
   for (int b = 0; b < g->num; b++) {
      if (g->succ[b][0] == g->succ[b][1])
         g->succ[b][1] = -1;
      if (g->succ[b][0] < 0) {
         g->succ[b][0] = g->succ[b][1];
         g->succ[b][1] = -1;
      }
   }
   drop_unreachable(g, arena);
   g->num_preds = arena_new_array(arena, int, g->num);
   g->num_preds[0] = 1; /* where the function begins */
   for (int b = 0; b < g->num; b++) {
      for (int s = 0; s < 2; s++) {
         if (g->succ[b][s] >= 0)
            g->num_preds[g->succ[b][s]]++;
      }
   }
   find_dominators(g, arena);
   g->reducible = g->num <= 64 && is_reducible(g, arena);
}

/* Blocks numbered as a search finds them: each shape once. */
static bool
is_canonical(const struct test_graph *g)
{
   int queue[8], n = 1;

   queue[0] = 0;
   for (int i = 0; i < n; i++) {
      for (int s = 0; s < 2; s++) {
         const int to = g->succ[queue[i]][s];
         bool known = to < 0;
         for (int k = 0; k < n && !known; k++)
            known = queue[k] == to;
         if (!known) {
            if (to != n)
               return false;
            queue[n++] = to;
         }
      }
   }
   return n == g->num;
}

/* The `choice`th of: no edge, one, two different ones. */
static void
set_edges(int (*succ)[2], int b, int choice, int n)
{
   succ[b][0] = succ[b][1] = -1;
   if (choice == 0)
      return;
   if (choice <= n) {
      succ[b][0] = choice - 1;
      return;
   }
   choice -= n + 1;
   for (int i = 0; i < n; i++) {
      for (int k = i + 1; k < n; k++) {
         if (choice-- == 0) {
            succ[b][0] = i;
            succ[b][1] = k;
         }
      }
   }
}

void
test_graph_each(int n, void (*see)(const struct test_graph *g, unsigned i,
                                   struct arena *arena))
{
   const int choices = 1 + n + n * (n - 1) / 2;
   int succ[8][2], choice[8] = { 0 };
   unsigned graphs = 0;

   for (bool more = true; more;) {
      struct test_graph g = { .num = n, .succ = succ };
      for (int b = 0; b < n; b++)
         set_edges(succ, b, choice[b], n);
      if (is_canonical(&g)) {
         struct arena *arena = arena_create(NULL);
         test_graph_prepare(&g, arena);
         see(&g, graphs++, arena);
         arena_destroy(arena);
      }
      int b = 0;
      while (b < n && ++choice[b] == choices)
         choice[b++] = 0;
      more = b < n;
   }
}

void
test_graph_random(struct test_graph *g, struct arena *arena, uint32_t *seed,
                  int num, int reach, unsigned percent_back)
{
   g->num = num;
   g->succ = arena_alloc(arena, sizeof(*g->succ) * (size_t)num);
   for (int b = 0; b < num; b++) {
      for (int s = 0; s < 2; s++) {
         int to = b + 1 + (int)(test_random(seed) % (unsigned)reach);
         if (test_random(seed) % 100 < percent_back)
            to = (int)(test_random(seed) % (unsigned)(b + 1));
         if (s == 0 && test_random(seed) % 2)
            to = b + 1;
         g->succ[b][s] = to < num ? to : -1;
      }
      if (test_random(seed) % 3 == 0)
         g->succ[b][1] = -1;
   }
   test_graph_prepare(g, arena);
}

/* Block `b` becomes a small piece with one way in and one way out. */
static void
expand_block(struct test_graph *g, uint32_t *seed, int b)
{
   int(*s)[2] = g->succ;
   const int n = g->num;

   switch (test_random(seed) % 4) {
   case 0: /* one after the other */
      memcpy(s[n], s[b], sizeof(s[b]));
      s[b][0] = n;
      s[b][1] = -1;
      g->num += 1;
      break;
   case 1: /* if */
      memcpy(s[n + 1], s[b], sizeof(s[b]));
      s[b][0] = n;
      s[b][1] = s[n][0] = n + 1;
      s[n][1] = -1;
      g->num += 2;
      break;
   case 2: /* if, else */
      memcpy(s[n + 2], s[b], sizeof(s[b]));
      s[b][0] = n;
      s[b][1] = n + 1;
      s[n][0] = s[n + 1][0] = n + 2;
      s[n][1] = s[n + 1][1] = -1;
      g->num += 3;
      break;
   default: /* a loop that is left from where it begins */
      memcpy(s[n + 1], s[b], sizeof(s[b]));
      s[b][0] = n;
      s[b][1] = n + 1;
      s[n][0] = b;
      s[n][1] = -1;
      g->num += 2;
      break;
   }
}

static bool
stays_reducible(const struct test_graph *g)
{
   struct arena *arena = arena_create(NULL);
   struct cfg graph = { .arena = arena };
   struct cfg_info info;

   for (int b = 0; b < g->num; b++) {
      struct cfg_node *n = cfg_node(&graph, cfg_add_node(&graph, CFG_NONE));
      for (int s = 0; s < 2; s++) {
         if (g->succ[b][s] >= 0)
            n->succ[n->num_succ++].to = g->succ[b][s];
      }
   }
   cfg_analyze(&graph, &info, arena);
   const bool reducible = info.entry_into_loop == CFG_NONE;
   cfg_destroy(&graph);
   arena_destroy(arena);
   return reducible;
}

void
test_graph_structured(struct test_graph *g, struct arena *arena,
                      uint32_t *seed, int num, int extra)
{
   g->succ = arena_alloc(arena, sizeof(*g->succ) * (size_t)(num + 4));
   g->num = 2;
   g->succ[0][0] = 1;
   g->succ[0][1] = g->succ[1][0] = g->succ[1][1] = -1;
   while (g->num < num - 2) {
      const int b = (int)(test_random(seed) % (unsigned)g->num);
      if (b != 1)
         expand_block(g, seed, b);
   }
   for (; extra > 0; extra--) {
      const int b = (int)(test_random(seed) % (unsigned)g->num);
      if (b == 1 || g->succ[b][1] >= 0)
         continue;
      g->succ[b][1] = (int)(test_random(seed) % (unsigned)g->num);
      if (g->succ[b][1] == g->succ[b][0] || !stays_reducible(g))
         g->succ[b][1] = -1;
   }
   test_graph_prepare(g, arena);
}

/* --- The walk --------------------------------------------------------- */

static bool
is_crossed(int from, int to)
{
   return (from * 7 + to * 3) % 4 == 1;
}

static uint32_t
mix(uint32_t h, uint32_t d, int b)
{
   h = h * 31 + d + (uint32_t)b + 1;
   return h ^ h >> 15;
}

static bool
takes_first(uint32_t h)
{
   return (h * 0x9e3779b1u) >> 31;
}

int
test_graph_walk(const struct test_graph *g, uint32_t seed, uint32_t *trace,
                int max, struct arena *arena)
{
   uint32_t *made = arena_new_array(arena, uint32_t, g->num);
   uint32_t h = seed, w = ~seed;
   int n = 0;

   for (int b = 0; n < max;) {
      h = mix(h, b ? made[g->dominator[b]] : 0, b);
      w += h;
      made[b] = h;
      trace[n++] = h;
      if (g->succ[b][0] < 0)
         break;
      const int to = g->succ[b][1] < 0 || takes_first(h) ? g->succ[b][0]
                                                         : g->succ[b][1];
      if (g->num_preds[to] > 1 && is_crossed(b, to)) {
         const uint32_t swap = h;
         h = w;
         w = swap;
      }
      b = to;
   }
   return n;
}

/* --- The shader ------------------------------------------------------- */

static nir_value *
slot_of_channel(nir_builder *b)
{
   return nir_ishl(b, nir_load_local_invocation_index(b), nir_imm_int(b, 3));
}

static nir_value *
load_seed(nir_builder *b, const struct test_graph *g)
{
   return nir_load_ssbo(b, 1, 32, nir_imm_int(b, g->buffer),
                        g->buffer ? slot_of_channel(b) : nir_imm_int(b, 0),
                        .align_mul = 4);
}

static void
tell_block(nir_builder *b, const struct test_graph *g, int block,
           nir_value *h)
{
   if (!g->buffer)
      nir_store_global(b, h, nir_imm_int64(b, 0), .write_mask = 1,
                       .align_mul = 4);
   else if (g->succ[block][0] < 0)
      nir_store_ssbo(b, h, nir_imm_int(b, g->buffer),
                     nir_iadd_imm(b, slot_of_channel(b), 4), .write_mask = 1,
                     .align_mul = 4);
}

static nir_builder
begin_shader(const struct test_graph *g, const char *name)
{
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_COMPUTE,
                                                  g->options, "%s", name);

   /* More than fits into threads of 16 channels. */
   for (unsigned i = 0; i < 3; i++)
      b.shader->info.workgroup_size[i] = i == 0 && g->buffer ? 1024 : 1;
   return b;
}

struct made {
   nir_phi_instr *phi[2];
   nir_value *h, *w;
};

static nir_phi_instr *
add_phi(nir_builder *b)
{
   nir_phi_instr *phi = nir_new_phi(b->shader);

   nir_set_result(&phi->instr, 1, 32);
   nir_emit(b, &phi->instr);
   return phi;
}

static nir_value *
build_mix(nir_builder *b, nir_value *h, nir_value *d, int block)
{
   h = nir_iadd(b, nir_imul(b, h, nir_imm_int(b, 31)), d);
   h = nir_iadd(b, h, nir_imm_int(b, block + 1));
   return nir_ixor(b, h, nir_ushr(b, h, nir_imm_int(b, 15)));
}

/* takes_first */
static nir_value *
build_condition(nir_builder *b, nir_value *h)
{
   return nir_ilt(b, nir_imul(b, h, nir_imm_int(b, (int)0x9e3779b1u)),
                  nir_imm_int(b, 0));
}

static void
build_block(nir_builder *b, const struct test_graph *g, struct made *made,
            struct cfg_flat *flat, int block)
{
   struct made *m = &made[block];
   struct cfg_flat_block *f = &flat->blocks[block + 1];
   nir_value *d = block ? made[g->dominator[block]].h : nir_imm_int(b, 0);

   b->cursor = nir_after_block(f->block);
   m->h = build_mix(b, m->h, d, block);
   m->w = nir_iadd(b, m->w, m->h);
   tell_block(b, g, block, m->h);
   for (int s = 0; s < 2; s++) {
      const int to = g->succ[block][s];
      if (to < 0)
         continue;
      f->succ[f->num_succ++] = to + 1;
      if (g->num_preds[to] == 1) {
         made[to].h = m->h;
         made[to].w = m->w;
         continue;
      }
      const bool crossed = is_crossed(block, to);
      nir_phi_add_source(made[to].phi[0], f->block,
                         nir_use_of(crossed ? m->w : m->h));
      nir_phi_add_source(made[to].phi[1], f->block,
                         nir_use_of(crossed ? m->h : m->w));
   }
   if (f->num_succ == 2)
      f->cond = build_condition(b, m->h);
}

static void
build_all(nir_builder *b, const struct test_graph *g, struct made *made,
          struct cfg_flat *flat, struct arena *arena)
{
   bool *seen = arena_new_array(arena, bool, g->num);
   int *stack = arena_new_array(arena, int, g->num + 1), top = 0;

   stack[top++] = 0;
   seen[0] = true;
   /* What dominates a block is found, and so built, before it. */
   while (top) {
      const int block = stack[--top];
      build_block(b, g, made, flat, block);
      for (int s = 0; s < 2; s++) {
         const int to = g->succ[block][s];
         if (to >= 0 && !seen[to]) {
            seen[to] = true;
            stack[top++] = to;
         }
      }
   }
}

nir_shader *
test_graph_shader(const struct test_graph *g, struct arena *arena,
                  struct cfg_flat **flat_)
{
   nir_builder b = begin_shader(g, "graph");
   struct cfg_flat *flat = arena_new(arena, struct cfg_flat);
   struct made *made = arena_new_array(arena, struct made, g->num);

   flat->arena = arena;
   flat->impl = b.impl;
   flat->shader = b.shader;
   flat->num_blocks = g->num + 1;
   flat->blocks =
      arena_new_array(arena, struct cfg_flat_block, flat->num_blocks);
   list_inithead(&b.impl->body);
   b.impl->end_block->num_predecessors = 0;
   for (int i = 0; i <= g->num; i++) {
      flat->blocks[i].block = nir_new_block(b.shader);
      flat->blocks[i].block->cf_node.parent = &b.impl->cf_node;
   }
   flat->blocks[0].num_succ = 1;
   flat->blocks[0].succ[0] = 1;
   b.cursor = nir_after_block(flat->blocks[0].block);
   nir_value *seed = load_seed(&b, g);
   made[0].h = seed;
   made[0].w = nir_inot(&b, seed);
   for (int i = 0; i < g->num; i++) {
      if (g->num_preds[i] < 2)
         continue;
      b.cursor = nir_after_block(flat->blocks[i + 1].block);
      for (unsigned k = 0; k < 2; k++)
         made[i].phi[k] = add_phi(&b);
      if (i == 0) {
         nir_phi_add_source(made[0].phi[0], flat->blocks[0].block,
                            nir_use_of(made[0].h));
         nir_phi_add_source(made[0].phi[1], flat->blocks[0].block,
                            nir_use_of(made[0].w));
      }
      made[i].h = &made[i].phi[0]->instr.result;
      made[i].w = &made[i].phi[1]->instr.result;
   }
   build_all(&b, g, made, flat, arena);
   cfg_flat_finish(flat);
   *flat_ = flat;
   return b.shader;
}

/* --- The dispatch loop ------------------------------------------------ */

#define HIGH 8              /* what the second of two variables counts */
#define PRODUCT 5           /* of TEST_STATE_PRODUCT */
#define INVERSE 0xcccccccdu /* of PRODUCT, modulo 2^32 */

struct dispatch {
   nir_builder b;
   const struct test_graph *g;
   enum test_state form;
   nir_variable *state, *high, *table, *h, *w, **made;
   nir_value *now; /* the state variable where a block begins */
};

static nir_variable *
local(struct dispatch *d, const char *name)
{
   return nir_new_local(d->b.impl, glsl_uint_type(), name);
}

static int
state_after(const struct test_graph *g, int to)
{
   return to < 0 ? g->num : to;
}

/* What the state variable becomes. */
static nir_value *
next_state(struct dispatch *d, int from, int to)
{
   nir_builder *b = &d->b;
   const int state = state_after(d->g, to);

   switch (d->form) {
   case TEST_STATE_SUM: return nir_iadd_imm(b, d->now, state - from);
   case TEST_STATE_XOR:
      return nir_ixor(b, d->now, nir_imm_int(b, state ^ from));
   case TEST_STATE_TABLE:
      return to == d->g->succ[from][0]
                ? nir_load_array_var(b, d->table, d->now)
                : nir_imm_int(b, state);
   case TEST_STATE_TWO: return nir_imm_int(b, state % HIGH);
   case TEST_STATE_PRODUCT:
      return nir_iadd_imm(b, d->now, (state - from) * PRODUCT);
   default: return nir_imm_int(b, state);
   }
}

/* With a condition: to `to` if it is true, else to `other`. */
static void
store_state(struct dispatch *d, int from, int to, nir_value *c, int other)
{
   nir_builder *b = &d->b;
   nir_value *state = next_state(d, from, to);
   nir_value *high = nir_imm_int(b, state_after(d->g, to) / HIGH);

   if (c) {
      state = nir_bcsel(b, c, state, next_state(d, from, other));
      high = nir_bcsel(b, c, high,
                       nir_imm_int(b, state_after(d->g, other) / HIGH));
   }
   nir_store_var(b, d->state, state, 1);
   if (d->form == TEST_STATE_TWO)
      nir_store_var(b, d->high, high, 1);
}

/* What comes in at the end of an edge, and where that is. */
static void
store_edge(struct dispatch *d, int from, int to, nir_value *h, nir_value *w)
{
   nir_builder *b = &d->b;
   const bool crossed = to >= 0 && d->g->num_preds[to] > 1 &&
                        is_crossed(from, to);

   nir_store_var(b, d->h, crossed ? w : h, 1);
   nir_store_var(b, d->w, crossed ? h : w, 1);
   store_state(d, from, to, NULL, to);
}

static void
dispatched_block(struct dispatch *d, int block)
{
   nir_builder *b = &d->b;
   const int *succ = d->g->succ[block];
   d->now = nir_load_var(b, d->state);
   nir_value *dom = block ? nir_load_var(b, d->made[d->g->dominator[block]])
                          : nir_imm_int(b, 0);
   nir_value *h = build_mix(b, nir_load_var(b, d->h), dom, block);
   nir_value *w = nir_iadd(b, nir_load_var(b, d->w), h);

   if (d->made[block])
      nir_store_var(b, d->made[block], h, 1);
   tell_block(b, d->g, block, h);
   store_edge(d, block, succ[0], h, w);
   if (succ[1] < 0)
      return;
   nir_value *c = build_condition(b, h);
   if (is_crossed(block, succ[0]) || is_crossed(block, succ[1])) {
      nir_if *nif = nir_push_if(b, c);
      nir_push_else(b, nif);
      store_edge(d, block, succ[1], h, w);
      nir_pop_if(b, nif);
   } else {
      store_state(d, block, succ[0], c, succ[1]);
   }
}

/* States from `first` up to `last`. */
static void
dispatch_range(struct dispatch *d, nir_value *s, int first, int last,
               enum test_dispatch kind)
{
   nir_builder *b = &d->b;

   if (first == last) {
      dispatched_block(d, first);
      return;
   }
   const int middle = kind == TEST_DISPATCH_IF_CHAIN ? first
                                                     : (first + last) / 2;
   nir_if *nif = nir_push_if(b, kind == TEST_DISPATCH_IF_CHAIN
                                   ? nir_ieq(b, s, nir_imm_int(b, first))
                                   : nir_ige(b, nir_imm_int(b, middle), s));
   dispatch_range(d, s, first, middle, kind);
   nir_push_else(b, nif);
   dispatch_range(d, s, middle + 1, last, kind);
   nir_pop_if(b, nif);
}

/* The state that the variables say. */
static nir_value *
load_state(struct dispatch *d)
{
   nir_builder *b = &d->b;
   nir_value *s = nir_load_var(b, d->state);

   switch (d->form) {
   case TEST_STATE_TWO:
      return nir_iadd(b, s, nir_imul_imm(b, nir_load_var(b, d->high), HIGH));
   case TEST_STATE_PRODUCT: return nir_imul_imm(b, s, INVERSE);
   default: return s;
   }
}

nir_shader *
test_graph_dispatch(const struct test_graph *g, enum test_dispatch kind,
                    enum test_state state)
{
   struct arena *arena = arena_create(NULL);
   struct dispatch d = {
      .b = begin_shader(g, "dispatch"),
      .g = g,
      .made = arena_new_array(arena, nir_variable *, g->num),
   };
   nir_builder *b = &d.b;
   nir_value *seed = load_seed(b, g);

   d.form = state;
   d.state = local(&d, "state");
   d.high = local(&d, "high");
   d.table = nir_new_local(
      b->impl, glsl_array_type(glsl_int_type(), (unsigned)g->num, 0),
      "table");
   for (int i = 0; i < g->num && state == TEST_STATE_TABLE; i++)
      nir_store_array_var(b, d.table, nir_imm_int(b, i),
                          nir_imm_int(b, state_after(g, g->succ[i][0])), 1);
   nir_store_var(b, d.high, nir_imm_int(b, 0), 1);
   d.h = local(&d, "h");
   d.w = local(&d, "w");
   nir_store_var(b, d.state, nir_imm_int(b, 0), 1);
   nir_store_var(b, d.h, seed, 1);
   nir_store_var(b, d.w, nir_inot(b, seed), 1);
   for (int i = 1; i < g->num; i++) {
      if (!d.made[g->dominator[i]])
         d.made[g->dominator[i]] = local(&d, "made");
   }
   nir_loop *loop = nir_push_loop(b);
   nir_value *s = load_state(&d);
   nir_jump_if(b, nir_jump_break, nir_ieq(b, s, nir_imm_int(b, g->num)));
   if (kind == TEST_DISPATCH_ROW) {
      for (int i = 0; i < g->num; i++) {
         nir_if *nif = nir_push_if(b, nir_ieq(b, s, nir_imm_int(b, i)));
         dispatched_block(&d, i);
         nir_pop_if(b, nif);
      }
   } else {
      dispatch_range(&d, s, 0, g->num - 1, kind);
   }
   nir_pop_loop(b, loop);
   arena_destroy(arena);
   return b->shader;
}

/* --- The interpreter -------------------------------------------------- */

struct told {
   uint32_t *trace;
   int num, max;
};

static bool
tell(void *data, unsigned lane, const nir_intrinsic_instr *intr,
     const nir_const_value *const *srcs, nir_const_value *out)
{
   struct told *t = data;

   if (t->num == t->max)
      return false;
   t->trace[t->num++] = srcs[0][0].u32;
   return true;
}

int
test_graph_interpret(nir_shader *shader, uint32_t seed, uint32_t *trace,
                     int max)
{
   static const struct nir_interp_callbacks callbacks = { .intrinsic = tell };
   const struct nir_interp_buffer ssbo = { &seed, sizeof(seed) };
   struct told told = { trace, 0, max };
   struct nir_interp_params params = {
      .num_lanes = 1,
      .ssbos = &ssbo,
      .num_ssbos = 1,
      .callbacks = &callbacks,
      .data = &told,
   };
   struct arena *arena = arena_create(NULL);
   const char *fault = nir_interp_run(shader, &params, arena);

   if (fault && told.num < max) {
      fprintf(stderr, "%s\n", fault);
      told.num = -1;
   }
   arena_destroy(arena);
   return told.num;
}
