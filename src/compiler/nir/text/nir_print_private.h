/* SPDX-License-Identifier: MIT */
/* The state of the printer, shared by its files. */
#ifndef NIR_PRINT_PRIVATE_H
#define NIR_PRINT_PRIVATE_H

#include "nir.h"
#include "util/hash_table.h"
#include "util/strbuf.h"

struct nir_printer {
   struct strbuf *out;
   nir_shader *shader;
   struct hash_table names;       /* variable -> the name it prints under */
   struct hash_table names_taken; /* by content */
   struct hash_table *annotations;
   struct arena *arena;
   unsigned next_unnamed;
};

#define P(...) strbuf_printf(s->out, __VA_ARGS__)

static inline void
nir_print_indent(struct nir_printer *s, unsigned tabs)
{
   for (unsigned i = 0; i < tabs; i++)
      strbuf_puts(s->out, "\t");
}

static inline const char *
nir_print_letters(unsigned n)
{
   return n > 4 ? "abcdefghijklmnop" : "xyzw";
}

/* The note of an object, if there is one. */
void nir_print_note(struct nir_printer *s, const void *obj);
/* `want_local`: function_temp has a name, too. */
const char *nir_print_mode_name(unsigned mode, bool want_local);
const char *nir_print_var_name(struct nir_printer *s,
                               const nir_variable *var);
void nir_print_var_decl(struct nir_printer *s, const nir_variable *var);
void nir_print_src(struct nir_printer *s, const nir_use *src);
void nir_print_one_instr(struct nir_printer *s, const nir_instr *instr);

#endif
