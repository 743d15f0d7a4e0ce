/* SPDX-License-Identifier: MIT */
/*
 * Large local arrays with a dynamic index go to memory that each invocation
 * has for itself (load_scratch, store_scratch; nir_shader::scratch_size).
 *
 * A copy of a whole array is all of its loads, then all stores: first each
 * store moves up to its value, so that not all of them live at once.
 *
 * Arrays of constants stay: a search for the element has them as immediates,
 * and needs no register for the others. So do those of up to twice the
 * threshold of which accesses have few places to choose from, or few have a
 * dynamic index: in memory each component of each access is a message.
 */
#include "compiler/nir/mem/nir_local_arrays.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

struct array {
   nir_variable *var;
   unsigned size_B, offset_B;
   unsigned searches;        /* loads with a dynamic index */
   uint64_t moves, messages; /* in registers; in memory */
   bool dynamic, refused, varies;
};

struct state {
   nir_builder b;
   unsigned threshold_B;
   struct hash_table arrays; /* nir_variable -> struct array */
};

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

/* How many places an access may mean. */
static unsigned
places(const nir_deref_instr *d)
{
   unsigned n = 1;
   for (; d->deref_type == nir_deref_type_array; d = nir_deref_parent(d)) {
      if (!nir_use_is_const(d->index))
         n *= glsl_get_length(nir_deref_parent(d)->type);
   }
   return n;
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
   a->messages += intr->num_components;
   if (!is_const_place(d))
      a->moves += (uint64_t)places(d) * intr->num_components;
   if (intr->intrinsic == nir_intrinsic_load_deref)
      a->searches += !is_const_place(d);
   else
      a->varies |= !is_const_place(d) || !nir_use_is_const(intr->src[1]);
}

static void
find_arrays(struct state *s, nir_function_impl *impl, unsigned threshold_B)
{
   nir_foreach_function_temp_variable(var, impl) {
      const uint64_t size_B = nir_memory_type_B(var->type);
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
         if (a && !nir_deref_is_only_loaded_and_stored(d))
            a->refused = true;
      }
   }
}

/* What a message costs, in moves of a dword. */
#define MESSAGE_MOVES 8

/* Of an array that registers have room for. */
static bool
is_cheaper_in_memory(const struct array *a)
{
   return a->moves > a->messages * MESSAGE_MOVES;
}

/* Of a variable's array, or NULL. */
static bool
is_lowered(const struct state *s, const struct array *a)
{
   return a && a->dynamic && !a->refused &&
          (a->size_B > 2 * s->threshold_B || is_cheaper_in_memory(a)) &&
          (a->varies || (uint64_t)a->size_B / 4 * a->searches > MAX_LEAVES);
}

/* In the order of declaration, so that the same shader is the same code. */
static bool
place_arrays(struct state *s, nir_function_impl *impl)
{
   bool any = false;

   nir_foreach_function_temp_variable(var, impl) {
      struct array *a = hash_table_get(&s->arrays, hash_key_ptr(var));

      if (!is_lowered(s, a))
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
widen(nir_builder *b, nir_value *v)
{
   switch (v->bit_size) {
   case 1: return nir_b2i32(b, v);
   case 8:
   case 16: return nir_u2u32(b, v);
   default: return v;
   }
}

static void
lower_access(struct state *s, nir_intrinsic_instr *intr)
{
   nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);
   const struct array *a = array_of(s, deref);
   const unsigned align_B = nir_memory_component_B(deref->type);
   nir_builder *b = &s->b;
   nir_value *offset, *v;

   b->cursor = nir_before_instr(&intr->instr);
   offset = nir_memory_offset(b, deref, a->offset_B);
   if (intr->intrinsic == nir_intrinsic_load_deref) {
      const unsigned bits = intr->instr.result.bit_size;

      v = nir_load_scratch(b, intr->num_components, MAX2(32, bits), offset,
                           .align_mul = align_B);
      nir_value_replace(&intr->instr.result,
                        nir_narrow_from_memory(b, v, bits));
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
         if (is_lowered(s, array_of(s, nir_use_as_deref(intr->src[0]))))
            f(s, intr);
      }
   }
}

bool
nir_lower_vars_to_scratch(nir_shader *shader, unsigned threshold_B)
{
   nir_function_impl *impl = nir_entry_point(shader);
   struct state s = { .threshold_B = threshold_B };
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
