/* SPDX-License-Identifier: MIT */
/*
 * Loads of system-value variables become intrinsics. What hardware has no
 * register for is derived: the Vulkan vertex index, the instance index, ids
 * of compute invocations. So are the intrinsics of these, which front ends
 * without such variables write.
 */
#include "nir.h"
#include "nir_builder.h"

static const struct {
   gl_system_value value;
   nir_intrinsic_op op;
   uint8_t components;
} plain[] = {
   { SYSTEM_VALUE_VERTEX_ID_ZERO_BASE, nir_intrinsic_load_vertex_id_zero_base,
     1 },
   { SYSTEM_VALUE_FIRST_VERTEX, nir_intrinsic_load_first_vertex, 1 },
   { SYSTEM_VALUE_BASE_VERTEX, nir_intrinsic_load_base_vertex, 1 },
   { SYSTEM_VALUE_IS_INDEXED_DRAW, nir_intrinsic_load_is_indexed_draw, 1 },
   { SYSTEM_VALUE_INSTANCE_ID, nir_intrinsic_load_instance_id, 1 },
   { SYSTEM_VALUE_BASE_INSTANCE, nir_intrinsic_load_base_instance, 1 },
   { SYSTEM_VALUE_DRAW_ID, nir_intrinsic_load_draw_id, 1 },
   { SYSTEM_VALUE_INVOCATION_ID, nir_intrinsic_load_invocation_id, 1 },
   { SYSTEM_VALUE_PRIMITIVE_ID, nir_intrinsic_load_primitive_id, 1 },
   { SYSTEM_VALUE_FRAG_COORD, nir_intrinsic_load_frag_coord, 4 },
   { SYSTEM_VALUE_POINT_COORD, nir_intrinsic_load_point_coord, 2 },
   { SYSTEM_VALUE_LINE_COORD, nir_intrinsic_load_line_coord, 1 },
   { SYSTEM_VALUE_FRONT_FACE, nir_intrinsic_load_front_face, 1 },
   { SYSTEM_VALUE_SAMPLE_ID, nir_intrinsic_load_sample_id, 1 },
   { SYSTEM_VALUE_SAMPLE_POS, nir_intrinsic_load_sample_pos, 2 },
   { SYSTEM_VALUE_SAMPLE_MASK_IN, nir_intrinsic_load_sample_mask_in, 1 },
   { SYSTEM_VALUE_LAYER_ID, nir_intrinsic_load_layer_id, 1 },
   { SYSTEM_VALUE_VIEW_INDEX, nir_intrinsic_load_view_index, 1 },
   { SYSTEM_VALUE_DEVICE_INDEX, nir_intrinsic_load_device_index, 1 },
   { SYSTEM_VALUE_HELPER_INVOCATION, nir_intrinsic_load_helper_invocation,
     1 },
   { SYSTEM_VALUE_TESS_COORD, nir_intrinsic_load_tess_coord, 3 },
   { SYSTEM_VALUE_TESS_LEVEL_OUTER, nir_intrinsic_load_tess_level_outer, 4 },
   { SYSTEM_VALUE_TESS_LEVEL_INNER, nir_intrinsic_load_tess_level_inner, 2 },
   { SYSTEM_VALUE_VERTICES_IN, nir_intrinsic_load_patch_vertices_in, 1 },
   { SYSTEM_VALUE_NUM_WORKGROUPS, nir_intrinsic_load_num_workgroups, 3 },
   { SYSTEM_VALUE_WORKGROUP_ID, nir_intrinsic_load_workgroup_id, 3 },
   { SYSTEM_VALUE_LOCAL_INVOCATION_ID, nir_intrinsic_load_local_invocation_id,
     3 },
   { SYSTEM_VALUE_LOCAL_INVOCATION_INDEX,
     nir_intrinsic_load_local_invocation_index, 1 },
   { SYSTEM_VALUE_SUBGROUP_SIZE, nir_intrinsic_load_subgroup_size, 1 },
   { SYSTEM_VALUE_SUBGROUP_INVOCATION, nir_intrinsic_load_subgroup_invocation,
     1 },
   { SYSTEM_VALUE_SUBGROUP_ID, nir_intrinsic_load_subgroup_id, 1 },
   { SYSTEM_VALUE_NUM_SUBGROUPS, nir_intrinsic_load_num_subgroups, 1 },
   { SYSTEM_VALUE_SUBGROUP_EQ_MASK, nir_intrinsic_load_subgroup_eq_mask, 4 },
   { SYSTEM_VALUE_SUBGROUP_GE_MASK, nir_intrinsic_load_subgroup_ge_mask, 4 },
   { SYSTEM_VALUE_SUBGROUP_GT_MASK, nir_intrinsic_load_subgroup_gt_mask, 4 },
   { SYSTEM_VALUE_SUBGROUP_LE_MASK, nir_intrinsic_load_subgroup_le_mask, 4 },
   { SYSTEM_VALUE_SUBGROUP_LT_MASK, nir_intrinsic_load_subgroup_lt_mask, 4 },
   { SYSTEM_VALUE_COLOR0, nir_intrinsic_load_color0, 4 },
   { SYSTEM_VALUE_COLOR1, nir_intrinsic_load_color1, 4 },
};

static nir_value *
load(nir_builder *b, nir_intrinsic_op op, unsigned comps, unsigned bits)
{
   return nir_load_system_value(b, op, 0, comps, bits);
}

static nir_value *
workgroup_size(nir_builder *b)
{
   const uint16_t *size = b->shader->info.workgroup_size;

   if (b->shader->info.workgroup_size_variable)
      return load(b, nir_intrinsic_load_workgroup_size, 3, 32);
   return nir_imm_ivec3(b, size[0], size[1], size[2]);
}

static nir_value *
global_invocation_id(nir_builder *b)
{
   nir_value *group = load(b, nir_intrinsic_load_workgroup_id, 3, 32);
   nir_value *local = load(b, nir_intrinsic_load_local_invocation_id, 3, 32);

   return nir_iadd(b, nir_imul(b, group, workgroup_size(b)), local);
}

/* NULL for what has an intrinsic of its own. */
static nir_value *
derived(nir_builder *b, gl_system_value value)
{
   const nir_shader_compiler_options *o = b->shader->options;

   switch (value) {
   case SYSTEM_VALUE_VERTEX_ID:
      if (!o->vertex_id_zero_based)
         return load(b, nir_intrinsic_load_vertex_id, 1, 32);
      return nir_iadd(b,
                      load(b, nir_intrinsic_load_vertex_id_zero_base, 1, 32),
                      load(b, nir_intrinsic_load_first_vertex, 1, 32));
   case SYSTEM_VALUE_INSTANCE_INDEX: {
      nir_value *id = load(b, nir_intrinsic_load_instance_id, 1, 32);
      return nir_iadd(b, id,
                      load(b, nir_intrinsic_load_base_instance, 1, 32));
   }
   case SYSTEM_VALUE_WORKGROUP_SIZE: return workgroup_size(b);
   case SYSTEM_VALUE_GLOBAL_INVOCATION_ID: return global_invocation_id(b);
   default: return NULL;
   }
}

static nir_value *
load_value(nir_builder *b, const nir_variable *var,
           enum gl_access_qualifier access)
{
   const gl_system_value value = (gl_system_value)var->data.location;
   nir_value *def = derived(b, value);

   /* A demotion changes what volatile loads see of it, and only them
    * (SPIR-V 3.21, HelperInvocation). */
   if (value == SYSTEM_VALUE_HELPER_INVOCATION && access & ACCESS_VOLATILE)
      return nir_is_helper_invocation(b, 1);

   for (unsigned i = 0; !def && i < ARRAY_SIZE(plain); i++) {
      if (plain[i].value != value)
         continue;
      def = load(b, plain[i].op, plain[i].components,
                 value == SYSTEM_VALUE_FRONT_FACE ||
                       value == SYSTEM_VALUE_HELPER_INVOCATION
                    ? 1
                    : 32);
   }
   return def;
}

static bool
lower_load(nir_builder *b, nir_intrinsic_instr *intr)
{
   nir_deref_instr *deref, *d;
   nir_value *def;
   nir_variable *var;

   if (intr->intrinsic != nir_intrinsic_load_deref)
      return false;
   deref = nir_use_as_deref(intr->src[0]);
   if (!nir_deref_mode_is(deref, nir_var_system_value))
      return false;
   var = nir_deref_root(deref);
   b->cursor = nir_before_instr(&intr->instr);
   def = var ? load_value(b, var, nir_intrinsic_access(intr)) : NULL;
   if (!def)
      return false;
   /* An element of an array of one, or a component. */
   for (d = deref; d->deref_type == nir_deref_type_array;
        d = nir_deref_parent(d)) {
      if (def->num_components > 1 && intr->num_components == 1)
         def = nir_vector_extract(b, def, nir_use_value(b, d->index, 1));
   }
   if (def->bit_size != intr->instr.result.bit_size)
      def = nir_u2uN(b, def, intr->instr.result.bit_size);
   def = nir_trim_vector(b, def, intr->num_components);
   nir_instr_replace(&intr->instr, def);
   nir_deref_remove_unused(deref);
   return true;
}

/* NULL for what stays an intrinsic. */
static nir_value *
derived_intrinsic(nir_builder *b, nir_intrinsic_op op)
{
   switch (op) {
   case nir_intrinsic_load_instance_index:
      return derived(b, SYSTEM_VALUE_INSTANCE_INDEX);
   case nir_intrinsic_load_workgroup_size:
      return b->shader->info.workgroup_size_variable
                ? NULL
                : derived(b, SYSTEM_VALUE_WORKGROUP_SIZE);
   case nir_intrinsic_load_global_invocation_id:
      return derived(b, SYSTEM_VALUE_GLOBAL_INVOCATION_ID);
   default: return NULL;
   }
}

static bool
lower_intrinsic(nir_builder *b, nir_intrinsic_instr *intr)
{
   nir_value *def;

   b->cursor = nir_before_instr(&intr->instr);
   def = derived_intrinsic(b, intr->intrinsic);
   if (!def)
      return false;
   if (def->bit_size != intr->instr.result.bit_size)
      def = nir_u2uN(b, def, intr->instr.result.bit_size);
   nir_instr_replace(&intr->instr, def);
   return true;
}

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->kind != nir_kind_intrinsic)
      return false;
   return lower_load(b, nir_instr_as_intrinsic(instr)) ||
          lower_intrinsic(b, nir_instr_as_intrinsic(instr));
}

bool
nir_lower_system_values(nir_shader *shader)
{
   return nir_visit_instrs(shader, lower_instr, nir_metadata_control_flow,
                           NULL);
}
