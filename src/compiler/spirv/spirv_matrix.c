/* SPDX-License-Identifier: MIT */
/* Products of vectors and matrices (3.49.13): mul and add, left to right. */
#include "compiler/spirv/spirv_private.h"

static void
check(struct spv *s, bool cond)
{
   spv_check(s, cond, "%s: an operand has the wrong type (3.49.13)",
             spirv_opcode_name(spv_opcode(s->cur)));
}

static bool
is_float(const struct spv_type *t)
{
   return spv_scalar(t)->base == SPV_FLOAT;
}

static nir_value *
splat(struct spv *s, nir_value *x, unsigned c, unsigned n)
{
   unsigned swizzle[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < n; i++)
      swizzle[i] = c;
   return nir_swizzle(&s->nb, x, swizzle, n);
}

static struct spv_ssa *
wrap(struct spv *s, struct spv_type *t, nir_value *def)
{
   struct spv_ssa *v = spv_ssa_create(s, t);
   v->def = def;
   return v;
}

/* The sum of the columns, each times a component of v. */
static nir_value *
matrix_vector(struct spv *s, struct spv_ssa *m, nir_value *v)
{
   const unsigned rows = m->type->elem->length;
   nir_value *sum = NULL;

   for (unsigned c = 0; c < m->type->length; c++) {
      nir_value *p = nir_fmul(&s->nb, m->elems[c]->def, splat(s, v, c, rows));
      sum = sum ? nir_fadd(&s->nb, sum, p) : p;
   }
   return sum;
}

static void
vector_times_scalar(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *v = spv_get_ssa(s, w[3]), *x = spv_get_ssa(s, w[4]);

   check(s, t->base == SPV_VECTOR && is_float(t) &&
               spv_same_type(v->type, t) && spv_same_type(x->type, t->elem));
   spv_set_def(s, t, w[2],
               nir_fmul(&s->nb, v->def, splat(s, x->def, 0, t->length)));
}

static void
matrix_times_scalar(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *m = spv_get_ssa(s, w[3]), *x = spv_get_ssa(s, w[4]), *r;

   check(s, t->base == SPV_MATRIX && spv_same_type(m->type, t) &&
               spv_same_type(x->type, t->elem->elem));
   r = spv_ssa_create(s, t);
   for (unsigned c = 0; c < t->length; c++)
      r->elems[c] = wrap(s, t->elem,
                         nir_fmul(&s->nb, m->elems[c]->def,
                                  splat(s, x->def, 0, t->elem->length)));
   spv_set_ssa(s, w[2], r);
}

static void
vector_times_matrix(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *v = spv_get_ssa(s, w[3]), *m = spv_get_ssa(s, w[4]);
   nir_value *comps[4];

   check(s, t->base == SPV_VECTOR && m->type->base == SPV_MATRIX &&
               t->length == m->type->length &&
               spv_same_type(v->type, m->type->elem) &&
               spv_same_type(t->elem, m->type->elem->elem));
   for (unsigned c = 0; c < t->length; c++)
      comps[c] = nir_fdot(&s->nb, v->def, m->elems[c]->def);
   spv_set_def(s, t, w[2], nir_vec(&s->nb, comps, t->length));
}

static void
matrix_times_vector(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *m = spv_get_ssa(s, w[3]), *v = spv_get_ssa(s, w[4]);

   check(s, m->type->base == SPV_MATRIX && spv_same_type(t, m->type->elem) &&
               v->type->base == SPV_VECTOR &&
               v->type->length == m->type->length &&
               spv_same_type(v->type->elem, t->elem));
   spv_set_def(s, t, w[2], matrix_vector(s, m, v->def));
}

static void
matrix_times_matrix(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *a = spv_get_ssa(s, w[3]), *b = spv_get_ssa(s, w[4]), *r;

   check(s, t->base == SPV_MATRIX && a->type->base == SPV_MATRIX &&
               b->type->base == SPV_MATRIX &&
               spv_same_type(t->elem, a->type->elem) &&
               t->length == b->type->length &&
               b->type->elem->length == a->type->length &&
               t->bits == b->type->bits);
   r = spv_ssa_create(s, t);
   for (unsigned c = 0; c < t->length; c++)
      r->elems[c] = wrap(s, t->elem, matrix_vector(s, a, b->elems[c]->def));
   spv_set_ssa(s, w[2], r);
}

static void
outer_product(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *a = spv_get_ssa(s, w[3]), *b = spv_get_ssa(s, w[4]), *r;

   check(s, t->base == SPV_MATRIX && spv_same_type(a->type, t->elem) &&
               b->type->base == SPV_VECTOR && b->type->length == t->length &&
               spv_same_type(b->type->elem, t->elem->elem));
   r = spv_ssa_create(s, t);
   for (unsigned c = 0; c < t->length; c++)
      r->elems[c] =
         wrap(s, t->elem,
              nir_fmul(&s->nb, a->def, splat(s, b->def, c, t->elem->length)));
   spv_set_ssa(s, w[2], r);
}

static void
dot(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *a = spv_get_ssa(s, w[3]), *b = spv_get_ssa(s, w[4]);

   check(s, a->type->base == SPV_VECTOR && is_float(a->type) &&
               spv_same_type(a->type, b->type) &&
               spv_same_type(t, a->type->elem));
   spv_set_def(s, t, w[2], nir_fdot(&s->nb, a->def, b->def));
}

bool
spv_handle_matrix(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   struct spv_type *t;

   if (op < SpvOpVectorTimesScalar || op > SpvOpDot)
      return false;
   t = spv_get_type(s, w[1]);
   switch (op) {
   case SpvOpVectorTimesScalar: vector_times_scalar(s, w, t); break;
   case SpvOpMatrixTimesScalar: matrix_times_scalar(s, w, t); break;
   case SpvOpVectorTimesMatrix: vector_times_matrix(s, w, t); break;
   case SpvOpMatrixTimesVector: matrix_times_vector(s, w, t); break;
   case SpvOpMatrixTimesMatrix: matrix_times_matrix(s, w, t); break;
   case SpvOpOuterProduct: outer_product(s, w, t); break;
   default: dot(s, w, t); break;
   }
   return true;
}
