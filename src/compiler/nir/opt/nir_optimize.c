/* SPDX-License-Identifier: MIT */
/*
 * The optimizations that every back end wants again and again, until nothing
 * changes. What differs between machines are costs.
 *
 * Before: any NIR without calls. After: scalar, but for what the options
 * keep, and variables that nothing indexes are values.
 */
#include "nir.h"

#define OPT(pass, ...) NIR_PASS(progress, nir, pass, ##__VA_ARGS__)

void
nir_optimize(nir_shader *nir, const struct nir_optimize_options *options)
{
   bool progress;

   do {
      progress = false;
      OPT(nir_opt_deref);
      OPT(nir_opt_copy_prop_vars);
      OPT(nir_opt_dead_write_vars);
      OPT(nir_lower_vars_to_ssa);
      OPT(nir_lower_alu_to_scalar, options->scalarize, NULL);
      if (!options->keep_vector_phis)
         OPT(nir_lower_phis_to_scalar, options->all_phis_to_scalar);
      OPT(nir_copy_prop);
      OPT(nir_opt_dce);
      OPT(nir_opt_cse);
      OPT(nir_opt_peephole_select, options->select_limit, true, true);
      OPT(nir_opt_algebraic);
      OPT(nir_opt_constant_folding);
      OPT(nir_lower_flrp, options->lower_flrp_bits, false);
      OPT(nir_opt_dead_cf);
      OPT(nir_opt_trivial_continues);
      OPT(nir_opt_if, false);
      OPT(nir_opt_loop_unroll);
      OPT(nir_opt_remove_phis);
      OPT(nir_opt_undef);
   } while (progress);
}
