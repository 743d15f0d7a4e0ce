/* SPDX-License-Identifier: MIT */
/* What the files of tpf_from_nir share. */
#ifndef TPF_EMIT_H
#define TPF_EMIT_H

#include "compiler/d3d/d3d_intervals.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/ssa/nir_phi_webs.h"
#include "tpf_from_nir.h"

#define TPF_EMIT_REGS 32
#define TPF_CB_MAX 4096u /* registers of a constant buffer */
/* pass_flags of what a saturation is part of. */
#define TPF_EMIT_SATURATED 1
/* Registers for what the pipeline gives a meaning. */
#define TPF_EMIT_FIRST_SPECIAL 24

struct tpf_select_row {
   nir_op nir;
   unsigned bits;
   enum tpf_op op;
   bool saturate;
   const char *operands; /* see tpf_tables.py */
};

extern const struct tpf_select_row tpf_select_rows[];
extern const unsigned tpf_num_select_rows;

/* A component of a value, or of all values of a phi web. */
struct tpf_value {
   struct d3d_place place;
   enum tpf_file file;
   bool allocate; /* a place in r# */
};

/* A value that has the place of components of another, from `comp` on. */
struct tpf_share {
   const nir_value *with; /* NULL: its own */
   uint8_t comp;
};

/* A register of a signature. */
struct tpf_io {
   uint8_t mask, mode; /* mode: enum tpf_interpolation */
   uint8_t type;       /* 1 uint, 2 int, 3 float */
   uint32_t name;      /* enum tpf_name */
   const char *semantic;
   unsigned semantic_index;
};

struct tpf_emit {
   struct arena *arena;
   nir_shader *nir;
   nir_function_impl *impl;
   enum tpf_stage stage;
   struct d3d_error *error;
   bool failed, hlsl;
   struct util_dynarray head, body; /* struct tpf_inst */
   struct tpf_interface *interface;

   struct nir_phi_webs webs;
   struct tpf_share *share;  /* by value: tpf_share.c */
   bool *folded;             /* by value: part of what reads it */
   struct tpf_value *values; /* by tpf_emit_value() */
   unsigned num_values;
   unsigned num_temps; /* without scratch */
   unsigned num_scratch, max_scratch;
   nir_alu_instr *alu; /* that is translated */

   struct tpf_io in[TPF_EMIT_REGS], out[TPF_EMIT_REGS];
   /* Semantics by slot that varyings and attributes have; NULL: none. */
   const struct d3d_semantic *in_name[64], *out_name[64];
   uint8_t in_element[64], out_element[64]; /* from its first slot on */
   bool depth_out, mask_out, coverage_in, uses_doubles, uses_buffers;
   uint32_t cb_size[16]; /* registers */
   bool cb_dynamic[16];
   uint8_t *cb_used[16]; /* components that are read, a byte a register */
   bool file_used[TPF_FILE_COUNT]; /* thread ids and the like */
};

bool tpf_emit_fail(struct tpf_emit *e, const char *fmt, ...) PRINTFLIKE(2, 3);

/* Forms that have no counterpart are taken away (tpf_lower.c). */
void tpf_emit_lower(struct tpf_emit *e);

/* Arrays of constants (tpf_constants.c): they become data, loads at places
 * that are known become constants, and what makes an index is part of the
 * load. */
void tpf_emit_find_constants(struct tpf_emit *e);
void tpf_emit_read_constants(struct tpf_emit *e);
void tpf_emit_fold_row(struct tpf_emit *e, nir_alu_instr *alu);
/* False: another intrinsic. */
bool tpf_select_constant(struct tpf_emit *e, nir_intrinsic_instr *load);
void tpf_emit_declare_constants(struct tpf_emit *e);

/* Which values share places, or need none (tpf_share.c); webs are known. */
void tpf_emit_share(struct tpf_emit *e);
/* The value that has the place of this one, and which component there. */
const nir_value *tpf_emit_sharer(const struct tpf_emit *e,
                                 const nir_value *def, unsigned *comp);

/* Joins instructions of the body on other components (tpf_combine.c). */
void tpf_emit_combine(struct tpf_emit *e);

/* Registers (tpf_regalloc.c). */
struct tpf_value *tpf_emit_value(const struct tpf_emit *e,
                                 const nir_value *def, unsigned comp);
void tpf_emit_allocate(struct tpf_emit *e);
/* Loads that are read where they stand: constants, inputs, buffers. */
bool tpf_emit_has_home(const nir_instr *instr);

/* Operands and instructions (tpf_emit.c). */
struct tpf_operand tpf_emit_reg(enum tpf_file file, unsigned index,
                                unsigned comp);
struct tpf_operand tpf_emit_imm(uint32_t v);
struct tpf_operand tpf_emit_null(void);
struct tpf_operand tpf_emit_src(struct tpf_emit *e, nir_use *src,
                                unsigned comp);
/* A component of the element that a deref of a local array names: x#[]. */
struct tpf_operand tpf_emit_array(struct tpf_emit *e, nir_use *src,
                                  unsigned comp);
struct tpf_operand tpf_emit_alu_src(struct tpf_emit *e, unsigned src,
                                    unsigned comp);
struct tpf_operand tpf_emit_dest(struct tpf_emit *e, nir_value *dest,
                                 unsigned comp);
/* As a destination: the components of the mask. */
struct tpf_operand tpf_emit_masked(struct tpf_operand o, unsigned mask);
struct tpf_operand tpf_emit_swizzled(struct tpf_operand o, unsigned swizzle);
/* A register that lives until the NIR instruction ends. */
struct tpf_operand tpf_emit_scratch(struct tpf_emit *e);
struct tpf_operand tpf_emit_comp(struct tpf_operand o, unsigned comp);
/* `n` operands; the instruction can be changed until the next one. */
struct tpf_inst *tpf_emit_inst(struct tpf_emit *e, enum tpf_op op, unsigned n,
                               const struct tpf_operand *o);
void tpf_emit1(struct tpf_emit *e, enum tpf_op op, struct tpf_operand d,
               struct tpf_operand a);
void tpf_emit2(struct tpf_emit *e, enum tpf_op op, struct tpf_operand d,
               struct tpf_operand a, struct tpf_operand b);
void tpf_emit3(struct tpf_emit *e, enum tpf_op op, struct tpf_operand d,
               struct tpf_operand a, struct tpf_operand b,
               struct tpf_operand c);
/* Components first to first + n of a source, in one register's xyzw. */
struct tpf_operand tpf_emit_vector(struct tpf_emit *e, nir_use *src,
                                   unsigned first, unsigned n);
/* Moves components of a register to those of a destination. */
void tpf_emit_scatter(struct tpf_emit *e, nir_value *dest,
                      struct tpf_operand from);

/* Operands `one` as one that has the n-th in component place[n], if they are
 * in one register. */
bool tpf_emit_gather(const struct tpf_operand *one, const uint8_t *place,
                     unsigned n, struct tpf_operand *all);
/* Moves the operands to components place[n] of a register; those that are
 * there stay. */
void tpf_emit_moves(struct tpf_emit *e, struct tpf_operand reg,
                    const uint8_t *place, const struct tpf_operand *one,
                    unsigned n);
/* All components of a value as a destination, and which they are; false: they
 * are not of 32 bits or not in one register. */
bool tpf_emit_dests(struct tpf_emit *e, const nir_value *dest,
                    struct tpf_operand *all, uint8_t *place);
/* The swizzle of an operand that has component n of what is read in component
 * place[n]. */
unsigned tpf_emit_swizzle_to(const uint8_t *place, unsigned n);

/* Instructions. */
void tpf_select_alu(struct tpf_emit *e, nir_alu_instr *alu);
/* The row of an operation that is no other; NULL: there is none. */
const struct tpf_select_row *tpf_select_row(const nir_alu_instr *alu);
/* The register of an output, and what its signature says, without the mask;
 * false: it has none. */
bool tpf_select_output(struct tpf_emit *e, nir_intrinsic_instr *store,
                       unsigned *reg, struct tpf_io *io);
void tpf_select_intrinsic(struct tpf_emit *e, nir_intrinsic_instr *intr);
/* False: none of theirs. */
bool tpf_select_memory(struct tpf_emit *e, nir_intrinsic_instr *intr);
bool tpf_select_image(struct tpf_emit *e, nir_intrinsic_instr *intr);
void tpf_select_tex(struct tpf_emit *e, nir_tex_instr *tex);
/* The register of a varying, and its place in the signature (no mask, no
 * type); false after an error. `what`: "input", "output". */
bool tpf_emit_varying(struct tpf_emit *e, const char *what, unsigned slot,
                      unsigned *reg, struct tpf_io *io);
/* What a signature calls a slot that is no system value. */
void tpf_emit_semantic(const struct tpf_emit *e, bool in, unsigned slot,
                       unsigned reg, struct tpf_io *io);
/* As signatures say: 1 uint, 2 int, 3 float. */
unsigned tpf_emit_type(nir_alu_type type);

/* Geometry shaders (tpf_select_gs.c). */
bool tpf_select_geometry(struct tpf_emit *e, nir_intrinsic_instr *intr);
/* What stands before inputs and outputs, and after them. */
void tpf_emit_declare_gs(struct tpf_emit *e);
void tpf_emit_declare_gs_end(struct tpf_emit *e);

/* Resources (tpf_bindings.c). */
void tpf_emit_find_read_only(struct tpf_emit *e);
void tpf_emit_bind(struct tpf_emit *e);
/* Registers `first` to `first + count` of cb`n` are read. */
void tpf_emit_use_cb(struct tpf_emit *e, unsigned n, unsigned first,
                     unsigned count, unsigned mask);
const struct tpf_binding *tpf_emit_find(struct tpf_emit *e,
                                        enum tpf_binding_kind kind,
                                        unsigned set, unsigned binding);
/* The register of a chain of dereferences; false after an error. */
bool tpf_emit_deref(struct tpf_emit *e, nir_use *src,
                    enum tpf_binding_kind kind,
                    const struct tpf_binding **binding, unsigned *reg);
void tpf_emit_declare_resources(struct tpf_emit *e);
/* Shared variables that have g# of their own; the next one has the rest. */
unsigned tpf_emit_num_shared(const struct tpf_emit *e);
void tpf_emit_declare_shared(struct tpf_emit *e);
unsigned tpf_emit_dim(const struct glsl_type *type);

/* The container (tpf_container.c). */
void tpf_emit_container(struct tpf_emit *e, const struct tpf_shader *shader,
                        struct util_dynarray *out);

#endif
