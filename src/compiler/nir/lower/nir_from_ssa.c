/* SPDX-License-Identifier: MIT */
/*
 * Leaving SSA: phis become registers.
 *
 * Before: SSA, no critical edges (structured control flow has none). After:
 * no phis. Each phi has a register: the predecessors write it at their end,
 * and a copy at the phi's place reads it. Since all copies at a block's end
 * read SSA values and write registers, and all copies at a block's start do
 * the opposite, no order of the copies is wrong: neither the lost-copy nor
 * the swap problem can occur (method I of V. C. Sreedhar et al., "Translating
 * out of static single assignment form", SAS 1999). Coalescing the copies is
 * the register allocator's business.
 *
 * Without phi_webs_only every other SSA value gets a register too.
 */
#include "nir.h"
#include "nir_builder.h"

static nir_register *
register_for(nir_function_impl *impl, const nir_ssa_def *def)
{
   nir_register *reg = nir_local_reg_create(impl);
   reg->num_components = def->num_components;
   reg->bit_size = def->bit_size;
   return reg;
}

static void
copy_to_register(nir_builder *b, nir_register *reg, nir_ssa_def *def)
{
   nir_alu_instr *mov = nir_alu_instr_create(b->shader, nir_op_mov);
   mov->src[0].src = nir_src_for_ssa(def);
   for (unsigned c = 0; c < def->num_components; c++)
      mov->src[0].swizzle[c] = (uint8_t)c;
   mov->dest.dest = nir_dest_for_reg(reg);
   mov->dest.write_mask = BITFIELD_MASK(reg->num_components);
   nir_builder_instr_insert(b, &mov->instr);
}

static nir_ssa_def *
copy_from_register(nir_builder *b, nir_register *reg)
{
   nir_alu_instr *mov = nir_alu_instr_create(b->shader, nir_op_mov);
   mov->src[0].src = nir_src_for_reg(reg);
   for (unsigned c = 0; c < reg->num_components; c++)
      mov->src[0].swizzle[c] = (uint8_t)c;
   nir_ssa_dest_init(&mov->instr, &mov->dest.dest, reg->num_components,
                     reg->bit_size, NULL);
   mov->dest.write_mask = BITFIELD_MASK(reg->num_components);
   nir_builder_instr_insert(b, &mov->instr);
   return &mov->dest.dest.ssa;
}

static void
lower_phi(nir_builder *b, nir_phi_instr *phi)
{
   nir_register *reg = register_for(b->impl, &phi->dest.ssa);
   nir_foreach_phi_src(src, phi) {
      if (nir_src_is_undef(src->src))
         continue;
      b->cursor = nir_after_block_before_jump(src->pred);
      copy_to_register(b, reg, src->src.ssa);
   }
   b->cursor = nir_after_phis(phi->instr.block);
   nir_ssa_def_rewrite_uses(&phi->dest.ssa, copy_from_register(b, reg));
   nir_instr_remove(&phi->instr);
}

/* Gives a value a register of its own, and all its users that. */
static bool
lower_def(nir_ssa_def *def, void *state)
{
   nir_function_impl *impl = state;
   nir_instr *instr = def->parent_instr;
   if (instr->type == nir_instr_type_load_const ||
       instr->type == nir_instr_type_ssa_undef ||
       instr->type == nir_instr_type_deref)
      return true;
   nir_register *reg = register_for(impl, def);
   nir_ssa_def_rewrite_uses_src(def, nir_src_for_reg(reg));
   nir_dest *dest = CONTAINER_OF(def, nir_dest, ssa);
   nir_instr_rewrite_dest(instr, dest, nir_dest_for_reg(reg));
   return true;
}

static bool
run_impl(nir_function_impl *impl, bool phi_webs_only)
{
   nir_builder b;
   nir_builder_init(&b, impl);
   bool progress = false;
   nir_foreach_block(block, impl) {
      nir_foreach_phi_safe(phi, block) {
         lower_phi(&b, phi);
         progress = true;
      }
   }
   if (!phi_webs_only) {
      nir_foreach_block(block, impl) {
         nir_foreach_instr_safe(instr, block)
            nir_foreach_ssa_def(instr, lower_def, impl);
      }
      progress = true;
   }
   nir_metadata_preserve(impl, progress ? nir_metadata_block_index |
                                             nir_metadata_dominance
                                        : nir_metadata_all);
   return progress;
}

bool
nir_convert_from_ssa(nir_shader *shader, bool phi_webs_only)
{
   bool progress = false;
   nir_foreach_function(function, shader) {
      if (function->impl)
         progress |= run_impl(function->impl, phi_webs_only);
   }
   return progress;
}
