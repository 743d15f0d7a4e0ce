/* SPDX-License-Identifier: MIT */
/* Words of assembly text. Comments are C's; a statement ends at ';' or at
 * the end of its line. Reads nothing beyond the given length. */
#include "isa_text.h"

#include <ctype.h>

void
isa_lexer_init(struct isa_lexer *lexer, const char *text, size_t length)
{
   lexer->at = lexer->line_start = text;
   lexer->end = text + length;
   lexer->line = 1;
}

static char
peek(const struct isa_lexer *lexer, size_t ahead)
{
   return (size_t)(lexer->end - lexer->at) > ahead ? lexer->at[ahead] : '\0';
}

static bool
is_word_char(char c)
{
   return isalnum((unsigned char)c) || c == '_';
}

static void
newline(struct isa_lexer *lexer)
{
   lexer->line++;
   lexer->line_start = lexer->at;
}

/* False for a block comment without an end. */
static bool
skip_block_comment(struct isa_lexer *lexer)
{
   lexer->at += 2;
   while (lexer->at < lexer->end) {
      if (peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
         lexer->at += 2;
         return true;
      }
      if (*lexer->at++ == '\n')
         newline(lexer);
   }
   return false;
}

static void
token_at(const struct isa_lexer *lexer, struct isa_token *token)
{
   token->start = lexer->at;
   token->line = lexer->line;
   token->column = (unsigned)(lexer->at - lexer->line_start) + 1;
}

/* False, with its start in *token, for a comment without an end. */
static bool
skip_blanks(struct isa_lexer *lexer, struct isa_token *token)
{
   for (;;) {
      const char c = peek(lexer, 0);
      if (lexer->at < lexer->end && (c == ' ' || c == '\t' || c == '\r')) {
         lexer->at++;
      } else if (c == '/' && peek(lexer, 1) == '/') {
         while (lexer->at < lexer->end && *lexer->at != '\n')
            lexer->at++;
      } else if (c == '/' && peek(lexer, 1) == '*') {
         token_at(lexer, token);
         if (!skip_block_comment(lexer))
            return false;
      } else {
         return true;
      }
   }
}

/* Digits, then a fraction if a digit follows the point, and an exponent. */
static void
scan_number(struct isa_lexer *lexer)
{
   if (peek(lexer, 0) == '0' && (peek(lexer, 1) | 0x20) == 'x') {
      lexer->at += 2;
      while (isxdigit((unsigned char)peek(lexer, 0)))
         lexer->at++;
      return;
   }
   while (isdigit((unsigned char)peek(lexer, 0)))
      lexer->at++;
   if (peek(lexer, 0) == '.' && isdigit((unsigned char)peek(lexer, 1))) {
      lexer->at++;
      while (isdigit((unsigned char)peek(lexer, 0)))
         lexer->at++;
   }
   if ((peek(lexer, 0) | 0x20) == 'e') {
      const char sign = peek(lexer, 1);
      const size_t skip = sign == '+' || sign == '-' ? 2 : 1;
      if (isdigit((unsigned char)peek(lexer, skip))) {
         lexer->at += skip;
         while (isdigit((unsigned char)peek(lexer, 0)))
            lexer->at++;
      }
   }
}

struct isa_token
isa_lexer_next(struct isa_lexer *lexer)
{
   struct isa_token token = { .kind = ISA_TOKEN_COMMENT };
   if (!skip_blanks(lexer, &token)) {
      token.length = (size_t)(lexer->at - token.start);
      return token;
   }
   token_at(lexer, &token);
   const char c = peek(lexer, 0);
   if (lexer->at >= lexer->end) {
      token.kind = ISA_TOKEN_END;
   } else if (c == '\n' || c == ';') {
      lexer->at++;
      if (c == '\n')
         newline(lexer);
      token.kind = ISA_TOKEN_NEWLINE;
   } else if (isalpha((unsigned char)c) || c == '_') {
      while (is_word_char(peek(lexer, 0)))
         lexer->at++;
      token.kind = ISA_TOKEN_WORD;
   } else if (isdigit((unsigned char)c)) {
      scan_number(lexer);
      token.kind = ISA_TOKEN_NUMBER;
   } else {
      lexer->at++;
      token.kind = isprint((unsigned char)c) ? ISA_TOKEN_PUNCT
                                             : ISA_TOKEN_BAD;
   }
   token.length = (size_t)(lexer->at - token.start);
   return token;
}
