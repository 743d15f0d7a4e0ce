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
 *    (Gen9: a least level, mlod, after ai, but for sample_l)
 *    ld          u v lod r            ld2dms_w    si mcsl mcsh u v r
 *    (Gen8)      u lod v r            ld2dms      si mcs u v r
 *    ld_mcs      u v r                gather4     u v r ai
 *    gather4_c   ref u v r ai         gather4_po  u v offu offv r
 *    lod         u v r ai             resinfo     lod
 *
 * The header, when there, is g0 with dword 2: texel offsets 11:8 (u), 7:4
 * (v), 3:0 (r), channel mask 15:12 (1 = not returned), gather channel 17:16;
 * and dword 3: sampler state pointer, for samplers after the 16th.
 *
 * Payloads of more than 11 GRFs, and gradients, are cut into SIMD8 messages.
 */
#include "fs_nir.h"

#define MAX_SAMPLER_MLEN 11

struct tex {
   nir_tex_instr *instr;
   enum isa_msg msg;
   /* Parameters in message order. */
   eu_reg param[16];
   unsigned num_params;
   bool header;
   uint32_t header_dw2;
   eu_reg bti, sampler;                   /* immediates or scalars */
   eu_reg texture_handle, sampler_handle; /* in place of them, or EU_BAD */
   unsigned rcomps;                       /* components returned */
};

/* Source of a kind, component c; EU_BAD if there is none. */
static eu_reg
tex_src(struct nir_to_fs *n, const nir_tex_instr *tex,
        nir_tex_operand_kind kind, unsigned c)
{
   const int i = nir_tex_find(tex, kind);

   if (i < 0)
      return (eu_reg) { 0 };
   return fs_src_comp(n, &tex->src[i].use, c);
}

static void
param(struct tex *t, eu_reg r, unsigned type)
{
   assert(t->num_params < ARRAY_SIZE(t->param));
   if (r.file == EU_BAD)
      r = eu_imm(type, 0);
   if (eu_type_sz(r.type) == 2)
      r = eu_retype(r, type == ISA_TYPE_F ? ISA_TYPE_HF : ISA_TYPE_W);
   else
      r = eu_retype(r, type);
   t->param[t->num_params++] = r;
}

static void
coords(struct nir_to_fs *n, struct tex *t, unsigned first, unsigned type)
{
   for (unsigned c = first; c < t->instr->coord_components; c++)
      param(t, tex_src(n, t->instr, nir_tex_src_coord, c), type);
}

/* Index of a texture or sampler: the constant part plus a dynamic one. */
static eu_reg
index_src(struct nir_to_fs *n, const nir_tex_instr *tex, unsigned base,
          nir_tex_operand_kind kind)
{
   eu_reg dyn = tex_src(n, tex, kind, 0);

   if (dyn.file == EU_BAD)
      return eu_imm_ud(base);
   if (dyn.file == EU_IMM)
      return eu_imm_ud(base + dyn.imm);
   eu_reg sum = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   const struct eu_builder sb = eu_scalar(n->b);
   eu_ADD(&sb, eu_scalar_dst(sum), fs_uniformize(n, dyn), eu_imm_ud(base));
   return sum;
}

/* A handle as a scalar, or EU_BAD. */
static eu_reg
handle_src(struct nir_to_fs *n, const nir_tex_instr *tex,
           nir_tex_operand_kind kind)
{
   const eu_reg handle = tex_src(n, tex, kind, 0);

   return handle.file == EU_BAD ? handle : fs_uniformize(n, handle);
}

/* Constant texel offsets as header bits, four each. False: not constant, or
 * out of their range. */
static bool
const_offset(const nir_tex_instr *tex, uint32_t *bits)
{
   const int i = nir_tex_find(tex, nir_tex_src_offset);

   *bits = 0;
   if (i < 0)
      return true;
   if (!nir_use_is_const(tex->src[i].use))
      return false;
   for (unsigned c = 0; c < tex->src[i].use.value->num_components; c++) {
      const int64_t o = nir_use_comp_as_int(tex->src[i].use, c);
      if (o < -8 || o > 7)
         return false;
      *bits |= c == 0   ? ISA_HDR_SET(OFFSET_U, o)
               : c == 1 ? ISA_HDR_SET(OFFSET_V, o)
                        : ISA_HDR_SET(OFFSET_R, o);
   }
   return true;
}

static bool
is_zero(const nir_tex_instr *tex, nir_tex_operand_kind kind)
{
   const int i = nir_tex_find(tex, kind);

   return i < 0 || (nir_use_is_const(tex->src[i].use) &&
                    nir_use_as_uint(tex->src[i].use) == 0);
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

/* Messages of level 0 came with Gen9, as did the places of ld's parameters
 * and the wide ld2dms (PRM SKL and BDW vol 7, the table named above). */
static bool
has_level_zero(const struct nir_to_fs *n)
{
   return isa_message_exists(n->s->gen, ISA_MSG_SAMPLE_LZ);
}

/* sample_l, whose LOD comes here. */
static void
explicit_level(struct tex *t, eu_reg lod)
{
   t->msg = t->instr->is_shadow ? ISA_MSG_SAMPLE_L_C : ISA_MSG_SAMPLE_L;
   param(t, lod, ISA_TYPE_F);
}

/* sample_lz, or where it does not exist sample_l. */
static void
level_zero(struct nir_to_fs *n, struct tex *t)
{
   if (has_level_zero(n))
      t->msg = t->instr->is_shadow ? ISA_MSG_SAMPLE_C_LZ : ISA_MSG_SAMPLE_LZ;
   else
      explicit_level(t, eu_imm(ISA_TYPE_F, 0));
}

/* ld: u v lod r, u lod v r before Gen9; on arrays of one dimension the layer
 * stands for v. */
static void
fetch_params(struct nir_to_fs *n, struct tex *t)
{
   const nir_tex_instr *tex = t->instr;
   const bool lz = is_zero(tex, nir_tex_src_lod) && has_level_zero(n);
   const eu_reg lod = tex_src(n, tex, nir_tex_src_lod, 0);
   const bool lod_second = n->s->devinfo->eu.ld_has_lod_second;
   eu_reg c[3] = { { 0 } };

   for (unsigned i = 0; i < tex->coord_components; i++) {
      c[i] = eu_retype(tex_src(n, tex, nir_tex_src_coord, i), ISA_TYPE_D);
      /* ld takes no offset in the header that wraps: add it here. */
      eu_reg o = { 0 };
      const int k = nir_tex_find(tex, nir_tex_src_offset);
      if (k >= 0 && i < tex->src[k].use.value->num_components)
         o = eu_retype(fs_src_comp(n, &tex->src[k].use, i), ISA_TYPE_D);
      if (o.file != EU_BAD && !(o.file == EU_IMM && !o.imm)) {
         eu_reg sum = eu_vgrf(&n->b, ISA_TYPE_D, 1);
         eu_ADD(&n->b, sum, fs_no_imm(n, c[i]), o);
         c[i] = sum;
      }
   }
   t->msg = lz ? ISA_MSG_LD_LZ : ISA_MSG_LD;
   param(t, c[0], ISA_TYPE_D);
   if (lod_second)
      param(t, lod, ISA_TYPE_D);
   param(t, c[1], ISA_TYPE_D);
   if (!lz && !lod_second)
      param(t, lod, ISA_TYPE_D);
   if (tex->coord_components > 2)
      param(t, c[2], ISA_TYPE_D);
}

/* Multisampled fetch, with the control words of intel_nir_lower_mcs.c. */
static void
fetch_ms_params(struct nir_to_fs *n, struct tex *t)
{
   const bool wide = isa_message_exists(n->s->gen, ISA_MSG_LD2DMS_W);

   t->msg = wide ? ISA_MSG_LD2DMS_W : ISA_MSG_LD2DMS;
   param(t, tex_src(n, t->instr, nir_tex_src_ms_index, 0), ISA_TYPE_UD);
   eu_reg mcs0 = tex_src(n, t->instr, nir_tex_src_ms_mcs_intel, 0);
   eu_reg mcs1 = mcs0.file == EU_BAD
                    ? mcs0
                    : tex_src(n, t->instr, nir_tex_src_ms_mcs_intel, 1);
   param(t, mcs0, ISA_TYPE_UD);
   if (wide)
      param(t, mcs1, ISA_TYPE_UD);
   coords(n, t, 0, ISA_TYPE_D);
}

/* In its place, with zeros in front of it for what the image has not. */
static void
least_level(struct nir_to_fs *n, struct tex *t, unsigned index)
{
   const eu_reg least = tex_src(n, t->instr, nir_tex_src_min_lod, 0);

   if (least.file == EU_BAD)
      return;
   while (t->num_params < index)
      param(t, (eu_reg) { 0 }, ISA_TYPE_F);
   param(t, least, ISA_TYPE_F);
}

/* A sample where there are no derivatives: of the base level, or of the
 * least that is asked for. */
static void
sample_without_derivatives(struct nir_to_fs *n, struct tex *t)
{
   const eu_reg least = tex_src(n, t->instr, nir_tex_src_min_lod, 0);

   if (least.file == EU_BAD)
      level_zero(n, t);
   else
      explicit_level(t, least);
}

static void
sample_params(struct nir_to_fs *n, struct tex *t)
{
   const nir_tex_instr *tex = t->instr;
   const bool c = tex->is_shadow;
   bool clamps = true;

   if (c)
      param(t, tex_src(n, tex, nir_tex_src_comparator, 0), ISA_TYPE_F);
   switch (tex->op) {
   case nir_texop_tex:
      clamps = n->s->stage == MESA_SHADER_FRAGMENT;
      if (clamps)
         t->msg = c ? ISA_MSG_SAMPLE_C : ISA_MSG_SAMPLE;
      else
         sample_without_derivatives(n, t);
      break;
   case nir_texop_txb:
      t->msg = c ? ISA_MSG_SAMPLE_B_C : ISA_MSG_SAMPLE_B;
      param(t, tex_src(n, tex, nir_tex_src_bias, 0), ISA_TYPE_F);
      break;
   case nir_texop_txl:
      if (is_zero(tex, nir_tex_src_lod))
         level_zero(n, t);
      else
         explicit_level(t, tex_src(n, tex, nir_tex_src_lod, 0));
      break;
   case nir_texop_txd:
      t->msg = c ? ISA_MSG_SAMPLE_D_C : ISA_MSG_SAMPLE_D;
      gradients(n, t);
      least_level(n, t, c + 10);
      return;
   default: unreachable("not a sample");
   }
   const unsigned first = t->num_params;
   coords(n, t, 0, ISA_TYPE_F);
   if (clamps)
      least_level(n, t, first + 4);
}

static void
gather_params(struct nir_to_fs *n, struct tex *t)
{
   const nir_tex_instr *tex = t->instr;
   uint32_t off;

   t->header = true;
   t->header_dw2 |= ISA_HDR_SET(GATHER_CHANNEL, tex->component);
   if (tex->is_shadow)
      param(t, tex_src(n, tex, nir_tex_src_comparator, 0), ISA_TYPE_F);
   if (const_offset(tex, &off)) {
      t->msg = tex->is_shadow ? ISA_MSG_GATHER4_C : ISA_MSG_GATHER4;
      t->header_dw2 |= off;
      coords(n, t, 0, ISA_TYPE_F);
      return;
   }
   t->msg = tex->is_shadow ? ISA_MSG_GATHER4_PO_C : ISA_MSG_GATHER4_PO;
   for (unsigned c = 0; c < 2; c++)
      param(t, tex_src(n, tex, nir_tex_src_coord, c), ISA_TYPE_F);
   for (unsigned c = 0; c < 2; c++)
      param(t, tex_src(n, tex, nir_tex_src_offset, c), ISA_TYPE_D);
   coords(n, t, 2, ISA_TYPE_F);
}

/* From Gen9 on what nobody reads at the end need not be returned. */
static unsigned
returned(const struct nir_to_fs *n, const nir_tex_instr *tex)
{
   if (!n->s->devinfo->eu.has_reduced_responses || tex->op == nir_texop_tg4 ||
       tex->op == nir_texop_query_levels)
      return 4;
   const nir_component_mask_t read =
      nir_value_components_read(&tex->instr.result);
   return read ? 32 - (unsigned)__builtin_clz(read) : 1;
}

/* False: unsupported. */
static bool
setup(struct nir_to_fs *n, struct tex *t)
{
   const nir_tex_instr *tex = t->instr;
   uint32_t off = 0;

   t->rcomps = returned(n, tex);
   t->bti = index_src(n, tex, tex->texture_index, nir_tex_src_texture_offset);
   t->sampler =
      index_src(n, tex, tex->sampler_index, nir_tex_src_sampler_offset);
   t->texture_handle = handle_src(n, tex, nir_tex_src_texture_handle);
   t->sampler_handle = handle_src(n, tex, nir_tex_src_sampler_handle);
   if (t->texture_handle.file != EU_BAD)
      t->bti = eu_imm_ud(EU_BTI_BINDLESS);
   if (t->texture_handle.file != EU_BAD &&
       !n->s->devinfo->eu.has_bindless_surfaces) {
      eu_fail(n->s, "a texture without an entry in the binding table");
      return false;
   }
   switch (tex->op) {
   case nir_texop_tex:
   case nir_texop_txb:
   case nir_texop_txl:
   case nir_texop_txd:
      if (!const_offset(tex, &off)) {
         eu_fail(n->s, "texture offset that is not constant");
         return false;
      }
      if (nir_tex_find(tex, nir_tex_src_min_lod) >= 0 &&
          !n->s->devinfo->eu.sample_has_min_lod) {
         eu_fail(n->s, "texture instruction with a minimum LOD");
         return false;
      }
      t->header_dw2 = off;
      t->header = off != 0;
      sample_params(n, t);
      return true;
   case nir_texop_tg4: gather_params(n, t); return true;
   case nir_texop_txf:
      t->sampler = eu_imm_ud(0);
      fetch_params(n, t);
      return true;
   case nir_texop_txf_ms:
      t->sampler = eu_imm_ud(0);
      fetch_ms_params(n, t);
      return true;
   case nir_texop_txf_ms_mcs_intel:
      t->sampler = eu_imm_ud(0);
      t->msg = ISA_MSG_LD_MCS;
      coords(n, t, 0, ISA_TYPE_D);
      return true;
   case nir_texop_lod:
      t->msg = ISA_MSG_LOD;
      coords(n, t, 0, ISA_TYPE_F);
      return true;
   case nir_texop_txs:
   case nir_texop_query_levels:
      t->sampler = eu_imm_ud(0);
      t->msg = ISA_MSG_RESINFO;
      param(t,
            tex->op == nir_texop_txs ? tex_src(n, tex, nir_tex_src_lod, 0)
                                     : eu_imm_ud(0),
            ISA_TYPE_UD);
      return true;
   case nir_texop_texture_samples:
      t->sampler = eu_imm_ud(0);
      t->msg = ISA_MSG_SAMPLEINFO;
      t->header = true;
      return true;
   default: eu_fail(n->s, "texture operation %d", (int)tex->op); return false;
   }
}

/* The descriptor's dynamic bits: a scalar, or EU_BAD. */
static eu_reg
dynamic_desc(struct nir_to_fs *n, const struct tex *t)
{
   const struct eu_builder sb = eu_scalar(n->b);

   if (t->sampler.file == EU_IMM)
      return t->bti;
   eu_reg d = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   eu_reg m = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   eu_AND(&sb, eu_scalar_dst(m), t->sampler, eu_imm_ud(0xf));
   eu_SHL(&sb, eu_scalar_dst(m), m,
          eu_imm_ud((uint32_t)__builtin_ctz(
             isa_message_mask(n->s->gen, t->msg, ISA_MEMBER_SAMPLER))));
   eu_OR(&sb, eu_scalar_dst(d), m,
         t->bti.file == EU_IMM ? eu_imm_ud(t->bti.imm) : t->bti);
   return d;
}

static void
emit_header(struct nir_to_fs *n, const struct tex *t, eu_reg p)
{
   struct eu_builder b = eu_exec_all(eu_group(n->b, 8, 0));
   const struct eu_builder sb = eu_scalar(n->b);
   eu_reg ptr = eu_grf(0, ISA_TYPE_UD);

   b.group = 0;
   eu_MOV(&b, p, eu_grf(0, ISA_TYPE_UD));
   eu_MOV(&sb, eu_byte_offset(p, ISA_HDR_BYTE(OFFSET_U)),
          eu_imm_ud(t->header_dw2));
   if (t->sampler_handle.file != EU_BAD) {
      eu_MOV(&sb, eu_byte_offset(p, ISA_HDR_BYTE(SAMPLER_STATE)),
             t->sampler_handle);
      return;
   }
   /* 16 samplers further on for each 16 (a sampler state is 16 bytes). */
   ptr.offset = 12;
   ptr.stride = 0;
   if (t->sampler.file == EU_IMM) {
      if (t->sampler.imm >= 16)
         eu_ADD(&sb, eu_byte_offset(p, ISA_HDR_BYTE(SAMPLER_STATE)), ptr,
                eu_imm_ud((t->sampler.imm & ~0xfull) * 16));
   } else {
      eu_reg m = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
      eu_AND(&sb, eu_scalar_dst(m), t->sampler, eu_imm_ud(0xf0));
      eu_SHL(&sb, eu_scalar_dst(m), m, eu_imm_ud(4));
      eu_ADD(&sb, eu_byte_offset(p, ISA_HDR_BYTE(SAMPLER_STATE)), ptr, m);
   }
}

/* The first parameter, or the header, by itself: it is often the same for
 * several messages, or a value as it is. A message by handle has its second
 * payload for that. */
static unsigned
first_payload(const struct nir_to_fs *n, const struct tex *t, unsigned w,
              unsigned len)
{
   if (!n->s->devinfo->eu.has_split_sends || t->texture_handle.file != EU_BAD)
      return len;
   return MIN2(len, t->header ? 1 : w);
}

/* One message for the channels of `b`; the result, one component a GRF (or
 * two). */
static eu_reg
emit_message(struct nir_to_fs *n, const struct tex *t,
             const struct eu_builder *b, unsigned first_channel)
{
   const unsigned w = b->exec_size / 8u;
   const unsigned len = (t->header ? 1 : 0) + t->num_params * w;
   const unsigned first = first_payload(n, t, w, len);
   const eu_reg p = eu_vgrf_reg(eu_alloc_vgrf(n->s, first), ISA_TYPE_UD);
   const eu_reg dst = eu_vgrf(b, ISA_TYPE_UD, t->rcomps);
   eu_reg q = p;

   if (first < len)
      q = eu_vgrf_reg(eu_alloc_vgrf(n->s, len - first), ISA_TYPE_UD);
   if (t->header)
      emit_header(n, t, p);
   for (unsigned i = 0; i < t->num_params; i++) {
      const eu_reg v = eu_horiz_offset(t->param[i], first_channel);
      const unsigned type = eu_type_sz(v.type) == 4    ? v.type
                            : eu_type_is_float(v.type) ? ISA_TYPE_F
                                                       : ISA_TYPE_D;
      const unsigned grf = (t->header ? 1 : 0) + i * w;
      const eu_reg to = grf < first
                           ? eu_byte_offset(p, grf * REG_SIZE_B)
                           : eu_byte_offset(q, (grf - first) * REG_SIZE_B);
      eu_MOV(b, eu_retype(to, type), v);
   }
   const struct isa_message m = {
      .msg = t->msg,
      .simd = b->exec_size,
      .sampler = t->sampler.file == EU_IMM ? t->sampler.imm & 0xf : 0,
      .header = t->header,
      .mlen = (uint8_t)first,
      .rlen = (uint8_t)(t->rcomps * w),
   };
   struct eu_inst *inst = eu_emit_send(b, &m, dynamic_desc(n, t), dst, p);
   if (first < len)
      eu_split_send(inst, q, len - first);
   if (t->texture_handle.file != EU_BAD)
      eu_send_handle(inst, t->texture_handle);
   return dst;
}

static void
half_result(struct nir_to_fs *n, const struct eu_builder *b, eu_reg d,
            eu_reg v)
{
   const struct eu_builder all = n->b;

   n->b = *b;
   fs_emit_convert(n, eu_retype(d, ISA_TYPE_HF), eu_retype(v, ISA_TYPE_F));
   n->b = all;
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
   const unsigned comps = instr->instr.result.num_components;

   if (!setup(n, &t))
      return;
   if (t.sampler.file != EU_IMM || t.sampler.imm >= 16 ||
       t.sampler_handle.file != EU_BAD)
      t.header = true;

   /* 16 channels a message, if its payload is not too long then. */
   const unsigned w = MIN2(n->b.exec_size / 8u, 2);
   const unsigned mlen = (t.header ? 1 : 0) + t.num_params * w;
   const bool narrow =
      w > 1 && (mlen > MAX_SAMPLER_MLEN || instr->op == nir_texop_txd);
   const unsigned width = narrow ? 8 : w * 8;
   const eu_reg dst = fs_get_dest(n, &instr->instr.result);
   const bool half = instr->instr.result.bit_size == 16;

   for (unsigned part = 0; part < n->b.exec_size / width; part++) {
      const struct eu_builder b = eu_group(n->b, width, part);
      const eu_reg res = emit_message(n, &t, &b, part * width);

      for (unsigned c = 0; c < MIN2(comps, t.rcomps); c++) {
         const eu_reg d =
            eu_horiz_offset(eu_offset(dst, &n->b, c), part * width);
         const eu_reg v = eu_offset(res, &b, result_comp(&t, c));

         if (half && nir_type_base(instr->dest_type) == nir_type_float)
            half_result(n, &b, d, v);
         else if (half)
            eu_MOV(&b, d, eu_subscript(v, ISA_TYPE_UW, 0));
         else
            eu_MOV(&b, d, v);
      }
   }
}
