/* SPDX-License-Identifier: MIT */
/* What the files of the core share with each other. */
#ifndef NIR_PRIVATE_H
#define NIR_PRIVATE_H

#include "nir.h"

/* Edges. nir_block_link takes the first free successor slot. */
void nir_block_link(nir_shader *shader, nir_block *pred, nir_block *succ);
void nir_block_unlink(nir_block *pred, nir_block *succ);

/* Puts a use with its reader set into the list of its value, takes it out. */
void nir_use_link(nir_use *use);
void nir_use_unlink(nir_use *use);

/* The same of all that an instruction reads. */
void nir_instr_link_uses(nir_instr *instr);
void nir_instr_unlink_uses(nir_instr *instr);

/* Makes room for `n` operands; those that are there stay. */
void nir_tex_resize(nir_tex_instr *tex, unsigned n);

/* New dense numbers for the values that an inserted instruction defines. */
void nir_instr_number_values(nir_instr *instr, nir_function_impl *impl);

/* The location of the instruction before the cursor, or of the one that it
 * stands in front of. */
uint32_t nir_cursor_location(nir_cursor cursor);

/* Adds a source of undefined value for an edge that is new. */
void nir_block_add_undef_phi_sources(nir_block *block, nir_block *pred);

/* The shader is a copy of `other` from now on, which may be itself; pointers
 * into what it was are not good any more. */
void nir_shader_become(nir_shader *shader, const nir_shader *other);

/* Roughly how many machine instructions it becomes. */
unsigned nir_instr_cost(const nir_instr *instr);

/* Makes the dereference that `use` reads, and those it leads through, anew in
 * front of the reader if another block makes them: they cannot go through a
 * phi. Nothing happens to a use of another value, nor to one by a phi. */
void nir_localize_deref(nir_use *use, nir_function_impl *impl);

/* Dereferences take the modes of their variables, some of which changed. */
bool nir_fixup_deref_modes(nir_shader *shader);

struct strbuf;
void nir_print_type_decls(nir_shader *shader, struct strbuf *out,
                          struct arena *arena);

#endif
