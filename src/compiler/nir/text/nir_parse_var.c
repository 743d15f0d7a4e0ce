/* SPDX-License-Identifier: MIT */
/* Declarations of variables, with their initial values. */
#include "nir_parse_private.h"

#include <ctype.h>

#include "nir_private.h"

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
nir_parse_variable_mode(const char *name)
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
      { "coherent", ACCESS_COHERENT },
      { "volatile", ACCESS_VOLATILE },
      { "restrict", ACCESS_RESTRICT },
      { "readonly", ACCESS_NON_WRITEABLE },
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
parse_location(struct nir_parser *p, nir_variable *var)
{
   uint64_t v = 0;
   if (nir_parse_accept(p, "~0")) {
      var->data.location = -1;
   } else {
      nir_parse_skip(p);
      if (p->at < p->end &&
          (isdigit((unsigned char)*p->at) || *p->at == '-')) {
         int64_t loc = 0;
         nir_parse_int(p, &loc);
         var->data.location = (int)loc;
      } else {
         const char *start = p->at;
         char *name = nir_parse_ident(p);
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
            nir_parse_fail(p, "unknown location %s", name);
         }
         var->data.location = loc;
      }
   }
   if (nir_parse_accept(p, ".")) {
      char *comps = nir_parse_ident(p);
      const char *letter = comps ? strchr("xyzw", comps[0]) : NULL;
      if (letter && *letter)
         var->data.location_frac = (unsigned)(letter - "xyzw") & 3;
      if (comps && strspn(comps, "xyzw") != strlen(comps))
         nir_parse_fail(p, "components are some of xyzw");
      if (letter)
         var->data.location_frac = comps[0] == 'x'   ? 0
                                   : comps[0] == 'y' ? 1
                                   : comps[0] == 'z' ? 2
                                                     : 3;
   }
   nir_parse_expect(p, ",");
   nir_parse_uint(p, &v);
   var->data.driver_location = (unsigned)v;
   nir_parse_expect(p, ",");
   nir_parse_uint(p, &v);
   var->data.binding = (unsigned)v;
   nir_parse_expect(p, ")");
   if (nir_parse_accept(p, "compact"))
      var->data.compact = true;
}

/* 0x..., as we print it, or the decimal form of Mesa. */
static void
parse_component(struct nir_parser *p, enum glsl_base_type base, unsigned bits,
                nir_const_value *out)
{
   const bool is_float = base == GLSL_TYPE_FLOAT ||
                         base == GLSL_TYPE_DOUBLE ||
                         base == GLSL_TYPE_FLOAT16;
   uint64_t v = 0;
   if (nir_parse_accept(p, "true"))
      v = 1;
   else if (nir_parse_accept(p, "false"))
      v = 0;
   else if (is_float &&
            !(p->end - p->at > 2 && p->at[0] == '0' && p->at[1] == 'x')) {
      char text[64];
      const size_t n = MIN2((size_t)(p->end - p->at), sizeof(text) - 1);
      memcpy(text, p->at, n);
      text[n] = '\0';
      char *rest;
      const double d = strtod(text, &rest);
      if (rest == text)
         nir_parse_fail(p, "expected a number");
      p->at += rest - text;
      *out = nir_const_value_for_float(d, bits);
      return;
   } else if (!nir_parse_uint(p, &v)) {
      return;
   }
   *out = nir_const_value_for_raw_uint(v, bits);
}

static nir_constant *
parse_constant(struct nir_parser *p, const struct glsl_type *t)
{
   nir_constant *c = arena_new(p->shader->arena, nir_constant);
   if (nir_parse_accept(p, "null")) {
      c->is_null_constant = true;
      return c;
   }
   if (glsl_type_is_vector_or_scalar(t)) {
      for (unsigned i = 0; i < glsl_get_vector_elements(t); i++) {
         if (i)
            nir_parse_expect(p, ",");
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
         nir_parse_expect(p, ",");
      nir_parse_expect(p, "{");
      c->elements[i] = parse_constant(p, glsl_type_is_struct_or_ifc(t)
                                            ? glsl_get_struct_field(t, i)
                                            : glsl_get_array_element(t));
      nir_parse_expect(p, "}");
   }
   return c;
}

static void
parse_var_extras(struct nir_parser *p, nir_variable *var)
{
   do {
      uint64_t v = 0;
      char *key = nir_parse_ident(p);
      nir_parse_expect(p, "=");
      if (!key || !nir_parse_uint(p, &v))
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
         nir_parse_fail(p, "unknown attribute %s", key);
   } while (nir_parse_accept(p, ","));
   nir_parse_expect(p, "}");
}

void
nir_parse_var_decl(struct nir_parser *p, nir_function_impl *impl)
{
   nir_variable *var = arena_new(p->shader->arena, nir_variable);
   var->data.mode = nir_var_function_temp;
   for (;;) {
      const char *start = p->at;
      char *word = nir_parse_word(p);
      if (!word)
         return;
      const int mode = nir_parse_variable_mode(word);
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
         nir_parse_skip(p);
         nir_parse_fail(p, "unknown qualifier %s", word);
         return;
      }
   }
   char *type = nir_parse_word(p);
   char *name = nir_parse_word(p);
   if (!type || !name)
      return;
   var->type = nir_parse_guess_members(p, nir_parse_type_name(p, type), name);
   var->name = arena_strdup(p->shader->arena, name);
   if (name[0] == '#')
      var->name = NULL;
   if (nir_parse_accept(p, "("))
      parse_location(p, var);
   if (nir_parse_accept(p, "=")) {
      if (nir_parse_accept(p, "&")) {
         nir_parse_fail(p, "pointer initialisers are not implemented");
         return;
      }
      nir_parse_expect(p, "{");
      var->constant_initializer = parse_constant(p, var->type);
      nir_parse_expect(p, "}");
   }
   /* On the same line, and not the { of what follows. */
   if (nir_parse_accept(p, "{"))
      parse_var_extras(p, var);
   if (p->error)
      return;
   if ((var->data.mode == nir_var_function_temp) != (impl != NULL)) {
      nir_parse_fail(p, impl ? "a local variable has no mode"
                             : "a shader variable needs a mode");
      return;
   }
   if (impl)
      nir_add_local(impl, var);
   else
      nir_add_variable(p->shader, var);
   hash_table_insert_bytes(&p->vars, name, (uint32_t)strlen(name), var);
}

bool
nir_parse_check_size(struct nir_parser *p, uint64_t n, uint64_t bits)
{
   if (!((n >= 1 && n <= 5) || n == 8 || n == 16)) {
      nir_parse_fail(p, "a value has 1 to 5, 8 or 16 components");
      return false;
   }
   if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      nir_parse_fail(p, "a bit size is 1, 8, 16, 32 or 64");
      return false;
   }
   return true;
}

bool
nir_parse_vec_and_bits(struct nir_parser *p, unsigned *components,
                       unsigned *bit_size)
{
   uint64_t n = 0, bits = 0;
   if (!nir_parse_numbered(p, "vec", &n) || !nir_parse_uint(p, &bits)) {
      nir_parse_fail(p, "expected vecN and a bit size");
      return false;
   }
   if (!nir_parse_check_size(p, n, bits))
      return false;
   *components = (unsigned)n;
   *bit_size = (unsigned)bits;
   return true;
}
