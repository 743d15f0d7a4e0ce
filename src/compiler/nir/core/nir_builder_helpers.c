/* SPDX-License-Identifier: MIT */
/* Builder helpers made of several instructions. */
#include "nir_builder.h"

#include "nir_private.h"

nir_value *
nir_mov_alu(nir_builder *build, nir_operand src, unsigned num_components)
{
   if (src.use.value->num_components == num_components) {
      bool identity = true;
      for (unsigned c = 0; c < num_components; c++)
         identity &= src.swizzle[c] == c;
      if (identity)
         return src.use.value;
   }
   nir_alu_instr *mov = nir_new_alu(build->shader, nir_op_mov);
   nir_set_result(&mov->instr, num_components, src.use.value->bit_size);
   mov->exact = build->exact;
   nir_operand_copy(&mov->src[0], &src);
   return nir_emit(build, &mov->instr);
}

nir_value *
nir_swizzle(nir_builder *build, nir_value *src, const unsigned *swiz,
            unsigned num_components)
{
   nir_operand alu = { .use = nir_use_of(src) };
   for (unsigned c = 0; c < num_components; c++) {
      assert(swiz[c] < src->num_components);
      alu.swizzle[c] = (uint8_t)swiz[c];
   }
   return nir_mov_alu(build, alu, num_components);
}

nir_value *
nir_channel(nir_builder *build, nir_value *def, unsigned c)
{
   return nir_swizzle(build, def, &c, 1);
}

nir_value *
nir_channels(nir_builder *build, nir_value *def, nir_component_mask_t mask)
{
   unsigned swiz[NIR_MAX_VEC_COMPONENTS], n = 0;
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
      if (mask & (1u << c))
         swiz[n++] = c;
   }
   return nir_swizzle(build, def, swiz, n);
}

nir_value *
nir_vec(nir_builder *build, nir_value **comp, unsigned num_components)
{
   if (num_components == 1)
      return nir_channel(build, comp[0], 0);
   return nir_build_alu_src_arr(build, nir_op_vec(num_components), comp);
}

nir_value *
nir_vec_scalars(nir_builder *build, nir_component *comp,
                unsigned num_components)
{
   nir_alu_instr *alu =
      nir_new_alu(build->shader, nir_op_vec(num_components));
   for (unsigned i = 0; i < num_components; i++) {
      alu->src[i].use = nir_use_of(comp[i].def);
      alu->src[i].swizzle[0] = (uint8_t)comp[i].comp;
   }
   alu->exact = build->exact;
   nir_set_result(&alu->instr, num_components, comp[0].def->bit_size);
   return nir_emit(build, &alu->instr);
}

nir_value *
nir_use_value(nir_builder *build, nir_use src, unsigned num_components)
{
   if (src.value->num_components == num_components)
      return src.value;
   nir_operand alu = { .use = src };
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++)
      alu.swizzle[c] = (uint8_t)c;
   return nir_mov_alu(build, alu, num_components);
}

nir_value *
nir_operand_value(nir_builder *build, nir_alu_instr *instr, unsigned srcn)
{
   return nir_mov_alu(build, instr->src[srcn],
                      nir_operand_components(instr, srcn));
}

nir_value *
nir_select_from_ssa_def_array(nir_builder *build, nir_value **arr,
                              unsigned arr_len, nir_value *idx)
{
   /* A tree of selects: log2(n) deep. */
   if (arr_len == 1)
      return arr[0];
   const unsigned mid = arr_len / 2;
   nir_value *lo = nir_select_from_ssa_def_array(build, arr, mid, idx);
   nir_value *at = nir_imm_intN_t(build, mid, idx->bit_size);
   /* The index counts from the start of the half. */
   nir_value *rest = nir_isub(build, idx, at);
   nir_value *hi =
      nir_select_from_ssa_def_array(build, arr + mid, arr_len - mid, rest);
   return nir_bcsel(build, nir_ilt(build, idx, at), lo, hi);
}

nir_value *
nir_vector_extract(nir_builder *build, nir_value *vec, nir_value *c)
{
   nir_use src = nir_use_of(c);
   if (nir_use_is_const(src)) {
      const uint64_t i = nir_use_as_uint(src);
      return i < vec->num_components ? nir_channel(build, vec, (unsigned)i)
                                     : nir_undef(build, 1, vec->bit_size);
   }
   const unsigned n = vec->num_components;
   nir_value *parts[NIR_MAX_VEC_COMPONENTS];
   for (unsigned k = 0; k < n; k++)
      parts[k] = nir_channel(build, vec, k);
   return nir_select_from_ssa_def_array(build, parts, n, c);
}

nir_value *
nir_vector_insert_imm(nir_builder *build, nir_value *vec, nir_value *scalar,
                      unsigned c)
{
   const unsigned n = vec->num_components;
   nir_component parts[NIR_MAX_VEC_COMPONENTS];
   for (unsigned k = 0; k < n; k++)
      parts[k] = k == c ? nir_component_of(scalar, 0)
                        : nir_component_of(vec, k);
   return nir_vec_scalars(build, parts, n);
}

nir_value *
nir_vector_insert(nir_builder *build, nir_value *vec, nir_value *scalar,
                  nir_value *c)
{
   nir_use src = nir_use_of(c);
   if (nir_use_is_const(src)) {
      const uint64_t i = nir_use_as_uint(src);
      return i < vec->num_components
                ? nir_vector_insert_imm(build, vec, scalar, (unsigned)i)
                : vec;
   }
   nir_const_value idx[NIR_MAX_VEC_COMPONENTS];
   for (unsigned i = 0; i < vec->num_components; i++)
      idx[i] = nir_const_value_for_uint(i, c->bit_size);
   nir_value *per =
      nir_build_imm(build, vec->num_components, c->bit_size, idx);
   return nir_bcsel(build, nir_ieq(build, per, c), scalar, vec);
}

nir_value *
nir_trim_vector(nir_builder *build, nir_value *src, unsigned num_components)
{
   assert(num_components <= src->num_components);
   if (num_components == src->num_components)
      return src;
   return nir_channels(build, src,
                       (nir_component_mask_t)BITFIELD_MASK(num_components));
}

static nir_value *
pad_with(nir_builder *build, nir_value *src, nir_value *pad,
         unsigned num_components)
{
   nir_component comps[NIR_MAX_VEC_COMPONENTS];
   for (unsigned i = 0; i < num_components; i++)
      comps[i] = i < src->num_components ? nir_component_of(src, i)
                                         : nir_component_of(pad, 0);
   return nir_vec_scalars(build, comps, num_components);
}

nir_value *
nir_pad_vector(nir_builder *build, nir_value *src, unsigned num_components)
{
   if (src->num_components == num_components)
      return src;
   return pad_with(build, src, nir_undef(build, 1, src->bit_size),
                   num_components);
}

nir_value *
nir_pad_vector_imm_int(nir_builder *build, nir_value *src, uint64_t imm,
                       unsigned num_components)
{
   if (src->num_components == num_components)
      return src;
   return pad_with(build, src, nir_imm_intN_t(build, imm, src->bit_size),
                   num_components);
}

/* --- Conversions -------------------------------------------------------- */

nir_op
nir_type_conversion_op(nir_alu_type src, nir_alu_type dst,
                       nir_rounding_mode rnd)
{
   const nir_alu_type s = nir_type_base(src);
   const nir_alu_type d = nir_type_base(dst);
   const unsigned bits = nir_type_bits(dst);
   const bool int_like = s != nir_type_float && s != nir_type_bool &&
                         d != nir_type_float && d != nir_type_bool;
   if (src == dst || (int_like && nir_type_bits(src) == bits))
      return nir_op_mov;

#define BY_SIZE(p)                                                           \
   switch (bits) {                                                           \
   case 8: return nir_op_##p##8;                                             \
   case 16: return nir_op_##p##16;                                           \
   case 32: return nir_op_##p##32;                                           \
   case 64: return nir_op_##p##64;                                           \
   case 1: return nir_op_##p##1;                                             \
   default: unreachable("bit size");                                         \
   }
#define BY_FLOAT_SIZE(p)                                                     \
   switch (bits) {                                                           \
   case 16: return nir_op_##p##16;                                           \
   case 32: return nir_op_##p##32;                                           \
   case 64: return nir_op_##p##64;                                           \
   default: unreachable("bit size");                                         \
   }
#define BY_BOOL_SIZE(p)                                                      \
   switch (bits) {                                                           \
   case 1: return nir_op_##p##1;                                             \
   case 8: return nir_op_##p##8;                                             \
   case 16: return nir_op_##p##16;                                           \
   case 32: return nir_op_##p##32;                                           \
   default: unreachable("bit size");                                         \
   }
   switch (d) {
   case nir_type_float:
      if (s == nir_type_float && bits == 16 && rnd == nir_rounding_mode_rtne)
         return nir_op_f2f16_rtne;
      if (s == nir_type_float && bits == 16 && rnd == nir_rounding_mode_rtz)
         return nir_op_f2f16_rtz;
      if (s == nir_type_float)
         BY_FLOAT_SIZE(f2f)
      if (s == nir_type_int)
         BY_FLOAT_SIZE(i2f)
      if (s == nir_type_uint)
         BY_FLOAT_SIZE(u2f)
      BY_FLOAT_SIZE(b2f)
   case nir_type_int:
   case nir_type_uint:
      if (s == nir_type_float && d == nir_type_int)
         BY_SIZE(f2i)
      if (s == nir_type_float)
         BY_SIZE(f2u)
      if (s == nir_type_int)
         BY_SIZE(i2i)
      if (s == nir_type_uint)
         BY_SIZE(u2u)
      BY_SIZE(b2i)
   case nir_type_bool:
      if (s == nir_type_float)
         BY_BOOL_SIZE(f2b)
      if (s == nir_type_bool)
         BY_BOOL_SIZE(b2b)
      BY_BOOL_SIZE(i2b)
   default: unreachable("base type");
   }
#undef BY_SIZE
#undef BY_FLOAT_SIZE
#undef BY_BOOL_SIZE
}

nir_value *
nir_type_convert(nir_builder *build, nir_value *src, nir_alu_type src_type,
                 nir_alu_type dest_type)
{
   nir_alu_type sized = nir_type_base(src_type) | src->bit_size;
   nir_op op =
      nir_type_conversion_op(sized, dest_type, nir_rounding_mode_undef);
   return op == nir_op_mov ? src : nir_build_alu1(build, op, src);
}

#define CONVERT(name, from, to)                                              \
   nir_value *nir_##name##N(nir_builder *build, nir_value *src,              \
                            unsigned bit_size)                               \
   {                                                                         \
      return nir_type_convert(build, src, from, to | bit_size);              \
   }
CONVERT(i2i, nir_type_int, nir_type_int)
CONVERT(u2u, nir_type_uint, nir_type_uint)
CONVERT(f2f, nir_type_float, nir_type_float)
CONVERT(b2i, nir_type_bool, nir_type_int)
CONVERT(i2f, nir_type_int, nir_type_float)
CONVERT(u2f, nir_type_uint, nir_type_float)
CONVERT(f2i, nir_type_float, nir_type_int)
#undef CONVERT

/* --- With an immediate -------------------------------------------------- */

void
nir_remove_as_zero(nir_builder *build, nir_intrinsic_instr *intr)
{
   if (nir_intrinsic_infos[intr->intrinsic].has_dest) {
      nir_value *def = &intr->instr.result;

      build->cursor = nir_before_instr(&intr->instr);
      nir_value_replace(def, nir_imm_zero(build, def->num_components,
                                          def->bit_size));
   }
   nir_instr_remove(&intr->instr);
}

nir_value *
nir_iadd_imm(nir_builder *build, nir_value *x, uint64_t y)
{
   y &= BITFIELD64_MASK(x->bit_size);
   return y == 0 ? x
                 : nir_iadd(build, x, nir_imm_intN_t(build, y, x->bit_size));
}

nir_value *
nir_imul_imm(nir_builder *build, nir_value *x, uint64_t y)
{
   y &= BITFIELD64_MASK(x->bit_size);
   if (y == 0)
      return nir_imm_zero(build, x->num_components, x->bit_size);
   if (y == 1)
      return x;
   if (util_is_power_of_two_nonzero(y))
      return nir_ishl_imm(build, x, util_logbase2(y));
   return nir_imul(build, x, nir_imm_intN_t(build, y, x->bit_size));
}

nir_value *
nir_iand_imm(nir_builder *build, nir_value *x, uint64_t y)
{
   const uint64_t mask = BITFIELD64_MASK(x->bit_size);
   y &= mask;
   if (y == mask)
      return x;
   return nir_iand(build, x, nir_imm_intN_t(build, y, x->bit_size));
}

nir_value *
nir_ior_imm(nir_builder *build, nir_value *x, uint64_t y)
{
   if (y == 0)
      return x;
   return nir_ior(build, x, nir_imm_intN_t(build, y, x->bit_size));
}

nir_value *
nir_ixor_imm(nir_builder *build, nir_value *x, uint64_t y)
{
   return nir_ixor(build, x, nir_imm_intN_t(build, y, x->bit_size));
}

#define SHIFT_IMM(name)                                                      \
   nir_value *nir_##name##_imm(nir_builder *build, nir_value *x, uint32_t y) \
   {                                                                         \
      return y == 0 ? x : nir_##name(build, x, nir_imm_int(build, (int)y));  \
   }
SHIFT_IMM(ishl)
SHIFT_IMM(ishr)
SHIFT_IMM(ushr)
#undef SHIFT_IMM

nir_value *
nir_udiv_imm(nir_builder *build, nir_value *x, uint64_t y)
{
   if (y == 1)
      return x;
   if (util_is_power_of_two_nonzero(y))
      return nir_ushr_imm(build, x, util_logbase2(y));
   return nir_udiv(build, x, nir_imm_intN_t(build, y, x->bit_size));
}

#define FLOAT_IMM(name)                                                      \
   nir_value *nir_##name##_imm(nir_builder *build, nir_value *x, double y)   \
   {                                                                         \
      nir_value *constant = nir_imm_floatN_t(build, y, x->bit_size);         \
      return nir_##name(build, x, constant);                                 \
   }

FLOAT_IMM(fadd)
FLOAT_IMM(fmul)
#undef FLOAT_IMM

#define COMPARE_IMM(name)                                                    \
   nir_value *nir_##name##_imm(nir_builder *build, nir_value *x, uint64_t y) \
   {                                                                         \
      return nir_##name(build, x, nir_imm_intN_t(build, y, x->bit_size));    \
   }
COMPARE_IMM(ieq)
COMPARE_IMM(ine)
COMPARE_IMM(ilt)
#undef COMPARE_IMM

/* --- Of vectors --------------------------------------------------------- */

nir_value *
nir_fdot(nir_builder *build, nir_value *a, nir_value *b)
{
   switch (a->num_components) {
   case 1: return nir_fmul(build, a, b);
   case 2: return nir_fdot2(build, a, b);
   case 3: return nir_fdot3(build, a, b);
   case 4: return nir_fdot4(build, a, b);
   case 5: return nir_fdot5(build, a, b);
   case 8: return nir_fdot8(build, a, b);
   case 16: return nir_fdot16(build, a, b);
   }
   unreachable("number of components");
}

nir_value *
nir_fclamp(nir_builder *b, nir_value *x, nir_value *lo, nir_value *hi)
{
   return nir_fmin(b, nir_fmax(b, x, lo), hi);
}

nir_value *
nir_iclamp(nir_builder *b, nir_value *x, nir_value *lo, nir_value *hi)
{
   return nir_imin(b, nir_imax(b, x, lo), hi);
}

nir_value *
nir_uclamp(nir_builder *b, nir_value *x, nir_value *lo, nir_value *hi)
{
   return nir_umin(b, nir_umax(b, x, lo), hi);
}

/* --- Bits between sizes ------------------------------------------------- */

nir_value *
nir_pack_bits(nir_builder *b, nir_value *src, unsigned dest_bit_size)
{
   assert(src->num_components * src->bit_size == dest_bit_size);
   if (dest_bit_size == 64 && src->bit_size == 32)
      return nir_pack_64_2x32(b, src);
   if (dest_bit_size == 64 && src->bit_size == 16)
      return nir_pack_64_4x16(b, src);
   if (dest_bit_size == 32 && src->bit_size == 16)
      return nir_pack_32_2x16(b, src);
   if (dest_bit_size == src->bit_size)
      return src;
   nir_value *packed = nir_imm_intN_t(b, 0, dest_bit_size);
   unsigned shift = 0;
   for (unsigned c = 0; c < src->num_components; c++) {
      nir_value *part = nir_u2uN(b, nir_channel(b, src, c), dest_bit_size);
      packed = nir_ior(b, packed, nir_ishl_imm(b, part, shift));
      shift += src->bit_size;
   }
   return packed;
}

nir_value *
nir_unpack_bits(nir_builder *b, nir_value *src, unsigned dest_bit_size)
{
   assert(src->num_components == 1 && src->bit_size >= dest_bit_size);
   if (src->bit_size == dest_bit_size)
      return src;
   if (src->bit_size == 64 && dest_bit_size == 32)
      return nir_unpack_64_2x32(b, src);
   if (src->bit_size == 64 && dest_bit_size == 16)
      return nir_unpack_64_4x16(b, src);
   if (src->bit_size == 32 && dest_bit_size == 16)
      return nir_unpack_32_2x16(b, src);
   nir_value *comps[NIR_MAX_VEC_COMPONENTS];
   const unsigned n = src->bit_size / dest_bit_size;
   for (unsigned i = 0; i < n; i++)
      comps[i] =
         nir_u2uN(b, nir_ushr_imm(b, src, i * dest_bit_size), dest_bit_size);
   return nir_vec(b, comps, n);
}

nir_value *
nir_extract_bits(nir_builder *b, nir_value **srcs, unsigned num_srcs,
                 unsigned first_bit, unsigned dest_num_components,
                 unsigned dest_bit_size)
{
   /* Cut all into pieces of a size that divides every boundary. */
   unsigned piece_bits = MIN2(dest_bit_size, srcs[0]->bit_size);
   for (unsigned i = 1; i < num_srcs; i++)
      piece_bits = MIN2(piece_bits, srcs[i]->bit_size);
   while (first_bit % piece_bits)
      piece_bits /= 2;
   assert(piece_bits >= 8);

   const unsigned per_dest = dest_bit_size / piece_bits;
   nir_value *out[NIR_MAX_VEC_COMPONENTS];
   for (unsigned d = 0; d < dest_num_components; d++) {
      nir_value *pieces[8];
      for (unsigned p = 0; p < per_dest; p++) {
         unsigned bit = first_bit + (d * per_dest + p) * piece_bits;
         unsigned s = 0;
         while (bit >= srcs[s]->bit_size * srcs[s]->num_components) {
            bit -= srcs[s]->bit_size * srcs[s]->num_components;
            s++;
            assert(s < num_srcs);
         }
         nir_value *c = nir_channel(b, srcs[s], bit / srcs[s]->bit_size);
         const unsigned sub = bit % srcs[s]->bit_size / piece_bits;
         pieces[p] =
            c->bit_size == piece_bits
               ? c
               : nir_channel(b, nir_unpack_bits(b, c, piece_bits), sub);
      }
      out[d] = per_dest == 1 ? pieces[0]
                             : nir_pack_bits(b, nir_vec(b, pieces, per_dest),
                                             dest_bit_size);
   }
   return nir_vec(b, out, dest_num_components);
}

nir_value *
nir_bitcast_vector(nir_builder *b, nir_value *src, unsigned dest_bit_size)
{
   const unsigned n = src->bit_size * src->num_components / dest_bit_size;
   return nir_extract_bits(b, &src, 1, 0, n, dest_bit_size);
}
