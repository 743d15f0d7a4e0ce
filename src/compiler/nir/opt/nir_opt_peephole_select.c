/* SPDX-License-Identifier: MIT */
/*
 * An if whose sides only compute something cheap becomes straight code: the
 * instructions of both sides move in front of it, its phis become bcsel.
 *
 * Before: SSA, structured. Only instructions without side effects move, and
 * only such that are defined for every input. Cost: linear.
 */
#include "nir.h"
#include "nir_builder.h"

struct limits {
   unsigned instructions;
   bool loads, expensive;
};

static bool
is_expensive(const nir_alu_instr *alu)
{
   switch (alu->op) {
   case nir_op_frcp:
   case nir_op_frsq:
   case nir_op_fsqrt:
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fpow:
   case nir_op_idiv:
   case nir_op_udiv:
   case nir_op_irem:
   case nir_op_umod:
   case nir_op_imod: return true;
   default: return false;
   }
}

/* Loads that give something, whoever executes them and when. */
static bool
is_movable_load(const nir_intrinsic_instr *load, const struct limits *l)
{
   switch (load->intrinsic) {
   case nir_intrinsic_load_front_face:
   case nir_intrinsic_load_instance_id: return true;
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_push_constant:
   case nir_intrinsic_load_uniform:
      return nir_src_is_const(load->src[0]) || l->loads;
   /* Back ends clamp the vertex to those that there are, but no slots. */
   case nir_intrinsic_load_per_vertex_input:
      return nir_src_is_const(load->src[1]) && load->src[0].is_ssa &&
             (nir_src_is_const(load->src[0]) || l->loads);
   default: return false;
   }
}

/* What is no register takes a message. The handles of a constant vertex, and
 * of an invocation's own, are there; another's is looked up. */
static unsigned
load_cost(const nir_intrinsic_instr *load)
{
   if (load->intrinsic != nir_intrinsic_load_per_vertex_input)
      return 1;
   const nir_instr *from = load->src[0].ssa->parent_instr;
   const bool own = from->type == nir_instr_type_intrinsic &&
                    nir_instr_as_intrinsic((nir_instr *)from)->intrinsic ==
                       nir_intrinsic_load_invocation_id;
   return own || nir_src_is_const(load->src[0]) ? 2 : 4;
}

/* The cost of a side, or UINT_MAX if something in it cannot move. */
static unsigned
side_cost(const struct list_head *side, const struct limits *l)
{
   if (!list_is_singular(side))
      return UINT32_MAX;
   const nir_block *block = nir_cf_node_as_block(nir_cf_list_first(side));
   unsigned cost = 0;
   nir_foreach_instr(instr, block) {
      switch (instr->type) {
      case nir_instr_type_load_const:
      case nir_instr_type_ssa_undef: break;
      case nir_instr_type_alu: {
         const nir_alu_instr *alu = nir_instr_as_alu(instr);
         if (!alu->dest.dest.is_ssa || (is_expensive(alu) && !l->expensive) ||
             nir_op_is_derivative(alu->op))
            return UINT32_MAX;
         /* A copy is free: it becomes a source of the select. */
         if (alu->op != nir_op_mov && !nir_op_is_vec(alu->op))
            cost++;
         break;
      }
      case nir_instr_type_intrinsic:
         if (!is_movable_load(nir_instr_as_intrinsic(instr), l))
            return UINT32_MAX;
         cost += load_cost(nir_instr_as_intrinsic(instr));
         break;
      default: return UINT32_MAX;
      }
   }
   return cost;
}

static bool
flatten(nir_builder *b, nir_if *nif, const struct limits *l)
{
   if (nif->control == nir_selection_control_dont_flatten ||
       nif->control == nir_selection_control_seldom)
      return false;
   struct limits allowed = *l;
   if (nif->control == nir_selection_control_flatten)
      allowed.instructions = MAX2(allowed.instructions, 64);
   const unsigned then_cost = side_cost(&nif->then_list, &allowed);
   const unsigned else_cost = side_cost(&nif->else_list, &allowed);
   if (then_cost > allowed.instructions || else_cost > allowed.instructions)
      return false;

   nir_block *then_block = nir_if_first_then_block(nif);
   nir_block *else_block = nir_if_first_else_block(nif);
   nir_block *next = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
   nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&nif->cf_node));
   nir_foreach_instr_safe(instr, then_block)
      nir_instr_move(nir_after_block(before), instr);
   nir_foreach_instr_safe(instr, else_block)
      nir_instr_move(nir_after_block(before), instr);

   b->cursor = nir_after_block(before);
   nir_ssa_def *condition = nif->condition.ssa;
   nir_foreach_phi_safe(phi, next) {
      nir_ssa_def *t = nir_phi_get_src_from_block(phi, then_block)->src.ssa;
      nir_ssa_def *e = nir_phi_get_src_from_block(phi, else_block)->src.ssa;
      nir_ssa_def_rewrite_uses(&phi->dest.ssa, nir_bcsel(b, condition, t, e));
      nir_instr_remove(&phi->instr);
   }
   nir_cf_node_remove(&nif->cf_node);
   return true;
}

/* Innermost ifs first, so that an outer one may follow. */
static bool
run_list(nir_builder *b, struct list_head *list, const struct limits *l)
{
   bool progress = false;
   for (nir_cf_node *node = nir_cf_list_first(list), *next; node;
        node = next) {
      next = nir_cf_node_next(node);
      if (node->type == nir_cf_node_loop) {
         progress |= run_list(b, &nir_cf_node_as_loop(node)->body, l);
      } else if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         progress |= run_list(b, &nif->then_list, l);
         progress |= run_list(b, &nif->else_list, l);
         /* The block after is merged into the one in front. */
         nir_cf_node *after = nir_cf_node_next(next);
         if (flatten(b, nif, l)) {
            progress = true;
            next = after;
         }
      }
   }
   return progress;
}

bool
nir_opt_peephole_select(nir_shader *shader, unsigned limit,
                        bool indirect_load_ok, bool expensive_alu_ok)
{
   const struct limits l = { limit, indirect_load_ok, expensive_alu_ok };
   bool progress = false;
   nir_foreach_function(function, shader) {
      nir_function_impl *impl = function->impl;
      if (!impl)
         continue;
      nir_builder b;
      nir_builder_init(&b, impl);
      const bool changed = run_list(&b, &impl->body, &l);
      nir_metadata_preserve(impl,
                            changed ? nir_metadata_none : nir_metadata_all);
      progress |= changed;
   }
   return progress;
}
