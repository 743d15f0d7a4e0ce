/* SPDX-License-Identifier: MIT */
/*
 * Inputs and outputs by way of temporaries: inputs are copied at the start,
 * outputs at the end (and before each vertex that a geometry shader emits).
 * Then outputs may be read back, written in parts and indexed at will, since
 * all that is lowered for temporaries.
 *
 * Inputs that are interpolated at a place of the shader's choosing stay as
 * they are; so do tessellation control outputs, which other invocations see.
 */
#include "nir.h"
#include "nir_builder.h"
#include "nir_private.h"
#include "util/hash_table.h"

struct state {
   nir_shader *shader;
   nir_function_impl *impl;
   struct hash_table temps; /* nir_variable -> its temporary */
   nir_variable_mode mode;
};

static bool
is_interpolated_at(nir_function_impl *impl, const nir_variable *var)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         const nir_intrinsic_instr *intr;
         if (instr->kind != nir_kind_intrinsic)
            continue;
         intr = nir_instr_as_intrinsic(instr);
         if ((intr->intrinsic == nir_intrinsic_interp_deref_at_centroid ||
              intr->intrinsic == nir_intrinsic_interp_deref_at_sample ||
              intr->intrinsic == nir_intrinsic_interp_deref_at_offset) &&
             nir_deref_root(nir_use_as_deref(intr->src[0])) == var)
            return true;
      }
   }
   return false;
}

static bool
make_temps(struct state *s)
{
   bool any = false;

   nir_foreach_variable_with_modes(var, s->shader, s->mode) {
      nir_variable *temp;
      if (nir_is_arrayed_io(var, s->shader->info.stage) ||
          var->data.fb_fetch_output ||
          (s->mode == nir_var_shader_in && is_interpolated_at(s->impl, var)))
         continue;
      temp = nir_new_local(s->impl, glsl_get_bare_type(var->type), NULL);
      hash_table_insert(&s->temps, hash_key_ptr(var), temp);
      any = true;
   }
   return any;
}

static void
redirect_derefs(struct state *s)
{
   nir_foreach_block(block, s->impl) {
      nir_foreach_instr(instr, block) {
         nir_deref_instr *d;
         nir_variable *temp;
         if (instr->kind != nir_kind_deref)
            continue;
         d = nir_instr_as_deref(instr);
         if (d->deref_type != nir_deref_type_var)
            continue;
         temp = hash_table_get(&s->temps, hash_key_ptr(d->var));
         if (temp) {
            d->var = temp;
            d->type = temp->type;
         }
      }
   }
   nir_fixup_deref_modes(s->shader);
}

static void
emit_copies(struct state *s, nir_cursor cursor)
{
   nir_builder b = nir_builder_at(s->impl, cursor);

   nir_foreach_variable_with_modes(var, s->shader, s->mode) {
      nir_variable *temp = hash_table_get(&s->temps, hash_key_ptr(var));
      if (!temp)
         continue;
      if (s->mode == nir_var_shader_in)
         nir_copy_var(&b, temp, var);
      else
         nir_copy_var(&b, var, temp);
   }
}

static void
copy_outputs(struct state *s)
{
   if (s->shader->info.stage != MESA_SHADER_GEOMETRY) {
      /* Returns are lowered: the end is reached by one way. */
      emit_copies(s,
                  nir_after_block_before_jump(nir_impl_last_block(s->impl)));
      return;
   }
   nir_foreach_block(block, s->impl) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->kind == nir_kind_intrinsic &&
             nir_instr_as_intrinsic(instr)->intrinsic ==
                nir_intrinsic_emit_vertex)
            emit_copies(s, nir_before_instr(instr));
      }
   }
}

static bool
lower_mode(nir_shader *shader, nir_function_impl *impl,
           nir_variable_mode mode)
{
   struct state s = { .shader = shader, .impl = impl, .mode = mode };

   hash_table_init(&s.temps);
   const bool any = make_temps(&s);
   if (any) {
      redirect_derefs(&s);
      if (mode == nir_var_shader_in)
         emit_copies(&s, nir_before_cf_list(&impl->body));
      else
         copy_outputs(&s);
   }
   hash_table_finish(&s.temps);
   return any;
}

/* Leaves copy_derefs: nir_split_var_copies and nir_lower_var_copies next. */
bool
nir_lower_io_to_temporaries(nir_shader *shader, nir_function_impl *entrypoint,
                            bool outputs, bool inputs)
{
   bool progress = false;

   if (inputs)
      progress |= lower_mode(shader, entrypoint, nir_var_shader_in);
   if (outputs && shader->info.stage != MESA_SHADER_TESS_CTRL)
      progress |= lower_mode(shader, entrypoint, nir_var_shader_out);
   nir_changed(entrypoint, progress, nir_metadata_control_flow);
   return progress;
}
