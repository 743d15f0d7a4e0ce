/* SPDX-License-Identifier: MIT */
/* Facts of the operations that reductions and scans know. */
#include <math.h>

#include "compiler/nir/nir.h"

nir_const_value
nir_reduction_identity(nir_op op, unsigned bit_size)
{
   const uint64_t ones = BITFIELD64_MASK(bit_size);

   switch (op) {
   case nir_op_iadd:
   case nir_op_ior:
   case nir_op_ixor:
   case nir_op_umax: return nir_const_value_for_raw_uint(0, bit_size);
   case nir_op_imul: return nir_const_value_for_raw_uint(1, bit_size);
   case nir_op_iand:
   case nir_op_umin: return nir_const_value_for_raw_uint(ones, bit_size);
   case nir_op_imin: return nir_const_value_for_raw_uint(ones >> 1, bit_size);
   case nir_op_imax:
      return nir_const_value_for_raw_uint(ones ^ ones >> 1, bit_size);
   case nir_op_fadd: return nir_const_value_for_float(-0.0, bit_size);
   case nir_op_fmul: return nir_const_value_for_float(1.0, bit_size);
   case nir_op_fmin: return nir_const_value_for_float(INFINITY, bit_size);
   case nir_op_fmax: return nir_const_value_for_float(-INFINITY, bit_size);
   default: unreachable("no operation of reductions");
   }
}
