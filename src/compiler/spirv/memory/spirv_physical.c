/* SPDX-License-Identifier: MIT */
/*
 * Pointers that are numbers of 64 bits. A step along a chain is added where
 * it is taken, by the layout that the types have.
 *
 * Those of class PhysicalStorageBuffer (SPV_KHR_physical_storage_buffer) are
 * addresses, which memory may hold; what is loaded and stored are
 * load_global and store_global of NIR.
 *
 * Those of classes StorageBuffer and Workgroup are numbers where control
 * flow, variables or OpPtrAccessChain make them (SPV_KHR_variable_pointers):
 * the lower half is a byte offset, the upper half what *_ssbo of NIR know
 * the buffer by, or 1 in the workgroup's memory, so that no such pointer is
 * null. Steps wrap within the offset: a pointer never leaves its buffer. Any
 * channel may have another one, and two of them may point to the same place.
 *
 * Of types in Workgroup memory that the module gives no layout, the layout
 * is that of nir_lower_vars_to_explicit_types() with natural alignments,
 * which is whose variables the numbers lead to.
 */
#include "compiler/spirv/spirv_private.h"

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

static bool
has_place(const struct spv_pointer *p)
{
   return p->var->storage != SpvStorageClassPhysicalStorageBuffer;
}

static bool
is_natural(const struct spv *s, const struct spv_type *pointer)
{
   return pointer->storage == SpvStorageClassWorkgroup &&
          !s->has_shared_blocks;
}

/* In memory; `*stride_B`: bytes from one to the next in an array. */
static const struct glsl_type *
layout_of_pointee(const struct spv *s, const struct spv_type *pointer,
                  uint32_t *stride_B)
{
   const struct glsl_type *layout = pointer->elem->glsl;
   unsigned size_B, align_B;

   *stride_B = pointer->array_stride;
   if (is_natural(s, pointer)) {
      layout = glsl_get_explicit_type_for_size_align(
         layout, glsl_get_natural_size_align_bytes, &size_B, &align_B);
      *stride_B = ALIGN_NPOT(size_B, align_B);
   }
   return layout;
}

struct spv_pointer *
spv_physical_pointer(struct spv *s, struct spv_type *type, nir_value *address)
{
   struct spv_pointer *p = arena_new(s->arena, struct spv_pointer);
   uint32_t stride_B;

   p->var = arena_new(s->arena, struct spv_variable);
   p->var->type = p->type = type->elem;
   p->var->storage = type->storage;
   spv_init_decor(&p->var->decor);
   p->address = address;
   p->layout = layout_of_pointee(s, type, &stride_B);
   if (spv_is_in_buffer(p))
      p->access = ACCESS_NON_UNIFORM | ACCESS_COHERENT | ACCESS_VOLATILE;
   return p;
}

unsigned
spv_place(struct spv *s, const struct spv_pointer *p, nir_value *place[2])
{
   unsigned n = 0;

   if (!has_place(p)) {
      place[n++] = p->address;
      return n;
   }
   if (spv_is_in_buffer(p))
      place[n++] = nir_unpack_64_2x32_split_y(&s->nb, p->address);
   place[n++] = nir_unpack_64_2x32_split_x(&s->nb, p->address);
   return n;
}

/* `index` (NULL: 1) times so many bytes further on. */
static nir_value *
add_bytes(struct spv *s, const struct spv_pointer *p, nir_value *index,
          int64_t step_B)
{
   nir_builder *b = &s->nb;

   if (has_place(p)) {
      nir_value *step = index ? nir_imul_imm(b, index, (uint32_t)step_B)
                              : nir_imm_int(b, (int)step_B);
      return nir_pack_64_2x32_split(
         b, nir_iadd(b, nir_unpack_64_2x32_split_x(b, p->address), step),
         nir_unpack_64_2x32_split_y(b, p->address));
   }
   if (!index)
      return nir_iadd_imm(b, p->address, step_B);
   return nir_iadd(b, p->address,
                   nir_imul_2x32_64(b, index, nir_imm_int(b, (int)step_B)));
}

static nir_value *
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

static bool
is_array_of_buffers(const struct spv_pointer *p, const struct spv_type *t)
{
   return spv_is_in_buffer(p) && t->elem->base == SPV_STRUCT &&
          t->elem->block;
}

/* One of an array of buffers: their names are consecutive. */
static nir_value *
add_buffers(struct spv *s, const struct spv_pointer *p,
            const struct spv_link *link)
{
   nir_builder *b = &s->nb;
   nir_value *index = link->index ? link->index
                                  : nir_imm_int(b, (int)link->literal);

   return nir_pack_64_2x32_split(
      b, nir_unpack_64_2x32_split_x(b, p->address),
      nir_iadd(b, nir_unpack_64_2x32_split_y(b, p->address), index));
}

/* The address one step into `t`; p's stride is that of t's components, if t
 * is a vector, and becomes that of the result's. */
static struct spv_type *
step(struct spv *s, struct spv_pointer *p, struct spv_type *t,
     const struct spv_link *link)
{
   const struct glsl_type *layout = p->layout;
   const unsigned component_B = t->bits == 1 ? 4 : t->bits / 8;
   uint32_t stride_B = glsl_get_explicit_stride(layout);
   int offset_B;

   p->element_B =
      t->base == SPV_ARRAY && !is_array_of_buffers(p, t) ? stride_B : 0;
   switch (t->base) {
   case SPV_STRUCT:
      offset_B = glsl_get_struct_field_offset(layout, link->literal);
      spv_check(s, offset_B >= 0, "%s: a struct in memory without offsets",
                here(s));
      p->address = add_bytes(s, p, NULL, offset_B);
      p->layout = glsl_get_struct_field(layout, link->literal);
      return t->members[link->literal];
   case SPV_ARRAY:
      p->address = is_array_of_buffers(p, t)
                      ? add_buffers(s, p, link)
                      : add_steps(s, p, link, stride_B);
      p->layout = glsl_get_array_element(layout);
      return t->elem;
   case SPV_MATRIX:
      if (glsl_matrix_type_is_row_major(layout)) {
         p->address = add_steps(s, p, link, component_B);
         p->stride_B = stride_B;
      } else {
         p->address = add_steps(s, p, link, stride_B);
      }
      p->layout = t->elem->glsl;
      return t->elem;
   case SPV_VECTOR:
      stride_B = p->stride_B ? p->stride_B : component_B;
      p->address = add_steps(s, p, link, stride_B);
      p->stride_B = 0;
      p->layout = t->elem->glsl;
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
static nir_value *
load_at(struct spv *s, const struct spv_pointer *p, unsigned n, unsigned bits,
        int64_t at_B)
{
   nir_builder *b = &s->nb;
   nir_value *place[2];
   const unsigned last = spv_place(s, p, place) - 1;
   nir_value *at = nir_iadd_imm(b, place[last], (uint64_t)at_B);

   switch (p->var->storage) {
   case SpvStorageClassStorageBuffer:
      return nir_load_ssbo(b, n, bits, place[0], at, .access = p->access,
                           .align_mul = bits / 8);
   case SpvStorageClassWorkgroup:
      return nir_load_shared(b, n, bits, at, .align_mul = bits / 8);
   default:
      return nir_load_global(b, n, bits, at, .access = p->access,
                             .align_mul = bits / 8);
   }
}

static void
store_at(struct spv *s, const struct spv_pointer *p, nir_value *value,
         int64_t at_B)
{
   const unsigned bits = value->bit_size;
   nir_builder *b = &s->nb;
   nir_value *place[2];
   const unsigned last = spv_place(s, p, place) - 1;
   nir_value *at = nir_iadd_imm(b, place[last], (uint64_t)at_B);
   const unsigned mask = BITFIELD_MASK(value->num_components);

   switch (p->var->storage) {
   case SpvStorageClassStorageBuffer:
      for (unsigned i = 0; i < value->num_components; i++)
         nir_store_ssbo(b, nir_channel(b, value, i), place[0],
                        nir_iadd_imm(b, at, i * (bits / 8)), .write_mask = 1,
                        .access = p->access, .align_mul = bits / 8);
      break;
   case SpvStorageClassWorkgroup:
      nir_store_shared(b, value, at, .write_mask = mask,
                       .align_mul = bits / 8);
      break;
   default:
      nir_store_global(b, value, at, .write_mask = mask, .access = p->access,
                       .align_mul = bits / 8);
   }
}

/* Booleans have 32 bits in Workgroup memory, and no layout elsewhere. */
static unsigned
bits_in_memory(struct spv *s, const struct spv_pointer *p, unsigned bits)
{
   if (bits == 1 && p->var->storage == SpvStorageClassWorkgroup)
      return 32;
   spv_check(s, bits >= 8, "%s: a value without a layout", here(s));
   return bits;
}

nir_value *
spv_physical_load(struct spv *s, const struct spv_pointer *p)
{
   const unsigned bits = bits_in_memory(s, p, p->type->bits);
   const unsigned n = spv_components(p->type);
   nir_value *parts[4], *def;

   if (!is_strided(p)) {
      def = load_at(s, p, n, bits, 0);
      return p->type->bits == 1 ? nir_ine_imm(&s->nb, def, 0) : def;
   }
   for (unsigned i = 0; i < n; i++)
      parts[i] = load_at(s, p, 1, bits, (int64_t)i * p->stride_B);
   return nir_vec(&s->nb, parts, n);
}

void
spv_physical_store(struct spv *s, const struct spv_pointer *p,
                   nir_value *value)
{
   if (bits_in_memory(s, p, value->bit_size) != value->bit_size)
      value = nir_b2iN(&s->nb, value, 32);
   s->shader->info.writes_memory = true;
   if (!is_strided(p)) {
      store_at(s, p, value, 0);
      return;
   }
   for (unsigned i = 0; i < value->num_components; i++)
      store_at(s, p, nir_channel(&s->nb, value, i), (int64_t)i * p->stride_B);
}

/* ---- pointers as values ---- */

/* Its components lie apart, which a number does not say. */
static void
refuse_column(struct spv *s)
{
   spv_unsupported(s, "%s: a column of a row-major matrix as a value",
                   here(s));
}

static void
check_touching(struct spv *s, const struct spv_pointer *p)
{
   const struct spv_type *t = p->var->type;

   for (unsigned i = 0; i < p->length; i++) {
      if (t->base == SPV_MATRIX && glsl_matrix_type_is_row_major(t->glsl) &&
          i + 1 == p->length)
         refuse_column(s);
      t = t->base == SPV_STRUCT ? t->members[p->chain[i].literal] : t->elem;
   }
}

nir_value *
spv_pointer_number(struct spv *s, const struct spv_pointer *p)
{
   if (p->address) {
      if (is_strided(p))
         refuse_column(s);
      return p->address;
   }
   check_touching(s, p);
   return nir_buffer_pointer(&s->nb, &spv_deref(s, p)->instr.result);
}

/* Of the run-time array that p points to: what the buffer has behind it. */
nir_value *
spv_physical_array_length(struct spv *s, const struct spv_pointer *p)
{
   nir_builder *b = &s->nb;
   nir_value *place[2];

   if (!spv_is_in_buffer(p))
      spv_unsupported(s, "OpArrayLength of anything but a storage buffer");
   (void)spv_place(s, p, place);
   nir_value *size = nir_get_ssbo_size(b, place[0], .access = p->access);
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
   const struct spv_type *sides[] = { t, from };
   nir_value *def;

   /* What logical pointers may be made by is a list, without this one. */
   for (unsigned i = 0; i < 2; i++)
      spv_check(s,
                sides[i]->base != SPV_POINTER ||
                   sides[i]->storage == SpvStorageClassPhysicalStorageBuffer,
                "OpBitcast: a pointer of class %s (2.16.1)",
                spirv_enumerant_name(spirv_enum_StorageClass,
                                     sides[i]->storage));
   spv_check(s,
             t->bits * spv_components(t) == 64 &&
                from->bits * spv_components(from) == 64,
             "OpBitcast: a pointer and what has not its 64 bits (3.49.11)");
   def = spv_get_def(s, w[3]);
   spv_set_def(s, t, w[2],
               t->bits == from->bits
                  ? nir_mov(&s->nb, def)
                  : nir_bitcast_vector(&s->nb, def, t->bits));
}

/* Bytes between the elements of the array that a pointer points into. */
static uint32_t
array_stride(struct spv *s, const struct spv_type *pointer)
{
   uint32_t stride_B;

   (void)layout_of_pointee(s, pointer, &stride_B);
   spv_check(s, stride_B != 0, "%s: a pointer without ArrayStride (3.49.8)",
             here(s));
   return stride_B;
}

/* Bytes from p to the next element of an array that it is an element of; 0:
 * it is not known as one. */
static uint32_t
element_stride(const struct spv_pointer *p)
{
   const struct spv_type *t = p->var->type;

   if (p->address)
      return p->element_B;
   for (unsigned i = 0; i + 1 < p->length; i++)
      t = t->base == SPV_STRUCT ? t->members[p->chain[i].literal] : t->elem;
   return p->length && t->base == SPV_ARRAY
             ? glsl_get_explicit_stride(t->glsl)
             : 0;
}

/* Where the type of the operands has no stride, one of them may be known as
 * an element of an array. */
static uint32_t
common_stride(struct spv *s, const uint32_t *w)
{
   for (unsigned i = 3; i < 5; i++) {
      const struct spv_value *v = spv_untyped_value(s, w[i]);

      if (!v->type->array_stride && v->kind == SPV_VALUE_POINTER &&
          element_stride(v->pointer))
         return element_stride(v->pointer);
   }
   return array_stride(s, spv_value_type(s, w[3]));
}

/* The pointer `element` further on in the array that it points into. */
static struct spv_pointer *
advance(struct spv *s, const uint32_t *w)
{
   struct spv_type *t = spv_value_type(s, w[3]);
   const uint32_t stride_B = array_stride(s, t);
   struct spv_pointer *p = spv_get_pointer(s, w[3]);
   nir_value *steps = spv_get_def(s, w[4]);

   spv_check(s, spv_value_type(s, w[4])->base == SPV_INT,
             "%s: the element is no integer (3.49.8)", here(s));
   p = p->address ? arena_memdup(s->arena, p, sizeof(*p))
                  : spv_physical_pointer(s, t, spv_get_def(s, w[3]));
   if (has_place(p))
      p->address = add_bytes(s, p, nir_i2i32(&s->nb, steps), stride_B);
   else
      p->address =
         nir_iadd(&s->nb, p->address,
                  nir_imul_imm(&s->nb, nir_i2i64(&s->nb, steps), stride_B));
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
   const struct spv_type *pointer = spv_value_type(s, w[3]);
   spv_check(s, pointer->storage != SpvStorageClassPhysicalStorageBuffer,
             "%s: pointers of class PhysicalStorageBuffer "
             "(SPV_KHR_physical_storage_buffer)",
             here(s));
   spv_check(s, spv_same_type(pointer, spv_value_type(s, w[4])),
             "%s: the pointers have different types (3.49.8)", here(s));
   struct spv_type *t = spv_get_type(s, w[1]);
   nir_value *x = spv_get_def(s, w[3]), *y = spv_get_def(s, w[4]), *def;
   if (op == SpvOpPtrDiff) {
      spv_check(s, t->base == SPV_INT,
                "OpPtrDiff: the result is no integer (3.49.8)");
      /* Both are in one array (3.49.8), and so in one buffer, all offsets
       * into which are less than 2^31. */
      def = nir_isub(b, nir_unpack_64_2x32_split_x(b, x),
                     nir_unpack_64_2x32_split_x(b, y));
      def = nir_idiv(b, def, nir_imm_int(b, (int)common_stride(s, w)));
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
