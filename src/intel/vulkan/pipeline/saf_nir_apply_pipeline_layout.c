/* SPDX-License-Identifier: MIT */
/*
 * Problem: shaders name resources by descriptor set and binding; the
 * hardware knows entries of a binding table and of a sampler table.
 *
 * Method: each variable that is used gets as many entries as its binding has
 * elements, the first time it is met; the map says which descriptor each
 * entry stands for. Then every access is rewritten:
 *    texture derefs      texture_index / sampler_index, dynamic parts as
 *                        texture_offset / sampler_offset sources
 *    uniform blocks      load_ubo (entry, byte offset)
 *    storage blocks      load_ssbo, store_ssbo, ssbo_atomic_* (entry, byte
 *                        offset); sizes from the block of SAF_SET_INFO, and
 *                        so the addresses of 64-bit atomics
 *    storage images      image_load, image_store, ... (entry)
 *    push constants      load_push_constant (byte offset)
 *
 * Before: one function; the derefs of resources start at variables; memory
 * types carry their layout. After: none of those derefs is left.
 */
#include <stdio.h>

#include "compiler/nir/nir_builder.h"
#include "saf_nir_format.h"

struct state {
   nir_builder b;
   nir_shader *nir;
   const struct saf_pipeline_layout *layout;
   struct saf_bind_map *map;
   unsigned max_samplers;
   bool failed;
};

static bool
fail(struct state *s, const char *why)
{
   if (!s->failed)
      saf_error(VK_ERROR_FEATURE_NOT_PRESENT, "pipeline layout: %s", why);
   s->failed = true;
   return false;
}

static uint32_t
binding_count(const struct state *s, unsigned set, unsigned binding)
{
   if (!s->layout)
      return 1;
   if (set >= s->layout->set_count ||
       binding >= s->layout->sets[set]->binding_count)
      return 0;
   return s->layout->sets[set]->bindings[binding].count;
}

static uint8_t
map_set(const struct state *s, unsigned set)
{
   return s->layout ? (uint8_t)set : SAF_SET_META;
}

/* The first entry of a binding in a list, which is made if need be. */
static bool
find_entries(struct state *s, struct saf_binding *list, uint32_t *used,
             uint32_t max, const nir_variable *var, bool image_load,
             uint32_t *first)
{
   const uint8_t set = map_set(s, var->data.descriptor_set);
   for (uint32_t i = 0; i < *used; i++) {
      if (list[i].set == set && list[i].binding == var->data.binding &&
          list[i].element == 0 && list[i].image_load == image_load) {
         *first = i;
         return true;
      }
   }
   const uint32_t count =
      binding_count(s, var->data.descriptor_set, var->data.binding);
   if (count == 0)
      return fail(s, "a shader uses a binding that the layout lacks");
   if (*used + count > max)
      return fail(s, "too many bindings for a shader stage");
   *first = *used;
   for (uint32_t i = 0; i < count; i++)
      list[(*used)++] = (struct saf_binding) {
         .set = set,
         .image_load = image_load,
         .binding = var->data.binding,
         .element = i,
      };
   return true;
}

static bool
surface_entry(struct state *s, const nir_variable *var, bool image_load,
              uint32_t *index)
{
   struct saf_bind_map *map = s->map;
   uint32_t first;
   if (!find_entries(s, map->surfaces, &map->surface_count,
                     SAF_MAX_BINDING_TABLE - map->surface_start, var,
                     image_load, &first))
      return false;
   *index = map->surface_start + first;
   return true;
}

/* ---- textures ---- */

/* The index into an array (of arrays) of resources, flattened: a constant
 * part, and a dynamic one that may be NULL. */
static void
flatten_index(struct state *s, nir_deref_instr *deref, uint32_t *constant,
              nir_ssa_def **dynamic)
{
   *constant = 0;
   *dynamic = NULL;
   uint32_t stride = 1;
   while (deref->deref_type == nir_deref_type_array) {
      nir_deref_instr *parent = nir_deref_instr_parent(deref);
      if (nir_src_is_const(deref->arr.index)) {
         *constant += stride * (uint32_t)nir_src_as_uint(deref->arr.index);
      } else {
         nir_ssa_def *index =
            nir_imul_imm(&s->b, deref->arr.index.ssa, stride);
         *dynamic = *dynamic ? nir_iadd(&s->b, *dynamic, index) : index;
      }
      stride *= glsl_get_length(parent->type);
      deref = parent;
   }
}

static bool
lower_tex(struct state *s, nir_tex_instr *tex)
{
   s->b.cursor = nir_before_instr(&tex->instr);
   bool progress = false;
   static const nir_tex_src_type types[] = { nir_tex_src_texture_deref,
                                             nir_tex_src_sampler_deref };
   for (unsigned t = 0; t < ARRAY_SIZE(types); t++) {
      const int src = nir_tex_instr_src_index(tex, types[t]);
      if (src < 0)
         continue;
      nir_deref_instr *deref = nir_src_as_deref(tex->src[(unsigned)src].src);
      const nir_variable *var = nir_deref_instr_get_variable(deref);
      uint32_t constant, first = 0;
      nir_ssa_def *dynamic;
      flatten_index(s, deref, &constant, &dynamic);
      const bool sampler = types[t] == nir_tex_src_sampler_deref;
      const bool ok =
         sampler ? find_entries(s, s->map->samplers, &s->map->sampler_count,
                                s->max_samplers, var, false, &first)
                 : surface_entry(s, var, false, &first);
      if (!ok)
         return false;
      nir_tex_instr_remove_src(tex, (unsigned)src);
      if (sampler)
         tex->sampler_index = first + constant;
      else
         tex->texture_index = first + constant;
      if (dynamic)
         nir_tex_instr_add_src(tex,
                               sampler ? nir_tex_src_sampler_offset
                                       : nir_tex_src_texture_offset,
                               nir_src_for_ssa(dynamic));
      progress = true;
   }
   return progress;
}

/* ---- memory ---- */

/* Where an access goes: entry (blocks only) and byte offset, each with a
 * constant and a dynamic part. */
struct address {
   const nir_variable *var;
   nir_ssa_def *block; /* dynamic part or NULL */
   uint32_t block_const;
   nir_ssa_def *offset;
   uint32_t offset_const;
   uint32_t component_stride_B; /* of the vector that is accessed */
   bool non_uniform;            /* whichever entry it is */
};

static void
add_scaled(nir_builder *b, nir_ssa_def **dynamic, uint32_t *constant,
           nir_src index, uint32_t scale)
{
   if (nir_src_is_const(index)) {
      *constant += (uint32_t)nir_src_as_uint(index) * scale;
      return;
   }
   nir_ssa_def *i = nir_u2uN(b, index.ssa, 32);
   nir_ssa_def *scaled = nir_imul_imm(b, i, scale);
   *dynamic = *dynamic ? nir_iadd(b, *dynamic, scaled) : scaled;
}

/* Booleans are words in memory. */
static uint32_t
memory_bits(const struct glsl_type *type)
{
   const uint32_t bits = glsl_get_bit_size(type);
   return bits == 1 ? 32 : bits;
}

/* `row_major` is the order of the innermost struct member that says one. */
static bool
walk_chain(struct state *s, nir_deref_instr *deref, struct address *a)
{
   nir_deref_path path;
   nir_deref_path_init(&path, deref, NULL);
   memset(a, 0, sizeof(*a));
   bool ok = path.path[0]->deref_type == nir_deref_type_var;
   if (!ok)
      fail(s, "a memory access does not start at a variable");
   a->var = path.path[0]->var;
   bool row_major = false;
   a->component_stride_B = glsl_type_is_vector_or_scalar(deref->type)
                              ? memory_bits(deref->type) / 8
                              : 4;
   for (nir_deref_instr **p = path.path; ok && *p; p++) {
      nir_deref_instr *d = *p;
      const struct glsl_type *parent = p > path.path ? p[-1]->type : NULL;
      switch (d->deref_type) {
      case nir_deref_type_var: break;
      case nir_deref_type_struct:
         a->offset_const +=
            (uint32_t)glsl_get_struct_field_offset(parent, d->strct.index);
         row_major = glsl_matrix_type_is_row_major(d->type);
         break;
      case nir_deref_type_array:
         if (!glsl_type_is_vector_or_scalar(parent) && p == path.path + 1 &&
             glsl_type_is_struct_or_ifc(glsl_without_array(parent)) &&
             a->var->data.mode != nir_var_mem_push_const) {
            add_scaled(&s->b, &a->block, &a->block_const, d->arr.index, 1);
            break;
         }
         if (glsl_type_is_vector(parent)) {
            /* A component; its distance is that of the column's parts. */
            add_scaled(&s->b, &a->offset, &a->offset_const, d->arr.index,
                       row_major ? a->component_stride_B
                                 : glsl_get_bit_size(d->type) / 8);
         } else if (glsl_type_is_matrix(parent)) {
            row_major = glsl_matrix_type_is_row_major(parent);
            const uint32_t stride = glsl_get_explicit_stride(parent);
            add_scaled(&s->b, &a->offset, &a->offset_const, d->arr.index,
                       row_major ? glsl_get_bit_size(parent) / 8 : stride);
            if (row_major)
               a->component_stride_B = stride;
         } else {
            add_scaled(&s->b, &a->offset, &a->offset_const, d->arr.index,
                       glsl_get_explicit_stride(parent));
         }
         break;
      default: ok = fail(s, "a memory access with casts");
      }
   }
   nir_deref_path_finish(&path);
   return ok;
}

static nir_ssa_def *
sum(nir_builder *b, nir_ssa_def *dynamic, uint32_t constant)
{
   return dynamic ? nir_iadd_imm(b, dynamic, constant)
                  : nir_imm_int(b, (int)constant);
}

static nir_ssa_def *
load_at(struct state *s, const struct address *a, nir_ssa_def *entry,
        unsigned components, unsigned bit_size, uint32_t extra_B)
{
   nir_builder *b = &s->b;
   nir_ssa_def *offset = sum(b, a->offset, a->offset_const + extra_B);
   const uint32_t align_B = bit_size / 8;
   const bool ubo = a->var->data.mode == nir_var_mem_ubo;
   nir_ssa_def *srcs[2] = { entry, offset };
   nir_intrinsic_op op = ubo ? nir_intrinsic_load_ubo
                             : nir_intrinsic_load_ssbo;
   if (!entry) {
      op = nir_intrinsic_load_push_constant;
      srcs[0] = offset;
   }
   nir_intrinsic_instr *load =
      nir_build_intrinsic_begin(b, op, components, bit_size, srcs);
   if (op == nir_intrinsic_load_push_constant) {
      nir_intrinsic_set_base(load, 0);
      nir_intrinsic_set_range(load, SAF_MAX_PUSH_CONSTANTS_B);
   } else {
      nir_intrinsic_set_align(load, align_B, 0);
      if (a->non_uniform)
         nir_intrinsic_set_access(load, ACCESS_NON_UNIFORM);
   }
   if (op == nir_intrinsic_load_ubo) {
      nir_intrinsic_set_range_base(load, 0);
      nir_intrinsic_set_range(load, ~0u);
   }
   nir_builder_instr_insert(b, &load->instr);
   return &load->dest.ssa;
}

static bool
resolve(struct state *s, nir_deref_instr *deref, struct address *a,
        nir_ssa_def **entry)
{
   if (!walk_chain(s, deref, a))
      return false;
   *entry = NULL;
   if (a->var->data.mode == nir_var_mem_push_const)
      return true;
   uint32_t first;
   if (!surface_entry(s, a->var, false, &first))
      return false;
   *entry = sum(&s->b, a->block, first + a->block_const);
   return true;
}

static bool
is_strided(const struct address *a, unsigned components, unsigned bit_size)
{
   return components > 1 && a->component_stride_B != bit_size / 8;
}

static bool
lower_load(struct state *s, nir_intrinsic_instr *intr, nir_deref_instr *deref)
{
   s->b.cursor = nir_before_instr(&intr->instr);
   struct address a;
   nir_ssa_def *entry;
   if (!resolve(s, deref, &a, &entry))
      return false;
   a.non_uniform = nir_intrinsic_access(intr) & ACCESS_NON_UNIFORM;
   const unsigned n = intr->dest.ssa.num_components;
   const unsigned bit_size = intr->dest.ssa.bit_size;
   const unsigned mem_bits = bit_size == 1 ? 32 : bit_size;
   nir_ssa_def *value;
   if (is_strided(&a, n, mem_bits)) {
      nir_ssa_def *parts[NIR_MAX_VEC_COMPONENTS];
      for (unsigned i = 0; i < n; i++)
         parts[i] =
            load_at(s, &a, entry, 1, mem_bits, i * a.component_stride_B);
      value = nir_vec(&s->b, parts, n);
   } else {
      value = load_at(s, &a, entry, n, mem_bits, 0);
   }
   if (bit_size == 1)
      value = nir_i2b(&s->b, value);
   nir_ssa_def_rewrite_uses(&intr->dest.ssa, value);
   nir_instr_remove(&intr->instr);
   return true;
}

static bool
lower_store(struct state *s, nir_intrinsic_instr *intr,
            nir_deref_instr *deref)
{
   s->b.cursor = nir_before_instr(&intr->instr);
   struct address a;
   nir_ssa_def *entry;
   if (!resolve(s, deref, &a, &entry))
      return false;
   nir_ssa_def *value = intr->src[1].ssa;
   if (value->bit_size == 1)
      value = nir_b2iN(&s->b, value, 32);
   const unsigned mask = nir_intrinsic_write_mask(intr);
   for (unsigned i = 0; i < value->num_components; i++) {
      if (!(mask & (1u << i)))
         continue;
      const uint32_t step =
         is_strided(&a, value->num_components, value->bit_size)
            ? a.component_stride_B
            : value->bit_size / 8;
      nir_ssa_def *offset = sum(&s->b, a.offset, a.offset_const + i * step);
      nir_ssa_def *srcs[3] = { nir_channel(&s->b, value, i), entry, offset };
      nir_intrinsic_instr *store = nir_build_intrinsic_begin(
         &s->b, nir_intrinsic_store_ssbo, 1, 0, srcs);
      nir_intrinsic_set_write_mask(store, 1);
      nir_intrinsic_set_align(store, value->bit_size / 8, 0);
      if (nir_intrinsic_access(intr) & ACCESS_NON_UNIFORM)
         nir_intrinsic_set_access(store, ACCESS_NON_UNIFORM);
      nir_builder_instr_insert(&s->b, &store->instr);
   }
   nir_instr_remove(&intr->instr);
   return true;
}

/* ---- atomic operations, sizes ---- */

static nir_intrinsic_op
ssbo_atomic(nir_intrinsic_op op)
{
   switch (op) {
#define ROW(name)                                                            \
   case nir_intrinsic_deref_atomic_##name:                                   \
      return nir_intrinsic_ssbo_atomic_##name
      ROW(add);
      ROW(imin);
      ROW(umin);
      ROW(imax);
      ROW(umax);
      ROW(and);
      ROW(or);
      ROW(xor);
      ROW(exchange);
      ROW(comp_swap);
      ROW(fadd);
      ROW(fmin);
      ROW(fmax);
      ROW(fcomp_swap);
#undef ROW
   default: return nir_num_intrinsics;
   }
}

static bool
lower_atomic(struct state *s, nir_intrinsic_instr *intr,
             nir_deref_instr *deref)
{
   s->b.cursor = nir_before_instr(&intr->instr);
   struct address a;
   nir_ssa_def *srcs[4] = { NULL };
   if (!resolve(s, deref, &a, &srcs[0]))
      return false;
   srcs[1] = sum(&s->b, a.offset, a.offset_const);
   const unsigned n = nir_intrinsic_infos[intr->intrinsic].num_srcs;
   for (unsigned i = 1; i < n; i++)
      srcs[1 + i] = intr->src[i].ssa;
   nir_intrinsic_instr *atomic = nir_build_intrinsic_begin(
      &s->b, ssbo_atomic(intr->intrinsic), 1, intr->dest.ssa.bit_size, srcs);
   nir_intrinsic_set_access(atomic, nir_intrinsic_access(intr));
   nir_builder_instr_insert(&s->b, &atomic->instr);
   nir_ssa_def_rewrite_uses(&intr->dest.ssa, &atomic->dest.ssa);
   nir_instr_remove(&intr->instr);
   return true;
}

static nir_intrinsic_op
global_atomic(nir_intrinsic_op op)
{
   switch (op) {
#define ROW(name)                                                            \
   case nir_intrinsic_deref_atomic_##name:                                   \
      return nir_intrinsic_global_atomic_##name
      ROW(add);
      ROW(imin);
      ROW(umin);
      ROW(imax);
      ROW(umax);
      ROW(and);
      ROW(or);
      ROW(xor);
      ROW(exchange);
      ROW(comp_swap);
#undef ROW
   default: return nir_num_intrinsics;
   }
}

/* Messages of surfaces have 32 bits only: by address, if the buffer reaches
 * so far. */
static bool
lower_wide_atomic(struct state *s, nir_intrinsic_instr *intr)
{
   nir_builder *b = &s->b;
   struct address a;
   nir_ssa_def *entry, *srcs[3];
   const nir_intrinsic_op op = global_atomic(intr->intrinsic);
   b->cursor = nir_before_instr(&intr->instr);
   if (op == nir_num_intrinsics)
      return fail(s, "an atomic operation that 64 bits do not have");
   if (!resolve(s, nir_src_as_deref(intr->src[0]), &a, &entry))
      return false;
   nir_ssa_def *size = saf_nir_buffer_size(b, s->map, entry);
   nir_ssa_def *address = saf_nir_buffer_address(b, s->map, entry);
   if (!size || !address)
      return fail(s, "too many bindings for a shader stage");
   nir_ssa_def *offset = sum(b, a.offset, a.offset_const);
   nir_ssa_def *zero = nir_imm_intN_t(b, 0, 64);
   nir_ssa_def *left = nir_usub_sat(b, size, offset);
   nir_if *inside = nir_push_if(b, nir_uge(b, left, nir_imm_int(b, 8)));
   srcs[0] = nir_iadd(b, address, nir_u2u64(b, offset));
   for (unsigned i = 1; i < nir_intrinsic_infos[op].num_srcs; i++)
      srcs[i] = intr->src[i].ssa;
   nir_intrinsic_instr *atomic =
      nir_build_intrinsic_begin(b, op, 1, 64, srcs);
   nir_builder_instr_insert(b, &atomic->instr);
   nir_pop_if(b, inside);
   nir_ssa_def_rewrite_uses(&intr->dest.ssa,
                            nir_if_phi(b, &atomic->dest.ssa, zero));
   nir_instr_remove(&intr->instr);
   return true;
}

static bool
is_wide_atomic(const nir_instr *instr)
{
   if (instr->type != nir_instr_type_intrinsic)
      return false;
   const nir_intrinsic_instr *intr =
      nir_instr_as_intrinsic((nir_instr *)instr);
   return ssbo_atomic(intr->intrinsic) != nir_num_intrinsics &&
          intr->dest.ssa.bit_size == 64 &&
          nir_deref_mode_is_one_of(nir_src_as_deref(intr->src[0]),
                                   nir_var_mem_ssbo);
}

/* They become control flow: first the list. */
static bool
lower_wide_atomics(struct state *s, nir_function_impl *impl)
{
   struct util_dynarray found = { 0 };
   bool progress = false;
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (is_wide_atomic(instr))
            util_dynarray_append(&found, nir_instr *, instr);
      }
   }
   util_dynarray_foreach(&found, nir_instr *, instr)
      progress |= lower_wide_atomic(s, nir_instr_as_intrinsic(*instr));
   if (found.size_B)
      nir_metadata_preserve(impl, nir_metadata_none);
   util_dynarray_fini(&found);
   return progress;
}

/* The number of elements of an array without a size, from that of the
 * buffer; none if not even the array's start is in it. */
static bool
lower_array_length(struct state *s, nir_intrinsic_instr *intr,
                   nir_deref_instr *deref)
{
   nir_builder *b = &s->b;
   b->cursor = nir_before_instr(&intr->instr);
   struct address a;
   nir_ssa_def *entry;
   if (!resolve(s, deref, &a, &entry))
      return false;
   nir_ssa_def *size = saf_nir_buffer_size(b, s->map, entry);
   if (!size)
      return fail(s, "too many bindings for a shader stage");
   nir_ssa_def *start = sum(b, a.offset, a.offset_const);
   nir_ssa_def *bytes = nir_usub_sat(b, size, start);
   nir_ssa_def *length = nir_udiv(
      b, bytes, nir_imm_int(b, (int)glsl_get_explicit_stride(deref->type)));
   nir_ssa_def_rewrite_uses(&intr->dest.ssa, length);
   nir_instr_remove(&intr->instr);
   return true;
}

/* ---- storage images ---- */

static nir_intrinsic_op
image_op(nir_intrinsic_op op)
{
   switch (op) {
#define ROW(name)                                                            \
   case nir_intrinsic_image_deref_##name: return nir_intrinsic_image_##name
      ROW(load);
      ROW(store);
      ROW(size);
      ROW(samples);
      ROW(atomic_add);
      ROW(atomic_imin);
      ROW(atomic_umin);
      ROW(atomic_imax);
      ROW(atomic_umax);
      ROW(atomic_and);
      ROW(atomic_or);
      ROW(atomic_xor);
      ROW(atomic_exchange);
      ROW(atomic_comp_swap);
      ROW(atomic_fadd);
      ROW(atomic_fmin);
      ROW(atomic_fmax);
      ROW(atomic_fcomp_swap);
#undef ROW
   default: return nir_num_intrinsics;
   }
}

static bool
lower_image(struct state *s, nir_intrinsic_instr *intr,
            nir_deref_instr *deref)
{
   nir_builder *b = &s->b;
   b->cursor = nir_before_instr(&intr->instr);
   const nir_intrinsic_op op = image_op(intr->intrinsic);
   const bool for_load = op != nir_intrinsic_image_store &&
                         op != nir_intrinsic_image_size &&
                         op != nir_intrinsic_image_samples;
   uint32_t constant, first;
   nir_ssa_def *dynamic;
   flatten_index(s, deref, &constant, &dynamic);
   if (!surface_entry(s, nir_deref_instr_get_variable(deref), for_load,
                      &first))
      return false;
   const unsigned n = nir_intrinsic_infos[op].num_srcs;
   nir_ssa_def *srcs[8] = { sum(b, dynamic, first + constant) };
   for (unsigned i = 1; i < n; i++)
      srcs[i] = intr->src[i].ssa;
   const bool has_dest = nir_intrinsic_infos[op].has_dest;
   nir_intrinsic_instr *image = nir_build_intrinsic_begin(
      b, op, has_dest ? intr->dest.ssa.num_components : intr->num_components,
      has_dest ? intr->dest.ssa.bit_size : 0, srcs);
   nir_intrinsic_copy_const_indices(image, intr);
   nir_builder_instr_insert(b, &image->instr);
   if (has_dest)
      nir_ssa_def_rewrite_uses(&intr->dest.ssa, &image->dest.ssa);
   nir_instr_remove(&intr->instr);
   return true;
}

static bool
lower_intrinsic(struct state *s, nir_intrinsic_instr *intr)
{
   if (image_op(intr->intrinsic) != nir_num_intrinsics)
      return lower_image(s, intr, nir_src_as_deref(intr->src[0]));
   if (ssbo_atomic(intr->intrinsic) != nir_num_intrinsics) {
      nir_deref_instr *d = nir_src_as_deref(intr->src[0]);
      return nir_deref_mode_is_one_of(d, nir_var_mem_ssbo) &&
             lower_atomic(s, intr, d);
   }
   if (intr->intrinsic == nir_intrinsic_deref_buffer_array_length)
      return lower_array_length(s, intr, nir_src_as_deref(intr->src[0]));
   if (intr->intrinsic != nir_intrinsic_load_deref &&
       intr->intrinsic != nir_intrinsic_store_deref)
      return false;
   nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
   const nir_variable_mode modes = nir_var_mem_ubo | nir_var_mem_ssbo |
                                   nir_var_mem_push_const;
   if (!nir_deref_mode_is_one_of(deref, modes))
      return false;
   return intr->intrinsic == nir_intrinsic_load_deref
             ? lower_load(s, intr, deref)
             : lower_store(s, intr, deref);
}

static bool
lower_instr(struct state *s, nir_instr *instr)
{
   if (instr->type == nir_instr_type_tex)
      return lower_tex(s, nir_instr_as_tex(instr));
   if (instr->type == nir_instr_type_intrinsic)
      return lower_intrinsic(s, nir_instr_as_intrinsic(instr));
   return false;
}

bool
saf_nir_apply_pipeline_layout(const struct intel_device_info *info,
                              nir_shader *nir,
                              const struct saf_pipeline_layout *layout,
                              uint32_t surface_start,
                              struct saf_bind_map *map)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   struct state s = {
      .b = nir_builder_create(impl),
      .nir = nir,
      .layout = layout,
      .map = map,
      .max_samplers = info->max_samplers,
   };
   memset(map, 0, sizeof(*map));
   map->surface_start = surface_start;
   bool progress = lower_wide_atomics(&s, impl);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block)
         progress |= lower_instr(&s, instr);
   }
   if (progress)
      nir_metadata_preserve(impl, nir_metadata_block_index |
                                     nir_metadata_dominance);
   nir_remove_dead_derefs(nir);
   return !s.failed;
}
