/* SPDX-License-Identifier: MIT */
/*
 * Loads of neighbouring dwords become loads of vectors: a message each, not
 * one for each dword.
 *
 * Before: SSA, offsets in bytes. Loads of a block are merged if their
 * offsets are the same value plus constants, at most four dwords together,
 * and they stand near each other: the vector is read where the first of them
 * stood, and lives on to the use of the last. Memory that may be written must
 * not be written between them. On the way offsets lose (x >> 2) << 2 where
 * the bits are known to be zero.
 *
 * An offset may be beyond the buffer, below zero too, while the next one is
 * in it; what is in it must be read right (robustBufferAccess2). So no vector
 * is read that may lie on both sides of 2^32.
 *
 * Uniform blocks that are known, at constant offsets, are left alone: back
 * ends have better ways with them. Cost: n log n in the loads of a block.
 */
#include <stdlib.h>

#include "nir.h"
#include "nir_builder.h"

#include "util/dynarray.h"

#define MAX_DWORDS 4
#define MAX_DISTANCE 32 /* instructions from the first to the last */
#define MAX_DEPTH 8

struct access {
   nir_intrinsic_instr *load;
   nir_src *offset_src;
   /* What may be merged is the same in these. */
   uint64_t kind, resource, base, epoch;
   nir_ssa_def *base_def; /* NULL: none */
   unsigned base_comp;
   int64_t offset_B;
   uint32_t place; /* of the instruction in its block */
};

/* ---- offsets ---- */

/* Low bits that are zero. */
static unsigned
zero_bits(nir_ssa_def *def, unsigned comp, unsigned depth)
{
   nir_alu_instr *alu;
   unsigned z[2];

   if (def->parent_instr->type == nir_instr_type_load_const) {
      const uint64_t v = nir_const_value_as_uint(
         nir_instr_as_load_const(def->parent_instr)->value[comp],
         def->bit_size);
      return v ? (unsigned)__builtin_ctzll(v) : def->bit_size;
   }
   if (def->parent_instr->type != nir_instr_type_alu || depth > MAX_DEPTH)
      return 0;
   alu = nir_instr_as_alu(def->parent_instr);
   if (nir_op_infos[alu->op].num_inputs != 2 ||
       nir_op_infos[alu->op].input_sizes[0])
      return 0;
   for (unsigned i = 0; i < 2; i++)
      z[i] =
         zero_bits(alu->src[i].src.ssa, alu->src[i].swizzle[comp], depth + 1);
   switch (alu->op) {
   case nir_op_iadd:
   case nir_op_ior: return MIN2(z[0], z[1]);
   case nir_op_iand: return MAX2(z[0], z[1]);
   case nir_op_imul: return MIN2(def->bit_size, z[0] + z[1]);
   case nir_op_ishl:
      if (!nir_src_is_const(alu->src[1].src))
         return z[0];
      return MIN2(
         def->bit_size,
         z[0] + (unsigned)(nir_src_comp_as_uint(alu->src[1].src,
                                                alu->src[1].swizzle[comp]) &
                           (def->bit_size - 1u)));
   default: return 0;
   }
}

static nir_alu_instr *
alu_of(nir_ssa_def *def, nir_op op)
{
   nir_instr *from = def->parent_instr;
   if (from->type != nir_instr_type_alu || nir_instr_as_alu(from)->op != op)
      return NULL;
   nir_alu_instr *alu = nir_instr_as_alu(from);
   return alu;
}

/* (x >> n) << n, where that changes nothing: goes on to x. */
static bool
skip_realignment(nir_ssa_def **def, unsigned *comp)
{
   nir_alu_instr *shl = alu_of(*def, nir_op_ishl), *shr;

   if (!shl || !nir_src_is_const(shl->src[1].src))
      return false;
   shr = alu_of(shl->src[0].src.ssa, nir_op_ushr);
   if (!shr || !nir_src_is_const(shr->src[1].src))
      return false;
   const unsigned c = shl->src[0].swizzle[*comp];
   const uint64_t up =
      nir_src_comp_as_uint(shl->src[1].src, shl->src[1].swizzle[*comp]);
   const uint64_t down =
      nir_src_comp_as_uint(shr->src[1].src, shr->src[1].swizzle[c]);
   nir_ssa_def *x = shr->src[0].src.ssa;

   if (up != down || up >= x->bit_size ||
       zero_bits(x, shr->src[0].swizzle[c], 0) < up)
      return false;
   *def = x;
   *comp = shr->src[0].swizzle[c];
   return true;
}

/* Takes constants off the offset. */
static void
parse_offset(struct access *a, nir_ssa_def *def, unsigned comp)
{
   for (;;) {
      if (skip_realignment(&def, &comp))
         continue;
      const nir_alu_instr *add = alu_of(def, nir_op_iadd);
      if (!add)
         break;
      const unsigned k = nir_src_is_const(add->src[0].src) ? 0 : 1;
      if (!nir_src_is_const(add->src[k].src))
         break;
      a->offset_B +=
         nir_src_comp_as_int(add->src[k].src, add->src[k].swizzle[comp]);
      def = add->src[1 - k].src.ssa;
      comp = add->src[1 - k].swizzle[comp];
   }
   if (def->parent_instr->type == nir_instr_type_load_const) {
      a->offset_B += nir_const_value_as_int(
         nir_instr_as_load_const(def->parent_instr)->value[comp],
         def->bit_size);
   } else {
      a->base_def = def;
      a->base_comp = comp;
      a->base = 1 + (uint64_t)def->index * NIR_MAX_VEC_COMPONENTS + comp;
   }
}

/* ---- what a block loads ---- */

static uint64_t
resource_key(const nir_src *src)
{
   return nir_src_is_const(*src) ? nir_src_as_uint(*src) << 1
                                 : (uint64_t)src->ssa->index << 1 | 1;
}

static bool
describe(nir_intrinsic_instr *load, uint64_t epoch, struct access *a)
{
   *a = (struct access) { .load = load, .kind = load->intrinsic };
   switch (load->intrinsic) {
   case nir_intrinsic_load_ubo: a->offset_src = &load->src[1]; break;
   case nir_intrinsic_load_ssbo:
      a->offset_src = &load->src[1];
      a->epoch = epoch;
      if (nir_intrinsic_access(load) & (ACCESS_VOLATILE | ACCESS_COHERENT))
         return false;
      break;
   default: return false;
   }
   if (load->dest.ssa.bit_size != 32 || a->offset_src->ssa->bit_size != 32)
      return false;
   a->resource = resource_key(&load->src[0]);
   parse_offset(a, a->offset_src->ssa, 0);
   /* 32 bits of it count. */
   a->offset_B = (int32_t)a->offset_B;
   return a->base_def || load->intrinsic != nir_intrinsic_load_ubo ||
          !nir_src_is_const(load->src[0]);
}

static int
by_group(const struct access *x, const struct access *y)
{
   if (x->kind != y->kind)
      return x->kind < y->kind ? -1 : 1;
   if (x->epoch != y->epoch)
      return x->epoch < y->epoch ? -1 : 1;
   if (x->resource != y->resource)
      return x->resource < y->resource ? -1 : 1;
   return x->base < y->base ? -1 : x->base > y->base;
}

static int
by_place(const void *p, const void *q)
{
   const struct access *x = p, *y = q;
   const int group = by_group(x, y);

   if (group)
      return group;
   if (x->offset_B != y->offset_B)
      return x->offset_B < y->offset_B ? -1 : 1;
   return x->place < y->place ? -1 : x->place > y->place;
}

/* ---- merging ---- */

static nir_ssa_def *
offset_at(nir_builder *b, const struct access *a)
{
   if (!a->base_def)
      return nir_imm_int(b, (int)a->offset_B);
   nir_ssa_def *base = nir_channel(b, a->base_def, a->base_comp);
   return a->offset_B ? nir_iadd_imm(b, base, (uint64_t)a->offset_B) : base;
}

static void
merge(nir_builder *b, const struct access *some, unsigned count,
      unsigned dwords)
{
   const struct access *first = some;
   nir_intrinsic_instr *load;

   for (unsigned i = 1; i < count; i++) {
      if (some[i].place < first->place)
         first = &some[i];
   }
   b->cursor = nir_before_instr(&first->load->instr);
   load = nir_intrinsic_instr_create(b->shader, first->load->intrinsic);
   load->num_components = (uint8_t)dwords;
   load->src[0] = nir_src_for_ssa(first->load->src[0].ssa);
   load->src[1] = nir_src_for_ssa(offset_at(b, &some[0]));
   memcpy(load->const_index, first->load->const_index,
          sizeof(load->const_index));
   nir_intrinsic_set_align(load, 4, 0);
   if (load->intrinsic == nir_intrinsic_load_ubo) {
      nir_intrinsic_set_range_base(load, 0);
      nir_intrinsic_set_range(load, ~0u);
   }
   nir_ssa_dest_init(&load->instr, &load->dest, dwords, 32, NULL);
   nir_builder_instr_insert(b, &load->instr);
   for (unsigned i = 0; i < count; i++) {
      nir_ssa_def *old = &some[i].load->dest.ssa;
      const unsigned at = (unsigned)(some[i].offset_B - some[0].offset_B) / 4;

      b->cursor = nir_after_instr(&load->instr);
      nir_ssa_def_rewrite_uses(
         old, nir_channels(b, &load->dest.ssa,
                           BITFIELD_MASK(old->num_components) << at));
      nir_instr_remove(&some[i].load->instr);
   }
}

/* Whether the offset is written with more than it needs. */
static bool
simplify(nir_builder *b, const struct access *a)
{
   nir_ssa_def *def = a->offset_src->ssa;
   unsigned comp = 0;
   const nir_alu_instr *add = alu_of(def, nir_op_iadd);
   bool realigned = skip_realignment(&def, &comp);

   for (unsigned i = 0; add && i < 2; i++) {
      def = add->src[i].src.ssa;
      comp = add->src[i].swizzle[0];
      realigned |= skip_realignment(&def, &comp);
   }
   if (!realigned)
      return false;
   b->cursor = nir_before_instr(&a->load->instr);
   nir_instr_rewrite_src(&a->load->instr, a->offset_src,
                         nir_src_for_ssa(offset_at(b, a)));
   return true;
}

/* Whether bytes from that offset to `end_B` may lie on both sides of 2^32.
 * The base is a multiple of 2^n, and so is 2^32: not where they lie in one of
 * the pieces of that size. */
static bool
may_wrap(const struct access *a, int64_t end_B)
{
   const unsigned n = a->base_def ? zero_bits(a->base_def, a->base_comp, 0)
                                  : 32;
   return a->offset_B >> n != (end_B - 1) >> n;
}

static bool
merge_all(nir_builder *b, struct access *all, size_t count)
{
   bool progress = false;

   if (!count)
      return false;
   qsort(all, count, sizeof(*all), by_place);
   for (size_t i = 0, n; i < count; i += n) {
      const struct access *a = &all[i];
      int64_t end = a->offset_B + 4 * a->load->num_components;
      uint32_t first = a->place, last = a->place;

      for (n = 1; i + n < count && !by_group(a, &all[i + n]); n++) {
         const struct access *next = &all[i + n];
         const int64_t to = next->offset_B + 4 * next->load->num_components;
         if ((next->offset_B - a->offset_B) % 4 ||
             MAX2(to, end) - a->offset_B > 4 * MAX_DWORDS ||
             may_wrap(a, MAX2(to, end)))
            break;
         first = MIN2(first, next->place);
         last = MAX2(last, next->place);
         if (last - first > MAX_DISTANCE)
            break;
         end = MAX2(end, to);
      }
      if (n > 1)
         merge(b, a, (unsigned)n, (unsigned)(end - a->offset_B) / 4);
      progress |= n > 1 || simplify(b, a);
   }
   return progress;
}

static bool
run_block(nir_builder *b, nir_block *block, struct util_dynarray *all)
{
   uint64_t epoch = 0;
   uint32_t place = 0;

   util_dynarray_clear(all);
   nir_foreach_instr(instr, block) {
      struct access a;
      const uint32_t at = place++;

      if (instr->type != nir_instr_type_intrinsic)
         continue;
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      if (!(nir_intrinsic_infos[intr->intrinsic].flags &
            NIR_INTRINSIC_CAN_ELIMINATE))
         epoch++;
      if (describe(intr, epoch, &a)) {
         a.place = at;
         util_dynarray_append(all, struct access, a);
      }
   }
   return merge_all(b, all->data,
                    util_dynarray_num_elements(all, struct access));
}

bool
nir_opt_merge_loads(nir_shader *shader)
{
   struct util_dynarray all = { 0 };
   bool progress = false;

   nir_foreach_function(function, shader) {
      nir_function_impl *impl = function->impl;
      bool changed = false;
      nir_builder b;

      if (!impl)
         continue;
      nir_builder_init(&b, impl);
      nir_index_ssa_defs(impl);
      nir_foreach_block(block, impl)
         changed |= run_block(&b, block, &all);
      nir_metadata_preserve(impl, changed ? nir_metadata_control_flow
                                          : nir_metadata_all);
      progress |= changed;
   }
   util_dynarray_fini(&all);
   return progress;
}
