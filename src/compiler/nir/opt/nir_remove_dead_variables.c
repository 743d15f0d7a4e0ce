/* SPDX-License-Identifier: MIT */
/*
 * Variables nobody needs: those without a dereference, and those of modes
 * that nothing outside of the shader reads, if they are only stored to.
 */
#include "nir.h"
#include "nir_private.h"
#include "util/hash_table.h"

/* Unused dereferences, leaves first. */
bool
nir_remove_dead_derefs(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      bool here = false;
      nir_foreach_block_reverse(block, impl) {
         nir_foreach_instr_reverse_safe(instr, block) {
            if (instr->kind == nir_kind_deref &&
                nir_value_is_unused(&instr->result)) {
               nir_instr_remove(instr);
               here = true;
            }
         }
      }
      nir_changed(impl, here, nir_metadata_control_flow);
      progress |= here;
   }
   return progress;
}

/* Modes whose contents end with the shader. */
#define PRIVATE_MODES                                                        \
   (nir_var_function_temp | nir_var_shader_temp | nir_var_mem_shared)

/* Blocks of shared memory are views of it: others may see the same. */
static bool
is_private(const nir_variable *var)
{
   return (var->data.mode & PRIVATE_MODES) &&
          !(var->data.mode == nir_var_mem_shared && var->interface_type);
}

static bool
is_only_stored(const nir_deref_instr *deref)
{
   nir_foreach_instr_use(use, &deref->instr.result) {
      const nir_instr *instr = use->instr;
      if (instr->kind == nir_kind_deref) {
         if (&nir_instr_as_deref(instr)->parent != use ||
             !is_only_stored(nir_instr_as_deref(instr)))
            return false;
      } else if (instr->kind == nir_kind_intrinsic) {
         const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         if ((intr->intrinsic != nir_intrinsic_store_deref &&
              intr->intrinsic != nir_intrinsic_copy_deref) ||
             use != &intr->src[0])
            return false;
      } else {
         return false;
      }
   }
   return !nir_value_is_condition(&deref->instr.result);
}

static void
note_live(nir_function_impl *impl, nir_variable_mode modes,
          struct hash_table *live)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         const nir_deref_instr *d;
         if (instr->kind != nir_kind_deref)
            continue;
         d = nir_instr_as_deref(instr);
         if (d->deref_type != nir_deref_type_var ||
             !(d->var->data.mode & modes))
            continue;
         if (!is_private(d->var) || !is_only_stored(d))
            hash_table_insert(live, hash_key_ptr(d->var), d->var);
      }
   }
}

/* Stores to what is not in `live`. */
static bool
remove_stores(nir_function_impl *impl, nir_variable_mode modes,
              const struct hash_table *live)
{
   bool progress = false;

   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         const nir_intrinsic_instr *intr;
         nir_variable *var;
         if (instr->kind != nir_kind_intrinsic)
            continue;
         intr = nir_instr_as_intrinsic(instr);
         if (intr->intrinsic != nir_intrinsic_store_deref &&
             intr->intrinsic != nir_intrinsic_copy_deref)
            continue;
         var = nir_deref_root(nir_use_as_deref(intr->src[0]));
         if (var && (var->data.mode & modes) && is_private(var) &&
             !hash_table_has(live, hash_key_ptr(var))) {
            nir_instr_remove(instr);
            progress = true;
         }
      }
   }
   nir_changed(impl, progress, nir_metadata_control_flow);
   return progress;
}

static bool
remove_variables(struct list_head *list, nir_variable_mode modes,
                 const struct hash_table *live,
                 const nir_remove_dead_variables_options *o)
{
   bool progress = false;

   nir_foreach_variable_in_list_safe(var, list) {
      if (!(var->data.mode & modes) ||
          hash_table_has(live, hash_key_ptr(var)))
         continue;
      if (o && o->can_remove_var &&
          !o->can_remove_var(var, o->can_remove_var_data))
         continue;
      list_del(&var->node);
      progress = true;
   }
   return progress;
}

bool
nir_remove_dead_variables(nir_shader *shader, nir_variable_mode modes,
                          const nir_remove_dead_variables_options *options)
{
   struct hash_table live;
   bool progress = nir_remove_dead_derefs(shader);

   hash_table_init(&live);
   nir_foreach_impl(impl, shader)
      note_live(impl, modes, &live);
   nir_foreach_variable_in_shader(var, shader) {
      if (var->pointer_initializer)
         hash_table_insert(&live, hash_key_ptr(var->pointer_initializer),
                           var->pointer_initializer);
      /* What may not be removed keeps its stores as well. */
      if (options && options->can_remove_var &&
          !options->can_remove_var(var, options->can_remove_var_data))
         hash_table_insert(&live, hash_key_ptr(var), var);
   }
   nir_foreach_impl(impl, shader)
      progress |= remove_stores(impl, modes, &live);
   if (progress)
      nir_remove_dead_derefs(shader);
   nir_foreach_impl(impl, shader)
      progress |= remove_variables(&impl->locals, modes, &live, options);
   progress |= remove_variables(&shader->variables, modes, &live, options);
   hash_table_finish(&live);
   /* The derefs and stores have said what they changed. */
   nir_shader_preserve_all_metadata(shader);
   return progress;
}

/* --- Global to local ---------------------------------------------------- */

/* The function that uses the variable; NULL: more than one, or none. */
static nir_function_impl *
only_user(nir_shader *shader, const nir_variable *var)
{
   nir_function_impl *user = NULL;

   nir_foreach_impl(impl, shader) {
      nir_foreach_block(block, impl) {
         nir_foreach_instr(instr, block) {
            if (instr->kind != nir_kind_deref ||
                nir_instr_as_deref(instr)->deref_type != nir_deref_type_var ||
                nir_instr_as_deref(instr)->var != var)
               continue;
            if (user && user != impl)
               return NULL;
            user = impl;
         }
      }
   }
   return user;
}

bool
nir_fixup_deref_modes(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      nir_foreach_block(block, impl) {
         nir_foreach_instr(instr, block) {
            nir_deref_instr *d, *up;
            nir_variable_mode modes;
            if (instr->kind != nir_kind_deref)
               continue;
            d = nir_instr_as_deref(instr);
            if (d->deref_type == nir_deref_type_var) {
               modes = d->var->data.mode;
            } else {
               up = nir_deref_parent(d);
               if (!up || d->deref_type == nir_deref_type_cast)
                  continue;
               modes = up->modes;
            }
            progress |= d->modes != modes;
            d->modes = modes;
         }
      }
   }
   nir_shader_preserve_all_metadata(shader);
   return progress;
}

/* Global variables that only the entry point uses become its own. */
bool
nir_lower_global_vars_to_local(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_variable_with_modes_safe(var, shader, nir_var_shader_temp) {
      nir_function_impl *impl = only_user(shader, var);
      if (!impl || !impl->function->is_entrypoint)
         continue;
      list_del(&var->node);
      var->data.mode = nir_var_function_temp;
      nir_add_local(impl, var);
      progress = true;
   }
   if (progress)
      nir_fixup_deref_modes(shader);
   nir_shader_preserve_all_metadata(shader);
   return progress;
}
