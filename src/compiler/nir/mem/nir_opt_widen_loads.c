/* SPDX-License-Identifier: MIT */
/*
 * Loads of 8 and 16 bits whose place in a dword is known become loads of that
 * dword: one message for all that lies in it, and vectors of dwords once
 * nir_opt_merge_loads has run.
 *
 * Before: SSA, offsets in bytes, of which nir_opt_linear_offsets has made
 * sums with the same base where they are. Bytes beside those that are asked
 * for are read, too: buffers end at a multiple of four bytes, as far as
 * bounds are checked (robustStorageBufferAccessSizeAlignment). No vector is
 * read that may lie on both sides of 2^32. Uniform blocks that are known, at
 * constant offsets, are left alone, as by nir_opt_merge_loads. Cost: linear.
 */
#include "nir_access.h"

#include "util/macros.h"

/* The value at byte `at_B` of some dwords. */
static nir_value *
part_of(nir_builder *b, nir_value *dwords, unsigned at_B, unsigned value_B)
{
   nir_value *dword = nir_channel(b, dwords, at_B / 4);

   if (value_B == 1)
      return nir_u2u8(b, nir_ushr_imm(b, dword, 8 * (at_B % 4)));
   return at_B % 4 ? nir_unpack_32_2x16_split_y(b, dword)
                   : nir_unpack_32_2x16_split_x(b, dword);
}

static bool
may_be_wider(const struct nir_access *a)
{
   return !a->is_store && nir_access_may_widen(a) &&
          !nir_access_is_fixed_uniform(a);
}

static bool
widen(nir_builder *b, nir_intrinsic_instr *intr)
{
   nir_value *parts[NIR_MAX_VEC_COMPONENTS];
   struct nir_access a;
   unsigned phase_B;

   if (!nir_access_describe(intr, &a) || !may_be_wider(&a) ||
       !nir_access_phase(&a, &phase_B) || phase_B % a.value_B)
      return false;
   const unsigned bytes = phase_B + nir_access_size_B(&a);
   const unsigned dwords = DIV_ROUND_UP(bytes, 4);
   const int64_t from_B = a.offset_B - phase_B;
   if (4 * dwords > NIR_ACCESS_MAX_B ||
       (dwords > 1 &&
        nir_access_may_wrap(b->shader, &a, from_B, from_B + 4 * dwords)))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_intrinsic_instr *load =
      nir_access_build_load(b, &a, from_B, dwords, 32);
   nir_intrinsic_set_align(load, MAX2(4, nir_intrinsic_align_mul(intr)),
                           nir_intrinsic_align_offset(intr) & ~3u);
   for (unsigned i = 0; i < intr->num_components; i++)
      parts[i] =
         part_of(b, &load->instr.result, phase_B + i * a.value_B, a.value_B);
   nir_value_replace(&intr->instr.result,
                     nir_vec(b, parts, intr->num_components));
   nir_instr_remove(&intr->instr);
   return true;
}

static bool
run_block(nir_builder *b, nir_block *block, void *unused)
{
   bool progress = false;

   nir_foreach_instr_safe(instr, block) {
      nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
      progress |= intr && widen(b, intr);
   }
   return progress;
}

bool
nir_opt_widen_loads(nir_shader *shader)
{
   return nir_access_run_blocks(shader, run_block, NULL);
}
