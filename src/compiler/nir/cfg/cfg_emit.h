/* SPDX-License-Identifier: MIT */
/*
 * What cfg_emit.c and cfg_ssa.c share: variables that are written and read
 * in blocks of NIR until they are values in SSA form again.
 *
 * A variable is one of three: a value whose block has copies, what comes
 * into a phi, or a predicate. What a block reads before it writes is a
 * placeholder: an instruction that is in no block.
 */
#ifndef CFG_EMIT_H
#define CFG_EMIT_H

#include "cfg/cfg_tree.h"

struct cfg_write {
   int var;
   unsigned block;
   nir_value *def;
};

struct cfg_vars {
   struct arena *arena;
   nir_function_impl *impl;
   nir_shader *shader;
   struct util_dynarray blocks; /* nir_block *, by index */
   struct util_dynarray writes; /* struct cfg_write, any order */
   struct util_dynarray reads;  /* struct cfg_write: placeholders */
   struct hash_table last;      /* variable << 32 | block: nir_value */
   struct hash_table at_start;  /* the same: placeholder */
   struct hash_table forward;   /* placeholder or phi: what it became */
   struct util_dynarray phis;   /* nir_phi_instr *: made here */
};

void cfg_vars_init(struct cfg_vars *v, nir_function_impl *impl,
                   struct arena *arena);
void cfg_vars_finish(struct cfg_vars *v);
void cfg_write(struct cfg_vars *v, int var, nir_block *block, nir_value *def);
/* As it is at the end of the block so far. */
nir_value *cfg_read(struct cfg_vars *v, int var, nir_block *block,
                    unsigned num_components, unsigned bit_size);
/* Appends an instruction whose sources are set. */
void cfg_put(struct cfg_vars *v, nir_block *block, nir_instr *instr);
/* Makes values of all variables and then of every value whose definition
 * does not dominate its uses any more. `next_var`: a number from which on
 * variables are free. The edges of the function must be there. */
void cfg_vars_to_ssa(struct cfg_vars *v, int next_var);

#endif
