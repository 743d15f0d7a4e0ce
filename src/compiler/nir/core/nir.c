/* SPDX-License-Identifier: MIT */
/*
 * Shaders, functions, variables and the making of instructions. Lists of
 * uses are kept by nir_uses.c, control flow by nir_control_flow.c.
 */
#include "nir.h"

#include "nir_private.h"

static const nir_shader_compiler_options default_options;

nir_shader *
nir_shader_create(struct arena *parent, gl_shader_stage stage,
                  const nir_shader_compiler_options *options)
{
   struct arena *owner = arena_create(parent);
   nir_shader *shader = arena_new(owner, nir_shader);
   shader->owner = owner;
   shader->arena = arena_create(owner);
   shader->options = options ? options : &default_options;
   shader->info.stage = stage;
   list_inithead(&shader->variables);
   list_inithead(&shader->functions);
   return shader;
}

void
nir_shader_destroy(nir_shader *shader)
{
   if (shader)
      arena_destroy(shader->owner);
}

nir_function *
nir_function_create(nir_shader *shader, const char *name)
{
   nir_function *func = arena_new(shader->arena, nir_function);
   func->name = name ? arena_strdup(shader->arena, name) : NULL;
   func->shader = shader;
   list_addtail(&func->node, &shader->functions);
   return func;
}

static void
cf_init(nir_cf_node *node, nir_cf_node_type type)
{
   node->type = type;
   node->parent = NULL;
}

nir_block *
nir_block_create(nir_shader *shader)
{
   nir_block *block = arena_new(shader->arena, nir_block);
   cf_init(&block->cf_node, nir_cf_node_block);
   list_inithead(&block->instr_list);
   return block;
}

nir_function_impl *
nir_function_impl_create_bare(nir_shader *shader)
{
   nir_function_impl *impl = arena_new(shader->arena, nir_function_impl);
   cf_init(&impl->cf_node, nir_cf_node_function);
   list_inithead(&impl->body);
   list_inithead(&impl->locals);
   impl->structured = true;

   nir_block *start = nir_block_create(shader);
   impl->end_block = nir_block_create(shader);
   start->cf_node.parent = &impl->cf_node;
   impl->end_block->cf_node.parent = &impl->cf_node;
   list_addtail(&start->cf_node.node, &impl->body);
   nir_block_link(shader, start, impl->end_block);
   return impl;
}

void
nir_function_set_impl(nir_function *func, nir_function_impl *impl)
{
   func->impl = impl;
   impl->function = func;
}

nir_function_impl *
nir_function_impl_create(nir_function *func)
{
   nir_function_impl *impl = nir_function_impl_create_bare(func->shader);
   nir_function_set_impl(func, impl);
   return impl;
}

nir_function_impl *
nir_shader_get_entrypoint(const nir_shader *shader)
{
   nir_function_impl *impl = NULL;
   nir_foreach_function(func, shader) {
      if (!func->is_entrypoint)
         continue;
      assert(!impl && "one entry point");
      impl = func->impl;
   }
   assert(impl && "an entry point with a body");
   return impl;
}

void
nir_remove_non_entrypoints(nir_shader *shader)
{
   list_for_each_entry_safe(nir_function, func, &shader->functions, node) {
      if (!func->is_entrypoint)
         list_del(&func->node);
   }
}

/* --- Variables ---------------------------------------------------------- */

void
nir_shader_add_variable(nir_shader *shader, nir_variable *var)
{
   assert(var->data.mode != nir_var_function_temp);
   list_addtail(&var->node, &shader->variables);
}

nir_variable *
nir_variable_create(nir_shader *shader, nir_variable_mode mode,
                    const struct glsl_type *type, const char *name)
{
   nir_variable *var = arena_new(shader->arena, nir_variable);
   var->name = name ? arena_strdup(shader->arena, name) : NULL;
   var->type = type;
   var->data.mode = mode;
   const bool varying_in = mode == nir_var_shader_in &&
                           shader->info.stage != MESA_SHADER_VERTEX;
   const bool varying_out = mode == nir_var_shader_out &&
                            shader->info.stage != MESA_SHADER_FRAGMENT;
   if (varying_in || varying_out)
      var->data.interpolation = INTERP_MODE_SMOOTH;
   if (mode == nir_var_shader_in || mode == nir_var_uniform)
      var->data.read_only = true;
   nir_shader_add_variable(shader, var);
   return var;
}

nir_variable *
nir_local_variable_create(nir_function_impl *impl,
                          const struct glsl_type *type, const char *name)
{
   struct arena *arena = impl->function->shader->arena;
   nir_variable *var = arena_new(arena, nir_variable);
   var->name = name ? arena_strdup(arena, name) : NULL;
   var->type = type;
   var->data.mode = nir_var_function_temp;
   nir_function_impl_add_variable(impl, var);
   return var;
}

nir_constant *
nir_constant_clone(const nir_constant *c, nir_shader *shader)
{
   if (!c)
      return NULL;
   nir_constant *nc = arena_memdup(shader->arena, c, sizeof(*c));
   if (c->num_elements) {
      nc->elements =
         arena_new_array(shader->arena, nir_constant *, c->num_elements);
      for (unsigned i = 0; i < c->num_elements; i++)
         nc->elements[i] = nir_constant_clone(c->elements[i], shader);
   }
   return nc;
}

nir_variable *
nir_variable_clone(const nir_variable *var, nir_shader *shader)
{
   nir_variable *nvar = arena_memdup(shader->arena, var, sizeof(*var));
   nvar->node = (struct list_head) { NULL, NULL };
   if (var->name)
      nvar->name = arena_strdup(shader->arena, var->name);
   nvar->constant_initializer =
      nir_constant_clone(var->constant_initializer, shader);
   if (var->num_members)
      nvar->members = arena_memdup(shader->arena, var->members,
                                   var->num_members * sizeof(*var->members));
   return nvar;
}

nir_variable *
nir_find_variable_with_location(nir_shader *shader, nir_variable_mode mode,
                                unsigned location)
{
   nir_foreach_variable_with_modes(var, shader, mode) {
      if (var->data.location == (int)location)
         return var;
   }
   return NULL;
}

bool
nir_is_arrayed_io(const nir_variable *var, gl_shader_stage stage)
{
   if (var->data.patch || !glsl_type_is_array(var->type))
      return false;
   if (var->data.mode == nir_var_shader_in)
      return var->data.per_vertex || stage == MESA_SHADER_GEOMETRY ||
             stage == MESA_SHADER_TESS_CTRL || stage == MESA_SHADER_TESS_EVAL;
   return var->data.mode == nir_var_shader_out &&
          stage == MESA_SHADER_TESS_CTRL;
}

/* --- Instructions ------------------------------------------------------- */

static void
instr_init(nir_instr *instr, nir_instr_type type)
{
   instr->type = type;
   instr->block = NULL;
}

static void *
instr_alloc(nir_shader *shader, size_t head_B, size_t element_B, unsigned n)
{
   return arena_alloc(shader->arena, head_B + element_B * n);
}

nir_alu_instr *
nir_alu_instr_create(nir_shader *shader, nir_op op)
{
   const unsigned n = nir_op_infos[op].num_inputs;
   nir_alu_instr *alu =
      instr_alloc(shader, sizeof(nir_alu_instr), sizeof(nir_alu_src), n);
   instr_init(&alu->instr, nir_instr_type_alu);
   alu->op = op;
   for (unsigned i = 0; i < n; i++) {
      for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++)
         alu->src[i].swizzle[c] = (uint8_t)c;
   }
   return alu;
}

nir_deref_instr *
nir_deref_instr_create(nir_shader *shader, nir_deref_type deref_type)
{
   nir_deref_instr *deref = arena_new(shader->arena, nir_deref_instr);
   instr_init(&deref->instr, nir_instr_type_deref);
   deref->deref_type = deref_type;
   return deref;
}

nir_jump_instr *
nir_jump_instr_create(nir_shader *shader, nir_jump_type type)
{
   nir_jump_instr *jump = arena_new(shader->arena, nir_jump_instr);
   instr_init(&jump->instr, nir_instr_type_jump);
   jump->type = type;
   return jump;
}

nir_jump_instr *
nir_goto_instr_create(nir_shader *shader, nir_ssa_def *cond,
                      nir_block *target, nir_block *else_target)
{
   nir_jump_instr *jump =
      nir_jump_instr_create(shader, cond ? nir_jump_goto_if : nir_jump_goto);

   jump->target = target;
   if (cond) {
      jump->condition = nir_src_for_ssa(cond);
      jump->else_target = else_target;
   }
   return jump;
}

nir_load_const_instr *
nir_load_const_instr_create(nir_shader *shader, unsigned num_components,
                            unsigned bit_size)
{
   nir_load_const_instr *lc =
      instr_alloc(shader, sizeof(nir_load_const_instr),
                  sizeof(nir_const_value), num_components);
   instr_init(&lc->instr, nir_instr_type_load_const);
   nir_ssa_def_init(&lc->instr, &lc->def, num_components, bit_size);
   return lc;
}

nir_intrinsic_instr *
nir_intrinsic_instr_create(nir_shader *shader, nir_intrinsic_op op)
{
   nir_intrinsic_instr *intr =
      instr_alloc(shader, sizeof(nir_intrinsic_instr), sizeof(nir_src),
                  nir_intrinsic_infos[op].num_srcs);
   instr_init(&intr->instr, nir_instr_type_intrinsic);
   intr->intrinsic = op;
   return intr;
}

nir_call_instr *
nir_call_instr_create(nir_shader *shader, nir_function *callee)
{
   nir_call_instr *call = instr_alloc(shader, sizeof(nir_call_instr),
                                      sizeof(nir_src), callee->num_params);
   instr_init(&call->instr, nir_instr_type_call);
   call->callee = callee;
   call->num_params = callee->num_params;
   return call;
}

nir_tex_instr *
nir_tex_instr_create(nir_shader *shader, unsigned num_srcs)
{
   static const int8_t default_offsets[4][2] = {
      { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 }
   };
   nir_tex_instr *tex = arena_new(shader->arena, nir_tex_instr);
   instr_init(&tex->instr, nir_instr_type_tex);
   tex->arena = shader->arena;
   tex->num_srcs = num_srcs;
   tex->src = arena_new_array(shader->arena, nir_tex_src, num_srcs);
   memcpy(tex->tg4_offsets, default_offsets, sizeof(default_offsets));
   return tex;
}

nir_phi_instr *
nir_phi_instr_create(nir_shader *shader)
{
   nir_phi_instr *phi = arena_new(shader->arena, nir_phi_instr);
   instr_init(&phi->instr, nir_instr_type_phi);
   list_inithead(&phi->srcs);
   phi->arena = shader->arena;
   return phi;
}

nir_ssa_undef_instr *
nir_ssa_undef_instr_create(nir_shader *shader, unsigned num_components,
                           unsigned bit_size)
{
   nir_ssa_undef_instr *undef = arena_new(shader->arena, nir_ssa_undef_instr);
   instr_init(&undef->instr, nir_instr_type_ssa_undef);
   nir_ssa_def_init(&undef->instr, &undef->def, num_components, bit_size);
   return undef;
}

nir_if *
nir_if_create(nir_shader *shader)
{
   nir_if *nif = arena_new(shader->arena, nir_if);
   cf_init(&nif->cf_node, nir_cf_node_if);
   list_inithead(&nif->then_list);
   list_inithead(&nif->else_list);

   nir_block *then = nir_block_create(shader);
   nir_block *els = nir_block_create(shader);
   then->cf_node.parent = els->cf_node.parent = &nif->cf_node;
   list_addtail(&then->cf_node.node, &nif->then_list);
   list_addtail(&els->cf_node.node, &nif->else_list);
   return nif;
}

nir_loop *
nir_loop_create(nir_shader *shader)
{
   nir_loop *loop = arena_new(shader->arena, nir_loop);
   cf_init(&loop->cf_node, nir_cf_node_loop);
   list_inithead(&loop->body);

   nir_block *body = nir_block_create(shader);
   body->cf_node.parent = &loop->cf_node;
   list_addtail(&body->cf_node.node, &loop->body);
   nir_block_link(shader, body, body);
   return loop;
}

void
nir_ssa_def_init(nir_instr *instr, nir_ssa_def *def, unsigned num_components,
                 unsigned bit_size)
{
   def->parent_instr = instr;
   list_inithead(&def->uses);
   list_inithead(&def->if_uses);
   def->num_components = (uint8_t)num_components;
   def->bit_size = (uint8_t)bit_size;
   def->divergent = true;
   if (instr->block) {
      nir_function_impl *impl =
         nir_cf_node_get_function(&instr->block->cf_node);
      def->index = impl->ssa_alloc++;
      impl->valid_metadata &= ~nir_metadata_live_ssa_defs;
   } else {
      def->index = UINT32_MAX;
   }
}

void
nir_ssa_dest_init(nir_instr *instr, nir_dest *dest, unsigned num_components,
                  unsigned bit_size, const char *name)
{
   nir_ssa_def_init(instr, &dest->ssa, num_components, bit_size);
}

nir_phi_src *
nir_phi_instr_add_src(nir_phi_instr *phi, nir_block *pred, nir_src src)
{
   nir_phi_src *psrc = arena_new(phi->arena, nir_phi_src);
   psrc->pred = pred;
   psrc->src = src;
   psrc->src.parent_instr = &phi->instr;
   list_addtail(&psrc->node, &phi->srcs);
   psrc->src.use_link = (struct list_head) { NULL, NULL };
   if (phi->instr.block)
      nir_src_link(&psrc->src);
   return psrc;
}

nir_phi_src *
nir_phi_get_src_from_block(nir_phi_instr *phi, nir_block *block)
{
   nir_foreach_phi_src(src, phi) {
      if (src->pred == block)
         return src;
   }
   assert(!"a phi has a source for each predecessor");
   return NULL;
}
