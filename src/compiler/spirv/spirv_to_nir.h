/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V to NIR: the public face of this folder.
 *
 * A module is checked while it is read; what is wrong with it is reported
 * with the offset of the instruction (in words, from the magic number) and
 * the rule that it breaks. What this front end does not do is refused by
 * name. Nothing of a refused module is left behind.
 *
 * What the result looks like
 *  - One function with a body, the entry point; calls are inlined and there
 *    is no return in it.
 *  - Variables and plain dereference chains, no vulkan_resource_index:
 *      shader_in, shader_out, shader_temp, function_temp, mem_shared;
 *      uniform: samplers, images, texel buffers (descriptor_set, binding);
 *      mem_ubo, mem_ssbo (descriptor_set, binding): the chain is
 *        variable -> [array of blocks] -> struct -> members;
 *      mem_push_const: variable -> struct -> members.
 *    Types that lie in memory carry explicit strides, offsets and row_major.
 *  - Kernels of OpenCL are compute shaders: see kernel/spirv_kernel.h.
 *  - Phis of the module are loads and stores of function_temp variables;
 *    nir_lower_vars_to_ssa makes phis of them again.
 */
#ifndef SPIRV_TO_NIR_H
#define SPIRV_TO_NIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "compiler/nir/nir.h"

struct arena;

/* One entry of VkSpecializationInfo: the bits of the value, the rest 0. */
struct spirv_specialization {
   uint32_t id; /* SpecId */
   uint64_t value;
};

struct spirv_to_nir_options {
   /* Owner of the nir_shader; NULL: the caller frees it by itself. */
   struct arena *parent;
   const nir_shader_compiler_options *nir;
   /* Leave control flow that has no merge instructions (kernels) as it is:
    * nir_function_impl.structured. */
   bool unstructured;
};

enum spirv_error_kind {
   SPIRV_OK,
   SPIRV_INVALID,     /* the module breaks a rule of the specification */
   SPIRV_UNSUPPORTED, /* valid or not, this front end does not do it */
};

struct spirv_error {
   enum spirv_error_kind kind;
   /* Words from the start of the module to the offending instruction. */
   size_t word_offset;
   /* Where that comes from, if the module says so; line 0: it does not. */
   char file[64];
   uint32_t line, column;
   char message[256];
};

/* " (FILE:LINE)" of an error, in `buf`; empty when the line is not known. */
const char *spirv_error_place(const struct spirv_error *err, char *buf,
                              size_t size_B);

/*
 * Translates the entry point `entry` of the given stage. `words` is in the
 * byte order of the host or swapped. On failure returns NULL and fills *err
 * (which may be NULL). Specializations of ids that the module does not have
 * are ignored, as Vulkan demands.
 */
nir_shader *spirv_to_nir(const uint32_t *words, size_t n_words,
                         const struct spirv_specialization *spec,
                         unsigned n_spec, gl_shader_stage stage,
                         const char *entry,
                         const struct spirv_to_nir_options *options,
                         struct spirv_error *err);

/*
 * The entry point number `index` of the module, in the order in which they
 * are declared: its stage and name (inside `words`, so only valid as long as
 * they are; for a module in swapped byte order the name is not available and
 * false is returned). False if there is none, or its stage is not a graphics
 * or compute stage.
 */
bool spirv_get_entry_point(const uint32_t *words, size_t n_words,
                           unsigned index, gl_shader_stage *stage,
                           const char **name);

#endif
