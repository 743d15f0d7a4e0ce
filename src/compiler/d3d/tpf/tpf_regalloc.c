/* SPDX-License-Identifier: MIT */
/*
 * Where values live. Code is scalar by now. A linear scan gives each value a
 * component of a temporary (a double two, xy or zw) from its definition to
 * its last use, or to the end of the outermost loop around that use and not
 * around the definition. Registers of NIR, which stand for phis, live through
 * the outermost loop that touches them; arrays of them are x#.
 */
#include "tpf_emit.h"

#define MAX_TEMPS 4000

struct interval_state {
   struct tpf_emit *e;
   struct { int first, last; } loop[TPF_EMIT_MAX_NESTING];
   unsigned num_loops;
   int position;
};

static unsigned
value_of(const struct tpf_emit *e, bool is_ssa, const nir_ssa_def *ssa,
         const nir_register *reg, unsigned comp)
{
   return is_ssa ? NIR_MAX_VEC_COMPONENTS * ssa->index + comp
                 : e->first_reg + NIR_MAX_VEC_COMPONENTS * reg->index + comp;
}

static int
count_cf(struct list_head *list)
{
   nir_cf_node *first = nir_cf_list_first(list);
   nir_block *end = nir_cf_node_cf_tree_next(nir_cf_list_last(list));
   int n = 0;

   for (nir_block *b = nir_cf_node_cf_tree_first(first); b != end;
        b = nir_block_cf_tree_next(b))
      n += 2 + (int)list_length(&b->instr_list);
   return n;
}

static void
touch(struct interval_state *s, unsigned v, bool is_reg)
{
   struct tpf_value *val = &s->e->values[v];
   int first = s->position, last = s->position;

   for (unsigned i = 0; i < s->num_loops; i++) {
      if (is_reg || (val->start >= 0 && val->start < s->loop[i].first)) {
         last = s->loop[i].last;
         if (is_reg)
            first = s->loop[i].first;
         break;
      }
   }
   if (val->start < 0 || first < val->start)
      val->start = first;
   val->end = MAX2(val->end, last);
}

static bool
touch_src(nir_src *src, void *data)
{
   struct interval_state *s = data;

   if (src->is_ssa && src->ssa->parent_instr->type == nir_instr_type_deref)
      return true;
   if (!src->is_ssa && src->reg.indirect)
      touch_src(src->reg.indirect, data);
   for (unsigned c = 0; c < nir_src_num_components(*src); c++)
      touch(s, value_of(s->e, src->is_ssa, src->ssa, src->reg.reg, c),
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
      case nir_intrinsic_load_local_invocation_id:
      case nir_intrinsic_load_local_invocation_index:
      case nir_intrinsic_load_global_invocation_id:
      case nir_intrinsic_load_workgroup_id:
         return true;
      case nir_intrinsic_load_ubo_vec4:
         return nir_src_is_const(intr->src[1]);
      default:
         return false;
      }
   }
   return instr->type == nir_instr_type_load_const ||
          instr->type == nir_instr_type_ssa_undef ||
          instr->type == nir_instr_type_deref;
}

static bool
touch_dest(nir_dest *dest, void *data)
{
   struct interval_state *s = data;
   const unsigned n = nir_dest_num_components(*dest);

   if (!dest->is_ssa && dest->reg.indirect)
      touch_src(dest->reg.indirect, data);
   for (unsigned c = 0; c < n; c++) {
      const unsigned v = value_of(s->e, dest->is_ssa, &dest->ssa,
                                  dest->reg.reg, c);
      touch(s, v, !dest->is_ssa);
      s->e->values[v].size = nir_dest_bit_size(*dest) == 64 ? 2 : 1;
      s->e->values[v].allocate =
         dest->is_ssa ? !tpf_emit_has_home(dest->ssa.parent_instr)
                      : !dest->reg.reg->num_array_elems;
   }
   return true;
}

static void walk(struct interval_state *s, struct list_head *list);

static void
walk_node(struct interval_state *s, nir_cf_node *node)
{
   if (node->type == nir_cf_node_if) {
      nir_if *nif = nir_cf_node_as_if(node);
      touch_src(&nif->condition, s);
      walk(s, &nif->then_list);
      walk(s, &nif->else_list);
   } else if (node->type == nir_cf_node_loop) {
      nir_loop *loop = nir_cf_node_as_loop(node);
      s->loop[s->num_loops].first = s->position;
      s->loop[s->num_loops++].last = s->position + count_cf(&loop->body);
      walk(s, &loop->body);
      s->num_loops--;
   } else {
      nir_block *block = nir_cf_node_as_block(node);
      nir_foreach_instr(instr, block) {
         nir_foreach_src(instr, touch_src, s);
         nir_foreach_dest(instr, touch_dest, s);
         s->position++;
      }
      s->position += 2;
   }
}

/* As deep as the nesting, which is bounded by the caller. */
static void
walk(struct interval_state *s, struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node)
      walk_node(s, node);
}

static int
by_start(const void *a, const void *b)
{
   const struct tpf_value *x = *(struct tpf_value *const *)a;
   const struct tpf_value *y = *(struct tpf_value *const *)b;

   return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                               : (x > y) - (x < y);
}

static bool
place(struct tpf_emit *e, struct tpf_value *v, int *busy_until)
{
   for (unsigned c = 0; c < 4 * MAX_TEMPS; c += v->size) {
      if (busy_until[c] >= v->start ||
          (v->size == 2 && busy_until[c + 1] >= v->start))
         continue;
      for (unsigned i = 0; i < v->size; i++)
         busy_until[c + i] = v->end;
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
      e->values[value_of(e, false, NULL, reg, 0)].reg =
         (uint16_t)inst.imm[0];
   }
}

void
tpf_emit_allocate(struct tpf_emit *e)
{
   struct interval_state s = { .e = e };
   struct tpf_value **order;
   int *busy_until = arena_new_array(e->arena, int, 4 * MAX_TEMPS);
   unsigned n = 0;

   nir_index_ssa_defs(e->impl);
   nir_index_local_regs(e->impl);
   e->first_reg = NIR_MAX_VEC_COMPONENTS * e->impl->ssa_alloc;
   e->num_values = e->first_reg + NIR_MAX_VEC_COMPONENTS * e->impl->reg_alloc;
   e->values = arena_new_array(e->arena, struct tpf_value,
                               e->num_values + 1);
   order = arena_new_array(e->arena, struct tpf_value *, e->num_values + 1);
   for (unsigned i = 0; i < e->num_values; i++)
      e->values[i] = (struct tpf_value) { .start = -1, .end = -1, .size = 1 };
   walk(&s, &e->impl->body);
   for (unsigned i = 0; i < e->num_values; i++) {
      if (e->values[i].allocate)
         order[n++] = &e->values[i];
   }
   qsort(order, n, sizeof(*order), by_start);
   memset(busy_until, 0xff, sizeof(int) * 4 * MAX_TEMPS);
   for (unsigned i = 0; i < n; i++) {
      if (!place(e, order[i], busy_until))
         return;
   }
   declare_arrays(e);
}
