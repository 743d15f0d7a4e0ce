/* SPDX-License-Identifier: MIT */
/*
 * Texture instructions. From version 2 on they name coordinate and sampler;
 * in ps_1_x the number of the destination is that of the stage, and several
 * instructions in a row may belong together.
 */
#include "d3dbc_nir.h"

static enum glsl_sampler_dim
dim_of(unsigned type)
{
   switch (type) {
   case D3DBC_SAMPLER_CUBE: return GLSL_SAMPLER_DIM_CUBE;
   case D3DBC_SAMPLER_VOLUME: return GLSL_SAMPLER_DIM_3D;
   default: return GLSL_SAMPLER_DIM_2D;
   }
}

static nir_variable *
opaque(struct d3dbc_nir *t, const struct glsl_type *type, unsigned stage)
{
   nir_variable *var =
      nir_new_variable(t->b.shader, nir_var_uniform, type, NULL);

   var->data.binding = D3DBC_BINDING_SAMPLER + stage;
   return var;
}

static void
make_sampler(struct d3dbc_nir *t, unsigned stage)
{
   if (t->texture[stage])
      return;
   t->texture[stage] =
      opaque(t,
             glsl_texture_type(dim_of(t->sampler_type[stage]), false,
                               GLSL_TYPE_FLOAT),
             stage);
   t->sampler[stage] = opaque(t, glsl_bare_sampler_type(), stage);
}

struct lookup {
   nir_texop op;
   unsigned stage;
   nir_value *coord, *lod, *bias, *ddx, *ddy;
};

static nir_value *
first(struct d3dbc_nir *t, nir_value *v, unsigned n)
{
   return v ? nir_channels(&t->b, v, (nir_component_mask_t)BITFIELD_MASK(n))
            : NULL;
}

static nir_value *
sample(struct d3dbc_nir *t, const struct lookup *l)
{
   nir_builder *b = &t->b;
   const unsigned stage = l->stage;
   const unsigned n = t->sampler_type[stage] == D3DBC_SAMPLER_2D ? 2 : 3;
   nir_tex_instr *tex;

   make_sampler(t, stage);
   nir_deref_instr *texture = nir_deref_to(b, t->texture[stage]);
   nir_deref_instr *sampler = nir_deref_to(b, t->sampler[stage]);
   const struct {
      nir_tex_operand_kind type;
      nir_value *def;
   } srcs[] = {
      { nir_tex_src_texture_deref, &texture->instr.result },
      { nir_tex_src_sampler_deref, &sampler->instr.result },
      { nir_tex_src_coord, first(t, l->coord, n) },
      { nir_tex_src_lod, l->lod },
      { nir_tex_src_bias, l->bias },
      { nir_tex_src_ddx, first(t, l->ddx, n) },
      { nir_tex_src_ddy, first(t, l->ddy, n) },
   };
   tex = nir_new_tex(b->shader, 0);
   for (unsigned i = 0; i < ARRAY_SIZE(srcs); i++) {
      if (srcs[i].def)
         nir_tex_add(tex, srcs[i].type, nir_use_of(srcs[i].def));
   }
   tex->op = l->op;
   tex->sampler_dim = dim_of(t->sampler_type[stage]);
   tex->coord_components = n;
   tex->dest_type = nir_type_float32;
   nir_set_result(&tex->instr, 4, 32);
   return nir_emit(b, &tex->instr);
}

/* A plain lookup of a stage of ps_1_x; `type` is what the instruction
 * suggests when the caller has not said what is bound. */
static nir_value *
sample_stage(struct d3dbc_nir *t, unsigned stage, nir_value *coord,
             unsigned type)
{
   const struct lookup l = { nir_texop_tex, stage, coord };

   if (!t->sampler_type[stage])
      t->sampler_type[stage] = t->options->stage_type[stage]
                                  ? t->options->stage_type[stage]
                                  : (uint8_t)type;
   return sample(t, &l);
}

/* --- Version 2 and on --------------------------------------------------- */

static void
texld(struct d3dbc_nir *t)
{
   nir_builder *b = &t->b;
   const struct d3dbc_inst *inst = t->inst;
   const struct d3dbc_operand *s = &inst->operand[2];
   struct lookup l = { nir_texop_tex, s->reg.index,
                       d3dbc_nir_src(t, &inst->operand[1]) };
   nir_value *w = nir_channel(b, l.coord, 3), *v;
   unsigned swizzle[4];

   if (!t->sampler_type[l.stage]) {
      d3dbc_nir_fail(t, "s%u is not declared", l.stage);
      return;
   }
   if (inst->op == D3DBC_OP_TEXLDL || !t->pi->is_ps) {
      l.op = nir_texop_txl;
      l.lod = w;
   } else if (inst->op == D3DBC_OP_TEXLDD) {
      l.op = nir_texop_txd;
      l.ddx = d3dbc_nir_src(t, &inst->operand[3]);
      l.ddy = d3dbc_nir_src(t, &inst->operand[4]);
   } else if (inst->control == D3DBC_TEX_PROJECT) {
      l.coord = nir_fdiv(b, l.coord, w);
   } else if (inst->control == D3DBC_TEX_BIAS) {
      l.op = nir_texop_txb;
      l.bias = w;
   }
   v = sample(t, &l);
   for (unsigned i = 0; i < 4; i++)
      swizzle[i] = s->swizzle >> 2 * i & 3;
   d3dbc_nir_write(t, nir_swizzle(b, v, swizzle, 4));
}

static void
texkill(struct d3dbc_nir *t)
{
   nir_builder *b = &t->b;
   const struct d3dbc_operand *o = &t->inst->operand[0];
   nir_value *v = d3dbc_nir_reg(t, o, 0);
   const unsigned mask = t->pi->major < 2 ? 0x7 : o->mask;
   nir_value *kill = nir_imm_false(b);
   nir_value *below = nir_flt(b, v, nir_imm_float(b, 0.0f));

   if (t->inst->predicated)
      below = nir_iand(b, below, d3dbc_nir_predicate(t));
   for (unsigned i = 0; i < 4; i++) {
      if (mask & 1u << i)
         kill = nir_ior(b, kill, nir_channel(b, below, i));
   }
   nir_discard_if(b, kill);
   b->shader->info.fs.uses_discard = true;
}

/* --- ps_1_x ------------------------------------------------------------- */

/* One row of the matrix product of texm3x*: the coordinates of the stage
 * times the source. */
static nir_value *
row_product(struct d3dbc_nir *t)
{
   const struct d3dbc_inst *inst = t->inst;

   return d3dbc_dot(t, d3dbc_nir_texcoord(t, inst->operand[0].reg.index),
                    d3dbc_nir_src(t, &inst->operand[1]), 3);
}

/* Rows collect until the instruction that uses them; false: they are not
 * there. */
static bool
take_rows(struct d3dbc_nir *t, unsigned pads)
{
   for (unsigned i = 0; i < pads; i++) {
      if (!t->row[i])
         return d3dbc_nir_fail(t, "%s without the rows before it",
                               d3dbc_op_info(t->inst->op)->name);
   }
   t->row[pads] = row_product(t);
   return true;
}

static nir_value *
row_vector(struct d3dbc_nir *t, unsigned n)
{
   nir_value *zero = nir_imm_float(&t->b, 0.0f);
   nir_value *v = nir_vec4(&t->b, t->row[0], t->row[1],
                           n > 2 ? t->row[2] : zero,
                           n > 2 ? nir_imm_float(&t->b, 1.0f) : zero);

   memset(t->row, 0, sizeof(t->row));
   return v;
}

/* 2 (N.E) / (N.N) N - E */
static nir_value *
reflect(struct d3dbc_nir *t, nir_value *n, nir_value *e)
{
   nir_builder *b = &t->b;
   nir_value *ne = d3dbc_dot(t, n, e, 3), *nn = d3dbc_dot(t, n, n, 3);
   nir_value *f = nir_fdiv(b, nir_fadd(b, ne, ne), nn);

   return nir_fsub(b, nir_fmul(b, f, n), e);
}

/* The eye ray is in the fourth coordinates of the three stages. */
static nir_value *
eye_ray(struct d3dbc_nir *t, unsigned last)
{
   nir_value *c[4];

   for (unsigned i = 0; i < 3; i++)
      c[i] = nir_channel(&t->b, d3dbc_nir_texcoord(t, last - 2 + i), 3);
   c[3] = nir_imm_float(&t->b, 0.0f);
   return nir_vec(&t->b, c, 4);
}

static void
texm3x3(struct d3dbc_nir *t)
{
   const struct d3dbc_inst *inst = t->inst;
   const unsigned stage = inst->operand[0].reg.index;
   nir_value *v;

   if (stage < 2) {
      d3dbc_nir_fail(t, "%s needs two stages before its own",
                     d3dbc_op_info(inst->op)->name);
      return;
   }
   if (!take_rows(t, 2))
      return;
   v = row_vector(t, 3);
   if (inst->op == D3DBC_OP_TEXM3X3SPEC)
      v = reflect(t, v, d3dbc_nir_src(t, &inst->operand[2]));
   else if (inst->op == D3DBC_OP_TEXM3X3VSPEC)
      v = reflect(t, v, eye_ray(t, stage));
   if (inst->op != D3DBC_OP_TEXM3X3)
      v = sample_stage(t, stage, v, D3DBC_SAMPLER_CUBE);
   d3dbc_nir_write(t, v);
}

static void
texm3x_pad(struct d3dbc_nir *t)
{
   const unsigned i = t->row[0] ? 1 : 0;

   if (t->row[1] || (i && t->inst->op == D3DBC_OP_TEXM3X2PAD))
      d3dbc_nir_fail(t, "too many rows of a matrix");
   else
      t->row[i] = row_product(t);
}

/* z / w, or 1 where w is zero. */
static nir_value *
depth(struct d3dbc_nir *t, nir_value *z, nir_value *w)
{
   nir_builder *b = &t->b;

   return nir_bcsel(b, nir_feq(b, w, nir_imm_float(b, 0.0f)),
                    nir_imm_float(b, 1.0f), nir_fdiv(b, z, w));
}

static void
texm3x2(struct d3dbc_nir *t)
{
   nir_value *v;

   if (!take_rows(t, 1))
      return;
   v = row_vector(t, 2);
   if (t->inst->op == D3DBC_OP_TEXM3X2DEPTH)
      d3dbc_nir_write_depth(t, depth(t, nir_channel(&t->b, v, 0),
                                     nir_channel(&t->b, v, 1)));
   else
      d3dbc_nir_write(t, sample_stage(t, t->inst->operand[0].reg.index, v,
                                      D3DBC_SAMPLER_2D));
}

static void
texbem(struct d3dbc_nir *t)
{
   nir_builder *b = &t->b;
   const unsigned stage = t->inst->operand[0].reg.index;
   nir_value *s = d3dbc_nir_src(t, &t->inst->operand[1]);
   nir_value *coord = d3dbc_nir_texcoord(t, stage);
   nir_value *m = d3dbc_nir_bump(t, stage, 0), *c[4], *v;

   for (unsigned i = 0; i < 2; i++) {
      c[i] =
         nir_fadd(b, nir_channel(b, coord, i),
                  nir_fmul(b, nir_channel(b, m, i), nir_channel(b, s, 0)));
      c[i] = nir_fadd(b, c[i],
                      nir_fmul(b, nir_channel(b, m, 2 + i),
                               nir_channel(b, s, 1)));
   }
   c[2] = nir_channel(b, coord, 2);
   c[3] = nir_channel(b, coord, 3);
   v = sample_stage(t, stage, nir_vec(b, c, 4), D3DBC_SAMPLER_2D);
   if (t->inst->op == D3DBC_OP_TEXBEML) {
      nir_value *l = d3dbc_nir_bump(t, stage, 1);
      l = nir_fadd(b, nir_fmul(b, nir_channel(b, s, 2), nir_channel(b, l, 0)),
                   nir_channel(b, l, 1));
      v = nir_fmul(b, v, l);
   }
   d3dbc_nir_write(t, v);
}

/* Components of the source as coordinates; 4 stands for none. */
static void
texreg2(struct d3dbc_nir *t)
{
   static const struct {
      enum d3dbc_op op;
      unsigned component[3], type;
   } rows[] = {
      { D3DBC_OP_TEXREG2AR, { 3, 0, 4 }, D3DBC_SAMPLER_2D },
      { D3DBC_OP_TEXREG2GB, { 1, 2, 4 }, D3DBC_SAMPLER_2D },
      { D3DBC_OP_TEXREG2RGB, { 0, 1, 2 }, D3DBC_SAMPLER_CUBE },
   };
   nir_value *s = d3dbc_nir_src(t, &t->inst->operand[1]), *c[4];

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].op != t->inst->op)
         continue;
      for (unsigned k = 0; k < 4; k++)
         c[k] = k < 3 && rows[i].component[k] < 4
                   ? nir_channel(&t->b, s, rows[i].component[k])
                   : nir_imm_float(&t->b, 0.0f);
      d3dbc_nir_write(t, sample_stage(t, t->inst->operand[0].reg.index,
                                      nir_vec(&t->b, c, 4), rows[i].type));
   }
}

static void
texdp3(struct d3dbc_nir *t)
{
   nir_value *zero = nir_imm_float(&t->b, 0.0f), *v = row_product(t);

   if (t->inst->op == D3DBC_OP_TEXDP3TEX)
      v = sample_stage(t, t->inst->operand[0].reg.index,
                       nir_vec4(&t->b, v, zero, zero, zero),
                       D3DBC_SAMPLER_2D);
   d3dbc_nir_write(t, v);
}

bool
d3dbc_nir_tex(struct d3dbc_nir *t)
{
   const struct d3dbc_inst *inst = t->inst;
   const struct d3dbc_operand *d = &inst->operand[0];

   switch (inst->op) {
   case D3DBC_OP_TEXLD:
   case D3DBC_OP_TEXLDL:
   case D3DBC_OP_TEXLDD: texld(t); return true;
   case D3DBC_OP_TEXKILL: texkill(t); return true;
   case D3DBC_OP_TEX:
   case D3DBC_OP_TEXLD14:
      d3dbc_nir_write(t,
                      sample_stage(t, d->reg.index,
                                   inst->op == D3DBC_OP_TEX
                                      ? d3dbc_nir_texcoord(t, d->reg.index)
                                      : d3dbc_nir_src(t, &inst->operand[1]),
                                   D3DBC_SAMPLER_2D));
      return true;
   case D3DBC_OP_TEXCOORD:
      d3dbc_nir_write(t,
                      nir_fsat(&t->b, d3dbc_nir_texcoord(t, d->reg.index)));
      return true;
   case D3DBC_OP_TEXCRD:
      d3dbc_nir_write(t, d3dbc_nir_src(t, &inst->operand[1]));
      return true;
   case D3DBC_OP_TEXBEM:
   case D3DBC_OP_TEXBEML: texbem(t); return true;
   case D3DBC_OP_TEXREG2AR:
   case D3DBC_OP_TEXREG2GB:
   case D3DBC_OP_TEXREG2RGB: texreg2(t); return true;
   case D3DBC_OP_TEXM3X2PAD:
   case D3DBC_OP_TEXM3X3PAD: texm3x_pad(t); return true;
   case D3DBC_OP_TEXM3X2TEX:
   case D3DBC_OP_TEXM3X2DEPTH: texm3x2(t); return true;
   case D3DBC_OP_TEXM3X3:
   case D3DBC_OP_TEXM3X3TEX:
   case D3DBC_OP_TEXM3X3SPEC:
   case D3DBC_OP_TEXM3X3VSPEC: texm3x3(t); return true;
   case D3DBC_OP_TEXDP3:
   case D3DBC_OP_TEXDP3TEX: texdp3(t); return true;
   case D3DBC_OP_TEXDEPTH: {
      nir_value *v = d3dbc_nir_reg(t, d, 0);
      d3dbc_nir_write_depth(t, depth(t, nir_channel(&t->b, v, 0),
                                     nir_channel(&t->b, v, 1)));
      return true;
   }
   default: return false;
   }
}
