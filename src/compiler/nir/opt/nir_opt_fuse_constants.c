/* SPDX-License-Identifier: MIT */
/*
 * x * 34.0 + 1.0 as one ffma, where its constants are worth a register:
 * nir_opt_algebraic_late leaves such sums alone, since three-source
 * instructions have no immediates, and two instructions have. A register with
 * a constant costs a move, and does for all who want the same, or its
 * negation.
 *
 * Before that, x * 3.0 * 0.5 becomes x * 1.5: what is multiplied by one
 * constant and another one does not wait for the first product. Not where the
 * product of the constants is no normal number, but the results were.
 *
 * Before: SSA, scalar arithmetic, after nir_opt_algebraic_late. Cost: linear.
 */
#include <math.h>

#include "nir.h"
#include "nir_builder.h"

/* Two moves have paid when each constant has so many users, on average. */
#define MIN_USERS 3
#define TABLE 256

struct constants {
   struct {
      uint32_t value, users;
   } table[TABLE];
};

/* NULL where the table has no place for it. */
static uint32_t *
users_of(struct constants *c, uint32_t value)
{
   uint32_t at = value * 0x9e3779b1u >> 24;

   for (unsigned n = 0; n < 8; n++, at = (at + 1) % TABLE) {
      if (!c->table[at].users)
         c->table[at].value = value;
      if (c->table[at].value == value)
         return &c->table[at].users;
   }
   return NULL;
}

static bool
is_plain_const(const nir_alu_instr *alu, unsigned i)
{
   return nir_src_is_const(alu->src[i].src);
}

/* The number of the only constant of two sources, or -1. */
static int
only_const(const nir_alu_instr *alu)
{
   const bool first = is_plain_const(alu, 0), second = is_plain_const(alu, 1);

   return first == second ? -1 : second;
}

static bool
is_scalar_float(const nir_alu_instr *alu)
{
   return nir_dest_bit_size(alu->dest.dest) == 32 &&
          nir_dest_num_components(alu->dest.dest) == 1 && !alu->exact;
}

/* ---- factors ---- */

/* The source with the factor of a product, or of that in an ffma; -1 if
 * there is none. */
static int
factor_of(const nir_alu_instr *alu)
{
   if ((alu->op != nir_op_fmul && alu->op != nir_op_ffma) ||
       !is_scalar_float(alu))
      return -1;
   return only_const(alu);
}

static float
const_float(const nir_alu_instr *alu, unsigned i)
{
   return (float)nir_src_comp_as_float(alu->src[i].src,
                                       alu->src[i].swizzle[0]);
}

static bool
merge_factors(nir_builder *b, nir_alu_instr *outer)
{
   const int constant = factor_of(outer);
   if (constant < 0)
      return false;
   nir_alu_src *other = &outer->src[!constant];
   if (other->src.ssa->parent_instr->type != nir_instr_type_alu)
      return false;
   nir_alu_instr *inner = nir_instr_as_alu(other->src.ssa->parent_instr);
   if (inner->op != nir_op_fmul || factor_of(inner) < 0)
      return false;
   const unsigned inner_constant = (unsigned)factor_of(inner);
   const float factor = const_float(outer, (unsigned)constant) *
                        const_float(inner, inner_constant);
   if (!isnormal(factor))
      return false;
   b->cursor = nir_before_instr(&outer->instr);
   nir_ssa_def *f = nir_imm_float(b, factor);
   nir_ssa_def *x = nir_ssa_for_alu_src(b, inner, !inner_constant);
   nir_instr_rewrite_src(&outer->instr, &outer->src[constant].src,
                         nir_src_for_ssa(f));
   nir_instr_rewrite_src(&outer->instr, &other->src, nir_src_for_ssa(x));
   outer->src[constant].swizzle[0] = other->swizzle[0] = 0;
   return true;
}

/* ---- sums ---- */

/* Of the constant, whatever its sign is. */
static uint32_t
const_value(const nir_alu_instr *alu, unsigned i)
{
   return (uint32_t)nir_src_comp_as_uint(alu->src[i].src,
                                         alu->src[i].swizzle[0]) &
          0x7fffffff;
}

/* The product of a sum, if it has no other user and both have a constant. */
static nir_alu_instr *
product_of(const nir_alu_instr *sum)
{
   if (sum->op != nir_op_fadd || !is_scalar_float(sum))
      return NULL;
   const int constant = only_const(sum);
   if (constant < 0)
      return NULL;
   const nir_alu_src *other = &sum->src[!constant];
   if (other->src.ssa->parent_instr->type != nir_instr_type_alu)
      return NULL;
   nir_alu_instr *mul = nir_instr_as_alu(other->src.ssa->parent_instr);
   return mul->op == nir_op_fmul && is_scalar_float(mul) &&
                only_const(mul) >= 0 &&
                list_is_singular(&other->src.ssa->uses) &&
                list_is_empty(&other->src.ssa->if_uses)
             ? mul
             : NULL;
}

static void
add_user(struct constants *c, const nir_alu_instr *alu, unsigned i)
{
   uint32_t *users = users_of(c, const_value(alu, i));

   if (users)
      (*users)++;
}

static void
count(struct constants *c, const nir_alu_instr *alu)
{
   if (alu->op == nir_op_ffma && is_scalar_float(alu)) {
      for (unsigned i = 0; i < 3; i++) {
         if (is_plain_const(alu, i))
            add_user(c, alu, i);
      }
      return;
   }
   const nir_alu_instr *mul = product_of(alu);
   if (mul) {
      add_user(c, alu, (unsigned)only_const(alu));
      add_user(c, mul, (unsigned)only_const(mul));
   }
}

static bool
fuse(nir_builder *b, struct constants *c, nir_alu_instr *sum)
{
   nir_alu_instr *mul = product_of(sum);

   if (!mul)
      return false;
   const unsigned constant = (unsigned)only_const(sum);
   const uint32_t *x = users_of(c, const_value(sum, constant));
   const uint32_t *y =
      users_of(c, const_value(mul, (unsigned)only_const(mul)));
   if (!x || !y || *x + *y < 2 * MIN_USERS)
      return false;
   b->cursor = nir_before_instr(&sum->instr);
   nir_ssa_def *r = nir_ffma(b, nir_ssa_for_alu_src(b, mul, 0),
                             nir_ssa_for_alu_src(b, mul, 1),
                             nir_ssa_for_alu_src(b, sum, constant));
   nir_ssa_def_rewrite_uses(&sum->dest.dest.ssa, r);
   nir_instr_remove(&sum->instr);
   nir_instr_remove(&mul->instr);
   return true;
}

bool
nir_opt_fuse_constants(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_function(function, shader) {
      nir_function_impl *impl = function->impl;
      struct constants c = { 0 };
      bool changed = false;
      nir_builder b;
      if (!impl)
         continue;
      nir_builder_init(&b, impl);
      nir_foreach_block(block, impl) {
         nir_foreach_instr_safe(instr, block) {
            if (instr->type == nir_instr_type_alu)
               changed |= merge_factors(&b, nir_instr_as_alu(instr));
         }
      }
      nir_foreach_block(block, impl) {
         nir_foreach_instr(instr, block) {
            if (instr->type == nir_instr_type_alu)
               count(&c, nir_instr_as_alu(instr));
         }
      }
      nir_foreach_block(block, impl) {
         nir_foreach_instr_safe(instr, block) {
            if (instr->type == nir_instr_type_alu)
               changed |= fuse(&b, &c, nir_instr_as_alu(instr));
         }
      }
      nir_metadata_preserve(impl, changed ? nir_metadata_control_flow
                                          : nir_metadata_all);
      progress |= changed;
   }
   return progress;
}
