/* SPDX-License-Identifier: MIT */
/*
 * What the files of this folder share.
 *
 * write_lower.c brings a copy of the shader to what has a counterpart in
 * SPIR-V; then the values are typed, and the functions here append words to
 * the sections of the module (2.4 of the specification). A value has the
 * type of the operation that makes it, with unsigned integers; whoever reads
 * it as something else puts an OpBitcast before.
 *
 * Any of them gives up through wr_fail().
 */
#ifndef SPIRV_WRITE_PRIVATE_H
#define SPIRV_WRITE_PRIVATE_H

#include <setjmp.h>
#include <spirv/unified1/spirv.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/spirv/write/spirv_write.h"
#include "util/arena.h"
#include "util/hash_table.h"

/* How the bits of a component are taken. */
enum wr_base {
   WR_NONE, /* not known yet */
   WR_BOOL,
   WR_UINT,
   WR_INT, /* only next to what the interface declares */
   WR_FLOAT,
};

struct wr_value {
   enum wr_base base;
   uint32_t id; /* 0: constants and derefs, made where they are read */
};

#define WR_MAX_CAPABILITIES 64
#define WR_MAX_EXTENSIONS 16

struct wr {
   nir_shader *nir;
   const struct spirv_write_options *options;
   struct arena *arena;
   jmp_buf failed;
   char *error;
   size_t error_B;

   uint32_t next_id;
   struct util_dynarray modes, strings, names, decorations, globals, code;
   struct util_dynarray interface; /* ids of inputs and outputs */
   SpvCapability capabilities[WR_MAX_CAPABILITIES];
   const char *extensions[WR_MAX_EXTENSIONS];
   unsigned num_capabilities, num_extensions;
   uint32_t glsl450; /* 0: not imported */

   /* Types and constants by their words without the result; variables,
    * phi sources and files by pointer. Data: the id. */
   struct hash_table made, ids;
   /* Atomics are done on these images: their format must be known. */
   struct hash_table atomic_images;
   struct wr_value *values; /* by nir_value.index */
   uint32_t *last_label;    /* by nir_block.index */
   uint32_t label;          /* of the block that is being written */
   uint32_t location;       /* whose OpLine is in force */
   bool interlock;          /* invocations wait for each other */
   /* Where break and continue of the innermost loop go. */
   uint32_t loop_merge, loop_continue;
};

/* ---- write_module.c: words, types, constants ---- */

_Noreturn void wr_fail(struct wr *w, const char *fmt, ...) PRINTFLIKE(2, 3);
uint32_t wr_new_id(struct wr *w);
void wr_words(struct util_dynarray *section, SpvOp op, const uint32_t *words,
              size_t n);
void wr_string_op(struct util_dynarray *section, SpvOp op,
                  const uint32_t *words, size_t n, const char *text);
#define WR_ARRAY(...)                                                        \
   (const uint32_t[])                                                        \
   {                                                                         \
      __VA_ARGS__                                                            \
   }
#define WR_COUNT(...) (sizeof((uint32_t[]) { __VA_ARGS__ }) / 4)
/* An instruction without a result. */
#define WR(section, op, ...)                                                 \
   wr_words(section, op, WR_ARRAY(__VA_ARGS__), WR_COUNT(__VA_ARGS__))
/* One with a result, whose id it gives. */
uint32_t wr_result(struct wr *w, SpvOp op, uint32_t type,
                   const uint32_t *words, size_t n);
#define WR_OP(w, op, type, ...)                                              \
   wr_result(w, op, type, WR_ARRAY(__VA_ARGS__), WR_COUNT(__VA_ARGS__))
/* An instruction of GLSL.std.450. */
uint32_t wr_ext(struct wr *w, enum GLSLstd450 op, uint32_t type,
                const uint32_t *ids, size_t n);
void wr_capability(struct wr *w, SpvCapability cap);
void wr_extension(struct wr *w, const char *name);
void wr_name(struct wr *w, uint32_t id, const char *name);

/* The type or constant of these words; made if it is not there. */
uint32_t wr_made(struct wr *w, SpvOp op, uint32_t type, const uint32_t *words,
                 size_t n);
#define WR_TYPE(w, op, ...)                                                  \
   wr_made(w, op, 0, WR_ARRAY(__VA_ARGS__), WR_COUNT(__VA_ARGS__))
uint32_t wr_scalar_type(struct wr *w, enum wr_base base, unsigned bits);
uint32_t wr_vector_type(struct wr *w, enum wr_base base, unsigned bits,
                        unsigned components);
uint32_t wr_pointer_type(struct wr *w, SpvStorageClass class, uint32_t type);
uint32_t wr_uint(struct wr *w, uint32_t value);
uint32_t wr_constant(struct wr *w, enum wr_base base, unsigned bits,
                     const nir_const_value *values, unsigned components);

/* ---- write_types.c: types of variables ---- */

enum wr_base wr_base_of(const struct glsl_type *type);
/* Whether variables of that mode lie in memory that others lay out. */
bool wr_mode_is_laid_out(nir_variable_mode mode);
SpvStorageClass wr_storage_class(struct wr *w, nir_variable_mode mode);
uint32_t wr_type(struct wr *w, const struct glsl_type *type,
                 nir_variable_mode mode);
uint32_t wr_image_type(struct wr *w, const struct glsl_type *type,
                       enum pipe_format format);
/* Of a part of the variable, which may be an image. */
uint32_t wr_type_within(struct wr *w, const nir_variable *var,
                        const struct glsl_type *type);

/* ---- write_interface.c: variables, execution modes ---- */

uint32_t wr_variable(struct wr *w, nir_variable *var);
/* The input that a system value is, and how it is typed; 0: none. */
uint32_t wr_system_value(struct wr *w, nir_intrinsic_op op,
                         enum wr_base *base, unsigned *components);
void wr_execution_modes(struct wr *w, uint32_t entry);

/* ---- write_values.c: what operands read ---- */

void wr_type_values(struct wr *w, nir_function_impl *impl);
/* The value as `base`, of its own size. */
uint32_t wr_as(struct wr *w, nir_value *value, enum wr_base base);
/* The components that an operand reads of a value, as `base`. */
uint32_t wr_swizzled(struct wr *w, nir_value *value, const uint8_t *swizzle,
                     unsigned components, enum wr_base base);
uint32_t wr_operand(struct wr *w, const nir_alu_instr *alu, unsigned i,
                    enum wr_base base);
uint32_t wr_component(struct wr *w, nir_value *value, unsigned c,
                      enum wr_base base);
uint32_t wr_value_type(struct wr *w, const nir_value *value,
                       enum wr_base base);
uint32_t wr_own_type(struct wr *w, const nir_value *value);
/* `id` is of the value's size, and as `base`; the value is that. */
void wr_define(struct wr *w, nir_value *value, enum wr_base base,
               uint32_t id);
uint32_t wr_bitcast(struct wr *w, uint32_t id, enum wr_base from,
                    enum wr_base to, unsigned bits, unsigned components);

/* ---- One kind of instructions each ---- */

/* Whether there is a row for it. */
bool wr_alu_is_known(nir_op op);
void wr_alu(struct wr *w, nir_alu_instr *alu);
/* False: none of the file's. */
bool wr_memory(struct wr *w, nir_intrinsic_instr *intr);
bool wr_image(struct wr *w, nir_intrinsic_instr *intr);
bool wr_other(struct wr *w, nir_intrinsic_instr *intr);
void wr_tex(struct wr *w, nir_tex_instr *tex);
/* A pointer to what a deref names; `*base` of a number is set. */
uint32_t wr_deref(struct wr *w, nir_deref_instr *deref, enum wr_base *base);
/* How many numbers say which texel of a storage image. */
unsigned wr_texel_components(const struct glsl_type *image);
/* Fills wr.atomic_images. */
void wr_find_atomic_images(struct wr *w, nir_function_impl *impl);

/* ---- write_flow.c ---- */

void wr_function(struct wr *w, nir_function_impl *impl, uint32_t id);
/* What follows is written only where `condition` is false: ends the block by
 * `op` (OpKill, ...) where it is true. */
void wr_end_if(struct wr *w, uint32_t condition, SpvOp op);

/* ---- write_lower.c ---- */

void wr_lower(nir_shader *nir, bool saturate);

#endif
