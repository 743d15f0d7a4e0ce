/* SPDX-License-Identifier: MIT */
/*
 * Ids and what they stand for. Every use of an id goes through here: that it
 * is defined, is of the right kind, and (inside functions) that its
 * definition dominates the use (2.16).
 */
#include "compiler/spirv/spirv_private.h"

static const char *
kind_name(enum spv_value_kind kind)
{
   static const char *const names[] = {
      [SPV_VALUE_NONE] = "not defined before",
      [SPV_VALUE_STRING] = "a string",
      [SPV_VALUE_EXT_IMPORT] = "an instruction set",
      [SPV_VALUE_DECORATION_GROUP] = "a decoration group",
      [SPV_VALUE_TYPE] = "a type",
      [SPV_VALUE_CONSTANT] = "a constant",
      [SPV_VALUE_UNDEF] = "an undefined value",
      [SPV_VALUE_POINTER] = "a pointer",
      [SPV_VALUE_FUNCTION] = "a function",
      [SPV_VALUE_LABEL] = "a label",
      [SPV_VALUE_SSA] = "a value",
      [SPV_VALUE_IMAGE] = "an image",
      [SPV_VALUE_TEXEL_POINTER] = "a pointer to a texel",
   };
   return names[kind];
}

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

struct spv_value *
spv_untyped_value(struct spv *s, uint32_t id)
{
   struct spv_value *v;

   spv_check(s, id != 0 && id < s->bound,
             "%s: id %u is not below the bound "
             "%u (2.3)",
             here(s), id, s->bound);
   v = &s->values[id];
   spv_check(s, v->kind != SPV_VALUE_NONE,
             "%s: id %u is not defined before its use (2.16)", here(s), id);
   if (v->block && s->block)
      spv_check(s, v->block == s->block || spv_dominates(v->block, s->block),
                "%s: the definition of id %u does not dominate this use "
                "(2.16)",
                here(s), id);
   return v;
}

struct spv_value *
spv_define(struct spv *s, uint32_t id, enum spv_value_kind kind,
           struct spv_type *type)
{
   struct spv_value *v = &s->values[id];

   /* A body that is inlined twice defines its ids twice. */
   assert(id < s->bound);
   v->kind = kind;
   v->type = type;
   v->block = s->block;
   return v;
}

struct spv_value *
spv_value(struct spv *s, uint32_t id, enum spv_value_kind kind)
{
   struct spv_value *v = spv_untyped_value(s, id);

   spv_check(s, v->kind == kind, "%s: id %u is %s, not %s", here(s), id,
             kind_name(v->kind), kind_name(kind));
   return v;
}

struct spv_type *
spv_get_type(struct spv *s, uint32_t id)
{
   return spv_value(s, id, SPV_VALUE_TYPE)->type;
}

/* The type of what an id stands for. */
struct spv_type *
spv_value_type(struct spv *s, uint32_t id)
{
   const struct spv_value *v = spv_untyped_value(s, id);

   spv_check(s, v->type && v->kind != SPV_VALUE_TYPE,
             "%s: id %u is %s, not a value", here(s), id, kind_name(v->kind));
   return v->type;
}

static bool
is_composite(const struct spv_type *t)
{
   return t->base == SPV_MATRIX || t->base == SPV_ARRAY ||
          t->base == SPV_STRUCT;
}

static bool
is_flat(const struct spv_type *t)
{
   return t->base == SPV_BOOL || t->base == SPV_INT || t->base == SPV_FLOAT ||
          t->base == SPV_VECTOR || spv_is_address(t);
}

static struct spv_type *
member(const struct spv_type *t, unsigned i)
{
   return t->base == SPV_STRUCT ? t->members[i] : t->elem;
}

/* Room for a value of the type; the defs are for the caller to fill. */
struct spv_ssa *
spv_ssa_create(struct spv *s, struct spv_type *t)
{
   struct spv_ssa *v = arena_new(s->arena, struct spv_ssa);

   v->type = t;
   if (!is_composite(t))
      return v;
   spv_check_composite_size(s, t);
   spv_check(s, t->length || t->base == SPV_STRUCT,
             "%s: a value of a run-time array", here(s));
   v->elems =
      arena_new_array(s->arena, struct spv_ssa *, MAX2(t->length, 1u));
   return v;
}

struct spv_ssa *
spv_ssa_undef(struct spv *s, struct spv_type *t)
{
   struct spv_ssa *v = spv_ssa_create(s, t);

   if (is_flat(t)) {
      v->def = nir_undef(&s->nb, spv_components(t), t->bits);
      return v;
   }
   if (!v->elems)
      spv_unsupported(s, "%s: a value of that type", here(s));
   for (unsigned i = 0; i < t->length; i++)
      v->elems[i] = spv_ssa_undef(s, member(t, i));
   return v;
}

struct spv_ssa *
spv_ssa_const(struct spv *s, struct spv_type *t, const struct spv_const *c)
{
   struct spv_ssa *v = spv_ssa_create(s, t);

   if (v->elems) {
      for (unsigned i = 0; i < t->length; i++)
         v->elems[i] = spv_ssa_const(s, member(t, i), c->elems[i]);
   } else {
      nir_const_value values[4];
      for (unsigned i = 0; i < spv_components(t); i++)
         values[i] = nir_const_value_for_raw_uint(c->bits[i], t->bits);
      v->def = nir_build_imm(&s->nb, spv_components(t), t->bits, values);
   }
   return v;
}

struct spv_ssa *
spv_get_ssa(struct spv *s, uint32_t id)
{
   const struct spv_value *v = spv_untyped_value(s, id);

   switch (v->kind) {
   case SPV_VALUE_SSA: return v->ssa;
   case SPV_VALUE_CONSTANT: return spv_ssa_const(s, v->type, v->constant);
   case SPV_VALUE_UNDEF: return spv_ssa_undef(s, v->type);
   case SPV_VALUE_POINTER:
      if (v->pointer->address || spv_is_address(v->type)) {
         struct spv_ssa *address = spv_ssa_create(s, v->type);
         address->def = spv_pointer_number(s, v->pointer);
         return address;
      }
      FALLTHROUGH;
   default:
      spv_fail(s, "%s: id %u is %s, not a value", here(s), id,
               kind_name(v->kind));
   }
}

nir_value *
spv_get_def(struct spv *s, uint32_t id)
{
   struct spv_ssa *v = spv_get_ssa(s, id);

   spv_check(s, v->def, "%s: id %u is no scalar or vector", here(s), id);
   return v->def;
}

struct spv_pointer *
spv_get_pointer(struct spv *s, uint32_t id)
{
   const struct spv_value *v = spv_untyped_value(s, id);

   if (v->kind != SPV_VALUE_POINTER && v->kind != SPV_VALUE_TYPE && v->type &&
       spv_is_address(v->type))
      return spv_physical_pointer(s, v->type, spv_get_def(s, id));
   return spv_value(s, id, SPV_VALUE_POINTER)->pointer;
}

void
spv_set_ssa(struct spv *s, uint32_t id, struct spv_ssa *ssa)
{
   spv_define(s, id, SPV_VALUE_SSA, ssa->type)->ssa = ssa;
}

void
spv_set_def(struct spv *s, struct spv_type *type, uint32_t id, nir_value *def)
{
   struct spv_ssa *v = spv_ssa_create(s, type);

   assert(is_flat(type) && def->num_components == spv_components(type) &&
          def->bit_size == type->bits);
   v->def = def;
   spv_set_ssa(s, id, v);
}

/* Member i of a composite or component i of a vector. */
struct spv_ssa *
spv_ssa_extract(struct spv *s, struct spv_ssa *v, unsigned i)
{
   struct spv_ssa *r;

   spv_check(s,
             (v->elems || v->type->base == SPV_VECTOR) && i < v->type->length,
             "%s: index %u is outside of the composite (3.49.12)", here(s),
             i);
   if (v->elems)
      return v->elems[i];
   r = spv_ssa_create(s, v->type->elem);
   r->def = nir_channel(&s->nb, v->def, i);
   return r;
}

/* A copy of v in which the part that `path` names is `part`. */
struct spv_ssa *
spv_ssa_insert(struct spv *s, struct spv_ssa *v, const uint32_t *path,
               unsigned depth, struct spv_ssa *part)
{
   struct spv_ssa *r;

   if (depth == 0) {
      spv_check(s, spv_same_type(v->type, part->type),
                "%s: the object has the wrong type (3.49.12)", here(s));
      return part;
   }
   spv_check(
      s,
      (v->elems || v->type->base == SPV_VECTOR) && path[0] < v->type->length,
      "%s: index %u is outside of the composite (3.49.12)", here(s), path[0]);
   r = spv_ssa_create(s, v->type);
   if (v->elems) {
      memcpy(r->elems, v->elems, sizeof(*v->elems) * v->type->length);
      r->elems[path[0]] =
         spv_ssa_insert(s, v->elems[path[0]], path + 1, depth - 1, part);
   } else {
      spv_check(s, depth == 1 && spv_same_type(part->type, v->type->elem),
                "%s: the object has the wrong type (3.49.12)", here(s));
      r->def = nir_vector_insert_imm(&s->nb, v->def, part->def, path[0]);
   }
   return r;
}
