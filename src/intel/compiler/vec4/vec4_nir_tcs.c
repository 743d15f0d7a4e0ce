/* SPDX-License-Identifier: MIT */
/*
 * Tessellation control shaders, SIMD4x2: two invocations a thread, all of one
 * patch (single patch; PRM HSW vol 7, "HS Thread Payload"). The payload is
 * that of fs_nir_tcs.c, which does the work.
 */
#include "vec4_nir.h"

bool
vec4_emit_tcs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   n->result = (eu_reg) { 0 };
   if (!fs_emit_tcs_intrinsic(n, intr))
      return false;
   if (!n->s->failed && nir_intrinsic_infos[intr->intrinsic].has_dest)
      vec4_take_result(vec4_of(n), &intr->instr.result);
   return true;
}
