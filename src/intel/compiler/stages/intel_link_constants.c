/* SPDX-License-Identifier: MIT */
/*
 * Constants of the stage before rasterisation that the fragment shader reads
 * as varyings.
 *
 * A component of which every store is the same constant has that value at
 * each vertex (where no store is executed, it is undefined), and so at each
 * pixel, whatever the interpolation. intel_link_constants() leaves no read of
 * it, as inputs of fragment shaders have no dynamic index any more and are
 * read by loads and interpolations of vectors; so intel_drop_constants() may
 * take the stores away without knowing that shader.
 *
 * A component of which every store is the same value of uniforms is the same
 * at all vertices, too: slots that have no other components are read flat.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

enum dword_state { NOT_WRITTEN, CONSTANT, UNIFORM, VARIES };

/* A slot has four; the second half of a dvec3 is in the slot behind. */
struct varyings {
   enum dword_state state[MAX_VARYING * 4];
   uint32_t bits[MAX_VARYING * 4];      /* CONSTANT */
   nir_component from[MAX_VARYING * 4]; /* UNIFORM: both halves are its */
};

/* The first dword of a vector; false if that is not known. */
static bool
first_dword(const nir_deref_instr *deref, unsigned *dword)
{
   unsigned slots = 0;

   if (!glsl_type_is_vector_or_scalar(deref->type))
      return false;
   for (; deref->deref_type != nir_deref_type_var;
        deref = nir_deref_parent(deref)) {
      const nir_deref_instr *parent = nir_deref_parent(deref);
      if (!parent)
         return false;
      if (deref->deref_type == nir_deref_type_struct) {
         slots += glsl_count_slots_before_field(parent->type, deref->member);
      } else if (deref->deref_type == nir_deref_type_array &&
                 glsl_type_is_array_or_matrix(parent->type) &&
                 nir_use_is_const(deref->index)) {
         slots += (unsigned)nir_use_as_uint(deref->index) *
                  glsl_count_attribute_slots(deref->type, false);
      } else {
         return false;
      }
   }
   const nir_variable *var = deref->var;
   if (var->data.location < VARYING_SLOT_VAR0 || var->data.patch ||
       var->data.compact ||
       slots >= glsl_count_attribute_slots(var->type, false))
      return false;
   slots += (unsigned)var->data.location - VARYING_SLOT_VAR0;
   *dword = slots * 4 + var->data.location_frac;
   return slots < MAX_VARYING;
}

static bool
fits(unsigned dword, unsigned components, unsigned bits)
{
   return (bits == 32 || bits == 64) &&
          dword + components * (bits / 32) <= MAX_VARYING * 4;
}

/* Something that is not followed happens to the variable. */
static void
exclude(struct varyings *v, const nir_variable *var)
{
   if (!var || var->data.location < VARYING_SLOT_VAR0)
      return;
   const unsigned first = (unsigned)var->data.location - VARYING_SLOT_VAR0;
   const unsigned end = first + glsl_count_attribute_slots(var->type, false);
   for (unsigned i = first * 4; i < MIN2(end, MAX_VARYING) * 4; i++)
      v->state[i] = VARIES;
}

static void
note_constant(struct varyings *v, unsigned dword, uint32_t bits)
{
   if (v->state[dword] >= UNIFORM ||
       (v->state[dword] == CONSTANT && v->bits[dword] != bits)) {
      v->state[dword] = VARIES;
      return;
   }
   v->state[dword] = CONSTANT;
   v->bits[dword] = bits;
}

/* The same for all invocations of a draw. */
static bool
is_uniform_load(const nir_intrinsic_instr *intr, const void *data)
{
   (void)data;
   switch (intr->intrinsic) {
   case nir_intrinsic_load_ubo:
   case nir_intrinsic_load_push_constant:
   case nir_intrinsic_vulkan_resource_index:
   case nir_intrinsic_vulkan_resource_reindex:
   case nir_intrinsic_load_vulkan_descriptor: return true;
   case nir_intrinsic_load_deref:
      return nir_deref_mode_is_one_of(nir_use_as_deref(intr->src[0]),
                                      nir_var_mem_ubo |
                                         nir_var_mem_push_const);
   default: return false;
   }
}

/* In a loop, some vertices may have stored what the value was in another
 * round. */
static bool
is_in_loop(const nir_instr *instr)
{
   const nir_cf_node *node = instr->block->cf_node.parent;

   while (node && node->type != nir_cf_node_loop)
      node = node->parent;
   return node != NULL;
}

static void
note_value(struct varyings *v, unsigned dword, nir_component from,
           const nir_intrinsic_instr *store)
{
   const nir_component *known = &v->from[dword];

   if (from.def->divergent || is_in_loop(&store->instr) ||
       is_in_loop(from.def->instr) ||
       (v->state[dword] != NOT_WRITTEN &&
        (v->state[dword] != UNIFORM || known->def != from.def ||
         known->comp != from.comp))) {
      v->state[dword] = VARIES;
      return;
   }
   v->state[dword] = UNIFORM;
   v->from[dword] = from;
}

static bool
note_store(struct varyings *v, const nir_intrinsic_instr *store)
{
   const unsigned bit_size = store->src[1].value->bit_size;
   unsigned dword;

   if (!first_dword(nir_use_as_deref(store->src[0]), &dword) ||
       !fits(dword, store->num_components, bit_size))
      return false;
   for (unsigned c = 0; c < store->num_components; c++) {
      if (!(nir_intrinsic_write_mask(store) & BITFIELD_BIT(c)))
         continue;
      const nir_component value = nir_component_through_movs(
         (nir_component) { store->src[1].value, c });
      const bool is_const = nir_component_is_const(value);
      const uint64_t bits = is_const ? nir_component_as_uint(value) : 0;
      for (unsigned i = 0; i < bit_size / 32; i++) {
         const unsigned at = dword + c * (bit_size / 32) + i;
         if (is_const)
            note_constant(v, at, (uint32_t)(bits >> (32 * i)));
         else
            note_value(v, at, value, store);
      }
   }
   return true;
}

static void
note_intrinsic(struct varyings *v, const nir_intrinsic_instr *intr)
{
   if (intr->intrinsic == nir_intrinsic_load_deref)
      return;
   for (unsigned i = 0; i < nir_intrinsic_infos[intr->intrinsic].num_srcs;
        i++) {
      const nir_deref_instr *deref = nir_use_as_deref(intr->src[i]);
      if (!deref || !nir_deref_mode_may_be(deref, nir_var_shader_out))
         continue;
      if (intr->intrinsic != nir_intrinsic_store_deref || i != 0 ||
          !note_store(v, intr))
         exclude(v, nir_deref_root(deref));
   }
}

static void
gather(struct varyings *v, nir_shader *producer)
{
   memset(v, 0, sizeof(*v));
   nir_find_divergence(nir_entry_point(producer), is_uniform_load, NULL);
   nir_foreach_block(block, nir_entry_point(producer)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            note_intrinsic(v, nir_instr_as_intrinsic(instr));
      }
   }
}

/* Whether component c is a constant, and which. */
static bool
constant_component(const struct varyings *v, unsigned dword, unsigned c,
                   unsigned bit_size, uint64_t *value)
{
   const unsigned dwords = bit_size / 32;

   *value = 0;
   for (unsigned i = 0; i < dwords; i++) {
      const unsigned at = dword + c * dwords + i;
      if (v->state[at] != CONSTANT)
         return false;
      *value |= (uint64_t)v->bits[at] << (32 * i);
   }
   return true;
}

static bool
reads_input(const nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_deref:
   case nir_intrinsic_interp_deref_at_centroid:
   case nir_intrinsic_interp_deref_at_sample:
   case nir_intrinsic_interp_deref_at_offset: return true;
   default: return false;
   }
}

/* For nir_visit_instrs(); `data`: struct varyings. */
static bool
replace_load(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *load = nir_maybe_intrinsic(instr);
   if (!load)
      return false;
   if (!reads_input(load))
      return false;
   const struct varyings *v = data;
   const nir_deref_instr *deref = nir_use_as_deref(load->src[0]);
   const unsigned bit_size = load->instr.result.bit_size;
   nir_value *value[NIR_MAX_VEC_COMPONENTS];
   bool progress = false;
   unsigned dword;

   if (!nir_deref_mode_is(deref, nir_var_shader_in) ||
       !first_dword(deref, &dword) ||
       !fits(dword, load->num_components, bit_size))
      return false;
   b->cursor = nir_after_instr(&load->instr);
   for (unsigned c = 0; c < load->num_components; c++) {
      uint64_t bits;
      if (constant_component(v, dword, c, bit_size, &bits)) {
         value[c] = nir_imm_intN_t(b, bits, bit_size);
         progress = true;
      } else {
         value[c] = nir_channel(b, &load->instr.result, c);
      }
   }
   if (progress) {
      nir_value *all = nir_vec(b, value, load->num_components);
      nir_value_replace_after(&load->instr.result, all, all->instr);
   }
   return progress;
}

/* ---- flat slots ---- */

static bool
is_varying(const nir_variable *var)
{
   return var->data.location >= VARYING_SLOT_VAR0 && !var->data.patch;
}

/* Its slots, as bits. */
static uint64_t
slots_of(const nir_variable *var)
{
   const unsigned first = (unsigned)var->data.location - VARYING_SLOT_VAR0;
   const unsigned count = glsl_count_attribute_slots(var->type, false);

   return BITFIELD64_MASK(first + count) & ~BITFIELD64_MASK(first);
}

static uint64_t
uniform_slots(const struct varyings *v)
{
   uint64_t slots = 0;

   for (unsigned s = 0; s < MAX_VARYING; s++) {
      unsigned worst = NOT_WRITTEN;
      for (unsigned c = 0; c < 4; c++)
         worst = MAX2(worst, (unsigned)v->state[4 * s + c]);
      slots |= (uint64_t)(worst == UNIFORM) << s;
   }
   return slots;
}

/* For nir_visit_instrs(): variables that are interpolated where the shader
 * says, out of `data`. */
static bool
keep_interpolated(nir_builder *b, nir_instr *instr, void *data)
{
   const nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   uint64_t *slots = data;

   (void)b;
   if (!intr || intr->intrinsic == nir_intrinsic_load_deref ||
       !reads_input(intr))
      return false;
   const nir_variable *var = nir_deref_root(nir_use_as_deref(intr->src[0]));
   if (var && is_varying(var))
      *slots &= ~slots_of(var);
   return false;
}

/* A slot is flat as a whole, so all of its variables are, in all slots. */
static bool
make_flat(const struct varyings *v, nir_shader *fs)
{
   uint64_t slots = uniform_slots(v), before;
   bool progress = false;

   nir_visit_instrs(fs, keep_interpolated, nir_metadata_control_flow, &slots);
   do {
      before = slots;
      nir_foreach_shader_in_variable(var, fs) {
         if (is_varying(var) && (slots_of(var) & ~slots))
            slots &= ~slots_of(var);
      }
   } while (slots != before);
   nir_foreach_shader_in_variable(var, fs) {
      if (!is_varying(var) || !(slots_of(var) & slots) ||
          var->data.interpolation == INTERP_MODE_FLAT)
         continue;
      var->data.interpolation = INTERP_MODE_FLAT;
      var->data.centroid = var->data.sample = false;
      progress = true;
   }
   return progress;
}

bool
intel_link_constants(nir_shader *producer, nir_shader *fs)
{
   struct varyings v;

   gather(&v, producer);
   const bool flat = make_flat(&v, fs);
   return nir_visit_instrs(fs, replace_load, nir_metadata_control_flow, &v) ||
          flat;
}

/* For nir_visit_instrs(); `data`: struct varyings. */
static bool
drop_store(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *store = nir_maybe_intrinsic(instr);
   if (!store)
      return false;
   if (store->intrinsic != nir_intrinsic_store_deref)
      return false;
   const nir_deref_instr *deref = nir_use_as_deref(store->src[0]);
   const unsigned bit_size = store->src[1].value->bit_size;
   const unsigned mask = nir_intrinsic_write_mask(store);
   unsigned dword, kept = mask;

   (void)b;
   if (!nir_deref_mode_is(deref, nir_var_shader_out) ||
       !first_dword(deref, &dword) ||
       !fits(dword, store->num_components, bit_size))
      return false;
   for (unsigned c = 0; c < store->num_components; c++) {
      uint64_t bits;
      if (constant_component(data, dword, c, bit_size, &bits))
         kept &= ~BITFIELD_BIT(c);
   }
   if (kept == mask)
      return false;
   if (kept)
      nir_intrinsic_set_write_mask(store, kept);
   else
      nir_instr_remove(&store->instr);
   return true;
}

bool
intel_drop_constants(nir_shader *producer)
{
   struct varyings v;

   gather(&v, producer);
   if (!nir_visit_instrs(producer, drop_store, nir_metadata_control_flow, &v))
      return false;
   nir_remove_dead_derefs(producer);
   return true;
}
