/* SPDX-License-Identifier: MIT */
/*
 * Conversions, and values taken apart and put together.
 *
 * What is seen to here: conversions for which the EU has no MOV (PRM SKL vol
 * 2a, "mov": none between 64-bit types and HF or bytes).
 */
#include "fs_nir_alu.h"

/*
 * Half floats without a type of their own: opcodes between F and words (PRM
 * HSW vol 2b, "f32to16", "f16to32"). Other types go by way of F: integers
 * that it does not hold are too large for a half float, and
 * nir_lower_doubles() has seen to doubles.
 */
static void
convert_half(struct nir_to_fs *n, eu_reg dst, eu_reg src)
{
   if (src.type == ISA_TYPE_HF) {
      const bool direct = dst.type == ISA_TYPE_F;
      const eu_reg f = direct ? dst : eu_vgrf(&n->b, ISA_TYPE_F, 1);

      eu_emit1(&n->b, ISA_OPCODE_F16TO32, f, eu_retype(src, ISA_TYPE_UW));
      if (!direct)
         fs_emit_convert(n, dst, f);
      return;
   }
   if (src.type != ISA_TYPE_F) {
      const eu_reg f = eu_vgrf(&n->b, ISA_TYPE_F, 1);

      fs_emit_convert(n, f, src);
      src = f;
   }
   eu_emit1(&n->b, ISA_OPCODE_F32TO16, eu_retype(dst, ISA_TYPE_UW), src);
}

void
fs_emit_convert(struct nir_to_fs *n, eu_reg dst, eu_reg src)
{
   const unsigned ds = eu_type_sz(dst.type), ss = eu_type_sz(src.type);
   const bool df = eu_type_is_float(dst.type);
   const bool sf = eu_type_is_float(src.type);
   const bool halves = n->s->devinfo->eu.has_half_float;

   src = fs_no_imm(n, src);
   if (!halves && dst.type != src.type &&
       (dst.type == ISA_TYPE_HF || src.type == ISA_TYPE_HF)) {
      convert_half(n, dst, src);
      return;
   }
   if (!df && !sf && ds <= ss) {
      /* Narrowing of integers is the choice of a part. */
      eu_MOV(&n->b, eu_retype(dst, eu_uint_type(ds)),
             eu_subscript(src, eu_uint_type(ds), 0));
      return;
   }
   if ((ss == 8 && ds == 2 && df) || (ds == 8 && ss == 2 && sf)) {
      eu_reg t = eu_vgrf(&n->b, ISA_TYPE_F, 1);
      eu_MOV(&n->b, t, src);
      eu_MOV(&n->b, dst, t);
      return;
   }
   if ((ss == 8 && ds == 2) || (ss == 8 && ds == 1)) {
      /* A 64-bit float to a small integer. */
      eu_reg t = eu_vgrf(
         &n->b, isa_type_info(dst.type)->is_signed ? ISA_TYPE_D : ISA_TYPE_UD,
         1);
      eu_MOV(&n->b, t, src);
      eu_MOV(&n->b, eu_retype(dst, eu_uint_type(ds)),
             eu_subscript(eu_retype(t, ISA_TYPE_UD), eu_uint_type(ds), 0));
      return;
   }
   /* Words, too, where they are not read in pairs: fact sheet, 1.5. */
   if (ds > 4 && (ss == 1 || (ss == 2 && n->s->devinfo->eu.runs_in_halves))) {
      eu_reg t = eu_vgrf(
         &n->b, isa_type_info(src.type)->is_signed ? ISA_TYPE_D : ISA_TYPE_UD,
         1);
      eu_MOV(&n->b, t, src);
      eu_MOV(&n->b, dst, t);
      return;
   }
   if ((ss == 1 && df && ds == 2) || (ds == 1 && sf)) {
      /* Bytes and half floats meet in 32 bits. */
      eu_reg t = eu_vgrf(&n->b, ds == 1 ? ISA_TYPE_D : ISA_TYPE_F, 1);
      eu_MOV(&n->b, t, src);
      if (ds == 1)
         eu_MOV(&n->b, eu_retype(dst, ISA_TYPE_UB),
                eu_subscript(eu_retype(t, ISA_TYPE_UD), ISA_TYPE_UB, 0));
      else
         eu_MOV(&n->b, dst, t);
      return;
   }
   eu_MOV(&n->b, dst, src);
}

void
fs_alu_convert(struct nir_to_fs *n, const struct fs_alu *c)
{
   fs_emit_convert(n, c->dst, c->src[0]);
}

/* Booleans are 0 and -1. */
void
fs_alu_from_bool(struct nir_to_fs *n, const struct fs_alu *c)
{
   const eu_reg x = eu_negate(eu_retype(fs_no_imm(n, c->src[0]), ISA_TYPE_D));

   if (eu_type_sz(c->dst.type) > 2) {
      eu_MOV(&n->b, c->dst, x);
      return;
   }
   eu_reg t = eu_vgrf(
      &n->b, eu_type_is_float(c->dst.type) ? ISA_TYPE_F : ISA_TYPE_D, 1);
   eu_MOV(&n->b, t, x);
   fs_emit_convert(n, c->dst, t);
}

void
fs_alu_bool_to_bool(struct nir_to_fs *n, const struct fs_alu *c)
{
   eu_MOV(&n->b, eu_retype(c->dst, ISA_TYPE_D),
          eu_retype(c->src[0], ISA_TYPE_D));
}

void
fs_alu_to_bool(struct nir_to_fs *n, const struct fs_alu *c)
{
   eu_reg x = fs_no_imm(n, c->src[0]);

   if (x.type == ISA_TYPE_HF && !n->s->devinfo->eu.has_half_float) {
      const eu_reg f = eu_vgrf(&n->b, ISA_TYPE_F, 1);
      fs_emit_convert(n, f, x);
      x = f;
   }
   fs_alu_compare_bool(n, c->dst, x,
                       eu_type_sz(x.type) == 8 ? fs_const(n, x.type, 0)
                                               : eu_imm(x.type, 0),
                       ISA_COND_MOD_NZ);
}

/* ---- packing ---- */

/* Each source is a part of the destination. */
void
fs_alu_pack(struct nir_to_fs *n, const struct fs_alu *c)
{
   const unsigned type = c->row->type;

   for (unsigned i = 0; i < nir_op_infos[c->alu->op].num_inputs; i++) {
      /* No byte immediates: a word of the same value. */
      const unsigned src_type =
         type == ISA_TYPE_UB && c->src[i].file == EU_IMM ? ISA_TYPE_UW : type;
      eu_MOV(&n->b, eu_subscript(c->dst, type, i),
             eu_retype(c->src[i], src_type));
   }
}

static void
unpack(struct nir_to_fs *n, const struct fs_alu *c, unsigned i)
{
   const eu_reg x = c->src[0];

   if (c->row->type == ISA_TYPE_HF)
      fs_emit_convert(n, c->dst,
                      eu_subscript(fs_no_imm(n, x), ISA_TYPE_HF, i));
   else
      eu_MOV(&n->b, c->dst, eu_subscript(x, c->row->type, i));
}

void
fs_alu_unpack_x(struct nir_to_fs *n, const struct fs_alu *c)
{
   unpack(n, c, 0);
}

void
fs_alu_unpack_y(struct nir_to_fs *n, const struct fs_alu *c)
{
   unpack(n, c, 1);
}

void
fs_alu_pack_half(struct nir_to_fs *n, const struct fs_alu *c)
{
   for (unsigned i = 0; i < 2; i++)
      fs_emit_convert(n, eu_subscript(c->dst, ISA_TYPE_HF, i), c->src[i]);
}

/* x rounded to half precision and back; what is subnormal there becomes a
 * zero of the same sign. */
void
fs_alu_quantize(struct nir_to_fs *n, const struct fs_alu *c)
{
   const struct eu_builder *b = &n->b;
   const eu_reg x = fs_no_imm(n, c->src[0]);
   eu_reg h = eu_vgrf(b, ISA_TYPE_UD, 1), w = eu_vgrf(b, ISA_TYPE_F, 1);
   eu_reg z = eu_vgrf(b, ISA_TYPE_UD, 1);
   struct eu_inst *inst;

   eu_undef(b, h);
   fs_emit_convert(n, eu_subscript(h, ISA_TYPE_HF, 0), x);
   fs_emit_convert(n, w, eu_subscript(h, ISA_TYPE_HF, 0));
   eu_AND(b, z, eu_retype(x, ISA_TYPE_UD), eu_imm_ud(0x80000000));
   /* 2^-14 is the smallest normal half. */
   fs_alu_cmp(n, eu_null(ISA_TYPE_F), eu_abs(x), eu_imm_f(0x1p-14f),
              ISA_COND_MOD_L);
   inst = eu_SEL(b, c->dst, eu_retype(z, ISA_TYPE_F), w);
   inst->pred = ISA_PRED_NORMAL;
}
