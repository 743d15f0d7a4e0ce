/* SPDX-License-Identifier: MIT */
/*
 * Reads the text form of NIR: what nir_print.c writes and what Mesa 22.3
 * prints. A recursive descent parser builds the shader; the validator has
 * the last word. Bad input gives one error, "line:column: sentence".
 *
 * Mesa prints no line for struct types like our decl_struct. The members of
 * a variable's struct are then those that its derefs name, in that order and
 * packed: good for zink's blocks of one array, and a guess for others.
 */
#include "nir_parse_private.h"

#include <ctype.h>
#include <stdarg.h>

#include "nir_private.h"

void
parse_fail(struct parser *p, const char *fmt, ...)
{
   if (p->error)
      return;
   unsigned line = 1, column = 1;
   for (const char *c = p->text; c < p->at && c < p->end; c++) {
      column++;
      if (*c == '\n') {
         line++;
         column = 1;
      }
   }
   va_list ap;
   va_start(ap, fmt);
   const char *text = arena_vprintf(p->tmp, fmt, ap);
   va_end(ap);
   p->error = arena_printf(p->parent, "%u:%u: %s", line, column, text);
}

/* --- Lexing --------------------------------------------------------------------- */

void
parse_skip(struct parser *p)
{
   while (p->at < p->end) {
      if (isspace((unsigned char)*p->at)) {
         p->at++;
      } else if (p->end - p->at >= 2 && p->at[0] == '/' && p->at[1] == '*') {
         const char *close = p->at + 2;
         while (p->end - close >= 2 && !(close[0] == '*' && close[1] == '/'))
            close++;
         p->at = p->end - close >= 2 ? close + 2 : p->end;
      } else if (p->end - p->at >= 2 && p->at[0] == '/' && p->at[1] == '/') {
         while (p->at < p->end && *p->at != '\n')
            p->at++;
      } else {
         return;
      }
   }
}

static bool
is_ident_char(char c)
{
   return isalnum((unsigned char)c) || c == '_';
}

bool
parse_peek(struct parser *p, const char *s)
{
   parse_skip(p);
   const size_t n = strlen(s);
   if ((size_t)(p->end - p->at) < n || memcmp(p->at, s, n) != 0)
      return false;
   return !is_ident_char(s[n - 1]) || p->at + n == p->end ||
          !is_ident_char(p->at[n]);
}

bool
parse_accept(struct parser *p, const char *s)
{
   if (p->error || !parse_peek(p, s))
      return false;
   p->at += strlen(s);
   return true;
}

bool
parse_expect(struct parser *p, const char *s)
{
   if (parse_accept(p, s))
      return true;
   parse_fail(p, "expected '%s'", s);
   return false;
}

char *
parse_ident(struct parser *p)
{
   parse_skip(p);
   const char *start = p->at;
   while (p->at < p->end && is_ident_char(*p->at))
      p->at++;
   if (p->at == start) {
      parse_fail(p, "expected a name");
      return NULL;
   }
   return arena_printf(p->tmp, "%.*s", (int)(p->at - start), start);
}

char *
parse_word(struct parser *p)
{
   parse_skip(p);
   const char *start = p->at;
   while (p->at < p->end && !isspace((unsigned char)*p->at))
      p->at++;
   if (p->at == start || p->at - start > 4096) {
      p->at = start;
      parse_fail(p, "expected a name");
      return NULL;
   }
   return arena_printf(p->tmp, "%.*s", (int)(p->at - start), start);
}

bool
parse_uint(struct parser *p, uint64_t *v)
{
   parse_skip(p);
   const char *start = p->at;
   *v = 0;
   if (p->end - p->at > 2 && p->at[0] == '0' && p->at[1] == 'x') {
      const char *digits = p->at += 2;
      for (; p->at < p->end && isxdigit((unsigned char)*p->at); p->at++) {
         const char c = *p->at;
         *v = *v << 4 | (uint64_t)(isdigit((unsigned char)c)
                                      ? c - '0'
                                      : tolower((unsigned char)c) - 'a' + 10);
      }
      if (p->at > digits && p->at - digits <= 16)
         return true;
   } else {
      for (; p->at < p->end && isdigit((unsigned char)*p->at); p->at++)
         *v = *v * 10 + (uint64_t)(*p->at - '0');
      if (p->at > start && p->at - start <= 19)
         return true;
   }
   p->at = start;
   parse_fail(p, "expected a number");
   return false;
}

bool
parse_int(struct parser *p, int64_t *v)
{
   const bool negative = parse_accept(p, "-");
   uint64_t u = 0;
   if (!parse_uint(p, &u))
      return false;
   *v = (int64_t)(negative ? 0 - u : u);
   return true;
}

bool
parse_numbered(struct parser *p, const char *prefix, uint64_t *v)
{
   parse_skip(p);
   const size_t n = strlen(prefix);
   if ((size_t)(p->end - p->at) <= n || memcmp(p->at, prefix, n) != 0 ||
       !isdigit((unsigned char)p->at[n]))
      return false;
   const char *start = p->at;
   p->at += n;
   *v = 0;
   for (; p->at < p->end && isdigit((unsigned char)*p->at); p->at++)
      *v = *v * 10 + (uint64_t)(*p->at - '0');
   if (*v < UINT32_MAX && p->at - start < 12 + (long)n)
      return true;
   p->at = start;
   parse_fail(p, "a number too large");
   return false;
}

char *
parse_comment(struct parser *p)
{
   while (p->at < p->end && (*p->at == ' ' || *p->at == '\t'))
      p->at++;
   if (p->end - p->at < 4 || p->at[0] != '/' || p->at[1] != '*')
      return NULL;
   const char *start = p->at + 2, *close = start;
   while (p->end - close >= 2 && !(close[0] == '*' && close[1] == '/'))
      close++;
   if (p->end - close < 2)
      return NULL;
   p->at = close + 2;
   return arena_printf(p->tmp, "%.*s", (int)(close - start), start);
}

/* --- Types ------------------------------------------------------------------------ */

static void
add_type(struct parser *p, const struct glsl_type *t)
{
   const char *name = glsl_get_type_name(t);
   const uint32_t n = (uint32_t)strlen(name);
   if (!hash_table_get_bytes(&p->types, name, n))
      hash_table_insert_bytes(&p->types, name, n, (void *)t);
}

void
parse_init_types(struct parser *p)
{
   for (unsigned base = 0; base <= GLSL_TYPE_BOOL; base++) {
      for (unsigned n = 1; n <= 16; n++)
         add_type(p, glsl_vector_type(base, n));
   }
   static const enum glsl_base_type floats[] = {
      GLSL_TYPE_FLOAT, GLSL_TYPE_DOUBLE, GLSL_TYPE_FLOAT16
   };
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

/* The array dimensions behind the name, the inner ones last. */
static const struct glsl_type *
wrap_arrays(struct parser *p, const struct glsl_type *t, const char *dims)
{
   if (!*dims)
      return t;
   unsigned long n = 0;
   const char *close = strchr(dims, ']');
   if (*dims != '[' || !close || p->depth++ > PARSE_MAX_DEPTH) {
      parse_fail(p, "bad array dimensions");
      return t;
   }
   for (const char *c = dims + 1; c < close; c++) {
      if (!isdigit((unsigned char)*c) || n > 1000000) {
         parse_fail(p, "bad array dimensions");
         return t;
      }
      n = n * 10 + (unsigned long)(*c - '0');
   }
   const struct glsl_type *inner = wrap_arrays(p, t, close + 1);
   p->depth--;
   return p->error ? t : glsl_array_type(inner, (unsigned)n, 0);
}

const struct glsl_type *
parse_type_name(struct parser *p, const char *name)
{
   const size_t n = strcspn(name, "[");
   if (n == 0) {
      parse_fail(p, "expected a type");
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
static void
parse_struct_decl(struct parser *p, bool interface)
{
   struct util_dynarray fields = { 0 };
   char *name = parse_ident(p);
   parse_expect(p, "{");
   while (!p->error && !parse_peek(p, "}")) {
      struct glsl_struct_field f = { GLSL_STRUCT_FIELD_DEFAULT };
      uint64_t v = 0;
      char *type = parse_word(p);
      parse_skip(p);
      const char *start = p->at;
      while (p->at < p->end && !isspace((unsigned char)*p->at) &&
             *p->at != ';')
         p->at++;
      f.name = arena_printf(p->tmp, "%.*s", (int)(p->at - start), start);
      if (type)
         f.type = parse_type_name(p, type);
      if (parse_accept(p, "@") && parse_uint(p, &v))
         f.offset = (int)(v & INT32_MAX);
      if (parse_accept(p, "%") && parse_uint(p, &v) && f.type) {
         v &= 0xffffff;
         if (glsl_type_is_array(f.type))
            f.type = glsl_array_type(glsl_get_array_element(f.type),
                                     glsl_get_length(f.type), (unsigned)v);
         else if (glsl_get_components(f.type))
            f.type =
               glsl_explicit_matrix_type(f.type, (unsigned)v, false);
      }
      parse_expect(p, ";");
      util_dynarray_append(&fields, struct glsl_struct_field, f);
   }
   parse_expect(p, "}");
   if (!p->error) {
      const unsigned n = (unsigned)util_dynarray_num_elements(
         &fields, struct glsl_struct_field);
      const struct glsl_type *t =
         interface ? glsl_interface_type(fields.data, n,
                                         GLSL_INTERFACE_PACKING_STD430,
                                         false, name)
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
 * with &VAR[ssa_2].FIELD in a comment behind it.
 */
static bool
member_of_line(struct parser *p, const char *line, const char *end,
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

/* Packed behind `offset`; arrays get the stride of their elements. */
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
static const struct glsl_type *
guess_members(struct parser *p, const struct glsl_type *t, const char *var)
{
   if (glsl_type_is_array(t)) {
      const struct glsl_type *e =
         guess_members(p, glsl_get_array_element(t), var);
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
      fields[n++] = place_member(name, parse_type_name(p, type), &offset);
   }
   return n ? glsl_struct_type(fields, n, glsl_get_type_name(t), false) : t;
}

/* --- Variables ---------------------------------------------------------------------- */

static const struct {
   const char *name;
   unsigned mode;
} mode_names[] = {
   { "shader_in", nir_var_shader_in },
   { "shader_out", nir_var_shader_out },
   { "shader_temp", nir_var_shader_temp },
   { "function_temp", nir_var_function_temp },
   { "uniform", nir_var_uniform },
   { "ubo", nir_var_mem_ubo },
   { "system", nir_var_system_value },
   { "ssbo", nir_var_mem_ssbo },
   { "shared", nir_var_mem_shared },
   { "global", nir_var_mem_global },
   { "push_const", nir_var_mem_push_const },
   { "constant", nir_var_mem_constant },
   { "image", nir_var_image },
};

int
parse_variable_mode(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(mode_names); i++) {
      if (strcmp(mode_names[i].name, name) == 0)
         return (int)mode_names[i].mode;
   }
   return -1;
}

static bool
parse_qualifier(nir_variable *var, const char *word)
{
   static const struct {
      const char *name;
      unsigned bit;
   } access[] = {
      { "coherent", ACCESS_COHERENT },   { "volatile", ACCESS_VOLATILE },
      { "restrict", ACCESS_RESTRICT },   { "readonly", ACCESS_NON_WRITEABLE },
      { "writeonly", ACCESS_NON_READABLE },
      { "reorderable", ACCESS_CAN_REORDER },
      { "non-uniform", ACCESS_NON_UNIFORM },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(access); i++) {
      if (strcmp(word, access[i].name) == 0) {
         var->data.access |= access[i].bit;
         return true;
      }
   }
   if (strcmp(word, "bindless") == 0)
      var->data.bindless = true;
   else if (strcmp(word, "centroid") == 0)
      var->data.centroid = true;
   else if (strcmp(word, "sample") == 0)
      var->data.sample = true;
   else if (strcmp(word, "patch") == 0)
      var->data.patch = true;
   else if (strcmp(word, "invariant") == 0 || strcmp(word, "inv") == 0)
      var->data.invariant = true;
   else if (strcmp(word, "per_view") == 0)
      var->data.per_view = true;
   else if (strcmp(word, "per_vertex") == 0)
      var->data.per_vertex = true;
   else if (strcmp(word, "highp") == 0 || strcmp(word, "mediump") == 0 ||
            strcmp(word, "lowp") == 0 || strcmp(word, "ray_query") == 0)
      return true;
   else
      return false;
   return true;
}

static int
find_name(const char *name, unsigned count, const char *(*get)(unsigned))
{
   for (unsigned i = 0; i < count; i++) {
      if (strcmp(get(i), name) == 0)
         return (int)i;
   }
   return -1;
}

static const char *
attrib_name(unsigned i)
{
   return gl_vert_attrib_name((gl_vert_attrib)i);
}

static const char *
varying_name(unsigned i)
{
   return gl_varying_slot_name_for_stage((gl_varying_slot)i,
                                         MESA_SHADER_VERTEX);
}

static const char *
result_name(unsigned i)
{
   return gl_frag_result_name((gl_frag_result)i);
}

static const char *
sysval_name(unsigned i)
{
   return gl_system_value_name((gl_system_value)i);
}

static const char *
interp_name(unsigned i)
{
   return glsl_interp_mode_name((enum glsl_interp_mode)i);
}

static const char *
format_name(unsigned i)
{
   return nir_image_format_name((enum pipe_format)i);
}

/* (LOCATION[.xyzw], DRIVER_LOCATION, BINDING)[ compact] */
static void
parse_location(struct parser *p, nir_variable *var)
{
   uint64_t v = 0;
   if (parse_accept(p, "~0")) {
      var->data.location = -1;
   } else {
      parse_skip(p);
      if (p->at < p->end && (isdigit((unsigned char)*p->at) ||
                             *p->at == '-')) {
         int64_t loc = 0;
         parse_int(p, &loc);
         var->data.location = (int)loc;
      } else {
         const char *start = p->at;
         char *name = parse_ident(p);
         if (!name)
            return;
         int loc = find_name(name, VARYING_SLOT_TESS_MAX, varying_name);
         if (loc < 0)
            loc = find_name(name, VERT_ATTRIB_MAX, attrib_name);
         if (loc < 0)
            loc = find_name(name, FRAG_RESULT_MAX, result_name);
         if (loc < 0)
            loc = find_name(name, SYSTEM_VALUE_MAX, sysval_name);
         if (loc < 0) {
            p->at = start;
            parse_fail(p, "unknown location %s", name);
         }
         var->data.location = loc;
      }
   }
   if (parse_accept(p, ".")) {
      char *comps = parse_ident(p);
      const char *letter = comps ? strchr("xyzw", comps[0]) : NULL;
      if (letter && *letter)
         var->data.location_frac = (unsigned)(letter - "xyzw") & 3;
      if (comps && strspn(comps, "xyzw") != strlen(comps))
         parse_fail(p, "components are some of xyzw");
      if (letter)
         var->data.location_frac =
            comps[0] == 'x' ? 0 : comps[0] == 'y' ? 1 : comps[0] == 'z' ? 2
                                                                        : 3;
   }
   parse_expect(p, ",");
   parse_uint(p, &v);
   var->data.driver_location = (unsigned)v;
   parse_expect(p, ",");
   parse_uint(p, &v);
   var->data.binding = (unsigned)v;
   parse_expect(p, ")");
   if (parse_accept(p, "compact"))
      var->data.compact = true;
}

/* 0x..., as we print it, or the decimal form of Mesa. */
static void
parse_component(struct parser *p, enum glsl_base_type base, unsigned bits,
                nir_const_value *out)
{
   const bool is_float = base == GLSL_TYPE_FLOAT ||
                         base == GLSL_TYPE_DOUBLE ||
                         base == GLSL_TYPE_FLOAT16;
   uint64_t v = 0;
   if (parse_accept(p, "true"))
      v = 1;
   else if (parse_accept(p, "false"))
      v = 0;
   else if (is_float && !(p->end - p->at > 2 && p->at[0] == '0' &&
                          p->at[1] == 'x')) {
      char text[64];
      const size_t n = MIN2((size_t)(p->end - p->at), sizeof(text) - 1);
      memcpy(text, p->at, n);
      text[n] = '\0';
      char *rest;
      const double d = strtod(text, &rest);
      if (rest == text)
         parse_fail(p, "expected a number");
      p->at += rest - text;
      *out = nir_const_value_for_float(d, bits);
      return;
   } else if (!parse_uint(p, &v)) {
      return;
   }
   *out = nir_const_value_for_raw_uint(v, bits);
}

static nir_constant *
parse_constant(struct parser *p, const struct glsl_type *t)
{
   nir_constant *c = arena_new(p->shader->arena, nir_constant);
   if (parse_accept(p, "null")) {
      c->is_null_constant = true;
      return c;
   }
   if (glsl_type_is_vector_or_scalar(t)) {
      for (unsigned i = 0; i < glsl_get_vector_elements(t); i++) {
         if (i)
            parse_expect(p, ",");
         parse_component(p, glsl_get_base_type(t), glsl_get_bit_size(t),
                         &c->values[i]);
      }
      return c;
   }
   const unsigned n = glsl_get_length(t);
   c->num_elements = n;
   c->elements = arena_new_array(p->shader->arena, nir_constant *, n);
   for (unsigned i = 0; i < n && !p->error; i++) {
      if (i)
         parse_expect(p, ",");
      parse_expect(p, "{");
      c->elements[i] =
         parse_constant(p, glsl_type_is_struct_or_ifc(t)
                              ? glsl_get_struct_field(t, i)
                              : glsl_get_array_element(t));
      parse_expect(p, "}");
   }
   return c;
}

static void
parse_var_extras(struct parser *p, nir_variable *var)
{
   do {
      uint64_t v = 0;
      char *key = parse_ident(p);
      parse_expect(p, "=");
      if (!key || !parse_uint(p, &v))
         return;
      if (strcmp(key, "set") == 0)
         var->data.descriptor_set = (unsigned)v;
      else if (strcmp(key, "index") == 0)
         var->data.index = v & 1;
      else if (strcmp(key, "stream") == 0)
         var->data.stream = v & 0x1ff;
      else if (strcmp(key, "xfb_buffer") == 0)
         var->data.xfb.buffer = (uint16_t)v;
      else if (strcmp(key, "xfb_stride") == 0)
         var->data.xfb.stride = (uint16_t)v;
      else if (strcmp(key, "offset") == 0)
         var->data.offset = (unsigned)v;
      else if (strcmp(key, "explicit_xfb") == 0)
         var->data.explicit_xfb_buffer = v & 1;
      else
         parse_fail(p, "unknown attribute %s", key);
   } while (parse_accept(p, ","));
   parse_expect(p, "}");
}

static void
parse_var_decl(struct parser *p, nir_function_impl *impl)
{
   nir_variable *var = arena_new(p->shader->arena, nir_variable);
   var->data.mode = nir_var_function_temp;
   for (;;) {
      const char *start = p->at;
      char *word = parse_word(p);
      if (!word)
         return;
      const int mode = parse_variable_mode(word);
      const int interp = find_name(word, INTERP_MODE_COUNT, interp_name);
      const int format = find_name(word, PIPE_FORMAT_COUNT, format_name);
      if (interp >= 0) {
         var->data.interpolation = (unsigned)interp;
         break;
      }
      if (mode >= 0) {
         var->data.mode = (unsigned)mode;
      } else if (format >= 0) {
         var->data.image.format = (enum pipe_format)format;
      } else if (!parse_qualifier(var, word)) {
         p->at = start;
         parse_skip(p);
         parse_fail(p, "unknown qualifier %s", word);
         return;
      }
   }
   char *type = parse_word(p);
   char *name = parse_word(p);
   if (!type || !name)
      return;
   var->type = guess_members(p, parse_type_name(p, type), name);
   var->name = arena_strdup(p->shader->arena, name);
   if (name[0] == '#')
      var->name = NULL;
   if (parse_accept(p, "("))
      parse_location(p, var);
   if (parse_accept(p, "=")) {
      if (parse_accept(p, "&")) {
         parse_fail(p, "pointer initialisers are not implemented");
         return;
      }
      parse_expect(p, "{");
      var->constant_initializer = parse_constant(p, var->type);
      parse_expect(p, "}");
   }
   /* On the same line, and not the { of what follows. */
   if (parse_accept(p, "{"))
      parse_var_extras(p, var);
   if (p->error)
      return;
   if ((var->data.mode == nir_var_function_temp) != (impl != NULL)) {
      parse_fail(p, impl ? "a local variable has no mode"
                         : "a shader variable needs a mode");
      return;
   }
   if (impl)
      nir_function_impl_add_variable(impl, var);
   else
      nir_shader_add_variable(p->shader, var);
   hash_table_insert_bytes(&p->vars, name, (uint32_t)strlen(name), var);
}

bool
parse_vec_and_bits(struct parser *p, unsigned *components, unsigned *bit_size)
{
   uint64_t n = 0, bits = 0;
   if (!parse_numbered(p, "vec", &n) || !parse_uint(p, &bits)) {
      parse_fail(p, "expected vecN and a bit size");
      return false;
   }
   if (!((n >= 1 && n <= 5) || n == 8 || n == 16)) {
      parse_fail(p, "a value has 1 to 5, 8 or 16 components");
      return false;
   }
   if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      parse_fail(p, "a bit size is 1, 8, 16, 32 or 64");
      return false;
   }
   *components = (unsigned)n;
   *bit_size = (unsigned)bits;
   return true;
}

static void
parse_reg_decl(struct parser *p, nir_function_impl *impl)
{
   unsigned n, bits;
   uint64_t number = 0, elements = 0;
   if (!parse_vec_and_bits(p, &n, &bits))
      return;
   if (!parse_numbered(p, "r", &number)) {
      parse_fail(p, "expected a register");
      return;
   }
   nir_register *reg = nir_local_reg_create(impl);
   reg->num_components = n;
   reg->bit_size = (uint8_t)bits;
   if (parse_accept(p, "[")) {
      parse_uint(p, &elements);
      if (elements == 0 || elements > 1000000)
         parse_fail(p, "an array of 1 to 1000000 elements");
      reg->num_array_elems = (unsigned)elements;
      parse_expect(p, "]");
   }
   reg->index = (unsigned)number;
   impl->reg_alloc = MAX2(impl->reg_alloc, reg->index + 1);
   hash_table_insert(&p->regs, number, reg);
}

/* --- Control flow ------------------------------------------------------------------------ */

static void parse_cf_list(struct parser *p, bool top);

static bool
parse_condition(struct parser *p, nir_src *src)
{
   uint64_t n = 0;
   if (parse_numbered(p, "ssa_", &n)) {
      nir_ssa_def *def = hash_table_get(&p->defs, n);
      if (def && def->num_components == 1) {
         *src = nir_src_for_ssa(def);
         return true;
      }
   } else if (parse_numbered(p, "r", &n)) {
      nir_register *reg = hash_table_get(&p->regs, n);
      if (reg && reg->num_components == 1 && !reg->num_array_elems) {
         *src = nir_src_for_reg(reg);
         return true;
      }
   }
   parse_fail(p, "a condition is a scalar that was defined before");
   return false;
}

static void
parse_if(struct parser *p)
{
   nir_src cond;
   if (!parse_condition(p, &cond) || !parse_expect(p, "{"))
      return;
   nir_if *nif = nir_push_if_src(&p->b, cond);
   parse_cf_list(p, false);
   parse_expect(p, "}");
   parse_expect(p, "else");
   parse_expect(p, "{");
   nir_push_else(&p->b, nif);
   parse_cf_list(p, false);
   parse_expect(p, "}");
   nir_pop_if(&p->b, nif);
}

static void
parse_loop(struct parser *p)
{
   if (!parse_expect(p, "{"))
      return;
   nir_loop *loop = nir_push_loop(&p->b);
   parse_cf_list(p, false);
   parse_expect(p, "}");
   nir_pop_loop(&p->b, loop);
}

/* The blocks of the list are there already: labels name them in order. */
static void
parse_cf_list(struct parser *p, bool top)
{
   bool labelled = false;
   if (p->depth++ > PARSE_MAX_DEPTH) {
      parse_fail(p, "control flow nested too deep");
      return;
   }
   while (!p->error && !parse_peek(p, "}")) {
      uint64_t n = 0;
      if (p->at == p->end) {
         parse_fail(p, "expected '}'");
      } else if (parse_accept(p, "block")) {
         if (!parse_numbered(p, "block_", &n)) {
            parse_fail(p, "expected block_N");
            break;
         }
         parse_expect(p, ":");
         if (labelled && top) {
            /* The end block, which holds nothing. */
            hash_table_insert(&p->blocks, n, p->b.impl->end_block);
            break;
         }
         if (labelled)
            parse_fail(p, "a block here already has a label");
         hash_table_insert(&p->blocks, n,
                           nir_cursor_current_block(p->b.cursor));
         labelled = true;
      } else if (parse_accept(p, "if")) {
         parse_if(p);
         labelled = false;
      } else if (parse_accept(p, "loop")) {
         parse_loop(p);
         labelled = false;
      } else {
         parse_instr(p);
      }
   }
   p->depth--;
}

static void
parse_impl(struct parser *p)
{
   char *name = parse_ident(p);
   nir_function *func = NULL;
   if (!name || !parse_expect(p, "{"))
      return;
   nir_foreach_function(f, p->shader) {
      if (f->name && strcmp(f->name, name) == 0)
         func = f;
   }
   if (!func || func->impl) {
      parse_fail(p, "%s is %s", name,
                 func ? "implemented twice" : "not declared");
      return;
   }
   nir_function_impl *impl = nir_function_impl_create(func);
   p->b = nir_builder_at(impl, nir_before_impl(impl));
   hash_table_clear(&p->defs);
   hash_table_clear(&p->regs);
   hash_table_clear(&p->blocks);
   while (!p->error) {
      if (parse_accept(p, "decl_var"))
         parse_var_decl(p, impl);
      else if (parse_accept(p, "decl_reg"))
         parse_reg_decl(p, impl);
      else
         break;
   }
   p->depth = 0;
   parse_cf_list(p, true);
   parse_expect(p, "}");
   parse_finish_phis(p);
}

/* --- The whole ------------------------------------------------------------------------------ */

static void
parse_function_decl(struct parser *p)
{
   char *name = parse_ident(p);
   uint64_t n = 0;
   parse_expect(p, "(");
   parse_uint(p, &n);
   if (!parse_accept(p, "params"))
      parse_expect(p, "param");
   parse_expect(p, ")");
   if (p->error)
      return;
   nir_function *func = nir_function_create(p->shader, name);
   char *note = parse_comment(p);
   if (n > 0) {
      if (n > 64 || !note) {
         parse_fail(p, "the types of the parameters are not there");
         return;
      }
      func->num_params = (unsigned)n;
      func->params =
         arena_new_array(p->shader->arena, nir_parameter, n);
      const char *c = note;
      for (unsigned i = 0; i < n; i++) {
         unsigned comps = 0, bits = 0;
         int used = 0;
         if (sscanf(c, " vec%u %u%n", &comps, &bits, &used) != 2 ||
             comps > 16 || bits > 64) {
            parse_fail(p, "a parameter is vecN and a bit size");
            return;
         }
         func->params[i].num_components = (uint8_t)comps;
         func->params[i].bit_size = (uint8_t)bits;
         c += used;
         c += *c == ',';
      }
      note = parse_comment(p);
   }
   func->is_entrypoint = note && strstr(note, "entrypoint");
}

static gl_shader_stage
parse_stage(struct parser *p)
{
   /* "NIR before handing off to driver:" and the like stand above. */
   if (parse_peek(p, "NIR")) {
      while (p->at < p->end && *p->at != '\n')
         p->at++;
   }
   parse_expect(p, "shader");
   parse_expect(p, ":");
   char *name = parse_ident(p);
   for (int i = 0; name && i <= MESA_SHADER_KERNEL; i++) {
      if (strcmp(gl_shader_stage_name((gl_shader_stage)i), name) == 0)
         return (gl_shader_stage)i;
   }
   parse_fail(p, "unknown stage");
   return MESA_SHADER_NONE;
}

/* "key: rest of the line" until a declaration comes. */
static void
parse_header(struct parser *p)
{
   while (!p->error) {
      parse_skip(p);
      const char *start = p->at;
      if (p->at == p->end || parse_peek(p, "impl") ||
          (p->end - p->at > 5 && memcmp(p->at, "decl_", 5) == 0))
         return;
      while (p->at < p->end && *p->at != ':' && *p->at != '\n')
         p->at++;
      if (p->at == p->end || *p->at != ':') {
         p->at = start;
         parse_fail(p, "expected a declaration");
         return;
      }
      const size_t n = (size_t)(p->at - start);
      p->at++;
      while (p->at < p->end && *p->at == ' ')
         p->at++;
      const char *value = p->at;
      while (p->at < p->end && *p->at != '\n')
         p->at++;
      char *text =
         arena_printf(p->shader->arena, "%.*s", (int)(p->at - value), value);
      nir_shader *s = p->shader;
#define KEY(k) (n == strlen(k) && memcmp(start, k, n) == 0)
      if (KEY("name"))
         s->info.name = text;
      else if (KEY("label"))
         s->info.label = text;
      else if (KEY("inputs"))
         s->num_inputs = (unsigned)strtoul(text, NULL, 10);
      else if (KEY("outputs"))
         s->num_outputs = (unsigned)strtoul(text, NULL, 10);
      else if (KEY("uniforms"))
         s->num_uniforms = (unsigned)strtoul(text, NULL, 10);
      else if (KEY("shared"))
         s->info.shared_size = (unsigned)strtoul(text, NULL, 10);
      else if (KEY("scratch"))
         s->scratch_size = (unsigned)strtoul(text, NULL, 10);
      else if (KEY("workgroup-size") || KEY("local-size"))
         sscanf(text, "%hu, %hu, %hu", &s->info.workgroup_size[0],
                &s->info.workgroup_size[1], &s->info.workgroup_size[2]);
#undef KEY
   }
}

static void
parse_declarations(struct parser *p)
{
   for (;;) {
      parse_skip(p);
      /* A dump may hold several shaders: the first one is read. */
      if (p->error || p->at == p->end || parse_peek(p, "shader:") ||
          parse_peek(p, "NIR") ||
          parse_peek(p, "Native code"))
         return;
      if (parse_accept(p, "decl_var"))
         parse_var_decl(p, NULL);
      else if (parse_accept(p, "decl_struct"))
         parse_struct_decl(p, false);
      else if (parse_accept(p, "decl_interface"))
         parse_struct_decl(p, true);
      else if (parse_accept(p, "decl_function"))
         parse_function_decl(p);
      else if (parse_accept(p, "impl"))
         parse_impl(p);
      else
         parse_fail(p, "expected a declaration");
   }
}

static void
choose_entrypoint(struct parser *p)
{
   nir_function *best = NULL;
   unsigned marked = 0;
   nir_foreach_function(f, p->shader) {
      marked += f->is_entrypoint;
      if (f->impl && f->name && strcmp(f->name, "main") == 0)
         best = f;
   }
   if (marked > 1)
      parse_fail(p, "more than one entry point");
   if (marked)
      return;
   nir_foreach_function(f, p->shader) {
      if (!best && f->impl)
         best = f;
   }
   if (best)
      best->is_entrypoint = true;
   else
      parse_fail(p, "no function is implemented");
}

nir_shader *
nir_parse_shader(struct arena *parent, const char *text, size_t size_B,
                 const nir_shader_compiler_options *options, char **error)
{
   struct parser parser = {
      .text = text, .end = text + size_B, .at = text, .parent = parent,
      .tmp = arena_create(NULL),
   };
   struct parser *p = &parser;
   hash_table_init(&p->types);
   hash_table_init(&p->vars);
   hash_table_init(&p->defs);
   hash_table_init(&p->regs);
   hash_table_init(&p->blocks);

   const gl_shader_stage stage = parse_stage(p);
   if (!p->error) {
      p->shader = nir_shader_create(parent, stage, options);
      parse_init_types(p);
      parse_header(p);
      parse_declarations(p);
   }
   if (!p->error)
      choose_entrypoint(p);
   if (!p->error) {
      const char *faults = nir_validate_shader_text(p->shader, p->tmp);
      if (faults)
         parse_fail(p, "the shader breaks a rule: %s", faults);
   }
   hash_table_finish(&p->types);
   hash_table_finish(&p->vars);
   hash_table_finish(&p->defs);
   hash_table_finish(&p->regs);
   hash_table_finish(&p->blocks);
   util_dynarray_fini(&p->phi_srcs);
   arena_destroy(p->tmp);
   if (p->error) {
      nir_shader_destroy(p->shader);
      *error = p->error;
      return NULL;
   }
   return p->shader;
}
