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
   const unsigned bits = nir_alu_type_get_type_size(type);
   return bits ? bits : free_bits;
}

static bool
is_float(nir_alu_type type)
{
   return nir_alu_type_get_base_type(type) == nir_type_float;
}

static bool
has_free_size(const nir_op_info *info)
{
   bool free = !nir_alu_type_get_type_size(info->output_type);
   for (unsigned i = 0; i < info->num_inputs; i++)
      free |= !nir_alu_type_get_type_size(info->input_types[i]);
   return free;
}

/* Whether the opcode is one of integers, and has this size. */
static bool
takes(const nir_op_info *info, unsigned bits)
{
   bool ints = !is_float(info->output_type), bools = false, others = false;
   for (unsigned i = 0; i < info->num_inputs; i++)
      ints &= !is_float(info->input_types[i]);
   for (unsigned i = 0; i <= info->num_inputs; i++) {
      const nir_alu_type type = i ? info->input_types[i - 1]
                                  : info->output_type;
      const bool free = !nir_alu_type_get_type_size(type);
      const bool is_bool = nir_alu_type_get_base_type(type) == nir_type_bool;
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
   nir_alu_instr *alu = nir_alu_instr_create(b.shader, op);
   const unsigned n = MAX2(info->output_size, 1);

   for (unsigned i = 0; i < info->num_inputs; i++) {
      nir_ssa_undef_instr *operand =
         nir_ssa_undef_instr_create(b.shader, MAX2(info->input_sizes[i], 1),
                                    size_of(info->input_types[i], bits));
      nir_builder_instr_insert(&b, &operand->instr);
      alu->src[i].src = nir_src_for_ssa(&operand->def);
      for (unsigned c = 0; c < operand->def.num_components; c++)
         alu->src[i].swizzle[c] = (uint8_t)c;
   }
   nir_ssa_dest_init(&alu->instr, &alu->dest.dest, n,
                     size_of(info->output_type, bits), NULL);
   nir_builder_instr_insert(&b, &alu->instr);

   nir_ssa_def *zero = nir_imm_int(&b, 0);
   nir_intrinsic_instr *store =
      nir_intrinsic_instr_create(b.shader, nir_intrinsic_store_ssbo);
   store->num_components = (uint8_t)n;
   store->src[0] = nir_src_for_ssa(&alu->dest.dest.ssa);
   store->src[1] = nir_src_for_ssa(zero);
   store->src[2] = nir_src_for_ssa(zero);
   nir_intrinsic_set_write_mask(store, (int)BITFIELD_MASK(n));
   nir_intrinsic_set_align(store, 1, 0);
   nir_builder_instr_insert(&b, &store->instr);
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
      nir_index_ssa_defs(nir_shader_get_entrypoint(s));
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
