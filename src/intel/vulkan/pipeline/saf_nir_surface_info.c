/* SPDX-License-Identifier: MIT */
/*
 * Problem: what a view says and what a message can do differ. Surface states
 * of Ivybridge do not swizzle; typed reads up to Gen8 know few formats, and
 * none of some sizes.
 *
 * Method: the shader does it. What it must know of a view is in a block of
 * struct saf_surface_info, a uniform buffer that the driver makes for a draw
 * (SAF_SET_INFO), one record for each entry of the table. A swizzle that is
 * the identity costs one comparison of a uniform. Texels of sizes that cannot
 * be read are read as dwords of a raw buffer, and the image is linear: the
 * data port does not know what is tiled.
 *
 * Before: resources are entries of the binding table. After: image_load reads
 * formats that the device has; texture instructions see the whole view.
 */
#include <stddef.h>

#include "saf_nir_format.h"
#include "intel/vulkan/base/saf_genx.h"

struct state {
   nir_builder b;
   struct saf_bind_map *map;
};

static unsigned
info_entry(struct saf_bind_map *map)
{
   for (unsigned i = 0; i < map->surface_count; i++) {
      if (map->surfaces[i].set == SAF_SET_INFO)
         return map->surface_start + i;
   }
   map->surfaces[map->surface_count] =
      (struct saf_binding) { .set = SAF_SET_INFO };
   return map->surface_start + map->surface_count++;
}

static bool
has_room(const struct saf_bind_map *map)
{
   return map->surface_start + map->surface_count < SAF_MAX_BINDING_TABLE;
}

nir_value *
saf_nir_load_info(nir_builder *b, const struct saf_info_place *place,
                  unsigned offset_B, unsigned components)
{
   nir_value *at = nir_iadd_imm(b, place->offset, offset_B);
   nir_value *srcs[] = { nir_imm_int(b, (int)place->block), at };
   nir_intrinsic_instr *load = nir_build_intrinsic_begin(
      b, nir_intrinsic_load_ubo, components, 32, srcs);
   nir_intrinsic_set_align(load, 16, offset_B % 16);
   nir_intrinsic_set_range_base(load, 0);
   nir_intrinsic_set_range(load, ~0u);
   return nir_emit(b, &load->instr);
}

bool
saf_nir_table_info(nir_builder *b, struct saf_bind_map *map, nir_value *entry,
                   struct saf_info_place *out)
{
   if (!has_room(map))
      return false;
   nir_value *index =
      nir_iadd_imm(b, entry, (uint64_t) - (int64_t)map->surface_start);
   *out = (struct saf_info_place) {
      .block = info_entry(map),
      .offset = nir_imul_imm(b, index, sizeof(struct saf_surface_info)),
   };
   return true;
}

/* A vector of the record of a table's entry, for which there is room. */
static nir_value *
load_info(struct state *s, nir_value *entry, unsigned offset_B,
          unsigned components)
{
   struct saf_info_place place = { 0 };
   saf_nir_table_info(&s->b, s->map, entry, &place);
   return saf_nir_load_info(&s->b, &place, offset_B, components);
}

nir_value *
saf_nir_buffer_size(nir_builder *b, const struct saf_info_place *place)
{
   return saf_nir_load_info(b, place,
                            offsetof(struct saf_surface_info, width), 1);
}

nir_value *
saf_nir_buffer_address(nir_builder *b, const struct saf_info_place *place)
{
   nir_value *address = saf_nir_load_info(
      b, place, offsetof(struct saf_surface_info, address), 2);
   return nir_pack_64_2x32(b, address);
}

/* ---- storage images ---- */

static enum isl_format
format_of(enum pipe_format format)
{
   static const struct {
      enum pipe_format pipe;
      enum isl_format isl;
   } rows[] = {
#define ROW(name) { PIPE_FORMAT_##name, ISL_FORMAT_##name }
      ROW(R32G32B32A32_FLOAT), ROW(R16G16B16A16_FLOAT), ROW(R32G32_FLOAT),
      ROW(R16G16_FLOAT),       ROW(R32_FLOAT),          ROW(R16_FLOAT),
      ROW(R32G32B32A32_UINT),  ROW(R16G16B16A16_UINT),  ROW(R8G8B8A8_UINT),
      ROW(R32G32_UINT),        ROW(R16G16_UINT),        ROW(R8G8_UINT),
      ROW(R32_UINT),           ROW(R16_UINT),           ROW(R8_UINT),
      ROW(R32G32B32A32_SINT),  ROW(R16G16B16A16_SINT),  ROW(R8G8B8A8_SINT),
      ROW(R32G32_SINT),        ROW(R16G16_SINT),        ROW(R8G8_SINT),
      ROW(R32_SINT),           ROW(R16_SINT),           ROW(R8_SINT),
      ROW(R16G16B16A16_UNORM), ROW(R8G8B8A8_UNORM),     ROW(R16G16_UNORM),
      ROW(R8G8_UNORM),         ROW(R16_UNORM),          ROW(R8_UNORM),
      ROW(R16G16B16A16_SNORM), ROW(R8G8B8A8_SNORM),     ROW(R16G16_SNORM),
      ROW(R8G8_SNORM),         ROW(R16_SNORM),          ROW(R8_SNORM),
      ROW(R10G10B10A2_UNORM),  ROW(R10G10B10A2_UINT),   ROW(R11G11B10_FLOAT),
#undef ROW
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].pipe == format)
         return rows[i].isl;
   }
   return ISL_FORMAT_UNSUPPORTED;
}

bool
saf_nir_reads_raw(const struct intel_device_info *info,
                  enum pipe_format format)
{
   const enum isl_format f = format_of(format);
   return isl_format_is_valid(f) &&
          isl_storage_read_format(info, f) == ISL_FORMAT_RAW;
}

/* Column, row and slice of the texel; what the image has not is 0. */
static void
coordinates(nir_builder *b, const nir_intrinsic_instr *load,
            nir_value *out[3])
{
   nir_value *coord = load->src[1].value;
   const bool is_array = nir_intrinsic_image_array(load);
   unsigned dims = 2;
   switch (nir_intrinsic_image_dim(load)) {
   case GLSL_SAMPLER_DIM_BUF: dims = 1; break;
   case GLSL_SAMPLER_DIM_1D: dims = 1; break;
   case GLSL_SAMPLER_DIM_3D:
   case GLSL_SAMPLER_DIM_CUBE: dims = 3; break;
   default: break;
   }
   for (unsigned i = 0; i < 3; i++)
      out[i] = i < dims ? nir_channel(b, coord, i) : nir_imm_int(b, 0);
   if (is_array && dims < 3)
      out[2] = nir_channel(b, coord, dims);
}

static nir_value *
load_raw(nir_builder *b, nir_value *entry, nir_value *offset, unsigned dwords)
{
   nir_value *srcs[] = { entry, offset };
   nir_intrinsic_instr *load =
      nir_build_intrinsic_begin(b, nir_intrinsic_load_ssbo, dwords, 32, srcs);
   nir_intrinsic_set_align(load, 4, 0);
   return nir_emit(b, &load->instr);
}

/* The dwords that hold the texel; zeroes outside of the image. */
static void
load_texel(struct state *s, const nir_intrinsic_instr *image, unsigned bpb,
           nir_value *dwords[4])
{
   nir_builder *b = &s->b;
   nir_value *entry = image->src[0].value, *at[3];
   coordinates(b, image, at);
   nir_value *slices =
      load_info(s, entry, offsetof(struct saf_surface_info, slice_shift), 2);
   nir_value *strides =
      load_info(s, entry, offsetof(struct saf_surface_info, base_B), 4);
   nir_value *size =
      load_info(s, entry, offsetof(struct saf_surface_info, width), 3);

   nir_value *inside = nir_imm_true(b);
   for (unsigned i = 0; i < 3; i++)
      inside =
         nir_iand(b, inside, nir_ult(b, at[i], nir_channel(b, size, i)));
   nir_value *shift = nir_channel(b, slices, 0);
   nir_value *z = nir_iadd(b, at[2], nir_channel(b, slices, 1));
   nir_value *high = nir_ushr(b, z, shift);
   nir_value *low = nir_isub(b, z, nir_ishl(b, high, shift));
   nir_value *offset = nir_iadd(b, nir_channel(b, strides, 0),
                                nir_imul_imm(b, at[0], bpb / 8));
   nir_value *steps[] = { at[1], low, high };
   for (unsigned i = 0; i < 3; i++)
      offset = nir_iadd(
         b, offset, nir_imul(b, steps[i], nir_channel(b, strides, 1 + i)));

   const unsigned n = MAX2(bpb / 32, 1);
   nir_value *value =
      load_raw(b, entry, bpb < 32 ? nir_iand_imm(b, offset, ~3u) : offset, n);
   for (unsigned i = 0; i < n; i++) {
      nir_value *dword = nir_channel(b, value, i);
      if (bpb < 32)
         dword = nir_ushr(b, dword,
                          nir_ishl_imm(b, nir_iand_imm(b, offset, 3), 3));
      dwords[i] = nir_bcsel(b, inside, dword, nir_imm_int(b, 0));
   }
}

/* A typed read in another format, whose channels become dwords. */
static void
load_typed(nir_builder *b, nir_intrinsic_instr *image, enum isl_format read,
           nir_value *dwords[4])
{
   const unsigned bits = saf_nir_format_channel(read, 0).bits;
   const unsigned n = isl_format_get_layout(read)->bpb / bits;
   nir_intrinsic_instr *load =
      nir_instr_as_intrinsic(nir_instr_clone(b->shader, &image->instr));
   load->num_components = (uint8_t)n;
   load->instr.result.num_components = (uint8_t)n;
   /* No conversion: any format of unsigned integers with as many. */
   nir_intrinsic_set_format(load, n == 1   ? PIPE_FORMAT_R32_UINT
                                  : n == 2 ? PIPE_FORMAT_R16G16_UINT
                                           : PIPE_FORMAT_R16G16B16A16_UINT);
   nir_intrinsic_set_dest_type(load, nir_type_uint32);
   nir_emit(b, &load->instr);
   for (unsigned i = 0; i < n; i++) {
      nir_value *c = nir_channel(b, &load->instr.result, i);
      const unsigned dw = i * bits / 32, shift = i * bits % 32;
      dwords[dw] =
         shift == 0 ? c : nir_ior(b, dwords[dw], nir_ishl_imm(b, c, shift));
   }
}

/* The compiler converts what has the channels of its own format. */
static bool
is_compilers(enum isl_format format, enum isl_format read)
{
   if (read == ISL_FORMAT_RAW)
      return false;
   const struct isl_channel_layout from = saf_nir_format_channel(format, 0);
   return format == read || from.type == ISL_UNORM ||
          from.type == ISL_SNORM || from.type == ISL_UFLOAT ||
          format == ISL_FORMAT_R10G10B10A2_UINT;
}

static void
lower_image_load(struct state *s, const struct intel_device_info *info,
                 nir_intrinsic_instr *load)
{
   nir_builder *b = &s->b;
   const enum isl_format format = format_of(nir_intrinsic_format(load));
   if (!isl_format_is_valid(format))
      return; /* the back end says so */
   const enum isl_format read = isl_storage_read_format(info, format);
   if (read == ISL_FORMAT_UNSUPPORTED ||
       (info->typed_reads == INTEL_TYPED_READS_UINT &&
        is_compilers(format, read)))
      return;
   b->cursor = nir_before_instr(&load->instr);
   nir_value *dwords[4] = { NULL }, *out[4];
   if (read == ISL_FORMAT_RAW)
      load_texel(s, load, isl_format_get_layout(format)->bpb, dwords);
   else
      load_typed(b, load, read, dwords);
   const unsigned n = load->instr.result.num_components;
   for (unsigned c = 0; c < n; c++)
      out[c] = saf_nir_texel_channel(b, dwords, format, c);
   nir_instr_replace(&load->instr, nir_vec(b, out, n));
}

bool
saf_nir_lower_storage_loads(nir_shader *nir,
                            const struct intel_device_info *info,
                            struct saf_bind_map *map)
{
   nir_function_impl *impl = nir_entry_point(nir);
   struct state s = { .b = nir_builder_create(impl), .map = map };
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         if (intr->intrinsic != nir_intrinsic_image_load)
            continue;
         if (!has_room(map))
            return false;
         lower_image_load(&s, info, intr);
      }
   }
   nir_metadata_preserve(impl,
                         nir_metadata_block_index | nir_metadata_dominance);
   return true;
}

/* ---- samples of storage images ---- */

static bool
is_sample_image(const nir_instr *instr)
{
   if (instr->kind != nir_kind_intrinsic)
      return false;
   const nir_intrinsic_instr *intr =
      nir_instr_as_intrinsic((nir_instr *)instr);
   return !strncmp(nir_intrinsic_infos[intr->intrinsic].name, "image_", 6) &&
          nir_intrinsic_image_dim(intr) == GLSL_SAMPLER_DIM_MS;
}

#define LOAD(b, place, field)                                                \
   saf_nir_load_info(b, place, offsetof(struct saf_surface_info, field), 1)

/* The width is the message's, the height and number of layers are ours. */
static nir_value *
replace_size(nir_builder *b, const nir_intrinsic_instr *intr,
             const struct saf_info_place *place)
{
   const unsigned n = intr->instr.result.num_components;
   nir_value *out[] = {
      nir_channel(b, (nir_value *)&intr->instr.result, 0),
      LOAD(b, place, height),
      LOAD(b, place, slices),
   };
   return nir_vec(b, out, n);
}

/* Column, row, and layer * samples + sample, of which some are rows further
 * down. What is outside of the image stays outside of it
 * (robustImageAccess). */
static void
address_slice(nir_builder *b, nir_intrinsic_instr *intr,
              const struct saf_info_place *place)
{
   enum { OUTSIDE = 0xffff };
   nir_value *at = intr->src[1].value, *sample = intr->src[2].value;
   nir_value *samples = LOAD(b, place, samples), *slice = sample;
   nir_value *row = nir_channel(b, at, 1);
   if (nir_intrinsic_image_array(intr)) {
      nir_value *layer =
         nir_umin(b, nir_channel(b, at, 2), nir_imm_int(b, OUTSIDE));
      slice = nir_iadd(b, nir_imul(b, layer, samples), sample);
   }
   nir_value *inside = nir_iand(b, nir_ult(b, sample, samples),
                                nir_ult(b, row, LOAD(b, place, height)));
   nir_value *shift = LOAD(b, place, slice_shift);
   nir_value *low = nir_ubfe(b, slice, nir_imm_int(b, 0), shift);
   row = nir_iadd(b, row, nir_imul(b, low, LOAD(b, place, slice_rows)));
   slice = nir_bcsel(b, inside, nir_ushr(b, slice, shift),
                     nir_imm_int(b, OUTSIDE));
   nir_value *out[4] = { nir_channel(b, at, 0), row, slice,
                         nir_imm_int(b, 0) };
   nir_set_use(&intr->instr, &intr->src[1], nir_vec(b, out, 4));
   nir_set_use(&intr->instr, &intr->src[2], nir_imm_int(b, 0));
   nir_intrinsic_set_image_dim(intr, GLSL_SAMPLER_DIM_2D);
   nir_intrinsic_set_image_array(intr, true);
}

void
saf_nir_lower_sample_image(nir_builder *b, nir_intrinsic_instr *intr,
                           const struct saf_info_place *place)
{
   if (!is_sample_image(&intr->instr))
      return;
   b->cursor = nir_before_instr(&intr->instr);
   if (intr->intrinsic == nir_intrinsic_image_samples) {
      nir_instr_replace(&intr->instr, LOAD(b, place, samples));
   } else if (intr->intrinsic == nir_intrinsic_image_size) {
      nir_intrinsic_set_image_dim(intr, GLSL_SAMPLER_DIM_2D);
      b->cursor = nir_after_instr(&intr->instr);
      nir_value *size = replace_size(b, intr, place);
      nir_value_replace_after(&intr->instr.result, size, size->instr);
   } else {
      address_slice(b, intr, place);
   }
}

bool
saf_nir_lower_sample_images(nir_shader *nir, struct saf_bind_map *map)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         if (!is_sample_image(instr))
            continue;
         nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         struct saf_info_place place;
         b.cursor = nir_before_instr(instr);
         if (!saf_nir_table_info(&b, map, intr->src[0].value, &place))
            return false;
         saf_nir_lower_sample_image(&b, intr, &place);
      }
   }
   nir_metadata_preserve(impl,
                         nir_metadata_block_index | nir_metadata_dominance);
   return true;
}

/* ---- swizzles ---- */

static nir_value *
one(nir_builder *b, const nir_tex_instr *tex)
{
   return nir_type_base(tex->dest_type) == nir_type_float
             ? nir_imm_float(b, 1.0f)
             : nir_imm_int(b, 1);
}

/* The channel that component `c` of a view shows. */
static nir_value *
select_of(nir_builder *b, nir_value *swizzle, unsigned c)
{
   return nir_iand_imm(b, nir_ushr_imm(b, swizzle, 4 * c), 15);
}

static nir_value *
select_channel(nir_builder *b, const nir_tex_instr *tex, nir_value *select,
               nir_value *texel)
{
   nir_value *v = nir_bcsel(b, nir_ieq_imm(b, select, ISL_CHANNEL_SELECT_ONE),
                            one(b, tex), nir_imm_int(b, 0));
   for (unsigned i = 0; i < texel->num_components && i < 4; i++)
      v = nir_bcsel(b, nir_ieq_imm(b, select, ISL_CHANNEL_SELECT_RED + i),
                    nir_channel(b, texel, i), v);
   return v;
}

static nir_value *
swizzled(nir_builder *b, nir_tex_instr *tex, nir_value *swizzle)
{
   nir_value *out[4];
   const unsigned n = tex->instr.result.num_components;
   for (unsigned c = 0; c < n; c++)
      out[c] =
         select_channel(b, tex, select_of(b, swizzle, c), &tex->instr.result);
   return nir_vec(b, out, n);
}

/* The same channel of four texels: which one a message says, so each has
 * one. A comparison has but one. */
static nir_value *
gathered(nir_builder *b, nir_tex_instr *tex, nir_value *swizzle)
{
   nir_value *select =
      select_of(b, swizzle, tex->is_shadow ? 0 : tex->component);
   nir_value *constant =
      nir_bcsel(b, nir_ieq_imm(b, select, ISL_CHANNEL_SELECT_ONE),
                one(b, tex), nir_imm_int(b, 0));
   nir_value *four[] = { constant, constant, constant, constant };
   nir_value *value = nir_vec(b, four, 4);
   for (unsigned i = 0; i < (tex->is_shadow ? 1u : 4u); i++) {
      nir_if *match =
         nir_push_if(b, nir_ieq_imm(b, select, ISL_CHANNEL_SELECT_RED + i));
      nir_tex_instr *other =
         nir_instr_as_tex(nir_instr_clone(b->shader, &tex->instr));
      other->component = i;
      nir_emit(b, &other->instr);
      nir_pop_if(b, match);
      value = nir_if_phi(b, &other->instr.result, value);
   }
   return value;
}

static bool
shows_texels(const nir_tex_instr *tex)
{
   switch (tex->op) {
   case nir_texop_tex:
   case nir_texop_txb:
   case nir_texop_txl:
   case nir_texop_txd:
   case nir_texop_txf:
   case nir_texop_txf_ms:
   case nir_texop_tg4: return true;
   default: return false;
   }
}

static void
lower_tex(struct state *s, nir_tex_instr *tex)
{
   nir_builder *b = &s->b;
   nir_instr *old = &tex->instr;
   nir_value *uses = &tex->instr.result;
   b->cursor = nir_before_instr(old);
   tex = nir_instr_as_tex(nir_instr_clone(b->shader, old));
   nir_emit(b, &tex->instr);
   const int src = nir_tex_find(tex, nir_tex_src_texture_offset);
   nir_value *entry = nir_imm_int(b, (int)tex->texture_index);
   if (src >= 0)
      entry = nir_iadd(b, entry, tex->src[src].use.value);
   nir_value *swizzle =
      load_info(s, entry, offsetof(struct saf_surface_info, swizzle), 1);
   nir_if *differs =
      nir_push_if(b, nir_ine_imm(b, swizzle, SAF_SWIZZLE_IDENTITY));
   nir_value *changed = tex->op == nir_texop_tg4 ? gathered(b, tex, swizzle)
                                                 : swizzled(b, tex, swizzle);
   nir_pop_if(b, differs);
   nir_value_replace(uses, nir_if_phi(b, changed, &tex->instr.result));
   nir_instr_remove(old);
}

bool
saf_nir_lower_view_swizzles(nir_shader *nir, struct saf_bind_map *map)
{
   nir_function_impl *impl = nir_entry_point(nir);
   struct state s = { .b = nir_builder_create(impl), .map = map };
   struct util_dynarray found = { 0 };
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_tex &&
             shows_texels(nir_instr_as_tex(instr)))
            util_dynarray_append(&found, nir_instr *, instr);
      }
   }
   const bool ok = !found.size_B || has_room(map);
   util_dynarray_foreach(&found, nir_instr *, instr) {
      if (ok)
         lower_tex(&s, nir_instr_as_tex(*instr));
   }
   if (found.size_B)
      nir_metadata_preserve(impl, nir_metadata_none);
   util_dynarray_fini(&found);
   return ok;
}
