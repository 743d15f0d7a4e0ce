/* SPDX-License-Identifier: MIT */
/* Values, and how an instruction names them as source or destination. */
#ifndef NIR_VALUE_H
#define NIR_VALUE_H

#include "ir/nir_variable.h"

typedef enum {
   nir_instr_type_alu,
   nir_instr_type_deref,
   nir_instr_type_call,
   nir_instr_type_tex,
   nir_instr_type_intrinsic,
   nir_instr_type_load_const,
   nir_instr_type_jump,
   nir_instr_type_ssa_undef,
   nir_instr_type_phi,
} nir_instr_type;

typedef struct nir_instr {
   struct list_head node; /* links NULL when in no block */
   struct nir_block *block;
   nir_instr_type type;
   uint8_t pass_flags; /* free for passes */
   unsigned index;     /* nir_index_instrs */
   uint32_t location;  /* of nir_shader.locations; 0: not known */
} nir_instr;

typedef struct nir_ssa_def {
   nir_instr *parent_instr;
   struct list_head uses, if_uses; /* nir_src.use_link */
   unsigned index;                 /* dense in the function */
   uint8_t num_components, bit_size;
   bool divergent;
} nir_ssa_def;

typedef struct nir_src {
   union {
      nir_instr *parent_instr;
      struct nir_if *parent_if;
   };
   struct list_head use_link;
   nir_ssa_def *ssa;
} nir_src;

typedef struct nir_dest {
   nir_ssa_def ssa;
} nir_dest;

#define NIR_SRC_INIT                                                         \
   (nir_src)                                                                 \
   {                                                                         \
      {                                                                      \
         NULL                                                                \
      }                                                                      \
   }
#define nir_foreach_use(src, def)                                            \
   list_for_each_entry(nir_src, src, &(def)->uses, use_link)
#define nir_foreach_use_safe(src, def)                                       \
   list_for_each_entry_safe(nir_src, src, &(def)->uses, use_link)
#define nir_foreach_if_use(src, def)                                         \
   list_for_each_entry(nir_src, src, &(def)->if_uses, use_link)
#define nir_foreach_if_use_safe(src, def)                                    \
   list_for_each_entry_safe(nir_src, src, &(def)->if_uses, use_link)

static inline nir_src
nir_src_for_ssa(nir_ssa_def *def)
{
   nir_src src = NIR_SRC_INIT;
   src.ssa = def;
   return src;
}

static inline unsigned
nir_src_bit_size(nir_src src)
{
   return src.ssa->bit_size;
}

static inline unsigned
nir_src_num_components(nir_src src)
{
   return src.ssa->num_components;
}

static inline unsigned
nir_dest_bit_size(nir_dest dest)
{
   return dest.ssa.bit_size;
}

static inline unsigned
nir_dest_num_components(nir_dest dest)
{
   return dest.ssa.num_components;
}

static inline bool
nir_src_is_const(nir_src src)
{
   return src.ssa->parent_instr->type == nir_instr_type_load_const;
}

static inline bool
nir_src_is_undef(nir_src src)
{
   return src.ssa->parent_instr->type == nir_instr_type_ssa_undef;
}

/* Values of constant sources; the source must be a load_const. */
nir_const_value nir_src_comp_as_const_value(nir_src src, unsigned comp);
uint64_t nir_src_comp_as_uint(nir_src src, unsigned comp);
int64_t nir_src_comp_as_int(nir_src src, unsigned comp);
double nir_src_comp_as_float(nir_src src, unsigned comp);
bool nir_src_comp_as_bool(nir_src src, unsigned comp);

static inline uint64_t
nir_src_as_uint(nir_src src)
{
   return nir_src_comp_as_uint(src, 0);
}

static inline int64_t
nir_src_as_int(nir_src src)
{
   return nir_src_comp_as_int(src, 0);
}

static inline bool
nir_src_as_bool(nir_src src)
{
   return nir_src_comp_as_bool(src, 0);
}

/* NULL if the source is not constant. */
const nir_const_value *nir_src_as_const_value(nir_src src);
bool nir_srcs_equal(nir_src a, nir_src b);

#endif
