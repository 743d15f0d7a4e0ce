/* SPDX-License-Identifier: MIT */
/* What the state of a dispatch loop is, where it matters, and which blocks do
 * nothing but ask for it: see cfg_dispatch.c. */
#include "cfg/cfg_dispatch.h"

#define MAX_DEPTH 64 /* of selects in one another */

/* --- What is state ---------------------------------------------------- */

bool
cfg_undo_is_scalar(const nir_ssa_def *def)
{
   const nir_instr *instr = def->parent_instr;

   if (instr->type != nir_instr_type_alu || def->num_components != 1)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   if (nir_op_is_vec(alu->op) && alu->op != nir_op_mov)
      return false;
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      if (alu->src[i].src.ssa->num_components != 1)
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
   if (!cfg_undo_is_scalar(def) || depth == MAX_DEPTH)
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
         u->root_of[phi->dest.ssa.index] = cfg_undo_num_roots(u);
         util_dynarray_append(&u->roots, struct root,
                              ((struct root) { phi, b, false }));
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
   struct util_dynarray work = { 0 };
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
      if (!cfg_undo_is_scalar(d) || ++steps > 4096)
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
   if (cfg_undo_root(u, root)->relevant)
      return;
   cfg_undo_root(u, root)->relevant = true;
   util_dynarray_append((struct util_dynarray *)work, int, root);
}

/* Roots that decide branches, and those that these come from. */
static void
find_relevant(struct undo *u)
{
   struct util_dynarray work = { 0 };

   for (int i = 0; i < u->info.num; i++) {
      const struct cfg_node *n = cfg_node(u->g, u->info.order[i]);
      if (n->num_succ == 2)
         visit_roots(u, n->cond, note_relevant, &work);
   }
   while (util_dynarray_num_elements(&work, int)) {
      const int root = util_dynarray_pop(&work, int);
      nir_foreach_phi_src(src, cfg_undo_root(u, root)->phi)
         visit_roots(u, src->src.ssa, note_relevant, &work);
   }
   util_dynarray_fini(&work);
   util_dynarray_foreach(&u->roots, struct root, r) {
      if (!r->relevant)
         u->root_of[r->phi->dest.ssa.index] = -1;
   }
}

bool
cfg_undo_is_carried(const struct undo *u, int block)
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
   if (!cfg_undo_is_carried(u, block))
      return false;
   nir_foreach_phi(phi, u->flat->blocks[block].block) {
      if (phi->dest.ssa.bit_size > 1 && u->root_of[phi->dest.ssa.index] >= 0)
         return true;
   }
   return false;
}

/* --- Where it matters ------------------------------------------------- */

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

   u->words = BITSET_WORDS((unsigned)cfg_undo_num_roots(u) + 1);
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

/* --- What is left of a block ------------------------------------------ */

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
         if (!cfg_undo_is_scalar(def))
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
         nir_foreach_instr_reverse(instr,
                                   u->flat->blocks[u->info.order[i]].block) {
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

/* --- All -------------------------------------------------------------- */

bool
cfg_undo_find_state(struct undo *u)
{
   bool any = false;

   find_roots(u);
   find_relevant(u);
   for (int i = 0; i < u->info.num && !any; i++)
      any = is_dispatcher(u, u->info.order[i]);
   return any;
}

void
cfg_undo_analyze(struct undo *u)
{
   const int n = cfg_num_nodes(u->g);

   u->constant = arena_new_array(u->arena, int8_t, u->flat->num_defs + 1);
   u->silent = arena_new_array(u->arena, bool, n);
   u->cost = arena_new_array(u->arena, int, n);
   find_live(u);
   find_constant(u);
   find_silent(u);
}
