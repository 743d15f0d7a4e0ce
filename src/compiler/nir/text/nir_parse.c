/* SPDX-License-Identifier: MIT */
/*
 * Reads the text form of NIR: what nir_print.c writes and what Mesa 22.3
 * prints. A recursive descent parser builds the shader; the validator has
 * the last word. Bad input gives one error, "line:column: sentence".
 */
#include "nir_parse_private.h"
#include "nir_private.h"

#include <inttypes.h>

static enum glsl_base_type
uint_of(unsigned bit_size)
{
   switch (bit_size) {
   case 1: return GLSL_TYPE_BOOL;
   case 8: return GLSL_TYPE_UINT8;
   case 16: return GLSL_TYPE_UINT16;
   case 32: return GLSL_TYPE_UINT;
   default: return GLSL_TYPE_UINT64;
   }
}

/* A register of Mesa's: a variable here. */
static void
parse_reg_decl(struct nir_parser *p, nir_function_impl *impl)
{
   unsigned n, bits;
   uint64_t number = 0, elements = 0;
   if (!nir_parse_vec_and_bits(p, &n, &bits))
      return;
   if (!nir_parse_numbered(p, "r", &number)) {
      nir_parse_fail(p, "expected a register");
      return;
   }
   if (number >= NIR_PARSE_MAX_REGISTERS) {
      nir_parse_fail(p, "more than %u registers", NIR_PARSE_MAX_REGISTERS);
      return;
   }
   const struct glsl_type *type = glsl_vector_type(uint_of(bits), n);
   if (nir_parse_accept(p, "[")) {
      nir_parse_uint(p, &elements);
      if (elements == 0 || elements > 1000000)
         nir_parse_fail(p, "an array of 1 to 1000000 elements");
      type = glsl_array_type(type, (unsigned)elements, 0);
      nir_parse_expect(p, "]");
   }
   if (p->error)
      return;
   char name[32];
   snprintf(name, sizeof(name), "r%" PRIu64, number);
   hash_table_insert(&p->regs, number, nir_new_local(impl, type, name));
}

/* --- Control flow ------------------------------------------------------ */

static void parse_cf_list(struct nir_parser *p, bool top);

bool
nir_parse_condition(struct nir_parser *p, nir_use *src)
{
   if (nir_parse_src(p, src) && src->value->num_components == 1)
      return true;
   nir_parse_fail(p, "a condition is a scalar that was defined before");
   return false;
}

static void
parse_if(struct nir_parser *p)
{
   nir_use cond;
   if (!nir_parse_condition(p, &cond) || !nir_parse_expect(p, "{"))
      return;
   nir_if *nif = nir_push_if_use(&p->b, cond);
   parse_cf_list(p, false);
   nir_parse_expect(p, "}");
   nir_parse_expect(p, "else");
   nir_parse_expect(p, "{");
   nir_push_else(&p->b, nif);
   parse_cf_list(p, false);
   nir_parse_expect(p, "}");
   nir_pop_if(&p->b, nif);
}

static void
parse_loop(struct nir_parser *p)
{
   if (!nir_parse_expect(p, "{"))
      return;
   nir_loop *loop = nir_push_loop(&p->b);
   parse_cf_list(p, false);
   nir_parse_expect(p, "}");
   nir_pop_loop(&p->b, loop);
}

/* The blocks of the list are there already: labels name them in order. */
static void
parse_cf_list(struct nir_parser *p, bool top)
{
   bool labelled = false;
   if (p->depth++ > NIR_PARSE_MAX_DEPTH) {
      nir_parse_fail(p, "control flow nested too deep");
      return;
   }
   while (!p->error && !nir_parse_peek(p, "}")) {
      uint64_t n = 0;
      if (p->at == p->end) {
         nir_parse_fail(p, "expected '}'");
      } else if (nir_parse_accept(p, "block")) {
         if (!nir_parse_numbered(p, "block_", &n)) {
            nir_parse_fail(p, "expected block_N");
            break;
         }
         nir_parse_expect(p, ":");
         if (labelled && top) {
            /* The end block, which holds nothing. */
            hash_table_insert(&p->blocks, n, p->b.impl->end_block);
            break;
         }
         if (labelled)
            nir_parse_fail(p, "a block here already has a label");
         hash_table_insert(&p->blocks, n,
                           nir_cursor_current_block(p->b.cursor));
         labelled = true;
      } else if (nir_parse_accept(p, "if")) {
         parse_if(p);
         labelled = false;
      } else if (nir_parse_accept(p, "loop")) {
         parse_loop(p);
         labelled = false;
      } else {
         nir_parse_instr(p);
      }
   }
   p->depth--;
}

static void
parse_impl(struct nir_parser *p)
{
   char *name = nir_parse_ident(p);
   nir_function *func = NULL;
   if (!name || !nir_parse_expect(p, "{"))
      return;
   nir_foreach_function(f, p->shader) {
      if (f->name && strcmp(f->name, name) == 0)
         func = f;
   }
   if (!func || func->impl) {
      nir_parse_fail(p, "%s is %s", name,
                     func ? "implemented twice" : "not declared");
      return;
   }
   nir_function_impl *impl = nir_new_body(func);
   p->b = nir_builder_at(impl, nir_before_impl(impl));
   hash_table_clear(&p->defs);
   hash_table_clear(&p->regs);
   hash_table_clear(&p->blocks);
   while (!p->error) {
      if (nir_parse_accept(p, "decl_var"))
         nir_parse_var_decl(p, impl);
      else if (nir_parse_accept(p, "decl_reg"))
         parse_reg_decl(p, impl);
      else
         break;
   }
   p->depth = 0;
   if (nir_parse_has_goto(p))
      nir_parse_unstructured(p);
   else
      parse_cf_list(p, true);
   nir_parse_expect(p, "}");
   nir_parse_finish_phis(p);
}

/* --- The whole --------------------------------------------------------- */

static void
parse_function_decl(struct nir_parser *p)
{
   char *name = nir_parse_ident(p);
   uint64_t n = 0;
   nir_parse_expect(p, "(");
   nir_parse_uint(p, &n);
   if (!nir_parse_accept(p, "params"))
      nir_parse_expect(p, "param");
   nir_parse_expect(p, ")");
   if (p->error)
      return;
   nir_function *func = nir_new_function(p->shader, name);
   char *note = nir_parse_comment(p);
   if (n > 0) {
      if (n > 64 || !note) {
         nir_parse_fail(p, "the types of the parameters are not there");
         return;
      }
      func->num_params = (unsigned)n;
      func->params = arena_new_array(p->shader->arena, nir_parameter, n);
      const char *c = note;
      for (unsigned i = 0; i < n; i++) {
         unsigned comps = 0, bits = 0;
         int used = 0;
         if (sscanf(c, " vec%u %u%n", &comps, &bits, &used) != 2)
            nir_parse_fail(p, "a parameter is vecN and a bit size");
         if (p->error || !nir_parse_check_size(p, comps, bits))
            return;
         func->params[i].num_components = (uint8_t)comps;
         func->params[i].bit_size = (uint8_t)bits;
         c += used;
         c += *c == ',';
      }
      note = nir_parse_comment(p);
   }
   func->is_entrypoint = note && strstr(note, "entrypoint");
}

static gl_shader_stage
parse_stage(struct nir_parser *p)
{
   /* "NIR before handing off to driver:" and the like stand above. */
   if (nir_parse_peek(p, "NIR")) {
      while (p->at < p->end && *p->at != '\n')
         p->at++;
   }
   nir_parse_expect(p, "shader");
   nir_parse_expect(p, ":");
   char *name = nir_parse_ident(p);
   for (int i = 0; name && i <= MESA_SHADER_KERNEL; i++) {
      if (strcmp(gl_shader_stage_name((gl_shader_stage)i), name) == 0)
         return (gl_shader_stage)i;
   }
   nir_parse_fail(p, "unknown stage");
   return MESA_SHADER_NONE;
}

/* "key: rest of the line" until a declaration comes. */
static void
parse_header(struct nir_parser *p)
{
   while (!p->error) {
      nir_parse_skip(p);
      const char *start = p->at;
      if (p->at == p->end || nir_parse_peek(p, "impl") ||
          (p->end - p->at > 5 && memcmp(p->at, "decl_", 5) == 0))
         return;
      while (p->at < p->end && *p->at != ':' && *p->at != '\n')
         p->at++;
      if (p->at == p->end || *p->at != ':') {
         p->at = start;
         nir_parse_fail(p, "expected a declaration");
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
parse_declarations(struct nir_parser *p)
{
   for (;;) {
      nir_parse_skip(p);
      /* A dump may hold several shaders: the first one is read. */
      if (p->error || p->at == p->end || nir_parse_peek(p, "shader:") ||
          nir_parse_peek(p, "NIR") || nir_parse_peek(p, "Native code"))
         return;
      if (nir_parse_accept(p, "decl_var"))
         nir_parse_var_decl(p, NULL);
      else if (nir_parse_accept(p, "decl_struct"))
         nir_parse_struct_decl(p, false);
      else if (nir_parse_accept(p, "decl_interface"))
         nir_parse_struct_decl(p, true);
      else if (nir_parse_accept(p, "decl_function"))
         parse_function_decl(p);
      else if (nir_parse_accept(p, "impl"))
         parse_impl(p);
      else
         nir_parse_fail(p, "expected a declaration");
   }
}

static void
choose_entrypoint(struct nir_parser *p)
{
   nir_function *best = NULL;
   unsigned marked = 0;
   nir_foreach_function(f, p->shader) {
      marked += f->is_entrypoint;
      if (f->is_entrypoint && !f->impl)
         nir_parse_fail(p, "the entry point is not implemented");
      if (f->impl && f->name && strcmp(f->name, "main") == 0)
         best = f;
   }
   if (marked > 1)
      nir_parse_fail(p, "more than one entry point");
   if (marked)
      return;
   nir_foreach_function(f, p->shader) {
      if (!best && f->impl)
         best = f;
   }
   if (best)
      best->is_entrypoint = true;
   else
      nir_parse_fail(p, "no function is implemented");
}

nir_shader *
nir_parse_shader(struct arena *parent, const char *text, size_t size_B,
                 const nir_shader_compiler_options *options, char **error)
{
   struct nir_parser parser = {
      .text = text,
      .end = text + size_B,
      .at = text,
      .parent = parent,
      .tmp = arena_create(NULL),
   };
   struct nir_parser *p = &parser;
   hash_table_init(&p->types);
   hash_table_init(&p->vars);
   hash_table_init(&p->defs);
   hash_table_init(&p->regs);
   hash_table_init(&p->blocks);

   const gl_shader_stage stage = parse_stage(p);
   if (!p->error) {
      p->shader = nir_new_shader(parent, stage, options);
      nir_parse_init_types(p);
      parse_header(p);
      parse_declarations(p);
   }
   if (!p->error)
      choose_entrypoint(p);
   if (!p->error) {
      const char *faults = nir_validate_shader_text(p->shader, p->tmp);
      if (faults)
         nir_parse_fail(p, "the shader breaks a rule: %s", faults);
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
