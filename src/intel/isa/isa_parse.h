/* SPDX-License-Identifier: MIT */
/* State of parsing one statement; isa_parse*.c share it. */
#ifndef ISA_PARSE_H
#define ISA_PARSE_H

#include "isa_fields.h"
#include "isa_text.h"

struct isa_parser {
   enum isa_gen gen;
   struct isa_lexer *lexer;
   struct isa_token token; /* the next one, not yet taken */
   struct isa_inst *inst;
   const struct isa_opcode_info *info;
   struct isa_label_ref *refs; /* NULL: labels are not allowed */
   unsigned num_refs;
   bool failed; /* err has the first complaint; the rest is skipped */
   struct isa_error *err;
};

void isa_parser_fail_at(struct isa_parser *p, const struct isa_token *where,
                        const char *fmt, ...) PRINTFLIKE(3, 4);
void isa_parser_advance(struct isa_parser *p);
bool isa_token_is(const struct isa_token *token, const char *text);
/* Takes the next token if it is `text`. */
bool isa_parser_accept(struct isa_parser *p, const char *text);
void isa_parser_expect(struct isa_parser *p, const char *text);
/* A number without sign, fraction or exponent, at most `max`. */
uint64_t isa_parser_unsigned(struct isa_parser *p, uint64_t max);

/* isa_parse_operand.c. Operands start with what a zeroed struct holds. */
void isa_parser_dst(struct isa_parser *p);
void isa_parser_src(struct isa_parser *p, unsigned n);
/* A register with a default type, and with neither region nor modifiers. */
void isa_parser_plain_register(struct isa_parser *p, struct isa_operand *o,
                               enum isa_type type);
bool isa_token_is_register(const struct isa_token *token);

#endif
