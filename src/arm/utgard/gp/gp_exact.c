/* SPDX-License-Identifier: MIT */
/*
 * The least length of small blocks: a depth-first search, word by word, under
 * a limit on the length that grows from the lower bound.
 *
 * The model leaves out constraints that seldom matter: load ports of
 * registers and attributes, and where values are kept until they are read.
 * It has distances, units with shared opcodes, the sequences of the table
 * functions, the move that saves a value which exists in one word only, the
 * one vec4 of uniforms and the store ports. No schedule is shorter than the
 * length found here, and the list scheduler, given the words, mostly reaches
 * it.
 *
 * A state that failed is not searched again. A state is the set of placed
 * operations, how long each of the others has to wait, and what is reserved
 * in later words.
 */
#include "gp_sched.h"

#define MAX_WORDS 96
#define SEEN_SIZE 4096

struct use {
   uint8_t mul, mul0, add, add_op, complex, pass, moves;
   int32_t uniform;       /* -1: free */
   int32_t store[2];      /* kind and index; -1: free */
   uint32_t temp_address; /* 1 + what names it; 0: none */
};

struct search {
   const struct gpc_block *block;
   const uint32_t *height, *first_edge, *preds;
   const struct gpc_edge *edges;
   unsigned n, limit;
   long budget;
   uint32_t placed;
   int32_t at[GPC_EXACT_NODES], ready_at[GPC_EXACT_NODES];
   struct use words[MAX_WORDS];
   uint64_t seen[SEEN_SIZE];
};

/* ---- what a word holds ---- */

static bool
take_uniform(struct use *u, const struct gpc_node *n)
{
   for (unsigned k = 0; k < gpc_info(n)->num_srcs; k++) {
      const struct gpc_ref *r = &n->src[k];
      if (r->kind != GPC_REF_UNIFORM)
         continue;
      const int32_t id = (int32_t)(r->index / 4 + r->address * 4096);
      if (u->uniform >= 0 && u->uniform != id)
         return false;
      u->uniform = id;
   }
   return true;
}

static bool
take_store(struct use *u, const struct gpc_node *n)
{
   if (!n->store_kind)
      return true;
   int32_t *store = &u->store[n->store_index % 4 / 2];
   const int32_t id = n->store_kind * 4096 + n->store_index / 4;
   if (*store >= 0 && *store != id)
      return false;
   *store = id;
   return true;
}

static bool
take_add(struct use *u, unsigned opcode)
{
   if (u->add && u->add_op != opcode)
      return false;
   u->add_op = (uint8_t)opcode;
   return ++u->add <= 2;
}

static bool
take_mul(struct use *u, unsigned slots)
{
   u->mul = (uint8_t)(u->mul + slots);
   return u->mul <= 2;
}

static bool
units_fit(const struct use *u)
{
   /* Moves go to what is free: adders take them as additions. */
   const unsigned adders = !u->add || u->add_op == GP_ADD_OP_ADD ? 2u - u->add
                                                                 : 0;
   return u->moves <= adders + (2u - u->mul) + !u->complex + !u->pass;
}

static bool
take_table(struct use *w, const struct gpc_node *n)
{
   const unsigned first = n->op == GPC_OP_EXP2;

   if (n->op == GPC_OP_EXP2 && w[0].pass++)
      return false;
   if (n->op == GPC_OP_LOG2 && w[3].pass++)
      return false;
   if (w[first].complex++ || w[first].mul0++ || !take_mul(&w[first], 1) ||
       w[first + 1].mul0++ || !take_mul(&w[first + 1], 2))
      return false;
   return take_uniform(&w[0], n) &&
          (n->op == GPC_OP_EXP2 || take_uniform(&w[1], n)) &&
          take_store(&w[n->op == GPC_OP_LOG2 ? 3 : 0], n);
}

/* Stores to one vec4 share its address. */
static bool
take_temp_store(struct use *w, const struct gpc_node *n)
{
   const uint32_t address = 1 + (n->src[1].index << 3 | n->src[1].kind);

   w->moves++;
   if (w->temp_address == address)
      return true;
   w->temp_address = address;
   return !w->complex++;
}

/* Adds an operation to words `w`, `w + 1`, ...; false if it does not fit,
 * and they are then no good. */
static bool
take(struct use *w, const struct gpc_node *n)
{
   bool ok = true;

   switch (gpc_info(n)->cls) {
   case GPC_CLASS_MOV: w->moves++; break;
   case GPC_CLASS_MUL: ok = take_mul(w, 1); break;
   case GPC_CLASS_SELECT: ok = !w->mul0++ && take_mul(w, 2); break;
   case GPC_CLASS_ADD: ok = take_add(w, gpc_info(n)->opcode); break;
   case GPC_CLASS_PASS:
   case GPC_CLASS_BRANCH: ok = !w->pass++; break;
   case GPC_CLASS_ADDRESS: ok = !w->complex++; break;
   case GPC_CLASS_TEMP_STORE: ok = take_temp_store(w, n); break;
   case GPC_CLASS_TABLE: return take_table(w, n);
   }
   return ok && units_fit(w) && take_uniform(w, n) && take_store(w, n);
}

/* ---- the search ---- */

static bool
arrives(const struct gpc_node *n)
{
   return gpc_info(n)->cls == GPC_CLASS_TABLE && n->op != GPC_OP_LOG2;
}

/* Values whose only word is t, and which something later reads: a move. */
static bool
take_moves(struct search *s, int t)
{
   for (unsigned i = 0; i < s->n; i++) {
      const struct gpc_node *n = &s->block->nodes[i];
      if (!(s->placed >> i & 1) || !arrives(n) ||
          s->at[i] + gpc_info(n)->latency != t)
         continue;
      for (uint32_t e = s->first_edge[i]; e < s->first_edge[i + 1]; e++) {
         if (s->placed >> s->edges[e].to & 1)
            continue;
         s->words[t].moves++;
         break;
      }
   }
   return units_fit(&s->words[t]);
}

static bool
is_ready(const struct search *s, unsigned i, int t)
{
   return !(s->placed >> i & 1) && !(s->preds[i] & ~s->placed) &&
          s->ready_at[i] <= t;
}

static void
hash(uint64_t *h, uint64_t v)
{
   *h = (*h ^ v) * 0x9e3779b97f4a7c15ull;
   *h ^= *h >> 29;
}

/* Whether the state at the begin of word t is new; it is noted. */
static bool
is_new(struct search *s, int t)
{
   uint64_t h = 0x1234567u + (uint64_t)s->limit;

   hash(&h, (uint64_t)t << 32 | s->placed);
   for (unsigned i = 0; i < s->n; i++) {
      const struct gpc_node *n = &s->block->nodes[i];
      if (!(s->placed >> i & 1))
         hash(&h, (uint64_t)MAX2(s->ready_at[i] - t, 0));
      else if (arrives(n))
         hash(&h,
              (uint64_t)MAX2(s->at[i] + gpc_info(n)->latency - t, -1) + 16);
   }
   for (unsigned k = 0; k < 5; k++) {
      struct use u = { 0 };
      memcpy(&u, &s->words[t + (int)k], sizeof(u));
      hash(&h, (uint64_t)u.mul | (uint64_t)u.mul0 << 8 |
                  (uint64_t)u.complex << 16 | (uint64_t)u.pass << 24 |
                  (uint64_t)(uint32_t)u.uniform << 32);
      hash(&h, u.temp_address);
      hash(&h, (uint64_t)(uint32_t)u.store[0] << 32 | (uint32_t)u.store[1]);
   }
   if (s->seen[h % SEEN_SIZE] == h)
      return false;
   s->seen[h % SEEN_SIZE] = h;
   return true;
}

static bool search_word(struct search *s, int t);

static bool
is_hopeless(const struct search *s, int t)
{
   unsigned mul = 0;

   for (unsigned i = 0; i < s->n; i++) {
      if (s->placed >> i & 1)
         continue;
      if (MAX2(s->ready_at[i], t) + (int)s->height[i] > (int)s->limit)
         return true;
      const enum gpc_class cls = gpc_info(&s->block->nodes[i])->cls;
      mul += cls == GPC_CLASS_MUL      ? 1
             : cls == GPC_CLASS_SELECT ? 2
             : cls == GPC_CLASS_TABLE  ? 3
                                       : 0;
   }
   return mul > 2 * (s->limit - (unsigned)t);
}

/* Each ready operation from `i` on is placed in word t or left for later. */
static bool
choose(struct search *s, int t, unsigned i)
{
   struct use before[GPC_LOOKAHEAD];
   int32_t ready[GPC_EXACT_NODES];

   if (--s->budget < 0)
      return false;
   while (i < s->n && !is_ready(s, i, t))
      i++;
   if (i == s->n) {
      const struct use word = s->words[t];
      const bool found = take_moves(s, t) && search_word(s, t + 1);
      if (!found)
         s->words[t] = word;
      return found;
   }
   memcpy(before, &s->words[t], sizeof(before));
   if (take(&s->words[t], &s->block->nodes[i])) {
      memcpy(ready, s->ready_at, sizeof(ready));
      s->placed |= 1u << i;
      s->at[i] = t;
      for (uint32_t e = s->first_edge[i]; e < s->first_edge[i + 1]; e++) {
         int32_t *r = &s->ready_at[s->edges[e].to];
         *r = MAX2(*r, t + (int32_t)s->edges[e].distance);
      }
      if (choose(s, t, i + 1))
         return true;
      memcpy(s->ready_at, ready, sizeof(ready));
      s->placed &= ~(1u << i);
   }
   memcpy(&s->words[t], before, sizeof(before));
   if (t + 1 + (int)s->height[i] > (int)s->limit)
      return false;
   return choose(s, t, i + 1);
}

static bool
search_word(struct search *s, int t)
{
   if (s->placed == BITFIELD_MASK(s->n))
      return true;
   if (is_hopeless(s, t) || !is_new(s, t))
      return false;
   return choose(s, t, 0);
}

static void
begin(struct search *s, unsigned limit)
{
   s->limit = limit;
   s->placed = 0;
   memset(s->ready_at, 0, sizeof(s->ready_at));
   memset(s->seen, 0, sizeof(s->seen));
   for (unsigned w = 0; w < MAX_WORDS; w++)
      s->words[w] = (struct use) { .uniform = -1, .store = { -1, -1 } };
}

unsigned
gpc_exact_length(struct arena *arena, const struct gpc_block *block,
                 const uint32_t *height, const uint32_t *first_edge,
                 const struct gpc_edge *edges, unsigned low, unsigned high,
                 long budget, int32_t *at, bool *found)
{
   uint32_t *preds = arena_new_array(arena, uint32_t, GPC_EXACT_NODES);
   struct search *s = arena_new(arena, struct search);

   assert(block->count <= GPC_EXACT_NODES);
   *found = false;
   *s = (struct search) {
      .block = block,
      .height = height,
      .first_edge = first_edge,
      .edges = edges,
      .preds = preds,
      .n = block->count,
      .budget = budget,
   };
   for (unsigned i = 0; i < s->n; i++) {
      for (uint32_t e = first_edge[i]; e < first_edge[i + 1]; e++)
         preds[edges[e].to] |= 1u << i;
   }
   for (; low < high && low + GPC_LOOKAHEAD < MAX_WORDS; low++) {
      begin(s, low);
      if (search_word(s, 0)) {
         memcpy(at, s->at, s->n * sizeof(*at));
         *found = true;
         return low;
      }
      if (s->budget < 0)
         return low;
   }
   return low;
}
