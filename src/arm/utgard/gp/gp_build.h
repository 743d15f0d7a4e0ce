/* SPDX-License-Identifier: MIT */
/*
 * From NIR to graphs: what gp_types.c (floats that stand for integers),
 * gp_alloc.c (values that cross blocks), gp_alu.c (operations) and
 * gp_from_nir.c (blocks and control flow) share.
 */
#ifndef GP_BUILD_H
#define GP_BUILD_H

#include "gp_compiler.h"
#include "gp_ir.h"

enum gpc_type {
   GPC_TYPE_UNKNOWN,
   GPC_TYPE_FLOAT,
   GPC_TYPE_INT,
   GPC_TYPE_BOOL,
};

#define MAX_MOVED 4096

/* One of the shader's own arrays that lies in temporaries. */
struct gpc_array {
   nir_variable *var;
   unsigned first, count; /* vec4, from the first temporary */
};

/* What gp_nir.c lays out. */
struct gpc_memory {
   struct arena *arena; /* of the program: NIR's own moves */
   unsigned uniforms;   /* vec4 that are used */
   unsigned *sources;   /* of each: its place among all that are declared */
   const char *beyond; /* the uniform that ends beyond the last; NULL: none */
   struct gpc_array *arrays;
   unsigned num_arrays, array_vec4s;
   char *error;      /* NULL: none */
   unsigned selects; /* words that arrays might take as such, about */
   bool no_arrays;   /* asked for: all become selects */
};

/* A scalar of such an array that an operation loads or stores. */
struct gpc_access {
   const struct gpc_array *array;
   uint32_t node;
   uint32_t address; /* 1 + the GPC_OP_ADDRESS of a load; 0: none */
   int vec4;         /* -1: any of the array */
   unsigned comp;
   bool is_store;
};

/* A scalar that lives in more than one block, or a phi. */
struct gpc_var {
   nir_component def;
   float weight; /* uses, more in loops */
   int32_t reg;  /* scalar; -1: in a temporary */
   int32_t temp; /* scalar */
};

struct gpc_build {
   struct arena *arena;
   nir_shader *nir;
   nir_function_impl *impl;
   const struct gpc_options *options;
   struct gpc_program *program;
   struct gpc_literals literals;
   char *error;
   bool too_large; /* the error is want of words or memory */
   struct gpc_memory memory;

   /* gp_types.c: by SSA index, with union-find. */
   uint32_t *type_parent;
   uint8_t *type;

   /* gp_alloc.c */
   struct gpc_var *vars;
   unsigned num_vars, num_temps;      /* temps: vec4 */
   int32_t *var_of;                   /* by SSA index; -1: none */
   BITSET_WORD **live_in, **live_out; /* by block */

   /* Values of this block, and of those that any block can load again. */
   struct gpc_ref *refs; /* by SSA index, [4] */
   nir_block **made_in;  /* by SSA index; NULL: not yet */

   /* The block that is being made. */
   nir_block *block;
   struct util_dynarray nodes;  /* struct gpc_node */
   struct util_dynarray orders; /* struct gpc_order */
   uint32_t *moved_uniform;     /* 1 + node, by scalar: [MAX_MOVED] */
   struct util_dynarray moved;  /* those that are set */

   struct util_dynarray blocks;   /* struct gpc_block */
   struct gpc_ref index, address; /* the last of this block */
   struct gpc_ref store_index, store_base, store_address; /* likewise */
   struct util_dynarray accesses; /* struct gpc_access */
   struct gpc_ref position[4]; /* of this block; GPC_REF_NONE: not stored */
};

/* Reports the first error; the place is an instruction, or NULL. */
void gpc_error(struct gpc_build *b, const nir_instr *where, const char *fmt,
               ...) PRINTFLIKE(3, 4);

/* ---- gp_nir.c, gp_arrays.c ---- */

/* Variables become values, memory becomes uniforms and temporaries. False:
 * m->error, in the shader's arena. */
bool gpc_lower_nir(nir_shader *nir, struct gpc_memory *m);

/* Arrays with a variable index: selects, or left for gpc_lower_arrays(), for
 * which there are so many vec4. */
bool gpc_choose_arrays(nir_shader *nir, unsigned vec4s, struct gpc_memory *m);
/* What is left becomes load_scratch and store_scratch. Constants must not be
 * folded after it. */
bool gpc_lower_arrays(nir_shader *nir, struct gpc_memory *m);

/* ---- gp_varyings.c ---- */

/* Gives each output that is interpolated a place. False: too many. */
bool gpc_assign_varyings(struct gpc_build *b);

/* ---- gp_memory.c ---- */

void gpc_build_array_load(struct gpc_build *b, nir_intrinsic_instr *intr);
void gpc_build_array_store(struct gpc_build *b, nir_intrinsic_instr *intr);
/* Of what an access to an array moves; `src` is its offset. */
enum gpc_type gpc_array_type(const struct gpc_build *b,
                             const nir_intrinsic_instr *intr, unsigned src);
/* The operation that puts an index into an address register. */
struct gpc_ref gpc_address_for(struct gpc_build *b, struct gpc_ref index);
/* `map`: from operations as they were emitted to those of the block. */
void gpc_order_accesses(struct gpc_build *b, const uint32_t *map);

/* ---- gp_types.c ---- */

/* Finds out which 32-bit values are integers. */
void gpc_infer_types(struct gpc_build *b);
enum gpc_type gpc_type_of(struct gpc_build *b, const nir_value *def);

/* ---- gp_alloc.c ---- */

/* Chooses the values that need a place between blocks, and the places. */
void gpc_allocate(struct gpc_build *b);
/* The variable of a scalar; NULL: it has none. */
struct gpc_var *gpc_var_of(struct gpc_build *b, nir_component s);
/* Whether every block can load the scalar again for nothing. */
bool gpc_is_load(nir_component s);
/* Through moves and vectors to where the scalar is made. */
nir_component gpc_origin(const nir_use *src, unsigned comp);
/* Scalars of registers that the block must leave alone. */
uint64_t gpc_reserved_registers(const struct gpc_build *b,
                                const nir_block *block);

/* ---- gp_node.c ---- */

struct gpc_ref gpc_emit(struct gpc_build *b, enum gpc_op op, struct gpc_ref x,
                        struct gpc_ref y, struct gpc_ref z);
struct gpc_ref gpc_float(struct gpc_build *b, float f);
/* A literal vec4's scalar whose x is hi and y is lo. */
struct gpc_ref gpc_clamp(struct gpc_build *b, struct gpc_ref x, float lo,
                         float hi);
static inline struct gpc_ref
gpc_negate(struct gpc_ref r)
{
   r.negate = !r.negate;
   return r;
}
/* Writes `value` to scalar `index` of the temporaries, or to where `address`
 * says with this component, as the last operation so far. */
struct gpc_ref gpc_emit_temp_store(struct gpc_build *b, unsigned index,
                                   struct gpc_ref value,
                                   struct gpc_ref address, bool is_indexed);
void gpc_add_order(struct gpc_build *b, uint32_t from, uint32_t to,
                   unsigned distance);
/* Begins a block without operations, and hands over what was emitted. */
void gpc_begin_block(struct gpc_build *b);
void gpc_finish_block(struct gpc_build *b, struct gpc_block *out);
/* Stores a value at the end of what was emitted, or where it is made. */
void gpc_emit_store(struct gpc_build *b, unsigned kind, unsigned index,
                    struct gpc_ref value);

#define GPC_NONE ((struct gpc_ref) { 0 })
static inline struct gpc_ref
gpc_emit1(struct gpc_build *b, enum gpc_op op, struct gpc_ref x)
{
   return gpc_emit(b, op, x, GPC_NONE, GPC_NONE);
}
static inline struct gpc_ref
gpc_emit2(struct gpc_build *b, enum gpc_op op, struct gpc_ref x,
          struct gpc_ref y)
{
   return gpc_emit(b, op, x, y, GPC_NONE);
}

/* ---- gp_alu.c ---- */

void gpc_build_alu(struct gpc_build *b, nir_alu_instr *alu);

/* ---- gp_from_nir.c ---- */

/* A scalar as operand in the present block; `type` is that of a literal. */
struct gpc_ref gpc_ref_for(struct gpc_build *b, nir_component s,
                           enum gpc_type type);
void gpc_set_ref(struct gpc_build *b, const nir_value *def, unsigned comp,
                 struct gpc_ref r);
/* All blocks, in the order of the program. */
void gpc_build_blocks(struct gpc_build *b);

#endif
