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
 * nir_opt_merge_factors() does that with doubles, before sums take products:
 * where all that reads the first product is multiplied again or added, that
 * need not be computed.
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
   return nir_use_is_const(alu->src[i].use);
}

/* The number of the only constant of two sources, or -1. */
static int
only_const(const nir_alu_instr *alu)
{
   const bool first = is_plain_const(alu, 0), second = is_plain_const(alu, 1);

   return first == second ? -1 : second;
}

static bool
is_scalar(const nir_alu_instr *alu, unsigned bits)
{
   return alu->instr.result.bit_size == bits &&
          alu->instr.result.num_components == 1 && !alu->exact;
}

static bool
is_scalar_float(const nir_alu_instr *alu)
{
   return is_scalar(alu, 32);
}

/* ---- factors ---- */

/* The source with the factor of a product, or of that in an ffma; -1 if
 * there is none. */
static int
factor_of(const nir_alu_instr *alu, unsigned bits)
{
   if ((alu->op != nir_op_fmul && alu->op != nir_op_ffma) ||
       !is_scalar(alu, bits))
      return -1;
   return only_const(alu);
}

static double
const_float(const nir_alu_instr *alu, unsigned i)
{
   return nir_use_comp_as_float(alu->src[i].use, alu->src[i].swizzle[0]);
}

/* Whether nothing reads a product but what may have it in itself. */
static bool
is_only_factor(const nir_alu_instr *product)
{
   nir_foreach_use(use, &product->instr.result) {
      const nir_alu_instr *reader = use->nif ? NULL
                                             : nir_maybe_alu(use->instr);
      if (!reader || !is_scalar(reader, 64) ||
          (reader->op != nir_op_fadd && factor_of(reader, 64) < 0))
         return false;
   }
   return true;
}

static bool
merge_factors(nir_builder *b, nir_alu_instr *outer, unsigned bits)
{
   const int constant = factor_of(outer, bits);
   if (constant < 0)
      return false;
   nir_operand *other = &outer->src[!constant];
   nir_alu_instr *inner = nir_maybe_alu(other->use.value->instr);
   if (!inner)
      return false;
   if (inner->op != nir_op_fmul || factor_of(inner, bits) < 0 ||
       (bits == 64 && !is_only_factor(inner)))
      return false;
   const unsigned inner_constant = (unsigned)factor_of(inner, bits);
   const double factor = const_float(outer, (unsigned)constant) *
                         const_float(inner, inner_constant);
   if (bits == 32 ? !isnormal((float)factor) : !isnormal(factor))
      return false;
   b->cursor = nir_before_instr(&outer->instr);
   nir_value *f = nir_imm_floatN_t(b, factor, bits);
   nir_value *x = nir_operand_value(b, inner, !inner_constant);
   nir_set_use(&outer->instr, &outer->src[constant].use, f);
   nir_set_use(&outer->instr, &other->use, x);
   outer->src[constant].swizzle[0] = other->swizzle[0] = 0;
   return true;
}

static bool
merge_all_factors(nir_builder *b, nir_function_impl *impl, unsigned bits)
{
   bool changed = false;

   nir_foreach_instr_of(instr, impl) {
      if (instr->kind == nir_kind_alu)
         changed |= merge_factors(b, nir_instr_as_alu(instr), bits);
   }
   return changed;
}

bool
nir_opt_merge_factors(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      nir_builder b = nir_builder_at(impl, nir_before_impl(impl));
      const bool changed = merge_all_factors(&b, impl, 64);
      nir_changed(impl, changed, nir_metadata_control_flow);
      progress |= changed;
   }
   return progress;
}

/* ---- sums ---- */

/* Of the constant, whatever its sign is. */
static uint32_t
const_value(const nir_alu_instr *alu, unsigned i)
{
   return (uint32_t)nir_use_comp_as_uint(alu->src[i].use,
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
   const nir_operand *other = &sum->src[!constant];
   nir_alu_instr *mul = nir_maybe_alu(other->use.value->instr);
   if (!mul)
      return NULL;
   return mul->op == nir_op_fmul && is_scalar_float(mul) &&
                only_const(mul) >= 0 && nir_value_only_use(other->use.value)
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
   nir_value *r = nir_ffma(b, nir_operand_value(b, mul, 0),
                           nir_operand_value(b, mul, 1),
                           nir_operand_value(b, sum, constant));
   nir_instr_replace(&sum->instr, r);
   nir_instr_remove(&mul->instr);
   return true;
}

bool
nir_opt_fuse_constants(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      struct constants c = { 0 };
      nir_builder b = nir_builder_at(impl, nir_before_impl(impl));
      bool changed = merge_all_factors(&b, impl, 32);
      nir_foreach_instr_of(instr, impl) {
         if (instr->kind == nir_kind_alu)
            count(&c, nir_instr_as_alu(instr));
      }
      nir_foreach_instr_of(instr, impl) {
         if (instr->kind == nir_kind_alu)
            changed |= fuse(&b, &c, nir_instr_as_alu(instr));
      }
      nir_changed(impl, changed, nir_metadata_control_flow);
      progress |= changed;
   }
   return progress;
}
