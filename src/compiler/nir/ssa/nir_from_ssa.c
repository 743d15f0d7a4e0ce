/* SPDX-License-Identifier: MIT */
/*
 * Leaving SSA: phis become registers.
 *
 * Before: SSA, no critical edges (structured control flow has none). After:
 * no phis. Each phi has a register: the predecessors write it at their end,
 * and a copy at the phi's place reads it. All copies at one place happen at
 * once (method I of V. C. Sreedhar et al., "Translating out of static single
 * assignment form", SAS 1999).
 *
 * For those who read registers (a back end that runs a block once more
 * somewhere else does not), copies are then left out as B. Boissinot et al.
 * do ("Revisiting out-of-SSA translation for correctness, code quality and
 * efficiency", CGO 2009): both sides of a copy get one register if no value
 * that is in it by then lives where one of the other side does, innermost
 * loops first. Why that is right: at each point at most one of a register's
 * values is wanted, and whoever wants it comes from where it was written
 * last, since every write is the start of a range.
 *
 * Values that take part are phis and what ALU instructions compute, but not
 * constants, which are operands themselves, nor conditions.
 *
 * Others are the register allocator's business. Cost: that of the ranges
 * (nir_live_range.c), and n log n insertions of spans for joining them.
 */
#include <stdlib.h>

#include "nir.h"
#include "nir_builder.h"
#include "nir_live_range.h"

/* What may share a register: a phi's, or a value. */
struct member {
   uint32_t parent; /* of the same class, itself: stands for the class */
   struct nir_live_range range; /* of the class */
   nir_register *reg;           /* likewise */
   nir_ssa_def *value;
};

struct affinity {
   uint32_t a, b, loops, order;
};

struct from_ssa {
   nir_builder b;
   bool read_registers;
   struct arena *arena;
   struct nir_positions positions;
   struct util_dynarray members, affinities;
   uint32_t *member_of; /* by SSA index: of a value, + 1 */
   uint32_t *phi_of;    /* by SSA index of a phi: of its register, + 1 */
};

static struct member *
member_at(const struct from_ssa *st, uint32_t i)
{
   return util_dynarray_element(&st->members, struct member, i);
}

static struct member *
class_of(const struct from_ssa *st, uint32_t i)
{
   struct member *m = member_at(st, i);
   while (m->parent != i) {
      m->parent = member_at(st, m->parent)->parent;
      i = m->parent;
      m = member_at(st, i);
   }
   return m;
}

static uint32_t
new_member(struct from_ssa *st, nir_ssa_def *value)
{
   const uint32_t n =
      (uint32_t)util_dynarray_num_elements(&st->members, struct member);
   const struct member m = { .parent = n, .value = value };
   util_dynarray_append(&st->members, struct member, m);
   return n;
}

/* ---- who may share ---- */

static bool
may_share(const nir_ssa_def *def)
{
   const nir_instr *from = def->parent_instr;
   if (from->type == nir_instr_type_phi)
      return true;
   if (from->type != nir_instr_type_alu || def->bit_size == 1 ||
       !list_is_empty(&def->if_uses))
      return false;
   /* A register may not be mixed with itself in place. */
   return def->num_components == 1 ||
          nir_instr_as_alu((nir_instr *)from)->op != nir_op_mov;
}

static uint32_t
member_of_value(struct from_ssa *st, nir_ssa_def *def)
{
   uint32_t *m = &st->member_of[def->index];
   if (!*m) {
      *m = new_member(st, def) + 1;
      nir_live_range_of_value(&st->positions, def,
                              &member_at(st, *m - 1)->range);
   }
   return *m - 1;
}

static uint32_t
loops_around(const nir_block *block)
{
   uint32_t count = 0;
   for (nir_cf_node *n = block->cf_node.parent; n; n = n->parent)
      count += n->type == nir_cf_node_loop;
   return count;
}

static void
want_together(struct from_ssa *st, uint32_t phi, nir_ssa_def *def,
              const nir_block *copied_in)
{
   const struct affinity a = {
      .a = phi,
      .b = member_of_value(st, def),
      .loops = loops_around(copied_in),
      .order = (uint32_t)util_dynarray_num_elements(&st->affinities,
                                                    struct affinity),
   };
   util_dynarray_append(&st->affinities, struct affinity, a);
}

static void
gather_phi(struct from_ssa *st, nir_phi_instr *phi)
{
   nir_ssa_def *def = &phi->dest.ssa;
   const uint32_t m = new_member(st, NULL);
   st->phi_of[def->index] = m + 1;
   if (!st->read_registers)
      return;
   nir_live_range_of_phi(&st->positions, phi, &member_at(st, m)->range);
   want_together(st, m, def, phi->instr.block);
   nir_foreach_phi_src(src, phi) {
      nir_ssa_def *from = src->src.is_ssa ? src->src.ssa : NULL;
      if (from && may_share(from) && from->divergent == def->divergent)
         want_together(st, m, from, src->pred);
   }
}

/* ---- classes ---- */

static int
innermost_first(const void *pa, const void *pb)
{
   const struct affinity *a = pa, *b = pb;
   if (a->loops != b->loops)
      return a->loops > b->loops ? -1 : 1;
   return a->order < b->order ? -1 : a->order > b->order;
}

static void
join_classes(struct from_ssa *st)
{
   if (!st->affinities.data)
      return;
   qsort(st->affinities.data,
         util_dynarray_num_elements(&st->affinities, struct affinity),
         sizeof(struct affinity), innermost_first);
   util_dynarray_foreach(&st->affinities, struct affinity, want) {
      struct member *a = class_of(st, want->a), *b = class_of(st, want->b);
      if (a == b || nir_live_ranges_overlap(&a->range, &b->range))
         continue;
      nir_live_range_join(&a->range, &b->range);
      b->parent = a->parent;
   }
}

static nir_register *
register_of(struct from_ssa *st, uint32_t m, const nir_ssa_def *like)
{
   struct member *c = class_of(st, m);
   if (!c->reg) {
      c->reg = nir_local_reg_create(st->b.impl);
      c->reg->num_components = like->num_components;
      c->reg->bit_size = like->bit_size;
      c->reg->divergent = like->divergent;
   }
   return c->reg;
}

/* The register of a value that shares one; or NULL. */
static nir_register *
shared_register(struct from_ssa *st, const nir_ssa_def *def)
{
   const uint32_t m = st->member_of[def->index];
   return m ? class_of(st, m - 1)->reg : NULL;
}

/* All that read a value of a class read its register instead; what computes
 * it writes there. Phis still do not. */
static void
move_to_registers(struct from_ssa *st)
{
   util_dynarray_foreach(&st->members, struct member, m) {
      nir_ssa_def *def = m->value;
      nir_register *reg = def ? shared_register(st, def) : NULL;
      if (!reg)
         continue;
      nir_instr *from = def->parent_instr;
      nir_ssa_def_rewrite_uses_src(def, nir_src_for_reg(reg));
      if (from->type != nir_instr_type_phi)
         nir_instr_rewrite_dest(from, &nir_instr_as_alu(from)->dest.dest,
                                nir_dest_for_reg(reg));
   }
}

/* ---- copies that happen at once ---- */

struct copy {
   nir_register *dst;
   nir_src src;
   bool done;
};

struct copies {
   struct util_dynarray list;
   /* By register index: how many of them have yet to read it, and the one
    * that writes it, + 1. */
   uint32_t *readers, *writer;
};

static nir_alu_instr *
new_mov(struct from_ssa *st, const nir_src *from, unsigned comps)
{
   nir_alu_instr *mov = nir_alu_instr_create(st->b.shader, nir_op_mov);
   mov->src[0].src = from->is_ssa ? nir_src_for_ssa(from->ssa)
                                  : nir_src_for_reg(from->reg.reg);
   for (unsigned c = 0; c < comps; c++)
      mov->src[0].swizzle[c] = (uint8_t)c;
   mov->dest.write_mask = BITFIELD_MASK(comps);
   return mov;
}

static nir_ssa_def *
copy_from_register(struct from_ssa *st, nir_register *reg)
{
   const nir_src from = nir_src_for_reg(reg);
   nir_alu_instr *mov = new_mov(st, &from, reg->num_components);
   nir_ssa_dest_init(&mov->instr, &mov->dest.dest, reg->num_components,
                     reg->bit_size, NULL);
   mov->dest.dest.ssa.divergent = reg->divergent;
   nir_builder_instr_insert(&st->b, &mov->instr);
   return &mov->dest.dest.ssa;
}

static void
copy_to_register(struct from_ssa *st, const struct copy *c)
{
   nir_alu_instr *mov = new_mov(st, &c->src, c->dst->num_components);
   mov->dest.dest = nir_dest_for_reg(c->dst);
   nir_builder_instr_insert(&st->b, &mov->instr);
}

static void
add_copy(struct copies *all, nir_register *dst, nir_src src)
{
   const struct copy c = { .dst = dst, .src = src };
   if (!src.is_ssa && src.reg.reg == dst)
      return;
   util_dynarray_append(&all->list, struct copy, c);
   all->writer[dst->index] =
      (uint32_t)util_dynarray_num_elements(&all->list, struct copy);
   if (!src.is_ssa)
      all->readers[src.reg.reg->index]++;
}

/* Makes this copy, and those whose registers nobody reads any more then. */
static void
emit_from(struct from_ssa *st, struct copies *all, struct copy *c)
{
   while (c && !c->done && !all->readers[c->dst->index]) {
      copy_to_register(st, c);
      c->done = true;
      all->writer[c->dst->index] = 0;
      if (c->src.is_ssa)
         return;
      const unsigned read = c->src.reg.reg->index;
      const uint32_t next = all->writer[read];
      all->readers[read]--;
      c = next ? util_dynarray_element(&all->list, struct copy, next - 1)
               : NULL;
   }
}

/* What is left are rings: each has one register whose value is put aside. */
static void
emit_copies(struct from_ssa *st, struct copies *all)
{
   util_dynarray_foreach(&all->list, struct copy, c)
      emit_from(st, all, c);
   util_dynarray_foreach(&all->list, struct copy, c) {
      if (c->done)
         continue;
      const nir_src aside = nir_src_for_ssa(copy_from_register(st, c->dst));
      util_dynarray_foreach(&all->list, struct copy, reader) {
         if (!reader->done && !reader->src.is_ssa &&
             reader->src.reg.reg == c->dst)
            reader->src = aside;
      }
      all->readers[c->dst->index] = 0;
      emit_from(st, all, c);
   }
   util_dynarray_clear(&all->list);
}

/* ---- the whole ---- */

static void
copy_on_edges(struct from_ssa *st, nir_block *block, struct copies *all)
{
   nir_foreach_predecessor(block, pred) {
      nir_foreach_phi(phi, block) {
         const uint32_t m = st->phi_of[phi->dest.ssa.index] - 1;
         const nir_src src = nir_phi_get_src_from_block(phi, pred)->src;
         if (!nir_src_is_undef(src))
            add_copy(all, class_of(st, m)->reg, src);
      }
      st->b.cursor = nir_after_block_before_jump(pred);
      emit_copies(st, all);
   }
}

/* Values of their own first: nothing reads those in the place of the phis. */
static void
copy_at_phis(struct from_ssa *st, nir_block *block, struct copies *all)
{
   st->b.cursor = nir_after_phis(block);
   nir_foreach_phi(phi, block) {
      nir_ssa_def *def = &phi->dest.ssa;
      nir_register *reg = class_of(st, st->phi_of[def->index] - 1)->reg;
      nir_register *to = shared_register(st, def);
      if (to)
         add_copy(all, to, nir_src_for_reg(reg));
      else if (!nir_ssa_def_is_unused(def))
         nir_ssa_def_rewrite_uses(def, copy_from_register(st, reg));
   }
   emit_copies(st, all);
}

static void
lower_phis(struct from_ssa *st)
{
   nir_function_impl *impl = st->b.impl;
   struct copies all = { 0 };
   all.readers = arena_new_array(st->arena, uint32_t, impl->reg_alloc + 1);
   all.writer = arena_new_array(st->arena, uint32_t, impl->reg_alloc + 1);
   nir_foreach_block(block, impl) {
      copy_at_phis(st, block, &all);
      copy_on_edges(st, block, &all);
   }
   nir_foreach_block(block, impl) {
      nir_foreach_phi_safe(phi, block)
         nir_instr_remove(&phi->instr);
   }
   util_dynarray_fini(&all.list);
}

static bool
run_impl(nir_function_impl *impl, bool read_registers)
{
   struct from_ssa st = { .read_registers = read_registers,
                          .arena = arena_create(NULL) };
   bool progress = false;
   nir_builder_init(&st.b, impl);
   nir_find_positions(&st.positions, impl, st.arena);
   st.member_of = arena_new_array(st.arena, uint32_t, impl->ssa_alloc + 1);
   st.phi_of = arena_new_array(st.arena, uint32_t, impl->ssa_alloc + 1);
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block) {
         gather_phi(&st, phi);
         progress = true;
      }
   }
   join_classes(&st);
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block)
         register_of(&st, st.phi_of[phi->dest.ssa.index] - 1, &phi->dest.ssa);
   }
   move_to_registers(&st);
   lower_phis(&st);
   util_dynarray_foreach(&st.members, struct member, m)
      util_dynarray_fini(&m->range.spans);
   util_dynarray_fini(&st.members);
   util_dynarray_fini(&st.affinities);
   nir_positions_finish(&st.positions);
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
