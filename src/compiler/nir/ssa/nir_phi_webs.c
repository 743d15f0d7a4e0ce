/* SPDX-License-Identifier: MIT */
/*
 * Phi webs by union-find (B. A. Galler, M. J. Fischer, "An improved
 * equivalence algorithm", 1964), nearly linear in the operands of phis.
 */
#include "nir_phi_webs.h"

#include "nir_live_range.h"

/* The value that stands for the set of `i`; halves the path to it. */
static uint32_t
find_set(uint32_t *parent, uint32_t i)
{
   while (parent[i] != i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
   }
   return i;
}

static void
join_sources(uint32_t *parent, nir_phi_instr *phi)
{
   const uint32_t own = phi->dest.ssa.index;
   nir_foreach_phi_src(src, phi) {
      if (!nir_src_is_undef(src->src))
         parent[find_set(parent, src->src.ssa->index)] =
            find_set(parent, own);
   }
}

static void
number_webs(struct nir_phi_webs *webs, nir_function_impl *impl,
            uint32_t *parent)
{
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block) {
         uint32_t *web = &webs->of[find_set(parent, phi->dest.ssa.index)];
         if (*web)
            continue;
         webs->like[webs->count] = &phi->dest.ssa;
         *web = ++webs->count;
      }
   }
   for (uint32_t i = 0; i < impl->ssa_alloc; i++)
      webs->of[i] = webs->of[find_set(parent, i)];
}

void
nir_find_phi_webs(struct nir_phi_webs *webs, nir_function_impl *impl,
                  struct arena *arena)
{
   uint32_t phis = 0;
   nir_index_ssa_defs(impl);
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block)
         phis += phi != NULL;
   }
   *webs = (struct nir_phi_webs) {
      .of = arena_new_array(arena, uint32_t, impl->ssa_alloc + 1),
      .like = arena_new_array(arena, const nir_ssa_def *, phis + 1),
   };
   uint32_t *parent = arena_new_array(arena, uint32_t, impl->ssa_alloc + 1);
   for (uint32_t i = 0; i < impl->ssa_alloc; i++)
      parent[i] = i;
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block)
         join_sources(parent, phi);
   }
   number_webs(webs, impl, parent);
}

/* ---- what must hold ---- */

struct web_check {
   const struct nir_phi_webs *webs;
   struct nir_positions positions;
   struct nir_live_range *ranges; /* by web: of the values so far */
   const nir_ssa_def **member;    /* the last of these */
   const nir_ssa_def *a, *b;
};

static bool
check_value(nir_ssa_def *def, void *data)
{
   struct web_check *c = data;
   const uint32_t web = c->webs->of[def->index];
   struct nir_live_range range = { 0 }, edges = { 0 };
   if (!web)
      return true;
   nir_live_range_of_value(&c->positions, def, &range);
   if (def->parent_instr->type == nir_instr_type_phi) {
      nir_live_range_of_phi(&c->positions,
                            nir_instr_as_phi(def->parent_instr), &edges);
      nir_live_range_join(&range, &edges);
   }
   const bool clash = nir_live_ranges_overlap(&c->ranges[web - 1], &range);
   if (clash) {
      c->a = c->member[web - 1];
      c->b = def;
      util_dynarray_fini(&range.spans);
   } else {
      nir_live_range_join(&c->ranges[web - 1], &range);
      c->member[web - 1] = def;
   }
   return !clash;
}

bool
nir_phi_webs_overlap(const struct nir_phi_webs *webs, nir_function_impl *impl,
                     const nir_ssa_def **a, const nir_ssa_def **b)
{
   struct arena *arena = arena_create(NULL);
   struct web_check c = {
      .webs = webs,
      .ranges =
         arena_new_array(arena, struct nir_live_range, webs->count + 1),
      .member = arena_new_array(arena, const nir_ssa_def *, webs->count + 1),
   };
   nir_find_positions(&c.positions, impl, arena);
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (!c.b)
            nir_foreach_ssa_def(instr, check_value, &c);
      }
   }
   for (uint32_t w = 0; w < webs->count; w++)
      util_dynarray_fini(&c.ranges[w].spans);
   nir_positions_finish(&c.positions);
   arena_destroy(arena);
   *a = c.a;
   *b = c.b;
   return c.b != NULL;
}
