/* SPDX-License-Identifier: MIT */
/* Derefs: paths into variables and memory. */
#ifndef NIR_DEREF_H
#define NIR_DEREF_H

#include "ir/nir_value.h"

typedef enum {
   nir_deref_type_var,
   nir_deref_type_array,
   nir_deref_type_array_wildcard,
   nir_deref_type_ptr_as_array,
   nir_deref_type_struct,
   nir_deref_type_cast,
} nir_deref_type;

typedef struct nir_deref_instr {
   nir_instr instr;
   nir_deref_type deref_type;
   nir_variable_mode modes;
   const struct glsl_type *type;
   nir_variable *var;     /* nir_deref_type_var: no operands */
   nir_use parent, index; /* operands of all others; of arrays both */
   bool in_bounds;        /* of an array, at each index that occurs */
   unsigned member;       /* nir_deref_type_struct */
   struct {
      unsigned ptr_stride, align_mul, align_offset;
   } cast;
} nir_deref_instr;

static inline bool
nir_deref_mode_is(const nir_deref_instr *deref, nir_variable_mode mode)
{
   return deref->modes == mode;
}

static inline bool
nir_deref_mode_is_one_of(const nir_deref_instr *deref, unsigned modes)
{
   return (deref->modes & ~modes) == 0;
}

static inline bool
nir_deref_mode_may_be(const nir_deref_instr *deref, unsigned modes)
{
   return (deref->modes & modes) != 0;
}

/* NULL at the variable. */
nir_deref_instr *nir_deref_parent(const nir_deref_instr *instr);
/* NULL if the chain does not begin at a variable. */
nir_variable *nir_deref_root(const nir_deref_instr *instr);
nir_deref_instr *nir_use_as_deref(nir_use src);
/* Removes the deref and then its parents as far as they have no use. */
bool nir_deref_remove_unused(nir_deref_instr *instr);
unsigned nir_deref_stride(const nir_deref_instr *instr);

typedef struct nir_deref_path {
   nir_deref_instr *_short_path[7];
   /* From the variable to the deref, ended by NULL. */
   nir_deref_instr **path;
} nir_deref_path;

void nir_deref_path_init(nir_deref_path *path, nir_deref_instr *deref,
                         void *unused_mem_ctx);
void nir_deref_path_finish(nir_deref_path *path);

typedef enum {
   nir_derefs_disjoint = 0,
   nir_derefs_equal = (1 << 0),
   nir_derefs_may_overlap = (1 << 1),
   nir_derefs_a_holds_b = (1 << 2),
   nir_derefs_b_holds_a = (1 << 3),
} nir_derefs_relation;

nir_derefs_relation nir_relate_derefs(nir_deref_instr *a, nir_deref_instr *b);

#endif
