/* SPDX-License-Identifier: MIT */
/*
 * Copies of instructions, control flow, functions and shaders. A map takes
 * old pointers (values, variables, blocks, functions) to new
 * ones; what it does not know stays as it is when only a part is copied.
 */
#include "nir.h"

#include "nir_private.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

struct clone_state {
   nir_shader *shader;
   struct hash_table *map;        /* may be NULL: nothing is remapped */
   struct util_dynarray phi_srcs; /* nir_phi_source *, to be remapped last */
};

static void *
remap(struct clone_state *s, const void *old)
{
   if (!old || !s->map)
      return (void *)old;
   void *new = hash_table_get(s->map, hash_key_ptr(old));
   return new ? new : (void *)old;
}

static void
add_remap(struct clone_state *s, const void *old, void *new)
{
   if (s->map)
      hash_table_insert(s->map, hash_key_ptr(old), new);
}

static void
clone_tex_fields(nir_tex_instr *n, const nir_tex_instr *tex)
{
   const nir_instr head = n->instr;
   nir_tex_operand *operands = n->src;
   struct arena *arena = n->arena;
   *n = *tex;
   n->instr = head;
   n->src = operands;
   n->arena = arena;
   for (unsigned i = 0; i < head.num_operands; i++)
      n->src[i].src_type = tex->src[i].src_type;
}

/* A phi's sources stay as they are: values and blocks of back edges have no
 * copy yet. */
static void
clone_phi_sources(struct clone_state *s, nir_phi_instr *n,
                  const nir_phi_instr *phi)
{
   nir_foreach_phi_source(source, phi) {
      nir_phi_source *copy = arena_new(s->shader->arena, nir_phi_source);
      copy->pred = source->pred;
      copy->use = nir_use_of(source->use.value);
      copy->use.instr = &n->instr;
      list_addtail(&copy->node, &n->srcs);
      util_dynarray_append(&s->phi_srcs, nir_phi_source *, copy);
   }
}

/* A new instruction with all that its kind has beside operands and result. */
static nir_instr *
clone_own_fields(struct clone_state *s, const nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_alu: {
      const nir_alu_instr *alu = nir_instr_as_alu(instr);
      nir_alu_instr *n = nir_new_alu(s->shader, alu->op);
      n->exact = alu->exact;
      n->no_signed_wrap = alu->no_signed_wrap;
      n->no_unsigned_wrap = alu->no_unsigned_wrap;
      for (unsigned i = 0; i < instr->num_operands; i++)
         nir_operand_copy(&n->src[i], &alu->src[i]);
      return &n->instr;
   }
   case nir_kind_deref: {
      const nir_deref_instr *d = nir_instr_as_deref(instr);
      nir_deref_instr *n = nir_new_deref(s->shader, d->deref_type);
      n->modes = d->modes;
      n->type = d->type;
      n->var = remap(s, d->var);
      n->in_bounds = d->in_bounds;
      n->member = d->member;
      n->cast = d->cast;
      return &n->instr;
   }
   case nir_kind_intrinsic: {
      const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      nir_intrinsic_instr *n = nir_new_intrinsic(s->shader, intr->intrinsic);
      n->num_components = intr->num_components;
      n->name = intr->name;
      memcpy(n->const_index, intr->const_index, sizeof(n->const_index));
      return &n->instr;
   }
   case nir_kind_load_const: {
      const nir_value *value = &instr->result;
      nir_load_const_instr *n = nir_new_load_const(
         s->shader, value->num_components, value->bit_size);
      memcpy(n->value, nir_instr_as_load_const(instr)->value,
             value->num_components * sizeof(*n->value));
      return &n->instr;
   }
   case nir_kind_undef:
      return nir_new_undef(s->shader, instr->result.num_components,
                           instr->result.bit_size);
   case nir_kind_tex: {
      nir_tex_instr *n = nir_new_tex(s->shader, instr->num_operands);
      clone_tex_fields(n, nir_instr_as_tex(instr));
      n->instr.pass_flags = instr->pass_flags;
      return &n->instr;
   }
   case nir_kind_phi: {
      nir_phi_instr *n = nir_new_phi(s->shader);
      clone_phi_sources(s, n, nir_instr_as_phi(instr));
      return &n->instr;
   }
   case nir_kind_jump: {
      const nir_jump_instr *jump = nir_instr_as_jump(instr);
      nir_jump_instr *n = nir_new_jump(s->shader, jump->type);
      /* Those of another function once its blocks are known. */
      n->target = jump->target;
      n->else_target = jump->else_target;
      return &n->instr;
   }
   case nir_kind_call:
      return &nir_new_call(s->shader,
                           remap(s, nir_instr_as_call(instr)->callee))
                 ->instr;
   }
   unreachable("instruction kind");
}

static nir_instr *
clone_kind(struct clone_state *s, const nir_instr *instr)
{
   nir_instr *n = clone_own_fields(s, instr);
   const nir_value *value = &instr->result;
   if (value->num_components) {
      nir_set_result(n, value->num_components, value->bit_size);
      n->result.divergent = value->divergent;
      add_remap(s, value, &n->result);
   }
   for (unsigned i = 0; i < instr->num_operands; i++)
      *nir_instr_use(n, i) =
         nir_use_of(remap(s, nir_instr_use(instr, i)->value));
   return n;
}

/* Of another shader's table: its copy has the same order. */
static nir_instr *
clone_instr(struct clone_state *s, const nir_instr *instr)
{
   nir_instr *n = clone_kind(s, instr);

   n->location = instr->location;
   return n;
}

nir_instr *
nir_instr_clone(nir_shader *shader, const nir_instr *instr)
{
   return nir_instr_clone_deep(shader, instr, NULL);
}

nir_instr *
nir_instr_clone_deep(nir_shader *shader, const nir_instr *instr,
                     struct hash_table *map)
{
   struct clone_state s = { .shader = shader, .map = map };
   nir_instr *n = clone_instr(&s, instr);
   util_dynarray_fini(&s.phi_srcs);
   return n;
}

/* --- Control flow ------------------------------------------------------- */

static void clone_cf_list(struct clone_state *s, struct list_head *dst,
                          const struct list_head *src, nir_cf_node *parent);

static nir_block *
clone_block(struct clone_state *s, const nir_block *block)
{
   nir_block *n = nir_new_block(s->shader);
   add_remap(s, block, n);
   nir_foreach_instr(instr, block) {
      nir_instr *ni = clone_instr(s, instr);
      ni->block = n;
      list_addtail(&ni->node, &n->instr_list);
      /* Sources of phis are linked when their values are known. */
      if (ni->kind != nir_kind_phi)
         nir_instr_link_uses(ni);
   }
   return n;
}

static nir_cf_node *
clone_node(struct clone_state *s, const nir_cf_node *node)
{
   switch (node->type) {
   case nir_cf_node_block:
      return &clone_block(s, nir_cf_node_as_block(node))->cf_node;
   case nir_cf_node_if: {
      const nir_if *nif = nir_cf_node_as_if(node);
      nir_if *n = nir_new_if(s->shader);
      n->control = nif->control;
      nir_set_condition(n, remap(s, nif->condition.value));
      clone_cf_list(s, &n->then_list, &nif->then_list, &n->cf_node);
      clone_cf_list(s, &n->else_list, &nif->else_list, &n->cf_node);
      return &n->cf_node;
   }
   case nir_cf_node_loop: {
      const nir_loop *loop = nir_cf_node_as_loop(node);
      nir_loop *n = nir_new_loop(s->shader);
      n->control = loop->control;
      n->partially_unrolled = loop->partially_unrolled;
      n->divergent = loop->divergent;
      clone_cf_list(s, &n->body, &loop->body, &n->cf_node);
      return &n->cf_node;
   }
   case nir_cf_node_function: break;
   }
   unreachable("node type");
}

static void
clone_cf_list(struct clone_state *s, struct list_head *dst,
              const struct list_head *src, nir_cf_node *parent)
{
   list_inithead(dst);
   list_for_each_entry(nir_cf_node, node, src, node) {
      nir_cf_node *n = clone_node(s, node);
      n->parent = parent;
      list_addtail(&n->node, dst);
   }
}

static void
fixup_phi_srcs(struct clone_state *s)
{
   util_dynarray_foreach(&s->phi_srcs, nir_phi_source *, p) {
      nir_phi_source *src = *p;
      src->pred = remap(s, src->pred);
      src->use.value = remap(s, src->use.value);
      nir_use_link(&src->use);
   }
   util_dynarray_fini(&s->phi_srcs);
}

static void
fixup_gotos(struct clone_state *s, nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_instr *last = nir_block_last_instr(block);
      nir_jump_instr *jump = nir_instr_as_jump(last);
      if (jump->target)
         jump->target = remap(s, jump->target);
      if (jump->else_target)
         jump->else_target = remap(s, jump->else_target);
   }
}

void
nir_cf_list_clone(nir_cf_list *dst, nir_cf_list *src, nir_cf_node *parent,
                  struct hash_table *map)
{
   struct hash_table own;
   hash_table_init(&own);
   struct clone_state s = {
      .shader = src->impl->function->shader,
      .map = map ? map : &own,
   };
   dst->impl = src->impl;
   clone_cf_list(&s, &dst->list, &src->list, parent);
   fixup_phi_srcs(&s);
   hash_table_finish(&own);
}

/* --- Functions and shaders ---------------------------------------------- */

static nir_function_impl *
clone_impl(struct clone_state *s, const nir_function_impl *impl,
           nir_function *func)
{
   nir_function_impl *n = nir_new_loose_body(s->shader);
   n->function = func;
   n->structured = impl->structured;
   nir_foreach_function_temp_variable(var, impl) {
      nir_variable *nvar = nir_variable_clone(var, s->shader);
      add_remap(s, var, nvar);
      list_addtail(&nvar->node, &n->locals);
   }
   clone_cf_list(s, &n->body, &impl->body, &n->cf_node);
   add_remap(s, impl->end_block, n->end_block);
   n->end_block->num_predecessors = 0;
   fixup_phi_srcs(s);
   if (!n->structured)
      fixup_gotos(s, n);
   nir_rebuild_cf_edges(n);
   nir_number_values(n);
   n->valid_metadata = nir_metadata_none;
   return n;
}

nir_function_impl *
nir_function_impl_clone(nir_shader *shader, const nir_function_impl *impl)
{
   struct hash_table map;
   hash_table_init(&map);
   struct clone_state s = { .shader = shader, .map = &map };
   nir_function_impl *n = clone_impl(&s, impl, impl->function);
   hash_table_finish(&map);
   return n;
}

static nir_function *
clone_function_head(struct clone_state *s, const nir_function *func)
{
   nir_function *n = nir_new_function(s->shader, func->name);
   n->num_params = func->num_params;
   if (func->num_params)
      n->params = arena_memdup(s->shader->arena, func->params,
                               func->num_params * sizeof(*func->params));
   n->is_entrypoint = func->is_entrypoint;
   n->is_preamble = func->is_preamble;
   add_remap(s, func, n);
   return n;
}

static void
clone_locations(struct clone_state *s, const nir_shader *shader)
{
   nir_shader *n = s->shader;

   for (uint32_t i = 1; i < shader->num_locations; i++) {
      const nir_location *l = &shader->locations[i];
      nir_source_file *file = hash_table_get(s->map, hash_key_ptr(l->file));
      if (!file) {
         file = nir_shader_add_source(n, l->file->name, l->file->text);
         add_remap(s, l->file, file);
      }
      nir_shader_add_location(n, file, l->line, l->column);
   }
}

static void
clone_into(struct clone_state *s, const nir_shader *shader)
{
   nir_shader *n = s->shader;
   clone_locations(s, shader);
   nir_foreach_variable_in_shader(var, shader) {
      nir_variable *nvar = nir_variable_clone(var, n);
      add_remap(s, var, nvar);
      list_addtail(&nvar->node, &n->variables);
   }
   nir_foreach_variable_in_shader(var, n)
      var->pointer_initializer = remap(s, var->pointer_initializer);
   nir_foreach_function(func, shader)
      clone_function_head(s, func);
   nir_foreach_function(func, shader) {
      if (!func->impl)
         continue;
      nir_function *nfunc = remap(s, func);
      nfunc->impl = clone_impl(s, func->impl, nfunc);
   }
   n->info = shader->info;
   if (n->info.name)
      n->info.name = arena_strdup(n->arena, n->info.name);
   if (n->info.label)
      n->info.label = arena_strdup(n->arena, n->info.label);
   n->num_inputs = shader->num_inputs;
   n->num_uniforms = shader->num_uniforms;
   n->num_outputs = shader->num_outputs;
   n->scratch_size = shader->scratch_size;
   n->constant_data_size = shader->constant_data_size;
   if (shader->constant_data_size)
      n->constant_data = arena_memdup(n->arena, shader->constant_data,
                                      shader->constant_data_size);
}

static void
clone_all(nir_shader *n, const nir_shader *shader)
{
   struct hash_table map;
   hash_table_init(&map);
   struct clone_state s = { .shader = n, .map = &map };
   clone_into(&s, shader);
   hash_table_finish(&map);
}

nir_shader *
nir_shader_clone(struct arena *parent, const nir_shader *shader)
{
   nir_shader *n =
      nir_new_shader(parent, shader->info.stage, shader->options);
   clone_all(n, shader);
   return n;
}

/* An arena frees only as a whole: what the shader becomes is a copy in a new
 * one. */
void
nir_shader_become(nir_shader *shader, const nir_shader *other)
{
   nir_shader fresh = {
      .arena = arena_create(shader->owner),
      .owner = shader->owner,
      .options = shader->options,
   };
   list_inithead(&fresh.variables);
   list_inithead(&fresh.functions);
   clone_all(&fresh, other);

   arena_destroy(shader->arena);
   *shader = fresh;
   list_inithead(&shader->variables);
   list_inithead(&shader->functions);
   list_splicetail(&fresh.variables, &shader->variables);
   list_splicetail(&fresh.functions, &shader->functions);
   nir_foreach_function(func, shader)
      func->shader = shader;
}

void
nir_sweep(nir_shader *shader)
{
   nir_shader_become(shader, shader);
}
