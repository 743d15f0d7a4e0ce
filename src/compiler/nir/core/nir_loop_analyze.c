/* SPDX-License-Identifier: MIT */
/*
 * How often does a loop run? Rather than to solve for the trip count, the
 * exit condition is computed, iteration by iteration, with the constant
 * folder: any expression of constants and of header phis that start with a
 * constant will do. Cost: trip count (up to a limit) times the size of the
 * conditions. A loop of which that is not known, but that indexes a local
 * array in each round, ends with the array.
 *
 * Before: SSA. After: every nir_loop has its info. A terminator is an if at
 * the top of the loop body one side of which ends in a break.
 */
#include "nir.h"

#include "nir_private.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* More iterations than anybody would unroll, but for walks over arrays. */
#define MAX_SIMULATED_TRIPS 257

struct sim {
   nir_loop *loop;
   struct hash_table values; /* nir_value -> nir_const_value[], NULL */
   struct arena *arena;
   unsigned depth, float_controls;
};

static nir_const_value unknown[1];

static nir_const_value *eval(struct sim *s, nir_value *def);

static nir_const_value *
eval_alu(struct sim *s, nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   if (nir_op_is_derivative(alu->op))
      return NULL;
   nir_const_value in[4][NIR_MAX_VEC_COMPONENTS];
   nir_const_value *srcs[4];
   unsigned bits = 0;
   if (info->num_inputs > 4)
      return NULL;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      nir_operand *src = &alu->src[i];
      nir_const_value *v = eval(s, src->use.value);
      if (!v)
         return NULL;
      for (unsigned c = 0; c < nir_operand_components(alu, i); c++)
         in[i][c] = v[src->swizzle[c]];
      srcs[i] = in[i];
      if (!nir_type_bits(info->input[i].type))
         bits = src->use.value->bit_size;
   }
   if (!bits)
      bits = alu->instr.result.bit_size;
   nir_const_value *out =
      arena_new_array(s->arena, nir_const_value, NIR_MAX_VEC_COMPONENTS);
   nir_eval_const_opcode(alu->op, out, alu->instr.result.num_components, bits,
                         srcs, s->float_controls);
   return out;
}

/* NULL when the value is not known in this iteration. */
static nir_const_value *
eval(struct sim *s, nir_value *def)
{
   nir_instr *instr = def->instr;
   if (instr->kind == nir_kind_load_const)
      return nir_instr_as_load_const(instr)->value;
   nir_const_value *v = hash_table_get(&s->values, hash_key_ptr(def));
   if (v)
      return v == unknown ? NULL : v;
   if (instr->kind == nir_kind_alu && s->depth < 64) {
      s->depth++;
      v = eval_alu(s, nir_instr_as_alu(instr));
      s->depth--;
   }
   hash_table_insert(&s->values, hash_key_ptr(def), v ? v : unknown);
   return v;
}

static nir_phi_source *
phi_src_from(nir_phi_instr *phi, nir_block *pred, bool from_pred)
{
   nir_phi_source *found = NULL;
   nir_foreach_phi_source(src, phi) {
      if ((src->pred == pred) == from_pred)
         found = src;
   }
   return found;
}

/* The next iteration's phis from this one's values. */
static void
step(struct sim *s, nir_block *header, nir_block *preheader, bool first)
{
   struct hash_table next;
   hash_table_init(&next);
   nir_foreach_phi(phi, header) {
      nir_phi_source *src = phi_src_from(phi, preheader, first);
      if (!src)
         continue;
      nir_const_value *v = eval(s, src->use.value);
      hash_table_insert(&next, hash_key_ptr(&phi->instr.result),
                        v ? v : unknown);
   }
   hash_table_finish(&s->values);
   s->values = next;
}

/* --- Terminators -------------------------------------------------------- */

static void
find_terminators(nir_loop *loop, struct arena *arena)
{
   list_for_each_entry(nir_cf_node, node, &loop->body, node) {
      if (node->type != nir_cf_node_if)
         continue;
      nir_if *nif = nir_cf_node_as_if(node);
      const bool then_breaks =
         nir_block_ends_in_break(nir_if_last_then_block(nif));
      const bool else_breaks =
         nir_block_ends_in_break(nir_if_last_else_block(nif));
      if (then_breaks == else_breaks)
         continue;
      nir_loop_terminator *t = arena_new(arena, nir_loop_terminator);
      t->nif = nif;
      t->continue_from_then = !then_breaks;
      t->break_block = then_breaks ? nir_if_last_then_block(nif)
                                   : nir_if_last_else_block(nif);
      t->continue_from_block = then_breaks ? nir_if_last_else_block(nif)
                                           : nir_if_last_then_block(nif);
      t->conditional_instr = nif->condition.value->instr;
      list_addtail(&t->link, &loop->info->loop_terminator_list);
   }
}

/* Jumps inside that are not the break of a terminator. */
static bool
has_other_jumps(nir_loop *loop)
{
   nir_block *after = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
   nir_block *header = nir_loop_first_block(loop);
   unsigned breaks = 0;
   list_for_each_entry(nir_loop_terminator, t,
                       &loop->info->loop_terminator_list, link)
      breaks++;
   return after->num_predecessors != breaks || header->num_predecessors != 2;
}

/* --- Arrays that end before the loop does ------------------------------- */

/* Which dynamic indices are worth many copies of a loop. */
struct indirects {
   unsigned modes, max_B;
   nir_function_impl *impl;
};

/* Sums, products and the like of what loops count. */
static bool
is_counted(const nir_value *v, unsigned depth)
{
   const nir_instr *from = v->instr;

   if (from->kind == nir_kind_load_const || from->kind == nir_kind_phi)
      return true;
   if (from->kind != nir_kind_alu || depth == 0)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)from);
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      if (!is_counted(alu->src[i].use.value, depth - 1))
         return false;
   }
   return true;
}

#define MAX_INDEX_DEPTH 4

/* Copies of loops leave no dynamic index into the array. */
static bool
is_walked_only(const nir_variable *var, nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_deref_instr *d = nir_maybe_deref(instr);
         if (d && d->deref_type == nir_deref_type_array &&
             !is_counted(d->index.value, MAX_INDEX_DEPTH) &&
             nir_deref_root(d) == var)
            return false;
      }
   }
   return true;
}

/* Larger arrays than that are memory where an index stays dynamic. */
#define LARGE 4

static bool
wants_unroll(nir_instr *instr, const struct indirects *which)
{
   unsigned size_B, align_B;

   nir_deref_instr *d = nir_maybe_deref(instr);
   if (!d)
      return false;
   if (d->deref_type != nir_deref_type_array || nir_use_is_const(d->index) ||
       !nir_deref_mode_may_be(d, which->modes))
      return false;
   const nir_variable *var = nir_deref_root(d);
   if (!var || !which->max_B)
      return true;
   glsl_get_natural_size_align_bytes(var->type, &size_B, &align_B);
   return size_B <= which->max_B || (size_B <= LARGE * which->max_B &&
                                     is_walked_only(var, which->impl));
}

/* An element that each round loads or stores that comes so far: past the end
 * of the array is undefined, so that round has left the loop by `before` at
 * the latest. */
struct element {
   nir_value *index;
   unsigned length;
   nir_loop_terminator *before;
};

static void
note_element(nir_instr *instr, nir_loop_terminator *before,
             const struct indirects *which, struct util_dynarray *elements)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);

   if (!intr || (intr->intrinsic != nir_intrinsic_load_deref &&
                 intr->intrinsic != nir_intrinsic_store_deref))
      return;
   for (nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
        d && d->deref_type == nir_deref_type_array; d = nir_deref_parent(d)) {
      if (!nir_deref_mode_is(d, nir_var_function_temp) ||
          !wants_unroll(&d->instr, which))
         continue;
      const struct element e = { d->index.value,
                                 glsl_get_length(nir_deref_parent(d)->type),
                                 before };
      util_dynarray_append(elements, struct element, e);
   }
}

/* In blocks that each round comes to, behind a way out. */
static void
find_elements(nir_loop *loop, const struct indirects *which,
              struct util_dynarray *elements)
{
   nir_loop_terminator *before = NULL;

   list_for_each_entry(nir_cf_node, node, &loop->body, node) {
      list_for_each_entry(nir_loop_terminator, t,
                          &loop->info->loop_terminator_list, link) {
         if (&t->nif->cf_node == node)
            before = t;
      }
      if (node->type != nir_cf_node_block || !before)
         continue;
      nir_foreach_instr(instr, nir_cf_node_as_block(node))
         note_element(instr, before, which, elements);
   }
}

/* Whether the round cannot come to all elements; `known` if an index is. */
static bool
leaves_array(struct sim *s, const struct util_dynarray *elements, bool *known)
{
   util_dynarray_foreach(elements, struct element, e) {
      const nir_const_value *c = eval(s, e->index);

      if (!c)
         continue;
      *known = true;
      if (nir_const_value_as_uint(c[0], e->index->bit_size) < e->length)
         continue;
      e->before->exact_trip_count_unknown = true;
      s->loop->info->limiting_terminator = e->before;
      return true;
   }
   return false;
}

static void
simulate(nir_loop *loop, unsigned float_controls,
         const struct indirects *indirects)
{
   struct util_dynarray elements = { 0 };
   nir_loop_info *info = loop->info;
   nir_block *header = nir_loop_first_block(loop);
   nir_block *preheader =
      nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node));
   if (header->num_predecessors != 2)
      return;
   struct sim s = {
      .loop = loop,
      .arena = arena_create(NULL),
      .float_controls = float_controls,
   };
   find_elements(loop, indirects, &elements);
   hash_table_init(&s.values);
   step(&s, header, preheader, true);
   for (unsigned trip = 0; trip < MAX_SIMULATED_TRIPS; trip++) {
      bool any_known = false;
      list_for_each_entry(nir_loop_terminator, t, &info->loop_terminator_list,
                          link) {
         nir_const_value *c = eval(&s, t->nif->condition.value);
         if (!c) {
            t->exact_trip_count_unknown = true;
            continue;
         }
         any_known = true;
         const bool cond =
            nir_const_value_as_bool(c[0], t->nif->condition.value->bit_size);
         if (cond == t->continue_from_then)
            continue;
         info->max_trip_count = trip;
         info->limiting_terminator = t;
         goto done;
      }
      if (leaves_array(&s, &elements, &any_known)) {
         info->max_trip_count = trip;
         goto done;
      }
      if (!any_known)
         break;
      step(&s, header, preheader, false);
   }
done:
   util_dynarray_fini(&elements);
   hash_table_finish(&s.values);
   arena_destroy(s.arena);
}

/* --- Cost --------------------------------------------------------------- */

unsigned
nir_instr_cost(const nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_alu: {
      const nir_alu_instr *alu = nir_instr_as_alu(instr);
      if (alu->op == nir_op_mov || nir_op_is_vec(alu->op))
         return 0;
      const bool wide = alu->instr.result.bit_size == 64;
      switch (alu->op) {
      case nir_op_fdiv:
      case nir_op_frcp:
      case nir_op_fsqrt:
      case nir_op_frsq:
      case nir_op_fmod: return wide ? 30 : 3;
      default: return (wide ? 2 : 1) * alu->instr.result.num_components;
      }
   }
   case nir_kind_intrinsic:
   case nir_kind_tex: return 1;
   default: return 0;
   }
}

/* Whether the loop runs as often as an array has elements that it indexes. */
static bool
walks_array(nir_loop *loop, const struct indirects *which)
{
   unsigned size_B, align_B;

   nir_foreach_block_in_cf_node(block, &loop->cf_node) {
      nir_foreach_instr(instr, block) {
         nir_deref_instr *d = nir_maybe_deref(instr);
         if (!d || d->deref_type != nir_deref_type_array ||
             nir_use_is_const(d->index) ||
             glsl_get_length(nir_deref_parent(d)->type) !=
                loop->info->max_trip_count)
            continue;
         const nir_variable *var = nir_deref_root(d);
         if (!var || !which->max_B)
            return true;
         glsl_get_natural_size_align_bytes(var->type, &size_B, &align_B);
         if (size_B <= which->max_B || is_walked_only(var, which->impl))
            return true;
      }
   }
   return false;
}

static void
analyze_loop(nir_loop *loop, const struct indirects *indirects,
             const nir_shader *shader)
{
   loop->info = arena_new(shader->arena, nir_loop_info);
   list_inithead(&loop->info->loop_terminator_list);
   nir_foreach_block_in_cf_node(block, &loop->cf_node) {
      nir_foreach_instr(instr, block) {
         loop->info->instr_cost += nir_instr_cost(instr);
         loop->info->force_unroll |= wants_unroll(instr, indirects);
      }
   }
   find_terminators(loop, shader->arena);
   loop->info->complex_loop = has_other_jumps(loop);
   simulate(loop, shader->info.float_controls_execution_mode, indirects);
   loop->info->walks_array = loop->info->limiting_terminator &&
                             walks_array(loop, indirects);
}

static void
analyze_list(struct list_head *list, const struct indirects *indirects,
             const nir_shader *shader)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         analyze_list(&nif->then_list, indirects, shader);
         analyze_list(&nif->else_list, indirects, shader);
      } else if (node->type == nir_cf_node_loop) {
         nir_loop *loop = nir_cf_node_as_loop(node);
         analyze_list(&loop->body, indirects, shader);
         analyze_loop(loop, indirects, shader);
      }
   }
}

void
nir_loop_analyze_impl(nir_function_impl *impl, unsigned indirect_mask)
{
   const nir_shader *shader = impl->function->shader;
   const struct indirects indirects = {
      indirect_mask, shader->options->force_indirect_unrolling_max_B, impl
   };

   analyze_list(&impl->body, &indirects, shader);
}
