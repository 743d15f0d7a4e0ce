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
 * Two kinds of phis have one register (Boissinot et al., "Revisiting
 * out-of-SSA translation for correctness, code quality and efficiency", CGO
 * 2009, is about all of them):
 *
 * - A phi after an `if` and one after an outer `if` of the same loop, if the
 *   first is used by the second alone: in between, nobody has another value
 *   of the second.
 * - A loop's phi and what it is in the next round, if nobody reads the phi
 *   once that is there. Where the new value is computed, it is copied to the
 *   register; if it is a phi after an `if`, it has the register for its own.
 *
 * - A loop's phi and an earlier one that it begins with, if nobody reads that
 *   once the loop has begun.
 *
 * Others are the register allocator's business.
 */
#include <limits.h>

#include "nir.h"
#include "nir_builder.h"

struct from_ssa {
   nir_builder b;
   bool read_registers;
   struct arena *arena;
   /* Positions of instructions are their indices, those of ends of blocks
    * these, by index of the block. */
   unsigned *block_end;
   nir_register **promised; /* by SSA index: the register a phi is to have */
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
   mov->instr.index = st->block_end[mov->instr.block->index];
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

/* Where a phi reads a value: at the end of the block that it comes from. */
static unsigned
position_of_use(const struct from_ssa *st, const nir_src *use)
{
   const nir_instr *user = use->parent_instr;
   if (user->type != nir_instr_type_phi)
      return user->index;
   nir_foreach_phi_src(src, nir_instr_as_phi((nir_instr *)user)) {
      if (&src->src == use)
         return st->block_end[src->pred->index];
   }
   unreachable("a phi's source");
}

/* The last position in a loop, if all ways out of it come before `written`;
 * or none. */
static unsigned
end_if_left_before(const struct from_ssa *st, const nir_loop *loop,
                   unsigned written)
{
   const nir_block *after =
      nir_cf_node_as_block(nir_cf_node_next((nir_cf_node *)&loop->cf_node));
   nir_foreach_predecessor(after, pred) {
      if (st->block_end[pred->index] >= written)
         return UINT_MAX;
   }
   return st->block_end[nir_loop_last_block(loop)->index];
}

/* Whether nobody reads a loop's phi `def` after position `last` of a round;
 * `phi` may, and what only computes up to `end`. Who reads it after the loop
 * has the value of a round that was left before. */
static bool
read_until(const struct from_ssa *st, const nir_ssa_def *def, unsigned last,
           unsigned end, const nir_phi_instr *phi)
{
   const unsigned outside =
      end_if_left_before(st, innermost_loop(def->parent_instr->block), last);
   nir_foreach_if_use(src, (nir_ssa_def *)def) {
      nir_cf_node *before = nir_cf_node_prev(&src->parent_if->cf_node);
      const unsigned at = st->block_end[nir_cf_node_as_block(before)->index];
      if (at > end && at <= outside)
         return false;
   }
   nir_foreach_use(src, (nir_ssa_def *)def) {
      const bool by_phi = src->parent_instr->type == nir_instr_type_phi;
      if (phi && src->parent_instr == &phi->instr)
         continue;
      const unsigned at = position_of_use(st, src);
      if (at > (by_phi ? last : end) && at <= outside)
         return false;
   }
   return true;
}

/* The next round's value of a loop's phi has the register from where it is
 * computed, if the phi is not read any more then. */
static bool
share_with_next(struct from_ssa *st, nir_phi_instr *phi, nir_register *reg,
                nir_ssa_def *next)
{
   nir_instr *from = next->parent_instr;
   const nir_ssa_def *def = &phi->dest.ssa;
   if (next->divergent != def->divergent || next == def ||
       innermost_loop(from->block) != innermost_loop(phi->instr.block))
      return false;
   if (from->type == nir_instr_type_phi) {
      nir_phi_instr *merge = nir_instr_as_phi(from);
      const nir_block *before = block_before_if(merge);
      /* Within the `if`, it is written at the ends of its arms. */
      if (!before || st->promised[next->index] ||
          !read_until(st, def, st->block_end[before->index],
                      merge->instr.index - 1, merge))
         return false;
      st->promised[next->index] = reg;
      return true;
   }
   if (from->type != nir_instr_type_alu ||
       !read_until(st, def, from->index, from->index, NULL))
      return false;
   const nir_src value = nir_src_for_ssa(next);
   st->b.cursor = nir_after_instr(from);
   copy_to_register(st, reg, &value);
   nir_instr *copy = nir_instr_next(from);
   copy->index = from->index;
   nir_foreach_use_safe(use, next) {
      if (use->parent_instr != copy)
         nir_instr_rewrite_src(use->parent_instr, use, nir_src_for_reg(reg));
   }
   nir_foreach_if_use_safe(use, next)
      nir_if_rewrite_condition(use->parent_if, nir_src_for_reg(reg));
   return true;
}

static bool
is_of_loop(const nir_phi_instr *phi)
{
   const nir_block *block = phi->instr.block;
   return block->cf_node.parent->type == nir_cf_node_loop &&
          !nir_cf_node_prev((nir_cf_node *)&block->cf_node);
}

static void
share_in_loop(struct from_ssa *st, nir_phi_instr *phi, nir_register *reg)
{
   const nir_block *block = phi->instr.block;
   if (!is_of_loop(phi))
      return;
   nir_foreach_phi_src(src, phi) {
      if (src->pred->index >= block->index && src->src.is_ssa &&
          share_with_next(st, phi, reg, src->src.ssa))
         return;
   }
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

static bool
is_in_loop(const nir_block *block, const nir_loop *loop)
{
   nir_cf_node *node = block->cf_node.parent;
   while (node && loop && node != &loop->cf_node)
      node = node->parent;
   return node;
}

/* Whether a register is read by nobody after that position but by the phi. */
static bool
is_read_before(const struct from_ssa *st, nir_register *reg, unsigned end,
               const nir_phi_instr *phi)
{
   nir_foreach_if_use(src, reg) {
      nir_cf_node *before = nir_cf_node_prev(&src->parent_if->cf_node);
      if (st->block_end[nir_cf_node_as_block(before)->index] > end)
         return false;
   }
   nir_foreach_use(src, reg) {
      if (src->parent_instr != &phi->instr && position_of_use(st, src) > end)
         return false;
   }
   return true;
}

/* A register of a loop's phi is wanted for its next round, too. */
static bool
is_made_before(const struct from_ssa *st, const nir_register *reg,
               const nir_block *pred)
{
   const nir_block *block = st->made_for[reg->index];
   const nir_loop *loop = block ? innermost_loop(block) : NULL;
   if (!block || !is_in_loop(block, innermost_loop(pred)))
      return false;
   return !loop || block != nir_loop_first_block(loop) ||
          !is_in_loop(pred, loop);
}

/* That of a phi from before the loop that this phi is one of, if nobody wants
 * it any more; or NULL. Each round of a loop around both makes it anew. */
static nir_register *
register_before_loop(const struct from_ssa *st, nir_phi_instr *phi)
{
   nir_foreach_phi_src(src, phi) {
      nir_register *reg = src->src.is_ssa ? NULL : src->src.reg.reg;
      if (reg && src->pred->index < phi->instr.block->index &&
          reg->divergent == phi->dest.ssa.divergent &&
          is_made_before(st, reg, src->pred) &&
          is_read_before(st, reg, st->block_end[src->pred->index], phi))
         return reg;
   }
   return NULL;
}

static nir_register *
find_register(struct from_ssa *st, nir_phi_instr *phi)
{
   const nir_ssa_def *def = &phi->dest.ssa;
   nir_register *reg = NULL;
   if (st->promised[def->index])
      return st->promised[def->index];
   if (st->read_registers && block_before_if(phi))
      reg = register_of_inner(st, phi);
   else if (st->read_registers && is_of_loop(phi))
      reg = register_before_loop(st, phi);
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
   const bool promised = st->promised[phi->dest.ssa.index];
   nir_register *reg = find_register(st, phi);
   nir_ssa_def *passing =
      st->read_registers && !promised ? value_passing_by(phi) : NULL;
   const bool copied = !st->read_registers || feeds_sibling(phi);
   if (!copied)
      share_in_loop(st, phi, reg);
   nir_foreach_phi_src(src, phi) {
      if (is_register(&src->src, reg) ||
          (src->src.is_ssa &&
           (nir_src_is_undef(src->src) || src->src.ssa == passing ||
            src->src.ssa == &phi->dest.ssa ||
            st->promised[src->src.ssa->index] == reg)))
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

/* Numbers instructions and ends of blocks; gives the number of phis. */
static unsigned
find_positions(struct from_ssa *st, nir_function_impl *impl)
{
   unsigned n = 0, phis = 0;
   nir_foreach_block(block, impl) {
      n++;
      nir_foreach_instr(instr, block) {
         phis += instr->type == nir_instr_type_phi;
         /* They are all at the begin of the block. */
         instr->index = instr->type == nir_instr_type_phi ? n : ++n;
      }
      st->block_end[block->index] = ++n;
   }
   return phis;
}

static bool
run_impl(nir_function_impl *impl, bool read_registers)
{
   struct from_ssa st = { .read_registers = read_registers,
                          .arena = arena_create(NULL) };
   nir_builder_init(&st.b, impl);
   bool progress = false;
   nir_metadata_require(impl, nir_metadata_block_index);
   st.block_end = arena_new_array(st.arena, unsigned, impl->num_blocks + 1);
   const unsigned phis = find_positions(&st, impl);
   /* A copy at a phi's place is one more value. */
   st.promised =
      arena_new_array(st.arena, nir_register *, impl->ssa_alloc + phis);
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
