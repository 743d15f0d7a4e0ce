/* SPDX-License-Identifier: MIT */
/*
 * Variables, pointers and access through them (3.49.8).
 *
 * A pointer is a variable and a chain of indices; it becomes dereferences
 * where it is used, so dereferences never cross a block. Values larger than
 * a vector are loaded and stored by parts.
 */
#include "compiler/spirv/spirv_private.h"

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

struct spv_pointer *
spv_extend(struct spv *s, const struct spv_pointer *p, struct spv_type *type,
           const struct spv_link *links, unsigned n)
{
   struct spv_pointer *r;

   if (p->address)
      return spv_physical_extend(s, p, links, n);
   r = arena_memdup(s->arena, p, sizeof(*p));
   r->type = type;
   r->length = p->length + n;
   r->chain = arena_new_array(s->arena, struct spv_link, r->length);
   if (p->length)
      memcpy(r->chain, p->chain, sizeof(*p->chain) * p->length);
   if (n)
      memcpy(r->chain + p->length, links, sizeof(*links) * n);
   return r;
}

static struct spv_type *
member(const struct spv_type *t, unsigned i)
{
   return t->base == SPV_STRUCT ? t->members[i] : t->elem;
}

static struct spv_pointer *
element(struct spv *s, const struct spv_pointer *p, unsigned i)
{
   const struct spv_link link = { NULL, i };
   struct spv_pointer *r = spv_extend(s, p, member(p->type, i), &link, 1);

   if (p->type->base == SPV_STRUCT)
      r->access |= p->type->decor[i].access;
   return r;
}

static nir_deref_instr *
follow(struct spv *s, nir_deref_instr *d, const struct spv_link *link)
{
   if (link->index)
      return nir_build_deref_array(&s->nb, d, link->index);
   if (glsl_type_is_struct_or_ifc(d->type))
      return nir_build_deref_struct(&s->nb, d, link->literal);
   return nir_build_deref_array_imm(&s->nb, d, link->literal);
}

/* Dereferences of all links but the last `keep`. */
static nir_deref_instr *
deref_prefix(struct spv *s, const struct spv_pointer *p, unsigned keep)
{
   struct spv_variable *v = p->var;
   const unsigned n = p->length - keep;
   unsigned member_link = UINT32_MAX, i = 0;
   nir_deref_instr *d;

   if (v->block) {
      spv_check(s, n > v->array_depth, "%s: a whole block of the interface",
                here(s));
      member_link = v->array_depth;
      d = nir_deref_to(&s->nb,
                       spv_get_variable(s, v, p->chain[member_link].literal));
   } else {
      d = nir_deref_to(&s->nb, spv_get_variable(s, v, 0));
      i = v->skip_array ? 1 : 0;
   }
   for (; i < n; i++) {
      if (i != member_link)
         d = follow(s, d, &p->chain[i]);
   }
   return d;
}

nir_deref_instr *
spv_deref(struct spv *s, const struct spv_pointer *p)
{
   return deref_prefix(s, p, 0);
}

/* Whether the last link picks a component of a vector. */
static bool
is_component(const struct spv_pointer *p)
{
   const struct spv_type *t = p->var->type;

   if (p->length == 0)
      return false;
   for (unsigned i = 0; i + 1 < p->length; i++)
      t = member(t, p->chain[i].literal);
   return t->base == SPV_VECTOR;
}

/* In memory with a layout a component has an address of its own; a vector
 * in registers is read and written as one. */
static bool
component_has_address(const nir_deref_instr *vec)
{
   return nir_deref_mode_is_one_of(vec, nir_var_mem_ubo | nir_var_mem_ssbo |
                                           nir_var_mem_push_const |
                                           nir_var_mem_shared);
}

/* Another invocation may be writing the rest of the vector. */
static bool
is_shared(const struct spv *s, const nir_deref_instr *vec)
{
   return s->stage == MESA_SHADER_TESS_CTRL &&
          nir_deref_mode_is(vec, nir_var_shader_out);
}

/* What OpenCL has as size_t is 32 bits wide in NIR. */
static void
widen(struct spv *s, struct spv_ssa *v)
{
   if (v->type->bits == 64 && v->def->bit_size == 32)
      v->def = nir_u2u64(&s->nb, v->def);
}

static struct spv_ssa *
load_component(struct spv *s, const struct spv_pointer *p)
{
   const struct spv_link *last = &p->chain[p->length - 1];
   nir_deref_instr *vec = deref_prefix(s, p, 1);
   struct spv_ssa *r = spv_ssa_create(s, p->type);
   nir_value *v;

   if (component_has_address(vec)) {
      r->def =
         nir_load_deref_with_access(&s->nb, follow(s, vec, last), p->access);
      return r;
   }
   v = nir_load_deref_with_access(&s->nb, vec, p->access);
   if (last->index)
      r->def = nir_vector_extract(&s->nb, v, last->index);
   else if (last->literal < v->num_components)
      r->def = nir_channel(&s->nb, v, last->literal);
   else
      r->def = nir_undef(&s->nb, 1, v->bit_size);
   widen(s, r);
   return r;
}

static void
store_component(struct spv *s, const struct spv_pointer *p, nir_value *def)
{
   const struct spv_link *last = &p->chain[p->length - 1];
   nir_deref_instr *vec = deref_prefix(s, p, 1);
   const unsigned n = glsl_get_vector_elements(vec->type);
   nir_value *v;

   if (component_has_address(vec) || (last->index && is_shared(s, vec))) {
      nir_store_deref_with_access(&s->nb, follow(s, vec, last), def, 1,
                                  p->access);
      return;
   }
   if (last->index) {
      v = nir_load_deref_with_access(&s->nb, vec, p->access);
      v = nir_vector_insert(&s->nb, v, def, last->index);
      nir_store_deref_with_access(&s->nb, vec, v, BITFIELD_MASK(n),
                                  p->access);
   } else if (last->literal < n) {
      nir_value *comps[4];
      for (unsigned i = 0; i < n; i++)
         comps[i] = i == last->literal ? def
                                       : nir_undef(&s->nb, 1, def->bit_size);
      nir_store_deref_with_access(&s->nb, vec, nir_vec(&s->nb, comps, n),
                                  1u << last->literal, p->access);
   }
}

struct spv_ssa *
spv_load(struct spv *s, const struct spv_pointer *p)
{
   struct spv_type *t = p->type;
   struct spv_ssa *r;

   if (is_component(p))
      return load_component(s, p);
   r = spv_ssa_create(s, t);
   if (r->elems) {
      for (unsigned i = 0; i < t->length; i++)
         r->elems[i] = spv_load(s, element(s, p, i));
      return r;
   }
   if (t->base == SPV_IMAGE || t->base == SPV_SAMPLER ||
       t->base == SPV_SAMPLED_IMAGE)
      spv_unsupported(s, "%s: images inside of a composite value", here(s));
   if (p->address) {
      r->def = spv_physical_load(s, p);
      return r;
   }
   r->def = nir_load_deref_with_access(&s->nb, spv_deref(s, p), p->access);
   widen(s, r);
   return r;
}

/* Whatever stores: OpStore, OpCopyMemory, or Modf and Frexp. */
static void
check_writable(struct spv *s, const struct spv_pointer *p)
{
   const struct spv_type *block = p->var->type;

   switch (p->var->storage) {
   case SpvStorageClassUniform:
      while (block->base == SPV_ARRAY)
         block = block->elem;
      if (block->buffer_block)
         break;
      FALLTHROUGH;
   case SpvStorageClassInput:
   case SpvStorageClassUniformConstant:
   case SpvStorageClassPushConstant:
      spv_fail(s, "a store to storage class %s, which is read-only (2.16.1)",
               spirv_enumerant_name(spirv_enum_StorageClass,
                                    p->var->storage));
   default: break;
   }
}

void
spv_store(struct spv *s, const struct spv_pointer *p, struct spv_ssa *value)
{
   const struct spv_type *t = p->type;

   check_writable(s, p);
   if (is_component(p)) {
      store_component(s, p, value->def);
      return;
   }
   if (value->elems) {
      for (unsigned i = 0; i < t->length; i++)
         spv_store(s, element(s, p, i), value->elems[i]);
      return;
   }
   if (p->address) {
      spv_physical_store(s, p, value->def);
      return;
   }
   nir_store_deref_with_access(&s->nb, spv_deref(s, p), value->def,
                               BITFIELD_MASK(value->def->num_components),
                               p->access);
}

struct spv_pointer *
spv_pointer_to_var(struct spv *s, nir_variable *var, struct spv_type *type)
{
   struct spv_pointer *p = arena_new(s->arena, struct spv_pointer);

   p->var = arena_new(s->arena, struct spv_variable);
   p->var->type = p->type = type;
   p->var->storage = SpvStorageClassFunction;
   p->var->var = var;
   spv_init_decor(&p->var->decor);
   return p;
}

nir_variable *
spv_temp(struct spv *s, struct spv_type *type, const char *name)
{
   if (!type->glsl || glsl_type_contains_opaque(type->glsl))
      spv_unsupported(s,
                      "%s: pointers or images that depend on control "
                      "flow",
                      here(s));
   spv_check_composite_size(s, type);
   return nir_new_local(s->nb.impl, glsl_get_bare_type(type->glsl), name);
}

static void
check_pointee(struct spv *s, const struct spv_variable *v)
{
   const struct spv_type *t = v->type;

   if (s->kernel && !t->glsl)
      spv_unsupported(s, "a variable that holds a pointer");
   spv_check(s, (t->base != SPV_POINTER || spv_is_address(t)) && t->glsl,
             "OpVariable: no variables of that type (3.49.8)");
   if (v->storage == SpvStorageClassFunction ||
       v->storage == SpvStorageClassPrivate ||
       v->storage == SpvStorageClassWorkgroup) {
      spv_check_composite_size(s, t);
      spv_check(s, t->base != SPV_ARRAY || t->length,
                "OpVariable: a run-time array (2.16.1)");
      if (glsl_type_contains_opaque(t->glsl))
         spv_unsupported(s, "images in variables of class %s",
                         spirv_enumerant_name(spirv_enum_StorageClass,
                                              v->storage));
   }
}

static void
store_initializer(struct spv *s, const struct spv_pointer *p)
{
   const uint32_t id = p->var->initializer;
   const struct spv_value *init = spv_untyped_value(s, id);

   spv_check(s,
             init->kind == SPV_VALUE_CONSTANT ||
                (init->kind == SPV_VALUE_POINTER && !init->block),
             "OpVariable: the initializer is no constant and no variable of "
             "the module (3.49.8)");
   spv_check(s, spv_same_type(init->type, p->type),
             "OpVariable: the initializer has another type (3.49.8)");
   spv_store(s, p, spv_get_ssa(s, id));
}

bool
spv_handle_variable(struct spv *s, const uint32_t *w)
{
   struct spv_type *t;
   struct spv_pointer *p;
   struct spv_variable *v;

   if (spv_opcode(w) != SpvOpVariable)
      return false;
   t = spv_get_type(s, w[1]);
   spv_check(s, t->base == SPV_POINTER && t->storage == w[3],
             "OpVariable: the type is no pointer to class %s (3.49.8)",
             spirv_enumerant_name(spirv_enum_StorageClass, w[3]));
   spv_check(s, (w[3] == SpvStorageClassFunction) == (s->block != NULL),
             "OpVariable: class %s %s of a function (2.16.1)",
             spirv_enumerant_name(spirv_enum_StorageClass, w[3]),
             s->block ? "inside" : "outside");
   p = arena_new(s->arena, struct spv_pointer);
   v = arena_new(s->arena, struct spv_variable);
   p->var = v;
   p->type = v->type = t->elem;
   v->storage = w[3];
   v->id = w[2];
   v->initializer = spv_count(w) > 4 ? w[4] : 0;
   spv_init_decor(&v->decor);
   spv_apply_decorations(s, &v->decor, s->values[w[2]].decorations, -1);
   p->access = v->decor.access;
   /* Other variables name the same memory. */
   if (v->storage == SpvStorageClassWorkgroup &&
       spv_has_decoration(&s->values[w[2]], SpvDecorationAliased))
      p->access |= ACCESS_VOLATILE;
   check_pointee(s, v);
   s->has_shared_blocks |= spv_is_shared_block(v);
   spv_classify_interface(s, v);
   spv_define(s, w[2], SPV_VALUE_POINTER, t)->pointer = p;
   if (s->block && v->initializer)
      store_initializer(s, p);
   return true;
}

static bool
in_entry_interface(const struct spv *s, uint32_t id)
{
   const uint32_t *w = s->entry_words;
   const uint32_t *end = w + spv_count(w);

   /* After the name, whose last word holds its terminator. */
   w += 3;
   while ((*w & 0xff) && (*w & 0xff00) && (*w & 0xff0000) &&
          (*w & 0xff000000))
      w++;
   for (w++; w < end; w++) {
      if (*w == id)
         return true;
   }
   return false;
}

void
spv_declare_captured(struct spv *s)
{
   for (uint32_t id = 1; id < s->bound; id++) {
      const struct spv_value *v = &s->values[id];
      if (v->kind != SPV_VALUE_POINTER || v->block ||
          !in_entry_interface(s, id))
         continue;
      s->cur = v->words;
      spv_get_captured(s, v->pointer->var);
   }
}

/* Null is all that a workgroup's variable may begin with (VUID-OpVariable-
 * OpVariable-04734): the shader begins with zeroing all of them. */
static void
zero_workgroup(struct spv *s, const struct spv_variable *v)
{
   const struct spv_value *init = spv_untyped_value(s, v->initializer);

   spv_check(s,
             init->kind == SPV_VALUE_CONSTANT && init->constant->is_null &&
                spv_same_type(init->type, v->type),
             "OpVariable: the initializer of a Workgroup variable is not "
             "its null (Vulkan, VUID-OpVariable-OpVariable-04734)");
   s->shader->info.zero_shared_memory = true;
}

/* At the start of the shader: private variables and outputs. */
void
spv_store_initializers(struct spv *s)
{
   for (uint32_t id = 1; id < s->bound; id++) {
      const struct spv_value *v = &s->values[id];
      if (v->kind != SPV_VALUE_POINTER || v->block ||
          !v->pointer->var->initializer)
         continue;
      s->cur = v->words;
      switch (v->pointer->var->storage) {
      case SpvStorageClassPrivate: store_initializer(s, v->pointer); break;
      case SpvStorageClassOutput:
         if (in_entry_interface(s, id))
            store_initializer(s, v->pointer);
         break;
      case SpvStorageClassWorkgroup:
         zero_workgroup(s, v->pointer->var);
         break;
      default:
         spv_unsupported(s, "an initializer in storage class %s",
                         spirv_enumerant_name(spirv_enum_StorageClass,
                                              v->pointer->var->storage));
      }
   }
}
