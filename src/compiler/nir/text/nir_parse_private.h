/* SPDX-License-Identifier: MIT */
/* The state of the text parser, shared by its files. */
#ifndef NIR_PARSE_PRIVATE_H
#define NIR_PARSE_PRIVATE_H

#include "nir_builder.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* A phi source whose value or block may stand further on. */
struct parse_phi_src {
   nir_phi_instr *phi;
   uint64_t block, value;
   const char *at;
};

struct parser {
   const char *text, *end, *at;
   struct arena *parent, *tmp;
   char *error; /* in `parent`; once set, everything unwinds */
   nir_shader *shader;
   nir_builder b;
   struct hash_table types;  /* name -> glsl_type */
   struct hash_table vars;   /* name -> nir_variable */
   struct hash_table defs;   /* number -> nir_ssa_def */
   struct hash_table regs;   /* number -> nir_register */
   struct hash_table blocks; /* number -> nir_block */
   struct util_dynarray phi_srcs;
   unsigned depth; /* of nested control flow */
};

#define PARSE_MAX_DEPTH 200

void parse_fail(struct parser *p, const char *fmt, ...) PRINTFLIKE(2, 3);

/* Lexing. All skip white space and comments first. */
void parse_skip(struct parser *p);
bool parse_peek(struct parser *p, const char *s); /* at a word boundary */
bool parse_accept(struct parser *p, const char *s);
bool parse_expect(struct parser *p, const char *s);
/* Letters, digits and underscores; NULL and an error if none is there. */
char *parse_ident(struct parser *p);
/* Up to white space. */
char *parse_word(struct parser *p);
bool parse_uint(struct parser *p, uint64_t *v); /* decimal or 0x */
bool parse_int(struct parser *p, int64_t *v);
/* What follows a given prefix as a decimal number: ssa_12. */
bool parse_numbered(struct parser *p, const char *prefix, uint64_t *v);
/* The comment right here, without its marks, or NULL. */
char *parse_comment(struct parser *p);

const struct glsl_type *parse_type_name(struct parser *p, const char *name);
void parse_init_types(struct parser *p);
int parse_variable_mode(const char *name); /* -1: none */
const char *parse_enum_name(unsigned kind, unsigned i);
bool parse_vec_and_bits(struct parser *p, unsigned *components,
                        unsigned *bit_size);
void parse_instr(struct parser *p);
void parse_finish_phis(struct parser *p);

#endif
