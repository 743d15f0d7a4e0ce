/* SPDX-License-Identifier: MIT */
/*
 * What an invariant variable gets is computed exactly as written (GLSL 4.60,
 * 4.8.1: the same expressions give the same values in all programs): each
 * instruction that has a part in it becomes exact, so that no pass does it
 * in one program and not in another.
 *
 * Before: derefs, no calls. Through temporaries the mark goes on with the
 * variable; and through phis with the conditions that choose among their
 * sources. Cost: linear for each variable that gets the mark.
 */
#include "nir.h"

#include "util/bitset.h"

struct invariant {
   BITSET_WORD *defs; /* that have a part in an invariant value */
   bool changed, progress;
};

static bool
mark_src(nir_use *src, void *data)
{
   struct invariant *v = data;
   if (!BITSET_TEST(v->defs, src->value->index)) {
      BITSET_SET(v->defs, src->value->index);
      v->changed = true;
   }
   return true;
}

static void
mark_variable(struct invariant *v, const nir_use *src)
{
   nir_variable *var = nir_deref_root(nir_use_as_deref(*src));
   if (var && !var->data.invariant &&
       (var->data.mode &
        (nir_var_function_temp | nir_var_shader_temp | nir_var_shader_out))) {
      var->data.invariant = true;
      v->changed = v->progress = true;
   }
}

static bool
is_invariant(const nir_use *deref)
{
   const nir_variable *var = nir_deref_root(nir_use_as_deref(*deref));
   return var && var->data.invariant;
}

/* The conditions that say whether control comes by the block. */
static void
mark_conditions(struct invariant *v, const nir_block *block)
{
   for (nir_cf_node *node = block->cf_node.parent;
        node->type != nir_cf_node_function; node = node->parent) {
      if (node->type == nir_cf_node_if)
         mark_src(&nir_cf_node_as_if(node)->condition, v);
   }
}

static void
visit_intrinsic(struct invariant *v, nir_intrinsic_instr *intr, bool has_part)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_store_deref:
      if (is_invariant(&intr->src[0])) {
         nir_visit_uses(&intr->instr, mark_src, v);
         mark_conditions(v, intr->instr.block);
      }
      return;
   case nir_intrinsic_copy_deref:
      if (is_invariant(&intr->src[0])) {
         mark_variable(v, &intr->src[1]);
         mark_conditions(v, intr->instr.block);
      }
      return;
   case nir_intrinsic_load_deref:
      if (has_part)
         mark_variable(v, &intr->src[0]);
      break;
   default: break;
   }
   if (has_part)
      nir_visit_uses(&intr->instr, mark_src, v);
}

static void
visit(struct invariant *v, nir_instr *instr)
{
   const nir_value *def = nir_instr_value(instr);
   const bool has_part = def && BITSET_TEST(v->defs, def->index);

   if (instr->kind == nir_kind_intrinsic) {
      visit_intrinsic(v, nir_instr_as_intrinsic(instr), has_part);
      return;
   }
   if (!has_part)
      return;
   if (instr->kind == nir_kind_alu) {
      nir_alu_instr *alu = nir_instr_as_alu(instr);
      v->progress |= !alu->exact;
      alu->exact = true;
   }
   nir_visit_uses(instr, mark_src, v);
   if (instr->kind == nir_kind_phi) {
      nir_foreach_phi_source(src, nir_instr_as_phi(instr))
         mark_conditions(v, src->pred);
   }
}

static bool
run_impl(nir_function_impl *impl)
{
   struct arena *arena = arena_create(NULL);
   struct invariant v = { 0 };

   nir_number_values(impl);
   v.defs =
      arena_new_array(arena, BITSET_WORD, BITSET_WORDS(impl->num_values));
   do {
      v.changed = false;
      nir_foreach_block_reverse(block, impl) {
         nir_foreach_instr_reverse(instr, block)
            visit(&v, instr);
      }
   } while (v.changed);
   arena_destroy(arena);
   nir_metadata_preserve(impl, nir_metadata_all);
   return v.progress;
}

static bool
has_invariant_output(const nir_shader *shader)
{
   nir_foreach_variable_with_modes(var, (nir_shader *)shader,
                                   nir_var_shader_out) {
      if (var->data.invariant)
         return true;
   }
   return false;
}

bool
nir_propagate_invariant(nir_shader *shader)
{
   bool progress = false;

   if (!has_invariant_output(shader))
      return false;
   nir_foreach_impl(impl, shader)
      progress |= run_impl(impl);
   return progress;
}
