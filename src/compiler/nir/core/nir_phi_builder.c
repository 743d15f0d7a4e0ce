/* SPDX-License-Identifier: MIT */
/*
 * Phis by iterated dominance frontiers (Cytron, Ferrante, Rosen, Wegman,
 * Zadeck, "Efficiently Computing Static Single Assignment Form and the
 * Control Dependence Graph", 1991, figure 11), but a phi is only made when
 * its value is read, so that few are dead.
 */
#include "nir_phi_builder.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

struct nir_phi_value {
   struct nir_phi_builder *pb;
   unsigned index;
   uint8_t num_components, bit_size;
};

struct pending_phi {
   nir_phi_instr *phi;
   nir_block *block;
   struct nir_phi_value *value;
};

struct nir_phi_builder {
   struct arena *arena;
   nir_function_impl *impl;
   nir_shader *shader;
   unsigned num_values;
   /* (value, block) -> nir_value at the end of the block so far, or
    * NEEDS_PHI where definitions meet and nobody has asked yet. */
   struct hash_table defs;
   struct util_dynarray pending; /* struct pending_phi */
   /* By block index: the serial of the last value that put it on the work
    * list; that found a phi for it. */
   unsigned *queued, *has_phi;
   nir_block **work;
};

#define NEEDS_PHI ((void *)(uintptr_t)1)

static uint64_t
key(const struct nir_phi_value *v, const nir_block *block)
{
   return (uint64_t)v->index << 32 | block->index;
}

struct nir_phi_builder *
nir_phi_builder_create(nir_function_impl *impl)
{
   struct arena *arena = arena_create(NULL);
   struct nir_phi_builder *pb = arena_new(arena, struct nir_phi_builder);

   pb->arena = arena;
   pb->impl = impl;
   pb->shader = impl->function->shader;
   hash_table_init(&pb->defs);
   pb->queued = arena_new_array(arena, unsigned, impl->num_blocks + 1);
   pb->has_phi = arena_new_array(arena, unsigned, impl->num_blocks + 1);
   pb->work = arena_new_array(arena, nir_block *, impl->num_blocks + 1);
   return pb;
}

struct nir_phi_value *
nir_phi_builder_add_value(struct nir_phi_builder *pb, unsigned num_components,
                          unsigned bit_size, const BITSET_WORD *def_blocks)
{
   struct nir_phi_value *v = arena_new(pb->arena, struct nir_phi_value);
   unsigned n = 0;

   v->pb = pb;
   v->index = ++pb->num_values;
   v->num_components = (uint8_t)num_components;
   v->bit_size = (uint8_t)bit_size;
   nir_foreach_block(block, pb->impl) {
      if (!BITSET_TEST(def_blocks, block->index))
         continue;
      pb->queued[block->index] = v->index;
      pb->work[n++] = block;
   }
   while (n) {
      const nir_block *block = pb->work[--n];
      for (unsigned i = 0; i < block->num_dom_frontier; i++) {
         nir_block *f = block->dom_frontier[i];
         if (f == pb->impl->end_block || pb->has_phi[f->index] == v->index)
            continue;
         pb->has_phi[f->index] = v->index;
         hash_table_insert(&pb->defs, key(v, f), NEEDS_PHI);
         if (pb->queued[f->index] != v->index) {
            pb->queued[f->index] = v->index;
            pb->work[n++] = f;
         }
      }
   }
   return v;
}

void
nir_phi_value_set(struct nir_phi_value *v, nir_block *block, nir_value *def)
{
   hash_table_insert(&v->pb->defs, key(v, block), def);
}

static nir_value *
make_phi(struct nir_phi_value *v, nir_block *block)
{
   nir_phi_instr *phi = nir_new_phi(v->pb->shader);
   struct pending_phi p = { phi, block, v };

   nir_set_result(&phi->instr, v->num_components, v->bit_size);
   util_dynarray_append(&v->pb->pending, struct pending_phi, p);
   return &phi->instr.result;
}

static nir_value *
make_undef(struct nir_phi_value *v)
{
   nir_instr *undef =
      nir_new_undef(v->pb->shader, v->num_components, v->bit_size);

   nir_instr_insert(nir_before_block(nir_start_block(v->pb->impl)), undef);
   return &undef->result;
}

nir_value *
nir_phi_value_def(struct nir_phi_value *v, nir_block *block)
{
   nir_block *b = block;
   void *def = NULL;

   while (b && !(def = hash_table_get(&v->pb->defs, key(v, b))))
      b = b->imm_dom;
   if (!b)
      def = make_undef(v);
   else if (def == NEEDS_PHI)
      def = make_phi(v, b);
   /* Remember it all the way up. */
   for (nir_block *up = block; up; up = up->imm_dom) {
      hash_table_insert(&v->pb->defs, key(v, up), def);
      if (up == b)
         break;
   }
   return def;
}

static void
complete_phi(struct pending_phi p)
{
   struct arena *arena = arena_create(NULL);
   nir_block **preds = nir_block_get_predecessors_sorted(p.block, arena);

   for (unsigned i = 0; i < p.block->num_predecessors; i++)
      nir_phi_add_source(p.phi, preds[i],
                         nir_use_of(nir_phi_value_def(p.value, preds[i])));
   nir_instr_insert(nir_before_block(p.block), &p.phi->instr);
   arena_destroy(arena);
}

void
nir_phi_builder_finish(struct nir_phi_builder *pb)
{
   /* Sources may need further phis, which are appended. */
   for (unsigned i = 0;
        i < util_dynarray_num_elements(&pb->pending, struct pending_phi); i++)
      complete_phi(
         *util_dynarray_element(&pb->pending, struct pending_phi, i));
   util_dynarray_fini(&pb->pending);
   hash_table_finish(&pb->defs);
   arena_destroy(pb->arena);
}
