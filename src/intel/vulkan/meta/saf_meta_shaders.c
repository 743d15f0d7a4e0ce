/* SPDX-License-Identifier: MIT */
/* The shaders of meta operations, built in NIR; see saf_meta.h. */
#include "saf_meta_shaders.h"

#include "compiler/nir/nir_builder.h"

#define PUSH(member) (offsetof(struct saf_meta_push, member))

static nir_value *
load_push(nir_builder *b, unsigned offset_B, unsigned components)
{
   nir_value *offset = nir_imm_int(b, (int)offset_B);
   nir_intrinsic_instr *load = nir_build_intrinsic_begin(
      b, nir_intrinsic_load_push_constant, components, 32, &offset);
   nir_intrinsic_set_base(load, 0);
   nir_intrinsic_set_range(load, sizeof(struct saf_meta_push));
   return nir_emit(b, &load->instr);
}

static nir_variable *
output(nir_builder *b, const struct glsl_type *type, int location,
       const char *name)
{
   nir_variable *var =
      nir_new_variable(b->shader, nir_var_shader_out, type, name);
   var->data.location = location;
   return var;
}

nir_shader *
saf_meta_build_vs(const struct intel_compiler *compiler, bool rectangle)
{
   nir_builder b = nir_builder_init_simple_shader(
      MESA_SHADER_VERTEX, intel_compiler_nir_options(compiler), "meta vs");
   nir_value *id = nir_load_vertex_id_zero_base(&b);
   /* 0, 1 -> -1, 1 */
   nir_value *x = nir_i2fN(&b, nir_iand_imm(&b, id, 1), 32);
   nir_value *y = nir_i2fN(&b, nir_ushr_imm(&b, id, 1), 32);
   if (rectangle) {
      nir_value *one = nir_imm_float(&b, 1), *zero = nir_imm_float(&b, 0);
      x = nir_bcsel(&b, nir_ieq_imm(&b, id, 0), one, zero);
      y = nir_bcsel(&b, nir_ieq_imm(&b, id, 2), zero, one);
   }
   nir_value *pos[4] = {
      nir_fadd_imm(&b, nir_fmul_imm(&b, x, 2.0), -1.0),
      nir_fadd_imm(&b, nir_fmul_imm(&b, y, 2.0), -1.0),
      load_push(&b, PUSH(z), 1),
      nir_imm_float(&b, 1.0f),
   };
   nir_store_var(&b, output(&b, glsl_vec4_type(), VARYING_SLOT_POS, "pos"),
                 nir_vec(&b, pos, 4), 0xf);
   return b.shader;
}

/* ---- texture access ---- */

struct texel {
   nir_texop op;
   enum glsl_sampler_dim dim;
   bool is_array;
   nir_value *coord;
   nir_value *sample; /* or NULL */
   unsigned surface;  /* of the draw's */
};

static nir_value *
fetch(nir_builder *b, const struct texel *t)
{
   const struct glsl_type *type =
      glsl_sampler_type(t->dim, false, t->is_array, GLSL_TYPE_FLOAT);
   nir_variable *var =
      nir_new_variable(b->shader, nir_var_uniform, type, "src");
   var->data.descriptor_set = 0;
   var->data.binding = t->surface;
   nir_deref_instr *deref = nir_deref_to(b, var);

   nir_tex_instr *tex = nir_new_tex(b->shader, 0);
   tex->op = t->op;
   tex->sampler_dim = t->dim;
   tex->is_array = t->is_array;
   tex->coord_components = t->coord->num_components;
   tex->dest_type = t->op == nir_texop_txf_ms_mcs_intel ? nir_type_uint32
                                                        : nir_type_float32;
   nir_tex_add(tex, nir_tex_src_coord, nir_use_of(t->coord));
   nir_tex_add(tex, nir_tex_src_texture_deref,
               nir_use_of(&deref->instr.result));
   if (t->op == nir_texop_txl) {
      nir_tex_add(tex, nir_tex_src_sampler_deref,
                  nir_use_of(&deref->instr.result));
      nir_tex_add(tex, nir_tex_src_lod, nir_use_of(nir_imm_float(b, 0.0f)));
   } else if (t->op == nir_texop_txf) {
      nir_tex_add(tex, nir_tex_src_lod, nir_use_of(nir_imm_int(b, 0)));
   } else if (t->op == nir_texop_txf_ms) {
      nir_tex_add(tex, nir_tex_src_ms_index, nir_use_of(t->sample));
   }
   nir_set_result(&tex->instr, 4, 32);
   return nir_emit(b, &tex->instr);
}

static nir_value *
pixel_position(nir_builder *b)
{
   return nir_f2iN(b, nir_channels(b, nir_load_frag_coord(b), 0x3), 32);
}

/* The pixel's integer position plus the offset. */
static nir_value *
texel_coord(nir_builder *b)
{
   nir_value *pos = nir_load_frag_coord(b);
   nir_value *xy = nir_channels(b, pos, 0x3);
   return nir_iadd(b, nir_f2iN(b, xy, 32), load_push(b, PUSH(offset), 2));
}

/* The pixel's centre, scaled and moved: a normalised coordinate. */
static nir_value *
scaled_coord(nir_builder *b)
{
   nir_value *xy = nir_channels(b, nir_load_frag_coord(b), 0x3);
   nir_value *so = load_push(b, PUSH(scale_offset), 4);
   return nir_fadd(b, nir_fmul(b, xy, nir_channels(b, so, 0x3)),
                   nir_channels(b, so, 0xc));
}

static nir_value *
blit_texel(nir_builder *b, enum glsl_sampler_dim dim)
{
   nir_value *xy = scaled_coord(b);
   nir_value *z = load_push(b, PUSH(src_z), 1);
   nir_value *parts[3] = { nir_channel(b, xy, 0) };
   unsigned n = 1;
   if (dim != GLSL_SAMPLER_DIM_1D)
      parts[n++] = nir_channel(b, xy, 1);
   parts[n++] = z;
   const struct texel t = {
      .op = nir_texop_txl,
      .dim = dim,
      .is_array = dim != GLSL_SAMPLER_DIM_3D,
      .coord = nir_vec(b, parts, n),
   };
   return fetch(b, &t);
}

static nir_value *
copy_texel(nir_builder *b)
{
   const struct texel t = {
      .op = nir_texop_txf,
      .dim = GLSL_SAMPLER_DIM_2D,
      .coord = texel_coord(b),
   };
   return fetch(b, &t);
}

/* All layers are seen: Ivybridge reads none but the first of a multisampled
 * surface with another first one (chip-rules FF-56). */
static nir_value *
fetch_ms(nir_builder *b, nir_texop op, nir_value *xy, nir_value *sample)
{
   nir_value *coord[3] = { nir_channel(b, xy, 0), nir_channel(b, xy, 1),
                           load_push(b, PUSH(layer), 1) };
   const struct texel t = {
      .op = op,
      .dim = GLSL_SAMPLER_DIM_MS,
      .is_array = true,
      .coord = nir_vec(b, coord, 3),
      .sample = sample,
   };
   return fetch(b, &t);
}

static nir_value *
sample_texel(nir_builder *b, nir_value *xy, nir_value *sample)
{
   return fetch_ms(b, nir_texop_txf_ms, xy, sample);
}

static nir_value *
first_sample(nir_builder *b)
{
   return sample_texel(b, texel_coord(b), nir_imm_int(b, 0));
}

/* The sample that is drawn. */
static nir_value *
own_sample(nir_builder *b)
{
   return sample_texel(b, texel_coord(b), nir_load_sample_id(b));
}

/* Sums of two, four and so on, which loses the least. */
static nir_value *
average_samples(nir_builder *b, nir_value *coord, unsigned samples)
{
   nir_value *sum[16];
   assert(samples <= ARRAY_SIZE(sum));
   for (unsigned i = 0; i < samples; i++)
      sum[i] = sample_texel(b, coord, nir_imm_int(b, (int)i));
   for (unsigned n = samples / 2; n; n /= 2) {
      for (unsigned i = 0; i < n; i++)
         sum[i] = nir_fadd(b, sum[2 * i], sum[2 * i + 1]);
   }
   return nir_fmul_imm(b, sum[0], 1.0 / samples);
}

/* Zero says that all samples are in the first slice; but it is also what
 * there is without a control surface. Of eight samples, as of two, the word
 * has more bits than count. */
static nir_value *
average_texel(nir_builder *b, unsigned samples)
{
   nir_value *coord = texel_coord(b);
   nir_value *word = fetch_ms(b, nir_texop_txf_ms_mcs_intel, coord, NULL);
   const unsigned n_bits = samples * util_logbase2(samples);
   nir_value *bits = nir_iand_imm(b, nir_channel(b, word, 0),
                                  BITFIELD_MASK(MIN2(n_bits, 32)));
   if (n_bits > 32)
      bits = nir_ior(b, bits, nir_channel(b, word, 1));
   nir_value *same =
      nir_iand(b, nir_ine_imm(b, load_push(b, PUSH(control), 1), 0),
               nir_ieq_imm(b, bits, 0));
   nir_if *agree = nir_push_if(b, same);
   nir_value *one = sample_texel(b, coord, nir_imm_int(b, 0));
   nir_push_else(b, agree);
   nir_value *all = average_samples(b, coord, samples);
   nir_pop_if(b, agree);
   return nir_if_phi(b, one, all);
}

/* Of as many samples as are pushed. The last one stands for those that are
 * not there, which changes neither the least nor the greatest. */
static nir_value *
fold_samples(nir_builder *b,
             nir_value *(*fold)(nir_builder *b, nir_value *x, nir_value *y))
{
   nir_value *coord = texel_coord(b);
   nir_value *last =
      nir_iadd_imm(b, load_push(b, PUSH(sample), 1), (uint64_t)-1);
   nir_value *value = first_sample(b);
   for (int i = 1; i < SAF_MAX_SAMPLES; i++) {
      nir_value *sample = nir_umin(b, nir_imm_int(b, i), last);
      value = fold(b, value, sample_texel(b, coord, sample));
   }
   return value;
}

static nir_value *
average_depth(nir_builder *b)
{
   nir_value *coord = texel_coord(b), *sum = first_sample(b);
   nir_value *samples = load_push(b, PUSH(sample), 1);
   sum = nir_channel(b, sum, 0);
   for (int i = 1; i < SAF_MAX_SAMPLES; i++) {
      nir_value *is_there = nir_ult(b, nir_imm_int(b, i), samples);
      nir_value *at =
         nir_bcsel(b, is_there, nir_imm_int(b, i), nir_imm_int(b, 0));
      nir_value *depth = nir_channel(b, sample_texel(b, coord, at), 0);
      sum = nir_fadd(b, sum,
                     nir_bcsel(b, is_there, depth, nir_imm_float(b, 0.0f)));
   }
   return nir_fdiv(b, sum, nir_u2fN(b, samples, 32));
}

/* Bit `from` of v as bit `to`. */
static nir_value *
move_bit(nir_builder *b, nir_value *v, unsigned from, unsigned to)
{
   nir_value *bit = nir_iand_imm(b, v, 1u << from);
   return to >= from ? nir_ishl_imm(b, bit, to - from)
                     : nir_ushr_imm(b, bit, from - to);
}

/* Pairs of pixels are as wide as four interleaved samples, or with eight as
 * eight, and as high as four: bits from 1 on are those of the sample (SKL PRM
 * volume 5, "Multisampled Surfaces"). */
static nir_value *
interleave(nir_builder *b, nir_value *v, unsigned bits,
           nir_value *sample_bits)
{
   nir_value *pair = nir_ishl_imm(b, nir_iand_imm(b, v, ~1u), bits);
   return nir_ior(b, nir_ior(b, pair, nir_iand_imm(b, v, 1)), sample_bits);
}

/* See saf_meta_stencil.c for which bit goes where. */
static nir_value *
untiled_texel(nir_builder *b, unsigned samples)
{
   nir_value *pos =
      nir_f2iN(b, nir_channels(b, nir_load_frag_coord(b), 0x3), 32);
   nir_value *from = load_push(b, PUSH(from), 4);
   nir_value *xy = nir_iadd(b, pos, nir_channels(b, from, 0x3));
   nir_value *x = nir_channel(b, xy, 0), *y = nir_channel(b, xy, 1);
   if (samples > 1) {
      nir_value *sample = load_push(b, PUSH(sample), 1);
      nir_value *low = move_bit(b, sample, 0, 1);
      x = samples == 4
             ? interleave(b, x, 1, low)
             : interleave(b, x, 2,
                          nir_ior(b, low, nir_iand_imm(b, sample, 4)));
      y = interleave(b, y, 1, nir_iand_imm(b, sample, 2));
   }
   x = nir_iadd(b, x, nir_channel(b, from, 2));
   y = nir_iadd(b, y, nir_channel(b, from, 3));
   nir_value *tile_x = nir_ishl_imm(b, nir_ushr_imm(b, x, 3), 4);
   nir_value *tile_y = nir_ishl_imm(b, nir_ushr_imm(b, y, 2), 1);
   tile_x = nir_ior(b, tile_x, move_bit(b, y, 1, 3));
   tile_x = nir_ior(b, tile_x, move_bit(b, x, 1, 2));
   tile_x = nir_ior(b, tile_x, move_bit(b, y, 0, 1));
   tile_x = nir_ior(b, tile_x, nir_iand_imm(b, x, 1));
   tile_y = nir_ior(b, tile_y, move_bit(b, x, 2, 0));
   nir_value *parts[2] = { tile_x, tile_y };
   const struct texel t = {
      .op = nir_texop_txf,
      .dim = GLSL_SAMPLER_DIM_2D,
      .coord = nir_vec(b, parts, 2),
   };
   return fetch(b, &t);
}

/* ---- dwords ---- */

/* A dword of a surface that is a buffer. */
static nir_value *
fetch_dword(nir_builder *b, unsigned surface, nir_value *index)
{
   const struct texel t = {
      .op = nir_texop_txf,
      .dim = GLSL_SAMPLER_DIM_BUF,
      .coord = index,
      .surface = surface,
   };
   return nir_channel(b, fetch(b, &t), 0);
}

/* The position of a pixel in rows of positions. */
static nir_value *
row_position(nir_builder *b, nir_value *x, nir_value *y)
{
   return nir_iadd(b, nir_imul_imm(b, y, SAF_META_FAN_ROW), x);
}

static nir_value *
fan_starts(nir_builder *b)
{
   nir_value *xy = pixel_position(b);
   nir_value *i =
      row_position(b, nir_channel(b, xy, 0), nir_channel(b, xy, 1));
   nir_value *cut = load_push(b, PUSH(color), 1);
   return nir_bcsel(b, nir_ieq(b, fetch_dword(b, 0, i), cut),
                    nir_iadd_imm(b, i, 1), nir_imm_int(b, 0));
}

static nir_value *
fan_spread(nir_builder *b)
{
   nir_value *xy = pixel_position(b);
   nir_value *i =
      row_position(b, nir_channel(b, xy, 0), nir_channel(b, xy, 1));
   nir_value *before = nir_isub(b, i, load_push(b, PUSH(color), 1));
   /* Texels out of a buffer's bounds are zero. */
   return nir_umax(b, fetch_dword(b, 0, i), fetch_dword(b, 0, before));
}

/* x / 3 for x below 65536. */
static nir_value *
third(nir_builder *b, nir_value *x)
{
   return nir_ushr_imm(b, nir_imul_imm(b, x, 0xaaab), 17);
}

static nir_value *
fan_indices(nir_builder *b)
{
   nir_value *xy = pixel_position(b), *x = nir_channel(b, xy, 0);
   nir_value *push = load_push(b, PUSH(color), 3);
   nir_value *cut = nir_channel(b, push, 0);
   nir_value *column = third(b, x);
   nir_value *corner = nir_isub(b, x, nir_imul_imm(b, column, 3));
   nir_value *i = row_position(b, column, nir_channel(b, xy, 1));
   nir_value *count = fetch_dword(b, 2, nir_imm_int(b, 0));
   nir_value *first = fetch_dword(b, 2, nir_imm_int(b, 2));
   nir_value *end =
      nir_umin(b, nir_iadd(b, first, count), nir_channel(b, push, 1));
   nir_value *start = nir_umax(b, fetch_dword(b, 1, i), first);
   nir_value *v[3] = { fetch_dword(b, 0, nir_iadd_imm(b, i, 1)),
                       fetch_dword(b, 0, nir_iadd_imm(b, i, 2)),
                       fetch_dword(b, 0, start) };
   nir_value *none =
      nir_ior(b, nir_ior(b, nir_ieq(b, v[0], cut), nir_ieq(b, v[1], cut)),
              nir_ior(b, nir_ult(b, i, start),
                      nir_uge(b, nir_iadd_imm(b, i, 2), end)));
   /* The last vertex of each is the last one here, too, or the first that is
    * not the fan's start is the first. */
   nir_value *is_last = nir_ine_imm(b, nir_channel(b, push, 2), 0);
   nir_value *first_of = nir_bcsel(b, is_last, v[2], v[0]);
   nir_value *second_of = nir_bcsel(b, is_last, v[0], v[1]);
   nir_value *third_of = nir_bcsel(b, is_last, v[1], v[2]);
   nir_value *index =
      nir_bcsel(b, nir_ieq_imm(b, corner, 0), first_of,
                nir_bcsel(b, nir_ieq_imm(b, corner, 1), second_of, third_of));
   return nir_bcsel(b, none, nir_imm_int(b, -1), index);
}

static nir_value *
quotient(nir_builder *b)
{
   nir_value *push = load_push(b, PUSH(color), 2);
   nir_value *dividend = nir_isub(b, fetch_dword(b, 0, nir_imm_int(b, 0)),
                                  nir_channel(b, push, 0));
   return nir_udiv(b, dividend, nir_channel(b, push, 1));
}

/* ---- fragment shaders ---- */

static void
store_color(nir_builder *b, nir_value *value)
{
   nir_store_var(b, output(b, glsl_vec4_type(), FRAG_RESULT_DATA0, "color"),
                 value, 0xf);
}

static void
store_dword(nir_builder *b, nir_value *v)
{
   nir_value *parts[4] = { v, v, v, v };
   store_color(b, nir_vec(b, parts, 4));
}

static void
store_depth(nir_builder *b, nir_value *value)
{
   nir_store_var(b, output(b, glsl_float_type(), FRAG_RESULT_DEPTH, "depth"),
                 nir_channel(b, value, 0), 0x1);
}

static void
discard_without_bit(nir_builder *b, nir_value *texel)
{
   nir_value *masked =
      nir_iand(b, nir_channel(b, texel, 0), load_push(b, PUSH(bit), 1));
   nir_discard_if(b, nir_ieq_imm(b, masked, 0));
}

/* Leaves pixels as they are that are not marked clear. */
static void
resolve_clear(nir_builder *b)
{
   nir_value *word =
      fetch_ms(b, nir_texop_txf_ms_mcs_intel, pixel_position(b), NULL);
   static const unsigned masks[] = { PUSH(bit), PUSH(control) };
   for (unsigned i = 0; i < ARRAY_SIZE(masks); i++) {
      nir_value *mask = load_push(b, masks[i], 1);
      nir_value *bits = nir_iand(b, nir_channel(b, word, i), mask);
      nir_discard_if(b, nir_ine(b, bits, mask));
   }
   store_color(b, load_push(b, PUSH(color), 4));
}

nir_shader *
saf_meta_build_fs(const struct intel_compiler *compiler,
                  enum saf_meta_kind kind)
{
   if (kind == SAF_META_CLEAR_DEPTH || kind == SAF_META_CLEAR_STENCIL ||
       kind == SAF_META_HIZ_CLEAR || kind == SAF_META_HIZ_RESOLVE)
      return NULL;
   nir_builder builder = nir_builder_init_simple_shader(
      MESA_SHADER_FRAGMENT, intel_compiler_nir_options(compiler), "meta fs");
   nir_builder *b = &builder;
   switch (kind) {
   case SAF_META_CLEAR_COLOR:
      store_color(b, load_push(b, PUSH(color), 4));
      break;
   case SAF_META_CCS: store_dword(b, nir_imm_int(b, -1)); break;
   case SAF_META_RESOLVE_CLEAR: resolve_clear(b); break;
   case SAF_META_COPY: store_color(b, copy_texel(b)); break;
   case SAF_META_COPY_DEPTH: store_depth(b, copy_texel(b)); break;
   case SAF_META_BLIT_1D:
      store_color(b, blit_texel(b, GLSL_SAMPLER_DIM_1D));
      break;
   case SAF_META_BLIT_2D:
      store_color(b, blit_texel(b, GLSL_SAMPLER_DIM_2D));
      break;
   case SAF_META_BLIT_3D:
      store_color(b, blit_texel(b, GLSL_SAMPLER_DIM_3D));
      break;
   case SAF_META_BLIT_DEPTH:
      store_depth(b, blit_texel(b, GLSL_SAMPLER_DIM_2D));
      break;
   case SAF_META_RESOLVE_2:
   case SAF_META_RESOLVE_4:
   case SAF_META_RESOLVE_8:
   case SAF_META_RESOLVE_16:
      store_color(b, average_texel(b, 2u << (kind - SAF_META_RESOLVE_2)));
      break;
   case SAF_META_RESOLVE_FIRST: store_color(b, first_sample(b)); break;
   case SAF_META_RESOLVE_DEPTH: store_depth(b, first_sample(b)); break;
   case SAF_META_RESOLVE_DEPTH_AVERAGE:
      store_depth(b, average_depth(b));
      break;
   case SAF_META_RESOLVE_DEPTH_MIN:
      store_depth(b, fold_samples(b, nir_fmin));
      break;
   case SAF_META_RESOLVE_DEPTH_MAX:
      store_depth(b, fold_samples(b, nir_fmax));
      break;
   case SAF_META_STENCIL_BIT: discard_without_bit(b, copy_texel(b)); break;
   case SAF_META_STENCIL_BIT_BLIT:
      discard_without_bit(b, blit_texel(b, GLSL_SAMPLER_DIM_2D));
      break;
   case SAF_META_STENCIL_BIT_MS:
      discard_without_bit(b, first_sample(b));
      break;
   case SAF_META_STENCIL_BIT_MS_MIN:
      discard_without_bit(b, fold_samples(b, nir_umin));
      break;
   case SAF_META_STENCIL_BIT_MS_MAX:
      discard_without_bit(b, fold_samples(b, nir_umax));
      break;
   case SAF_META_STENCIL_BIT_SAMPLES:
      discard_without_bit(b, own_sample(b));
      break;
   case SAF_META_COPY_SAMPLES: store_color(b, own_sample(b)); break;
   case SAF_META_UNTILE: store_color(b, untiled_texel(b, 1)); break;
   case SAF_META_UNTILE_4X: store_color(b, untiled_texel(b, 4)); break;
   case SAF_META_UNTILE_8X: store_color(b, untiled_texel(b, 8)); break;
   case SAF_META_FAN_STARTS: store_dword(b, fan_starts(b)); break;
   case SAF_META_FAN_SPREAD: store_dword(b, fan_spread(b)); break;
   case SAF_META_FAN_INDICES: store_dword(b, fan_indices(b)); break;
   case SAF_META_QUOTIENT: store_dword(b, quotient(b)); break;
   case SAF_META_HIZ_CLEAR:
   case SAF_META_HIZ_RESOLVE:
   case SAF_META_CLEAR_DEPTH:
   case SAF_META_CLEAR_STENCIL:
   case SAF_META_KINDS: unreachable("kind without fragment shader");
   }
   return b->shader;
}
