/* SPDX-License-Identifier: MIT */
/* What the printer and the parser share. */
#ifndef ISA_TEXT_H
#define ISA_TEXT_H

#include "isa.h"

bool isa_inst_is_math_macro(const struct isa_inst *inst);
bool isa_inst_is_simd_src3(const struct isa_inst *inst);
/* The byte that a scalar three-source instruction writes to; -1 if it is no
 * such thing. And the other way. */
int isa_inst_scalar_src3_subnr_B(const struct isa_inst *inst);
void isa_inst_set_scalar_src3(struct isa_inst *inst, unsigned subnr_B);

/* A cursor over assembly text, and its words. */
enum isa_token_kind {
   ISA_TOKEN_END,     /* of the text */
   ISA_TOKEN_NEWLINE, /* also ';' */
   ISA_TOKEN_WORD,    /* letters, digits and '_', a letter first */
   ISA_TOKEN_NUMBER,  /* a digit first; may have '.' and exponent */
   ISA_TOKEN_PUNCT,   /* one character */
   ISA_TOKEN_BAD,     /* a character that has no place in the syntax */
   ISA_TOKEN_COMMENT, /* one without an end */
};

struct isa_token {
   enum isa_token_kind kind;
   const char *start;
   size_t length;
   unsigned line, column; /* from 1 */
};

struct isa_lexer {
   const char *at, *end;
   unsigned line;
   const char *line_start;
};

void isa_lexer_init(struct isa_lexer *lexer, const char *text, size_t length);
struct isa_token isa_lexer_next(struct isa_lexer *lexer);

/* A jump target that is a name, to be resolved once all labels are known. */
struct isa_label_ref {
   struct isa_token label;
   bool is_uip;
};

/* Parses one statement, from the lexer's position to its end. Named targets
 * are noted in `refs`, at most two, if that is not NULL and are an error
 * otherwise. */
bool isa_parse_statement(enum isa_gen gen, struct isa_lexer *lexer,
                         struct isa_inst *inst, struct isa_label_ref refs[2],
                         unsigned *num_refs, struct isa_error *err);

#endif
