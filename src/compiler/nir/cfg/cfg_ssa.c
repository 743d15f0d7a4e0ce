/* SPDX-License-Identifier: MIT */
/*
 * Variables as values in SSA form.
 *
 * For each variable, the blocks from which a read looks back to a write are
 * found first; phis are made where these meet, in reverse postorder, and
 * those that turn out to have one source go again (Braun and others, "Simple
 * and Efficient Construction of Static Single Assignment Form", CC 2013). No
 * other block is touched: the cost is that of the live ranges.
 *
 * Before the first write nothing is defined. A read never needs what a block
 * above all writes (in the dominator tree) held: it ends there.
 */
#include "cfg/cfg_emit.h"
#include "nir_private.h"

#define KEY(var, block) ((uint64_t)(uint32_t)(var) << 32 | (block))

void
cfg_vars_init(struct cfg_vars *v, nir_function_impl *impl,
              struct arena *arena)
{
   memset(v, 0, sizeof(*v));
   v->arena = arena;
   v->impl = impl;
   v->shader = impl->function->shader;
   hash_table_init(&v->last);
   hash_table_init(&v->at_start);
   hash_table_init(&v->forward);
}

void
cfg_vars_finish(struct cfg_vars *v)
{
   util_dynarray_fini(&v->blocks);
   util_dynarray_fini(&v->writes);
   util_dynarray_fini(&v->reads);
   util_dynarray_fini(&v->phis);
   hash_table_finish(&v->last);
   hash_table_finish(&v->at_start);
   hash_table_finish(&v->forward);
}

void
cfg_put(struct cfg_vars *v, nir_block *block, nir_instr *instr)
{
   instr->block = block;
   list_addtail(&instr->node, &block->instr_list);
   nir_instr_link_uses(instr);
   nir_instr_number_values(instr, v->impl);
}

void
cfg_write(struct cfg_vars *v, int var, nir_block *block, nir_value *def)
{
   const struct cfg_write w = { var, block->index, def };

   if (!hash_table_has(&v->last, KEY(var, block->index)))
      util_dynarray_append(&v->writes, struct cfg_write, w);
   hash_table_insert(&v->last, KEY(var, block->index), def);
}

nir_value *
cfg_read(struct cfg_vars *v, int var, nir_block *block,
         unsigned num_components, unsigned bit_size)
{
   const uint64_t key = KEY(var, block->index);
   nir_value *def = hash_table_get(&v->last, key);

   if (!def)
      def = hash_table_get(&v->at_start, key);
   if (def)
      return def;
   nir_instr *u = nir_new_undef(v->shader, num_components, bit_size);
   u->result.index = UINT32_MAX;
   hash_table_insert(&v->at_start, key, &u->result);
   util_dynarray_append(
      &v->reads, struct cfg_write,
      ((struct cfg_write) { var, block->index, &u->result }));
   return &u->result;
}

/* --- Solving ---------------------------------------------------------- */

struct solve {
   struct cfg_vars *v;
   struct cfg g;
   struct cfg_info info;
   int top;
   unsigned num_components, bit_size;
   int *stamp; /* by block: the serial of the variable */
   int serial;
   nir_value **in; /* by block, if stamped and done */
   bool *done;
   int *written; /* by block: the serial of a variable that it writes */
   nir_value **write;
   struct util_dynarray region; /* int: numbers in reverse postorder */
   struct util_dynarray phis;   /* nir_phi_instr *, of this variable */
   nir_value *undef;
};

static nir_block *
block_at(const struct solve *s, int i)
{
   return *util_dynarray_element(&s->v->blocks, nir_block *, i);
}

static nir_value *
resolve(struct cfg_vars *v, nir_value *def)
{
   for (;;) {
      nir_value *next = hash_table_get(&v->forward, hash_key_ptr(def));
      if (!next)
         return def;
      def = next;
   }
}

static nir_value *
undefined(struct solve *s)
{
   if (s->undef)
      return s->undef;
   nir_instr *u = nir_new_undef(s->v->shader, s->num_components, s->bit_size);
   nir_block *entry = block_at(s, 0);
   u->block = entry;
   list_add(&u->node, &entry->instr_list);
   nir_instr_number_values(u, s->v->impl);
   s->undef = &u->result;
   return s->undef;
}

static bool
is_reachable(const struct solve *s, int block)
{
   return s->info.rpo[block] != CFG_NONE;
}

/* Nothing is written at or above the block. */
static bool
is_above(const struct solve *s, int block)
{
   return s->top == CFG_NONE || cfg_dominates(&s->info, block, s->top);
}

static nir_value *
last_write(const struct solve *s, int block)
{
   return s->written[block] == s->serial ? s->write[block] : NULL;
}

static void
need(struct solve *s, int block)
{
   if (s->stamp[block] == s->serial)
      return;
   s->stamp[block] = s->serial;
   s->done[block] = !is_reachable(s, block);
   if (s->done[block])
      s->in[block] = undefined(s);
   else
      util_dynarray_append(&s->region, int, s->info.rpo[block]);
}

static void
find_region(struct solve *s, const struct cfg_write *reads, size_t num)
{
   util_dynarray_clear(&s->region);
   for (size_t i = 0; i < num; i++)
      need(s, (int)reads[i].block);
   for (size_t i = 0; i < util_dynarray_num_elements(&s->region, int); i++) {
      const int b = s->info.order[*util_dynarray_element(&s->region, int, i)];
      for (int p = s->info.pred_start[b]; p < s->info.pred_start[b + 1];
           p++) {
         const int pred = s->info.preds[p];
         if (!last_write(s, pred) && !is_above(s, pred))
            need(s, pred);
      }
   }
}

/* What leaves a predecessor; NULL if that is not known yet. */
static nir_value *
value_out(struct solve *s, int pred)
{
   nir_value *def;

   if (!is_reachable(s, pred))
      return undefined(s);
   def = last_write(s, pred);
   if (def)
      return resolve(s->v, def);
   if (s->stamp[pred] != s->serial)
      return undefined(s);
   return s->done[pred] ? s->in[pred] : NULL;
}

static bool
reaches_block(const struct solve *s, const nir_value *def, int block)
{
   const nir_block *b = def->instr->block;

   return b && is_reachable(s, (int)b->index) &&
          cfg_dominates(&s->info, (int)b->index, block) &&
          (int)b->index != block;
}

/* The one value that comes in; NULL: a phi is needed. */
static nir_value *
only_value(struct solve *s, int block)
{
   nir_value *only = NULL;
   bool undef = false;

   for (int p = s->info.pred_start[block]; p < s->info.pred_start[block + 1];
        p++) {
      nir_value *out = value_out(s, s->info.preds[p]);
      if (!out)
         return NULL;
      if (out == s->undef)
         undef = true;
      else if (only && only != out)
         return NULL;
      else
         only = out;
   }
   if (!only)
      return undefined(s);
   return undef && !reaches_block(s, only, block) ? NULL : only;
}

static nir_value *
put_phi(struct solve *s, int block)
{
   nir_phi_instr *phi = nir_new_phi(s->v->shader);

   nir_set_result(&phi->instr, s->num_components, s->bit_size);
   phi->instr.block = block_at(s, block);
   list_add(&phi->instr.node, &phi->instr.block->instr_list);
   nir_instr_number_values(&phi->instr, s->v->impl);
   util_dynarray_append(&s->phis, nir_phi_instr *, phi);
   util_dynarray_append(&s->v->phis, nir_phi_instr *, phi);
   return &phi->instr.result;
}

static int
compare_ints(const void *a, const void *b)
{
   return *(const int *)a - *(const int *)b;
}

static void
fill_phis(struct solve *s)
{
   util_dynarray_foreach(&s->phis, nir_phi_instr *, phi) {
      nir_block *block = (*phi)->instr.block;
      nir_foreach_predecessor(block, pred)
         nir_phi_add_source(*phi, pred,
                            nir_use_of(value_out(s, (int)pred->index)));
   }
}

static void
solve_variable(struct solve *s, const struct cfg_write *reads, size_t num,
               const struct cfg_write *writes, size_t num_writes)
{
   s->serial++;
   for (size_t i = 0; i < num_writes; i++) {
      s->written[writes[i].block] = s->serial;
      s->write[writes[i].block] =
         hash_table_get(&s->v->last, KEY(reads->var, writes[i].block));
   }
   s->num_components = reads->def->num_components;
   s->bit_size = reads->def->bit_size;
   s->undef = NULL;
   util_dynarray_clear(&s->phis);
   find_region(s, reads, num);
   const size_t size = util_dynarray_num_elements(&s->region, int);
   if (size)
      qsort(s->region.data, size, sizeof(int), compare_ints);
   for (size_t i = 0; i < size; i++) {
      const int b = s->info.order[*util_dynarray_element(&s->region, int, i)];
      nir_value *def = only_value(s, b);
      s->in[b] = def ? def : put_phi(s, b);
      s->done[b] = true;
   }
   fill_phis(s);
   for (size_t i = 0; i < num; i++) {
      nir_value *def = resolve(s->v, s->in[reads[i].block]);
      hash_table_insert(&s->v->forward, hash_key_ptr(reads[i].def), def);
      nir_value_replace(reads[i].def, def);
   }
}

static int
compare_writes(const void *a_, const void *b_)
{
   const struct cfg_write *a = a_, *b = b_;

   if (a->var != b->var)
      return a->var < b->var ? -1 : 1;
   return (a->block > b->block) - (a->block < b->block);
}

static int
common_top(const struct solve *s, const struct cfg_write *w, size_t num)
{
   int top = CFG_NONE;

   for (size_t i = 0; i < num; i++) {
      const int b = (int)w[i].block;
      if (is_reachable(s, b))
         top = top == CFG_NONE ? b : cfg_common_dominator(&s->info, top, b);
   }
   return top;
}

/* All variables that have been read. */
static void
solve_all(struct solve *s)
{
   struct cfg_write *w = s->v->writes.data, *r = s->v->reads.data;
   const size_t nw =
      util_dynarray_num_elements(&s->v->writes, struct cfg_write);
   const size_t nr =
      util_dynarray_num_elements(&s->v->reads, struct cfg_write);
   size_t at = 0;

   if (nw)
      qsort(w, nw, sizeof(*w), compare_writes);
   if (nr)
      qsort(r, nr, sizeof(*r), compare_writes);
   for (size_t i = 0, end; i < nr; i = end) {
      size_t first;
      for (end = i; end < nr && r[end].var == r[i].var; end++)
         ;
      while (at < nw && w[at].var < r[i].var)
         at++;
      first = at;
      while (at < nw && w[at].var == r[i].var)
         at++;
      s->top = common_top(s, w + first, at - first);
      solve_variable(s, r + i, end - i, w + first, at - first);
   }
   util_dynarray_clear(&s->v->reads);
   util_dynarray_clear(&s->v->writes);
}

/* --- Phis with one source --------------------------------------------- */

static bool
is_undef(const nir_value *def)
{
   return def->instr->kind == nir_kind_undef;
}

static nir_value *
only_source(const struct solve *s, const nir_phi_instr *phi)
{
   nir_value *only = NULL, *undef = NULL;

   nir_foreach_phi_source(src, phi) {
      nir_value *def = src->use.value;
      if (def == &phi->instr.result)
         continue;
      if (is_undef(def))
         undef = def;
      else if (only && only != def)
         return NULL;
      else
         only = def;
   }
   if (!only)
      return undef;
   return undef && !reaches_block(s, only, (int)phi->instr.block->index)
             ? NULL
             : only;
}

static void
remove_trivial_phis(struct solve *s)
{
   struct util_dynarray *work = &s->v->phis;

   while (util_dynarray_num_elements(work, nir_phi_instr *)) {
      nir_phi_instr *phi = util_dynarray_pop(work, nir_phi_instr *);
      if (!phi->instr.block)
         continue;
      nir_value *only = only_source(s, phi);
      if (!only)
         continue;
      nir_foreach_instr_use(src, &phi->instr.result) {
         if (src->instr->kind == nir_kind_phi && src->instr != &phi->instr)
            util_dynarray_append(work, nir_phi_instr *,
                                 nir_instr_as_phi(src->instr));
      }
      nir_instr_unlink_uses(&phi->instr);
      list_del(&phi->instr.node);
      phi->instr.block = NULL;
      nir_value_replace(&phi->instr.result, only);
   }
}

/* --- Definitions that do not dominate --------------------------------- */

struct repair {
   struct solve *s;
   struct hash_table vars; /* by value: variable + 1 */
   int next_var;
   int block; /* where the source is read */
};

/* The value to be used instead of `def` in the block. */
static nir_value *
repaired(struct repair *r, nir_value *def)
{
   struct cfg_vars *v = r->s->v;
   nir_block *made = def->instr->block;

   assert(made && "no placeholder is left");
   if ((int)made->index == r->block || !is_reachable(r->s, r->block) ||
       (is_reachable(r->s, (int)made->index) &&
        cfg_dominates(&r->s->info, (int)made->index, r->block)))
      return def;
   intptr_t var = (intptr_t)hash_table_get(&r->vars, hash_key_ptr(def)) - 1;
   if (var < 0) {
      var = r->next_var++;
      hash_table_insert(&r->vars, hash_key_ptr(def), (void *)(var + 1));
      cfg_write(v, (int)var, made, def);
   }
   return cfg_read(v, (int)var, block_at(r->s, r->block), def->num_components,
                   def->bit_size);
}

static bool
repair_src(nir_use *src, void *r_)
{
   nir_value *def = repaired(r_, src->value);

   if (def != src->value)
      nir_set_use(src->instr, src, def);
   return true;
}

static void
repair_block(struct repair *r, nir_block *block)
{
   nir_if *nif = nir_block_get_following_if(block);

   nir_foreach_instr(instr, block) {
      r->block = (int)block->index;
      if (instr->kind != nir_kind_phi) {
         nir_visit_uses(instr, repair_src, r);
         continue;
      }
      nir_foreach_phi_source(src, nir_instr_as_phi(instr)) {
         r->block = (int)src->pred->index;
         repair_src(&src->use, r);
      }
   }
   r->block = (int)block->index;
   if (nif) {
      nir_value *def = repaired(r, nif->condition.value);
      if (def != nif->condition.value)
         nir_set_condition(nif, def);
   }
}

static void
repair_dominance(struct solve *s, int next_var)
{
   struct repair r = { .s = s, .next_var = next_var };

   hash_table_init(&r.vars);
   util_dynarray_foreach(&s->v->blocks, nir_block *, block)
      repair_block(&r, *block);
   hash_table_finish(&r.vars);
   solve_all(s);
}

/* --- All -------------------------------------------------------------- */

/* The blocks of the function as a graph. */
static void
read_graph(struct solve *s)
{
   const int n = (int)util_dynarray_num_elements(&s->v->blocks, nir_block *);

   for (int i = 0; i < n; i++) {
      const nir_block *b = block_at(s, i);
      struct cfg_node *node = cfg_node(&s->g, cfg_add_node(&s->g, CFG_NONE));
      for (unsigned k = 0; k < 2; k++) {
         if (b->successors[k] && b->successors[k] != s->v->impl->end_block)
            node->succ[node->num_succ++].to = (int)b->successors[k]->index;
      }
   }
   cfg_analyze(&s->g, &s->info, s->v->arena);
   s->stamp = arena_new_array(s->v->arena, int, n + 1);
   s->in = arena_new_array(s->v->arena, nir_value *, n + 1);
   s->done = arena_new_array(s->v->arena, bool, n + 1);
   s->written = arena_new_array(s->v->arena, int, n + 1);
   s->write = arena_new_array(s->v->arena, nir_value *, n + 1);
}

void
cfg_vars_to_ssa(struct cfg_vars *v, int next_var)
{
   struct solve s = { .v = v };

   s.g.arena = v->arena;
   read_graph(&s);
   solve_all(&s);
   remove_trivial_phis(&s);
   repair_dominance(&s, next_var);
   remove_trivial_phis(&s);
   util_dynarray_fini(&s.region);
   util_dynarray_fini(&s.phis);
   cfg_destroy(&s.g);
}
