/* SPDX-License-Identifier: MIT */
/*
 * Large local arrays with a dynamic index go to memory that each invocation
 * has for itself (load_scratch, store_scratch; nir_shader::scratch_size).
 *
 * Every component takes four bytes, or eight: booleans and smaller numbers
 * are widened. An index out of bounds reaches the last element of its array.
 *
 * A copy of a whole array is all of its loads, then all stores: first each
 * store moves up to its value, so that not all of them live at once.
 *
 * Arrays of constants stay: a search for the element has them as immediates,
 * and needs no register for the others.
 */
#include "nir.h"
#include "nir_builder.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

struct array {
   nir_variable *var;
   unsigned size_B, offset_B;
   unsigned searches; /* loads with a dynamic index */
   bool dynamic, refused, varies;
};

struct state {
   nir_builder b;
   struct hash_table arrays; /* nir_variable -> struct array */
};

static unsigned
component_B(const struct glsl_type *t)
{
   return MAX2(4, glsl_get_bit_size(t) / 8);
}

/* 0: of no type that is kept in scratch. */
static uint64_t
type_B(const struct glsl_type *t)
{
   if (glsl_type_is_array_or_matrix(t))
      return glsl_get_length(t) * type_B(glsl_get_array_element(t));
   if (!glsl_type_is_vector_or_scalar(t))
      return 0;
   return (uint64_t)glsl_get_vector_elements(t) * component_B(t);
}

/* ---- which ones ---- */

static struct array *
array_of(struct state *s, nir_deref_instr *deref)
{
   nir_variable *var = nir_deref_root(deref);

   return var ? hash_table_get(&s->arrays, hash_key_ptr(var)) : NULL;
}

static void
note_deref(struct state *s, nir_deref_instr *d)
{
   struct array *a = array_of(s, d);

   if (!a || d->deref_type == nir_deref_type_var)
      return;
   if (d->deref_type != nir_deref_type_array ||
       glsl_type_is_vector(nir_deref_parent(d)->type))
      a->refused = true;
   else
      a->dynamic |= !nir_use_is_const(d->index);
}

/* Anything else than loads and stores of it wants a variable. */
static bool
only_loaded_and_stored(nir_deref_instr *d)
{
   nir_foreach_instr_use(src, &d->instr.result) {
      nir_instr *user = src->instr;
      nir_intrinsic_instr *intr;

      if (user->kind == nir_kind_deref)
         continue;
      if (user->kind != nir_kind_intrinsic)
         return false;
      intr = nir_instr_as_intrinsic(user);
      if (src != &intr->src[0] ||
          (intr->intrinsic != nir_intrinsic_load_deref &&
           intr->intrinsic != nir_intrinsic_store_deref))
         return false;
   }
   return !nir_value_is_condition(&d->instr.result);
}

/* Of arrays of constants that stay, each search has a leaf for each dword. */
#define MAX_LEAVES 2048

static bool
is_const_place(const nir_deref_instr *d)
{
   for (; d->deref_type == nir_deref_type_array; d = nir_deref_parent(d)) {
      if (!nir_use_is_const(d->index))
         return false;
   }
   return true;
}

static void
note_access(struct state *s, const nir_intrinsic_instr *intr)
{
   if (intr->intrinsic != nir_intrinsic_load_deref &&
       intr->intrinsic != nir_intrinsic_store_deref)
      return;
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   struct array *a = array_of(s, d);

   if (!a)
      return;
   if (intr->intrinsic == nir_intrinsic_load_deref)
      a->searches += !is_const_place(d);
   else
      a->varies |= !is_const_place(d) || !nir_use_is_const(intr->src[1]);
}

static void
find_arrays(struct state *s, nir_function_impl *impl, unsigned threshold_B)
{
   nir_foreach_function_temp_variable(var, impl) {
      const uint64_t size_B = type_B(var->type);
      struct array *a;

      if (size_B <= threshold_B || size_B > INT32_MAX)
         continue;
      a = arena_new(s->b.shader->arena, struct array);
      a->var = var;
      a->size_B = (unsigned)size_B;
      hash_table_insert(&s->arrays, hash_key_ptr(var), a);
   }
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_deref_instr *d;
         struct array *a;

         if (instr->kind == nir_kind_intrinsic)
            note_access(s, nir_instr_as_intrinsic(instr));
         if (instr->kind != nir_kind_deref)
            continue;
         d = nir_instr_as_deref(instr);
         note_deref(s, d);
         a = array_of(s, d);
         if (a && !only_loaded_and_stored(d))
            a->refused = true;
      }
   }
}

/* Of a variable's array, or NULL. */
static bool
is_lowered(const struct array *a)
{
   return a && a->dynamic && !a->refused &&
          (a->varies || (uint64_t)a->size_B / 4 * a->searches > MAX_LEAVES);
}

/* In the order of declaration, so that the same shader is the same code. */
static bool
place_arrays(struct state *s, nir_function_impl *impl)
{
   bool any = false;

   nir_foreach_function_temp_variable(var, impl) {
      struct array *a = hash_table_get(&s->arrays, hash_key_ptr(var));

      if (!is_lowered(a))
         continue;
      a->offset_B = ALIGN(s->b.shader->scratch_size, 8);
      s->b.shader->scratch_size = a->offset_B + a->size_B;
      any = true;
   }
   return any;
}

/* ---- copies ---- */

/* Steps that a store looks back, so that all of them take linear time. */
#define MAX_STEPS 1024

/* Of two constant places in one variable. */
static bool
is_same_place(const nir_deref_instr *a, const nir_deref_instr *b)
{
   for (; a->deref_type == nir_deref_type_array;
        a = nir_deref_parent(a), b = nir_deref_parent(b)) {
      if (nir_use_as_uint(a->index) != nir_use_as_uint(b->index))
         return false;
   }
   return true;
}

/* Whether a store to the constant place `to` has to stay behind. */
static bool
holds_back(nir_deref_instr *to, nir_instr *instr)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return false;
   if (intr->intrinsic != nir_intrinsic_load_deref &&
       intr->intrinsic != nir_intrinsic_store_deref)
      return false;
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   if (nir_deref_root(d) != nir_deref_root(to))
      return false;
   return intr->intrinsic == nir_intrinsic_load_deref || !is_const_place(d) ||
          is_same_place(d, to);
}

/* The same place, by new instructions. */
static nir_deref_instr *
copy_place(nir_builder *b, nir_deref_instr *d)
{
   if (d->deref_type == nir_deref_type_var)
      return nir_deref_to(b, d->var);
   return nir_build_deref_array_imm(b, copy_place(b, nir_deref_parent(d)),
                                    (int64_t)nir_use_as_uint(d->index));
}

static void
hoist_store(struct state *s, nir_intrinsic_instr *store)
{
   nir_deref_instr *to = nir_use_as_deref(store->src[0]);
   nir_value *value = store->src[1].value;
   nir_instr *after = nir_instr_prev(&store->instr);

   if (value->instr->block != store->instr.block ||
       value->instr->kind == nir_kind_phi || !is_const_place(to))
      return;
   for (unsigned n = 0; after != value->instr; n++) {
      if (n == MAX_STEPS || holds_back(to, after))
         return;
      after = nir_instr_prev(after);
   }
   s->b.cursor = nir_after_instr(after);
   nir_store_deref(&s->b, copy_place(&s->b, to), value,
                   nir_intrinsic_write_mask(store));
   nir_instr_remove(&store->instr);
   nir_deref_remove_unused(to);
}

/* ---- accesses ---- */

static nir_value *
offset_of(nir_builder *b, const struct array *a, nir_deref_instr *deref)
{
   nir_value *offset = nir_imm_int(b, (int)a->offset_B);
   nir_deref_path path;

   nir_deref_path_init(&path, deref, NULL);
   for (nir_deref_instr **d = path.path + 1; *d; d++) {
      const struct glsl_type *outer = nir_deref_parent(*d)->type;
      nir_value *last = nir_imm_int(b, (int)glsl_get_length(outer) - 1);
      nir_value *index = nir_i2i32(b, nir_use_value(b, (*d)->index, 1));

      index = nir_umin(b, index, last);
      offset =
         nir_iadd(b, offset, nir_imul_imm(b, index, type_B((*d)->type)));
   }
   nir_deref_path_finish(&path);
   return offset;
}

static nir_value *
widen(nir_builder *b, nir_value *v)
{
   switch (v->bit_size) {
   case 1: return nir_b2i32(b, v);
   case 8:
   case 16: return nir_u2u32(b, v);
   default: return v;
   }
}

static nir_value *
narrow(nir_builder *b, nir_value *v, unsigned bits)
{
   switch (bits) {
   case 1: return nir_ine(b, v, nir_imm_int(b, 0));
   case 8: return nir_u2u8(b, v);
   case 16: return nir_u2u16(b, v);
   default: return v;
   }
}

static void
lower_access(struct state *s, nir_intrinsic_instr *intr)
{
   nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);
   const struct array *a = array_of(s, deref);
   const unsigned align_B = component_B(deref->type);
   nir_builder *b = &s->b;
   nir_value *offset, *v;

   b->cursor = nir_before_instr(&intr->instr);
   offset = offset_of(b, a, deref);
   if (intr->intrinsic == nir_intrinsic_load_deref) {
      const unsigned bits = intr->instr.result.bit_size;

      v = nir_load_scratch(b, intr->num_components, MAX2(32, bits), offset,
                           .align_mul = align_B);
      nir_value_replace(&intr->instr.result, narrow(b, v, bits));
   } else {
      v = widen(b, nir_use_value(b, intr->src[1], intr->num_components));
      nir_store_scratch(b, v, offset, .align_mul = align_B,
                        .write_mask = nir_intrinsic_write_mask(intr));
   }
   nir_instr_remove(&intr->instr);
   nir_deref_remove_unused(deref);
}

static void
each_access(struct state *s, nir_function_impl *impl, bool loads,
            void (*f)(struct state *s, nir_intrinsic_instr *intr))
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_intrinsic_instr *intr;

         if (instr->kind != nir_kind_intrinsic)
            continue;
         intr = nir_instr_as_intrinsic(instr);
         if (intr->intrinsic != nir_intrinsic_store_deref &&
             (!loads || intr->intrinsic != nir_intrinsic_load_deref))
            continue;
         if (is_lowered(array_of(s, nir_use_as_deref(intr->src[0]))))
            f(s, intr);
      }
   }
}

bool
nir_lower_vars_to_scratch(nir_shader *shader, unsigned threshold_B)
{
   nir_function_impl *impl = nir_entry_point(shader);
   struct state s = { 0 };
   bool progress;

   nir_builder_init(&s.b, impl);
   hash_table_init(&s.arrays);
   find_arrays(&s, impl, threshold_B);
   progress = place_arrays(&s, impl);
   if (progress) {
      each_access(&s, impl, false, hoist_store);
      each_access(&s, impl, true, lower_access);
   }
   hash_table_finish(&s.arrays);
   nir_changed(impl, progress, nir_metadata_control_flow);
   return progress;
}
