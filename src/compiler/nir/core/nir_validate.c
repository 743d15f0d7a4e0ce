/* SPDX-License-Identifier: MIT */
/*
 * Checks that a shader keeps the rules of the IR. All faults are collected,
 * each with the instruction it was found at, then reported together.
 */
#include "nir_validate_private.h"

#include "nir_private.h"
#include "util/guard.h"

static bool
source_is_there(nir_use *src, void *state)
{
   return nir_validate_is_there(src);
}

static bool
is_printable_deref(const nir_deref_instr *d)
{
   if (!d->type)
      return false;
   if (d->deref_type == nir_deref_type_var)
      return d->var != NULL;
   if (d->deref_type == nir_deref_type_cast)
      return true;
   const nir_deref_instr *parent =
      nir_validate_is_there(&d->parent) ? nir_use_as_deref(d->parent) : NULL;
   return parent && is_printable_deref(parent) &&
          (d->deref_type != nir_deref_type_struct ||
           (glsl_type_is_struct_or_ifc(parent->type) &&
            d->member < glsl_get_length(parent->type)));
}

/* Whether the printer takes what the instruction is made of for granted
 * rightly. */
static bool
is_printable(nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_alu:
      if (nir_instr_as_alu(instr)->op >= nir_num_opcodes)
         return false;
      break;
   case nir_kind_intrinsic:
      if (nir_instr_as_intrinsic(instr)->intrinsic >= nir_num_intrinsics)
         return false;
      break;
   case nir_kind_load_const:
      if (!nir_validate_is_bit_size(instr->result.bit_size))
         return false;
      break;
   case nir_kind_deref:
      if (!is_printable_deref(nir_instr_as_deref(instr)))
         return false;
      break;
   case nir_kind_tex: {
      const nir_tex_instr *tex = nir_instr_as_tex(instr);
      for (unsigned i = 0; i < tex->instr.num_operands; i++) {
         if (tex->src[i].src_type >= nir_num_tex_operand_kinds)
            return false;
      }
      break;
   }
   default:
      if (instr->kind > nir_kind_phi)
         return false;
   }
   return nir_visit_uses(instr, source_is_there, NULL);
}

void
nir_validate_fault(struct nir_validate *v, const char *rule)
{
   strbuf_printf(&v->faults, "error: %s\n", rule);
   if (v->instr)
      strbuf_printf(&v->faults, "   in block_%u: %s\n",
                    v->block ? v->block->index : 0,
                    is_printable(v->instr)
                       ? nir_instr_as_str(v->instr, v->arena)
                       : "an instruction that cannot be printed");
   else if (v->var)
      strbuf_printf(&v->faults, "   in variable %s\n",
                    v->var->name ? v->var->name : "(unnamed)");
   else if (v->block)
      strbuf_printf(&v->faults, "   in block_%u\n", v->block->index);
}

/* What takes the tree of blocks, ifs and loops for whole. */
static void
check_blocks(struct nir_validate *v, nir_function_impl *impl)
{
   if (!(impl->valid_metadata & nir_metadata_block_index))
      nir_number_blocks(impl);
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
}

static void
check_impl(struct nir_validate *v, nir_function_impl *impl)
{
   v->impl = impl;
   hash_table_init(&v->defs);
   hash_table_init(&v->srcs);
   hash_table_init(&v->blocks);
   nir_foreach_function_temp_variable(var, impl) {
      v->var = var;
      CHECK(var->data.mode == nir_var_function_temp,
            "a local variable has mode function_temp");
      hash_table_insert(&v->vars, hash_key_ptr(var), var);
   }
   v->var = NULL;

   const size_t before = v->faults.len;
   v->bad_tree = false;
   nir_validate_cf_list(v, &impl->body, &impl->cf_node);
   CHECK(list_is_empty(&impl->end_block->instr_list),
         "the end block is empty");
   if (!v->bad_tree)
      check_blocks(v, impl);
   /* Dominance means nothing when edges are wrong. */
   if (v->faults.len == before)
      nir_validate_dominance(v, impl);

   nir_foreach_function_temp_variable(var, impl)
      hash_table_remove(&v->vars, hash_key_ptr(var));
   hash_table_finish(&v->defs);
   hash_table_finish(&v->srcs);
   hash_table_finish(&v->blocks);
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
      guard_internal_error("NIR validation failed %s", when);
   }
   arena_destroy(arena);
}
