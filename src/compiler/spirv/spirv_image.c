/* SPDX-License-Identifier: MIT */
/* Image instructions (3.49.10): textures as nir_tex_instr, storage images
 * as image_deref_* intrinsics. */
#include "compiler/spirv/spirv_private.h"

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

static void
check(struct spv *s, bool cond)
{
   spv_check(s, cond,
             "%s: an operand or the result has the wrong type "
             "(3.49.10)",
             here(s));
}

/* What the image operands of an instruction say (3.14). */
struct operands {
   nir_value *bias, *lod, *ddx, *ddy, *offset, *sample, *min_lod;
   const struct spv_const *offsets; /* four constant ivec2 */
   enum gl_access_qualifier access;
};

static nir_value *
get(struct spv *s, uint32_t id, enum spv_base base, unsigned comps)
{
   const struct spv_type *t = spv_value_type(s, id);

   check(s, spv_scalar(t)->base == base && spv_components(t) == comps &&
               t->bits == 32);
   return spv_get_def(s, id);
}

/* Components of a coordinate without the array index. */
static unsigned
dims(const struct spv_type *image)
{
   switch (image->image.dim) {
   case SpvDim1D:
   case SpvDimBuffer: return 1;
   case SpvDim3D:
   case SpvDimCube: return 3;
   default: return 2;
   }
}

static void
read_const_offsets(struct spv *s, struct operands *o, uint32_t id)
{
   const struct spv_value *v = spv_untyped_value(s, id);

   spv_check(
      s,
      v->kind == SPV_VALUE_CONSTANT && v->type->base == SPV_ARRAY &&
         v->type->length == 4 && v->type->elem->base == SPV_VECTOR &&
         v->type->elem->length == 2 && v->type->elem->elem->base == SPV_INT &&
         v->type->elem->bits == 32,
      "%s: ConstOffsets is no constant array of four ivec2 (3.14)", here(s));
   o->offsets = v->constant;
}

static void
read_operands(struct spv *s, const uint32_t *w, unsigned first,
              const struct spv_type *image, enum spv_base lod_base,
              struct operands *o)
{
   const unsigned n = spv_count(w), d = dims(image);
   const unsigned offset_dims = image->image.dim == SpvDimCube ? 3 : d;
   uint32_t mask;
   unsigned i = first + 1;

   memset(o, 0, sizeof(*o));
   if (first >= n)
      return;
   mask = w[first];
   /* The grammar has counted the operands. */
   if (mask & SpvImageOperandsBiasMask)
      o->bias = get(s, w[i++], SPV_FLOAT, 1);
   if (mask & SpvImageOperandsLodMask)
      o->lod = get(s, w[i++], lod_base, 1);
   if (mask & SpvImageOperandsGradMask) {
      o->ddx = get(s, w[i++], SPV_FLOAT, d);
      o->ddy = get(s, w[i++], SPV_FLOAT, d);
   }
   if (mask & SpvImageOperandsConstOffsetMask)
      o->offset = get(s, w[i++], SPV_INT, offset_dims);
   if (mask & SpvImageOperandsOffsetMask)
      o->offset = get(s, w[i++], SPV_INT, offset_dims);
   if (mask & SpvImageOperandsConstOffsetsMask)
      read_const_offsets(s, o, w[i++]);
   if (mask & SpvImageOperandsSampleMask)
      o->sample = get(s, w[i++], SPV_INT, 1);
   if (mask & SpvImageOperandsMinLodMask)
      o->min_lod = get(s, w[i++], SPV_FLOAT, 1);
   if (mask & SpvImageOperandsVolatileTexelMask)
      o->access |= ACCESS_VOLATILE;
   if (mask & (SpvImageOperandsMakeTexelAvailableMask |
               SpvImageOperandsMakeTexelVisibleMask))
      o->access |= ACCESS_COHERENT;
   if (mask & SpvImageOperandsOffsetsMask)
      spv_unsupported(s, "image operand Offsets");
}

static const struct spv_image_value *
get_image(struct spv *s, uint32_t id, const struct spv_type **image)
{
   const struct spv_value *v = spv_value(s, id, SPV_VALUE_IMAGE);

   *image = v->type->base == SPV_SAMPLED_IMAGE ? v->type->elem : v->type;
   spv_check(s, (*image)->base == SPV_IMAGE,
             "%s: id %u is a sampler without "
             "an image (3.49.10)",
             here(s), id);
   return &v->image;
}

static const struct spv_image_value *
get_sampled(struct spv *s, uint32_t id, const struct spv_type **image)
{
   const struct spv_image_value *v = get_image(s, id, image);

   spv_check(s, s->values[id].type->base == SPV_SAMPLED_IMAGE,
             "%s: id %u is no sampled image (3.49.10)", here(s), id);
   return v;
}

/* --- Textures ----------------------------------------------------------- */

struct tex {
   nir_texop op;
   nir_tex_operand srcs[12];
   unsigned num_srcs;
   unsigned coord_components, component;
   bool shadow;
   const struct operands *operands;
};

static void
add_src(struct tex *t, nir_tex_operand_kind type, nir_value *def)
{
   if (!def)
      return;
   t->srcs[t->num_srcs].use = nir_use_of(def);
   t->srcs[t->num_srcs++].src_type = type;
}

static nir_value *
emit_tex(struct spv *s, struct tex *t, const struct spv_image_value *v,
         const struct spv_type *image, const struct spv_type *result)
{
   const struct spv_type *scalar = spv_scalar(result);
   nir_deref_instr *texture = spv_deref(s, v->image);
   nir_tex_instr *tex;

   add_src(t, nir_tex_src_texture_deref, &texture->instr.result);
   if (v->sampler && t->op != nir_texop_txf && t->op != nir_texop_txf_ms &&
       t->op != nir_texop_txs && t->op != nir_texop_query_levels &&
       t->op != nir_texop_texture_samples)
      add_src(t, nir_tex_src_sampler_deref,
              &spv_deref(s, v->sampler)->instr.result);
   tex = nir_new_tex(s->shader, t->num_srcs);
   for (unsigned i = 0; i < t->num_srcs; i++) {
      tex->src[i].src_type = t->srcs[i].src_type;
      tex->src[i].use = t->srcs[i].use;
   }
   tex->op = t->op;
   tex->sampler_dim = image->image.glsl_dim;
   tex->is_array = image->image.arrayed;
   tex->coord_components = t->coord_components;
   tex->is_shadow = t->shadow;
   tex->is_new_style_shadow = t->shadow && t->op != nir_texop_tg4;
   tex->component = t->component;
   tex->texture_non_uniform = v->access & ACCESS_NON_UNIFORM;
   tex->sampler_non_uniform = v->sampler &&
                              (v->sampler->access & ACCESS_NON_UNIFORM);
   tex->dest_type = nir_type_of_glsl_base(scalar->glsl->base_type);
   if (t->operands && t->operands->offsets) {
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned c = 0; c < 2; c++)
            tex->tg4_offsets[i][c] =
               (int8_t)t->operands->offsets->elems[i]->bits[c];
      }
   }
   nir_set_result(&tex->instr, nir_tex_size(tex), scalar->bits);
   return nir_emit(&s->nb, &tex->instr);
}

static void
add_operands(struct tex *t, const struct operands *o)
{
   t->operands = o;
   add_src(t, nir_tex_src_bias, o->bias);
   add_src(t, nir_tex_src_lod, o->lod);
   add_src(t, nir_tex_src_ddx, o->ddx);
   add_src(t, nir_tex_src_ddy, o->ddy);
   add_src(t, nir_tex_src_offset, o->offset);
   add_src(t, nir_tex_src_ms_index, o->sample);
   add_src(t, nir_tex_src_min_lod, o->min_lod);
}

/*
 * The coordinate, of which more components may be given than are used. With
 * `proj` the one after them divides; its reciprocal is returned, since a
 * reference value is divided as well (Vulkan, "Projection Operation"). No
 * sampler of ours divides by itself.
 */
static nir_value *
add_coord(struct spv *s, struct tex *t, uint32_t id,
          const struct spv_type *image, enum spv_base base, bool proj)
{
   const struct spv_type *ct = spv_value_type(s, id);
   const unsigned n = dims(image) + image->image.arrayed;
   nir_value *coord = spv_get_def(s, id);

   check(s, spv_scalar(ct)->base == base && ct->bits == 32 &&
               spv_components(ct) >= n + proj);
   t->coord_components = n;
   nir_value *used = nir_trim_vector(&s->nb, coord, n);
   nir_value *inverse = NULL;
   if (proj) {
      inverse = nir_frcp(&s->nb, nir_channel(&s->nb, coord, n));
      used = nir_fmul(&s->nb, used, inverse);
   }
   add_src(t, nir_tex_src_coord, used);
   return inverse;
}

static nir_texop
sample_op(struct spv *s, struct operands *o, bool explicit_lod)
{
   if (o->ddx)
      return nir_texop_txd;
   if (explicit_lod) {
      spv_check(s, o->lod, "%s: neither Lod nor Grad (3.49.10)", here(s));
      return nir_texop_txl;
   }
   if (s->stage != MESA_SHADER_FRAGMENT && s->stage != MESA_SHADER_COMPUTE) {
      /* No derivatives: the base level. */
      o->bias = NULL;
      o->lod = nir_imm_float(&s->nb, 0.0f);
      return nir_texop_txl;
   }
   return o->bias ? nir_texop_txb : nir_texop_tex;
}

static void
sample(struct spv *s, const uint32_t *w, struct spv_type *t, bool lod,
       bool dref, bool proj)
{
   const struct spv_type *image;
   const struct spv_image_value *v = get_sampled(s, w[3], &image);
   struct tex tex = { 0 };
   struct operands o;
   nir_value *def;

   read_operands(s, w, dref ? 6 : 5, image, SPV_FLOAT, &o);
   spv_check(s, image->image.dim != SpvDimBuffer && !image->image.ms,
             "%s of a buffer or multisampled image (3.49.10)", here(s));
   check(s, dref ? spv_same_type(t, image->elem)
                 : t->base == SPV_VECTOR && t->length == 4 &&
                      spv_same_type(t->elem, image->elem));
   tex.shadow = dref;
   tex.op = sample_op(s, &o, lod);
   nir_value *inverse = add_coord(s, &tex, w[4], image, SPV_FLOAT, proj);
   if (dref) {
      nir_value *reference = get(s, w[5], SPV_FLOAT, 1);
      if (inverse)
         reference = nir_fmul(&s->nb, reference, inverse);
      add_src(&tex, nir_tex_src_comparator, reference);
   }
   add_operands(&tex, &o);
   def = emit_tex(s, &tex, v, image, t);
   spv_set_def(s, t, w[2], def);
}

static void
gather(struct spv *s, const uint32_t *w, struct spv_type *t, bool dref)
{
   const struct spv_type *image;
   const struct spv_image_value *v = get_sampled(s, w[3], &image);
   struct tex tex = { .op = nir_texop_tg4, .shadow = dref };
   struct operands o;

   read_operands(s, w, 6, image, SPV_FLOAT, &o);
   check(s, t->base == SPV_VECTOR && t->length == 4 &&
               spv_same_type(t->elem, image->elem));
   add_coord(s, &tex, w[4], image, SPV_FLOAT, false);
   if (dref) {
      add_src(&tex, nir_tex_src_comparator, get(s, w[5], SPV_FLOAT, 1));
   } else {
      const uint64_t c = spv_const_uint(s, w[5]);
      spv_check(s, c < 4, "OpImageGather: component %llu (3.49.10)",
                (unsigned long long)c);
      tex.component = (unsigned)c;
   }
   s->shader->info.uses_texture_gather = true;
   add_operands(&tex, &o);
   spv_set_def(s, t, w[2], emit_tex(s, &tex, v, image, t));
}

static void
fetch(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *image;
   const struct spv_image_value *v = get_image(s, w[3], &image);
   struct tex tex = { .op = nir_texop_txf };
   struct operands o;

   spv_check(s, image->image.sampled == 1,
             "OpImageFetch: not a sampled image (3.49.10)");
   read_operands(s, w, 5, image, SPV_INT, &o);
   check(s, t->base == SPV_VECTOR && t->length == 4 &&
               spv_same_type(t->elem, image->elem));
   add_coord(s, &tex, w[4], image, SPV_INT, false);
   if (image->image.ms) {
      spv_check(s, o.sample,
                "OpImageFetch: no Sample operand for a "
                "multisampled image (3.49.10)");
      tex.op = nir_texop_txf_ms;
      o.lod = NULL;
   } else if (!o.lod && image->image.dim != SpvDimBuffer) {
      o.lod = nir_imm_int(&s->nb, 0);
   }
   add_operands(&tex, &o);
   spv_set_def(s, t, w[2], emit_tex(s, &tex, v, image, t));
}

static void
query(struct spv *s, const uint32_t *w, struct spv_type *t, nir_texop op)
{
   const struct spv_type *image;
   const struct spv_image_value *v = get_image(s, w[3], &image);
   struct tex tex = { .op = op };
   nir_value *def;

   spv_check(s, image->image.sampled == 1,
             "%s: not a sampled image "
             "(3.49.10)",
             here(s));
   if (op == nir_texop_lod) {
      check(s, v->sampler && t->base == SPV_VECTOR && t->length == 2 &&
                  t->elem->base == SPV_FLOAT && t->bits == 32);
      /* The array index has no part in it. */
      const struct spv_type *ct = spv_value_type(s, w[4]);
      check(s, spv_scalar(ct)->base == SPV_FLOAT && ct->bits == 32 &&
                  spv_components(ct) >= dims(image));
      tex.coord_components = dims(image);
      add_src(&tex, nir_tex_src_coord,
              nir_trim_vector(&s->nb, spv_get_def(s, w[4]), dims(image)));
   } else {
      check(s, spv_scalar(t)->base == SPV_INT && t->bits == 32);
   }
   if (op == nir_texop_txs && image->image.dim != SpvDimBuffer)
      add_src(&tex, nir_tex_src_lod,
              spv_opcode(w) == SpvOpImageQuerySizeLod
                 ? get(s, w[4], SPV_INT, 1)
                 : nir_imm_int(&s->nb, 0));
   def = emit_tex(s, &tex, v, image, t);
   check(s, def->num_components == spv_components(t));
   spv_set_def(s, t, w[2], def);
}

/* --- Storage images ----------------------------------------------------- */

static unsigned
storage_dims(const struct spv_type *image)
{
   const unsigned d = dims(image);
   /* A face of a cube is a layer. */
   return image->image.dim == SpvDimCube ? 3 : d + image->image.arrayed;
}

static nir_value *
storage_coord(struct spv *s, uint32_t id, const struct spv_type *image)
{
   const struct spv_type *ct = spv_value_type(s, id);
   const unsigned n = storage_dims(image);

   check(s, spv_scalar(ct)->base == SPV_INT && ct->bits == 32 &&
               spv_components(ct) >= n);
   return nir_pad_vec4(&s->nb,
                       nir_trim_vector(&s->nb, spv_get_def(s, id), n));
}

static enum pipe_format
storage_format(struct spv *s, const struct spv_pointer *p)
{
   return spv_get_variable(s, p->var, 0)->data.image.format;
}

/* The layer that is drawn to; 0 if nothing before has chosen one. */
static nir_value *
own_layer(struct spv *s)
{
   nir_foreach_shader_in_variable(var, s->shader) {
      if (var->data.location == VARYING_SLOT_LAYER)
         return nir_load_var(&s->nb, var);
   }
   nir_variable *var = nir_new_variable(s->shader, nir_var_shader_in,
                                        glsl_int_type(), "layer");
   var->data.location = VARYING_SLOT_LAYER;
   var->data.interpolation = INTERP_MODE_FLAT;
   return nir_load_var(&s->nb, var);
}

/* An input attachment is read where the fragment is, and at an offset from
 * there that is 0 in Vulkan. */
static void
subpass_read(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *image;
   const struct spv_image_value *v = get_image(s, w[3], &image);
   struct tex tex = { .op = image->image.ms ? nir_texop_txf_ms
                                            : nir_texop_txf,
                      .coord_components = 3 };
   struct spv_type array = *image;
   struct operands o;

   read_operands(s, w, 5, image, SPV_INT, &o);
   check(s,
         spv_same_type(spv_scalar(t), image->elem) && spv_components(t) <= 4);
   spv_check(s, !image->image.ms || o.sample,
             "OpImageRead: no Sample operand for a multisampled image "
             "(3.49.10)");
   nir_value *here_px = nir_f2i32(
      &s->nb, nir_trim_vector(&s->nb, nir_load_frag_coord(&s->nb), 2));
   nir_value *at = nir_iadd(&s->nb, here_px, get(s, w[4], SPV_INT, 2));
   add_src(&tex, nir_tex_src_coord,
           nir_vec3(&s->nb, nir_channel(&s->nb, at, 0),
                    nir_channel(&s->nb, at, 1), own_layer(s)));
   o.lod = image->image.ms ? NULL : nir_imm_int(&s->nb, 0);
   add_operands(&tex, &o);
   array.image.arrayed = 1;
   nir_value *def = emit_tex(s, &tex, v, &array, t);
   spv_set_def(s, t, w[2], nir_trim_vector(&s->nb, def, spv_components(t)));
}

static void
image_read(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *image;
   const struct spv_image_value *v = get_image(s, w[3], &image);
   nir_value *coord, *smp, *lod, *def;
   struct operands o;

   if (image->image.dim == SpvDimSubpassData) {
      subpass_read(s, w, t);
      return;
   }
   spv_check(s, image->image.sampled == 2,
             "OpImageRead: not a storage image (3.49.10)");
   read_operands(s, w, 5, image, SPV_INT, &o);
   check(s,
         spv_same_type(spv_scalar(t), image->elem) && spv_components(t) <= 4);
   coord = storage_coord(s, w[4], image);
   smp = o.sample ? o.sample : nir_undef(&s->nb, 1, 32);
   lod = o.lod ? o.lod : nir_imm_int(&s->nb, 0);
   def = nir_image_deref_load(
      &s->nb, 4, t->bits, &spv_deref(s, v->image)->instr.result, coord, smp,
      lod, .image_dim = image->image.glsl_dim,
      .image_array = image->image.arrayed,
      .format = storage_format(s, v->image), .access = v->access | o.access,
      .dest_type = nir_type_of_glsl_base(image->elem->glsl->base_type));
   spv_set_def(s, t, w[2], nir_trim_vector(&s->nb, def, spv_components(t)));
}

static void
image_write(struct spv *s, const uint32_t *w)
{
   const struct spv_type *image;
   const struct spv_image_value *v = get_image(s, w[1], &image);
   const struct spv_type *tt = spv_value_type(s, w[3]);
   nir_value *coord, *smp, *lod, *texel;
   struct operands o;

   spv_check(s, image->image.sampled == 2,
             "OpImageWrite: not a storage image (3.49.10)");
   read_operands(s, w, 4, image, SPV_INT, &o);
   check(s, spv_scalar(tt)->base == image->elem->base &&
               tt->bits == image->elem->bits);
   coord = storage_coord(s, w[2], image);
   texel = nir_pad_vec4(&s->nb, spv_get_def(s, w[3]));
   smp = o.sample ? o.sample : nir_undef(&s->nb, 1, 32);
   lod = o.lod ? o.lod : nir_imm_int(&s->nb, 0);
   nir_image_deref_store(
      &s->nb, &spv_deref(s, v->image)->instr.result, coord, smp, texel, lod,
      .image_dim = image->image.glsl_dim, .image_array = image->image.arrayed,
      .format = storage_format(s, v->image), .access = v->access | o.access,
      .src_type = nir_type_of_glsl_base(image->elem->glsl->base_type));
   s->shader->info.writes_memory = true;
}

static void
storage_query(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *image;
   const struct spv_image_value *v = get_image(s, w[3], &image);
   nir_deref_instr *d = spv_deref(s, v->image);
   nir_value *def;

   check(s, spv_scalar(t)->base == SPV_INT && t->bits == 32);
   if (spv_opcode(w) == SpvOpImageQuerySamples) {
      check(s, t->base == SPV_INT);
      def = nir_image_deref_samples(&s->nb, &d->instr.result,
                                    .image_dim = image->image.glsl_dim,
                                    .image_array = image->image.arrayed,
                                    .access = v->access);
   } else {
      const unsigned n = image->image.dim == SpvDimCube
                            ? 2u + image->image.arrayed
                            : storage_dims(image);
      check(s, spv_components(t) == n);
      def = nir_image_deref_size(&s->nb, n, &d->instr.result,
                                 nir_imm_int(&s->nb, 0),
                                 .image_dim = image->image.glsl_dim,
                                 .image_array = image->image.arrayed,
                                 .access = v->access);
   }
   spv_set_def(s, t, w[2], def);
}

static void
query_size(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *image;

   get_image(s, w[3], &image);
   if (image->image.sampled == 2)
      storage_query(s, w, t);
   else
      query(s, w, t,
            spv_opcode(w) == SpvOpImageQuerySamples
               ? nir_texop_texture_samples
               : nir_texop_txs);
}

static void
texel_pointer(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_pointer *p = spv_get_pointer(s, w[3]);
   struct spv_value *v;
   nir_value *coord, *smp;

   check(s, p->type->base == SPV_IMAGE && p->type->image.sampled == 2 &&
               t->base == SPV_POINTER &&
               spv_same_type(t->elem, p->type->elem));
   coord = storage_coord(s, w[4], p->type);
   smp = get(s, w[5], SPV_INT, 1);
   v = spv_define(s, w[2], SPV_VALUE_TEXEL_POINTER, t);
   v->texel =
      (struct spv_texel_pointer) { spv_pointer_as(s, w[2], p), coord, smp };
}

/* What OpAtomicLoad and OpAtomicStore do. */
nir_value *
spv_load_texel(struct spv *s, const struct spv_texel_pointer *p)
{
   const struct spv_type *image = p->image->type;
   nir_value *def = nir_image_deref_load(
      &s->nb, 4, image->elem->bits, &spv_deref(s, p->image)->instr.result,
      p->coord, p->sample, nir_imm_int(&s->nb, 0),
      .image_dim = image->image.glsl_dim, .image_array = image->image.arrayed,
      .format = storage_format(s, p->image),
      .access = p->image->access | ACCESS_COHERENT | ACCESS_VOLATILE,
      .dest_type = nir_type_of_glsl_base(image->elem->glsl->base_type));
   return nir_channel(&s->nb, def, 0);
}

void
spv_store_texel(struct spv *s, const struct spv_texel_pointer *p,
                nir_value *def)
{
   const struct spv_type *image = p->image->type;
   nir_image_deref_store(
      &s->nb, &spv_deref(s, p->image)->instr.result, p->coord, p->sample,
      nir_pad_vec4(&s->nb, def), nir_imm_int(&s->nb, 0),
      .image_dim = image->image.glsl_dim, .image_array = image->image.arrayed,
      .format = storage_format(s, p->image),
      .access = p->image->access | ACCESS_COHERENT | ACCESS_VOLATILE,
      .src_type = nir_type_of_glsl_base(image->elem->glsl->base_type));
}

/* --- Images and samplers as values -------------------------------------- */

static void
combine(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_value *i = spv_value(s, w[3], SPV_VALUE_IMAGE);
   const struct spv_value *p = spv_value(s, w[4], SPV_VALUE_IMAGE);
   const struct spv_image_value image = { i->image.image, p->image.sampler,
                                          i->image.access | p->image.access };

   check(s, t->base == SPV_SAMPLED_IMAGE && spv_same_type(t->elem, i->type) &&
               p->type->base == SPV_SAMPLER);
   spv_define(s, w[2], SPV_VALUE_IMAGE, t)->image =
      spv_image_as(s, w[2], image);
}

static void
take_image(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_value *v = spv_value(s, w[3], SPV_VALUE_IMAGE);
   struct spv_image_value image = v->image;

   check(s, v->type->base == SPV_SAMPLED_IMAGE &&
               spv_same_type(t, v->type->elem));
   image.sampler = NULL;
   spv_define(s, w[2], SPV_VALUE_IMAGE, t)->image =
      spv_image_as(s, w[2], image);
}

bool
spv_handle_image(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   struct spv_type *t;

   if (op == SpvOpImageWrite) {
      image_write(s, w);
      return true;
   }
   if (op != SpvOpImageTexelPointer &&
       (op < SpvOpSampledImage || op > SpvOpImageQuerySamples))
      return false;
   t = spv_get_type(s, w[1]);
   switch (op) {
   case SpvOpSampledImage: combine(s, w, t); break;
   case SpvOpImage: take_image(s, w, t); break;
   case SpvOpImageTexelPointer: texel_pointer(s, w, t); break;
   case SpvOpImageSampleImplicitLod:
      sample(s, w, t, false, false, false);
      break;
   case SpvOpImageSampleExplicitLod:
      sample(s, w, t, true, false, false);
      break;
   case SpvOpImageSampleDrefImplicitLod:
      sample(s, w, t, false, true, false);
      break;
   case SpvOpImageSampleDrefExplicitLod:
      sample(s, w, t, true, true, false);
      break;
   case SpvOpImageSampleProjImplicitLod:
      sample(s, w, t, false, false, true);
      break;
   case SpvOpImageSampleProjExplicitLod:
      sample(s, w, t, true, false, true);
      break;
   case SpvOpImageSampleProjDrefImplicitLod:
      sample(s, w, t, false, true, true);
      break;
   case SpvOpImageSampleProjDrefExplicitLod:
      sample(s, w, t, true, true, true);
      break;
   case SpvOpImageFetch: fetch(s, w, t); break;
   case SpvOpImageGather: gather(s, w, t, false); break;
   case SpvOpImageDrefGather: gather(s, w, t, true); break;
   case SpvOpImageRead: image_read(s, w, t); break;
   case SpvOpImageQuerySizeLod: query(s, w, t, nir_texop_txs); break;
   case SpvOpImageQuerySize:
   case SpvOpImageQuerySamples: query_size(s, w, t); break;
   case SpvOpImageQueryLod: query(s, w, t, nir_texop_lod); break;
   case SpvOpImageQueryLevels: query(s, w, t, nir_texop_query_levels); break;
   default: return false;
   }
   return true;
}
