/* SPDX-License-Identifier: MIT */
/* The extended instruction set OpenCL.std, as far as one operation of NIR or
 * a few are as exact as OpenCL wants (OpenCL C 3.0, 7.4). */
#include <spirv/unified1/OpenCL.std.h>
#include "compiler/spirv/kernel/spirv_kernel.h"

enum kind {
   FLOATS,
   INTS,
};

static const struct {
   uint16_t number;
   uint8_t operands, kind;
   nir_op op;
} rows[] = {
   { OpenCLstd_Ceil, 1, FLOATS, nir_op_fceil },
   { OpenCLstd_Fabs, 1, FLOATS, nir_op_fabs },
   { OpenCLstd_Floor, 1, FLOATS, nir_op_ffloor },
   { OpenCLstd_Fma, 3, FLOATS, nir_op_ffma },
   { OpenCLstd_Fmax, 2, FLOATS, nir_op_fmax },
   { OpenCLstd_FMax_common, 2, FLOATS, nir_op_fmax },
   { OpenCLstd_Fmin, 2, FLOATS, nir_op_fmin },
   { OpenCLstd_FMin_common, 2, FLOATS, nir_op_fmin },
   { OpenCLstd_Native_cos, 1, FLOATS, nir_op_fcos },
   { OpenCLstd_Native_divide, 2, FLOATS, nir_op_fdiv },
   { OpenCLstd_Native_exp2, 1, FLOATS, nir_op_fexp2 },
   { OpenCLstd_Native_log2, 1, FLOATS, nir_op_flog2 },
   { OpenCLstd_Native_powr, 2, FLOATS, nir_op_fpow },
   { OpenCLstd_Native_recip, 1, FLOATS, nir_op_frcp },
   { OpenCLstd_Native_rsqrt, 1, FLOATS, nir_op_frsq },
   { OpenCLstd_Native_sin, 1, FLOATS, nir_op_fsin },
   { OpenCLstd_Native_sqrt, 1, FLOATS, nir_op_fsqrt },
   { OpenCLstd_Rint, 1, FLOATS, nir_op_fround_even },
   { OpenCLstd_Rsqrt, 1, FLOATS, nir_op_frsq },
   { OpenCLstd_Sqrt, 1, FLOATS, nir_op_fsqrt },
   { OpenCLstd_Trunc, 1, FLOATS, nir_op_ftrunc },
   { OpenCLstd_SAbs, 1, INTS, nir_op_iabs },
   { OpenCLstd_SMax, 2, INTS, nir_op_imax },
   { OpenCLstd_SMin, 2, INTS, nir_op_imin },
   { OpenCLstd_SMul_hi, 2, INTS, nir_op_imul_high },
   { OpenCLstd_UMax, 2, INTS, nir_op_umax },
   { OpenCLstd_UMin, 2, INTS, nir_op_umin },
   { OpenCLstd_UMul_hi, 2, INTS, nir_op_umul_high },
};

static void
read_operands(struct spv *s, const uint32_t *w, const struct spv_type *t,
              enum kind kind, unsigned n, nir_value *x[3])
{
   spv_check(s, spv_count(w) == 5 + n,
             "OpenCL.std instruction %u has %u operands, not %u", w[4],
             spv_count(w) - 5, n);
   spv_check(s, spv_scalar(t)->base == (kind == INTS ? SPV_INT : SPV_FLOAT),
             "OpenCL.std instruction %u: the result has the wrong type",
             w[4]);
   for (unsigned i = 0; i < n; i++) {
      spv_check(s, spv_same_type(spv_value_type(s, w[5 + i]), t),
                "OpenCL.std instruction %u: operand %u has the wrong type",
                w[4], i);
      x[i] = spv_get_def(s, w[5 + i]);
   }
}

/* False: not known. */
static bool
of_several(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   nir_builder *b = &s->nb;
   nir_value *x[3], *r;
   const bool ints = w[4] == OpenCLstd_SClamp || w[4] == OpenCLstd_UClamp;

   switch (w[4]) {
   case OpenCLstd_FClamp:
   case OpenCLstd_Mad:
   case OpenCLstd_Mix:
   case OpenCLstd_SClamp:
   case OpenCLstd_UClamp: break;
   default: return false;
   }
   read_operands(s, w, t, ints ? INTS : FLOATS, 3, x);
   switch (w[4]) {
   case OpenCLstd_FClamp:
      r = nir_fmin(b, nir_fmax(b, x[0], x[1]), x[2]);
      break;
   case OpenCLstd_Mad: r = nir_fadd(b, nir_fmul(b, x[0], x[1]), x[2]); break;
   case OpenCLstd_Mix:
      r = nir_fadd(b, x[0], nir_fmul(b, nir_fsub(b, x[1], x[0]), x[2]));
      break;
   case OpenCLstd_SClamp:
      r = nir_imin(b, nir_imax(b, x[0], x[1]), x[2]);
      break;
   default: r = nir_umin(b, nir_umax(b, x[0], x[1]), x[2]); break;
   }
   spv_set_def(s, t, w[2], r);
   return true;
}

void
spv_handle_opencl(struct spv *s, const uint32_t *w)
{
   struct spv_type *t = spv_get_type(s, w[1]);
   nir_value *x[3] = { NULL, NULL, NULL };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].number != w[4])
         continue;
      read_operands(s, w, t, rows[i].kind, rows[i].operands, x);
      spv_set_def(s, t, w[2],
                  nir_build_alu(&s->nb, rows[i].op, x[0], x[1], x[2], NULL));
      return;
   }
   if (!of_several(s, w, t))
      spv_unsupported(s, "OpenCL.std instruction %u", w[4]);
}
