/* SPDX-License-Identifier: MIT */
/*
 * Inputs and outputs of a stage from variables to load_input, store_output
 * and their kin.
 *
 * An access becomes: base = driver_location of the variable, an offset in
 * the units of the type_size callback (slots, as a rule) that adds up the
 * indices, the first component, and io_semantics with the location. Arrays
 * per vertex give the vertex as a source of its own. Fragment inputs that
 * are interpolated get barycentrics.
 *
 * A 64-bit vector of three or four goes on in the next slot. Asked to
 * (nir_lower_io_lower_64bit_to_32), the pass makes pairs of 32-bit components
 * and at most one slot an intrinsic.
 *
 * Accesses to a component of a vector by a dynamic index must have been
 * lowered (nir_lower_array_deref_of_vec), and so must dynamic indices into
 * compact arrays (clip distances): those are left as they are.
 */
#include "nir.h"
#include "nir_builder.h"

struct state {
   nir_shader *shader;
   nir_builder b;
   int (*type_size)(const struct glsl_type *type, bool bindless);
   nir_lower_io_options options;
   nir_variable_mode modes;
};

/* Where an access goes. */
struct place {
   nir_variable *var;
   nir_value *vertex; /* NULL: not per vertex */
   nir_value *offset;
   unsigned component;
   bool patch_or_plain;
};

static nir_value *
add(nir_builder *b, nir_value *a, nir_value *c)
{
   return a ? nir_iadd(b, a, c) : c;
}

static nir_value *
index_times(nir_builder *b, const nir_deref_instr *d, int size)
{
   nir_value *i;

   if (nir_use_is_const(d->index))
      return nir_imm_int(b, (int)nir_use_as_int(d->index) * size);
   i = nir_i2iN(b, nir_use_value(b, d->index, 1), 32);
   return size == 1 ? i : nir_imul_imm(b, i, (uint64_t)size);
}

static int
members_before(const struct state *s, const struct glsl_type *t,
               unsigned index)
{
   int size = 0;

   for (unsigned i = 0; i < index; i++)
      size += s->type_size(glsl_get_struct_field(t, i), false);
   return size;
}

/* Follows the chain; false if it cannot be lowered. */
static bool
find_place(struct state *s, nir_deref_instr *deref, struct place *p)
{
   nir_deref_instr **d;
   nir_deref_path path;
   bool ok = true;

   memset(p, 0, sizeof(*p));
   nir_deref_path_init(&path, deref, NULL);
   d = path.path;
   p->var = (*d)->var;
   p->component = p->var->data.location_frac;
   d++;
   if (*d && nir_is_arrayed_io(p->var, s->shader->info.stage)) {
      p->vertex = nir_i2iN(&s->b, nir_use_value(&s->b, (*d)->index, 1), 32);
      d++;
   }
   for (; ok && *d; d++) {
      const struct glsl_type *parent = d[-1]->type;
      if ((*d)->deref_type == nir_deref_type_struct) {
         const int before = members_before(s, parent, (*d)->member);
         if (before)
            p->offset = add(&s->b, p->offset, nir_imm_int(&s->b, before));
      } else if ((*d)->deref_type != nir_deref_type_array) {
         ok = false;
      } else if (p->var->data.compact ||
                 glsl_type_is_vector_or_scalar(parent)) {
         /* Four 32-bit components a slot. */
         const unsigned scale = glsl_type_is_64bit((*d)->type) ? 2 : 1;
         uint64_t c;
         if (!nir_use_is_const((*d)->index)) {
            ok = false;
            break;
         }
         c = p->component + nir_use_as_uint((*d)->index) * scale;
         p->component = c % 4;
         if (c / 4)
            p->offset =
               add(&s->b, p->offset, nir_imm_int(&s->b, (int)(c / 4)));
      } else {
         p->offset =
            add(&s->b, p->offset,
                index_times(&s->b, *d, s->type_size((*d)->type, false)));
      }
   }
   nir_deref_path_finish(&path);
   if (!p->offset)
      p->offset = nir_imm_int(&s->b, 0);
   return ok;
}

static unsigned
num_slots(const struct state *s, const nir_variable *var)
{
   const struct glsl_type *t = var->type;

   if (nir_is_arrayed_io(var, s->shader->info.stage))
      t = glsl_get_array_element(t);
   if (var->data.compact)
      return DIV_ROUND_UP(var->data.location_frac + glsl_get_length(t), 4);
   return glsl_count_attribute_slots(t, false);
}

static nir_io_semantics
semantics(const struct state *s, const nir_variable *var)
{
   nir_io_semantics sem = { 0 };

   sem.location = (unsigned)var->data.location;
   sem.num_slots = num_slots(s, var);
   sem.dual_source_blend_index = var->data.index;
   sem.fb_fetch_output = var->data.fb_fetch_output;
   sem.invariant = var->data.invariant;
   sem.per_view = var->data.per_view;
   /* The stream of each component. */
   sem.gs_streams = (var->data.stream & 3) * 0x55;
   return sem;
}

/* --- Loads ------------------------------------------------------------- */

static nir_intrinsic_op
load_op(const struct state *s, const struct place *p)
{
   if (p->var->data.mode == nir_var_shader_out)
      return p->vertex ? nir_intrinsic_load_per_vertex_output
                       : nir_intrinsic_load_output;
   return p->vertex ? nir_intrinsic_load_per_vertex_input
                    : nir_intrinsic_load_input;
}

static bool
is_interpolated(const struct state *s, const nir_variable *var,
                const struct glsl_type *type)
{
   return s->shader->info.stage == MESA_SHADER_FRAGMENT &&
          var->data.mode == nir_var_shader_in &&
          var->data.interpolation != INTERP_MODE_FLAT &&
          (glsl_get_base_type(type) == GLSL_TYPE_FLOAT ||
           glsl_get_base_type(type) == GLSL_TYPE_FLOAT16);
}

static nir_value *
default_barycentric(struct state *s, const nir_variable *var)
{
   nir_intrinsic_op op = nir_intrinsic_load_barycentric_pixel;

   if (var->data.sample ||
       (s->options & nir_lower_io_force_sample_interpolation))
      op = nir_intrinsic_load_barycentric_sample;
   else if (var->data.centroid)
      op = nir_intrinsic_load_barycentric_centroid;
   return nir_load_barycentric(&s->b, op, var->data.interpolation);
}

/* One load of components that lie together. */
static nir_value *
emit_load(struct state *s, const struct place *p, nir_value *bary,
          nir_value *offset, unsigned component, unsigned comps,
          unsigned bits, nir_alu_type type)
{
   nir_intrinsic_op op = bary ? nir_intrinsic_load_interpolated_input
                              : load_op(s, p);
   nir_intrinsic_instr *load = nir_new_intrinsic(s->shader, op);
   unsigned n = 0;

   load->num_components = (uint8_t)comps;
   if (bary)
      load->src[n++] = nir_use_of(bary);
   if (p->vertex)
      load->src[n++] = nir_use_of(p->vertex);
   load->src[n] = nir_use_of(offset);
   nir_intrinsic_set_base(load, (int)p->var->data.driver_location);
   nir_intrinsic_set_component(load, component);
   nir_intrinsic_set_dest_type(load, type | bits);
   nir_intrinsic_set_io_semantics(load, semantics(s, p->var));
   nir_set_result(&load->instr, comps, bits);
   return nir_emit(&s->b, &load->instr);
}

static bool
split_64bit(const struct state *s, unsigned bits, nir_alu_type type)
{
   if (bits != 64)
      return false;
   return (s->options & nir_lower_io_lower_64bit_to_32) ||
          ((s->options & nir_lower_io_lower_64bit_float_to_32) &&
           type == nir_type_float);
}

/* Pairs of 32-bit components, slot by slot. */
static nir_value *
load_pairs(struct state *s, const struct place *p, unsigned comps)
{
   nir_value *out[4], *offset = p->offset;
   unsigned component = p->component, done = 0;

   while (done < comps) {
      const unsigned here = MIN2(comps - done, (4 - component) / 2);
      nir_value *v = emit_load(s, p, NULL, offset, component, here * 2, 32,
                               nir_type_uint);
      for (unsigned i = 0; i < here; i++)
         out[done++] =
            nir_pack_64_2x32(&s->b, nir_channels(&s->b, v, 3u << (2 * i)));
      component = 0;
      offset = nir_iadd_imm(&s->b, offset, 1);
   }
   return nir_vec(&s->b, out, comps);
}

static nir_value *
lower_load(struct state *s, const nir_intrinsic_instr *intr,
           const struct place *p, const struct glsl_type *type,
           nir_value *bary)
{
   const unsigned comps = intr->num_components;
   const unsigned bits = glsl_get_bit_size(type);
   const nir_alu_type base = nir_type_base(nir_type_of_glsl(type));

   if (is_interpolated(s, p->var, type)) {
      if (!bary)
         bary = default_barycentric(s, p->var);
      return emit_load(s, p, bary, p->offset, p->component, comps, bits,
                       base);
   }
   if (split_64bit(s, bits, base))
      return load_pairs(s, p, comps);
   return emit_load(s, p, NULL, p->offset, p->component, comps, bits, base);
}

/* --- Stores ------------------------------------------------------------- */

static void
emit_store(struct state *s, const struct place *p, nir_value *value,
           nir_value *offset, unsigned component, unsigned mask,
           nir_alu_type type)
{
   nir_intrinsic_instr *store = nir_new_intrinsic(
      s->shader, p->vertex ? nir_intrinsic_store_per_vertex_output
                           : nir_intrinsic_store_output);
   unsigned n = 0;

   store->num_components = value->num_components;
   store->src[n++] = nir_use_of(value);
   if (p->vertex)
      store->src[n++] = nir_use_of(p->vertex);
   store->src[n] = nir_use_of(offset);
   nir_intrinsic_set_base(store, (int)p->var->data.driver_location);
   nir_intrinsic_set_component(store, component);
   nir_intrinsic_set_write_mask(store, mask);
   nir_intrinsic_set_src_type(store, type | value->bit_size);
   nir_intrinsic_set_io_semantics(store, semantics(s, p->var));
   nir_emit(&s->b, &store->instr);
}

static void
store_pairs(struct state *s, const struct place *p, nir_value *value,
            unsigned mask)
{
   unsigned component = p->component, done = 0;
   nir_value *offset = p->offset;

   while (done < value->num_components) {
      const unsigned here =
         MIN2(value->num_components - done, (4 - component) / 2);
      nir_value *parts[4];
      unsigned part_mask = 0;
      for (unsigned i = 0; i < here; i++, done++) {
         nir_value *pair =
            nir_unpack_64_2x32(&s->b, nir_channel(&s->b, value, done));
         parts[2 * i] = nir_channel(&s->b, pair, 0);
         parts[2 * i + 1] = nir_channel(&s->b, pair, 1);
         if (mask & (1u << done))
            part_mask |= 3u << (2 * i);
      }
      if (part_mask)
         emit_store(s, p, nir_vec(&s->b, parts, here * 2), offset, component,
                    part_mask, nir_type_uint);
      component = 0;
      offset = nir_iadd_imm(&s->b, offset, 1);
   }
}

static void
lower_store(struct state *s, const nir_intrinsic_instr *intr,
            const struct place *p, const struct glsl_type *type)
{
   nir_value *value =
      nir_use_value(&s->b, intr->src[1], intr->num_components);
   const unsigned mask = nir_intrinsic_write_mask(intr);
   const nir_alu_type base = nir_type_base(nir_type_of_glsl(type));

   if (split_64bit(s, value->bit_size, base))
      store_pairs(s, p, value, mask);
   else
      emit_store(s, p, value, p->offset, p->component, mask, base);
}

/* --- Interpolation at a place ------------------------------------------- */

static nir_value *
barycentric_at(struct state *s, nir_intrinsic_instr *intr,
               const nir_variable *var)
{
   const unsigned mode = var->data.interpolation;
   nir_value *arg = NULL;

   if (intr->intrinsic == nir_intrinsic_interp_deref_at_centroid)
      return nir_load_barycentric(
         &s->b, nir_intrinsic_load_barycentric_centroid, mode);
   arg = nir_use_value(
      &s->b, intr->src[1],
      intr->intrinsic == nir_intrinsic_interp_deref_at_offset ? 2 : 1);
   if (intr->intrinsic == nir_intrinsic_interp_deref_at_offset)
      return nir_load_barycentric_at_offset(&s->b, arg, .interp_mode = mode);
   return nir_load_barycentric_at_sample(&s->b, arg, .interp_mode = mode);
}

static bool
lower_intrinsic(struct state *s, nir_intrinsic_instr *intr)
{
   nir_deref_instr *deref;
   nir_variable *var;
   struct place p;
   nir_value *bary = NULL, *def;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_deref:
   case nir_intrinsic_store_deref:
   case nir_intrinsic_interp_deref_at_centroid:
   case nir_intrinsic_interp_deref_at_sample:
   case nir_intrinsic_interp_deref_at_offset: break;
   default: return false;
   }
   deref = nir_use_as_deref(intr->src[0]);
   if (!nir_deref_mode_is_one_of(deref, s->modes))
      return false;
   var = nir_deref_root(deref);
   if (!var || !glsl_type_is_vector_or_scalar(deref->type))
      return false;
   s->b.cursor = nir_before_instr(&intr->instr);
   if (!find_place(s, deref, &p))
      return false;
   if (intr->intrinsic == nir_intrinsic_store_deref) {
      lower_store(s, intr, &p, deref->type);
   } else {
      if (intr->intrinsic != nir_intrinsic_load_deref)
         bary = barycentric_at(s, intr, var);
      def = lower_load(s, intr, &p, deref->type, bary);
      nir_value_replace(&intr->instr.result, def);
   }
   nir_instr_remove(&intr->instr);
   nir_deref_remove_unused(deref);
   return true;
}

bool
nir_lower_io(nir_shader *shader, nir_variable_mode modes,
             int (*type_size)(const struct glsl_type *, bool bindless),
             nir_lower_io_options options)
{
   struct state s = { .shader = shader,
                      .type_size = type_size,
                      .options = options,
                      .modes = modes &
                               (nir_var_shader_in | nir_var_shader_out) };
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      bool here = false;
      nir_builder_init(&s.b, impl);
      nir_foreach_block(block, impl) {
         nir_foreach_instr_safe(instr, block) {
            if (instr->kind == nir_kind_intrinsic)
               here |= lower_intrinsic(&s, nir_instr_as_intrinsic(instr));
         }
      }
      nir_changed(impl, here, nir_metadata_control_flow);
      progress |= here;
   }
   return progress;
}
