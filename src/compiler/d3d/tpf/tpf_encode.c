/* SPDX-License-Identifier: MIT */
/*
 * Instructions to bytes.
 *
 *   opcode token    0-10 opcode, 11-23 controls, 24-30 length in dwords,
 *                   31 an extended token follows
 *   operand token   0-1 components (none, one, four), 2-3 mask, swizzle or
 *                   one, 4-11 which, 12-19 file, 20-21 indices, 22-30 three
 *                   bits of form each, 31 an extended token follows
 *   extended        0-5 one, 6 negated, 7 absolute, 14-16 precision,
 *                   17 not uniform
 *
 * An operand's indices follow it: of each the number, then the register.
 */
#include "tpf.h"

static void
put(struct util_dynarray *out, uint32_t v)
{
   util_dynarray_append(out, uint32_t, v);
}

static void
encode_operand(const struct tpf_operand *o, struct util_dynarray *out)
{
   const unsigned total = o->num_indices + o->num_range;
   uint32_t token = (uint32_t)o->components | (uint32_t)o->file << 12 |
                    total << 20;

   if (o->components == TPF_COMPONENTS_4) {
      token |= (uint32_t)o->select << 2;
      token |= o->select == TPF_SELECT_MASK ? (uint32_t)o->mask << 4
               : o->select == TPF_SELECT_1 && !o->select_all
                  ? (o->swizzle & 3u) << 4
                  : (uint32_t)o->swizzle << 4;
   }
   for (unsigned i = 0; i < total; i++)
      token |= (uint32_t)tpf_token_index(o, i)->kind << (22 + 3 * i);
   put(out, token | (o->extended ? 0x80000000u : 0));
   if (o->extended)
      put(out, 1u | (uint32_t)o->neg << 6 | (uint32_t)o->abs << 7 |
                  (uint32_t)o->precision << 14 |
                  (uint32_t)o->non_uniform << 17);
   if (o->file == TPF_FILE_IMM32 || o->file == TPF_FILE_IMM64) {
      const unsigned n = o->components == TPF_COMPONENTS_4 ? 4
                         : o->file == TPF_FILE_IMM64       ? 2
                                                           : 1;
      for (unsigned i = 0; i < n; i++)
         put(out, o->imm[i]);
      return;
   }
   for (unsigned i = 0; i < total; i++) {
      const struct tpf_index *index = tpf_token_index(o, i);
      if (index->kind != TPF_INDEX_REL)
         put(out, index->imm);
      if (index->rel)
         encode_operand(index->rel, out);
   }
}

static void
encode_words(const struct tpf_inst *inst, struct util_dynarray *out)
{
   for (size_t i = 0; i < inst->num_words; i++)
      put(out, inst->words[i]);
}

static void
encode_inst(const struct tpf_inst *inst, struct util_dynarray *out)
{
   const size_t at = out->size_B;
   unsigned operand = 0, imm = 0;

   if (inst->op == TPF_OP_CUSTOMDATA) {
      put(out, (uint32_t)inst->op | inst->data_class << 11);
      put(out, (uint32_t)inst->num_words + 2);
      encode_words(inst, out);
      return;
   }
   put(out, 0);
   for (unsigned i = 0; i < inst->num_extended; i++)
      put(out,
          inst->extended[i] | (i + 1 < inst->num_extended ? 0x80000000u : 0));
   for (const char *c = tpf_op_info(inst->op)->operands; *c; c++) {
      if (tpf_is_operand_letter(*c))
         encode_operand(&inst->operand[operand++], out);
      else if (*c != '*')
         put(out, inst->imm[imm++]);
   }
   if (operand && inst->operand[0].num_range == 2) {
      if (inst->operand[0].file == TPF_FILE_CB)
         put(out, inst->operand[0].index[1].imm);
      put(out, inst->space);
   }
   encode_words(inst, out);
   const uint32_t length = (uint32_t)(out->size_B - at) / 4;
   assert(length < 128 && "an instruction has at most 127 dwords");
   const uint32_t token = (uint32_t)inst->op | inst->controls | length << 24 |
                          (inst->num_extended ? 0x80000000u : 0);
   memcpy((char *)out->data + at, &token, 4);
}

void
tpf_encode(const struct tpf_shader *shader, struct util_dynarray *out)
{
   const size_t at = out->size_B;
   uint32_t length;

   put(out, (uint32_t)shader->stage << 16 | (shader->version / 10) << 4 |
               shader->version % 10);
   put(out, 0);
   for (size_t i = 0; i < shader->num_insts; i++)
      encode_inst(&shader->inst[i], out);
   length = (uint32_t)(out->size_B - at) / 4;
   memcpy((char *)out->data + at + 4, &length, 4);
}
