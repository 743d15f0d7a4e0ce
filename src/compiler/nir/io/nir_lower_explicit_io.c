/* SPDX-License-Identifier: MIT */
/*
 * Memory with an explicit layout: dereferences become byte offsets.
 *
 *   mem_ubo         load_ubo(index, offset)
 *   mem_ssbo        load_ssbo, store_ssbo, ssbo_atomic_*, get_ssbo_size
 *   mem_push_const  load_push_constant(offset)
 *   mem_shared      load_shared, store_shared, shared_atomic_*
 *
 * buffer_pointer becomes an offset and such an index, or 1 in shared memory.
 *
 * The index of a buffer is vulkan_resource_index(element of the array of
 * blocks; desc_set, binding): the driver replaces it by what its hardware
 * wants. The element is 0 if the variable is no array.
 *
 * What is known of the alignment of the block itself is 16 bytes (Vulkan's
 * least minUniformBufferOffsetAlignment that we rely on), and each stride
 * and offset on the way narrows it. A row-major column is loaded component
 * by component.
 */
#include "nir.h"
#include "nir_builder.h"

#define BLOCK_ALIGN_B 16u

struct address {
   nir_value *index;   /* of the buffer; NULL: there is none */
   nir_value *dynamic; /* byte offset; NULL: none */
   int64_t constant;   /* added to it */
   uint32_t align_mul; /* of `dynamic`, a power of two */
   uint32_t size_B;    /* bytes that may be reached; 0: not known */
};

struct state {
   nir_builder b;
   nir_variable_mode modes;
   bool progress;
};

/* --- Addresses ---------------------------------------------------------- */

static bool
has_buffer_index(const nir_variable *var)
{
   return var->data.mode == nir_var_mem_ubo ||
          var->data.mode == nir_var_mem_ssbo;
}

static void
add_dynamic(struct state *s, struct address *a, nir_value *index,
            unsigned stride_B)
{
   const unsigned align = stride_B ? stride_B & -stride_B : BLOCK_ALIGN_B;
   nir_value *bytes =
      nir_imul_imm(&s->b, nir_i2iN(&s->b, index, 32), stride_B);

   a->dynamic = a->dynamic ? nir_iadd(&s->b, a->dynamic, bytes) : bytes;
   a->align_mul = MIN2(a->align_mul, align);
}

static unsigned
stride_of(const nir_deref_instr *d, const struct glsl_type *parent)
{
   if (glsl_type_is_vector_or_scalar(parent)) {
      /* A row-major column's components are a stride apart. */
      const unsigned stride = glsl_get_explicit_stride(parent);
      return stride ? stride : glsl_get_bit_size(d->type) / 8;
   }
   /* Columns of a row-major matrix begin one component apart. */
   if (glsl_type_is_matrix(parent) && glsl_matrix_type_is_row_major(parent))
      return glsl_get_bit_size(parent) / 8;
   return glsl_get_explicit_stride(parent);
}

static void
step(struct state *s, struct address *a, const nir_deref_instr *d,
     const struct glsl_type *parent)
{
   unsigned stride_B;

   if (d->deref_type == nir_deref_type_struct) {
      a->constant += MAX2(glsl_get_struct_field_offset(parent, d->member), 0);
      return;
   }
   stride_B = stride_of(d, parent);
   if (nir_use_is_const(d->index))
      a->constant += CLAMP(nir_use_as_int(d->index), INT32_MIN, INT32_MAX) *
                     (int64_t)stride_B;
   else
      add_dynamic(s, a, nir_use_value(&s->b, d->index, 1), stride_B);
}

/* The element of an array (of arrays) of blocks. */
static nir_value *
block_element(struct state *s, nir_deref_instr ***d)
{
   nir_value *element = NULL;

   while (**d && (**d)->deref_type == nir_deref_type_array &&
          glsl_type_is_array((*d)[-1]->type)) {
      nir_value *i =
         nir_i2iN(&s->b, nir_use_value(&s->b, (**d)->index, 1), 32);
      const unsigned inner = glsl_get_aoa_size((**d)->type);
      if (inner > 1)
         i = nir_imul_imm(&s->b, i, inner);
      element = element ? nir_iadd(&s->b, element, i) : i;
      (*d)++;
   }
   return element ? element : nir_imm_int(&s->b, 0);
}

static bool
find_address(struct state *s, nir_deref_instr *deref, struct address *a)
{
   nir_deref_path path;
   nir_deref_instr **d;
   nir_variable *var;
   bool ok = true;

   memset(a, 0, sizeof(*a));
   a->align_mul = BLOCK_ALIGN_B;
   nir_deref_path_init(&path, deref, NULL);
   var = path.path[0]->deref_type == nir_deref_type_var ? path.path[0]->var
                                                        : NULL;
   d = path.path + 1;
   if (var && has_buffer_index(var)) {
      nir_value *element = block_element(s, &d);
      a->index = nir_vulkan_resource_index(
         &s->b, 1, 32, element, .desc_set = var->data.descriptor_set,
         .binding = var->data.binding);
   } else if (var) {
      a->constant = var->data.driver_location;
   }
   if (var && !glsl_type_is_unsized_array(glsl_without_array(var->type)))
      a->size_B =
         glsl_get_explicit_size(glsl_without_array(var->type), false);
   for (; var && *d; d++) {
      if ((*d)->deref_type != nir_deref_type_struct &&
          (*d)->deref_type != nir_deref_type_array)
         ok = false;
      else
         step(s, a, *d, d[-1]->type);
   }
   nir_deref_path_finish(&path);
   return ok && var;
}

/* No buffer is as large: what lies there is outside of each, as are those
 * before the first byte and beyond 32 bits. */
#define OUTSIDE_B 0x80000000u

static uint32_t
constant_of(const struct address *a)
{
   return a->constant < 0 || a->constant > OUTSIDE_B ? OUTSIDE_B
                                                     : (uint32_t)a->constant;
}

static nir_value *
offset_of(struct state *s, const struct address *a)
{
   if (!a->dynamic)
      return nir_imm_int(&s->b, (int)constant_of(a));
   return nir_iadd_imm(&s->b, a->dynamic, (uint64_t)a->constant);
}

static void
set_align(nir_intrinsic_instr *intr, const struct address *a)
{
   /* The remainder of a number below 0, too. */
   nir_intrinsic_set_align(intr, a->align_mul,
                           (uint32_t)a->constant & (a->align_mul - 1));
}

static struct address
plus(const struct address *a, unsigned bytes)
{
   struct address r = *a;

   r.constant += bytes;
   return r;
}

/* --- Loads and stores --------------------------------------------------- */

static nir_intrinsic_op
load_op(nir_variable_mode mode)
{
   switch (mode) {
   case nir_var_mem_ubo: return nir_intrinsic_load_ubo;
   case nir_var_mem_ssbo: return nir_intrinsic_load_ssbo;
   case nir_var_mem_push_const: return nir_intrinsic_load_push_constant;
   case nir_var_mem_shared: return nir_intrinsic_load_shared;
   default: return nir_num_intrinsics;
   }
}

static nir_value *
emit_load(struct state *s, const struct address *a, nir_variable_mode mode,
          unsigned comps, unsigned bits, enum gl_access_qualifier access)
{
   nir_intrinsic_instr *load = nir_new_intrinsic(s->b.shader, load_op(mode));
   unsigned n = 0;

   load->num_components = (uint8_t)comps;
   if (a->index)
      load->src[n++] = nir_use_of(a->index);
   load->src[n] = nir_use_of(offset_of(s, a));
   if (mode == nir_var_mem_ubo || mode == nir_var_mem_ssbo)
      nir_intrinsic_set_access(load, access);
   if (mode != nir_var_mem_push_const)
      set_align(load, a);
   if (mode == nir_var_mem_push_const) {
      nir_intrinsic_set_base(load, 0);
      nir_intrinsic_set_range(load, a->size_B);
   } else if (mode == nir_var_mem_shared) {
      nir_intrinsic_set_base(load, 0);
   }
   if (mode == nir_var_mem_ubo) {
      nir_intrinsic_set_range_base(load, a->dynamic ? 0 : constant_of(a));
      nir_intrinsic_set_range(load, a->dynamic ? (a->size_B ? a->size_B : ~0u)
                                               : comps * bits / 8);
   }
   nir_set_result(&load->instr, comps, bits);
   return nir_emit(&s->b, &load->instr);
}

static void
emit_store(struct state *s, const struct address *a, nir_variable_mode mode,
           nir_value *value, unsigned mask, enum gl_access_qualifier access)
{
   nir_intrinsic_instr *store = nir_new_intrinsic(
      s->b.shader, mode == nir_var_mem_ssbo ? nir_intrinsic_store_ssbo
                                            : nir_intrinsic_store_shared);
   unsigned n = 0;

   store->num_components = value->num_components;
   store->src[n++] = nir_use_of(value);
   if (a->index)
      store->src[n++] = nir_use_of(a->index);
   store->src[n] = nir_use_of(offset_of(s, a));
   nir_intrinsic_set_write_mask(store, mask);
   if (mode == nir_var_mem_ssbo)
      nir_intrinsic_set_access(store, access);
   else
      nir_intrinsic_set_base(store, 0);
   set_align(store, a);
   nir_emit(&s->b, &store->instr);
}

/* Bytes between the components of what a deref names. */
static unsigned
component_stride(const nir_deref_instr *deref)
{
   const unsigned stride = glsl_get_explicit_stride(deref->type);

   if (glsl_type_is_vector(deref->type) && stride)
      return stride;
   return glsl_get_bit_size(deref->type) / 8;
}

static nir_value *
lower_load(struct state *s, const nir_intrinsic_instr *intr,
           const nir_deref_instr *deref, const struct address *a)
{
   const unsigned comps = intr->num_components;
   const unsigned bits = intr->instr.result.bit_size;
   /* Booleans in shared memory take 32 bits. */
   const unsigned mem_bits = bits == 1 ? 32 : bits;
   const unsigned stride = bits == 1 ? 4 : component_stride(deref);
   const enum gl_access_qualifier access = nir_intrinsic_access(intr);
   nir_value *parts[NIR_MAX_VEC_COMPONENTS], *def;

   if (stride == mem_bits / 8) {
      def = emit_load(s, a, deref->modes, comps, mem_bits, access);
   } else {
      for (unsigned i = 0; i < comps; i++) {
         const struct address c = plus(a, i * stride);
         parts[i] = emit_load(s, &c, deref->modes, 1, mem_bits, access);
      }
      def = nir_vec(&s->b, parts, comps);
   }
   return bits == 1 ? nir_ine_imm(&s->b, def, 0) : def;
}

static void
lower_store(struct state *s, const nir_intrinsic_instr *intr,
            const nir_deref_instr *deref, const struct address *a)
{
   nir_value *value =
      nir_use_value(&s->b, intr->src[1], intr->num_components);
   const unsigned mask = nir_intrinsic_write_mask(intr);
   const enum gl_access_qualifier access = nir_intrinsic_access(intr);
   unsigned stride = component_stride(deref);

   if (value->bit_size == 1) {
      value = nir_b2iN(&s->b, value, 32);
      stride = 4;
   }
   if (stride == value->bit_size / 8) {
      emit_store(s, a, deref->modes, value, mask, access);
      return;
   }
   for (unsigned i = 0; i < value->num_components; i++) {
      const struct address c = plus(a, i * stride);
      if (mask & (1u << i))
         emit_store(s, &c, deref->modes, nir_channel(&s->b, value, i), 1,
                    access);
   }
}

/* --- Atomics and sizes -------------------------------------------------- */

static const struct {
   nir_intrinsic_op deref, ssbo, shared;
} atomics[] = {
#define ATOMIC(op)                                                           \
   {                                                                         \
      nir_intrinsic_deref_atomic_##op, nir_intrinsic_ssbo_atomic_##op,       \
         nir_intrinsic_shared_atomic_##op                                    \
   }
   ATOMIC(add),      ATOMIC(imin),       ATOMIC(umin), ATOMIC(imax),
   ATOMIC(umax),     ATOMIC(and),        ATOMIC(or),   ATOMIC(xor),
   ATOMIC(exchange), ATOMIC(comp_swap),  ATOMIC(fadd), ATOMIC(fmin),
   ATOMIC(fmax),     ATOMIC(fcomp_swap),
#undef ATOMIC
};

static int
find_atomic(nir_intrinsic_op op)
{
   for (unsigned i = 0; i < ARRAY_SIZE(atomics); i++) {
      if (atomics[i].deref == op)
         return (int)i;
   }
   return -1;
}

static nir_value *
lower_atomic(struct state *s, const nir_intrinsic_instr *intr, int row,
             const struct address *a)
{
   nir_intrinsic_instr *atomic = nir_new_intrinsic(
      s->b.shader, a->index ? atomics[row].ssbo : atomics[row].shared);
   const unsigned data = nir_intrinsic_infos[intr->intrinsic].num_srcs - 1u;
   unsigned n = 0;

   if (a->index)
      atomic->src[n++] = nir_use_of(a->index);
   atomic->src[n++] = nir_use_of(offset_of(s, a));
   for (unsigned i = 0; i < data; i++)
      atomic->src[n++] =
         nir_use_of(nir_use_value(&s->b, intr->src[1 + i], 1));
   atomic->num_components = 1;
   if (a->index)
      nir_intrinsic_set_access(atomic, nir_intrinsic_access(intr));
   nir_set_result(&atomic->instr, 1, intr->instr.result.bit_size);
   return nir_emit(&s->b, &atomic->instr);
}

/* (size of the buffer - start of the array) / stride, not below zero. */
static nir_value *
lower_array_length(struct state *s, const nir_deref_instr *deref,
                   const struct address *a)
{
   const unsigned stride = MAX2(glsl_get_explicit_stride(deref->type), 1);
   nir_value *size = nir_get_ssbo_size(&s->b, a->index);
   nir_value *start = offset_of(s, a);

   size = nir_usub_sat(&s->b, size, start);
   return nir_udiv_imm(&s->b, size, stride);
}

static nir_value *
lower_pointer(struct state *s, const struct address *a)
{
   return nir_pack_64_2x32_split(&s->b, offset_of(s, a),
                                 a->index ? a->index : nir_imm_int(&s->b, 1));
}

static void
lower_intrinsic(struct state *s, nir_intrinsic_instr *intr)
{
   const int atomic = find_atomic(intr->intrinsic);
   nir_value *def = NULL;
   nir_deref_instr *deref;
   struct address a;

   if (atomic < 0 && intr->intrinsic != nir_intrinsic_load_deref &&
       intr->intrinsic != nir_intrinsic_store_deref &&
       intr->intrinsic != nir_intrinsic_buffer_pointer &&
       intr->intrinsic != nir_intrinsic_deref_buffer_array_length)
      return;
   deref = nir_use_as_deref(intr->src[0]);
   if (!deref || !nir_deref_mode_is_one_of(deref, s->modes))
      return;
   s->b.cursor = nir_before_instr(&intr->instr);
   if (!find_address(s, deref, &a))
      return;
   if (atomic >= 0)
      def = lower_atomic(s, intr, atomic, &a);
   else if (intr->intrinsic == nir_intrinsic_load_deref)
      def = lower_load(s, intr, deref, &a);
   else if (intr->intrinsic == nir_intrinsic_store_deref)
      lower_store(s, intr, deref, &a);
   else if (intr->intrinsic == nir_intrinsic_buffer_pointer)
      def = lower_pointer(s, &a);
   else
      def = lower_array_length(s, deref, &a);
   if (def)
      nir_value_replace(&intr->instr.result, def);
   nir_instr_remove(&intr->instr);
   nir_deref_remove_unused(deref);
   s->progress = true;
}

/* `format` says what an address is on the target; the forms above are those
 * of index_offset (buffers) and offset (push constants, shared). */
bool
nir_lower_explicit_io(nir_shader *shader, nir_variable_mode modes,
                      nir_address_format format)
{
   bool progress = false;

   assert(format == nir_address_format_32bit_index_offset ||
          format == nir_address_format_32bit_offset);
   modes &= nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_push_const |
            nir_var_mem_shared;
   nir_foreach_impl(impl, shader) {
      struct state s = { .modes = modes };
      nir_builder_init(&s.b, impl);
      nir_foreach_block(block, impl) {
         nir_foreach_instr_safe(instr, block) {
            if (instr->kind == nir_kind_intrinsic)
               lower_intrinsic(&s, nir_instr_as_intrinsic(instr));
         }
      }
      nir_changed(impl, s.progress, nir_metadata_control_flow);
      progress |= s.progress;
   }
   return progress;
}

/* Shared variables one after the other, each by `type_info`; blocks, which
 * a shader has alone, one over the other. */
bool
nir_lower_vars_to_explicit_types(nir_shader *shader, nir_variable_mode modes,
                                 glsl_type_size_align_func type_info)
{
   bool progress = false;
   unsigned end = shader->info.shared_size;

   assert((modes & ~nir_var_mem_shared) == 0);
   nir_foreach_variable_with_modes(var, shader, modes) {
      unsigned size, align;

      progress = true;
      if (var->interface_type) {
         /* Blocks have their layout, and all begin where the memory does. */
         var->data.driver_location = 0;
         shader->info.shared_size =
            MAX2(shader->info.shared_size,
                 glsl_get_explicit_size(var->type, false));
         continue;
      }
      const struct glsl_type *t = glsl_get_explicit_type_for_size_align(
         var->type, type_info, &size, &align);
      end = ALIGN(end, MAX2(align, 1u));
      var->type = t;
      var->data.driver_location = end;
      end += size;
   }
   shader->info.shared_size = MAX2(shader->info.shared_size, end);
   /* Dereferences carry types of their own. */
   nir_foreach_impl(impl, shader) {
      nir_foreach_block(block, impl) {
         nir_foreach_instr(instr, block) {
            nir_deref_instr *d, *up;
            if (instr->kind != nir_kind_deref)
               continue;
            d = nir_instr_as_deref(instr);
            if (!nir_deref_mode_is_one_of(d, modes))
               continue;
            up = nir_deref_parent(d);
            if (d->deref_type == nir_deref_type_var)
               d->type = d->var->type;
            else if (d->deref_type == nir_deref_type_struct)
               d->type = glsl_get_struct_field(up->type, d->member);
            else if (d->deref_type == nir_deref_type_array)
               d->type = glsl_get_array_element(up->type);
         }
      }
   }
   nir_shader_preserve_all_metadata(shader);
   return progress;
}
