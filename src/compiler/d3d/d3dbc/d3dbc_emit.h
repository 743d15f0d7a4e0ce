/* SPDX-License-Identifier: MIT */
/* What the files of d3dbc_from_nir share. */
#ifndef D3DBC_EMIT_H
#define D3DBC_EMIT_H

#include "compiler/d3d/d3d_intervals.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/ssa/nir_phi_webs.h"
#include "d3dbc_from_nir.h"
#include "d3dbc_text.h"

/* Two temporaries are kept for what an instruction needs on its way. */
#define D3DBC_EMIT_SCRATCH 2
#define D3DBC_EMIT_MAX_UBOS 16
#define D3DBC_EMIT_REPS 65025u /* 255 * 255 */

/* What a value is, as its uses say; all are floats in registers. */
enum d3dbc_class {
   D3DBC_CLASS_UNKNOWN,
   D3DBC_CLASS_FLOAT,
   D3DBC_CLASS_INT,
   D3DBC_CLASS_BOOL,
};

/* A component of an SSA value, or a register of NIR. */
struct d3dbc_value {
   struct d3d_place place;
   unsigned parent; /* union-find over what has one type */
   enum d3dbc_class class;
   bool allocate;
};

struct d3dbc_emit_loop {
   nir_loop *loop;
   unsigned trips; /* with the one that ends it; 0: not known */
   /* The if that the count replaces, and what runs in its place; NULL: rep
    * bounds the loop only. Two reps if count[1] is not 0. */
   nir_if *end;
   bool at_start; /* it stands at the start of the loop */
   struct list_head *runs_on;
   unsigned count[2];
   /* aL: step 0 if it is not used. */
   unsigned start;
   int step;
};

/* A uniform that is read as c[aL + reg]. */
struct d3dbc_emit_al_load {
   const nir_intrinsic_instr *load;
   unsigned reg, comp;
};

struct d3dbc_emit_level {
   unsigned depth; /* reps */
   bool wrapped;   /* innermost rep of one trip, which continue leaves */
   bool flagged;   /* breaks leave more than one */
   struct d3dbc_operand flag;
};

struct d3dbc_emit {
   struct arena *arena;
   nir_shader *nir;
   nir_function_impl *impl;
   const struct d3dbc_profile_info *pi;
   enum d3dbc_profile profile;
   struct d3d_error *error;
   bool failed, hlsl;
   bool vectors; /* operations may be on several components */
   /* The components that an operation on several of them is for; 0: it is on
    * one. Then scratch is whole registers, of which there may be too few. */
   uint8_t vector_mask;
   bool short_of_scratch;
   bool unrolls; /* loops whose count is known, as far as that is done */
   struct util_dynarray head, body; /* struct d3dbc_inst */

   struct d3dbc_value *values; /* SSA components, then registers */
   struct nir_phi_webs webs;
   unsigned num_values;

   struct {
      unsigned set, binding, first;
   } ubo[D3DBC_EMIT_MAX_UBOS];
   unsigned num_ubos, num_uniforms;
   struct util_dynarray pool; /* float: constants, four to a register */
   struct {
      unsigned count, start;
      int step;
   } counts[16]; /* i# */
   unsigned num_counts;
   unsigned first_sampler;
   uint8_t sampler_type[16];
   const nir_variable *texture[16], *sampler[16]; /* that s# stands for */
   unsigned colours;  /* oC# that are written, a bit each */
   int input_reg[64]; /* by varying slot or attribute; -1 */
   bool output_declared[64];
   /* By attribute, and by slot of a varying that has none of its own. */
   struct d3dbc_usage {
      bool known;
      uint8_t usage, index;
   } attribute[32], varying[64];
   unsigned num_inputs, num_outputs, num_scratch;
   bool vpos, vface;

   struct util_dynarray trips;    /* struct d3dbc_emit_loop */
   struct util_dynarray al_loads; /* struct d3dbc_emit_al_load */
   struct d3dbc_emit_level level[8];
   unsigned num_levels, reps;
   unsigned nesting;   /* ifs and loops around */
   unsigned num_temps; /* without the scratch */
};

bool d3dbc_emit_fail(struct d3dbc_emit *e, const char *fmt, ...)
   PRINTFLIKE(2, 3);

/* Inputs and outputs go where their semantics say (d3dbc_usages.c). */
void d3dbc_place_by_semantics(struct d3dbc_emit *e,
                              const struct d3d_semantics *semantics);

/* Vectors of scalars, in NIR without loops (d3dbc_vector.c), and of
 * instructions, when all are there (d3dbc_combine.c). */
void d3dbc_make_vectors(nir_shader *nir);
void d3dbc_combine(struct d3dbc_emit *e);

/* Types and registers (d3dbc_regalloc.c). */
void d3dbc_emit_infer(struct d3dbc_emit *e);
void d3dbc_emit_allocate(struct d3dbc_emit *e);
/* The type that source `src` has at component `comp` of the result. */
enum d3dbc_class d3dbc_emit_src_class(struct d3dbc_emit *e,
                                      nir_alu_instr *alu, unsigned src,
                                      unsigned comp);
unsigned d3dbc_emit_value(const struct d3dbc_emit *e, const nir_use *src,
                          unsigned comp);
unsigned d3dbc_emit_dest_value(const struct d3dbc_emit *e,
                               const nir_value *dest, unsigned comp);
enum d3dbc_class d3dbc_alu_class(nir_alu_type type);

/* Operands and instructions (d3dbc_emit.c). */
struct d3dbc_operand d3dbc_emit_reg(enum d3dbc_file file, unsigned index,
                                    unsigned comp);
struct d3dbc_operand d3dbc_emit_imm(struct d3dbc_emit *e, float v);
/* A register of four constants, as a source. */
struct d3dbc_operand d3dbc_emit_imm4(struct d3dbc_emit *e, const float v[4]);
/* `class` says what a constant is. */
struct d3dbc_operand d3dbc_emit_src(struct d3dbc_emit *e, nir_use *src,
                                    unsigned comp, enum d3dbc_class class);
struct d3dbc_operand d3dbc_emit_alu_src(struct d3dbc_emit *e,
                                        nir_alu_instr *alu, unsigned src,
                                        unsigned comp);
struct d3dbc_operand d3dbc_emit_dest(struct d3dbc_emit *e, nir_value *dest,
                                     unsigned comp);
struct d3dbc_operand d3dbc_emit_neg(struct d3dbc_operand o);
/* A component, or with e->vector_mask those, that live until the NIR
 * instruction ends. */
struct d3dbc_operand d3dbc_emit_scratch(struct d3dbc_emit *e);
/* All components of a scratch register; others of it may be in use. */
struct d3dbc_operand d3dbc_emit_scratch4(struct d3dbc_emit *e);
struct d3dbc_inst *d3dbc_emit_inst(struct d3dbc_emit *e, enum d3dbc_op op);
/* Refuses what takes derivatives inside of control flow, as the profiles do
 * for coordinates that are computed there. */
void d3dbc_emit_derivative(struct d3dbc_emit *e, const char *what);
void d3dbc_emit1(struct d3dbc_emit *e, enum d3dbc_op op,
                 struct d3dbc_operand d, struct d3dbc_operand a);
void d3dbc_emit2(struct d3dbc_emit *e, enum d3dbc_op op,
                 struct d3dbc_operand d, struct d3dbc_operand a,
                 struct d3dbc_operand b);
void d3dbc_emit3(struct d3dbc_emit *e, enum d3dbc_op op,
                 struct d3dbc_operand d, struct d3dbc_operand a,
                 struct d3dbc_operand b, struct d3dbc_operand c);
/* if or break, when a compares with b. */
void d3dbc_emit_compare(struct d3dbc_emit *e, enum d3dbc_op op, unsigned code,
                        struct d3dbc_operand a, struct d3dbc_operand b);
/* An i# that is defined so. */
struct d3dbc_operand d3dbc_emit_count(struct d3dbc_emit *e, unsigned count,
                                      unsigned start, int step);
struct d3dbc_operand d3dbc_emit_input(struct d3dbc_emit *e, unsigned slot,
                                      unsigned comp);
/* The constant table, as the first instruction (d3dbc_ctab_write.c). */
void d3dbc_emit_ctab(struct d3dbc_emit *e);
struct d3dbc_shader *d3dbc_emit_finish(struct d3dbc_emit *e);

/* Control flow: what is known of loops, in SSA (d3dbc_trips.c); loops and
 * jumps (d3dbc_loop.c); lists of all kinds (d3dbc_from_nir.c). */
void d3dbc_count_trips(struct d3dbc_emit *e);
const struct d3dbc_emit_loop *d3dbc_loop_of(const struct d3dbc_emit *e,
                                            const nir_loop *loop);
bool d3dbc_used_outside(nir_value *def, const nir_loop *loop);
/* NULL: the load does not go by aL. */
const struct d3dbc_emit_al_load *
d3dbc_al_load(const struct d3dbc_emit *e, const nir_intrinsic_instr *load);
void d3dbc_emit_loop(struct d3dbc_emit *e, nir_loop *loop);
void d3dbc_emit_jump(struct d3dbc_emit *e, nir_jump_instr *jump);
void d3dbc_emit_list(struct d3dbc_emit *e, struct list_head *list);

/* Instructions (d3dbc_select.c, d3dbc_select_io.c). */
void d3dbc_select_alu(struct d3dbc_emit *e, nir_alu_instr *alu);
/* fdot3 and fdot4 (d3dbc_vector.c). */
void d3dbc_select_dot(struct d3dbc_emit *e, nir_alu_instr *alu, unsigned n);
/* Components that lie in one register: into `all`, component c of them where
 * place[c] says, which is where the result has it. */
bool d3dbc_in_one_register(const struct d3dbc_operand *o,
                           const uint8_t *place, unsigned n,
                           struct d3dbc_operand *all);
void d3dbc_select_intrinsic(struct d3dbc_emit *e, nir_intrinsic_instr *intr);
void d3dbc_select_tex(struct d3dbc_emit *e, nir_tex_instr *tex);

#endif
