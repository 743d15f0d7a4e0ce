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
 *    constant data       load_ubo (entry of SAF_SET_CONSTANTS, byte offset)
 *    pointers            entry and byte offset, as a number of 64 bits
 * What is in records (saf_bindless.c) has handles in place of entries, which
 * shaders read: ACCESS_BINDLESS, texture_handle, sampler_handle. Uniform
 * blocks are read like storage blocks then.
 *
 * Before: one function; the derefs of resources start at variables; memory
 * types carry their layout. After: none of those derefs is left.
 */
#include "saf_nir_format.h"
#include "intel/vulkan/base/saf_genx.h"
#include "saf_nir_layout.h"

bool
saf_layout_fail(struct saf_layout_pass *s, const char *why)
{
   if (!s->failed)
      saf_error(VK_ERROR_UNKNOWN, "pipeline layout: %s", why);
   s->failed = true;
   return false;
}

/* NULL: there is none, or no layout. */
static const struct saf_binding_layout *
binding_of(const struct saf_layout_pass *s, const nir_variable *var)
{
   const uint32_t set = var->data.descriptor_set;
   if (!s->layout || set >= s->layout->set_count || !s->layout->sets[set])
      return NULL;
   return saf_find_binding(s->layout->sets[set], var->data.binding);
}

static uint32_t
binding_count(const struct saf_layout_pass *s, const nir_variable *var)
{
   if (!s->layout)
      return 1;
   const struct saf_binding_layout *b = binding_of(s, var);
   return b ? b->count : 0;
}

/*
 * Beyond an array are other entries of the table: other resources, and render
 * targets, which may have a control surface that no message may name (PRM SKL
 * vol 2d, "Auxiliary Surface Mode"). OpenGL and robust accesses let no index
 * end a program (OpenGL 4.6, 8.26), so what is beyond the end names the last
 * element.
 */
void
saf_layout_add_index(struct saf_layout_pass *s, const nir_variable *var,
                     const nir_deref_instr *deref, uint32_t stride,
                     uint32_t *constant, nir_value **dynamic)
{
   const unsigned length = glsl_get_length(nir_deref_parent(deref)->type);
   const uint32_t n = length ? length : binding_count(s, var);
   const uint32_t last = n ? n - 1 : 0;

   if (nir_use_is_const(deref->index)) {
      const uint64_t index = nir_use_as_uint(deref->index);
      *constant += stride * (uint32_t)MIN2(index, last);
      return;
   }
   nir_value *index = nir_u2uN(&s->b, deref->index.value, 32);
   index = nir_umin(&s->b, index, nir_imm_int(&s->b, (int)last));
   index = nir_imul_imm(&s->b, index, stride);
   *dynamic = *dynamic ? nir_iadd(&s->b, *dynamic, index) : index;
}

static uint8_t
map_set(const struct saf_layout_pass *s, unsigned set)
{
   return s->layout ? (uint8_t)set : SAF_SET_META;
}

/* The first entry of a binding in a list, which is made if need be. */
static bool
find_entries(struct saf_layout_pass *s, struct saf_binding *list,
             uint32_t *used, uint32_t max, const nir_variable *var,
             unsigned part, uint32_t *first)
{
   const uint8_t set = map_set(s, var->data.descriptor_set);
   for (uint32_t i = 0; i < *used; i++) {
      if (list[i].set == set && list[i].binding == var->data.binding &&
          list[i].element == 0 && list[i].part == part) {
         *first = i;
         return true;
      }
   }
   const uint32_t count = binding_count(s, var);
   if (count == 0)
      return saf_layout_fail(s,
                             "a shader uses a binding that the layout lacks");
   if (*used + count > max)
      return saf_layout_fail(s, "too many bindings for a shader stage");
   *first = *used;
   for (uint32_t i = 0; i < count; i++)
      list[(*used)++] = (struct saf_binding) {
         .set = set,
         .part = (uint8_t)part,
         .binding = var->data.binding,
         .element = i,
      };
   return true;
}

static bool
surface_entry(struct saf_layout_pass *s, const nir_variable *var,
              unsigned part, uint32_t *index)
{
   struct saf_bind_map *map = s->map;
   uint32_t first;
   if (!find_entries(s, map->surfaces, &map->surface_count,
                     SAF_MAX_BINDING_TABLE - map->surface_start, var, part,
                     &first))
      return false;
   *index = map->surface_start + first;
   return true;
}

/* ---- records ---- */

bool
saf_layout_is_bindless(const struct saf_layout_pass *s,
                       const nir_variable *var)
{
   const struct saf_binding_layout *b = binding_of(s, var);
   return b && b->count > 0 && b->bindless;
}

/* The entry of a set's records. */
static bool
records_entry(struct saf_layout_pass *s, unsigned set, uint32_t *index)
{
   struct saf_bind_map *map = s->map;
   uint32_t i = 0;
   while (i < map->surface_count &&
          (map->surfaces[i].set != SAF_SET_RECORDS ||
           map->surfaces[i].binding != set))
      i++;
   if (map->surface_start + i >= SAF_MAX_BINDING_TABLE)
      return saf_layout_fail(s, "too many bindings for a shader stage");
   if (i == map->surface_count)
      map->surfaces[map->surface_count++] =
         (struct saf_binding) { .set = SAF_SET_RECORDS, .binding = set };
   *index = map->surface_start + i;
   return true;
}

/* A member of the record that tells of an element; `place` is where the
 * record is. */
static bool
record_place(struct saf_layout_pass *s, const nir_variable *var,
             uint32_t constant, nir_value *dynamic,
             struct saf_info_place *place)
{
   const unsigned set = var->data.descriptor_set;
   const uint32_t first = binding_of(s, var)->first;
   if (!records_entry(s, set, &place->block))
      return false;
   nir_value *element = saf_layout_sum(&s->b, dynamic, first + constant);
   place->offset =
      nir_imul_imm(&s->b, element, sizeof(struct saf_bindless_record));
   return true;
}

static nir_value *
record_member(struct saf_layout_pass *s, const struct saf_info_place *place,
              unsigned offset_B)
{
   return saf_nir_load_info(&s->b, place, offset_B, 1);
}

bool
saf_layout_surface(struct saf_layout_pass *s, const nir_variable *var,
                   uint32_t constant, nir_value *dynamic, unsigned part,
                   struct saf_resource *out)
{
   nir_builder *b = &s->b;
   *out =
      (struct saf_resource) { .bindless = saf_layout_is_bindless(s, var) };
   if (!out->bindless) {
      uint32_t first;
      if (!surface_entry(s, var, part, &first))
         return false;
      out->name = saf_layout_sum(b, dynamic, first + constant);
      return true;
   }
   struct saf_info_place record;
   if (!record_place(s, var, constant, dynamic, &record))
      return false;
   out->name = record_member(
      s, &record, offsetof(struct saf_bindless_record, surface) + part * 4);
   out->info = record;
   out->info.offset = nir_iadd_imm(
      b, record.offset, offsetof(struct saf_bindless_record, info));
   return true;
}

/* ---- textures ---- */

/* The index into an array (of arrays) of resources, flattened. */
static void
flatten_index(struct saf_layout_pass *s, nir_deref_instr *deref,
              uint32_t *constant, nir_value **dynamic)
{
   const nir_variable *var = nir_deref_root(deref);
   *constant = 0;
   *dynamic = NULL;
   uint32_t stride = 1;
   while (deref->deref_type == nir_deref_type_array) {
      nir_deref_instr *parent = nir_deref_parent(deref);
      saf_layout_add_index(s, var, deref, stride, constant, dynamic);
      stride *= glsl_get_length(parent->type);
      deref = parent;
   }
}

/* Comparing what has no comparison hangs (Mesa 3e18c53e594): it meets
 * nothing. */
static enum saf_sampled_part
texture_part(const nir_tex_instr *tex)
{
   return nir_tex_find(tex, nir_tex_src_comparator) >= 0
             ? SAF_SAMPLED_COMPARED
             : SAF_SAMPLED;
}

/* A texture or a sampler by its record. */
static bool
lower_tex_by_record(struct saf_layout_pass *s, nir_tex_instr *tex,
                    const nir_variable *var, uint32_t constant,
                    nir_value *dynamic, bool sampler)
{
   struct saf_info_place record;
   if (!record_place(s, var, constant, dynamic, &record))
      return false;
   nir_value *handle =
      record_member(s, &record,
                    sampler ? offsetof(struct saf_bindless_record, sampler)
                            : offsetof(struct saf_bindless_record, surface) +
                                 texture_part(tex) * 4);
   nir_tex_add(
      tex, sampler ? nir_tex_src_sampler_handle : nir_tex_src_texture_handle,
      nir_use_of(handle));
   return true;
}

static bool
lower_tex_by_entry(struct saf_layout_pass *s, nir_tex_instr *tex,
                   const nir_variable *var, uint32_t constant,
                   nir_value *dynamic, bool sampler)
{
   uint32_t first = 0;
   const bool ok =
      sampler ? find_entries(s, s->map->samplers, &s->map->sampler_count,
                             s->info->max_samplers, var, 0, &first)
              : surface_entry(s, var, texture_part(tex), &first);
   if (!ok)
      return false;
   if (sampler)
      tex->sampler_index = first + constant;
   else
      tex->texture_index = first + constant;
   if (dynamic)
      nir_tex_add(tex,
                  sampler ? nir_tex_src_sampler_offset
                          : nir_tex_src_texture_offset,
                  nir_use_of(dynamic));
   return true;
}

/* What a texture's sampler, which the layout has, says of a conversion; NULL:
 * nothing. Of an array an element is always constant. */
static const struct saf_ycbcr_conversion *
conversion_of(const struct saf_layout_pass *s, const nir_variable *var,
              uint32_t element)
{
   const struct saf_binding_layout *b = binding_of(s, var);
   return b && element < b->count && b->immutable &&
                b->immutable[element]->ycbcr.plane_count
             ? &b->immutable[element]->ycbcr
             : NULL;
}

static bool
takes_samples(const nir_tex_instr *tex)
{
   return tex->op == nir_texop_tex || tex->op == nir_texop_txb ||
          tex->op == nir_texop_txl || tex->op == nir_texop_txd;
}

static bool
convert(struct saf_layout_pass *s, nir_tex_instr *tex,
        const nir_variable *var, uint32_t element)
{
   const struct saf_ycbcr_conversion *c = conversion_of(s, var, element);
   if (!c || !takes_samples(tex))
      return true;
   struct saf_resource others[SAF_MAX_COLOR_PLANES - 1];
   for (unsigned i = 1; i < c->plane_count; i++) {
      if (!saf_layout_surface(s, var, element, NULL, i, &others[i - 1]))
         return false;
   }
   saf_nir_lower_ycbcr(&s->b, tex, c, others);
   return true;
}

static bool
lower_tex(struct saf_layout_pass *s, nir_tex_instr *tex)
{
   s->b.cursor = nir_before_instr(&tex->instr);
   bool progress = false;
   const nir_variable *texture = NULL;
   uint32_t element = 0;
   static const nir_tex_operand_kind types[] = { nir_tex_src_texture_deref,
                                                 nir_tex_src_sampler_deref };
   for (unsigned t = 0; t < ARRAY_SIZE(types); t++) {
      const int src = nir_tex_find(tex, types[t]);
      if (src < 0)
         continue;
      nir_deref_instr *deref = nir_use_as_deref(tex->src[(unsigned)src].use);
      const nir_variable *var = nir_deref_root(deref);
      const bool sampler = types[t] == nir_tex_src_sampler_deref;
      uint32_t constant;
      nir_value *dynamic;
      flatten_index(s, deref, &constant, &dynamic);
      nir_tex_remove(tex, (unsigned)src);
      const bool ok =
         saf_layout_is_bindless(s, var)
            ? lower_tex_by_record(s, tex, var, constant, dynamic, sampler)
            : lower_tex_by_entry(s, tex, var, constant, dynamic, sampler);
      if (!ok)
         return false;
      if (!sampler) {
         texture = var;
         element = constant;
      }
      progress = true;
   }
   return texture ? convert(s, tex, texture, element) : progress;
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

/* By what the shader says of the texels: the view is not known. */
static enum saf_storage_part
image_part(const struct saf_layout_pass *s, nir_intrinsic_op op,
           const nir_intrinsic_instr *intr)
{
   switch ((int)op) {
   case nir_intrinsic_image_store:
   case nir_intrinsic_image_size:
   case nir_intrinsic_image_samples: return SAF_STORAGE_STORE;
   case nir_intrinsic_image_load:
      return saf_nir_reads_raw(s->info, nir_intrinsic_format(intr))
                ? SAF_STORAGE_RAW
                : SAF_STORAGE_TYPED;
   default: return SAF_STORAGE_TYPED;
   }
}

static bool
lower_image(struct saf_layout_pass *s, nir_intrinsic_instr *intr,
            nir_deref_instr *deref)
{
   nir_builder *b = &s->b;
   b->cursor = nir_before_instr(&intr->instr);
   const nir_intrinsic_op op = image_op(intr->intrinsic);
   const enum saf_storage_part part = image_part(s, op, intr);
   uint32_t constant;
   nir_value *dynamic;
   struct saf_resource image_of;
   flatten_index(s, deref, &constant, &dynamic);
   if (!saf_layout_surface(s, nir_deref_root(deref), constant, dynamic, part,
                           &image_of))
      return false;
   const unsigned n = nir_intrinsic_infos[op].num_srcs;
   nir_value *srcs[8] = { image_of.name };
   for (unsigned i = 1; i < n; i++)
      srcs[i] = intr->src[i].value;
   const bool has_dest = nir_intrinsic_infos[op].has_dest;
   nir_intrinsic_instr *image = nir_build_intrinsic_begin(
      b, op,
      has_dest ? intr->instr.result.num_components : intr->num_components,
      has_dest ? intr->instr.result.bit_size : 0, srcs);
   nir_intrinsic_copy_const_indices(image, intr);
   if (image_of.bindless)
      nir_intrinsic_set_access(image,
                               nir_intrinsic_access(image) | ACCESS_BINDLESS);
   nir_emit(b, &image->instr);
   if (has_dest)
      nir_value_replace(&intr->instr.result, &image->instr.result);
   nir_instr_remove(&intr->instr);
   if (!image_of.bindless)
      return true;
   saf_nir_lower_sample_image(b, image, &image_of.info);
   if (saf_nir_is_any_load(image))
      util_dynarray_append(&s->any_loads, struct saf_any_load,
                           ((struct saf_any_load) { image, image_of.info }));
   return true;
}

/* ---- constant data ---- */

static bool
constants_entry(struct saf_layout_pass *s, uint32_t *index)
{
   struct saf_bind_map *map = s->map;
   uint32_t i = 0;
   while (i < map->surface_count && map->surfaces[i].set != SAF_SET_CONSTANTS)
      i++;
   if (map->surface_start + i >= SAF_MAX_BINDING_TABLE)
      return saf_layout_fail(s, "too many bindings for a shader stage");
   if (i == map->surface_count)
      map->surfaces[map->surface_count++] =
         (struct saf_binding) { .set = SAF_SET_CONSTANTS };
   *index = map->surface_start + i;
   return true;
}

static bool
lower_constant_data(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   nir_builder *b = &s->b;
   const unsigned base_B = (unsigned)nir_intrinsic_base(intr);
   uint32_t entry = 0;
   if (!constants_entry(s, &entry))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_value *load = nir_load_ubo(
      b, intr->num_components, intr->instr.result.bit_size,
      nir_imm_int(b, (int)entry), nir_iadd_imm(b, intr->src[0].value, base_B),
      .align_mul = nir_intrinsic_align_mul(intr), .range_base = base_B,
      .range = nir_intrinsic_range(intr));
   nir_instr_replace(&intr->instr, load);
   return true;
}

static bool
lower_intrinsic(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   if (image_op(intr->intrinsic) != nir_num_intrinsics)
      return lower_image(s, intr, nir_use_as_deref(intr->src[0]));
   if (intr->intrinsic == nir_intrinsic_load_constant)
      return lower_constant_data(s, intr);
   return saf_layout_lower_memory(s, intr);
}

static bool
lower_instr(struct saf_layout_pass *s, nir_instr *instr)
{
   if (instr->kind == nir_kind_tex)
      return lower_tex(s, nir_instr_as_tex(instr));
   if (instr->kind == nir_kind_intrinsic)
      return lower_intrinsic(s, nir_instr_as_intrinsic(instr));
   return false;
}

bool
saf_nir_apply_pipeline_layout(const struct intel_device_info *info,
                              nir_shader *nir,
                              const struct saf_pipeline_layout *layout,
                              uint32_t surface_start, bool exact_offsets,
                              struct saf_bind_map *map)
{
   nir_function_impl *impl = nir_entry_point(nir);
   struct saf_layout_pass s = {
      .b = nir_builder_create(impl),
      .nir = nir,
      .layout = layout,
      .map = map,
      .info = info,
      .exact_offsets = exact_offsets,
   };
   memset(map, 0, sizeof(*map));
   map->surface_start = surface_start;
   bool progress = saf_layout_lower_pointers(&s, impl);
   progress |= saf_layout_lower_wide_atomics(&s, impl);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block)
         progress |= lower_instr(&s, instr);
   }
   if (progress)
      nir_metadata_preserve(impl, nir_metadata_block_index |
                                     nir_metadata_dominance);
   util_dynarray_foreach(&s.any_loads, struct saf_any_load, l)
      saf_nir_convert_any(&s.b, l->load, &l->info);
   if (s.any_loads.size_B)
      nir_metadata_preserve(impl, nir_metadata_none);
   util_dynarray_fini(&s.any_loads);
   nir_remove_dead_derefs(nir);
   return !s.failed;
}
