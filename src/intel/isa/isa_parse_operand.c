/* SPDX-License-Identifier: MIT */
/* Operands of the text form: registers, regions, immediates. The form is
 * described in isa_print.c. */
#include "isa_parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "util/half.h"

/* Registers. ------------------------------------------------------------- */

/* The number at the end of a word, after its first `skip` letters; -1 if
 * there are none, -2 if something else stands there. */
static int
word_number(const struct isa_token *token, size_t skip)
{
   if (token->length == skip)
      return -1;
   if (token->length > skip + 3)
      return -2;
   int n = 0;
   for (size_t i = skip; i < token->length; i++) {
      if (!isdigit((unsigned char)token->start[i]))
         return -2;
      n = n * 10 + token->start[i] - '0';
   }
   return n;
}

/* The ARF number that a word names, or -1. */
static int
arf_number(const struct isa_token *token)
{
   for (unsigned i = 0; i < ISA_ARF_TEXT_COUNT; i++) {
      const struct isa_arf_text *arf = &isa_arf_texts[i];
      const size_t length = strlen(arf->text);
      if (token->length < length || memcmp(token->start, arf->text, length))
         continue;
      const int n = word_number(token, length);
      if (n >= -1 && n < 16 && (n >= 0 || !arf->numbered))
         return arf->code + MAX2(n, 0);
   }
   /* The extended accumulators, which the math macros use. */
   if (token->length == 4 && !memcmp(token->start, "mme", 3) &&
       token->start[3] >= '0' && token->start[3] <= '7')
      return ISA_ARF_ACC + 2 + token->start[3] - '0';
   return -1;
}

static int
grf_number(const struct isa_token *token)
{
   if (token->kind != ISA_TOKEN_WORD || token->start[0] != 'r')
      return -1;
   return word_number(token, 1);
}

bool
isa_token_is_register(const struct isa_token *token)
{
   return token->kind == ISA_TOKEN_WORD &&
          (grf_number(token) >= 0 || arf_number(token) >= 0);
}

/* Signed 10 bits after the comma of r[a0.N,imm]. */
static void
indirect_address(struct isa_parser *p, struct isa_operand *o)
{
   o->file = ISA_FILE_GRF;
   o->indirect = true;
   isa_parser_expect(p, "[");
   isa_parser_expect(p, "a0");
   isa_parser_expect(p, ".");
   o->addr_subnr = (uint8_t)isa_parser_unsigned(p, 15);
   if (isa_parser_accept(p, ",")) {
      const bool negative = isa_parser_accept(p, "-");
      const int value = (int)isa_parser_unsigned(p, 512);
      o->addr_imm_B = (int16_t)(negative ? -value : value);
   }
   isa_parser_expect(p, "]");
}

/* A sub-register as written: in elements, or after '@' in bytes. */
struct subnr {
   struct isa_token where;
   unsigned value;
   bool in_bytes;
};

static void
register_name(struct isa_parser *p, struct isa_operand *o,
              struct subnr *subnr)
{
   memset(subnr, 0, sizeof(*subnr));
   const struct isa_token name = p->token;
   if (name.kind != ISA_TOKEN_WORD) {
      isa_parser_fail_at(p, &name, "expected a register");
      return;
   }
   isa_parser_advance(p);
   if (isa_token_is(&name, "r")) {
      indirect_address(p, o);
      return;
   }
   const int grf = grf_number(&name), arf = arf_number(&name);
   if (grf >= ISA_MAX_GRF) {
      isa_parser_fail_at(p, &name, "registers are r0 to r127");
   } else if (grf >= 0) {
      o->file = ISA_FILE_GRF;
      o->nr = (uint8_t)grf;
   } else if (arf >= 0) {
      o->file = ISA_FILE_ARF;
      o->nr = (uint8_t)arf;
   } else {
      isa_parser_fail_at(p, &name, "no register has this name");
   }
}

/* ".N" or ".@N", if it is there. */
static void
sub_register(struct isa_parser *p, struct subnr *subnr)
{
   if (p->token.kind != ISA_TOKEN_NUMBER && !isa_token_is(&p->token, "@"))
      return;
   subnr->where = p->token;
   subnr->in_bytes = isa_parser_accept(p, "@");
   subnr->value = (unsigned)isa_parser_unsigned(p, 31);
}

static void
apply_subnr(struct isa_parser *p, struct isa_operand *o,
            const struct subnr *subnr)
{
   const unsigned scale = subnr->in_bytes ? 1 : isa_type_size_B(o->type);
   if (subnr->value * scale >= ISA_REG_SIZE_B)
      isa_parser_fail_at(p, &subnr->where,
                         "sub-register %u is beyond the "
                         "end of the register",
                         subnr->value);
   else
      o->subnr_B = (uint8_t)(subnr->value * scale);
}

static bool
type_name(struct isa_parser *p, enum isa_type *type)
{
   for (unsigned i = 0; i < ISA_TYPE_COUNT; i++) {
      if (isa_parser_accept(p, isa_type_info((enum isa_type)i)->name)) {
         *type = (enum isa_type)i;
         return true;
      }
   }
   return false;
}

static void
required_type(struct isa_parser *p, struct isa_operand *o)
{
   isa_parser_expect(p, ":");
   if (!p->failed && !type_name(p, &o->type))
      isa_parser_fail_at(p, &p->token, "expected a type");
}

/* Regions and channels. -------------------------------------------------- */

static unsigned
channel_index(char c)
{
   return c == 'w' ? 3 : (unsigned)(c - 'x');
}

/* Takes up to four letters out of xyzw; the number of them. */
static unsigned
channels(struct isa_parser *p)
{
   const struct isa_token word = p->token;
   bool good = word.kind == ISA_TOKEN_WORD && word.length <= 4;
   for (size_t i = 0; good && i < word.length; i++)
      good = memchr("xyzw", word.start[i], 4) != NULL;
   if (!good) {
      isa_parser_fail_at(p, &word, "expected channels out of xyzw");
      return 0;
   }
   isa_parser_advance(p);
   return (unsigned)word.length;
}

static unsigned
writemask(struct isa_parser *p)
{
   const struct isa_token word = p->token;
   if (word.kind == ISA_TOKEN_NUMBER && isa_token_is(&word, "0")) {
      isa_parser_advance(p);
      return 0;
   }
   const unsigned count = channels(p);
   unsigned mask = 0;
   for (unsigned i = 0; i < count; i++) {
      const unsigned bit = 1u << channel_index(word.start[i]);
      if (mask >= bit)
         isa_parser_fail_at(p, &word,
                            "channels of a destination stand in "
                            "order, each once");
      mask |= bit;
   }
   return mask;
}

/* Four channels, or one for all. */
static unsigned
swizzle(struct isa_parser *p)
{
   const struct isa_token word = p->token;
   const unsigned count = channels(p);
   if (p->failed)
      return 0;
   if (count != 1 && count != 4) {
      isa_parser_fail_at(p, &word, "a swizzle has one or four channels");
      return 0;
   }
   unsigned result = 0;
   for (unsigned i = 0; i < 4; i++)
      result |= channel_index(word.start[count == 4 ? i : 0]) << 2 * i;
   return result;
}

static unsigned
mme(struct isa_parser *p)
{
   const struct isa_token word = p->token;
   isa_parser_advance(p);
   if (isa_token_is(&word, "nomme"))
      return ISA_NO_MME;
   if (word.length == 4 && !memcmp(word.start, "mme", 3) &&
       word.start[3] >= '0' && word.start[3] <= '7')
      return (unsigned)(word.start[3] - '0');
   isa_parser_fail_at(p, &word, "expected mme0 to mme7 or nomme");
   return 0;
}

static unsigned
stride(struct isa_parser *p)
{
   const struct isa_token where = p->token;
   const unsigned value = (unsigned)isa_parser_unsigned(p, 32);
   if (!p->failed && !util_is_power_of_two_or_zero(value))
      isa_parser_fail_at(p, &where, "a stride is 0 or a power of two");
   return value;
}

/* <V;W,H> or <W,H>, which has an address for each row. */
static void
align1_region(struct isa_parser *p, struct isa_operand *src)
{
   isa_parser_expect(p, "<");
   const unsigned first = stride(p);
   if (isa_parser_accept(p, ",")) {
      src->vstride = ISA_VSTRIDE_VXH;
      src->width = (uint8_t)first;
      src->hstride = (uint8_t)stride(p);
   } else {
      isa_parser_expect(p, ";");
      src->vstride = (uint8_t)first;
      src->width = (uint8_t)stride(p);
      isa_parser_expect(p, ",");
      src->hstride = (uint8_t)stride(p);
   }
   isa_parser_expect(p, ">");
}

/* <V>.xyzw, or a region that belongs to Align1: false then. */
static bool
align16_region(struct isa_parser *p, struct isa_operand *src)
{
   const struct isa_lexer lexer = *p->lexer;
   const struct isa_token token = p->token;
   isa_parser_expect(p, "<");
   if (isa_parser_accept(p, "vxh"))
      src->vstride = ISA_VSTRIDE_VXH;
   else
      src->vstride = (uint8_t)stride(p);
   if (!isa_parser_accept(p, ">")) {
      *p->lexer = lexer;
      p->token = token;
      return false;
   }
   isa_parser_expect(p, ".");
   src->swizzle = (uint8_t)swizzle(p);
   return true;
}

/* Three sources: <0;0> and <0> replicate a scalar, <2;1> and <1> are all
 * channels; <4>.xyzw and <0>.xyzw say it as the hardware does. */
static void
src3_region(struct isa_parser *p, struct isa_operand *src, bool *plain)
{
   const struct isa_token where = p->token;
   isa_parser_expect(p, "<");
   const unsigned first = stride(p);
   unsigned second = first;
   const bool two = isa_parser_accept(p, ";");
   if (two)
      second = stride(p);
   isa_parser_expect(p, ">");
   src->rep_ctrl = first == 0;
   src->vstride = first == 0 ? 0 : 4;
   src->swizzle = ISA_SWIZZLE_XYZW;
   const bool channels_follow = !two && isa_token_is(&p->token, ".");
   const unsigned expect = first == 0 ? 0 : 1;
   if (!p->failed &&
       (channels_follow ? first != 0 && first != 4 : second != expect))
      isa_parser_fail_at(p, &where,
                         "no such region in an instruction with "
                         "three sources");
   *plain = !channels_follow;
   if (channels_follow) {
      isa_parser_advance(p);
      src->swizzle = (uint8_t)swizzle(p);
   }
}

/* Immediates. ------------------------------------------------------------ */

struct literal {
   struct isa_token where;
   char text[48];
   bool negative, is_float;
   bool is_nan, is_quiet; /* qnan(0x1), snan(0x1): text is the payload */
};

/* The word in front of a literal that is not a number. */
static bool
is_float_word(const struct isa_token *token)
{
   return isa_token_is(token, "inf") || isa_token_is(token, "qnan") ||
          isa_token_is(token, "snan");
}

static bool
literal_text(struct isa_parser *p, struct literal *l)
{
   l->negative = isa_parser_accept(p, "-");
   l->where = p->token;
   l->is_quiet = isa_token_is(&p->token, "qnan");
   l->is_nan = l->is_quiet || isa_token_is(&p->token, "snan");
   if (l->is_nan) {
      isa_parser_advance(p);
      isa_parser_expect(p, "(");
      if (p->token.kind != ISA_TOKEN_NUMBER)
         isa_parser_fail_at(p, &p->token, "expected the bits of a NaN");
      if (p->failed)
         return false;
   }
   if (p->token.length >= sizeof(l->text)) {
      isa_parser_fail_at(p, &p->token, "the number is too long");
      return false;
   }
   memcpy(l->text, p->token.start, p->token.length);
   l->text[p->token.length] = '\0';
   const bool hex = l->text[0] == '0' && (l->text[1] | 0x20) == 'x';
   if (hex && !l->text[2]) {
      isa_parser_fail_at(p, &p->token, "expected digits after 0x");
      return false;
   }
   l->is_float = isa_token_is(&p->token, "inf") ||
                 (!hex && strpbrk(l->text, ".eE"));
   isa_parser_advance(p);
   if (l->is_nan)
      isa_parser_expect(p, ")");
   l->is_float |= l->is_nan;
   return !p->failed;
}

static uint64_t
nan_bits(struct isa_parser *p, const struct literal *l, enum isa_type type)
{
   const unsigned size_B = isa_type_size_B(type);
   const unsigned mantissa = size_B == 2 ? 10 : size_B == 4 ? 23 : 52;
   const uint64_t quiet = 1ull << (mantissa - 1);
   const uint64_t payload = strtoull(l->text, NULL, 16);
   if (payload >= quiet || (!payload && !l->is_quiet))
      isa_parser_fail_at(p, &l->where, "these are not the bits of a NaN");
   const uint64_t exponent = BITFIELD64_MASK(size_B * 8 - 1) &
                             ~BITFIELD64_MASK(mantissa);
   const uint64_t sign = l->negative ? 1ull << (size_B * 8 - 1) : 0;
   return sign | exponent | (l->is_quiet ? quiet : 0) | payload;
}

static uint64_t
float_bits(struct isa_parser *p, const struct literal *l, enum isa_type type)
{
   if (l->is_nan)
      return nan_bits(p, l, type);
   switch (type) {
   case ISA_TYPE_HF:
      return util_double_to_half(strtod(l->text, NULL)) |
             (l->negative ? 0x8000u : 0);
   case ISA_TYPE_F:
      return util_float_bits(strtof(l->text, NULL)) |
             (l->negative ? 1u << 31 : 0);
   default:
      return util_double_bits(strtod(l->text, NULL)) |
             (l->negative ? 1ull << 63 : 0);
   }
}

static uint64_t
integer_bits(struct isa_parser *p, const struct literal *l,
             const struct isa_type_info *info)
{
   const unsigned bits = info->size_B * 8;
   const uint64_t max = ~0ull >> (64 - bits);
   const bool hex = (l->text[1] | 0x20) == 'x';
   const bool is_int = info->is_signed && !info->is_float &&
                       !info->is_vector_imm;
   errno = 0;
   const uint64_t v = strtoull(l->text, NULL, hex ? 16 : 10);
   if (l->negative && !is_int)
      isa_parser_fail_at(p, &l->where, "a %s immediate has no sign",
                         info->name);
   else if (info->is_float && !hex)
      isa_parser_fail_at(p, &l->where,
                         "write a number with a point, or the "
                         "bits in hexadecimal, for type %s",
                         info->name);
   else if (errno || v > max || (l->negative && v > max / 2 + 1) ||
            (is_int && !hex && !l->negative && v > max / 2))
      isa_parser_fail_at(p, &l->where, "the number does not fit type %s",
                         info->name);
   return (l->negative ? 0 - v : v) & max;
}

static void
immediate(struct isa_parser *p, struct isa_operand *src)
{
   struct literal l;
   if (!literal_text(p, &l))
      return;
   src->file = ISA_FILE_IMM;
   required_type(p, src);
   if (p->failed)
      return;
   const struct isa_type_info *info = isa_type_info(src->type);
   if (!l.is_float)
      src->imm = integer_bits(p, &l, info);
   else if (!info->is_float || info->is_vector_imm)
      isa_parser_fail_at(p, &l.where,
                         "an immediate of type %s is an "
                         "integer",
                         info->name);
   else
      src->imm = float_bits(p, &l, src->type);
}

/* Whole operands. -------------------------------------------------------- */

static bool
at_literal(const struct isa_parser *p)
{
   if (p->token.kind == ISA_TOKEN_NUMBER || is_float_word(&p->token))
      return true;
   if (!isa_token_is(&p->token, "-"))
      return false;
   struct isa_lexer ahead = *p->lexer;
   const struct isa_token next = isa_lexer_next(&ahead);
   return next.kind == ISA_TOKEN_NUMBER || is_float_word(&next);
}

void
isa_parser_dst(struct isa_parser *p)
{
   struct isa_operand *dst = &p->inst->dst;
   struct subnr subnr;
   if (isa_parser_accept(p, "(")) {
      isa_parser_expect(p, "sat");
      isa_parser_expect(p, ")");
      p->inst->saturate = true;
   }
   register_name(p, dst, &subnr);
   const bool macro = isa_inst_is_math_macro(p->inst);
   const bool src3 = p->info->format == ISA_FORMAT_SRC3;
   bool channels_follow = false;
   dst->hstride = macro ? 0 : 1;
   dst->writemask = src3 && !macro ? ISA_WRITEMASK_XYZW : 0;
   if (isa_parser_accept(p, ".")) {
      sub_register(p, &subnr);
      if (macro && (!subnr.where.start || isa_parser_accept(p, ".")))
         dst->mme = (uint8_t)mme(p);
   }
   if (!macro && isa_parser_accept(p, "<")) {
      dst->hstride = (uint8_t)stride(p);
      isa_parser_expect(p, ">");
      if (isa_parser_accept(p, ".")) {
         dst->writemask = (uint8_t)writemask(p);
         p->inst->access_mode = ISA_ALIGN16;
         channels_follow = true;
      }
   }
   required_type(p, dst);
   if (!p->failed && subnr.where.start)
      apply_subnr(p, dst, &subnr);
   if (src3 && !macro && !channels_follow && p->inst->exec_size == 1 &&
       !p->failed)
      isa_inst_set_scalar_src3(p->inst, dst->subnr_B);
}

static void
src_mods(struct isa_parser *p, struct isa_operand *src)
{
   src->negate = isa_parser_accept(p, "-") ||
                 (p->info->is_logic && isa_parser_accept(p, "~"));
   if (isa_parser_accept(p, "(")) {
      isa_parser_expect(p, "abs");
      isa_parser_expect(p, ")");
      src->abs = true;
   }
}

void
isa_parser_src(struct isa_parser *p, unsigned n)
{
   struct isa_operand *src = &p->inst->src[n];
   struct subnr subnr;
   bool plain = false;
   if (at_literal(p)) {
      immediate(p, src);
      return;
   }
   src_mods(p, src);
   register_name(p, src, &subnr);
   const bool macro = isa_inst_is_math_macro(p->inst);
   if (isa_parser_accept(p, ".")) {
      sub_register(p, &subnr);
      if (macro && (!subnr.where.start || isa_parser_accept(p, ".")))
         src->mme = (uint8_t)mme(p);
   }
   if (p->failed)
      return;
   if (macro)
      src->vstride = 4;
   else if (p->info->format == ISA_FORMAT_SRC3)
      src3_region(p, src, &plain);
   else if (!align16_region(p, src))
      align1_region(p, src);
   required_type(p, src);
   if (!p->failed && subnr.where.start)
      apply_subnr(p, src, &subnr);
   if (plain && src->rep_ctrl && isa_type_size_B(src->type) == 8) {
      /* There is no RepCtrl for 64 bits: PRM BDW vol 7, "Register Region
       * Restrictions"; a swizzle repeats one half of 16 bytes. */
      src->rep_ctrl = false;
      src->vstride = 4;
      src->swizzle = src->subnr_B & 8 ? ISA_SWIZZLE_ZWZW : ISA_SWIZZLE_XYXY;
      src->subnr_B &= ~8;
   }
}

void
isa_parser_plain_register(struct isa_parser *p, struct isa_operand *o,
                          enum isa_type type)
{
   struct subnr subnr;
   o->type = type;
   register_name(p, o, &subnr);
   if (isa_parser_accept(p, "."))
      sub_register(p, &subnr);
   if (isa_parser_accept(p, ":") && !p->failed && !type_name(p, &o->type))
      isa_parser_fail_at(p, &p->token, "expected a type");
   if (!p->failed && subnr.where.start)
      apply_subnr(p, o, &subnr);
}
