/* SPDX-License-Identifier: MIT */
/*
 * Local arrays of any shape become arrays of vectors with one index.
 *
 * For writers of code that has indexed registers. Nested arrays and the
 * columns of matrices are numbered in row-major order; an access is that of
 * one element at a 32-bit index, a constant or a value that is kept within
 * the array: an index out of range is undefined, but must not reach other
 * variables. Before: structs are split, no copies of whole arrays; variables
 * that are no arrays may be left. After: load_deref and store_deref of
 * function_temp are those of such arrays. Cost: linear.
 */
#include "nir_builder.h"

#include "nir_private.h"
#include "util/hash_table.h"

struct flatten {
   nir_builder b;
   struct hash_table flat; /* nir_variable -> nir_variable */
   bool progress;
};

/* Vectors in an array of any shape. */
static unsigned
num_vectors(const struct glsl_type *type)
{
   const struct glsl_type *t = glsl_without_array(type);
   return glsl_get_aoa_size(type) *
          (glsl_type_is_matrix(t) ? glsl_get_matrix_columns(t) : 1);
}

/* One that has the form already, or a new one. Booleans have the size that
 * the code gives them by now. */
static nir_variable *
flat_variable(struct flatten *st, nir_variable *var, unsigned bit_size)
{
   nir_variable *flat = hash_table_get(&st->flat, hash_key_ptr(var));
   const struct glsl_type *t = glsl_without_array(var->type);
   if (flat)
      return flat;
   const enum glsl_base_type base = glsl_type_is_boolean(t) && bit_size == 32
                                       ? GLSL_TYPE_UINT
                                       : glsl_get_base_type(t);
   t = glsl_array_type(glsl_vector_type(base, glsl_get_vector_elements(t)),
                       num_vectors(var->type), 0);
   flat = t == var->type ? var : nir_new_local(st->b.impl, t, var->name);
   hash_table_insert(&st->flat, hash_key_ptr(var), flat);
   return flat;
}

/* The number of the vector that a chain of derefs names. */
static nir_value *
flat_index(struct flatten *st, nir_deref_instr *deref, unsigned length)
{
   nir_builder *b = &st->b;
   nir_value *sum = NULL;
   uint64_t base = 0;
   for (nir_deref_instr *d = deref; d->deref_type == nir_deref_type_array;
        d = nir_deref_parent(d)) {
      const unsigned stride = num_vectors(d->type);
      if (nir_use_is_const(d->index)) {
         base += nir_use_as_uint(d->index) * stride;
         continue;
      }
      nir_value *i = nir_imul_imm(b, nir_u2uN(b, d->index.value, 32), stride);
      sum = sum ? nir_iadd(b, sum, i) : i;
   }
   if (base >= length)
      base = 0;
   if (!sum)
      return nir_imm_int(b, (int)base);
   sum = nir_umin(b, sum, nir_imm_int(b, (int)(length - base) - 1));
   return nir_iadd_imm(b, sum, base);
}

static void
rewrite_access(struct flatten *st, nir_intrinsic_instr *intr)
{
   const bool is_load = intr->intrinsic == nir_intrinsic_load_deref;
   nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);
   nir_variable *var = deref &&
                             nir_deref_mode_is(deref, nir_var_function_temp)
                          ? nir_deref_root(deref)
                          : NULL;
   if (!var || !glsl_type_is_vector_or_scalar(deref->type))
      return;
   const struct glsl_type *t = glsl_without_array(var->type);
   if (!glsl_type_is_matrix(t) && !glsl_type_is_vector_or_scalar(t))
      return;
   st->b.cursor = nir_before_instr(&intr->instr);
   var = flat_variable(st, var,
                       is_load ? intr->instr.result.bit_size
                               : intr->src[1].value->bit_size);
   nir_deref_instr *element = nir_build_deref_array(
      &st->b, nir_deref_to(&st->b, var),
      flat_index(st, deref, glsl_get_length(var->type)));
   nir_set_use(&intr->instr, &intr->src[0], &element->instr.result);
   nir_deref_remove_unused(deref);
   st->progress = true;
}

static bool
flatten_impl(nir_function_impl *impl)
{
   struct flatten st = { 0 };
   nir_builder_init(&st.b, impl);
   hash_table_init(&st.flat);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         if (intr->intrinsic == nir_intrinsic_load_deref ||
             intr->intrinsic == nir_intrinsic_store_deref)
            rewrite_access(&st, intr);
      }
   }
   hash_table_finish(&st.flat);
   nir_changed(impl, st.progress, nir_metadata_control_flow);
   return st.progress;
}

bool
nir_flatten_local_arrays(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_impl(impl, shader)
      progress |= flatten_impl(impl);
   return progress;
}
