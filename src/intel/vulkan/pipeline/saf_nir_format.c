/* SPDX-License-Identifier: MIT */
/*
 * Problem: Ivybridge's vertex fetcher has few formats of channels with 10 and
 * 2 bits, and none of three small integers; typed surface reads up to Gen8
 * know unsigned integers of few sizes (isl_storage_read_format()).
 *
 * Method: the shader gets the bits, as integers, and makes channels of them
 * by the layout of the format. Three integers come as the floats that they
 * are equal to.
 */
#include "saf_nir_format.h"

static nir_value *
sign_extended(nir_builder *b, nir_value *v, unsigned bits)
{
   if (bits == 32)
      return v;
   nir_value *shift = nir_imm_int(b, (int)(32 - bits));
   return nir_ishr(b, nir_ishl(b, v, shift), shift);
}

/* Of 10, 11 (no sign) and 16 bits, all with 5 bits of exponent. */
static nir_value *
small_float(nir_builder *b, nir_value *v, unsigned bits)
{
   if (bits < 16)
      v = nir_ishl_imm(b, v, 15 - bits);
   return nir_f2fN(b, nir_u2uN(b, v, 16), 32);
}

nir_value *
saf_nir_convert_channel(nir_builder *b, nir_value *v,
                        struct isl_channel_layout channel)
{
   const unsigned bits = channel.bits;
   switch (channel.type) {
   case ISL_UINT: return v;
   case ISL_SINT: return sign_extended(b, v, bits);
   case ISL_UFLOAT:
   case ISL_SFLOAT: return bits == 32 ? v : small_float(b, v, bits);
   case ISL_USCALED: return nir_u2fN(b, v, 32);
   case ISL_SSCALED: return nir_i2fN(b, sign_extended(b, v, bits), 32);
   case ISL_UNORM:
      return nir_fmul_imm(b, nir_u2fN(b, v, 32),
                          1.0 / (double)BITFIELD64_MASK(bits));
   case ISL_SNORM: {
      nir_value *f = nir_i2fN(b, sign_extended(b, v, bits), 32);
      /* The most negative value stands for -1, too. */
      return nir_fmax(
         b, nir_fmul_imm(b, f, 1.0 / (double)BITFIELD64_MASK(bits - 1)),
         nir_imm_float(b, -1.0f));
   }
   default: break;
   }
   unreachable("a channel of formats with storage or packed vertices");
}

struct isl_channel_layout
saf_nir_format_channel(enum isl_format format, unsigned c)
{
   const struct isl_format_layout *l = isl_format_get_layout(format);
   const struct isl_channel_layout channels[] = {
      l->channels.r,
      l->channels.g,
      l->channels.b,
      l->channels.a,
   };
   return channels[c];
}

nir_value *
saf_nir_missing_channel(nir_builder *b, enum isl_format format, unsigned c)
{
   if (c < 3)
      return nir_imm_int(b, 0);
   return isl_format_has_int_channel(format) ? nir_imm_int(b, 1)
                                             : nir_imm_float(b, 1.0f);
}

nir_value *
saf_nir_texel_channel(nir_builder *b, nir_value *const dwords[4],
                      enum isl_format format, unsigned c)
{
   const struct isl_channel_layout channel =
      saf_nir_format_channel(format, c);
   if (channel.bits == 0)
      return saf_nir_missing_channel(b, format, c);
   nir_value *v =
      nir_ushr_imm(b, dwords[channel.start_bit / 32], channel.start_bit % 32);
   if (channel.bits < 32)
      v = nir_iand_imm(b, v, BITFIELD64_MASK(channel.bits));
   return saf_nir_convert_channel(b, v, channel);
}

/* ---- vertex attributes ---- */

static bool
lower_input(nir_builder *b, nir_intrinsic_instr *intr,
            const enum isl_format *formats)
{
   const unsigned location = (unsigned)nir_intrinsic_base(intr);
   if (location >= SAF_MAX_VERTEX_ATTRIBS ||
       formats[location] == ISL_FORMAT_UNSUPPORTED)
      return true;
   if (!nir_use_is_const(intr->src[0])) {
      saf_error(VK_ERROR_UNKNOWN,
                "an array of vertex attributes in a format that this device "
                "does not fetch, with an index that is not constant");
      return false;
   }
   const enum isl_format format = formats[location];
   const bool is_packed = isl_format_get_layout(format)->bpb == 32;
   const unsigned first = nir_intrinsic_component(intr);
   const unsigned n = intr->instr.result.num_components;
   b->cursor = nir_before_instr(&intr->instr);
   nir_value *srcs[] = { intr->src[0].value };
   nir_intrinsic_instr *load = nir_build_intrinsic_begin(
      b, nir_intrinsic_load_input, is_packed ? 1 : n, 32, srcs);
   nir_intrinsic_copy_const_indices(load, intr);
   if (is_packed)
      nir_intrinsic_set_component(load, 0);
   nir_intrinsic_set_dest_type(load, is_packed ? nir_type_uint32
                                               : nir_type_float32);
   nir_emit(b, &load->instr);
   nir_value *dwords[4] = { &load->instr.result };
   nir_value *out[4];
   for (unsigned c = 0; c < n; c++) {
      if (is_packed)
         out[c] = saf_nir_texel_channel(b, dwords, format, first + c);
      else
         out[c] = nir_f2iN(b, nir_channel(b, &load->instr.result, c), 32);
   }
   nir_instr_replace(&intr->instr, nir_vec(b, out, n));
   return true;
}

bool
saf_nir_lower_vertex_formats(nir_shader *nir, const enum isl_format *formats)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   bool ok = true;
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         if (intr->intrinsic == nir_intrinsic_load_input)
            ok &= lower_input(&b, intr, formats);
      }
   }
   nir_metadata_preserve(impl,
                         nir_metadata_block_index | nir_metadata_dominance);
   return ok;
}
