/* SPDX-License-Identifier: MIT */
/* What the files of d3dbc_to_nir share. */
#ifndef D3DBC_NIR_H
#define D3DBC_NIR_H

#include "compiler/nir/nir_builder.h"
#include "d3dbc_to_nir.h"

/* Instructions after calls are expanded; more is refused. */
#define D3DBC_NIR_MAX_STEPS (1u << 17)
#define D3DBC_NIR_MAX_CALLS 16
#define D3DBC_NIR_REGS 32

struct d3dbc_nir_frame {
   enum d3dbc_op op;
   nir_loop *loop;
   nir_if *nif;
   nir_variable *counter; /* iterations done */
   nir_value *count, *step;
   nir_variable *al; /* of this loop, NULL for rep */
};

struct d3dbc_nir {
   nir_builder b;
   const struct d3dbc_shader *shader;
   const struct d3dbc_profile_info *pi;
   const struct d3dbc_to_nir_options *options;
   const struct d3dbc_inst *inst;
   struct d3d_error *error;
   bool failed;
   unsigned steps, calls;
   size_t label[2048]; /* the instruction after; 0: no such label */

   struct d3dbc_nir_frame nest[D3DBC_MAX_NESTING];
   unsigned depth;

   /* Locals by file and register, made when they are met. */
   nir_variable *local[D3DBC_FILE_COUNT][D3DBC_NIR_REGS];
   /* Whole files that are addressed relatively: arrays. */
   nir_variable *array[D3DBC_FILE_COUNT];
   nir_variable *addr, *pred;
   nir_variable *ubo[4];
   nir_variable *texture[16], *sampler[16];
   uint8_t sampler_type[16];

   /* dcl by register and component: inputs (v, t), outputs (o). Components
    * of a register may have different ones. */
   const struct d3dbc_inst *dcl[D3DBC_FILE_COUNT][D3DBC_NIR_REGS][4];
   const struct d3dbc_inst **def_c, **def_i, **def_b;
   unsigned *defs; /* the c# that have a def */
   unsigned num_defs;

   /* ps_1_x: rows of a matrix that texm3x* multiplies with */
   nir_value *row[3];
   /* ps_1_x: the next instruction happens together with this one (+), whose
    * result waits until that has read. */
   bool paired;
   nir_variable *late;
   nir_value *late_value;
   unsigned late_mask;
};

/* The first error stays. Always false. */
bool d3dbc_nir_fail(struct d3dbc_nir *t, const char *fmt, ...)
   PRINTFLIKE(2, 3);

/* Registers (d3dbc_nir_reg.c). */
bool d3dbc_nir_declare(struct d3dbc_nir *t);
void d3dbc_nir_store_outputs(struct d3dbc_nir *t);
/* Register o + add, without modifier and swizzle. */
nir_value *d3dbc_nir_reg(struct d3dbc_nir *t, const struct d3dbc_operand *o,
                         unsigned add);
nir_value *d3dbc_nir_src(struct d3dbc_nir *t, const struct d3dbc_operand *o);
/* Register o + add: rows of matrices stand in a row. */
nir_value *d3dbc_nir_src_row(struct d3dbc_nir *t,
                             const struct d3dbc_operand *o, unsigned add);
/* One bool: b#, or a component of p0. */
nir_value *d3dbc_nir_condition(struct d3dbc_nir *t,
                               const struct d3dbc_operand *o);
/* The predicate of the instruction, four bools. */
nir_value *d3dbc_nir_predicate(struct d3dbc_nir *t);
nir_value *d3dbc_nir_int_const(struct d3dbc_nir *t,
                               const struct d3dbc_operand *o);
/* Writes the instruction's destination: shift, _sat, predicate, mask. */
void d3dbc_nir_write(struct d3dbc_nir *t, nir_value *value);
/* A result that has waited for the second instruction of a pair. */
void d3dbc_nir_write_late(struct d3dbc_nir *t);
void d3dbc_nir_write_depth(struct d3dbc_nir *t, nir_value *depth);
nir_value *d3dbc_nir_texcoord(struct d3dbc_nir *t, unsigned stage);
nir_value *d3dbc_nir_bump(struct d3dbc_nir *t, unsigned stage, unsigned row);

/* Arithmetic (d3dbc_nir_alu.c, and from the rows d3dbc_nir_map.c). */
void d3dbc_nir_alu(struct d3dbc_nir *t);
nir_value *d3dbc_mul(struct d3dbc_nir *t, nir_value *x, nir_value *y);
/* The first n components, added from left to right; one component. */
nir_value *d3dbc_dot(struct d3dbc_nir *t, nir_value *x, nir_value *y,
                     unsigned n);
nir_value *d3dbc_nir_row_result(struct d3dbc_nir *t, nir_value **s);
nir_value *d3dbc_nir_compare(struct d3dbc_nir *t, unsigned code, nir_value *x,
                             nir_value *y);

/* Textures (d3dbc_nir_tex.c); false if the opcode is none of them. */
bool d3dbc_nir_tex(struct d3dbc_nir *t);

#endif
