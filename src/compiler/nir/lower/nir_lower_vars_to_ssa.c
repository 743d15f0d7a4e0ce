/* SPDX-License-Identifier: MIT */
/*
 * Local variables become SSA values.
 *
 * Each vector or scalar that a local variable holds, reached through members
 * and constant elements only, is a candidate. It stays in memory if any
 * access reaches into it otherwise: by an index that is not constant, by a
 * component of a vector, or by anything that is no load or store. Constant
 * accesses outside of an array read an undefined value and write nothing.
 *
 * Before: global variables of one function made local
 * (nir_lower_global_vars_to_local), copies lowered (nir_lower_var_copies).
 * After: no load or store of what could be promoted.
 */
#include "nir.h"
#include "nir_builder.h"
#include "compiler/nir/core/nir_phi_builder.h"
#include "util/hash_table.h"

struct node {
   struct node *parent;
   const struct glsl_type *type;
   struct node **children; /* NULL until one is asked for */
   struct node *next_leaf;
   bool in_memory; /* this and all below */
   bool is_leaf;
   BITSET_WORD *def_blocks; /* leaves that are stored to */
   struct nir_phi_value *value;
};

struct state {
   struct arena *arena;
   nir_shader *shader;
   nir_function_impl *impl;
   struct hash_table roots; /* nir_variable -> struct node */
   struct hash_table nodes; /* nir_deref_instr -> struct node */
   struct node *leaves;
   struct node outside; /* for accesses out of bounds */
   bool progress;
};

static struct node *
new_node(struct state *s, struct node *parent, const struct glsl_type *type)
{
   struct node *n = arena_new(s->arena, struct node);

   n->parent = parent;
   n->type = type;
   return n;
}

static unsigned
num_children(const struct glsl_type *type)
{
   return glsl_type_is_vector_or_scalar(type) ? 0 : glsl_get_length(type);
}

static struct node *
child(struct state *s, struct node *n, uint64_t index,
      const struct glsl_type *type)
{
   const unsigned count = num_children(n->type);

   if (n == &s->outside || index >= count)
      return &s->outside;
   if (!n->children)
      n->children = arena_new_array(s->arena, struct node *, count);
   if (!n->children[index])
      n->children[index] = new_node(s, n, type);
   return n->children[index];
}

/* The node of a deref; NULL where there is none, and then the closest node
 * above is marked as memory. */
static struct node *
find_node(struct state *s, nir_deref_instr *deref)
{
   struct node *parent, *n = hash_table_get(&s->nodes, hash_key_ptr(deref));

   if (n)
      return n;
   if (deref->deref_type == nir_deref_type_var) {
      n = hash_table_get(&s->roots, hash_key_ptr(deref->var));
      if (!n) {
         n = new_node(s, NULL, deref->var->type);
         hash_table_insert(&s->roots, hash_key_ptr(deref->var), n);
      }
   } else {
      nir_deref_instr *up = nir_deref_parent(deref);
      parent = up ? find_node(s, up) : NULL;
      if (!parent)
         return NULL;
      if (deref->deref_type == nir_deref_type_struct) {
         n = child(s, parent, deref->member, deref->type);
      } else if (deref->deref_type == nir_deref_type_array &&
                 nir_use_is_const(deref->index) &&
                 !glsl_type_is_vector_or_scalar(parent->type)) {
         n = child(s, parent, nir_use_as_uint(deref->index), deref->type);
      } else {
         parent->in_memory = true;
         return NULL;
      }
   }
   hash_table_insert(&s->nodes, hash_key_ptr(deref), n);
   return n;
}

static bool
is_load(const nir_intrinsic_instr *intr)
{
   return intr->intrinsic == nir_intrinsic_load_deref;
}

static bool
is_store(const nir_intrinsic_instr *intr)
{
   return intr->intrinsic == nir_intrinsic_store_deref;
}

/* Whether a use reads or writes through the deref and nothing else. */
static bool
is_plain_use(const nir_use *use)
{
   const nir_instr *instr = use->instr;
   const nir_intrinsic_instr *intr;

   if (instr->kind == nir_kind_deref)
      return &nir_instr_as_deref(instr)->parent == use;
   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   return (is_load(intr) || is_store(intr)) && use == &intr->src[0];
}

static void
note_leaf(struct state *s, struct node *n)
{
   if (n->is_leaf)
      return;
   n->is_leaf = true;
   n->next_leaf = s->leaves;
   s->leaves = n;
}

static void
note_store(struct state *s, struct node *n, const nir_block *block)
{
   if (!n->def_blocks)
      n->def_blocks = arena_new_array(s->arena, BITSET_WORD,
                                      BITSET_WORDS(s->impl->num_blocks + 1));
   BITSET_SET(n->def_blocks, block->index);
}

static void
scan_deref(struct state *s, nir_deref_instr *deref)
{
   struct node *n;

   if (!nir_deref_mode_is(deref, nir_var_function_temp))
      return;
   n = find_node(s, deref);
   if (!n || n == &s->outside)
      return;
   nir_foreach_instr_use(use, &deref->instr.result) {
      if (!is_plain_use(use)) {
         n->in_memory = true;
      } else if (use->instr->kind == nir_kind_intrinsic) {
         note_leaf(s, n);
         if (is_store(nir_instr_as_intrinsic(use->instr)))
            note_store(s, n, use->instr->block);
      }
   }
   if (nir_value_is_condition(&deref->instr.result))
      n->in_memory = true;
}

static bool
stays_in_memory(const struct node *n)
{
   for (; n; n = n->parent) {
      if (n->in_memory)
         return true;
   }
   return false;
}

static void
rename_load(struct state *s, nir_builder *b, nir_intrinsic_instr *intr,
            struct node *n)
{
   nir_value *def;

   b->cursor = nir_before_instr(&intr->instr);
   if (n == &s->outside)
      def = nir_undef(b, intr->instr.result.num_components,
                      intr->instr.result.bit_size);
   else
      def = nir_phi_value_def(n->value, intr->instr.block);
   nir_instr_replace(&intr->instr, def);
}

static void
rename_store(struct state *s, nir_builder *b, nir_intrinsic_instr *intr,
             struct node *n)
{
   const unsigned comps = intr->num_components;
   const unsigned mask = nir_intrinsic_write_mask(intr);
   nir_value *value, *old, *parts[NIR_MAX_VEC_COMPONENTS];

   if (n != &s->outside) {
      b->cursor = nir_before_instr(&intr->instr);
      value = nir_use_value(b, intr->src[1], (int)comps);
      if (mask != BITFIELD_MASK(comps)) {
         old = nir_phi_value_def(n->value, intr->instr.block);
         for (unsigned i = 0; i < comps; i++)
            parts[i] = nir_channel(b, mask & (1u << i) ? value : old, i);
         value = nir_vec(b, parts, comps);
      }
      nir_phi_value_set(n->value, intr->instr.block, value);
   }
   nir_instr_remove(&intr->instr);
}

static void
rename_instr(struct state *s, nir_builder *b, nir_instr *instr)
{
   nir_intrinsic_instr *intr;
   nir_deref_instr *deref;
   struct node *n;

   if (instr->kind != nir_kind_intrinsic)
      return;
   intr = nir_instr_as_intrinsic(instr);
   if (!is_load(intr) && !is_store(intr))
      return;
   deref = nir_use_as_deref(intr->src[0]);
   if (!deref)
      return;
   n = hash_table_get(&s->nodes, hash_key_ptr(deref));
   if (!n || (n != &s->outside && !n->value))
      return;
   s->progress = true;
   if (is_load(intr))
      rename_load(s, b, intr, n);
   else
      rename_store(s, b, intr, n);
   nir_deref_remove_unused(deref);
}

static void
rename_all(struct state *s)
{
   struct nir_phi_builder *pb = nir_phi_builder_create(s->impl);
   BITSET_WORD *none = arena_new_array(s->arena, BITSET_WORD,
                                       BITSET_WORDS(s->impl->num_blocks + 1));
   nir_builder b;

   for (struct node *n = s->leaves; n; n = n->next_leaf) {
      if (stays_in_memory(n) || !glsl_type_is_vector_or_scalar(n->type))
         continue;
      n->value = nir_phi_builder_add_value(
         pb, glsl_get_vector_elements(n->type), glsl_get_bit_size(n->type),
         n->def_blocks ? n->def_blocks : none);
   }
   nir_builder_init(&b, s->impl);
   nir_foreach_block(block, s->impl) {
      nir_foreach_instr_safe(instr, block)
         rename_instr(s, &b, instr);
   }
   nir_phi_builder_finish(pb);
}

static bool
lower_impl(nir_function_impl *impl)
{
   struct state s = { .arena = arena_create(NULL),
                      .shader = impl->function->shader,
                      .impl = impl };

   nir_metadata_require(impl, nir_metadata_control_flow);
   hash_table_init(&s.roots);
   hash_table_init(&s.nodes);
   s.outside.type = glsl_void_type();
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_deref)
            scan_deref(&s, nir_instr_as_deref(instr));
      }
   }
   rename_all(&s);
   hash_table_finish(&s.nodes);
   hash_table_finish(&s.roots);
   arena_destroy(s.arena);
   nir_changed(impl, s.progress, nir_metadata_control_flow);
   return s.progress;
}

bool
nir_lower_vars_to_ssa(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader)
      progress |= lower_impl(impl);
   return progress;
}
