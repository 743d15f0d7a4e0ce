/* SPDX-License-Identifier: MIT */
/*
 * Common subexpressions: an instruction equal to one that dominates it takes
 * that one's value. Blocks are walked in pre-order of the dominator tree, and
 * buckets by hash hold the instructions of those that dominate the current
 * one: what comes from others is taken out again (Briggs, Cooper and Simpson,
 * Value Numbering, 1997, "dominator-based"). Linear. Derivatives and
 * implicit-lod textures are merged too: a dominating equal one has the same
 * neighbours when control flow between them is uniform, which GLSL demands
 * for both.
 */
#include "nir.h"

#include "nir_instr_set.h"
#include "nir_private.h"
#include "util/dynarray.h"

struct candidate {
   nir_instr *instr;
   uint64_t key;
   struct candidate *next; /* of the same bucket */
};

struct cse {
   struct arena *arena;
   struct candidate **buckets;
   uint64_t mask;
   struct util_dynarray active; /* struct candidate *, of dominating blocks */
};

/* The product that ends a hash has its best bits at the top. */
static struct candidate **
bucket(const struct cse *cse, uint64_t key)
{
   return &cse->buckets[(key ^ key >> 32) & cse->mask];
}

/* Takes out what does not dominate the block. */
static void
leave_blocks(struct cse *cse, nir_block *block)
{
   while (cse->active.size_B) {
      struct candidate *c =
         util_dynarray_pop(&cse->active, struct candidate *);
      if (nir_block_dominates(c->instr->block, block)) {
         util_dynarray_append(&cse->active, struct candidate *, c);
         return;
      }
      *bucket(cse, c->key) = c->next;
   }
}

/* What holds for one of them holds for the one that stays. */
static void
merge(nir_instr *match, nir_instr *instr)
{
   if (instr->kind == nir_kind_alu) {
      nir_alu_instr *keep = nir_instr_as_alu(match);
      nir_alu_instr *drop = nir_instr_as_alu(instr);
      keep->exact |= drop->exact;
      keep->no_signed_wrap &= drop->no_signed_wrap;
      keep->no_unsigned_wrap &= drop->no_unsigned_wrap;
   }
   nir_value_replace(nir_instr_value(instr), nir_instr_value(match));
   nir_instr_remove(instr);
}

static bool
cse_block(struct cse *cse, nir_block *block)
{
   bool progress = false;

   leave_blocks(cse, block);
   nir_foreach_instr_safe(instr, block) {
      if (!nir_instr_can_be_merged(instr))
         continue;
      const uint64_t key = nir_instr_hash(instr);
      struct candidate **head = bucket(cse, key), *c = *head;
      while (c && (c->key != key || !nir_instrs_equal(c->instr, instr)))
         c = c->next;
      if (c) {
         merge(c->instr, instr);
         progress = true;
         continue;
      }
      c = arena_new(cse->arena, struct candidate);
      *c = (struct candidate) { instr, key, *head };
      *head = c;
      util_dynarray_append(&cse->active, struct candidate *, c);
   }
   return progress;
}

static bool
cse_impl(nir_function_impl *impl)
{
   struct cse cse = { .arena = arena_create(NULL) };
   bool progress = false;

   nir_metadata_require(impl, nir_metadata_dominance);
   /* Pre- and post-order have one numbering. */
   const unsigned numbers = 2 * impl->num_blocks + 2;
   nir_block **order = arena_new_array(cse.arena, nir_block *, numbers);
   nir_foreach_block(block, impl) {
      if (!nir_block_is_unreachable(block))
         order[block->dom_pre_index] = block;
   }
   const uint64_t buckets = util_next_power_of_two(impl->num_values + 1ull);
   cse.buckets = arena_new_array(cse.arena, struct candidate *, buckets);
   cse.mask = buckets - 1;
   for (unsigned i = 0; i < numbers; i++) {
      if (order[i])
         progress |= cse_block(&cse, order[i]);
   }
   util_dynarray_fini(&cse.active);
   arena_destroy(cse.arena);
   nir_changed(impl, progress, nir_metadata_control_flow);
   return progress;
}

bool
nir_opt_cse(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_impl(impl, shader)
      progress |= cse_impl(impl);
   return progress;
}
