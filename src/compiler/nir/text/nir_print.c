/* SPDX-License-Identifier: MIT */
/*
 * The text form of NIR, as Mesa 22.3 prints it, so that people and tools
 * read both alike. What that form leaves out and nir_parse.c needs stands in
 * braces after a declaration.
 */
#include "nir_print_private.h"

#include "nir_private.h"

void
nir_print_note(struct nir_printer *s, const void *obj)
{
   if (!s->annotations)
      return;
   const char *note = hash_table_get(s->annotations, hash_key_ptr(obj));
   if (note)
      P("%s\n\n", note);
}

/* --- Control flow ------------------------------------------------------ */

static void
print_location(struct nir_printer *s, const nir_instr *instr)
{
   const nir_location *l = nir_instr_location(s->shader, instr);

   if (l)
      P(" // %s:%u", l->file->name, l->line);
}

static void
print_block(struct nir_printer *s, nir_block *block, unsigned tabs)
{
   nir_print_indent(s, tabs);
   P("block block_%u:\n", block->index);
   nir_block **preds = nir_block_get_predecessors_sorted(block, s->arena);
   nir_print_indent(s, tabs);
   P("/* preds: ");
   for (unsigned i = 0; i < block->num_predecessors; i++)
      P("block_%u ", preds[i]->index);
   P("*/\n");
   nir_foreach_instr(instr, block) {
      nir_print_indent(s, tabs);
      nir_print_one_instr(s, instr);
      print_location(s, instr);
      P("\n");
      nir_print_note(s, instr);
   }
   nir_print_indent(s, tabs);
   P("/* succs: ");
   for (unsigned i = 0; i < 2; i++) {
      if (block->successors[i])
         P("block_%u ", block->successors[i]->index);
   }
   P("*/\n");
}

static void
print_cf_list(struct nir_printer *s, const struct list_head *list,
              unsigned tabs)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      switch (node->type) {
      case nir_cf_node_block:
         print_block(s, nir_cf_node_as_block(node), tabs);
         break;
      case nir_cf_node_if: {
         nir_if *nif = nir_cf_node_as_if(node);
         nir_print_indent(s, tabs);
         P("if ");
         nir_print_src(s, &nif->condition);
         P(" {\n");
         print_cf_list(s, &nif->then_list, tabs + 1);
         nir_print_indent(s, tabs);
         P("} else {\n");
         print_cf_list(s, &nif->else_list, tabs + 1);
         nir_print_indent(s, tabs);
         P("}\n");
         break;
      }
      case nir_cf_node_loop:
         nir_print_indent(s, tabs);
         P("loop {\n");
         print_cf_list(s, &nir_cf_node_as_loop(node)->body, tabs + 1);
         nir_print_indent(s, tabs);
         P("}\n");
         break;
      case nir_cf_node_function: unreachable("a function is in no list");
      }
   }
}

static void
print_impl(struct nir_printer *s, nir_function_impl *impl)
{
   nir_number_blocks(impl);
   P("\nimpl %s {\n", impl->function->name);
   nir_foreach_function_temp_variable(var, impl) {
      nir_print_indent(s, 1);
      nir_print_var_decl(s, var);
   }
   print_cf_list(s, &impl->body, 1);
   nir_print_indent(s, 1);
   P("block block_%u:\n}\n\n", impl->end_block->index);
}

static void
print_function(struct nir_printer *s, nir_function *func)
{
   P("decl_function %s (%u params)", func->name, func->num_params);
   if (func->num_params) {
      P(" /* ");
      for (unsigned i = 0; i < func->num_params; i++)
         P("%svec%u %u", i ? ", " : "", func->params[i].num_components,
           func->params[i].bit_size);
      P(" */");
   }
   if (func->is_entrypoint)
      P(" /* entrypoint */");
   P("\n");
   if (func->impl)
      print_impl(s, func->impl);
}

/* --- Shaders ----------------------------------------------------------- */

static void
state_init(struct nir_printer *s, struct strbuf *out, nir_shader *shader,
           struct hash_table *annotations)
{
   memset(s, 0, sizeof(*s));
   s->out = out;
   s->shader = shader;
   s->annotations = annotations;
   s->arena = arena_create(NULL);
   hash_table_init(&s->names);
   hash_table_init(&s->names_taken);
}

static void
state_finish(struct nir_printer *s)
{
   hash_table_finish(&s->names);
   hash_table_finish(&s->names_taken);
   arena_destroy(s->arena);
}

static void
print_info(struct nir_printer *s)
{
   const struct shader_info *info = &s->shader->info;
   P("shader: %s\n", gl_shader_stage_name(info->stage));
   if (info->name)
      P("name: %s\n", info->name);
   if (info->label)
      P("label: %s\n", info->label);
   if (info->stage == MESA_SHADER_COMPUTE)
      P("workgroup-size: %u, %u, %u%s\n", info->workgroup_size[0],
        info->workgroup_size[1], info->workgroup_size[2],
        info->workgroup_size_variable ? " (variable)" : "");
   P("inputs: %u\noutputs: %u\nuniforms: %u\nshared: %u\n",
     s->shader->num_inputs, s->shader->num_outputs, s->shader->num_uniforms,
     info->shared_size);
   if (s->shader->scratch_size)
      P("scratch: %u\n", s->shader->scratch_size);
}

static void
print_shader(struct strbuf *out, nir_shader *shader,
             struct hash_table *annotations)
{
   struct nir_printer state, *s = &state;
   state_init(s, out, shader, annotations);
   print_info(s);
   nir_print_type_decls(shader, out, s->arena);
   nir_foreach_variable_in_shader(var, shader)
      nir_print_var_decl(s, var);
   nir_foreach_function(func, shader)
      print_function(s, func);
   state_finish(s);
}

char *
nir_shader_as_str_annotated(nir_shader *shader,
                            struct hash_table *annotations,
                            struct arena *arena)
{
   struct strbuf buf = { 0 };
   print_shader(&buf, shader, annotations);
   char *text = arena_strdup(arena, strbuf_str(&buf));
   strbuf_fini(&buf);
   return text;
}

char *
nir_shader_as_str(nir_shader *shader, struct arena *arena)
{
   return nir_shader_as_str_annotated(shader, NULL, arena);
}

void
nir_print_shader(nir_shader *shader, FILE *fp)
{
   nir_print_shader_annotated(shader, fp, NULL);
}

void
nir_print_shader_annotated(nir_shader *shader, FILE *fp,
                           struct hash_table *annotations)
{
   struct strbuf buf = { 0 };
   print_shader(&buf, shader, annotations);
   fputs(strbuf_str(&buf), fp);
   strbuf_fini(&buf);
}

char *
nir_instr_as_str(const nir_instr *instr, struct arena *arena)
{
   struct strbuf buf = { 0 };
   struct nir_printer s;
   state_init(&s, &buf, NULL, NULL);
   nir_print_one_instr(&s, instr);
   state_finish(&s);
   char *text = arena_strdup(arena, strbuf_str(&buf));
   strbuf_fini(&buf);
   return text;
}
