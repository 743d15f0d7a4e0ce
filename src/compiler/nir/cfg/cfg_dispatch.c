/* SPDX-License-Identifier: MIT */
/*
 * Dispatch loops undone: loop { switch (state) } becomes the graph that it
 * runs, by partial evaluation. A node of the new graph is a block together
 * with what is known of the state there (polyvariant specialization: Jones,
 * Gomard, Sestoft, "Partial Evaluation and Automatic Program Generation",
 * 1993, chapter 4); a branch that the state decides is a goto.
 *
 * State is what phis make of constants, by way of selects and other such
 * phis: that is all that is evaluated, so that no loop which counts is
 * unrolled. Where a select on something else says which state comes next, the
 * new graph branches. Blocks in which nothing is left but questions about the
 * state are not even made. A state that is not known at some edge keeps the
 * dispatch for that edge.
 *
 * Nothing is done unless a phi of an integer that a loop carries decides
 * branches, nor if the graph would grow by more than a bound.
 */
#include "cfg/structurize.h"

#define MAX_DEPTH 64     /* of selects in one another */
#define MAX_EVAL_DEPTH 1024
#define MAX_EVAL_STEPS 20000
#define MAX_FORKS 8      /* selects that one edge branches on */
#define MAX_VARIANTS 256 /* of a block, as a mean: most hold but phis */

struct root {
   nir_phi_instr *phi;
   int block;
   bool relevant;
};

enum known { UNKNOWN, KNOWN, NEEDS_FORK };

struct value {
   enum known known;
   uint64_t bits;
   nir_ssa_def *fork;    /* the condition to branch on */
};

struct variant {
   int flat, node;
   struct value *env;    /* by live root of the block */
};

struct assumption {
   const nir_ssa_def *cond;
   bool value;
};

struct undo {
   struct cfg *g, *out;
   struct cfg_flat *flat;
   struct arena *arena;
   struct cfg_info info;
   struct util_dynarray roots;  /* struct root */
   int *root_of;                /* by definition; -1 */
   int8_t *constant;            /* by definition: made of roots only */
   BITSET_WORD **live;          /* by block, behind its phis */
   unsigned words;
   bool *silent;                /* by block: only questions about the state */
   int *cost;                   /* by block: instructions that are no question */
   struct hash_table variants;  /* bytes: struct variant */
   struct util_dynarray work;   /* struct variant * */
   struct assumption assumed[MAX_FORKS];
   unsigned num_assumed;
   const struct variant *at;
   unsigned steps;              /* of the evaluation under way */
   uint64_t *key;
   int64_t left;                /* instructions that may still be copied */
   bool too_big;
   struct nir_structurize_stats *stats;
};

/* --- What is state -------------------------------------------------------------- */

static struct root *
root_at(const struct undo *u, int i)
{
   return util_dynarray_element(&u->roots, struct root, i);
}

static int
num_roots(const struct undo *u)
{
   return (int)util_dynarray_num_elements(&u->roots, struct root);
}

static bool
is_scalar_alu(const nir_ssa_def *def)
{
   const nir_instr *instr = def->parent_instr;

   if (instr->type != nir_instr_type_alu || def->num_components != 1)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   if (nir_op_is_vec(alu->op) && alu->op != nir_op_mov)
      return false;
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      if (alu->src[i].negate || alu->src[i].abs || alu->dest.saturate ||
          alu->src[i].src.ssa->num_components != 1)
         return false;
   }
   return !nir_op_is_derivative(alu->op);
}

/* Constants, roots, and selects and copies of these. */
static bool
may_be_state(const struct undo *u, const nir_ssa_def *def, unsigned depth)
{
   const nir_instr *instr = def->parent_instr;

   if (instr->type == nir_instr_type_load_const)
      return true;
   if (instr->type == nir_instr_type_phi)
      return u->root_of[def->index] >= 0;
   if (!is_scalar_alu(def) || depth == MAX_DEPTH)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   if (alu->op == nir_op_mov)
      return may_be_state(u, alu->src[0].src.ssa, depth + 1);
   return alu->op == nir_op_bcsel &&
          may_be_state(u, alu->src[1].src.ssa, depth + 1) &&
          may_be_state(u, alu->src[2].src.ssa, depth + 1);
}

static bool
phi_is_state(const struct undo *u, nir_phi_instr *phi)
{
   nir_foreach_phi_src(src, phi) {
      if (!may_be_state(u, src->src.ssa, 0))
         return false;
   }
   return true;
}

/* The largest set of phis that are made of constants and each other. */
static void
find_roots(struct undo *u)
{
   for (int i = 0; i < u->info.num; i++) {
      const int b = u->info.order[i];
      nir_foreach_phi(phi, u->flat->blocks[b].block) {
         if (phi->dest.ssa.num_components != 1)
            continue;
         u->root_of[phi->dest.ssa.index] = num_roots(u);
         util_dynarray_append(&u->roots, struct root,
                              ((struct root){phi, b, false}));
      }
   }
   for (bool changed = true; changed;) {
      changed = false;
      util_dynarray_foreach(&u->roots, struct root, r) {
         int *index = &u->root_of[r->phi->dest.ssa.index];
         if (*index >= 0 && !phi_is_state(u, r->phi)) {
            *index = -1;
            changed = true;
         }
      }
   }
}

/* Calls `note` for each root that the value depends on. */
static void
visit_roots(struct undo *u, const nir_ssa_def *def,
            void (*note)(struct undo *u, int root, void *data), void *data)
{
   struct util_dynarray work = {0};
   unsigned steps = 0;

   util_dynarray_append(&work, const nir_ssa_def *, def);
   while (util_dynarray_num_elements(&work, const nir_ssa_def *)) {
      const nir_ssa_def *d = util_dynarray_pop(&work, const nir_ssa_def *);
      if (d->parent_instr->type == nir_instr_type_phi) {
         if (u->root_of[d->index] >= 0)
            note(u, u->root_of[d->index], data);
         continue;
      }
      /* What is shared is seen again: a bound, for odd expressions. */
      if (!is_scalar_alu(d) || ++steps > 4096)
         continue;
      const nir_alu_instr *alu = nir_instr_as_alu(d->parent_instr);
      for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++)
         util_dynarray_append(&work, const nir_ssa_def *,
                              alu->src[i].src.ssa);
   }
   util_dynarray_fini(&work);
}

static void
note_relevant(struct undo *u, int root, void *work)
{
   if (root_at(u, root)->relevant)
      return;
   root_at(u, root)->relevant = true;
   util_dynarray_append((struct util_dynarray *)work, int, root);
}

/* Roots that decide branches, and those that these come from. */
static void
find_relevant(struct undo *u)
{
   struct util_dynarray work = {0};

   for (int i = 0; i < u->info.num; i++) {
      const struct cfg_node *n = cfg_node(u->g, u->info.order[i]);
      if (n->num_succ == 2)
         visit_roots(u, n->cond, note_relevant, &work);
   }
   while (util_dynarray_num_elements(&work, int)) {
      const int root = util_dynarray_pop(&work, int);
      nir_foreach_phi_src(src, root_at(u, root)->phi)
         visit_roots(u, src->src.ssa, note_relevant, &work);
   }
   util_dynarray_fini(&work);
   util_dynarray_foreach(&u->roots, struct root, r) {
      if (!r->relevant)
         u->root_of[r->phi->dest.ssa.index] = -1;
   }
}

static bool
is_carried(const struct undo *u, int block)
{
   for (int p = u->info.pred_start[block]; p < u->info.pred_start[block + 1];
        p++) {
      if (u->info.rpo[u->info.preds[p]] >= u->info.rpo[block])
         return true;
   }
   return false;
}

static bool
is_dispatcher(const struct undo *u, int block)
{
   if (!is_carried(u, block))
      return false;
   nir_foreach_phi(phi, u->flat->blocks[block].block) {
      if (phi->dest.ssa.bit_size > 1 && u->root_of[phi->dest.ssa.index] >= 0)
         return true;
   }
   return false;
}

/* --- Where it matters -------------------------------------------------------------- */

static void
note_live(struct undo *u, int root, void *set)
{
   BITSET_SET((BITSET_WORD *)set, (unsigned)root);
}

/* What the edge needs to know in its source. */
static void
edge_uses(struct undo *u, const struct cfg_edge *e, BITSET_WORD *set)
{
   memcpy(set, u->live[e->to], u->words * sizeof(BITSET_WORD));
   nir_foreach_phi(phi, u->flat->blocks[e->to].block) {
      const int root = u->root_of[phi->dest.ssa.index];
      if (root >= 0)
         BITSET_CLEAR(set, (unsigned)root);
   }
   nir_foreach_phi(phi, u->flat->blocks[e->to].block) {
      const int root = u->root_of[phi->dest.ssa.index];
      if (root < 0 || !BITSET_TEST(u->live[e->to], (unsigned)root))
         continue;
      nir_src *src = cfg_phi_src(u->flat, phi, e->from_flat);
      visit_roots(u, src->ssa, note_live, set);
   }
}

static void
find_live(struct undo *u)
{
   const int n = cfg_num_nodes(u->g);
   BITSET_WORD *set;

   u->words = BITSET_WORDS((unsigned)num_roots(u) + 1);
   set = arena_new_array(u->arena, BITSET_WORD, u->words);
   u->live = arena_new_array(u->arena, BITSET_WORD *, n);
   for (int b = 0; b < n; b++) {
      const struct cfg_node *node = cfg_node(u->g, b);
      u->live[b] = arena_new_array(u->arena, BITSET_WORD, u->words);
      if (node->num_succ == 2)
         visit_roots(u, node->cond, note_live, u->live[b]);
   }
   for (bool changed = true; changed;) {
      changed = false;
      for (int i = u->info.num - 1; i >= 0; i--) {
         const int b = u->info.order[i];
         const struct cfg_node *node = cfg_node(u->g, b);
         for (unsigned s = 0; s < node->num_succ; s++) {
            edge_uses(u, &node->succ[s], set);
            changed |= bitset_union(u->live[b], set, u->words);
         }
      }
   }
}

/* --- What is left of a block ----------------------------------------------------------- */

/* Sources come before their uses: all in an order of dominance. */
static void
find_constant(struct undo *u)
{
   for (int i = 0; i < u->info.num; i++) {
      nir_foreach_instr(instr, u->flat->blocks[u->info.order[i]].block) {
         nir_ssa_def *def = nir_instr_ssa_def(instr);
         if (!def)
            continue;
         if (instr->type == nir_instr_type_phi)
            u->constant[def->index] = u->root_of[def->index] >= 0;
         else if (instr->type == nir_instr_type_load_const)
            u->constant[def->index] = 1;
         if (!is_scalar_alu(def))
            continue;
         const nir_alu_instr *alu = nir_instr_as_alu(instr);
         u->constant[def->index] = 1;
         for (unsigned k = 0; k < nir_op_infos[alu->op].num_inputs; k++)
            u->constant[def->index] &=
               u->constant[alu->src[k].src.ssa->index];
      }
   }
}

/* Everything that reads the value is a question about the state, too. */
static bool
is_question(const struct undo *u, nir_ssa_def *def)
{
   if (!u->constant[def->index])
      return false;
   nir_foreach_use(src, def) {
      nir_ssa_def *user = nir_instr_ssa_def(src->parent_instr);
      if (!user || !u->constant[user->index])
         return false;
   }
   return true;
}

static void
find_silent(struct undo *u)
{
   /* A value that something else reads makes its sources read, too. */
   for (bool changed = true; changed;) {
      changed = false;
      for (int i = u->info.num - 1; i >= 0; i--) {
         nir_foreach_instr_reverse(
            instr, u->flat->blocks[u->info.order[i]].block) {
            nir_ssa_def *def = nir_instr_ssa_def(instr);
            if (def && u->constant[def->index] == 1 && !is_question(u, def) &&
                instr->type != nir_instr_type_load_const) {
               u->constant[def->index] = 0;
               changed = true;
            }
         }
      }
   }
   for (int i = 0; i < u->info.num; i++) {
      const int b = u->info.order[i];
      const struct cfg_node *n = cfg_node(u->g, b);
      u->silent[b] = b != u->g->root && n->num_succ > 0;
      nir_foreach_instr(instr, u->flat->blocks[b].block) {
         nir_ssa_def *def = nir_instr_ssa_def(instr);
         if (def && u->constant[def->index])
            continue;
         u->silent[b] = false;
         u->cost[b] += instr->type != nir_instr_type_phi;
      }
   }
}

/* --- Evaluation ------------------------------------------------------------------------- */

static struct value
known(uint64_t bits)
{
   return (struct value){KNOWN, bits, NULL};
}

static struct value
env_value(const struct undo *u, int root)
{
   unsigned i = 0;

   if (!BITSET_TEST(u->live[u->at->flat], (unsigned)root))
      return (struct value){UNKNOWN, 0, NULL};
   for (unsigned w = 0; w < (unsigned)root / BITSET_WORDBITS; w++)
      i += (unsigned)__builtin_popcount(u->live[u->at->flat][w]);
   for (unsigned b = (unsigned)root & ~31u; b < (unsigned)root; b++)
      i += BITSET_TEST(u->live[u->at->flat], b);
   return u->at->env[i];
}

static struct value evaluate(struct undo *u, const nir_ssa_def *def,
                             unsigned depth);

static struct value
evaluate_select(struct undo *u, const nir_alu_instr *alu, unsigned depth)
{
   nir_ssa_def *c = alu->src[0].src.ssa;
   const struct value cond = evaluate(u, c, depth + 1);

   if (cond.known == KNOWN)
      return evaluate(u, alu->src[cond.bits ? 1 : 2].src.ssa, depth + 1);
   for (unsigned i = 0; i < u->num_assumed; i++) {
      if (u->assumed[i].cond == c)
         return evaluate(u, alu->src[u->assumed[i].value ? 1 : 2].src.ssa,
                         depth + 1);
   }
   const struct value a = evaluate(u, alu->src[1].src.ssa, depth + 1);
   const struct value b = evaluate(u, alu->src[2].src.ssa, depth + 1);
   if (a.known == KNOWN && b.known == KNOWN && a.bits == b.bits)
      return a;
   if (a.known == UNKNOWN && b.known == UNKNOWN)
      return a;
   return (struct value){NEEDS_FORK, 0, c};
}

static struct value
evaluate_alu(struct undo *u, const nir_alu_instr *alu, unsigned depth)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   nir_const_value in[NIR_ALU_MAX_INPUTS], out;
   nir_const_value *srcs[NIR_ALU_MAX_INPUTS];
   struct value unknown = {UNKNOWN, 0, NULL};
   unsigned bit_size = alu->dest.dest.ssa.bit_size;
   bool all = true;

   if (alu->op == nir_op_bcsel)
      return evaluate_select(u, alu, depth);
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_ssa_def *src = alu->src[i].src.ssa;
      const struct value v = evaluate(u, src, depth + 1);
      all &= v.known == KNOWN;
      if (v.known == KNOWN && src->bit_size == 1 &&
          ((alu->op == nir_op_iand && !v.bits) ||
           (alu->op == nir_op_ior && v.bits)))
         return v;
      in[i] = nir_const_value_for_raw_uint(v.bits, src->bit_size);
      srcs[i] = &in[i];
      if (!nir_alu_type_get_type_size(info->input_types[i]))
         bit_size = src->bit_size;
   }
   if (!all)
      return unknown;
   memset(&out, 0, sizeof(out));
   nir_eval_const_opcode(alu->op, &out, 1, bit_size, srcs, 0);
   return known(nir_const_value_as_uint(out, alu->dest.dest.ssa.bit_size));
}

static struct value
evaluate(struct undo *u, const nir_ssa_def *def, unsigned depth)
{
   const nir_instr *instr = def->parent_instr;

   for (unsigned i = 0; i < u->num_assumed; i++) {
      if (u->assumed[i].cond == def)
         return known(u->assumed[i].value);
   }
   if (def->num_components != 1)
      return (struct value){UNKNOWN, 0, NULL};
   if (depth > MAX_EVAL_DEPTH || ++u->steps > MAX_EVAL_STEPS) {
      /* What is known must be found to be known. */
      u->too_big = true;
      return (struct value){UNKNOWN, 0, NULL};
   }
   if (instr->type == nir_instr_type_load_const)
      return known(nir_const_value_as_uint(
         nir_instr_as_load_const(instr)->value[0], def->bit_size));
   if (instr->type == nir_instr_type_phi && u->root_of[def->index] >= 0)
      return env_value(u, u->root_of[def->index]);
   if (is_scalar_alu(def))
      return evaluate_alu(u, nir_instr_as_alu(instr), depth);
   return (struct value){UNKNOWN, 0, NULL};
}

/* --- Variants ---------------------------------------------------------------------------- */

/* What is known behind the phis at the end of an edge. False: `fork` is the
 * condition to branch on first. */
static bool
next_env(struct undo *u, const struct cfg_edge *e, struct value *env,
         nir_ssa_def **fork)
{
   unsigned n = 0;

   BITSET_FOREACH_SET(root, u->live[e->to], (unsigned)num_roots(u)) {
      const struct root *r = root_at(u, (int)root);
      if (r->block != e->to) {
         env[n++] = env_value(u, (int)root);
         continue;
      }
      nir_src *src = cfg_phi_src(u->flat, r->phi, e->from_flat);
      u->steps = 0;
      struct value v = evaluate(u, src->ssa, 0);
      if (v.known == NEEDS_FORK && u->num_assumed < MAX_FORKS) {
         *fork = v.fork;
         return false;
      }
      if (v.known != KNOWN)
         v = (struct value){UNKNOWN, 0, NULL};
      env[n++] = v;
   }
   return true;
}

static struct variant *
get_variant(struct undo *u, int flat, const struct value *env)
{
   const unsigned n = bitset_count(u->live[flat], u->words);
   uint32_t size = 0;

   u->key[size++] = (uint64_t)flat;
   for (unsigned i = 0; i < n; i++) {
      u->key[size++] = env[i].known;
      u->key[size++] = env[i].bits;
   }
   size *= sizeof(*u->key);
   struct variant *v = hash_table_get_bytes(&u->variants, u->key, size);
   if (v)
      return v;
   v = arena_new(u->arena, struct variant);
   v->flat = flat;
   v->node = CFG_NONE;
   v->env = arena_memdup(u->arena, env, n * sizeof(*env) + 1);
   hash_table_insert_bytes(&u->variants,
                           arena_memdup(u->arena, u->key, size), size, v);
   return v;
}

static int
get_node(struct undo *u, struct variant *v)
{
   if (v->node != CFG_NONE)
      return v->node;
   v->node = cfg_add_node(u->out, v->flat);
   u->left -= u->cost[v->flat];
   u->too_big |= u->left < 0 ||
                 v->node > MAX_VARIANTS * (cfg_num_nodes(u->g) + 64);
   util_dynarray_append(&u->work, struct variant *, v);
   return v->node;
}

/* The only way on from a variant; NULL: there are two, or none. */
static const struct cfg_edge *
only_edge(struct undo *u, const struct variant *v)
{
   const struct cfg_node *n = cfg_node(u->g, v->flat);

   if (n->num_succ < 2)
      return n->num_succ ? &n->succ[0] : NULL;
   u->at = v;
   u->num_assumed = 0;
   u->steps = 0;
   const struct value cond = evaluate(u, n->cond, 0);
   return cond.known == KNOWN ? &n->succ[!cond.bits] : NULL;
}

/* Nothing that the block asks is left open. */
static bool
is_silent(const struct undo *u, const struct variant *v)
{
   const unsigned n = bitset_count(u->live[v->flat], u->words);

   for (unsigned i = 0; i < n; i++) {
      if (v->env[i].known != KNOWN)
         return false;
   }
   return u->silent[v->flat];
}

static void
count_state(struct undo *u, const struct cfg_edge *e,
            const struct value *env)
{
   unsigned n = 0;

   BITSET_FOREACH_SET(root, u->live[e->to], (unsigned)num_roots(u)) {
      const struct root *r = root_at(u, (int)root);
      if (r->block == e->to && r->phi->dest.ssa.bit_size > 1 &&
          env[n].known == KNOWN && is_carried(u, e->to)) {
         u->stats->states_undone++;
         return;
      }
      n++;
   }
}

/* Where an edge of `from` leads, past blocks that only ask. */
static void
set_edge(struct undo *u, const struct variant *from, struct cfg_edge e,
         int node, unsigned s)
{
   const struct assumption none = {NULL, false};
   struct arena *arena = arena_create(NULL);
   struct value *env = arena_new_array(arena, struct value,
                                       num_roots(u) + 1);
   struct assumption assumed[MAX_FORKS] = {none};
   const unsigned num = u->num_assumed;
   nir_ssa_def *fork = NULL;

   memcpy(assumed, u->assumed, sizeof(assumed));
   u->at = from;
   for (int steps = 0; next_env(u, &e, env, &fork); steps++) {
      struct variant *v = get_variant(u, e.to, env);
      const struct cfg_edge *on;
      count_state(u, &e, env);
      if (v->node == CFG_NONE && is_silent(u, v) &&
          steps < 4 * cfg_num_nodes(u->g) && (on = only_edge(u, v))) {
         /* What is assumed holds for the phis of this edge only. */
         u->num_assumed = 0;
         u->at = v;
         e = *on;
         continue;
      }
      const int to = get_node(u, v);
      struct cfg_edge *out = &cfg_node(u->out, node)->succ[s];
      *out = e;
      out->to = to;
      arena_destroy(arena);
      return;
   }
   /* A branch on what chooses between states. */
   const struct variant *at = u->at;
   const int branch = cfg_add_node(u->out, CFG_NONE);
   cfg_node(u->out, branch)->num_succ = 2;
   cfg_node(u->out, branch)->cond = fork;
   cfg_node(u->out, node)->succ[s] =
      cfg_edge(branch, CFG_NONE, CFG_NONE);
   const unsigned base = at == from ? num : 0;
   for (unsigned k = 0; k < 2; k++) {
      memcpy(u->assumed, assumed, sizeof(assumed));
      u->assumed[base] = (struct assumption){fork, !k};
      u->num_assumed = base + 1;
      set_edge(u, at, e, branch, k);
   }
   arena_destroy(arena);
}

static void
expand(struct undo *u, struct variant *v)
{
   const struct cfg_node *n = cfg_node(u->g, v->flat);
   const struct cfg_edge *only = only_edge(u, v);

   cfg_node(u->out, v->node)->num_succ = only ? 1 : n->num_succ;
   if (only) {
      u->num_assumed = 0;
      set_edge(u, v, *only, v->node, 0);
      return;
   }
   cfg_node(u->out, v->node)->cond = n->cond;
   for (unsigned s = 0; s < n->num_succ; s++) {
      u->num_assumed = 0;
      set_edge(u, v, n->succ[s], v->node, s);
   }
}

/* --- All ---------------------------------------------------------------------------------- */

static bool
find_dispatchers(struct undo *u)
{
   bool any = false;

   find_roots(u);
   find_relevant(u);
   for (int i = 0; i < u->info.num && !any; i++)
      any = is_dispatcher(u, u->info.order[i]);
   return any;
}

static void
specialize(struct undo *u)
{
   static const struct value none;
   struct variant *root = get_variant(u, u->g->root, &none);

   u->out->root = get_node(u, root);
   while (!u->too_big && util_dynarray_num_elements(&u->work,
                                                    struct variant *))
      expand(u, util_dynarray_pop(&u->work, struct variant *));
}

struct cfg *
cfg_undo_dispatch(struct cfg *g, struct nir_structurize_stats *stats)
{
   struct arena *arena = arena_create(NULL);
   const int n = cfg_num_nodes(g);
   struct undo u = {.g = g, .flat = g->flat, .arena = arena, .stats = stats};
   struct cfg *result = NULL;

   cfg_analyze(g, &u.info, arena);
   u.root_of = arena_new_array(arena, int, g->flat->num_defs + 1);
   for (unsigned i = 0; i <= g->flat->num_defs; i++)
      u.root_of[i] = -1;
   hash_table_init(&u.variants);
   if (find_dispatchers(&u)) {
      u.out = arena_new(g->arena, struct cfg);
      u.out->arena = g->arena;
      u.out->flat = g->flat;
      u.constant = arena_new_array(arena, int8_t, g->flat->num_defs + 1);
      u.silent = arena_new_array(arena, bool, n);
      u.cost = arena_new_array(arena, int, n);
      u.key = arena_new_array(arena, uint64_t, 2 * num_roots(&u) + 2);
      find_live(&u);
      find_constant(&u);
      find_silent(&u);
      for (int i = 0; i < u.info.num; i++)
         u.left += 2 * u.cost[u.info.order[i]] + 4;
      specialize(&u);
      if (u.too_big) {
         cfg_destroy(u.out);
         stats->states_undone = 0;
      } else {
         result = u.out;
      }
   }
   util_dynarray_fini(&u.roots);
   util_dynarray_fini(&u.work);
   hash_table_finish(&u.variants);
   arena_destroy(arena);
   return result;
}
