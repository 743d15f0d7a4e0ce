/* SPDX-License-Identifier: MIT */
/*
 * Common subexpressions: an instruction equal to one that dominates it takes
 * that one's value. Blocks are walked in program order; buckets by hash hold
 * the candidates, and dominance decides. Derivatives and implicit-lod
 * textures are merged too: a dominating equal one has the same neighbours
 * when control flow between them is uniform, which GLSL demands for both.
 */
#include "nir.h"

#include "nir_instr_set.h"
#include "nir_private.h"
#include "util/hash_table.h"

struct candidate {
   nir_instr *instr;
   struct candidate *next;
};

static nir_instr *
find_dominating(struct candidate *c, nir_instr *instr)
{
   for (; c; c = c->next) {
      if (nir_instrs_equal(c->instr, instr) &&
          nir_block_dominates(c->instr->block, instr->block))
         return c->instr;
   }
   return NULL;
}

static bool
cse_impl(nir_function_impl *impl)
{
   bool progress = false;
   struct hash_table table;
   struct arena *arena = arena_create(NULL);
   hash_table_init(&table);
   nir_metadata_require(impl, nir_metadata_dominance);

   nir_foreach_block(block, impl) {
      if (nir_block_is_unreachable(block))
         continue;
      nir_foreach_instr_safe(instr, block) {
         if (!nir_instr_can_be_merged(instr))
            continue;
         const uint64_t key = nir_instr_hash(instr);
         struct candidate *head = hash_table_get(&table, key);
         nir_instr *match = find_dominating(head, instr);
         if (!match) {
            struct candidate *c = arena_new(arena, struct candidate);
            c->instr = instr;
            c->next = head;
            hash_table_insert(&table, key, c);
            continue;
         }
         /* What holds for one of them holds for the one that stays. */
         if (instr->type == nir_instr_type_alu) {
            nir_alu_instr *keep = nir_instr_as_alu(match);
            nir_alu_instr *drop = nir_instr_as_alu(instr);
            keep->exact |= drop->exact;
            keep->no_signed_wrap &= drop->no_signed_wrap;
            keep->no_unsigned_wrap &= drop->no_unsigned_wrap;
         }
         nir_ssa_def_rewrite_uses(nir_instr_ssa_def(instr),
                                  nir_instr_ssa_def(match));
         nir_instr_remove(instr);
         progress = true;
      }
   }
   hash_table_finish(&table);
   arena_destroy(arena);
   nir_metadata_preserve(impl, progress ? nir_metadata_control_flow
                                        : nir_metadata_all);
   return progress;
}

bool
nir_opt_cse(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_function(func, shader) {
      if (func->impl)
         progress |= cse_impl(func->impl);
   }
   return progress;
}
