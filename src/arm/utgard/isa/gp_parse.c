/* SPDX-License-Identifier: MIT */
/* Text to instructions: one a line, clauses by ';'. See gp_print.c, whose
 * text this reads; reads nothing beyond the given size. */
#include <stdarg.h>
#include <stdio.h>

#include "gp_isa_private.h"

struct parser {
   const char *at, *end, *line_start;
   unsigned line;
   struct gp_instr *instr;
   unsigned seen; /* clauses of this line, by their place in the table */
   /* Opcodes that some clause has named; -1: none yet. */
   int mul_op, add_op;
   bool target_given, mode_given, temps_given, failed;
   struct gp_text_error *error;
};

static void PRINTFLIKE(3, 4)
   fail_at(struct parser *p, const char *where, const char *fmt, ...)
{
   if (p->failed)
      return;
   p->failed = true;
   p->error->line = p->line;
   p->error->column = (unsigned)(where - p->line_start) + 1;
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(p->error->text, sizeof(p->error->text), fmt, ap);
   va_end(ap);
}

static char
peek(const struct parser *p)
{
   return p->at < p->end ? *p->at : '\n';
}

static void
skip_blanks(struct parser *p)
{
   while (peek(p) == ' ' || peek(p) == '\t' || peek(p) == '\r')
      p->at++;
}

static bool
at_line_end(struct parser *p)
{
   skip_blanks(p);
   return peek(p) == '\n' || peek(p) == '#' ||
          (peek(p) == '/' && p->end - p->at > 1 && p->at[1] == '/');
}

static bool
accept(struct parser *p, char c)
{
   skip_blanks(p);
   if (p->failed || peek(p) != c)
      return false;
   p->at++;
   return true;
}

static void
expect(struct parser *p, char c)
{
   if (!accept(p, c))
      fail_at(p, p->at, "expected '%c'", c);
}

static bool
is_word_char(char c)
{
   return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_' ||
          c == '.' || c == '@';
}

struct word {
   const char *start;
   size_t length;
};

/* Possibly empty. */
static struct word
take_word(struct parser *p)
{
   skip_blanks(p);
   struct word w = { p->at, 0 };
   while (is_word_char(peek(p)))
      p->at++;
   w.length = (size_t)(p->at - w.start);
   return w;
}

static bool
word_is(struct word w, const char *text)
{
   return strlen(text) == w.length && !memcmp(w.start, text, w.length);
}

/* A decimal number below 2^bits. */
static unsigned
take_number(struct parser *p, unsigned bits)
{
   skip_blanks(p);
   const char *start = p->at;
   unsigned value = 0;
   bool fits = true;
   while (peek(p) >= '0' && peek(p) <= '9') {
      value = value * 10 + (unsigned)(*p->at++ - '0');
      fits &= !(value >> bits);
      value &= BITFIELD_MASK(bits);
   }
   if (p->at == start)
      fail_at(p, start, "expected a number");
   else if (!fits)
      fail_at(p, start, "the number is not below %u", 1u << bits);
   return value;
}

/* The index of a word among `count` names; "op7" is 7 if that has none. */
static unsigned
take_name(struct parser *p, const char *const *names, unsigned count,
          const char *what)
{
   const struct word w = take_word(p);
   for (unsigned i = 0; i < count; i++) {
      if (names[i] && word_is(w, names[i]))
         return i;
   }
   if (w.length > 2 && w.length <= 4 && !memcmp(w.start, "op", 2)) {
      unsigned value = 0;
      for (size_t i = 2; i < w.length; i++) {
         const unsigned digit = (unsigned)(w.start[i] - '0');
         value = digit > 9 ? count : value * 10 + digit;
      }
      if (value < count && !names[value])
         return value;
   }
   fail_at(p, w.start, "unknown %s '%.*s'", what, (int)MIN2(w.length, 32),
           w.start);
   return 0;
}

/* The unused operand is '-', which no word is. */
static unsigned
take_src(struct parser *p, bool is_b)
{
   if (accept(p, '-'))
      return GP_SRC_UNUSED;
   skip_blanks(p);
   const char *start = p->at;
   const struct parser before = *p;
   if (word_is(take_word(p), GP_IDENTITY_TEXT)) {
      if (!is_b)
         fail_at(p, start, "the identity is an operand B only");
      return GP_SRC_IDENTITY;
   }
   p->at = before.at;
   const unsigned src = take_name(p, gp_src_names, 32, "operand");
   if (is_b && src == GP_SRC_COMPLEX_1)
      fail_at(p, start,
              "an operand B cannot be the table unit's result: "
              "its code is the identity there");
   return src;
}

/* A negated operand; "-" alone is the unused one. */
static unsigned
take_signed_src(struct parser *p, bool is_b, uint8_t *negate)
{
   *negate = 0;
   if (accept(p, '-')) {
      skip_blanks(p);
      if (peek(p) == ',' || peek(p) == ')')
         return GP_SRC_UNUSED;
      *negate = 1;
   }
   return take_src(p, is_b);
}

static void
set_shared_op(struct parser *p, const char *where, int *have, unsigned op)
{
   if (*have >= 0 && *have != (int)op)
      fail_at(p, where, "both units of a kind share their opcode");
   *have = (int)op;
}

static void
parse_mul(struct parser *p, unsigned n)
{
   struct gp_instr *i = p->instr;
   i->mul_negate[n] = accept(p, '-');
   skip_blanks(p);
   const char *where = p->at;
   unsigned op = take_name(p, gp_mul_op_names, 8, "opcode");
   if (n == 1 && op == GP_MUL_OP_COMPLEX2)
      fail_at(p, where, "complex2 is an opcode of mul0");
   /* Multiplier 1 multiplies beside it, whichever is named first. */
   if (n == 1 && op == GP_MUL_OP_MUL && p->mul_op == GP_MUL_OP_COMPLEX2)
      op = GP_MUL_OP_COMPLEX2;
   if (op == GP_MUL_OP_COMPLEX2 && p->mul_op == GP_MUL_OP_MUL)
      p->mul_op = -1;
   set_shared_op(p, where, &p->mul_op, op);
   i->mul_op = (uint8_t)op;
   expect(p, '(');
   i->mul_src[n][0] = (uint8_t)take_src(p, false);
   if (accept(p, ','))
      i->mul_src[n][1] = (uint8_t)take_src(p, true);
   expect(p, ')');
}

static void
parse_add(struct parser *p, unsigned n)
{
   struct gp_instr *i = p->instr;
   skip_blanks(p);
   const char *where = p->at;
   const unsigned op = take_name(p, gp_add_op_names, 8, "opcode");
   set_shared_op(p, where, &p->add_op, op);
   i->add_op = (uint8_t)op;
   expect(p, '(');
   i->add_src[n][0] =
      (uint8_t)take_signed_src(p, false, &i->add_negate[n][0]);
   if (accept(p, ','))
      i->add_src[n][1] =
         (uint8_t)take_signed_src(p, true, &i->add_negate[n][1]);
   expect(p, ')');
}

static void
parse_complex(struct parser *p, unsigned n)
{
   p->instr->complex_op =
      (uint8_t)take_name(p, gp_complex_op_names, 16, "opcode");
   expect(p, '(');
   p->instr->complex_src = (uint8_t)take_src(p, false);
   expect(p, ')');
}

static void
parse_pass(struct parser *p, unsigned n)
{
   p->instr->pass_op = (uint8_t)take_name(p, gp_pass_op_names, 8, "opcode");
   expect(p, '(');
   p->instr->pass_src = (uint8_t)take_src(p, false);
   expect(p, ')');
}

static void
parse_port(struct parser *p, unsigned n)
{
   const bool attribute = n == 0 && accept(p, 'a');
   if (!attribute)
      expect(p, 'r');
   const uint8_t index = (uint8_t)take_number(p, 4);
   if (n == 0) {
      p->instr->port0_index = index;
      p->instr->port0_is_attribute = attribute;
   } else {
      p->instr->port1_index = index;
   }
}

static void
parse_uniform(struct parser *p, unsigned n)
{
   expect(p, 'c');
   p->instr->uniform_index = (uint16_t)take_number(p, 9);
   if (!accept(p, '+'))
      return;
   skip_blanks(p);
   if (p->end - p->at < 4 || memcmp(p->at, "addr", 4)) {
      fail_at(p, p->at, "expected 'addr' and a number");
      return;
   }
   p->at += 4;
   p->instr->uniform_offset = (uint8_t)take_number(p, 3);
}

static unsigned
take_store_src(struct parser *p)
{
   return accept(p, '-') ? GP_STORE_NONE
                         : take_name(p, gp_store_names, 8, "store source");
}

static void
parse_store(struct parser *p, unsigned n)
{
   struct gp_instr *i = p->instr;
   i->store_is_temp[n] = accept(p, 't');
   i->store_is_varying[n] = accept(p, 'v');
   if (!i->store_is_temp[n] && !i->store_is_varying[n])
      expect(p, 'r');
   i->store_index[n] = (uint8_t)take_number(p, 4);
   expect(p, '(');
   i->store_src[n][0] = (uint8_t)take_store_src(p);
   expect(p, ',');
   i->store_src[n][1] = (uint8_t)take_store_src(p);
   expect(p, ')');
}

static void
parse_target(struct parser *p, unsigned is_branch)
{
   if (p->target_given)
      fail_at(p, p->at, "the target is given twice");
   p->target_given = true;
   p->instr->branch = (uint8_t)is_branch;
   p->instr->branch_target = (uint16_t)take_number(p, 9);
}

static void
parse_mode(struct parser *p, unsigned n)
{
   p->instr->mode = (uint8_t)take_number(p, 4);
   p->mode_given = true;
}

static const struct {
   const char *name;
   void (*parse)(struct parser *p, unsigned n);
   unsigned n;
} clauses[] = {
   { "p0", parse_port, 0 },       { "p1", parse_port, 1 },
   { "u", parse_uniform, 0 },     { "mul0", parse_mul, 0 },
   { "mul1", parse_mul, 1 },      { "add0", parse_add, 0 },
   { "add1", parse_add, 1 },      { "complex", parse_complex, 0 },
   { "pass", parse_pass, 0 },     { "st0", parse_store, 0 },
   { "st1", parse_store, 1 },     { "target", parse_target, 0 },
   { "branch", parse_target, 1 }, { "mode", parse_mode, 0 },
};

static void
parse_clause(struct parser *p)
{
   const struct word w = take_word(p);
   for (unsigned c = 0; c < ARRAY_SIZE(clauses); c++) {
      if (!word_is(w, clauses[c].name))
         continue;
      if (p->seen & BITFIELD_BIT(c))
         fail_at(p, w.start, "'%s' is given twice", clauses[c].name);
      p->seen |= BITFIELD_BIT(c);
      expect(p, '=');
      if (!p->failed)
         clauses[c].parse(p, clauses[c].n);
      return;
   }
   if (w.length)
      fail_at(p, w.start, "unknown clause '%.*s'", (int)MIN2(w.length, 32),
              w.start);
   else
      fail_at(p, w.start, "expected a clause");
}

/* After the line's number, up to its end. */
static void
parse_instr(struct parser *p)
{
   gp_instr_init(p->instr);
   p->mul_op = p->add_op = -1;
   p->seen = 0;
   p->target_given = p->mode_given = false;
   const struct parser before = *p;
   if (!word_is(take_word(p), "nop")) {
      p->at = before.at;
      do
         parse_clause(p);
      while (accept(p, ';') && !at_line_end(p));
   }
   if (!p->failed && !at_line_end(p))
      fail_at(p, p->at, "expected ';' or the end of the line");
   if (!p->mode_given)
      p->instr->mode = (uint8_t)gp_implied_mode(p->instr);
}

/* A number of C, with sign, fraction, exponent, "inf" or "nan". */
static float
take_float(struct parser *p)
{
   skip_blanks(p);
   const char *start = p->at;
   char copy[64];
   size_t length = 0;
   while (length < sizeof(copy) - 1 &&
          (is_word_char(peek(p)) || peek(p) == '-' || peek(p) == '+'))
      copy[length++] = *p->at++;
   copy[length] = '\0';
   char *end;
   const float value = strtof(copy, &end);
   if (end == copy || *end)
      fail_at(p, start, "expected a number");
   return value;
}

/* "c5" below `limit`. */
static unsigned
take_vec4(struct parser *p, unsigned limit)
{
   expect(p, 'c');
   const char *start = p->at;
   const unsigned index = take_number(p, 9);
   if (!p->failed && index >= limit)
      fail_at(p, start, "there are %u vec4 of uniforms", limit);
   return p->failed ? 0 : index;
}

static void
parse_directive(struct parser *p, struct gp_text_data *data)
{
   const struct word w = take_word(p);
   if (word_is(w, ".const")) {
      skip_blanks(p);
      const char *start = p->at;
      const unsigned index = take_vec4(p, GP_NUM_UNIFORMS);
      float value[4];
      if (!p->failed && data->is_constant[index])
         fail_at(p, start, "c%u is given twice", index);
      for (unsigned c = 0; c < 4; c++) {
         expect(p, c ? ',' : '=');
         value[c] = take_float(p);
      }
      if (p->failed)
         return;
      memcpy(data->constants[index], value, sizeof(value));
      data->is_constant[index] = 1;
   } else if (word_is(w, ".temps")) {
      if (p->temps_given)
         fail_at(p, w.start, "'.temps' is given twice");
      p->temps_given = true;
      const unsigned first = take_vec4(p, GP_NUM_UNIFORMS);
      expect(p, ',');
      const char *start = p->at;
      const unsigned count = take_number(p, 9);
      if (!p->failed && count > GP_NUM_UNIFORMS - first)
         fail_at(p, start, "there are %u vec4 of uniforms", GP_NUM_UNIFORMS);
      if (p->failed)
         return;
      data->temp_first = first;
      data->temp_count = count;
   } else {
      fail_at(p, w.start, "unknown directive '%.*s'", (int)MIN2(w.length, 32),
              w.start);
   }
   if (!p->failed && !at_line_end(p))
      fail_at(p, p->at, "expected the end of the line");
}

/* "12:" has to count. */
static void
parse_number(struct parser *p, unsigned index)
{
   skip_blanks(p);
   const char *start = p->at;
   if (peek(p) < '0' || peek(p) > '9')
      return;
   if (take_number(p, 10) != index)
      fail_at(p, start, "this is instruction %u", index);
   expect(p, ':');
}

static void
next_line(struct parser *p)
{
   while (p->at < p->end && *p->at != '\n')
      p->at++;
   p->at += p->at < p->end;
   p->line_start = p->at;
   p->line++;
}

static void
parse_line(struct parser *p, struct gp_instr instrs[GP_MAX_INSTRS],
           unsigned *count, struct gp_text_data *data)
{
   if (peek(p) == '.') {
      parse_directive(p, data);
      return;
   }
   if (*count == GP_MAX_INSTRS) {
      fail_at(p, p->at, "a program has at most %u instructions",
              GP_MAX_INSTRS);
      return;
   }
   p->instr = &instrs[*count];
   parse_number(p, *count);
   if (!p->failed)
      parse_instr(p);
   (*count)++;
}

bool
gp_parse_program(const char *text, size_t size,
                 struct gp_instr instrs[GP_MAX_INSTRS], unsigned *count,
                 struct gp_text_data *data, struct gp_text_error *error)
{
   struct gp_text_data unused;
   struct parser p = {
      .at = text,
      .end = text + size,
      .line_start = text,
      .line = 1,
      .error = error,
   };
   *count = 0;
   if (!data)
      data = &unused;
   memset(data, 0, sizeof(*data));
   for (; p.at < p.end && !p.failed; next_line(&p)) {
      if (!at_line_end(&p))
         parse_line(&p, instrs, count, data);
   }
   return !p.failed;
}
