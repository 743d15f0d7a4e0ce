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
   nir_use condition;                      /* goto_if */
   struct nir_block *target, *else_target; /* goto, goto_if; never the same */
} nir_jump_instr;

typedef struct nir_phi_source {
   struct list_head node;
   struct nir_block *pred; /* at whose end the value is read */
   nir_use use;
} nir_phi_source;

typedef struct nir_phi_instr {
   nir_instr instr;
   struct list_head srcs; /* nir_phi_source, one for each predecessor */
   struct arena *arena;   /* where nir_phi_add_source allocates */
} nir_phi_instr;

#define nir_foreach_phi_source(phi_src, phi)                                 \
   list_for_each_entry(nir_phi_source, phi_src, &(phi)->srcs, node)
#define nir_foreach_phi_source_safe(phi_src, phi)                            \
   list_for_each_entry_safe(nir_phi_source, phi_src, &(phi)->srcs, node)

/* The source that comes from `block`; there must be one. */
nir_phi_source *nir_phi_source_from(nir_phi_instr *phi,
                                    struct nir_block *block);
nir_phi_source *nir_phi_add_source(nir_phi_instr *phi, struct nir_block *pred,
                                   nir_use src);

/* The block in which a value is read. A phi reads it at the end of the block
 * that it comes from, an if at the end of the block before the if. */
struct nir_block *nir_use_block(const nir_use *use);

/* Casts: nir_instr_as_alu() of what is one, nir_maybe_alu() of what may be
 * one (else NULL), and so for each kind. */
#define NIR_KIND(name)                                                       \
   NIR_DEFINE_CAST(nir_instr_as_##name, nir_instr, nir_##name##_instr,       \
                   instr)                                                    \
   static inline nir_##name##_instr *nir_maybe_##name(                       \
      const nir_instr *instr)                                                \
   {                                                                         \
      return instr->kind == nir_kind_##name ? nir_instr_as_##name(instr)     \
                                            : NULL;                          \
   }
NIR_KIND(alu)
NIR_KIND(deref)
NIR_KIND(call)
NIR_KIND(tex)
NIR_KIND(intrinsic)
NIR_KIND(load_const)
NIR_KIND(jump)
NIR_KIND(phi)
#undef NIR_KIND

/* The instruction that made an SSA source, if of that kind; else NULL. */
nir_intrinsic_instr *nir_use_as_intrinsic(nir_use src);

/* A scalar component of a value. */
typedef struct nir_component {
   nir_value *def;
   unsigned comp;
} nir_component;

static inline nir_component
nir_component_of(nir_value *def, unsigned comp)
{
   return (nir_component) { def, comp };
}

bool nir_component_is_const(nir_component s);
nir_const_value nir_component_as_const_value(nir_component s);
uint64_t nir_component_as_uint(nir_component s);
bool nir_component_as_bool(nir_component s);
bool nir_component_is_alu(nir_component s);
/* The scalar that an ALU source reads for this component. */
nir_component nir_component_of_operand(nir_component s, unsigned src);
/* Through movs and vecs to where the component is made. */
nir_component nir_component_through_movs(nir_component s);

/* Whether it is a discard, demote or terminate, with a condition or none. */
bool nir_instr_ends_channels(const nir_instr *instr);

nir_component_mask_t nir_value_components_read(const nir_value *def);
nir_component_mask_t nir_use_components_read(const nir_use *src);

#endif
