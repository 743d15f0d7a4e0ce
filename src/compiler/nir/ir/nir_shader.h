/* SPDX-License-Identifier: MIT */
/* Shaders, their functions and variables. */
#ifndef NIR_SHADER_H
#define NIR_SHADER_H

#include "ir/nir_block.h"
#include "ir/nir_location.h"
#include "ir/nir_options.h"
#include "shader_info.h"
#include "util/arena.h"

typedef struct nir_shader {
   struct arena *arena; /* all but this struct, which lies in its parent */
   struct arena *owner;
   struct list_head variables; /* nir_variable, all but function_temp */
   const nir_shader_compiler_options *options; /* never NULL */
   struct shader_info info;
   struct list_head functions;
   unsigned num_inputs, num_uniforms, num_outputs;
   unsigned scratch_size; /* bytes */
   void *constant_data;
   unsigned constant_data_size;
   /* nir_location.h; the first is none. */
   nir_location *locations;
   uint32_t num_locations;
} nir_shader;

#define nir_foreach_function(func, shader)                                   \
   list_for_each_entry(nir_function, func, &(shader)->functions, node)

/* Over the bodies of all functions that have one. */
#define nir_foreach_impl(body, shader)                                       \
   for (nir_function_impl *body = nir_impl_after(shader, NULL); body;        \
        body = nir_impl_after(shader, body))
/* The first body, or the one after `last`; NULL at the end. */
nir_function_impl *nir_impl_after(const nir_shader *shader,
                                  const nir_function_impl *last);

/* A shader in an arena of its own inside `parent` (may be NULL). `options`
 * may be NULL: nothing is lowered; else it must outlive the shader. */
nir_shader *nir_new_shader(struct arena *parent, gl_shader_stage stage,
                           const nir_shader_compiler_options *options);
void nir_shader_destroy(nir_shader *shader);
nir_function *nir_new_function(nir_shader *shader, const char *name);
nir_function_impl *nir_new_body(nir_function *func);
/* An implementation that belongs to no function yet. */
nir_function_impl *nir_new_loose_body(nir_shader *shader);
/* The one entry point; asserts that there is exactly one. */
nir_function_impl *nir_entry_point(const nir_shader *shader);
void nir_remove_non_entrypoints(nir_shader *shader);

nir_variable *nir_new_variable(nir_shader *shader, nir_variable_mode mode,
                               const struct glsl_type *type,
                               const char *name);
nir_variable *nir_new_local(nir_function_impl *impl,
                            const struct glsl_type *type, const char *name);
void nir_add_variable(nir_shader *shader, nir_variable *var);
static inline void
nir_add_local(nir_function_impl *impl, nir_variable *var)
{
   list_addtail(&var->node, &impl->locals);
}
nir_variable *nir_variable_clone(const nir_variable *var, nir_shader *shader);
nir_constant *nir_constant_clone(const nir_constant *c, nir_shader *shader);
nir_variable *nir_variable_at(nir_shader *shader, nir_variable_mode mode,
                              unsigned location);

#endif
