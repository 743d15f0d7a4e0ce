/* SPDX-License-Identifier: MIT */
/*
 * Types in the text form.
 *
 * Mesa prints no line for struct types like our decl_struct. The members of
 * a variable's struct are then those that its derefs name, in that order and
 * packed: good for zink's blocks of one array, and a guess for others.
 */
#include "nir_parse_private.h"

#include <ctype.h>

#include "nir_private.h"

static void
add_type(struct nir_parser *p, const struct glsl_type *t)
{
   const char *name = glsl_get_type_name(t);
   const uint32_t n = (uint32_t)strlen(name);
   if (!hash_table_get_bytes(&p->types, name, n))
      hash_table_insert_bytes(&p->types, name, n, (void *)t);
}

void
nir_parse_init_types(struct nir_parser *p)
{
   for (unsigned base = 0; base <= GLSL_TYPE_BOOL; base++) {
      for (unsigned n = 1; n <= 16; n++)
         add_type(p, glsl_vector_type(base, n));
   }
   static const enum glsl_base_type floats[] = { GLSL_TYPE_FLOAT,
                                                 GLSL_TYPE_DOUBLE,
                                                 GLSL_TYPE_FLOAT16 };
   for (unsigned i = 0; i < 9 * ARRAY_SIZE(floats); i++)
      add_type(p, glsl_matrix_type(floats[i / 9], 2 + i % 3, 2 + i / 3 % 3));
   static const enum glsl_base_type results[] = {
      GLSL_TYPE_FLOAT, GLSL_TYPE_INT, GLSL_TYPE_UINT, GLSL_TYPE_VOID
   };
   for (unsigned dim = 0; dim <= GLSL_SAMPLER_DIM_SUBPASS_MS; dim++) {
      for (unsigned i = 0; i < 4 * 4; i++) {
         const bool array = i & 1, shadow = i & 2;
         add_type(p, glsl_sampler_type(dim, shadow, array, results[i / 4]));
         add_type(p, glsl_texture_type(dim, array, results[i / 4]));
         add_type(p, glsl_image_type(dim, array, results[i / 4]));
      }
   }
   add_type(p, glsl_bare_sampler_type());
   add_type(p, glsl_bare_shadow_sampler_type());
   add_type(p, glsl_void_type());
   add_type(p, glsl_atomic_uint_type());
}

/* The array dimensions after the name, the inner ones last. */
static const struct glsl_type *
wrap_arrays(struct nir_parser *p, const struct glsl_type *t, const char *dims)
{
   if (!*dims)
      return t;
   unsigned long n = 0;
   const char *close = strchr(dims, ']');
   if (*dims != '[' || !close || p->depth++ > NIR_PARSE_MAX_DEPTH) {
      nir_parse_fail(p, "bad array dimensions");
      return t;
   }
   for (const char *c = dims + 1; c < close; c++) {
      if (!isdigit((unsigned char)*c) || n > 1000000) {
         nir_parse_fail(p, "bad array dimensions");
         return t;
      }
      n = n * 10 + (unsigned long)(*c - '0');
   }
   const struct glsl_type *inner = wrap_arrays(p, t, close + 1);
   p->depth--;
   return p->error ? t : glsl_array_type(inner, (unsigned)n, 0);
}

const struct glsl_type *
nir_parse_type_name(struct nir_parser *p, const char *name)
{
   const size_t n = strcspn(name, "[");
   if (n == 0) {
      nir_parse_fail(p, "expected a type");
      return glsl_error_type();
   }
   const struct glsl_type *t =
      hash_table_get_bytes(&p->types, name, (uint32_t)n);
   if (!t) {
      /* Not declared: good as long as nothing looks inside. */
      char *only = arena_printf(p->tmp, "%.*s", (int)n, name);
      t = glsl_struct_type(NULL, 0, only, false);
      hash_table_insert_bytes(&p->types, only, (uint32_t)n, (void *)t);
   }
   return wrap_arrays(p, t, name + n);
}

/* decl_struct NAME { TYPE FIELD [@OFFSET] [%STRIDE]; ... } */
void
nir_parse_struct_decl(struct nir_parser *p, bool interface)
{
   struct util_dynarray fields = { 0 };
   char *name = nir_parse_ident(p);
   nir_parse_expect(p, "{");
   while (!p->error && !nir_parse_peek(p, "}")) {
      struct glsl_struct_field f = { GLSL_STRUCT_FIELD_DEFAULT };
      uint64_t v = 0;
      char *type = nir_parse_word(p);
      nir_parse_skip(p);
      const char *start = p->at;
      while (p->at < p->end && !isspace((unsigned char)*p->at) &&
             *p->at != ';')
         p->at++;
      f.name = arena_printf(p->tmp, "%.*s", (int)(p->at - start), start);
      if (type)
         f.type = nir_parse_type_name(p, type);
      if (nir_parse_accept(p, "@") && nir_parse_uint(p, &v))
         f.offset = (int)(v & INT32_MAX);
      if (nir_parse_accept(p, "%") && nir_parse_uint(p, &v) && f.type) {
         v &= 0xffffff;
         if (glsl_type_is_array(f.type))
            f.type = glsl_array_type(glsl_get_array_element(f.type),
                                     glsl_get_length(f.type), (unsigned)v);
         else if (glsl_get_components(f.type))
            f.type = glsl_explicit_matrix_type(f.type, (unsigned)v, false);
      }
      nir_parse_expect(p, ";");
      util_dynarray_append(&fields, struct glsl_struct_field, f);
   }
   nir_parse_expect(p, "}");
   if (!p->error) {
      const unsigned n = (unsigned)util_dynarray_num_elements(
         &fields, struct glsl_struct_field);
      const struct glsl_type *t =
         interface ? glsl_interface_type(fields.data, n,
                                         GLSL_INTERFACE_PACKING_STD430, false,
                                         name)
                   : glsl_struct_type(fields.data, n, name, false);
      hash_table_insert_bytes(&p->types, name, (uint32_t)strlen(name),
                              (void *)t);
   }
   util_dynarray_fini(&fields);
}

/* The member that a line names if it is
 *
 *    ... = deref_struct &ssa_1->FIELD (MODE TYPE)
 *
 * with &VAR[ssa_2].FIELD in a comment after it.
 */
static bool
member_of_line(struct nir_parser *p, const char *line, const char *end,
               const char *var, char **field, char **type)
{
   const char *text = arena_printf(p->tmp, "%.*s", (int)(end - line), line);
   const char *deref = strstr(text, " deref_struct &");
   const char *path = deref ? strstr(deref, "/* &") : NULL;
   const char *open = path ? strchr(deref, '(') : NULL;
   const size_t n = strlen(var);

   if (!open || open > path || strncmp(path + 4, var, n))
      return false;
   path += 4 + n;
   while (*path == '[' && strchr(path, ']'))
      path = strchr(path, ']') + 1;
   if (*path++ != '.')
      return false;
   open += strcspn(open, " ");
   open += strspn(open, " ");
   const size_t type_n = strcspn(open, ")"), field_n = strcspn(path, " .[");
   if (!type_n || !field_n || path[field_n] != ' ')
      return false;
   *field = arena_printf(p->tmp, "%.*s", (int)field_n, path);
   *type = arena_printf(p->tmp, "%.*s", (int)type_n, open);
   return true;
}

/* Packed after `offset`; arrays get the stride of their elements. */
static struct glsl_struct_field
place_member(char *name, const struct glsl_type *type, unsigned *offset)
{
   struct glsl_struct_field f = { GLSL_STRUCT_FIELD_DEFAULT };
   const bool array = glsl_type_is_array(type);
   const struct glsl_type *one = array ? glsl_get_array_element(type) : type;

   f.name = name;
   f.type = type;
   if (glsl_type_is_vector_or_scalar(one) && !glsl_type_is_boolean(one)) {
      const unsigned scalar_B = glsl_get_bit_size(one) / 8;
      const unsigned size_B = scalar_B * glsl_get_vector_elements(one);
      *offset = ALIGN(*offset, scalar_B);
      f.offset = (int)*offset;
      *offset += size_B;
      if (array) {
         f.type = glsl_array_type(one, glsl_get_length(type), size_B);
         *offset += size_B * (MAX2(glsl_get_length(type), 1) - 1);
      }
   }
   return f;
}

#define MAX_GUESSED_MEMBERS 256

/* `t`, an undeclared struct or an array of such, with the members that the
 * rest of the text names. */
const struct glsl_type *
nir_parse_guess_members(struct nir_parser *p, const struct glsl_type *t,
                        const char *var)
{
   if (glsl_type_is_array(t)) {
      const struct glsl_type *e =
         nir_parse_guess_members(p, glsl_get_array_element(t), var);
      return glsl_array_type(e, glsl_get_length(t), 0);
   }
   if (!glsl_type_is_struct(t) || glsl_get_length(t))
      return t;
   struct glsl_struct_field fields[MAX_GUESSED_MEMBERS];
   unsigned n = 0, offset = 0;
   for (const char *line = p->at, *end; line < p->end; line = end + 1) {
      end = memchr(line, '\n', (size_t)(p->end - line));
      end = end ? end : p->end;
      char *name, *type;
      if (!member_of_line(p, line, end, var, &name, &type))
         continue;
      unsigned i = 0;
      while (i < n && strcmp(fields[i].name, name))
         i++;
      if (i < n || n == MAX_GUESSED_MEMBERS)
         continue;
      fields[n++] = place_member(name, nir_parse_type_name(p, type), &offset);
   }
   return n ? glsl_struct_type(fields, n, glsl_get_type_name(t), false) : t;
}
