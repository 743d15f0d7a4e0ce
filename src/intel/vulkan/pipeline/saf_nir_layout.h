/* SPDX-License-Identifier: MIT */
/* Between the parts of saf_nir_apply_pipeline_layout(). */
#ifndef SAF_NIR_LAYOUT_H
#define SAF_NIR_LAYOUT_H

#include "compiler/nir/nir_builder.h"
#include "saf_nir_format.h"

/* A shader may have pointers that name an entry and others that name a
 * handle; the latter have the top bit of the name set then. */
#define SAF_POINTER_ENTRY 1u
#define SAF_POINTER_HANDLE 2u
#define SAF_POINTER_BOTH 3u

struct saf_layout_pass {
   nir_builder b;
   nir_shader *nir;
   const struct saf_pipeline_layout *layout;
   struct saf_bind_map *map;
   const struct intel_device_info *info;
   bool failed;
   bool exact_offsets; /* saf_stages.exact_offsets */
   /* What pointers into storage buffers are made of: SAF_POINTER_*. */
   unsigned pointers;
   /* Loads by handle without a format, which add control flow. */
   struct util_dynarray any_loads;
};

struct saf_any_load {
   nir_intrinsic_instr *load;
   struct saf_info_place info;
};

/* What stands for a variable, or for an element of an array of them. */
struct saf_resource {
   nir_value *name; /* an entry of the table, or a handle */
   bool bindless;
   struct saf_info_place info;
};

/* Says why, and returns false. */
bool saf_layout_fail(struct saf_layout_pass *s, const char *why);

static inline nir_value *
saf_layout_sum(nir_builder *b, nir_value *dynamic, uint32_t constant)
{
   return dynamic ? nir_iadd_imm(b, dynamic, constant)
                  : nir_imm_int(b, (int)constant);
}

/* Adds what an index into an array of resources says, times `stride`: to the
 * constant part, or to the dynamic one, which may be NULL. */
void saf_layout_add_index(struct saf_layout_pass *s, const nir_variable *var,
                          const nir_deref_instr *deref, uint32_t stride,
                          uint32_t *constant, nir_value **dynamic);

/* The element that is `dynamic` (may be NULL) behind number `constant`.
 * `part`: of what struct saf_binding says. */
bool saf_layout_surface(struct saf_layout_pass *s, const nir_variable *var,
                        uint32_t constant, nir_value *dynamic, unsigned part,
                        struct saf_resource *out);

/* Rewrites an access to a block or to push constants; false: it is none, or
 * failed. */
bool saf_layout_lower_memory(struct saf_layout_pass *s,
                             nir_intrinsic_instr *intr);

/* Whether a binding is found by a record. */
bool saf_layout_is_bindless(const struct saf_layout_pass *s,
                            const nir_variable *var);

/* Accesses by pointers into storage buffers (buffer_pointer of NIR): first of
 * all, when the shader has no others of their kind. */
bool saf_layout_lower_pointers(struct saf_layout_pass *s,
                               nir_function_impl *impl);

/* The record of the buffer that a pointer names. Only what is in the table
 * has one that its name leads to; false: failed, and `why` says what with. */
bool saf_layout_pointer_info(struct saf_layout_pass *s, nir_value *name,
                             const char *why, struct saf_info_place *out);

/* Of storage buffers, which source 0 names. */
bool saf_layout_is_buffer_atomic(nir_intrinsic_op op);

/* 64-bit atomic operations, which become control flow: before the rest. */
bool saf_layout_lower_wide_atomics(struct saf_layout_pass *s,
                                   nir_function_impl *impl);

/* Samples the other planes, too, and converts. `tex` has what names its
 * texture and its sampler; `others` is what names the textures of the other
 * planes: entries, or handles. */
void saf_nir_lower_ycbcr(nir_builder *b, nir_tex_instr *tex,
                         const struct saf_ycbcr_conversion *conversion,
                         const struct saf_resource *others);

#endif
