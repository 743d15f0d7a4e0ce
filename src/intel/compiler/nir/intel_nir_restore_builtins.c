/* SPDX-License-Identifier: MIT */
/*
 * Built-in functions of doubles that an OpenGL front end has taken apart, by
 * the rules of nir_restore_builtins.py.
 *
 * Before: derefs of variables, before any other rule has changed what these
 * look for. They want values rather than variables, constants folded, and
 * scalars where numbers are looked at as dwords: the back end for vectors has
 * that, too, since one vector of dwords belongs to several doubles there. All
 * else stays as the back end likes it. Cost: linear, a few times.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"
#include "util/bitset.h"
#include "util/guard.h"

struct halves {
   /* By SSA index: computed from halves of doubles, or what chooses there. */
   BITSET_WORD *derived;
   BITSET_WORD *operands; /* what those read */
   unsigned num_defs;
   nir_wants_instr scalarize;
};

static bool
is_derived(const struct halves *h, const nir_alu_instr *alu)
{
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      const nir_use *src = &alu->src[i].use;
      if (src->value->index < h->num_defs &&
          BITSET_TEST(h->derived, src->value->index))
         return true;
   }
   return alu->op == nir_op_unpack_64_2x32 ||
          alu->op == nir_op_unpack_64_2x32_split_x ||
          alu->op == nir_op_unpack_64_2x32_split_y;
}

static bool
has_derived_user(const struct halves *h, nir_value *def)
{
   nir_foreach_instr_use(use, def) {
      const nir_alu_instr *user = nir_maybe_alu(use->instr);
      if (!user)
         continue;
      if (BITSET_TEST(h->derived, user->instr.result.index))
         return true;
   }
   return false;
}

/* x != 0 ? a : b beside the halves of x; and x, which must be one value in
 * all places. */
static void
find_operands(struct halves *h, nir_function_impl *impl)
{
   nir_foreach_block_reverse(block, impl) {
      nir_foreach_instr_reverse(instr, block) {
         nir_alu_instr *alu = nir_maybe_alu(instr);
         if (!alu)
            continue;
         if (!has_derived_user(h, &alu->instr.result))
            continue;
         const bool chooses = alu->op == nir_op_bcsel ||
                              alu->op == nir_op_fneu ||
                              alu->op == nir_op_fabs;
         BITSET_SET(chooses ? h->derived : h->operands,
                    alu->instr.result.index);
      }
   }
}

/* Values stand after what they are computed from, but for phis. */
static void
find_derived(struct halves *h, nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         const nir_alu_instr *alu = nir_maybe_alu(instr);
         if (!alu)
            continue;
         if (is_derived(h, alu))
            BITSET_SET(h->derived, alu->instr.result.index);
      }
   }
}

static bool
wants_scalars(const nir_instr *instr, const void *data)
{
   const struct halves *h = data;
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);

   if (!h->scalarize || h->scalarize(instr, NULL))
      return true;
   const unsigned n = alu->instr.result.index;
   return n < h->num_defs &&
          (BITSET_TEST(h->derived, n) || BITSET_TEST(h->operands, n));
}

static bool
scalarize_halves(nir_shader *nir, nir_wants_instr scalarize)
{
   nir_function_impl *impl = nir_entry_point(nir);
   bool progress;

   nir_number_values(impl);
   const unsigned words = BITSET_WORDS(impl->num_values);
   BITSET_WORD *sets = guard_alloc(2 * words, sizeof(*sets));
   struct halves h = {
      .derived = sets,
      .operands = sets + words,
      .num_defs = impl->num_values,
      .scalarize = scalarize,
   };
   find_derived(&h, impl);
   find_operands(&h, impl);
   progress = nir_lower_alu_to_scalar(nir, wants_scalars, &h);
   guard_free(sets);
   return progress;
}

bool
intel_nir_restore_builtins(nir_shader *nir, nir_wants_instr scalarize)
{
   bool any = false, progress;

   do {
      bool ignored = false;
      progress = false;
      NIR_PASS(ignored, nir, nir_opt_deref);
      NIR_PASS(ignored, nir, nir_lower_vars_to_ssa);
      NIR_PASS(ignored, nir, scalarize_halves, scalarize);
      NIR_PASS(ignored, nir, nir_copy_prop);
      NIR_PASS(ignored, nir, nir_opt_dce);
      NIR_PASS(ignored, nir, nir_opt_cse);
      NIR_PASS(ignored, nir, nir_opt_constant_folding);
      NIR_PASS(progress, nir, nir_opt_restore_builtins);
      any |= ignored || progress;
   } while (progress);
   return any;
}
