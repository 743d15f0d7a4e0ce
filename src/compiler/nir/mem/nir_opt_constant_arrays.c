/* SPDX-License-Identifier: MIT */
/*
 * Local arrays of constants with a dynamic index become data of the shader
 * (nir_shader::constant_data), which load_constant reads.
 *
 * Of such an array each component is stored to with one value only, wherever
 * that is: a load gives that value, or comes before the store and may give
 * any. So neither the order of loads and stores matters nor how often they
 * run.
 */
#include "nir_local_arrays.h"
#include "util/hash_table.h"

/* Of all arrays of a shader. */
#define MAX_DATA_B (256u << 10)

struct array {
   nir_variable *var;
   unsigned size_B, offset_B;
   uint64_t *values; /* by dword; of wider components, the first one's */
   bool *known;
   bool dynamic, refused;
};

struct state {
   nir_builder b;
   struct hash_table arrays; /* nir_variable -> struct array */
   struct arena *arena;
};

static struct array *
array_of(struct state *s, nir_deref_instr *deref)
{
   nir_variable *var = nir_deref_root(deref);

   return var ? hash_table_get(&s->arrays, hash_key_ptr(var)) : NULL;
}

/* ---- which ones ---- */

/* Loads and stores of whole elements, by any index. */
static bool
is_plain(nir_deref_instr *d)
{
   if (d->deref_type == nir_deref_type_var)
      return nir_deref_is_only_loaded_and_stored(d);
   return d->deref_type == nir_deref_type_array &&
          !glsl_type_is_vector(nir_deref_parent(d)->type) &&
          nir_deref_is_only_loaded_and_stored(d);
}

/* The byte of a constant place within its array; false: it is not constant,
 * or outside. */
static bool
place_of(const nir_deref_instr *d, unsigned *at_B)
{
   *at_B = 0;
   for (; d->deref_type == nir_deref_type_array; d = nir_deref_parent(d)) {
      if (!nir_use_is_const(d->index))
         return false;
      const uint64_t index = nir_use_as_uint(d->index);
      if (index >= glsl_get_length(nir_deref_parent(d)->type))
         return false;
      *at_B += (unsigned)(index * nir_memory_type_B(d->type));
   }
   return true;
}

static void
note_store(struct array *a, nir_intrinsic_instr *store)
{
   const nir_deref_instr *d = nir_use_as_deref(store->src[0]);
   unsigned at_B;

   if (!place_of(d, &at_B) || !nir_use_is_const(store->src[1])) {
      a->refused = true;
      return;
   }
   for (unsigned c = 0; c < store->num_components; c++) {
      const unsigned i = (at_B + c * nir_memory_component_B(d->type)) / 4;
      if (!(nir_intrinsic_write_mask(store) & 1u << c))
         continue;
      const uint64_t v = nir_use_comp_as_uint(store->src[1], c);
      a->refused |= a->known[i] && a->values[i] != v;
      a->known[i] = true;
      a->values[i] = v;
   }
}

static void
note(struct state *s, nir_instr *instr)
{
   if (instr->kind == nir_kind_deref) {
      nir_deref_instr *d = nir_instr_as_deref(instr);
      struct array *a = array_of(s, d);
      if (a)
         a->refused |= !is_plain(d);
      return;
   }
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr || (intr->intrinsic != nir_intrinsic_load_deref &&
                 intr->intrinsic != nir_intrinsic_store_deref))
      return;
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   struct array *a = array_of(s, d);
   unsigned at_B;
   if (!a || a->refused)
      return;
   if (intr->intrinsic == nir_intrinsic_store_deref)
      note_store(a, intr);
   else
      a->dynamic |= !place_of(d, &at_B);
}

static bool
find_arrays(struct state *s, nir_function_impl *impl, unsigned min_B)
{
   bool any = false;
   nir_foreach_function_temp_variable(var, impl) {
      const uint64_t size_B = nir_memory_type_B(var->type);
      if (!glsl_type_is_array(var->type) || size_B < min_B ||
          size_B > MAX_DATA_B)
         continue;
      struct array *a = arena_new(s->arena, struct array);
      *a = (struct array) {
         .var = var,
         .size_B = (unsigned)size_B,
         .values = arena_new_array(s->arena, uint64_t, size_B / 4),
         .known = arena_new_array(s->arena, bool, size_B / 4),
      };
      memset(a->values, 0, size_B / 4 * sizeof(a->values[0]));
      memset(a->known, 0, size_B / 4 * sizeof(a->known[0]));
      hash_table_insert(&s->arrays, hash_key_ptr(var), a);
      any = true;
   }
   if (any) {
      nir_foreach_instr_of(instr, impl)
         note(s, instr);
   }
   return any;
}

static bool
is_table(const struct array *a)
{
   return a && a->dynamic && !a->refused;
}

/* ---- data ---- */

static void
write_data(uint8_t *data, const struct array *a)
{
   const struct glsl_type *t = glsl_without_array(a->var->type);
   const unsigned B = nir_memory_component_B(t);
   for (unsigned at_B = 0; at_B < a->size_B; at_B += B)
      memcpy(data + a->offset_B + at_B, &a->values[at_B / 4], B);
}

/* In the order of declaration, so that the same shader is the same code. */
static bool
place_arrays(struct state *s, nir_function_impl *impl)
{
   nir_shader *shader = s->b.shader;
   const unsigned old_B = shader->constant_data_size;
   unsigned end_B = old_B;
   nir_foreach_function_temp_variable(var, impl) {
      struct array *a = hash_table_get(&s->arrays, hash_key_ptr(var));
      if (!is_table(a))
         continue;
      a->offset_B = ALIGN(end_B, 16u);
      a->refused = a->offset_B + a->size_B > MAX_DATA_B;
      if (!a->refused)
         end_B = a->offset_B + a->size_B;
   }
   if (end_B == old_B)
      return false;
   uint8_t *data = arena_new_array(shader->arena, uint8_t, end_B);
   memset(data, 0, end_B);
   if (old_B)
      memcpy(data, shader->constant_data, old_B);
   nir_foreach_function_temp_variable(var, impl) {
      const struct array *a = hash_table_get(&s->arrays, hash_key_ptr(var));
      if (is_table(a))
         write_data(data, a);
   }
   shader->constant_data = data;
   shader->constant_data_size = end_B;
   return true;
}

/* ---- accesses ---- */

static void
lower_load(struct state *s, const struct array *a, nir_intrinsic_instr *intr)
{
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   nir_builder *b = &s->b;
   const unsigned bits = intr->instr.result.bit_size;
   b->cursor = nir_before_instr(&intr->instr);
   nir_value *v = nir_load_constant(
      b, intr->num_components, MAX2(32, bits), nir_memory_offset(b, d, 0),
      .base = (int)a->offset_B, .range = a->size_B,
      .align_mul = nir_memory_component_B(d->type));
   nir_value_replace(&intr->instr.result, nir_narrow_from_memory(b, v, bits));
}

static void
lower_access(struct state *s, nir_instr *instr)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr || (intr->intrinsic != nir_intrinsic_load_deref &&
                 intr->intrinsic != nir_intrinsic_store_deref))
      return;
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   const struct array *a = array_of(s, d);
   if (!is_table(a))
      return;
   if (intr->intrinsic == nir_intrinsic_load_deref)
      lower_load(s, a, intr);
   nir_instr_remove(instr);
   nir_deref_remove_unused(d);
}

bool
nir_opt_constant_arrays(nir_shader *shader, unsigned min_B)
{
   nir_function_impl *impl = nir_entry_point(shader);
   struct state s = { .arena = arena_create(NULL) };
   bool progress;

   nir_builder_init(&s.b, impl);
   hash_table_init(&s.arrays);
   progress = find_arrays(&s, impl, min_B) && place_arrays(&s, impl);
   if (progress) {
      nir_foreach_instr_of(instr, impl)
         lower_access(&s, instr);
   }
   hash_table_finish(&s.arrays);
   arena_destroy(s.arena);
   nir_changed(impl, progress, nir_metadata_control_flow);
   return progress;
}
