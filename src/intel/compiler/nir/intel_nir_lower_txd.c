/* SPDX-License-Identifier: MIT */
/*
 * Comparisons with gradients where the sampler has no message for them
 * (sample_d_c came with Gen7.5: PRM HSW vol 7, "Sampling Engine"), and
 * gradients with a least level where the message would have more registers
 * than the sampler takes: 11 are full without a reference and a header.
 *
 * Method: the level that the gradients ask for (OpenGL 4.6, 8.14.1 "Scale
 * Factor and Level-of-Detail", equations 8.7 and 8.9), with which a sample at
 * an explicit level is made. On a cube the gradients are first those of the
 * face's coordinates (8.13): with m the component of largest size, s = c / m,
 * and so ds = (dc - s dm) / m, half of which is a face's unit.
 *
 * A sampler's bias is added by the message, and so after the least level.
 *
 * Before: txd with a comparator, or with a least level. After: txl.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

/* A sample with gradients; or NULL. */
static const nir_tex_instr *
as_txd(const nir_instr *instr)
{
   return instr->kind == nir_kind_tex &&
                nir_instr_as_tex(instr)->op == nir_texop_txd
             ? nir_instr_as_tex(instr)
             : NULL;
}

static bool
compares_with_gradients(const nir_instr *instr, const void *data)
{
   const nir_tex_instr *txd = as_txd(instr);

   return txd && txd->is_shadow;
}

static bool
has_source(const nir_tex_instr *tex, nir_tex_operand_kind kind)
{
   return nir_tex_find(tex, kind) >= 0;
}

static bool
is_too_long(const nir_instr *instr, const void *data)
{
   const nir_tex_instr *txd = as_txd(instr);

   return txd && has_source(txd, nir_tex_src_min_lod) &&
          (txd->is_shadow || txd->sampler_index >= 16 ||
           has_source(txd, nir_tex_src_offset) ||
           has_source(txd, nir_tex_src_sampler_offset) ||
           has_source(txd, nir_tex_src_sampler_handle));
}

static nir_value *
source(nir_builder *b, const nir_tex_instr *tex, nir_tex_operand_kind kind)
{
   const int i = nir_tex_find(tex, kind);

   assert(i >= 0);
   return nir_use_value(b, tex->src[i].use,
                        (int)tex->src[i].use.value->num_components);
}

/* The same; the instruction does not have it any more. */
static nir_value *
take_source(nir_builder *b, nir_tex_instr *tex, nir_tex_operand_kind kind)
{
   nir_value *def = source(b, tex, kind);

   nir_tex_remove(tex, (unsigned)nir_tex_find(tex, kind));
   return def;
}

/* What names the texture besides its index; -1: nothing. */
static int
texture_src(const nir_tex_instr *tex)
{
   const int handle = nir_tex_find(tex, nir_tex_src_texture_handle);

   return handle >= 0 ? handle
                      : nir_tex_find(tex, nir_tex_src_texture_offset);
}

/* Width, height and depth of the base level, as floats. */
static nir_value *
base_size(nir_builder *b, const nir_tex_instr *tex)
{
   const int offset = texture_src(tex);
   nir_tex_instr *txs = nir_new_tex(b->shader, 1 + (offset >= 0));

   txs->op = nir_texop_txs;
   txs->dest_type = nir_type_int32;
   txs->texture_index = tex->texture_index;
   txs->is_shadow = tex->is_shadow;
   txs->is_array = tex->is_array;
   txs->sampler_dim = tex->sampler_dim;
   txs->texture_non_uniform = tex->texture_non_uniform;
   txs->src[0].src_type = nir_tex_src_lod;
   txs->src[0].use = nir_use_of(nir_imm_int(b, 0));
   if (offset >= 0) {
      txs->src[1].src_type = tex->src[offset].src_type;
      txs->src[1].use = nir_use_of(tex->src[offset].use.value);
   }
   nir_set_result(&txs->instr, nir_tex_size(txs), 32);
   nir_emit(b, &txs->instr);
   return nir_i2fN(b, &txs->instr.result, 32);
}

/* The square of a gradient's length in texels. */
static nir_value *
texels_squared(nir_builder *b, nir_value *gradient, nir_value *size)
{
   nir_value *sum = NULL;

   for (unsigned c = 0; c < gradient->num_components; c++) {
      nir_value *t =
         nir_fmul(b, nir_channel(b, gradient, c), nir_channel(b, size, c));
      nir_value *square = nir_fmul(b, t, t);
      sum = sum ? nir_fadd(b, sum, square) : square;
   }
   return sum;
}

/* A gradient on the face of a cube: that of the two smaller components. */
static nir_value *
on_face(nir_builder *b, nir_value *coord, nir_value *gradient)
{
   nir_value *c[3], *d[3], *size[3];

   for (unsigned i = 0; i < 3; i++) {
      c[i] = nir_channel(b, coord, i);
      d[i] = nir_channel(b, gradient, i);
      size[i] = nir_fabs(b, c[i]);
   }
   nir_value *z =
      nir_iand(b, nir_fge(b, size[2], size[0]), nir_fge(b, size[2], size[1]));
   nir_value *y = nir_fge(b, size[1], size[0]);
   nir_value *m = nir_bcsel(b, z, c[2], nir_bcsel(b, y, c[1], c[0]));
   nir_value *dm = nir_bcsel(b, z, d[2], nir_bcsel(b, y, d[1], d[0]));
   nir_value *per_m = nir_frcp(b, m), *out[2];

   for (unsigned i = 0; i < 2; i++) {
      /* z: x and y; y: x and z; x: y and z. */
      nir_value *ci = i ? nir_bcsel(b, z, c[1], c[2])
                        : nir_bcsel(b, nir_ior(b, z, y), c[0], c[1]);
      nir_value *di = i ? nir_bcsel(b, z, d[1], d[2])
                        : nir_bcsel(b, nir_ior(b, z, y), d[0], d[1]);
      nir_value *s = nir_fmul(b, ci, per_m);
      nir_value *ds = nir_fsub(b, di, nir_fmul(b, s, dm));
      out[i] = nir_fmul_imm(b, nir_fmul(b, ds, per_m), 0.5);
   }
   return nir_vec(b, out, 2);
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_tex_instr *tex = nir_instr_as_tex(instr);

   b->cursor = nir_before_instr(instr);
   nir_value *dx = take_source(b, tex, nir_tex_src_ddx);
   nir_value *dy = take_source(b, tex, nir_tex_src_ddy);
   nir_value *size = base_size(b, tex);

   if (tex->sampler_dim == GLSL_SAMPLER_DIM_CUBE) {
      nir_value *coord = source(b, tex, nir_tex_src_coord);
      dx = on_face(b, coord, dx);
      dy = on_face(b, coord, dy);
   }
   nir_value *square =
      nir_fmax(b, texels_squared(b, dx, size), texels_squared(b, dy, size));
   nir_value *lod = nir_fmul_imm(b, nir_flog2(b, square), 0.5);

   if (has_source(tex, nir_tex_src_min_lod))
      lod = nir_fmax(b, lod, take_source(b, tex, nir_tex_src_min_lod));
   nir_tex_add(tex, nir_tex_src_lod, nir_use_of(lod));
   tex->op = nir_texop_txl;
   return NIR_CHANGED_IN_PLACE;
}

bool
intel_nir_lower_txd(nir_shader *nir)
{
   return nir_replace_instrs(nir, compares_with_gradients, lower_instr, NULL);
}

bool
intel_nir_lower_long_txd(nir_shader *nir)
{
   return nir_replace_instrs(nir, is_too_long, lower_instr, NULL);
}
