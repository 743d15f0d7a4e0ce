/* SPDX-License-Identifier: MIT */
/*
 * OpenCL kernels: modules with the capability Kernel and without Shader.
 *
 * A pointer is a variable and a chain of indices here, too, so a kernel's
 * pointers into global memory are storage buffers of runtime arrays, one for
 * each argument: set 0, binding as the argument is numbered. What
 * cannot be said so (pointers that are stored, chosen or cast) is refused.
 * Arguments that are values stand in the push constants, each at its natural
 * alignment, in order. Sizes and addresses are of 32 bits inside.
 */
#ifndef SPIRV_KERNEL_H
#define SPIRV_KERNEL_H

#include "compiler/spirv/spirv_private.h"

/* Binds the parameters of the entry point at the cursor. */
void spv_kernel_arguments(struct spv *s, const struct spv_function *f);
bool spv_kernel_execution_mode(struct spv *s, const uint32_t *w);
/* The group that is taken if the kernel does not say one. */
void spv_kernel_defaults(struct spv *s);
/* Instructions that only kernels have; true if it was one. */
bool spv_handle_kernel(struct spv *s, const uint32_t *w);
void spv_handle_opencl(struct spv *s, const uint32_t *w);
bool spv_kernel_capability(uint32_t capability);

/* spirv_unstructured.c: the body of f, any control flow, in blocks. */
void spv_emit_unstructured(struct spv *s, struct spv_function *f,
                           nir_variable *result);
/* At the end: blocks that are reached, in order. */
void spv_finish_unstructured(struct spv *s);

#endif
