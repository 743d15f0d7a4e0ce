/* SPDX-License-Identifier: MIT */
/*
 * Fills shader_info from the code: slots read and written, system values,
 * discards. Works on derefs and on lowered I/O alike.
 */
#include "nir.h"

#include "nir_private.h"

static void
set_bits(uint64_t *set, uint64_t *patch, unsigned location, unsigned slots)
{
   for (unsigned i = location; i < location + slots; i++) {
      if (i < 64)
         *set |= BITFIELD64_BIT(i);
      else if (i < VARYING_SLOT_TESS_MAX)
         *patch |= BITFIELD64_BIT(i - VARYING_SLOT_PATCH0);
   }
}

static void
gather_deref(nir_shader *shader, nir_deref_instr *deref, bool is_store)
{
   const nir_variable *var = nir_deref_root(deref);
   if (!var || var->data.location < 0)
      return;
   struct shader_info *info = &shader->info;
   if (var->data.mode == nir_var_system_value) {
      if (var->data.location < SYSTEM_VALUE_MAX)
         BITSET_SET(info->system_values_read, (unsigned)var->data.location);
      return;
   }
   const struct glsl_type *type = var->type;
   if (nir_is_arrayed_io(var, info->stage))
      type = glsl_get_array_element(type);
   const bool vs_in = var->data.mode == nir_var_shader_in &&
                      info->stage == MESA_SHADER_VERTEX;
   const unsigned slots =
      var->data.compact
         ? DIV_ROUND_UP(glsl_get_length(type) + var->data.location_frac, 4)
         : glsl_count_attribute_slots(type, vs_in);
   const unsigned loc = (unsigned)var->data.location;
   if (var->data.mode == nir_var_shader_in) {
      set_bits(&info->inputs_read, &info->patch_inputs_read, loc, slots);
      if (vs_in && glsl_type_is_dual_slot(glsl_without_array(type)))
         set_bits(&info->dual_slot_inputs, &info->patch_inputs_read, loc,
                  slots);
   } else if (var->data.mode == nir_var_shader_out && is_store) {
      set_bits(&info->outputs_written, &info->patch_outputs_written, loc,
               slots);
   } else if (var->data.mode == nir_var_shader_out) {
      set_bits(&info->outputs_read, &info->patch_outputs_read, loc, slots);
   }
}

static void
gather_io(struct shader_info *info, nir_intrinsic_instr *intr)
{
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   const unsigned slots = MAX2(sem.num_slots, 1u);
   switch (intr->intrinsic) {
   case nir_intrinsic_store_output:
   case nir_intrinsic_store_per_vertex_output:
      set_bits(&info->outputs_written, &info->patch_outputs_written,
               sem.location, slots);
      if (info->stage == MESA_SHADER_FRAGMENT && sem.dual_source_blend_index)
         info->fs.color_is_dual_source = true;
      break;
   case nir_intrinsic_load_output:
   case nir_intrinsic_load_per_vertex_output:
      set_bits(&info->outputs_read, &info->patch_outputs_read, sem.location,
               slots);
      break;
   default:
      set_bits(&info->inputs_read, &info->patch_inputs_read, sem.location,
               slots);
      break;
   }
}

static int
sysval_of(nir_intrinsic_op op)
{
   switch (op) {
#define SYSVAL(lower, upper)                                                 \
   case nir_intrinsic_load_##lower: return SYSTEM_VALUE_##upper;
      SYSVAL(vertex_id, VERTEX_ID)
      SYSVAL(vertex_id_zero_base, VERTEX_ID_ZERO_BASE)
      SYSVAL(first_vertex, FIRST_VERTEX)
      SYSVAL(is_indexed_draw, IS_INDEXED_DRAW)
      SYSVAL(base_vertex, BASE_VERTEX)
      SYSVAL(base_instance, BASE_INSTANCE)
      SYSVAL(instance_id, INSTANCE_ID)
      SYSVAL(instance_index, INSTANCE_INDEX)
      SYSVAL(draw_id, DRAW_ID)
      SYSVAL(frag_coord, FRAG_COORD)
      SYSVAL(point_coord, POINT_COORD)
      SYSVAL(front_face, FRONT_FACE)
      SYSVAL(sample_id, SAMPLE_ID)
      SYSVAL(sample_pos, SAMPLE_POS)
      SYSVAL(sample_mask_in, SAMPLE_MASK_IN)
      SYSVAL(layer_id, LAYER_ID)
      SYSVAL(helper_invocation, HELPER_INVOCATION)
      SYSVAL(primitive_id, PRIMITIVE_ID)
      SYSVAL(invocation_id, INVOCATION_ID)
      SYSVAL(tess_coord, TESS_COORD)
      SYSVAL(patch_vertices_in, VERTICES_IN)
      SYSVAL(local_invocation_id, LOCAL_INVOCATION_ID)
      SYSVAL(local_invocation_index, LOCAL_INVOCATION_INDEX)
      SYSVAL(workgroup_id, WORKGROUP_ID)
      SYSVAL(num_workgroups, NUM_WORKGROUPS)
      SYSVAL(workgroup_size, WORKGROUP_SIZE)
      SYSVAL(barycentric_sample, BARYCENTRIC_PERSP_SAMPLE)
#undef SYSVAL
   default: return -1;
   }
}

static void
gather_intrinsic(nir_shader *shader, nir_intrinsic_instr *intr)
{
   struct shader_info *info = &shader->info;
   switch (intr->intrinsic) {
   case nir_intrinsic_load_deref:
   case nir_intrinsic_interp_deref_at_centroid:
   case nir_intrinsic_interp_deref_at_sample:
   case nir_intrinsic_interp_deref_at_offset:
      gather_deref(shader, nir_use_as_deref(intr->src[0]), false);
      return;
   case nir_intrinsic_store_deref:
      gather_deref(shader, nir_use_as_deref(intr->src[0]), true);
      break;
   case nir_intrinsic_copy_deref:
      gather_deref(shader, nir_use_as_deref(intr->src[0]), true);
      gather_deref(shader, nir_use_as_deref(intr->src[1]), false);
      break;
   case nir_intrinsic_demote:
   case nir_intrinsic_demote_if: info->fs.uses_demote = true; FALLTHROUGH;
   case nir_intrinsic_discard:
   case nir_intrinsic_discard_if:
   case nir_intrinsic_terminate:
   case nir_intrinsic_terminate_if: info->fs.uses_discard = true; return;
   case nir_intrinsic_control_barrier:
      info->uses_control_barrier = true;
      return;
   case nir_intrinsic_load_sample_id:
   case nir_intrinsic_load_sample_pos:
   case nir_intrinsic_load_barycentric_sample:
      info->fs.uses_sample_shading = true;
      break;
   case nir_intrinsic_end_primitive:
   case nir_intrinsic_end_primitive_with_counter:
      info->gs.uses_end_primitive = true;
      FALLTHROUGH;
   case nir_intrinsic_emit_vertex:
   case nir_intrinsic_emit_vertex_with_counter:
      info->gs.active_stream_mask |=
         (uint8_t)(1u << nir_intrinsic_stream_id(intr));
      return;
   default: break;
   }
   const int sysval = sysval_of(intr->intrinsic);
   if (sysval >= 0)
      BITSET_SET(info->system_values_read, (unsigned)sysval);
   if (nir_intrinsic_has_io_semantics(intr))
      gather_io(info, intr);
   if (nir_intrinsic_writes_external_memory(intr))
      info->writes_memory = true;
}

void
nir_shader_gather_info(nir_shader *shader, nir_function_impl *entry)
{
   struct shader_info *info = &shader->info;
   info->inputs_read = info->outputs_read = info->outputs_written = 0;
   info->dual_slot_inputs = 0;
   info->patch_inputs_read = info->patch_outputs_read = 0;
   info->patch_outputs_written = 0;
   BITSET_ZERO(info->system_values_read);
   info->writes_memory = false;
   info->fs.uses_discard = info->fs.uses_demote = false;
   info->fs.uses_sample_shading = false;
   info->fs.needs_quad_helper_invocations = false;

   nir_foreach_block(block, entry) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            gather_intrinsic(shader, nir_instr_as_intrinsic(instr));
         else if (instr->kind == nir_kind_tex) {
            nir_tex_instr *tex = nir_instr_as_tex(instr);
            info->uses_texture_gather |= tex->op == nir_texop_tg4;
            info->fs.needs_quad_helper_invocations |=
               nir_tex_needs_derivatives(tex);
         } else if (instr->kind == nir_kind_alu) {
            info->fs.needs_quad_helper_invocations |=
               nir_op_is_derivative(nir_instr_as_alu(instr)->op);
         }
      }
   }
   nir_foreach_shader_in_variable(var, shader)
      info->fs.uses_sample_qualifier |= var->data.sample;
   info->fs.uses_sample_shading |= info->fs.uses_sample_qualifier;
}
