/* SPDX-License-Identifier: MIT */
/*
 * SM4 and SM5 programs to NIR. What the runtime gives to a shader becomes,
 * all in descriptor set 0 up to SM5.0:
 *
 *   cb#      uniform buffer of binding #: a vec4 every 16 bytes
 *   s#       sampler of binding TPF_BINDING_SAMPLER + #
 *   t#       texture of binding TPF_BINDING_RESOURCE + #; raw and structured
 *            ones are storage buffers of that binding
 *   u#       image or storage buffer of binding TPF_BINDING_UAV + #
 *   counter  of u#: storage buffer of binding TPF_BINDING_COUNTER + #
 *
 * In SM5.1 # is the number of a range, whatever its registers and its space;
 * a range of several registers is an array. cb# is binding # of set 0, s# of
 * TPF_SET_SAMPLER, and so on.
 *
 *   v# of vs VERT_ATTRIB_GENERIC0 + #
 *   o#, v#   between stages: VARYING_SLOT_VAR0 + # but for system values
 *   o# of ps FRAG_RESULT_DATA0 + #
 *   o# of gs in a stream: as above, but if another stream has that slot the
 *            highest free one below VARYING_SLOT_VAR0 + 32
 *
 * Registers have no type: values keep their bits whatever they are.
 */
#ifndef TPF_TO_NIR_H
#define TPF_TO_NIR_H

#include "compiler/d3d/dxbc/dxbc.h"
#include "compiler/nir/nir.h"
#include "tpf.h"

enum {
   TPF_BINDING_SAMPLER = 16,
   TPF_BINDING_RESOURCE = 32,
   TPF_BINDING_UAV = 160,
   TPF_BINDING_COUNTER = 224,
};

enum {
   TPF_SET_SAMPLER = 1,
   TPF_SET_RESOURCE = 2,
   TPF_SET_UAV = 3,
   TPF_SET_COUNTER = 4,
};

struct tpf_to_nir_options {
   struct arena *parent; /* owner of the shader; may be NULL */
   const nir_shader_compiler_options *nir;
};

/* The shader must have passed tpf_validate(). `container` has the
 * signatures; without it inputs and outputs are floats. NULL on what cannot
 * be translated, with *error. */
nir_shader *tpf_to_nir(const struct tpf_shader *shader,
                       const struct dxbc *container,
                       const struct tpf_to_nir_options *options,
                       struct d3d_error *error);

#endif
