/* SPDX-License-Identifier: MIT */
/* The state of the validator, shared by its files. */
#ifndef NIR_VALIDATE_PRIVATE_H
#define NIR_VALIDATE_PRIVATE_H

#include "nir.h"
#include "util/hash_table.h"
#include "util/strbuf.h"

struct nir_validate {
   struct strbuf faults;
   struct arena *arena;
   nir_shader *shader;
   nir_function_impl *impl;
   nir_block *block;
   nir_instr *instr;
   const nir_variable *var;
   struct hash_table defs;   /* SSA values defined so far in the function */
   struct hash_table srcs;   /* sources that stand in the code */
   struct hash_table blocks; /* blocks in the function */
   struct hash_table vars;   /* variables in scope */
   unsigned loop_depth;
   bool bad_tree; /* blocks, ifs and loops cannot be walked */
};

void nir_validate_fault(struct nir_validate *v, const char *rule);

#define CHECK(cond, rule)                                                    \
   do {                                                                      \
      if (!(cond))                                                           \
         nir_validate_fault(v, rule);                                        \
   } while (0)

/* A rule without which the walks over a function lose their way. */
#define CHECK_TREE(cond, rule)                                               \
   do {                                                                      \
      if (!(cond)) {                                                         \
         nir_validate_fault(v, rule);                                        \
         v->bad_tree = true;                                                 \
      }                                                                      \
   } while (0)

bool nir_validate_is_bit_size(unsigned b);
/* What has no value has no size either. */
bool nir_validate_is_there(const nir_use *src);
/* bit_size and components of 0 allow any. */
void nir_validate_src(struct nir_validate *v, nir_use *src, unsigned bit_size,
                      unsigned components);
void nir_validate_phi_srcs(struct nir_validate *v, nir_phi_instr *phi);
void nir_validate_instr(struct nir_validate *v, nir_instr *instr);

void nir_validate_edges(struct nir_validate *v, nir_block *block);
void nir_validate_cf_list(struct nir_validate *v, struct list_head *list,
                          nir_cf_node *parent);
/* Every use in a value's list stands in the code, and no other. */
void nir_validate_use_lists(struct nir_validate *v);
/* Means nothing when edges are wrong. */
void nir_validate_dominance(struct nir_validate *v, nir_function_impl *impl);

#endif
