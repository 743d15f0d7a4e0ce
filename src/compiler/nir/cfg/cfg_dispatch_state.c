/* SPDX-License-Identifier: MIT */
/* What the state of a dispatch loop is, where it matters, and which blocks do
 * nothing but ask for it: see cfg_dispatch.c. */
#include "cfg/cfg_dispatch.h"

#define MAX_DEPTH 64   /* of operations in one another */
#define MAX_TABLE 4096 /* elements */
#define SELECTS 3      /* constants that a dispatcher compares with */

/* --- Tables ----------------------------------------------------------- */

/* The variable of an element, and which one; -1: not known. */
static nir_variable *
element_of(nir_deref_instr *d, int64_t *index)
{
   nir_deref_instr *parent;

   if (d->deref_type != nir_deref_type_array)
      return NULL;
   parent = nir_deref_parent(d);
   if (!parent || parent->deref_type != nir_deref_type_var ||
       !glsl_type_is_array(parent->type))
      return NULL;
   *index = nir_use_is_const(d->index) ? (int64_t)nir_use_as_uint(d->index)
                                       : -1;
   return parent->var;
}

/* An access to the variable: whether it leaves a table of it. */
static bool
note_access(struct table *t, nir_intrinsic_instr *intr, bool *set)
{
   nir_const_value v;
   int64_t i;

   if (intr->intrinsic == nir_intrinsic_load_deref)
      return element_of(nir_use_as_deref(intr->src[0]), &i) == t->var;
   if (intr->intrinsic != nir_intrinsic_store_deref ||
       element_of(nir_use_as_deref(intr->src[0]), &i) != t->var || i < 0 ||
       i >= (int64_t)t->length || !nir_use_is_const(intr->src[1]) ||
       t->var->constant_initializer)
      return false;
   v = nir_use_constant(intr->src[1])[0];
   if (set[i] && v.u64 != t->value[i].u64)
      return false;
   t->value[i] = v;
   set[i] = true;
   return true;
}

/* Whether an instruction uses the variable otherwise than element by element,
 * or sets an element to something else than before. What is read before it is
 * set may be anything. */
static bool
is_table(struct undo *u, struct table *t, bool *set)
{
   for (int b = 0; b < u->flat->num_blocks; b++) {
      nir_foreach_instr(instr, u->flat->blocks[b].block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         for (unsigned i = 0;
              i < nir_intrinsic_infos[intr->intrinsic].num_srcs; i++) {
            nir_deref_instr *d = nir_use_as_deref(intr->src[i]);
            if (d && nir_deref_root(d) == t->var &&
                !note_access(t, intr, set))
               return false;
         }
      }
   }
   return true;
}

static struct table *
make_table(struct undo *u, nir_variable *var)
{
   const struct glsl_type *element = glsl_get_array_element(var->type);
   const nir_constant *c = var->constant_initializer;
   struct table *t = arena_new(u->arena, struct table);
   bool *set;

   if (!glsl_type_is_vector_or_scalar(element) ||
       glsl_get_vector_elements(element) != 1 ||
       glsl_get_length(var->type) > MAX_TABLE)
      return NULL;
   t->var = var;
   t->length = glsl_get_length(var->type);
   t->value = arena_new_array(u->arena, nir_const_value, t->length);
   set = arena_new_array(u->arena, bool, t->length);
   for (unsigned i = 0; c && i < t->length && i < c->num_elements; i++)
      t->value[i] = c->elements[i]->values[0];
   return is_table(u, t, set) ? t : NULL;
}

const struct table *
cfg_undo_table(struct undo *u, const nir_value *def)
{
   const nir_instr *instr = def->instr;
   nir_variable *var;
   int64_t index;

   if (instr->kind != nir_kind_intrinsic)
      return NULL;
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic((nir_instr *)instr);
   if (intr->intrinsic != nir_intrinsic_load_deref ||
       def->num_components != 1)
      return NULL;
   var = element_of(nir_use_as_deref(intr->src[0]), &index);
   if (!var ||
       (var->data.mode != nir_var_function_temp &&
        !(var->constant_initializer &&
          var->data.mode & (nir_var_shader_temp | nir_var_mem_constant))))
      return NULL;
   if (!hash_table_has(&u->tables, hash_key_ptr(var)))
      hash_table_insert(&u->tables, hash_key_ptr(var), make_table(u, var));
   return hash_table_get(&u->tables, hash_key_ptr(var));
}

/* --- What is state ---------------------------------------------------- */

static bool
alu_operands(const nir_alu_instr *alu, struct operands *o)
{
   if (alu->instr.result.num_components != 1 ||
       (nir_op_is_vec(alu->op) && alu->op != nir_op_mov) ||
       nir_op_is_derivative(alu->op))
      return false;
   for (o->num = 0; o->num < nir_op_infos[alu->op].num_inputs; o->num++) {
      o->def[o->num] = alu->src[o->num].use.value;
      if (o->def[o->num]->num_components != 1)
         return false;
   }
   return true;
}

bool
cfg_undo_operands(struct undo *u, const nir_value *def, struct operands *o)
{
   const nir_instr *instr = def->instr;

   if (instr->kind == nir_kind_alu)
      return alu_operands(nir_instr_as_alu((nir_instr *)instr), o);
   if (!cfg_undo_table(u, def))
      return false;
   o->num = 1;
   o->def[0] =
      nir_use_as_deref(nir_instr_as_intrinsic((nir_instr *)instr)->src[0])
         ->index.value;
   return true;
}

/* Constants, roots, and what is computed from these; `computes`: not just by
 * selects and copies. */
static bool
may_be_state(struct undo *u, const nir_value *def, bool computes,
             unsigned depth)
{
   const nir_instr *instr = def->instr;
   unsigned first = 0;
   struct operands o;

   if (instr->kind == nir_kind_load_const || instr->kind == nir_kind_undef)
      return true;
   if (instr->kind == nir_kind_phi)
      return u->root_of[def->index] >= 0;
   if (depth == MAX_DEPTH || !cfg_undo_operands(u, def, &o))
      return false;
   if (instr->kind == nir_kind_alu &&
       nir_instr_as_alu((nir_instr *)instr)->op == nir_op_bcsel)
      first = 1; /* the graph may branch on the condition */
   else if (!computes &&
            (instr->kind != nir_kind_alu ||
             nir_instr_as_alu((nir_instr *)instr)->op != nir_op_mov))
      return false;
   for (unsigned i = first; i < o.num; i++) {
      if (!may_be_state(u, o.def[i], computes, depth + 1))
         return false;
   }
   return true;
}

static bool
phi_is_state(struct undo *u, nir_phi_instr *phi, bool computes)
{
   nir_foreach_phi_source(src, phi) {
      if (!may_be_state(u, src->use.value, computes, 0))
         return false;
   }
   return true;
}

/* Drops phis that are made of something else, and those that this takes the
 * ground from. */
static void
drop_others(struct undo *u)
{
   for (bool changed = true; changed;) {
      changed = false;
      util_dynarray_foreach(&u->roots, struct root, r) {
         int *index = &u->root_of[r->phi->instr.result.index];
         if (*index >= 0 && !phi_is_state(u, r->phi, r->computes)) {
            *index = -1;
            changed = true;
         }
      }
   }
}

/* The largest set of phis that are made of constants and each other. */
static void
find_roots(struct undo *u)
{
   for (int i = 0; i < u->info.num; i++) {
      const int b = u->info.order[i];
      nir_foreach_phi(phi, u->flat->blocks[b].block) {
         if (phi->instr.result.num_components != 1)
            continue;
         u->root_of[phi->instr.result.index] = cfg_undo_num_roots(u);
         util_dynarray_append(&u->roots, struct root,
                              ((struct root) { phi, b, true }));
      }
   }
   drop_others(u);
}

static bool
is_select(const nir_value *def)
{
   return def->instr->kind == nir_kind_alu &&
          nir_instr_as_alu(def->instr)->op == nir_op_bcsel;
}

/* Calls `note` for each root that the value depends on; without `choices`
 * not for what selects only choose by. */
static void
visit_roots(struct undo *u, const nir_value *def, bool choices,
            void (*note)(struct undo *u, int root, void *data), void *data)
{
   struct util_dynarray work = { 0 };
   unsigned steps = 0;
   struct operands o;

   util_dynarray_append(&work, const nir_value *, def);
   while (util_dynarray_num_elements(&work, const nir_value *)) {
      const nir_value *d = util_dynarray_pop(&work, const nir_value *);
      if (d->instr->kind == nir_kind_phi) {
         if (u->root_of[d->index] >= 0)
            note(u, u->root_of[d->index], data);
         continue;
      }
      /* What is shared is seen again: a bound, for odd expressions. */
      if (!cfg_undo_operands(u, d, &o) || ++steps > 4096)
         continue;
      for (unsigned i = is_select(d) && !choices; i < o.num; i++)
         util_dynarray_append(&work, const nir_value *, o.def[i]);
   }
   util_dynarray_fini(&work);
}

/* Adds a root to what is looked at next, once. */
struct closure {
   struct util_dynarray work; /* int */
   bool *seen;                /* by root */
   bool choices;              /* see visit_roots() */
};

static void
note_closure(struct undo *u, int root, void *data)
{
   struct closure *c = data;

   if (c->seen[root])
      return;
   c->seen[root] = true;
   util_dynarray_append(&c->work, int, root);
}

/* Completes the closure: all roots that those in it come from. */
static void
close_roots(struct undo *u, struct closure *c)
{
   while (util_dynarray_num_elements(&c->work, int)) {
      const int root = util_dynarray_pop(&c->work, int);
      nir_foreach_phi_source(src, cfg_undo_root(u, root)->phi)
         visit_roots(u, src->use.value, c->choices, note_closure, c);
   }
   util_dynarray_fini(&c->work);
}

static struct closure
new_closure(struct undo *u, bool choices)
{
   return (struct closure) { .choices = choices,
                             .seen = arena_new_array(
                                u->arena, bool, cfg_undo_num_roots(u) + 1) };
}

/* By value: the first constants that branches compare it with. */
struct asked {
   uint64_t constant[SELECTS];
   unsigned num;
};

bool
cfg_is_integer_comparison(nir_op op)
{
   switch (op) {
   case nir_op_ieq:
   case nir_op_ine:
   case nir_op_ilt:
   case nir_op_ige:
   case nir_op_ult:
   case nir_op_uge: return true;
   default: return false;
   }
}

static void
note_constant(struct asked *a, uint64_t v)
{
   for (unsigned i = 0; i < a->num; i++) {
      if (a->constant[i] == v)
         return;
   }
   if (a->num < SELECTS)
      a->constant[a->num++] = v;
}

/* A value that branches compare with several constants is asked which of
 * several things comes next, as a switch asks. */
static void
note_asked(struct undo *u, const nir_value *cond, struct asked *asked)
{
   struct operands o;

   if (!cfg_undo_operands(u, cond, &o))
      return;
   if (cond->instr->kind != nir_kind_alu)
      return;
   const nir_op op = nir_instr_as_alu(cond->instr)->op;
   if (op == nir_op_inot || op == nir_op_ior || op == nir_op_iand) {
      for (unsigned i = 0; i < o.num; i++)
         note_asked(u, o.def[i], asked);
      return;
   }
   if (!cfg_is_integer_comparison(op))
      return;
   for (unsigned i = 0; i < 2; i++) {
      const nir_instr *other = o.def[!i]->instr;
      if (other->kind == nir_kind_load_const &&
          may_be_state(u, o.def[i], true, 0))
         note_constant(
            &asked[o.def[i]->index],
            nir_const_value_as_uint(
               nir_instr_as_load_const((nir_instr *)other)->value[0],
               o.def[i]->bit_size));
   }
}

/* Arithmetic is followed for what a dispatcher asks for, and what that comes
 * from, alone: so no loop that merely counts is unrolled. */
static void
find_computed(struct undo *u)
{
   struct asked *asked =
      arena_new_array(u->arena, struct asked, u->flat->num_defs + 1);
   struct closure c = new_closure(u, false);

   for (int i = 0; i < u->info.num && !u->no_arithmetic; i++) {
      const struct cfg_node *node = cfg_node(u->g, u->info.order[i]);
      if (node->num_succ == 2)
         note_asked(u, node->cond, asked);
   }
   for (int i = 0; i < u->info.num; i++) {
      nir_foreach_instr(instr, u->flat->blocks[u->info.order[i]].block) {
         nir_value *def = nir_instr_value(instr);
         if (def && asked[def->index].num == SELECTS)
            visit_roots(u, def, false, note_closure, &c);
      }
   }
   close_roots(u, &c);
   for (int i = 0; i < cfg_undo_num_roots(u); i++)
      cfg_undo_root(u, i)->computes = c.seen[i];
   drop_others(u);
}

/* Roots that decide branches, and those that these come from. */
static void
find_relevant(struct undo *u)
{
   struct closure c = new_closure(u, true);

   for (int i = 0; i < u->info.num; i++) {
      const struct cfg_node *n = cfg_node(u->g, u->info.order[i]);
      if (n->num_succ == 2)
         visit_roots(u, n->cond, true, note_closure, &c);
   }
   close_roots(u, &c);
   for (int i = 0; i < cfg_undo_num_roots(u); i++) {
      if (!c.seen[i])
         u->root_of[cfg_undo_root(u, i)->phi->instr.result.index] = -1;
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
      if (phi->instr.result.bit_size > 1 &&
          u->root_of[phi->instr.result.index] >= 0)
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
      const int root = u->root_of[phi->instr.result.index];
      if (root >= 0)
         BITSET_CLEAR(set, (unsigned)root);
   }
   nir_foreach_phi(phi, u->flat->blocks[e->to].block) {
      const int root = u->root_of[phi->instr.result.index];
      if (root < 0 || !BITSET_TEST(u->live[e->to], (unsigned)root))
         continue;
      nir_use *src = cfg_phi_src(u->flat, phi, e->from_flat);
      visit_roots(u, src->value, true, note_live, set);
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
         visit_roots(u, node->cond, true, note_live, u->live[b]);
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
   struct operands o;

   for (int i = 0; i < u->info.num; i++) {
      nir_foreach_instr(instr, u->flat->blocks[u->info.order[i]].block) {
         nir_value *def = nir_instr_value(instr);
         if (!def)
            continue;
         if (instr->kind == nir_kind_phi)
            u->constant[def->index] = u->root_of[def->index] >= 0;
         else if (instr->kind == nir_kind_load_const ||
                  instr->kind == nir_kind_undef)
            u->constant[def->index] = 1;
         if (!cfg_undo_operands(u, def, &o))
            continue;
         u->constant[def->index] = 1;
         for (unsigned k = 0; k < o.num; k++)
            u->constant[def->index] &= u->constant[o.def[k]->index];
      }
   }
}

/* Everything that reads the value is a question about the state, too. */
static bool
is_question(const struct undo *u, nir_value *def)
{
   if (!u->constant[def->index])
      return false;
   nir_foreach_instr_use(src, def) {
      nir_value *user = nir_instr_value(src->instr);
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
            nir_value *def = nir_instr_value(instr);
            if (def && u->constant[def->index] == 1 && !is_question(u, def) &&
                instr->kind != nir_kind_load_const &&
                instr->kind != nir_kind_undef) {
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
         nir_value *def = nir_instr_value(instr);
         if (def && u->constant[def->index])
            continue;
         u->silent[b] = false;
         u->cost[b] += instr->kind != nir_kind_phi;
      }
   }
}

/* --- All -------------------------------------------------------------- */

bool
cfg_undo_find_state(struct undo *u)
{
   bool any = false;

   find_roots(u);
   find_computed(u);
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
