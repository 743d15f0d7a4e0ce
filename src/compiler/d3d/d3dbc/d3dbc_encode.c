/* SPDX-License-Identifier: MIT */
/*
 * Instructions to bytes.
 *
 *   version      31..16 stage   15..8 major   7..0 minor
 *   instruction  30 co-issue    28 predicated 27..24 length (major >= 2)
 *                23..16 control 15..0 opcode
 *   register     31 set         30..28, 12..11 type: low, high bits
 *                13 relative    10..0 number
 *     as a destination          27..24 shift  23..20 modifiers  19..16 mask
 *     as a source               27..24 modifier 23..16 swizzle
 *   comment      30..16 length  15..0 0xfffe
 *
 * A relative register is followed by its address register, from version 2
 * on; the predicate follows the destination.
 */
#include "d3dbc_text.h"

static void
put(struct util_dynarray *out, uint32_t v)
{
   util_dynarray_append(out, uint32_t, v);
}

static uint32_t
reg_bits(struct d3dbc_reg reg)
{
   unsigned code = d3dbc_file_info(reg.file)->code;

   if (reg.file == D3DBC_FILE_C)
      code = d3dbc_const_bank_code(reg.index / 2048);
   return 0x80000000u | (code & 7) << 28 | (code & 0x18) << 8 |
          (reg.index & 0x7ff);
}

static void
put_operand(struct util_dynarray *out, const struct d3dbc_operand *o,
            uint32_t bits, bool addr_token)
{
   put(out, reg_bits(o->reg) | (uint32_t)o->relative << 13 | bits);
   if (o->relative && addr_token)
      put(out, reg_bits(o->addr) | (uint32_t)o->addr_swizzle << 16);
}

static uint32_t
src_bits(const struct d3dbc_operand *o)
{
   return (uint32_t)o->swizzle << 16 | (uint32_t)o->mod << 24;
}

static uint32_t
dst_bits(const struct d3dbc_operand *o)
{
   return (uint32_t)o->mask << 16 | (uint32_t)o->dst_mods << 20 |
          (uint32_t)o->shift << 24;
}

static void
put_operands(struct util_dynarray *out, const struct d3dbc_inst *inst,
             bool addr_token)
{
   const struct d3dbc_op_info *info = d3dbc_op_info(inst->op);
   unsigned n = 0;

   for (const char *kind = info->operands; *kind; kind++) {
      const struct d3dbc_operand *o = &inst->operand[n];
      if (info->may_be_short && n == inst->num_operands)
         break;
      switch (*kind) {
      case 'd':
      case 'k':
         put_operand(out, o, dst_bits(o), addr_token);
         n++;
         if (inst->predicated && kind == info->operands)
            put_operand(out, &inst->pred, src_bits(&inst->pred), addr_token);
         break;
      case 's':
      case 'l':
         put_operand(out, o, src_bits(o), addr_token);
         n++;
         break;
      case 'u':
         put(out, 0x80000000u | inst->dcl.usage |
                     (uint32_t)inst->dcl.usage_index << 16 |
                     (uint32_t)inst->dcl.sampler_type << 27);
         break;
      case 'b': put(out, inst->imm[0]); break;
      case 'i':
         for (unsigned i = 0; i < 4; i++)
            put(out, inst->imm[i]);
         break;
      }
   }
}

static void
put_inst(struct util_dynarray *out, const struct d3dbc_inst *inst,
         const struct d3dbc_profile_info *pi)
{
   const size_t start_B = out->size_B;
   uint32_t token;

   if (inst->op == D3DBC_OP_COUNT) {
      put(out, D3DBC_COMMENT | inst->comment.num_words << 16);
      for (unsigned i = 0; i < inst->comment.num_words; i++)
         put(out, inst->comment.words[i]);
      return;
   }
   put(out, 0);
   put_operands(out, inst, pi->major >= 2);
   token = d3dbc_op_info(inst->op)->code | (uint32_t)inst->control << 16 |
           (uint32_t)inst->predicated << 28 | (uint32_t)inst->coissue << 30;
   if (pi->major >= 2)
      token |= (uint32_t)(out->size_B - start_B - 4) / 4 << 24;
   memcpy((char *)out->data + start_B, &token, 4);
}

void
d3dbc_encode(const struct d3dbc_shader *shader, struct util_dynarray *out)
{
   const struct d3dbc_profile_info *pi = d3dbc_profile_info(shader->profile);

   put(out, (pi->is_ps ? 0xffff0000u : 0xfffe0000u) |
               (uint32_t)pi->major << 8 | pi->minor);
   for (size_t i = 0; i < shader->num_insts; i++)
      put_inst(out, &shader->inst[i], pi);
   put(out, D3DBC_END);
}
