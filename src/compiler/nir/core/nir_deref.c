/* SPDX-License-Identifier: MIT */
/* Chains of dereferences: walking, comparing, removing. */
#include "nir.h"

#include "nir_private.h"
#include "util/guard.h"

nir_deref_instr *
nir_use_as_deref(nir_use src)
{
   if (src.value->instr->kind != nir_kind_deref)
      return NULL;
   return nir_instr_as_deref(src.value->instr);
}

nir_deref_instr *
nir_deref_parent(const nir_deref_instr *instr)
{
   if (instr->deref_type == nir_deref_type_var)
      return NULL;
   return nir_use_as_deref(instr->parent);
}

nir_variable *
nir_deref_root(const nir_deref_instr *instr)
{
   while (instr && instr->deref_type != nir_deref_type_var)
      instr = nir_deref_parent(instr);
   return instr ? instr->var : NULL;
}

bool
nir_deref_remove_unused(nir_deref_instr *instr)
{
   bool progress = false;
   while (instr && nir_value_is_unused(&instr->instr.result)) {
      nir_deref_instr *parent = nir_deref_parent(instr);
      nir_instr_remove(&instr->instr);
      progress = true;
      instr = parent;
   }
   return progress;
}

void
nir_localize_deref(nir_use *use, nir_function_impl *impl)
{
   nir_instr *made = use->value->instr;

   if (use->instr->kind == nir_kind_phi)
      return;
   while (made->kind == nir_kind_deref && made->block != use->instr->block) {
      nir_instr *copy = nir_instr_clone(impl->function->shader, made);

      copy->block = use->instr->block;
      list_addtail(&copy->node, &use->instr->node);
      nir_instr_link_uses(copy);
      nir_instr_number_values(copy, impl);
      nir_set_use(use->instr, use, &copy->result);
      if (nir_instr_as_deref(copy)->deref_type == nir_deref_type_var)
         return;
      use = &nir_instr_as_deref(copy)->parent;
      made = use->value->instr;
   }
}

unsigned
nir_deref_stride(const nir_deref_instr *deref)
{
   if (deref->deref_type == nir_deref_type_ptr_as_array)
      return nir_deref_stride(nir_deref_parent(deref));
   if (deref->deref_type == nir_deref_type_cast)
      return deref->cast.ptr_stride;
   if (deref->deref_type != nir_deref_type_array &&
       deref->deref_type != nir_deref_type_array_wildcard)
      return 0;
   const struct glsl_type *t = nir_deref_parent(deref)->type;
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
   for (nir_deref_instr *d = deref; d; d = nir_deref_parent(d))
      n++;
   path->path = path->_short_path;
   if (n + 1 > ARRAY_SIZE(path->_short_path)) {
      path->path = guard_alloc(n + 1, sizeof(*path->path));
   }
   path->path[n] = NULL;
   for (nir_deref_instr *d = deref; d; d = nir_deref_parent(d))
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

static nir_derefs_relation
compare_array_step(const nir_deref_instr *a, const nir_deref_instr *b,
                   nir_derefs_relation result)
{
   if (index_is_wildcard(a) && index_is_wildcard(b))
      return result;
   if (index_is_wildcard(a))
      return result & ~(nir_derefs_equal | nir_derefs_b_holds_a);
   if (index_is_wildcard(b))
      return result & ~(nir_derefs_equal | nir_derefs_a_holds_b);
   if (nir_use_is_const(a->index) && nir_use_is_const(b->index)) {
      return nir_use_as_uint(a->index) == nir_use_as_uint(b->index)
                ? result
                : nir_derefs_disjoint;
   }
   if (nir_uses_equal(a->index, b->index))
      return result;
   return nir_derefs_may_overlap;
}

/* Memory that other variables, or other invocations, may reach as well. */
#define MAY_ALIAS_MODES (nir_var_mem_ssbo | nir_var_mem_global)

nir_derefs_relation
nir_relate_derefs(nir_deref_instr *a, nir_deref_instr *b)
{
   if (a == b)
      return nir_derefs_equal | nir_derefs_may_overlap |
             nir_derefs_a_holds_b | nir_derefs_b_holds_a;
   if ((a->modes & b->modes) == 0)
      return nir_derefs_disjoint;

   const nir_variable *va = nir_deref_root(a);
   const nir_variable *vb = nir_deref_root(b);
   if (!va || !vb)
      return nir_derefs_may_overlap;
   if (va != vb) {
      const bool memory =
         (va->data.mode & MAY_ALIAS_MODES) &&
         !((va->data.access | vb->data.access) & ACCESS_RESTRICT);
      return memory ? nir_derefs_may_overlap : nir_derefs_disjoint;
   }

   nir_deref_path pa, pb;
   nir_deref_path_init(&pa, a, NULL);
   nir_deref_path_init(&pb, b, NULL);
   nir_derefs_relation result = nir_derefs_equal | nir_derefs_may_overlap |
                                nir_derefs_a_holds_b | nir_derefs_b_holds_a;
   unsigned i = 1;
   for (; pa.path[i] && pb.path[i]; i++) {
      const nir_deref_instr *x = pa.path[i], *y = pb.path[i];
      if (x->deref_type == nir_deref_type_struct &&
          y->deref_type == nir_deref_type_struct) {
         if (x->member != y->member) {
            result = nir_derefs_disjoint;
            break;
         }
      } else if ((x->deref_type == nir_deref_type_array ||
                  x->deref_type == nir_deref_type_array_wildcard) &&
                 (y->deref_type == nir_deref_type_array ||
                  y->deref_type == nir_deref_type_array_wildcard)) {
         const nir_derefs_relation step = compare_array_step(x, y, result);
         /* What may alias here may still differ in a member below. */
         result = step == nir_derefs_may_overlap ? nir_derefs_may_overlap
                                                 : step;
         if (step == nir_derefs_disjoint)
            break;
      } else {
         result = nir_derefs_may_overlap;
         break;
      }
   }
   if (result != nir_derefs_disjoint) {
      if (pa.path[i])
         result &= ~(nir_derefs_equal | nir_derefs_a_holds_b);
      if (pb.path[i])
         result &= ~(nir_derefs_equal | nir_derefs_b_holds_a);
   }
   nir_deref_path_finish(&pa);
   nir_deref_path_finish(&pb);
   return result;
}
