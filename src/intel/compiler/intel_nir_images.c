/* SPDX-License-Identifier: MIT */
/*
 * Storage images whose format the data port does not convert.
 *
 * Since Gen9 typed reads take integer and float formats as they are, but
 * neither normalised ones nor those with unequal components (PRM SKL vol 5,
 * "Surface Formats": typed read column). Such an image is bound with an
 * integer format of the same components, or as R32_UINT, and texels are
 * unpacked and packed here. Images that are only written keep their format:
 * typed writes convert to all of them.
 */
#include "compiler/nir/nir_builder.h"
#include "intel_compiler_private.h"

enum packing { PACK_UNORM, PACK_SNORM, PACK_UINT, PACK_FLOAT };

struct image_format {
   enum pipe_format format;
   enum pipe_format bound_as;
   enum packing packing;
   uint8_t components;
   uint8_t bits[4];
};

#define NORM8(n, ...)                                                        \
   { PIPE_FORMAT_##n##_UNORM, PIPE_FORMAT_##n##_UINT, PACK_UNORM,            \
     __VA_ARGS__ },                                                          \
   { PIPE_FORMAT_##n##_SNORM, PIPE_FORMAT_##n##_UINT, PACK_SNORM,            \
     __VA_ARGS__ }

static const struct image_format formats[] = {
   NORM8(R8, 1, { 8 }),
   NORM8(R8G8, 2, { 8, 8 }),
   NORM8(R8G8B8A8, 4, { 8, 8, 8, 8 }),
   NORM8(R16, 1, { 16 }),
   NORM8(R16G16, 2, { 16, 16 }),
   NORM8(R16G16B16A16, 4, { 16, 16, 16, 16 }),
   { PIPE_FORMAT_R10G10B10A2_UNORM, PIPE_FORMAT_R32_UINT, PACK_UNORM, 4,
     { 10, 10, 10, 2 } },
   { PIPE_FORMAT_R10G10B10A2_UINT, PIPE_FORMAT_R32_UINT, PACK_UINT, 4,
     { 10, 10, 10, 2 } },
   { PIPE_FORMAT_R11G11B10_FLOAT, PIPE_FORMAT_R32_UINT, PACK_FLOAT, 3,
     { 11, 11, 10 } },
};

static const struct image_format *
find_format(enum pipe_format format)
{
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      if (formats[i].format == format)
         return &formats[i];
   }
   return NULL;
}

enum pipe_format
intel_storage_image_format(const struct intel_compiler *compiler,
                           enum pipe_format format)
{
   const struct image_format *f = find_format(format);

   (void)compiler;
   if (format == PIPE_FORMAT_R64_UINT || format == PIPE_FORMAT_R64_SINT)
      return PIPE_FORMAT_NONE;
   return f ? f->bound_as : format;
}

static bool
is_one_dword(const struct image_format *f)
{
   return f->bound_as == PIPE_FORMAT_R32_UINT;
}

/* ---- a component, out of the low bits of `v` and into them ---- */

static nir_ssa_def *
unpack(nir_builder *b, const struct image_format *f, unsigned c,
       nir_ssa_def *v)
{
   const unsigned bits = f->bits[c];

   switch (f->packing) {
   case PACK_UNORM:
      return nir_fmul_imm(b, nir_u2f32(b, v),
                          1.0 / (double)BITFIELD64_MASK(bits));
   case PACK_SNORM: {
      nir_ssa_def *i = nir_ishr(
         b, nir_ishl(b, v, nir_imm_int(b, 32 - (int)bits)),
         nir_imm_int(b, 32 - (int)bits));
      return nir_fmax(b, nir_fmul_imm(b, nir_i2f32(b, i),
                                      1.0 / (double)BITFIELD64_MASK(bits - 1)),
                      nir_imm_float(b, -1));
   }
   case PACK_FLOAT:
      /* The high bits of a half without its sign. */
      return nir_f2f32(b, nir_u2u16(b, nir_ishl(
                          b, v, nir_imm_int(b, 15 - (int)bits))));
   case PACK_UINT:
      return v;
   }
   unreachable("a packing");
}

static nir_ssa_def *
pack(nir_builder *b, const struct image_format *f, unsigned c, nir_ssa_def *v)
{
   const unsigned bits = f->bits[c];

   switch (f->packing) {
   case PACK_UNORM:
      return nir_f2u32(b, nir_fround_even(
                          b, nir_fmul_imm(b, nir_fsat(b, v),
                                          (double)BITFIELD64_MASK(bits))));
   case PACK_SNORM: {
      nir_ssa_def *x = nir_fmin(b, nir_fmax(b, v, nir_imm_float(b, -1)),
                                nir_imm_float(b, 1));
      x = nir_f2i32(b, nir_fround_even(
                       b, nir_fmul_imm(b, x,
                                       (double)BITFIELD64_MASK(bits - 1))));
      return nir_iand_imm(b, x, BITFIELD64_MASK(bits));
   }
   case PACK_FLOAT: {
      nir_ssa_def *h = nir_u2u32(
         b, nir_f2f16(b, nir_fmax(b, v, nir_imm_float(b, 0))));
      return nir_ushr(b, h, nir_imm_int(b, 15 - (int)bits));
   }
   case PACK_UINT:
      return nir_umin(b, v, nir_imm_int(b, (int)BITFIELD64_MASK(bits)));
   }
   unreachable("a packing");
}

/* ---- texels ---- */

static nir_ssa_def *
unpack_texel(nir_builder *b, const struct image_format *f, nir_ssa_def *texel,
             unsigned comps)
{
   nir_ssa_def *out[4];
   unsigned shift = 0;

   for (unsigned c = 0; c < comps; c++) {
      if (c >= f->components) {
         const bool one = c == 3;
         out[c] = f->packing == PACK_UINT ? nir_imm_int(b, one)
                                          : nir_imm_float(b, one);
         continue;
      }
      nir_ssa_def *v = nir_channel(b, texel, is_one_dword(f) ? 0 : c);
      if (is_one_dword(f)) {
         v = nir_iand_imm(b, nir_ushr(b, v, nir_imm_int(b, (int)shift)),
                          BITFIELD64_MASK(f->bits[c]));
         shift += f->bits[c];
      }
      out[c] = unpack(b, f, c, v);
   }
   return nir_vec(b, out, comps);
}

static nir_ssa_def *
pack_texel(nir_builder *b, const struct image_format *f, nir_ssa_def *value)
{
   nir_ssa_def *out[4], *word = nir_imm_int(b, 0);
   unsigned shift = 0;

   for (unsigned c = 0; c < 4; c++) {
      out[c] = nir_imm_int(b, 0);
      if (c >= f->components || c >= value->num_components)
         continue;
      out[c] = pack(b, f, c, nir_channel(b, value, c));
      word = nir_ior(b, word, nir_ishl(b, out[c],
                                       nir_imm_int(b, (int)shift)));
      shift += f->bits[c];
   }
   if (is_one_dword(f)) {
      out[0] = word;
      out[1] = out[2] = out[3] = nir_imm_int(b, 0);
   }
   return nir_vec(b, out, 4);
}

static bool
lower_load(nir_builder *b, nir_intrinsic_instr *intr)
{
   const struct image_format *f = find_format(nir_intrinsic_format(intr));
   nir_ssa_def *texel;

   if (!f)
      return false;
   b->cursor = nir_after_instr(&intr->instr);
   nir_intrinsic_set_format(intr, f->bound_as);
   nir_intrinsic_set_dest_type(intr, nir_type_uint32);
   texel = unpack_texel(b, f, &intr->dest.ssa,
                        nir_dest_num_components(intr->dest));
   nir_ssa_def_rewrite_uses_after(&intr->dest.ssa, texel,
                                  texel->parent_instr);
   return true;
}

static bool
lower_store(nir_builder *b, nir_intrinsic_instr *intr)
{
   const struct image_format *f = find_format(nir_intrinsic_format(intr));
   nir_ssa_def *texel;

   if (!f || (nir_intrinsic_access(intr) & ACCESS_NON_READABLE))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   texel = pack_texel(b, f, nir_ssa_for_src(b, intr->src[3],
                                            intr->num_components));
   nir_intrinsic_set_format(intr, f->bound_as);
   nir_intrinsic_set_src_type(intr, nir_type_uint32);
   intr->num_components = 4;
   nir_instr_rewrite_src(&intr->instr, &intr->src[3],
                         nir_src_for_ssa(texel));
   return true;
}

static bool
lower(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *intr;

   if (instr->type != nir_instr_type_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_image_load: return lower_load(b, intr);
   case nir_intrinsic_image_store: return lower_store(b, intr);
   default: return false;
   }
}

bool
intel_nir_lower_image_formats(nir_shader *nir)
{
   return nir_shader_instructions_pass(nir, lower,
                                       nir_metadata_control_flow, NULL);
}
