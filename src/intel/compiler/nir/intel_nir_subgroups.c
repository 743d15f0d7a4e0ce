/* SPDX-License-Identifier: MIT */
/*
 * Votes on equality: each value against the first invocation's, then a vote
 * of all. What is left for the back end are votes on booleans and the first
 * invocation's 32-bit (or boolean) values.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

/* Pieces of at most 32 bits, since an address register moves no more. */
static nir_ssa_def *
first_value(nir_builder *b, nir_ssa_def *v)
{
   if (v->bit_size != 64)
      return nir_read_first_invocation(b, 1, v);
   return nir_pack_64_2x32_split(
      b, nir_read_first_invocation(b, 1, nir_unpack_64_2x32_split_x(b, v)),
      nir_read_first_invocation(b, 1, nir_unpack_64_2x32_split_y(b, v)));
}

static bool
lower_vote(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *intr;
   nir_ssa_def *v, *same = NULL;

   if (instr->type != nir_instr_type_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   if (intr->intrinsic != nir_intrinsic_vote_ieq &&
       intr->intrinsic != nir_intrinsic_vote_feq)
      return false;
   b->cursor = nir_before_instr(instr);
   v = nir_ssa_for_src(b, intr->src[0], intr->num_components);
   for (unsigned c = 0; c < v->num_components; c++) {
      nir_ssa_def *x = nir_channel(b, v, c), *first = first_value(b, x);
      nir_ssa_def *eq = intr->intrinsic == nir_intrinsic_vote_feq
                           ? nir_feq(b, x, first) : nir_ieq(b, x, first);
      same = same ? nir_iand(b, same, eq) : eq;
   }
   nir_ssa_def_rewrite_uses(&intr->dest.ssa, nir_vote_all(b, 1, same));
   nir_instr_remove(instr);
   return true;
}

bool
intel_nir_lower_votes(nir_shader *nir)
{
   return nir_shader_instructions_pass(nir, lower_vote,
                                       nir_metadata_control_flow, NULL);
}
