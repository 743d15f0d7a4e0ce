/* SPDX-License-Identifier: MIT */
/*
 * Texture instructions: one row each says where their operands go. Results
 * are taken through the swizzle of the resource.
 */
#include "tpf_nir.h"

/* `operands`, after the destination: c coordinate, o offsets, t texture,
 * s sampler, r reference, b bias, l level (float), i level (int, and in ld
 * the last coordinate), x y derivatives, m sample, n the least level. */
static const struct tex_row {
   enum tpf_op op;
   nir_texop texop;
   const char *operands;
   bool shadow, level_zero;
} rows[] = {
   { TPF_OP_SAMPLE, nir_texop_tex, "cts" },
   { TPF_OP_SAMPLE_B, nir_texop_txb, "ctsb" },
   { TPF_OP_SAMPLE_L, nir_texop_txl, "ctsl" },
   { TPF_OP_SAMPLE_D, nir_texop_txd, "ctsxy" },
   { TPF_OP_SAMPLE_C, nir_texop_tex, "ctsr", true },
   { TPF_OP_SAMPLE_C_LZ, nir_texop_txl, "ctsr", true, true },
   { TPF_OP_LD, nir_texop_txf, "ct" },
   { TPF_OP_LD_MS, nir_texop_txf_ms, "ctm" },
   { TPF_OP_GATHER4, nir_texop_tg4, "cts" },
   { TPF_OP_GATHER4_C, nir_texop_tg4, "ctsr", true },
   { TPF_OP_GATHER4_PO, nir_texop_tg4, "cots" },
   { TPF_OP_GATHER4_PO_C, nir_texop_tg4, "cotsr", true },
   { TPF_OP_LOD, nir_texop_lod, "cts" },
   { TPF_OP_SAMPLE_CL_S, nir_texop_tex, "ctsn" },
   { TPF_OP_SAMPLE_B_CL_S, nir_texop_txb, "ctsbn" },
   { TPF_OP_SAMPLE_D_CL_S, nir_texop_txd, "ctsxyn" },
   { TPF_OP_SAMPLE_C_CL_S, nir_texop_tex, "ctsrn", true },
};

struct lookup {
   nir_tex_instr *tex;
   const struct tpf_dim_info *dim;
   unsigned swizzle;
};

static void
add(struct lookup *l, nir_tex_operand_kind type, nir_value *v)
{
   nir_tex_add(l->tex, type, nir_use_of(v));
}

static nir_value *
first(struct tpf_nir *t, nir_value *v, unsigned n)
{
   return nir_channels(&t->b, v, (nir_component_mask_t)BITFIELD_MASK(n));
}

static const struct tpf_nir_resource *
texture(struct tpf_nir *t, const struct tpf_operand *o)
{
   const struct tpf_nir_resource *r = tpf_nir_resource(t, o);

   if (r && r->var && r->var->data.mode == nir_var_uniform)
      return r;
   tpf_nir_fail(t, "%s%u is no texture", tpf_file_info(o->file)->text,
                o->index[0].imm);
   return NULL;
}

static bool
add_texture(struct tpf_nir *t, struct lookup *l, const struct tpf_operand *o)
{
   const struct tpf_nir_resource *r = texture(t, o);

   if (!r)
      return false;
   l->dim = tpf_dim_info(tpf_bits(r->dcl->controls, 11, 5));
   l->swizzle = o->swizzle;
   l->tex->sampler_dim = (enum glsl_sampler_dim)l->dim->sampler_dim;
   l->tex->is_array = l->dim->is_array;
   l->tex->dest_type = nir_type_of_glsl_base(tpf_nir_texel_type(r->dcl));
   l->tex->texture_non_uniform = o->non_uniform;
   add(l, nir_tex_src_texture_deref, &tpf_nir_object(t, r, o)->instr.result);
   return true;
}

static void
add_sampler(struct tpf_nir *t, struct lookup *l, const struct tpf_operand *o)
{
   const struct tpf_nir_resource *r = &t->sampler[o->index[0].imm];

   l->tex->sampler_non_uniform = o->non_uniform;
   add(l, nir_tex_src_sampler_deref, &tpf_nir_object(t, r, o)->instr.result);
   if (l->tex->op == nir_texop_tg4 && !l->tex->is_shadow)
      l->tex->component = o->swizzle & 3;
}

/* Which operand the texture is: it decides on the others. */
static const struct tpf_operand *
texture_operand(const struct tpf_inst *inst, const struct tex_row *row)
{
   return &inst->operand[1 + (strchr(row->operands, 't') - row->operands)];
}

static void
add_coord(struct tpf_nir *t, struct lookup *l, nir_value *v)
{
   unsigned n = l->dim->coords;

   if (l->tex->op == nir_texop_lod)
      n -= l->dim->is_array;
   l->tex->coord_components = n;
   add(l, nir_tex_src_coord, first(t, v, n));
   if (l->tex->op == nir_texop_txf &&
       l->tex->sampler_dim != GLSL_SAMPLER_DIM_BUF)
      add(l, nir_tex_src_lod, nir_channel(&t->b, v, 3));
}

static void
add_operands(struct tpf_nir *t, struct lookup *l, const struct tex_row *row)
{
   const struct tpf_operand *o = &t->inst->operand[1];
   const unsigned flat = l->dim->coords - l->dim->is_array;

   for (const char *c = row->operands; *c && !t->failed; c++, o++) {
      switch (*c) {
      case 'c':
         add_coord(t, l,
                   tpf_nir_src(t, o,
                               row->texop == nir_texop_txf ||
                                     row->texop == nir_texop_txf_ms
                                  ? 'i'
                                  : 'f'));
         break;
      case 's': add_sampler(t, l, o); break;
      case 'o':
         add(l, nir_tex_src_offset, first(t, tpf_nir_src(t, o, 'i'), flat));
         break;
      case 'r':
         add(l, nir_tex_src_comparator, tpf_nir_scalar(t, o, 'f'));
         break;
      case 'b': add(l, nir_tex_src_bias, tpf_nir_scalar(t, o, 'f')); break;
      case 'l': add(l, nir_tex_src_lod, tpf_nir_scalar(t, o, 'f')); break;
      case 'x':
         add(l, nir_tex_src_ddx, first(t, tpf_nir_src(t, o, 'f'), flat));
         break;
      case 'y':
         add(l, nir_tex_src_ddy, first(t, tpf_nir_src(t, o, 'f'), flat));
         break;
      case 'm':
         add(l, nir_tex_src_ms_index, tpf_nir_scalar(t, o, 'i'));
         break;
      case 'n': add(l, nir_tex_src_min_lod, tpf_nir_scalar(t, o, 'f')); break;
      }
   }
}

static void
add_immediate_offset(struct tpf_nir *t, struct lookup *l)
{
   const unsigned n = l->dim->coords - l->dim->is_array;
   nir_value *c[3];
   bool any = false;

   for (unsigned i = 0; i < n && i < 3; i++) {
      const int offset = tpf_inst_offset(t->inst, i);
      any |= offset != 0;
      c[i] = nir_imm_int(&t->b, offset);
   }
   if (any)
      add(l, nir_tex_src_offset, nir_vec(&t->b, c, n));
}

static nir_value *
insert(struct tpf_nir *t, struct lookup *l)
{
   nir_tex_instr *tex = l->tex;

   nir_set_result(&tex->instr, nir_tex_size(tex), 32);
   return nir_emit(&t->b, &tex->instr);
}

/* Through the swizzle of the resource; a scalar stands for all. */
static void
write_swizzled(struct tpf_nir *t, nir_value *v, unsigned swizzle)
{
   nir_value *c[4];

   for (unsigned i = 0; i < 4; i++) {
      const unsigned k = swizzle >> 2 * i & 3;
      c[i] = nir_channel(&t->b, v, MIN2(k, v->num_components - 1u));
   }
   tpf_nir_write(t, &t->inst->operand[0], nir_vec(&t->b, c, 4));
}

static void
look_up(struct tpf_nir *t, const struct tex_row *row)
{
   struct lookup l = { nir_new_tex(t->b.shader, 0) };
   nir_value *v;

   l.tex->op = row->texop;
   l.tex->is_shadow = row->shadow;
   l.tex->is_new_style_shadow = row->shadow && row->texop != nir_texop_tg4;
   if (!add_texture(t, &l, texture_operand(t->inst, row)))
      return;
   if (row->texop == nir_texop_txf &&
       l.tex->sampler_dim == GLSL_SAMPLER_DIM_MS) {
      tpf_nir_fail(t, "ld of a multisampled texture");
      return;
   }
   add_operands(t, &l, row);
   if (row->level_zero)
      add(&l, nir_tex_src_lod, nir_imm_float(&t->b, 0.0f));
   add_immediate_offset(t, &l);
   if (t->failed)
      return;
   t->b.shader->info.uses_texture_gather |= row->texop == nir_texop_tg4;
   v = insert(t, &l);
   if (row->texop == nir_texop_lod)
      v = nir_pad_vector_imm_int(&t->b, v, 0, 4);
   write_swizzled(t, v, l.swizzle);
}

/* --- Questions ---------------------------------------------------------- */

static nir_value *
ask(struct tpf_nir *t, const struct tpf_operand *o, nir_texop op,
    nir_value *lod)
{
   struct lookup l = { nir_new_tex(t->b.shader, 0) };

   l.tex->op = op;
   if (!add_texture(t, &l, o))
      return NULL;
   l.tex->dest_type = nir_type_int32;
   if (lod && l.tex->sampler_dim != GLSL_SAMPLER_DIM_BUF &&
       l.tex->sampler_dim != GLSL_SAMPLER_DIM_MS)
      add(&l, nir_tex_src_lod, lod);
   return insert(t, &l);
}

nir_value *
tpf_nir_texture_size(struct tpf_nir *t, const struct tpf_operand *o,
                     nir_value *lod)
{
   return ask(t, o, nir_texop_txs, lod);
}

/* Width, height, depth or elements, and in w the levels, of which a UAV has
 * one. Reciprocals are of what the resource has of the first three. */
static void
resinfo(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const struct tpf_operand *o = &t->inst->operand[2];
   const unsigned kind = tpf_bits(t->inst->controls, 11, 2);
   nir_value *size, *levels, *c[4];

   if (tpf_nir_is_image(t, o)) {
      size = tpf_nir_image_size(t, o);
      levels = nir_imm_int(b, 1);
   } else {
      size = tpf_nir_texture_size(
         t, o, tpf_nir_scalar(t, &t->inst->operand[1], 'u'));
      levels = size ? ask(t, o, nir_texop_query_levels, NULL) : NULL;
   }
   if (!levels)
      return;
   const struct tpf_nir_resource *r = tpf_nir_resource(t, o);
   const unsigned extents =
      size->num_components -
      tpf_dim_info(tpf_bits(r->dcl->controls, 11, 5))->is_array;
   for (unsigned i = 0; i < 3; i++)
      c[i] = i < size->num_components ? nir_channel(b, size, i)
                                      : nir_imm_int(b, 0);
   c[3] = levels;
   for (unsigned i = 0; i < 4 && kind != 2; i++) {
      c[i] = nir_u2f32(b, c[i]);
      if (kind == 1 && i < extents)
         c[i] = nir_frcp(b, c[i]);
   }
   write_swizzled(t, nir_vec(b, c, 4), o->swizzle);
}

static void
sampleinfo(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const struct tpf_operand *o = &t->inst->operand[1];
   nir_value *n, *zero = nir_imm_int(b, 0);

   if (o->file != TPF_FILE_T) {
      tpf_nir_fail(t, "sampleinfo of the render target is not translated");
      return;
   }
   n = ask(t, o, nir_texop_texture_samples, NULL);
   if (!n)
      return;
   if (!tpf_bits(t->inst->controls, 11, 1))
      n = nir_u2f32(b, n);
   write_swizzled(t, nir_vec4(b, n, zero, zero, zero), o->swizzle);
}

bool
tpf_nir_tex(struct tpf_nir *t)
{
   if (t->inst->op == TPF_OP_RESINFO) {
      resinfo(t);
      return true;
   }
   if (t->inst->op == TPF_OP_SAMPLE_INFO) {
      sampleinfo(t);
      return true;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].op == t->inst->op) {
         look_up(t, &rows[i]);
         return true;
      }
   }
   return false;
}
