/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic, bits, logic, comparisons, derivatives (3.49.13 to 3.49.16).
 * What works per component is a row of a table; the rest is a function each.
 */
#include <math.h>
#include "compiler/spirv/spirv_private.h"

enum operand_class {
   CLASS_INT,
   CLASS_FLOAT,
   CLASS_BOOL,
};

enum alu_flags {
   ALU_SWAP = 1 << 0,    /* sources change places */
   ALU_NOT = 1 << 1,     /* the result is negated */
   ALU_TO_BOOL = 1 << 2, /* the result is bool, else like the sources */
   ALU_EXACT = 1 << 3,   /* NaNs count */
   ALU_SHIFT = 1 << 4,   /* the second source may have another width */
   ALU_BITS32 = 1 << 5,  /* 32-bit sources only */
};

struct alu_row {
   uint16_t spirv;
   uint8_t num_srcs;
   uint8_t operands;
   uint8_t flags;
   nir_op op;
};

#define BOOL ALU_TO_BOOL
#define UNORD (ALU_TO_BOOL | ALU_NOT | ALU_EXACT)

static const struct alu_row rows[] = {
   { SpvOpSNegate, 1, CLASS_INT, 0, nir_op_ineg },
   { SpvOpFNegate, 1, CLASS_FLOAT, 0, nir_op_fneg },
   { SpvOpIAdd, 2, CLASS_INT, 0, nir_op_iadd },
   { SpvOpFAdd, 2, CLASS_FLOAT, 0, nir_op_fadd },
   { SpvOpISub, 2, CLASS_INT, 0, nir_op_isub },
   { SpvOpFSub, 2, CLASS_FLOAT, 0, nir_op_fsub },
   { SpvOpIMul, 2, CLASS_INT, 0, nir_op_imul },
   { SpvOpFMul, 2, CLASS_FLOAT, 0, nir_op_fmul },
   { SpvOpUDiv, 2, CLASS_INT, 0, nir_op_udiv },
   { SpvOpSDiv, 2, CLASS_INT, 0, nir_op_idiv },
   { SpvOpFDiv, 2, CLASS_FLOAT, 0, nir_op_fdiv },
   { SpvOpUMod, 2, CLASS_INT, 0, nir_op_umod },
   { SpvOpSRem, 2, CLASS_INT, 0, nir_op_irem },
   { SpvOpSMod, 2, CLASS_INT, 0, nir_op_imod },
   { SpvOpFRem, 2, CLASS_FLOAT, 0, nir_op_frem },
   { SpvOpFMod, 2, CLASS_FLOAT, 0, nir_op_fmod },
   { SpvOpShiftRightLogical, 2, CLASS_INT, ALU_SHIFT, nir_op_ushr },
   { SpvOpShiftRightArithmetic, 2, CLASS_INT, ALU_SHIFT, nir_op_ishr },
   { SpvOpShiftLeftLogical, 2, CLASS_INT, ALU_SHIFT, nir_op_ishl },
   { SpvOpBitwiseOr, 2, CLASS_INT, 0, nir_op_ior },
   { SpvOpBitwiseXor, 2, CLASS_INT, 0, nir_op_ixor },
   { SpvOpBitwiseAnd, 2, CLASS_INT, 0, nir_op_iand },
   { SpvOpNot, 1, CLASS_INT, 0, nir_op_inot },
   { SpvOpBitReverse, 1, CLASS_INT, ALU_BITS32, nir_op_bitfield_reverse },

   { SpvOpLogicalEqual, 2, CLASS_BOOL, BOOL, nir_op_ieq },
   { SpvOpLogicalNotEqual, 2, CLASS_BOOL, BOOL, nir_op_ine },
   { SpvOpLogicalOr, 2, CLASS_BOOL, BOOL, nir_op_ior },
   { SpvOpLogicalAnd, 2, CLASS_BOOL, BOOL, nir_op_iand },
   { SpvOpLogicalNot, 1, CLASS_BOOL, BOOL, nir_op_inot },
   { SpvOpIEqual, 2, CLASS_INT, BOOL, nir_op_ieq },
   { SpvOpINotEqual, 2, CLASS_INT, BOOL, nir_op_ine },
   { SpvOpUGreaterThan, 2, CLASS_INT, BOOL | ALU_SWAP, nir_op_ult },
   { SpvOpSGreaterThan, 2, CLASS_INT, BOOL | ALU_SWAP, nir_op_ilt },
   { SpvOpUGreaterThanEqual, 2, CLASS_INT, BOOL, nir_op_uge },
   { SpvOpSGreaterThanEqual, 2, CLASS_INT, BOOL, nir_op_ige },
   { SpvOpULessThan, 2, CLASS_INT, BOOL, nir_op_ult },
   { SpvOpSLessThan, 2, CLASS_INT, BOOL, nir_op_ilt },
   { SpvOpULessThanEqual, 2, CLASS_INT, BOOL | ALU_SWAP, nir_op_uge },
   { SpvOpSLessThanEqual, 2, CLASS_INT, BOOL | ALU_SWAP, nir_op_ige },
   { SpvOpFOrdEqual, 2, CLASS_FLOAT, BOOL, nir_op_feq },
   { SpvOpFUnordNotEqual, 2, CLASS_FLOAT, BOOL, nir_op_fneu },
   { SpvOpFOrdLessThan, 2, CLASS_FLOAT, BOOL, nir_op_flt },
   { SpvOpFOrdGreaterThan, 2, CLASS_FLOAT, BOOL | ALU_SWAP, nir_op_flt },
   { SpvOpFOrdLessThanEqual, 2, CLASS_FLOAT, BOOL | ALU_SWAP, nir_op_fge },
   { SpvOpFOrdGreaterThanEqual, 2, CLASS_FLOAT, BOOL, nir_op_fge },
   /* 'Unordered or less' is 'not (ordered and greater or equal)'. */
   { SpvOpFUnordLessThan, 2, CLASS_FLOAT, UNORD, nir_op_fge },
   { SpvOpFUnordGreaterThan, 2, CLASS_FLOAT, UNORD | ALU_SWAP, nir_op_fge },
   { SpvOpFUnordLessThanEqual, 2, CLASS_FLOAT, UNORD | ALU_SWAP, nir_op_flt },
   { SpvOpFUnordGreaterThanEqual, 2, CLASS_FLOAT, UNORD, nir_op_flt },

   { SpvOpDPdx, 1, CLASS_FLOAT, 0, nir_op_fddx },
   { SpvOpDPdy, 1, CLASS_FLOAT, 0, nir_op_fddy },
   { SpvOpDPdxFine, 1, CLASS_FLOAT, 0, nir_op_fddx_fine },
   { SpvOpDPdyFine, 1, CLASS_FLOAT, 0, nir_op_fddy_fine },
   { SpvOpDPdxCoarse, 1, CLASS_FLOAT, 0, nir_op_fddx_coarse },
   { SpvOpDPdyCoarse, 1, CLASS_FLOAT, 0, nir_op_fddy_coarse },
};

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

static bool
in_class(const struct spv_type *t, enum operand_class c)
{
   const enum spv_base base = spv_scalar(t)->base;

   switch (c) {
   case CLASS_INT: return base == SPV_INT;
   case CLASS_FLOAT: return base == SPV_FLOAT;
   case CLASS_BOOL: return base == SPV_BOOL;
   }
   return false;
}

static nir_value *
operand(struct spv *s, uint32_t id, enum operand_class c, unsigned comps,
        unsigned bits)
{
   const struct spv_type *t = spv_value_type(s, id);

   spv_check(s,
             in_class(t, c) && spv_components(t) == comps &&
                (!bits || t->bits == bits),
             "%s: operand %u has the wrong type", here(s), id);
   return spv_get_def(s, id);
}

static void
check_result(struct spv *s, const struct spv_type *t, enum operand_class c)
{
   spv_check(s, in_class(t, c), "%s: wrong result type", here(s));
}

static void
emit_row(struct spv *s, const struct alu_row *r, const uint32_t *w,
         struct spv_type *t)
{
   const unsigned comps = spv_components(t);
   const bool was_exact = s->nb.exact;
   nir_value *src[2] = { NULL, NULL }, *def;
   unsigned bits;

   check_result(s, t, r->flags & ALU_TO_BOOL ? CLASS_BOOL : r->operands);
   bits = r->flags & ALU_TO_BOOL ? spv_value_type(s, w[3])->bits : t->bits;
   if (r->flags & ALU_BITS32 && bits != 32)
      spv_unsupported(s, "%s of %u bits", here(s), bits);
   src[0] = operand(s, w[3], r->operands, comps, bits);
   if (r->num_srcs == 2)
      src[1] = operand(s, w[4], r->operands, comps,
                       r->flags & ALU_SHIFT ? 0 : bits);
   if (r->flags & ALU_SHIFT && src[1]->bit_size != 32)
      src[1] = nir_u2u32(&s->nb, src[1]);
   if (r->flags & ALU_EXACT)
      s->nb.exact = true;
   if (r->flags & ALU_SWAP)
      def = nir_build_alu2(&s->nb, r->op, src[1], src[0]);
   else
      def = nir_build_alu(&s->nb, r->op, src[0], src[1], NULL, NULL);
   if (r->flags & ALU_NOT)
      def = nir_inot(&s->nb, def);
   s->nb.exact = was_exact;
   spv_set_def(s, t, w[2], def);
}

/* --- Conversions -------------------------------------------------------- */

static nir_rounding_mode
rounding_mode(const struct spv_value *result)
{
   for (const struct spv_decoration *d = result->decorations; d;
        d = d->next) {
      if (d->what != SpvDecorationFPRoundingMode)
         continue;
      return d->operands[0] == SpvFPRoundingModeRTZ ? nir_rounding_mode_rtz
             : d->operands[0] == SpvFPRoundingModeRTE
                ? nir_rounding_mode_rtne
                : nir_rounding_mode_undef;
   }
   return nir_rounding_mode_undef;
}

static bool
emit_conversion(struct spv *s, const uint32_t *w)
{
   nir_alu_type from, to;
   enum operand_class src_class, dst_class;
   struct spv_type *t;
   nir_value *src;
   nir_op op;

   switch (spv_opcode(w)) {
   case SpvOpConvertFToU:
      from = nir_type_float;
      to = nir_type_uint;
      break;
   case SpvOpConvertFToS:
      from = nir_type_float;
      to = nir_type_int;
      break;
   case SpvOpConvertSToF:
      from = nir_type_int;
      to = nir_type_float;
      break;
   case SpvOpConvertUToF:
      from = nir_type_uint;
      to = nir_type_float;
      break;
   case SpvOpUConvert: from = to = nir_type_uint; break;
   case SpvOpSConvert: from = to = nir_type_int; break;
   case SpvOpFConvert: from = to = nir_type_float; break;
   default: return false;
   }
   src_class = from == nir_type_float ? CLASS_FLOAT : CLASS_INT;
   dst_class = to == nir_type_float ? CLASS_FLOAT : CLASS_INT;
   t = spv_get_type(s, w[1]);
   check_result(s, t, dst_class);
   src = operand(s, w[3], src_class, spv_components(t), 0);
   op = nir_type_conversion_op(from | src->bit_size, to | t->bits,
                               rounding_mode(&s->values[w[2]]));
   spv_set_def(s, t, w[2], nir_build_alu1(&s->nb, op, src));
   return true;
}

static void
bitcast(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *st = spv_value_type(s, w[3]);
   nir_value *src = spv_get_def(s, w[3]);

   /* Of conditions by conditions, which zink writes, nothing changes. */
   const bool conditions = spv_scalar(t)->base == SPV_BOOL &&
                           spv_scalar(st)->base == SPV_BOOL;
   spv_check(s,
             (conditions || (spv_type_is_number(spv_scalar(t)) &&
                             spv_type_is_number(spv_scalar(st)))) &&
                t->bits * spv_components(t) == st->bits * spv_components(st),
             "OpBitcast: the types differ in size or are no numbers "
             "(3.49.11)");
   spv_set_def(s, t, w[2],
               t->bits == st->bits
                  ? nir_mov(&s->nb, src)
                  : nir_bitcast_vector(&s->nb, src, t->bits));
}

static void
quantize(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   nir_value *x, *half, *zero, *tiny;

   check_result(s, t, CLASS_FLOAT);
   x = operand(s, w[3], CLASS_FLOAT, spv_components(t), 32);
   spv_check(s, t->bits == 32, "OpQuantizeToF16: wrong result type");
   half = nir_f2f32(&s->nb, nir_f2f16_rtne(&s->nb, x));
   /* Subnormal halves become zero of the same sign. */
   tiny = nir_flt(&s->nb, nir_fabs(&s->nb, half),
                  nir_imm_float(&s->nb, 0x1p-14f));
   zero = nir_iand_imm(&s->nb, x, 0x80000000u);
   spv_set_def(s, t, w[2], nir_bcsel(&s->nb, tiny, zero, half));
}

/* --- Select ------------------------------------------------------------- */

static struct spv_ssa *
select_parts(struct spv *s, nir_value *cond, struct spv_ssa *a,
             struct spv_ssa *b)
{
   struct spv_ssa *r = spv_ssa_create(s, a->type);

   if (!r->elems) {
      spv_check(s, a->def, "OpSelect: wrong operand type");
      r->def = nir_bcsel(&s->nb, cond, a->def, b->def);
      return r;
   }
   for (unsigned i = 0; i < a->type->length; i++)
      r->elems[i] = select_parts(s, cond, a->elems[i], b->elems[i]);
   return r;
}

static nir_value *
splat(struct spv *s, nir_value *x, unsigned n)
{
   static const unsigned zero[NIR_MAX_VEC_COMPONENTS];
   return n == x->num_components ? x : nir_swizzle(&s->nb, x, zero, n);
}

static struct spv_ssa *
select_scalar_cond(struct spv *s, nir_value *cond, struct spv_ssa *a,
                   struct spv_ssa *b)
{
   struct spv_ssa *r;

   if (a->def) {
      return select_parts(s, splat(s, cond, a->def->num_components), a, b);
   }
   r = spv_ssa_create(s, a->type);
   for (unsigned i = 0; i < a->type->length; i++)
      r->elems[i] = select_scalar_cond(s, cond, a->elems[i], b->elems[i]);
   return r;
}

static void
emit_select(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *ct = spv_value_type(s, w[3]);
   struct spv_ssa *a, *b, *r;
   nir_value *cond;

   if (spv_untyped_value(s, w[4])->kind == SPV_VALUE_POINTER &&
       !spv_is_address(t))
      spv_unsupported(s, "OpSelect of pointers");
   a = spv_get_ssa(s, w[4]);
   b = spv_get_ssa(s, w[5]);
   spv_check(s,
             in_class(ct, CLASS_BOOL) && spv_same_type(a->type, t) &&
                spv_same_type(b->type, t) &&
                (ct->base == SPV_BOOL ||
                 (t->base == SPV_VECTOR && ct->length == t->length)),
             "OpSelect: an operand has the wrong type (3.49.15)");
   cond = spv_get_def(s, w[3]);
   r = ct->base == SPV_BOOL ? select_scalar_cond(s, cond, a, b)
                            : select_parts(s, cond, a, b);
   r->type = t;
   spv_set_ssa(s, w[2], r);
}

/* --- Two results -------------------------------------------------------- */

static void
emit_extended(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_ssa *r;
   const struct spv_type *m;
   nir_value *a, *b, *lo, *hi;

   spv_check(s,
             t->base == SPV_STRUCT && t->length == 2 &&
                spv_same_type(t->members[0], t->members[1]) &&
                in_class(t->members[0], CLASS_INT),
             "%s: wrong result type (3.49.13)", here(s));
   m = t->members[0];
   a = operand(s, w[3], CLASS_INT, spv_components(m), m->bits);
   b = operand(s, w[4], CLASS_INT, spv_components(m), m->bits);
   switch (spv_opcode(w)) {
   case SpvOpIAddCarry:
      lo = nir_iadd(&s->nb, a, b);
      hi = nir_uadd_carry(&s->nb, a, b);
      break;
   case SpvOpISubBorrow:
      lo = nir_isub(&s->nb, a, b);
      hi = nir_usub_borrow(&s->nb, a, b);
      break;
   case SpvOpUMulExtended:
      lo = nir_imul(&s->nb, a, b);
      hi = nir_umul_high(&s->nb, a, b);
      break;
   default:
      lo = nir_imul(&s->nb, a, b);
      hi = nir_imul_high(&s->nb, a, b);
      break;
   }
   r = spv_ssa_create(s, t);
   for (unsigned i = 0; i < 2; i++) {
      r->elems[i] = spv_ssa_create(s, t->members[i]);
      r->elems[i]->def = i ? hi : lo;
   }
   spv_set_ssa(s, w[2], r);
}

/* --- Single instructions that fit no row -------------------------------- */

static void
ordered(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const bool was_exact = s->nb.exact;
   const struct spv_type *st = spv_value_type(s, w[3]);
   nir_value *a, *b, *def;

   check_result(s, t, CLASS_BOOL);
   a = operand(s, w[3], CLASS_FLOAT, spv_components(t), st->bits);
   s->nb.exact = true;
   switch (spv_opcode(w)) {
   case SpvOpIsNan: def = nir_fneu(&s->nb, a, a); break;
   case SpvOpIsInf:
      def = nir_feq(&s->nb, nir_fabs(&s->nb, a),
                    splat(s, nir_imm_floatN_t(&s->nb, INFINITY, st->bits),
                          spv_components(t)));
      break;
   default:
      /* Neither less nor greater: equal, or one is a NaN. */
      b = operand(s, w[4], CLASS_FLOAT, spv_components(t), st->bits);
      def = nir_ior(&s->nb, nir_flt(&s->nb, a, b), nir_flt(&s->nb, b, a));
      if (spv_opcode(w) == SpvOpFUnordEqual)
         def = nir_inot(&s->nb, def);
      break;
   }
   s->nb.exact = was_exact;
   spv_set_def(s, t, w[2], def);
}

static void
any_all(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const struct spv_type *st = spv_value_type(s, w[3]);
   nir_value *v, *def;

   spv_check(s, t->base == SPV_BOOL && in_class(st, CLASS_BOOL),
             "%s: wrong types (3.49.15)", here(s));
   v = spv_get_def(s, w[3]);
   def = nir_channel(&s->nb, v, 0);
   for (unsigned i = 1; i < v->num_components; i++) {
      nir_value *c = nir_channel(&s->nb, v, i);
      def = spv_opcode(w) == SpvOpAny ? nir_ior(&s->nb, def, c)
                                      : nir_iand(&s->nb, def, c);
   }
   spv_set_def(s, t, w[2], def);
}

static void
bit_fields(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const unsigned op = spv_opcode(w), n = spv_components(t);
   const bool insert = op == SpvOpBitFieldInsert;
   nir_value *base, *ins = NULL, *off, *count, *def;

   check_result(s, t, CLASS_INT);
   if (t->bits != 32)
      spv_unsupported(s, "%s of %u bits", here(s), t->bits);
   base = operand(s, w[3], CLASS_INT, n, 32);
   if (insert)
      ins = operand(s, w[4], CLASS_INT, n, 32);
   off = operand(s, w[insert ? 5 : 4], CLASS_INT, 1, 0);
   count = operand(s, w[insert ? 6 : 5], CLASS_INT, 1, 0);
   off = splat(s, nir_u2uN(&s->nb, off, 32), n);
   count = splat(s, nir_u2uN(&s->nb, count, 32), n);
   if (insert)
      def = nir_bitfield_insert(&s->nb, base, ins, off, count);
   else if (op == SpvOpBitFieldSExtract)
      def = nir_ibitfield_extract(&s->nb, base, off, count);
   else
      def = nir_ubitfield_extract(&s->nb, base, off, count);
   spv_set_def(s, t, w[2], def);
}

static void
bit_count(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   nir_value *src;

   check_result(s, t, CLASS_INT);
   src = operand(s, w[3], CLASS_INT, spv_components(t), 0);
   spv_set_def(s, t, w[2],
               nir_u2uN(&s->nb, nir_bit_count(&s->nb, src), t->bits));
}

static void
fwidth(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   nir_op x = nir_op_fddx, y = nir_op_fddy;
   nir_value *p;

   check_result(s, t, CLASS_FLOAT);
   p = operand(s, w[3], CLASS_FLOAT, spv_components(t), t->bits);
   if (spv_opcode(w) == SpvOpFwidthFine) {
      x = nir_op_fddx_fine;
      y = nir_op_fddy_fine;
   } else if (spv_opcode(w) == SpvOpFwidthCoarse) {
      x = nir_op_fddx_coarse;
      y = nir_op_fddy_coarse;
   }
   spv_set_def(s, t, w[2],
               nir_fadd(&s->nb,
                        nir_fabs(&s->nb, nir_build_alu1(&s->nb, x, p)),
                        nir_fabs(&s->nb, nir_build_alu1(&s->nb, y, p))));
}

bool
spv_handle_alu(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   struct spv_type *t;

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].spirv == op) {
         emit_row(s, &rows[i], w, spv_get_type(s, w[1]));
         return true;
      }
   }
   if (emit_conversion(s, w))
      return true;
   switch (op) {
   case SpvOpBitcast:
   case SpvOpQuantizeToF16:
   case SpvOpSelect:
   case SpvOpIAddCarry:
   case SpvOpISubBorrow:
   case SpvOpUMulExtended:
   case SpvOpSMulExtended:
   case SpvOpIsNan:
   case SpvOpIsInf:
   case SpvOpFOrdNotEqual:
   case SpvOpFUnordEqual:
   case SpvOpAny:
   case SpvOpAll:
   case SpvOpBitFieldInsert:
   case SpvOpBitFieldSExtract:
   case SpvOpBitFieldUExtract:
   case SpvOpBitCount:
   case SpvOpFwidth:
   case SpvOpFwidthFine:
   case SpvOpFwidthCoarse: break;
   default: return false;
   }
   t = spv_get_type(s, w[1]);
   switch (op) {
   case SpvOpBitcast: bitcast(s, w, t); break;
   case SpvOpQuantizeToF16: quantize(s, w, t); break;
   case SpvOpSelect: emit_select(s, w, t); break;
   case SpvOpIAddCarry:
   case SpvOpISubBorrow:
   case SpvOpUMulExtended:
   case SpvOpSMulExtended: emit_extended(s, w, t); break;
   case SpvOpAny:
   case SpvOpAll: any_all(s, w, t); break;
   case SpvOpBitFieldInsert:
   case SpvOpBitFieldSExtract:
   case SpvOpBitFieldUExtract: bit_fields(s, w, t); break;
   case SpvOpBitCount: bit_count(s, w, t); break;
   case SpvOpFwidth:
   case SpvOpFwidthFine:
   case SpvOpFwidthCoarse: fwidth(s, w, t); break;
   default: ordered(s, w, t); break;
   }
   return true;
}
