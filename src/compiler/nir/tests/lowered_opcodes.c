/* SPDX-License-Identifier: MIT */
/*
 * Prints what the lowerings written in C make of each opcode without floats,
 * at each bit size, for prove_lowerings.py: for each
 *
 *    case PASS OPCODE BITS
 *    the shader, whose undefined values are the operands in their order and
 *    whose one store is of the result
 *
 * Lowerings by options are done with all options and with each alone.
 */
#include <stdio.h>

#include "nir_builder.h"
#include "text_passes.h"

static nir_shader_compiler_options options;

static unsigned
size_of(nir_alu_type type, unsigned free_bits)
{
   const unsigned bits = nir_type_bits(type);
   return bits ? bits : free_bits;
}

static bool
is_float(nir_alu_type type)
{
   return nir_type_base(type) == nir_type_float;
}

static bool
has_free_size(const nir_op_info *info)
{
   bool free = !nir_type_bits(info->output.type);
   for (unsigned i = 0; i < info->num_inputs; i++)
      free |= !nir_type_bits(info->input[i].type);
   return free;
}

/* Whether the opcode is one of integers, and has this size. */
static bool
takes(const nir_op_info *info, unsigned bits)
{
   bool ints = !is_float(info->output.type), bools = false, others = false;
   for (unsigned i = 0; i < info->num_inputs; i++)
      ints &= !is_float(info->input[i].type);
   for (unsigned i = 0; i <= info->num_inputs; i++) {
      const nir_alu_type type = i ? info->input[i - 1].type
                                  : info->output.type;
      const bool free = !nir_type_bits(type);
      const bool is_bool = nir_type_base(type) == nir_type_bool;
      bools |= free && is_bool;
      others |= free && !is_bool;
   }
   if (!has_free_size(info))
      return ints && bits == 32;
   return ints && (others || !bools || bits == 1);
}

static nir_shader *
one_instruction(nir_op op, unsigned bits)
{
   const nir_op_info *info = &nir_op_infos[op];
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_COMPUTE, &options, "op");
   nir_alu_instr *alu = nir_new_alu(b.shader, op);
   const unsigned n = MAX2(info->output.size, 1);

   for (unsigned i = 0; i < info->num_inputs; i++) {
      nir_instr *operand = nir_new_undef(b.shader,
                                         MAX2(info->input[i].size, 1),
                                         size_of(info->input[i].type, bits));
      nir_emit(&b, operand);
      alu->src[i].use = nir_use_of(&operand->result);
      for (unsigned c = 0; c < operand->result.num_components; c++)
         alu->src[i].swizzle[c] = (uint8_t)c;
   }
   nir_set_result(&alu->instr, n, size_of(info->output.type, bits));
   nir_emit(&b, &alu->instr);

   nir_value *zero = nir_imm_int(&b, 0);
   nir_intrinsic_instr *store =
      nir_new_intrinsic(b.shader, nir_intrinsic_store_ssbo);
   store->num_components = (uint8_t)n;
   store->src[0] = nir_use_of(&alu->instr.result);
   store->src[1] = nir_use_of(zero);
   store->src[2] = nir_use_of(zero);
   nir_intrinsic_set_write_mask(store, (int)BITFIELD_MASK(n));
   nir_intrinsic_set_align(store, 1, 0);
   nir_emit(&b, &store->instr);
   return b.shader;
}

static void
try_pass(const char *name, nir_op op, unsigned bits)
{
   const struct text_pass *pass = text_passes;
   nir_shader *s = one_instruction(op, bits);

   while (pass->name && strcmp(pass->name, name))
      pass++;
   assert(pass->name);
   if (pass->run(s)) {
      nir_validate_shader(s, "after the lowering");
      nir_number_values(nir_entry_point(s));
      printf("case %s %s %u\n", name, nir_op_infos[op].name, bits);
      nir_print_shader(s, stdout);
   }
   nir_shader_destroy(s);
}

static void
try_all(nir_op op, unsigned bits)
{
   static const char *const passes[] = { "nir_lower_bit_size",
                                         "nir_lower_pack",
                                         "nir_lower_rare_alu" };
   for (unsigned i = 0; i < ARRAY_SIZE(passes); i++)
      try_pass(passes[i], op, bits);
   for (unsigned i = 0; i < 31; i++) {
      options.lower_int64_options = (nir_lower_int64_options)(1u << i);
      try_pass("nir_lower_int64", op, bits);
   }
   options.lower_int64_options = (nir_lower_int64_options)0x7fffffff;
   try_pass("nir_lower_int64", op, bits);
   options.lower_int64_options = (nir_lower_int64_options)0;
}

int
main(void)
{
   static const unsigned sizes[] = { 1, 8, 16, 32, 64 };

   for (unsigned op = 0; op < nir_num_opcodes; op++) {
      for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
         if (takes(&nir_op_infos[op], sizes[i]))
            try_all((nir_op)op, sizes[i]);
      }
   }
   return 0;
}
