/* SPDX-License-Identifier: MIT */
/*
 * Dispatch loops of shaders undone: see cfg_dispatch.c for how.
 *
 *    s = 0                               A
 *    loop {                              loop {
 *       if (s == 0) { A; s = 1 }            if (a) break
 *       else if (s == 1) s = a ? 3 : 2      B
 *       else if (s == 2) { B; s = 1 }    }
 *       else break                       C
 *    }
 *    C
 *
 * Few shaders have such a loop, and most others are told by a look at what
 * their loops compare with constants. Nothing is done where what sees other
 * lanes might see others afterwards.
 *
 * Before: SSA form, returns lowered, ifs not yet selects: of those each state
 * would have all. After: the same.
 */
#include "cfg/structurize.h"
#include "nir_private.h"

#define MIN_STATES 3     /* constants that one value is compared with */
#define MAX_VALUES 16384 /* that are looked at for what states are made of */

/* --- Whether there may be one ------------------------------------------ */

/* By value: the first constants that a loop compares it with. */
struct asked {
   uint64_t constant[MIN_STATES];
   unsigned num;
};

struct look {
   struct arena *arena;
   struct asked *asked;
   BITSET_WORD *seen;
   unsigned num_seen; /* in all */
};

static bool
is_loop_header(const nir_block *block)
{
   const nir_cf_node *parent = block->cf_node.parent;

   return parent->type == nir_cf_node_loop &&
          nir_loop_first_block(nir_cf_node_as_loop((nir_cf_node *)parent)) ==
             block;
}

/* What the value is made of, in `work`; false: something else than a state
 * is. */
static bool
add_sources(const nir_value *v, struct util_dynarray *work)
{
   nir_instr *instr = v->instr;

   if (v->num_components != 1)
      return false;
   switch (instr->kind) {
   case nir_kind_load_const:
   case nir_kind_undef: return true;
   case nir_kind_phi:
      nir_foreach_phi_source(src, nir_instr_as_phi(instr))
         util_dynarray_append(work, const nir_value *, src->use.value);
      return true;
   case nir_kind_alu: {
      const nir_alu_instr *alu = nir_instr_as_alu(instr);
      for (unsigned i = alu->op == nir_op_bcsel;
           i < nir_op_infos[alu->op].num_inputs; i++)
         util_dynarray_append(work, const nir_value *, alu->src[i].use.value);
      return true;
   }
   case nir_kind_intrinsic: {
      /* An element of an array, which may be a table. */
      const nir_intrinsic_instr *load = nir_instr_as_intrinsic(instr);
      if (load->intrinsic != nir_intrinsic_load_deref)
         return false;
      const nir_deref_instr *d = nir_use_as_deref(load->src[0]);
      if (d->deref_type != nir_deref_type_array)
         return false;
      util_dynarray_append(work, const nir_value *, d->index.value);
      return true;
   }
   default: return false;
   }
}

/* Made of constants and of what a loop carries, nothing else. */
static bool
is_state(struct look *l, const nir_function_impl *impl, const nir_value *v)
{
   struct util_dynarray work = { 0 };
   bool carried = false, ok = true;

   memset(l->seen, 0, BITSET_WORDS(impl->num_values) * sizeof(*l->seen));
   util_dynarray_append(&work, const nir_value *, v);
   while (ok && util_dynarray_num_elements(&work, const nir_value *)) {
      const nir_value *d = util_dynarray_pop(&work, const nir_value *);
      if (BITSET_TEST(l->seen, d->index))
         continue;
      BITSET_SET(l->seen, d->index);
      carried |= d->instr->kind == nir_kind_phi &&
                 is_loop_header(d->instr->block);
      ok = ++l->num_seen <= MAX_VALUES && add_sources(d, &work);
   }
   util_dynarray_fini(&work);
   return ok && carried;
}

/* Whether the value has been compared with several constants now. */
static bool
note_constant(struct asked *a, uint64_t bits)
{
   for (unsigned i = 0; i < a->num; i++) {
      if (a->constant[i] == bits)
         return false;
   }
   a->constant[a->num++] = bits;
   return a->num == MIN_STATES;
}

static bool
is_dispatch(struct look *l, const nir_function_impl *impl,
            const nir_alu_instr *alu)
{
   if (!cfg_is_integer_comparison(alu->op) ||
       alu->instr.result.num_components != 1)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const nir_value *v = alu->src[i].use.value;
      struct asked *a = &l->asked[v->index];
      if (v->num_components == 1 && v->bit_size > 1 && a->num < MIN_STATES &&
          nir_use_is_const(alu->src[!i].use) &&
          alu->src[!i].use.value->num_components == 1 &&
          note_constant(a, nir_use_as_uint(alu->src[!i].use)) &&
          is_state(l, impl, v))
         return true;
   }
   return false;
}

static bool
is_in_loop(const nir_block *block)
{
   for (const nir_cf_node *n = block->cf_node.parent; n; n = n->parent) {
      if (n->type == nir_cf_node_loop)
         return true;
   }
   return false;
}

static bool
may_dispatch(const nir_function_impl *impl)
{
   struct look l = { 0 };
   bool found = false;

   nir_foreach_block(block, (nir_function_impl *)impl) {
      if (!is_in_loop(block))
         continue;
      if (!l.arena) {
         l.arena = arena_create(NULL);
         l.asked = arena_new_array(l.arena, struct asked, impl->num_values);
         l.seen = arena_new_array(l.arena, BITSET_WORD,
                                  BITSET_WORDS(impl->num_values));
      }
      nir_foreach_instr(instr, block) {
         const nir_alu_instr *alu = nir_maybe_alu(instr);
         if (alu && is_dispatch(&l, impl, alu)) {
            found = true;
            break;
         }
      }
      if (found)
         break;
   }
   if (l.arena)
      arena_destroy(l.arena);
   return found;
}

/* --- All ---------------------------------------------------------------- */

static bool
any_may_dispatch(const nir_shader *shader)
{
   nir_foreach_impl(impl, shader) {
      if (impl->structured && may_dispatch(impl))
         return true;
   }
   return false;
}

nir_shader *
nir_undo_dispatch(const nir_shader *shader)
{
   const struct nir_structurize_options options = {
      .undo_dispatch = true,
      .keep_convergence = true,
   };
   bool undone = false;

   if (!any_may_dispatch(shader))
      return NULL;
   nir_shader *copy = nir_shader_clone(shader->owner, shader);
   nir_foreach_impl(impl, copy) {
      struct nir_structurize_stats stats;
      if (!impl->structured || !may_dispatch(impl))
         continue;
      nir_structurize_impl(impl, &options, &stats);
      undone |= stats.undone;
   }
   if (!undone) {
      nir_shader_destroy(copy);
      return NULL;
   }
   nir_lower_returns(copy);
   nir_validate_shader(copy, "after nir_undo_dispatch");
   return copy;
}
