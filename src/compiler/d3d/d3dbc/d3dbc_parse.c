/* SPDX-License-Identifier: MIT */
/*
 * Text to instructions: the syntax of the Direct3D 9 assembler, and
 * ".comment" followed by the dwords of a comment. A statement ends with its
 * line; after a comma it may go on in the next.
 */
#include "d3dbc_parse.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#define FAIL D3DBC_PARSE_FAIL

/* A mnemonic with its suffixes. */
static bool
parse_ident(struct d3dbc_parser *p, char *buf, size_t size)
{
   size_t n = 0;

   d3dbc_parse_blanks(p);
   while (p->at < p->end && n + 1 < size &&
          (isalnum((unsigned char)*p->at) || *p->at == '_'))
      buf[n++] = (char)tolower((unsigned char)*p->at++);
   buf[n] = '\0';
   return n > 0;
}

static bool
take_suffix(const char **s, const struct d3dbc_suffix *list, uint8_t *code)
{
   for (; list->text; list++) {
      const size_t n = strlen(list->text);
      if (!strncmp(*s, list->text, n) &&
          ((*s)[n] == '_' || (*s)[n] == '\0')) {
         *s += n;
         *code = list->code;
         return true;
      }
   }
   return false;
}

/* What follows the name: comparison, tex control, modifiers. */
static bool
match_suffixes(const char *s, const struct d3dbc_op_info *info,
               struct d3dbc_inst *inst)
{
   struct d3dbc_operand *dst = &inst->operand[0];

   inst->control = 0;
   if (info->control == D3DBC_CONTROL_CMP) {
      for (unsigned c = 1; c <= 6; c++) {
         if (s[0] == '_' && !strncmp(s + 1, d3dbc_compare_name(c), 2))
            inst->control = (uint8_t)c;
      }
      if (!inst->control)
         return false;
      s += 3;
   } else if (info->control == D3DBC_CONTROL_TEX &&
              (*s == 'p' || *s == 'b')) {
      inst->control = *s++ == 'p' ? D3DBC_TEX_PROJECT : D3DBC_TEX_BIAS;
   }
   dst->dst_mods = dst->shift = 0;
   while (*s) {
      uint8_t code;
      if (strpbrk(info->operands, "dk") == NULL)
         return false;
      if (take_suffix(&s, d3dbc_dst_mods, &code))
         dst->dst_mods |= code;
      else if (dst->shift == 0 && take_suffix(&s, d3dbc_shifts, &code))
         dst->shift = code;
      else
         return false;
   }
   return true;
}

static bool
find_op(struct d3dbc_parser *p, const char *ident, struct d3dbc_inst *inst)
{
   bool elsewhere = false;

   for (unsigned i = 0; i < D3DBC_OP_COUNT; i++) {
      const struct d3dbc_op_info *info = d3dbc_op_info((enum d3dbc_op)i);
      const size_t n = strlen(info->name);
      if (i == D3DBC_OP_DCL || strncmp(ident, info->name, n) ||
          !match_suffixes(ident + n, info, inst))
         continue;
      if (d3dbc_profile_has_op(p->b.profile, (enum d3dbc_op)i)) {
         inst->op = (enum d3dbc_op)i;
         return true;
      }
      elsewhere = true;
   }
   return elsewhere ? FAIL(p, "%s has no '%s'",
                           d3dbc_profile_info(p->b.profile)->name, ident)
                    : FAIL(p, "there is no instruction '%s'", ident);
}

/* dcl, dcl_2d, dcl_texcoord3: `s` is what follows "dcl". */
static bool
parse_dcl_kind(struct d3dbc_parser *p, const char *s, struct d3dbc_dcl *dcl)
{
   if (!*s)
      return true;
   for (unsigned t = 0; t < 16; t++) {
      const char *name = d3dbc_sampler_type_name(t);
      if (name && !strcmp(s + 1, name))
         return dcl->sampler_type = (uint8_t)t, true;
   }
   for (unsigned u = 0; u < D3DBC_USAGE_COUNT && *s == '_'; u++) {
      const char *name = d3dbc_usage_info(u)->name;
      const size_t n = strlen(name);
      char *end;
      if (strncmp(s + 1, name, n) || (s[n + 1] && !isdigit(s[n + 1])))
         continue;
      const unsigned long index = strtoul(s + n + 1, &end, 10);
      if (*end || index > 15)
         return FAIL(p, "the index of a usage is 0 to 15");
      dcl->usage = (uint8_t)u;
      dcl->usage_index = (uint8_t)index;
      return true;
   }
   return FAIL(p, "there is no declaration 'dcl%s'", s);
}

static bool
parse_dcl(struct d3dbc_parser *p, const char *suffixes,
          struct d3dbc_inst *inst)
{
   struct d3dbc_operand *o = &inst->operand[0];
   char kind[64];

   snprintf(kind, sizeof(kind), "%s", suffixes);
   /* Modifiers stand after the usage. */
   for (bool again = true; again;) {
      char *last = strrchr(kind, '_');
      again = false;
      for (const struct d3dbc_suffix *m = d3dbc_dst_mods; last && m->text;
           m++) {
         if (!strcmp(last, m->text)) {
            o->dst_mods |= m->code;
            *last = '\0';
            again = true;
            break;
         }
      }
   }
   inst->op = D3DBC_OP_DCL;
   inst->num_operands = 1;
   if (!d3dbc_profile_has_op(p->b.profile, D3DBC_OP_DCL))
      return FAIL(p, "%s has no 'dcl'",
                  d3dbc_profile_info(p->b.profile)->name);
   if (!parse_dcl_kind(p, kind, &inst->dcl) || !d3dbc_parse_dst(p, o))
      return false;
   if ((o->reg.file == D3DBC_FILE_S) != (inst->dcl.sampler_type != 0))
      return FAIL(p, "a sampler, and nothing else, is declared by its type");
   return true;
}

static bool
comma(struct d3dbc_parser *p, const char *what)
{
   if (!d3dbc_parse_char(p, ','))
      return FAIL(p, "',' is missing before %s", what);
   d3dbc_parse_lines(p);
   return true;
}

static bool
parse_operands(struct d3dbc_parser *p, struct d3dbc_inst *inst)
{
   const struct d3dbc_op_info *info = d3dbc_op_info(inst->op);

   for (const char *kind = info->operands; *kind; kind++) {
      struct d3dbc_operand *o = &inst->operand[inst->num_operands];
      const unsigned values = *kind == 'i' ? 4 : *kind == 'b' ? 1 : 0;
      d3dbc_parse_blanks(p);
      if (info->may_be_short && inst->num_operands == 2 &&
          (p->at >= p->end || *p->at != ','))
         break;
      if (kind != info->operands && !comma(p, "an operand"))
         return false;
      for (unsigned i = 0; i < values; i++) {
         if ((i && !comma(p, "a value")) ||
             !d3dbc_parse_imm(p, inst->op, &inst->imm[i]))
            return false;
      }
      if (values)
         continue;
      inst->num_operands++;
      if (*kind == 'd' || *kind == 'k' ? !d3dbc_parse_dst(p, o)
                                       : !d3dbc_parse_src(p, o))
         return false;
   }
   return true;
}

static bool
parse_comment(struct d3dbc_parser *p, struct d3dbc_inst *inst)
{
   struct util_dynarray words = { 0 };
   uint32_t v;
   bool ok = true;

   inst->op = D3DBC_OP_COUNT;
   d3dbc_parse_blanks(p);
   while (p->at < p->end && *p->at != '\n' && ok) {
      if (words.size_B && !comma(p, "a dword")) {
         ok = false;
      } else if (d3dbc_parse_imm(p, D3DBC_OP_DEFI, &v)) {
         util_dynarray_append(&words, uint32_t, v);
         d3dbc_parse_blanks(p);
      } else {
         ok = false;
      }
   }
   if (ok && words.size_B / 4 > 0x7fff)
      ok = FAIL(p, "a comment has more than 32767 dwords");
   inst->comment.num_words = (unsigned)(words.size_B / 4);
   inst->comment.words =
      arena_memdup(p->b.arena, words.data ? words.data : "", words.size_B);
   util_dynarray_fini(&words);
   return ok;
}

static bool
parse_prefix(struct d3dbc_parser *p, struct d3dbc_inst *inst)
{
   if (d3dbc_parse_char(p, '+')) {
      if (d3dbc_profile_info(p->b.profile)->major >= 2 ||
          !d3dbc_profile_info(p->b.profile)->is_ps)
         return FAIL(p, "'+' is for ps_1_x");
      inst->coissue = true;
   }
   if (d3dbc_parse_char(p, '(')) {
      inst->predicated = true;
      if (!d3dbc_parse_src(p, &inst->pred))
         return false;
      if (!d3dbc_parse_char(p, ')'))
         return FAIL(p, "')' is missing");
   }
   return true;
}

static bool
parse_statement(struct d3dbc_parser *p)
{
   struct d3dbc_inst inst = { .line = p->line };
   char ident[64];
   bool ok;

   if (!parse_prefix(p, &inst))
      return false;
   if (d3dbc_parse_word(p, ".comment")) {
      ok = !inst.predicated && !inst.coissue && parse_comment(p, &inst);
   } else if (!parse_ident(p, ident, sizeof(ident))) {
      return FAIL(p, "an instruction is missing");
   } else if (!strncmp(ident, "dcl", 3)) {
      ok = parse_dcl(p, ident + 3, &inst);
   } else {
      ok = find_op(p, ident, &inst) && parse_operands(p, &inst);
   }
   if (!ok)
      return false;
   if (inst.predicated && !d3dbc_op_info(inst.op)->may_predicate)
      return FAIL(p, "%s cannot be predicated", ident);
   d3dbc_parse_blanks(p);
   if (p->at < p->end && *p->at != '\n')
      return FAIL(p, "something follows the instruction");
   util_dynarray_append(&p->b.insts, struct d3dbc_inst, inst);
   return true;
}

static bool
parse_profile(struct d3dbc_parser *p)
{
   char name[16];
   size_t n = 0;

   d3dbc_parse_lines(p);
   /* "vs.1.1" is the older spelling. */
   while (
      p->at < p->end && n + 1 < sizeof(name) &&
      (isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '.')) {
      const char c = *p->at++;
      name[n++] = c == '.' ? '_' : (char)tolower((unsigned char)c);
   }
   name[n] = '\0';
   p->b.profile = d3dbc_profile_from_name(name);
   return p->b.profile != D3DBC_PROFILE_COUNT ||
          FAIL(p, "a profile such as vs_2_0 has to come first");
}

struct d3dbc_shader *
d3dbc_parse(struct arena *arena, const char *text, size_t size_B,
            struct d3d_error *error)
{
   struct d3dbc_parser p = {
      .b = { .arena = arena },
      .at = text,
      .end = text + size_B,
      .line_start = text,
      .line = 1,
      .error = error,
   };
   bool ok = parse_profile(&p);

   for (d3dbc_parse_lines(&p); ok && p.at < p.end; d3dbc_parse_lines(&p))
      ok = parse_statement(&p);
   if (!ok) {
      util_dynarray_fini(&p.b.insts);
      return NULL;
   }
   return d3dbc_builder_finish(&p.b);
}
