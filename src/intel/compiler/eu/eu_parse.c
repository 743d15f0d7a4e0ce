/* SPDX-License-Identifier: MIT */
/*
 * Text to IR, line by line: eu_text.h describes the text. A recursive descent
 * without recursion: every production looks at what comes next, takes it or
 * reports where it stands.
 */
#include "eu_text.h"

#include <ctype.h>
#include <errno.h>

#include "eu_builder.h"
#include "util/guard.h"

struct parser {
   struct eu_shader *s;
   struct eu_text_error *err;
   char *line; /* the line at hand, NUL-terminated */
   const char *at;
   unsigned number;
   bool failed;
   unsigned components; /* operands that name theirs: bit 0 is dst */
};

static bool PRINTFLIKE(2, 3) error(struct parser *p, const char *fmt, ...)
{
   va_list ap;

   if (p->failed)
      return false;
   p->failed = true;
   p->err->line = p->number;
   p->err->column = (unsigned)(p->at - p->line) + 1;
   va_start(ap, fmt);
   vsnprintf(p->err->text, sizeof(p->err->text), fmt, ap);
   va_end(ap);
   return false;
}

static void
skip_space(struct parser *p)
{
   while (isspace((unsigned char)*p->at))
      p->at++;
}

/* Takes `text` if it comes next, spaces before it apart. */
static bool
accept(struct parser *p, const char *text)
{
   skip_space(p);
   if (strncmp(p->at, text, strlen(text)))
      return false;
   p->at += strlen(text);
   return true;
}

static bool
expect(struct parser *p, const char *text)
{
   return accept(p, text) || error(p, "expected \"%s\"", text);
}

/* Letters, digits and underscores from here on; 0: none. */
static unsigned
word_length(const struct parser *p)
{
   unsigned n = 0;

   while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_')
      n++;
   return n;
}

static bool
accept_word(struct parser *p, const char *word)
{
   skip_space(p);
   if (word_length(p) != strlen(word) || strncmp(p->at, word, strlen(word)))
      return false;
   p->at += strlen(word);
   return true;
}

static bool
number(struct parser *p, uint64_t max, uint64_t *value)
{
   char *end;

   skip_space(p);
   if (!isdigit((unsigned char)*p->at))
      return error(p, "expected a number");
   errno = 0;
   *value = strtoull(p->at, &end, 0);
   if (errno || *value > max)
      return error(p, "a number up to %llu here", (unsigned long long)max);
   p->at = end;
   return true;
}

static unsigned
small_number(struct parser *p, unsigned max)
{
   uint64_t value = 0;

   (void)number(p, max, &value);
   return (unsigned)value;
}

/* Index of the word that comes next among `count` names; -1: none of them. */
static int
word_of(struct parser *p, const char *(*name)(unsigned), unsigned count)
{
   const unsigned n = word_length(p);

   for (unsigned i = 0; i < count && n; i++) {
      const char *text = name(i);
      if (text && strlen(text) == n && !strncmp(text, p->at, n)) {
         p->at += n;
         return (int)i;
      }
   }
   return -1;
}

static const char *
opcode_at(unsigned i)
{
   return eu_opcode_infos[i].name;
}
static const char *
cond_at(unsigned i)
{
   return eu_cond_names[i];
}
static const char *
pred_at(unsigned i)
{
   return eu_pred_names[i];
}
static const char *
arf_at(unsigned i)
{
   return eu_arf_names[i];
}

static const char *
math_at(unsigned i)
{
   return isa_math_name((enum isa_math)i);
}

static const char *
sfid_at(unsigned i)
{
   return isa_sfid_name((enum isa_sfid)i);
}

static const char *
type_at(unsigned i)
{
   return isa_type_info((enum isa_type)i)->name;
}

/* ---- operands ---- */

static bool
type(struct parser *p, eu_reg *r)
{
   if (!expect(p, ":"))
      return false;
   const int t = word_of(p, type_at, ISA_TYPE_COUNT);
   if (t < 0)
      return error(p, "expected a type");
   r->type = (uint8_t)t;
   return true;
}

static bool
immediate(struct parser *p, eu_reg *r)
{
   const char *start = p->at;
   char *end;

   r->file = EU_IMM;
   if (p->at[0] == '0' && p->at[1] == 'x')
      return number(p, UINT64_MAX, &r->imm) && type(p, r);
   const double value = strtod(start, &end);
   if (end == start)
      return error(p, "expected an operand");
   p->at = end;
   const bool is_double = accept(p, "df");
   if (!is_double && !accept(p, "f"))
      return error(p, "integers are written 0x..., floats with f or df");
   r->imm = is_double ? util_double_bits(value)
                      : util_float_bits((float)value);
   if (!type(p, r))
      return false;
   if (r->type != (is_double ? ISA_TYPE_DF : ISA_TYPE_F))
      return error(p, "the immediate is not of this type");
   return true;
}

/* An architecture register's name without its number; -1: none. */
static int
arf(struct parser *p)
{
   for (unsigned i = 0; i < 16; i++) {
      const size_t n = arf_at(i) ? strlen(arf_at(i)) : 0;
      if (n && !strncmp(p->at, arf_at(i), n) &&
          (i == 0 || isdigit((unsigned char)p->at[n]))) {
         p->at += n;
         return (int)i;
      }
   }
   return -1;
}

/* File and number. */
static bool
register_name(struct parser *p, eu_reg *r)
{
   int kind;

   if (accept(p, "vgrf")) {
      r->file = EU_VGRF;
      const char *at = p->at;
      r->nr = small_number(p, UINT32_MAX);
      if (!p->failed && r->nr >= p->s->num_vgrfs) {
         p->at = at;
         return error(p, "vgrf%u has no size", r->nr);
      }
   } else if (p->at[0] == 'g' && isdigit((unsigned char)p->at[1])) {
      p->at++;
      r->file = EU_GRF;
      r->nr = small_number(p, EU_MAX_GRF - 1);
   } else if (accept(p, "attr")) {
      r->file = EU_ATTR;
   } else if (p->at[0] == 'u' && p->at[1] == '+') {
      p->at++;
      r->file = EU_UNIFORM;
   } else if ((kind = arf(p)) >= 0) {
      r->file = EU_ARF;
      r->nr = (unsigned)kind << 4;
      if (kind)
         r->nr += small_number(p, 15);
   } else {
      r->file = EU_BAD;
   }
   return !p->failed;
}

static bool
region(struct parser *p, eu_reg *r)
{
   const unsigned first = small_number(p, 32);

   if (accept(p, ",")) {
      r->region = true;
      r->stride = 1;
      r->vs = (uint8_t)first;
      r->w = (uint8_t)small_number(p, 16);
      if (!p->failed && !util_is_power_of_two_nonzero(r->w))
         return error(p, "the width of a region is a power of two");
      if (!expect(p, ","))
         return false;
      r->hs = (uint8_t)small_number(p, 4);
   } else {
      r->stride = (uint8_t)first;
   }
   return expect(p, ">");
}

/* Components: up to four of a destination, four of a source. */
static bool
components(struct parser *p, eu_reg *r, unsigned operand)
{
   const unsigned n = word_length(p);
   unsigned swz = 0;

   if (!n || n > 4 || (operand && n != 4))
      return error(p, "up to four components of a destination, four of a "
                      "source");
   for (unsigned i = 0; i < n; i++) {
      const char *c = strchr("xyzw", p->at[i]);
      if (!c)
         return error(p, "components are x, y, z and w");
      const unsigned value = (unsigned)(c - "xyzw");
      swz |= operand ? value << 2 * i : 1u << value;
   }
   p->at += n;
   p->components |= 1u << operand;
   r->swz = (uint8_t)swz;
   return true;
}

/* Operand 0 is the destination. */
static bool
operand(struct parser *p, eu_reg *r, unsigned nr)
{
   *r = (eu_reg) { .stride = 1 };
   if (accept(p, "(none)")) {
      *r = (eu_reg) { 0 };
      return true;
   }
   skip_space(p);
   const char *start = p->at;
   r->negate = accept(p, "-");
   r->abs = accept(p, "|");
   if (!register_name(p, r))
      return false;
   if (r->file == EU_BAD) {
      p->at = start;
      *r = (eu_reg) { 0 };
      return immediate(p, r);
   }
   if (!eu_is_null(r)) {
      if (!expect(p, "+"))
         return false;
      r->offset = small_number(p, 0xffff) * REG_SIZE_B;
      if (p->failed || !expect(p, "."))
         return false;
      r->offset += small_number(p, REG_SIZE_B - 1);
   }
   if (p->failed || (r->abs && !expect(p, "|")))
      return false;
   return (!accept(p, "<") || region(p, r)) &&
          (!accept(p, ".") || components(p, r, nr)) && type(p, r);
}

/* ---- instructions ---- */

/* f<nr>.<sub>, of which there are four. */
static bool
flag(struct parser *p, struct eu_inst *inst)
{
   if (!expect(p, "f"))
      return false;
   const unsigned nr = small_number(p, 1);
   if (p->failed || !expect(p, "."))
      return false;
   inst->flag = (uint8_t)(2 * nr + small_number(p, 1));
   return !p->failed;
}

static bool
predicate(struct parser *p, struct eu_inst *inst)
{
   inst->pred = ISA_PRED_NORMAL;
   inst->pred_inv = accept(p, "-");
   if (!inst->pred_inv && !expect(p, "+"))
      return false;
   if (!flag(p, inst))
      return false;
   if (accept(p, ".")) {
      const int kind = word_of(p, pred_at, ISA_PRED_COUNT);
      if (kind < 0)
         return error(p, "expected a kind of predicate");
      inst->pred = (uint8_t)kind;
   }
   return expect(p, ")");
}

/* Opcode, its suffixes, width. */
static bool
head(struct parser *p, struct eu_inst *inst)
{
   skip_space(p);
   const int op = word_of(p, opcode_at, EU_OP_COUNT);
   if (op < 0)
      return error(p, "expected an opcode");
   inst->op = (uint8_t)op;
   while (accept(p, ".")) {
      int value;

      if (accept_word(p, "sat")) {
         inst->saturate = true;
      } else if (op == ISA_OPCODE_MATH &&
                 (value = word_of(p, math_at, 16)) > 0) {
         inst->math = (uint8_t)value;
      } else if ((value = word_of(p, cond_at, ISA_COND_MOD_U + 1)) > 0) {
         inst->cond_mod = (uint8_t)value;
         if (!expect(p, ".") || !flag(p, inst))
            return false;
      } else {
         return error(p, "expected sat, a condition or a function");
      }
   }
   if (!expect(p, "("))
      return false;
   inst->exec_size = (uint8_t)small_number(p, 32);
   if (!p->failed && !util_is_power_of_two_nonzero(inst->exec_size))
      return error(p, "the width is a power of two");
   return expect(p, ")");
}

static bool
operands(struct parser *p, struct eu_inst *inst)
{
   if (eu_info(inst)->is_flow)
      return true;
   if (!operand(p, &inst->dst, 0))
      return false;
   while (accept(p, ",")) {
      if (inst->sources == eu_info(inst)->num_srcs)
         return error(p, "%s has %u sources at most", eu_info(inst)->name,
                      eu_info(inst)->num_srcs);
      const unsigned i = inst->sources++;
      if (!operand(p, &inst->src[i], i + 1))
         return false;
   }
   inst->size_written = eu_default_size(inst);
   return true;
}

static bool
message(struct parser *p, struct eu_inst *inst)
{
   uint64_t desc = 0;

   skip_space(p);
   const int sfid = word_of(p, sfid_at, 16);
   if (sfid < 0)
      return error(p, "expected a shared function");
   inst->sfid = (uint8_t)sfid;
   if (!expect(p, "desc") || !number(p, UINT32_MAX, &desc) ||
       !expect(p, "mlen"))
      return false;
   inst->desc = (uint32_t)desc;
   inst->mlen = (uint8_t)small_number(p, 15);
   if (p->failed || !expect(p, "+"))
      return false;
   inst->ex_mlen = (uint8_t)small_number(p, 15);
   return !p->failed;
}

/* Operands that say nothing have all components. */
static void
set_align16(struct parser *p, struct eu_inst *inst)
{
   inst->align16 = true;
   if (!(p->components & 1))
      inst->dst.swz = ISA_WRITEMASK_XYZW;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (!(p->components & (2u << i)) && inst->src[i].file != EU_IMM)
         inst->src[i].swz = ISA_SWIZZLE_XYZW;
   }
   inst->size_written = eu_default_size(inst);
}

static bool
properties(struct parser *p, struct eu_inst *inst)
{
   if (eu_is_send(inst) && !message(p, inst))
      return false;
   for (skip_space(p); *p->at && !p->failed; skip_space(p)) {
      if (accept_word(p, "size"))
         inst->size_written = small_number(p, 0xffff);
      else if (accept_word(p, "align16"))
         set_align16(p, inst);
      else if (accept_word(p, "channels"))
         inst->src_channels = (uint8_t)small_number(p, 32);
      else if (accept_word(p, "effects"))
         inst->side_effects = true;
      else if (accept_word(p, "rtz"))
         inst->toward_zero = true;
      else if (accept_word(p, "EOT"))
         inst->eot = true;
      else if (accept_word(p, "unlikely"))
         inst->unlikely = true;
      else if (accept_word(p, "NoMask"))
         inst->nomask = true;
      else if (accept(p, "group"))
         inst->group = (uint8_t)small_number(p, 31);
      else
         return error(p, "what is this?");
   }
   if (!p->failed && p->components && !inst->align16)
      return error(p, "components are those of align16");
   return !p->failed;
}

static void
instruction(struct parser *p)
{
   struct eu_inst *inst = arena_new(p->s->arena, struct eu_inst);

   p->components = 0;
   if (isdigit((unsigned char)*p->at)) {
      (void)small_number(p, UINT32_MAX);
      if (p->failed || !expect(p, ":"))
         return;
   }
   if ((!accept(p, "(") || predicate(p, inst)) && head(p, inst) &&
       operands(p, inst) && properties(p, inst))
      list_addtail(&inst->link, &p->s->insts);
}

static void
vgrf_sizes(struct parser *p)
{
   p->s->num_vgrfs = 0;
   for (skip_space(p); *p->at && !p->failed; skip_space(p)) {
      const unsigned size = small_number(p, EU_MAX_VGRF_GRFS);
      if (p->failed)
         return;
      if (size)
         (void)eu_alloc_vgrf(p->s, size);
      else
         (void)error(p, "a register has a size");
   }
}

static void
parse_line(struct parser *p)
{
   char *comment = strstr(p->line, "//");

   if (comment)
      *comment = 0;
   p->at = p->line;
   skip_space(p);
   if (!*p->at)
      return;
   if (accept(p, "simd"))
      p->s->dispatch_width = small_number(p, 32);
   else if (accept_word(p, "vgrf"))
      vgrf_sizes(p);
   else if (accept_word(p, "subnormals"))
      p->s->keeps_subnormals = true;
   else
      instruction(p);
   skip_space(p);
   if (*p->at)
      (void)error(p, "more than there should be");
}

bool
eu_parse(struct eu_shader *s, const char *text, size_t length,
         struct eu_text_error *err)
{
   struct parser p = { .s = s, .err = err };
   const char *const end = text + length;

   memset(err, 0, sizeof(*err));
   while (text < end && !p.failed) {
      const char *nl = memchr(text, '\n', (size_t)(end - text));
      const size_t n = (size_t)((nl ? nl : end) - text);

      p.number++;
      p.line = guard_alloc(1, n + 1);
      memcpy(p.line, text, n);
      p.line[n] = 0;
      parse_line(&p);
      guard_free(p.line);
      text += n + 1;
   }
   return !p.failed;
}
