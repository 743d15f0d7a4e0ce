/* SPDX-License-Identifier: MIT */
/*
 * Checks that a shader keeps the rules of the IR. All faults are collected,
 * each with the instruction it was found at, then reported together.
 */
#include "nir_validate_private.h"

#include "nir_private.h"

void
nir_validate_fault(struct nir_validate *v, const char *rule)
{
   strbuf_printf(&v->faults, "error: %s\n", rule);
   if (v->instr)
      strbuf_printf(&v->faults, "   in block_%u: %s\n",
                    v->block ? v->block->index : 0,
                    nir_instr_as_str(v->instr, v->arena));
   else if (v->var)
      strbuf_printf(&v->faults, "   in variable %s\n",
                    v->var->name ? v->var->name : "(unnamed)");
   else if (v->block)
      strbuf_printf(&v->faults, "   in block_%u\n", v->block->index);
}

static void
check_impl(struct nir_validate *v, nir_function_impl *impl)
{
   v->impl = impl;
   hash_table_init(&v->defs);
   hash_table_init(&v->srcs);
   hash_table_init(&v->blocks);
   hash_table_init(&v->regs);
   nir_foreach_function_temp_variable(var, impl) {
      v->var = var;
      CHECK(var->data.mode == nir_var_function_temp,
            "a local variable has mode function_temp");
      hash_table_insert(&v->vars, hash_key_ptr(var), var);
   }
   v->var = NULL;
   nir_foreach_register(reg, &impl->registers)
      hash_table_insert(&v->regs, hash_key_ptr(reg), reg);
   if (!(impl->valid_metadata & nir_metadata_block_index))
      nir_index_blocks(impl);

   const size_t before = v->faults.len;
   nir_validate_cf_list(v, &impl->body, &impl->cf_node);
   CHECK(list_is_empty(&impl->end_block->instr_list),
         "the end block is empty");
   nir_foreach_block(block, impl) {
      v->block = block;
      nir_validate_edges(v, block);
      nir_foreach_phi(phi, block) {
         v->instr = &phi->instr;
         nir_validate_phi_srcs(v, phi);
         v->instr = NULL;
      }
   }
   v->block = NULL;
   nir_validate_use_lists(v);
   /* Dominance means nothing when edges are wrong. */
   if (v->faults.len == before)
      nir_validate_dominance(v, impl);

   hash_table_finish(&v->defs);
   hash_table_finish(&v->srcs);
   hash_table_finish(&v->blocks);
   hash_table_finish(&v->regs);
}

char *
nir_validate_shader_text(nir_shader *shader, struct arena *arena)
{
   struct nir_validate state, *v = &state;
   memset(v, 0, sizeof(*v));
   v->shader = shader;
   v->arena = arena_create(NULL);
   hash_table_init(&v->vars);
   nir_foreach_variable_in_shader(var, shader) {
      v->var = var;
      CHECK(util_is_power_of_two_nonzero(var->data.mode) &&
               var->data.mode != nir_var_function_temp,
            "a shader variable has one mode, not function_temp");
      hash_table_insert(&v->vars, hash_key_ptr(var), var);
   }
   v->var = NULL;
   nir_foreach_function(func, shader) {
      if (func->impl) {
         CHECK(func->impl->function == func,
               "an implementation names its function");
         check_impl(v, func->impl);
      }
   }
   hash_table_finish(&v->vars);
   char *text = v->faults.len ? arena_strdup(arena, strbuf_str(&v->faults))
                              : NULL;
   strbuf_fini(&v->faults);
   arena_destroy(v->arena);
   return text;
}

void
nir_validate_shader(nir_shader *shader, const char *when)
{
   const unsigned flags = nir_debug_flags();
#ifdef NDEBUG
   if (!(flags & NIR_DEBUG_VALIDATE))
      return;
#endif
   if (flags & NIR_DEBUG_NOVALIDATE)
      return;
   struct arena *arena = arena_create(NULL);
   const char *faults = nir_validate_shader_text(shader, arena);
   if (faults) {
      fprintf(stderr, "NIR validation failed %s\n%s", when, faults);
      nir_print_shader(shader, stderr);
      abort();
   }
   arena_destroy(arena);
}
