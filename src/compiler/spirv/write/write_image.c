/* SPDX-License-Identifier: MIT */
/* Textures and storage images (3.52.10). */
#include "compiler/spirv/write/write_private.h"

/* --- Textures ----------------------------------------------------------- */

static nir_value *
operand(const nir_tex_instr *tex, nir_tex_operand_kind kind)
{
   const int i = nir_tex_find(tex, kind);

   return i < 0 ? NULL : tex->src[i].use.value;
}

static uint32_t
operand_id(struct wr *w, const nir_tex_instr *tex, nir_tex_operand_kind kind)
{
   const unsigned i = (unsigned)nir_tex_find(tex, kind);
   const uint8_t xyzw[4] = { 0, 1, 2, 3 };

   return wr_swizzled(
      w, tex->src[i].use.value, xyzw, nir_tex_operand_size(tex, i),
      nir_tex_operand_type(tex, i) == nir_type_float ? WR_FLOAT : WR_UINT);
}

static uint32_t
load_opaque(struct wr *w, nir_deref_instr *d, bool non_uniform)
{
   const uint32_t pointer = wr_deref(w, d, NULL);
   const uint32_t id = WR_OP(
      w, SpvOpLoad, wr_type_within(w, nir_deref_root(d), d->type), pointer);

   if (non_uniform) {
      wr_capability(w, SpvCapabilityShaderNonUniform);
      wr_capability(w, SpvCapabilitySampledImageArrayNonUniformIndexing);
      wr_extension(w, "SPV_EXT_descriptor_indexing");
      WR(&w->decorations, SpvOpDecorate, pointer, SpvDecorationNonUniform);
      WR(&w->decorations, SpvOpDecorate, id, SpvDecorationNonUniform);
   }
   return id;
}

static nir_deref_instr *
deref_operand(struct wr *w, const nir_tex_instr *tex,
              nir_tex_operand_kind kind)
{
   nir_value *v = operand(tex, kind);

   if (!v)
      wr_fail(w, "a texture or sampler by its number, not by a variable");
   return nir_instr_as_deref(v->instr);
}

/* The texture, with its sampler or without. */
static uint32_t
image_of(struct wr *w, const nir_tex_instr *tex, bool sampled)
{
   nir_deref_instr *t = deref_operand(w, tex, nir_tex_src_texture_deref);
   const bool combined = glsl_type_is_sampler(t->type);
   const uint32_t id = load_opaque(w, t, tex->texture_non_uniform);
   uint32_t sampler, type;

   if (combined && sampled)
      return id;
   type = wr_image_type(w, t->type, PIPE_FORMAT_NONE);
   if (combined)
      return WR_OP(w, SpvOpImage, type, id);
   if (!sampled)
      return id;
   sampler = load_opaque(w, deref_operand(w, tex, nir_tex_src_sampler_deref),
                         tex->sampler_non_uniform);
   return WR_OP(w, SpvOpSampledImage, WR_TYPE(w, SpvOpTypeSampledImage, type),
                id, sampler);
}

struct image_operands {
   uint32_t mask, ids[8];
   unsigned n;
};

static void
add(struct wr *w, struct image_operands *o, const nir_tex_instr *tex,
    nir_tex_operand_kind kind, uint32_t mask)
{
   if (!operand(tex, kind))
      return;
   o->mask |= mask;
   o->ids[o->n++] = operand_id(w, tex, kind);
}

static void
add_offset(struct wr *w, struct image_operands *o, const nir_tex_instr *tex)
{
   nir_value *offset = operand(tex, nir_tex_src_offset);
   uint32_t four[4];

   if (offset && nir_use_is_const(nir_use_of(offset))) {
      add(w, o, tex, nir_tex_src_offset, SpvImageOperandsConstOffsetMask);
   } else if (offset) {
      if (tex->op != nir_texop_tg4)
         wr_fail(w, "the offset of a texel is chosen at run time");
      wr_capability(w, SpvCapabilityImageGatherExtended);
      add(w, o, tex, nir_tex_src_offset, SpvImageOperandsOffsetMask);
   }
   if (!nir_tex_has_tg4_offsets(tex))
      return;
   for (unsigned i = 0; i < 4; i++) {
      const nir_const_value c[2] = {
         nir_const_value_for_raw_uint((uint32_t)tex->tg4_offsets[i][0], 32),
         nir_const_value_for_raw_uint((uint32_t)tex->tg4_offsets[i][1], 32),
      };
      four[i] = wr_constant(w, WR_INT, 32, c, 2);
   }
   wr_capability(w, SpvCapabilityImageGatherExtended);
   o->mask |= SpvImageOperandsConstOffsetsMask;
   o->ids[o->n++] =
      wr_made(w, SpvOpConstantComposite,
              WR_TYPE(w, SpvOpTypeArray, wr_vector_type(w, WR_INT, 32, 2),
                      wr_uint(w, 4)),
              four, 4);
}

/* In the order of their bits. */
static struct image_operands
image_operands(struct wr *w, const nir_tex_instr *tex)
{
   struct image_operands o = { 0 };

   add(w, &o, tex, nir_tex_src_bias, SpvImageOperandsBiasMask);
   /* Texels of buffers have no level, and those of samples one. */
   if (tex->sampler_dim != GLSL_SAMPLER_DIM_BUF &&
       tex->op != nir_texop_txf_ms)
      add(w, &o, tex, nir_tex_src_lod, SpvImageOperandsLodMask);
   if (operand(tex, nir_tex_src_ddx)) {
      add(w, &o, tex, nir_tex_src_ddx, SpvImageOperandsGradMask);
      add(w, &o, tex, nir_tex_src_ddy, SpvImageOperandsGradMask);
   }
   add_offset(w, &o, tex);
   add(w, &o, tex, nir_tex_src_ms_index, SpvImageOperandsSampleMask);
   if (operand(tex, nir_tex_src_min_lod))
      wr_capability(w, SpvCapabilityMinLod);
   add(w, &o, tex, nir_tex_src_min_lod, SpvImageOperandsMinLodMask);
   return o;
}

static uint32_t
look_up(struct wr *w, const nir_tex_instr *tex, SpvOp op, uint32_t type,
        const uint32_t *first, unsigned n)
{
   const struct image_operands o = image_operands(w, tex);
   uint32_t words[16];

   memcpy(words, first, n * 4);
   if (o.mask) {
      words[n++] = o.mask;
      memcpy(words + n, o.ids, o.n * 4);
      n += o.n;
   }
   return wr_result(w, op, type, words, n);
}

/* That of the image: the value may be typed otherwise. */
static enum wr_base
texel_base(const nir_tex_instr *tex)
{
   const nir_value *t = operand(tex, nir_tex_src_texture_deref);

   return t ? wr_base_of(glsl_scalar_type(
                 nir_instr_as_deref(t->instr)->type->sampled_type))
            : WR_FLOAT;
}

static void
define_texel(struct wr *w, nir_tex_instr *tex, uint32_t id, unsigned n)
{
   nir_value *v = &tex->instr.result;
   const enum wr_base base = texel_base(tex);

   if (n == 1 && v->num_components > 1)
      id = WR_OP(w, SpvOpCompositeConstruct,
                 wr_vector_type(w, base, v->bit_size, 4), id, id, id, id);
   else
      assert(n == v->num_components);
   wr_define(w, v, base, id);
}

static void
sample(struct wr *w, nir_tex_instr *tex)
{
   const bool explicit_lod = tex->op == nir_texop_txl ||
                             tex->op == nir_texop_txd;
   const bool compares = operand(tex, nir_tex_src_comparator);
   const unsigned bits = tex->instr.result.bit_size;
   const uint32_t image = image_of(w, tex, true);
   const uint32_t coord = operand_id(w, tex, nir_tex_src_coord);
   const uint32_t type =
      wr_vector_type(w, texel_base(tex), bits, compares ? 1 : 4);

   if (compares)
      define_texel(
         w, tex,
         look_up(w, tex,
                 explicit_lod ? SpvOpImageSampleDrefExplicitLod
                              : SpvOpImageSampleDrefImplicitLod,
                 type,
                 WR_ARRAY(image, coord,
                          operand_id(w, tex, nir_tex_src_comparator)),
                 3),
         1);
   else
      define_texel(w, tex,
                   look_up(w, tex,
                           explicit_lod ? SpvOpImageSampleExplicitLod
                                        : SpvOpImageSampleImplicitLod,
                           type, WR_ARRAY(image, coord), 2),
                   4);
}

static void
gather(struct wr *w, nir_tex_instr *tex)
{
   const bool compares = operand(tex, nir_tex_src_comparator);
   const uint32_t image = image_of(w, tex, true);
   const uint32_t coord = operand_id(w, tex, nir_tex_src_coord);
   const uint32_t what = compares ? operand_id(w, tex, nir_tex_src_comparator)
                                  : wr_uint(w, tex->component);

   define_texel(w, tex,
                look_up(w, tex,
                        compares ? SpvOpImageDrefGather : SpvOpImageGather,
                        wr_vector_type(w, texel_base(tex),
                                       tex->instr.result.bit_size, 4),
                        WR_ARRAY(image, coord, what), 3),
                4);
}

static void
fetch(struct wr *w, nir_tex_instr *tex)
{
   const uint32_t image = image_of(w, tex, false);
   const uint32_t coord = operand_id(w, tex, nir_tex_src_coord);

   define_texel(w, tex,
                look_up(w, tex, SpvOpImageFetch,
                        wr_vector_type(w, texel_base(tex),
                                       tex->instr.result.bit_size, 4),
                        WR_ARRAY(image, coord), 2),
                4);
}

static void
query(struct wr *w, nir_tex_instr *tex)
{
   nir_value *v = &tex->instr.result;
   const bool of_lod = tex->op == nir_texop_lod;
   const enum wr_base base = of_lod ? WR_FLOAT : WR_UINT;
   const uint32_t image = image_of(w, tex, of_lod);
   const uint32_t type = wr_value_type(w, v, base);
   uint32_t id;

   wr_capability(w, SpvCapabilityImageQuery);
   if (of_lod)
      id = WR_OP(w, SpvOpImageQueryLod, type, image,
                 operand_id(w, tex, nir_tex_src_coord));
   else if (tex->op == nir_texop_query_levels)
      id = WR_OP(w, SpvOpImageQueryLevels, type, image);
   else if (tex->op == nir_texop_texture_samples)
      id = WR_OP(w, SpvOpImageQuerySamples, type, image);
   else if (tex->sampler_dim == GLSL_SAMPLER_DIM_BUF ||
            tex->sampler_dim == GLSL_SAMPLER_DIM_MS)
      id = WR_OP(w, SpvOpImageQuerySize, type, image);
   else
      id = WR_OP(w, SpvOpImageQuerySizeLod, type, image,
                 operand(tex, nir_tex_src_lod)
                    ? operand_id(w, tex, nir_tex_src_lod)
                    : wr_uint(w, 0));
   wr_define(w, v, base, id);
}

void
wr_tex(struct wr *w, nir_tex_instr *tex)
{
   if (tex->is_sparse || tex->array_is_lowered_cube ||
       operand(tex, nir_tex_src_projector) || operand(tex, nir_tex_src_plane))
      wr_fail(w, "a lookup that is sparse, projected or of a plane");
   switch (tex->op) {
   case nir_texop_tex:
   case nir_texop_txb:
   case nir_texop_txl:
   case nir_texop_txd: sample(w, tex); return;
   case nir_texop_tg4: gather(w, tex); return;
   case nir_texop_txf:
   case nir_texop_txf_ms: fetch(w, tex); return;
   case nir_texop_txs:
   case nir_texop_lod:
   case nir_texop_query_levels:
   case nir_texop_texture_samples: query(w, tex); return;
   default: wr_fail(w, "a lookup that only hardware knows");
   }
}

/* --- Storage images ----------------------------------------------------- */

unsigned
wr_texel_components(const struct glsl_type *image)
{
   switch (glsl_get_sampler_dim(image)) {
   case GLSL_SAMPLER_DIM_1D:
   case GLSL_SAMPLER_DIM_BUF: return 1 + glsl_sampler_type_is_array(image);
   case GLSL_SAMPLER_DIM_3D:
   case GLSL_SAMPLER_DIM_CUBE: return 3; /* a face is a layer */
   default: return 2 + glsl_sampler_type_is_array(image);
   }
}

static uint32_t
storage_image(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   const bool non_uniform = nir_intrinsic_access(intr) & ACCESS_NON_UNIFORM;

   if (non_uniform)
      wr_capability(w, SpvCapabilityStorageImageArrayNonUniformIndexing);
   return load_opaque(w, d, non_uniform);
}

static uint32_t
texel_coord(struct wr *w, nir_intrinsic_instr *intr)
{
   const uint8_t xyzw[4] = { 0, 1, 2, 3 };
   const struct glsl_type *t = nir_use_as_deref(intr->src[0])->type;

   return wr_swizzled(w, intr->src[1].value, xyzw, wr_texel_components(t),
                      WR_UINT);
}

static enum wr_base
storage_base(nir_intrinsic_instr *intr)
{
   return wr_base_of(
      glsl_scalar_type(nir_use_as_deref(intr->src[0])->type->sampled_type));
}

static bool
has_format(const struct wr *w, nir_intrinsic_instr *intr)
{
   const nir_variable *var = nir_deref_root(nir_use_as_deref(intr->src[0]));

   return var->data.image.format ||
          hash_table_has(&w->atomic_images, hash_key_ptr(var));
}

static bool
is_multisampled(nir_intrinsic_instr *intr)
{
   return glsl_get_sampler_dim(nir_use_as_deref(intr->src[0])->type) ==
          GLSL_SAMPLER_DIM_MS;
}

static void
image_load(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_value *v = &intr->instr.result;
   const enum wr_base base = storage_base(intr);
   const uint32_t type = wr_vector_type(w, base, v->bit_size, 4);
   const uint32_t image = storage_image(w, intr);
   const uint32_t coord = texel_coord(w, intr);
   uint32_t id;

   if (!has_format(w, intr))
      wr_capability(w, SpvCapabilityStorageImageReadWithoutFormat);
   id = is_multisampled(intr) ? WR_OP(w, SpvOpImageRead, type, image, coord,
                                      SpvImageOperandsSampleMask,
                                      wr_as(w, intr->src[2].value, WR_UINT))
                              : WR_OP(w, SpvOpImageRead, type, image, coord);
   if (v->num_components < 4) {
      const uint32_t part =
         wr_vector_type(w, base, v->bit_size, v->num_components);
      const uint32_t words[] = { id, id, 0, 1, 2 };
      id = v->num_components == 1
              ? WR_OP(w, SpvOpCompositeExtract, part, id, 0)
              : wr_result(w, SpvOpVectorShuffle, part, words,
                          2u + v->num_components);
   }
   wr_define(w, v, base, id);
}

static void
image_store(struct wr *w, nir_intrinsic_instr *intr)
{
   const enum wr_base base = storage_base(intr);
   const uint32_t image = storage_image(w, intr);
   const uint32_t coord = texel_coord(w, intr);
   const uint32_t texel = wr_as(w, intr->src[3].value, base);

   if (!has_format(w, intr))
      wr_capability(w, SpvCapabilityStorageImageWriteWithoutFormat);
   if (is_multisampled(intr))
      WR(&w->code, SpvOpImageWrite, image, coord, texel,
         SpvImageOperandsSampleMask, wr_as(w, intr->src[2].value, WR_UINT));
   else
      WR(&w->code, SpvOpImageWrite, image, coord, texel);
}

bool
wr_image(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_value *v = &intr->instr.result;

   switch (intr->intrinsic) {
   case nir_intrinsic_image_deref_load: image_load(w, intr); return true;
   case nir_intrinsic_image_deref_store: image_store(w, intr); return true;
   case nir_intrinsic_image_deref_size:
   case nir_intrinsic_image_deref_samples:
      wr_capability(w, SpvCapabilityImageQuery);
      wr_define(w, v, WR_UINT,
                WR_OP(w,
                      intr->intrinsic == nir_intrinsic_image_deref_size
                         ? SpvOpImageQuerySize
                         : SpvOpImageQuerySamples,
                      wr_value_type(w, v, WR_UINT), storage_image(w, intr)));
      return true;
   default: return false;
   }
}
