/* SPDX-License-Identifier: MIT */
/*
 * NIR ALU instructions -> fs IR, one component at a time: a table of what
 * each opcode is for the EU.
 */
#include "fs_nir_alu.h"

/* ---- the table ---- */

#define OP(h) .op = ISA_OPCODE_##h
#define FN(h) .op = ISA_MATH_##h
#define COND(h) .cond = ISA_COND_MOD_##h
#define TYPE(h) .type = ISA_TYPE_##h
/* Opcodes that the EU has for F alone: half floats go through F. */
#define F32 .f32_only = true
#define ROW(name, fn, ...)                                                   \
   [nir_op_##name] = { .emit = fs_alu_##fn, ##__VA_ARGS__ }

static const struct fs_alu_row rows[nir_num_opcodes] = {
   ROW(mov, one, OP(MOV)),
   ROW(inot, one, OP(NOT)),
   ROW(ftrunc, one, OP(RNDZ), F32),
   ROW(ffloor, one, OP(RNDD), F32),
   ROW(fceil, one, OP(RNDU), F32),
   ROW(fround_even, one, OP(RNDE), F32),
   ROW(ffract, one, OP(FRC), F32),
   ROW(bitfield_reverse, one, OP(BFREV)),
   ROW(bit_count, one, OP(CBIT)),
   ROW(fneg, one, OP(MOV), .negate = true),
   ROW(ineg, one, OP(MOV), .negate = true),
   ROW(fabs, one, OP(MOV), .abs = true),
   ROW(iabs, one, OP(MOV), .abs = true),
   ROW(fsat, one, OP(MOV), .saturate = true),

   ROW(fadd, two, OP(ADD)),
   ROW(fadd_rtz, two, OP(ADD), .toward_zero = true),
   ROW(iadd, two, OP(ADD)),
   ROW(iadd_sat, two, OP(ADD), .saturate = true),
   ROW(uadd_sat, two, OP(ADD), .saturate = true),
   ROW(fmul, two, OP(MUL)),
   ROW(fmul_rtz, two, OP(MUL), .toward_zero = true),
   ROW(iand, two, OP(AND)),
   ROW(ior, two, OP(OR)),
   ROW(ixor, two, OP(XOR)),
   ROW(ishl, two, OP(SHL)),
   ROW(ishr, two, OP(ASR)),
   ROW(ushr, two, OP(SHR)),
   ROW(bfm, two, OP(BFI1)),
   ROW(fmin, two, OP(SEL), COND(L)),
   ROW(imin, two, OP(SEL), COND(L)),
   ROW(umin, two, OP(SEL), COND(L)),
   ROW(fmax, two, OP(SEL), COND(GE)),
   ROW(imax, two, OP(SEL), COND(GE)),
   ROW(umax, two, OP(SEL), COND(GE)),

   /* MAD: y * z + x; LRP x, a, b = x * a + (1 - x) * b; BFE: width, offset,
    * value. */
   ROW(ffma, three, OP(MAD), .order = { 2, 0, 1 }),
   ROW(flrp, three, OP(LRP), .order = { 2, 1, 0 }, F32),
   ROW(ubfe, three, OP(BFE), .order = { 2, 1, 0 }),
   ROW(ibfe, three, OP(BFE), .order = { 2, 1, 0 }),
   ROW(bfi, three, OP(BFI2), .order = { 0, 1, 2 }),

   ROW(frcp, math, FN(INV), F32),
   ROW(frsq, math, FN(RSQ), F32),
   ROW(fsqrt, math, FN(SQRT), F32),
   ROW(fexp2, math, FN(EXP), F32),
   ROW(flog2, math, FN(LOG), F32),
   ROW(fsin, math, FN(SIN), F32),
   ROW(fcos, math, FN(COS), F32),
   ROW(fpow, math, FN(POW), F32),
   ROW(idiv, math, FN(INT_DIV_QUOTIENT)),
   ROW(udiv, math, FN(INT_DIV_QUOTIENT)),
   ROW(umod, math, FN(INT_DIV_REMAINDER)),
   ROW(irem, math, FN(INT_DIV_REMAINDER)),
   ROW(imod, imod),

   ROW(flt, compare, COND(L)),
   ROW(fge, compare, COND(GE)),
   ROW(feq, compare, COND(Z)),
   ROW(fneu, compare, COND(NZ)),
   ROW(ilt, compare, COND(L)),
   ROW(ige, compare, COND(GE)),
   ROW(ieq, compare, COND(Z)),
   ROW(ine, compare, COND(NZ)),
   ROW(ult, compare, COND(L)),
   ROW(uge, compare, COND(GE)),
   ROW(bcsel, bcsel),
   ROW(fsign, fsign),

   ROW(imul, mul),
   ROW(imul_2x32_64, mul),
   ROW(umul_2x32_64, mul),
   ROW(imul_high, mul_high, TYPE(D)),
   ROW(umul_high, mul_high, TYPE(UD)),

   ROW(ufind_msb, find_msb, TYPE(UD)),
   ROW(ifind_msb, find_msb, TYPE(D)),
   ROW(ufind_msb_rev, find_msb_rev, TYPE(UD)),
   ROW(ifind_msb_rev, find_msb_rev, TYPE(D)),
   ROW(find_lsb, find_lsb),
   ROW(extract_u8, extract, TYPE(UB)),
   ROW(extract_i8, extract, TYPE(B)),
   ROW(extract_u16, extract, TYPE(UW)),
   ROW(extract_i16, extract, TYPE(W)),

   ROW(fddx, derivative),
   ROW(fddx_coarse, derivative),
   ROW(fddx_fine, derivative),
   ROW(fddy, derivative),
   ROW(fddy_coarse, derivative),
   ROW(fddy_fine, derivative),

   /* Other conversions: fs_alu_row_of(). */
   ROW(f2f16_rtz, convert, .toward_zero = true),
   ROW(f2f32_rtz, convert, .toward_zero = true),
   ROW(b2f16, from_bool),
   ROW(b2f32, from_bool),
   ROW(b2f64, from_bool),
   ROW(b2i8, from_bool),
   ROW(b2i16, from_bool),
   ROW(b2i32, from_bool),
   ROW(b2i64, from_bool),
   ROW(b2b1, bool_to_bool),
   ROW(b2b32, bool_to_bool),
   ROW(f2b1, to_bool),
   ROW(i2b1, to_bool),
   ROW(fquantize2f16, quantize),

   ROW(pack_64_2x32_split, pack, TYPE(UD), .in_parts = true),
   ROW(pack_32_2x16_split, pack, TYPE(UW), .in_parts = true),
   ROW(pack_32_4x8_split, pack, TYPE(UB), .in_parts = true),
   ROW(pack_half_2x16_split, pack_half, .in_parts = true),
   ROW(pack_half_2x16_rtz_split, pack_half, .in_parts = true,
       .toward_zero = true),
   ROW(unpack_64_2x32_split_x, unpack_x, TYPE(UD)),
   ROW(unpack_64_2x32_split_y, unpack_y, TYPE(UD)),
   ROW(unpack_32_2x16_split_x, unpack_x, TYPE(UW)),
   ROW(unpack_32_2x16_split_y, unpack_y, TYPE(UW)),
   ROW(unpack_half_2x16_split_x, unpack_x, TYPE(HF)),
   ROW(unpack_half_2x16_split_y, unpack_y, TYPE(HF)),

   /* Whole vectors: emit_vector_op(). */
   [nir_op_pack_64_2x32] = { TYPE(UD), .in_parts = true },
   [nir_op_pack_32_2x16] = { TYPE(UW), .in_parts = true },
   [nir_op_pack_64_4x16] = { TYPE(UW), .in_parts = true },
};

#undef OP
#undef FN
#undef COND
#undef TYPE
#undef F32
#undef ROW

const struct fs_alu_row *
fs_alu_row_of(nir_op op)
{
   static const struct fs_alu_row conversion = { .emit = fs_alu_convert };

   return rows[op].emit || !nir_op_infos[op].is_conversion ? &rows[op]
                                                           : &conversion;
}

/* ---- one component ---- */

/* By way of F, which has the operation. */
static void
emit_as_float(struct nir_to_fs *n, const struct fs_alu *c)
{
   struct fs_alu cc = { .alu = c->alu,
                        .row = c->row,
                        .dst = eu_vgrf(&n->b, ISA_TYPE_F, 1) };

   for (unsigned i = 0; i < nir_op_infos[c->alu->op].num_inputs; i++) {
      cc.src[i] = eu_vgrf(&n->b, ISA_TYPE_F, 1);
      eu_MOV(&n->b, cc.src[i], fs_no_imm(n, c->src[i]));
   }
   cc.row->emit(n, &cc);
   eu_MOV(&n->b, c->dst, cc.dst);
}

void
fs_alu_component(struct nir_to_fs *n, const struct fs_alu *c)
{
   const char *name = nir_op_infos[c->alu->op].name;

   n->b.toward_zero = c->row->toward_zero;
   if (!c->row->emit)
      eu_fail(n->s, "ALU opcode %s", name);
   else if (c->row->f32_only && c->dst.type == ISA_TYPE_DF)
      eu_fail(n->s, "64-bit %s was not lowered", name);
   else if (c->row->f32_only && c->dst.type == ISA_TYPE_HF)
      emit_as_float(n, c);
   else
      c->row->emit(n, c);
   n->b.toward_zero = false;
}

/* Type of source i, as wide as the source is. */
unsigned
fs_alu_src_type(const nir_alu_instr *alu, unsigned i)
{
   return fs_type_for_nir(nir_op_infos[alu->op].input[i].type,
                          alu->src[i].use.value->bit_size);
}

static eu_reg
alu_src(struct nir_to_fs *n, const nir_alu_instr *alu, unsigned i,
        unsigned channel)
{
   const nir_operand *src = &alu->src[i];
   eu_reg r = fs_src_comp(n, &src->use, src->swizzle[channel]);

   const unsigned type = fs_alu_src_type(alu, i);
   if (r.file == EU_IMM && eu_type_sz(type) == 1) {
      /* No byte immediates: a word of the same value. */
      if (type == ISA_TYPE_B)
         r = eu_imm(ISA_TYPE_W, (uint16_t)(int8_t)r.imm);
   } else {
      r = eu_retype(r, type);
   }
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
         eu_MOV(b, eu_offset(dst, b, c),
                eu_retype(alu_src(n, alu, c, 0), dst.type));
      }
      return true;
   }
   switch (alu->op) {
   case nir_op_pack_64_2x32:
   case nir_op_pack_32_2x16:
   case nir_op_pack_64_4x16: {
      const unsigned part = rows[alu->op].type;
      for (unsigned i = 0; i < info->input[0].size; i++)
         eu_MOV(b, eu_subscript(dst, part, i),
                eu_retype(alu_src(n, alu, 0, i), part));
      return true;
   }
   case nir_op_unpack_64_2x32:
   case nir_op_unpack_32_2x16:
   case nir_op_unpack_64_4x16: {
      const unsigned raw = fs_raw_type(alu->src[0].use.value->bit_size);
      for (unsigned i = 0; i < info->output.size; i++)
         eu_MOV(
            b, eu_offset(dst, b, i),
            eu_subscript(eu_retype(fs_no_imm(n, alu_src(n, alu, 0, 0)), raw),
                         dst.type, i));
      return true;
   }
   default: return false;
   }
}

static void
emit_components(struct nir_to_fs *n, const nir_alu_instr *alu, eu_reg dst)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned comps = alu->instr.result.num_components;

   for (unsigned c = 0; c < comps; c++) {
      struct fs_alu cc = { .alu = alu,
                           .row = fs_alu_row_of(alu->op),
                           .dst = eu_offset(dst, &n->b, c) };

      assert(info->num_inputs <= ARRAY_SIZE(cc.src));
      for (unsigned i = 0; i < alu->instr.num_operands; i++) {
         if (info->input[i].size > 1)
            eu_fail(n->s, "vector opcode %s", info->name);
         cc.src[i] = alu_src(n, alu, i, info->input[i].size ? 0 : c);
      }
      if (n->s->failed)
         return;
      fs_alu_component(n, &cc);
   }
}

/* All of a value that was computed elsewhere, to where it belongs. */
static void
copy_result(struct nir_to_fs *n, const nir_alu_instr *alu, eu_reg to,
            eu_reg from, bool uniform)
{
   const struct eu_builder *b = &n->b, sb = eu_scalar(*b);
   const bool to_scalar = to.stride == 0;

   for (unsigned c = 0; c < alu->instr.result.num_components; c++) {
      eu_reg r = eu_offset(eu_retype(from, to.type), b, c);

      if (uniform)
         r.stride = 0;
      else if (to_scalar)
         r = fs_uniformize(n, r);
      eu_MOV(to_scalar ? &sb : b,
             to_scalar ? eu_scalar_dst(eu_offset(to, b, c))
                       : eu_offset(to, b, c),
             r);
   }
}

static void
emit_alu(struct nir_to_fs *n, nir_alu_instr *alu, bool uniform)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned dst_bits = alu->instr.result.bit_size;
   const unsigned comps = alu->instr.result.num_components;
   const bool shared = fs_in_web(n, &alu->instr.result);
   eu_reg final, dst;

   /* A copy of one component of a value in a register that is written once
    * is that component. */
   if (alu->op == nir_op_mov && comps == 1 && !shared &&
       !fs_in_web(n, alu->src[0].use.value) &&
       !nir_use_is_const(alu->src[0].use)) {
      fs_set_dest(n, &alu->instr.result, alu_src(n, alu, 0, 0));
      return;
   }

   final = dst = fs_get_dest(n, &alu->instr.result);
   /* The register of a web may be one of the sources, and parts of it are
    * written before all of them are read. */
   if (shared && uniform && comps == 1 && rows[alu->op].emit == fs_alu_three)
      dst = eu_scalar_dst(dst);
   else if (shared && (alu->op != nir_op_mov || comps > 1 || dst.stride == 0))
      dst = eu_vgrf(&n->b, dst.type, comps);
   if (dst_bits == 64 || dst_bits <= 32)
      dst.type = (uint8_t)fs_type_for_nir(info->output.type, dst_bits);
   /* A fresh register need not be live before. */
   if (rows[alu->op].in_parts)
      eu_undef(&n->b, dst);

   if (!emit_vector_op(n, alu, dst))
      emit_components(n, alu, dst);

   if (dst.nr != final.nr)
      copy_result(n, alu, final, dst, uniform);
   else if (uniform && !shared)
      n->ssa[alu->instr.result.index].stride = 0;
}

void
fs_emit_alu(struct nir_to_fs *n, nir_alu_instr *alu)
{
   const struct eu_builder wide = n->b;
   const bool uniform = fs_alu_is_uniform(n, alu);

   if (uniform)
      n->b = eu_scalar(n->b);
   emit_alu(n, alu, uniform);
   n->b = wide;
}

static unsigned
opposite(unsigned cond)
{
   switch (cond) {
   case ISA_COND_MOD_Z: return ISA_COND_MOD_NZ;
   case ISA_COND_MOD_NZ: return ISA_COND_MOD_Z;
   case ISA_COND_MOD_L: return ISA_COND_MOD_GE;
   default: return ISA_COND_MOD_L;
   }
}

struct eu_inst *
fs_emit_opposite(struct nir_to_fs *n, const nir_use *condition)
{
   if (fs_in_web(n, condition->value) ||
       condition->value->instr->kind != nir_kind_alu)
      return NULL;
   const nir_alu_instr *alu = nir_instr_as_alu(condition->value->instr);
   const struct fs_alu_row *row = &rows[alu->op];
   if (row->emit != fs_alu_compare || alu->instr.result.num_components != 1 ||
       fs_in_web(n, alu->src[0].use.value) ||
       fs_in_web(n, alu->src[1].use.value))
      return NULL;
   const unsigned type = fs_alu_src_type(alu, 0);
   /* Of NaNs neither order is true. */
   if (eu_type_sz(type) != 4 || alu->op == nir_op_flt ||
       alu->op == nir_op_fge)
      return NULL;
   return fs_alu_cmp(n, eu_null(type), alu_src(n, alu, 0, 0),
                     alu_src(n, alu, 1, 0), opposite(row->cond));
}
