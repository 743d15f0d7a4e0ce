/* SPDX-License-Identifier: MIT */
/* Instructions, what they compute, and who reads it: see docs/ir.rst. */
#ifndef NIR_VALUE_H
#define NIR_VALUE_H

#include "ir/nir_variable.h"

/* Each has a struct that begins with the nir_instr, but nir_kind_undef: that
 * one is nothing more than its result. */
typedef enum {
   nir_kind_alu,
   nir_kind_deref,
   nir_kind_call,
   nir_kind_tex,
   nir_kind_intrinsic,
   nir_kind_load_const,
   nir_kind_jump,
   nir_kind_undef,
   nir_kind_phi,
} nir_instr_kind;

/* A vector that an instruction computes: it lies in the instruction. */
typedef struct nir_value {
   struct nir_instr *instr; /* that computes it */
   struct list_head uses;   /* nir_use.link: of instructions and ifs alike */
   unsigned index;          /* dense in the function: nir_number_values() */
   uint8_t num_components;  /* 0: the instruction has no result */
   uint8_t bit_size;        /* of each component: 1, 8, 16, 32 or 64 */
   bool divergent; /* may differ between channels: nir_find_divergence() */
} nir_value;

/*
 * One reading of a value. Its reader is an instruction or, as a condition, an
 * if: one of `instr` and `nif` is NULL. The use is in the list of its value
 * exactly while the reader is in a function.
 */
typedef struct nir_use {
   nir_value *value; /* NULL: none yet */
   struct list_head link;
   struct nir_instr *instr;
   struct nir_if *nif;
} nir_use;

typedef struct nir_instr {
   struct list_head node; /* in its block; links NULL when in none */
   struct nir_block *block;
   nir_value result;
   /* An array of structs of operand_B bytes that begin with a nir_use. Not of
    * phis, whose sources come and go with edges: nir_phi_instr.srcs. */
   nir_use *operands;
   uint16_t num_operands;
   uint8_t operand_B;
   uint8_t pass_flags; /* free for passes */
   nir_instr_kind kind;
   unsigned index;    /* nir_number_instrs() */
   uint32_t location; /* of nir_shader.locations; 0: not known */
} nir_instr;

/* The value that the instruction computes; NULL if it computes none. */
static inline nir_value *
nir_instr_value(nir_instr *instr)
{
   return instr->result.num_components ? &instr->result : NULL;
}

/* Operand `i` as what every kind has of it. */
static inline nir_use *
nir_instr_use(const nir_instr *instr, unsigned i)
{
   return (nir_use *)((char *)instr->operands + i * instr->operand_B);
}

/* Walks over the uses of a value: all, those of instructions, those that are
 * conditions of ifs. In the body of a `_safe` one `use` may leave its list.
 */
#define nir_foreach_use(use, of)                                             \
   list_for_each_entry(nir_use, use, &(of)->uses, link)
#define nir_foreach_use_safe(use, of)                                        \
   list_for_each_entry_safe(nir_use, use, &(of)->uses, link)
#define nir_foreach_instr_use(use, of)                                       \
   nir_foreach_use(use, of)                                                  \
      if (use->nif) {                                                        \
      } else
#define nir_foreach_instr_use_safe(use, of)                                  \
   nir_foreach_use_safe(use, of)                                             \
      if (use->nif) {                                                        \
      } else
#define nir_foreach_if_use(use, of)                                          \
   nir_foreach_use(use, of)                                                  \
      if (!use->nif) {                                                       \
      } else
#define nir_foreach_if_use_safe(use, of)                                     \
   nir_foreach_use_safe(use, of)                                             \
      if (!use->nif) {                                                       \
      } else

/* What the operand of an instruction that is being made begins as. */
static inline nir_use
nir_use_of(nir_value *value)
{
   return (nir_use) { .value = value };
}

/* Whether nothing reads the value. */
static inline bool
nir_value_is_unused(const nir_value *value)
{
   return list_is_empty(&value->uses);
}

/* The one use that there is; NULL if there is none or more. */
static inline nir_use *
nir_value_only_use(const nir_value *value)
{
   return list_is_singular(&value->uses)
             ? list_first_entry(&value->uses, nir_use, link)
             : NULL;
}

/* Whether an if branches by the value. */
static inline bool
nir_value_is_condition(const nir_value *value)
{
   nir_foreach_if_use(use, value)
      return true;
   return false;
}

static inline bool
nir_use_is_const(nir_use use)
{
   return use.value->instr->kind == nir_kind_load_const;
}

static inline bool
nir_use_is_undef(nir_use use)
{
   return use.value->instr->kind == nir_kind_undef;
}

/* All components of a constant; NULL if the value is not constant. */
const nir_const_value *nir_use_constant(nir_use use);

/* A component of what must be a constant; the first where none is named. */
nir_const_value nir_use_comp_as_const_value(nir_use use, unsigned comp);
uint64_t nir_use_comp_as_uint(nir_use use, unsigned comp);
int64_t nir_use_comp_as_int(nir_use use, unsigned comp);
double nir_use_comp_as_float(nir_use use, unsigned comp);
bool nir_use_comp_as_bool(nir_use use, unsigned comp);
#define nir_use_as_uint(use) nir_use_comp_as_uint(use, 0)
#define nir_use_as_int(use) nir_use_comp_as_int(use, 0)
#define nir_use_as_bool(use) nir_use_comp_as_bool(use, 0)

bool nir_uses_equal(nir_use a, nir_use b);

#endif
