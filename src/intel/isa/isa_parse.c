/* SPDX-License-Identifier: MIT */
/* From a line of text to an instruction: predicate, mnemonic, execution
 * size, modifiers, operands by the opcode's format, options. Complains once
 * a statement, at the word where it noticed. */
#include "isa_parse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

void
isa_parser_fail_at(struct isa_parser *p, const struct isa_token *where,
                   const char *fmt, ...)
{
   if (p->failed)
      return;
   p->failed = true;
   if (!p->err)
      return;
   memset(p->err, 0, sizeof(*p->err));
   p->err->line = where->line;
   p->err->column = where->column;
   va_list ap;
   va_start(ap, fmt);
   const int n = vsnprintf(p->err->text, sizeof(p->err->text), fmt, ap);
   va_end(ap);
   const size_t used = MIN2((size_t)n, sizeof(p->err->text) - 1);
   const int shown = (int)MIN2(where->length, 32);
   if (where->kind == ISA_TOKEN_END || where->kind == ISA_TOKEN_NEWLINE)
      snprintf(p->err->text + used, sizeof(p->err->text) - used,
               " at the end of the instruction");
   else if (where->kind == ISA_TOKEN_COMMENT)
      snprintf(p->err->text, sizeof(p->err->text),
               "a comment without an end");
   else if (where->kind == ISA_TOKEN_BAD)
      snprintf(p->err->text + used, sizeof(p->err->text) - used,
               " before a character that means nothing here");
   else
      snprintf(p->err->text + used, sizeof(p->err->text) - used,
               " at \"%.*s\"", shown, where->start);
}

void
isa_parser_advance(struct isa_parser *p)
{
   p->token = isa_lexer_next(p->lexer);
}

bool
isa_token_is(const struct isa_token *token, const char *text)
{
   const size_t length = strlen(text);
   return token->length == length && !memcmp(token->start, text, length);
}

bool
isa_parser_accept(struct isa_parser *p, const char *text)
{
   if (p->failed || !isa_token_is(&p->token, text))
      return false;
   isa_parser_advance(p);
   return true;
}

void
isa_parser_expect(struct isa_parser *p, const char *text)
{
   if (!p->failed && !isa_parser_accept(p, text))
      isa_parser_fail_at(p, &p->token, "expected \"%s\"", text);
}

uint64_t
isa_parser_unsigned(struct isa_parser *p, uint64_t max)
{
   const struct isa_token where = p->token;
   if (p->failed)
      return 0;
   uint64_t v = 0;
   const bool hex = where.length > 2 && (where.start[1] | 0x20) == 'x';
   bool good = where.kind == ISA_TOKEN_NUMBER && where.length < 20;
   for (size_t i = hex ? 2 : 0; good && i < where.length; i++) {
      const char c = where.start[i];
      if (isdigit((unsigned char)c))
         v = v * (hex ? 16 : 10) + (uint64_t)(c - '0');
      else if (hex)
         v = v * 16 + (uint64_t)((c | 0x20) - 'a' + 10);
      else
         good = false;
   }
   if (!good) {
      isa_parser_fail_at(p, &where, "expected a number");
      return 0;
   }
   if (v > max) {
      isa_parser_fail_at(p, &where, "the number is more than %llu",
                         (unsigned long long)max);
      return 0;
   }
   isa_parser_advance(p);
   return v;
}

/* "f0.1" */
static void
flag_register(struct isa_parser *p)
{
   const struct isa_token name = p->token;
   if (!isa_token_is(&name, "f0") && !isa_token_is(&name, "f1")) {
      isa_parser_fail_at(p, &name, "expected a flag register f0 or f1");
      return;
   }
   isa_parser_advance(p);
   isa_parser_expect(p, ".");
   const unsigned subnr = (unsigned)isa_parser_unsigned(p, 1);
   const unsigned nr = (unsigned)(name.start[1] - '0');
   struct isa_inst *inst = p->inst;
   if (inst->pred != ISA_PRED_NONE &&
       (inst->flag_nr != nr || inst->flag_subnr != subnr))
      isa_parser_fail_at(p, &name,
                         "predicate and conditional modifier share "
                         "one flag register");
   inst->flag_nr = (uint8_t)nr;
   inst->flag_subnr = (uint8_t)subnr;
}

static void
predicate_control(struct isa_parser *p)
{
   if (!isa_parser_accept(p, "."))
      return;
   for (unsigned i = 0; i < ISA_PRED_COUNT; i++) {
      if (isa_pred_text[i][0] && isa_parser_accept(p, isa_pred_text[i])) {
         p->inst->pred = (enum isa_pred)i;
         return;
      }
   }
   isa_parser_fail_at(p, &p->token, "expected a predicate control");
}

/* (W), (f0.0), (~f0.0.any4h), (W&f0.0) */
static void
predicate(struct isa_parser *p)
{
   if (!isa_parser_accept(p, "("))
      return;
   if (isa_parser_accept(p, "W")) {
      p->inst->no_mask = true;
      if (isa_parser_accept(p, ")"))
         return;
      isa_parser_expect(p, "&");
   }
   p->inst->pred_inv = isa_parser_accept(p, "~");
   flag_register(p);
   p->inst->pred = ISA_PRED_NORMAL;
   predicate_control(p);
   isa_parser_expect(p, ")");
}

static void
math_function(struct isa_parser *p)
{
   isa_parser_expect(p, ".");
   for (unsigned f = 1; f < 16; f++) {
      const char *name = isa_math_name((enum isa_math)f);
      if (name[0] != '?' && isa_parser_accept(p, name)) {
         p->inst->math_function = (enum isa_math)f;
         return;
      }
   }
   isa_parser_fail_at(p, &p->token, "expected a math function");
}

static void
mnemonic(struct isa_parser *p)
{
   const struct isa_token name = p->token;
   unsigned op = 0;
   while (op < ISA_OPCODE_COUNT &&
          !isa_token_is(&name, isa_opcode_info((enum isa_opcode)op)->name))
      op++;
   if (name.kind != ISA_TOKEN_WORD || op == ISA_OPCODE_COUNT) {
      isa_parser_fail_at(p, &name, "expected an opcode");
      return;
   }
   p->inst->opcode = (enum isa_opcode)op;
   p->info = isa_opcode_info(p->inst->opcode);
   if (!isa_opcode_exists(p->gen, p->inst->opcode)) {
      isa_parser_fail_at(p, &name, "%s has no such opcode",
                         isa_gen_name(p->gen));
      return;
   }
   isa_parser_advance(p);
   if (p->inst->opcode == ISA_OPCODE_MATH)
      math_function(p);
   else if (p->info->is_flow && isa_parser_accept(p, ".")) {
      isa_parser_expect(p, "b");
      p->inst->branch_ctrl = true;
   }
}

/* (8|M0) */
static void
exec_size(struct isa_parser *p)
{
   struct isa_lexer ahead = *p->lexer;
   const bool implied = p->info->format == ISA_FORMAT_JMPI ||
                        p->info->format == ISA_FORMAT_WAIT;
   if (implied && (!isa_token_is(&p->token, "(") ||
                   isa_lexer_next(&ahead).kind != ISA_TOKEN_NUMBER)) {
      p->inst->exec_size = 1;
      return;
   }
   if (!isa_parser_accept(p, "(")) {
      isa_parser_fail_at(p, &p->token, "expected an execution size");
      return;
   }
   const struct isa_token size = p->token;
   p->inst->exec_size = (uint8_t)isa_parser_unsigned(p, 32);
   if (!p->failed && !util_is_power_of_two_nonzero(p->inst->exec_size))
      isa_parser_fail_at(p, &size, "an execution size is a power of two");
   if (isa_parser_accept(p, "|")) {
      const struct isa_token group = p->token;
      for (unsigned first = 0; first < 32; first += 4) {
         char text[8];
         snprintf(text, sizeof(text), "M%u", first);
         if (isa_parser_accept(p, text)) {
            p->inst->group = (uint8_t)first;
            isa_parser_expect(p, ")");
            return;
         }
      }
      isa_parser_fail_at(p, &group, "expected M0, M4, ... M28");
   }
   isa_parser_expect(p, ")");
}

/* (lt)f0.0; "(" may also begin (sat) and so on, of what comes next. */
static void
cond_mod(struct isa_parser *p)
{
   if (!isa_token_is(&p->token, "("))
      return;
   struct isa_lexer ahead = *p->lexer;
   const struct isa_token word = isa_lexer_next(&ahead);
   for (unsigned m = 1; m < 10; m++) {
      const char *name = isa_cond_mod_name((enum isa_cond_mod)m);
      if (!isa_token_is(&word, name))
         continue;
      if (!p->info->may_cond_mod) {
         isa_parser_fail_at(p, &word, "%s has no conditional modifier",
                            p->info->name);
         return;
      }
      isa_parser_advance(p);
      isa_parser_advance(p);
      isa_parser_expect(p, ")");
      flag_register(p);
      p->inst->cond_mod = (enum isa_cond_mod)m;
      return;
   }
   /* Early out: the flag in which the math macros answer. */
   if (isa_token_is(&word, "eo") && p->inst->opcode == ISA_OPCODE_MATH &&
       isa_inst_is_math_macro(p->inst)) {
      isa_parser_advance(p);
      isa_parser_advance(p);
      isa_parser_expect(p, ")");
      flag_register(p);
   }
}

/* A label, or bytes from this instruction. */
static int32_t
target(struct isa_parser *p, bool is_uip)
{
   if (p->failed)
      return 0;
   if (p->token.kind == ISA_TOKEN_WORD) {
      if (!p->refs) {
         isa_parser_fail_at(p, &p->token,
                            "a label means nothing without a "
                            "program");
         return 0;
      }
      p->refs[p->num_refs++] =
         (struct isa_label_ref) { .label = p->token, .is_uip = is_uip };
      isa_parser_advance(p);
      return 0;
   }
   const bool negative = isa_parser_accept(p, "-");
   const int64_t v =
      (int64_t)isa_parser_unsigned(p, 0x7fffffffu + (negative ? 1u : 0u));
   return (int32_t)(negative ? -v : v);
}

/* Intel's assembler shows a type after some targets. */
static void
target_type(struct isa_parser *p)
{
   if (isa_parser_accept(p, ":") && !isa_parser_accept(p, "w"))
      isa_parser_expect(p, "d");
}

static void
flow_operands(struct isa_parser *p)
{
   struct isa_inst *inst = p->inst;
   if (p->info->format == ISA_FORMAT_CALL) {
      isa_parser_plain_register(p, &inst->dst, ISA_TYPE_UD);
      inst->dst.hstride = 1;
   }
   inst->src[0].file = ISA_FILE_IMM;
   if (p->info->num_srcs && isa_token_is_register(&p->token)) {
      isa_parser_plain_register(p, &inst->src[0], ISA_TYPE_D);
      inst->src[0].type = ISA_TYPE_D;
      return;
   }
   if (!p->info->has_jip) {
      isa_parser_fail_at(p, &p->token, "expected a register");
      return;
   }
   inst->jip = target(p, false);
   target_type(p);
   if (p->info->has_uip &&
       (p->gen >= ISA_BDW || inst->opcode != ISA_OPCODE_ELSE)) {
      inst->uip = target(p, true);
      target_type(p);
   }
}

/* The first number of a message: SFID in 3:0, EOT in 5, extended descriptor
 * above; or a register of which the extended descriptor comes. */
static void
extended_descriptor(struct isa_parser *p)
{
   struct isa_inst *inst = p->inst;
   if (p->info->format == ISA_FORMAT_SENDS && isa_parser_accept(p, "a0")) {
      isa_parser_expect(p, ".");
      inst->ex_desc_is_reg = true;
      inst->ex_desc_subnr = (uint8_t)isa_parser_unsigned(p, 7);
      if (!isa_parser_accept(p, "|"))
         return;
   }
   const struct isa_token where = p->token;
   const uint32_t v = (uint32_t)isa_parser_unsigned(p, 0xffffffff);
   if (v & 0x10 || (inst->ex_desc_is_reg && v > 0x3f))
      isa_parser_fail_at(p, &where,
                         "bits that an extended descriptor does "
                         "not have");
   inst->sfid = (enum isa_sfid)(v & 0xf);
   inst->eot = v & 0x20;
   inst->ex_desc = v & ~0x3fu;
}

static void
message_descriptor(struct isa_parser *p)
{
   struct isa_inst *inst = p->inst;
   if (isa_parser_accept(p, "a0")) {
      isa_parser_expect(p, ".");
      isa_parser_unsigned(p, 0);
      inst->desc_is_reg = true;
      return;
   }
   const struct isa_token where = p->token;
   const uint32_t v = (uint32_t)isa_parser_unsigned(p, 0xffffffff);
   /* Bit 31 is EOT in old descriptors. */
   if (v >> 31)
      isa_parser_fail_at(p, &where, "a message descriptor has 31 bits");
   inst->desc = v;
}

/* Looks ahead: name, sub-register, and then the '<' of a region? */
static bool
dst_has_region(const struct isa_parser *p)
{
   struct isa_lexer ahead = *p->lexer;
   struct isa_token token = isa_lexer_next(&ahead);
   if (isa_token_is(&p->token, "r")) {
      /* r[a0.N,imm] */
      while (token.kind != ISA_TOKEN_END && token.kind != ISA_TOKEN_NEWLINE &&
             !isa_token_is(&token, "]"))
         token = isa_lexer_next(&ahead);
      token = isa_lexer_next(&ahead);
   }
   if (isa_token_is(&token, ".")) {
      token = isa_lexer_next(&ahead);
      if (isa_token_is(&token, "@"))
         isa_lexer_next(&ahead);
      token = isa_lexer_next(&ahead);
   }
   return isa_token_is(&token, "<");
}

static void
send_operands(struct isa_parser *p)
{
   struct isa_inst *inst = p->inst;
   const bool split = p->info->format == ISA_FORMAT_SENDS;
   if (!split && dst_has_region(p)) {
      isa_parser_dst(p);
   } else {
      isa_parser_plain_register(p, &inst->dst, ISA_TYPE_UD);
      inst->dst.hstride = 1;
   }
   isa_parser_plain_register(p, &inst->src[0], ISA_TYPE_UD);
   if (split) {
      isa_parser_plain_register(p, &inst->src[1], ISA_TYPE_UD);
      inst->src[0].type = inst->src[1].type = ISA_TYPE_UD;
   }
   extended_descriptor(p);
   message_descriptor(p);
}

static void
operands(struct isa_parser *p)
{
   switch (p->info->format) {
   case ISA_FORMAT_NONE: break;
   case ISA_FORMAT_MATH:
   case ISA_FORMAT_BASIC1:
   case ISA_FORMAT_BASIC2:
   case ISA_FORMAT_SRC3:
      if (p->info->format == ISA_FORMAT_SRC3 ||
          isa_inst_is_math_macro(p->inst))
         p->inst->access_mode = ISA_ALIGN16;
      isa_parser_dst(p);
      for (unsigned n = 0; n < isa_inst_num_srcs(p->inst) && !p->failed; n++)
         isa_parser_src(p, n);
      break;
   case ISA_FORMAT_BRANCH1:
   case ISA_FORMAT_BRANCH2:
   case ISA_FORMAT_JMPI:
   case ISA_FORMAT_CALL:
   case ISA_FORMAT_RET: flow_operands(p); break;
   case ISA_FORMAT_WAIT: isa_parser_src(p, 0); break;
   case ISA_FORMAT_SEND:
   case ISA_FORMAT_SENDS: send_operands(p); break;
   }
}

static bool
option(struct isa_parser *p)
{
   struct isa_inst *inst = p->inst;
   if (isa_parser_accept(p, "Align1"))
      return inst->access_mode == ISA_ALIGN1;
   if (isa_parser_accept(p, "Align16"))
      inst->access_mode = ISA_ALIGN16;
   else if (isa_parser_accept(p, "AccWrEn"))
      inst->acc_wr_en = true;
   else if (isa_parser_accept(p, "Atomic"))
      inst->thread_ctrl = ISA_THREAD_ATOMIC;
   else if (isa_parser_accept(p, "Breakpoint"))
      inst->debug = true;
   else if (isa_parser_accept(p, "Compacted"))
      inst->compacted = true;
   else if (isa_parser_accept(p, "EOT"))
      inst->eot = true;
   else if (isa_parser_accept(p, "NoDDChk"))
      inst->no_dd_chk = true;
   else if (isa_parser_accept(p, "NoDDClr"))
      inst->no_dd_clr = true;
   else if (isa_parser_accept(p, "Switch"))
      inst->thread_ctrl = ISA_THREAD_SWITCH;
   else
      return false;
   return true;
}

static void
options(struct isa_parser *p)
{
   if (!isa_parser_accept(p, "{"))
      return;
   while (!p->failed && !isa_parser_accept(p, "}")) {
      const struct isa_token where = p->token;
      if (!option(p))
         isa_parser_fail_at(p, &where, "expected an instruction option");
      else if (!isa_token_is(&p->token, "}"))
         isa_parser_expect(p, ",");
   }
   if (p->inst->eot && !p->info->is_send && !p->failed)
      isa_parser_fail_at(p, &p->token, "only messages have EOT");
}

static void
statement(struct isa_parser *p)
{
   predicate(p);
   if (p->failed)
      return;
   mnemonic(p);
   if (p->failed)
      return;
   if (p->info->format != ISA_FORMAT_NONE) {
      exec_size(p);
      cond_mod(p);
      operands(p);
   }
   options(p);
   if (!p->failed && p->token.kind != ISA_TOKEN_END &&
       p->token.kind != ISA_TOKEN_NEWLINE)
      isa_parser_fail_at(p, &p->token, "expected the end of the instruction");
}

bool
isa_parse_statement(enum isa_gen gen, struct isa_lexer *lexer,
                    struct isa_inst *inst, struct isa_label_ref refs[2],
                    unsigned *num_refs, struct isa_error *err)
{
   /* clang-format off */
   struct isa_parser p = {
      .gen = gen, .lexer = lexer, .inst = inst, .refs = refs, .err = err,
   };
   /* clang-format on */
   memset(inst, 0, sizeof(*inst));
   isa_parser_advance(&p);
   statement(&p);
   /* Go on after the line of a statement that failed: a ';' may be part of
    * a region. */
   while (p.token.kind != ISA_TOKEN_END &&
          !(p.token.kind == ISA_TOKEN_NEWLINE &&
            (!p.failed || *p.token.start == '\n')))
      isa_parser_advance(&p);
   if (num_refs)
      *num_refs = p.num_refs;
   return !p.failed;
}

bool
isa_parse(enum isa_gen gen, const char *text, struct isa_inst *inst,
          struct isa_error *err)
{
   struct isa_lexer lexer;
   isa_lexer_init(&lexer, text, strlen(text));
   if (!isa_parse_statement(gen, &lexer, inst, NULL, NULL, err))
      return false;
   struct isa_parser p = { .lexer = &lexer, .err = err };
   do
      isa_parser_advance(&p);
   while (p.token.kind == ISA_TOKEN_NEWLINE);
   if (p.token.kind != ISA_TOKEN_END) {
      isa_parser_fail_at(&p, &p.token, "expected the end of the text");
      return false;
   }
   return true;
}
