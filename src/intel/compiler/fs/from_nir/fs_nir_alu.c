/* SPDX-License-Identifier: MIT */
/*
 * NIR ALU instructions -> fs IR, one component at a time.
 *
 * Instructions are emitted in the form that says what is meant; operand
 * regions, widths and strides that the EU cannot do are taken care of by
 * fs_lower_regioning.c and fs_lower_simd_width.c. What is seen to here:
 * immediates only as the last of two sources, and conversions for which the
 * EU has no MOV (PRM SKL vol 2a, "mov": none between 64-bit types and HF or
 * bytes).
 */
#include "fs_nir.h"

/* One component being emitted: destination and up to four sources, typed as
 * the opcode's table says. */
struct comp {
   eu_reg dst;
   eu_reg src[4];
};

/* A SEL, ADD, ... of two sources, of which the first may be an immediate. */
static struct eu_inst *
emit2(struct nir_to_fs *n, unsigned op, eu_reg dst, eu_reg x, eu_reg y)
{
   if (x.file == EU_IMM && y.file != EU_IMM &&
       (op == ISA_OPCODE_ADD || op == ISA_OPCODE_MUL ||
        op == ISA_OPCODE_AND || op == ISA_OPCODE_OR ||
        op == ISA_OPCODE_XOR)) {
      eu_reg t = x;
      x = y;
      y = t;
   }
   return eu_emit2(&n->b, op, dst, fs_no_imm(n, x), y);
}

static void
emit3(struct nir_to_fs *n, unsigned op, eu_reg dst, eu_reg x, eu_reg y,
      eu_reg z)
{
   eu_emit3(&n->b, op, dst, fs_no_imm(n, x), fs_no_imm(n, y),
            fs_no_imm(n, z));
}

static struct eu_inst *
emit_cmp(struct nir_to_fs *n, eu_reg dst, eu_reg x, eu_reg y, unsigned cond)
{
   return eu_CMP(&n->b, dst, fs_no_imm(n, x), y, cond);
}

/* min and max: SEL with a condition compares and selects in one. */
static void
emit_minmax(struct nir_to_fs *n, struct comp *c, bool max)
{
   struct eu_inst *inst = emit2(n, ISA_OPCODE_SEL, c->dst, c->src[0],
                                c->src[1]);
   inst->cond_mod = max ? ISA_COND_MOD_GE : ISA_COND_MOD_L;
}

/*
 * A comparison gives 0 or ~0 in the size of what is compared; our booleans
 * are dwords. 64 bits: the low dword (eu-fp64: CMP result narrowing); 16
 * bits: sign-extended.
 */
static void
emit_compare(struct nir_to_fs *n, struct comp *c, unsigned cond)
{
   const unsigned size = eu_type_sz(c->src[0].type);

   if (size == 4) {
      emit_cmp(n, eu_retype(c->dst, c->src[0].type), c->src[0], c->src[1],
               cond);
   } else if (size == 8) {
      eu_reg t = eu_vgrf(&n->b, c->src[0].type, 1);
      emit_cmp(n, t, c->src[0], c->src[1], cond);
      eu_MOV(&n->b, eu_retype(c->dst, ISA_TYPE_UD),
             eu_subscript(t, ISA_TYPE_UD, 0));
   } else {
      eu_reg t = eu_vgrf(&n->b, ISA_TYPE_W, 1);
      emit_cmp(n, eu_retype(t, c->src[0].type), c->src[0], c->src[1], cond);
      eu_MOV(&n->b, eu_retype(c->dst, ISA_TYPE_D), t);
   }
}

static void
flag_from_bool(struct nir_to_fs *n, eu_reg cond)
{
   struct eu_inst *inst = eu_MOV(&n->b, eu_null(ISA_TYPE_D),
                                 eu_retype(fs_no_imm(n, cond), ISA_TYPE_D));
   inst->cond_mod = ISA_COND_MOD_NZ;
}

static void
emit_bcsel(struct nir_to_fs *n, struct comp *c)
{
   struct eu_inst *inst;

   flag_from_bool(n, c->src[0]);
   inst = emit2(n, ISA_OPCODE_SEL, c->dst, c->src[1], c->src[2]);
   inst->pred = ISA_PRED_NORMAL;
}

/* sign(x): the sign bit of x put on 1.0, or 0 for a zero. */
static void
emit_fsign(struct nir_to_fs *n, struct comp *c)
{
   const unsigned size = eu_type_sz(c->src[0].type);
   const eu_reg x = fs_no_imm(n, c->src[0]);
   struct eu_inst *inst;
   eu_reg hi_src, hi_dst;
   uint32_t sign, one;
   unsigned t;

   if (size == 8) {
      eu_undef(&n->b, c->dst);
      emit_cmp(n, eu_null(ISA_TYPE_DF), x, fs_const(n, ISA_TYPE_DF, 0),
               ISA_COND_MOD_NZ);
      t = ISA_TYPE_UD;
      hi_src = eu_subscript(x, t, 1);
      hi_dst = eu_subscript(c->dst, t, 1);
      eu_MOV(&n->b, eu_subscript(c->dst, t, 0), eu_imm_ud(0));
      sign = 0x80000000;
      one = 0x3ff00000;
   } else {
      t = eu_uint_type(size);
      emit_cmp(n, eu_null(x.type), x, eu_imm(x.type, 0), ISA_COND_MOD_NZ);
      hi_src = eu_retype(x, t);
      hi_dst = eu_retype(c->dst, t);
      sign = size == 4 ? 0x80000000 : 0x8000;
      one = size == 4 ? 0x3f800000 : 0x3c00;
   }
   eu_AND(&n->b, hi_dst, hi_src, eu_imm(t, sign));
   inst = eu_OR(&n->b, hi_dst, hi_dst, eu_imm(t, one));
   inst->pred = ISA_PRED_NORMAL;
}

/* A source of 8 or 16 bits as a dword. */
static eu_reg
widened(struct nir_to_fs *n, eu_reg x, bool is_signed)
{
   eu_reg t;

   if (eu_type_sz(x.type) >= 4 || x.file == EU_IMM)
      return x;
   t = eu_vgrf(&n->b, is_signed ? ISA_TYPE_D : ISA_TYPE_UD, 1);
   const unsigned size = eu_type_sz(x.type);
   eu_MOV(&n->b, t, eu_retype(x, is_signed ? eu_sint_type(size)
                                           : eu_uint_type(size)));
   return t;
}

/* Index of the highest set bit (of the highest bit unlike the sign for D),
 * -1 if there is none: FBH counts from the other end. */
static void
emit_find_msb(struct nir_to_fs *n, struct comp *c, unsigned type, bool rev)
{
   c->src[0] = widened(n, c->src[0], type == ISA_TYPE_D);
   eu_reg t = eu_vgrf(&n->b, ISA_TYPE_D, 1);
   struct eu_inst *inst;

   eu_emit1(&n->b, ISA_OPCODE_FBH, eu_retype(t, ISA_TYPE_UD),
            eu_retype(fs_no_imm(n, c->src[0]), type));
   if (rev) {
      eu_MOV(&n->b, eu_retype(c->dst, ISA_TYPE_D), t);
      return;
   }
   emit_cmp(n, eu_null(ISA_TYPE_D), t, eu_imm_d(-1), ISA_COND_MOD_NZ);
   eu_reg d = eu_retype(c->dst, ISA_TYPE_D);
   eu_reg u = eu_vgrf(&n->b, ISA_TYPE_D, 1);
   eu_ADD(&n->b, u, eu_negate(t), eu_imm_d(31));
   inst = eu_SEL(&n->b, d, u, eu_imm_d(-1));
   inst->pred = ISA_PRED_NORMAL;
}

/* The high half of a 32 x 32 product: a MUL with a 64-bit result, which Gen8
 * brought. */
static void
emit_mul_high(struct nir_to_fs *n, struct comp *c, bool is_signed)
{
   const unsigned t32 = is_signed ? ISA_TYPE_D : ISA_TYPE_UD;
   eu_reg wide = eu_vgrf(&n->b, is_signed ? ISA_TYPE_Q : ISA_TYPE_UQ, 1);

   emit2(n, ISA_OPCODE_MUL, wide, eu_retype(fs_no_imm(n, c->src[0]), t32),
         eu_retype(fs_no_imm(n, c->src[1]), t32));
   eu_MOV(&n->b, eu_retype(c->dst, ISA_TYPE_UD),
          eu_subscript(wide, ISA_TYPE_UD, 1));
}

static void
emit_int_div(struct nir_to_fs *n, struct comp *c, unsigned func)
{
   eu_MATH(&n->b, func, c->dst, fs_no_imm(n, c->src[0]),
           fs_no_imm(n, c->src[1]));
}

/* The remainder with the divisor's sign, from the one with the dividend's. */
static void
emit_imod(struct nir_to_fs *n, struct comp *c)
{
   const struct eu_builder *b = &n->b;
   const eu_reg x = fs_no_imm(n, c->src[0]), y = fs_no_imm(n, c->src[1]);
   eu_reg rem = eu_vgrf(b, ISA_TYPE_D, 1), t = eu_vgrf(b, ISA_TYPE_D, 1);
   struct eu_inst *inst;

   eu_MATH(b, ISA_MATH_INT_DIV_REMAINDER, rem, x, y);
   /* f0: rem != 0 and its sign is not y's. */
   eu_XOR(b, t, rem, y);
   inst = eu_CMP(b, eu_null(ISA_TYPE_D), rem, eu_imm_d(0), ISA_COND_MOD_NZ);
   inst = eu_CMP(b, eu_null(ISA_TYPE_D), t, eu_imm_d(0), ISA_COND_MOD_L);
   inst->pred = ISA_PRED_NORMAL;
   eu_MOV(b, c->dst, rem);
   inst = eu_ADD(b, c->dst, rem, y);
   inst->pred = ISA_PRED_NORMAL;
}

/* ---- conversions ---- */

static void
set_rounding(struct nir_to_fs *n, bool toward_zero)
{
   const struct eu_builder sb = eu_scalar(n->b);
   eu_reg cr0 = { .file = EU_ARF, .nr = ISA_ARF_CONTROL,
                  .type = ISA_TYPE_UD };
   eu_reg dst = cr0;

   /* cr0.0 bits 5:4: 0 nearest even, 3 towards zero. */
   dst.stride = 1;
   if (toward_zero)
      eu_OR(&sb, dst, cr0, eu_imm_ud(0x30))->side_effects = true;
   else
      eu_AND(&sb, dst, cr0, eu_imm_ud(~0x30u))->side_effects = true;
}

static void
emit_convert(struct nir_to_fs *n, eu_reg dst, eu_reg src)
{
   const unsigned ds = eu_type_sz(dst.type), ss = eu_type_sz(src.type);
   const bool df = eu_type_is_float(dst.type);
   const bool sf = eu_type_is_float(src.type);

   src = fs_no_imm(n, src);
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
      eu_reg t = eu_vgrf(&n->b, isa_type_info(dst.type)->is_signed
                                   ? ISA_TYPE_D : ISA_TYPE_UD, 1);
      eu_MOV(&n->b, t, src);
      eu_MOV(&n->b, eu_retype(dst, eu_uint_type(ds)),
             eu_subscript(eu_retype(t, ISA_TYPE_UD), eu_uint_type(ds), 0));
      return;
   }
   if (ss == 1 && ds > 4) {
      eu_reg t = eu_vgrf(&n->b, isa_type_info(src.type)->is_signed
                                   ? ISA_TYPE_D : ISA_TYPE_UD, 1);
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

static bool
emit_conversion(struct nir_to_fs *n, const nir_alu_instr *alu,
                struct comp *c)
{
   switch (alu->op) {
   case nir_op_f2f16_rtz:
      set_rounding(n, true);
      emit_convert(n, c->dst, c->src[0]);
      set_rounding(n, false);
      return true;
   case nir_op_b2f16:
   case nir_op_b2f32:
   case nir_op_b2f64:
   case nir_op_b2i8:
   case nir_op_b2i16:
   case nir_op_b2i32:
   case nir_op_b2i64: {
      /* Booleans are 0 and -1. */
      const eu_reg x = eu_negate(eu_retype(fs_no_imm(n, c->src[0]),
                                           ISA_TYPE_D));
      if (eu_type_sz(c->dst.type) <= 2) {
         eu_reg t = eu_vgrf(&n->b, eu_type_is_float(c->dst.type)
                                      ? ISA_TYPE_F : ISA_TYPE_D, 1);
         eu_MOV(&n->b, t, x);
         emit_convert(n, c->dst, t);
      } else {
         eu_MOV(&n->b, c->dst, x);
      }
      return true;
   }
   case nir_op_b2b1:
   case nir_op_b2b32:
      eu_MOV(&n->b, eu_retype(c->dst, ISA_TYPE_D),
             eu_retype(c->src[0], ISA_TYPE_D));
      return true;
   case nir_op_f2b1:
   case nir_op_i2b1: {
      const eu_reg x = fs_no_imm(n, c->src[0]);
      struct comp cc = { .dst = c->dst, .src = { x } };
      cc.src[1] = eu_type_sz(x.type) == 8 ? fs_const(n, x.type, 0)
                                       : eu_imm(x.type, 0);
      emit_compare(n, &cc, ISA_COND_MOD_NZ);
      return true;
   }
   default:
      if (!nir_op_infos[alu->op].is_conversion)
         return false;
      emit_convert(n, c->dst, c->src[0]);
      return true;
   }
}

/* ---- derivatives ---- */

/*
 * Channels of a quad lie side by side: 0 1 / 2 3. A region with width 2 or 4
 * and a zero stride hands the same pixel to several channels.
 */
static void
emit_derivative(struct nir_to_fs *n, const nir_alu_instr *alu,
                struct comp *c)
{
   const eu_reg x = fs_no_imm(n, c->src[0]);
   const unsigned size = eu_type_sz(x.type);
   eu_reg v = x;
   bool fine = false, y = false;

   switch (alu->op) {
   case nir_op_fddx_fine: fine = true; break;
   case nir_op_fddy_fine: fine = true; y = true; break;
   case nir_op_fddy:
   case nir_op_fddy_coarse: y = true; break;
   default: break;
   }
   if (v.stride == 0) {
      eu_MOV(&n->b, c->dst, eu_imm(x.type, 0));
      return;
   }
   if (v.stride != 1 || v.negate || v.abs || v.file == EU_ATTR) {
      v = eu_vgrf(&n->b, x.type, 1);
      eu_MOV(&n->b, v, x);
   }
   if (!y) {
      const unsigned w = fine ? 2 : 4;
      eu_ADD(&n->b, c->dst, eu_region(eu_byte_offset(v, size), w, w, 0),
             eu_negate(eu_region(v, w, w, 0)));
   } else if (!fine) {
      eu_ADD(&n->b, c->dst, eu_region(eu_byte_offset(v, 2 * size), 4, 4, 0),
             eu_negate(eu_region(v, 4, 4, 0)));
   } else {
      /* Rows 0 1 and 2 3 for each quad: width 2, both rows the same. */
      for (unsigned q = 0; q < n->b.exec_size / 4u; q++) {
         const struct eu_builder qb = eu_group(n->b, 4, q);
         const eu_reg top = eu_byte_offset(v, q * 4 * size);
         eu_ADD(&qb, eu_horiz_offset(c->dst, q * 4),
                eu_region(eu_byte_offset(top, 2 * size), 0, 2, 1),
                eu_negate(eu_region(top, 0, 2, 1)));
      }
   }
}

/* ---- packing ---- */

static bool
emit_pack(struct nir_to_fs *n, const nir_alu_instr *alu, struct comp *c)
{
   const struct eu_builder *b = &n->b;

   switch (alu->op) {
   case nir_op_pack_64_2x32_split:
      for (unsigned i = 0; i < 2; i++)
         eu_MOV(b, eu_subscript(c->dst, ISA_TYPE_UD, i),
                eu_retype(c->src[i], ISA_TYPE_UD));
      return true;
   case nir_op_pack_32_2x16_split:
      for (unsigned i = 0; i < 2; i++)
         eu_MOV(b, eu_subscript(c->dst, ISA_TYPE_UW, i),
                eu_retype(c->src[i], ISA_TYPE_UW));
      return true;
   case nir_op_pack_32_4x8_split:
      for (unsigned i = 0; i < 4; i++)
         eu_MOV(b, eu_subscript(c->dst, ISA_TYPE_UB, i),
                eu_retype(c->src[i], c->src[i].file == EU_IMM ? ISA_TYPE_UW
                                                              : ISA_TYPE_UB));
      return true;
   case nir_op_unpack_64_2x32_split_x:
   case nir_op_unpack_64_2x32_split_y:
      eu_MOV(b, c->dst,
             eu_subscript(c->src[0], ISA_TYPE_UD,
                          alu->op == nir_op_unpack_64_2x32_split_y));
      return true;
   case nir_op_unpack_32_2x16_split_x:
   case nir_op_unpack_32_2x16_split_y:
      eu_MOV(b, c->dst,
             eu_subscript(c->src[0], ISA_TYPE_UW,
                          alu->op == nir_op_unpack_32_2x16_split_y));
      return true;
   case nir_op_unpack_half_2x16_split_x:
   case nir_op_unpack_half_2x16_split_y:
      eu_MOV(b, c->dst,
             eu_subscript(fs_no_imm(n, c->src[0]), ISA_TYPE_HF,
                          alu->op == nir_op_unpack_half_2x16_split_y));
      return true;
   case nir_op_pack_half_2x16_split:
   case nir_op_pack_half_2x16_rtz_split: {
      const bool rtz = alu->op == nir_op_pack_half_2x16_rtz_split;
      if (rtz)
         set_rounding(n, true);
      for (unsigned i = 0; i < 2; i++)
         eu_MOV(b, eu_subscript(c->dst, ISA_TYPE_HF, i),
                fs_no_imm(n, c->src[i]));
      if (rtz)
         set_rounding(n, false);
      return true;
   }
   default:
      return false;
   }
}

/* extract_u8 and so on: the index is a constant. */
static void
emit_extract(struct nir_to_fs *n, const nir_alu_instr *alu, struct comp *c,
             unsigned type)
{
   if (c->src[1].file != EU_IMM) {
      eu_fail(n->s, "%s with an index that is not constant",
              nir_op_infos[alu->op].name);
      return;
   }
   const eu_reg x = fs_no_imm(n, c->src[0]);
   const bool is_signed = isa_type_info((enum isa_type)type)->is_signed;
   const unsigned size = eu_type_sz(c->dst.type);

   eu_MOV(&n->b,
          eu_retype(c->dst, is_signed ? eu_sint_type(size)
                                      : eu_uint_type(size)),
          eu_subscript(x, type, (unsigned)c->src[1].imm));
}

/* x rounded to half precision and back; what is subnormal there becomes a
 * zero of the same sign. */
static void
emit_quantize(struct nir_to_fs *n, struct comp *c)
{
   const struct eu_builder *b = &n->b;
   const eu_reg x = fs_no_imm(n, c->src[0]);
   eu_reg h = eu_vgrf(b, ISA_TYPE_UD, 1), w = eu_vgrf(b, ISA_TYPE_F, 1);
   eu_reg z = eu_vgrf(b, ISA_TYPE_UD, 1);
   struct eu_inst *inst;

   eu_undef(b, h);
   eu_MOV(b, eu_subscript(h, ISA_TYPE_HF, 0), x);
   eu_MOV(b, w, eu_subscript(h, ISA_TYPE_HF, 0));
   eu_AND(b, z, eu_retype(x, ISA_TYPE_UD), eu_imm_ud(0x80000000));
   /* 2^-14 is the smallest normal half. */
   emit_cmp(n, eu_null(ISA_TYPE_F), eu_abs(x), eu_imm_f(0x1p-14f),
            ISA_COND_MOD_L);
   inst = eu_SEL(b, c->dst, eu_retype(z, ISA_TYPE_F), w);
   inst->pred = ISA_PRED_NORMAL;
}

/* ---- the table of plain ones ---- */

enum plain_kind {
   PLAIN_NONE, PLAIN_1, PLAIN_2, PLAIN_MATH1, PLAIN_MATH2, PLAIN_CMP,
};

static enum plain_kind
plain_op(nir_op op, unsigned *hw)
{
#define ONE(n, h) case nir_op_##n: *hw = ISA_OPCODE_##h; return PLAIN_1
#define TWO(n, h) case nir_op_##n: *hw = ISA_OPCODE_##h; return PLAIN_2
#define MATH1(n, h) case nir_op_##n: *hw = ISA_MATH_##h; return PLAIN_MATH1
#define CMP(n, h) case nir_op_##n: *hw = ISA_COND_MOD_##h; return PLAIN_CMP
   switch (op) {
   ONE(mov, MOV);
   ONE(inot, NOT);
   ONE(ftrunc, RNDZ);
   ONE(ffloor, RNDD);
   ONE(fceil, RNDU);
   ONE(fround_even, RNDE);
   ONE(ffract, FRC);
   ONE(bitfield_reverse, BFREV);
   ONE(bit_count, CBIT);
   TWO(fadd, ADD);
   TWO(iadd, ADD);
   TWO(fmul, MUL);
   TWO(iand, AND);
   TWO(ior, OR);
   TWO(ixor, XOR);
   TWO(ishl, SHL);
   TWO(ishr, ASR);
   TWO(ushr, SHR);
   TWO(bfm, BFI1);
   MATH1(frcp, INV);
   MATH1(frsq, RSQ);
   MATH1(fsqrt, SQRT);
   MATH1(fexp2, EXP);
   MATH1(flog2, LOG);
   MATH1(fsin, SIN);
   MATH1(fcos, COS);
   case nir_op_fpow: *hw = ISA_MATH_POW; return PLAIN_MATH2;
   CMP(flt, L);
   CMP(fge, GE);
   CMP(feq, Z);
   CMP(fneu, NZ);
   CMP(ilt, L);
   CMP(ige, GE);
   CMP(ieq, Z);
   CMP(ine, NZ);
   CMP(ult, L);
   CMP(uge, GE);
   default:
      return PLAIN_NONE;
   }
#undef ONE
#undef TWO
#undef MATH1
#undef CMP
}

/* Opcodes that the EU has for F alone: half floats go through F. */
static bool
is_f32_only(nir_op op)
{
   switch (op) {
   case nir_op_ftrunc:
   case nir_op_ffloor:
   case nir_op_fceil:
   case nir_op_fround_even:
   case nir_op_ffract:
   case nir_op_frcp:
   case nir_op_frsq:
   case nir_op_fsqrt:
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fpow:
   case nir_op_flrp:
      return true;
   default:
      return false;
   }
}

static void
emit_plain(struct nir_to_fs *n, enum plain_kind kind, unsigned hw,
           struct comp *c)
{
   switch (kind) {
   case PLAIN_1:
      if (hw == ISA_OPCODE_MOV)
         eu_MOV(&n->b, c->dst, c->src[0]);
      else
         eu_emit1(&n->b, hw, c->dst, fs_no_imm(n, c->src[0]));
      break;
   case PLAIN_2:
      emit2(n, hw, c->dst, c->src[0], c->src[1]);
      break;
   case PLAIN_MATH1:
      eu_MATH(&n->b, hw, c->dst, fs_no_imm(n, c->src[0]), (eu_reg) { 0 });
      break;
   case PLAIN_MATH2:
      eu_MATH(&n->b, hw, c->dst, fs_no_imm(n, c->src[0]),
              fs_no_imm(n, c->src[1]));
      break;
   case PLAIN_CMP:
      emit_compare(n, c, hw);
      break;
   case PLAIN_NONE:
      unreachable("not a plain opcode");
   }
}

/* What the table has no row for. False: not implemented. */
static bool
emit_special(struct nir_to_fs *n, const nir_alu_instr *alu, struct comp *c)
{
   const struct eu_builder *b = &n->b;

   switch (alu->op) {
   case nir_op_fneg:
   case nir_op_ineg:
      eu_MOV(b, c->dst, eu_negate(fs_no_imm(n, c->src[0])));
      return true;
   case nir_op_fabs:
   case nir_op_iabs:
      eu_MOV(b, c->dst, eu_abs(fs_no_imm(n, c->src[0])));
      return true;
   case nir_op_fsat:
      eu_MOV(b, c->dst, fs_no_imm(n, c->src[0]))->saturate = true;
      return true;
   case nir_op_fsign:
      emit_fsign(n, c);
      return true;
   case nir_op_fmin:
   case nir_op_imin:
   case nir_op_umin:
      emit_minmax(n, c, false);
      return true;
   case nir_op_fmax:
   case nir_op_imax:
   case nir_op_umax:
      emit_minmax(n, c, true);
      return true;
   case nir_op_imul:
      emit2(n, ISA_OPCODE_MUL, c->dst, fs_no_imm(n, c->src[0]),
            fs_no_imm(n, c->src[1]));
      return true;
   case nir_op_imul_high:
   case nir_op_umul_high:
      emit_mul_high(n, c, alu->op == nir_op_imul_high);
      return true;
   case nir_op_imul_2x32_64:
   case nir_op_umul_2x32_64:
      emit2(n, ISA_OPCODE_MUL, c->dst, fs_no_imm(n, c->src[0]),
            fs_no_imm(n, c->src[1]));
      return true;
   case nir_op_idiv:
   case nir_op_udiv:
      emit_int_div(n, c, ISA_MATH_INT_DIV_QUOTIENT);
      return true;
   case nir_op_umod:
   case nir_op_irem:
      emit_int_div(n, c, ISA_MATH_INT_DIV_REMAINDER);
      return true;
   case nir_op_imod:
      emit_imod(n, c);
      return true;
   case nir_op_ffma:
      emit3(n, ISA_OPCODE_MAD, c->dst, c->src[2], c->src[0], c->src[1]);
      return true;
   case nir_op_flrp:
      /* LRP x, a, b = x * a + (1 - x) * b */
      emit3(n, ISA_OPCODE_LRP, c->dst, c->src[2], c->src[1], c->src[0]);
      return true;
   case nir_op_bcsel:
      emit_bcsel(n, c);
      return true;
   case nir_op_ufind_msb:
      emit_find_msb(n, c, ISA_TYPE_UD, false);
      return true;
   case nir_op_ifind_msb:
      emit_find_msb(n, c, ISA_TYPE_D, false);
      return true;
   case nir_op_ufind_msb_rev:
      emit_find_msb(n, c, ISA_TYPE_UD, true);
      return true;
   case nir_op_ifind_msb_rev:
      emit_find_msb(n, c, ISA_TYPE_D, true);
      return true;
   case nir_op_find_lsb:
      c->src[0] = widened(n, c->src[0], false);
      eu_emit1(b, ISA_OPCODE_FBL, eu_retype(c->dst, ISA_TYPE_UD),
               eu_retype(fs_no_imm(n, c->src[0]), ISA_TYPE_UD));
      return true;
   case nir_op_iadd_sat:
   case nir_op_uadd_sat:
      emit2(n, ISA_OPCODE_ADD, c->dst, c->src[0], c->src[1])->saturate = true;
      return true;
   case nir_op_ubfe:
   case nir_op_ibfe:
      /* BFE width, offset, value: one type for all. */
      emit3(n, ISA_OPCODE_BFE, c->dst, eu_retype(c->src[2], c->dst.type),
            eu_retype(c->src[1], c->dst.type), c->src[0]);
      return true;
   case nir_op_bfi:
      emit3(n, ISA_OPCODE_BFI2, c->dst, c->src[0], c->src[1], c->src[2]);
      return true;
   case nir_op_extract_u8:
      emit_extract(n, alu, c, ISA_TYPE_UB);
      return true;
   case nir_op_extract_i8:
      emit_extract(n, alu, c, ISA_TYPE_B);
      return true;
   case nir_op_extract_u16:
      emit_extract(n, alu, c, ISA_TYPE_UW);
      return true;
   case nir_op_extract_i16:
      emit_extract(n, alu, c, ISA_TYPE_W);
      return true;
   case nir_op_fquantize2f16:
      emit_quantize(n, c);
      return true;
   case nir_op_fddx:
   case nir_op_fddx_coarse:
   case nir_op_fddx_fine:
   case nir_op_fddy:
   case nir_op_fddy_coarse:
   case nir_op_fddy_fine:
      emit_derivative(n, alu, c);
      return true;
   default:
      return emit_pack(n, alu, c);
   }
}

static void
emit_component(struct nir_to_fs *n, const nir_alu_instr *alu, struct comp *c)
{
   unsigned hw = 0;
   enum plain_kind kind;

   if (alu->op != nir_op_mov && emit_conversion(n, alu, c))
      return;
   if (is_f32_only(alu->op) && c->dst.type == ISA_TYPE_HF) {
      struct comp cc = { .dst = eu_vgrf(&n->b, ISA_TYPE_F, 1) };
      for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
         cc.src[i] = eu_vgrf(&n->b, ISA_TYPE_F, 1);
         eu_MOV(&n->b, cc.src[i], fs_no_imm(n, c->src[i]));
      }
      emit_component(n, alu, &cc);
      eu_MOV(&n->b, c->dst, cc.dst);
      return;
   }
   if (is_f32_only(alu->op) && c->dst.type == ISA_TYPE_DF) {
      eu_fail(n->s, "64-bit %s was not lowered",
              nir_op_infos[alu->op].name);
      return;
   }
   kind = plain_op(alu->op, &hw);
   if (kind != PLAIN_NONE)
      emit_plain(n, kind, hw, c);
   else if (!emit_special(n, alu, c))
      eu_fail(n->s, "ALU opcode %s", nir_op_infos[alu->op].name);
}

/* Type of source i, as wide as the source is. */
static unsigned
src_type(const nir_alu_instr *alu, unsigned i)
{
   return fs_type_for_nir(nir_op_infos[alu->op].input_types[i],
                          nir_src_bit_size(alu->src[i].src));
}

static eu_reg
alu_src(struct nir_to_fs *n, const nir_alu_instr *alu, unsigned i,
        unsigned channel)
{
   const nir_alu_src *src = &alu->src[i];
   eu_reg r = fs_src_comp(n, &src->src, src->swizzle[channel]);

   const unsigned type = src_type(alu, i);
   if (r.file == EU_IMM && eu_type_sz(type) == 1) {
      /* No byte immediates: a word of the same value. */
      if (type == ISA_TYPE_B)
         r = eu_imm(ISA_TYPE_W, (uint16_t)(int8_t)r.imm);
   } else {
      r = eu_retype(r, type);
   }
   if (src->abs)
      r = eu_abs(fs_no_imm(n, r));
   if (src->negate)
      r = eu_negate(fs_no_imm(n, r));
   return r;
}

/* vecN and the opcodes that take a whole vector apart or together. */
static bool
emit_vector_op(struct nir_to_fs *n, nir_alu_instr *alu, eu_reg dst)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const struct eu_builder *b = &n->b;

   if (nir_op_is_vec(alu->op)) {
      for (unsigned c = 0; c < info->num_inputs; c++) {
         if (alu->dest.write_mask & (1u << c))
            eu_MOV(b, eu_offset(dst, b, c),
                   eu_retype(alu_src(n, alu, c, 0), dst.type));
      }
      return true;
   }
   switch (alu->op) {
   case nir_op_pack_64_2x32:
      for (unsigned i = 0; i < 2; i++)
         eu_MOV(b, eu_subscript(dst, ISA_TYPE_UD, i),
                eu_retype(alu_src(n, alu, 0, i), ISA_TYPE_UD));
      return true;
   case nir_op_pack_32_2x16:
      for (unsigned i = 0; i < 2; i++)
         eu_MOV(b, eu_subscript(dst, ISA_TYPE_UW, i),
                eu_retype(alu_src(n, alu, 0, i), ISA_TYPE_UW));
      return true;
   case nir_op_pack_64_4x16:
      for (unsigned i = 0; i < 4; i++)
         eu_MOV(b, eu_subscript(dst, ISA_TYPE_UW, i),
                eu_retype(alu_src(n, alu, 0, i), ISA_TYPE_UW));
      return true;
   case nir_op_unpack_64_2x32:
   case nir_op_unpack_32_2x16:
   case nir_op_unpack_64_4x16:
      for (unsigned i = 0; i < info->output_size; i++)
         eu_MOV(b, eu_offset(dst, b, i),
                eu_subscript(eu_retype(fs_no_imm(n, alu_src(n, alu, 0, 0)),
                                       fs_raw_type(nir_src_bit_size(
                                    alu->src[0].src))),
                             dst.type, i));
      return true;
   default:
      return false;
   }
}

void
fs_emit_alu(struct nir_to_fs *n, nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned dst_bits = nir_dest_bit_size(alu->dest.dest);
   const unsigned comps = nir_dest_num_components(alu->dest.dest);
   eu_reg final, dst;

   /* A copy of one component of a value in a register that is written once
    * is that component. */
   if (alu->op == nir_op_mov && comps == 1 && alu->dest.dest.is_ssa &&
       alu->src[0].src.is_ssa && !alu->src[0].negate && !alu->src[0].abs &&
       !nir_src_is_const(alu->src[0].src)) {
      fs_set_dest(n, &alu->dest.dest, alu_src(n, alu, 0, 0));
      return;
   }

   final = dst = fs_get_dest(n, &alu->dest.dest);
   /* A register destination may be one of the sources, and parts of it are
    * written before all of them are read. */
   if (!alu->dest.dest.is_ssa && alu->op != nir_op_mov)
      dst = eu_vgrf(&n->b, dst.type, comps);
   else if (!alu->dest.dest.is_ssa && comps > 1)
      dst = eu_vgrf(&n->b, dst.type, comps);
   if (dst_bits == 64 || dst_bits <= 32)
      dst.type = (uint8_t)fs_type_for_nir(info->output_type, dst_bits);
   switch (alu->op) {
   case nir_op_pack_64_2x32_split:
   case nir_op_pack_32_2x16_split:
   case nir_op_pack_32_4x8_split:
   case nir_op_pack_half_2x16_split:
   case nir_op_pack_half_2x16_rtz_split:
   case nir_op_pack_64_2x32:
   case nir_op_pack_32_2x16:
   case nir_op_pack_64_4x16:
      /* Written in parts; a fresh register need not be live before. */
      eu_undef(&n->b, dst);
      break;
   default:
      break;
   }

   if (!emit_vector_op(n, alu, dst)) {
      assert(info->num_inputs <= 4);
      for (unsigned c = 0; c < comps; c++) {
         struct comp cc = { .dst = eu_offset(dst, &n->b, c) };

         if (!(alu->dest.write_mask & (1u << c)))
            continue;
         for (unsigned i = 0; i < info->num_inputs; i++) {
            if (info->input_sizes[i] > 1)
               eu_fail(n->s, "vector opcode %s", info->name);
            cc.src[i] = alu_src(n, alu, i, info->input_sizes[i] ? 0 : c);
         }
         if (n->s->failed)
            return;
         emit_component(n, alu, &cc);
         if (alu->dest.saturate)
            eu_fail(n->s, "saturate on a NIR destination");
      }
   }

   if (dst.nr != final.nr) {
      for (unsigned c = 0; c < comps; c++) {
         if (alu->dest.write_mask & (1u << c))
            eu_MOV(&n->b, eu_offset(final, &n->b, c),
                   eu_offset(eu_retype(dst, final.type), &n->b, c));
      }
   }
}
