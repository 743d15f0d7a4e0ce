/* SPDX-License-Identifier: MIT */
/*
 * Problem: typed surface reads convert from few formats. Gen9 reads UINT,
 * SINT and FLOAT formats but neither normalised ones nor those with channels
 * of 10 and 11 bits (PRM SKL vol 5, "Memory Views", "Surface Formats"); typed
 * writes convert to all of them.
 *
 * Method: the driver binds such an image for reading with a format of
 * unsigned integers, of as many channels and bits, or of 32 bits for the
 * packed ones (isl_storage_read_format()); conversion is done here. Channels
 * that the format lacks read 0, 0, 0 and 1.
 *
 * Before: image_load names a format. After: what it returns is raw, and its
 * uses see what the shader wants.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

enum kind { UINT, SINT, FLOAT, UNORM, SNORM, PACKED };

struct image_format {
   uint8_t kind, channels, bits;
};

static const struct image_format formats[] = {
#define ROW(name, kind, channels, bits)                                      \
   [PIPE_FORMAT_##name] = { kind, channels, bits }
   ROW(R32G32B32A32_FLOAT, FLOAT, 4, 32),
   ROW(R16G16B16A16_FLOAT, FLOAT, 4, 16),
   ROW(R32G32_FLOAT, FLOAT, 2, 32),
   ROW(R16G16_FLOAT, FLOAT, 2, 16),
   ROW(R32_FLOAT, FLOAT, 1, 32),
   ROW(R16_FLOAT, FLOAT, 1, 16),
   ROW(R32G32B32A32_UINT, UINT, 4, 32),
   ROW(R16G16B16A16_UINT, UINT, 4, 16),
   ROW(R8G8B8A8_UINT, UINT, 4, 8),
   ROW(R32G32_UINT, UINT, 2, 32),
   ROW(R16G16_UINT, UINT, 2, 16),
   ROW(R8G8_UINT, UINT, 2, 8),
   ROW(R32_UINT, UINT, 1, 32),
   ROW(R16_UINT, UINT, 1, 16),
   ROW(R8_UINT, UINT, 1, 8),
   ROW(R32G32B32A32_SINT, SINT, 4, 32),
   ROW(R16G16B16A16_SINT, SINT, 4, 16),
   ROW(R8G8B8A8_SINT, SINT, 4, 8),
   ROW(R32G32_SINT, SINT, 2, 32),
   ROW(R16G16_SINT, SINT, 2, 16),
   ROW(R8G8_SINT, SINT, 2, 8),
   ROW(R32_SINT, SINT, 1, 32),
   ROW(R16_SINT, SINT, 1, 16),
   ROW(R8_SINT, SINT, 1, 8),
   ROW(R16G16B16A16_UNORM, UNORM, 4, 16),
   ROW(R8G8B8A8_UNORM, UNORM, 4, 8),
   ROW(R16G16_UNORM, UNORM, 2, 16),
   ROW(R8G8_UNORM, UNORM, 2, 8),
   ROW(R16_UNORM, UNORM, 1, 16),
   ROW(R8_UNORM, UNORM, 1, 8),
   ROW(R16G16B16A16_SNORM, SNORM, 4, 16),
   ROW(R8G8B8A8_SNORM, SNORM, 4, 8),
   ROW(R16G16_SNORM, SNORM, 2, 16),
   ROW(R8G8_SNORM, SNORM, 2, 8),
   ROW(R16_SNORM, SNORM, 1, 16),
   ROW(R8_SNORM, SNORM, 1, 8),
   ROW(R10G10B10A2_UNORM, PACKED, 4, 0),
   ROW(R10G10B10A2_UINT, PACKED, 4, 0),
   ROW(R11G11B10_FLOAT, PACKED, 3, 0),
#undef ROW
};

static nir_value *
bit_field(nir_builder *b, nir_value *v, unsigned first, unsigned bits)
{
   return nir_iand_imm(b, nir_ushr_imm(b, v, first), BITFIELD64_MASK(bits));
}

static nir_value *
from_unorm(nir_builder *b, nir_value *v, unsigned bits)
{
   return nir_fmul_imm(b, nir_u2fN(b, v, 32),
                       1.0 / (double)BITFIELD64_MASK(bits));
}

/* The most negative value stands for -1, too. */
static nir_value *
from_snorm(nir_builder *b, nir_value *v, unsigned bits)
{
   nir_value *shift = nir_imm_int(b, (int)(32 - bits));
   nir_value *i = nir_ishr(b, nir_ishl(b, v, shift), shift);
   nir_value *f = nir_fmul_imm(b, nir_i2fN(b, i, 32),
                               1.0 / (double)BITFIELD64_MASK(bits - 1));
   return nir_fmax(b, f, nir_imm_float(b, -1.0f));
}

/* Unsigned floats of 5 bits of exponent, as a half has: only the mantissa
 * is shorter, and there is no sign. */
static nir_value *
from_small_float(nir_builder *b, nir_value *v, unsigned bits)
{
   nir_value *half = nir_ishl(b, v, nir_imm_int(b, (int)(15 - bits)));
   return nir_f2fN(b, nir_u2uN(b, half, 16), 32);
}

static void
unpack(nir_builder *b, nir_value *word, enum pipe_format format,
       nir_value *out[4])
{
   static const uint8_t first[] = { 0, 10, 20, 30 },
                        bits[] = { 10, 10, 10, 2 };

   if (format == PIPE_FORMAT_R11G11B10_FLOAT) {
      out[0] = from_small_float(b, bit_field(b, word, 0, 11), 11);
      out[1] = from_small_float(b, bit_field(b, word, 11, 11), 11);
      out[2] = from_small_float(b, bit_field(b, word, 22, 10), 10);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      out[c] = bit_field(b, word, first[c], bits[c]);
      if (format == PIPE_FORMAT_R10G10B10A2_UNORM)
         out[c] = from_unorm(b, out[c], bits[c]);
   }
}

static bool
is_integer(const struct image_format *f, enum pipe_format format)
{
   return f->kind == UINT || f->kind == SINT ||
          format == PIPE_FORMAT_R10G10B10A2_UINT;
}

static bool
lower_load(nir_builder *b, nir_intrinsic_instr *load)
{
   const enum pipe_format format = nir_intrinsic_format(load);
   const unsigned comps = load->instr.result.num_components;

   if ((unsigned)format >= ARRAY_SIZE(formats) || !formats[format].channels)
      return false; /* the back end says so */
   const struct image_format *f = &formats[format];
   nir_value *raw = &load->instr.result;
   nir_value *out[4] = { NULL };

   b->cursor = nir_after_instr(&load->instr);
   if (f->kind == PACKED)
      unpack(b, nir_channel(b, raw, 0), format, out);
   for (unsigned c = 0; c < comps && c < 4; c++) {
      if (f->kind == PACKED && c < f->channels)
         continue;
      if (c >= f->channels) {
         out[c] = nir_imm_int(b, 0);
         if (c == 3)
            out[c] = is_integer(f, format) ? nir_imm_int(b, 1)
                                           : nir_imm_float(b, 1.0f);
         continue;
      }
      out[c] = nir_channel(b, raw, c);
      if (f->kind == UNORM)
         out[c] = from_unorm(b, out[c], f->bits);
      else if (f->kind == SNORM)
         out[c] = from_snorm(b, out[c], f->bits);
   }
   nir_value *value = nir_vec(b, out, comps);
   nir_value_replace_after(raw, value, value->instr);
   return true;
}

bool
intel_nir_lower_storage_image(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   bool progress = false;

   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         if (intr->intrinsic == nir_intrinsic_image_load)
            progress |= lower_load(&b, intr);
      }
   }
   if (progress)
      nir_metadata_preserve(impl, nir_metadata_block_index |
                                     nir_metadata_dominance);
   return progress;
}
