/* SPDX-License-Identifier: MIT */
/*
 * Problem: a sampler has a Y'CbCr conversion, and the image several planes;
 * the hardware samples one surface and converts nothing that Vulkan knows.
 *
 * Method: a sample of each plane, at the same normalized coordinates, which
 * is where the texels of a small plane lie between those of the large one.
 * Texels that lie on every second one are half a texel of the large plane
 * further left: coordinates move by as much to the right. Then numbers become
 * the signal's (range), and that red, green and blue (model): Vulkan 1.3,
 * "Sampler Y'CbCr Range Expansion" and "Sampler Y'CbCr Model Conversion".
 *
 * Before: the texture instruction has entries or handles. After: it samples
 * the first plane, clones of it the others.
 */
#include "saf_nir_layout.h"

/* The size of the first plane's base level, as floats. */
static nir_value *
plane_size(nir_builder *b, const nir_tex_instr *tex)
{
   const int handle = nir_tex_find(tex, nir_tex_src_texture_handle);
   nir_tex_instr *txs = nir_new_tex(b->shader, 1 + (handle >= 0));
   txs->op = nir_texop_txs;
   txs->dest_type = nir_type_int32;
   txs->texture_index = tex->texture_index;
   txs->is_array = tex->is_array;
   txs->sampler_dim = tex->sampler_dim;
   txs->src[0].src_type = nir_tex_src_lod;
   txs->src[0].use = nir_use_of(nir_imm_int(b, 0));
   if (handle >= 0) {
      txs->src[1].src_type = nir_tex_src_texture_handle;
      txs->src[1].use = nir_use_of(tex->src[handle].use.value);
   }
   nir_set_result(&txs->instr, nir_tex_size(txs), 32);
   nir_emit(b, &txs->instr);
   return nir_i2fN(b, &txs->instr.result, 32);
}

static void
move_to_cosited(nir_builder *b, nir_tex_instr *tex, nir_value *size,
                const struct saf_ycbcr_conversion *c)
{
   const int at = nir_tex_find(tex, nir_tex_src_coord);
   nir_value *coord = tex->src[at].use.value, *out[4] = { NULL };
   const bool moves[2] = { c->cosited_x, c->cosited_y };
   for (unsigned i = 0; i < coord->num_components; i++) {
      out[i] = nir_channel(b, coord, i);
      if (i < 2 && moves[i])
         out[i] = nir_fadd(b, out[i],
                           nir_fdiv(b, nir_imm_float(b, 0.5f),
                                    nir_channel(b, size, i)));
   }
   nir_set_use(&tex->instr, &tex->src[at].use,
               nir_vec(b, out, coord->num_components));
}

static nir_value *
sample_plane(nir_builder *b, const nir_tex_instr *first,
             const struct saf_resource *plane, nir_value *size,
             const struct saf_ycbcr_conversion *c)
{
   nir_tex_instr *tex =
      nir_instr_as_tex(nir_instr_clone(b->shader, &first->instr));
   const int handle = nir_tex_find(first, nir_tex_src_texture_handle);
   nir_emit(b, &tex->instr);
   b->cursor = nir_before_instr(&tex->instr);
   if (handle >= 0)
      nir_set_use(&tex->instr, &tex->src[handle].use, plane->name);
   else
      tex->texture_index = (unsigned)nir_use_as_uint(nir_use_of(plane->name));
   if (size)
      move_to_cosited(b, tex, size, c);
   b->cursor = nir_after_instr(&tex->instr);
   return &tex->instr.result;
}

/* Of `bits` bits what lies between 0 and 1 becomes the signal: brightness
 * from 0 to 1, the others from -0.5 to 0.5. */
static nir_value *
expand(nir_builder *b, nir_value *v, const struct saf_ycbcr_conversion *c,
       bool is_brightness)
{
   const double step = (double)(1u << (c->bits - 8));
   const double all = (double)((1ull << c->bits) - 1);
   double offset, range;
   if (c->narrow) {
      offset = (is_brightness ? 16 : 128) * step;
      range = (is_brightness ? 219 : 224) * step;
   } else {
      offset = is_brightness ? 0 : 128 * step;
      range = all;
   }
   return nir_fadd_imm(b, nir_fmul_imm(b, v, all / range), -offset / range);
}

/* How much of brightness is red and blue (ITU-R BT.601, BT.709, BT.2020). */
static void
shares(uint32_t model, double *red, double *blue)
{
   switch (model) {
   case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709:
      *red = 0.2126;
      *blue = 0.0722;
      return;
   case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020:
      *red = 0.2627;
      *blue = 0.0593;
      return;
   default:
      *red = 0.299;
      *blue = 0.114;
      return;
   }
}

/* Cr, Y' and Cb, where red, green and blue are. */
static void
convert(nir_builder *b, nir_value *v[4], const struct saf_ycbcr_conversion *c)
{
   if (c->model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY)
      return;
   for (unsigned i = 0; i < 3; i++)
      v[i] = expand(b, v[i], c, i == 1);
   if (c->model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_IDENTITY)
      return;
   double red, blue;
   shares(c->model, &red, &blue);
   const double green = 1 - red - blue;
   nir_value *cr = v[0], *y = v[1], *cb = v[2];
   v[0] = nir_fadd(b, y, nir_fmul_imm(b, cr, 2 * (1 - red)));
   v[2] = nir_fadd(b, y, nir_fmul_imm(b, cb, 2 * (1 - blue)));
   v[1] = nir_fadd(b, y, nir_fmul_imm(b, cr, -2 * red * (1 - red) / green));
   v[1] =
      nir_fadd(b, v[1], nir_fmul_imm(b, cb, -2 * blue * (1 - blue) / green));
}

/* Zeroes below what a channel has make 1 a little less. */
static nir_value *
without_padding(nir_builder *b, nir_value *v,
                const struct saf_ycbcr_conversion *c)
{
   if (!c->padding)
      return v;
   const double all = (double)((1ull << (c->bits + c->padding)) - 1);
   const double most = (double)(((1ull << c->bits) - 1) << c->padding);
   return nir_fmul_imm(b, v, all / most);
}

static nir_value *
channel(nir_builder *b, nir_value *const planes[SAF_MAX_COLOR_PLANES],
        struct saf_ycbcr_place at, const struct saf_ycbcr_conversion *c)
{
   nir_value *v = nir_channel(b, planes[at.plane], at.channel);
   return without_padding(b, nir_f2fN(b, v, 32), c);
}

static nir_value *
swizzled(nir_builder *b, nir_value *const texel[4], uint32_t select)
{
   switch (select) {
   case ISL_CHANNEL_SELECT_ZERO: return nir_imm_float(b, 0.0f);
   case ISL_CHANNEL_SELECT_ONE: return nir_imm_float(b, 1.0f);
   default: return texel[select - ISL_CHANNEL_SELECT_RED];
   }
}

void
saf_nir_lower_ycbcr(nir_builder *b, nir_tex_instr *tex,
                    const struct saf_ycbcr_conversion *c,
                    const struct saf_resource *others)
{
   nir_value *first = &tex->instr.result;
   const unsigned bit_size = first->bit_size;
   b->cursor = nir_after_instr(&tex->instr);
   nir_value *size = c->cosited_x || c->cosited_y ? plane_size(b, tex) : NULL;
   nir_value *planes[SAF_MAX_COLOR_PLANES] = { first };
   for (unsigned i = 1; i < c->plane_count; i++)
      planes[i] = sample_plane(b, tex, &others[i - 1], size, c);
   nir_value *texel[4] = {
      channel(b, planes, c->cr, c),
      channel(b, planes, c->y, c),
      channel(b, planes, c->cb, c),
      c->has_alpha ? nir_f2fN(b, nir_channel(b, first, 3), 32)
                   : nir_imm_float(b, 1.0f),
   };
   nir_value *out[4];
   for (unsigned i = 0; i < 4; i++)
      out[i] = swizzled(b, texel, c->swizzle[i]);
   convert(b, out, c);
   nir_value *value = nir_vec(b, out, MIN2(first->num_components, 4));
   if (bit_size != 32)
      value = nir_f2fN(b, value, bit_size);
   nir_value_replace_after(first, value, value->instr);
}
