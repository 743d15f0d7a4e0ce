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
   struct util_dynarray phi_srcs; /* nir_phi_src *, to be remapped last */
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
clone_src(struct clone_state *s, nir_src *dst, const nir_src *src)
{
   *dst = NIR_SRC_INIT;
   dst->ssa = remap(s, src->ssa);
}

static void
clone_def(struct clone_state *s, nir_instr *instr, nir_ssa_def *dst,
          const nir_ssa_def *src)
{
   nir_ssa_def_init(instr, dst, src->num_components, src->bit_size);
   dst->divergent = src->divergent;
   add_remap(s, src, dst);
}

static void
clone_dest(struct clone_state *s, nir_instr *instr, nir_dest *dst,
           const nir_dest *src)
{
   clone_def(s, instr, &dst->ssa, &src->ssa);
}

static nir_instr *
clone_alu(struct clone_state *s, const nir_alu_instr *alu)
{
   nir_alu_instr *n = nir_alu_instr_create(s->shader, alu->op);
   n->exact = alu->exact;
   n->no_signed_wrap = alu->no_signed_wrap;
   n->no_unsigned_wrap = alu->no_unsigned_wrap;
   clone_dest(s, &n->instr, &n->dest.dest, &alu->dest.dest);
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      clone_src(s, &n->src[i].src, &alu->src[i].src);
      memcpy(n->src[i].swizzle, alu->src[i].swizzle,
             sizeof(n->src[i].swizzle));
   }
   return &n->instr;
}

static nir_instr *
clone_deref(struct clone_state *s, const nir_deref_instr *d)
{
   nir_deref_instr *n = nir_deref_instr_create(s->shader, d->deref_type);
   clone_dest(s, &n->instr, &n->dest, &d->dest);
   n->modes = d->modes;
   n->type = d->type;
   if (d->deref_type == nir_deref_type_var) {
      n->var = remap(s, d->var);
      return &n->instr;
   }
   clone_src(s, &n->parent, &d->parent);
   switch (d->deref_type) {
   case nir_deref_type_array:
   case nir_deref_type_ptr_as_array:
      clone_src(s, &n->arr.index, &d->arr.index);
      n->arr.in_bounds = d->arr.in_bounds;
      break;
   case nir_deref_type_struct: n->strct.index = d->strct.index; break;
   case nir_deref_type_cast: n->cast = d->cast; break;
   case nir_deref_type_array_wildcard:
   case nir_deref_type_var: break;
   }
   return &n->instr;
}

static nir_instr *
clone_intrinsic(struct clone_state *s, const nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   nir_intrinsic_instr *n =
      nir_intrinsic_instr_create(s->shader, intr->intrinsic);
   if (info->has_dest)
      clone_dest(s, &n->instr, &n->dest, &intr->dest);
   n->num_components = intr->num_components;
   n->name = intr->name;
   memcpy(n->const_index, intr->const_index, sizeof(n->const_index));
   for (unsigned i = 0; i < info->num_srcs; i++)
      clone_src(s, &n->src[i], &intr->src[i]);
   return &n->instr;
}

static nir_instr *
clone_tex(struct clone_state *s, const nir_tex_instr *tex)
{
   nir_tex_instr *n = nir_tex_instr_create(s->shader, tex->num_srcs);
   nir_tex_src *srcs = n->src;
   const nir_instr head = n->instr;
   struct arena *arena = n->arena;
   *n = *tex;
   n->instr = head;
   n->instr.pass_flags = tex->instr.pass_flags;
   n->arena = arena;
   n->src = srcs;
   clone_dest(s, &n->instr, &n->dest, &tex->dest);
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      n->src[i].src_type = tex->src[i].src_type;
      clone_src(s, &n->src[i].src, &tex->src[i].src);
   }
   return &n->instr;
}

static nir_instr *
clone_phi(struct clone_state *s, const nir_phi_instr *phi)
{
   nir_phi_instr *n = nir_phi_instr_create(s->shader);
   clone_dest(s, &n->instr, &n->dest, &phi->dest);
   nir_foreach_phi_src(src, phi) {
      /* Values and blocks of back edges have no copy yet. */
      nir_phi_src *nsrc = arena_new(s->shader->arena, nir_phi_src);
      nsrc->pred = src->pred;
      nsrc->src.ssa = src->src.ssa;
      nsrc->src.parent_instr = &n->instr;
      list_addtail(&nsrc->node, &n->srcs);
      util_dynarray_append(&s->phi_srcs, nir_phi_src *, nsrc);
   }
   return &n->instr;
}

static nir_instr *
clone_kind(struct clone_state *s, const nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_alu: return clone_alu(s, nir_instr_as_alu(instr));
   case nir_instr_type_deref:
      return clone_deref(s, nir_instr_as_deref(instr));
   case nir_instr_type_intrinsic:
      return clone_intrinsic(s, nir_instr_as_intrinsic(instr));
   case nir_instr_type_load_const: {
      nir_load_const_instr *lc = nir_instr_as_load_const(instr);
      nir_load_const_instr *n = nir_load_const_instr_create(
         s->shader, lc->def.num_components, lc->def.bit_size);
      memcpy(n->value, lc->value, sizeof(*n->value) * lc->def.num_components);
      n->def.divergent = lc->def.divergent;
      add_remap(s, &lc->def, &n->def);
      return &n->instr;
   }
   case nir_instr_type_ssa_undef: {
      nir_ssa_undef_instr *u = nir_instr_as_ssa_undef(instr);
      nir_ssa_undef_instr *n = nir_ssa_undef_instr_create(
         s->shader, u->def.num_components, u->def.bit_size);
      n->def.divergent = u->def.divergent;
      add_remap(s, &u->def, &n->def);
      return &n->instr;
   }
   case nir_instr_type_tex: return clone_tex(s, nir_instr_as_tex(instr));
   case nir_instr_type_phi: return clone_phi(s, nir_instr_as_phi(instr));
   case nir_instr_type_jump: {
      const nir_jump_instr *jump = nir_instr_as_jump(instr);
      nir_jump_instr *n = nir_jump_instr_create(s->shader, jump->type);
      if (jump->type == nir_jump_goto_if)
         clone_src(s, &n->condition, &jump->condition);
      /* Those of another function once its blocks are known. */
      n->target = jump->target;
      n->else_target = jump->else_target;
      return &n->instr;
   }
   case nir_instr_type_call: {
      nir_call_instr *call = nir_instr_as_call(instr);
      nir_call_instr *n =
         nir_call_instr_create(s->shader, remap(s, call->callee));
      for (unsigned i = 0; i < call->num_params; i++)
         clone_src(s, &n->params[i], &call->params[i]);
      return &n->instr;
   }
   }
   unreachable("instruction type");
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
   nir_block *n = nir_block_create(s->shader);
   add_remap(s, block, n);
   nir_foreach_instr(instr, block) {
      nir_instr *ni = clone_instr(s, instr);
      ni->block = n;
      list_addtail(&ni->node, &n->instr_list);
      /* Sources of phis are linked when their values are known. */
      if (ni->type != nir_instr_type_phi)
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
      nir_if *n = nir_if_create(s->shader);
      n->control = nif->control;
      clone_src(s, &n->condition, &nif->condition);
      n->condition.parent_if = n;
      nir_src_link_if(&n->condition);
      clone_cf_list(s, &n->then_list, &nif->then_list, &n->cf_node);
      clone_cf_list(s, &n->else_list, &nif->else_list, &n->cf_node);
      return &n->cf_node;
   }
   case nir_cf_node_loop: {
      const nir_loop *loop = nir_cf_node_as_loop(node);
      nir_loop *n = nir_loop_create(s->shader);
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
   util_dynarray_foreach(&s->phi_srcs, nir_phi_src *, p) {
      nir_phi_src *src = *p;
      src->pred = remap(s, src->pred);
      src->src.ssa = remap(s, src->src.ssa);
      nir_src_link(&src->src);
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
   nir_function_impl *n = nir_function_impl_create_bare(s->shader);
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
   nir_index_ssa_defs(n);
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
   nir_function *n = nir_function_create(s->shader, func->name);
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
      nir_source_file *file =
         hash_table_get(s->map, hash_key_ptr(l->file));
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

nir_shader *
nir_shader_clone(struct arena *parent, const nir_shader *shader)
{
   struct hash_table map;
   hash_table_init(&map);
   nir_shader *n =
      nir_shader_create(parent, shader->info.stage, shader->options);
   struct clone_state s = { .shader = n, .map = &map };
   clone_into(&s, shader);
   hash_table_finish(&map);
   return n;
}

void
nir_sweep(nir_shader *shader)
{
   /* An arena frees only as a whole: what lives moves to a new one. */
   nir_shader fresh = {
      .arena = arena_create(shader->owner),
      .owner = shader->owner,
      .options = shader->options,
   };
   list_inithead(&fresh.variables);
   list_inithead(&fresh.functions);
   struct hash_table map;
   hash_table_init(&map);
   struct clone_state s = { .shader = &fresh, .map = &map };
   clone_into(&s, shader);
   hash_table_finish(&map);

   arena_destroy(shader->arena);
   *shader = fresh;
   list_inithead(&shader->variables);
   list_inithead(&shader->functions);
   list_splicetail(&fresh.variables, &shader->variables);
   list_splicetail(&fresh.functions, &shader->functions);
   nir_foreach_function(func, shader)
      func->shader = shader;
}
