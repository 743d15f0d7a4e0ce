/* SPDX-License-Identifier: MIT */
/* Derefs in the text form. */
#include "nir_parse_private.h"

#include <ctype.h>

static void
parse_deref_type(struct nir_parser *p, nir_deref_instr *deref)
{
   nir_parse_expect(p, "(");
   deref->modes = 0;
   do {
      char *mode = nir_parse_ident(p);
      const int m = mode ? nir_parse_variable_mode(mode) : -1;
      if (m < 0) {
         nir_parse_fail(p, "unknown mode");
         return;
      }
      deref->modes |= (nir_variable_mode)m;
   } while (nir_parse_accept(p, "|"));
   nir_parse_skip(p);
   const char *start = p->at;
   while (p->at < p->end && *p->at != ')' && *p->at != '\n')
      p->at++;
   char *type = arena_printf(p->tmp, "%.*s", (int)(p->at - start), start);
   deref->type = nir_parse_type_name(p, type);
   nir_parse_expect(p, ")");
}

/* Up to the space before the parenthesis. */
static void
parse_deref_var(struct nir_parser *p, nir_deref_instr *deref)
{
   nir_parse_expect(p, "&");
   char *name = nir_parse_word(p);
   if (!name)
      return;
   deref->var = hash_table_get_bytes(&p->vars, name, (uint32_t)strlen(name));
   if (!deref->var) {
      nir_parse_fail(p, "variable %s is not declared", name);
      return;
   }
   parse_deref_type(p, deref);
   deref->type = deref->var->type;
}

static nir_deref_instr *
set_parent(struct nir_parser *p, nir_deref_instr *deref, nir_value *def)
{
   if (!def)
      return NULL;
   deref->parent = nir_use_of(def);
   nir_deref_instr *parent = nir_use_as_deref(deref->parent);
   if (!parent)
      nir_parse_fail(p, "the parent is no deref");
   return parent;
}

static void
parse_deref_struct(struct nir_parser *p, nir_deref_instr *deref)
{
   nir_parse_expect(p, "&");
   const bool starred = nir_parse_accept(p, "(*");
   nir_deref_instr *parent = set_parent(p, deref, nir_parse_ssa(p));
   if (starred)
      nir_parse_expect(p, ")");
   if (!nir_parse_accept(p, "->"))
      nir_parse_expect(p, ".");
   if (p->error)
      return;
   const char *start = p->at;
   char *field = nir_parse_word(p);
   if (!field)
      return;
   int index = -1;
   if (glsl_type_is_struct_or_ifc(parent->type)) {
      index = glsl_get_field_index(parent->type, field);
      unsigned n = 0;
      if (index < 0 && sscanf(field, "field%u", &n) == 1 &&
          n < glsl_get_length(parent->type))
         index = (int)n;
   }
   if (index < 0) {
      p->at = start;
      nir_parse_fail(p, "%s has no member %s: is it declared?",
                     glsl_get_type_name(parent->type), field);
      return;
   }
   deref->member = (unsigned)index;
   parse_deref_type(p, deref);
   deref->type = glsl_get_struct_field(parent->type, (unsigned)index);
}

static void
parse_deref_array(struct nir_parser *p, nir_deref_instr *deref)
{
   nir_parse_expect(p, "&");
   nir_parse_expect(p, "(*");
   nir_deref_instr *parent = set_parent(p, deref, nir_parse_ssa(p));
   nir_parse_expect(p, ")");
   nir_parse_expect(p, "[");
   if (p->error)
      return;
   if (deref->deref_type == nir_deref_type_array_wildcard) {
      nir_parse_expect(p, "*");
   } else if (p->at < p->end &&
              (isdigit((unsigned char)*p->at) || *p->at == '-')) {
      /* A constant stands for the value that holds it. */
      int64_t v = 0;
      nir_parse_int(p, &v);
      if (p->error)
         return;
      nir_load_const_instr *lc =
         nir_new_load_const(p->shader, 1, deref->parent.value->bit_size);
      lc->value[0] = nir_const_value_for_raw_uint(
         (uint64_t)v, deref->parent.value->bit_size);
      nir_parse_insert(p, &lc->instr);
      deref->index = nir_use_of(&lc->instr.result);
   } else {
      nir_parse_src(p, &deref->index);
   }
   nir_parse_expect(p, "]");
   if (p->error)
      return;
   parse_deref_type(p, deref);
   if (deref->deref_type == nir_deref_type_ptr_as_array)
      deref->type = parent->type;
   else
      deref->type = glsl_get_array_element(parent->type);
}

/* (TYPE *)ssa_1: of any value. Stride and alignment stand in the note after
 * it. */
static void
parse_deref_cast(struct nir_parser *p, nir_deref_instr *deref)
{
   nir_parse_expect(p, "(");
   while (p->at < p->end && *p->at != ')' && *p->at != '\n')
      p->at++;
   nir_parse_expect(p, ")");
   if (p->error || !nir_parse_src(p, &deref->parent))
      return;
   parse_deref_type(p, deref);
   const char *note = p->error ? NULL : nir_parse_comment(p);
   if (note)
      sscanf(note, " ptr_stride=%u, align_mul=%u, align_offset=%u",
             &deref->cast.ptr_stride, &deref->cast.align_mul,
             &deref->cast.align_offset);
}

void
nir_parse_deref(struct nir_parser *p, const struct nir_parse_dest *d,
                nir_deref_type kind)
{
   if (!nir_parse_need_ssa(p, d))
      return;
   nir_deref_instr *deref = nir_new_deref(p->shader, kind);
   switch (kind) {
   case nir_deref_type_var: parse_deref_var(p, deref); break;
   case nir_deref_type_struct: parse_deref_struct(p, deref); break;
   case nir_deref_type_array:
   case nir_deref_type_array_wildcard:
   case nir_deref_type_ptr_as_array: parse_deref_array(p, deref); break;
   case nir_deref_type_cast: parse_deref_cast(p, deref); break;
   }
   if (p->error)
      return;
   nir_parse_set_dest(p, &deref->instr, &deref->instr.result, d);
   nir_parse_insert(p, &deref->instr);
}
