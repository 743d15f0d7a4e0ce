/* SPDX-License-Identifier: MIT */
/*
 * Pointers that are numbers of 64 bits. A step along a chain is added where
 * it is taken, by the layout that the types have.
 *
 * Those of class PhysicalStorageBuffer (SPV_KHR_physical_storage_buffer) are
 * addresses, which memory may hold; what is loaded and stored are load_global
 * and store_global of NIR.
 *
 * Those of class StorageBuffer are numbers where control flow, variables or
 * OpPtrAccessChain make them (SPV_KHR_variable_pointers): the lower half is a
 * byte offset, the upper half what *_ssbo of NIR know the buffer by. Steps
 * wrap within the offset: a pointer never leaves its buffer. Any channel may
 * have another one, and two of them may point to the same place.
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
   if (spv_is_in_buffer(p))
      p->access = ACCESS_NON_UNIFORM | ACCESS_COHERENT | ACCESS_VOLATILE;
   return p;
}

/* `index` (NULL: 1) times so many bytes further on. */
static nir_ssa_def *
add_bytes(struct spv *s, const struct spv_pointer *p, nir_ssa_def *index,
          int64_t step_B)
{
   nir_builder *b = &s->nb;
   nir_ssa_def *place[2];

   if (spv_is_in_buffer(p)) {
      spv_buffer_place(s, p, place);
      nir_ssa_def *step = index ? nir_imul_imm(b, index, (uint32_t)step_B)
                                : nir_imm_int(b, (int)step_B);
      return nir_pack_64_2x32_split(b, nir_iadd(b, place[1], step), place[0]);
   }
   if (!index)
      return nir_iadd_imm(b, p->address, step_B);
   return nir_iadd(b, p->address,
                   nir_imul_2x32_64(b, index, nir_imm_int(b, (int)step_B)));
}

static nir_ssa_def *
add_steps(struct spv *s, const struct spv_pointer *p,
          const struct spv_link *link, uint32_t stride_B)
{
   spv_check(s, stride_B != 0, "%s: an array in memory without a stride",
             here(s));
   if (!link->index)
      return add_bytes(s, p, NULL,
                       (int64_t)(int32_t)link->literal * stride_B);
   return add_bytes(s, p, link->index, stride_B);
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
      p->address = add_bytes(s, p, NULL, t->decor[link->literal].offset);
      return t->members[link->literal];
   case SPV_ARRAY:
      p->address = add_steps(s, p, link, t->array_stride);
      return t->elem;
   case SPV_MATRIX:
      stride_B = glsl_get_explicit_stride(t->glsl);
      if (glsl_matrix_type_is_row_major(t->glsl)) {
         p->address = add_steps(s, p, link, component_B);
         p->stride_B = stride_B;
      } else {
         p->address = add_steps(s, p, link, stride_B);
      }
      return t->elem;
   case SPV_VECTOR:
      stride_B = p->stride_B ? p->stride_B : component_B;
      p->address = add_steps(s, p, link, stride_B);
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

/* `at_B` bytes behind what p points to. */
static nir_ssa_def *
load_at(struct spv *s, const struct spv_pointer *p, unsigned n, int64_t at_B)
{
   const unsigned bits = p->type->bits;
   nir_builder *b = &s->nb;
   nir_ssa_def *place[2];

   if (!spv_is_in_buffer(p))
      return nir_load_global(b, n, bits, nir_iadd_imm(b, p->address, at_B),
                             .access = p->access, .align_mul = bits / 8);
   spv_buffer_place(s, p, place);
   return nir_load_ssbo(b, n, bits, place[0],
                        nir_iadd_imm(b, place[1], (uint64_t)at_B),
                        .access = p->access, .align_mul = bits / 8);
}

static void
store_at(struct spv *s, const struct spv_pointer *p, nir_ssa_def *value,
         int64_t at_B)
{
   const unsigned bits = value->bit_size;
   nir_builder *b = &s->nb;
   nir_ssa_def *place[2];

   if (!spv_is_in_buffer(p)) {
      nir_store_global(b, value, nir_iadd_imm(b, p->address, at_B),
                       .write_mask = BITFIELD_MASK(value->num_components),
                       .access = p->access, .align_mul = bits / 8);
      return;
   }
   spv_buffer_place(s, p, place);
   for (unsigned i = 0; i < value->num_components; i++)
      nir_store_ssbo(
         b, nir_channel(b, value, i), place[0],
         nir_iadd_imm(b, place[1], (uint64_t)at_B + i * (bits / 8)),
         .write_mask = 1, .access = p->access, .align_mul = bits / 8);
}

nir_ssa_def *
spv_physical_load(struct spv *s, const struct spv_pointer *p)
{
   const unsigned n = spv_components(p->type);
   nir_ssa_def *parts[4];

   spv_check(s, p->type->bits >= 8, "%s: a value without a layout", here(s));
   if (!is_strided(p))
      return load_at(s, p, n, 0);
   for (unsigned i = 0; i < n; i++)
      parts[i] = load_at(s, p, 1, (int64_t)i * p->stride_B);
   return nir_vec(&s->nb, parts, n);
}

void
spv_physical_store(struct spv *s, const struct spv_pointer *p,
                   nir_ssa_def *value)
{
   spv_check(s, value->bit_size >= 8, "%s: a value without a layout",
             here(s));
   s->shader->info.writes_memory = true;
   if (!is_strided(p)) {
      store_at(s, p, value, 0);
      return;
   }
   for (unsigned i = 0; i < value->num_components; i++)
      store_at(s, p, nir_channel(&s->nb, value, i), (int64_t)i * p->stride_B);
}

/* ---- storage buffers ---- */

void
spv_buffer_place(struct spv *s, const struct spv_pointer *p,
                 nir_ssa_def *place[2])
{
   place[0] = nir_unpack_64_2x32_split_y(&s->nb, p->address);
   place[1] = nir_unpack_64_2x32_split_x(&s->nb, p->address);
}

/* The components of what such a pointer points to may lie apart, which the
 * number does not say. */
static void
check_touching(struct spv *s, const struct spv_pointer *p)
{
   const struct spv_type *t = p->var->type;

   for (unsigned i = 0; i < p->length; i++) {
      if (t->base == SPV_MATRIX && glsl_matrix_type_is_row_major(t->glsl) &&
          i + 1 == p->length)
         spv_unsupported(s, "%s: a column of a row-major matrix as a value",
                         here(s));
      t = t->base == SPV_STRUCT ? t->members[p->chain[i].literal] : t->elem;
   }
}

nir_ssa_def *
spv_buffer_pointer(struct spv *s, const struct spv_pointer *p)
{
   check_touching(s, p);
   return nir_buffer_pointer(&s->nb, &spv_deref(s, p)->dest.ssa);
}

/* Of the run-time array that p points to: what the buffer has behind it. */
nir_ssa_def *
spv_physical_array_length(struct spv *s, const struct spv_pointer *p)
{
   nir_builder *b = &s->nb;
   nir_ssa_def *place[2];

   if (!spv_is_in_buffer(p))
      spv_unsupported(s, "OpArrayLength of anything but a storage buffer");
   spv_buffer_place(s, p, place);
   nir_ssa_def *size = nir_get_ssbo_size(b, place[0], .access = p->access);
   return nir_udiv(b, nir_usub_sat(b, size, place[1]),
                   nir_imm_int(b, (int)p->type->array_stride));
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

   const struct spv_type *pointer = to_pointer ? t : from;
   const struct spv_type *number = to_pointer ? from : t;
   spv_check(s,
             pointer->base == SPV_POINTER && number->base == SPV_INT &&
                pointer->storage == SpvStorageClassPhysicalStorageBuffer,
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
   struct spv_type *t = spv_value_type(s, w[3]);
   struct spv_pointer *p = spv_get_pointer(s, w[3]);
   nir_ssa_def *steps = spv_get_def(s, w[4]);
   const struct spv_type *index = spv_value_type(s, w[4]);

   spv_check(s, index->base == SPV_INT && t->array_stride != 0,
             "%s: no integer, or a pointer without ArrayStride (3.49.8)",
             here(s));
   p = p->address ? arena_memdup(s->arena, p, sizeof(*p))
                  : spv_physical_pointer(s, t, spv_get_def(s, w[3]));
   if (spv_is_in_buffer(p))
      p->address = add_bytes(s, p, nir_i2i32(&s->nb, steps), t->array_stride);
   else
      p->address = nir_iadd(&s->nb, p->address,
                            nir_imul_imm(&s->nb, nir_i2i64(&s->nb, steps),
                                         t->array_stride));
   return p;
}

/* OpPtrEqual, OpPtrNotEqual, OpPtrDiff. */
static bool
compare(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   nir_builder *b = &s->nb;

   if (!is_address_id(s, w[3]) || !is_address_id(s, w[4]))
      return false;
   struct spv_type *t = spv_get_type(s, w[1]);
   nir_ssa_def *x = spv_get_def(s, w[3]), *y = spv_get_def(s, w[4]), *def;
   if (op == SpvOpPtrDiff) {
      const uint32_t stride_B = spv_value_type(s, w[3])->array_stride;
      spv_check(s, t->base == SPV_INT && stride_B,
                "OpPtrDiff: no integer, or a pointer without ArrayStride "
                "(3.49.8)");
      def = nir_isub(b, nir_unpack_64_2x32_split_x(b, x),
                     nir_unpack_64_2x32_split_x(b, y));
      def = nir_idiv(b, def, nir_imm_int(b, (int)stride_B));
      spv_set_def(s, t, w[2], nir_i2iN(b, def, t->bits));
      return true;
   }
   spv_check(s, t->base == SPV_BOOL, "%s: the result is not bool (3.49.8)",
             here(s));
   spv_set_def(s, t, w[2],
               op == SpvOpPtrEqual ? nir_ieq(b, x, y) : nir_ine(b, x, y));
   return true;
}

bool
spv_handle_physical(struct spv *s, const uint32_t *w)
{
   switch (spv_opcode(w)) {
   case SpvOpPtrEqual:
   case SpvOpPtrNotEqual:
   case SpvOpPtrDiff: return compare(s, w);
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
