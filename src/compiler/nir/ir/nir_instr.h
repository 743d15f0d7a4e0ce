/* SPDX-License-Identifier: MIT */
/* The other instructions; casts between kinds; scalars of values. */
#ifndef NIR_INSTR_H
#define NIR_INSTR_H

#include "ir/nir_alu.h"
#include "ir/nir_deref.h"
#include "ir/nir_intrinsic.h"
#include "ir/nir_tex.h"

typedef struct nir_load_const_instr {
   nir_instr instr;
   nir_ssa_def def;
   nir_const_value value[];
} nir_load_const_instr;

typedef enum {
   nir_jump_return,
   nir_jump_halt,
   nir_jump_break,
   nir_jump_continue,
   /* In unstructured functions only (nir_function_impl.structured). */
   nir_jump_goto,
   nir_jump_goto_if,
} nir_jump_type;

typedef struct nir_jump_instr {
   nir_instr instr;
   nir_jump_type type;
   nir_src condition;                      /* goto_if */
   struct nir_block *target, *else_target; /* goto, goto_if; never the same */
} nir_jump_instr;

typedef struct nir_ssa_undef_instr {
   nir_instr instr;
   nir_ssa_def def;
} nir_ssa_undef_instr;

typedef struct nir_phi_src {
   struct list_head node;
   struct nir_block *pred;
   nir_src src;
} nir_phi_src;

typedef struct nir_phi_instr {
   nir_instr instr;
   struct list_head srcs; /* nir_phi_src, one for each predecessor */
   nir_dest dest;
   struct arena *arena; /* where nir_phi_instr_add_src allocates */
} nir_phi_instr;

#define nir_foreach_phi_src(phi_src, phi)                                    \
   list_for_each_entry(nir_phi_src, phi_src, &(phi)->srcs, node)
#define nir_foreach_phi_src_safe(phi_src, phi)                               \
   list_for_each_entry_safe(nir_phi_src, phi_src, &(phi)->srcs, node)

/* The source that comes from `block`; there must be one. */
nir_phi_src *nir_phi_get_src_from_block(nir_phi_instr *phi,
                                        struct nir_block *block);
nir_phi_src *nir_phi_instr_add_src(nir_phi_instr *phi, struct nir_block *pred,
                                   nir_src src);

/* Where an instruction reads a value: a phi does at the end of the block that
 * the value comes from. */
static inline struct nir_block *
nir_use_block(const nir_src *use)
{
   if (use->parent_instr->type != nir_instr_type_phi)
      return use->parent_instr->block;
   return CONTAINER_OF(use, nir_phi_src, src)->pred;
}

NIR_DEFINE_CAST(nir_instr_as_alu, nir_instr, nir_alu_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_deref, nir_instr, nir_deref_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_call, nir_instr, nir_call_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_tex, nir_instr, nir_tex_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_intrinsic, nir_instr, nir_intrinsic_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_load_const, nir_instr, nir_load_const_instr,
                instr)
NIR_DEFINE_CAST(nir_instr_as_jump, nir_instr, nir_jump_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_ssa_undef, nir_instr, nir_ssa_undef_instr, instr)
NIR_DEFINE_CAST(nir_instr_as_phi, nir_instr, nir_phi_instr, instr)

/* The instruction that made an SSA source, if of that kind; else NULL. */
nir_intrinsic_instr *nir_src_as_intrinsic(nir_src src);

/* A scalar component of a value. */
typedef struct nir_ssa_scalar {
   nir_ssa_def *def;
   unsigned comp;
} nir_ssa_scalar;

static inline nir_ssa_scalar
nir_get_ssa_scalar(nir_ssa_def *def, unsigned comp)
{
   return (nir_ssa_scalar) { def, comp };
}

bool nir_ssa_scalar_is_const(nir_ssa_scalar s);
nir_const_value nir_ssa_scalar_as_const_value(nir_ssa_scalar s);
uint64_t nir_ssa_scalar_as_uint(nir_ssa_scalar s);
bool nir_ssa_scalar_as_bool(nir_ssa_scalar s);
bool nir_ssa_scalar_is_alu(nir_ssa_scalar s);
/* The scalar that an ALU source reads for this component. */
nir_ssa_scalar nir_ssa_scalar_chase_alu_src(nir_ssa_scalar s, unsigned src);
/* Through movs and vecs to where the component is made. */
nir_ssa_scalar nir_ssa_scalar_chase_movs(nir_ssa_scalar s);
/* Whether any instruction or if uses the value. */
static inline bool
nir_ssa_def_is_unused(const nir_ssa_def *def)
{
   return list_is_empty(&def->uses) && list_is_empty(&def->if_uses);
}

/* The same of a destination. */
static inline bool
nir_dest_is_unused(const nir_dest *dest)
{
   return nir_ssa_def_is_unused(&dest->ssa);
}

/* Whether it is a discard, demote or terminate, with a condition or none. */
bool nir_instr_ends_channels(const nir_instr *instr);

nir_component_mask_t nir_ssa_def_components_read(const nir_ssa_def *def);
nir_component_mask_t nir_src_components_read(const nir_src *src);

#endif
