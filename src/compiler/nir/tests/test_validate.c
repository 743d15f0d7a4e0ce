/* SPDX-License-Identifier: MIT */
/*
 * That the validator rejects: a shader with one of everything is whole; each
 * row breaks one thing in a new copy of it and names the rule that must be
 * told, with others or alone. tests/lint has a row for each rule.
 */
#include "util/unit_test.h"

#include "nir_builder.h"

struct shader {
   nir_shader *s;
   nir_builder b;
   nir_variable *in, *out, *ubo, *local, *tree;
   nir_value *one, *vec;
   nir_alu_instr *add, *convert;
   nir_deref_instr *var, *member, *element, *wildcard, *as_array;
   nir_intrinsic_instr *load, *store, *memory, *output;
   nir_tex_instr *tex;
   nir_call_instr *call;
   nir_if *nif;
   nir_loop *loop;
   nir_phi_instr *phi;
   nir_jump_instr *leave, *back;
};

static nir_intrinsic_instr *
last_intrinsic(struct shader *t)
{
   return nir_instr_as_intrinsic(
      nir_block_last_instr(nir_cursor_current_block(t->b.cursor)));
}

static nir_jump_instr *
last_jump(nir_if *nif)
{
   return nir_instr_as_jump(
      nir_block_last_instr(nir_if_first_then_block(nif)));
}

static void
build_variables(struct shader *t)
{
   const struct glsl_struct_field fields[] = {
      { .type = glsl_vec_type(4), .name = "a" },
      { .type = glsl_array_type(glsl_float_type(), 4, 0), .name = "b" },
   };
   t->in = nir_new_variable(t->s, nir_var_shader_in, glsl_vec_type(4), "in");
   t->out =
      nir_new_variable(t->s, nir_var_shader_out, glsl_vec_type(4), "out");
   t->ubo = nir_new_variable(t->s, nir_var_mem_ubo, glsl_vec_type(4), "ubo");
   t->local = nir_new_local(t->b.impl, glsl_vec_type(4), "local");
   t->tree = nir_new_local(
      t->b.impl, glsl_struct_type(fields, 2, "tree", false), "tree");
}

static void
build_derefs(struct shader *t)
{
   nir_builder *b = &t->b;
   t->var = nir_deref_to(b, t->tree);
   t->member = nir_build_deref_struct(b, t->var, 1);
   t->element = nir_build_deref_array(b, t->member, t->one);
   t->wildcard = nir_build_deref_array_wildcard(b, t->member);
   t->as_array = nir_build_deref_ptr_as_array(
      b,
      nir_build_deref_cast(b, &t->member->instr.result, nir_var_function_temp,
                           glsl_float_type(), 4),
      t->one);
   nir_store_var(b, t->local, nir_load_var(b, t->in), 0xf);
   t->store = last_intrinsic(t);
   t->vec = nir_load_var(b, t->local);
   t->load = last_intrinsic(t);
}

static void
build_tex(struct shader *t)
{
   nir_variable *sampler = nir_new_variable(
      t->s, nir_var_uniform,
      glsl_sampler_type(GLSL_SAMPLER_DIM_2D, false, false, GLSL_TYPE_FLOAT),
      "sampler");
   nir_deref_instr *d = nir_deref_to(&t->b, sampler);
   t->tex = nir_new_tex(t->s, 0);
   t->tex->op = nir_texop_tex;
   t->tex->dest_type = nir_type_float32;
   t->tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
   t->tex->coord_components = 2;
   nir_tex_add(t->tex, nir_tex_src_coord,
               nir_use_of(nir_channels(&t->b, t->vec, 0x3)));
   nir_tex_add(t->tex, nir_tex_src_texture_deref,
               nir_use_of(&d->instr.result));
   nir_tex_add(t->tex, nir_tex_src_sampler_deref,
               nir_use_of(&d->instr.result));
   nir_set_result(&t->tex->instr, 4, 32);
   nir_emit(&t->b, &t->tex->instr);
}

static void
build_call(struct shader *t)
{
   nir_function *callee = nir_new_function(t->s, "callee");
   callee->num_params = 1;
   callee->params = arena_new_array(t->s->arena, nir_parameter, 1);
   callee->params[0] =
      (nir_parameter) { .num_components = 1, .bit_size = 32 };
   t->call = nir_new_call(t->s, callee);
   t->call->params[0] = nir_use_of(t->one);
   nir_emit(&t->b, &t->call->instr);
}

static void
build_flow(struct shader *t)
{
   nir_builder *b = &t->b;
   nir_value *c = nir_ilt(b, t->one, nir_imm_int(b, 2));
   t->nif = nir_push_if(b, c);
   nir_value *x = nir_iadd_imm(b, t->one, 1);
   nir_push_else(b, NULL);
   nir_value *y = nir_iadd_imm(b, t->one, 2);
   nir_pop_if(b, NULL);
   t->phi = nir_instr_as_phi(nir_if_phi(b, x, y)->instr);
   t->loop = nir_push_loop(b);
   nir_if *first = nir_push_if(b, c);
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, NULL);
   nir_if *second = nir_push_if(b, c);
   nir_jump(b, nir_jump_continue);
   nir_pop_if(b, NULL);
   nir_pop_loop(b, t->loop);
   t->leave = last_jump(first);
   t->back = last_jump(second);
}

static void
build(struct shader *t)
{
   memset(t, 0, sizeof(*t));
   t->b = nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, NULL, "all");
   t->s = t->b.shader;
   nir_builder *b = &t->b;
   t->one = nir_imm_int(b, 1);
   build_variables(t);
   build_derefs(t);
   t->add = nir_instr_as_alu(nir_fadd(b, t->vec, t->vec)->instr);
   t->convert = nir_instr_as_alu(nir_i2f32(b, t->one)->instr);
   build_tex(t);
   build_call(t);
   nir_load_ssbo(b, 1, 32, t->one, t->one, .align_mul = 4);
   t->memory = last_intrinsic(t);
   nir_store_output(b, t->vec, t->one, .write_mask = 0xf);
   t->output = last_intrinsic(t);
   build_flow(t);
}

/* --- What is broken ---------------------------------------------------- */

#define BREAK(name) static void name(struct shader *t)

/* A block that is in no function. */
static nir_block *
stray(struct shader *t)
{
   return nir_new_block(t->s);
}

/* Blocks with gotos: a function of its own, b0 -> b1 or b2 -> b2. */
struct flat {
   nir_block *block[3];
   nir_function_impl *impl;
};

static struct flat
flat(struct shader *t)
{
   nir_function *f = nir_new_function(t->s, "flat");
   struct flat r = { .impl = nir_new_body(f) };
   nir_builder b = nir_builder_create(r.impl);
   b.cursor = nir_before_cf_list(&r.impl->body);
   r.block[0] = nir_start_block(r.impl);
   nir_value *c = nir_imm_true(&b);
   r.block[1] = nir_unstructured_block_create(r.impl);
   r.block[2] = nir_unstructured_block_create(r.impl);
   const struct {
      nir_value *cond;
      nir_block *target, *other;
   } jumps[] = { { c, r.block[1], r.block[2] }, { NULL, r.block[2], NULL } };
   for (unsigned i = 0; i < 2; i++) {
      nir_jump_instr *j =
         nir_new_goto(t->s, jumps[i].cond, jumps[i].target, jumps[i].other);
      nir_instr_insert(nir_after_block(r.block[i]), &j->instr);
   }
   nir_instr_insert(nir_after_block(r.block[2]),
                    &nir_new_jump(t->s, nir_jump_return)->instr);
   return r;
}

static nir_jump_instr *
jump_of(nir_block *block)
{
   return nir_instr_as_jump(nir_block_last_instr(block));
}

BREAK(nothing)
{
   flat(t);
}

/* Variables, functions. */
BREAK(local_mode)
{
   t->local->data.mode = nir_var_uniform;
}
BREAK(shader_mode)
{
   t->in->data.mode = nir_var_function_temp;
}
BREAK(impl_function)
{
   t->b.impl->function = nir_new_function(t->s, "x");
}
BREAK(end_block)
{
   nir_instr *i = nir_new_undef(t->s, 1, 32);
   i->block = t->b.impl->end_block;
   list_addtail(&i->node, &t->b.impl->end_block->instr_list);
}

/* Flow. */
BREAK(stray_successor)
{
   nir_start_block(t->b.impl)->successors[0] = stray(t);
}
BREAK(no_predecessor)
{
   nir_if_first_then_block(t->nif)->num_predecessors = 0;
}
BREAK(wrong_predecessor)
{
   t->b.impl->end_block->predecessors[0] = nir_start_block(t->b.impl);
   nir_if_first_then_block(t->nif)->predecessors[0] =
      nir_if_first_else_block(t->nif);
}
BREAK(swapped_sides)
{
   nir_block *start = nir_start_block(t->b.impl), *was = start->successors[0];
   start->successors[0] = start->successors[1];
   start->successors[1] = was;
}
BREAK(loop_start)
{
   nir_cf_node_as_block(nir_cf_node_prev(&t->loop->cf_node))->successors[1] =
      t->b.impl->end_block;
}
BREAK(two_successors)
{
   nir_if_first_then_block(t->nif)->successors[1] = t->b.impl->end_block;
}
BREAK(node_parent)
{
   t->nif->cf_node.parent = &t->loop->cf_node;
}
BREAK(no_nodes)
{
   list_inithead(&t->nif->else_list);
}
BREAK(block_beside_block)
{
   nir_block *other = stray(t);
   other->cf_node.parent = &t->nif->cf_node;
   list_addtail(&other->cf_node.node, &t->nif->then_list);
}
BREAK(node_last)
{
   nir_cf_node *last =
      &nir_cf_node_as_block(nir_cf_node_next(&t->loop->cf_node))->cf_node;
   list_del(&last->node);
}
BREAK(flat_with_loop)
{
   struct flat f = flat(t);
   nir_loop *l = nir_new_loop(t->s);
   l->cf_node.parent = &f.impl->cf_node;
   list_addtail(&l->cf_node.node, &f.impl->body);
}
BREAK(flat_without_jump)
{
   nir_instr_remove(&jump_of(flat(t).block[2])->instr);
}
BREAK(jump_to_start)
{
   struct flat f = flat(t);
   nir_instr_remove(&jump_of(f.block[1])->instr);
   nir_instr_insert(nir_after_block(f.block[1]),
                    &nir_new_goto(t->s, NULL, f.block[0], NULL)->instr);
}
BREAK(flat_order)
{
   struct flat f = flat(t);
   list_del(&f.block[0]->cf_node.node);
   list_addtail(&f.block[0]->cf_node.node, &f.impl->body);
   nir_metadata_preserve(f.impl, nir_metadata_none);
}
BREAK(if_condition_parent)
{
   t->nif->condition.nif = NULL;
}
BREAK(unknown_node)
{
   t->nif->cf_node.type = nir_cf_node_function;
}
BREAK(alien_use)
{
   nir_use *other = arena_alloc(t->s->arena, sizeof(*other));
   *other = nir_use_of(t->one);
   list_addtail(&other->link, &t->one->uses);
}
BREAK(alien_if_use)
{
   nir_use *other = arena_alloc(t->s->arena, sizeof(*other));
   *other = nir_use_of(t->one);
   other->nif = t->nif;
   list_addtail(&other->link, &t->one->uses);
}
BREAK(alu_operands)
{
   t->add->instr.num_operands = 1;
}
BREAK(intrinsic_operands)
{
   t->memory->instr.num_operands--;
}
BREAK(unlisted_use)
{
   list_inithead(&t->one->uses);
}
BREAK(no_dominance)
{
   nir_instr *x = nir_block_first_instr(nir_if_first_then_block(t->nif));
   nir_block *after = t->phi->instr.block;
   nir_alu_instr *use = nir_new_alu(t->s, nir_op_mov);
   use->src[0].use = nir_use_of(nir_instr_value(x));
   nir_set_result(&use->instr, 1, 32);
   nir_instr_insert(nir_after_block_before_jump(after), &use->instr);
}
/* What the then side of an earlier one gives. */
BREAK(if_dominance)
{
   nir_instr *x = nir_block_first_instr(nir_if_first_then_block(t->nif));
   nir_if *later = nir_cf_node_as_if(t->leave->instr.block->cf_node.parent);
   nir_set_condition(later, nir_instr_value(x));
}
BREAK(phi_dominance)
{
   nir_phi_source *one =
      list_first_entry(&t->phi->srcs, nir_phi_source, node);
   nir_phi_source *other =
      list_last_entry(&t->phi->srcs, nir_phi_source, node);
   nir_set_use(&t->phi->instr, &one->use, other->use.value);
}

/* Sources and destinations. */
BREAK(src_parent)
{
   t->add->src[0].use.instr = &t->convert->instr;
}
BREAK(src_null)
{
   t->store->src[1].value = NULL;
}
BREAK(alu_src_null)
{
   t->add->src[1].use.value = NULL;
}
BREAK(src_later)
{
   nir_instr_remove(&t->load->instr);
   nir_instr_insert(nir_after_instr(&t->output->instr), &t->load->instr);
}
BREAK(src_unlisted)
{
   list_del(&t->convert->src[0].use.link);
   t->convert->src[0].use.link.next = NULL;
}
BREAK(src_size)
{
   t->one->bit_size = 64;
}
BREAK(src_components)
{
   t->tex->coord_components = 3;
}
BREAK(def_parent)
{
   t->add->instr.result.instr = &t->convert->instr;
}
BREAK(def_odd_size)
{
   t->one->bit_size = 24;
}
BREAK(def_odd_components)
{
   t->one->num_components = 7;
}
BREAK(def_size)
{
   t->convert->instr.result.bit_size = 64;
}
BREAK(def_components)
{
   t->tex->instr.result.num_components = 3;
}
BREAK(def_index)
{
   t->one->index = t->b.impl->num_values;
}

/* Instructions. */
BREAK(alu_opcode)
{
   t->add->op = nir_num_opcodes;
}
BREAK(float_src)
{
   t->vec->bit_size = 8;
}
BREAK(swizzle)
{
   t->convert->src[0].swizzle[0] = 3;
}
BREAK(deref_no_mode)
{
   t->var->modes = 0;
}
BREAK(deref_no_type)
{
   t->var->type = NULL;
}
BREAK(deref_alien_var)
{
   list_del(&t->tree->node);
}
/* That of a function which was there before. */
BREAK(deref_other_local)
{
   nir_function *f = nir_new_function(t->s, "other");
   list_del(&f->node);
   list_add(&f->node, &t->s->functions);
   t->var->var = nir_new_local(nir_new_body(f), t->tree->type, "tree");
}
BREAK(deref_var_mode)
{
   t->var->modes = nir_var_uniform;
}
BREAK(deref_var_type)
{
   t->var->type = glsl_float_type();
}
BREAK(deref_parent)
{
   nir_set_use(&t->member->instr, &t->member->parent, t->one);
}
BREAK(deref_mode)
{
   t->member->modes = nir_var_uniform;
}
BREAK(deref_member)
{
   t->member->member = 0;
}
BREAK(deref_element)
{
   t->element->type = glsl_int_type();
}
BREAK(deref_wildcard)
{
   t->wildcard->type = glsl_int_type();
}
BREAK(deref_as_array)
{
   t->as_array->type = glsl_int_type();
}
BREAK(store_whole)
{
   nir_deref_instr *d = nir_use_as_deref(t->store->src[0]);
   d->type = t->local->type = t->tree->type;
}
BREAK(store_components)
{
   nir_deref_instr *d = nir_use_as_deref(t->store->src[0]);
   d->type = t->local->type = glsl_vec_type(3);
}
BREAK(store_size)
{
   nir_deref_instr *d = nir_use_as_deref(t->store->src[0]);
   d->type = t->local->type = glsl_vector_type(GLSL_TYPE_DOUBLE, 4);
}
BREAK(store_mask)
{
   nir_intrinsic_set_write_mask(t->store, 0x10);
}
BREAK(store_to_input)
{
   nir_deref_instr *d = nir_use_as_deref(t->store->src[0]);
   d->var = t->in;
   d->modes = nir_var_shader_in;
}
BREAK(intrinsic)
{
   t->memory->intrinsic = nir_num_intrinsics;
}
BREAK(intrinsic_components)
{
   t->memory->num_components = 7;
}
BREAK(intrinsic_size)
{
   nir_value *d = nir_load_front_face(&t->b, 1);
   d->bit_size = 16;
}
BREAK(intrinsic_mask)
{
   nir_intrinsic_set_write_mask(t->output, 0x1f);
}
BREAK(alignment)
{
   nir_intrinsic_set_align_offset(t->memory, 4);
}
BREAK(no_deref)
{
   nir_set_use(&t->store->instr, &t->store->src[0], t->one);
}
BREAK(no_image_deref)
{
   nir_image_deref_samples(&t->b, t->one);
}
BREAK(no_source_deref)
{
   nir_deref_instr *d = nir_deref_to(&t->b, t->local);
   nir_build_copy_deref(&t->b, &d->instr.result, t->one);
}
BREAK(no_param)
{
   nir_build_load_param(&t->b, 1, 32, .param_idx = 0);
}
BREAK(load_size)
{
   nir_deref_instr *d = nir_use_as_deref(t->load->src[0]);
   d->type = glsl_vector_type(GLSL_TYPE_DOUBLE, 4);
}
BREAK(load_components)
{
   nir_deref_instr *d = nir_use_as_deref(t->load->src[0]);
   d->type = glsl_vec_type(3);
}
BREAK(tex_unknown)
{
   t->tex->src[0].src_type = nir_num_tex_operand_kinds;
}
BREAK(tex_twice)
{
   t->tex->src[1].src_type = nir_tex_src_sampler_deref;
}
BREAK(tex_deref)
{
   nir_set_use(&t->tex->instr, &t->tex->src[1].use, t->one);
}
BREAK(tex_type)
{
   t->tex->dest_type = nir_type_float;
}
BREAK(phi_late)
{
   nir_instr *i = nir_new_undef(t->s, 1, 32);
   nir_set_result(i, 1, 32);
   i->block = t->phi->instr.block;
   list_add(&i->node, &i->block->instr_list);
}
BREAK(phi_pred)
{
   list_first_entry(&t->phi->srcs, nir_phi_source, node)->pred = stray(t);
}
BREAK(phi_twice)
{
   list_first_entry(&t->phi->srcs, nir_phi_source, node)->pred =
      list_last_entry(&t->phi->srcs, nir_phi_source, node)->pred;
}
BREAK(phi_few)
{
   list_del(&list_first_entry(&t->phi->srcs, nir_phi_source, node)->node);
}
BREAK(goto_structured)
{
   t->leave->type = nir_jump_goto;
}
BREAK(goto_target)
{
   struct flat f = flat(t);
   jump_of(f.block[1])->target = f.block[1];
}
BREAK(goto_two)
{
   struct flat f = flat(t);
   jump_of(f.block[0])->type = nir_jump_goto;
}
BREAK(jump_last)
{
   nir_instr *i = nir_new_undef(t->s, 1, 32);
   i->block = t->leave->instr.block;
   list_addtail(&i->node, &i->block->instr_list);
}
BREAK(jump_two)
{
   t->leave->instr.block->successors[1] = t->b.impl->end_block;
}
BREAK(return_elsewhere)
{
   t->leave->type = nir_jump_return;
}
BREAK(no_loop)
{
   nir_block *b = nir_if_first_then_block(t->nif);
   nir_instr *i = &nir_new_jump(t->s, nir_jump_break)->instr;
   i->block = b;
   list_addtail(&i->node, &b->instr_list);
}
BREAK(call_params)
{
   t->call->callee->num_params = 0;
}
BREAK(instr_block)
{
   t->add->instr.block = stray(t);
}
BREAK(instr_type)
{
   t->call->instr.kind = (nir_instr_kind)99;
}

/* --- The rows ---------------------------------------------------------- */

static const struct {
   void (*break_it)(struct shader *t);
   const char *rule;
} rows[] = {
   { local_mode, "a local variable has mode function_temp" },
   { shader_mode, "a shader variable has one mode, not function_temp" },
   { impl_function, "an implementation names its function" },
   { end_block, "the end block is empty" },

   { stray_successor, "a successor is a block of the function" },
   { no_predecessor, "a successor has the block as predecessor, once" },
   { wrong_predecessor, "a predecessor has the block as successor" },
   { swapped_sides, "the block before an if goes to both of its sides" },
   { loop_start, "the block before a loop goes to its start" },
   { two_successors, "a block without a jump has one successor" },
   { node_parent, "a node names its parent" },
   { no_nodes, "a list of nodes begins and ends with a block" },
   { node_last, "a list of nodes begins and ends with a block" },
   { block_beside_block, "blocks and other nodes alternate" },
   { unknown_node, "a node is a block, if or loop" },
   { if_condition_parent, "the condition of an if names it as parent" },
   { flat_with_loop, "an unstructured function has blocks alone" },
   { flat_without_jump,
     "a block of an unstructured function ends in a jump" },
   { jump_to_start, "no jump leads to the first block" },
   { flat_order, "an unstructured block stands after a predecessor" },
   { alien_use, "the list of uses has only uses of the value" },
   { alien_if_use, "the list of uses has only uses of the value" },
   { unlisted_use, "every source is in a list of uses" },
   { no_dominance, "a value's definition dominates its uses" },
   { if_dominance, "the condition of an if dominates it" },
   { phi_dominance, "a phi source dominates the end of its predecessor" },

   { src_parent, "a source names its instruction as parent" },
   { src_null, "a source has a value" },
   { alu_src_null, "a source has a value" },
   { src_later, "a source uses a value defined before it" },
   { src_unlisted, "a source is in the list of uses of its value" },
   { src_size, "the source has the bit size that the instruction needs" },
   { src_components,
     "the source has the components that the instruction needs" },
   { def_parent, "a value names the instruction that defines it" },
   { def_odd_size, "a bit size is 1, 8, 16, 32 or 64" },
   { def_odd_components, "a value has 1 to 5, 8 or 16 components" },
   { def_size, "the value has the bit size that the instruction gives" },
   { def_components,
     "the value has the components that the instruction gives" },
   { def_index, "the index of a value is below num_values" },

   { alu_opcode, "an opcode is in the table" },
   { alu_operands, "an instruction has the operands of its row" },
   { intrinsic_operands, "an instruction has the operands of its row" },
   { float_src, "a float has 16, 32 or 64 bits" },
   { swizzle, "a swizzle names a component that the source has" },
   { deref_no_mode, "a deref has a mode" },
   { deref_no_type, "a deref has a type" },
   { deref_alien_var, "a deref names a variable in scope" },
   { deref_other_local, "a deref names a variable in scope" },
   { deref_var_mode, "a deref has the mode of its variable" },
   { deref_var_type, "a deref has the type of its variable" },
   { deref_parent, "the parent of a deref is a deref" },
   { deref_mode, "a deref has the mode of its parent" },
   { deref_member, "a struct deref names a member and has its type" },
   { deref_element, "an array deref has the type of the element" },
   { deref_wildcard, "a wildcard deref has the type of the element" },
   { deref_as_array, "a deref of a pointer as array keeps the type" },
   { store_whole, "a store is of a vector or scalar" },
   { store_components, "a store has the components of the variable" },
   { store_size, "a store has the bit size of the variable" },
   { store_mask, "a write mask has only components of the variable" },
   { store_to_input, "a store is to what may be written" },
   { intrinsic, "an intrinsic is in the table" },
   { intrinsic_components, "num_components is 1 to 5, 8 or 16" },
   { intrinsic_size, "the intrinsic can give this bit size" },
   { intrinsic_mask, "a write mask has only components that are stored" },
   { alignment, "an alignment is a power of two with a smaller offset" },
   { no_deref, "a deref intrinsic has a deref" },
   { no_image_deref, "a deref intrinsic has a deref" },
   { no_source_deref, "a deref intrinsic has a deref" },
   { no_param, "a parameter is one that the function has" },
   { load_size, "a load has the bit size of the variable" },
   { load_components, "a load has the components of the variable" },
   { tex_unknown, "a texture source has a known kind" },
   { tex_twice, "each kind of texture source once" },
   { tex_deref, "a texture deref is a deref" },
   { tex_type, "the type of a texture result has a size" },
   { phi_late, "phis stand first in their block" },
   { phi_pred, "a phi source comes from a predecessor" },
   { phi_twice, "a phi has one source for a predecessor" },
   { phi_few, "a phi has a source for each predecessor" },
   { goto_structured, "a goto stands in an unstructured function" },
   { goto_target, "a goto goes to its targets" },
   { goto_two, "a goto has one target, a goto_if two" },
   { jump_last, "a jump stands last in its block" },
   { jump_two, "a jump has one target" },
   { return_elsewhere, "a return goes to the end block" },
   { no_loop, "break and continue stand in a loop" },
   { call_params, "a call has the parameters of the callee" },
   { instr_block, "an instruction names its block" },
   { instr_type, "an instruction has a known type" },
};

static char *
faults_of(void (*break_it)(struct shader *t), struct arena *arena)
{
   struct shader t;
   build(&t);
   break_it(&t);
   char *faults = nir_validate_shader_text(t.s, arena);
   nir_shader_destroy(t.s);
   return faults;
}

static void
each_rule_rejects(void **state)
{
   unsigned missing = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena *arena = arena_create(NULL);
      const char *faults = faults_of(rows[i].break_it, arena);
      const char *line = arena_printf(arena, "error: %s\n", rows[i].rule);
      if (!faults || !strstr(faults, line)) {
         fprintf(stderr, "%s: %s\n", rows[i].rule,
                 faults ? faults : "no fault");
         missing++;
      }
      arena_destroy(arena);
   }
   assert_int_equal(missing, 0);
}

static void
a_whole_shader_has_no_fault(void **state)
{
   struct arena *arena = arena_create(NULL);
   const char *faults = faults_of(nothing, arena);
   if (faults)
      fail_msg("%s", faults);
   arena_destroy(arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_whole_shader_has_no_fault),
      cmocka_unit_test(each_rule_rejects),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
