/* SPDX-License-Identifier: MIT */
/* OpAccessChain, OpLoad, OpStore, OpCopyMemory, OpArrayLength (3.49.8). */
#include "compiler/spirv/spirv_private.h"

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

static bool
is_opaque(const struct spv_type *t)
{
   return t->base == SPV_IMAGE || t->base == SPV_SAMPLER ||
          t->base == SPV_SAMPLED_IMAGE;
}

static struct spv_pointer *
with_access(struct spv *s, const struct spv_pointer *p,
            enum gl_access_qualifier access)
{
   struct spv_pointer *r = arena_memdup(s->arena, p, sizeof(*p));
   r->access |= access;
   return r;
}

static enum gl_access_qualifier
access_of_id(const struct spv *s, uint32_t id)
{
   return spv_has_decoration(&s->values[id], SpvDecorationNonUniform)
             ? ACCESS_NON_UNIFORM
             : 0;
}

struct spv_pointer *
spv_pointer_as(struct spv *s, uint32_t id, struct spv_pointer *p)
{
   const enum gl_access_qualifier access = access_of_id(s, id);
   return access ? with_access(s, p, access) : p;
}

struct spv_image_value
spv_image_as(struct spv *s, uint32_t id, struct spv_image_value image)
{
   image.access |= access_of_id(s, id);
   return image;
}

/* The type one step into `t`; fills the link. */
static struct spv_type *
chain_step(struct spv *s, struct spv_type *t, uint32_t id,
           struct spv_link *link, enum gl_access_qualifier *access)
{
   const struct spv_value *index = spv_untyped_value(s, id);

   spv_check(s, index->type && index->type->base == SPV_INT,
             "%s: index %u is no integer (3.49.8)", here(s), id);
   if (t->base == SPV_STRUCT) {
      const uint64_t n = spv_const_uint(s, id);
      spv_check(s, n < t->length,
                "%s: the struct has no member %llu (3.49.8)", here(s),
                (unsigned long long)n);
      *link = (struct spv_link) { NULL, (uint32_t)n };
      *access |= t->decor[n].access;
      return t->members[n];
   }
   spv_check(s,
             t->base == SPV_ARRAY || t->base == SPV_MATRIX ||
                t->base == SPV_VECTOR,
             "%s: an index into a type that has no parts (3.49.8)", here(s));
   if (index->kind == SPV_VALUE_CONSTANT) {
      const uint64_t n = index->constant->bits[0];
      *link =
         (struct spv_link) { NULL, n > INT32_MAX ? INT32_MAX : (uint32_t)n };
   } else {
      nir_value *def = spv_get_def(s, id);
      if (def->bit_size != 32)
         def = index->type->is_signed ? nir_i2i32(&s->nb, def)
                                      : nir_u2u32(&s->nb, def);
      *link = (struct spv_link) { def, 0 };
   }
   return t->elem;
}

/* In kernels a pointer may have been cast to another type. */
static void
check_cast(struct spv *s, uint32_t id)
{
   const struct spv_value *v = spv_untyped_value(s, id);

   if (s->kernel && v->kind == SPV_VALUE_POINTER &&
       v->type->base == SPV_POINTER &&
       !spv_same_type(v->type->elem, v->pointer->type))
      spv_unsupported(s, "%s through a pointer that was cast", here(s));
}

void
spv_access_chain(struct spv *s, const uint32_t *w,
                 const struct spv_pointer *base, unsigned first)
{
   const unsigned n = spv_count(w) - first;
   struct spv_type *result = spv_get_type(s, w[1]);
   struct spv_link *links = arena_new_array(s->arena, struct spv_link, n);
   enum gl_access_qualifier access = base->access;
   struct spv_type *t = base->type;
   struct spv_pointer *p;

   check_cast(s, w[3]);
   for (unsigned i = 0; i < n; i++) {
      t = chain_step(s, t, w[first + i], &links[i], &access);
      /* glslang decorates the index alone where an atomic follows. */
      access |= access_of_id(s, w[first + i]);
   }
   spv_check(s,
             result->base == SPV_POINTER &&
                result->storage == base->var->storage &&
                spv_same_type(result->elem, t),
             "%s: the result type does not point to what is reached "
             "(3.49.8)",
             here(s));
   p = spv_extend(s, base, t, links, n);
   p->access = access | access_of_id(s, w[2]);
   spv_define(s, w[2], SPV_VALUE_POINTER, result)->pointer = p;
}

/* The access that memory operands at w[i], if any, ask for. */
static enum gl_access_qualifier
memory_operands(const uint32_t *w, unsigned i)
{
   enum gl_access_qualifier access = 0;

   if (i >= spv_count(w))
      return 0;
   if (w[i] & SpvMemoryAccessVolatileMask)
      access |= ACCESS_VOLATILE;
   /* The Vulkan memory model says so where GLSL's has a decoration. */
   if (w[i] & (SpvMemoryAccessMakePointerAvailableMask |
               SpvMemoryAccessMakePointerVisibleMask))
      access |= ACCESS_COHERENT;
   return access;
}

/* Words of one set of memory operands. */
static unsigned
memory_operands_size(uint32_t mask)
{
   return 1 + ((mask & SpvMemoryAccessAlignedMask) != 0) +
          ((mask & SpvMemoryAccessMakePointerAvailableMask) != 0) +
          ((mask & SpvMemoryAccessMakePointerVisibleMask) != 0);
}

static void
load(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_pointer *p = spv_get_pointer(s, w[3]);
   struct spv_ssa *ssa;

   check_cast(s, w[3]);
   spv_check(s, spv_same_type(p->type, t),
             "OpLoad: the result type is not what is pointed to (3.49.8)");
   if (is_opaque(t)) {
      const struct spv_image_value image = {
         .image = t->base == SPV_SAMPLER ? NULL : p,
         .sampler = t->base == SPV_IMAGE ? NULL : p,
         .access = p->access,
      };
      spv_define(s, w[2], SPV_VALUE_IMAGE, t)->image =
         spv_image_as(s, w[2], image);
      return;
   }
   ssa = spv_load(s, with_access(s, p, memory_operands(w, 4)));
   /* The layout of the memory is no part of the value. */
   ssa->type = t;
   spv_set_ssa(s, w[2], ssa);
}

static void
store(struct spv *s, const uint32_t *w)
{
   struct spv_pointer *p = spv_get_pointer(s, w[1]);
   struct spv_ssa *value = spv_get_ssa(s, w[2]);

   check_cast(s, w[1]);
   spv_check(s, spv_same_type(p->type, value->type),
             "OpStore: the object is not of the type pointed to (3.49.8)");
   spv_store(s, with_access(s, p, memory_operands(w, 3)), value);
}

static void
copy_memory(struct spv *s, const uint32_t *w)
{
   struct spv_pointer *dst = spv_get_pointer(s, w[1]);
   struct spv_pointer *src = spv_get_pointer(s, w[2]);
   const enum gl_access_qualifier first = memory_operands(w, 3);
   enum gl_access_qualifier second = first;

   /* A second set, if there is one, is for the source. */
   if (spv_count(w) > 3 && spv_count(w) > 3 + memory_operands_size(w[3]))
      second = memory_operands(w, 3 + memory_operands_size(w[3]));
   spv_check(s, spv_same_type(dst->type, src->type),
             "OpCopyMemory: the types pointed to differ (3.49.8)");
   spv_store(s, with_access(s, dst, first),
             spv_load(s, with_access(s, src, second)));
}

static void
array_length(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_pointer *p = spv_get_pointer(s, w[3]);
   const struct spv_type *st = p->type;
   struct spv_link link = { NULL, w[4] };
   nir_deref_instr *d;

   spv_check(s,
             st->base == SPV_STRUCT && st->length && w[4] == st->length - 1 &&
                st->members[w[4]]->base == SPV_ARRAY &&
                !st->members[w[4]]->length,
             "OpArrayLength: not the run-time array of a struct (3.49.8)");
   spv_check(s, t->base == SPV_INT && t->bits == 32,
             "OpArrayLength: the result is no 32-bit integer (3.49.8)");
   p = spv_extend(s, p, st->members[w[4]], &link, 1);
   if (p->address) {
      spv_set_def(s, t, w[2], spv_physical_array_length(s, p));
      return;
   }
   d = spv_deref(s, p);
   if (d->modes != nir_var_mem_ssbo)
      spv_unsupported(s, "OpArrayLength of anything but a storage buffer");
   spv_set_def(s, t, w[2],
               nir_deref_buffer_array_length(&s->nb, &d->instr.result,
                                             .access = p->access));
}

bool
spv_handle_memory(struct spv *s, const uint32_t *w)
{
   switch (spv_opcode(w)) {
   case SpvOpAccessChain:
   case SpvOpInBoundsAccessChain:
      spv_access_chain(s, w, spv_get_pointer(s, w[3]), 4);
      return true;
   case SpvOpLoad: load(s, w, spv_get_type(s, w[1])); return true;
   case SpvOpStore: store(s, w); return true;
   case SpvOpCopyMemory: copy_memory(s, w); return true;
   case SpvOpArrayLength:
      array_length(s, w, spv_get_type(s, w[1]));
      return true;
   default: return false;
   }
}
