/* SPDX-License-Identifier: MIT */
/*
 * Building NIR: every function inserts at the builder's cursor and moves the
 * cursor after what it inserted.
 */
#ifndef NIR_BUILDER_H
#define NIR_BUILDER_H

#include "nir.h"

typedef struct nir_builder {
   nir_cursor cursor;
   bool exact; /* given to new ALU instructions */
   bool update_divergence;
   uint32_t location; /* given to new instructions; 0: the cursor's */
   nir_shader *shader;
   nir_function_impl *impl;
} nir_builder;

/* The cursor is not set. */
void nir_builder_init(nir_builder *build, nir_function_impl *impl);
static inline nir_builder
nir_builder_create(nir_function_impl *impl)
{
   nir_builder b;
   nir_builder_init(&b, impl);
   return b;
}
static inline nir_builder
nir_builder_at(nir_function_impl *impl, nir_cursor cursor)
{
   nir_builder b;
   nir_builder_init(&b, impl);
   b.cursor = cursor;
   return b;
}
/* A shader with a function "main"; the cursor is at its start. */
nir_builder
nir_builder_init_simple_shader(gl_shader_stage stage,
                               const nir_shader_compiler_options *options,
                               const char *name, ...) PRINTFLIKE(3, 4);

/* Inserts at the cursor, which lies behind it then. What the instruction
 * computes; NULL if nothing. */
nir_value *nir_emit(nir_builder *build, nir_instr *instr);

/* --- Control flow ------------------------------------------------------- */

/* The cursor goes to the then side; else and pop go on from there. */
nir_if *nir_push_if(nir_builder *build, nir_value *cond);
nir_if *nir_push_if_use(nir_builder *build, nir_use cond);
/* NULL: the innermost if. */
nir_if *nir_push_else(nir_builder *build, nir_if *open);
void nir_pop_if(nir_builder *build, nir_if *open);
/* After nir_pop_if: the phi of both sides. */
nir_value *nir_if_phi(nir_builder *build, nir_value *then_def,
                      nir_value *else_def);
nir_loop *nir_push_loop(nir_builder *build);
void nir_pop_loop(nir_builder *build, nir_loop *loop);
nir_jump_instr *nir_jump(nir_builder *build, nir_jump_type type);
void nir_jump_if(nir_builder *build, nir_jump_type type, nir_value *cond);

/* --- Constants ---------------------------------------------------------- */

nir_value *nir_build_imm(nir_builder *build, unsigned num_components,
                         unsigned bit_size, const nir_const_value *value);
/* A load, a store or an atomic that reaches nothing: its uses get zero, and
 * it goes. */
void nir_remove_as_zero(nir_builder *build, nir_intrinsic_instr *intr);
nir_value *nir_imm_zero(nir_builder *build, unsigned num_components,
                        unsigned bit_size);
nir_value *nir_imm_bool(nir_builder *build, bool x);
nir_value *nir_imm_boolN_t(nir_builder *build, bool x, unsigned bit_size);
nir_value *nir_imm_float16(nir_builder *build, float x);
nir_value *nir_imm_float(nir_builder *build, float x);
nir_value *nir_imm_double(nir_builder *build, double x);
nir_value *nir_imm_floatN_t(nir_builder *build, double x, unsigned bit_size);
nir_value *nir_imm_vec4(nir_builder *build, float x, float y, float z,
                        float w);
nir_value *nir_imm_int(nir_builder *build, int x);
nir_value *nir_imm_int64(nir_builder *build, int64_t x);
nir_value *nir_imm_intN_t(nir_builder *build, uint64_t x, unsigned bit_size);
nir_value *nir_imm_ivec2(nir_builder *build, int x, int y);
nir_value *nir_imm_ivec3(nir_builder *build, int x, int y, int z);
nir_value *nir_imm_ivec4(nir_builder *build, int x, int y, int z, int w);

static inline nir_value *
nir_imm_true(nir_builder *build)
{
   return nir_imm_bool(build, true);
}

static inline nir_value *
nir_imm_false(nir_builder *build)
{
   return nir_imm_bool(build, false);
}

nir_value *nir_undef(nir_builder *build, unsigned num_components,
                     unsigned bit_size);

/* --- ALU ---------------------------------------------------------------- */

/* Scalars stand for vectors where a source is per component. */
nir_value *nir_build_alu(nir_builder *build, nir_op op, nir_value *src0,
                         nir_value *src1, nir_value *src2, nir_value *src3);
nir_value *nir_build_alu1(nir_builder *build, nir_op op, nir_value *src0);
nir_value *nir_build_alu2(nir_builder *build, nir_op op, nir_value *src0,
                          nir_value *src1);
nir_value *nir_build_alu3(nir_builder *build, nir_op op, nir_value *src0,
                          nir_value *src1, nir_value *src2);
nir_value *nir_build_alu4(nir_builder *build, nir_op op, nir_value *src0,
                          nir_value *src1, nir_value *src2, nir_value *src3);
nir_value *nir_build_alu_src_arr(nir_builder *build, nir_op op,
                                 nir_value **srcs);
/* Sizes the destination after the sources and inserts. */
nir_value *nir_builder_alu_instr_finish_and_insert(nir_builder *build,
                                                   nir_alu_instr *instr);

#include "nir_builder_opcodes.h"

nir_value *nir_vec(nir_builder *build, nir_value **comp,
                   unsigned num_components);
nir_value *nir_vec_scalars(nir_builder *build, nir_component *comp,
                           unsigned num_components);
nir_value *nir_mov_alu(nir_builder *build, nir_operand src,
                       unsigned num_components);
nir_value *nir_swizzle(nir_builder *build, nir_value *src,
                       const unsigned *swiz, unsigned num_components);
nir_value *nir_channel(nir_builder *build, nir_value *def, unsigned c);
nir_value *nir_channels(nir_builder *build, nir_value *def,
                        nir_component_mask_t mask);
nir_value *nir_vector_extract(nir_builder *build, nir_value *vec,
                              nir_value *c);
nir_value *nir_vector_insert(nir_builder *build, nir_value *vec,
                             nir_value *scalar, nir_value *c);
nir_value *nir_vector_insert_imm(nir_builder *build, nir_value *vec,
                                 nir_value *scalar, unsigned c);
/* The first num_components; undefined beyond the source, or its last. */
nir_value *nir_trim_vector(nir_builder *build, nir_value *src,
                           unsigned num_components);
nir_value *nir_pad_vector(nir_builder *build, nir_value *src,
                          unsigned num_components);
nir_value *nir_pad_vector_imm_int(nir_builder *build, nir_value *src,
                                  uint64_t imm, unsigned num_components);
static inline nir_value *
nir_pad_vec4(nir_builder *build, nir_value *src)
{
   return nir_pad_vector(build, src, 4);
}
nir_value *nir_select_from_ssa_def_array(nir_builder *build, nir_value **arr,
                                         unsigned arr_len, nir_value *idx);
nir_value *nir_use_value(nir_builder *build, nir_use src,
                         unsigned num_components);
/* The source with swizzle and modifiers applied. */
nir_value *nir_operand_value(nir_builder *build, nir_alu_instr *instr,
                             unsigned srcn);
nir_value *nir_i2iN(nir_builder *build, nir_value *src, unsigned bit_size);
nir_value *nir_u2uN(nir_builder *build, nir_value *src, unsigned bit_size);
nir_value *nir_f2fN(nir_builder *build, nir_value *src, unsigned bit_size);
nir_value *nir_b2iN(nir_builder *build, nir_value *src, unsigned bit_size);
nir_value *nir_i2fN(nir_builder *build, nir_value *src, unsigned bit_size);
nir_value *nir_u2fN(nir_builder *build, nir_value *src, unsigned bit_size);
nir_value *nir_f2iN(nir_builder *build, nir_value *src, unsigned bit_size);
nir_value *nir_type_convert(nir_builder *build, nir_value *src,
                            nir_alu_type src_type, nir_alu_type dest_type);
static inline nir_value *
nir_i2b(nir_builder *build, nir_value *src)
{
   return nir_i2b1(build, src);
}

nir_value *nir_iadd_imm(nir_builder *build, nir_value *x, uint64_t y);
nir_value *nir_imul_imm(nir_builder *build, nir_value *x, uint64_t y);
nir_value *nir_iand_imm(nir_builder *build, nir_value *x, uint64_t y);
nir_value *nir_ior_imm(nir_builder *build, nir_value *x, uint64_t y);
nir_value *nir_ixor_imm(nir_builder *build, nir_value *x, uint64_t y);
nir_value *nir_ishl_imm(nir_builder *build, nir_value *x, uint32_t y);
nir_value *nir_ishr_imm(nir_builder *build, nir_value *x, uint32_t y);
nir_value *nir_ushr_imm(nir_builder *build, nir_value *x, uint32_t y);
nir_value *nir_udiv_imm(nir_builder *build, nir_value *x, uint64_t y);
nir_value *nir_fadd_imm(nir_builder *build, nir_value *x, double y);
nir_value *nir_fmul_imm(nir_builder *build, nir_value *x, double y);
nir_value *nir_ieq_imm(nir_builder *build, nir_value *x, uint64_t y);
nir_value *nir_ine_imm(nir_builder *build, nir_value *x, uint64_t y);
nir_value *nir_ilt_imm(nir_builder *build, nir_value *x, uint64_t y);

nir_value *nir_fdot(nir_builder *build, nir_value *a, nir_value *b);
nir_value *nir_fclamp(nir_builder *b, nir_value *x, nir_value *lo,
                      nir_value *hi);
nir_value *nir_iclamp(nir_builder *b, nir_value *x, nir_value *lo,
                      nir_value *hi);
nir_value *nir_uclamp(nir_builder *b, nir_value *x, nir_value *lo,
                      nir_value *hi);
nir_value *nir_pack_bits(nir_builder *b, nir_value *src,
                         unsigned dest_bit_size);
nir_value *nir_unpack_bits(nir_builder *b, nir_value *src,
                           unsigned dest_bit_size);
nir_value *nir_bitcast_vector(nir_builder *b, nir_value *src,
                              unsigned dest_bit_size);
/* Bits [first, first + num*size) of the concatenated sources. */
nir_value *nir_extract_bits(nir_builder *b, nir_value **srcs,
                            unsigned num_srcs, unsigned first_bit,
                            unsigned dest_num_components,
                            unsigned dest_bit_size);

/* --- Derefs ------------------------------------------------------------- */

nir_deref_instr *nir_deref_to(nir_builder *build, nir_variable *var);
nir_deref_instr *nir_build_deref_array(nir_builder *build,
                                       nir_deref_instr *parent,
                                       nir_value *index);
nir_deref_instr *nir_build_deref_array_imm(nir_builder *build,
                                           nir_deref_instr *parent,
                                           int64_t index);
nir_deref_instr *nir_build_deref_ptr_as_array(nir_builder *build,
                                              nir_deref_instr *parent,
                                              nir_value *index);
nir_deref_instr *nir_build_deref_array_wildcard(nir_builder *build,
                                                nir_deref_instr *parent);
nir_deref_instr *nir_build_deref_struct(nir_builder *build,
                                        nir_deref_instr *parent,
                                        unsigned index);
nir_deref_instr *nir_build_deref_cast(nir_builder *build, nir_value *parent,
                                      nir_variable_mode mode,
                                      const struct glsl_type *type,
                                      unsigned ptr_stride);
/* The step that `leader` takes, from another parent. */
nir_deref_instr *nir_build_deref_follower(nir_builder *b,
                                          nir_deref_instr *parent,
                                          nir_deref_instr *leader);

/* --- Intrinsics --------------------------------------------------------- */

/* Not inserted: the generated builders set the indices first. */
nir_intrinsic_instr *nir_build_intrinsic_begin(nir_builder *build,
                                               nir_intrinsic_op op,
                                               unsigned num_components,
                                               unsigned bit_size,
                                               nir_value **srcs);
unsigned nir_build_default_align_B(const nir_intrinsic_instr *instr);

#include "nir_builder_intrinsics.h"

nir_value *nir_load_deref_with_access(nir_builder *build,
                                      nir_deref_instr *deref,
                                      enum gl_access_qualifier access);
nir_value *nir_load_deref(nir_builder *build, nir_deref_instr *deref);
void nir_store_deref_with_access(nir_builder *build, nir_deref_instr *deref,
                                 nir_value *value, unsigned writemask,
                                 enum gl_access_qualifier access);
void nir_store_deref(nir_builder *build, nir_deref_instr *deref,
                     nir_value *value, unsigned writemask);
void nir_copy_deref_with_access(nir_builder *build, nir_deref_instr *dest,
                                nir_deref_instr *src,
                                enum gl_access_qualifier dest_access,
                                enum gl_access_qualifier src_access);
void nir_copy_deref(nir_builder *build, nir_deref_instr *dest,
                    nir_deref_instr *src);
nir_value *nir_load_var(nir_builder *build, nir_variable *var);
void nir_store_var(nir_builder *build, nir_variable *var, nir_value *value,
                   unsigned writemask);
void nir_copy_var(nir_builder *build, nir_variable *dest, nir_variable *src);
nir_value *nir_load_array_var(nir_builder *build, nir_variable *var,
                              nir_value *index);
nir_value *nir_load_array_var_imm(nir_builder *build, nir_variable *var,
                                  int64_t index);
void nir_store_array_var(nir_builder *build, nir_variable *var,
                         nir_value *index, nir_value *value,
                         unsigned writemask);
nir_value *nir_load_system_value(nir_builder *build, nir_intrinsic_op op,
                                 int index, unsigned num_components,
                                 unsigned bit_size);
nir_value *nir_load_barycentric(nir_builder *build, nir_intrinsic_op op,
                                unsigned interp_mode);

#endif
