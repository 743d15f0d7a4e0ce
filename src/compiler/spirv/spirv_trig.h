/* SPDX-License-Identifier: MIT */
/* Functions of GLSL.std.450 that NIR has no opcode for, as sequences at the
 * builder's cursor, of vectors of any size. */
#ifndef SPIRV_TRIG_H
#define SPIRV_TRIG_H

#include "compiler/nir/nir_builder.h"

nir_value *spv_build_atan(nir_builder *b, nir_value *x);
nir_value *spv_build_atan2(nir_builder *b, nir_value *y, nir_value *x);
nir_value *spv_build_asin(nir_builder *b, nir_value *x);
nir_value *spv_build_acos(nir_builder *b, nir_value *x);
nir_value *spv_build_exp(nir_builder *b, nir_value *x);
nir_value *spv_build_log(nir_builder *b, nir_value *x);
nir_value *spv_build_sinh(nir_builder *b, nir_value *x);
nir_value *spv_build_cosh(nir_builder *b, nir_value *x);
nir_value *spv_build_tanh(nir_builder *b, nir_value *x);
nir_value *spv_build_asinh(nir_builder *b, nir_value *x);
nir_value *spv_build_acosh(nir_builder *b, nir_value *x);
nir_value *spv_build_atanh(nir_builder *b, nir_value *x);

#endif
