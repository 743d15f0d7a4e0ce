/* SPDX-License-Identifier: MIT */
/*
 * Prints what the constant folder makes of special and random values, for
 * each opcode without floats whose name and bit size stand in the input:
 * test_prove_rules.py compares it with the formulas that proofs are made of.
 * A line: name, bit size, the components of each source, ':', those of the
 * result.
 */
#include <inttypes.h>
#include <stdio.h>

#include "nir.h"

#define TRIALS 12

static uint64_t state = 0x9e3779b97f4a7c15ull;

static uint64_t
value(unsigned bits)
{
   static const uint64_t special[] = {
      0,          1,     2,      7,          8,
      16,         31,    32,     33,         0x7f,
      0x80,       0xff,  0x7fff, 0x8000,     0x7fffffff,
      0x80000000, ~0ull, ~1ull,  1ull << 63, (1ull << 63) - 1,
   };
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   const uint64_t v = state % 3 ? special[state / 3 % ARRAY_SIZE(special)]
                                : state;
   return v & BITFIELD64_MASK(bits);
}

static bool
is_integer(const nir_op_info *info)
{
   bool all = nir_type_base(info->output.type) != nir_type_float;
   for (unsigned i = 0; i < info->num_inputs; i++)
      all &= nir_type_base(info->input[i].type) != nir_type_float;
   return all;
}

/* A boolean is all ones or all zeros. */
static nir_const_value
source(nir_alu_type type, unsigned bits)
{
   if (nir_type_base(type) == nir_type_bool)
      return nir_const_value_for_bool(value(1), bits);
   return nir_const_value_for_raw_uint(value(bits), bits);
}

static unsigned
size_of(nir_alu_type type, unsigned free_bits)
{
   const unsigned bits = nir_type_bits(type);
   return bits ? bits : free_bits;
}

static void
print_trial(nir_op op, const nir_op_info *info, unsigned bits)
{
   nir_const_value values[NIR_MAX_VEC_COMPONENTS][NIR_MAX_VEC_COMPONENTS];
   nir_const_value *sources[NIR_MAX_VEC_COMPONENTS];
   nir_const_value result[NIR_MAX_VEC_COMPONENTS];

   printf("%s %u", info->name, bits);
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const unsigned size = size_of(info->input[i].type, bits);
      sources[i] = values[i];
      for (unsigned c = 0; c < MAX2(info->input[i].size, 1); c++) {
         values[i][c] = source(info->input[i].type, size);
         printf(" %" PRIu64, nir_const_value_as_uint(values[i][c], size));
      }
   }
   const unsigned n = MAX2(info->output.size, 1);
   nir_eval_const_opcode(op, result, n, bits, sources, 0);
   printf(" :");
   for (unsigned c = 0; c < n; c++) {
      const unsigned size = size_of(info->output.type, bits);
      printf(" %" PRIu64, nir_const_value_as_uint(result[c], size));
   }
   printf("\n");
}

UNUSED static bool
has_free_type(const nir_op_info *info)
{
   bool free = !nir_type_bits(info->output.type);
   for (unsigned i = 0; i < info->num_inputs; i++)
      free |= !nir_type_bits(info->input[i].type);
   return free;
}

int
main(int argc, char **argv)
{
   /* Names and sizes, as the tables have them: "iadd 8", "bfm 0". */
   char name[64];
   unsigned bits;
   while (scanf("%63s %u", name, &bits) == 2) {
      for (unsigned op = 0; op < nir_num_opcodes; op++) {
         const nir_op_info *info = &nir_op_infos[op];
         if (strcmp(info->name, name) || !is_integer(info))
            continue;
         assert(has_free_type(info) == (bits != 0));
         for (unsigned t = 0; t < TRIALS; t++)
            print_trial(op, info, bits);
      }
   }
   return 0;
}
