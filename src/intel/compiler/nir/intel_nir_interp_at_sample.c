/* SPDX-License-Identifier: MIT */
/*
 * Problem: the pixel interpolator takes a sample's number in its descriptor,
 * where it is the same for all channels; a shader may compute it.
 *
 * Method: a number that is not constant becomes the place of that sample,
 * from a table of the standard sample locations (Vulkan specification,
 * "Multisampling"), which the driver programs. They are in sixteenths of a
 * pixel, and relative to the centre each fits into four bits. Without
 * multisampling every sample is the pixel's centre.
 *
 * After: load_barycentric_at_sample has a constant source.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

/* x and y of each sample, from the upper left corner. */
/* clang-format off */
static const uint8_t locations[5][16][2] = {
   { { 8, 8 } },
   { { 12, 12 }, { 4, 4 } },
   { { 6, 2 }, { 14, 6 }, { 2, 10 }, { 10, 14 } },
   { { 9, 5 }, { 7, 11 }, { 13, 9 }, { 5, 3 }, { 3, 13 }, { 1, 7 },
     { 11, 15 }, { 15, 1 } },
   { { 9, 9 }, { 7, 5 }, { 5, 10 }, { 12, 7 }, { 3, 6 }, { 10, 13 },
     { 13, 11 }, { 11, 3 }, { 6, 14 }, { 8, 1 }, { 4, 2 }, { 2, 12 },
     { 0, 8 }, { 15, 4 }, { 14, 15 }, { 1, 0 } },
};
/* clang-format on */

/* Four bits for each of eight samples from `first` on. */
static uint32_t
packed(unsigned log2_samples, unsigned first, unsigned c)
{
   uint32_t bits = 0;

   for (unsigned i = 0; i < 8; i++)
      bits |= (uint32_t)((locations[log2_samples][first + i][c] - 8) & 15)
              << 4 * i;
   return bits;
}

static nir_value *
location(nir_builder *b, nir_value *sample, unsigned log2_samples, unsigned c)
{
   nir_value *table = nir_imm_int(b, (int)packed(log2_samples, 0, c));

   if (log2_samples > 3)
      table = nir_bcsel(b, nir_ult(b, sample, nir_imm_int(b, 8)), table,
                        nir_imm_int(b, (int)packed(log2_samples, 8, c)));
   nir_value *shift = nir_imul_imm(b, nir_iand_imm(b, sample, 7), 4);
   nir_value *top =
      nir_ishl(b, nir_ushr(b, table, shift), nir_imm_int(b, 28));
   nir_value *value = nir_ishr(b, top, nir_imm_int(b, 28));
   return nir_fmul_imm(b, nir_i2fN(b, value, 32), 1.0 / 16);
}

bool
intel_nir_lower_interp_at_sample(nir_shader *nir, unsigned samples)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   bool progress = false;

   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         if (intr->intrinsic != nir_intrinsic_load_barycentric_at_sample ||
             (samples > 1 && nir_use_is_const(intr->src[0])))
            continue;
         b.cursor = nir_before_instr(instr);
         const unsigned mode = nir_intrinsic_interp_mode(intr);
         nir_value *bary;
         if (samples <= 1) {
            bary = nir_load_barycentric(
               &b, nir_intrinsic_load_barycentric_pixel, mode);
         } else {
            const unsigned l = util_logbase2(samples);
            nir_value *s = nir_use_value(&b, intr->src[0], 1);
            nir_value *at =
               nir_vec2(&b, location(&b, s, l, 0), location(&b, s, l, 1));
            bary =
               nir_load_barycentric_at_offset(&b, at, .interp_mode = mode);
         }
         nir_instr_replace(&intr->instr, bary);
         progress = true;
      }
   }
   if (progress)
      nir_metadata_preserve(impl, nir_metadata_block_index |
                                     nir_metadata_dominance);
   return progress;
}
