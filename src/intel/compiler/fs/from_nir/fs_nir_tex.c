/* SPDX-License-Identifier: MIT */
/*
 * Texture instructions -> sampler messages.
 *
 * A message's parameters are GRFs (two each in SIMD16) in an order fixed by
 * its type (PRM SKL vol 7, "Sampling Engine", "Payload Parameter
 * Definition"):
 *    sample      u v r ai             sample_l    lod u v r ai
 *    sample_b    bias u v r ai        sample_c    ref u v r ai
 *    sample_l_c  ref lod u v r ai     sample_b_c  ref bias u v r ai
 *    sample_d    u dudx dudy v dvdx dvdy r drdx drdy ai
 *    ld          u v lod r            ld2dms_w    si mcs.l mcs.h u v r
 *    ld_mcs      u v r                gather4     u v r ai
 *    gather4_c   ref u v r ai         gather4_po  u v offu offv r
 *    lod         u v r ai             resinfo     lod
 *
 * The header, when there, is g0 with dword 2: texel offsets 11:8 (u), 7:4
 * (v), 3:0 (r), channel mask 15:12 (1 = not returned), gather channel 17:16;
 * and dword 3: sampler state pointer, for samplers behind the 16th.
 *
 * Payloads of more than 11 GRFs, and gradients, are cut into SIMD8 messages.
 */
#include "fs_nir.h"

#define MAX_SAMPLER_MLEN 11

struct tex {
   nir_tex_instr *instr;
   enum fs_sampler_msg msg;
   /* Parameters in message order. */
   fs_reg param[16];
   unsigned num_params;
   bool header;
   uint32_t header_dw2;
   fs_reg bti, sampler;        /* immediates or scalars */
   unsigned rcomps;            /* components returned */
};

/* Source of a kind, component c; FS_BAD if there is none. */
static fs_reg
tex_src(struct nir_to_fs *n, const nir_tex_instr *tex, nir_tex_src_type kind,
        unsigned c)
{
   const int i = nir_tex_instr_src_index(tex, kind);

   if (i < 0)
      return (fs_reg) { 0 };
   return fs_src_comp(n, &tex->src[i].src, c);
}

static void
param(struct tex *t, fs_reg r, unsigned type)
{
   assert(t->num_params < ARRAY_SIZE(t->param));
   if (r.file == FS_BAD)
      r = fs_imm(type, 0);
   if (type_sz(r.type) == 2)
      r = retype(r, type == ISA_TYPE_F ? ISA_TYPE_HF : ISA_TYPE_W);
   else
      r = retype(r, type);
   t->param[t->num_params++] = r;
}

static void
coords(struct nir_to_fs *n, struct tex *t, unsigned first, unsigned type)
{
   for (unsigned c = first; c < t->instr->coord_components; c++)
      param(t, tex_src(n, t->instr, nir_tex_src_coord, c), type);
}

/* Index of a texture or sampler: the constant part plus a dynamic one. */
static fs_reg
index_src(struct nir_to_fs *n, const nir_tex_instr *tex, unsigned base,
          nir_tex_src_type kind)
{
   fs_reg dyn = tex_src(n, tex, kind, 0);

   if (dyn.file == FS_BAD)
      return fs_imm_ud(base);
   if (dyn.file == FS_IMM)
      return fs_imm_ud(base + dyn.imm);
   fs_reg sum = fs_vgrf_scalar(&n->b, ISA_TYPE_UD);
   const struct fs_builder sb = fs_scalar(n->b);
   fs_ADD(&sb, fs_scalar_dst(sum), fs_uniformize(n, dyn), fs_imm_ud(base));
   return sum;
}

/* Constant texel offsets as header bits, four each. False: not constant, or
 * out of their range. */
static bool
const_offset(const nir_tex_instr *tex, uint32_t *bits)
{
   const int i = nir_tex_instr_src_index(tex, nir_tex_src_offset);

   *bits = 0;
   if (i < 0)
      return true;
   if (!nir_src_is_const(tex->src[i].src))
      return false;
   for (unsigned c = 0; c < nir_src_num_components(tex->src[i].src); c++) {
      const int64_t o = nir_src_comp_as_int(tex->src[i].src, c);
      if (o < -8 || o > 7)
         return false;
      *bits |= ((uint32_t)o & 0xf) << (4 * (2 - c));
   }
   return true;
}

static bool
is_zero(const nir_tex_instr *tex, nir_tex_src_type kind)
{
   const int i = nir_tex_instr_src_index(tex, kind);

   return i < 0 || (nir_src_is_const(tex->src[i].src) &&
                    nir_src_as_uint(tex->src[i].src) == 0);
}

static void
gradients(struct nir_to_fs *n, struct tex *t)
{
   const nir_tex_instr *tex = t->instr;
   const unsigned grads = tex->coord_components - (tex->is_array ? 1 : 0);

   for (unsigned c = 0; c < tex->coord_components; c++) {
      param(t, tex_src(n, tex, nir_tex_src_coord, c), ISA_TYPE_F);
      if (c < grads) {
         param(t, tex_src(n, tex, nir_tex_src_ddx, c), ISA_TYPE_F);
         param(t, tex_src(n, tex, nir_tex_src_ddy, c), ISA_TYPE_F);
      }
   }
}

/* ld: u v lod r, and on arrays of one dimension the layer stands for v. */
static void
fetch_params(struct nir_to_fs *n, struct tex *t)
{
   const nir_tex_instr *tex = t->instr;
   const bool lz = is_zero(tex, nir_tex_src_lod);
   fs_reg c[3] = { { 0 } };

   for (unsigned i = 0; i < tex->coord_components; i++) {
      c[i] = retype(tex_src(n, tex, nir_tex_src_coord, i), ISA_TYPE_D);
      /* ld takes no offset in the header that wraps: add it here. */
      fs_reg o = { 0 };
      const int k = nir_tex_instr_src_index(tex, nir_tex_src_offset);
      if (k >= 0 && i < nir_src_num_components(tex->src[k].src))
         o = retype(fs_src_comp(n, &tex->src[k].src, i), ISA_TYPE_D);
      if (o.file != FS_BAD && !(o.file == FS_IMM && !o.imm)) {
         fs_reg sum = fs_vgrf(&n->b, ISA_TYPE_D, 1);
         fs_ADD(&n->b, sum, fs_no_imm(n, c[i]), o);
         c[i] = sum;
      }
   }
   t->msg = lz ? FS_SAMPLE_LD_LZ : FS_SAMPLE_LD;
   param(t, c[0], ISA_TYPE_D);
   param(t, c[1], ISA_TYPE_D);
   if (!lz)
      param(t, tex_src(n, tex, nir_tex_src_lod, 0), ISA_TYPE_D);
   if (tex->coord_components > 2)
      param(t, c[2], ISA_TYPE_D);
}

/* Multisampled fetch: the surfaces here have no MCS, which reads as zero
 * when the message says so itself. */
static void
fetch_ms_params(struct nir_to_fs *n, struct tex *t)
{
   t->msg = FS_SAMPLE_LD2DMS_W;
   param(t, tex_src(n, t->instr, nir_tex_src_ms_index, 0), ISA_TYPE_UD);
   fs_reg mcs0 = tex_src(n, t->instr, nir_tex_src_ms_mcs_intel, 0);
   fs_reg mcs1 = mcs0.file == FS_BAD
                    ? mcs0
                    : tex_src(n, t->instr, nir_tex_src_ms_mcs_intel, 1);
   param(t, mcs0, ISA_TYPE_UD);
   param(t, mcs1, ISA_TYPE_UD);
   coords(n, t, 0, ISA_TYPE_D);
}

static void
sample_params(struct nir_to_fs *n, struct tex *t)
{
   const nir_tex_instr *tex = t->instr;
   const bool c = tex->is_shadow;

   if (c)
      param(t, tex_src(n, tex, nir_tex_src_comparator, 0), ISA_TYPE_F);
   switch (tex->op) {
   case nir_texop_tex:
      /* Stages without derivatives sample the base level. */
      if (n->s->stage == MESA_SHADER_FRAGMENT)
         t->msg = c ? FS_SAMPLE_C : FS_SAMPLE;
      else
         t->msg = c ? FS_SAMPLE_C_LZ : FS_SAMPLE_LZ;
      break;
   case nir_texop_txb:
      t->msg = c ? FS_SAMPLE_B_C : FS_SAMPLE_B;
      param(t, tex_src(n, tex, nir_tex_src_bias, 0), ISA_TYPE_F);
      break;
   case nir_texop_txl:
      if (is_zero(tex, nir_tex_src_lod)) {
         t->msg = c ? FS_SAMPLE_C_LZ : FS_SAMPLE_LZ;
      } else {
         t->msg = c ? FS_SAMPLE_L_C : FS_SAMPLE_L;
         param(t, tex_src(n, tex, nir_tex_src_lod, 0), ISA_TYPE_F);
      }
      break;
   case nir_texop_txd:
      t->msg = c ? FS_SAMPLE_D_C : FS_SAMPLE_D;
      gradients(n, t);
      return;
   default:
      unreachable("not a sample");
   }
   coords(n, t, 0, ISA_TYPE_F);
}

static void
gather_params(struct nir_to_fs *n, struct tex *t)
{
   const nir_tex_instr *tex = t->instr;
   uint32_t off;

   t->header = true;
   t->header_dw2 |= tex->component << 16;
   if (tex->is_shadow)
      param(t, tex_src(n, tex, nir_tex_src_comparator, 0), ISA_TYPE_F);
   if (const_offset(tex, &off)) {
      t->msg = tex->is_shadow ? FS_SAMPLE_GATHER4_C : FS_SAMPLE_GATHER4;
      t->header_dw2 |= off;
      coords(n, t, 0, ISA_TYPE_F);
      return;
   }
   t->msg = tex->is_shadow ? FS_SAMPLE_GATHER4_PO_C : FS_SAMPLE_GATHER4_PO;
   for (unsigned c = 0; c < 2; c++)
      param(t, tex_src(n, tex, nir_tex_src_coord, c), ISA_TYPE_F);
   for (unsigned c = 0; c < 2; c++)
      param(t, tex_src(n, tex, nir_tex_src_offset, c), ISA_TYPE_D);
   coords(n, t, 2, ISA_TYPE_F);
}

/* False: unsupported. */
static bool
setup(struct nir_to_fs *n, struct tex *t)
{
   const nir_tex_instr *tex = t->instr;
   uint32_t off = 0;

   t->rcomps = 4;
   t->bti = index_src(n, tex, tex->texture_index, nir_tex_src_texture_offset);
   t->sampler = index_src(n, tex, tex->sampler_index,
                          nir_tex_src_sampler_offset);
   switch (tex->op) {
   case nir_texop_tex:
   case nir_texop_txb:
   case nir_texop_txl:
   case nir_texop_txd:
      if (!const_offset(tex, &off)) {
         fs_fail(n->s, "texture offset that is not constant");
         return false;
      }
      if (nir_tex_instr_src_index(tex, nir_tex_src_min_lod) >= 0) {
         fs_fail(n->s, "texture instruction with a minimum LOD");
         return false;
      }
      t->header_dw2 = off;
      t->header = off != 0;
      sample_params(n, t);
      return true;
   case nir_texop_tg4:
      gather_params(n, t);
      return true;
   case nir_texop_txf:
      t->sampler = fs_imm_ud(0);
      fetch_params(n, t);
      return true;
   case nir_texop_txf_ms:
      t->sampler = fs_imm_ud(0);
      fetch_ms_params(n, t);
      return true;
   case nir_texop_txf_ms_mcs_intel:
      t->sampler = fs_imm_ud(0);
      t->msg = FS_SAMPLE_LD_MCS;
      coords(n, t, 0, ISA_TYPE_D);
      return true;
   case nir_texop_lod:
      t->msg = FS_SAMPLE_LOD;
      coords(n, t, 0, ISA_TYPE_F);
      return true;
   case nir_texop_txs:
   case nir_texop_query_levels:
      t->sampler = fs_imm_ud(0);
      t->msg = FS_SAMPLE_RESINFO;
      param(t, tex->op == nir_texop_txs
                  ? tex_src(n, tex, nir_tex_src_lod, 0) : fs_imm_ud(0),
            ISA_TYPE_UD);
      return true;
   case nir_texop_texture_samples:
      t->sampler = fs_imm_ud(0);
      t->msg = FS_SAMPLE_SAMPLEINFO;
      t->header = true;
      return true;
   default:
      fs_fail(n->s, "texture operation %d", (int)tex->op);
      return false;
   }
}

/* The descriptor's dynamic bits: a scalar, or FS_BAD. */
static fs_reg
dynamic_desc(struct nir_to_fs *n, const struct tex *t)
{
   const struct fs_builder sb = fs_scalar(n->b);

   if (t->sampler.file == FS_IMM)
      return t->bti;
   fs_reg d = fs_vgrf_scalar(&n->b, ISA_TYPE_UD);
   fs_reg m = fs_vgrf_scalar(&n->b, ISA_TYPE_UD);
   fs_AND(&sb, fs_scalar_dst(m), t->sampler, fs_imm_ud(0xf));
   fs_SHL(&sb, fs_scalar_dst(m), m, fs_imm_ud(8));
   fs_OR(&sb, fs_scalar_dst(d), m,
         t->bti.file == FS_IMM ? fs_imm_ud(t->bti.imm) : t->bti);
   return d;
}

static void
emit_header(struct nir_to_fs *n, const struct tex *t, fs_reg p)
{
   struct fs_builder b = fs_exec_all(fs_group(n->b, 8, 0));
   const struct fs_builder sb = fs_scalar(n->b);
   fs_reg ptr = fs_grf(0, ISA_TYPE_UD);

   b.group = 0;
   fs_MOV(&b, p, fs_grf(0, ISA_TYPE_UD));
   fs_MOV(&sb, byte_offset(p, 8), fs_imm_ud(t->header_dw2));
   /* 16 samplers further on for each 16 (a sampler state is 16 bytes). */
   ptr.offset = 12;
   ptr.stride = 0;
   if (t->sampler.file == FS_IMM) {
      if (t->sampler.imm >= 16)
         fs_ADD(&sb, byte_offset(p, 12), ptr,
                fs_imm_ud((t->sampler.imm & ~0xfull) * 16));
   } else {
      fs_reg m = fs_vgrf_scalar(&n->b, ISA_TYPE_UD);
      fs_AND(&sb, fs_scalar_dst(m), t->sampler, fs_imm_ud(0xf0));
      fs_SHL(&sb, fs_scalar_dst(m), m, fs_imm_ud(4));
      fs_ADD(&sb, byte_offset(p, 12), ptr, m);
   }
}

/* One message for the channels of `b`; the result, one component a GRF (or
 * two). */
static fs_reg
emit_message(struct nir_to_fs *n, const struct tex *t,
             const struct fs_builder *b, unsigned first_channel)
{
   const unsigned w = b->exec_size / 8u;
   const unsigned len = (t->header ? 1 : 0) + t->num_params * w;
   const fs_reg p = fs_vgrf_reg(fs_alloc_vgrf(n->s, len), ISA_TYPE_UD);
   const fs_reg dst = fs_vgrf(b, ISA_TYPE_UD, t->rcomps);

   if (t->header)
      emit_header(n, t, p);
   for (unsigned i = 0; i < t->num_params; i++) {
      const fs_reg v = horiz_offset(t->param[i], first_channel);
      const unsigned type = type_sz(v.type) == 4 ? v.type
                            : type_is_float(v.type) ? ISA_TYPE_F
                                                    : ISA_TYPE_D;
      fs_MOV(b, byte_offset(retype(p, type),
                            ((t->header ? 1 : 0) + i * w) * REG_SIZE_B), v);
   }
   fs_emit_send(b, ISA_SFID_SAMPLER,
                fs_sampler_desc(0, t->sampler.file == FS_IMM
                                      ? (unsigned)t->sampler.imm & 0xf : 0,
                                t->msg, b->exec_size),
                dynamic_desc(n, t), dst, t->rcomps * w, p, len, t->header);
   return dst;
}

/* Component c of the message's result for what NIR asked. */
static unsigned
result_comp(const struct tex *t, unsigned c)
{
   /* resinfo: w, h, d, levels. */
   return t->instr->op == nir_texop_query_levels ? 3 : c;
}

void
fs_emit_tex(struct nir_to_fs *n, nir_tex_instr *instr)
{
   struct tex t = { .instr = instr };
   const unsigned comps = nir_dest_num_components(instr->dest);

   if (!setup(n, &t))
      return;
   if (t.sampler.file != FS_IMM || t.sampler.imm >= 16)
      t.header = true;

   /* 16 channels a message, if its payload is not too long then. */
   const unsigned w = MIN2(n->b.exec_size / 8u, 2);
   const unsigned mlen = (t.header ? 1 : 0) + t.num_params * w;
   const bool narrow = w > 1 && (mlen > MAX_SAMPLER_MLEN ||
                                 instr->op == nir_texop_txd);
   const unsigned width = narrow ? 8 : w * 8;
   const fs_reg dst = fs_get_dest(n, &instr->dest);
   const bool half = nir_dest_bit_size(instr->dest) == 16;

   for (unsigned part = 0; part < n->b.exec_size / width; part++) {
      const struct fs_builder b = fs_group(n->b, width, part);
      const fs_reg res = emit_message(n, &t, &b, part * width);

      for (unsigned c = 0; c < MIN2(comps, t.rcomps); c++) {
         const fs_reg d = horiz_offset(offset(dst, &n->b, c),
                                       part * width);
         const fs_reg v = offset(res, &b, result_comp(&t, c));

         if (half && nir_alu_type_get_base_type(instr->dest_type) ==
                     nir_type_float)
            fs_MOV(&b, retype(d, ISA_TYPE_HF), retype(v, ISA_TYPE_F));
         else if (half)
            fs_MOV(&b, d, subscript(v, ISA_TYPE_UW, 0));
         else
            fs_MOV(&b, d, v);
      }
   }
}
