/* SPDX-License-Identifier: MIT */
/* Composite instructions (3.49.12), OpCopyObject and OpUndef. */
#include "compiler/spirv/spirv_private.h"

static void
construct(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const unsigned n = spv_count(w) - 3;
   struct spv_ssa *r = spv_ssa_create(s, t);
   nir_value *comps[4];
   unsigned have = 0;

   if (r->elems) {
      spv_check(s, n == t->length,
                "OpCompositeConstruct: %u constituents of %u (3.49.12)", n,
                t->length);
      for (unsigned i = 0; i < n; i++) {
         const struct spv_type *want = t->base == SPV_STRUCT ? t->members[i]
                                                             : t->elem;
         r->elems[i] = spv_get_ssa(s, w[3 + i]);
         spv_check(s, spv_same_type(r->elems[i]->type, want),
                   "OpCompositeConstruct: constituent %u has the wrong type "
                   "(3.49.12)",
                   i);
      }
      spv_set_ssa(s, w[2], r);
      return;
   }
   spv_check(s, t->base == SPV_VECTOR,
             "OpCompositeConstruct: the type is no composite (3.49.12)");
   /* Scalars and vectors, one after the other. */
   for (unsigned i = 0; i < n; i++) {
      const struct spv_ssa *part = spv_get_ssa(s, w[3 + i]);
      spv_check(s,
                part->def && spv_same_type(spv_scalar(part->type), t->elem) &&
                   have + part->def->num_components <= t->length,
                "OpCompositeConstruct: constituent %u does not fit "
                "(3.49.12)",
                i);
      for (unsigned c = 0; c < part->def->num_components; c++)
         comps[have++] = nir_channel(&s->nb, part->def, c);
   }
   spv_check(s, have == t->length,
             "OpCompositeConstruct: %u components of %u (3.49.12)", have,
             t->length);
   spv_set_def(s, t, w[2], nir_vec(&s->nb, comps, have));
}

static void
extract(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *v = spv_get_ssa(s, w[3]);

   for (unsigned i = 4; i < spv_count(w); i++)
      v = spv_ssa_extract(s, v, w[i]);
   spv_check(s, spv_same_type(v->type, t),
             "OpCompositeExtract: the part has another type (3.49.12)");
   spv_set_ssa(s, w[2], v);
}

static void
shuffle(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   nir_value *a = spv_get_def(s, w[3]), *b = spv_get_def(s, w[4]);
   const struct spv_type *at = spv_value_type(s, w[3]);
   const struct spv_type *bt = spv_value_type(s, w[4]);
   nir_value *comps[4];

   spv_check(s, t->base == SPV_VECTOR && spv_count(w) == 5 + t->length,
             "OpVectorShuffle: %u components for the type (3.49.12)",
             spv_count(w) - 5);
   spv_check(s,
             at->base == SPV_VECTOR && bt->base == SPV_VECTOR &&
                spv_same_type(at->elem, t->elem) &&
                spv_same_type(bt->elem, t->elem),
             "OpVectorShuffle: an operand has the wrong type (3.49.12)");
   for (unsigned i = 0; i < t->length; i++) {
      const uint32_t k = w[5 + i];
      spv_check(s, k == UINT32_MAX || k < at->length + bt->length,
                "OpVectorShuffle: component %u (3.49.12)", k);
      if (k == UINT32_MAX)
         comps[i] = nir_undef(&s->nb, 1, t->bits);
      else if (k < at->length)
         comps[i] = nir_channel(&s->nb, a, k);
      else
         comps[i] = nir_channel(&s->nb, b, k - at->length);
   }
   spv_set_def(s, t, w[2], nir_vec(&s->nb, comps, t->length));
}

static void
check_dynamic(struct spv *s, const struct spv_type *vec,
              const struct spv_type *comp, const struct spv_type *index)
{
   spv_check(s,
             vec->base == SPV_VECTOR && spv_same_type(vec->elem, comp) &&
                index->base == SPV_INT,
             "%s: an operand has the wrong type (3.49.12)",
             spirv_opcode_name(spv_opcode(s->cur)));
}

static void
extract_dynamic(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   nir_value *v = spv_get_def(s, w[3]), *i = spv_get_def(s, w[4]);

   check_dynamic(s, spv_value_type(s, w[3]), t, spv_value_type(s, w[4]));
   spv_set_def(s, t, w[2], nir_vector_extract(&s->nb, v, i));
}

static void
insert_dynamic(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   nir_value *v = spv_get_def(s, w[3]), *c = spv_get_def(s, w[4]);
   nir_value *i = spv_get_def(s, w[5]);

   check_dynamic(s, t, spv_value_type(s, w[4]), spv_value_type(s, w[5]));
   spv_check(s, spv_same_type(t, spv_value_type(s, w[3])),
             "OpVectorInsertDynamic: the vector has another type (3.49.12)");
   spv_set_def(s, t, w[2], nir_vector_insert(&s->nb, v, c, i));
}

static void
transpose(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *m = spv_get_ssa(s, w[3]);
   struct spv_ssa *r = spv_ssa_create(s, t);

   spv_check(s,
             t->base == SPV_MATRIX && m->type->base == SPV_MATRIX &&
                t->length == m->type->elem->length &&
                t->elem->length == m->type->length &&
                t->bits == m->type->bits,
             "OpTranspose: an operand has the wrong type (3.49.13)");
   for (unsigned c = 0; c < t->length; c++) {
      nir_value *comps[4];
      for (unsigned i = 0; i < t->elem->length; i++)
         comps[i] = nir_channel(&s->nb, m->elems[i]->def, c);
      r->elems[c] = spv_ssa_create(s, t->elem);
      r->elems[c]->def = nir_vec(&s->nb, comps, t->elem->length);
   }
   spv_set_ssa(s, w[2], r);
}

/* The same value under another id; types may differ in layout. */
static void
copy(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_value *v = spv_untyped_value(s, w[3]);
   struct spv_ssa *ssa;

   spv_check(s, v->type && spv_same_type(v->type, t),
             "%s: the operand has another type (3.49.12)",
             spirv_opcode_name(spv_opcode(w)));
   switch (v->kind) {
   case SPV_VALUE_POINTER: {
      struct spv_pointer *p = spv_pointer_as(s, w[2], v->pointer);
      spv_define(s, w[2], v->kind, t)->pointer = p;
      break;
   }
   case SPV_VALUE_IMAGE: {
      const struct spv_image_value image = spv_image_as(s, w[2], v->image);
      spv_define(s, w[2], v->kind, t)->image = image;
      break;
   }
   default:
      ssa = arena_memdup(s->arena, spv_get_ssa(s, w[3]), sizeof(*ssa));
      ssa->type = t;
      spv_set_ssa(s, w[2], ssa);
      break;
   }
}

/* Of any type but void; a pointer that is not defined is never followed. */
void
spv_define_undef(struct spv *s, const uint32_t *w)
{
   struct spv_type *t = spv_get_type(s, w[1]);
   spv_check(s, t->glsl || t->base == SPV_POINTER, "OpUndef: void (3.49.1)");
   spv_define(s, w[2], SPV_VALUE_UNDEF, t);
}

bool
spv_handle_composite(struct spv *s, const uint32_t *w)
{
   struct spv_type *t;

   switch (spv_opcode(w)) {
   case SpvOpVectorExtractDynamic:
   case SpvOpVectorInsertDynamic:
   case SpvOpVectorShuffle:
   case SpvOpCompositeConstruct:
   case SpvOpCompositeExtract:
   case SpvOpCompositeInsert:
   case SpvOpCopyObject:
   case SpvOpExpectKHR: /* a hint, which nothing is made of */
   case SpvOpCopyLogical:
   case SpvOpTranspose:
   case SpvOpUndef: break;
   default: return false;
   }
   t = spv_get_type(s, w[1]);
   switch (spv_opcode(w)) {
   case SpvOpVectorExtractDynamic: extract_dynamic(s, w, t); break;
   case SpvOpVectorInsertDynamic: insert_dynamic(s, w, t); break;
   case SpvOpVectorShuffle: shuffle(s, w, t); break;
   case SpvOpCompositeConstruct: construct(s, w, t); break;
   case SpvOpCompositeExtract: extract(s, w, t); break;
   case SpvOpCompositeInsert: {
      struct spv_ssa *part = spv_get_ssa(s, w[3]);
      struct spv_ssa *whole = spv_get_ssa(s, w[4]);
      spv_check(s, spv_same_type(whole->type, t),
                "OpCompositeInsert: the composite has another type "
                "(3.49.12)");
      spv_set_ssa(s, w[2],
                  spv_ssa_insert(s, whole, w + 5, spv_count(w) - 5, part));
      break;
   }
   case SpvOpTranspose: transpose(s, w, t); break;
   case SpvOpUndef: spv_define_undef(s, w); break;
   default: copy(s, w, t); break;
   }
   return true;
}
