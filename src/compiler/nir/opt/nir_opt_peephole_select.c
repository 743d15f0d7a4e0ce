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

/* As many copies as phis have are worth one instruction more. */
#define COPIES_FOR_ONE 8

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
   /* Back ends clamp the vertex to those that there are, but no slots. */
   case nir_intrinsic_load_input: return nir_use_is_const(load->src[0]);
   case nir_intrinsic_load_push_constant:
   case nir_intrinsic_load_uniform:
      return nir_use_is_const(load->src[0]) || l->loads;
   case nir_intrinsic_load_per_vertex_input:
      return nir_use_is_const(load->src[1]) &&
             (nir_use_is_const(load->src[0]) || l->loads);
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
   const nir_instr *from = load->src[0].value->instr;
   const bool own = from->kind == nir_kind_intrinsic &&
                    nir_instr_as_intrinsic((nir_instr *)from)->intrinsic ==
                       nir_intrinsic_load_invocation_id;
   return own || nir_use_is_const(load->src[0]) ? 2 : 4;
}

/* ---- selects that narrow a phi's choice ---- */

static bool
is_value(const nir_alu_instr *alu, unsigned src, const nir_value *def)
{
   const nir_operand *s = &alu->src[src];

   if (s->use.value == def)
      return s->swizzle[0] == 0;
   const nir_use other = nir_use_of((nir_value *)def);
   return nir_use_is_const(s->use) && nir_use_is_const(other) &&
          nir_use_comp_as_uint(s->use, s->swizzle[0]) ==
             nir_use_as_uint(other);
}

/* Which source of a select is what the phi is on the other side: with the if
 * gone they are one select, with both conditions. 0: none. */
static unsigned
source_of_other(const nir_value *value, const nir_value *other)
{
   const nir_alu_instr *alu = nir_maybe_alu(value->instr);
   if (!alu)
      return 0;
   if (alu->op != nir_op_bcsel || value->num_components != 1)
      return 0;
   return is_value(alu, 2, other) ? 2 : is_value(alu, 1, other) ? 1 : 0;
}

/* The phi after the if that is all that one of its sides has a value for. */
static nir_phi_instr *
only_phi(const nir_value *value)
{
   nir_phi_instr *phi = NULL;

   nir_foreach_use(use, value) {
      if (phi || use->nif || use->instr->kind != nir_kind_phi)
         return NULL;
      phi = nir_instr_as_phi(use->instr);
   }
   if (!phi)
      return NULL;
   const nir_cf_node *before = nir_cf_node_prev(&phi->instr.block->cf_node);
   return before == value->instr->block->cf_node.parent ? phi : NULL;
}

static bool
narrows_phi(const nir_alu_instr *alu)
{
   const nir_value *value = &alu->instr.result;
   nir_phi_instr *phi = alu->op == nir_op_bcsel ? only_phi(value) : NULL;

   if (!phi)
      return false;
   nir_foreach_phi_source(src, phi) {
      if (src->use.value != value)
         return source_of_other(value, src->use.value) != 0;
   }
   return false;
}

/* `condition ? value : other`; `value` may be a select of `other`, too. */
static nir_value *
select_of_select(nir_builder *b, nir_value *condition, nir_value *value,
                 nir_value *other)
{
   const unsigned src = source_of_other(value, other);

   if (!src)
      return NULL;
   nir_alu_instr *alu = nir_instr_as_alu(value->instr);
   nir_value *also = nir_operand_value(b, alu, 0);
   if (src == 1)
      also = nir_inot(b, also);
   return nir_bcsel(b, nir_iand(b, condition, also),
                    nir_operand_value(b, alu, 3 - src), other);
}

static nir_value *
selected(nir_builder *b, nir_value *condition, nir_value *t, nir_value *e)
{
   nir_value *r = select_of_select(b, condition, t, e);

   if (!r && source_of_other(e, t))
      r = select_of_select(b, nir_inot(b, condition), e, t);
   return r ? r : nir_bcsel(b, condition, t, e);
}

/* ---- ifs ---- */

/* The cost of a side, or UINT_MAX if something in it cannot move. */
static unsigned
side_cost(const struct list_head *side, const struct limits *l)
{
   if (!list_is_singular(side))
      return UINT32_MAX;
   const nir_block *block = nir_cf_node_as_block(nir_cf_list_first(side));
   unsigned cost = 0;
   nir_foreach_instr(instr, block) {
      switch (instr->kind) {
      case nir_kind_load_const:
      case nir_kind_undef: break;
      case nir_kind_alu: {
         const nir_alu_instr *alu = nir_instr_as_alu(instr);
         if ((is_expensive(alu) && !l->expensive) ||
             nir_op_is_derivative(alu->op))
            return UINT32_MAX;
         /* A copy is free: it becomes a source of the select. */
         if (alu->op != nir_op_mov && !nir_op_is_vec(alu->op) &&
             !narrows_phi(alu))
            cost++;
         break;
      }
      case nir_kind_intrinsic:
         if (!is_movable_load(nir_instr_as_intrinsic(instr), l))
            return UINT32_MAX;
         cost += load_cost(nir_instr_as_intrinsic(instr));
         break;
      default: return UINT32_MAX;
      }
   }
   return cost;
}

static unsigned
phis(nir_block *block)
{
   unsigned n = 0;

   nir_foreach_phi(phi, block) {
      (void)phi;
      n++;
   }
   return n;
}

static bool
flatten(nir_builder *b, nir_if *nif, const struct limits *l)
{
   if (nif->control == nir_selection_control_dont_flatten ||
       nif->control == nir_selection_control_unlikely)
      return false;
   struct limits allowed = *l;
   if (nif->control == nir_selection_control_flatten)
      allowed.instructions = MAX2(allowed.instructions, 64);
   nir_block *next = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
   /* With the if goes a copy for each value on either side. */
   allowed.instructions += phis(next) / COPIES_FOR_ONE;
   const unsigned then_cost = side_cost(&nif->then_list, &allowed);
   const unsigned else_cost = side_cost(&nif->else_list, &allowed);
   if (then_cost > allowed.instructions || else_cost > allowed.instructions)
      return false;

   nir_block *then_block = nir_if_first_then_block(nif);
   nir_block *else_block = nir_if_first_else_block(nif);
   nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&nif->cf_node));
   nir_foreach_instr_safe(instr, then_block)
      nir_instr_move(nir_after_block(before), instr);
   nir_foreach_instr_safe(instr, else_block)
      nir_instr_move(nir_after_block(before), instr);

   b->cursor = nir_after_block(before);
   nir_value *condition = nif->condition.value;
   nir_foreach_phi_safe(phi, next) {
      nir_value *t = nir_phi_source_from(phi, then_block)->use.value;
      nir_value *e = nir_phi_source_from(phi, else_block)->use.value;
      nir_instr_replace(&phi->instr, selected(b, condition, t, e));
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
   nir_foreach_impl(impl, shader) {
      nir_builder b;
      nir_builder_init(&b, impl);
      const bool changed = run_list(&b, &impl->body, &l);
      nir_changed(impl, changed, nir_metadata_none);
      progress |= changed;
   }
   return progress;
}
