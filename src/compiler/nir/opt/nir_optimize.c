/* SPDX-License-Identifier: MIT */
/*
 * The optimizations that every back end wants again and again, until nothing
 * changes. What differs between machines are costs.
 *
 * Before: any NIR without calls. After: scalar, but for what the options
 * keep, and variables that nothing indexes are values.
 */
#include "nir.h"

#include "nir_private.h"

/* What is left of a shader of more bytes moves together when its variables
 * are values: passes wait for memory more than for anything else. */
#define MAX_SPREAD_B (1u << 20)

/* How often the shader has changed; and when each pass last found nothing to
 * do: until something else changes, it would find nothing again. */
struct rounds {
   uint32_t changes, next;
   uint32_t unchanged_since[32]; /* by the order of passes */
};

static bool
rests(const struct rounds *r)
{
   assert(r->next < ARRAY_SIZE(r->unchanged_since));
   return r->unchanged_since[r->next] == r->changes;
}

#define OPT(pass, ...)                                                       \
   do {                                                                      \
      if (!rests(&r)) {                                                      \
         bool progress_ = false;                                             \
         NIR_PASS(progress_, nir, pass, ##__VA_ARGS__);                      \
         if (progress_)                                                      \
            r.changes++;                                                     \
         else                                                                \
            r.unchanged_since[r.next] = r.changes;                           \
      }                                                                      \
      r.next++;                                                              \
   } while (0)

/* Passes about variables make none where there were none. */
static bool
has_derefs(const nir_shader *nir)
{
   nir_foreach_impl(impl, nir) {
      nir_foreach_block(block, impl) {
         nir_foreach_instr(instr, block) {
            if (instr->kind == nir_kind_deref)
               return true;
         }
      }
   }
   return false;
}

/* Instructions, and what ifs and phis become. */
static unsigned
cost_of(const nir_shader *nir)
{
   unsigned cost = 0;

   nir_foreach_impl(impl, nir) {
      nir_foreach_block(block, impl) {
         cost += nir_block_get_following_if(block) ? 2 : 0;
         nir_foreach_instr(instr, block)
            cost += nir_instr_cost(instr) + (instr->kind == nir_kind_phi) +
                    (instr->kind == nir_kind_jump);
      }
   }
   return cost;
}

/* The copy is taken if it is no longer: a dispatch loop executes all of its
 * own in most trips, the copy what the states that come up have. */
static void
take_the_better(nir_shader *nir, nir_shader *copy,
                const struct nir_optimize_options *options)
{
   struct nir_optimize_options again = *options;

   again.undo_dispatch = false;
   nir_optimize(copy, &again);
   if (cost_of(copy) <= cost_of(nir))
      nir_shader_become(nir, copy);
   nir_shader_destroy(copy);
}

void
nir_optimize(nir_shader *nir, const struct nir_optimize_options *options)
{
   struct rounds r = { .changes = 1 };
   nir_shader *undone = NULL;
   bool derefs = true;
   uint32_t before;

   do {
      before = r.changes;
      r.next = 0;
      derefs = derefs && has_derefs(nir);
      if (derefs) {
         OPT(nir_opt_deref);
         OPT(nir_opt_copy_prop_vars);
         OPT(nir_opt_dead_write_vars);
         OPT(nir_lower_vars_to_ssa);
      } else {
         r.next += 4;
      }
      OPT(nir_lower_alu_to_scalar, options->scalarize, NULL);
      if (!options->keep_vector_phis) {
         OPT(nir_lower_phis_to_scalar, options->all_phis_to_scalar);
      }
      OPT(nir_copy_prop);
      OPT(nir_opt_dce);
      OPT(nir_opt_cse);
      if (before == 1 && options->undo_dispatch &&
          nir_pass_enabled("nir_undo_dispatch"))
         undone = nir_undo_dispatch(nir);
      OPT(nir_opt_peephole_select, options->select_limit, true, true);
      OPT(nir_opt_algebraic);
      OPT(nir_opt_constant_folding);
      OPT(nir_lower_flrp, options->lower_flrp_bits, false);
      OPT(nir_opt_conditional_discard);
      OPT(nir_opt_dead_cf);
      OPT(nir_opt_trivial_continues);
      OPT(nir_opt_if, false);
      OPT(nir_opt_loop_unroll);
      OPT(nir_opt_remove_phis);
      OPT(nir_opt_undef);
      if (before == 1 && derefs && arena_size_B(nir->arena) > MAX_SPREAD_B)
         nir_sweep(nir);
   } while (r.changes != before);
   if (undone)
      take_the_better(nir, undone, options);
}
