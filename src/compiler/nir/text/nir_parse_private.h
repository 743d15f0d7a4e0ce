/* SPDX-License-Identifier: MIT */
/* The state of the text parser, shared by its files. */
#ifndef NIR_PARSE_PRIVATE_H
#define NIR_PARSE_PRIVATE_H

#include "nir_builder.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* A phi source whose value or block may stand further on. */
struct nir_parse_phi_src {
   nir_phi_instr *phi;
   uint64_t block, value;
   const char *at;
};

/* What stands left of the '='. Mesa's registers are read as variables: the
 * instruction gives a value, which is stored after it. */
struct nir_parse_dest {
   bool present;
   uint64_t number; /* of a value */
   unsigned components, bit_size;
   nir_deref_instr *reg; /* NULL: it is a value */
   unsigned write_mask;
};

/* A value that is to be stored when its instruction is there. */
struct nir_parse_store {
   nir_deref_instr *to; /* NULL: none is */
   nir_value *value;
   unsigned write_mask;
};

struct nir_parser {
   const char *text, *end, *at;
   struct arena *parent, *tmp;
   char *error; /* in `parent`; once set, everything unwinds */
   nir_shader *shader;
   nir_builder b;
   struct hash_table types; /* name -> glsl_type */
   struct hash_table vars;  /* name -> nir_variable */
   struct hash_table defs;  /* number -> nir_value */
   struct hash_table regs;  /* number -> nir_variable */
   struct nir_parse_store store;
   struct hash_table blocks; /* number -> nir_block */
   struct util_dynarray phi_srcs;
   unsigned depth; /* of nested control flow */
};

#define NIR_PARSE_MAX_DEPTH 200
/* Passes have arrays of as many as their highest number says. */
#define NIR_PARSE_MAX_REGISTERS 65536

void nir_parse_fail(struct nir_parser *p, const char *fmt, ...)
   PRINTFLIKE(2, 3);

/* Lexing. All skip white space and comments first. */
void nir_parse_skip(struct nir_parser *p);
/* Whether `s` stands here, up to a word boundary. */
bool nir_parse_peek(struct nir_parser *p, const char *s);
bool nir_parse_accept(struct nir_parser *p, const char *s);
bool nir_parse_expect(struct nir_parser *p, const char *s);
/* Letters, digits and underscores; NULL and an error if none is there. */
char *nir_parse_ident(struct nir_parser *p);
/* Up to white space. */
char *nir_parse_word(struct nir_parser *p);
bool nir_parse_uint(struct nir_parser *p, uint64_t *v); /* decimal or 0x */
bool nir_parse_int(struct nir_parser *p, int64_t *v);
/* What follows a given prefix as a decimal number: ssa_12. */
bool nir_parse_numbered(struct nir_parser *p, const char *prefix,
                        uint64_t *v);
/* The comment right here, without its marks, or NULL. */
char *nir_parse_comment(struct nir_parser *p);

/* The number of the row of that name in a table sorted by names, which stand
 * first in a row; -1: none. */
int nir_parse_find_row(const char *name, const void *rows, size_t row_size_B,
                       size_t num_rows);

const struct glsl_type *nir_parse_type_name(struct nir_parser *p,
                                            const char *name);
void nir_parse_init_types(struct nir_parser *p);
/* After decl_struct or decl_interface. */
void nir_parse_struct_decl(struct nir_parser *p, bool interface);
/* `t`, or a struct of its name with the members that derefs of `var` name. */
const struct glsl_type *nir_parse_guess_members(struct nir_parser *p,
                                                const struct glsl_type *t,
                                                const char *var);
/* A scalar. */
bool nir_parse_condition(struct nir_parser *p, nir_use *src);
/* nir_parse_goto.c: functions that are not structured. */
bool nir_parse_has_goto(struct nir_parser *p);
void nir_parse_unstructured(struct nir_parser *p);
int nir_parse_variable_mode(const char *name); /* -1: none */
/* `impl`: of a local variable; NULL: of the shader. */
void nir_parse_var_decl(struct nir_parser *p, nir_function_impl *impl);
bool nir_parse_check_size(struct nir_parser *p, uint64_t n, uint64_t bits);
bool nir_parse_vec_and_bits(struct nir_parser *p, unsigned *components,
                            unsigned *bit_size);
nir_value *nir_parse_ssa(struct nir_parser *p);
bool nir_parse_src(struct nir_parser *p, nir_use *src);
/* Letters of components that `have` has; their count, or 0 and an error. */
unsigned nir_parse_components(struct nir_parser *p, unsigned have,
                              uint8_t comps[NIR_MAX_VEC_COMPONENTS]);
/* False: an error; `present` says whether there is one. */
bool nir_parse_dest(struct nir_parser *p, struct nir_parse_dest *d);
/* Before nir_parse_insert(). Gives `dest` of `instr` what was read. */
void nir_parse_set_dest(struct nir_parser *p, nir_instr *instr,
                        nir_value *dest, const struct nir_parse_dest *d);
void nir_parse_insert(struct nir_parser *p, nir_instr *instr);
/* Whether it is one; else an error. */
bool nir_parse_need_ssa(struct nir_parser *p, const struct nir_parse_dest *d);

void nir_parse_deref(struct nir_parser *p, const struct nir_parse_dest *d,
                     nir_deref_type kind);
void nir_parse_intrinsic(struct nir_parser *p,
                         const struct nir_parse_dest *d);
void nir_parse_tex(struct nir_parser *p, const struct nir_parse_dest *d);
void nir_parse_instr(struct nir_parser *p);
void nir_parse_finish_phis(struct nir_parser *p);

#endif
