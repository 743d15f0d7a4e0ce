/* SPDX-License-Identifier: MIT */
/*
 * 1-bit booleans become 32-bit integers, 0 or NIR_TRUE, as hardware without
 * a boolean file has them. Opcodes with a bool1 in their row become the
 * 32-bit row; all else changes only its size.
 * Before: SSA or registers with 1-bit values. After: none.
 */
#include "nir_builder.h"

#include "nir_private.h"

/* The row with 32-bit booleans of a comparison, reduction or selection. */
static nir_op
op_with_bool32(nir_op op)
{
/* clang-format off */
#define ROW(o) case nir_op_##o: return nir_op_##o##32;
#define VEC_ROWS(word)                                                       \
   case nir_op_b##word##2: return nir_op_b32##word##2;                       \
   case nir_op_b##word##3: return nir_op_b32##word##3;                       \
   case nir_op_b##word##4: return nir_op_b32##word##4;                       \
   case nir_op_b##word##5: return nir_op_b32##word##5;                       \
   case nir_op_b##word##8: return nir_op_b32##word##8;                       \
   case nir_op_b##word##16: return nir_op_b32##word##16;
   switch (op) {
   ROW(flt) ROW(fge) ROW(feq) ROW(fneu)
   ROW(ilt) ROW(ige) ROW(ieq) ROW(ine) ROW(ult) ROW(uge)
   VEC_ROWS(all_fequal) VEC_ROWS(any_fnequal)
   VEC_ROWS(all_iequal) VEC_ROWS(any_inequal)
   case nir_op_bcsel: return nir_op_b32csel;
   /* clang-format on */
   case nir_op_f2b1: return nir_op_f2b32;
   case nir_op_i2b1: return nir_op_i2b32;
   case nir_op_b2b1: return nir_op_b2b32;
   default: return op;
   }
#undef ROW
#undef VEC_ROWS
}

static bool
has_bool_src(nir_alu_instr *alu)
{
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      if (alu->src[i].use.value->bit_size == 1)
         return true;
   }
   return false;
}

static bool
widen_def(nir_value *def)
{
   if (def->bit_size != 1)
      return false;
   def->bit_size = 32;
   return true;
}

static bool
widen_dest(nir_value *dest, void *progress_)
{
   bool *progress = progress_;
   *progress |= widen_def(dest);
   return true;
}

static bool
lower_alu(nir_alu_instr *alu, bool bool_srcs)
{
   const nir_op op = alu->op;
   bool progress = false;
   /* Integer comparison of booleans: already right at 32 bits. */
   alu->op = op_with_bool32(op);
   progress |= alu->op != op;
   /* b2b32 of a 1-bit value, now a 32-bit one, and b2b1 are copies. */
   if (op == nir_op_b2b32 || op == nir_op_b2b1)
      alu->op = bool_srcs || op == nir_op_b2b1 ? nir_op_mov : op;
   /* A 1-bit integer: one bit of value, sign-extended. */
   if (op == nir_op_i2i1 || op == nir_op_u2u1 || op == nir_op_b2i1)
      alu->op = nir_op_i2b32;
   widen_dest(&alu->instr.result, &progress);
   return progress || bool_srcs;
}

static bool
lower_instr(nir_instr *instr)
{
   bool progress = false;
   switch (instr->kind) {
   case nir_kind_alu: unreachable("handled by the caller");
   case nir_kind_load_const: {
      nir_load_const_instr *lc = nir_instr_as_load_const(instr);
      if (lc->instr.result.bit_size != 1)
         return false;
      for (unsigned c = 0; c < lc->instr.result.num_components; c++)
         lc->value[c] = nir_const_value_for_bool(lc->value[c].b, 32);
      return widen_def(&lc->instr.result);
   }
   case nir_kind_undef: return widen_def(&instr->result);
   case nir_kind_tex: {
      nir_tex_instr *tex = nir_instr_as_tex(instr);
      if (tex->dest_type == nir_type_bool1)
         tex->dest_type = nir_type_bool32;
      nir_visit_value(instr, widen_dest, &progress);
      return progress;
   }
   default: nir_visit_value(instr, widen_dest, &progress); return progress;
   }
}

static bool
lower_impl(nir_function_impl *impl)
{
   /* Sources change with the values: look at all before any is widened. */
   nir_foreach_instr_of(instr, impl) {
      nir_alu_instr *alu = nir_maybe_alu(instr);
      if (alu)
         instr->pass_flags = has_bool_src(alu);
   }
   bool progress = false;
   nir_foreach_instr_of(instr, impl) {
      nir_alu_instr *alu = nir_maybe_alu(instr);
      progress |= alu ? lower_alu(alu, instr->pass_flags)
                      : lower_instr(instr);
   }
   nir_changed(impl, progress, nir_metadata_control_flow);
   return progress;
}

bool
nir_lower_bool_to_int32(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_impl(impl, shader)
      progress |= lower_impl(impl);
   return progress;
}
