/* SPDX-License-Identifier: MIT */
/*
 * Large local arrays with a dynamic index go to memory that each invocation
 * has for itself (load_scratch, store_scratch; nir_shader::scratch_size).
 *
 * Every component takes four bytes, or eight: booleans and smaller numbers
 * are widened. An index out of bounds reaches the last element of its array.
 */
#include "nir.h"
#include "nir_builder.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

struct array {
   nir_variable *var;
   unsigned size_B, offset_B;
   bool dynamic, refused;
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
   nir_variable *var = nir_deref_instr_get_variable(deref);

   return var ? hash_table_get(&s->arrays, hash_key_ptr(var)) : NULL;
}

static void
note_deref(struct state *s, nir_deref_instr *d)
{
   struct array *a = array_of(s, d);

   if (!a || d->deref_type == nir_deref_type_var)
      return;
   if (d->deref_type != nir_deref_type_array ||
       glsl_type_is_vector(nir_deref_instr_parent(d)->type))
      a->refused = true;
   else
      a->dynamic |= !nir_src_is_const(d->arr.index);
}

/* Anything else than loads and stores of it wants a variable. */
static bool
only_loaded_and_stored(nir_deref_instr *d)
{
   nir_foreach_use(src, &d->dest.ssa) {
      nir_instr *user = src->parent_instr;
      nir_intrinsic_instr *intr;

      if (user->type == nir_instr_type_deref)
         continue;
      if (user->type != nir_instr_type_intrinsic)
         return false;
      intr = nir_instr_as_intrinsic(user);
      if (src != &intr->src[0] ||
          (intr->intrinsic != nir_intrinsic_load_deref &&
           intr->intrinsic != nir_intrinsic_store_deref))
         return false;
   }
   return list_is_empty(&d->dest.ssa.if_uses);
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

         if (instr->type != nir_instr_type_deref)
            continue;
         d = nir_instr_as_deref(instr);
         note_deref(s, d);
         a = array_of(s, d);
         if (a && !only_loaded_and_stored(d))
            a->refused = true;
      }
   }
}

/* In the order of declaration, so that the same shader is the same code. */
static bool
place_arrays(struct state *s, nir_function_impl *impl)
{
   bool any = false;

   nir_foreach_function_temp_variable(var, impl) {
      struct array *a = hash_table_get(&s->arrays, hash_key_ptr(var));

      if (!a || !a->dynamic || a->refused)
         continue;
      a->offset_B = ALIGN(s->b.shader->scratch_size, 8);
      s->b.shader->scratch_size = a->offset_B + a->size_B;
      any = true;
   }
   return any;
}

/* ---- accesses ---- */

static nir_ssa_def *
offset_of(nir_builder *b, const struct array *a, nir_deref_instr *deref)
{
   nir_ssa_def *offset = nir_imm_int(b, (int)a->offset_B);
   nir_deref_path path;

   nir_deref_path_init(&path, deref, NULL);
   for (nir_deref_instr **d = path.path + 1; *d; d++) {
      const struct glsl_type *outer = nir_deref_instr_parent(*d)->type;
      nir_ssa_def *last = nir_imm_int(b, (int)glsl_get_length(outer) - 1);
      nir_ssa_def *index =
         nir_i2i32(b, nir_ssa_for_src(b, (*d)->arr.index, 1));

      index = nir_umin(b, index, last);
      offset =
         nir_iadd(b, offset, nir_imul_imm(b, index, type_B((*d)->type)));
   }
   nir_deref_path_finish(&path);
   return offset;
}

static nir_ssa_def *
widen(nir_builder *b, nir_ssa_def *v)
{
   switch (v->bit_size) {
   case 1: return nir_b2i32(b, v);
   case 8:
   case 16: return nir_u2u32(b, v);
   default: return v;
   }
}

static nir_ssa_def *
narrow(nir_builder *b, nir_ssa_def *v, unsigned bits)
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
   nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
   const struct array *a = array_of(s, deref);
   const unsigned align_B = component_B(deref->type);
   nir_builder *b = &s->b;
   nir_ssa_def *offset, *v;

   b->cursor = nir_before_instr(&intr->instr);
   offset = offset_of(b, a, deref);
   if (intr->intrinsic == nir_intrinsic_load_deref) {
      const unsigned bits = nir_dest_bit_size(intr->dest);

      v = nir_load_scratch(b, intr->num_components, MAX2(32, bits), offset,
                           .align_mul = align_B);
      nir_ssa_def_rewrite_uses(&intr->dest.ssa, narrow(b, v, bits));
   } else {
      v = widen(b, nir_ssa_for_src(b, intr->src[1], intr->num_components));
      nir_store_scratch(b, v, offset, .align_mul = align_B,
                        .write_mask = nir_intrinsic_write_mask(intr));
   }
   nir_instr_remove(&intr->instr);
   nir_deref_instr_remove_if_unused(deref);
}

static void
lower_accesses(struct state *s, nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_intrinsic_instr *intr;
         const struct array *a;

         if (instr->type != nir_instr_type_intrinsic)
            continue;
         intr = nir_instr_as_intrinsic(instr);
         if (intr->intrinsic != nir_intrinsic_load_deref &&
             intr->intrinsic != nir_intrinsic_store_deref)
            continue;
         a = array_of(s, nir_src_as_deref(intr->src[0]));
         if (a && a->dynamic && !a->refused)
            lower_access(s, intr);
      }
   }
}

bool
nir_lower_vars_to_scratch(nir_shader *shader, unsigned threshold_B)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(shader);
   struct state s = { 0 };
   bool progress;

   nir_builder_init(&s.b, impl);
   hash_table_init(&s.arrays);
   find_arrays(&s, impl, threshold_B);
   progress = place_arrays(&s, impl);
   if (progress)
      lower_accesses(&s, impl);
   hash_table_finish(&s.arrays);
   nir_metadata_preserve(impl, progress ? nir_metadata_control_flow
                                        : nir_metadata_all);
   return progress;
}
