/* SPDX-License-Identifier: MIT */
/* Chains of dereferences: walking, comparing, removing. */
#include "nir.h"

#include "nir_private.h"
#include "util/guard.h"

nir_deref_instr *
nir_src_as_deref(nir_src src)
{
   if (src.ssa->parent_instr->type != nir_instr_type_deref)
      return NULL;
   return nir_instr_as_deref(src.ssa->parent_instr);
}

nir_deref_instr *
nir_deref_instr_parent(const nir_deref_instr *instr)
{
   if (instr->deref_type == nir_deref_type_var)
      return NULL;
   return nir_src_as_deref(instr->parent);
}

nir_variable *
nir_deref_instr_get_variable(const nir_deref_instr *instr)
{
   while (instr && instr->deref_type != nir_deref_type_var)
      instr = nir_deref_instr_parent(instr);
   return instr ? instr->var : NULL;
}

bool
nir_deref_instr_remove_if_unused(nir_deref_instr *instr)
{
   bool progress = false;
   while (instr && nir_ssa_def_is_unused(&instr->dest.ssa)) {
      nir_deref_instr *parent = nir_deref_instr_parent(instr);
      nir_instr_remove(&instr->instr);
      progress = true;
      instr = parent;
   }
   return progress;
}

unsigned
nir_deref_instr_array_stride(const nir_deref_instr *deref)
{
   if (deref->deref_type == nir_deref_type_ptr_as_array)
      return nir_deref_instr_array_stride(nir_deref_instr_parent(deref));
   if (deref->deref_type == nir_deref_type_cast)
      return deref->cast.ptr_stride;
   if (deref->deref_type != nir_deref_type_array &&
       deref->deref_type != nir_deref_type_array_wildcard)
      return 0;
   const struct glsl_type *t = nir_deref_instr_parent(deref)->type;
   unsigned stride = glsl_get_explicit_stride(t);
   /* Columns of a row-major matrix lie side by side. */
   if ((glsl_type_is_matrix(t) && glsl_matrix_type_is_row_major(t)) ||
       (glsl_type_is_vector(t) && stride == 0))
      stride = glsl_type_is_boolean(t) ? 4 : glsl_get_bit_size(t) / 8;
   return stride;
}

/* --- Paths -------------------------------------------------------------- */

void
nir_deref_path_init(nir_deref_path *path, nir_deref_instr *deref,
                    void *unused_mem_ctx)
{
   unsigned n = 0;
   for (nir_deref_instr *d = deref; d; d = nir_deref_instr_parent(d))
      n++;
   path->path = path->_short_path;
   if (n + 1 > ARRAY_SIZE(path->_short_path)) {
      path->path = guard_alloc(n + 1, sizeof(*path->path));
   }
   path->path[n] = NULL;
   for (nir_deref_instr *d = deref; d; d = nir_deref_instr_parent(d))
      path->path[--n] = d;
}

void
nir_deref_path_finish(nir_deref_path *path)
{
   if (path->path != path->_short_path)
      guard_free(path->path);
}

/* --- Comparison --------------------------------------------------------- */

static bool
index_is_wildcard(const nir_deref_instr *d)
{
   return d->deref_type == nir_deref_type_array_wildcard;
}

static nir_deref_compare_result
compare_array_step(const nir_deref_instr *a, const nir_deref_instr *b,
                   nir_deref_compare_result result)
{
   if (index_is_wildcard(a) && index_is_wildcard(b))
      return result;
   if (index_is_wildcard(a))
      return result & ~(nir_derefs_equal_bit | nir_derefs_b_contains_a_bit);
   if (index_is_wildcard(b))
      return result & ~(nir_derefs_equal_bit | nir_derefs_a_contains_b_bit);
   if (nir_src_is_const(a->arr.index) && nir_src_is_const(b->arr.index)) {
      return nir_src_as_uint(a->arr.index) == nir_src_as_uint(b->arr.index)
                ? result
                : nir_derefs_do_not_alias;
   }
   if (nir_srcs_equal(a->arr.index, b->arr.index))
      return result;
   return nir_derefs_may_alias_bit;
}

/* Memory that other variables, or other invocations, may reach as well. */
#define MAY_ALIAS_MODES (nir_var_mem_ssbo | nir_var_mem_global)

nir_deref_compare_result
nir_compare_derefs(nir_deref_instr *a, nir_deref_instr *b)
{
   if (a == b)
      return nir_derefs_equal_bit | nir_derefs_may_alias_bit |
             nir_derefs_a_contains_b_bit | nir_derefs_b_contains_a_bit;
   if ((a->modes & b->modes) == 0)
      return nir_derefs_do_not_alias;

   const nir_variable *va = nir_deref_instr_get_variable(a);
   const nir_variable *vb = nir_deref_instr_get_variable(b);
   if (!va || !vb)
      return nir_derefs_may_alias_bit;
   if (va != vb) {
      const bool memory =
         (va->data.mode & MAY_ALIAS_MODES) &&
         !((va->data.access | vb->data.access) & ACCESS_RESTRICT);
      return memory ? nir_derefs_may_alias_bit : nir_derefs_do_not_alias;
   }

   nir_deref_path pa, pb;
   nir_deref_path_init(&pa, a, NULL);
   nir_deref_path_init(&pb, b, NULL);
   nir_deref_compare_result result = nir_derefs_equal_bit |
                                     nir_derefs_may_alias_bit |
                                     nir_derefs_a_contains_b_bit |
                                     nir_derefs_b_contains_a_bit;
   unsigned i = 1;
   for (; pa.path[i] && pb.path[i]; i++) {
      const nir_deref_instr *x = pa.path[i], *y = pb.path[i];
      if (x->deref_type == nir_deref_type_struct &&
          y->deref_type == nir_deref_type_struct) {
         if (x->strct.index != y->strct.index) {
            result = nir_derefs_do_not_alias;
            break;
         }
      } else if ((x->deref_type == nir_deref_type_array ||
                  x->deref_type == nir_deref_type_array_wildcard) &&
                 (y->deref_type == nir_deref_type_array ||
                  y->deref_type == nir_deref_type_array_wildcard)) {
         const nir_deref_compare_result step =
            compare_array_step(x, y, result);
         /* What may alias here may still differ in a member below. */
         result = step == nir_derefs_may_alias_bit ? nir_derefs_may_alias_bit
                                                   : step;
         if (step == nir_derefs_do_not_alias)
            break;
      } else {
         result = nir_derefs_may_alias_bit;
         break;
      }
   }
   if (result != nir_derefs_do_not_alias) {
      if (pa.path[i])
         result &= ~(nir_derefs_equal_bit | nir_derefs_a_contains_b_bit);
      if (pb.path[i])
         result &= ~(nir_derefs_equal_bit | nir_derefs_b_contains_a_bit);
   }
   nir_deref_path_finish(&pa);
   nir_deref_path_finish(&pb);
   return result;
}
