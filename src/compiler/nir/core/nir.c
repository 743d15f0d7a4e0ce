/* SPDX-License-Identifier: MIT */
/*
 * Shaders, functions, variables and the making of instructions. Lists of
 * uses are kept by nir_uses.c, control flow by nir_control_flow.c.
 */
#include "nir.h"

#include "nir_private.h"

static const nir_shader_compiler_options default_options;

nir_shader *
nir_new_shader(struct arena *parent, gl_shader_stage stage,
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
nir_new_function(nir_shader *shader, const char *name)
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
nir_new_block(nir_shader *shader)
{
   nir_block *block = arena_new(shader->arena, nir_block);
   cf_init(&block->cf_node, nir_cf_node_block);
   list_inithead(&block->instr_list);
   return block;
}

nir_function_impl *
nir_new_loose_body(nir_shader *shader)
{
   nir_function_impl *impl = arena_new(shader->arena, nir_function_impl);
   cf_init(&impl->cf_node, nir_cf_node_function);
   list_inithead(&impl->body);
   list_inithead(&impl->locals);
   impl->structured = true;

   nir_block *start = nir_new_block(shader);
   impl->end_block = nir_new_block(shader);
   start->cf_node.parent = &impl->cf_node;
   impl->end_block->cf_node.parent = &impl->cf_node;
   list_addtail(&start->cf_node.node, &impl->body);
   nir_block_link(shader, start, impl->end_block);
   return impl;
}

nir_function_impl *
nir_new_body(nir_function *func)
{
   nir_function_impl *impl = nir_new_loose_body(func->shader);
   impl->function = func;
   func->impl = impl;
   return impl;
}

nir_function_impl *
nir_impl_after(const nir_shader *shader, const nir_function_impl *last)
{
   const struct list_head *end = &shader->functions;
   const struct list_head *at = last ? last->function->node.next : end->next;
   for (; at != end; at = at->next) {
      const nir_function *func = list_entry(at, nir_function, node);
      if (func->impl)
         return func->impl;
   }
   return NULL;
}

nir_function_impl *
nir_entry_point(const nir_shader *shader)
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

static nir_variable *
make_variable(struct arena *arena, struct list_head *owner,
              nir_variable_mode mode, const struct glsl_type *type,
              const char *name)
{
   nir_variable *var = arena_new(arena, nir_variable);
   var->type = type;
   var->name = name ? arena_strdup(arena, name) : NULL;
   var->data.mode = mode;
   list_addtail(&var->node, owner);
   return var;
}

nir_variable *
nir_new_local(nir_function_impl *impl, const struct glsl_type *type,
              const char *name)
{
   return make_variable(impl->function->shader->arena, &impl->locals,
                        nir_var_function_temp, type, name);
}

/* Whether it comes from a stage before or goes to one behind, and so may be
 * interpolated on the way. */
static bool
is_varying(gl_shader_stage stage, nir_variable_mode mode)
{
   switch (mode) {
   case nir_var_shader_in: return stage != MESA_SHADER_VERTEX;
   case nir_var_shader_out: return stage != MESA_SHADER_FRAGMENT;
   default: return false;
   }
}

nir_variable *
nir_new_variable(nir_shader *shader, nir_variable_mode mode,
                 const struct glsl_type *type, const char *name)
{
   assert(mode != nir_var_function_temp && "locals belong to a body");
   nir_variable *var =
      make_variable(shader->arena, &shader->variables, mode, type, name);
   var->data.read_only = mode == nir_var_shader_in || mode == nir_var_uniform;
   if (is_varying(shader->info.stage, mode))
      var->data.interpolation = INTERP_MODE_SMOOTH;
   return var;
}

void
nir_add_variable(nir_shader *shader, nir_variable *var)
{
   assert(var->data.mode != nir_var_function_temp);
   list_addtail(&var->node, &shader->variables);
}

nir_constant *
nir_constant_clone(const nir_constant *from, nir_shader *shader)
{
   if (!from)
      return NULL;
   const unsigned n = from->num_elements;
   nir_constant *to = arena_memdup(shader->arena, from, sizeof(*from));
   to->elements = n ? arena_new_array(shader->arena, nir_constant *, n)
                    : NULL;
   for (unsigned i = 0; i < n; i++)
      to->elements[i] = nir_constant_clone(from->elements[i], shader);
   return to;
}

nir_variable *
nir_variable_clone(const nir_variable *from, nir_shader *shader)
{
   struct arena *arena = shader->arena;
   nir_variable *to = arena_memdup(arena, from, sizeof(*from));
   to->node = (struct list_head) { NULL, NULL };
   to->name = from->name ? arena_strdup(arena, from->name) : NULL;
   to->constant_initializer =
      nir_constant_clone(from->constant_initializer, shader);
   if (from->num_members)
      to->members = arena_memdup(arena, from->members,
                                 from->num_members * sizeof(*from->members));
   return to;
}

nir_variable *
nir_variable_at(nir_shader *shader, nir_variable_mode mode, unsigned location)
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
   bool per_vertex = false; /* in this direction, but for patches */
   switch (stage) {
   case MESA_SHADER_TESS_CTRL:
      per_vertex = var->data.mode == nir_var_shader_in ||
                   var->data.mode == nir_var_shader_out;
      break;
   case MESA_SHADER_TESS_EVAL:
   case MESA_SHADER_GEOMETRY:
      per_vertex = var->data.mode == nir_var_shader_in;
      break;
   default:
      per_vertex = var->data.mode == nir_var_shader_in &&
                   var->data.per_vertex;
   }
   return per_vertex && glsl_type_is_array(var->type) && !var->data.patch;
}

/* --- Instructions ------------------------------------------------------- */

/* An instruction of `head_B` bytes that begins with a nir_instr; after them
 * `n` operands of `operand_B` bytes. */
static void *
new_instr(nir_shader *shader, nir_instr_kind kind, size_t head_B,
          size_t operand_B, unsigned n)
{
   nir_instr *instr = arena_alloc(shader->arena, head_B + operand_B * n);
   instr->kind = kind;
   instr->operands = (nir_use *)((char *)instr + head_B);
   instr->operand_B = (uint8_t)operand_B;
   instr->num_operands = (uint16_t)n;
   return instr;
}

#define NEW_INSTR(shader, name, operand_B, n)                                \
   new_instr(shader, nir_kind_##name, sizeof(nir_##name##_instr), operand_B, \
             n)

/* Operands that are fields, one after the other. */
static void
set_operands(nir_instr *instr, nir_use *first, unsigned n)
{
   instr->operands = first;
   instr->operand_B = sizeof(nir_use);
   instr->num_operands = (uint16_t)n;
}

nir_alu_instr *
nir_new_alu(nir_shader *shader, nir_op op)
{
   const unsigned n = nir_op_infos[op].num_inputs;
   nir_alu_instr *alu = NEW_INSTR(shader, alu, sizeof(nir_operand), n);
   alu->op = op;
   for (unsigned i = 0; i < n; i++) {
      for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++)
         alu->src[i].swizzle[c] = (uint8_t)c;
   }
   return alu;
}

nir_deref_instr *
nir_new_deref(nir_shader *shader, nir_deref_type type)
{
   nir_deref_instr *deref = NEW_INSTR(shader, deref, 0, 0);
   const bool has_index = type == nir_deref_type_array ||
                          type == nir_deref_type_ptr_as_array;
   static_assert(offsetof(nir_deref_instr, index) ==
                    offsetof(nir_deref_instr, parent) + sizeof(nir_use),
                 "operands of an array lie one after the other");
   deref->deref_type = type;
   set_operands(&deref->instr, &deref->parent,
                type == nir_deref_type_var ? 0
                : has_index                ? 2
                                           : 1);
   return deref;
}

nir_jump_instr *
nir_new_jump(nir_shader *shader, nir_jump_type type)
{
   nir_jump_instr *jump = NEW_INSTR(shader, jump, 0, 0);
   jump->type = type;
   set_operands(&jump->instr, &jump->condition, type == nir_jump_goto_if);
   return jump;
}

nir_jump_instr *
nir_new_goto(nir_shader *shader, nir_value *cond, nir_block *target,
             nir_block *else_target)
{
   nir_jump_instr *jump =
      nir_new_jump(shader, cond ? nir_jump_goto_if : nir_jump_goto);
   jump->target = target;
   if (cond) {
      jump->condition = nir_use_of(cond);
      jump->else_target = else_target;
   }
   return jump;
}

nir_load_const_instr *
nir_new_load_const(nir_shader *shader, unsigned num_components,
                   unsigned bit_size)
{
   nir_load_const_instr *lc =
      new_instr(shader, nir_kind_load_const,
                sizeof(*lc) + num_components * sizeof(nir_const_value), 0, 0);
   nir_set_result(&lc->instr, num_components, bit_size);
   return lc;
}

nir_instr *
nir_new_undef(nir_shader *shader, unsigned num_components, unsigned bit_size)
{
   nir_instr *undef =
      new_instr(shader, nir_kind_undef, sizeof(nir_instr), 0, 0);
   nir_set_result(undef, num_components, bit_size);
   return undef;
}

nir_intrinsic_instr *
nir_new_intrinsic(nir_shader *shader, nir_intrinsic_op op)
{
   nir_intrinsic_instr *intr = NEW_INSTR(shader, intrinsic, sizeof(nir_use),
                                         nir_intrinsic_infos[op].num_srcs);
   intr->intrinsic = op;
   return intr;
}

nir_call_instr *
nir_new_call(nir_shader *shader, nir_function *callee)
{
   nir_call_instr *call =
      NEW_INSTR(shader, call, sizeof(nir_use), callee->num_params);
   call->callee = callee;
   call->num_params = callee->num_params;
   return call;
}

nir_tex_instr *
nir_new_tex(nir_shader *shader, unsigned num_operands)
{
   nir_tex_instr *tex = NEW_INSTR(shader, tex, 0, 0);
   tex->arena = shader->arena;
   nir_tex_resize(tex, num_operands);
   memcpy(tex->tg4_offsets, nir_tg4_square, sizeof(nir_tg4_square));
   return tex;
}

nir_phi_instr *
nir_new_phi(nir_shader *shader)
{
   nir_phi_instr *phi = NEW_INSTR(shader, phi, 0, 0);
   list_inithead(&phi->srcs);
   phi->arena = shader->arena;
   return phi;
}

nir_if *
nir_new_if(nir_shader *shader)
{
   nir_if *nif = arena_new(shader->arena, nir_if);
   cf_init(&nif->cf_node, nir_cf_node_if);
   list_inithead(&nif->then_list);
   list_inithead(&nif->else_list);

   nir_block *then = nir_new_block(shader);
   nir_block *els = nir_new_block(shader);
   then->cf_node.parent = els->cf_node.parent = &nif->cf_node;
   list_addtail(&then->cf_node.node, &nif->then_list);
   list_addtail(&els->cf_node.node, &nif->else_list);
   return nif;
}

nir_loop *
nir_new_loop(nir_shader *shader)
{
   nir_loop *loop = arena_new(shader->arena, nir_loop);
   cf_init(&loop->cf_node, nir_cf_node_loop);
   list_inithead(&loop->body);

   nir_block *body = nir_new_block(shader);
   body->cf_node.parent = &loop->cf_node;
   list_addtail(&body->cf_node.node, &loop->body);
   nir_block_link(shader, body, body);
   return loop;
}

nir_phi_source *
nir_phi_add_source(nir_phi_instr *phi, nir_block *pred, nir_use use)
{
   nir_phi_source *source = arena_new(phi->arena, nir_phi_source);
   source->pred = pred;
   nir_set_use(&phi->instr, &source->use, use.value);
   list_addtail(&source->node, &phi->srcs);
   return source;
}

nir_phi_source *
nir_phi_source_from(nir_phi_instr *phi, nir_block *block)
{
   nir_foreach_phi_source(source, phi) {
      if (source->pred == block)
         return source;
   }
   unreachable("a phi has a source for each predecessor");
}
