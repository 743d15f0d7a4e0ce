/* SPDX-License-Identifier: MIT */
/* What a back end asks of the passes. */
#ifndef NIR_OPTIONS_H
#define NIR_OPTIONS_H

#include "util/macros.h"

typedef enum {
   nir_lower_imul64 = 1 << 0,
   nir_lower_isign64 = 1 << 1,
   nir_lower_divmod64 = 1 << 2, /* udiv, idiv, umod, imod, irem */
   nir_lower_imul_high64 = 1 << 3,
   nir_lower_mov64 = 1 << 4,
   nir_lower_icmp64 = 1 << 5,
   nir_lower_iadd64 = 1 << 6,
   nir_lower_iabs64 = 1 << 7,
   nir_lower_ineg64 = 1 << 8,
   nir_lower_logic64 = 1 << 9,
   nir_lower_minmax64 = 1 << 10,
   nir_lower_shift64 = 1 << 11,
   nir_lower_imul_2x32_64 = 1 << 12,
   nir_lower_extract64 = 1 << 13,
   nir_lower_ufind_msb64 = 1 << 14,
   nir_lower_bit_count64 = 1 << 15,
   nir_lower_conv64 = 1 << 16, /* between 64-bit integers and floats */
   nir_lower_find_lsb64 = 1 << 17,
} nir_lower_int64_options;

typedef enum {
   nir_lower_drcp = 1 << 0,
   nir_lower_dsqrt = 1 << 1,
   nir_lower_drsq = 1 << 2,
   nir_lower_dtrunc = 1 << 3,
   nir_lower_dfloor = 1 << 4,
   nir_lower_dceil = 1 << 5,
   nir_lower_dfract = 1 << 6,
   nir_lower_dround_even = 1 << 7,
   nir_lower_dmod = 1 << 8,
   nir_lower_dsub = 1 << 9,
   nir_lower_ddiv = 1 << 10,
   nir_lower_dsign = 1 << 11,
   nir_lower_dminmax = 1 << 12, /* with compares and selects */
   nir_lower_dsat = 1 << 13,
   nir_lower_dfrexp = 1 << 14,
   nir_lower_dldexp = 1 << 15,
   nir_lower_dflrp = 1 << 16,
   nir_lower_dfma = 1 << 17,   /* fused multiply-add from mul and add */
   nir_lower_d2half = 1 << 18, /* conversion to half, by way of float */
   nir_lower_dguard = 1 << 19, /* short forms first: nir_guard_doubles() */
   nir_lower_dcalls = 1 << 20, /* many long forms are called */
} nir_lower_doubles_options;

typedef struct nir_shader_compiler_options {
   bool lower_fdiv;
   bool lower_ffma16, lower_ffma32, lower_ffma64;
   bool fuse_ffma16, fuse_ffma32, fuse_ffma64;
   bool lower_flrp16, lower_flrp32, lower_flrp64;
   bool lower_fpow, lower_fmod, lower_fsat, lower_fsign;
   bool lower_ldexp;
   bool lower_ffract, lower_fceil, lower_fdph;
   bool lower_isign;
   bool lower_scmp; /* slt, sge, seq, sne */
   bool lower_bitfield_extract;
   bool lower_bitfield_insert, lower_bitfield_insert_to_shifts;
   bool lower_ifind_msb, lower_ufind_msb, lower_find_lsb;
   bool lower_uadd_carry, lower_usub_borrow;
   bool lower_uadd_sat, lower_usub_sat;
   bool lower_pack_half_2x16, lower_unpack_half_2x16;
   bool lower_pack_unorm_2x16, lower_pack_snorm_2x16;
   bool lower_pack_unorm_4x8, lower_pack_snorm_4x8;
   bool lower_unpack_unorm_2x16, lower_unpack_snorm_2x16;
   bool lower_unpack_unorm_4x8, lower_unpack_snorm_4x8;
   bool lower_insert_byte, lower_insert_word;
   bool lower_rotate, lower_hadd;
   bool vertex_id_zero_based;
   bool has_fsub, has_isub;
   /* Shaders come from Mesa's GLSL compiler by way of zink: what looks like
    * its expansion of a built-in function is one. */
   bool restore_builtins;
   /* nir_shader::constant_data finds its way to load_constant. */
   bool has_constant_data;
   nir_lower_int64_options lower_int64_options;
   nir_lower_doubles_options lower_doubles_options;
   unsigned force_indirect_unrolling; /* nir_variable_mode */
   /* Not of larger variables, which may be memory; 0: of all. */
   unsigned force_indirect_unrolling_max_B;
   unsigned max_workgroups; /* of a dispatch in each direction; 0: unknown */
} nir_shader_compiler_options;

#endif
