/* SPDX-License-Identifier: MIT */
/*
 * NIR to SM5: vs_5_0, ps_5_0, gs_5_0 (one stream), cs_5_0, with the container
 * around it.
 *
 * Resources get registers in the order of set and binding: cb# uniform
 * buffers, t# textures and read-only storage buffers, s# samplers, u# images
 * and other storage buffers; elements of an array follow each other. Varying
 * VARn is register n; what the pipeline gives a meaning stands from register
 * 31 down.
 */
#ifndef TPF_FROM_NIR_H
#define TPF_FROM_NIR_H

#include "compiler/d3d/d3d_semantics.h"
#include "compiler/nir/nir.h"
#include "tpf.h"

enum tpf_binding_kind {
   TPF_BIND_CB,
   TPF_BIND_SAMPLER,
   TPF_BIND_SRV,
   TPF_BIND_UAV,
};

/* Which registers a variable has. */
struct tpf_binding {
   const nir_variable *var;
   enum tpf_binding_kind kind;
   unsigned set, binding, first, count;
   uint32_t stride_B; /* of a structured buffer; 0: raw, or none */
};

#define TPF_MAX_BINDINGS 256

struct tpf_interface {
   struct tpf_binding binding[TPF_MAX_BINDINGS];
   unsigned num_bindings;
};

struct tpf_from_nir_options {
   /* The SPIR-V came from HLSL, whose matrices glslang transposes: resource
    * definitions have rows and columns of the source. */
   bool hlsl;
   /* Names in the signatures; NULL, or of a variable that is not there:
    * TEXCOORD with the register. */
   const struct d3d_semantics *semantics;
   struct tpf_interface *interface; /* to be filled, or NULL */
};

/* Appends a container. The shader is changed; the interface's variables live
 * as long as it does. `options` may be NULL. False on what the profile cannot
 * do, with *error (text alone). */
bool tpf_from_nir(struct arena *arena, nir_shader *nir, enum tpf_stage stage,
                  const struct tpf_from_nir_options *options,
                  struct util_dynarray *out, struct d3d_error *error);

/* The descriptor set that shared variables are given that are structured:
 * their accesses are those of buffers then; the binding is that of g#. */
#define TPF_SHARED_SET 0x7fff
#define TPF_MAX_SHARED 63

/* Cuts accesses to storage buffers that are one array of structures, and to
 * shared variables, in two: element and byte offset in it. Loads, stores and
 * atomics then have both: vec2(buffer, element) for the buffer, and the
 * offset. All other accesses are left as they are. Shared variables have
 * explicit types. */
bool tpf_cut_structured(nir_shader *nir);
/* Then: loads and stores of dwords of one element become those of vectors,
 * where no other access to memory stands between them. */
bool tpf_join_structured(nir_shader *nir);
/* The size of the structures, 0 if the variable is no such buffer. */
uint32_t tpf_structured_stride_B(const nir_variable *var);
/* Structures of a shared variable. */
unsigned tpf_structured_count(const nir_variable *var);

#endif
