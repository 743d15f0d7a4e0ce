/* SPDX-License-Identifier: MIT */
/*
 * What the stages of a pipeline have to know of each other.
 *
 * A stage finds the outputs of the one before it by the layout of a URB
 * entry, which follows from the set of varyings in it. Each stage keeps what
 * it writes and what its successor reads (that part is undefined then, but
 * arrays with holes stay arrays). TCS and TES share one patch layout, made
 * of what both write and read.
 */
#include "intel/compiler/intel_compiler_private.h"

/* Either stage may say it (Vulkan 1.3, 22.1 and 22.2); they agree. */
static void
merge_tess_info(nir_shader *tcs, nir_shader *tes)
{
   if (tes->info.tess._primitive_mode == TESS_PRIMITIVE_UNSPECIFIED)
      tes->info.tess._primitive_mode = tcs->info.tess._primitive_mode;
   tcs->info.tess._primitive_mode = tes->info.tess._primitive_mode;
   if (tes->info.tess.spacing == TESS_SPACING_UNSPECIFIED)
      tes->info.tess.spacing = tcs->info.tess.spacing;
   tcs->info.tess.spacing = tes->info.tess.spacing;
   if (!tcs->info.tess.tcs_vertices_out)
      tcs->info.tess.tcs_vertices_out = tes->info.tess.tcs_vertices_out;
   tes->info.tess.tcs_vertices_out = tcs->info.tess.tcs_vertices_out;
   tes->info.tess.ccw |= tcs->info.tess.ccw;
   tes->info.tess.point_mode |= tcs->info.tess.point_mode;
}

/* ---- per-vertex varyings between TCS and TES ---- */

static bool
is_tess_varying(const nir_shader *nir, const nir_variable *var)
{
   return !var->data.patch &&
          var->data.mode == (nir->info.stage == MESA_SHADER_TESS_CTRL
                                ? nir_var_shader_out
                                : nir_var_shader_in) &&
          var->data.location >= VARYING_SLOT_VAR0;
}

static unsigned
tess_location(const nir_variable *var)
{
   return var->data.location >= VARYING_SLOT_FAR_VAR32
             ? (unsigned)var->data.location - VARYING_SLOT_FAR_VAR32 +
                  MAX_VARYING
             : (unsigned)var->data.location - VARYING_SLOT_VAR0;
}

static uint64_t
used_locations(nir_shader *nir, bool *far)
{
   uint64_t used = 0;

   nir_foreach_variable_with_modes(var, nir,
                                   nir_var_shader_in | nir_var_shader_out) {
      if (!is_tess_varying(nir, var))
         continue;
      const struct glsl_type *type = var->type;
      if (nir_is_arrayed_io(var, nir->info.stage))
         type = glsl_get_array_element(type);
      *far |= var->data.location >= VARYING_SLOT_FAR_VAR32;
      used |= BITFIELD64_MASK(glsl_count_attribute_slots(type, false))
              << tess_location(var);
   }
   return used;
}

static void
renumber(nir_shader *nir, uint64_t used)
{
   nir_foreach_variable_with_modes(var, nir,
                                   nir_var_shader_in | nir_var_shader_out) {
      if (is_tess_varying(nir, var))
         var->data.location = VARYING_SLOT_VAR0 +
                              (int)__builtin_popcountll(
                                 used & BITFIELD64_MASK(tess_location(var)));
   }
}

bool
intel_compact_tess_varyings(nir_shader *tcs, nir_shader *tes)
{
   bool far = false;
   uint64_t used = 0;

   if (tcs)
      used |= used_locations(tcs, &far);
   if (tes)
      used |= used_locations(tes, &far);
   if (!far)
      return true;
   if (__builtin_popcountll(used) > MAX_VARYING)
      return false;
   if (tcs)
      renumber(tcs, used);
   if (tes)
      renumber(tes, used);
   return true;
}

/* ---- point size ---- */

/* The store of an instruction to the variable, or NULL. */
static nir_intrinsic_instr *
store_to(nir_instr *instr, const nir_variable *var)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return NULL;
   if (intr->intrinsic != nir_intrinsic_store_deref ||
       nir_deref_root(nir_use_as_deref(intr->src[0])) != var)
      return NULL;
   return intr;
}

static bool
is_always_one(nir_function_impl *impl, const nir_variable *var)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         const nir_intrinsic_instr *store = store_to(instr, var);
         if (store && (!nir_use_is_const(store->src[1]) ||
                       nir_use_as_uint(store->src[1]) != 0x3f800000))
            return false;
      }
   }
   return true;
}

bool
intel_drop_point_size(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_variable *size =
      nir_variable_at(nir, nir_var_shader_out, VARYING_SLOT_PSIZ);

   if (!size || size->data.explicit_xfb_buffer || !is_always_one(impl, size))
      return false;
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         if (store_to(instr, size))
            nir_instr_remove(instr);
      }
   }
   nir_metadata_preserve(impl, nir_metadata_control_flow);
   nir_remove_dead_derefs(nir);
   list_del(&size->node);
   return true;
}

static uint64_t
inputs_of_next(nir_shader *const stages[MESA_SHADER_STAGES], unsigned stage)
{
   for (unsigned i = stage + 1; i <= MESA_SHADER_GEOMETRY; i++) {
      if (stages[i])
         return stages[i]->info.inputs_read;
   }
   return 0;
}

void
intel_link_nir(const struct intel_compiler *compiler,
               nir_shader *const stages[MESA_SHADER_STAGES],
               struct intel_linkage *link)
{
   nir_shader *tcs = stages[MESA_SHADER_TESS_CTRL];
   nir_shader *tes = stages[MESA_SHADER_TESS_EVAL];

   (void)compiler;
   memset(link, 0, sizeof(*link));
   for (unsigned i = 0; i < MESA_SHADER_STAGES; i++) {
      if (stages[i])
         nir_shader_gather_info(stages[i], nir_entry_point(stages[i]));
   }
   for (unsigned i = 0; i < MESA_SHADER_FRAGMENT; i++) {
      if (!stages[i] || i == MESA_SHADER_TESS_CTRL)
         continue;
      /* Also what is written now: a store that is optimised away later does
       * not move the others. */
      link->extra_slots_valid[i] = stages[i]->info.outputs_written |
                                   inputs_of_next(stages, i);
      intel_compute_vue_map(&link->vue_map[i], link->extra_slots_valid[i]);
   }
   if (tcs && tes) {
      merge_tess_info(tcs, tes);
      intel_compute_patch_map(
         &link->patch_map,
         tcs->info.outputs_written | tcs->info.outputs_read |
            tes->info.inputs_read,
         tcs->info.patch_outputs_written | tcs->info.patch_outputs_read |
            tes->info.patch_inputs_read);
   }
}
