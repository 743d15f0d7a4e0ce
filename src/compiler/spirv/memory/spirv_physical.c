/* SPDX-License-Identifier: MIT */
/*
 * Pointers of class PhysicalStorageBuffer (SPV_KHR_physical_storage_buffer):
 * numbers of 64 bits, which memory may hold. A step along a chain is added to
 * the address where it is taken, by the layout that the types have, and
 * what is loaded and stored are load_global and store_global of NIR.
 */
#include "compiler/spirv/spirv_private.h"

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

struct spv_pointer *
spv_physical_pointer(struct spv *s, struct spv_type *type,
                     nir_ssa_def *address)
{
   struct spv_pointer *p = arena_new(s->arena, struct spv_pointer);

   p->var = arena_new(s->arena, struct spv_variable);
   p->var->type = p->type = type->elem;
   p->var->storage = type->storage;
   spv_init_decor(&p->var->decor);
   p->address = address;
   return p;
}

static nir_ssa_def *
add_steps(struct spv *s, nir_ssa_def *address, const struct spv_link *link,
          uint32_t stride_B)
{
   nir_builder *b = &s->nb;

   spv_check(s, stride_B != 0, "%s: an array in memory without a stride",
             here(s));
   if (!link->index)
      return nir_iadd_imm(b, address,
                          (int64_t)(int32_t)link->literal * stride_B);
   return nir_iadd(b, address,
                   nir_imul_2x32_64(b, link->index,
                                    nir_imm_int(b, (int)stride_B)));
}

/* The address one step into `t`; p's stride is that of t's components, if t
 * is a vector, and becomes that of the result's. */
static struct spv_type *
step(struct spv *s, struct spv_pointer *p, struct spv_type *t,
     const struct spv_link *link)
{
   const unsigned component_B = t->bits / 8;
   uint32_t stride_B;

   switch (t->base) {
   case SPV_STRUCT:
      spv_check(s, t->decor[link->literal].offset >= 0,
                "%s: a struct in memory without offsets", here(s));
      p->address =
         nir_iadd_imm(&s->nb, p->address, t->decor[link->literal].offset);
      return t->members[link->literal];
   case SPV_ARRAY:
      p->address = add_steps(s, p->address, link, t->array_stride);
      return t->elem;
   case SPV_MATRIX:
      stride_B = glsl_get_explicit_stride(t->glsl);
      if (glsl_matrix_type_is_row_major(t->glsl)) {
         p->address = add_steps(s, p->address, link, component_B);
         p->stride_B = stride_B;
      } else {
         p->address = add_steps(s, p->address, link, stride_B);
      }
      return t->elem;
   case SPV_VECTOR:
      stride_B = p->stride_B ? p->stride_B : component_B;
      p->address = add_steps(s, p->address, link, stride_B);
      p->stride_B = 0;
      return t->elem;
   default: spv_fail(s, "%s: an index into what has no parts", here(s));
   }
}

struct spv_pointer *
spv_physical_extend(struct spv *s, const struct spv_pointer *p,
                    const struct spv_link *links, unsigned n)
{
   struct spv_pointer *r = arena_memdup(s->arena, p, sizeof(*p));

   for (unsigned i = 0; i < n; i++)
      r->type = step(s, r, r->type, &links[i]);
   return r;
}

/* ---- access ---- */

/* Parts of what p points to lie apart: those of a row-major column. */
static bool
is_strided(const struct spv_pointer *p)
{
   return p->stride_B && p->type->base == SPV_VECTOR;
}

static nir_ssa_def *
part_address(struct spv *s, const struct spv_pointer *p, unsigned i)
{
   return nir_iadd_imm(&s->nb, p->address, (int64_t)i * p->stride_B);
}

nir_ssa_def *
spv_physical_load(struct spv *s, const struct spv_pointer *p)
{
   const unsigned n = spv_components(p->type), bits = p->type->bits;
   nir_ssa_def *parts[4];

   spv_check(s, bits >= 8, "%s: a value without a layout", here(s));
   if (!is_strided(p))
      return nir_load_global(&s->nb, n, bits, p->address, .access = p->access,
                             .align_mul = bits / 8);
   for (unsigned i = 0; i < n; i++)
      parts[i] = nir_load_global(&s->nb, 1, bits, part_address(s, p, i),
                                 .access = p->access, .align_mul = bits / 8);
   return nir_vec(&s->nb, parts, n);
}

void
spv_physical_store(struct spv *s, const struct spv_pointer *p,
                   nir_ssa_def *value)
{
   const unsigned n = value->num_components, bits = value->bit_size;

   spv_check(s, bits >= 8, "%s: a value without a layout", here(s));
   s->shader->info.writes_memory = true;
   if (!is_strided(p)) {
      nir_store_global(&s->nb, value, p->address,
                       .write_mask = BITFIELD_MASK(n), .access = p->access,
                       .align_mul = bits / 8);
      return;
   }
   for (unsigned i = 0; i < n; i++)
      nir_store_global(&s->nb, nir_channel(&s->nb, value, i),
                       part_address(s, p, i), .write_mask = 1,
                       .access = p->access, .align_mul = bits / 8);
}

/* ---- pointers and numbers ---- */

static bool
is_address_id(struct spv *s, uint32_t id)
{
   const struct spv_value *v = spv_untyped_value(s, id);

   return v->type && v->kind != SPV_VALUE_TYPE && spv_is_address(v->type);
}

static void
convert(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const bool to_pointer = spv_opcode(w) == SpvOpConvertUToPtr;
   const struct spv_type *from = spv_value_type(s, w[3]);

   spv_check(s,
             to_pointer ? spv_is_address(t) && from->base == SPV_INT
                        : spv_is_address(from) && t->base == SPV_INT,
             "%s: neither side is a number or pointer of its kind (3.49.11)",
             here(s));
   spv_set_def(s, t, w[2], nir_u2uN(&s->nb, spv_get_def(s, w[3]), t->bits));
}

static void
bitcast(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *from = spv_value_type(s, w[3]);
   nir_ssa_def *def = spv_get_def(s, w[3]);

   spv_check(s,
             t->bits * spv_components(t) == 64 &&
                from->bits * spv_components(from) == 64,
             "OpBitcast: a pointer and what has not its 64 bits (3.49.11)");
   spv_set_def(s, t, w[2],
               t->bits == from->bits
                  ? nir_mov(&s->nb, def)
                  : nir_bitcast_vector(&s->nb, def, t->bits));
}

/* The pointer `element` further on in the array that it points into. */
static struct spv_pointer *
advance(struct spv *s, const uint32_t *w)
{
   const struct spv_type *t = spv_value_type(s, w[3]);
   struct spv_pointer *p =
      arena_memdup(s->arena, spv_get_pointer(s, w[3]), sizeof(*p));
   const struct spv_type *index = spv_value_type(s, w[4]);

   spv_check(s, index->base == SPV_INT && t->array_stride != 0,
             "%s: no integer, or a pointer without ArrayStride (3.49.8)",
             here(s));
   p->address =
      nir_iadd(&s->nb, p->address,
               nir_imul_imm(&s->nb, nir_i2i64(&s->nb, spv_get_def(s, w[4])),
                            t->array_stride));
   return p;
}

bool
spv_handle_physical(struct spv *s, const uint32_t *w)
{
   switch (spv_opcode(w)) {
   case SpvOpConvertUToPtr:
   case SpvOpConvertPtrToU: convert(s, w, spv_get_type(s, w[1])); return true;
   case SpvOpBitcast:
      if (!is_address_id(s, w[3]) && !spv_is_address(spv_get_type(s, w[1])))
         return false;
      bitcast(s, w, spv_get_type(s, w[1]));
      return true;
   case SpvOpPtrAccessChain:
   case SpvOpInBoundsPtrAccessChain:
      if (!is_address_id(s, w[3]))
         return false;
      spv_access_chain(s, w, advance(s, w), 5);
      return true;
   default: return false;
   }
}
