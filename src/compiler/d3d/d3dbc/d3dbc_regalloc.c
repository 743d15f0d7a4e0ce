/* SPDX-License-Identifier: MIT */
/*
 * What values are, and where they live.
 *
 * NIR's values have no types, registers of these profiles hold floats only:
 * so a value is float, integer or bool as the instructions around it say,
 * and moves, phis and selections join what must be alike (union-find). A
 * constant has the type of the place where it stands; a value that is an
 * integer for one use and a float for another is refused.
 *
 * Code is scalar by now. A linear scan gives each value one component for its
 * interval (d3d_intervals.h).
 */
#include "d3dbc_emit.h"

unsigned
d3dbc_emit_value(const struct d3dbc_emit *e, const nir_use *src,
                 unsigned comp)
{
   return 4 * nir_web_value(&e->webs, src->value)->index + comp;
}

unsigned
d3dbc_emit_dest_value(const struct d3dbc_emit *e, const nir_value *dest,
                      unsigned comp)
{
   return 4 * nir_web_value(&e->webs, dest)->index + comp;
}

/* --- Types -------------------------------------------------------------- */

static unsigned
find(struct d3dbc_emit *e, unsigned v)
{
   while (e->values[v].parent != v) {
      e->values[v].parent = e->values[e->values[v].parent].parent;
      v = e->values[v].parent;
   }
   return v;
}

static void
set_class(struct d3dbc_emit *e, unsigned v, enum d3dbc_class class)
{
   v = find(e, v);
   if (class == D3DBC_CLASS_UNKNOWN || e->values[v].class == class)
      return;
   if (e->values[v].class != D3DBC_CLASS_UNKNOWN)
      d3dbc_emit_fail(e,
                      "the bits of one value are used as different types, "
                      "which registers of %s cannot hold",
                      e->pi->name);
   e->values[v].class = class;
}

static void
join(struct d3dbc_emit *e, unsigned a, unsigned b)
{
   a = find(e, a);
   b = find(e, b);
   if (a == b)
      return;
   e->values[a].parent = b;
   set_class(e, b, e->values[a].class);
}

enum d3dbc_class
d3dbc_alu_class(nir_alu_type type)
{
   switch (nir_type_base(type)) {
   case nir_type_float: return D3DBC_CLASS_FLOAT;
   case nir_type_bool: return D3DBC_CLASS_BOOL;
   default: return D3DBC_CLASS_INT;
   }
}

/* iand and its like are logic of bools, too. */
static enum d3dbc_class
sized_class(nir_alu_type type, unsigned bit_size)
{
   return bit_size == 1 ? D3DBC_CLASS_BOOL : d3dbc_alu_class(type);
}

static bool
is_untyped(nir_op op)
{
   return op == nir_op_mov || nir_op_is_vec(op) || op == nir_op_bcsel;
}

/* Each use of a constant may be of another type. */
static bool
is_typeless(const nir_use *src)
{
   return nir_use_is_const(*src) || nir_use_is_undef(*src);
}

static void
infer_alu(struct d3dbc_emit *e, nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];

   if (nir_op_is_vec(alu->op)) {
      for (unsigned i = 0; i < info->num_inputs; i++) {
         if (!is_typeless(&alu->src[i].use))
            join(e, d3dbc_emit_dest_value(e, &alu->instr.result, i),
                 d3dbc_emit_value(e, &alu->src[i].use,
                                  alu->src[i].swizzle[0]));
      }
      return;
   }
   const unsigned n = alu->instr.result.num_components;
   for (unsigned c = 0; c < n && c < 4; c++) {
      const unsigned d = d3dbc_emit_dest_value(e, &alu->instr.result, c);
      for (unsigned i = 0; i < info->num_inputs; i++) {
         const unsigned s =
            d3dbc_emit_value(e, &alu->src[i].use, alu->src[i].swizzle[c]);
         if (is_typeless(&alu->src[i].use))
            continue;
         if (is_untyped(alu->op) && !(alu->op == nir_op_bcsel && i == 0))
            join(e, d, s);
         else
            set_class(e, s,
                      sized_class(info->input[i].type,
                                  alu->src[i].use.value->bit_size));
      }
      if (!is_untyped(alu->op))
         set_class(
            e, d, sized_class(info->output.type, alu->instr.result.bit_size));
   }
}

static void
set_src_class(struct d3dbc_emit *e, nir_use *src, unsigned comp,
              enum d3dbc_class class)
{
   if (!is_typeless(src))
      set_class(e, d3dbc_emit_value(e, src, comp), class);
}

static void
infer_intrinsic(struct d3dbc_emit *e, nir_intrinsic_instr *intr)
{
   nir_alu_type type = nir_type_float32;
   unsigned n;

   switch (intr->intrinsic) {
   case nir_intrinsic_store_output:
      type = nir_intrinsic_src_type(intr);
      n = intr->src[0].value->num_components;
      for (unsigned c = 0; c < n; c++)
         set_src_class(e, &intr->src[0], c, d3dbc_alu_class(type));
      break;
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
   case nir_intrinsic_load_frag_coord:
      if (intr->intrinsic == nir_intrinsic_load_input)
         type = nir_intrinsic_dest_type(intr);
      n = intr->instr.result.num_components;
      for (unsigned c = 0; c < n; c++)
         set_class(e, d3dbc_emit_dest_value(e, &intr->instr.result, c),
                   d3dbc_alu_class(type));
      break;
   case nir_intrinsic_load_ubo:
      set_src_class(e, &intr->src[1], 0, D3DBC_CLASS_INT);
      break;
   default: break;
   }
}

static void
infer_tex(struct d3dbc_emit *e, nir_tex_instr *tex)
{
   for (unsigned i = 0; i < tex->instr.num_operands; i++) {
      if (nir_tex_operand_type(tex, i) != nir_type_float)
         continue;
      for (unsigned c = 0; c < nir_tex_operand_size(tex, i); c++)
         set_src_class(e, &tex->src[i].use, c, D3DBC_CLASS_FLOAT);
   }
   for (unsigned c = 0; c < tex->instr.result.num_components; c++)
      set_class(e, d3dbc_emit_dest_value(e, &tex->instr.result, c),
                D3DBC_CLASS_FLOAT);
}

void
d3dbc_emit_infer(struct d3dbc_emit *e)
{
   nir_find_phi_webs(&e->webs, e->impl, e->arena);
   e->num_values = 4 * e->impl->num_values;
   e->values =
      arena_new_array(e->arena, struct d3dbc_value, e->num_values + 1);
   for (unsigned i = 0; i < e->num_values; i++)
      e->values[i] = (struct d3dbc_value) { .parent = i,
                                            .place = {
                                               .live = { -1, -1 },
                                               .value = i / 4,
                                               .size = 1,
                                            } };
   nir_foreach_block(block, e->impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_alu)
            infer_alu(e, nir_instr_as_alu(instr));
         else if (instr->kind == nir_kind_intrinsic)
            infer_intrinsic(e, nir_instr_as_intrinsic(instr));
         else if (instr->kind == nir_kind_tex)
            infer_tex(e, nir_instr_as_tex(instr));
      }
   }
}

enum d3dbc_class
d3dbc_emit_src_class(struct d3dbc_emit *e, nir_alu_instr *alu, unsigned src,
                     unsigned comp)
{
   if (!is_untyped(alu->op) || (alu->op == nir_op_bcsel && src == 0))
      return sized_class(nir_op_infos[alu->op].input[src].type,
                         alu->src[src].use.value->bit_size);
   const unsigned c = nir_op_is_vec(alu->op) ? src : comp;
   return e->values[find(e, d3dbc_emit_dest_value(e, &alu->instr.result, c))]
      .class;
}

/* --- Where values live -------------------------------------------------- */

static void
touch(struct d3d_walk *w, unsigned v, bool is_web)
{
   struct d3dbc_emit *e = w->data;

   d3d_interval_touch(w, &e->values[v].place.live, is_web);
}

static bool
touch_src(nir_use *src, void *data)
{
   struct d3d_walk *w = data;

   const struct d3dbc_emit *e = w->data;

   if (src->value->instr->kind == nir_kind_deref)
      return true;
   for (unsigned c = 0; c < src->value->num_components && c < 4; c++)
      touch(w, d3dbc_emit_value(e, src, c),
            nir_is_in_web(&e->webs, src->value));
   return true;
}

/* Values that are read where they are: constants, inputs, uniforms. */
static bool
has_home(const nir_instr *instr)
{
   if (instr->kind == nir_kind_intrinsic) {
      const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      return intr->intrinsic == nir_intrinsic_load_input ||
             intr->intrinsic == nir_intrinsic_load_interpolated_input ||
             intr->intrinsic == nir_intrinsic_load_barycentric_pixel ||
             intr->intrinsic == nir_intrinsic_vulkan_resource_index ||
             (intr->intrinsic == nir_intrinsic_load_ubo &&
              nir_use_is_const(intr->src[1]));
   }
   return instr->kind == nir_kind_load_const ||
          instr->kind == nir_kind_undef || instr->kind == nir_kind_deref;
}

static bool
touch_dest(nir_value *dest, void *data)
{
   struct d3d_walk *w = data;
   struct d3dbc_emit *e = w->data;
   const unsigned n = dest->num_components;

   for (unsigned c = 0; c < n && c < 4; c++) {
      const unsigned v = d3dbc_emit_dest_value(e, dest, c);
      touch(w, v, nir_is_in_web(&e->webs, dest));
      e->values[v].allocate = !has_home(dest->instr);
   }
   return true;
}

void
d3dbc_emit_allocate(struct d3dbc_emit *e)
{
   struct d3d_walk w = { .data = e, .src = touch_src, .dest = touch_dest };
   struct d3d_place **places =
      arena_new_array(e->arena, struct d3d_place *, e->num_values + 1);
   const unsigned limit = d3dbc_file_info(D3DBC_FILE_R)->limit[e->profile] -
                          D3DBC_EMIT_SCRATCH;
   unsigned n = 0;

   d3d_walk(&w, e->impl);
   for (unsigned i = 0; i < e->num_values; i++) {
      struct d3dbc_value *v = &e->values[i];
      if (v->allocate)
         places[n++] = &v->place;
   }
   e->num_temps = d3d_allocate(places, n, limit);
   if (e->num_temps > limit)
      d3dbc_emit_fail(e,
                      "more than %u values live at once: %s has %u "
                      "temporary registers",
                      4 * limit, e->pi->name, limit + D3DBC_EMIT_SCRATCH);
}
