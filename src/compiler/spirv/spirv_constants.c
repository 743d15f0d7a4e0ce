/* SPDX-License-Identifier: MIT */
/* Constants and specialization constants; OpSpecConstantOp is folded. */
#include <math.h>

#include "compiler/spirv/spirv_private.h"
#include "util/half.h"

static struct spv_const *
new_const(struct spv *s, const struct spv_type *t)
{
   struct spv_const *c = arena_new(s->arena, struct spv_const);

   if (t->base == SPV_MATRIX || t->base == SPV_ARRAY || t->base == SPV_STRUCT)
      c->elems = arena_new_array(s->arena, struct spv_const *, t->length);
   return c;
}

/* Of a composite its parts say, whose constants are made, too. */
static bool
has_constants(const struct spv_type *t)
{
   switch (t->base) {
   case SPV_BOOL:
   case SPV_INT:
   case SPV_FLOAT:
   case SPV_VECTOR:
   case SPV_MATRIX:
   case SPV_STRUCT: return true;
   case SPV_ARRAY: return t->length;
   case SPV_POINTER: return spv_is_address(t);
   default: return false;
   }
}

static struct spv_type *
member_type(const struct spv_type *t, unsigned i)
{
   return t->base == SPV_STRUCT ? t->members[i] : t->elem;
}

struct spv_const *
spv_null_const(struct spv *s, struct spv_type *t)
{
   struct spv_const *c, *shared = NULL;

   spv_check(s, has_constants(t), "%s: the type has no constants",
             spirv_opcode_name(spv_opcode(s->cur)));
   spv_check_composite_size(s, t);
   c = new_const(s, t);
   c->is_null = true;
   for (unsigned i = 0; c->elems && i < t->length; i++) {
      if (t->base == SPV_STRUCT || !shared)
         shared = spv_null_const(s, member_type(t, i));
      c->elems[i] = shared;
   }
   return c;
}

static struct spv_value *
define_const(struct spv *s, const uint32_t *w, struct spv_type *t,
             struct spv_const *c)
{
   struct spv_value *v = spv_define(s, w[2], SPV_VALUE_CONSTANT, t);

   v->constant = c;
   return v;
}

bool
spv_is_const_int(struct spv *s, uint32_t id)
{
   const struct spv_value *v = spv_untyped_value(s, id);
   return v->kind == SPV_VALUE_CONSTANT && v->type->base == SPV_INT;
}

uint64_t
spv_const_uint(struct spv *s, uint32_t id)
{
   const struct spv_value *v = spv_untyped_value(s, id);

   spv_check(s, spv_is_const_int(s, id),
             "%s: id %u is no constant of integer type",
             spirv_opcode_name(spv_opcode(s->cur)), id);
   if (v->type->is_signed) {
      const int64_t n = util_sign_extend(v->constant->bits[0], v->type->bits);
      spv_check(s, n >= 0, "%s: the constant %u is negative",
                spirv_opcode_name(spv_opcode(s->cur)), id);
   }
   return v->constant->bits[0];
}

static uint64_t
truncate_bits(uint64_t v, unsigned bits)
{
   return bits >= 64 ? v : v & ((1ull << bits) - 1);
}

/* What the application gave for the SpecId of this constant. */
static bool
specialized(struct spv *s, uint32_t id, uint64_t *value)
{
   for (const struct spv_decoration *d = s->values[id].decorations; d;
        d = d->next) {
      if (d->what != SpvDecorationSpecId || d->member >= 0)
         continue;
      for (unsigned i = 0; i < s->n_spec; i++) {
         if (s->spec[i].id == d->operands[0]) {
            *value = s->spec[i].value;
            return true;
         }
      }
   }
   return false;
}

static void
constant_bool(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   const unsigned op = spv_opcode(w);
   struct spv_const *c = new_const(s, t);
   uint64_t value;

   spv_check(s, t->base == SPV_BOOL, "%s: the type is not bool (3.49.7)",
             spirv_opcode_name(op));
   c->bits[0] = op == SpvOpConstantTrue || op == SpvOpSpecConstantTrue;
   define_const(s, w, t, c);
   if (op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse) {
      s->values[w[2]].is_spec = true;
      if (specialized(s, w[2], &value))
         c->bits[0] = (uint32_t)value != 0;
   }
}

static void
constant_number(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_const *c = new_const(s, t);
   const unsigned words = t->bits > 32 ? 2 : 1;
   uint64_t value;

   spv_check(s, spv_type_is_number(t), "%s: the type is no number (3.49.7)",
             spirv_opcode_name(spv_opcode(w)));
   spv_check(s, spv_count(w) == 3 + words,
             "%s: %u words of value, the type has %u (2.2.1)",
             spirv_opcode_name(spv_opcode(w)), spv_count(w) - 3, words);
   value = w[3];
   if (words == 2)
      value |= (uint64_t)w[4] << 32;
   define_const(s, w, t, c);
   if (spv_opcode(w) == SpvOpSpecConstant) {
      s->values[w[2]].is_spec = true;
      specialized(s, w[2], &value);
   }
   c->bits[0] = truncate_bits(value, t->bits);
}

/* Signed for unsigned, too: the rule is the same type, but spirv-val never
 * asked for it, and programs (the CTS among them) rely on that. */
static bool
is_type_of_part(const struct spv_type *a, const struct spv_type *b)
{
   return spv_same_type(a, b) ||
          (a->base == SPV_INT && b->base == SPV_INT && a->bits == b->bits);
}

static struct spv_const *
constituent(struct spv *s, uint32_t id, const struct spv_type *t)
{
   struct spv_value *v = spv_untyped_value(s, id);

   spv_check(s, v->kind == SPV_VALUE_CONSTANT || v->kind == SPV_VALUE_UNDEF,
             "%s: constituent %u is no constant (3.49.7)",
             spirv_opcode_name(spv_opcode(s->cur)), id);
   spv_check(s, is_type_of_part(v->type, t),
             "%s: constituent %u has the wrong type (3.49.7)",
             spirv_opcode_name(spv_opcode(s->cur)), id);
   /* Any value will do for an undefined part. */
   return v->kind == SPV_VALUE_UNDEF ? spv_null_const(s, v->type)
                                     : v->constant;
}

static void
constant_composite(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_const *c;

   spv_check(s,
             (t->base == SPV_VECTOR || t->base == SPV_MATRIX ||
              t->base == SPV_ARRAY || t->base == SPV_STRUCT) &&
                t->length == spv_count(w) - 3,
             "%s: %u constituents do not make the type (3.49.7)",
             spirv_opcode_name(spv_opcode(w)), spv_count(w) - 3);
   spv_check_composite_size(s, t);
   c = new_const(s, t);
   for (unsigned i = 0; i < t->length; i++) {
      struct spv_const *e = constituent(s, w[3 + i], member_type(t, i));
      if (c->elems)
         c->elems[i] = e;
      else
         c->bits[i] = e->bits[0];
   }
   define_const(s, w, t, c)->is_spec = spv_opcode(w) ==
                                       SpvOpSpecConstantComposite;
}

/* Integer arithmetic of OpSpecConstantOp on one component: `a`, `b` are zero
 * extended, as constants are kept. */
static uint64_t
fold_scalar(struct spv *s, unsigned op, unsigned bits, uint64_t a, uint64_t b)
{
   const int64_t sa = util_sign_extend(a, bits),
                 sb = util_sign_extend(b, bits);
   const bool shift_ok = b < bits;

   switch (op) {
   case SpvOpSNegate: return -a;
   case SpvOpNot: return ~a;
   case SpvOpIAdd: return a + b;
   case SpvOpISub: return a - b;
   case SpvOpIMul: return a * b;
   /* Division by zero is undefined; so is the overflow of INT_MIN / -1. */
   case SpvOpUDiv: return b ? a / b : 0;
   case SpvOpUMod: return b ? a % b : 0;
   case SpvOpSDiv: return !sb ? 0 : sb == -1 ? -a : (uint64_t)(sa / sb);
   case SpvOpSRem: return !sb || sb == -1 ? 0 : (uint64_t)(sa % sb);
   case SpvOpSMod: {
      const int64_t r = !sb || sb == -1 ? 0 : sa % sb;
      return (uint64_t)(r && (r < 0) != (sb < 0) ? r + sb : r);
   }
   case SpvOpShiftRightLogical: return shift_ok ? a >> b : 0;
   case SpvOpShiftRightArithmetic: return shift_ok ? (uint64_t)(sa >> b) : 0;
   case SpvOpShiftLeftLogical: return shift_ok ? a << b : 0;
   case SpvOpBitwiseOr:
   case SpvOpLogicalOr: return a | b;
   case SpvOpBitwiseXor: return a ^ b;
   case SpvOpBitwiseAnd:
   case SpvOpLogicalAnd: return a & b;
   case SpvOpLogicalNot: return !a;
   case SpvOpLogicalEqual:
   case SpvOpIEqual: return a == b;
   case SpvOpLogicalNotEqual:
   case SpvOpINotEqual: return a != b;
   case SpvOpULessThan: return a < b;
   case SpvOpSLessThan: return sa < sb;
   case SpvOpUGreaterThan: return a > b;
   case SpvOpSGreaterThan: return sa > sb;
   case SpvOpULessThanEqual: return a <= b;
   case SpvOpSLessThanEqual: return sa <= sb;
   case SpvOpUGreaterThanEqual: return a >= b;
   case SpvOpSGreaterThanEqual: return sa >= sb;
   case SpvOpUConvert: return a;
   case SpvOpSConvert: return (uint64_t)sa;
   default: spv_unsupported(s, "OpSpecConstantOp %s", spirv_opcode_name(op));
   }
}

static struct spv_value *
const_operand(struct spv *s, const uint32_t *w, unsigned i)
{
   struct spv_value *v;

   spv_check(s, i < spv_count(w), "OpSpecConstantOp has too few operands");
   v = spv_untyped_value(s, w[i]);
   spv_check(s, v->kind == SPV_VALUE_CONSTANT || v->kind == SPV_VALUE_UNDEF,
             "OpSpecConstantOp: id %u is no constant (3.49.7)", w[i]);
   if (v->kind == SPV_VALUE_UNDEF) {
      /* Any value will do. */
      spv_check(s, has_constants(v->type),
                "OpSpecConstantOp: id %u has no value (3.49.7)", w[i]);
      v = arena_memdup(s->arena, v, sizeof(*v));
      v->constant = spv_null_const(s, v->type);
   }
   return v;
}

static double
float_of_bits(uint64_t value, unsigned bits)
{
   double d;

   switch (bits) {
   case 16: return util_half_to_float((uint16_t)value);
   case 32: return util_bits_float((uint32_t)value);
   default: memcpy(&d, &value, sizeof(d)); return d;
   }
}

/* To a half or a float as the shader says. */
static nir_op
narrowing(const struct spv *s, unsigned bits)
{
   const unsigned mode = s->shader->info.float_controls_execution_mode;

   if (bits == 16)
      return mode & FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP16 ? nir_op_f2f16_rtz
                                                          : nir_op_f2f16;
   return mode & FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP32 ? nir_op_f2f32_rtz
                                                       : nir_op_f2f32;
}

static uint64_t
bits_of_float(const struct spv *s, double d, unsigned bits)
{
   nir_const_value from = { .f64 = d }, *src = &from, to = { 0 };

   if (bits == 64)
      return from.u64;
   nir_eval_const_opcode(narrowing(s, bits), &to, 1, 64, &src, 0);
   return nir_const_value_as_uint(to, bits);
}

/* OpFConvert, and OpQuantizeToF16 with subnormal halves as zeros. */
static struct spv_const *
fold_float(struct spv *s, const uint32_t *w, const struct spv_type *t)
{
   const struct spv_value *a = const_operand(s, w, 4);
   const struct spv_type *from = spv_scalar(a->type), *to = spv_scalar(t);
   struct spv_const *c = new_const(s, t);
   const unsigned n = spv_components(t);

   spv_check(s,
             spv_count(w) == 5 && !c->elems && !a->constant->elems &&
                from->base == SPV_FLOAT && to->base == SPV_FLOAT &&
                spv_components(a->type) == n &&
                (w[3] == SpvOpFConvert ||
                 (from->bits == 32 && to->bits == 32)),
             "OpSpecConstantOp %s: an operand has the wrong type",
             spirv_opcode_name(w[3]));
   for (unsigned i = 0; i < n; i++) {
      double d = float_of_bits(a->constant->bits[i], from->bits);
      if (w[3] == SpvOpQuantizeToF16) {
         const double half = util_half_to_float(util_double_to_half(d));
         d = fabs(half) < 0x1p-14 ? copysign(0, d) : half;
      }
      c->bits[i] = bits_of_float(s, d, to->bits);
   }
   return c;
}

static struct spv_const *
fold_alu(struct spv *s, const uint32_t *w, const struct spv_type *t)
{
   const unsigned op = w[3];
   const bool unary = op == SpvOpSNegate || op == SpvOpNot ||
                      op == SpvOpLogicalNot || op == SpvOpUConvert ||
                      op == SpvOpSConvert;
   const struct spv_value *a = const_operand(s, w, 4);
   const struct spv_value *b = unary ? a : const_operand(s, w, 5);
   struct spv_const *c = new_const(s, t);
   const unsigned n = spv_components(t);

   spv_check(s, spv_count(w) == (unary ? 5u : 6u),
             "OpSpecConstantOp %s: %u operands", spirv_opcode_name(op),
             spv_count(w) - 4);
   spv_check(s,
             !c->elems && !a->constant->elems && !b->constant->elems &&
                spv_components(a->type) == n &&
                spv_components(b->type) == n &&
                spv_scalar(t)->base != SPV_FLOAT &&
                spv_scalar(a->type)->base != SPV_FLOAT &&
                spv_scalar(b->type)->base != SPV_FLOAT,
             "OpSpecConstantOp %s: an operand has the wrong type",
             spirv_opcode_name(op));
   for (unsigned i = 0; i < n; i++) {
      const uint64_t r = fold_scalar(
         s, op, a->type->bits, a->constant->bits[i], b->constant->bits[i]);
      c->bits[i] = truncate_bits(r, spv_scalar(t)->bits);
   }
   return c;
}

static struct spv_const *
fold_select(struct spv *s, const uint32_t *w, const struct spv_type *t)
{
   const struct spv_value *p = const_operand(s, w, 4);
   const struct spv_value *a = const_operand(s, w, 5);
   const struct spv_value *b = const_operand(s, w, 6);
   struct spv_const *c;

   spv_check(s,
             spv_scalar(p->type)->base == SPV_BOOL &&
                spv_same_type(a->type, t) && spv_same_type(b->type, t) &&
                (p->type->base == SPV_BOOL ||
                 spv_components(p->type) == spv_components(t)),
             "OpSpecConstantOp OpSelect: an operand has the wrong type");
   if (p->type->base == SPV_BOOL)
      return p->constant->bits[0] ? a->constant : b->constant;
   c = new_const(s, t);
   for (unsigned i = 0; i < t->length; i++)
      c->bits[i] = (p->constant->bits[i] ? a : b)->constant->bits[i];
   return c;
}

static struct spv_const *
fold_extract(struct spv *s, const uint32_t *w, const struct spv_type *t)
{
   const struct spv_value *v = const_operand(s, w, 4);
   const struct spv_type *vt = v->type;
   struct spv_const *c = v->constant;

   for (unsigned i = 5; i < spv_count(w); i++) {
      spv_check(s, (c->elems || vt->base == SPV_VECTOR) && w[i] < vt->length,
                "OpSpecConstantOp OpCompositeExtract: index %u", w[i]);
      if (c->elems) {
         c = c->elems[w[i]];
      } else {
         struct spv_const *e = new_const(s, vt->elem);
         e->bits[0] = c->bits[w[i]];
         c = e;
      }
      vt = member_type(vt, w[i]);
   }
   spv_check(s, spv_same_type(vt, t),
             "OpSpecConstantOp OpCompositeExtract: wrong result type");
   return c;
}

static struct spv_const *
insert_path(struct spv *s, const struct spv_const *c, struct spv_type *t,
            const uint32_t *path, unsigned depth, struct spv_value *part)
{
   struct spv_const *r;

   if (depth == 0) {
      spv_check(s, spv_same_type(part->type, t),
                "OpSpecConstantOp OpCompositeInsert: wrong object type");
      return part->constant;
   }
   spv_check(s, (c->elems || t->base == SPV_VECTOR) && path[0] < t->length,
             "OpSpecConstantOp OpCompositeInsert: index %u", path[0]);
   r = new_const(s, t);
   if (c->elems) {
      memcpy(r->elems, c->elems, sizeof(*c->elems) * t->length);
      r->elems[path[0]] = insert_path(s, c->elems[path[0]],
                                      member_type(t, path[0]), path + 1,
                                      depth - 1, part);
   } else {
      spv_check(s, depth == 1 && spv_same_type(part->type, t->elem),
                "OpSpecConstantOp OpCompositeInsert: wrong object type");
      memcpy(r->bits, c->bits, sizeof(r->bits));
      r->bits[path[0]] = part->constant->bits[0];
   }
   return r;
}

static struct spv_const *
fold_shuffle(struct spv *s, const uint32_t *w, const struct spv_type *t)
{
   const struct spv_value *a = const_operand(s, w, 4);
   const struct spv_value *b = const_operand(s, w, 5);
   struct spv_const *c = new_const(s, t);
   const unsigned na = a->type->length;

   spv_check(s,
             t->base == SPV_VECTOR && a->type->base == SPV_VECTOR &&
                b->type->base == SPV_VECTOR &&
                spv_count(w) == 6 + t->length &&
                spv_same_type(a->type->elem, t->elem) &&
                spv_same_type(b->type->elem, t->elem),
             "OpSpecConstantOp OpVectorShuffle: wrong types");
   for (unsigned i = 0; i < t->length; i++) {
      const uint32_t k = w[6 + i];
      spv_check(s, k == UINT32_MAX || k < na + b->type->length,
                "OpSpecConstantOp OpVectorShuffle: component %u", k);
      c->bits[i] = k == UINT32_MAX ? 0
                   : k < na        ? a->constant->bits[k]
                                   : b->constant->bits[k - na];
   }
   return c;
}

static void
constant_op(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_const *c;

   spv_check(s, spv_count(w) >= 5, "OpSpecConstantOp has too few operands");
   spv_check(s, has_constants(t), "OpSpecConstantOp: wrong result type");
   switch (w[3]) {
   case SpvOpSelect: c = fold_select(s, w, t); break;
   case SpvOpCompositeExtract: c = fold_extract(s, w, t); break;
   case SpvOpCompositeInsert: {
      struct spv_value *part = const_operand(s, w, 4);
      const struct spv_value *whole = const_operand(s, w, 5);
      spv_check(s, spv_same_type(whole->type, t),
                "OpSpecConstantOp OpCompositeInsert: wrong result type");
      c = insert_path(s, whole->constant, t, w + 6, spv_count(w) - 6, part);
      break;
   }
   case SpvOpVectorShuffle: c = fold_shuffle(s, w, t); break;
   case SpvOpFConvert:
   case SpvOpQuantizeToF16: c = fold_float(s, w, t); break;
   default: c = fold_alu(s, w, t); break;
   }
   define_const(s, w, t, c)->is_spec = true;
}

/* A pointer that is no address has no null that could be told from others,
 * and must not be followed: it is as one that is not defined. */
static void
constant_null(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   if (t->base == SPV_POINTER && !spv_is_address(t))
      spv_define_undef(s, w);
   else
      define_const(s, w, t, spv_null_const(s, t));
}

/* True if the instruction was a constant. */
bool
spv_handle_constant(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   struct spv_type *t;

   if (op < SpvOpConstantTrue || op > SpvOpSpecConstantOp)
      return false;
   t = spv_get_type(s, w[1]);
   switch (op) {
   case SpvOpConstantTrue:
   case SpvOpConstantFalse:
   case SpvOpSpecConstantTrue:
   case SpvOpSpecConstantFalse: constant_bool(s, w, t); break;
   case SpvOpConstant:
   case SpvOpSpecConstant: constant_number(s, w, t); break;
   case SpvOpConstantComposite:
   case SpvOpSpecConstantComposite: constant_composite(s, w, t); break;
   case SpvOpConstantNull: constant_null(s, w, t); break;
   case SpvOpSpecConstantOp: constant_op(s, w, t); break;
   default: spv_unsupported(s, "%s", spirv_opcode_name(op));
   }
   return true;
}
