/* SPDX-License-Identifier: MIT */
/* What the files of tpf_to_nir share. */
#ifndef TPF_NIR_H
#define TPF_NIR_H

#include "compiler/nir/nir_builder.h"
#include "tpf_to_nir.h"

#define TPF_NIR_REGS 64
#define TPF_NIR_MAX_RANGES 64 /* of samplers and constant buffers */
#define TPF_NIR_MAX_CALLS 16
#define TPF_NIR_MAX_STEPS (1u << 17)

struct tpf_nir_frame {
   enum tpf_op op;
   nir_loop *loop;
   nir_if *nif;
   /* switch */
   nir_value *selector;
   nir_variable *matched;   /* a label of this case, or one that ran on */
   nir_variable *continued; /* a continue of the loop around left it */
   bool tail_breaks;        /* breaks end cases only: no loop is needed */
   size_t first;            /* the instruction after it */
};

/* A subroutine or phase from the middle of which something returns: a loop of
 * one trip, which such a return leaves with all the loops in it. */
struct tpf_nir_part {
   nir_loop *loop;
   nir_variable *returned;
};

/* A register, or in SM5.1 a range of them: then the variable is an array if
 * there are several. */
struct tpf_nir_resource {
   nir_variable *var;          /* NULL: not declared, or not used yet */
   const struct tpf_inst *dcl; /* NULL: none */
   uint32_t stride_B;          /* of structures */
   bool is_range;
};

struct tpf_nir {
   nir_builder b;
   const struct tpf_shader *shader;
   const struct dxbc *container;
   const struct tpf_to_nir_options *options;
   const struct tpf_inst *inst;
   struct d3d_error *error;
   bool failed;
   unsigned steps, calls;

   struct tpf_nir_frame nest[TPF_MAX_NESTING];
   unsigned depth;
   struct tpf_nir_part *part; /* NULL: it returns at its end alone */

   nir_variable **temp;
   unsigned num_temps;
   nir_variable *indexable[TPF_NIR_REGS];
   nir_variable *icb;
   struct tpf_nir_resource cb[TPF_NIR_MAX_RANGES];
   nir_variable *in[TPF_NIR_REGS], *out[TPF_NIR_REGS];
   /* The varying of each component of an input of a pixel shader. */
   nir_variable *varying[TPF_NIR_REGS][4];
   /* One array where a file is addressed at run time. */
   nir_variable *in_array, *out_array;
   bool in_relative, out_relative;
   nir_variable *depth_out, *mask_out, *stencil_out;
   /* Inputs of a geometry shader, by register: read where they are used. */
   nir_variable *vertex_in[TPF_NIR_REGS];
   /* Tessellation: control points that come in, those that go out, by
    * register; registers of the patch, which `o` means in fork and join
    * phases; the instance of such a phase. */
   unsigned control_points;
   nir_variable *vertex_out[TPF_NIR_REGS];
   nir_variable *patch, *instance;
   bool of_patch;
   /* Outputs: what is stored when the shader (or a vertex) ends. */
   struct {
      nir_variable *var;
      unsigned stream, reg, comp, count;
   } stores[TPF_NIR_REGS * 4];
   unsigned num_stores;
   unsigned stream; /* that is declared */

   struct tpf_nir_resource resource[128], uav[TPF_NIR_REGS],
      shared[TPF_NIR_REGS], counter[TPF_NIR_REGS];
   struct tpf_nir_resource sampler[TPF_NIR_MAX_RANGES];
};

/* The first error stays. Always false. */
bool tpf_nir_fail(struct tpf_nir *t, const char *fmt, ...) PRINTFLIKE(2, 3);

/* Registers (tpf_nir_reg.c). */
bool tpf_nir_declare(struct tpf_nir *t, const struct tpf_inst *inst);
/* Locals begin as zero, inputs are read. */
void tpf_nir_begin(struct tpf_nir *t);
/* `stream`: 0 but for geometry shaders. */
void tpf_nir_store_outputs(struct tpf_nir *t, unsigned stream);
/* Four components of 32 bits, with swizzle and modifiers; `letter` says what
 * a negation means. */
nir_value *tpf_nir_src(struct tpf_nir *t, const struct tpf_operand *o,
                       char letter);
nir_value *tpf_nir_scalar(struct tpf_nir *t, const struct tpf_operand *o,
                          char letter);
/* Writes a value of four components through the mask; null takes nothing. */
void tpf_nir_write(struct tpf_nir *t, const struct tpf_operand *o,
                   nir_value *value);

/* An index, as a number of 32 bits. */
nir_value *tpf_nir_index(struct tpf_nir *t, const struct tpf_index *index);
/* The type of what `dcl` declares: of a range of several, an array. */
const struct glsl_type *tpf_nir_range_type(const struct tpf_inst *dcl,
                                           const struct glsl_type *element);
/* The declared object, or the element of a range that the operand means. */
nir_deref_instr *tpf_nir_object(struct tpf_nir *t,
                                const struct tpf_nir_resource *r,
                                const struct tpf_operand *o);

/* Interface (tpf_nir_io.c). */
void tpf_nir_declare_input(struct tpf_nir *t, const struct tpf_inst *inst);
void tpf_nir_declare_output(struct tpf_nir *t, const struct tpf_inst *inst);
/* eval_*: inputs at a place of their own. */
void tpf_nir_eval(struct tpf_nir *t);
nir_value *tpf_nir_special_input(struct tpf_nir *t, enum tpf_file file);

nir_variable *tpf_nir_make_io(struct tpf_nir *t, nir_variable_mode mode,
                              int slot, unsigned reg, unsigned mask,
                              unsigned vertices,
                              enum dxbc_signature signature);
/* A value in the components of a vec4 from `first` on. */
nir_value *tpf_nir_placed(struct tpf_nir *t, nir_value *v, unsigned first);
unsigned tpf_nir_mask_of(const struct tpf_operand *o);

/* Hull and domain shaders (tpf_nir_tess.c). */
void tpf_nir_declare_tess(struct tpf_nir *t, const struct tpf_inst *inst);
void tpf_nir_patch_input(struct tpf_nir *t, const struct tpf_inst *inst);
void tpf_nir_control_point_input(struct tpf_nir *t, unsigned reg);
void tpf_nir_control_point_output(struct tpf_nir *t, unsigned reg);
void tpf_nir_hull(struct tpf_nir *t);
/* Instructions from `first` on, up to the end of the program, the phase or
 * the subroutine (tpf_to_nir.c). */
bool tpf_nir_run(struct tpf_nir *t, size_t first);
/* The same of a subroutine or phase, which may return anywhere. */
void tpf_nir_part(struct tpf_nir *t, size_t first);

/* Arithmetic (tpf_nir_alu.c, and from the rows tpf_nir_map.c). */
void tpf_nir_alu(struct tpf_nir *t);
nir_value *tpf_nir_row_result(struct tpf_nir *t, unsigned result,
                              nir_value **s);
nir_value *tpf_bool(struct tpf_nir *t, nir_value *cond);
nir_value *tpf_dot(struct tpf_nir *t, nir_value *x, nir_value *y, unsigned n);
/* By zero: all bits set, as the reference wants it. */
nir_value *tpf_udiv(struct tpf_nir *t, nir_value *x, nir_value *y);
/* The sum of z and, over the bytes of the reference x that are not zero, how
 * far those of y are from them. */
nir_value *tpf_msad(struct tpf_nir *t, nir_value *x, nir_value *y,
                    nir_value *z);
nir_value *tpf_umod(struct tpf_nir *t, nir_value *x, nir_value *y);

/* Memory and textures; false if the instruction is none of theirs. */
bool tpf_nir_mem(struct tpf_nir *t);
bool tpf_nir_tex(struct tpf_nir *t);
void tpf_nir_declare_resource(struct tpf_nir *t, const struct tpf_inst *inst);
struct tpf_nir_resource *tpf_nir_resource(struct tpf_nir *t,
                                          const struct tpf_operand *o);
enum glsl_base_type tpf_nir_texel_type(const struct tpf_inst *dcl);
bool tpf_nir_is_image(struct tpf_nir *t, const struct tpf_operand *o);
/* Extents and, of an array, layers: of an image, which the operand has to
 * be; of a texture's level (NULL: a buffer), NULL after an error. */
nir_value *tpf_nir_image_size(struct tpf_nir *t, const struct tpf_operand *o);
nir_value *tpf_nir_texture_size(struct tpf_nir *t,
                                const struct tpf_operand *o, nir_value *lod);

#endif
