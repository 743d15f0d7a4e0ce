/* SPDX-License-Identifier: MIT */
/*
 * An if-chain of comparisons of an index that ends in inputs of vertices or
 * patches, in loads of outputs that are memory, or in stores to them,
 *
 *    if (i < 2) { if (i < 1) in[0] else in[1] } else in[2]
 *
 * as front ends make of in[i] for machines without such an access, becomes
 * that access again. The index is that of a vertex, or of an array of slots,
 * though each arm may have a variable of its own; with two indices there is
 * an if-chain of if-chains.
 *
 * Before: SSA, inputs and outputs lowered. What an index out of the chain's
 * range gives stays the same: it is clamped, but for an invocation's number,
 * where there are no more. Inputs do not change, so it does not matter when
 * they are read; outputs that are read must not be written in between. Cost:
 * linear in the instructions times the depth of if-chains.
 */
#include "nir.h"
#include "nir_builder.h"
#include "nir_arm.h"

#define MIN_LOADS 3
#define MAX_DEPTH 16
#define MAX_STORES 4

/* ---- loads ---- */

static bool
is_quiet(const nir_instr *instr)
{
   if (instr->kind == nir_kind_call)
      return false;
   return instr->kind != nir_kind_intrinsic ||
          (nir_intrinsic_infos[nir_instr_as_intrinsic((nir_instr *)instr)
                                  ->intrinsic]
              .flags &
           NIR_INTRINSIC_CAN_ELIMINATE);
}

static bool is_quiet_list(const struct list_head *list);

/* Nothing is written, and no barrier passed; of the user's block only what is
 * in front of it counts. */
static bool
is_quiet_node(nir_cf_node *node, const nir_instr *user)
{
   if (node->type == nir_cf_node_if) {
      const nir_if *nif = nir_cf_node_as_if(node);
      return is_quiet_list(&nif->then_list) && is_quiet_list(&nif->else_list);
   }
   if (node->type != nir_cf_node_block)
      return false;
   nir_foreach_instr(instr, nir_cf_node_as_block(node)) {
      if (instr == user)
         break;
      if (!is_quiet(instr))
         return false;
   }
   return true;
}

static bool
is_quiet_list(const struct list_head *list)
{
   for (nir_cf_node *node = nir_cf_list_first(list); node;
        node = nir_cf_node_next(node)) {
      if (!is_quiet_node(node, NULL))
         return false;
   }
   return true;
}

/* From a load to a later user, which stands behind the ifs that the load is
 * in and others do not follow. */
static bool
is_quiet_between(const nir_instr *load, const nir_instr *user)
{
   nir_cf_node *node = &load->block->cf_node;

   for (const nir_instr *i = load; i && i != user;
        i = nir_instr_next((nir_instr *)i)) {
      if (!is_quiet(i))
         return false;
   }
   while (node != &user->block->cf_node) {
      nir_cf_node *next = nir_cf_node_next(node);
      if (next && !is_quiet_node(next, user))
         return false;
      node = next ? next : node->parent;
      if (!next && node->type != nir_cf_node_if)
         return false;
   }
   return true;
}

/* Of which an if-chain becomes one access, in front of the user. */
struct top {
   const nir_shader *shader;
   const nir_instr *user;
};

static bool resolve(const struct top *top, nir_value *def, unsigned comp,
                    struct nir_arm *out, unsigned depth);

static bool
resolve_phi(const struct top *top, nir_phi_instr *phi, unsigned comp,
            struct nir_arm *out, unsigned depth)
{
   nir_cf_node *before = nir_cf_node_prev(&phi->instr.block->cf_node);
   struct nir_arm side[2];
   unsigned found = 0;

   if (!before || before->type != nir_cf_node_if)
      return false;
   nir_if *nif = nir_cf_node_as_if(before);
   nir_foreach_phi_source(src, phi) {
      const unsigned i = src->pred != nir_if_last_then_block(nif);
      if (!resolve(top, src->use.value, comp, &side[i], depth + 1))
         return false;
      found |= 1u << i;
   }
   return found == 3 &&
          nir_arm_join(nif->condition.value, 0, &side[0], &side[1], out);
}

/* A value of 64 bits, of two components of a load that follow each other. */
static bool
resolve_pack(const struct top *top, const nir_alu_instr *alu,
             struct nir_arm *out, unsigned depth)
{
   const nir_operand *src = &alu->src[0];
   struct nir_arm high;

   if (!resolve(top, src->use.value, src->swizzle[0], out, depth + 1) ||
       !resolve(top, src->use.value, src->swizzle[1], &high, depth + 1) ||
       out->wide || high.wide || high.comp != out->comp + 1 ||
       !nir_arm_same_dims(out, &high))
      return false;
   high.comp = out->comp;
   if (!nir_arm_same_access(out, &high))
      return false;
   out->wide = true;
   return true;
}

static bool
resolve_alu(const struct top *top, nir_alu_instr *alu, unsigned comp,
            struct nir_arm *out, unsigned depth)
{
   struct nir_arm side[2];

   if (alu->op == nir_op_pack_64_2x32)
      return resolve_pack(top, alu, out, depth);
   if (nir_op_is_vec(alu->op))
      return resolve(top, alu->src[comp].use.value, alu->src[comp].swizzle[0],
                     out, depth + 1);
   if (alu->op == nir_op_mov)
      return resolve(top, alu->src[0].use.value, alu->src[0].swizzle[comp],
                     out, depth + 1);
   if (alu->op != nir_op_bcsel)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const nir_operand *src = &alu->src[1 + i];
      if (!resolve(top, src->use.value, src->swizzle[comp], &side[i],
                   depth + 1))
         return false;
   }
   return nir_arm_join(alu->src[0].use.value, alu->src[0].swizzle[comp],
                       &side[0], &side[1], out);
}

static bool
resolve(const struct top *top, nir_value *def, unsigned comp,
        struct nir_arm *out, unsigned depth)
{
   nir_instr *from = def->instr;

   if (depth > MAX_DEPTH)
      return false;
   switch (from->kind) {
   case nir_kind_intrinsic: {
      nir_intrinsic_instr *load = nir_instr_as_intrinsic(from);
      return nir_arm_find(top->shader, load, comp, out) &&
             (!nir_arm_loads_output(load) ||
              is_quiet_between(from, top->user));
   }
   case nir_kind_alu:
      return resolve_alu(top, nir_instr_as_alu(from), comp, out, depth);
   case nir_kind_phi:
      return resolve_phi(top, nir_instr_as_phi(from), comp, out, depth);
   default: return false;
   }
}

/* A value of 64 bits of two components. */
static nir_value *
packed(nir_builder *b, nir_value *whole, unsigned comp)
{
   const unsigned halves[] = { comp, comp + 1 };

   return nir_pack_64_2x32(b, nir_swizzle(b, whole, halves, 2));
}

/* All components must come of the same if-chain. */
static bool
reroll(nir_builder *b, nir_value *def)
{
   nir_instr *from = def->instr;
   unsigned swizzle[NIR_MAX_VEC_COMPONENTS];
   const struct top top = { b->shader, from };
   struct nir_arm first, other;

   if (!resolve(&top, def, 0, &first, 0) ||
       nir_arm_count(&first) < MIN_LOADS ||
       (first.wide && def->num_components > 1) ||
       !nir_arm_has_no_gaps(b, &first))
      return false;
   swizzle[0] = first.comp;
   for (unsigned c = 1; c < def->num_components; c++) {
      if (!resolve(&top, def, c, &other, 0) ||
          !nir_arm_same_dims(&other, &first))
         return false;
      swizzle[c] = other.comp;
      other.comp = first.comp;
      if (!nir_arm_same_access(&first, &other))
         return false;
   }
   b->cursor = from->kind == nir_kind_phi ? nir_after_phis(from->block)
                                          : nir_before_instr(from);
   nir_value *whole = &nir_arm_access(b, &first)->instr.result;
   nir_value_replace(def, first.wide ? packed(b, whole, first.comp)
                                     : nir_swizzle(b, whole, swizzle,
                                                   def->num_components));
   return true;
}

static bool
may_be_top(const nir_instr *instr)
{
   return instr->kind == nir_kind_phi ||
          (instr->kind == nir_kind_alu &&
           nir_instr_as_alu((nir_instr *)instr)->op == nir_op_bcsel);
}

/* From the end, so that a whole if-chain comes before its parts, which are
 * then unused. */
static bool
run_loads(nir_function_impl *impl)
{
   nir_builder b = nir_builder_at(impl, nir_before_impl(impl));
   bool progress = false;

   nir_foreach_block_reverse(block, impl) {
      nir_foreach_instr_reverse_safe(instr, block) {
         nir_value *def = may_be_top(instr) ? nir_instr_value(instr) : NULL;
         if (!def)
            continue;
         if (nir_value_is_unused(def)) {
            if (progress)
               nir_instr_remove(instr);
         } else if (reroll(&b, def)) {
            nir_instr_remove(instr);
            progress = true;
         }
      }
   }
   nir_changed(impl, progress, nir_metadata_control_flow);
   return progress;
}

/* ---- stores ---- */

/* Of an arm, in their order. */
struct stores {
   struct nir_arm store[MAX_STORES];
   unsigned num;
};

static bool
resolve_block(const nir_shader *shader, const nir_block *block,
              struct stores *out)
{
   nir_foreach_instr(instr, block) {
      switch (instr->kind) {
      case nir_kind_load_const:
      case nir_kind_undef:
      case nir_kind_alu: continue;
      case nir_kind_intrinsic: break;
      default: return false;
      }
      nir_intrinsic_instr *store = nir_instr_as_intrinsic(instr);
      if (!nir_arm_is_store(store) || out->num == MAX_STORES ||
          !nir_arm_find(shader, store, 0, &out->store[out->num]))
         return false;
      out->num++;
   }
   return true;
}

static bool resolve_if(const nir_shader *shader, nir_if *nif,
                       struct stores *out, unsigned depth);

/* A list whose one effect are stores, or an if-chain of such. */
static bool
resolve_stores(const nir_shader *shader, struct list_head *list,
               struct stores *out, unsigned depth)
{
   bool if_chain = false;

   out->num = 0;
   if (depth > MAX_DEPTH)
      return false;
   for (nir_cf_node *node = nir_cf_list_first(list); node;
        node = nir_cf_node_next(node)) {
      if (node->type == nir_cf_node_block) {
         const unsigned before = out->num;
         if (!resolve_block(shader, nir_cf_node_as_block(node), out) ||
             (if_chain && out->num != before))
            return false;
         continue;
      }
      if (node->type != nir_cf_node_if || out->num ||
          !resolve_if(shader, nir_cf_node_as_if(node), out, depth))
         return false;
      if_chain = true;
   }
   return out->num != 0;
}

static bool
resolve_if(const nir_shader *shader, nir_if *nif, struct stores *out,
           unsigned depth)
{
   struct stores side[2];

   if (!resolve_stores(shader, &nif->then_list, &side[0], depth + 1) ||
       !resolve_stores(shader, &nif->else_list, &side[1], depth + 1) ||
       side[0].num != side[1].num)
      return false;
   out->num = side[0].num;
   for (unsigned i = 0; i < out->num; i++) {
      if (!nir_arm_join(nif->condition.value, 0, &side[0].store[i],
                        &side[1].store[i], &out->store[i]))
         return false;
   }
   return true;
}

static bool
reroll_stores(nir_builder *b, nir_if *nif)
{
   const nir_block *next =
      nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
   const nir_instr *follows = nir_block_first_instr(next);
   struct stores all;

   if ((follows && follows->kind == nir_kind_phi) ||
       !resolve_if(b->shader, nif, &all, 0))
      return false;
   for (unsigned i = 0; i < all.num; i++) {
      if (!nir_arm_has_no_gaps(b, &all.store[i]))
         return false;
   }
   b->cursor = nir_before_cf_node(&nif->cf_node);
   for (unsigned i = 0; i < all.num; i++)
      nir_arm_access(b, &all.store[i]);
   nir_cf_node_remove(&nif->cf_node);
   return true;
}

/* Whole if-chains first. */
static bool
run_list(nir_builder *b, struct list_head *list)
{
   bool progress = false;

   for (nir_cf_node *node = nir_cf_list_first(list), *next; node;
        node = next) {
      next = nir_cf_node_next(node);
      if (node->type == nir_cf_node_loop) {
         progress |= run_list(b, &nir_cf_node_as_loop(node)->body);
      } else if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         /* The block after is merged into the one in front. */
         nir_cf_node *after = nir_cf_node_next(next);
         if (reroll_stores(b, nif)) {
            progress = true;
            next = after;
         } else {
            progress |= run_list(b, &nif->then_list);
            progress |= run_list(b, &nif->else_list);
         }
      }
   }
   return progress;
}

static bool
run_stores(nir_function_impl *impl)
{
   nir_builder b;

   nir_builder_init(&b, impl);
   const bool progress = run_list(&b, &impl->body);
   nir_changed(impl, progress, nir_metadata_none);
   return progress;
}

bool
nir_opt_reroll_io(nir_shader *shader)
{
   bool any = false;

   nir_foreach_impl(impl, shader) {
      any |= run_loads(impl);
      any |= run_stores(impl);
   }
   return any;
}
