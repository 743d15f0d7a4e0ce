/* SPDX-License-Identifier: MIT */
/*
 * Dispatch loops undone: loop { switch (state) } becomes the graph that it
 * runs, by partial evaluation. A node of the new graph is a block together
 * with what is known of the state there (polyvariant specialization: Jones,
 * Gomard, Sestoft, "Partial Evaluation and Automatic Program Generation",
 * 1993, chapter 4); a branch that the state decides is a goto.
 *
 * State is what phis make of constants, by way of selects and other such
 * phis. Of what a dispatcher asks for, a value that branches compare with
 * three constants or more, and of what that comes from, arithmetic and reads
 * of constant arrays are followed, too; of other phis they are not, so that
 * no loop which merely counts is unrolled. Where a select on something else
 * says which state comes next, the new graph branches. Blocks in which
 * nothing is left but questions about the state are not even made. A state
 * that is not known at some edge keeps the dispatch for that edge.
 *
 * Nothing is done unless a phi of an integer that a loop carries decides
 * branches, nor if the graph would grow by more than a bound.
 */
#include "cfg/cfg_dispatch.h"

#define MAX_EVAL_DEPTH 1024
#define MAX_EVAL_STEPS 20000
#define MAX_VARIANTS 256 /* of a block, as a mean: most hold but phis */

/* --- Evaluation ------------------------------------------------------- */

static struct value
known(uint64_t bits)
{
   return (struct value) { KNOWN, bits, NULL };
}

static struct value
env_value(const struct undo *u, int root)
{
   unsigned i = 0;

   if (!BITSET_TEST(u->live[u->at->flat], (unsigned)root))
      return (struct value) { UNKNOWN, 0, NULL };
   for (unsigned w = 0; w < (unsigned)root / BITSET_WORDBITS; w++)
      i += (unsigned)__builtin_popcount(u->live[u->at->flat][w]);
   for (unsigned b = (unsigned)root & ~31u; b < (unsigned)root; b++)
      i += BITSET_TEST(u->live[u->at->flat], b);
   return u->at->env[i];
}

static struct value evaluate(struct undo *u, const nir_value *def,
                             unsigned depth);

static struct value
evaluate_select(struct undo *u, const nir_alu_instr *alu, unsigned depth)
{
   nir_value *c = alu->src[0].use.value;
   const struct value cond = evaluate(u, c, depth + 1);

   if (cond.known == KNOWN)
      return evaluate(u, alu->src[cond.bits ? 1 : 2].use.value, depth + 1);
   for (unsigned i = 0; i < u->num_assumed; i++) {
      if (u->assumed[i].cond == c)
         return evaluate(u, alu->src[u->assumed[i].value ? 1 : 2].use.value,
                         depth + 1);
   }
   const struct value a = evaluate(u, alu->src[1].use.value, depth + 1);
   const struct value b = evaluate(u, alu->src[2].use.value, depth + 1);
   if (a.known == KNOWN && b.known == KNOWN && a.bits == b.bits)
      return a;
   if (a.known == UNKNOWN && b.known == UNKNOWN)
      return a;
   return (struct value) { NEEDS_FORK, 0, c };
}

static struct value
evaluate_alu(struct undo *u, const nir_alu_instr *alu, unsigned depth)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   nir_const_value in[NIR_ALU_MAX_INPUTS], out;
   nir_const_value *srcs[NIR_ALU_MAX_INPUTS];
   struct value open = { KNOWN, 0, NULL };
   unsigned bit_size = alu->instr.result.bit_size;

   if (alu->op == nir_op_bcsel)
      return evaluate_select(u, alu, depth);
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_value *src = alu->src[i].use.value;
      const struct value v = evaluate(u, src, depth + 1);
      if (v.known == UNKNOWN || open.known == KNOWN)
         open = v;
      if (v.known == KNOWN && src->bit_size == 1 &&
          ((alu->op == nir_op_iand && !v.bits) ||
           (alu->op == nir_op_ior && v.bits)))
         return v;
      in[i] = nir_const_value_for_raw_uint(v.bits, src->bit_size);
      srcs[i] = &in[i];
      if (!nir_type_bits(info->input[i].type))
         bit_size = src->bit_size;
   }
   if (open.known != KNOWN)
      return open;
   memset(&out, 0, sizeof(out));
   nir_eval_const_opcode(alu->op, &out, 1, bit_size, srcs,
                         u->flat->shader->info.float_controls_execution_mode);
   return known(nir_const_value_as_uint(out, alu->instr.result.bit_size));
}

/* An element that is not there may be anything. */
static struct value
evaluate_table(struct undo *u, const struct table *t, const nir_value *def,
               const nir_value *index, unsigned depth)
{
   const struct value i = evaluate(u, index, depth + 1);

   if (i.known != KNOWN)
      return i;
   return known(i.bits < t->length
                   ? nir_const_value_as_uint(t->value[i.bits], def->bit_size)
                   : 0);
}

static struct value
evaluate(struct undo *u, const nir_value *def, unsigned depth)
{
   const nir_instr *instr = def->instr;
   struct operands o;

   for (unsigned i = 0; i < u->num_assumed; i++) {
      if (u->assumed[i].cond == def)
         return known(u->assumed[i].value);
   }
   if (def->num_components != 1)
      return (struct value) { UNKNOWN, 0, NULL };
   if (depth > MAX_EVAL_DEPTH || ++u->steps > MAX_EVAL_STEPS) {
      /* What is known must be found to be known. */
      u->too_big = true;
      return (struct value) { UNKNOWN, 0, NULL };
   }
   if (instr->kind == nir_kind_load_const)
      return known(nir_const_value_as_uint(
         nir_instr_as_load_const(instr)->value[0], def->bit_size));
   if (instr->kind == nir_kind_phi && u->root_of[def->index] >= 0)
      return env_value(u, u->root_of[def->index]);
   if (instr->kind == nir_kind_undef)
      return known(0);
   if (!cfg_undo_operands(u, def, &o))
      return (struct value) { UNKNOWN, 0, NULL };
   if (instr->kind == nir_kind_alu)
      return evaluate_alu(u, nir_instr_as_alu((nir_instr *)instr), depth);
   return evaluate_table(u, cfg_undo_table(u, def), def, o.def[0], depth);
}

/* --- Variants --------------------------------------------------------- */

/* What is known after the phis at the end of an edge. False: `fork` is the
 * condition to branch on first. */
static bool
next_env(struct undo *u, const struct cfg_edge *e, struct value *env,
         nir_value **fork)
{
   unsigned n = 0;

   BITSET_FOREACH_SET(root, u->live[e->to], (unsigned)cfg_undo_num_roots(u)) {
      const struct root *r = cfg_undo_root(u, (int)root);
      if (r->block != e->to) {
         env[n++] = env_value(u, (int)root);
         continue;
      }
      nir_use *src = cfg_phi_src(u->flat, r->phi, e->from_flat);
      u->steps = 0;
      struct value v = evaluate(u, src->value, 0);
      if (v.known == NEEDS_FORK && u->num_assumed < CFG_MAX_FORKS) {
         *fork = v.fork;
         return false;
      }
      if (v.known != KNOWN)
         v = (struct value) { UNKNOWN, 0, NULL };
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
   hash_table_insert_bytes(&u->variants, arena_memdup(u->arena, u->key, size),
                           size, v);
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
count_state(struct undo *u, const struct cfg_edge *e, const struct value *env)
{
   unsigned n = 0;

   BITSET_FOREACH_SET(root, u->live[e->to], (unsigned)cfg_undo_num_roots(u)) {
      const struct root *r = cfg_undo_root(u, (int)root);
      if (r->block == e->to && r->phi->instr.result.bit_size > 1 &&
          env[n].known == KNOWN && cfg_undo_is_carried(u, e->to)) {
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
   const struct assumption none = { NULL, false };
   struct arena *arena = arena_create(NULL);
   struct value *env =
      arena_new_array(arena, struct value, cfg_undo_num_roots(u) + 1);
   struct assumption assumed[CFG_MAX_FORKS] = { none };
   const unsigned num = u->num_assumed;
   nir_value *fork = NULL;

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
   cfg_node(u->out, node)->succ[s] = cfg_edge(branch, CFG_NONE, CFG_NONE);
   const unsigned base = at == from ? num : 0;
   for (unsigned k = 0; k < 2; k++) {
      memcpy(u->assumed, assumed, sizeof(assumed));
      u->assumed[base] = (struct assumption) { fork, !k };
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

/* --- All -------------------------------------------------------------- */

static void
specialize(struct undo *u)
{
   static const struct value none;
   struct variant *root = get_variant(u, u->g->root, &none);

   u->out->root = get_node(u, root);
   while (!u->too_big &&
          util_dynarray_num_elements(&u->work, struct variant *))
      expand(u, util_dynarray_pop(&u->work, struct variant *));
}

/* Lanes that come to one block by different ways come apart where it has
 * copies, and who shares a trip of a loop may change. */
static bool
keeps_convergence(const struct undo *u)
{
   struct arena *arena = arena_create(NULL);
   int *copies = arena_new_array(arena, int, u->flat->num_blocks);
   bool kept = true;

   for (int i = 0; i < cfg_num_nodes(u->out) && u->flat->convergent; i++) {
      const struct cfg_node *n = cfg_node(u->out, i);
      if (n->flat != CFG_NONE && cfg_node_is_convergent(u->out, i))
         kept &= !u->flat->blocks[n->flat].loop && !copies[n->flat]++;
   }
   arena_destroy(arena);
   return kept;
}

/* NULL: there is nothing to undo, or it gets too big, as *too_big says. */
static struct cfg *
undo(struct cfg *g, struct nir_structurize_stats *stats, bool no_arithmetic,
     bool keep_convergence, bool *too_big)
{
   struct arena *arena = arena_create(NULL);
   struct undo u = { .g = g,
                     .flat = g->flat,
                     .arena = arena,
                     .stats = stats,
                     .no_arithmetic = no_arithmetic };
   struct cfg *result = NULL;

   cfg_analyze(g, &u.info, arena);
   u.root_of = arena_new_array(arena, int, g->flat->num_defs + 1);
   for (unsigned i = 0; i <= g->flat->num_defs; i++)
      u.root_of[i] = -1;
   hash_table_init(&u.variants);
   hash_table_init(&u.tables);
   if (cfg_undo_find_state(&u)) {
      u.out = arena_new(g->arena, struct cfg);
      u.out->arena = g->arena;
      u.out->flat = g->flat;
      u.key =
         arena_new_array(arena, uint64_t, 2 * cfg_undo_num_roots(&u) + 2);
      cfg_undo_analyze(&u);
      for (int i = 0; i < u.info.num; i++)
         u.left += 2 * u.cost[u.info.order[i]] + 4;
      specialize(&u);
      if (u.too_big || (keep_convergence && !keeps_convergence(&u))) {
         cfg_destroy(u.out);
         stats->states_undone = 0;
      } else {
         result = u.out;
      }
   }
   util_dynarray_fini(&u.roots);
   util_dynarray_fini(&u.work);
   hash_table_finish(&u.variants);
   hash_table_finish(&u.tables);
   arena_destroy(arena);
   *too_big = u.too_big;
   return result;
}

/* What is too big may count: then without arithmetic. */
struct cfg *
cfg_undo_dispatch(struct cfg *g, bool keep_convergence,
                  struct nir_structurize_stats *stats)
{
   bool too_big;
   struct cfg *result = undo(g, stats, false, keep_convergence, &too_big);

   return result || !too_big
             ? result
             : undo(g, stats, true, keep_convergence, &too_big);
}
