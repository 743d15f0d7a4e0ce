/* SPDX-License-Identifier: MIT */
/*
 * d3dbc to NIR. What the runtime gives to a shader becomes:
 *
 *   c#           uniform buffer of binding 0: a vec4 every 16 bytes
 *   i#           uniform buffer of binding 1: an ivec4 every 16 bytes
 *   b#           uniform buffer of binding 2: a dword every 16 bytes
 *   bump maps    uniform buffer of binding 3: 32 bytes for each stage of
 *                ps_1_x: m00, m01, m10, m11, luminance scale and offset
 *   s#           texture and sampler of binding 16 + #
 *   v# of vs     VERT_ATTRIB_GENERIC0 + #
 *   varyings     by usage, see the rows in d3dbc_tables.py: texcoord n is
 *                VARYING_SLOT_VARn; position, psize of a vs their own slots
 *   oC#, oDepth  FRAG_RESULT_DATA0 + #, FRAG_RESULT_DEPTH
 *
 * All in descriptor set 0. Constants that def, defi and defb set hide those
 * of the buffers.
 */
#ifndef D3DBC_TO_NIR_H
#define D3DBC_TO_NIR_H

#include "compiler/nir/nir.h"
#include "d3dbc.h"

enum {
   D3DBC_BINDING_FLOAT,
   D3DBC_BINDING_INT,
   D3DBC_BINDING_BOOL,
   D3DBC_BINDING_BUMP,
   D3DBC_BINDING_SAMPLER = 16,
};

struct d3dbc_to_nir_options {
   struct arena *parent; /* owner of the shader; may be NULL */
   const nir_shader_compiler_options *nir;
   /* Zero times anything is zero, as old hardware has it; else IEEE. */
   bool mul_zero;
   /* What ps_1_x samples at a stage: 0 what the instruction suggests, else
    * D3DBC_SAMPLER_*. */
   uint8_t stage_type[8];
};

/* The shader must have passed d3dbc_validate(). NULL on what cannot be
 * translated, with *error. */
nir_shader *d3dbc_to_nir(const struct d3dbc_shader *shader,
                         const struct d3dbc_to_nir_options *options,
                         struct d3d_error *error);

#endif
