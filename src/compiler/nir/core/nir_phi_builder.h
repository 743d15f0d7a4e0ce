/* SPDX-License-Identifier: MIT */
/*
 * Putting values into SSA form: phis where definitions meet.
 *
 * For each value, first name the blocks that define it. Then walk the blocks
 * in program order (dominators come first); nir_phi_value_def() gives the
 * value as it is at the end of a block so far, nir_phi_value_set() changes
 * it. Phis are made only where somebody asks; nir_phi_builder_finish() gives
 * them their sources and puts them into their blocks.
 */
#ifndef NIR_PHI_BUILDER_H
#define NIR_PHI_BUILDER_H

#include "nir.h"

struct nir_phi_builder;
struct nir_phi_value;

/* Needs valid nir_metadata_control_flow until it is finished. */
struct nir_phi_builder *nir_phi_builder_create(nir_function_impl *impl);

/* `def_blocks`: bits by block index, BITSET_WORDS(impl->num_blocks). */
struct nir_phi_value *
nir_phi_builder_add_value(struct nir_phi_builder *pb, unsigned num_components,
                          unsigned bit_size, const BITSET_WORD *def_blocks);

void nir_phi_value_set(struct nir_phi_value *v, nir_block *block,
                       nir_value *def);
nir_value *nir_phi_value_def(struct nir_phi_value *v, nir_block *block);

/* Frees the builder. */
void nir_phi_builder_finish(struct nir_phi_builder *pb);

#endif
