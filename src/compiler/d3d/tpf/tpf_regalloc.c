/* SPDX-License-Identifier: MIT */
/*
 * Where values live. Code is scalar by now. A linear scan gives each value a
 * component of a temporary (a double two, xy or zw) for its interval
 * (d3d_intervals.h). Arrays of NIR's registers are x#.
 */
#include "tpf_emit.h"

#define MAX_TEMPS 4000

static unsigned
value_of(const struct tpf_emit *e, bool is_ssa, const nir_ssa_def *ssa,
         const nir_register *reg, unsigned comp)
{
   return is_ssa ? NIR_MAX_VEC_COMPONENTS * ssa->index + comp
                 : e->first_reg + NIR_MAX_VEC_COMPONENTS * reg->index + comp;
}

static void
touch(struct d3d_walk *w, unsigned v, bool is_reg)
{
   struct tpf_emit *e = w->data;

   d3d_interval_touch(w, &e->values[v].live, is_reg);
}

static bool
touch_src(nir_src *src, void *data)
{
   struct d3d_walk *w = data;

   if (src->is_ssa && src->ssa->parent_instr->type == nir_instr_type_deref)
      return true;
   if (!src->is_ssa && src->reg.indirect)
      touch_src(src->reg.indirect, data);
   for (unsigned c = 0; c < nir_src_num_components(*src); c++)
      touch(w, value_of(w->data, src->is_ssa, src->ssa, src->reg.reg, c),
            !src->is_ssa);
   return true;
}

bool
tpf_emit_has_home(const nir_instr *instr)
{
   if (instr->type == nir_instr_type_intrinsic) {
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
      case nir_intrinsic_load_ubo_vec4: return nir_src_is_const(intr->src[1]);
      default: return false;
      }
   }
   return instr->type == nir_instr_type_load_const ||
          instr->type == nir_instr_type_ssa_undef ||
          instr->type == nir_instr_type_deref;
}

static bool
touch_dest(nir_dest *dest, void *data)
{
   struct d3d_walk *w = data;
   struct tpf_emit *e = w->data;
   const unsigned n = nir_dest_num_components(*dest);

   if (!dest->is_ssa && dest->reg.indirect)
      touch_src(dest->reg.indirect, data);
   for (unsigned c = 0; c < n; c++) {
      const unsigned v =
         value_of(e, dest->is_ssa, &dest->ssa, dest->reg.reg, c);
      touch(w, v, !dest->is_ssa);
      e->values[v].size = nir_dest_bit_size(*dest) == 64 ? 2 : 1;
      e->values[v].allocate = dest->is_ssa
                                 ? !tpf_emit_has_home(dest->ssa.parent_instr)
                                 : !dest->reg.reg->num_array_elems;
   }
   return true;
}

static bool
place(struct tpf_emit *e, struct tpf_value *v, int *busy_until)
{
   for (unsigned c = 0; c < 4 * MAX_TEMPS; c += v->size) {
      if (busy_until[c] >= v->live.start ||
          (v->size == 2 && busy_until[c + 1] >= v->live.start))
         continue;
      for (unsigned i = 0; i < v->size; i++)
         busy_until[c + i] = v->live.end;
      v->reg = (uint16_t)(c / 4);
      v->comp = c & 3;
      e->num_temps = MAX2(e->num_temps, c / 4 + 1);
      return true;
   }
   return tpf_emit_fail(e, "more than %u values live at once", 4 * MAX_TEMPS);
}

static void
declare_arrays(struct tpf_emit *e)
{
   unsigned n = 0;

   nir_foreach_register(reg, &e->impl->registers) {
      if (!reg->num_array_elems)
         continue;
      struct tpf_inst inst = { .op = TPF_OP_DCL_INDEXABLE_TEMP,
                               .num_imm = 3 };
      if (reg->num_array_elems > 4096 || reg->bit_size != 32 ||
          reg->num_components > 4 || n == 64)
         tpf_emit_fail(e, "an array of %u times %u bits is too much for x#",
                       reg->num_array_elems,
                       reg->bit_size * reg->num_components);
      inst.imm[0] = n++;
      inst.imm[1] = reg->num_array_elems;
      inst.imm[2] = 4;
      util_dynarray_append(&e->head, struct tpf_inst, inst);
      e->values[value_of(e, false, NULL, reg, 0)].reg = (uint16_t)inst.imm[0];
   }
}

void
tpf_emit_allocate(struct tpf_emit *e)
{
   struct d3d_walk w = { .data = e, .src = touch_src, .dest = touch_dest };
   struct tpf_value **order;
   int *busy_until = arena_new_array(e->arena, int, 4 * MAX_TEMPS);
   unsigned n = 0;

   nir_index_ssa_defs(e->impl);
   nir_index_local_regs(e->impl);
   e->first_reg = NIR_MAX_VEC_COMPONENTS * e->impl->ssa_alloc;
   e->num_values = e->first_reg + NIR_MAX_VEC_COMPONENTS * e->impl->reg_alloc;
   e->values = arena_new_array(e->arena, struct tpf_value, e->num_values + 1);
   order = arena_new_array(e->arena, struct tpf_value *, e->num_values + 1);
   for (unsigned i = 0; i < e->num_values; i++)
      e->values[i] = (struct tpf_value) { .live = { -1, -1 }, .size = 1 };
   d3d_walk(&w, e->impl);
   for (unsigned i = 0; i < e->num_values; i++) {
      if (e->values[i].allocate)
         order[n++] = &e->values[i];
   }
   qsort(order, n, sizeof(*order), d3d_interval_compare);
   memset(busy_until, 0xff, sizeof(int) * 4 * MAX_TEMPS);
   for (unsigned i = 0; i < n; i++) {
      if (!place(e, order[i], busy_until))
         return;
   }
   declare_arrays(e);
}
