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
 * out of static single assignment form", SAS 1999).
 *
 * Two kinds of copies are left out from the start, for those who read
 * registers (a back end that runs a block once more somewhere else does not):
 *
 * - That at the phi's place: its users read the register. Where the phi does
 *   not dominate a predecessor, its value is dead at that one's end (SSA),
 *   so no write comes too early. A loop's phis dominate the predecessors that
 *   go back to it, after whose copies there is nothing but the phis: only
 *   another phi of theirs may still want the old value, and then there is a
 *   copy.
 * - That on one way past an `if`, for a value from the block in front of it
 *   that is used nowhere after: it is computed into the register.
 *
 * A phi after an `if` and one after an outer `if` of the same loop have one
 * register, if the first is used by the second alone: in between, nobody has
 * another value of the second.
 *
 * Others are the register allocator's business.
 */
#include "nir.h"
#include "nir_builder.h"

struct from_ssa {
   nir_builder b;
   bool read_registers;
   struct arena *arena;
   /* By register: the block of the phi that it was made for; and whether that
    * is one after an `if`, with whose register outer ones may go on. */
   nir_block **made_for;
   bool *joinable;
};

static nir_register *
register_for(nir_function_impl *impl, const nir_ssa_def *def)
{
   nir_register *reg = nir_local_reg_create(impl);
   reg->num_components = def->num_components;
   reg->bit_size = def->bit_size;
   reg->divergent = def->divergent;
   return reg;
}

static void
copy_to_register(struct from_ssa *st, nir_register *reg, const nir_src *from)
{
   nir_builder *b = &st->b;
   nir_alu_instr *mov = nir_alu_instr_create(b->shader, nir_op_mov);
   /* Another phi's, if it has gone already. */
   mov->src[0].src = from->is_ssa ? nir_src_for_ssa(from->ssa)
                                  : nir_src_for_reg(from->reg.reg);
   for (unsigned c = 0; c < reg->num_components; c++)
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

/* Whether another phi of its block copies the value of this one. */
static bool
feeds_sibling(nir_phi_instr *phi)
{
   nir_foreach_use(src, &phi->dest.ssa) {
      const nir_instr *user = src->parent_instr;
      if (user->type == nir_instr_type_phi && user != &phi->instr &&
          user->block == phi->instr.block)
         return true;
   }
   return false;
}

/* The block in front of the `if` after which the phi stands; or NULL. */
static nir_block *
block_before_if(const nir_phi_instr *phi)
{
   nir_cf_node *nif = nir_cf_node_prev(&phi->instr.block->cf_node);
   if (!nif || nif->type != nir_cf_node_if)
      return NULL;
   return nir_cf_node_as_block(nir_cf_node_prev(nif));
}

static bool
used_only_in_block(const nir_ssa_def *def, const nir_instr *phi)
{
   const nir_block *block = def->parent_instr->block;
   unsigned phi_uses = 0;
   if (!list_is_empty(&def->if_uses))
      return false;
   nir_foreach_use(src, (nir_ssa_def *)def) {
      const nir_instr *user = src->parent_instr;
      if (user == phi)
         phi_uses++;
      else if (user->type == nir_instr_type_phi || user->block != block)
         return false;
   }
   return phi_uses == 1;
}

/* A value that only goes past an `if`, and may be computed into the phi's
 * register; or NULL. */
static nir_ssa_def *
value_passing_by(nir_phi_instr *phi)
{
   const nir_block *before = block_before_if(phi);
   nir_foreach_phi_src(src, phi) {
      if (!src->src.is_ssa)
         continue;
      const nir_ssa_def *def = src->src.ssa;
      const nir_instr *from = def->parent_instr;
      if (before && from->block == before &&
          from->type == nir_instr_type_alu &&
          used_only_in_block(def, &phi->instr))
         return src->src.ssa;
   }
   return NULL;
}

static void
compute_into(nir_register *reg, nir_ssa_def *def)
{
   nir_instr *instr = def->parent_instr;
   nir_dest *dest = CONTAINER_OF(def, nir_dest, ssa);
   nir_ssa_def_rewrite_uses_src(def, nir_src_for_reg(reg));
   nir_instr_rewrite_dest(instr, dest, nir_dest_for_reg(reg));
}

/* ---- registers of several phis ---- */

static nir_loop *
innermost_loop(const nir_block *block)
{
   nir_cf_node *node = block->cf_node.parent;
   while (node && node->type != nir_cf_node_loop)
      node = node->parent;
   return node ? nir_cf_node_as_loop(node) : NULL;
}

/* That of a phi after an inner `if`, which nobody else reads; or NULL. */
static nir_register *
register_of_inner(const struct from_ssa *st, nir_phi_instr *phi)
{
   nir_foreach_phi_src(src, phi) {
      if (src->src.is_ssa)
         continue;
      nir_register *reg = src->src.reg.reg;
      const nir_block *block = st->made_for[reg->index];
      if (st->joinable[reg->index] && list_is_singular(&reg->uses) &&
          list_is_empty(&reg->if_uses) &&
          reg->divergent == phi->dest.ssa.divergent &&
          innermost_loop(block) == innermost_loop(phi->instr.block))
         return reg;
   }
   return NULL;
}

static nir_register *
find_register(struct from_ssa *st, nir_phi_instr *phi)
{
   const nir_ssa_def *def = &phi->dest.ssa;
   nir_register *reg = NULL;
   if (st->read_registers && block_before_if(phi))
      reg = register_of_inner(st, phi);
   if (!reg)
      reg = register_for(st->b.impl, def);
   st->made_for[reg->index] = phi->instr.block;
   st->joinable[reg->index] = block_before_if(phi);
   return reg;
}

static bool
is_register(const nir_src *src, const nir_register *reg)
{
   return !src->is_ssa && src->reg.reg == reg;
}

static void
lower_phi(struct from_ssa *st, nir_phi_instr *phi)
{
   nir_builder *b = &st->b;
   nir_register *reg = find_register(st, phi);
   nir_ssa_def *passing = st->read_registers ? value_passing_by(phi) : NULL;
   const bool copied = !st->read_registers || feeds_sibling(phi);
   nir_foreach_phi_src(src, phi) {
      if (is_register(&src->src, reg) ||
          (src->src.is_ssa &&
           (nir_src_is_undef(src->src) || src->src.ssa == passing ||
            src->src.ssa == &phi->dest.ssa)))
         continue;
      b->cursor = nir_after_block_before_jump(src->pred);
      copy_to_register(st, reg, &src->src);
   }
   if (copied) {
      b->cursor = nir_after_phis(phi->instr.block);
      nir_ssa_def_rewrite_uses(&phi->dest.ssa, copy_from_register(b, reg));
   } else {
      nir_ssa_def_rewrite_uses_src(&phi->dest.ssa, nir_src_for_reg(reg));
   }
   nir_instr_remove(&phi->instr);
   if (passing)
      compute_into(reg, passing);
}

static bool
run_impl(nir_function_impl *impl, bool read_registers)
{
   struct from_ssa st = { .read_registers = read_registers,
                          .arena = arena_create(NULL) };
   nir_builder_init(&st.b, impl);
   bool progress = false;
   unsigned phis = 0;
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block)
         phis++;
   }
   st.made_for =
      arena_new_array(st.arena, nir_block *, impl->reg_alloc + phis + 1);
   st.joinable = arena_new_array(st.arena, bool, impl->reg_alloc + phis + 1);
   nir_foreach_block(block, impl) {
      nir_foreach_phi_safe(phi, block) {
         lower_phi(&st, phi);
         progress = true;
      }
   }
   arena_destroy(st.arena);
   nir_metadata_preserve(impl, progress ? nir_metadata_block_index |
                                             nir_metadata_dominance
                                        : nir_metadata_all);
   return progress;
}

bool
nir_convert_from_ssa(nir_shader *shader, bool read_registers)
{
   bool progress = false;
   nir_foreach_function(function, shader) {
      if (function->impl)
         progress |= run_impl(function->impl, read_registers);
   }
   return progress;
}
