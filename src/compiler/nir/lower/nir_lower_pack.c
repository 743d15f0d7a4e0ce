/* SPDX-License-Identifier: MIT */
/*
 * Packing and unpacking of vectors becomes that of scalars: the _split forms.
 *
 * Before: SSA. After: none of the opcodes below is left.
 */
#include "nir.h"
#include "nir_builder.h"

static bool
is_vector_pack(const nir_instr *instr, const void *data)
{
   if (instr->kind != nir_kind_alu)
      return false;
   switch (nir_instr_as_alu(instr)->op) {
   case nir_op_pack_64_2x32:
   case nir_op_unpack_64_2x32:
   case nir_op_pack_64_4x16:
   case nir_op_unpack_64_4x16:
   case nir_op_pack_32_2x16:
   case nir_op_unpack_32_2x16:
   case nir_op_pack_32_4x8:
   case nir_op_unpack_32_4x8: return true;
   default: return false;
   }
}

static nir_value *
lower_pack_64_4x16(nir_builder *b, nir_value *src)
{
   nir_value *part[4], *half[2];
   for (unsigned i = 0; i < 4; i++)
      part[i] = nir_channel(b, src, i);
   for (unsigned i = 0; i < 2; i++)
      half[i] = nir_pack_32_2x16_split(b, part[2 * i], part[2 * i + 1]);
   return nir_pack_64_2x32_split(b, half[0], half[1]);
}

static nir_value *
lower_unpack_64_4x16(nir_builder *b, nir_value *src)
{
   nir_value *lo = nir_unpack_64_2x32_split_x(b, src);
   nir_value *hi = nir_unpack_64_2x32_split_y(b, src);
   return nir_vec4(b, nir_unpack_32_2x16_split_x(b, lo),
                   nir_unpack_32_2x16_split_y(b, lo),
                   nir_unpack_32_2x16_split_x(b, hi),
                   nir_unpack_32_2x16_split_y(b, hi));
}

static nir_value *
lower_unpack_32_4x8(nir_builder *b, nir_value *src)
{
   nir_value *byte[4];
   for (unsigned i = 0; i < 4; i++)
      byte[i] = nir_u2u8(b, nir_ushr_imm(b, src, 8 * i));
   return nir_vec(b, byte, 4);
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   nir_value *src = nir_operand_value(b, alu, 0);
   switch (alu->op) {
   case nir_op_unpack_64_2x32:
      return nir_vec2(b, nir_unpack_64_2x32_split_x(b, src),
                      nir_unpack_64_2x32_split_y(b, src));
   case nir_op_pack_64_2x32:
      return nir_pack_64_2x32_split(b, nir_channel(b, src, 0),
                                    nir_channel(b, src, 1));
   case nir_op_pack_64_4x16: return lower_pack_64_4x16(b, src);
   case nir_op_unpack_64_4x16: return lower_unpack_64_4x16(b, src);
   case nir_op_pack_32_2x16:
      return nir_pack_32_2x16_split(b, nir_channel(b, src, 0),
                                    nir_channel(b, src, 1));
   case nir_op_unpack_32_2x16:
      return nir_vec2(b, nir_unpack_32_2x16_split_x(b, src),
                      nir_unpack_32_2x16_split_y(b, src));
   case nir_op_pack_32_4x8:
      return nir_pack_32_4x8_split(b, nir_channel(b, src, 0),
                                   nir_channel(b, src, 1),
                                   nir_channel(b, src, 2),
                                   nir_channel(b, src, 3));
   case nir_op_unpack_32_4x8: return lower_unpack_32_4x8(b, src);
   default: unreachable("no vector pack");
   }
}

bool
nir_lower_pack(nir_shader *shader)
{
   return nir_replace_instrs(shader, is_vector_pack, lower_instr, NULL);
}
