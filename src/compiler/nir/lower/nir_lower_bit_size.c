/* SPDX-License-Identifier: MIT */
/*
 * Integer and float ALU instructions of a size that the hardware does not
 * have are done in a larger one, and the result is cut to size.
 *
 * Before: SSA. The callback names the larger size, or 0. Only opcodes whose
 * low result bits depend on the low source bits, or whose sources are
 * extended by their type, are right this way: all per-component arithmetic,
 * compares, shifts (counts are 32-bit and taken modulo the old size first).
 * Others stay whatever the callback says; tests/prove_lowerings.py proves
 * those that do not.
 */
#include "nir.h"
#include "nir_builder.h"

static nir_value *
convert(nir_builder *b, nir_value *src, nir_alu_type base, unsigned bits)
{
   switch (base) {
   case nir_type_int: return nir_i2iN(b, src, bits);
   case nir_type_uint: return nir_u2uN(b, src, bits);
   case nir_type_float: return nir_f2fN(b, src, bits);
   default: return src;
   }
}

static bool
is_shift(nir_op op)
{
   return op == nir_op_ishl || op == nir_op_ishr || op == nir_op_ushr;
}

/* Opcodes to which the top bit, or how many there are, means something. */
static bool
needs_its_size(nir_op op)
{
   switch (op) {
   case nir_op_extract_i8:
   case nir_op_extract_u8:
   case nir_op_extract_i16:
   case nir_op_extract_u16:
   case nir_op_insert_u8:
   case nir_op_insert_u16:
   case nir_op_iadd_sat:
   case nir_op_isub_sat:
   case nir_op_uadd_sat:
   case nir_op_uadd_carry:
   case nir_op_urol:
   case nir_op_uror: return true;
   default: return false;
   }
}

/* A product's high half is the low half of a wide enough product. */
static nir_value *
mul_high(nir_builder *b, nir_alu_instr *alu, nir_value **src,
         unsigned old_bits)
{
   nir_value *product = nir_imul(b, src[0], src[1]);
   return alu->op == nir_op_umul_high ? nir_ushr_imm(b, product, old_bits)
                                      : nir_ishr_imm(b, product, old_bits);
}

static nir_value *
build_wide(nir_builder *b, nir_alu_instr *alu, unsigned bits)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned old_bits = nir_type_bits(info->input[0].type)
                                ? alu->instr.result.bit_size
                                : alu->src[0].use.value->bit_size;
   nir_value *src[NIR_ALU_MAX_INPUTS];
   for (unsigned i = 0; i < info->num_inputs; i++) {
      src[i] = nir_operand_value(b, alu, i);
      const nir_alu_type type = info->input[i].type;
      if (!nir_type_bits(type))
         src[i] = convert(b, src[i], nir_type_base(type), bits);
   }
   if (is_shift(alu->op))
      src[1] = nir_iand_imm(b, src[1], old_bits - 1);
   if (alu->op == nir_op_imul_high || alu->op == nir_op_umul_high)
      return mul_high(b, alu, src, old_bits);
   nir_value *wide = nir_build_alu_src_arr(b, alu->op, src);
   /* What counts from the top bit counts too many. */
   if (alu->op == nir_op_bitfield_reverse)
      wide = nir_ushr_imm(b, wide, bits - old_bits);
   return wide;
}

/* What was cut to the wider size is cut again. */
static nir_value *
narrow(nir_builder *b, nir_op op, nir_value *wide, nir_alu_type base,
       unsigned bits)
{
   if ((op == nir_op_fadd_rtz || op == nir_op_fmul_rtz) && bits == 16)
      return nir_f2f16_rtz(b, wide);
   return convert(b, wide, base, bits);
}

struct bit_size_data {
   nir_lower_bit_size_callback callback;
   void *data;
};

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   const struct bit_size_data *d = data;
   if (instr->kind != nir_kind_alu)
      return false;
   const unsigned bits = d->callback(instr, d->data);
   if (!bits)
      return false;

   nir_alu_instr *alu = nir_instr_as_alu(instr);
   if (needs_its_size(alu->op))
      return false;
   b->cursor = nir_before_instr(instr);
   b->exact = alu->exact;
   nir_value *result = build_wide(b, alu, bits);
   const nir_alu_type out = nir_op_infos[alu->op].output.type;
   if (!nir_type_bits(out)) {
      result = narrow(b, alu->op, result, nir_type_base(out),
                      alu->instr.result.bit_size);
   }
   nir_instr_replace(&alu->instr, result);
   return true;
}

bool
nir_lower_bit_size(nir_shader *shader, nir_lower_bit_size_callback callback,
                   void *data)
{
   struct bit_size_data d = { callback, data };
   return nir_visit_instrs(shader, lower_instr,
                           nir_metadata_block_index | nir_metadata_dominance,
                           &d);
}
