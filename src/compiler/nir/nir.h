/* SPDX-License-Identifier: MIT */
/*
 * NIR: the intermediate representation between SPIR-V and the code
 * generators. SSA with structured control flow.
 *
 * docs/ir.rst says what its data is and what holds of it. Back ends keep
 * values that meet in phis in one register: ssa/nir_phi_webs.h.
 *
 * Everything lives in the shader's arena and goes with it.
 */
#ifndef NIR_H
#define NIR_H

#include "ir/nir_base.h"
#include "ir/nir_location.h"
#include "ir/nir_variable.h"
#include "ir/nir_value.h"
#include "ir/nir_alu.h"
#include "ir/nir_deref.h"
#include "ir/nir_intrinsic.h"
#include "ir/nir_tex.h"
#include "ir/nir_instr.h"
#include "ir/nir_block.h"
#include "ir/nir_options.h"
#include "ir/nir_shader.h"
#include "ir/nir_make.h"
#include "ir/nir_walk.h"
#include "ir/nir_change.h"
#include "ir/nir_pass.h"
#include "nir_passes.h"

#endif
