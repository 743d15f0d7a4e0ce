/* SPDX-License-Identifier: MIT */
/*
 * What rows of fs_nir_alu.c's table do: opcodes that become one instruction
 * of the EU, and those that become several.
 *
 * What is seen to here: immediates only as the last of two sources. Operand
 * regions, widths and strides that the EU cannot do are taken care of by
 * fs_lower_regioning.c and fs_lower_simd_width.c.
 */
#include "fs_nir_alu.h"

#define FLOAT_ONE 0x3f800000
#define DOUBLE_ONE 0x3ff0000000000000

struct eu_inst *
fs_alu_emit2(struct nir_to_fs *n, unsigned op, eu_reg dst, eu_reg x, eu_reg y)
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

struct eu_inst *
fs_alu_cmp(struct nir_to_fs *n, eu_reg dst, eu_reg x, eu_reg y, unsigned cond)
{
   return eu_CMP(&n->b, dst, fs_no_imm(n, x), y, cond);
}

/* ---- one instruction ---- */

void
fs_alu_one(struct nir_to_fs *n, const struct fs_alu *c)
{
   const struct fs_alu_row *row = c->row;
   const bool plain_mov = row->op == ISA_OPCODE_MOV && !row->negate &&
                          !row->abs && !row->saturate;
   eu_reg x = plain_mov ? c->src[0] : fs_no_imm(n, c->src[0]);

   if (row->negate)
      x = eu_negate(x);
   if (row->abs)
      x = eu_abs(x);
   eu_emit1(&n->b, row->op, c->dst, x)->saturate = row->saturate;
}

/* min and max: SEL with a condition compares and selects in one. */
void
fs_alu_two(struct nir_to_fs *n, const struct fs_alu *c)
{
   struct eu_inst *inst =
      fs_alu_emit2(n, c->row->op, c->dst, c->src[0], c->src[1]);
   inst->cond_mod = c->row->cond;
   inst->saturate = c->row->saturate;
}

/* Sources have the destination's type: so BFE's do, which NIR mixes. */
void
fs_alu_three(struct nir_to_fs *n, const struct fs_alu *c)
{
   eu_reg src[3];

   if (n->b.exec_size == 1) {
      fs_alu_uniform_three(n, c);
      return;
   }
   for (unsigned i = 3; i-- > 0;) {
      const eu_reg r = eu_retype(c->src[c->row->order[i]], c->dst.type);

      src[i] = r.file == EU_IMM && eu_type_is_float(r.type)
                  ? fs_signed_const(n, r)
                  : fs_no_imm(n, r);
   }
   eu_emit(&n->b, c->row->op, c->dst, 3, src);
}

void
fs_alu_math(struct nir_to_fs *n, const struct fs_alu *c)
{
   const bool two = nir_op_infos[c->alu->op].num_inputs == 2;
   const eu_reg y = two ? fs_no_imm(n, c->src[1]) : (eu_reg) { 0 };

   eu_MATH(&n->b, c->row->op, c->dst, fs_no_imm(n, c->src[0]), y);
}

/*
 * A comparison gives 0 or ~0 in the size of what is compared; our booleans
 * are dwords. 64 bits: the low dword (eu-fp64: CMP result narrowing); 16
 * bits: sign-extended.
 */
void
fs_alu_compare_bool(struct nir_to_fs *n, eu_reg dst, eu_reg x, eu_reg y,
                    unsigned cond)
{
   const unsigned size = eu_type_sz(x.type);

   if (size == 4) {
      fs_alu_cmp(n, eu_retype(dst, x.type), x, y, cond);
   } else if (size == 8) {
      struct eu_builder align1 = n->b;
      eu_reg t = eu_vgrf(&n->b, x.type, 1);

      align1.align16 = 0;
      if (n->b.align16 && n->b.align16 != ISA_WRITEMASK_XYZW)
         eu_undef(&align1, t);
      fs_alu_cmp(n, t, x, y, cond);
      /* Of all channels, whatever the first has written. */
      dst.swz = 0;
      eu_MOV(&align1, eu_retype(dst, ISA_TYPE_UD),
             eu_subscript(t, ISA_TYPE_UD, 0));
   } else {
      eu_reg t = eu_vgrf(&n->b, ISA_TYPE_W, 1);
      fs_alu_cmp(n, eu_retype(t, x.type), x, y, cond);
      eu_MOV(&n->b, eu_retype(dst, ISA_TYPE_D), t);
   }
}

void
fs_alu_compare(struct nir_to_fs *n, const struct fs_alu *c)
{
   fs_alu_compare_bool(n, c->dst, c->src[0], c->src[1], c->row->cond);
}

/* ---- several ---- */

/* A condition that is known by its flag first: to have it in a register costs
 * a move of the low dwords. */
static bool
is_wide_comparison(const struct nir_to_fs *n, const nir_use *cond)
{
   if (n->b.exec_size == 1 || fs_in_web(n, cond->value) ||
       !cond->value->divergent || cond->value->instr->kind != nir_kind_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu(cond->value->instr);
   return nir_op_infos[alu->op].num_inputs == 2 &&
          alu->src[0].use.value->bit_size == 64;
}

bool
fs_alu_selects_constant(const struct nir_to_fs *n, const nir_alu_instr *alu)
{
   const nir_operand *x = &alu->src[1], *y = &alu->src[2];

   if (alu->op != nir_op_bcsel || n->host || n->b.align16 ||
       alu->instr.result.num_components != 1 || !nir_use_is_const(x->use) ||
       !nir_use_is_const(y->use) || nir_use_is_const(alu->src[0].use) ||
       is_wide_comparison(n, &alu->src[0].use))
      return false;
   const uint64_t a = nir_use_comp_as_uint(x->use, x->swizzle[0]);
   const uint64_t b = nir_use_comp_as_uint(y->use, y->swizzle[0]);
   switch (alu->instr.result.bit_size) {
   case 32: return b == 0 || (a == 0 && b == FLOAT_ONE);
   case 64: return b == 0 && a == DOUBLE_ONE;
   default: return false;
   }
}

/* Booleans are the numbers 0 and -1, and bits that are all the same: a select
 * of zero and a constant takes no flag, and no register for the constant. */
static void
select_constant(struct nir_to_fs *n, const struct fs_alu *c)
{
   const eu_reg cond = eu_retype(c->src[0], ISA_TYPE_D);

   if (eu_type_sz(c->dst.type) == 8)
      eu_MOV(&n->b, eu_retype(c->dst, ISA_TYPE_DF), eu_negate(cond));
   else if (c->src[2].imm == FLOAT_ONE)
      eu_ADD(&n->b, eu_retype(c->dst, ISA_TYPE_F), cond, eu_imm_d(1));
   else
      eu_AND(&n->b, eu_retype(c->dst, ISA_TYPE_UD),
             eu_retype(cond, ISA_TYPE_UD), eu_retype(c->src[1], ISA_TYPE_UD));
}

void
fs_alu_bcsel(struct nir_to_fs *n, const struct fs_alu *c)
{
   struct eu_inst *inst;

   if (fs_alu_selects_constant(n, c->alu)) {
      select_constant(n, c);
      return;
   }
   fs_set_flag(n, &c->alu->src[0].use, c->src[0]);
   inst = fs_alu_emit2(n, ISA_OPCODE_SEL, c->dst, c->src[1], c->src[2]);
   inst->pred = ISA_PRED_NORMAL;
}

/* sign(x): the sign bit of x put on 1.0, or 0 for a zero. */
void
fs_alu_fsign(struct nir_to_fs *n, const struct fs_alu *c)
{
   const unsigned size = eu_type_sz(c->src[0].type);
   const eu_reg x = fs_no_imm(n, c->src[0]);
   struct eu_inst *inst;
   eu_reg hi_src, hi_dst;
   uint32_t sign, one;
   unsigned t;

   if (size == 8) {
      eu_undef(&n->b, c->dst);
      fs_alu_cmp(n, eu_null(ISA_TYPE_DF), x, fs_const(n, ISA_TYPE_DF, 0),
                 ISA_COND_MOD_NZ);
      t = ISA_TYPE_UD;
      hi_src = eu_subscript(x, t, 1);
      hi_dst = eu_subscript(c->dst, t, 1);
      eu_MOV(&n->b, eu_subscript(c->dst, t, 0), eu_imm_ud(0));
      sign = 0x80000000;
      one = 0x3ff00000;
   } else {
      t = eu_uint_type(size);
      fs_alu_cmp(n, eu_null(x.type), x, eu_imm(x.type, 0), ISA_COND_MOD_NZ);
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
   eu_MOV(&n->b, t,
          eu_retype(x, is_signed ? eu_sint_type(size) : eu_uint_type(size)));
   return t;
}

/* Index of the highest set bit (of the highest bit unlike the sign for D),
 * -1 if there is none: FBH counts from the other end. */
static eu_reg
find_bit_high(struct nir_to_fs *n, const struct fs_alu *c)
{
   const unsigned type = c->row->type;
   const eu_reg x = widened(n, c->src[0], type == ISA_TYPE_D);
   const eu_reg t = eu_vgrf(&n->b, ISA_TYPE_D, 1);

   eu_emit1(&n->b, ISA_OPCODE_FBH, eu_retype(t, ISA_TYPE_UD),
            eu_retype(fs_no_imm(n, x), type));
   return t;
}

void
fs_alu_find_msb_rev(struct nir_to_fs *n, const struct fs_alu *c)
{
   const eu_reg t = find_bit_high(n, c);

   eu_MOV(&n->b, eu_retype(c->dst, ISA_TYPE_D), t);
}

void
fs_alu_find_msb(struct nir_to_fs *n, const struct fs_alu *c)
{
   const eu_reg t = find_bit_high(n, c);
   struct eu_inst *inst;

   fs_alu_cmp(n, eu_null(ISA_TYPE_D), t, eu_imm_d(-1), ISA_COND_MOD_NZ);
   eu_reg d = eu_retype(c->dst, ISA_TYPE_D);
   eu_reg u = eu_vgrf(&n->b, ISA_TYPE_D, 1);
   eu_ADD(&n->b, u, eu_negate(t), eu_imm_d(31));
   inst = eu_SEL(&n->b, d, u, eu_imm_d(-1));
   inst->pred = ISA_PRED_NORMAL;
}

void
fs_alu_find_lsb(struct nir_to_fs *n, const struct fs_alu *c)
{
   const eu_reg x = widened(n, c->src[0], false);

   eu_emit1(&n->b, ISA_OPCODE_FBL, eu_retype(c->dst, ISA_TYPE_UD),
            eu_retype(fs_no_imm(n, x), ISA_TYPE_UD));
}

void
fs_alu_mul(struct nir_to_fs *n, const struct fs_alu *c)
{
   fs_alu_emit2(n, ISA_OPCODE_MUL, c->dst, fs_no_imm(n, c->src[0]),
                fs_no_imm(n, c->src[1]));
}

/*
 * The high half of a product by MUL, of x and the low words of y, into the
 * accumulator, and MACH (PRM HSW vol 2b, "mach"). It holds eight dwords, and
 * QtrCtrl might name a second one that does not exist: NoMask, first group.
 */
static void
mul_high_by_accumulator(struct nir_to_fs *n, const struct fs_alu *c)
{
   const unsigned type = c->row->type;
   const eu_reg x = eu_retype(fs_no_imm(n, c->src[0]), type);
   const eu_reg y = eu_retype(fs_no_imm(n, c->src[1]), type);
   const eu_reg high = eu_vgrf(&n->b, type, 1);

   eu_undef(&n->b, high);
   for (unsigned i = 0; i < n->b.exec_size / 8u; i++) {
      struct eu_builder b = eu_exec_all(eu_group(n->b, 8, i));
      const eu_reg xi = eu_horiz_offset(x, 8 * i);
      const eu_reg yi = eu_horiz_offset(y, 8 * i);

      b.group = 0;
      eu_MUL(&b, eu_acc(type), xi, yi);
      eu_emit2(&b, ISA_OPCODE_MACH, eu_horiz_offset(high, 8 * i), xi, yi);
   }
   eu_MOV(&n->b, eu_retype(c->dst, type), high);
}

/* The high half of a 32 x 32 product: a MUL with a 64-bit result, which Gen8
 * brought. */
void
fs_alu_mul_high(struct nir_to_fs *n, const struct fs_alu *c)
{
   const unsigned t32 = c->row->type;
   const bool is_signed = t32 == ISA_TYPE_D;

   if (!n->s->devinfo->has_64bit_int) {
      mul_high_by_accumulator(n, c);
      return;
   }
   eu_reg wide = eu_vgrf(&n->b, is_signed ? ISA_TYPE_Q : ISA_TYPE_UQ, 1);

   fs_alu_emit2(n, ISA_OPCODE_MUL, wide,
                eu_retype(fs_no_imm(n, c->src[0]), t32),
                eu_retype(fs_no_imm(n, c->src[1]), t32));
   eu_MOV(&n->b, eu_retype(c->dst, ISA_TYPE_UD),
          eu_subscript(wide, ISA_TYPE_UD, 1));
}

/* The remainder with the divisor's sign, from the one with the dividend's. */
void
fs_alu_imod(struct nir_to_fs *n, const struct fs_alu *c)
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

/* extract_u8 and so on: the index is a constant. */
void
fs_alu_extract(struct nir_to_fs *n, const struct fs_alu *c)
{
   const unsigned type = c->row->type;

   if (c->src[1].file != EU_IMM) {
      eu_fail(n->s, "%s with an index that is not constant",
              nir_op_infos[c->alu->op].name);
      return;
   }
   const eu_reg x = fs_no_imm(n, c->src[0]);
   const bool is_signed = isa_type_info((enum isa_type)type)->is_signed;
   const unsigned size = eu_type_sz(c->dst.type);

   eu_MOV(&n->b,
          eu_retype(c->dst,
                    is_signed ? eu_sint_type(size) : eu_uint_type(size)),
          eu_subscript(x, type, (unsigned)c->src[1].imm));
}

/* ---- derivatives ---- */

/*
 * Channels of a quad lie side by side: 0 1 / 2 3. A region with width 2 or 4
 * and a zero stride hands the same pixel to several channels.
 */
void
fs_alu_derivative(struct nir_to_fs *n, const struct fs_alu *c)
{
   const eu_reg x = fs_no_imm(n, c->src[0]);
   const unsigned size = eu_type_sz(x.type);
   eu_reg v = x;
   bool fine = false, y = false;

   switch (c->alu->op) {
   case nir_op_fddx_fine: fine = true; break;
   case nir_op_fddy_fine:
      fine = true;
      y = true;
      break;
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
