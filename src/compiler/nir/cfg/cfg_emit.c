/* SPDX-License-Identifier: MIT */
/*
 * Lists of items as control flow of NIR, written down without recursion.
 *
 * The instructions of a node are appended to the block that is open; the
 * phis of flat blocks are variables, written where an edge is taken and read
 * where the node begins. What an edge writes is never what another phi of
 * the same block reads, so that neither swaps nor values that live on over a
 * back edge are lost.
 *
 * Where one side of an if always jumps, the other one follows the if: breaks
 * do not nest.
 */
#include "cfg/cfg_emit.h"

#include "cfg/structurize.h"
#include "nir_private.h"

enum task_kind {
   TASK_LIST,
   TASK_SECOND_SIDE,
   TASK_END_IF,
   TASK_END_LOOP,
};

struct task {
   enum task_kind kind;
   int item;              /* next of a list; the if or loop */
   struct list_head *out; /* where to go on */
   nir_cf_node *parent;
   nir_if *nif;
   int second; /* list */
   /* Lists: the guards around what is written now. */
   nir_if *guard;
   struct util_dynarray active; /* struct cfg_guard */
};

struct emit {
   struct cfg_tree *t;
   struct cfg *g;
   struct cfg_flat *flat;
   struct cfg_vars v;
   struct list_head *out;
   nir_cf_node *parent;
   nir_block *cur;
   bool dead;         /* cur ends in a jump */
   int *copies;       /* by flat block */
   nir_value **subst; /* by phi that is no variable */
   struct util_dynarray tasks;
   nir_value *constants[2];
};

/* --- Variables -------------------------------------------------------- */

static int
var_of_value(const nir_value *def)
{
   return (int)def->index;
}

static int
var_into_phi(const struct emit *e, const nir_phi_instr *phi)
{
   return (int)(e->flat->num_defs + phi->instr.result.index);
}

static int
var_of_predicate(const struct emit *e, int predicate)
{
   return (int)(2 * e->flat->num_defs) + predicate;
}

static bool
is_variable(const struct emit *e, const nir_value *def)
{
   return def->index < e->flat->num_defs &&
          e->copies[e->flat->block_of_def[def->index]] > 1;
}

static nir_value *
read_value(struct emit *e, nir_value *def)
{
   if (is_variable(e, def))
      return cfg_read(&e->v, var_of_value(def), e->cur, def->num_components,
                      def->bit_size);
   if (def->index < e->flat->num_defs && e->subst[def->index])
      return e->subst[def->index];
   return def;
}

static nir_value *
read_predicate(struct emit *e, int predicate)
{
   return cfg_read(&e->v, var_of_predicate(e, predicate), e->cur, 1, 1);
}

static void
set_predicate(struct emit *e, int predicate, bool value)
{
   if (!e->constants[value]) {
      nir_load_const_instr *c = nir_new_load_const(e->flat->shader, 1, 1);
      c->value[0] = nir_const_value_for_bool(value, 1);
      c->instr.block = *util_dynarray_element(&e->v.blocks, nir_block *, 0);
      list_add(&c->instr.node, &c->instr.block->instr_list);
      c->instr.result.index = e->v.impl->num_values++;
      e->constants[value] = &c->instr.result;
   }
   cfg_write(&e->v, var_of_predicate(e, predicate), e->cur,
             e->constants[value]);
}

/* --- Blocks ----------------------------------------------------------- */

static void
open_block(struct emit *e, nir_block *block)
{
   block->index =
      (unsigned)util_dynarray_num_elements(&e->v.blocks, nir_block *);
   util_dynarray_append(&e->v.blocks, nir_block *, block);
   e->cur = block;
   e->dead = false;
}

static void
new_block(struct emit *e)
{
   nir_block *block = nir_new_block(e->flat->shader);

   block->cf_node.parent = e->parent;
   list_addtail(&block->cf_node.node, e->out);
   open_block(e, block);
}

static void
add_node(struct emit *e, nir_cf_node *node)
{
   node->parent = e->parent;
   list_addtail(&node->node, e->out);
}

static void
put_jump(struct emit *e, nir_jump_type type)
{
   nir_jump_instr *jump = nir_new_jump(e->flat->shader, type);

   cfg_put(&e->v, e->cur, &jump->instr);
   e->dead = true;
}

static nir_if *
put_if(struct emit *e, nir_value *cond)
{
   nir_if *nif = nir_new_if(e->flat->shader);

   nif->condition = nir_use_of(cond);
   nif->condition.nif = nif;
   nir_use_link(&nif->condition);
   add_node(e, &nif->cf_node);
   return nif;
}

static void
enter_side(struct emit *e, nir_if *nif, bool other)
{
   e->parent = &nif->cf_node;
   e->out = other ? &nif->else_list : &nif->then_list;
   open_block(e, nir_cf_node_as_block(nir_cf_list_first(e->out)));
}

/* --- Edges ------------------------------------------------------------ */

static void
choose(struct emit *e, int group, int choice)
{
   if (group == CFG_NONE)
      return;
   const struct cfg_group *gr =
      util_dynarray_element(&e->g->groups, struct cfg_group, group);
   for (int bit = 0; bit < gr->bits; bit++)
      set_predicate(e, gr->first + bit, choice >> bit & 1);
}

/* What the phis at the end of an edge between flat blocks will be. */
static void
write_phis(struct emit *e, int from, int to)
{
   if (to == CFG_NONE)
      return;
   nir_foreach_phi(phi, e->flat->blocks[to].block) {
      nir_use *src = cfg_phi_src(e->flat, phi, from);
      assert(src && "a phi has a source for each edge");
      cfg_write(&e->v, var_into_phi(e, phi), e->cur,
                read_value(e, src->value));
   }
}

static void emit_flat(struct emit *e, int flat);

static void
take_edge(struct emit *e, const struct cfg_edge *edge, bool forward)
{
   const struct cfg_edge *arrival = &e->t->arrival[edge->to];

   write_phis(e, edge->from_flat, edge->to_flat);
   for (int v = edge->via; v != CFG_NONE;) {
      const struct cfg_via *via =
         util_dynarray_element(&e->g->vias, struct cfg_via, v);
      emit_flat(e, via->flat);
      write_phis(e, via->from_flat, via->to_flat);
      v = via->next;
   }
   choose(e, edge->group, edge->choice);
   if (forward)
      choose(e, arrival->group, arrival->choice);
}

/* Which of the predicates that leave the loop is meant: all but one not. */
static void
put_break(struct emit *e, int item, int predicate)
{
   const int loop = cfg_list(e->t, cfg_item(e->t, item)->list)->loop;
   const struct cfg_item *l = cfg_item(e->t, loop);

   if (l->through) {
      util_dynarray_foreach(l->through, int, p)
         set_predicate(e, *p, *p == predicate);
   }
   put_jump(e, nir_jump_break);
}

static void
emit_jump(struct emit *e, int i)
{
   const struct cfg_item *item = cfg_item(e->t, i);

   if (item->kind == CFG_JUMP)
      take_edge(e, item->edge, item->target >= 0);
   if (item->exit_predicate != CFG_NONE)
      set_predicate(e, item->exit_predicate, true);
   if (item->kind == CFG_RETURN && cfg_node_halts(e->g, item->node)) {
      put_jump(e, nir_jump_halt);
      return;
   }
   switch (item->how) {
   case CFG_FALLS: break;
   case CFG_BREAKS: put_break(e, i, item->exit_predicate); break;
   case CFG_CONTINUES: put_jump(e, nir_jump_continue); break;
   case CFG_RETURNS: put_jump(e, nir_jump_return); break;
   }
}

/* --- Instructions ----------------------------------------------------- */

static bool
set_src(nir_use *src, void *e_)
{
   src->value = read_value(e_, src->value);
   return true;
}

static void
put_copy(struct emit *e, nir_instr *instr)
{
   nir_instr *copy = nir_instr_clone(e->flat->shader, instr);
   nir_value *def;

   nir_visit_uses(copy, set_src, e);
   cfg_put(&e->v, e->cur, copy);
   def = nir_instr_value(copy);
   if (def)
      cfg_write(&e->v, var_of_value(nir_instr_value(instr)), e->cur, def);
}

static bool
rewrite_src(nir_use *src, void *e_)
{
   nir_value *def = read_value(e_, src->value);

   if (def != src->value)
      nir_set_use(src->instr, src, def);
   return true;
}

static void
put_phi(struct emit *e, nir_phi_instr *phi, bool copy)
{
   nir_value *x = &phi->instr.result;
   nir_value *in = cfg_read(&e->v, var_into_phi(e, phi), e->cur,
                            x->num_components, x->bit_size);

   if (copy) {
      cfg_write(&e->v, var_of_value(x), e->cur, in);
      return;
   }
   e->subst[x->index] = in;
   nir_value_replace(x, in);
}

static void
emit_flat(struct emit *e, int flat)
{
   if (flat == CFG_NONE)
      return;
   const bool copy = e->copies[flat] > 1;
   nir_foreach_instr_safe(instr, e->flat->blocks[flat].block) {
      if (instr->kind == nir_kind_phi) {
         put_phi(e, nir_instr_as_phi(instr), copy);
      } else if (copy) {
         put_copy(e, instr);
      } else {
         nir_visit_uses(instr, rewrite_src, e);
         list_del(&instr->node);
         instr->block = e->cur;
         list_addtail(&instr->node, &e->cur->instr_list);
      }
   }
}

static void
emit_block(struct emit *e, int node)
{
   for (;;) {
      const struct cfg_node *n = cfg_node(e->g, node);
      emit_flat(e, n->flat);
      if (n->rest == CFG_NONE)
         return;
      take_edge(e, &n->to_rest, false);
      node = n->rest;
   }
}

/* --- Ifs and loops ---------------------------------------------------- */

static void
push_task(struct emit *e, struct task task)
{
   util_dynarray_append(&e->tasks, struct task, task);
}

static void
push_list(struct emit *e, int list)
{
   push_task(e, (struct task) { .kind = TASK_LIST,
                                .item = cfg_list(e->t, list)->first });
}

/* A list that is nothing but a jump of NIR. */
static bool
only_jumps(const struct cfg_tree *t, int list)
{
   const struct cfg_item *i = cfg_item(t, cfg_list(t, list)->first);

   return (i->kind == CFG_JUMP || i->kind == CFG_RETURN) &&
          i->how != CFG_FALLS;
}

static void
emit_if(struct emit *e, int i)
{
   const struct cfg_item *item = cfg_item(e->t, i);
   const bool other = only_jumps(e->t, item->child[1]) &&
                      !only_jumps(e->t, item->child[0]);
   nir_value *cond = item->predicate != CFG_NONE
                        ? read_predicate(e, item->predicate)
                        : read_value(e, cfg_node(e->g, item->node)->cond);

   nir_if *nif = put_if(e, cond);
   push_task(e, (struct task) { .kind = TASK_SECOND_SIDE,
                                .out = e->out,
                                .parent = e->parent,
                                .nif = nif,
                                .item = !other,
                                .second = item->child[!other] });
   enter_side(e, nif, other);
   push_list(e, item->child[other]);
}

static void
emit_second_side(struct emit *e, struct task task)
{
   if (e->dead) {
      /* The other side stays empty. */
      enter_side(e, task.nif, task.item);
      e->out = task.out;
      e->parent = task.parent;
      new_block(e);
   } else {
      push_task(e, (struct task) { .kind = TASK_END_IF,
                                   .out = task.out,
                                   .parent = task.parent });
      enter_side(e, task.nif, task.item);
   }
   push_list(e, task.second);
}

static void
emit_loop(struct emit *e, int i)
{
   nir_loop *loop = nir_new_loop(e->flat->shader);
   nir_block *first = nir_cf_node_as_block(nir_cf_list_first(&loop->body));

   first->successors[0] = NULL;
   first->num_predecessors = 0;
   add_node(e, &loop->cf_node);
   push_task(e, (struct task) { .kind = TASK_END_LOOP,
                                .item = i,
                                .out = e->out,
                                .parent = e->parent });
   e->out = &loop->body;
   e->parent = &loop->cf_node;
   open_block(e, first);
   push_list(e, cfg_item(e->t, i)->child[0]);
}

static void
emit_end_loop(struct emit *e, struct task task)
{
   const struct cfg_item *item = cfg_item(e->t, task.item);

   if (item->one_trip && !e->dead)
      put_break(e, cfg_list(e->t, item->child[0])->first, CFG_NONE);
   e->out = task.out;
   e->parent = task.parent;
   new_block(e);
   for (int c = item->first_check; c != CFG_NONE;) {
      const struct cfg_check *check =
         util_dynarray_element(&e->t->checks, struct cfg_check, c);
      nir_if *nif = put_if(e, read_predicate(e, check->predicate));
      enter_side(e, nif, false);
      if (check->how == CFG_BREAKS)
         put_break(e, task.item, check->predicate);
      else
         put_jump(e, nir_jump_continue);
      open_block(e, nir_cf_node_as_block(nir_cf_list_first(&nif->else_list)));
      e->out = task.out;
      e->parent = task.parent;
      new_block(e);
      c = check->next;
   }
}

/* --- Guards ----------------------------------------------------------- */

static void
close_guard(struct emit *e, struct task *list)
{
   if (!list->guard)
      return;
   e->out = list->out;
   e->parent = list->parent;
   list->guard = NULL;
   new_block(e);
}

static void
open_guard(struct emit *e, struct task *list)
{
   nir_value *cond = NULL;

   util_dynarray_foreach(&list->active, struct cfg_guard, g) {
      nir_value *p = read_predicate(e, g->predicate);
      if (!cond) {
         cond = p;
         continue;
      }
      nir_alu_instr * or = nir_new_alu(e->flat->shader, nir_op_ior);
      or->src[0].use = nir_use_of(cond);
      or->src[1].use = nir_use_of(p);
      nir_set_result(& or->instr, 1, 1);
      cfg_put(&e->v, e->cur, & or->instr);
      cond = & or->instr.result;
   }
   if (!cond)
      return;
   list->guard = put_if(e, cond);
   list->out = e->out;
   list->parent = e->parent;
   open_block(
      e, nir_cf_node_as_block(nir_cf_list_first(&list->guard->then_list)));
   enter_side(e, list->guard, true);
}

/* Brings the guards up to date between `before` (CFG_NONE: the start) and
 * the item that comes now. */
static void
update_guards(struct emit *e, struct task *list, int before, int now)
{
   const size_t num =
      util_dynarray_num_elements(&list->active, struct cfg_guard);
   bool changed = false;
   size_t kept = 0;

   for (size_t i = 0; i < num; i++) {
      const struct cfg_guard g =
         *util_dynarray_element(&list->active, struct cfg_guard, i);
      if (g.until == now)
         changed = true;
      else
         *util_dynarray_element(&list->active, struct cfg_guard, kept++) = g;
   }
   list->active.size_B = kept * sizeof(struct cfg_guard);
   int g = CFG_NONE;
   if (before != CFG_NONE)
      g = cfg_item(e->t, before)->first_guard;
   while (g != CFG_NONE) {
      const struct cfg_guard *guard =
         util_dynarray_element(&e->t->guards, struct cfg_guard, g);
      util_dynarray_append(&list->active, struct cfg_guard, *guard);
      changed = true;
      g = guard->next;
   }
   if (changed) {
      close_guard(e, list);
      open_guard(e, list);
   }
}

/* --- Lists ------------------------------------------------------------ */

static void
emit_item(struct emit *e, int i)
{
   const struct cfg_item *item = cfg_item(e->t, i);

   assert(!e->dead && "an item that nothing leads to");
   for (int r = item->first_reset; r != CFG_NONE;) {
      const struct cfg_reset *reset =
         util_dynarray_element(&e->t->resets, struct cfg_reset, r);
      set_predicate(e, reset->predicate, false);
      r = reset->next;
   }
   if (item->edge && item->kind != CFG_JUMP)
      take_edge(e, item->edge, true);
   switch (item->kind) {
   case CFG_BLOCK: emit_block(e, item->node); break;
   case CFG_IF: emit_if(e, i); break;
   case CFG_LOOP: emit_loop(e, i); break;
   case CFG_JUMP:
   case CFG_RETURN: emit_jump(e, i); break;
   }
}

static void
emit_list(struct emit *e, struct task task)
{
   const int now = task.item;

   update_guards(e, &task, task.second, now);
   if (now == CFG_NONE) {
      close_guard(e, &task);
      util_dynarray_fini(&task.active);
      return;
   }
   task.item = cfg_item(e->t, now)->next;
   task.second = now;
   push_task(e, task);
   emit_item(e, now);
}

static void
emit_all(struct emit *e)
{
   new_block(e);
   push_list(e, e->t->root);
   while (util_dynarray_num_elements(&e->tasks, struct task)) {
      const struct task task = util_dynarray_pop(&e->tasks, struct task);
      switch (task.kind) {
      case TASK_LIST: emit_list(e, task); break;
      case TASK_SECOND_SIDE: emit_second_side(e, task); break;
      case TASK_END_IF:
         e->out = task.out;
         e->parent = task.parent;
         new_block(e);
         break;
      case TASK_END_LOOP: emit_end_loop(e, task); break;
      }
   }
   util_dynarray_fini(&e->tasks);
}

/* What has been copied, and the phis, go. */
static void
drop_flat(struct emit *e)
{
   for (int i = 0; i < e->flat->num_blocks; i++) {
      nir_foreach_instr_safe(instr, e->flat->blocks[i].block) {
         nir_instr_unlink_uses(instr);
         list_del(&instr->node);
         instr->block = NULL;
      }
   }
   hash_table_finish(&e->flat->phi_srcs);
}

/* How often the instructions of each flat block are needed. */
static void
count_edge(struct emit *e, const struct cfg_edge *edge)
{
   for (int v = edge->via; v != CFG_NONE;) {
      const struct cfg_via *via =
         util_dynarray_element(&e->g->vias, struct cfg_via, v);
      e->copies[via->flat]++;
      v = via->next;
   }
}

static void
count_node(struct emit *e, const struct cfg_node *n)
{
   if (n->flat != CFG_NONE)
      e->copies[n->flat]++;
   if (n->rest != CFG_NONE)
      count_edge(e, &n->to_rest);
}

void
cfg_emit(struct cfg_tree *t, struct arena *arena)
{
   struct cfg_flat *flat = t->g->flat;
   struct emit e = { .t = t, .g = t->g, .flat = flat };

   e.copies = arena_new_array(arena, int, flat->num_blocks + 1);
   e.subst = arena_new_array(arena, nir_value *, flat->num_defs + 1);
   for (int i = 0; i < t->info->num; i++) {
      for (int x = t->info->order[i]; x != CFG_NONE;
           x = cfg_node(t->g, x)->rest)
         count_node(&e, cfg_node(t->g, x));
      const struct cfg_node *n = cfg_node(t->g, t->info->order[i]);
      for (unsigned s = 0; s < n->num_succ; s++)
         count_edge(&e, &n->succ[s]);
   }
   cfg_vars_init(&e.v, flat->impl, arena);
   e.out = &flat->impl->body;
   e.parent = &flat->impl->cf_node;
   emit_all(&e);
   drop_flat(&e);
   nir_rebuild_cf_edges(flat->impl);
   cfg_vars_to_ssa(&e.v, var_of_predicate(&e, t->g->num_predicates));
   cfg_vars_finish(&e.v);
   nir_number_values(flat->impl);
   nir_metadata_preserve(flat->impl, nir_metadata_none);
}
