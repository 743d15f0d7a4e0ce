/* SPDX-License-Identifier: MIT */
/* Registers, sources, destinations and values in text. */
#include "d3dbc_parse.h"

#include <ctype.h>
#include <errno.h>
#include <strings.h>

void
d3dbc_parse_blanks(struct d3dbc_parser *p)
{
   while (p->at < p->end &&
          (*p->at == ' ' || *p->at == '\t' || *p->at == '\r'))
      p->at++;
   if (p->at < p->end &&
       (*p->at == ';' || *p->at == '#' ||
        (*p->at == '/' && p->end - p->at > 1 && p->at[1] == '/'))) {
      while (p->at < p->end && *p->at != '\n')
         p->at++;
   }
}

void
d3dbc_parse_lines(struct d3dbc_parser *p)
{
   d3dbc_parse_blanks(p);
   while (p->at < p->end && *p->at == '\n') {
      p->line_start = ++p->at;
      p->line++;
      d3dbc_parse_blanks(p);
   }
}

bool
d3dbc_parse_char(struct d3dbc_parser *p, char c)
{
   d3dbc_parse_blanks(p);
   if (p->at >= p->end || *p->at != c)
      return false;
   p->at++;
   return true;
}

bool
d3dbc_parse_word(struct d3dbc_parser *p, const char *word)
{
   const size_t n = strlen(word);

   if ((size_t)(p->end - p->at) < n || strncasecmp(p->at, word, n))
      return false;
   p->at += n;
   return true;
}

static bool
next_is_digit(const struct d3dbc_parser *p)
{
   return p->at < p->end && isdigit((unsigned char)*p->at);
}

bool
d3dbc_parse_uint(struct d3dbc_parser *p, unsigned max, unsigned *v)
{
   *v = 0;
   if (!next_is_digit(p))
      return D3DBC_PARSE_FAIL(p, "a number is missing");
   while (next_is_digit(p)) {
      *v = 10 * *v + (unsigned)(*p->at++ - '0');
      if (*v > max)
         return D3DBC_PARSE_FAIL(p, "a number is above %u", max);
   }
   return true;
}

/* A name of its own, such as oPos; it may not go on. */
static bool
parse_named(struct d3dbc_parser *p, struct d3dbc_reg *reg)
{
   const char *const start = p->at;

   for (unsigned f = 0; f < D3DBC_FILE_COUNT; f++) {
      const struct d3dbc_file_info *info =
         d3dbc_file_info((enum d3dbc_file)f);
      for (unsigned i = 0; i < info->num_names && info->limit[p->b.profile];
           i++) {
         if (d3dbc_parse_word(p, info->names[i]) &&
             !(p->at < p->end && isalnum((unsigned char)*p->at))) {
            unsigned index = i;
            reg->file = (enum d3dbc_file)f;
            /* "oPos%7": a number that has no name. */
            if (p->at < p->end && *p->at == '%') {
               p->at++;
               if (!d3dbc_parse_uint(p, 2047, &index))
                  return false;
            }
            reg->index = (uint16_t)index;
            return true;
         }
         p->at = start;
      }
   }
   return false;
}

/* The file whose text is the longest that fits; the digits or [ follow. */
static bool
parse_file(struct d3dbc_parser *p, enum d3dbc_file *file)
{
   size_t longest = 0;

   for (unsigned f = 0; f < D3DBC_FILE_COUNT; f++) {
      const struct d3dbc_file_info *info =
         d3dbc_file_info((enum d3dbc_file)f);
      const size_t n = strlen(info->text);
      if (!info->names && info->limit[p->b.profile] && n > longest &&
          (size_t)(p->end - p->at) > n &&
          !strncasecmp(p->at, info->text, n) &&
          (isdigit((unsigned char)p->at[n]) || p->at[n] == '[')) {
         longest = n;
         *file = (enum d3dbc_file)f;
      }
   }
   p->at += longest;
   return longest > 0;
}

static bool
parse_swizzle(struct d3dbc_parser *p, uint8_t *swizzle)
{
   unsigned n = 0, last = 0;

   *swizzle = D3DBC_SWIZZLE_IDENTITY;
   if (p->at >= p->end || *p->at != '.')
      return true;
   p->at++;
   *swizzle = 0;
   for (; n < 4 && p->at < p->end; n++, p->at++) {
      static const char letters[] = "xyzwrgba";
      const char *c = strchr(letters, tolower((unsigned char)*p->at));
      if (!c || !*c)
         break;
      last = (unsigned)(c - letters) & 3;
      *swizzle |= (uint8_t)(last << 2 * n);
   }
   if (!n)
      return D3DBC_PARSE_FAIL(p, "a swizzle is missing after '.'");
   for (; n < 4; n++)
      *swizzle |= (uint8_t)(last << 2 * n);
   return true;
}

static bool
parse_mask(struct d3dbc_parser *p, uint8_t *mask)
{
   int last = -1;

   *mask = 0xf;
   if (p->at >= p->end || *p->at != '.')
      return true;
   p->at++;
   *mask = 0;
   if (d3dbc_parse_word(p, "_"))
      return true;
   for (; p->at < p->end; p->at++) {
      static const char letters[] = "xyzwrgba";
      const char *c = strchr(letters, tolower((unsigned char)*p->at));
      if (!c || !*c)
         break;
      if (((c - letters) & 3) <= last)
         return D3DBC_PARSE_FAIL(p, "components of a mask are not in order");
      last = (int)((c - letters) & 3);
      *mask |= (uint8_t)(1u << last);
   }
   return last >= 0 ||
          D3DBC_PARSE_FAIL(p, "a write mask is missing after '.'");
}

/* Between brackets: a register, a number, or their sum. */
static bool
parse_relative(struct d3dbc_parser *p, struct d3dbc_operand *o)
{
   bool more = true;
   unsigned sum = o->reg.index;

   while (more) {
      unsigned v = 0;
      d3dbc_parse_blanks(p);
      if (next_is_digit(p)) {
         if (!d3dbc_parse_uint(p, 8191, &v))
            return false;
      } else if (!o->relative) {
         o->relative = true;
         if (!parse_named(p, &o->addr)) {
            enum d3dbc_file file = D3DBC_FILE_COUNT;
            if (!parse_file(p, &file) || file != D3DBC_FILE_A ||
                !d3dbc_parse_uint(p, 2047, &v))
               return D3DBC_PARSE_FAIL(p, "an address register is missing");
            o->addr = (struct d3dbc_reg) { file, (uint16_t)v };
            v = 0;
         }
         if (!parse_swizzle(p, &o->addr_swizzle))
            return false;
      } else {
         return D3DBC_PARSE_FAIL(p, "two address registers in one index");
      }
      sum += v;
      more = d3dbc_parse_char(p, '+');
   }
   if (sum > (o->reg.file == D3DBC_FILE_C ? 8191 : 2047))
      return D3DBC_PARSE_FAIL(p, "an index is too large");
   o->reg.index = (uint16_t)sum;
   return d3dbc_parse_char(p, ']') || D3DBC_PARSE_FAIL(p, "']' is missing");
}

static bool
check_address(struct d3dbc_parser *p, struct d3dbc_operand *o)
{
   const struct d3dbc_profile_info *pi = d3dbc_profile_info(p->b.profile);

   if (!o->relative)
      return true;
   if (o->addr.file != D3DBC_FILE_A && o->addr.file != D3DBC_FILE_AL)
      return D3DBC_PARSE_FAIL(p, "an address register is a0 or aL");
   if (pi->major >= 2)
      return true;
   /* The bytes have no room for anything else. */
   if (pi->is_ps || o->addr.file != D3DBC_FILE_A || o->addr.index ||
       (o->addr_swizzle != 0 && o->addr_swizzle != D3DBC_SWIZZLE_IDENTITY))
      return D3DBC_PARSE_FAIL(p, "%s addresses by a0.x only", pi->name);
   o->addr_swizzle = 0;
   return true;
}

static bool
parse_reg(struct d3dbc_parser *p, struct d3dbc_operand *o)
{
   unsigned v = 0;

   if (parse_named(p, &o->reg))
      return true;
   if (!parse_file(p, &o->reg.file))
      return D3DBC_PARSE_FAIL(p, "%s has no such register",
                              d3dbc_profile_info(p->b.profile)->name);
   if (next_is_digit(p) &&
       !d3dbc_parse_uint(p, o->reg.file == D3DBC_FILE_C ? 8191 : 2047, &v))
      return false;
   o->reg.index = (uint16_t)v;
   if (p->at < p->end && *p->at == '[') {
      p->at++;
      return parse_relative(p, o) && check_address(p, o);
   }
   return true;
}

bool
d3dbc_parse_dst(struct d3dbc_parser *p, struct d3dbc_operand *o)
{
   d3dbc_parse_blanks(p);
   return parse_reg(p, o) && parse_mask(p, &o->mask);
}

/* The modifier with the given text in front and the longest one after. */
static bool
parse_src_mod(struct d3dbc_parser *p, const char *before,
              struct d3dbc_operand *o)
{
   size_t longest = 0;

   o->mod = D3DBC_MOD_COUNT;
   for (unsigned m = 0; m < D3DBC_MOD_COUNT; m++) {
      const struct d3dbc_src_mod_info *info =
         d3dbc_src_mod_info((enum d3dbc_src_mod)m);
      const size_t n = strlen(info->after);
      if (!strcmp(info->before, before) && n >= longest &&
          (size_t)(p->end - p->at) >= n &&
          !strncasecmp(p->at, info->after, n)) {
         longest = n;
         o->mod = (enum d3dbc_src_mod)m;
      }
   }
   p->at += longest;
   if (o->mod == D3DBC_MOD_COUNT || (p->at < p->end && *p->at == '_'))
      return D3DBC_PARSE_FAIL(p, "there is no such source modifier");
   return true;
}

bool
d3dbc_parse_src(struct d3dbc_parser *p, struct d3dbc_operand *o)
{
   const char *before = "";

   if (d3dbc_parse_char(p, '-')) {
      before = "-";
   } else if (d3dbc_parse_char(p, '!')) {
      before = "!";
   } else if (d3dbc_parse_char(p, '1')) {
      if (!d3dbc_parse_char(p, '-'))
         return D3DBC_PARSE_FAIL(p, "a source is a register");
      before = "1-";
   }
   d3dbc_parse_blanks(p);
   return parse_reg(p, o) && parse_src_mod(p, before, o) &&
          parse_swizzle(p, &o->swizzle);
}

bool
d3dbc_parse_imm(struct d3dbc_parser *p, enum d3dbc_op op, uint32_t *v)
{
   char buf[64], *end = NULL;
   size_t n = 0;

   d3dbc_parse_blanks(p);
   if (op == D3DBC_OP_DEFB && d3dbc_parse_word(p, "true"))
      return *v = 1, true;
   if (op == D3DBC_OP_DEFB && d3dbc_parse_word(p, "false"))
      return *v = 0, true;
   while (p->at + n < p->end && n < sizeof(buf) - 1 &&
          (isalnum((unsigned char)p->at[n]) || strchr("+-.", p->at[n])) &&
          p->at[n]) {
      buf[n] = p->at[n];
      n++;
   }
   buf[n] = '\0';
   errno = 0;
   if (!strncasecmp(buf, "0x", 2)) {
      const unsigned long long u = strtoull(buf, &end, 16);
      *v = (uint32_t)u;
      if (u > UINT32_MAX)
         errno = ERANGE;
   } else if (op == D3DBC_OP_DEF) {
      *v = util_float_bits(strtof(buf, &end));
      errno = 0; /* denormal or infinite: as written */
   } else {
      const long long i = strtoll(buf, &end, 10);
      *v = (uint32_t)i;
      if (i < INT32_MIN || i > UINT32_MAX)
         errno = ERANGE;
   }
   if (!n || *end || errno)
      return D3DBC_PARSE_FAIL(p, "a value is missing or no number");
   p->at += n;
   return true;
}
