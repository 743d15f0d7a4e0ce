/* SPDX-License-Identifier: MIT */
/* Textures of the writer. */
#include "tpf_emit.h"

static nir_use *
find(nir_tex_instr *tex, nir_tex_operand_kind type)
{
   const int i = nir_tex_find(tex, type);

   return i < 0 ? NULL : &tex->src[i].use;
}

static unsigned
source_components(nir_tex_instr *tex, nir_tex_operand_kind type)
{
   return nir_tex_operand_size(tex, (unsigned)nir_tex_find(tex, type));
}

/* A vector of what is there, in xyz; of ld the level in w, too. */
static struct tpf_operand
coordinate(struct tpf_emit *e, nir_tex_instr *tex, nir_use *last)
{
   nir_use *coord = find(tex, nir_tex_src_coord);
   struct tpf_operand one[5], all, t;
   uint8_t place[5];
   unsigned n = 0;

   for (unsigned i = 0; i < tex->coord_components; i++) {
      place[n] = (uint8_t)i;
      one[n++] = tpf_emit_src(e, coord, i);
   }
   if (tex->op == nir_texop_txf || tex->op == nir_texop_txf_ms) {
      place[n] = 3;
      one[n++] = last ? tpf_emit_src(e, last, 0) : tpf_emit_imm(0);
   }
   if (one[0].file != TPF_FILE_IMM32 &&
       tpf_emit_gather(one, place, n, &all)) {
      all.swizzle =
         (uint8_t)(n == 1 ? (all.swizzle & 3) * 0x55 : all.swizzle);
      return tpf_emit_swizzled(all, all.swizzle);
   }
   t = tpf_emit_scratch(e);
   tpf_emit_moves(e, t, place, one, n);
   return tpf_emit_swizzled(t, TPF_SWIZZLE_IDENTITY);
}

static struct tpf_operand
all_of(struct tpf_emit *e, nir_tex_instr *tex, nir_tex_operand_kind type)
{
   return tpf_emit_vector(e, find(tex, type), 0,
                          source_components(tex, type));
}

/* Offsets that are known stand in the token. */
static bool
offsets(struct tpf_emit *e, nir_tex_instr *tex, uint32_t *token)
{
   nir_use *src = find(tex, nir_tex_src_offset);

   *token = 0;
   if (!src)
      return true;
   if (!nir_use_is_const(*src))
      return false;
   *token = TPF_EXTENDED_OFFSETS;
   for (unsigned i = 0; i < source_components(tex, nir_tex_src_offset); i++) {
      const int64_t v = nir_use_comp_as_int(*src, i);
      if (v < -8 || v > 7)
         return false;
      *token |= ((uint32_t)v & 0xf) << (9 + 4 * i);
   }
   return true;
}

/* --- Which instruction -------------------------------------------------- */

/* The operands after texture and sampler, and the opcode. */
static enum tpf_op
opcode(struct tpf_emit *e, nir_tex_instr *tex, bool dynamic_offset,
       struct tpf_operand *extra, unsigned *n)
{
   nir_use *lod = find(tex, nir_tex_src_lod);
   nir_use *reference = find(tex, nir_tex_src_comparator);

   *n = 0;
   if (reference)
      extra[(*n)++] = tpf_emit_src(e, reference, 0);
   switch (tex->op) {
   case nir_texop_tex: return reference ? TPF_OP_SAMPLE_C : TPF_OP_SAMPLE;
   case nir_texop_txb:
      extra[(*n)++] = tpf_emit_src(e, find(tex, nir_tex_src_bias), 0);
      return reference ? TPF_OP_NOP : TPF_OP_SAMPLE_B;
   case nir_texop_txl:
      if (reference)
         return nir_use_is_const(*lod) && nir_use_as_uint(*lod) == 0
                   ? TPF_OP_SAMPLE_C_LZ
                   : TPF_OP_NOP;
      extra[(*n)++] = tpf_emit_src(e, lod, 0);
      return TPF_OP_SAMPLE_L;
   case nir_texop_txd:
      extra[(*n)++] = all_of(e, tex, nir_tex_src_ddx);
      extra[(*n)++] = all_of(e, tex, nir_tex_src_ddy);
      return reference ? TPF_OP_NOP : TPF_OP_SAMPLE_D;
   case nir_texop_txf: return TPF_OP_LD;
   case nir_texop_txf_ms:
      extra[(*n)++] = tpf_emit_src(e, find(tex, nir_tex_src_ms_index), 0);
      return TPF_OP_LD_MS;
   case nir_texop_tg4:
      return dynamic_offset
                ? reference ? TPF_OP_GATHER4_PO_C : TPF_OP_GATHER4_PO
             : reference ? TPF_OP_GATHER4_C
                         : TPF_OP_GATHER4;
   case nir_texop_lod: return TPF_OP_LOD;
   default: return TPF_OP_NOP;
   }
}

/* Where the result goes, and how the resource is read for that; else to a
 * register from which it is taken afterwards. */
static struct tpf_operand
destination(struct tpf_emit *e, nir_tex_instr *tex,
            struct tpf_operand *resource)
{
   const nir_value *result = &tex->instr.result;
   struct tpf_operand d;
   uint8_t place[4];

   if (!tpf_emit_dests(e, result, &d, place))
      return tpf_emit_masked(tpf_emit_scratch(e), 0xf);
   resource->swizzle =
      (uint8_t)tpf_emit_swizzle_to(place, result->num_components);
   return d;
}

static void
write_result(struct tpf_emit *e, nir_tex_instr *tex, struct tpf_operand from)
{
   struct tpf_operand d;
   uint8_t place[4];

   if (!tpf_emit_dests(e, &tex->instr.result, &d, place))
      tpf_emit_scatter(e, &tex->instr.result, from);
}

static void
look_up(struct tpf_emit *e, nir_tex_instr *tex)
{
   struct tpf_operand o[TPF_MAX_OPERANDS], extra[3];
   const struct tpf_binding *b;
   unsigned t, s, n = 0, extras;
   uint32_t token;
   const bool known = offsets(e, tex, &token);
   nir_use *sampler = find(tex, nir_tex_src_sampler_deref);

   if (!tpf_emit_deref(e, find(tex, nir_tex_src_texture_deref), TPF_BIND_SRV,
                       &b, &t) ||
       (sampler && !tpf_emit_deref(e, sampler, TPF_BIND_SAMPLER, &b, &s)))
      return;
   if (!known && tex->op != nir_texop_tg4) {
      tpf_emit_fail(e, "an offset of texels that is not from -8 to 7, or not "
                       "known");
      return;
   }
   const enum tpf_op op = opcode(e, tex, !known, extra, &extras);
   if (op == TPF_OP_NOP || tex->is_sparse || find(tex, nir_tex_src_min_lod)) {
      tpf_emit_fail(e, "SM5 has no lookup of this kind");
      return;
   }
   struct tpf_operand r =
      tpf_emit_swizzled(tpf_emit_reg(TPF_FILE_T, t, 0), TPF_SWIZZLE_IDENTITY);
   const struct tpf_operand d = destination(e, tex, &r);
   o[n++] = d;
   o[n++] = coordinate(e, tex, find(tex, nir_tex_src_lod));
   if (!known)
      o[n++] = all_of(e, tex, nir_tex_src_offset);
   o[n++] = r;
   if (strchr(tpf_op_info(op)->operands, 's')) {
      if (!sampler) {
         tpf_emit_fail(e, "a lookup without a sampler");
         return;
      }
      o[n] = tpf_emit_reg(TPF_FILE_S, s, tex->component);
      if (op != TPF_OP_GATHER4 && op != TPF_OP_GATHER4_PO) {
         o[n].components = TPF_COMPONENTS_0;
         o[n].swizzle = TPF_SWIZZLE_IDENTITY;
      }
      n++;
   }
   for (unsigned i = 0; i < extras; i++)
      o[n++] = extra[i];
   struct tpf_inst *inst = tpf_emit_inst(e, op, n, o);
   if (token && known) {
      inst->extended[0] = token;
      inst->num_extended = 1;
   }
   write_result(e, tex, d);
}

/* --- Questions ---------------------------------------------------------- */

static void
ask(struct tpf_emit *e, nir_tex_instr *tex)
{
   const struct tpf_operand d = tpf_emit_masked(tpf_emit_scratch(e), 0xf);
   const struct tpf_binding *b;
   nir_use *lod = find(tex, nir_tex_src_lod);
   unsigned t;
   struct tpf_operand r;

   if (!tpf_emit_deref(e, find(tex, nir_tex_src_texture_deref), TPF_BIND_SRV,
                       &b, &t))
      return;
   r =
      tpf_emit_swizzled(tpf_emit_reg(TPF_FILE_T, t, 0), TPF_SWIZZLE_IDENTITY);
   if (tex->sampler_dim == GLSL_SAMPLER_DIM_BUF) {
      tpf_emit1(e, TPF_OP_BUFINFO, d, r);
   } else if (tex->op == nir_texop_texture_samples) {
      tpf_emit_inst(e, TPF_OP_SAMPLE_INFO, 2, (struct tpf_operand[]) { d, r })
         ->controls |= 1u << 11;
   } else {
      if (tex->op == nir_texop_query_levels)
         r.swizzle = 0xff;
      tpf_emit_inst(e, TPF_OP_RESINFO, 3,
                    (struct tpf_operand[]) {
                       d, lod ? tpf_emit_src(e, lod, 0) : tpf_emit_imm(0),
                       r })
         ->controls |= 2u << 11;
   }
   write_result(e, tex, d);
}

void
tpf_select_tex(struct tpf_emit *e, nir_tex_instr *tex)
{
   if (!find(tex, nir_tex_src_texture_deref) ||
       find(tex, nir_tex_src_texture_offset))
      tpf_emit_fail(e, "a texture that is chosen at run time");
   else if (tex->op == nir_texop_txs || tex->op == nir_texop_query_levels ||
            tex->op == nir_texop_texture_samples)
      ask(e, tex);
   else
      look_up(e, tex);
}
