/* SPDX-License-Identifier: MIT */
/*
 * Dynamic indices into arrays become a binary search of ifs over constant
 * indices, for modes whose storage cannot be indexed. An array of more than
 * max_lower_array_len elements stays as it is. An index out of bounds reaches
 * the first or the last element: any will do, but none outside.
 *
 * Stores to small local arrays are a select for each element instead: ifs
 * would end in phis of all elements, and leave each path a copy of those that
 * it does not write. An index out of bounds then stores nothing.
 *
 * A variant lowers only indices that select a component within a slot:
 * elements of compact arrays, and components of vectors that are written. A
 * store to one component then touches no other, which matters for outputs
 * that several invocations share.
 */
#include "nir.h"
#include "nir_builder.h"
#include "util/dynarray.h"

struct access {
   nir_builder *b;
   nir_intrinsic_instr *intr;
   bool components_only;
   nir_deref_instr **rest; /* of the path, after what is built */
};

static nir_value *emit_access(const struct access *a, nir_deref_instr *parent,
                              nir_deref_instr **rest);

/* The access with an index in [lo, hi). */
static nir_value *
emit_range(const struct access *a, nir_deref_instr *parent,
           nir_deref_instr **rest, nir_value *index, unsigned lo, unsigned hi)
{
   nir_value *t, *e;
   unsigned mid;

   if (hi - lo == 1)
      return emit_access(a, nir_build_deref_array_imm(a->b, parent, lo),
                         rest + 1);
   mid = lo + (hi - lo) / 2;
   nir_push_if(a->b, nir_ilt(a->b, index,
                             nir_imm_intN_t(a->b, mid, index->bit_size)));
   t = emit_range(a, parent, rest, index, lo, mid);
   nir_push_else(a->b, NULL);
   e = emit_range(a, parent, rest, index, mid, hi);
   nir_pop_if(a->b, NULL);
   return t ? nir_if_phi(a->b, t, e) : NULL;
}

/* Repeats the instruction on another deref; its value, if it has one. */
static nir_value *
repeat(const struct access *a, nir_deref_instr *deref)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[a->intr->intrinsic];
   nir_intrinsic_instr *copy =
      nir_new_intrinsic(a->b->shader, a->intr->intrinsic);

   copy->num_components = a->intr->num_components;
   memcpy(copy->const_index, a->intr->const_index, sizeof(copy->const_index));
   copy->src[0] = nir_use_of(&deref->instr.result);
   for (unsigned i = 1; i < info->num_srcs; i++)
      copy->src[i] = nir_use_of(a->intr->src[i].value);
   if (info->has_dest)
      nir_set_result(&copy->instr, a->intr->instr.result.num_components,
                     a->intr->instr.result.bit_size);
   nir_emit(a->b, &copy->instr);
   return info->has_dest ? &copy->instr.result : NULL;
}

/* A select for each component and a comparison for each element. */
#define MAX_SELECT_COST 96

/* The one dynamic index of a store to a local variable, where selects are
 * cheap; NULL otherwise. */
static nir_deref_instr *
index_to_select(const nir_intrinsic_instr *intr, nir_deref_instr *deref)
{
   nir_deref_instr *found = NULL;

   if (intr->intrinsic != nir_intrinsic_store_deref ||
       !nir_deref_mode_is(deref, nir_var_function_temp))
      return NULL;
   for (nir_deref_instr *d = deref; d->deref_type != nir_deref_type_var;
        d = nir_deref_parent(d)) {
      if (d->deref_type != nir_deref_type_array || nir_use_is_const(d->index))
         continue;
      if (found)
         return NULL;
      found = d;
   }
   if (!found)
      return NULL;
   const struct glsl_type *type = nir_deref_parent(found)->type;
   const unsigned dwords = intr->num_components *
                           MAX2(intr->src[1].value->bit_size / 32, 1);
   return !glsl_type_is_vector(type) &&
                glsl_get_length(type) * (dwords + 1) <= MAX_SELECT_COST
             ? found
             : NULL;
}

static void
emit_selects(const struct access *a, nir_deref_path *path,
             nir_deref_instr *which)
{
   nir_builder *b = a->b;
   const unsigned n = glsl_get_length(nir_deref_parent(which)->type);
   nir_value *index = nir_use_value(b, which->index, 1);
   nir_value *value =
      nir_use_value(b, a->intr->src[1], a->intr->num_components);

   for (unsigned i = 0; i < n; i++) {
      nir_deref_instr *d = nir_deref_to(b, path->path[0]->var);
      for (nir_deref_instr **p = path->path + 1; *p; p++)
         d = *p == which ? nir_build_deref_array_imm(b, d, i)
                         : nir_build_deref_follower(b, d, *p);
      nir_value *is_this =
         nir_ieq(b, index, nir_imm_intN_t(b, i, index->bit_size));
      nir_store_deref(b, d,
                      nir_bcsel(b, is_this, value, nir_load_deref(b, d)),
                      nir_intrinsic_write_mask(a->intr));
   }
}

/* Whether `d` selects a component of a slot, as an element of `parent`. */
static bool
is_component(const nir_shader *shader, const nir_deref_instr *parent)
{
   const nir_variable *var = nir_deref_root(parent);

   if (glsl_type_is_vector(parent->type))
      return true;
   return var->data.compact && !(parent->deref_type == nir_deref_type_var &&
                                 nir_is_arrayed_io(var, shader->info.stage));
}

static nir_value *
emit_access(const struct access *a, nir_deref_instr *parent,
            nir_deref_instr **rest)
{
   for (; *rest; rest++) {
      if ((*rest)->deref_type == nir_deref_type_array &&
          !nir_use_is_const((*rest)->index) &&
          (!a->components_only || is_component(a->b->shader, parent))) {
         const unsigned n = glsl_type_is_vector(parent->type)
                               ? glsl_get_vector_elements(parent->type)
                               : glsl_get_length(parent->type);
         return emit_range(a, parent, rest,
                           nir_use_value(a->b, (*rest)->index, 1), 0,
                           MAX2(n, 1u));
      }
      parent = nir_build_deref_follower(a->b, parent, *rest);
   }
   return repeat(a, parent);
}

/* Whether there is a dynamic index, and none into a longer array. The arrays
 * around per-vertex inputs can be indexed. */
static bool
should_lower(nir_shader *shader, nir_deref_instr *deref, uint32_t max)
{
   bool indirect = false;

   for (nir_deref_instr *d = deref, *up; d; d = up) {
      up = nir_deref_parent(d);
      if (d->deref_type == nir_deref_type_var)
         return indirect;
      if (d->deref_type == nir_deref_type_struct)
         continue;
      if (d->deref_type != nir_deref_type_array)
         return false;
      if (nir_use_is_const(d->index))
         continue;
      if (up->deref_type == nir_deref_type_var &&
          nir_is_arrayed_io(up->var, shader->info.stage))
         return false;
      if (glsl_get_length(up->type) > max)
         return false;
      indirect = true;
   }
   return false;
}

/* The same for the variant: the last step is the one that counts. */
static bool
has_indirect_component(nir_shader *shader, nir_intrinsic_instr *intr,
                       nir_deref_instr *deref)
{
   nir_deref_instr *up = nir_deref_parent(deref);

   if (deref->deref_type != nir_deref_type_array ||
       nir_use_is_const(deref->index) || !nir_deref_root(deref) ||
       !is_component(shader, up))
      return false;
   return !glsl_type_is_vector(up->type) ||
          intr->intrinsic == nir_intrinsic_store_deref;
}

static bool
lower_intrinsic(nir_builder *b, nir_intrinsic_instr *intr,
                nir_variable_mode modes, uint32_t max, bool components_only)
{
   struct access a = { .b = b,
                       .intr = intr,
                       .components_only = components_only };
   nir_deref_instr *deref;
   nir_deref_path path;
   nir_value *def;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_deref:
   case nir_intrinsic_store_deref:
   case nir_intrinsic_interp_deref_at_centroid:
   case nir_intrinsic_interp_deref_at_sample:
   case nir_intrinsic_interp_deref_at_offset: break;
   default: return false;
   }
   deref = nir_use_as_deref(intr->src[0]);
   if (!nir_deref_mode_is_one_of(deref, modes) ||
       !(components_only ? has_indirect_component(b->shader, intr, deref)
                         : should_lower(b->shader, deref, max)))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_deref_path_init(&path, deref, NULL);
   nir_deref_instr *which = components_only ? NULL
                                            : index_to_select(intr, deref);
   if (which) {
      emit_selects(&a, &path, which);
      def = NULL;
   } else {
      def =
         emit_access(&a, nir_deref_to(b, path.path[0]->var), path.path + 1);
   }
   nir_deref_path_finish(&path);
   if (def)
      nir_value_replace(&intr->instr.result, def);
   nir_instr_remove(&intr->instr);
   nir_deref_remove_unused(deref);
   return true;
}

static bool
lower_all(nir_shader *shader, nir_variable_mode modes, uint32_t max,
          bool components_only)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      struct util_dynarray todo = { 0 };
      nir_builder b = nir_builder_at(impl, nir_before_impl(impl));
      bool here = false;
      /* Collected first: lowering cuts blocks. */
      nir_foreach_instr_of(instr, impl) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (intr)
            util_dynarray_append(&todo, nir_intrinsic_instr *, intr);
      }
      util_dynarray_foreach(&todo, nir_intrinsic_instr *, intr)
         here |= lower_intrinsic(&b, *intr, modes, max, components_only);
      util_dynarray_fini(&todo);
      nir_changed(impl, here, nir_metadata_none);
      progress |= here;
   }
   return progress;
}

bool
nir_lower_indirect_derefs(nir_shader *shader, nir_variable_mode modes,
                          uint32_t max_lower_array_len)
{
   return lower_all(shader, modes, max_lower_array_len, false);
}

bool
nir_lower_indirect_components(nir_shader *shader, nir_variable_mode modes)
{
   return lower_all(shader, modes, UINT32_MAX, true);
}
