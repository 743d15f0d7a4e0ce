/* SPDX-License-Identifier: MIT */
/*
 * Where values live. A linear scan gives the components of each value those
 * of a temporary (of a double two, xy or zw) for its interval
 * (d3d_intervals.h). Local arrays are x#.
 */
#include "tpf_emit.h"

#define MAX_TEMPS 4000

struct tpf_value *
tpf_emit_value(const struct tpf_emit *e, const nir_value *def, unsigned comp)
{
   def = tpf_emit_sharer(e, def, &comp);
   return &e->values[NIR_MAX_VEC_COMPONENTS *
                        nir_web_value(&e->webs, def)->index +
                     comp];
}

static void
touch(struct d3d_walk *w, const nir_value *def, unsigned comp)
{
   struct tpf_emit *e = w->data;
   unsigned at = comp;

   d3d_interval_touch(w, &tpf_emit_value(e, def, comp)->place.live,
                      nir_is_in_web(&e->webs, tpf_emit_sharer(e, def, &at)));
}

static bool
touch_src(nir_use *src, void *data)
{
   struct d3d_walk *w = data;
   nir_deref_instr *deref = nir_use_as_deref(*src);

   /* What chooses an element is read where the array is. */
   if (deref && deref->deref_type == nir_deref_type_array &&
       nir_deref_mode_is(deref, nir_var_function_temp))
      return touch_src(&deref->index, data);
   if (deref)
      return true;
   /* It is read where it is part of something. */
   if (((struct tpf_emit *)w->data)->folded[src->value->index]) {
      nir_alu_instr *part = nir_instr_as_alu(src->value->instr);
      for (unsigned i = 0; i < nir_op_infos[part->op].num_inputs; i++)
         touch_src(&part->src[i].use, data);
      return true;
   }
   for (unsigned c = 0; c < src->value->num_components; c++)
      touch(w, src->value, c);
   return true;
}

bool
tpf_emit_has_home(const nir_instr *instr)
{
   if (instr->kind == nir_kind_intrinsic) {
      const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      switch (intr->intrinsic) {
      case nir_intrinsic_load_input:
      case nir_intrinsic_load_interpolated_input:
      case nir_intrinsic_load_barycentric_pixel:
      case nir_intrinsic_load_barycentric_centroid:
      case nir_intrinsic_load_barycentric_sample:
      case nir_intrinsic_vulkan_resource_index:
      case nir_intrinsic_load_frag_coord:
      case nir_intrinsic_load_front_face:
      case nir_intrinsic_load_vertex_id:
      case nir_intrinsic_load_vertex_id_zero_base:
      case nir_intrinsic_load_instance_id:
      case nir_intrinsic_load_instance_index:
      case nir_intrinsic_load_sample_id:
      case nir_intrinsic_load_sample_mask_in:
      case nir_intrinsic_load_primitive_id:
      case nir_intrinsic_load_invocation_id:
      case nir_intrinsic_load_local_invocation_id:
      case nir_intrinsic_load_local_invocation_index:
      case nir_intrinsic_load_global_invocation_id:
      case nir_intrinsic_load_workgroup_id: return true;
      case nir_intrinsic_load_ubo_vec4: return nir_use_is_const(intr->src[1]);
      default: return false;
      }
   }
   return instr->kind == nir_kind_load_const ||
          instr->kind == nir_kind_undef || instr->kind == nir_kind_deref;
}

static bool
touch_dest(nir_value *dest, void *data)
{
   struct d3d_walk *w = data;
   struct tpf_emit *e = w->data;
   const unsigned n = dest->num_components;

   for (unsigned c = 0; c < n; c++) {
      struct tpf_value *v = tpf_emit_value(e, dest, c);
      touch(w, dest, c);
      v->place.size = dest->bit_size == 64 ? 2 : 1;
      v->allocate = v->file == TPF_FILE_R &&
                    !tpf_emit_has_home(dest->instr) &&
                    !e->folded[dest->index];
   }
   return true;
}

static void
declare_arrays(struct tpf_emit *e)
{
   unsigned n = 0;

   nir_foreach_function_temp_variable(var, e->impl) {
      struct tpf_inst inst = { .op = TPF_OP_DCL_INDEXABLE_TEMP,
                               .num_imm = 3 };
      const struct glsl_type *t = glsl_without_array(var->type);
      const unsigned length = glsl_get_length(var->type);
      if (length > 4096 || glsl_get_bit_size(t) != 32 || n == 64)
         tpf_emit_fail(e, "an array of %u times %u bits is too much for x#",
                       length,
                       glsl_get_bit_size(t) * glsl_get_vector_elements(t));
      inst.imm[0] = var->data.driver_location = n++;
      inst.imm[1] = length;
      inst.imm[2] = 4;
      util_dynarray_append(&e->head, struct tpf_inst, inst);
   }
}

/* Components of a value begin with the first. */
static void
start_together(struct tpf_value *v)
{
   int start = INT32_MAX;

   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
      if (v[c].allocate)
         start = MIN2(start, v[c].place.live.start);
   }
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
      if (v[c].allocate)
         v[c].place.live.start = start;
   }
}

void
tpf_emit_allocate(struct tpf_emit *e)
{
   struct d3d_walk w = { .data = e, .src = touch_src, .dest = touch_dest };
   struct d3d_place **places;
   unsigned n = 0;

   nir_find_phi_webs(&e->webs, e->impl, e->arena);
   e->num_values = NIR_MAX_VEC_COMPONENTS * e->impl->num_values;
   e->values = arena_new_array(e->arena, struct tpf_value, e->num_values + 1);
   places = arena_new_array(e->arena, struct d3d_place *, e->num_values + 1);
   for (unsigned i = 0; i < e->num_values; i++)
      e->values[i] = (struct tpf_value) {
         .place = { .live = { -1, -1 },
                    .value = i / NIR_MAX_VEC_COMPONENTS,
                    .size = 1 },
         .file = TPF_FILE_R,
      };
   tpf_emit_share(e);
   d3d_walk(&w, e->impl);
   for (unsigned i = 0; i < e->num_values; i++) {
      if (i % NIR_MAX_VEC_COMPONENTS == 0)
         start_together(&e->values[i]);
      if (e->values[i].allocate)
         places[n++] = &e->values[i].place;
   }
   e->num_temps = d3d_allocate(places, n, MAX_TEMPS);
   if (e->num_temps > MAX_TEMPS)
      tpf_emit_fail(e, "more than %u values live at once", 4 * MAX_TEMPS);
   else
      declare_arrays(e);
}
